//! Who answers when a move is asked for: bots, levels, or the search with an exact budget.

use core::fmt;
use core::sync::atomic::AtomicBool;

use crate::bots::BotList;
use crate::game::{Game, Reason};
use crate::mix::Rng;
use crate::search::budget::{Budget, Clock, Meter};
use crate::search::helper::Helper;
use crate::search::{Report, Solution};
use crate::setup::{GameInfo, Options};

/// How strong the opponent is, 1 (for beginners) to 9.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

impl Level {
    /// The weakest.
    pub const MIN: Self = Self(1);
    /// The strongest: uses all the time it is given.
    pub const MAX: Self = Self(9);

    /// The level with this number, 1..=9.
    pub const fn new(level: u8) -> Option<Self> {
        if level >= Self::MIN.0 && level <= Self::MAX.0 { Some(Self(level)) } else { None }
    }

    /// The number.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Its place among the nine, from 0.
    const fn index(self) -> usize {
        // It is below 9 already; this tells the compiler.
        (self.0 - Self::MIN.0) as usize % Self::MAX.0 as usize
    }
}

/// How much the search does for a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// Positions looked at: the same play on every machine.
    Nodes(u64),
    /// Milliseconds.
    Millis(u32),
    /// What a board does in so many thousandths of a board second.
    BoardMillis(u32),
}

/// Who answers when a move is asked for; `B` is a bot of the game that is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opponent<B> {
    /// This bot.
    Bot(B),
    /// The search at one of nine strengths.
    Level(Level),
    /// The search with exactly this budget.
    Limit(Limit),
}

impl<B> Opponent<B> {
    /// The same with the bot as `find` knows it; `None` if it does not.
    pub fn try_map<C>(self, find: impl FnOnce(B) -> Option<C>) -> Option<Opponent<C>> {
        Some(match self {
            Self::Bot(bot) => Opponent::Bot(find(bot)?),
            Self::Level(level) => Opponent::Level(level),
            Self::Limit(limit) => Opponent::Limit(limit),
        })
    }
}

/// What makes a level: how far it looks, and how often it does not look at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Skill {
    /// Positions for a move; without a limit the time decides.
    pub nodes: Option<u64>,
    /// Of a hundred moves, how many are random instead.
    pub slips: u8,
}

/// What thinking about a move takes.
pub struct Thinking<'a> {
    /// Memory for the search; what an earlier move of the same game left in it is of use.
    pub memory: &'a mut [u64],
    /// Random choices.
    pub rng: &'a mut Rng,
    /// The time. It is looked at every few milliseconds, whatever the opponent.
    pub clock: &'a dyn Clock,
    /// Microseconds that a level may take for the move.
    pub micros: u64,
    /// Microseconds after which any opponent has to answer, whatever its budget.
    pub deadline: u64,
    /// Ends the thinking early; the best move so far counts.
    pub stop: Option<&'a AtomicBool>,
    /// A second processor.
    pub helper: Option<&'a dyn Helper>,
}

impl<'a> Thinking<'a> {
    /// So many positions and microseconds, within the deadline.
    pub(crate) fn budget(&self, nodes: u64, micros: u64) -> Budget<'a> {
        let time = Some((self.clock, micros.min(self.deadline)));
        Budget { nodes, time, stop: self.stop, helper: self.helper }
    }
}

#[cfg(test)]
impl<'a> Thinking<'a> {
    /// Without memory, time or an end.
    pub(crate) fn for_tests(rng: &'a mut Rng) -> Self {
        let deadline = u64::MAX;
        Self { memory: &mut [], rng, clock: &|| 0, micros: 0, deadline, stop: None, helper: None }
    }
}

impl fmt::Debug for Thinking<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Thinking").field("micros", &self.micros).finish_non_exhaustive()
    }
}

/// Why a position has no exact value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unsolved {
    /// The game has no solver.
    NoSolver,
    /// The budget was too small.
    Budget,
}

impl fmt::Display for Unsolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSolver => "this game has no exact solver",
            Self::Budget => "this position takes too long to solve",
        })
    }
}

impl Reason for Unsolved {
    fn short(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        out.write_str(match self {
            Self::NoSolver => "no exact solver",
            Self::Budget => "takes too long",
        })
    }
}

/// A game with its players and what is told about it: all that the registry needs.
pub trait Engine: Game {
    /// The game's bots.
    type Bot: BotList;
    /// What is told about the game.
    const INFO: GameInfo;
    /// What each option is about, for a command line's help.
    const OPTION_HELP: &'static [&'static str] = &[];
    /// Where the game and its bots come from, in a sentence or two. Not in [`INFO`](Self::INFO): a
    /// board has no room for it.
    const ABOUT: &'static str;
    /// The nine levels, weakest first. Slips were chosen so that each level wins about three games
    /// of four against the one below: `corvid reproduce levels` plays them.
    const LEVELS: [Skill; 9];
    /// What the search looks at in a board second with the memory of the LM3S6965:
    /// `cargo bench -p corvid-benches --bench board` measures it.
    const NODES_PER_BOARD_SECOND: u64;

    /// The start of a match with these options.
    fn start(options: Options) -> Self;

    /// The bot's move; `None` only when the game is over.
    fn bot_move(&self, bot: Self::Bot, thinking: &mut Thinking<'_>) -> Option<Self::Move>;

    /// The search's move; `None` only when the game is over. If `varied`, by lot among moves of
    /// nearly equal value.
    fn best(
        &self,
        memory: &mut [u64],
        meter: &mut Meter<'_>,
        rng: &mut Rng,
        varied: bool,
        report: &mut dyn FnMut(&Report<'_, Self::Move>),
    ) -> Option<Self::Move>;

    /// Works the position out, if the game has a solver and the budget reaches.
    fn solution(
        &self,
        _memory: &mut [u64],
        _meter: &mut Meter<'_>,
    ) -> Result<Solution<Self::Move>, Unsolved> {
        Err(Unsolved::NoSolver)
    }
}

/// What a level may do for a move; `None` if it slips and moves at random.
pub(crate) fn level_budget<'a>(
    levels: &[Skill; 9],
    level: Level,
    thinking: &mut Thinking<'a>,
) -> Option<Budget<'a>> {
    let Skill { nodes, slips } = levels[level.index()];
    let slipped = thinking.rng.below(100) < u32::from(slips);
    (!slipped).then(|| thinking.budget(nodes.unwrap_or(u64::MAX), thinking.micros))
}

