//! GTP 2 as a state machine: a line in, the answer out, on a match that is lent to it. The command
//! line, the boards and the tests drive the same code.

mod commands;
#[cfg(test)]
mod tests;

pub use commands::{COMMANDS, CONSOLE_COMMANDS, Command, command_table};

use core::fmt::{self, Write};

use crate::any::{AnyGame, color_name};
use crate::cut;
use crate::desk::Desk;
use crate::engine::{Level, Limit, Opponent};
use crate::game::{MoveCode, Notation, Plain, parse_whole};
use crate::icfpt::Dialect;
use crate::lines::LINE_CAPACITY;
use crate::player::{Player, player_named};
use crate::refusal::Refusal;
use crate::registry::{AnyOpponent, AnyPosition, Bot, GameKind};
use crate::session::{Match, MoveText, Progress, write_legal};
use crate::setup::Setup;
use crate::terminal::Echo;
use crate::thinker::{Answer, MAX_PERFT_DEPTH, NoAnswer, Question, Task};
use crate::version::VERSION;

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
    /// Give the same line again later: the desk has not decided yet.
    Wait,
}

/// The commands that think, by name: they wait while the thinker is at work.
const THINKING: [&str; 5] = ["genmove", "reg_genmove", "hint", "solve", "perft"];

/// The time for a move when nobody sets one, in microseconds.
const USUAL_MICROS: u64 = 1_000_000;

/// The most seconds for a move, whatever the time settings.
pub const MOST_SECONDS: u64 = 600;

/// The most that a position takes to solve, in microseconds.
const SOLVE_MICROS: u64 = 60_000_000;

/// The moves that a game's main time is divided among.
const MOVES_IN_MAIN_TIME: u64 = 30;

/// What a GTP peer has set. The match and the thinker are lent with every line.
#[derive(Debug)]
pub struct Gtp {
    opponent: AnyOpponent,
    notation: Notation,
    /// Whether a console is before it, with commands of its own.
    console: bool,
    /// The most microseconds for a move.
    move_micros: u64,
    /// Microseconds spent on commands so far.
    busy_micros: u64,
    /// Whether the search tells how far it has come.
    progress: bool,
    /// The longest answer in a contest, in microseconds.
    pub(crate) contest_micros: u64,
    /// Why the match or the thinker has refused something, until that is said.
    refusal: Refusal,
}

/// Why a command fails. Small: it passes through functions that a search runs on top of.
#[derive(Debug, Clone, Copy)]
enum Fail {
    /// The writer broke: nothing more can be said.
    Broken,
    /// A fixed reason.
    Because(&'static str),
    /// The reason is in [`Gtp::refusal`].
    Refused,
    /// As before, for a move.
    IllegalMove,
}

impl From<fmt::Error> for Fail {
    fn from(_: fmt::Error) -> Self {
        Self::Broken
    }
}

/// The desk does not lend its match, as it promises to.
const NOT_LENT: Fail = Fail::Because("stopped");

impl Default for Gtp {
    fn default() -> Self {
        Self::new()
    }
}

impl Gtp {
    /// Level 9 with a second for a move.
    pub const fn new() -> Self {
        Self {
            opponent: Opponent::Level(Level::MAX),
            notation: Notation::Plain,
            console: false,
            move_micros: USUAL_MICROS,
            busy_micros: 0,
            progress: false,
            contest_micros: 0,
            refusal: Refusal::NONE,
        }
    }

    /// The same behind a console.
    pub(crate) const fn on_console(mut self) -> Self {
        self.console = true;
        self
    }

    /// The same engine with another player in it.
    pub const fn with_opponent(mut self, opponent: AnyOpponent) -> Self {
        self.opponent = opponent;
        self
    }

    /// The same engine writing moves in a notation.
    pub const fn with_notation(mut self, notation: Notation) -> Self {
        self.notation = notation;
        self
    }

    /// Who answers when a move is asked for.
    pub const fn opponent(&self) -> AnyOpponent {
        self.opponent
    }

    /// Whether a line needs the thinker, so that it has to wait for its turn.
    pub fn is_long(line: &[u8]) -> bool {
        let (_, name, _) = split_line(line);
        let is_one = |all: &[&str]| all.iter().any(|one| one.eq_ignore_ascii_case(name));
        is_one(&THINKING) || is_one(&["icfpt", "set_random_seed"])
    }

