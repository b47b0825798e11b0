//! The short event file that `swissmatch init` writes: players, and the keys that are changed most often.
//!
//! May not: look whether the programs exist.

use std::time::Duration;

use swiss_system::count;
use swiss_system::pairing::rounds::{Rounds, TournamentFormat};

use super::value::{array, quoted};
use super::{KEYS, Key, PRESETS, preset};
use swissmatch_game::time_control::{Limit, TimeControl};
use swissmatch_tournament::duration::{Assumptions, Outlook, Room, about};
use swissmatch_tournament::names::{TakenNames, is_seen};
use swissmatch_tournament::setup::{PlayerKeys, Setup};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitPlayer {
    pub name: String,
    /// As it will stand in the file.
    pub command: String,
    pub args: Vec<String>,
    /// The directory that it works in; `None` if it needs none of its own.
    pub dir: Option<String>,
}

/// Models of a service that play in a new event file, after its other players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitModels {
    url: String,
    /// The environment variable with the service's key.
    key_env: Option<String>,
    /// The template of their prompt, as it will stand in the file.
    prompt: String,
    /// The name of each player, and the service's name of the model.
    models: Vec<(String, String)>,
}

/// A new event file: its players, and what was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewEvent {
    /// Players that are programs, with distinct names; together with the models there are at least two.
    pub players: Vec<InitPlayer>,
    /// Players that are models.
    pub models: Option<InitModels>,
    /// Names of players that were not asked for: agents that come with swissmatch.
    pub filled_up: Vec<String>,
    /// Name of its preset; `None`: the default one.
    pub preset: Option<String>,
    /// Games of a mini-match; `None`: few enough for a short event.
    pub games: Option<u32>,
    /// Its time control; `None`: one that makes the event short.
    pub time_control: Option<TimeControl>,
}

/// The text of a new event file, and how it differs from its preset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFile {
    pub text: String,
    /// What was lowered and why, in a sentence or two; `None` if nothing was.
    pub lowered: Option<String>,
}

/// A prompt to start from.
pub const INIT_PROMPT: &str = include_str!("move.jinja");
/// Programs that ship with swissmatch, for event files that would have fewer than two players.
const BUNDLED: [&str; 2] = ["greedy", "random-mover"];
/// The name of a model whose own name has no visible character.
const NAMELESS: &str = "model";
/// The name of a service on this machine.
const HERE: &str = "local";
/// Longest name that is taken from an engine; a number may be added.
const LONGEST_NAME: usize = 90;
/// Likely length of a first event, at most.
const FIRST: Duration = Duration::from_secs(100);
/// Assumed number of cores, so that the same file is written everywhere.
const CORES: u32 = 2;
/// Assumes long games, in which all the time is used.
const SLOW: Assumptions = Assumptions {
    moves: 80,
    time_used: 100,
    measured: None,
};
/// Games of a mini-match that are tried, and times for moves and clocks.
const GAMES: [u32; 2] = [4, 2];
const MOVE_TIMES: [&str; 2] = ["100ms/move", "50ms/move"];
const CLOCKS: [&str; 2] = ["5+0.05", "2+0.02"];
/// Like [`GAMES`], but if models play, which answer in seconds.
const MODEL_GAMES: u32 = 2;
const MODEL_TIME: &str = "30s/move";
/// The keys of the file, each with its comment.
const SHOWN: [(&str, &str); 5] = [
    (
        "event.name",
        "Name of the event, shown everywhere; if left out, the name of this file.",
    ),
    (
        "swiss.rounds",
        "A number, \"auto\", \"RR\" (everybody meets everybody), \"knockout\": docs/formats.md.",
    ),
    (
        "mini_match.games",
        "How many games two players play in one round: 1 or an even number.",
    ),
    (
        "game.time_control",
        "\"1s/move\", \"10+0.1\", \"40/90 SD/30 +30\": docs/time-controls.md.",
    ),
    (
        "run.concurrency",
        "How many games are played at once: a number, or \"cores\".",
    ),
];

