//! The long form of the test `soak`.
use anyhow::{Context, Result, bail};
use corvid_tests::{
    qemu::Lm3s6965evb,
    rp2040::Pico,
    soak::{Plan, SESSION, Soaked, Totals, soak},
};
use std::{env::args, time::Duration};

const HELP: &str = "\
Drives an emulated board at random: commands, keys and garbage over all games, options and players.

usage: soak --board lm3s6965evb|pico [--seed N] [--first EPISODE] [--episodes N]
            [--hours DEVICE-HOURS] [--minutes HOST-MINUTES] [--rest DEVICE-MINUTES]

After every episode the board is left alone for up to 30 minutes, or as --rest says.
A line of progress every ten minutes of device time, and a summary. A violation ends the run and says
how to repeat it. Runs with different seeds, or with one seed and other episodes, add up: --first takes
the number after the last episode of the run before.";

fn main() -> Result<()> {
    let mut plan = Plan {
        seed: 1,
        first: 0,
        episodes: u64::MAX,
        device: Duration::from_secs(24 * 3600),
        host: Duration::MAX,
        rest: Duration::from_secs(30 * 60),
    };
    let mut board = String::new();
    let mut words = args().skip(1);
    while let Some(word) = words.next() {
        if word == "--help" {
            println!("{HELP}");
            return Ok(());
        }
        let value = words.next().with_context(|| format!("{word} needs a value\n{HELP}"))?;
        let seconds = |each: f64| -> Result<Duration> {
            Ok(Duration::try_from_secs_f64(value.parse::<f64>()? * each)?)
        };
        match word.as_str() {
            "--board" => board.clone_from(&value),
            "--seed" => plan.seed = value.parse()?,
            "--first" => plan.first = value.parse()?,
            "--episodes" => plan.episodes = value.parse()?,
            "--hours" => plan.device = seconds(3600.0)?,
            "--minutes" => plan.host = seconds(60.0)?,
            "--rest" => plan.rest = seconds(60.0)?,
            _ => bail!("unknown option {word}\n{HELP}"),
        }
    }
    match board.as_str() {
        "lm3s6965evb" => run::<Lm3s6965evb>(&board, &plan),
        "pico" => run::<Pico>(&board, &plan),
        _ => bail!("which board?\n{HELP}"),
    }
}

fn run<B: Soaked>(board: &str, plan: &Plan) -> Result<()> {
    let line = |totals: &Totals| println!("{board}, seed {}: {totals}", plan.seed);
    let totals = soak::<B>(plan, line)?;
    let next = (plan.first + totals.episodes).next_multiple_of(SESSION);
    println!("{board}, seed {}: {totals}, violations 0; --first {next} goes on", plan.seed);
    Ok(())
}