    /// Answers one line. Empty lines and comments have no answer. An error comes from `out` only.
    pub fn line(
        &mut self,
        desk: &mut dyn Desk,
        line: &[u8],
        out: &mut dyn Write,
    ) -> Result<Flow, fmt::Error> {
        let (id, name, arguments) = split_line(line);
        if name.is_empty() && id.is_empty() {
            return Ok(Flow::Continue);
        }
        let mut reply = Reply { out, id, begun: false, at_line_start: false };
        let begun = desk.micros();
        let mut buffer = [0; 32];
        let done = match lower_case(name, &mut buffer) {
            Some(name) if THINKING.contains(&name) => {
                self.thinking_command(desk, name, arguments, &mut reply)
            }
            Some(name) => self.command(desk, name, arguments, &mut reply),
            None => Err(UNKNOWN),
        };
        self.busy_micros += desk.micros().saturating_sub(begun);
        match done {
            Ok(flow) => {
                reply.end()?;
                Ok(flow)
            }
            Err(Fail::Broken) => Err(fmt::Error),
            Err(Fail::Because("")) => Ok(Flow::Wait),
            Err(fail) => {
                self.write_failure(fail, &mut reply)?;
                Ok(Flow::Continue)
            }
        }
    }

    /// Answers with the reason why a command fails.
    #[inline(never)]
    fn write_failure(&self, fail: Fail, reply: &mut Reply) -> fmt::Result {
        let (what, reason) = match fail {
            Fail::Because(reason) => ("", reason),
            Fail::IllegalMove => ("illegal move: ", self.refusal.long()),
            _ => ("", self.refusal.long()),
        };
        if reply.begun {
            // Commands decide before they speak; this keeps the protocol whole if one does not.
            write!(reply, "{what}{reason}")?;
            return reply.end();
        }
        let id = reply.id;
        write!(reply.out, "?{id} {what}{reason}\n\n")
    }

    /// Notes why something was refused.
    #[inline(never)]
    fn refused(&mut self, refusal: impl Into<Refusal>) -> Fail {
        self.refusal = refusal.into();
        Fail::Refused
    }

    /// Changes the match, unless that is refused.
    fn change(
        &mut self,
        desk: &mut dyn Desk,
        mut change: impl FnMut(&mut Match) -> Result<(), Refusal>,
    ) -> Result<(), Fail> {
        let mut done = Err(NOT_LENT);
        desk.change(&mut |game| done = change(game).map_err(|refusal| self.refused(refusal)));
        done
    }

    /// Answers a line that was too long to be read.
    pub fn overlong_line(&mut self, out: &mut dyn Write) -> fmt::Result {
        write!(out, "? line longer than {LINE_CAPACITY} bytes\n\n")
    }

