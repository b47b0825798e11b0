//! Events of every format, from the event file to what can be said about them.

use std::time::Duration;

use rustix::process::Signal;

use crate::death::{Background, send, until};
use crate::resume::RUN;
use crate::support::{Place, engine};

const PATIENCE: Duration = Duration::from_secs(60);

/// An event of so many players whose games are short, in mini-matches of two where the format does not say it, with these
/// lines of `[swiss]`.
fn event(players: usize, swiss: &str) -> String {
    let games = if swiss.contains("double") { "" } else { "games = 2\n" };
    let mut event = format!(
        "[event]\nname = \"of a format\"\n[mini_match]\nopenings = \"none\"\n{games}[game]\nmax_plies = 30\n[swiss]\n{swiss}\n"
    );
    for number in 1..=players {
        // Every other one wins, so that not everything is level.
        let agent = engine(if number % 2 == 1 { "greedy" } else { "random-mover" });
        event += &format!(
            "[[player]]\nname = \"R{number}\"\ncommand = \"{agent}\"\nrating = {}\noptions = {{ Seed = {number} }}\n",
            2000 - number
        );
    }
    event
}

/// Plays it; what can be checked of every format is checked.
#[track_caller]
fn play(players: usize, swiss: &str, games: usize) -> Place {
    let place = Place::new();
    place.write("event.toml", &event(players, swiss));
    let plan = place.swissmatch(&["plan", "event.toml", "--json", "--events", "10"]);
    plan.expect_code(0);
    let plan: serde_json::Value = serde_json::from_str(&plan.stdout()).expect("JSON");
    assert_eq!(plan["games"], games, "{swiss}: planned");

    let ran = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    ran.expect_code(0);
    let listed = place.export_json("run", "games-json");
    assert_eq!(listed["games"].as_array().map(Vec::len), Some(games), "{swiss}: played");
    place.swissmatch(&["verify", "run"]).expect_code(0);
    for view in ["status", "standings", "crosstable"] {
        place.swissmatch(&[view, "run"]).expect_code(0);
    }
    let status = place.swissmatch(&["status", "run", "--json"]);
    let status: serde_json::Value = serde_json::from_str(&status.stdout()).expect("JSON");
    assert_eq!(
        (&status["final"], &status["games"]["event"]),
        (&true.into(), &games.into()),
        "{swiss}"
    );
    assert_eq!(status["rounds"], plan["rounds"], "{swiss}: rounds");
    for round in 1..=status["rounds"].as_u64().expect("a number") {
        let explained = place.swissmatch(&["explain", "round", &round.to_string(), "--run", "run"]);
        explained.expect_code(0);
    }
    let explained = place.swissmatch(&["explain", "R1", "--run", "run"]);
    explained.expect_code(0);
    place
}

/// Whom each player met, by name, in order of rounds.
fn met(place: &Place, player: &str) -> Vec<String> {
    let listed = place.export_json("run", "games-json");
    let games = listed["games"].as_array().expect("a list of games");
    let mut met = Vec::new();
    for game in games {
        let (white, black) = (
            game["white"].as_str().expect("a name"),
            game["black"].as_str().expect("a name"),
        );
        let other = if white == player {
            black
        } else if black == player {
            white
        } else {
            continue;
        };
        if met.last().is_none_or(|last| last != other) {
            met.push(other.to_owned());
        }
    }
    met
}

#[test]
fn everybody_once() {
    let place = play(4, "rounds = \"RR\"", 6 * 2);
    assert_eq!(met(&place, "R4"), ["R1", "R3", "R2"], "by the Berger tables");
}

#[test]
fn double_forms_are_rounds_of_two_games() {
    let place = play(4, "rounds = \"double-RR\"", 6 * 2);
    assert_eq!(met(&place, "R4"), ["R1", "R3", "R2"]);
    play(5, "rounds = \"2-double-SS\"", 2 * 2 * 2);
    // Four players in three rounds would be an all-play-all by "auto".
    let place = play(4, "rounds = \"double-SS\"", 3 * 2 * 2);
    assert!(place.swissmatch(&["status", "run"]).stdout().contains("Swiss"));
}

