//! The game in progress and who sits at it: the one thing that the screen, the serial port and the
//! thinking share.
use crate::settings::{Draft, Settings, Statistics, Tally};
use corvid_core::{
    bots::Bot,
    engine::{Level, Opponent},
    player::{MAX_PLAYERS, Player, Standing, ranking},
    session::{AnyMatch, MoveText, Refusal},
    setup::GameKind,
};
use heapless::Vec;

/// Who plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seat {
    /// Somebody at the keys or at the serial port.
    Person,
    /// The search at one of nine strengths.
    Level(Level),
    /// A bot with a name.
    Bot(Bot),
}

impl Seat {
    /// Whom to ask for a move; nobody when a person plays.
    pub const fn opponent(self) -> Option<Opponent> {
        match self {
            Self::Person => None,
            Self::Level(level) => Some(Opponent::Level(level)),
            Self::Bot(bot) => Some(Opponent::Bot(bot)),
        }
    }
}

/// How good a hint is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HintStrength {
    /// A legal move.
    Beginner,
    /// A fair one.
    Amateur,
    /// The best that the device finds.
    Advanced,
}

impl HintStrength {
    /// All, weakest first.
    pub const ALL: [Self; 3] = [Self::Beginner, Self::Amateur, Self::Advanced];

    /// Whom to ask.
    pub fn opponent(self) -> Opponent {
        let level = |level| Opponent::Level(Level::new(level).unwrap_or(Level::MAX));
        match self {
            Self::Beginner => Opponent::Bot(Bot::Random),
            Self::Amateur => level(5),
            Self::Advanced => level(9),
        }
    }
}

/// What thread mode has to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// Find a move and play it.
    Move(Opponent),
    /// Play the only move there is, a pass.
    Pass,
    /// Find a move and show it.
    Hint(Opponent),
}

/// The game in progress, its players, and what the device remembers.
#[derive(Debug)]
pub struct Table {
    game: AnyMatch,
    seats: [Seat; MAX_PLAYERS],
    /// Counts the changes of the game, so that a result for an older position is told.
    generation: u32,
    /// Whether computers move by themselves.
    running: bool,
    resigned: Option<Player>,
    /// Whether the result is in the statistics.
    counted: bool,
    wanted: Option<HintStrength>,
    hint: Option<MoveText>,
    /// What a person chose.
    pub settings: Settings,
    /// How the games went.
    pub statistics: Statistics,
}

impl Table {
    /// Othello at its start, nobody playing but persons.
    pub fn new() -> Self {
        Self {
            game: AnyMatch::default(),
            seats: [Seat::Person; MAX_PLAYERS],
            generation: 0,
            running: false,
            resigned: None,
            counted: false,
            wanted: None,
            hint: None,
            settings: Settings::NEW,
            statistics: Statistics::NONE,
        }
    }

    /// The game.
    pub const fn game(&self) -> &AnyMatch {
        &self.game
    }

    /// Who plays, by seat.
    pub const fn seats(&self) -> &[Seat; MAX_PLAYERS] {
        &self.seats
    }

    /// A number that changes whenever the game does.
    pub const fn generation(&self) -> u32 {
        self.generation
    }

    /// Who gave up.
    pub const fn resigned(&self) -> Option<Player> {
        self.resigned
    }

    /// Whether computers move by themselves.
    pub const fn is_running(&self) -> bool {
        self.running
    }

    /// Lets computers move by themselves, or not.
    pub const fn set_running(&mut self, running: bool) {
        self.running = running;
    }

    /// Ends what computers are thinking about, until they are let again.
    pub fn pause(&mut self) {
        self.running = false;
        self.changed();
    }

    /// Who moves for a colour.
    pub fn seat_of(&self, player: Player) -> Seat {
        self.seats[self.game.setup().seat_of(player) % MAX_PLAYERS]
    }

    /// Whether a person has to move now.
    pub fn is_persons_turn(&self) -> bool {
        self.seat_of(self.game.session().turn()) == Seat::Person && !self.is_over()
    }

    /// Whether the game has ended, by its rules or because somebody gave up.
    pub fn is_over(&self) -> bool {
        self.resigned.is_some() || self.game.session().is_over()
    }

    /// The final table, or that of the moment: people from first to last place. Who gave up is
    /// last.
    pub fn standings(&self) -> Vec<Standing, MAX_PLAYERS> {
        let mut scores = self.game.seat_scores();
        let points = scores.clone();
        let loser = self.resigned.map(|player| self.game.setup().seat_of(player));
        if let Some(score) = loser.and_then(|seat| scores.get_mut(seat)) {
            *score = i16::MIN;
        }
        let mut table = ranking(&scores);
        for standing in &mut table {
            standing.points = points.get(standing.player.index()).copied().unwrap_or(0);
        }
        table
    }

    /// Starts a game.
    pub fn start(&mut self, draft: Draft) {
        self.game = AnyMatch::new(draft.setup);
        self.seats = draft.seats;
        self.changed();
        (self.running, self.resigned, self.counted) = (true, None, false);
    }

