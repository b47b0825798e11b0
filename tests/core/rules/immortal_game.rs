//! Immortal Game, "Swiss Tournament": a test a rule, in the order of its text.
//!
//! May not: repeat what the code under test computes.

mod tie_breaks;
mod tournament;

use std::collections::BTreeSet;
use swissmatch::tournament::history::history_after;
use swissmatch::tournament::ties::event_is_over;

use jiff::Timestamp;

use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::rounds::TournamentFormat;
use swissmatch::game::Side;
use swissmatch::game::termination::{Outcome, Termination};
use swissmatch::tournament::arbiter::decide::ActError;
use swissmatch::tournament::director::{self, Next};
use swissmatch::tournament::log::{Absence, Act, Entry, PresenceChecked};
use swissmatch::tournament::rescore::rescore;
use swissmatch::tournament::schedule;
use swissmatch::tournament::setup::{ClockStart, Setup};
use swissmatch::tournament::state::State;
use swissmatch::tournament::timetable::Timetable;

use self::tournament::{DAY, Tournament, by_rating, couples, registration};

/// Only the points, the direct encounter and AROC rank, so that few games make a case.
const SHORT: &str = "standings.order = [\"match-points\", \"immortal-direct-encounter\", \"ARO/C1\"]\n\
                     standings.columns = [\"match-points\"]";

fn setup(more: &str) -> Setup {
    super::event("immortal-game", more)
}

/// "A Swiss tournament has a defined number of rounds. Each player plays in every round."
#[test]
fn a_defined_number_of_rounds_in_which_everybody_plays() {
    let mut tournament = Tournament::of(8, "swiss.rounds = 3");
    for _ in 0..3 {
        assert_eq!(tournament.pair().pairs.len(), 4);
        tournament.finish(by_rating);
    }
    assert!(event_is_over(&tournament.0));
    assert_eq!(director::next(&tournament.0, DAY), Ok(Next::Nothing));
    for players in 2..40 {
        let plan = setup("").swiss.rounds.plan(players);
        assert_eq!(plan.format, TournamentFormat::Swiss, "{players} players");
        assert!(players == 2 || plan.rounds < players + players % 2, "{players} players");
    }
}

/// "In the first round, highly ranked players are intentionally paired with lower-ranked players."
#[test]
fn first_round() {
    let pairing = Tournament::of(8, "").pair();
    assert_eq!(couples(&pairing), [(1, 5), (2, 6), (3, 7), (4, 8)]);
    let unrated_last = [
        None,
        Some("rating = 1500".to_owned()),
        None,
        Some("rating = 1800".to_owned()),
    ];
    let numbers = "[swiss]\nseeding = \"listed\"";
    let mut tournament = Tournament::rated(&unrated_last, numbers);
    assert_eq!(couples(&tournament.pair()), [(1, 4), (2, 3)], "4, 2, 1, 3 by rating");
}

/// "After the first round, pairings are based on performance: those who have won are paired with other winners, losers with
/// losers."
#[test]
fn later_rounds() {
    let mut tournament = Tournament::of(8, "");
    tournament.pair();
    tournament.finish(by_rating);
    assert_eq!(couples(&tournament.pair()), [(1, 3), (2, 4), (5, 7), (6, 8)]);
    tournament.finish(by_rating);
    let third = tournament.pair();
    let points = |number| history_after(&tournament.0, 2).player(number).points;
    let level = third
        .pairs
        .iter()
        .filter(|pair| points(pair.white) == points(pair.black));
    assert_eq!(level.count(), 4);
}

/// "There might be some exceptions to prevent a player from playing with the same color pieces too many times in a row."
#[test]
fn later_rounds_never_a_third_time_the_same_color_in_a_row() {
    for (players, rounds) in [(8, 4), (11, 5), (16, 6), (24, 9)] {
        let mut tournament = Tournament::of(players, &format!("swiss.rounds = {rounds}"));
        let mut colors = vec![String::new(); players as usize + 1];
        for round in 1..=rounds {
            for pair in tournament.pair().pairs {
                for (player, color) in [(pair.white, 'W'), (pair.black, 'B')] {
                    colors[player.0 as usize].push(color);
                }
                assert!(!pair.repeat);
            }
            // Neither always the better rated nor ever by chance.
            tournament.finish(|board, pair| match (board + round) % 4 {
                0 => "=".to_owned(),
                1 => "-".to_owned(),
                _ => by_rating(board, pair),
            });
        }
        let too_often = |had: &&String| had.contains("WWW") || had.contains("BBB");
        assert_eq!(colors.iter().find(too_often), None, "{players} players: {colors:?}");
    }
    // 1 and 2 had White twice, and everybody else has been met.
    let mut forced = Tournament::of(4, "swiss.rounds = 3").told(&["1-3 +, 2-4 +", "1-4 +, 2-3 +"]);
    assert_eq!(
        couples(&forced.pair()),
        [(1, 2), (3, 4)],
        "the round could not be paired otherwise"
    );
    // Winners would meet, 1 and 2: but then one of them would have White for the third time.
    let colors = ["1-5 +, 2-6 +, 3-7 +, 4-8 +", "1-7 +, 2-8 +, 5-3 +, 6-4 +"];
    let mut spared = Tournament::of(8, "swiss.rounds = 3").told(&colors);
    assert!(!couples(&spared.pair()).contains(&(1, 2)));
    let mut free = Tournament::of(8, "swiss.rounds = 3\nswiss.color_streak = \"none\"").told(&colors);
    assert!(couples(&free.pair()).contains(&(1, 2)));
}

