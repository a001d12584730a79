//! `corvid replay`: plays the games of WTHOR files by Corvid's rules.

use std::fmt;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use corvid_core::game::Game;
use corvid_core::games::othello::{Illegal, Move, Othello};
use corvid_core::player::Player;
use corvid_core::square::Square;

use super::wthor::{self, Record, WrongFile};
use crate::args::ReplayArgs;
use crate::failure::Failure;
use crate::files;

/// The most bytes of a file: two million games.
const LARGEST: u64 = 128 * 1024 * 1024;

/// The bytes of a WTHOR file.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    files::read(path, LARGEST)
}

/// Replays the files and prints what is wrong in their games, a line for each that could be read, and
/// the total. What is printed there is only counted in the failure; a file that can't be read is named
/// in it.
pub(crate) fn run(args: &ReplayArgs) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut total = Counts::default();
    let mut unread = Vec::new();
    let mut faults = 0_u32;
    for path in &args.files {
        let name = path.display();
        let mut wrong = Vec::new();
        let counts = match read(path) {
            Ok(bytes) => {
                replay(&bytes, &mut |fault| wrong.push(fault)).map_err(|error| error.to_string())
            }
            Err(error) => Err(format!("cannot be read: {error}")),
        };
        faults += wrong.len() as u32;
        for fault in wrong {
            writeln!(out, "{name}: {fault}")?;
        }
        match counts {
            Ok(counts) => {
                total.add(counts);
                writeln!(out, "{name}: {counts}")?;
            }
            Err(why) => unread.push(format!("{name}: {why}")),
        }
    }
    writeln!(out, "total: {total}")?;
    out.flush()?;
    if faults > 0 {
        unread.push(format!("faults in the games, listed on standard output: {faults}"));
    }
    match &unread[..] {
        [] => Ok(()),
        wrong => Err(Failure::Other(wrong.join("; "))),
    }
}

/// How many games of a file, or of all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Counts {
    games: u32,
    legal: u32,
    /// Legal ones that were played to the end.
    complete: u32,
    /// Complete ones that end with the recorded score.
    agreeing: u32,
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.games += other.games;
        self.legal += other.legal;
        self.complete += other.complete;
        self.agreeing += other.agreeing;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, legal, complete, agreeing } = self;
        write!(f, "{games} games, {legal} legal, {complete} complete, {agreeing} with the ")?;
        f.write_str("recorded score")
    }
}

/// What is wrong with a game; records and moves are counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fault {
    record: u32,
    number: usize,
    cause: Cause,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// The byte stands for no square.
    NoSquare(u8),
    /// The move breaks a rule.
    Illegal(Square, Illegal),
    /// The game ends with another score than the recorded one.
    Score { played: u8, recorded: u8 },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { record, number, cause } = self;
        write!(f, "record {record}, ")?;
        match cause {
            Cause::NoSquare(byte) => write!(f, "move {number}: {byte} is not a square"),
            Cause::Illegal(square, why) => write!(f, "move {number} ({square}): {why}"),
            Cause::Score { played, recorded } => {
                write!(f, "after move {number}: black has {played}, the record says {recorded}")
            }
        }
    }
}

/// Replays the games of a file and tells what is wrong with them.
fn replay(file: &[u8], tell: &mut dyn FnMut(Fault)) -> Result<Counts, WrongFile> {
    let mut counts = Counts::default();
    for record in wthor::records(file)? {
        counts.games += 1;
        let mut fault = |number, cause| tell(Fault { record: counts.games, number, cause });
        match play(&record, &mut |_| {}) {
            Err((number, cause)) => fault(number, cause),
            Ok(end) => {
                counts.legal += 1;
                if let Some(played) = black_score(&end) {
                    counts.complete += 1;
                    if played == record.score {
                        counts.agreeing += 1;
                    } else {
                        let recorded = record.score;
                        fault(record.moves().len(), Cause::Score { played, recorded });
                    }
                }
            }
        }
    }
    Ok(counts)
}

/// Calls `visit` with the positions of each game in which a player moves; or says which game is
/// the first with an illegal move, and why.
pub(crate) fn for_each_game(file: &[u8], mut visit: impl FnMut(&[Othello])) -> Result<(), String> {
    let mut positions = Vec::new();
    for (record, game) in (1..).zip(wthor::records(file).map_err(|why| why.to_string())?) {
        positions.clear();
        play(&game, &mut |position| positions.push(*position))
            .map_err(|(number, cause)| Fault { record, number, cause }.to_string())?;
        visit(&positions);
    }
    Ok(())
}

