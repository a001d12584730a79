//! What the games cost on each kind of core, in instructions: the program in benches/instructions, in QEMU.

use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context, Result, anyhow, ensure};
use xtask::board::Board;
use xtask::target;

use crate::baseline::Figures;
use crate::setup;

/// A core that instructions are counted on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Core {
    /// Its name in the figures.
    pub(crate) name: &'static str,
    /// The board whose games, compiler settings and memory it has.
    pub(crate) board: &'static str,
    /// QEMU's machine. None has a Cortex-M0+ and enough memory, but a Cortex-M3 executes the same
    /// instructions.
    machine: &'static str,
}

/// All of them.
pub(crate) const CORES: [Core; 3] = [
    Core { name: "Cortex-M0+", board: "pico", machine: "mps2-an385" },
    Core { name: "Cortex-M3", board: "lm3s6965evb", machine: "mps2-an385" },
    Core { name: "Cortex-M33", board: "pico2", machine: "mps2-an505" },
];

/// Counts on all cores. The same code gives the same figures, to the digit, on any computer.
pub(crate) fn measure() -> Result<Figures> {
    let boards = CORES.map(|core| Board::named(core.board));
    let boards = boards.into_iter().collect::<Result<Vec<_>>>()?;
    target::add(&boards.iter().map(|board| board.triple).collect::<Vec<_>>())?;
    setup::qemu()?;
    let programs = boards.iter().map(Board::build_instructions).collect::<Result<Vec<_>>>()?;
    thread::scope(|scope| {
        let runs: Vec<_> = CORES
            .iter()
            .zip(programs)
            .map(|(core, program)| {
                scope.spawn(move || {
                    let mut qemu = Command::new("qemu-system-arm");
                    qemu.args(["-machine", core.machine, "-nographic"])
                        .args(["-monitor", "none", "-serial", "none"])
                        // An instruction takes a nanosecond of the machine's time.
                        .args(["-icount", "shift=0"])
                        .args(["-semihosting-config", "enable=on,target=native", "-kernel"])
                        .arg(program)
                        .stdin(Stdio::null());
                    let output = qemu.output().context("qemu-system-arm does not start")?;
                    let text = String::from_utf8_lossy(&output.stdout);
                    ensure!(output.status.success(), "{}: {}: {text}", core.name, output.status);
                    figures(core.name, &text)
                })
            })
            .collect();
        let mut all = Figures::new();
        for run in runs {
            all.extend(run.join().map_err(|_| anyhow!("a run failed"))??);
        }
        Ok(all)
    })
}

/// The figures in what the program printed: a line each, with the instructions and how often the work was
/// done.
fn figures(core: &str, text: &str) -> Result<Figures> {
    let figure = |line: &str| {
        let mut parts = line.split('\t');
        let name = parts.next()?;
        let mut number = || parts.next()?.parse::<u32>().ok().map(f64::from);
        Some((format!("{name}, {core}"), number()? / number()?))
    };
    text.lines().map(|line| figure(line).with_context(|| format!("{core}: {line}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_from_what_the_program_prints() {
        let read = figures("Cortex-M3", "dots node\t3000\t2\nothello node\t5\t4\n").unwrap();
        let want = [("dots node, Cortex-M3", 1500.0), ("othello node, Cortex-M3", 1.25)];
        assert_eq!(read, want.map(|(name, value)| (name.to_owned(), value)).into());
        assert!(figures("Cortex-M3", "panicked at main.rs").is_err());
    }
}
