//! The screens: what the display shows, and what the keys do there.
//!
//! Everywhere, holding the select key leads back: from a board to its menu, from any other screen
//! to the one it was opened from.
mod animation;
mod board;
mod clocks;
mod draft;
mod end;
mod glyphs;
mod history;
mod menus;
mod pages;
mod pieces;
mod presets;
mod saver;
mod statistics;
mod views;
mod widgets;

use crate::{
    app::{Busy, COMFORTS, Device},
    frame::{Frame, Ink, WIDTH},
    health::{self, Part},
    keys::Press,
    log,
    panel::Panel,
    settings::{Draft, Settings},
    sound::Sound,
    table::{Hinter, Seat, Table},
};
use animation::Animation;
use corvid_core::{
    any::color_name,
    game::SHORT,
    player::Player,
    registry::GameKind,
    setup::{GameInfo, Setup},
};
use embassy_futures::select::{Either, select};
use embassy_time::{Duration, Instant, Timer};
use heapless::String;
use menus::{Item, Row};
use saver::Saver;
pub use views::Hand;
use views::view;
use widgets::{TITLE, step, title};

/// How often the screen is redrawn during a search.
const REFRESH: Duration = Duration::from_millis(250);

/// How long to wait before a display that did not answer is tried again.
const RETRY: Duration = Duration::from_millis(500);

/// The longest time between two signs of life.
const NAP: Duration = Duration::from_secs(1);

/// Which screen is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Screen {
    /// The name and the mark.
    Start,
    /// The main menu.
    Menu,
    /// The choices for a new game.
    NewGame,
    /// Matches to start with one key.
    Presets,
    /// The rules of a game.
    Rules,
    /// Results of past games.
    Statistics,
    /// Those against one opponent.
    Record,
    /// The user's settings.
    Settings,
    /// About the project and the games.
    About,
    /// The board of the game.
    Board,
    /// The pieces to choose from, in a game that has some.
    Tray,
    /// The menu of the game.
    Pause,
    /// The moves so far.
    History,
    /// The pieces that a player has left.
    Pieces,
    /// One of them, to be looked at from all sides.
    Piece,
    /// The result.
    End,
    /// The board, move by move.
    Review,
}

/// The state of the screens.
#[derive(Debug)]
pub struct Ui {
    screen: Screen,
    /// Where [`Screen::Rules`] returns to.
    back: Screen,
    /// The selected row of a list, the first visible line of a text, or the number of moves shown
    /// in a review.
    at: usize,
    /// The game whose rules are shown.
    rules: GameKind,
    /// The game that is told about; `None` for the project.
    about: Option<GameKind>,
    draft: Draft,
    /// What each game was last set up with in the form.
    setups: [Setup; GameKind::ALL.len()],
    /// Whether the choices for the new game are not to be remembered: it is one to watch, or a
    /// rematch.
    watch: bool,
    hand: Hand,
    /// Whose pieces are shown.
    player: Player,
    /// The selected row of the main menu, and of the game's.
    row: Row,
    item: Item,
    hinter: Hinter,
    /// The hand before a hint moved it.
    unhinted: Option<Hand>,
    /// Whether the next select confirms a row that can't be undone.
    sure: bool,
    message: String<{ 2 * SHORT }>,
    /// Whether the message stays when the game goes on: somebody had no move.
    sticky: bool,
    animation: Animation,
    /// The table's generation when the screen was last drawn.
    seen: u32,
    /// What is to be heard.
    sound: Option<Sound>,
}

impl Ui {
    /// The start screen.
    pub fn new() -> Self {
        Self {
            screen: Screen::Start,
            back: Screen::Menu,
            at: 0,
            rules: GameKind::ALL[0],
            about: None,
            draft: Draft::NEW,
            setups: GameKind::ALL.map(Setup::usual),
            watch: false,
            hand: Hand { cursor: (0, 0), piece: None, turning: false },
            player: Player::FIRST,
            row: Row::NewGame,
            item: Item::Continue,
            hinter: Hinter::Advanced,
            unhinted: None,
            sure: false,
            message: String::new(),
            sticky: false,
            animation: Animation::new(),
            seen: 0,
            sound: None,
        }
    }

    /// Which screen is shown.
    pub const fn screen(&self) -> Screen {
        self.screen
    }

    /// The selected row of a list, or piece of the tray.
    pub const fn chosen(&self) -> usize {
        self.at
    }

    /// The cursor, and the piece in it.
    pub const fn hand(&self) -> Hand {
        self.hand
    }

    /// Goes to a screen. A menu that another screen was opened from is still at its row.
    fn open(&mut self, screen: Screen) {
        (self.screen, self.at, self.sure) = (screen, 0, false);
        if screen == Screen::Board {
            self.item = Item::Continue;
        }
        self.clear_message();
    }

