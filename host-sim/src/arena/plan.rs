//! Which games a match has, and how each is played.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc;

use corvid_core::any::random_code;
use corvid_core::engine::{Level, Opponent, Thinking};
use corvid_core::game::{MoveCode, Notation};
use corvid_core::mix::{Rng, mix_in};
use corvid_core::refusal::Refusal;
use corvid_core::registry::AnyOpponent;
use corvid_core::session::Match;
use corvid_core::setup::Setup;
use corvid_core::thinker::NoAnswer;

use super::entrant::{Answerer, Entrant, Program};
use super::record::{Played, Record};
use crate::failure::Failure;
use crate::peer::color_word;
use crate::time::microseconds;

/// The time limit of a move, an hour, for players with a node budget: a busy machine must not
/// change their games.
const LONG: u64 = 3_600_000_000;

/// How the players change seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Orders {
    /// Every player moves one seat on: each has each seat once per opening.
    Rotations,
    /// Every order in which the players can sit.
    All,
}

impl Orders {
    /// Its name on the command line.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Rotations => "rotations",
            Self::All => "all",
        }
    }
}

/// A match: everything that decides its games.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) setup: Setup,
    /// One for each seat; the same one may have several.
    pub(crate) players: Vec<Entrant>,
    pub(crate) games: u32,
    /// Random plies before the players take over.
    pub(crate) openings: u32,
    pub(crate) seed: u64,
    /// The search memory of each player in KB.
    pub(crate) memory: usize,
    /// The time of a move for players who use all the time they have.
    pub(crate) micros: u64,
    pub(crate) order: Orders,
}

impl Plan {
    /// The seat orders of every opening: which player, by index, sits in each seat. Orders that
    /// differ only by swapping identical players count once.
    pub(crate) fn orders(&self) -> Vec<Vec<usize>> {
        let count = self.players.len();
        let mut orders: Vec<Vec<usize>> = Vec::new();
        let mut add = |order: Vec<usize>| {
            let names = |order: &[usize]| -> Vec<&str> {
                order.iter().map(|&player| self.players[player].name.as_str()).collect()
            };
            if self.order == Orders::Rotations || orders.iter().all(|o| names(o) != names(&order)) {
                orders.push(order);
            }
        };
        match self.order {
            Orders::Rotations => {
                (0..count).for_each(|by| add((0..count).map(|seat| (seat + by) % count).collect()));
            }
            Orders::All => permutations(&mut (0..count).collect(), 0, &mut add),
        }
        orders
    }

    /// The seat order of a game.
    pub(crate) fn order_of(&self, game: u32) -> Vec<usize> {
        let mut orders = self.orders();
        let index = game as usize % orders.len();
        orders.swap_remove(index)
    }

    /// A game; reproducible unless players have time limits. `None` if it was stopped.
    fn play_one(&self, number: u32, stop: &AtomicBool) -> Result<Option<Played>, Failure> {
        let order = self.order_of(number);
        let opening = u64::from(number) / self.orders().len() as u64;
        let mut opening_rng = Rng::new(mix_in(mix_in(self.seed, 0), opening));
        let mut rngs: Vec<Rng> = (0..order.len() as u64)
            .map(|seat| Rng::new(mix_in(mix_in(mix_in(self.seed, 1), number.into()), seat)))
            .collect();
        let mut memories = order
            .iter()
            .map(|_| crate::args::memory(self.memory))
            .collect::<Result<Vec<_>, _>>()?;
        let programs = (order.iter())
            .map(|&player| match &self.players[player].answerer {
                Answerer::Program(command) => Program::start(command).map(Some),
                Answerer::Here(_) => Ok(None),
            })
            .collect::<Result<Vec<_>, _>>();
        let is_stopped = || stop.load(Ordering::Relaxed);
        let mut programs = match programs {
            Err(_) if is_stopped() => return Ok(None),
            programs => programs?,
        };
        let mut game = Match::new(self.setup);
        // The moves so far, for programs and the record.
        let mut moves: Vec<(&str, String)> = Vec::new();
        while !game.is_over() {
            if is_stopped() {
                return Ok(None);
            }
            let player = game.turn();
            let seat = game.seat_of(player);
            let color = color_word(self.setup, player);
            let chosen = match (&self.players[order[seat]].answerer, &mut programs[seat]) {
                _ if game.plies() < self.openings as usize => {
                    Ok(random_text(&game, &mut opening_rng))
                }
                (Answerer::Program(_), Some(program)) if !game.must_pass() => {
                    match program.choose(&moves, color) {
                        Err(_) if is_stopped() => return Ok(None),
                        chosen => Ok(chosen?),
                    }
                }
                (Answerer::Program(_), _) => Ok(random_text(&game, &mut rngs[seat])),
                (Answerer::Here(opponent), _) => {
                    let by_time = *opponent == Opponent::Level(Level::MAX);
                    let mut thinking = Thinking {
                        memory: &mut memories[seat],
                        rng: &mut rngs[seat],
                        clock: &microseconds,
                        micros: if by_time { self.micros } else { LONG },
                        deadline: u64::MAX,
                        stop: Some(stop),
                        helper: None,
                    };
                    choose(&game, *opponent, &mut thinking)
                }
            };
            let played = chosen.and_then(|text| {
                game.play(player, &text)?;
                moves.push((color, text));
                Ok(())
            });
            if let Err(refusal) = played {
                // An illegal move is a bug of the player's program.
                let name = &self.players[order[seat]].name;
                let why = refusal.long();
                return Err(Failure::Other(format!("game {number}: {name} cannot move: {why}")));
            }
        }
        let scores = game.seat_scores().to_vec();
        let moves = moves.into_iter().map(|(color, text)| format!("{color} {text}")).collect();
        Ok(Some(Played { game: number, scores, moves }))
    }

