//! What the benchmarks share: the games that they count, and the conditions of matches.

use corvid_core::bots::random;
use corvid_core::game::Game;
use corvid_core::mix::Rng;
use corvid_core::registry::GameKind;
use corvid_firmware::profile::{LM3S6965EVB, NRF52840_DK, NUCLEO_F411RE, PICO, PICO2, Profile};

/// A game and how many plies are counted: on a PC, and on a board, which is a thousand times
/// slower.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// The game, with its usual options.
    pub kind: GameKind,
    /// Plies on a PC.
    pub host_depth: u32,
    /// Plies on a board.
    pub board_depth: u32,
}

/// One case for each game.
pub const CASES: [Case; 5] = [
    Case { kind: GameKind::Othello, host_depth: 11, board_depth: 7 },
    Case { kind: GameKind::Adjacency, host_depth: 5, board_depth: 3 },
    Case { kind: GameKind::Dots, host_depth: 5, board_depth: 3 },
    Case { kind: GameKind::BlokusDuo, host_depth: 3, board_depth: 2 },
    Case { kind: GameKind::BlokusClassic, host_depth: 3, board_depth: 2 },
];

/// The games searched, with the nodes per move when boards are compared.
pub const SEARCHES: [(GameKind, u64); 4] = [
    (GameKind::Othello, 10_000),
    (GameKind::Adjacency, 10_000),
    (GameKind::Dots, 4_000),
    (GameKind::BlokusDuo, 1_000),
];

/// The memory of each player of a match unless stated otherwise, in KB: the LM3S6965's.
pub const MEMORY: usize = LM3S6965EVB.slots() * size_of::<u64>() / 1024;

/// What Adjacency plays against its frozen version: the rounds, and the lead that is required.
pub type Required = (u8, Option<f64>);

/// With as many nodes.
pub const EQUAL_NODES: [Required; 6] =
    [(12, None), (16, Some(0.5)), (20, Some(0.5)), (24, Some(0.5)), (27, Some(0.0)), (28, None)];

/// With the nodes of each version's board second, which is measured in games of 28 rounds.
pub const EQUAL_TIME: [Required; 1] = [(28, Some(0.0))];

/// The boards that docs/strength.md compares, the reference first. The Black Pill is as good as a Nucleo,
/// and the micro:bit is an nRF52840-DK with a Nucleo's memory.
pub const BOARDS: [Profile; 5] = [LM3S6965EVB, PICO, PICO2, NUCLEO_F411RE, NRF52840_DK];

/// Nodes that a board searches in a second by its profile, as `--board NAME --board-seconds 1` has it.
pub fn nodes_a_second(profile: &Profile, kind: GameKind) -> u64 {
    kind.nodes_per_board_second() * u64::from(profile.speed) / 100
}

/// A row of docs/strength.md's table of boards: what a board searches in a second, in the order of
/// [`SEARCHES`], and how that is known.
pub fn rates_row(profile: &Profile, nodes: [u64; SEARCHES.len()], how: &str) -> String {
    let nodes = nodes.map(|nodes| nodes.to_string()).join(" | ");
    format!("| {} | {} KB | {nodes} | {how} |", profile.title, profile.memory_kb)
}

/// Random plies before the players of a match take over.
pub const OPENING: u32 = 2;

/// Plays a match's opening: uniformly random moves, as `corvid arena --openings` does.
pub fn play_opening<G: Game>(game: &mut G, rng: &mut Rng) {
    for _ in 0..OPENING {
        if let Some(mv) = random(game, rng) {
            game.play(mv);
        }
    }
}

/// What docs/strength.md says of its matches.
pub fn match_conditions() -> String {
    format!(
        "All matches are played with {MEMORY} KB for each player, the board's memory, unless the row\n\
         says otherwise. They begin with {OPENING} random plies, and every opening is played once from\n\
         each seat."
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use corvid_core::games::blokus::Duo;
    use corvid_core::player::Player;

    const PAGE: &str = include_str!("../../docs/strength.md");

    #[test]
    fn the_page_says_what_its_matches_are_played_with() {
        assert!(PAGE.contains(&match_conditions()));
    }

    /// Not that they still would be, which takes a build of the frozen version and minutes.
    #[test]
    fn the_leads_on_the_page_are_the_required_ones() {
        let end = "| score of the present version | lead in marks | must |";
        let tables = PAGE.split(end).skip(1).collect::<Vec<_>>();
        assert_eq!(tables.len(), 2);
        for (table, required) in tables.into_iter().zip([&EQUAL_NODES[..], &EQUAL_TIME]) {
            for (row, (rounds, must)) in table.lines().skip(2).zip(required) {
                let cells: Vec<&str> = row.split('|').map(str::trim).collect();
                let [_, number, _, lead, text, _] = cells[..] else { panic!("{row}") };
                assert_eq!(number, rounds.to_string());
                assert_eq!(text, must.map_or_else(String::new, |must| format!("{must:+.1}")));
                let lead: f64 = lead.split(' ').next().unwrap().parse().unwrap();
                assert!(must.is_none_or(|must| lead >= must), "{row}");
            }
        }
    }

    /// Matches between boards are played with what their profiles have.
    #[test]
    fn the_boards_on_the_page_are_those_of_the_profiles() {
        for profile in &BOARDS {
            let nodes = SEARCHES.map(|(kind, _)| nodes_a_second(profile, kind));
            let row = rates_row(profile, nodes, "profile");
            assert!(PAGE.contains(&format!("\n{row}\n")), "run `-- boards`, it prints\n{row}");
        }
    }

    /// Greedy ones would all be of five squares.
    #[test]
    fn openings_are_random_not_greedy() {
        let sizes: Vec<i16> = (0..200)
            .map(|seed| {
                let mut game = Duo::default();
                play_opening(&mut game, &mut Rng::new(seed));
                game.score(Player::FIRST) - Duo::default().score(Player::FIRST)
            })
            .collect();
        assert!(sizes.iter().all(|size| (1..=5).contains(size)), "{sizes:?}");
        assert!(sizes.iter().any(|size| *size <= 3), "{sizes:?}");
    }
}
