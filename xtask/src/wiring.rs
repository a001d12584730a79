//! `cargo xtask wiring`: the wiring table of every board's page, its drawing, and a circuit for Wokwi, all
//! from the table at the head of the board's file.

mod drawing;
mod layout;
mod wokwi;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use xtask::board::{BOARDS, Board};
use xtask::root;

use layout::Layout;

const COMMAND: &str = "cargo xtask wiring";
/// The columns of every table.
const HEADING: [&str; 4] = ["part", "signal", "pin", "on the board"];
/// The board that Wokwi has, with the same header and with USB.
const IN_WOKWI: &str = "pico";

/// A row of a board's table.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    /// Empty for a further row of the part above.
    part: String,
    signal: String,
    /// The chip's name for the pin.
    pin: String,
    /// What is printed beside it, or what is connected to it on the board.
    place: String,
}

/// What a part is in the drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Display,
    Buttons,
    Buzzer,
    Serial,
    /// Nothing that is drawn.
    Other,
}

impl Part {
    fn named(text: &str) -> Result<Self> {
        let starts = [
            ("OLED", Self::Display),
            ("buttons", Self::Buttons),
            ("passive piezo", Self::Buzzer),
            ("serial port", Self::Serial),
            ("speaker", Self::Other),
            ("SD card", Self::Other),
        ];
        let found = starts.iter().find(|(start, _)| text.starts_with(start));
        Ok(found.with_context(|| format!("'{text}' is no part that {COMMAND} knows"))?.1)
    }
}

/// Where a row's wire ends on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A pin of a header.
    Pin(layout::Pin),
    /// The part is on the board.
    Board,
}

/// A row whose words have been looked up.
#[derive(Debug, Clone)]
struct Wire {
    part: Part,
    signal: String,
    place: Place,
    /// The row's words for the place.
    words: String,
}

/// Writes what is generated, and says what has changed.
pub(crate) fn write() -> Result<()> {
    for (path, text) in generated()? {
        let old = fs::read_to_string(&path).unwrap_or_default();
        if old != text {
            fs::write(&path, text).with_context(|| path.display().to_string())?;
            println!("wrote {}", path.display());
        }
    }
    Ok(())
}

/// Every file that is generated or has a generated part, as it should be.
fn generated() -> Result<Vec<(PathBuf, String)>> {
    let mut files = Vec::new();
    for board in &BOARDS {
        let name = board.name();
        let rows = rows(&source(board)?).with_context(|| format!("the table of {name}"))?;
        let layout = Layout::of(name)?;
        let wires = wires(&rows, layout).with_context(|| format!("the table of {name}"))?;
        let file = |ending: &str| root().join("docs/boards").join(format!("{name}.{ending}"));
        let page = file("md");
        let text = fs::read_to_string(&page).with_context(|| page.display().to_string())?;
        ensure!(text.contains(&format!("]({name}.svg)")), "{name}.md does not show {name}.svg");
        files.push((page, with_table(&text, &rows).with_context(|| format!("{name}.md"))?));
        files.push((file("svg"), drawing::svg(board.profile.title, layout, &wires)?));
        if name == IN_WOKWI {
            files.push((file("diagram.json"), wokwi::diagram(layout, &wires)?));
        }
    }
    Ok(files)
}

/// The file that says what is connected where.
fn source(board: &Board) -> Result<String> {
    let folder = root().join("firmware/src/bin");
    let file = folder.join(format!("{}.rs", board.binary));
    let file = if file.exists() { file } else { folder.join(board.binary).join("main.rs") };
    fs::read_to_string(&file).with_context(|| file.display().to_string())
}

/// The table in the comment at the head of a board's file.
fn rows(source: &str) -> Result<Vec<Row>> {
    let comment = source.lines().map_while(|line| line.strip_prefix("//!"));
    let mut table = comment.map(str::trim).filter(|line| line.starts_with('|')).map(cells);
    ensure!(table.next().is_some_and(|cells| cells == HEADING), "it has no columns {HEADING:?}");
    table
        .skip(1)
        .map(|cells| match <[String; 4]>::try_from(cells) {
            Ok([part, signal, pin, place]) => Ok(Row { part, signal, pin, place }),
            Err(cells) => bail!("a row has {} cells: {}", cells.len(), cells.join(", ")),
        })
        .collect()
}

