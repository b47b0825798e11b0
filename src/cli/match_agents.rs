//! `swissmatch match AGENT…`
//!
//! May not: know what words mean; that is `config::match_words`.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;
use swiss_system::word::Word as _;

use swissmatch_config::match_words::{
    Dialect, MatchEvent, MatchFlags, MatchFormat, MatchWordsError, PeerRequest, Surroundings, of_agents, of_peers,
};
use swissmatch_game::isolation::Isolation;
use swissmatch_host::local::cores;
use swissmatch_host::topology::Topology;
use swissmatch_report::peers::PeerMatchEnd;
use swissmatch_run::by_content::{EventFileError, NamedEvent};
use swissmatch_run::event_file::EventFile;
use swissmatch_run::materials::count_openings;
use swissmatch_run::open_run::OpenRun;
use swissmatch_tournament::ties::event_is_over;

use super::beside::{Page, PageFlags, PageManner};
use super::console::Every;
use super::exit::{Exit, Failure};
use super::logging::Logging;
use super::output::{missed, print};
use super::peer_console::PeerConsole;
use super::pgn_out::PgnOut;
use super::run::{How, RunArgs, RunObserver};
use super::{called, screen};

/// Most characters of the names of agents in the name of a match.
const LONGEST: usize = 60;
/// The word of our own that a link takes among those of the other program.
const ACCEPT_PARTIAL: &str = "--accept-partial";
/// The variable that says what agents of a link may reach.
const ISOLATION: &str = "SWISSMATCH_ISOLATION";
/// Where cutechess keeps its list of engines, below the directory of the user.
const ENGINES: &str = ".config/cutechess/engines.json";

/// Play a match of agents without an event file
///
/// Plays agents against each other, with an event file that it writes itself:
///
///   swissmatch match ./new ./old --games 2000 --time 10+0.1 --openings book.epd --sprt 0,5
///   swissmatch match ./new option.Hash=64 ./old nodes=5000 stockfish --gauntlet 1
///
/// Words after an agent are its own: name=… option.NAME=… nodes=… time=… args="…", and any other
/// key of a player. Two agents play a match, more of them a round robin, a --gauntlet or a --swiss.
///
/// The event file is NAME-HASH.toml in this directory, and the run is results/NAME-HASH/. The hash is
/// made of the words and of the files of agents and openings: the same command line goes on with its
/// match, and a rebuilt engine begins a new one. All other commands take the run as any other.
///
/// With --sprt E0,E1 a sequential test ends a match of two. The exit code is 0 if H1 was accepted, 1 if
/// H0 was, and 2 if neither was (docs/statistics.md).
///
/// After `--` come words as fastchess and cutechess-cli take them (docs/match.md has all of them):
///
///   swissmatch match -- -engine cmd=./new -engine cmd=./old -each tc=10+0.1 -rounds 500 -repeat
///       -openings file=book.epd format=epd order=random -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05
///
/// What is not carried out is named in one message, with what to use instead, and nothing is played;
/// --accept-partial plays the match without it.
///
/// A link to this program named fastchess or cutechess-cli takes those words without `match --`, and prints
/// the lines of that program: `ln -s "$(command -v swissmatch)" fastchess`.
#[derive(Clone, Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct MatchArgs {
    /// Agents: paths or names of programs, each followed by words of its own such as name=New option.Hash=16 nodes=5000
    #[arg(value_name = "AGENT [WORD…]", conflicts_with = "peers")]
    words: Vec<String>,
    /// Games of two agents: 1 or an even number (default: 2)
    #[arg(long, value_name = "N", conflicts_with = "peers")]
    games: Option<u32>,
    /// Time control, such as 10+0.1, 1s/move or nodes=5000 (default: 10+0.1; docs/time-controls.md)
    #[arg(long, value_name = "TC", conflicts_with = "peers")]
    time: Option<String>,
    /// Openings: a file, or "bundled", "unbalanced", "none", "chess960" (default: bundled)
    #[arg(long, value_name = "FILE", conflicts_with = "peers")]
    openings: Option<String>,
    /// End a match of two by a test between these differences (sprt.elo0 and sprt.elo1)
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, conflicts_with = "peers")]
    sprt: Option<String>,
    /// The test's chance to accept H1 although H0 is true (default: 0.05)
    #[arg(long, value_name = "SHARE", requires = "sprt")]
    alpha: Option<String>,
    /// The test's chance to accept H0 although H1 is true (default: 0.05)
    #[arg(long, value_name = "SHARE", requires = "sprt")]
    beta: Option<String>,
    /// What the differences mean: normalized, logistic or bayesian (default: normalized)
    #[arg(long, value_name = "MODEL", requires = "sprt")]
    model: Option<String>,
    /// What the test counts: pentanomial (game pairs) or trinomial (games)
    #[arg(long, value_name = "WORD", requires = "sprt")]
    counts: Option<String>,
    /// The first N agents meet all others, and not each other
    #[arg(long, value_name = "N", conflicts_with_all = ["swiss", "peers"])]
    gauntlet: Option<u32>,
    /// A Swiss of R rounds
    #[arg(long, value_name = "R", conflicts_with = "peers")]
    swiss: Option<u32>,
    /// A UCI option for all agents; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", conflicts_with = "peers")]
    options: Vec<String>,
    /// Games at once: a number, or "cores"
    #[arg(long, value_name = "N", conflicts_with = "peers")]
    concurrency: Option<String>,
    /// Any other key of an event file, as KEY=VALUE: --set adjudication.draw_score=10
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// What agents may reach: guarded (the default), sealed or off; the same as --set engine.isolation=WORD (docs/match.md)
    #[arg(long, value_name = "WORD")]
    isolation: Option<String>,
    /// What the event and its run are called, before the hash (default: the names of the agents)
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Show the event file that the words mean, and play nothing
    #[arg(long)]
    pub(super) print_event: bool,
    /// Play the match without the words that are not carried out
    #[arg(long, requires = "peers")]
    accept_partial: bool,
    /// Start anew: the old run is kept aside in DIR.1, the next one in DIR.2 …
    #[arg(long)]
    fresh: bool,
    /// Begin even if an agent does not start: its games are forfeited (engine.must_start)
    #[arg(long)]
    go_on: bool,
    /// Print progress and warnings as NDJSON on standard output, one object per line
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
    /// Print only errors
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    page: PageFlags,
    /// Whose name the program was started by
    #[arg(long, value_name = "PROGRAM", hide = true)]
    called: Option<String>,
    /// Words as fastchess and cutechess-cli take them
    #[arg(
        last = true,
        value_name = "WORDS OF FASTCHESS OR CUTECHESS-CLI",
        allow_hyphen_values = true
    )]
    peers: Vec<String>,
}

