//! The tournament file that a run leaves, read again by the same rules as anybody's file.

use std::collections::BTreeMap;

use swiss_system::pairing::dutch;
use swiss_system::pairing::dutch::rules::ColorRule;
use swiss_system::pairing::file::{before_round, pairing_of_round};
use swiss_system::pairing::history::RoundPairing;
use swiss_system::score::Points;
use swiss_system::trf::{self, Tournament};

use crate::support::{Place, engine};

/// An event of bundled agents, and one that does not start where asked.
fn event(players: usize, broken: Option<usize>, keys: &str) -> String {
    let mut text =
        format!("{keys}\n[mini_match]\ngames = 2\n[game]\nnodes = 30\nmax_moves = 40\n[engine]\nmust_start = false\n");
    for number in 1..=players {
        let (command, options) = match number % 4 {
            _ if broken == Some(number) => ("/bin/false".to_owned(), String::new()),
            0 => (engine("greedy"), String::new()),
            1 => (engine("random-mover"), format!("options = {{ Seed = {number} }}")),
            _ => (engine("alphabeta"), format!("options = {{ Skill = {} }}", 20 - number)),
        };
        let rating = 2000 - number * 10;
        text +=
            &format!("[[player]]\nname = \"Agent {number}\"\ncommand = \"{command}\"\nrating = {rating}\n{options}\n");
    }
    text
}

/// Plays an event to its end; the place, and the tournament files of both views.
fn played(event: &str, code: i32) -> (Place, [Tournament; 2]) {
    let place = Place::new();
    place.write("event.toml", event);
    let ran = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    ran.expect_code(code);
    assert!(!ran.stderr().contains("tournament.trf"), "{}", ran.stderr());
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let teams = place.swissmatch(&["export", "trf", "run", "--view", "teams"]);
    teams.expect_code(0);
    let files = [place.read("run/tournament.trf"), teams.stdout()].map(|text| {
        let reading = trf::read(text.as_bytes()).expect("a tournament file");
        assert_eq!(reading.warnings, [], "{text}");
        reading.tournament
    });
    (place, files)
}

/// The pairing of each round by the Dutch system and the file alone, and as the file has it.
fn paired_again(file: &Tournament, color: ColorRule) -> Vec<[RoundPairing; 2]> {
    let rounds = file.rounds().expect("record 142");
    assert_eq!(file.rounds_in_lines(), rounds as usize, "played to its end");
    let again = (1..=rounds).map(|round| {
        let mut before = before_round(file, round).expect("it can be paired");
        assert_eq!(before.warnings, Vec::<String>::new());
        before.rules.color = color;
        let mut pairing = dutch::pair(&before.history, &before.rules).expect("a pairing");
        pairing.pairs.sort_by_key(|pair| pair.white.min(pair.black));
        [pairing, pairing_of_round(file, round)]
    });
    again.collect()
}

/// That the points of both views are those of the standings, and follow from the letters.
fn assert_points(place: &Place, [players, teams]: &[Tournament; 2]) {
    let standings = place.export_json("run", "json");
    let points = |value: &serde_json::Value| -> Points {
        let number = value.as_number().expect("points are numbers").to_string();
        number.parse().expect("points")
    };
    let (of_game, of_match) = (teams.point_system(), players.point_system());
    let boards: BTreeMap<u32, Points> = teams
        .players()
        .map(|player| (player.number, player.rounds.iter().filter(|cell| !cell.is_blank())))
        .map(|(number, cells)| (number, cells.map(|&cell| of_game.of_round(cell)).sum()))
        .collect();
    let byes = teams.records.iter().find_map(|record| match record {
        trf::Record::TeamByes(byes) => Some(byes.clone()),
        _ => None,
    });
    let byes = byes.unwrap_or_default();
    let listed = standings["players"].as_array().expect("a list of players");
    assert_eq!(listed.len(), players.players().count());
    for line in listed {
        let number = u32::try_from(line["pairing_number"].as_u64().expect("a number")).expect("a small one");
        let (match_points, game_points) = (points(&line["match_points"]), points(&line["game_points"]));
        let player = players.player(number).expect("a line each");
        assert_eq!(player.name, line["name"].as_str().expect("a name"));
        assert_eq!(player.rank.map(u64::from), line["place"].as_u64());
        assert_eq!(player.points, Some(match_points));
        let by_letters: Points = player.rounds.iter().map(|&cell| of_match.of_round(cell)).sum();
        assert_eq!(by_letters, match_points);
        let team = teams.teams().find(|team| team.number == number).expect("a line each");
        assert_eq!(
            (team.match_points, team.game_points),
            (Some(match_points), Some(game_points))
        );
        let rounds_with_bye = byes.teams.iter().filter(|&&team| team == Some(number));
        let of_byes: Points = rounds_with_bye.filter_map(|_| byes.game_points).sum();
        let of_boards: Points = team.players.iter().map(|player| boards[player]).sum();
        assert_eq!(of_boards + of_byes, game_points);
    }
}

