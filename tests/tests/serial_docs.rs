//! Writes docs/serial.md from the commands themselves and a session on an emulated board, and
//! fails when the file says something else. `UPDATE_GOLDEN=1` writes it again.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use corvid_core::gtp::{COMMANDS, DEVICE_COMMANDS, MAX_PERFT_DEPTH};
use corvid_core::icfpt::{ANSWER_MICROS, Dialect};
use corvid_core::lines::LINE_CAPACITY;
use corvid_core::terminal::HISTORY_CAPACITY;
use corvid_tests::board::Board;
use corvid_tests::qemu::Lm3s6965evb;

const SOON: Duration = Duration::from_secs(2);

/// A pause by which the board takes the sender for a person.
const TYPING: Duration = Duration::from_millis(100);

const START: &str = "\
# The serial protocol

This file is written by `UPDATE_GOLDEN=1 cargo test -p corvid-tests --test serial_docs`: the commands
come from the table that answers `help`, the session from an emulated LM3S6965 board.

A board speaks lines of [GTP 2](https://www.lysator.liu.se/~gunnar/gtp/) on its serial port: USB on the
Pico, a UART at 115200 baud, 8N1, without flow control on the others. `corvid gtp GAME` speaks the
same on a PC, and `corvid connect` is a terminal interface for it.

## For people
Any terminal will do (`picocom -b 115200 /dev/ttyACM0`). Press Enter to see who is there, type `help`.
What you type is shown, and can be edited: backspace, left, right, Home, End, Delete; up and down bring
earlier lines back; Ctrl-C gives a line up. `corvid connect` finds the board by itself, draws the game
and goes on with it after the cable was pulled.

## For programs
- A command is a line: an optional number, a name, arguments. CR, LF and CR LF end it; `#` begins a
  comment; control characters are dropped; names and colours are read in any letter case.
- An answer begins with `=` or, when the command is refused, `?`, then the number; it ends with an
  empty line. `? reason` changes nothing.
- Whole lines are not echoed: only a sender that pauses in the middle of one is taken for a person.
  `echo off` makes sure of it.
- Lines that begin with `# ` are notices that nobody asked for, between answers: `# play black d3` for
  a move made with the buttons, `# game othello, 0 moves` when the game is another one. After
  `progress on` the search tells how it goes in the same way.
- The game on the port is the game on the display.
- Commands are answered one after the other; lines sent ahead wait, up to 1 KB of them.
";

const NOTATION: &str = "
## Colours and moves
Two players are `b` and `w` (`black`, `white`; in Blokus Duo also `blue`, `green`), four are `1` to `4`
or `blue yellow red green`. Moves are `d3` in Othello and Adjacency (rows from the top), `0,0-0,1` in
Dots and Boxes (two dots, row and column), the covered squares `e10,e11,f11` in Blokus (rows from the
bottom); Blokus Duo also takes the contest's code. `pass` is for who can't move.

`version` and `capabilities` never change their form. `capabilities` is a word and its values a line;
there may be more words one day:
";

const CONTEST: &str = "
## The Blokus Duo contest
`icfpt 2014` or `icfpt 2013` switches a board to the protocol of the FPGA contests (ICFPT 2013, HEART
2014, REC 2018-2020), `corvid icfpt` speaks it on a PC, and `corvid host` is a host for two players.
Messages have no end mark. `XYPR` is a move's code, `0000` a pass, `S` a start square: `5` for (5,5),
`A` for (a,a).

| 2014 | 2013 | the host says | the answer |
|---|---|---|---|
| `0` | `0` | who are you | `1CV` |
| `2S` | `2S` | you begin and cover S (2013: place your first tile there) | `XYPR` |
| `3SXYPR` | | the other began so, you cover S | `XYPR` |
| `4XYPR` | `3XYPR` | the other's move | `XYPR` |
| | `4XYPRXYPR` | the other's first two moves | `XYPR` |
| `9` | `9` | the game is over | |

All codes of a placement are understood, in either case; answers have the smallest rotation, in lower
case. A message that makes no sense has no answer, and the game stays; after noise the next message is
read once the line was quiet for 20 ms. Ctrl-C twice in a row ends the mode.
";

fn rows(out: &mut String, title: &str, table: &str) -> Result<()> {
    write!(out, "\n{title}\n\n| command | does |\n|---|---|\n")?;
    for line in table.lines() {
        let (form, help) = line.rsplit_once('|').context("a bar between form and help")?;
        writeln!(out, "| `{}` | {help} |", form.replace('|', "\\|"))?;
    }
    Ok(())
}

/// A session as a person sees it.
fn session(board: &mut impl Board) -> Result<String> {
    board.send(b"\r")?;
    let mut seen = board.receive_until("\n", SOON)?;
    for line in [
        "help key",
        "new othello",
        "play b a1",
        "play b d3",
        "all_legal w",
        "play w c3",
        "showboard",
        "new dots 1x1",
        "play b 0,0-0,1",
        "play w 0,0-1,0",
        "play b 1,0-1,1",
        "genmove w",
        "final_score",
        "genmove b",
        "play b 0,1-1,1",
    ] {
        let (first, rest) = line.split_at(1);
        board.send(first.as_bytes())?;
        board.run_for(TYPING)?;
        board.send(format!("{rest}\r").as_bytes())?;
        seen += &board.receive_until("\r\n\r\n", SOON)?;
    }
    ensure!(!seen.contains('\x1b'), "{seen:?}");
    Ok(seen.replace('\r', "").trim_end().to_owned())
}

fn document() -> Result<String> {
    let mut text = String::from(START);
    writeln!(
        text,
        "- A line has at most {LINE_CAPACITY} bytes; a longer one is refused as a whole."
    )?;
    rows(&mut text, "## Commands", COMMANDS)?;
    rows(&mut text, "On a board, and in the simulator, also:", DEVICE_COMMANDS)?;
    text += NOTATION;
    let mut board = Lm3s6965evb::start()?;
    let session = session(&mut board)?;
    board.send(b"echo off\n")?;
    board.receive_until("\r\n\r\n", SOON)?;
    let capabilities = board.ask("capabilities", SOON)?;
    write!(text, "\n```\n{capabilities}\n```\n")?;
    text += CONTEST;
    writeln!(
        text,
        "An answer comes at most {} ms after the prompt, plus what a search needs to stop.",
        ANSWER_MICROS / 1000
    )?;
    ensure!(text.contains(Dialect::Y2013.name()) && text.contains(Dialect::Y2014.name()));
    write!(
        text,
        "\n## Limits\nLines of {LINE_CAPACITY} bytes, {HISTORY_CAPACITY} bytes of earlier lines, `perft` to \
         depth {MAX_PERFT_DEPTH}, a\nminute for `solve`. A reader on USB that never reads costs answers, \
         never the\ngame: what does not fit is dropped after a second.\n"
    )?;
    write!(text, "\n## A session\n```\n{session}\n```\n")?;
    Ok(text)
}

#[test]
fn the_protocol_is_documented_as_it_is() -> Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/serial.md");
    let text = document()?;
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        return Ok(std::fs::write(path, text)?);
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    for (number, (new, old)) in text.lines().zip(there.lines()).enumerate() {
        ensure!(
            new == old,
            "docs/serial.md is out of date at line {}: {old:?} should be {new:?}; \
             UPDATE_GOLDEN=1 writes it again",
            number + 1
        );
    }
    ensure!(text == there, "docs/serial.md is out of date; UPDATE_GOLDEN=1 writes it again");
    Ok(())
}
