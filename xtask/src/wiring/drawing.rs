//! The drawing of a board with what is wired to it, as SVG. It has a background, so that it can be read on
//! light and dark pages.
//!
//! A wire leaves its pin sideways, turns into a lane beside the board, and turns again at its part. One that
//! has to go to the other side passes above or below the board. Lanes are chosen so that few wires cross.

use std::fmt::Write;

use anyhow::Result;

use super::layout::{Layout, Pin, Side};
use super::{Part, Place, Wire};

/// Between two pins of the board.
const PITCH: i32 = 20;
/// The board, whose upper left corner is the origin.
const WIDTH: i32 = 270;
const LEAST_HEIGHT: i32 = 330;
/// From the board's top to its first pin.
const FIRST_PIN: i32 = 36;
/// From the board's edge to the first lane: the room for a signal's name.
const NAMES: i32 = 44;
/// Between two lanes.
const LANE: i32 = 9;
/// From the board's top to the first wire above it.
const ABOVE: i32 = 26;
const BELOW: i32 = 18;
/// Between parts of the same side.
const GAP: i32 = 26;
/// The room that a part takes beside its terminals.
const PART: i32 = 178;
const MARGIN: i32 = 16;

/// The order of the pins of most modules.
const MODULE: [&str; 4] = ["GND", "VCC", "SCL", "SDA"];

/// The colour of a signal's wire.
pub(super) fn color(signal: &str) -> &'static str {
    match signal {
        "GND" => "#222222",
        "VCC" => "#c62828",
        "SDA" => "#1565c0",
        "SCL" => "#c77700",
        "up" => "#2e7d32",
        "down" => "#6a1b9a",
        "left" => "#00838f",
        "right" => "#ad1457",
        "select" => "#6d4c41",
        _ => "#7a7a00",
    }
}

/// A part beside the board.
#[derive(Debug)]
struct Block {
    part: Part,
    side: Side,
    /// How wires from the other side get here.
    pass: Space,
    /// Its wires, and how far below its top each ends.
    ends: Vec<(usize, i32)>,
    top: i32,
    height: i32,
}

/// A wire from a pin to a part.
#[derive(Debug)]
struct Route {
    wire: usize,
    pin: Pin,
    /// The part's side, and where the wire ends there.
    side: Side,
    end: i32,
    /// How it passes the board if it has to.
    pass: Space,
}

/// Something that wires share, each on a line of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Space {
    Beside(Side),
    Above,
    Below,
}

const SPACES: [Space; 4] =
    [Space::Beside(Side::Left), Space::Beside(Side::Right), Space::Above, Space::Below];

/// The drawing, and what it needs to know to place anything.
#[derive(Debug)]
struct Drawing<'a> {
    layout: &'a Layout,
    wires: &'a [Wire],
    height: i32,
    routes: Vec<Route>,
    /// For each of [`SPACES`], the routes in it by their lines, the one nearest to the board first.
    lines: [Vec<usize>; 4],
}

/// The drawing of a board.
pub(super) fn svg(title: &str, layout: &Layout, wires: &[Wire]) -> Result<String> {
    let mut drawing = Drawing::new(layout, wires);
    let blocks = drawing.blocks();
    drawing.route(&blocks);
    drawing.untangle();
    drawing.draw(title, &blocks)
}

impl<'a> Drawing<'a> {
    fn new(layout: &'a Layout, wires: &'a [Wire]) -> Self {
        let rows = layout.left.len().max(layout.right.len()) as i32;
        let height = LEAST_HEIGHT.max(FIRST_PIN + rows * PITCH + 8);
        Self { layout, wires, height, routes: Vec::new(), lines: Default::default() }
    }

