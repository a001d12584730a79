//! Hill climbing for the positions in which the computers recurse deepest: `cargo run -p corvid-tests
//! --bin climb -- --help`. The test `deepest` sets what it found on the emulated board.
//!
//! A position is a list of moves. Some of them are taken out, drawn again or added, and the change is kept
//! if whoever thinks about the position then goes no less deep. That is seen by the clock, which a
//! search looks at every few nodes: by how many places on the host's stack it is looked at from, since
//! each level of a recursion has its own, and by how deep the deepest one lies. Everything is decided by
//! a seed.
use anyhow::{Context, Result, anyhow};
use corvid_core::{
    any::random_code,
    engine::{Limit, Opponent},
    game::{MoveCode, Notation},
    mix::{Rng, mix_in},
    registry::{Bot, GameKind},
    search::budget::Clock,
    session::Match,
    setup::Setup,
    thinker::{Answer, MAX_PERFT_DEPTH, Question, Task, Thinker, Watch},
};
use corvid_firmware::profile::LM3S6965EVB;
use std::{
    backtrace::Backtrace,
    cell::{Cell, RefCell},
    collections::BTreeSet,
    fmt,
    hint::black_box,
    str::FromStr,
    sync::atomic::{AtomicBool, Ordering},
};

/// Where the test `deepest` finds what was found.
pub const DATA: &str = "tests/data/deepest.txt";

/// Board seconds of the search for a position, at the keys' usual setting.
const SECONDS: u64 = 2;

/// Positions of random games of which the best one is climbed from.
const STARTS: u32 = 8;

/// In half of the games that positions come from, one move in so many is random.
const STRAY: u32 = 8;

/// Near the end of a game, in moves.
const LATE: u32 = 12;

/// Changes in a row that lead no deeper, after which it starts anew.
const PATIENCE: u32 = 50;

/// Changes of a list of moves at a time, at most.
const CHANGES: u32 = 3;

/// The most empty squares that a board solves in Othello; a PC solves more.
const MOST_EMPTY: usize = 24;

/// The rounds of Blokus Duo in which `hybrid` ranks moves. Then it searches.
const RANKED_ROUNDS: usize = 16;

/// Nodes between two looks at the clock, at most.
const LOOK: u64 = 16;

/// Who thinks about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// The search, as level 9.
    Level,
    /// A bot.
    Bot(Bot),
    /// The exact solver.
    Solve,
    /// The count of move sequences.
    Perft,
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level => f.write_str("level 9"),
            Self::Bot(bot) => write!(f, "bot {bot}"),
            Self::Solve => f.write_str("solve"),
            Self::Perft => write!(f, "perft {MAX_PERFT_DEPTH}"),
        }
    }
}

impl Asked {
    /// By the words of the display.
    fn named(kind: GameKind, text: &str) -> Option<Self> {
        Some(match text.split_once(' ') {
            Some(("level", _)) => Self::Level,
            Some(("bot", name)) => Self::Bot(Bot::from_name(kind, name)?),
            Some(("perft", _)) => Self::Perft,
            _ if text == "solve" => Self::Solve,
            _ => return None,
        })
    }
}

/// Games with their options, and who thinks: all that recurses.
const CLIMBS: [(&str, &[&str]); 8] = [
    ("othello", &["level 9", "solve", "bot positional", "bot positional-adaptive"]),
    ("adjacency", &["level 9", "solve", "bot minimax", "bot minimax:seed"]),
    // Each width of the solver's words, and the largest board.
    ("dots 3x4", &["level 9", "solve", "bot chain-minimax"]),
    ("dots 5x5", &["level 9", "solve", "bot chain-minimax:seed"]),
    ("dots 7x7", &["level 9", "solve"]),
    ("dots 10x10", &["level 9", "solve", "bot chain-minimax"]),
    ("blokus-duo", &["level 9", "bot alpha-beta", "bot hybrid", "bot hybrid:seed", "perft 12"]),
    ("blokus-classic", &["level 9", "bot hybrid", "bot hybrid:seed", "perft 12"]),
];

