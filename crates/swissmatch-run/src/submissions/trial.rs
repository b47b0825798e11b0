//! A submission is tried: what it imports, that it starts, and two short games, one with each colour.
//!
//! The games begin from the start position, so nobody learns an opening of the event. May not: decide what becomes of it.

use std::path::Path;
use std::time::Duration;

use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;

use super::contract::Starter;
use super::reason::{Reason, cause, fault, first_and_last, forgiven};
use super::shown::PathAliases;
use crate::check::{CheckSlot, key_of_clock};
use crate::error::RunError;
use crate::event_file::EventFile;
use crate::hosted::HostConnection;
use crate::own_directory;
use swissmatch_game::Side;
use swissmatch_game::adjudicate::AdjudicationRules;
use swissmatch_game::excerpt::{errors_of, last_lines};
use swissmatch_game::handshake::{Cause, StartError};
use swissmatch_game::opening::Opening;
use swissmatch_game::record::{Bounds, GameId, GameLimits, GameRecord, GameSpec};
use swissmatch_game::time_control::TimeControl;
use swissmatch_host::files;
use swissmatch_host::host::{AgentSpec, FindAgentError, IntroductionReport};
use swissmatch_tournament::limits::limits_of_trial;
use swissmatch_tournament::setup::{PlayerKeys, Setup, SubmissionId};
use swissmatch_tournament::submission::{JudgedSubmission, TrialTimes};

/// Plies of each game.
const PLIES: u32 = 20;
/// Lines shown of what it wrote to standard error.
const SHOWN: usize = 20;
/// Who plays against it.
const OPPONENT: &str = "random-mover";

/// What lines of what looks at imports begin with.
const HIDES: &str = "hides: ";
const LACKS: &str = "lacks: ";
/// Its last line, where it has findings.
const LOOKED: &str = "looked";
/// What lines begin with that are none of the entrant's, but of what speaks UCI for it.
const OF_ADAPTER: [&str; 4] = ["id name ", "id author ", "option name UCI_Chess960 ", "uciok"];
/// What lines begin with that an engine says at its start in any case.
const OF_UCI: [&str; 4] = ["id ", "option ", "uciok", "readyok"];

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct TrialReport {
    /// Why it is refused, a sentence each; none: it plays.
    pub(super) refused: Vec<String>,
    /// The same as others may read it; none: as it is.
    pub(super) public: Vec<String>,
    /// What its author may read.
    pub(super) log: Vec<String>,
    /// The SHA-256 of the list of its files.
    pub(super) content: Option<String>,
    /// How long it took.
    pub(super) times: Option<TrialTimes>,
}

impl TrialReport {
    /// The same as it is kept of the submission of this number.
    pub(super) fn judged(self, number: u64) -> JudgedSubmission {
        JudgedSubmission {
            number,
            refused: self.refused,
            public: self.public,
            content: self.content,
            log: self.log,
            times: self.times,
        }
    }

    fn refuse(mut self, why: &Reason, printed: &[String], shown: &PathAliases) -> Self {
        self.refused.push(shown.of(&why.own));
        if why.own != why.public {
            self.public.push(shown.of(&why.public));
        }
        let is_its_own = |line: &&String| !OF_ADAPTER.iter().any(|begin| line.starts_with(begin));
        let mut printed = printed.iter().filter(is_its_own).peekable();
        if printed.peek().is_some() {
            self.log.push("The last lines that it printed:".to_owned());
            self.log.extend(printed.map(|line| format!("  {}", shown.of(line))));
        }
        self
    }
}

