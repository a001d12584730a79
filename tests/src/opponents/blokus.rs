//! Plain Monte Carlo tree search for Blokus Duo: UCB1, one child at a time in random order,
//! uniformly random playouts. The baseline for every other idea.

use corvid_core::bots::random;
use corvid_core::game::Game;
use corvid_core::games::blokus::{Duo, Move};
use corvid_core::mix::Rng;
use corvid_core::player::Player;

/// The player; deterministic for a seed.
#[derive(Debug)]
pub struct PlainUct {
    simulations: u32,
    rng: Rng,
}

#[derive(Debug)]
struct Node {
    /// The move that led here.
    mv: Move,
    untried: Vec<Move>,
    children: Vec<usize>,
    visits: u32,
    /// Wins of the player who moved here, a draw counting half.
    wins: f64,
}

impl Node {
    fn new(mv: Move, game: &Duo) -> Self {
        let mut untried = Vec::new();
        game.for_each_move(|mv| untried.push(mv));
        Self { mv, untried, children: Vec::new(), visits: 0, wins: 0.0 }
    }
}

impl PlainUct {
    /// A player with so many simulations for a move.
    pub fn new(simulations: u32, seed: u64) -> Self {
        Self { simulations, rng: Rng::new(seed) }
    }

    /// The most visited move; `None` when the game is over.
    pub fn choose(&mut self, game: &Duo) -> Option<Move> {
        let mut nodes = vec![Node::new(Move::Pass, game)];
        for _ in 0..self.simulations {
            self.simulate(&mut nodes, *game);
        }
        let most = nodes[0].children.iter().max_by_key(|&&child| nodes[child].visits);
        most.map(|&child| nodes[child].mv).or_else(|| random(game, &mut self.rng))
    }

    fn simulate(&mut self, nodes: &mut Vec<Node>, mut game: Duo) {
        let mut path = vec![(0, game.turn().other())];
        let mut at = 0;
        loop {
            let mover = game.turn();
            if !nodes[at].untried.is_empty() {
                let index = self.rng.below(nodes[at].untried.len() as u32) as usize;
                let mv = nodes[at].untried.swap_remove(index);
                game.play(mv);
                let child = nodes.len();
                nodes.push(Node::new(mv, &game));
                nodes[at].children.push(child);
                path.push((child, mover));
                break;
            }
            let logarithm = f64::from(nodes[at].visits.max(1)).ln();
            let bound = |&child: &usize| {
                let node = &nodes[child];
                let visits = f64::from(node.visits.max(1));
                node.wins / visits + (2.0 * logarithm / visits).sqrt()
            };
            let best =
                nodes[at].children.iter().max_by(|one, other| bound(one).total_cmp(&bound(other)));
            let Some(&best) = best else { break };
            game.play(nodes[best].mv);
            path.push((best, mover));
            at = best;
        }
        while let Some(mv) = random(&game, &mut self.rng) {
            game.play(mv);
        }
        let lead = game.score(Player::FIRST) - game.score(Player::SECOND);
        for (node, mover) in path {
            let lead = if mover == Player::FIRST { lead } else { -lead };
            nodes[node].visits += 1;
            nodes[node].wins += f64::from(lead.signum() + 1) / 2.0;
        }
    }
}
