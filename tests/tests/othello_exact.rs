//! Othello endgames with scores computed by other programs.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use corvid_core::game::Game;
use corvid_core::games::othello::{Move, Othello};
use corvid_core::search::Solve;
use corvid_core::search::budget::{Budget, Meter};

/// A position and the known scores of its moves, the best first.
struct Problem {
    game: Othello,
    scores: Vec<(Move, i16)>,
}

impl Problem {
    fn empty(&self) -> u32 {
        let player = self.game.turn();
        64 - (self.game.discs(player) | self.game.discs(player.other())).len()
    }
}

/// Reads lines such as `--XX...OO-- X; G8:+18; H1:+12;`.
fn problems(text: &str) -> Vec<Problem> {
    let problem = |line: &str| {
        let (position, rest) = line.split_once(';').unwrap();
        let game = Othello::START.parse_position(position).unwrap();
        let fields = rest.split(';').map(str::trim).filter(|field| !field.is_empty());
        let scores = fields.map(|field| {
            let (square, score) = field.split_once(':').unwrap();
            (game.parse_move(square).unwrap(), score.parse().unwrap())
        });
        Problem { game, scores: scores.collect() }
    };
    text.lines().filter(|line| !line.trim().is_empty()).map(problem).collect()
}

fn solve(problem: &Problem, memory: &mut [u64], name: &str) {
    let mut meter = Meter::new(Budget::UNLIMITED);
    let solution = problem.game.solve(memory, &mut meter).unwrap();
    assert_eq!(solution.score, problem.scores[0].1, "{name}");
    let best = problem.scores.iter().find(|(mv, _)| Some(*mv) == solution.best);
    assert_eq!(best.map(|(_, score)| *score), Some(solution.score), "{name}: best move");
}

#[test]
fn all_moves_of_the_first_suite_in_the_memory_of_a_board() {
    let suite = problems(include_str!("../data/fforum-1-19.obf"));
    assert_eq!(suite.len(), 19);
    let mut memory = vec![0; 24 * 1024 / 8];
    for (number, problem) in (1..).zip(&suite) {
        solve(problem, &mut memory, &format!("problem {number}"));
        for (mv, score) in &problem.scores {
            let mut meter = Meter::new(Budget::UNLIMITED);
            let found = problem.game.solve_move(*mv, &mut memory, &mut meter);
            assert_eq!(found, Some(*score), "problem {number} {mv:?}");
        }
    }
}

/// The rest of the suite takes longer and is part of the measurements.
#[test]
fn the_second_suite_up_to_19_empty_squares() {
    let suite = problems(include_str!("../data/fforum-20-39.obf"));
    assert_eq!(suite.len(), 20);
    let mut memory = vec![0; 1 << 20];
    let mut solved = 0;
    for (number, problem) in (20..).zip(&suite).filter(|(_, problem)| problem.empty() <= 19) {
        solve(problem, &mut memory, &format!("problem {number}"));
        solved += 1;
    }
    assert_eq!(solved, 6);
}

/// From games of a two-ply search with itself after ten random plies; the scores are this
/// project's own, so that a change shows.
#[test]
fn positions_of_ordinary_games() {
    for (text, empty) in [
        (include_str!("../data/othello-12-empty.obf"), 12),
        (include_str!("../data/othello-14-empty.obf"), 14),
    ] {
        let suite = problems(text);
        assert_eq!(suite.len(), 40);
        let mut memory = vec![0; 24 * 1024 / 8];
        for (number, problem) in (1..).zip(&suite) {
            assert_eq!(problem.empty(), empty);
            solve(problem, &mut memory, &format!("{empty} empty, line {number}"));
        }
    }
}
