//! The facts around a game: players, times, results, agents, machine, evidence, and how to check all of it.
//!
//! May not: know moves.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::text::{escaped, harmless};
use swiss_system::word::Word as _;

use super::asked::is_of_texts;
use super::{AppealCase, Section, asked, limits};
use crate::moment::spoken;
use crate::pgn::is_won_by_draw;
use crate::untrusted::{event, name, path};
use swissmatch_game::Side;
use swissmatch_game::isolation::{IsolatedAgent, Isolation, Protection};
use swissmatch_tournament::embargo::is_held_back;
use swissmatch_tournament::log::{Agent, FileHash, GameFinished, PlayedOn, TakenFrom};
use swissmatch_tournament::results::results_after;
use swissmatch_tournament::state::{EndedGame, State};

pub(super) fn headline(case: &AppealCase<'_>) -> String {
    let [white, black] = limits::players(case).map(|player| name(case.state, player));
    let what = case.game.map_or_else(
        || "not ended".to_owned(),
        |game| {
            let result = game.outcome().word();
            format!("{result}, {}", game.finished.termination.word())
        },
    );
    format!("Game {} of {}: {white} – {black}: {what}", case.id, event(case.state))
}

pub(super) fn game(case: &AppealCase<'_>) -> Section {
    let state = case.state;
    let mut lines = vec![format!("{}, {}.", round(case), board(case))];
    for (side, player) in Side::BOTH.into_iter().zip(limits::players(case)) {
        let keys = state.player(player);
        let rating = keys
            .rating()
            .map_or_else(|| "unrated".to_owned(), |rating| format!("rated {rating}"));
        lines.push(format!(
            "{}: {}, pairing number {player}, {rating}.",
            side.name(),
            name(state, player)
        ));
    }
    if let Some(at) = case.paired_at {
        lines.push(format!("Paired at {}.", spoken(at)));
    }
    if let Some(logged) = case.logged {
        lines.push(format!("Ended, and committed to the log, at {}.", spoken(logged.at)));
    }
    if let Some(from) = taken_from(case) {
        lines.push(format!(
            "It was not played in this run: it is {from}, whose log begins with the hash {}.",
            harmless(&from.run)
        ));
    }
    if let Some(on) = played_on(case) {
        let again = match on.issue {
            1 => String::new(),
            times => format!("; it was given out {times} times, as the arbiter had it replayed"),
        };
        lines.push(format!(
            "Played by the worker {}, on a machine of the class {}{again}.",
            harmless(&on.worker),
            harmless(&on.class)
        ));
    }
    if let Some(record) = case.record {
        let opening = &record.opening;
        let moves = match opening.moves_text() {
            moves if moves.is_empty() => "no moves".to_owned(),
            moves => harmless(&moves),
        };
        lines.push(format!(
            "Opening: {}, {moves}, from {}",
            harmless(&opening.name),
            harmless(&opening.start_fen())
        ));
        lines.push(format!("Played: {}.", count::of(record.plies(), "ply", "plies")));
    }
    Section::new("The game", lines)
}

/// The game of an earlier run from which it was taken.
fn taken_from<'a>(case: &AppealCase<'a>) -> Option<&'a TakenFrom> {
    case.finished?.taken_from.as_ref()
}

/// The worker on which it was played, if it was not the runner's machine.
fn played_on<'a>(case: &AppealCase<'a>) -> Option<&'a PlayedOn> {
    case.finished?.played_on.as_deref()
}

/// The machine on which it was played: the worker's as described by the worker, or the runner's.
fn machine_of<'a>(case: &AppealCase<'a>) -> Option<&'a Value> {
    match played_on(case) {
        Some(on) => case.state.workers().get(&on.worker).map(|worker| &worker.machine),
        None => case.manifest?.get("machine"),
    }
}

/// How games were seated on the runner's machine. The runner does not know this of a worker.
fn seating_of<'a>(case: &AppealCase<'a>) -> Option<&'a Value> {
    case.manifest.filter(|_| played_on(case).is_none())?.get("seating")
}

fn round(case: &AppealCase<'_>) -> String {
    let (id, rounds) = (case.id, case.state.created().rounds);
    match id.playoff {
        0 => format!("Round {} of {rounds}", id.round),
        playoff => format!("Play-off round {playoff} after round {}", id.round),
    }
}

fn board(case: &AppealCase<'_>) -> String {
    let games = case.state.mini_match(case.id).map_or(0, |board| board.games.len());
    format!(
        "board {}, game {} of the {games} of its mini-match",
        case.id.board, case.id.game
    )
}

