//! The board of the game: what is on it, whose turn it is, and the keys that play.
use super::{
    Screen, Ui, clocks, color,
    draft::write_seat,
    history,
    views::{self, Pressed, Shown, view},
    widgets::{Line, wrapped},
};
use crate::{
    app::{Busy, COMFORTS, Device, Thought},
    frame::{CHAR, Frame, Ink, LINE, WIDTH},
    keys::Press,
    table::{Seat, Table},
};
use corvid_core::{
    game::{MoveCode, Notation},
    player::Player,
    registry::AnyPosition,
    session::MoveText,
};
use embassy_time::Instant;

/// Where the column of text right of the board begins, and how many characters it has.
const SIDE: i32 = 67;
const SIDE_COLUMNS: usize = 12;

/// Where the column right of a magnified board begins.
const LENS_END: i32 = 65;

/// Where a player's name begins, and how many characters fit from there.
const NAME: i32 = SIDE + 11;
const NAME_COLUMNS: usize = 10;

/// Height of a player's row.
const PLAYER_ROW: i32 = 9;

/// The same with two players, who have two lines.
const TALL_ROW: i32 = 2 * LINE;

/// Characters of a name beside a clock.
const SHORT_NAME: usize = 3;

/// Where the message begins.
const MESSAGE: i32 = 40;

/// What is added to a colour's points: nothing, or all its squares if those that are placed count.
pub(super) fn head_start(table: &Table) -> i16 {
    if table.settings.placed { views::head_start(table.game().kind()) } else { 0 }
}

/// Writes who plays a colour; `level` is put before the number of one.
fn name_of(table: &Table, player: Player, level: &str) -> Line {
    let mut name = Line::new();
    match table.seat_of(player) {
        Seat::Person if table.person_alone().is_some() => {
            name.add("you");
        }
        Seat::Person => {
            name.add(color(&table.settings, table.game().kind(), player));
        }
        seat => write_seat(seat, level, &mut name),
    }
    name
}

/// Draws a name that doesn't fit one line beside the points, in two. A single long word is in the
/// second line, where no points are.
fn draw_long(frame: &mut Frame, y: i32, name: &str, room: usize) {
    let (first, rest) = name.split_once(' ').unwrap_or(("", name));
    draw_cut(frame, y, first, room);
    draw_cut(frame, y + LINE, rest, NAME_COLUMNS);
}

/// Draws a name; three dots take the place of the last letter that has room if it is too long.
fn draw_cut(frame: &mut Frame, y: i32, name: &str, room: usize) {
    frame.text(NAME, y, name.get(..room).unwrap_or(name));
    if name.len() > room {
        let end = NAME + room as i32 * CHAR;
        frame.fill(end - CHAR, y, CHAR, LINE, Ink::Off);
        (0..3).for_each(|dot| frame.dot(end - CHAR + 2 * dot, y + 6, Ink::On));
    }
}

/// Draws the players with their points in a position, and whose turn it is now.
fn draw_players(frame: &mut Frame, table: &Table, position: &AnyPosition, live: bool) {
    let game = position.get();
    let players = game.colors().len();
    let over = table.is_over();
    let timed = live && table.clock().is_on();
    // Two players have room for clocks, or long names, in a second line.
    let two = players == 2;
    for (row, player) in (0..).zip(Player::all(players)) {
        let y = row * if two { TALL_ROW } else { PLAYER_ROW };
        view(position.kind()).mark(frame, player, SIDE + 3, y + 1);
        let mut points = Line::new();
        points.number((game.score(player) + head_start(table)).into());
        let points = points.as_str();
        let room = (NAME_COLUMNS - 1).saturating_sub(points.len());
        let name = name_of(table, player, if timed && !two { "lv" } else { "lev " });
        let name = name.as_str();
        if timed && !two {
            clocks::draw_small(frame, table, player, WIDTH as i32 - 3 * CHAR - 1, y);
            frame.text(NAME, y, name.get(..SHORT_NAME).unwrap_or(name));
        } else if two && !timed && name.len() > room {
            draw_long(frame, y, name, room);
        } else {
            draw_cut(frame, y, name, room);
        }
        if timed && two {
            clocks::draw(frame, table, player, NAME, y + LINE);
        }
        frame.text(WIDTH as i32 - points.len() as i32 * CHAR, y, points);
        if live && !over && game.turn() == player {
            // An arrow points at the one to move.
            for column in 0..3 {
                frame.fill(SIDE - 1 + column, y + 1 + column, 1, 5 - 2 * column, Ink::On);
            }
        }
    }
}

