//! `corvid completions SHELL`: the command line for a shell to complete.

use std::io::{self, Write};

use clap_complete::{Shell, generate};

use crate::args;
use crate::failure::Failure;

/// Prints the script that a shell loads.
pub(crate) fn run(shell: Shell) -> Result<(), Failure> {
    // The generator panics where it can't write.
    let mut script = Vec::new();
    generate(shell, &mut args::corvid(), "corvid", &mut script);
    io::stdout().write_all(&script)?;
    Ok(())
}
