//! Draws every screen of the device for its manual: `cargo run -p corvid-tests --bin screens`.
use anyhow::Result;
use corvid_firmware::keys::Press::{self, Down, Left, Menu, Right, Select, Up};
use corvid_tests::device::Desk;
use std::{fs, path::Path};

/// Pixels of a picture for each one of the display.
const SCALE: usize = 4;

fn main() -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/screens");
    fs::create_dir_all(&folder)?;
    let shoot = |desk: &mut Desk, name: &str| {
        desk.screen().to_png_times(&folder.join(format!("{name}.png")), SCALE)
    };
    let times = |press: Press, count: usize| vec![press; count];

    let mut desk = Desk::new();
    shoot(&mut desk, "start")?;
    desk.press(&[Select]);
    shoot(&mut desk, "menu")?;
    desk.press(&[Down, Down, Select]);
    shoot(&mut desk, "rules")?;
    desk.press(&[Menu, Down, Down, Down, Down, Select]);
    shoot(&mut desk, "statistics")?;
    desk.press(&[Menu, Down, Down, Down, Down, Down, Select]);
    shoot(&mut desk, "settings")?;
    desk.press(&[Menu, Up, Select]);
    shoot(&mut desk, "about")?;
    desk.press(&[Menu, Select]);
    shoot(&mut desk, "new-game")?;

    // Othello, one move and the answer.
    desk.press(&[Up, Select]);
    shoot(&mut desk, "othello")?;
    desk.press(&[Up, Select]);
    desk.settle();
    shoot(&mut desk, "othello-answer")?;
    desk.press(&[Select]);
    shoot(&mut desk, "refusal")?;
    desk.press(&[Menu]);
    shoot(&mut desk, "pause")?;
    desk.press(&[Down, Select]);
    desk.settle();
    shoot(&mut desk, "hint")?;
    desk.press(&[Select]);
    desk.settle();
    desk.press(&[Menu]);
    desk.press(&times(Down, 5));
    desk.press(&[Select]);
    shoot(&mut desk, "history")?;

    for (game, name) in [(1, "adjacency"), (2, "dots"), (3, "duo"), (4, "classic")] {
        let mut desk = Desk::new();
        desk.press(&[Select, Select]);
        desk.press(&times(Right, game));
        shoot(&mut desk, &format!("new-{name}"))?;
        // Who sits where: two computers.
        desk.press(&[Up, Select]);
        desk.settle();
        shoot(&mut desk, name)?;
        if game > 2 {
            desk.press(&[Select]);
            shoot(&mut desk, &format!("{name}-tray"))?;
            desk.press(&[Select]);
            shoot(&mut desk, &format!("{name}-ghost"))?;
            desk.press(&[Select, Left]);
            shoot(&mut desk, &format!("{name}-turn"))?;
            for _ in 0..6 {
                desk.press(&[Menu, Menu, Menu, Down, Select]);
                desk.settle();
                desk.press(&[Select]);
                desk.settle();
            }
            shoot(&mut desk, &format!("{name}-later"))?;
            desk.press(&[Menu]);
            desk.press(&times(Down, 6));
            desk.press(&[Select]);
            shoot(&mut desk, &format!("{name}-pieces"))?;
        } else {
            for _ in 0..6 {
                desk.press(&[Menu, Down, Select]);
                desk.settle();
                desk.press(&[Select]);
                desk.settle();
            }
            shoot(&mut desk, &format!("{name}-later"))?;
        }
        // To the end, two computers.
        let mut desk = Desk::new();
        desk.press(&[Select, Down, Down, Down, Select]);
        desk.press(&times(Right, game));
        desk.press(&[Up, Select]);
        desk.settle();
        shoot(&mut desk, &format!("{name}-over"))?;
        desk.press(&[Select]);
        shoot(&mut desk, &format!("{name}-end"))?;
        desk.press(&[Right, Select, Left]);
        shoot(&mut desk, &format!("{name}-review"))?;
    }
    Ok(())
}
