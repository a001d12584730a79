//! `corvid nboard`: the NBoard protocol on standard input and output, for a viewer of Othello games.
//!
//! Another thread reads the lines, since a `ping` has to end a search.

use std::io::{self, BufRead, BufWriter, Write};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use corvid::othello::nboard::{Flow, Interrupt, MAX_LINE, Nboard, interrupts, read_line};

use crate::args::{self, NboardArgs};
use crate::failure::Failure;
use crate::time::microseconds;

/// Answers lines until `quit` or the end of the input.
pub(crate) fn run(args: &NboardArgs) -> Result<(), Failure> {
    let mut memory = args::memory(args.memory)?;
    let interrupt = Arc::new(Interrupt::default());
    let (sender, lines) = channel();
    let announce = Arc::clone(&interrupt);
    thread::spawn(move || listen(io::stdin().lock(), &announce, &sender));
    let mut nboard = Nboard::new(&mut memory, &interrupt, microseconds);
    let mut out = BufWriter::new(io::stdout().lock());
    // The other thread hangs up at the end of the input.
    for line in lines {
        let flow = match line? {
            Some(line) => nboard.line(&line, &mut out)?,
            None => {
                writeln!(out, "status the line is longer than {MAX_LINE} bytes")?;
                Flow::Continue
            }
        };
        out.flush()?;
        if flow == Flow::Quit {
            break;
        }
    }
    Ok(())
}

/// Passes lines on, `None` for one that is too long, and announces those that end a search.
fn listen(
    mut input: impl BufRead,
    interrupt: &Interrupt,
    sender: &Sender<io::Result<Option<String>>>,
) {
    loop {
        let line = read_line(&mut input);
        let message = match line {
            Ok(None) => return,
            Ok(Some(line)) => Ok(line),
            Err(error) => Err(error),
        };
        if let Ok(Some(line)) = &message
            && interrupts(line)
        {
            interrupt.announce();
        }
        let failed = message.is_err();
        // Without a receiver the program is about to end.
        if sender.send(message).is_err() || failed {
            return;
        }
    }
}
