//! Strategies that look at the board after each move, alone or ranked together.
//!
//! Each aim orders the moves; the best twenty get 10, 9.5, 9 ... points. Equal moves share the points
//! of the first of them and use up the ranks of all: values of 9, 9 and 7 get 10, 10 and 9. The
//! points of several aims are weighted and added up, with a bonus for large pieces, and the highest
//! sum wins. A strategy alone is one aim with a bonus that only decides between equal moves.
//!
//! Only moves through a corridor stand in the list of corridors, once for each square of one that
//! they cover, so that a move with two such squares gets its points twice.

use core::cell::Cell;

use super::view::{Set, View};
use super::{Best, Bot, Meter, Moves, PIECES, Placement, size};
use crate::engine::Thinking;
use crate::mix::Rng;
use crate::player::{MAX_PLAYERS, Player};

/// What a move may be good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Aim {
    /// Own placements afterwards.
    MaxMoves,
    /// Few placements of the opponents.
    MinMoves,
    /// Own placements times half the number of players, less the opponents'.
    MaxMin,
    /// The same with influence: free squares around the corners to play at.
    Influence,
    /// Own influence alone.
    InfluencePlus,
    /// Own corners to play at.
    Corners,
    /// The size of a piece that covers squares of corridors, and how many of them.
    Corridors,
    /// The squares that could be covered in all if nobody else moved.
    Infinite,
}

/// The aims of a strategy with their weights in twentieths.
struct Mix {
    aims: &'static [(Aim, u8)],
    /// The weight of a square of the piece.
    size: u8,
}

/// The most aims in a mix.
const MAX_AIMS: usize = 6;

/// The last round in which hybrid ranks moves in Blokus Duo; then it searches.
pub(super) const LAST_RANKED_ROUND: u8 = 16;

const DUO: [Mix; 4] = {
    use Aim::{Corners, Corridors, Influence, MaxMoves, MinMoves};
    [
        Mix {
            aims: &[
                (MaxMoves, 20),
                (Influence, 60),
                (Corridors, 40),
                (Corners, 10),
                (MinMoves, 40),
            ],
            size: 60,
        },
        Mix {
            aims: &[
                (MaxMoves, 60),
                (Influence, 10),
                (Corridors, 30),
                (Corners, 10),
                (MinMoves, 40),
            ],
            size: 40,
        },
        Mix { aims: &[(MaxMoves, 40), (Influence, 10), (Corridors, 30), (MinMoves, 20)], size: 20 },
        Mix { aims: &[(MaxMoves, 40), (Corridors, 10), (MinMoves, 60)], size: 20 },
    ]
};

const CLASSIC: [Mix; 5] = {
    use Aim::{Corners, Corridors, Infinite, Influence, MaxMoves, MinMoves};
    [
        Mix { aims: &[(Influence, 60), (Corridors, 40), (Corners, 10)], size: 60 },
        Mix {
            aims: &[
                (MaxMoves, 60),
                (Influence, 20),
                (Corridors, 40),
                (Corners, 10),
                (MinMoves, 40),
            ],
            size: 20,
        },
        Mix {
            aims: &[
                (MaxMoves, 80),
                (Influence, 20),
                (Corridors, 40),
                (Corners, 10),
                (MinMoves, 40),
            ],
            size: 20,
        },
        Mix { aims: &[(MaxMoves, 60), (Influence, 20), (MinMoves, 40)], size: 20 },
        Mix { aims: &[(MaxMoves, 10), (MinMoves, 10), (Infinite, 60)], size: 1 },
    ]
};

/// Jahanshahi's table for start, middle and end: low 1, normal 2, high 3, very high 4. The
/// paper's strategic points are taken to be the squares of influence.
const PHASES: [Mix; 3] = {
    use Aim::{Influence, MaxMoves, MinMoves};
    [
        Mix { aims: &[(MinMoves, 3), (MaxMoves, 3), (Influence, 2)], size: 4 },
        Mix { aims: &[(MinMoves, 3), (MaxMoves, 2), (Influence, 4)], size: 3 },
        Mix { aims: &[(MinMoves, 1), (MaxMoves, 1), (Influence, 4)], size: 2 },
    ]
};

