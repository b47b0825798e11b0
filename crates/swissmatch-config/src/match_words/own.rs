//! The grammar of `swissmatch match`: agents, each followed by words of its own, and flags.
//!
//! May not: read flags; the command line hands them over as they were typed.

use std::collections::BTreeMap;

use super::agent::{Agent, ValueText, distinct_names, file_name, renamed, set_option};
use super::event::EventText;
use super::{Dialect, MatchEvent, MatchWordsError, Output, RefusedWords, tell_less};
use crate::error::nearest;
use crate::layer::apply_flag;
use crate::value::quoted;
use crate::{KEYS, PLAYER_KEYS};
use swissmatch_game::time_control::TimeControl;
use swissmatch_stats::sprt::Decimal;
use swissmatch_tournament::setup::{MOST_GAMES, PlayerKeys, Setup};

/// Who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatchFormat {
    /// Everybody meets everybody once.
    #[default]
    RoundRobin,
    /// The first so many agents meet all others.
    Gauntlet(u32),
    /// A Swiss of so many rounds.
    Swiss(u32),
}

/// The flags of `swissmatch match`, as they were typed. `None`: not given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchFlags {
    /// Games of two agents: 1 or an even number.
    pub games: Option<u32>,
    pub format: MatchFormat,
    /// The time control, as in an event file: `10+0.1`, `nodes=5000`.
    pub time: Option<String>,
    /// Openings, as in an event file: a file, `bundled`, `chess960`, `none`.
    pub openings: Option<String>,
    /// `ELO0,ELO1` of a sequential test.
    pub sprt: Option<String>,
    /// Its probability of accepting H1 although H0 holds; 0.05 if not given.
    pub alpha: Option<String>,
    /// Its probability of accepting H0 although H1 holds; 0.05 if not given.
    pub beta: Option<String>,
    /// Its model: `normalized`, `logistic`, `bayesian`.
    pub model: Option<String>,
    /// What it counts: `pentanomial`, `trinomial`.
    pub counts: Option<String>,
    /// UCI options for all agents, each `NAME=VALUE`.
    pub options: Vec<String>,
    /// Games at once: a number or `cores`.
    pub concurrency: Option<String>,
    /// Any other keys of an event, each `TABLE.KEY=VALUE`; they override all others.
    pub set: Vec<String>,
}

/// Words of an agent, each with the key that it means.
const ALIASES: [(&str, &str); 3] = [("time", "time_control"), ("tc", "time_control"), ("cmd", "command")];
/// Words of an agent that are no keys of a player, or are written in another way.
const OWN_WORDS: [&str; 5] = ["arg", "args", "env.", "option.", "time"];
/// Keys of a player that are no words: they are set already, or are given one by one.
const NO_WORDS: [&str; 3] = ["command", "options", "env"];
/// Games of two agents, if nothing else is asked for.
const GAMES: u32 = 2;
/// Time of a match, if nothing else is asked for.
const TIME: &str = "10+0.1";

/// The match of these agents.
///
/// # Errors
/// All problems.
pub fn of_agents(words: &[String], flags: &MatchFlags) -> Result<MatchEvent, MatchWordsError> {
    let mut wrong = Vec::new();
    let agents = agents(words, &mut wrong);
    if agents.len() < 2 {
        let found = format!("{} of at least two", agents.len());
        let instead = "name two programs, such as `swissmatch match ./new ./old`";
        wrong.push(RefusedWords::new("agents", found, instead));
    }
    let event = EventText::new(&["A match, as `swissmatch match` wrote it from its words: docs/match.md."]);
    written(event, &agents, flags, wrong)
}

