//! The one door through which faults are tried: an event of four players, one of them faulty, played to its end, and
//! everything that holds whatever the fault was.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Place, Ran, assert_gone, engine, finish};

/// No event here may take longer, whatever its faulty player does.
const BOUND: Duration = Duration::from_secs(15);
/// The player's memory never exceeds this, in kB; real use is a tenth of it.
const MEMORY_KB: u64 = 100_000;
/// Plies after which a game of these events is a draw: whoever plays on gets there.
const CAP: u64 = 12;
/// The own move at which faults show, unless a test says otherwise.
const AT: u64 = 2;

/// The preset, unless a test says otherwise.
pub(super) const PRESET: &str = "global-chess-challenge";
/// A time per move so short that overruns do not take long.
pub(super) const SHORT: &str = "game.time_control=300ms/move";
/// No overrun in these events is shorter, in microseconds.
const OVERRUN_US: u64 = 300_000;
/// A grace so long that a late answer is not taken for silence, however busy the machine.
pub(super) const PATIENT: &str = "engine.stop_grace=5s";

/// What becomes of the games of the faulty player.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ends<'a> {
    /// Each game goes on to the move cap, with these failed attempts, game by game.
    PlaysOn([&'a [&'a str]; 2]),
    /// Each game is lost at the move at which the fault shows.
    Loses {
        /// Word of the list of games.
        termination: &'a str,
        /// Failed attempts of each game.
        attempts: &'a [&'a str],
        /// How its process ended, where that ended the game.
        process: Option<&'a str>,
    },
    /// Each game is forfeited without a move.
    NoShow,
}

impl<'a> Ends<'a> {
    /// Played on without any failed attempt.
    pub(super) const UNHARMED: Self = Self::PlaysOn([&[], &[]]);

    /// Lost by overruns.
    pub(super) const fn on_time(attempts: &'a [&'a str]) -> Self {
        Self::Loses {
            termination: "time-forfeit",
            attempts,
            process: None,
        }
    }

    /// Lost by illegal or unparsable moves.
    pub(super) const fn by_moves(attempts: &'a [&'a str]) -> Self {
        Self::Loses {
            termination: "illegal-move",
            attempts,
            process: None,
        }
    }

    /// Lost by the end of the process.
    pub(super) const fn by_crash(process: &'a str) -> Self {
        Self::Loses {
            termination: "crash",
            attempts: &[],
            process: Some(process),
        }
    }

    /// Lost by using too much, of what `process` names.
    pub(super) const fn over_limit(process: &'a str) -> Self {
        Self::Loses {
            termination: "resource-limit",
            attempts: &[],
            process: Some(process),
        }
    }

    /// Lost by a closed pipe.
    pub(super) const DISCONNECT: Self = Self::Loses {
        termination: "disconnect",
        attempts: &[],
        process: Some("closed-pipe"),
    };
}

/// A program that plays.
#[derive(Clone, Debug)]
pub(super) struct Agent {
    /// The program.
    pub(super) command: String,
    /// Its arguments.
    pub(super) args: Vec<String>,
    /// More keys of the player, as TOML lines.
    pub(super) more: String,
}

impl Agent {
    /// The fault agent with these flags, separated by blanks. Every process of it carries the mark of the place.
    pub(super) fn fault(place: &Place, flags: &str) -> Self {
        let mut args: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
        args.extend(["--mark".to_owned(), mark(place), "--life".to_owned(), "120".to_owned()]);
        Self {
            command: engine("fault-agent"),
            args,
            more: String::new(),
        }
    }

    /// The same, not isolated: it leaves a file where the test reads it, or reaches into its own process.
    pub(super) fn at_large(place: &Place, flags: &str) -> Self {
        Self {
            more: "isolation = \"off\"".to_owned(),
            ..Self::fault(place, flags)
        }
    }

    /// A shell script that may use `$AGENT` (a fault agent) and `$MARK`.
    pub(super) fn script(place: &Place, text: &str) -> Self {
        let settings = format!("AGENT='{}' MARK='{}'", engine("fault-agent"), mark(place));
        Self {
            command: "/bin/sh".to_owned(),
            args: vec!["-c".to_owned(), format!("{settings}\n{text}")],
            // What a script runs is not named where anybody could see it.
            more: "isolation = \"off\"".to_owned(),
        }
    }

    /// An agent as a shell script: it gets ready as it should, and does `on_go` at each `go`.
    pub(super) fn scripted(place: &Place, on_go: &str) -> Self {
        let text = format!(
            "asked=0\nwhile read -r word rest; do\ncase \"$word\" in\nuci) echo uciok ;;\nisready) echo readyok ;;\n\
             go) asked=$((asked + 1))\n{on_go} ;;\nquit) exit 0 ;;\nesac\ndone"
        );
        Self::script(place, &text)
    }
}

