//! Time off the clock, and who is late.

use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::json;
use swissmatch_broker::wire::Failure;

use super::endpoint;
use super::rig::Rig;
use super::service::{Do, Service, content, failed, part, said, stream_head};

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn a_service_that_asks_to_wait_is_left_alone_and_the_clock_stands() {
    let service = Service::start(|seen| match seen.number {
        0 => failed(
            "429 Too Many",
            "retry-after: 2\r\n",
            r#"{"error":{"message":"slow down"}}"#,
        ),
        _ => said("e2e4"),
    });
    let rig = Rig::new(endpoint(&service));
    let (mut one, mut other) = (rig.model("A"), rig.model("B"));
    let asked = Instant::now();
    one.player.ask(asked, Some(SECOND));
    one.begin();
    sleep(SECOND / 2);
    // The deadline moves while it waits, and nobody else asks meanwhile.
    let off = one.player.off_clock(Instant::now());
    assert!(asked.elapsed() - off < Duration::from_millis(50), "{off:?}");
    assert_eq!(other.content(), "e2e4");
    assert_eq!(one.read().expect("a reply").content, "e2e4");
    let on_clock = asked.elapsed() - one.player.off_clock(Instant::now());
    assert!(on_clock < Duration::from_millis(100), "{on_clock:?}");
    let seen = service.seen();
    assert_eq!(seen.len(), 3);
    assert!(seen[1].at - seen[0].at >= 2 * SECOND, "{:?}", seen[1].at - seen[0].at);
}

#[test]
fn a_call_without_a_byte_is_late_where_others_are_answered() {
    let service = Service::start(|seen| {
        if seen.is_probe() {
            said("y")
        } else {
            vec![stream_head(), part(": wait\n\n"), Do::Hang]
        }
    });
    let rig = Rig::new(endpoint(&service));
    let mut adapter = rig.model("A");
    let asked = Instant::now();
    adapter.player.ask(asked, Some(SECOND));
    let (failed, why) = adapter.ask().expect_err("late");
    assert_eq!(failed, Failure::Late, "{why}");
    assert!((SECOND..2 * SECOND).contains(&asked.elapsed()));
    // It was its own time.
    assert!(adapter.player.off_clock(Instant::now()) < Duration::from_millis(20));
    assert_eq!(service.seen().iter().filter(|seen| seen.is_probe()).count(), 1);
}

#[test]
fn where_nobody_is_answered_all_silent_calls_are_the_services() {
    let begun = Instant::now();
    let is_ill = move |at: Instant| at - begun < SECOND * 22 / 10;
    let service = Service::start(move |seen| match (is_ill(seen.at), seen.body["model"] == "talking") {
        (true, false) => vec![Do::Hang],
        (true, true) => {
            let beginning = content("e2", None);
            let mut acts = vec![stream_head()];
            acts.extend((0..8).flat_map(|_| [part(&beginning), Do::Wait(SECOND / 2)]));
            acts.extend([
                part(&content("!", Some("stop"))),
                part("data: [DONE]\n\n"),
                super::service::stream_end(),
            ]);
            acts
        }
        (false, _) => said("e2e4"),
    });
    let rig = Rig::new(endpoint(&service));
    let (mut one, mut other) = (rig.model("A"), rig.model("B"));
    let session = swissmatch_broker::player::Session::new("C", "talking");
    let mut talking = rig.adapter(swissmatch_broker::player::AnswerSource::Model(0, Box::new(session)));
    for (adapter, limit) in [(&mut one, 1), (&mut other, 6), (&mut talking, 9)] {
        adapter.player.ask(Instant::now(), Some(limit * SECOND));
        adapter.begin();
    }
    // One found it out; the other's call was taken back before it was late itself.
    for adapter in [&mut one, &mut other] {
        assert_eq!(adapter.read().expect("a reply").content, "e2e4");
        let report = adapter.player.take_reports().remove(0);
        assert!(report.tries >= 2 && report.off_clock >= 2 * SECOND, "{report:?}");
        assert!(
            report.latency < 6 * SECOND && report.latency - report.off_clock < SECOND / 2,
            "{report:?}"
        );
    }
    // The adapter that is answered goes on.
    assert_eq!(talking.read().expect("a reply").content, "e2".repeat(8) + "!");
    assert_eq!(talking.player.take_reports()[0].tries, 1);
}

