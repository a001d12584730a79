//! GTP 2 as a state machine: a line in, the answer out. The command line, the boards and the
//! tests drive the same code.

mod commands;
#[cfg(test)]
mod tests;

pub use commands::{COMMANDS, Command, DEVICE_COMMANDS, command_table};

use core::fmt::{self, Display, Write};
use core::sync::atomic::AtomicBool;

use crate::bots::Bot;
use crate::engine::{Level, Limit, Opponent, Thinking};
use crate::game::Notation;
use crate::games::dots::Size;
use crate::icfpt::{self, Dialect};
use crate::lines::LINE_CAPACITY;
use crate::mix::{Rng, mix_in};
use crate::player::{Player, player_named};
use crate::search::{
    self,
    budget::{Budget, Meter},
};
use crate::session::{AnyMatch, MoveText, Progress, Refusal, Session};
use crate::setup::{GameKind, Setup};
use crate::terminal::Echo;

/// The deepest `perft` that is counted: its recursion has to fit a board's stack.
pub const MAX_PERFT_DEPTH: u32 = 12;

/// The longest that `perft` counts: a year. With a limit it looks at the clock, which is a device's
/// sign of life.
const PERFT_MICROS: u64 = 365 * 24 * 3_600_000_000;

/// What the caller does after a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Go on with the next line.
    Continue,
    /// The peer said `quit`.
    Quit,
    /// Send back what is typed, or not.
    Echo(Echo),
    /// Speak the contest's protocol from here on.
    Contest(Dialect),
    /// Start again as after power-on, once the answer is out.
    Reboot,
    /// Start as a drive that takes a new image, once the answer is out.
    Bootsel,
}

/// What a device has and the games don't know of. The empty tuple is none: a program on a PC.
pub trait Hardware {
    /// The board's name; `None` when there is no device.
    fn board(&self) -> Option<&'static str>;
    /// Draws what the display shows, as text.
    fn write_screen(&mut self, out: &mut dyn Write) -> fmt::Result;
    /// Presses the key with this name; false if there is none.
    fn press(&mut self, key: &str) -> bool;
    /// Writes figures, a name and its values a line.
    fn write_stats(&mut self, out: &mut dyn Write) -> fmt::Result;
    /// Whether it can start as a drive that takes a new image.
    fn has_bootsel(&self) -> bool;
    /// Gives up what another version saved; false if there is nothing of the kind.
    fn discard(&mut self) -> bool {
        false
    }
}

impl Hardware for () {
    fn board(&self) -> Option<&'static str> {
        None
    }

    fn write_screen(&mut self, _: &mut dyn Write) -> fmt::Result {
        Ok(())
    }

    fn press(&mut self, _: &str) -> bool {
        false
    }

    fn write_stats(&mut self, _: &mut dyn Write) -> fmt::Result {
        Ok(())
    }

    fn has_bootsel(&self) -> bool {
        false
    }
}

/// Tells the time in microseconds since some moment.
pub type Clock = fn() -> u64;

/// The time for a move when nobody sets one, in microseconds.
const USUAL_MICROS: u64 = 1_000_000;

/// The most that a position takes to solve, in microseconds.
const SOLVE_MICROS: u64 = 60_000_000;

/// The moves that a game's main time is divided among.
const MOVES_IN_MAIN_TIME: u64 = 30;

/// A GTP engine, the game it holds and the memory it thinks with.
#[derive(Debug)]
pub struct Gtp<'m> {
    game: AnyMatch,
    opponent: Opponent,
    notation: Notation,
    rng: Rng,
    /// Whether somebody chose the random numbers.
    seeded: bool,
    clock: Clock,
    memory: &'m mut [u64],
    /// The most microseconds for a move.
    move_micros: u64,
    /// Microseconds spent on commands so far.
    busy_micros: u64,
    /// Whether the search tells how far it has come.
    progress: bool,
    /// The longest answer in a contest, in microseconds.
    contest_micros: u64,
}

