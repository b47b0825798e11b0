//! "What a play-off decides is the final order, before all tie-breaks": every form has it.

use serde_json::Value;
use swissmatch::tournament::ranking::{ranking_after, standings_after};
use swissmatch::tournament::results::results_after;
use swissmatch::tournament::ties::event_is_over;

use swiss_system::pairing::history::PairingNumber;
use swiss_system::standings::value::Value as Number;
use swissmatch::config;
use swissmatch::game::termination::Outcome;
use swissmatch::report::rescore::{RescoreChanges, json, page};
use swissmatch::report::trf::View;
use swissmatch::report::why::ExplainedStandings;
use swissmatch::report::{crosstable, minutes, parts, summary, tour, trf};
use swissmatch::tournament::arbiter::Command;
use swissmatch::tournament::arbiter::decide::decide;
use swissmatch::tournament::director::{self, Next};
use swissmatch::tournament::log::{ArbiterDecided, ArbiterDirection, ContestId, Decision, Entry, TieKey, TourEvent};
use swissmatch::tournament::rescore::rescore;
use swissmatch::tournament::setup::{DisqualificationEffect, Setup};
use swissmatch::tournament::state::State;
use swissmatch::tournament::ties;

use super::{Played, TODAY, player, setup};

use Outcome::{BlackWins, Draw, WhiteWins};

/// An all-play-all of single games, played off so.
fn keys(playoff: &str) -> String {
    format!(
        "[swiss]\nrounds = \"RR\"\n[mini_match]\ngames = 1\nopenings = \"none\"\n[standings]\n\
         order = [\"match-points\", \"SB\"]\n[playoff]\nplaces = [1]\ntied_on = \"points\"\n{playoff}\n"
    )
}

const ROBIN: &str = "numbers = \"lot\"\nstages = [{ kind = \"round-robin\", two = \"1s/move\", more = \"1s/move\" }]";

impl Played {
    /// Pairs all that is due and plays it: a game of these two, White first, ends so.
    pub(crate) fn play_all(&mut self, outcome: impl Fn(u32, u32) -> Outcome) {
        while self.advance().expect("a pairing") {
            self.play_so(&outcome);
        }
    }

    pub(crate) fn play_so(&mut self, outcome: impl Fn(u32, u32) -> Outcome) {
        self.forfeit();
        while let Some(id) = self.due() {
            let board = self.state.mini_match(id).expect("on the schedule");
            let (white, black) = (board.white_of(id.game), board.black_of(id.game));
            self.finish(id, outcome(white.0, black.0));
        }
    }

    /// Place, place before the play-off, name, best first.
    fn final_order(&self) -> Vec<(u32, Option<u32>, String)> {
        let rows = standings_after(&self.state, self.state.rounds().len()).rows;
        let rows = rows.iter();
        rows.map(|row| {
            (
                row.place,
                row.before_playoff,
                self.state.player(row.player).name.clone(),
            )
        })
        .collect()
    }

    pub(crate) fn decide(&mut self, tie: TieKey, result: Vec<Vec<PairingNumber>>) {
        self.decide_contest(ContestId { tie, number: 1 }, result);
    }

    pub(crate) fn decide_contest(&mut self, contest: ContestId, result: Vec<Vec<PairingNumber>>) {
        let command = Command::Decide(ArbiterDecided {
            decision: Decision {
                contest,
                directed: ArbiterDirection::Result(result),
            },
            by: "the arbiter".to_owned(),
            consulted: Vec::new(),
            reason: "a test".to_owned(),
        });
        let events = decide(&self.state, &std::collections::BTreeSet::new(), &command).expect("asked");
        events.into_iter().for_each(|event| self.add(event));
    }

    pub(crate) fn minutes(&self) -> Vec<minutes::Minute> {
        let logged: Vec<(&str, &Entry)> = self.log.iter().map(|entry| ("2026-11-21T09:00:00Z", entry)).collect();
        minutes::of_log(&logged).expect("a log")
    }
}

/// The smaller number wins, or the larger.
fn smaller(white: u32, black: u32) -> Outcome {
    if white < black { WhiteWins } else { BlackWins }
}

fn listed(order: &[(u32, Option<u32>, &str)]) -> Vec<(u32, Option<u32>, String)> {
    let line = |&(place, before, name): &(u32, Option<u32>, &str)| (place, before, name.to_owned());
    order.iter().map(line).collect()
}

