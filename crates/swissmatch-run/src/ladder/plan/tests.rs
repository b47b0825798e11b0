//! Pairs as they follow from ratings, meetings and rounds that were sat out.

use super::*;
use swiss_system::pairing::history::PairingNumber;
use swissmatch_report::nights::{Night, NightBuild, NightEnd, VERSION};
use swissmatch_tournament::noise::Noise;
use swissmatch_tournament::setup::{Contract, SubmissionId};

fn players(names: &[&str]) -> Vec<PlayerKeys> {
    let player = |name: &&str| PlayerKeys {
        name: (*name).to_owned(),
        ..PlayerKeys::default()
    };
    names.iter().map(player).collect()
}

fn rated(rating: i32) -> Option<LadderRating> {
    Some(LadderRating {
        rating,
        error: 50,
        games: 20,
        provisional: false,
    })
}

/// A round in which these were paired, White first, and these others sat out.
fn round(number: u32, pairs: &[[&str; 2]], out: &[&str]) -> Night {
    let names: Vec<&str> = pairs.iter().flatten().chain(out).copied().collect();
    let place = |name: &str| {
        names
            .iter()
            .position(|of| *of == name)
            .and_then(|at| u16::try_from(at).ok())
    };
    Night {
        version: VERSION,
        run: format!("run {number}"),
        name: format!("round {number}"),
        dir: number.to_string(),
        began: jiff::Timestamp::from_second(i64::from(number) * 3600).expect("a time"),
        machine: String::new(),
        ended: NightEnd::Complete,
        noise: Noise::default(),
        by_time: true,
        conditions: String::new(),
        builds: names
            .iter()
            .map(|name| NightBuild::new(name, format!("{name} 1")))
            .collect(),
        broken: Vec::new(),
        changes: Vec::new(),
        pairs: pairs
            .iter()
            .map(|pair| pair.map(|name| place(name).expect("it is there")))
            .collect(),
        games: Vec::new(),
    }
}

/// The pairs that an order gives, White first, as C.04.3 has the first round; and who sits out.
fn pairs(history: &History, names: &[&str], ratings: &[Option<LadderRating>]) -> (Vec<[String; 2]>, Option<String>) {
    let mut setup = Setup::default();
    setup.ladder.fixed.insert("F".to_owned(), 1500);
    let players = players(names);
    let order = order(history, &setup, &players, ratings, 9);
    let half = order.len() / 2;
    let name = |number: PairingNumber| players[order[number.index()]].name.clone();
    let pairs = (0..half).map(|board| {
        let pair = [board, board + half].map(|at| name(PairingNumber::from_index(at)));
        let [one, other] = pair;
        if board % 2 == 0 { [one, other] } else { [other, one] }
    });
    let out = (order.len() % 2 == 1).then(|| players[order[order.len() - 1]].name.clone());
    (pairs.collect(), out)
}

#[test]
fn neighbours_meet_white_goes_to_whoever_had_it_less_and_whoever_sat_out_least_sits_out() {
    let history = {
        let mut history = History::default();
        history.add(round(1, &[["A", "C"], ["B", "D"]], &["E"]));
        history.add(round(2, &[["A", "E"], ["C", "D"]], &["B"]));
        history
    };
    let ratings = [2000, 1900, 1800, 1700, 1600].map(rated);
    let (paired, out) = pairs(&history, &["A", "B", "C", "D", "E"], &ratings);
    // A, C and D have not sat out; D is the lowest of them. A and C met, so did A and E.
    assert_eq!(out.as_deref(), Some("D"));
    let mut together: Vec<[String; 2]> = paired.clone();
    together.iter_mut().for_each(|pair| pair.sort());
    together.sort();
    assert_eq!(together, [["A", "B"], ["C", "E"]].map(|pair| pair.map(str::to_owned)));
    // A had White twice; of C and E neither.
    assert!(
        paired.iter().any(|pair| *pair == ["B".to_owned(), "A".to_owned()]),
        "{paired:?}"
    );
}

#[test]
fn whoever_is_fixed_sits_out_first_and_a_new_one_is_taken_to_be_in_the_middle() {
    let ratings = [rated(2000), None, rated(1600), rated(1400), rated(1500)];
    let (mut paired, out) = pairs(&History::default(), &["A", "B", "C", "D", "F"], &ratings);
    assert_eq!(out.as_deref(), Some("F"));
    paired.iter_mut().for_each(|pair| pair.sort());
    paired.sort();
    assert_eq!(paired, [["A", "C"], ["B", "D"]].map(|pair| pair.map(str::to_owned)));
}

#[test]
fn the_same_bytes_are_the_same_version_whenever_they_come() {
    let mut setup = Setup::default();
    setup.submissions.contract = Some(Contract::GetMove);
    let of = |archive: &str, number: u64, setup: &Setup| {
        let player = PlayerKeys {
            name: "A".to_owned(),
            command: "python3".to_owned(),
            args: vec![format!("versions/{number}/agent.py")],
            move_command: vec!["python3".to_owned(), format!("versions/{number}/agent.py")],
            keep_alive: true,
            says_ready: true,
            dir: Some(format!("versions/{number}")),
            submission: Some(SubmissionId {
                archive: archive.to_owned(),
                number,
            }),
            ladder: rated(i32::try_from(number).expect("small")),
            ..PlayerKeys::default()
        };
        build_of_submission(&player, setup)
    };
    assert_eq!(of("a", 1, &setup), of("a", 2, &setup));
    assert_ne!(of("a", 1, &setup), of("b", 1, &setup));
    let before = of("a", 1, &setup);
    setup.submissions.entry = Some("other.py".to_owned());
    assert_ne!(of("a", 1, &setup), before);
    assert_eq!(build_of_submission(&PlayerKeys::default(), &setup), None);
    // As it stands in the event file.
    let listed = PlayerKeys {
        name: "A".to_owned(),
        submission: Some(SubmissionId {
            archive: "a".to_owned(),
            number: 3,
        }),
        ..PlayerKeys::default()
    };
    assert_eq!(build_of_submission(&listed, &setup), of("a", 1, &setup));
    // What another player hands in is its own.
    let other = PlayerKeys {
        name: "B".to_owned(),
        ..listed
    };
    assert_ne!(build_of_submission(&other, &setup), of("a", 1, &setup));
}

#[test]
fn a_prompt_is_the_same_version_wherever_it_lies() {
    let mut setup = Setup::default();
    setup.submissions.contract = Some(Contract::Prompt);
    setup.submissions.model = Some("local:small".to_owned());
    let submission = SubmissionId {
        number: 1,
        archive: "a".repeat(64),
    };
    // As the event file has it, with what was handed in.
    let awaits = PlayerKeys {
        submission: Some(submission),
        ..players(&["A"]).remove(0)
    };
    let mut plays = awaits.clone();
    plays.model.clone_from(&setup.submissions.model);
    plays.model_keys.prompt = Some("results/event/submissions/1/prompt.jinja".to_owned());
    let build = build_of_submission(&plays, &setup);
    assert_eq!((build.is_some(), &build), (true, &build_of_submission(&awaits, &setup)));
    setup.submissions.model = Some("local:other".to_owned());
    assert_ne!(build, build_of_submission(&awaits, &setup));
}
