//! City Chess by numbers alone: double rounds, and sections with ties for first and prizes of their own.

use serde_json::Value;
use swiss_system::standings::StandingsRow;
use swissmatch::report;
use swissmatch::tournament::director::Next;
use swissmatch::tournament::history::history_after;
use swissmatch::tournament::part_events::parts_after;
use swissmatch::tournament::ranking::standings_after;
use swissmatch::tournament::results::results_after;
use swissmatch::tournament::state::State;
use swissmatch::tournament::ties::event_is_over;

use super::{Played, player, setup};

/// Plays to the end, play-offs included: the smaller number wins.
fn played(keys: &str, players: usize) -> Played {
    let mut event = Played::new(setup("us-chess", keys, players));
    while event.advance().expect("a pairing") {
        event.play();
    }
    assert!(event_is_over(&event.state));
    event
}

fn values(state: &State) -> Vec<String> {
    let rows = standings_after(state, state.rounds().len()).rows;
    let listed = state.setup().standings.order.len();
    let row = |row: &StandingsRow| {
        let cells = row
            .cells
            .iter()
            .take(listed)
            .map(|cell| cell.value.map_or("-".to_owned(), |value| value.to_string()));
        let name = state.player(row.player).name.clone();
        std::iter::once(name).chain(cells).collect::<Vec<_>>().join(" ")
    };
    rows.iter().map(row).collect()
}

/// "Every game counts for itself"; game points, Modified Median, Solkoff, Cumulative, Cumulative of opposition.
#[test]
fn double_rounds_score_every_game_and_a_round_is_one_opponent() {
    let event = played("[swiss]\nrounds = \"2-double-SS\"", 4);
    assert_eq!(
        values(&event.state),
        ["A 4 2 4 6 6", "B 2 0 4 4 6", "C 2 0 4 2 6", "D 0 2 4 0 6"],
        "of B and C, level with half of the maximum, the highest and the lowest opponent go"
    );
}

