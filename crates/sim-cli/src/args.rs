//! What may be typed. The texts here are what `--help` shows.

use crate::duration::Duration;
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use sim_live::Speed;
use sim_run::scenario::Override;
use sim_sweep::Shard;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  sim-cli scenarios                                            what came along
  sim-cli run scenarios/swarm-30.json                          ten simulated minutes of 30 robots
  sim-cli run scenarios/swarm-30.json --set agents.count=20    the same with 20
  sim-cli check my-scenario.json                               would it run, what is promised?

Exit status:
  0    done
  1    it failed while running: a file could not be written, a number stopped being finite
  2    the input is wrong: a flag, a scenario, a folder that already holds a run
  3    --accept was given and an acceptance line is not met
  130  Ctrl-C (SIGINT) stopped it; 143: SIGTERM did";

const RUN_EXAMPLES: &str = "\
Examples:
  sim-cli run scenarios/swarm-30.json
  sim-cli run scenarios/swarm-30.json --duration 60s --seed 7 --out out/one-minute
  sim-cli run scenarios/swarm-30.json --set agents.count=20 --set safety.filter=orca
  sim-cli run scenarios/swarm-30.json --runs 200 --no-trace --accept
  sim-cli run scenarios/swarm-30.json --runs 200 --no-trace --resume    goes on after Ctrl-C or a kill
  sim-cli run scenarios/swarm-30.json --run-index 17 --out out/seventeen

Tables of the mat are in mm, s and rad, from its upper left corner: x to the right, y down.
Tables of the road are in m, s and rad: x to the right, y up.
Results go to standard output, progress and messages to standard error.

Ctrl-C ends the run cleanly: finished runs stay whole, the others are marked as not complete.
A second Ctrl-C aborts.

Exit status: 0 done, 1 failed while running, 2 wrong input, 3 --accept and not accepted,
130 stopped by Ctrl-C (SIGINT), 143 by SIGTERM.";

const RENDER_EXAMPLES: &str = "\
Examples:
  sim-cli render out/swarm-30 --at 12.5 --out frame.png
  sim-cli render out/swarm-30 --at 12.5 --out frame.svg --theme light --hide limits,ids
  sim-cli render out/swarm-30 --gif swarm.gif --from 10 --to 20
  sim-cli render out/swarm-30 --mp4 swarm.mp4 --fps 60 --speed 4
  sim-cli render out/cubes-tour --wav cubes.wav

A picture shows the row of the tables that is nearest to its time; films go smoothly from row to
row. MP4 needs ffmpeg on the machine.

Exit status: 0 done, 1 failed while writing, 2 wrong input: a flag, a folder, a table,
130 stopped by Ctrl-C (SIGINT), 143 by SIGTERM.";

const SCENARIOS_EXAMPLES: &str = "\
Examples:
  sim-cli scenarios
  sim-cli run @swarm-30

The program holds these scenarios. @NAME stands for a scenario file in run, check, explain, streams
and in sweep files.";

const NEW_EXAMPLES: &str = "\
Examples:
  sim-cli new mine.json
  sim-cli new cars/mine.json --from @car-loop

The scenario gets the name of its file. JSON has no comments: the keys are explained on standard
output, and scenario.schema.json, which is written beside the file, lets editors explain them.";

const DOCS_EXAMPLES: &str = "\
Examples:
  sim-cli docs measures --world mat
  sim-cli docs keys | grep noise
  sim-cli docs events --format json";

const CHECK_EXAMPLES: &str = "\
Examples:
  sim-cli check scenarios/swarm-*.json
  sim-cli check my-scenario.json --set agents.count=40
  sim-cli check my-scenario.json --format json
  sim-cli check out/swarm-30                       are its files as they were written?

Exit status: 0 if all scenarios would run and all files match their checksums, 2 otherwise.";

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  sim-cli explain scenarios/swarm-30.json
  sim-cli explain scenarios/swarm-30.json --set agents.count=20 > twenty.json

Keys end in their unit: _mm, _s, _mm_s (mm/s), _mm_s2 (mm/s2), _rad_s (rad/s), _hz, _per_s (1/s).";

const STREAMS_EXAMPLES: &str = "\
Examples:
  sim-cli streams scenarios/swarm-30.json
  sim-cli streams scenarios/car-loop.json --format json

