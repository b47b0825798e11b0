//! The short event file that `swissmatch init` writes: players, and the keys that are changed most.
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

/// A player of a new event file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitPlayer {
    /// Its name.
    pub name: String,
    /// Its program, as it will stand in the file.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// The directory that it works in; `None`: none of its own.
    pub dir: Option<String>,
}

/// Models of a service that play in a new event file, behind its other players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitModels {
    /// The address of the service.
    url: String,
    /// The environment variable with its key.
    key_env: Option<String>,
    /// The template of their prompt, as it will stand in the file.
    prompt: String,
    /// The name of each player, and what the service calls the model.
    models: Vec<(String, String)>,
}

/// A new event file: who plays, and what was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewEvent {
    /// Its players that are programs; with the models at least two, with distinct names.
    pub players: Vec<InitPlayer>,
    /// Its players that are models.
    pub models: Option<InitModels>,
    /// Which of them were not asked for, by name: agents that come with swissmatch.
    pub filled_up: Vec<String>,
    /// Name of its preset; `None`: the default one.
    pub preset: Option<String>,
    /// Games of a mini-match; `None`: so many that the event is short.
    pub games: Option<u32>,
    /// Its time control; `None`: one that makes the event short.
    pub time_control: Option<TimeControl>,
}

/// The text of a new event file, and what it says otherwise than its preset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFile {
    /// The text.
    pub text: String,
    /// What was lowered and why, a sentence or two; `None`: nothing was.
    pub lowered: Option<String>,
}

/// A prompt to begin with, for whoever has none.
pub const INIT_PROMPT: &str = include_str!("move.jinja");
/// Programs that ship with swissmatch, for event files that would have fewer than two players.
const BUNDLED: [&str; 2] = ["greedy", "random-mover"];
/// A model in whose name nothing is seen.
const NAMELESS: &str = "model";
/// What the service of this machine is called.
const HERE: &str = "local";
/// Characters of a name that an engine says; a number may come behind it.
const LONGEST_NAME: usize = 90;
/// A first event is likely to be over within this time.
const FIRST: Duration = Duration::from_secs(100);
/// Cores that it is reckoned with, so that the same file is written everywhere.
const CORES: u32 = 2;
/// Long games, in which all the time is used.
const SLOW: Assumptions = Assumptions {
    moves: 80,
    time_used: 100,
    measured: None,
};
/// Games of a mini-match that are tried, and times a move and clocks.
const GAMES: [u32; 2] = [4, 2];
const MOVE_TIMES: [&str; 2] = ["100ms/move", "50ms/move"];
const CLOCKS: [&str; 2] = ["5+0.05", "2+0.02"];
/// The same where models play, which answer in seconds.
const MODEL_GAMES: u32 = 2;
const MODEL_TIME: &str = "30s/move";
/// The keys of the file, with what is said of each.
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

    /// The same with models beside them.
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

    /// Gives each player that said one this name of its own, made fit for an event file.
    pub fn take_names(&mut self, said: &[Option<String>]) {
        for (player, said) in self.players.iter_mut().zip(said) {
            if let Some(name) = said.as_deref().and_then(name_of) {
                player.name = name;
            }
        }
        self.tell_apart();
    }

    /// Gives players names of which no two are alike.
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

    /// The event file. Where nothing else is asked for, it is played within two minutes or so by up to eight agents.
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

    /// The preset with what was asked for, and else with the first of the values that make the event short: fewer games of a
    /// mini-match, then less time, then fewer rounds of a Swiss.
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
    /// Those that the service at `url` calls so. Its key is in the variable `key_env`; `prompt` is their template, as it will stand in
    /// the file.
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

    /// What the event file calls the service: its host, in letters that such a name may have.
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

/// What tells a model from others where a service calls it by the path of its file, as llama.cpp and vLLM do: the file without its
/// directories, and without what says that it is a model. Other names have a `/` too, behind whose model it is: they stay.
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

/// A name that an engine says, or a service has, made fit for an event file; `None`: nothing of it is seen.
fn name_of(said: &str) -> Option<String> {
    let said: String = said.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
    is_seen(&said).then(|| said.trim().to_owned())
}

/// The time of games in which models play: the preset's clock, or a time a move in which they can answer.
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

/// What an event takes on the cores that are reckoned with.
fn outlook(setup: &Setup) -> Outlook {
    Outlook::new(setup, Room::on(setup, CORES))
}

/// The fewest rounds of a Swiss that leave one without a loss; `None`: the preset has no more, or a format with its own number.
fn fewest(of_preset: &Setup) -> Option<Rounds> {
    let plan = of_preset.plan();
    let rounds = of_preset.players.len().max(2).next_power_of_two().ilog2();
    let is_free = plan.format == TournamentFormat::Swiss || of_preset.swiss.rounds == Rounds::Auto;
    (is_free && rounds < plan.rounds).then_some(Rounds::Number(rounds))
}

/// What the file says less of than the preset, and how long either takes.
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