/// The match of two players. These keys of an event, each with its value in TOML, override the defaults of a match, and flags override
/// them.
///
/// # Errors
/// All problems.
pub fn of_players(
    players: [&PlayerKeys; 2],
    keys: &[(&str, &str)],
    flags: &MatchFlags,
) -> Result<MatchEvent, MatchWordsError> {
    let mut event = EventText::new(&["The gate of a league, as `swissmatch gate` wrote it: docs/league.md."]);
    for (path, value) in keys {
        event.set(path, value);
    }
    let mut wrong = Vec::new();
    let mut agents = players.map(Agent::of);
    // The options of a build override those of all agents; options that are asked for override both.
    for agent in &mut agents {
        each_option(flags, &mut wrong, |name, value| agent.set_option(name, value));
    }
    let flags = MatchFlags {
        options: Vec::new(),
        ..flags.clone()
    };
    written(event, &agents, &flags, wrong)
}

/// Completes the match that `event` begins.
fn written(
    mut event: EventText,
    agents: &[Agent],
    flags: &MatchFlags,
    mut wrong: Vec<RefusedWords>,
) -> Result<MatchEvent, MatchWordsError> {
    let names = distinct_names(agents);
    games(&mut event, flags, agents.len(), &mut wrong);
    sprt(&mut event, flags, agents.len(), &mut wrong);
    others(&mut event, flags, &mut wrong);
    of_chess960(&mut event);
    let of_agents = agents.iter().filter_map(|agent| agent.keys.get("time_control"));
    let controls = event
        .value("game.time_control")
        .into_iter()
        .chain(of_agents.map(String::as_str));
    let controls: Vec<TimeControl> = controls
        .filter_map(|text| text.trim_matches('"').parse().ok())
        .collect();
    tell_less(&mut event, &controls);
    for (agent, name) in agents.iter().zip(&names) {
        event.player(agent.player(name));
    }
    if !wrong.is_empty() {
        let refused = Vec::new();
        return Err(MatchWordsError { wrong, refused });
    }
    let notes = renamed(agents, &names);
    Ok(MatchEvent {
        event: event.text(),
        names,
        has_sprt: flags.sprt.is_some(),
        output: Output::default(),
        dialect: Dialect::Own,
        refused: Vec::new(),
        notes,
    })
}

/// The match of two agents, each given as one text: a path, or its words as a shell splits them, `cmd=PATH` among them.
///
/// # Errors
/// All problems.
pub fn of_two([new, old]: [(&str, &str); 2], flags: &MatchFlags) -> Result<MatchEvent, MatchWordsError> {
    let mut wrong = Vec::new();
    let mut words = Vec::new();
    for (flag, text) in [new, old] {
        match words_of_one(text) {
            Ok(own) => words.extend(own),
            Err(why) => wrong.push(RefusedWords::new(
                format!("{flag} {text}"),
                why,
                r#"a path, or its words: "cmd=./new nodes=5000""#,
            )),
        }
    }
    if !wrong.is_empty() {
        let refused = Vec::new();
        return Err(MatchWordsError { wrong, refused });
    }
    of_agents(&words, flags)
}

/// The words of one agent, its program first.
fn words_of_one(text: &str) -> Result<Vec<String>, &'static str> {
    let mut words = shlex::split(text).ok_or("a quote is not closed")?;
    let (mut programs, others): (Vec<String>, Vec<String>) = words.drain(..).partition(|word| match own_word(word) {
        None => true,
        Some((key, _)) => key == "cmd" || key == "command",
    });
    match programs.as_mut_slice() {
        [] => Err("it names no program"),
        [program] => {
            if let Some((_, path)) = own_word(program) {
                *program = path.to_owned();
            }
            programs.extend(others);
            Ok(programs)
        }
        _ => Err("it names more than one program"),
    }
}

/// The agents with their words.
fn agents(words: &[String], wrong: &mut Vec<RefusedWords>) -> Vec<Agent> {
    let mut agents: Vec<Agent> = Vec::new();
    for word in words {
        let Some((key, value)) = own_word(word) else {
            agents.push(Agent {
                default_name: file_name(word).to_owned(),
                command: word.clone(),
                ..Agent::default()
            });
            if let Err(why) = super::agent::checked("command", ValueText::Toml(&quoted(word))) {
                wrong.push(RefusedWords::new(word, why, ""));
            }
            continue;
        };
        let Some(agent) = agents.last_mut() else {
            let instead = "write the agent first, then its words";
            wrong.push(RefusedWords::new(word, "there is no agent before it", instead));
            continue;
        };
        if let Err(why) = apply(agent, key, value) {
            wrong.push(RefusedWords::new(word, why, ""));
        }
    }
    agents
}

