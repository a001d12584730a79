//! docs/fpga.md's table of boards is what `cargo xtask measure fpga` prints.

use anyhow::{Result, ensure};
use corvid_firmware::profile::{LM3S6965EVB, PICO, PICO2};
use corvid_tests::qemu::Lm3s6965evb;
use corvid_tests::rates::{Rate, documented, is_near, table};
use corvid_tests::rp2040::Pico;
use corvid_tests::rp2350::Pico2;

const PAGE: &str = include_str!("../../docs/fpga.md");

/// Every board has its row, and what is not measured follows from what is.
#[test]
fn the_rows_follow_from_the_measured_ones_and_the_profiles() -> Result<()> {
    let measured =
        [LM3S6965EVB, PICO, PICO2].map(|profile| Ok((profile, documented(PAGE, profile)?)));
    let table = table(&measured.into_iter().collect::<Result<Vec<_>>>()?)?;
    ensure!(PAGE.contains(&format!("\n\n{table}\n\n")), "print the table anew, like\n{table}");
    Ok(())
}

#[test]
fn the_lm3s6965_does_what_the_page_says() -> Result<()> {
    let page = documented(PAGE, LM3S6965EVB)?;
    let rate = Rate::measure(&mut Lm3s6965evb::start()?)?;
    ensure!(is_near(rate.game, page.game), "{rate:?}, not {page:?}");
    ensure!(is_near(rate.opening, page.opening), "{rate:?}, not {page:?}");
    Ok(())
}

/// The opening alone: a whole game takes its emulator minutes.
#[test]
fn the_pico_opens_as_fast_as_the_page_says() -> Result<()> {
    let page = documented(PAGE, PICO)?.opening;
    let opening = Rate::measure_opening(&mut Pico::start()?)?;
    ensure!(is_near(opening, page), "{opening}, not {page}");
    Ok(())
}

#[test]
fn the_pico2_opens_as_fast_as_the_page_says() -> Result<()> {
    let page = documented(PAGE, PICO2)?.opening;
    let opening = Rate::measure_opening(&mut Pico2::start()?)?;
    ensure!(is_near(opening, page), "{opening}, not {page}");
    Ok(())
}
