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
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, Paragraph};
use ratatui::{DefaultTerminal, Frame};

use super::table::{self, Options, Order, Update, moves};
use crate::failure::Failure;
use crate::output::wrapped_at;
use crate::sim::live::{catch_signals, must_quit};

/// The polling interval for events.
const LOOK: Duration = Duration::from_millis(50);

/// What fits in the last line of a terminal of 80 columns.
const KEYS: &str = "arrows and Enter: move   space: mark   or type a move, or help   Ctrl-C: end";

/// The same while a page is shown.
const PAGE_KEYS: &str = "up, down, PgUp and PgDn: scroll   any other key: back to the game";

/// What the keys do, above what can be typed.
const HELP: &str = "\
arrows     move the cursor
Enter      play at the cursor and at the marked places
space      mark the place at the cursor, or take the mark away
Esc        clear the marks and the line
Ctrl-C     end
";

/// How far PgUp and PgDn go.
const PAGE_STEP: u16 = 10;

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
    catch_signals();
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
    while !ended() && !must_quit() {
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
    /// Shown in place of the board until a key is pressed.
    page: Option<Page>,
}

/// A text that may be longer than the terminal.
struct Page {
    title: &'static str,
    text: String,
    /// The first line that is shown.
    line: u16,
}

impl Page {
    fn new(title: &'static str, text: &str) -> Self {
        // The width of 80 columns without the frame and a margin.
        Self { title, text: wrapped_at(76, text), line: 0 }
    }

