//! Every screen of the manual on the emulated boards, pixel by pixel. The simulator's tests compare
//! the same pictures with what both simulated boards show.
use anyhow::{Result, ensure};
use corvid_tests::{
    device_page::Row,
    measure::{OPENING, bus_of_all},
    qemu::Lm3s6965evb,
    scenario::play_screens,
};

#[test]
fn every_screen_on_lm3s6965evb() -> Result<()> {
    play_screens(&mut Lm3s6965evb::start()?)
}

#[test]
fn every_screen_on_pico() -> Result<()> {
    let bus = bus_of_all()?;
    ensure!(bus.keys >= 300 && bus.worst <= OPENING, "a key took too long on the bus: {bus:?}");
    Row::opening(bus).check()
}
