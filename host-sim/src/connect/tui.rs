//! `corvid connect` in a terminal: the board, the moves, and a cursor.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use corvid_core::game::Canvas;
use corvid_core::gtp::write_standing;
use corvid_core::player::Player;
use corvid_core::session::Match;
use corvid_core::text::Places;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, Paragraph};
use ratatui::{DefaultTerminal, Frame};

use super::table::{self, Options, Order, Update, moves};
use crate::failure::Failure;

/// The polling interval for events.
const LOOK: Duration = Duration::from_millis(50);

const HELP: &str = "arrows and Enter: move   space: mark   or type a move, undo, hint, level N, \
                    new GAME   Ctrl-C: end";

/// Plays until the person quits.
pub(super) fn run(options: Options) -> Result<(), Failure> {
    let (orders, received) = channel();
    let (tell, updates) = channel();
    let worker = thread::spawn(move || {
        table::run(options, &received, |update| {
            // When the receiver is gone, the orders end too.
            let _ = tell.send(update);
        })
    });
    let mut view = View::new();
    let mut terminal = ratatui::try_init()?;
    let watched = watch(&mut terminal, &mut view, &orders, &updates, || worker.is_finished());
    ratatui::try_restore()?;
    watched?;
    drop(orders);
    if !worker.is_finished() {
        // It may wait for the board's answer, which is no longer needed.
        return Ok(());
    }
    worker.join().unwrap_or(Ok(()))
}

/// Shows events and handles keys until the person quits or the worker ends.
fn watch(
    terminal: &mut DefaultTerminal,
    view: &mut View,
    orders: &Sender<Order>,
    updates: &Receiver<Update>,
    ended: impl Fn() -> bool,
) -> io::Result<()> {
    let mut changed = true;
    while !ended() {
        for update in updates.try_iter() {
            view.update(update);
            changed = true;
        }
        if std::mem::take(&mut changed) {
            terminal.draw(|frame| view.draw(frame))?;
        }
        if !event::poll(LOOK)? {
            continue;
        }
        changed = true;
        if let Event::Key(key) = event::read()?
            && key.kind != KeyEventKind::Release
            && !view.key(key, orders)
        {
            break;
        }
    }
    Ok(())
}

/// What is on the screen.
struct View {
    game: Option<Box<Match>>,
    own: Vec<Player>,
    status: String,
    note: String,
    input: String,
    /// Column and row from the upper left; dots in Dots and Boxes, squares elsewhere.
    cursor: (u8, u8),
    marks: Vec<(u8, u8)>,
}

impl View {
    fn new() -> Self {
        Self {
            game: None,
            own: Vec::new(),
            status: "looking for the board".into(),
            note: String::new(),
            input: String::new(),
            cursor: (3, 3),
            marks: Vec::new(),
        }
    }

    fn update(&mut self, update: Update) {
        match update {
            Update::Connected(name) => self.status = format!("connected to {name}"),
            Update::Lost(why) => self.status = format!("lost the board ({why}): plug it in again"),
            Update::Moved(text) => self.note = text,
            Update::Thinking(text) | Update::Note(text) => self.note = text,
            Update::Game(game, own) => {
                let Places { columns, rows, .. } = places(&game);
                self.cursor = (self.cursor.0.min(columns - 1), self.cursor.1.min(rows - 1));
                self.marks.clear();
                (self.game, self.own) = (Some(game), own);
            }
        }
    }

