//! League files: `LEAGUE.toml` as written → builds, the rules for them, and the event of each night.
//!
//! Besides its own tables, a league file has those of an event file, which apply to every night. May not: touch files or the clock, or know
//! where a build was found.

mod gate;
mod keys;
#[cfg(test)]
mod tests;

use std::path::Path;

use ::toml::de::DeTable;

pub(crate) use gate::GATE_KEYS;
pub use gate::{GateKeys, Inconclusive};
pub(crate) use keys::{BUILD_KEYS, LEAGUE_KEYS};
pub use keys::{BuildKeys, LeagueFormat, LeagueKeys};

use super::error::{ConfigError, TextPlace, nearest};
use super::kind::Key;
use super::layer::{Layer, SourceText, WrittenKey, tables};
use super::match_words::{EventText, MatchEvent, MatchFlags, MatchWordsError, of_players, rank_by_games};
use super::places::TextPlaces;
use super::schema::{PLAYER_KEYS, given};
use super::start;
use super::value::{quoted, shown_beside};
use super::{LoadedEvent, load};
use swissmatch_tournament::names::are_alike;
use swissmatch_tournament::setup::PlayerKeys;

/// Tables of an event file that a league does not use.
const NOT_OF_A_LEAGUE: [&str; 13] = [
    "eligibility",
    "endpoint",
    "ladder",
    "lichess",
    "model",
    "playoff",
    "player",
    "preset",
    "prizes",
    "schedule",
    "spending",
    "sprt",
    "submissions",
];

/// Keys of an event on who meets whom, how often, and how that is ranked. They apply to nights alone, as a gate has two players.
const OF_NIGHTS: [&str; 4] = ["event.", "mini_match.games", "standings.", "swiss."];

/// A league file, parsed and checked.
#[derive(Clone, Debug)]
pub struct League {
    /// As the user named it.
    file: String,
    pub keys: LeagueKeys,
    pub gate: GateKeys,
    /// Every `[[build]]`, in the order of the file.
    pub builds: Vec<BuildKeys>,
    /// Keys of the event, as they are written.
    event: Vec<EventKey>,
    /// Where each build begins.
    places: Vec<TextPlace>,
}

#[derive(Clone, Debug)]
struct EventKey {
    /// `table.key`.
    path: String,
    /// In TOML.
    value: String,
    /// `None` if it is not in the file.
    place: Option<TextPlace>,
}

/// Reads a league file: `path` names it in messages, `text` is its content.
///
/// # Errors
/// The first problem.
pub fn load_league(path: &Path, text: &str) -> Result<League, ConfigError> {
    let file = path.display().to_string();
    let places = TextPlaces::of(text);
    let source = SourceText {
        label: &file,
        text,
        places: &places,
    };
    let root = source.parse()?;
    let layer = Layer::new(source, root.get_ref())?;
    let mut league = League {
        keys: LeagueKeys::default(),
        gate: GateKeys::default(),
        builds: Vec::new(),
        event: Vec::new(),
        places: Vec::new(),
        file: file.clone(),
    };
    let mut is_named = false;
    for entry in layer.entries() {
        let table = entry.path.split('.').next().unwrap_or_default();
        match table {
            // A table without a key.
            "league" | "gate" if entry.path == table && entry.value.get_ref().as_table().is_some() => {}
            "league" => {
                let key = find(&layer, entry, &LEAGUE_KEYS)?;
                layer.read(entry, key, &mut league.keys)?;
                is_named |= key.path == "league.name";
            }
            "build" => {}
            "gate" => layer.read(entry, find(&layer, entry, &GATE_KEYS)?, &mut league.gate)?,
            _ if NOT_OF_A_LEAGUE.contains(&table) => {
                let help = (table == "player").then(|| "write [[build]]".to_owned());
                return Err(layer.refused(entry, "a league has no such key", help));
            }
            _ if !tables().any(|known| known == table) => {
                return Err(layer.refused(entry, "unknown key", Some(unknown_table_help(&entry.path))));
            }
            _ => league.event.push(EventKey {
                path: entry.path.clone(),
                value: text[entry.value.span()].to_owned(),
                place: Some(layer.place(entry)),
            }),
        }
    }
    if !is_named {
        return Err(league.error("league.name", "missing; every league has a name".to_owned()));
    }
    for (keys, span) in layer.list_of_tables("build", "[[build]] tables, one for each build")? {
        let place = source.place(&span);
        let build = build(&layer, keys, (&file, place))?;
        if let Some(other) = league.builds.iter().find(|other| are_alike(&other.name, &build.name)) {
            let [name, other] = [
                shown_beside(&build.name, &other.name),
                shown_beside(&other.name, &build.name),
            ];
            return Err(ConfigError {
                place: Some(place),
                ..league.error("build.name", format!("{name} reads like {other}, another build"))
            });
        }
        league.builds.push(build);
        league.places.push(place);
    }
    league.check()?;
    for entry in layer.entries() {
        let named = match entry.path.as_str() {
            "gate.new" => &league.gate.new,
            "gate.old" => &league.gate.old,
            _ => continue,
        };
        if let Err(help) = league.place_of(named.as_deref().unwrap_or_default()) {
            return Err(layer.refused(entry, "no build has this name", Some(help)));
        }
    }
    Ok(league)
}