An output stream becomes a table of the same name. The rows of an input stream come from
inputs-STREAM.csv (run --inputs DIR, or the scenario's key inputs) or from a program.";

const SCHEMA_EXAMPLES: &str = "\
Examples:
  sim-cli schema --write scenarios/scenario.schema.json

A scenario that names it, as in \"$schema\": \"./scenario.schema.json\", is completed and checked by
editors while it is typed.";

const REPLAY_EXAMPLES: &str = "\
Examples:
  sim-cli replay out/swarm-30
  sim-cli replay out/swarm-30 --out talk/swarm.html --overwrite
  sim-cli replay out/swarm-30 out/faster

The page is one file that needs no network and no server. It plays in any browser of 2023 or later.
Of two runs of one world it shows both at the same time, and where they differ first.
Of a batch (--runs), the page lists the runs and plays the closest calls of each. Of a sweep it is
the report, made again.

Exit status: 0 done, 1 a file could not be read or written, 2 the folder holds no run that can be shown.";

const SWEEP_EXAMPLES: &str = "\
Examples:
  sim-cli sweep sweeps/how-many-robots.json --plan
  sim-cli sweep sweeps/how-many-robots.json
  sim-cli sweep sweeps/how-many-robots.json --resume       goes on after Ctrl-C, a kill, a full disk
  sim-cli sweep sweeps/filters.json --shard 3/8 --out DIR  the fourth of eight parts
  sim-cli sweep sweeps/filters.json --merge --out DIR      all parts together

The same file gives the same numbers with any number of jobs or shards, in one go or in many.
Each run of runs.csv can be repeated alone: worst.csv and failures.csv have the commands.

Exit status: 0 done, 1 failed while running, 2 wrong input, 130 stopped by Ctrl-C (SIGINT),
143 by SIGTERM.";

const LIVE_EXAMPLES: &str = "\
Examples:
  sim-cli live scenarios/cubes-tour.json
  sim-cli live @swarm-30 --speed 2 --duration 24h --no-trace
  sim-cli live scenarios/swarm-30.json --listen 192.168.7.9:8123    for a phone in the same network
  sim-cli live @cubes-link --link dbus -- python3 my_program.py     a program for real toio cubes
  sim-cli live @cubes-link --link noble -- node my_program.js

Open the address that is printed. It has a token: those who have the address can take part.
On a terminal: p pauses, s makes one step, r begins again, n with other draws, + and - change the
speed, q ends; each with the enter key.

What comes in is recorded: sim-cli run DIR/scenario.json repeats the session.

Exit status: 0 done, 1 failed while running, 2 wrong input,
130 stopped by Ctrl-C (SIGINT), 143 by SIGTERM; the run folder is complete then, too.";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  sim-cli completions bash > ~/.local/share/bash-completion/completions/sim-cli
  sim-cli completions zsh > ~/.zfunc/_sim-cli
  sim-cli completions fish > ~/.config/fish/completions/sim-cli.fish";

/// Simulates small robots: swarms among walking feet, toio cubes, cars with lidar.
///
/// A scenario file describes the robots, their surroundings and the length of a run. A run writes a folder of tables and
/// figures. The same scenario, seed and run index give the same bytes every time. Names of keys and columns end in their unit.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES, max_term_width = 100, subcommand_required = true, arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a scenario, once or many times
    Run(RunArgs),
    /// List the scenarios that came along with the program
    Scenarios(ScenariosArgs),
    /// Write a scenario to start from, and explain its keys
    New(NewArgs),
    /// Check scenarios without running them, and folders of results against their checksums
    Check(CheckArgs),
    /// Draw a run: a picture, a film, or what its cubes played
    Render(RenderArgs),
    /// Print the JSON Schema of scenario files, or of sweep files, for editors
    Schema(SchemaArgs),
    /// Print a scenario with every default written out
    Explain(ExplainArgs),
    /// List the output and input streams of a scenario's runs: columns, units, ranges
    Streams(StreamsArgs),
    /// Print the table of all measures, of all keys of scenarios, or of all kinds of events
    Docs(DocsArgs),
    /// Make one HTML file that plays a run: scrub, look, measure
    Replay(ReplayArgs),
    /// Run a scenario against the wall clock, with a page on which people take part
    Live(LiveArgs),
    /// Run a scenario in many variations, many times each, and report what can be said of them
    Sweep(SweepArgs),
    /// Print a script with which a shell completes commands and flags
    Completions(CompletionsArgs),
}