#[test]
fn a_gauntlet() {
    let place = play(5, "rounds = \"gauntlet-2\"", 3 * 2 * 2);
    assert_eq!(met(&place, "R1"), ["R3", "R4", "R5"]);
    let mut third = met(&place, "R3");
    third.sort_unstable();
    assert_eq!(third, ["R1", "R2"]);
}

#[test]
fn us_chess_pairs_half_against_half_and_gives_the_bye_to_the_lowest() {
    let place = play(5, "rounds = 2\npairing = \"us-chess\"", 2 * 2 * 2);
    assert_eq!(met(&place, "R1")[0], "R3");
    assert_eq!(met(&place, "R5").len(), 1, "the lowest rated had the bye of round 1");
}

#[test]
fn immortal_pairs_top_half_against_bottom_half_and_gives_reasons() {
    let place = play(
        5,
        "rounds = 3\npairing = \"immortal\"\ninitial_color = \"white\"",
        3 * 2 * 2,
    );
    assert_eq!(met(&place, "R1")[0], "R3");
    assert_eq!(met(&place, "R2")[0], "R4");
    assert_eq!(
        met(&place, "R5").len(),
        2,
        "the lowest rated had the bye of round 1, and none after it"
    );
    let explained = place.swissmatch(&["explain", "round", "1", "--run", "run"]);
    let explained = explained.stdout();
    assert!(
        explained.starts_with("Round 1, by \"immortal\": fewest repeats, then fewest with a colour too often in a row")
            && explained.contains(
                "The bye: #5 R5, of those who had none: the fewest repeats of the others, then the lowest points"
            ),
        "{explained}"
    );
    for told in [
        "\n#1 R1 – #3 R3: both have 0 points, #1 R1 in the top half of these 4, #3 R3 in the bottom half.\n",
        "\nHow the bye came to #5 R5:\n  Fewest byes: all 5 have had none. 5 are left.\n",
    ] {
        assert!(explained.contains(told), "{explained}");
    }
    assert_eq!(
        explained.matches("#4 stands for pairing number 4.").count(),
        1,
        "{explained}"
    );
    for (round, why) in [
        ("9", "there is no round 9: the event has 3 rounds"),
        ("abc", "write the number of a round, such as 3"),
        ("1.1.1", "1.1.1 is a game: `swissmatch explain game 1.1.1`"),
    ] {
        let refused = place.swissmatch(&["explain", "round", round, "--run", "run"]);
        refused.expect_code(4);
        assert!(refused.stderr().contains(why), "{}", refused.stderr());
    }
    let next = place.swissmatch(&["explain", "round", "--run", "run"]);
    next.expect_code(4);
    assert!(next.stderr().contains("no pairing is due"), "{}", next.stderr());
    let explained = place.swissmatch(&["explain", "round", "3", "--run", "run", "--json"]);
    let explained: serde_json::Value = serde_json::from_str(&explained.stdout()).expect("JSON");
    assert_eq!(explained["pairing"], "immortal");
}

#[test]
fn an_event_goes_on_where_nobody_may_have_the_bye() {
    for (preset, gives, letter) in [("immortal-game", 0.0, 'Z'), ("us-chess", 0.5, 'H')] {
        let place = Place::new();
        let event = event(3, "rounds = 4").replace("games = 2", "games = 1");
        place.write(
            "event.toml",
            &format!("preset = \"{preset}\"\n{event}[schedule]\nbreak = \"0s\"\nnotice = \"0s\"\n[eligibility]\nrequired = false\n"),
        );
        let plan = place.swissmatch(&["plan", "event.toml", "--events", "10"]);
        plan.expect_code(0);
        assert!(
            plan.stderr().contains("only 3 players may have one"),
            "{}",
            plan.stderr()
        );
        let ran = place.swissmatch(&RUN);
        ran.expect_code(0);
        assert!(ran.stderr().contains("only 3 players may have one"), "{}", ran.stderr());
        place.swissmatch(&["verify", "run"]).expect_code(0);

        let standings = place.swissmatch(&["standings", "run", "--json"]);
        let standings: serde_json::Value = serde_json::from_str(&standings.stdout()).expect("JSON");
        let rows = standings["players"].as_array().expect("players").iter();
        let sum = |column: &str| rows.clone().filter_map(|row| row[column].as_f64()).sum::<f64>();
        // Four games, three byes of a point, and what the fourth bye gives.
        assert!(
            (sum("match_points") - 7.0 - gives).abs() < 1e-9,
            "{preset}: {standings}"
        );
        assert!((sum("byes") - 4.0).abs() < 1e-9, "{preset}: {standings}");

        let explained = place.swissmatch(&["explain", "round", "4", "--run", "run"]);
        explained.expect_code(0);
        assert!(explained.stdout().contains("(bye.again)"), "{}", explained.stdout());
        let table = place.read("run/standings.md");
        assert!(
            table.contains("nobody with a right to the bye could sit out"),
            "{table}"
        );
        let trf = place.read("run/tournament.trf");
        let fourth = |line: &str| line.starts_with("001") && line.trim_end().ends_with(letter);
        assert_eq!(trf.lines().filter(|line| fourth(line)).count(), 1, "{trf}");
    }
}