    /// Scrolls; false if the key is none for that.
    fn key(&mut self, key: KeyCode) -> bool {
        let last = self.text.lines().count().saturating_sub(1) as u16;
        self.line = match key {
            KeyCode::Up => self.line.saturating_sub(1),
            KeyCode::PageUp => self.line.saturating_sub(PAGE_STEP),
            KeyCode::Down => (self.line + 1).min(last),
            KeyCode::PageDown => (self.line + PAGE_STEP).min(last),
            _ => return false,
        };
        true
    }
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
            page: None,
        }
    }

    fn update(&mut self, update: Update) {
        match update {
            Update::Connected(name) => self.status = format!("connected to {name}"),
            Update::Lost(why) => self.status = format!("lost the board ({why}): plug it in again"),
            Update::Moved(text) => self.note = text,
            Update::Page(title, text) => self.page = Some(Page::new(title, &text)),
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
        let ends = matches!(key.code, KeyCode::Char('c' | 'd'));
        if ends && key.modifiers.contains(KeyModifiers::CONTROL) {
            return false;
        }
        if let Some(page) = &mut self.page {
            if !page.key(key.code) {
                self.page = None;
            }
            return true;
        }
        match key.code {
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
            // At once, even while the board thinks.
            Ok(Order::Help) => {
                self.page = Some(Page::new("help", &format!("{HELP}\n{}", table::HELP)));
            }
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
            Constraint::Length(1),
        ]);
        let [top, middle, standing, note, input, help] = rows.areas(frame.area());
        let columns = Layout::horizontal([Constraint::Min(46), Constraint::Length(30)]);
        let [board, list] = columns.areas(middle);
        frame.render_widget(Paragraph::new(self.status.as_str()), top);
        match &self.page {
            Some(Page { title, text, line }) => {
                let block = Block::bordered().title(*title);
                let page = Paragraph::new(text.as_str()).block(block).scroll((*line, 0));
                frame.render_widget(page, middle);
            }
            None => self.draw_game(frame, board, list),
        }
        frame.render_widget(Paragraph::new(self.standing()), standing);
        frame.render_widget(Paragraph::new(self.note.as_str()), note);
        frame.render_widget(Paragraph::new(format!("> {}_", self.input)), input);
        let dim = Style::new().add_modifier(Modifier::DIM);
        let keys = if self.page.is_some() { PAGE_KEYS } else { KEYS };
        frame.render_widget(Paragraph::new(keys).style(dim), help);
    }

    fn draw_game(&self, frame: &mut Frame, board: Rect, list: Rect) {
        let block = Block::bordered().title(self.title());
        // Down to the cursor, where the board is higher than the terminal.
        let line = self.game.as_deref().map_or(0, |game| places(game).at(self.cursor).1);
        let below = (line + 1).saturating_sub(usize::from(block.inner(board).height)) as u16;
        let text = Paragraph::new(self.board()).block(block).scroll((below, 0));
        frame.render_widget(text, board);
        let lines = usize::from(list.height.saturating_sub(2));
        frame.render_widget(
            Paragraph::new(self.list(lines)).block(Block::bordered().title("moves")),
            list,
        );
    }

    fn title(&self) -> String {
        let Some(game) = &self.game else { return "no game".into() };
        let colors = game.colors();
        let own: Vec<_> = self.own.iter().map(|player| colors[player.index()].name).collect();
        format!("{}: you are {}", game.kind().title(), own.join(" and "))
    }

    /// The score and whose turn it is.
    fn standing(&self) -> String {
        let mut text = String::new();
        if let Some(game) = &self.game {
            // Writing to a String never fails.
            let _ = write_standing(game.now(), &mut text);
        }
        text
    }

    /// The board as text with the cursor and the marks on it.
    fn board(&self) -> Text<'static> {
        let Some(game) = &self.game else { return Text::default() };
        let mut drawn = Drawn::default();
        // Writing never fails.
        let _ = game.draw(&mut drawn);
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
        screen_of(view, 90, 30)
    }

    fn screen_of(view: &View, width: u16, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
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
    fn a_board_higher_than_the_terminal_follows_the_cursor() {
        let mut view = view(GameKind::BlokusClassic, &[]);
        let shown = screen_of(&view, 80, 24);
        assert!(shown.contains("20 + .") && !shown.contains(" 1 + ."), "{shown}");
        assert!(shown.contains("green (G) -89   blue to move"), "{shown}");
        press(&mut view, &[KeyCode::Down; 20]);
        let shown = screen_of(&view, 80, 24);
        assert!(!shown.contains("20 + .") && shown.contains(" 1 + ."), "{shown}");
        for (width, height) in [(1, 1), (20, 5), (300, 100)] {
            screen_of(&view, width, height);
        }
    }

    #[test]
    fn pages_are_shown_in_place_of_the_board_and_scroll() {
        use KeyCode::{Char, Down, Enter, PageDown, Up};
        let mut view = view(GameKind::Othello, &[]);
        let typed: Vec<_> = "help".chars().map(Char).chain([Enter]).collect();
        assert!(press(&mut view, &typed).is_empty(), "the board need not answer");
        let shown = screen(&view);
        assert!(
            shown.contains("play at the cursor") && shown.contains("legal      the"),
            "{shown}"
        );
        assert!(!shown.contains("a b c d e"), "{shown}");
        assert!(press(&mut view, &[Down, Up, Enter]).is_empty(), "closes it, plays nothing");
        assert!(screen(&view).contains("a b c d e"));
        let lines: Vec<_> = (0..50).map(|line| format!("line {line}.")).collect();
        view.update(Update::Page("your moves", lines.join("\n")));
        press(&mut view, &[PageDown, PageDown, PageDown]);
        let shown = screen(&view);
        assert!(!shown.contains("line 29.") && shown.contains("line 30."), "{shown}");
        press(&mut view, &[PageDown; 9]);
        assert!(screen(&view).contains("line 49."), "the last line stays");
    }

    #[test]
    fn commands_are_typed_and_mistakes_told() {
        let mut view = view(GameKind::Othello, &[]);
        let typed = |text: &str| -> Vec<KeyCode> {
            text.chars().map(KeyCode::Char).chain([KeyCode::Enter]).collect()
        };
        assert_eq!(press(&mut view, &typed("f5")), [Order::Play("f5".into())]);
        assert_eq!(press(&mut view, &typed("undo")), [Order::Undo]);
        assert_eq!(press(&mut view, &typed("Legal")), [Order::Legal]);
        let dots = Setup::usual(GameKind::Dots).with_word("3x4").unwrap();
        assert_eq!(press(&mut view, &typed("new dots 3x4")), [Order::New(dots)]);
        assert!(press(&mut view, &typed("level x")).is_empty());
        assert!(screen(&view).contains("a level is 1 to 9"));
        let (sender, _orders) = channel();
        assert!(!view.key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL), &sender));
    }
}
