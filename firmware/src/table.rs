//! The match in progress and its players. The table owns the match; the screen, the serial port,
//! the store and the thinker borrow it or ask for a change.
use crate::{
    app::COMFORTS,
    clock::{Clock, TimeUp},
    processor::Processor,
    settings::{Draft, Settings},
    statistics::{Outcome, Statistics},
    store::Trouble,
};
use corvid_core::{
    engine::{Level, Opponent},
    game::MoveCode,
    list::last_to_front,
    player::{MAX_PLAYERS, Player, Standing, ranking},
    refusal::Refusal,
    registry::{AnyOpponent, Bot, GameKind},
    session::Match,
};
use embassy_time::{Duration, Instant};
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
    /// Whom to ask for a move; `None` for a person.
    pub const fn opponent(self) -> Option<AnyOpponent> {
        match self {
            Self::Person => None,
            Self::Level(level) => Some(Opponent::Level(level)),
            Self::Bot(bot) => Some(Opponent::Bot(bot)),
        }
    }
}

/// Who gives a hint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hinter {
    /// Anybody: a legal move.
    Beginner,
    /// A fair player.
    Amateur,
    /// The best that the device has.
    Advanced,
    /// A bot by its name.
    Bot(Bot),
}

impl Hinter {
    /// Whom to ask; a bot of another game is of no help.
    fn opponent(self, kind: GameKind) -> AnyOpponent {
        let level = |level| Opponent::Level(Level::new(level).unwrap_or(Level::MAX));
        match self {
            Self::Beginner => {
                Bot::from_name(kind, "random").map_or(Opponent::Level(Level::MIN), Opponent::Bot)
            }
            Self::Amateur => level(5),
            Self::Bot(bot) if bot.kind() == kind => Opponent::Bot(bot),
            Self::Bot(_) | Self::Advanced => level(9),
        }
    }
}

/// What the thinker has to do for the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Errand {
    /// Find a move and play it.
    Move(AnyOpponent),
    /// Play the only move there is, a pass.
    Pass,
    /// Find a move and show it.
    Hint(AnyOpponent),
}

/// Identifies a running task. It ends when the table has changed since it began, or when it is
/// told to hurry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticket {
    generation: u32,
    number: u32,
}

/// The game in progress, its players, settings and statistics.
#[derive(Debug)]
pub struct Table {
    comforts: bool,
    game: Match,
    seats: [Seat; MAX_PLAYERS],
    /// Counts the changes of the game, so that a result for an older position is recognised.
    generation: u32,
    /// Whether computers move by themselves.
    running: bool,
    resigned: Option<Player>,
    clock: Clock,
    /// Whether a computer thinks about its move: its clock runs only then.
    moving: bool,
    /// Whether the result has been added to the statistics.
    counted: bool,
    wanted: Option<Hinter>,
    hint: Option<MoveCode>,
    /// A computer's move that is held back.
    ready: Option<MoveCode>,
    /// When the game last changed.
    changed_at: Instant,
    /// Whether that was a computer's move.
    replied: bool,
    /// Who had no move and passed, until the screen has told it or, if it is a computer, until the
    /// next move.
    passed: Option<Player>,
    /// The number of the last task, of the one that is to end soon, and whether the last is going on.
    tasks: u32,
    hurried: u32,
    thinking: bool,
    /// Whether a contest's host plays: nobody else changes the game then.
    contest: bool,
    /// What is wrong with saving, if anything.
    pub saving: Option<Trouble>,
    /// Requests that another version's save be discarded.
    pub discards: bool,
    /// What the serial port asks of the person at the keys, or nothing.
    pub(crate) question: &'static str,
    /// Whether the board can make sounds.
    pub has_buzzer: bool,
    /// How fast its processor runs, if that can be chosen.
    pub processor: Option<Processor>,
    /// The user's settings.
    pub settings: Settings,
    /// Results of past games.
    pub statistics: Statistics,
}

impl Table {
    /// The first game at its start, with people in all seats.
    pub fn new(comforts: bool) -> Self {
        Self {
            comforts,
            game: Match::default(),
            seats: [Seat::Person; MAX_PLAYERS],
            generation: 0,
            running: false,
            resigned: None,
            clock: Clock::NONE,
            moving: false,
            counted: false,
            wanted: None,
            hint: None,
            ready: None,
            changed_at: Instant::MIN,
            replied: false,
            passed: None,
            tasks: 0,
            hurried: 0,
            thinking: false,
            contest: false,
            saving: None,
            discards: false,
            question: "",
            has_buzzer: false,
            processor: None,
            settings: Settings::NEW,
            statistics: Statistics::NONE,
        }
    }

