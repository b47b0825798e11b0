//! The rules in words: each sentence against the code that acts, under each preset with each kind of time control, and against the
//! key that it follows from.
//!
//! May not: repeat how a sentence is made.

use std::path::Path;
use std::time::Duration;

use serde_json::json;
use swiss_system::pairing::history::PairingNumber;
use swissmatch::config;
use swissmatch::game::Side;
use swissmatch::game::adjudicate::AdjudicationRules;
use swissmatch::game::doubt::MeasuredTime;
use swissmatch::game::opening::Opening;
use swissmatch::game::play::{Game, Input, Output};
use swissmatch::game::record::{GameId, GameRecord, GameSpec};
use swissmatch::game::termination::Outcome;
use swissmatch::game::variant::Variant;
use swissmatch::report::rules::markdown;
use swissmatch::tournament::limits::{bounds_of, limits_of};
use swissmatch::tournament::log::{Entry, LOG_VERSION};
use swissmatch::tournament::setup::Setup;
use swissmatch::tournament::state::State;

/// Presets by which games are played.
const PRESETS: [&str; 8] = [
    "none",
    "global-chess-challenge",
    "kaggle-chess",
    "immortal-game",
    "us-chess",
    "gct-rapid-blitz",
    "gct-classical",
    "ai-chessathon-2026",
];

const CONTROLS: [&str; 12] = [
    "30s/move",
    "1+0",
    "10+0.1",
    "G/45 d5",
    "G/45 b5",
    "40/90 SD/30 +30",
    "300+2@61",
    "hourglass 1:00",
    "nodes=5000",
    "depth=8",
    "30s/move nodes=5000",
    "1+0 depth=8",
];

/// Of so many players, by a preset with more lines.
fn event(preset: &str, more: &str, players: usize) -> Setup {
    let mut text = format!("preset = \"{preset}\"\n{more}\n");
    for number in 1..=players {
        text += &format!(
            "[[player]]\nname = \"P{number}\"\ncommand = \"p\"\nrating = {}\n",
            2000 - number
        );
    }
    let loaded = config::load(Path::new("event.toml"), &text, &[]);
    loaded.unwrap_or_else(|error| panic!("{preset}, {more}: {error}")).setup
}

fn published(setup: &Setup) -> String {
    // As a line of a page has it.
    markdown(setup, setup.plan(), &[]).replace('\\', "")
}

fn state(setup: &Setup) -> State {
    let plan = setup.plan();
    let agent = json!({ "program": "p", "files": [], "introduction": null });
    let created = json!({
        "entry": "created",
        "log_version": LOG_VERSION,
        "software": "0.0.0",
        "rounds": plan.rounds,
        "format": plan.format,
        "order": (0..setup.players.len()).collect::<Vec<_>>(),
        "agents": vec![agent; setup.players.len()],
        "openings": { "source": "none", "sha256": null, "count": 0 },
        "setup": setup,
    });
    let created: Entry = serde_json::from_value(created).expect("an event");
    State::fold(&[created]).expect("a log")
}

/// A game of an event in which White, who has king and rook against a bare king, gives this answer whenever it is asked, and
/// none at all for `None`; with what it was asked.
fn played(state: &State, answer: Option<&str>) -> (GameRecord, Vec<String>) {
    let id: GameId = "1.1.1".parse().expect("a game");
    let players = [PairingNumber(1), PairingNumber(2)];
    let spec = GameSpec {
        id,
        white: players[0],
        black: players[1],
        opening: Opening {
            fen: Some("8/8/8/4k3/8/8/4K3/4R3 w - - 0 1".to_owned()),
            ..Opening::start(Variant::Standard)
        },
        limits: limits_of(state, id, players),
        bounds: bounds_of(state, id, players),
        adjudication: AdjudicationRules::default(),
    };
    let mut game = Game::new(spec).expect("a legal opening");
    let (mut now, mut last, mut asked) = (Duration::ZERO, String::new(), Vec::new());
    loop {
        match game.poll(now) {
            Output::Send { .. } => {
                last = String::from_utf8_lossy(game.outgoing()).into_owned();
                asked.extend(last.lines().find(|line| line.starts_with("go")).map(str::to_owned));
                game.handle(now, Input::Sent { was_full: false });
            }
            Output::Wait { .. } if last.ends_with("isready\n") => game.handle(now, Input::Line(b"readyok")),
            Output::Wait { .. } if last.ends_with("stop\n") => {
                now += Duration::from_millis(1);
                game.handle(now, Input::Line(b"bestmove 0000"));
            }
            Output::Wait { until, .. } => match answer {
                Some(answer) => game.handle(now, Input::Line(format!("bestmove {answer}").as_bytes())),
                None => {
                    now = until;
                    game.handle(now, Input::Deadline);
                }
            },
            Output::Doubt { .. } => game.handle(now, Input::Doubt(MeasuredTime::default())),
            Output::Restart { .. } => game.handle(now, Input::Restarted { waited: Duration::ZERO }),
            Output::Probe => game.handle(now, Input::Probed(None)),
            Output::Over => break,
        }
    }
    (game.finish().0, asked)
}