/// Tries what was unpacked in `dir`, of the player at `index` of the event file.
///
/// # Errors
/// When the machine keeps it from being tried.
pub(super) fn try_it(
    event: &EventFile,
    starter: &Starter<'_>,
    index: usize,
    dir: &Path,
) -> Result<TrialReport, RunError> {
    let setup = &event.loaded.setup;
    let keys = &setup.players[index];
    let mut hosted = HostConnection::at(&event.directory);
    let mut tried = TrialReport::default();
    let mut lacks = Vec::new();
    let submission = SubmissionId {
        archive: String::new(),
        number: 0,
    };
    let imports = starter.imports(keys, dir, submission.clone());
    if let Some(imports) = imports.map_err(RunError::machine)? {
        let introduced = match introduce(event, &mut hosted, own_directory::agent_by(event, index, imports))? {
            Ok(introduced) => introduced,
            Err(why) => return not_started(event, starter, (keys, dir), why),
        };
        let of = |begin: &str| -> Vec<String> {
            let lines = introduced.printed.iter().filter_map(|line| line.strip_prefix(begin));
            lines.map(str::to_owned).collect()
        };
        lacks = of(LACKS);
        tried.refused = of(HIDES);
        match introduced.said {
            Err(StartError::Host(why)) => return Err(RunError::Machine(why)),
            // It may not have looked at all.
            Err(failure) if introduced.printed.iter().all(|line| line != LOOKED) => {
                let why = Cause::in_words(introduced.cause.as_ref(), &failure);
                let why = Reason::plain(&format!(
                    "what it imports cannot be looked at, as what does so did not end: {why}"
                ));
                return Ok(tried.refuse(&why, &introduced.printed, &starter.shown(dir)));
            }
            Ok(_) | Err(_) => {}
        }
        if !tried.refused.is_empty() {
            return Ok(tried);
        }
    }
    let player = starter.player(keys, dir, submission).map_err(RunError::machine)?;
    let spec = own_directory::agent_by(event, index, player.clone());
    let found = match hosted.find_one(spec.clone())? {
        Ok(found) => found,
        Err(why) => return not_started(event, starter, (keys, dir), why),
    };
    let shown = shown(event, starter.shown(dir).with_interpreter(Path::new(&found.program)));
    let spec = spec.with_content(&found.files, &found.program, &found.directory);
    let began = std::time::Instant::now();
    let introduced = match hosted.try_to_introduce(spec.clone(), &event.loaded)? {
        Ok(introduced) => introduced,
        Err(why) => return not_started(event, starter, (keys, dir), why),
    };
    let took = began.elapsed();
    match introduced.said {
        Ok(_) => tried.log.push(format!("It starts within {:.1} s.", took.as_secs_f64())),
        Err(StartError::Host(why)) => return Err(RunError::Machine(why)),
        Err(failure) => {
            let printed = &introduced.printed;
            let (seen, others): (Vec<_>, Vec<_>) = lacks.into_iter().partition(|lack| is_it(lack, printed));
            tried.log.extend(others);
            // One cause is told once, as the one of the two does that names the line.
            if failure == StartError::Ended && !seen.is_empty() {
                let why = Reason::plain(&seen.join("; "));
                return Ok(tried.refuse(&why, printed, &shown));
            }
            let said = Cause::in_words(introduced.cause.as_ref(), &failure);
            let mut why = Reason::plain(&format!("it does not start: {said}"));
            if failure == StartError::Ended {
                why = why.with(&cause(printed));
            }
            let key = failure.key().map_or_else(String::new, |key| format!(" ({key})"));
            return Ok(tried.refuse(&why.with(&Reason::plain(&key)), printed, &shown));
        }
    }
    let Some(manifest) = found.manifests.first() else {
        return Err(RunError::Machine("the list of its files is missing".to_owned()));
    };
    let content = manifest.hash().sha256;
    let control = setup.time_control(keys);
    let control = match control.runs_through() {
        true => control.cut_short(),
        false => control.clone(),
    };
    let clock = key_of_clock(keys);
    let is_word = |line: &String| !OF_UCI.iter().any(|begin| line.starts_with(begin));
    let mut printed: Vec<String> = introduced.printed.into_iter().filter(is_word).collect();
    let at_start = printed.len();
    let (mut moves, mut moves_us) = (0, 0);
    for side in [Side::White, Side::Black] {
        let (record, evidence) = play(event, setup, &control, (&spec, side))?;
        let as_whom = side.name();
        for time in record.time_us.iter().skip(usize::from(side == Side::Black)).step_by(2) {
            moves += 1;
            moves_us += time;
        }
        let errors = errors_of(evidence.as_deref(), side);
        if let Some(why) = fault(&record, (side, &errors), (&control, clock)) {
            let printed = match player.asks().is_some() {
                true => errors[errors.len().saturating_sub(SHOWN)..].to_vec(),
                false => last_lines(evidence.as_deref()),
            };
            return Ok(tried.refuse(&why, &printed, &shown));
        }
        let (plies, failed) = (record.plies(), forgiven(&record, side, (&control, clock)));
        tried.log.push(match failed.len() {
            0 => format!("A game with {as_whom}: {plies} plies without a fault."),
            most => format!(
                "A game with {as_whom}: {plies} plies, with {}, which the rules allow:",
                count::of(most, "failed attempt", "failed attempts")
            ),
        });
        tried.log.extend(failed.iter().map(|line| shown.of(line)));
        if printed.len() == at_start {
            printed.extend(errors);
        }
    }
    if !printed.is_empty() {
        tried
            .log
            .push("What it printed at its start, and in a game:".to_owned());
        let lines = first_and_last(&printed, SHOWN);
        tried
            .log
            .extend(lines.iter().map(|line| format!("  {}", shown.of(line))));
    }
    tried.log.push(format!(
        "Its {} took {:.2} s together.",
        count::of(moves, "move", "moves"),
        Duration::from_micros(moves_us).as_secs_f64()
    ));
    tried.times = Some(TrialTimes {
        start_us: u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
        moves: moves as u64,
        moves_us,
    });
    tried.content = Some(content);
    Ok(tried)
}

