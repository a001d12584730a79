//! A match in progress: the position, the moves that led to it, and undo.

use core::fmt::{self, Write};

use heapless::{String, Vec};

use crate::any::{AnyGame, color_name};
use crate::game::{Canvas, MAX_PLIES, MoveCode, Notation, Reason};
use crate::player::{Color, MAX_PLAYERS, Player};
use crate::refusal::Refusal;
use crate::registry::{AnyPosition, GameKind};
use crate::search::Report;
use crate::setup::Setup;

/// A move in text: five squares of Blokus Classic take 19 characters.
pub type MoveText = String<24>;

/// Why a command does not fit the match as it stands.
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

/// A forced pass that nobody played: the next player moved straight away.
const SKIPPED: MoveCode = MoveCode::new(MoveCode::PASS.get() - 1);

/// A pass of a player who could have moved: contests allow it.
const YIELDED: MoveCode = MoveCode::new(MoveCode::PASS.get() - 2);

/// A match with its moves. Everybody who plays or shows it is lent this one.
#[derive(Debug, Clone)]
pub struct Match {
    setup: Setup,
    start: AnyPosition,
    now: AnyPosition,
    plies: Vec<MoveCode, MAX_PLIES>,
    /// How many of `plies`, the last ones, are taken back.
    undone: usize,
    revision: u32,
    origin: u32,
}

/// Othello at its start.
impl Default for Match {
    fn default() -> Self {
        Self::new(Setup::usual(GameKind::ALL[0]))
    }
}

impl Match {
    /// A match at its start.
    pub fn new(setup: Setup) -> Self {
        let start = AnyPosition::start(setup);
        let (plies, undone, revision, origin) = (Vec::new(), 0, 0, 0);
        Self { setup, now: start.clone(), start, plies, undone, revision, origin }
    }

    /// Begins another match in this place: a whole one more on the stack would be a kilobyte, which
    /// a search below may need.
    #[inline(never)]
    pub fn begin(&mut self, setup: Setup) {
        self.begin_from(setup, &AnyPosition::start(setup));
    }

    fn begin_from(&mut self, setup: Setup, start: &AnyPosition) {
        self.setup = setup;
        self.now.clone_from(start);
        self.start.clone_from(start);
        self.plies.clear();
        self.undone = 0;
        self.changed();
        self.origin = self.revision;
    }

    /// A number that changes whenever the match does: what was found out about a position is of no
    /// use when it has changed.
    pub const fn revision(&self) -> u32 {
        self.revision
    }

    /// The [`revision`](Self::revision) at which it began: another match has another one.
    pub const fn origin(&self) -> u32 {
        self.origin
    }

    /// The game and its options.
    pub const fn setup(&self) -> Setup {
        self.setup
    }

    /// Which game it is.
    pub const fn kind(&self) -> GameKind {
        self.setup.kind()
    }

    /// The position now.
    pub const fn position(&self) -> &AnyPosition {
        &self.now
    }

    /// The position that it began with.
    pub const fn start(&self) -> &AnyPosition {
        &self.start
    }

    /// The position now, whatever the game.
    pub fn now(&self) -> &dyn AnyGame {
        self.now.get()
    }

    /// The players in turn order.
    pub fn colors(&self) -> &'static [Color] {
        self.kind().info().colors
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Player {
        self.now().turn()
    }

    /// Whether the game has ended.
    pub fn is_over(&self) -> bool {
        self.now().is_over()
    }

    /// Whether the player to move can only pass.
    pub fn must_pass(&self) -> bool {
        self.now().must_pass()
    }

    /// A player's points as they stand.
    pub fn score(&self, player: Player) -> i16 {
        self.now().score(player)
    }

    /// How many moves were made, passes included.
    pub fn plies(&self) -> usize {
        self.done().len()
    }

    /// One of the moves so far, counted from 0.
    pub fn ply(&self, index: usize) -> Option<MoveCode> {
        let code = *self.done().get(index)?;
        Some(if matches!(code, SKIPPED | YIELDED) { MoveCode::PASS } else { code })
    }

