//! The LM3S6965 evaluation board in QEMU.
use crate::{
    board::{Board, Key},
    image::image,
    sabotage::{Diversion, Sabotage, function},
    screen::Screen,
};
use anyhow::{Context, Result, bail, ensure};
use object::{Object, ObjectSymbol};
use rustix::io::ioctl_fionread;
use serde_json::{Value, json};
use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread::{sleep, spawn},
    time::{Duration, Instant},
};
use tempfile::TempDir;
use xtask::{gdb::Gdb, logs::Logs};

const NAME: &str = "lm3s6965evb";

/// One instruction takes 16 ns: a core of 62.5 MIPS whose time does not depend on the host's.
const ICOUNT: &str = "shift=4";

/// How the time passes in which the processor sleeps: the next timer follows at once. If it passed with
/// the host's time, it would jump whenever the host is late, and a key could be down and up again
/// between two polls.
const SLEEP_SKIPPED: &str = "sleep=off";

/// For tests that stop the board every millisecond: while the processor sleeps, the emulator gets round
/// to bytes from and for the host.
const SLEEP_AS_LONG: &str = "sleep=on";

/// The emulated display is drawn with 4 x 4 points per pixel.
const SCALE: usize = 4;

/// Where the image counts its milliseconds.
const MILLIS: &str = "CORVID_MILLIS";

/// Long enough for the board to see a released key.
const SEEN: Duration = Duration::from_millis(50);

/// The polling interval of a running board, in the host's time.
const PAUSE: Duration = Duration::from_millis(2);

/// Longer than the thread that reads from the board is late, in the host's time.
const LATE: Duration = Duration::from_millis(100);

/// A board whose time has not advanced for this long, in the host's time, has crashed.
const STANDSTILL: Duration = Duration::from_secs(60);

/// A board in its own emulator, which ends with it.
#[derive(Debug)]
pub struct Lm3s6965evb {
    qemu: Child,
    /// Sockets and pictures.
    folder: TempDir,
    qmp: Qmp,
    uart: UnixStream,
    /// Bytes from the UART, read by a thread as they arrive: QEMU stalls, and does not answer
    /// on its control connection either, while a few hundred are unread.
    incoming: Receiver<Vec<u8>>,
    /// Text from the board that no call has taken yet.
    received: Vec<u8>,
    /// The image.
    elf: PathBuf,
    /// Address of the millisecond counter.
    millis: u64,
    /// Whether its time only passes while something is waited for.
    waits: bool,
}

impl Lm3s6965evb {
    /// Builds the image and starts it.
    pub fn start() -> Result<Self> {
        Self::start_with(SLEEP_SKIPPED)
    }

    /// The same with the time that the board sleeps as long as it is, for [`Self::timed`].
    pub fn start_in_real_time() -> Result<Self> {
        Self::start_with(SLEEP_AS_LONG)
    }

    fn start_with(sleep: &str) -> Result<Self> {
        let elf = image(NAME)?;
        let millis = symbol(&elf, MILLIS)?;
        let folder = tempfile::tempdir()?;
        let path = |name| folder.path().join(name);
        let socket = |name| format!("unix:{},server=on,wait=off", path(name).display());
        // It starts stopped, so that nothing happens before the sockets are connected.
        let mut qemu = Command::new("qemu-system-arm")
            .args([
                "-machine",
                NAME,
                "-icount",
                &format!("{ICOUNT},{sleep}"),
                "-S",
                "-display",
                "none",
            ])
            .args(["-monitor", "none", "-nic", "none"])
            .args(["-serial", &socket("uart"), "-qmp", &socket("qmp")])
            .args(["-gdb", &socket("gdb")])
            .arg("-kernel")
            .arg(&elf)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(fs::File::create(path("stderr"))?)
            .spawn()
            .context("qemu-system-arm does not start: run `cargo xtask setup`")?;
        let connect = |qemu: &mut Child, name| {
            connect(qemu, &path(name)).with_context(|| {
                format!("QEMU: {}", fs::read_to_string(path("stderr")).unwrap_or_default())
            })
        };
        let sockets = connect(&mut qemu, "qmp")
            .and_then(|qmp| Ok((Qmp::new(qmp)?, connect(&mut qemu, "uart")?)));
        let (qmp, uart) = match sockets {
            Ok(sockets) => sockets,
            Err(error) => {
                qemu.kill()?;
                return Err(error);
            }
        };
        let incoming = receive(uart.try_clone()?);
        let (received, waits) = (Vec::new(), false);
        let mut board = Self { qemu, folder, qmp, uart, incoming, received, elf, millis, waits };
        board.qmp.execute("cont", json!({}))?;
        // On the real board pull-ups hold the lines high; here they read low until the keys are
        // released for the first time.
        for key in Key::ALL {
            board.press(key)?;
            board.release(key)?;
        }
        board.run_for(SEEN)?;
        Ok(board)
    }

