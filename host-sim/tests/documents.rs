//! The documents keep their word: commands run or exist, shown output is printed, links lead somewhere.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod archive;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use archive::archive;

/// Commands in blocks that no test can run, each with its reason.
const NOT_RUN: [(&str, &str); 4] = [
    ("cargo install cargo-mutants --locked", "downloads a program"),
    ("cargo mutants -p corvid-firmware -f firmware/src/health.rs -- --lib -- health", "minutes"),
    (
        "cargo check -p corvid --lib --no-default-features --target wasm32-unknown-unknown",
        "a build; the page's build does it too",
    ),
    (
        "corvid icfpt --dialect 2014 --tcp 127.0.0.1:5000 --board-seconds 1",
        "needs the contest's host; contest.rs plays on a socket",
    ),
];

/// How long a command may work; one that still does then has started well.
const CAP: Duration = Duration::from_secs(4);

/// What the simulator says where there is no terminal. Whatever else a command needs is made for it.
const NO_TERMINAL: &str = "corvid: the simulator needs a terminal that can draw";

/// Programs that a command names and that are not ours: Corvid stands in for them.
const STRANGERS: [&str; 2] = ["pentobi-gtp", "ADAPTER"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The documents, by their paths in the repository.
fn documents() -> Vec<String> {
    let mut found = vec!["tests/fuzz/README.md".to_owned()];
    for folder in ["", "docs", "docs/boards"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".md") {
                found.push(Path::new(folder).join(name).to_str().unwrap().to_owned());
            }
        }
    }
    found.sort();
    assert!(found.len() > 20, "{found:?}");
    found
}

/// A document in its parts.
struct Document {
    /// The word after the fence, and the lines.
    blocks: Vec<(String, Vec<String>)>,
    /// Everything else.
    prose: String,
}

impl Document {
    fn parse(text: &str) -> Self {
        let (mut blocks, mut prose) = (Vec::<(String, Vec<String>)>::new(), String::new());
        let mut inside = false;
        for line in text.lines() {
            if let Some(word) =
                line.trim_start().strip_prefix("```").filter(|word| !word.contains('`'))
            {
                inside = !inside;
                if inside {
                    blocks.push((word.to_owned(), Vec::new()));
                }
            } else if inside {
                blocks.last_mut().unwrap().1.push(line.to_owned());
            } else {
                prose += line;
                prose.push('\n');
            }
        }
        Self { blocks, prose }
    }

    /// The prose between code, and the code.
    fn spans(&self) -> (String, Vec<String>) {
        let (mut text, mut codes) = (String::new(), Vec::new());
        let mut rest = self.prose.as_str();
        while let Some(start) = rest.find('`') {
            text += &rest[..start];
            let ticks: String = rest[start..].chars().take_while(|char| *char == '`').collect();
            let after = &rest[start + ticks.len()..];
            let Some(end) = after.find(&ticks) else { break };
            let words: Vec<_> = after[..end].split_whitespace().collect();
            codes.push(words.join(" ").replace("\\|", "|"));
            rest = &after[end + ticks.len()..];
        }
        (text + rest, codes)
    }

    /// The commands in blocks, each with what is shown below it.
    fn commands(&self) -> Vec<(String, String)> {
        let mut commands = Vec::new();
        for (word, lines) in &self.blocks {
            for line in lines {
                let bare = |line: &str| line.split("  #").next().unwrap().trim().to_owned();
                match (word.as_str(), line.strip_prefix("$ ")) {
                    ("sh", _) if !line.trim().is_empty() => {
                        commands.push((bare(line), String::new()))
                    }
                    ("console", Some(line)) => commands.push((bare(line), String::new())),
                    ("console", None) => {
                        let (_, shown) = commands.last_mut().unwrap();
                        *shown += &format!("{line}\n");
                    }
                    _ => {}
                }
            }
        }
        commands
    }
}

