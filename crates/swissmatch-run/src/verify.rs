//! Deriving a run again from its log: what anyone can check who has the run's directory and this program.

mod agents;
mod evidence;
mod ladder;
mod ledger;
mod signed;
mod submitted;
mod taken;
mod turns;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::civil::Date;
use swiss_system::count;

use swissmatch_config::{self as config, Class};
use swissmatch_game::alarm::Alarm;
use swissmatch_game::eval::Eval;
use swissmatch_game::evaluation::{self, Position};
use swissmatch_game::opening::{self, Opening, OpeningSuite, SuiteFormat};
use swissmatch_game::record::{GameId, GameRecord};
use swissmatch_report::anchor::{AnchorComparison, AnchorFile};
use swissmatch_tournament::log::{
    Act, Entry, Evaluations, GameAnalysed, GameFinished, PlayoffPaired, Quality, RoundPaired,
};
use swissmatch_tournament::opening_plan::{self, OpeningPlan};
use swissmatch_tournament::setup::{AnalysisKeys, Setup};
use swissmatch_tournament::timetable::Timetable;
use swissmatch_tournament::{analysis, roster, schedule};

use super::open_run::{OpenError, OpenRun};
use super::publish;
use swissmatch_host::desk;
use swissmatch_host::files::read_plain;
use swissmatch_host::run_dir::{self, RunDir};
use swissmatch_host::signature::Signers;
use swissmatch_host::store::{LoggedEntry, Store};

/// One check and what it gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was checked.
    pub check: &'static str,
    /// What is counted: one of it, and several.
    pub of: [&'static str; 2],
    /// The first thing that is wrong.
    pub problem: Option<String>,
    /// Why it was not checked.
    pub skipped: Option<String>,
    /// How many things were checked.
    pub count: usize,
    /// What else is to be known of it.
    pub note: Option<String>,
}

/// What a run is compared with besides its own log.
#[derive(Clone, Copy, Debug, Default)]
pub struct Against<'a> {
    /// Lines that anchors were told.
    pub anchor: Option<&'a AnchorFile>,
    /// Whose signatures count; without them any is right whose text it is of.
    pub signers: Option<&'a Signers>,
    /// Where earlier runs are from which games were taken, beside those in directories next to the run: their directories, or such
    /// in which those lie.
    pub earlier: &'a [PathBuf],
}

/// Derives the run in `place` again from its log (as [`OpenRun::open`] finds it), and compares. Where the log is in order and no
/// runner is at work, what a killed runner left beside it is put into it. What it is compared with `against` was read before.
///
/// # Errors
/// When there is no run.
pub fn verify(place: Option<&Path>, against: Against<'_>) -> Result<Vec<Finding>, OpenError> {
    match open_at_rest(place) {
        Ok(run) => {
            let findings = findings(&run, against);
            let ladder = ladder::look(&run.dir, Some(run.state.created()), against);
            let dir = run.dir.clone();
            // It is read no more.
            drop(run);
            // After a kill the published files lag behind; the log by itself is in order.
            merge(&dir);
            Ok(ladder.into_iter().chain(findings).collect())
        }
        // The event follows its ladder.
        Err(OpenError::NoRun(dir)) => match ladder::look(&dir, None, against) {
            Some(ladder) => Ok(vec![ladder]),
            None => Err(OpenError::NoRun(dir)),
        },
        Err(error @ (OpenError::Store(_) | OpenError::Broken(_) | OpenError::Unseen(..))) => {
            let why = error.to_string();
            let is_unread = match error {
                OpenError::Store(error) => error.is_unread(),
                error => matches!(error, OpenError::Unseen(..)),
            };
            let failed = if is_unread {
                CheckFailure::Skipped(why)
            } else {
                CheckFailure::Wrong(why)
            };
            Ok(vec![finding("log", ["entry", "entries"], Err::<usize, _>(failed))])
        }
        Err(error) => Err(error),
    }
}

