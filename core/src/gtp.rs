//! GTP 2 as a state machine: a line in, the answer out. The command line, the boards and the
//! tests drive the same code.

use core::fmt::{self, Display, Write};

use crate::bots::Bot;
use crate::engine::{Level, Limit, Opponent, Thinking};
use crate::game::Notation;
use crate::games::dots::Size;
use crate::lines::LINE_CAPACITY;
use crate::mix::Rng;
use crate::player::{Player, player_named};
use crate::search::{
    self,
    budget::{Budget, Meter},
};
use crate::session::{AnyMatch, MoveText, Refusal, Session};
use crate::setup::{GameKind, Setup};

/// The deepest `perft` that is counted: its recursion has to fit a board's stack.
pub const MAX_PERFT_DEPTH: u32 = 12;

/// What the caller does after a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Go on with the next line.
    Continue,
    /// The peer said `quit`.
    Quit,
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
    clock: Clock,
    memory: &'m mut [u64],
    /// The most microseconds for a move.
    move_micros: u64,
    /// Microseconds spent on commands so far.
    busy_micros: u64,
}

/// The commands, in the order that `list_commands` gives them.
const COMMANDS: &[&str] = &[
    "protocol_version",
    "name",
    "version",
    "list_commands",
    "known_command",
    "quit",
    "clear_board",
    "set_game",
    "boardsize",
    "komi",
    "showboard",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "all_legal",
    "final_score",
    "cputime",
    "set_random_seed",
    "time_settings",
    "time_left",
    "level",
    "nodes",
    "bot",
    "position",
    "moves",
    "hint",
    "solve",
    "perft",
];

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
    pub const fn new(clock: Clock, memory: &'m mut [u64]) -> Self {
        Self {
            game: AnyMatch::OTHELLO,
            opponent: Opponent::Level(Level::MAX),
            notation: Notation::Plain,
            rng: Rng::new(0),
            clock,
            memory,
            move_micros: USUAL_MICROS,
            busy_micros: 0,
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
        Self { rng: Rng::new(seed), ..self }
    }

    /// The game as it stands.
    pub const fn game(&self) -> &AnyMatch {
        &self.game
    }

    /// Answers one line. Empty lines and comments have no answer. An error comes from `out` only.
    pub fn line(&mut self, line: &[u8], out: &mut dyn Write) -> Result<Flow, fmt::Error> {
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
        let done = self.command(name, arguments, &mut reply);
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

    fn command(&mut self, name: &str, arguments: &str, reply: &mut Reply) -> Result<Flow, Fail> {
        let mut buffer = [0; 32];
        let name = lower_case(name, &mut buffer).ok_or(UNKNOWN)?;
        match name {
            "protocol_version" => reply.write_str("2")?,
            "name" => reply.write_str("Corvid")?,
            "version" => reply.write_str(env!("CARGO_PKG_VERSION"))?,
            "list_commands" => {
                COMMANDS.iter().try_for_each(|command| writeln!(reply, "{command}"))?;
            }
            "known_command" => {
                let known = COMMANDS.iter().any(|command| command.eq_ignore_ascii_case(arguments));
                write!(reply, "{known}")?;
            }
            "quit" => return Ok(Flow::Quit),
            "clear_board" => self.game = AnyMatch::new(self.game.setup()),
            "set_game" => {
                let kind = GameKind::from_name(arguments)
                    .ok_or(Fail::Because("unknown game; there are othello, adjacency, dots, blokus-duo and blokus-classic"))?;
                self.game = AnyMatch::new(Setup::usual(kind));
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
                let text = self.choose(self.session().turn(), best)?;
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
                self.rng = Rng::new(seed);
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
                write!(reply, "perft {depth} {}", self.session().perft(depth))?;
            }
            _ => return Err(UNKNOWN),
        }
        Ok(Flow::Continue)
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
        let text = self.choose(player, self.opponent)?;
        if play {
            self.session_mut().play(player, &text)?;
        }
        Ok(reply.write_str(&text)?)
    }

    fn choose(&mut self, player: Player, opponent: Opponent) -> Result<MoveText, Refusal> {
        let mut thinking = Thinking {
            memory: self.memory,
            rng: &mut self.rng,
            clock: &self.clock,
            micros: self.move_micros,
            stop: None,
        };
        let session = self.game.session();
        session.choose(player, opponent, self.notation, &mut thinking, &mut |_| {})
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
                self.game = AnyMatch::new(Setup::Dots(size));
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

#[cfg(test)]
mod tests {
    use super::*;
    use core::sync::atomic::{AtomicU32, Ordering};
    use std::string::String;

    /// Every look at its clock takes 20 ms, so level 9 thinks for fifty looks.
    fn engine(kind: GameKind) -> Gtp<'static> {
        static LOOKS: AtomicU32 = AtomicU32::new(0);
        let clock = || u64::from(LOOKS.fetch_add(1, Ordering::Relaxed)) * 20_000;
        let memory = std::vec![0; 1024].leak();
        Gtp::new(clock, memory).with_setup(Setup::usual(kind)).with_seed(1)
    }

    fn ask(gtp: &mut Gtp, line: &str) -> String {
        let mut out = String::new();
        assert_eq!(gtp.line(line.as_bytes(), &mut out), Ok(Flow::Continue), "{line}");
        out
    }

    /// Holds a conversation: every line and the start of its answer.
    fn talk(gtp: &mut Gtp, conversation: &[(&str, &str)]) {
        for (line, answer) in conversation {
            let got = ask(gtp, line);
            assert!(got.starts_with(answer), "{line}: {got:?}");
            assert!(got.is_empty() || got.ends_with("\n\n"), "{line}: {got:?}");
            assert!(!got.trim_end().contains("\n\n"), "an empty line ends it: {got:?}");
        }
    }

    #[test]
    fn ids_comments_case_and_empty_lines() {
        let mut gtp = engine(GameKind::Othello);
        let conversation = [
            ("name", "= Corvid\n\n"),
            ("  12   NAME  # who", "=12 Corvid\n\n"),
            ("7 nonsense", "?7 unknown command\n\n"),
            ("# only a comment", ""),
            ("", ""),
            ("\r", ""),
            ("protocol_version", "= 2\n\n"),
            ("known_command genmove", "= true\n\n"),
            ("known_command fly", "= false\n\n"),
            ("cputime", "= 0."),
            ("99", "?99 unknown command\n\n"),
            (&"x".repeat(40), "? unknown command\n\n"),
        ];
        talk(&mut gtp, &conversation);
        let mut out = String::new();
        assert_eq!(gtp.line(b"5 quit", &mut out), Ok(Flow::Quit));
        assert_eq!(out, "=5 \n\n");
        let mut out = String::new();
        assert_eq!(gtp.line(&[0xff, b'a'], &mut out), Ok(Flow::Continue));
        assert_eq!(out, "? unknown command\n\n");
    }

    #[test]
    fn every_listed_command_is_known() {
        let listed = ask(&mut engine(GameKind::Othello), "list_commands");
        for command in listed.trim_start_matches("= ").trim().lines() {
            let mut out = String::new();
            let _ = engine(GameKind::Othello).line(command.as_bytes(), &mut out);
            assert!(!out.contains("unknown command"), "{command}");
        }
    }

    #[test]
    fn a_game_of_othello() {
        talk(
            &mut engine(GameKind::Othello),
            &[
                ("play b d3", "= \n\n"),
                ("play b c3", "? illegal move: it is white's turn\n\n"),
                ("play w d3", "? illegal move: d3 is occupied\n\n"),
                ("play w pass", "? illegal move: you can move, for example c3: no pass\n\n"),
                ("play w", "? play needs a colour and a move\n\n"),
                ("play purple c3", "? a colour is b or w\n\n"),
                ("all_legal W", "= c3\ne3\nc5\n\n"),
                ("PLAY White C3", "= \n\n"),
                ("moves", "= d3 c3\n\n"),
                ("final_score", "= 0\n\n"),
                ("undo", "= \n\n"),
                ("final_score", "= B+3\n\n"),
                ("undo", "= \n\n"),
                ("undo", "? cannot undo"),
                ("perft 4", "= perft 4 244\n\n"),
                ("perft 13", "? perft needs a depth of 0 to 12\n\n"),
                ("perft x", "? perft needs"),
                ("komi 6.5", "= \n\n"),
                ("komi", "? komi is a number"),
                ("boardsize 8", "= \n\n"),
                ("boardsize 19", "? unacceptable size"),
                ("time_settings 60 0 0", "= \n\n"),
                ("time_settings 60", "? time_settings needs three numbers"),
                ("time_left b 10 0", "= \n\n"),
                ("level 9", "= \n\n"),
                ("level 0", "? a level is 1 to 9"),
                ("nodes 100", "= \n\n"),
                ("reg_genmove b", "= "),
                ("nodes x", "? nodes is a number"),
                ("set_random_seed 4", "= \n\n"),
                ("set_random_seed x", "? a seed is a number"),
                ("position X", "? a position is 64"),
                (
                    "position -------------------X-------XX------XO--------------------------- O",
                    "= \n\n",
                ),
                ("perft 1", "= perft 1 3\n\n"),
                ("clear_board", "= \n\n"),
                ("perft 1", "= perft 1 4\n\n"),
                ("set_game Chess", "? unknown game"),
            ],
        );
    }

    #[test]
    fn the_names_that_match_runners_send() {
        let mut gtp = engine(GameKind::Othello);
        for (name, first) in [
            ("Blokus Duo", "e10"),
            ("Blokus", "a20"),
            ("Othello", "d3"),
            ("adjacency", "a1"),
            ("Dots and Boxes", "0,0-0,1"),
        ] {
            let set = String::from("set_game ") + name;
            let play = String::from("play b ") + first;
            talk(&mut gtp, &[(&set, "= \n\n"), (&play, "= \n\n"), ("clear_board", "= \n\n")]);
        }
    }

    #[test]
    fn blokus_colours_codes_and_scores() {
        let mut duo = engine(GameKind::BlokusDuo).with_notation(Notation::Code);
        talk(
            &mut duo,
            &[
                ("play blue 55s1", "= \n\n"),
                ("play green j5", "= \n\n"),
                ("moves", "= 55s1 aaa0\n\n"),
                ("final_score", "= B+4\n\n"),
                ("play b 0000", "? illegal move: you can place a piece: no pass\n\n"),
                ("play red a1", "? a colour is b or w, blue or green\n\n"),
            ],
        );
        let mut classic = engine(GameKind::BlokusClassic);
        talk(
            &mut classic,
            &[
                ("play 1 a20", "= \n\n"),
                ("play yellow t20,s20", "= \n\n"),
                ("final_score", "= 1:-88 2:-87 3:-89 4:-89\n\n"),
                ("genmove 4", "? it is red's turn\n\n"),
                ("solve", "? this game has no exact solver\n\n"),
            ],
        );
        assert_eq!(ask(&mut classic, "all_legal 3").lines().count() - 1, 58);
    }

    #[test]
    fn whole_games_by_genmove_end_with_pass() {
        for kind in GameKind::ALL {
            for bot in Bot::all(kind) {
                let mut gtp = engine(kind).with_opponent(Opponent::Bot(*bot));
                for _ in 0..crate::game::MAX_PLIES {
                    let session = gtp.game().session();
                    let color = session.colors()[session.turn().index()].name;
                    let answer = ask(&mut gtp, &(String::from("genmove ") + color));
                    assert!(answer.starts_with("= "), "{kind}: {answer}");
                }
                assert!(gtp.game().session().is_over(), "{kind} {}", bot.name());
                assert_eq!(ask(&mut gtp, "genmove b"), "= pass\n\n");
                assert_eq!(ask(&mut gtp, "play b pass"), "= \n\n");
            }
        }
    }

    #[test]
    fn a_bot_is_chosen_by_its_name() {
        let mut gtp = engine(GameKind::BlokusDuo);
        talk(&mut gtp, &[("bot brute-force", "= \n\n")]);
        // The last piece of the list is the cross, and its highest place ends on the start square.
        talk(&mut gtp, &[("genmove b", "= e10,d11,e11,f11,e12\n\n")]);
        talk(&mut gtp, &[("bot greedy", "? this game has no bot of that name\n\n")]);
    }

    #[test]
    fn the_same_seed_gives_the_same_game() {
        let play = |seed| {
            let level = Opponent::Level(Level::MIN);
            let mut gtp = engine(GameKind::BlokusDuo).with_seed(seed).with_opponent(level);
            (0..6).for_each(|ply| {
                ask(&mut gtp, ["genmove b", "genmove w"][ply % 2]);
            });
            ask(&mut gtp, "moves")
        };
        assert_eq!(play(3), play(3));
        assert_ne!(play(3), play(4));
    }

    #[test]
    fn positions_are_solved() {
        let empty = "-".repeat(5);
        let position =
            ["position XXXXXXOO", &"X".repeat(6), "OO", &"X".repeat(32), "XXO", &empty, "XXOOOOOO"]
                .concat();
        let mut gtp = engine(GameKind::Adjacency);
        let set = position + " X 5";
        talk(
            &mut gtp,
            &[
                (&set, "= \n\n"),
                ("solve", "= solve score "),
                ("solve 1", "= solve score "),
                ("solve 99", "? solve takes"),
                ("solve x", "? solve takes"),
            ],
        );
    }

    #[test]
    fn looking_ahead_changes_nothing() {
        let mut gtp = engine(GameKind::Dots);
        for command in ["reg_genmove b", "hint", "all_legal w", "showboard", "position"] {
            assert!(ask(&mut gtp, command).starts_with("= "), "{command}");
            assert_eq!(ask(&mut gtp, "moves"), "= \n\n", "{command}");
        }
    }
}
