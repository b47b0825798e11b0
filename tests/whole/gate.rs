//! A gate as a job of continuous integration has it: from a clean folder with the built programs alone, its exit codes, and what it
//! leaves for whoever looks at the job.

use std::process::{Command, Output};

use serde_json::Value;

use crate::death::{cancelled, games_in_log};
use crate::support::{Place, engine, finish, junit_cases as cases, swissmatch};

/// What every gate here has: short games.
const GATE: [&str; 5] = ["gate", "--set", "game.max_moves=40", "--set", "engine.isolation=off"];

/// Two words of agents: a weak one and the one that it is measured against.
fn weak_and_strong() -> [String; 2] {
    let engine = engine("alphabeta");
    [
        format!("cmd={engine} name=New option.Skill=1"),
        format!("cmd={engine} name=Old"),
    ]
}

fn gate(place: &Place, new: &str, old: &str, more: &[&str], environment: &[(&str, &str)]) -> Output {
    // Games that are the same each time, unless something else is asked for.
    let time = if more.contains(&"--time") {
        &[][..]
    } else {
        &["--time", "nodes=300"]
    };
    let mut command = place.command(&[&GATE[..], &["--new", new, "--old", old], time, more].concat());
    for name in ["GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"] {
        command.env_remove(name);
    }
    command.envs(environment.iter().copied());
    finish(command.spawn().expect("it runs"))
}

#[track_caller]
fn said(output: &Output, code: i32) -> (String, String) {
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    assert_eq!(output.status.code(), Some(code), "{out}\n{err}");
    (out, err)
}

/// The only run there is.
fn run_of(place: &Place) -> String {
    let mut runs = runs_of(place);
    assert_eq!(runs.len(), 1, "{runs:?}");
    runs.remove(0)
}

/// The directories of all matches, while the first of them may still be on its way.
fn runs_of(place: &Place) -> Vec<String> {
    let runs = std::fs::read_dir(place.path("results")).into_iter().flatten().flatten();
    runs.map(|run| format!("results/{}", run.file_name().display()))
        .collect()
}

/// "`gate` fails a planted regression, and JUnit and summary say where". Nothing is played twice.
#[test]
fn a_regression_fails() {
    let place = Place::new();
    let [new, old] = weak_and_strong();
    place.write("page.md", "# Before\n");
    let page = place.path("page.md").display().to_string();
    let outputs = ["--junit", "j.xml", "--summary", "s.md"];
    let github = [("GITHUB_ACTIONS", "true"), ("GITHUB_STEP_SUMMARY", page.as_str())];
    let (out, err) = said(&gate(&place, &new, &old, &outputs, &github), 1);
    assert!(
        out.ends_with("gate failed: the test of [-5, 0] in normalized Elo accepted H0\n"),
        "{out}"
    );
    assert!(
        err.contains("\n::error title=gate failed::the test of [-5, 0] in normalized Elo accepted H0\n"),
        "{err}"
    );
    let run = run_of(&place);
    let cases = cases(&place, "j.xml");
    let [name, end, message, text] = &cases[0];
    assert_eq!(
        [name, end, message],
        ["sequential test", "failure", "the test accepted H0"]
    );
    assert!(text.contains("H0 accepted"), "{text}");
    assert!(cases[1..].iter().all(|case| case[1] == "passed"), "{cases:?}");
    assert_eq!(
        cases.iter().map(|case| case[0].as_str()).collect::<Vec<_>>()[1..],
        ["New: faults", "Old: faults", "New – Old"]
    );
    assert_eq!(place.read("j.xml"), place.read(&format!("{run}/gate.junit.xml")));
    let summary = place.read("s.md");
    assert!(
        summary.starts_with("## Gate failed: New-Old-") && summary.contains("accepted H0"),
        "{summary}"
    );
    assert_eq!(place.read("page.md"), format!("# Before\n{summary}"));
    place.swissmatch(&["verify", &run]).expect_code(0);
    let games = games_in_log(&place, &run);
    let (out, _) = said(&gate(&place, &new, &old, &["--json"], &[]), 1);
    let last: Value = serde_json::from_str(out.lines().last().expect("a line")).expect("JSON");
    assert_eq!(
        (&last["type"], &last["outcome"], &last["run"]),
        (&"gate".into(), &"failed".into(), &run.as_str().into())
    );
    assert_eq!(games_in_log(&place, &run), games);
    // The other way round it is an improvement.
    let (out, _) = said(
        &gate(&place, &old, &new, &["--elo0", "0", "--elo1", "5", "--quiet"], &[]),
        0,
    );
    assert_eq!(out, "gate passed: the test of [0, 5] in normalized Elo accepted H1\n");
}

