//! `cargo xtask measure baseline`: a ratchet on speed and size. No change makes the games slower or an image
//! larger unnoticed: an increase that is intended has to be recorded, and then shows in the change.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Write};
use std::fs;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use toml::{Table, Value};
use xtask::board::BOARDS;
use xtask::root;
use xtask::size::Size;

use crate::{instructions, performance};

/// Where the figures are recorded.
const FILE: &str = "benches/baseline.toml";
const RECORD: &str = "cargo xtask measure record";

/// A figure may rise by this many percent. Figures are exact, but almost any change of the code moves some
/// of them slightly.
const SLACK: f64 = 2.0;

/// What is measured by its name: instructions, or bytes of an image.
pub(crate) type Figures = BTreeMap<String, f64>;

/// Prints every figure with its change, and fails when one has risen.
pub(crate) fn print() -> Result<()> {
    let (recorded, measured) = (Baseline::read()?, measure()?);
    for (name, value) in &measured {
        let change = recorded.figures.get(name).map(|old| percent(*old, *value));
        let change = change.map_or("new".to_owned(), |change| format!("{change:+.1} %"));
        println!("{name:<52} {:>12} {change:>9}", Figure(*value));
    }
    recorded.compare(&measured)
}

/// Writes the figures as they are now, and the document that shows them.
pub(crate) fn record() -> Result<()> {
    let baseline = Baseline { compiler: compiler()?, figures: measure()? };
    fs::write(root().join(FILE), baseline.to_string())?;
    performance::write(&Baseline::read()?)?;
    println!("{FILE} and {} have {} figures", performance::DOCUMENT, baseline.figures.len());
    Ok(())
}

/// Fails when a figure has risen, and names those that have fallen.
pub(crate) fn check() -> Result<()> {
    let (recorded, measured) = (Baseline::read()?, measure()?);
    recorded.compare(&measured)?;
    println!("{} figures, none of them risen by more than {SLACK} %", measured.len());
    Ok(())
}

/// All figures of the code as it is.
fn measure() -> Result<Figures> {
    let mut figures = instructions::measure()?;
    for board in &BOARDS {
        let elf = fs::read(board.build()?)?;
        let Size { flash, ram, .. } = Size::of(&elf)?;
        for (what, bytes) in [("flash", flash), ("RAM", ram)] {
            figures.insert(format!("{what}, {}", board.name()), bytes as f64);
        }
    }
    Ok(figures.into_iter().map(|(name, value)| (name, rounded(value))).collect())
}

/// The compiler: another one makes other code.
fn compiler() -> Result<String> {
    let output = Command::new("rustc").arg("--version").current_dir(root()).output();
    let output = output.context("rustc does not start")?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// What was recorded.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Baseline {
    /// The compiler that made the code.
    pub(crate) compiler: String,
    pub(crate) figures: Figures,
}

impl Baseline {
    pub(crate) fn read() -> Result<Self> {
        let text = fs::read_to_string(root().join(FILE));
        Self::parse(&text.with_context(|| format!("{FILE} is missing: run {RECORD}"))?)
    }

    fn parse(text: &str) -> Result<Self> {
        let mut file: Table = text.parse().with_context(|| format!("{FILE} is no TOML"))?;
        let compiler = file.remove("compiler").and_then(|value| Some(value.as_str()?.to_owned()));
        let figures = file.remove("figures");
        let figures = figures.as_ref().and_then(Value::as_table).context("no figures")?;
        let figures = figures.iter().map(|(name, value)| {
            let value = value.as_float().or_else(|| Some(value.as_integer()? as f64));
            Ok((name.clone(), value.with_context(|| format!("{FILE}: {name} is no number"))?))
        });
        Ok(Self {
            compiler: compiler.with_context(|| format!("{FILE} has no compiler"))?,
            figures: figures.collect::<Result<_>>()?,
        })
    }

    /// An error that names every figure that has risen too far or is in one of the two alone. What has
    /// fallen is only printed.
    fn compare(&self, measured: &Figures) -> Result<()> {
        let (mut faults, mut gains) = (Vec::new(), Vec::new());
        for (name, new) in measured {
            let Some(old) = self.figures.get(name) else {
                faults.push(format!("'{name}' is not in {FILE}"));
                continue;
            };
            let change = percent(*old, *new);
            let (old, new) = (Figure(*old), Figure(*new));
            if change > SLACK {
                faults.push(format!("'{name}' has risen from {old} to {new} ({change:+.1} %)"));
            } else if change < -SLACK {
                gains.push(format!("'{name}' has fallen from {old} to {new} ({change:+.1} %)"));
            }
        }
        let gone = self.figures.keys().filter(|name| !measured.contains_key(*name));
        faults.extend(gone.map(|name| format!("'{name}' is in {FILE}, but nothing measures it")));
        if !gains.is_empty() {
            println!("{}\nto hold future changes to that, run `{RECORD}`", gains.join("\n"));
        }
        let other = compiler()?;
        let other = if other == self.compiler {
            String::new()
        } else {
            format!("\n(recorded with {}, measured with {other})", self.compiler)
        };
        ensure!(
            faults.is_empty(),
            "{}\nif this is intended, run `{RECORD}`{other}",
            faults.join("\n")
        );
        Ok(())
    }
}

