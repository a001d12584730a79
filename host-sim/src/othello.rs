//! What only Othello has: its archives of games, and the protocol of its viewers.

pub(crate) mod replay;
pub(crate) mod viewer;

use corvid::othello::wthor;
