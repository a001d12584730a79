//! The fonts: the printable ASCII characters, drawn in `font/*.txt`.

/// The first character with a glyph of its own; the last one is `~`.
const FIRST: u8 = b' ';

/// The printable characters, and one glyph for all others.
const GLYPHS: usize = (b'~' - FIRST) as usize + 2;

/// Columns of a glyph.
const COLUMNS: usize = 5;

/// Glyphs beside each other in a drawing.
const BESIDE: usize = 16;

/// How many rows lower than the others a low glyph starts.
const DROP: usize = 2;

/// The font of all small text, 5 x 8 pixels: capitals fill rows 0 to 6, small letters start in row 2.
/// All glyphs but `m` and `w` leave the last column free.
pub const SMALL: &Font = &Font::drawn(include_str!("font/small.txt"), 5, 8, 0);

/// The font of menus, 6 x 10 pixels: capitals fill rows 1 to 7, small letters start in row 3.
pub const MENU: &Font = &Font::drawn(include_str!("font/menu.txt"), 6, 10, 1);

/// A font whose characters are all equally wide.
#[derive(Debug)]
pub struct Font {
    /// Pixels from one character to the next.
    pub width: i32,
    /// The row of the lowest bit of a column, unless the glyph is low.
    top: usize,
    /// A byte for each column, its lowest bit on top: the display's layout.
    glyphs: [[u8; COLUMNS]; GLYPHS],
    /// A bit for each glyph that is [`DROP`] rows lower than the others. So eight rows are enough
    /// for letters with a descender too.
    low: [u8; GLYPHS / 8],
}

impl Font {
    /// The glyph of the character whose UTF-8 encoding starts with this byte: the row of its lowest
    /// bits, and its columns.
    pub(crate) fn glyph(&self, start: u8) -> (i32, &[u8; COLUMNS]) {
        let index = usize::from(start.wrapping_sub(FIRST)).min(GLYPHS - 1);
        let is_low = usize::from(self.low[index / 8] >> (index % 8) & 1);
        ((self.top + is_low * DROP) as i32, &self.glyphs[index])
    }

    /// Reads a drawing: groups of `height` lines with [`BESIDE`] glyphs each, in the order of their
    /// codes. Lines that start with a space are captions.
    const fn drawn(drawing: &str, width: i32, height: usize, top: usize) -> Self {
        let drawing = drawing.as_bytes();
        let mut columns = [[0_u16; COLUMNS]; GLYPHS];
        let (mut at, mut line) = (0, 0);
        while at < drawing.len() {
            if drawing[at] == b' ' {
                while drawing[at] != b'\n' {
                    at += 1;
                }
                at += 1;
                continue;
            }
            let mut x = 0;
            while x < BESIDE * COLUMNS {
                let glyph = line / height * BESIDE + x / COLUMNS;
                match drawing[at] {
                    b'#' => columns[glyph][x % COLUMNS] |= 1 << (line % height),
                    pixel => assert!(pixel == b'.', "a pixel is neither # nor ."),
                }
                x += 1;
                at += 1;
                if x % COLUMNS == 0 {
                    let end = if x < BESIDE * COLUMNS { b' ' } else { b'\n' };
                    assert!(drawing[at] == end, "a glyph is not five columns wide");
                    at += 1;
                }
            }
            line += 1;
        }
        assert!(line == GLYPHS / BESIDE * height, "lines are missing");
        Self::packed(&columns, width, top)
    }

