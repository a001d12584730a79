//! `corvid icfpt`: a contest player on standard input and output, or on a socket.

use std::io::{self, Read, Write};

use corvid_core::desk::OwnDesk;
use corvid_core::icfpt::{Event, Player};
use corvid_core::registry::GameKind;
use corvid_core::session::Match;
use corvid_core::thinker::Thinker;

use crate::args::IcfptArgs;
use crate::failure::Failure;
use crate::link;
use crate::output::Output;
use crate::time::microseconds;

/// Plays until the host closes the line.
pub(crate) fn run(args: &IcfptArgs) -> Result<(), Failure> {
    match &args.tcp {
        None => play(args, io::stdin().lock(), io::stdout().lock()),
        Some(address) => {
            let socket = link::socket(address)?;
            play(args, socket.try_clone()?, socket)
        }
    }
}

fn play(args: &IcfptArgs, mut input: impl Read, out: impl Write) -> Result<(), Failure> {
    let opponent = args.opponent.opponent(GameKind::CONTEST)?;
    let mut memory = args.opponent.memory()?;
    let mut thinker = Thinker::new(&mut memory);
    thinker.seed(args.opponent.seed());
    let mut desk = OwnDesk::new(Match::default(), thinker, microseconds);
    let mut player = Player::new(args.dialect);
    let mut out = Output::new(out);
    let mut chunk = [0; 256];
    loop {
        let count = match input.read(&mut chunk) {
            Ok(0) => return Ok(()),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        for &byte in &chunk[..count] {
            let event = player.push(byte, &mut desk, opponent, &mut out);
            out.flush()?;
            if let Ok(Event::Refused(refusal)) = event {
                // The protocol has no answer for this, so log it.
                let _ = writeln!(io::stderr(), "corvid: no answer: {}", refusal.long());
            }
        }
    }
}
