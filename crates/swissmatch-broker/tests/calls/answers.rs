//! Answers of services, and whose failure each is.

use std::io::Read as _;
use std::net::TcpListener;
use std::time::{Duration, Instant};

use serde_json::json;
use swissmatch_broker::endpoint::{Endpoint, ServiceKey};
use swissmatch_broker::wire::Failure;

use super::endpoint;
use super::rig::Rig;
use super::service::{Do, Service, answer, content, failed, part, said, stream_end, stream_head};

#[test]
fn a_stream_is_read_through_blank_lines_comments_and_long_lines() {
    let thought = "x".repeat(3 << 20);
    let expected = thought.clone();
    let service = Service::start(move |_| {
        let thinking = json!({"choices": [{"index": 0, "delta": {"reasoning": thought}}]});
        let usage = json!({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 3}});
        let done = content("4", Some("stop"));
        vec![
            stream_head(),
            part(": OPENROUTER PROCESSING\n\n\n\r\n"),
            part(&format!("data: {thinking}\n\n")),
            // An event in two pieces, and other line ends.
            part(&content("e2e", None)[..20]),
            part(&content("e2e", None)[20..]),
            part(&done.replace('\n', "\r\n")),
            part(&format!("data: {usage}\n\ndata: [DONE]\n\n")),
            stream_end(),
        ]
    });
    let rig = Rig::new(endpoint(&service));
    let mut adapter = rig.model("A");
    for _ in 0..2 {
        let reply = adapter.ask().expect("a reply");
        assert_eq!((reply.content.as_str(), reply.finish.as_str()), ("e2e4", "stop"));
        assert!(reply.reasoning == Some(expected.clone()));
    }
    let reports = adapter.player.take_reports();
    let usage = reports[1].usage.expect("usage");
    assert_eq!((usage.input.0, usage.output.0, reports[1].tries), (9, 3, 1));
    assert!(reports[1].first_byte.is_some_and(|first| first <= reports[1].latency));
    let seen = service.seen();
    assert_eq!(seen[0].body["stream_options"]["include_usage"], true);
    assert_eq!(seen.len(), 2);
}

#[test]
fn an_answer_at_once_has_its_figures() {
    let service = Service::start(|_| said("e2e4"));
    let mut endpoint = endpoint(&service);
    endpoint.stream = false;
    endpoint.key = ServiceKey::new("sk-1");
    let rig = Rig::new(endpoint);
    let mut adapter = rig.model("A");
    adapter.player.play("1.2.3");
    assert_eq!(adapter.content(), "e2e4");
    let report = adapter.player.take_reports().remove(0);
    // A model other than the one asked for is reported.
    assert_eq!(report.served_model.as_deref(), Some("served-1"));
    assert_eq!(
        (report.fingerprint.as_deref(), report.id.as_deref()),
        (Some("fp-1"), Some("c-1"))
    );
    assert_eq!((report.game.as_str(), report.cost), ("1.2.3", None));
    assert!(
        report
            .texts
            .is_some_and(|texts| texts.prompt() == Some("Move.") && texts.reply.content == "e2e4")
    );
    let seen = &service.seen()[0];
    assert_eq!((&seen.body["n"], seen.body.get("stream")), (&json!(1), None));
    assert!(seen.head.contains("authorization: Bearer sk-1"), "{}", seen.head);
    assert!(seen.head.starts_with("POST /v1/chat/completions "));
}

