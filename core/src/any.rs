//! Every game behind one face, for those who don't care which game it is.

use core::fmt::{self, Write};

use heapless::Vec;

use crate::bots::{BotIndex, BotList};
use crate::choice::Best;
use crate::engine::{Engine, Opponent, Skill, Thinking, Unsolved, level_budget, limit_budget};
use crate::game::{Canvas, Game, MoveCode, Notation};
use crate::list::filled;
use crate::mix::Rng;
use crate::player::{Color, Player};
use crate::refusal::Refusal;
use crate::search::budget::{Budget, Meter};
use crate::search::{LINE, Report, Solution};

/// A position of any game, moves being numbers: [`Game`] and [`Engine`] as an object.
///
/// Where a move is asked for, a number that is no move of this board is none at all: it is refused,
/// changes nothing, or is written as nothing.
pub trait AnyGame {
    /// The players in turn order.
    fn colors(&self) -> &'static [Color];
    /// How many people sit at the board.
    fn people(&self) -> usize;
    /// Whose turn it is.
    fn turn(&self) -> Player;
    /// Makes it another player's turn.
    fn set_turn(&mut self, player: Player);
    /// Whether nobody can move any more.
    fn is_over(&self) -> bool;
    /// Whether the player to move can only pass.
    fn must_pass(&self) -> bool;
    /// A player's points as they stand.
    fn score(&self, player: Player) -> i16;
    /// Says why a move is not legal.
    fn check(&self, mv: MoveCode) -> Result<(), Refusal>;
    /// Plays a legal move.
    fn play(&mut self, mv: MoveCode);
    /// Counts the legal moves, a forced pass as one.
    fn count_moves(&self) -> u32;
    /// Visits the legal moves.
    fn for_each_move(&self, visit: &mut dyn FnMut(MoveCode));
    /// Reads a move as people write it.
    fn parse_move(&self, text: &str) -> Result<MoveCode, Refusal>;
    /// Writes a move.
    fn write_move(&self, mv: MoveCode, notation: Notation, out: &mut dyn Write) -> fmt::Result;
    /// Whether the game has a text for its positions. Otherwise the moves that lead there serve.
    fn has_text(&self) -> bool;
    /// Becomes the position of a text, with the same options.
    fn parse_position(&mut self, text: &str) -> Result<(), Refusal>;
    /// Writes the position, if the game has a text for it.
    fn write_position(&self, out: &mut dyn Write) -> fmt::Result;
    /// Draws the board with the last move marked.
    fn draw(&self, last: Option<MoveCode>, out: &mut dyn Canvas) -> fmt::Result;
    /// A move as a save has it.
    fn pack(&self, mv: MoveCode) -> Option<u64>;
    /// The move of a save.
    fn unpack(&self, packed: u64) -> Option<MoveCode>;
    /// The move that an opponent would play; `None` when the game is over. A forced move comes at
    /// once.
    fn choose(
        &self,
        opponent: Opponent<BotIndex>,
        thinking: &mut Thinking<'_>,
        report: &mut dyn FnMut(&Report<'_, MoveCode>),
    ) -> Option<MoveCode>;
    /// Works the position out.
    fn solve(
        &self,
        memory: &mut [u64],
        meter: &mut Meter<'_>,
    ) -> Result<Solution<MoveCode>, Unsolved>;
}

/// Why a number is no move of the board. No player sees it: numbers come from moves.
#[derive(Debug)]
struct NoMove;

impl fmt::Display for NoMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::game::Reason::short(self, f)
    }
}

impl crate::game::Reason for NoMove {
    fn short(&self, out: &mut dyn Write) -> fmt::Result {
        out.write_str("no such move")
    }
}

/// What a player is called in a game with these colours.
pub fn color_name(colors: &[Color], player: Player) -> &'static str {
    colors.get(player.index()).map_or("", |color| color.name)
}