#[test]
fn double_swiss_pairs_by_game_points_and_nobody_meets_twice() {
    let place = play(
        5,
        "rounds = \"4-double-SS\"\npairing = \"double-swiss\"\n[bye]\ngame_points = 1.5\n[standings]\norder = [\"game-points\", \
         \"BH\"]",
        4 * 2 * 2,
    );
    // With equal scores the smaller numbers are the top members, and the largest has the bye.
    assert_eq!(met(&place, "R1")[0], "R3");
    assert_eq!(met(&place, "R5").len(), 3);
    for number in 1..=5 {
        let mut opponents = met(&place, &format!("R{number}"));
        let rounds = opponents.len();
        opponents.sort_unstable();
        opponents.dedup();
        assert_eq!(opponents.len(), rounds, "R{number}");
    }
    let explained = place.swissmatch(&["explain", "round", "2", "--run", "run"]);
    assert!(
        explained
            .stdout()
            .contains("by the Double-Swiss system (C.04.5), by game points")
    );
    assert!(
        explained
            .stdout()
            .contains("\n  Right to the bye: #1 R1, #2 R2, #3 R3 and #4 R4 have it. 4 are left.\n"),
        "{}",
        explained.stdout()
    );
    assert_eq!(
        explained.stdout().matches(" floated down from ").count() + explained.stdout().matches(": both have ").count(),
        2
    );
}

/// Agents of whom one of any two is the stronger by far.
fn ladder(settings: &str) -> String {
    let mut event = format!("{settings}\n[mini_match]\ngames = 2\n[game]\nnodes = 300\n");
    for (number, (agent, options)) in (1..).zip([
        ("alphabeta", "{}"),
        ("alphabeta", "{ Skill = 4 }"),
        ("greedy", "{}"),
        ("random-mover", "{ Seed = 4 }"),
        ("random-mover", "{ Seed = 5 }"),
    ]) {
        let command = engine(agent);
        event += &format!(
            "[[player]]\nname = \"R{number}\"\ncommand = \"{command}\"\nrating = {}\noptions = {options}\n",
            2000 - number
        );
    }
    event
}

fn places(players: &serde_json::Value, key: &str) -> Vec<(u64, String)> {
    let players = players[key].as_array().expect("a list");
    let place = |player: &serde_json::Value| {
        let name = player["name"].as_str().expect("a name").to_owned();
        (player["place"].as_u64().expect("a place"), name)
    };
    players.iter().map(place).collect()
}

