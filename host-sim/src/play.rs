//! `corvid play`: a game in the terminal, line by line.

mod input;
mod paint;
mod questions;
mod roster;
mod sketch;
mod tray;

use std::io::{self, IsTerminal, Write};

use corvid_core::desk::{Desk, OwnDesk};
use corvid_core::engine::{Level, Opponent};
use corvid_core::game::{MoveCode, Notation};
use corvid_core::player::{Player, ranking};
use corvid_core::registry::{AnyOpponent, AnyPosition};
use corvid_core::session::{Match, MoveText};
use corvid_core::thinker::{Answer, Question, Task, Thinker};

use crate::args::{self, PlayArgs};
use crate::failure::Failure;
use crate::output::{listed, wrapped};
use crate::time::microseconds;
use crate::turn;
use roster::Roster;

const HELP: &str = "\
Type a move, or:
  legal    the moves you can make      undo     take back your last move
  hint     a good move                 board    draw the board again
  moves    the game so far             history  each move and what it brought
  rules    how the game is played      about    where the game comes from
  new      start again                 quit     stop
  help     this list";

/// Plays one game, or as many as the player wants.
pub(crate) fn run(args: &PlayArgs) -> Result<(), Failure> {
    if let Some(names) = &args.names {
        names
            .split(',')
            .try_for_each(|name| roster::checked(name).map(drop))
            .map_err(wrong_names)?;
    }
    let arrangement = match args.setup.setup {
        Some(setup) => {
            let game = Match::new(setup);
            let people = people(args.color.as_deref(), &game).map_err(Failure::Usage)?;
            let opponent = args.opponent.opponent_or(setup.kind(), args::PLAY_LEVEL)?;
            Some(Arrangement::new(game, people, opponent, args.names.as_deref())?)
        }
        None => questions::ask(args)?,
    };
    let Some(Arrangement { game, people, opponent, roster }) = arrangement else {
        writeln!(io::stdout(), "No game was started.")?;
        return Ok(());
    };
    let mut memory = args.opponent.memory()?;
    let mut thinker = Thinker::new(&mut memory);
    thinker.seed(args.opponent.seed());
    let desk = OwnDesk::new(game, thinker, microseconds as fn() -> u64);
    let again = args.setup.setup.is_none() || io::stdin().is_terminal();
    Terminal { desk, people, opponent, roster, again, shown: None }.run()
}

/// What was chosen before the game.
#[derive(Debug)]
struct Arrangement {
    game: Match,
    people: Vec<Player>,
    opponent: AnyOpponent,
    roster: Roster,
}

impl Arrangement {
    fn new(
        game: Match,
        people: Vec<Player>,
        opponent: AnyOpponent,
        names: Option<&str>,
    ) -> Result<Self, Failure> {
        let mut roster = Roster::new(&game, &people, &title_of(opponent));
        names.map_or(Ok(()), |names| roster.call_all(names)).map_err(wrong_names)?;
        Ok(Self { game, people, opponent, roster })
    }
}

fn wrong_names(why: String) -> Failure {
    Failure::Usage(format!("--names: {why}"))
}

/// Which colours people play, by seat: with two people and four colours, both of a person's.
fn people(color: Option<&str>, game: &Match) -> Result<Vec<Player>, String> {
    let everyone = || Player::all(game.colors().len());
    let one = match color.map(str::to_ascii_lowercase).as_deref() {
        Some("all") => return Ok(everyone().collect()),
        Some("none") => return Ok(Vec::new()),
        None => game.turn(),
        Some(name) => args::color(game, name).map_err(|why| format!("{why}, all, none"))?,
    };
    Ok(everyone().filter(|player| game.seat_of(*player) == game.seat_of(one)).collect())
}

/// What the computer is called.
fn title_of(opponent: AnyOpponent) -> String {
    match opponent {
        Opponent::Level(level) => format!("level {}", level.get()),
        Opponent::Bot(bot) => bot.name().into(),
        Opponent::Limit(_) => "computer".into(),
    }
}

