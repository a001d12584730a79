//! Waiting for what an emulated board sends, where its time passes only on request.
use crate::board::Board;
use anyhow::{Context, Result, ensure};
use std::time::Duration;

/// The polling interval, in board time.
const LOOK: Duration = Duration::from_millis(2);

/// A board that collects what it has sent while it runs.
pub trait Inbox: Board {
    /// What it has sent and no test has read yet.
    fn received(&mut self) -> &mut Vec<u8>;
}

/// [`Board::receive_until`].
pub fn receive_until(board: &mut impl Inbox, end: &str, timeout: Duration) -> Result<String> {
    let mut waited = Duration::ZERO;
    loop {
        let received = board.received();
        let found = received.windows(end.len()).position(|text| text == end.as_bytes());
        if let Some(start) = found {
            return take(board, start + end.len());
        }
        ensure!(
            waited < timeout,
            "no {end:?} within {timeout:?} of board time, only {:?}",
            String::from_utf8_lossy(received)
        );
        board.run_for(LOOK)?;
        waited += LOOK;
    }
}

/// [`Board::receive`].
pub fn receive(board: &mut impl Inbox, count: usize, timeout: Duration) -> Result<String> {
    let mut waited = Duration::ZERO;
    while board.received().len() < count {
        let received = String::from_utf8_lossy(board.received()).into_owned();
        ensure!(waited < timeout, "no {count} bytes in {timeout:?}, only {received:?}");
        board.run_for(LOOK)?;
        waited += LOOK;
    }
    take(board, count)
}

fn take(board: &mut impl Inbox, count: usize) -> Result<String> {
    let text = board.received().drain(..count).collect();
    String::from_utf8(text).context("the board sent bytes that are not text")
}
