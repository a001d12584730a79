//! The device in a terminal: its display, its keys on the keyboard, its serial console.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use corvid::machine::{Board, Plan};
use corvid::parts::{BRIGHTEST, Cable, Parts};
use corvid::reading::half_block;
use corvid_firmware::frame::{Frame, HEIGHT, WIDTH};
use corvid_firmware::keys::Key;
use ratatui::DefaultTerminal;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph, Widget};

use super::console::Console;
use super::live::{self, Finger, Visitor, catch_signals};
#[cfg(unix)]
use super::pty::Pty;
use super::saves::Saves;
use crate::args::SimArgs;
use crate::failure::Failure;

/// How long to wait for a key before the device continues.
const PAUSE: Duration = Duration::from_millis(5);

/// Cells of the display in half blocks, two pixels each, and its frame.
const LARGE: (u16, u16) = (WIDTH as u16 + 2, HEIGHT as u16 / 2 + 2);

/// The same in braille, eight pixels each.
const SMALL: (u16, u16) = (WIDTH as u16 / 2 + 2, HEIGHT as u16 / 4 + 2);

/// Rows of help below the display.
const HELP_ROWS: u16 = 1;

/// The minimum width of the console beside the display, and its minimum height below.
const CONSOLE: (u16, u16) = (30, 4);

/// What the keyboard does, for the line below the display.
const KEY_MAP: [(&str, &str); 5] =
    [("arrows", "keys"), ("Enter", "select"), ("m", "hold it"), ("Tab", "serial"), ("q", "quit")];

/// The same while a line is typed.
const TYPING_MAP: [(&str, &str); 4] =
    [("Enter", "send"), ("Up", "earlier line"), ("Tab", "back to the keys"), ("Ctrl-C", "quit")];

/// Fails without a terminal to draw in.
pub(super) fn check() -> Result<(), Failure> {
    let dumb = env::var("TERM").is_ok_and(|term| term == "dumb");
    if dumb || !io::stdout().is_terminal() || !io::stdin().is_terminal() {
        return Err(Failure::Other(
            "the simulator needs a terminal that can draw; `corvid play GAME` plays line by \
             line, and `corvid sim --headless --script FILE` runs a script"
                .into(),
        ));
    }
    Ok(())
}

/// Opens the device, until the person quits or a signal ends it.
pub(super) fn run(plan: Plan, args: &SimArgs, saves: Option<Saves>) -> Result<(), Failure> {
    if let Some(saves) = &saves {
        // On the screen again when the simulator has left it. Nobody may read it.
        let _ = writeln!(io::stderr(), "corvid: {}", saves.notice);
    }
    catch_signals();
    #[cfg(unix)]
    let pty = if args.pty { Some(Pty::open()?) } else { None };
    in_terminal(|terminal| {
        let app = App {
            board: plan.board,
            speed: args.speed,
            forgets: saves.is_some_and(|saves| !saves.kept),
            console: Console::default(),
            typing: false,
            #[cfg(unix)]
            pty,
        };
        live::run(plan, args.speed, Screen { terminal, drawn: None, app })
    })
}

/// Takes over the terminal, and restores it however `show` ends; a panic's message is printed after
/// that.
fn in_terminal(show: impl FnOnce(DefaultTerminal) -> Result<(), Failure>) -> Result<(), Failure> {
    let _restored = Restored;
    show(ratatui::try_init()?)
}

struct Restored;

impl Drop for Restored {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

/// What was drawn: the display, how bright it is, the key that is down.
type Seen = (Frame, u8, Option<Key>);

/// The terminal and what is on it.
struct Screen {
    terminal: DefaultTerminal,
    drawn: Option<Seen>,
    app: App,
}

impl Visitor for Screen {
    fn visit(&mut self, parts: &Parts, finger: &mut Finger) -> Result<bool, Failure> {
        let Self { terminal, drawn, app } = self;
        let received = app.receive(&parts.cable);
        let seen = (parts.glass.frame().clone(), parts.glass.brightness(), finger.pressed());
        let mut changed = received || drawn.as_ref() != Some(&seen);
        if event::poll(PAUSE)? {
            changed = true;
            if let Event::Key(key) = event::read()?
                && key.kind != KeyEventKind::Release
                && app.key(key, &parts.cable, finger)
            {
                return Ok(false);
            }
        }
        if changed {
            terminal.draw(|frame| {
                if let Some(cursor) = app.draw(&seen, frame.area(), frame.buffer_mut()) {
                    frame.set_cursor_position(cursor);
                }
            })?;
            *drawn = Some(seen);
        }
        #[cfg(unix)]
        if let Some(pty) = &app.pty {
            pty.pass_in(&parts.cable);
        }
        Ok(true)
    }
}

/// The state of the user interface.
struct App {
    board: Board,
    speed: f64,
    /// Whether what it saves is lost in the end.
    forgets: bool,
    console: Console,
    /// Whether the keyboard writes a line for the serial port.
    typing: bool,
    #[cfg(unix)]
    pty: Option<Pty>,
}

impl App {
    /// Passes on what the device has sent; false if there was nothing.
    fn receive(&mut self, cable: &Cable) -> bool {
        let received = cable.receive();
        #[cfg(unix)]
        if let Some(pty) = &self.pty {
            pty.pass_out(&received);
        }
        self.console.receive(&received);
        !received.is_empty()
    }