impl NewEvent {
    /// The players with distinct names, filled up to two with agents that ship, so that the file can be played as it is.
    pub fn of_players(engines: &[InitPlayer]) -> Self {
        Self::of(engines, None)
    }

    /// Like [`Self::of_players`], but with models beside them.
    pub fn of(engines: &[InitPlayer], models: Option<InitModels>) -> Self {
        let asked = engines.len() + models.as_ref().map_or(0, |models| models.models.len());
        let bundled = BUNDLED[..BUNDLED.len().saturating_sub(asked)]
            .iter()
            .map(|name| InitPlayer {
                name: (*name).to_owned(),
                command: (*name).to_owned(),
                args: Vec::new(),
                dir: None,
            });
        let mut event = Self {
            players: engines.iter().cloned().chain(bundled).collect(),
            models,
            ..Self::default()
        };
        event.tell_apart();
        let added = event.players.iter().skip(engines.len());
        event.filled_up = added.map(|player| player.name.clone()).collect();
        event
    }

    /// Gives each player the name that its engine says, if any, made fit for an event file.
    pub fn take_names(&mut self, said: &[Option<String>]) {
        for (player, said) in self.players.iter_mut().zip(said) {
            if let Some(name) = said.as_deref().and_then(name_of) {
                player.name = name;
            }
        }
        self.tell_apart();
    }

    /// Makes the names of all players distinct.
    fn tell_apart(&mut self) {
        let models = self.models.iter_mut().flat_map(|models| &mut models.models);
        let names = self.players.iter_mut().map(|player| &mut player.name);
        let mut taken = TakenNames::new();
        for name in names.chain(models.map(|(name, _)| name)) {
            let numbered = |number: u32| match number {
                1 => name.clone(),
                _ => format!("{name} {number}"),
            };
            let free = (1..).map(numbered).find(|name| taken.take(name, ()).is_ok());
            *name = free.unwrap_or_default();
        }
    }

    /// The event file. If nothing else is asked for, up to eight agents play it in about two minutes.
    pub fn file(&self) -> NewFile {
        let (default, _) = PRESETS[0];
        let name = self.preset.as_deref().unwrap_or(default);
        let of_preset = Setup {
            players: self.entries(),
            ..preset::setup(name).unwrap_or_default()
        };
        let chosen = self.shortened(&of_preset);
        NewFile {
            text: self.text(name, &chosen),
            lowered: lowered(name, &of_preset, &chosen),
        }
    }

    fn entries(&self) -> Vec<PlayerKeys> {
        let models = self.models.iter().flat_map(|models| &models.models);
        let names = self.players.iter().map(|player| &player.name);
        let named = |name: &String| PlayerKeys {
            name: name.clone(),
            ..PlayerKeys::default()
        };
        names.chain(models.map(|(name, _)| name)).map(named).collect()
    }

    /// The preset with what was asked for; for the rest, the first values that make the event short: fewer games of a mini-match, then less
    /// time, then fewer rounds of a Swiss.
    fn shortened(&self, of_preset: &Setup) -> Setup {
        let mut asked = of_preset.clone();
        asked.mini_match.games = self.games.unwrap_or(asked.mini_match.games);
        asked.game.time_control = self.time_control.clone().unwrap_or(asked.game.time_control);
        let games = match self.games {
            Some(games) => vec![games],
            None if self.models.is_some() => vec![MODEL_GAMES.min(of_preset.mini_match.games)],
            None => fewer_games(of_preset),
        };
        let times = match &self.time_control {
            Some(_) => vec![asked.game.time_control.clone()],
            None if self.models.is_some() => vec![time_of_models(of_preset)],
            None => times(of_preset),
        };
        let rounds = [Some(of_preset.swiss.rounds), fewest(of_preset)];
        let mut last = asked;
        for rounds in rounds.into_iter().flatten() {
            for time in &times {
                for games in &games {
                    last.swiss.rounds = rounds;
                    last.game.time_control = time.clone();
                    last.mini_match.games = *games;
                    if outlook(&last).likely(SLOW).is_some_and(|likely| likely <= FIRST) {
                        return last;
                    }
                }
            }
        }
        last
    }

