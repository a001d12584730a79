//! Corvid on a PC.
fn main() {}
