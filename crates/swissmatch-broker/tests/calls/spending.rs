//! The ledger and the limits of the spending.

use std::fs::OpenOptions;

use swissmatch_broker::ledger::{Ledger, SpendingLimits};
use swissmatch_broker::money::{Micros, Price};
use swissmatch_broker::wire::Failure;

use super::endpoint;
use super::rig::Rig;
use super::service::{Service, said};

#[test]
fn a_limit_is_never_exceeded_and_the_ledger_tells_every_request() {
    let service = Service::start(|_| said("e2e4"));
    let mut endpoint = endpoint(&service);
    endpoint.price = Some(Price {
        input: Micros(1_000_000),
        output: Micros(2_000_000),
        cached: Micros(500_000),
    });
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("ledger.jsonl");
    let open = || {
        OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(&path)
            .expect("a file")
    };
    let limits = SpendingLimits {
        player: Some(Micros(1500)),
        ..SpendingLimits::default()
    };
    let rig = Rig::with(endpoint.clone(), Ledger::open(Some(open()), limits).expect("a ledger"));
    let mut adapter = rig.model("A");
    adapter.player.play("1.1.1");
    // 16 tokens at 1, 4 at 0.5 and 5 at 2 a million.
    let mut costs = 0;
    let why = loop {
        match adapter.ask() {
            Ok(_) => costs += 28,
            Err((failed, why)) => {
                assert_eq!(failed, Failure::Configuration);
                break why;
            }
        }
    };
    // The message says what counts towards a limit, and what helps.
    let told = format!(
        "spending.player is reached: of 0.001500, 0.{costs:06} are counted already, and one more call could go beyond it; \
         spending.player may be raised when the run goes on"
    );
    assert_eq!(why, told);
    let reports = adapter.player.take_reports();
    let last = reports.last().expect("one");
    assert!(last.is_spent && last.tries == 0);
    assert_eq!(reports[0].cost, Some(Micros(28)));
    let spent = rig.broker().spent_by("A");
    assert_eq!((spent, spent.money.0, spent.unknown), (rig.broker().spent(), costs, 0));
    assert!(costs > 28 && costs <= 1500);
    assert_eq!(spent.requests, service.seen().len() as u64);
    // Another player has money left; the same one still has none after the next start.
    assert!(rig.model("B").ask().is_ok());
    let hash = rig.broker().ledger_hash("1.1.1");
    drop(adapter);
    drop(rig);
    let rig = Rig::with(endpoint, Ledger::open(Some(open()), limits).expect("a ledger"));
    assert_eq!(
        (rig.broker().spent_by("A"), rig.broker().ledger_hash("1.1.1")),
        (spent, hash)
    );
    assert!(rig.model("A").ask().is_err());
}

#[test]
fn without_a_price_or_usage_nobody_knows_the_cost() {
    let service = Service::start(|seen| {
        let mut acts = said("e2e4");
        if seen.number == 1
            && let super::service::Do::Send(bytes) = &mut acts[0]
        {
            *bytes = super::service::answer(
                "200 OK",
                "",
                "application/json",
                r#"{"choices":[{"text":"e2e4","finish_reason":"stop"}]}"#,
            );
        }
        acts
    });
    let rig = Rig::new(endpoint(&service));
    let mut adapter = rig.model("A");
    for (number, unknown) in [(1, 1), (2, 2)] {
        adapter.content();
        let report = adapter.player.take_reports().remove(0);
        assert_eq!((report.cost, report.usage.is_some()), (None, number == 1));
        assert_eq!(rig.broker().spent().unknown, unknown);
        assert!(report.counted.0 > 0);
    }
}
