use super::*;
use crate::game::Game;
use crate::games::adjacency::Adjacency;
use crate::games::blokus::Duo;
use crate::games::dots::Dots;
use crate::games::othello::Othello;
use crate::mix::Rng;
use crate::search::{Solve, Think};
use std::vec;

/// Helps with another thread.
#[derive(Debug)]
pub(crate) struct Thread;

impl Helper for Thread {
    fn join(&self, theirs: &mut (dyn FnMut() + Send), own: &mut dyn FnMut()) {
        std::thread::scope(|scope| {
            scope.spawn(theirs);
            own();
        });
    }
}

/// Is not asked.
#[derive(Debug)]
struct Nobody;

impl Helper for Nobody {
    fn join(&self, _: &mut (dyn FnMut() + Send), _: &mut dyn FnMut()) {
        panic!("somebody asked for help");
    }
}

/// A position of a random game, so many plies before its end.
pub(crate) fn near_the_end<G: Game>(start: G, plies: usize, rng: &mut Rng) -> G {
    let (mut game, mut positions) = (start, vec![]);
    while let Some(mv) = crate::choice::random(&game, rng) {
        positions.push(game.clone());
        game.play(mv);
    }
    positions.swap_remove(positions.len() - plies)
}

/// With enough time the move is one that leads to the best score.
fn check_best<G: Think + Solve>(start: &G, plies: usize) {
    let mut rng = Rng::new(5);
    for _ in 0..12 {
        let game = near_the_end(start.clone(), plies, &mut rng);
        let budget = Budget { helper: Some(&Thread), ..Budget::UNLIMITED };
        let mv = game.think(&mut vec![0; 4096], &mut Meter::new(budget), &mut |_| {}).unwrap();
        let meter = &mut Meter::new(Budget::UNLIMITED);
        let best = game.solve(&mut vec![0; 4096], meter).unwrap().score;
        assert_eq!(game.solve_move(mv, &mut vec![0; 4096], meter), Some(best), "{game:?}");
    }
}

#[test]
fn two_processors_find_a_best_move() {
    check_best(&Othello::START, 14);
    check_best(&Adjacency::default(), 12);
    check_best(&Dots::default(), 20);
}

#[test]
fn with_a_limit_of_nodes_one_processor_thinks_alone() {
    fn think<G: Think>(game: &G) {
        let budget = Budget { helper: Some(&Nobody), ..Budget::nodes(500) };
        assert!(game.think(&mut vec![0; 4096], &mut Meter::new(budget), &mut |_| {}).is_some());
    }
    think(&Othello::START);
    think(&Adjacency::default());
    think(&Dots::default());
    let budget = Budget { helper: Some(&Nobody), ..Budget::nodes(50) };
    let (memory, meter) = (&mut vec![0; 4096], &mut Meter::new(budget));
    assert!(Duo::default().monte_carlo(memory, meter, &mut Rng::new(1), &mut |_| {}).is_some());
}

#[test]
fn the_helper_ends_with_the_search_and_its_nodes_are_counted() {
    let mut alone = 0;
    let ((), nodes) = helped(&Thread, |meter| while meter.tick() {}, || alone += 1).unwrap();
    assert_eq!(alone, 1);
    assert!(nodes < u64::MAX);
}