impl MatchArgs {
    pub(super) fn main(&self, logging: &Logging) -> Result<Exit, Failure> {
        if let Some(peer) = self.called.as_deref().and_then(Dialect::of_program) {
            return self.main_called(peer, logging);
        }
        let mut page = Page::default();
        let played = self.main_asked(logging, &mut page);
        page.stay(played)
    }

    fn main_asked(&self, logging: &Logging, page: &mut Page) -> Result<Exit, Failure> {
        let (own, peers) = own_words(&self.peers)?;
        let asked_for = Self {
            accept_partial: self.accept_partial || own.accept_partial,
            ..self.clone()
        };
        let set = [self.keys(), own.set].concat();
        let asked = match self.peers.is_empty() {
            true => of_agents(&self.words, &self.flags()).map(|event| PeerRequest::Match(Box::new(event))),
            false => read_peers(&peers, None, surroundings(set)),
        };
        match asked.map_err(|no_match| refuse(&no_match))? {
            PeerRequest::Match(event) => asked_for.play(&event, logging, false, page).map(|(exit, _)| exit),
            PeerRequest::Version => Ok(print(concat!("swissmatch ", env!("CARGO_PKG_VERSION"), "\n"))),
            PeerRequest::Help => Ok(print(
                "docs/match.md has every option; `swissmatch match --help` says how to play a match\n",
            )),
            PeerRequest::Engines(names) => Ok(print_names(&names)),
        }
    }