    /// The last move.
    pub fn last(&self) -> Option<MoveCode> {
        self.ply(self.plies().checked_sub(1)?)
    }

    /// The position after that many of the moves so far.
    #[inline(never)]
    pub fn position_at(&self, plies: usize) -> AnyPosition {
        let mut position = self.start.clone();
        self.done().iter().take(plies).for_each(|ply| replay(position.get_mut(), *ply));
        position
    }

    /// The position in which a player moves next, past those who can't.
    pub fn position_for(&self, player: Player) -> Result<AnyPosition, Refusal> {
        let mut position = self.now.clone();
        skip_to(position.get_mut(), player)?;
        Ok(position)
    }

    fn done(&self) -> &[MoveCode] {
        &self.plies[..self.plies.len().saturating_sub(self.undone)]
    }

    fn push(&mut self, ply: MoveCode) -> Result<(), OutOfTurn> {
        self.plies.truncate(self.done().len());
        self.undone = 0;
        self.plies.push(ply).map_err(|_| OutOfTurn::TooManyPlies)?;
        replay(self.now.get_mut(), ply);
        self.changed();
        Ok(())
    }

    const fn changed(&mut self) {
        self.revision = self.revision.wrapping_add(1);
    }

    /// Plays a move for a player, past the players who can't move. A pass after the end changes
    /// nothing.
    pub fn play(&mut self, player: Player, text: &str) -> Result<(), Refusal> {
        self.play_text(Some(player), text)
    }

    /// Plays the next move of a list, whoever's turn it is. Forced passes may be left out of the
    /// list or stand in it, even after the end.
    pub fn play_next(&mut self, text: &str) -> Result<(), Refusal> {
        self.play_text(None, text)
    }

    fn play_text(&mut self, player: Option<Player>, text: &str) -> Result<(), Refusal> {
        if self.is_over() {
            return after_end(text);
        }
        let mv = self.now().parse_move(text)?;
        self.play_move(player, mv)
    }

    /// Plays a move for a player, past the players who can't move; without a player, for the next
    /// one who can make it.
    pub fn play_move(&mut self, player: Option<Player>, mv: MoveCode) -> Result<(), Refusal> {
        // In place: another position would take a third of a kilobyte of stack.
        let game = self.now.get_mut();
        let is_there = |game: &dyn AnyGame| match player {
            Some(player) => game.turn() == player,
            None => mv == MoveCode::PASS,
        };
        let mut skipped = 0;
        while !is_there(game) && game.must_pass() {
            game.play(MoveCode::PASS);
            skipped += 1;
        }
        let checked = match player {
            Some(player) if game.turn() != player => Err(turn_of(game).into()),
            _ => game.check(mv),
        };
        if skipped > 0 {
            self.restore();
        }
        checked?;
        for _ in 0..skipped {
            self.push(SKIPPED)?;
        }
        Ok(self.push(mv)?)
    }

    /// Finds the position again that the moves so far lead to.
    #[inline(never)]
    fn restore(&mut self) {
        let Self { now, start, plies, undone, .. } = self;
        now.clone_from(start);
        let done = plies.len().saturating_sub(*undone);
        plies.iter().take(done).for_each(|ply| replay(now.get_mut(), *ply));
    }

    /// Passes for a player who could move, as contests allow.
    pub fn yield_turn(&mut self) -> Result<(), Refusal> {
        Ok(self.push(YIELDED)?)
    }

    /// Takes the last move back, and the skipped passes before it. False if there is none.
    pub fn undo(&mut self) -> bool {
        if self.done().is_empty() {
            return false;
        }
        self.undone += 1;
        while self.done().last() == Some(&SKIPPED) {
            self.undone += 1;
        }
        self.restore();
        self.changed();
        true
    }

