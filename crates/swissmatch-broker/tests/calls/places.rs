//! Places at a service.

use std::time::Duration;

use super::endpoint;
use super::rig::Rig;
use super::service::{Do, Service, said};

#[test]
fn at_once_is_kept_and_two_players_wait_equally_long() {
    let service = Service::start(|_| {
        let mut acts = vec![Do::Wait(Duration::from_millis(50))];
        acts.extend(said("e2e4"));
        acts
    });
    let mut endpoint = endpoint(&service);
    endpoint.at_once = 3;
    let rig = Rig::new(endpoint);
    let names = |index: usize| if index.is_multiple_of(2) { "A" } else { "B" };
    let mut adapters: Vec<_> = (0..16).map(|index| rig.model(names(index))).collect();
    let mut waited = [Duration::ZERO; 2];
    for _ in 0..3 {
        adapters.iter_mut().for_each(super::rig::Adapter::begin);
        for (index, adapter) in adapters.iter_mut().enumerate() {
            adapter.read().expect("a reply");
            let report = adapter.player.take_reports().remove(0);
            waited[index % 2] += report.off_clock;
            assert!(
                report.latency - report.off_clock < Duration::from_millis(150),
                "{report:?}"
            );
        }
    }
    assert_eq!((service.most(), service.seen().len()), (3, 48));
    let share = waited[0].as_secs_f64() / waited[1].as_secs_f64();
    assert!((0.7..1.4).contains(&share), "{waited:?}");
}

#[test]
fn requests_a_minute_are_kept() {
    let service = Service::start(|_| said("e2e4"));
    let mut endpoint = endpoint(&service);
    endpoint.requests_a_minute = Some(2);
    let rig = Rig::new(endpoint);
    let mut adapter = rig.model("A");
    assert_eq!(
        (adapter.content(), adapter.content()),
        ("e2e4".to_owned(), "e2e4".to_owned())
    );
    adapter.begin();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(service.seen().len(), 2);
}