/// What the command line of every process of an event in this place holds.
pub(super) fn mark(place: &Place) -> String {
    place.path("").display().to_string()
}

/// The event file with these players, over a preset. What a test wants otherwise it says by `--set`.
pub(super) fn event(preset: &str, players: &[(&str, Agent)]) -> String {
    let mut text = format!(
        "preset = \"{preset}\"\n[event]\nname = \"faults\"\n[swiss]\nrounds = 1\nseeding = \"listed\"\n\
         [mini_match]\ngames = 2\nopenings = \"none\"\n\
         [game]\ntime_control = \"10s/move\"\nattempts = 2\nmax_plies = {CAP}\n\
         [engine]\nstart_limit = \"5s\"\nstart_attempts = 2\nready_limit = \"5s\"\n\
         stop_grace = \"200ms\"\nquit_grace = \"200ms\"\nmust_start = false\n\
         [run]\nconcurrency = 2\noversubscribe = true\nmax_games_per_player = 1\nmax_faults = \"none\"\n[publish]\nevidence = true\n"
    );
    for (name, agent) in players {
        let quoted = |text: &String| serde_json::to_string(text).expect("a string");
        let args: Vec<String> = agent.args.iter().map(quoted).collect();
        text += &format!(
            "[[player]]\nname = \"{name}\"\ncommand = {}\nargs = [{}]\n{}\n",
            quoted(&agent.command),
            args.join(", "),
            agent.more
        );
    }
    text
}

/// The faulty player and three honest ones.
pub(super) fn four(place: &Place, faulty: Agent) -> Vec<(&'static str, Agent)> {
    let honest = |seed: u32| Agent::fault(place, &format!("--seed {seed}"));
    vec![
        ("Faulty", faulty),
        ("Alice", honest(2)),
        ("Bob", honest(3)),
        ("Carol", honest(4)),
    ]
}

/// An event that has been played.
pub(super) struct Event {
    /// Where.
    pub(super) place: Place,
    /// The run.
    pub(super) ran: Ran,
    /// Every game of the list, with its record where it has one.
    pub(super) games: Vec<Game>,
}

/// A line of the list of games, and the game's record.
#[derive(Clone, Debug)]
pub(super) struct Game {
    /// Of `export games-json`.
    pub(super) line: Value,
    /// Of `export records`; null where nothing was sent to any engine.
    pub(super) record: Value,
}

impl Game {
    /// `ROUND.BOARD.GAME`
    pub(super) fn id(&self) -> String {
        format!("{}.{}.{}", self.line["round"], self.line["board"], self.line["game"])
    }

    /// Which side the player has in it.
    pub(super) fn side_of(&self, name: &str) -> Option<&'static str> {
        ["white", "black"].into_iter().find(|side| self.line[side] == name)
    }

    /// Its failed attempts in a few words each: `late`, `illegal a1a1`.
    pub(super) fn attempts(&self) -> Vec<String> {
        let attempts = self.record["failed_attempts"].as_array();
        attempts
            .into_iter()
            .flatten()
            .map(|attempt| in_words(&attempt["end"]))
            .collect()
    }
}

/// A variant as it is stored: its name, and what it holds; of figures what they are about.
fn in_words(variant: &Value) -> String {
    match variant {
        Value::Object(fields) => fields
            .iter()
            .map(|(name, held)| {
                let word = held.as_str().or(held["resource"].as_str());
                let held = word.map_or_else(|| held.to_string(), str::to_owned);
                format!("{name} {held}").trim_end().to_owned()
            })
            .collect(),
        other => other.as_str().unwrap_or_default().to_owned(),
    }
}

impl Event {
    /// The games of the faulty player, in the order of the schedule.
    pub(super) fn of_faulty(&self) -> Vec<&Game> {
        let games = self.games.iter();
        games.filter(|game| game.side_of("Faulty").is_some()).collect()
    }

    /// The evidence of a game, where kept.
    pub(super) fn evidence(&self, game: &Game) -> Option<String> {
        let name = format!("run/evidence/{}.txt", game.id());
        self.place.path(&name).exists().then(|| self.place.read(&name))
    }

    /// A player's line of the standings.
    pub(super) fn standing(&self, name: &str) -> Value {
        let standings = self.place.export_json("run", "json");
        assert_eq!(standings["final"], true);
        let players = standings["players"].as_array().expect("a list of players");
        let found = players.iter().find(|player| player["name"] == name);
        found.unwrap_or_else(|| panic!("{name} has no standing")).clone()
    }
}

