//! Conversations with the engine.

use super::*;
use crate::desk::{ClockFn, OwnDesk};
use crate::thinker::Thinker;
use core::sync::atomic::{AtomicU32, Ordering};
use std::string::String;

/// What a peer talks to: the protocol and a desk of its own.
struct Engine {
    gtp: Gtp,
    desk: OwnDesk<'static>,
}

impl Engine {
    fn line(&mut self, line: &[u8], out: &mut String) -> Result<Flow, fmt::Error> {
        self.gtp.line(&mut self.desk, line, out)
    }

    fn game(&self) -> &Match {
        &self.desk.game
    }

    fn with_opponent(self, opponent: AnyOpponent) -> Self {
        Self { gtp: self.gtp.with_opponent(opponent), ..self }
    }

    fn with_notation(self, notation: Notation) -> Self {
        Self { gtp: self.gtp.with_notation(notation), ..self }
    }

    fn with_seed(mut self, seed: u64) -> Self {
        self.desk.seed(seed);
        self
    }
}

/// Every look at its clock takes 20 ms, so level 9 thinks for fifty looks.
fn engine(kind: GameKind) -> Engine {
    static LOOKS: AtomicU32 = AtomicU32::new(0);
    let clock: ClockFn = || u64::from(LOOKS.fetch_add(1, Ordering::Relaxed)) * 20_000;
    let thinker = Thinker::new(std::vec![0; 1024].leak());
    let desk = OwnDesk::new(Match::new(Setup::usual(kind)), thinker, clock);
    Engine { gtp: Gtp::new(), desk }.with_seed(1)
}

fn ask(gtp: &mut Engine, line: &str) -> String {
    let mut out = String::new();
    assert_eq!(gtp.line(line.as_bytes(), &mut out), Ok(Flow::Continue), "{line}");
    out
}

/// Holds a conversation: every line and the start of its answer.
fn talk(gtp: &mut Engine, conversation: &[(&str, &str)]) {
    for (line, answer) in conversation {
        let got = ask(gtp, line);
        assert!(got.starts_with(answer), "{line}: {got:?}");
        assert!(got.is_empty() || got.ends_with("\n\n"), "{line}: {got:?}");
        assert!(!got.trim_end().contains("\n\n"), "an empty line ends it: {got:?}");
    }
}

#[test]
fn ids_comments_case_and_empty_lines() {
    let mut gtp = engine(GameKind::Othello);
    let conversation = [
        ("name", "= Corvid\n\n"),
        ("  12   NAME  # who", "=12 Corvid\n\n"),
        ("7 nonsense", "?7 unknown command\n\n"),
        ("# only a comment", ""),
        ("", ""),
        ("\r", ""),
        ("protocol_version", "= 2\n\n"),
        ("known_command genmove", "= true\n\n"),
        ("known_command fly", "= false\n\n"),
        ("cputime", "= 0."),
        ("99", "?99 unknown command\n\n"),
        (&"x".repeat(40), "? unknown command\n\n"),
    ];
    talk(&mut gtp, &conversation);
    let mut out = String::new();
    assert_eq!(gtp.line(b"5 quit", &mut out), Ok(Flow::Quit));
    assert_eq!(out, "=5 \n\n");
    let mut out = String::new();
    assert_eq!(gtp.line(&[0xff, b'a'], &mut out), Ok(Flow::Continue));
    assert_eq!(out, "? unknown command\n\n");
}

#[test]
fn every_listed_command_is_known() {
    let listed = ask(&mut engine(GameKind::Othello), "list_commands");
    for command in listed.trim_start_matches("= ").trim().lines() {
        let mut out = String::new();
        let _ = engine(GameKind::Othello).line(command.as_bytes(), &mut out);
        assert!(!out.contains("unknown command"), "{command}");
    }
}

