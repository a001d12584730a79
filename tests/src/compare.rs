//! Compares a position or a whole game of the core with a reference game.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Debug};

use crate::reference::blokus::write_cells;
use crate::reference::{self, Dice, Fault, Reference, Refused};
use corvid_core::game::{Game, MAX_PLIES, Notation, Reason, SHORT};
use corvid_core::games::adjacency::{self, Adjacency};
use corvid_core::games::blokus::{self, Blokus};
use corvid_core::games::dots::{self, Dots};
use corvid_core::games::othello::{self, Othello};
use corvid_core::player::Player;
use corvid_core::registry::AnyPosition;
use corvid_core::session::{Match, write_legal};
use corvid_core::setup::Setup;

/// How many impossible or illegal moves are tried before each move of a random game.
const TRIES: usize = 8;

/// What a game of the core needs to be compared with a reference game.
pub trait Compared: Game {
    /// Its slow reference.
    type Reference: Reference + Debug;

    /// Whether the core's reason says the same as the reference's.
    fn same_reason(reason: &Self::Illegal, refused: Refused) -> bool;

    /// A text that is a legal move, an illegal one, or no move at all; `legal` are the legal ones.
    fn random_text(game: &Self::Reference, legal: &[String], dice: &mut Dice) -> String;

    /// Checks what only this game has.
    fn check_more(&self, reference: &Self::Reference);
}

impl Compared for Othello {
    type Reference = reference::othello::Othello;

    fn same_reason(reason: &othello::Illegal, refused: Refused) -> bool {
        match reason {
            othello::Illegal::GameOver => refused == Refused::GameOver,
            othello::Illegal::Occupied(_) => refused == Fault::Occupied.into(),
            othello::Illegal::FlipsNothing(_) => refused == Fault::TurnsNothing.into(),
            othello::Illegal::MustMove(_) => refused == Refused::CanMove,
        }
    }

    fn random_text(_: &Self::Reference, _: &[String], dice: &mut Dice) -> String {
        random_square(dice)
    }

    fn check_more(&self, reference: &Self::Reference) {
        let position = written(|out| self.write_position(out));
        assert_eq!(position, reference.position());
        let read = Othello::START.parse_position(&position).expect("its own text");
        assert_eq!(&read, self);
        assert_eq!(read.hash(), self.hash());
    }
}

impl Compared for Adjacency {
    type Reference = reference::adjacency::Adjacency;

    fn same_reason(reason: &adjacency::Illegal, refused: Refused) -> bool {
        match reason {
            adjacency::Illegal::GameOver => refused == Refused::GameOver,
            adjacency::Illegal::Occupied(_) => refused == Fault::Occupied.into(),
        }
    }

    fn random_text(_: &Self::Reference, _: &[String], dice: &mut Dice) -> String {
        random_square(dice)
    }

    fn check_more(&self, reference: &Self::Reference) {
        assert_eq!(u32::from(self.plies_left()), reference.plies_left());
        let position = written(|out| self.write_position(out));
        assert_eq!(position, reference.position());
        let read = Adjacency::default().parse_position(&position).expect("its own text");
        assert_eq!(&read, self);
        assert_eq!(read.hash(), self.hash());
    }
}

impl Compared for Dots {
    type Reference = reference::dots::Dots;

    fn same_reason(reason: &dots::Illegal, refused: Refused) -> bool {
        match reason {
            dots::Illegal::GameOver => refused == Refused::GameOver,
            dots::Illegal::Drawn(..) => refused == Fault::Occupied.into(),
            dots::Illegal::OffBoard(_) => refused == Fault::OffBoard.into(),
        }
    }

    fn random_text(game: &Self::Reference, _: &[String], dice: &mut Dice) -> String {
        let lines = game.lines();
        let &((row, column), second) = dice.choose(&lines);
        match dice.throw(6) {
            0 => format!("{row},{column}"),
            1 => format!("{row},{column}-{row},{column}"),
            2 => format!("{row},{column}-{},{}", row + 1, column + 1),
            3 => format!("{row},{column}-{row},{}", column + 1),
            _ => reference::dots::write_line((second, (row, column))),
        }
    }

    fn check_more(&self, reference: &Self::Reference) {
        for (&(row, column), &owner) in reference.owners() {
            assert_eq!(self.owner(row as u8, column as u8), Player::new(owner));
        }
        let position = written(|out| self.write_position(out));
        assert_eq!(position, reference.position());
        let read = self.parse_position(&position).expect("its own text");
        assert_eq!(texts(&read), texts(self), "the same lines are left");
        assert_eq!(read.turn(), Player::FIRST);
        assert_eq!(written(|out| read.write_position(out)), position);
    }
}

