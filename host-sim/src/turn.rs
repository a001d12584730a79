//! What the person to move is told, in `corvid play` and in `corvid connect`.

use corvid_core::game::Notation;
use corvid_core::refusal::Refusal;
use corvid_core::session::{Match, write_legal};

/// The legal moves of the player to move in a line, and how many they are in another.
pub(crate) fn legal(game: &Match) -> String {
    let mut moves = String::new();
    // Writing to a String never fails.
    let _ = write_legal(&mut game.position().clone(), game.turn(), Notation::Plain, &mut moves);
    let moves: Vec<_> = moves.split_whitespace().collect();
    match moves[..] {
        [] => "the game is over: there are no moves".into(),
        [only] => format!("{only}\n(1 move)"),
        _ => format!("{}\n({} moves)", moves.join(" "), moves.len()),
    }
}

/// Why a line is not played; one that is no move at all may be a misspelt command.
pub(crate) fn refused(game: &Match, line: &str, refusal: &Refusal) -> String {
    let help = match game.now().parse_move(line) {
        Ok(_) => "",
        Err(_) => "; or help",
    };
    format!("no: {}{help}", refusal.long())
}

#[cfg(test)]
mod tests {
    use super::*;
    use corvid_core::registry::GameKind;
    use corvid_core::setup::Setup;

    #[test]
    fn only_what_is_no_move_mentions_the_commands() {
        for kind in GameKind::ALL {
            let mut game = Match::new(Setup::usual(kind));
            let told = |game: &mut Match, line: &str| {
                let refusal = game.play_next(line).unwrap_err();
                refused(game, line, &refusal)
            };
            let text = told(&mut game, "qwertz");
            assert!(text.ends_with("; or help") && text.len() < 80, "{kind}: {text}");
        }
        let mut game = Match::new(Setup::usual(GameKind::Othello));
        let refusal = game.play_next("a1").unwrap_err();
        assert_eq!(refused(&game, "a1", &refusal), "no: a disc on a1 turns nothing over");
    }

    #[test]
    fn legal_moves_are_listed_and_counted() {
        let game = Match::new(Setup::usual(GameKind::Othello));
        assert_eq!(legal(&game), "d3 c4 f5 e6\n(4 moves)");
        let mut last = game.clone();
        last.set_position(&format!("-O{} X", "X".repeat(62))).unwrap();
        assert_eq!(legal(&last), "a1\n(1 move)");
        last.play_next("a1").unwrap();
        assert_eq!(legal(&last), "the game is over: there are no moves");
    }
}
