//! The boards as a person sees them: which pins are where, by what is printed beside them.

use anyhow::{Context, Result, ensure};

/// A board's headers and what is on it.
#[derive(Debug)]
pub(super) struct Layout {
    /// The board's name.
    name: &'static str,
    /// The pins at its left edge, from the top. A gap has no name.
    pub(super) left: &'static [&'static str],
    /// Those at its right edge.
    pub(super) right: &'static [&'static str],
    /// Whether people count the pins, around the board from the left edge's first, instead of reading
    /// names.
    pub(super) is_numbered: bool,
    /// What is on the board and needs no wire.
    built_in: &'static [&'static str],
    /// What is beside the picture.
    pub(super) note: &'static str,
}

/// An edge with pins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Side {
    Left,
    Right,
}

/// A pin: its edge, and how many are above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pin {
    pub(super) side: Side,
    pub(super) row: usize,
}

const USB: &str = "USB socket";
const DEBUGGER: &str = "the debugger's USB";

const PICO: Layout = Layout {
    name: "pico",
    left: &[
        "GP0", "GP1", "GND", "GP2", "GP3", "GP4", "GP5", "GND", "GP6", "GP7", "GP8", "GP9", "GND",
        "GP10", "GP11", "GP12", "GP13", "GND", "GP14", "GP15",
    ],
    right: &[
        "VBUS", "VSYS", "GND", "3V3_EN", "3V3 OUT", "VREF", "GP28", "GND", "GP27", "GP26", "RUN",
        "GP22", "GND", "GP21", "GP20", "GP19", "GP18", "GND", "GP17", "GP16",
    ],
    is_numbered: true,
    built_in: &[USB],
    note: "",
};

/// Boards with the headers of an Arduino Uno.
const ARDUINO_DIGITAL: [&str; 19] = [
    "D15", "D14", "AREF", "GND", "D13", "D12", "D11", "D10", "D9", "D8", "", "D7", "D6", "D5",
    "D4", "D3", "D2", "D1", "D0",
];

const LAYOUTS: [Layout; 7] = [
    PICO,
    Layout { name: "pico2", ..PICO },
    Layout {
        name: "lm3s6965evb",
        left: &[],
        right: &[],
        is_numbered: false,
        built_in: &["built in", DEBUGGER],
        note: "Everything is on the board: there is nothing to wire.",
    },
    Layout {
        name: "nucleo-f411re",
        left: &[
            "", "NC", "IOREF", "RESET", "3V3", "5V", "GND", "GND", "VIN", "", "A0", "A1", "A2",
            "A3", "A4", "A5",
        ],
        right: &ARDUINO_DIGITAL,
        is_numbered: false,
        built_in: &["the blue button", DEBUGGER],
        note: "",
    },
    Layout {
        name: "blackpill-f411",
        left: &[
            "B12", "B13", "B14", "B15", "A8", "A9", "A10", "A11", "A12", "A15", "B3", "B4", "B5",
            "B6", "B7", "B8", "B9", "5V", "G", "3V3",
        ],
        right: &[
            "5V", "G", "3V3", "B10", "B2", "B1", "B0", "A7", "A6", "A5", "A4", "A3", "A2", "A1",
            "A0", "R", "C15", "C14", "C13", "VB",
        ],
        is_numbered: false,
        built_in: &["the KEY button", USB],
        note: "",
    },
    Layout {
        name: "nrf52840-dk",
        left: &[
            "", "VDD", "VDD", "RESET", "VDD", "5V", "GND", "GND", "VIN", "", "A0", "A1", "A2",
            "A3", "A4", "A5",
        ],
        right: &[
            "SCL", "SDA", "AREF", "GND", "D13", "D12", "D11", "D10", "D9", "D8", "", "D7", "D6",
            "D5", "D4", "D3", "D2", "D1", "D0",
        ],
        is_numbered: false,
        built_in: &["button 1", "button 2", "button 3", "button 4", DEBUGGER],
        note: "",
    },
    Layout {
        name: "microbit-v2",
        left: &[],
        right: &[
            "P3", "P0", "P4", "P5", "P6", "P7", "P1", "P8", "P9", "P10", "P11", "P12", "P2", "P13",
            "P14", "P15", "P16", "3V", "3V", "3V", "P19", "P20", "GND", "GND", "GND",
        ],
        is_numbered: false,
        built_in: &["button A", "button B", "built in", DEBUGGER],
        note: "The edge connector, from its left end to its right, seen from the side with the buttons.",
    },
];

impl Layout {
    /// That of a board.
    pub(super) fn of(board: &str) -> Result<&'static Self> {
        let found = LAYOUTS.iter().find(|layout| layout.name == board);
        found.with_context(|| format!("xtask/src/wiring/layout.rs does not know the {board}"))
    }

    /// Every pin, with its name.
    pub(super) fn pins(&self) -> impl Iterator<Item = (Pin, &'static str)> {
        let edges = [(Side::Left, self.left), (Side::Right, self.right)];
        edges.into_iter().flat_map(|(side, names)| {
            let pins = names.iter().enumerate().map(move |(row, name)| (Pin { side, row }, *name));
            pins.filter(|(_, name)| !name.is_empty())
        })
    }

    /// How people count a pin.
    pub(super) fn number(&self, pin: Pin) -> usize {
        match pin.side {
            Side::Left => pin.row + 1,
            Side::Right => self.left.len() + self.right.len() - pin.row,
        }
    }

    /// The pins that words mean: a number, with a remark in brackets, or a name, which several may have.
    fn meant(&self, words: &str) -> Vec<Pin> {
        let mark = words.split(" (").next().unwrap_or(words);
        let fits = |(pin, name): &(Pin, &str)| match self.is_numbered {
            true => self.number(*pin).to_string() == mark,
            false => *name == mark,
        };
        self.pins().filter(fits).map(|(pin, _)| pin).collect()
    }

    /// The edge where most of a part's pins are. What is at several pins, such as the ground, does not
    /// count.
    pub(super) fn side_of<'w>(&self, words: impl Iterator<Item = &'w str>) -> Side {
        let (mut left, mut right) = (0, 0);
        for words in words {
            match self.meant(words)[..] {
                [Pin { side: Side::Left, .. }] => left += 1,
                [Pin { side: Side::Right, .. }] => right += 1,
                _ => {}
            }
        }
        if right > left { Side::Right } else { Side::Left }
    }

    /// The free pin that words mean, at this edge if possible; `None` if they mean something on the board.
    pub(super) fn find(&self, words: &str, side: Side, taken: &[Pin]) -> Result<Option<Pin>> {
        if self.built_in.contains(&words) {
            return Ok(None);
        }
        let all = self.meant(words);
        ensure!(!all.is_empty(), "there is no '{words}' on the {}", self.name);
        let free = || all.iter().filter(|pin| !taken.contains(pin));
        let pin = free().find(|pin| pin.side == side).or(free().next());
        Ok(Some(*pin.with_context(|| format!("every '{words}' on the {} is in use", self.name))?))
    }
}
