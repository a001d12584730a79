//! A picture of a display, and its comparison with a golden one.
use anyhow::{Context, Result, bail, ensure};
use corvid_firmware::frame::{Frame, Ink};
use std::{
    fmt, fs,
    fs::File,
    io::{BufReader, BufWriter},
    path::{Path, PathBuf},
};
use xtask::root;

/// Pixels in a row.
pub const WIDTH: usize = 128;

/// Rows.
pub const HEIGHT: usize = 64;

/// The picture of the manual that shows the progress of a search beside the board, which differs
/// every time.
const THINKING: &str = "thinking";

/// The columns of a board of 8 x 8.
const BOARD_WIDTH: usize = 64;

/// A black and white picture of 128 x 64 pixels.
#[derive(Clone, PartialEq, Eq)]
pub struct Screen {
    /// From the top; the highest bit of a row is its leftmost pixel.
    rows: [u128; HEIGHT],
}

impl Screen {
    /// A picture whose pixel at column x (from the left) and row y (from the top) is lit where
    /// `lit(x, y)` says so.
    pub fn from_fn(mut lit: impl FnMut(usize, usize) -> bool) -> Self {
        let mut row = |y| (0..WIDTH).fold(0, |row, x| row << 1 | u128::from(lit(x, y)));
        Self { rows: std::array::from_fn(&mut row) }
    }

    /// True where the pixel is lit.
    pub fn is_lit(&self, x: usize, y: usize) -> bool {
        self.rows[y] >> (WIDTH - 1 - x) & 1 == 1
    }

