//! Single games and worked examples.

use std::io::Write;

use corvid_core::game::Game;
use corvid_core::games::dots::{Bot, Dots, Size};
use corvid_core::games::othello::{self, Othello, example_value};
use corvid_core::mix::Rng;
use corvid_core::search::Solve;
use corvid_core::search::budget::{Budget, Meter};
use corvid_core::square::Square;

use super::{Bench, ask};
use crate::failure::Failure;

/// The document starts with the colours swapped: its squares are mirrored here.
fn mirrored(index: u8) -> Option<Square> {
    Square::from_index(u16::from(index ^ 7))
}

/// S1-06: moves of white, with their values, and black's replies to each.
type Example = (u8, i32, &'static [(u8, i32)]);
const EXAMPLE: [Example; 3] = [
    (19, 720, &[(10, 690), (18, 790), (26, 890), (34, 790), (42, 690)]),
    (21, 620, &[(22, 690), (29, 690), (34, 690), (43, 690)]),
    (37, 620, &[(42, 590), (43, 690), (44, 790), (45, 690), (46, 590)]),
];

/// S1-06.
pub(super) fn othello_example(out: &mut dyn Write, _: &Bench) -> Result<(), Failure> {
    writeln!(
        out,
        "## S1-06: the worked example of the Othello document\n\n\
         Black has played 20. Values as in Table 1: 100 for each move of the side to move next \
         plus another 100, and 10 for each disc that it is ahead, on a board with the new disc \
         but nothing turned over. `positional:seed` plays by them, `positional` by the true \
         position.\n\n\
         | move | published | measured |\n|---|---|---|"
    )?;
    let mut start = Othello::START;
    mirrored(20).into_iter().for_each(|square| start.play(othello::Move::Disc(square)));
    let mut equal = 0;
    let mut row = |out: &mut dyn Write, name: String, game: &Othello, at: u8, published: i32| {
        let measured = mirrored(at).map_or(0, |square| example_value(game, square));
        equal += u32::from(measured == published);
        writeln!(out, "| {name} | {published} | {measured} |")
    };
    for (white, value, replies) in EXAMPLE {
        row(out, format!("white {white}"), &start, white, value)?;
        let mut game = start;
        mirrored(white).into_iter().for_each(|square| game.play(othello::Move::Disc(square)));
        for (black, value) in replies {
            row(out, format!("white {white}, black {black}"), &game, *black, *value)?;
        }
    }
    let chosen = start.targets().iter().min_by_key(|square| example_value(&start, *square));
    let chosen = chosen.map_or(0, |square| square.index() ^ 7);
    Ok(writeln!(
        out,
        "\n{equal} of 17 are equal. Published choice: 21; `positional:seed`: {chosen}.\n"
    )?)
}

/// The published game, both players' lines in order; the human moves first.
const GAME: &str = "2,2-2,3 0,0-0,1 1,0-1,1 0,1-0,2 0,2-1,2 0,2-0,3 1,2-2,2 2,0-2,1 2,1-3,1 2,2-3,2 \
                    1,1-1,2 0,1-1,1 0,0-1,0 1,2-1,3 2,0-3,0 3,0-3,1 0,3-1,3 1,3-2,3 2,1-2,2 3,1-3,2 \
                    1,1-2,1 1,0-2,0 3,2-3,3 2,3-3,3";

/// S3-08.
pub(super) fn dots_game(out: &mut dyn Write, _: &Bench) -> Result<(), Failure> {
    writeln!(
        out,
        "## S3-08: the published game of Dots and Boxes, move by move\n\n\
         3x3 boxes, a person against the program; it is called optimal because it won 6-3. The \
         table shows what each move gave away according to the exact solver, in boxes of the \
         final difference, and what the bots play in the same position.\n\n\
         | move | player | line | gave away | `chain-minimax:seed` | `chain-minimax` |\n\
         |---|---|---|---|---|---|"
    )?;
    let internal = || Failure::Other("the published game of S3-08 does not play".into());
    let mut game = Dots::new(Size::new(3, 3).ok_or_else(internal)?);
    let mut memory = crate::args::memory(1024)?;
    let mut given = [0; 2];
    let mut same = [0; 2];
    let mut asked = 0;
    for (index, text) in GAME.split_ascii_whitespace().enumerate() {
        let line = game.parse_move(text).map_err(|_| internal())?;
        game.check(line).map_err(|_| internal())?;
        let mut meter = Meter::new(Budget::UNLIMITED);
        let best = game.solve(&mut memory, &mut meter).ok_or_else(internal)?.score;
        let value = game.solve_move(line, &mut memory, &mut meter).ok_or_else(internal)?;
        let player = game.turn().index();
        given[player] += best - value;
        let mut bots = [String::new(), String::new()];
        for (slot, bot) in [Bot::ChainMinimaxSeed, Bot::ChainMinimax].into_iter().enumerate() {
            let mv = ask(&game, bot, &mut Rng::new(0)).ok_or_else(internal)?;
            // Writing to a String never fails.
            let _ = game.write_move(mv, &mut bots[slot]);
            same[slot] += u32::from(player == 1 && mv == line);
        }
        asked += u32::from(player == 1);
        let [seed, plain] = bots;
        let who = ["person", "program"][player];
        let gave = if best == value { String::new() } else { (best - value).to_string() };
        writeln!(out, "| {} | {who} | {text} | {gave} | {seed} | {plain} |", index + 1)?;
        game.play(line);
    }
    let [person, program] = given;
    Ok(writeln!(
        out,
        "\nThe person gave away {person}, the program {program}: with perfect play the second \
         player wins by 3, and the game ended that way because the errors cancel. The program was \
         not optimal. `chain-minimax:seed` plays {} of the program's {asked} moves, \
         `chain-minimax` {}; the document does not say how deep it searches or how it breaks \
         ties.\n",
        same[0], same[1]
    )?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(print: fn(&mut dyn Write, &Bench) -> Result<(), Failure>) -> String {
        let mut out = Vec::new();
        print(&mut out, &Bench { seed: 0, threads: 1 }).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_worked_example_is_equal_in_all_values() {
        let text = report(othello_example);
        assert!(text.contains("17 of 17 are equal. Published choice: 21; `positional:seed`: 21."));
    }

    /// By the exact table: the program gave 2 at move 4, 2 at move 8 and 4 at move 19.
    #[test]
    fn the_exact_solver_finds_what_was_given_away() {
        let text = report(dots_game);
        let gave = |number: usize| {
            let row = text.lines().find(|line| line.starts_with(&format!("| {number} |"))).unwrap();
            row.split('|').nth(4).unwrap().trim().to_owned()
        };
        assert_eq!([4, 8, 19].map(gave), ["2", "2", "4"]);
        assert!(text.contains("The person gave away 8, the program 8"), "{text}");
    }
}
