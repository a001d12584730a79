//! The game with the board: kept on both sides, so that it survives an unplugged cable.

use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::thread::sleep;
use std::time::Duration;

use corvid::answers::{game_of, play_all, setup_named};
use corvid_core::engine::Level;
use corvid_core::game::Notation;
use corvid_core::player::Player;
use corvid_core::registry::GameKind;
use corvid_core::session::Match;
use corvid_core::setup::Setup;

use super::{Place, players_of};
use crate::failure::Failure;
use crate::peer::{ALLOWED, LONG, Peer, SOON, Trouble, color_word};
use crate::turn;

/// What to play, and with whom.
#[derive(Debug)]
pub(super) struct Options {
    pub(super) place: Place,
    pub(super) setup: Option<Setup>,
    pub(super) color: Option<String>,
    pub(super) level: Option<Level>,
    pub(super) engine: Option<String>,
}

/// What the person wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Order {
    Play(String),
    Undo,
    New(Setup),
    Hint,
    Level(u8),
    Legal,
    Help,
    /// A command that is the board's own, and needs a key pressed on it.
    Own(String),
}

/// What a person can type.
pub(super) const HELP: &str = "\
Type a move, or:
  legal      the moves you can make
  hint       a move that the board suggests
  undo       take back your last move
  level N    how strong the board plays, 1 to 9
  new GAME   another game, with options: new dots 3x4
  reboot     restart the board, after a key pressed on it; likewise bootsel yes,
             discard yes and statistics erase yes
  help       this list
  quit       stop";

impl Order {
    /// Reads what a person typed: a command, or else a move.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut words = text.split_ascii_whitespace();
        let word = words.next().unwrap_or("").to_ascii_lowercase();
        match word.as_str() {
            "undo" => Ok(Self::Undo),
            "hint" => Ok(Self::Hint),
            "legal" => Ok(Self::Legal),
            "help" | "?" => Ok(Self::Help),
            "level" => match words.next().and_then(|level| level.parse().ok()) {
                Some(level @ 1..=9) => Ok(Self::Level(level)),
                _ => Err("a level is 1 to 9".into()),
            },
            "new" => {
                let (_, named) = text.trim().split_once(char::is_whitespace).unwrap_or_default();
                let names = || GameKind::ALL.map(GameKind::name).join(", ");
                setup_named(named)
                    .map(Self::New)
                    .ok_or_else(|| format!("new takes a game: {}", names()))
            }
            "reboot" | "bootsel" | "discard" | "statistics" => Ok(Self::Own(text.trim().into())),
            _ => Ok(Self::Play(text.trim().into())),
        }
    }
}

/// What the person is told.
#[derive(Debug)]
pub(super) enum Update {
    /// The board answers on this line.
    Connected(String),
    /// It does not; retrying.
    Lost(String),
    /// The current game, and whom the person moves for.
    Game(Box<Match>, Vec<Player>),
    /// Who made which move.
    Moved(String),
    /// A player is thinking.
    Thinking(String),
    /// An answer of several lines, with its title.
    Page(&'static str, String),
    /// Anything else.
    Note(String),
}

/// Between two attempts to reach a lost board.
const RETRY: Duration = Duration::from_millis(500);

/// How often the board's notices are polled.
const LOOK: Duration = Duration::from_millis(100);

/// Plays until there are no more orders. An error is a board that was never reached, or an
/// engine that was lost.
pub(super) fn run(
    options: Options,
    orders: &Receiver<Order>,
    tell: impl FnMut(Update),
) -> Result<(), Failure> {
    let name = options.place.find()?;
    let mut board = Peer::open(&name)?;
    let engine = options.engine.as_deref().map(Peer::open).transpose()?;
    if let Some(setup) = options.setup {
        board.ask(&format!("new {setup}"), SOON)?;
    }
    let game = read_game(&mut board)?;
    let own = players_of(&game, options.color.as_deref())?;
    let mut table = Table { options, board: None, engine, game, own, tell };
    (table.tell)(Update::Connected(name));
    if let Some(engine) = &mut table.engine {
        replay(engine, &table.game)?;
    }
    table.set_level(&mut board)?;
    table.board = Some(board);
    table.show();
    table.run(orders)
}

/// The game that is on a board.
fn read_game(board: &mut Peer) -> Result<Match, Trouble> {
    let mut game = game_of(&board.ask("stats", SOON)?)?;
    play_all(&mut game, &board.ask("moves", SOON)?)?;
    Ok(game)
}

/// The moves of a game.
pub(super) fn moves(game: &Match) -> Vec<String> {
    let mut text = String::new();
    // Writing to a String never fails.
    let _ = game.write_moves(Notation::Plain, '\n', &mut text);
    text.lines().map(Into::into).collect()
}

/// Brings an engine to the state of a game.
fn replay(peer: &mut Peer, game: &Match) -> Result<(), Trouble> {
    let setup = game.setup();
    if let Err(Trouble::Refused(_)) = peer.ask(&format!("new {setup}"), SOON) {
        // Not every engine is a Corvid.
        peer.ask(&format!("set_game {}", setup.kind().title()), SOON)?;
        peer.ask("clear_board", SOON)?;
    }
    let mut again = Match::new(setup);
    for text in moves(game) {
        let color = color_word(setup, again.turn());
        peer.ask(&format!("play {color} {text}"), SOON)?;
        let played = again.play_next(&text);
        played.map_err(|why| Trouble::Refused(format!("{text}: {}", why.long())))?;
    }
    Ok(())
}

struct Table<F> {
    options: Options,
    /// `None` while the cable is unplugged.
    board: Option<Peer>,
    engine: Option<Peer>,
    game: Match,
    own: Vec<Player>,
    tell: F,
}

impl<F: FnMut(Update)> Table<F> {
    fn run(&mut self, orders: &Receiver<Order>) -> Result<(), Failure> {
        loop {
            let Some(mut board) = self.board.take() else {
                if orders.try_recv() == Err(TryRecvError::Disconnected) {
                    return Ok(());
                }
                self.reconnect();
                continue;
            };
            match self.step(&mut board, orders) {
                Ok(true) => self.board = Some(board),
                Ok(false) => return Ok(()),
                Err(Trouble::Refused(why)) => {
                    (self.tell)(Update::Note(format!("refused: {why}")));
                    self.board = Some(board);
                    sleep(RETRY);
                }
                Err(Trouble::Lost(why)) => (self.tell)(Update::Lost(why)),
            }
        }
    }

