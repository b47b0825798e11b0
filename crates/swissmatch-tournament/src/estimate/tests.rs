//! What models are likely to use, by games made by hand.

use serde_json::json;

use super::*;
use crate::setup::{EndpointKeys, Micros, Rounds};
use swissmatch_game::record::Calls;

const PRICE: Price = Price {
    input: Micros(1_000_000),
    output: Micros(2_000_000),
    cached: Micros(500_000),
};

/// An all-play-all of two models and an engine, two games a mini-match.
fn setup(price: Option<Price>) -> Setup {
    let mut setup = Setup::default();
    setup.endpoints.push(EndpointKeys {
        name: "a".to_owned(),
        price,
        ..EndpointKeys::default()
    });
    let player = |name: &str, model: Option<&str>| PlayerKeys {
        name: name.to_owned(),
        model: model.map(str::to_owned),
        ..PlayerKeys::default()
    };
    setup.players = vec![player("M", Some("a:m")), player("E", None), player("N", Some("a:n"))];
    setup.swiss.rounds = "RR".parse().expect("a format");
    setup.mini_match.games = 2;
    setup
}

/// A call of White with these tokens of prompt and answer.
fn call(tokens: Option<(u64, u64)>, failed: bool) -> ServiceCall {
    ServiceCall {
        side: Side::White,
        ply: 0,
        input: tokens.map(|(input, _)| input),
        cached: None,
        output: tokens.map(|(_, output)| output),
        reasoning: None,
        cost: None,
        first_byte_us: None,
        latency_us: 1,
        off_clock_us: 0,
        tries: 1 + u32::from(failed),
        finish: None,
        model: None,
        fingerprint: None,
        failed: failed.then(|| "late".to_owned()),
    }
}

/// A game that was played.
fn record() -> GameRecord {
    let record = json!({
        "version": GameRecord::VERSION,
        "id": "1.1.1",
        "white": 1,
        "black": 2,
        "opening": { "fen": null, "moves": "", "name": "" },
        "moves": "",
        "result": "1-0",
        "termination": "checkmate",
        "time_us": [],
        "ready_us": [0, 0],
    });
    serde_json::from_value(record).expect("a record")
}

/// Who plays, what White asked, and how many plies it would have had and had.
type HandmadeGame = (&'static str, &'static str, Vec<ServiceCall>, (u32, u32));

fn measure(setup: &Setup, games: &[HandmadeGame]) -> MeasuredUsage {
    let mut measured = MeasuredUsage::default();
    let find = |name: &str| {
        setup
            .players
            .iter()
            .find(|player| player.name == name)
            .expect("a player")
    };
    for (white, black, calls, plies) in games {
        let mut record = record();
        record.calls = Calls {
            list: calls.clone(),
            ledger: String::new(),
        };
        measured.add(setup, [find(white), find(black)], &record, *plies);
    }
    measured
}

#[test]
fn the_least_and_the_most_of_a_game_count_for_all_games() {
    let setup = setup(Some(PRICE));
    let call = |tokens| call(Some(tokens), false);
    let measured = measure(
        &setup,
        &[
            ("M", "E", vec![call((100, 10)), call((120, 10))], (4, 4)),
            ("M", "N", vec![call((300, 50))], (4, 4)),
            // An engine asks nobody.
            ("E", "N", Vec::new(), (4, 4)),
        ],
    );
    let estimate = Estimate::new(&setup, &measured).expect("models play");
    let [m, n] = estimate.players.as_slice() else {
        panic!("two models: {estimate:?}")
    };
    assert_eq!((m.name.as_str(), m.games, m.measured), ("M", 4, 2));
    let range = |least, most| Some(Range { least, most });
    assert_eq!(
        (m.requests, m.input, m.output),
        (range(4, 8), range(880, 1200), range(80, 200))
    );
    // 220 and 2 times 20, 300 and 2 times 50.
    assert_eq!(m.cost, range(4 * 260, 4 * 400));
    // It never asked in the games in which it played, as Black.
    assert_eq!((n.measured, n.requests), (2, range(0, 0)));
    let total = estimate.total(|player| player.cost);
    assert_eq!((total.known, total.unknown), (range(1040, 1600), 0));
}

#[test]
fn what_nobody_told_is_not_known() {
    let free = setup(None);
    let answered = call(Some((100, 10)), false);
    let measured = measure(
        &free,
        &[
            ("M", "E", vec![answered.clone(), call(None, true)], (8, 4)),
            ("N", "E", vec![call(None, false)], (4, 4)),
        ],
    );
    let estimate = Estimate::new(&free, &measured).expect("models play");
    let range = |least, most| Some(Range { least, most });
    // Broken off after 4 of 8 plies. A call without an answer is two requests.
    assert_eq!(
        (estimate.players[0].requests, estimate.players[0].input),
        (range(24, 24), range(800, 800))
    );
    assert_eq!((estimate.players[0].cost, estimate.players[1].input), (None, None));
    assert_eq!(estimate.players[1].requests, range(4, 4));
    let tokens = estimate.total(|player| player.input);
    assert_eq!((tokens.known, tokens.unknown), (range(800, 800), 1));
    // A game in which it was not asked tells no cost where there is no price.
    let silent = measure(&free, &[("M", "E", Vec::new(), (4, 4))]);
    let silent = Estimate::new(&free, &silent).expect("models play");
    assert_eq!((silent.players[0].cost, silent.players[0].input), (None, range(0, 0)));
    // Another model of the same name is another player.
    let mut other = free.clone();
    other.players[0].model = Some("a:other".to_owned());
    let mut record = record();
    record.calls.list = vec![answered];
    let mut measured = MeasuredUsage::default();
    measured.add(&other, [&free.players[0], &free.players[1]], &record, (1, 1));
    let estimate = Estimate::new(&other, &measured).expect("models play");
    assert_eq!((estimate.players[0].measured, estimate.players[0].requests), (0, None));
    assert_eq!(Estimate::new(&Setup::default(), &measured), None);
}

#[test]
fn answers_are_bounded_by_the_keys_and_games_by_the_format() {
    let mut setup = setup(None);
    setup.game.max_moves = Some(10);
    setup.game.attempts = 3;
    let most = |setup: &Setup| {
        let estimate = Estimate::new(setup, &MeasuredUsage::default()).expect("models play");
        estimate
            .players
            .iter()
            .map(|player| (player.games, player.most_output))
            .collect::<Vec<_>>()
    };
    assert_eq!(most(&setup), [(4, Some(4 * 10 * 3 * 500)); 2]);
    setup.game.max_moves = None;
    setup.game.max_plies = None;
    assert_eq!(most(&setup), [(4, None); 2]);
    setup.swiss.rounds = "gauntlet".parse().expect("a format");
    let games: u32 = most(&setup).iter().map(|(games, _)| games).sum();
    assert_eq!(games, 4 + 2, "the first meets both others, the last the first alone");
    setup.swiss.rounds = Rounds::Number(3);
    assert_eq!(
        most(&setup)[0].0,
        4,
        "with three players each plays two rounds of three"
    );
}