    /// A key of the board in QEMU's terms.
    fn code(key: Key) -> Value {
        let code = match key {
            Key::Up => "up",
            Key::Down => "down",
            Key::Left => "left",
            Key::Right => "right",
            Key::Select => "ctrl",
        };
        json!({ "type": "qcode", "data": code })
    }

    fn key(&mut self, key: Key, down: bool) -> Result<()> {
        let key = Self::code(key);
        self.wake()?;
        let event = json!({ "type": "key", "data": { "down": down, "key": key } });
        self.qmp.execute("input-send-event", json!({ "events": [event] }))?;
        Ok(())
    }

    /// Presses a key down for that long. QEMU releases it by its own clock, whatever the load of the
    /// host: a key that is held for too long means something else. It accepts the next key after the
    /// same time again. While the processor sleeps, that clock runs up to twice as fast as the
    /// board's, so where half the time would be too short, the board must have something to do.
    fn send_key(&mut self, key: Key, time: Duration) -> Result<()> {
        self.wake()?;
        let millis = time.as_millis() as u64;
        let arguments = json!({ "keys": [Self::code(key)], "hold-time": millis });
        self.qmp.execute("send-key", arguments)?;
        Ok(())
    }

    /// Lets time pass only while something is waited for: an idle board is many times faster than the
    /// host, and would mostly wait for it.
    pub fn wait_for_host(&mut self) -> Result<()> {
        self.waits = true;
        self.stand_still(true)
    }

    /// Stops the board's time, or lets it go on.
    fn stand_still(&mut self, still: bool) -> Result<()> {
        self.qmp.execute(if still { "stop" } else { "cont" }, json!({}))?;
        Ok(())
    }

    /// Lets time pass for a key: a board that stands still accepts none.
    fn wake(&mut self) -> Result<()> {
        if self.waits { self.stand_still(false) } else { Ok(()) }
    }

    /// Sends a few bytes while the board stands still, so that they arrive at this instant of its time
    /// however busy the host is. The UART's FIFO takes 16.
    pub fn send_stopped(&mut self, bytes: &[u8]) -> Result<()> {
        self.stand_still(true)?;
        self.send(bytes)?;
        // Two answers: what was sent before the first is read before the second.
        self.time()?;
        self.time()?;
        self.stand_still(self.waits)
    }

    /// The most bytes that the stack has taken so far, and its size. Memory that was never written
    /// to is zero.
    pub fn stack(&mut self) -> Result<(u64, u64)> {
        let (bottom, top) = (symbol(&self.elf, "_stack_end")?, symbol(&self.elf, "_stack_start")?);
        let path = self.folder.path().join("stack");
        let arguments = json!({ "val": bottom, "size": top - bottom, "filename": path });
        self.qmp.execute("pmemsave", arguments)?;
        let unused = fs::read(path)?.iter().take_while(|byte| **byte == 0).count() as u64;
        Ok((top - bottom - unused, top - bottom))
    }

    /// What was received by now, with the board stopped until the thread that reads has caught up: on
    /// a busy host it is late, and the board is not.
    fn caught_up(&mut self) -> Result<&[u8]> {
        self.stand_still(true)?;
        while ioctl_fionread(&self.uart)? > 0 {
            sleep(PAUSE);
        }
        // What it has read may still be on its way.
        sleep(LATE);
        self.received.extend(self.incoming.try_iter().flatten());
        self.stand_still(self.waits)?;
        Ok(&self.received)
    }

    /// The first bytes received.
    fn take(&mut self, count: usize) -> Result<String> {
        let rest = self.received.split_off(count);
        let text = std::mem::replace(&mut self.received, rest);
        String::from_utf8(text).context("the board sent no text")
    }