/// Why a command fails.
#[derive(Debug)]
enum Fail {
    /// The writer broke: nothing more can be said.
    Broken,
    /// A fixed reason.
    Because(&'static str),
    /// The game does not allow it.
    Refused(Refusal),
    /// As before, for a move.
    IllegalMove(Refusal),
}

impl From<fmt::Error> for Fail {
    fn from(_: fmt::Error) -> Self {
        Self::Broken
    }
}

impl From<Refusal> for Fail {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl Display for Fail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Broken => Ok(()),
            Self::Because(reason) => f.write_str(reason),
            Self::Refused(refusal) => f.write_str(refusal.long()),
            Self::IllegalMove(refusal) => write!(f, "illegal move: {}", refusal.long()),
        }
    }
}

impl<'m> Gtp<'m> {
    /// An engine at the start of Othello. Its memory is all zeros at first.
    pub fn new(clock: Clock, memory: &'m mut [u64]) -> Self {
        Self {
            game: AnyMatch::default(),
            opponent: Opponent::Level(Level::MAX),
            notation: Notation::Plain,
            rng: Rng::new(0),
            seeded: false,
            clock,
            memory,
            move_micros: USUAL_MICROS,
            busy_micros: 0,
            progress: false,
            contest_micros: 0,
        }
    }

    /// Gives it other memory to think with, all zeros.
    pub fn lend(&mut self, memory: &'m mut [u64]) {
        self.memory = memory;
    }

    /// The same engine at the start of another game.
    pub fn with_setup(self, setup: Setup) -> Self {
        Self { game: AnyMatch::new(setup), ..self }
    }

    /// The same engine with another player in it.
    pub fn with_opponent(self, opponent: Opponent) -> Self {
        Self { opponent, ..self }
    }

    /// The same engine writing moves in a notation.
    pub fn with_notation(self, notation: Notation) -> Self {
        Self { notation, ..self }
    }

    /// The same engine with other random numbers.
    pub fn with_seed(self, seed: u64) -> Self {
        Self { rng: Rng::new(seed), seeded: true, ..self }
    }

    /// Makes the random choices from here on repeatable.
    pub fn seed(&mut self, seed: u64) {
        (self.rng, self.seeded) = (Rng::new(seed), true);
    }

    /// Makes the random choices differ from those after another start, unless there is a seed.
    /// `noise` is what is never the same twice, as the time at which somebody does something.
    pub fn stir(&mut self, noise: u64) {
        if !self.seeded {
            self.rng = Rng::new(mix_in(u64::from(self.rng.next_u32()), noise));
        }
    }

    /// The game as it stands.
    pub const fn game(&self) -> &AnyMatch {
        &self.game
    }

    /// The game, to be changed from elsewhere between two lines.
    pub const fn game_mut(&mut self) -> &mut AnyMatch {
        &mut self.game
    }