impl<const PLAYERS: usize, const WORDS: usize> Compared for Blokus<PLAYERS, WORDS> {
    type Reference = reference::blokus::Blokus;

    fn same_reason(reason: &blokus::Illegal, refused: Refused) -> bool {
        match reason {
            blokus::Illegal::GameOver => refused == Refused::GameOver,
            blokus::Illegal::MustMove => refused == Refused::CanMove,
            blokus::Illegal::PieceUsed(_) => refused == Fault::PieceUsed.into(),
            blokus::Illegal::OffBoard => refused == Fault::OffBoard.into(),
            blokus::Illegal::Occupied(_) => refused == Fault::Occupied.into(),
            blokus::Illegal::MissesStart(_) => refused == Fault::MissesStart.into(),
            blokus::Illegal::TouchesOwn(_) => refused == Fault::TouchesOwnSide.into(),
            blokus::Illegal::NoCorner => refused == Fault::NoOwnCorner.into(),
        }
    }

    fn random_text(game: &Self::Reference, legal: &[String], dice: &mut Dice) -> String {
        let side = usize::from(Self::SIDE);
        let digit = |value: usize| char::from_digit(value as u32, 36).expect("below 36");
        let (x, y) = (digit(1 + dice.throw(side)), digit(1 + dice.throw(side)));
        let letter = *dice.choose(b"abcdefghijklmnopqrstu") as char;
        let code = format!("{x}{y}{letter}{}", dice.throw(8));
        let (_, mut cells) = game.decode(&code).expect("a code");
        match dice.throw(8) {
            0 => return "pass".into(),
            1 if PLAYERS == 2 => return "0000".into(),
            2 | 3 if PLAYERS == 2 => return code,
            4 => {
                // Nearly a piece: one cell is somewhere else.
                cells.pop_last();
                let (up, right) = (dice.throw(side) as i32, dice.throw(side) as i32);
                cells.insert(reference::blokus::Cell { up, right });
            }
            5 | 6 if !legal.is_empty() => {
                // Nearly legal: beside a place where it would be.
                let text = dice.choose(legal);
                let &(up, right) = dice.choose(&[(0, 1), (1, 0), (0, -1), (-1, 0)]);
                if text != "pass" {
                    cells = game.read(text).expect("a legal move");
                    let moved = cells.iter().map(|cell| reference::blokus::Cell {
                        up: cell.up + up,
                        right: cell.right + right,
                    });
                    cells = moved.collect();
                }
            }
            _ => {}
        }
        // Only what can be written: there is no row below 1 and no column left of a.
        cells.retain(|cell| cell.up >= 0 && cell.right >= 0);
        let text = write_cells(&cells);
        if cells.is_empty() {
            return text;
        }
        let mut names: Vec<&str> = text.split(',').collect();
        let middle = dice.throw(names.len());
        names.rotate_left(middle);
        names.join(",")
    }

    fn check_more(&self, reference: &Self::Reference) {
        for player in Player::all(PLAYERS) {
            let letters: BTreeSet<char> =
                self.pieces_left(player).iter().map(|piece| piece.letter()).collect();
            assert_eq!(&letters, reference.in_hand(player.index()));
            assert_eq!(
                self.squares(player).count() as i32,
                reference.squares_placed(player.index())
            );
        }
        if PLAYERS == 2 {
            check_codes(self, reference);
        }
    }
}

/// Every legal contest code reads as its placement, and the one with the smallest rotation is
/// written for it.
pub fn check_codes<G: Game>(game: &G, reference: &reference::blokus::Blokus) {
    let mut smallest: BTreeMap<String, String> = BTreeMap::new();
    for (code, cells) in reference.legal_codes() {
        let text = write_cells(&cells);
        assert_eq!(
            game.parse_move(&code).expect("a code"),
            game.parse_move(&text).expect("a placement"),
            "{code} and {text}"
        );
        let known = smallest.entry(text).or_insert_with(|| code.clone());
        if code[3..] < known[3..] {
            *known = code;
        }
    }
    for (text, code) in smallest {
        let mv = game.parse_move(&text).expect("a placement");
        assert_eq!(written(|out| game.write_move_in(mv, Notation::Code, out)), code, "{text}");
    }
}

/// A square of an 8x8 board, or something like it.
fn random_square(dice: &mut Dice) -> String {
    match dice.throw(20) {
        0 => "pass".into(),
        1 => dice.choose(&["", "d", "i4", "d9", "d0", "4d", "d44", "d4 ", "é4", "-"]).to_string(),
        _ => format!("{}{}", (b'a' + dice.throw(8) as u8) as char, dice.throw(8) + 1),
    }
}

