//! The solver and the engine of Dots and Boxes against a table of all positions, computed from
//! the rules alone, and against published values.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::LazyLock;

use corvid_core::game::Game;
use corvid_core::games::dots::{Dots, Line, Size};
use corvid_core::search::budget::{Budget, Meter};
use corvid_core::search::{Solve, Think};
use corvid_tests::reference::Dice;

fn board(rows: u8, columns: u8) -> Dots {
    Dots::new(Size::new(rows, columns).unwrap())
}

fn position(rows: u8, columns: u8, drawn: usize) -> Dots {
    board(rows, columns).parse_position(&format!("{drawn:x}")).unwrap()
}

fn value(game: &Dots, slots: usize) -> i16 {
    game.solve(&mut vec![0; slots], &mut Meter::new(Budget::UNLIMITED)).unwrap().score
}

/// The value of every position, by its drawn lines: plain minimax from the last line backwards.
fn all_values(rows: usize, columns: usize) -> Vec<i8> {
    let horizontals = (rows + 1) * columns;
    let lines = horizontals + rows * (columns + 1);
    let mut boxes = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let above = row * columns + column;
            let left = horizontals + row * (columns + 1) + column;
            boxes.push(1 << above | 1 << (above + columns) | 1 << left | 1 << (left + 1));
        }
    }
    let mut beside: Vec<Vec<usize>> = vec![Vec::new(); lines];
    for (line, sides) in beside.iter_mut().enumerate() {
        sides.extend(boxes.iter().filter(|sides: &&usize| *sides >> line & 1 != 0));
    }
    let mut values = vec![0; 1 << lines];
    for drawn in (0..(1 << lines) - 1).rev() {
        let mut best = i8::MIN;
        for line in (0..lines).filter(|line| drawn >> line & 1 == 0) {
            let after: usize = drawn | 1 << line;
            let taken = beside[line].iter().filter(|sides| after & **sides == **sides).count();
            let rest: i8 = values[after];
            best = best.max(if taken > 0 { taken as i8 + rest } else { -rest });
        }
        values[drawn] = best;
    }
    values
}

static THREE_BY_THREE: LazyLock<Vec<i8>> = LazyLock::new(|| all_values(3, 3));

/// The lines drawn, as a number.
fn drawn(game: &Dots) -> usize {
    (0..game.size().lines())
        .filter(|number| game.is_drawn(game.size().line(*number).unwrap()))
        .map(|number| 1 << number)
        .sum()
}

/// The value of a line for the player who draws it, by the table.
fn value_of(game: &Dots, line: Line, values: &[i8]) -> i16 {
    let mut after = *game;
    after.play(line);
    let rest = i16::from(values[drawn(&after)]);
    let own = game.turn();
    if after.turn() == own { after.score(own) - game.score(own) + rest } else { -rest }
}

#[test]
fn every_position_of_2x2_and_many_larger_ones() {
    let mut dice = Dice::new(1);
    for (rows, columns, count) in [(1, 1, 16), (2, 2, 4096), (1, 4, 8192), (2, 3, 10_000)] {
        let values = all_values(rows, columns);
        for number in 0..count {
            let all = count == values.len();
            let drawn = if all { number } else { dice.throw(values.len()) };
            let game = position(rows as u8, columns as u8, drawn);
            let slots = [0, 1, 2, 3, 64, 512][number % 6];
            let mut memory = vec![0; slots];
            let solution = game.solve(&mut memory, &mut Meter::new(Budget::UNLIMITED)).unwrap();
            assert_eq!(solution.score, i16::from(values[drawn]), "{rows}x{columns} {drawn:x}");
            match solution.best {
                Some(line) => assert_eq!(
                    value_of(&game, line, &values),
                    solution.score,
                    "{rows}x{columns} {drawn:x}: {line:?}"
                ),
                None => assert!(game.is_over()),
            }
        }
    }
}

