//! `corvid connect` without a terminal: commands from lines, a line for every event.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::channel;
use std::thread;

use corvid_core::game::Plain;
use corvid_core::gtp::write_standing;

use super::table::{self, Options, Order, Update};
use crate::failure::Failure;
use crate::output::wrapped;

/// Plays until the input ends; with an engine, until the game does.
pub(super) fn run(options: Options) -> Result<(), Failure> {
    let (sender, orders) = channel();
    let engine = options.engine.is_some();
    thread::spawn(move || {
        if engine {
            return;
        }
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            match line.trim() {
                "" => continue,
                "quit" | "exit" => break,
                text => match Order::read(text) {
                    Ok(order) => drop(sender.send(order)),
                    Err(why) => drop(writeln!(io::stderr(), "{why}")),
                },
            }
        }
    });
    let mut last = None;
    let mut failed = Ok(());
    let mut print = |text: &str| {
        if failed.is_ok() {
            failed = writeln!(io::stdout(), "{text}");
        }
    };
    table::run(options, &orders, |update| match update {
        Update::Connected(name) => print(&format!("connected to {name}")),
        Update::Lost(why) => print(&format!("lost the board: {why}; trying again")),
        Update::Moved(text) => print(&text),
        Update::Note(text) => print(&text),
        Update::Page(_, text) => print(&wrapped(&text)),
        Update::Thinking(_) => {}
        Update::Game(game, _) => last = Some(game),
    })?;
    if let Some(game) = last {
        let mut board = String::new();
        // Writing to a String never fails.
        let _ = game.draw(&mut Plain(&mut board));
        let _ = write_standing(game.now(), &mut board);
        print(&board);
    }
    Ok(failed?)
}
