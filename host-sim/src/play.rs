//! `corvid play`: a game in the terminal, line by line.

use std::io::{self, IsTerminal, Read, Write};

use corvid_core::desk::{Desk, OwnDesk};
use corvid_core::engine::{Level, Opponent};
use corvid_core::game::{Canvas, Notation};
use corvid_core::gtp::write_standing;
use corvid_core::lines::{LineReader, Overlong};
use corvid_core::player::{Color, Player, player_named, ranking};
use corvid_core::registry::AnyOpponent;
use corvid_core::session::{Match, MoveText, write_legal};
use corvid_core::thinker::{Answer, Question, Task, Thinker};

use crate::args::PlayArgs;
use crate::failure::Failure;
use crate::time::microseconds;

const HELP: &str = "\
type a move, or:
  legal    the moves you can make      undo     take back your last move
  hint     a good move                 moves    the game so far
  board    draw the board again        new      start again
  rules    how moves are written       quit     stop";

/// Plays one game.
pub(crate) fn run(args: &PlayArgs) -> Result<(), Failure> {
    let setup = args.setup.setup();
    let game = Match::new(setup);
    let people = people(args.color.as_deref(), &game)?;
    let opponent = args.opponent.opponent(setup.kind())?;
    let mut memory = args.opponent.memory()?;
    let mut thinker = Thinker::new(&mut memory);
    thinker.seed(args.opponent.seed());
    let desk = OwnDesk::new(game, thinker, microseconds as fn() -> u64);
    Terminal { desk, people, opponent }.run()
}

/// Which colours people play, by seat: with two people and four colours, both of a person's.
fn people(color: Option<&str>, game: &Match) -> Result<Vec<Player>, Failure> {
    let everyone = || Player::all(game.colors().len());
    let one = match color {
        Some("all") => return Ok(everyone().collect()),
        Some("none") => return Ok(Vec::new()),
        None => game.turn(),
        Some(name) => player_named(game.colors(), name).ok_or_else(|| {
            let names: Vec<_> = game.colors().iter().map(|color| color.name).collect();
            Failure::Usage(format!("no colour '{name}'; there are {}, all, none", names.join(", ")))
        })?,
    };
    Ok(everyone().filter(|player| game.seat_of(*player) == game.seat_of(one)).collect())
}

/// A match at a terminal.
struct Terminal<'m> {
    desk: OwnDesk<'m>,
    people: Vec<Player>,
    opponent: AnyOpponent,
}

/// The time for a move at level 9.
const MOVE_MICROS: u64 = 1_000_000;

/// What a line of the player leads to.
enum Next {
    /// Another line.
    Ask,
    /// Show the board, then ask again.
    Show,
    Quit,
}

