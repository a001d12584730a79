//! The command line's commands and options.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;
use corvid::memory::SearchMemory;
use corvid_core::engine::{Level, Limit, Opponent};
use corvid_core::game::Notation;
use corvid_core::icfpt::Dialect;
use corvid_core::player::{MAX_PLAYERS, Player, player_named};
use corvid_core::registry::{AnyOpponent, Bot, GameKind};
use corvid_core::session::Match;
use corvid_core::setup::{Opt, Setup, Solver, Values};
use corvid_firmware::profile::{LM3S6965EVB, PROFILES, Profile};

use crate::arena::Orders;
use crate::failure::Failure;
use crate::offered::{BOARD, BOT, GAME, SOLVED};
use crate::sim::BoardArg;

/// The level that plays when nobody chooses, as on the device.
pub(crate) const PLAY_LEVEL: Level = match Level::new(3) {
    Some(level) => level,
    None => Level::MIN,
};

/// Reads the command line; one without a command is the simulator's.
pub(crate) fn parse() -> Result<Command, Failure> {
    let Corvid { command, sim } = Corvid::from_arg_matches(&corvid().try_get_matches()?)?;
    Ok(command.unwrap_or(Command::Sim(sim)))
}

/// The whole command line, with what differs between commands that share options.
pub(crate) fn corvid() -> clap::Command {
    let scripted = ["headless", "script", "golden", "screenshot", "animation", "pictures"];
    let corvid = Corvid::command();
    let corvid = (scripted.iter())
        .fold(corvid, |corvid, option| corvid.mut_arg(option, |option| option.hide(true)));
    corvid
        .mut_subcommand("play", |play| {
            let usual = PLAY_LEVEL.get();
            let help = format!("How strong it plays, 1 to 9 [default: {usual}, as on the device]");
            play.mut_arg("level", |level| level.help(help))
        })
        .mut_subcommand("solve", |solve| {
            let solve = solve.mut_arg("game", |game| {
                game.value_parser(SOLVED).help(solved().collect::<Vec<_>>().join(", "))
            });
            let hidden = options().filter(|(kind, ..)| kind.info().solver == Solver::None);
            hidden.fold(solve, |solve, (_, entries, _)| {
                solve.mut_arg(entries[0].flag, |option| option.hide(true))
            })
        })
}

/// A board-game opponent that fits in a microcontroller. Without a command, opens the device in
/// the terminal.
#[derive(Debug, Parser)]
#[command(
    name = "corvid",
    version = corvid_core::version::VERSION,
    disable_help_subcommand = true,
    args_conflicts_with_subcommands = true
)]
struct Corvid {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(
        flatten,
        next_help_heading = "Options of the simulator (corvid sim --help lists all)"
    )]
    sim: SimArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Open the device in the terminal; also what happens without a command
    Sim(SimArgs),
    /// Play in the terminal, line by line; without a game, asks which one and how
    Play(PlayArgs),
    /// Answer GTP 2 commands on standard input
    Gtp(GtpArgs),
    /// Play in a Blokus Duo contest: the host's protocol on standard input and output, or TCP
    Icfpt(IcfptArgs),
    /// Referee contest games of Blokus Duo between two players
    Host(HostArgs),
    /// Play against a board on a serial port, or let an engine play it
    Connect(ConnectArgs),
    /// Count the move sequences of a given length, to compare rules
    Perft(PerftArgs),
    /// Solve a position exactly; the last line is: solve score S move M nodes N
    Solve(SolveArgs),
    /// Play matches between bots and the engine, with seats and openings distributed fairly
    Arena(ArenaArgs),
    /// Learn the tables of Blokus by self-play, or the weights of Othello's patterns
    Tune(TuneArgs),
    /// Replay the documents' published matches and print both results
    Reproduce(ReproduceArgs),
    /// Replay the Othello games of WTHOR files and compare their scores with the recorded ones
    Replay(ReplayArgs),
    /// Play Othello in a viewer that speaks the NBoard protocol, on standard input and output
    ///
    /// The viewer's depth N, 1 to 16 (more counts as 16; 8 until the viewer sets it), is that of the
    /// middle game in plies; from N + 10 empty squares on, the score is exact. A ping ends the search
    /// in progress. Contempt and learn have no effect.
    Nboard(NboardArgs),
    /// List the bots and how they play, by game
    Bots {
        #[arg(
            value_parser = GAME,
            hide_possible_values = true,
            help = format!("Only the bots of this game: {}", games())
        )]
        game: Option<GameKind>,
    },
    /// Print a script that completes this command line in a shell
    Completions {
        /// The shell that will load it
        shell: Shell,
    },
    /// Print this program's manual page, in roff
    Man,
}

