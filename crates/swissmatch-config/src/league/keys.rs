//! The keys of a league file that no event file has: `[league]` and `[[build]]`.
//!
//! May not: know layers or files.

use std::sync::LazyLock;
use std::time::Duration;

use swiss_system::word::words;

use crate::kind::{Key, entry};
use crate::kind::{choice, line, name, optional, path, player_name, switch, time, whole};
use swissmatch_tournament::setup::PlayerKeys;

/// The ending of a history file that is written as lines of JSON.
const LINES: &str = ".jsonl";

/// Who meets whom in a night.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LeagueFormat {
    /// The builds that are `main` meet all others.
    #[default]
    Gauntlet,
    /// Everybody meets everybody.
    RoundRobin,
    /// A Swiss of `swiss.rounds`.
    Swiss,
}

words!(LeagueFormat {
    Gauntlet => "gauntlet",
    RoundRobin => "round-robin",
    Swiss => "swiss",
});

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeagueKeys {
    pub name: String,
    pub format: LeagueFormat,
    /// Most games of a night.
    pub max_games: Option<u32>,
    /// Most time of a night.
    pub max_time: Option<Duration>,
    /// The file of its history, relative to the league file.
    pub history: String,
    /// The class of the machine; `None`: by its processor and its cores.
    pub machine: Option<String>,
    /// On a shared machine of a CI service, moves have this limit of nodes in place of their time.
    pub shared_nodes: Option<u64>,
}

impl Default for LeagueKeys {
    fn default() -> Self {
        Self {
            name: String::new(),
            format: LeagueFormat::default(),
            max_games: None,
            max_time: None,
            history: "history.sqlite".to_owned(),
            machine: None,
            shared_nodes: None,
        }
    }
}

impl LeagueKeys {
    /// Whether the history is a file of JSON lines instead of a database.
    pub fn has_lines(&self) -> bool {
        self.history.ends_with(LINES)
    }
}

/// A `[[build]]`: the source of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildKeys {
    /// The same every night.
    pub name: String,
    /// An existing program.
    pub path: Option<String>,
    /// The SHA-256 that its program must have, in hexadecimal.
    pub sha256: Option<String>,
    /// A checkout of git from which it is built.
    pub checkout: Option<String>,
    /// The commit that is built.
    pub commit: Option<String>,
    /// How many older commits may stand in for one that cannot be built.
    pub fall_back: Option<u32>,
    /// The command that builds it.
    pub make: Option<String>,
    /// Its rating, if it is an anchor.
    pub elo: Option<i32>,
    /// Whether it meets all others in a gauntlet.
    pub main: bool,
    /// Whether it plays at night; otherwise it is for gates alone.
    pub nights: bool,
    /// Its keys as a player; the command is not known yet.
    pub player: PlayerKeys,
}

impl Default for BuildKeys {
    fn default() -> Self {
        Self {
            name: String::new(),
            path: None,
            sha256: None,
            checkout: None,
            commit: None,
            fall_back: None,
            make: None,
            elo: None,
            main: false,
            nights: true,
            player: PlayerKeys::default(),
        }
    }
}

pub(crate) static LEAGUE_KEYS: LazyLock<Vec<Key<LeagueKeys>>> = LazyLock::new(|| {
    vec![
        entry!("league.name", LeagueKeys.name, name(), "What the league is called.").required(),
        entry!(
            "league.format",
            LeagueKeys.format,
            choice(),
            r#"Who meets whom: "gauntlet" (builds with main = true meet all others), "round-robin", or "swiss" (swiss.rounds)."#,
        ),
        entry!(
            "league.max_games",
            LeagueKeys.max_games,
            optional(whole("a number of games", 1..=1_000_000)),
            "Games of a night at most.",
        ),
        entry!(
            "league.max_time",
            LeagueKeys.max_time,
            optional(time("120m")),
            "Time of a night at most; games under way are finished then.",
        ),
        entry!(
            "league.history",
            LeagueKeys.history,
            path("the name of a file").unless(is_no_history),
            "The history: a SQLite file, or lines of JSON if the name ends in .jsonl.",
        ),
        entry!(
            "league.machine",
            LeagueKeys.machine,
            optional(name()),
            "The class of the machine: nights of different classes are not compared. If left out, its processor and cores.",
        ),
        entry!(
            "league.shared_nodes",
            LeagueKeys.shared_nodes,
            optional(whole("a number of nodes", 1..=1_000_000_000_000)),
            "On a runner that GitHub or GitLab lends, a move has so many nodes, whatever game.time_control says.",
        ),
    ]
});

pub(crate) static BUILD_KEYS: LazyLock<Vec<Key<BuildKeys>>> = LazyLock::new(|| {
    let program = || path("a path, or the name of a program, without control characters");
    vec![
        entry!(
            "build.name",
            BuildKeys.name,
            player_name(),
            "What the build is called, the same every night.",
        )
        .required(),
        entry!(
            "build.path",
            BuildKeys.path,
            optional(program()),
            "A program that is there."
        ),
        entry!(
            "build.sha256",
            BuildKeys.sha256,
            optional(line("a SHA-256 of 64 hexadecimal digits", 64..=64).unless(is_no_hash)),
            "What the program has to be: anything else is refused.",
        ),
        entry!(
            "build.checkout",
            BuildKeys.checkout,
            optional(path("the path of a checkout of git")),
            "A checkout of git from which the program is built.",
        ),
        entry!(
            "build.commit",
            BuildKeys.commit,
            optional(line("a commit, a tag or a branch", 1..=200).unless(is_option)),
            "Which commit of it (HEAD, if left out).",
        ),
        entry!(
            "build.fall_back",
            BuildKeys.fall_back,
            optional(whole("a number of commits", 1..=1_000)),
            "If that commit cannot be built, how many older ones are tried instead, the newest first (none, if left out).",
        ),
        entry!(
            "build.make",
            BuildKeys.make,
            optional(line("a command of the shell", 1..=4096)),
            "The command that builds it in a clean tree of that commit, and puts the program at $OUT.",
        ),
        entry!(
            "build.elo",
            BuildKeys.elo,
            optional(whole("a whole number", -10_000..=10_000)),
            "Its rating, which stands: the others are measured from it.",
        ),
        entry!(
            "build.main",
            BuildKeys.main,
            switch(),
            "Whether it meets all others in a gauntlet.",
        ),
        entry!(
            "build.nights",
            BuildKeys.nights,
            switch(),
            "Whether it plays at night; one that does not is for gates alone.",
        ),
    ]
});

#[expect(clippy::ptr_arg, reason = "what a kind hands over")]
fn is_no_history(name: &String) -> Option<String> {
    let is_file = !name.ends_with('/') && !name.is_empty();
    (!is_file).then(|| "expected the name of a file".to_owned())
}

#[expect(clippy::ptr_arg, reason = "what a kind hands over")]
fn is_no_hash(text: &String) -> Option<String> {
    let is_hash = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    (!is_hash).then(|| "expected a SHA-256 of 64 hexadecimal digits".to_owned())
}

/// Refuses a text that git would take for an option.
#[expect(clippy::ptr_arg, reason = "what a kind hands over")]
fn is_option(text: &String) -> Option<String> {
    text.starts_with('-')
        .then(|| "a commit does not begin with a hyphen".to_owned())
}