/// The mix that the dissertation expects to beat influence, with hybrid's weights of the first
/// rounds; it names none.
const INFLUENCE_CORRIDORS_LARGEST: Mix =
    Mix { aims: &[(Aim::Influence, 60), (Aim::Corridors, 40)], size: 60 };

/// The more aggressive start that it proposes as well, as understood here: blocking twice as much as
/// hybrid does, and no thought of own moves.
const AGGRESSIVE: Mix =
    Mix { aims: &[(Aim::Influence, 60), (Aim::Corridors, 40), (Aim::MinMoves, 80)], size: 60 };

/// The last round of that start.
const LAST_AGGRESSIVE_ROUND: u8 = 10;

/// The bonus for size of a strategy alone, too small to change an order.
const TIE: u8 = 1;

/// How a bot weighs its aims in a round; `None` for bots that don't.
fn mix(bot: Bot, players: usize, round: u8) -> Option<&'static Mix> {
    macro_rules! alone {
        ($aim:ident) => {
            &Mix { aims: &[(Aim::$aim, 20)], size: TIE }
        };
    }
    let hybrid = match round {
        ..=4 => 0,
        5..=10 => 1,
        11..=13 => 2,
        14..=LAST_RANKED_ROUND => 3,
        _ => 4,
    };
    Some(match bot {
        Bot::Corridors => alone!(Corridors),
        Bot::Corners | Bot::CornersSeed => alone!(Corners),
        Bot::MaxMoves | Bot::MaxMovesSeed => alone!(MaxMoves),
        Bot::MinMoves | Bot::MinMovesSeed => alone!(MinMoves),
        Bot::MaxMin | Bot::MaxMinSeed => alone!(MaxMin),
        Bot::Influence | Bot::InfluenceSeed => alone!(Influence),
        Bot::InfluencePlus => alone!(InfluencePlus),
        Bot::Mix => &INFLUENCE_CORRIDORS_LARGEST,
        Bot::HybridAggressive if round <= LAST_AGGRESSIVE_ROUND => &AGGRESSIVE,
        bot if is_hybrid(bot) && players == 2 => &DUO[hybrid.min(3)],
        bot if is_hybrid(bot) => &CLASSIC[hybrid],
        Bot::Phases => &PHASES[usize::from((round - 1) / 7).min(2)],
        _ => return None,
    })
}

/// Whether it is hybrid in one of its forms.
pub(super) const fn is_hybrid(bot: Bot) -> bool {
    matches!(bot, Bot::Hybrid | Bot::HybridAggressive | Bot::HybridSeed)
}

/// Whether moves are valued as the published program did.
const fn is_published(bot: Bot) -> bool {
    matches!(
        bot,
        Bot::CornersSeed
            | Bot::MaxMovesSeed
            | Bot::MinMovesSeed
            | Bot::MaxMinSeed
            | Bot::InfluenceSeed
            | Bot::HybridSeed
    )
}

/// The bot's move; `None` if it is not one of these strategies, no move serves its aims, or it was
/// stopped.
#[inline(never)]
pub(super) fn choose(
    bot: Bot,
    round: u8,
    view: &View,
    moves: &dyn Moves,
    thinking: &mut Thinking<'_>,
    meter: &mut Meter<'_>,
) -> Option<Placement> {
    let mix = mix(bot, view.players, round)?;
    let rng = &mut *thinking.rng;
    let memory = &mut *thinking.memory;
    let order = Order::new(is_published(bot), rng);
    let scan = Scan::new(view, moves, mix, order.published, round);
    let mut lists = [List::EMPTY; MAX_AIMS];
    let mut index = 0;
    moves.for_each(&mut |placement| {
        // A board counts placements for some milliseconds.
        if meter.tick_long() {
            let values = scan.values(placement, meter);
            for ((list, &value), (aim, _)) in lists.iter_mut().zip(&values).zip(mix.aims) {
                list.insert(Entry::new(*aim, value, order.key(placement, index)));
            }
            if let Some([first, second]) = memory.get_mut(2 * index..2 * index + 2) {
                [*first, *second] = pack(values);
            }
        }
        index += 1;
    });
    let mut best = Best::new();
    let mut chosen = None;
    let count = index;
    index = 0;
    if !meter.is_over() {
        moves.for_each(&mut |placement| {
            if !meter.tick() {
                return;
            }
            let values = match memory.get(2 * index..2 * index + 2) {
                Some(&[first, second]) => unpack([first, second]),
                _ => scan.values(placement, meter),
            };
            let mut sum = 0;
            // A move that no list holds is not merged into one.
            let mut listed = bot == Bot::Phases;
            for ((list, value), (aim, weight)) in lists.iter().zip(values).zip(mix.aims) {
                let points = if bot == Bot::Phases {
                    list.share(value)
                } else {
                    let entry = Entry::new(*aim, value, order.key(placement, index));
                    list.points(entry, order.published)
                };
                listed |= points > 0;
                sum += points * i32::from(*weight);
            }
            // Points are in halves here, shares in thousandths, of which a square is a fifth.
            let square = if bot == Bot::Phases { 200 } else { 4 };
            let bonus = i32::from(size(placement)) * i32::from(mix.size) * square;
            if listed && best.takes(sum + bonus, rng) {
                chosen = Some(placement);
            }
            index += 1;
        });
    }
    // The search that has this memory next takes zeros for nothing known.
    memory.iter_mut().take(2 * count).for_each(|slot| *slot = 0);
    chosen
}

