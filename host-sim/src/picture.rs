//! Pictures of the display as PNG files, still and animated.

use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::time::Duration;

use corvid_firmware::frame::{Frame, HEIGHT, Ink, WIDTH};
use png::{BitDepth, ColorType, Decoder, Encoder, Transformations};

/// Why a picture can't be written or read.
#[derive(Debug)]
pub struct PictureError {
    path: PathBuf,
    cause: Box<dyn Error>,
}

impl fmt::Display for PictureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "picture {}: {}", self.path.display(), self.cause)
    }
}

impl Error for PictureError {}

/// Picture pixels, each way, per pixel of the display.
const SCALE: usize = 4;

/// Dark pixels around the display, so that a picture has an edge on any background.
const MARGIN: usize = 2;

/// A dark pixel, a lit one: red, green, blue.
const PALETTE: [u8; 6] = [0x0a, 0x0d, 0x12, 0xe6, 0xf2, 0xff];

/// The longest duration of an animation's frame, so that it doesn't stall on waits.
const LONGEST: Duration = Duration::from_secs(2);

/// Writes a picture, four times as large as the display.
pub fn save(path: &Path, frame: &Frame) -> Result<(), PictureError> {
    let (width, height, bytes) = enlarged(frame);
    let write = || -> Result<(), Box<dyn Error>> {
        let mut encoder = encoder(path, width, height, &PALETTE)?;
        encoder.set_color(ColorType::Indexed);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&bytes)?;
        Ok(writer.finish()?)
    };
    write().map_err(|cause| PictureError { path: path.to_owned(), cause })
}

/// Writes an animation (APNG): what the display showed, and from when on.
pub fn save_moving(
    path: &Path,
    shown: &[(Duration, Frame)],
    end: Duration,
) -> Result<(), PictureError> {
    let write = || -> Result<(), Box<dyn Error>> {
        let (width, height, _) = enlarged(&Frame::DARK);
        let mut encoder = encoder(path, width, height, &PALETTE)?;
        encoder.set_color(ColorType::Indexed);
        encoder.set_animated(shown.len().try_into()?, 0)?;
        let mut writer = encoder.write_header()?;
        for (index, (from, frame)) in shown.iter().enumerate() {
            let until = shown.get(index + 1).map_or(end, |(until, _)| *until);
            let stays = until.saturating_sub(*from).min(LONGEST);
            writer.set_frame_delay(stays.as_millis() as u16, 1000)?;
            writer.write_image_data(&enlarged(frame).2)?;
        }
        Ok(writer.finish()?)
    };
    write().map_err(|cause| PictureError { path: path.to_owned(), cause })
}

/// Writes a picture of the display's own size, black and white: a golden one.
pub fn save_golden(path: &Path, frame: &Frame) -> Result<(), PictureError> {
    let write = || -> Result<(), Box<dyn Error>> {
        let mut encoder =
            Encoder::new(BufWriter::new(File::create(path)?), WIDTH as u32, HEIGHT as u32);
        encoder.set_color(ColorType::Grayscale);
        encoder.set_depth(BitDepth::One);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&packed(WIDTH, HEIGHT, |x, y| frame.is_lit(x, y)))?;
        Ok(writer.finish()?)
    };
    write().map_err(|cause| PictureError { path: path.to_owned(), cause })
}

/// Reads a golden picture.
pub fn read_golden(path: &Path) -> Result<Frame, PictureError> {
    let read = || -> Result<Frame, Box<dyn Error>> {
        let mut decoder = Decoder::new(BufReader::new(File::open(path)?));
        decoder.set_transformations(Transformations::normalize_to_color8());
        let mut reader = decoder.read_info()?;
        let mut bytes = vec![0; reader.output_buffer_size().ok_or("it is too large")?];
        let info = reader.next_frame(&mut bytes)?;
        if (info.width as usize, info.height as usize) != (WIDTH, HEIGHT) {
            return Err(format!("it is not {WIDTH} x {HEIGHT}").into());
        }
        let mut frame = Frame::DARK;
        for (index, point) in
            bytes.chunks(info.color_type.samples()).take(WIDTH * HEIGHT).enumerate()
        {
            if point[0] > 127 {
                frame.dot((index % WIDTH) as i32, (index / WIDTH) as i32, Ink::On);
            }
        }
        Ok(frame)
    };
    read().map_err(|cause| PictureError { path: path.to_owned(), cause })
}

fn encoder<'a>(
    path: &Path,
    width: usize,
    height: usize,
    palette: &'a [u8],
) -> io::Result<Encoder<'a, BufWriter<File>>> {
    let mut encoder =
        Encoder::new(BufWriter::new(File::create(path)?), width as u32, height as u32);
    encoder.set_depth(BitDepth::One);
    encoder.set_palette(palette);
    Ok(encoder)
}

/// Width, height and bytes of an enlarged picture.
fn enlarged(frame: &Frame) -> (usize, usize, Vec<u8>) {
    let (width, rows) = ((WIDTH + 2 * MARGIN) * SCALE, HEIGHT + 2 * MARGIN);
    let row = |y: usize| {
        let lit = |x: usize| {
            let inside = (x / SCALE).checked_sub(MARGIN).zip(y.checked_sub(MARGIN));
            inside.is_some_and(|(x, y)| frame.is_lit(x, y))
        };
        packed_row(width, lit)
    };
    let bytes = (0..rows).flat_map(|y| row(y).repeat(SCALE)).collect();
    (width, rows * SCALE, bytes)
}

/// One bit per pixel, rows padded to whole bytes.
fn packed(width: usize, height: usize, lit: impl Fn(usize, usize) -> bool) -> Vec<u8> {
    (0..height).flat_map(|y| packed_row(width, |x| lit(x, y))).collect()
}

/// A row of it.
fn packed_row(width: usize, lit: impl Fn(usize) -> bool) -> Vec<u8> {
    let byte = |x: usize| (x..x + 8).fold(0, |byte, x| byte << 1 | u8::from(x < width && lit(x)));
    (0..width).step_by(8).map(byte).collect()
}