    /// Handles a key; false to quit.
    fn key(&mut self, key: KeyEvent, orders: &Sender<Order>) -> bool {
        let places = self.game.as_deref().map(places);
        let (columns, rows) = places.map_or((1, 1), |places| (places.columns, places.rows));
        let (x, y) = self.cursor;
        match key.code {
            KeyCode::Char('c' | 'd') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                return false;
            }
            KeyCode::Left => self.cursor.0 = x.saturating_sub(1),
            KeyCode::Right => self.cursor.0 = (x + 1).min(columns - 1),
            KeyCode::Up => self.cursor.1 = y.saturating_sub(1),
            KeyCode::Down => self.cursor.1 = (y + 1).min(rows - 1),
            KeyCode::Char(' ') if self.input.is_empty() => {
                match self.marks.iter().position(|mark| *mark == self.cursor) {
                    Some(at) => drop(self.marks.remove(at)),
                    None => self.marks.push(self.cursor),
                }
            }
            KeyCode::Char(letter) => self.input.push(letter),
            KeyCode::Backspace => drop(self.input.pop()),
            KeyCode::Esc => {
                self.input.clear();
                self.marks.clear();
            }
            KeyCode::Enter => return self.enter(orders),
            _ => {}
        }
        true
    }

    fn enter(&mut self, orders: &Sender<Order>) -> bool {
        let typed = std::mem::take(&mut self.input);
        if matches!(typed.trim(), "quit" | "exit") {
            return false;
        }
        let order = match (typed.trim().is_empty(), &self.game) {
            (false, _) => Order::read(&typed),
            (true, Some(game)) => Ok(Order::Play(self.move_at_cursor(game))),
            (true, None) => return true,
        };
        match order {
            // A worker that has ended is noticed elsewhere.
            Ok(order) => drop(orders.send(order)),
            Err(why) => self.note = why,
        }
        true
    }

    /// The move that the cursor and the marks show.
    fn move_at_cursor(&self, game: &Match) -> String {
        let mut cells = self.marks.clone();
        let joins = cells.is_empty() || places(game).with_cursor;
        if joins && !cells.contains(&self.cursor) {
            cells.push(self.cursor);
        }
        let mut text = String::new();
        // Writing to a String never fails.
        let _ = game.position().text().write_pointed(&cells, &mut text);
        text
    }

    fn draw(&self, frame: &mut Frame) {
        let rows = Layout::vertical([
            Constraint::Length(1),
            Constraint::Min(10),
            Constraint::Length(1),
            Constraint::Length(1),
            Constraint::Length(1),
        ]);
        let [top, middle, note, input, help] = rows.areas(frame.area());
        let columns = Layout::horizontal([Constraint::Min(46), Constraint::Length(30)]);
        let [board, list] = columns.areas(middle);
        frame.render_widget(Paragraph::new(self.status.as_str()), top);
        frame.render_widget(
            Paragraph::new(self.board()).block(Block::bordered().title(self.title())),
            board,
        );
        let lines = usize::from(list.height.saturating_sub(2));
        frame.render_widget(
            Paragraph::new(self.list(lines)).block(Block::bordered().title("moves")),
            list,
        );
        frame.render_widget(Paragraph::new(self.note.as_str()), note);
        frame.render_widget(Paragraph::new(format!("> {}_", self.input)), input);
        let dim = Style::new().add_modifier(Modifier::DIM);
        frame.render_widget(Paragraph::new(HELP).style(dim), help);
    }

    fn title(&self) -> String {
        let Some(game) = &self.game else { return "no game".into() };
        let colors = game.colors();
        let own: Vec<_> = self.own.iter().map(|player| colors[player.index()].name).collect();
        format!("{}: you are {}", game.kind().title(), own.join(" and "))
    }

    /// The board as text with the cursor and the marks on it.
    fn board(&self) -> Text<'static> {
        let Some(game) = &self.game else { return Text::default() };
        let mut drawn = Drawn::default();
        // Writing never fails.
        let _ = game.draw(&mut drawn);
        let _ = write_standing(game.now(), &mut drawn);
        let places = places(game);
        let marks: Vec<_> = self.marks.iter().map(|cell| places.at(*cell)).collect();
        let cursor = places.at(self.cursor);
        let lines = drawn.lines.iter().enumerate().map(|(row, line)| {
            let spans = line.iter().enumerate().map(|(column, &(mark, owner))| {
                let mut style = Style::new();
                if let Some(player) = owner {
                    style = style.fg(shade(game.colors()[player.index()].name, player));
                }
                if marks.contains(&(column, row)) {
                    style = style.add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
                }
                if cursor == (column, row) {
                    style = style.add_modifier(Modifier::REVERSED);
                }
                Span::styled(mark.to_string(), style)
            });
            Line::from(spans.collect::<Vec<_>>())
        });
        Text::from(lines.collect::<Vec<_>>())
    }

    /// The last moves, as many as there is room for.
    fn list(&self, lines: usize) -> String {
        let Some(game) = &self.game else { return String::new() };
        let all = moves(game);
        let skipped = all.len().saturating_sub(lines);
        let numbered = all.iter().enumerate().skip(skipped);
        numbered.map(|(index, text)| format!("{:>3} {text}\n", index + 1)).collect()
    }
}

/// Where the cursor can be.
fn places(game: &Match) -> Places {
    game.position().text().places()
}

/// A board in characters, each with its owner.
#[derive(Default)]
struct Drawn {
    lines: Vec<Vec<(char, Option<Player>)>>,
}

