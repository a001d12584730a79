//! What the benchmarks share: the games that they count, and the conditions of matches.

use corvid_core::bots::random;
use corvid_core::game::Game;
use corvid_core::mix::Rng;
use corvid_core::registry::GameKind;
use corvid_firmware::profile::LM3S6965EVB;

/// A game and how many plies are counted: on a PC, and on a board, which is a thousand times
/// slower.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// The game, with its usual options.
    pub kind: GameKind,
    /// Plies on a PC.
    pub host_depth: u32,
    /// Plies on a board.
    pub board_depth: u32,
}

/// One case for each game.
pub const CASES: [Case; 5] = [
    Case { kind: GameKind::Othello, host_depth: 11, board_depth: 7 },
    Case { kind: GameKind::Adjacency, host_depth: 5, board_depth: 3 },
    Case { kind: GameKind::Dots, host_depth: 5, board_depth: 3 },
    Case { kind: GameKind::BlokusDuo, host_depth: 3, board_depth: 2 },
    Case { kind: GameKind::BlokusClassic, host_depth: 3, board_depth: 2 },
];

/// The games searched, with the nodes per move when boards are compared.
pub const SEARCHES: [(GameKind, u64); 4] = [
    (GameKind::Othello, 10_000),
    (GameKind::Adjacency, 10_000),
    (GameKind::Dots, 4_000),
    (GameKind::BlokusDuo, 1_000),
];

/// The memory of each player of a match unless stated otherwise, in KB: the LM3S6965's.
pub const MEMORY: usize = LM3S6965EVB.slots() * size_of::<u64>() / 1024;

/// Random plies before the players of a match take over.
pub const OPENING: u32 = 2;

/// Plays a match's opening: uniformly random moves, as `corvid arena --openings` does.
pub fn play_opening<G: Game>(game: &mut G, rng: &mut Rng) {
    for _ in 0..OPENING {
        if let Some(mv) = random(game, rng) {
            game.play(mv);
        }
    }
}

/// What docs/strength.md says of its matches.
pub fn match_conditions() -> String {
    format!(
        "All matches are played with {MEMORY} KB for each player, the board's memory, unless the row\n\
         says otherwise. They begin with {OPENING} random plies, and every opening is played once from\n\
         each seat."
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use corvid_core::games::blokus::Duo;
    use corvid_core::player::Player;

    #[test]
    fn the_page_says_what_its_matches_are_played_with() {
        assert!(include_str!("../../docs/strength.md").contains(&match_conditions()));
    }

    /// Greedy ones would all be of five squares.
    #[test]
    fn openings_are_random_not_greedy() {
        let sizes: Vec<i16> = (0..200)
            .map(|seed| {
                let mut game = Duo::default();
                play_opening(&mut game, &mut Rng::new(seed));
                game.score(Player::FIRST) - Duo::default().score(Player::FIRST)
            })
            .collect();
        assert!(sizes.iter().all(|size| (1..=5).contains(size)), "{sizes:?}");
        assert!(sizes.iter().any(|size| *size <= 3), "{sizes:?}");
    }
}
