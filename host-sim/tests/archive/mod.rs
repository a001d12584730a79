//! WTHOR files for tests.

use corvid_core::choice::random;
use corvid_core::game::Game;
use corvid_core::games::othello::{Move, Othello};
use corvid_core::mix::Rng;
use corvid_core::player::Player;

/// A file of random games, with black's score and the moves as WTHOR has them.
pub(crate) fn archive(games: u32) -> Vec<u8> {
    let mut bytes = vec![20, 26, 11, 17];
    bytes.extend(games.to_le_bytes());
    bytes.extend([0, 0, 0xea, 7, 8, 0, 0, 0]);
    for seed in 0..games {
        let (mut game, mut rng, mut moves) = (Othello::START, Rng::new(seed.into()), vec![]);
        while let Some(mv) = random(&game, &mut rng) {
            if let Move::Disc(square) = mv {
                moves.push(10 * (square.index() / 8 + 1) + square.index() % 8 + 1);
            }
            game.play(mv);
        }
        let [black, white] = [Player::FIRST, Player::SECOND].map(|player| game.score(player));
        let score = if black == white { 32 } else { black as u8 };
        bytes.extend([0, 0, 1, 0, 2, 0, score, score]);
        moves.resize(60, 0);
        bytes.extend(moves);
    }
    bytes
}
