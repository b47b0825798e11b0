//! The minutes of small events.

use super::*;
use crate::fixture;
use swissmatch_game::record::GameId;
use swissmatch_game::termination::{Outcome, Termination};
use swissmatch_tournament::log::{Absence, ArbiterActed, Cause, GamesInterrupted, HowEnded, PresenceChecked};

const AT: &str = "2026-11-21T09:44:48.123456789Z";

fn act(act: Act) -> Entry {
    Entry::Acted(Box::new(ArbiterActed {
        act,
        by: "C. Arbiter".to_owned(),
        reason: "as announced".to_owned(),
        overruled: Vec::new(),
    }))
}

fn number(player: u32) -> PairingNumber {
    PairingNumber(player)
}

fn game(round: u32, mini_match: u32, game: u32) -> GameId {
    GameId {
        round,
        playoff: 0,
        board: mini_match,
        game,
    }
}

fn minutes(entries: &[Entry]) -> (State, Vec<Minute>) {
    let logged: Vec<_> = entries.iter().map(|entry| (AT, entry)).collect();
    let state = State::fold(entries).expect("a log");
    (state, of_log(&logged).expect("a log"))
}

#[test]
fn what_was_done_is_told_with_what_it_changed() {
    let mut entries = fixture::log_of_two_rounds();
    let (white, black) = (number(2), number(5));
    let ended = |id: (u32, u32, u32), players, outcome| {
        Entry::GameFinished(fixture::entry_of(id, players, outcome, Termination::Checkmate))
    };
    let awarded = fixture::entry_of((3, 1, 2), (5, 2), Outcome::WhiteWins, Termination::Awarded);
    entries.extend([
        act(Act::SetResult {
            game: game(1, 1, 1),
            outcome: Outcome::BlackWins,
        }),
        act(Act::Withdraw { player: number(4) }),
        act(Act::Force { white, black, round: 3 }),
        Entry::PresenceChecked(PresenceChecked {
            round: 3,
            absent: vec![Absence {
                player: number(3),
                why: "no answer \u{1b}[2J in 10 s".to_owned(),
            }],
        }),
        act(Act::Pause),
        act(Act::Resume),
        fixture::paired(3, &[(2, 5, false)], 1),
        ended((3, 1, 1), (2, 5), Outcome::Draw),
        act(Act::Adjudicate {
            game: game(3, 1, 2),
            outcome: Outcome::WhiteWins,
        }),
        Entry::GameFinished(awarded),
        act(Act::Disqualify {
            player: number(1),
            annul: false,
        }),
    ]);
    let (state, minutes) = minutes(&entries);
    insta::assert_snapshot!(text(&state, &minutes), @"
    Minutes of Spring qualifier

    1. 2026-11-21 09:44:48 UTC: round 2 was over.
       C. Arbiter set the result of game 1.1.1 to 0-1.
       Why: as announced
       The standings change at once; rounds that are paired stay as they are. Round 2 was paired on the earlier result.
       It changed the standings:
       - Charlie: from place 2 to 1, from 1 point to 2 points, from 2 to 3 game points
       - Bravo: from place 3 to 2
       - Echo: from place 4 to 3
       - Alpha: from place 1 to 4, from 1.5 points to 0.5 points, from 2.5 to 1.5 game points

    2. 2026-11-21 09:44:48 UTC: round 2 was over.
       C. Arbiter withdrew Delta (4).
       Why: as announced
       It is not paired from round 3 on; what it plays now counts.

    3. 2026-11-21 09:44:48 UTC: round 2 was over.
       C. Arbiter paired Bravo (2) – Echo (5) in round 3.
       Why: as announced
       It takes effect when round 3 is paired, for that round only. Round 3 was paired as ordered.

    4. 2026-11-21 09:44:48 UTC: round 2 was over.
       Before round 3 was paired, the runner asked who was there; absent: Charlie (no answer [2J in 10 s).
       Whoever was absent is not paired in round 3, unless noted as present before then.

    5. 2026-11-21 09:44:48 UTC: round 2 was over.
       C. Arbiter paused the event.
       Why: as announced
       Games under way are finished; no others are started until `arbiter resume`.

    6. 2026-11-21 09:44:48 UTC: round 2 was over; the event was paused.
       C. Arbiter resumed the event.
       Why: as announced
       Games are started again at once.

    7. 2026-11-21 09:44:48 UTC: round 3 was being played (1 of 2 games finished).
       C. Arbiter adjudicated game 3.1.2: 1-0.
       Why: as announced
       The game is over.
       It changed the standings:
       - Echo: stays in place 2, from 1 point to 2 points, from 2.5 to 3.5 game points
       - Bravo: from place 4 to 3
       - Alpha: from place 3 to 4

    8. 2026-11-21 09:44:48 UTC: the event was over.
       C. Arbiter disqualified Alpha (1).
       Why: as announced
       It is off the list at once; nobody's points change.
       It changed the standings:
       - Delta: from place 5 to 4
       - Alpha: no longer listed, was in place 4 with 1 point
    ");
    let json: serde_json::Value = serde_json::from_str(&json(&state, &minutes)).expect("JSON");
    let first = &json["minutes"][0];
    assert_eq!((&first["at"], &first["by"]), (&AT.into(), &"C. Arbiter".into()));
    assert_eq!(json["minutes"][3]["by"], serde_json::Value::Null);
}

#[test]
fn a_wish_that_lapsed_is_told_and_a_quiet_event_has_nothing_to_tell() {
    let mut entries = fixture::log_of_two_rounds();
    let quiet = minutes(&entries);
    assert_eq!(
        text(&quiet.0, &quiet.1),
        "Minutes of Spring qualifier\n\nNothing was done by hand.\n"
    );
    let (white, black) = (number(2), number(5));
    entries.push(act(Act::Force { white, black, round: 3 }));
    let open = minutes(&entries).1;
    assert_eq!(open[0].effect.len(), 1, "round 3 is not paired yet");
    entries.push(fixture::paired(3, &[(3, 1, true), (4, 5, false)], 2));
    let lapsed = minutes(&entries).1;
    assert_eq!(
        lapsed[0].effect[1],
        "Round 3 was paired otherwise: the pair was no longer possible."
    );
    assert_eq!(of_log(&[]), Err(BrokenLogError::Created));
}

#[test]
fn games_that_were_open_when_a_runner_ended_are_told() {
    let mut entries = fixture::log_of_two_rounds();
    let games = (1..=2).flat_map(|board| (1..=12).map(move |number| game(3, board, number)));
    entries.extend([
        fixture::paired(3, &[(2, 5, false), (3, 4, false)], 1),
        Entry::Interrupted(GamesInterrupted {
            games: Some(vec![game(3, 1, 2), game(3, 2, 1)]),
            ended: HowEnded {
                signal: None,
                exit_code: Some(130),
            },
            ..GamesInterrupted::default()
        }),
        Entry::Interrupted(GamesInterrupted {
            games: Some(vec![game(3, 1, 2)]),
            service: Some("local: 503".to_owned()),
            ..GamesInterrupted::default()
        }),
        Entry::Interrupted(GamesInterrupted {
            games: Some(vec![game(3, 1, 2)]),
            service: Some("local: no connection".to_owned()),
            outage: true,
            ..GamesInterrupted::default()
        }),
        Entry::Interrupted(GamesInterrupted {
            games: None,
            ..GamesInterrupted::default()
        }),
        Entry::Interrupted(GamesInterrupted::of(
            game(3, 1, 2),
            Cause::Machine("no processes".to_owned()),
        )),
    ]);
    let (state, minutes) = minutes(&entries);
    insta::assert_snapshot!(text(&state, &minutes), @"
    Minutes of Spring qualifier

    1. 2026-11-21 09:44:48 UTC: round 3 was being played (0 of 4 games finished).
       The runner ended with exit code 130 while these games were open, which are due again: 3.1.2, 3.2.1.

    2. 2026-11-21 09:44:48 UTC: round 3 was being played (0 of 4 games finished).
       The service of an agent did not answer, and these games are due again: 3.1.2. It was told: local: 503.

    3. 2026-11-21 09:44:48 UTC: round 3 was being played (0 of 4 games finished).
       The service of an agent was away, and these games are due again once it answers: 3.1.2. It was told: local: no connection.

    4. 2026-11-21 09:44:48 UTC: round 3 was being played (0 of 4 games finished).
       The runner ended, and nobody knows how; games that were open then are due again.

    5. 2026-11-21 09:44:48 UTC: round 3 was being played (0 of 4 games finished).
       The machine could not play them, and these games are due again: 3.1.2. It was told: no processes.
    ");
    let many = GamesInterrupted {
        games: Some(games.collect()),
        ..GamesInterrupted::default()
    };
    let told = interruptions::sentence(&many);
    assert!(told.ends_with("3.2.7, 3.2.8, and 4 more"), "{told}");
}

#[test]
fn of_many_who_moved_the_text_names_some_and_json_all() {
    let state = fixture::created_only();
    let standing = |place| Standing {
        place,
        points: Some(Points::ONE),
        game_points: None,
    };
    let moved = (1..=20).map(|place| PlaceChange {
        player: format!("P{place}"),
        number: number(place),
        before: Some(standing(place + 1)),
        after: Some(standing(place)),
    });
    let entry = Minute {
        at: AT.to_owned(),
        during: "round 1 was over".to_owned(),
        by: Some("Ann".to_owned()),
        what: "acted".to_owned(),
        reason: Some("why".to_owned()),
        effect: Vec::new(),
        is_of_results: false,
        moved: moved.collect(),
    };
    let text = text(&state, std::slice::from_ref(&entry));
    assert!(
        text.contains("   - P12: from place 13 to 12\n   - and 8 more.\n"),
        "{text}"
    );
    assert!(!text.contains("P13"), "{text}");
    let json = json(&state, &[entry]);
    assert!(json.contains("\"P20\""), "{json}");
}
