//! Two programs of the document, by any reading: LeakyAI and Brute Force. A board is an array of
//! owners, as in the document, and a piece a list of squares, one of them marked as its centre.

use std::cmp::Reverse;

use corvid_core::game::Game;
use corvid_core::games::blokus::{Classic, Move, ORIENTATIONS, Orientation, PIECES, Piece};
use corvid_core::games::blokus::{PieceSet, Placement, StartRule};
use corvid_core::mix::{Rng, mix_in};
use corvid_core::player::Player;

use super::{
    Adding, Amount, At, Clones, Corners, Current, Direction, Fallback, HeuristicBoard, Horizontal,
    Lasting, Listing, Major, Mode, Nest, Reading, Spin, Squares, Straight, Threshold, Ties,
    Trigger, Turning, Unplayable, Vertical,
};

const SIDE: usize = 20;
const SQUARES: usize = SIDE * SIDE;

/// The document's number of a free square; players are 0 to 3.
const VACANT: i16 = -1;
/// What the document's flood fill writes.
const FLOODED: i16 = -999;

/// The pieces as pictures, rows from the top: `o` is a square and `x` the centre, which is the
/// contest's reference square. In the order of the contest's letters.
const PICTURES: [&str; PIECES] = [
    "x",
    "x/o",
    "o/x/o",
    "o./xo",
    "o/x/o/o",
    ".o/.x/oo",
    "o./xo/o.",
    "xo/oo",
    "ox./.oo",
    "o/o/x/o/o",
    ".o/.o/.x/oo",
    ".o/.o/ox/o.",
    ".o/ox/oo",
    "oo/.x/oo",
    "o./xo/o./o.",
    ".o./.x./ooo",
    "o../o../xoo",
    "oo./.xo/..o",
    "o../oxo/..o",
    "o../oxo/.o.",
    ".o./oxo/.o.",
];

type Square = (i8, i8);

fn squares_of(picture: &str) -> (Vec<Square>, Square) {
    let mut squares = Vec::new();
    let mut centre = (0, 0);
    for (y, row) in picture.split('/').enumerate() {
        for (x, mark) in row.bytes().enumerate().filter(|(_, mark)| *mark != b'.') {
            let square = (x as i8, y as i8);
            squares.push(square);
            if mark == b'x' {
                centre = square;
            }
        }
    }
    (squares, centre)
}

/// Where a placement is 'at': from the top left of its box, and when that turn is tried.
#[derive(Debug, Clone, Copy)]
struct Hold {
    x: i8,
    y: i8,
    turn: u8,
}

/// What a reading needs again and again.
#[derive(Debug)]
struct Lookup {
    /// When each square is visited, and the other way round.
    visit: [u16; SQUARES],
    order: Vec<usize>,
    /// When each piece is tried.
    rank: [u8; PIECES],
    holds: Vec<Vec<Hold>>,
    starts: [usize; 4],
    boards: [[i16; SQUARES]; 4],
}

impl Lookup {
    fn new(reading: &Reading) -> Self {
        let mut order: Vec<usize> = Vec::with_capacity(SQUARES);
        for outer in 0..SIDE {
            for inner in 0..SIDE {
                let (row, column) = match reading.major {
                    Major::Rows => (outer, inner),
                    Major::Columns => (inner, outer),
                };
                let y = if reading.vertical == Vertical::Down { row } else { SIDE - 1 - row };
                let x = if reading.horizontal == Horizontal::Right {
                    column
                } else {
                    SIDE - 1 - column
                };
                order.push(y * SIDE + x);
            }
        }
        let mut visit = [0; SQUARES];
        for (when, square) in order.iter().enumerate() {
            visit[*square] = when as u16;
        }
        let starts = starts(reading.corners);
        Self {
            visit,
            order,
            rank: ranks(reading),
            holds: holds(reading),
            starts,
            boards: starts.map(|start| core::array::from_fn(|at| value(reading.board, start, at))),
        }
    }
}

/// The start squares in the order of turns. They don't move with the scan.
fn starts(corners: Corners) -> [usize; 4] {
    let last = SIDE - 1;
    let [a, b, c, d] = [0, last, last * SIDE, SQUARES - 1];
    match corners {
        Corners::Clockwise | Corners::Free => [a, b, d, c],
        Corners::Counterclockwise => [a, c, d, b],
        Corners::Rows => [a, b, c, d],
        Corners::Columns => [a, c, b, d],
    }
}