    /// A command that needs no thinker.
    // Not inlined: it is too large to have a search on top of it, and a search that looks around has it
    // on top. The same is true of the functions that it calls with a position in them.
    #[inline(never)]
    fn command(
        &mut self,
        desk: &mut dyn Desk,
        name: &str,
        arguments: &str,
        reply: &mut Reply,
    ) -> Result<Flow, Fail> {
        let table = || command_table(self.console, &*desk);
        match name {
            "protocol_version" => reply.write_str("2")?,
            "name" => reply.write_str("Corvid")?,
            "version" => reply.write_str(VERSION)?,
            "list_commands" => {
                table().try_for_each(|command| writeln!(reply, "{}", command.name()))?;
            }
            "known_command" => {
                let known = table().any(|command| command.is_named(arguments));
                write!(reply, "{known}")?;
            }
            "help" => {
                if !arguments.is_empty() && !table().any(|command| command.is_named(arguments)) {
                    return Err(UNKNOWN);
                }
                commands::write_help(table(), arguments, reply)?;
            }
            "capabilities" => commands::write_capabilities(desk, reply)?,
            "games" => commands::write_games(reply)?,
            "quit" => return Ok(Flow::Quit),
            "clear_board" => {
                let setup = summary(desk)?.setup;
                desk.begin(setup);
            }
            "set_game" => {
                let kind = GameKind::from_name(arguments)
                    .ok_or(Fail::Because("unknown game: see games"))?;
                let now = summary(desk)?.setup;
                desk.begin(if now.kind() == kind { now } else { Setup::usual(kind) });
            }
            "new" => {
                let setup = setup_named(desk, arguments)
                    .ok_or(Fail::Because("new takes a game and its options: see games"))?;
                desk.begin(setup);
            }
            "boardsize" => board_size(desk, arguments)?,
            "komi" => {
                number_like(arguments).ok_or(Fail::Because("komi is a number"))?;
            }
            "showboard" => show_board(desk, reply)?,
            "play" => {
                let (color, text) = split_word(arguments);
                let player = player(desk, color)?;
                if text.is_empty() {
                    return Err(Fail::Because("play needs a colour and a move"));
                }
                let played = self.change(desk, |game| game.play(player, text));
                played.map_err(|fail| match fail {
                    Fail::Refused => Fail::IllegalMove,
                    other => other,
                })?;
            }
            "undo" => {
                let mut undone = false;
                desk.change(&mut |game| undone = game.undo());
                if !undone {
                    return Err(Fail::Because("cannot undo: no move was made"));
                }
            }
            "all_legal" => {
                let player = player(desk, arguments)?;
                self.write_legal(desk, player, reply)?;
            }
            "final_score" => final_score(desk, reply)?,
            "cputime" => {
                let micros = self.busy_micros;
                write!(reply, "{}.{:03}", micros / 1_000_000, micros / 1000 % 1000)?;
            }
            "set_random_seed" => {
                let seed = parse_whole(arguments).ok_or(Fail::Because("a seed is a number"))?;
                desk.seed(seed);
            }
            "time_settings" => {
                let form = Fail::Because("time_settings needs three numbers");
                let [main, period, stones] = numbers(arguments).ok_or(form)?;
                self.set_time(main, period, stones, reply)?;
            }
            "time_left" => {
                let (color, rest) = split_word(arguments);
                player(desk, color)?;
                let form = Fail::Because("time_left needs a colour and two numbers");
                let [time, stones] = numbers(rest).ok_or(form)?;
                let main = if stones == 0 { time } else { 0 };
                self.set_time(main, time, stones, reply)?;
            }
            "level" => {
                let level = parse_whole(arguments).and_then(Level::new);
                let level = level.ok_or(Fail::Because("a level is 1 to 9"))?;
                self.opponent = Opponent::Level(level);
            }
            "nodes" => {
                let nodes = parse_whole(arguments).ok_or(Fail::Because("nodes is a number"))?;
                self.opponent = Opponent::Limit(Limit::Nodes(nodes));
            }
            "bot" => {
                let bot = Bot::from_name(summary(desk)?.setup.kind(), arguments);
                let bot = bot.ok_or(Fail::Because("this game has no bot of that name"))?;
                self.opponent = Opponent::Bot(bot);
            }
            "position" if arguments.is_empty() => self.write_position(desk, reply)?,
            "position" => self.change(desk, |game| game.set_position(arguments))?,
            "moves" => write_moves(desk, self.notation, reply)?,
            "progress" => {
                self.progress = on_or_off(arguments)?;
            }
            "stats" => {
                let micros = self.busy_micros;
                writeln!(reply, "busy {}.{:03} s", micros / 1_000_000, micros / 1000 % 1000)?;
                let Summary { setup, plies, .. } = summary(desk)?;
                writeln!(reply, "game {setup}\nplies {plies}")?;
                writeln!(reply, "contest {} ms", (self.contest_micros / 1000) as u32)?;
                desk.write_stats(reply)?;
            }
            "echo" if self.console => {
                let mut buffer = [0; 32];
                return Ok(Flow::Echo(match lower_case(arguments, &mut buffer) {
                    Some("typed") => Echo::Typed,
                    _ if on_or_off(arguments)? => Echo::On,
                    _ => Echo::Off,
                }));
            }
            "icfpt" if self.console && Dialect::USUAL.is_some() => {
                let dialect = if arguments.is_empty() {
                    Dialect::USUAL
                } else {
                    Dialect::from_name(arguments)
                };
                return Ok(Flow::Contest(
                    dialect.ok_or(Fail::Because("icfpt takes 2014 or 2013"))?,
                ));
            }
            _ => desk.extra_command(name, arguments, reply).map_err(Fail::Because)??,
        }
        Ok(Flow::Continue)
    }

