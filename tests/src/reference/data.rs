//! Reads the recorded games and positions in the folder `data`.

use std::fs;

/// The text of a file in the folder `data`.
pub fn read(name: &str) -> String {
    let path = format!("{}/data/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The numbers of a list with spaces between them.
pub fn numbers(text: &str) -> Vec<i32> {
    text.split_whitespace().map(|number| number.parse().expect("a number")).collect()
}