impl<G: Engine> AnyGame for G {
    fn colors(&self) -> &'static [Color] {
        G::COLORS
    }

    fn people(&self) -> usize {
        Game::people(self)
    }

    fn turn(&self) -> Player {
        Game::turn(self)
    }

    fn set_turn(&mut self, player: Player) {
        *self = self.with_turn(player);
    }

    fn is_over(&self) -> bool {
        Game::is_over(self)
    }

    fn must_pass(&self) -> bool {
        self.forced_pass().is_some()
    }

    fn score(&self, player: Player) -> i16 {
        Game::score(self, player)
    }

    fn check(&self, mv: MoveCode) -> Result<(), Refusal> {
        Ok(Game::check(self, self.decode(mv).ok_or(NoMove)?)?)
    }

    fn play(&mut self, mv: MoveCode) {
        if let Some(mv) = self.decode(mv) {
            Game::play(self, mv);
        }
    }

    fn count_moves(&self) -> u32 {
        Game::count_moves(self)
    }

    fn for_each_move(&self, visit: &mut dyn FnMut(MoveCode)) {
        Game::for_each_move(self, |mv| visit(G::encode(mv)));
    }

    fn parse_move(&self, text: &str) -> Result<MoveCode, Refusal> {
        Ok(G::encode(Game::parse_move(self, text)?))
    }

    fn write_move(&self, mv: MoveCode, notation: Notation, out: &mut dyn Write) -> fmt::Result {
        self.decode(mv).map_or(Ok(()), |mv| self.write_move_in(mv, notation, out))
    }

    fn has_text(&self) -> bool {
        !G::POSITION_IS_MOVES
    }

    fn parse_position(&mut self, text: &str) -> Result<(), Refusal> {
        *self = Game::parse_position(self, text)?;
        Ok(())
    }

    fn write_position(&self, out: &mut dyn Write) -> fmt::Result {
        Game::write_position(self, out)
    }

    fn draw(&self, last: Option<MoveCode>, out: &mut dyn Canvas) -> fmt::Result {
        Game::draw(self, last.and_then(|mv| self.decode(mv)), out)
    }

    fn pack(&self, mv: MoveCode) -> Option<u64> {
        self.decode(mv).map(|mv| Game::pack(self, mv))
    }

    fn unpack(&self, packed: u64) -> Option<MoveCode> {
        Game::unpack(self, packed).map(G::encode)
    }

    /// On its own, so that a search has nothing of the rest on its stack.
    #[inline(never)]
    fn choose(
        &self,
        opponent: Opponent<BotIndex>,
        thinking: &mut Thinking<'_>,
        report: &mut dyn FnMut(&Report<'_, MoveCode>),
    ) -> Option<MoveCode> {
        let budget = match plan(self, opponent, &G::LEVELS, G::NODES_PER_BOARD_SECOND, thinking) {
            Plan::AnyMove => return random_code(self, thinking.rng),
            Plan::Bot(BotIndex(bot)) => {
                let bot = G::Bot::ALL.get(usize::from(bot))?;
                return self.bot_move(*bot, thinking).map(G::encode);
            }
            Plan::Search(budget) => budget,
        };
        let varied = matches!(opponent, Opponent::Level(_));
        let mut told = |said: &Report<'_, G::Move>| {
            let line: Vec<MoveCode, LINE> = filled(said.line.iter().map(|mv| G::encode(*mv)));
            report(&said.with_line(&line));
        };
        self.best(thinking.memory, &mut Meter::new(budget), thinking.rng, varied, &mut told)
            .map(G::encode)
    }

    fn solve(
        &self,
        memory: &mut [u64],
        meter: &mut Meter<'_>,
    ) -> Result<Solution<MoveCode>, Unsolved> {
        let Solution { score, best } = self.solution(memory, meter)?;
        Ok(Solution { score, best: best.map(G::encode) })
    }
}

/// How an opponent finds its move.
enum Plan<'a> {
    /// It moves at random: there is no choice, or the level slips.
    AnyMove,
    /// As this bot does.
    Bot(BotIndex),
    /// By a search.
    Search(Budget<'a>),
}

/// What an opponent does about a move. Not generic, so that it is in an image once.
#[inline(never)]
fn plan<'a>(
    game: &dyn AnyGame,
    opponent: Opponent<BotIndex>,
    levels: &[Skill; 9],
    rate: u64,
    thinking: &mut Thinking<'a>,
) -> Plan<'a> {
    if game.count_moves() <= 1 {
        return Plan::AnyMove;
    }
    match opponent {
        Opponent::Bot(bot) => Plan::Bot(bot),
        Opponent::Level(level) => {
            level_budget(levels, level, thinking).map_or(Plan::AnyMove, Plan::Search)
        }
        Opponent::Limit(limit) => Plan::Search(limit_budget(limit, rate, thinking)),
    }
}

/// Any legal move, each as likely as the others; `None` when the game is over.
pub fn random_code(game: &dyn AnyGame, rng: &mut Rng) -> Option<MoveCode> {
    let mut best = Best::new();
    let mut chosen = None;
    game.for_each_move(&mut |mv| {
        if best.takes(0, rng) {
            chosen = Some(mv);
        }
    });
    chosen
}