/// A command in the words that `corvid` has for it, if it is one of its.
fn corvid_words(command: &str) -> Option<Vec<String>> {
    let corvid = ["cargo run --release --", "cargo run --release", "corvid"];
    let rest = corvid.iter().find_map(|start| command.strip_prefix(start))?;
    if !rest.is_empty() && !rest.starts_with(' ') {
        return None;
    }
    let rest = rest.split([">", "|"].map(|sign| sign.chars().next().unwrap())).next().unwrap();
    let mut words = Vec::new();
    for (index, part) in rest.split('"').enumerate() {
        match index % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    Some(words)
}

/// A word that stands for something: `GAME`, `[PORT]`, `FILE.wtb...`, `A,B`.
fn is_placeholder(word: &str) -> bool {
    word.starts_with('[') || word.chars().next().is_some_and(char::is_uppercase)
}

/// Runs a command of a block where everything that it names is there, and says what is wrong.
fn run(words: &[String], shown: &str) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for name in ["DIR", "core/games/src/games/othello/weights"] {
        fs::create_dir_all(at(name)).unwrap();
    }
    for name in ["WTH_2001.wtb", "WTH_2002.wtb", "DIR/WTH_2001.wtb"] {
        fs::write(at(name), archive(20)).unwrap();
    }
    let corvid = env!("CARGO_BIN_EXE_corvid");
    for name in STRANGERS {
        let game = words.get(1).map_or("", String::as_str);
        fs::write(at(name), format!("#!/bin/sh\nexec {corvid} gtp {game} --level 1\n")).unwrap();
        #[cfg(unix)]
        fs::set_permissions(at(name), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let (out, err) = (at("out"), at("err"));
    let mut child = Command::new(corvid)
        .args(words)
        .current_dir(folder.path())
        .env("PATH", path)
        .env("XDG_DATA_HOME", folder.path())
        .stdin(Stdio::null())
        .stdout(fs::File::create(&out).unwrap())
        .stderr(fs::File::create(&err).unwrap())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let status = loop {
        match child.try_wait().unwrap() {
            None if start.elapsed() < CAP => std::thread::sleep(Duration::from_millis(20)),
            ended => break ended,
        }
    };
    if status.is_none() {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let (printed, said) = (fs::read_to_string(out).unwrap(), fs::read_to_string(err).unwrap());
    let code = status.map_or(Some(0), |status| status.code());
    let opens_terminal = words.is_empty();
    if opens_terminal {
        return (!said.starts_with(NO_TERMINAL)).then_some(said);
    }
    if code != Some(0) || said.lines().any(|line| line.starts_with("corvid: ")) {
        return Some(format!("status {code:?}: {said}"));
    }
    (!shown.is_empty() && shown != printed).then(|| format!("it prints\n{printed}"))
}

/// Says what is wrong with the name of a command or with an option, without running it.
fn check_words(words: &[String]) -> Option<String> {
    let sub = words.first().filter(|word| !word.starts_with('-') && !is_placeholder(word));
    let mut corvid = Command::new(env!("CARGO_BIN_EXE_corvid"));
    let output = corvid.args(sub).arg("--help").output().unwrap();
    if !output.status.success() {
        return Some("there is no such command".into());
    }
    let help = String::from_utf8(output.stdout).unwrap();
    let known = |option: &str| option == "--OPTION" || help.contains(&format!("{option} "));
    let options = words.iter().filter(|word| word.starts_with("--"));
    let strange = options
        .into_iter()
        .find(|option| !known(option) && !help.contains(&format!("{option}\n")))?;
    Some(format!("it has no option {strange}"))
}

/// What `cargo xtask` says about itself.
fn xtask_usage() -> String {
    let source = read("xtask/src/main.rs");
    source
        .split("usage: cargo xtask COMMAND")
        .nth(1)
        .unwrap()
        .split("\";")
        .next()
        .unwrap()
        .to_owned()
}

/// Says what is wrong with a command of `cargo xtask`.
fn check_xtask(command: &str) -> Option<String> {
    let usage = xtask_usage();
    let words: Vec<_> = command.split('>').next().unwrap().split_whitespace().skip(2).collect();
    let (&name, rest) = words.split_first()?;
    let lines = usage.lines().filter_map(|line| line.strip_prefix("  "));
    let mut forms =
        lines.filter(|line| line.split_whitespace().next() == Some(name) && !line.starts_with(' '));
    let exact = |form: &str| {
        // `image BOARD   build ...`: the form ends where two spaces begin.
        let form = form.split("  ").next().unwrap();
        let parts: Vec<_> = form.split_whitespace().skip(1).collect();
        let fits = |(word, part): (&&str, &&str)| {
            let part = part.trim_matches(['[', ']']);
            match part {
                "BOARD" => *word == "BOARD" || usage.contains(&format!(" {word}")),
                _ => *word == part || (is_placeholder(part) && !word.starts_with('-')),
            }
        };
        let least =
            parts.iter().filter(|part| !part.starts_with('[') && !part.ends_with(']')).count();
        (least..=parts.len()).contains(&rest.len())
            && rest.iter().zip(&parts).all(|(word, part)| {
                let part = part.trim_matches(['[', ']']);
                fits((word, &part))
            })
    };
    // `measure quick`, `measure WORD` and `reliability long` are explained in sentences.
    let told = usage.contains(&format!("`{}", words.join(" ")))
        || (name == "measure" && rest.len() == 1 && !rest[0].starts_with('-'));
    let found = forms.any(exact) || told;
    (!found).then(|| "xtask has no such command".to_owned())
}

/// The folder of a package.
fn folder_of(package: &str) -> Option<&'static str> {
    Some(match package {
        "corvid" => "host-sim",
        "corvid-core" => "core",
        "corvid-games" => "core/games",
        "corvid-firmware" => "firmware",
        "corvid-tests" => "tests",
        "corvid-benches" => "benches",
        "corvid-web" => "web",
        "xtask" => "xtask",
        _ => return None,
    })
}

/// All sources below a folder.
fn sources(folder: &Path) -> String {
    let mut all = String::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all += &sources(&path);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            all += &fs::read_to_string(&path).unwrap();
            all += &format!("\nmod {} {{\n", path.file_stem().unwrap().to_str().unwrap());
        }
    }
    all
}