    /// As a link named like the peer: its arguments, its lines, its exit codes.
    fn main_called(&self, peer: Dialect, logging: &Logging) -> Result<Exit, Failure> {
        let (own, words): (Vec<String>, Vec<String>) =
            self.peers.iter().cloned().partition(|word| word == ACCEPT_PARTIAL);
        let as_asked = Self {
            accept_partial: !own.is_empty(),
            ..self.clone()
        };
        let isolation = isolation_of_links()?;
        let set = isolation.iter().map(|word| format!("engine.isolation={word}"));
        let around = surroundings(set.collect());
        let event = match read_peers(&words, Some(peer), around).map_err(|wrong| as_peer(refuse(&wrong)))? {
            PeerRequest::Match(event) => event,
            PeerRequest::Version => return Ok(print(&called::version(peer))),
            PeerRequest::Help => return Ok(print(&called::help(peer))),
            PeerRequest::Engines(names) => return Ok(print_names(&names)),
        };
        if let Some(word) = isolation {
            screen::say(&format!(
                "note: {ISOLATION}={word}: engine.isolation = \"{word}\" for this match"
            ));
        }
        let (exit, ended) = as_asked
            .play(&event, logging, true, &mut Page::default())
            .map_err(as_peer)?;
        Ok(match (ended, peer) {
            (Some(PeerMatchEnd::Over), _) => Exit::Done,
            (Some(PeerMatchEnd::Interrupted { is_asked_for: true }), Dialect::Cutechess) => Exit::Done,
            // The event file was shown, or the like.
            (None, _) => exit,
            (Some(PeerMatchEnd::Interrupted { .. }), _) => Exit::CheckFailed,
        })
    }

    fn flags(&self) -> MatchFlags {
        MatchFlags {
            games: self.games,
            format: match (self.gauntlet, self.swiss) {
                (Some(first), _) => MatchFormat::Gauntlet(first),
                (None, Some(rounds)) => MatchFormat::Swiss(rounds),
                (None, None) => MatchFormat::RoundRobin,
            },
            time: self.time.clone(),
            openings: self.openings.clone(),
            sprt: self.sprt.clone(),
            alpha: self.alpha.clone(),
            beta: self.beta.clone(),
            model: self.model.clone(),
            counts: self.counts.clone(),
            options: self.options.clone(),
            concurrency: self.concurrency.clone(),
            set: self.keys(),
        }
    }

    /// Keys that are asked for one by one.
    fn keys(&self) -> Vec<String> {
        let isolation = self.isolation.iter().map(|word| format!("engine.isolation={word}"));
        self.set.iter().cloned().chain(isolation).collect()
    }

    fn play(
        &self,
        event: &MatchEvent,
        logging: &Logging,
        is_link: bool,
        page: &mut Page,
    ) -> Result<(Exit, Option<PeerMatchEnd>), Failure> {
        if !event.refused.is_empty() {
            let lines: Vec<String> = event.refused.iter().map(ToString::to_string).collect();
            let lines = lines.join("\n");
            if !self.accept_partial {
                return Err(Failure::usage(anyhow!(
                    "not everything can be carried out, and nothing was played (--accept-partial plays the match without this):\n{lines}"
                )));
            }
            screen::say(&format!("without this:\n{lines}"));
        }
        if !self.quiet {
            event
                .notes
                .iter()
                .for_each(|note| screen::say(&format!("note: {}", event.dialect.in_words(note))));
        }
        if self.print_event {
            return Ok((print(&event.event), None));
        }
        let place = MatchPaths::of(Path::new("."), self.name.as_deref(), event)
            .map_err(|wrong| wrong.in_words(event.dialect))?;
        // Of those programs each call is a new match, and what was interrupted goes on.
        let fresh = self.fresh || is_link && is_over(&place.out);
        let pgn = match &event.output.pgn {
            Some(file) => Some(PgnOut::new(file, &place.named.name, &place.out, !fresh)?),
            None => None,
        };
        if !place.out.exists() && !self.quiet {
            place.unfinished().iter().for_each(|note| screen::say(note));
        }
        place.write()?;
        stay_on(&event.output.cpus)?;
        let mut peer = PeerConsole::of(&event.output, pgn, event.dialect, is_link)?;
        let prints = peer.as_ref().is_some_and(PeerConsole::prints);
        let how = How {
            fresh,
            go_on: self.go_on,
            json: self.json,
            quiet: self.quiet || prints,
            every: Every {
                figures: event.output.rating_interval.unwrap_or(0),
                score: event.output.score_interval.unwrap_or(0),
                ratings: event.output.rating_interval != Some(0),
            },
            asked_in: Some(event.dialect),
            page: self.page.clone(),
            page_manner: Some(PageManner::of_a_person(self.quiet || self.json)),
        };
        let run = RunArgs::of(place.file.clone(), place.out.clone(), how);
        let played = run.main_told(
            logging,
            peer.as_mut().map(|peer| peer as &mut dyn RunObserver),
            None,
            page,
        );
        let written = match peer.as_mut().and_then(PeerConsole::take_games) {
            Some(pgn) if place.out.exists() => pgn.write(event.output.crc32),
            _ => Ok(()),
        };
        let exit = played?;
        match written {
            // Those programs have one exit code for whatever went wrong.
            Err(failure) if is_link => return Err(failure),
            Err(failure) => missed(&failure.error),
            Ok(()) => {}
        }
        let ended = peer.as_ref().and_then(PeerConsole::ended);
        if let Some(peer) = &mut peer {
            peer.finish();
        }
        Ok((exit, ended))
    }
}