    /// Performs one step; false when there is nothing more to do.
    fn step(&mut self, board: &mut Peer, orders: &Receiver<Order>) -> Result<bool, Trouble> {
        let (turn, over) = (self.game.turn(), self.game.is_over());
        if !over && !self.own.contains(&turn) {
            self.board_moves(board, turn)?;
            return Ok(true);
        }
        if !over && self.game.must_pass() {
            self.play(board, turn, "pass")?;
            return Ok(true);
        }
        if !over && self.engine.is_some() {
            self.engine_moves(board, turn)?;
            return Ok(true);
        }
        match orders.recv_timeout(LOOK) {
            Ok(order) => self.obey(board, order)?,
            Err(RecvTimeoutError::Disconnected) => return Ok(false),
            Err(RecvTimeoutError::Timeout) => {}
        }
        let notices = board.notices()?;
        if notices.iter().any(|text| text.starts_with("play ") || text.starts_with("game ")) {
            // A move was made with the board's buttons.
            self.take_over(read_game(board)?);
            if let Some(engine) = &mut self.engine {
                replay(engine, &self.game)?;
            }
            self.show();
        }
        Ok(true)
    }

    /// Goes on with a game of the board's, which may be another one than before.
    fn take_over(&mut self, game: Match) {
        let other = game.setup() != self.game.setup();
        self.game = game;
        if other {
            self.choose_colors();
        }
    }

    /// Chooses whom the person moves for: a colour of another game means nothing in this one.
    fn choose_colors(&mut self) {
        let color = self.options.color.as_deref();
        let own = players_of(&self.game, color).or_else(|_| players_of(&self.game, None));
        self.own = own.unwrap_or_default();
    }

    fn show(&mut self) {
        (self.tell)(Update::Game(Box::new(self.game.clone()), self.own.clone()));
    }

    fn name(&self, player: Player) -> &'static str {
        self.game.colors()[player.index()].name
    }

    fn moved(&mut self, player: Player, text: &str) -> Result<(), Trouble> {
        let played = self.game.play(player, text);
        played.map_err(|why| Trouble::Refused(format!("{text}: {}", why.long())))?;
        let name = self.name(player);
        (self.tell)(Update::Moved(format!("{name} {text}")));
        self.show();
        Ok(())
    }

    fn board_moves(&mut self, board: &mut Peer, player: Player) -> Result<(), Trouble> {
        let name = self.name(player);
        (self.tell)(Update::Thinking(format!("the board thinks for {name}")));
        let color = color_word(self.game.setup(), player);
        let text = board.genmove(color)?;
        self.moved(player, &text)?;
        self.ask_engine(|engine| engine.ask(&format!("play {color} {text}"), SOON))?;
        Ok(())
    }

    /// Asks the engine, if there is one. The person takes over from an engine that is lost.
    fn ask_engine<T>(
        &mut self,
        ask: impl FnOnce(&mut Peer) -> Result<T, Trouble>,
    ) -> Result<Option<T>, Trouble> {
        let Some(engine) = &mut self.engine else { return Ok(None) };
        match ask(engine) {
            Err(Trouble::Lost(why)) => {
                self.engine = None;
                (self.tell)(Update::Note(format!("the engine is gone: {why}")));
                Ok(None)
            }
            Err(Trouble::Refused(why)) => Err(Trouble::Refused(format!("the engine: {why}"))),
            Ok(answer) => Ok(Some(answer)),
        }
    }