impl Command {
    /// How results and messages are written.
    pub fn report(&self) -> ReportArgs {
        match self {
            Self::Run(args) => args.report,
            Self::Check(args) => args.report,
            Self::Render(args) => args.report,
            Self::Replay(args) => args.report,
            Self::Sweep(args) => args.report,
            Self::Live(args) => args.report,
            Self::Scenarios(args) => ReportArgs::printing(args.format),
            Self::New(args) => ReportArgs::printing(args.format),
            Self::Docs(args) => ReportArgs::printing(args.format),
            Self::Explain(args) => ReportArgs::printing(args.format),
            Self::Streams(args) => ReportArgs::printing(args.format),
            Self::Schema(_) | Self::Completions(_) => ReportArgs::printing(Format::Text),
        }
    }
}

/// How results and messages are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For programs: one JSON object a line, results on standard output, warnings and errors on standard error
    Json,
}

impl Format {
    /// The format that was asked for on a command line that is otherwise wrong.
    pub fn guess(words: impl Iterator<Item = OsString>) -> Self {
        let words: Vec<OsString> = words.collect();
        let apart = words.windows(2).any(|pair| pair[0] == "--format" && pair[1] == "json");
        if apart || words.iter().any(|word| word == "--format=json") { Self::Json } else { Self::Text }
    }
}

/// Reads a number that counts something, or that names one of many.
fn whole_number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "write a whole number that is not negative".to_owned())
}

fn token(text: &str) -> Result<String, String> {
    let is_word = (16..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_word.then(|| text.to_owned()).ok_or_else(|| "write 16 to 64 letters and digits".to_owned())
}

/// What browsers call a site: scheme, host and port, without a path.
fn origin(text: &str) -> Result<String, String> {
    let site = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_site = site.is_some_and(|site| !site.is_empty() && !site.contains(['/', '*', '?', '#', '@', ' ']));
    is_site.then(|| text.to_owned()).ok_or_else(|| "write a site without a path, as in https://example.org".to_owned())
}

/// How a command writes results and messages: the same flags in all commands that do work.
#[derive(Clone, Copy, Debug, Args)]
pub struct ReportArgs {
    /// How results and messages are written; json shows no progress
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,

    /// Say nothing but errors
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Report the work and all measures; twice for each change on the disk
    #[arg(short, long, action = ArgAction::Count)]
    pub verbose: u8,
}

impl ReportArgs {
    /// Those of commands that only print.
    fn printing(format: Format) -> Self {
        Self { format, quiet: false, verbose: 0 }
    }
}

/// Flags of `run`.
#[derive(Debug, Args)]
#[command(after_help = RUN_EXAMPLES)]
pub struct RunArgs {
    /// The scenario to run: a file, @NAME of one that came along, or - for standard input
    #[arg(value_name = "SCENARIO.json")]
    pub scenario: PathBuf,

    /// Length of the run in steps, instead of the scenario's; a second has step_hz of them, 60 by default
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole_number)]
    pub steps: Option<u64>,

    /// Length of the run as a time, instead of the scenario's: 60s, 90, 1.5min, 2h; the nearest whole number of steps
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, conflicts_with = "steps")]
    pub duration: Option<Duration>,

    /// Seed of everything random, instead of the scenario's
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = whole_number)]
    pub seed: Option<u64>,

    /// Number of runs: 0 to R-1, which differ in nothing but their random draws
    #[arg(long, value_name = "R", default_value_t = 1, allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub runs: u64,

    /// Folder with files of inputs (inputs-STREAM.csv), such as that of a run that had some; takes the place of the scenario's
    #[arg(long, value_name = "DIR")]
    pub inputs: Option<PathBuf>,

    /// Make run I of a batch alone, bit for bit as the batch makes it
    #[arg(long, value_name = "I", conflicts_with = "runs", allow_negative_numbers = true, value_parser = whole_number)]
    pub run_index: Option<u64>,

    /// Threads: each makes a run, or helps with the sonars of another one [default: number of cores]
    #[arg(long, value_name = "J", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub jobs: Option<u32>,

    /// Folder for the results [default: out/NAME, by the scenario's name]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Replace a run that the folder already holds; files that are not a run's stay
    #[arg(long)]
    pub overwrite: bool,

    /// Go on with the batch that the folder holds; begin it if there is none
    #[arg(long, conflicts_with_all = ["overwrite", "run_index"])]
    pub resume: bool,

    /// Change a value of the scenario, as in agents.count=20; may be given many times
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<Override>,

    /// Steps between two rows of a table, instead of the scenario's; the figures see every step all the same
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = whole_number)]
    pub trace_every: Option<u64>,

    /// Write no tables, only the figures
    #[arg(long, conflicts_with = "trace_every")]
    pub no_trace: bool,

    /// Make the page of the result when all is done, and show it in the browser
    #[arg(long)]
    pub open: bool,

    /// End with status 3 if an acceptance line is not met: a distance, a limit, the edge of the mat, a finite number
    #[arg(long)]
    pub accept: bool,

    /// How results and messages are written.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// Flags of `live`.
