//! The boards under random commands, keys and garbage, in short. `cargo run -p corvid-tests --bin soak`
//! does the same for hours.
use anyhow::{Result, ensure};
use corvid_core::registry::GameKind;
use corvid_tests::{
    qemu::Lm3s6965evb,
    rp2040::Pico,
    soak::{Plan, Soaked, combinations, soak},
};
use std::time::Duration;

/// Runs episodes that play each game.
fn drive<B: Soaked>(seed: u64, episodes: u64) -> Result<()> {
    let (device, host, rest) = (Duration::MAX, Duration::MAX, Duration::from_secs(20));
    let plan = Plan { seed, first: 0, episodes, device, host, rest };
    let totals = soak::<B>(&plan, |_| {})?;
    println!("{totals}, violations 0");
    let played = |kind: &GameKind| {
        totals.covered.iter().any(|index| combinations()[*index].setup.kind() == *kind)
    };
    ensure!(GameKind::ALL.iter().all(played), "seed {seed} does not play every game");
    Ok(())
}

#[test]
fn the_lm3s6965_takes_anything() -> Result<()> {
    drive::<Lm3s6965evb>(1, 3)
}

#[test]
fn the_pico_takes_anything() -> Result<()> {
    drive::<Pico>(1, 2)
}
