//! The worst cases of the dissertation's complexity table, beside what games have.

use std::io::Write;

use corvid_core::engine::Engine;
use corvid_core::game::Game;
use corvid_core::games::blokus::{Blokus, Bot, Move, PIECES, Piece, PieceSet, Rows};
use corvid_core::mix::{Rng, mix_in};
use corvid_core::player::Player;

use super::{Bench, ask};
use crate::failure::Failure;

/// Games of each strategy, with one player of it in every seat.
const GAMES: u64 = 4;

const STRATEGIES: [Bot; 5] =
    [Bot::Corners, Bot::Largest, Bot::MaxMoves, Bot::MinMoves, Bot::Influence];

/// The largest figures of all positions.
#[derive(Debug, Default)]
struct Survey {
    /// Corners that one player of `corners` can play at: in games, and with the board to itself.
    corners: u32,
    corners_alone: u32,
    /// Placements of one piece, and of all pieces of all players.
    of_a_piece: u32,
    placements: u32,
    /// Squares of influence of all players.
    influence: u32,
    /// What max-min and influence count for the moves that they consider: placements and squares.
    moves: u64,
    counted_placements: u64,
    counted_squares: u64,
}

/// S4-23.
pub(super) fn table(out: &mut dyn Write, bench: &Bench) -> Result<(), Failure> {
    let boards = [Survey::of::<2, 8>(bench), Survey::of::<4, 20>(bench)];
    writeln!(
        out,
        "## S4-23: how much the strategies have to count\n\n\
         The dissertation calculates worst cases for Blokus Duo from the most corners that its \
         Corners strategy ever had, with the board to itself: 42, and 63 in Classic. The \
         measured figures are the largest in {} games on each board, {GAMES} each of `corners`, \
         `largest`, `max-moves`, `min-moves` and `influence` against itself. The last rows are \
         means over all moves that a strategy considers there: max-min counts the placements that \
         all players have after the move, influence their squares of influence.\n\n\
         | | published | Duo | Classic |\n|---|---:|---:|---:|",
        GAMES * STRATEGIES.len() as u64
    )?;
    let mut row =
        |what: &str, published: &str, measured: &dyn Fn(&Survey) -> f64, places: usize| {
            let [duo, classic] = boards.each_ref().map(measured);
            writeln!(out, "| {what} | {published} | {duo:.places$} | {classic:.places$} |")
        };
    let pieces = || PieceSet::ALL.iter();
    let size = pieces().map(Piece::size).max().unwrap_or(0);
    let orientations = pieces().map(|piece| piece.orientations().count()).max().unwrap_or(0);
    row("pieces", "21", &|_| pieces().count() as f64, 0)?;
    row("squares of a piece", "5", &|_| size.into(), 0)?;
    row("orientations of a piece", "8", &|_| orientations as f64, 0)?;
    row("corners of a player of `corners`", "", &|board| board.corners.into(), 0)?;
    row(
        "the same with the board to itself",
        "42, Classic 63",
        &|board| board.corners_alone.into(),
        0,
    )?;
    row("placements of one piece", "336", &|board| board.of_a_piece.into(), 0)?;
    row(
        "placements of all players (`count_possible_moves_all`)",
        "2,963,520",
        &|board| board.placements.into(),
        0,
    )?;
    row(
        "squares of influence, summed over the players (`all_update_influence`)",
        "1,764",
        &|board| board.influence.into(),
        0,
    )?;
    row(
        "ratio of these two",
        "1680",
        &|board| f64::from(board.placements) / f64::from(board.influence),
        1,
    )?;
    row("placements counted by max-min for a move", "", &|board| board.placements_per_move(), 0)?;
    row("squares counted by influence for a move", "", &|board| board.squares_per_move(), 0)?;
    row(
        "ratio of these two",
        "",
        &|board| board.placements_per_move() / board.squares_per_move(),
        1,
    )?;
    Ok(writeln!(
        out,
        "\nThe published ratio is one of two products of worst cases, in which every piece goes to \
         every corner in every orientation; few of those placements are legal, and a program that \
         counts only the legal ones has far less to do.\n"
    )?)
}