/// A game and its options, which the registry lists.
#[derive(Debug)]
pub(crate) struct SetupArgs {
    setup: Setup,
}

/// The games' options, joined ones as one: the game, the entries of its list, and the help text.
pub(crate) fn options() -> impl Iterator<Item = (GameKind, &'static [Opt], &'static str)> {
    GameKind::ALL.into_iter().flat_map(|kind| {
        let entries = kind.info().options.chunk_by(|_, next| next.joined);
        entries.zip(kind.option_help()).map(move |(entries, help)| (kind, entries, *help))
    })
}

/// The place of an option in its game's list.
pub(crate) fn place(kind: GameKind, entries: &[Opt]) -> usize {
    kind.info().options.iter().position(|other| *other == entries[0]).unwrap_or(0)
}

/// What an option is when nobody says: `28`, `5x5`, `own`.
pub(crate) fn usual(kind: GameKind, entries: &[Opt]) -> String {
    let usual = Setup::usual(kind).to_string();
    usual.split(' ').nth(1 + place(kind, entries)).unwrap_or("").to_owned()
}

/// What an option can be, in words: `2 to 28`, `own or any`.
pub(crate) fn range(entries: &[Opt]) -> String {
    form(entries).replace("..", " to ").replace('|', " or ")
}

/// What an option can be, in a few characters: `2..28`, `1x1..10x10`, `own|any`.
fn form(entries: &[Opt]) -> String {
    match (entries[0].values, entries.get(1).map(|next| next.values)) {
        (Values::Numbers(a, b), Some(Values::Numbers(c, d))) => format!("{a}x{c}..{b}x{d}"),
        (Values::Numbers(first, last), _) => format!("{first}..{last}"),
        (Values::Words(words), _) => words.join("|").to_ascii_lowercase(),
        _ => "VALUE".into(),
    }
}

/// Adds the game and the options of all games to a command.
fn with_setup(mut command: clap::Command, required: bool, help: String) -> clap::Command {
    let game = Arg::new("game").value_name("GAME").required(required).value_parser(GAME);
    command = command.arg(game.hide_possible_values(true).help(help));
    for (kind, entries, about) in options() {
        let option = entries[0];
        let help = format!("{}: {about} [default: {}]", kind.title(), usual(kind, entries));
        // A few bytes, once, that live as long as the program.
        let form: &'static str = form(entries).leak();
        command = command.arg(Arg::new(option.flag).long(option.flag).value_name(form).help(help));
    }
    command
}

/// Reads them; an option of another game is an error.
fn read_setup(matches: &ArgMatches) -> Result<Option<Setup>, clap::Error> {
    let wrong = |text: String| clap::Error::raw(clap::error::ErrorKind::InvalidValue, text);
    let kind = matches.get_one::<GameKind>("game").copied();
    let mut setup = kind.map(Setup::usual);
    for (of, entries, _) in options() {
        let flag = entries[0].flag;
        let Some(value) = matches.get_one::<String>(flag) else { continue };
        let Some(chosen) = setup else {
            return Err(wrong(format!("--{flag} needs a game: {of} --{flag} {value}\n")));
        };
        if of != chosen.kind() {
            return Err(wrong(format!("{} has no option --{flag}\n", chosen.kind())));
        }
        let changed = chosen.with_word_at(place(of, entries), value);
        setup = Some(
            changed
                .ok_or_else(|| wrong(format!("--{flag} {value}: it is {}\n", range(entries))))?,
        );
    }
    Ok(setup)
}

