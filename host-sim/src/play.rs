//! `corvid play`: a game in the terminal, line by line.

use std::io::{self, IsTerminal, Read, Write};

use corvid_core::engine::{Level, Opponent, Thinking};
use corvid_core::game::Notation;
use corvid_core::gtp::write_standing;
use corvid_core::lines::{LineReader, Overlong};
use corvid_core::mix::Rng;
use corvid_core::player::{Player, player_named, ranking};
use corvid_core::session::{AnyMatch, MoveText, Session};
use corvid_core::setup::GameKind;

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
    let setup = args.setup.setup()?;
    let game = AnyMatch::new(setup);
    let people = people(args.color.as_deref(), &game)?;
    let opponent = args.opponent.opponent(setup.kind())?;
    let rng = Rng::new(args.opponent.seed());
    let memory = args.opponent.memory()?;
    Table { game, people, opponent, rng, memory }.run()
}

/// Which colours people play, by seat: with two people at four colours, both of a person's.
fn people(color: Option<&str>, game: &AnyMatch) -> Result<Vec<Player>, Failure> {
    let session = game.session();
    let everyone = || Player::all(session.colors().len());
    let one = match color {
        Some("all") => return Ok(everyone().collect()),
        Some("none") => return Ok(Vec::new()),
        None => session.turn(),
        Some(name) => player_named(session.colors(), name).ok_or_else(|| {
            let names: Vec<_> = session.colors().iter().map(|color| color.name).collect();
            Failure::Usage(format!("no colour '{name}'; there are {}, all, none", names.join(", ")))
        })?,
    };
    let setup = game.setup();
    Ok(everyone().filter(|player| setup.seat_of(*player) == setup.seat_of(one)).collect())
}

struct Table {
    game: AnyMatch,
    people: Vec<Player>,
    opponent: Opponent,
    rng: Rng,
    memory: Vec<u64>,
}

/// The time for a move at level 9.
const MOVE_MICROS: u64 = 1_000_000;

/// What a line of the player leads to.
enum Next {
    /// Another line.
    Ask,
    /// A look at the board, then on.
    Show,
    Quit,
}

impl Table {
    fn run(mut self) -> Result<(), Failure> {
        let mut out = io::stdout();
        writeln!(out, "{}\n\n{}", HELP, notation_of(self.game.setup().kind()))?;
        self.show()?;
        loop {
            let session = self.game.session();
            if session.is_over() {
                return self.end();
            }
            let player = session.turn();
            let name = session.colors()[player.index()].name;
            if session.must_pass() {
                writeln!(out, "{name} can't move and is skipped")?;
                self.game.session_mut().play(player, "pass").map_err(unexpected)?;
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
                self.game.session_mut().play(player, &text).map_err(unexpected)?;
                writeln!(out, "{name} plays {text}")?;
                self.show()?;
            }
        }
    }

    fn choose(&mut self, player: Player, opponent: Opponent) -> Result<MoveText, Failure> {
        let mut thinking = Thinking {
            memory: &mut self.memory,
            rng: &mut self.rng,
            clock: &microseconds,
            micros: MOVE_MICROS,
            stop: None,
        };
        let session = self.game.session();
        session
            .choose(player, opponent, Notation::Plain, &mut thinking, &mut |_| {})
            .map_err(unexpected)
    }

