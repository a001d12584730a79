//! What a position is worth at a given depth, until somebody interrupts.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use corvid_core::game::Game;
use corvid_core::games::othello::{Move, Othello};
use corvid_core::player::Player;
use corvid_core::search::budget::{Budget, Clock, Meter};
use corvid_core::search::{Solve, Think};

/// The greatest depth; one more takes about twice the time.
pub(super) const MAX_DEPTH: u8 = 16;

/// With this many empty squares more than the depth, or fewer, the exact score is found out.
pub(super) const EXACT: u8 = 10;

/// Before the exact score a guess is made, to answer with in case of an interrupt: so many plies
/// and positions, too few for the search to go on to the end by itself.
const BEFORE_EXACT: (u8, u64) = (6, 3_999);

/// The search for an exact score is given up after so many microseconds, an hour: with 26 empty squares
/// it would take days.
const LONGEST: u64 = 3_600_000_000;

/// A disc in hundredths.
const DISC: i32 = 100;

/// The most positions that a search of so many plies looks at. A tenth of them is usually
/// enough; with more the search would go on to the end from more empty squares than [`EXACT`].
const fn most_nodes(depth: u8) -> u64 {
    (2_000 << depth) - 1
}

/// Ends searches from another thread.
#[derive(Debug, Default)]
pub struct Interrupt {
    /// Requests that were announced and not served yet.
    waiting: Mutex<u32>,
    stop: AtomicBool,
}

impl Interrupt {
    /// Ends the search under way, and all others until the request is served.
    pub fn announce(&self) {
        self.change(|waiting| waiting.saturating_add(1));
    }

    /// A request was served.
    pub fn serve(&self) {
        self.change(|waiting| waiting.saturating_sub(1));
    }

    /// Whether a request waits.
    pub fn is_waiting(&self) -> bool {
        self.change(|waiting| waiting)
    }

    /// What ends the next search; it is set if a request waits, and a search may set it itself.
    fn flag(&self) -> &AtomicBool {
        self.is_waiting();
        &self.stop
    }

    /// Changes the number of requests, and whether there are any is what the flag says.
    fn change(&self, to: impl FnOnce(u32) -> u32) -> bool {
        // Whoever panicked with it left a number.
        let mut waiting = self.waiting.lock().unwrap_or_else(|error| error.into_inner());
        *waiting = to(*waiting);
        let any = *waiting > 0;
        self.stop.store(any, Ordering::Relaxed);
        any
    }
}

/// What a position is worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Value {
    /// What the player to move is expected to be ahead by at the end, in hundredths of a disc.
    pub(super) lead: i32,
    /// Whether that is proven.
    pub(super) exact: bool,
    /// Plies looked ahead.
    pub(super) depth: u8,
    /// The expected moves, the best one first; none when the game is over.
    pub(super) line: Vec<Move>,
}

impl Value {
    /// The same for the player who made the move that led here.
    fn before(mut self, mv: Move) -> Self {
        self.lead = -self.lead;
        self.depth = self.depth.saturating_add(u8::from(mv != Move::Pass));
        self.line.insert(0, mv);
        self
    }
}

/// Looks at positions.
#[derive(Debug)]
pub(super) struct Looker<'a> {
    /// Two parts: nothing but exact searches may write to the memory of exact searches.
    guessing: &'a mut [u64],
    solving: &'a mut [u64],
    interrupt: &'a Interrupt,
    clock: fn() -> u64,
    nodes: u64,
}

impl<'a> Looker<'a> {
    /// One with this memory, all zeros, and a clock that tells microseconds.
    pub(super) fn new(memory: &'a mut [u64], interrupt: &'a Interrupt, clock: fn() -> u64) -> Self {
        let (guessing, solving) = memory.split_at_mut(memory.len() / 2);
        Self { guessing, solving, interrupt, clock, nodes: 0 }
    }

    /// Positions looked at since the last call.
    pub(super) fn take_nodes(&mut self) -> u64 {
        std::mem::take(&mut self.nodes)
    }

    /// What a position is worth, looked at so many plies ahead, at least one. An interrupted look
    /// returns what it knows; `None` if that is nothing.
    pub(super) fn look(&mut self, game: &Othello, depth: u8) -> Option<Value> {
        if game.is_over() {
            let [own, other] =
                [game.turn(), game.turn().other()].map(|player| i32::from(game.score(player)));
            return Some(Value { lead: (own - other) * DISC, exact: true, depth: 0, line: vec![] });
        }
        if let Some(pass) = game.forced_pass() {
            return self.look(&after(game, pass), depth).map(|value| value.before(pass));
        }
        let depth = depth.clamp(1, MAX_DEPTH);
        if empty(game) > depth + EXACT {
            return self.guess(game, depth, most_nodes(depth));
        }
        let (first_depth, nodes) = BEFORE_EXACT;
        let guess = self.guess(game, depth.min(first_depth), nodes);
        self.solve(game).or(guess)
    }