/// All climbs.
pub fn climbs() -> Result<Vec<(Setup, Asked)>> {
    let mut all = Vec::new();
    for (setup, players) in CLIMBS {
        let setup = setup_named(setup)?;
        for player in players {
            let asked = Asked::named(setup.kind(), player);
            all.push((setup, asked.with_context(|| format!("{setup} has no {player}"))?));
        }
    }
    Ok(all)
}

/// A game with its options, by the words of its display.
fn setup_named(text: &str) -> Result<Setup> {
    let mut words = text.split(' ');
    let kind = words.next().and_then(GameKind::from_name).with_context(|| text.to_owned())?;
    let setup = words.try_fold(Setup::usual(kind), |setup, word| setup.with_word(word));
    setup.with_context(|| format!("{text} is no game with options"))
}

/// A position and how deep a search of it went on the host: a line of [`DATA`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deep {
    /// The game.
    pub setup: Setup,
    /// Who thought.
    pub asked: Asked,
    /// How often the function that recursed most was on the stack.
    pub levels: usize,
    /// The function.
    pub function: String,
    /// Bytes of the host's stack.
    pub bytes: usize,
    /// The position's text.
    pub position: String,
}

impl fmt::Display for Deep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { setup, asked, levels, function, bytes, position } = self;
        write!(f, "{setup} | {asked} | {levels} {function} | {bytes} | {position}")
    }
}

impl FromStr for Deep {
    type Err = anyhow::Error;

    fn from_str(line: &str) -> Result<Self> {
        let parts: Vec<_> = line.split(" | ").collect();
        let [setup, asked, recursion, bytes, position] = parts[..] else {
            return Err(anyhow!("not five parts: {line}"));
        };
        let setup = setup_named(setup)?;
        let asked = Asked::named(setup.kind(), asked).with_context(|| line.to_owned())?;
        let (levels, function) = recursion.split_once(' ').with_context(|| line.to_owned())?;
        Ok(Self {
            setup,
            asked,
            levels: levels.parse()?,
            function: function.to_owned(),
            bytes: bytes.parse()?,
            position: position.to_owned(),
        })
    }
}

/// Reads the lines of [`DATA`].
pub fn read(text: &str) -> Result<Vec<Deep>> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(str::parse).collect()
}

/// A clock that stands still and notes how deep the stack is when somebody looks at it.
#[derive(Debug)]
struct Sounder {
    places: RefCell<BTreeSet<usize>>,
    looks: Cell<u64>,
    /// Ends the search after so many looks.
    most: u64,
    stop: AtomicBool,
    /// The functions on the stack at each place, if they are wanted.
    traces: Option<RefCell<Vec<Backtrace>>>,
}

impl Sounder {
    fn new(most: u64, traced: bool) -> Self {
        Self {
            places: RefCell::new(BTreeSet::new()),
            looks: Cell::new(0),
            most,
            stop: AtomicBool::new(false),
            traces: traced.then(RefCell::default),
        }
    }
}

impl Clock for Sounder {
    #[inline(never)]
    fn micros(&self) -> u64 {
        let here = 0u8;
        let address = std::ptr::from_ref(black_box(&here)).addr();
        let is_new = self.places.borrow_mut().insert(address);
        self.looks.set(self.looks.get() + 1);
        if self.looks.get() >= self.most {
            self.stop.store(true, Ordering::Relaxed);
        }
        if is_new && let Some(traces) = &self.traces {
            traces.borrow_mut().push(Backtrace::force_capture());
        }
        0
    }
}

/// The function of the project that is on a stack most often, without its path, and how often.
fn recursion(trace: &str) -> (usize, String) {
    let mut counts: Vec<(String, usize)> = Vec::new();
    // From the innermost outwards: `  12: corvid_games::search::pvs::Search::node`.
    for line in trace.lines() {
        let Some((number, name)) = line.trim_start().split_once(": ") else { continue };
        if number.parse::<u32>().is_err() || !name.contains("corvid") {
            continue;
        }
        match counts.iter_mut().find(|(other, _)| other == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name.to_owned(), 1)),
        }
    }
    // Of equals, the innermost.
    let most = counts.into_iter().rev().max_by_key(|(_, count)| *count);
    let (name, count) = most.unwrap_or_default();
    let parts: Vec<_> = name.split("::").filter(|part| !part.starts_with("{closure")).collect();
    let name = parts[parts.len().saturating_sub(2)..].join("::");
    if count > 1 { (count, name) } else { (count, "without recursion".into()) }
}

