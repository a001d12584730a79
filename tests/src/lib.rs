//! What the end-to-end tests share: slow reference games and emulated boards.