    /// Calls `done` repeatedly while the board runs, until it returns something or the board's time
    /// is up.
    fn run_until<T>(
        &mut self,
        timeout: Duration,
        done: impl FnMut(&mut Self) -> Result<Option<T>>,
    ) -> Result<Option<T>> {
        self.wake()?;
        let found = self.watch_until(timeout, done);
        if self.waits {
            self.stand_still(true)?;
        }
        found
    }

    fn watch_until<T>(
        &mut self,
        timeout: Duration,
        mut done: impl FnMut(&mut Self) -> Result<Option<T>>,
    ) -> Result<Option<T>> {
        let (mut last, mut moved) = (self.time()?, Instant::now());
        let mut passed = Duration::ZERO;
        loop {
            // The time is read first: what was there at its end must be seen.
            let now = self.time()?;
            // It starts again when the board restarts.
            passed += now.checked_sub(last).unwrap_or(now);
            if let Some(value) = done(self)? {
                return Ok(Some(value));
            }
            if passed >= timeout {
                return Ok(None);
            }
            if now != last {
                (last, moved) = (now, Instant::now());
            }
            ensure!(moved.elapsed() < STANDSTILL, "the board stands still at {now:?}");
            sleep(PAUSE);
        }
    }
}

impl Board for Lm3s6965evb {
    fn name(&self) -> &'static str {
        NAME
    }

    fn restart(&mut self, _: bool) -> Result<()> {
        // It saves nothing, so any is as good as a new one.
        *self = Self::start()?;
        Ok(())
    }

    /// In whole milliseconds.
    fn time(&mut self) -> Result<Duration> {
        let command = format!("xp /2wx {:#x}", self.millis);
        let line = self.qmp.execute("human-monitor-command", json!({ "command-line": command }))?;
        // 0000000020000048: 0x00000132 0x00000000
        let word = |index: usize| {
            let text = line.as_str()?.split_whitespace().nth(1 + index)?;
            u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()
        };
        let (Some(low), Some(high)) = (word(0), word(1)) else { bail!("unexpected {line}") };
        Ok(Duration::from_millis(high << 32 | low))
    }

    fn press(&mut self, key: Key) -> Result<()> {
        self.key(key, true)
    }

    fn release(&mut self, key: Key) -> Result<()> {
        self.key(key, false)
    }

    fn press_for(&mut self, key: Key, time: Duration, apart: Duration) -> Result<()> {
        if time > apart {
            self.hold(key, time)?;
            return self.run_for(apart);
        }
        self.send_key(key, time)?;
        self.run_for(time + apart)
    }

    fn screen(&mut self) -> Result<Screen> {
        let path = self.folder.path().join("screen.png");
        self.qmp.execute("screendump", json!({ "filename": path, "format": "png" }))?;
        Screen::from_png(&path, SCALE)
    }

    fn send(&mut self, bytes: &[u8]) -> Result<()> {
        // The emulated UART reads bytes at the board's pace: this blocks while the socket is full.
        Ok(self.uart.write_all(bytes)?)
    }

    fn receive_until(&mut self, end: &str, timeout: Duration) -> Result<String> {
        let end_of = |received: &[u8]| {
            let at = received.windows(end.len()).position(|bytes| bytes == end.as_bytes());
            at.map(|at| at + end.len())
        };
        let found = self.run_until(timeout, |board| {
            board.received.extend(board.incoming.try_iter().flatten());
            Ok(end_of(&board.received))
        })?;
        let found = match found {
            Some(length) => Some(length),
            None => end_of(self.caught_up()?),
        };
        let Some(length) = found else {
            let received = String::from_utf8_lossy(&self.received);
            bail!("no {end:?} in {timeout:?} of board time; received {received:?}");
        };
        self.take(length)
    }

    fn receive(&mut self, count: usize, timeout: Duration) -> Result<String> {
        let found = self.run_until(timeout, |board| {
            board.received.extend(board.incoming.try_iter().flatten());
            Ok((board.received.len() >= count).then_some(()))
        })?;
        let received = String::from_utf8_lossy(&self.received);
        ensure!(found.is_some(), "no {count} bytes in {timeout:?}; received {received:?}");
        self.take(count)
    }

    fn run_for(&mut self, time: Duration) -> Result<()> {
        self.run_until::<()>(time, |_| Ok(None))?;
        Ok(())
    }
}

