//! The stack of the smallest board where the computers recurse deepest, in the positions of
//! `tests/data/deepest.txt`, which `cargo run -p corvid-tests --bin climb` finds.
//!
//! A search at the keys serves the serial port wherever it is, and the screen interrupts both. So a hint
//! is asked for with the keys, and then commands and screens that take much stack follow each other
//! without a pause. `CORVID_LONG=1` gives each position many times as long, and prints each.
use anyhow::{Context, Result, ensure};
use corvid::reading::shows;
use corvid_core::{game::Notation, registry::GameKind, session::Match};
use corvid_tests::{
    board::{Board, Key},
    climb::{Asked, DATA, Deep, read},
    measure::SPARE,
    qemu::Lm3s6965evb,
    soak::Soaked,
};
use std::{fs, time::Duration};
use xtask::root;

/// Enough for any answer that needs no search.
const SOON: Duration = Duration::from_secs(3);

/// Board time for a position, in short and at length.
const TIME: [Duration; 2] = [Duration::from_millis(600), Duration::from_secs(12)];

/// Long enough to draw a screen.
const DRAWN: Duration = Duration::from_millis(60);

/// Strengths that can be asked for a hint, before the bots.
const STRENGTHS: usize = 3;

/// From so many letters on, the menu writes a name in narrow ones, which are not read here.
const NARROW: usize = 15;

/// Bytes of lines that are sent at once: the board has room for 256.
const AT_ONCE: usize = 240;

/// The deepest stack in the positions of one game.
fn measure(kind: GameKind) -> Result<()> {
    let long = std::env::var_os("CORVID_LONG").is_some();
    let mut session = Session::start(TIME[usize::from(long)])?;
    let all = read(&fs::read_to_string(root().join(DATA))?)?;
    for deep in all.iter().filter(|deep| deep.setup.kind() == kind) {
        session.think(deep).with_context(|| deep.to_string())?;
        if long {
            let (used, _) = session.board.stack()?;
            println!("{used} bytes after {deep}, {} searches", session.searches);
        }
    }
    ensure!(session.searches > 0, "no search at the keys was seen");
    let stats = session.ask("stats")?;
    ensure!(stats.contains("\nfailure none"), "the board has started again: {stats}");
    let (used, all) = session.board.stack()?;
    println!("{}: deepest measured {used} of {all} bytes of stack", kind.title());
    ensure!(used + SPARE <= all, "{kind} takes {used} of {all} bytes of stack");
    Ok(())
}

/// A board on which hints are asked for.
struct Session {
    board: Lm3s6965evb,
    /// Board time for each position.
    time: Duration,
    /// Whom the menu offers to ask: a place among [`STRENGTHS`] and all bots.
    hinter: usize,
    /// How often the menu has shown that a hint was thought about.
    searches: u32,
    number: u32,
}

impl Session {
    /// Sets a minute for each move, and offers all bots.
    fn start(time: Duration) -> Result<Self> {
        let board = <Lm3s6965evb as Soaked>::new()?;
        let mut session = Self { board, time, hinter: 0, searches: 0, number: 0 };
        for line in ["echo off", "play b d3"] {
            session.order(line)?;
        }
        // To the menu, which points at the game in progress, up to the settings, and back.
        session.press(&["select", "up 3", "select", "down", "left 2"])?;
        session.expect("60 s")?;
        session.press(&["down 3", "right", "menu", "down 3", "select"])?;
        session.expect("white")?;
        Ok(session)
    }

    fn ask(&mut self, line: &str) -> Result<String> {
        self.number += 1;
        let number = self.number;
        self.board.send_paced(format!("{number} {line}\n").as_bytes())?;
        let mut text = self.board.receive_until("\n\n", SOON)?;
        while !text.contains(&format!("={number} ")) && !text.contains(&format!("?{number} ")) {
            text = self.board.receive_until("\n\n", SOON).with_context(|| line.to_owned())?;
        }
        Ok(text)
    }

    fn order(&mut self, line: &str) -> Result<()> {
        let answer = self.ask(line)?;
        ensure!(answer.contains('=') && !answer.contains('?'), "{line}: {answer}");
        Ok(())
    }

    /// Presses keys over the serial port: `right 3` is the right key three times.
    fn press(&mut self, keys: &[&str]) -> Result<()> {
        for line in lines_of(keys)? {
            self.order(&line)?;
        }
        self.board.run_for(DRAWN)
    }

    fn shows(&mut self, text: &str) -> Result<bool> {
        Ok(shows(&self.board.screen()?.frame(), text))
    }

    fn expect(&mut self, text: &str) -> Result<()> {
        ensure!(self.shows(text)?, "no '{text}' on the display");
        Ok(())
    }

    /// Thinks about a position, for a hint at the keys or as a command.
    fn think(&mut self, deep: &Deep) -> Result<()> {
        let Deep { setup, asked, position, .. } = deep;
        let mut game = Match::new(*setup);
        self.order(&format!("new {setup}"))?;
        if !position.is_empty() {
            game.set_position(position).map_err(|why| anyhow::anyhow!("{}", why.long()))?;
            self.order(&format!("position {position}"))?;
        }
        match asked {
            Asked::Level => self.hint(&game, 0, "advanced"),
            Asked::Bot(bot) => {
                let name = bot.name().replace(['-', ':'], " ");
                self.hint(&game, STRENGTHS + bot.index(), &name)
            }
            Asked::Solve | Asked::Perft => self.command(&game, &asked.to_string()),
        }
    }