impl Args for SetupArgs {
    fn augment_args(command: clap::Command) -> clap::Command {
        with_setup(command, true, games())
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for SetupArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self { setup: read_setup(matches)?.expect("it is required") })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The same for a command that asks for the game if none is given.
#[derive(Debug)]
pub(crate) struct AskedSetup {
    pub(crate) setup: Option<Setup>,
}

impl Args for AskedSetup {
    fn augment_args(command: clap::Command) -> clap::Command {
        with_setup(command, false, format!("{} [default: you are asked]", games()))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for AskedSetup {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self { setup: read_setup(matches)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl SetupArgs {
    /// The game with its options.
    pub(crate) const fn setup(&self) -> Setup {
        self.setup
    }

    /// The game after a list of moves.
    pub(crate) fn after(&self, moves: &str) -> Result<Match, Failure> {
        let mut game = Match::new(self.setup);
        for (index, text) in moves.split_ascii_whitespace().enumerate() {
            game.play_next(text).map_err(|refusal| {
                Failure::Usage(format!("--moves: move {} ({text}): {}", index + 1, refusal.long()))
            })?;
        }
        Ok(game)
    }
}

/// Who plays for the computer.
#[derive(Debug, Args)]
pub(crate) struct OpponentArgs {
    /// How strong it plays, 1 to 9 [default: 9, with a second for a move]
    #[arg(long, value_name = "N", value_parser = level, group = "strength")]
    level: Option<Level>,
    /// Instead of a level: nodes searched for a move
    #[arg(long, value_name = "N", group = "strength")]
    nodes: Option<u64>,
    /// The same under the name used for Blokus: simulations for a move
    #[arg(long, value_name = "N", group = "strength")]
    sims: Option<u64>,
    /// Instead of a level: milliseconds for a move
    #[arg(long, value_name = "N", group = "strength")]
    time_ms: Option<u32>,
    /// Instead of a level: what a board does in this many board seconds
    #[arg(long, value_name = "X", value_parser = board_millis, group = "strength")]
    board_seconds: Option<u32>,
    /// Instead of the search: a bot by its name (corvid bots GAME lists them)
    #[arg(
        long,
        value_name = "NAME",
        value_parser = BOT,
        hide_possible_values = true,
        group = "strength"
    )]
    bot: Option<String>,
    /// Think as this board does: its memory, and its speed for --board-seconds
    #[arg(
        long,
        value_name = "NAME",
        value_parser = BOARD,
        hide_possible_values = true,
        default_value = LM3S6965EVB.name
    )]
    board: Profile,
    /// Memory for the search in KB [default: what the board has for it]
    #[arg(long, value_name = "KB")]
    memory: Option<usize>,
    /// Makes its random choices reproducible
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

impl OpponentArgs {
    /// Whether a level, a budget or a bot was chosen.
    pub(crate) const fn is_given(&self) -> bool {
        self.level.is_some()
            || self.bot.is_some()
            || self.nodes.is_some()
            || self.sims.is_some()
            || self.time_ms.is_some()
            || self.board_seconds.is_some()
    }

    /// The one that was chosen, or else level 9.
    pub(crate) fn opponent(&self, kind: GameKind) -> Result<AnyOpponent, Failure> {
        self.opponent_or(kind, Level::MAX)
    }

    /// The one that was chosen, or else this level.
    pub(crate) fn opponent_or(&self, kind: GameKind, usual: Level) -> Result<AnyOpponent, Failure> {
        if let Some(name) = &self.bot {
            return bot(kind, name).map(Opponent::Bot).map_err(Failure::Usage);
        }
        let limit = (self.nodes.or(self.sims).map(Limit::Nodes))
            .or(self.time_ms.map(Limit::Millis))
            .or(self.board_seconds.map(|millis| board_limit(&self.board, millis)));
        Ok(match limit {
            Some(limit) => Opponent::Limit(limit),
            None => Opponent::Level(self.level.unwrap_or(usual)),
        })
    }

    /// Memory for the search, all zeros.
    pub(crate) fn memory(&self) -> Result<SearchMemory, Failure> {
        memory(self.memory.unwrap_or(self.board.memory_kb))
    }