/// A crash ends the match at once, and the report has the last lines of the game.
#[test]
fn a_crash_is_a_fault() {
    let place = Place::new();
    let agent = engine("fault-agent");
    let [new, old] = [
        format!("cmd={agent} name=New args='--fault exit --every --at 12'"),
        format!("cmd={agent} name=Old"),
    ];
    let (out, err) = said(
        &gate(&place, &new, &old, &["--time", "5s/move", "--max-games", "400"], &[]),
        3,
    );
    assert!(out.contains("gate agents at fault: New lost "), "{out}\n{err}");
    let run = run_of(&place);
    assert!(games_in_log(&place, &run) < 20, "it does not go on");
    let cases = cases(&place, &format!("{run}/gate.junit.xml"));
    let of = |name: &str| cases.iter().find(|case| case[0] == name).expect("a case");
    assert_eq!(of("New: faults")[1], "failure");
    assert!(of("New: faults")[2].contains("run.max_faults allows 0"), "{cases:?}");
    assert_eq!(of("Old: faults")[1], "passed");
    assert_eq!(of("sequential test")[1], "skipped");
    let [_, end, message, text] = of("New – Old");
    assert!(end == "failure" && message.contains("ended by a fault"), "{message}");
    assert!(
        text.contains("game 1.1.1, New – Old: ") && text.contains("White > go "),
        "{text}"
    );
    // More may be allowed; then it is a match like others.
    let allowed = [
        "--time",
        "5s/move",
        "--max-games",
        "4",
        "--max-faults",
        "none",
        "--name",
        "allowed",
    ];
    let (out, _) = said(&gate(&place, &new, &old, &allowed, &[]), 2);
    assert!(
        out.contains("gate inconclusive: the test of [-5, 0] in normalized Elo accepted neither"),
        "{out}"
    );
    let fails = [&allowed[..], &["--inconclusive", "fail"]].concat();
    said(&gate(&place, &new, &old, &fails, &[]), 1);
    let passes = [&allowed[..], &["--inconclusive", "pass"]].concat();
    let (out, _) = said(&gate(&place, &new, &old, &passes, &[]), 0);
    assert!(
        out.ends_with("; such a match passes here (--inconclusive pass)\n"),
        "{out}"
    );
}

/// A line of a sanitizer is a fault though the agent plays on: it ends the match, and the reports name the side and what was found.
#[test]
fn a_sanitizer_line_is_a_fault() {
    let place = Place::new();
    let agent = engine("fault-agent");
    let [new, old] = [
        format!("cmd={agent} name=New args='--fault alarm --at 12 --times 1'"),
        format!("cmd={agent} name=Old"),
    ];
    let one = ["--concurrency", "1", "--max-games", "200"];
    let asked = [&["--time", "5s/move", "--summary", "s.md"][..], &one].concat();
    let (out, err) = said(&gate(&place, &new, &old, &asked, &[("GITHUB_ACTIONS", "true")]), 3);
    let sentence = "New gave an alarm in 1 of its ";
    assert!(
        out.contains(&format!("gate agents at fault: {sentence}")),
        "{out}\n{err}"
    );
    assert!(
        err.contains("  alarm: New gave an alarm in 1.1.1 as White: \"runtime error: \" in 1 line of standard error: search.cpp:3:5"),
        "{err}"
    );
    assert!(
        err.contains("::error title=gate agents at fault::New gave an alarm"),
        "{err}"
    );
    assert!(place.read("s.md").contains(sentence), "{}", place.read("s.md"));
    let run = run_of(&place);
    assert!(games_in_log(&place, &run) < 20, "it does not go on");
    let cases = cases(&place, &format!("{run}/gate.junit.xml"));
    let of = |name: &str| cases.iter().find(|case| case[0] == name).expect("a case");
    assert_eq!(of("New: faults")[1], "failure");
    assert!(of("New: faults")[2].contains(sentence), "{cases:?}");
    assert_eq!(of("Old: faults")[1], "passed");
    let [_, end, message, text] = of("New – Old");
    assert_eq!(
        (end.as_str(), message.as_str()),
        ("failure", "an agent gave an alarm in 1 game")
    );
    assert!(
        text.contains("game 1.1.1, New – Old: ") && text.contains("Alarm of White: \"runtime error: \""),
        "{text}"
    );
    place.swissmatch(&["verify", &run]).expect_code(0);
    // Whoever wants none of it says so, or allows some.
    for more in [["--set", "engine.alarms=[]"], ["--max-faults", "none"]] {
        let few = [
            "--time",
            "5s/move",
            "--max-games",
            "4",
            "--name",
            "allowed",
            more[0],
            more[1],
        ];
        said(&gate(&place, &new, &old, &few, &[]), 2);
    }
}

