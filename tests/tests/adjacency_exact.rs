//! Exact values of Adjacency positions, computed by another program.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use corvid_core::game::Game;
use corvid_core::games::adjacency::Adjacency;
use corvid_core::search::Solve;
use corvid_core::search::budget::{Budget, Meter};
use corvid_core::square::Square;

/// A row of `adjacency_positions.csv`: masks in hexadecimal, plies left, value, optimal squares.
fn position(row: &str) -> (Adjacency, i16, Vec<u8>) {
    let fields: Vec<&str> = row.split(',').collect();
    let mask = |text| u64::from_str_radix(text, 16).unwrap();
    let (own, opponent) = (mask(fields[0]), mask(fields[1]));
    let mark = |bit: usize| match (own >> bit & 1, opponent >> bit & 1) {
        (1, _) => 'X',
        (_, 1) => 'O',
        _ => '-',
    };
    let text: String = (0..64).map(mark).collect();
    let game = Adjacency::default().parse_position(&format!("{text} X {}", fields[2])).unwrap();
    let optimal = fields[4].split(' ').map(|number| number.parse().unwrap()).collect();
    (game, fields[3].parse().unwrap(), optimal)
}

#[test]
fn values_and_all_optimal_moves() {
    let rows = include_str!("../data/adjacency_positions.csv");
    for (number, row) in rows.lines().enumerate().skip(1) {
        let (game, value, optimal) = position(row);
        for slots in [1, 2048] {
            let mut memory = vec![0; slots];
            let mut meter = Meter::new(Budget::UNLIMITED);
            let solution = game.solve(&mut memory, &mut meter).unwrap();
            assert_eq!(solution.score, value, "line {}", number + 1);
            assert!(optimal.contains(&solution.best.unwrap().index()), "line {}", number + 1);
            let mut best: Vec<u8> = Vec::new();
            game.for_each_move(|mv: Square| {
                if game.solve_move(mv, &mut memory, &mut meter) == Some(value) {
                    best.push(mv.index());
                }
            });
            assert_eq!(best, optimal, "line {}", number + 1);
        }
    }
}