/// Opens a run. An act of the arbiter, or another `verify` that puts a log in order, has it for a moment.
fn open_at_rest(place: Option<&Path>) -> Result<OpenRun, OpenError> {
    let run = OpenRun::open(place)?;
    match run.played && !desk::is_in_use(&run.dir) {
        true => OpenRun::open(place),
        false => Ok(run),
    }
}

/// That files which are written as the log grows are not those of the log that was read.
fn require_rest(run: &OpenRun) -> Result<(), CheckFailure> {
    // Asked after reading, too: a runner may have begun, or ended, in between.
    let has_grown = || run.store.end().ok() != run.logged.last().map(LoggedEntry::head);
    match run.played || desk::is_in_use(&run.dir) || has_grown() {
        true => Err(CheckFailure::Skipped(
            "a runner is at work on the run, or holds its lock: verify it again when that has ended".to_owned(),
        )),
        false => Ok(()),
    }
}

/// Why a check did not succeed.
enum CheckFailure {
    /// Something is not as the log gives it.
    Wrong(String),
    /// Nobody looked.
    Skipped(String),
}

impl From<String> for CheckFailure {
    fn from(problem: String) -> Self {
        Self::Wrong(problem)
    }
}

impl CheckFailure {
    /// Of a file beside the log that could not be read.
    fn of(path: &Path, error: &io::Error) -> Self {
        let why = format!("{}: {error}", path.display());
        match error.kind() {
            io::ErrorKind::PermissionDenied => Self::Skipped(why),
            _ => Self::Wrong(why),
        }
    }
}

/// Puts into the log's file what a runner that was killed left beside it, so that the file can be copied by itself. Where a
/// runner or a reader is at work, or this user may not write, nothing is changed, and nothing was wrong.
fn merge(dir: &Path) {
    if !dir.join(run_dir::WAL).exists() || run_dir::is_taken(dir) {
        return;
    }
    if let Ok(dir) = RunDir::take(dir) {
        let _ = Store::merge(&run_dir::log(dir.path()));
    }
}

fn finding(check: &'static str, of: [&'static str; 2], result: Result<usize, impl Into<CheckFailure>>) -> Finding {
    let (problem, skipped, count) = match result.map_err(Into::into) {
        Ok(count) => (None, None, count),
        Err(CheckFailure::Wrong(problem)) => (Some(problem), None, 0),
        Err(CheckFailure::Skipped(why)) => (None, Some(why), 0),
    };
    Finding {
        check,
        of,
        problem,
        skipped,
        count,
        note: None,
    }
}

/// Derives everything again from the log, and compares. The log's chain of hashes and the order of its entries have been checked by
/// opening it.
fn findings(run: &OpenRun, against: Against<'_>) -> Vec<Finding> {
    let has_stages = run
        .logged
        .iter()
        .any(|logged| matches!(logged.entry, Entry::StageBegun(_)));
    let rounds = if has_stages { "rounds and stages" } else { "rounds" };
    let mut findings = vec![
        finding("log", ["entry", "entries"], Ok::<_, String>(run.logged.len())),
        finding("setups", ["setup", "setups"], setups(run)),
        finding("starting order", ["player", "players"], starting_order(run)),
        finding("pairings", ["round", rounds], turns::pairings(run)),
        finding(
            "play-offs",
            ["lot, round or decision", "lots, rounds and decisions"],
            turns::playoffs(run),
        ),
        finding("acts", ["act", "acts"], turns::acts(run)),
        finding("games", ["game", "games"], games(run)),
        finding("evidence", ["text", "texts"], evidence::texts(run)),
        agents::look(run),
    ];
    findings.extend(submitted::look(run));
    findings.extend(ledger::look(run));
    findings.extend(taken::look(run, against.earlier));
    if run.state.setup().sprt.test().is_some() {
        findings.push(finding("test", ["verdict", "verdicts"], turns::verdicts(run)));
    }
    if run.state.setup().stop.is_set() {
        findings.push(finding("stop rule", ["look", "looks"], turns::stops(run)));
    }
    if run.state.analysis().is_some() {
        findings.push(finding("analysis", ["game", "games"], analyses(run)));
    }
    findings.push(finding("files", ["file", "files"], files(run)));
    findings.extend(signed::finding(run, against.signers));
    findings.extend(against.anchor.map(|lines| anchor(run, lines)));
    findings
}