/// A job that is cancelled, or whose time is up, loses nothing: the next one goes on.
#[test]
fn a_job_that_ends_early_is_gone_on_with() {
    let place = Place::new();
    let agent = engine("fault-agent");
    let [new, old] =
        [("New", 8), ("Old", 9)].map(|(name, ms)| format!("cmd={agent} name={name} args='--fault sleep --ms {ms}'"));
    let args = ["--time", "5s/move", "--max-games", "40", "--new", &new, "--old", &old];
    let args = [&GATE[..], &args, &["--set", "sprt.truncated=false"]].concat();
    let (run, before) = cancelled(&place, &args, || runs_of(&place).pop());
    let short = [&args[..], &["--max-time", "1s"]].concat();
    let out = place.swissmatch(&short);
    out.expect_code(2);
    let said = out.stdout();
    assert!(
        said.contains("the time is up; the same command goes on with the match"),
        "{said}"
    );
    let then = games_in_log(&place, &run);
    assert!((before + 1..40).contains(&then), "{then}");
    place
        .swissmatch(&[&args[..], &["--inconclusive", "pass"]].concat())
        .expect_code(0);
    assert_eq!(games_in_log(&place, &run), 40);
    place.swissmatch(&["verify", &run]).expect_code(0);
}

/// By an interval all games are played.
#[test]
fn an_interval_decides_when_all_games_are_over() {
    let place = Place::new();
    let [new, old] = weak_and_strong();
    let more = ["--interval", "-50", "--max-games", "20", "--junit", "j.xml"];
    let (out, _) = said(&gate(&place, &new, &old, &more, &[]), 1);
    assert!(out.contains("gate failed: the 95 % interval is below -50 Elo"), "{out}");
    let decides = || cases(&place, "j.xml")[0][..3].to_vec();
    assert_eq!(
        decides(),
        [
            "95 % interval",
            "failure",
            "the 95 % interval is below -50 Elo (-∞ to -140.2)"
        ]
    );
    let run = run_of(&place);
    assert_eq!(games_in_log(&place, &run), 20);
    // The summary of the run has the interval that decided.
    let summary = place.read(&format!("{run}/gate.md"));
    assert!(
        summary.contains("the 95 % interval is below -50 Elo (-∞ to -140.2)"),
        "{summary}"
    );
    let (out, _) = said(&gate(&place, &old, &new, &more, &[]), 0);
    assert!(out.contains("gate passed: the 95 % interval is above -50 Elo"), "{out}");
    // A file that cannot be written takes no verdict with it; only a success is none then.
    for file in ["--junit", "--summary"] {
        let full = [&more[..4], &[file, "/dev/full"]].concat();
        for (sides, code, word) in [([&new, &old], 1, "gate failed: "), ([&old, &new], 5, "gate passed: ")] {
            let (out, err) = said(&gate(&place, sides[0], sides[1], &full, &[]), code);
            let tells = err.contains("/dev/full: No space left on device");
            assert!(out.contains(word) && tells, "{file}: {out}\n{err}");
        }
    }
}