impl Drawn {
    fn push(&mut self, letter: char, owner: Option<Player>) {
        if self.lines.is_empty() || letter == '\n' {
            self.lines.push(Vec::new());
        }
        if let (Some(line), true) = (self.lines.last_mut(), letter != '\n') {
            line.push((letter, owner));
        }
    }
}

impl std::fmt::Write for Drawn {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        text.chars().for_each(|letter| self.push(letter, None));
        Ok(())
    }
}

impl Canvas for Drawn {
    fn mark(&mut self, player: Player, mark: char) -> std::fmt::Result {
        self.push(mark, Some(player));
        Ok(())
    }
}

/// A player's colour on the terminal.
fn shade(name: &str, player: Player) -> Color {
    match name {
        "blue" => Color::Blue,
        "yellow" => Color::Yellow,
        "green" => Color::Green,
        "red" => Color::Red,
        _ if player == Player::FIRST => Color::Cyan,
        _ => Color::Magenta,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use corvid_core::registry::GameKind;
    use corvid_core::setup::Setup;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    fn view(kind: GameKind, played: &[&str]) -> View {
        let mut game = Match::new(Setup::usual(kind));
        played.iter().for_each(|text| game.play_next(text).unwrap());
        let mut view = View::new();
        view.update(Update::Connected("serial:test".into()));
        view.update(Update::Game(Box::new(game), vec![Player::FIRST]));
        view
    }

    fn press(view: &mut View, keys: &[KeyCode]) -> Vec<Order> {
        let (sender, orders) = channel();
        keys.iter().for_each(|key| assert!(view.key((*key).into(), &sender)));
        orders.try_iter().collect()
    }

    fn screen(view: &View) -> String {
        let mut terminal = Terminal::new(TestBackend::new(90, 30)).unwrap();
        terminal.draw(|frame| view.draw(frame)).unwrap();
        terminal.backend().to_string()
    }

    #[test]
    fn the_board_and_the_moves_are_shown() {
        let screen = screen(&view(GameKind::Othello, &["d3", "c3"]));
        for part in
            ["connected to serial:test", "Othello: you are black", "  1 d3", "  2 c3", "[O]"]
        {
            assert!(screen.contains(part), "'{part}' is missing in\n{screen}");
        }
    }

    #[test]
    fn the_cursor_makes_moves_in_every_game() {
        use KeyCode::{Char, Down, Enter, Left, Right, Up};
        let mark = Char(' ');
        let played = |text: &str| vec![Order::Play(text.into())];
        let mut othello = view(GameKind::Othello, &[]);
        assert_eq!(press(&mut othello, &[Up, Enter]), played("d3"));
        let mut dots = view(GameKind::Dots, &[]);
        assert_eq!(press(&mut dots, &[mark, Left, Enter]), played("3,2-3,3"));
        let mut duo = view(GameKind::BlokusDuo, &[]);
        let keys = [Right, Down, mark, Up, mark, Right, mark, mark, Enter];
        assert_eq!(press(&mut duo, &keys), played("e10,e11"));
        let mut classic = view(GameKind::BlokusClassic, &[]);
        let home = [[Left; 9], [Up; 9]].concat();
        assert!(press(&mut classic, &home).is_empty());
        assert_eq!(press(&mut classic, &[Enter]), played("a20"));
    }

    #[test]
    fn the_cursor_stands_on_its_square() {
        for kind in GameKind::ALL {
            let view = view(kind, &[]);
            let text = view.board();
            let game = Match::new(Setup::usual(kind));
            let (column, row) = places(&game).at(view.cursor);
            let cell = &text.lines[row].spans[column];
            assert!(cell.style.add_modifier.contains(Modifier::REVERSED), "{kind}");
            assert!(!cell.content.trim().is_empty(), "{kind}: beside the square");
        }
    }

    #[test]
    fn commands_are_typed_and_mistakes_told() {
        let mut view = view(GameKind::Othello, &[]);
        let typed = |text: &str| -> Vec<KeyCode> {
            text.chars().map(KeyCode::Char).chain([KeyCode::Enter]).collect()
        };
        assert_eq!(press(&mut view, &typed("f5")), [Order::Play("f5".into())]);
        assert_eq!(press(&mut view, &typed("undo")), [Order::Undo]);
        let dots = Setup::usual(GameKind::Dots).with_word("3x4").unwrap();
        assert_eq!(press(&mut view, &typed("new dots 3x4")), [Order::New(dots)]);
        assert!(press(&mut view, &typed("level x")).is_empty());
        assert!(screen(&view).contains("a level is 1 to 9"));
        let (sender, _orders) = channel();
        assert!(!view.key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL), &sender));
    }
}
