//! An event with people around it: late entry, absence, withdrawal, a replay, a pause across a kill -9, a disqualification
//! after the end. It gives the standings that it must, and minutes that can be read.

use std::time::Duration;

use rustix::process::Signal;

use crate::death::{Background, send, until};
use crate::support::{Place, engine};

const PATIENCE: Duration = Duration::from_secs(120);
const RUN: [&str; 5] = ["run", "event.toml", "--out", "run", "--confirm-rounds"];

/// Agents that are better the more they may look at, and deterministic.
fn player(name: &str, rating: u32, nodes: u32) -> String {
    format!(
        "[[player]]\nname = \"{name}\"\ncommand = \"{}\"\nrating = {rating}\nnodes = {nodes}\n",
        engine("alphabeta")
    )
}

fn event() -> String {
    let mut text = "preset = \"immortal-game\"\n[event]\nname = \"Open\"\nrng_seed = 7\n[swiss]\nrounds = 5\n\
                    [mini_match]\nopenings = \"none\"\n[game]\ntime_control = \"600+10\"\nmax_moves = 40\n\
                    [schedule]\nbreak = \"0s\"\nnotice = \"0s\"\n"
        .to_owned();
    for (name, rating, nodes) in [
        ("Alpha", 2000, 3000),
        ("Bravo", 1900, 1500),
        ("Charlie", 1800, 800),
        ("Delta", 1700, 300),
        ("Echo", 1600, 60),
    ] {
        text += &player(name, rating, nodes);
    }
    text
}

fn act(place: &Place, words: &[&str], reason: &str) -> String {
    let signed = ["run", "--by", "C. Arbiter", "--reason", reason];
    let done = place.swissmatch(&[&["arbiter"], words, &signed].concat());
    done.expect_code(0);
    done.stdout()
}

/// Waits until this round has been proposed.
fn proposed(place: &Place, round: u32) {
    let line = format!("Round {round} would be:");
    until("the pairing", PATIENCE, || {
        place.read("complained").contains(&line).then_some(())
    });
}

fn confirm(place: &Place, round: u32) {
    proposed(place, round);
    let confirm = [
        "arbiter",
        "confirm",
        "run",
        "--by",
        "C. Arbiter",
        "--reason",
        "as shown",
    ];
    until("a pairing to confirm", PATIENCE, || {
        (place.swissmatch(&confirm).output.status.code() == Some(0)).then_some(())
    });
}

/// What the arbiter's log says, without times.
fn minutes(place: &Place) -> String {
    let log = place.swissmatch(&["arbiter", "log", "run"]);
    log.expect_code(0);
    let mut lines = Vec::new();
    for line in log.stdout().lines() {
        let timed = line.split_once(" UTC: ").filter(|(head, _)| head.contains(". 20"));
        match timed {
            Some((head, rest)) => {
                let number = head.split_once(". ").map_or(head, |(number, _)| number);
                lines.push(format!("{number}. TIME: {rest}"));
            }
            None => lines.push(line.to_owned()),
        }
    }
    lines.join("\n")
}

