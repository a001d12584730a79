//! The speed of the processor, on a board that offers two: full speed, and the one that a setting goes
//! back to. The second processor, on a board that has one.
use crate::profile::Profile;
use core::fmt;
use corvid_core::search::helper::Helper;

/// How fast a board's processor runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Processor {
    /// MHz at full speed.
    pub full_mhz: u32,
    /// MHz at the lower speed.
    pub low_mhz: u32,
    /// What it runs at.
    pub speed: Speed,
}

/// What a processor runs at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speed {
    /// Full speed.
    Full,
    /// The lower speed, because a setting says so.
    Low,
    /// The lower speed, because the board did not start at full speed. It is tried again when the
    /// board is switched on again.
    Fallback,
}

impl Processor {
    /// The processor of a board at this speed; `None` if it has only one.
    pub fn of(profile: &Profile, speed: Speed) -> Option<Self> {
        Some(Self { full_mhz: profile.clock_mhz, low_mhz: profile.low_mhz?, speed })
    }

    /// MHz with the setting on or off.
    pub const fn mhz(self, is_full: bool) -> u32 {
        if is_full { self.full_mhz } else { self.low_mhz }
    }

    /// The speed to restart at for this setting; `None` if it runs at that speed, or can't.
    pub fn change(self, is_full: bool) -> Option<Speed> {
        match (self.speed, is_full) {
            (Speed::Full, false) => Some(Speed::Low),
            (Speed::Low, true) => Some(Speed::Full),
            _ => None,
        }
    }
}

impl fmt::Display for Processor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.speed {
            Speed::Full | Speed::Low => write!(f, "{} MHz", self.mhz(self.speed == Speed::Full)),
            Speed::Fallback => {
                write!(f, "{} MHz, {} MHz failed", self.low_mhz, self.full_mhz)
            }
        }
    }
}

/// A board's second processor.
#[derive(Debug, Clone, Copy)]
pub enum Second {
    /// It has none.
    None,
    /// It did not start: the board goes on with one.
    Silent,
    /// It takes a part of searches.
    Helps(&'static dyn Helper),
}

impl Second {
    /// What searches get.
    pub const fn helper(self) -> Option<&'static dyn Helper> {
        match self {
            Self::None | Self::Silent => None,
            Self::Helps(helper) => Some(helper),
        }
    }
}

/// How many processors the board has, and what is wrong with the second.
impl fmt::Display for Second {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "1",
            Self::Silent => "1, the second did not start",
            Self::Helps(_) => "2",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(speed: Speed) -> Processor {
        Processor { full_mhz: 200, low_mhz: 125, speed }
    }

    #[test]
    fn it_restarts_only_for_another_speed_that_it_can_run_at() {
        assert_eq!(at(Speed::Full).change(true), None);
        assert_eq!(at(Speed::Full).change(false), Some(Speed::Low));
        assert_eq!(at(Speed::Low).change(false), None);
        assert_eq!(at(Speed::Low).change(true), Some(Speed::Full));
        for setting in [false, true] {
            assert_eq!(at(Speed::Fallback).change(setting), None, "it would restart for ever");
        }
    }

    #[test]
    fn it_says_what_it_runs_at() {
        assert_eq!(at(Speed::Full).to_string(), "200 MHz");
        assert_eq!(at(Speed::Low).to_string(), "125 MHz");
        assert_eq!(at(Speed::Fallback).to_string(), "125 MHz, 200 MHz failed");
    }
}
