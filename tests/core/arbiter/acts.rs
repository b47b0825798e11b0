//! What each act does, and when it is refused.

use swiss_system::pairing::difference::{ColorComparison, difference};
use swiss_system::pairing::{dutch, file};
use swiss_system::score::Points;
use swiss_system::standings::file as standings;
use swiss_system::standings::results::PlayerRound;
use swiss_system::trf::read;
use swiss_system::word::Word as _;
use swissmatch::game::termination::Outcome;
use swissmatch::report::games;
use swissmatch::report::trf::{self, View};
use swissmatch::tournament::arbiter::decide::ActError;
use swissmatch::tournament::director;
use swissmatch::tournament::log::{Act, ByeWorth};
use swissmatch::tournament::ranking::standings_after;
use swissmatch::tournament::results::results_after;
use swissmatch::tournament::ties::event_is_over;

use super::{Played, entry, game, player, setup};

const ONE_GAME: &str = "[mini_match]\ngames = 1\nopenings = \"none\"\n";

fn swiss(rounds: u32, more: &str, players: usize) -> Played {
    let keys = format!("[swiss]\nrounds = {rounds}\n[mini_match]\ngames = 1\nopenings = \"none\"\n{more}");
    Played::new(setup("global-chess-challenge", &keys, players))
}

fn sentence(refused: Result<(), ActError>) -> String {
    refused.expect_err("it cannot be done").to_string()
}

#[test]
fn who_withdraws_is_paired_no_more_and_keeps_its_points() {
    let mut event = swiss(3, "", 4);
    event.round();
    event
        .act(Act::Withdraw { player: player(1) })
        .expect("a round is to come");
    event.round();
    assert!(!event.paired(2).contains(&player(1)));
    let listed = event.points().contains(&("A".to_owned(), Points::ONE));
    assert!(listed, "with its point");
    assert_eq!(
        sentence(event.act(Act::Withdraw { player: player(1) })),
        "A (1) has already withdrawn"
    );
    event
        .act(Act::Reinstate { player: player(1) })
        .expect("it had withdrawn");
    assert!(event.advance().expect("a pairing"));
    assert!(event.paired(3).contains(&player(1)));
    assert_eq!(
        sentence(event.act(Act::Withdraw { player: player(2) })),
        "all rounds are already paired; `disqualify` takes a player off the list"
    );
    event.play_so(|_, _| Outcome::Draw);
    assert_eq!(
        sentence(event.act(Act::Withdraw { player: player(2) })),
        "the event is over; `disqualify` takes a player off the list"
    );
}

#[test]
fn who_withdraws_from_an_all_play_all_forfeits_the_rest() {
    let keys = format!("[swiss]\nrounds = \"RR\"\n{ONE_GAME}");
    let mut event = Played::new(setup("none", &keys, 4));
    event.round();
    event
        .act(Act::Withdraw { player: player(1) })
        .expect("rounds are to come");
    event.round();
    event.round();
    assert!(event_is_over(&event.state));
    let forfeits = event
        .state
        .finished_games()
        .filter(|game| !game.finished.termination.was_played());
    assert_eq!(forfeits.count(), 2);
    assert_eq!(event.points()[0].0, "B", "two games won and one by forfeit");
}

#[test]
fn who_is_disqualified_leaves_the_list_and_nobodys_points_change() {
    let mut event = swiss(2, "", 4);
    event.round();
    event.round();
    let before = event.points();
    event
        .act(Act::Disqualify {
            player: player(1),
            annul: false,
        })
        .expect("at any time");
    let rest: Vec<_> = before.into_iter().filter(|(name, _)| name != "A").collect();
    assert_eq!(event.points(), rest);
    assert_eq!(
        standings_after(&event.state, 2).rows[0].place,
        1,
        "everyone below moves up"
    );
    assert!(event_is_over(&event.state));
}

#[test]
fn annulled_results_count_for_nobody() {
    let mut event = swiss(2, "", 4);
    event.round();
    event.round();
    event
        .act(Act::Disqualify {
            player: player(4),
            annul: true,
        })
        .expect("at any time");
    // D lost to A, B or C: two of them lose a point.
    let sum: Points = event.points().iter().map(|(_, points)| *points).sum();
    assert_eq!(sum, Points::whole(2));
    let disqualify = |annul| Act::Disqualify {
        player: player(4),
        annul,
    };
    assert_eq!(
        sentence(event.act(disqualify(false))),
        "D (4) is disqualified and its results are annulled; `reinstate` undoes that"
    );
    assert_eq!(sentence(event.act(disqualify(true))), "D (4) is already disqualified");
    event.act(Act::Reinstate { player: player(4) }).expect("it is out");
    event.act(disqualify(false)).expect("it is back");
    let sum: Points = event.points().iter().map(|(_, points)| *points).sum();
    assert_eq!(sum, Points::whole(4), "who won against D has the points again");
}

