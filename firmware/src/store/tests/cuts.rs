//! Power cuts at random instants, mixed with failing cells: nothing that was acknowledged is lost.
//!
//! `CUTS=1000000 cargo test -p corvid-firmware power_cuts -- --nocapture` cuts as often as you like.
use super::*;
use crate::store::mock::Faults;

/// Cuts in the usual test run.
const CUTS: usize = 100_000;

/// A flash is used for so many of them.
const CUTS_EACH: usize = 500;

/// What fails besides the power.
#[derive(Debug, Clone, Copy)]
struct Plan {
    pages: usize,
    /// The most that is written or erased before a cut.
    longest: u32,
    /// One start in so many finds a bit of a page flipped, or a cell stuck; 0 for none.
    flips: u32,
    sticks: u32,
    /// One erase in so many fails.
    erase_fails: u32,
}

const PLANS: [Plan; 4] = [
    Plan { pages: 16, longest: 1500, flips: 0, sticks: 0, erase_fails: 0 },
    // Many of these starts do not get as far as the game.
    Plan { pages: 3, longest: 500, flips: 0, sticks: 0, erase_fails: 0 },
    Plan { pages: 3, longest: 1000, flips: 2, sticks: 0, erase_fails: 0 },
    Plan { pages: 8, longest: 1000, flips: 2, sticks: 50, erase_fails: 20 },
];

/// Cells stick in no more than half of the pages: a store needs three that work, one of them for the
/// page before the one whose header was torn.
const MOST_STUCK: usize = 4;

/// What is saved of a game: how it began, its moves, whether it was counted, its clocks.
#[derive(Debug, Clone, PartialEq)]
struct Kept {
    setup: Setup,
    moves: Vec<u8>,
    counted: bool,
    clock: Vec<u8>,
}

/// Everything that is saved.
#[derive(Debug, Clone, PartialEq, Default)]
struct State {
    game: Option<Kept>,
    settings: Vec<u8>,
    statistics: Vec<u8>,
}

impl State {
    fn of(store: &Tested) -> Self {
        let game = store.game().map(|saved| Kept {
            setup: saved.setup(),
            moves: saved.moves_from(0).1.to_vec(),
            counted: saved.is_counted(),
            clock: saved.clock().to_vec(),
        });
        let value = |value| store.value(value).to_vec();
        Self { game, settings: value(Value::Settings), statistics: value(Value::Statistics) }
    }
}

/// The counts of a run.
#[derive(Debug, Default)]
struct Counts {
    cuts: usize,
    starts: usize,
    faults: Faults,
    lost: usize,
    told: usize,
}

/// A person at a device that loses its power.
struct Player {
    rng: Rng,
    game: Match,
    counted: bool,
    /// What was acknowledged, what is being saved, and that with the clocks of before: a move is
    /// written first.
    kept: State,
    tried: State,
    early: State,
}

impl Player {
    fn bytes(&mut self, most: u32) -> Vec<u8> {
        (0..self.rng.below(most)).map(|_| self.rng.next_u32() as u8).collect()
    }

