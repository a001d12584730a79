//! The board of the game: what is on it, whose turn it is, and the keys that play.
use super::{
    Screen, Ui,
    blokus::{self, Ghost},
    dots,
    draft::write_seat,
    glyphs::mark,
    squares::{self, View},
    widgets::{Line, wrapped},
};
use crate::{
    app::{Busy, Device, Thought},
    frame::{CHAR, Frame, Ink, LINE, WIDTH},
    keys::Press,
    table::{Seat, Table},
};
use core::{fmt::Write, sync::atomic::Ordering};
use corvid_core::{
    game::{Game, Notation},
    games::{
        blokus::{Move as BlokusMove, Placement},
        othello::Move as OthelloMove,
    },
    player::Player,
    session::{AnyGame, Match, MoveText},
    square::Square,
};
use embassy_time::Instant;

/// Where the column of text right of the board begins, and how many characters it has.
const SIDE: i32 = 67;
const SIDE_COLUMNS: usize = 12;

/// Height of a player's row.
const PLAYER_ROW: i32 = 9;

/// Where the message begins.
const MESSAGE: i32 = 40;

/// The position after `plies` moves (`None`: now) and the move that led to it.
fn at<G: Game, const N: usize>(game: &Match<G, N>, plies: Option<usize>) -> (G, Option<G::Move>) {
    match plies {
        Some(plies) => {
            let last = plies.checked_sub(1).and_then(|index| game.moves().nth(index));
            (game.position_at(plies), last)
        }
        None => (game.position().clone(), game.moves().next_back()),
    }
}

/// What a person can point at.
#[derive(Debug, Clone, Copy, Default)]
struct Pointing {
    marks: bool,
    cursor: Option<(u8, u8)>,
    ghost: Option<Ghost>,
}

/// Draws the board of any game, now or after so many moves.
fn draw_any(frame: &mut Frame, table: &Table, plies: Option<usize>, pointing: Pointing) {
    let Pointing { marks, cursor, ghost } = pointing;
    let kind = table.game().setup().kind();
    let both = [Player::FIRST, Player::SECOND];
    match table.game().game() {
        AnyGame::Othello(game) => {
            let (game, last) = at(game, plies);
            let last = last.and_then(|mv| match mv {
                OthelloMove::Disc(square) => Some(square),
                OthelloMove::Pass => None,
            });
            let legal = if marks { game.targets() } else { 0 };
            let taken = both.map(|player| game.discs(player));
            squares::draw(frame, &View { kind, taken, legal, last }, cursor);
        }
        AnyGame::Adjacency(game) => {
            let (game, last) = at(game, plies);
            let legal = if marks { game.empty() } else { 0 };
            let taken = both.map(|player| game.marks(player));
            squares::draw(frame, &View { kind, taken, legal, last }, cursor);
        }
        AnyGame::Dots(game) => {
            let (game, last) = at(game, plies);
            dots::draw(frame, &game, last, marks, cursor);
        }
        AnyGame::Duo(game) => {
            let (game, last) = at(game, plies);
            draw_blokus(frame, &game, last, pointing, ghost);
        }
        AnyGame::Classic(game) => {
            let (game, last) = at(game, plies);
            draw_blokus(frame, &game, last, pointing, ghost);
        }
    }
}

fn draw_blokus(
    frame: &mut Frame,
    game: &dyn blokus::Position,
    last: Option<BlokusMove>,
    pointing: Pointing,
    ghost: Option<Ghost>,
) {
    let placement = ghost.zip(pointing.cursor).map(|(ghost, cursor)| {
        let placement = ghost.placement(cursor, game.side());
        (placement, game.check(placement).is_ok())
    });
    blokus::draw(frame, game, last, pointing.marks, placement);
}

/// Draws the players with their points, and whose turn it is.
fn draw_players(frame: &mut Frame, table: &Table, plies: Option<usize>) {
    let session = table.game().session();
    let kind = table.game().setup().kind();
    let colors = session.colors();
    let seats = &table.seats()[..table.game().setup().seats()];
    let alone = seats.iter().filter(|seat| **seat == Seat::Person).count() == 1;
    let over = table.is_over();
    for (row, player) in (0..).zip(Player::all(colors.len())) {
        let y = row * PLAYER_ROW;
        mark(frame, kind, player, SIDE + 3, y + 1);
        let mut name = Line::new();
        match table.seat_of(player) {
            Seat::Person if alone => {
                name.add("you");
            }
            Seat::Person => {
                name.add(colors[player.index()].name);
            }
            seat => write_seat(seat, "lev ", &mut name),
        }
        let name = name.as_str();
        let mut points = Line::new();
        points.number(super::history::score_at(table, plies, player).into());
        let points = points.as_str();
        let room = 9usize.saturating_sub(points.len());
        frame.text(SIDE + 11, y, name.get(..name.len().min(room)).unwrap_or(name));
        frame.text(WIDTH as i32 - points.len() as i32 * CHAR, y, points);
        if plies.is_none() && !over && session.turn() == player {
            // An arrow points at the one to move.
            for column in 0..3 {
                frame.fill(SIDE - 1 + column, y + 1 + column, 1, 5 - 2 * column, Ink::On);
            }
        }
    }
}

