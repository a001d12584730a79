//! Connections to other players: serial ports, sockets and programs.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use corvid::heard::Lines;

use crate::failure::Failure;

/// The speed of every board's serial port.
pub(crate) const BAUD: u32 = 115_200;

/// How long a read from a serial port blocks before it checks whether the port is still in use.
const LOOK: Duration = Duration::from_millis(50);

/// Between two attempts to reach a socket, and how many there are.
const RETRY: Duration = Duration::from_millis(100);
const RETRIES: u32 = 50;

/// An open connection. Received bytes go to the function that it was opened with; a program ends
/// with its connection.
pub(crate) struct Link {
    out: Box<dyn Write + Send>,
    child: Option<Child>,
    /// Passes on what the program says on its standard error.
    errors: Option<JoinHandle<()>>,
    closed: Arc<AtomicBool>,
}

/// What is received: bytes, or `None` when the connection is dead.
pub(crate) type Heard<'a> = Option<&'a [u8]>;

impl Link {
    /// Opens `serial:PORT`, `tcp:HOST:PORT` or a command. `hear` is called from another thread.
    pub(crate) fn open(
        name: &str,
        hear: impl FnMut(Heard<'_>) + Send + 'static,
    ) -> Result<Self, Failure> {
        let (input, out, mut child): (Box<dyn Read + Send>, Box<dyn Write + Send>, _) =
            if let Some(port) = name.strip_prefix("serial:") {
                let port = serial(port)?;
                (Box::new(port.try_clone().map_err(io::Error::from)?), Box::new(port), None)
            } else if let Some(address) = name.strip_prefix("tcp:") {
                let socket = socket(address)?;
                (Box::new(socket.try_clone()?), Box::new(socket), None)
            } else {
                let mut child = program(name)?;
                let pipes = child.stdout.take().zip(child.stdin.take());
                let (input, out) = pipes.ok_or_else(|| io::Error::from(ErrorKind::BrokenPipe))?;
                (Box::new(input), Box::new(out), Some(child))
            };
        let errors = child.as_mut().and_then(|child: &mut Child| child.stderr.take());
        let errors = errors.map(|errors| thread::spawn(move || pass_on(errors)));
        let closed = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&closed);
        thread::spawn(move || listen(input, &stop, hear));
        Ok(Self { out, child, errors, closed })
    }

    /// Sends bytes at once.
    pub(crate) fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.out.flush()
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.closed.store(true, Ordering::Relaxed);
        // A program exits when its input ends.
        self.out = Box::new(io::sink());
        if let Some(child) = &mut self.child
            && !soon(|| !matches!(child.try_wait(), Ok(None)))
        {
            let _ = child.kill();
            let _ = child.wait();
        }
        // Its last words; another program may hold its standard error open.
        soon(|| self.errors.as_ref().is_none_or(JoinHandle::is_finished));
    }
}

/// Waits a second at most until something is so; mostly it is so at once.
fn soon(mut is_so: impl FnMut() -> bool) -> bool {
    for doubling in 0..10 {
        if is_so() {
            return true;
        }
        thread::sleep(Duration::from_millis(1 << doubling));
    }
    is_so()
}

fn listen(mut input: impl Read, stop: &AtomicBool, mut hear: impl FnMut(Heard<'_>)) {
    let mut chunk = [0; 4096];
    while !stop.load(Ordering::Relaxed) {
        match input.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => hear(Some(&chunk[..count])),
            Err(error) if matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::Interrupted) => {}
            Err(_) => break,
        }
    }
    hear(None);
}

/// Copies what a program says on its standard error to ours, line by line, until it ends.
fn pass_on(input: impl Read) {
    let mut input = BufReader::new(input);
    let mut lines = Lines::default();
    // Nobody may read standard error.
    let tell = |text: String| drop(writeln!(io::stderr(), "{text}"));
    while let Ok(bytes) = input.fill_buf()
        && !bytes.is_empty()
    {
        let count = bytes.len();
        lines.add(bytes, tell);
        input.consume(count);
    }
    lines.end().into_iter().for_each(tell);
}

/// Opens a serial port.
pub(crate) fn serial(path: &str) -> Result<Box<dyn serialport::SerialPort>, Failure> {
    serialport::new(path, BAUD).timeout(LOOK).open().map_err(|error| {
        let help = "is the board plugged in, and may you use the port?";
        Failure::Other(format!("cannot open {path}: {error}; {help}"))
    })
}

/// A socket to a listener at an address; if there is none, to the first client that connects there.
pub(crate) fn socket(address: &str) -> Result<TcpStream, Failure> {
    let mut last = None;
    for attempt in 0..RETRIES {
        match TcpStream::connect(address) {
            Ok(socket) => {
                socket.set_nodelay(true)?;
                return Ok(socket);
            }
            Err(error) if error.kind() == ErrorKind::ConnectionRefused => {}
            Err(error) => return Err(unreachable(address, &error)),
        }
        if attempt == 0 {
            // Nobody may read it.
            let _ = writeln!(
                io::stderr(),
                "nobody listens at {address}: waiting for somebody to connect; Ctrl-C ends it"
            );
        }
        match TcpListener::bind(address).and_then(|listener| listener.accept()) {
            Ok((socket, _)) => {
                socket.set_nodelay(true)?;
                return Ok(socket);
            }
            // The other side may be about to listen, or to connect.
            Err(error) => last = Some(error),
        }
        thread::sleep(RETRY);
    }
    let error = last.unwrap_or_else(|| io::Error::from(ErrorKind::TimedOut));
    Err(unreachable(address, &error))
}

fn unreachable(address: &str, error: &io::Error) -> Failure {
    Failure::Other(format!("nobody is to be reached at {address}: {error}; give HOST:PORT"))
}

/// Starts a command line; quoted words stay together.
pub(crate) fn program(line: &str) -> Result<Child, Failure> {
    let words = words(line);
    let Some((program, rest)) = words.split_first() else {
        return Err(Failure::Usage("an empty command".into()));
    };
    let mut command = Command::new(program);
    command.args(rest).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().map_err(|error| {
        Failure::Other(format!("cannot start {program}: {error}; is it installed?"))
    })
}

/// The words of a command line, split as a shell does, without its other features.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in line.chars() {
        match (quote, letter) {
            (Some(mark), _) if mark == letter => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, ' ' | '\t') => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn quotes_keep_words_together() {
        assert_eq!(words("a  b"), ["a", "b"]);
        assert_eq!(words("'/a b/c' --x \"\" d'e f'g"), ["/a b/c", "--x", "", "de fg"]);
        assert!(words("  ").is_empty());
    }
}
