//! Rounds for which a table has no opponent: no byes in an all-play-all that was asked for, byes where `"auto"` makes one of the
//! protocol's Swiss.

use swiss_system::score::Points;
use swiss_system::standings::results::{Bye, RoundFate};
use swiss_system::standings::{RankingRules, evaluate, table};
use swissmatch::report::standings::json;
use swissmatch::report::trf;
use swissmatch::tournament::games::games_in_all;
use swissmatch::tournament::log::{Act, ByeWorth};
use swissmatch::tournament::part_events::parts_after;
use swissmatch::tournament::ranking::standings_after;
use swissmatch::tournament::results::results_after;
use swissmatch::tournament::state::State;

use super::{Played, player, setup};

fn played(preset: &str, keys: &str, players: usize) -> Played {
    let mut event = Played::new(setup(preset, keys, players));
    while !event.state.rounds_are_over() {
        event.round();
    }
    event
}

/// Name, match points, game points and byes, the best first.
fn table_of(state: &State) -> Vec<String> {
    let rows = standings_after(state, state.rounds().len()).rows;
    let row = |row: &swiss_system::standings::StandingsRow| {
        let name = &state.player(row.player).name;
        format!("{name} {} {} {}", row.points, row.game_points, row.byes)
    };
    rows.iter().map(row).collect()
}

/// The rounds of a player, in the letters of a tournament file.
fn line(state: &State, number: u32) -> String {
    let text = trf::text(state, trf::View::Individual, 99).expect("a file holds it");
    let head = format!("001 {number:4}");
    let line = text
        .lines()
        .find(|line| line.starts_with(&head))
        .expect("a line for everybody");
    line.get(89..).unwrap_or("").to_owned()
}

#[test]
fn a_free_round_of_an_all_play_all_gives_nothing() {
    for rounds in ["RR", "double-RR"] {
        let keys = format!("[swiss]\nrounds = \"{rounds}\"\n[mini_match]\ngames = 2\n");
        let event = played("none", &keys, 3);
        assert_eq!(table_of(&event.state), ["A 2 4 0", "B 1 2 0", "C 0 0 0"], "{rounds}");
        let fates = results_after(&event.state, 3).players;
        let free = |player: usize| {
            fates[player]
                .rounds
                .iter()
                .filter(|round| round.fate == RoundFate::Free)
                .count()
        };
        assert_eq!([0, 1, 2].map(free), [1, 1, 1], "{rounds}");
    }
}

#[test]
fn a_free_round_is_a_blank_cell_of_the_tournament_file_and_reads_so() {
    let keys = "[swiss]\nrounds = \"RR\"\n[mini_match]\ngames = 1\n";
    let event = played("none", keys, 3);
    // A is free in round 1, C in round 2, B in round 3.
    assert_eq!(line(&event.state, 1), "               2 w 1     3 b 1");
    assert_eq!(line(&event.state, 2), "     3 w 1     1 b 0");
    assert_eq!(line(&event.state, 3), "     2 b 0               1 w 0");
    let text = trf::text(&event.state, trf::View::Individual, 99).expect("a file holds it");
    assert!(
        !text.contains("PAB") && !text.contains(" - U"),
        "no bye, and none is possible: {text}"
    );
    let read = swiss_system::trf::read(text.as_bytes()).expect("our own");
    let results = swiss_system::standings::file::results(&read.tournament, None, None, 1).expect("a file to rank");
    for (own, theirs) in results_after(&event.state, 3).players.iter().zip(&results.players) {
        let fates = |rounds: &[swiss_system::standings::results::PlayerRound]| {
            rounds.iter().map(|round| round.fate).collect::<Vec<_>>()
        };
        assert_eq!(fates(&own.rounds), fates(&theirs.rounds));
    }
}

/// "A free round is no round of that player to any tie-break: neither an unplayed round, nor part of the maximum, nor a dummy
/// opponent."
#[test]
fn a_free_round_is_no_round_to_any_tie_break() {
    let keys = "[swiss]\nrounds = \"RR\"\n[standings]\norder = [\"match-points\"]\n";
    let event = played("us-chess", keys, 3);
    let results = results_after(&event.state, 3);
    let rules: RankingRules = event.state.setup().standings.rules();
    let table = table::ScoreTable::new(&results, &rules);
    let value = |code: &str, number: u32| {
        let criterion = code.parse().expect("a criterion");
        let value = evaluate::evaluate(&table, rules.primary(), &criterion, player(number), &mut Vec::new());
        value.expect("defined").to_string()
    };
    for (code, expected) in [
        // A beat B and C, B beat C.
        ("solkoff", ["1", "2", "3"]),
        // B has one of two, an even score: both opponents go.
        ("modified-median", ["1", "0", "1"]),
        ("BH", ["1", "2", "3"]),
        ("KS", ["1", "0", "0"]),
        ("REP", ["2", "2", "2"]),
    ] {
        let found = [1, 2, 3].map(|number| value(code, number));
        assert_eq!(found, expected, "{code}");
    }
}