    /// The same picture as the device draws it.
    pub fn frame(&self) -> Frame {
        let mut frame = Frame::DARK;
        for (x, y) in (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y))) {
            if self.is_lit(x, y) {
                frame.dot(x as i32, y as i32, Ink::On);
            }
        }
        frame
    }

    /// Reads a PNG whose sides are `scale` times those of the display, every pixel a square of
    /// one colour, black or the brightest one in the picture.
    pub fn from_png(path: &Path, scale: usize) -> Result<Self> {
        let read = || -> Result<Self> {
            let (grey, size) = grey(path)?;
            ensure!(size == (WIDTH * scale, HEIGHT * scale), "size {} x {}", size.0, size.1);
            let brightest = grey.iter().copied().max().unwrap_or(0);
            for (index, &level) in grey.iter().enumerate() {
                let (x, y) = (index % size.0 / scale, index / size.0 / scale);
                ensure!(level == 0 || level == brightest, "grey pixel at {x},{y}");
                let corner = grey[y * scale * size.0 + x * scale];
                ensure!(level == corner, "pixel at {x},{y} is not of one colour");
            }
            Ok(Self::from_fn(|x, y| grey[y * scale * size.0 + x * scale] != 0))
        };
        read().with_context(|| format!("picture {}", path.display()))
    }

    /// Reads `docs/screens/<name>.png`, a picture of the manual: four times as large, with a margin
    /// of two pixels, in the colours of a display.
    pub fn manual(name: &str) -> Result<Self> {
        const SCALE: usize = 4;
        const MARGIN: usize = 2;
        let path = &manual(name);
        let read = || -> Result<Self> {
            let (grey, size) = grey(path)?;
            let full = [WIDTH, HEIGHT].map(|side| (side + 2 * MARGIN) * SCALE);
            ensure!(size == (full[0], full[1]), "size {} x {}", size.0, size.1);
            let at = |x: usize, y: usize| (y + MARGIN) * SCALE * size.0 + (x + MARGIN) * SCALE;
            Ok(Self::from_fn(|x, y| grey[at(x, y)] > 127))
        };
        read().with_context(|| format!("picture {}", path.display()))
    }

    /// Writes a PNG with one bit per pixel.
    pub fn to_png(&self, path: &Path) -> Result<()> {
        self.to_png_times(path, 1)
    }

    /// Writes a PNG in which every pixel is a square of `scale` times `scale`.
    pub fn to_png_times(&self, path: &Path, scale: usize) -> Result<()> {
        let write = || -> Result<()> {
            let file = BufWriter::new(File::create(path)?);
            let size = [WIDTH, HEIGHT].map(|side| (side * scale) as u32);
            let mut encoder = png::Encoder::new(file, size[0], size[1]);
            encoder.set_color(png::ColorType::Grayscale);
            encoder.set_depth(png::BitDepth::One);
            encoder.set_compression(png::Compression::High);
            let mut writer = encoder.write_header()?;
            let mut bytes = Vec::new();
            for y in 0..HEIGHT * scale {
                for first in (0..WIDTH * scale).step_by(8) {
                    let lit = |x: usize| u8::from(self.is_lit(x / scale, y / scale));
                    bytes.push((first..first + 8).fold(0, |byte, x| byte << 1 | lit(x)));
                }
            }
            writer.write_image_data(&bytes)?;
            Ok(writer.finish()?)
        };
        write().with_context(|| format!("picture {}", path.display()))
    }

    /// Compares with `tests/golden/<name>.png`. The error shows where they differ, and where the
    /// picture that was seen is kept.
    pub fn check_golden(&self, name: &str) -> Result<()> {
        let path = golden(name);
        ensure!(
            path.exists(),
            "there is no golden picture {}; UPDATE_GOLDEN=1 makes it",
            path.display()
        );
        let expected = Self::from_png(&path, 1)?;
        if *self == expected {
            return Ok(());
        }
        let seen = self.keep_seen(name)?;
        bail!(
            "the screen is not {}\n{}seen: {}\nif it is right, make it golden with UPDATE_GOLDEN=1",
            path.display(),
            self.difference(&expected),
            seen.display()
        )
    }

    /// Compares with `docs/screens/<name>.png`. The error shows where they differ, and where the
    /// picture that was seen on this board is kept.
    pub fn check_manual(&self, name: &str, board: &str) -> Result<()> {
        let expected = Self::manual(name)?;
        let width = if name == THINKING { BOARD_WIDTH } else { WIDTH };
        let (here, there) = (self.left(width), expected.left(width));
        if here == there {
            return Ok(());
        }
        let seen = self.keep_seen(&format!("{board}-{name}"))?;
        bail!(
            "the screen of the {board} is not {}\n{}seen: {}\nif it is right, \
             `cargo run --release -- sim --pictures docs/screens` draws the pictures again",
            manual(name).display(),
            here.difference(&there),
            seen.display()
        )
    }

    /// The columns on the left; the rest is dark.
    fn left(&self, columns: usize) -> Self {
        Self::from_fn(|x, y| x < columns && self.is_lit(x, y))
    }

    /// Writes the picture to a file for inspection.
    fn keep_seen(&self, name: &str) -> Result<PathBuf> {
        let folder = root().join("target/seen");
        fs::create_dir_all(&folder)?;
        let path = folder.join(format!("{name}.png"));
        self.to_png(&path)?;
        Ok(path)
    }

    /// Saves this picture as `tests/golden/<name>.png`.
    pub fn save_golden(&self, name: &str) -> Result<()> {
        let path = golden(name);
        fs::create_dir_all(path.parent().context("a file in a folder")?)?;
        self.to_png(&path)
    }

    /// An error that shows where this picture differs from the one that it should be.
    pub fn check(&self, expected: &Self) -> Result<()> {
        ensure!(self == expected, "the screen is wrong\n{}", self.difference(expected));
        Ok(())
    }

    /// The rectangle in which the two differ: `#` lit in both, `+` only here, `-` only there.
    fn difference(&self, expected: &Self) -> String {
        let changed: Vec<(usize, usize)> = (0..WIDTH * HEIGHT)
            .map(|index| (index % WIDTH, index / WIDTH))
            .filter(|&(x, y)| self.is_lit(x, y) != expected.is_lit(x, y))
            .collect();
        let (xs, ys) = (changed.iter().map(|at| at.0), changed.iter().map(|at| at.1));
        let (Some(left), Some(right)) = (xs.clone().min(), xs.max()) else {
            return String::new();
        };
        let (Some(top), Some(bottom)) = (ys.clone().min(), ys.max()) else {
            return String::new();
        };
        let mut text = format!(
            "{} pixels differ, in columns {left}..={right}, rows {top}..={bottom} \
             (# lit in both, + only seen, - only golden):\n",
            changed.len()
        );
        for y in top..=bottom {
            let pixel = |x| match (self.is_lit(x, y), expected.is_lit(x, y)) {
                (true, true) => '#',
                (true, false) => '+',
                (false, true) => '-',
                (false, false) => '.',
            };
            text.extend((left..=right).map(pixel));
            text.push('\n');
        }
        text
    }
}

