//! "Until the first game of that play-off begins a result may still be corrected": what was drawn is void then, and is drawn
//! again. And an event that the arbiter ends.

use std::collections::BTreeSet;
use swissmatch::tournament::ranking::final_places;
use swissmatch::tournament::ties::event_is_over;

use jiff::{SignedDuration, Timestamp};

use swissmatch::game::termination::Outcome;
use swissmatch::report::{minutes, parts, playoff, prizes, summary};
use swissmatch::tournament::arbiter::Command;
use swissmatch::tournament::arbiter::decide::decide;
use swissmatch::tournament::arbiter::remedies::remedies;
use swissmatch::tournament::director::{self, Coming};
use swissmatch::tournament::log::{Act, ArbiterActed, Entry, Later};
use swissmatch::tournament::playoff::stand::Due;
use swissmatch::tournament::state::State;
use swissmatch::tournament::ties;
use swissmatch::tournament::timetable::Timetable;
use swissmatch::tournament::waiting::{self, AwaitedPlay, Ends};

use super::{Played, game, player, setup};

use Outcome::{BlackWins, Draw, WhiteWins};

const STAGES: &str = "[playoff]\nplaces = [1]\nnumbers = \"lot\"\nstart_after = \"15m\"\n\
    stages = [{ kind = \"round-robin\", two = \"1s/move\", more = \"1s/move\" }, \
    { kind = \"armageddon\", white = \"1s/move\", black = \"1s/move\", colors = \"lot\" }]\n";

fn all_play_all(playoff: &str, players: usize) -> Played {
    let keys = format!(
        "[swiss]\nrounds = \"RR\"\n[mini_match]\ngames = 1\nopenings = \"none\"\n[standings]\norder = [\"match-points\"]\n{playoff}"
    );
    let mut event = Played::new(setup("none", &keys, players));
    let rounds = event.state.created().rounds;
    for _ in 0..rounds {
        assert!(event.advance().expect("a pairing"));
        event.play_so(|_, _| Draw);
    }
    event
}

fn due(event: &Played) -> Due {
    ties::at_the_end(&event.state).map_or(Due::Nothing, |playoffs| playoffs.stand.due)
}

fn lots(event: &Played) -> Vec<String> {
    let lots = event.state.lots().iter();
    lots.map(|lot| lot.purpose.to_string()).collect()
}

fn won(event: &mut Played, outcome: Outcome) -> Result<(), String> {
    let act = Act::SetResult {
        game: game(1, 1, 1),
        outcome,
    };
    event.act(act).map_err(|refused| refused.to_string())
}

#[test]
fn what_was_drawn_is_void_and_drawn_again() {
    let mut event = all_play_all(STAGES, 2);
    assert!(event.advance().expect("lots"));
    let first = "play-off: round 1, places 1-2, contest 1, numbers of group 1";
    assert_eq!(lots(&event), [first]);
    assert!(event.advance().expect("a round of the play-off"));
    assert_eq!(event.state.rounds()[0].playoffs.len(), 1);

    // It is none after all: the two are not level.
    won(&mut event, WhiteWins).expect("no game of the play-off has begun");
    assert_eq!((lots(&event).len(), event.state.rounds()[0].playoffs.len()), (0, 0));
    assert_eq!(event.state.void_lots().len(), 1, "what was drawn stays in the log");
    assert!(event_is_over(&event.state), "nobody is tied");
    let minutes = event.minutes();
    assert!(
        minutes[0].effect[0]
            .ends_with("Whatever was drawn, paired or decided for the play-off is void, and is done again."),
        "{minutes:?}"
    );

    won(&mut event, Draw).expect("nothing rests on it");
    assert!(event.advance().expect("lots"));
    assert_eq!(lots(&event), [format!("{first}, drawing 2")]);
    let told = playoff::markdown(&event.state).expect("a play-off");
    assert!(told.contains(&format!("Void: lot \"{first}\": ")), "{told}");
    assert!(
        playoff::json(&event.state)
            .expect("a play-off")
            .contains("\"void_lots\"")
    );

    // The log folds to the same, and its lots are those that the purposes draw.
    let folded = State::fold(&event.log).expect("a log");
    assert_eq!(folded, event.state);

    assert!(event.advance().expect("a round of the play-off"));
    let id = event.due().expect("its first game");
    event.finish(id, Draw);
    let refused = won(&mut event, BlackWins).expect_err("the play-off has begun");
    assert_eq!(refused, "a play-off rests on the result of game 1.1.1");
    event.play_so(|_, _| Draw);
    event.play_all(|_, _| Draw);
    assert!(event_is_over(&event.state));
}