/// The honest players of `four` are slow: what the faulty one says after its answer comes in their time.
pub(super) fn slowed(place: &Place, mut players: Vec<(&'static str, Agent)>, ms: u32) -> Vec<(&'static str, Agent)> {
    for (_, honest) in &mut players[1..] {
        *honest = Agent::fault(place, &format!("--fault sleep --ms {ms}"));
    }
    players
}

/// Plays the fault agent with `flags` among honest players, `keys` set, and checks what becomes of everybody.
#[track_caller]
pub(super) fn check(flags: &str, keys: &[&str], ends: Ends<'_>) -> Event {
    check_agent(|place| Agent::fault(place, flags), keys, ends)
}

/// The same with any agent.
#[track_caller]
pub(super) fn check_agent(faulty: impl FnOnce(&Place) -> Agent, keys: &[&str], ends: Ends<'_>) -> Event {
    let place = Place::new();
    let players = four(&place, faulty(&place));
    let event = play(place, &players, keys);
    event.ran.expect_code(if matches!(ends, Ends::NoShow) { 3 } else { 0 });
    assert_eq!(event.games.len(), 4);
    for game in &event.games {
        check_game(&event, game, game.side_of("Faulty"), ends);
    }
    let faults: usize = event
        .of_faulty()
        .iter()
        .filter(|game| game.line["fault_of"] != Value::Null)
        .count();
    assert_eq!(event.standing("Faulty")["faults"], faults);
    for honest in ["Alice", "Bob", "Carol"] {
        assert_eq!(event.standing(honest)["faults"], 0, "{honest}");
    }
    event
}

/// Plays an event to its end, and checks what holds for every one: in bounded time and memory, nothing left behind, and
/// the log proves what is reported.
#[track_caller]
pub(super) fn play(place: Place, players: &[(&str, Agent)], keys: &[&str]) -> Event {
    // The preset is the one thing that no flag sets.
    let (preset, keys): (Vec<&str>, Vec<&str>) = keys.iter().partition(|key| key.starts_with("preset="));
    let preset = preset.first().and_then(|key| key.strip_prefix("preset="));
    place.write("event.toml", &event(preset.unwrap_or(PRESET), players));
    let mut arguments = vec!["run", "event.toml", "--out", "run"];
    arguments.extend(keys.iter().flat_map(|key| ["--set", key]));
    let begun = Instant::now();
    let child = place.command(&arguments).spawn().expect("swissmatch starts");
    let guard = child.id();
    let over = AtomicBool::new(false);
    let (output, peak) = std::thread::scope(|scope| {
        let watch = scope.spawn(|| peak_memory(guard, &over));
        let output = finish(child);
        over.store(true, Ordering::Relaxed);
        (output, watch.join().expect("the watch ends"))
    });
    let ran = Ran {
        output,
        took: begun.elapsed(),
    };
    assert!(
        matches!(ran.output.status.code(), Some(0 | 3)),
        "{:?}\n{}",
        ran.output.status,
        ran.stderr()
    );
    assert_gone(&mark(&place), Duration::ZERO);
    assert!(ran.took < BOUND, "{:?}\n{}", ran.took, ran.stderr());
    assert!(peak > 0, "the player was never seen");
    assert!(peak < MEMORY_KB, "the player took {peak} kB");
    place.swissmatch(&["verify", "run"]).expect_code(0);

    let list = place.export_json("run", "games-json");
    let records = place.swissmatch(&["export", "records", "run"]);
    records.expect_code(0);
    let records: Vec<Value> = records
        .stdout()
        .lines()
        .map(|line| serde_json::from_str(line).expect("a record"))
        .collect();
    let lines = list["games"].as_array().expect("a list of games");
    let games = lines.iter().map(|line| Game {
        line: line.clone(),
        record: records
            .iter()
            .find(|record| record["id"] == line["id"])
            .cloned()
            .unwrap_or_default(),
    });
    let games = games.collect();
    Event { place, ran, games }
}

/// The highest memory that the player below this guard ever used, in kB.
fn peak_memory(guard: u32, over: &AtomicBool) -> u64 {
    let mut peak = 0;
    let mut player = None;
    while !over.load(Ordering::Relaxed) {
        player = player.or_else(|| player_of(guard));
        let status = player.map(|pid| std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default());
        let lines = status.as_deref().unwrap_or_default().lines();
        let high_water = lines
            .filter_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok())
            .next();
        peak = peak.max(high_water.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(10));
    }
    peak
}

fn player_of(guard: u32) -> Option<u32> {
    let children = std::fs::read_to_string(format!("/proc/{guard}/task/{guard}/children")).ok()?;
    let mut children = children.split_whitespace().filter_map(|pid| pid.parse().ok());
    children.find(|pid: &u32| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        line.starts_with(b"swissmatch-player\0")
    })
}

