//! Levels play another opening with another seed, not only a mirror image of it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fmt::Debug;

use corvid_core::any::AnyGame;
use corvid_core::bots::BotIndex;
use corvid_core::engine::{Engine, Level, Limit, Opponent, Thinking};
use corvid_core::games::adjacency::Adjacency;
use corvid_core::games::blokus::{self, Classic, Duo};
use corvid_core::games::dots::Dots;
use corvid_core::games::othello::{self, Othello};
use corvid_core::mix::Rng;
use corvid_core::registry::GameKind;
use corvid_core::search::budget::{Budget, Meter};
use corvid_core::setup::Setup;
use corvid_core::square::Square;
use corvid_firmware::profile::{LM3S6965EVB, PICO};

const SEEDS: u64 = 6;
const DIFFERENT: usize = 4;
const PLIES: usize = 8;

/// What a move covers: points (x, y) on a grid that the symmetries of the board map to itself.
type Points = Vec<(u8, u8)>;

/// A symmetry of a square: `x` and `y` from the other side, then `x` and `y` exchanged.
#[derive(Debug, Clone, Copy)]
struct Symmetry {
    other_x: bool,
    other_y: bool,
    exchanged: bool,
}

impl Symmetry {
    fn all() -> impl Iterator<Item = Self> {
        (0..8).map(|n| Self { other_x: n & 1 != 0, other_y: n & 2 != 0, exchanged: n & 4 != 0 })
    }

    /// Whether both diagonals stay where they are.
    fn keeps_diagonals(&self) -> bool {
        self.other_x == self.other_y
    }

    /// The image on a grid whose highest coordinate is `last`.
    fn image(self, points: &Points, last: u8) -> Points {
        let mut image: Points = (points.iter())
            .map(|&(x, y)| {
                let x = if self.other_x { last - x } else { x };
                let y = if self.other_y { last - y } else { y };
                if self.exchanged { (y, x) } else { (x, y) }
            })
            .collect();
        image.sort();
        image
    }
}

/// A game with the symmetries of its start.
trait Symmetric: Engine<Move: Debug> {
    const KIND: GameKind;
    const LAST: u8;

    fn points(&self, mv: Self::Move) -> Points;
    fn keeps_the_start(symmetry: Symmetry) -> bool;
}

fn square(square: Square) -> Points {
    vec![(square.index() % 8, square.index() / 8)]
}

impl Symmetric for Othello {
    const KIND: GameKind = GameKind::Othello;
    const LAST: u8 = 7;

    fn points(&self, mv: othello::Move) -> Points {
        match mv {
            othello::Move::Disc(at) => square(at),
            othello::Move::Pass => Points::new(),
        }
    }

    fn keeps_the_start(symmetry: Symmetry) -> bool {
        symmetry.keeps_diagonals()
    }
}

impl Symmetric for Adjacency {
    const KIND: GameKind = GameKind::Adjacency;
    const LAST: u8 = 7;

    fn points(&self, mv: Square) -> Points {
        square(mv)
    }

    /// Also if the players' marks change places: whose they are matters to no later mark.
    fn keeps_the_start(symmetry: Symmetry) -> bool {
        symmetry.keeps_diagonals()
    }
}

impl Symmetric for Dots {
    const KIND: GameKind = GameKind::Dots;
    /// Lines by their middle, in halves of a line.
    const LAST: u8 = 10;

    fn points(&self, mv: corvid_core::games::dots::Line) -> Points {
        let (a, b) = self.size().dots(mv);
        vec![(a.1 + b.1, a.0 + b.0)]
    }

    fn keeps_the_start(_: Symmetry) -> bool {
        true
    }
}

fn cells(mv: blokus::Move) -> Points {
    match mv {
        blokus::Move::Place(placement) => placement.cells().collect(),
        blokus::Move::Pass => Points::new(),
    }
}

impl Symmetric for Duo {
    const KIND: GameKind = GameKind::BlokusDuo;
    const LAST: u8 = Self::SIDE - 1;

    fn points(&self, mv: blokus::Move) -> Points {
        cells(mv)
    }

    /// The start squares are on a diagonal and belong to one player each.
    fn keeps_the_start(symmetry: Symmetry) -> bool {
        !symmetry.other_x && !symmetry.other_y
    }
}

