//! Sorting of short lists, in little code: the library's sort takes two kilobytes.

/// Sorts a list, equal items in their order.
pub(crate) fn sort<T>(list: &mut [T], is_before: impl Fn(&T, &T) -> bool) {
    for end in 2..=list.len() {
        if let Some(list) = list.get_mut(..end) {
            put_in_place(list, &is_before);
        }
    }
}

/// Moves the last item of a list to its place among the others, which are sorted.
#[inline]
pub(crate) fn put_in_place<T>(list: &mut [T], is_before: impl Fn(&T, &T) -> bool) {
    let Some((mut last, others)) = list.split_last_mut() else { return };
    for other in others.iter_mut().rev() {
        if !is_before(last, other) {
            break;
        }
        core::mem::swap(last, other);
        last = other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mix::Rng;
    use std::vec::Vec;

    #[test]
    fn equal_items_keep_their_order() {
        let mut rng = Rng::new(1);
        for length in 0..40 {
            let mut items: Vec<_> = (0..length).map(|at| (rng.below(8), at)).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            sort(&mut items, |one, other| one.0 < other.0);
            assert_eq!(items, expected);
        }
    }
}