    /// The move that `opponent` would play now for the player to move, in at most that many
    /// microseconds; `report` hears from the search and `stop` ends it early.
    pub fn think(
        &mut self,
        opponent: Opponent,
        micros: u64,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Progress),
    ) -> Result<MoveText, Refusal> {
        let mut thinking = Thinking {
            memory: self.memory,
            rng: &mut self.rng,
            clock: &self.clock,
            micros,
            stop: Some(stop),
        };
        let session = self.game.session();
        session.choose(session.turn(), opponent, Notation::Plain, &mut thinking, report)
    }

    /// Microseconds by the engine's clock.
    pub(crate) fn now(&self) -> u64 {
        (self.clock)()
    }

    /// Hands a byte of a contest's host to the player, who plays in this game with this engine.
    pub(crate) fn contest(
        &mut self,
        player: &mut icfpt::Player,
        byte: u8,
        out: &mut dyn Write,
    ) -> Result<icfpt::Event, fmt::Error> {
        let mut thinking = Thinking {
            memory: self.memory,
            rng: &mut self.rng,
            clock: &self.clock,
            micros: u64::MAX,
            stop: None,
        };
        let event = player.push(byte, &mut self.game, self.opponent, &mut thinking, out);
        self.contest_micros = player.longest_micros();
        event
    }

    /// Answers one line where there is no device: see [`line_on`](Self::line_on).
    pub fn line(&mut self, line: &[u8], out: &mut dyn Write) -> Result<Flow, fmt::Error> {
        self.line_on(&mut (), line, out)
    }

    /// Answers one line. Empty lines and comments have no answer. An error comes from `out` only.
    pub fn line_on(
        &mut self,
        device: &mut dyn Hardware,
        line: &[u8],
        out: &mut dyn Write,
    ) -> Result<Flow, fmt::Error> {
        let line = str::from_utf8(line).unwrap_or("?");
        let line = line.split('#').next().unwrap_or("").trim_matches([' ', '\r', '\t']);
        if line.is_empty() {
            return Ok(Flow::Continue);
        }
        let (first, rest) = split_word(line);
        let numbered = first.bytes().all(|byte| byte.is_ascii_digit());
        let (id, (name, arguments)) =
            if numbered { (first, split_word(rest)) } else { ("", (first, rest)) };
        let mut reply = Reply { out, id, begun: false, at_line_start: false };
        let begun = (self.clock)();
        let done = self.command(device, name, arguments, &mut reply);
        self.busy_micros += (self.clock)().saturating_sub(begun);
        match done {
            Ok(flow) => {
                reply.end()?;
                Ok(flow)
            }
            Err(Fail::Broken) => Err(fmt::Error),
            Err(fail) if reply.begun => {
                // Commands decide before they speak; this keeps the protocol whole if one does not.
                write!(reply, "{fail}")?;
                reply.end()?;
                Ok(Flow::Continue)
            }
            Err(fail) => {
                write!(reply.out, "?{id} {fail}\n\n")?;
                Ok(Flow::Continue)
            }
        }
    }

    /// Answers a line that was too long to be read.
    pub fn overlong_line(&mut self, out: &mut dyn Write) -> fmt::Result {
        write!(out, "? line longer than {LINE_CAPACITY} bytes\n\n")
    }

    fn command(
        &mut self,
        device: &mut dyn Hardware,
        name: &str,
        arguments: &str,
        reply: &mut Reply,
    ) -> Result<Flow, Fail> {
        let mut buffer = [0; 32];
        let name = lower_case(name, &mut buffer).ok_or(UNKNOWN)?;
        match name {
            "protocol_version" => reply.write_str("2")?,
            "name" => reply.write_str("Corvid")?,
            "version" => reply.write_str(env!("CARGO_PKG_VERSION"))?,
            "list_commands" => {
                command_table(device)
                    .try_for_each(|command| writeln!(reply, "{}", command.name()))?;
            }
            "known_command" => {
                let known = command_table(device).any(|command| command.is_named(arguments));
                write!(reply, "{known}")?;
            }
            "help" => {
                let named = command_table(device).any(|command| command.is_named(arguments));
                if !named && !arguments.is_empty() {
                    return Err(UNKNOWN);
                }
                commands::write_help(device, arguments, reply)?;
            }
            "capabilities" => commands::write_capabilities(device, self.memory.len(), reply)?,
            "games" => commands::write_games(reply)?,
            "quit" => return Ok(Flow::Quit),
            "clear_board" => self.game.begin(self.game.setup()),
            "set_game" => {
                let kind = GameKind::from_name(arguments)
                    .ok_or(Fail::Because("unknown game; there are othello, adjacency, dots, blokus-duo and blokus-classic"))?;
                self.game.begin(Setup::usual(kind));
            }
            "new" => {
                let setup = self
                    .setup_named(arguments)
                    .ok_or(Fail::Because("new takes a game and its options: see games"))?;
                self.game.begin(setup);
            }
            "boardsize" => self.board_size(arguments)?,
            "komi" => {
                number_like(arguments).ok_or(Fail::Because("komi is a number"))?;
            }
            "showboard" => self.show_board(reply)?,
            "play" => {
                let (color, text) = split_word(arguments);
                let player = self.player(color)?;
                if text.is_empty() {
                    return Err(Fail::Because("play needs a colour and a move"));
                }
                self.session_mut().play(player, text).map_err(Fail::IllegalMove)?;
            }
            "genmove" => self.generate(arguments, true, reply)?,
            "reg_genmove" => self.generate(arguments, false, reply)?,
            "hint" => {
                let best = Opponent::Level(Level::MAX);
                let text = self.choose(self.session().turn(), best, reply)?;
                reply.write_str(&text)?;
            }
            "undo" => {
                if !self.session_mut().undo() {
                    return Err(Fail::Because("cannot undo: no move was made"));
                }
            }
            "all_legal" => {
                let player = self.player(arguments)?;
                self.session().write_legal(player, self.notation, reply)?;
            }
            "final_score" => write_score(self.session(), reply)?,
            "cputime" => {
                let micros = self.busy_micros;
                write!(reply, "{}.{:03}", micros / 1_000_000, micros / 1000 % 1000)?;
            }
            "set_random_seed" => {
                let seed = arguments.parse().map_err(|_| Fail::Because("a seed is a number"))?;
                self.seed(seed);
            }
            "time_settings" => {
                let form = Fail::Because("time_settings needs three numbers");
                let [main, period, stones] = numbers(arguments).ok_or(form)?;
                self.move_micros = move_micros(main, period, stones);
            }
            "time_left" => {
                let (color, rest) = split_word(arguments);
                self.player(color)?;
                let form = Fail::Because("time_left needs a colour and two numbers");
                let [time, stones] = numbers(rest).ok_or(form)?;
                let main = if stones == 0 { time } else { 0 };
                self.move_micros = move_micros(main, time, stones);
            }
            "level" => {
                let level = arguments.parse().ok().and_then(Level::new);
                let level = level.ok_or(Fail::Because("a level is 1 to 9"))?;
                self.opponent = Opponent::Level(level);
            }
            "nodes" => {
                let nodes = arguments.parse().map_err(|_| Fail::Because("nodes is a number"))?;
                self.opponent = Opponent::Limit(Limit::Nodes(nodes));
            }
            "bot" => {
                let bot = Bot::from_name(self.game.setup().kind(), arguments);
                let bot = bot.ok_or(Fail::Because("this game has no bot of that name"))?;
                self.opponent = Opponent::Bot(bot);
            }
            "position" => {
                if arguments.is_empty() {
                    self.session().write_position(reply)?;
                } else {
                    self.session_mut().set_position(arguments)?;
                }
            }
            "moves" => self.session().write_moves(self.notation, ' ', reply)?,
            "solve" => {
                let slots = match arguments {
                    "" => self.memory.len(),
                    _ => arguments.parse().map_or(0, |kilobytes: usize| kilobytes * 1024 / 8),
                };
                let Some(memory) = self.memory.get_mut(..slots).filter(|_| slots > 0) else {
                    return Err(Fail::Because("solve takes the KB of memory to use, if anything"));
                };
                memory.fill(0);
                let time = Some((&self.clock as &dyn search::budget::Clock, SOLVE_MICROS));
                let mut meter = Meter::new(Budget { time, ..Budget::UNLIMITED });
                let session = self.game.session();
                let (score, best) = session.solve(self.notation, memory, &mut meter)?;
                write!(reply, "solve score {score} move {best} nodes {}", meter.nodes())?;
            }
            "perft" => {
                let depth = arguments.parse().ok().filter(|depth| *depth <= MAX_PERFT_DEPTH);
                let depth = depth.ok_or(Fail::Because("perft needs a depth of 0 to 12"))?;
                let time = Some((&self.clock as &dyn search::budget::Clock, PERFT_MICROS));
                let mut meter = Meter::new(Budget { time, ..Budget::UNLIMITED });
                let count = self.session().perft(depth, &mut meter);
                let count = count.ok_or(Fail::Because("perft has taken too long"))?;
                write!(reply, "perft {depth} {count}")?;
            }
            "progress" => {
                self.progress = on_or_off(arguments)?;
            }
            "stats" => {
                let micros = self.busy_micros;
                writeln!(reply, "busy {}.{:03} s", micros / 1_000_000, micros / 1000 % 1000)?;
                writeln!(reply, "game {}", self.game.setup())?;
                writeln!(reply, "plies {}", self.session().plies())?;
                writeln!(reply, "contest {} ms", (self.contest_micros / 1000) as u32)?;
                device.write_stats(reply)?;
            }
            _ if device.board().is_some() => return device_command(device, name, arguments, reply),
            _ => return Err(UNKNOWN),
        }
        Ok(Flow::Continue)
    }

    /// The game of this name with these options; without a name, the game that is played.
    fn setup_named(&self, arguments: &str) -> Option<Setup> {
        let mut words = arguments.split_ascii_whitespace();
        let setup = match words.next() {
            None => self.game.setup(),
            Some(name) => Setup::usual(GameKind::from_name(name)?),
        };
        words.try_fold(setup, |setup, word| setup.with_option(lower_case(word, &mut [0; 32])?))
    }

    fn session(&self) -> &dyn Session {
        self.game.session()
    }

    fn session_mut(&mut self) -> &mut dyn Session {
        self.game.session_mut()
    }

    fn player(&self, color: &str) -> Result<Player, Fail> {
        player_named(self.session().colors(), color).ok_or(match self.game.setup().kind() {
            GameKind::BlokusClassic => {
                Fail::Because("a colour is 1 to 4, or blue, yellow, red, green")
            }
            GameKind::BlokusDuo => Fail::Because("a colour is b or w, blue or green"),
            _ => Fail::Because("a colour is b or w"),
        })
    }

    fn generate(&mut self, color: &str, play: bool, reply: &mut Reply) -> Result<(), Fail> {
        let player = self.player(color)?;
        let text = self.choose(player, self.opponent, reply)?;
        if play {
            self.session_mut().play(player, &text)?;
        }
        Ok(reply.write_str(&text)?)
    }

    fn choose(
        &mut self,
        player: Player,
        opponent: Opponent,
        reply: &mut Reply,
    ) -> Result<MoveText, Refusal> {
        let mut thinking = Thinking {
            memory: self.memory,
            rng: &mut self.rng,
            clock: &self.clock,
            micros: self.move_micros,
            stop: None,
        };
        let session = self.game.session();
        let told = self.progress;
        session.choose(player, opponent, self.notation, &mut thinking, &mut |progress| {
            if told {
                // The answer tells whether the writer is broken.
                let _ = write_progress(progress, reply.out);
            }
        })
    }

    /// Accepts the size that the board has; Dots and Boxes takes any it can have, for a new game.
    fn board_size(&mut self, arguments: &str) -> Result<(), Fail> {
        let (rows, columns) = split_word(arguments);
        let rows: u8 = rows.parse().map_err(|_| Fail::Because("a board size is a number"))?;
        let side = match self.game.setup() {
            Setup::Dots(_) => {
                let columns = if columns.is_empty() { Some(rows) } else { columns.parse().ok() };
                let size = columns.and_then(|columns| Size::new(rows, columns));
                let size = size.ok_or(Fail::Because("unacceptable size: 1 to 10 boxes a side"))?;
                self.game.begin(Setup::Dots(size));
                return Ok(());
            }
            Setup::Othello | Setup::Adjacency { .. } => 8,
            Setup::BlokusDuo(_) => 14,
            Setup::BlokusClassic(_) => 20,
        };
        if rows == side { Ok(()) } else { Err(Fail::Because("unacceptable size")) }
    }

    fn show_board(&self, reply: &mut Reply) -> fmt::Result {
        let session = self.session();
        reply.write_char('\n')?;
        session.draw(reply)?;
        write_standing(session, reply)
    }
}

