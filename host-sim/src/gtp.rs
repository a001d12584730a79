//! `corvid gtp`: the GTP engine on standard input and output.

use std::io::{self, BufWriter, Read};

use corvid_core::desk::OwnDesk;
use corvid_core::gtp::{Flow, Gtp};
use corvid_core::lines::LineReader;
use corvid_core::session::Match;
use corvid_core::thinker::Thinker;

use crate::args::GtpArgs;
use crate::failure::Failure;
use crate::output::Output;
use crate::time::microseconds;

/// Answers lines until `quit` or the end of the input.
pub(crate) fn run(args: &GtpArgs) -> Result<(), Failure> {
    let setup = args.setup.setup();
    let opponent = args.opponent.opponent(setup.kind())?;
    let mut memory = args.opponent.memory()?;
    let mut thinker = Thinker::new(&mut memory);
    thinker.seed(args.opponent.seed());
    let mut desk = OwnDesk::new(Match::new(setup), thinker, microseconds);
    let mut gtp = Gtp::new().with_opponent(opponent).with_notation(args.notation);
    let mut lines = LineReader::new();
    let mut out = Output::new(BufWriter::new(io::stdout().lock()));
    let mut input = io::stdin().lock();
    let mut chunk = [0; 4096];
    loop {
        let count = input.read(&mut chunk)?;
        let mut answer = |line: Result<&[u8], _>| match line {
            Ok(line) => gtp.line(&mut desk, line, &mut out),
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
