//! What is told about Dots and Boxes, and who plays it.

use super::bots::{self, Bot};
use super::{Dots, Line, MAX_SIDE, Size};
use crate::bots::BotList;
use crate::engine::{Engine, Skill, Thinking, levels, searched_and_solved};
use crate::game::Game;
use crate::registry::GameKind;
use crate::setup::{GameInfo, Opt, Options, Setup, Solver, Values};

/// A match on a board of this size.
pub fn setup(size: Size) -> Setup {
    // Every size is in the lists below.
    Setup::new(GameKind::Dots, [size.rows(), size.columns()])
        .unwrap_or(Setup::usual(GameKind::Dots))
}

impl Engine for Dots {
    type Bot = Bot;

    const INFO: GameInfo = GameInfo {
        name: "dots",
        title: "Dots and Boxes",
        short_title: "Dots",
        alias: "",
        rules: "Draw a line between two adjacent dots. If it completes a box, the box is yours, \
                and you draw again.\nWhen all lines are drawn, the most boxes win.",
        colors: Self::COLORS,
        document_colors: &[],
        color_names: "a colour is b or w",
        options: &[
            Opt {
                label: "rows",
                flag: "size",
                values: Values::Numbers(1, MAX_SIDE),
                usual: Size::DEFAULT.rows(),
                joined: false,
            },
            Opt {
                label: "columns",
                flag: "size",
                values: Values::Numbers(1, MAX_SIDE),
                usual: Size::DEFAULT.columns(),
                joined: true,
            },
        ],
        side: None,
        people: |_| 2,
        solver: Solver::FromHere,
        bots: Bot::NAMES,
        presets: &[],
        packed: Self::PACKED,
    };

    const OPTION_HELP: &'static [&'static str] = &["the grid size in boxes, rows x columns"];

    const ABOUT: &'static str = "Dots and Boxes was published by Edouard Lucas in the 19th century as \
        La Pipopipette; it is also called Dots and Dashes or the Game of Dots. The bot chain-minimax \
        follows a paper by Nareswari (Institut Teknologi Bandung, 2024), which sees the board as a \
        graph and orders moves by the chains they touch.";

    const LEVELS: [Skill; 9] = levels([
        (40, 74),
        (60, 60),
        (100, 45),
        (160, 33),
        (300, 22),
        (600, 14),
        (2_500, 6),
        (8_000, 1),
    ]);

    const NODES_PER_BOARD_SECOND: u64 = 32_700;

    fn start([rows, columns]: Options) -> Self {
        Self::new(Size::new(rows, columns).unwrap_or(Size::DEFAULT))
    }

    fn bot_move(&self, bot: Bot, thinking: &mut Thinking<'_>) -> Option<Line> {
        bots::choose(self, bot, thinking)
    }

    searched_and_solved!();
}
