//! Short lists: filled from an iterator, and shifted by one. The methods of slices and vectors that do
//! the same can panic, and take more code than it is worth here.

use heapless::Vec;

/// The items, as many as there is room for.
pub fn filled<T, const N: usize>(items: impl IntoIterator<Item = T>) -> Vec<T, N> {
    let mut list = Vec::new();
    for item in items {
        if list.push(item).is_err() {
            break;
        }
    }
    list
}

/// Moves the last item to the front, and the others back by one.
pub fn last_to_front<T: Copy>(items: &mut [T]) {
    if let Some(mut carried) = items.last().copied() {
        items.iter_mut().for_each(|item| core::mem::swap(item, &mut carried));
    }
}

/// Moves the first item to the back, and the others forward by one.
pub fn first_to_back<T: Copy>(items: &mut [T]) {
    if let Some(mut carried) = items.first().copied() {
        items.iter_mut().rev().for_each(|item| core::mem::swap(item, &mut carried));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_takes_what_it_has_room_for() {
        assert_eq!(filled::<_, 3>(0..2), [0, 1]);
        assert_eq!(filled::<_, 3>(0..9), [0, 1, 2]);
    }

    #[test]
    fn items_are_shifted_as_rotation_does() {
        for length in 0..5 {
            let mut items: std::vec::Vec<_> = (0..length).collect();
            let before = items.clone();
            let mut rotated = items.clone();
            last_to_front(&mut items);
            rotated.rotate_right(usize::from(length > 0));
            assert_eq!(items, rotated);
            first_to_back(&mut items);
            assert_eq!(items, before);
        }
    }
}
