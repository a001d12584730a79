//! The boards and how their images are built.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::profile::{self, Profile};
use crate::root;

const KB: u64 = 1024;

/// The environment variable with the version that a build gives as its own.
pub const VERSION: &str = "CORVID_VERSION";

/// The environment variable that makes a build leave all code in the flash.
const ALL_IN_FLASH: &str = "CORVID_ALL_IN_FLASH";

/// A board that an image can be built for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board {
    /// What it gives the engine, and its name.
    pub profile: Profile,
    /// The binary: its own, or that of a board with the same pins.
    pub binary: &'static str,
    /// The compiler's target.
    pub triple: &'static str,
    /// Bytes of flash for the image, without those for saved games.
    pub flash: u64,
    /// Bytes of RAM.
    pub ram: u64,
    /// The file that its own boot loader accepts.
    pub upload: Option<Upload>,
    /// What probe-rs calls the chip.
    pub chip: &'static str,
}

/// A file that is put on a board without a debug probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Upload {
    /// For the drive that it shows, of this UF2 family.
    Uf2(u32),
    /// For `dfu-util`.
    Dfu,
    /// Intel HEX, for the drive that its interface chip always shows.
    Hex,
}

/// All boards, the reference boards first.
pub const BOARDS: [Board; 7] = [
    Board {
        profile: profile::PICO,
        binary: "pico",
        triple: "thumbv6m-none-eabi",
        flash: 1984 * KB,
        ram: 264 * KB,
        upload: Some(Upload::Uf2(crate::uf2::RP2040)),
        chip: "RP2040",
    },
    Board {
        profile: profile::LM3S6965EVB,
        binary: "lm3s6965evb",
        triple: "thumbv7m-none-eabi",
        flash: 256 * KB,
        ram: 64 * KB,
        upload: None,
        chip: "LM3S6965",
    },
    Board {
        profile: profile::NUCLEO_F411RE,
        binary: "nucleo-f411re",
        triple: "thumbv7em-none-eabihf",
        flash: 464 * KB,
        ram: 128 * KB,
        upload: None,
        chip: "STM32F411RETx",
    },
    Board {
        profile: profile::BLACKPILL_F411,
        binary: "blackpill-f411",
        triple: "thumbv7em-none-eabihf",
        flash: 464 * KB,
        ram: 128 * KB,
        upload: Some(Upload::Dfu),
        chip: "STM32F411CEUx",
    },
    Board {
        profile: profile::NRF52840_DK,
        binary: "nrf52840-dk",
        triple: "thumbv7em-none-eabihf",
        flash: 960 * KB,
        ram: 256 * KB,
        upload: None,
        chip: "nRF52840_xxAA",
    },
    Board {
        profile: profile::MICROBIT_V2,
        binary: "microbit-v2",
        triple: "thumbv7em-none-eabihf",
        flash: 448 * KB,
        ram: 128 * KB,
        upload: Some(Upload::Hex),
        chip: "nRF52833_xxAA",
    },
    Board {
        profile: profile::PICO2,
        binary: "pico",
        triple: "thumbv8m.main-none-eabihf",
        flash: 4032 * KB,
        ram: 520 * KB,
        upload: Some(Upload::Uf2(crate::uf2::RP2350)),
        chip: "RP235x",
    },
];

impl Board {
    /// The board of this name.
    pub fn named(name: &str) -> Result<Self> {
        match BOARDS.into_iter().find(|board| board.name() == name) {
            Some(board) => Ok(board),
            None => bail!("no board '{name}'; there are {}", BOARDS.map(|b| b.name()).join(", ")),
        }
    }