    fn text(&self, preset: &str, chosen: &Setup) -> String {
        let mut text = format!(
            "# An event file of swissmatch. For every key, see docs/keys.md, or run `swissmatch config` on this file.\n\
             # The rules of the event; `swissmatch config --preset {preset}` shows them.\n\
             preset = {}\n",
            quoted(preset)
        );
        if let Some(models) = &self.models {
            text += &models.service();
        }
        for (path, comment) in SHOWN {
            let key = KEYS.iter().find(|key| key.path == path).expect("a key");
            let (table, name) = key.table_and_name();
            let line = match key.write(chosen).filter(|_| path != "event.name") {
                Some(value) => format!("{name} = {value}"),
                None => format!("#{name} = \"My event\""),
            };
            text += &format!("\n[{table}]\n# {comment}\n{line}\n");
        }
        for InitPlayer {
            name,
            command,
            args,
            dir,
        } in &self.players
        {
            text += &format!("\n[[player]]\nname = {}\ncommand = {}\n", quoted(name), quoted(command));
            if let Some(dir) = dir {
                text += &format!("dir = {}\n", quoted(dir));
            }
            if !args.is_empty() {
                text += &format!("args = {}\n", array(args.iter().map(|arg| quoted(arg))));
            }
        }
        text.extend(self.models.iter().map(InitModels::players));
        text
    }
}

impl InitModels {
    /// The models that the service at `url` calls by these names. Its key is in the variable `key_env`; `prompt` is their template, as it
    /// will stand in the file.
    pub fn new(url: &str, key_env: Option<&str>, prompt: &str, models: Vec<String>) -> Self {
        let named = |model: String| {
            let name = name_of(short(&model)).unwrap_or_else(|| NAMELESS.to_owned());
            (name, model)
        };
        Self {
            url: url.to_owned(),
            key_env: key_env.map(str::to_owned),
            prompt: prompt.to_owned(),
            models: models.into_iter().map(named).collect(),
        }
    }

    /// The name of the service in the event file: its host, in letters that such a name may have.
    fn endpoint(&self) -> String {
        let after_scheme = self.url.split_once("://").map_or(self.url.as_str(), |(_, rest)| rest);
        let host = after_scheme.split('/').next().unwrap_or_default();
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => host,
        };
        if ["localhost", "[::1]"].contains(&name) || name.starts_with("127.") {
            return HERE.to_owned();
        }
        let fit = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let name: String = name.chars().map(fit).take(LONGEST_NAME).collect();
        let name = name.trim_matches('-');
        if name.is_empty() { HERE } else { name }.to_owned()
    }

    fn service(&self) -> String {
        let key = self.key_env.iter();
        let key: String = key
            .map(|variable| format!("key_env = {}\n", quoted(variable)))
            .collect();
        format!(
            "\n[endpoint.{}]\nurl = {}\n{key}\
             # What a million tokens cost, so that the run tells what it costs, and [spending] can bound it: docs/models.md.\n\
             #price = {{ input = 0.15, output = 0.60 }}\n\
             \n[model]\n# The template of the prompt; docs/models.md has its variables.\nprompt = {}\n",
            self.endpoint(),
            quoted(&self.url),
            quoted(&self.prompt)
        )
    }

    fn players(&self) -> String {
        let endpoint = self.endpoint();
        let player = |(name, model): &(String, String)| {
            let model = format!("{endpoint}:{model}");
            format!("\n[[player]]\nname = {}\nmodel = {}\n", quoted(name), quoted(&model))
        };
        self.models.iter().map(player).collect()
    }
}

