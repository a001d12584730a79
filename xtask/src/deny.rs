//! `cargo xtask deny`: holds the dependencies to deny.toml.
//!
//! The file is cargo-deny's, and `cargo deny check licenses bans sources` finds the same. Building that
//! program takes many minutes and it wants a network for its other checks, so the few rules that the file
//! has are applied here, to what cargo itself says. A rule that is not known here is an error.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value as Json;
use spdx::{Expression, ParseMode};
use toml::{Table, Value};
use xtask::board::cargo;
use xtask::root;

use crate::run;

/// What cargo calls the public registry.
const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Fails when a dependency is not allowed.
pub(crate) fn check() -> Result<()> {
    let rules = Rules::parse(&fs::read_to_string(root().join("deny.toml"))?)?;
    let packages = packages(&metadata()?)?;
    let found = rules.offences(&packages)?;
    if !found.is_empty() {
        bail!("deny.toml does not allow this:\n{}", found.join("\n"));
    }
    println!("{} packages, as deny.toml allows", packages.len());
    Ok(())
}

/// Every package that any feature on any platform needs, as cargo tells it.
pub(crate) fn metadata() -> Result<Json> {
    let metadata = || {
        let words =
            ["metadata", "--offline", "--locked", "--all-features", "--format-version", "1"];
        cargo().args(words).output().context("cargo does not start")
    };
    let mut output = metadata()?;
    if !output.status.success() {
        // A build downloads what it compiles; this also needs what other platforms compile.
        run(cargo().args(["fetch", "--locked"]))?;
        output = metadata()?;
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "cargo metadata: {complaint}");
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// A package as far as the rules go.
#[derive(Debug, Clone, Default)]
pub(crate) struct Package {
    name: String,
    version: String,
    /// Nothing for a package of this workspace.
    source: Option<String>,
    license: Option<String>,
    /// Dependencies with any version that have no path.
    wildcards: Vec<String>,
}

fn packages(metadata: &Json) -> Result<Vec<Package>> {
    let text = |value: &Json| value.as_str().map(str::to_owned);
    let all = metadata["packages"].as_array().context("no packages")?;
    all.iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().context("no dependencies")?;
            let source = text(&package["source"]);
            let is_wild = |dependency: &&Json| {
                // Whoever publishes a package with wildcards is not ours to correct.
                source.is_none() && dependency["req"] == "*" && dependency["path"].is_null()
            };
            let wildcards = dependencies.iter().filter(is_wild);
            Ok(Package {
                name: text(&package["name"]).context("no name")?,
                version: text(&package["version"]).context("no version")?,
                license: text(&package["license"]),
                wildcards: wildcards.filter_map(|one| text(&one["name"])).collect(),
                source,
            })
        })
        .collect()
}

/// What deny.toml says.
#[derive(Debug)]
struct Rules {
    licenses: BTreeSet<String>,
    /// For one package each.
    exceptions: BTreeMap<String, BTreeSet<String>>,
    /// Versions that may be there beside another, as `name@version`.
    skipped: BTreeSet<String>,
}

