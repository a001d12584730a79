//! Records on pages of flash, so that a power cut at any instant costs at most the last one.
//! A page holds the complete state: all records at the time it was started, then each change as one
//! more record. Its header is written after the initial records, so a page becomes valid at the
//! instant it is complete, and the page before it is left untouched until then.
//!
//! ```text
//! page    header, records, then FF
//! header  "CRVD", version u8, 0, bytes of records under the header u16, number of the page u32,
//!         CRC-32 of these 12 bytes
//! record  CRC-32 of the page's number and what follows, kind << 12 | length of data u16, data,
//!         then FF up to a multiple of 4
//! ```
//! Numbers are little-endian. The newest complete page is used, with its records up to the first
//! invalid one. After a restart nothing is appended to a page: the bytes after its last record
//! may be half written, and bits that were being written when the power failed may read one way
//! now and another way later.
use super::crc::Crc;
use embedded_storage_async::nor_flash::NorFlash;

/// The version of the format. Another version's pages are left alone.
pub(crate) const VERSION: u8 = 1;

const MAGIC: [u8; 4] = *b"CRVD";
const HEADER: u32 = 16;

/// Checksum, kind and length.
const RECORD_HEAD: u32 = 6;

/// Records begin at multiples of this: the largest write unit of the boards' flashes.
const ALIGN: u32 = 4;

/// Bytes written or read at once.
const CHUNK: usize = 64;

/// The maximum length of a record's data, which has 12 bits.
pub(crate) const RECORD_DATA: usize = 0xFFF;

/// Why nothing could be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WriteFailed;

/// A valid record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) kind: u8,
    pub(crate) length: usize,
    /// Where its data begins.
    data: u32,
    /// Where the next record begins, from the start of the page.
    next: u32,
}

/// A page that has a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Page {
    index: u32,
    pub(crate) version: u8,
    number: u32,
    /// Where the records that the header covers end.
    base: u32,
}

/// An iteration over the records of a page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Walk {
    page: Page,
    offset: u32,
}

/// The pages of a flash.
#[derive(Debug)]
pub(crate) struct Pages<F> {
    flash: F,
    /// The page that holds the last state that is known to be safe.
    home: Option<u32>,
    /// The page that was started last, successfully or not.
    last: u32,
    /// The highest page number used.
    number: u32,
    /// Where the next record goes on the home page; `None` while none can be appended.
    end: Option<u32>,
}

impl<F: NorFlash> Pages<F> {
    const PAGE: u32 = F::ERASE_SIZE as u32;

    pub(crate) const fn new(flash: F) -> Self {
        const {
            assert!((ALIGN as usize).is_multiple_of(F::WRITE_SIZE), "records are not aligned");
            assert!(F::READ_SIZE == 1, "records are read byte by byte");
            assert!(F::ERASE_SIZE >= 2048, "a game does not fit a page");
        }
        Self { flash, home: None, last: 0, number: 0, end: None }
    }

    fn count(&self) -> u32 {
        self.flash.capacity() as u32 / Self::PAGE
    }

    /// The newest page whose number is below `bound`, if there is one.
    pub(crate) async fn newest(&mut self, bound: u32) -> Option<Page> {
        let mut newest: Option<Page> = None;
        for index in 0..self.count() {
            let Some(page) = self.header(index).await else { continue };
            if page.number < bound && newest.is_none_or(|other| other.number < page.number) {
                newest = Some(page);
            }
        }
        if let Some(page) = newest
            && page.number > self.number
        {
            (self.number, self.last) = (page.number, page.index);
        }
        newest
    }

    async fn header(&mut self, index: u32) -> Option<Page> {
        let mut bytes = [0; HEADER as usize];
        self.flash.read(index * Self::PAGE, &mut bytes).await.ok()?;
        let ([m0, m1, m2, m3, version, _, b0, b1, n0, n1, n2, n3], sum) =
            bytes.split_first_chunk()?;
        let base = HEADER + u32::from(u16::from_le_bytes([*b0, *b1]));
        let whole = Crc::of(&bytes[..12]).to_le_bytes() == *sum
            && [*m0, *m1, *m2, *m3] == MAGIC
            && base <= Self::PAGE;
        let number = u32::from_le_bytes([*n0, *n1, *n2, *n3]);
        whole.then_some(Page { index, version: *version, number, base })
    }

