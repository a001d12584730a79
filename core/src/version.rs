//! Which build this is.

/// The version. In a build that was told its commit, which those of a release are, the commit follows as
/// semantic versioning has it: `0.1.0+g1234abc`.
pub const VERSION: &str = match option_env!("CORVID_VERSION") {
    Some(version) => version,
    None => env!("CARGO_PKG_VERSION"),
};

/// The commit, such as `g1234abc`; empty in a build that was not told.
pub const COMMIT: &str = commit(VERSION);

/// What stands behind the plus sign.
const fn commit(version: &str) -> &str {
    let bytes = version.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        at += 1;
        if bytes[at - 1] == b'+' {
            break;
        }
    }
    version.split_at(at).1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commit_stands_behind_the_version() {
        assert_eq!(commit("0.1.0+g1234abc"), "g1234abc");
        assert_eq!(commit("0.1.0"), "");
        assert_eq!(commit("0.1.0+"), "");
    }

    #[test]
    fn the_version_begins_with_the_packages() {
        let rest = VERSION.strip_prefix(env!("CARGO_PKG_VERSION")).unwrap();
        assert!(rest.is_empty() || rest.strip_prefix('+') == Some(COMMIT), "{VERSION}");
    }
}