    /// Plays the move again that was taken back last, and the skipped passes before it. False if
    /// there is none.
    pub fn redo(&mut self) -> bool {
        let mut redone = false;
        while let Some(&ply) = self.plies.get(self.done().len()) {
            self.undone -= 1;
            replay(self.now.get_mut(), ply);
            redone = true;
            if ply != SKIPPED {
                break;
            }
        }
        if redone {
            self.changed();
        }
        redone
    }

    /// Begins again from a position in text; a game without such texts takes the moves that lead to
    /// it. When it is refused the match stays.
    #[inline(never)]
    pub fn set_position(&mut self, text: &str) -> Result<(), Refusal> {
        if self.now().has_text() {
            return self.set_text(text);
        }
        try_moves(self.setup, text)?;
        self.begin(self.setup);
        text.split_ascii_whitespace().try_for_each(|word| self.play_next(word))
    }

    #[inline(never)]
    fn set_text(&mut self, text: &str) -> Result<(), Refusal> {
        let mut start = AnyPosition::start(self.setup);
        start.get_mut().parse_position(text)?;
        self.begin_from(self.setup, &start);
        Ok(())
    }

    /// Writes the position in the form that [`set_position`](Self::set_position) reads.
    pub fn write_position(&self, out: &mut dyn Write) -> fmt::Result {
        if self.now().has_text() {
            self.now().write_position(out)
        } else {
            self.write_moves(Notation::Plain, ' ', out)
        }
    }

