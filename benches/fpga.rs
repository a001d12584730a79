//! `cargo xtask measure fpga`: the simulations a second of Blokus Duo on every board, as in
//! docs/fpga.md.

use anyhow::Result;
use corvid_tests::board::Board;
use corvid_tests::qemu::Lm3s6965evb;
use corvid_tests::rates::{Rate, table};
use corvid_tests::rp2040::Pico;
use corvid_tests::rp2350::Pico2;

fn main() -> Result<()> {
    let (mut reference, mut pico, mut pico2) =
        (Lm3s6965evb::start()?, Pico::start()?, Pico2::start()?);
    let measured = [
        (reference.profile()?, Rate::measure(&mut reference)?),
        (pico.profile()?, Rate::measure(&mut pico)?),
        (pico2.profile()?, Rate::measure(&mut pico2)?),
    ];
    println!("{}", table(&measured)?);
    Ok(())
}
