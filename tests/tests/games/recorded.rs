//! Recorded games and positions.

use std::collections::BTreeSet;

use corvid_core::game::{Game, Notation};
use corvid_core::games::adjacency::Adjacency;
use corvid_core::games::blokus::{
    self, Blokus, Classic, Duo, Placement, Seats, StartRule, classic_setup, duo_setup, parse_code,
};
use corvid_core::games::othello::Othello;
use corvid_core::player::Player;
use corvid_core::session::Match;
use corvid_tests::reference::blokus::{Starts, write_cells};
use corvid_tests::reference::data::{numbers, read};
use corvid_tests::reference::{self, Reference};

use crate::dots_pair;
use corvid_tests::compare::{check_same, written};

/// All squares of the 21 pieces together.
const SQUARES: i32 = 89;

/// Games in which the first player places all pieces, with the scores of both.
const ALL_PLACED: [(&str, [i32; 2]); 2] = [
    (
        "56u0 caj2 79r0 99a0 84l3 86o1 acp4 b8c2 b1n6 e7d3 7ej2 c6b2 3do7 e4f0 a7k7 b3h0 deq1 \
         0000 25s1 0000 12m1 0000 42t3 0000 c9e2 0000 b5f2 0000 71g2 0000 27h0 0000 1ai3 0000 \
         4ac0 0000 7cd0 0000 d3b0 0000 5ca0",
        [20, -62],
    ),
    (
        "56u0 caj2 79r0 99a0 a7p0 87g2 abo3 0000 c4s2 0000 e6j0 0000 a1k6 0000 17q2 0000 25n2 \
         0000 1bl4 0000 3dt6 0000 ecm0 0000 bee2 0000 42h0 0000 12i3 0000 49g2 0000 85f3 0000 \
         7dd2 0000 6bc2 0000 31a0 0000 83b2",
        [15, -79],
    ),
];

#[test]
fn blokus_bonus_for_placing_everything() {
    for (moves, scores) in ALL_PLACED {
        let mut game = Duo::default();
        let mut slow = reference::blokus::Blokus::duo(Starts::Own);
        for code in moves.split_whitespace() {
            check_same(&game, &slow, &slow.legal(), &[]);
            game.play(game.parse_move(code).expect("a code"));
            slow.play(code).expect("a legal move");
        }
        check_same(&game, &slow, &slow.legal(), &[]);
        assert!(game.is_over());
        assert_eq!(slow.scores(), scores);
    }
}

/// Recorded games may leave out the passes that were forced.
#[test]
fn forced_passes_may_be_left_out() {
    for (moves, scores) in ALL_PLACED {
        let mut game = Match::new(duo_setup(StartRule::Own));
        game.set_position(&moves.replace(" 0000", "")).expect("legal moves");
        assert_eq!(written(|out| game.write_moves(Notation::Code, ' ', out)), moves);
        assert!(game.is_over());
        let both = [game.score(Player::FIRST), game.score(Player::SECOND)];
        assert_eq!(both.map(i32::from), scores);
    }
}

#[test]
fn contest_codes_name_every_placement() {
    let slow = reference::blokus::Blokus::duo(Starts::Own);
    let game = Duo::default();
    let mut placements = BTreeSet::new();
    let codes = slow.codes_on_board();
    for (code, cells) in &codes {
        let mv = parse_code(code).unwrap_or_else(|| panic!("{code} is on the board"));
        assert_eq!(written(|out| game.write_move(mv, out)), write_cells(cells), "{code}");
        let blokus::Move::Place(placement) = mv else { panic!("{code} is no pass") };
        placements.insert(placement);
    }
    assert_eq!((codes.len(), placements.len()), (26_008, 13_729));
}

/// The legal placements, without a pass.
fn placements<const PLAYERS: usize, const WORDS: usize>(
    game: &Blokus<PLAYERS, WORDS>,
) -> BTreeSet<Placement> {
    let mut placements = BTreeSet::new();
    game.for_each_move(|mv| {
        if let blokus::Move::Place(placement) = mv {
            placements.insert(placement);
        }
    });
    placements
}

/// Replays recorded games: the moves, the number of legal placements before each ply, the
/// number of legal contest codes where there is such a column, the squares placed, the scores.
fn replay<const PLAYERS: usize, const WORDS: usize>(
    file: &str,
    start: Blokus<PLAYERS, WORDS>,
    all_codes: Option<&[Placement]>,
) {
    for line in read(file).lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let id = fields[0];
        let moves: Vec<&str> = fields[1].split_whitespace().collect();
        let counts = numbers(fields[2]);
        assert_eq!(moves.len(), counts.len(), "game {id}");
        let mut game = start;
        for (ply, &text) in moves.iter().enumerate() {
            let legal = placements(&game);
            assert_eq!(legal.len() as i32, counts[ply], "game {id}, ply {ply}");
            if let Some(all) = all_codes {
                let codes = all.iter().filter(|placement| legal.contains(placement)).count();
                assert_eq!(codes as i32, numbers(fields[3])[ply], "game {id}, ply {ply}");
            }
            let mv = game.parse_move(text).expect("a move");
            if game.is_over() {
                // The records continue with passes until everybody has passed.
                assert_eq!(mv, blokus::Move::Pass, "game {id}, ply {ply}");
                assert_eq!(game.check(mv), Err(blokus::Illegal::GameOver));
            } else {
                assert_eq!(game.check(mv), Ok(()), "game {id}, ply {ply}: {text}");
                game.play(mv);
            }
        }
        assert!(game.is_over(), "game {id}");
        let columns = &fields[fields.len() - 2..];
        let recorded = numbers(columns[0]).into_iter().zip(numbers(columns[1]));
        for (player, (placed, score)) in Player::all(PLAYERS).zip(recorded) {
            assert_eq!(game.squares(player).count() as i32, placed, "game {id}");
            assert_eq!(i32::from(game.score(player)), score - SQUARES, "game {id}");
        }
    }
}

