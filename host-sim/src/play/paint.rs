//! Colours, where they are wanted.

use std::env;
use std::ffi::OsStr;
use std::io::{self, IsTerminal};
use std::sync::OnceLock;

use corvid_core::player::{Color, Player};

/// Bold text.
const BOLD: &str = "1";
/// What can be done now.
const OFFER: &str = "1;32";

/// Whether standard output is coloured.
fn is_on() -> bool {
    static ON: OnceLock<bool> = OnceLock::new();
    *ON.get_or_init(|| {
        let (no, force) = (env::var_os("NO_COLOR"), env::var_os("CLICOLOR_FORCE"));
        let term = env::var_os("TERM");
        wanted(io::stdout().is_terminal(), no.as_deref(), force.as_deref(), term.as_deref())
    })
}

/// By the conventions of no-color.org and bixense.com/clicolors, in that order.
fn wanted(
    terminal: bool,
    no_color: Option<&OsStr>,
    force: Option<&OsStr>,
    term: Option<&OsStr>,
) -> bool {
    let is_set = |value: Option<&OsStr>| value.is_some_and(|value| !value.is_empty());
    let forced = is_set(force) && force != Some(OsStr::new("0"));
    !is_set(no_color) && (forced || (terminal && term != Some(OsStr::new("dumb"))))
}

/// Text in a player's colour.
pub(super) fn of_player(text: &str, player: Player, colors: &[Color]) -> String {
    let number = match colors.get(player.index()).map(|color| color.name) {
        Some("blue") => "34",
        Some("yellow") => "33",
        Some("green") => "32",
        Some("red") => "31",
        _ if player == Player::FIRST => "36",
        _ => "35",
    };
    // On a board, capitals are where a player has moved.
    let bold = text.len() == 1 && text.bytes().all(|byte| byte.is_ascii_uppercase());
    painted(text, &format!("{}{number}", if bold { "1;" } else { "" }))
}

/// A place where the player can move.
pub(super) fn offer(text: &str) -> String {
    painted(text, OFFER)
}

/// Text that is not to be missed.
pub(super) fn bold(text: &str) -> String {
    painted(text, BOLD)
}

fn painted(text: &str, style: &str) -> String {
    if is_on() { format!("\x1b[{style}m{text}\x1b[0m") } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_for_terminals_that_want_them() {
        let wanted = |terminal, no: Option<&str>, force: Option<&str>, term: Option<&str>| {
            wanted(terminal, no.map(OsStr::new), force.map(OsStr::new), term.map(OsStr::new))
        };
        let xterm = Some("xterm");
        assert!(wanted(true, None, None, xterm));
        assert!(!wanted(false, None, None, xterm));
        assert!(!wanted(true, Some("1"), None, xterm));
        assert!(wanted(true, Some(""), None, xterm), "an empty NO_COLOR means nothing");
        assert!(!wanted(true, None, None, Some("dumb")));
        assert!(wanted(false, None, Some("1"), None));
        assert!(!wanted(false, None, Some("0"), xterm));
        assert!(!wanted(true, Some("1"), Some("1"), xterm), "NO_COLOR is the stronger one");
    }
}
