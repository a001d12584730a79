//! The scenarios of `tests/scenarios/` on the emulated boards; the simulator's tests run the same
//! files.
use anyhow::{Context, Result, ensure};
use corvid_tests::{board::Board, qemu::Lm3s6965evb, rp2040::Pico, rp2350::Pico2, scenario};

#[test]
fn every_scenario_on_lm3s6965evb() -> Result<()> {
    play_all(Lm3s6965evb::start)
}

#[test]
fn every_scenario_on_pico() -> Result<()> {
    play_all(Pico::start)
}

#[test]
fn every_scenario_on_pico2() -> Result<()> {
    play_all(Pico2::start)
}

fn play_all<B: Board>(start: fn() -> Result<B>) -> Result<()> {
    let names = scenario::names()?;
    ensure!(names.len() >= 6, "only {names:?}");
    for name in names {
        scenario::play(&mut start()?, &name).with_context(|| format!("scenario {name}"))?;
    }
    Ok(())
}