#[test]
fn a_play_off_that_is_being_played_has_begun() {
    let mut event = all_play_all(STAGES, 2);
    while event.due().is_none() {
        assert!(event.advance().expect("the play-off"));
    }
    let under_way = BTreeSet::from([event.due().expect("a game")]);
    let act = Act::SetResult {
        game: game(1, 1, 1),
        outcome: WhiteWins,
    };
    let command = Command::Act(ArbiterActed {
        act,
        by: "the arbiter".to_owned(),
        reason: "a test".to_owned(),
        overruled: Vec::new(),
    });
    decide(&event.state, &under_way, &command).expect_err("its first game has begun");
    decide(&event.state, &BTreeSet::new(), &command).expect("it has not");
}

/// The coin of the Armageddon is drawn on the games before it.
#[test]
fn a_later_drawing_leaves_the_earlier_one() {
    let mut event = all_play_all(STAGES, 2);
    while event.due().is_none() {
        assert!(event.advance().expect("the play-off"));
    }
    let first = event.due().expect("a game");
    event.play_so(|_, _| Draw);
    assert!(event.advance().expect("a coin"));
    assert_eq!(lots(&event).len(), 2);
    let act = |outcome| Act::SetResult { game: first, outcome };
    event.act(act(WhiteWins)).expect("the Armageddon has not begun");
    assert_eq!(lots(&event).len(), 1, "the numbers stay");
    assert!(event_is_over(&event.state), "one has won the mini-match");
    event.act(act(Draw)).expect("nothing rests on it");
    assert!(event.advance().expect("a coin"));
    assert!(
        lots(&event)[1].ends_with("coin of game 1.1, drawing 2"),
        "{:?}",
        lots(&event)
    );
}

#[test]
fn a_play_off_without_a_game_may_be_corrected_after_it() {
    let mut event = all_play_all("[playoff]\nplaces = [1]\nstages = []\n", 2);
    let tie = ties::at_the_end(&event.state).expect("two are level").ties[0].key;
    event.decide(tie, vec![vec![player(2)], vec![player(1)]]);
    assert!(event_is_over(&event.state));
    won(&mut event, WhiteWins).expect("no game was needed");
    assert!(event_is_over(&event.state) && event.state.decisions().is_empty());
    won(&mut event, Draw).expect("nothing rests on it");
    assert_eq!(due(&event), Due::Decision, "the arbiter is asked again");
}

fn at(text: &str) -> Timestamp {
    text.parse().expect("an instant")
}

/// What is waited for by a log, all of whose events were kept a minute after the one before.
fn waits(event: &Played, now: Timestamp) -> Option<(AwaitedPlay, Timestamp)> {
    let start = at("2026-11-21T18:00:00Z");
    let mut ends = Ends::default();
    let mut state = State::fold(&event.log[..1]).expect("an event of its own");
    for (minutes, logged) in (1..).zip(&event.log[1..]) {
        let at = start + SignedDuration::from_mins(minutes);
        ends.apply(&mut state, logged, at).expect("a log");
    }
    let coming = director::coming(&state);
    assert!(matches!(coming, Coming::Playoffs(_)));
    let (awaited, plan) = waiting::plan(&state, &coming, ends, now)?;
    Some((awaited, plan.pair))
}

#[test]
fn lots_are_drawn_at_the_end_of_the_wait_which_a_correction_begins_anew() {
    let now = at("2026-11-21T19:00:00Z");
    let mut event = all_play_all(STAGES, 3);
    assert!(matches!(due(&event), Due::Lots(_)));
    // Three rounds with a game each: the last one ended in the sixth minute.
    let wait = |minutes: i64| at("2026-11-21T18:00:00Z") + SignedDuration::from_mins(minutes + 15);
    assert_eq!(waits(&event, now), Some((AwaitedPlay::Playoff, wait(6))));
    // Another result changes who is tied, and its correction does so again.
    won(&mut event, WhiteWins).expect("nothing rests on it");
    won(&mut event, Draw).expect("nothing rests on it");
    assert_eq!(waits(&event, now), Some((AwaitedPlay::Playoff, wait(8))));
    // Who is tied stays: 0-0 and a void game are not the same, but a pause is nothing.
    event.act(Act::Pause).expect("it goes on");
    assert_eq!(waits(&event, now), Some((AwaitedPlay::Playoff, wait(8))));
}

