//! The positions that are measured: those of a few random games.

use corvid_games::choice::random;
use corvid_games::game::{Game, MAX_PLIES};
use corvid_games::mix::Rng;
use heapless::Vec;

/// Seeds of the games. The same ones on every core, and for good: other positions cost more or less.
const SEEDS: [u64; GAMES] = [1, 2, 3, 4];

/// How many games there are.
pub(crate) const GAMES: usize = 4;

/// Positions, each with the move that was made there.
type Plies<G> = Vec<(G, <G as Game>::Move), MAX_PLIES>;

/// Random games from the first move to the last.
pub(crate) struct Games<G: Game>([Plies<G>; GAMES]);

impl<G: Game> Games<G> {
    /// The games that begin with this position.
    pub(crate) fn of(start: &G) -> Self {
        Self(SEEDS.map(|seed| {
            let (mut game, mut rng, mut plies) = (start.clone(), Rng::new(seed), Vec::new());
            while let Some(mv) = random(&game, &mut rng) {
                assert!(plies.push((game.clone(), mv)).is_ok(), "a game has at most {MAX_PLIES}");
                game.play(mv);
            }
            plies
        }))
    }

    /// The games.
    pub(crate) fn games(&self) -> impl Iterator<Item = &[(G, G::Move)]> {
        self.0.iter().map(|plies| &plies[..])
    }

    /// All positions.
    pub(crate) fn positions(&self) -> impl Iterator<Item = &G> {
        self.0.iter().flatten().map(|(position, _)| position)
    }

    /// The positions after so many plies.
    pub(crate) fn after<const N: usize>(&self, plies: [usize; N]) -> impl Iterator<Item = &G> {
        self.0
            .iter()
            .flat_map(move |game| plies.into_iter().filter_map(move |ply| Some(&game.get(ply)?.0)))
    }

    /// The first position of each game that is wanted.
    pub(crate) fn first(&self, wanted: impl Fn(&G) -> bool) -> impl Iterator<Item = &G> {
        self.0.iter().filter_map(move |plies| {
            plies.iter().map(|(position, _)| position).find(|position| wanted(position))
        })
    }
}