/// Values of a move, as many as the mix has aims.
type Values = [i16; MAX_AIMS];

fn pack(values: Values) -> [u64; 2] {
    let half =
        |part: &[i16]| part.iter().fold(0, |all, value| all << 16 | u64::from(*value as u16));
    [half(&values[..3]), half(&values[3..])]
}

fn unpack(slots: [u64; 2]) -> Values {
    let [first, second] = slots;
    let at = |slot: u64, place: u32| (slot >> (16 * place)) as i16;
    [at(first, 2), at(first, 1), at(first, 0), at(second, 2), at(second, 1), at(second, 0)]
}

/// Pairs of rows on the largest board.
const PAIRS: usize = 10;

/// What is the same for all moves of a position.
struct Scan<'a> {
    view: &'a View,
    moves: &'a dyn Moves,
    mix: &'static Mix,
    /// Values as published. Own influence is subtracted once too. After a player's first piece its
    /// score is still 0 when own moves are counted, so that the rule for first pieces holds: a move
    /// has to cover one square, a corner of the new piece. Which of them depends on the order of a
    /// set; at the top right a single square has the 125 moves that the program counted.
    published: bool,
    /// Whether it is the first round.
    begins: bool,
    corridors: Set,
    /// The squares that the players' placements cover. A move elsewhere changes nothing for them.
    reach: [Set; MAX_PLAYERS],
    /// How many placements they have in every second row and the next, once an opponent's are
    /// asked for. A move changes those that can cover one of its squares.
    counts: [Cell<Option<[i16; PAIRS]>>; MAX_PLAYERS],
}

impl<'a> Scan<'a> {
    fn new(
        view: &'a View,
        moves: &'a dyn Moves,
        mix: &'static Mix,
        published: bool,
        round: u8,
    ) -> Self {
        let mut reach = [Set::EMPTY; MAX_PLAYERS];
        view.opponents().for_each(|player| reach[player.index()] = view.reach(player));
        let corridors = view.corridors();
        let counts = [const { Cell::new(None) }; MAX_PLAYERS];
        Self { view, moves, mix, published, begins: round == 1, corridors, reach, counts }
    }

    fn values(&self, placement: Placement, meter: &mut Meter<'_>) -> Values {
        let after = self.view.after(placement);
        let mut values = [0; MAX_AIMS];
        for (value, (aim, _)) in values.iter_mut().zip(self.mix.aims) {
            *value = self.value(*aim, &after, placement, meter);
        }
        values
    }

    fn value(&self, aim: Aim, after: &View, placement: Placement, meter: &mut Meter<'_>) -> i16 {
        let own = self.view.turn;
        let half = self.view.players as i16 / 2;
        let own_moves = || match after.corners(own).top_right() {
            Some(corner) if self.published && self.begins => {
                self.moves.count_over_after(placement, corner)
            }
            _ => self.moves.count_after(placement, own),
        };
        let their_moves =
            || self.view.opponents().map(|player| self.moves_of(player, placement)).sum::<i16>();
        // How much of the own influence counts.
        let influence = |weight: i16| {
            let theirs: i16 = self.view.opponents().map(|player| after.influence(player)).sum();
            after.influence(own) * weight - theirs
        };
        match aim {
            Aim::MaxMoves => own_moves(),
            Aim::MinMoves => -their_moves(),
            Aim::MaxMin => own_moves() * half - their_moves(),
            Aim::Influence => influence(half - i16::from(self.published)),
            Aim::InfluencePlus => after.influence(own),
            Aim::Corners => after.corners(own).count(),
            Aim::Corridors => {
                let through = placement.cells().filter(|&(x, y)| self.corridors.has(x, y));
                through.count() as i16 * COPY + size(placement)
            }
            Aim::Infinite => size(placement) + self.moves.alone_after(placement, meter),
        }
    }