    /// The parts beside the board, each as near to its pins as the others allow.
    fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        for part in [Part::Display, Part::Buttons, Part::Buzzer] {
            let mut pins: Vec<(usize, Pin)> = Vec::new();
            for (index, wire) in self.wires.iter().enumerate().filter(|(_, w)| w.part == part) {
                if let Place::Pin(pin) = wire.place {
                    pins.push((index, pin));
                }
            }
            let words = pins.iter().map(|(index, _)| self.wires[*index].words.as_str());
            let side = self.layout.side_of(words);
            let own = pins.iter().filter(|(_, pin)| pin.side == side);
            let own: Vec<_> = own.map(|(_, pin)| self.pin_y(*pin)).collect();
            let mean = own.iter().sum::<i32>() / own.len().max(1) as i32;
            let pass = if mean < self.height / 2 { Space::Above } else { Space::Below };
            if part == Part::Display {
                let place = |name: &str| MODULE.iter().position(|signal| *signal == name);
                pins.sort_by_key(|(index, _)| place(&self.wires[*index].signal));
            } else {
                // Wires from above or below come first or last.
                pins.sort_by_key(|(_, pin)| match (pin.side == side, pass) {
                    (true, _) => self.pin_y(*pin),
                    (false, Space::Below) => i32::MAX,
                    (false, _) => i32::MIN,
                });
            }
            let Some(count) = i32::try_from(pins.len()).ok().filter(|count| *count > 0) else {
                continue;
            };
            let (first, step, height) = match part {
                Part::Display => (22, 20, 104),
                Part::Buttons => (16, 30, 30 * count + 2),
                _ => (18, 34, 70),
            };
            let ends: Vec<_> = pins
                .iter()
                .zip(0..)
                .map(|((index, _), row)| (*index, first + step * row))
                .collect();
            blocks.push(Block { part, side, pass, ends, top: mean - height / 2, height });
        }
        blocks.sort_by_key(|block| (block.side, block.top));
        // Apart from each other: down from the first, and up again if that was too far.
        let apart = |upper: &Block, lower: &Block| upper.side == lower.side;
        for at in 1..blocks.len() {
            if apart(&blocks[at - 1], &blocks[at]) {
                let least = blocks[at - 1].top + blocks[at - 1].height + GAP;
                blocks[at].top = blocks[at].top.max(least);
            }
        }
        for at in (0..blocks.len()).rev() {
            let most = match blocks.get(at + 1).filter(|next| apart(&blocks[at], next)) {
                Some(next) => next.top - GAP,
                None => self.height + 10,
            };
            blocks[at].top = blocks[at].top.min(most - blocks[at].height);
        }
        blocks
    }

    fn pin_y(&self, pin: Pin) -> i32 {
        FIRST_PIN + pin.row as i32 * PITCH
    }

    /// Lays every wire, with the lanes in any order.
    fn route(&mut self, blocks: &[Block]) {
        for block in blocks {
            for (wire, below) in &block.ends {
                let Place::Pin(pin) = self.wires[*wire].place else { continue };
                let (side, pass) = (block.side, block.pass);
                let route = Route { wire: *wire, pin, side, end: block.top + below, pass };
                for space in self.spaces(&route) {
                    self.lines[index(space)].push(self.routes.len());
                }
                self.routes.push(route);
            }
        }
    }

    /// What a wire passes through.
    fn spaces(&self, route: &Route) -> Vec<Space> {
        let from = Space::Beside(route.pin.side);
        if route.pin.side == route.side {
            return vec![from];
        }
        vec![from, route.pass, Space::Beside(route.side)]
    }

    /// Moves wires to other lanes as long as that gets rid of crossings, or else of length.
    fn untangle(&mut self) {
        let mut best = self.cost();
        loop {
            let before = best;
            for space in 0..SPACES.len() {
                let count = self.lines[space].len();
                for (from, to) in (0..count).flat_map(|from| (0..count).map(move |to| (from, to))) {
                    self.move_line(space, from, to);
                    let cost = self.cost();
                    if cost < best {
                        best = cost;
                    } else {
                        self.move_line(space, to, from);
                    }
                }
            }
            if best == before {
                return;
            }
        }
    }

    fn move_line(&mut self, space: usize, from: usize, to: usize) {
        let route = self.lines[space].remove(from);
        self.lines[space].insert(to, route);
    }

    /// Crossings first, and then length.
    fn cost(&self) -> (i32, i32) {
        let paths: Vec<_> = (0..self.routes.len()).map(|route| self.path(route)).collect();
        let pairs = (0..paths.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
        let crossings = pairs.map(|(one, other)| crossings(&paths[one], &paths[other])).sum();
        (crossings, paths.iter().map(|path| length(path)).sum())
    }

    fn edge(side: Side) -> i32 {
        if side == Side::Left { 0 } else { WIDTH }
    }

    /// Away from the board.
    fn out(side: Side) -> i32 {
        if side == Side::Left { -1 } else { 1 }
    }

    /// The corners of a wire, from the pin to the part.
    fn path(&self, number: usize) -> Vec<(i32, i32)> {
        let route = &self.routes[number];
        let y = self.pin_y(route.pin);
        let mut path = vec![(Self::edge(route.pin.side) - 10 * Self::out(route.pin.side), y)];
        let (mut x, mut y) = path[0];
        for space in self.spaces(route) {
            let line = self.lines[index(space)].iter().position(|other| *other == number);
            let line = line.unwrap_or(0) as i32;
            match space {
                Space::Beside(side) => {
                    x = Self::edge(side) + Self::out(side) * (NAMES + LANE * line)
                }
                Space::Above => y = -ABOVE - LANE * line,
                Space::Below => y = self.height + BELOW + LANE * line,
            }
            path.push((x, y));
        }
        path.push((x, route.end));
        path.push((self.terminal(route.side), route.end));
        path
    }

    /// Where the wires of a side end.
    fn terminal(&self, side: Side) -> i32 {
        let lanes = self.lines[index(Space::Beside(side))].len() as i32;
        Self::edge(side) + Self::out(side) * (NAMES + LANE * lanes + 8)
    }

    /// Everything.
    fn draw(&self, title: &str, blocks: &[Block]) -> Result<String> {
        let reach = |side: Side| {
            let has_parts = blocks.iter().any(|block| block.side == side);
            let lanes = self.lines[index(Space::Beside(side))].len() as i32;
            match (has_parts, lanes) {
                (true, _) => (self.terminal(side) - Self::edge(side)).abs() + PART + MARGIN,
                (false, 0) => 2 * MARGIN,
                (false, _) => NAMES + LANE * lanes + MARGIN,
            }
        };
        let (left, right) = (-reach(Side::Left), WIDTH + reach(Side::Right));
        let lines = |space| self.lines[index(space)].len() as i32 * LANE;
        let first = blocks.iter().map(|block| block.top).min().unwrap_or(0);
        let top = (-ABOVE - lines(Space::Above)).min(first) - MARGIN;
        let last = blocks.iter().map(|block| block.top + block.height).max().unwrap_or(0);
        let note = if self.layout.note.is_empty() { 0 } else { 24 };
        let bottom = (self.height + BELOW + lines(Space::Below)).max(last) + MARGIN + note;
        let (width, height) = (right - left, bottom - top);
        let mut text = String::new();
        let out = &mut text;
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"{left} {top} {width} {height}\" font-family=\"DejaVu Sans, Verdana, sans-serif\" \
             font-size=\"11\" role=\"img\">\n\
             <!-- Made by `{}`. -->\n<title>The wiring of the {title}</title>\n\
             <rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"12\" fill=\"#fbfaf6\"/>",
            super::COMMAND
        )?;
        self.draw_board(out, title)?;
        for block in blocks {
            self.draw_block(out, block)?;
        }
        // Each wire covers those that it crosses with a seam.
        for number in 0..self.routes.len() {
            let path = self.path(number);
            let color = color(&self.wires[self.routes[number].wire].signal);
            line(out, &path[1..path.len() - 1], "#fbfaf6", 6)?;
            line(out, &path, color, 3)?;
        }
        for route in &self.routes {
            let signal = self.wires[route.wire].signal.as_str();
            let side = route.pin.side;
            let x = Self::edge(side) + 6 * Self::out(side);
            let anchor = if side == Side::Left { "end" } else { "start" };
            let y = self.pin_y(route.pin) - 4;
            label(out, (x, y), anchor, color(signal), "font-size=\"9\"", signal)?;
        }
        if !self.layout.note.is_empty() {
            let at = (left.midpoint(right), bottom - MARGIN);
            label(out, at, "middle", "#333333", "", self.layout.note)?;
        }
        writeln!(out, "</svg>")?;
        Ok(text)
    }

    fn draw_board(&self, out: &mut String, title: &str) -> Result<()> {
        let (middle, height) = (WIDTH / 2, self.height);
        writeln!(
            out,
            "<rect width=\"{WIDTH}\" height=\"{height}\" rx=\"10\" fill=\"#1f5a48\" stroke=\"#153f33\" \
             stroke-width=\"2\"/>\n<rect x=\"{}\" y=\"-10\" width=\"56\" height=\"34\" rx=\"4\" fill=\"#b9bec4\" \
             stroke=\"#6d7379\"/>",
            middle - 28
        )?;
        label(out, (middle, 12), "middle", "#22262a", "", "USB")?;
        let has_port = self.wires.iter().any(|wire| wire.part == Part::Serial);
        if has_port {
            label(out, (middle, 40), "middle", "#ffffff", "font-size=\"10\"", "serial port")?;
        }
        label(out, (middle, 66), "middle", "#ffffff", "font-weight=\"bold\"", title)?;
        let used: Vec<Pin> = self.routes.iter().map(|route| route.pin).collect();
        for (pin, name) in self.layout.pins() {
            let (x, y) = (Self::edge(pin.side) - 10 * Self::out(pin.side), self.pin_y(pin));
            writeln!(
                out,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" fill=\"#fbfaf6\" stroke=\"#d9a520\" stroke-width=\"3\"/>"
            )?;
            let (start, anchor) =
                if pin.side == Side::Left { (x + 11, "start") } else { (x - 11, "end") };
            let style =
                if used.contains(&pin) { "font-weight=\"bold\"" } else { "opacity=\"0.6\"" };
            let number = self.layout.number(pin);
            let shown = match (self.layout.is_numbered, pin.side) {
                (false, _) => name.to_owned(),
                (true, Side::Left) => format!("{number} {name}"),
                (true, Side::Right) => format!("{name} {number}"),
            };
            label(out, (start, y + 4), anchor, "#ffffff", style, &shown)?;
        }
        let built_in = |part| {
            let wires = self.wires.iter().filter(move |wire| wire.part == part);
            wires.filter(|wire| wire.place == Place::Board).collect::<Vec<_>>()
        };
        if !built_in(Part::Display).is_empty() {
            screen(out, (middle - 64, 84), (128, 64))?;
        }
        let buttons = built_in(Part::Buttons);
        let top = height - 58 * (buttons.len() as i32 + 1).div_euclid(2) - 2;
        for (number, button) in (0..).zip(&buttons) {
            let is_alone =
                buttons.len() == 1 || (number + 1 == buttons.len() as i32 && number % 2 == 0);
            let x = if is_alone { middle } else { middle - 34 + 68 * (number % 2) };
            let y = top + 58 * (number / 2);
            writeln!(
                out,
                "<circle cx=\"{x}\" cy=\"{}\" r=\"11\" fill=\"#3f4650\" stroke=\"#ffffff\" stroke-width=\"2\"/>",
                y + 12
            )?;
            label(out, (x, y + 36), "middle", "#ffffff", "font-weight=\"bold\"", &button.signal)?;
            if button.words != "built in" {
                label(out, (x, y + 48), "middle", "#ffffff", "font-size=\"9\"", &button.words)?;
            }
        }
        Ok(())
    }

    fn draw_block(&self, out: &mut String, block: &Block) -> Result<()> {
        let x = self.terminal(block.side);
        let dir = Self::out(block.side);
        let middle = block.top + block.height / 2;
        let ends = block
            .ends
            .iter()
            .map(|(wire, below)| (self.wires[*wire].signal.as_str(), block.top + below));
        let anchor = if dir < 0 { "end" } else { "start" };
        // The left corner of something so wide, so far away from the terminals.
        let corner = |away: i32, wide: i32| if dir < 0 { x - away - wide } else { x + away };
        match block.part {
            Part::Display => {
                writeln!(
                    out,
                    "<rect x=\"{}\" y=\"{}\" width=\"170\" height=\"{}\" rx=\"6\" fill=\"#1d3557\" \
                     stroke=\"#12233b\" stroke-width=\"2\"/>",
                    corner(-4, 170),
                    block.top,
                    block.height
                )?;
                screen(out, (corner(54, 106), middle - 34), (106, 68))?;
                for (signal, y) in ends {
                    writeln!(
                        out,
                        "<circle cx=\"{}\" cy=\"{y}\" r=\"5\" fill=\"#fbfaf6\" stroke=\"#d9a520\" \
                         stroke-width=\"3\"/>",
                        x + 6 * dir
                    )?;
                    let style = "font-weight=\"bold\"";
                    label(out, (x + 17 * dir, y + 4), anchor, "#ffffff", style, signal)?;
                }
            }
            Part::Buttons => {
                let bus = x + 76 * dir;
                let (mut first, mut last) = (i32::MAX, i32::MIN);
                for (signal, y) in ends {
                    (first, last) = (first.min(y), last.max(y));
                    let paint = color(signal);
                    if signal == "GND" {
                        line(out, &[(x, y), (bus, y)], paint, 3)?;
                        let text = if block.ends.len() > 2 { "GND, for all" } else { "GND" };
                        label(out, (x + 84 * dir, y + 4), anchor, paint, "", text)?;
                        continue;
                    }
                    line(out, &[(x, y), (x + 24 * dir, y)], paint, 3)?;
                    line(out, &[(x + 50 * dir, y), (bus, y)], color("GND"), 3)?;
                    writeln!(
                        out,
                        "<rect x=\"{}\" y=\"{}\" width=\"30\" height=\"22\" rx=\"4\" fill=\"#d8dade\" \
                         stroke=\"#6d7379\"/>\n<circle cx=\"{}\" cy=\"{y}\" r=\"7\" fill=\"#3f4650\"/>",
                        corner(22, 30),
                        y - 11,
                        x + 37 * dir
                    )?;
                    let style = "font-weight=\"bold\" font-size=\"12\"";
                    label(out, (x + 84 * dir, y + 4), anchor, paint, style, signal)?;
                }
                line(out, &[(bus, first), (bus, last)], color("GND"), 3)?;
            }
            _ => {
                for (signal, y) in ends {
                    line(out, &[(x, y), (x + 66 * dir, y)], color(signal), 3)?;
                    if signal != "GND" {
                        writeln!(
                            out,
                            "<rect x=\"{}\" y=\"{}\" width=\"34\" height=\"12\" rx=\"3\" fill=\"#f3e3c3\" \
                             stroke=\"#8a6d3b\" stroke-width=\"1.5\"/>",
                            corner(10, 34),
                            y - 6
                        )?;
                        let at = (x + 27 * dir, y + 18);
                        label(out, at, "middle", "#333333", "font-size=\"9\"", "100 to 1000 Ω")?;
                    }
                }
                let center = x + 82 * dir;
                writeln!(
                    out,
                    "<circle cx=\"{center}\" cy=\"{middle}\" r=\"26\" fill=\"#e3c567\" stroke=\"#8a6d3b\" \
                     stroke-width=\"2\"/>\n<circle cx=\"{center}\" cy=\"{middle}\" r=\"14\" fill=\"#f7f1df\" \
                     stroke=\"#8a6d3b\"/>"
                )?;
                let at = (x + 114 * dir, middle);
                label(out, at, anchor, "#333333", "font-weight=\"bold\"", "piezo")?;
                label(out, (at.0, middle + 14), anchor, "#333333", "font-size=\"9\"", "if wanted")?;
            }
        }
        Ok(())
    }
}