/// GDB's numbers of registers.
const SP: u8 = 13;
const LR: u8 = 14;
const PC: u8 = 15;
const XPSR: u8 = 25;

/// The part of XPSR that is not 0 in an interrupt.
const INTERRUPT: u32 = 0x1FF;

/// A function that is an endless loop: cortex-m-rt's handler for unexpected interrupts.
const ENDLESS: &str = "DefaultHandler_";

impl Lm3s6965evb {
    fn debug(&mut self) -> Result<Gdb> {
        Gdb::attach(&self.folder.path().join("gdb"))
    }

    /// What the board has logged since the last call.
    pub fn take_logs(&mut self, logs: &mut Logs) -> Result<Vec<String>> {
        let mut gdb = self.debug()?;
        let lines = logs.take(&mut gdb);
        gdb.detach()?;
        lines
    }

    /// Stops the board while it runs in thread mode, below all interrupts.
    fn debug_thread(&mut self) -> Result<Gdb> {
        loop {
            let mut gdb = self.debug()?;
            if gdb.register(XPSR)? & INTERRUPT == 0 {
                return Ok(gdb);
            }
            gdb.detach()?;
            sleep(PAUSE);
        }
    }

    /// Moves the stack down, so that this many bytes of it are left. What points to a place on it points
    /// to the old one, which stays as it is.
    pub fn use_up_stack(&mut self, left: u32) -> Result<()> {
        let (end, start) = (symbol(&self.elf, "_stack_end")?, symbol(&self.elf, "_stack_start")?);
        let mut gdb = self.debug_thread()?;
        let (from, to) = (gdb.register(SP)?, end as u32 + left);
        for offset in (0..start as u32 - from).step_by(4) {
            let word = gdb.word(from + offset)?;
            gdb.set_word(to + offset, word)?;
        }
        gdb.set_register(SP, to)?;
        gdb.detach()
    }

    /// Where the program is at a few instants, and in which interrupt.
    pub fn program_counters(&mut self) -> Result<String> {
        let mut text = String::new();
        for _ in 0..5 {
            self.run_for(PAUSE)?;
            let mut gdb = self.debug()?;
            let (at, interrupt) = (gdb.register(PC)?, gdb.register(XPSR)? & INTERRUPT);
            gdb.detach()?;
            text += &format!(" {at:#x} in interrupt {interrupt},");
        }
        Ok(text)
    }

    /// Sends bytes, lets the board run until it has sent text that ends with `end`, and returns the
    /// text with the time that it took, to the millisecond: the board is stopped between polls, so
    /// that the load of the host does not count. An error after `most`.
    pub fn timed(&mut self, bytes: &[u8], end: &str, most: Duration) -> Result<(String, Duration)> {
        let mut gdb = self.debug()?;
        self.send(bytes)?;
        let found = self.until_sent(&mut gdb, end, most);
        gdb.detach()?;
        let (length, time) = found?;
        Ok((self.take(length)?, time))
    }

    /// The same from the moment at which a key goes down, which is released after a while. What the
    /// board does before it is first stopped does not count.
    pub fn timed_tap(
        &mut self,
        key: Key,
        held: Duration,
        end: &str,
        most: Duration,
    ) -> Result<(String, Duration)> {
        // A stopped board accepts no keys.
        self.send_key(key, held)?;
        self.timed(b"", end, most)
    }

    /// Lets the board run for that long, to the millisecond.
    pub fn run_exactly(&mut self, time: Duration) -> Result<()> {
        let mut gdb = self.debug()?;
        for _ in 0..time.as_millis() {
            gdb.run_to_write(self.millis as u32)?;
        }
        gdb.detach()
    }

    /// How many bytes were received up to the end of some text, and after which time.
    fn until_sent(
        &mut self,
        gdb: &mut Gdb,
        end: &str,
        most: Duration,
    ) -> Result<(usize, Duration)> {
        for millis in 0.. {
            // QEMU transfers bytes, both ways, while the processor is stopped.
            sleep(PAUSE);
            self.received.extend(self.incoming.try_iter().flatten());
            let at = self.received.windows(end.len()).position(|bytes| bytes == end.as_bytes());
            let time = Duration::from_millis(millis);
            if let Some(at) = at {
                return Ok((at + end.len(), time));
            }
            let received = String::from_utf8_lossy(&self.received);
            ensure!(time < most, "no {end:?} in {most:?} of board time; received {received:?}");
            gdb.run_to_write(self.millis as u32)?;
        }
        unreachable!("the range has no end")
    }