    /// Writes one of the moves so far, counted from 0; nothing if there are fewer.
    pub fn write_ply(&self, index: usize, notation: Notation, out: &mut dyn Write) -> fmt::Result {
        self.ply(index).map_or(Ok(()), |mv| self.now().write_move(mv, notation, out))
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

    /// Draws the board with the last move marked.
    pub fn draw(&self, out: &mut dyn Canvas) -> fmt::Result {
        self.now().draw(self.last(), out)
    }

    /// Which person, counted from 0, moves for a colour.
    pub fn seat_of(&self, player: Player) -> usize {
        player.index().checked_rem(self.setup.people()).unwrap_or(0)
    }

    /// The points of each person at the board, in the order of seats.
    pub fn seat_scores(&self) -> Vec<i16, MAX_PLAYERS> {
        let mut scores = Vec::new();
        // Both lengths are at most MAX_PLAYERS.
        let _ = scores.resize(self.setup.people(), 0);
        for player in Player::all(self.colors().len()) {
            if let Some(score) = scores.get_mut(self.seat_of(player)) {
                *score += self.score(player);
            }
        }
        scores
    }

    /// A move as a save has it, in the game's number of bytes, the lowest first.
    pub fn packed_ply(&self, index: usize) -> Option<u64> {
        match *self.done().get(index)? {
            MoveCode::PASS | SKIPPED => Some(PACKED_PASS),
            YIELDED => Some(PACKED_YIELD),
            mv => self.now().pack(mv),
        }
    }

    /// Plays a move of a save. `None` if it makes no sense here, and changes nothing then.
    pub fn play_packed(&mut self, bytes: &[u8]) -> Option<()> {
        if self.is_over() {
            return None;
        }
        let low = bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
        let ones = u64::MAX >> (64 - 8 * bytes.len().clamp(1, 8));
        match low {
            _ if low == PACKED_PASS & ones => self.play_move(None, MoveCode::PASS).ok(),
            _ if low == PACKED_YIELD & ones => self.yield_turn().ok(),
            _ => self.play_move(None, self.now().unpack(low)?).ok(),
        }
    }
}

/// What a save has for a pass, and for one of a player who could have moved.
const PACKED_PASS: u64 = u64::MAX;
const PACKED_YIELD: u64 = u64::MAX - 1;

/// Plays a ply of the list again.
fn replay(game: &mut dyn AnyGame, ply: MoveCode) {
    match ply {
        YIELDED => game.set_turn(game.turn().next(game.colors().len())),
        SKIPPED => game.play(MoveCode::PASS),
        mv => game.play(mv),
    }
}

/// Whether these moves can be played one after the other.
#[inline(never)]
fn try_moves(setup: Setup, text: &str) -> Result<(), Refusal> {
    let mut trial = AnyPosition::start(setup);
    let mut tried = Ok(());
    for (index, word) in text.split_ascii_whitespace().enumerate() {
        tried = try_next(trial.get_mut(), word);
        if let Err(refusal) = &mut tried {
            refusal.tell_move(index + 1);
            break;
        }
    }
    tried
}

/// Plays the next move of a list in a position, as [`Match::play_next`] does in a match.
#[inline(never)]
fn try_next(game: &mut dyn AnyGame, text: &str) -> Result<(), Refusal> {
    if game.is_over() {
        return after_end(text);
    }
    let mv = game.parse_move(text)?;
    while mv != MoveCode::PASS && game.must_pass() {
        game.play(MoveCode::PASS);
    }
    game.check(mv)?;
    game.play(mv);
    Ok(())
}

/// Skips players who can't move until it is `player`'s turn.
fn skip_to(game: &mut dyn AnyGame, player: Player) -> Result<(), OutOfTurn> {
    while game.turn() != player && game.must_pass() {
        game.play(MoveCode::PASS);
    }
    if game.turn() == player { Ok(()) } else { Err(turn_of(game)) }
}

#[inline(always)]
fn turn_of(game: &dyn AnyGame) -> OutOfTurn {
    OutOfTurn::TurnOf(color_name(game.colors(), game.turn()))
}

/// Both sides may go on passing when the game is over.
fn after_end(text: &str) -> Result<(), Refusal> {
    let pass = text.eq_ignore_ascii_case("pass") || text == "0000";
    if pass { Ok(()) } else { Err(OutOfTurn::GameOver.into()) }
}

/// Writes the moves that a player has in a position, or would have in turn, one a line; none if
/// only a pass.
#[inline(never)]
pub fn write_legal(
    position: &mut AnyPosition,
    player: Player,
    notation: Notation,
    out: &mut dyn Write,
) -> fmt::Result {
    position.get_mut().set_turn(player);
    let game = position.get();
    if game.must_pass() {
        return Ok(());
    }
    let mut result = Ok(());
    game.for_each_move(&mut |mv| {
        result = result
            .and_then(|()| game.write_move(mv, notation, out))
            .and_then(|()| out.write_char('\n'));
    });
    result
}

/// What the search says while it thinks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
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
    /// A report in words.
    #[inline(never)]
    pub(crate) fn new(
        game: &dyn AnyGame,
        notation: Notation,
        report: &Report<'_, MoveCode>,
    ) -> Self {
        let Report { depth, score, exact, nodes, percent, .. } = *report;
        let mut progress = Self { depth, score, exact, nodes, percent, line: String::new() };
        for mv in report.line {
            let mut text = MoveText::new();
            if game.write_move(*mv, notation, &mut text).is_err() || !progress.append(&text) {
                break;
            }
        }
        progress
    }

