//! What the instructions of an image don't tell: how deep a recursion may go, and where a call through
//! a function pointer may lead.

/// A function that calls itself, directly or indirectly, and what limits that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// A description.
    pub what: &'static str,
    /// A part of the function's name.
    pub(super) function: &'static str,
    /// The maximum recursion depth.
    pub levels: u64,
    /// The constant in the code, or the reason.
    pub why: &'static str,
}

const fn limit(
    what: &'static str,
    function: &'static str,
    levels: u64,
    why: &'static str,
) -> Limit {
    Limit { what, function, levels, why }
}

/// Everything in an image that may call itself; the first that fits counts. What is not here fails
/// the check of the document.
pub const LIMITS: [Limit; 32] = [
    limit("Othello, look ahead", "Search>::node::<corvid_games::games::othello", 24, "`MAX_PLY`"),
    limit(
        "Othello, to the end",
        "ablation::Everything>>::deep_unless_pass",
        25,
        "`MAX_EMPTY` and the end",
    ),
    limit(
        "Othello, nearly at the end",
        "ablation::Everything>>::shallow",
        6,
        "`SHALLOW`, 7 to 5 empty, each with a pass",
    ),
    limit("Othello, four empty", "othello::endgame::four", 2, "one pass"),
    limit("Othello, three empty", "othello::endgame::three", 2, "one pass"),
    limit("Othello, two empty", "othello::endgame::two", 2, "one pass"),
    limit("Othello, guesses at the end", "othello::endgame::guess", 4, "depth 3"),
    limit(
        "Adjacency, look ahead",
        "Search>::node::<corvid_games::games::adjacency",
        24,
        "`MAX_PLY`",
    ),
    limit("Adjacency, to the end", "adjacency::solver::Solver>::node", 24, "`MAX_PLY`"),
    limit("Dots, look ahead", "Guesser<u128>>::quiet", 24, "`MAX_DEPTH`"),
    limit("Dots, small board, exact", "Solver<u32>>::quiet", 25, "`play_plies`"),
    limit("Dots, medium board, exact", "Solver<u64>>::quiet", 15, "`play_plies`"),
    limit("Dots, large board, exact", "Solver<u128>>::quiet", 15, "`play_plies`"),
    limit("Blokus Duo, exact", "blokus::endgame::Endgame>::best", 24, "`LEVELS`"),
    limit(
        "Blokus Duo, bots",
        "games::blokus::bots::finish::value",
        12,
        "five rounds and two passes",
    ),
    limit(
        "Blokus Duo, one player alone",
        "bots::finish::covered::<2",
        5,
        "four pieces after round 17",
    ),
    limit(
        "Blokus Classic, one player alone",
        "bots::finish::covered::<4",
        5,
        "four pieces after round 17",
    ),
    limit(
        "Blokus Duo, alpha-beta",
        "games::blokus::bots::alpha_beta::Search>::value",
        6,
        "`DEPTH`",
    ),
    limit("Othello, bots", "games::othello::bots::Search>::value", 5, "`DEPTH`"),
    limit("Adjacency, published bots", "minimax::Published>::value", 5, "`DEPTH`"),
    limit("Adjacency, bots", "games::adjacency::bots::minimax::Search>::value", 5, "`DEPTH`"),
    limit("Dots, bots", "games::dots::bots::Search>::value", 4, "`DEPTH`"),
    limit("command perft", "thinker::perft", 12, "`MAX_PERFT_DEPTH`"),
    limit("reports of a search", "Watched>::think::{closure#0}", 1, "there is one thinker"),
    limit("looking around", "task::TaskClock>::look_around", 1, "`try_borrow_mut`"),
    limit(
        "texts in texts",
        "core::fmt::write",
        6,
        "an answer, a refusal, its reason, a square, a number",
    ),
    limit(
        "answers on the line",
        "console::Ends as core::fmt::Write>::write_str",
        1,
        "wraps a port",
    ),
    limit(
        "answers to commands",
        "gtp::Reply as core::fmt::Write>::write_str",
        1,
        "wraps a console",
    ),
    limit(
        "text in lower case",
        "setup::Lower<core::fmt::Formatter> as core::fmt::Write>::write_str",
        1,
        "wraps other text",
    ),
    limit(
        "text in lower case",
        "setup::Lower<dyn core::fmt::Write> as core::fmt::Write>::write_str",
        1,
        "wraps other text",
    ),
    limit(
        "boards without colours",
        "game::Plain as core::fmt::Write>::write_str",
        1,
        "wraps other text",
    ),
    limit("splitting of text", "SplitInternal", 2, "once more for the last piece"),
];