/// Where a space is in [`SPACES`].
fn index(space: Space) -> usize {
    match space {
        Space::Beside(Side::Left) => 0,
        Space::Beside(Side::Right) => 1,
        Space::Above => 2,
        Space::Below => 3,
    }
}

fn length(path: &[(i32, i32)]) -> i32 {
    path.windows(2).map(|ends| (ends[0].0 - ends[1].0).abs() + (ends[0].1 - ends[1].1).abs()).sum()
}

/// How often two wires cross. Where one lies on the other counts more.
fn crossings(one: &[(i32, i32)], other: &[(i32, i32)]) -> i32 {
    const OVERLAP: i32 = 5;
    let within = |value: i32, a: i32, b: i32| a.min(b) < value && value < a.max(b);
    let crosses = |a: &[(i32, i32)], b: &[(i32, i32)]| {
        let is_level = |ends: &[(i32, i32)]| ends[0].1 == ends[1].1;
        if is_level(a) && is_level(b) {
            let apart = a[0].0.max(a[1].0) <= b[0].0.min(b[1].0)
                || b[0].0.max(b[1].0) <= a[0].0.min(a[1].0);
            return if (a[0].1 - b[0].1).abs() < 5 && !apart { OVERLAP } else { 0 };
        }
        let (level, steep) = if is_level(a) { (a, b) } else { (b, a) };
        let crosses = is_level(level)
            && !is_level(steep)
            && within(steep[0].0, level[0].0, level[1].0)
            && within(level[0].1, steep[0].1, steep[1].1);
        i32::from(crosses)
    };
    one.windows(2).map(|a| other.windows(2).map(|b| crosses(a, b)).sum::<i32>()).sum()
}

