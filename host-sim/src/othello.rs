//! What only Othello has: its archives of games.

pub(crate) mod replay;
mod wthor;