/// The time for a move by GTP's time settings, which are in seconds.
fn move_micros(main: u32, period: u32, stones: u32) -> u64 {
    let micros = |seconds: u32| u64::from(seconds) * 1_000_000;
    match (main, stones) {
        (0, 0) => USUAL_MICROS,
        (_, 0) => micros(main) / MOVES_IN_MAIN_TIME,
        _ => micros(period) / u64::from(stones),
    }
}

/// Answers what only a device can do.
fn device_command(
    device: &mut dyn Hardware,
    name: &str,
    arguments: &str,
    reply: &mut Reply,
) -> Result<Flow, Fail> {
    Ok(match name {
        "echo" => {
            let mut buffer = [0; 32];
            Flow::Echo(match lower_case(arguments, &mut buffer) {
                Some("typed") => Echo::Typed,
                _ if on_or_off(arguments)? => Echo::On,
                _ => Echo::Off,
            })
        }
        "icfpt" => Flow::Contest(match arguments {
            "" => Dialect::Y2014,
            year => Dialect::from_name(year).ok_or(Fail::Because("icfpt takes 2014 or 2013"))?,
        }),
        "screen" => {
            reply.write_char('\n')?;
            device.write_screen(reply)?;
            Flow::Continue
        }
        "key" => {
            if !device.press(arguments) {
                return Err(Fail::Because("the keys are up, down, left, right, select and menu"));
            }
            Flow::Continue
        }
        "reboot" => Flow::Reboot,
        "discard" if arguments != "yes" => {
            return Err(Fail::Because("this deletes what another version saved: discard yes"));
        }
        "discard" if !device.discard() => {
            return Err(Fail::Because("there is no save of another version"));
        }
        "discard" => Flow::Continue,
        "bootsel" if !device.has_bootsel() => {
            return Err(Fail::Because("this board takes images in another way"));
        }
        "bootsel" if arguments == "yes" => Flow::Bootsel,
        "bootsel" => {
            return Err(Fail::Because("this ends the game and waits for a new image: bootsel yes"));
        }
        _ => return Err(UNKNOWN),
    })
}