#[derive(Debug, Args)]
#[command(after_help = LIVE_EXAMPLES)]
pub struct LiveArgs {
    /// The scenario to run: a file, @NAME of one that came along, or - for standard input
    #[arg(value_name = "SCENARIO.json")]
    pub scenario: PathBuf,

    /// Simulated seconds a second, 0.1 to 50, or max
    #[arg(long, value_name = "X", default_value = "1")]
    pub speed: Speed,

    /// Address and port of the page; port 0 is any free one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:0")]
    pub listen: SocketAddr,

    /// Serve no page
    #[arg(long, conflicts_with = "listen")]
    pub no_page: bool,

    /// Show the page in the browser
    #[arg(long, conflicts_with = "no_page")]
    pub open: bool,

    /// Door for programs that drive devices of the world, such as toio cubes; may be given many times
    #[arg(long, value_enum, value_name = "DOOR")]
    pub link: Vec<LinkKind>,

    /// Token of the page's address instead of a random one: 16 to 64 letters and digits
    #[arg(long, value_name = "WORD", value_parser = token, conflicts_with = "no_page")]
    pub token: Option<String>,

    /// Origin of another site whose pages may drive devices by --link web: scheme, host and port; may be given many times
    #[arg(long, value_name = "ORIGIN", value_parser = origin, requires = "link")]
    pub allow_origin: Vec<String>,

    /// How the messages of --link osc are written
    #[arg(long, value_enum, value_name = "DIALECT", default_value_t = OscDialect::Old)]
    pub osc: OscDialect,

    /// Port of this machine that --link osc hears
    #[arg(long, value_name = "PORT", default_value_t = 3334)]
    pub osc_listen: u16,

    /// Port of this machine that --link osc sends to
    #[arg(long, value_name = "PORT", default_value_t = 3333)]
    pub osc_send: u16,

    /// Print the environment that a program needs, for one that is started by hand
    #[arg(long, requires = "link")]
    pub print_env: bool,

    /// Program with its arguments, which the doors of --link are for: the session ends with it, and with its exit status
    #[arg(last = true, value_name = "COMMAND", requires = "link")]
    pub command: Vec<OsString>,

    /// Length of the run in steps, instead of the scenario's
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole_number)]
    pub steps: Option<u64>,

    /// Length of the run as a time, instead of the scenario's: 60s, 90, 1.5min, 2h
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, conflicts_with = "steps")]
    pub duration: Option<Duration>,

    /// Seed of everything random, instead of the scenario's
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = whole_number)]
    pub seed: Option<u64>,

    /// Folder with files of inputs (inputs-STREAM.csv) that come in beside those of clients; takes the place of the scenario's
    #[arg(long, value_name = "DIR")]
    pub inputs: Option<PathBuf>,

    /// Folder for the results [default: out/NAME, by the scenario's name]; runs after a reset get DIR-2 and so on
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Replace a run that the folder already holds; files that are not a run's stay
    #[arg(long)]
    pub overwrite: bool,

    /// Change a value of the scenario, as in agents.count=20; may be given many times
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<Override>,

    /// Steps between two rows of a table, instead of the scenario's
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = whole_number)]
    pub trace_every: Option<u64>,

    /// Write no tables, only the figures and what came in
    #[arg(long, conflicts_with = "trace_every")]
    pub no_trace: bool,

    /// How results and messages are written.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// A door for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LinkKind {
    /// A private D-Bus with BlueZ on it: bleak, toio.py, btleplug, noble with its D-Bus bindings
    Dbus,
    /// Programs with noble: Node reads a module first, and for NOBLE_WEBSOCKET there is port 2846
    Noble,
    /// Pages that use Web Bluetooth, by a script that the page's server has, and scripts, by a WebSocket
    Web,
    /// OSC over UDP, as bridges for Processing, Max and TouchDesigner have it; takes all cubes that are free
    Osc,
    /// As dbus, and time stands while programs work: Python programs in virtual time, the same in every run
    Lockstep,
}

