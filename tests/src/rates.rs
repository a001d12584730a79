//! How many simulations a board does in a second of its time, in a game of Blokus against itself:
//! the tables of docs/fpga.md and docs/strength.md.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use corvid_core::engine::Engine;
use corvid_core::games::blokus::Duo;
use corvid_core::registry::GameKind;
use corvid_firmware::profile::{LM3S6965EVB, PROFILES, Profile};

use crate::board::Board;
use crate::measure::{INSTRUCTIONS_PER_MS, cputime};

/// More board time than a move takes.
const PATIENCE: Duration = Duration::from_secs(600);

/// The plies that make an opening: the moves with the most placements, and so the slowest.
pub const OPENING: usize = 4;

/// The columns of docs/fpga.md's table of boards.
const HEADING: &str = "\
| board | clock | search memory | simulations a second, opening | whole game | per MHz | how known |
|---|---|---|---|---|---|---|";

/// Rates may differ from the page by this share: another version of the compiler, or a change
/// elsewhere in the image.
const TOLERANCE: f64 = 0.02;

/// The simulations and milliseconds of each ply.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plies(pub Vec<(u64, u64)>);

impl Plies {
    /// Plays a game, or so many plies of it, with this budget for each move; solved endings don't
    /// count. A tree search may stop before its budget, so the number that it reports is used; the
    /// others report finished iterations only, and use their budget.
    pub fn measure(
        board: &mut impl Board,
        kind: GameKind,
        nodes: u64,
        most: usize,
    ) -> Result<Self> {
        let colors = match kind {
            GameKind::BlokusClassic => &["1", "2", "3", "4"][..],
            _ => &["b", "w"],
        };
        for command in [
            &format!("set_game {kind}"),
            &format!("nodes {nodes}"),
            "set_random_seed 1",
            "progress on",
        ] {
            let answer = board.ask(command, PATIENCE)?;
            ensure!(answer.starts_with('='), "{command}: {answer}");
        }
        let tells_all = matches!(kind, GameKind::BlokusDuo | GameKind::BlokusClassic);
        let mut plies = Vec::new();
        for color in colors.iter().cycle().take(most) {
            let begun = cputime(board)?;
            board.send(format!("genmove {color}\n").as_bytes())?;
            let answer = board.receive_until("\n\n", PATIENCE)?;
            let taken = cputime(board)? - begun;
            // The last notice is the final one; without any, the move was forced.
            let notice = answer.lines().rfind(|line| line.starts_with("# depth "));
            let Some(notice) = notice.filter(|line| line.contains("hundredths")) else { break };
            let told = notice.split(" nodes ").nth(1).and_then(|rest| rest.split(' ').next());
            let told = told.context("no nodes")?.parse()?;
            plies.push((if tells_all { told } else { nodes }, taken));
        }
        Ok(Self(plies))
    }

    /// Simulations a second in some of the plies.
    pub fn rate(plies: &[(u64, u64)]) -> u64 {
        let (done, taken) = plies.iter().fold((0, 0), |sum, ply| (sum.0 + ply.0, sum.1 + ply.1));
        done * 1000 / taken.max(1)
    }
}

/// A board's simulations a second in Blokus Duo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// In the first plies.
    pub opening: u64,
    /// In a whole game.
    pub game: u64,
}

impl Rate {
    /// Measures a board.
    pub fn measure(board: &mut impl Board) -> Result<Self> {
        let plies =
            Plies::measure(board, GameKind::BlokusDuo, Duo::NODES_PER_BOARD_SECOND, usize::MAX)?;
        let opening = plies.0.get(..OPENING).context("a short game")?;
        Ok(Self { opening: Plies::rate(opening), game: Plies::rate(&plies.0) })
    }

    /// The opening alone, which takes a tenth of the time.
    pub fn measure_opening(board: &mut impl Board) -> Result<u64> {
        let nodes = Duo::NODES_PER_BOARD_SECOND;
        Ok(Plies::rate(&Plies::measure(board, GameKind::BlokusDuo, nodes, OPENING)?.0))
    }

    /// What a board's profile makes of the LM3S6965's.
    fn scaled(self, profile: Profile) -> Self {
        let scale = |rate| rate * u64::from(profile.speed) / 100;
        Self { opening: scale(self.opening), game: scale(self.game) }
    }
}

/// docs/fpga.md's table of boards, from the rates of the emulated ones.
pub fn table(measured: &[(Profile, Rate)]) -> Result<String> {
    let reference = measured.iter().find(|(profile, _)| *profile == LM3S6965EVB);
    let (_, reference) = reference.context("the LM3S6965 was not measured")?;
    let mut table = HEADING.to_owned();
    for profile in PROFILES {
        let own = measured.iter().find(|(other, _)| *other == profile);
        let (rate, known) = match own {
            Some((_, rate)) => (*rate, "emulated"),
            None => (reference.scaled(profile), "estimated"),
        };
        let Profile { title, clock_mhz, memory_kb, .. } = profile;
        // Its emulator counts instructions, not cycles.
        let (clock, mhz) = if profile == LM3S6965EVB {
            let mips = INSTRUCTIONS_PER_MS as f64 / 1000.0;
            (format!("{clock_mhz} MHz, emulated as {mips}"), mips)
        } else {
            (format!("{clock_mhz} MHz"), f64::from(clock_mhz))
        };
        table.push_str(&format!(
            "\n| {title} | {clock} | {memory_kb} KB | {} | {} | {:.1} | {known} |",
            rate.opening,
            rate.game,
            rate.game as f64 / mhz
        ));
    }
    Ok(table)
}

/// The rates that a page's table has for a board.
pub fn documented(page: &str, profile: Profile) -> Result<Rate> {
    let row = page.lines().find(|line| line.starts_with(&format!("| {} | ", profile.title)));
    let row = row.with_context(|| format!("no row for {}", profile.title))?;
    let cell = |place: usize| row.split(" | ").nth(place).and_then(|cell| cell.parse().ok());
    Ok(Rate {
        opening: cell(3).with_context(|| format!("no rate: {row}"))?,
        game: cell(4).with_context(|| format!("no rate: {row}"))?,
    })
}

/// Whether a measured rate is the page's, up to the tolerance.
pub fn is_near(measured: u64, page: u64) -> bool {
    (measured as f64 - page as f64).abs() <= TOLERANCE * page as f64
}