    /// The seed, or one that differs from run to run.
    pub(crate) fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(|| {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            now.map_or(0, |since| since.as_nanos() as u64)
        })
    }
}

#[derive(Debug, Args)]
pub(crate) struct SimArgs {
    /// The board to simulate: the Pico, or the LM3S6965 Evaluation Board, which saves nothing
    #[arg(long, value_enum, value_name = "BOARD", default_value = "pico")]
    pub(crate) board: BoardArg,
    /// How many times as fast as the board [default: 1]
    #[arg(
        long,
        value_name = "X",
        value_parser = speed,
        default_value = "1",
        hide_default_value = true,
        conflicts_with_all = ["script", "screenshot", "animation", "pictures"]
    )]
    pub(crate) speed: f64,
    /// Makes the random choices of bots and levels reproducible
    #[arg(long, value_name = "S")]
    pub(crate) seed: Option<u64>,
    /// Keep games, settings and statistics in this file, as the board does in its flash [default:
    /// corvid/saves.bin in your data folder; nothing without a terminal]
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
    /// Start a new device and save nothing
    #[arg(long, conflicts_with = "save")]
    pub(crate) no_save: bool,
    /// Offer the serial port as a pseudo-terminal
    #[arg(long)]
    pub(crate) pty: bool,
    /// Run without a terminal, in the device's own time
    #[arg(long)]
    pub(crate) headless: bool,
    /// What to do and to expect, one step per line; docs/simulator.md lists the steps
    #[arg(long, value_name = "FILE", requires = "headless", conflicts_with = "pty")]
    pub(crate) script: Option<PathBuf>,
    /// Where the script's golden pictures are [default: the folder golden beside the script's]
    #[arg(long, value_name = "DIR", requires = "script")]
    pub(crate) golden: Option<PathBuf>,
    /// Write what the display shows at the end
    #[arg(long, value_name = "FILE.png", requires = "headless", conflicts_with = "pty")]
    pub(crate) screenshot: Option<PathBuf>,
    /// Write everything that the display showed, as an animated PNG
    #[arg(long, value_name = "FILE.png", requires = "headless", conflicts_with = "pty")]
    pub(crate) animation: Option<PathBuf>,
    /// Write a picture of every screen and exit
    #[arg(long, value_name = "DIR", conflicts_with_all = ["headless", "pty", "save"])]
    pub(crate) pictures: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    pub(crate) setup: AskedSetup,
    /// The colour you play, or your place in the turn order: first or 1, second or 2. Also: all (no
    /// computer), none (watch it play itself) [default: first]
    #[arg(long, value_name = "C")]
    pub(crate) color: Option<String>,
    /// The players' names in the order of the colours, or only those of the people, up to 20
    /// characters each [default: the colours]
    #[arg(long, value_name = "A,B", allow_hyphen_values = true)]
    pub(crate) names: Option<String>,
    #[command(flatten)]
    pub(crate) opponent: OpponentArgs,
}

#[derive(Debug, Args)]
pub(crate) struct GtpArgs {
    #[command(flatten)]
    pub(crate) setup: SetupArgs,
    #[command(flatten)]
    pub(crate) opponent: OpponentArgs,
    /// How Blokus Duo's moves are printed: the covered squares, or the contest's code
    #[arg(long, value_name = "plain|code", default_value = "plain", value_parser = notation)]
    pub(crate) notation: Notation,
}

#[derive(Debug, Args)]
pub(crate) struct IcfptArgs {
    /// Which year's protocol the host speaks
    #[arg(long, value_name = "2014|2013", default_value = "2014", value_parser = dialect)]
    pub(crate) dialect: Dialect,
    /// Play on a socket: connect to a host that listens there, or else wait for one to connect
    #[arg(long, value_name = "HOST:PORT")]
    pub(crate) tcp: Option<String>,
    #[command(flatten)]
    pub(crate) opponent: OpponentArgs,
}

