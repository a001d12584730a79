//! A game in progress: the position, the moves that led to it, and undo.

use core::fmt::{self, Write};

use heapless::{String, Vec};

use crate::engine::{Engine, Opponent, Thinking};
use crate::game::{DISPLAY_COLUMNS, Game, MAX_PLIES, Notation, Reason, perft_within};
use crate::games::adjacency::Adjacency;
use crate::games::blokus::{Classic, Duo};
use crate::games::dots::Dots;
use crate::games::othello::Othello;
use crate::player::{Color, MAX_PLAYERS, Player};
use crate::search::Report;
use crate::search::budget::Meter;
use crate::setup::{Seats, Setup};

/// A move in text: five squares of Blokus Classic take 19 characters.
pub type MoveText = String<24>;

/// Why something was refused, in a sentence and in a form for the display.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    long: String<120>,
    short: String<DISPLAY_COLUMNS>,
}

impl Refusal {
    /// The sentence.
    pub fn long(&self) -> &str {
        &self.long
    }

    /// At most [`DISPLAY_COLUMNS`] characters.
    pub fn short(&self) -> &str {
        &self.short
    }

    /// The same for a move of a list, counted from 1.
    fn at_move(self, number: usize) -> Self {
        let mut long = String::new();
        let _ = write!(long, "move {number}: {}", self.long);
        Self { long, ..self }
    }
}

impl<R: Reason> From<R> for Refusal {
    fn from(reason: R) -> Self {
        let mut refusal = Self { long: String::new(), short: String::new() };
        // A text that does not fit is cut; the tests hold every reason to its length.
        let _ = write!(refusal.long, "{reason}");
        let _ = reason.short(&mut refusal.short);
        refusal
    }
}

/// Why a command does not fit the game as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OutOfTurn {
    /// It is this colour's turn.
    TurnOf(&'static str),
    /// The game is over.
    GameOver,
    /// The list of moves is full. No legal game gets there.
    TooManyPlies,
}

impl fmt::Display for OutOfTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TurnOf(color) => write!(f, "it is {color}'s turn"),
            Self::GameOver => f.write_str("the game is over"),
            Self::TooManyPlies => f.write_str("the game has too many moves"),
        }
    }
}

impl Reason for OutOfTurn {
    fn short(&self, out: &mut dyn Write) -> fmt::Result {
        match self {
            Self::TurnOf(color) => write!(out, "{color}'s turn"),
            Self::GameOver => out.write_str("game is over"),
            Self::TooManyPlies => out.write_str("too many moves"),
        }
    }
}

/// A ply of the game so far.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ply<M> {
    mv: M,
    /// A forced pass that nobody played: the next player moved straight away.
    skipped: bool,
}

/// The most plies in Blokus: 21 rounds, in each of which all four place a piece or pass.
const BLOKUS_PLIES: usize = 84;

/// A game of one kind with its moves, at most `PLIES` of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Match<G: Game, const PLIES: usize = MAX_PLIES> {
    start: G,
    now: G,
    plies: Vec<Ply<G::Move>, PLIES>,
    /// How many of `plies`, the last ones, are taken back.
    undone: usize,
}

impl<G: Game, const PLIES: usize> Match<G, PLIES> {
    /// A game that begins here.
    pub fn new(start: G) -> Self {
        Self { now: start.clone(), start, plies: Vec::new(), undone: 0 }
    }

    /// The position now.
    pub const fn position(&self) -> &G {
        &self.now
    }

    /// The moves so far, passes included.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = G::Move> + ExactSizeIterator {
        self.done().iter().map(|ply| ply.mv)
    }

    /// The position after that many of the moves so far.
    pub fn position_at(&self, plies: usize) -> G {
        let mut game = self.start.clone();
        self.moves().take(plies).for_each(|mv| game.play(mv));
        game
    }

    fn done(&self) -> &[Ply<G::Move>] {
        &self.plies[..self.plies.len().saturating_sub(self.undone)]
    }

    fn push(&mut self, mv: G::Move, skipped: bool) -> Result<(), OutOfTurn> {
        self.plies.truncate(self.done().len());
        self.undone = 0;
        self.plies.push(Ply { mv, skipped }).map_err(|_| OutOfTurn::TooManyPlies)?;
        self.now.play(mv);
        Ok(())
    }

    /// Plays a move for a player, past the players who can't move.
    pub fn play(&mut self, player: Player, mv: G::Move) -> Result<(), Refusal> {
        let mut game = self.now.clone();
        let skipped = skip_to(&mut game, player)?;
        game.check(mv)?;
        for _ in 0..skipped {
            if let Some(pass) = self.now.forced_pass() {
                self.push(pass, true)?;
            }
        }
        Ok(self.push(mv, false)?)
    }

    /// Takes the last move back, and the skipped passes before it. False if there is none.
    pub fn undo(&mut self) -> bool {
        if self.done().is_empty() {
            return false;
        }
        self.undone += 1;
        while self.done().last().is_some_and(|ply| ply.skipped) {
            self.undone += 1;
        }
        self.now = self.position_at(usize::MAX);
        true
    }

    /// Plays the move again that was taken back last, and the skipped passes before it. False if
    /// there is none.
    pub fn redo(&mut self) -> bool {
        let mut redone = false;
        while let Some(ply) = self.plies.get(self.done().len()).copied() {
            self.undone -= 1;
            self.now.play(ply.mv);
            redone = true;
            if !ply.skipped {
                break;
            }
        }
        redone
    }
}

