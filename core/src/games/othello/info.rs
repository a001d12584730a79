//! What is told about Othello, and who plays it.

use super::bots::{self, Bot};
use super::{Move, Othello};
use crate::bots::BotList;
use crate::engine::{Engine, Skill, Thinking, levels, searched_and_solved};
use crate::game::Game;
use crate::setup::{GameInfo, Options, Solver};

impl Engine for Othello {
    type Bot = Bot;

    const INFO: GameInfo = GameInfo {
        name: "othello",
        title: "Othello",
        short_title: "Othello",
        alias: "",
        rules: "Black begins. Place a disc so that it brackets discs of the other colour in a \
                straight line: they turn over.\nIf you can't, you pass. When nobody can, the game \
                ends, and the most discs win.",
        colors: Self::COLORS,
        document_colors: &[],
        color_names: "a colour is b or w",
        options: &[],
        side: Some(8),
        people: |_| 2,
        solver: Solver::Final,
        bots: Bot::NAMES,
        presets: &[],
        packed: Self::PACKED,
    };

    const ABOUT: &'static str = "Othello as it is played today was published in Japan in 1973; \
        Reversi, its ancestor, is from London, about 1883. The positional bots follow an Android game \
        by Handayani, Arisandi and Sitompul (Universitas Sumatera Utara, 2012): values for the squares, \
        negamax and alpha-beta pruning.";

    const LEVELS: [Skill; 9] = levels([
        (40, 100),
        (50, 75),
        (80, 42),
        (140, 21),
        (400, 7),
        (1_100, 4),
        (4_000, 2),
        (15_000, 1),
    ]);

    const NODES_PER_BOARD_SECOND: u64 = 52_000;

    fn start(_: Options) -> Self {
        Self::START
    }

    fn bot_move(&self, bot: Bot, thinking: &mut Thinking<'_>) -> Option<Move> {
        bots::choose(self, bot, thinking)
    }

    searched_and_solved!();
}