    /// How many placements an opponent has after a move.
    fn moves_of(&self, player: Player, placement: Placement) -> i16 {
        let known = &self.counts[player.index()];
        let counts = known.get().unwrap_or_else(|| {
            core::array::from_fn(|pair| {
                let row = 2 * pair as u8;
                self.moves.count_in(player, row..row + 2)
            })
        });
        known.set(Some(counts));
        let reach = &self.reach[player.index()];
        let all = counts.iter().sum();
        if !placement.cells().any(|(x, y)| reach.has(x, y)) {
            return all;
        }
        // A piece that covers a square begins at most four rows above it.
        let first = placement.y.saturating_sub(4) / 2;
        let end = (placement.y + placement.orientation.height()).div_ceil(2);
        let changed: i16 = counts.iter().take(end.into()).skip(first.into()).sum();
        all - changed + self.moves.count_in_after(placement, player, 2 * first..2 * end)
    }
}

/// The order of equal moves. The published program goes through the pieces in an order that is
/// random in each game.
struct Order {
    published: bool,
    pieces: [u8; PIECES],
}

impl Order {
    fn new(published: bool, rng: &mut Rng) -> Self {
        let mut pieces = core::array::from_fn(|piece| piece as u8);
        if published {
            rng.shuffle(&mut pieces);
        }
        Self { published, pieces }
    }

    fn key(&self, placement: Placement, index: usize) -> u32 {
        let piece = self.pieces.get(placement.orientation.piece().index());
        piece.map_or(0, |place| u32::from(*place) << 16) | index as u32
    }
}

/// A value of `Aim::Corridors` is the size of the piece and so much for each square of a corridor.
const COPY: i16 = 16;

/// A move in the order of an aim.
#[derive(Clone, Copy)]
struct Entry {
    value: i16,
    key: u32,
    /// How often it stands in the list.
    copies: u8,
}

impl Entry {
    const fn new(aim: Aim, value: i16, key: u32) -> Self {
        match aim {
            Aim::Corridors => Self { value: value % COPY, key, copies: (value / COPY) as u8 },
            _ => Self { value, key, copies: 1 },
        }
    }

    /// Whether it stands before the other.
    const fn precedes(self, other: Self) -> bool {
        self.value > other.value || self.value == other.value && self.key < other.key
    }
}

/// How many moves get points.
const LISTED: usize = 20;

/// The best moves by one aim.
#[derive(Clone, Copy)]
struct List {
    entries: [Entry; LISTED],
    length: usize,
    lowest: i16,
}

impl List {
    const EMPTY: Self = {
        let entry = Entry { value: 0, key: 0, copies: 0 };
        Self { entries: [entry; LISTED], length: 0, lowest: i16::MAX }
    };

    fn insert(&mut self, entry: Entry) {
        self.lowest = self.lowest.min(entry.value);
        for _ in 0..entry.copies {
            let mut place = self.length;
            while let Some(before) = place.checked_sub(1)
                && let Some(&other) = self.entries.get(before)
                && entry.precedes(other)
            {
                if let Some(slot) = self.entries.get_mut(place) {
                    *slot = other;
                }
                place = before;
            }
            if let Some(slot) = self.entries.get_mut(place) {
                *slot = entry;
                self.length = (self.length + 1).min(LISTED);
            }
        }
    }

    /// The points of a move, in halves: 20 for the best, one less for each that is better, as often
    /// as the move is listed; 0 if it is not.
    ///
    /// Published, of equal moves at the end of the list only those that come first are kept, and a
    /// best value of 0 is taken for a repeated one, so that it gets 10.5 points.
    fn points(&self, entry: Entry, published: bool) -> i32 {
        let listed = || self.entries.iter().take(self.length);
        let better = listed().filter(|other| other.value > entry.value).count();
        let zero = published && better == 0 && entry.value == 0;
        let copies = if published {
            listed().filter(|other| other.key == entry.key).count()
        } else {
            entry.copies.into()
        };
        (LISTED - better + usize::from(zero)) as i32 * copies as i32
    }