impl Terminal<'_> {
    fn run(mut self) -> Result<(), Failure> {
        let mut out = io::stdout();
        writeln!(out, "{}\n\n{}", HELP, self.game().position().text().notation())?;
        self.show()?;
        loop {
            let game = self.game();
            if game.is_over() {
                return self.end();
            }
            let player = game.turn();
            let name = game.colors()[player.index()].name;
            if game.must_pass() {
                writeln!(out, "{name} can't move and is skipped")?;
                self.desk.game.play(player, "pass").map_err(unexpected)?;
            } else if self.people.contains(&player) {
                let Some(line) = ask(&format!("{name}> "))? else {
                    writeln!(out)?;
                    return Ok(());
                };
                match self.obey(player, line.trim())? {
                    Next::Ask => {}
                    Next::Show => self.show()?,
                    Next::Quit => return Ok(()),
                }
            } else {
                let text = self.choose(player, self.opponent)?;
                self.desk.game.play(player, &text).map_err(unexpected)?;
                writeln!(out, "{name} plays {text}")?;
                self.show()?;
            }
        }
    }

    fn game(&self) -> &Match {
        &self.desk.game
    }

    fn choose(&mut self, player: Player, opponent: AnyOpponent) -> Result<MoveText, Failure> {
        let position = self.game().position_for(player).map_err(unexpected)?;
        let question = Question::Move { opponent, micros: MOVE_MICROS, deadline: u64::MAX };
        let task = Task { position, question, notation: Notation::Plain };
        match self.desk.think(&task, &mut |_| {}).map_err(unexpected)? {
            Answer::Move(mv) => Ok(task.write_move(mv, "pass")),
            answer => Err(unexpected(answer)),
        }
    }

    fn obey(&mut self, player: Player, line: &str) -> Result<Next, Failure> {
        let mut out = io::stdout();
        match line.to_ascii_lowercase().as_str() {
            "" => {}
            "help" | "?" => writeln!(out, "{HELP}")?,
            "rules" => writeln!(out, "{}", self.game().position().text().notation())?,
            "quit" | "exit" | "q" => return Ok(Next::Quit),
            "board" => return Ok(Next::Show),
            "new" => {
                let setup = self.game().setup();
                self.desk.game.begin(setup);
                return Ok(Next::Show);
            }
            "legal" => {
                let mut moves = String::new();
                let position = self.game().position().clone();
                write_legal(position, player, Notation::Plain, &mut moves).map_err(unexpected)?;
                writeln!(out, "{}", moves.trim_end().replace('\n', " "))?;
                writeln!(out, "({} moves)", self.game().now().count_moves())?;
            }
            "moves" => {
                let mut moves = String::new();
                self.game().write_moves(Notation::Plain, ' ', &mut moves).map_err(unexpected)?;
                writeln!(out, "{}", if moves.is_empty() { "no move yet" } else { &moves })?;
            }
            "hint" => {
                let best = Opponent::Level(Level::MAX);
                let text = self.choose(player, best)?;
                writeln!(out, "try {text}")?;
            }
            "undo" => {
                if !self.undo() {
                    writeln!(out, "there is no move of yours to take back")?;
                    return Ok(Next::Ask);
                }
                return Ok(Next::Show);
            }
            _ => match self.desk.game.play(player, line) {
                Ok(()) => return Ok(Next::Show),
                Err(refusal) => writeln!(out, "no: {}", refusal.long())?,
            },
        }
        Ok(Next::Ask)
    }

    /// Takes moves back until it is a person's turn again; false if there is nothing to undo.
    fn undo(&mut self) -> bool {
        let mut game = self.game().clone();
        while game.undo() {
            if self.people.contains(&game.turn()) && !game.must_pass() {
                self.desk.game = game;
                return true;
            }
        }
        false
    }

    fn show(&self) -> Result<(), Failure> {
        let game = self.game();
        let mut text = Painted::new(game.colors());
        game.draw(&mut text).map_err(unexpected)?;
        write_standing(game.now(), &mut text).map_err(unexpected)?;
        let mut out = io::stdout();
        writeln!(out, "\n{}", text.text)?;
        let mut last = String::new();
        game.write_last(Notation::Plain, &mut last).map_err(unexpected)?;
        if !last.is_empty() {
            writeln!(out, "last move: {last}")?;
        }
        Ok(())
    }

    /// The final ranking, from the first place down.
    fn end(&self) -> Result<(), Failure> {
        let mut out = io::stdout();
        let game = self.game();
        let scores = game.seat_scores();
        let table = ranking(&scores);
        writeln!(out, "\nThe game is over.")?;
        for standing in &table {
            let colors: Vec<_> = Player::all(game.colors().len())
                .filter(|player| game.seat_of(*player) == standing.player.index())
                .map(|player| game.colors()[player.index()].name)
                .collect();
            let names = colors.join(" and ");
            writeln!(out, "{}. {names:<16} {:>4}", standing.place, standing.points)?;
        }
        let winners = table.iter().filter(|standing| standing.place == 1).count();
        if winners > 1 {
            writeln!(out, "A draw.")?;
        }
        Ok(())
    }
}

/// Asks for a line; `None` at the end of the input.
fn ask(prompt: &str) -> Result<Option<String>, Failure> {
    let mut out = io::stdout();
    write!(out, "{prompt}")?;
    out.flush()?;
    let mut lines = LineReader::new();
    let text = |line: Result<&[u8], Overlong>| match line {
        Ok(line) => String::from_utf8_lossy(line).into_owned(),
        Err(Overlong) => "(a very long line)".to_owned(),
    };
    for byte in io::stdin().lock().bytes() {
        if let Some(line) = lines.push(byte?) {
            return Ok(Some(text(line)));
        }
    }
    Ok(lines.finish().map(text))
}

/// An error that can't happen in a legal game.
fn unexpected(error: impl std::fmt::Debug) -> Failure {
    Failure::Other(format!("internal error, please report: {error:?}"))
}

/// Text with the players' marks in their colours, if the terminal shows colours.
struct Painted {
    text: String,
    /// Empty if it doesn't.
    colors: &'static [Color],
}

impl Painted {
    fn new(colors: &'static [Color]) -> Self {
        let plain = !io::stdout().is_terminal() || std::env::var_os("NO_COLOR").is_some();
        Self { text: String::new(), colors: if plain { &[] } else { colors } }
    }
}

impl std::fmt::Write for Painted {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.text.push_str(text);
        Ok(())
    }
}

impl Canvas for Painted {
    fn mark(&mut self, player: Player, mark: char) -> std::fmt::Result {
        let Some(color) = self.colors.get(player.index()) else {
            self.text.push(mark);
            return Ok(());
        };
        let number = match color.name {
            "blue" => 34,
            "yellow" => 33,
            "green" => 32,
            "red" => 31,
            _ if player == Player::FIRST => 36,
            _ => 35,
        };
        let bold = if mark.is_ascii_uppercase() { "1;" } else { "" };
        self.text += &format!("\x1b[{bold}{number}m{mark}\x1b[0m");
        Ok(())
    }
}