    /// Handles a key; true to quit.
    fn key(&mut self, key: KeyEvent, cable: &Cable, finger: &mut Finger) -> bool {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return matches!(key.code, KeyCode::Char('c' | 'd'));
        }
        match key.code {
            KeyCode::Tab | KeyCode::BackTab => self.typing = !self.typing,
            KeyCode::PageUp => self.console.scroll(5),
            KeyCode::PageDown => self.console.scroll(-5),
            code if self.typing => self.type_key(code, cable),
            KeyCode::Up => finger.tap(Key::Up),
            KeyCode::Down => finger.tap(Key::Down),
            KeyCode::Left => finger.tap(Key::Left),
            KeyCode::Right => finger.tap(Key::Right),
            KeyCode::Enter | KeyCode::Char(' ') => finger.tap(Key::Select),
            KeyCode::Char('m' | 'M') | KeyCode::Esc | KeyCode::Backspace => {
                finger.hold(Key::Select);
            }
            KeyCode::Char('q' | 'Q') => return true,
            _ => {}
        }
        false
    }

    fn type_key(&mut self, code: KeyCode, cable: &Cable) {
        match code {
            KeyCode::Enter => cable.send(&self.console.enter()),
            KeyCode::Backspace => self.console.backspace(),
            KeyCode::Up => self.console.recall(true),
            KeyCode::Down => self.console.recall(false),
            KeyCode::Esc => self.typing = false,
            KeyCode::Char(letter) => self.console.letter(letter),
            _ => {}
        }
    }

    /// Draws everything; returns the cursor's position if there is one.
    fn draw(&self, seen: &Seen, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let (shown, brightness, pressed) = seen;
        let fits =
            |(width, height): (u16, u16)| area.width >= width && area.height >= height + HELP_ROWS;
        let Some(size) = [LARGE, SMALL].into_iter().find(|size| fits(*size)) else {
            let text =
                format!("Please make the terminal larger: {} x {}", SMALL.0, SMALL.1 + HELP_ROWS);
            Paragraph::new(text).wrap(ratatui::widgets::Wrap { trim: true }).render(area, buffer);
            return None;
        };
        let display = Rect { width: size.0, height: size.1, ..area };
        let block = Block::bordered().title(self.title(*pressed));
        let glass = block.inner(display);
        block.render(display, buffer);
        if size == LARGE {
            draw_half_blocks(shown, glass, buffer, self.light(*brightness));
        } else {
            draw_braille(shown, glass, buffer, self.light(*brightness));
        }

        let below = display.y + display.height;
        let help = Rect { y: below, height: HELP_ROWS, ..area };
        let map: &[_] = if self.typing { &TYPING_MAP } else { &KEY_MAP };
        Paragraph::new(key_map(map)).render(help, buffer);

        let beside = Rect { x: area.x + size.0, width: area.width - size.0, ..area };
        let beside = Rect { height: area.height - HELP_ROWS, ..beside };
        let under = below + HELP_ROWS;
        let under = Rect { y: under, height: area.y + area.height - under, ..area };
        if beside.width >= CONSOLE.0 {
            // The help may be as wide as both.
            self.draw_console(Rect { height: size.1, ..beside }, buffer)
        } else if under.height >= CONSOLE.1 {
            self.draw_console(under, buffer)
        } else {
            None
        }
    }

    fn title(&self, pressed: Option<Key>) -> String {
        let speed = if self.speed == 1.0 { String::new() } else { format!(", {} x", self.speed) };
        let key = pressed.map_or(String::new(), |key| format!(" [{}]", key.name()));
        let saving = if self.forgets { ", not saving" } else { "" };
        format!(" {}{speed}{saving}{key} ", self.board.title())
    }

    /// The colour of a lit pixel.
    fn light(&self, brightness: u8) -> Style {
        let color = match (self.board, brightness) {
            (Board::Lm3s6965evb, _) => Color::LightYellow,
            (Board::Pico, BRIGHTEST) => Color::White,
            (Board::Pico, 1..BRIGHTEST) => Color::Gray,
            (Board::Pico, _) => Color::DarkGray,
        };
        Style::new().fg(color).bg(Color::Black)
    }