/// What can be done with a game of any kind, moves being text.
pub trait Session {
    /// The players in turn order.
    fn colors(&self) -> &'static [Color];
    /// Whose turn it is.
    fn turn(&self) -> Player;
    /// Whether the game has ended.
    fn is_over(&self) -> bool;
    /// Whether the player to move can only pass.
    fn must_pass(&self) -> bool;
    /// A player's points as they stand.
    fn score(&self, player: Player) -> i16;
    /// How many moves were made, passes included.
    fn plies(&self) -> usize;
    /// Plays a move for a player, past the players who can't move; without a player, for the next
    /// one who can make it. A pass after the end changes nothing.
    fn play_text(&mut self, player: Option<Player>, text: &str) -> Result<(), Refusal>;
    /// The move that `opponent` would play for a player; `pass` when there is none. `report` hears
    /// from the search after every iteration.
    fn choose(
        &self,
        player: Player,
        opponent: Opponent,
        notation: Notation,
        thinking: &mut Thinking<'_>,
        report: &mut dyn FnMut(&Progress),
    ) -> Result<MoveText, Refusal>;
    /// Works the position out: the score for the player to move, and a best move (`none` when the
    /// game is over).
    fn solve(
        &self,
        notation: Notation,
        memory: &mut [u64],
        meter: &mut Meter<'_>,
    ) -> Result<(i16, MoveText), Refusal>;
    /// Takes the last move back; false if there is none.
    fn undo(&mut self) -> bool;
    /// Plays the move again that was taken back last; false if there is none.
    fn redo(&mut self) -> bool;
    /// Begins again from a position in text.
    fn set_position(&mut self, text: &str) -> Result<(), Refusal>;
    /// Writes the position in the form that [`set_position`](Self::set_position) reads.
    fn write_position(&self, out: &mut dyn Write) -> fmt::Result;
    /// Writes one of the moves so far, counted from 0; nothing if there are fewer.
    fn write_ply(&self, index: usize, notation: Notation, out: &mut dyn Write) -> fmt::Result;
    /// Writes the moves that a player has, or would have in turn, one a line; none if only a pass.
    fn write_legal(&self, player: Player, notation: Notation, out: &mut dyn Write) -> fmt::Result;
    /// Draws the board with the last move marked.
    fn draw(&self, out: &mut dyn Write) -> fmt::Result;
    /// Counts the move sequences of `depth` plies from here; `None` if the budget does not last.
    fn perft(&self, depth: u32, meter: &mut Meter<'_>) -> Option<u64>;
    /// Counts the legal moves, a forced pass as one.
    fn count_moves(&self) -> u32;
}

// What needs no game of its own kind is here once, not once for each of the five.
impl dyn Session + '_ {
    /// Plays a move for a player, past the players who can't move. A pass after the end changes
    /// nothing.
    pub fn play(&mut self, player: Player, text: &str) -> Result<(), Refusal> {
        self.play_text(Some(player), text)
    }

    /// Plays the next move of a list, whoever's turn it is. Forced passes may be left out of the
    /// list or stand in it, also after the end.
    pub fn play_next(&mut self, text: &str) -> Result<(), Refusal> {
        self.play_text(None, text)
    }

    /// Writes the moves so far, with `separator` between them.
    pub fn write_moves(
        &self,
        notation: Notation,
        separator: char,
        out: &mut dyn Write,
    ) -> fmt::Result {
        for index in 0..self.plies() {
            if index > 0 {
                out.write_char(separator)?;
            }
            self.write_ply(index, notation, out)?;
        }
        Ok(())
    }

