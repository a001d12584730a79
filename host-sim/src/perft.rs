//! `corvid perft`: counts move sequences.

use std::io::{self, Write};
use std::time::Instant;

use crate::args::PerftArgs;
use crate::failure::Failure;

/// Prints a line for every length up to the given one; times go to standard error.
pub(crate) fn run(args: &PerftArgs) -> Result<(), Failure> {
    let game = args.setup.after(&args.moves)?;
    for depth in args.depth.min(1)..=args.depth {
        let begun = Instant::now();
        let count = game.position().perft(depth);
        writeln!(io::stdout(), "perft {depth} {count}")?;
        let seconds = begun.elapsed().as_secs_f64();
        if seconds >= 0.1 {
            let rate = count as f64 / seconds / 1e6;
            writeln!(io::stderr(), "depth {depth}: {seconds:.2} s, {rate:.1} million leaves/s")?;
        }
    }
    Ok(())
}