/// The help for a key in an unknown table.
fn unknown_table_help(path: &str) -> String {
    let of_league = LEAGUE_KEYS.iter().map(|key| key.path);
    let of_gate = GATE_KEYS.iter().map(|key| key.path);
    let own = ["league", "gate", "build"];
    let known: Vec<&str> = of_league.chain(of_gate).chain(own).chain(tables()).collect();
    match nearest(path, &known) {
        Some(near) => format!("did you mean {near}?"),
        None => format!(
            "a league file has [league], [[build]], [gate] and these tables of an event file: {}",
            tables()
                .filter(|table| !NOT_OF_A_LEAGUE.contains(table))
                .collect::<Vec<_>>()
                .join(", ")
        ),
    }
}

/// The key that an entry names.
fn find<T>(layer: &Layer<'_>, entry: &WrittenKey<'_>, keys: &'static [Key<T>]) -> Result<&'static Key<T>, ConfigError> {
    keys.iter().find(|key| key.path == entry.path).ok_or_else(|| {
        let paths: Vec<&str> = keys.iter().map(|key| key.path).collect();
        let help = match nearest(&entry.path, &paths) {
            Some(near) => format!("did you mean {near}?"),
            None => format!("the keys are {}", paths.join(", ")),
        };
        layer.refused(entry, "unknown key", Some(help))
    })
}

/// Reads a `[[build]]`.
fn build<'a>(layer: &Layer<'a>, keys: &'a DeTable<'a>, at: (&str, TextPlace)) -> Result<BuildKeys, ConfigError> {
    let mut build = BuildKeys::default();
    for entry in Layer::entries_of("build", keys) {
        let name = entry.path.trim_start_matches("build.");
        let of_player = PLAYER_KEYS.iter().find(|key| key.name() == name);
        match of_player.filter(|key| key.path != "player.name" && !start::is_who_plays(key.path)) {
            Some(key) => layer.read(&entry, key, &mut build.player)?,
            None => layer.read(&entry, find(layer, &entry, &BUILD_KEYS)?, &mut build)?,
        }
    }
    let wrong = |key: &str, message: &str, help: &str| ConfigError {
        file: at.0.to_owned(),
        place: Some(at.1),
        key: key.to_owned(),
        message: message.to_owned(),
        help: Some(help.to_owned()),
    };
    if build.name.is_empty() {
        return Err(wrong(
            "build.name",
            "missing",
            r#"every build has a name, such as name = "main""#,
        ));
    }
    let of_checkout = [
        ("build.commit", build.commit.is_some()),
        ("build.fall_back", build.fall_back.is_some()),
    ];
    let of_checkout = of_checkout.iter().find(|(_, is_given)| *is_given);
    match (&build.path, &build.checkout, &build.make) {
        (Some(_), None, None) if let Some((key, _)) = of_checkout => Err(wrong(
            key,
            "belongs to a checkout",
            "leave it out, or write checkout and make in place of path",
        )),
        (Some(_), None, None) | (None, Some(_), Some(_)) => {
            build.player.name.clone_from(&build.name);
            Ok(build)
        }
        (None, Some(_), None) => Err(wrong(
            "build.make",
            "missing",
            r#"write the command that builds it, such as make = "make && cp rook $OUT""#,
        )),
        (None, None, Some(_)) => Err(wrong(
            "build.checkout",
            "missing",
            "name the checkout in which make runs",
        )),
        (None, None, None) => Err(wrong(
            "build.path",
            "missing",
            "name a program that is there (path), or a checkout with the command that builds it (make)",
        )),
        (Some(_), _, _) => Err(wrong(
            "build.path",
            "a build is a program that is there, or is made from a checkout",
            "leave out path, or checkout and make",
        )),
    }
}

impl League {
    /// An error at a key, also one that is missing.
    pub fn error(&self, key: &str, message: String) -> ConfigError {
        ConfigError {
            file: self.file.clone(),
            place: None,
            key: key.to_owned(),
            message,
            help: None,
        }
    }