    /// Its name on command lines, which is also that of its feature.
    pub const fn name(&self) -> &'static str {
        self.profile.name
    }

    /// The UF2 family, of boards that accept such a file.
    pub const fn uf2(&self) -> Option<u32> {
        match self.upload {
            Some(Upload::Uf2(family)) => Some(family),
            _ => None,
        }
    }

    /// The search memory in bytes.
    pub const fn memory(&self) -> u64 {
        self.profile.memory_kb as u64 * KB
    }

    /// Bytes of RAM that static data leaves for the stack.
    pub const fn stack(&self) -> u64 {
        self.profile.stack_kb as u64 * KB
    }

    /// The same for the second processor's; 0 on a board that has one processor.
    pub const fn second_stack(&self) -> u64 {
        self.profile.second_stack_kb as u64 * KB
    }

    /// Bytes of RAM for static data.
    pub const fn static_ram(&self) -> u64 {
        self.ram - self.stack() - self.second_stack()
    }

    /// A cargo command for this board's image.
    pub fn cargo(&self, command: &str) -> Command {
        self.cargo_in(&root(), command, self.image())
    }

    /// Its image as a program.
    const fn image(&self) -> Program {
        Program { package: "corvid-firmware", binary: self.binary }
    }

    /// A cargo command for a program that is compiled as its image is, in a copy of the workspace.
    fn cargo_in(&self, workspace: &Path, command: &str, program: Program) -> Command {
        let mut cargo = cargo();
        cargo.current_dir(workspace);
        // Symbol names that include the types of generic functions.
        let readable = "-Csymbol-mangling-version=v0".to_owned();
        let flags: Vec<_> = same_everywhere(workspace).into_iter().chain([readable]).collect();
        cargo.args([command, "--package", program.package, "--profile", "firmware"]).args([
            "--features",
            self.name(),
            "--bin",
            program.binary,
            "--target",
            self.triple,
            "--config",
            &flags_for(self.triple, &flags),
            "--config",
            &self.opt_level_of("corvid-games"),
        ]);
        cargo
    }

    /// The option that compiles a package at the games' opt-level.
    fn opt_level_of(&self, package: &str) -> String {
        let level = self.profile.opt_level;
        // As TOML has it: a number, or a letter in quotes.
        let level =
            if level.parse::<u8>().is_ok() { level.to_owned() } else { format!("{level:?}") };
        format!("profile.firmware.package.{package}.opt-level={level}")
    }

    /// Builds the image, which is quick when nothing changed, and returns the path of its ELF file.
    pub fn build(&self) -> Result<PathBuf> {
        self.build_in(&root(), None)
    }

    /// The same in a copy of the workspace, and with the version that the image gives as its own; without
    /// one, that of the package.
    pub fn build_in(&self, workspace: &Path, version: Option<&str>) -> Result<PathBuf> {
        let mut build = self.cargo_in(workspace, "build", self.image());
        build.envs(version.map(|version| (VERSION, version)));
        executable(&mut build).with_context(|| {
            format!(
                "the image for {} does not build (a missing target? run `cargo xtask setup`)",
                self.name()
            )
        })
    }

    /// Builds an image for comparison, whose searches run from the flash on a board that has them in RAM, and
    /// returns the path of its ELF file. In a folder of its own, so that nobody takes it for the image.
    pub fn build_all_in_flash(&self) -> Result<PathBuf> {
        let mut build = self.cargo("build");
        build.arg("--target-dir").arg(root().join("target/all-in-flash"));
        executable(build.env(ALL_IN_FLASH, "1")).with_context(|| {
            format!("the image for {} with all code in the flash does not build", self.name())
        })
    }

    /// Builds the program that counts the instructions of this board's games, and returns the path of its
    /// ELF file. The games are the image's own, and what is generic in them is compiled as they are.
    pub fn build_instructions(&self) -> Result<PathBuf> {
        let package = "corvid-instructions";
        let program = Program { package, binary: "instructions" };
        let mut build = self.cargo_in(&root(), "build", program);
        build.args(["--config", &self.opt_level_of(package)]);
        executable(&mut build).with_context(|| format!("{package} for {}", self.name()))
    }
}

/// A program of the workspace.
#[derive(Debug, Clone, Copy)]
struct Program {
    package: &'static str,
    binary: &'static str,
}

/// Runs a build of one program, and returns the path of its ELF file.
fn executable(build: &mut Command) -> Result<PathBuf> {
    let output = build
        .arg("--message-format=json-render-diagnostics")
        .stderr(Stdio::inherit())
        .output()
        .context("cargo does not start")?;
    ensure!(output.status.success(), "cargo ended with {}", output.status);
    String::from_utf8(output.stdout)?
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .context("cargo named no executable")
}

/// Compiler flags that make the same bytes in every folder: a panic and the debugger's tables name source
/// files, without the folders of whoever builds, which take flash too.
pub fn same_everywhere(workspace: &Path) -> Vec<String> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo"))).unwrap_or_default();
    // A folder for each registry, named after its host and a hash.
    let mut folders: Vec<_> = fs::read_dir(home.join("registry/src"))
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    folders.sort();
    folders.push(workspace.to_owned());
    folders.iter().map(|folder| format!("--remap-path-prefix={}/=", folder.display())).collect()
}

/// The option that sets the compiler's flags for a target.
pub fn flags_for(triple: &str, flags: &[String]) -> String {
    format!("target.{triple}.rustflags={flags:?}")
}

/// A cargo command in the workspace's folder.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}
