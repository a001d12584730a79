//! The reference games against published counts and recorded games, so that they can be trusted
//! when the core is compared with them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use corvid_tests::reference::adjacency::Adjacency;
use corvid_tests::reference::blokus::{Blokus, Starts, write_cells};
use corvid_tests::reference::data::{numbers, read};
use corvid_tests::reference::dots::Dots;
use corvid_tests::reference::othello::Othello;
use corvid_tests::reference::{Fault, Reference, Refused};

/// All squares of the 21 pieces together.
const SQUARES: i32 = 89;

/// Plays moves that are all legal.
fn after<G: Reference>(mut game: G, moves: &str) -> G {
    for text in moves.split_whitespace() {
        game.play(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
    game
}

fn refused<G: Reference + PartialEq + std::fmt::Debug>(game: &G, text: &str) -> Refused {
    let mut tried = game.clone();
    let error = tried.play(text).expect_err(text);
    assert_eq!(&tried, game, "{text} was refused but changed the game");
    error
}

#[test]
fn othello_has_the_published_number_of_games() {
    let published = [1, 4, 12, 56, 244, 1396, 8200, 55092, 390_216, 3_005_288];
    for (depth, count) in published.into_iter().enumerate() {
        assert_eq!(Othello::start().perft(depth as u32), count, "depth {depth}");
    }
}

/// Cell numbers 0..63, row by row, as sorted move texts.
fn squares(cells: &[i32]) -> Vec<String> {
    let name = |cell: &i32| format!("{}{}", (b'a' + (cell % 8) as u8) as char, cell / 8 + 1);
    let mut names: Vec<String> = cells.iter().map(name).collect();
    names.sort();
    names
}

#[test]
fn othello_moves_of_a_printed_example() {
    // Black on 20, 27, 28 and 36, white on 35; the example mirrors the usual start.
    let mut cells = ['-'; 64];
    for black in [20, 27, 28, 36] {
        cells[black] = 'X';
    }
    cells[35] = 'O';
    let position = format!("{} O", String::from_iter(cells));
    let game = Othello::from_position(&position).expect("a position");
    assert_eq!(game.legal(), squares(&[19, 21, 37]));
    for (cell, replies) in
        [(19, &[10, 18, 26, 34, 42][..]), (21, &[22, 29, 34, 43]), (37, &[42, 43, 44, 45, 46])]
    {
        assert_eq!(after(game.clone(), &squares(&[cell])[0]).legal(), squares(replies), "{cell}");
    }
}

#[test]
fn othello_refuses_what_is_not_a_move() {
    let game = after(Othello::start(), "d3");
    assert_eq!(refused(&game, "d3"), Fault::Occupied.into());
    assert_eq!(refused(&game, "a1"), Fault::TurnsNothing.into());
    assert_eq!(refused(&game, "pass"), Refused::CanMove);
    assert_eq!(refused(&game, "i1"), Refused::Unreadable);
}

#[test]
fn othello_moves_of_an_endgame_suite() {
    for line in read("fforum-1-19.obf").lines().filter(|line| !line.is_empty()) {
        let (position, moves) = line.split_once("; ").expect("a position and its moves");
        let mut moves: Vec<String> = moves
            .split_terminator(';')
            .filter_map(|scored| scored.trim().split_once(':'))
            .map(|(square, _)| square.to_lowercase())
            .collect();
        moves.sort();
        let game = Othello::from_position(position).expect("a position");
        assert_eq!(game.legal(), moves, "{position}");
        assert_eq!(game.position(), position);
    }
}

#[test]
fn othello_can_end_before_the_board_is_full() {
    let game = after(Othello::start(), "e6 f4 e3 f6 g5 d6 e7 f5 c5");
    assert!(game.over(), "white has no disc left");
    assert!(game.legal().is_empty());
    assert_eq!(game.discs(), [13, 0]);
    assert_eq!(game.scores(), [64, 0]);
    assert_eq!(game.score(), 64);
    assert_eq!(refused(&game, "pass"), Refused::GameOver);
}

#[test]
fn othello_passes_only_when_forced() {
    let position = format!("XO------{} O", "-".repeat(56));
    let game = Othello::from_position(&position).expect("a position");
    assert_eq!(game.legal(), ["pass"]);
    let game = after(game, "pass c1");
    assert!(game.over());
    assert_eq!(game.score(), 64);
}

#[test]
fn adjacency_counts_down_the_empty_cells() {
    assert_eq!(Adjacency::start(28, 'X').perft(3), 56 * 55 * 54);
    assert_eq!(Adjacency::start(28, 'O').perft(2), 56 * 55);
}

#[test]
fn adjacency_flips_orthogonal_neighbours_once() {
    let game = after(Adjacency::start(2, 'X'), "f1");
    assert_eq!(game.scores(), [6, 3], "f1 turns g1");
    let game = after(game, "e1");
    assert_eq!(game.scores(), [5, 5], "e1 turns f1, but not g1 behind it");
    let game = after(game, "e2");
    assert_eq!(game.scores(), [7, 4], "e2 turns e1, but not f1 at its corner");
    assert!(!game.over());
    assert_eq!(game.plies_left(), 1);
    let game = after(game, "a1");
    assert!(game.over(), "two rounds are over");
    assert!(game.legal().is_empty());
    assert_eq!(refused(&game, "h8"), Refused::GameOver);
}

#[test]
fn adjacency_lets_either_side_begin() {
    let start = Adjacency::start(3, 'O');
    assert_eq!(start.to_move(), 1);
    let picture = "------OO------OO--------------------------------XX------XX------ O 6";
    assert_eq!(start.position(), picture);
    assert_eq!(refused(&start, "a8"), Fault::Occupied.into());
    assert_eq!(refused(&start, "pass"), Refused::Unreadable);
}

/// The best result for X minus O, and every move that reaches it, by trying everything.
fn solve_adjacency(game: &Adjacency) -> (i32, Vec<String>) {
    if game.over() {
        let scores = game.scores();
        return (scores[0] - scores[1], Vec::new());
    }
    let sign = if game.to_move() == 0 { 1 } else { -1 };
    let mut best = (i32::MIN, Vec::new());
    for text in game.legal() {
        let value = sign * solve_adjacency(&after(game.clone(), &text)).0;
        if value > best.0 {
            best = (value, Vec::new());
        }
        if value == best.0 {
            best.1.push(text);
        }
    }
    (sign * best.0, best.1)
}

#[test]
fn adjacency_values_of_recorded_positions() {
    let mut solved = 0;
    for line in read("adjacency_positions.csv").lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let mask = |text| u64::from_str_radix(text, 16).expect("a mask");
        let (mover, opponent) = (mask(fields[0]), mask(fields[1]));
        let plies: u32 = fields[2].parse().expect("a number of plies");
        let game = Adjacency::from_masks(mover, opponent, plies);
        // What the slow game can search quickly.
        let leaves: usize = (0..plies as usize).map(|ply| game.legal().len() - ply).product();
        if leaves > 2_000_000 {
            continue;
        }
        solved += 1;
        let (value, moves) = solve_adjacency(&game);
        assert_eq!(value, fields[3].parse::<i32>().expect("a value"), "{line}");
        assert_eq!(moves, squares(&numbers(fields[4])), "{line}");
    }
    assert!(solved >= 10, "only {solved} positions were small enough");
}

#[test]
fn dots_has_as_many_games_as_orders_of_its_lines() {
    for (rows, columns, lines) in [(1, 1, 4), (1, 2, 7), (3, 1, 10), (2, 2, 12)] {
        let game = Dots::start(rows, columns);
        assert_eq!(game.lines().len(), lines);
        assert_eq!(game.perft(lines as u32), (1..=lines as u64).product::<u64>());
        assert_eq!(game.perft(lines as u32 + 1), game.perft(lines as u32), "past the end");
    }
    assert_eq!(Dots::start(3, 3).perft(6), 24 * 23 * 22 * 21 * 20 * 19);
}

#[test]
fn dots_gives_another_turn_for_a_box() {
    let game = after(Dots::start(1, 2), "0,0-0,1 0,0-1,0 0,2-0,1 0,2-1,2 1,0-1,1 1,2-1,1");
    assert_eq!((game.to_move(), game.scores()), (0, vec![0, 0]));
    let game = after(game, "0,1-1,1");
    assert_eq!((game.to_move(), game.scores()), (0, vec![2, 0]), "one line closes two boxes");
    assert!(game.over());
    assert_eq!(refused(&game, "0,0-0,1"), Fault::Occupied.into());
    assert_eq!(refused(&game, "0,0-1,1"), Fault::OffBoard.into());
    assert_eq!(refused(&game, "0,2-0,3"), Fault::OffBoard.into());
    assert_eq!(refused(&game, "0,0"), Refused::Unreadable);
}

#[test]
fn dots_replays_the_printed_game() {
    let recorded: serde_json::Value = serde_json::from_str(&read("seed3_game.json")).expect("json");
    let mut game = Dots::start(3, 3);
    let turns = recorded["turns"].as_array().expect("turns");
    for (ply, turn) in turns.iter().enumerate() {
        assert_eq!(game.legal().len(), 24 - ply);
        assert_eq!(turn["p"], game.to_move() + 1, "ply {ply}");
        let (a, b) = (&turn["a"], &turn["b"]);
        game.play(&format!("{},{}-{},{}", a[0], a[1], b[0], b[1])).expect("a legal line");
        assert_eq!(turn["s"], serde_json::json!(game.scores()), "ply {ply}");
    }
    assert!(game.over());
    assert_eq!(turns.len(), 24);
    let owners = [[1, 1, 1], [0, 0, 1], [1, 0, 1]];
    let expected: BTreeMap<_, _> = (0..9).map(|i| ((i / 3, i % 3), owners[i / 3][i % 3])).collect();
    assert_eq!(game.owners(), &expected);
}

/// The best difference for the player to move from here on, by trying everything.
fn solve_dots(game: &Dots, seen: &mut HashMap<String, i32>) -> i32 {
    let key = game.position();
    if let Some(&value) = seen.get(&key) {
        return value;
    }
    let (mover, before) = (game.to_move(), game.scores());
    let mut best = None;
    for text in game.legal() {
        let next = after(game.clone(), &text);
        let gained = next.scores()[mover] - before[mover];
        let rest = solve_dots(&next, seen);
        let value = gained + if next.to_move() == mover { rest } else { -rest };
        best = best.max(Some(value));
    }
    let value = best.unwrap_or(0);
    seen.insert(key, value);
    value
}

#[test]
fn dots_values_of_recorded_positions() {
    let mut seen = HashMap::new();
    for record in read("dab_2x2.csv").lines().skip(1) {
        let fields: Vec<&str> = record.split(',').collect();
        let drawn = u64::from_str_radix(fields[2], 16).expect("drawn lines");
        let mut game = Dots::start(2, 2);
        let mut by_number = BTreeMap::new();
        for text in game.legal() {
            let next = after(game.clone(), &text);
            let bit = u64::from_str_radix(&next.position(), 16).expect("a position");
            by_number.insert(bit.trailing_zeros() as i32, text);
        }
        assert_eq!(by_number.len(), 12);
        for (number, text) in &by_number {
            if drawn & (1 << number) != 0 {
                game.play(text).expect("a legal line");
            }
        }
        assert_eq!(u64::from_str_radix(&game.position(), 16), Ok(drawn));
        let (mover, before) = (game.to_move(), game.scores());
        let best = solve_dots(&game, &mut seen);
        assert_eq!(best, fields[3].parse::<i32>().expect("a value"), "{record}");
        let reaches_best = |text: &&String| {
            let next = after(game.clone(), text);
            let rest = solve_dots(&next, &mut seen);
            let gained = next.scores()[mover] - before[mover];
            best == gained + if next.to_move() == mover { rest } else { -rest }
        };
        let optimal: BTreeSet<String> = game.legal().iter().filter(reaches_best).cloned().collect();
        let recorded: BTreeSet<String> =
            numbers(fields[4]).iter().map(|number| by_number[number].clone()).collect();
        assert_eq!(optimal, recorded, "{record}");
    }
}

#[test]
fn blokus_has_the_published_number_of_games() {
    assert_eq!(Blokus::duo(Starts::Own).perft(1), 414);
    assert_eq!(Blokus::duo(Starts::Own).perft(2), 171_396);
    assert_eq!(Blokus::classic().perft(3), 195_112);
}

#[test]
fn blokus_duo_on_either_start_square() {
    let game = Blokus::duo(Starts::Any);
    // No piece reaches both squares, and each side of the board is the other's mirror image.
    assert_eq!(game.perft(1), 2 * 414);
    assert_eq!(after(game.clone(), "j5").perft(1), 414, "j5 is taken, e10 is left");
    assert_eq!(refused(&after(game, "j5"), "j5"), Fault::Occupied.into());
}

#[test]
fn blokus_contest_codes_cover_every_placement() {
    let game = Blokus::duo(Starts::Own);
    let codes = game.codes_on_board();
    assert_eq!(codes.len(), 26_008);
    let names: BTreeSet<&String> = codes.iter().map(|(code, _)| code).collect();
    assert_eq!(names.len(), 26_008, "every code once");
    let placements: BTreeSet<_> = codes.iter().map(|(_, cells)| cells).collect();
    assert_eq!(placements.len(), 13_729);
    for (code, cells) in &codes {
        let (letter, decoded) = game.decode(code).expect("a code");
        assert_eq!((Some(letter), &decoded), (code.chars().nth(2), cells));
    }
}

#[test]
fn blokus_contest_codes_by_hand() {
    let game = Blokus::duo(Starts::Own);
    let decoded = |code| game.decode(code).map(|(_, cells)| write_cells(&cells));
    assert_eq!(decoded("56u0").as_deref(), Some("e8,d9,e9,f9,e10"));
    // f stands upright with its foot to the left; a quarter turn clockwise puts the foot on
    // top at the left, and the mirror brings it to the right.
    assert_eq!(decoded("55f0").as_deref(), Some("d9,e9,e10,e11"));
    assert_eq!(decoded("55f2").as_deref(), Some("d10,e10,f10,d11"));
    assert_eq!(decoded("55f3").as_deref(), Some("d10,e10,f10,f11"));
    for bad in ["0000", "f5a0", "5fa0", "55v0", "55a8", "55A0", "55a", "55a00", ""] {
        assert_eq!(decoded(bad), None, "{bad}");
    }
}

#[test]
fn blokus_names_the_broken_rule() {
    let start = Blokus::duo(Starts::Own);
    assert_eq!(refused(&start, "j5"), Fault::MissesStart.into());
    assert_eq!(refused(&start, "e10,f11"), Fault::NotAPiece.into());
    assert_eq!(refused(&start, "e10,e10"), Refused::Unreadable);
    assert_eq!(refused(&start, "pass"), Refused::CanMove);
    let game = after(start, "e10,f10 j5");
    assert_eq!(refused(&game, "g11,h11"), Fault::PieceUsed.into());
    assert_eq!(refused(&game, "g10"), Fault::TouchesOwnSide.into());
    assert_eq!(refused(&game, "a1"), Fault::NoOwnCorner.into());
    assert_eq!(refused(&game, "j5"), Fault::Occupied.into());
    assert_eq!(refused(&game, "a14,a15,a16"), Fault::OffBoard.into());
    assert_eq!(after(game, "g11").scores(), [-86, -88]);
}

/// Replays recorded games: the moves, the number of legal placements before each ply, the
/// number of legal contest codes where there is such a column, the squares placed, the scores.
fn replay(file: &str, start: &Blokus, with_codes: bool) {
    for line in read(file).lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let id = fields[0];
        let moves: Vec<&str> = fields[1].split_whitespace().collect();
        let placements = numbers(fields[2]);
        let codes = if with_codes { numbers(fields[3]) } else { placements.clone() };
        assert_eq!((moves.len(), moves.len()), (placements.len(), codes.len()), "game {id}");
        let mut game = start.clone();
        for (ply, &text) in moves.iter().enumerate() {
            assert_eq!(game.legal_placements().len() as i32, placements[ply], "{id}, ply {ply}");
            if with_codes {
                assert_eq!(game.legal_codes().len() as i32, codes[ply], "{id}, ply {ply}");
            }
            if game.over() {
                // The records continue with passes until everybody has passed.
                assert!(["pass", "0000"].contains(&text), "{id}, ply {ply}: {text}");
                assert_eq!(refused(&game, text), Refused::GameOver);
            } else {
                game.play(text).unwrap_or_else(|error| panic!("{id}, ply {ply}: {error}"));
            }
        }
        assert!(game.over(), "game {id}");
        let columns = &fields[fields.len() - 2..];
        let scores = game.scores();
        for (player, placed) in numbers(columns[0]).into_iter().enumerate() {
            assert_eq!(game.squares_placed(player), placed, "game {id}");
        }
        let recorded: Vec<i32> = numbers(columns[1]).iter().map(|score| score - SQUARES).collect();
        assert_eq!(scores, recorded, "game {id}");
    }
}

#[test]
fn blokus_duo_replays_recorded_games() {
    replay("duo_games.tsv", &Blokus::duo(Starts::Own), true);
}

#[test]
fn blokus_classic_replays_recorded_games() {
    replay("classic_games.tsv", &Blokus::classic(), false);
}
