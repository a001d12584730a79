//! What is told about Blokus Duo and Blokus Classic, and who plays them.

use super::bots::{self, Bot};
use super::{Classic, Duo, Move, StartRule};
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

/// A match of Duo with this rule for first pieces.
pub fn duo_setup(rule: StartRule) -> Setup {
    let usual = Setup::usual(GameKind::BlokusDuo);
    usual.with(0, u8::from(rule == StartRule::Any)).unwrap_or(usual)
}

/// A match of Classic with four people or two.
pub fn classic_setup(seats: Seats) -> Setup {
    let usual = Setup::usual(GameKind::BlokusClassic);
    usual.with(0, u8::from(seats == Seats::Two)).unwrap_or(usual)
}

/// Where the bots come from, on both boards.
macro_rules! about_bots {
    () => {
        " The bots leaky and brute-force follow LeakyAI by Cai, Aldi and Renatan (Universitas Pelita \
         Harapan); hybrid, influence, max-min and most others a student project of the University of \
         Liverpool (COMP390, 2023)."
    };
}

/// Both boards: the players are the same, what is told and measured differs. Nodes are simulations;
/// `cargo bench -p corvid-benches --bench strength -- board` counts those of a board second.
macro_rules! engine {
    ($game:ty, $info:expr, $help:literal, $about:literal, $rate:literal, $levels:expr, $start:expr) => {
        impl Engine for $game {
            type Bot = Bot;
            const INFO: GameInfo = $info;
            const OPTION_HELP: &'static [&'static str] = &[$help];
            const ABOUT: &'static str = concat!($about, about_bots!());
            const LEVELS: [Skill; 9] = levels($levels);
            const NODES_PER_BOARD_SECOND: u64 = $rate;

            fn start([option, _]: Options) -> Self {
                $start(option)
            }

            fn bot_move(&self, bot: Bot, thinking: &mut Thinking<'_>) -> Option<Move> {
                bots::play(self, bot, thinking)
            }

            fn best(
                &self,
                memory: &mut [u64],
                meter: &mut Meter<'_>,
                rng: &mut Rng,
                varied: bool,
                report: &mut dyn FnMut(&Report<'_, Move>),
            ) -> Option<Move> {
                let parameters = if varied { Self::VARIED } else { Self::PARAMETERS };
                self.monte_carlo_with(memory, meter, rng, parameters, report)
            }
        }
    };
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
    1000,
    [(1, 91), (1, 73), (1, 53), (1, 37), (2, 20), (6, 9), (24, 3), (120, 0)],
    |option| Duo::new(if option == 1 { StartRule::Any } else { StartRule::Own })
);

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
        bots: Bot::CLASSIC_NAMES,
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
    530,
    [(1, 91), (1, 64), (1, 44), (2, 29), (4, 14), (13, 6), (42, 2), (140, 0)],
    |option| {
        let game = Classic::default();
        if option == 1 { game.in_pairs() } else { game }
    }
);
