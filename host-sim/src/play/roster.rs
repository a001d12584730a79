//! Who sits where, and what they are called.

use corvid_core::player::Player;
use corvid_core::session::Match;

/// The most characters of a name.
pub(super) const LONGEST: usize = 20;

/// Joins letters or keeps them apart, as some scripts need it.
const JOINERS: [char; 2] = ['\u{200c}', '\u{200d}'];

/// Characters that turn text around, hide in it or break the line.
const INVISIBLE: [(char, char); 6] = [
    ('\u{200b}', '\u{200b}'),
    ('\u{200e}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{fff9}', '\u{fffd}'),
];

/// The name without spaces around it, or what is wrong with it.
pub(super) fn checked(name: &str) -> Result<String, String> {
    let name = name.trim_matches(' ');
    let count = name.chars().count();
    let hides = |letter| INVISIBLE.iter().any(|(first, last)| (*first..=*last).contains(&letter));
    if name.chars().any(|letter| letter.is_control() || hides(letter)) {
        return Err("a name can't have control characters".into());
    }
    if name.chars().all(|letter| letter.is_whitespace() || JOINERS.contains(&letter)) {
        return Err("a name can't be blank".into());
    }
    if count > LONGEST {
        return Err(format!("a name has at most {LONGEST} characters, this one {count}"));
    }
    Ok(name.to_owned())
}

/// A seat: a person or the computer, with one colour or two.
#[derive(Debug)]
struct Participant {
    name: Option<String>,
    /// What the computer plays as; `None` for a person.
    computer: Option<String>,
    /// `black`, `blue and red`.
    colors: String,
}

/// Everybody at the board.
#[derive(Debug)]
pub(super) struct Roster {
    seats: Vec<Participant>,
    /// The colours in turn order, which the seats share one by one.
    colors: Vec<&'static str>,
}

impl Roster {
    /// People play these colours; the computer, called so, has the rest.
    pub(super) fn new(game: &Match, people: &[Player], computer: &str) -> Self {
        let colors: Vec<_> = game.colors().iter().map(|color| color.name).collect();
        let seat = |number| {
            let of_seat = |player: &Player| game.seat_of(*player) == number;
            let names: Vec<_> =
                Player::all(colors.len()).filter(of_seat).map(|p| colors[p.index()]).collect();
            let computer = (!people.iter().any(of_seat)).then(|| computer.into());
            Participant { name: None, computer, colors: names.join(" and ") }
        };
        Self { seats: (0..game.setup().people()).map(seat).collect(), colors }
    }

    /// The seats of people.
    pub(super) fn people(&self) -> Vec<usize> {
        (0..self.seats.len()).filter(|seat| self.seats[*seat].computer.is_none()).collect()
    }

    /// Names a seat, unless another one is called the same.
    pub(super) fn call(&mut self, seat: usize, name: &str) -> Result<(), String> {
        let name = checked(name)?;
        let lower = name.to_lowercase();
        for (index, other) in self.seats.iter().enumerate().filter(|(index, _)| *index != seat) {
            let taken = [&other.name, &other.computer].into_iter().flatten();
            let colors = self.colors.iter().enumerate();
            let mut colors = colors.filter(|(color, _)| color % self.seats.len() == index);
            if taken.into_iter().any(|taken| taken.to_lowercase() == lower)
                || colors.any(|(_, color)| color.to_lowercase() == lower)
            {
                return Err(format!("two players can't both be called {name}"));
            }
        }
        self.seats[seat].name = Some(name);
        Ok(())
    }

    /// Names everybody, or the people alone, in the order of the seats: `Ann,Bob`.
    pub(super) fn call_all(&mut self, names: &str) -> Result<(), String> {
        let names: Vec<_> = names.split(',').collect();
        let (seats, people) = (self.seats.len(), self.people());
        let called = match names.len() {
            count if count == seats => (0..seats).collect(),
            count if count == people.len() => people,
            count => {
                let (names, players) = (plural(count, "name"), plural(seats, "player"));
                let alone = match people.len() {
                    1 if seats > 1 => ", or one for you alone",
                    _ => "",
                };
                return Err(format!("{names} for {players}; give one for each{alone}"));
            }
        };
        called.into_iter().zip(names).try_for_each(|(seat, name)| self.call(seat, name))
    }

    /// Whether anybody has a name.
    pub(super) fn are_named(&self) -> bool {
        self.seats.iter().any(|seat| seat.name.is_some())
    }

    /// The colours of a seat: `blue and red`.
    pub(super) fn colors_of(&self, seat: usize) -> &str {
        &self.seats[seat].colors
    }

    /// What a seat is called: by its name, or if nobody has one, by its colours.
    pub(super) fn name(&self, seat: usize) -> String {
        let Participant { name, computer, colors } = &self.seats[seat];
        match name.as_ref().or(computer.as_ref().filter(|_| self.are_named())) {
            None => colors.clone(),
            Some(name) => {
                let same =
                    |other: &&Participant| other.name.is_none() && other.computer == *computer;
                let twins = self.seats.iter().filter(same).count();
                let alone = self.seats[seat].name.is_some() || twins < 2;
                if alone { name.clone() } else { format!("{name} ({colors})") }
            }
        }
    }

