//! What the player types.

use std::io::{self, Read, Write};

use corvid_core::lines::LINE_CAPACITY;

use crate::failure::Failure;

/// Wrong answers to one question before the program gives up: an endless stream of them has to end.
const TRIES: usize = 20;

/// Asks for a line; `None` at the end of the input.
///
/// Not by the core's reader, which knows ASCII only: names may have any letters.
pub(super) fn line(prompt: &str) -> Result<Option<String>, Failure> {
    let mut out = io::stdout();
    write!(out, "{prompt}")?;
    out.flush()?;
    let mut line = Vec::new();
    let mut begun = false;
    for byte in io::stdin().lock().bytes() {
        match byte? {
            b'\n' => return Ok(Some(text(&line))),
            // One byte more than fits, so that the rest can't be taken for something short.
            byte if line.len() <= LINE_CAPACITY => line.push(byte),
            _ => {}
        }
        begun = true;
    }
    Ok(begun.then(|| text(&line)))
}

fn text(line: &[u8]) -> String {
    let mut text = String::from_utf8_lossy(line).into_owned();
    if line.len() > LINE_CAPACITY {
        text.push('\u{fffd}');
    }
    text
}

/// Asks until the answer can be read, and says what was wrong with the others. `None` if the player
/// has had enough: at the end of the input, or after `quit`.
pub(super) fn answer<T>(
    prompt: &str,
    mut read: impl FnMut(&str) -> Result<T, String>,
) -> Result<Option<T>, Failure> {
    for _ in 0..TRIES {
        let Some(line) = line(prompt)? else {
            writeln!(io::stdout())?;
            return Ok(None);
        };
        let line = line.trim_end_matches('\r');
        if ["quit", "exit", "q"].iter().any(|word| word.eq_ignore_ascii_case(line.trim())) {
            return Ok(None);
        }
        match read(line) {
            Ok(value) => return Ok(Some(value)),
            Err(why) => writeln!(io::stdout(), "{why}")?,
        }
    }
    Err(Failure::Other(format!("no answer in {TRIES} tries; see corvid play --help")))
}
