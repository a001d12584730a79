//! The Raspberry Pi Pico: its real image in rp2040js.
//! The emulator is a Node program, `tests/emulator/pico.mjs`, that reads one command per line and
//! advances the board's time only on request, so tests are deterministic.
use crate::{
    board::{Board, Key},
    image::image,
    inbox::{self, Inbox},
    sabotage::{Diversion, Sabotage, SabotageSecond},
    screen::{HEIGHT, Screen, WIDTH},
};
use anyhow::{Context, Result, bail, ensure};
use std::{
    fmt::Write as _,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::Duration,
};

/// Long enough to pull a plug.
const MOMENT: Duration = Duration::from_millis(1);

/// A running Pico with its display, its buttons and a USB host.
#[derive(Debug)]
pub struct Pico {
    emulator: Child,
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// What the board has sent and no test has read yet.
    received: Vec<u8>,
    /// How long it has run.
    time: Duration,
    /// The reactions of the boards that this one replaced.
    before: Vec<Duration>,
}

/// What the flash was doing when the power was cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// Nothing.
    Quiet,
    /// It was erasing a page, which is now half erased.
    Erase,
    /// It was writing bytes, which are now half written.
    Write,
}

impl Pico {
    /// Builds the image and starts it. The flash answers at once.
    pub fn start() -> Result<Self> {
        Self::start_with(&[], &image("pico")?)
    }

    /// Starts this ELF file with the cache of the flash: what is not in it takes time, and the emulator
    /// runs at a third of its speed.
    pub fn start_cached(elf: &Path) -> Result<Self> {
        Self::start_with(&["--cached"], elf)
    }

    fn start_with(options: &[&str], elf: &Path) -> Result<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("emulator");
        ensure!(
            folder.join("node_modules/rp2040js").exists(),
            "the Pico's emulator is not installed: run `cargo xtask setup`"
        );
        let mut emulator = Command::new("node")
            .arg(folder.join("pico.mjs"))
            .args(options)
            .arg(elf)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("node does not start: version 18 or newer is needed, `cargo xtask setup`")?;
        let time = Duration::ZERO;
        let commands = emulator.stdin.take().context("standard input is piped")?;
        let answers = BufReader::new(emulator.stdout.take().context("standard output is piped")?);
        Ok(Self { emulator, commands, answers, received: Vec::new(), time, before: Vec::new() })
    }

    /// A program on the host opens or closes the serial port. Closing it drops what was not read.
    pub fn set_open(&mut self, open: bool) -> Result<()> {
        self.received.clear();
        self.command(if open { "open" } else { "close" }).map(drop)
    }

    /// Whether the host reads the bytes that the board sends.
    pub fn set_listening(&mut self, listening: bool) -> Result<()> {
        self.command(if listening { "listen" } else { "ignore" }).map(drop)
    }

    /// Plugs in the display, or unplugs it.
    pub fn set_display(&mut self, present: bool) -> Result<()> {
        self.command(if present { "plug" } else { "unplug" }).map(drop)
    }

    /// Swaps the display for one with this address on the bus.
    pub fn swap_display(&mut self, address: u8) -> Result<()> {
        self.command(&format!("plug {address}")).map(drop)
    }

    /// Wears out the flash: it can't be written any more, until the board is switched off.
    pub fn wear_out(&mut self) -> Result<()> {
        self.command("wear").map(drop)
    }

    /// Holds the clock line of the display's bus, so that no transfer ends, or releases it.
    pub fn set_jammed(&mut self, jammed: bool) -> Result<()> {
        self.command(if jammed { "jam" } else { "unjam" }).map(drop)
    }

    /// Cuts the power after some board time, whatever is going on. The seed decides what is left
    /// of bytes that were being written or erased.
    pub fn cut_after(&mut self, time: Duration, seed: u64) -> Result<()> {
        self.command(&format!("cut {} {seed}", time.as_secs_f64() * 1e3)).map(drop)
    }

    /// Cuts the power in the middle of a flash operation: the first erase or write from now on, or
    /// one that comes `later`. If there is none, the power is cut after some board time.
    pub fn cut_in_flash(&mut self, later: u32, time: Duration, seed: u64) -> Result<()> {
        self.command(&format!("cut {} {seed} {later}", time.as_secs_f64() * 1e3)).map(drop)
    }

    /// What a power cut hit; `None` while there is power.
    pub fn cut(&mut self) -> Result<Option<Cut>> {
        match self.command("power")?[..] {
            [0, 0] => Ok(Some(Cut::Quiet)),
            [0, 1] => Ok(Some(Cut::Erase)),
            [0, 2] => Ok(Some(Cut::Write)),
            _ => Ok(None),
        }
    }

    /// Switches the board on again after a cut. Its flash is as the cut left it.
    pub fn power_on(&mut self) -> Result<()> {
        self.received.clear();
        self.time = Duration::ZERO;
        self.command("on").map(drop)
    }

    /// Stops the processors permanently: they do not even take interrupts.
    pub fn hang(&mut self) -> Result<()> {
        self.command("hang").map(drop)
    }

    /// Makes it a chip that stops at a high clock.
    pub fn weaken(&mut self) -> Result<()> {
        self.command("weak").map(drop)
    }

    /// The time on the display's bus of the first frame after each press or release of a button, in
    /// order. Those that changed nothing are left out.
    pub fn reactions(&mut self) -> Result<Vec<Duration>> {
        let bytes = self.command("reactions")?;
        let micros = bytes.as_chunks().0.iter().map(|word| u16::from_be_bytes(*word));
        let times = micros.map(|micros| Duration::from_micros(micros.into()));
        Ok(self.before.iter().copied().chain(times).collect())
    }

    /// How many reads of a flash with a cache the cache has answered so far, and how many it has not.
    pub fn cache(&mut self) -> Result<(u64, u64)> {
        let bytes = self.command("cache")?;
        let [hits, misses] = bytes.as_chunks().0 else { bail!("not two numbers") };
        Ok((u64::from_be_bytes(*hits), u64::from_be_bytes(*misses)))
    }

    /// Sends the emulator a command and returns the data of its answer.
    fn command(&mut self, command: &str) -> Result<Vec<u8>> {
        let mut answer = String::new();
        writeln!(self.commands, "{command}")
            .and_then(|()| self.answers.read_line(&mut answer))
            .with_context(|| format!("the emulator ended at `{command}`"))?;
        match answer.trim_end().split_once(' ').unwrap_or((answer.trim_end(), "")) {
            ("ok", data) => from_hex(data),
            ("error", reason) => bail!("{reason} (at `{command}`)"),
            _ => bail!("the emulator ended at `{command}`"),
        }
    }
}