    /// Adds a move to the line; false if it does not fit.
    fn append(&mut self, text: &MoveText) -> bool {
        let separator = if self.line.is_empty() { "" } else { " " };
        let fits = self.line.len() + separator.len() + text.len() <= self.line.capacity();
        fits && self.line.push_str(separator).is_ok() && self.line.push_str(text).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any::random_code;
    use crate::game::Plain;
    use crate::games::blokus::{Seats, classic_setup};
    use crate::mix::Rng;
    use std::string::String;

    fn position(game: &Match) -> String {
        let mut text = String::new();
        game.write_position(&mut text).unwrap();
        text
    }

    fn any(kind: GameKind) -> Match {
        Match::new(Setup::usual(kind))
    }

    /// Plays random moves to the end of a game.
    fn play_out(game: &mut Match, seed: u64) {
        let mut rng = Rng::new(seed);
        while let Some(mv) = random_code(game.now(), &mut rng) {
            game.play_move(Some(game.turn()), mv).unwrap();
        }
        assert!(game.is_over());
    }

    #[test]
    fn every_game_can_be_taken_back_move_by_move() {
        for kind in GameKind::ALL {
            let mut game = any(kind);
            let start = position(&game);
            play_out(&mut game, 5);
            let plies = game.plies();
            for _ in 0..plies {
                assert!(game.undo());
            }
            assert!(!game.undo());
            assert_eq!(position(&game), start, "{kind}");
        }
    }

    #[test]
    fn what_was_taken_back_can_be_played_again() {
        for kind in GameKind::ALL {
            let mut game = any(kind);
            assert!(!game.redo());
            play_out(&mut game, 5);
            let (end, plies) = (position(&game), game.plies());
            while game.undo() {}
            while game.redo() {}
            assert_eq!((position(&game), game.plies()), (end, plies), "{kind}");
        }
        let mut game = any(GameKind::Othello);
        for text in ["d3", "c3"] {
            game.play_next(text).unwrap();
        }
        assert!(game.undo() && game.undo() && game.redo());
        assert_eq!(game.plies(), 1, "one move at a time");
        assert!(game.undo());
        game.play_next("c4").unwrap();
        assert!(!game.redo(), "another move was made since");
    }

    #[test]
    fn every_position_reads_back() {
        for kind in GameKind::ALL {
            let mut game = any(kind);
            play_out(&mut game, 11);
            while game.undo() {
                let text = position(&game);
                let mut again = any(kind);
                again.set_position(&text).unwrap();
                assert_eq!(position(&again), text, "{kind}");
                assert_eq!(again.now().count_moves(), game.now().count_moves());
            }
        }
    }

    #[test]
    fn a_player_who_cannot_move_is_skipped_and_undo_takes_the_skip_back() {
        let mut game = any(GameKind::Othello);
        let mut text = "O".repeat(8);
        text.push_str(&"X".repeat(48));
        text.push_str("-XXXXXX- X");
        game.set_position(&text).unwrap();
        let before = position(&game);
        assert!(game.must_pass(), "black has nothing to enclose");
        game.play(Player::SECOND, "a8").unwrap();
        assert_eq!(game.plies(), 2, "the skipped pass is a ply");
        assert!(game.undo());
        assert_eq!(position(&game), before);
        assert_eq!(game.plies(), 0);
        game.play_next("a8").unwrap();
        assert_eq!(game.plies(), 2, "whoever's turn it is");
        assert!(!any(GameKind::Othello).must_pass());
    }

    #[test]
    fn after_the_end_a_pass_changes_nothing_and_a_move_is_refused() {
        for kind in GameKind::ALL {
            let mut game = any(kind);
            play_out(&mut game, 5);
            let (end, plies, revision) = (position(&game), game.plies(), game.revision());
            for pass in ["pass", "PASS", "0000"] {
                game.play_next(pass).unwrap();
                game.play(Player::FIRST, pass).unwrap();
            }
            let first = game.ply(0).unwrap();
            let mut text = MoveText::new();
            game.now().write_move(first, Notation::Plain, &mut text).unwrap();
            assert_eq!(game.play_next(&text).unwrap_err().long(), "the game is over", "{kind}");
            let unchanged = (position(&game), game.plies(), game.revision());
            assert_eq!(unchanged, (end, plies, revision), "{kind}");
        }
    }

    #[test]
    fn a_list_of_moves_may_go_on_with_passes_after_the_end() {
        let mut game = any(GameKind::BlokusDuo);
        play_out(&mut game, 5);
        let (moves, plies) = (position(&game), game.plies());
        let mut again = any(GameKind::BlokusDuo);
        again.set_position(&std::format!("{moves} pass 0000")).unwrap();
        assert_eq!(position(&again), moves);
        let refusal = again.set_position(&std::format!("{moves} e10")).unwrap_err();
        assert_eq!(refusal.long(), std::format!("move {}: the game is over", plies + 1));
    }

    #[test]
    fn a_save_with_a_move_after_the_end_makes_no_sense() {
        let over = "X".repeat(64) + " O";
        let mut game = any(GameKind::Othello);
        game.set_position(&over).unwrap();
        let [pass, yielded, square] = [PACKED_PASS, PACKED_YIELD, 0].map(|packed| packed as u8);
        for packed in [pass, yielded, square] {
            assert_eq!(game.play_packed(&[packed]), None, "{packed:#x}");
        }
        assert_eq!((game.plies(), position(&game)), (0, over));
    }

    #[test]
    fn a_game_comes_back_from_its_packed_moves() {
        for kind in GameKind::ALL {
            let mut game = any(kind);
            play_out(&mut game, 5);
            let mut again = any(kind);
            for ply in 0..game.plies() {
                let packed = game.packed_ply(ply).unwrap().to_le_bytes();
                assert_eq!(again.play_packed(&packed[..kind.info().packed]), Some(()), "{kind}");
            }
            assert_eq!(
                (position(&again), again.plies()),
                (position(&game), game.plies()),
                "{kind}"
            );
            assert_eq!(game.packed_ply(game.plies()), None, "{kind}");
        }
    }

    #[test]
    fn passes_of_all_kinds_come_back_from_their_packed_moves() {
        let mut game = any(GameKind::BlokusDuo);
        game.play_next("e10").unwrap();
        game.yield_turn().unwrap();
        assert_eq!((game.turn(), game.last()), (Player::FIRST, Some(MoveCode::PASS)));
        let packed = |game: &Match, ply| game.packed_ply(ply).unwrap().to_le_bytes();
        let mut again = any(GameKind::BlokusDuo);
        for ply in 0..2 {
            again.play_packed(&packed(&game, ply)[..GameKind::BlokusDuo.info().packed]).unwrap();
        }
        assert_eq!((again.turn(), again.last()), (Player::FIRST, Some(MoveCode::PASS)));

        let start = ["O".repeat(8).as_str(), &"X".repeat(48), "-XXXXXX- X"].concat();
        let [mut game, mut again] = [any(GameKind::Othello), any(GameKind::Othello)];
        game.set_position(&start).unwrap();
        again.set_position(&start).unwrap();
        game.play(Player::SECOND, "a8").unwrap();
        for ply in 0..2 {
            again.play_packed(&packed(&game, ply)[..1]).unwrap();
        }
        assert_eq!(position(&again), position(&game));
    }

    #[test]
    fn no_move_has_the_number_of_a_pass() {
        assert!(SKIPPED != YIELDED && ![SKIPPED, YIELDED].contains(&MoveCode::PASS));
        for kind in GameKind::ALL {
            for code in [SKIPPED, YIELDED] {
                let mut text = MoveText::new();
                any(kind).now().write_move(code, Notation::Plain, &mut text).unwrap();
                assert_eq!(text, "", "{kind}: {code:?}");
            }
        }
    }

    #[test]
    fn a_change_has_a_revision_and_a_beginning_an_origin() {
        let mut game = any(GameKind::Othello);
        let mut seen = std::vec![game.revision()];
        let mut is_new = |game: &Match| {
            let new = !seen.contains(&game.revision());
            seen.push(game.revision());
            new
        };
        game.play_next("d3").unwrap();
        assert!(is_new(&game));
        assert!(game.undo() && is_new(&game));
        assert!(game.redo() && is_new(&game));
        assert_eq!(game.origin(), 0, "still the same match");
        for _ in 0..2 {
            game.begin(Setup::usual(GameKind::Othello));
            assert!(is_new(&game));
            assert_eq!((game.origin(), game.plies()), (game.revision(), 0));
        }
    }

    #[test]
    fn earlier_positions_and_the_last_move_are_told() {
        let mut game = any(GameKind::Othello);
        assert_eq!(game.last(), None);
        game.play_next("d3").unwrap();
        let after_d3 = position(&game);
        game.play_next("c3").unwrap();
        let mut last = String::new();
        game.write_last(Notation::Plain, &mut last).unwrap();
        assert_eq!(last, "c3");
        let mut text = String::new();
        game.position_at(1).get().write_position(&mut text).unwrap();
        assert_eq!(text, after_d3);
        let refused = game.position_for(Player::SECOND).unwrap_err();
        assert_eq!(refused.long(), "it is black's turn");
    }

    #[test]
    fn the_drawing_marks_the_last_move() {
        let mut game = any(GameKind::Othello);
        game.play_next("d3").unwrap();
        let mut text = String::new();
        game.draw(&mut Plain(&mut text)).unwrap();
        assert_eq!(text.matches("[X]").count(), 1, "{text}");
    }

    #[test]
    fn a_line_takes_whole_moves_as_long_as_they_fit() {
        let line = |text: &str| {
            let line = super::String::new();
            let mut progress =
                Progress { depth: 0, score: 0, exact: false, nodes: 0, percent: 0, line };
            let text = MoveText::try_from(text).unwrap();
            let fitted = (0..64).take_while(|_| progress.append(&text)).count();
            (fitted, progress.line.len())
        };
        assert_eq!(line("abcd"), (13, 64), "to the last character");
        assert_eq!(line("ab"), (21, 62), "two are left, but not for a space and a move");
    }

    #[test]
    fn moves_out_of_turn_are_refused() {
        let mut game = any(GameKind::BlokusClassic);
        let refusal = game.play(Player::THIRD, "t1").unwrap_err();
        assert_eq!(refusal.long(), "it is blue's turn");
        assert_eq!(refusal.short(), "blue's turn");
    }

    #[test]
    fn a_bad_move_in_a_list_is_named_and_the_game_stays() {
        let mut game = any(GameKind::BlokusDuo);
        game.play(Player::FIRST, "e10").unwrap();
        let refusal = game.set_position("e10 j5 f9,g9 j5,k5").unwrap_err();
        assert_eq!(refusal.long(), "move 4: j5 is occupied");
        assert_eq!(position(&game), "e10");
    }

    #[test]
    fn two_people_at_blokus_classic_share_the_points_of_their_colours() {
        let mut game = Match::new(classic_setup(Seats::Two));
        game.set_position("a20 t20,s20 t1 a1").unwrap();
        assert_eq!(game.seat_scores(), [-88 - 88, -87 - 88]);
        assert_eq!(any(GameKind::BlokusClassic).seat_scores(), [-89; 4]);
    }
}

#[cfg(test)]
mod refusals {
    use super::OutOfTurn;
    use crate::engine::Unsolved;
    use crate::game::{Game, ParseMoveError, PositionError, Reason, SHORT};
    use crate::games::adjacency::{self, Adjacency};
    use crate::games::blokus::{self, Duo};
    use crate::games::dots::{self, Dots, Size};
    use crate::games::othello::{self, Othello};
    use crate::refusal::Refusal;
    use crate::square::Square;
    use crate::thinker::NoAnswer;
    use std::string::String;

    /// Every refusal, with the longest names it can hold.
    #[test]
    fn refusals_fit_their_lines() {
        let square = Square::parse("h8").unwrap();
        let cell = blokus::Cell::at(19, 20);
        fn add(reason: impl Reason) {
            let mut short = String::new();
            reason.short(&mut short).unwrap();
            assert!((1..=SHORT).contains(&short.len()), "empty or too long: {short}");
            let long = std::format!("move 220: {reason}");
            assert!(!long.ends_with(' '), "no sentence for {short}");
            let mut refusal = Refusal::from(reason);
            refusal.tell_move(220);
            assert_eq!(refusal.long(), long);
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
        add(NoAnswer::OtherGame);
        add(NoAnswer::Stopped);
        add(NoAnswer::Unsolved(Unsolved::NoSolver));
        add(NoAnswer::Unsolved(Unsolved::Budget));
        add(PositionError::Character(64));
        add(PositionError::Unreachable(square));
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
