//! The list of stages, `event.stages`.
//!
//! May not: know layers or files; see whether stages fit each other.

use super::{Key, read_rounds, write_rounds};
use crate::config::error::Problem;
use crate::config::value::{Value, array, quoted, shown};
use crate::tournament::setup::Setup;
use crate::tournament::setup::StageKeys;

pub(super) const KEY: Key<Setup> = Key::new(
    "event.stages",
    "a list of stages, as [{ format = \"7-SS\" }, { format = \"knockout\", top = 8, games = 4 }]",
    "Stages, in place of swiss.rounds: [{ format = \"7-SS\" }, { format = \"knockout\", top = 8 }], also games, time_control.",
    |s, v| read(v).map(|stages| s.event.stages = stages),
    |s| Some(write(&s.event.stages)),
);

const KEYS: [&str; 4] = ["format", "top", "games", "time_control"];

fn read(value: Value<'_>) -> Result<Vec<StageKeys>, Problem> {
    value.list()?.into_iter().map(read_one).collect()
}

fn read_one(value: Value<'_>) -> Result<StageKeys, Problem> {
    let table = value.table()?;
    let is_known = |key: &str| KEYS.contains(&key);
    if let Some((key, _)) = table.iter().find(|(key, _)| !is_known(key.get_ref())) {
        let message = format!("unknown entry {} of a stage", shown(key.get_ref()));
        let help = "a stage has format, top, games and time_control".to_owned();
        return Err(Problem::said(message).at(Some(key.span())).help(help));
    }
    let entry = |name: &str| table.get(name).map(Value::Toml);
    let said = |name: &str, expected: &str, value: Value<'_>| {
        Problem::said(format!("{name} of a stage: expected {expected}")).at(value.span())
    };
    let format = entry("format").ok_or_else(|| {
        Problem::said("a stage has no format".to_owned())
            .at(value.span())
            .help("write what it plays, such as format = \"7-SS\"".to_owned())
    })?;
    let number = |name: &str, expected: &str, most: i128| {
        let read = |value: Value<'_>| value.whole::<u32>(1..=most).map_err(|_| said(name, expected, value));
        entry(name).map(read).transpose()
    };
    let games = number("games", "1 or an even number of games up to 10000", 10_000)?;
    if let (Some(games @ 2..), Some(value)) = (games, entry("games"))
        && games % 2 == 1
    {
        return Err(said("games", "1 or an even number of games up to 10000", value));
    }
    Ok(StageKeys {
        format: read_rounds(format).map_err(|_| said("format", "a format as in swiss.rounds", format))?,
        top: number("top", "a number of players of the stage before", 10_000)?,
        games,
        time_control: entry("time_control").map(Value::time_control).transpose()?,
    })
}

fn write(stages: &[StageKeys]) -> String {
    array(stages.iter().map(|stage| {
        let entries = [
            Some(format!("format = {}", write_rounds(stage.format))),
            stage.top.map(|top| format!("top = {top}")),
            stage.games.map(|games| format!("games = {games}")),
            stage
                .time_control
                .as_ref()
                .map(|control| format!("time_control = {}", quoted(&control.to_string()))),
        ];
        format!("{{ {} }}", entries.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }))
}
