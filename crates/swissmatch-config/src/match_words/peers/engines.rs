//! The engines: `-engine`, `-each`, and those of `-quick`.
//!
//! May not: look for a program.

use std::collections::BTreeMap;
use std::path::Path;

use super::catalogue;
use super::reading::Reading;
use crate::match_words::agent::{Agent, ValueText, below, checked, distinct_names, file_name, renamed, set_option};
use crate::match_words::event::EventText;
use crate::match_words::limits::{self, AgentLimits};
use crate::match_words::{Dialect, Surroundings, tell_less};
use crate::value::{quoted, write_table};
use swissmatch_game::time_control::{Limit, TimeControl, write_duration};

/// Words of which the last one counts.
const SINGLE: [&str; 11] = [
    "name",
    "cmd",
    "dir",
    "args",
    "tc",
    "st",
    "nodes",
    "depth",
    "plies",
    "timemargin",
    "restart",
];
/// Most milliseconds of a margin.
const MOST_MARGIN: i64 = 86_400_000;
/// The time control of `-quick`.
const QUICK: &str = "tc=10+0.1";

/// One engine as its words say.
#[derive(Clone, Debug, Default)]
struct Engine {
    agent: Agent,
    limits: AgentLimits,
    dir: String,
    /// In milliseconds.
    margin: i64,
    restarts: bool,
    ponders: bool,
    /// Whether a word for its limit was invalid, which has been reported.
    has_wrong_limit: bool,
}

/// All engines.
#[derive(Clone, Debug, Default)]
pub(super) struct Engines {
    engines: Vec<Engine>,
    /// Options of `-each`.
    options: BTreeMap<String, String>,
    controls: Vec<TimeControl>,
}

pub(super) fn read(reading: &mut Reading<'_>, around: &Surroundings) -> Engines {
    let each = reading.words("-each");
    let mut own: Vec<Vec<&str>> = Vec::new();
    for given in &reading.given {
        match given.option {
            "-engine" => own.push(given.values.clone()),
            "-quick" => own.extend(of_quick(&given.values).map(|cmd| vec![cmd, QUICK])),
            _ => {}
        }
    }
    quick(reading);
    if own.len() < 2 {
        let found = format!("{} of at least two", own.len());
        reading.wrong("-engine", found, "`-engine cmd=A -engine cmd=B`");
    }
    let mut read = Engines::default();
    for words in &own {
        let mut engine = Engine::default();
        for word in words.iter().copied() {
            apply(&mut engine, word, "-engine", reading, around);
        }
        for word in each.iter().copied() {
            tell_of_a_change(words, word, reading);
            // Its options apply to all engines.
            if !word.starts_with("option.") {
                apply(&mut engine, word, "-each", reading, around);
            }
        }
        read.engines.push(engine);
    }
    for word in each {
        read.option_of_each(word, reading);
    }
    let mut unlimited = Vec::new();
    for engine in &mut read.engines {
        settle(engine, reading);
        let control = engine.limits.control();
        match control {
            Ok(control) => read.controls.push(control),
            Err(_) if engine.has_wrong_limit => {}
            Err(why) => unlimited.push((words_of(&engine.agent), why)),
        }
        let is_bounded = engine.limits.nodes.is_some() || engine.limits.depth.is_some();
        if engine.ponders && is_bounded {
            reading.refuse_case(&words_of(&engine.agent), "-engine", "ponder with");
            engine.ponders = false;
        }
    }
    let is_of_all = unlimited.len() == own.len() && unlimited.windows(2).all(|pair| pair[0].1 == pair[1].1);
    if is_of_all {
        unlimited.truncate(1);
    }
    for (words, why) in unlimited {
        let words = if is_of_all { "every engine" } else { &words };
        reading.wrong(words, why, "`tc=10+0.1`, `st=1`, `nodes=5000` or `depth=8`");
    }
    let is_hourglass = |control: &TimeControl| matches!(control.limit, Limit::Hourglass(_));
    if read.controls.iter().any(is_hourglass) && !all_alike(&read.controls) {
        reading.wrong(
            "tc=hg",
            "an hourglass needs the same time for both sides",
            "the same for all engines",
        );
    }
    read
}

impl Engines {
    pub(super) fn count(&self) -> usize {
        self.engines.len()
    }

    /// The time control of all engines, if they share one.
    pub(super) fn control(&self) -> Option<&TimeControl> {
        self.controls.first().filter(|_| all_alike(&self.controls))
    }

    fn option_of_each(&mut self, word: &str, reading: &mut Reading<'_>) {
        let Some((name, value)) = word.strip_prefix("option.").and_then(|option| option.split_once('=')) else {
            return;
        };
        if is_chess960(name, value, reading, &format!("-each {word}")) {
            return;
        }
        if let Err(why) = set_option(&mut self.options, name, value) {
            reading.wrong(&format!("-each {word}"), why, "");
        }
        for engine in &mut self.engines {
            engine.agent.options.retain(|own, _| !own.eq_ignore_ascii_case(name));
        }
    }