/// Functions that don't come back, and the restart that follows.
pub(super) const ENDS: [&str; 1] = ["core::panicking::panic_fmt"];

/// Code that the compiler has taken out of several functions.
pub(super) const OUTLINED: &str = "OUTLINED_FUNCTION";

/// Where calls through a function pointer may lead.
#[derive(Debug)]
pub(super) struct Pointer {
    /// A part of the caller's name.
    pub(super) from: &'static str,
    /// Parts of the names of the functions that it may call.
    pub(super) to: &'static [&'static str],
}

const fn pointer(from: &'static str, to: &'static [&'static str]) -> Pointer {
    Pointer { from, to }
}

/// The function that writes a text with its parts, and the functions that write a part: those that its
/// caller has given it, see [`resolve`](super::graph).
pub(super) const FORMATS: &str = "core::fmt::write";
pub(super) const PARTS: [&str; 2] =
    [" as core::fmt::Display>::fmt", " as core::fmt::LowerHex>::fmt"];
/// Functions that are given a text to write. In others that do so, any part counts as possible.
pub(super) const FORWARDS: [&str; 4] =
    [FORMATS, "::write_fmt", "::notice", "core::fmt::Arguments as core::fmt::Display"];

/// What a formatter calls of the text that it writes to; only others call `write_fmt`.
const WRITES: [&str; 2] = [" as core::fmt::Write>::write_str", " as core::fmt::Write>::write_char"];

/// Calls through function pointers that lie in memory. Calls through trait objects are known from the
/// debug information, and where a pointer is an argument it is a constant in a caller.
pub(super) const POINTERS: [Pointer; 20] = [
    // What an executor polls, and how it is woken.
    pointer("InterruptExecutor>::on_interrupt", &["TaskStorage<"]),
    pointer("TaskStorage<", &["embassy_executor::raw::waker::"]),
    pointer("embassy_sync::", &["embassy_executor::raw::waker::"]),
    pointer("wake_due", &["embassy_executor::raw::waker::"]),
    pointer("_embassy_time_schedule_wake", &["embassy_executor::raw::waker::"]),
    // Texts with parts that format themselves, and where they go.
    pointer("<core::fmt::Formatter>::", &WRITES),
    pointer("core::fmt::write", &WRITES),
    pointer("gtp::Gtp>::choose::{closure#0}", &[" as core::fmt::Write>::"]),
    // How a move is valued at random, and by what it gains.
    pointer("choice::best_by", &["Game>::gain"]),
    // How Blokus bots value a placement.
    pointer(
        "blokus::bots::first::{closure#0}",
        &[
            "blokus::bots::choose::{closure",
            "leaky::choose::{closure",
            "leaky::seed::choose::{closure",
            "leaky::centre::choose::{closure",
        ],
    ),
    // What a search reports goes to the thinker.
    pointer("AnyGame>::choose::{closure#0}", &["thinker::Thinker>::think::{closure#0}"]),
    // The board's: clock, idling, restart.
    pointer("Brain<()>>::run", &["cortex_m::asm::wfi"]),
    pointer("TaskClock as", &["health::clock"]),
    pointer("Device>::table_now", &["cortex_m::asm::wfi"]),
    pointer("console::Output as", &["cortex_m::asm::wfi"]),
    pointer(
        "console::Line>::",
        &["cortex_m::asm::wfi", "health::clock", "shared::start::{closure"],
    ),
    pointer("shared::start", &["health::clock"]),
    // Facts about a game.
    pointer("Setup>::people", &["Engine>::INFO::{closure", "Engine>::GAME::{closure"]),
    // Othello's functions by the square of the move.
    pointer("games::othello", &["kernels::changes_at::<", "kernels::last_flips"]),
    pointer(
        "defmt_rtt::channel::Channel>::write_all",
        &["Channel>::blocking_write", "Channel>::nonblocking_write"],
    ),
];

/// What only the thinker calls. Where the code does not show which method or closure a function calls, it
/// is none of these.
pub(super) const SEARCHES: [&str; 4] =
    ["AnyGame>::choose", "AnyGame>::solve", "Desk>::think", "thinker::perft::{closure#0}"];

/// The functions that begin a search, and the one in which a search looks around and serves the serial
/// port. What is served there is given no thinker, so that it begins no other search: commands that think
/// wait (`Console::push`). And a search that the port has asked for does not serve it.
pub(super) const THINKS: [&str; 2] = ["task::Watched>::think", "gtp::Gtp>::thinking_command"];
pub(super) const LOOKS: &str = "task::TaskClock>::look_around";
pub(super) const SERVES: &str = "console::Line>::";
