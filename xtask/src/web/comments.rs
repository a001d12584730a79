//! Leaving comments out of scripts and style sheets: a quarter of what the page would load.
//!
//! Only lines that hold nothing but a comment go, which is how the page's files are written, so that
//! nothing has to be parsed.

/// The text without its comment lines. Lines of template literals stay.
pub(super) fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let (mut in_comment, mut in_literal) = (false, false);
    for line in text.lines() {
        let code = line.trim();
        if in_comment {
            in_comment = !code.ends_with("*/");
            continue;
        }
        if !in_literal {
            if code.starts_with("/*") {
                in_comment = !code.contains("*/");
                if in_comment || code.ends_with("*/") {
                    continue;
                }
            }
            if code.starts_with("//") {
                continue;
            }
        }
        in_literal ^= code.matches('`').count() % 2 == 1;
        kept.push_str(line);
        kept.push('\n');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_comments_go_and_nothing_else() {
        let text = "/** What it does.\n * More.\n */\nexport const a = 1; // one\n  // two\nb(`\n\
                    // kept\n/* kept */\n`);\n/* short */\n* { color: red }\n/* c */ d();\n";
        let code = "export const a = 1; // one\nb(`\n// kept\n/* kept */\n`);\n* { color: red }\n\
                    /* c */ d();\n";
        assert_eq!(without_comments(text), code);
    }
}
