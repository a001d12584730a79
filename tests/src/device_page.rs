//! The rows of docs/device.md's table: `cargo xtask measure device` prints them, and the tests that measure
//! the same hold the page to them.

use std::fmt;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use corvid_core::registry::GameKind;

use crate::measure::{ANSWERED, Bus, MOVING, OPENING, SPARE, START};

const PAGE: &str = include_str!("../../docs/device.md");

/// The columns of the table.
const HEADING: &str = "| what | measured | must |\n|---|---|---|";

/// Bytes by which a stack's high-water mark may differ from the page: an interrupt comes a little earlier
/// or later, and another version of the compiler makes other frames.
const TOLERANCE: u64 = 2048;

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    what: String,
    measured: String,
    must: String,
    /// Whether the must is reached.
    pub is_met: bool,
}

impl Row {
    /// From power-on to the menu, on the Pico.
    pub fn start_of_pico(time: Duration) -> Self {
        Self::time("start to menu, Pico", time, START)
    }

    /// The same on the LM3S6965.
    pub fn start_of_lm3s6965evb(time: Duration) -> Self {
        Self::time("start to menu, LM3S6965EVB", time, START)
    }

    /// From a key press to its effect.
    pub fn answer(time: Duration) -> Self {
        Self::time("a key's answer while level 9 thinks, worst, Pico", time, ANSWERED)
    }

    /// The display's bus with keys that move something.
    pub fn moving(bus: Bus) -> Self {
        Self::bus("the display's I2C bus at 400 kHz, a key that moves something", bus, MOVING)
    }

    /// The display's bus with every key.
    pub fn opening(bus: Bus) -> Self {
        Self::bus("the same, every key on the way to all screens", bus, OPENING)
    }

    /// The stack in use of all that there is.
    pub fn stack(kind: GameKind, used: u64, all: u64) -> Self {
        Self {
            what: format!("stack, level 9 at {}, LM3S6965EVB", kind.title()),
            measured: format!("{used} of {all} bytes"),
            must: format!("{SPARE} free"),
            is_met: used + SPARE <= all,
        }
    }

    fn time(what: &str, measured: Duration, must: Duration) -> Self {
        let is_met = measured <= must;
        Self { what: what.into(), measured: millis(measured), must: millis(must), is_met }
    }

    fn bus(what: &str, bus: Bus, must: Duration) -> Self {
        let Bus { keys, typical, worst } = bus;
        let measured = format!("{} typical, {} worst of {keys}", millis(typical), millis(worst));
        Self { what: what.into(), measured, must: millis(must), is_met: worst <= must }
    }

    /// The heading of the table.
    pub const fn heading() -> &'static str {
        HEADING
    }

    /// Whether the page has this row, to the digit.
    pub fn check(&self) -> Result<()> {
        ensure!(PAGE.contains(&format!("\n{self}\n")), "docs/device.md should have\n{self}");
        Ok(())
    }

    /// Whether the page has this row, with a measured figure of any size: where the emulator's time isn't exact.
    pub fn check_must(&self) -> Result<()> {
        self.documented().map(drop)
    }

    /// Whether the page has this row of a stack, as much in use up to the tolerance.
    pub fn check_stack(&self) -> Result<()> {
        let page = self.documented()?;
        let figures = |text: &str| {
            let (used, all) = text.strip_suffix(" bytes")?.split_once(" of ")?;
            Some((used.parse::<u64>().ok()?, all.to_owned()))
        };
        let (page, now) = (figures(page), figures(&self.measured));
        let (page, now) = page.zip(now).with_context(|| format!("no stack: {self}"))?;
        ensure!(
            page.1 == now.1 && page.0.abs_diff(now.0) <= TOLERANCE,
            "docs/device.md has {page:?} in the row\n{self}"
        );
        Ok(())
    }

    /// The page's measured figure in the row of the same name and must.
    fn documented(&self) -> Result<&'static str> {
        let (start, end) = (format!("| {} | ", self.what), format!(" | {} |", self.must));
        let cell = |line: &'static str| line.strip_prefix(&start)?.strip_suffix(&end);
        PAGE.lines().find_map(cell).with_context(|| format!("docs/device.md should have\n{self}"))
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "| {} | {} | {} |", self.what, self.measured, self.must)
    }
}

fn millis(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Those that the tests compare, one by one, and no other.
    #[test]
    fn the_page_has_all_rows_and_no_others() {
        let table = PAGE.split_once(HEADING).unwrap().1.trim_start();
        let rows: Vec<&str> = table.lines().take_while(|line| line.starts_with('|')).collect();
        let (time, bus) =
            (Duration::ZERO, Bus { keys: 0, typical: Duration::ZERO, worst: Duration::ZERO });
        let mut known = vec![
            Row::start_of_pico(time),
            Row::start_of_lm3s6965evb(time),
            Row::answer(time),
            Row::moving(bus),
            Row::opening(bus),
        ];
        known.extend(GameKind::ALL.map(|kind| Row::stack(kind, 0, 0)));
        assert_eq!(rows.len(), known.len());
        known.iter().for_each(|row| row.check_must().unwrap());
    }

    #[test]
    fn another_figure_or_must_is_found() {
        let row = Row::stack(GameKind::Othello, 0, 0);
        let page = row.documented().unwrap();
        let same = Row { measured: page.to_owned(), ..row.clone() };
        assert!(same.check().is_ok() && same.check_stack().is_ok());
        assert!(row.check().is_err() && row.check_stack().is_err());
        assert!(Row { must: "0 free".to_owned(), ..same }.check_must().is_err());
    }
}