    /// What a legal move is worth for the player who makes it.
    pub(super) fn look_at_move(&mut self, game: &Othello, mv: Move, depth: u8) -> Option<Value> {
        let depth = depth.saturating_sub(1);
        self.look(&after(game, mv), depth).map(|value| value.before(mv))
    }

    /// A search with the evaluation, iteration by iteration up to a depth.
    fn guess(&mut self, game: &Othello, depth: u8, nodes: u64) -> Option<Value> {
        let mut value = None;
        let stop = self.interrupt.flag();
        let mut meter = Meter::new(Budget { stop: Some(stop), ..Budget::nodes(nodes) });
        game.think(self.guessing, &mut meter, &mut |report| {
            // The search looks around now and then only; a short iteration may follow the last.
            if report.depth > depth && !report.exact {
                return;
            }
            let unit = if report.exact { DISC } else { 1 };
            value = Some(Value {
                lead: i32::from(report.score) * unit,
                exact: report.exact,
                depth: report.depth,
                line: report.line.to_vec(),
            });
            if report.depth >= depth {
                stop.store(true, Ordering::Relaxed);
            }
        });
        self.nodes += meter.nodes();
        value
    }

    /// The exact score; `None` if it is interrupted or takes too long.
    fn solve(&mut self, game: &Othello) -> Option<Value> {
        let stop = Some(self.interrupt.flag());
        let time: Option<(&dyn Clock, u64)> = Some((&self.clock, LONGEST));
        let mut meter = Meter::new(Budget { time, stop, ..Budget::UNLIMITED });
        let solution = game.solve(self.solving, &mut meter);
        self.nodes += meter.nodes();
        let solution = solution?;
        Some(Value {
            lead: i32::from(solution.score) * DISC,
            exact: true,
            depth: empty(game),
            line: solution.best.into_iter().collect(),
        })
    }
}

fn after(game: &Othello, mv: Move) -> Othello {
    let mut next = *game;
    next.play(mv);
    next
}

fn empty(game: &Othello) -> u8 {
    let discs = game.discs(Player::FIRST) | game.discs(Player::SECOND);
    (64 - discs.len()) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(text: &str, depth: u8) -> Value {
        let game = Othello::START.parse_position(text).unwrap();
        let interrupt = Interrupt::default();
        Looker::new(&mut [0; 1 << 14], &interrupt, || 0).look(&game, depth).unwrap()
    }

    #[test]
    fn the_depth_is_kept_and_reached() {
        let interrupt = Interrupt::default();
        let mut memory = [0; 1 << 14];
        let mut looker = Looker::new(&mut memory, &interrupt, || 0);
        for depth in 1..=9 {
            let value = looker.look(&Othello::START, depth).unwrap();
            assert_eq!((value.depth, value.exact), (depth, false));
            assert!(!value.line.is_empty() && looker.take_nodes() > 0);
        }
    }

    /// The first of the FFO's positions: 14 empty squares, and 18 discs for black by g8.
    const FFO_1: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";

    #[test]
    fn near_the_end_scores_are_exact() {
        let value = look(FFO_1, 4);
        assert_eq!((value.lead, value.exact, value.depth), (1800, true, 14));
        assert!(!look(FFO_1, 3).exact);
    }

    #[test]
    fn an_exact_score_that_takes_too_long_is_guessed() {
        use std::sync::atomic::AtomicU64;
        static NOW: AtomicU64 = AtomicU64::new(0);
        let clock = || NOW.fetch_add(LONGEST / 4, Ordering::Relaxed);
        let game = Othello::START.parse_position(FFO_1).unwrap();
        let interrupt = Interrupt::default();
        let value = Looker::new(&mut [0; 1 << 14], &interrupt, clock).look(&game, 4).unwrap();
        assert!(!value.exact && value.depth == 4, "{value:?}");
    }

    #[test]
    fn a_pass_and_a_finished_game_have_values() {
        let board = "-O".to_owned() + &"X".repeat(62);
        let value = look(&format!("{board} O"), 8);
        assert_eq!((value.lead, value.exact), (-6400, true));
        assert_eq!(value.line[0], Move::Pass);
        let value = look(&format!("{} O", "X".repeat(64)), 8);
        assert_eq!((value.lead, value.line), (-6400, vec![]));
    }

    #[test]
    fn an_interrupt_ends_searches_until_it_is_served() {
        let interrupt = Interrupt::default();
        let mut memory = [0; 1 << 14];
        let mut looker = Looker::new(&mut memory, &interrupt, || 0);
        interrupt.announce();
        interrupt.announce();
        assert!(looker.look(&Othello::START, MAX_DEPTH).is_none_or(|value| value.depth < 4));
        interrupt.serve();
        assert!(interrupt.is_waiting());
        interrupt.serve();
        assert_eq!(looker.look(&Othello::START, 5).map(|value| value.depth), Some(5));
    }
}
