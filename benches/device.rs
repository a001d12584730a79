//! `cargo xtask measure device`: what the device is held to, on the emulated boards, in their time.

use anyhow::Result;
use corvid_core::setup::GameKind;
use corvid_tests::measure::{
    ANSWERED, Bus, MOVING, OPENING, SPARE, START, bus_of_all, bus_of_moving, latency, stack,
    start_to_menu,
};
use corvid_tests::qemu::Lm3s6965evb;
use corvid_tests::rp2040::Pico;
use std::time::Duration;

fn main() -> Result<()> {
    println!("| what | measured | must |");
    println!("|---|---|---|");
    let start = start_to_menu(&mut Pico::start()?)?;
    row("start to menu, Pico", &millis(start), &millis(START));
    let start = start_to_menu(&mut Lm3s6965evb::start()?)?;
    row("start to menu, LM3S6965EVB", &millis(start), &millis(START));
    let worst = latency(&mut Pico::start()?)?;
    row("a key's answer while level 9 thinks, worst, Pico", &millis(worst), &millis(ANSWERED));
    let what = "the display's I2C bus at 400 kHz, a key that moves something";
    bus_row(what, bus_of_moving()?, MOVING);
    bus_row("the same, every key on the way to all screens", bus_of_all()?, OPENING);
    for kind in GameKind::ALL {
        let (used, all) = stack(kind)?;
        let what = format!("stack, level 9 at {}, LM3S6965EVB", kind.title());
        row(&what, &format!("{used} of {all} bytes"), &format!("{SPARE} free"));
    }
    Ok(())
}

fn row(what: &str, measured: &str, must: &str) {
    println!("| {what} | {measured} | {must} |");
}

fn bus_row(what: &str, bus: Bus, must: Duration) {
    let Bus { keys, typical, worst } = bus;
    let measured = format!("{} typical, {} worst of {keys}", millis(typical), millis(worst));
    row(what, &measured, &millis(must));
}

fn millis(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}
