//! `generate`: the same bytes again, what it writes agrees with `verify-pairings`, exit codes.

use serde_json::Value;

use crate::support::Place;

#[test]
fn the_same_flags_give_the_same_bytes() {
    let place = Place::new();
    let flags = [
        "generate",
        "--players",
        "14",
        "--rounds",
        "5",
        "--rng-seed",
        "8",
        "--draw-rate",
        "12.5",
    ];
    let ran = place.swissmatch(&flags);
    ran.expect_code(0);
    let to_file = [&flags[..], &["--output", "random.trf"]].concat();
    place.swissmatch(&to_file).expect_code(0);
    assert_eq!(ran.stdout(), place.read("random.trf"));
    let text = ran.stdout();
    assert!(
        text.starts_with("012 Random tournament 8\n062 14\n142 5\n152 "),
        "{text}"
    );
    assert_eq!(text.lines().filter(|line| line.starts_with("001 ")).count(), 14);
    let other = place.swissmatch(&["generate", "--players", "14", "--rounds", "5", "--rng-seed", "9"]);
    assert_ne!(text, other.stdout());
}

/// Whatever is asked for, the file has all that pairing it again needs, but for the keys that no record has.
#[test]
fn what_was_generated_verifies() {
    let place = Place::new();
    let absences = [
        "--forfeit-rate",
        "4",
        "--double-forfeit-rate",
        "2",
        "--half-point-bye-rate",
        "5",
        "--zero-point-bye-rate",
        "5",
        "--late-entry-rate",
        "15",
        "--withdrawal-rate",
        "15",
    ];
    let kinds: [(&[&str], &[&str]); 7] = [
        (&[], &[]),
        (&["--points", "3-1-0"], &[]),
        (&["--baku", "--points", "2-1-0"], &[]),
        (&["--forbidden", "9", "--initial-color", "black"], &[]),
        (&["--edition", "2017"], &[]),
        (&[], &["--color", "ignore"]),
        (&[], &["--tpn-parity", "listed"]),
    ];
    for (number, (own, shared)) in kinds.into_iter().enumerate() {
        let name = format!("{number}.trf");
        let size = ["--players", "23", "--rounds", "6", "--rng-seed", "77"];
        place.generated(&name, &[&size, &absences[..], own, shared].concat());
        let ran = place.swissmatch(&[&["verify-pairings", &name], shared].concat());
        ran.expect_code(0);
        assert!(
            ran.stdout().ends_with("6 of 6 rounds agree\n"),
            "{own:?}: {}",
            ran.stdout()
        );
        assert_eq!(ran.stderr(), "", "{own:?} {shared:?}");
    }
}

#[test]
fn a_thousand_players_are_no_trouble() {
    let place = Place::new();
    place.generated("large.trf", &["--players", "1000", "--rounds", "9"]);
    let ran = place.swissmatch(&["verify-pairings", "large.trf"]);
    ran.expect_code(0);
    assert!(ran.stdout().ends_with("9 of 9 rounds agree\n"), "{}", ran.stdout());
}

#[test]
fn a_round_without_a_pairing_is_exit_1_with_seed_and_round() {
    let place = Place::new();
    let flags = [
        "generate",
        "--players",
        "4",
        "--rounds",
        "5",
        "--rng-seed",
        "3",
        "--output",
        "four.trf",
    ];
    let ran = place.swissmatch(&flags);
    ran.expect_code(1);
    assert!(
        ran.stderr()
            .starts_with("swissmatch: seed 3: round 4 cannot be paired: "),
        "{}",
        ran.stderr()
    );
    assert!(!place.path("four.trf").exists());
    place
        .swissmatch(&[&flags[..], &["--stop-early"]].concat())
        .expect_code(0);
    let ran = place.swissmatch(&["verify-pairings", "four.trf"]);
    ran.expect_code(0);
    assert!(ran.stdout().ends_with("3 of 3 rounds agree\n"), "{}", ran.stdout());
}

