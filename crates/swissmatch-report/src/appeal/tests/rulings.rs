//! Rulings of the arbiter in reports of games.

use super::*;

#[test]
fn rulings_are_told_in_their_order() {
    let state = fixture::two_rounds();
    let id = id(1, 2, 2);
    let acted = |act, reason: &str| ArbiterActed {
        act,
        by: "C. Arbiter\u{1b}[1m".to_owned(),
        reason: reason.to_owned(),
        overruled: Vec::new(),
    };
    let (replay, set) = (
        acted(Act::Replay { game: id }, "the host was down"),
        acted(
            Act::SetResult {
                game: id,
                outcome: Outcome::Draw,
            },
            "appeal upheld",
        ),
    );
    assert!(is_about(&replay.act, id) && !is_about(&Act::Pause, id));
    assert!(!is_about(&replay.act, super::id(1, 2, 1)));
    let logged = |seq, at| EntryReference { seq, at, hash: "ab" };
    let before = late();
    let mut now = state.finished_game(id).expect("it has ended");
    now.ruled = Some(Outcome::Draw);
    let case = AppealCase {
        game: Some(now),
        acts: &[
            OnGame {
                logged: logged(8, "09:00"),
                acted: &replay,
            },
            OnGame {
                logged: logged(10, "11:00"),
                acted: &set,
            },
        ],
        replayed: &[EarlierEnd {
            logged: logged(7, "08:00"),
            finished: &before,
        }],
        ..case(&state, id)
    };
    let text = text(&case, false).expect("no record");
    assert_snapshot!(section(&text, "Rulings of the arbiter"), @"
    08:00: it had ended 0-1, time-forfeit, after 12 plies (entry 7); that no longer counts.
    09:00: C. Arbiter[1m ordered game 1.2.2 to be replayed (entry 8). Reason: the host was down
    11:00: C. Arbiter[1m set the result of game 1.2.2 to 1/2-1/2 (entry 10). Reason: appeal upheld
    It ended 0-1 by itself, and counts as 1/2-1/2.
    ");
    assert!(
        text.contains("0-1: White resigns") || text.contains("0-1: White loses on time."),
        "{text}"
    );
    assert_eq!(
        json(&case, false).expect("no record")["rulings"]["acts"][1]["by"],
        "C. Arbiter[1m"
    );
}