/// What is written, as a string.
pub fn written(write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result) -> String {
    let mut text = String::new();
    write(&mut text).expect("a string takes everything");
    text
}

/// The legal moves of the core as sorted texts.
pub fn texts<G: Game>(game: &G) -> Vec<String> {
    let mut texts = Vec::new();
    game.for_each_move(|mv| texts.push(written(|out| game.write_move(mv, out))));
    texts.sort();
    texts
}

/// Checks that core and reference see the same position, in which `legal` are the reference's
/// legal moves.
pub fn check_same<G: Compared>(
    game: &G,
    reference: &G::Reference,
    legal: &[String],
    played: &[String],
) {
    assert_eq!(texts(game), legal, "legal moves after {played:?}");
    assert_eq!(game.count_moves() as usize, legal.len());
    assert!(legal.len() <= G::MAX_MOVES && played.len() <= MAX_PLIES);
    game.for_each_move(|mv| {
        assert!(game.check(mv).is_ok(), "{mv:?} is listed, but refused after {played:?}");
        let text = written(|out| game.write_move(mv, out));
        assert_eq!(game.parse_move(&text), Ok(mv), "{text} does not read back");
    });
    let pass = game.forced_pass().map(|mv| written(|out| game.write_move(mv, out)));
    assert_eq!(pass.is_some(), legal == ["pass"], "after {played:?}");
    assert_eq!(legal.is_empty(), reference.over(), "after {played:?}");
    assert_eq!(game.is_over(), legal.is_empty(), "after {played:?}");
    assert_eq!(game.turn().index(), reference.to_move(), "after {played:?}");
    let scores: Vec<i32> =
        Player::all(G::COLORS.len()).map(|player| game.score(player).into()).collect();
    assert_eq!(scores, reference.scores(), "after {played:?}");
    game.check_more(reference);
}

/// Checks that core and reference accept and refuse the same text, for the same reason.
fn check_verdict<G: Compared>(game: &G, reference: &G::Reference, text: &str) {
    let expected = reference.clone().play(text);
    let refused = match (game.parse_move(text), expected) {
        (Err(reason), Err(_)) => short(&reason),
        (Err(reason), Ok(())) => panic!("{text:?} is legal, the core can't read it: {reason}"),
        (Ok(mv), expected) => match (game.check(mv), expected) {
            (Ok(()), Ok(())) => return,
            (Err(reason), Err(refused)) => {
                // After the end the core says so first; the reference names the square.
                let fits = G::same_reason(&reason, refused) || reference.over();
                assert!(fits, "{text:?} is refused with {reason:?} instead of {refused:?}");
                short(&reason)
            }
            (verdict, expected) => panic!("{text:?}: core {verdict:?}, reference {expected:?}"),
        },
    };
    assert!(!refused.is_empty() && refused.chars().count() <= SHORT, "{refused:?}");
}

fn short(reason: &impl Reason) -> String {
    assert!(!reason.to_string().is_empty());
    written(|out| reason.short(out))
}

/// Which plies of a random game are compared.
#[derive(Debug, Clone, Copy)]
pub struct Window {
    /// So many plies are played first, by moves of the core that the reference has to allow.
    pub skipped: usize,
    /// The position is compared then, and after so many more plies, if the game has as many.
    pub compared: usize,
}

impl Window {
    /// All plies of a game.
    pub const ALL: Self = Self { skipped: 0, compared: usize::MAX };
}

