//! The file of an arena: its match and the games played so far, as JSON.

use std::fmt;

use corvid_core::player::Player;
use corvid_core::session::Match;
use corvid_core::setup::Setup;
use serde::{Deserialize, Serialize};

/// The format of the file. Others are refused.
const FORMAT: &str = "corvid-arena 1";

/// The highest score, either way, of a game without its moves.
const HIGHEST: i16 = 100;

/// A game and its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Played {
    /// Its number in the match, from 0: opening and seat order follow from it.
    pub game: u32,
    /// The points of each seat.
    pub scores: Vec<i16>,
    /// The moves in GTP notation, colour first. Older files have none.
    #[serde(default)]
    pub moves: Vec<String>,
}

impl Played {
    /// Whether the moves lead to the scores by the rules. Without moves, whether a game may have them.
    fn is_possible(&self, setup: Setup) -> bool {
        if self.moves.is_empty() {
            return self.scores.iter().all(|score| (-HIGHEST..=HIGHEST).contains(score));
        }
        let mut game = Match::new(setup);
        let legal = self.moves.iter().all(|text| {
            let player = game.turn();
            let text = text.strip_prefix(color_word(setup, player));
            text.is_some_and(|text| game.play(player, text.trim_start()).is_ok())
        });
        legal && game.is_over() && *game.seat_scores() == *self.scores
    }
}

/// How GTP names a player of a game.
pub fn color_word(setup: Setup, player: Player) -> &'static str {
    match (setup.kind().info().colors.len(), player.index()) {
        (3.., index) => ["1", "2", "3", "4"][index % 4],
        (_, 0) => "b",
        _ => "w",
    }
}

/// What determines the games: two runs with equal settings are one match.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are those of the command line")]
pub struct Description {
    pub game: String,
    pub options: String,
    pub players: Vec<String>,
    pub orders: String,
    pub openings: u32,
    pub seed: u64,
    pub memory_kb: usize,
    pub move_ms: u64,
}

#[derive(Deserialize)]
struct File {
    format: String,
    #[serde(rename = "match")]
    of: Description,
    games: Vec<Played>,
}

/// Why a file is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wrong {
    /// It is not the file of an arena, or a damaged one.
    Damaged(String),
    /// It is the file of another match.
    OtherMatch,
    /// It holds more than so many games.
    TooMany(u32),
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged(why) => {
                write!(f, "is not a record of an arena ({why}); name another file")
            }
            Self::OtherMatch => f.write_str(
                "holds another match (game, players, openings, seed, memory or time differ); name \
                 another file",
            ),
            Self::TooMany(games) => {
                write!(f, "holds more than {games} games; ask for as many with --games")
            }
        }
    }
}

/// The games in a file, which must be of this match with so many games.
pub fn read(text: &str, of: &Description, setup: Setup, games: u32) -> Result<Vec<Played>, Wrong> {
    let damaged = |why: &str| Wrong::Damaged(why.into());
    let file: File = serde_json::from_str(text).map_err(|error| damaged(&error.to_string()))?;
    if file.format != FORMAT {
        return Err(damaged("its format is not known"));
    }
    if file.of != *of {
        return Err(Wrong::OtherMatch);
    }
    let seats = of.players.len();
    let in_order = file.games.windows(2).all(|pair| pair[0].game < pair[1].game);
    if !in_order || file.games.iter().any(|game| game.scores.len() != seats) {
        return Err(damaged("its games are not in order"));
    }
    if let Some(wrong) = file.games.iter().find(|game| !game.is_possible(setup)) {
        return Err(damaged(&format!("game {} can't have ended so", wrong.game)));
    }
    if file.games.last().is_some_and(|last| last.game >= games) {
        return Err(Wrong::TooMany(games));
    }
    Ok(file.games)
}

/// The text of a file; the table is for people who read it.
pub fn write(
    of: &Description,
    games: &[Played],
    table: Vec<serde_json::Value>,
) -> serde_json::Result<String> {
    /// As [`File`], with what is never read back.
    #[derive(Serialize)]
    struct Written<'a> {
        format: &'static str,
        #[serde(rename = "match")]
        of: &'a Description,
        games: &'a [Played],
        table: Vec<serde_json::Value>,
    }
    serde_json::to_string(&Written { format: FORMAT, of, games, table })
}
