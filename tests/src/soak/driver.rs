//! One episode: what is done to a board, and what must hold then.
use super::{
    Soaked, Totals,
    combinations::{Combination, Player},
    link::{INTERRUPT, Link, SOON, STOPPED},
    picture::Pictures,
};
use crate::{board::Key, host::Host, measure::SPARE};
use anyhow::{Context, Result, bail, ensure};
use corvid::reading::shows;
use corvid_core::{
    any::random_code,
    game::{MAX_PLIES, Notation},
    mix::Rng,
    session::{Match, MoveText},
    setup::Setup,
};
use std::time::Duration;

/// The longest that a player is waited for before Ctrl-C.
const PATIENCE: Duration = Duration::from_secs(6);

/// Long enough to draw a screen, an animation included.
const DRAWN: Duration = Duration::from_millis(450);

/// What an episode does to a board.
#[derive(Debug)]
pub(super) struct Driver<'a, B> {
    link: Link<'a, B>,
    rng: Rng,
    /// The same game on the host.
    host: Host,
    /// When the board was last asked how long it has been on, and what it said.
    uptime: Duration,
}

const fn millis(millis: u32) -> Duration {
    Duration::from_millis(millis as u64)
}

impl<'a, B: Soaked> Driver<'a, B> {
    pub(super) fn new(board: &'a mut B, rng: Rng, totals: &'a mut Totals) -> Self {
        let host = Host::like(&corvid_firmware::profile::LM3S6965EVB);
        Self { link: Link::new(board, totals), rng, host, uptime: Duration::ZERO }
    }

    /// The last inputs.
    pub(super) fn recent(&self) -> String {
        self.link.recent()
    }

    /// Runs the episode.
    pub(super) fn episode(&mut self, taken: &[(usize, Combination)], rest: Duration) -> Result<()> {
        let begun = self.link.board.time()?;
        self.link.resume()?;
        let busy = self.busy()?;
        self.uptime = self.uptime()?;
        let mut before = (begun, busy);
        for (index, combination) in taken {
            self.play(combination)
                .with_context(|| format!("{}, {}", combination.setup, combination.player))?;
            self.link.totals.covered.insert(*index);
            self.check_screen()?;
            match self.rng.below(6) {
                0 => self.noise()?,
                1 => self.contest()?,
                2 => self.disturb(&mut before)?,
                _ => self.walk()?,
            }
        }
        self.check_health()?;
        if !rest.is_zero() {
            self.rest(rest)?;
        }
        self.count(before)
    }

    /// Leaves the board alone for a while, as most of its days pass. Its clock goes on, and it answers
    /// afterwards as before.
    fn rest(&mut self, most: Duration) -> Result<()> {
        let time = millis(self.rng.below(most.as_millis() as u32));
        self.link.note(format!("left alone for {time:?}"));
        self.link.board.run_for(time)?;
        self.link.totals.resting += time;
        self.link.resume()?;
        let uptime = self.uptime()?;
        let expected = self.uptime + time;
        ensure!(uptime + 2 * SOON >= expected, "on for {uptime:?} instead of {expected:?}");
        self.check_game()?;
        self.check_health()
    }

    /// Adds the time since then to the totals: the board's, and what it has worked.
    fn count(&mut self, (begun, busy): (Duration, Duration)) -> Result<()> {
        let now = self.busy()?;
        self.link.totals.thinking += now.saturating_sub(busy);
        self.link.totals.device += self.link.board.time()?.saturating_sub(begun);
        Ok(())
    }

    fn busy(&mut self) -> Result<Duration> {
        let text = self.link.order("cputime")?;
        Ok(Duration::from_secs_f64(text.parse().with_context(|| text.clone())?))
    }