#[test]
fn at_a_service_of_a_player_nothing_is_off_the_clock() {
    let service = Service::start(|_| failed("503 Away", "retry-after: 5\r\n", "{}"));
    let mut endpoint = endpoint(&service);
    endpoint.owner_is_event = false;
    let rig = Rig::new(endpoint);
    let mut adapter = rig.model("A");
    let asked = Instant::now();
    adapter.player.ask(asked, Some(SECOND));
    let (failed, _) = adapter.ask().expect_err("no reply");
    assert_eq!(failed, Failure::Transport);
    assert!((SECOND..2 * SECOND).contains(&asked.elapsed()), "{:?}", asked.elapsed());
    assert_eq!(adapter.player.off_clock(Instant::now()), Duration::ZERO);
}

#[test]
fn whoever_stops_is_hung_up_at_once() {
    let service = Service::start(|_| vec![stream_head(), part(&content("e2", None)), Do::Hang]);
    let rig = Rig::new(endpoint(&service));
    for closes in [false, true] {
        let mut adapter = rig.model("A");
        adapter.begin();
        sleep(SECOND / 4);
        let before = service.hung_up().len();
        let stopped = Instant::now();
        let player = std::sync::Arc::clone(&adapter.player);
        if closes {
            drop(adapter);
        } else {
            adapter.send(&json!({"call": "stop"}));
        }
        while service.hung_up().len() == before && stopped.elapsed() < SECOND {
            sleep(Duration::from_millis(1));
        }
        let took = service.hung_up()[before] - stopped;
        assert!(took < Duration::from_millis(100), "{took:?}");
        while stopped.elapsed() < Duration::from_millis(200) {
            sleep(Duration::from_millis(10));
        }
        assert!(player.take_reports()[0].is_hung_up);
    }
}

#[test]
fn what_the_runner_hangs_up_has_ended_and_the_next_call_is_another() {
    let service = Service::start(|seen| match seen.number {
        0 => vec![Do::Hang],
        _ => said("e2e4"),
    });
    let rig = Rig::new(endpoint(&service));
    let mut adapter = rig.model("A");
    // Nothing is open, so nothing is waited for, and the next call is not affected.
    adapter.player.hang_up(20 * SECOND);
    adapter.player.play("1.1.1");
    adapter.player.ask(Instant::now(), Some(60 * SECOND));
    adapter.begin();
    while service.seen().is_empty() {
        sleep(SECOND / 100);
    }
    adapter.player.hang_up(20 * SECOND);
    let reports = adapter.player.take_reports();
    assert!(reports[0].is_hung_up && reports.len() == 1, "{reports:?}");
    let hash = rig.broker().ledger_hash("1.1.1");
    assert_eq!(adapter.read().expect_err("no reply").0, Failure::Late);
    assert_eq!(adapter.content(), "e2e4");
    assert_eq!(service.seen().len(), 2);
    assert_ne!(rig.broker().ledger_hash("1.1.1"), hash);
}

#[test]
fn a_call_at_its_limit_is_judged_before_anybody_asks_how_long_it_took() {
    let service = Service::start(|seen| match seen.is_probe() {
        true => vec![Do::Wait(SECOND / 4), Do::Cut],
        false => vec![Do::Hang],
    });
    let rig = Rig::new(endpoint(&service));
    let mut adapter = rig.model("A");
    let asked = Instant::now();
    adapter.player.ask(asked, Some(SECOND / 4));
    adapter.begin();
    while service.seen().is_empty() {
        std::thread::sleep(SECOND / 100);
    }
    std::thread::sleep(SECOND / 4);
    adapter.player.judged(SECOND / 5);
    let off = adapter.player.off_clock(Instant::now());
    assert!(asked.elapsed() >= SECOND / 4 && off > Duration::ZERO, "{off:?}");
}