    /// Writes the engines and their common settings; gives their names.
    pub(super) fn write(&self, reading: &mut Reading<'_>, event: &mut EventText) -> Vec<String> {
        let agents: Vec<Agent> = self.engines.iter().map(|engine| engine.agent.clone()).collect();
        let names = distinct_names(&agents);
        reading.notes.extend(renamed(&agents, &names));
        let shared = self.control();
        if let Some(control) = shared {
            let comment = match control.limit {
                Limit::Guard => "a move may take 60 s, which engines are not told",
                _ => "",
            };
            event.explain("game.time_control", quoted(&control.to_string()), comment);
        }
        event.explain("game.attempts", 1, "a move over its limit loses");
        if let Some(less) = tell_less(event, &self.controls) {
            reading.notes.push(format!(
                "engines are told {} less than a time per move, so that a move which ends a little late is no loss \
                 (game.move_overhead)",
                write_duration(less)
            ));
        }
        let same = |value: fn(&Engine) -> bool| self.engines.iter().all(value);
        let margin = self.engines.first().map_or(0, |engine| engine.margin);
        let has_margin = self.engines.iter().all(|engine| engine.margin == margin);
        if has_margin && margin > 0 {
            event.set("game.margin", quoted(&format!("{margin}ms")));
        }
        let (all_ponder, all_restart) = (same(|engine| engine.ponders), same(|engine| engine.restarts));
        if all_ponder && !self.engines.is_empty() {
            event.set("game.ponder", true);
        }
        if all_restart && !self.engines.is_empty() {
            event.set("engine.restart", quoted("game"));
        }
        if !self.options.is_empty() {
            event.set("engine.options", write_table(&self.options));
        }
        for (index, (engine, name)) in self.engines.iter().zip(&names).enumerate() {
            let mut agent = engine.agent.clone();
            let own = [
                (
                    "time_control",
                    self.controls
                        .get(index)
                        .filter(|_| shared.is_none())
                        .map(|own| quoted(&own.to_string())),
                ),
                ("margin", (!has_margin).then(|| quoted(&format!("{}ms", engine.margin)))),
                ("ponder", (!all_ponder && engine.ponders).then(|| "true".to_owned())),
                ("restart", (!all_restart && engine.restarts).then(|| quoted("game"))),
                ("dir", (!engine.dir.is_empty()).then(|| quoted(&engine.dir))),
            ];
            agent
                .keys
                .extend(own.into_iter().filter_map(|(key, value)| Some((key, value?))));
            event.player(agent.player(name));
        }
        names
    }
}

fn of_quick<'a>(words: &[&'a str]) -> impl Iterator<Item = &'a str> {
    words.iter().copied().filter(|word| word.starts_with("cmd="))
}

/// Reports what `-quick` lacks.
fn quick(reading: &mut Reading<'_>) {
    if !reading.has("-quick") {
        return;
    }
    let engines = of_quick(&reading.words("-quick")).count();
    if engines != 2 || reading.value("-quick", "book").is_none() {
        reading.wrong(
            "-quick",
            "it takes two programs and openings",
            "`-quick cmd=A cmd=B book=FILE`",
        );
    }
}

/// Applies one word of an engine.
fn apply(engine: &mut Engine, word: &str, option: &str, reading: &mut Reading<'_>, around: &Surroundings) {
    let whole = format!("{option} {word}");
    let (key, value) = word.split_once('=').unwrap_or((word, ""));
    let example = limits::example(key);
    if let Some(example) = example.filter(|_| value.is_empty()) {
        engine.has_wrong_limit = true;
        return reading.wrong(&whole, "nothing follows the `=`", example);
    }
    let said = match key {
        "name" => checked("name", ValueText::Toml(&quoted(value))).map(|_| engine.agent.name = Some(value.to_owned())),
        "cmd" => {
            checked("command", ValueText::Toml(&quoted(value))).map(|_| value.clone_into(&mut engine.agent.command))
        }
        "dir" => checked("dir", ValueText::Toml(&quoted(value))).map(|_| value.clone_into(&mut engine.dir)),
        "args" => match shlex::split(value) {
            Some(args) => {
                engine.agent.args = args;
                Ok(())
            }
            None => Err("a quote is not closed".to_owned()),
        },
        "arg" => {
            engine.agent.args.push(value.to_owned());
            Ok(())
        }
        "tc" => limits::clock(value).map(|clock| engine.limits.clock = clock),
        "st" => limits::move_time(value).map(|time| engine.limits.move_time = time),
        "nodes" => limits::nodes(value).map(|nodes| engine.limits.nodes = nodes),
        "depth" | "plies" => limits::depth(value).map(|depth| engine.limits.depth = depth),
        "timemargin" => {
            if let Some(margin) = reading.whole(&whole, value, 0..=MOST_MARGIN) {
                engine.margin = margin;
            }
            Ok(())
        }
        "restart" => match value {
            "on" | "off" | "auto" => {
                engine.restarts = value == "on";
                Ok(())
            }
            _ => Err("expected on, off or auto".to_owned()),
        },
        "proto" => {
            if value != "uci" {
                reading.wrong_case(&whole, "-engine", "proto=xboard");
            }
            Ok(())
        }
        "ponder" => {
            engine.ponders = true;
            Ok(())
        }
        "conf" => configure(engine, value, &whole, reading, around),
        key => match key.strip_prefix("option.") {
            Some(name) if is_chess960(name, value, reading, &whole) => Ok(()),
            Some(name) => engine.agent.set_option(name, value),
            None => Err("it is not read".to_owned()),
        },
    };
    if let Err(why) = said {
        engine.has_wrong_limit |= example.is_some();
        reading.wrong(&whole, why, "");
    }
}