impl Board for Pico {
    fn name(&self) -> &'static str {
        "pico"
    }

    fn restart(&mut self, new: bool) -> Result<()> {
        if new {
            let before = self.reactions()?;
            *self = Self::start()?;
            self.before = before;
            return Ok(());
        }
        self.cut_after(MOMENT, 0)?;
        self.run_for(2 * MOMENT)?;
        self.power_on()
    }

    fn time(&mut self) -> Result<Duration> {
        Ok(self.time)
    }

    fn press(&mut self, key: Key) -> Result<()> {
        self.command(&format!("press {}", key.name())).map(drop)
    }

    fn release(&mut self, key: Key) -> Result<()> {
        self.command(&format!("release {}", key.name())).map(drop)
    }

    fn screen(&mut self) -> Result<Screen> {
        let dots = self.command("screen")?;
        ensure!(dots.len() == WIDTH / 8 * HEIGHT, "{} bytes are not a screen", dots.len());
        Ok(Screen::from_fn(|x, y| dots[(y * WIDTH + x) / 8] >> (7 - x % 8) & 1 == 1))
    }

    fn send(&mut self, bytes: &[u8]) -> Result<()> {
        let mut command = String::from("send ");
        for byte in bytes {
            write!(command, "{byte:02x}")?;
        }
        self.command(&command).map(drop)
    }

    fn receive_until(&mut self, end: &str, timeout: Duration) -> Result<String> {
        inbox::receive_until(self, end, timeout)
    }

    fn receive(&mut self, count: usize, timeout: Duration) -> Result<String> {
        inbox::receive(self, count, timeout)
    }

    fn run_for(&mut self, time: Duration) -> Result<()> {
        let output = self.command(&format!("run {}", time.as_secs_f64() * 1e3))?;
        self.received.extend(output);
        self.time += time;
        Ok(())
    }
}

impl Inbox for Pico {
    fn received(&mut self) -> &mut Vec<u8> {
        &mut self.received
    }
}

impl Sabotage for Pico {
    fn image(&self) -> Result<PathBuf> {
        image("pico")
    }

    fn read_words(&mut self, address: u32, count: u32) -> Result<Vec<u32>> {
        let word = |index: u32| {
            let bytes = self.command(&format!("peek {}", address + 4 * index))?;
            Ok(u32::from_be_bytes(bytes.try_into().ok().context("not four bytes")?))
        };
        (0..count).map(word).collect()
    }

    fn write_word(&mut self, address: u32, word: u32) -> Result<()> {
        self.command(&format!("poke {address} {word}")).map(drop)
    }

    fn divert(&mut self, to: Diversion) -> Result<()> {
        let Diversion { address, back, r2 } = to;
        self.command(&format!("divert {address} {back} {r2}")).map(drop)
    }
}

impl SabotageSecond for Pico {
    fn break_second(&mut self) -> Result<()> {
        self.command("alone").map(drop)
    }

    fn hang(&mut self) -> Result<()> {
        Self::hang(self)
    }

    fn helped(&mut self) -> Result<Duration> {
        let bytes = self.command("helped")?;
        let nanos = u64::from_be_bytes(bytes.try_into().ok().context("not eight bytes")?);
        Ok(Duration::from_nanos(nanos))
    }

    fn lowest_second_stack(&mut self) -> Result<u32> {
        let bytes = self.command("second-stack")?;
        Ok(u32::from_be_bytes(bytes.try_into().ok().context("not four bytes")?))
    }

    fn divert_second(&mut self, to: Diversion, stack: Option<u32>) -> Result<()> {
        let Diversion { address, back, r2 } = to;
        let stack = stack.map(|end| end.to_string()).unwrap_or_default();
        self.command(&format!("divert-second {address} {back} {r2} {stack}")).map(drop)
    }
}

impl Drop for Pico {
    fn drop(&mut self) {
        // It may have exited by itself; either way there is nothing to report.
        let _ = self.emulator.kill();
        let _ = self.emulator.wait();
    }
}

fn from_hex(text: &str) -> Result<Vec<u8>> {
    ensure!(text.len().is_multiple_of(2), "an odd number of hex digits");
    (0..text.len())
        .step_by(2)
        .map(|at| {
            let digits = text.get(at..at + 2).context("not hex digits")?;
            u8::from_str_radix(digits, 16).with_context(|| format!("{digits:?} is not a byte"))
        })
        .collect()
}