#[test]
fn an_event_with_people_around_it() {
    let place = Place::new();
    place.write("event.toml", &event());
    place.write("late.toml", &player("Foxtrot", 1500, 1000));
    let mut run = Background::start(&place, &RUN);
    proposed(&place, 1);
    act(&place, &["absent", "Echo"], "its author's train is late");
    confirm(&place, 1);

    proposed(&place, 2);
    act(&place, &["replay", "1.1.1"], "the power failed for a moment");
    until("the game again", PATIENCE, || {
        let complained = place.read("complained");
        (complained.matches("Round 2 would be:").count() == 2).then_some(())
    });
    act(&place, &["enter", "late.toml"], "registered at the desk");
    confirm(&place, 2);

    proposed(&place, 3);
    act(&place, &["withdraw", "Bravo"], "its author asked for it");
    act(&place, &["pause"], "lunch");
    send(run.player(), Signal::KILL);
    run.end(PATIENCE);
    let mut run = Background::start(&place, &RUN);
    until("the pause", PATIENCE, || {
        place.read("complained").contains("The event is paused").then_some(())
    });
    act(&place, &["resume"], "lunch is over");
    confirm(&place, 3);
    confirm(&place, 4);
    confirm(&place, 5);
    assert_eq!(run.end(PATIENCE).code(), Some(0));

    let before = place.read("run/standings.md");
    act(&place, &["disqualify", "Charlie"], "it ran another engine");
    insta::assert_snapshot!(before, @r#"
    ## Open: final standings after 5 rounds

    | # | Name | Out | MP | BH/C1 | BH | SB | WIN | BWG | immortal-direct-encounter | ARO/C1 | W/D/L | Byes | Faults |
    | ---: | :--- | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
    | 1 | Alpha |  | 4 | 9 | 10 | 7.75 | 3 | 2 |  | 1750 | 3/2/0 | 0 | 0 |
    | 2 | Charlie |  | 3.5 | 8 | 9 | 3.5 | 2 | 1 |  | 1766.67 | 2/1/1 | 1 | 0 |
    | 3 | Foxtrot |  | 3 | 8.5 | 9.5 | 5.75 | 2 | 2 |  | 1833.33 | 2/2/0 | 0 | 0 |
    | 4 | Bravo | withdrawn | 1.5 | 4 | 5 | 3 | 1 | 0 |  | 2000 | 1/1/0 | 0 | 0 |
    | 5 | Delta |  | 1 | 10.5 | 12 | 0 | 0 | 0 |  | 1900 | 0/0/4 | 1 | 0 |
    | 6 | Echo |  | 1 | 7.5 | 10.5 | 0 | 0 | 0 |  | 1900 | 0/0/3 | 1 | 0 |

    Byes: round 3 Echo; round 4 Delta; round 5 Charlie.

    Absent: round 1 Echo.

    Missed before entering: round 1 Foxtrot.

    Withdrawn: Bravo after round 2.
    "#);
    insta::assert_snapshot!(place.read("run/standings.md"), @r#"
    ## Open: final standings after 5 rounds

    | # | Name | Out | MP | BH/C1 | BH | SB | WIN | BWG | immortal-direct-encounter | ARO/C1 | W/D/L | Byes | Faults |
    | ---: | :--- | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
    | 1 | Alpha |  | 4 | 9 | 10 | 7.75 | 3 | 2 |  | 1750 | 3/2/0 | 0 | 0 |
    | 2 | Foxtrot |  | 3 | 8.5 | 9.5 | 5.75 | 2 | 2 |  | 1833.33 | 2/2/0 | 0 | 0 |
    | 3 | Bravo | withdrawn | 1.5 | 4 | 5 | 3 | 1 | 0 |  | 2000 | 1/1/0 | 0 | 0 |
    | 4 | Delta |  | 1 | 10.5 | 12 | 0 | 0 | 0 |  | 1900 | 0/0/4 | 1 | 0 |
    | 5 | Echo |  | 1 | 7.5 | 10.5 | 0 | 0 | 0 |  | 1900 | 0/0/3 | 1 | 0 |

    Byes: round 3 Echo; round 4 Delta; round 5 Charlie.

    Absent: round 1 Echo.

    Missed before entering: round 1 Foxtrot.

    Withdrawn: Bravo after round 2.

    Disqualified: Charlie after round 5.
    "#);
    insta::assert_snapshot!(minutes(&place), @r#"
    Minutes of Open

    1. TIME: before round 1.
       Before round 1 was paired, the runner asked who was there: everybody was.

    2. TIME: before round 1.
       C. Arbiter noted Echo (5) as absent in round 1.
       Why: its author's train is late
       It takes effect when round 1 is paired.

    3. TIME: before round 1.
       C. Arbiter confirmed the pairing of round 1.
       Why: as shown
       Round 1 begins with the pairing that was shown.

    4. TIME: round 1 was over.
       Before round 2 was paired, the runner asked who was there: everybody was.

    5. TIME: round 1 was over.
       C. Arbiter ordered game 1.1.1 to be replayed.
       Why: the power failed for a moment
       The game is due again at once; its old result no longer counts.
       It changed the standings:
       - Bravo: from place 2 to 1
       - Delta: from place 3 to 2
       - Alpha: from place 1 to 3, from 1 point to 0 points
       - Echo: from place 5 to 3

    6. TIME: round 1 was over.
       C. Arbiter entered Foxtrot.
       Why: registered at the desk
       It is paired from round 2 on.
       It changed the standings:
       - Foxtrot: now listed, in place 5 with 0 points

    7. TIME: round 1 was over.
       C. Arbiter confirmed the pairing of round 2.
       Why: as shown
       Round 2 begins with the pairing that was shown.

    8. TIME: round 2 was over.
       Before round 3 was paired, the runner asked who was there: everybody was.

    9. TIME: round 2 was over.
       C. Arbiter withdrew Bravo (2).
       Why: its author asked for it
       It is not paired from round 3 on; what it plays now counts.

    10. TIME: round 2 was over.
       C. Arbiter paused the event.
       Why: lunch
       Games under way are finished; no others are started until `arbiter resume`.

    11. TIME: round 2 was over; the event was paused.
       C. Arbiter resumed the event.
       Why: lunch is over
       Games are started again at once.

    12. TIME: round 2 was over.
       C. Arbiter confirmed the pairing of round 3.
       Why: as shown
       Round 3 begins with the pairing that was shown.

    13. TIME: round 3 was over.
       Before round 4 was paired, the runner asked who was there: everybody was.

    14. TIME: round 3 was over.
       C. Arbiter confirmed the pairing of round 4.
       Why: as shown
       Round 4 begins with the pairing that was shown.

    15. TIME: round 4 was over.
       Before round 5 was paired, the runner asked who was there: everybody was.

    16. TIME: round 4 was over.
       C. Arbiter confirmed the pairing of round 5.
       Why: as shown
       Round 5 begins with the pairing that was shown.

    17. TIME: the event was over.
       C. Arbiter disqualified Charlie (3).
       Why: it ran another engine
       It is off the list at once; nobody's points change.
       It changed the standings:
       - Foxtrot: from place 3 to 2
       - Bravo: from place 4 to 3
       - Delta: from place 5 to 4
       - Echo: from place 6 to 5
       - Charlie: no longer listed, was in place 2 with 3.5 points
    "#);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let started = place.read("run/games.pgn");
    assert_eq!(
        started.matches("[Round \"1").count(),
        2,
        "the replayed game stands once"
    );
}
