//! `corvid sim`: the device's application on simulated parts.

mod console;
mod flash;
mod live;
mod machine;
mod parts;
mod picture;
#[cfg(unix)]
mod pty;
mod script;
mod terminal;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use corvid::scenario::Scenario;

use crate::args::SimArgs;
use crate::failure::Failure;

use flash::Flash;
pub(crate) use machine::Board;
use machine::Plan;
use script::Outputs;

/// How long thinking may stay away in a scenario: as long as it takes, but for counts that take
/// hours.
const SCRIPT_PATIENCE: Duration = Duration::from_secs(5);

/// How long thinking may stay away when somebody is looking.
const LIVE_PATIENCE: Duration = Duration::from_millis(20);

/// The scenario that shows every screen.
const SCREENS: &str = include_str!("sim/screens.txt");

/// Opens the device in the terminal, or does what the options say.
pub(crate) fn run(args: &SimArgs) -> Result<(), Failure> {
    if args.pty && cfg!(not(unix)) {
        return Err(Failure::Other("--pty needs a Unix system".into()));
    }
    if args.save.is_some() && !args.board.saves() {
        let board = args.board.title();
        return Err(Failure::Usage(format!("the {board} can't save games: leave out --save")));
    }
    let flash = args.save.as_deref().map_or_else(|| Ok(Flash::new()), Flash::open)?;
    let plan = |patience| Plan { board: args.board, seed: args.seed, patience, flash };
    if let Some(folder) = &args.pictures {
        let outputs = Outputs { pictures: folder.clone(), ..Outputs::default() };
        let plan = Plan { seed: args.seed.or(Some(1)), ..plan(SCRIPT_PATIENCE) };
        return play(plan, SCREENS, "the screens", outputs);
    }
    if !args.headless {
        return terminal::run(Plan { seed: args.seed.or_else(seed), ..plan(LIVE_PATIENCE) }, args);
    }
    #[cfg(unix)]
    if args.pty {
        return pty::run(plan(LIVE_PATIENCE), args.speed);
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
            play(plan(SCRIPT_PATIENCE), &text, &name, outputs(golden))
        }
        None if args.screenshot.is_some() || args.animation.is_some() => {
            play(plan(SCRIPT_PATIENCE), "wait 1000", "start", outputs(PathBuf::new()))
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
    script::run(plan, &scenario, name, outputs)
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