/// The file.
impl Display for Baseline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "# What the games cost in instructions, and the images in bytes: see {}. Written by\n\
             # `{RECORD}`; `cargo xtask test` fails when a figure has risen by more than {SLACK} %.\n\
             compiler = {:?}\n\n[figures]",
            performance::DOCUMENT,
            self.compiler
        )?;
        for (name, value) in &self.figures {
            writeln!(f, "{name:?} = {}", Figure(*value))?;
        }
        Ok(())
    }
}

/// A figure as it is written: a small one with a decimal, so that two percent of it show.
struct Figure(f64);

impl Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        if self.0 < 1000.0 {
            write!(text, "{:.1}", self.0)
        } else {
            write!(text, "{:.0}", self.0)
        }?;
        f.pad(&text)
    }
}

/// As it is read again.
fn rounded(value: f64) -> f64 {
    if value < 1000.0 { (value * 10.0).round() / 10.0 } else { value.round() }
}

/// How much more the second is, in percent of the first.
fn percent(old: f64, new: f64) -> f64 {
    100.0 * (new - old) / old
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(all: &[(&str, f64)]) -> Figures {
        all.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
    }

    fn scratch() -> Baseline {
        let figures = figures(&[("dots node, Cortex-M3", 1000.0), ("flash, pico", 400_000.0)]);
        Baseline { compiler: compiler().unwrap(), figures }
    }

    /// What is wrong when these are measured.
    fn complaint(measured: &[(&str, f64)]) -> String {
        scratch().compare(&figures(measured)).unwrap_err().to_string()
    }

    #[test]
    fn what_has_become_slower_or_larger_is_named_with_what_to_do() {
        let slower = complaint(&[("dots node, Cortex-M3", 1100.0), ("flash, pico", 400_000.0)]);
        assert_eq!(
            slower,
            "'dots node, Cortex-M3' has risen from 1000 to 1100 (+10.0 %)\n\
             if this is intended, run `cargo xtask measure record`"
        );
        let larger = complaint(&[("dots node, Cortex-M3", 1000.0), ("flash, pico", 408_001.0)]);
        assert!(larger.starts_with("'flash, pico' has risen from 400000 to 408001 (+2.0 %)\n"));
    }

    #[test]
    fn two_percent_more_and_any_less_pass() {
        for node in [1020.0, 999.0, 500.0] {
            let measured = figures(&[("dots node, Cortex-M3", node), ("flash, pico", 400_000.0)]);
            assert!(scratch().compare(&measured).is_ok(), "{node}");
        }
    }

    #[test]
    fn figures_that_only_one_of_the_two_has_are_named() {
        let unknown = complaint(&[
            ("dots node, Cortex-M3", 1000.0),
            ("flash, pico", 400_000.0),
            ("go node, Cortex-M3", 1.0),
        ]);
        assert!(unknown.starts_with("'go node, Cortex-M3' is not in benches/baseline.toml\n"));
        let missing = complaint(&[("dots node, Cortex-M3", 1000.0)]);
        let expected = "'flash, pico' is in benches/baseline.toml, but nothing measures it\n";
        assert!(missing.starts_with(expected), "{missing}");
    }

    #[test]
    fn another_compiler_is_mentioned() {
        let other = Baseline { compiler: "rustc 1.0.0".to_owned(), ..scratch() };
        let complaint = other.compare(&Figures::new()).unwrap_err().to_string();
        assert!(complaint.contains("(recorded with rustc 1.0.0, measured with rustc 1."));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let mut baseline = scratch();
        baseline.figures.insert("dots move played, Cortex-M3".to_owned(), rounded(230.766_7));
        let text = baseline.to_string();
        assert_eq!(Baseline::parse(&text).unwrap(), baseline, "{text}");
        assert!(text.contains("\n\"dots move played, Cortex-M3\" = 230.8\n"), "{text}");
        let broken = text.replace("= 1000", "= \"many\"");
        assert!(Baseline::parse(&broken).is_err());
    }
}
