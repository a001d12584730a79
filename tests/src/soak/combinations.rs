//! Every game with all its options, and everybody who plays it.
use corvid_core::{registry::GameKind, setup::Setup};
use std::{fmt, sync::OnceLock};

/// Who moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Player {
    /// A bot, by its name.
    Bot(&'static str),
    /// A level.
    Level(u8),
    /// The search with so many nodes.
    Nodes(u64),
}

/// The command that chooses it.
impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bot(name) => write!(f, "bot {name}"),
            Self::Level(level) => write!(f, "level {level}"),
            Self::Nodes(nodes) => write!(f, "nodes {nodes}"),
        }
    }
}

/// A game, its options and a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Combination {
    /// The game and its options.
    pub setup: Setup,
    /// Who moves.
    pub player: Player,
}

/// Budgets in nodes, the last without end.
const NODES: [u64; 3] = [1, 300, 4_000_000_000];

/// All combinations.
pub fn combinations() -> &'static [Combination] {
    static ALL: OnceLock<Vec<Combination>> = OnceLock::new();
    ALL.get_or_init(|| GameKind::ALL.into_iter().flat_map(of).collect())
}

fn of(kind: GameKind) -> Vec<Combination> {
    let mut setups = vec![Setup::usual(kind)];
    for (index, option) in kind.info().options.iter().enumerate() {
        let (first, last) = option.values.range();
        let with = |setup: &Setup| {
            let setup = *setup;
            (first..=last).filter_map(move |value| setup.with(index, value))
        };
        setups = setups.iter().flat_map(with).collect();
    }
    let bots = kind.info().bots.iter().map(|name| Player::Bot(name));
    let players: Vec<_> =
        bots.chain((1..=9).map(Player::Level)).chain(NODES.map(Player::Nodes)).collect();
    let all = |setup: Setup| players.iter().map(move |&player| Combination { setup, player });
    setups.into_iter().flat_map(all).collect()
}