#[test]
fn a_game_of_othello() {
    talk(
        &mut engine(GameKind::Othello),
        &[
            ("play b d3", "= \n\n"),
            ("play b c3", "? illegal move: it is white's turn\n\n"),
            ("play w d3", "? illegal move: d3 is occupied\n\n"),
            ("play w pass", "? illegal move: you can move, for example c3: no pass\n\n"),
            ("play w", "? play needs a colour and a move\n\n"),
            ("play purple c3", "? a colour is b or w\n\n"),
            ("all_legal W", "= c3\ne3\nc5\n\n"),
            ("PLAY White C3", "= \n\n"),
            ("moves", "= d3 c3\n\n"),
            ("final_score", "= 0\n\n"),
            ("undo", "= \n\n"),
            ("final_score", "= B+3\n\n"),
            ("undo", "= \n\n"),
            ("undo", "? cannot undo"),
            ("perft 4", "= perft 4 244\n\n"),
            ("perft 13", "? perft needs a depth of 0 to 12\n\n"),
            ("perft x", "? perft needs"),
            ("komi 6.5", "= \n\n"),
            ("komi -6", "= \n\n"),
            ("komi", "? komi is a number"),
            ("komi .", "? komi is a number"),
            ("komi 6x", "? komi is a number"),
            ("boardsize 8", "= \n\n"),
            ("boardsize 19", "? unacceptable size"),
            ("time_settings 60 0 0", "= \n\n"),
            ("time_settings 60", "? time_settings needs three numbers"),
            ("time_left b 10 0", "= \n\n"),
            ("level 9", "= \n\n"),
            ("level 0", "? a level is 1 to 9"),
            ("nodes 100", "= \n\n"),
            ("reg_genmove b", "= "),
            ("nodes x", "? nodes is a number"),
            ("set_random_seed 4", "= \n\n"),
            ("set_random_seed x", "? a seed is a number"),
            ("position X", "? a position is 64"),
            (
                "position -------------------X-------XX------XO--------------------------- O",
                "= \n\n",
            ),
            ("perft 1", "= perft 1 3\n\n"),
            ("clear_board", "= \n\n"),
            ("perft 1", "= perft 1 4\n\n"),
            ("set_game Chess", "? unknown game"),
        ],
    );
}

#[test]
fn the_same_game_keeps_its_options_and_another_one_has_the_usual() {
    talk(
        &mut engine(GameKind::Othello),
        &[
            ("new dots 1x1", "= \n\n"),
            ("play b 0,0-0,1", "= \n\n"),
            ("set_game dots", "= \n\n"),
            ("all_legal b", "= 0,0-0,1\n1,0-1,1\n0,0-1,0\n0,1-1,1\n\n"),
            ("set_game adjacency", "= \n\n"),
            ("showboard", "= \n   a b"),
            ("set_game Dots and Boxes", "= \n\n"),
            ("play b 5,4-5,5", "= \n\n"),
        ],
    );
}

#[test]
fn a_mark_that_is_a_name_is_told_once() {
    let ends = |kind, text: &str| {
        let board = ask(&mut engine(kind), "showboard");
        assert!(board.ends_with(&std::format!("{text}\n\n")), "{board}");
    };
    ends(GameKind::Adjacency, "\nX 4   O 4   X to move");
    ends(GameKind::Othello, "\nblack (X) 2   white (O) 2   black to move");
}

#[test]
fn the_names_that_match_runners_send() {
    let mut gtp = engine(GameKind::Othello);
    for (name, first) in [
        ("Blokus Duo", "e10"),
        ("Blokus", "a20"),
        ("Othello", "d3"),
        ("adjacency", "a1"),
        ("Dots and Boxes", "0,0-0,1"),
    ] {
        let set = String::from("set_game ") + name;
        let play = String::from("play b ") + first;
        talk(&mut gtp, &[(&set, "= \n\n"), (&play, "= \n\n"), ("clear_board", "= \n\n")]);
    }
}

#[test]
fn blokus_colours_codes_and_scores() {
    let mut duo = engine(GameKind::BlokusDuo).with_notation(Notation::Code);
    talk(
        &mut duo,
        &[
            ("play blue 55s1", "= \n\n"),
            ("play green j5", "= \n\n"),
            ("moves", "= 55s1 aaa0\n\n"),
            ("final_score", "= B+4\n\n"),
            ("play b 0000", "? illegal move: you can place a piece: no pass\n\n"),
            ("play red a1", "? a colour is b or w, blue or green\n\n"),
        ],
    );
    let mut classic = engine(GameKind::BlokusClassic);
    talk(
        &mut classic,
        &[
            ("play 1 a20", "= \n\n"),
            ("play yellow t20,s20", "= \n\n"),
            ("final_score", "= 1:-88 2:-87 3:-89 4:-89\n\n"),
            ("genmove 4", "? it is red's turn\n\n"),
            ("solve", "? this game has no exact solver\n\n"),
        ],
    );
    assert_eq!(ask(&mut classic, "all_legal 3").lines().count() - 1, 58);
}