    /// An error at a key of the build at `index`.
    pub fn error_at_build(&self, index: usize, key: &str, message: String) -> ConfigError {
        ConfigError {
            place: self.places.get(index).copied(),
            ..self.error(key, message)
        }
    }

    /// The place of the build with this name.
    ///
    /// # Errors
    /// If there is none: a sentence on the names there are.
    pub fn place_of(&self, name: &str) -> Result<usize, String> {
        let found = self.builds.iter().position(|build| build.name == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = self.builds.iter().map(|build| build.name.as_str()).collect();
            match nearest(name, &names) {
                Some(near) => format!("did you mean {near}?"),
                None => format!("the builds are {}", names.join(", ")),
            }
        })
    }

    /// Whether the file has this key of an event.
    pub fn has_key(&self, path: &str) -> bool {
        self.event.iter().any(|key| key.path == path)
    }

    /// Limits moves to this many nodes in place of a time control, as the league wants it on a shared machine.
    pub fn set_nodes(&mut self, nodes: u64) {
        let path = "game.time_control";
        let value = quoted(&format!("nodes={nodes}"));
        match self.event.iter_mut().find(|key| key.path == path) {
            Some(key) => key.value = value,
            None => self.event.push(EventKey {
                path: path.to_owned(),
                value,
                place: None,
            }),
        }
    }

    /// Refuses keys that do not go together.
    fn check(&self) -> Result<(), ConfigError> {
        if self.keys.shared_nodes.is_some() {
            let has_own = |build: &BuildKeys| build.player.time_control.is_some() || build.player.nodes.is_some();
            if let Some(index) = self.builds.iter().position(has_own) {
                let message = "a build has limits of its own, which the nodes would not replace";
                return Err(ConfigError {
                    help: Some("leave out league.shared_nodes, or the limits of the build".to_owned()),
                    ..self.error_at_build(index, "league.shared_nodes", message.to_owned())
                });
            }
        }
        if self.gate.interval.is_some() {
            let gate = &self.gate;
            let of_test = [
                ("gate.elo0", gate.elo0.is_some()),
                ("gate.elo1", gate.elo1.is_some()),
                ("gate.alpha", gate.alpha.is_some()),
                ("gate.beta", gate.beta.is_some()),
                ("gate.model", gate.model.is_some()),
            ];
            if let Some((key, _)) = of_test.iter().find(|(_, is_given)| *is_given) {
                return Err(ConfigError {
                    help: Some("leave out one of the two".to_owned()),
                    ..self.error(
                        key,
                        "belongs to a test, and gate.interval decides without one".to_owned(),
                    )
                });
            }
        }
        let at_night = || self.builds.iter().filter(|build| build.nights);
        let count = at_night().count();
        if count < 2 {
            return Err(ConfigError {
                help: Some("write a [[build]] for each program".to_owned()),
                ..self.error(
                    "build",
                    format!("expected at least two builds that play at night, found {count}"),
                )
            });
        }
        let rounds = self.event.iter().find(|key| key.path == "swiss.rounds");
        let mains = at_night().filter(|build| build.main).count();
        match (self.keys.format, rounds, mains) {
            (LeagueFormat::Swiss, None, _) => Err(ConfigError {
                help: Some("write [swiss] and below it rounds = 5".to_owned()),
                ..self.error("swiss.rounds", "missing; a Swiss has a number of rounds".to_owned())
            }),
            (LeagueFormat::Gauntlet | LeagueFormat::RoundRobin, Some(key), _) => Err(ConfigError {
                place: key.place,
                help: Some("leave it out, or write league.format = \"swiss\"".to_owned()),
                ..self.error("swiss.rounds", "belongs to a Swiss".to_owned())
            }),
            (LeagueFormat::Gauntlet, _, 0) => Err(ConfigError {
                help: Some("write main = true at the build that meets all others".to_owned()),
                ..self.error(
                    "build.main",
                    "missing; a gauntlet has builds that meet all others".to_owned(),
                )
            }),
            (LeagueFormat::Gauntlet, _, mains) if mains == count => Err(ConfigError {
                help: Some("write league.format = \"round-robin\"".to_owned()),
                ..self.error("build.main", "every build is a main one".to_owned())
            }),
            _ => Ok(()),
        }
    }

    /// The event of a night called `night`, for the builds at these places with these programs: its text, and the loaded event.
    ///
    /// # Errors
    /// When the keys make no event; the error has its place in the league file.
    pub fn event(&self, night: &str, programs: &[(usize, String)]) -> Result<(String, LoadedEvent), ConfigError> {
        // Builds that meet all others come first.
        let mut order: Vec<&(usize, String)> = programs.iter().collect();
        order.sort_by_key(|(index, _)| !self.builds[*index].main);
        let mains = programs.iter().filter(|(index, _)| self.builds[*index].main).count();
        let mut event = EventText::new(&["A night of a league, as `swissmatch league run` wrote it."]);
        self.defaults(&mut event, mains, programs.len());
        for key in &self.event {
            event.set(&key.path, &key.value);
        }
        event.set("event.name", quoted(&format!("{}, {night}", self.keys.name)));
        event.set("publish.junit", true);
        for (index, program) in &order {
            event.player(player(&self.builds[*index].player, program));
        }
        let text = event.text();
        let names: Vec<&str> = order
            .iter()
            .map(|(index, _)| self.builds[*index].name.as_str())
            .collect();
        let loaded = load(Path::new(&self.file), &text, &[]).map_err(|error| self.told_here(error, &text, &names))?;
        Ok((text, loaded))
    }

    /// The gate between two builds, given by their places in the file and their programs. Flags override the keys of the file.
    ///
    /// # Errors
    /// When the flags make no match, or the keys no event; the error has its place in the league file.
    pub fn of_gate(&self, [new, old]: &[(usize, String); 2], flags: &MatchFlags) -> Result<MatchEvent, GateError> {
        let of_nights = |path: &str| OF_NIGHTS.iter().any(|start| path.starts_with(start));
        let keys = self.event.iter().filter(|key| !of_nights(&key.path));
        let keys: Vec<(&str, &str)> = keys.map(|key| (key.path.as_str(), key.value.as_str())).collect();
        let player = |(index, command): &(usize, String)| PlayerKeys {
            command: command.clone(),
            ..self.builds[*index].player.clone()
        };
        let event = of_players([&player(new), &player(old)], &keys, flags)?;
        let names = [new, old].map(|(index, _)| self.builds[*index].name.as_str());
        load(Path::new(&self.file), &event.event, &[]).map_err(|error| self.told_here(error, &event.event, &names))?;
        Ok(event)
    }

    /// Sets what a night has if the file says nothing.
    fn defaults(&self, event: &mut EventText, mains: usize, count: usize) {
        match self.keys.format {
            // Two builds meet, whichever is the main one.
            LeagueFormat::Gauntlet if count > 2 && (1..count).contains(&mains) => {
                event.set("swiss.rounds", quoted(&format!("gauntlet-{mains}")));
            }
            LeagueFormat::Gauntlet | LeagueFormat::RoundRobin => event.set("swiss.rounds", quoted("RR")),
            LeagueFormat::Swiss => {}
        }
        event.set("swiss.seeding", quoted("listed"));
        event.set("mini_match.games", 2);
        event.set("mini_match.openings", quoted("bundled"));
        event.set("mini_match.opening_order", quoted("random"));
        event.explain(
            "mini_match.opening_policy",
            quoted("event"),
            "every pairing plays the same openings",
        );
        event.set("game.time_control", quoted("10+0.1"));
        event.explain("game.attempts", 1, "a move over its limit loses");
        rank_by_games(event, count);
        event.explain(
            "engine.must_start",
            false,
            "a build that does not start forfeits its games",
        );
        event.explain(
            "engine.alarms",
            r#"["built-in"]"#,
            "what sanitizers and panics say counts as a fault",
        );
        event.set("run.max_faults", 0);
        event.set("run.concurrency", quoted("cores"));
    }

    /// Moves an error in an event of the league to its place in the league file. The event has this text, and players of these names.
    pub fn told_here(&self, error: ConfigError, text: &str, names: &[impl AsRef<str>]) -> ConfigError {
        let of_event = self.event.iter().find(|key| key.path == error.key);
        let of_player = || {
            let name = names.get(error.place?.player_of(text)?)?;
            let index = self.place_of(name.as_ref()).ok()?;
            self.places.get(index).copied()
        };
        ConfigError {
            place: of_event.and_then(|key| key.place).or_else(of_player),
            file: self.file.clone(),
            key: match error.key.as_str() {
                "player.command" => "build.path".to_owned(),
                _ => error.key,
            },
            ..error
        }
    }
}

/// Why there is no gate.
#[derive(Debug, thiserror::Error)]
pub enum GateError {
    #[error(transparent)]
    Match(#[from] MatchWordsError),
    #[error(transparent)]
    Event(#[from] ConfigError),
}

/// The keys of a player with this program.
fn player(keys: &PlayerKeys, program: &str) -> Vec<(&'static str, String)> {
    let player = PlayerKeys {
        command: program.to_owned(),
        ..keys.clone()
    };
    given(&player).map(|(key, value)| (key.name(), value)).collect()
}