/// Plays a random game in both, to its end or to that of the window, and compares them before every
/// move of the window and at its end; then takes everything back. Returns the number of plies.
pub fn compare_random_game<G: Compared>(
    setup: Setup,
    start: G,
    mut reference: G::Reference,
    dice: &mut Dice,
    window: Window,
) -> usize
where
    for<'a> &'a G: TryFrom<&'a AnyPosition, Error = ()>,
{
    // One is played with numbers of moves, the other with texts.
    let mut game = Match::new(setup);
    let mut session = Match::new(setup);
    assert_eq!(position_of::<G>(&game), &start);
    let mut played: Vec<String> = Vec::new();
    let mut positions: Vec<G> = Vec::new();
    loop {
        let now = position_of::<G>(&game).clone();
        if played.len() < window.skipped && !now.is_over() {
            let mv = any_move(&now, dice);
            let text = written(|out| now.write_move(mv, out));
            game.play_move(Some(now.turn()), G::encode(mv)).expect("a listed move");
            session.play_move(Some(now.turn()), G::encode(mv)).expect("a listed move");
            let allowed = reference.play(&text);
            assert_eq!(allowed, Ok(()), "{text} after {played:?}");
            played.push(text);
            positions.push(now);
            continue;
        }
        let legal = reference.legal();
        check_same(&now, &reference, &legal, &played);
        check_session(&session, &reference, &legal, &played);
        for _ in 0..TRIES {
            check_verdict(&now, &reference, &G::random_text(&reference, &legal, dice));
        }
        if legal.is_empty() {
            check_verdict(&now, &reference, "pass");
            break;
        }
        if played.len() >= window.skipped.saturating_add(window.compared) {
            break;
        }
        if legal == ["pass"] {
            check_skipped(&session, &reference, dice);
        }
        let text = dice.choose(&legal).clone();
        check_turn(&session, &text);
        let mv = G::encode(now.parse_move(&text).expect("a legal move"));
        game.play_move(Some(now.turn()), mv).expect("a legal move");
        assert!(game.undo());
        assert_eq!(position_of::<G>(&game), &now, "taking {text} back after {played:?}");
        game.play_move(Some(now.turn()), mv).expect("a legal move");
        session.play(now.turn(), &text).expect("a legal move");
        reference.play(&text).expect("a legal move");
        played.push(text);
        positions.push(now);
    }
    while let Some(before) = positions.pop() {
        assert!(game.undo() && session.undo());
        assert_eq!(position_of::<G>(&game), &before);
        assert_eq!(position_of::<G>(&game).hash(), before.hash());
        assert_eq!(position_of::<G>(&session), &before);
        assert_eq!(session.plies(), positions.len());
        assert_eq!(session.turn(), before.turn());
    }
    assert!(!game.undo() && !session.undo(), "nothing is left to take back");
    played.len()
}

/// A random one of the core's moves; the game is not over.
fn any_move<G: Game>(game: &G, dice: &mut Dice) -> G::Move {
    let mut moves = Vec::new();
    game.for_each_move(|mv| moves.push(mv));
    *dice.choose(&moves)
}

/// The position of a match as its own type.
fn position_of<G>(game: &Match) -> &G
where
    for<'a> &'a G: TryFrom<&'a AnyPosition, Error = ()>,
{
    game.position().try_into().expect("a match of this game")
}

/// Checks a game that is played with texts, and that its position can be written and read.
fn check_session(game: &Match, reference: &impl Reference, legal: &[String], played: &[String]) {
    let over = legal.is_empty();
    let check = |game: &Match| {
        let mut position = game.position().clone();
        let texts = written(|out| write_legal(&mut position, game.turn(), Notation::Plain, out));
        let mut texts: Vec<&str> = texts.lines().collect();
        texts.sort_unstable();
        let pass = legal == ["pass"];
        assert_eq!(texts, if pass { &[] } else { legal }, "after {played:?}");
        assert_eq!((game.is_over(), game.must_pass()), (over, pass));
    };
    check(game);
    assert_eq!(game.turn().index(), reference.to_move());
    assert_eq!(game.plies(), played.len());
    assert_eq!(written(|out| game.write_moves(Notation::Plain, ' ', out)), played.join(" "));
    let position = position(game);
    let mut read = Match::new(game.setup());
    read.set_position(&position).expect("a position that was written");
    check(&read);
    assert_eq!(self::position(&read), position);
}

/// The position of a match as text.
pub fn position(game: &Match) -> String {
    written(|out| game.write_position(out))
}

/// Only the player whose turn it is may play `text`, unless that player has to pass.
fn check_turn(game: &Match, text: &str) {
    let turn = game.turn();
    for player in Player::all(game.colors().len()) {
        if player != turn && !game.must_pass() {
            let mut tried = game.clone();
            assert!(tried.play(player, text).is_err(), "{text} out of turn");
            assert_eq!(tried.plies(), game.plies());
            assert_eq!(position(&tried), position(game));
        }
    }
}

/// The next player who can move may do so past those who can't, and one undo takes that back.
fn check_skipped(game: &Match, reference: &impl Reference, dice: &mut Dice) {
    let mut ahead = reference.clone();
    let mut passes = 0;
    while ahead.legal() == ["pass"] {
        ahead.play("pass").expect("a forced pass");
        passes += 1;
    }
    let player = Player::new(ahead.to_move()).expect("a player");
    let text = dice.choose(&ahead.legal()).clone();
    let mut skipping = game.clone();
    skipping.play(player, &text).expect("a legal move");
    assert_eq!(skipping.plies(), game.plies() + passes + 1);
    assert!(skipping.undo());
    assert_eq!(skipping.plies(), game.plies());
    assert_eq!(position(&skipping), position(game));
    assert_eq!(skipping.turn(), game.turn());
}