#[test]
fn a_dutch_event_is_paired_again_from_its_file_alone() {
    let swiss = "[swiss]\npairing = \"dutch\"\ncolor = \"first-game\"\n";
    for (players, broken, keys) in [
        // A bye worth half a win, and forfeits.
        (9, Some(3), format!("{swiss}rounds = 5\n[bye]\nmatch_points = 0.5\n")),
        (
            8,
            None,
            format!("{swiss}rounds = 5\nedition = \"2017\"\ninitial_color = \"black\"\n"),
        ),
        (12, None, format!("{swiss}rounds = 6\nacceleration = \"baku\"\n")),
        (
            11,
            None,
            format!(
                "{swiss}rounds = 4\nforbidden = [[\"Agent 1\", \"Agent 6\", \"Agent 7\"], [\"Agent 2\", \"Agent 8\"]]\n\
                 [scoring]\nmatch = {{ win = 3, draw = 1, loss = 0 }}\n[bye]\nmatch_points = 3\n"
            ),
        ),
    ] {
        let (place, files) = played(&event(players, broken, &keys), if broken.is_some() { 3 } else { 0 });
        for [again, in_file] in paired_again(&files[0], ColorRule::FirstGame) {
            assert_eq!(again, in_file, "{keys}");
        }
        place
            .swissmatch(&["verify-pairings", "run/tournament.trf"])
            .expect_code(0);
        assert_points(&place, &files);
    }
}

#[test]
fn a_dutch_event_without_colours_is_paired_again_without_them() {
    let keys = "[swiss]\npairing = \"dutch\"\ncolor = \"ignore\"\nrounds = 5\n";
    let (place, files) = played(&event(10, None, keys), 0);
    assert_eq!(files[0].header(trf::Header::TypeCode), Some("CUSTOM_SWISS"));
    for [again, in_file] in paired_again(&files[0], ColorRule::Ignore) {
        assert_eq!(again, in_file);
    }
    let file = "run/tournament.trf";
    place
        .swissmatch(&["verify-pairings", file, "--color", "ignore"])
        .expect_code(0);
    assert_points(&place, &files);
}

#[test]
fn an_event_that_the_format_does_not_hold_is_played_all_the_same() {
    let place = Place::new();
    let keys = "[swiss]\nrounds = 2\n[bye]\nmatch_points = 0.25\n";
    place.write("event.toml", &event(5, None, keys));
    let ran = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    ran.expect_code(0);
    assert_eq!(
        ran.stderr().matches("no tournament.trf: ").count(),
        1,
        "{}",
        ran.stderr()
    );
    assert!(
        ran.stderr().contains("0.25: the format has one decimal"),
        "{}",
        ran.stderr()
    );
    assert!(!place.path("run/tournament.trf").exists());
    place.swissmatch(&["verify", "run"]).expect_code(0);
    place.swissmatch(&["export", "trf", "run"]).expect_code(4);
}

#[test]
fn views_and_rounds_are_for_tournament_files_alone() {
    let place = Place::new();
    place.write("event.toml", &event(2, None, "[swiss]\nrounds = 1\n"));
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    for wrong in [
        &["csv", "--view", "teams"][..],
        &["trf", "--view", "boards"],
        &["trf", "--only", "1"],
        &["trf", "--round", "2"],
        &["pgn", "--round", "1"],
    ] {
        let ran = place.swissmatch(&["export", wrong[0], "run", wrong[1], wrong[2]]);
        ran.expect_code(4);
    }
    let before = place.swissmatch(&["export", "trf", "run", "--round", "0"]).stdout();
    assert!(
        before.contains("\n001    1      Agent 1 ") && !before.contains(" w "),
        "{before}"
    );
    place
        .swissmatch(&["export", "trf", "run", "--view", "teams", "--output", "teams.trf"])
        .expect_code(0);
    assert_eq!(
        place.read("teams.trf"),
        place.swissmatch(&["export", "trf", "run", "--view", "teams"]).stdout()
    );
}

/// "Absolute infeasibility is a clear error that names the players and the criteria in the way, with what an arbiter can
/// do": the event ends with the rounds it has, its files are right, and the same command says the same again.
#[test]
fn an_event_that_runs_out_of_pairings_ends_with_its_rounds() {
    let keys = "preset = \"none\"\n[swiss]\npairing = \"dutch\"\nrounds = 5\n\
                forbidden = [[\"Agent 1\", \"Agent 2\", \"Agent 3\"]]";
    let place = Place::new();
    place.write("event.toml", &event(6, None, keys));
    for _ in 0..2 {
        let ran = place.swissmatch(&["run", "event.toml", "--out", "run"]);
        ran.expect_code(2);
        for part in [
            "no pairing of this round",
            "forbidden by the organizer",
            "C1",
            "Agent 1",
            "arbiter",
        ] {
            assert!(ran.stderr().contains(part), "{part}: {}", ran.stderr());
        }
        assert!(ran.stdout().contains("standings after round"), "{}", ran.stdout());
        place.swissmatch(&["verify", "run"]).expect_code(0);
    }
    let explained = place.swissmatch(&["explain", "round", "2", "--run", "run"]);
    explained.expect_code(0);
    assert!(explained.stdout().contains("Bracket 1,"), "{}", explained.stdout());
    let of_file = place.swissmatch(&[
        "explain",
        "trf",
        "run/tournament.trf",
        "--round",
        "2",
        "--color",
        "ignore",
        "--json",
    ]);
    of_file.expect_code(0);
    let json: serde_json::Value = serde_json::from_str(&of_file.stdout()).expect("JSON");
    assert_eq!((&json["round"], &json["differs_from_file"]), (&2.into(), &false.into()));
    let next = place.swissmatch(&["explain", "trf", "run/tournament.trf", "--color", "ignore"]);
    next.expect_code(1);
}