/// Climbs. One thinker with the memory of the board thinks about all positions.
#[derive(Debug)]
pub struct Climber {
    thinker: Thinker<'static>,
    rng: Rng,
    seed: u64,
    /// Positions that were tried.
    pub tried: u64,
}

/// How deep thinking went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Depth {
    /// Places on the stack that the clock was looked at from.
    places: usize,
    /// Bytes to the deepest one.
    bytes: usize,
}

/// What is climbed for; of two that are equal in it, the other counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Aim {
    Places,
    Bytes,
}

impl Aim {
    const fn of(self, Depth { places, bytes }: Depth) -> (usize, usize) {
        match self {
            Self::Places => (places, bytes),
            Self::Bytes => (bytes, places),
        }
    }
}

/// A legal position with the moves to it, and how deep thinking about it goes.
#[derive(Debug, Clone)]
struct Found {
    game: Match,
    depth: Depth,
}

impl Climber {
    /// One whose choices a seed decides.
    pub fn new(seed: u64) -> Self {
        let thinker = Thinker::new(vec![0; LM3S6965EVB.slots()].leak());
        Self { thinker, rng: Rng::new(seed), seed, tried: 0 }
    }

    /// The deepest of so many positions and of those that are known: half of the tries climb by
    /// recursion, half by bytes. What was tried for another player makes no difference.
    pub fn climb(
        &mut self,
        setup: Setup,
        asked: Asked,
        tries: u32,
        known: &[Deep],
    ) -> Result<Vec<Deep>> {
        let name = format!("{setup} {asked}");
        self.rng = Rng::new(name.bytes().fold(self.seed, |seed, byte| mix_in(seed, byte.into())));
        let mut all: Vec<Deep> = Vec::new();
        if asked == Asked::Level {
            // What does not recurse may take more of a board's stack than of the host's.
            all.push(self.describe(&Match::new(setup), asked)?);
        }
        for deep in known.iter().filter(|deep| (deep.setup, deep.asked) == (setup, asked)) {
            let mut game = Match::new(setup);
            if !deep.position.is_empty() {
                game.set_position(&deep.position).map_err(|why| anyhow!("{}", why.long()))?;
            }
            all.push(self.describe(&game, asked)?);
        }
        for aim in [Aim::Places, Aim::Bytes] {
            let mut left = tries / 2;
            let mut best: Option<Found> = None;
            while left > 0 {
                let found = self.ascend(setup, asked, aim, &mut left)?;
                best = best.into_iter().chain(found).max_by_key(|found| aim.of(found.depth));
            }
            if let Some(Found { game, .. }) = best {
                all.push(self.describe(&game, asked)?);
            }
        }
        // One for each function that recurses: positions may be deep in different ways.
        all.sort_by(|one, other| {
            let key = |deep: &Deep| (deep.levels, deep.bytes);
            one.function.cmp(&other.function).then(key(other).cmp(&key(one)))
        });
        all.dedup_by(|one, other| one.function == other.function);
        Ok(all)
    }

    /// Climbs from the best of a few games until nothing leads deeper.
    fn ascend(
        &mut self,
        setup: Setup,
        asked: Asked,
        aim: Aim,
        left: &mut u32,
    ) -> Result<Option<Found>> {
        let mut best: Option<Found> = None;
        let mut vain = 0;
        for trial in 0.. {
            if *left == 0 || vain > PATIENCE {
                break;
            }
            *left -= 1;
            vain += 1;
            let wishes = match &best {
                Some(best) if trial >= STARTS => self.changed(&best.game),
                _ => self.start(setup, asked)?,
            };
            let Some(found) = self.found(setup, &wishes, asked)? else { continue };
            if best.as_ref().is_none_or(|best| aim.of(found.depth) > aim.of(best.depth)) {
                vain = 0;
            }
            // The last of equals is taken: one that is as deep may lead on.
            best = best.into_iter().chain([found]).max_by_key(|found| aim.of(found.depth));
        }
        Ok(best)
    }