/// How OSC messages are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OscDialect {
    /// As the sketches for Processing read them: the number of the host first
    Old,
    /// As the bridge RamarkoB/toio sends them since 2025
    New,
}

/// Flags of `scenarios`.
#[derive(Debug, Args)]
#[command(after_help = SCENARIOS_EXAMPLES)]
pub struct ScenariosArgs {
    /// How the list is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// Flags of `new`.
#[derive(Debug, Args)]
#[command(after_help = NEW_EXAMPLES)]
pub struct NewArgs {
    /// The file to write; one that is there is never replaced
    #[arg(value_name = "FILE.json")]
    pub file: PathBuf,

    /// The scenario to copy, one of those that came along [default: a swarm of ten with the keys that are changed first]
    #[arg(long, value_name = "@NAME")]
    pub from: Option<String>,

    /// How the result and messages are written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// Flags of `docs`.
#[derive(Debug, Args)]
#[command(after_help = DOCS_EXAMPLES)]
pub struct DocsArgs {
    /// Which table
    #[arg(value_enum)]
    pub table: DocsTable,

    /// Only what one world has: mat, road or sea [default: all]
    #[arg(long, value_name = "NAME")]
    pub world: Option<String>,

    /// How the table is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// Tables that `docs` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DocsTable {
    /// What runs are judged by: world, name, unit, limit, how runs are put together, meaning
    Measures,
    /// Keys of scenarios: default, what is allowed, meaning
    Keys,
    /// Kinds of events in events.csv, in all worlds
    Events,
}

/// Flags of `render`.
#[derive(Debug, Args)]
#[command(after_help = RENDER_EXAMPLES)]
pub struct RenderArgs {
    /// The folder of a run
    #[arg(value_name = "RUN_DIR")]
    pub run: PathBuf,

    /// Time of the picture in s [default: the middle of the run]
    #[arg(long, value_name = "T", allow_negative_numbers = true, conflicts_with_all = ["gif", "mp4", "wav"])]
    pub at: Option<f64>,

    /// File for the picture, .png or .svg [default: RUN_DIR/frame.png]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["gif", "mp4", "wav"])]
    pub out: Option<PathBuf>,

    /// Draw a chart in place of a moment; view.json of the run lists them
    #[arg(long, value_name = "NAME", conflicts_with_all = ["gif", "mp4", "wav", "small", "hide", "show"])]
    pub chart: Option<String>,

    /// Make a GIF film
    #[arg(long, value_name = "FILE", conflicts_with_all = ["mp4", "wav"])]
    pub gif: Option<PathBuf>,

    /// Make an MP4 film, by ffmpeg
    #[arg(long, value_name = "FILE", conflicts_with = "wav")]
    pub mp4: Option<PathBuf>,

    /// Write what the cubes played
    #[arg(long, value_name = "FILE")]
    pub wav: Option<PathBuf>,

    /// Start of a film or sound in s of the run [default: its start]
    #[arg(long, value_name = "T")]
    pub from: Option<f64>,

    /// End of a film or sound in s of the run [default: its end]
    #[arg(long, value_name = "T")]
    pub to: Option<f64>,

    /// Frames of a film in a second [default: 10 for GIF, 30 for MP4]
    #[arg(long, value_name = "N")]
    pub fps: Option<f64>,

    /// Seconds of the run in a second of the film
    #[arg(long, value_name = "X", default_value_t = 1.0)]
    pub speed: f64,

    /// Width in px; words, lines and mat grow with it [default: 1280, 720 for GIF]
    #[arg(long, value_name = "PX")]
    pub size: Option<f64>,

    /// Pixels for each px: 2 for dense screens and for print
    #[arg(long, value_name = "X", default_value_t = 1.0)]
    pub scale: f64,

    /// Write a PNG with 255 colours, a third as large
    #[arg(long, conflicts_with_all = ["gif", "mp4", "wav"])]
    pub small: bool,

    /// For dark rooms or for paper
    #[arg(long, value_enum, default_value_t = ThemeName::Dark)]
    pub theme: ThemeName,

    /// Leave out layers, as in limits,ids; view.json of the run lists them, and grid and panel are there in every picture
    #[arg(long, value_name = "LAYER", value_delimiter = ',')]
    pub hide: Vec<String>,

    /// Show layers that are left out otherwise, as in wishes
    #[arg(long, value_name = "LAYER", value_delimiter = ',')]
    pub show: Vec<String>,