/// "Default timing between the end of the last game of a round and the beginning of the next round is set by tournament admin.
/// Tournament can be paused/restarted by tournament admin", at any time.
#[test]
fn pause_and_restart() {
    let mut tournament = Tournament::of(4, "swiss.rounds = 2");
    let pause_and_restart = |tournament: &mut Tournament| {
        assert!(tournament.ask(Act::Resume).is_err(), "it is not paused");
        tournament.act(Act::Pause);
        assert!(tournament.0.orders().paused.is_some());
        assert!(tournament.ask(Act::Pause).is_err(), "it is paused");
        tournament.act(Act::Resume);
        assert!(tournament.0.orders().paused.is_none());
    };
    for _ in 0..2 {
        pause_and_restart(&mut tournament);
        tournament.pair();
        pause_and_restart(&mut tournament);
        tournament.finish(by_rating);
    }
    assert_eq!(tournament.ask(Act::Pause), Err(ActError::Over));
}

/// "Players must register to the tournament before half the number of rounds of the tournament minus 1, rounded up, are played.
/// Examples: before end of 4th round for a 10 rounds tournament, before end of 5th round for an 11 rounds tournament."
#[test]
fn registration_is_open_until_half_of_the_rounds_minus_one_have_been_played() {
    for (rounds, last) in [(10, 4), (11, 5), (9, 4), (5, 2), (4, 1), (3, 1), (2, 0), (1, 0)] {
        let mut tournament = Tournament::of(16, &format!("swiss.rounds = {rounds}"));
        let is_open = |tournament: &Tournament| tournament.ask(registration("Late", 1500)).is_ok();
        assert!(is_open(&tournament), "{rounds} rounds: before round 1");
        for round in 1..=rounds {
            tournament.pair();
            assert_eq!(
                is_open(&tournament),
                round <= last,
                "{rounds} rounds: during round {round}"
            );
            tournament.finish(by_rating);
            assert_eq!(
                is_open(&tournament),
                round < last,
                "{rounds} rounds: at the end of round {round}"
            );
        }
    }
}

/// "You were not included in the matchmaking of a round: 0 point for this round."
#[test]
fn registration_late_entrants_have_nothing_for_the_rounds_missed() {
    let mut tournament = Tournament::of(4, "swiss.rounds = 6");
    tournament.pair();
    tournament.act(registration("Late", 2500));
    tournament.finish(|_, _| "=".to_owned());
    assert_eq!(tournament.values("match-points"), ["0.5", "0.5", "0.5", "0.5", "0"]);
    let second = tournament.pair();
    let late = PairingNumber(5);
    assert_eq!(second.bye, Some(late), "the lowest points, whatever the rating");
    tournament.finish(by_rating);
    let third = tournament.pair();
    assert!(third.pairs.iter().any(|pair| pair.white == late || pair.black == late));
    tournament.finish(|_, _| "=".to_owned());
    assert_eq!(tournament.values("match-points")[4], "1.5");
    assert_eq!(tournament.values("WIN")[4], "0");
}

/// "The first pairing is set at the start time of the event. Subsequent pairings are set as soon as the last game of the previous
/// round finishes. Participants are notified 30 seconds before a game starts."
#[test]
fn start() {
    let setup = setup("schedule.start = 2026-01-01T18:00:00Z");
    let timetable = Timetable::from(&setup);
    let at = |text: &str| -> Timestamp { text.parse().expect("an instant") };
    let first = timetable.round(1, None, at("2026-01-01T09:00:00Z"));
    assert_eq!(first.pair, at("2026-01-01T18:00:00Z"));
    assert_eq!(
        first.ask,
        at("2026-01-01T17:59:30Z"),
        "\"within 30s before the matchmaking\""
    );
    assert_eq!(
        timetable.starts(first, first.pair),
        Some(at("2026-01-01T18:00:30Z")),
        "notice is given"
    );
    let ended = at("2026-01-01T18:20:00Z");
    let second = timetable.round(2, Some(ended), ended);
    assert_eq!(second.pair, ended, "at once");
    assert_eq!(
        timetable.starts(second, ended),
        Some(at("2026-01-01T18:20:30Z")),
        "after the break"
    );
    assert!(self::setup("").schedule.start.is_none(), "or at once");
}

