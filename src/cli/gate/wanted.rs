//! What a gate plays and what decides it: flags over the keys of a league file over what a gate has by itself.
//!
//! May not: play.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::anyhow;
use swiss_system::word::Word;

use super::GateArgs;
use crate::cli::exit::Failure;
use crate::cli::league::{OpenedLeague, not_built, warning_of};
use crate::cli::match_agents::refuse;
use swissmatch_config as config;
use swissmatch_config::league::{GateError, GateKeys, Inconclusive};
use swissmatch_config::match_words::{MatchEvent, MatchFlags, of_two};
use swissmatch_game::alarm::BUILT_IN_WORD;
use swissmatch_game::time_control::Limit;
use swissmatch_report::gate::GateRule;
use swissmatch_run::event_file::EventFile;
use swissmatch_run::materials::openings;
use swissmatch_stats::sprt::Decimal;

/// Games at most, where nothing else is asked for.
const GAMES: u32 = 20_000;
/// The difference in Elo that is a regression, where nothing else is asked for.
const ELO0: Decimal = Decimal::from_millionths(-5_000_000);
/// The one that is wanted.
const ELO1: Decimal = Decimal::ZERO;
/// The key of what `--max-faults` says.
const MAX_FAULTS: &str = "run.max_faults";
/// The key of what `--openings` says.
const OPENINGS_KEY: &str = "mini_match.openings";
/// The openings, where nothing else is asked for: agents that play the same game each time need a new one for each pair.
const OPENINGS: &str = "unbalanced";
/// What a gate has by itself: no fault is allowed, and alarms are faults.
const OWN: [(&str, &str); 4] = [
    (MAX_FAULTS, "0"),
    ("publish.junit", "true"),
    ("engine.alarms", BUILT_IN_WORD),
    (TRUNCATED, "true"),
];
/// The key of a test that knows how many games there are.
const TRUNCATED: &str = "sprt.truncated";

/// What is played, and what decides.
pub(super) struct GatePlan {
    pub(super) event: MatchEvent,
    /// Where the event file is written, and below it the run.
    pub(super) directory: PathBuf,
    pub(super) max_time: Option<Duration>,
    pub(super) decided: GateRule,
    /// The two differences that a test is about.
    pub(super) bounds: [Decimal; 2],
    pub(super) inconclusive: Inconclusive,
    /// What is to be said beside the notes of the event.
    pub(super) notes: Vec<String>,
}

impl GatePlan {
    /// What is to be said of the machine.
    pub(super) fn warning(&self) -> Option<&'static str> {
        let loaded = config::load(Path::new("event.toml"), &self.event.event, &[]);
        warning_of(&loaded.ok()?.setup)
    }
}

impl GateArgs {
    /// What is asked for.
    pub(super) fn wanted(&self) -> Result<GatePlan, Failure> {
        if let Some(games) = self.max_games.filter(|games| games % 2 == 1) {
            return Err(Failure::usage(anyhow!(
                "--max-games {games}: both builds have each colour equally often, from each opening; write an even number, such as {}",
                games + 1
            )));
        }
        match &self.league {
            Some(file) => self.of_league(file),
            None => self.of_words(),
        }
    }

    fn of_words(&self) -> Result<GatePlan, Failure> {
        let keys = GateKeys::default();
        let named = |text: &Option<String>| text.clone().unwrap_or_default();
        let [new, old] = [named(&self.new), named(&self.old)];
        let mut flags = self.flags(&keys, &[])?;
        let asked = |flags: &MatchFlags| {
            let event = of_two([("--new", &new), ("--old", &old)], flags);
            event.map_err(|no_match| refuse(&no_match))
        };
        let directory = PathBuf::from(".");
        let event = asked(&flags)?;
        let note = self.each_opening_once(&mut flags, &keys, &directory, &event);
        let event = if note.is_some() { asked(&flags)? } else { event };
        Ok(self.with(event, &keys, directory, note.into_iter().collect()))
    }

    fn of_league(&self, file: &Path) -> Result<GatePlan, Failure> {
        let mut opened = OpenedLeague::open(Some(file))?;
        let notes = opened.on_this_machine().filter(|_| self.time.is_none());
        let keys = opened.league.gate.clone();
        let index = |flag: &str, asked: &Option<String>, key: &Option<String>| {
            let name = asked.as_ref().or(key.as_ref()).ok_or_else(|| {
                let message = "missing; name a build there, or by its flag".to_owned();
                Failure::usage(opened.league.error(&format!("gate.{flag}"), message))
            })?;
            let found = opened.league.place_of(name);
            found.map_err(|help| Failure::usage(anyhow!("--{flag} {name}: no build has this name; {help}")))
        };
        let [new, old] = [index("new", &self.new, &keys.new)?, index("old", &self.old, &keys.old)?];
        let given: Vec<&str> = OWN
            .iter()
            .map(|(key, _)| *key)
            .chain([OPENINGS_KEY])
            .filter(|key| opened.league.has_key(key))
            .collect();
        let mut flags = self.flags(&keys, &given)?;
        // The event file is beside the league file, wherever the user is.
        for file in flags.openings.iter_mut().filter(|file| Path::new(file).exists()) {
            let path = std::path::absolute(&*file).map_err(Failure::machine)?;
            *file = path.display().to_string();
        }
        let built = |index: usize| {
            let program = opened.program(index, self.quiet);
            program
                .map(|program| (index, program.command))
                .map_err(|why| not_built(&opened.league.builds[index].name, &why))
        };
        let builds = [built(new)?, built(old)?];
        let asked = |flags: &MatchFlags| {
            let event = opened.league.of_gate(&builds, flags);
            event.map_err(|none| match none {
                GateError::Match(no_match) => refuse(&no_match),
                GateError::Event(error) => Failure::usage(error),
            })
        };
        let directory = opened.directory.clone();
        let event = asked(&flags)?;
        let note = self.each_opening_once(&mut flags, &keys, &directory, &event);
        let event = if note.is_some() { asked(&flags)? } else { event };
        opened.content(&event.event, &event.names)?;
        Ok(self.with(event, &keys, directory, notes.into_iter().chain(note).collect()))
    }