impl fmt::Debug for Screen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for y in 0..HEIGHT {
            let row: String =
                (0..WIDTH).map(|x| if self.is_lit(x, y) { '#' } else { '.' }).collect();
            writeln!(f, "{row}")?;
        }
        Ok(())
    }
}

/// The brightness of every point of a PNG, row by row, and its width and height.
fn grey(path: &Path) -> Result<(Vec<u8>, (usize, usize))> {
    let mut decoder = png::Decoder::new(BufReader::new(File::open(path)?));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info()?;
    let mut bytes = vec![0; reader.output_buffer_size().context("too large")?];
    let info = reader.next_frame(&mut bytes)?;
    let points = bytes.chunks(info.color_type.samples());
    let grey = points.map(|point| point.iter().copied().max().unwrap_or(0)).collect();
    Ok((grey, (info.width as usize, info.height as usize)))
}

fn manual(name: &str) -> PathBuf {
    root().join("docs/screens").join(format!("{name}.png"))
}

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(format!("{name}.png"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_survives_its_file() -> Result<()> {
        let screen = Screen::from_fn(|x, y| (x * 7 + y * 13) % 5 == 0 || x == 127);
        let file = tempfile::NamedTempFile::new()?;
        screen.to_png(file.path())?;
        assert_eq!(Screen::from_png(file.path(), 1)?, screen);
        Ok(())
    }

    #[test]
    fn a_screen_that_is_not_the_manuals_is_told_and_kept() -> Result<()> {
        let menu = Screen::manual("menu")?;
        menu.check_manual("menu", "test")?;
        let error = menu.check_manual("start", "test").unwrap_err().to_string();
        assert!(error.starts_with("the screen of the test is not "), "{error}");
        assert!(error.contains("docs/screens/start.png\n"), "{error}");
        assert!(error.contains("sim --pictures docs/screens"), "{error}");
        assert_eq!(Screen::from_png(&root().join("target/seen/test-start.png"), 1)?, menu);
        Ok(())
    }

    #[test]
    fn a_picture_of_another_size_is_refused() -> Result<()> {
        let file = tempfile::NamedTempFile::new()?;
        Screen::from_fn(|_, _| true).to_png(file.path())?;
        let error = Screen::from_png(file.path(), 4).unwrap_err();
        assert!(format!("{error:#}").contains("size 128 x 64"), "{error:#}");
        Ok(())
    }

    #[test]
    fn the_difference_is_drawn() {
        let dot = Screen::from_fn(|x, y| (x, y) == (3, 2) || (x, y) == (4, 2));
        let other = Screen::from_fn(|x, y| (x, y) == (4, 2) || (x, y) == (5, 3));
        let text = dot.difference(&other);
        assert!(text.starts_with("2 pixels differ, in columns 3..=5, rows 2..=3"), "{text}");
        assert!(text.ends_with("+#.\n..-\n"), "{text}");
    }
}