    /// The moves of a game that a bot plays against itself, with or without random moves in between, up
    /// to any position, or to one near the end: some only come about when somebody plays well.
    fn start(&mut self, setup: Setup, asked: Asked) -> Result<Vec<Option<MoveCode>>> {
        let bots: Vec<_> = Bot::all(setup.kind()).collect();
        let bot = match asked {
            Asked::Bot(bot) if self.rng.below(2) == 0 => bot,
            _ => bots[self.rng.below(bots.len() as u32) as usize],
        };
        let strays = self.rng.below(2) == 0;
        let plies =
            if self.rng.below(2) == 0 { longest(setup) } else { self.rng.below(longest(setup)) };
        let mut game = Match::new(setup);
        let (clock, stop) = (&|| 0, &AtomicBool::new(false));
        for _ in 0..plies {
            let position = game.position().clone();
            let (opponent, micros) = (Opponent::Bot(bot), u64::MAX);
            let question = Question::Move { opponent, micros, deadline: u64::MAX };
            let task = Task { position, question, notation: Notation::Plain };
            self.thinker.seed(self.rng.next_u32().into());
            let answer = match self.rng.below(STRAY) {
                0 if strays => Ok(Answer::Move(random_code(game.now(), &mut self.rng))),
                _ => self.thinker.think(&task, Watch { clock, stop }, &mut |_| {}),
            };
            let Ok(Answer::Move(Some(mv))) = answer else { break };
            play(&mut game, mv)?;
        }
        let kept = game.plies().saturating_sub(self.rng.below(LATE) as usize);
        Ok((0..kept).map(|index| game.ply(index)).collect())
    }

    /// The moves of a game with a few changes; `None` stands for any move.
    fn changed(&mut self, game: &Match) -> Vec<Option<MoveCode>> {
        let plies = (0..game.plies()).filter_map(|index| game.ply(index));
        let mut wishes: Vec<_> = plies.filter(|mv| *mv != MoveCode::PASS).map(Some).collect();
        for _ in 0..=self.rng.below(CHANGES) {
            let at = self.rng.below(1 + wishes.len() as u32) as usize;
            match self.rng.below(4) {
                0 if at < wishes.len() => drop(wishes.remove(at)),
                1 if at < wishes.len() => wishes[at] = None,
                2 => wishes.insert(at, None),
                _ if self.rng.below(2) == 0 => wishes.push(None),
                _ => drop(wishes.pop()),
            }
        }
        wishes
    }

    /// The game of those moves that are legal, up to a position with a choice, and how deep thinking
    /// goes there; nothing where a board would not think.
    fn found(
        &mut self,
        setup: Setup,
        wishes: &[Option<MoveCode>],
        asked: Asked,
    ) -> Result<Option<Found>> {
        let mut game = Match::new(setup);
        for wish in wishes {
            while !game.is_over() && game.must_pass() {
                play(&mut game, MoveCode::PASS)?;
            }
            let Some(mv) = wish.or_else(|| random_code(game.now(), &mut self.rng)) else { break };
            if !game.is_over() && game.now().check(mv).is_ok() {
                play(&mut game, mv)?;
            }
        }
        while game.is_over() || game.now().count_moves() < 2 {
            if !game.undo() {
                return Ok(None);
            }
        }
        if !is_of_interest(&game, asked)? {
            return Ok(None);
        }
        self.tried += 1;
        let (depth, _) = self.sound(&game, asked, false);
        Ok(Some(Found { game, depth }))
    }