/// "A forced bye is worth all games of a round, a requested one half of them"; "less what each unplayed round gave".
#[test]
fn byes_of_double_rounds() {
    let mut keyed = setup("us-chess", "[swiss]\nrounds = \"3-double-SS\"", 5);
    keyed.players[0].byes = vec![1];
    let mut event = Played::new(keyed);
    event.round();
    let points = |event: &Played| {
        let results = results_after(&event.state, 1).players;
        results
            .iter()
            .map(|player| player.rounds[0].game_points.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(points(&event), ["1", "2", "2", "0", "0"]);
    let mut event = Played::new(setup("us-chess", "[swiss]\nrounds = \"3-double-SS\"", 5));
    event.round();
    assert_eq!(points(&event), ["2", "2", "0", "0", "2"], "E has the forced bye");
    let rows = values(&event.state);
    let of_e = rows.iter().find(|row| row.starts_with("E ")).expect("listed");
    assert_eq!(of_e, "E 2 0 0 0 0", "the bye gave 2, and Cumulative takes them off");
}

/// "Score groups go by the first criterion of `standings.order`."
#[test]
fn score_groups_go_by_the_points_that_rank() {
    let double = "[swiss]\nrounds = \"2-double-SS\"\n";
    let by_matches = "[standings]\norder = [\"match-points\", \"solkoff\"]\n";
    let second_round = |keys: &str| {
        let mut event = Played::new(setup("us-chess", keys, 4));
        assert!(event.advance().expect("a pairing"));
        // A and C draw one game of two, B and D both of theirs.
        while let Some(id) = event.due() {
            let board = event.state.mini_match(id).expect("on the schedule");
            let has_a = [board.pair.white, board.pair.black].contains(&player(1));
            let is_won = has_a && id.game == 1;
            let outcome = match is_won {
                false => swissmatch::game::termination::Outcome::Draw,
                true if board.white_of(1) == player(1) => swissmatch::game::termination::Outcome::WhiteWins,
                true => swissmatch::game::termination::Outcome::BlackWins,
            };
            event.finish(id, outcome);
        }
        history_after(&event.state, 1)
            .players
            .iter()
            .map(|player| player.points.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(second_round(double), ["1.5", "1", "0.5", "1"]);
    assert_eq!(second_round(&format!("{double}{by_matches}")), ["1", "0.5", "0", "0.5"]);
}

const TWO_SECTIONS: &str = "[event]\nsections = [\n  { name = \"Open\", from = 1997, format = \"2-SS\" },\n  { name = \"Under\", to = 1996, format = \"1-SS\", \
                            prizes = { by_place = [{ trophy = \"Medal\" }] } },\n]\n[prizes]\ncurrency = \"USD\"\nby_place = [100, 50]\n";

fn prizes(state: &State) -> Value {
    serde_json::from_str(&report::prizes::json(state)).expect("JSON")
}

/// "Each has its own byes, standings, prizes and ties for first, played off"; "`prizes = { … }` replaces the table for that
/// section".
#[test]
fn sections_have_their_own_prizes_and_ties_for_first() {
    let event = played(TWO_SECTIONS, 8);
    let found = prizes(&event.state);
    let parts = found["parts"].as_array().expect("a table a section");
    assert_eq!(
        (&parts[0]["part"], &parts[1]["part"]),
        (&"Open".into(), &"Under".into())
    );
    let first = |part: usize| &parts[part]["players"][0];
    assert_eq!((&first(0)["name"], &first(0)["money"]), (&"A".into(), &100.into()));
    assert_eq!(
        (&first(1)["name"], &first(1)["trophies"][0]),
        (&"E".into(), &"Medal".into())
    );
    assert_eq!(parts[1]["pending"], serde_json::json!([]));
    // E and F were level after the one round of their section; nobody of the Open had a prize that cannot be shared.
    let sittings: Vec<_> = event.state.sittings().filter(|sitting| sitting.playoff > 0).collect();
    assert_eq!(sittings.len(), 1, "a match of two games");
    let pair = sittings[0].mini_matches[0].pair;
    assert_eq!(
        [pair.white.min(pair.black), pair.white.max(pair.black)],
        [player(5), player(6)]
    );
    // What it decided is the final order of that section.
    let places = |part: usize| -> Vec<(u32, String)> {
        let (_, own, rounds) = parts_after(&event.state, 2).swap_remove(part);
        let rows = standings_after(&own, rounds).rows;
        rows.iter()
            .map(|row| (row.place, own.player(row.player).name.clone()))
            .collect()
    };
    assert_eq!(places(1)[..2], [(1, "E".to_owned()), (2, "F".to_owned())]);
    assert_eq!(places(0)[0], (1, "A".to_owned()));
}

/// "`[prizes]` and `[playoff]` hold in every section alike."
#[test]
fn what_the_event_says_holds_in_every_section() {
    let keys = "[event]\nsections = [{ name = \"Open\", from = 1997 }, { name = \"Under\", to = 1996 }]\n[swiss]\nrounds = 1\n\
                [prizes]\nby_place = [{ trophy = \"Cup\" }]\n";
    let event = played(keys, 8);
    let found = prizes(&event.state);
    let cups = found["parts"]
        .as_array()
        .expect("parts")
        .iter()
        .map(|part| &part["players"][0]["trophies"][0]);
    assert_eq!(cups.collect::<Vec<_>>(), ["Cup", "Cup"]);
    let boards: usize = event
        .state
        .sittings()
        .filter(|sitting| sitting.playoff > 0)
        .map(|sitting| sitting.mini_matches.len())
        .sum();
    assert_eq!(boards, 2, "both at once");
}

/// "The result between the tied two, if they met that day": the day of their section's own last round.
#[test]
fn the_result_between_the_two_is_of_the_last_day_of_their_section() {
    use swissmatch::tournament::log::Entry;
    let keys = "[event]\nsections = [{ name = \"Long\", from = 1999, format = \"2-SS\" }, { name = \"Short\", to = 1998, format = \"RR\" }]\n\
                [prizes]\nby_place = [{ trophy = \"Cup\" }]\n";
    let mut event = Played::new(setup("us-chess", keys, 5));
    let day = |number: i8| jiff::civil::date(2026, 11, number);
    let mut rounds = 0;
    loop {
        let Next::Entries(mut due) = swissmatch::tournament::director::next(&event.state, day(1)).expect("a pairing")
        else {
            break;
        };
        for happened in &mut due {
            if let Entry::RoundPaired(paired) = happened {
                rounds += 1;
                paired.day = day(i8::try_from(paired.round).expect("few"));
            }
        }
        due.into_iter().for_each(|happened| event.add(happened));
        event.play();
    }
    assert_eq!(rounds, 3);
    assert!(event_is_over(&event.state), "nothing is left open");
}

/// "Each quad has `[prizes]` whole."
#[test]
fn each_quad_has_the_prizes_whole() {
    let event = played(
        "[swiss]\nrounds = \"quads\"\n[prizes]\nby_place = [{ trophy = \"Cup\" }, 20]\n",
        8,
    );
    let found = prizes(&event.state);
    let parts = found["parts"].as_array().expect("a table a quad");
    assert_eq!(parts.len(), 2);
    for (part, names) in parts.iter().zip([["A", "B"], ["E", "F"]]) {
        let players = &part["players"];
        assert_eq!([&players[0]["name"], &players[1]["name"]], names);
        assert_eq!(
            (&players[0]["trophies"][0], &players[1]["money"]),
            (&"Cup".into(), &20.into())
        );
    }
}