/// When each piece is tried: the large ones first.
fn ranks(reading: &Reading) -> [u8; PIECES] {
    let key = |piece: Piece| -> u32 {
        let letter = char::from(piece.name().as_bytes()[0]);
        let index = piece.index() as u32;
        match reading.listing {
            Listing::Contest => index,
            Listing::Alphabet => letter.into(),
            // They are letters for pieces of five squares.
            Listing::Conway if piece.size() < 5 => index,
            Listing::Conway => "IPLFNTUVWXYZ".find(letter).map_or(0, |place| place as u32),
            other => mix_in(other as u64, index.into()) as u32,
        }
    };
    let mut pieces: Vec<Piece> = (0..PIECES).filter_map(Piece::new).collect();
    pieces.sort_by_key(|piece| key(*piece));
    if reading.direction == Direction::Backwards {
        pieces.reverse();
    }
    pieces.sort_by_key(|piece| {
        let straight = match reading.straight {
            Straight::First if piece.name() == "I5" => 0,
            Straight::Last if piece.name() == "I5" => 2,
            _ => 1,
        };
        (Reverse(piece.size()), straight)
    });
    let mut ranks = [0; PIECES];
    for (rank, piece) in pieces.iter().enumerate() {
        ranks[piece.index()] = rank as u8;
    }
    ranks
}

/// By orientation: where it is held, with the first turn that gives it.
fn holds(reading: &Reading) -> Vec<Vec<Hold>> {
    let mut holds = vec![Vec::new(); ORIENTATIONS];
    for piece in (0..PIECES).filter_map(Piece::new) {
        let (squares, centre) = squares_of(PICTURES[piece.index()]);
        let quarter = |(x, y): Square| (-y, x);
        let mirror = |(x, y): Square| (-x, y);
        let repeat = |square: Square, turns: usize| (0..turns).fold(square, |at, _| quarter(at));
        let lie = reading.lie as usize;
        for turn in 0..8 {
            let turns = turn % 4 + usize::from(reading.turning != Turning::After);
            let turns = if reading.spin == Spin::Clockwise { turns } else { 4 - turns % 4 };
            let place = |square: Square| {
                let listed = repeat(square, lie % 4);
                let listed = if lie < 4 { listed } else { mirror(listed) };
                repeat(if turn < 4 { listed } else { mirror(listed) }, turns)
            };
            let mut turned: Vec<Square> = squares.iter().map(|square| place(*square)).collect();
            let left = turned.iter().map(|square| square.0).min().unwrap_or(0);
            let top = turned.iter().map(|square| square.1).min().unwrap_or(0);
            turned.iter_mut().for_each(|square| *square = (square.0 - left, square.1 - top));
            turned.sort_unstable_by_key(|square| (square.1, square.0));
            let same = |orientation: &Orientation| {
                let cells = orientation.cells().map(|(x, y)| (x as i8, y as i8));
                cells.eq(turned.iter().copied())
            };
            let Some(orientation) = piece.orientations().find(same) else { continue };
            let held = match reading.at {
                At::Centre => {
                    let (x, y) = place(centre);
                    vec![(x - left, y - top)]
                }
                At::Any => turned,
                At::Corner => vec![(0, 0)],
            };
            let known: &mut Vec<Hold> = &mut holds[orientation.index()];
            for (x, y) in held {
                if !known.iter().any(|hold| (hold.x, hold.y) == (x, y)) {
                    known.push(Hold { x, y, turn: turn as u8 });
                }
            }
        }
    }
    holds
}

/// The heuristic board of the player who begins at a square.
fn value(board: HeuristicBoard, start: usize, at: usize) -> i16 {
    let place = |square: usize| ((square % SIDE) as i16, (square / SIDE) as i16);
    let apart = |one: usize, other: usize| {
        let ((x, y), (u, v)) = (place(one), place(other));
        ((x - u).abs(), (y - v).abs())
    };
    let last = SIDE as i16 - 1;
    let (x, y) = place(at);
    let (dx, dy) = apart(start, at);
    let ring = x.min(y).min(last - x).min(last - y);
    match board {
        HeuristicBoard::Flat => 0,
        HeuristicBoard::Away => 1 + 9 * dx.max(dy) / last,
        HeuristicBoard::Steps => 1 + 9 * (dx + dy) / (2 * last),
        HeuristicBoard::Centre => 1 + ring,
        HeuristicBoard::Edge => 10 - ring,
        HeuristicBoard::Others => {
            let corners = starts(Corners::Clockwise).into_iter().filter(|corner| *corner != start);
            let near = corners.map(|corner| apart(corner, at)).map(|(dx, dy)| dx.max(dy)).min();
            (10 - near.unwrap_or(0)).max(0)
        }
        HeuristicBoard::Quarters => i16::from(dx >= 10 || dy >= 10) * 10,
        HeuristicBoard::Far => i16::from(dx >= 10 && dy >= 10) * 10,
        HeuristicBoard::Corners => x.max(last - x).min(y.max(last - y)) - 9,
        HeuristicBoard::Band => 10 - 2 * (ring - 4).abs(),
    }
}