    /// Drops the rows without ink: a column becomes a byte.
    const fn packed(columns: &[[u16; COLUMNS]; GLYPHS], width: i32, top: usize) -> Self {
        let mut glyphs = [[0; COLUMNS]; GLYPHS];
        let mut low = [0; GLYPHS / 8];
        let mut at = 0;
        while at < GLYPHS * COLUMNS {
            let (glyph, x) = (at / COLUMNS, at % COLUMNS);
            let [a, b, c, d, e] = columns[glyph];
            let ink = a | b | c | d | e;
            let is_low = ink >> top > 0xff;
            let first = if is_low { top + DROP } else { top };
            assert!(ink >> first << first == ink && ink >> first <= 0xff, "a glyph is too high");
            glyphs[glyph][x] = (columns[glyph][x] >> first) as u8;
            low[glyph / 8] |= (is_low as u8) << (glyph % 8);
            at += 1;
        }
        Self { width, top, glyphs, low }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Frame;

    /// Rows of a drawing, `.` and `#`.
    type Art = Vec<String>;

    /// The fonts, their drawings and how many rows their glyphs have.
    const FONTS: [(&Font, &str, usize); 2] =
        [(SMALL, include_str!("font/small.txt"), 8), (MENU, include_str!("font/menu.txt"), 10)];

    /// What is drawn for all other characters.
    const UNKNOWN: char = '\u{7f}';

    /// What a font draws for a text, as wide as the text.
    fn art(font: &Font, rows: usize, text: &str) -> Art {
        let mut frame = Frame::DARK;
        frame.text_in(font, 0, 0, text);
        let width = text.chars().count() * font.width as usize;
        let pixel = |x, y| if frame.is_lit(x, y) { '#' } else { '.' };
        (0..rows).map(|y| (0..width).map(|x| pixel(x, y)).collect()).collect()
    }

    /// The pixels in which two drawings differ.
    fn difference(one: &Art, other: &Art) -> usize {
        let pixels = |art: &Art| art.concat().into_bytes();
        pixels(one).iter().zip(pixels(other)).filter(|(one, other)| **one != *other).count()
    }

    /// The first and the last column with ink.
    fn edges(art: &Art) -> (Option<usize>, Option<usize>) {
        let first = art.iter().filter_map(|row| row.find('#')).min();
        (first, art.iter().filter_map(|row| row.rfind('#')).max())
    }

    #[test]
    fn every_character_is_drawn_as_below_its_name() {
        for (font, drawing, rows) in FONTS {
            let lines: Vec<&str> = drawing.lines().collect();
            for (index, character) in (' '..=UNKNOWN).enumerate() {
                let top = index / BESIDE * (rows + 1);
                let left = index % BESIDE * (COLUMNS + 1);
                let name =
                    lines[top].get(left..).map_or("", |rest| rest[..rest.len().min(5)].trim());
                let expected =
                    if character == UNKNOWN { "any".into() } else { character.to_string() };
                assert_eq!(name, expected.trim());
                let cells = lines[top + 1..].iter().map(|line| &line[left..left + COLUMNS]);
                let gap = ".".repeat(font.width as usize - COLUMNS);
                let expected: Art = cells.take(rows).map(|cell| format!("{cell}{gap}")).collect();
                let drawn = art(font, rows, &character.to_string());
                assert_eq!(drawn, expected, "{character}");
                assert_eq!(drawn.concat().contains('#'), character != ' ', "{character}");
            }
        }
    }

    #[test]
    fn no_two_glyphs_look_alike() {
        const ALIKE: [&str; 11] =
            [":;.,", "0ODQo", "1lIi|", "aesoc", "5S", "8B", "2Zz", "uv", "nh", "gq9", "'`\""];
        for (font, _, rows) in FONTS {
            let glyphs = (' '..=UNKNOWN).map(|name| (name, art(font, rows, &name.to_string())));
            let glyphs: Vec<(char, Art)> = glyphs.collect();
            for (index, (one, drawn)) in glyphs.iter().enumerate() {
                for (other, other_drawn) in &glyphs[index + 1..] {
                    let in_group = |group: &&str| group.contains(*one) && group.contains(*other);
                    let least = if ALIKE.iter().any(in_group) { 3 } else { 2 };
                    let differing = difference(drawn, other_drawn);
                    assert!(differing >= least, "{one} and {other} differ in {differing} pixels");
                }
            }
        }
    }

    #[test]
    fn digits_are_equally_wide() {
        for (font, _, rows) in FONTS {
            let edges: Vec<_> =
                ('0'..='9').map(|digit| edges(&art(font, rows, &digit.to_string()))).collect();
            assert_eq!(edges, vec![(Some(0), Some(font.width as usize - 2)); 10]);
        }
    }

    #[test]
    fn only_m_and_w_fill_the_last_column() {
        for (font, _, rows) in FONTS {
            let last = Some(font.width as usize - 1);
            let full: String = (' '..=UNKNOWN)
                .filter(|character| edges(&art(font, rows, &character.to_string())).1 == last)
                .collect();
            assert_eq!(full, if font.width == SMALL.width { "mw" } else { "" });
        }
    }

    #[test]
    fn any_other_character_is_drawn_as_one_unknown() {
        for (font, _, rows) in FONTS {
            let expected = art(font, rows, "a\u{7f}b");
            for text in ["a\nb", "a\0b", "a\u{80}b", "aéb", "a→b", "a😀b", "a\u{10ffff}b"] {
                assert_eq!(art(font, rows, text), expected, "{text:?}");
            }
        }
    }
}
