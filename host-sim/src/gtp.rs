//! `corvid gtp`: the GTP engine on standard input and output.

use std::fmt;
use std::io::{self, BufWriter, Read, Write};

use corvid_core::gtp::{Flow, Gtp};
use corvid_core::lines::LineReader;

use crate::args::GtpArgs;
use crate::failure::Failure;
use crate::time::microseconds;

/// Answers lines until `quit` or the end of the input.
pub(crate) fn run(args: &GtpArgs) -> Result<(), Failure> {
    let setup = args.setup.setup()?;
    let opponent = args.opponent.opponent(setup.kind())?;
    let mut memory = args.opponent.memory()?;
    let mut gtp = Gtp::new(microseconds, &mut memory)
        .with_setup(setup)
        .with_opponent(opponent)
        .with_notation(args.notation)
        .with_seed(args.opponent.seed());
    let mut lines = LineReader::new();
    let mut out = Output { out: BufWriter::new(io::stdout().lock()), failed: None };
    let mut input = io::stdin().lock();
    let mut chunk = [0; 4096];
    loop {
        let count = input.read(&mut chunk)?;
        let mut answer = |line: Result<&[u8], _>| match line {
            Ok(line) => gtp.line(line, &mut out),
            Err(_) => gtp.overlong_line(&mut out).map(|()| Flow::Continue),
        };
        let mut flow = Ok(Flow::Continue);
        for &byte in &chunk[..count] {
            if let Some(line) = lines.push(byte) {
                flow = answer(line);
                if flow != Ok(Flow::Continue) {
                    break;
                }
            }
        }
        if count == 0
            && let Some(line) = lines.finish()
        {
            flow = answer(line);
        }
        out.flush()?;
        if count == 0 || flow == Ok(Flow::Quit) {
            return Ok(());
        }
    }
}

/// Text to a stream; keeps the stream's error, which the text's own error type cannot carry.
struct Output<W> {
    out: W,
    failed: Option<io::Error>,
}

impl<W: Write> Output<W> {
    fn flush(&mut self) -> io::Result<()> {
        match self.failed.take() {
            Some(error) => Err(error),
            None => self.out.flush(),
        }
    }
}

impl<W: Write> fmt::Write for Output<W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.write_all(text.as_bytes()).map_err(|error| {
            self.failed = Some(error);
            fmt::Error
        })
    }
}