    /// Makes `page` the one that holds the state.
    pub(crate) fn settle_on(&mut self, page: Page) {
        self.home = Some(page.index);
    }

    /// Forgets which page holds the state: every page may be written from here on.
    pub(crate) fn forget(&mut self) {
        (self.home, self.end) = (None, None);
    }

    /// The next record of an iteration; `None` after the last valid one.
    pub(crate) async fn next(&mut self, walk: &mut Walk) -> Option<Found> {
        let found = self.record(walk.page.index, walk.page.number, walk.offset).await?;
        walk.offset = found.next;
        Some(found)
    }

    /// Reads and checks the record at an offset of a page.
    async fn record(&mut self, index: u32, number: u32, offset: u32) -> Option<Found> {
        let start = index * Self::PAGE + offset;
        let mut head = [0; RECORD_HEAD as usize];
        if offset + RECORD_HEAD > Self::PAGE {
            return None;
        }
        self.flash.read(start, &mut head).await.ok()?;
        let [s0, s1, s2, s3, h0, h1] = head;
        let head = u16::from_le_bytes([h0, h1]);
        let (kind, length) = ((head >> 12) as u8, u32::from(head & 0xFFF));
        let next = offset + (RECORD_HEAD + length).next_multiple_of(ALIGN);
        if next > Self::PAGE {
            return None;
        }
        let mut crc = Crc::new();
        crc.add(&number.to_le_bytes());
        crc.add(&[h0, h1]);
        let data = start + RECORD_HEAD;
        let mut chunk = [0; CHUNK];
        for at in (0..length).step_by(CHUNK) {
            let part = chunk.get_mut(..CHUNK.min((length - at) as usize))?;
            self.flash.read(data + at, part).await.ok()?;
            crc.add(part);
        }
        let whole = crc.sum() == u32::from_le_bytes([s0, s1, s2, s3]);
        whole.then_some(Found { kind, length: length as usize, data, next })
    }

    /// Reads data of a record, from `at` on. False if it can't be read.
    pub(crate) async fn read(&mut self, found: Found, at: usize, bytes: &mut [u8]) -> bool {
        at + bytes.len() <= found.length
            && self.flash.read(found.data + at as u32, bytes).await.is_ok()
    }

    /// Appends a record to the home page, and reads it back.
    pub(crate) async fn append(&mut self, kind: u8, data: &[&[u8]]) -> Result<(), WriteFailed> {
        let (Some(home), Some(offset)) = (self.home, self.end) else { return Err(WriteFailed) };
        // If this fails, whatever it left is after the last valid record.
        self.end = None;
        self.end = Some(self.put(home, offset, kind, data).await?);
        Ok(())
    }

    /// Writes a record to a page and returns the offset after it.
    async fn put(
        &mut self,
        index: u32,
        offset: u32,
        kind: u8,
        data: &[&[u8]],
    ) -> Result<u32, WriteFailed> {
        let length: usize = data.iter().map(|part| part.len()).sum();
        let next = offset + (RECORD_HEAD + length as u32).next_multiple_of(ALIGN);
        if length > RECORD_DATA || next > Self::PAGE {
            return Err(WriteFailed);
        }
        let head = (u16::from(kind) << 12 | length as u16).to_le_bytes();
        let mut crc = Crc::new();
        crc.add(&self.number.to_le_bytes());
        crc.add(&head);
        data.iter().for_each(|part| crc.add(part));

        let sum = crc.sum().to_le_bytes();
        let bytes = sum.iter().chain(&head).chain(data.iter().copied().flatten());
        let mut chunk = [0xFF; CHUNK];
        let (mut filled, mut place) = (0, index * Self::PAGE + offset);
        for byte in bytes {
            *chunk.get_mut(filled).ok_or(WriteFailed)? = *byte;
            filled += 1;
            if filled == CHUNK {
                self.flash.write(place, &chunk).await.map_err(|_| WriteFailed)?;
                place += CHUNK as u32;
                (chunk, filled) = ([0xFF; CHUNK], 0);
            }
        }
        let rest = chunk.get(..filled.next_multiple_of(ALIGN as usize)).ok_or(WriteFailed)?;
        self.flash.write(place, rest).await.map_err(|_| WriteFailed)?;
        match self.record(index, self.number, offset).await {
            Some(found) if found.next == next => Ok(next),
            _ => Err(WriteFailed),
        }
    }