    /// How deep thinking goes, and if wanted, the function that recurses most.
    fn sound(&mut self, game: &Match, asked: Asked, traced: bool) -> (Depth, (usize, String)) {
        let nodes = SECONDS * game.kind().nodes_per_board_second();
        let moved = |opponent| Question::Move { opponent, micros: u64::MAX, deadline: u64::MAX };
        let (question, most) = match asked {
            Asked::Level => (moved(Opponent::Limit(Limit::Nodes(nodes))), u64::MAX),
            Asked::Bot(bot) => (moved(Opponent::Bot(bot)), u64::MAX),
            Asked::Solve => (Question::Solve { slots: usize::MAX, micros: u64::MAX }, nodes / LOOK),
            Asked::Perft => (Question::Perft(MAX_PERFT_DEPTH), nodes / LOOK),
        };
        let task = Task { position: game.position().clone(), question, notation: Notation::Plain };
        self.thinker.memory().fill(0);
        self.thinker.seed(1);
        let here = 0u8;
        let top = std::ptr::from_ref(black_box(&here)).addr();
        let sounder = Sounder::new(most, traced);
        let watch = Watch { clock: &sounder, stop: &sounder.stop };
        // Whether it comes to a result makes no difference.
        let _ = self.thinker.think(&task, watch, &mut |_| {});
        let places = sounder.places.take();
        let lowest = places.first().copied().unwrap_or(top);
        let traces = sounder.traces.map(RefCell::into_inner).unwrap_or_default();
        let most = traces.iter().map(|trace| recursion(&trace.to_string())).max();
        let depth = Depth { places: places.len(), bytes: top.saturating_sub(lowest) };
        (depth, most.unwrap_or_default())
    }

    fn describe(&mut self, game: &Match, asked: Asked) -> Result<Deep> {
        let (Depth { bytes, .. }, (levels, function)) = self.sound(game, asked, true);
        let mut position = String::new();
        game.write_position(&mut position)?;
        Ok(Deep { setup: game.setup(), asked, levels, function, bytes, position })
    }
}

/// Whether a board would recurse, where that is known beforehand.
fn is_of_interest(game: &Match, asked: Asked) -> Result<bool> {
    Ok(match (game.kind(), asked) {
        (GameKind::Othello, Asked::Solve) => {
            let mut text = String::new();
            game.write_position(&mut text)?;
            text.matches('-').count() <= MOST_EMPTY
        }
        // Before, its ranking takes more of the host's stack, and would be climbed for.
        (GameKind::BlokusDuo, Asked::Bot(bot)) if bot.name().starts_with("hybrid") => {
            let own = (0..game.plies()).skip(game.turn().index()).step_by(2);
            own.filter(|index| game.ply(*index) != Some(MoveCode::PASS)).count() >= RANKED_ROUNDS
        }
        _ => true,
    })
}

/// More moves than a game has, passes aside.
fn longest(setup: Setup) -> u32 {
    match setup.kind() {
        // The lines of a board, by its rows and columns.
        GameKind::Dots => {
            let [rows, columns] = setup.options().map(u32::from);
            rows * (columns + 1) + columns * (rows + 1)
        }
        GameKind::BlokusDuo => 42,
        GameKind::BlokusClassic => 84,
        _ => 60,
    }
}

fn play(game: &mut Match, mv: MoveCode) -> Result<()> {
    game.play_move(None, mv).map_err(|why| anyhow!("{}", why.long()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The small board of Dots and Boxes is solved from the start: more than a dozen lines in a row.
    #[test]
    fn a_climb_goes_deep_and_repeats_under_a_seed() -> Result<()> {
        let setup = setup_named("dots 3x4")?;
        let deep = Climber::new(1).climb(setup, Asked::Level, 20, &[])?;
        assert!(deep.iter().any(|deep| deep.levels > 12), "{deep:?}");
        assert_eq!(Climber::new(1).climb(setup, Asked::Level, 20, &deep)?, deep);
        for one in deep {
            assert_eq!(read(&format!("# a comment\n{one}\n"))?, [one]);
        }
        Ok(())
    }

    #[test]
    fn what_is_climbed_for_exists() -> Result<()> {
        let players = CLIMBS.iter().map(|(_, players)| players.len()).sum::<usize>();
        assert_eq!(climbs()?.len(), players);
        Ok(())
    }
}
