//! Benchmarks of the games.