#[test]
fn the_same_day_is_that_of_the_time_zone() {
    let setup = setup(
        "none",
        "[schedule]\ntime_zone = \"America/New_York\"\n[playoff]\nplaces = [1]\n",
        2,
    );
    let table = Timetable::from(&setup);
    let ended = Some(at("2026-11-21T23:50:00Z"));
    assert_eq!(
        table.later(ended, at("2026-11-22T00:10:00Z")),
        None,
        "it is evening there"
    );
    let later = table.later(ended, at("2026-11-22T05:10:00Z")).expect("a new day there");
    let day = |text: &str| text.parse().expect("a day");
    assert_eq!(
        later,
        Later {
            ended: day("2026-11-21"),
            begun: day("2026-11-22")
        }
    );
    assert_eq!(
        table.later(None, at("2026-11-22T05:10:00Z")),
        None,
        "of a tour nothing is asked"
    );

    let mut event = all_play_all(STAGES, 2);
    assert!(event.advance().expect("lots"));
    let Ok(director::Next::Entries(mut events)) = director::next(&event.state, super::TODAY) else {
        panic!("a play-off");
    };
    let Entry::PlayoffPaired(paired) = &mut events[0] else {
        panic!("a play-off");
    };
    paired.later = Some(later);
    event.add(events.remove(0));
    let told = playoff::markdown(&event.state).expect("a play-off");
    assert!(
        told.contains("Warning: the play-off began on 2026-11-22, and the last game ended on 2026-11-21: it should be"),
        "{told}"
    );
}

#[test]
fn an_event_ends_with_the_rounds_it_has() {
    let keys = format!(
        "[swiss]\nrounds = 5\n[mini_match]\ngames = 1\nopenings = \"none\"\n[standings]\norder = [\"match-points\"]\n\
         [prizes]\nby_place = [100, 50]\n{STAGES}"
    );
    let mut event = Played::new(setup("none", &keys, 6));
    let refused = event.act(Act::End).expect_err("nothing has been played").to_string();
    assert_eq!(refused, "no round has been paired yet, so there is nothing to count");
    event.round();
    assert!(event.advance().expect("a pairing"));
    event.act(Act::End).expect("round 2 is being played");
    assert!(!event.state.rounds_are_over());
    event.play_so(|_, _| Draw);
    assert!(event.state.rounds_are_over(), "it is not paired again");
    let refused = event.act(Act::End).expect_err("it has ended").to_string();
    assert_eq!(refused, "the event already ends after round 2, by order of the arbiter");
    for late in [
        Act::Withdraw { player: player(1) },
        Act::Absent {
            player: player(1),
            round: 3,
        },
    ] {
        event.act(late).expect_err("there is no further round");
    }
    // Play-offs follow, and prizes.
    assert!(matches!(due(&event), Due::Lots(_)));
    event.play_all(|white, black| if white < black { WhiteWins } else { BlackWins });
    assert!(event_is_over(&event.state));
    assert_eq!(final_places(&event.state).winner, Some(player(1)));
    let told: serde_json::Value = serde_json::from_str(&prizes::json(&event.state)).expect("JSON");
    assert_eq!((&told["winner"], &told["given"]), (&"A".into(), &150.into()));
    let page = parts::standings(&event.state, 2).text(None);
    assert!(page.starts_with("event: final standings after 2 of 5 rounds"), "{page}");
    assert!(
        page.contains("Ended after round 2 of 5 by the arbiter: a test."),
        "{page}"
    );
    let summary = summary::text(&event.state, None);
    assert!(
        summary.contains("2 of 5 rounds are over; 6 of 6 games in all"),
        "{summary}"
    );
    assert!(minutes::text(&event.state, &event.minutes()).contains("ended the event with the rounds it has."));
    assert_eq!(State::fold(&event.log).expect("a log"), event.state);
}

#[test]
fn the_acts_that_would_allow_a_pairing_are_found() {
    let keys = "[swiss]\nrounds = 3\npairing = \"dutch\"\ncolor = \"first-game\"\n[mini_match]\ngames = 1\nopenings = \"none\"\n";
    let mut event = Played::new(setup("none", keys, 4));
    event.round();
    let [first, other] = [0, 1].map(|board| event.state.rounds()[0].pairing.pairs[board]);
    for absent in [other.white, other.black] {
        event
            .act(Act::Absent {
                player: absent,
                round: 2,
            })
            .expect("it is to come");
    }
    event.advance().expect_err("the two have met");
    let found = remedies(&event.state);
    let [white, black] = [first.white, first.black];
    // With one of them back three are there, of whom two have not met; and one alone has the bye.
    let back = |player| Act::Present { player, round: 2 };
    assert!(
        found.contains(&back(other.white)) && found.contains(&back(other.black)),
        "{found:?}"
    );
    let gives = |player| {
        let is_it = |act: &&Act| matches!(act, Act::AwardBye { player: of, .. } if *of == player);
        found.iter().any(|act| is_it(&act))
    };
    assert!(gives(white) && gives(black), "{found:?}");
    for act in found {
        let mut tried = Played {
            log: event.log.clone(),
            state: event.state.clone(),
        };
        tried.act(act).expect("possible");
        assert!(tried.advance().expect("a pairing"));
    }
    event.act(Act::End).expect("or it ends");
    assert!(event_is_over(&event.state));
}
