//! Builds of a league that are at fault: that crash, give an alarm, do not start or cannot be built.

use serde_json::Value;

use crate::league::{Checkout, change, json, league, night, nights, said};
use crate::support::{Place, engine, junit_cases as junit};

/// The build `main` as the file of a night has it, whose name has this.
fn of_main(place: &Place, name: &str) -> Value {
    let mut nights = nights(place).into_iter();
    let night = nights.find(|night| night.contains(name)).expect("it was played");
    let stored = json(place, &format!("{night}/league.json"));
    let mut builds = stored["builds"].as_array().into_iter().flatten();
    builds.find(|build| build["name"] == "main").expect("main").clone()
}

/// A build that crashes is at fault; the others' games go on.
#[test]
fn a_planted_crash_is_a_fault() {
    let place = Place::new();
    let checkout = Checkout::new(&place);
    league(&place, &engine("fault-agent"), "");
    change(&place, "nodes=300", "5s/move");
    checkout.commit(&format!("{} --fault exit --at 12", engine("fault-agent")));
    let (out, _) = said(&night(&place, &["--junit", "j.xml"], &[]), 3);
    assert!(out.contains("main lost ") && out.contains(" by a fault"), "{out}");
    let cases = junit(&place, "j.xml");
    assert!(
        cases
            .iter()
            .any(|case| case[0] == "main: faults" && case[1] == "failure"),
        "{cases:?}"
    );
    // Shown again, it is still at fault.
    said(&night(&place, &[], &[]), 3);
}

/// A line of a sanitizer is a fault, though the game goes on.
#[test]
fn a_planted_sanitizer_line_is_a_fault() {
    let place = Place::new();
    let checkout = Checkout::new(&place);
    league(&place, &engine("fault-agent"), "");
    let text = place.read("league/LEAGUE.toml");
    let few = text.replace("nodes=300", "5s/move").replace("games = 40", "games = 4");
    place.write("league/LEAGUE.toml", &few);
    checkout.commit(&format!("{} --fault alarm --at 12", engine("fault-agent")));
    let (out, _) = said(&night(&place, &["--junit", "j.xml"], &[]), 3);
    assert!(
        out.contains("main gave an alarm in 4 of its 4 games.") && out.contains("Alarms"),
        "{out}"
    );
    let main = of_main(&place, "");
    assert_eq!(
        (&main["faults"], &main["alarms"], &main["too_many_faults"]),
        (&0.into(), &4.into(), &true.into())
    );
    let cases = junit(&place, "j.xml");
    assert!(
        cases
            .iter()
            .any(|case| case[0] == "main: faults" && case[1] == "failure"),
        "{cases:?}"
    );
}