#[test]
fn thousands_of_positions_of_3x3() {
    let mut dice = Dice::new(2);
    let mut memory = vec![0; 512];
    for _ in 0..4000 {
        let drawn = dice.throw(1 << 24) | dice.throw(1 << 24) & dice.throw(1 << 24);
        let game = position(3, 3, drawn);
        let solution = game.solve(&mut memory, &mut Meter::new(Budget::UNLIMITED)).unwrap();
        assert_eq!(solution.score, i16::from(THREE_BY_THREE[drawn]), "{drawn:x}");
        if let Some(line) = solution.best {
            assert_eq!(value_of(&game, line, &THREE_BY_THREE), solution.score, "{drawn:x}");
        }
    }
}

#[test]
fn tables_of_any_size_give_the_same() {
    for slots in [0, 1, 2, 3, 5, 17, 100, 4096] {
        assert_eq!(value(&board(2, 3), slots), -2, "{slots} slots");
        assert_eq!(value(&position(3, 3, 0x10_6004), slots), -3, "{slots} slots");
    }
}

#[test]
fn published_values() {
    for n in 1..=10 {
        assert_eq!(value(&board(1, n), 1 << 16), -i16::from(n % 2), "1x{n}");
        assert_eq!(value(&board(n, 1), 1 << 16), -i16::from(n % 2), "{n}x1");
    }
    let known = [(2, 2, 2), (2, 3, -2), (2, 4, 2), (2, 5, -2), (3, 3, -3), (3, 4, 0), (4, 3, 0)];
    for (rows, columns, expected) in known {
        assert_eq!(value(&board(rows, columns), 1 << 18), expected, "{rows}x{columns}");
    }
    let start = board(3, 3);
    let mut memory = vec![0; 1 << 16];
    start.for_each_move(|line| {
        let mut meter = Meter::new(Budget::UNLIMITED);
        assert_eq!(start.solve_move(line, &mut memory, &mut meter), Some(-3), "{line:?}");
    });
}

/// A row: rows, columns, drawn lines in hexadecimal, value, all optimal lines.
fn check_rows(text: &str) {
    let mut memory = vec![0; 1 << 12];
    for (number, row) in text.lines().enumerate().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let game = board(fields[0].parse().unwrap(), fields[1].parse().unwrap());
        let game = game.parse_position(fields[2]).unwrap();
        let mut meter = Meter::new(Budget::UNLIMITED);
        let score = game.solve(&mut memory, &mut meter).unwrap().score;
        assert_eq!(score.to_string(), fields[3], "line {}", number + 1);
        let mut best = Vec::new();
        game.for_each_move(|line| {
            if game.solve_move(line, &mut memory, &mut meter) == Some(score) {
                best.push(line.index().to_string());
            }
        });
        assert_eq!(best.join(" "), fields[4], "line {}", number + 1);
    }
}

#[test]
fn recorded_positions_with_all_their_optimal_lines() {
    check_rows(include_str!("../data/dab_2x2.csv"));
    check_rows(include_str!("../data/dab_3x3.csv"));
}

/// Plays random games on 3x3, the engine alternating between first and second player, and counts
/// what its lines lose.
fn boxes_lost(games: u64) -> i16 {
    let mut memory = vec![0; 4096];
    let mut lost = 0;
    for number in 0..games {
        let mut dice = Dice::new(number);
        let mut game = board(3, 3);
        while !game.is_over() {
            let line = if game.turn().index() as u64 == number % 2 {
                let mut meter = Meter::new(Budget::nodes(100_000));
                let line = game.think(&mut memory, &mut meter, &mut |_| {}).unwrap();
                let best = i16::from(THREE_BY_THREE[drawn(&game)]);
                lost += best - value_of(&game, line, &THREE_BY_THREE);
                line
            } else {
                let mut lines = Vec::new();
                game.for_each_move(|line| lines.push(line));
                *dice.choose(&lines)
            };
            game.play(line);
        }
    }
    lost
}

#[test]
fn the_engine_loses_no_box_on_3x3_in_a_thousand_games() {
    assert_eq!(boxes_lost(1000), 0);
}