/// Says what is wrong with `cargo test`, `cargo bench` or `cargo run -p`: the package, the target or the
/// name of a test.
fn check_cargo(command: &str) -> Option<String> {
    let words: Vec<_> = command.split_whitespace().collect();
    let words = &words[words.iter().position(|word| *word == "cargo")? + 2..];
    let words = words.split(|word| *word == "--").next()?;
    let after = |flag: &str| words.iter().position(|word| *word == flag).map(|at| words[at + 1]);
    let Some(package) = after("-p") else { return Some("it names no package".into()) };
    let Some(folder) = folder_of(package).map(|folder| root().join(folder)) else {
        return Some(format!("there is no package {package}"));
    };
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    let mut from = folder.join("src");
    let mut filters = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let place = match *word {
            "-p" => {
                rest.next();
                continue;
            }
            "-q" | "--lib" => continue,
            "--test" => "tests",
            "--bin" => "src/bin",
            "--bench" => ".",
            flag if flag.starts_with('-') => return Some(format!("what is {flag}?")),
            filter => {
                filters.push(filter);
                continue;
            }
        };
        let name = rest.next()?;
        let file = folder.join(place).join(format!("{name}.rs"));
        let declared = manifest.contains(&format!("name = \"{name}\""));
        if !file.exists() && !folder.join(place).join(name).exists() && !declared {
            return Some(format!("{package} has no target {name}"));
        }
        from = folder.join(place);
    }
    let all = sources(&from);
    let known = |name: &&str| {
        all.contains(&format!("fn {name}"))
            || all.contains(&format!("mod {name} "))
            || all.lines().any(|line| line.trim_start().starts_with("fn ") && line.contains(*name))
    };
    let stranger = filters.into_iter().find(|name| !known(name))?;
    Some(format!("{package} has no test {stranger}"))
}

#[test]
fn commands_in_blocks_run() {
    let mut faults = Vec::new();
    let mut skipped = HashSet::new();
    let mut jobs = Vec::new();
    for name in documents() {
        for (command, shown) in Document::parse(&read(&name)).commands() {
            if let Some((exception, _)) = NOT_RUN.iter().find(|(known, _)| *known == command) {
                skipped.insert(*exception);
            } else if let Some(words) = corvid_words(&command) {
                jobs.push((name.clone(), command, words, shown));
            } else {
                let fault = match () {
                    () if command.starts_with("cargo xtask ") => check_xtask(&command),
                    () if command.starts_with("cargo ") => check_cargo(&command),
                    () => Some("what is it? (an exception is listed with its reason)".into()),
                };
                faults.extend(fault.map(|fault| format!("{name}: {command}: {fault}")));
            }
        }
    }
    assert!(jobs.len() > 8, "{jobs:?}");
    // Two at a time.
    let half = jobs.len() / 2;
    let work = |jobs: &[(String, String, Vec<String>, String)]| -> Vec<String> {
        let run = |(name, command, words, shown): &(String, String, Vec<String>, String)| {
            run(words, shown).map(|fault| format!("{name}: {command}: {fault}"))
        };
        jobs.iter().filter_map(run).collect()
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| work(&jobs[..half]));
        faults.extend(work(&jobs[half..]));
        faults.extend(other.join().unwrap());
    });
    let gone: Vec<_> = NOT_RUN.iter().filter(|(known, _)| !skipped.contains(known)).collect();
    assert!(gone.is_empty(), "exceptions that no document contains: {gone:#?}");
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn commands_in_sentences_and_tables_exist() {
    let mut faults = Vec::new();
    let mut count = 0;
    for name in documents() {
        for code in Document::parse(&read(&name)).spans().1 {
            let command = code.strip_prefix("UPDATE_GOLDEN=1 ").unwrap_or(&code);
            let fault =
                if let Some(words) = corvid_words(command).filter(|_| !command.contains(": ")) {
                    check_words(&words)
                } else if command.starts_with("cargo xtask ") {
                    // A sentence may name a command without what it takes.
                    let name = command.trim_start_matches("cargo xtask ");
                    let is_named = xtask_usage().contains(&format!("\n  {name} "));
                    check_xtask(command).filter(|_| !is_named)
                } else if ["cargo test ", "cargo bench ", "cargo run -p"]
                    .iter()
                    .any(|start| command.starts_with(start))
                {
                    check_cargo(command)
                } else {
                    continue;
                };
            count += 1;
            faults.extend(fault.map(|fault| format!("{name}: {command}: {fault}")));
        }
    }
    assert!(count > 100, "only {count} commands");
    assert!(faults.is_empty(), "{faults:#?}");
}

