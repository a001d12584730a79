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

/// Longer than anything has to wait.
const WAIT: u64 = 310 * SECOND;

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
        let end = self.hours * HOUR;
        if now < end + SECOND {
            parts.cable.send(b"play b 0,0-0,1\n");
            return Next::At(end + WAIT);
        }
        if now < end + WAIT + SECOND {
            parts.cable.send(b"stats\n");
            return Next::At(end + WAIT + SECOND);
        }
        assert!(heard.lines().any(|line| line == "saving yes"), "{heard}");
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
    assert_eq!(heard.trim(), "= 0,0-0,1", "the last game");
}