pub(super) fn result(case: &AppealCase<'_>) -> Section {
    Section::new("What it gave", result_lines(case))
}

fn result_lines(case: &AppealCase<'_>) -> Vec<String> {
    let (state, id) = (case.state, case.id);
    let Some(board) = state.mini_match(id) else {
        return Vec::new();
    };
    let scoring = &state.setup().scoring;
    let players = limits::players(case);
    let each = |points: [String; 2]| {
        let [white, black] = players.map(|player| name(state, player));
        format!("{white} {}, {black} {}", points[0], points[1])
    };
    let points = |board: &swissmatch_tournament::state::MiniMatch| {
        each(players.map(|player| board.game_points(player, scoring).to_string()))
    };
    let ended = board.games.iter().flatten().count();
    let mut lines = Vec::new();
    if case.game.is_some() {
        let mut without = board.clone();
        let mut alone = board.clone();
        for (number, _) in (1..).zip(&board.games) {
            let cleared = if number == id.game { &mut without } else { &mut alone };
            cleared.games.set(number, None);
        }
        lines.push(format!("Game points of this game: {}.", points(&alone)));
        if case.game.is_some_and(|game| is_won_by_draw(state, &game)) {
            lines.push("Black has draw odds, and wins the Armageddon game by the draw.".to_owned());
        }
        lines.push(format!(
            "Game points of the mini-match without it: {}; with it: {}.",
            points(&without),
            points(board)
        ));
    }
    lines.push(format!(
        "{ended} of the {} of the mini-match have ended.",
        count::of(board.games.len(), "game", "games")
    ));
    if id.playoff > 0 {
        lines.push("It is a game of a play-off, which does not count in the standings.".to_owned());
    } else if board.is_over() {
        let results = results_after(state, id.round as usize);
        let points = players.map(|player| {
            let rounds = &results.players[player.index()].rounds;
            rounds
                .get(id.round as usize - 1)
                .map(|round| round.points.to_string())
                .unwrap_or_default()
        });
        lines.push(format!("The mini-match is over; match points: {}.", each(points)));
    }
    lines
}

fn agents_of<'a>(case: &AppealCase<'a>) -> [&'a Agent; 2] {
    let created = case.state.created();
    limits::players(case).map(|player| &created.agents[created.order[player.index()]])
}

pub(super) fn agents(case: &AppealCase<'_>) -> Section {
    let mut lines = Vec::new();
    for ((side, player), agent) in Side::BOTH.into_iter().zip(limits::players(case)).zip(agents_of(case)) {
        let said = match &agent.introduction {
            Some(said) => format!(
                "calls itself \"{}\" by \"{}\"",
                harmless(&said.name),
                harmless(&said.author)
            ),
            None => "did not start before the event".to_owned(),
        };
        lines.push(format!(
            "{} ({}): {}, {said}",
            name(case.state, player),
            side.name(),
            path(&agent.program)
        ));
        lines.extend(
            agent
                .files
                .iter()
                .map(|file| format!("  SHA-256 {}  {}", harmless(&file.sha256), path(&file.path))),
        );
        lines.extend(started_with(case, player));
        lines.extend(isolated(case, side).map(isolation));
    }
    let late = limits::players(case)
        .into_iter()
        .filter(|player| case.state.entered_after(*player).is_some());
    let late: Vec<String> = late.map(|player| name(case.state, player)).collect();
    let of_late = match late.as_slice() {
        [] => String::new(),
        names => format!(", those of {} as they were when it entered", names.join(" and of ")),
    };
    lines.push(format!(
        "These are the files as they were when the run began{of_late}; a runner that resumes the run accepts no others."
    ));
    Section::new("Agents", lines)
}

/// The command line of an agent after the program, and the UCI options that were set.
fn started_with(case: &AppealCase<'_>, player: PairingNumber) -> Vec<String> {
    let (setup, keys) = (case.state.setup(), case.state.player(player));
    let mut lines = Vec::new();
    if !keys.args.is_empty() {
        let words: Vec<String> = keys.args.iter().map(|word| format!("\"{}\"", harmless(word))).collect();
        lines.push(format!("  Arguments: {}", words.join(" ")));
    }
    // A player's own options override those of all.
    let options: BTreeMap<_, _> = setup.engine.options.iter().chain(&keys.options).collect();
    if !options.is_empty() {
        let options: Vec<String> = options
            .iter()
            .map(|(name, value)| format!("{} = {}", harmless(name), harmless(value)))
            .collect();
        lines.push(format!("  UCI options of the event: {}", options.join(", ")));
    }
    lines
}