/// Draws how far the thinking has come.
fn draw_thought(frame: &mut Frame, thought: Thought, seconds: u8) {
    let mut line = Line::new();
    if thought.depth == 0 {
        line.add("thinking");
    } else {
        line.add("d").number(thought.depth.into()).add(" ");
        let score = i32::from(thought.score);
        if thought.exact {
            line.signed(score);
        } else {
            line.add(if score < 0 { "-" } else { "+" });
            let (whole, tenths) = (score.abs() / 100, score.abs() / 10 % 10);
            line.number(whole).add(".").number(tenths);
        }
    }
    frame.text(SIDE, MESSAGE - 3, line.as_str());
    let mut line = Line::new();
    let nodes = thought.nodes as i32;
    match nodes {
        0 => {}
        1..10_000 => {
            line.number(nodes).add(" nodes");
        }
        10_000..10_000_000 => {
            line.number(nodes / 1000).add("k nodes");
        }
        _ => {
            line.number(nodes / 1_000_000).add("M nodes");
        }
    }
    frame.text(SIDE, MESSAGE + 5, line.as_str());
    let room = u64::from(seconds) * 10;
    let elapsed = Instant::now().saturating_duration_since(thought.begun).as_millis() / room;
    let percent = i32::from(thought.percent).max(elapsed.min(100) as i32);
    let width = WIDTH as i32 - SIDE;
    frame.outline(SIDE, MESSAGE + 13, width, 4, Ink::On);
    frame.fill(SIDE, MESSAGE + 14, width * percent / 100, 2, Ink::On);
    frame.text(SIDE, MESSAGE + 17, "sel: now");
}

/// Draws a text in the column, over as many lines as it takes.
fn draw_message(frame: &mut Frame, y: i32, text: &str) {
    for (row, line) in (0..).zip(wrapped(text, SIDE_COLUMNS)) {
        frame.text(SIDE, y + row * LINE, line);
    }
}

impl Ui {
    pub(super) fn draw_board(&mut self, frame: &mut Frame, busy: Busy, table: &Table) {
        let person = table.is_persons_turn();
        let pointing = Pointing {
            marks: table.settings.marks && person,
            cursor: person.then_some(self.cursor),
            ghost: self.ghost,
        };
        draw_any(frame, table, None, pointing);
        draw_players(frame, table, None);
        if let (Busy::Thinking(thought), true) = (busy, self.message.is_empty()) {
            return draw_thought(frame, thought, table.settings.seconds);
        }
        if !self.message.is_empty() {
            return draw_message(frame, MESSAGE, &self.message);
        }
        if table.is_over() {
            return draw_message(frame, MESSAGE, "game over\nselect shows the result");
        }
        if !person && !table.is_running() {
            return draw_message(frame, MESSAGE, "stopped:\nselect goes on");
        }
        if let (Some(ghost), Some(game)) = (self.ghost, blokus::position(table.game())) {
            let placement = ghost.placement(self.cursor, game.side());
            return match game.check(placement) {
                Err(refusal) if !ghost.turning => draw_message(frame, MESSAGE, refusal.short()),
                _ if ghost.turning => {
                    draw_message(frame, MESSAGE, "<turn flip>\n^tray v move\nsel: place");
                }
                _ => draw_message(frame, MESSAGE, "fits\nsel: turn or place"),
            };
        }
        let mut line = Line::new();
        if let AnyGame::Adjacency(game) = table.game().game() {
            line.add("rounds ").number(game.position().rounds_left().into());
            frame.text(SIDE, MESSAGE - 2 * LINE, line.as_str());
        }
        if blokus::position(table.game()).is_some() && person {
            return draw_message(frame, MESSAGE, "select a piece");
        }
        let mut text = MoveText::new();
        let _ = table.game().session().write_last(Notation::Plain, &mut text);
        if !text.is_empty() {
            frame.text(SIDE, MESSAGE + LINE, "last");
            frame.text(SIDE, MESSAGE + 2 * LINE, &text);
        }
    }

    /// Draws the board after so many moves.
    pub(super) fn draw_review(&mut self, frame: &mut Frame, table: &Table) {
        let plies = table.game().session().plies();
        self.at = self.at.min(plies);
        draw_any(frame, table, Some(self.at), Pointing::default());
        draw_players(frame, table, Some(self.at));
        let mut line = Line::new();
        line.number(self.at as i32).add("/").number(plies as i32);
        frame.text(SIDE, MESSAGE, line.as_str());
        if let Some(last) = self.at.checked_sub(1) {
            let (mut text, mut gained) = (Line::new(), Line::new());
            super::history::describe(table, last, &mut text, &mut gained);
            frame.text(SIDE, MESSAGE + LINE, text.as_str());
            frame.text(SIDE, MESSAGE + 2 * LINE, gained.as_str());
        }
    }

