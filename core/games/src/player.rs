//! Who plays: seats, colours and the order at the end.

use heapless::Vec;

/// The most players that a game has.
pub const MAX_PLAYERS: usize = 4;

/// A player, by place in the turn order: the first is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Player(u8);

impl Player {
    /// Black, X, blue.
    pub const FIRST: Self = Self(0);
    /// White, O, yellow (in Blokus Duo: green).
    pub const SECOND: Self = Self(1);
    /// Red in Blokus Classic.
    pub const THIRD: Self = Self(2);
    /// Green in Blokus Classic.
    pub const FOURTH: Self = Self(3);

    /// The player with this place in the turn order, if a game can have one.
    pub const fn new(index: usize) -> Option<Self> {
        if index < MAX_PLAYERS { Some(Self(index as u8)) } else { None }
    }

    /// The place in the turn order, from 0 and below [`MAX_PLAYERS`].
    pub const fn index(self) -> usize {
        // It is below already; this tells the compiler.
        self.0 as usize % MAX_PLAYERS
    }

    /// The next in turn among `players`.
    pub const fn next(self, players: usize) -> Self {
        if self.index() + 1 < players { Self(self.0 + 1) } else { Self(0) }
    }

    /// The opponent in a game of two.
    pub const fn other(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// All players of a game with `players` seats, in turn order.
    pub fn all(players: usize) -> impl Iterator<Item = Self> {
        (0..players.min(MAX_PLAYERS) as u8).map(Self)
    }
}

/// How a player is called and drawn in one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Color {
    /// The name in sentences: `black`.
    pub name: &'static str,
    /// The mark on a board drawn in text: `X`.
    pub mark: char,
    /// Other names that are understood, in lower case.
    pub aliases: &'static [&'static str],
}

/// A player's mark in a game with these colours.
#[inline]
pub fn mark(colors: &[Color], player: Player) -> char {
    colors.get(player.index()).map_or('?', |color| color.mark)
}

/// The player whom `text` names in a game with these colours, in any letter case.
#[inline]
pub fn player_named(colors: &[Color], text: &str) -> Option<Player> {
    let named = |color: &Color| {
        color.name.eq_ignore_ascii_case(text)
            || color.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(text))
    };
    colors.iter().position(named).and_then(Player::new)
}

/// One line of a final table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// 1 for the winner; players with equal points share a place.
    pub place: u8,
    /// Who it is.
    pub player: Player,
    /// What the player's score is.
    pub points: i16,
}

/// All players from first to last place; equal ones in turn order.
#[inline]
pub fn ranking(points: &[i16]) -> Vec<Standing, MAX_PLAYERS> {
    let place_of = |own: i16| 1 + points.iter().filter(|other| **other > own).count() as u8;
    let mut table = Vec::new();
    for place in 1..=MAX_PLAYERS as u8 {
        for (player, &own) in Player::all(MAX_PLAYERS).zip(points) {
            if place_of(own) == place {
                // There are at most as many players as the table holds.
                let _ = table.push(Standing { place, player, points: own });
            }
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_a_place_and_the_next_one_is_left_out() {
        let table = ranking(&[-3, 20, -3, -40]);
        let rows: Vec<(u8, usize, i16), 4> =
            table.iter().map(|s| (s.place, s.player.index(), s.points)).collect();
        assert_eq!(rows, [(1, 1, 20), (2, 0, -3), (2, 2, -3), (4, 3, -40)]);
    }

    #[test]
    fn colours_are_found_in_any_case() {
        let colors = [
            Color { name: "black", mark: 'X', aliases: &["b"] },
            Color { name: "white", mark: 'O', aliases: &["w"] },
        ];
        assert_eq!(player_named(&colors, "W"), Some(Player::SECOND));
        assert_eq!(player_named(&colors, "Black"), Some(Player::FIRST));
        assert_eq!(player_named(&colors, "red"), None);
    }
}