/// Four players, of whom A and C are level on points and C has the better Sonneborn-Berger; A wins their play-off.
fn two_level() -> Played {
    let mut event = Played::new(setup("none", &keys(ROBIN), 4));
    for _ in 0..3 {
        assert!(event.advance().expect("a pairing"));
        event.play_so(|white, black| match (white, black) {
            (1, 4) | (3, 2) | (2, 4) => WhiteWins,
            (4, 1) | (2, 3) | (4, 2) => BlackWins,
            _ => Draw,
        });
    }
    event.play_all(smaller);
    event
}

#[test]
fn three_shared_first_and_one_won() {
    let mut event = Played::new(setup("none", &keys(ROBIN), 3));
    // A beats B, B beats C, C beats A; then C wins its two games of the play-off, and A and B draw.
    for _ in 0..3 {
        assert!(event.advance().expect("a pairing"));
        event.play_so(|white, black| match (white, black) {
            (1, 2) | (2, 3) | (3, 1) => WhiteWins,
            _ => BlackWins,
        });
    }
    assert_eq!(
        event.final_order(),
        listed(&[(1, None, "A"), (1, None, "B"), (1, None, "C")])
    );
    event.play_all(|white, black| match (white, black) {
        (3, _) => WhiteWins,
        (_, 3) => BlackWins,
        _ => Draw,
    });
    assert!(event_is_over(&event.state));
    assert_eq!(
        event.final_order(),
        listed(&[(1, Some(1), "C"), (2, Some(1), "A"), (2, Some(1), "B")])
    );
}

#[test]
fn every_form_has_the_final_order() {
    let event = two_level();
    let state = &event.state;
    let rounds = state.rounds().len();
    let order = [(1, Some(2), "A"), (2, Some(1), "C"), (3, None, "B"), (4, None, "D")];
    assert_eq!(event.final_order(), listed(&order));

    let table = parts::standings(state, rounds);
    let csv = table.csv();
    assert!(csv.starts_with("#,Before,Name,"), "{csv}");
    let named = |row: usize| csv.lines().nth(row).expect("a row").split(',').nth(2);
    assert_eq!((named(1), named(2)), (Some("A"), Some("C")), "{csv}");
    for text in [table.text(None), table.markdown()] {
        assert!(text.contains("Played off, places 1–2: A; then C."), "{text}");
    }
    let json: Value = serde_json::from_str(&parts::standings_json(state, rounds)).expect("JSON");
    let places = |row: usize| {
        let player = &json["players"][row];
        let number = |key: &str| player[key].as_u64();
        (player["name"].as_str(), number("place"), number("place_before_playoff"))
    };
    assert_eq!(places(0), (Some("A"), Some(1), Some(2)));
    assert_eq!(places(1), (Some("C"), Some(2), Some(1)));
    assert_eq!(places(2), (Some("B"), Some(3), None), "in no play-off");

    let crosstable = crosstable::by_round(state, rounds).text(None);
    let line = crosstable
        .lines()
        .find(|line| line.starts_with("1 "))
        .expect("a first line");
    assert!(line.starts_with("1  A"), "{crosstable}");
    assert!(
        crosstable.contains("Played off, places 1–2: A; then C."),
        "{crosstable}"
    );
    let by_opponent = crosstable::by_opponent(state, rounds).expect("four players").text(None);
    assert!(
        by_opponent.lines().any(|line| line.starts_with("1  A")),
        "{by_opponent}"
    );

    for view in [View::Individual, View::Teams] {
        let text = trf::text(state, view, rounds).expect("a file");
        assert!(text.contains("### Played off, places 1-2: A; then C."), "{text}");
    }
    let file = trf::individual(state, rounds).expect("a file");
    let ranks = file.players().map(|player| (player.name.clone(), player.rank));
    let ranks: Vec<_> = ranks.filter(|(_, rank)| rank.is_some_and(|rank| rank < 3)).collect();
    assert_eq!(ranks, [("A".to_owned(), Some(1)), ("C".to_owned(), Some(2))]);

    let status = summary::text(state, None);
    let (_, places) = status.split_once("First places:").expect("the event is over");
    let first: Vec<&str> = places.lines().nth(4).unwrap_or_default().split_whitespace().collect();
    assert_eq!(first[..2], ["1", "A"], "{status}");
}