    fn clear_message(&mut self) {
        self.message.clear();
        self.sticky = false;
    }

    /// Handles a key on the current screen.
    // In one function with the task, this and `draw` would take more flash.
    #[inline(never)]
    pub fn press(&mut self, press: Press, device: &Device, table: &mut Table) {
        if table.check_clock() {
            device.work.signal(());
        }
        self.notice(table);
        self.animation.skip();
        match self.screen {
            Screen::Start => self.open_menu(table),
            Screen::Menu => self.press_menu(press, device, table),
            Screen::NewGame => self.press_draft(press, device, table),
            Screen::Presets => self.press_presets(press, device, table),
            Screen::Settings => self.press_settings(press, device, table),
            Screen::Rules | Screen::About => self.press_text(press, table),
            Screen::Statistics => self.press_statistics(press, device, table),
            Screen::Record | Screen::Piece if !COMFORTS => {}
            Screen::Record => self.press_record(press, table),
            Screen::Board => self.press_board(press, device, table),
            Screen::Tray => self.press_tray(press, table),
            Screen::Pause => self.press_pause(press, device, table),
            Screen::History => self.press_history(press, table),
            Screen::Pieces => self.press_pieces(press, table),
            Screen::Piece => self.press_piece(press, table),
            Screen::End => self.press_end(press, device, table),
            Screen::Review => self.press_review(press, table),
        }
    }

    /// Draws the screen.
    #[inline(never)]
    pub fn draw(&mut self, frame: &mut Frame, busy: Busy, table: &mut Table) {
        self.notice(table);
        frame.clear_all();
        match self.screen {
            Screen::Start => pages::start(frame, table),
            Screen::Menu => self.draw_menu(frame, table),
            Screen::NewGame => self.draw_draft(frame, table),
            Screen::Presets => self.draw_presets(frame),
            Screen::Settings => menus::draw_settings(frame, self.at, table),
            Screen::Rules => pages::rules(frame, self.rules, self.at),
            Screen::About => self.draw_about(frame, table),
            Screen::Statistics => self.draw_statistics(frame, table),
            Screen::Record | Screen::Piece if !COMFORTS => {}
            Screen::Record => self.draw_record(frame, table),
            Screen::Board => self.draw_board(frame, busy, table),
            Screen::Tray => {
                self.draw_tray(frame, table);
                clocks::draw_in_title(frame, table, clocks::AFTER_ROUND);
            }
            Screen::Pause => {
                self.draw_pause(frame, busy, table);
                clocks::draw_in_title(frame, table, clocks::AFTER_GAME);
            }
            Screen::History => self.draw_history(frame, table),
            Screen::Pieces => self.draw_pieces(frame, table),
            Screen::Piece => self.draw_piece(frame, table),
            Screen::End => self.draw_end(frame, table),
            Screen::Review => self.draw_review(frame, table),
        }
    }

    /// Reacts to what has changed on the table since the last call.
    fn notice(&mut self, table: &mut Table) {
        if table.generation() != self.seen {
            self.follow_moves(table, self.screen == Screen::Board);
            // That the game is over matters more than the last pass.
            if !self.sticky || table.is_over() {
                self.clear_message();
            }
            let position = table.game().position();
            let view = view(position.kind());
            // A game that was saved begins like a new one.
            let at = if self.seen == 0 { view.home() } else { self.hand.cursor };
            let cursor = view.fit(position, at);
            self.hand = Hand { cursor, ..Hand::default() };
            self.seen = table.generation();
            self.unhinted = None;
            if COMFORTS {
                self.sound = change_sound(table).or(self.sound);
            }
            match self.screen {
                Screen::Tray | Screen::Pieces | Screen::Piece => self.open(Screen::Board),
                // Whose time is up sees it at once.
                Screen::Pause | Screen::History if table.is_lost_on_time() => {
                    self.open(Screen::Board);
                }
                Screen::Rules if self.back == Screen::Pause && table.is_lost_on_time() => {
                    self.open(Screen::Board);
                }
                // A game started over the serial port has no such moves.
                Screen::Review | Screen::End if !table.is_over() => self.open(Screen::Board),
                _ => {}
            }
        }
        if self.screen == Screen::Board
            && let Some(player) = table.take_pass()
            && !table.is_over()
        {
            self.tell_pass(player, table);
        }
        if let Some(hint) = table.take_hint() {
            self.show_hint(hint, table);
        }
    }

    /// Whether the game may be changed now; says so if not.
    fn may_change(&mut self, table: &Table) -> bool {
        if table.is_contest() {
            self.refuse("new game ends contest");
        }
        !table.is_contest()
    }

