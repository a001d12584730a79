//! Searching games: memory, budget and the search itself.

pub mod budget;
pub mod table;
