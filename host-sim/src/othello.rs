//! What only Othello has: its archives of games, and the protocol of its viewers.

mod look;
pub(crate) mod nboard;
pub(crate) mod replay;

use corvid::othello::{ggf, wthor};
