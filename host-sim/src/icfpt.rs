//! `corvid icfpt`: a contest player on standard input and output, or on a socket.

use std::io::{self, Read, Write};

use corvid_core::engine::Thinking;
use corvid_core::icfpt::{Event, Player};
use corvid_core::mix::Rng;
use corvid_core::session::AnyMatch;
use corvid_core::setup::GameKind;

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
    let opponent = args.opponent.opponent(GameKind::BlokusDuo)?;
    let mut memory = args.opponent.memory()?;
    let mut rng = Rng::new(args.opponent.seed());
    let mut game = AnyMatch::default();
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
            let mut thinking = Thinking {
                memory: &mut memory,
                rng: &mut rng,
                clock: &microseconds,
                micros: u64::MAX,
                stop: None,
            };
            let event = player.push(byte, &mut game, opponent, &mut thinking, &mut out);
            out.flush()?;
            if let Ok(Event::Refused(refusal)) = event {
                // The protocol has no answer for this; whoever watches may want to know.
                let _ = writeln!(io::stderr(), "corvid: no answer: {}", refusal.long());
            }
        }
    }
}
