//! Players' own servers.

use std::time::{Duration, Instant};

use serde_json::json;
use swissmatch_broker::player::AnswerSource;
use swissmatch_broker::wire::{Failure, Reply};

use super::endpoint;
use super::rig::Rig;
use super::service::{Do, Service, answer, failed};

fn ask(service: &Service, url: &str, limit: Option<Duration>) -> Result<Reply, Failure> {
    let rig = Rig::new(endpoint(service));
    let mut adapter = rig.adapter(AnswerSource::url("Web", url).expect("an address"));
    adapter.player.ask(Instant::now(), limit);
    adapter.send(&json!({"call": "move", "body": {"fen": "x"}}));
    adapter.read().map_err(|(failed, _)| failed)
}

#[test]
fn a_server_of_a_players_own_answers_with_a_move() {
    for (status, body, expected) in [
        ("200 OK", r#"{"move":"e2e4"}"#, Ok("e2e4".to_owned())),
        ("200 OK", "d2d4\n", Ok("d2d4".to_owned())),
        ("200 OK", r#"{"error":1}"#, Err(Failure::Empty)),
        ("429 Too Many", "", Err(Failure::Transport)),
        ("401 Unauthorized", "", Err(Failure::Transport)),
        ("302 Elsewhere", "", Err(Failure::Transport)),
    ] {
        let service = Service::start(move |_| vec![Do::Send(answer(status, "retry-after: 0\r\n", "text/plain", body))]);
        let url = format!("http://{}/move", service.address);
        assert_eq!(
            ask(&service, &url, None).map(|reply| reply.content),
            expected,
            "{status} {body}"
        );
        let seen = service.seen();
        assert_eq!((seen.len(), &seen[0].body), (1, &json!({"fen": "x"})));
        assert!(!seen[0].head.contains("authorization"));
    }
}

#[test]
fn a_name_leads_not_into_this_machine() {
    let service = Service::start(|_| failed("200 OK", "", r#"{"move":"e2e4"}"#));
    let port = service.address.port();
    for (host, is_led) in [("127.0.0.1", true), ("localhost", true), ("127.1", false), ("0", false)] {
        let ended = ask(&service, &format!("http://{host}:{port}/"), None);
        assert_eq!(ended.is_ok(), is_led, "{host}: {ended:?}");
    }
    assert_eq!(service.seen().len(), 2);
}

#[test]
fn its_time_is_the_players() {
    let service = Service::start(|_| vec![Do::Hang]);
    let asked = Instant::now();
    let url = format!("http://{}/", service.address);
    let limit = Duration::from_millis(300);
    assert_eq!(
        ask(&service, &url, Some(limit)).map(|reply| reply.content),
        Err(Failure::Late)
    );
    assert!((limit..3 * limit).contains(&asked.elapsed()));
}

#[test]
fn a_player_of_the_other_kind_has_no_such_calls() {
    let service = Service::start(|_| failed("200 OK", "", "{}"));
    let rig = Rig::new(endpoint(&service));
    let mut adapter = rig.model("A");
    adapter.send(&json!({"call": "move", "body": {}}));
    assert_eq!(
        adapter.read().map_err(|(failed, _)| failed),
        Err(Failure::Configuration)
    );
    let mut adapter = rig.adapter(AnswerSource::url("Web", "http://a/").expect("an address"));
    assert_eq!(adapter.ask().map_err(|(failed, _)| failed), Err(Failure::Configuration));
    assert_eq!(service.seen().len(), 0);
}