#[test]
fn free_rounds_of_sections_and_stages_are_no_byes_and_the_bye_of_a_swiss_is_one() {
    let sections = "[event]\nsections = [{ name = \"All\", from = 1998, format = \"RR\" }, { name = \"Swiss\", to = 1997, format = \"3-SS\" }]\n\
                    [mini_match]\ngames = 2\n";
    let event = played("none", sections, 6);
    let parts = parts_after(&event.state, 3);
    let tables: Vec<_> = parts.iter().map(|(_, state, _)| table_of(state)).collect();
    assert_eq!(tables[0], ["A 2 4 0", "B 1 2 0", "C 0 0 0"]);
    assert_eq!(tables[1], ["D 3 6 1", "E 2 4 1", "F 1 2 1"]);

    let stages = "[event]\nstages = [{ format = \"2-SS\" }, { format = \"RR\", top = 3 }]\n[mini_match]\ngames = 2\n";
    let event = played("none", stages, 4);
    let (_, state, _) = parts_after(&event.state, 5).pop().expect("the all-play-all");
    assert_eq!(table_of(&state), ["A 2 4 0", "B 1 2 0", "C 0 0 0"]);
}

#[test]
fn who_rests_in_a_gauntlet_and_who_is_free_in_round_1_of_a_knockout_has_no_unplayed_round() {
    let event = played("none", "[swiss]\nrounds = \"gauntlet\"\n[mini_match]\ngames = 1\n", 3);
    let fates = |state: &State, number: usize| -> Vec<RoundFate> {
        let rounds = results_after(state, 9).players.swap_remove(number - 1).rounds;
        rounds.iter().map(|round| round.fate).collect()
    };
    assert_eq!(fates(&event.state, 2)[1], RoundFate::Free);
    assert_eq!(fates(&event.state, 3)[0], RoundFate::Free);
    let event = played("none", "[swiss]\nrounds = \"knockout\"\n[mini_match]\ngames = 1\n", 3);
    assert_eq!(fates(&event.state, 1)[0], RoundFate::Free);
    assert_eq!(
        fates(&event.state, 3)[1],
        RoundFate::Bye(Bye::ZeroPoint),
        "who is out is absent"
    );
}

#[test]
fn a_house_player_at_rest_has_no_unplayed_round() {
    let mut setup = setup("none", "[swiss]\nrounds = 2\n[mini_match]\ngames = 1\n", 5);
    setup.players[4].house = true;
    let mut event = Played::new(setup);
    event.round();
    event.round();
    let house = results_after(&event.state, 2).players.swap_remove(4);
    assert!(
        house.rounds.iter().all(|round| round.fate == RoundFate::Free),
        "{house:?}"
    );
}

/// "Where that is every opponent once, the event is played as all-play-all; it stays the protocol's Swiss, so that with an odd N
/// each agent has one bye with its score."
#[test]
fn auto_stays_the_protocols_swiss_with_a_bye_for_everybody() {
    let event = played("global-chess-challenge", "[mini_match]\ngames = 2\n", 3);
    assert_eq!(table_of(&event.state), ["A 2.5 5 1", "B 1.5 3 1", "C 0.5 1 1"]);
    assert!(line(&event.state, 1).contains("0000 - U"), "{}", line(&event.state, 1));
}

/// "An agent whose opponent by the table is gone or absent is left over too and has a bye with its score."
#[test]
fn under_auto_the_opponent_of_who_is_gone_has_a_bye() {
    let mut event = Played::new(setup("global-chess-challenge", "[mini_match]\ngames = 2\n", 5));
    event.round();
    event
        .act(Act::Withdraw { player: player(1) })
        .expect("rounds are to come");
    while !event.state.rounds_are_over() {
        let games = games_in_all(&event.state);
        event.round();
        assert_eq!(games_in_all(&event.state), games, "what is to come was foreseen");
    }
    let pairs = event.state.rounds()[1..].iter().flat_map(|round| &round.pairing.pairs);
    assert!(pairs.clone().all(|pair| ![pair.white, pair.black].contains(&player(1))));
    let of_others: u32 = (2..=5)
        .map(|number| {
            let rounds = results_after(&event.state, 5).players.swap_remove(number - 1).rounds;
            let byes = rounds
                .iter()
                .filter(|round| round.fate == RoundFate::Bye(Bye::PairingAllocated));
            let byes: Vec<Points> = byes.map(|round| round.points).collect();
            assert!(byes.iter().all(|points| *points == Points::HALF));
            u32::try_from(byes.len()).expect("few")
        })
        .sum();
    // One each by the table, and one each for the game with A, who had its own in round 1.
    assert_eq!(of_others, 4 + 4);
    let gone = results_after(&event.state, 5).players.swap_remove(0).rounds;
    assert!(
        gone[1..]
            .iter()
            .all(|round| round.fate == RoundFate::Bye(Bye::ZeroPoint))
    );
}

