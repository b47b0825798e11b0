//! Submissions that cannot be judged, or must not be: they keep nobody else from playing.

use rustix::process::{Pid, Signal};
use std::process::Stdio;

use super::{archive, event, good, kill_while_tried, listed, submit};
use crate::death::until;
use crate::support::Place;

const PATIENCE: std::time::Duration = std::time::Duration::from_secs(60);

fn states(place: &Place) -> Vec<String> {
    let states = listed(place).into_iter().map(|one| one["state"].clone());
    states
        .map(|state| state.as_str().expect("a state").to_owned())
        .collect()
}

/// An event with B's submission, and one of A's that waits.
fn with_one_that_waits(place: &Place) {
    place.write("season.toml", &event("get-move", ""));
    good(place, "b.zip", "");
    submit(place, "b.zip", "B").expect_code(0);
    good(place, "a.zip", "import time\ntime.sleep(1.5)\n");
    kill_while_tried(place, "a.zip", 3);
    assert_eq!(states(place), ["plays", "waits"]);
}

#[test]
fn one_whose_player_is_out_or_hands_in_no_more_keeps_nobody_from_playing() {
    let place = Place::new();
    with_one_that_waits(&place);
    let text = event("get-move", "");
    let plays = text.replace("name = \"A\"\n", "name = \"A\"\ncommand = \"greedy\"\n");
    place.write("season.toml", &plays);
    let ran = place.swissmatch(&["run", "season.toml"]);
    let said = ran.expect_code(0).stderr();
    assert!(
        said.contains("submission 2, of A, could not be tried, and waits: ")
            && said.contains("A plays what the event file names"),
        "{said}"
    );
    place.write("season.toml", &event("get-move", "out = [\"A\"]"));
    let ran = place.swissmatch(&["run", "season.toml", "--fresh"]);
    let said = ran.expect_code(0).stderr();
    assert!(!said.contains("could not be tried"), "{said}");
    assert_eq!(states(&place), ["plays", "waits"]);
    place.swissmatch(&["verify", "results/season"]).expect_code(0);
    // What was settled when the event began does not change by what is tried later.
    place.write("season.toml", &text);
    let late = submit(&place, "a.zip", "A");
    let said = late.expect_code(1).stdout();
    assert!(said.contains("or could not be tried before that"), "{said}");
    place.swissmatch(&["verify", "results/season"]).expect_code(0);
}

/// A trial may be ended once by what has nothing to do with it, but not for ever.
#[test]
fn one_with_which_the_program_ended_twice_is_refused() {
    let place = Place::new();
    with_one_that_waits(&place);
    let mut killed = place
        .command(&["submit", "a.zip", "--as", "A", "--event", "season.toml"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let turn = place.path("results/season/submissions/turns/2");
    let is_begun = || std::fs::metadata(&turn).is_ok_and(|data| data.len() == 2).then_some(());
    until("it is tried again", PATIENCE, is_begun);
    rustix::process::kill_process(Pid::from_child(&killed), Signal::KILL).expect("it is there");
    killed.wait().expect("it has ended");
    let waits = place.swissmatch(&["submissions", "season.toml"]);
    assert!(
        waits
            .expect_code(0)
            .stdout()
            .contains("the next `swissmatch run` tries it then")
    );
    place.swissmatch(&["run", "season.toml"]).expect_code(0);
    assert_eq!(states(&place), ["plays", "refused"]);
    let log = place.swissmatch(&["submissions", "season.toml", "--log", "2"]);
    let said = log.expect_code(0).stdout();
    assert!(
        said.contains("swissmatch was ended twice while it tried this"),
        "{said}"
    );
}

/// Nobody but the superuser may reach its interpreter, or nobody at all.
#[test]
fn what_cannot_be_started_as_the_event_has_it_is_refused() {
    let place = Place::new();
    let text = event("uci", "").replace("[engine]\n", "[engine]\nisolation = \"guarded\"\n");
    place.write("season.toml", &text);
    let closed = place.path("closed");
    std::fs::create_dir(&closed).expect("a directory");
    std::fs::copy("/bin/sh", closed.join("sh")).expect("a shell");
    let rights = std::os::unix::fs::PermissionsExt::from_mode(0o700);
    std::fs::set_permissions(&closed, rights).expect("its rights");
    let script = format!("#!{}/sh\nexit 1\n", closed.display());
    archive(&place, "closed.zip", &[("engine", script.as_bytes())]);
    archive(&place, "none.zip", &[("engine", b"#!/nosuch/interpreter\n")]);
    for file in ["closed.zip", "none.zip"] {
        let refused = submit(&place, file, "A");
        let said = refused.expect_code(1).stdout() + &refused.stderr();
        assert!(!said.contains("no accepted submission"), "{said}");
    }
    assert_eq!(states(&place), ["refused", "refused"]);
}