/// The log must be one that has grown from what anchors were told of it.
fn anchor(run: &OpenRun, lines: &AnchorFile) -> Finding {
    let hashes: Vec<&str> = run.logged.iter().map(|logged| logged.hash.as_str()).collect();
    let compared = lines.compare(&hashes);
    let note = compared.as_ref().ok().map(AnchorComparison::note);
    let count = compared.map(|compared| compared.lines);
    Finding {
        note,
        ..finding("anchor", ["line", "lines"], count)
    }
}

/// Whoever took the run up may have changed keys that decide nothing; a round was paired on the day that its entry says.
fn setups(run: &OpenRun) -> Result<usize, String> {
    let mut setup: Option<Setup> = None;
    let mut checked = 0;
    let mut last_game = None;
    for LoggedEntry { seq, at, entry, .. } in &run.logged {
        let at: Option<Timestamp> = at.parse().ok();
        let day = |at: Timestamp| setup.as_ref().map(|setup| Timetable::from(setup).day(at));
        let next = match entry {
            Entry::Created(created) => &created.setup,
            Entry::Resumed(resumed) => &resumed.setup,
            Entry::RoundPaired(RoundPaired { day: paired, .. }) => {
                if !at.and_then(day).is_some_and(|logged| is_day_of(*paired, logged)) {
                    return Err(format!("entry {seq}: {paired} is not the day on which it was written"));
                }
                continue;
            }
            Entry::GameFinished(_) => {
                last_game = at;
                continue;
            }
            Entry::PlayoffPaired(PlayoffPaired { playoff: 1, later, .. }) => {
                let (ended, begun) = (last_game.and_then(day), at.and_then(day));
                let fits = match (later, ended, begun) {
                    (Some(later), Some(ended), Some(begun)) => {
                        later.ended < later.begun && is_day_of(later.begun, begun) && is_day_of(ended, later.ended)
                    }
                    // A clock may have been set back.
                    (None, Some(ended), Some(begun)) => begun <= ended || is_day_of(ended, begun),
                    (later, _, _) => later.is_none(),
                };
                if !fits {
                    return Err(format!(
                        "entry {seq}: the entries do not agree on whether the play-off began on the day of the last game"
                    ));
                }
                continue;
            }
            Entry::Acted(acted) => {
                if let (Act::Enter { player, .. }, Some(setup)) = (&acted.act, &mut setup) {
                    setup.players.push((**player).clone());
                }
                continue;
            }
            _ => continue,
        };
        checked += 1;
        let changes = setup.map_or_else(Vec::new, |before| config::difference(&before, next));
        if let Some(change) = changes.iter().find(|change| change.class == Class::Results) {
            return Err(format!(
                "entry {seq}: {} was changed, but it decides results",
                change.key
            ));
        }
        setup = Some(next.clone());
    }
    Ok(checked)
}

/// Whether a day is that of an entry of the log, whose day is `logged`: midnight may fall between what happened and writing it.
fn is_day_of(day: Date, logged: Date) -> bool {
    day.until(logged).is_ok_and(|span| (0..=1).contains(&span.get_days()))
}