fn on_or_off(arguments: &str) -> Result<bool, Fail> {
    if arguments.eq_ignore_ascii_case("on") {
        Ok(true)
    } else if arguments.eq_ignore_ascii_case("off") {
        Ok(false)
    } else {
        Err(Fail::Because("on or off?"))
    }
}

/// Writes how far a search has come as a line that programs skip.
fn write_progress(progress: &Progress, out: &mut dyn Write) -> fmt::Result {
    let Progress { depth, score, exact, nodes, percent, line } = progress;
    let unit = if *exact { "points" } else { "hundredths" };
    writeln!(out, "# depth {depth} score {score} {unit} nodes {nodes} used {percent}% line {line}")
}

const UNKNOWN: Fail = Fail::Because("unknown command");

/// Writes a game's result in the way of GTP: `B+3`, `W+12`, `0`, or four scores.
pub fn write_score(session: &dyn Session, out: &mut dyn Write) -> fmt::Result {
    if session.colors().len() == 2 {
        return match session.score(Player::FIRST) - session.score(Player::SECOND) {
            0 => out.write_char('0'),
            ahead @ 1.. => write!(out, "B+{ahead}"),
            behind => write!(out, "W+{}", -behind),
        };
    }
    for (index, player) in Player::all(session.colors().len()).enumerate() {
        let separator = if index > 0 { " " } else { "" };
        write!(out, "{separator}{}:{}", index + 1, session.score(player))?;
    }
    Ok(())
}

