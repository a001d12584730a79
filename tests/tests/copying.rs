//! The LM3S6965's own functions that copy and fill memory, on its emulated processor.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// Flash and RAM of the LM3S6965; nothing has to be initialised.
const SCRIPT: &str = "
SECTIONS {
    .text 0x00000000 : { KEEP(*(.vectors)) *(.text .text.* .rodata .rodata.*) }
    .bss 0x20000000 (NOLOAD) : { *(.bss .bss.* .data .data.*) }
    /DISCARD/ : { *(.ARM.exidx .ARM.exidx.*) }
}
";

#[test]
fn every_alignment_and_length_is_copied() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (script, program) = (folder.join("copying.x"), folder.join("copying.elf"));
    fs::write(&script, SCRIPT).unwrap();
    let built = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args(["--edition=2024", "--target=thumbv7m-none-eabi", "-Copt-level=s", "-Cpanic=abort"])
        .arg(format!("-Clink-arg=-T{}", script.display()))
        .arg("-o")
        .arg(&program)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("board/copying.rs"))
        .status()
        .unwrap();
    assert!(built.success());
    let run = Command::new("timeout")
        .args(["60", "qemu-system-arm", "-machine", "lm3s6965evb", "-display", "none"])
        .args(["-semihosting-config", "enable=on,target=native", "-kernel"])
        .arg(&program)
        .status()
        .unwrap();
    assert!(run.success(), "{run}");
}