/// The distinctive part of a model's name if the service uses the path of its file, as llama.cpp and vLLM do: the file without directories
/// and without the ending of model files. Other names keep their `/`, which stands behind the owner of the model.
fn short(model: &str) -> &str {
    const ENDING: &str = ".gguf";
    let before = model.len().saturating_sub(ENDING.len());
    let ends = model.get(before..).is_some_and(|end| end.eq_ignore_ascii_case(ENDING));
    if !ends && !model.starts_with(['/', '.', '~']) {
        return model;
    }
    let whole = if ends { &model[..before] } else { model };
    let file = whole
        .trim_end_matches('/')
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or_default();
    if file.is_empty() { model } else { file }
}

/// A name from an engine or a service, made fit for an event file; `None` if none of it is visible.
fn name_of(said: &str) -> Option<String> {
    let said: String = said.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
    is_seen(&said).then(|| said.trim().to_owned())
}

/// The time of games in which models play: the preset's clock, or a time for each move in which they can answer.
fn time_of_models(of_preset: &Setup) -> TimeControl {
    match of_preset.game.time_control.limit {
        Limit::MoveTime(_) | Limit::Guard => MODEL_TIME.parse().expect("a time control"),
        Limit::Clock(_) | Limit::Hourglass(_) => of_preset.game.time_control.clone(),
    }
}

/// Games of a mini-match to be tried: fewer than the preset's, or these.
fn fewer_games(of_preset: &Setup) -> Vec<u32> {
    let preset = of_preset.mini_match.games;
    let fewer: Vec<u32> = GAMES.into_iter().filter(|games| *games < preset).collect();
    match fewer.is_empty() {
        true => vec![preset],
        false => fewer,
    }
}

/// Times to be tried: of the kind of the preset's.
fn times(of_preset: &Setup) -> Vec<TimeControl> {
    let texts = match of_preset.game.time_control.limit {
        Limit::MoveTime(_) | Limit::Guard => MOVE_TIMES,
        Limit::Clock(_) | Limit::Hourglass(_) => CLOCKS,
    };
    let times = texts.map(|text| text.parse().expect("a time control"));
    times.into()
}

/// The length of an event on the assumed cores.
fn outlook(setup: &Setup) -> Outlook {
    Outlook::new(setup, Room::on(setup, CORES))
}

/// The fewest rounds of a Swiss that leave one player without a loss; `None` if the preset has no more, or a format with its own number.
fn fewest(of_preset: &Setup) -> Option<Rounds> {
    let plan = of_preset.plan();
    let rounds = of_preset.players.len().max(2).next_power_of_two().ilog2();
    let is_free = plan.format == TournamentFormat::Swiss || of_preset.swiss.rounds == Rounds::Auto;
    (is_free && rounds < plan.rounds).then_some(Rounds::Number(rounds))
}

/// The values that the file lowers from the preset, and how long either takes.
fn lowered(preset: &str, of_preset: &Setup, chosen: &Setup) -> Option<String> {
    let said = |setup: &Setup| {
        let games = count::of(setup.mini_match.games as usize, "game", "games");
        let rounds = count::of(setup.plan().rounds as usize, "round", "rounds");
        let likely = outlook(setup).likely(Assumptions::default());
        let takes = likely.map_or_else(|| "of unknown length".to_owned(), |time| about(time, None));
        let time = &setup.game.time_control;
        format!("{rounds} with mini-matches of {games} at {time}, {takes} on {CORES} cores")
    };
    let is_other = |key: &&Key<Setup>| key.write(of_preset) != key.write(chosen);
    let keys: Vec<&str> = KEYS.iter().filter(is_other).map(|key| key.path).collect();
    let (before, after) = (outlook(of_preset), outlook(chosen));
    let is_shorter = after.likely(SLOW) < before.likely(SLOW);
    is_shorter.then(|| {
        format!(
            "The preset {preset} plays {}.\nFor a first try, the event file asks for less: {}.\n\
             To play by the preset, remove these keys from the file: {}.",
            said(of_preset),
            said(chosen),
            keys.join(", ")
        )
    })
}

#[cfg(test)]
mod tests;