#[test]
fn blokus_duo_replays_recorded_games() {
    let codes = reference::blokus::Blokus::duo(Starts::Own).codes_on_board();
    let codes: Vec<Placement> = codes
        .iter()
        .filter_map(|(code, _)| match parse_code(code) {
            Some(blokus::Move::Place(placement)) => Some(placement),
            _ => None,
        })
        .collect();
    replay("duo_games.tsv", Duo::default(), Some(&codes));
}

#[test]
fn blokus_classic_replays_recorded_games() {
    replay("classic_games.tsv", Classic::default(), None);
}

/// Recorded games can be given whole, with all their passes, and two people share four colours.
#[test]
fn recorded_games_are_positions() {
    for (file, setup) in [
        ("duo_games.tsv", duo_setup(StartRule::Own)),
        ("classic_games.tsv", classic_setup(Seats::Four)),
        ("classic_games.tsv", classic_setup(Seats::Two)),
    ] {
        for line in read(file).lines().skip(1) {
            let fields: Vec<&str> = line.split('\t').collect();
            let mut game = Match::new(setup);
            game.set_position(fields[1]).expect("legal moves");
            assert!(game.is_over());
            let mut scores = numbers(fields[fields.len() - 1]);
            scores.iter_mut().for_each(|score| *score -= SQUARES);
            if setup == classic_setup(Seats::Two) {
                scores = vec![scores[0] + scores[2], scores[1] + scores[3]];
            }
            let seats: Vec<i32> = game.seat_scores().iter().map(|&score| score.into()).collect();
            assert_eq!(seats, scores, "game {} of {file}", fields[0]);
        }
    }
}

#[test]
fn dots_replays_the_printed_game() {
    let recorded: serde_json::Value = serde_json::from_str(&read("seed3_game.json")).expect("json");
    let (mut game, _) = dots_pair(3, 3);
    let turns = recorded["turns"].as_array().expect("turns");
    for (ply, turn) in turns.iter().enumerate() {
        assert_eq!(game.count_moves() as usize, 24 - ply);
        assert_eq!(turn["p"], game.turn().index() + 1, "ply {ply}");
        let (a, b) = (&turn["a"], &turn["b"]);
        let line = game.parse_move(&format!("{},{}-{},{}", a[0], a[1], b[0], b[1]));
        let line = line.expect("a line");
        assert_eq!(game.check(line), Ok(()));
        game.play(line);
        let scores = [game.score(Player::FIRST), game.score(Player::SECOND)];
        assert_eq!(turn["s"], serde_json::json!(scores), "ply {ply}");
    }
    assert!(game.is_over() && turns.len() == 24);
}

#[test]
fn adjacency_reads_recorded_positions() {
    for line in read("adjacency_positions.csv").lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let mask = |text| u64::from_str_radix(text, 16).expect("a mask");
        let plies = fields[2].parse().expect("a number of plies");
        let (mover, opponent) = (mask(fields[0]), mask(fields[1]));
        let slow = reference::adjacency::Adjacency::from_masks(mover, opponent, plies);
        let read = Adjacency::default().parse_position(&slow.position());
        let game = read.unwrap_or_else(|error| panic!("{}: {error}", slow.position()));
        let marks = [Player::FIRST, Player::SECOND].map(|player| game.marks(player).bits());
        assert_eq!(marks, [mover, opponent]);
        check_same(&game, &slow, &slow.legal(), &[]);
    }
}

#[test]
fn dots_reads_recorded_positions() {
    let (empty, _) = dots_pair(2, 2);
    for line in read("dab_2x2.csv").lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let drawn = u64::from_str_radix(fields[2], 16).expect("drawn lines");
        let game = empty.parse_position(fields[2]).expect("a position");
        let mut left = 0u64;
        game.for_each_move(|line| left |= 1 << line.index());
        assert_eq!(left, !drawn & 0xfff, "{line}");
    }
}

#[test]
fn othello_reads_recorded_positions() {
    for line in read("fforum-1-19.obf").lines().filter(|line| !line.is_empty()) {
        let (position, _) = line.split_once(';').expect("a position and its moves");
        let slow = reference::othello::Othello::from_position(position).expect("a position");
        let game = Othello::START.parse_position(position).expect("a position");
        check_same(&game, &slow, &slow.legal(), &[]);
    }
}
