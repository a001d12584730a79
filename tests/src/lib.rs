//! What the end-to-end tests share: slow reference games, opponents and emulated boards.

pub mod board;
pub mod bots;
pub mod climb;
pub mod compare;
pub mod device;
pub mod device_page;
pub mod faults;
pub mod figures;
pub mod fuzz;
pub mod host;
pub mod image;
pub mod inbox;
pub mod measure;
pub mod opponents;
pub mod qemu;
pub mod rates;
pub mod reference;
pub mod rp2040;
pub mod rp2350;
pub mod sabotage;
pub mod scenario;
pub mod screen;
pub mod soak;
pub mod twin;