/// Builds that are one are 0 Elo apart, whatever is asked, and nothing is played.
#[test]
fn a_build_against_itself_ends_at_once() {
    let place = Place::new();
    let program = engine("alphabeta");
    for (name, options) in [("a", ""), ("b", ""), ("c", " option.Skill=1")] {
        std::fs::create_dir(place.path(name)).expect("a directory");
        std::fs::copy(&program, place.path(&format!("{name}/engine"))).expect("a copy");
        place.write(
            &format!("{name}.words"),
            &format!("cmd={name}/engine name={name}{options}"),
        );
    }
    let words = ["a", "b", "c"].map(|name| place.read(&format!("{name}.words")));
    let of = |new: &str, old: &str, more: &[&str]| {
        let mut command = place.command(&[&["gate", "--new", new, "--old", old, "--time", "nodes=300"], more].concat());
        command.env_remove("GITHUB_ACTIONS").env_remove("GITHUB_STEP_SUMMARY");
        finish(command.spawn().expect("it runs"))
    };
    let files = ["--junit", "j.xml", "--summary", "s.md"];
    let (out, _) = said(&of(&words[0], &words[1], &files), 0);
    let why = "both are the same build, so there is nothing to be played: the difference is 0 Elo, as H1 has it (0)";
    assert_eq!(out, format!("gate passed: {why}\n"));
    assert_eq!(cases(&place, "j.xml")[0][..2], ["same build", "passed"]);
    let summary = place.read("s.md");
    assert!(
        summary.starts_with("## Gate passed: a-b-") && summary.contains("the same build"),
        "{summary}"
    );
    for (more, code, why) in [
        (&["--elo0", "0", "--elo1", "5"][..], 1, "as H0 has it (0)"),
        (&["--elo0", "-2", "--elo1", "3"], 2, "between H0 (-2) and H1 (3)"),
        (
            &["--elo0", "-2", "--elo1", "3", "--inconclusive", "pass"],
            0,
            "such a match passes here",
        ),
        (&["--interval", "-5"], 0, "above -5 Elo"),
        (&["--interval", "0"], 2, "neither above nor below 0 Elo"),
        (&["--interval", "3"], 1, "below 3 Elo"),
    ] {
        let (out, _) = said(&of(&words[0], &words[1], more), code);
        assert!(out.contains(why), "{more:?}: {out}");
    }
    let ran = place.swissmatch(&[
        "gate",
        "--new",
        &words[0],
        "--old",
        &words[1],
        "--time",
        "nodes=300",
        "--json",
    ]);
    ran.expect_code(0);
    let out = ran.stdout();
    let last: Value = serde_json::from_str(out.lines().last().expect("a line")).expect("JSON");
    assert_eq!(
        (&last["type"], &last["outcome"], last.get("run")),
        (&"gate".into(), &"passed".into(), None)
    );
    assert!(!place.path("results").exists());
    // Other settings are another build; and one that is not isolated may read what lies beside it.
    for (new, more) in [(&words[2], &[][..]), (&words[1], &["--set", "engine.isolation=off"])] {
        let (out, _) = said(&of(new, &words[0], &[&["--max-games", "2"], more].concat()), 2);
        assert!(out.contains("accepted neither hypothesis"), "{out}");
    }
}

/// "0 of 40": a match that was lost whole fails, and one that nothing can decide any more ends.
#[test]
fn a_short_match_ends_with_what_can_be_said() {
    let place = Place::new();
    let agent = engine("fault-agent");
    let [resigns, plays] = [
        format!("cmd={agent} name=New args='--fault illegal --every --at 2'"),
        format!("cmd={agent} name=Old"),
    ];
    let more = [
        "--time",
        "5s/move",
        "--max-games",
        "12",
        "--max-faults",
        "none",
        "--junit",
        "j.xml",
    ];
    let (out, _) = said(&gate(&place, &resigns, &plays, &more, &[]), 1);
    assert_eq!(
        out.lines().last(),
        Some("gate failed: the test of [-5, 0] in normalized Elo accepted H0: the whole match was lost")
    );
    assert_eq!(cases(&place, "j.xml")[0][..2], ["sequential test", "failure"]);
    let run = run_of(&place);
    assert_eq!(games_in_log(&place, &run), 12);
    place.swissmatch(&["verify", &run]).expect_code(0);
    // Nor does it pass where nobody reads on.
    for _ in 0..10 {
        let mut piped = Command::new("bash");
        piped.args(["-c", "set -o pipefail; \"$0\" \"$@\" | head -1", swissmatch()]);
        piped.args(GATE).args(["--new", &resigns, "--old", &plays]).args(more);
        let ended = piped.current_dir(place.path("")).env("TMPDIR", place.path("")).output();
        said(&ended.expect("it runs"), 1);
    }
    let (out, _) = said(&gate(&place, &plays, &resigns, &more, &[]), 0);
    assert!(out.contains("accepted H1: the whole match was won"), "{out}");
    // By an interval six pairs are enough, and five are not.
    for (games, code, word) in [
        ("12", 1, "below 0 Elo (-∞ to "),
        ("10", 2, "within the 95 % interval (-∞ to +"),
    ] {
        let more = [
            &more[..2],
            &["--max-games", games, "--max-faults", "none", "--interval", "0"],
        ]
        .concat();
        let (out, _) = said(&gate(&place, &resigns, &plays, &more, &[]), code);
        assert!(out.contains(word), "{out}");
    }
    // Twenty pairs bring no likelihood ratio to a bound: with the first pair that is neither lost nor won that is known.
    let [_, strong] = weak_and_strong();
    let other = strong.replace("Old", "Other") + " option.Skill=19";
    let few = ["--max-games", "40", "--concurrency", "1", "--name", "few"];
    let (out, _) = said(&gate(&place, &other, &strong, &few, &[]), 2);
    let why = "accepted neither hypothesis, which no outcome of the games that were left could change";
    assert!(out.ends_with(&format!("{why}\n")), "{out}");
    let runs = std::fs::read_dir(place.path("results")).expect("runs").flatten();
    let run = runs
        .map(|run| run.file_name())
        .find(|run| run.to_string_lossy().starts_with("few-"));
    let run = format!("results/{}", run.expect("a run").to_string_lossy());
    assert!(games_in_log(&place, &run) < 40);
    place.swissmatch(&["verify", &run]).expect_code(0);
}