/// Draws the progress of the search.
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
    frame.text(SIDE, MESSAGE - 4, line.as_str());
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
    frame.text(SIDE, MESSAGE + 4, line.as_str());
    let room = u64::from(seconds.max(1)) * 10;
    let elapsed = Instant::now().saturating_duration_since(thought.begun).as_millis() / room;
    let percent = i32::from(thought.percent).max(elapsed.min(100) as i32);
    let width = WIDTH as i32 - SIDE;
    frame.outline(SIDE, MESSAGE + 12, width, 4, Ink::On);
    frame.fill(SIDE, MESSAGE + 13, width * percent / 100, 2, Ink::On);
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
        let position = table.game().position();
        let view = view(position.kind());
        let still = !self.animation.advance();
        let shown = Shown {
            last: table.game().last(),
            marks: table.settings.marks && person && still,
            hand: (person && still).then_some(self.hand),
        };
        let magnified = table.settings.magnified || !COMFORTS;
        if magnified && view.magnify(frame, position, shown) {
            if table.clock().is_on() {
                let right = LENS_END + clocks::SMALL_WIDTH;
                clocks::draw_small(frame, table, position.get().turn(), right, 0);
            }
        } else {
            view.draw(frame, position, shown);
            self.animate(frame, table);
            draw_players(frame, table, position, true);
        }
        if !self.message.is_empty() {
            return draw_message(frame, MESSAGE, &self.message);
        }
        match busy {
            Busy::Idle => {}
            Busy::Thinking(thought) => {
                return draw_thought(frame, thought, table.settings.seconds);
            }
            Busy::Serial => {
                return draw_message(frame, MESSAGE, "serial port\nsel: stop");
            }
        }
        if table.is_over() {
            let text = if table.is_lost_on_time() {
                "time is up\nselect shows the result"
            } else {
                "game over\nselect shows the result"
            };
            return draw_message(frame, MESSAGE, text);
        }
        if !person && !table.is_running() {
            return draw_message(frame, MESSAGE, "paused:\nselect goes on");
        }
        let (mut status, mut help) = (Line::new(), Line::new());
        view.status(position, &mut status);
        frame.text(SIDE, MESSAGE - LINE, status.as_str());
        if person {
            view.help(position, self.hand, &mut help);
        }
        if !help.as_str().is_empty() {
            return draw_message(frame, MESSAGE, help.as_str());
        }
        if person && let Some(mv) = view.pointed(position, self.hand) {
            // Messages name squares, and boards have no coordinates beside them.
            let mut at = Line::new();
            at.add("at ");
            let _ = position.get().write_move(mv, Notation::Plain, &mut at);
            frame.text(SIDE, MESSAGE, at.as_str());
        }
        if let Some(mv) = table.game().last() {
            let mut text = Line::new();
            view.write_short(position, mv, &mut text);
            frame.text(SIDE, MESSAGE + LINE, "last");
            frame.text(SIDE, MESSAGE + 2 * LINE, text.as_str());
        }
    }

    /// Draws the board after the selected number of moves.
    pub(super) fn draw_review(&mut self, frame: &mut Frame, table: &Table) {
        let plies = table.game().plies();
        self.at = self.at.min(plies);
        let position = table.game().position_at(self.at);
        let last = self.at.checked_sub(1);
        let mv = last.and_then(|index| table.game().ply(index));
        view(position.kind()).draw(frame, &position, Shown { last: mv, ..Shown::default() });
        draw_players(frame, table, &position, false);
        let mut line = Line::new();
        line.number(self.at as i32).add("/").number(plies as i32);
        frame.text(SIDE, MESSAGE, line.as_str());
        if let Some(last) = last {
            let (mut text, mut gained) = (Line::new(), Line::new());
            history::describe(table, last, &mut text, &mut gained);
            frame.text(SIDE, MESSAGE + LINE, text.as_str());
            frame.text(SIDE, MESSAGE + 2 * LINE, gained.as_str());
        }
    }

    pub(super) fn press_board(&mut self, press: Press, device: &Device, table: &mut Table) {
        let told = self.sticky;
        self.clear_message();
        if press == Press::Menu {
            return self.open(Screen::Pause);
        }
        let select = press == Press::Select;
        if told && select {
            // It meant: seen.
            return;
        }
        if table.is_thinking() {
            if select {
                table.hurry();
            }
            return;
        }
        if table.is_over() {
            if select {
                self.open(Screen::End);
            }
            return;
        }
        if !table.is_persons_turn() {
            if select && table.play_ready(true) {
                device.announce();
            } else if select && table.is_running() {
                // Its turn has come, and it is about to begin.
                table.hurry_next();
            } else if select {
                table.set_running(true);
                device.work.signal(());
            } else if table.person_alone().is_some() {
                // The cursor may go ahead while the reply is held back.
                let position = table.game().position();
                let pressed = view(position.kind()).press(position, self.hand, press);
                if let Pressed::Moved(hand) = pressed {
                    self.hand = hand;
                }
            }
            return;
        }
        let position = table.game().position();
        match view(position.kind()).press(position, self.hand, press) {
            Pressed::Moved(hand) => self.hand = hand,
            Pressed::Play => self.play(device, table),
            Pressed::Tray => self.open_tray(table),
        }
    }

    /// Plays the move under the cursor, or says why it is illegal.
    fn play(&mut self, device: &Device, table: &mut Table) {
        if !self.may_change(table) {
            return;
        }
        let position = table.game().position();
        let Some(mv) = view(position.kind()).pointed(position, self.hand) else { return };
        match table.play(mv) {
            Ok(()) => {
                // A player who moves expects the others to answer.
                table.set_running(true);
                self.notice(table);
                device.work.signal(());
            }
            Err(refusal) => {
                self.refuse(refusal.short());
                if COMFORTS {
                    // It may have been too late.
                    device.work.signal(());
                }
            }
        }
    }

    /// Moves the hand to a hint.
    pub(super) fn show_hint(&mut self, mv: MoveCode, table: &Table) {
        let position = table.game().position();
        if let Some(hand) = view(position.kind()).show(position, mv) {
            self.unhinted = self.unhinted.or(Some(self.hand));
            self.hand = hand;
        }
        if self.screen == Screen::Board {
            self.say("hint");
            if self.hand.piece.is_none() {
                let mut text = MoveText::new();
                let _ = position.get().write_move(mv, Notation::Plain, &mut text);
                let _ = self.message.push_str(": ");
                let _ = self.message.push_str(&text);
            }
        }
    }
}
