//! The short event file that `swissmatch init` writes: players, and the keys that are changed most.
//!
//! May not: look whether the programs exist.

use std::time::Duration;

use swiss_system::count;
use swiss_system::pairing::rounds::{Format, Rounds};

use super::value::{array, quoted};
use super::{KEYS, Key, PRESETS, preset};
use swissmatch_game::time_control::{Limit, TimeControl};
use swissmatch_tournament::duration::{Assumptions, Outlook, about};
use swissmatch_tournament::names::{Taken, is_seen};
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

/// A new event file: who plays, and what was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewEvent {
    /// Its players, at least two, with distinct names.
    pub players: Vec<InitPlayer>,
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

/// Programs that ship with swissmatch, for event files that would have fewer than two players.
const BUNDLED: [&str; 2] = ["greedy", "random-mover"];
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
        let players = players(engines);
        let added = players.iter().skip(engines.len());
        Self {
            filled_up: added.map(|player| player.name.clone()).collect(),
            players,
            ..Self::default()
        }
    }

    /// Gives each player that said one this name of its own, made fit for an event file.
    pub fn take_names(&mut self, said: &[Option<String>]) {
        for (player, said) in self.players.iter_mut().zip(said) {
            let said = said.iter().flat_map(|said| said.chars()).filter(|c| !c.is_control());
            let said: String = said.take(LONGEST_NAME).collect();
            if is_seen(&said) {
                player.name = said.trim().to_owned();
            }
        }
        self.players = distinct(self.players.drain(..));
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
        let named = |player: &InitPlayer| PlayerKeys {
            name: player.name.clone(),
            ..PlayerKeys::default()
        };
        self.players.iter().map(named).collect()
    }

    /// The preset with what was asked for, and else with the first of the values that make the event short: fewer games of a
    /// mini-match, then less time, then fewer rounds of a Swiss.
    fn shortened(&self, of_preset: &Setup) -> Setup {
        let mut asked = of_preset.clone();
        asked.mini_match.games = self.games.unwrap_or(asked.mini_match.games);
        asked.game.time_control = self.time_control.clone().unwrap_or(asked.game.time_control);
        let games = match self.games {
            Some(games) => vec![games],
            None => fewer_games(of_preset),
        };
        let times = match &self.time_control {
            Some(_) => vec![asked.game.time_control.clone()],
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
                    if Outlook::new(&last, CORES)
                        .likely(SLOW)
                        .is_some_and(|likely| likely <= FIRST)
                    {
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
        for (path, comment) in SHOWN {
            let key = KEYS.iter().find(|key| key.path == path).expect("a key");
            let (table, name) = key.table_and_name();
            let line = match key.write(chosen).filter(|_| path != "event.name") {
                Some(value) => format!("{name} = {value}"),
                None => format!("#{name} = \"My event\""),
            };
            text += &format!("\n[{table}]\n# {comment}\n{line}\n");
        }
        text
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

/// The fewest rounds of a Swiss that leave one without a loss; `None`: the preset has no more, or a format with its own number.
fn fewest(of_preset: &Setup) -> Option<Rounds> {
    let plan = of_preset.plan();
    let rounds = of_preset.players.len().max(2).next_power_of_two().ilog2();
    let is_free = plan.format == Format::Swiss || of_preset.swiss.rounds == Rounds::Auto;
    (is_free && rounds < plan.rounds).then_some(Rounds::Number(rounds))
}

/// What the file says less of than the preset, and how long either takes.
fn lowered(preset: &str, of_preset: &Setup, chosen: &Setup) -> Option<String> {
    let said = |setup: &Setup| {
        let games = count::of(setup.mini_match.games as usize, "game", "games");
        let rounds = count::of(setup.plan().rounds as usize, "round", "rounds");
        let likely = Outlook::new(setup, CORES).likely(Assumptions::default());
        let takes = likely.map_or_else(|| "of unknown length".to_owned(), |time| about(time, None));
        let time = &setup.game.time_control;
        format!("{rounds} with mini-matches of {games} at {time}, {takes} on {CORES} cores")
    };
    let is_other = |key: &&Key<Setup>| key.write(of_preset) != key.write(chosen);
    let keys: Vec<&str> = KEYS.iter().filter(is_other).map(|key| key.path).collect();
    let (before, after) = (Outlook::new(of_preset, CORES), Outlook::new(chosen, CORES));
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

/// The engines with distinct names, and at least two of them.
fn players(engines: &[InitPlayer]) -> Vec<InitPlayer> {
    let missing = BUNDLED.len().saturating_sub(engines.len());
    let bundled = BUNDLED[..missing].iter().map(|name| InitPlayer {
        name: (*name).to_owned(),
        command: (*name).to_owned(),
        args: Vec::new(),
        dir: None,
    });
    distinct(engines.iter().cloned().chain(bundled))
}

/// The same with names of which no two are alike.
fn distinct(players: impl Iterator<Item = InitPlayer>) -> Vec<InitPlayer> {
    let mut taken = Taken::new();
    let named = |player: InitPlayer| {
        let name = (1_u32..)
            .map(|number| {
                if number == 1 {
                    player.name.clone()
                } else {
                    format!("{} {number}", player.name)
                }
            })
            .find(|name| taken.take(name, ()).is_ok())
            .unwrap_or_default();
        InitPlayer { name, ..player }
    };
    players.map(named).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{Loaded, PLAYER_KEYS, load};

    fn engines(names: &[&str]) -> Vec<InitPlayer> {
        names
            .iter()
            .map(|name| InitPlayer {
                name: (*name).to_owned(),
                command: format!("./{name}"),
                args: Vec::new(),
                dir: None,
            })
            .collect()
    }

    fn loaded(text: &str) -> Loaded {
        load(Path::new("event.toml"), text, &[]).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    fn names(text: &str) -> Vec<String> {
        let loaded = loaded(text);
        loaded.setup.players.into_iter().map(|player| player.name).collect()
    }

    fn written(names: &[&str]) -> String {
        NewEvent::of_players(&engines(names)).file().text
    }

    /// What no player of this event may have: it grants no byes, has no sections, no GPUs, and only two players.
    const NEED_MORE: [&str; 4] = ["byes", "section", "house", "devices"];

    #[test]
    fn loads_as_it_is_and_with_every_key_taken() {
        assert_eq!(names(&written(&[])), ["greedy", "random-mover"]);
        assert_eq!(names(&written(&["X"])), ["X", "greedy"]);
        let filled_up = |names: &[&str]| NewEvent::of_players(&engines(names)).filled_up;
        assert_eq!(filled_up(&[]), ["greedy", "random-mover"]);
        assert_eq!(
            (filled_up(&["X"]), filled_up(&["X", "Y"])),
            (vec!["greedy".to_owned()], Vec::new())
        );
        assert_eq!(names(&written(&["X", "x", "X", "Y"])), ["X", "x 2", "X 3", "Y"]);
        let taken = written(&["A", "B"]).replace("\n#name", "\nname");
        assert!(taken.contains("\nname = \"My event\"") && taken.contains("\ngames = 4\n"));
        assert_eq!(names(&taken), ["A", "B"]);
        // Every key of the preset, and an example of each that a player can have.
        let all = crate::preset_text("none").expect("it is there");
        let examples = PLAYER_KEYS.iter().filter_map(|key| Some((key.name(), key.example?)));
        let examples = examples.filter(|(name, _)| !NEED_MORE.contains(name));
        let examples: String = examples
            .map(|(name, example)| format!("{name} = {example}\n"))
            .collect();
        assert!(all.contains("\nmust_start = true\n") && examples.contains("rating = 1800\n"));
        let players = "[[player]]\nname = \"A\"\ncommand = \"./A\"\n[[player]]\nname = \"B\"\ncommand = \"./B\"\n";
        assert_eq!(names(&format!("{all}{players}{examples}")), ["A", "B"]);
    }

    #[test]
    fn players_have_the_names_that_their_engines_say() {
        let mut event = NewEvent::of_players(&engines(&["python3", "python3", "x"]));
        let said = |name: &str| Some(name.to_owned());
        event.take_names(&[said("Alpha 3"), said("alpha 3 "), said("\u{1b} ")]);
        let names: Vec<&str> = event.players.iter().map(|player| player.name.as_str()).collect();
        assert_eq!(names, ["Alpha 3", "alpha 3 2", "x"]);
        event.take_names(&[said(&"ü".repeat(200)), None, None]);
        loaded(&event.file().text);
    }

    /// Long games of up to eight agents on two cores, by every preset that has rounds of a Swiss.
    #[test]
    fn a_first_event_is_short() {
        for count in 2..=8 {
            let players: Vec<String> = (0..count).map(|number| format!("P{number}")).collect();
            let players: Vec<&str> = players.iter().map(String::as_str).collect();
            for preset in ["global-chess-challenge", "none", "us-chess", "immortal-game"] {
                let event = NewEvent {
                    preset: Some(preset.to_owned()),
                    ..NewEvent::of_players(&engines(&players))
                };
                let file = event.file();
                let setup = loaded(&file.text).setup;
                let likely = Outlook::new(&setup, CORES).likely(SLOW);
                assert!(
                    likely.is_some_and(|likely| likely <= FIRST),
                    "{preset}, {count} players: {likely:?}\n{}",
                    file.text
                );
                assert!(file.lowered.is_some(), "{preset}");
            }
        }
    }

    #[test]
    fn what_is_asked_for_is_written() {
        let event = NewEvent {
            games: Some(40),
            time_control: "30s/move".parse().ok(),
            ..NewEvent::of_players(&engines(&["A", "B"]))
        };
        let file = event.file();
        let setup = loaded(&file.text).setup;
        assert_eq!(setup.mini_match.games, 40);
        assert_eq!(setup.game.time_control.to_string(), "30s/move");
        assert_eq!(file.lowered, None);
    }

    #[test]
    fn what_is_lowered_is_said() {
        let file = NewEvent::of_players(&engines(&["A", "B"])).file();
        insta::assert_snapshot!(file.lowered.unwrap_or_default(), @"
        The preset global-chess-challenge plays 1 round with mini-matches of 40 games at 30s/move, about 10 h 00 min on 2 cores.
        For a first try, the event file asks for less: 1 round with mini-matches of 4 games at 100ms/move, about 30 s on 2 cores.
        To play by the preset, remove these keys from the file: mini_match.games, game.time_control.
        ");
    }
}