    /// Says that a player had no move. A person's pass is not covered by a computer's.
    fn tell_pass(&mut self, player: Player, table: &Table) {
        let person = table.seat_of(player) == Seat::Person;
        if self.sticky && !person {
            return;
        }
        let alone = person && table.person_alone().is_some();
        let name = color(&table.settings, table.game().kind(), player);
        self.say(if alone { "you" } else { name });
        let _ = self.message.push_str(": no move, pass");
        // A computer's is of interest until the next move.
        self.sticky = person;
    }

    /// Shows a message until the next key.
    fn say(&mut self, text: &str) {
        self.clear_message();
        // A text that is too long is truncated.
        for letter in text.chars() {
            let _ = self.message.push(letter);
        }
    }

    /// Says why something is not done.
    fn refuse(&mut self, text: &str) {
        self.say(text);
        self.sound = COMFORTS.then_some(Sound::Refusal);
    }

    /// Handles a key on a board with a buzzer. A key that does nothing is not heard.
    fn press_aloud(&mut self, press: Press, device: &Device, table: &mut Table) {
        let before = (self.state(), table.settings, table.is_running());
        self.press(press, device, table);
        if before != (self.state(), table.settings, table.is_running()) {
            self.sound.get_or_insert(Sound::Key);
        }
    }

    /// What keys change.
    fn state(&self) -> impl PartialEq + use<> {
        let Self { screen, at, rules, about, draft, hand, player, row, item, hinter, sure, .. } =
            *self;
        (
            screen,
            at,
            rules,
            about,
            draft,
            hand,
            player,
            row,
            item,
            hinter,
            sure,
            self.message.clone(),
        )
    }

    /// Moves the selection in a list of `count` rows, if the key does that.
    fn choose(&mut self, press: Press, count: usize) {
        if matches!(press, Press::Up | Press::Down) {
            self.at = step(self.at, count, press == Press::Down);
            self.sure = false;
        }
    }
}

impl Default for Ui {
    fn default() -> Self {
        Self::new()
    }
}

/// The name of a colour: the rules', or a document's if the settings say so.
fn color(settings: &Settings, kind: GameKind, player: Player) -> &'static str {
    let GameInfo { document_colors, colors, .. } = kind.info();
    let named =
        document_colors.get(player.index()).filter(|_| COMFORTS && settings.document_colors);
    named.copied().unwrap_or(color_name(colors, player))
}

/// How the last change of the game sounds.
fn change_sound(table: &Table) -> Option<Sound> {
    if !table.is_over() || !table.is_running() {
        return table.has_replied().then_some(Sound::Move);
    }
    Some(match (table.winner(), table.person_alone()) {
        (Some(winner), Some(own)) if winner == own => Sound::Win,
        (Some(_), Some(_)) => Sound::Loss,
        (Some(_), None) if table.seats_in_play().contains(&Seat::Person) => Sound::Win,
        _ => Sound::Move,
    })
}