    /// Writes the last move; nothing if there is none.
    pub fn write_last(&self, notation: Notation, out: &mut dyn Write) -> fmt::Result {
        self.write_ply(self.plies().wrapping_sub(1), notation, out)
    }
}

/// What the search says while it thinks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// Plies looked ahead everywhere.
    pub depth: u8,
    /// For the player to move: points at the end if `exact`, else hundredths of a point.
    pub score: i16,
    /// Whether the score is proven.
    pub exact: bool,
    /// Positions looked at so far.
    pub nodes: u64,
    /// How much of the budget is used, in hundredths.
    pub percent: u8,
    /// The expected moves, as many as fit, the best one first.
    pub line: String<64>,
}

impl Progress {
    #[inline(never)]
    fn new<G: Game>(game: &G, notation: Notation, report: &Report<'_, G::Move>) -> Self {
        let Report { depth, score, exact, nodes, percent, .. } = *report;
        let mut progress = Self { depth, score, exact, nodes, percent, line: String::new() };
        for mv in report.line {
            let mut text = MoveText::new();
            if game.write_move_in(*mv, notation, &mut text).is_err() || !progress.append(&text) {
                break;
            }
        }
        progress
    }

    /// Adds a move to the line; false if it does not fit.
    fn append(&mut self, text: &MoveText) -> bool {
        let separator = if self.line.is_empty() { "" } else { " " };
        let fits = self.line.len() + separator.len() + text.len() <= self.line.capacity();
        fits && write!(self.line, "{separator}{text}").is_ok()
    }
}

impl<G: Engine, const PLIES: usize> Session for Match<G, PLIES> {
    fn colors(&self) -> &'static [Color] {
        G::COLORS
    }

    fn turn(&self) -> Player {
        self.now.turn()
    }

    fn is_over(&self) -> bool {
        self.now.is_over()
    }

    fn must_pass(&self) -> bool {
        self.now.forced_pass().is_some()
    }

    fn score(&self, player: Player) -> i16 {
        self.now.score(player)
    }

    fn plies(&self) -> usize {
        self.done().len()
    }

    fn play_text(&mut self, player: Option<Player>, text: &str) -> Result<(), Refusal> {
        if self.is_over() {
            return after_end(text);
        }
        let mv = self.now.parse_move(text)?;
        let player = player.unwrap_or_else(|| {
            let mut game = self.now.clone();
            while let Some(pass) = game.forced_pass().filter(|pass| *pass != mv) {
                game.play(pass);
            }
            game.turn()
        });
        self.play(player, mv)
    }

    fn choose(
        &self,
        player: Player,
        opponent: Opponent,
        notation: Notation,
        thinking: &mut Thinking<'_>,
        report: &mut dyn FnMut(&Progress),
    ) -> Result<MoveText, Refusal> {
        let mut text = MoveText::new();
        if !self.is_over() {
            let mut game = self.now.clone();
            skip_to(&mut game, player)?;
            let mut told = |report_of: &Report<'_, G::Move>| {
                report(&Progress::new(&game, notation, report_of));
            };
            if let Some(mv) = game.choose(opponent, thinking, &mut told) {
                // A move always fits: see the capacity of `MoveText`.
                let _ = game.write_move_in(mv, notation, &mut text);
            }
        }
        if text.is_empty() {
            let _ = text.push_str("pass");
        }
        Ok(text)
    }

    fn solve(
        &self,
        notation: Notation,
        memory: &mut [u64],
        meter: &mut Meter<'_>,
    ) -> Result<(i16, MoveText), Refusal> {
        let solution = self.now.solution(memory, meter)?;
        let mut text = MoveText::new();
        // Both fit: see the capacity of `MoveText`.
        let _ = match solution.best {
            Some(mv) => self.now.write_move_in(mv, notation, &mut text),
            None => text.push_str("none").map_err(|_| fmt::Error),
        };
        Ok((solution.score, text))
    }

    fn undo(&mut self) -> bool {
        Match::undo(self)
    }

    fn redo(&mut self) -> bool {
        Match::redo(self)
    }

    fn set_position(&mut self, text: &str) -> Result<(), Refusal> {
        if !G::POSITION_IS_MOVES {
            *self = Self::new(self.start.parse_position(text)?);
            return Ok(());
        }
        let mut game = Self::new(self.start.clone());
        for (index, word) in text.split_ascii_whitespace().enumerate() {
            game.play_text(None, word).map_err(|refusal| refusal.at_move(index + 1))?;
        }
        *self = game;
        Ok(())
    }

    fn write_position(&self, out: &mut dyn Write) -> fmt::Result {
        if G::POSITION_IS_MOVES {
            return (self as &dyn Session).write_moves(Notation::Plain, ' ', out);
        }
        self.now.write_position(out)
    }

    fn write_ply(&self, index: usize, notation: Notation, out: &mut dyn Write) -> fmt::Result {
        match self.done().get(index) {
            Some(ply) => self.now.write_move_in(ply.mv, notation, out),
            None => Ok(()),
        }
    }

    fn write_legal(&self, player: Player, notation: Notation, out: &mut dyn Write) -> fmt::Result {
        let game = self.now.with_turn(player);
        if game.forced_pass().is_some() {
            return Ok(());
        }
        let mut result = Ok(());
        game.for_each_move(|mv| {
            result = result
                .and_then(|()| game.write_move_in(mv, notation, out))
                .and_then(|()| out.write_char('\n'));
        });
        result
    }

    fn draw(&self, out: &mut dyn Write) -> fmt::Result {
        self.now.draw(self.moves().next_back(), out)
    }

    fn perft(&self, depth: u32, meter: &mut Meter<'_>) -> Option<u64> {
        perft_within(&self.now, depth, meter)
    }

    fn count_moves(&self) -> u32 {
        self.now.count_moves()
    }
}

