//! A game in a terminal: `cargo run --example terminal -- blokus-duo`. You move first.

use std::io::{self, BufRead};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use corvid_core::game::Plain;
use corvid_core::{
    Answer, AnyOpponent, GameKind, Level, Match, Notation, Question, Setup, Task, Thinker, Watch,
};

fn main() {
    let name = std::env::args().nth(1).unwrap_or_else(|| GameKind::ALL[0].name().to_owned());
    let Some(kind) = GameKind::from_name(&name) else {
        return eprintln!("no game '{name}'; there are {:?}", GameKind::ALL.map(GameKind::name));
    };
    let mut game = Match::new(Setup::usual(kind));
    let mut memory = vec![0; 8 * 1024];
    let mut thinker = Thinker::new(&mut memory);
    let opponent = AnyOpponent::Level(Level::new(5).unwrap_or(Level::MAX));
    let question = Question::Move { opponent, micros: 1_000_000, deadline: u64::MAX };
    let (begun, stop) = (Instant::now(), AtomicBool::new(false));
    let clock = || begun.elapsed().as_micros() as u64;
    println!("{}", game.position().text().notation());
    let mut lines = io::stdin().lock().lines();
    while !game.is_over() {
        let mut board = String::new();
        game.draw(&mut Plain(&mut board)).expect("a string has room");
        println!("\n{board}");
        if game.turn().index() == 0 && !game.must_pass() {
            let Some(Ok(line)) = lines.next() else { return };
            if let Err(refusal) = game.play_next(line.trim()) {
                println!("{refusal}");
            }
            continue;
        }
        let task = Task { position: game.position().clone(), question, notation: Notation::Plain };
        let watch = Watch { clock: &clock, stop: &stop };
        let Ok(Answer::Move(Some(mv))) = thinker.think(&task, watch, &mut |_| {}) else { return };
        println!("{}", task.write_move(Some(mv), "pass"));
        game.play_move(None, mv).expect("the engine's moves are legal");
    }
    println!("points: {:?}", game.seat_scores());
}