    /// One of the commands in [`THINKING`].
    #[inline(never)]
    fn thinking_command(
        &mut self,
        desk: &mut dyn Desk,
        name: &str,
        arguments: &str,
        reply: &mut Reply,
    ) -> Result<Flow, Fail> {
        match name {
            "genmove" => self.generate(desk, arguments, true, reply)?,
            "reg_genmove" => self.generate(desk, arguments, false, reply)?,
            "hint" => {
                let turn = summary(desk)?.turn;
                let (_, text) = self.choose(desk, turn, Opponent::Level(Level::MAX), reply)?;
                reply.write_str(&text)?;
            }
            "solve" => self.solve(desk, arguments, reply)?,
            _ => self.perft(desk, arguments, reply)?,
        }
        Ok(Flow::Continue)
    }

    /// What a question about the position is for the thinker.
    fn task(&self, desk: &mut dyn Desk, question: Question) -> Result<Task, Fail> {
        let mut found = None;
        let Snapshot { position, .. } = snapshot(desk, &mut found)?;
        Ok(Task { position: position.clone(), question, notation: self.notation })
    }

    fn set_time(&mut self, main: u32, period: u32, stones: u32, reply: &mut Reply) -> fmt::Result {
        const MOST: u64 = MOST_SECONDS * 1_000_000;
        let micros = move_micros(main, period, stones);
        self.move_micros = micros.min(MOST);
        if micros > MOST {
            write!(reply, "{MOST_SECONDS} s is the most for a move")?;
        }
        Ok(())
    }

    fn generate(
        &mut self,
        desk: &mut dyn Desk,
        color: &str,
        play: bool,
        reply: &mut Reply,
    ) -> Result<(), Fail> {
        let player = player(desk, color)?;
        let revision = summary(desk)?.revision;
        let (mv, text) = self.choose(desk, player, self.opponent, reply)?;
        if let Some(mv) = mv.filter(|_| play) {
            // Others may change the match while this one thinks.
            self.change(desk, |game| match game.revision() == revision {
                true => game.play_move(Some(player), mv),
                false => Err(NoAnswer::Stopped.into()),
            })?;
        }
        Ok(reply.write_str(&text)?)
    }

    /// The opponent's move and its text, `pass` when the game is over.
    fn choose(
        &mut self,
        desk: &mut dyn Desk,
        player: Player,
        opponent: AnyOpponent,
        reply: &mut Reply,
    ) -> Result<(Option<MoveCode>, MoveText), Fail> {
        // Looked at where it is: a copy would take stack from the search.
        let found = self.move_task(desk, player, opponent)?;
        let Some(task) = &found else {
            return Ok((None, MoveText::try_from("pass").unwrap_or_default()));
        };
        let told = self.progress;
        let answer = desk.think(task, &mut |progress| {
            if told {
                // The answer tells whether the writer is broken.
                let _ = write_progress(progress, reply.out);
            }
        });
        match answer {
            Ok(Answer::Move(mv)) => Ok((mv, task.write_move(mv, "pass"))),
            Ok(_) => Ok((None, task.write_move(None, "pass"))),
            Err(refusal) => Err(self.refused(refusal)),
        }
    }

    /// What an opponent has to think about who plays for a player; nothing when the game is over.
    #[inline(never)]
    fn move_task(
        &mut self,
        desk: &mut dyn Desk,
        player: Player,
        opponent: AnyOpponent,
    ) -> Result<Option<Task>, Fail> {
        let mut found = Err(NOT_LENT);
        desk.look(&mut |game| found = Ok((!game.is_over()).then(|| game.position_for(player))));
        let Some(position) = found? else { return Ok(None) };
        let position = position.map_err(|refusal| self.refused(refusal))?;
        let question = Question::Move { opponent, micros: self.move_micros, deadline: u64::MAX };
        Ok(Some(Task { position, question, notation: self.notation }))
    }

    #[inline(never)]
    fn perft(
        &mut self,
        desk: &mut dyn Desk,
        arguments: &str,
        reply: &mut Reply,
    ) -> Result<(), Fail> {
        let depth = parse_whole(arguments).filter(|depth| *depth <= MAX_PERFT_DEPTH);
        let depth = depth.ok_or(Fail::Because("perft needs a depth of 0 to 12"))?;
        let task = self.task(desk, Question::Perft(depth))?;
        match desk.think(&task, &mut |_| {}) {
            Ok(Answer::Count(count)) => write!(reply, "perft {depth} {count}")?,
            Ok(_) => {}
            Err(refusal) => return Err(self.refused(refusal)),
        }
        Ok(())
    }