/// Skips players who can't move until it is `player`'s turn, and tells how many. In place: a copy of
/// Blokus takes a third of a kilobyte of the stack that the search needs.
fn skip_to<G: Game>(game: &mut G, player: Player) -> Result<usize, OutOfTurn> {
    for skipped in 0..MAX_PLAYERS {
        if game.turn() == player {
            return Ok(skipped);
        }
        match game.forced_pass() {
            Some(pass) => game.play(pass),
            None => break,
        }
    }
    Err(OutOfTurn::TurnOf(G::COLORS[game.turn().index()].name))
}

/// Both sides may go on passing when the game is over.
fn after_end(text: &str) -> Result<(), Refusal> {
    let pass = text.eq_ignore_ascii_case("pass") || text == "0000";
    if pass { Ok(()) } else { Err(OutOfTurn::GameOver.into()) }
}

/// A game of any of the five kinds, in place: no allocation, the size of the largest.
#[derive(Debug, Clone, PartialEq)]
pub struct AnyMatch {
    setup: Setup,
    game: AnyGame,
}

/// A game of Blokus Duo.
pub type DuoMatch = Match<Duo, BLOKUS_PLIES>;

/// A game by its kind, for those who draw it.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "in place of an allocation; one game at a time")]
pub enum AnyGame {
    /// Othello.
    Othello(Match<Othello>),
    /// The Adjacency Strategy Game.
    Adjacency(Match<Adjacency>),
    /// Dots and Boxes.
    Dots(Match<Dots>),
    /// Blokus Duo.
    Duo(DuoMatch),
    /// Blokus Classic.
    Classic(Match<Classic, BLOKUS_PLIES>),
}

/// Othello at its start.
impl Default for AnyMatch {
    fn default() -> Self {
        Self::new(Setup::Othello)
    }
}

impl AnyMatch {
    /// A game at its start.
    pub fn new(setup: Setup) -> Self {
        let game = match setup {
            Setup::Othello => AnyGame::Othello(Match::new(Othello::START)),
            Setup::Adjacency { rounds, first } => {
                AnyGame::Adjacency(Match::new(Adjacency::new(rounds, first)))
            }
            Setup::Dots(size) => AnyGame::Dots(Match::new(Dots::new(size))),
            Setup::BlokusDuo(rule) => AnyGame::Duo(Match::new(Duo::new(rule))),
            Setup::BlokusClassic(seats) => {
                let game = Classic::default();
                let game = if seats == Seats::Two { game.in_pairs() } else { game };
                AnyGame::Classic(Match::new(game))
            }
        };
        Self { setup, game }
    }

    /// Begins another game in this place. On its own, so that the new game is not on the stack of
    /// whoever begins it and thinks later.
    #[inline(never)]
    pub fn begin(&mut self, setup: Setup) {
        *self = Self::new(setup);
    }

    /// Becomes a copy of another game, with nothing on the caller's stack either.
    #[inline(never)]
    pub fn copy_from(&mut self, other: &Self) {
        self.clone_from(other);
    }

