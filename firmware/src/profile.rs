//! What each board gives the engine: memory, clock, and how its games are compiled.
//! A board's binary takes its search memory from here, `cargo xtask image` the compiler settings
//! and the budgets, and a host that plays as a board does its memory and rate. `xtask` includes
//! this file by its path, so it has no dependencies.

/// What a board gives the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Profile {
    /// The board's name on command lines, which is also that of its feature.
    pub name: &'static str,
    /// Its full name.
    pub title: &'static str,
    /// The processor's clock in MHz.
    pub clock_mhz: u32,
    /// The lower clock that a setting goes back to, on a board that has one.
    pub low_mhz: Option<u32>,
    /// Search memory, in KB.
    pub memory_kb: usize,
    /// Whether what searches spend their time in is copied from the flash to RAM at the start: worth it
    /// where the flash is behind a bus with a small cache. `memory/hot.x` lists it.
    pub hot_in_ram: bool,
    /// RAM that the linker sets apart for the stack, in KB.
    pub stack_kb: usize,
    /// The same for the second processor's; 0 on boards that have one processor.
    pub second_stack_kb: usize,
    /// The opt-level of the games: `s` or a digit.
    pub opt_level: &'static str,
    /// Nodes searched in a second, in percent of the LM3S6965's board second (62.5 million
    /// instructions).
    ///
    /// Measured for the Pico and the Pico 2, by `cargo bench -p corvid-benches --bench board -- speed`,
    /// which fails when this is off by more than 5 %: the geometric mean of the nodes per second in
    /// whole games of four kinds. Their emulators count the cycles of a Cortex-M0+ and a Cortex-M33
    /// without waiting for the flash: what its cache of 16 KB doesn't hold costs a real chip more.
    /// Estimated for the boards without an emulator: 0.8 instructions per cycle, and a sixth more
    /// nodes for the same instructions due to the higher opt-level.
    pub speed: u32,
    /// Whether it has Othello's large table, 50 KB of flash: the feature `large` of corvid-core. Searches
    /// use it from 64 KB of memory on.
    pub large_tables: bool,
    /// Whether it has the comforts: what is pleasant and takes flash, and is no game, bot, level or
    /// rule. `docs/boards/lm3s6965evb.md` lists them.
    pub comforts: bool,
}

/// TI LM3S6965 Evaluation Board: the least of everything. In 256 KB of flash the games have to be
/// compiled for size. Its stack reserve covers what the image may take by calculation, see `docs/memory.md`.
pub const LM3S6965EVB: Profile = Profile {
    name: "lm3s6965evb",
    title: "TI LM3S6965EVB",
    clock_mhz: 50,
    low_mhz: None,
    memory_kb: 32,
    hot_in_ram: false,
    stack_kb: 23,
    second_stack_kb: 0,
    opt_level: "s",
    speed: 100,
    large_tables: false,
    comforts: false,
};

/// Raspberry Pi Pico: a Cortex-M0+ with 264 KB of RAM, of which 51 KB hold code and tables, at the highest
/// clock that its maker supports. A setting goes back to the usual 125 MHz. Level 3 is faster there than
/// level 2: hardly in Othello, by a fifth in Dots. The second processor's stack leaves 140 KB of search
/// memory.
pub const PICO: Profile = Profile {
    name: "pico",
    title: "Raspberry Pi Pico",
    clock_mhz: 200,
    low_mhz: Some(125),
    memory_kb: 140,
    hot_in_ram: true,
    stack_kb: 32,
    second_stack_kb: 20,
    opt_level: "3",
    speed: 132,
    large_tables: true,
    comforts: true,
};

/// Raspberry Pi Pico 2: a Cortex-M33 with 512 KB of RAM.
pub const PICO2: Profile = Profile {
    name: "pico2",
    title: "Raspberry Pi Pico 2",
    clock_mhz: 150,
    low_mhz: None,
    memory_kb: 396,
    hot_in_ram: true,
    stack_kb: 32,
    second_stack_kb: 20,
    opt_level: "3",
    speed: 155,
    large_tables: true,
    comforts: true,
};

/// Nordic nRF52840-DK: a Cortex-M4F with 256 KB of RAM.
pub const NRF52840_DK: Profile = Profile {
    name: "nrf52840-dk",
    title: "Nordic nRF52840-DK",
    clock_mhz: 64,
    low_mhz: None,
    memory_kb: 192,
    hot_in_ram: false,
    stack_kb: 32,
    second_stack_kb: 0,
    opt_level: "3",
    speed: 95,
    large_tables: true,
    comforts: true,
};

/// ST Nucleo-F411RE: a Cortex-M4F with 128 KB of RAM.
pub const NUCLEO_F411RE: Profile = Profile {
    name: "nucleo-f411re",
    title: "ST Nucleo-F411RE",
    clock_mhz: 100,
    low_mhz: None,
    memory_kb: 64,
    hot_in_ram: false,
    stack_kb: 32,
    second_stack_kb: 0,
    opt_level: "3",
    speed: 150,
    large_tables: true,
    comforts: true,
};

/// WeAct Black Pill: the Nucleo's chip, a little slower for the sake of its USB.
pub const BLACKPILL_F411: Profile = Profile {
    name: "blackpill-f411",
    title: "WeAct Black Pill F411",
    clock_mhz: 96,
    speed: 144,
    ..NUCLEO_F411RE
};

/// BBC micro:bit v2: the nRF52840-DK's processor with half the memory.
pub const MICROBIT_V2: Profile =
    Profile { name: "microbit-v2", title: "BBC micro:bit v2", memory_kb: 64, ..NRF52840_DK };

/// All of them, the reference boards first.
pub const PROFILES: [Profile; 7] =
    [PICO, LM3S6965EVB, NUCLEO_F411RE, BLACKPILL_F411, NRF52840_DK, MICROBIT_V2, PICO2];

impl Profile {
    /// The profile of the board of this name.
    pub fn named(name: &str) -> Option<Self> {
        PROFILES.into_iter().find(|profile| profile.name == name)
    }

    /// The search memory in slots of 64 bits.
    pub const fn slots(&self) -> usize {
        self.memory_kb * 1024 / size_of::<u64>()
    }
}
