//! Conversations with engines as they are found in the wild, as data: `tests/data/uci/*.txt`, read by one test through one
//! door. The format is told in the README beside them.
#![expect(clippy::disallowed_methods, reason = "it reads the cases")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use swissmatch::game::Side;
use swissmatch::game::claims;
use swissmatch::game::doubt::MeasuredTime;
use swissmatch::game::handshake::{Handshake, HandshakeStep};
use swissmatch::game::lines::LineSplitter;
use swissmatch::game::play::{Game, Input, Output};
use swissmatch::game::record::{Attempts, EngineEnd, GameLimits, GameRecord, GameSpec};
use swissmatch::game::resource::{Overuse, Resource};
use swissmatch::game::rules::Board;
use swissmatch::game::termination::Outcome;
use swissmatch::game::time_control::TimeControl;
use swissmatch::game::wanted::WantedOptions;

use super::specs;

/// There are no fewer, so that none gets lost.
const LEAST_CASES: usize = 40;

#[test]
fn conversations() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/uci");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    let (mut count, mut failed) = (0, String::new());
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a text");
        for case in text.split("\n== ").skip(1) {
            let (name, script) = case.split_once('\n').expect("a name and a script");
            count += 1;
            let checked = std::panic::catch_unwind(|| check(script));
            let problem = match checked {
                Ok(Ok(())) => continue,
                Ok(Err(problem)) => problem,
                Err(panic) => panic.downcast_ref::<String>().cloned().unwrap_or("a panic".to_owned()),
            };
            let file = file.file_name().unwrap_or_default().to_string_lossy();
            writeln!(failed, "{file}: {name}\n    {problem}").expect("a string takes everything");
        }
    }
    assert!(failed.is_empty(), "\n{failed}");
    assert!(count >= LEAST_CASES, "{count} cases");
}

/// One case.
fn check(script: &str) -> Result<(), String> {
    let mut lines = script.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let header = lines.next().ok_or("no header")?;
    let steps: Vec<(&str, &str)> = lines.map(|line| line.split_once(' ').unwrap_or((line, ""))).collect();
    match header.split_once(' ').unwrap_or((header, "")) {
        ("game", keys) => Conversation::new(keys)?.run(&steps),
        ("handshake", keys) => shake_hands(keys, &steps),
        (other, _) => Err(format!("`{other}` is neither game nor handshake")),
    }
}

/// `\r`, `\n`, `\t`, `\\` and `\x00` as the bytes they mean.
fn bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let (byte, after) = match (first, after) {
            (b'\\', [b'r', after @ ..]) => (b'\r', after),
            (b'\\', [b'n', after @ ..]) => (b'\n', after),
            (b'\\', [b't', after @ ..]) => (b'\t', after),
            (b'\\', [b'\\', after @ ..]) => (b'\\', after),
            (b'\\', [b'x', high, low, after @ ..]) => {
                let digits = [*high, *low];
                let digits = std::str::from_utf8(&digits).expect("two digits");
                (u8::from_str_radix(digits, 16).expect("hexadecimal"), after)
            }
            (byte, after) => (*byte, after),
        };
        bytes.push(byte);
        rest = after;
    }
    bytes
}

/// `1s`, `250ms` or `7us`.
fn duration(text: &str) -> Duration {
    let split = text.find(|c: char| !c.is_ascii_digit()).expect("a unit");
    let number: u64 = text[..split].parse().expect("a number");
    match &text[split..] {
        "s" => Duration::from_secs(number),
        "ms" => Duration::from_millis(number),
        "us" => Duration::from_micros(number),
        unit => panic!("{unit} is no unit"),
    }
}

/// A game against a script.
struct Conversation {
    game: Game,
    spec: GameSpec,
    now: Duration,
    lines: [LineSplitter; 2],
    /// How each process ended, once it has.
    ended: [Option<EngineEnd>; 2],
    /// Lines sent, and as far as the script has seen them.
    sent: Vec<(Side, String)>,
    seen: usize,
    restarts: Vec<Side>,
    /// `isready` that are answered by themselves.
    answered: u32,
}