    #[inline(never)]
    fn solve(
        &mut self,
        desk: &mut dyn Desk,
        arguments: &str,
        reply: &mut Reply,
    ) -> Result<(), Fail> {
        let most = desk.slots();
        let slots = match arguments {
            "" => most,
            _ => parse_whole(arguments)
                .map_or(0, |kilobytes: usize| kilobytes.saturating_mul(1024 / 8)),
        };
        if slots == 0 || slots > most {
            return Err(Fail::Because("solve takes KB of memory"));
        }
        let task = self.task(desk, Question::Solve { slots, micros: SOLVE_MICROS })?;
        match desk.think(&task, &mut |_| {}) {
            Ok(Answer::Solved { score, best, nodes }) => {
                let (score, best) = (i32::from(score), task.write_move(best, "none"));
                write!(reply, "solve score {score} move {best} nodes {nodes}")?;
            }
            Ok(_) => {}
            Err(refusal) => return Err(self.refused(refusal)),
        }
        Ok(())
    }

    #[inline(never)]
    fn write_legal(
        &self,
        desk: &mut dyn Desk,
        player: Player,
        reply: &mut Reply,
    ) -> Result<(), Fail> {
        let mut found = None;
        let Snapshot { position, .. } = snapshot(desk, &mut found)?;
        Ok(write_legal(position, player, self.notation, reply)?)
    }

    #[inline(never)]
    fn write_position(&self, desk: &mut dyn Desk, reply: &mut Reply) -> Result<(), Fail> {
        let mut found = None;
        let Snapshot { position, .. } = snapshot(desk, &mut found)?;
        if !position.get().has_text() {
            return Ok(write_moves(desk, Notation::Plain, reply)?);
        }
        Ok(position.get().write_position(reply)?)
    }
}

/// What most commands want to know of the match.
struct Summary {
    setup: Setup,
    plies: usize,
    turn: Player,
    revision: u32,
}

#[inline(never)]
fn summary(desk: &mut dyn Desk) -> Result<Summary, Fail> {
    let mut found = None;
    desk.look(&mut |game| {
        found = Some(Summary {
            setup: game.setup(),
            plies: game.plies(),
            turn: game.turn(),
            revision: game.revision(),
        });
    });
    found.ok_or(NOT_LENT)
}

/// A position and the move that led to it.
struct Snapshot {
    position: AnyPosition,
    last: Option<MoveCode>,
}

/// Takes a snapshot in this place: a copy on the way would be a third of a kilobyte of stack.
#[inline(never)]
fn snapshot<'s>(
    desk: &mut dyn Desk,
    place: &'s mut Option<Snapshot>,
) -> Result<&'s mut Snapshot, Fail> {
    desk.look(&mut |game| {
        *place = Some(Snapshot { position: game.position().clone(), last: game.last() });
    });
    place.as_mut().ok_or(NOT_LENT)
}

#[inline(never)]
fn show_board(desk: &mut dyn Desk, reply: &mut Reply) -> Result<(), Fail> {
    let mut found = None;
    let Snapshot { position, last } = snapshot(desk, &mut found)?;
    reply.write_char('\n')?;
    position.get().draw(*last, &mut Plain(reply))?;
    Ok(write_standing(position.get(), reply)?)
}

#[inline(never)]
fn final_score(desk: &mut dyn Desk, reply: &mut Reply) -> Result<(), Fail> {
    let mut found = None;
    Ok(write_score(snapshot(desk, &mut found)?.position.get(), reply)?)
}

/// Writes the moves so far, each lent on its own: a slow line does not keep the match.
fn write_moves(desk: &mut dyn Desk, notation: Notation, reply: &mut Reply) -> fmt::Result {
    let mut index = 0;
    loop {
        let mut text = MoveText::new();
        let mut written = Ok(());
        desk.look(&mut |game| written = game.write_ply(index, notation, &mut text));
        written?;
        if text.is_empty() {
            return Ok(());
        }
        let separator = if index > 0 { " " } else { "" };
        write!(reply, "{separator}{text}")?;
        index += 1;
    }
}