fn line(out: &mut String, path: &[(i32, i32)], color: &str, width: u32) -> Result<()> {
    let points: Vec<_> = path.iter().map(|(x, y)| format!("{x},{y}")).collect();
    writeln!(
        out,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\" \
         stroke-linejoin=\"round\" stroke-linecap=\"round\"/>",
        points.join(" ")
    )?;
    Ok(())
}

fn label(
    out: &mut String,
    (x, y): (i32, i32),
    anchor: &str,
    color: &str,
    style: &str,
    text: &str,
) -> Result<()> {
    let style = if style.is_empty() { String::new() } else { format!(" {style}") };
    writeln!(
        out,
        "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" fill=\"{color}\"{style}>{text}</text>"
    )?;
    Ok(())
}

/// A display that shows what it is.
fn screen(out: &mut String, (x, y): (i32, i32), (width, height): (i32, i32)) -> Result<()> {
    writeln!(
        out,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"3\" fill=\"#05070a\" \
         stroke=\"#4a5b78\"/>"
    )?;
    let middle = (x + width / 2, y + height / 2);
    let style = "font-weight=\"bold\" font-size=\"13\"";
    label(out, (middle.0, middle.1 - 2), "middle", "#9fd8ff", style, "OLED")?;
    label(out, (middle.0, middle.1 + 14), "middle", "#9fd8ff", "font-size=\"10\"", "128 x 64")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossings_are_counted() {
        let level = [(0, 10), (20, 10)];
        let steep = |x: i32| [(x, 0), (x, 20)];
        assert_eq!(crossings(&level, &steep(5)), 1);
        assert_eq!(crossings(&steep(5), &level), 1);
        assert_eq!(crossings(&level, &steep(25)), 0);
        assert_eq!(crossings(&level, &[(10, 12), (30, 12)]), 5, "one lies on the other");
        assert_eq!(crossings(&level, &[(20, 10), (30, 10)]), 0, "one ends where the other begins");
    }

    #[test]
    fn few_wires_cross() {
        // Modules have SCL above SDA, and GND above VCC; the Pico has them the other way round.
        let board = xtask::board::Board::named("pico").unwrap();
        let rows = super::super::rows(&super::super::source(&board).unwrap()).unwrap();
        let layout = Layout::of("pico").unwrap();
        let wires = super::super::wires(&rows, layout).unwrap();
        let mut drawing = Drawing::new(layout, &wires);
        let blocks = drawing.blocks();
        drawing.route(&blocks);
        assert!(drawing.cost().0 > 2, "{:?}", drawing.cost());
        drawing.untangle();
        assert_eq!(drawing.cost().0, 2);
    }
}