/// `bye.game_points = "auto"`.
#[test]
fn the_bye_of_a_swiss_is_worth_the_part_of_a_round_that_its_match_points_are() {
    let keys = |bye: &str| format!("[swiss]\nrounds = 3\n[mini_match]\ngames = 4\n[bye]\n{bye}\n");
    let game_points = |bye: &str| {
        let event = played("none", &keys(bye), 3);
        let first = results_after(&event.state, 1).players;
        let had = first
            .iter()
            .find(|player| player.rounds[0].fate == RoundFate::Bye(Bye::PairingAllocated));
        had.expect("an odd field").rounds[0].game_points.to_string()
    };
    assert_eq!(game_points(""), "4");
    assert_eq!(game_points("match_points = 0.5"), "2");
    assert_eq!(game_points("game_points = 1"), "1");
    assert_eq!(game_points("score = \"leaderboard\""), "2");
}

#[test]
fn auto_follows_the_games_of_each_stage() {
    let stages = "[event]\nstages = [{ format = \"1-SS\" }, { format = \"1-SS\", top = 3, games = 6 }]\n[mini_match]\ngames = 2\n";
    let event = played("none", stages, 3);
    let byes = parts_after(&event.state, 2).into_iter().map(|(_, state, _)| {
        let rows = standings_after(&state, 1).rows;
        let row = rows.iter().find(|row| row.byes == 1).expect("an odd field");
        row.game_points.to_string()
    });
    assert_eq!(byes.collect::<Vec<_>>(), ["2", "6"]);
}

/// "A full-point bye that the arbiter awards counts as one", for a round to come and for one that was played; others are none.
#[test]
fn a_full_point_bye_that_the_arbiter_awards_is_a_bye() {
    let keys = "[swiss]\nrounds = 3\n[mini_match]\ngames = 1\nopenings = \"none\"\n\
                [standings]\norder = [\"match-points\", \"byes\"]\n";
    let mut event = Played::new(setup("none", keys, 6));
    let award = |number, round, worth| Act::AwardBye {
        player: player(number),
        round,
        worth,
    };
    for (number, worth) in [
        (1, ByeWorth::Full),
        (6, ByeWorth::Full),
        (2, ByeWorth::Half),
        (3, ByeWorth::Zero),
    ] {
        event.act(award(number, 1, worth)).expect("a round to come");
    }
    let absent = |number| Act::Absent {
        player: player(number),
        round: 2,
    };
    event.act(absent(4)).expect("a round to come");
    event.act(absent(5)).expect("a round to come");
    for _ in 0..3 {
        event.round();
    }
    event.act(award(4, 2, ByeWorth::Full)).expect("it had no game");
    event.act(award(5, 2, ByeWorth::Half)).expect("it had no game");
    let standings = standings_after(&event.state, 3);
    let criterion = standings.position(&"byes".parse().expect("a criterion"));
    let criterion = criterion.expect("it ranks");
    let mut rows: Vec<(u32, u32, String)> = standings
        .rows
        .iter()
        .map(|row| {
            let value = row.cells[criterion].value.expect("everybody has it");
            (row.player.0, row.byes, value.to_string())
        })
        .collect();
    rows.sort_unstable();
    let expected = [(1, 1), (2, 0), (3, 0), (4, 1), (5, 0), (6, 1)];
    assert_eq!(rows, expected.map(|(number, byes)| (number, byes, byes.to_string())));
    let json: serde_json::Value = serde_json::from_str(&json(&event.state, 3)).expect("JSON");
    let players = json["players"].as_array().expect("a list");
    let of = |name: &str| players.iter().find(|player| player["name"] == name).expect("listed")["byes"].clone();
    assert_eq!(["A", "B", "D"].map(of), [1, 0, 1]);
}