    pub(super) fn press_board(&mut self, press: Press, device: &Device, table: &mut Table) {
        self.message.clear();
        if press == Press::Menu {
            return self.open(Screen::Pause);
        }
        let select = press == Press::Select;
        if table.is_over() {
            if select {
                self.open(Screen::End);
            }
            return;
        }
        if matches!(device.busy(), Busy::Thinking(_)) {
            if select {
                device.stop.store(true, Ordering::Relaxed);
            }
            return;
        }
        if !table.is_persons_turn() {
            if select {
                table.set_running(true);
                device.work.signal(());
            }
            return;
        }
        if blokus::position(table.game()).is_some() {
            match self.ghost {
                None => self.open_tray(table),
                Some(ghost) => {
                    if self.press_ghost(press, ghost, table) {
                        self.play(device, table);
                    }
                }
            }
        } else if select {
            self.play(device, table);
        } else {
            self.move_cursor(press, table);
        }
    }

    /// Plays the move under the cursor, or says why that is not possible.
    fn play(&mut self, device: &Device, table: &mut Table) {
        if !self.may_change(device) {
            return;
        }
        let text = self.pointed(table);
        match table.play(&text) {
            Ok(()) => {
                // Whoever plays wants the others to answer.
                table.set_running(true);
                self.notice(table);
                Self::changed(device);
            }
            Err(refusal) => self.say(refusal.short()),
        }
    }

    /// The move under the cursor.
    fn pointed(&self, table: &Table) -> MoveText {
        let mut text = MoveText::new();
        let (x, y) = self.cursor;
        // A move always fits: see the capacity of `MoveText`.
        let _ = match table.game().game() {
            AnyGame::Othello(_) | AnyGame::Adjacency(_) => {
                Square::at(x, y).map_or(Ok(()), |square| write!(text, "{square}"))
            }
            AnyGame::Dots(game) => dots::line_at(game.position().size(), self.cursor)
                .map_or(Ok(()), |line| game.position().write_move(line, &mut text)),
            AnyGame::Duo(_) | AnyGame::Classic(_) => {
                if let (Some(game), Some(ghost)) = (blokus::position(table.game()), self.ghost) {
                    text = game.write(ghost.placement(self.cursor, game.side()));
                }
                Ok(())
            }
        };
        text
    }

    fn move_cursor(&mut self, press: Press, table: &Table) {
        if let AnyGame::Dots(game) = table.game().game() {
            self.cursor = dots::moved(game.position().size(), self.cursor, press);
            return;
        }
        let side = blokus::position(table.game()).map_or(8, blokus::Position::side);
        let (x, y) = self.cursor;
        self.cursor = match press {
            Press::Left => (x.checked_sub(1).unwrap_or(side - 1), y),
            Press::Right => ((x + 1) % side, y),
            Press::Up => (x, y.checked_sub(1).unwrap_or(side - 1)),
            Press::Down => (x, (y + 1) % side),
            Press::Select | Press::Menu => (x, y),
        };
    }

    /// Moves the cursor back onto the board of another game.
    pub(super) fn fit_cursor(&mut self, table: &Table) {
        let (x, y) = self.cursor;
        if let AnyGame::Dots(game) = table.game().game() {
            if dots::line_at(game.position().size(), self.cursor).is_none() {
                self.cursor = (1, 0);
            }
        } else {
            let side = blokus::position(table.game()).map_or(8, blokus::Position::side);
            self.cursor = (x.min(side - 1), y.min(side - 1));
        }
    }

    /// Moves the cursor to a hint.
    pub(super) fn show_hint(&mut self, text: &MoveText, table: &Table) {
        match table.game().game() {
            AnyGame::Othello(_) | AnyGame::Adjacency(_) => {
                if let Some(square) = Square::parse(text) {
                    self.cursor = (square.index() % 8, square.index() / 8);
                }
            }
            AnyGame::Dots(game) => {
                if let Ok(line) = game.position().parse_move(text) {
                    self.cursor = dots::cursor_on(game.position().size(), line);
                }
            }
            AnyGame::Duo(game) => self.hold(game.position().parse_move(text).ok()),
            AnyGame::Classic(game) => self.hold(game.position().parse_move(text).ok()),
        }
        if self.screen == Screen::Board {
            self.say("hint");
            if self.ghost.is_none() {
                let _ = write!(self.message, ": {text}");
            }
        }
    }

    /// Takes a piece in hand as a move has it.
    fn hold(&mut self, mv: Option<BlokusMove>) {
        if let Some(BlokusMove::Place(Placement { orientation, x, y })) = mv {
            self.ghost = Some(Ghost { orientation, turning: true });
            self.cursor = (x, y);
        }
    }
}