#[test]
fn a_late_entry_has_nothing_for_what_it_missed() {
    let mut event = swiss(5, "[registration]\nuntil = \"half\"\n", 4);
    event.round();
    let late = entry(event.state.setup(), "Late");
    event.act(late.clone()).expect("one of five rounds has been played");
    let refused = "Late reads like Late, who is already playing; names must differ in more than upper and lower case, invisible \
                   characters, and letters that look the same";
    assert_eq!(sentence(event.act(late)), refused);
    let like_it = entry(event.state.setup(), "l\u{200b}ATE");
    assert_eq!(
        sentence(event.act(like_it)),
        refused.replacen("Late", "l\u{200b}ATE (l\\u{200b}ATE)", 1)
    );
    event.round();
    assert!(event.paired(2).contains(&player(5)), "it has the next number");
    let too_late = entry(event.state.setup(), "Too late");
    assert_eq!(
        sentence(event.act(too_late)),
        "registration was open until 2 of 5 rounds had been played, and 2 have been; `--overrule` does it anyway"
    );
    let results = results_after(&event.state, 2);
    assert_eq!(results.players[4].rounds[0].points, Points::ZERO);
}

#[test]
fn a_late_entry_may_have_half_points_for_what_it_missed() {
    let keys = "[registration]\nuntil = 2\nmissed = \"half-point\"\n";
    let mut event = swiss(3, keys, 4);
    event.round();
    event.act(entry(event.state.setup(), "Late")).expect("open");
    event.round();
    assert_eq!(results_after(&event.state, 2).players[4].rounds[0].points, Points::HALF);
}

#[test]
fn registration_is_closed_unless_the_event_opens_it() {
    let mut event = swiss(3, "", 4);
    assert_eq!(
        sentence(event.act(entry(event.state.setup(), "Late"))),
        "registration is closed: registration.until allows no late entries; `--overrule` does it anyway"
    );
}

#[test]
fn a_bye_is_asked_for_before_its_round_and_within_the_limit() {
    let mut event = swiss(4, "[bye]\nrequests = [{ rounds = 5, byes = 1 }]\n", 4);
    let ask = |round| Act::RequestBye {
        player: player(2),
        round,
    };
    event.round();
    assert_eq!(sentence(event.act(ask(1))), "round 1 has already been paired");
    event.act(ask(3)).expect("one is allowed");
    assert_eq!(
        sentence(event.act(ask(4))),
        "B (2) has asked for 1 bye, and bye.requests allows 1; `--overrule` does it anyway"
    );
    event.round();
    event.round();
    assert!(!event.paired(3).contains(&player(2)));
    assert_eq!(results_after(&event.state, 3).players[1].rounds[2].points, Points::HALF);
    let byes = event.state.rounds()[2].pairing.bye;
    assert!(byes.is_some(), "three are left to be paired");
}

#[test]
fn byes_of_the_event_file_are_had() {
    let mut setup = setup(
        "us-chess",
        "[swiss]\nrounds = \"4-SS\"\n[mini_match]\nopenings = \"none\"\n",
        4,
    );
    setup.players[2].byes = vec![2];
    let mut event = Played::new(setup);
    event.round();
    event.round();
    assert!(!event.paired(2).contains(&player(3)));
    assert_eq!(results_after(&event.state, 2).players[2].rounds[1].points, Points::HALF);
}

#[test]
fn a_bye_can_be_awarded_for_a_round_without_a_game() {
    let mut event = swiss(3, "", 4);
    event
        .act(Act::Absent {
            player: player(4),
            round: 1,
        })
        .expect("to come");
    event.round();
    let award = |player, round, worth| Act::AwardBye { player, round, worth };
    event.act(award(player(4), 1, ByeWorth::Full)).expect("it was absent");
    assert_eq!(results_after(&event.state, 1).players[3].rounds[0].points, Points::ONE);
    let had = sentence(event.act(award(player(1), 1, ByeWorth::Half)));
    assert!(had.starts_with("A (1) "), "{had}");
    event.act(award(player(1), 2, ByeWorth::Zero)).expect("a round to come");
    event.round();
    assert!(!event.paired(2).contains(&player(1)));
}

