//! What both games of Blokus have in common: who plays them, and how.

/// Where the bots come from, on both boards.
macro_rules! about_bots {
    () => {
        " The bots leaky and brute-force follow LeakyAI by Cai, Aldi and Renatan (Universitas Pelita \
         Harapan); hybrid, influence, max-min and most others a student project of the University of \
         Liverpool (COMP390, 2023)."
    };
}

/// Both boards: the players are the same, what is told and measured differs. Nodes are simulations;
/// `cargo bench -p corvid-benches --bench strength -- board` counts those of a board second.
macro_rules! engine {
    ($game:ty, $info:expr, $help:literal, $about:literal, $rate:literal, $levels:expr, $start:expr) => {
        impl Engine for $game {
            type Bot = Bot;
            const INFO: GameInfo = $info;
            const OPTION_HELP: &'static [&'static str] = &[$help];
            const ABOUT: &'static str = concat!($about, about_bots!());
            const LEVELS: [Skill; 9] = levels($levels);
            const NODES_PER_BOARD_SECOND: u64 = $rate;

            fn start([option, _]: Options) -> Self {
                $start(option)
            }

            fn bot_move(&self, bot: Bot, thinking: &mut Thinking<'_>) -> Option<Move> {
                bots::play(self, bot, thinking)
            }

            fn best(
                &self,
                memory: &mut [u64],
                meter: &mut Meter<'_>,
                rng: &mut Rng,
                varied: bool,
                report: &mut dyn FnMut(&Report<'_, Move>),
            ) -> Option<Move> {
                let parameters = if varied { Self::VARIED } else { Self::PARAMETERS };
                self.monte_carlo_with(memory, meter, rng, parameters, report)
            }
        }
    };
}

pub(super) use {about_bots, engine};