#[derive(Debug, Args)]
pub(crate) struct HostArgs {
    /// Player 1, on (5,5): serial:PORT, corvid:PORT (a Corvid board, which is told to play),
    /// tcp:HOST:PORT, or a command
    #[arg(long, value_name = "PLAYER")]
    pub(crate) player1: String,
    /// Player 2, on (a,a)
    #[arg(long, value_name = "PLAYER")]
    pub(crate) player2: String,
    /// Which year's protocol the players speak
    #[arg(long, value_name = "2014|2013", default_value = "2014", value_parser = dialect)]
    pub(crate) dialect: Dialect,
    /// How many games
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) games: u32,
    /// Who begins: player 1, player 2, or both in turn
    #[arg(long, value_name = "1|2|both", default_value = "1", value_parser = ["1", "2", "both"])]
    pub(crate) first: String,
    /// Append the games to a file
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ConnectArgs {
    /// The board's serial port [default: the one Corvid that is plugged in]. Also
    /// tcp:HOST:PORT, or exec:COMMAND for a GTP engine in its place
    pub(crate) port: Option<String>,
    /// List the serial ports and exit
    #[arg(long)]
    pub(crate) list: bool,
    /// Start this game, with options, as in "dots 3x4" [default: resume the board's game]
    #[arg(long, value_name = "GAME", value_parser = setup)]
    pub(crate) game: Option<Setup>,
    /// The colour you play, or: first, second [default: the colour to move]
    #[arg(long, value_name = "C")]
    pub(crate) color: Option<String>,
    /// How strong the board plays, 1 to 9
    #[arg(long, value_name = "N", value_parser = level)]
    pub(crate) level: Option<Level>,
    /// A GTP engine plays in your place: a command, serial:PORT or tcp:HOST:PORT
    #[arg(long, value_name = "COMMAND")]
    pub(crate) engine: Option<String>,
    /// Play a match against the engine with alternating sides, and print a line for each game
    #[arg(long, requires = "engine")]
    pub(crate) referee: bool,
    /// With --referee: how many games
    #[arg(long, value_name = "N", default_value = "1", requires = "referee")]
    pub(crate) games: u32,
    /// With --referee: append the games to a file
    #[arg(long, value_name = "FILE", requires = "referee")]
    pub(crate) record: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    pub(crate) setup: SetupArgs,
    /// How many plies
    #[arg(value_parser = clap::value_parser!(u32).range(..=corvid_core::game::MAX_PLIES as i64))]
    pub(crate) depth: u32,
    /// Moves to play first
    #[arg(long, value_name = "M1 M2 ...", default_value = "")]
    pub(crate) moves: String,
}

#[derive(Debug, Args)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) setup: SetupArgs,
    /// The position: Othello and Adjacency 64 of X O -, then the side to move (Adjacency: and the
    /// plies left); Dots and Boxes the drawn lines in hexadecimal
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub(crate) position: String,
    /// Also print every optimal move
    #[arg(long)]
    pub(crate) all: bool,
    /// Print the result as JSON instead
    #[arg(long)]
    pub(crate) json: bool,
    /// Memory in KB
    #[arg(long, value_name = "KB", default_value = "65536")]
    pub(crate) memory: usize,
}

#[derive(Debug, Args)]
pub(crate) struct ArenaArgs {
    #[command(flatten)]
    pub(crate) setup: SetupArgs,
    /// A player for each seat: bots by name, level:N, nodes:N, sims:N, time-ms:N, board-seconds:X,
    /// or gtp:COMMAND for another program
    #[arg(long, value_name = "A,B[,C,D]")]
    pub(crate) players: String,
    /// How many games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) games: u32,
    /// The seed of all random choices
    #[arg(long, value_name = "S", default_value = "0")]
    pub(crate) seed: u64,
    /// Random plies before the players take over; each opening is played once from each seat
    #[arg(long, value_name = "K", default_value = "4")]
    pub(crate) openings: u32,
    /// rotations: every player has each seat once per opening; all: every order of the players
    #[arg(long, value_name = "O", default_value = "rotations", value_parser = orders)]
    pub(crate) orders: Orders,
    /// Games played at the same time [default: one for each core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Keep the games and their moves in this file; the same command resumes where it was
    /// interrupted
    #[arg(long, value_name = "F")]
    pub(crate) json: Option<PathBuf>,
    /// Draw the result as a bar chart
    #[arg(long, value_name = "F.svg")]
    pub(crate) plot: Option<PathBuf>,
    /// Players think as this board does: its memory, and its speed for board-seconds:X
    #[arg(
        long,
        value_name = "NAME",
        value_parser = BOARD,
        hide_possible_values = true,
        default_value = LM3S6965EVB.name
    )]
    pub(crate) board: Profile,
    /// Memory for each player's search in KB [default: what the board has for it]
    #[arg(long, value_name = "KB")]
    pub(crate) memory: Option<usize>,
    /// The time of a move for level 9, in milliseconds
    #[arg(long, value_name = "N", default_value = "100")]
    pub(crate) time_ms: u32,
}

