//! What is told about Adjacency, and who plays it.

use super::bots::{self, Bot};
use super::{Adjacency, Rounds};
use crate::bots::BotList;
use crate::engine::{Engine, Skill, Thinking, levels, searched_and_solved};
use crate::game::Game;
use crate::player::Player;
use crate::registry::GameKind;
use crate::setup::{GameInfo, Opt, Options, Setup, Solver, Values};
use crate::square::Square;

/// A match of this length in which `first` begins.
pub fn setup(rounds: Rounds, first: Player) -> Setup {
    let options = [rounds.get(), first.index() as u8 & 1];
    // Every length and both players are in the lists below.
    Setup::new(GameKind::Adjacency, options).unwrap_or(Setup::usual(GameKind::Adjacency))
}

impl Engine for Adjacency {
    type Bot = Bot;

    const INFO: GameInfo = GameInfo {
        name: "adjacency",
        title: "Adjacency",
        short_title: "Adjacency",
        alias: "",
        rules: "X moves first unless you choose O. Place a mark on any empty square: your \
                opponent's marks next to it, but not diagonally, become yours.\nAfter the final \
                round, the most marks win.",
        colors: Self::COLORS,
        document_colors: &[],
        color_names: "a colour is b or w",
        options: &[
            Opt {
                label: "rounds",
                flag: "rounds",
                values: Values::Numbers(Rounds::MIN.get(), Rounds::MAX.get()),
                usual: Rounds::MAX.get(),
                joined: false,
            },
            Opt {
                label: "begins",
                flag: "first",
                values: Values::Words(&["X", "O"]),
                usual: 0,
                joined: false,
            },
        ],
        side: Some(8),
        people: |_| 2,
        solver: Solver::Final,
        bots: Bot::NAMES,
        presets: &[],
        packed: Self::PACKED,
    };

    const OPTION_HELP: &'static [&'static str] = &["the number of rounds", "who begins"];

    const ABOUT: &'static str = "The Adjacency Strategy Game began as a program for two people at a \
        screen. A course at Institut Teknologi Bandung (IF3170, 2023) gave it the rules played here \
        and computer players: minimax, four kinds of local search and a genetic algorithm, which are \
        among the bots.";

    const LEVELS: [Skill; 9] = levels([
        (40, 100),
        (60, 90),
        (100, 77),
        (160, 64),
        (300, 50),
        (800, 35),
        (2_500, 23),
        (8_000, 11),
    ]);

    const NODES_PER_BOARD_SECOND: u64 = 39_000;

    fn start([rounds, first]: Options) -> Self {
        let first = if first == 0 { Player::FIRST } else { Player::SECOND };
        Self::new(Rounds::new(rounds).unwrap_or(Rounds::MAX), first)
    }

    fn bot_move(&self, bot: Bot, thinking: &mut Thinking<'_>) -> Option<Square> {
        bots::choose(self, bot, thinking)
    }

    searched_and_solved!();
}