/// What is said of time and attempts is what a game does.
#[test]
fn what_is_said_of_time_is_what_a_game_does() {
    for preset in PRESETS {
        for control in CONTROLS {
            // Play-offs have clocks of their own.
            let keys = format!("game.time_control = \"{control}\"\ngame.move_overhead = \"50ms\"\nplayoff.places = []");
            let setup = event(preset, &keys, 2);
            let (state, text) = (state(&setup), published(&setup));
            let at = format!("{preset}, {control}: {text}");
            let limits = limits_of(
                &state,
                "1.1.1".parse().expect("a game"),
                [PairingNumber(1), PairingNumber(2)],
            );
            let has_flag = limits.time_controls[0].runs_through();

            let (late, asked) = played(&state, None);
            let again = format!("After {} failed attempts at one move, the game is lost", asked.len());
            assert_eq!(text.contains("is asked for it again"), asked.len() > 1, "{at}");
            assert_eq!(text.contains(&again), asked.len() > 1, "{at}");
            assert_eq!(
                text.contains("three times the limit for one move"),
                asked.len() == 3,
                "{at}"
            );
            assert_eq!(
                text.contains("the side whose flag falls loses at once"),
                has_flag,
                "{at}"
            );
            let loses = text.contains("A player who is late with a move loses the game");
            assert_eq!(loses, asked.len() == 1 && !has_flag, "{at}");
            let draws = text.contains("the side whose flag falls loses at once, unless the other side cannot mate");
            assert_eq!(draws, late.outcome == Outcome::Draw, "{at}");
            assert_eq!(
                late.outcome != Outcome::Draw,
                late.outcome == Outcome::win(Side::Black),
                "{at}"
            );
            assert_eq!(text.contains("A clock runs on through the doubt"), has_flag, "{at}");

            // What engines are told, and in how many milliseconds more they are judged.
            let told = asked[0]
                .split_once("movetime ")
                .map(|(_, rest)| rest.split(' ').next().expect("a number").to_owned());
            assert_eq!(told.is_some(), control.starts_with("30s"), "{at}");
            assert!(told.is_none_or(|told| told == "29950"), "{at}");
            assert_eq!(text.contains("50ms less"), control.starts_with("30s"), "{at}");
            let is_untold = control.starts_with("nodes") || control.starts_with("depth");
            assert_eq!(text.contains("engines are not told so"), is_untold, "{at}");

            let (_, asked) = played(&state, Some("a1a1"));
            let shared = text.contains("An illegal move counts as a failed attempt, as a late one does.");
            let apart = text.contains(&format!("After {} illegal answers for one move", asked.len()));
            assert_eq!(
                text.contains("An illegal move loses the game."),
                asked.len() == 1,
                "{at}"
            );
            assert_eq!(shared || apart, asked.len() > 1, "{at}");
            assert!(!shared || !has_flag, "{at}");
        }
    }
}