/// A build that cannot be built is told, and the others play.
#[test]
fn a_broken_build_is_left_out() {
    let place = Place::new();
    let checkout = Checkout::new(&place);
    let other = format!(
        "[[build]]\nname = \"2.0\"\nmain = true\npath = \"{}\"\n",
        engine("alphabeta")
    );
    league(&place, &engine("alphabeta"), &other);
    checkout.commit(&engine("alphabeta"));
    let text = place.read("league/LEAGUE.toml");
    let broken = text.replace("cp rook $OUT && chmod 755 $OUT", "echo no such piece >&2; exit 7");
    place.write("league/LEAGUE.toml", &broken);
    let (out, err) = said(&night(&place, &["--junit", "j.xml"], &[]), 3);
    let why = "main did not play: commit ";
    assert!(
        out.contains(why) && out.contains("ended with exit code 7: no such piece"),
        "{out}"
    );
    assert!(err.contains("main does not play: "), "{err}");
    assert!(out.contains("2.0") && out.contains("1.0"), "{out}");
    let cases = junit(&place, "j.xml");
    assert!(
        cases
            .iter()
            .any(|case| case[0] == "main: program" && case[1] == "failure"),
        "{cases:?}"
    );
    // One that puts no program there is broken as well; where nobody is left, nothing is played.
    place.write(
        "league/LEAGUE.toml",
        &text
            .replace("cp rook $OUT && chmod 755 $OUT", "true")
            .replace(&other, ""),
    );
    let files = ["--junit", "none.xml", "--summary", "none.md"];
    let none = night(
        &place,
        &[&["--night", "none"][..], &files].concat(),
        &[("GITHUB_ACTIONS", "true")],
    );
    let (_, err) = said(&none, 3);
    assert!(err.contains("the command put no program at $OUT"), "{err}");
    assert!(
        err.contains("::error title=league%3A a build is at fault::there are fewer than two builds to play"),
        "{err}"
    );
    let cases = junit(&place, "none.xml");
    assert_eq!(cases[0][..2], ["start", "failure"], "{cases:?}");
    assert!(cases[0][3].contains("main does not play: "), "{cases:?}");
    let summary = place.read("none.md");
    assert!(
        summary.starts_with("## League: a build is at fault\n") && summary.contains("main does not play: "),
        "{summary}"
    );
    // What a process left that was killed while it built goes.
    let builds = std::fs::read_dir(place.path("league/builds")).expect("builds");
    let left = builds.flatten().map(|build| build.path().join(".tree.99999999"));
    let left: Vec<_> = left.collect();
    for tree in &left {
        std::fs::create_dir(tree).expect("a tree");
    }
    let (out, _) = said(&night(&place, &["--night", "none", "--json"], &[]), 3);
    assert_eq!((left.len(), left.iter().filter(|tree| tree.exists()).count()), (2, 1));
    let last: Value = serde_json::from_str(out.lines().last().expect("a line")).expect("JSON");
    assert_eq!((&last["type"], &last["exit_code"]), (&"refused".into(), &3.into()));
}

/// If a commit cannot be built, an older one stands in where the file says so, at night and in a gate, and a warning says which.
#[test]
fn an_older_commit_stands_in_for_a_broken_one() {
    let place = Place::new();
    let checkout = Checkout::new(&place);
    let before = "[[build]]\nname = \"before\"\ncheckout = \"../rook\"\ncommit = \"HEAD^\"\nmake = \"cp rook $OUT && chmod 755 $OUT\"\n";
    let gate = "[gate]\nnew = \"main\"\nold = \"before\"\nmax_games = 4\ninconclusive = \"pass\"\n";
    league(&place, &engine("greedy"), &format!("{before}\n{gate}"));
    change(&place, "games = 40", "games = 4");
    let good = checkout.commit(&engine("alphabeta"));
    checkout.git(&["rm", "--quiet", "rook"]);
    checkout.git(&["commit", "--quiet", "-m", "broken"]);
    let broken = checkout.git(&["rev-parse", "HEAD"]);
    checkout.commit(&engine("greedy"));
    let of_gate = || place.swissmatch(&["gate", "league/LEAGUE.toml"]);
    let [good, broken] = [&good, &broken].map(|hash| &hash[..8]);
    let why = format!("commit {broken} was not built: the command ended with exit code 1");
    let (out, _) = said(&night(&place, &["--night", "one"], &[]), 3);
    assert!(out.contains(&format!("before did not play: {why}")), "{out}");
    let refused = of_gate();
    refused.expect_code(3);
    assert!(refused.stderr().contains(&why), "{}", refused.stderr());
    change(&place, "commit = \"HEAD^\"", "commit = \"HEAD^\"\nfall_back = 5");
    let taken = format!("; commit {good} is taken instead");
    let of_night = said(&night(&place, &["--night", "two"], &[("GITHUB_ACTIONS", "true")]), 0);
    assert!(
        of_night.0.contains(&format!("before: {why}"))
            && of_night
                .1
                .contains(&format!("::warning title=an older commit plays::before: {why}")),
        "{of_night:?}"
    );
    for (out, err) in [of_night, {
        let played = of_gate();
        played.expect_code(0);
        (played.stdout(), played.stderr())
    }] {
        assert!(
            err.contains(&format!("warning: before: {why}")) && err.contains(&taken),
            "{out}\n{err}"
        );
    }
    let stored = json(
        &place,
        &format!("{}/league.json", nights(&place).last().expect("a night")),
    );
    let builds = stored["builds"].as_array().expect("builds");
    assert!(
        builds
            .iter()
            .any(|build| build["name"] == "before" && build["version"] == good),
        "{stored}"
    );
    // None of them can be built.
    change(
        &place,
        "fall_back = 5\nmake = \"cp rook $OUT && chmod 755 $OUT\"",
        "fall_back = 5\nmake = \"exit 9\"",
    );
    let (out, _) = said(&night(&place, &["--night", "three"], &[]), 3);
    assert!(
        out.contains("ended with exit code 9 (") && out.contains("), nor was the one before it."),
        "{out}"
    );
}

