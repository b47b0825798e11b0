//! Pondering with real processes.

use crate::support::Place;

/// A shell script that shuffles knights, says what it expects, and thinks on that until it is told that it came, or to stop.
/// `$1` is how it goes on: `truly` expects what will be played, `wrongly` something else.
const AGENT: &str = r#"
answer() {
    case $(($1 % 4)) in 0) echo g1f3 ;; 1) echo g8f6 ;; 2) echo f3g1 ;; 3) echo f6g8 ;; esac
}
expected() {
    [ "$1" = truly ] && answer $(($2 + 1)) && return
    [ $(($2 % 2)) = 0 ] && echo a7a6 || echo a2a3
}
while read -r word rest; do
    case "$word" in
    uci) echo "option name Ponder type check default false"; echo uciok ;;
    isready) echo readyok ;;
    position) set -- "$1" $rest; plies=$(($# > 3 ? $# - 3 : 0)) ;;
    go) case "$rest" in ponder*) ;; *) echo "bestmove $(answer $plies) ponder $(expected "$1" $plies)" ;; esac ;;
    ponderhit | stop) echo "info depth 9 score cp 1"
        echo "bestmove $(answer $plies) ponder $(expected "$1" $plies)" ;;
    quit) exit 0 ;;
    esac
done
"#;

/// Plays a mini-match of two of them; what was said in its first game.
fn evidence(way: &str) -> String {
    let place = Place::new();
    place.write("agent.sh", AGENT);
    let player = |name: &str| {
        format!("[[player]]\nname = \"{name}\"\ncommand = \"/bin/sh\"\nargs = [\"agent.sh\", \"{way}\"]\n")
    };
    place.write(
        "event.toml",
        &format!(
            "[swiss]\nrounds = 1\n[mini_match]\ngames = 2\nopenings = \"none\"\n\
             [game]\ntime_control = \"60+1\"\nmax_plies = 7\nponder = true\n\
             [engine]\nstop_grace = \"5s\"\n[run]\nevidence = \"all\"\n{}{}",
            player("A"),
            player("B")
        ),
    );
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let records = place.swissmatch(&["export", "records", "run"]).stdout();
    for record in records.lines() {
        assert!(record.contains("\"termination\":\"move-cap\""), "{record}");
        assert!(
            record.contains("\"moves\":\"g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1\""),
            "{record}"
        );
    }
    assert_eq!(records.lines().count(), 2);
    place.evidence("run", "1.1.1").expect("evidence")
}

#[test]
fn what_was_expected_is_played() {
    let evidence = evidence("truly");
    // Every move but the first of each side; on what would end the game nobody ponders.
    assert_eq!(evidence.matches("> ponderhit").count(), 5, "{evidence}");
    assert_eq!(evidence.matches("> go ponder wtime").count(), 5, "{evidence}");
}

#[test]
fn something_else_is_played() {
    let evidence = evidence("wrongly");
    assert_eq!(evidence.matches("> ponderhit").count(), 0, "{evidence}");
    assert_eq!(
        evidence.matches("> stop").count(),
        evidence.matches("> go ponder").count(),
        "{evidence}"
    );
    assert!(evidence.contains("> stop"), "{evidence}");
}