/// The isolation of a side's agent, where it is on record.
fn isolated<'a>(case: &AppealCase<'a>, side: Side) -> Option<&'a IsolatedAgent> {
    case.record?.isolation.get(side.index())
}

fn isolation(isolated: &IsolatedAgent) -> String {
    let words = |given: bool| -> Vec<&str> {
        let all = Protection::ALL
            .iter()
            .filter(|one| isolated.protections.contains(one) == given);
        all.map(|one| one.word()).collect()
    };
    let missing = match words(false).as_slice() {
        [] => String::new(),
        missing => format!("; this machine lacked: {}", missing.join(", ")),
    };
    match isolated.isolation {
        Isolation::Off => "  Isolation off".to_owned(),
        word => format!("  Isolation {}: {}{missing}", word.word(), words(true).join(", ")),
    }
}

pub(super) fn machine(case: &AppealCase<'_>) -> Section {
    if case.manifest.is_none() && played_on(case).is_none() {
        return Section::new(
            "Machine",
            vec!["The run has no manifest that could be read.".to_owned()],
        );
    }
    let mut lines = Vec::new();
    let parts = [("machine", machine_of(case)), ("seating", seating_of(case))];
    for (part, value) in parts {
        let Some(Value::Object(members)) = value else { continue };
        for (key, value) in members
            .iter()
            .filter(|(key, value)| *key != "topology" && !value.is_null())
        {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            lines.push(format!(
                "{part} {}: {}",
                harmless(&key.replace('_', " ")),
                harmless(&text)
            ));
        }
    }
    Section::new("Machine", lines)
}

pub(super) fn evidence(case: &AppealCase<'_>, most: usize) -> Section {
    let mut lines = Vec::new();
    let Some(game) = case.game else {
        return Section::new("Evidence", lines);
    };
    let hash = |of: fn(&GameFinished) -> &Option<String>| case.finished.and_then(|finished| of(finished).as_deref());
    match hash(|finished| &finished.record) {
        Some(hash) => lines.push(format!(
            "Record (moves, times, attempts): SHA-256 {}, in run.sqlite.",
            harmless(hash)
        )),
        None => lines.push("There is no record: nothing was sent to any engine.".to_owned()),
    }
    let Some(hash) = hash(|finished| &finished.evidence) else {
        lines.push(no_transcript(case, &game));
        return Section::new("Evidence", lines);
    };
    let is_published = case.state.setup().publish.evidence;
    let place = match is_held_back(case.state, case.id) {
        true => "in run.sqlite (under embargo: no file of the run shows it)".to_owned(),
        false if is_published => format!("in run.sqlite and {}/evidence/{}.txt", harmless(case.run), case.id),
        false => "in run.sqlite".to_owned(),
    };
    lines.push(format!(
        "Transcript and standard error: SHA-256 {}, {place}.",
        harmless(hash)
    ));
    for (what, part) in ["Transcript", "Standard error"].into_iter().zip(evidence_parts(case)) {
        let skipped = part.len().saturating_sub(most);
        match (part.len(), skipped) {
            (0, _) => continue,
            (_, 0) => lines.push(format!("{what}:")),
            (all, _) => lines.push(format!("{what}, the last {most} of {all} lines (--full shows all):")),
        }
        lines.extend(part.into_iter().skip(skipped).map(|line| format!("| {line}")));
    }
    Section::new("Evidence", lines)
}

/// Explains why no transcript of a game is kept, and where the cause of a forfeit is found.
fn no_transcript(case: &AppealCase<'_>, game: &EndedGame) -> String {
    if let Some(from) = taken_from(case) {
        return format!("No transcript of this game is kept here: it was played as {from}.");
    }
    if game.finished.has_record {
        return "No transcript of this game is kept: it had no fault, and run.evidence was not \"all\".".to_owned();
    }
    let games = case
        .state
        .mini_match(case.id)
        .into_iter()
        .flat_map(|board| &board.games);
    let told = games.flatten().find(|other| other.finished.has_evidence);
    let told = told
        .filter(|_| game.finished.termination.is_fault())
        .map_or_else(String::new, |other| {
            let id = other.finished.id;
            format!(" What was said before is kept with game {id}: `swissmatch explain game {id}`.")
        });
    format!("No transcript of this game is kept: nothing was played in it.{told}")
}

