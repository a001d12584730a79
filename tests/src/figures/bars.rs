//! Rows of the table: what is measured, what it must reach, what it should reach.

use std::fmt;

use anyhow::{Context, Result, ensure};
use corvid::statistics::Score;

/// A row: what is measured and the bars for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bar {
    /// What is measured, and under which conditions.
    pub what: &'static str,
    /// What it must reach.
    pub must: Option<Measured>,
    /// What would be good to reach.
    pub aim: Option<Measured>,
}

/// A figure, or a bar for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Measured {
    /// Nodes searched.
    Nodes(u64),
    /// Instructions of the LM3S6965's Cortex-M3, in millions.
    Instructions(f64),
    /// Seconds of processor time on this machine.
    Seconds(f64),
    /// The score in a match of so many games.
    Score(Score, u32),
    /// A bar for a score, in per cent.
    Percent(f64),
}

use Measured::{Instructions, Nodes, Percent, Seconds};

/// How a figure compares with its bars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Both bars are reached, or there are none.
    Good,
    /// The must is reached, the aim is not.
    AimMissed,
    /// The must is not reached.
    MustMissed,
}

/// Instructions may differ from the page by this share: another version of the compiler, or a
/// change elsewhere in the image.
const TOLERANCE: f64 = 0.02;

/// What the page shows for bars that do not exist.
const NONE: &str = "-";

/// The columns of the table.
const HEADING: &str = "| what | measured | must | aim |";

impl Measured {
    fn amount(self) -> f64 {
        match self {
            Nodes(nodes) => nodes as f64,
            Instructions(millions) => millions,
            Seconds(seconds) => seconds,
            Self::Score(score, _) => score.share * 100.0,
            Percent(percent) => percent,
        }
    }

    /// Whether it is as good as a bar in the same unit.
    fn reaches(self, bar: Self) -> bool {
        match self {
            Self::Score(..) | Percent(_) => self.amount() >= bar.amount(),
            _ => self.amount() <= bar.amount(),
        }
    }

    /// Whether the page's cell says the same: nodes and scores to the digit, instructions within
    /// 2 %. Seconds are those of another machine or hour.
    pub fn is_documented(self, cell: &str) -> bool {
        match self {
            Instructions(millions) => {
                let written = cell.strip_suffix(" million instructions");
                let written = written.and_then(|written| written.parse::<f64>().ok());
                written.is_some_and(|written| (written - millions).abs() <= TOLERANCE * millions)
            }
            Seconds(_) => cell.ends_with(" s"),
            _ => cell == self.to_string(),
        }
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Nodes(nodes) => write!(f, "{} nodes", grouped(*nodes)),
            Instructions(millions) => write!(f, "{millions:.2} million instructions"),
            Seconds(seconds) if *seconds < 100.0 => write!(f, "{seconds:.2} s"),
            Seconds(seconds) => write!(f, "{seconds:.0} s"),
            Self::Score(score, games) => write!(f, "{score} of {games} games"),
            Percent(percent) => write!(f, "{percent} %"),
        }
    }
}

/// A number with commas between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

impl Bar {
    /// The heading of a table of bars.
    pub fn heading() -> String {
        format!("{HEADING}\n|---|---|---|---|")
    }

    /// Compares a figure with the bars.
    pub fn verdict(&self, measured: Measured) -> Verdict {
        let missed = |bar: Option<Measured>| bar.is_some_and(|bar| !measured.reaches(bar));
        if missed(self.must) {
            Verdict::MustMissed
        } else if missed(self.aim) {
            Verdict::AimMissed
        } else {
            Verdict::Good
        }
    }

    /// The row of the table, with this in the second cell.
    pub fn row(&self, measured: impl fmt::Display) -> String {
        let [must, aim] = self.bars();
        format!("| {} | {measured} | {must} | {aim} |", self.what)
    }

    fn bars(&self) -> [String; 2] {
        [self.must, self.aim].map(|bar| match bar {
            // The measured cell has the unit.
            Some(Nodes(nodes)) => grouped(nodes),
            Some(Instructions(millions)) => format!("{millions} million"),
            Some(Seconds(seconds)) => format!("{seconds} s"),
            Some(bar) => bar.to_string(),
            None => NONE.into(),
        })
    }
}

/// The second cell of each row of a page's table, after checking that the table has exactly these
/// rows with their bars, in this order.
pub fn documented<'a>(page: &'a str, bars: &[Bar]) -> Result<Vec<&'a str>> {
    let mut lines = page.lines().skip_while(|line| *line != HEADING).skip(2);
    let mut cells = Vec::new();
    for bar in bars {
        let line = lines.next().unwrap_or_default();
        let cell = line.split(" | ").nth(1).with_context(|| format!("no row '{}'", bar.what))?;
        let row = bar.row(cell);
        ensure!(line == row, "the page has a row that nothing prints:\n{line}\nshould be\n{row}");
        cells.push(cell);
    }
    let rest = lines.next().unwrap_or_default();
    ensure!(!rest.starts_with('|'), "the page has a row that nothing prints:\n{rest}");
    Ok(cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use corvid::statistics::wilson;

    const FEWER: Bar = Bar { what: "few", must: Some(Nodes(1500)), aim: Some(Nodes(1000)) };
    const MORE: Bar = Bar { what: "many", must: Some(Percent(80.0)), aim: Some(Percent(95.0)) };

    #[test]
    fn fewer_nodes_and_more_points_are_better() {
        let nodes = [1000, 1001, 1501].map(|nodes| FEWER.verdict(Nodes(nodes)));
        assert_eq!(nodes, [Verdict::Good, Verdict::AimMissed, Verdict::MustMissed]);
        let score = |share| MORE.verdict(Measured::Score(wilson(share, 200), 200));
        assert_eq!(
            [0.95, 0.94, 0.79].map(score),
            [Verdict::Good, Verdict::AimMissed, Verdict::MustMissed]
        );
        let free = Bar { must: None, aim: None, ..FEWER };
        assert_eq!(free.verdict(Nodes(u64::MAX)), Verdict::Good);
    }

    #[test]
    fn nodes_are_compared_to_the_digit_and_instructions_within_two_per_cent() {
        assert!(Nodes(53_258).is_documented("53,258 nodes"));
        assert!(!Nodes(53_259).is_documented("53,258 nodes"));
        assert!(Instructions(102.0).is_documented("100.00 million instructions"));
        assert!(!Instructions(102.1).is_documented("100.00 million instructions"));
        assert!(!Instructions(1.0).is_documented("1.00 s"));
        assert!(Seconds(1.0).is_documented("7.60 s") && !Seconds(1.0).is_documented("unknown"));
    }

    #[test]
    fn a_page_has_all_rows_with_their_bars_and_no_others() {
        let heading = Bar::heading();
        let good = format!("text\n\n{heading}\n{}\n{}\n\n| x |", FEWER.row("7"), MORE.row("8 %"));
        let bars = [FEWER, MORE];
        assert_eq!(documented(&good, &bars).unwrap(), ["7", "8 %"]);
        for (from, to) in [
            ("1,500", "1,600"),
            ("few", "fewer"),
            ("\n\n| x |", "\n| old row | 9 | - | - |"),
            ("| many | 8 % | 80 % | 95 % |", ""),
        ] {
            assert!(good.contains(from), "{from}");
            assert!(documented(&good.replace(from, to), &bars).is_err(), "{to}");
        }
    }
}
