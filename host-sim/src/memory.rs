//! Memory for a search on a PC.

use std::fmt;
use std::io;
use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;

/// Slots of a search, all zeros at first. They lie in huge pages where the system has them: a search
/// reads its table at random, and with pages of 4 KB it waits for their addresses as well.
pub struct SearchMemory {
    pages: MmapMut,
    slots: usize,
}

impl SearchMemory {
    /// So many slots; an error where the machine does not have them.
    pub fn new(slots: usize) -> io::Result<Self> {
        let bytes = slots.checked_mul(size_of::<u64>()).ok_or(io::ErrorKind::OutOfMemory)?;
        // A map is never empty.
        let pages = MmapMut::map_anon(bytes.max(1))?;
        #[cfg(target_os = "linux")]
        {
            // Without huge pages it works as well, only slower.
            let _ = pages.advise(memmap2::Advice::HugePage);
        }
        Ok(Self { pages, slots })
    }
}

impl fmt::Debug for SearchMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SearchMemory({} slots)", self.slots)
    }
}

impl Deref for SearchMemory {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        bytemuck::cast_slice(&self.pages[..self.slots * size_of::<u64>()])
    }
}

impl DerefMut for SearchMemory {
    fn deref_mut(&mut self) -> &mut [u64] {
        bytemuck::cast_slice_mut(&mut self.pages[..self.slots * size_of::<u64>()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_the_slots_that_were_asked_for() {
        for slots in [0, 1, 4096, 1 << 19] {
            let mut memory = SearchMemory::new(slots).expect("little memory");
            assert_eq!(memory.len(), slots);
            assert!(memory.iter().all(|slot| *slot == 0));
            memory.fill(u64::MAX);
            assert!(memory.iter().all(|slot| *slot == u64::MAX));
        }
    }

    #[test]
    fn more_than_the_machine_has_is_an_error() {
        for slots in [usize::MAX, usize::MAX / 8, 1 << 50] {
            assert!(SearchMemory::new(slots).is_err());
        }
    }
}
