//! Whole games on the emulated boards, by buttons alone: every screen equals the host's.
use anyhow::{Result, ensure};
use corvid_core::{game::Notation, mix::Rng, session::write_legal};
use corvid_firmware::{
    keys::Press::{self, Down, Left, Menu, Right, Select, Up},
    ui::Screen,
};
use corvid_tests::{board::Board, qemu::Lm3s6965evb, rp2040::Pico, twin::Twin};
use std::time::Duration;

/// Enough for any answer that needs no search.
const SOON: Duration = Duration::from_secs(2);

/// Makes each game a test on a board.
macro_rules! games_on {
    ($module:ident, $board:ty) => {
        mod $module {
            use super::*;

            #[test]
            fn othello() -> Result<()> {
                play_whole(&mut <$board>::start()?, 0, 1, &[])
            }

            #[test]
            fn adjacency_of_two_rounds() -> Result<()> {
                play_whole(&mut <$board>::start()?, 1, 1, &[Down, Right])
            }

            #[test]
            fn dots_and_boxes_of_two_by_two() -> Result<()> {
                let three = [Left; 3];
                let options = [&[Down][..], &three, &[Down], &three].concat();
                play_whole(&mut <$board>::start()?, 2, 1, &options)
            }

            #[test]
            fn blokus_duo() -> Result<()> {
                play_whole(&mut <$board>::start()?, 3, 1, &[])
            }

            #[test]
            fn blokus_classic() -> Result<()> {
                play_whole(&mut <$board>::start()?, 4, 3, &[])
            }
        }
    };
}

games_on!(lm3s6965evb, Lm3s6965evb);
games_on!(pico, Pico);

/// Starts a game against so many opponents of level 1, plays it to its end and checks the result.
fn play_whole(
    board: &mut impl Board,
    game: usize,
    opponents: usize,
    options: &[Press],
) -> Result<()> {
    let mut twin = Twin::new(board)?;
    twin.check()?;
    // The settings, where the pace becomes at once; then a new game.
    twin.press(&[Select, Up, Up, Select])?;
    twin.press(&[Down, Down, Right, Menu, Down, Down, Select])?;
    twin.press(&vec![Right; game])?;
    twin.press(&[Down])?;
    for _ in 0..opponents {
        // From level 3 to level 1.
        twin.press(&[Down, Left, Left])?;
    }
    twin.press(options)?;
    let rows = twin.desk.chosen();
    twin.press(&vec![Up; rows + 1])?;
    twin.press(&[Select])?;

    let mut rng = Rng::new(7);
    while !twin.desk.look(|table| table.is_over()) {
        let legal = twin.desk.look(|table| {
            let game = table.game();
            let mut text = String::new();
            let mut position = game.position().clone();
            write_legal(&mut position, game.turn(), Notation::Plain, &mut text).map(|()| text)
        })?;
        let moves: Vec<&str> = legal.lines().collect();
        twin.play(moves[rng.below(moves.len() as u32) as usize])?;
    }
    twin.press(&[Select])?;
    ensure!(twin.desk.place() == Screen::End, "no result");
    let answer = twin.board.ask("moves", SOON)?;
    assert_eq!(answer.trim_start_matches("= "), twin.desk.moves());
    Ok(())
}