    fn draw_console(&self, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let block = Block::bordered().title(self.console_title());
        let inside = block.inner(area);
        block.render(area, buffer);
        let width = usize::from(inside.width);
        let rows = self.console.rows(width, usize::from(inside.height.saturating_sub(1)));
        for (row, y) in rows.iter().zip(inside.y..) {
            buffer.set_string(inside.x, y, row, Style::new());
        }
        let y = inside.y + inside.height.saturating_sub(1);
        // Of a long line, show the end, where the person types.
        let typed = self.console.typed();
        let from = typed.len().saturating_sub(width.saturating_sub(3));
        let line = format!("> {}", typed.get(from..).unwrap_or(typed));
        let style =
            if self.typing { Style::new() } else { Style::new().add_modifier(Modifier::DIM) };
        buffer.set_string(inside.x, y, &line, style);
        self.typing.then(|| Position::new(inside.x + line.len() as u16, y))
    }

    fn console_title(&self) -> String {
        #[cfg(unix)]
        if let Some(pty) = &self.pty {
            return format!(" serial port, {} ", pty.path());
        }
        " serial port ".into()
    }
}

fn key_map(map: &[(&'static str, &'static str)]) -> Line<'static> {
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let spans = map.iter().flat_map(|(key, meaning)| {
        [Span::styled(format!(" {key}"), bold), Span::raw(format!(" {meaning} "))]
    });
    Line::from_iter(spans)
}

/// Draws the display with two pixels per cell.
fn draw_half_blocks(shown: &Frame, area: Rect, buffer: &mut Buffer, style: Style) {
    draw_cells(area, buffer, style, |x, y| {
        half_block(shown.is_lit(x, 2 * y), shown.is_lit(x, 2 * y + 1))
    });
}

/// Draws the display with eight pixels per cell.
fn draw_braille(shown: &Frame, area: Rect, buffer: &mut Buffer, style: Style) {
    // Unicode counts the dots down the left column, down the right one, and then the lowest two.
    const DOTS: [(usize, usize); 8] =
        [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)];
    draw_cells(area, buffer, style, |x, y| {
        let lit = |&(dx, dy): &(usize, usize)| shown.is_lit(2 * x + dx, 4 * y + dy);
        let dots = DOTS.iter().rev().fold(0, |dots, dot| dots << 1 | u32::from(lit(dot)));
        char::from_u32(0x2800 + dots).unwrap_or(' ')
    });
}

fn draw_cells(
    area: Rect,
    buffer: &mut Buffer,
    style: Style,
    symbol: impl Fn(usize, usize) -> char,
) {
    for position in area.positions() {
        let (x, y) = (usize::from(position.x - area.x), usize::from(position.y - area.y));
        if let Some(cell) = buffer.cell_mut(position) {
            cell.set_char(symbol(x, y)).set_style(style);
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::Command;
    use std::thread::sleep;
    use std::time::Instant;

    /// Tells the test that it runs in a terminal of its own.
    const INSIDE: &str = "CORVID_TEST_PANICS";

    /// Long enough for anything on a busy machine.
    const PATIENCE: Duration = Duration::from_secs(20);

    fn tmux(words: &[&str]) -> String {
        let socket = format!("corvid-panic-{}", std::process::id());
        let output = Command::new("tmux")
            .args(["-u", "-f", "/dev/null", "-L", &socket])
            .args(words)
            .output();
        let output = output.expect("tmux does not start: run `cargo xtask setup`");
        String::from_utf8(output.stdout).expect("a terminal shows text")
    }

    /// Runs itself in a terminal, where it panics in the middle of drawing, and checks what is
    /// left.
    #[test]
    fn a_panic_gives_the_terminal_back() {
        if env::var_os(INSIDE).is_some() {
            let shown = in_terminal(|mut terminal| {
                terminal.draw(|_| panic!("in the middle of it"))?;
                Ok(())
            });
            unreachable!("{shown:?}");
        }
        let me = env::current_exe().expect("this program has a path");
        let test = "sim::terminal::tests::a_panic_gives_the_terminal_back";
        let command = format!(
            "RUST_BACKTRACE=0 {INSIDE}=1 '{}' --exact --nocapture {test} 2>&1; stty -a | tr ' ' '\\n' | \
             grep -E '^-?(icanon|echo)'; sleep 60",
            me.display()
        );
        tmux(&["new-session", "-d", "-x", "100", "-y", "40", &command]);
        let begun = Instant::now();
        let mut text = String::new();
        while !text.contains("icanon") && begun.elapsed() < PATIENCE {
            sleep(Duration::from_millis(50));
            text = tmux(&["capture-pane", "-p"]);
        }
        let screen = tmux(&["display-message", "-p", "#{alternate_on} #{cursor_flag}"]);
        tmux(&["kill-server"]);
        let lines: Vec<&str> = text.lines().collect();
        assert!(text.contains("in the middle of it"), "{text}");
        assert!(lines.contains(&"icanon") && lines.contains(&"echo"), "{text}");
        assert_eq!(screen, "0 1\n", "neither the other screen nor a hidden cursor\n{text}");
    }
}