    fn uptime(&mut self) -> Result<Duration> {
        let text = self.link.stat("uptime")?;
        let seconds = text.trim_end_matches(" s").parse().with_context(|| text.clone())?;
        Ok(Duration::from_secs(seconds))
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.rng.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.rng.below(items.len() as u32) as usize]
    }

    /// The colour to move.
    fn turn(&self) -> &'static str {
        let game = self.host.game();
        game.colors()[game.turn().index()].name
    }

    /// Sends a command to both, whose answers must be the same.
    fn same(&mut self, command: &str) -> Result<String> {
        let answer = self.link.ask(command)?;
        let expected = self.host.ask(command);
        ensure!(
            answer.trim_end() == expected.trim_end(),
            "{command}: the board says {answer:?}, the host {expected:?}"
        );
        self.link.totals.compared += 1;
        Ok(answer)
    }

    /// Begins a game at a random position, lets a player move in it, and does other things between.
    fn play(&mut self, combination: &Combination) -> Result<()> {
        let Combination { setup, player } = combination;
        self.same(&format!("new {setup}"))?;
        self.go_somewhere(*setup)?;
        let answer = self.link.ask(&player.to_string())?;
        ensure!(answer == "=", "{player}: {answer}");
        let times = ["0 0 0", "0 2 1", "0 3 1", "0 5 1", "60 0 0", "4294967295 0 0"];
        let times = self.pick(&times);
        self.link.order(&format!("time_settings {times}"))?;
        for _ in 0..1 + self.rng.below(3) {
            self.generate(*player)?;
            for _ in 0..self.rng.below(4) {
                self.more()?;
            }
        }
        if self.chance(B::THOUGHTFUL) {
            self.ponder()?;
        }
        self.same("moves")?;
        self.same("position")?;
        Ok(())
    }

    /// Lets the strongest level think for some seconds.
    fn ponder(&mut self) -> Result<()> {
        let seconds = 4 + self.rng.below(9);
        self.link.order("level 9")?;
        self.link.order(&format!("time_settings 0 {seconds} 1"))?;
        let command = format!("reg_genmove {}", self.turn());
        let answer = self.think(&command, millis(1000 * seconds) + 2 * SOON)?;
        let text = answer.strip_prefix("= ").with_context(|| format!("{command}: {answer}"))?;
        self.check_legal(text)
    }

    /// Plays random moves, or sets the position after them.
    fn go_somewhere(&mut self, setup: Setup) -> Result<()> {
        let mut game = Match::new(setup);
        let plies = match self.rng.below(3) {
            0 => 0,
            1 => self.rng.below(12),
            _ => self.rng.below(MAX_PLIES as u32),
        };
        let by_text = plies > 12 || self.chance(50);
        for _ in 0..plies {
            let Some(mv) = random_code(game.now(), &mut self.rng) else { break };
            let turn = game.turn();
            let mut text = MoveText::new();
            game.now().write_move(mv, Notation::Plain, &mut text)?;
            ensure!(game.play(turn, &text).is_ok(), "the host refuses {text}");
            if !by_text {
                let color = game.colors()[turn.index()].name;
                self.same(&format!("play {color} {text}"))?;
            }
        }
        if by_text && game.plies() > 0 {
            let mut text = String::from("position ");
            game.write_position(&mut text)?;
            self.same(&text)?;
        }
        Ok(())
    }

    /// Asks for a move, which must be legal; sometimes ends the search before.
    fn generate(&mut self, player: Player) -> Result<()> {
        let command = self.pick(&["genmove", "genmove", "reg_genmove"]);
        let color = self.turn();
        let endless = player == Player::Nodes(4_000_000_000);
        let patience = self.patience(endless);
        let answer = self.think(&format!("{command} {color}"), patience)?;
        let Some(text) = answer.strip_prefix("= ") else {
            ensure!(answer.starts_with('?') && answer.contains("stopped"), "{command}: {answer}");
            return Ok(());
        };
        if command == "genmove" {
            let played = self.host.ask(&format!("play {color} {text}"));
            ensure!(played.starts_with('='), "{command}: the host says {played} to {text}");
        } else {
            self.check_legal(text)?;
        }
        self.link.totals.compared += 1;
        Ok(())
    }

    /// How long to wait for an answer before Ctrl-C.
    fn patience(&mut self, endless: bool) -> Duration {
        let whole = self.chance(B::THOUGHTFUL);
        match (whole, endless) {
            (true, false) => PATIENCE,
            (true, true) => millis(1_000 + self.rng.below(4_000)),
            (false, _) => millis(self.rng.below(250)),
        }
    }

    fn check_legal(&self, text: &str) -> Result<()> {
        let mut game = self.host.game().clone();
        let turn = game.turn();
        ensure!(game.play(turn, text).is_ok(), "{text} is not legal");
        Ok(())
    }

    /// Runs a command that may take long; `? stopped` if Ctrl-C had to end it.
    fn think(&mut self, command: &str, patience: Duration) -> Result<String> {
        self.link.begin(command)?;
        let answer = self.link.answer(patience)?;
        let answer = match answer {
            Some(answer) => answer,
            None => return self.link.interrupt().with_context(|| command.to_owned()),
        };
        ensure!(!answer.contains("stopped"), "{command} stopped by itself: {answer}");
        Ok(answer)
    }

    /// Another command.
    fn more(&mut self) -> Result<()> {
        let color = self.turn();
        match self.rng.below(24) {
            0 | 1 => drop(self.same("undo")?),
            2 => drop(self.same("showboard")?),
            3 => drop(self.same(&format!("all_legal {color}"))?),
            4 => drop(self.same("final_score")?),
            5 => drop(self.same(&format!("play {color} z99"))?),
            6 => drop(self.same(&format!("play {color} a1"))?),
            7 => drop(self.same("play purple d3")?),
            8 => drop(self.same("boardsize 99")?),
            9 => drop(self.same("level 0")?),
            10 => drop(self.same("position nonsense")?),
            11 => drop(self.same("perft 2")?),
            12 | 13 => {
                let patience = self.patience(true);
                self.think("perft 12", patience)?;
            }
            14 => {
                let patience = self.patience(false);
                self.think("solve", patience)?;
            }
            15 | 16 => {
                let patience = self.patience(false);
                let answer = self.think("hint", patience)?;
                if let Some(text) = answer.strip_prefix("= ") {
                    self.check_legal(text)?;
                }
            }
            17 => {
                let line = "x".repeat(2049 + self.rng.below(3000) as usize);
                self.link.totals.garbage += line.len() as u64;
                self.link.begin(&line)?;
                let text = self.link.board.receive_until("\n\n", 3 * SOON)?;
                ensure!(text.contains("line longer than"), "{text}");
            }
            18 => {
                let screen = self.link.order("screen")?;
                ensure!(screen.lines().count() >= 16, "{screen}");
            }
            19 => drop(self.link.ask("statistics")?),
            20 => drop(self.link.order("help")?),
            21 => drop(self.link.order("games")?),
            22 => {
                // A line in two parts.
                let (time, number) = (millis(self.rng.below(200)), self.rng.below(1000));
                self.link.board.send(format!("{number} na").as_bytes())?;
                self.link.board.run_for(time)?;
                self.link.board.send(b"me\n")?;
                let end = format!("={number} Corvid\n\n");
                self.link.board.receive_until(&end, SOON)?;
            }
            _ => {
                let echo = self.pick(&["on", "typed", "off"]);
                self.link.note(format!("echo {echo}"));
                self.link.board.send(format!("echo {echo}\n").as_bytes())?;
                let progress = self.pick(&["on", "off"]);
                self.link.board.send(format!("progress {progress}\nname\n").as_bytes())?;
                self.link.board.run_for(millis(100))?;
                self.link.resume()?;
            }
        }
        Ok(())
    }

    /// Sends what means nothing, at once, in one of three echo modes. An earlier line may be recalled
    /// by it.
    fn noise(&mut self) -> Result<()> {
        let echo = self.pick(&["on", "typed", "off"]);
        self.link.board.send(format!("echo {echo}\n").as_bytes())?;
        let count = if self.chance(30) { 2048 } else { self.rng.below(300) };
        let printable = self.chance(50);
        let bytes: Vec<u8> = (0..count)
            .map(|_| match (self.rng.below(40), printable) {
                (0, _) => b'\n',
                (1, _) => b' ',
                (_, true) => 0x20 + self.rng.below(0x5f) as u8,
                (_, false) => self.rng.below(256) as u8,
            })
            .collect();
        self.link.note(format!("echo {echo}, {count} bytes of noise"));
        self.link.totals.garbage += u64::from(count);
        self.link.board.send_paced(&bytes)?;
        self.link.board.run_for(millis(self.rng.below(300)))?;
        // Two bytes that the others may have made part of a sequence.
        self.link.resume()?;
        self.check_game()
    }

    /// Speaks the contest's protocol, and leaves it.
    fn contest(&mut self) -> Result<()> {
        let dialect = self.pick(&["2014", "2013"]);
        self.link.order(&format!("icfpt {dialect}"))?;
        self.link.board.run_for(millis(60))?;
        self.link.board.send(b"0")?;
        self.link.board.receive_until("1CV", SOON)?;
        if self.chance(B::THOUGHTFUL) {
            self.link.board.run_for(millis(60))?;
            // The second for the answer begins here, so no byte may be on its way while it runs.
            self.link.board.send_now(b"25")?;
            self.link.board.receive(4, SOON).context("no first move")?;
        } else {
            let noise: Vec<u8> = (0..20).map(|_| b'0' + self.rng.below(70) as u8).collect();
            self.link.totals.garbage += noise.len() as u64;
            self.link.board.send(&noise)?;
        }
        self.link.board.run_for(millis(1_100))?;
        self.link.board.send(&[INTERRUPT, INTERRUPT].concat())?;
        self.link.board.receive_until("the contest is over\r\n", 2 * SOON)?;
        self.link.resume()
    }

    /// Presses keys at random, with a line in between now and then.
    fn walk(&mut self) -> Result<()> {
        for _ in 0..5 + self.rng.below(25) {
            self.press()?;
            if self.chance(10) {
                self.link.order("version")?;
            }
            let most = if self.chance(80) { 60 } else { 1_500 };
            let pause = self.rng.below(most);
            self.link.board.run_for(millis(pause + 1))?;
        }
        self.link.resume()?;
        self.check_game()
    }

    fn press(&mut self) -> Result<()> {
        let key = self.pick(&Key::ALL);
        let (kind, time) = (self.rng.below(10), self.rng.below(40));
        self.link.note(format!("key {}, {kind}, {time}", key.name()));
        self.link.totals.keys += 1;
        let board = &mut *self.link.board;
        match kind {
            0 => board.hold(key, millis(700 + 20 * time)),
            1 => board.hold(key, millis(200 + 10 * time)),
            2 => {
                // It bounces.
                for _ in 0..4 {
                    board.press_for(key, millis(1 + time / 10), millis(1 + time / 10))?;
                }
                board.tap(key)
            }
            3 => {
                let other = Key::ALL[time as usize % 5];
                self.link.totals.keys += 1;
                board.press(key)?;
                board.run_for(millis(time + 1))?;
                board.press(other)?;
                board.run_for(millis(60))?;
                board.release(key)?;
                board.run_for(millis(time + 1))?;
                board.release(other)
            }
            _ => board.tap(key),
        }
    }

    /// The game on the board, whoever has changed it, must be one that the rules allow: it begins with
    /// its usual position, or with what the driver last set, and its moves lead to what it is.
    fn check_game(&mut self) -> Result<()> {
        for _ in 0..50 {
            let (setup, moves) = (self.link.stat("game")?, self.link.order("moves")?);
            let position = self.link.order("position")?;
            let same = self.link.order("moves")? == moves && self.link.stat("game")? == setup;
            if same {
                self.link.totals.compared += 1;
                return self.check_replay(&setup, &moves, &position);
            }
            // A computer has moved.
        }
        bail!("the game never rests")
    }

    fn check_replay(&self, setup: &str, moves: &str, position: &str) -> Result<()> {
        let mut host = Host::like(&corvid_firmware::profile::LM3S6965EVB);
        ensure!(host.ask(&format!("new {setup}")) == "=", "no such game: {setup}");
        let starts = [host.game().start().clone(), self.host.game().start().clone()];
        for start in starts {
            if start.kind() != host.game().kind() {
                continue;
            }
            let mut game = host.game().clone();
            let mut text = String::new();
            if start.get().has_text() {
                start.get().write_position(&mut text)?;
                if game.set_position(&text).is_err() {
                    continue;
                }
            }
            let legal = moves.split_ascii_whitespace().all(|mv| game.play_next(mv).is_ok());
            let mut now = String::new();
            game.write_position(&mut now)?;
            if legal && now.trim() == position {
                return Ok(());
            }
        }
        bail!("{moves:?} in {setup} does not lead to {position:?}")
    }

    /// The display must show the game that the driver has set, and a key must move its cursor.
    fn check_screen(&mut self) -> Result<()> {
        let comforts = self.link.board.profile()?.comforts;
        let pictures = Pictures::of(comforts, self.host.game());
        self.show_board(&pictures)?;
        self.link.totals.compared += 1;
        if self.host.game().is_over() || self.host.game().must_pass() {
            return Ok(());
        }
        if self.chance(50) {
            // The select key ends what the line asks for.
            self.link.begin("perft 12")?;
            self.link.board.run_for(millis(20 + self.rng.below(100)))?;
            self.link.note("key select".into());
            self.link.totals.keys += 1;
            self.link.totals.stopped += 1;
            self.link.board.tap(Key::Select)?;
            let answer = self.link.answer(STOPPED)?.context("select does not end perft")?;
            if !answer.contains("stopped") {
                // It was done before, and the key may have made a move.
                ensure!(answer.contains("perft"), "{answer}");
                return Ok(());
            }
        }
        // One of them moves the cursor or opens the tray, where there is one.
        let before = self.link.board.screen()?;
        let mut changed = false;
        for key in [Key::Down, Key::Right] {
            self.link.note(format!("key {}", key.name()));
            self.link.totals.keys += 1;
            self.link.board.tap(key)?;
            self.link.board.run_for(STOPPED)?;
            changed |= self.link.board.screen()? != before;
        }
        ensure!(changed, "no key is answered");
        Ok(())
    }

    /// Opens the board of the game by keys, from any screen.
    fn show_board(&mut self, pictures: &Pictures) -> Result<()> {
        let mut screen = self.link.board.screen()?;
        for step in 0..40 {
            self.link.board.run_for(DRAWN)?;
            screen = self.link.board.screen()?;
            if pictures.shown(&screen).is_some() {
                return Ok(());
            }
            // Holding select leads back, and finally to the main menu.
            if step >= 4 && shows(&screen.frame(), "Corvid") {
                self.link.order("key down")?;
                self.link.order("key select")?;
            } else {
                self.link.order("key menu")?;
            }
        }
        let example = pictures.example();
        bail!("the display never shows the board of the game but {screen:?}\nexpected {example}")
    }

    /// Nothing has failed, and the stack is large enough.
    fn check_health(&mut self) -> Result<()> {
        let failure = self.link.stat("failure")?;
        ensure!(failure == "none", "the board failed: {failure}");
        let start = self.link.stat("start")?;
        ensure!(start == "power on" || start == "start", "it started again: {start}");
        let uptime = self.uptime()?;
        ensure!(uptime >= self.uptime, "on for {uptime:?} after {:?}", self.uptime);
        self.uptime = uptime;
        if let Some((used, all)) = self.link.board.stack_taken()? {
            ensure!(used + SPARE <= all, "{used} of {all} bytes of stack");
            self.link.totals.stack = self.link.totals.stack.max(used);
        }
        Ok(())
    }

    /// What only the Pico's emulator can do: cuts of the power, a host that does not read, a display
    /// that is pulled out. Keys on other boards.
    fn disturb(&mut self, before: &mut (Duration, Duration)) -> Result<()> {
        if self.link.board.pico().is_none() {
            return self.walk();
        }
        match self.rng.below(4) {
            0 => {
                self.link.note("the host does not read".into());
                self.pico()?.set_listening(false)?;
                self.link.board.send("list_commands\n".repeat(8).as_bytes())?;
                let time = millis(100 + self.rng.below(3_000));
                self.link.board.run_for(time)?;
                self.press()?;
                self.pico()?.set_listening(true)?;
                self.link.board.run_for(SOON)?;
                self.link.resume()?;
                self.check_game()
            }
            1 => {
                self.link.note("no display".into());
                self.pico()?.set_display(false)?;
                self.walk()?;
                self.pico()?.set_display(true)?;
                self.link.board.run_for(2 * SOON)
            }
            _ => self.cut(before),
        }
    }

    fn pico(&mut self) -> Result<&mut crate::rp2040::Pico> {
        self.link.board.pico().context("a Pico")
    }

    /// Makes moves until the power is cut: the game is the one before the last command or after it.
    fn cut(&mut self, before: &mut (Duration, Duration)) -> Result<()> {
        let setup = self.host.game().setup();
        self.same(&format!("new {setup}"))?;
        for _ in 0..self.rng.below(6) {
            self.play_random()?;
        }
        let known = self.host.game().clone();
        let Some(mv) = random_code(known.now(), &mut self.rng) else { return Ok(()) };
        let mut text = MoveText::new();
        known.now().write_move(mv, Notation::Plain, &mut text)?;
        let command = format!("play {} {text}", self.turn());
        self.host.ask(&command);
        self.count(*before)?;
        let (seed, later) = (u64::from(self.rng.next_u32()), self.rng.below(2));
        let within = millis(1 + self.rng.below(15));
        self.link.note(format!("{command}, and the power is cut within {within:?}"));
        self.link.board.send(format!("{command}\n").as_bytes())?;
        let in_flash = self.chance(50);
        let pico = self.pico()?;
        if in_flash {
            pico.cut_in_flash(later, within, seed)?;
        } else {
            pico.cut_after(within, seed)?;
        }
        self.link.board.run_for(2 * within)?;
        let pico = self.pico()?;
        pico.cut()?.context("the power did not go")?;
        pico.power_on()?;
        self.link.totals.cuts += 1;
        self.link.totals.restarts += 1;
        self.link.board.run_for(SOON)?;
        self.link.resume()?;
        let moves = self.link.order("moves")?;
        let matches = |game: &Match| -> Result<bool> {
            let mut text = String::new();
            game.write_moves(Notation::Plain, ' ', &mut text)?;
            Ok(text.trim() == moves)
        };
        let earlier = {
            let mut game = known.clone();
            game.undo();
            game
        };
        let found = matches(self.host.game())? || matches(&known)? || matches(&earlier)?;
        ensure!(found, "after a power cut the moves are {moves:?}");
        self.link.totals.compared += 1;
        self.uptime = self.uptime()?;
        *before = (self.link.board.time()?, self.busy()?);
        Ok(())
    }

    fn play_random(&mut self) -> Result<()> {
        let Some(mv) = random_code(self.host.game().now(), &mut self.rng) else { return Ok(()) };
        let mut text = MoveText::new();
        self.host.game().now().write_move(mv, Notation::Plain, &mut text)?;
        let command = format!("play {} {text}", self.turn());
        self.same(&command)?;
        Ok(())
    }
}
