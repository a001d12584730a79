//! The Pico's real image, with the power cut at random instants: every start resumes with a legal
//! position at most one move old.
//!
//! `CUTS=5000 cargo test -p corvid-tests --test power_cut` cuts as often as you like.
use anyhow::{Context, Result, ensure};
use corvid_core::{
    any::random_code,
    game::Notation,
    mix::Rng,
    registry::GameKind,
    session::{Match, MoveText},
    setup::Setup,
};
use corvid_tests::{
    board::Board,
    rp2040::{Cut, Pico},
};
use std::time::Duration;

/// Cuts in all, in two tests that run side by side.
const CUTS: usize = 500;

/// Enough for any answer, a start and an erase included.
const SOON: Duration = Duration::from_secs(2);

/// The time of a start: a page is erased.
const START: Duration = Duration::from_millis(70);

/// The time of a command that changes the game, including its save.
const MOVE: Duration = Duration::from_millis(12);

#[test]
fn games_survive_half_of_the_cuts() -> Result<()> {
    survive(1)
}

#[test]
fn games_survive_the_other_half() -> Result<()> {
    survive(2)
}

/// The state of the game after each command that changed it, as the host knows it.
struct Games {
    states: Vec<Match>,
    /// The last state whose command the board has answered.
    answered: usize,
}

/// A board, and what it must know.
struct Player {
    board: Pico,
    rng: Rng,
    games: Games,
}

fn survive(seed: u64) -> Result<()> {
    let cuts = match std::env::var("CUTS") {
        Ok(text) => text.parse().context("CUTS is a number")?,
        Err(_) => CUTS,
    };
    let games = Games { states: vec![Match::default()], answered: 0 };
    let mut player = Player { board: Pico::start()?, rng: Rng::new(seed), games };
    let (mut all, mut erases, mut writes, mut late) = (0, 0, 0, 0);
    while all < cuts / 2 {
        late += usize::from(player.resume().with_context(|| format!("after cut {all}"))?);
        let mut cut = player.play_until_cut()?;
        loop {
            all += 1;
            erases += usize::from(cut == Cut::Erase);
            writes += usize::from(cut == Cut::Write);
            player.board.power_on()?;
            // Sometimes the power is cut again before the game is restored.
            if player.rng.below(5) >= 2 {
                break;
            }
            cut = player.cut(START)?;
        }
    }
    player.resume()?;
    println!("{all} cuts: {erases} in an erase, {writes} in a write; {late} cost a move");
    ensure!(erases * 20 > all && writes * 10 > all, "the cuts hit too little");
    Ok(())
}

impl Player {
    /// Asks the board for its game and compares it with what it must know. True if the last move
    /// that it answered is lost.
    fn resume(&mut self) -> Result<bool> {
        let moves = self.board.ask("moves", SOON)?;
        let position = self.board.ask("position", SOON)?;
        let stats = self.board.ask("stats", SOON)?;
        ensure!(stats.lines().any(|line| line == "saving yes"), "a cut is no damage: {stats}");
        let known = &self.games.states[self.games.answered.saturating_sub(1)..];
        let same = |game: &&Match| {
            let mut expected = [String::from("= "), String::from("= ")];
            let [all, now] = &mut expected;
            // Two games can look alike before their first moves.
            let setup = format!("game {}", game.setup());
            stats.lines().any(|line| line == setup)
                && game.write_moves(Notation::Plain, ' ', all).is_ok()
                && game.write_position(now).is_ok()
                && [all.trim_end(), now.trim_end()] == [moves.trim_end(), position.trim_end()]
        };
        let found = known.iter().rposition(|game| same(&game));
        let found = found.with_context(|| {
            format!("{moves} {position} is none of the last {} states", known.len())
        })?;
        let lost = self.games.answered > 0 && found == 0 && known.len() > 1;
        self.games = Games { states: vec![known[found].clone()], answered: 0 };
        Ok(lost)
    }

    /// Plays some moves, and then one more that the power cut interrupts.
    fn play_until_cut(&mut self) -> Result<Cut> {
        for _ in 0..self.rng.below(3) {
            let command = self.next();
            let answer = self.board.ask(&command, SOON)?;
            ensure!(answer == "=", "{command}: {answer}");
            self.games.answered = self.games.states.len() - 1;
        }
        let command = self.next();
        self.board.send(format!("{command}\n").as_bytes())?;
        self.cut(MOVE)
    }

    /// A command that changes the game, which is recorded.
    fn next(&mut self) -> String {
        let mut game = self.games.states.last().expect("there is a game").clone();
        let choice = self.rng.below(20);
        let command = if game.is_over() || choice == 0 {
            let kind = GameKind::ALL[self.rng.below(5) as usize];
            game = Match::new(Setup::usual(kind));
            format!("set_game {kind}")
        } else if choice == 1 && game.undo() {
            String::from("undo")
        } else {
            let turn = game.turn();
            let mv = random_code(game.now(), &mut self.rng).expect("the game is not over");
            let mut text = MoveText::new();
            game.now().write_move(mv, Notation::Plain, &mut text).expect("it fits");
            game.play(turn, &text).expect("a legal move");
            format!("play {} {text}", game.colors()[turn.index()].name)
        };
        self.games.states.push(game);
        command
    }

    /// Cuts the power at a random instant within this time; every other time during a flash
    /// operation.
    fn cut(&mut self, within: Duration) -> Result<Cut> {
        let (part, seed) = (self.rng.below(1_000_000), u64::from(self.rng.next_u32()));
        if self.rng.below(2) == 0 {
            self.board.cut_after(within * part / 1_000_000, seed)?;
        } else {
            let later = self.rng.below(if within == START { 4 } else { 1 });
            self.board.cut_in_flash(later, within, seed)?;
        }
        self.board.run_for(SOON)?;
        self.board.cut()?.context("the power did not go")
    }
}