    /// The game and its options.
    pub const fn setup(&self) -> Setup {
        self.setup
    }

    /// The game by its kind.
    pub const fn game(&self) -> &AnyGame {
        &self.game
    }

    /// The game, to look at.
    pub fn session(&self) -> &dyn Session {
        match &self.game {
            AnyGame::Othello(game) => game,
            AnyGame::Adjacency(game) => game,
            AnyGame::Dots(game) => game,
            AnyGame::Duo(game) => game,
            AnyGame::Classic(game) => game,
        }
    }

    /// The game, to play.
    pub fn session_mut(&mut self) -> &mut dyn Session {
        match &mut self.game {
            AnyGame::Othello(game) => game,
            AnyGame::Adjacency(game) => game,
            AnyGame::Dots(game) => game,
            AnyGame::Duo(game) => game,
            AnyGame::Classic(game) => game,
        }
    }

    /// The game with its moves, if it is Blokus Duo.
    pub fn duo_mut(&mut self) -> Option<&mut DuoMatch> {
        match &mut self.game {
            AnyGame::Duo(game) => Some(game),
            _ => None,
        }
    }

    /// The points of each person at the board, in the order of seats.
    pub fn seat_scores(&self) -> Vec<i16, MAX_PLAYERS> {
        let mut scores = Vec::new();
        // Both lengths are at most MAX_PLAYERS.
        let _ = scores.resize(self.setup.seats(), 0);
        for player in Player::all(self.session().colors().len()) {
            if let Some(score) = scores.get_mut(self.setup.seat_of(player)) {
                *score += self.session().score(player);
            }
        }
        scores
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bots::Bot;
    use crate::game::{ParseMoveError, PositionError};
    use crate::games::dots::{self, Size};
    use crate::games::{adjacency, blokus, othello};
    use crate::mix::Rng;
    use crate::setup::GameKind;
    use crate::square::Square;
    use std::string::String;

    fn position(session: &dyn Session) -> String {
        let mut text = String::new();
        session.write_position(&mut text).unwrap();
        text
    }

    fn any(kind: GameKind) -> AnyMatch {
        AnyMatch::new(Setup::usual(kind))
    }

    /// Plays a game to its end, one bot in all seats.
    fn play_out(game: &mut AnyMatch, seed: u64) {
        let mut thinking = Thinking {
            memory: &mut [],
            rng: &mut Rng::new(seed),
            clock: &|| 0,
            micros: 0,
            stop: None,
        };
        let opponent = Opponent::Bot(Bot::Random);
        while !game.session().is_over() {
            let session = game.session();
            let player = session.turn();
            let text = session
                .choose(player, opponent, Notation::Plain, &mut thinking, &mut |_| {})
                .unwrap();
            game.session_mut().play(player, &text).unwrap();
        }
    }

    #[test]
    fn every_game_can_be_taken_back_move_by_move() {
        for kind in GameKind::ALL {
            let mut game = any(kind);
            let start = position(game.session());
            play_out(&mut game, 5);
            let plies = game.session().plies();
            for _ in 0..plies {
                assert!(game.session_mut().undo());
            }
            assert!(!game.session_mut().undo());
            assert_eq!(position(game.session()), start, "{kind}");
        }
    }

    #[test]
    fn what_was_taken_back_can_be_played_again() {
        for kind in GameKind::ALL {
            let mut game = any(kind);
            assert!(!game.session_mut().redo());
            play_out(&mut game, 5);
            let (end, plies) = (position(game.session()), game.session().plies());
            while game.session_mut().undo() {}
            while game.session_mut().redo() {}
            assert_eq!((position(game.session()), game.session().plies()), (end, plies), "{kind}");
        }
        let mut game = any(GameKind::Othello);
        game.session_mut().play_next("d3").unwrap();
        game.session_mut().undo();
        game.session_mut().play_next("c4").unwrap();
        assert!(!game.session_mut().redo(), "another move was made since");
    }

    #[test]
    fn every_position_reads_back() {
        for kind in GameKind::ALL {
            let mut game = any(kind);
            play_out(&mut game, 11);
            while game.session_mut().undo() {
                let text = position(game.session());
                let mut again = any(kind);
                again.session_mut().set_position(&text).unwrap();
                assert_eq!(position(again.session()), text, "{kind}");
                assert_eq!(again.session().count_moves(), game.session().count_moves());
            }
        }
    }

    #[test]
    fn a_player_who_cannot_move_is_skipped_and_undo_takes_the_skip_back() {
        let mut game = any(GameKind::Othello);
        let mut text = "O".repeat(8);
        text.push_str(&"X".repeat(48));
        text.push_str("-XXXXXX- X");
        game.session_mut().set_position(&text).unwrap();
        let before = position(game.session());
        assert!(game.session().must_pass(), "black has nothing to enclose");
        game.session_mut().play(Player::SECOND, "a8").unwrap();
        assert_eq!(game.session().plies(), 2, "the skipped pass is a ply");
        assert!(game.session_mut().undo());
        assert_eq!(position(game.session()), before);
        assert_eq!(game.session().plies(), 0);
    }

    #[test]
    fn moves_out_of_turn_are_refused() {
        let mut game = any(GameKind::BlokusClassic);
        let refusal = game.session_mut().play(Player::THIRD, "t1").unwrap_err();
        assert_eq!(refusal.long(), "it is blue's turn");
        assert_eq!(refusal.short(), "blue's turn");
    }

    #[test]
    fn a_bad_move_in_a_list_is_named_and_the_game_stays() {
        let mut game = any(GameKind::BlokusDuo);
        game.session_mut().play(Player::FIRST, "e10").unwrap();
        let refusal = game.session_mut().set_position("e10 j5 f9,g9 j5,k5").unwrap_err();
        assert_eq!(refusal.long(), "move 4: j5 is occupied");
        assert_eq!(position(game.session()), "e10");
    }

    #[test]
    fn two_people_at_blokus_classic_share_the_points_of_their_colours() {
        let mut game = AnyMatch::new(Setup::BlokusClassic(Seats::Two));
        game.session_mut().set_position("a20 t20,s20 t1 a1").unwrap();
        assert_eq!(game.seat_scores(), [-88 - 88, -87 - 88]);
        assert_eq!(any(GameKind::BlokusClassic).seat_scores(), [-89; 4]);
    }

    /// Every refusal, with the longest names it can hold.
    #[test]
    fn refusals_fit_their_lines() {
        let square = Square::parse("h8").unwrap();
        let cell = blokus::Cell::at(19, 20);
        fn add(reason: impl Reason) {
            let mut short = String::new();
            reason.short(&mut short).unwrap();
            assert!(short.len() <= DISPLAY_COLUMNS, "too long: {short}");
            let long = std::format!("move 220: {reason}");
            assert_eq!(Refusal::from(reason).at_move(220).long(), long);
        }
        for illegal in [
            othello::Illegal::GameOver,
            othello::Illegal::Occupied(square),
            othello::Illegal::FlipsNothing(square),
            othello::Illegal::MustMove(square),
        ] {
            add(illegal);
        }
        add(adjacency::Illegal::GameOver);
        add(adjacency::Illegal::Occupied(square));
        add(dots::Illegal::GameOver);
        add(dots::Illegal::Drawn((10, 9), (10, 10)));
        add(dots::Illegal::OffBoard(255));
        for illegal in [
            blokus::Illegal::GameOver,
            blokus::Illegal::MustMove,
            blokus::Illegal::PieceUsed(blokus::Piece::new(9).unwrap()),
            blokus::Illegal::OffBoard,
            blokus::Illegal::Occupied(cell),
            blokus::Illegal::MissesStart(cell),
            blokus::Illegal::TouchesOwn(cell),
            blokus::Illegal::NoCorner,
        ] {
            add(illegal);
        }
        add(OutOfTurn::TurnOf("yellow"));
        add(OutOfTurn::GameOver);
        add(OutOfTurn::TooManyPlies);
        add(PositionError::Character(64));
        let dots = Dots::new(Size::DEFAULT);
        let moves: [ParseMoveError; 8] = [
            Othello::START.parse_move("").unwrap_err(),
            Adjacency::default().parse_move("").unwrap_err(),
            dots.parse_move("").unwrap_err(),
            dots.parse_move("9,9-9,8").unwrap_err(),
            Duo::default().parse_move("").unwrap_err(),
            Duo::default().parse_move("0123").unwrap_err(),
            Duo::default().parse_move("e1,e3").unwrap_err(),
            Duo::default().parse_move("e1,e1").unwrap_err(),
        ];
        moves.into_iter().for_each(add);
        let positions = [
            Othello::START.parse_position("").unwrap_err(),
            Adjacency::default().parse_position("").unwrap_err(),
            dots.parse_position("").unwrap_err(),
        ];
        positions.into_iter().for_each(add);
    }
}