impl Symmetric for Classic {
    const KIND: GameKind = GameKind::BlokusClassic;
    const LAST: u8 = Self::SIDE - 1;

    fn points(&self, mv: blokus::Move) -> Points {
        cells(mv)
    }

    /// The colours follow each other around the board.
    fn keeps_the_start(symmetry: Symmetry) -> bool {
        !symmetry.other_x && !symmetry.other_y && !symmetry.exchanged
    }
}

/// The first plies of a game.
fn opening<G: Symmetric>(mut choose: impl FnMut(&G) -> Option<G::Move>) -> Vec<Points> {
    let mut game = G::start(Setup::usual(G::KIND).options());
    let plies = (0..PLIES).map(|_| {
        let mv = choose(&game).unwrap();
        let points = game.points(mv);
        game.play(mv);
        points
    });
    plies.collect()
}

/// One of an opening's mirror images, the same for all of them.
fn representative<G: Symmetric>(moves: Vec<Points>) -> Vec<Points> {
    Symmetry::all()
        .filter(|symmetry| G::keeps_the_start(*symmetry))
        .map(|symmetry| moves.iter().map(|points| symmetry.image(points, G::LAST)).collect())
        .min()
        .unwrap()
}

/// The opponent's move, without a limit of time.
fn answer<G: Engine>(
    game: &G,
    opponent: Opponent<BotIndex>,
    memory: &mut [u64],
    rng: &mut Rng,
) -> Option<G::Move> {
    let (micros, deadline) = (u64::MAX, u64::MAX);
    let mut thinking =
        Thinking { memory, rng, clock: &|| 0, micros, deadline, stop: None, helper: None };
    game.decode(AnyGame::choose(game, opponent, &mut thinking, &mut |_| {})?)
}

/// Fails unless six seeds give four different openings at levels 5 to 8, and also without the moves
/// that these levels choose at random.
fn varies<G: Symmetric>() {
    for slots in [LM3S6965EVB.slots(), PICO.slots()] {
        for level in 5..=8 {
            let level = Level::new(level).unwrap();
            let nodes = G::LEVELS[usize::from(level.get()) - 1].nodes.unwrap();
            let played = different(|rng| {
                let mut memory = vec![0; slots];
                let level: Opponent<BotIndex> = Opponent::Level(level);
                representative::<G>(opening(|game: &G| answer(game, level, &mut memory, rng)))
            });
            let searched = different(|rng| {
                let mut memory = vec![0; slots];
                representative::<G>(opening(|game: &G| {
                    let mut meter = Meter::new(Budget::nodes(nodes));
                    game.best(&mut memory, &mut meter, rng, true, &mut |_| {})
                }))
            });
            let name = G::INFO.name;
            assert!(
                played >= DIFFERENT && searched >= DIFFERENT,
                "{name}, {level:?}, {slots} slots: {played} of {SEEDS}, {searched} without slips"
            );
        }
    }
}

/// How many different openings the seeds give; each seed gives the same one again.
fn different(play: impl Fn(&mut Rng) -> Vec<Points>) -> usize {
    let openings: BTreeSet<_> = (0..SEEDS).map(|seed| play(&mut Rng::new(seed))).collect();
    assert!(openings.contains(&play(&mut Rng::new(SEEDS - 1))), "not repeatable");
    openings.len()
}

/// An exact budget plays the same whatever the seed.
fn is_steady<G: Symmetric>() {
    let limit = Opponent::Limit(Limit::Nodes(500));
    let openings = different(|rng| {
        let mut memory = vec![0; LM3S6965EVB.slots()];
        opening::<G>(|game| answer(game, limit, &mut memory, rng))
    });
    assert_eq!(openings, 1, "{}", G::INFO.name);
}

#[test]
fn an_exact_budget_does_not_vary() {
    is_steady::<Othello>();
    is_steady::<Adjacency>();
    is_steady::<Dots>();
}

#[test]
fn othello_varies() {
    varies::<Othello>();
}

#[test]
fn adjacency_varies() {
    varies::<Adjacency>();
}

#[test]
fn dots_varies() {
    varies::<Dots>();
}

#[test]
fn duo_varies() {
    varies::<Duo>();
}

#[test]
fn classic_varies() {
    varies::<Classic>();
}
