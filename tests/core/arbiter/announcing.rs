//! What is announced is told and changes nothing.

use swissmatch::report::minutes;
use swissmatch::tournament::log::{Act, Entry};
use swissmatch::tournament::ties::event_is_over;

use super::{Played, setup};

fn announce(event: &mut Played, text: &str) -> Result<(), String> {
    let text = text.to_owned();
    event.act(Act::Announce { text }).map_err(|refused| refused.to_string())
}

#[test]
fn an_announcement_changes_nothing_but_the_minutes() {
    let keys = "[swiss]\nrounds = 2\n[mini_match]\ngames = 2\nopenings = \"none\"\n";
    let mut event = Played::new(setup("global-chess-challenge", keys, 5));
    let mut quiet = Played::new(setup("global-chess-challenge", keys, 5));
    announce(&mut event, "Round 1 begins at noon").expect("one line");
    for event in [&mut event, &mut quiet] {
        event.round();
    }
    announce(&mut event, &"é".repeat(1000)).expect("as long as it may be");
    for event in [&mut event, &mut quiet] {
        event.round();
    }
    assert!(event_is_over(&event.state));
    announce(&mut event, "Thank you all").expect("also when the event is over");
    let pairings = |event: &Played| {
        let rounds = event.state.rounds().iter();
        rounds.map(|round| round.pairing.clone()).collect::<Vec<_>>()
    };
    assert_eq!(pairings(&event), pairings(&quiet));
    assert_eq!(event.state.orders(), quiet.state.orders());
    assert_eq!(event.points(), quiet.points());
    let at = "2026-11-21T09:44:48Z";
    let entries: Vec<(&str, &Entry)> = event.log.iter().map(|entry| (at, entry)).collect();
    let told = minutes::of_log(&entries).expect("a log");
    assert_eq!(told.len(), 3);
    assert_eq!(told[0].what, "announced: Round 1 begins at noon");
    assert!(
        told.iter()
            .all(|minute| minute.moved.is_empty() && !minute.is_of_results)
    );
}

#[test]
fn what_is_not_one_short_line_is_refused() {
    let mut event = Played::new(setup("global-chess-challenge", "[swiss]\nrounds = 2\n", 4));
    let before = event.log.len();
    for text in [
        "",
        " \u{3000}",
        "two\nlines",
        "a\u{1b}[2J",
        "\u{202e}txet",
        &"x".repeat(1001),
    ] {
        assert_eq!(
            announce(&mut event, text),
            Err(
                "an announcement must be one line of 1 to 1000 characters, without control characters or marks that turn the \
                 writing round"
                    .to_owned()
            ),
            "{text:?}"
        );
    }
    assert_eq!(event.log.len(), before);
}