#[test]
fn explain_says_that_the_play_off_decided() {
    let event = two_level();
    let state = &event.state;
    let rounds = state.rounds().len();
    let (results, rules, standings) = (
        results_after(state, rounds),
        state.setup().standings.rules(),
        standings_after(state, rounds),
    );
    let case = ExplainedStandings {
        results: &results,
        rules: &rules,
        standings: &standings,
        edition: "2026",
        edition_by: None,
        name: &|number| state.player(number).name.clone(),
    };
    let text = case.pair(player(1), player(3));
    assert!(text.starts_with("A (place 1) is before C (place 2).\n"), "{text}");
    assert!(
        text.contains("The play-off for places 1 to 2 decided, before all criteria: A; then C."),
        "{text}"
    );
    let sb = "The criteria did not count: the first in which they differ is SB, 2.25 to 2.75.";
    assert!(text.contains(sb), "{text}");
    let json = case.pair_json(player(1), player(3));
    assert_eq!(json["separated_by"], "play-off");
    assert_eq!(json["players"][0]["player"]["name"], "A");
    let text = case.player(player(1));
    assert!(
        text.starts_with("A: place 1, as the play-off decided; place 2 by the criteria."),
        "{text}"
    );
    let others = case.pair(player(1), player(2));
    assert!(others.contains("match-points separates them"), "{others}");
}

#[test]
fn rescore_counts_a_play_off_where_exactly_its_players_are_tied() {
    let event = two_level();
    let state = &event.state;
    let rounds = state.rounds().len();
    let shown = |change: &dyn Fn(&mut Setup), out: &[PairingNumber]| {
        let mut other = state.setup().clone();
        change(&mut other);
        let rescored = rescore(state, other, rounds, out, &[]);
        let changes = RescoreChanges {
            keys: Vec::new(),
            unrated: None,
            out: out.to_vec(),
            usage: DisqualificationEffect::OffTheList,
            answers: None,
        };
        let rows = rescored.after.rows.iter();
        let places: Vec<(u32, String)> = rows
            .map(|row| (row.place, state.player(row.player).name.clone()))
            .collect();
        let json: Value = serde_json::from_str(&json(state, &rescored, &changes)).expect("JSON");
        (places, page(state, rounds, &rescored, &changes).text(None), json)
    };
    let set = |key: &'static str, value: &'static str| {
        move |setup: &mut Setup| config::set("--set", key, value, setup).expect("a value")
    };
    // The same are tied on points, whatever comes after.
    let (places, text, json) = shown(&set("standings.order", "[\"match-points\", \"BH\"]"), &[]);
    assert_eq!((places[0].1.as_str(), places[1].1.as_str()), ("A", "C"));
    assert!(text.contains("Played off, places 1–2: A; then C."), "{text}");
    assert_eq!(json["playoffs"][0]["counts"], true);
    // By wins alone B is level with them.
    let (_, text, json) = shown(&set("scoring.match", "[1, 0, 0]"), &[]);
    assert!(
        text.contains(
            "The play-off of A, C does not count here: they are not exactly the players who are tied for places 1 to 2."
        ),
        "{text}"
    );
    assert_eq!(json["playoffs"][0]["counts"], false);
    // Off the list: those below move up, in the order that was.
    let (places, ..) = shown(&|_| (), &[player(1)]);
    assert_eq!(places[0], (1, "C".to_owned()));
    // As if it had not been there: it is another tie, or none.
    let annulled = |setup: &mut Setup| setup.standings.disqualified = DisqualificationEffect::Annulled;
    let (_, _, json) = shown(&annulled, &[player(1)]);
    assert_eq!(json["playoffs"][0]["counts"], false);
}

#[test]
fn sections_have_their_own_final_order() {
    let quads = keys("stages = []").replace("\"RR\"", "\"quads\"");
    let mut event = Played::new(setup("none", &quads, 8));
    event.play_all(|_, _| Draw);
    let open = ties::at_the_end(&event.state).expect("two ties");
    let keys: Vec<TieKey> = open.ties.iter().map(|tie| tie.key).collect();
    assert_eq!(keys.len(), 2, "each quad is level");
    let order = |numbers: [u32; 4]| numbers.iter().map(|&number| vec![player(number)]).collect();
    let is_final = |event: &Played| {
        let json: Value = serde_json::from_str(&parts::standings_json(&event.state, 3)).expect("JSON");
        [0, 1].map(|part| json["parts"][part]["final"].as_bool().expect("a flag"))
    };
    assert_eq!(is_final(&event), [false, false]);
    event.decide(keys[1], order([8, 7, 6, 5]));
    assert_eq!(is_final(&event), [false, true]);
    event.decide(keys[0], order([4, 3, 2, 1]));
    let csv = parts::standings(&event.state, 3).csv();
    let winners = csv.lines().filter(|line| line.contains(",1,1,"));
    let winners: Vec<&str> = winners.collect();
    assert!(winners.iter().any(|line| line.starts_with("section 1,1,1,D,")), "{csv}");
    assert!(winners.iter().any(|line| line.starts_with("section 2,1,1,H,")), "{csv}");
    let page = parts::standings(&event.state, 3).markdown();
    assert!(
        page.contains("Played off, places 1–4: H; then E, F and G together."),
        "{page}"
    );
    // And the minutes say of each decision who moved.
    let minutes = event.minutes();
    let moved: Vec<&str> = minutes[0].moved.iter().map(|moved| moved.player.as_str()).collect();
    assert_eq!(moved, ["E", "F", "G"], "H was first before, and they with it");
}