    /// Plays the games that the record does not have, on several threads, and calls `told` after
    /// each. The final record does not depend on the number of threads.
    pub(crate) fn play(
        &self,
        record: &mut Record,
        threads: usize,
        stop: &AtomicBool,
        told: &mut dyn FnMut(&Record) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let missing: Vec<u32> = (0..self.games).filter(|game| !record.has(*game)).collect();
        let next = AtomicU32::new(0);
        // Stops the other threads when one fails.
        let given_up = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for _ in 0..threads.min(missing.len()) {
                let (sender, missing, next, given_up) =
                    (sender.clone(), &missing, &next, &given_up);
                scope.spawn(move || {
                    while !stop.load(Ordering::Relaxed) && !given_up.load(Ordering::Relaxed) {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(&game) = missing.get(index as usize) else { return };
                        if sender.send(self.play_one(game, stop)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let result = receiver.iter().try_for_each(|played| {
                if let Some(played) = played? {
                    record.add(played);
                    told(record)?;
                }
                Ok(())
            });
            given_up.store(result.is_err(), Ordering::Relaxed);
            result
        })
    }
}

/// The opponent's move in text.
fn choose(
    game: &Match,
    opponent: AnyOpponent,
    thinking: &mut Thinking<'_>,
) -> Result<String, Refusal> {
    let opponent = opponent.playing(game.kind()).ok_or(NoAnswer::OtherGame)?;
    let mv = game.now().choose(opponent, thinking, &mut |_| {});
    Ok(mv.map_or_else(String::new, |mv| text_of(game, mv)))
}

fn random_text(game: &Match, rng: &mut Rng) -> String {
    random_code(game.now(), rng).map_or_else(String::new, |mv| text_of(game, mv))
}

fn text_of(game: &Match, mv: MoveCode) -> String {
    let mut text = String::new();
    // Writing to a String never fails.
    let _ = game.now().write_move(mv, Notation::Plain, &mut text);
    text
}

/// Visits every permutation of the items from `first` on, in place.
fn permutations(items: &mut Vec<usize>, first: usize, visit: &mut impl FnMut(Vec<usize>)) {
    if first >= items.len() {
        return visit(items.clone());
    }
    for other in first..items.len() {
        items.swap(first, other);
        permutations(items, first + 1, visit);
        items.swap(first, other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use corvid_core::registry::GameKind;
    use corvid_firmware::profile::LM3S6965EVB;

    fn plan(names: &[&str], order: Orders) -> Plan {
        let kind = if names.len() == 2 { GameKind::Othello } else { GameKind::BlokusClassic };
        Plan {
            setup: Setup::usual(kind),
            players: names
                .iter()
                .map(|name| Entrant::named(kind, name, &LM3S6965EVB).unwrap())
                .collect(),
            games: 12,
            openings: 4,
            seed: 3,
            memory: 1,
            micros: 1000,
            order,
        }
    }

    #[test]
    fn rotations_seat_everybody_everywhere_and_all_orders_are_counted_once() {
        let four = ["random", "largest", "nodes:1", "nodes:2"];
        let orders = plan(&four, Orders::Rotations).orders();
        assert_eq!(orders, [[0, 1, 2, 3], [1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]]);
        assert_eq!(plan(&four, Orders::All).orders().len(), 24);
        let pairs = ["random", "random", "largest", "largest"];
        assert_eq!(plan(&pairs, Orders::All).orders().len(), 6);
    }

    #[test]
    fn the_games_do_not_depend_on_the_threads() {
        let plan = plan(&["random", "nodes:50"], Orders::Rotations);
        let play = |threads| {
            let mut record = Record::new();
            plan.play(&mut record, threads, &AtomicBool::new(false), &mut |_| Ok(())).unwrap();
            record.games().to_vec()
        };
        let games = play(1);
        assert_eq!(games.len(), 12);
        assert_eq!(games, play(3));
        assert_ne!(games[0].scores, games[2].scores, "another opening");
    }
}
