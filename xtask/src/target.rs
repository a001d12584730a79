//! The compiler's targets, which are added when they are missing.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::root;

/// Adds those of these targets that the compiler does not have. A compiler that has them all need
/// not come from rustup.
pub fn add(triples: &[&str]) -> Result<()> {
    let missing: Vec<_> = triples.iter().copied().filter(|triple| !is_there(triple)).collect();
    if missing.is_empty() { Ok(()) } else { add_by("rustup", &missing) }
}

/// The target of the machine that this runs on.
pub fn host() -> Result<String> {
    let output = Command::new("rustc").arg("-vV").output().context("rustc does not start")?;
    let text = String::from_utf8(output.stdout)?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc does not name its host")?.to_owned())
}

/// Whether the compiler has the standard library's `core` for a target.
fn is_there(triple: &str) -> bool {
    let mut rustc = Command::new("rustc");
    rustc.args(["--print", "target-libdir", "--target", triple]).stderr(Stdio::null());
    let output = rustc.current_dir(root()).output();
    output.is_ok_and(|output| {
        let folder = String::from_utf8_lossy(&output.stdout).trim_end().to_owned();
        let files = Path::new(&folder).read_dir().into_iter().flatten().flatten();
        output.status.success()
            && files
                .into_iter()
                .any(|file| file.file_name().to_string_lossy().starts_with("libcore"))
    })
}

fn add_by(rustup: &str, missing: &[&str]) -> Result<()> {
    let names = missing.join(" ");
    println!("adding the compiler's target {names}");
    let mut command = Command::new(rustup);
    command.args(["target", "add"]).args(missing).current_dir(root());
    let status = command.status().with_context(|| {
        format!(
            "the compiler lacks {names}, and {rustup}, which adds it, does not start: install Rust \
             from https://rustup.rs, or your system's package for that target"
        )
    })?;
    ensure!(status.success(), "`{rustup} target add {names}` failed; is there a network?");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_that_are_there_are_told_from_others() {
        let host = host().expect("a compiler");
        assert!(is_there(&host));
        assert!(!is_there("no-such-target"));
        add(&[&host]).expect("there is nothing to do");
    }

    #[test]
    fn a_target_that_cannot_be_added_is_named_with_what_to_do() {
        let error = add_by("no-such-rustup", &["thumb-a", "thumb-b"]).unwrap_err().to_string();
        assert!(
            error.contains("thumb-a thumb-b") && error.contains("https://rustup.rs"),
            "{error}"
        );
        let error = add_by("false", &["thumb-a"]).unwrap_err().to_string();
        assert_eq!(error, "`false target add thumb-a` failed; is there a network?");
        assert!(add_by("true", &["thumb-a"]).is_ok());
    }
}