/// "The white clock starts at the scheduled time, whether the white player is connected or not."
#[test]
fn white_clock() {
    assert_eq!(setup("").schedule.clock, ClockStart::Schedule);
}

/// "Players have to be active … before the matchmaking to be part of the matchmaking. You were not included in the matchmaking of a
/// round: 0 point for this round."
#[test]
fn presence() {
    let mut tournament = Tournament::of(6, "swiss.rounds = 2");
    let absent = [2, 6].map(|number| Absence {
        player: PairingNumber(number),
        why: "no answer".to_owned(),
    });
    let checked = PresenceChecked {
        round: 1,
        absent: absent.to_vec(),
    };
    tournament
        .0
        .apply(&Entry::PresenceChecked(checked))
        .expect("before round 1");
    let pairing = tournament.pair();
    assert_eq!((couples(&pairing), pairing.bye), (vec![(1, 4), (3, 5)], None));
    tournament.finish(by_rating);
    assert_eq!(tournament.values("match-points"), ["1", "0", "1", "0", "0", "0"]);
    assert_eq!(tournament.pair().pairs.len(), 3, "for that round alone");
}

/// "Loss: +0 point. Draw: +0.5 point. Win: +1 point."
#[test]
fn points() {
    let points = Tournament::of(6, "")
        .told(&["1-2 +, 3-4 =, 5-6 -"])
        .values("match-points");
    assert_eq!(points, ["1", "0", "0.5", "0.5", "0", "1"]);
}

/// "You are connected and your opponent is not, you win the game. You are not connected, you lose the game."
#[test]
fn connected_or_not() {
    let tournament = Tournament::of(6, "").told(&["1-2 +f, 3-4 -f, 5-6 0"]);
    assert_eq!(tournament.values("match-points"), ["1", "0", "0", "1", "0", "0"]);
    assert_eq!(
        tournament.values("WIN"),
        ["1", "0", "0", "1", "0", "0"],
        "a forfeit win counts as one"
    );
}

/// "If the number of participants to be paired in a round is odd, the participant who cannot be paired is exempted and thus
/// receives 1 point for that round. They can only be exempted once per tournament."
#[test]
fn odd_number() {
    let mut tournament = Tournament::of(5, "swiss.rounds = 5");
    let mut byes = Vec::new();
    for _ in 1..=5 {
        byes.push(tournament.pair().bye.expect("an odd number"));
        tournament.finish(by_rating);
    }
    assert_eq!(byes[0], PairingNumber(5), "all have nothing: the lowest rating");
    assert_eq!(
        byes[1],
        PairingNumber(4),
        "4 and 3 have nothing, and 4 is the lower rated"
    );
    byes.sort_unstable();
    byes.dedup();
    assert_eq!(byes.len(), 5, "nobody twice");

    let unrated = [Some("rating = 1500".to_owned()), None, Some("rating = 1400".to_owned())];
    let mut tournament = Tournament::rated(&unrated, "swiss.seeding = \"listed\"");
    assert_eq!(
        tournament.pair().bye,
        Some(PairingNumber(2)),
        "the unrated are the lowest"
    );
    // The point is no win; a forfeit win is one.
    let tournament = Tournament::of(3, "").told(&["1-2 +f, (3)"]);
    assert_eq!(tournament.values("match-points"), ["1", "0", "1"]);
    assert_eq!(tournament.values("WIN"), ["1", "0", "0"]);
}