impl Conversation {
    fn new(keys: &str) -> Result<Self, String> {
        let mut values: BTreeMap<&str, &str> = BTreeMap::new();
        let (mut answered, mut ponder) = (2, false);
        for word in keys.split(' ').filter(|word| !word.is_empty()) {
            match word.split_once('=') {
                Some((key, value)) => drop(values.insert(key, value)),
                None if word == "cold" => answered = 0,
                None if word == "ponder" => ponder = true,
                None => return Err(format!("`{word}` is no key=value")),
            }
        }
        let mut take = |key: &str, usual: &'static str| values.remove(key).unwrap_or(usual).to_owned();
        let control: TimeControl = take("tc", "1s/move").parse().map_err(|_| "no time control")?;
        let fen = take("fen", "");
        let mut spec = specs::spec(control);
        spec.opening.fen = (!fen.is_empty()).then(|| fen.replace('_', " "));
        spec.limits = GameLimits {
            attempts: Attempts::Shared(take("attempts", "1").parse().map_err(|_| "no attempts")?),
            max_plies: Some(take("plies", "1").parse().map_err(|_| "no plies")?),
            ready_limit: duration(&take("ready_limit", "5s")),
            step_limit: duration(&take("step_limit", "1s")),
            restart_limits: [duration(&take("restart_limit", "2s")); 2],
            stop_grace: duration(&take("stop_grace", "100ms")),
            ponder: [ponder; 2],
            ..spec.limits
        };
        if let Some(key) = values.keys().next() {
            return Err(format!("`{key}` is no key of a game"));
        }
        let mut conversation = Self {
            game: Game::new(spec.clone()).map_err(|error| error.to_string())?,
            spec,
            now: Duration::ZERO,
            lines: [lines(), lines()],
            ended: [None; 2],
            sent: Vec::new(),
            seen: 0,
            restarts: Vec::new(),
            answered,
        };
        conversation.go_on();
        Ok(conversation)
    }

    /// Does everything that needs nothing from an engine but what it has said; where the game then waits.
    fn go_on(&mut self) -> Option<(Side, Duration)> {
        loop {
            match self.game.poll(self.now) {
                Output::Send { side, fresh, .. } => {
                    if fresh {
                        self.lines[side.index()].clear();
                    }
                    if let Some(end) = self.ended[side.index()] {
                        self.game.handle(self.now, Input::Closed(end));
                        continue;
                    }
                    let text = String::from_utf8(self.game.outgoing().to_vec()).expect("what is sent is text");
                    self.sent.extend(text.lines().map(|line| (side, line.to_owned())));
                    self.game.handle(self.now, Input::Sent { was_full: false });
                    if self.answered > 0 && text.ends_with("isready\n") {
                        self.answered -= 1;
                        self.lines[side.index()].room(8).extend_from_slice(b"readyok\n");
                    }
                }
                Output::Wait { side, until, .. } => {
                    let lines = &mut self.lines[side.index()];
                    let line = lines.next_line();
                    let too_long = lines.too_long().map(|bytes| Overuse {
                        resource: Resource::Line,
                        used: bytes as u64,
                        limit: LONGEST_LINE as u64,
                    });
                    let ended = self.ended[side.index()].or(too_long.map(EngineEnd::OverLimit));
                    match (line, ended) {
                        (Some((from, to)), _) => self.game.handle(self.now, Input::Line(&lines.text()[from..to])),
                        (None, Some(end)) => match lines.last_line() {
                            Some((from, to)) => self.game.handle(self.now, Input::Line(&lines.text()[from..to])),
                            None => self.game.handle(self.now, Input::Closed(end)),
                        },
                        (None, None) => return Some((side, until)),
                    }
                }
                Output::Restart { side, .. } => {
                    self.restarts.push(side);
                    self.lines[side.index()] = lines();
                    self.ended[side.index()] = None;
                    self.game.handle(self.now, Input::Restarted { waited: Duration::ZERO });
                }
                Output::Doubt { .. } => self.game.handle(self.now, Input::Doubt(MeasuredTime::default())),
                Output::Probe => unreachable!("there are no tablebases"),
                Output::Over => return None,
            }
        }
    }