    /// Puts back a game that was saved.
    pub fn restore(&mut self, game: AnyMatch, seats: [Seat; MAX_PLAYERS]) {
        (self.game, self.seats) = (game, seats);
        self.changed();
        (self.running, self.resigned, self.counted) = (false, None, self.is_over());
    }

    /// Plays a move for the player to move.
    pub fn play(&mut self, text: &str) -> Result<(), Refusal> {
        let turn = self.game.session().turn();
        self.game.session_mut().play(turn, text)?;
        self.changed();
        Ok(())
    }

    /// Takes moves back until a person is to move. False if there is none to take back.
    pub fn undo(&mut self) -> bool {
        self.until_person(|game| game.session_mut().undo())
    }

    /// Plays moves again that were taken back, until a person is to move. False if there is none.
    pub fn redo(&mut self) -> bool {
        self.until_person(|game| game.session_mut().redo())
    }

    fn until_person(&mut self, step: impl Fn(&mut AnyMatch) -> bool) -> bool {
        let persons = self.seats.contains(&Seat::Person);
        let mut moved = false;
        while step(&mut self.game) {
            moved = true;
            let turn = self.game.session().turn();
            let person = self.seat_of(turn) == Seat::Person && !self.game.session().must_pass();
            if person || !persons {
                break;
            }
        }
        if moved {
            self.changed();
            self.resigned = None;
            // Computers among themselves would play on at once.
            self.running &= persons;
        }
        moved
    }

    /// Moves everybody on to the next seat.
    pub fn switch_sides(&mut self) {
        let seats = self.game.setup().seats();
        if let Some(seats) = self.seats.get_mut(..seats) {
            seats.rotate_right(1);
        }
        self.changed();
    }

    /// The person to move gives up; if a computer is to move, the first person does.
    pub fn resign(&mut self) {
        let turn = self.game.session().turn();
        let players = Player::all(self.game.session().colors().len());
        let persons = core::iter::once(turn).chain(players);
        self.resigned = persons.into_iter().find(|player| self.seat_of(*player) == Seat::Person);
        self.changed();
    }

    /// Takes over a game that went on, or began, elsewhere: over the serial port. Who begins a new
    /// game there also plays both sides there.
    pub fn follow(&mut self, game: &AnyMatch) {
        let begun = game.setup() != self.game.setup() || game.session().plies() == 0;
        self.game.copy_from(game);
        self.changed();
        self.resigned = None;
        if begun {
            self.seats = [Seat::Person; MAX_PLAYERS];
            (self.running, self.counted) = (false, false);
        }
    }

    /// Asks for a hint.
    pub fn ask(&mut self, strength: HintStrength) {
        self.wanted = Some(strength);
        self.hint = None;
    }

    /// The hint for this position, once.
    pub const fn take_hint(&mut self) -> Option<MoveText> {
        self.hint.take()
    }

    /// Whether a hint is on its way.
    pub const fn awaits_hint(&self) -> bool {
        self.wanted.is_some()
    }

    /// Forgets about a hint.
    pub const fn drop_hint(&mut self) {
        self.wanted = None;
    }

    /// What thread mode has to do now.
    pub fn task(&self) -> Option<Task> {
        if self.is_over() {
            return None;
        }
        let session = self.game.session();
        if let Some(strength) = self.wanted {
            return Some(Task::Hint(strength.opponent()));
        }
        if !self.running {
            return None;
        }
        match self.seat_of(session.turn()).opponent() {
            Some(opponent) => Some(Task::Move(opponent)),
            None => session.must_pass().then_some(Task::Pass),
        }
    }

    /// Takes the result of a task that was given at a generation; false if it came too late.
    pub fn finish(&mut self, task: Task, generation: u32, text: &MoveText) -> bool {
        if generation != self.generation {
            return false;
        }
        match task {
            Task::Hint(_) => {
                if self.wanted.take().is_some() {
                    self.hint = Some(text.clone());
                }
                true
            }
            Task::Move(_) | Task::Pass => self.play(text).is_ok(),
        }
    }

    fn changed(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        (self.wanted, self.hint) = (None, None);
        if !self.counted && self.is_over() {
            self.counted = true;
            self.count();
        }
    }

    /// Adds the result to the statistics if one person played against computers.
    fn count(&mut self) {
        let kind = self.game.setup().kind();
        let seats = &self.seats[..self.game.setup().seats().min(MAX_PLAYERS)];
        let persons = seats.iter().filter(|seat| **seat == Seat::Person).count();
        let own = seats.iter().position(|seat| *seat == Seat::Person);
        let (1, Some(own)) = (persons, own) else { return };
        let standings = self.standings();
        let first = standings.iter().filter(|standing| standing.place == 1);
        let shared = first.clone().count() > 1;
        let won = first.into_iter().any(|standing| standing.player.index() == own);
        let index = GameKind::ALL.iter().position(|game| *game == kind).unwrap_or(0);
        let Tally { won: wins, drawn, lost } = &mut self.statistics.tallies[index];
        let count = match (won, shared) {
            (true, false) => wins,
            (true, true) => drawn,
            (false, _) => lost,
        };
        *count = count.saturating_add(1);
    }
}

impl Default for Table {
    fn default() -> Self {
        Self::new()
    }
}