#[test]
fn who_ponders_is_who_is_said_to() {
    for (keys, expected) in [
        ("", "Engines do not think while their opponents do."),
        ("game.ponder = true", "Engines may think while their opponents do."),
        (
            "game.freeze = true",
            "Engines do not think while their opponents do: they are stopped meanwhile.",
        ),
    ] {
        let setup = event("none", keys, 2);
        let text = published(&setup);
        assert!(text.contains(expected), "{keys}: {text}");
        let limits = limits_of(
            &state(&setup),
            "1.1.1".parse().expect("a game"),
            [PairingNumber(1), PairingNumber(2)],
        );
        assert_eq!(limits.ponder, [expected.contains("may think"); 2], "{keys}");
    }
    let mut mixed = event("none", "game.ponder = true", 2);
    mixed.players[1].ponder = Some(false);
    assert!(published(&mixed).contains("P1 may think while their opponents do; the others do not."));
}

/// A preset, keys, how many players, and what is said of them, or is not.
type Row = (
    &'static str,
    &'static str,
    usize,
    &'static [&'static str],
    &'static [&'static str],
);

const ROWS: &[Row] = &[
    // Games of a knockout by its rounds.
    (
        "none",
        "event.stages = [{ format = \"3-SS\" }, { format = \"knockout\", top = 8, games_by_round = [4, 6, 8] }]",
        8,
        &["Stage: a knockout, for the first 8, mini-matches of 4 games, of 6 in the semi-finals, of 8 in the final."],
        &[],
    ),
    // Clocks beside times per move: of players, stages and play-offs.
    (
        "global-chess-challenge",
        "playoff.places = [1]\nplayoff.stages = [{ kind = \"round-robin\", two = \"8:00+3\", more = \"5:00+2\" }]",
        8,
        &[
            "Where no clock runs through the game: A player who is late with a move is asked for it again.",
            "Under a clock the side whose flag falls loses at once, unless the other side cannot mate",
            "Under a time per move an engine is told 50ms less",
            "If players are still level after that, the arbiter decides.",
        ],
        &[],
    ),
    (
        "none",
        "game.flag_fall = \"loses\"\ngame.margin = \"20ms\"",
        4,
        &[
            "the side whose flag falls loses at once.",
            "A move may be 20ms over its limit",
        ],
        &["cannot mate\n", "then the game is a draw"],
    ),
    (
        "none",
        "game.flag_fall = \"draw-if-bare-king\"\ngame.time_control = \"1s/move\"",
        4,
        &["A player who is late with a move loses the game, unless the other side has nothing but a king."],
        &["flag"],
    ),
    (
        "us-chess",
        "",
        7,
        &[
            "or has only a king, a king with one bishop or knight, or, against no pawns, a king with two knights: then the game is a draw; \
             a forced win is for the arbiter to find.",
            "(1) who has had no full-point bye may have it, but no unrated player who would then have fewer than four games; where nobody \
             may, all who are present; (2) of these the fewest times left over so far, whatever that gave; (3) the fewest repeated \
             meetings in the round of the others; (4) the fewest points; (5) the lowest rating, the unrated lowest; (6) the largest \
             pairing number.",
            "shorter than the rulebook of US Chess: what that says besides of half-point byes (22C6) and of unrated players and late \
             entrants (28L) does not apply.",
            "A bye is worth 1 match point and 1 game point.",
            "A requested bye is worth 0.5 match points and 0.5 game points.",
            "A player may ask for 2 half-point byes, each before its round is paired.",
            "Then by US Chess: adjusted scores of the opponents, some discarded depending on the player's own score (modified-median).",
            "The adjusted score of an opponent has half a point for each of its games that was not played, whatever that gave.",
            "The two play a mini-match of two games at 300 (5 min for the whole game).",
            "White at 360 (6 min for the whole game), Black at 300 (5 min for the whole game); a draw",
            "Players who are level on all of these share a place.",
            "if they have met on the day of the last round and it was decisive",
            "the colours are drawn by lot",
        ],
        &[
            "the arbiter decides",
            "a knockout of such games",
            "meet each other once",
            "with a lot",
        ],
    ),
    // Illegal answers counted apart come on top of late ones.
    (
        "none",
        "game.time_control = \"500ms/move\"\ngame.attempts = 3\ngame.illegal_attempts = 2",
        2,
        &[
            "After 3 late attempts at one move, the game is lost.",
            "those after an illegal answer too, so that a player may take four times the limit for one move.",
            "After 2 illegal answers for one move",
        ],
        &["three times the limit"],
    ),
    (
        "none",
        "game.time_control = \"500ms/move\"\ngame.illegal_attempts = 2\nstandings.order = [\"match-points\", \"lot\"]",
        2,
        &[
            "A player who is late with a move loses the game. Each attempt after an illegal answer has the whole limit, so that a player \
             may take twice the limit for one move.",
            "So nobody shares a place.",
        ],
        &["share a place, unless"],
    ),
    // Attempts that have the limit of a move together.
    (
        "global-chess-challenge",
        "game.attempts_share = true",
        2,
        &[
            "A player who is late with a move loses the game. All attempts at one move have its limit together: a late one leaves nothing \
             for another.",
            "asked again. After 3 illegal answers for one move, or one that leaves nothing of a time for the move, the game is lost.",
        ],
        &["times the limit", "as a late one does"],
    ),
    (
        "gct-classical",
        "game.time_control = \"1+0\"\ngame.illegal_attempts = 2",
        4,
        &[
            "The time control is 1 (1s for the whole game).",
            "A player who answers with an illegal move is asked again, on the running clock. After 2 illegal answers",
            "A play-off begins at least 15 min after the last game.",
            "Two players play a mini-match of two games at 600+5 (10 min for the whole game, 5s added after each move); three or more",
        ],
        &["one attempt"],
    ),
    // What a disqualification after the end does.
    (
        "immortal-game",
        "",
        12,
        &[
            "Nobody meets the same opponent twice, unless the round could not be paired otherwise.",
            "nobody has the same colour more than 2 times in a row, unless the round could not be paired otherwise",
            "(1) who has had no bye may have it; where nobody may, all who are present; (2)",
            "A player who is left over without a right to the bye gets nothing.",
            "nobody's points or tie-breaks change",
            "A game won because the opponent, who had White, did not come is a game won with Black.",
            "Then by Buchholz: points of the opponents, without the lowest (BH/C1).",
            "Then by Buchholz: points of the opponents (BH).",
            "Then by rounds with the points of a win, by forfeit too, but without byes (WIN).",
            "Then by mean rating of the opponents, without the lowest (ARO/C1).",
            "An engine that is not up when its own time for its first move has run out loses the game without a move",
            "The clock of the side that moves first starts when the game is due, whether or not its engine is up.",
        ],
        &[
            "attempts. If it does not start",
            "22C6",
            "played or not",
            "adjusted score",
        ],
    ),
    // Too few players for so many rounds.
    (
        "immortal-game",
        "swiss.rounds = 5\nswiss.color_streak = \"none\"\nstandings.black_wins = \"over-the-board\"\nstandings.disqualified = \"annulled\"",
        4,
        &[
            "There are more rounds than opponents, so that some players meet again",
            "After the end of the event the player's results are annulled, too, and count for nobody",
        ],
        &[
            "Nobody meets the same opponent twice",
            "in a row",
            "is a game won with Black",
            "tie-breaks change",
        ],
    ),
    (
        "immortal-game",
        "schedule.clock = \"game\"",
        4,
        &["An engine has 10s to start, the same time again to be ready, and 3 attempts."],
        &["when the game is due"],
    ),
    // Byes: of a Swiss, of the all-play-all that `"auto"` makes, of tables, of sections of four.
    (
        "global-chess-challenge",
        "",
        24,
        &[
            "(1) the fewest byes so far; (2) the fewest match points; (3) the worst place in the standings before the round; (4) the \
             earliest submission; (5) the largest pairing number.",
            "A bye is worth 0.5 match points and 1 game point.",
            "Nobody may ask for a bye.",
        ],
        &["There are no byes", "right to the bye", "A requested bye"],
    ),
    (
        "global-chess-challenge",
        "",
        5,
        &[
            "The table says who meets whom and, where the number of players is odd, who has the bye.",
            "A bye is worth 0.5 match points and 1 game point.",
        ],
        &["There are no byes", "free round", "the fewest byes so far"],
    ),
    (
        "global-chess-challenge",
        "swiss.rounds = \"RR\"",
        5,
        &["There are no byes. A player without an opponent has a free round"],
        &["A bye is worth"],
    ),
    (
        "none",
        "swiss.rounds = \"quads\"",
        8,
        &["There are no byes."],
        &["five to seven"],
    ),
    (
        "none",
        "swiss.rounds = \"quads\"",
        11,
        &[
            "The last five to seven play a Swiss of three rounds.",
            "one player has the bye",
            "Nobody may ask for a bye.",
        ],
        &["There are no byes."],
    ),
    (
        "none",
        "swiss.pairing = \"dutch\"\nswiss.rounds = 5",
        9,
        &["(1) nobody who has had it, or has as many points of a round without playing as a win gives"],
        &["right to the bye"],
    ),
    // Late entries: only a Swiss takes them.
    (
        "none",
        "registration.until = 2\nswiss.rounds = 5",
        8,
        &["A player may enter until 2 rounds have been played."],
        &[],
    ),
    (
        "none",
        "registration.until = \"half\"\nswiss.rounds = 2",
        8,
        &["A player may enter until round 1 is paired."],
        &[],
    ),
    (
        "none",
        "swiss.rounds = \"RR\"",
        8,
        &["Nobody may enter once the event has begun."],
        &["may enter until"],
    ),
    // Play-offs of a knockout, without places of their own.
    (
        "none",
        "swiss.rounds = \"knockout\"\nplayoff.stages = [{ kind = \"armageddon\", white = \"6:00\", black = \"5:00\", colors = \"choice\" }]",
        8,
        &[
            "A mini-match of a knockout that ends level is played off between the two.",
            "who wins the toss of a coin chooses the colour",
        ],
        &["There is a play-off when"],
    ),
    // The third place of a knockout, of four and of three players.
    (
        "none",
        "swiss.rounds = \"knockout\"\nplayoff.third = \"match\"",
        4,
        &["The two who lose in the semi-finals meet once more, beside the final and with as many games"],
        &["Nothing is played for the third place"],
    ),
    (
        "none",
        "swiss.rounds = \"knockout\"\nplayoff.third = \"match\"",
        3,
        &["Nothing is played for the third place: fewer than four players play the knockout."],
        &["meet once more"],
    ),
    (
        "gct-rapid-blitz",
        "",
        10,
        &["or a knockout of such games where more than two are level"],
        &["There are byes", "then, the arbiter decides"],
    ),
];