#[test]
fn an_absence_can_be_taken_back() {
    let mut event = swiss(3, "", 4);
    let absent = Act::Absent {
        player: player(4),
        round: 1,
    };
    event.act(absent.clone()).expect("to come");
    assert_eq!(sentence(event.act(absent)), "that is already noted for D (4)");
    event
        .act(Act::Present {
            player: player(4),
            round: 1,
        })
        .expect("it had been noted as absent");
    event.round();
    assert!(event.paired(1).contains(&player(4)));
}

#[test]
fn pairs_can_be_forbidden_and_forced_for_the_coming_round() {
    let mut event = swiss(3, "", 4);
    event
        .act(Act::Force {
            white: player(2),
            black: player(1),
            round: 1,
        })
        .expect("the coming round");
    event.round();
    let pair = event.state.rounds()[0].pairing.pairs[0];
    assert_eq!((pair.white, pair.black), (player(2), player(1)));
    // A and C have won; they would meet.
    event
        .act(Act::Forbid {
            one: player(1),
            other: player(3),
            round: 2,
        })
        .expect("the coming round");
    event.round();
    let met = |one, other| {
        let pairs = &event.state.rounds()[1].pairing.pairs;
        pairs
            .iter()
            .any(|pair| [pair.white, pair.black] == [one, other] || [pair.black, pair.white] == [one, other])
    };
    assert!(!met(player(1), player(3)));
    let later = event.act(Act::Forbid {
        one: player(1),
        other: player(4),
        round: 2,
    });
    assert_eq!(sentence(later), "round 2 has already been paired");
}