impl Rules {
    fn parse(text: &str) -> Result<Self> {
        let mut file: Table = text.parse()?;
        let mut graph = section(&mut file, "graph")?;
        expect(&mut graph, "all-features", &Value::Boolean(true))?;
        ensure!(graph.is_empty(), "unknown rules: {graph:?}");

        let mut sources = section(&mut file, "sources")?;
        for rule in ["unknown-registry", "unknown-git"] {
            expect(&mut sources, rule, &"deny".into())?;
        }
        ensure!(sources.is_empty(), "unknown rules: {sources:?}");

        let mut bans = section(&mut file, "bans")?;
        expect(&mut bans, "multiple-versions", &"deny".into())?;
        expect(&mut bans, "multiple-versions-include-dev", &Value::Boolean(true))?;
        expect(&mut bans, "wildcards", &"deny".into())?;
        expect(&mut bans, "allow-wildcard-paths", &Value::Boolean(true))?;
        let mut skipped = BTreeSet::new();
        for mut skip in tables(&mut bans, "skip")? {
            let name = word(&mut skip, "crate")?;
            let reason = word(&mut skip, "reason").with_context(|| name.clone())?;
            ensure!(!reason.is_empty() && skip.is_empty(), "{name}: a reason, and nothing else");
            skipped.insert(name);
        }
        ensure!(bans.is_empty(), "unknown rules: {bans:?}");

        let mut licenses = section(&mut file, "licenses")?;
        expect(&mut licenses, "unused-allowed-license", &"deny".into())?;
        let allow = words(&mut licenses, "allow")?;
        let mut exceptions = BTreeMap::new();
        for mut exception in tables(&mut licenses, "exceptions")? {
            let name = word(&mut exception, "crate")?;
            exceptions.insert(name, words(&mut exception, "allow")?);
            ensure!(exception.is_empty(), "unknown rules: {exception:?}");
        }
        ensure!(licenses.is_empty() && file.is_empty(), "unknown rules: {licenses:?} {file:?}");
        Ok(Self { licenses: allow, exceptions, skipped })
    }

    /// What the rules do not allow, a line each; nor do they allow rules without a use.
    fn offences(&self, packages: &[Package]) -> Result<Vec<String>> {
        let mut found = Vec::new();
        let (mut used, mut excepted) = (BTreeSet::new(), BTreeSet::new());
        let mut versions = BTreeMap::<&str, Vec<&str>>::new();
        let mut unused = self.skipped.clone();
        for Package { name, version, source, license, wildcards } in packages {
            if source.as_ref().is_some_and(|source| source != CRATES_IO) {
                found.push(format!(
                    "{name} {version} comes from {}",
                    source.as_deref().unwrap_or("")
                ));
            }
            for dependency in wildcards {
                found.push(format!("{name} takes any version of {dependency}"));
            }
            let text = license.as_deref().with_context(|| format!("{name} has no licence"))?;
            let terms = Expression::parse_mode(text, ParseMode::LAX)
                .map_err(|error| anyhow::anyhow!("{name}: {error}"))?;
            let own = self.exceptions.get(name);
            let allowed = terms.evaluate(|license| {
                let license = license.to_string();
                let is_own = own.is_some_and(|own| own.contains(&license));
                let is_common = self.licenses.contains(&license);
                excepted.extend(is_own.then(|| name.clone()));
                used.extend(is_common.then_some(license));
                is_own || is_common
            });
            if !allowed {
                found.push(format!("{name} {version} has the licence {text}"));
            }
            if !unused.remove(&format!("{name}@{version}")) {
                versions.entry(name).or_default().push(version);
            }
        }
        for (name, versions) in versions.iter().filter(|(_, versions)| versions.len() > 1) {
            found.push(format!("{name} is there in the versions {}", versions.join(", ")));
        }
        found.extend(unused.iter().map(|skip| format!("{skip} is skipped and not there")));
        found.extend(
            self.licenses.difference(&used).map(|license| format!("nothing has {license}")),
        );
        let exceptions = self.exceptions.keys().filter(|name| !excepted.contains(*name));
        found.extend(exceptions.map(|name| format!("{name} needs no exception")));
        Ok(found)
    }
}

fn section(file: &mut Table, name: &str) -> Result<Table> {
    match file.remove(name) {
        Some(Value::Table(section)) => Ok(section),
        _ => bail!("no section [{name}]"),
    }
}

/// A rule that is known with one value alone.
fn expect(section: &mut Table, rule: &str, value: &Value) -> Result<()> {
    let there = section.remove(rule);
    ensure!(there.as_ref() == Some(value), "{rule} is {there:?}, which is not known here");
    Ok(())
}

fn tables(section: &mut Table, rule: &str) -> Result<Vec<Table>> {
    let Some(Value::Array(values)) = section.remove(rule) else { bail!("no list {rule}") };
    let table = |value| match value {
        Value::Table(table) => Ok(table),
        _ => bail!("{rule} has something else than tables"),
    };
    values.into_iter().map(table).collect()
}