/// The name of a heading in links, as GitHub makes it.
fn slug(heading: &str) -> String {
    let lower = heading.to_lowercase();
    let kept = lower.chars().filter(|char| char.is_alphanumeric() || " -_".contains(*char));
    kept.map(|char| if char == ' ' { '-' } else { char }).collect()
}

/// The names of a document's headings; one that is there twice has a number the second time.
fn anchors(text: &str) -> HashSet<String> {
    let mut names = HashSet::new();
    for line in Document::parse(text).prose.lines().filter(|line| line.starts_with('#')) {
        let name = slug(line.trim_start_matches('#').trim());
        let numbered = (1..).map(|number| format!("{name}-{number}"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|name| !names.contains(name));
        names.extend(free);
    }
    names
}

#[test]
fn links_lead_somewhere() {
    let mut faults = Vec::new();
    let mut count = 0;
    for name in documents() {
        let text = Document::parse(&read(&name)).spans().0;
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            count += 1;
            if link.contains("://") {
                let host = link.strip_prefix("https://").or(link.strip_prefix("http://"));
                let fits = host
                    .is_some_and(|host| host.contains('.') && !host.contains(char::is_whitespace));
                if !fits {
                    faults.push(format!("{name}: {link} is no address"));
                }
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => root().join(&name),
                file => root().join(&name).parent().unwrap().join(file),
            };
            if !target.exists() {
                faults.push(format!("{name}: {link}: there is no such file"));
            } else if !anchor.is_empty()
                && !anchors(&fs::read_to_string(target).unwrap()).contains(anchor)
            {
                faults.push(format!("{name}: {link}: there is no such heading"));
            }
        }
    }
    assert!(count > 200, "only {count} links");
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn wrong_commands_are_noticed() {
    for command in ["cargo xtask fly", "cargo xtask image moon", "cargo xtask web --fly"] {
        assert!(check_xtask(command).is_some(), "{command}");
    }
    for command in [
        "cargo test -p corvid-moon",
        "cargo test -p corvid-tests --test moon",
        "cargo test -p corvid-tests --test games no_such_test",
        "cargo bench -p corvid-benches --bench moon",
    ] {
        assert!(check_cargo(command).is_some(), "{command}");
    }
    for command in ["corvid fly", "corvid gtp othello --wings 2"] {
        assert!(check_words(&corvid_words(command).unwrap()).is_some(), "{command}");
    }
    let listed = "cargo run --release -- bots othello";
    assert!(run(&corvid_words(listed).unwrap(), "nobody\n").is_some(), "another output");
    assert!(run(&corvid_words("corvid perft othello x").unwrap(), "").is_some());
}

#[test]
fn the_moving_picture_is_what_its_command_makes() {
    let command = "sim --headless --seed 1 --script docs/moving.txt --animation docs/moving.png";
    for document in ["README.md", "docs/moving.txt"] {
        assert!(read(document).contains(command), "{document} lacks {command}");
    }
    let folder = tempfile::tempdir().unwrap();
    let made = folder.path().join("moving.png");
    let mut corvid = Command::new(env!("CARGO_BIN_EXE_corvid"));
    corvid.args(command.rsplit_once(' ').unwrap().0.split(' ')).arg(&made).current_dir(root());
    assert!(corvid.status().unwrap().success());
    let (made, kept) = (fs::read(made).unwrap(), fs::read(root().join("docs/moving.png")).unwrap());
    assert!(made == kept, "docs/moving.png is out of date: cargo run --release -- {command}");
    assert!(kept.len() < 300_000, "{} bytes are too many for a README", kept.len());
}
