//! Lines of a GTP peer.

use corvid_core::gtp::{Flow, Gtp};

use super::check_match;
use super::desk::FuzzDesk;

/// The lines of an input that are read.
const LINES: usize = 40;

pub(super) const WORDS: &[&str] = &[
    "\n",
    "play b ",
    "play w ",
    "play 1 ",
    "genmove b\n",
    "reg_genmove w\n",
    "undo\n",
    "new ",
    "othello",
    "adjacency ",
    "dots ",
    "blokus-duo",
    "blokus-classic",
    "boardsize ",
    "position ",
    "level ",
    "nodes ",
    "bot ",
    "solve ",
    "perft ",
    "hint\n",
    "moves\n",
    "showboard\n",
    "all_legal b\n",
    "final_score\n",
    "time_settings ",
    "time_left b ",
    "set_random_seed ",
    "known_command ",
    "help ",
    "list_commands\n",
    "progress on\n",
    "stats\n",
    "capabilities\n",
    "cputime\n",
    "komi ",
    "set_game ",
    "icfpt\n",
    "echo on\n",
    "4294967295",
    "18446744073709551615",
    "18446744073709551616",
    "0",
    "pass",
    "0000",
    "3x3",
    "10x10",
    "statistics",
    "discard yes\n",
    "reboot\n",
    "screen\n",
    "key select\n",
    "# ",
    "\x03",
    "\r",
    "\x1b[A",
    "\x1b[D",
    "\x7f",
];

pub(super) fn run(data: &[u8]) {
    let mut memory = [0; 256];
    let mut desk = FuzzDesk::new(&mut memory);
    let mut gtp = Gtp::new();
    for line in data.split(|byte| *byte == b'\n').take(LINES) {
        let mut answer = String::new();
        let flow = gtp.line(&mut desk, line, &mut answer).expect("a string takes any text");
        check_answer(line, &answer);
        if flow == Flow::Quit {
            break;
        }
    }
    check_match(&desk.game);
}

/// Checks that an answer is one: notices, then `=` or `?`, and an empty line at the end and nowhere
/// else; nothing that a terminal would take for a command.
pub(super) fn check_answer(line: &[u8], answer: &str) {
    assert!(
        answer.bytes().all(|byte| byte == b'\n' || (b' '..=b'~').contains(&byte)),
        "{line:?} is answered with {answer:?}"
    );
    if answer.is_empty() {
        return;
    }
    let mut rest = answer;
    while let Some(("", _)) = rest.split_once("# ") {
        rest = rest.split_once('\n').expect("a notice ends").1;
    }
    assert!(rest.starts_with(['=', '?']), "{line:?} is answered with {answer:?}");
    assert_eq!(rest.find("\n\n"), Some(rest.len() - 2), "{line:?} is answered with {answer:?}");
}