    fn run(mut self, steps: &[(&str, &str)]) -> Result<(), String> {
        let mut expected = Vec::new();
        for (mark, text) in steps {
            let waiting = self.go_on().map(|(side, _)| side);
            let (speaker, mark) = match (mark.strip_prefix('W'), mark.strip_prefix('B')) {
                (Some(mark), _) => (Some(Side::White), mark),
                (_, Some(mark)) => (Some(Side::Black), mark),
                _ => (waiting, *mark),
            };
            match mark {
                ">" => self.expect_sent(text)?,
                ">!" if self.sent.iter().any(|(_, line)| line.starts_with(text)) => {
                    return Err(format!("`{text}` was sent"));
                }
                ">!" => {}
                "<" | "<|" => {
                    let side = speaker.ok_or_else(|| format!("`{text}` is said when the game is over"))?;
                    let mut said = bytes(text);
                    if !mark.ends_with('|') {
                        said.push(b'\n');
                    }
                    self.lines[side.index()].room(said.len()).extend_from_slice(&said);
                }
                "+" => self.pass(duration(text)),
                "ends" => {
                    let side = speaker.ok_or("it ends when the game is over")?;
                    self.ended[side.index()] = Some(match text.parse() {
                        Ok(code) => EngineEnd::Exited(code),
                        Err(_) => EngineEnd::ClosedPipe,
                    });
                }
                "!" => expected.push(*text),
                other => return Err(format!("`{other}` is no step")),
            }
        }
        if self.go_on().is_some() {
            return Err(format!("the game is not over; sent: {:?}", self.sent));
        }
        let Self {
            game,
            spec,
            sent,
            restarts,
            ..
        } = self;
        let (record, transcript) = game.finish();
        invariants(&spec, &record, &sent, &restarts)?;
        let transcript = transcript.render();
        if transcript.contains(|c: char| c.is_control() && c != '\n') {
            return Err(format!("the transcript does harm: {transcript:?}"));
        }
        expected
            .into_iter()
            .try_for_each(|text| expectation(text, &record, &restarts))
    }

    /// Lets time pass; deadlines that come meanwhile are told.
    fn pass(&mut self, time: Duration) {
        let target = self.now + time;
        while let Some((_, until)) = self.go_on().filter(|(_, until)| *until <= target) {
            self.now = until.max(self.now);
            self.game.handle(self.now, Input::Deadline);
        }
        self.now = target;
    }

    /// The line must be the next of its kind among those sent; `…` at its end stands for any rest.
    fn expect_sent(&mut self, text: &str) -> Result<(), String> {
        let fits = |(_, line): &(Side, String)| match text.strip_suffix('…') {
            Some(begin) => line.starts_with(begin),
            None => line == text,
        };
        let at = self.sent[self.seen..].iter().position(fits);
        let at = at.ok_or_else(|| format!("`{text}` was not sent, but {:?}", &self.sent[self.seen..]))?;
        self.seen += at + 1;
        Ok(())
    }
}

/// What holds in every case.
fn invariants(spec: &GameSpec, record: &GameRecord, sent: &[(Side, String)], restarts: &[Side]) -> Result<(), String> {
    let stored = serde_json::to_string(record).expect("records serialize");
    let value: serde_json::Value = serde_json::from_str(&stored).expect("JSON");
    for (name, column) in value.as_object().expect("an object") {
        let sparse = ["failed_attempts", "eval_bounds", "odd_info", "ready_us", "in_doubt"].contains(&name.as_str());
        if let Some(column) = column.as_array().filter(|_| !sparse)
            && !column.is_empty()
            && column.len() != record.plies()
        {
            return Err(format!(
                "column {name} has {} entries for {} plies",
                column.len(),
                record.plies()
            ));
        }
    }
    if serde_json::from_str::<GameRecord>(&stored).ok().as_ref() != Some(record) {
        return Err(format!("the record does not come back from storage: {stored}"));
    }
    claims::warnings(record).map_err(|error| error.to_string())?;
    let mut board = Board::new(&record.opening).map_err(|error| error.to_string())?;
    for word in record.moves.split_ascii_whitespace() {
        let legal = word
            .parse()
            .ok()
            .and_then(|uci| board.legal(&uci))
            .ok_or("an illegal move")?;
        board.play(legal);
    }
    if board.plies() as usize != record.plies() {
        return Err(format!("{} moves, {} times", board.plies(), record.plies()));
    }
    let by_rule = board.ending(spec.limits.ends());
    let by_fault = record.termination.blame();
    let by_fault = by_fault.map(|by| (Outcome::win(by.other()), record.termination));
    let neither = record.termination.is_fault_of_both() && record.outcome == Outcome::BothLose;
    if !neither && by_rule.or(by_fault) != Some((record.outcome, record.termination)) {
        return Err(format!(
            "{:?} by {:?} does not follow",
            record.outcome, record.termination
        ));
    }
    for side in Side::BOTH {
        let asked = sent
            .iter()
            .filter(|(to, line)| *to == side && line == "isready")
            .count();
        let failed = record
            .failed_attempts
            .iter()
            .filter(|attempt| attempt.side == side)
            .count();
        let anew = restarts.iter().filter(|of| **of == side).count();
        if asked == 0 || asked > 1 + failed + anew {
            return Err(format!(
                "{asked} isready to {side:?} with {failed} failed attempts, {anew} restarts"
            ));
        }
    }
    Ok(())
}

