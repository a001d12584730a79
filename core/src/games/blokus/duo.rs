//! What is told about Blokus Duo.

use super::bots::{self, Bot};
use super::info::{about_bots, engine};
use super::{Duo, Move, StartRule};
use crate::bots::BotList;
use crate::engine::{Engine, Skill, Thinking, levels};
use crate::game::Game;
use crate::mix::Rng;
use crate::registry::GameKind;
use crate::search::Report;
use crate::search::budget::Meter;
use crate::setup::{GameInfo, Opt, Options, Preset, Setup, Solver, Values};

/// A match of Duo with this rule for first pieces.
pub fn duo_setup(rule: StartRule) -> Setup {
    let usual = Setup::usual(GameKind::BlokusDuo);
    usual.with(0, u8::from(rule == StartRule::Any)).unwrap_or(usual)
}

engine!(
    Duo,
    GameInfo {
        name: "blokus-duo",
        title: "Blokus Duo",
        short_title: "Duo",
        alias: "",
        rules: "Your first piece covers your start square. Every later one touches your own at a \
                corner, never along an edge.\nIf you can't place one, you are out. Each square \
                left costs a point; placing all pieces earns 15, and 5 more if the single square \
                is last.",
        colors: Duo::COLORS,
        document_colors: &[],
        color_names: "a colour is b or w, blue or green",
        options: &[Opt {
            label: "start square",
            flag: "start",
            values: Values::Words(&["own", "any"]),
            usual: 0,
            joined: false,
        }],
        side: Some(Duo::SIDE),
        people: |_| 2,
        solver: Solver::None,
        bots: Bot::NAMES,
        // The new-game buttons of the dissertation, here and for Classic.
        presets: &[
            Preset { label: "two players", players: &["", ""] },
            Preset { label: "you, hybrid", players: &["", "hybrid"] },
            Preset { label: "min, max moves", players: &["min-moves", "max-moves"] },
            Preset { label: "influence, max-min", players: &["influence", "max-min"] },
        ],
        packed: Duo::PACKED,
    },
    "first pieces cover the player's own start square (the contest rule), or any free \
                   one",
    "Blokus was invented by Bernard Tavitian and published in 2000. Duo is its version for two on a \
     smaller board, and the game of FPGA design contests in 2013 and 2014.",
    1400,
    [(1, 91), (1, 73), (1, 53), (1, 37), (2, 20), (6, 9), (24, 3), (120, 0)],
    |option| Duo::new(if option == 1 { StartRule::Any } else { StartRule::Own })
);
