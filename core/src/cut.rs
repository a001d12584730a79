//! Short texts cut at a character. The methods of `str` search whole words of memory at once, which
//! takes more code than it is worth here.

/// What is before the first separator and after it; all of a text without one, and nothing.
pub fn at_first(text: &str, separator: u8) -> (&str, &str) {
    around_first(text, separator).unwrap_or((text, ""))
}

/// What is before the first separator and after it, if the text has one.
pub fn around_first(text: &str, separator: u8) -> Option<(&str, &str)> {
    around(text, text.bytes().position(|byte| byte == separator))
}

/// What is before the last separator and after it, if the text has one.
pub fn at_last(text: &str, separator: u8) -> Option<(&str, &str)> {
    around(text, text.bytes().rposition(|byte| byte == separator))
}

/// `None` too if the separator is not ASCII.
fn around(text: &str, at: Option<usize>) -> Option<(&str, &str)> {
    Some((text.get(..at?)?, text.get(at? + 1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_and_the_last_separator_are_found() {
        assert_eq!(at_first("a b c", b' '), ("a", "b c"));
        assert_eq!(at_last("a b c", b' '), Some(("a b", "c")));
        assert_eq!(at_first(" a", b' '), ("", "a"));
        assert_eq!(at_last("ä ", b' '), Some(("ä", "")));
    }

    #[test]
    fn a_text_without_a_separator_stays_whole() {
        assert_eq!(at_first("a-b", b' '), ("a-b", ""));
        assert_eq!((at_last("a-b", b' '), around_first("a-b", b' ')), (None, None));
        assert_eq!(at_first("ä", 0xc3), ("ä", ""), "half a character is no separator");
    }
}
