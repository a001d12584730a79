//! What a display may show of a game: the board, with the cursor anywhere.
use crate::screen::Screen;
// It provides the application's clock.
use corvid as _;
use corvid_core::session::Match;
use corvid_firmware::{
    app::{Busy, Device},
    frame::Frame,
    keys::Press,
    ui::{self, Ui},
};
use embassy_futures::block_on;
use std::collections::HashSet;

/// The columns of the board; texts are beside it.
const BOARD: usize = 64;

/// More than a board has places along a side.
const PLACES: usize = 24;

/// The pixels of a board.
type Pixels = Vec<bool>;

fn board(screen: impl Fn(usize, usize) -> bool) -> Pixels {
    (0..64).flat_map(|y| (0..BOARD).map(move |x| (x, y))).map(|(x, y)| screen(x, y)).collect()
}

/// All pictures of a match between people that was set up by `play`, with and without marks of legal
/// moves.
#[derive(Debug)]
pub(super) struct Pictures(HashSet<Pixels>);

impl Pictures {
    /// Draws them.
    pub(super) fn of(comforts: bool, game: &Match) -> Self {
        let mut pictures = HashSet::new();
        for marks in [true, false] {
            let device = Device::new(comforts);
            let mut table = block_on(device.table());
            table.settings.marks = marks;
            table.change(&mut |own| own.clone_from(game));
            let mut ui = Ui::new();
            // To the menu, which points at the game unless that is over, and to the game.
            ui.press(Press::Select, &device, &mut table);
            if table.is_over() {
                ui.press(Press::Down, &device, &mut table);
            }
            ui.press(Press::Select, &device, &mut table);
            let (mut frame, mut seen) = (Frame::DARK, HashSet::new());
            let mut look = |press: Option<Press>| {
                if let Some(press) = press {
                    ui.press(press, &device, &mut table);
                }
                // A key may open the tray instead.
                if ui.screen() == ui::Screen::Board && seen.insert(ui.hand().cursor) {
                    ui.draw(&mut frame, Busy::Idle, &mut table);
                    pictures.insert(board(|x, y| frame.is_lit(x, y)));
                }
            };
            look(None);
            (0..PLACES).for_each(|_| look(Some(Press::Up)));
            for _ in 0..PLACES {
                for press in [Press::Left, Press::Right] {
                    (0..PLACES).for_each(|_| look(Some(press)));
                }
                look(Some(Press::Down));
            }
        }
        Self(pictures)
    }

    /// Which of them a screen shows, if any. The settings may turn it upside down, or move it by two
    /// columns.
    pub(super) fn shown(&self, screen: &Screen) -> Option<Pixels> {
        let lit = |x: usize, y: usize| x < 128 && screen.is_lit(x, y);
        let seen = [
            board(lit),
            board(|x, y| lit(127 - x, 63 - y)),
            board(|x, y| lit(x + 2, y)),
            board(|x, y| x >= 2 && lit(x - 2, y)),
            board(|x, y| lit(125 - x, 63 - y)),
            board(|x, y| lit(129 - x, 63 - y)),
        ];
        seen.into_iter().find(|pixels| self.0.contains(pixels))
    }

    /// One of them.
    pub(super) fn example(&self) -> String {
        let pixels = self.0.iter().next().into_iter().flatten();
        let text: Vec<_> = pixels.map(|lit| if *lit { b'#' } else { b'.' }).collect();
        text.chunks(BOARD)
            .flat_map(|row| [row, b"\n"])
            .flatten()
            .map(|byte| *byte as char)
            .collect()
    }
}