/// One game: `faulty` is the side of the faulty player, if it plays in it.
#[track_caller]
fn check_game(event: &Event, game: &Game, faulty: Option<&str>, ends: Ends<'_>) {
    let (line, record) = (&game.line, &game.record);
    let number = line["game"].as_u64().expect("a number") as usize;
    let context = format!("{line:#}\n{record:#}\n{}", event.ran.stderr());
    let untouched = Ends::UNHARMED;
    let (faulty, ends) = faulty.map_or(("white", untouched), |side| (side, ends));
    let of_faulty = usize::from(faulty == "black");
    let found = |key: &str| line[key].as_str().unwrap_or("nobody").to_owned();
    let honest_wins = if faulty == "white" { "0-1" } else { "1-0" };

    let (termination, fault_of, result, plies, attempts, process): (_, _, _, _, &[&str], _) = match ends {
        Ends::PlaysOn(attempts) => ("move-cap", "nobody", "1/2-1/2", CAP, attempts[number - 1], None),
        Ends::Loses {
            termination,
            attempts,
            process,
        } => (
            termination,
            faulty,
            honest_wins,
            2 * (AT - 1) + of_faulty as u64,
            attempts,
            process,
        ),
        Ends::NoShow => ("not-started", faulty, honest_wins, 0, &[], None),
    };
    assert_eq!(found("termination"), termination, "{context}");
    assert_eq!(found("fault_of"), fault_of, "{context}");
    assert_eq!(found("result"), result, "{context}");
    assert_eq!(line["plies"], plies, "{context}");
    assert_eq!(line["failed_attempts"][of_faulty], attempts.len(), "{context}");
    assert_eq!(line["failed_attempts"][1 - of_faulty], 0, "{context}");
    assert_eq!(game.attempts(), attempts, "{context}");
    let ended = (record["engine_end"] != Value::Null).then(|| in_words(&record["engine_end"]));
    assert_eq!(ended.as_deref(), process, "{context}");
    check_attempts(record, faulty);
    check_evidence(event, game, termination);
}

/// Failed attempts are numbered, at the right ply, of the right side, and overruns took as long as they had to.
#[track_caller]
fn check_attempts(record: &Value, faulty: &str) {
    let attempts = record["failed_attempts"].as_array();
    for (number, attempt) in (1..).zip(attempts.into_iter().flatten()) {
        assert_eq!(attempt["attempt"], number, "{record:#}");
        let time = attempt["time_us"].as_u64().unwrap_or(0);
        assert!(
            !matches!(in_words(&attempt["end"]).as_str(), "late" | "silent") || time > OVERRUN_US,
            "{record:#}"
        );
        let side = attempt["side"].as_str().unwrap_or_default();
        assert_eq!(side.to_lowercase(), faulty, "{record:#}");
        let parity = usize::from(faulty == "black");
        assert_eq!(
            attempt["ply"].as_u64().map(|ply| ply as usize % 2),
            Some(parity),
            "{record:#}"
        );
    }
}

/// Games with faults, alarms or failed attempts have evidence, with what was said; others have none.
#[track_caller]
fn check_evidence(event: &Event, game: &Game, termination: &str) {
    let evidence = event.evidence(game);
    let has_trouble =
        game.line["fault_of"] != Value::Null || !game.attempts().is_empty() || game.record.get("alarms").is_some();
    let wanted = game.record != Value::Null && has_trouble;
    assert_eq!(evidence.is_some(), wanted, "{:#}", game.line);
    let Some(evidence) = evidence else { return };
    let exported = event
        .place
        .swissmatch(&["export", "evidence", "run", "--only", &game.id()]);
    assert_eq!(exported.stdout(), evidence);
    assert!(evidence.starts_with(&format!("Game {} ", game.id())), "{evidence}");
    let position = evidence.lines().find(|line| line.starts_with("position "));
    let moves = game.record["moves"].as_str().unwrap_or_default();
    assert!(
        position.is_some_and(|line| line.ends_with(moves)),
        "{moves}: {evidence}"
    );
    assert_harmless(&evidence);
    if termination == "not-started" {
        return;
    }
    for said in ["> go ", "< bestmove"] {
        assert!(evidence.contains(said), "{said} is not in\n{evidence}");
    }
    for number in 1..=game.attempts().len() {
        let remark = format!("# attempt {number} failed");
        assert!(evidence.contains(&remark), "{remark} is not in\n{evidence}");
    }
}

/// Nothing that a terminal or an editor would act on.
#[track_caller]
pub(super) fn assert_harmless(text: &str) {
    let harmful = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}');
    if let Some(at) = text.find(harmful) {
        let from = text[..at].rfind('\n').map_or(0, |end| end + 1);
        panic!("{:?}", text[from..].lines().next());
    }
}