/// Who plays in a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Seat {
    Leaky,
    Brute,
}

impl Seat {
    /// The document's Table 4 and Table 5.
    pub(in super::super) const AGAINST_BRUTE_FORCE: [Self; 4] =
        [Self::Leaky, Self::Brute, Self::Brute, Self::Brute];
    pub(in super::super) const ALL_LEAKY: [Self; 4] = [Self::Leaky; 4];
}

/// A game in progress between players of one reading.
#[derive(Debug)]
pub(in super::super) struct Replay {
    reading: Reading,
    lookup: Lookup,
    game: Classic,
    /// Whether a player's aggressive mode is on.
    modes: [bool; 4],
    /// How many moves LeakyAIs made, and how many of them because no square had a value.
    moves: [u32; 2],
}

/// The largest piece at a square: the lower the key, the better.
#[derive(Debug, Clone, Copy)]
struct Largest {
    key: u16,
    placement: Placement,
}

impl Replay {
    pub(in super::super) fn new(reading: Reading) -> Self {
        let game = Classic::new(StartRule::Any);
        Self { reading, lookup: Lookup::new(&reading), game, modes: [false; 4], moves: [0; 2] }
    }

    fn restart(&mut self) {
        self.game = Classic::new(StartRule::Any);
        self.modes = [false; 4];
        self.moves = [0; 2];
    }

    /// How many moves LeakyAIs made since the start, and how many of them by the fallback.
    pub(in super::super) const fn moves(&self) -> [u32; 2] {
        self.moves
    }

    /// Plays to the end and gives the scores.
    pub(in super::super) fn play(&mut self, seats: [Seat; 4]) -> [i16; 4] {
        self.restart();
        self.finish(seats)
    }

    fn finish(&mut self, seats: [Seat; 4]) -> [i16; 4] {
        while self.step(seats).is_some() {}
        core::array::from_fn(|seat| Player::new(seat).map_or(0, |player| self.game.score(player)))
    }

    /// How many of these games one LeakyAI wins alone against three Brute Force players, from every
    /// seat in turn, after a random move of each.
    pub(in super::super) fn wins(&mut self, games: u32, rng: &mut Rng) -> u32 {
        let mut won = 0;
        for game in 0..games {
            let mut seats = Seat::AGAINST_BRUTE_FORCE;
            let own = game as usize % seats.len();
            seats.rotate_right(own);
            self.restart();
            for _ in seats {
                self.random_move(rng);
            }
            let scores = self.finish(seats);
            won += u32::from((0..4).all(|seat| seat == own || scores[seat] < scores[own]));
        }
        won
    }

    /// Any placement, each as likely as the others.
    fn random_move(&mut self, rng: &mut Rng) {
        let mut placements = Vec::new();
        self.for_each(&mut |placement, _, _| placements.push(placement));
        placements.dedup();
        if let Some(placement) = placements.get(rng.below(placements.len() as u32) as usize) {
            self.game.play(Move::Place(*placement));
        }
    }

    /// Plays a move; `None` when the game is over.
    pub(in super::super) fn step(&mut self, seats: [Seat; 4]) -> Option<Move> {
        if self.game.is_over() {
            return None;
        }
        let placement = match seats[self.game.turn().index() % 4] {
            Seat::Leaky => self.leaky(),
            Seat::Brute => self.brute(),
        };
        let mv = placement.map_or(Move::Pass, Move::Place);
        self.game.play(mv);
        Some(mv)
    }

    /// Visits the placements of the player to move, with the squares that they are 'at'.
    fn for_each(&self, visit: &mut dyn FnMut(Placement, usize, Hold)) {
        let player = self.game.turn();
        let start = self.lookup.starts[player.index() % 4];
        let left = self.game.pieces_left(player);
        let first = left == PieceSet::ALL;
        let fixed = first && self.reading.corners != Corners::Free;
        self.game.for_each_placement(left, &mut |placement| {
            let square = |(x, y): (u8, u8)| usize::from(y) * SIDE + usize::from(x);
            if fixed && !placement.cells().any(|cell| square(cell) == start) {
                return;
            }
            for hold in &self.lookup.holds[placement.orientation.index()] {
                let (x, y) = (placement.x as i8 + hold.x, placement.y as i8 + hold.y);
                let at = y as usize * SIDE + x as usize;
                let mut hold = *hold;
                if self.reading.turning == Turning::Kept && self.lookup.visit[at] % 2 == 1 {
                    hold.turn ^= 4;
                }
                visit(placement, at, hold);
            }
        });
    }