#[test]
fn whole_games_by_genmove_end_with_pass() {
    for kind in GameKind::ALL {
        for bot in Bot::all(kind) {
            let mut gtp = engine(kind).with_opponent(Opponent::Bot(bot));
            for _ in 0..crate::game::MAX_PLIES {
                let game = gtp.game();
                let color = game.colors()[game.turn().index()].name;
                let answer = ask(&mut gtp, &(String::from("genmove ") + color));
                assert!(answer.starts_with("= "), "{kind}: {answer}");
            }
            assert!(gtp.game().is_over(), "{kind} {}", bot.name());
            assert_eq!(ask(&mut gtp, "genmove b"), "= pass\n\n");
            assert_eq!(ask(&mut gtp, "play b pass"), "= \n\n");
        }
    }
}

#[test]
fn a_bot_is_chosen_by_its_name() {
    let mut gtp = engine(GameKind::BlokusDuo);
    talk(&mut gtp, &[("bot brute-force", "= \n\n")]);
    // The straight five is tried first, and its highest place ends on the start square.
    talk(&mut gtp, &[("genmove b", "= e10,e11,e12,e13,e14\n\n")]);
    talk(&mut gtp, &[("bot greedy", "? this game has no bot of that name\n\n")]);
    talk(
        &mut gtp,
        &[
            ("set_game othello", "= "),
            ("genmove b", "? the chosen bot does not play this game"),
            ("moves", "= \n\n"),
            ("bot greedy", "= "),
            ("genmove b", "= "),
        ],
    );
}

#[test]
fn times_are_capped_and_the_cap_is_told() {
    talk(
        &mut engine(GameKind::Othello),
        &[
            ("time_settings 4294967295 0 0", "= 600 s is the most for a move\n\n"),
            ("time_left b 4294967295 1", "= 600 s is the most for a move\n\n"),
            ("time_settings 18000 0 0", "= \n\n"),
        ],
    );
}

#[test]
fn the_time_is_divided_among_the_moves_that_it_is_for() {
    const SECOND: u64 = 1_000_000;
    for (line, micros) in [
        ("time_settings 60 0 0", 2 * SECOND),
        ("time_settings 60 10 4", 5 * SECOND / 2),
        ("time_settings 0 10 4", 5 * SECOND / 2),
        ("time_settings 0 0 0", USUAL_MICROS),
        // Without stones it is what is left of the main time, for thirty moves.
        ("time_left b 60 0", 2 * SECOND),
        ("time_left b 60 4", 15 * SECOND),
        ("time_left b 18001 0", MOST_SECONDS * SECOND),
    ] {
        let mut gtp = engine(GameKind::Othello);
        ask(&mut gtp, line);
        assert_eq!(gtp.gtp.move_micros, micros, "{line}");
    }
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let play = |seed| {
        let level = Opponent::Level(Level::MIN);
        let mut gtp = engine(GameKind::BlokusDuo).with_seed(seed).with_opponent(level);
        (0..6).for_each(|ply| {
            ask(&mut gtp, ["genmove b", "genmove w"][ply % 2]);
        });
        ask(&mut gtp, "moves")
    };
    assert_eq!(play(3), play(3));
    assert_ne!(play(3), play(4));
}

#[test]
fn positions_are_solved() {
    let empty = "-".repeat(5);
    let position =
        ["position XXXXXXOO", &"X".repeat(6), "OO", &"X".repeat(32), "XXO", &empty, "XXOOOOOO"]
            .concat();
    let mut gtp = engine(GameKind::Adjacency);
    let set = position + " X 5";
    talk(
        &mut gtp,
        &[
            (&set, "= \n\n"),
            ("solve", "= solve score "),
            ("solve 1", "= solve score "),
            ("solve 8", "= solve score "),
            ("solve 9", "? solve takes"),
            ("solve 99", "? solve takes"),
            // Multiplied by the slots of a kilobyte, it would be 1 again.
            ("solve 144115188075855873", "? solve takes"),
            ("solve 33554433", "? solve takes"),
            ("solve x", "? solve takes"),
        ],
    );
}

#[test]
fn looking_ahead_changes_nothing() {
    let mut gtp = engine(GameKind::Dots);
    for command in ["reg_genmove b", "hint", "all_legal w", "showboard", "position"] {
        assert!(ask(&mut gtp, command).starts_with("= "), "{command}");
        assert_eq!(ask(&mut gtp, "moves"), "= \n\n", "{command}");
    }
}