/// The key and the value of a word that is no agent: the text before its `=` has neither `/` nor a leading `.`.
fn own_word(word: &str) -> Option<(&str, &str)> {
    let (key, value) = word.split_once('=')?;
    let head = key.split('.').next().unwrap_or_default();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    (!head.is_empty() && head.chars().all(is_name)).then_some((key, value))
}

fn apply(agent: &mut Agent, key: &str, value: &str) -> Result<(), String> {
    if let Some(name) = key.strip_prefix("option.") {
        return agent.set_option(name, value);
    }
    if let Some(name) = key.strip_prefix("env.") {
        return agent.set_variable(name, value);
    }
    let alias = ALIASES.iter().find(|(alias, _)| *alias == key);
    match alias.map_or(key, |(_, key)| key) {
        "name" => {
            super::agent::checked("name", ValueText::Toml(&quoted(value)))?;
            agent.name = Some(value.to_owned());
        }
        "arg" => agent.args.push(value.to_owned()),
        "args" => {
            let args = shlex::split(value).ok_or_else(|| "a quote is not closed".to_owned())?;
            agent.args.extend(args);
        }
        key if NO_WORDS.contains(&key) || !PLAYER_KEYS.iter().any(|known| known.name() == key) => {
            return Err(unknown_word(key));
        }
        // Texts are taken whole, lists by commas, or either as in an event file.
        key if value.starts_with(['[', '{', '"']) => agent.set(key, ValueText::Toml(value))?,
        key => agent.set(key, ValueText::Plain(value))?,
    }
    Ok(())
}

fn unknown_word(key: &str) -> String {
    let keys = PLAYER_KEYS.iter().map(|key| key.name());
    let words: Vec<&str> = keys.filter(|key| !NO_WORDS.contains(key)).chain(OWN_WORDS).collect();
    match nearest(key, &words) {
        Some(near) => format!("no word of an agent; did you mean {near}=?"),
        None => "no word of an agent; a path with a `=` begins with ./ or /".to_owned(),
    }
}

fn games(event: &mut EventText, flags: &MatchFlags, agents: usize, wrong: &mut Vec<RefusedWords>) {
    let rounds = match flags.format {
        MatchFormat::RoundRobin => "RR".to_owned(),
        MatchFormat::Gauntlet(_) if agents == 2 => "RR".to_owned(),
        MatchFormat::Gauntlet(first) => format!("gauntlet-{first}"),
        MatchFormat::Swiss(rounds) => rounds.to_string(),
    };
    let count = u32::try_from(agents).unwrap_or(u32::MAX);
    match flags.format {
        MatchFormat::Gauntlet(first) if agents >= 2 && !(1..count).contains(&first) => {
            let why = format!("expected 1 to {} of {count} agents", count - 1);
            wrong.push(RefusedWords::new(format!("--gauntlet {first}"), why, ""));
        }
        MatchFormat::Swiss(0) => wrong.push(RefusedWords::new("--swiss 0", "expected at least one round", "")),
        _ => {}
    }
    match flags.format {
        MatchFormat::Swiss(_) => event.set("swiss.rounds", rounds),
        _ => event.set("swiss.rounds", quoted(&rounds)),
    }
    event.set("swiss.seeding", quoted("listed"));
    let games = flags.games.unwrap_or(GAMES);
    if games == 0 || (games > 1 && games % 2 == 1) || games > MOST_GAMES {
        let why = "both have each colour equally often, from each opening";
        let instead = format!("1, or an even number up to {MOST_GAMES}");
        wrong.push(RefusedWords::new(format!("--games {games}"), why, instead));
    }
    event.set("mini_match.games", games);
    match flags.openings.as_deref() {
        Some(openings) => event.set("mini_match.openings", quoted(openings)),
        None => event.usual("mini_match.openings", quoted("bundled"), ""),
    }
    let has_openings = !event.is("mini_match.openings", &quoted("none"));
    if has_openings {
        event.usual("mini_match.opening_order", quoted("random"), "");
    }
    if agents > 2 && has_openings {
        event.explain(
            "mini_match.opening_policy",
            quoted("event"),
            "every pairing plays the same openings",
        );
    }
    match flags.time.as_deref().map(|time| (time, time.parse::<TimeControl>())) {
        None => event.usual("game.time_control", quoted(TIME), ""),
        Some((_, Ok(time))) => event.set("game.time_control", quoted(&time.to_string())),
        Some((time, Err(error))) => wrong.push(RefusedWords::new(
            format!("--time {time}"),
            error.to_string(),
            "docs/time-controls.md",
        )),
    }
    event.usual("game.attempts", 1, "a move over its limit loses");
    if !matches!(flags.format, MatchFormat::Swiss(_)) {
        rank_by_games(event, agents);
    }
}

