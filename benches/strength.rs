//! `cargo bench -p corvid-benches --bench strength`: how strong Blokus is.

use std::time::Instant;

use corvid_core::bots::Bot;
use corvid_core::game::Game;
use corvid_core::games::blokus::{Duo, FEATURES, Learnt, MEASURES, Move, Options, PHASES};
use corvid_core::mix::Rng;
use corvid_core::player::Player;
use corvid_core::search::budget::{Budget, Meter};

#[derive(Clone, Copy)]
enum Kind {
    Largest,
    Mcts(u64, Options<'static>),
}

struct P {
    kind: Kind,
    memory: Vec<u64>,
    sims: u64,
    secs: f64,
}

fn parse(text: &str) -> P {
    let mut words = text.split(',');
    let head = words.next().unwrap();
    let (name, n) = head.split_once(':').unwrap_or((head, "0"));
    let n: u64 = n.parse().unwrap();
    let mut o = Duo::OPTIONS;
    let mut mem = 40;
    for w in words {
        let (k, v) = w.split_once('=').unwrap();
        if k == "w" {
            let text = std::fs::read_to_string(v).unwrap();
            let text = text.split("prior: [").nth(1).unwrap();
            let n: Vec<i8> = text
                .split(|c: char| !c.is_ascii_digit() && c != '-')
                .filter_map(|w| w.parse().ok())
                .collect();
            let _ = n;
            let n: Vec<i16> = text
                .split(|c: char| !c.is_ascii_digit() && c != '-')
                .filter_map(|w| w.parse().ok())
                .collect();
            let mut w = Learnt::START;
            for (row, n) in w.prior.iter_mut().zip(n.chunks(FEATURES)) {
                for (a, b) in row.iter_mut().zip(n) {
                    *a = *b as i8;
                }
            }
            for (row, n) in w.value.iter_mut().zip(n[FEATURES * PHASES..].chunks(MEASURES + 1)) {
                row.copy_from_slice(n);
            }
            o.learnt = Box::leak(Box::new(w));
            continue;
        }
        let v: u32 = v.parse().unwrap();
        match k {
            "plies" => o.plies = v,
            "j0" => o.judged[0] = v,
            "j1" => o.judged[1] = v,
            "c" => o.explore = v,
            "rave" => o.rave = v,
            "red" => o.reduction = v,
            "exp" => o.expand = v,
            "tries" => o.tries = v,
            "w0" => o.width[0] = v as usize,
            "w1" => o.width[1] = v as usize,
            "mem" => mem = v as usize,
            _ => panic!("{k}"),
        }
    }
    let kind = match name {
        "largest" => Kind::Largest,
        "mcts" => Kind::Mcts(n, o),
        _ => panic!(),
    };
    P { kind, memory: vec![0; mem * 128], sims: 0, secs: 0.0 }
}

impl P {
    fn choose(&mut self, game: &Duo, rng: &mut Rng) -> Move {
        match self.kind {
            Kind::Largest => Bot::Largest.choose(game, rng).unwrap(),
            Kind::Mcts(n, o) => {
                let t = Instant::now();
                let mut meter = Meter::new(Budget::nodes(n));
                let mv =
                    game.monte_carlo(&mut self.memory, &mut meter, rng, o, &mut |_| {}).unwrap();
                self.sims += meter.nodes();
                self.secs += t.elapsed().as_secs_f64();
                mv
            }
        }
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let games: u64 = words[0].parse().unwrap();
    for pair in words[1..].chunks(2) {
        let mut ps = [parse(&pair[0]), parse(&pair[1])];
        let (mut points, mut squares) = (0.0, 0.0);
        for g in 0..games {
            let mut rng = Rng::new(1000 + g / 2);
            let mut game = Duo::default();
            let first = (g % 2) as usize;
            ps.iter_mut().for_each(|p| p.memory.fill(0));
            let mut ply = 0;
            while !game.is_over() {
                let mv = if let Some(p) = game.forced_pass() {
                    p
                } else if ply < 2 {
                    Bot::Largest.choose(&game, &mut rng).unwrap()
                } else {
                    ps[game.turn().index() ^ first].choose(&game, &mut rng)
                };
                game.play(mv);
                ply += 1;
            }
            let lead = game.score(Player::FIRST) - game.score(Player::SECOND);
            let lead = if first == 0 { lead } else { -lead };
            points += f64::from(lead.signum() + 1) / 2.0;
            squares += f64::from(lead);
        }
        let n = games as f64;
        let s = points / n;
        let se = (s * (1.0 - s) / n).sqrt();
        let elo = |s: f64| -400.0 * (1.0 / s.clamp(0.001, 0.999) - 1.0).log10();
        println!(
            "{} - {}: {:.1} % [{:.1}..{:.1}] Elo {:.0} [{:.0}..{:.0}] lead {:.1}; sims/s {:.0} {:.0}",
            pair[0],
            pair[1],
            s * 100.0,
            (s - 1.96 * se) * 100.0,
            (s + 1.96 * se) * 100.0,
            elo(s),
            elo(s - 1.96 * se),
            elo(s + 1.96 * se),
            squares / n,
            ps[0].sims as f64 / ps[0].secs,
            ps[1].sims as f64 / ps[1].secs
        );
    }
}