    fn engine_moves(&mut self, board: &mut Peer, player: Player) -> Result<(), Trouble> {
        let name = self.name(player);
        (self.tell)(Update::Thinking(format!("the engine thinks for {name}")));
        let color = color_word(self.game.setup(), player);
        let Some(text) = self.ask_engine(|engine| engine.genmove(color))? else {
            return Ok(());
        };
        board.ask(&format!("play {color} {text}"), SOON)?;
        self.moved(player, &text)
    }

    /// Makes a move for the person.
    fn play(&mut self, board: &mut Peer, player: Player, text: &str) -> Result<(), Trouble> {
        if let Err(refusal) = self.game.clone().play(player, text) {
            (self.tell)(Update::Note(turn::refused(&self.game, text, &refusal)));
            return Ok(());
        }
        let color = color_word(self.game.setup(), player);
        board.ask(&format!("play {color} {text}"), SOON)?;
        self.ask_engine(|engine| engine.ask(&format!("play {color} {text}"), SOON))?;
        self.moved(player, text)
    }

    fn obey(&mut self, board: &mut Peer, order: Order) -> Result<(), Trouble> {
        match order {
            Order::Play(text) => self.play(board, self.game.turn(), &text),
            Order::Hint => {
                let text = board.ask("hint", LONG)?;
                (self.tell)(Update::Note(format!("try {text}")));
                Ok(())
            }
            Order::Level(level) => {
                self.options.level = Level::new(level);
                self.set_level(board)?;
                (self.tell)(Update::Note(format!("level {level}")));
                Ok(())
            }
            Order::New(setup) => {
                self.game = Match::new(setup);
                replay(board, &self.game)?;
                if let Some(engine) = &mut self.engine {
                    replay(engine, &self.game)?;
                }
                self.choose_colors();
                self.show();
                Ok(())
            }
            Order::Undo => self.undo(board),
            Order::Legal => {
                (self.tell)(Update::Page("your moves", turn::legal(&self.game)));
                Ok(())
            }
            Order::Own(command) => {
                let tell = &mut self.tell;
                let note = |text: &str| tell(Update::Note(text.into()));
                let answer = board.ask_and_tell(&command, ALLOWED, note)?;
                (self.tell)(Update::Note(format!("{command}: done\n{answer}").trim_end().into()));
                Ok(())
            }
            Order::Help => {
                (self.tell)(Update::Page("help", HELP.into()));
                Ok(())
            }
        }
    }

    /// Takes moves back until the person is to move again.
    fn undo(&mut self, board: &mut Peer) -> Result<(), Trouble> {
        let mut game = self.game.clone();
        let mut count = 0;
        while game.undo() {
            count += 1;
            if self.own.contains(&game.turn()) && !game.must_pass() {
                for _ in 0..count {
                    board.ask("undo", SOON)?;
                }
                self.game = game;
                self.show();
                return Ok(());
            }
        }
        (self.tell)(Update::Note("there is no move of yours to take back".into()));
        Ok(())
    }

    fn set_level(&self, board: &mut Peer) -> Result<(), Trouble> {
        match self.options.level {
            Some(level) => board.ask(&format!("level {}", level.get()), SOON).map(drop),
            None => Ok(()),
        }
    }

    /// Tries once to reach the board, and resumes the game: the board's, if it is the same or a
    /// continuation; otherwise it is set up there again.
    fn reconnect(&mut self) {
        let found = self.options.place.find().and_then(|name| Ok((Peer::open(&name)?, name)));
        let Ok((mut board, name)) = found else { return sleep(RETRY) };
        let (here, setup) = (moves(&self.game), self.game.setup());
        let resumed = match read_game(&mut board) {
            Ok(there) if there.setup() == setup && moves(&there).starts_with(&here) => {
                self.game = there;
                Ok(())
            }
            Err(Trouble::Lost(why)) => Err(Trouble::Lost(why)),
            Ok(_) | Err(Trouble::Refused(_)) => replay(&mut board, &self.game),
        };
        match resumed.and_then(|()| self.set_level(&mut board)) {
            Ok(()) => {
                (self.tell)(Update::Connected(name));
                self.board = Some(board);
                self.show();
            }
            Err(_) => sleep(RETRY),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_game_on_the_board_has_other_players() {
        let classic = setup_named("blokus-classic").unwrap();
        let color = Some("green".into());
        let options =
            Options { place: Place::Found, setup: None, color, level: None, engine: None };
        let game = Match::new(classic);
        let own = players_of(&game, options.color.as_deref()).unwrap();
        let mut shown = None;
        let tell = |update| shown = Some(update);
        let mut table = Table { options, board: None, engine: None, game, own: own.clone(), tell };
        let mut continued = Match::new(classic);
        continued.play_next("a20").unwrap();
        table.take_over(continued);
        assert_eq!(table.own, own, "the same game goes on");
        table.take_over(Match::default());
        assert_eq!(table.own, [Player::FIRST], "there is no green in this game");
        table.show();
        let Some(Update::Game(game, own)) = shown else { panic!("no game: {shown:?}") };
        assert!(own.iter().all(|player| player.index() < game.colors().len()));
    }
}