    fn brute(&self) -> Option<Placement> {
        let mut best: Option<(u32, Placement)> = None;
        self.for_each(&mut |placement, square, hold| {
            let piece = placement.orientation.piece();
            let rank = u32::from(self.lookup.rank[piece.index()]);
            let visit = u32::from(self.lookup.visit[square]);
            let turn = u32::from(hold.turn);
            let key = match self.reading.nest {
                Nest::PieceSquareTurn => (rank << 9 | visit) << 3 | turn,
                Nest::PieceTurnSquare => (rank << 3 | turn) << 9 | visit,
                Nest::SizeSquarePiece => {
                    ((5 - u32::from(piece.size())) << 9 | visit) << 8 | rank << 3 | turn
                }
            };
            if best.is_none_or(|(lowest, _)| key < lowest) {
                best = Some((key, placement));
            }
        });
        best.map(|(_, placement)| placement)
    }

    fn leaky(&mut self) -> Option<Placement> {
        let own = self.game.turn().index() % 4;
        let reading = self.reading;
        let owners = self.owners();
        let mut largest: [Option<Largest>; SQUARES] = [None; SQUARES];
        let mut attach = [false; SQUARES];
        self.for_each(&mut |placement, square, hold| {
            let rank = self.lookup.rank[placement.orientation.piece().index()];
            let key = u16::from(rank) << 3 | u16::from(hold.turn);
            if largest[square].is_none_or(|known| key < known.key) {
                largest[square] = Some(Largest { key, placement });
            }
        });
        if largest.iter().all(Option::is_none) {
            return None;
        }
        if reading.mode == Mode::Block {
            for player in (0..4).filter(|other| *other != own).filter_map(Player::new) {
                let points = self.game.attach_points(player);
                for (square, at) in attach.iter_mut().enumerate() {
                    *at |= points.has((square % SIDE) as u8, (square / SIDE) as u8);
                }
            }
        }
        let board = &self.lookup.boards[self.home(own, &owners)];
        let left = self.game.pieces_left(self.game.turn());
        let limit = match reading.threshold {
            Threshold::Piece => left.iter().map(Piece::size).max().map_or(0, i32::from),
            Threshold::Count => left.iter().count() as i32,
        };
        let size = |known: &Largest| i32::from(known.placement.orientation.piece().size());
        let mut active = reading.lasting == Lasting::Game && self.modes[own];
        if reading.trigger == Trigger::Own {
            active |= (0..SQUARES).any(|at| owners[at] == own as i16 && board[at] == 10);
        }
        let mut clone = owners;
        let (mut current, mut amount) = (0, 0);
        let mut best: Option<((i32, i16), usize)> = None;
        for &square in &self.lookup.order {
            let leaky = is_leaky(&owners, square, own as i16);
            let known = largest[square];
            if !leaky && reading.squares == Squares::Leaky {
                continue;
            }
            if known.is_none() && (reading.unplayable == Unplayable::Skipped || !leaky) {
                continue;
            }
            if reading.current == Current::Reset {
                current = 0;
            }
            if leaky {
                if reading.amount == Amount::Reset {
                    amount = 0;
                }
                if reading.clones == Clones::Square {
                    clone = owners;
                }
                amount += flood(&mut clone, square);
                if amount > limit {
                    current += amount;
                }
            }
            current += known.as_ref().map_or(0, size);
            let triggered = match reading.trigger {
                Trigger::Leaky => leaky,
                Trigger::Playable => known.is_some(),
                Trigger::Own => false,
            };
            active |= triggered && board[square] == 10;
            let Some(known) = known else { continue };
            let mut weight = i32::from(reading.adding == Adding::Always);
            let mut extra = 0;
            if active {
                match reading.mode {
                    Mode::Off => {}
                    Mode::Ignore => weight = 0,
                    Mode::Double => weight *= 2,
                    Mode::Take => extra = i32::from(board[square] == 10) * 10_000,
                    Mode::Enemies => extra = 5 * enemies_around(&owners, square, own as i16),
                    Mode::Block => {
                        let blocked =
                            |(x, y): (u8, u8)| attach[usize::from(y) * SIDE + usize::from(x)];
                        extra = 5 * known.placement.cells().filter(|cell| blocked(*cell)).count()
                            as i32;
                    }
                    Mode::Leaks => extra = i32::from(leaky) * 10_000,
                    Mode::Away => {
                        let start = self.lookup.starts[self.home(own, &owners)];
                        extra = value(HeuristicBoard::Away, start, square).into();
                    }
                }
            }
            let tie = if reading.adding == Adding::Ties { board[square] } else { 0 };
            let worth = (current + weight * i32::from(board[square]) + extra, tie);
            let better = |(highest, _): &((i32, i16), usize)| match reading.ties {
                Ties::First => worth > *highest,
                Ties::Last => worth >= *highest,
            };
            if best.as_ref().is_none_or(better) {
                best = Some((worth, square));
            }
        }
        let chosen = best.map(|(_, square)| square).or_else(|| {
            let value = |square: usize| {
                let known = largest[square].as_ref()?;
                Some(match reading.fallback {
                    Fallback::Board => (i32::from(board[square]), size(known)),
                    Fallback::Largest => (size(known), i32::from(board[square])),
                    Fallback::Brute => return None,
                })
            };
            let mut best: Option<((i32, i32), usize)> = None;
            for &square in &self.lookup.order {
                let Some(value) = value(square) else { continue };
                let better = best.is_none_or(|(highest, _)| match reading.ties {
                    Ties::First => value > highest,
                    Ties::Last => value >= highest,
                });
                if better {
                    best = Some((value, square));
                }
            }
            best.map(|(_, square)| square)
        });
        self.modes[own] = active;
        self.moves[0] += 1;
        self.moves[1] += u32::from(best.is_none());
        match chosen.and_then(|square| largest[square]) {
            Some(known) => Some(known.placement),
            None => self.brute(),
        }
    }