    fn obey(&mut self, player: Player, line: &str) -> Result<Next, Failure> {
        let mut out = io::stdout();
        match line.to_ascii_lowercase().as_str() {
            "" => {}
            "help" | "?" => writeln!(out, "{HELP}")?,
            "rules" => writeln!(out, "{}", notation_of(self.game.setup().kind()))?,
            "quit" | "exit" | "q" => return Ok(Next::Quit),
            "board" => return Ok(Next::Show),
            "new" => {
                self.game = AnyMatch::new(self.game.setup());
                return Ok(Next::Show);
            }
            "legal" => {
                let mut moves = String::new();
                let session = self.game.session();
                let written = session.write_legal(player, Notation::Plain, &mut moves);
                written.map_err(unexpected)?;
                writeln!(out, "{}", moves.trim_end().replace('\n', " "))?;
                writeln!(out, "({} moves)", session.count_moves())?;
            }
            "moves" => {
                let mut moves = String::new();
                let session = self.game.session();
                session.write_moves(Notation::Plain, ' ', &mut moves).map_err(unexpected)?;
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
            _ => match self.game.session_mut().play(player, line) {
                Ok(()) => return Ok(Next::Show),
                Err(refusal) => writeln!(out, "no: {}", refusal.long())?,
            },
        }
        Ok(Next::Ask)
    }

    /// Takes moves back until a person is to move who was not before; false if none can be.
    fn undo(&mut self) -> bool {
        let before = self.game.clone();
        while self.game.session_mut().undo() {
            let session = self.game.session();
            if self.people.contains(&session.turn()) && !session.must_pass() {
                return true;
            }
        }
        self.game = before;
        false
    }

    fn show(&self) -> Result<(), Failure> {
        let session = self.game.session();
        let mut board = String::new();
        session.draw(&mut board).map_err(unexpected)?;
        let mut standing = String::new();
        write_standing(session, &mut standing).map_err(unexpected)?;
        let mut out = io::stdout();
        writeln!(out, "\n{}{standing}", paint(&board, session))?;
        let mut last = String::new();
        session.write_last(Notation::Plain, &mut last).map_err(unexpected)?;
        if !last.is_empty() {
            writeln!(out, "last move: {last}")?;
        }
        Ok(())
    }

    /// The table of all who played, from the first place down.
    fn end(&self) -> Result<(), Failure> {
        let mut out = io::stdout();
        let session = self.game.session();
        let scores = self.game.seat_scores();
        let table = ranking(&scores);
        writeln!(out, "\nThe game is over.")?;
        for standing in &table {
            let colors: Vec<_> = Player::all(session.colors().len())
                .filter(|player| self.game.setup().seat_of(*player) == standing.player.index())
                .map(|player| session.colors()[player.index()].name)
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

/// Something that a legal game never leads to.
fn unexpected(error: impl std::fmt::Debug) -> Failure {
    Failure::Other(format!("internal error, please report: {error:?}"))
}

/// How moves of a game are written.
const fn notation_of(kind: GameKind) -> &'static str {
    match kind {
        GameKind::Othello => {
            "Othello: put a disc so that it encloses the other's discs; d3 is column d, row 3."
        }
        GameKind::Adjacency => {
            "Adjacency: mark any empty square; the other's marks beside it, not diagonally, become \
             yours. d3 is column d, row 3."
        }
        GameKind::Dots => {
            "Dots and Boxes: join two dots, row,column-row,column: 0,0-0,1. Who closes a box owns \
             it and moves again."
        }
        GameKind::BlokusDuo => {
            "Blokus Duo: place a piece so that it touches your own only at corners; name the \
             covered squares, e10,e11,f11. The first piece covers your start square (+)."
        }
        GameKind::BlokusClassic => {
            "Blokus: place a piece so that it touches your own only at corners; name the covered \
             squares, a20,a19,b19. The first piece covers your corner."
        }
    }
}

/// Colours the players' marks where the terminal shows colours.
fn paint(board: &str, session: &dyn Session) -> String {
    if !io::stdout().is_terminal() || std::env::var_os("NO_COLOR").is_some() {
        return board.to_owned();
    }
    let color_of = |name: &str| match name {
        "blue" => 34,
        "yellow" => 33,
        "green" => 32,
        "red" => 31,
        "black" | "X" => 36,
        _ => 35,
    };
    let mut painted = String::new();
    for line in board.lines() {
        // Only rows of the board begin with a number; the others have letters that are no marks.
        let row =
            line.trim_start().starts_with(|first: char| first.is_ascii_digit() || first == '|');
        for mark in line.chars() {
            let owner = session.colors().iter().find(|color| {
                row && !mark.is_ascii_digit() && color.mark.eq_ignore_ascii_case(&mark)
            });
            match owner {
                Some(color) => {
                    let bold = if mark.is_ascii_uppercase() { "1;" } else { "" };
                    painted.push_str(&format!("\x1b[{bold}{}m{mark}\x1b[0m", color_of(color.name)));
                }
                None => painted.push(mark),
            }
        }
        painted.push('\n');
    }
    painted
}