/// "They can only be exempted once per tournament"; "you were not included in the matchmaking of a round: 0 point for this
/// round". Three of six stay away for good: nobody present may have the bye from round 4 on, and the event goes on.
#[test]
fn nobody_present_may_have_the_bye() {
    let mut tournament = Tournament::of(6, "swiss.rounds = 10");
    for player in [4, 5, 6].map(PairingNumber) {
        tournament.act(Act::Withdraw { player });
    }
    let mut again = Vec::new();
    for _ in 1..=10 {
        let pairing = tournament.pair();
        assert_eq!(pairing.pairs.len(), 1);
        again.extend(pairing.again);
        tournament.finish(by_rating);
    }
    assert!(event_is_over(&tournament.0));
    assert_eq!(again.len(), 7, "three exemptions, then nobody may have one");
    let rows = tournament.standings().rows;
    let byes = |present: bool| {
        rows.iter()
            .filter(move |row| (row.player.0 <= 3) == present)
            .map(|row| row.byes)
    };
    assert_eq!(byes(false).sum::<u32>(), 0, "who is absent has none");
    assert!(byes(true).all(|byes| (3..=4).contains(&byes)), "in turn: {rows:?}");
    assert_eq!(byes(true).sum::<u32>(), 10);
    // Ten games of one point and three exemptions of one.
    let points: Vec<u32> = tournament.values("match-points")[..3]
        .iter()
        .map(|points| points.parse().expect("whole points"))
        .collect();
    assert_eq!(points.iter().sum::<u32>(), 13, "{points:?}");
}

/// "If a player is disqualified for cheating after the tournament has concluded, they will be removed from the leaderboard.
/// Consequently, every player ranked below them will move up one position. The scores of all players will remain unchanged."
#[test]
fn disqualified_after_the_end() {
    let rounds = ["1-4 +, 5-2 -, 3-6 +", "1-2 =, 3-5 +, 6-4 -", "3-1 =, 2-4 +, 5-6 ="];
    let tournament = Tournament::of(6, "swiss.rounds = 3").told(&rounds);
    assert!(event_is_over(&tournament.0));
    check_struck(tournament, 3, &[(1, 2), (2, 1), (3, 4), (4, 5), (5, 6)]);
    // 1, 2 and 3 are level, and 1 and 2 won nothing from each other: a tie of all, which AROC settles. Without 2 the direct
    // encounter would put 1 before 3: but who stands below moves up, and no more.
    let rounds = ["1-2 =, 3-4 +", "1-3 +", "2-3 +", "3-5 ="];
    let more = format!("{SHORT}\nswiss.rounds = 4");
    let ratings = [2000, 1900, 1800, 1700, 1600, 1500].map(|rating| Some(format!("rating = {rating}")));
    let mut higher = ratings.clone();
    higher[3] = Some("rating = 1799\nratings = [2600]".to_owned());
    let tournament = Tournament::rated(&higher, &more).told(&rounds);
    assert_eq!(tournament.table()[..3], ["1 P3", "2 P2", "3 P1"]);
    check_struck(tournament, 2, &[(1, 3), (2, 1), (3, 5), (4, 4), (4, 6)]);
}

/// The table of a tournament that is over after somebody was disqualified, by the organizer and as another reading of it.
fn check_struck(mut tournament: Tournament, out: u32, expected: &[(u32, u32)]) {
    let player = PairingNumber(out);
    let before = tournament.standings();
    let setup = tournament.0.setup().clone();
    let rounds = tournament.0.rounds().len();
    let reread = rescore(&tournament.0, setup, rounds, &[player], &[]).after;
    tournament.act(Act::Disqualify { player, annul: false });
    for after in [tournament.standings(), reread] {
        let places: Vec<_> = after.rows.iter().map(|row| (row.place, row.player.0)).collect();
        assert_eq!(places, expected);
        for row in &after.rows {
            let same = before.rows.iter().find(|before| before.player == row.player);
            assert_eq!(same.map(|before| &before.cells), Some(&row.cells), "P{}", row.player);
        }
    }
}

/// "Technical problems, like connection issues, will not be grounds for contesting the course content or the outcome of a game":
/// whatever happens to an agent ends its game; only a game that has no result, because the runner or its machine failed, is
/// due.
#[test]
fn technical_trouble() {
    let mut tournament = Tournament::of(4, "swiss.rounds = 2");
    let pairing = tournament.pair();
    let none = BTreeSet::new();
    let due = |state: &State| schedule::next_for_slot(state, &none, &none, None).map(|id| id.board);
    assert_eq!(due(&tournament.0), Some(1));
    let told = |tournament: &mut Tournament, board: usize, termination: Termination| {
        let pair = pairing.pairs[board];
        tournament.game(board, pair, (Outcome::BlackWins, termination));
    };
    told(&mut tournament, 0, Termination::Crash { by: Side::White });
    assert_eq!(
        due(&tournament.0),
        Some(2),
        "it is lost, and not played again; the other board has no result"
    );
    told(&mut tournament, 1, Termination::Disconnect { by: Side::White });
    assert_eq!(due(&tournament.0), None);
    let lost = [pairing.pairs[0].white, pairing.pairs[1].white]
        .map(|player| tournament.values("match-points")[player.index()].clone());
    assert_eq!(lost, ["0", "0"]);
}