    /// Whose board a player has: that of the corner where it began.
    fn home(&self, own: usize, owners: &[i16; SQUARES]) -> usize {
        let began = |start: &usize| owners[*start] == own as i16;
        match self.reading.corners {
            Corners::Free => self.lookup.starts.iter().position(began).unwrap_or(0),
            _ => own,
        }
    }

    fn owners(&self) -> [i16; SQUARES] {
        let mut owners = [VACANT; SQUARES];
        for player in (0..4).filter_map(Player::new) {
            let words = self.game.squares(player).words();
            for (y, word) in words.iter().enumerate() {
                let mut rest = *word;
                while rest != 0 {
                    owners[y * SIDE + rest.trailing_zeros() as usize] = player.index() as i16;
                    rest &= rest - 1;
                }
            }
        }
        owners
    }
}

/// The owner of the square beside another, `VACANT` beyond the edge.
fn beside(owners: &[i16; SQUARES], square: usize, (dx, dy): (isize, isize)) -> i16 {
    let (x, y) = ((square % SIDE).checked_add_signed(dx), (square / SIDE).checked_add_signed(dy));
    match (x, y) {
        (Some(x), Some(y)) if x < SIDE && y < SIDE => owners[y * SIDE + x],
        _ => VACANT,
    }
}

/// Lines 4 to 11 of the printed algorithm.
fn is_leaky(owners: &[i16; SQUARES], square: usize, own: i16) -> bool {
    let enemy = |direction| {
        let owner = beside(owners, square, direction);
        owner != VACANT && owner != own
    };
    let [right, left, bottom, top] = [(1, 0), (-1, 0), (0, 1), (0, -1)].map(enemy);
    [(right, bottom), (left, top), (left, bottom), (top, right)].contains(&(true, true))
}

fn enemies_around(owners: &[i16; SQUARES], square: usize, own: i16) -> i32 {
    let around = (-1..2).flat_map(|dy| (-1..2).map(move |dx| (dx, dy)));
    let enemies = around.map(|direction| beside(owners, square, direction));
    enemies.filter(|owner| *owner != VACANT && *owner != own).count() as i32
}

/// The document's flood fill, with a list of squares in place of the recursion.
fn flood(board: &mut [i16; SQUARES], from: usize) -> i32 {
    let mut points = 0;
    let mut waiting = vec![from];
    while let Some(square) = waiting.pop() {
        if board[square] != VACANT {
            continue;
        }
        board[square] = FLOODED;
        points += 1;
        let (x, y) = (square % SIDE, square / SIDE);
        if x > 0 {
            waiting.push(square - 1);
        }
        if x + 1 < SIDE {
            waiting.push(square + 1);
        }
        if y > 0 {
            waiting.push(square - SIDE);
        }
        if y + 1 < SIDE {
            waiting.push(square + SIDE);
        }
    }
    points
}