/// Two games that were won prove nothing, and JUnit has what becomes of it.
#[test]
fn few_games_decide_nothing_by_an_interval() {
    let place = Place::new();
    let [weak, strong] = weak_and_strong();
    let more = ["--interval", "-2000", "--max-games", "2", "--junit", "j.xml"];
    let (out, _) = said(&gate(&place, &weak, &strong, &more, &[]), 2);
    assert!(
        out.contains("gate inconclusive: -2000 Elo is within the 95 % interval"),
        "{out}"
    );
    assert_eq!(cases(&place, "j.xml")[0][..2], ["95 % interval", "skipped"]);
    for (word, code, status) in [("fail", 1, "failure"), ("pass", 0, "passed")] {
        let more = [&more[..], &["--inconclusive", word]].concat();
        said(&gate(&place, &weak, &strong, &more, &[]), code);
        assert_eq!(cases(&place, "j.xml")[0][..2], ["95 % interval", status]);
    }
}

/// Games by nodes are the same each time: without a number of games each opening is played once with each colour.
#[test]
fn by_nodes_no_opening_is_played_again() {
    let place = Place::new();
    let two = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\nrnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -\n";
    place.write("two.epd", two);
    let [_, old] = weak_and_strong();
    let (out, err) = said(
        &gate(
            &place,
            &(old.replace("Old", "New") + " option.Skill=19"),
            &old,
            &["--openings", "two.epd", "--set", "sprt.truncated=false"],
            &[],
        ),
        2,
    );
    assert!(out.contains("gate inconclusive"), "{out}");
    assert!(
        err.contains("there are 4 at most: each opening once with each colour (--max-games)"),
        "{err}"
    );
    assert_eq!(games_in_log(&place, &run_of(&place)), 4);
}

#[test]
fn words_that_are_wrong_play_nothing() {
    let place = Place::new();
    let agent = engine("fault-agent");
    for (new, more, why) in [
        ("name=New", &[][..], "--new name=New: it names no program"),
        ("'open", &[], "--new 'open: a quote is not closed"),
        ("./a ./b", &[], "it names more than one program"),
        (
            &agent,
            &["--elo0", "5"],
            "--elo0 (gate.elo0) is 5 and --elo1 (gate.elo1) is 0: ",
        ),
        (
            &agent,
            &["--max-games", "7"],
            "--max-games 7: both builds have each colour equally often",
        ),
        ("./rook", &[], "swissmatch: agent rook: there is no file "),
        (&agent, &["--max-time", "soon"], "--max-time"),
        (&agent, &["--interval", "0", "--alpha", "0.1"], "cannot be used with"),
    ] {
        let (_, err) = said(&gate(&place, new, &agent, more, &[]), 4);
        assert!(err.contains(why), "{why}: {err}");
    }
    assert!(!place.path("results").exists());
}

/// A build that does not start ends the gate before the first game, and everything that a job looks at says so.
#[test]
fn a_build_that_does_not_start_is_told_in_every_file() {
    let place = Place::new();
    let files = ["--junit", "j.xml", "--summary", "s.md", "--json"];
    let github = [("GITHUB_ACTIONS", "true")];
    let (out, err) = said(&gate(&place, "/bin/true", &engine("alphabeta"), &files, &github), 3);
    let last: Value = serde_json::from_str(out.lines().last().expect("a line")).expect("JSON");
    assert_eq!((&last["type"], &last["exit_code"]), (&"refused".into(), &3.into()));
    assert!(
        err.contains("::error title=gate%3A agents at fault::") && err.contains("true does not start: "),
        "{err}"
    );
    assert!(!err.contains("With --go-on"), "{err}");
    let cases = cases(&place, "j.xml");
    assert_eq!(cases.len(), 1, "{cases:?}");
    assert_eq!(cases[0][..2], ["start", "failure"], "{cases:?}");
    assert!(cases[0][2].contains("true does not start: "), "{cases:?}");
    let summary = place.read("s.md");
    assert!(
        summary.starts_with("## Gate: agents at fault\n") && summary.contains("does not start"),
        "{summary}"
    );
}
