//! What a program on the serial port can do to the flash.
//!
//! `HOURS=24 cargo test -p corvid --test erases -- --nocapture` lets it go on for longer.

use corvid::flash::Flash;
use corvid::machine::{Board, Machine, Next, Plan, World};
use corvid::parts::Parts;

const SECOND: u64 = 1_000_000;
const HOUR: u64 = 3_600 * SECOND;

/// What the store allows: so many at once, then one in five minutes.
const BURST: u64 = 20;
const AN_HOUR: u64 = 12;

/// Starts a game and another one, again and again, for some hours; then waits.
struct Hasty {
    hours: u64,
    games: u64,
    delayed: bool,
    flash: Flash,
}

impl World for Hasty {
    fn moment(&mut self, now: u64, parts: &Parts) -> Next {
        let heard = String::from_utf8(parts.cable.receive()).expect("text");
        self.delayed |= heard.contains("saving later");
        if now < self.hours * HOUR {
            self.games += 2;
            parts.cable.send(b"new othello\nnew dots\nstats\n");
            assert!(heard.matches("= ").count() <= 3, "{heard}");
            return Next::At(now + SECOND / 5);
        }
        if now < self.hours * HOUR + 400 * SECOND {
            // Longer than anything has to wait.
            return Next::At(self.hours * HOUR + 400 * SECOND);
        }
        if !heard.contains("saving") {
            parts.cable.send(b"new adjacency\nplay b c3\nstats\n");
            return Next::At(now + SECOND);
        }
        assert!(heard.contains("saving yes"), "{heard}");
        Next::Off
    }
}

/// Asks a device for its moves after a start.
struct Asks(String);

impl World for Asks {
    fn moment(&mut self, now: u64, parts: &Parts) -> Next {
        if now == 0 {
            parts.cable.send(b"moves\n");
            return Next::At(SECOND);
        }
        self.0 = String::from_utf8(parts.cable.receive()).expect("text");
        Next::Off
    }
}

#[test]
fn new_games_without_end_erase_few_pages() {
    let plan = Plan { seed: Some(1), ..Plan::new(Board::Pico) };
    let flash = plan.flash.clone();
    let hours = std::env::var("HOURS").map_or(2, |hours| hours.parse().expect("a number"));
    let world = Hasty { hours, games: 0, delayed: false, flash };
    let Hasty { hours, games, delayed, flash } = Machine::new(plan).run(world);
    let erases = flash.erases();
    println!("{games} new games in {hours} hours: {erases} erases");
    assert!(delayed, "too few games to tell");
    // One at the start, and one for the time after the last game.
    let most = 1 + BURST + hours * AN_HOUR + 1;
    assert!(erases <= most, "{erases} erases, {most} allowed");
    let plan = Plan { flash, ..Plan::new(Board::Pico) };
    let Asks(heard) = Machine::new(plan).run(Asks(String::new()));
    assert_eq!(heard.trim(), "= c3", "the last game");
}
