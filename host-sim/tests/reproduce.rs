//! `corvid reproduce`, and whether `docs/seeds.md` still says what it prints.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::{Command, Output};

fn reproduce(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_corvid")).arg("reproduce").args(words).output().unwrap()
}

#[test]
fn the_document_holds_what_the_command_prints() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/seeds.md");
    let document = std::fs::read_to_string(path).unwrap();
    // The fast tables; the others are made in the same way.
    for table in ["S0-20", "S1-06", "S2-07", "S3-08"] {
        let output = reproduce(&[table]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(
            document.contains(&text),
            "docs/seeds.md is old: make it again with `corvid reproduce > docs/seeds.md`\n{text}"
        );
    }
}

#[test]
fn a_table_that_does_not_exist_is_refused() {
    let output = reproduce(&["S9-99"]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1);
    assert!(text.contains("no table 'S9-99'; there are S0-19, S0-20, S1-06"), "{text}");
}