#[test]
fn the_ranking_of_stages_is_the_final_order() {
    let stages = keys("stages = []").replace("[swiss]\nrounds = \"RR\"\n", "")
        + "[event]\nstages = [{ format = \"1-SS\" }, { format = \"RR\", top = 2 }]\n";
    let mut event = Played::new(setup("none", &stages, 4));
    event.play_all(|white, black| match event_of(white, black) {
        true => Draw,
        false => smaller(white, black),
    });
    let ties = ties::at_the_end(&event.state).expect("a final that is level");
    let key = ties.ties[0].key;
    let tied: Vec<PairingNumber> = ties.ties[0].groups.concat();
    event.decide(key, vec![vec![tied[1]], vec![tied[0]]]);
    let ranking = ranking_after(&event.state, event.state.rounds().len());
    assert_eq!(ranking[..2], [(1, tied[1]), (2, tied[0])]);
    let csv = parts::standings(&event.state, 2).csv();
    assert!(csv.lines().any(|line| line.starts_with("stage 2,1,1,")), "{csv}");
    // Who is disqualified afterwards leaves the list, and what was played off stays.
    event
        .act(swissmatch::tournament::log::Act::Disqualify {
            player: tied[1],
            annul: false,
        })
        .expect("possible");
    let placing = swissmatch::tournament::ranking::final_places(&event.state);
    assert_eq!(placing.order[0], tied[0]);
    assert_eq!(ranking_after(&event.state, 2)[0], (1, tied[0]));
}

/// Whether the two are those of the final: the first round is A – C and B – D.
const fn event_of(white: u32, black: u32) -> bool {
    matches!((white, black), (1, 2) | (2, 1))
}

#[test]
fn a_decision_moves_players_of_a_tour() {
    let points = |given: &[(&str, i64)]| TourEvent {
        name: "Spring".to_owned(),
        points: given
            .iter()
            .map(|&(name, points)| (name.to_owned(), Number::whole(points)))
            .collect(),
        log: String::new(),
    };
    let mut event = Played::new(setup(
        "gct-tour",
        "[playoff]\nstages = []\n[mini_match]\nopenings = \"none\"",
        3,
    ));
    let Entry::Created(created) = &mut event.log[0] else {
        panic!("created first");
    };
    created.tour = Some(vec![points(&[("A", 5), ("B", 5), ("C", 3)])]);
    created.rounds = 1;
    event.state = State::fold(&event.log).expect("a tour");
    while matches!(director::next(&event.state, TODAY), Ok(Next::Entries(_))) {
        event.advance().expect("a round without pairs");
    }
    let tie = ties::at_the_end(&event.state).expect("two are level").ties[0].key;
    event.decide(tie, vec![vec![player(2)], vec![player(1)]]);
    let minutes = event.minutes();
    let moved: Vec<String> = minutes[0]
        .moved
        .iter()
        .map(|moved| {
            let place = |standing: Option<minutes::Standing>| standing.map_or(0, |standing| standing.place);
            format!("{} {} {}", moved.player, place(moved.before), place(moved.after))
        })
        .collect();
    assert_eq!(moved, ["A 1 2"]);
    assert!(minutes::text(&event.state, &minutes).contains("- A: from place 1 to 2"));
    // And so has the table: place, place before the play-off.
    let (page, json) = tour::report(&event.state).expect("a tour");
    let csv = page.table.csv();
    assert!(csv.starts_with("#,Before,Name,E1,Total"), "{csv}");
    assert!(
        csv.contains("\n1,1,B,5,5") && csv.contains("\n2,1,A,5,5") && csv.contains("\n3,,C,"),
        "{csv}"
    );
    assert_eq!(json.matches("\"place_before_playoff\": 1").count(), 2);
}