/// Uses an engine of `engines.json` in place of what was said so far.
fn configure(
    engine: &mut Engine,
    name: &str,
    whole: &str,
    reading: &mut Reading<'_>,
    around: &Surroundings,
) -> Result<(), String> {
    let found = catalogue::find(around.engines_json.as_deref(), name)?;
    let mut configured = Engine {
        limits: engine.limits.clone(),
        margin: engine.margin,
        restarts: found.restart == "on",
        has_wrong_limit: false,
        ponders: found.ponder,
        dir: found.working_directory.clone(),
        agent: Agent {
            name: Some(found.name.clone()),
            command: found.command.trim().to_owned(),
            ..Agent::default()
        },
    };
    checked("name", ValueText::Toml(&quoted(&found.name)))?;
    checked("command", ValueText::Toml(&quoted(found.command.trim())))?;
    if !found.working_directory.is_empty() {
        checked("dir", ValueText::Toml(&quoted(&found.working_directory)))?;
    }
    if !matches!(found.protocol.as_str(), "uci" | "") {
        reading.wrong_case(whole, "-engine", "proto=xboard");
    }
    for (is_set, word, field) in [
        (!found.stderr_file.is_empty(), "stderr", "stderrFile"),
        (!found.init_strings.is_empty(), "initstr", "initStrings"),
        (found.whitepov, "whitepov", "whitepov"),
        (found.validate_claims == Some(false), "trust", "validateClaims"),
        (found.is_scaled(), "tscale", "timeoutScaleFactor"),
        (found.debug, "debug", "debug"),
    ] {
        if is_set {
            reading.refuse_word(&format!("{whole} ({field})"), "-engine", word);
        }
    }
    for (name, value) in found.options() {
        if !is_chess960(name, &value, reading, whole) {
            configured.agent.set_option(name, &value)?;
        }
    }
    *engine = configured;
    Ok(())
}

/// Settles what depends on several words: the program's path, and its name if none was given.
fn settle(engine: &mut Engine, reading: &mut Reading<'_>) {
    let agent = &mut engine.agent;
    if agent.command.is_empty() {
        let name = agent.name.clone().unwrap_or_default();
        reading.wrong(&format!("-engine {name}"), "it names no program", "`cmd=PROGRAM`");
        return;
    }
    let last = file_name(&agent.command);
    let stem = Path::new(last)
        .file_stem()
        .map_or(last.into(), |stem| stem.to_string_lossy());
    agent.default_name = match reading.dialect {
        Dialect::Fastchess => stem.into_owned(),
        Dialect::Cutechess | Dialect::Own => last.to_owned(),
    };
    // cutechess-cli looks for a bare name regardless of the directory.
    let is_below = reading.dialect == Dialect::Fastchess || agent.command.contains('/');
    if is_below {
        agent.command = below(&engine.dir, &agent.command);
    }
}

/// Reports that a word of `-each` overrides another word of this engine.
fn tell_of_a_change(own: &[&str], word: &str, reading: &mut Reading<'_>) {
    let key_of = |word: &str| -> String {
        let (key, _) = word.split_once('=').unwrap_or((word, ""));
        match key {
            "plies" => "depth".to_owned(),
            key => key.to_owned(),
        }
    };
    let key = key_of(word);
    if !SINGLE.contains(&key.as_str()) && !key.starts_with("option.") {
        return;
    }
    let is_alike = |other: &str| key_of(other).eq_ignore_ascii_case(&key);
    let other = own.iter().rev().find(|other| is_alike(other));
    if let Some(other) = other.filter(|other| **other != word) {
        let program = reading.dialect.program();
        reading.note(format!(
            "-each {word} goes over -engine {other}, as it does in {program}"
        ));
    }
}

/// Whether an option sets the variant; this is reported unless the variant is set anyway.
fn is_chess960(name: &str, value: &str, reading: &mut Reading<'_>, whole: &str) -> bool {
    let is_it = name.eq_ignore_ascii_case("UCI_Chess960");
    let is_so = (reading.last("-variant") == Some("fischerandom")) == (value == "true");
    if is_it && !is_so {
        reading.refuse_case(whole, "-engine", "option.UCI_Chess960");
    }
    is_it
}

fn words_of(agent: &Agent) -> String {
    match &agent.name {
        Some(name) => format!("-engine name={name}"),
        None => format!("-engine cmd={}", agent.command),
    }
}

fn all_alike(controls: &[TimeControl]) -> bool {
    controls.windows(2).all(|pair| pair[0] == pair[1])
}