#[test]
fn many_files_have_seeds_one_after_the_other() {
    let place = Place::new();
    let size = ["generate", "--players", "7", "--rounds", "3"];
    let many = ["--rng-seed", "40", "--count", "3", "--output-dir", "new/many", "--json"];
    let ran = place.swissmatch(&[&size[..], &many].concat());
    ran.expect_code(0);
    for seed in ["40", "41", "42"] {
        let one = place.swissmatch(&[&size[..], &["--rng-seed", seed]].concat());
        assert_eq!(one.stdout(), place.read(&format!("new/many/random-{seed}.trf")));
    }
    let printed: Value = serde_json::from_str(&ran.stdout()).expect("JSON");
    insta::assert_snapshot!(format!("{:#}", printed["files"][1]), @r#"
    {
      "file": "new/many/random-41.trf",
      "players": 7,
      "rng_seed": 41,
      "rounds": 3,
      "rounds_paired": 3,
      "stopped": null
    }
    "#);
    assert_eq!(printed["files"].as_array().map(Vec::len), Some(3));
    let ran = place.swissmatch(&[&size[..], &many].concat());
    ran.expect_code(4);
    assert!(ran.stderr().contains("is there already"), "{}", ran.stderr());
}

#[test]
fn some_of_many_may_have_no_pairing() {
    let place = Place::new();
    let flags = [
        "generate",
        "--players",
        "6",
        "--rounds",
        "4",
        "--count",
        "30",
        "--output-dir",
        "six",
        "--json",
    ];
    let ran = place.swissmatch(&flags);
    ran.expect_code(1);
    let printed: Value = serde_json::from_str(&ran.stdout()).expect("JSON");
    let files = printed["files"].as_array().expect("a list");
    let (whole, stopped): (Vec<&Value>, Vec<&Value>) = files.iter().partition(|file| file["stopped"].is_null());
    assert!(
        !whole.is_empty() && !stopped.is_empty(),
        "{} and {}",
        whole.len(),
        stopped.len()
    );
    for file in whole {
        assert!(place.path(file["file"].as_str().expect("a path")).is_file());
    }
    for file in stopped {
        assert_eq!(file["file"], Value::Null);
        assert_eq!(
            file["stopped"]["round"].as_u64(),
            file["rounds_paired"].as_u64().map(|rounds| rounds + 1)
        );
        assert!(
            file["stopped"]["reason"]
                .as_str()
                .is_some_and(|reason| reason.contains("absolute criteria"))
        );
    }
}

#[test]
fn impossible_wishes_are_exit_4() {
    let place = Place::new();
    place.write("there.trf", "mine");
    for (flags, said) in [
        (
            &["--players", "0", "--rounds", "3"][..],
            "players: 0 is not from 1 to 9999",
        ),
        (
            &["--players", "9", "--rounds", "1000"],
            "rounds: 1000 is not from 1 to 999",
        ),
        (&["--players", "9"], "--rounds"),
        (&["--players", "9", "--rounds", "3", "--draw-rate", "101"], "percentage"),
        (&["--players", "9", "--rounds", "3", "--points", "1-0"], "three numbers"),
        (
            &["--players", "9", "--rounds", "3", "--points", "0-1-2"],
            "write the highest first",
        ),
        (
            &["--players", "9", "--rounds", "3", "--forbidden", "37"],
            "forbidden pairs: 37 is not from 0 to 36",
        ),
        (
            &["--players", "9", "--rounds", "3", "--lowest-rating", "3000"],
            "the lowest rating: 3000",
        ),
        (&["--players", "9", "--rounds", "3", "--count", "2"], "--output-dir"),
        (&["--players", "9", "--rounds", "3", "--json"], "--output"),
        (
            &["--players", "9", "--rounds", "3", "--output", "there.trf"],
            "there.trf is there already",
        ),
        // 99.9 is the largest number of points that a file can hold.
        (
            &["--players", "90", "--rounds", "3", "--points", "90-45-0"],
            "the points",
        ),
    ] {
        let ran = place.swissmatch(&[&["generate"], flags].concat());
        ran.expect_code(4);
        assert!(ran.stderr().contains(said), "{flags:?}: {}", ran.stderr());
        assert_eq!(ran.stdout(), "", "{flags:?}");
    }
    assert_eq!(place.read("there.trf"), "mine");
}
