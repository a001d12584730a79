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
//! Numbers are little-endian. The newest complete page is used. After a restart nothing is appended
//! to a page: the bytes after its last record may be half written, and bits that were being written
//! when the power failed may read one way now and another way later.
//!
//! A flipped bit in a header or a record is corrected: the checksum tells which one it is. A record
//! with more of them is skipped. If a valid record follows it, or the header covers it, it was
//! complete once and is now damaged; else it is taken for the one that a power cut interrupted.
use super::crc::{Crc, Flip, flip};
use embedded_storage_async::nor_flash::NorFlash;

/// The version of the format. Another version's pages are left alone.
pub(crate) const VERSION: u8 = 1;

/// The highest kind of record.
const LAST_KIND: u16 = super::KIND_TOGETHER as u16;

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
    /// A flipped bit of its data: where, and which.
    flipped: Option<(u32, u8)>,
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
    /// Whether damaged records were skipped before the last one.
    pub(crate) skipped: bool,
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

    /// The newest page, or the newest of those whose number is below `bound`, if there is one.
    pub(crate) async fn newest(&mut self, bound: Option<u32>) -> Option<Page> {
        let mut newest: Option<Page> = None;
        for index in 0..self.count() {
            let Some(page) = self.header(index).await else { continue };
            let below = bound.is_none_or(|bound| page.number < bound);
            if below && newest.is_none_or(|other| other.number < page.number) {
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

    /// The newest page, if it is newer than every page with a header and was complete, but its header
    /// is damaged: it has more than the `base` records that a page can begin with. Pages are started
    /// in turn, so the place of one tells its number. What is no such page now will not become one
    /// when other pages are started.
    pub(crate) async fn headless(&mut self, base: usize) -> Option<Page> {
        for ahead in (1..=self.count()).rev() {
            let index = (self.last + ahead).checked_rem(self.count()).unwrap_or(0);
            let Some(number) = self.number.checked_add(ahead) else { continue };
            if self.header(index).await.is_some()
                || self.record(index, number, HEADER).await.is_none()
            {
                continue;
            }
            let page = Page { index, version: VERSION, number, base: HEADER };
            let (mut walk, mut count) = (page.walk(), 0);
            while self.next(&mut walk).await.is_some() {
                count += 1;
            }
            if count > base {
                (self.number, self.last) = (number, index);
                return Some(page);
            }
        }
        None
    }

    async fn header(&mut self, index: u32) -> Option<Page> {
        let mut bytes = [0; HEADER as usize];
        self.flash.read(index * Self::PAGE, &mut bytes).await.ok()?;
        let [mut covered @ .., s0, s1, s2, s3] = bytes;
        let difference = Crc::of(&covered) ^ u32::from_le_bytes([s0, s1, s2, s3]);
        if difference != 0
            && let Flip::Message(back, bit) = flip(difference, covered.len())?
        {
            // The syndrome names a byte of the message, counted from its end.
            *covered.iter_mut().nth_back(back - 1)? ^= bit;
        }
        let [m0, m1, m2, m3, version, _, b0, b1, n0, n1, n2, n3] = covered;
        let base = HEADER + u32::from(u16::from_le_bytes([b0, b1]));
        let valid = [m0, m1, m2, m3] == MAGIC && base <= Self::PAGE;
        let number = u32::from_le_bytes([n0, n1, n2, n3]);
        valid.then_some(Page { index, version, number, base })
    }

    /// Makes `page` the one that holds the state.
    pub(crate) fn settle_on(&mut self, page: Page) {
        self.home = Some(page.index);
    }

    /// Forgets which page holds the state: every page may be written from here on.
    pub(crate) fn forget(&mut self) {
        (self.home, self.end) = (None, None);
    }

    /// Lets nothing be appended to the home page any more.
    pub(crate) fn close(&mut self) {
        self.end = None;
    }

    /// The next record of an iteration; `None` after the last valid one.
    pub(crate) async fn next(&mut self, walk: &mut Walk) -> Option<Found> {
        let Walk { page: Page { index, number, .. }, mut offset, .. } = *walk;
        let mut found = self.mended(index, number, offset).await;
        walk.skipped = found.is_none();
        while found.is_none() {
            offset += ALIGN;
            if offset >= Self::PAGE {
                return None;
            }
            // Of a kind that there is, to spare computing checksums of anything.
            let head = self.head(index, offset).await;
            if head.is_some_and(|(_, head)| matches!(head >> 12, 1..=LAST_KIND)) {
                found = self.record(index, number, offset).await;
            }
        }
        walk.offset = found?.next;
        found
    }

    /// Reads and checks the record at an offset of a page.
    async fn record(&mut self, index: u32, number: u32, offset: u32) -> Option<Found> {
        let (sum, head) = self.head(index, offset).await?;
        let (found, difference) = self.compare(index, number, offset, sum, head).await?;
        (difference == 0).then_some(found)
    }

    /// The same, but corrects a flipped bit.
    async fn mended(&mut self, index: u32, number: u32, offset: u32) -> Option<Found> {
        let (sum, head) = self.head(index, offset).await?;
        if let Some((mut found, difference)) = self.compare(index, number, offset, sum, head).await
        {
            if difference == 0 {
                return Some(found);
            }
            // The data and, before it, the byte with the kind and a part of the length.
            match flip(difference, found.length + 1) {
                Some(Flip::Sum) => return Some(found),
                Some(Flip::Message(back, bit)) if back <= found.length => {
                    found.flipped = Some((found.data + (found.length - back) as u32, bit));
                    return Some(found);
                }
                Some(Flip::Message(_, bit)) if bit > 0xF => {
                    found.kind ^= bit >> 4;
                    return Some(found);
                }
                _ => {}
            }
        }
        // The length tells which bytes the checksum covers, so each of its bits is tried.
        for bit in 0..12 {
            let found = self.compare(index, number, offset, sum, head ^ 1 << bit).await;
            if let Some((found, 0)) = found {
                return Some(found);
            }
        }
        None
    }

    /// The checksum and the head of a record; `None` if nothing is written there.
    async fn head(&mut self, index: u32, offset: u32) -> Option<(u32, u16)> {
        let mut bytes = [0; RECORD_HEAD as usize];
        if offset + RECORD_HEAD > Self::PAGE {
            return None;
        }
        self.flash.read(index * Self::PAGE + offset, &mut bytes).await.ok()?;
        let [s0, s1, s2, s3, h0, h1] = bytes;
        let parts = (u32::from_le_bytes([s0, s1, s2, s3]), u16::from_le_bytes([h0, h1]));
        (parts != (u32::MAX, u16::MAX)).then_some(parts)
    }

    /// What a record with this head would be, and the difference between its checksum and `sum`.
    async fn compare(
        &mut self,
        index: u32,
        number: u32,
        offset: u32,
        sum: u32,
        head: u16,
    ) -> Option<(Found, u32)> {
        let (kind, length) = ((head >> 12) as u8, u32::from(head & 0xFFF));
        let next = offset + (RECORD_HEAD + length).next_multiple_of(ALIGN);
        if next > Self::PAGE {
            return None;
        }
        let mut crc = Crc::new();
        crc.add(&number.to_le_bytes());
        crc.add(&head.to_le_bytes());
        let data = index * Self::PAGE + offset + RECORD_HEAD;
        let mut chunk = [0; CHUNK];
        for at in (0..length).step_by(CHUNK) {
            let part = chunk.get_mut(..CHUNK.min((length - at) as usize))?;
            self.flash.read(data + at, part).await.ok()?;
            crc.add(part);
        }
        let found = Found { kind, length: length as usize, data, next, flipped: None };
        Some((found, crc.sum() ^ sum))
    }

    /// The record that begins within the data of another one: its kind, its length and its data.
    /// Returns where the next one begins, too.
    pub(crate) async fn part(&mut self, whole: Found, at: usize) -> Option<(Found, usize)> {
        let mut head = [0; 2];
        self.read(whole, at, &mut head).await.then_some(())?;
        let head = u16::from_le_bytes(head);
        let (length, start) = (usize::from(head & 0xFFF), at + 2);
        let end = start + length;
        let part =
            Found { kind: (head >> 12) as u8, length, data: whole.data + start as u32, ..whole };
        (end <= whole.length).then_some((part, end))
    }

    /// Reads data of a record, from `at` on. False if it can't be read.
    pub(crate) async fn read(&mut self, found: Found, at: usize, bytes: &mut [u8]) -> bool {
        let start = found.data + at as u32;
        if at + bytes.len() > found.length || self.flash.read(start, bytes).await.is_err() {
            return false;
        }
        if let Some((place, bit)) = found.flipped
            && let Some(byte) = place.checked_sub(start).and_then(|at| bytes.get_mut(at as usize))
        {
            *byte ^= bit;
        }
        true
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
        let head = head_of(kind, length);
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
            // Never reused, so that remnants of a failed attempt can't be taken for valid records
            // later; and one for every page, so that the place of a page tells its number. No flash lives
            // to see the last one, but a forged page may have it.
            self.number = self.number.checked_add(1).ok_or(WriteFailed)?;
            if self.home == Some(self.last) {
                continue;
            }
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
        let mut read = [0; HEADER as usize];
        let failed = self.flash.read(start, &mut read).await.is_err();
        if failed || read != header { Err(WriteFailed) } else { Ok(offset) }
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
    pub(crate) fn end(&self) -> Option<u32> {
        self.end
    }

    #[cfg(test)]
    pub(crate) fn home(&self) -> Option<u32> {
        self.home
    }

    /// Makes the next page the one after this.
    #[cfg(test)]
    pub(crate) fn set_number(&mut self, number: u32) {
        self.number = number;
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

/// The kind and the length of a record, as it has them.
pub(crate) const fn head_of(kind: u8, length: usize) -> [u8; 2] {
    ((kind as u16) << 12 | length as u16).to_le_bytes()
}

impl Page {
    /// Its number: a newer page has a higher one.
    pub(crate) const fn number(&self) -> u32 {
        self.number
    }

    /// Its records, from the first.
    pub(crate) const fn walk(self) -> Walk {
        Walk { page: self, offset: HEADER, skipped: false }
    }
}

impl Walk {
    /// Whether the iteration is past the records that the header covers.
    pub(crate) const fn is_complete(&self) -> bool {
        self.offset >= self.page.base
    }
}