    /// Whether this device has comforts, see [`Profile::comforts`](crate::profile::Profile).
    pub const fn has_comforts(&self) -> bool {
        COMFORTS && self.comforts
    }

    /// The match.
    pub const fn game(&self) -> &Match {
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

    /// When the game last changed.
    pub const fn changed_at(&self) -> Instant {
        self.changed_at
    }

    /// Whether its last change was a computer's move.
    pub const fn has_replied(&self) -> bool {
        self.replied
    }

    /// Who resigned, or ran out of time.
    pub const fn resigned(&self) -> Option<Player> {
        self.resigned
    }

    /// Whether the result has been added to the statistics.
    pub const fn is_counted(&self) -> bool {
        self.counted
    }

    /// Whether computers move by themselves.
    pub const fn is_running(&self) -> bool {
        self.running
    }

    /// Sets whether computers move by themselves. Clocks stand still while they don't.
    pub fn set_running(&mut self, running: bool) {
        self.running = running;
        self.run_clock();
    }

    /// The players' clocks.
    pub const fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Whether somebody has lost on time.
    pub fn is_lost_on_time(&self) -> bool {
        self.resigned.is_some() && self.clock.is_flagged()
    }

    /// Ends the game if the time of the player to move is up; true at that instant.
    pub fn check_clock(&mut self) -> bool {
        let fallen = COMFORTS && self.clock.check(Instant::now());
        if fallen {
            self.resigned = Some(self.game.turn());
            self.changed();
        }
        fallen
    }

    /// Goes on with clocks that were saved.
    pub fn restore_clock(&mut self, bytes: &[u8]) {
        if let Some(clock) = Clock::from_bytes(bytes, self.game.setup().people()) {
            self.set_clock(clock);
        }
    }

    fn set_clock(&mut self, clock: Clock) {
        if self.has_comforts() {
            self.clock = clock;
        }
    }

    /// Whether a contest's host plays: nobody else changes the game then.
    pub const fn is_contest(&self) -> bool {
        self.contest
    }

    /// Sets whether a contest's host plays.
    pub fn set_contest(&mut self, contest: bool) {
        self.contest = contest;
        self.run_clock();
    }

    /// What the clock allows the computer to move for its move.
    pub fn time_for_move(&self) -> Option<Duration> {
        let seat = || self.game.seat_of(self.game.turn());
        self.clock.is_on().then(|| self.clock.share(seat(), Instant::now()))
    }

    /// Lets the clock run whose turn it is. None runs while the game is stopped, over or a contest's
    /// host's, nor a computer's while thread mode does something else or its move is held back.
    fn run_clock(&mut self) {
        if self.clock.is_on() {
            let turn = self.game.turn();
            let acts = self.moving || self.seat_of(turn) == Seat::Person;
            let runs = acts && self.running && self.ready.is_none() && !self.contest;
            let seat = (runs && !self.is_over()).then(|| self.game.seat_of(turn));
            self.clock.run(seat, Instant::now());
        }
    }

    /// Goes on after somebody has resigned or, without clocks then, run out of time.
    fn revive(&mut self) {
        self.resigned = None;
        if COMFORTS {
            self.clock.ignore_flag();
        }
    }

    /// Stops the search; computers don't move until they are set running again.
    pub fn pause(&mut self) {
        self.running = false;
        self.changed();
    }

    /// Who moves for a colour.
    pub fn seat_of(&self, player: Player) -> Seat {
        self.seats[self.game.seat_of(player) % MAX_PLAYERS]
    }

    /// Who plays in the seats that the match has.
    pub fn seats_in_play(&self) -> &[Seat] {
        &self.seats[..self.game.setup().people().min(MAX_PLAYERS)]
    }

    /// The seat of the person, if exactly one plays.
    pub fn person_alone(&self) -> Option<usize> {
        let seats = self.seats_in_play().iter().enumerate();
        let mut persons = seats.filter(|(_, seat)| **seat == Seat::Person).map(|(index, _)| index);
        persons.next().filter(|_| persons.next().is_none())
    }

    /// Whether a person has to move now.
    pub fn is_persons_turn(&self) -> bool {
        self.seat_of(self.game.turn()) == Seat::Person && !self.is_over()
    }

    /// Whether the game has ended, by its rules, by resignation or on time.
    pub fn is_over(&self) -> bool {
        self.resigned.is_some() || self.game.is_over()
    }

    /// The final or current ranking, from first to last place. A player who resigned or ran out of
    /// time is last.
    pub fn standings(&self) -> Vec<Standing, MAX_PLAYERS> {
        let mut scores = self.game.seat_scores();
        let points = scores.clone();
        let loser = self.resigned.map(|player| self.game.seat_of(player));
        if let Some(score) = loser.and_then(|seat| scores.get_mut(seat)) {
            *score = i16::MIN;
        }
        let mut table = ranking(&scores);
        for standing in &mut table {
            standing.points = points.get(standing.player.index()).copied().unwrap_or(0);
        }
        table
    }

    /// The seat in first place, if it is alone there.
    pub fn winner(&self) -> Option<usize> {
        let standings = self.standings();
        let mut first = standings.iter().filter(|standing| standing.place == 1);
        let winner = first.next()?.player.index();
        first.next().is_none().then_some(winner)
    }

    /// Starts a game.
    pub fn start(&mut self, draft: Draft) {
        self.game.begin(draft.setup);
        self.seats = draft.seats;
        (self.running, self.resigned, self.counted) = (true, None, false);
        self.set_clock(Clock::new(draft.time));
        self.changed();
        self.passed = None;
    }

    /// Lets `play` restore a saved game, whose result may have been counted already.
    pub fn restore(
        &mut self,
        seats: [Seat; MAX_PLAYERS],
        counted: bool,
        play: impl FnOnce(&mut Match),
    ) {
        play(&mut self.game);
        self.seats = seats;
        self.set_clock(Clock::NONE);
        // One that was over has been; older versions don't tell.
        let counted = counted || self.game.is_over();
        (self.running, self.resigned, self.counted) = (false, None, counted);
        self.changed();
    }

    /// Plays a move for the player to move.
    pub fn play(&mut self, mv: MoveCode) -> Result<(), Refusal> {
        if self.check_clock() {
            return Err(TimeUp.into());
        }
        let player = self.game.turn();
        self.game.play_move(Some(player), mv)?;
        if mv != MoveCode::PASS {
            self.add_increment(player);
        }
        self.changed();
        let person = self.seat_of(player) == Seat::Person;
        self.replied = COMFORTS && !person;
        if mv == MoveCode::PASS && (person || self.passed.is_none()) {
            self.passed = Some(player);
        }
        Ok(())
    }

    /// Who has had no move since the last call; of several, a person.
    pub const fn take_pass(&mut self) -> Option<Player> {
        self.passed.take()
    }

    fn add_increment(&mut self, player: Player) {
        if COMFORTS {
            self.clock.moved(self.game.seat_of(player));
        }
    }

    /// Lends the match to the serial port. A game started there has people in all seats, and no
    /// clocks.
    pub fn change(&mut self, change: &mut dyn FnMut(&mut Match)) {
        self.check_clock();
        let (revision, origin) = (self.game.revision(), self.game.origin());
        let plies = self.game.plies();
        change(&mut self.game);
        if self.game.revision() == revision {
            return;
        }
        self.revive();
        let moved = self.game.plies() > plies && self.game.last() != Some(MoveCode::PASS);
        if moved && self.clock.is_on() {
            // Others may have been skipped who had no move.
            let before = self.game.position_at(self.game.plies() - 1);
            self.add_increment(before.get().turn());
        }
        if self.game.origin() != origin {
            self.set_clock(Clock::NONE);
            self.seats = [Seat::Person; MAX_PLAYERS];
            (self.running, self.counted) = (false, false);
        }
        self.changed();
    }

    /// Takes moves back until a person is to move. False if there is nothing to undo.
    pub fn undo(&mut self) -> bool {
        self.until_person(Match::undo)
    }

    /// Replays undone moves until a person is to move. False if there is nothing to redo.
    pub fn redo(&mut self) -> bool {
        self.until_person(Match::redo)
    }

    fn until_person(&mut self, step: fn(&mut Match) -> bool) -> bool {
        let persons = self.seats_in_play().contains(&Seat::Person);
        let mut moved = false;
        while step(&mut self.game) {
            moved = true;
            let turn = self.game.turn();
            let person = self.seat_of(turn) == Seat::Person && !self.game.must_pass();
            if person || !persons {
                break;
            }
        }
        if moved {
            self.changed();
            self.revive();
            self.passed = None;
            // Computers playing each other would move on at once.
            self.running &= persons;
            self.run_clock();
        }
        moved
    }

    /// Moves everybody on to the next seat, with the time that they have left.
    pub fn switch_sides(&mut self) {
        let seats = self.game.setup().people();
        if let Some(seats) = self.seats.get_mut(..seats) {
            last_to_front(seats);
        }
        if COMFORTS {
            self.clock.rotate(self.game.setup().people(), Instant::now());
        }
        self.changed();
    }

    /// The person to move resigns; if a computer is to move, the first person does.
    pub fn resign(&mut self) {
        let turn = self.game.turn();
        let players = Player::all(self.game.colors().len());
        let persons = core::iter::once(turn).chain(players);
        self.resigned = persons.into_iter().find(|player| self.seat_of(*player) == Seat::Person);
        self.changed();
    }

    /// Asks for a hint.
    pub fn ask(&mut self, hinter: Hinter) {
        self.wanted = Some(hinter);
        self.hint = None;
        // Another one's may be on its way.
        self.hurry();
    }

    /// Takes the hint for this position.
    pub const fn take_hint(&mut self) -> Option<MoveCode> {
        self.hint.take()
    }

    /// What the thinker has to do now.
    pub fn errand(&self) -> Option<Errand> {
        if self.is_over() || self.contest {
            return None;
        }
        if let Some(hinter) = self.wanted {
            return Some(Errand::Hint(hinter.opponent(self.game.kind())));
        }
        if !self.running || self.ready.is_some() {
            return None;
        }
        match self.seat_of(self.game.turn()).opponent() {
            Some(opponent) => Some(Errand::Move(opponent)),
            None => self.game.must_pass().then_some(Errand::Pass),
        }
    }

    /// Begins a task on the match as it was at this [generation](Self::generation), which may be gone
    /// by now: then it ends at once.
    pub const fn begin_task(&mut self, generation: u32) -> Ticket {
        self.tasks = self.tasks.wrapping_add(1);
        self.thinking = true;
        Ticket { generation, number: self.tasks }
    }

    /// The task that was begun is a computer's move, on its own time.
    pub fn begin_move(&mut self) {
        self.moving = COMFORTS;
        self.run_clock();
    }

    /// The task has come to its end; true if the time was up by then.
    pub fn end_task(&mut self) -> bool {
        let fallen = self.check_clock();
        (self.thinking, self.moving) = (false, false);
        self.run_clock();
        fallen
    }

    /// Whether a task is being thought about.
    pub const fn is_thinking(&self) -> bool {
        self.thinking
    }

    /// Ends the task that is being thought about soon; what it has found counts.
    pub const fn hurry(&mut self) {
        self.hurried = self.tasks;
    }

    /// The same for the task that is about to begin.
    pub const fn hurry_next(&mut self) {
        self.hurried = self.tasks.wrapping_add(1);
    }

    /// Whether a task has been told to hurry.
    pub const fn is_hurried(&self, ticket: Ticket) -> bool {
        self.hurried == ticket.number
    }

    /// Whether the match is still the one that a task began with.
    pub const fn is_current(&self, ticket: Ticket) -> bool {
        self.generation == ticket.generation
    }

    /// Takes the result of an errand; false if the match has changed since.
    pub fn finish(&mut self, errand: Errand, ticket: Ticket, mv: Option<MoveCode>) -> bool {
        let Some(mv) = mv.filter(|_| self.is_current(ticket)) else { return false };
        match errand {
            Errand::Hint(opponent) => {
                // Somebody may want another one by now.
                let kind = self.game.kind();
                let wanted = self.wanted.map(|hinter| hinter.opponent(kind));
                if wanted == Some(opponent) {
                    (self.wanted, self.hint) = (None, Some(mv));
                }
                true
            }
            Errand::Move(_) => {
                self.ready = Some(mv);
                // Somebody who was in a hurry with the search is so with its move, also one who came
                // when it had just ended and no other had begun.
                let hurried = self.is_hurried(ticket) || self.hurried == self.tasks.wrapping_add(1);
                self.hurry();
                self.run_clock();
                self.play_ready(hurried) || self.ready.is_some()
            }
            Errand::Pass => self.play(mv).is_ok(),
        }
    }

    /// When the computer's move that is held back is to be played.
    pub fn ready_at(&self) -> Option<Instant> {
        let watched = !self.seats_in_play().contains(&Seat::Person);
        self.ready.map(|_| self.changed_at + self.settings.pace.pause(watched))
    }

    /// Plays the computer's move that is held back, if it is time or somebody is in a hurry; false if
    /// there is none to play.
    pub fn play_ready(&mut self, hurry: bool) -> bool {
        let due = hurry || self.ready_at().is_some_and(|at| Instant::now() >= at);
        due && !self.contest && self.ready.take().is_some_and(|mv| self.play(mv).is_ok())
    }

    fn changed(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        (self.wanted, self.hint, self.ready) = (None, None, None);
        (self.changed_at, self.replied) = (Instant::now(), false);
        // A computer's pass is of interest until the next move.
        self.passed = self.passed.filter(|player| self.seat_of(*player) == Seat::Person);
        if !self.counted && self.is_over() {
            self.counted = true;
            self.count();
        }
        self.run_clock();
    }

    /// Adds the result to the statistics if one person played against computers.
    fn count(&mut self) {
        let Some(own) = self.person_alone() else { return };
        let standings = self.standings();
        let Some(standing) = standings.iter().find(|standing| standing.player.index() == own)
        else {
            return;
        };
        let outcome = match (standing.place, self.winner()) {
            (1, Some(_)) => Outcome::Won,
            (1, None) => Outcome::Drawn,
            _ => Outcome::Lost,
        };
        let points = self.resigned.is_none().then_some(standing.points);
        let seats = self.seats_in_play();
        let mut others = seats.iter().filter(|seat| **seat != Seat::Person);
        let first = others.next().copied();
        let rival = first.filter(|first| self.has_comforts() && others.all(|other| other == first));
        let kind = self.game.kind();
        self.statistics.add(kind, rival, outcome, points);
    }
}

impl Default for Table {
    fn default() -> Self {
        Self::new(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVEL: Seat = Seat::Level(Level::MIN);

    #[test]
    fn a_restored_game_that_is_over_was_counted_before() {
        let mut table = Table::default();
        let text = format!("{} X", "X".repeat(64));
        table.restore([Seat::Person, LEVEL, LEVEL, LEVEL], false, |game| {
            game.set_position(&text).unwrap();
        });
        assert!(table.is_over());
        assert_eq!(table.statistics.records(), []);
    }

    /// The search ends by itself while a key that means *move now* is on its way.
    #[test]
    fn a_hurry_between_the_end_of_a_search_and_its_move_is_not_lost() {
        let mut table = Table::default();
        table.start(Draft { seats: [LEVEL, Seat::Person, LEVEL, LEVEL], ..Draft::NEW });
        let errand = table.errand().unwrap();
        let ticket = table.begin_task(table.generation());
        table.end_task();
        table.hurry_next();
        let mut first = None;
        table.game().now().for_each_move(&mut |mv| first = first.or(Some(mv)));
        assert!(table.finish(errand, ticket, first));
        assert_eq!(table.game().plies(), 1, "it is not held back");
        // Nor is the next one hurried.
        let ticket = table.begin_task(table.generation());
        assert!(!table.is_hurried(ticket));
    }

    /// A form or a preset for four leaves people in seats that a game for two doesn't have.
    #[test]
    fn undo_between_computers_takes_one_move_back_and_stops() {
        let mut table = Table::default();
        table.start(Draft { seats: [LEVEL, LEVEL, Seat::Person, Seat::Person], ..Draft::NEW });
        for _ in 0..10 {
            let mut first = None;
            table.game().now().for_each_move(&mut |mv| first = first.or(Some(mv)));
            table.play(first.unwrap()).unwrap();
        }
        table.undo();
        assert_eq!((table.game().plies(), table.is_running()), (9, false));
    }
}