/// The game of this name with these options; without a name, the game that is played.
fn setup_named(desk: &mut dyn Desk, arguments: &str) -> Option<Setup> {
    let mut words = arguments.split_ascii_whitespace();
    let setup = match words.next() {
        None => summary(desk).ok()?.setup,
        Some(name) => Setup::usual(GameKind::from_name(name)?),
    };
    words.try_fold(setup, Setup::with_word)
}

fn player(desk: &mut dyn Desk, color: &str) -> Result<Player, Fail> {
    let info = summary(desk)?.setup.kind().info();
    player_named(info.colors, color).ok_or(Fail::Because(info.color_names))
}

/// Accepts the size that the board has; a game with boards of many sizes begins anew on one.
fn board_size(desk: &mut dyn Desk, arguments: &str) -> Result<(), Fail> {
    let (rows, columns) = split_word(arguments);
    let rows: u8 = parse_whole(rows).ok_or(Fail::Because("a board size is a number"))?;
    let setup = summary(desk)?.setup;
    if let Some(side) = setup.kind().info().side {
        return if rows == side { Ok(()) } else { Err(Fail::Because("unacceptable size")) };
    }
    let columns = if columns.is_empty() { Some(rows) } else { parse_whole(columns) };
    let sized = columns.and_then(|columns| setup.with(0, rows)?.with(1, columns));
    desk.begin(sized.ok_or(Fail::Because("unacceptable size"))?);
    Ok(())
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

/// The id, the command and its arguments; an id alone has an empty command.
fn split_line(line: &[u8]) -> (&str, &str, &str) {
    let line = str::from_utf8(line).unwrap_or("?");
    let (line, _comment) = cut::at_first(line, b'#');
    let line = line.trim_matches([' ', '\r', '\t']);
    let (first, rest) = split_word(line);
    let numbered = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit());
    let (id, (name, arguments)) =
        if numbered { (first, split_word(rest)) } else { ("", (first, rest)) };
    (id, name, arguments)
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
    let (score, unit) = (i32::from(*score), if *exact { "points" } else { "hundredths" });
    writeln!(out, "# depth {depth} score {score} {unit} nodes {nodes} used {percent}% line {line}")
}

const UNKNOWN: Fail = Fail::Because("unknown command");

/// A player's points, as a number of the type that other texts have: each type that is written takes
/// flash.
fn points(game: &dyn AnyGame, player: Player) -> i32 {
    game.score(player).into()
}

/// Writes a game's result in the way of GTP: `B+3`, `W+12`, `0`, or four scores.
#[inline(never)]
pub fn write_score(game: &dyn AnyGame, out: &mut dyn Write) -> fmt::Result {
    if game.colors().len() == 2 {
        return match points(game, Player::FIRST) - points(game, Player::SECOND) {
            0 => out.write_char('0'),
            ahead @ 1.. => write!(out, "B+{ahead}"),
            behind => write!(out, "W+{}", -behind),
        };
    }
    for (index, player) in Player::all(game.colors().len()).enumerate() {
        let separator = if index > 0 { " " } else { "" };
        write!(out, "{separator}{}:{}", index + 1, points(game, player))?;
    }
    Ok(())
}

/// Writes the points of all players and whose turn it is, in a line.
#[inline(never)]
pub fn write_standing(game: &dyn AnyGame, out: &mut dyn Write) -> fmt::Result {
    for (player, color) in Player::all(game.colors().len()).zip(game.colors()) {
        out.write_str(color.name)?;
        // Where the name is not the mark already.
        if color.name.len() > 1 {
            out.write_str(" (")?;
            out.write_char(color.mark)?;
            out.write_char(')')?;
        }
        write!(out, " {}   ", points(game, player))?;
    }
    if game.is_over() {
        out.write_str("game over")
    } else {
        write!(out, "{} to move", color_name(game.colors(), game.turn()))
    }
}

/// The first word and the rest without the spaces between.
fn split_word(text: &str) -> (&str, &str) {
    let (word, rest) = cut::at_first(text, b' ');
    (word, rest.trim_start_matches(' '))
}

/// The text in lower case, if it fits the buffer: no command is as long as that.
fn lower_case<'a>(text: &str, buffer: &'a mut [u8; 32]) -> Option<&'a str> {
    let buffer = buffer.get_mut(..text.len())?;
    let letters = text.bytes().map(|byte| byte.to_ascii_lowercase());
    buffer.iter_mut().zip(letters).for_each(|(byte, letter)| *byte = letter);
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
        *value = parse_whole(words.next()?)?;
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