    /// Asks for hints until the time is over, with lines and keys in between.
    fn hint(&mut self, game: &Match, hinter: usize, name: &str) -> Result<()> {
        let all = STRENGTHS + game.kind().info().bots.len();
        // A bot of another game counts as the first.
        let steps = (hinter + all - self.hinter % all) % all;
        self.hinter = hinter;
        self.press(&["menu", "down", &format!("right {steps}")])?;
        if name.len() < NARROW {
            self.expect(name)?;
        }
        self.press(&["select"])?;
        let lines = lines(game)?;
        let end = self.board.time()? + self.time;
        while self.board.time()? < end {
            self.press(&["menu"])?;
            let thinks = self.shows("Stop thinking")?;
            self.press(&["menu"])?;
            if !thinks {
                self.press(&["menu", "down", "select"])?;
            }
            self.searches += u32::from(thinks);
            self.ask_all(&lines)?;
        }
        self.board.send_now(b"\x03")?;
        self.board.run_for(2 * DRAWN)
    }

    /// Sends lines without waiting for their answers in between, as many as the board has room for.
    fn ask_all(&mut self, lines: &[String]) -> Result<()> {
        let mut rest = lines;
        while !rest.is_empty() {
            let mut text = String::new();
            while let Some((line, others)) = rest.split_first()
                && text.len() + line.len() < AT_ONCE
            {
                text += &format!("{line}\n");
                rest = others;
            }
            self.number += 1;
            let number = self.number;
            self.board.send(format!("{text}{number} name\n").as_bytes())?;
            self.board.receive_until(&format!("={number} Corvid\n\n"), SOON)?;
        }
        Ok(())
    }

    /// Has a command work until the time is over, with screens in between.
    fn command(&mut self, game: &Match, command: &str) -> Result<()> {
        self.board.send(format!("{command}\n").as_bytes())?;
        let end = self.board.time()? + self.time;
        self.board.hold_select()?;
        for _ in 0..ups_to_history(game) {
            self.board.tap(Key::Up)?;
        }
        for key in [Key::Select, Key::Down, Key::Select] {
            self.board.tap(key)?;
        }
        self.board.hold_select()?;
        let left = end.saturating_sub(self.board.time()?);
        self.board.run_for(left)?;
        self.board.send_now(b"\x03")?;
        self.board.run_for(2 * DRAWN)?;
        // Its answer, if it was not done before, comes first.
        self.ask("name").map(drop)
    }
}

/// How often to press up in the menu of a game for the history, which takes the most stack to draw.
fn ups_to_history(game: &Match) -> usize {
    let pieces = matches!(game.kind(), GameKind::BlokusDuo | GameKind::BlokusClassic);
    4 + usize::from(pieces) + usize::from(game.plies() > 0)
}

/// Keys as lines.
fn lines_of(keys: &[&str]) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for keys in keys {
        let (key, times) = keys.split_once(' ').unwrap_or((keys, "1"));
        (0..times.parse()?).for_each(|_| lines.push(format!("key {key}")));
    }
    Ok(lines)
}

/// Lines that change nothing, and between them keys that open and close screens.
fn lines(game: &Match) -> Result<Vec<String>> {
    let color = game.colors()[game.turn().index()].name;
    let refused = refused_position(game)?;
    let ups = format!("up {}", ups_to_history(game));
    let mut lines = Vec::new();
    for (keys, commands) in [
        (&["menu", &ups][..], &["showboard", "position"][..]),
        (&["select"], &["final_score", "stats", "games"]),
        (&["down", "up"], &["help perft", "capabilities", "list_commands"]),
        (&["select", "menu"], &["moves", "boardsize 99", "bot nobody", "new nothing"]),
    ] {
        for key in lines_of(keys)? {
            lines.push(key);
            lines.push("showboard".into());
        }
        lines.extend(commands.iter().map(|line| (*line).to_owned()));
        lines.push(format!("all_legal {color}"));
        lines.push(format!("play {color} z99"));
        lines.push(refused.clone());
    }
    Ok(lines)
}

/// A line that sets a position, with a mistake at its end.
fn refused_position(game: &Match) -> Result<String> {
    let mut line = String::from("position ");
    if game.now().has_text() {
        game.write_position(&mut line)?;
        line.pop();
        return Ok(line + "?");
    }
    // One move does: a board copies the whole position for each.
    game.write_ply(0, Notation::Plain, &mut line)?;
    Ok(line + " z99")
}

macro_rules! games {
    ($($name:ident: $kind:ident,)*) => {$(
        #[test]
        fn $name() -> Result<()> {
            measure(GameKind::$kind)
        }
    )*};
}

games! {
    othello_leaves_room_on_the_stack: Othello,
    adjacency_leaves_room_on_the_stack: Adjacency,
    dots_and_boxes_leaves_room_on_the_stack: Dots,
    blokus_duo_leaves_room_on_the_stack: BlokusDuo,
    blokus_classic_leaves_room_on_the_stack: BlokusClassic,
}