    /// The seat with its colours, or with who plays them: `Ann (black)`, `white (level 3)`.
    pub(super) fn full_name(&self, seat: usize) -> String {
        let Participant { computer, colors, .. } = &self.seats[seat];
        let name = self.name(seat);
        match computer {
            _ if name.ends_with(')') => name,
            _ if name != *colors => format!("{name} ({colors})"),
            Some(computer) => format!("{name} ({computer})"),
            None => name,
        }
    }

    /// What the player of a colour is called; `None` if nobody has a name.
    pub(super) fn called(&self, player: Player) -> Option<&str> {
        let Participant { name, computer, colors } = &self.seats[player.index() % self.seats.len()];
        let called = name.as_ref().or(computer.as_ref()).unwrap_or(colors);
        self.are_named().then_some(called)
    }

    /// A colour and who plays it: `Ann (black)`, or the colour alone if nobody has a name.
    pub(super) fn who(&self, player: Player) -> String {
        let color = self.colors[player.index()];
        match self.called(player) {
            Some(name) if name != color => format!("{name} ({color})"),
            _ => color.into(),
        }
    }

    /// Who plays a colour, for the list before the game: `you`, `Ann`, `level 3`.
    pub(super) fn role(&self, player: Player) -> &str {
        let Participant { name, computer, .. } = &self.seats[player.index() % self.seats.len()];
        let alone = if self.people().len() == 1 { "you" } else { "a player" };
        name.as_deref().or(computer.as_deref()).unwrap_or(alone)
    }
}

fn plural(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use corvid_core::games::blokus::{Seats, classic_setup};
    use corvid_core::registry::GameKind;
    use corvid_core::setup::Setup;

    fn othello() -> Roster {
        let game = Match::new(Setup::usual(GameKind::Othello));
        Roster::new(&game, &[Player::FIRST], "level 5")
    }

    #[test]
    fn names_are_checked() {
        assert_eq!(checked("  Ann "), Ok("Ann".into()));
        assert_eq!(checked("Åsa Öström"), Ok("Åsa Öström".into()));
        for name in ["山田太郎", "علی\u{200c}رضا", "O'Neill-Smith"] {
            assert_eq!(checked(name), Ok(name.into()));
        }
        for (name, part) in [
            ("", "blank"),
            ("   ", "blank"),
            ("\u{a0}\u{200d}", "blank"),
            ("Ann\u{1b}[2J", "control"),
            ("An\tn", "control"),
            ("Ann\u{202e}", "control"),
            ("\u{200b}", "control"),
            (&"n".repeat(200), "at most 20 characters, this one 200"),
            (&"é".repeat(21), "this one 21"),
        ] {
            let why = checked(name).unwrap_err();
            assert!(why.contains(part), "{name:?}: {why}");
        }
        assert!(checked(&"é".repeat(20)).is_ok());
    }

    #[test]
    fn a_name_belongs_to_one_player() {
        let mut roster = othello();
        assert!(roster.call_all("Ann,ANN").unwrap_err().contains("both be called ANN"));
        assert!(roster.call(0, "Level 5").is_err(), "the computer is called so");
        assert!(roster.call(0, "white").is_err(), "the other colour is");
        assert!(roster.call(0, "Black").is_ok());
    }

    #[test]
    fn there_is_a_name_for_each_seat_or_each_person() {
        for (names, part) in [
            ("a,b,c", "3 names for 2 players; give one for each, or one for you alone"),
            ("Ann,", "blank"),
            ("", "blank"),
        ] {
            let why = othello().call_all(names).unwrap_err();
            assert!(why.contains(part), "{names}: {why}");
        }
        let mut roster = othello();
        roster.call_all("Ann").unwrap();
        assert_eq!([roster.name(0), roster.name(1)], ["Ann", "level 5"]);
        assert_eq!(roster.who(Player::SECOND), "level 5 (white)");
        assert_eq!(roster.full_name(0), "Ann (black)");
        roster.call_all("Ann,Bob").unwrap();
        assert_eq!(roster.full_name(1), "Bob (white)");
    }

    #[test]
    fn without_names_there_are_colours() {
        let roster = othello();
        assert_eq!([roster.name(0), roster.name(1)], ["black", "white"]);
        assert_eq!([roster.full_name(0), roster.full_name(1)], ["black", "white (level 5)"]);
        assert_eq!(roster.who(Player::SECOND), "white");
        assert_eq!([Player::FIRST, Player::SECOND].map(|p| roster.role(p)), ["you", "level 5"]);
    }

    #[test]
    fn computers_of_one_name_are_told_apart_by_colour() {
        let four = Match::new(Setup::usual(GameKind::BlokusClassic));
        let mut roster = Roster::new(&four, &[Player::THIRD], "hybrid");
        roster.call_all("Ann").unwrap();
        assert_eq!([roster.name(1), roster.name(2)], ["hybrid (yellow)", "Ann"]);
        assert_eq!(roster.full_name(3), "hybrid (green)");
        let two = Match::new(classic_setup(Seats::Two));
        let mut roster = Roster::new(&two, &[Player::FIRST, Player::THIRD], "hybrid");
        assert_eq!(roster.name(0), "blue and red");
        roster.call_all("Ann").unwrap();
        assert_eq!(roster.full_name(0), "Ann (blue and red)");
        assert_eq!(roster.who(Player::THIRD), "Ann (red)");
    }
}