    /// Changes something and saves it. False if it was not acknowledged.
    fn step(&mut self, store: &mut Tested) -> bool {
        let choice = self.rng.below(24);
        let mut drops = false;
        match choice {
            0 => self.tried.settings = self.bytes(60),
            1 => self.tried.statistics = self.bytes(200),
            // Somebody resigns.
            2 => {
                drops = true;
                self.tried.statistics = self.bytes(200);
            }
            3 => drops = true,
            _ => {}
        }
        let begins = self.game.is_over() || drops || choice == 4;
        if choice > 4 && !begins && (choice != 5 || !self.game.undo()) {
            play(&mut self.game, &mut self.rng);
            if self.game.is_over() && !self.counted {
                self.counted = true;
                self.tried.statistics = self.bytes(200);
            }
        }
        // A game ends and the next one begins before either is saved.
        if choice == 4 && self.rng.below(3) == 0 {
            self.tried.statistics = self.bytes(200);
        }
        if begins {
            self.game = Match::new(setups()[self.rng.below(7) as usize]);
            self.counted = false;
        }
        // As the brain does.
        if drops {
            self.tried.game = None;
        } else if choice >= 4 {
            let clock = if self.rng.below(3) == 0 { Vec::new() } else { vec![choice as u8; 10] };
            let mut packed = SavedGame::new();
            packed.update(&self.game, &NOBODY, self.counted).unwrap();
            let moves = packed.moves_from(0).1.to_vec();
            let (setup, counted) = (self.game.setup(), self.counted);
            store.note(&self.game, &NOBODY, counted, &clock);
            self.tried.game = Some(Kept { setup, moves, counted, clock });
        }
        store.note_value(Value::Settings, &self.tried.settings);
        store.note_value(Value::Statistics, &self.tried.statistics);
        self.early.clone_from(&self.tried);
        if let (Some(early), Some(kept)) = (&mut self.early.game, &self.kept.game)
            && (early.setup, early.counted) == (kept.setup, kept.counted)
            && !early.moves.is_empty()
        {
            early.clock.clone_from(&kept.clock);
        }
        let saved =
            if drops { block_on(store.forget_game()) } else { block_on(store.write_game()) };
        let saved = saved.and_then(|()| block_on(store.write_values()));
        if saved.is_ok() {
            self.kept.clone_from(&self.tried);
        }
        saved.is_ok()
    }

    /// Compares what a start has found with what it must find.
    fn check(&mut self, store: &Tested, counts: &mut Counts) {
        let found = State::of(store);
        let known = [&self.kept, &self.tried, &self.early].contains(&&found);
        if !known {
            println!("{found:?}\nis neither {:?}\nnor {:?}", self.kept, self.tried);
        }
        counts.starts += 1;
        counts.lost += usize::from(!known);
        counts.told += usize::from(store.damaged);
        self.counted = found.game.as_ref().is_some_and(|game| game.counted);
        if let Some(saved) = store.game() {
            saved.replay(&mut self.game).unwrap();
        }
        (self.kept, self.tried) = (found.clone(), found);
    }
}

fn cut(plan: Plan, seed: u64, cuts: usize, counts: &mut Counts) {
    let mut flash = Flash::new(plan.pages, seed);
    flash.erase_fails = plan.erase_fails;
    let mut player = Player {
        rng: Rng::new(seed),
        game: Match::default(),
        counted: false,
        kept: State::default(),
        tried: State::default(),
        early: State::default(),
    };
    for _ in 0..cuts {
        let rng = &mut player.rng;
        let page = rng.below(plan.pages as u32) as usize;
        if plan.flips > 0 && rng.below(plan.flips) == 0 {
            flash.flip(page);
        }
        if plan.sticks > 0 && rng.below(plan.sticks) == 0 && flash.faults.stuck < MOST_STUCK {
            flash.stick(page);
        }
        let mut store = open(flash, u64::from(rng.below(plan.longest)));
        if !store.pages.flash_mut().is_off() {
            player.check(&store, counts);
            // A flash that fails without a cut is tried again after the next start.
            while player.step(&mut store) {}
        }
        flash = flash_of(store);
        assert!(flash.is_off() || plan.erase_fails > 0, "not saved, with power");
        counts.cuts += 1;
    }
    counts.faults.flips += flash.faults.flips;
    counts.faults.stuck += flash.faults.stuck;
    counts.faults.failed_erases += flash.faults.failed_erases;
}

#[test]
fn power_cuts_and_failing_cells_lose_nothing() {
    let cuts = std::env::var("CUTS").map_or(CUTS, |cuts| cuts.parse().expect("CUTS is a number"));
    let mut counts = Counts::default();
    for round in 0..cuts.div_ceil(CUTS_EACH) {
        cut(PLANS[round % PLANS.len()], round as u64, CUTS_EACH, &mut counts);
    }
    let Counts { cuts, starts, faults: Faults { flips, stuck, failed_erases }, lost, told } =
        counts;
    println!(
        "cuts {cuts}, starts {starts}, flips {flips}, stuck cells {stuck}, failed erases \
         {failed_erases}, told of damage {told}, lost {lost}"
    );
    assert!(flips * 10 > cuts && stuck * 1000 > cuts && failed_erases * 100 > cuts, "too few");
    assert_eq!((lost, told), (0, 0));
}
