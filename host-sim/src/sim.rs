//! `corvid sim`: the device's application on simulated hardware.

mod console;
pub(crate) mod live;
#[cfg(unix)]
mod pty;
mod saves;
mod terminal;

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use corvid::flash::Flash;
use corvid::machine::{Board, Plan};
use corvid::scenario::Scenario;
use corvid::script::{self, Outputs, ScriptError};

use crate::args::SimArgs;
use crate::failure::Failure;
use crate::files;
use saves::Saves;

/// The boards that can be simulated.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum BoardArg {
    Pico,
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

/// The most bytes of a script.
const SCRIPT: u64 = 1024 * 1024;

/// The scenario that shows every screen that all boards share.
const SCREENS: &str = include_str!("sim/screens.txt");

/// What follows it on a board with comforts.
const COMFORTS: &str = include_str!("sim/comforts.txt");

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
        let comforts = if board.profile().comforts { COMFORTS } else { "" };
        return play(plan, &[SCREENS, comforts].concat(), "the screens", outputs);
    }
    if !args.headless {
        terminal::check()?;
        plan.seed = args.seed.or_else(seed);
        let saves = board.saves().then(|| saves(&plan, args));
        if let Some(saves) = &saves {
            plan.flash = saves.flash.clone();
        }
        return terminal::run(plan, args, saves);
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
            let text = files::read_text(path, SCRIPT)
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

/// What a device for a person keeps: in the file that was named, or else in the user's data folder.
fn saves(plan: &Plan, args: &SimArgs) -> Saves {
    match &args.save {
        Some(path) => Saves::in_file(plan.flash.clone(), path),
        None if args.no_save => Saves::nowhere("--no-save"),
        None => Saves::of_user(),
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