#[test]
fn quads_are_sections_with_a_table_each() {
    let place = play(9, "rounds = \"quads\"", (6 + 2 * 3) * 2);
    let standings: serde_json::Value = serde_json::from_str(&place.read("run/standings.json")).expect("JSON");
    let parts = standings["parts"].as_array().expect("a list of parts");
    let sizes: Vec<_> = parts
        .iter()
        .map(|part| part["players"].as_array().map(Vec::len))
        .collect();
    assert_eq!(sizes, [Some(4), Some(5)]);
    let csv = place.read("run/standings.csv");
    assert!(
        csv.starts_with("Part,#,Name,") && csv.contains("\nsection 2,1,"),
        "{csv}"
    );
    assert!(
        place
            .read("run/standings.md")
            .contains("of a format, section 2: final standings")
    );
    assert!(
        !place.path("run/tournament.trf").exists(),
        "one file cannot hold two tables"
    );
    let of_part = place.swissmatch(&["export", "trf", "run", "--part", "2"]);
    of_part.expect_code(0);
    assert!(of_part.stdout().contains("\n062 5"), "{}", of_part.stdout());
    let one = place.swissmatch(&["standings", "run", "--part", "1", "--json"]);
    let one: serde_json::Value = serde_json::from_str(&one.stdout()).expect("JSON");
    assert_eq!(one["players"], parts[0]["players"]);
    for (refused, why) in [
        (&["rescore", "run"][..], "several parts"),
        (&["standings", "run", "--confidence"], "--part N"),
        (&["standings", "run", "--part", "3"], "the event has 2 parts"),
        (
            &["explain", "R1", "R9", "--run", "run"],
            "there is no part of the event in which both of these players play",
        ),
        (&["crosstable", "run", "--by-opponent"], "--part N"),
    ] {
        let ran = place.swissmatch(refused);
        ran.expect_code(4);
        assert!(ran.stderr().contains(why), "{refused:?}: {}", ran.stderr());
    }
    place
        .swissmatch(&["explain", "R5", "R9", "--run", "run"])
        .expect_code(0);
}

#[test]
fn a_knockout_has_a_winner() {
    let place = Place::new();
    place.write("event.toml", &ladder("[swiss]\nrounds = \"knockout\""));
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let standings = place.export_json("run", "json");
    let expected = [(1, "R1"), (2, "R2"), (3, "R3"), (3, "R5"), (5, "R4")];
    assert_eq!(
        places(&standings, "players"),
        expected.map(|(place, name)| (place, name.to_owned()))
    );
    assert!(place.path("run/tournament.trf").exists());
    let refused = place.swissmatch(&["explain", "R1", "--run", "run"]);
    refused.expect_code(4);
    assert!(
        refused.stderr().contains("the round in which a player went out"),
        "{}",
        refused.stderr()
    );
    let explained = place.swissmatch(&["explain", "round", "2", "--run", "run"]);
    assert!(explained.stdout().contains("of a knockout"), "{}", explained.stdout());
}