fn word(section: &mut Table, rule: &str) -> Result<String> {
    match section.remove(rule) {
        Some(Value::String(word)) => Ok(word),
        _ => bail!("no {rule}"),
    }
}

fn words(section: &mut Table, rule: &str) -> Result<BTreeSet<String>> {
    let Some(Value::Array(values)) = section.remove(rule) else { bail!("no list {rule}") };
    let word = |value: Value| value.as_str().map(str::to_owned).context("a list of words");
    values.into_iter().map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = r#"
        [graph]
        all-features = true
        [licenses]
        allow = ["MIT", "Zlib"]
        unused-allowed-license = "deny"
        exceptions = [{ crate = "port", allow = ["MPL-2.0"] }]
        [bans]
        multiple-versions = "deny"
        multiple-versions-include-dev = true
        wildcards = "deny"
        allow-wildcard-paths = true
        skip = [{ crate = "old@1.0.0", reason = "somebody needs it" }]
        [sources]
        unknown-registry = "deny"
        unknown-git = "deny"
    "#;

    fn package(name: &str, version: &str, license: &str) -> Package {
        let (name, version, license) = (name.into(), version.into(), Some(license.into()));
        Package { name, version, license, source: Some(CRATES_IO.into()), wildcards: Vec::new() }
    }

    fn allowed() -> Vec<Package> {
        vec![
            package("a", "1.0.0", "GPL-3.0-only OR (MIT AND Zlib)"),
            package("b", "1.0.0", "Apache-2.0/MIT"),
            package("old", "1.0.0", "MIT"),
            package("old", "2.0.0", "MIT"),
            package("port", "1.0.0", "MPL-2.0"),
        ]
    }

    /// What is found with one package more.
    fn offence(package: Package) -> String {
        let packages = [allowed(), vec![package]].concat();
        Rules::parse(RULES).unwrap().offences(&packages).unwrap().join("; ")
    }

    #[test]
    fn what_is_not_allowed_is_found() {
        let rules = Rules::parse(RULES).unwrap();
        assert!(rules.offences(&allowed()).unwrap().is_empty());
        assert_eq!(
            offence(package("c", "1.0.0", "MIT AND MPL-2.0")),
            "c 1.0.0 has the licence MIT AND MPL-2.0"
        );
        assert_eq!(
            offence(package("old", "3.0.0", "MIT")),
            "old is there in the versions 2.0.0, 3.0.0"
        );
        let git = Some("git+https://example.org/c".to_owned());
        let found = offence(Package { source: git, ..package("c", "1.0.0", "MIT") });
        assert_eq!(found, "c 1.0.0 comes from git+https://example.org/c");
        let wildcards = vec!["d".to_owned()];
        let found = offence(Package { wildcards, ..package("c", "1.0.0", "MIT") });
        assert_eq!(found, "c takes any version of d");
        let unlicensed = Package { license: None, ..package("c", "1.0.0", "") };
        assert!(rules.offences(&[unlicensed]).is_err());
    }

    #[test]
    fn rules_without_a_use_are_found() {
        let found = Rules::parse(RULES).unwrap().offences(&[package("a", "1.0.0", "MIT")]).unwrap();
        assert_eq!(
            found,
            ["old@1.0.0 is skipped and not there", "nothing has Zlib", "port needs no exception"]
        );
    }

    #[test]
    fn rules_that_are_not_known_here_are_refused() {
        let weaker = RULES.replace("wildcards = \"deny\"", "wildcards = \"warn\"");
        assert!(Rules::parse(&weaker).is_err());
        let more = RULES.replace("[sources]", "[sources]\nallow-git = [\"https://example.org\"]");
        assert!(Rules::parse(&more).is_err());
        let without_reason = RULES.replace(", reason = \"somebody needs it\"", "");
        assert!(Rules::parse(&without_reason).is_err());
    }
}
