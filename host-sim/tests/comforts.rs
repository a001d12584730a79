//! Display modules, the screen saver and sounds on the simulated device.

use std::cell::RefCell;
use std::collections::{HashSet, VecDeque};
use std::rc::Rc;

use corvid::machine::{Board, Machine, Next, Plan, World};
use corvid::parts::{Module, Parts};
use corvid::reading::shows;
use corvid_firmware::frame::{Frame, HEIGHT, Ink, WIDTH};
use corvid_firmware::keys::Key;
use corvid_firmware::panel::Controller;
use corvid_firmware::sound::Sound;

const SECOND: u64 = 1_000_000;
const MINUTE: u64 = 60 * SECOND;

/// A person who does one thing after the other, each some microseconds after the last.
struct Steps(VecDeque<(u64, Act)>);

type Act = Box<dyn FnOnce(&Parts)>;

impl Steps {
    const fn new() -> Self {
        Self(VecDeque::new())
    }

    fn after(mut self, micros: u64, act: impl FnOnce(&Parts) + 'static) -> Self {
        self.0.push_back((micros, Box::new(act)));
        self
    }

    /// Presses keys by their names over the serial port.
    fn keys(self, names: &'static str) -> Self {
        names.split_whitespace().fold(self, |steps, name| {
            let line = format!("key {name}\n");
            steps.after(SECOND / 10, move |parts| parts.cable.send(line.as_bytes()))
        })
    }

    /// From the main menu, which has the row *Settings* as its last but one, to a row of the
    /// settings, counted from the last one.
    fn settings(self, row: usize) -> Self {
        let steps = self.keys("select up up select up");
        (1..row).fold(steps, |steps, _| steps.keys("up"))
    }

    fn run(self, board: Board) {
        let left = Machine::new(Plan { seed: Some(1), ..Plan::new(board) }).run(self);
        assert!(left.0.is_empty());
    }
}

impl World for Steps {
    fn moment(&mut self, now: u64, parts: &Parts) -> Next {
        if now > 0
            && let Some((_, act)) = self.0.pop_front()
        {
            act(parts);
        }
        while let Some((_, act)) = self.0.pop_front_if(|(micros, _)| *micros == 0) {
            act(parts);
        }
        self.0.front().map_or(Next::Off, |(micros, _)| Next::At(now + micros))
    }
}

fn turned(frame: &Frame) -> Frame {
    let mut turned = Frame::DARK;
    for (x, y) in lit(frame) {
        turned.dot((WIDTH - 1 - x) as i32, (HEIGHT - 1 - y) as i32, Ink::On);
    }
    turned
}

fn lit(frame: &Frame) -> Vec<(usize, usize)> {
    let all = (0..WIDTH).flat_map(|x| (0..HEIGHT).map(move |y| (x, y)));
    all.filter(|(x, y)| frame.is_lit(*x, *y)).collect()
}

/// Whether the start screen is shown.
fn starts(parts: &Parts) -> bool {
    shows(&parts.glass.frame(), "five games")
}

/// Every kind of module.
const MODULES: [Module; 4] = [
    Module { controller: Controller::Ssd1306, address: 0x3c },
    Module { controller: Controller::Sh1106, address: 0x3c },
    Module { controller: Controller::Ssd1306, address: 0x3d },
    Module { controller: Controller::Sh1106, address: 0x3d },
];

#[test]
fn every_module_is_found_at_the_start() {
    for module in MODULES {
        Steps::new()
            .after(0, move |parts| parts.plug(Some(module)))
            .after(SECOND / 10, move |parts| assert!(starts(parts), "{module:?}"))
            .run(Board::Pico);
    }
}

#[test]
fn a_module_that_is_swapped_while_the_device_runs_is_found() {
    let mut steps = Steps::new().keys("select");
    for module in MODULES.into_iter().rev() {
        steps = steps
            .after(SECOND, |parts| {
                assert!(shows(&parts.glass.frame(), "Corvid"));
                parts.plug(None);
            })
            .keys("down")
            .after(SECOND, move |parts| {
                assert_eq!(lit(&parts.glass.frame()), []);
                parts.plug(Some(module));
            });
    }
    steps.after(SECOND, |parts| assert!(shows(&parts.glass.frame(), "Corvid"))).run(Board::Pico);
}

#[test]
fn the_picture_can_be_turned_upside_down() {
    for module in MODULES {
        Steps::new()
            .after(0, move |parts| parts.plug(Some(module)))
            .settings(4)
            .after(SECOND, |parts| assert!(shows(&parts.glass.frame(), "Upside down")))
            .keys("right")
            .after(SECOND, |parts| assert!(shows(&turned(&parts.glass.frame()), "Upside down")))
            .keys("right")
            .after(SECOND, |parts| assert!(shows(&parts.glass.frame(), "Upside down")))
            .run(Board::Pico);
    }
}

#[test]
fn the_setting_of_the_controller_overrules_what_the_module_says() {
    // The row of the title, from some column on.
    let title = |parts: &Parts, from: usize| -> Vec<bool> {
        let frame = parts.glass.frame();
        (0..100)
            .flat_map(|x| (0..8).map(move |y| (x, y)))
            .map(|(x, y)| frame.is_lit(from + x, y))
            .collect()
    };
    let seen = Rc::new(RefCell::new(Vec::new()));
    let (first, last) = (seen.clone(), seen.clone());
    Steps::new()
        .settings(3)
        .after(SECOND, move |parts| *first.borrow_mut() = title(parts, 0))
        .keys("right")
        .after(SECOND, |parts| assert!(shows(&parts.glass.frame(), "SSD1306")))
        .keys("right")
        .after(SECOND, move |parts| {
            assert!(shows(&parts.glass.frame(), "SH1106"));
            assert!(title(parts, 2) == *seen.borrow(), "two columns to the right");
            assert!(title(parts, 0) != *seen.borrow());
        })
        .keys("right")
        .after(SECOND, move |parts| assert!(title(parts, 0) == *last.borrow()))
        .run(Board::Pico);
}