#[test]
fn each_sentence_follows_from_its_key() {
    for (preset, keys, players, said, not_said) in ROWS {
        let text = published(&event(preset, keys, *players));
        for sentence in *said {
            assert!(
                text.contains(sentence),
                "{preset}, {keys}: \"{sentence}\" is missing: {text}"
            );
        }
        for sentence in *not_said {
            assert!(
                !text.contains(sentence),
                "{preset}, {keys}: \"{sentence}\" is said: {text}"
            );
        }
    }
}

/// Sections with formats, byes and prizes of their own.
#[test]
fn sections_are_told_by_what_they_are() {
    let sections = "[event]\nsections = [\n\
        { name = \"Open\", from = 1999, format = \"5-SS\", prizes = { by_place = [100, 50], currency = \"EUR\" } },\n\
        { name = \"Amateur\", to = 1998, format = \"RR\" },\n]\n\
        [prizes]\nby_place = [10]\n";
    let mut text = format!("preset = \"us-chess\"\n{sections}");
    for number in 1..=9 {
        let rating = if number < 6 { 2100 } else { 1500 };
        text += &format!("[[player]]\nname = \"P{number}\"\ncommand = \"p\"\nrating = {rating}\n");
    }
    let loaded = config::load(Path::new("event.toml"), &text, &[]).unwrap_or_else(|error| panic!("{error}"));
    let text = published(&loaded.setup);
    for sentence in [
        "There are byes in a Swiss alone; elsewhere a player without an opponent has a free round",
        "A player may ask for 2 half-point byes",
        "Section Open: Place 1: 100",
        "Place 1: 10.",
    ] {
        assert!(text.contains(sentence), "{sentence}: {text}");
    }
}