fn starting_order(run: &OpenRun) -> Result<usize, String> {
    // As it was before anybody came late.
    let Some(Entry::Created(created)) = run.logged.first().map(|first| &first.entry) else {
        return Err("the log does not begin with the creation of the event".to_owned());
    };
    let setup = &created.setup;
    let order = roster::starting_order(&setup.players, setup.swiss.seeding, setup.event.rng_seed);
    if order != created.order {
        return Err("the starting order differs from the one that the seeding gives".to_owned());
    }
    let plan = setup.plan();
    if (plan.rounds, plan.format) != (created.rounds, created.format) {
        return Err(format!(
            "the log says {}, the rule gives {}",
            count::of(created.rounds, "round", "rounds"),
            plan.rounds
        ));
    }
    Ok(order.len())
}

fn games(run: &OpenRun) -> Result<usize, String> {
    turns::forfeits(run)?;
    let mut openings = openings_at_hand(run);
    let mut shared = BTreeMap::new();
    for game in run.state.finished_games() {
        let finished = run.finished(&game)?;
        match run.record(finished)? {
            // That there was reason for it has been checked where it happened.
            None => {}
            Some(record) => {
                same(finished, &record)?;
                match &mut openings {
                    None => shares_its_opening(run.state.setup(), &mut shared, &record)?,
                    Some(plan) => {
                        if plan.opening_of(&run.state, game.finished.id) != record.opening {
                            return Err(format!(
                                "game {}: its opening differs from the one that the plan gives",
                                game.finished.id
                            ));
                        }
                    }
                }
                let id = record.id;
                let spec = schedule::spec_from(&run.state, id, record.opening.clone());
                let spec = spec.ok_or_else(|| format!("game {id} is not on the schedule"))?;
                record.check(&spec).map_err(|why| format!("game {id}: {why}"))?;
            }
        }
    }
    Ok(run.state.finished_games().count())
}

/// Without the suite: games that are to have the same opening have the same one, whichever it is. `shared` has the openings of
/// the games before, and whose they are.
fn shares_its_opening(
    setup: &Setup,
    shared: &mut BTreeMap<GameId, (GameId, Opening)>,
    record: &GameRecord,
) -> Result<(), String> {
    let first = shared
        .entry(opening_plan::first_to_share(setup, record.id))
        .or_insert_with(|| (record.id, record.opening.clone()));
    match first.1 == record.opening {
        true => Ok(()),
        false => Err(format!(
            "game {}: its opening differs from that of game {}, with which it has to share one",
            record.id, first.0
        )),
    }
}

/// What is said of a game's moves must follow from its evaluations, and those must be of its positions. Whether the engine gave
/// them only the engine can tell.
fn analyses(run: &OpenRun) -> Result<usize, String> {
    let mut keys = None;
    let mut checked = 0;
    for logged in &run.logged {
        match &logged.entry {
            Entry::AnalysisBegun(begun) => keys = Some(&begun.keys),
            Entry::GameAnalysed(analysed) => {
                let keys = keys.ok_or_else(|| format!("entry {}: no analysis has begun", logged.seq))?;
                analysed_game(run, keys, analysed).map_err(|problem| format!("game {}: {problem}", analysed.id))?;
                checked += 1;
            }
            _ => {}
        }
    }
    Ok(checked)
}

fn analysed_game(run: &OpenRun, keys: &AnalysisKeys, analysed: &GameAnalysed) -> Result<(), String> {
    let text = run
        .store
        .blob(&analysed.evaluations)
        .map_err(|error| error.to_string())?;
    let text = text.ok_or("its evaluations are missing or were changed")?;
    let stored: Evaluations =
        serde_json::from_str(&text).map_err(|error| format!("its evaluations cannot be read: {error}"))?;
    if (stored.version, stored.id) != (Evaluations::VERSION, analysed.id) {
        return Err("its evaluations belong to another game or version".to_owned());
    }
    let game = run.state.finished_game(analysed.id).ok_or("it has not ended")?;
    let record = run.record(run.finished(&game)?)?.ok_or("it has no record")?;
    let positions = evaluation::positions(&record).map_err(|error| error.to_string())?;
    if positions.all.len() != stored.evals.len() {
        return Err("it has more or fewer positions than evaluations".to_owned());
    }
    let fits = |(position, eval): (&Position, &Eval)| match position {
        Position::Known(known) => known == eval,
        Position::Asked(_) => true,
    };
    if !positions.all.iter().zip(&stored.evals).all(fits) {
        return Err("an evaluation contradicts the rules of chess".to_owned());
    }
    let counted = analysis::judge(keys, positions.first, &stored.evals);
    let agrees = |(counted, logged): (&Quality, &Quality)| match logged.settled {
        Some(_) => counted == logged,
        None => counted.as_before_settled() == *logged,
    };
    if !counted.iter().zip(&analysed.sides).all(agrees) {
        return Err("its evaluations do not give what its moves lost".to_owned());
    }
    Ok(())
}