impl ArenaArgs {
    pub(crate) fn threads(&self) -> usize {
        threads(self.threads)
    }
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// Files of games, such as WTH_2001.wtb
    #[arg(value_name = "FILE.wtb", required = true)]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct NboardArgs {
    /// Memory in KB
    #[arg(long, value_name = "KB", default_value = "65536")]
    pub(crate) memory: usize,
}

#[derive(Debug, Args)]
pub(crate) struct ReproduceArgs {
    #[arg(
        value_name = "SEED-TABLE",
        help = format!("Only one table: {}", crate::reproduce::tables())
    )]
    pub(crate) table: Option<String>,
    /// The seed of all random choices
    #[arg(long, value_name = "S", default_value = "0")]
    pub(crate) seed: u64,
    /// Games played at the same time [default: one for each core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

impl ReproduceArgs {
    pub(crate) fn threads(&self) -> usize {
        threads(self.threads)
    }
}

/// As many as requested, or one for each core.
fn threads(asked: Option<u16>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    asked.map_or_else(cores, usize::from)
}

/// The bot of this name.
pub(crate) fn bot(kind: GameKind, name: &str) -> Result<Bot, String> {
    Bot::from_name(kind, name).ok_or_else(|| {
        let (name, names) = (name.escape_debug(), bot_names(kind));
        format!("{kind} has no bot '{name}'; there are {names}")
    })
}

/// The words for a place in the turn order; its number serves too.
const ORDER: [&str; MAX_PLAYERS] = ["first", "second", "third", "fourth"];

/// The places in the turn order, one for each person at the board.
pub(crate) fn order(game: &Match) -> &'static [&'static str] {
    &ORDER[..game.setup().people().min(ORDER.len())]
}

/// The player of this colour, or with this place in the turn order: `black`, `second`, `2`.
pub(crate) fn color(game: &Match, text: &str) -> Result<Player, String> {
    let order = order(game);
    let number = text.parse().ok().and_then(|number: usize| number.checked_sub(1));
    let place = order.iter().position(|word| word.eq_ignore_ascii_case(text));
    let place = place.or(number).filter(|place| *place < order.len());
    if let Some(place) = place {
        let begins = game.start().get().turn().index();
        return Ok(Player::new((begins + place) % game.colors().len()).unwrap_or(Player::FIRST));
    }
    player_named(game.colors(), text).ok_or_else(|| {
        let colors = game.colors().iter().map(|color| color.name);
        let names: Vec<_> = colors.chain(order.iter().copied()).collect();
        format!("no colour '{}'; there are {}", text.escape_debug(), names.join(", "))
    })
}

/// The bots of a game in a line.
pub(crate) fn bot_names(kind: GameKind) -> String {
    let names: Vec<_> = Bot::all(kind).map(Bot::name).collect();
    names.join(", ")
}

/// An exact budget, as the options `--nodes`, `--sims`, `--time-ms` and `--board-seconds` give it.
pub(crate) fn limit(unit: &str, amount: &str, board: &Profile) -> Result<Limit, String> {
    let number = || amount.parse::<u64>().map_err(|_| "a whole number is missing".to_owned());
    Ok(match unit {
        "time-ms" => Limit::Millis(u32::try_from(number()?).map_err(|_| "too long".to_owned())?),
        "board-seconds" => board_limit(board, board_millis(amount)?),
        _ => Limit::Nodes(number()?),
    })
}