/// Whether what an entry lacks, by its files, is what it ended by.
fn is_it(lack: &str, printed: &[String]) -> bool {
    let module = lack
        .split_once(": imports ")
        .and_then(|(_, rest)| rest.split(',').next());
    let says = |what: &str| printed.iter().any(|line| line.contains(what));
    match module {
        Some(module) => says(&format!("No module named '{module}'")) || says(&format!("No module named '{module}.")),
        None => says("SyntaxError: ") || says("IndentationError: ") || says("TabError: "),
    }
}

/// What its author may read of an event's places and the organizer's, too.
fn shown(event: &EventFile, shown: PathAliases) -> PathAliases {
    shown
        .with(&event.directory, "")
        .with(&std::env::home_dir().unwrap_or_else(|| "/".into()), "~")
}

fn introduce(
    event: &EventFile,
    hosted: &mut HostConnection,
    spec: AgentSpec,
) -> Result<Result<IntroductionReport, FindAgentError>, RunError> {
    let found = match hosted.find_one(spec.clone())? {
        Ok(found) => found,
        Err(why) => return Ok(Err(why)),
    };
    let spec = spec.with_content(&found.files, &found.program, &found.directory);
    hosted.try_to_introduce(spec, &event.loaded)
}

/// Refuses what this machine cannot start, if that comes of what was handed in: with nothing in its place the same is started.
///
/// # Errors
/// When nothing is started so on this machine.
fn not_started(
    event: &EventFile,
    starter: &Starter<'_>,
    (keys, dir): (&PlayerKeys, &Path),
    why: FindAgentError,
) -> Result<TrialReport, RunError> {
    use FindAgentError::{Machine, Service, Variable};
    if matches!(why, Machine(_) | Service(_) | Variable(_)) {
        return Err(RunError::machine(why));
    }
    let nothing = dir.with_extension("nothing");
    files::make_directory(&nothing).map_err(RunError::machine)?;
    let nobody = SubmissionId {
        archive: String::new(),
        number: 0,
    };
    let imports = starter.imports(keys, &nothing, nobody);
    let other = match imports.map_err(RunError::machine)? {
        Some(imports) => imports,
        None => PlayerKeys {
            command: OPPONENT.to_owned(),
            ..keys.clone()
        },
    };
    let other = AgentSpec::of_player(&other, &event.loaded.setup);
    let started = introduce(event, &mut HostConnection::at(&event.directory), other);
    files::remove_below(&nothing).map_err(RunError::machine)?;
    match started? {
        Ok(_) => {
            let why = Reason {
                own: format!("it cannot be started as the event has it: {why}"),
                public: "it cannot be started as the event has it".to_owned(),
            };
            Ok(TrialReport::default().refuse(&why, &[], &shown(event, starter.shown(dir))))
        }
        Err(_) => Err(RunError::machine(why)),
    }
}

/// Plays a game of the two; gives its evidence, too.
fn play(
    event: &EventFile,
    setup: &Setup,
    control: &TimeControl,
    (agent, side): (&AgentSpec, Side),
) -> Result<(GameRecord, Option<String>), RunError> {
    let opponent = AgentSpec::of_player(&crate::eligibility::blank_entry(OPPONENT, OPPONENT), setup);
    let mut agents = vec![agent.clone(), opponent];
    if side == Side::Black {
        agents.reverse();
    }
    let mut table = CheckSlot::open(HostConnection::at(&event.directory), agents, setup).map_err(RunError::machine)?;
    let played = table.play(spec(setup, &agent.player, control));
    table.close();
    let played = played.map_err(RunError::machine)?;
    if played.record.termination.is_fault_of(side.other()) {
        return Err(RunError::Machine(format!(
            "{OPPONENT}, against which it is tried, does not play"
        )));
    }
    Ok((played.record, played.evidence))
}

/// The game: as long as [`PLIES`], with this clock.
fn spec(setup: &Setup, player: &PlayerKeys, control: &TimeControl) -> GameSpec {
    let bounds = Bounds {
        nodes: setup.bounds(player, control).nodes,
        depth: setup.bounds(player, control).depth,
    };
    GameSpec {
        id: GameId {
            round: 1,
            playoff: 0,
            board: 1,
            game: 1,
        },
        white: PairingNumber::from_index(0),
        black: PairingNumber::from_index(1),
        opening: Opening::start(setup.game.variant),
        bounds: [bounds; 2],
        limits: GameLimits {
            max_plies: Some(PLIES),
            ..limits_of_trial(setup, player, control)
        },
        adjudication: AdjudicationRules::default(),
    }
}