/// What a limit allows.
pub(crate) fn limit_budget<'a>(limit: Limit, rate: u64, thinking: &Thinking<'a>) -> Budget<'a> {
    match limit {
        Limit::Nodes(nodes) => thinking.budget(nodes, u64::MAX),
        Limit::Millis(millis) => thinking.budget(u64::MAX, u64::from(millis) * 1000),
        Limit::BoardMillis(millis) => {
            thinking.budget(u64::from(millis).saturating_mul(rate) / 1000, u64::MAX)
        }
    }
}

/// Nine levels of a search: nodes and slips for the first eight, time alone for the ninth.
pub(crate) const fn levels(levels: [(u64, u8); 8]) -> [Skill; 9] {
    let mut skills = [Skill { nodes: None, slips: 0 }; 9];
    let mut level = 0;
    while level < levels.len() {
        skills[level] = Skill { nodes: Some(levels[level].0), slips: levels[level].1 };
        level += 1;
    }
    skills
}

/// The search and the solver of a game that implements `Think` and `Solve`, for its [`Engine`].
macro_rules! searched_and_solved {
    () => {
        fn best(
            &self,
            memory: &mut [u64],
            meter: &mut $crate::search::budget::Meter<'_>,
            rng: &mut $crate::mix::Rng,
            varied: bool,
            report: &mut dyn FnMut(&$crate::search::Report<'_, Self::Move>),
        ) -> Option<Self::Move> {
            use $crate::search::{Think, Variety};
            let variety = if varied { Variety::draw(rng, self.margin()) } else { Variety::NONE };
            self.think_varied(memory, meter, variety, report)
        }

        fn solution(
            &self,
            memory: &mut [u64],
            meter: &mut $crate::search::budget::Meter<'_>,
        ) -> Result<$crate::search::Solution<Self::Move>, $crate::engine::Unsolved> {
            let found = $crate::search::Solve::solve(self, memory, meter);
            found.ok_or($crate::engine::Unsolved::Budget)
        }
    };
}

pub(crate) use searched_and_solved;

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of a thousand moves are random with so many slips in a hundred.
    fn slips(slips: u8) -> usize {
        let levels = [Skill { nodes: Some(7), slips }; 9];
        let mut rng = Rng::new(1);
        let mut thinking = Thinking::for_tests(&mut rng);
        (0..1000).filter(|_| level_budget(&levels, Level::MIN, &mut thinking).is_none()).count()
    }

    #[test]
    fn a_level_slips_as_often_as_it_says() {
        assert_eq!(slips(0), 0);
        assert!((200..300).contains(&slips(25)), "{}", slips(25));
        assert!((970..1000).contains(&slips(99)), "{}", slips(99));
        assert_eq!(slips(100), 1000);
    }

    #[test]
    fn each_level_has_a_budget_of_its_own_and_the_last_one_has_its_time() {
        let levels = levels([1, 2, 3, 4, 5, 6, 7, 8].map(|level| (100 * level, 0)));
        let mut rng = Rng::new(1);
        let mut thinking = Thinking::for_tests(&mut rng);
        thinking.micros = 5_000;
        for number in 1..=9 {
            let level = Level::new(number).unwrap();
            let budget = level_budget(&levels, level, &mut thinking).unwrap();
            let nodes = if level == Level::MAX { u64::MAX } else { 100 * u64::from(number) };
            assert_eq!((level.get(), budget.nodes), (number, nodes));
            assert_eq!(budget.time.map(|(_, micros)| micros), Some(5_000));
        }
        assert_eq!((Level::new(0), Level::new(10)), (None, None));
    }

    #[test]
    fn limits_are_in_their_units_and_within_the_deadline() {
        let mut rng = Rng::new(1);
        let mut thinking = Thinking::for_tests(&mut rng);
        thinking.deadline = 1_000_000;
        // A board looks at 3000 positions in a second.
        for (limit, nodes, micros) in [
            (Limit::Nodes(7), 7, 1_000_000),
            (Limit::Millis(20), u64::MAX, 20_000),
            (Limit::Millis(2_000), u64::MAX, 1_000_000),
            (Limit::BoardMillis(500), 1500, 1_000_000),
        ] {
            let budget = limit_budget(limit, 3000, &thinking);
            assert_eq!(budget.nodes, nodes, "{limit:?}");
            assert_eq!(budget.time.map(|(_, micros)| micros), Some(micros), "{limit:?}");
        }
    }
}