#[derive(Debug, Args)]
pub(crate) struct TuneArgs {
    /// blokus-duo, blokus-classic or othello
    #[arg(value_parser = GAME, hide_possible_values = true)]
    pub(crate) game: GameKind,
    /// Blokus: how many times to play games and learn from them [default: 4]
    #[arg(long, value_name = "G")]
    pub(crate) generations: Option<u32>,
    /// Games of self-play: in a generation of Blokus [default: 400], or in all for Othello
    /// [default: 40000, and none with --wthor]
    #[arg(long, value_name = "N")]
    pub(crate) games: Option<u32>,
    /// Blokus: simulations for a move [default: 400]
    #[arg(long, value_name = "N")]
    pub(crate) sims: Option<u64>,
    /// Othello: WTHOR files with games to learn from, or folders of them
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub(crate) wthor: Vec<PathBuf>,
    /// Makes the result reproducible
    #[arg(long, value_name = "S", default_value = "1")]
    pub(crate) seed: u64,
    /// Where the table of Blokus goes [default: standard output], or the folder where Othello's
    /// small.bin and large.bin go [default: only the report is printed]
    #[arg(long, value_name = "PATH")]
    pub(crate) out: Option<PathBuf>,
    /// Keeps what has been played and labelled: when started again with the same file, it resumes
    /// where it stopped
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    /// Othello: a few seconds instead of half an hour, to try the tool
    #[arg(long)]
    pub(crate) quick: bool,
}

/// So many KB for a search; an error where the machine does not have them.
pub(crate) fn memory(kilobytes: usize) -> Result<SearchMemory, Failure> {
    let slots = kilobytes.saturating_mul(1024 / size_of::<u64>());
    SearchMemory::new(slots).map_err(|_| {
        Failure::Other("there is not that much memory; take a smaller --memory".into())
    })
}

/// What a board does in so many milliseconds.
fn board_limit(board: &Profile, millis: u32) -> Limit {
    let reference = u64::from(millis) * u64::from(board.speed) / 100;
    Limit::BoardMillis(reference.try_into().unwrap_or(u32::MAX))
}

pub(crate) fn profile(text: &str) -> Result<Profile, String> {
    Profile::named(text).ok_or_else(|| {
        let names = PROFILES.map(|profile| profile.name).join(", ");
        format!("the boards are {names}")
    })
}

pub(crate) fn game(text: &str) -> Result<GameKind, String> {
    GameKind::from_name(text).ok_or_else(|| format!("the games are {}", games()))
}

/// The games that have a solver.
pub(crate) fn solved() -> impl Iterator<Item = &'static str> {
    let solved = |kind: &GameKind| kind.info().solver != Solver::None;
    GameKind::ALL.into_iter().filter(solved).map(GameKind::name)
}

/// A game that has a solver.
pub(crate) fn solved_game(text: &str) -> Result<GameKind, String> {
    let kind = game(text)?;
    if kind.info().solver == Solver::None {
        let games = solved().collect::<Vec<_>>().join(", ");
        return Err(format!("it can't be solved; these can: {games}"));
    }
    Ok(kind)
}

/// The games in a line.
fn games() -> String {
    GameKind::ALL.map(GameKind::name).join(", ")
}

fn orders(text: &str) -> Result<Orders, String> {
    let named = |orders: &Orders| orders.name() == text;
    let orders = [Orders::Rotations, Orders::All].into_iter().find(named);
    orders.ok_or_else(|| "the orders are rotations or all".into())
}

fn notation(text: &str) -> Result<Notation, String> {
    match text {
        "plain" => Ok(Notation::Plain),
        "code" => Ok(Notation::Code),
        _ => Err("the notation is plain or code".into()),
    }
}

fn setup(text: &str) -> Result<Setup, String> {
    let mut words = text.split_ascii_whitespace();
    let usual = Setup::usual(game(words.next().unwrap_or(""))?);
    words.try_fold(usual, |setup, word| {
        setup.with_word(word).ok_or_else(|| format!("{} has no option '{word}'", setup.kind()))
    })
}

fn dialect(text: &str) -> Result<Dialect, String> {
    Dialect::from_name(text).ok_or_else(|| "the dialects are 2014 and 2013".into())
}

fn board_millis(text: &str) -> Result<u32, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..=1e6).contains(seconds));
    seconds.map(|seconds| (seconds * 1000.0) as u32).ok_or_else(|| "a number of seconds".into())
}

pub(crate) fn level(text: &str) -> Result<Level, String> {
    text.parse().ok().and_then(Level::new).ok_or_else(|| "a level is 1 to 9".into())
}

fn speed(text: &str) -> Result<f64, String> {
    let speed = text.parse::<f64>().ok().filter(|speed| (0.01..=1000.0).contains(speed));
    speed.ok_or_else(|| "a speed is 0.01 to 1000".into())
}