/// What is level has to be played off: the next round is not paired, and nothing is guessed.
#[test]
fn a_level_tie_of_a_knockout_without_stages_is_left_to_the_arbiter() {
    let place = Place::new();
    let event = event(4, "rounds = \"knockout\"").replace("max_plies = 30", "max_plies = 2");
    place.write("event.toml", &event);
    let ran = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    ran.expect_code(2);
    assert!(ran.stderr().contains("R1, R4 are still tied"), "{}", ran.stderr());
    place.swissmatch(&["verify", "run"]).expect_code(0);
    for (tie, winner) in [("board-1", "R4"), ("board-2", "R2")] {
        let words = [
            "arbiter", "decide", "run", "--by", "A", "--reason", "B", "--tie", tie, "--result", winner,
        ];
        place.swissmatch(&words).expect_code(0);
    }
    let ran = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    ran.expect_code(2);
    assert!(ran.stderr().contains("R2, R4 are still tied"), "{}", ran.stderr());
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

/// The better seed goes on, and is third, where the event says so: nothing is left to the arbiter.
#[test]
fn a_level_tie_of_a_knockout_is_the_better_seeds_where_the_event_says_so() {
    let place = Place::new();
    let keys = "rounds = \"knockout\"\n[playoff]\nknockout = \"better-seed\"\nthird = \"better-seed\"";
    let event = event(4, keys).replace("max_plies = 30", "max_plies = 2");
    place.write("event.toml", &event);
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let standings = place.export_json("run", "json");
    let seeds = places(&standings, "players");
    assert_eq!(
        seeds.iter().map(|(place, _)| *place).collect::<Vec<_>>(),
        [1, 2, 3, 4],
        "{seeds:?}"
    );
    let rules = place.read("run/rules.md");
    for told in [
        "that ends level is won by the better seed",
        "the better seed is third, and the other one is fourth",
    ] {
        assert!(rules.contains(told), "{told}: {rules}");
    }
    assert!(place.read("run/standings.md").contains("the better seed is third"));
    let swiss = event.replace("rounds = \"knockout\"", "rounds = 2");
    place.write("swiss.toml", &swiss);
    let refused = place.swissmatch(&["run", "swiss.toml", "--out", "other"]);
    refused.expect_code(4);
    assert!(
        refused.stderr().contains("it is a rule of knockouts"),
        "{}",
        refused.stderr()
    );
}

const STAGES: &str = "[event]\nname = \"staged\"\nstages = [{ format = \"2-SS\" }, { format = \"knockout\", top = 2, games = 4, \
                      time_control = \"20s/move\" }]";

#[test]
fn stages_of_one_event() {
    let place = Place::new();
    place.write("event.toml", &ladder(STAGES));
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let standings = place.export_json("run", "json");
    let ranking = places(&standings, "ranking");
    assert_eq!((ranking.len(), ranking[0].clone()), (5, (1, "R1".to_owned())));
    let final_round = place.swissmatch(&["export", "pgn", "run", "--only", "3"]);
    assert_eq!(
        final_round.stdout().matches("[TimeControl \"20/move\"]").count(),
        4,
        "{}",
        final_round.stdout()
    );
    let rounds: Vec<_> = standings["parts"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|part| part["rounds"].clone())
        .collect();
    assert_eq!(rounds, [2, 1]);
    let plan = place.swissmatch(&["plan", "event.toml"]);
    assert!(plan.stdout().contains("2 × 2, 4 a mini-match"), "{}", plan.stdout());
    for part in ["1", "2"] {
        place.swissmatch(&["standings", "run", "--part", part]).expect_code(0);
    }
    place
        .swissmatch(&["explain", "R1", "R2", "--run", "run"])
        .expect_code(0);
    place
        .swissmatch(&["explain", "round", "3", "--run", "run"])
        .expect_code(0);
}

/// A list of one stage is a knockout alone.
#[test]
fn the_final_of_a_knockout_has_more_games() {
    let place = Place::new();
    place.write(
        "event.toml",
        &ladder("[event]\nstages = [{ format = \"knockout\", games_by_round = [2, 4] }]"),
    );
    let plan = place.swissmatch(&["plan", "event.toml"]);
    assert!(plan.stdout().contains("10, 2 × 2, 4 a mini-match"), "{}", plan.stdout());
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let games = |round: &str| {
        let games = place.swissmatch(&["export", "pgn", "run", "--only", round]);
        games.stdout().matches("[Round ").count()
    };
    assert_eq!(["1", "2", "3"].map(games), [2, 4, 4]);
    let file = place.swissmatch(&["export", "trf", "run", "--part", "1"]);
    assert!(
        file.stdout().contains("Knockout, mini-matches of up to 4 games"),
        "{}",
        file.stdout()
    );
}

/// Every part of an event is taken up where it stopped.
#[test]
fn interrupted_events_of_several_parts_go_on() {
    let quads = event(9, "rounds = \"quads\"");
    for (event, round) in [(quads, "Round 2 of"), (ladder(STAGES), "Stage 2 begins")] {
        let place = Place::new();
        place.write("event.toml", &event);
        let mut running = Background::start(&place, &[&RUN[..], &["--concurrency", "1"]].concat());
        until("the round", PATIENCE, || {
            place.read("complained").contains(round).then_some(())
        });
        send(running.guard(), Signal::INT);
        running.end(PATIENCE);
        place.swissmatch(&["verify", "run"]).expect_code(0);
        place.swissmatch(&RUN).expect_code(0);
        place.swissmatch(&["verify", "run"]).expect_code(0);
        place.swissmatch(&["run", "event.toml", "--out", "calm"]).expect_code(0);
        let files = ["standings.json", "standings.csv", "standings.md", "crosstable.csv"];
        let results = |run: &str| files.map(|file| place.read(&format!("{run}/{file}")));
        assert_eq!(results("run"), results("calm"));
    }
}