/// A match at a terminal.
struct Terminal<'m> {
    desk: OwnDesk<'m>,
    people: Vec<Player>,
    opponent: AnyOpponent,
    roster: Roster,
    /// Whether another game is offered at the end.
    again: bool,
    /// The revision of the match when its board was drawn last.
    shown: Option<u32>,
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
        let roles: Vec<_> = Player::all(self.game().colors().len())
            .map(|player| {
                let color = paint::of_player(&self.color(player), player, self.game().colors());
                format!("{color}: {}", self.roster.role(player))
            })
            .collect();
        let title = self.game().kind().title();
        writeln!(out, "{}", wrapped(&format!("{title} - {}", roles.join(", "))))?;
        writeln!(out, "{}\n{HELP}\n", wrapped(self.game().position().text().notation()))?;
        self.begin()?;
        loop {
            let game = self.game();
            if game.is_over() {
                self.end()?;
                if !self.wants_another()? {
                    return Ok(());
                }
                self.restart()?;
                continue;
            }
            let player = game.turn();
            if game.must_pass() {
                writeln!(out, "{} can't move and is skipped", self.who(player))?;
                self.desk.game.play(player, "pass").map_err(unexpected)?;
            } else if self.people.contains(&player) {
                if self.shown != Some(game.revision()) {
                    self.show()?;
                }
                let Some(line) = input::line(&format!("{}> ", self.who(player)))? else {
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
                self.tell_last()?;
                if self.people.is_empty() {
                    self.show()?;
                }
            }
        }
    }

    fn game(&self) -> &Match {
        &self.desk.game
    }

    /// A player as in the roster, in the player's colour.
    fn who(&self, player: Player) -> String {
        paint::of_player(&self.roster.who(player), player, self.game().colors())
    }

    /// A colour with its mark, where that is not its name: `black (X)`.
    fn color(&self, player: Player) -> String {
        let color = self.game().colors()[player.index()];
        if color.name.len() == 1 {
            return color.name.into();
        }
        format!("{} ({})", color.name, color.mark)
    }

    /// A player's name, or if nobody has one the colour, with the mark on the board: `Ann (X)`.
    fn with_mark(&self, player: Player) -> String {
        let mark = self.game().colors()[player.index()].mark;
        match self.roster.called(player) {
            Some(name) => format!("{name} ({mark})"),
            None => self.color(player),
        }
    }

    fn begin(&mut self) -> Result<(), Failure> {
        let first = self.who(self.game().turn());
        writeln!(io::stdout(), "The game has begun: {first} moves first.")?;
        self.show()
    }

    fn restart(&mut self) -> Result<(), Failure> {
        let setup = self.game().setup();
        self.desk.game.begin(setup);
        self.begin()
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
            "rules" => {
                let notation = self.game().position().text().notation();
                writeln!(out, "{}", wrapped(self.game().kind().info().rules))?;
                writeln!(out, "{}", wrapped(notation))?;
            }
            "about" => writeln!(out, "{}", wrapped(self.game().kind().about()))?,
            "quit" | "exit" | "q" => return Ok(Next::Quit),
            "board" => return Ok(Next::Show),
            "new" | "restart" => self.restart()?,
            "legal" => writeln!(out, "{}", wrapped(&turn::legal(self.game())))?,
            "moves" => {
                let mut moves = String::new();
                self.game().write_moves(Notation::Plain, ' ', &mut moves).map_err(unexpected)?;
                let moves = if moves.is_empty() { "no move yet" } else { &moves };
                writeln!(out, "{}", wrapped(moves))?;
            }
            "history" => {
                for ply in 0..self.game().plies() {
                    writeln!(out, "{:>3}. {}", ply + 1, self.told(ply)?)?;
                }
                if self.game().plies() == 0 {
                    writeln!(out, "no move yet")?;
                }
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
                Ok(()) => {
                    self.tell_last()?;
                    return Ok(Next::Show);
                }
                Err(refusal) => {
                    writeln!(out, "{}", wrapped(&turn::refused(self.game(), line, &refusal)))?;
                }
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

    fn tell_last(&self) -> Result<(), Failure> {
        let last = self.game().plies().saturating_sub(1);
        writeln!(io::stdout(), "{}", self.told(last)?)?;
        Ok(())
    }

    /// A move, what it brought, and the score after it: `white plays c5: takes 1 (black 3, white 3)`.
    fn told(&self, ply: usize) -> Result<String, Failure> {
        let game = self.game();
        let (before, after) = (game.position_at(ply), game.position_at(ply + 1));
        let (player, colors) = (before.get().turn(), game.colors());
        let who = self.who(player);
        if game.ply(ply) == Some(MoveCode::PASS) {
            return Ok(format!("{who} can't move"));
        }
        let mut text = format!("{who} plays ");
        game.write_ply(ply, Notation::Plain, &mut text).map_err(unexpected)?;
        let score = |at: &AnyPosition, player| at.get().score(player);
        let gain = |player| score(&after, player) - score(&before, player);
        let others = Player::all(colors.len()).filter(|other| *other != player);
        let taken: i16 = others.map(|other| -gain(other)).sum();
        match (taken, gain(player)) {
            (1.., _) => text += &format!(": takes {taken}"),
            (_, gain @ 1..) => text += &format!(": scores {gain}"),
            _ => {}
        }
        let scored =
            |player: Player| format!("{} {}", colors[player.index()].name, score(&after, player));
        // Four scores don't fit a line.
        let scores: Vec<_> = match colors.len() {
            2 => Player::all(2).map(scored).collect(),
            _ => vec![scored(player)],
        };
        Ok(format!("{text} ({})", scores.join(", ")))
    }

    /// Draws the board, with the score and whose turn it is.
    fn show(&mut self) -> Result<(), Failure> {
        let game = self.game();
        let (player, over) = (game.turn(), game.is_over());
        let person = !over && self.people.contains(&player);
        let (board, legal) = sketch::draw(game, person).map_err(unexpected)?;
        let scores: Vec<_> = Player::all(game.colors().len())
            .map(|player| {
                let name = paint::of_player(&self.with_mark(player), player, game.colors());
                format!("{name} {}", game.score(player))
            })
            .collect();
        let alone = self.roster.people().len() == 1;
        let turn = match person {
            _ if over => String::new(),
            true if alone => ". Your turn!".into(),
            _ => format!(". {} to move.", self.who(player)),
        };
        let legend = if legal { " (*: you can play there)" } else { "" };
        let mut out = io::stdout();
        writeln!(out, "\n{}", board.trim_end())?;
        writeln!(out, "{}", wrapped(&format!("Score: {}{turn}{legend}", scores.join(", "))))?;
        self.shown = Some(self.game().revision());
        Ok(())
    }

    /// The final ranking, from the first place down, and who has won.
    fn end(&mut self) -> Result<(), Failure> {
        if self.shown != Some(self.game().revision()) {
            self.show()?;
        }
        let mut out = io::stdout();
        let scores = self.game().seat_scores();
        let table = ranking(&scores);
        writeln!(out, "\nThe game is over.")?;
        let names: Vec<_> =
            table.iter().map(|standing| self.roster.full_name(standing.player.index())).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        for (standing, name) in table.iter().zip(&names) {
            writeln!(out, "{}. {name:<width$} {:>4}", standing.place, standing.points)?;
        }
        let winners: Vec<_> = (table.iter().filter(|standing| standing.place == 1))
            .map(|standing| standing.player.index())
            .collect();
        writeln!(out, "{}", paint::bold(&self.verdict(&winners)))?;
        Ok(())
    }

    /// Who has won, in words. A person who plays alone and has no name is `you`.
    fn verdict(&self, winners: &[usize]) -> String {
        let you = match self.roster.people()[..] {
            [seat] if !self.roster.are_named() => Some(seat),
            _ => None,
        };
        let name = |seat: &usize| match you {
            Some(you) if you == *seat => "you".into(),
            _ => self.roster.name(*seat),
        };
        match winners {
            [] => String::new(),
            [winner] if you == Some(*winner) => "You have won the game!".into(),
            [winner] => {
                let name = self.roster.name(*winner);
                let verb = if name.contains(" and ") { "have" } else { "has" };
                let lost = if you.is_some() { "You have lost: " } else { "" };
                format!("{lost}{name} {verb} won the game!")
            }
            several => {
                let names: Vec<_> = several.iter().map(name).collect();
                let all = format!("{} have tied!", listed(&names));
                all.strip_prefix("you ").map_or(all.clone(), |rest| format!("You {rest}"))
            }
        }
    }

    /// Whether a person wants another game.
    fn wants_another(&self) -> Result<bool, Failure> {
        if !self.again || self.people.is_empty() {
            return Ok(false);
        }
        let answer = input::answer("Play again, yes or no? [no] ", |line| {
            match line.trim().to_ascii_lowercase().as_str() {
                "yes" | "y" => Ok(true),
                "no" | "n" | "" => Ok(false),
                _ => Err("Yes or no.".into()),
            }
        })?;
        Ok(answer.unwrap_or(false))
    }
}

/// An error that can't happen in a legal game.
fn unexpected(error: impl std::fmt::Debug) -> Failure {
    Failure::Other(format!("internal error, please report: {error:?}"))
}