/// The lines of the evidence, made harmless: the transcript, and standard error. The texts of calls to models have a section of their own.
/// No line of a transcript begins as the headline of standard error does: each begins with a time or with words of the runner.
fn evidence_parts(case: &AppealCase<'_>) -> [Vec<String>; 2] {
    let lines = case.evidence.unwrap_or_default().lines();
    let mut transcript: Vec<String> = lines.filter(|line| !is_of_texts(line)).map(escaped).collect();
    let begins = transcript
        .iter()
        .position(|line| line.starts_with("Standard error of "));
    let errors = transcript.split_off(begins.unwrap_or(transcript.len()));
    while transcript.last().is_some_and(String::is_empty) {
        transcript.pop();
    }
    [transcript, errors]
}

pub(super) fn evidence_json(case: &AppealCase<'_>, most: usize) -> Value {
    let [transcript, errors] = evidence_parts(case);
    let (texts, all_texts) = asked::json(case, most);
    let finished = case.finished;
    let tail = |lines: &[String]| lines[lines.len().saturating_sub(most)..].to_vec();
    json!({
        "record_sha256": finished.and_then(|finished| finished.record.as_deref()).map(harmless),
        "evidence_sha256": finished.and_then(|finished| finished.evidence.as_deref()).map(harmless),
        "transcript": tail(&transcript),
        "standard_error": tail(&errors),
        "texts": texts,
        "is_cut": transcript.len().max(errors.len()).max(all_texts) > most,
    })
}

pub(super) fn checks(case: &AppealCase<'_>) -> Section {
    let (run, id) = (harmless(case.run), case.id);
    let mut lines = Vec::new();
    if let Some(logged) = case.logged {
        lines.push(format!(
            "Its result is entry {} of the log; the chain of hashes stands at {} there.",
            logged.seq,
            harmless(logged.hash)
        ));
        lines.push(format!(
            "swissmatch verify {run}   plays every move of the record again and compares every hash"
        ));
        lines.push(format!("swissmatch export pgn {run} --only {id}"));
    }
    if case.game.is_some() {
        lines.push(format!(
            "swissmatch evidence {id} {run}   puts all that is kept of it into one archive"
        ));
    }
    if case.record.is_some() {
        lines.push(format!("swissmatch export records {run} --only {id}"));
    }
    if case.evidence.is_some() {
        lines.push(format!("swissmatch export evidence {run} --only {id}"));
    }
    Section::new("To check it", lines)
}

fn files(files: &[FileHash]) -> Vec<Value> {
    let files = files.iter();
    files
        .map(|file| json!({ "path": harmless(&file.path), "sha256": harmless(&file.sha256) }))
        .collect()
}

/// The facts as JSON; other modules add the rest.
pub(super) fn json(case: &AppealCase<'_>) -> Value {
    let state: &State = case.state;
    let players = limits::players(case);
    let sides: Vec<Value> = Side::BOTH
        .into_iter()
        .zip(players)
        .zip(agents_of(case))
        .map(|((side, player), agent)| {
            json!({
                "side": side,
                "name": name(state, player),
                "pairing_number": player.0,
                "rating": state.player(player).rating(),
                "program": harmless(&agent.program),
                "id_name": agent.introduction.as_ref().map(|said| harmless(&said.name)),
                "id_author": agent.introduction.as_ref().map(|said| harmless(&said.author)),
                "files": files(&agent.files),
                "isolation": isolated(case, side),
            })
        })
        .collect();
    let mut value = json!({
        "schema": 1,
        "event": event(state),
        "game": case.id.to_string(),
        "round": case.id.round,
        "playoff": case.id.playoff,
        "board": case.id.board,
        "number": case.id.game,
        "players": sides,
        "paired_at": case.paired_at.map(harmless),
        "ended_at": case.logged.map(|logged| harmless(logged.at)),
        "opening": case.record.map(|record| json!({
            "name": harmless(&record.opening.name),
            "fen": harmless(&record.opening.start_fen()),
            "moves": harmless(&record.opening.moves_text()),
        })),
        "plies": case.record.map(swissmatch_game::record::GameRecord::plies),
        "moves": case.record.map(|record| harmless(&record.moves)),
        "gave": result_lines(case),
        "machine": machine_of(case),
        "seating": seating_of(case),
        "log": case.logged.map(|logged| json!({ "seq": logged.seq, "hash": harmless(logged.hash) })),
    });
    if let Some(from) = taken_from(case) {
        value["taken_from"] = json!({ "run": harmless(&from.run), "game": from.game });
    }
    if let Some(on) = played_on(case) {
        value["played_on"] = json!({ "worker": harmless(&on.worker), "class": harmless(&on.class), "issue": on.issue });
    }
    value
}