#[test]
fn games_are_started_with_their_options() {
    talk(
        &mut engine(GameKind::Othello),
        &[
            ("new dots 2x3", "= \n\n"),
            ("stats", "= busy 0."),
            ("perft 1", "= perft 1 17\n\n"),
            ("play b 0,0-0,1", "= \n\n"),
            ("new", "= \n\n"),
            ("perft 1", "= perft 1 17\n\n"),
            ("new Adjacency O 2", "= \n\n"),
            ("play o a1", "= \n\n"),
            ("new blokus-duo any", "= \n\n"),
            ("play b j5", "= \n\n"),
            ("new blokus-duo", "= \n\n"),
            ("play b j5", "? illegal move: the first piece must cover e10"),
            ("new blokus-classic 2", "= \n\n"),
            ("new othello 8", "? new takes a game and its options"),
            ("new dots 11x1", "? new takes"),
            ("new dots x", "? new takes"),
            ("new adjacency 1", "? new takes"),
            ("new chess", "? new takes"),
            ("games", "= othello\nadjacency 28 x (2"),
        ],
    );
}

#[test]
fn what_games_tells_starts_them() {
    let mut gtp = engine(GameKind::Othello);
    let games = ask(&mut gtp, "games");
    let lines: std::vec::Vec<_> = games.trim_start_matches("= ").trim_end().lines().collect();
    assert_eq!(lines.len(), GameKind::ALL.len());
    for (line, kind) in lines.into_iter().zip(GameKind::ALL) {
        let command = std::format!("new {}", line.split(" (").next().unwrap());
        talk(&mut gtp, &[(&command, "= \n\n")]);
        assert_eq!(gtp.game().setup(), Setup::usual(kind));
    }
}

#[test]
fn help_is_for_the_commands_there_are() {
    let mut gtp = engine(GameKind::Othello);
    let help = ask(&mut gtp, "help");
    assert!(help.starts_with("= protocol_version: 2\n"), "{help}");
    assert!(help.contains("\nprogress on|off: reports"), "{help}");
    assert!(!help.contains("reboot"), "there is no board: {help}");
    assert!(help.contains("2048 bytes"), "limits are told: {help}");
    talk(
        &mut gtp,
        &[
            ("help PLAY", "= play COLOR MOVE: makes a move\n\n"),
            ("help fly", "? unknown command"),
            ("reboot", "? unknown command"),
            ("known_command echo", "= false"),
            ("echo on", "? unknown command"),
            ("icfpt", "? unknown command"),
            ("capabilities", "= board none\ngames othello adjacency dots blokus-duo"),
        ],
    );
    let capabilities = ask(&mut gtp, "capabilities");
    assert!(capabilities.ends_with("\nmemory 8\n\n"), "1024 words: {capabilities}");
    for line in COMMANDS.lines().chain(CONSOLE_COMMANDS.lines()) {
        assert!(line.len() <= 79, "{line}");
        assert!(
            line.split_once('|').is_some_and(|(form, help)| !form.is_empty() && !help.is_empty())
        );
    }
}

#[test]
fn thinking_is_told_in_lines_that_programs_skip() {
    let mut gtp = engine(GameKind::Othello);
    talk(&mut gtp, &[("nodes 3000", "= "), ("progress on", "= "), ("progress", "? on or off?")]);
    let answer = ask(&mut gtp, "3 genmove b");
    let (progress, rest): (std::vec::Vec<&str>, std::vec::Vec<&str>) =
        answer.lines().partition(|line| line.starts_with("# depth "));
    assert!(progress.len() > 2, "{answer}");
    assert!(rest[0].starts_with("=3 ") && rest.len() == 2, "{answer}");
    talk(&mut gtp, &[("progress OFF", "= \n\n"), ("genmove w", "= ")]);
}

#[test]
fn the_time_of_all_commands_adds_up() {
    let mut gtp = engine(GameKind::Othello);
    assert_eq!(ask(&mut gtp, "cputime"), "= 0.000\n\n");
    ask(&mut gtp, "name");
    assert_ne!(ask(&mut gtp, "cputime"), "= 0.000\n\n");
}

#[test]
fn a_line_that_is_too_long_gets_an_answer_with_the_limit() {
    let mut out = String::new();
    engine(GameKind::Othello).gtp.overlong_line(&mut out).unwrap();
    assert!(out.starts_with("? ") && out.ends_with("\n\n"), "{out:?}");
    assert!(out.contains(&std::format!("{LINE_CAPACITY} bytes")), "{out:?}");
}

#[test]
fn a_position_is_told_as_its_game_writes_it() {
    let mut gtp = engine(GameKind::Othello);
    let start = "---------------------------OX------XO--------------------------- X";
    talk(&mut gtp, &[("position", &std::format!("= {start}\n\n"))]);
    // Blokus has no text of a position but the moves that lead to it.
    let mut gtp = engine(GameKind::BlokusDuo);
    talk(&mut gtp, &[("play 1 e10", "="), ("position", "= e10\n\n")]);
}