/// Sets Chess960 as the variant if openings are its start positions, unless the event sets a variant.
pub(super) fn of_chess960(event: &mut EventText) {
    let word = quoted("chess960");
    if event.is("mini_match.openings", &word) {
        event.usual("game.variant", word, "its start positions");
    }
}

/// Has the players ranked by their games.
pub(crate) fn rank_by_games(event: &mut EventText, players: usize) {
    // With two players, it is known whom each has beaten.
    let order = match players {
        2 => r#"["game-points", "win-rate"]"#,
        _ => r#"["game-points", "win-rate", "sonneborn-berger"]"#,
    };
    event.explain("standings.order", order, "games count, not mini-matches");
    event.set(
        "standings.columns",
        r#"["game-points", "win-rate", "score", "wdl", "wdl-white", "wdl-black", "games", "faults"]"#,
    );
}

fn sprt(event: &mut EventText, flags: &MatchFlags, agents: usize, wrong: &mut Vec<RefusedWords>) {
    let Some(bounds) = &flags.sprt else {
        let others = [
            ("--alpha", &flags.alpha),
            ("--beta", &flags.beta),
            ("--model", &flags.model),
            ("--counts", &flags.counts),
        ];
        let given = others.into_iter().filter(|(_, value)| value.is_some());
        wrong.extend(given.map(|(flag, _)| RefusedWords::new(flag, "belongs to --sprt", "--sprt ELO0,ELO1")));
        return;
    };
    let typed = format!("--sprt {bounds}");
    if agents > 2 {
        wrong.push(RefusedWords::new(
            &typed,
            "a sequential test compares two agents",
            "leave it out, or two agents",
        ));
    }
    let decimal = |text: &str| text.parse::<Decimal>().ok();
    let (elo0, elo1) = bounds.split_once(',').unwrap_or((bounds, ""));
    let elos = decimal(elo0.trim()).zip(decimal(elo1.trim()));
    match elos.filter(|(elo0, elo1)| elo0 < elo1) {
        Some((elo0, elo1)) => {
            event.set("sprt.elo0", elo0);
            event.set("sprt.elo1", elo1);
        }
        None => wrong.push(RefusedWords::new(
            typed,
            "expected ELO0,ELO1, the lower first",
            "--sprt 0,5",
        )),
    }
    for (name, given) in [("alpha", &flags.alpha), ("beta", &flags.beta)] {
        let text = given.as_deref().unwrap_or("0.05");
        let share = decimal(text).filter(|share| *share > Decimal::ZERO && *share < Decimal::ONE);
        match share {
            Some(share) => event.set(&format!("sprt.{name}"), share),
            None => wrong.push(RefusedWords::new(
                format!("--{name} {text}"),
                "expected a share between 0 and 1",
                "0.05",
            )),
        }
    }
    let model = flags.model.as_deref().unwrap_or("normalized");
    let usual = if model == "bayesian" {
        "trinomial"
    } else {
        "pentanomial"
    };
    let counts = flags.counts.as_deref().unwrap_or(usual);
    for (name, word, words) in [
        ("model", model, &["normalized", "logistic", "bayesian"][..]),
        ("counts", counts, &["pentanomial", "trinomial"][..]),
    ] {
        match words.contains(&word) {
            true => event.set(&format!("sprt.{name}"), quoted(word)),
            false => wrong.push(RefusedWords::new(
                format!("--{name} {word}"),
                "no such word",
                words.join(", "),
            )),
        }
    }
    if model == "bayesian" && counts == "pentanomial" {
        let why = "the model bayesian has no figures of pairs";
        wrong.push(RefusedWords::new(
            "--counts pentanomial",
            why,
            "--counts trinomial, or another model",
        ));
    }
}

