//! A line of the log of `corvid tune` for Blokus: a game that was played.
//!
//! `generation game turn turn ...`, a turn being placements `orientation:x:y:visits` with the one played
//! first.

use std::fmt::Write;

use corvid_core::game::Game;
use corvid_core::games::blokus::{Blokus, Move, Orientation, Placement};

/// A position of a game: what was played, and how often each placement was visited.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// What was played.
    pub played: Placement,
    /// How often the search visited placements.
    pub visits: Vec<(Placement, u32)>,
}

/// Writes a game, with the end of its line.
pub fn write_line(generation: u32, game: u32, turns: &[Turn]) -> String {
    let mut line = format!("{generation} {game}");
    for turn in turns {
        let mut separator = ' ';
        let played = (turn.played, 0);
        for (place, visits) in std::iter::once(&played).chain(&turn.visits) {
            let _ = write!(
                line,
                "{separator}{}:{}:{}:{visits}",
                place.orientation.index(),
                place.x,
                place.y
            );
            separator = ',';
        }
    }
    line.push('\n');
    line
}

/// Reads a game without its line's end; `None` if it is another one or damaged.
pub fn parse_line<const P: usize, const W: usize>(
    line: &str,
    generation: u32,
    game: u32,
    start: Blokus<P, W>,
) -> Option<Vec<Turn>> {
    let mut words = line.split(' ');
    let same = words.next()?.parse() == Ok(generation) && words.next()?.parse() == Ok(game);
    let turns: Vec<Turn> = same.then(|| words.map(turn).collect()).flatten()?;
    is_legal(&turns, start).then_some(turns)
}

fn turn(word: &str) -> Option<Turn> {
    let mut places = word.split(',').map(place);
    let (played, _) = places.next()??;
    Some(Turn { played, visits: places.collect::<Option<_>>()? })
}

fn place(text: &str) -> Option<(Placement, u32)> {
    let mut numbers = text.split(':').map(str::parse::<u32>);
    let mut number = || numbers.next()?.ok();
    let orientation = Orientation::new(number()? as usize)?;
    let (x, y) = (u8::try_from(number()?).ok()?, u8::try_from(number()?).ok()?);
    Some((Placement { orientation, x, y }, number()?))
}

/// Whether all placements can be made in turn, and the visits can be counted together.
fn is_legal<const P: usize, const W: usize>(turns: &[Turn], start: Blokus<P, W>) -> bool {
    let mut game = start;
    turns.iter().all(|turn| {
        while let Some(pass) = game.forced_pass() {
            game.play(pass);
        }
        let legal = |placement: Placement| game.check(Move::Place(placement)).is_ok();
        let visited = turn.visits.iter().all(|(placement, _)| legal(*placement));
        let total = turn.visits.iter().try_fold(0u32, |sum, (_, count)| sum.checked_add(*count));
        let fine = legal(turn.played) && visited && total.is_some();
        if fine {
            game.play(Move::Place(turn.played));
        }
        fine
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use corvid_core::games::blokus::{Duo, StartRule};

    fn start() -> Duo {
        Duo::new(StartRule::Own)
    }

    /// A legal placement of a position.
    fn any(game: &Duo) -> Placement {
        let mut any = None;
        game.for_each_move(|mv| {
            if let Move::Place(placement) = mv {
                any = Some(placement);
            }
        });
        any.expect("a placement")
    }

    #[test]
    fn what_is_written_is_read_again() {
        let first = any(&start());
        let mut next = start();
        next.play(Move::Place(first));
        let turns = vec![
            Turn { played: first, visits: vec![(first, 300)] },
            Turn { played: any(&next), visits: vec![] },
        ];
        let line = write_line(1, 2, &turns);
        let line = line.strip_suffix('\n').expect("a line");
        assert_eq!(parse_line(line, 1, 2, start()), Some(turns));
        assert_eq!(parse_line(line, 1, 3, start()), None, "another game");
    }

    #[test]
    fn a_damaged_game_is_refused() {
        let first = any(&start());
        let legal = write_line(0, 0, &[Turn { played: first, visits: vec![] }]);
        let played = legal.trim_end().strip_prefix("0 0 ").expect("a turn");
        let (place, _) = played.rsplit_once(':').expect("visits");
        let damaged = [
            format!("0 0 {played} {played}"),
            "0 0 0:255:255:0".into(),
            "0 0 0:0:0:0".into(),
            format!("0 0 {played},0:0:0:1"),
            format!("0 0 {played},{place}:4294967295,{place}:1"),
        ];
        for line in damaged {
            assert_eq!(parse_line(&line, 0, 0, start()), None, "{line}");
        }
    }
}