#[test]
fn what_the_service_fails_is_tried_again() {
    let html = answer("200 OK", "", "text/html", "<html>Hello</html>");
    let json = |text: &str| vec![Do::Send(answer("200 OK", "", "application/json", text))];
    let cut_text = vec![
        Do::Send(b"HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{\"choices\":".to_vec()),
        Do::Cut,
    ];
    let faults = vec![
        vec![Do::Cut],
        cut_text,
        vec![Do::Send(html)],
        json(r#"{"choices":[]}"#),
        json(r#"{"choices":{}}"#),
        json(r#"{"error":{"message":"upstream died","code":502}}"#),
        failed("500 Internal", "", "oops"),
        failed("529 Overloaded", "", "{}"),
        vec![stream_head(), part(&content("e2e4", None)), stream_end()],
        vec![stream_head(), part(&content("e2e4", None)), Do::Cut],
        vec![stream_head(), part("data: {\"choices\":[{\n\n"), stream_end()],
        vec![
            stream_head(),
            part("data: {\"error\":{\"message\":\"gone\"}}\n\n"),
            stream_end(),
        ],
    ];
    for fault in faults {
        let name = format!("{fault:?}");
        let service = Service::start(move |seen| if seen.number == 0 { fault.clone() } else { said("d2d4") });
        let rig = Rig::new(endpoint(&service));
        let mut adapter = rig.model("A");
        adapter.player.ask(Instant::now(), Some(Duration::from_secs(10)));
        assert_eq!(adapter.content(), "d2d4", "{name}");
        let report = adapter.player.take_reports().remove(0);
        assert_eq!((report.tries, report.failed), (2, None), "{name}");
        assert!(
            report.off_clock >= Duration::from_millis(250),
            "{name}: {:?}",
            report.off_clock
        );
        assert!(report.latency - report.off_clock < Duration::from_millis(200), "{name}");
    }
}

#[test]
fn what_the_model_fails_and_what_the_organizer_must_mend_is_told_at_once() {
    let choice = |message: &str, finish: &str| {
        let text = format!(r#"{{"choices":[{{"message":{message},"finish_reason":"{finish}"}}]}}"#);
        vec![Do::Send(answer("200 OK", "", "application/json", &text))]
    };
    let faults = [
        (choice(r#"{"content":""}"#, "stop"), Failure::Empty),
        (
            choice(r#"{"content":null,"tool_calls":[{"id":"x"}]}"#, "tool_calls"),
            Failure::Empty,
        ),
        (
            choice(r#"{"content":null,"reasoning_content":"hm"}"#, "length"),
            Failure::Truncated,
        ),
        (choice(r#"{"content":null,"refusal":"no"}"#, "stop"), Failure::Refused),
        (
            failed("401 Unauthorized", "", r#"{"error":{"message":"bad key sk-9"}}"#),
            Failure::Configuration,
        ),
        (failed("402 Payment", "", ""), Failure::Configuration),
        (failed("404 Not Found", "", "no such model"), Failure::Configuration),
        (
            failed("429 Too Many", "", r#"{"error":{"code":"insufficient_quota"}}"#),
            Failure::Configuration,
        ),
        (
            failed("400 Bad", "", r#"{"error":{"code":"context_length_exceeded"}}"#),
            Failure::Truncated,
        ),
        // No redirect is followed: the key would be carried elsewhere.
        (
            failed("307 Elsewhere", "location: http://127.0.0.1:9/\r\n", ""),
            Failure::Configuration,
        ),
    ];
    for (fault, whose) in faults {
        let service = Service::start(move |_| fault.clone());
        let mut endpoint = endpoint(&service);
        endpoint.key = ServiceKey::new("sk-9");
        let rig = Rig::new(endpoint);
        let (failed, why) = rig.model("A").ask().expect_err("no reply");
        assert_eq!((failed, service.seen().len()), (whose, 1), "{why}");
        assert!(!why.contains("sk-9"), "{why}");
    }
}

#[test]
fn patience_has_an_end() {
    let service = Service::start(|_| failed("503 Away", "", "{}"));
    let mut endpoint = endpoint(&service);
    endpoint.patience = Duration::from_secs(1);
    let rig = Rig::new(endpoint);
    let begun = Instant::now();
    let (failed, why) = rig.model("A").ask().expect_err("no reply");
    assert_eq!((failed, why.as_str()), (Failure::Transport, "the service answered 503"));
    assert!(begun.elapsed() < Duration::from_secs(3) && service.seen().len() >= 2);
}

#[test]
fn an_address_that_nobody_answers_is_the_services_failure() {
    let gone = Service::start(|_| said("e2e4"));
    let mut endpoint = endpoint(&gone);
    drop(gone);
    std::thread::sleep(Duration::from_millis(50));
    endpoint.patience = Duration::ZERO;
    let rig = Rig::new(endpoint);
    let (failed, why) = rig.model("A").ask().expect_err("no reply");
    assert_eq!(failed, Failure::Transport);
    assert!(why.contains("refused"), "{why}");
    // It has cost nothing.
    assert_eq!(rig.broker().spent().tokens.0, 0);
}

#[test]
fn an_address_that_asks_for_tls_is_spoken_to_by_tls_alone() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let first = std::thread::spawn(move || {
        let mut first = [0];
        listener
            .accept()
            .expect("a connection")
            .0
            .read_exact(&mut first)
            .expect("a byte");
        first[0]
    });
    let mut endpoint = Endpoint::new("local", &format!("https://{address}/v1")).expect("an endpoint");
    endpoint.patience = Duration::ZERO;
    let rig = Rig::new(endpoint);
    let (failed, why) = rig.model("A").ask().expect_err("no reply");
    assert_eq!(failed, Failure::Transport, "{why}");
    // A handshake (RFC 8446, 5.1).
    assert_eq!(first.join().expect("it has ended"), 22);
}