/// Whether the screen saver is shown: few pixels, and no text.
fn sleeps(parts: &Parts) -> bool {
    !starts(parts) && (50..400).contains(&lit(&parts.glass.frame()).len())
}

#[test]
fn after_five_minutes_a_crow_wanders_until_a_key() {
    Steps::new()
        .after(5 * MINUTE - SECOND, |parts| assert!(starts(parts)))
        .after(2 * SECOND, |parts| {
            assert!(sleeps(parts));
            parts.keys.set(Key::Select, true);
        })
        .after(SECOND / 10, |parts| parts.keys.set(Key::Select, false))
        .after(SECOND / 10, |parts| assert!(starts(parts), "the key only wakes it"))
        .keys("select")
        .after(SECOND / 10, |parts| assert!(shows(&parts.glass.frame(), "New game")))
        .after(5 * MINUTE, |parts| assert!(sleeps(parts), "again"))
        .run(Board::Pico);
}

#[test]
fn the_crow_never_stays_long_and_the_serial_port_sees_it() {
    let places = Rc::new(RefCell::new(HashSet::new()));
    let mut steps = Steps::new().after(5 * MINUTE, |_| {});
    for _ in 0..20 {
        let places = places.clone();
        steps = steps.after(5 * SECOND, move |parts| {
            assert!(sleeps(parts));
            assert!(places.borrow_mut().insert(lit(&parts.glass.frame())), "the same place again");
            parts.cable.receive();
            parts.cable.send(b"screen\n");
        });
    }
    steps
        .after(SECOND, |parts| {
            let answer = String::from_utf8(parts.cable.receive()).unwrap();
            // Two rows in each line: `'` is lit above, `.` below, `:` both.
            let count = |dots: &str| answer.matches(|letter| dots.contains(letter)).count();
            assert_eq!(count("'.:") + count(":"), lit(&parts.glass.frame()).len(), "{answer}");
            assert!(sleeps(parts), "asking does not wake it");
        })
        .run(Board::Pico);
}

#[test]
fn a_game_over_the_serial_port_is_watched_and_ends_the_saver() {
    let mut steps = Steps::new();
    for mv in ["b d3", "w c5", "b d6", "w e3"] {
        let line = format!("play {mv}\n");
        steps = steps.after(2 * MINUTE, move |parts| {
            assert!(starts(parts));
            parts.cable.send(line.as_bytes());
        });
    }
    steps
        .after(5 * MINUTE + SECOND, |parts| {
            assert!(sleeps(parts));
            parts.cable.send(b"undo\n");
        })
        .after(SECOND, |parts| assert!(starts(parts)))
        .run(Board::Pico);
}

#[test]
fn the_saver_can_be_switched_off_and_is_not_on_the_small_board() {
    Steps::new()
        .settings(5)
        .after(SECOND, |parts| assert!(shows(&parts.glass.frame(), "5 min")))
        .keys("left left")
        .after(60 * MINUTE, |parts| assert!(shows(&parts.glass.frame(), "Screen saver")))
        .run(Board::Pico);
    Steps::new().after(60 * MINUTE, |parts| assert!(starts(parts))).run(Board::Lm3s6965evb);
}

/// What the piezo was told since the last call.
fn heard(parts: &Parts) -> Vec<Option<u16>> {
    parts.piezo.take().iter().map(|tone| tone.hz).collect()
}

/// What it is told for a sound.
fn tones(sound: Sound) -> Vec<Option<u16>> {
    sound.tones().iter().map(|(hz, _)| Some(*hz)).chain([None]).collect()
}

#[test]
fn keys_moves_and_refusals_are_heard_if_wanted() {
    Steps::new()
        .settings(2)
        .after(SECOND, |parts| {
            assert!(shows(&parts.glass.frame(), "Sound"));
            assert_eq!(heard(parts), [], "off by default");
        })
        .keys("right")
        .after(SECOND, |parts| assert_eq!(heard(parts), tones(Sound::Key)))
        // The settings, left for the menu, for the first game against level 3.
        .keys("menu down down select up select")
        .after(SECOND, |parts| {
            assert_eq!(heard(parts), [(); 6].map(|()| tones(Sound::Key)).concat());
        })
        // On the rules' first legal square: the computer answers.
        .keys("select")
        .after(4 * SECOND, |parts| {
            assert_eq!(heard(parts), [tones(Sound::Key), tones(Sound::Move)].concat());
        })
        // Where its own disc is now, nothing can be put.
        .keys("select")
        .after(SECOND, |parts| assert_eq!(heard(parts), tones(Sound::Refusal)))
        .run(Board::Pico);
}

#[test]
fn a_tone_lasts_as_long_as_it_should() {
    Steps::new()
        .settings(2)
        .keys("right")
        .after(SECOND, |parts| {
            let tones = parts.piezo.take();
            let [begin, end] = tones[..] else { panic!("{tones:?}") };
            let (_, millis) = Sound::Key.tones()[0];
            assert_eq!(end.at - begin.at, u64::from(millis) * 1000);
        })
        .run(Board::Pico);
}

#[test]
fn the_small_board_has_no_sound() {
    Steps::new()
        .keys("select up up select up")
        .after(SECOND, |parts| assert!(!shows(&parts.glass.frame(), "Sound")))
        .run(Board::Lm3s6965evb);
}