#[test]
fn what_was_forbidden_and_forced_stands_in_the_tournament_file() {
    let swiss = "[swiss]\nrounds = 4\npairing = \"dutch\"\ncolor = \"first-game\"\ninitial_color = \"white\"\n";
    let mut event = Played::new(setup("global-chess-challenge", &format!("{swiss}{ONE_GAME}"), 7));
    let forbid = |one, other, round| Act::Forbid {
        one: player(one),
        other: player(other),
        round,
    };
    let force = |white, black, round| Act::Force {
        white: player(white),
        black: player(black),
        round,
    };
    event.act(force(2, 1, 1)).expect("the coming round");
    event.round();
    event.act(forbid(2, 6, 2)).expect("the coming round");
    event.round();
    event.act(forbid(1, 4, 3)).expect("the coming round");
    event.act(force(3, 2, 3)).expect("the coming round");
    event.round();
    // What the system does anyway changes nothing, so that nothing is said of it.
    let fourth = director::pairing_after(&event.state, 3).expect("a pairing");
    let anyway = fourth.pairs[1];
    event
        .act(force(anyway.white.0, anyway.black.0, 4))
        .expect("the coming round");
    event.round();
    assert_eq!(event.state.rounds()[3].pairing, fourth);
    let text = trf::text(&event.state, View::Individual, 99).expect("a file holds it");
    let tournament = read(text.as_bytes()).expect("it is read").tournament;
    // Each system, told what the file tells, gives each round as it was played, but for what the comments say.
    let mut altered = Vec::new();
    for round in 1..=4 {
        let before = file::before_round(&tournament, round).expect("it can be paired");
        let system = dutch::pair(&before.history, &before.rules).expect("a pairing");
        let played = file::pairing_of_round(&tournament, round);
        if difference(&system, &played, ColorComparison::Compared).is_some() {
            let by_hand = file::altered(&tournament, round, &system, ColorComparison::Compared).expect("a comment");
            assert_eq!(
                difference(&by_hand, &played, ColorComparison::Compared),
                None,
                "round {round}:\n{text}"
            );
            altered.push(round);
        }
    }
    assert_eq!(altered, [1, 3]);
    let comments = |code: &str| {
        text.lines()
            .filter(|line| line.starts_with(code))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(comments("260"), ["260   2   2    2    6", "260   3   3    1    4"]);
    let rounds: Vec<String> = comments("### MPA").iter().map(|line| line[..17].to_owned()).collect();
    assert_eq!(rounds, ["### MPA @ Round 1", "### MPA @ Round 3"]);
    // As it stood after round 1, nothing was forbidden.
    let after_1 = trf::text(&event.state, View::Teams, 1).expect("a file holds it");
    assert!(
        !after_1.contains("\n260") && after_1.contains("### MPA @ Round 1: "),
        "{after_1}"
    );
}

#[test]
fn the_view_as_teams_has_byes_that_were_given() {
    for scoring in ["", "[scoring]\nmatch = [3, 1, 0]\ngame = [2, 1, 0]\n"] {
        let keys = format!("[swiss]\nrounds = 3\n[mini_match]\ngames = 2\nopenings = \"none\"\n{scoring}");
        let mut event = Played::new(setup("global-chess-challenge", &keys, 7));
        let award = |player, round, worth| Act::AwardBye { player, round, worth };
        for (number, round, worth) in [
            (1, 1, ByeWorth::Full),
            (2, 1, ByeWorth::Half),
            (3, 2, ByeWorth::Half),
            (4, 2, ByeWorth::Half),
            (5, 2, ByeWorth::Zero),
        ] {
            event.act(award(player(number), round, worth)).expect("a round to come");
        }
        for _ in 0..3 {
            event.round();
        }
        let text = trf::text(&event.state, View::Teams, 99).expect("a file holds it");
        let byes: Vec<&str> = text.lines().filter(|line| line.starts_with("240")).collect();
        assert_eq!(
            byes,
            ["240 F   1    1", "240 H   1    2", "240 H   2    3    4"],
            "{text}"
        );
        let reading = read(text.as_bytes()).expect("it is read");
        assert_eq!(standings::doubts(&reading), Vec::<String>::new(), "{text}");
        let read = standings::results(&reading.tournament, None, None, 1).expect("it is ranked");
        let played = results_after(&event.state, 3);
        for (read, played) in read.players.iter().zip(&played.players) {
            let points = |rounds: &[PlayerRound]| -> Vec<(Points, Points)> {
                rounds.iter().map(|round| (round.points, round.game_points)).collect()
            };
            assert_eq!(points(&read.rounds), points(&played.rounds), "{text}");
        }
    }
}

#[test]
fn a_round_has_a_pairing_whatever_is_forbidden() {
    let mut event = swiss(1, "", 4);
    let forbid = |other| Act::Forbid {
        one: player(1),
        other: player(other),
        round: 1,
    };
    event.act(forbid(2)).expect("others are left");
    event.act(forbid(3)).expect("one is left");
    let last = sentence(event.act(forbid(4)));
    assert!(last.starts_with("the round would have no pairing"), "{last}");
    event.round();
}

#[test]
fn a_game_is_replayed_while_nothing_rests_on_it() {
    let mut event = swiss(2, "", 4);
    event.round();
    event.act(Act::Replay { game: game(1, 1, 1) }).expect("the last round");
    assert_eq!(event.due(), Some(game(1, 1, 1)), "due again");
    assert_eq!(event.advance(), Ok(false), "no round is paired meanwhile");
    event.finish(game(1, 1, 1), Outcome::Draw);
    event.round();
    assert_eq!(
        sentence(event.act(Act::Replay { game: game(1, 1, 1) })),
        "what came after game 1.1.1 was paired on its result, so it cannot be played again; `set-result` gives it another result, and `void` makes it \
         count for nothing"
    );
}

#[test]
fn no_round_of_a_table_was_paired_on_a_result() {
    let keys = "[swiss]\nrounds = \"RR\"\n[mini_match]\ngames = 1\nopenings = \"none\"\n";
    let mut event = Played::new(setup("global-chess-challenge", keys, 4));
    event.round();
    event.round();
    assert_eq!(
        sentence(event.act(Act::Replay { game: game(1, 1, 1) })),
        "a round after game 1.1.1 has begun, so it cannot be played again; `set-result` gives it another result, and `void` makes it \
         count for nothing"
    );
    event
        .act(Act::Void { game: game(1, 1, 1) })
        .expect("nothing rests on it");
    assert_eq!(
        event.minutes()[0].effect,
        ["The standings change at once; rounds that are paired stay as they are."]
    );
    let mut event = swiss(3, "", 4);
    event.round();
    event.round();
    event
        .act(Act::Void { game: game(1, 1, 1) })
        .expect("nothing rests on it");
    assert_eq!(
        event.minutes()[0].effect[1],
        "Round 2 was paired on the earlier result."
    );
}

#[test]
fn results_can_be_set_and_voided() {
    let mut event = swiss(2, "", 2);
    event.round();
    let set = |outcome| Act::SetResult {
        game: game(1, 1, 1),
        outcome,
    };
    event.act(set(Outcome::Draw)).expect("it has ended");
    assert!(event.points().iter().all(|(_, points)| *points == Points::HALF));
    assert_eq!(
        sentence(event.act(set(Outcome::Draw))),
        "game 1.1.1 already has that result"
    );
    event.act(set(Outcome::BothLose)).expect("another result");
    assert!(event.points().iter().all(|(_, points)| *points == Points::ZERO));
    event.act(Act::Void { game: game(1, 1, 1) }).expect("it has ended");
    let results = results_after(&event.state, 1);
    assert_eq!(results.players[0].counted_rounds(0), 0, "as if it had not been");
    event
        .act(Act::AwardBye {
            player: player(1),
            round: 1,
            worth: ByeWorth::Half,
        })
        .expect("its round counts for nothing");
    assert_eq!(event.points()[0], ("A".to_owned(), Points::HALF));
    event.act(set(Outcome::WhiteWins)).expect("it counts again");
    let results = results_after(&event.state, 1);
    let fates = [0, 1].map(|player: usize| results.players[player].rounds[0].fate.played());
    assert_eq!(fates, [Some(player(2)), Some(player(1))], "the award lapses with it");
}

#[test]
fn a_game_that_is_not_played_can_be_given_a_result() {
    let mut event = swiss(2, "", 2);
    assert!(event.advance().expect("a pairing"));
    let unplayed = sentence(event.act(Act::SetResult {
        game: game(1, 1, 1),
        outcome: Outcome::Draw,
    }));
    assert_eq!(
        unplayed,
        "game 1.1.1 has not been played yet; `arbiter adjudicate` gives it a result"
    );
    event
        .act(Act::Adjudicate {
            game: game(1, 1, 1),
            outcome: Outcome::WhiteWins,
        })
        .expect("it is due");
    assert_eq!(event.due(), None);
    assert!(event.state.rounds()[0].is_over());
}

#[test]
fn the_event_is_paused_once_and_resumed_once() {
    let mut event = swiss(2, "", 2);
    assert_eq!(sentence(event.act(Act::Resume)), "the event is not paused");
    event.act(Act::Pause).expect("it is not over");
    assert_eq!(
        sentence(event.act(Act::Pause)),
        "the event is already paused, by the arbiter: a test"
    );
    event.act(Act::Resume).expect("it is paused");
    event.round();
    event.round();
    assert_eq!(sentence(event.act(Act::Pause)), "the event is over");
}

#[test]
fn who_is_absent_from_a_knockout_forfeits_and_is_out() {
    let keys = format!("[swiss]\nrounds = \"knockout\"\n{ONE_GAME}");
    let mut event = Played::new(setup("none", &keys, 8));
    event.round();
    let absent = Act::Absent {
        player: player(1),
        round: 2,
    };
    event.act(absent).expect("to come");
    event.round();
    let games = event
        .state
        .finished_games()
        .filter(|game| !game.finished.termination.was_played());
    assert_eq!(games.count(), 1, "its own");
    event.round();
    assert!(event_is_over(&event.state));
    assert!(!event.paired(3).contains(&player(1)));
}

#[test]
fn lists_of_games_have_rulings_what_was_before_them_and_replays() {
    let mut event = swiss(2, "", 4);
    event.round();
    let [first, second] = [game(1, 1, 1), game(1, 2, 1)];
    event.act(Act::Replay { game: second }).expect("the last round");
    event.finish(second, Outcome::Draw);
    let had = event
        .state
        .finished_games()
        .find(|game| game.finished.id == first)
        .map(|game| game.outcome());
    event.act(Act::Void { game: first }).expect("nothing rests on it");
    event
        .act(Act::SetResult {
            game: second,
            outcome: Outcome::BlackWins,
        })
        .expect("a drawn game");
    let listed: Vec<_> = event.state.finished_games().collect();
    let document: serde_json::Value = serde_json::from_str(&games::json(&event.state, &listed)).expect("JSON");
    let of = |key: &str| {
        document["games"]
            .as_array()
            .expect("games")
            .iter()
            .map(|game| game[key].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(of("ruling"), ["void", "set"]);
    assert_eq!(of("replays"), [0, 1]);
    assert_eq!(of("annulled"), [false, false]);
    let ended: Vec<_> = of("ended_as").iter().map(|ended| ended["result"].clone()).collect();
    assert_eq!(ended, [had.expect("it has ended").word(), "1/2-1/2"]);
    let csv = games::table(&event.state, &listed).csv();
    assert!(
        csv.lines()
            .next()
            .expect("a header")
            .ends_with("Plies played,Ruling,Ended as,Annulled,Replays"),
        "{csv}"
    );
    event
        .act(Act::Disqualify {
            player: player(1),
            annul: true,
        })
        .expect("it plays");
    let listed: Vec<_> = event.state.finished_games().collect();
    assert!(games::json(&event.state, &listed).contains("\"annulled\": true"));
}
