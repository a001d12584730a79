//! `cargo bench -p corvid-benches --bench levels [-- GAME [GAMES]]`: how each level fares against
//! the one below it.

use std::time::Instant;

use corvid_core::bots::Bot;
use corvid_core::engine::{BOARD_SLOTS, Level, Opponent, Thinking};
use corvid_core::game::Notation;
use corvid_core::mix::Rng;
use corvid_core::player::Player;
use corvid_core::session::AnyMatch;
use corvid_core::setup::{GameKind, Setup};

/// Random plies before the players take over; every opening is played from both seats.
const OPENING: usize = 4;

/// Games for each pair of levels, unless said otherwise.
const GAMES: u32 = 200;

/// The time of a move at level 9, in microseconds.
const MICROS: u64 = 100_000;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let kind = words.first().and_then(|name| GameKind::from_name(name));
    let games = words.get(1).and_then(|count| count.parse().ok()).unwrap_or(GAMES);
    let kinds =
        kind.map_or(vec![GameKind::Othello, GameKind::Adjacency, GameKind::Dots], |k| vec![k]);
    println!(
        "{:<15} {:>6} {:>6} {:>9} {:>14}",
        "game", "levels", "games", "score", "95 % interval"
    );
    for kind in kinds {
        for level in 2..=9 {
            let [strong, weak] = [level, level - 1].map(|n| Level::new(n).unwrap_or(Level::MIN));
            let points: f64 = (0..games).map(|game| play(kind, strong, weak, game)).sum();
            let share = points / f64::from(games);
            let margin = 1.96 * (share * (1.0 - share) / f64::from(games)).sqrt();
            println!(
                "{:<15} {:>6} {games:>6} {:>7.1} % {:>6.1}..{:.1} %",
                kind.name(),
                format!("{level}-{}", level - 1),
                share * 100.0,
                (share - margin) * 100.0,
                (share + margin) * 100.0
            );
        }
    }
}

/// One game: 1 when the stronger level wins, half for a draw.
fn play(kind: GameKind, strong: Level, weak: Level, number: u32) -> f64 {
    let begun = Instant::now();
    let clock = || begun.elapsed().as_micros() as u64;
    let mut rng = Rng::new(u64::from(number / 2));
    let mut memories = [vec![0; BOARD_SLOTS], vec![0; BOARD_SLOTS]];
    let mut game = AnyMatch::new(Setup::usual(kind));
    let strong_seat = (number % 2) as usize;
    while !game.session().is_over() {
        let player = game.session().turn();
        let seat = player.index();
        let opponent = match seat {
            _ if game.session().plies() < OPENING => Opponent::Bot(Bot::Random),
            _ if seat == strong_seat => Opponent::Level(strong),
            _ => Opponent::Level(weak),
        };
        let mut thinking = Thinking {
            memory: &mut memories[seat],
            rng: &mut rng,
            clock: &clock,
            micros: MICROS,
            stop: None,
        };
        let session = game.session_mut();
        let text = session.choose(player, opponent, Notation::Plain, &mut thinking, &mut |_| {});
        let played = text.and_then(|text| session.play(player, &text));
        assert!(played.is_ok(), "{played:?}");
    }
    let score = |seat: usize| Player::new(seat).map_or(0, |player| game.session().score(player));
    match score(strong_seat).cmp(&score(1 - strong_seat)) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    }
}