/// Runs the screens forever, drawing them in `frame`. Without a display, the keys still work.
pub async fn run<P: Panel>(device: &Device, frame: &mut Frame, mut panel: P) -> ! {
    let mut ui = Ui::new();
    let mut retry = None;
    let mut brightness = None;
    let mut saver = Saver::new();
    loop {
        let (ready_at, due);
        {
            let mut table = device.table().await;
            if table.check_clock() {
                device.work.signal(());
            }
            while let Ok(press) = device.keys.try_receive() {
                if saver.stir(&table) {
                    continue;
                }
                match COMFORTS && table.has_buzzer {
                    true => ui.press_aloud(press, device, &mut table),
                    false => ui.press(press, device, &mut table),
                }
            }
            device.news.reset();
            let busy = device.busy();
            ui.draw(frame, busy, &mut table);
            let thinking = matches!(busy, Busy::Thinking(_));
            let saver_due = saver.draw(frame, thinking, &table);
            // On top of any screen.
            if !table.question.is_empty() {
                frame.fill(0, 0, WIDTH as i32, TITLE, Ink::Off);
                title(frame, table.question);
            }
            if COMFORTS
                && let Some(sound) = ui.sound.take()
                && table.settings.sound
            {
                device.sounds.signal(sound);
            }
            device.show_peek(frame);
            ready_at = table.ready_at();
            let clock_due = table.clock().due(Instant::now());
            due = [ui.animation.next(), clock_due, saver_due].into_iter().flatten().min();
            if brightness != Some(table.settings.brightness) {
                brightness = Some(table.settings.brightness);
                panel.set_brightness(table.settings.brightness);
            }
            panel.set_module(table.settings.controller, table.settings.upside_down);
        }
        if retry.is_none_or(|at| Instant::now() >= at) {
            retry = None;
            if panel.show(frame).await.is_err() {
                log::warn!("no display");
                retry = Some(Instant::now() + RETRY);
            }
        }
        let thinking = matches!(device.busy(), Busy::Thinking(_));
        let until = match (retry, thinking) {
            (Some(at), _) => at,
            (None, true) => Instant::now() + REFRESH,
            (None, false) => Instant::MAX,
        };
        let until = due.map_or(until, |at| until.min(at));
        // Thread mode plays a move that was held back. It can't while this task runs, so once it is
        // time, there is nothing more to wait for.
        let until = match ready_at {
            Some(at) if at > Instant::now() => until.min(at),
            Some(_) => {
                device.work.signal(());
                until
            }
            None => until,
        };
        loop {
            health::beat(Part::Screen);
            let event = select(device.keys.ready_to_receive(), device.news.wait());
            let nap = until.min(Instant::now() + NAP);
            match select(event, Timer::at(nap)).await {
                Either::Second(()) if nap < until => {}
                _ => break,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use corvid_core::{engine::Level, game::MoveCode};

    #[test]
    fn colours_are_named_as_the_settings_say() {
        let mut settings = Settings::NEW;
        let name = |settings: &Settings, kind| color(settings, kind, Player::FIRST);
        assert_eq!(name(&settings, GameKind::BlokusClassic), "blue");
        settings.document_colors = true;
        assert_eq!(name(&settings, GameKind::BlokusClassic), "red");
        assert_eq!(name(&settings, GameKind::BlokusDuo), "blue", "no document has others");
    }

    /// Black has nothing to enclose; white has two corners left.
    #[test]
    fn who_has_no_move_is_told_until_a_key() {
        let device = Device::default();
        let mut table = Table::default();
        let mut text = "O".repeat(8);
        text.push_str(&"X".repeat(48));
        text.push_str("-XXXXXX- X");
        let level = Seat::Level(Level::MIN);
        table.restore([Seat::Person, level, level, level], false, |game| {
            game.set_position(&text).unwrap();
        });
        let mut ui = Ui::new();
        ui.open(Screen::Board);
        ui.notice(&mut table);
        table.play(MoveCode::PASS).unwrap();
        ui.notice(&mut table);
        assert_eq!(ui.message, "you: no move, pass");
        let mut moves = heapless::Vec::<MoveCode, 4>::new();
        table.game().now().for_each_move(&mut |mv| moves.push(mv).unwrap());
        table.play(moves[0]).unwrap();
        ui.notice(&mut table);
        assert_eq!(ui.message, "you: no move, pass", "whatever happens meanwhile");
        let plies = table.game().plies();
        ui.press(Press::Select, &device, &mut table);
        assert_eq!(ui.message, "");
        assert_eq!(table.game().plies(), plies, "the key only says that it was seen");
    }

    /// What the end of a game sounds like: 63 discs of black or white, and black takes the last square.
    fn end_sound(discs: &str, seats: [Seat; 2]) -> Option<Sound> {
        let mut table = Table::default();
        let mut text = "X".repeat(6);
        text.insert_str(0, "-O");
        text.push_str(&discs.repeat(56));
        text.push_str(" X");
        table.restore([seats[0], seats[1], seats[1], seats[1]], false, |game| {
            game.set_position(&text).unwrap();
        });
        table.set_running(true);
        let mut last = None;
        table.game().now().for_each_move(&mut |mv| last = Some(mv));
        let mut ui = Ui::new();
        ui.notice(&mut table);
        assert_eq!(ui.sound, None);
        table.play(last.unwrap()).unwrap();
        ui.notice(&mut table);
        assert!(table.is_over());
        ui.sound
    }

    #[test]
    fn the_end_of_a_game_sounds_like_what_it_is_for_the_person() {
        let (person, level) = (Seat::Person, Seat::Level(Level::MIN));
        assert_eq!(end_sound("X", [person, level]), Some(Sound::Win));
        assert_eq!(end_sound("O", [person, level]), Some(Sound::Loss));
        assert_eq!(end_sound("X", [level, person]), Some(Sound::Loss));
        assert_eq!(end_sound("O", [level, person]), Some(Sound::Win));
        assert_eq!(end_sound("O", [person, person]), Some(Sound::Win), "somebody has");
        assert_eq!(end_sound("O", [level, level]), Some(Sound::Move));
    }

    #[test]
    fn whoever_resigns_has_lost() {
        let (person, level) = (Seat::Person, Seat::Level(Level::MIN));
        let mut table = Table::default();
        table.start(Draft { seats: [person, level, level, level], ..Draft::NEW });
        let mut ui = Ui::new();
        ui.notice(&mut table);
        assert_eq!(ui.sound, None);
        table.resign();
        ui.notice(&mut table);
        assert_eq!(ui.sound, Some(Sound::Loss));
    }
}
