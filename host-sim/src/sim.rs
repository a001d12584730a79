//! `corvid sim`: the device's application on simulated hardware.

mod console;
mod live;
#[cfg(unix)]
mod pty;
mod terminal;

use std::fs;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use corvid::flash::Flash;
use corvid::machine::{Board, Plan};
use corvid::scenario::Scenario;
use corvid::script::{self, Outputs, ScriptError};

use crate::args::SimArgs;
use crate::failure::Failure;

/// The boards that can be simulated.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum BoardArg {
    /// Raspberry Pi Pico: an OLED module, USB, games are saved.
    Pico,
    /// TI LM3S6965 evaluation board: grey display, UART, nothing is saved.
    Lm3s6965evb,
}

impl From<BoardArg> for Board {
    fn from(board: BoardArg) -> Self {
        match board {
            BoardArg::Pico => Self::Pico,
            BoardArg::Lm3s6965evb => Self::Lm3s6965evb,
        }
    }
}

/// The scenario that shows every screen.
const SCREENS: &str = include_str!("sim/screens.txt");

/// Opens the device in the terminal, or does what the options say.
pub(crate) fn run(args: &SimArgs) -> Result<(), Failure> {
    if args.pty && cfg!(not(unix)) {
        return Err(Failure::Other("--pty needs a Unix system".into()));
    }
    let board = Board::from(args.board);
    if args.save.is_some() && !board.saves() {
        let board = board.title();
        return Err(Failure::Usage(format!("the {board} can't save games: leave out --save")));
    }
    let mut plan = Plan { seed: args.seed, ..Plan::new(board) };
    if let Some(path) = &args.save {
        plan.flash = Flash::open(path).map_err(|error| Failure::Other(error.to_string()))?;
    }
    if let Some(folder) = &args.pictures {
        let outputs = Outputs { pictures: folder.clone(), ..Outputs::default() };
        plan.seed = args.seed.or(Some(1));
        return play(plan, SCREENS, "the screens", outputs);
    }
    if !args.headless {
        plan.seed = args.seed.or_else(seed);
        return terminal::run(plan, args);
    }
    #[cfg(unix)]
    if args.pty {
        return pty::run(plan, args.speed);
    }
    let outputs = |golden: PathBuf| Outputs {
        screenshot: args.screenshot.clone(),
        animation: args.animation.clone(),
        pictures: PathBuf::from("."),
        golden,
    };
    match &args.script {
        Some(path) => {
            let name = path.display().to_string();
            let text = fs::read_to_string(path)
                .map_err(|error| Failure::Other(format!("script {name}: {error}")))?;
            let golden = args.golden.clone().unwrap_or_else(|| beside(path));
            play(plan, &text, &name, outputs(golden))
        }
        None if args.screenshot.is_some() || args.animation.is_some() => {
            play(plan, "wait 1000", "start", outputs(PathBuf::new()))
        }
        None => Err(Failure::Usage(
            "--headless has nothing to do: add --script FILE, --screenshot FILE.png or --pty"
                .into(),
        )),
    }
}

fn play(plan: Plan, text: &str, name: &str, outputs: Outputs) -> Result<(), Failure> {
    let scenario =
        Scenario::parse(text).map_err(|fault| Failure::Other(format!("{name}: {fault}")))?;
    script::run(plan, scenario, outputs).map_err(|error| {
        Failure::Other(match error {
            ScriptError::Fault(fault) => format!("{name}: {fault}"),
            ScriptError::Picture(error) => error.to_string(),
        })
    })
}

/// The golden pictures of the scenarios in a folder: in the folder `golden` beside it.
fn beside(script: &Path) -> PathBuf {
    let folder = script.parent().unwrap_or(Path::new(""));
    folder.join("../golden")
}

/// A seed that differs from run to run.
fn seed() -> Option<u64> {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.ok().map(|since| since.as_nanos() as u64)
}