/// The position after the moves, with a call of `visit` before each; or the number of the first
/// one that is wrong, and why.
fn play(record: &Record<'_>, visit: &mut dyn FnMut(&Othello)) -> Result<Othello, (usize, Cause)> {
    let mut game = Othello::START;
    for (number, &byte) in (1..).zip(record.moves()) {
        let square = wthor::square(byte).ok_or((number, Cause::NoSquare(byte)))?;
        if let Some(pass) = game.forced_pass() {
            game.play(pass);
        }
        let mv = Move::Disc(square);
        game.check(mv).map_err(|why| (number, Cause::Illegal(square, why)))?;
        visit(&game);
        game.play(mv);
    }
    Ok(game)
}

/// Black's discs with the empty squares counted for the winner, half of them in a draw; `None` if
/// the game isn't over.
fn black_score(game: &Othello) -> Option<u8> {
    let [black, white] = [Player::FIRST, Player::SECOND].map(|player| game.score(player));
    let score = if black == white { 32 } else { black };
    game.is_over().then_some(score as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::wthor::file;
    use corvid_core::choice::random;
    use corvid_core::mix::Rng;
    use corvid_core::search::Think;
    use corvid_core::search::budget::{Budget, Meter};

    /// A game that the search plays against itself after a first move, and black's score.
    fn self_play(first: &str, nodes: u64) -> (u8, Vec<Square>) {
        let (mut game, mut squares) = (Othello::START, Vec::new());
        let mut next = Some(game.parse_move(first).unwrap());
        while let Some(mv) = next {
            if let Move::Disc(square) = mv {
                squares.push(square);
            }
            game.play(mv);
            next = game.think(&mut [0; 256], &mut Meter::new(Budget::nodes(nodes)), &mut |_| {});
        }
        (black_score(&game).unwrap(), squares)
    }

    fn faults(file: &[u8]) -> (Counts, Vec<String>) {
        let mut faults = Vec::new();
        let counts = replay(file, &mut |fault| faults.push(fault.to_string())).unwrap();
        (counts, faults)
    }

    fn squares(text: &str) -> Vec<Square> {
        text.split(' ').filter_map(Square::parse).collect()
    }

    #[test]
    fn games_of_the_search_are_legal_and_end_as_recorded() {
        let mut games: Vec<_> =
            ["f5", "d3", "c4", "e6"].map(|first| self_play(first, 50)).into_iter().collect();
        games.push((20, squares("f5 d6 c3")));
        let counts = Counts { games: 5, legal: 5, complete: 4, agreeing: 4 };
        assert_eq!(faults(&file(&games)), (counts, vec![]), "the last one was given up");
        assert_eq!(counts.to_string(), "5 games, 5 legal, 4 complete, 4 with the recorded score");
    }

    /// Black takes every white disc with the ninth move; 13 discs are on the board.
    const WIPE_OUT: &str = "e6 f4 e3 f6 g5 d6 e7 f5 c5";

    #[test]
    fn empty_squares_are_the_winners_and_nobody_plays_on_after_the_end() {
        assert_eq!(faults(&file(&[(64, squares(WIPE_OUT))])).1, Vec::<String>::new());
        let longer = squares(&format!("{WIPE_OUT} a1"));
        assert_eq!(faults(&file(&[(64, longer)])).1, ["record 1, move 10 (a1): the game is over"]);
    }

    #[test]
    fn what_is_wrong_is_named_with_record_and_move() {
        let (score, mut moves) = self_play("f5", 50);
        let last = moves.len();
        let good = (score, moves.clone());
        let other = (score ^ 1, moves.clone());
        moves[2] = Square::parse("a1").unwrap();
        let mut bytes = file(&[good.clone(), other, (score, moves), good.clone(), good]);
        let move_of = |record: usize, number: usize| 16 + 68 * (record - 1) + 8 + number - 1;
        bytes[move_of(4, 2)] = 99;
        bytes[move_of(5, 3)] = 0;
        let (counts, faults) = faults(&bytes);
        assert_eq!(counts, Counts { games: 5, legal: 2, complete: 2, agreeing: 1 });
        assert_eq!(
            faults,
            [
                format!(
                    "record 2, after move {last}: black has {score}, the record says {}",
                    score ^ 1
                ),
                "record 3, move 3 (a1): a disc on a1 turns nothing over".into(),
                "record 4, move 2: 99 is not a square".into(),
                "record 5, move 3: 0 is not a square".into(),
            ]
        );
    }

    #[test]
    fn a_draw_gives_each_player_half_of_the_empty_squares() {
        let end = |seed| {
            let (mut game, mut rng) = (Othello::START, Rng::new(seed));
            while let Some(mv) = random(&game, &mut rng) {
                game.play(mv);
            }
            game
        };
        let [black, white] = [Player::FIRST, Player::SECOND];
        let is_early_draw =
            |game: &Othello| game.score(black) == game.score(white) && game.score(black) < 32;
        let draw = (0..).map(end).find(is_early_draw).unwrap();
        assert_eq!(black_score(&draw), Some(32), "{draw:?}");
        assert_eq!(black_score(&Othello::START), None, "it is not over");
    }
}
