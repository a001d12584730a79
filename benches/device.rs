//! `cargo xtask measure device`: start-up, latency and stack of the emulated boards, in their time,
//! as in docs/device.md. Fails when a must is missed.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use corvid_core::registry::GameKind;
use corvid_tests::measure::{
    ANSWERED, Bus, MOVING, OPENING, SPARE, START, bus_of_all, bus_of_moving, latency,
    least_start_to_menu, stack, start_to_menu,
};
use corvid_tests::qemu::Lm3s6965evb;
use corvid_tests::rp2040::Pico;

fn main() -> Result<ExitCode> {
    println!("| what | measured | must |");
    println!("|---|---|---|");
    let mut table = Table::default();
    let start = start_to_menu(&mut Pico::start()?)?;
    table.time_row("start to menu, Pico", start, START);
    let start = least_start_to_menu(Lm3s6965evb::start_in_real_time)?;
    table.time_row("start to menu, LM3S6965EVB", start, START);
    let worst = latency(&mut Pico::start()?)?;
    table.time_row("a key's answer while level 9 thinks, worst, Pico", worst, ANSWERED);
    let what = "the display's I2C bus at 400 kHz, a key that moves something";
    table.bus_row(what, bus_of_moving()?, MOVING);
    table.bus_row("the same, every key on the way to all screens", bus_of_all()?, OPENING);
    for kind in GameKind::ALL {
        let (used, all) = stack(kind)?;
        let what = format!("stack, level 9 at {}, LM3S6965EVB", kind.title());
        let measured = format!("{used} of {all} bytes");
        table.row(&what, &measured, &format!("{SPARE} free"), used + SPARE <= all);
    }
    table.missed.iter().for_each(|row| eprintln!("must missed: {row}"));
    Ok(if table.missed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The rows whose must was missed.
#[derive(Default)]
struct Table {
    missed: Vec<String>,
}

impl Table {
    fn row(&mut self, what: &str, measured: &str, must: &str, is_met: bool) {
        let row = format!("| {what} | {measured} | {must} |");
        println!("{row}");
        if !is_met {
            self.missed.push(row);
        }
    }

    fn time_row(&mut self, what: &str, measured: Duration, must: Duration) {
        self.row(what, &millis(measured), &millis(must), measured <= must);
    }

    fn bus_row(&mut self, what: &str, bus: Bus, must: Duration) {
        let Bus { keys, typical, worst } = bus;
        let measured = format!("{} typical, {} worst of {keys}", millis(typical), millis(worst));
        self.row(what, &measured, &millis(must), worst <= must);
    }
}

fn millis(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}
