// Keeps the page for use without a network. `cargo xtask web` fills in the files and the release.
const RELEASE = "corvid-__RELEASE__";
const FILES = __FILES__;