/// The plan of openings, where the suite is at hand: a bundled one, the starts of Chess960, or none.
fn openings_at_hand(run: &OpenRun) -> Option<OpeningPlan> {
    let setup = run.state.setup();
    let wanted = run.state.created().openings.sha256.as_deref();
    let read = |text: &str, format: SuiteFormat| {
        let is_it = wanted == Some(swissmatch_host::store::sha256(text.as_bytes()).as_str());
        is_it.then(|| {
            let plies = setup.mini_match.opening_plies;
            opening::parse_suite(text.as_bytes(), format, setup.game.variant, plies).ok()
        })?
    };
    let suite = match wanted {
        None => OpeningSuite::default(),
        Some(_) => read(opening::BUNDLED, opening::BUNDLED_FORMAT)
            .or_else(|| read(opening::UNBALANCED, opening::BUNDLED_FORMAT))
            .or_else(|| read(&opening::chess960::starts(), SuiteFormat::Epd))?,
    };
    Some(OpeningPlan::new(setup, suite))
}

fn same(game: &GameFinished, record: &GameRecord) -> Result<(), String> {
    let in_log = (
        game.id,
        game.white,
        game.black,
        game.outcome,
        game.termination,
        game.plies as usize,
        game.in_doubt,
        game.thinking,
        game.asked,
        game.movetext.clone(),
    );
    let in_record = (
        record.id,
        record.white,
        record.black,
        record.outcome,
        record.termination,
        record.plies(),
        record.in_doubt_of_sides(),
        Some(record.thinking()),
        record.calls.of_sides(),
        record.movetext_hash(),
    );
    if !record
        .alarms
        .iter()
        .map(Alarm::in_short)
        .eq(game.alarms.iter().cloned())
    {
        return Err(format!(
            "game {}: the log and the record differ in their alarms",
            game.id
        ));
    }
    if in_log == in_record {
        Ok(())
    } else {
        Err(format!("game {}: the log and the record differ", game.id))
    }
}

/// Published files must be what the log gives; while a runner is at work they lag behind, and are not compared.
fn files(run: &OpenRun) -> Result<usize, CheckFailure> {
    require_rest(run)?;
    let expected = publish::all(&run.state, run.created_at(), &run.store).map_err(|error| error.to_string())?;
    for (name, text) in &expected {
        let path = run.dir.join(name);
        let found = read_plain(&path).map_err(|error| CheckFailure::of(&path, &error))?;
        if found != *text {
            return Err(CheckFailure::Wrong(format!(
                "{} differs from what the log gives (if the runner is at work, was killed, or was an \
                 earlier version, `run` writes it anew)",
                path.display()
            )));
        }
    }
    // What the log does not give must not lie there either.
    let stranger = publish::TABLES.iter().find(|name| {
        let is_given = expected.iter().any(|(given, _)| given == *name);
        !is_given && run.dir.join(name).exists()
    });
    match stranger {
        None => Ok(expected.len()),
        Some(name) => Err(CheckFailure::Wrong(format!(
            "{} is there, but the log gives no such file",
            run.dir.join(name).display()
        ))),
    }
}
