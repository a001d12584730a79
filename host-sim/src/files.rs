//! Files that a command line names, which may be anything: devices that never end among them.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// A file of at most so many bytes.
pub(crate) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let why = format!("it has more than {} KB", most / 1024);
        return Err(io::Error::new(ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
}

/// The same as text.
pub(crate) fn read_text(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read(path, most)?)
        .map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not text (UTF-8)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_may_be_as_long_as_is_allowed() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "text").unwrap();
        assert_eq!(read_text(file.path(), 4).unwrap(), "text");
        assert_eq!(read(file.path(), 3).unwrap_err().kind(), ErrorKind::FileTooLarge);
        std::fs::write(file.path(), [0xff]).unwrap();
        assert!(read_text(file.path(), 4).unwrap_err().to_string().contains("not text"));
    }
}
