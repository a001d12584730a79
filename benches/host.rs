//! `cargo bench -p corvid-benches --bench host`: how fast this machine counts move sequences.

use std::time::Duration;

use corvid_benches::CASES;
use corvid_core::session::Match;
use corvid_core::setup::Setup;
use criterion::{Criterion, criterion_group, criterion_main};

fn perft(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(10).measurement_time(Duration::from_secs(5));
    for case in CASES {
        let game = Match::new(Setup::usual(case.kind));
        group.bench_function(format!("{} {}", case.kind, case.host_depth), |bencher| {
            bencher.iter(|| game.position().perft(case.host_depth));
        });
    }
    group.finish();
}

criterion_group!(games, perft);
criterion_main!(games);