    /// Replace a file that is already there
    #[arg(long)]
    pub overwrite: bool,

    /// How results and messages are written.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// Colours of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ThemeName {
    /// For dark rooms and screens
    Dark,
    /// For paper and bright rooms
    Light,
}

/// Flags of `check`.
#[derive(Debug, Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub struct CheckArgs {
    /// The scenarios to check (files, @NAME, - for standard input), or folders of runs, batches and sweeps; JSON Schemas are skipped
    #[arg(value_name = "SCENARIO.json|FOLDER", required = true)]
    pub paths: Vec<PathBuf>,

    /// Change a value of the scenarios before they are checked, as in agents.count=20; may be given many times
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<Override>,

    /// How results and messages are written.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// Flags of `explain`.
#[derive(Debug, Args)]
#[command(after_help = EXPLAIN_EXAMPLES)]
pub struct ExplainArgs {
    /// The scenario to print: a file, @NAME of one that came along, or - for standard input
    #[arg(value_name = "SCENARIO.json")]
    pub scenario: PathBuf,

    /// Change a value of the scenario, as in agents.count=20; may be given many times
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<Override>,

    /// How warnings and errors are written; the scenario is JSON either way
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// Flags of `streams`.
#[derive(Debug, Args)]
#[command(after_help = STREAMS_EXAMPLES)]
pub struct StreamsArgs {
    /// The scenario whose streams are listed: a file, @NAME of one that came along, or - for standard input
    #[arg(value_name = "SCENARIO.json")]
    pub scenario: PathBuf,

    /// Change a value of the scenario, as in agents.count=20; may be given many times
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<Override>,

    /// How the list and messages are written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// Flags of `schema`.
#[derive(Debug, Args)]
#[command(after_help = SCHEMA_EXAMPLES)]
pub struct SchemaArgs {
    /// Of sweep files instead
    #[arg(long)]
    pub sweep: bool,

    /// Write it to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub write: Option<PathBuf>,
}

/// Flags of `replay`.
#[derive(Debug, Args)]
#[command(after_help = REPLAY_EXAMPLES)]
pub struct ReplayArgs {
    /// Folder of a run, of a batch or of a sweep
    #[arg(value_name = "RUN_DIR")]
    pub run_dir: PathBuf,

    /// Folder of a second run, to be seen beside the first
    #[arg(value_name = "OTHER_RUN_DIR")]
    pub other: Option<PathBuf>,

    /// The file to write [default: replay.html in the folder; of two runs compare.html]
    #[arg(long, value_name = "FILE.html")]
    pub out: Option<PathBuf>,

    /// Replace a file that is there
    #[arg(long)]
    pub overwrite: bool,

    /// How results and messages are written.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// Flags of `sweep`.
#[derive(Debug, Args)]
#[command(after_help = SWEEP_EXAMPLES)]
pub struct SweepArgs {
    /// The sweep to make
    #[arg(value_name = "SWEEP.json")]
    pub sweep: PathBuf,

    /// Folder for the results [default: out/NAME, by the sweep's name]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Runs made at the same time [default: number of cores]
    #[arg(long, value_name = "J", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub jobs: Option<u32>,

    /// Go on with the sweep that the folder holds; begin it if there is none
    #[arg(long, conflicts_with = "overwrite")]
    pub resume: bool,

    /// Replace what the folder already holds; files that are not a sweep's stay
    #[arg(long)]
    pub overwrite: bool,

    /// Print the number of runs, their time and their disk space, without running
    #[arg(long, conflicts_with_all = ["resume", "overwrite", "shard", "merge"])]
    pub plan: bool,

    /// Make part i of N only, i from 0; skip it if it is there
    #[arg(long, value_name = "i/N", conflicts_with_all = ["resume", "overwrite", "merge"])]
    pub shard: Option<Shard>,

    /// Put the parts together
    #[arg(long, conflicts_with_all = ["resume", "overwrite"])]
    pub merge: bool,

    /// How results and messages are written.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// Flags of `completions`.
#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_flags_do_not_contradict_each_other() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_format_is_found_on_a_line_that_is_otherwise_wrong() {
        let guess = |line: &str| Format::guess(line.split(' ').map(OsString::from));
        assert_eq!(guess("run a.json --fast --format json"), Format::Json);
        assert_eq!(guess("run --format=json"), Format::Json);
        assert_eq!(guess("run a.json --format"), Format::Text);
        assert_eq!(guess("run json --format text"), Format::Text);
    }
}
