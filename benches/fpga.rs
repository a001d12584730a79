//! `cargo xtask measure fpga`: the simulations a second of Blokus Duo on every board, as in
//! docs/fpga.md.

use anyhow::Result;
use corvid_tests::board::Board;
use corvid_tests::qemu::Lm3s6965evb;
use corvid_tests::rates::{Rate, table};
use corvid_tests::rp2040::Pico;

fn main() -> Result<()> {
    let (mut reference, mut pico) = (Lm3s6965evb::start()?, Pico::start()?);
    let measured = [
        (reference.profile()?, Rate::measure(&mut reference)?),
        (pico.profile()?, Rate::measure(&mut pico)?),
    ];
    println!("{}", table(&measured)?);
    Ok(())
}