/// Where the event file of a match is, and its run.
pub(super) struct MatchPaths {
    named: NamedEvent,
    /// The file, as seen from the current directory.
    pub(super) file: PathBuf,
    /// The directory of the run.
    pub(super) out: PathBuf,
}

impl MatchPaths {
    /// In a directory, by the words of a match; without a name it is called by its agents.
    pub(super) fn of(directory: &Path, name: Option<&str>, event: &MatchEvent) -> Result<Self, Failure> {
        let name = name.map_or_else(|| name_of(&event.names), str::to_owned);
        if name.is_empty() || name.contains('/') || name.starts_with('.') {
            return Err(Failure::usage(anyhow!(
                "--name {name}: it is the name of a file and of a directory, without `/`"
            )));
        }
        let absolute = std::path::absolute(directory).map_err(Failure::machine)?;
        let named = NamedEvent::new(&absolute, &name, event)?;
        let own = |path: PathBuf| match directory == Path::new(".") {
            true => path,
            false => directory.join(path),
        };
        Ok(Self {
            file: own(PathBuf::from(format!("{}.toml", named.name))),
            out: own(Path::new("results").join(&named.name)),
            named,
        })
    }

    /// What is to be said of matches that were asked for by the same words and are not over: since then agents or openings have changed.
    fn unfinished(&self) -> Vec<String> {
        let runs = self.named.of_same_words().into_iter();
        let runs = runs.filter_map(|name| OpenRun::open(Some(&self.out.with_file_name(name))).ok());
        runs.filter(|run| !event_is_over(&run.state))
            .map(|run| {
                let (games, ended) = run.state.progress();
                format!(
                    "note: {} is a match of the same words, of which {ended} of {games} games have been played; its agents or openings \
                     were other ones, so this is a new match",
                    run.dir.display()
                )
            })
            .collect()
    }

    /// Whether a build is to play against itself.
    pub(super) const fn is_of_same_build(&self) -> bool {
        self.named.is_same_build
    }

    /// What the match is called.
    pub(super) fn name(&self) -> &str {
        &self.named.name
    }

    /// Writes the event file, unless it is there.
    pub(super) fn write(&self) -> Result<(), Failure> {
        self.named.write().map_err(|error| match error {
            EventFileError::Another(_) => Failure::usage(error),
            EventFileError::Write { .. } => Failure::machine(error),
        })
    }
}

/// Words that make no match.
pub(super) fn refuse(no_match: &MatchWordsError) -> Failure {
    Failure::usage(anyhow!("these words make no match:\n{no_match}"))
}

/// Both programs have one exit code for whatever went wrong.
fn as_peer(failure: Failure) -> Failure {
    Failure {
        exit: Exit::CheckFailed,
        ..failure
    }
}

fn print_names(names: &[String]) -> Exit {
    print(&names.iter().map(|name| format!("{name}\n")).collect::<String>())
}

/// Whether a run has been played to its end.
fn is_over(run: &Path) -> bool {
    run.exists() && OpenRun::open(Some(run)).is_ok_and(|run| event_is_over(&run.state))
}

/// The names of the agents, as part of the name of a file.
fn name_of(names: &[String]) -> String {
    let plain = |name: &String| -> String {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._+".contains(c);
        let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        plain.trim_matches(['_', '.']).to_owned()
    };
    let all: Vec<String> = names.iter().map(plain).collect();
    let joined = all.join("-");
    match all.as_slice() {
        [first, others @ ..] if joined.len() > LONGEST => {
            let first: String = first.chars().take(LONGEST).collect();
            format!("{first}-and-{}-more", others.len())
        }
        _ => joined,
    }
}