fn expectation(text: &str, record: &GameRecord, restarts: &[Side]) -> Result<(), String> {
    let (what, value) = text.split_once(' ').unwrap_or((text, ""));
    let found = match what {
        "moves" => record.moves.clone(),
        "ends" => format!("{:?}", record.termination),
        "failed" => {
            let ends = record
                .failed_attempts
                .iter()
                .map(|attempt| format!("{:?}", attempt.end));
            ends.collect::<Vec<_>>().join(", ")
        }
        "meant" => {
            let attempts = record.failed_attempts.iter();
            let meant = attempts.map(|attempt| {
                attempt
                    .meant
                    .as_ref()
                    .map_or_else(|| "-".to_owned(), ToString::to_string)
            });
            meant.collect::<Vec<_>>().join(", ")
        }
        "restarts" => format!("{restarts:?}"),
        "warnings" => {
            let warnings = claims::warnings(record).map_err(|error| error.to_string())?;
            let claims = warnings.iter().map(|warning| warning.claim.to_string());
            claims.collect::<Vec<_>>().join("; ")
        }
        column => serde_json::to_value(record).expect("records serialize")[column].to_string(),
    };
    if found == value {
        Ok(())
    } else {
        Err(format!("{what}: {found}, expected {value}"))
    }
}

/// Bytes that a line may have.
const LONGEST_LINE: usize = 64 * 1024;

/// What nothing has been read of yet.
fn lines() -> LineSplitter {
    LineSplitter::new(0, LONGEST_LINE)
}

/// A handshake against a script.
fn shake_hands(keys: &str, steps: &[(&str, &str)]) -> Result<(), String> {
    let wanted: BTreeMap<String, String> = keys
        .split(';')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let wanted = WantedOptions::new(&wanted, &BTreeMap::new());
    let handshake = Handshake::new(&wanted, Duration::from_secs(5));
    let mut handshake = handshake.with_ponder(keys.split(';').any(|word| word == "ponder"));
    let (mut now, mut sent, mut ended) = (Duration::ZERO, String::new(), None);
    let mut lines = lines();
    let mut expected = Vec::new();
    // The last round brings what follows from the last step.
    for (mark, text) in steps.iter().copied().chain([("", "")]) {
        let until = loop {
            if ended.is_some() {
                break Duration::MAX;
            }
            match handshake.poll(now) {
                Ok(HandshakeStep::Send(bytes)) => sent.push_str(&String::from_utf8_lossy(&bytes)),
                Ok(HandshakeStep::Wait(until)) => match lines.next_line() {
                    Some((from, to)) => handshake.line(&lines.text()[from..to]),
                    None => break until,
                },
                Ok(HandshakeStep::Ready) => ended = Some("ready".to_owned()),
                Err(failure) => ended = Some(failure.to_string()),
            }
        };
        match mark {
            "" => {}
            ">" if sent.lines().any(|line| line == text) => {}
            ">" => return Err(format!("`{text}` was not sent, but {sent:?}")),
            "<" => {
                lines.room(text.len() + 1).extend_from_slice(&bytes(text));
                lines.room(1).push(b'\n');
            }
            "+" => {
                now += duration(text);
                if now >= until {
                    ended = Some(handshake.overdue().to_string());
                }
            }
            "!" => expected.push(text),
            other => return Err(format!("`{other}` is no step")),
        }
    }
    let introduction = handshake.into_introduction();
    for text in expected {
        let (what, value) = text.split_once(' ').unwrap_or((text, ""));
        let found = match what {
            "ends" => ended.clone().unwrap_or_default(),
            "name" => introduction.name.clone(),
            "author" => introduction.author.clone(),
            "options" => serde_json::to_string(&introduction.options).expect("options serialize"),
            other => return Err(format!("`{other}` is no expectation of a handshake")),
        };
        if found != value {
            return Err(format!("{what}: {found}, expected {value}"));
        }
    }
    Ok(())
}