    /// Where a value lies between the lowest and the highest, in thousandths.
    fn share(&self, value: i16) -> i32 {
        let (low, high) = (i32::from(self.lowest), i32::from(self.entries[0].value));
        ((i32::from(value) - low) * 1000).checked_div(high - low).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::play;
    use super::*;
    use crate::bots::random;
    use crate::game::Game;
    use crate::games::blokus::{Blokus, Duo, Move};
    use std::vec::Vec;

    fn entry(value: i16, key: u32) -> Entry {
        Entry::new(Aim::MaxMoves, value, key)
    }

    fn list(values: &[i16]) -> List {
        let mut list = List::EMPTY;
        values.iter().zip(0..).for_each(|(value, key)| list.insert(entry(*value, key)));
        list
    }

    #[test]
    fn equal_moves_share_their_points_and_use_up_ranks() {
        let short = list(&[7, 9, 9, 3]);
        let points = |value| short.points(entry(value, 0), false);
        assert_eq!([points(9), points(7), points(3)], [20, 18, 17], "10, 9 and 8.5");
        let values: Vec<i16> = (0..30).map(|key| 30 - key).collect();
        let full = list(&values);
        assert_eq!(full.points(entry(30, 0), false), 20);
        assert_eq!(full.points(entry(11, 19), false), 1);
        assert_eq!(full.points(entry(10, 20), false), 0);
        assert_eq!((full.share(1), full.share(30), full.share(15)), (0, 1000, 482));
    }

    #[test]
    fn published_lists_are_cut_and_a_best_value_of_zero_gets_more() {
        let equal = list(&[5; 30]);
        assert_eq!(equal.points(entry(5, 29), false), 20, "all equal ones");
        assert_eq!(equal.points(entry(5, 19), true), 20);
        assert_eq!(equal.points(entry(5, 20), true), 0, "the first twenty alone");
        let zeros = list(&[0, -1]);
        let points = |published| {
            [(0, 0), (-1, 1)].map(|(value, key)| zeros.points(entry(value, key), published))
        };
        assert_eq!(points(true), [21, 19], "10.5 and 9.5");
        assert_eq!(points(false), [20, 19]);
        let later = list(&[1, 0]);
        assert_eq!(later.points(entry(0, 1), true), 19, "a zero further down gets no more");
    }

    #[test]
    fn a_move_is_listed_once_for_each_square_of_a_corridor() {
        let through = |size, squares, key| Entry::new(Aim::Corridors, squares * COPY + size, key);
        let mut list = List::EMPTY;
        let entries = [through(5, 0, 0), through(4, 2, 1), through(5, 1, 2), through(3, 1, 3)];
        entries.into_iter().for_each(|entry| list.insert(entry));
        assert_eq!(list.length, 4, "the first is not through a corridor");
        for published in [false, true] {
            let points = entries.map(|entry| list.points(entry, published));
            assert_eq!(points, [0, 2 * 19, 20, 17]);
        }
    }

    #[test]
    fn values_fit_their_slots() {
        let values = [-300, 0, 1, i16::MAX, i16::MIN, -1];
        assert_eq!(unpack(pack(values)), values);
    }

    /// Placements of a player by the rules' own list.
    fn moves<const P: usize, const W: usize>(game: &Blokus<P, W>, player: Player) -> i32 {
        let mut count = 0;
        game.with_turn(player).for_each_move(|mv| count += i32::from(mv != Move::Pass));
        count
    }

    /// Squares of influence, one by one.
    fn influence<const P: usize, const W: usize>(game: &Blokus<P, W>, player: Player) -> i32 {
        let corners = game.attach_points(player);
        let side = Blokus::<P, W>::SIDE;
        let near = |x: u8, y: u8| {
            (0..side).any(|b| {
                (0..side).any(|a| {
                    let (dx, dy) = (a.abs_diff(x), b.abs_diff(y));
                    corners.has(a, b) && dx <= 2 && dy <= 2 && (1..4).contains(&(dx + dy))
                })
            })
        };
        let free = |x, y| game.owner(x, y).is_none();
        let all = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
        all.filter(|&(x, y)| free(x, y) && near(x, y)).count() as i32
    }

    /// Each strategy's formula, by the document, on a position after a move.
    fn formula<const P: usize, const W: usize>(bot: Bot, after: &Blokus<P, W>, own: Player) -> i32 {
        let half = P as i32 / 2;
        let theirs = |of: fn(&Blokus<P, W>, Player) -> i32| {
            Player::all(P).filter(|player| *player != own).map(|p| of(after, p)).sum::<i32>()
        };
        match bot {
            Bot::MaxMoves => moves(after, own),
            Bot::MinMoves => 300 - theirs(moves),
            Bot::MaxMin => moves(after, own) * half - theirs(moves),
            Bot::Influence => influence(after, own) * half - theirs(influence),
            Bot::InfluenceSeed => {
                influence(after, own) * half - theirs(influence) - influence(after, own)
            }
            Bot::InfluencePlus => influence(after, own),
            _ => after.attach_points(own).count() as i32,
        }
    }

    /// The chosen move has the highest value, and the largest piece among those that have it.
    fn check<const P: usize, const W: usize>(game: &Blokus<P, W>, bot: Bot) {
        let own = game.turn();
        let rng = &mut Rng::new(5);
        let memory = &mut [0; 500];
        let mut thinking = Thinking { memory, ..Thinking::for_tests(rng) };
        let chosen = play(game, bot, &mut thinking).unwrap();
        let value = |mv: Move| {
            let mut after = *game;
            after.play(mv);
            let published = is_published(bot);
            // Published, only twenty of the equal ones are looked at.
            let size = if published { 0 } else { game.gain(mv) };
            (formula(bot, &after, own), size)
        };
        let mut best = Vec::new();
        game.for_each_move(|mv| best.push(value(mv)));
        assert_eq!(Some(value(chosen)), best.into_iter().max(), "{bot:?} {chosen:?}");
    }

    fn check_all<const P: usize, const W: usize>(plies: &[usize]) {
        for &plies in plies {
            let mut game = Blokus::<P, W>::default();
            let mut rng = Rng::new(plies as u64);
            for _ in 0..plies {
                game.play(random(&game, &mut rng).unwrap());
            }
            for bot in [
                Bot::Corners,
                Bot::MaxMoves,
                Bot::MinMoves,
                Bot::MaxMin,
                Bot::Influence,
                Bot::InfluencePlus,
                Bot::InfluenceSeed,
            ] {
                check(&game, bot);
            }
        }
    }

    #[test]
    fn strategies_follow_their_formulas() {
        check_all::<2, 8>(&[1, 4, 9, 20]);
        check_all::<4, 20>(&[1, 12, 40]);
    }

    /// ```text
    /// . o o o o o .
    /// o o o o o o o     A square alone (b) has four corners (c). The squares of influence around
    /// o o c o c o o     them make 7x7, less its own corners and the square itself.
    /// o o o b o o o
    /// o o c o c o o
    /// o o o o o o o
    /// . o o o o o .
    /// ```
    #[test]
    fn corners_and_influence_of_a_single_square() {
        let mut game = Duo::default();
        for text in ["e10", "j5"] {
            game.play(game.parse_move(text).unwrap());
        }
        let view = View::new(&game);
        assert_eq!(view.corners(Player::FIRST).count(), 4);
        assert_eq!(view.influence(Player::FIRST), 44);
    }

    #[test]
    fn weights_follow_the_rounds() {
        let weight = |players, round, wanted| {
            let mix = mix(Bot::Hybrid, players, round).unwrap();
            mix.aims.iter().find(|(aim, _)| *aim == wanted).map_or(0, |(_, weight)| *weight)
        };
        assert_eq!([4, 5, 11, 14].map(|round| weight(2, round, Aim::MaxMoves)), [20, 60, 40, 40]);
        assert_eq!([4, 5, 11, 14].map(|round| weight(4, round, Aim::MaxMoves)), [0, 60, 80, 60]);
        assert_eq!([16, 17].map(|round| weight(4, round, Aim::Infinite)), [0, 60]);
        assert!(mix(Bot::Random, 2, 1).is_none());
    }
}
