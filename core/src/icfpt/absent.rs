//! Stands in for the contest's protocol where its game is not built: there is no dialect, so nobody can
//! ask for one, and the compiler removes what a console would do with it.

use core::fmt::{self, Write};

use crate::desk::Desk;
use crate::registry::AnyOpponent;

/// No dialect is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {}

impl Dialect {
    pub(crate) const USUAL: Option<Self> = None;

    pub(crate) const fn from_name(_: &str) -> Option<Self> {
        None
    }
}

/// Nobody plays.
#[derive(Debug)]
pub(crate) enum Player {}

impl Player {
    pub(crate) const fn new(dialect: Dialect) -> Self {
        match dialect {}
    }

    pub(crate) const fn longest_micros(&self) -> u64 {
        match *self {}
    }

    pub(crate) const fn push(
        &mut self,
        _: u8,
        _: &mut dyn Desk,
        _: AnyOpponent,
        _: &mut dyn Write,
    ) -> fmt::Result {
        match *self {}
    }
}