/// Sets each option that is asked for, given by its name and value.
fn each_option(
    flags: &MatchFlags,
    wrong: &mut Vec<RefusedWords>,
    mut set: impl FnMut(&str, &str) -> Result<(), String>,
) {
    for option in &flags.options {
        let set = match option.split_once('=') {
            Some((name, value)) => set(name, value),
            None => Err("expected NAME=VALUE".to_owned()),
        };
        if let Err(why) = set {
            wrong.push(RefusedWords::new(format!("--option {option}"), why, ""));
        }
    }
}

fn others(event: &mut EventText, flags: &MatchFlags, wrong: &mut Vec<RefusedWords>) {
    let mut options = BTreeMap::new();
    each_option(flags, wrong, |name, value| set_option(&mut options, name, value));
    if !options.is_empty() {
        event.set("engine.options", crate::value::write_table(&options));
    }
    let usual = (!event.has("run.concurrency")).then_some("cores");
    if let Some(concurrency) = flags.concurrency.as_deref().or(usual) {
        set_keys(event, [("--concurrency", "run.concurrency", concurrency)], wrong);
    }
    set_words(event, &flags.set, wrong);
}

/// Sets keys that are asked for as `TABLE.KEY=VALUE`.
pub(super) fn set_words(event: &mut EventText, words: &[String], wrong: &mut Vec<RefusedWords>) {
    let mut set: Vec<(&str, &str, &str)> = Vec::new();
    for word in words {
        match word.split_once('=') {
            Some((key, value)) => set.push(("--set", key, value)),
            None => wrong.push(RefusedWords::new(
                format!("--set {word}"),
                "expected TABLE.KEY=VALUE",
                "",
            )),
        }
    }
    set_keys(event, set, wrong);
}

/// Sets keys, each asked for by a flag.
fn set_keys<'a>(
    event: &mut EventText,
    set: impl IntoIterator<Item = (&'a str, &'a str, &'a str)>,
    wrong: &mut Vec<RefusedWords>,
) {
    for (flag, path, value) in set {
        let mut setup = Setup::default();
        let known = KEYS.iter().find(|key| key.path == path);
        match apply_flag(flag, path, value, &mut setup) {
            Ok(_) => {
                // A shorthand writes the keys that it stands for.
                let own = std::slice::from_ref(&path);
                let paths = known
                    .map(|key| key.stands_for)
                    .filter(|keys| !keys.is_empty())
                    .unwrap_or(own);
                for path in paths {
                    let written = KEYS
                        .iter()
                        .find(|key| key.path == *path)
                        .and_then(|key| key.write(&setup));
                    if let Some(written) = written {
                        event.set(path, written);
                    }
                }
            }
            Err(error) => {
                let why = error.message + &error.help.map_or_else(String::new, |help| format!("; {help}"));
                wrong.push(RefusedWords::new(format!("{flag} {path}={value}"), why, ""));
            }
        }
    }
}