    /// Where no time decides, most agents play the same game again from the same opening, which tells nothing new. So each opening is
    /// played once with each colour, unless a number of games is asked for: sets that number, and says so.
    fn each_opening_once(
        &self,
        flags: &mut MatchFlags,
        keys: &GateKeys,
        directory: &Path,
        event: &MatchEvent,
    ) -> Option<String> {
        if self.max_games.or(keys.max_games).is_some() {
            return None;
        }
        // What is wrong with it is told where it is played.
        let event = EventFile::parse(&directory.join("gate.toml"), &event.event).ok()?;
        let mut controls = event.loaded.setup.time_controls();
        if controls.any(|control| control.limit != Limit::Guard) {
            return None;
        }
        let (openings, ..) = openings(&event).ok()?;
        let games = u32::try_from(2 * openings.len()).ok().filter(|games| *games < GAMES)?;
        flags.games = Some(games);
        Some(format!(
            "games without a clock are the same each time, so there are {games} at most: each opening once with each colour \
             (--max-games)"
        ))
    }

    fn with(&self, event: MatchEvent, keys: &GateKeys, directory: PathBuf, notes: Vec<String>) -> GatePlan {
        GatePlan {
            event,
            directory,
            max_time: self.max_time.or(keys.max_time),
            decided: self.interval(keys).map_or(GateRule::ByTest, GateRule::ByInterval),
            bounds: self.bounds(keys),
            inconclusive: self.inconclusive.or(keys.inconclusive).unwrap_or_default(),
            notes,
        }
    }

    /// The bound of the interval that decides, unless a test is asked for.
    fn interval(&self, keys: &GateKeys) -> Option<Decimal> {
        let asks_for_test = self.elo0.is_some()
            || self.elo1.is_some()
            || self.alpha.is_some()
            || self.beta.is_some()
            || self.model.is_some();
        self.interval.or(keys.interval.filter(|_| !asks_for_test))
    }

    fn bounds(&self, keys: &GateKeys) -> [Decimal; 2] {
        let elo0 = self.elo0.or(keys.elo0).unwrap_or(ELO0);
        [elo0, self.elo1.or(keys.elo1).unwrap_or(ELO1)]
    }

    /// `given`: those keys of [`OWN`], and the one of openings, that the file says.
    fn flags(&self, keys: &GateKeys, given: &[&str]) -> Result<MatchFlags, Failure> {
        let has_test = self.interval(keys).is_none();
        let bounds = self.bounds(keys);
        if has_test && bounds[0] >= bounds[1] {
            return Err(Failure::usage(anyhow!(
                "--elo0 (gate.elo0) is {} and --elo1 (gate.elo1) is {}: elo0, the difference that is a regression, has to be the lower one",
                bounds[0],
                bounds[1]
            )));
        }
        let share = |flag: Option<Decimal>, key: Option<Decimal>| {
            let share = flag.or(key).filter(|_| has_test);
            share.map(|share| share.to_string())
        };
        let model = self.model.or(keys.model).filter(|_| has_test);
        let by_itself = (!given.contains(&OPENINGS_KEY)).then_some(OPENINGS);
        let openings = self.openings.as_deref().or(by_itself);
        // What the user asks for goes over what a gate has by itself.
        let own = OWN
            .iter()
            .filter(|(key, _)| !given.contains(key) && (has_test || *key != TRUNCATED));
        let own = own.map(|(key, value)| format!("{key}={value}"));
        let asked = self.max_faults.iter().map(|most| format!("{MAX_FAULTS}={most}"));
        let own = own.chain(asked);
        Ok(MatchFlags {
            games: Some(self.max_games.or(keys.max_games).unwrap_or(GAMES)),
            time: self.time.clone(),
            openings: openings.map(ToOwned::to_owned),
            sprt: has_test.then(|| format!("{},{}", bounds[0], bounds[1])),
            alpha: share(self.alpha, keys.alpha),
            beta: share(self.beta, keys.beta),
            model: model.map(|model| model.word().to_owned()),
            options: self.options.clone(),
            concurrency: self.concurrency.clone(),
            set: own.chain(self.set.iter().cloned()).collect(),
            ..MatchFlags::default()
        })
    }
}