/// The words of other programs, where an event begins within its openings: how many there are is in their file.
fn read_peers(words: &[String], called: Option<Dialect>, around: Surroundings) -> Result<PeerRequest, MatchWordsError> {
    let asked = of_peers(words, called, &around)?;
    let PeerRequest::Match(event) = &asked else {
        return Ok(asked);
    };
    // What is wrong with it is told where it is played.
    let event = EventFile::parse(Path::new("match.toml"), &event.event).ok();
    let begins_within = |event: &EventFile| event.loaded.setup.mini_match.opening_start > 1;
    let count = event
        .filter(begins_within)
        .and_then(|event| count_openings(&event).ok());
    let openings = count.and_then(|count| u32::try_from(count).ok());
    match openings {
        Some(_) => of_peers(words, called, &Surroundings { openings, ..around }),
        None => Ok(asked),
    }
}

/// Keeps this process, and all that it starts from now on, on these CPUs; none: on all that there are.
fn stay_on(cpus: &[usize]) -> Result<(), Failure> {
    if cpus.is_empty() {
        return Ok(());
    }
    let list = |cpus: &[usize]| cpus.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let topology = Topology::of_this_machine().map_err(Failure::machine)?;
    let here: Vec<usize> = topology.cpus.iter().map(|cpu| cpu.id).collect();
    if let Some(other) = cpus.iter().find(|cpu| !here.contains(cpu)) {
        return Err(Failure::usage(anyhow!(
            "-use-affinity: there is no CPU {other} that swissmatch may use here; name some of {}",
            list(&here)
        )));
    }
    cores::stay_on(cpus).map_err(|error| Failure::machine(anyhow!("-use-affinity {}: {error}", list(cpus))))
}

/// Words of our own among those of another program.
#[derive(Default)]
struct OwnWords {
    accept_partial: bool,
    set: Vec<String>,
}

/// The words of our own behind `--`, and the others.
fn own_words(words: &[String]) -> Result<(OwnWords, Vec<String>), Failure> {
    let (mut own, mut others) = (OwnWords::default(), Vec::new());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let (flag, value) = match word.split_once('=') {
            Some((flag, value)) => (flag, Some(value.to_owned())),
            None => (word.as_str(), None),
        };
        let mut value = || {
            let value = value.clone().or_else(|| words.next().cloned());
            value.ok_or_else(|| Failure::usage(anyhow!("{flag}: a value is missing")))
        };
        match flag {
            ACCEPT_PARTIAL => own.accept_partial = true,
            "--set" => own.set.push(value()?),
            "--isolation" => own.set.push(format!("engine.isolation={}", value()?)),
            _ => others.push(word.clone()),
        }
    }
    Ok((own, others))
}

/// What agents of a link may reach, where the variable says it: those programs have no word for it.
fn isolation_of_links() -> Result<Option<String>, Failure> {
    let Some(word) = std::env::var_os(ISOLATION) else {
        return Ok(None);
    };
    let word = word.to_string_lossy().into_owned();
    match Isolation::of_word(&word) {
        Some(_) => Ok(Some(word)),
        None => Err(as_peer(Failure::usage(anyhow!(
            "{ISOLATION}={word}: expected guarded, sealed or off"
        )))),
    }
}

/// What the words of other programs need to know of this machine; with keys of our own beside them.
fn surroundings(set: Vec<String>) -> Surroundings {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let local = std::fs::read_to_string("engines.json").ok();
    let engines_json = local.or_else(|| std::fs::read_to_string(home?.join(ENGINES)).ok());
    Surroundings {
        engines_json,
        threads: std::thread::available_parallelism()
            .map_or(1, |threads| u32::try_from(threads.get()).unwrap_or(u32::MAX)),
        openings: None,
        set,
    }
}

#[cfg(test)]
mod tests {
    use super::name_of;

    #[test]
    fn a_match_is_called_by_its_agents() {
        let name = |names: &[&str]| name_of(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(name(&["new", "old"]), "new-old");
        assert_eq!(name(&["Stockfish 17/../x", ".hidden"]), "Stockfish_17_.._x-hidden");
        let many: Vec<String> = (0..30).map(|number| format!("engine {number}")).collect();
        assert_eq!(name_of(&many), "engine_0-and-29-more");
    }
}
