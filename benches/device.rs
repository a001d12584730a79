//! `cargo xtask measure device`: start-up, latency and stack of the emulated boards, in their time,
//! as in docs/device.md. Fails when a must is missed.

use std::process::ExitCode;

use anyhow::Result;
use corvid_core::registry::GameKind;
use corvid_tests::device_page::Row;
use corvid_tests::measure::{
    bus_of_all, bus_of_moving, latency, least_start_to_menu, stack, start_to_menu,
};
use corvid_tests::qemu::Lm3s6965evb;
use corvid_tests::rp2040::Pico;

fn main() -> Result<ExitCode> {
    println!("{}", Row::heading());
    let mut missed = Vec::new();
    let mut print = |row: Row| {
        println!("{row}");
        if !row.is_met {
            missed.push(row);
        }
    };
    print(Row::start_of_pico(start_to_menu(&mut Pico::start()?)?));
    let start = least_start_to_menu(Lm3s6965evb::start_in_real_time)?;
    print(Row::start_of_lm3s6965evb(start));
    print(Row::answer(latency(&mut Pico::start()?)?));
    print(Row::moving(bus_of_moving()?));
    print(Row::opening(bus_of_all()?));
    for kind in GameKind::ALL {
        let (used, all) = stack(kind)?;
        print(Row::stack(kind, used, all));
    }
    missed.iter().for_each(|row| eprintln!("must missed: {row}"));
    Ok(if missed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
