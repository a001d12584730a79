//! The questions before a game: which one, its options, who plays, how strong and what they are
//! called. They are made from the games' lists.

use std::io::{self, Write};

use corvid_core::engine::{Level, Opponent};
use corvid_core::player::Player;
use corvid_core::registry::{AnyOpponent, GameKind};
use corvid_core::session::Match;
use corvid_core::setup::{Opt, Setup};

use super::input::answer;
use super::roster::Roster;
use super::{Arrangement, people};
use crate::args::{self, PlayArgs};
use crate::failure::Failure;
use crate::output::wrapped;

/// Asks for whatever the command line leaves open. `None` if the player has had enough.
pub(super) fn ask(args: &PlayArgs) -> Result<Option<Arrangement>, Failure> {
    writeln!(
        io::stdout(),
        "Corvid, a board-game opponent.\n\
         Enter alone takes the answer in brackets, which is recommended; quit ends.\n"
    )?;
    let Some(kind) = game()? else { return Ok(None) };
    let Some(setup) = options(kind)? else { return Ok(None) };
    let game = Match::new(setup);
    let people = match &args.color {
        Some(color) => people(Some(color), &game).map_err(Failure::Usage)?,
        None => match side(&game)? {
            Some(people) => people,
            None => return Ok(None),
        },
    };
    let everyone = people.len() == game.colors().len();
    let opponent = if args.opponent.is_given() || everyone {
        args.opponent.opponent_or(kind, args::PLAY_LEVEL)?
    } else {
        match strength(kind)? {
            Some(opponent) => opponent,
            None => return Ok(None),
        }
    };
    let mut arrangement = Arrangement::new(game, people, opponent, args.names.as_deref())?;
    let named = args.names.is_some() || names(&mut arrangement.roster)?.is_some();
    writeln!(io::stdout())?;
    Ok(named.then_some(arrangement))
}

/// Which game, by its number or one of its names.
fn game() -> Result<Option<GameKind>, Failure> {
    for (index, kind) in GameKind::ALL.iter().enumerate() {
        writeln!(io::stdout(), "  {}  {}", index + 1, kind.title())?;
    }
    answer("Which game, by number or name? [1] ", |line| {
        let text = if line.trim().is_empty() { "1" } else { line.trim() };
        let short = |kind: &GameKind| kind.info().short_title.eq_ignore_ascii_case(text);
        let number = text.parse().ok().and_then(|number: usize| number.checked_sub(1));
        let kind = number.and_then(|index| GameKind::ALL.get(index).copied());
        let kind = kind.or(GameKind::from_name(text));
        kind.or(GameKind::ALL.into_iter().find(short)).ok_or_else(|| {
            let names = GameKind::ALL.map(GameKind::name).join(", ");
            format!("A game is a number from 1 to {}, or {names}.", GameKind::ALL.len())
        })
    })
}

/// All options of a game.
fn options(kind: GameKind) -> Result<Option<Setup>, Failure> {
    let mut setup = Setup::usual(kind);
    for (of, entries, about) in args::options() {
        if of == kind {
            match option(setup, entries, about)? {
                Some(changed) => setup = changed,
                None => return Ok(None),
            }
        }
    }
    Ok(Some(setup))
}

/// One option, or two joined ones.
fn option(setup: Setup, entries: &[Opt], about: &str) -> Result<Option<Setup>, Failure> {
    let (kind, place) = (setup.kind(), args::place(setup.kind(), entries));
    let (range, usual) = (args::range(entries), args::usual(kind, entries));
    let prompt = format!("{} ({range}) [{usual}] ", capitalized(about));
    answer(&prompt, |line| {
        let text = line.trim();
        if text.is_empty() {
            return Ok(setup);
        }
        // One number for both of joined ones: 3 for 3x3.
        let square = || setup.with_word_at(place, &format!("{text}x{text}"));
        let changed = setup.with_word_at(place, text).or_else(square);
        changed.ok_or_else(|| format!("It is {range}."))
    })
}

/// Which side people play.
fn side(game: &Match) -> Result<Option<Vec<Player>>, Failure> {
    let order = args::order(game);
    let words: Vec<_> = order.iter().zip(1..).map(|(word, n)| format!("{word} ({n})")).collect();
    let words = words.join(", ");
    answer(&format!("Do you play {words}, all sides (all) or none (none)? [1] "), |line| {
        let text = if line.trim().is_empty() { "1" } else { line.trim() };
        people(Some(text), game).map_err(|why| capitalized(&format!("{why}.")))
    })
}

/// A level or a bot.
fn strength(kind: GameKind) -> Result<Option<AnyOpponent>, Failure> {
    let usual = args::PLAY_LEVEL.get().to_string();
    let prompt = format!("How strong is the computer: a level, 1 to 9, or a bot? [{usual}] ");
    answer(&prompt, |line| {
        let text = if line.trim().is_empty() { &usual } else { line.trim() };
        if let Some(level) = text.parse().ok().and_then(Level::new) {
            return Ok(Opponent::Level(level));
        }
        let names = args::bot_names(kind);
        let wrong = |_| wrapped(&format!("A level is 1 to 9; the bots are {names}."));
        args::bot(kind, text).map(Opponent::Bot).map_err(wrong)
    })
}

/// A name for each person; Enter alone leaves the colour's.
fn names(roster: &mut Roster) -> Result<Option<()>, Failure> {
    let people = roster.people();
    for seat in &people {
        let colors = roster.colors_of(*seat).to_owned();
        let prompt = match people.len() {
            1 => format!("Your name? [{colors}] "),
            _ => format!("The name of {colors}? [{colors}] "),
        };
        let named = answer(&prompt, |line| match line {
            "" => Ok(()),
            name => roster.call(*seat, name).map_err(|why| capitalized(&format!("{why}."))),
        })?;
        if named.is_none() {
            return Ok(None);
        }
    }
    Ok(Some(()))
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
