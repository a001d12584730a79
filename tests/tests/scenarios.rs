//! The scenarios of `tests/scenarios/` on the emulated boards; the simulator's tests run the same
//! files.
use anyhow::Result;
use corvid_tests::{qemu::Lm3s6965evb, rp2040::Pico, scenario::play};

#[test]
fn dots_on_lm3s6965evb() -> Result<()> {
    play(&mut Lm3s6965evb::start()?, "dots")
}

#[test]
fn dots_on_pico() -> Result<()> {
    play(&mut Pico::start()?, "dots")
}

#[test]
fn console_on_lm3s6965evb() -> Result<()> {
    play(&mut Lm3s6965evb::start()?, "console")
}

#[test]
fn console_on_pico() -> Result<()> {
    play(&mut Pico::start()?, "console")
}