impl Survey {
    fn of<const PLAYERS: usize, const WORDS: usize>(bench: &Bench) -> Self
    where
        Blokus<PLAYERS, WORDS>: Engine<Bot = Bot> + Game<Move = Move>,
    {
        let mut survey = Self::default();
        for number in 0..GAMES {
            let rng = || Rng::new(mix_in(bench.seed, number));
            for bot in STRATEGIES {
                let (mut game, mut rng) = (Blokus::<PLAYERS, WORDS>::default(), rng());
                while let Some(mv) = ask(&game, bot, &mut rng) {
                    if bot == Bot::Corners {
                        let corners = Player::all(PLAYERS).map(|p| game.attach_points(p).count());
                        survey.corners = survey.corners.max(corners.max().unwrap_or(0));
                    }
                    survey.look(&game);
                    game.play(mv);
                }
            }
            let (mut game, mut rng) = (Blokus::<PLAYERS, WORDS>::default(), rng());
            while let Some(mv @ Move::Place(_)) = ask(&game, Bot::Corners, &mut rng) {
                game.play(mv);
                game = game.with_turn(Player::FIRST);
                let corners = game.attach_points(Player::FIRST).count();
                survey.corners_alone = survey.corners_alone.max(corners);
            }
        }
        survey
    }

    fn look<const PLAYERS: usize, const WORDS: usize>(&mut self, game: &Blokus<PLAYERS, WORDS>) {
        let sum = |game: &Blokus<PLAYERS, WORDS>,
                   count: fn(&Blokus<PLAYERS, WORDS>, Player) -> u32| {
            Player::all(PLAYERS).map(|player| count(game, player)).sum::<u32>()
        };
        self.placements = self.placements.max(sum(game, Blokus::count_placements));
        self.influence = self.influence.max(sum(game, influence));
        let mut of_a_piece = [0; PIECES];
        game.for_each_placement(game.pieces_left(game.turn()), &mut |placement| {
            of_a_piece[placement.orientation.piece().index()] += 1;
            let mut after = *game;
            after.play(Move::Place(placement));
            self.moves += 1;
            self.counted_placements += u64::from(sum(&after, Blokus::count_placements));
            self.counted_squares += u64::from(sum(&after, influence));
        });
        self.of_a_piece = of_a_piece.into_iter().fold(self.of_a_piece, u32::max);
    }

    fn placements_per_move(&self) -> f64 {
        self.counted_placements as f64 / self.moves.max(1) as f64
    }

    fn squares_per_move(&self) -> f64 {
        self.counted_squares as f64 / self.moves.max(1) as f64
    }
}

/// How many free squares lie around the corners that a player can play at: in the 5x5 squares around
/// one, without its corners and its middle.
fn influence<const PLAYERS: usize, const WORDS: usize>(
    game: &Blokus<PLAYERS, WORDS>,
    player: Player,
) -> u32 {
    let side = usize::from(Blokus::<PLAYERS, WORDS>::SIDE);
    // With two empty rows above and below.
    let rows = |set: &Rows<WORDS>| {
        let mut rows = vec![0u32; side + 4];
        for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
            rows[y + 2] |= u32::from(set.has(x as u8, y as u8)) << (x + 2);
        }
        rows
    };
    let (corners, free) = (rows(&game.attach_points(player)), rows(&!game.occupied()));
    let beside = |row: u32| row << 1 | row >> 1;
    let wide = |row: u32| beside(row) | row << 2 | row >> 2;
    let around = |y: usize| {
        let (next, far) = (corners[y - 1] | corners[y + 1], corners[y - 2] | corners[y + 2]);
        wide(corners[y]) | wide(next) | next | beside(far) | far
    };
    (2..side + 2).map(|y| (around(y) & free[y]).count_ones()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use corvid_core::games::blokus::Duo;

    /// Around the four corners of a single square: 7x7 without its corners and the square itself.
    #[test]
    fn influence_lies_around_the_corners() {
        let mut game = Duo::default();
        for text in ["e10", "j5"] {
            game.play(game.parse_move(text).unwrap());
        }
        assert_eq!(influence(&game, Player::FIRST), 44);
    }

    #[test]
    fn a_survey_of_the_first_position() {
        let mut survey = Survey::default();
        survey.look(&Duo::default());
        // 414 first moves of either player. A piece has up to eight orientations, and covers its
        // start square with any of five squares.
        assert_eq!((survey.moves, survey.placements, survey.of_a_piece), (414, 828, 40));
        assert_eq!(survey.influence, 40);
    }
}