    /// Keeps the interrupt that runs the keys, above everything but the drivers, from ever ending.
    pub fn hang(&mut self) -> Result<()> {
        self.hang_in("on_keys")
    }

    /// Keeps the interrupt that runs screen and serial port from ever ending.
    pub fn hang_screen(&mut self) -> Result<()> {
        self.hang_in("on_rest")
    }

    fn hang_in(&mut self, handler: &str) -> Result<()> {
        let image = fs::read(Sabotage::image(self)?)?;
        let mut gdb = self.debug()?;
        gdb.run_to(function(&image, handler)?)?;
        gdb.set_register(PC, function(&image, ENDLESS)?)?;
        gdb.detach()
    }
}

impl Sabotage for Lm3s6965evb {
    fn image(&self) -> Result<PathBuf> {
        image(NAME)
    }

    fn read_words(&mut self, address: u32, count: u32) -> Result<Vec<u32>> {
        let mut gdb = self.debug()?;
        let words = (0..count).map(|index| gdb.word(address + 4 * index)).collect();
        gdb.detach()?;
        words
    }

    fn write_word(&mut self, address: u32, word: u32) -> Result<()> {
        let mut gdb = self.debug()?;
        gdb.set_word(address, word)?;
        gdb.detach()
    }

    fn divert(&mut self, to: Diversion) -> Result<()> {
        let mut gdb = self.debug_thread()?;
        gdb.set_register(2, to.r2)?;
        gdb.set_register(LR, to.back)?;
        gdb.set_register(PC, to.address)?;
        gdb.detach()
    }
}

impl Drop for Lm3s6965evb {
    fn drop(&mut self) {
        // It has nothing to save; an error means that it has exited by itself.
        let _ = self.qemu.kill();
        let _ = self.qemu.wait();
    }
}

/// QEMU's control connection: a line of JSON each way.
#[derive(Debug)]
struct Qmp {
    socket: BufReader<UnixStream>,
}

impl Qmp {
    fn new(socket: UnixStream) -> Result<Self> {
        socket.set_read_timeout(Some(STANDSTILL))?;
        let mut qmp = Self { socket: BufReader::new(socket) };
        qmp.message()?;
        qmp.execute("qmp_capabilities", json!({}))?;
        Ok(qmp)
    }

    fn message(&mut self) -> Result<Value> {
        let mut line = String::new();
        ensure!(self.socket.read_line(&mut line)? != 0, "QEMU ended");
        Ok(serde_json::from_str(&line)?)
    }

    /// Executes a command and returns its result.
    fn execute(&mut self, command: &str, arguments: Value) -> Result<Value> {
        let request = json!({ "execute": command, "arguments": arguments });
        writeln!(self.socket.get_mut(), "{request}")?;
        loop {
            // Events come in between.
            let mut message = self.message()?;
            if let Some(result) = message.get_mut("return") {
                return Ok(result.take());
            }
            ensure!(message.get("error").is_none(), "QEMU refused {request}: {message}");
        }
    }
}

/// Passes on bytes from a socket until its other end is closed.
fn receive(mut socket: UnixStream) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    spawn(move || {
        let mut chunk = [0; 4096];
        while let Ok(count @ 1..) = socket.read(&mut chunk) {
            if sender.send(chunk[..count].to_vec()).is_err() {
                break;
            }
        }
    });
    receiver
}

/// Connects to a socket that QEMU is about to open.
fn connect(qemu: &mut Child, path: &Path) -> Result<UnixStream> {
    let start = Instant::now();
    loop {
        match UnixStream::connect(path) {
            Ok(socket) => return Ok(socket),
            Err(error) if start.elapsed() > STANDSTILL => return Err(error.into()),
            Err(_) => sleep(PAUSE),
        }
        if let Some(status) = qemu.try_wait()? {
            bail!("ended with {status}");
        }
    }
}

/// The address of a static of an image.
fn symbol(elf: &Path, name: &str) -> Result<u64> {
    let bytes = fs::read(elf)?;
    let file = object::File::parse(&*bytes)?;
    let symbol = file.symbol_by_name(name);
    Ok(symbol.with_context(|| format!("{} has no {name}", elf.display()))?.address())
}