/// Writes the points of all players and whose turn it is, in a line.
pub fn write_standing(session: &dyn Session, out: &mut dyn Write) -> fmt::Result {
    for (player, color) in Player::all(session.colors().len()).zip(session.colors()) {
        write!(out, "{} ({}) {}   ", color.name, color.mark, session.score(player))?;
    }
    if session.is_over() {
        out.write_str("game over")
    } else {
        write!(out, "{} to move", session.colors()[session.turn().index()].name)
    }
}

/// The first word and the rest without the spaces between.
fn split_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    (word, rest.trim_start_matches(' '))
}

/// The text in lower case, if it fits the buffer: no command is as long as that.
fn lower_case<'a>(text: &str, buffer: &'a mut [u8; 32]) -> Option<&'a str> {
    let buffer = buffer.get_mut(..text.len())?;
    buffer.copy_from_slice(text.as_bytes());
    buffer.make_ascii_lowercase();
    str::from_utf8(buffer).ok()
}

/// `6.5` and the like, without reading floating point.
fn number_like(text: &str) -> Option<()> {
    let digits = text.trim_start_matches(['-', '+']);
    let fits = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    (fits && digits.bytes().any(|byte| byte.is_ascii_digit())).then_some(())
}

/// Exactly `N` whole numbers.
fn numbers<const N: usize>(text: &str) -> Option<[u32; N]> {
    let mut words = text.split_ascii_whitespace();
    let mut values = [0; N];
    for value in &mut values {
        *value = words.next()?.parse().ok()?;
    }
    words.next().is_none().then_some(values)
}

/// An answer that begins with `=` as soon as something is said, and ends with an empty line.
struct Reply<'a> {
    out: &'a mut dyn Write,
    id: &'a str,
    begun: bool,
    at_line_start: bool,
}

impl Reply<'_> {
    fn begin(&mut self) -> fmt::Result {
        if !self.begun {
            self.begun = true;
            write!(self.out, "={} ", self.id)?;
        }
        Ok(())
    }

    fn end(&mut self) -> fmt::Result {
        self.begin()?;
        self.out.write_str(if self.at_line_start { "\n" } else { "\n\n" })
    }
}

impl Write for Reply<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.begin()?;
        if let Some(last) = text.bytes().last() {
            self.at_line_start = last == b'\n';
        }
        self.out.write_str(text)
    }
}