/// A build that does not start is at fault, and not rated for it: it is not weak, and on the next night its games are played.
#[test]
fn a_build_that_does_not_start_is_not_rated() {
    let place = Place::new();
    let checkout = Checkout::new(&place);
    league(&place, &engine("greedy"), "");
    change(&place, "games = 40", "games = 10");
    checkout.commit(&engine("alphabeta"));
    said(&night(&place, &["--night", "one"], &[]), 0);
    checkout.commit("sh -c 'echo librook.so is missing >&2; exit 127'");
    let args = ["--night", "two", "--junit", "j.xml"];
    let (out, err) = said(&night(&place, &args, &[("GITHUB_ACTIONS", "true")]), 3);
    assert!(
        err.contains("main does not start: it ended before it was ready (it printed last: librook.so is missing)"),
        "{err}"
    );
    assert!(
        err.contains("::error title=a build is at fault::main lost 10 of its 10 games by a fault"),
        "{err}"
    );
    for sentence in [
        "10 games are not rated: a fault ended them before both sides had made a move.",
        "No change is marked: there is no game that can be rated.",
    ] {
        assert!(out.contains(sentence), "{out}");
    }
    let main = of_main(&place, "two");
    assert!(main["rating"].is_null() && main["change"].is_null(), "{main}");
    let cases = junit(&place, "j.xml");
    let of = |name: &str| cases.iter().find(|case| case[0] == name).expect("a case");
    assert_eq!(of("main: faults")[2], "main did not start in any of its 10 games");
    let [_, end, message, told] = of("main – 1.0");
    assert_eq!(
        (end.as_str(), message.as_str()),
        ("failure", "10 games ended by a fault")
    );
    assert!(told.contains("Start failed: "), "{told}");
    // It starts again, and is compared with the last one that did.
    checkout.commit(&format!("{} # again", engine("alphabeta")));
    said(&night(&place, &["--night", "three"], &[]), 0);
    let main = of_main(&place, "three");
    assert_eq!(
        (&main["change"]["since"], &main["change"]["marked"]),
        (&"one".into(), &false.into())
    );
}

/// Where nobody starts nothing is said of strength.
#[test]
fn a_night_in_which_nobody_starts_says_so() {
    let place = Place::new();
    let checkout = Checkout::new(&place);
    checkout.commit("true");
    league(&place, "false", "");
    change(&place, "games = 40", "games = 10");
    let (out, _) = said(&night(&place, &["--junit", "j.xml"], &[]), 3);
    for sentence in [
        "main lost 10 of its 10 games by a fault.",
        "1.0 lost 10 of its 10 games by a fault.",
        "10 games are not rated: a fault ended them before both sides had made a move.",
    ] {
        assert!(out.contains(sentence), "{out}");
    }
    assert!(!out.contains("earlier nights"), "{out}");
    let cases = junit(&place, "j.xml");
    let of_match = cases.iter().find(|case| case[0] == "main – 1.0").expect("a case");
    assert_eq!(of_match[2], "10 games ended by a fault");
}

/// A program that is missing is told at the build that names it.
#[test]
fn a_missing_program_is_told_at_its_build() {
    let place = Place::new();
    let checkout = Checkout::new(&place);
    checkout.commit(&engine("alphabeta"));
    league(&place, &engine("alphabeta"), "");
    std::fs::remove_file(place.path("league/released/rook-1.0")).expect("it was there");
    let (_, err) = said(&night(&place, &[], &[]), 4);
    let line = place
        .read("league/LEAGUE.toml")
        .lines()
        .position(|line| line == "name = \"1.0\"")
        .expect("a build");
    assert!(
        err.contains(&format!("league/LEAGUE.toml:{line}:1: build.path: ")) && err.contains("rook-1.0"),
        "{err}"
    );
}