fn cells(line: &str) -> Vec<String> {
    line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
}

/// A page with these rows in place of those that its table has.
fn with_table(page: &str, rows: &[Row]) -> Result<String> {
    let mut table = format!("| {} |\n|---|---|---|---|\n", HEADING.join(" | "));
    for Row { part, signal, pin, place } in rows {
        let line = format!("| {part} | {signal} | {pin} | {place} |\n");
        table += &line.replace("  ", " ").replace("  ", " ");
    }
    let (before, rest) = page
        .split_once(&format!("| {} |\n", HEADING.join(" | ")))
        .with_context(|| format!("it has no table with the columns {HEADING:?}"))?;
    let old = rest.lines().take_while(|line| line.starts_with('|')).count();
    let after: String = rest.split_inclusive('\n').skip(old).collect();
    Ok([before, &table, &after].concat())
}

/// Looks up every row's part and place.
fn wires(rows: &[Row], layout: &Layout) -> Result<Vec<Wire>> {
    let mut part = Part::Other;
    let mut found = Vec::new();
    for row in rows {
        if !row.part.is_empty() {
            part = Part::named(&row.part)?;
        }
        found.push((part, row));
    }
    let mut taken = Vec::new();
    let wire = |&(part, row): &(Part, &Row)| {
        let of_part = found.iter().filter(|(other, _)| *other == part).map(|(_, row)| *row);
        let side = layout.side_of(of_part.map(|row| row.place.as_str()));
        let place = match layout.find(&row.place, side, &taken)? {
            Some(pin) => {
                taken.push(pin);
                Place::Pin(pin)
            }
            None => Place::Board,
        };
        Ok(Wire { part, signal: row.signal.clone(), place, words: row.place.clone() })
    };
    found.iter().map(wire).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
//! The image.
//!
//! | part    | signal | pin  | on the board |
//! |---------|--------|------|--------------|
//! | buttons | up     | GP10 | 14           |
//! |         | GND    |      | 18           |
#![no_std]
// | not | a | part | of it |
";

    #[test]
    fn pages_drawings_and_circuits_are_those_of_the_boards_files() {
        let files = generated().unwrap();
        assert_eq!(files.len(), 2 * BOARDS.len() + 1);
        for (path, text) in files {
            let written = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
            assert!(written == text, "{} is out of date: run `{COMMAND}`", path.display());
        }
    }

    #[test]
    fn the_table_of_a_page_is_replaced() {
        let rows = rows(SOURCE).unwrap();
        assert_eq!(rows.len(), 2);
        let page =
            "# Board\n\n| part | signal | pin | on the board |\n|---|---|---|---|\n| x |\n\nText\n";
        let expected = "# Board\n\n| part | signal | pin | on the board |\n|---|---|---|---|\n\
                        | buttons | up | GP10 | 14 |\n| | GND | | 18 |\n\nText\n";
        let page = with_table(page, &rows).unwrap();
        assert_eq!(page, expected);
        assert_eq!(with_table(&page, &rows).unwrap(), expected);
        assert!(with_table("# Board\n", &rows).is_err());
    }

    #[test]
    fn words_that_are_not_known_are_refused() {
        let layout = Layout::of("pico").unwrap();
        let refused = |from: &str, to: &str| {
            let rows = rows(&SOURCE.replace(from, to)).unwrap();
            format!("{:#}", wires(&rows, layout).unwrap_err())
        };
        assert_eq!(refused("buttons", "knobs"), "'knobs' is no part that cargo xtask wiring knows");
        assert_eq!(refused("| 14 ", "| 41 "), "there is no '41' on the pico");
        assert_eq!(refused("| 18 ", "| 14 "), "every '14' on the pico is in use");
        assert!(rows(&SOURCE.replace("signal", "wire")).is_err());
        assert!(rows(&SOURCE.replace("| 14 ", "")).is_err());
    }
}
