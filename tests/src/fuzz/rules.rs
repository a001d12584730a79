//! The fast rules against the slow ones: moves, legal and not, by the bytes of an input.

use corvid_core::games::adjacency::{self, Adjacency, Rounds};
use corvid_core::games::blokus::{Classic, Duo, Seats, StartRule, classic_setup, duo_setup};
use corvid_core::games::dots::{self, Dots, Size};
use corvid_core::games::othello::Othello;
use corvid_core::player::Player;
use corvid_core::registry::GameKind;
use corvid_core::setup::Setup;

use super::take;
use crate::compare::{Window, compare_random_game};
use crate::reference::{self, Dice, blokus::Starts};

/// Plies after the first position that are compared. The slow rules take some hundred times as long as
/// the fast ones, and longest for the moves of many pieces: what goes before is played by the fast
/// rules, and allowed by the slow ones.
const fn compared(kind: GameKind) -> usize {
    match kind {
        GameKind::BlokusDuo | GameKind::BlokusClassic => 0,
        _ => 6,
    }
}

pub(super) fn run(mut data: &[u8]) {
    let [kind, first, second, skipped] = take(&mut data);
    let kind = GameKind::ALL[usize::from(kind) % GameKind::ALL.len()];
    let window = Window { skipped: skipped.into(), compared: compared(kind) };
    compare(kind, [first, second], &mut Dice::from_bytes(data), window);
}

/// Compares a window of a random game with options from two bytes; the number of plies that were
/// played.
pub fn compare(kind: GameKind, options: [u8; 2], dice: &mut Dice, window: Window) -> usize {
    let [first, second] = options;
    match kind {
        GameKind::Othello => {
            let slow = reference::othello::Othello::start();
            compare_random_game(Setup::usual(kind), Othello::START, slow, dice, window)
        }
        GameKind::Adjacency => {
            let rounds = 2 + first % 27;
            let player = [Player::FIRST, Player::SECOND][usize::from(second % 2)];
            let mark = ['X', 'O'][player.index()];
            let slow = reference::adjacency::Adjacency::start(rounds.into(), mark);
            let rounds = Rounds::new(rounds).expect("2 to 28 rounds");
            let game = Adjacency::new(rounds, player);
            compare_random_game(adjacency::setup(rounds, player), game, slow, dice, window)
        }
        GameKind::Dots => {
            let [rows, columns] = [1 + first % 10, 1 + second % 10];
            let size = Size::new(rows, columns).expect("a size");
            let slow = reference::dots::Dots::start(rows.into(), columns.into());
            compare_random_game(dots::setup(size), Dots::new(size), slow, dice, window)
        }
        GameKind::BlokusDuo => {
            let (rule, starts) = [(StartRule::Own, Starts::Own), (StartRule::Any, Starts::Any)]
                [usize::from(first % 2)];
            let slow = reference::blokus::Blokus::duo(starts);
            compare_random_game(duo_setup(rule), Duo::new(rule), slow, dice, window)
        }
        GameKind::BlokusClassic => {
            let slow = reference::blokus::Blokus::classic();
            let setup = classic_setup(Seats::Four);
            compare_random_game(setup, Classic::default(), slow, dice, window)
        }
        _ => panic!("a game without a reference"),
    }
}