    /// Starts a page with these records, and makes it the home page when it is complete. A page
    /// that can't be written is skipped; the home page is never touched.
    pub(crate) async fn begin(&mut self, records: &[(u8, &[&[u8]])]) -> Result<(), WriteFailed> {
        self.end = None;
        for _ in 0..self.count() {
            self.last = (self.last + 1).checked_rem(self.count()).unwrap_or(0);
            if self.home == Some(self.last) {
                continue;
            }
            // Never reused, so that remnants of a failed attempt can't be taken for valid records
            // later.
            self.number = self.number.saturating_add(1);
            if let Ok(end) = self.fill(self.last, records).await {
                (self.home, self.end) = (Some(self.last), Some(end));
                return Ok(());
            }
        }
        Err(WriteFailed)
    }

    /// Erases a page, writes records and then the header that makes them valid.
    async fn fill(&mut self, index: u32, records: &[(u8, &[&[u8]])]) -> Result<u32, WriteFailed> {
        let start = index * Self::PAGE;
        self.flash.erase(start, start + Self::PAGE).await.map_err(|_| WriteFailed)?;
        if !self.is_blank(start).await {
            return Err(WriteFailed);
        }
        let mut offset = HEADER;
        for (kind, data) in records {
            offset = self.put(index, offset, *kind, data).await?;
        }
        let mut header = [0; HEADER as usize];
        let length = ((offset - HEADER) as u16).to_le_bytes();
        let fields = MAGIC.into_iter().chain([VERSION, 0]).chain(length);
        let fields = fields.chain(self.number.to_le_bytes());
        header.iter_mut().zip(fields).for_each(|(to, byte)| *to = byte);
        let sum = Crc::of(&header[..12]);
        header[12..].copy_from_slice(&sum.to_le_bytes());
        self.flash.write(start, &header).await.map_err(|_| WriteFailed)?;
        match self.header(index).await {
            Some(page) if page.number == self.number && page.base == offset => Ok(offset),
            _ => Err(WriteFailed),
        }
    }

    /// Whether a page is erased: worn cells stay as they are.
    async fn is_blank(&mut self, start: u32) -> bool {
        let mut chunk = [0; CHUNK];
        for at in (0..Self::PAGE).step_by(CHUNK) {
            let read = self.flash.read(start + at, &mut chunk).await;
            if read.is_err() || chunk.iter().any(|byte| *byte != 0xFF) {
                return false;
            }
        }
        true
    }

    #[cfg(test)]
    pub(crate) fn into_flash(self) -> F {
        self.flash
    }

    #[cfg(test)]
    pub(crate) fn flash_mut(&mut self) -> &mut F {
        &mut self.flash
    }
}

impl Page {
    /// Its number: a newer page has a higher one.
    pub(crate) const fn number(&self) -> u32 {
        self.number
    }

    /// Its records, from the first.
    pub(crate) const fn walk(self) -> Walk {
        Walk { page: self, offset: HEADER }
    }
}

impl Walk {
    /// Whether the iteration is past the records that the header covers.
    pub(crate) const fn is_complete(&self) -> bool {
        self.offset >= self.page.base
    }
}
