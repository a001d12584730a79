//! `cargo xtask sbom`: a bill of materials in CycloneDX 1.5, of the crates that are linked into the command
//! line, into the page or into a board's image. The same source gives the same bytes: there is no time in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use spdx::{Expression, ParseMode};
use xtask::board::{Board, cargo};
use xtask::{root, target};

use crate::setup::WASM;

/// What a bill of materials is about.
#[derive(Debug)]
pub(crate) enum Product {
    CommandLine,
    /// The page's WebAssembly.
    Page,
    Image(Board),
}

impl Product {
    /// The product that a command names: the page, or a board's image.
    pub(crate) fn named(name: &str) -> Result<Self> {
        match name {
            "page" => Ok(Self::Page),
            board => Board::named(board).map(Self::Image),
        }
    }
}

/// Prints a bill of materials.
pub(crate) fn print(product: &Product) -> Result<()> {
    println!("{:#}", document(product)?);
    Ok(())
}

pub(crate) fn document(product: &Product) -> Result<Value> {
    let (package, kind, name, triple) = match product {
        Product::CommandLine => ("corvid", "application", "corvid", target::host()?),
        Product::Page => ("corvid-web", "application", "page", WASM.to_owned()),
        Product::Image(board) => {
            ("corvid-firmware", "firmware", board.name(), board.triple.to_owned())
        }
    };
    let feature = match product {
        Product::Image(board) => Some(board.name()),
        _ => None,
    };
    let checksums = checksums()?;
    let crates = linked(package, feature, &triple)?;
    let version = &crates.iter().find(|one| one.name == package).context("no package")?.version;
    let components =
        crates.iter().map(|one| one.component(&checksums)).collect::<Result<Vec<_>>>()?;
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": { "type": kind, "bom-ref": name, "name": name, "version": version },
            "properties": [{ "name": "cargo:target", "value": triple }],
        },
        "components": components,
    }))
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Crate {
    name: String,
    version: String,
    license: String,
}

impl Crate {
    fn component(&self, checksums: &BTreeMap<(String, String), String>) -> Result<Value> {
        let Self { name, version, license } = self;
        // Older packages write a slash for OR.
        let license = Expression::canonicalize(license)
            .map_err(|error| anyhow::anyhow!("{name}: {error}"))?
            .unwrap_or_else(|| license.clone());
        Expression::parse_mode(&license, ParseMode::STRICT)
            .map_err(|error| anyhow::anyhow!("{name}: {error}"))?;
        let address = format!("pkg:cargo/{name}@{version}");
        let mut component = json!({
            "type": "library",
            "bom-ref": address,
            "name": name,
            "version": version,
            "licenses": [{ "expression": license }],
            "purl": address,
        });
        // The packages of this workspace have none.
        if let Some(sum) = checksums.get(&(name.clone(), version.clone())) {
            component["hashes"] = json!([{ "alg": "SHA-256", "content": sum }]);
        }
        Ok(component)
    }
}

/// The crates that are linked: no macros, nothing that only builds or tests need.
fn linked(package: &str, feature: Option<&str>, triple: &str) -> Result<BTreeSet<Crate>> {
    let mut tree = cargo();
    tree.args(["tree", "--locked", "--package", package, "--target", triple]);
    tree.args(["--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}|{l}"]);
    tree.args(feature.map(|name| ["--features", name]).into_iter().flatten());
    let output = tree.output().context("cargo does not start")?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "cargo tree: {complaint}");
    let line = |line: &str| {
        let (package, license) = line.split_once('|').with_context(|| line.to_owned())?;
        let mut words = package.split(' ');
        let name = words.next().context("no name")?.to_owned();
        let version = words.next().and_then(|word| word.strip_prefix('v')).context("no version")?;
        // Behind what was listed before stands a star.
        let license = license.trim_end_matches(" (*)").to_owned();
        Ok(Crate { name, version: version.to_owned(), license })
    };
    String::from_utf8(output.stdout)?.lines().filter(|text| !text.is_empty()).map(line).collect()
}

/// The registry's checksums, by name and version.
fn checksums() -> Result<BTreeMap<(String, String), String>> {
    let lock: toml::Table = fs::read_to_string(root().join("Cargo.lock"))?.parse()?;
    let packages = lock.get("package").and_then(|all| all.as_array()).context("no packages")?;
    let word = |package: &toml::Value, key: &str| package.get(key)?.as_str().map(str::to_owned);
    Ok(packages
        .iter()
        .filter_map(|one| {
            Some(((word(one, "name")?, word(one, "version")?), word(one, "checksum")?))
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packages of a bill of materials that has been written and read again.
    fn names(product: &Product) -> BTreeSet<String> {
        let text = format!("{:#}", document(product).unwrap());
        assert_eq!(text, format!("{:#}", document(product).unwrap()), "always the same");
        let bill: Value = serde_json::from_str(&text).unwrap();
        assert_eq!([&bill["bomFormat"], &bill["specVersion"]], ["CycloneDX", "1.5"]);
        let components = bill["components"].as_array().unwrap();
        for component in components {
            let own = component["name"].as_str().unwrap().starts_with("corvid");
            assert_eq!(component["hashes"][0]["content"].is_string(), !own, "{component}");
            assert!(component["licenses"][0]["expression"].is_string(), "{component}");
        }
        components.iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn the_bill_of_materials_has_what_is_linked_and_nothing_else() {
        for (product, linked, not_linked) in [
            (
                Product::CommandLine,
                ["corvid-core", "clap", "serialport"],
                ["embassy-rp", "tempfile", "syn"],
            ),
            (
                Product::Page,
                ["corvid-core", "corvid-firmware", "wasm-bindgen"],
                ["clap", "serialport", "syn"],
            ),
            (
                Product::named("pico").unwrap(),
                ["corvid-core", "embassy-rp", "embassy-usb"],
                ["clap", "criterion", "syn"],
            ),
            (
                Product::named("lm3s6965evb").unwrap(),
                ["corvid-core", "cortex-m", "heapless"],
                ["embassy-usb", "clap", "syn"],
            ),
        ] {
            let names = names(&product);
            for name in linked {
                assert!(names.contains(name), "{product:?} has no {name}: {names:?}");
            }
            for name in not_linked {
                assert!(!names.contains(name), "{product:?} has {name}: {names:?}");
            }
        }
    }
}
