//! Where a device in the terminal keeps its games when no file is named: in the user's data folder.
//!
//! Three rules in a few lines; a dependency would bring more code than it saves.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use corvid::flash::Flash;

/// The file in the data folder.
const FILE: &str = "corvid/saves.bin";

/// A flash, and what the person is told about it.
pub(super) struct Saves {
    pub(super) flash: Flash,
    /// Whether it outlives the program.
    pub(super) kept: bool,
    /// Where its contents are, or why they are nowhere; a line.
    pub(super) notice: String,
}

impl Saves {
    /// The flash in a file that could be opened.
    pub(super) fn in_file(flash: Flash, path: &std::path::Path) -> Self {
        Self { flash, kept: true, notice: format!("games are saved in {}", path.display()) }
    }

    /// A new device's flash, which is forgotten in the end.
    pub(super) fn nowhere(why: &str) -> Self {
        let notice = format!("a new device, which doesn't save: {why}");
        Self { flash: Flash::new(), kept: false, notice }
    }

    /// The flash in the user's data folder, or if that is impossible a new one.
    pub(super) fn of_user() -> Self {
        let Some(folder) = data_folder(|name| env::var_os(name), env::home_dir()) else {
            return Self::nowhere("there is no home folder (--save FILE names a file)");
        };
        let path = folder.join(FILE);
        if let Some(folder) = path.parent()
            && let Err(error) = fs::create_dir_all(folder)
        {
            return Self::nowhere(&format!("cannot create {}: {error}", folder.display()));
        }
        match Flash::open(&path) {
            Ok(flash) => Self::in_file(flash, &path),
            Err(error) => Self::nowhere(&error.to_string()),
        }
    }
}

/// The folder for a user's data by the system's convention. Relative paths are ignored, as the XDG
/// specification asks: the file would depend on where the program is started.
fn data_folder(
    variable: impl Fn(&str) -> Option<OsString>,
    home: Option<PathBuf>,
) -> Option<PathBuf> {
    let named = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let at_home = |folder| home.filter(|path| path.is_absolute()).map(|path| path.join(folder));
    if cfg!(windows) {
        named("APPDATA")
    } else if cfg!(target_os = "macos") {
        at_home("Library/Application Support")
    } else {
        named("XDG_DATA_HOME").or_else(|| at_home(".local/share"))
    }
}

#[cfg(all(test, unix, not(target_os = "macos")))]
mod tests {
    use super::*;

    #[test]
    fn the_data_folder_is_the_one_of_the_xdg_specification() {
        let folder = |xdg: &str, home: Option<&str>| {
            let variable = |name: &str| (name == "XDG_DATA_HOME").then(|| xdg.into());
            data_folder(variable, home.map(Into::into)).map(|path| path.display().to_string())
        };
        assert_eq!(folder("/data", Some("/home/ann")).as_deref(), Some("/data"));
        assert_eq!(folder("", Some("/home/ann")).as_deref(), Some("/home/ann/.local/share"));
        assert_eq!(folder("data", Some("/home/ann")).as_deref(), Some("/home/ann/.local/share"));
        assert_eq!(folder("/data", None).as_deref(), Some("/data"));
        assert_eq!(folder("", Some("ann")), None);
        assert_eq!(folder("", None), None);
    }
}
