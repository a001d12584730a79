//! What is told about Blokus Classic.

use super::bots::{self, Bot};
use super::info::{about_bots, engine};
use super::{Classic, Move};
use crate::bots::BotList;
use crate::engine::{Engine, Skill, Thinking, levels};
use crate::game::Game;
use crate::mix::Rng;
use crate::registry::GameKind;
use crate::search::Report;
use crate::search::budget::Meter;
use crate::setup::{GameInfo, Opt, Options, Preset, Setup, Solver, Values};

/// Who holds the four colours of Blokus Classic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Seats {
    /// Four people with a colour each.
    #[default]
    Four,
    /// Two people: the first has blue and red, the second yellow and green. The colours play in
    /// their usual order, so the two alternate, and a person's points are those of both colours.
    Two,
}

/// A match of Classic with four people or two.
pub fn classic_setup(seats: Seats) -> Setup {
    let usual = Setup::usual(GameKind::BlokusClassic);
    usual.with(0, u8::from(seats == Seats::Two)).unwrap_or(usual)
}

/// The bots that play it: those before the first of Duo alone.
const BOTS: &[&str] = Bot::NAMES.split_at(Bot::AlphaBeta as usize).0;

engine!(
    Classic,
    GameInfo {
        name: "blokus-classic",
        title: "Blokus Classic",
        short_title: "Classic",
        alias: "Blokus",
        rules: "Four colours, each from its own corner of the board. Every later piece touches \
                your own at a corner, never along an edge.\nIf you can't place one, you are out. \
                Each square left costs a point; placing all pieces earns 15, and 5 more if the \
                single square is last.",
        colors: Classic::COLORS,
        // LeakyAI's players, in their turn order.
        document_colors: &["red", "green", "blue", "yellow"],
        color_names: "a colour is 1 to 4, or blue, yellow, red, green",
        options: &[Opt {
            label: "seats",
            flag: "seats",
            values: Values::Words(&["4", "2"]),
            usual: 0,
            joined: false,
        }],
        side: Some(Classic::SIDE),
        people: |[seats, _]| if seats == 1 { 2 } else { 4 },
        solver: Solver::None,
        bots: BOTS,
        presets: &[
            Preset { label: "four players", players: &["", "", "", ""] },
            Preset { label: "you, 3 bots", players: &["", "hybrid", "max-min", "influence"] },
            Preset {
                label: "4 plain bots",
                players: &["largest", "corridors", "corners", "random"]
            },
            Preset {
                label: "4 good bots",
                players: &["hybrid", "max-moves", "max-min", "influence"],
            },
        ],
        packed: Classic::PACKED,
    },
    "how many people play; two hold two colours each",
    "Blokus was invented by Bernard Tavitian and published in 2000, for two to four players.",
    770,
    [(1, 91), (1, 64), (1, 44), (2, 29), (4, 14), (13, 6), (42, 2), (140, 0)],
    |option| {
        let game = Classic::default();
        if option == 1 { game.in_pairs() } else { game }
    }
);
