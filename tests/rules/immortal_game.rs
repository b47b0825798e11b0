//! Immortal Game, "Swiss Tournament": a test a rule, in the order of its text. Tournaments are told as what was stored of them:
//! who met whom, and how it ended.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::json;
use swissmatch::config;
use swissmatch::game::Side;
use swissmatch::game::termination::{Outcome, Termination};
use swissmatch::pairing::history::{Pair, PairingNumber, RoundPairing};
use swissmatch::pairing::rounds::Format;
use swissmatch::standings::Standings;
use swissmatch::standings::explain::separation;
use swissmatch::tournament::director::{self, Next};
use swissmatch::tournament::event::{Event, GameFinished, LOG_VERSION, RoundPaired};
use swissmatch::tournament::rescore::rescore;
use swissmatch::tournament::schedule;
use swissmatch::tournament::setup::Setup;
use swissmatch::tournament::state::State;

const DAY: jiff::civil::Date = jiff::civil::date(2026, 1, 30);
/// Ratings by pairing number, 2000, 1900 and so on down.
const FALLING: i32 = 100;

/// A tournament by the preset, and what has happened in it.
struct Tournament(State);

impl Tournament {
    /// Of so many players, whose pairing numbers follow their ratings.
    fn of(players: u32, more: &str) -> Self {
        let rating = |number: i32| Some(format!("rating = {}", 2000 - (number - 1) * FALLING));
        Self::rated(&(1..=players.cast_signed()).map(rating).collect::<Vec<_>>(), more)
    }

    /// Of players with such lines of their own, whose pairing numbers follow the list.
    fn rated(players: &[Option<String>], more: &str) -> Self {
        let mut text = format!("preset = \"immortal-game\"\n{more}\n");
        for (number, line) in (1..).zip(players) {
            let line = line.as_deref().unwrap_or_default();
            text += &format!("[[player]]\nname = \"P{number}\"\ncommand = \"p\"\n{line}\n");
        }
        let loaded = config::load(Path::new("event.toml"), &text, &[]);
        let setup = loaded.unwrap_or_else(|error| panic!("{error}")).setup;
        let plan = setup.plan();
        assert_eq!(plan.format, Format::Swiss);
        let agent = json!({ "program": "p", "files": [], "introduction": null });
        let created = json!({
            "event": "created",
            "log_version": LOG_VERSION,
            "software": "0.0.0",
            "rounds": plan.rounds,
            "format": "swiss",
            "order": (0..players.len()).collect::<Vec<_>>(),
            "agents": vec![agent; players.len()],
            "openings": { "source": "none", "sha256": null, "count": 0 },
            "setup": setup,
        });
        let created: Event = serde_json::from_value(created).expect("an event");
        Self(State::fold(&[created]).expect("a log"))
    }

    /// Rounds as a person would write them down: `1-5 +` White won, `=` drawn, `-` Black won, `+f` and `-f` by forfeit, `0` neither
    /// came; `(3)` has the bye; who is not named was not there. Who meets whom is as written, whatever the system would say.
    fn told(mut self, rounds: &[&str]) -> Self {
        for (round, written) in (1..).zip(rounds) {
            let mut pairing = RoundPairing::default();
            let mut endings = Vec::new();
            for part in written.split(", ") {
                let number = |text: &str| PairingNumber(text.parse().expect("a number"));
                if let Some(bye) = part.strip_prefix('(') {
                    pairing.bye = Some(number(bye.trim_end_matches(')')));
                    continue;
                }
                let (players, ending) = part.split_once(' ').expect("players and result");
                let (white, black) = players.split_once('-').expect("two players");
                let (white, black, repeat) = (number(white), number(black), false);
                pairing.pairs.push(Pair { white, black, repeat });
                endings.push(ending);
            }
            self.paired(round, &pairing);
            self.finish(|at, _| endings[at].to_owned());
        }
        self
    }

    fn paired(&mut self, round: u32, pairing: &RoundPairing) {
        let paired: RoundPaired =
            serde_json::from_value(json!({ "round": round, "pairing": pairing })).expect("a round");
        self.0.apply(&Event::RoundPaired(paired)).expect("it can be paired so");
    }

    /// Ends all games of the round, board by board.
    fn finish(&mut self, mut ending: impl FnMut(usize, Pair) -> String) {
        let round = self.0.rounds().len();
        let pairs = self.0.rounds()[round - 1].pairing.pairs.clone();
        for (board, pair) in pairs.into_iter().enumerate() {
            self.game(board, pair, ended(&ending(board, pair)));
        }
    }

    fn game(&mut self, board: usize, pair: Pair, (outcome, termination): (Outcome, Termination)) {
        let game = json!({
            "id": { "round": self.0.rounds().len(), "mini_match": board + 1, "game": 1 },
            "white": pair.white,
            "black": pair.black,
            "outcome": outcome,
            "termination": termination,
            "plies": 40,
            "failed_attempts": [0, 0],
            "record": null,
        });
        let game: GameFinished = serde_json::from_value(game).expect("a game");
        self.0.apply(&Event::GameFinished(game)).expect("it was due");
    }

    /// Has the next round paired by the system.
    fn pair(&mut self) -> RoundPairing {
        let Next::Events(events) = director::next(&self.0, DAY).expect("a pairing") else {
            panic!("no round is next");
        };
        events.iter().for_each(|event| self.0.apply(event).expect("it is next"));
        self.0.rounds().last().expect("a round").pairing.clone()
    }

    fn standings(&self) -> Standings {
        self.0.standings(self.0.rounds().len())
    }

    /// Places and players in the order of the table, as `1 P2`.
    fn table(&self) -> Vec<String> {
        let rows = self.standings().rows.into_iter();
        rows.map(|row| format!("{} P{}", row.place, row.player)).collect()
    }

    /// What each player has by a criterion, by pairing number; `–` where it is not defined.
    fn values(&self, criterion: &str) -> Vec<String> {
        let standings = self.standings();
        let index = standings.position(&criterion.parse().expect("a criterion"));
        let index = index.expect("it is in the table");
        let mut rows = standings.rows;
        rows.sort_by_key(|row| row.player);
        let value = |cell: Option<_>| {
            cell.map_or_else(
                || "–".to_owned(),
                |value: swissmatch::standings::value::Value| value.to_string(),
            )
        };
        rows.iter().map(|row| value(row.cells[index].value)).collect()
    }

    /// The criterion that puts player 1 before player 2.
    fn first_before_second(&self) -> String {
        let standings = self.standings();
        let place = |number| {
            let row = standings.rows.iter().find(|row| row.player == PairingNumber(number));
            row.expect("in the table").place
        };
        assert!(place(1) < place(2), "{:?}", self.table());
        let index = separation(&standings, PairingNumber(1), PairingNumber(2));
        standings.criteria[index.expect("they are told apart")].to_string()
    }
}

/// How a game written so ended.
fn ended(written: &str) -> (Outcome, Termination) {
    match written {
        "+" => (Outcome::WhiteWins, Termination::Checkmate),
        "=" => (Outcome::Draw, Termination::Stalemate),
        "-" => (Outcome::BlackWins, Termination::Checkmate),
        "+f" => Termination::not_started([true, false]),
        "-f" => Termination::not_started([false, true]),
        "0" => Termination::not_started([false, false]),
        other => panic!("{other}"),
    }
}

/// The better rated always wins.
fn by_rating(_: usize, pair: Pair) -> String {
    if pair.white < pair.black { "+" } else { "-" }.to_owned()
}

/// The pairs without colours, the smaller number first.
fn couples(pairing: &RoundPairing) -> Vec<(u32, u32)> {
    let couple = |pair: &Pair| (pair.white.min(pair.black).0, pair.white.max(pair.black).0);
    pairing.pairs.iter().map(couple).collect()
}

fn setup(more: &str) -> Setup {
    crate::event("immortal-game", more)
}

/// "A Swiss tournament has a defined number of rounds. Each player plays in every round."
#[test]
fn a_defined_number_of_rounds_in_which_everybody_plays() {
    let mut tournament = Tournament::of(8, "swiss.rounds = 3");
    for _ in 0..3 {
        assert_eq!(tournament.pair().pairs.len(), 4);
        tournament.finish(by_rating);
    }
    assert!(tournament.0.is_over());
    assert_eq!(director::next(&tournament.0, DAY), Ok(Next::Nothing));
    for players in 2..40 {
        let plan = setup("").swiss.rounds.plan(players);
        assert_eq!(plan.format, Format::Swiss, "{players} players");
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
    let points = |number| tournament.0.history(2).player(number).points;
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

/// "Loss: +0 point. Draw: +0.5 point. Win: +1 point." "You are connected and your opponent is not, you win the game. You are not
/// connected, you lose the game."
#[test]
fn points() {
    let told = ["1-2 +, 3-4 =, 5-6 -, 7-8 +f, 9-10 -f, 11-12 0"];
    let points = Tournament::of(12, "").told(&told).values("match-points");
    assert_eq!(points, ["1", "0", "0.5", "0.5", "0", "1", "1", "0", "0", "1", "0", "0"]);
    // "You were not included in the matchmaking of a round: 0 point for this round."
    assert_eq!(
        Tournament::of(3, "").told(&["1-2 +"]).values("match-points"),
        ["1", "0", "0"]
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

const CUT_1: &str = "BH/C1";
const DIRECT_ENCOUNTER: &str = "immortal-direct-encounter";
const AROC: &str = "ARO/C1";

/// Every number of a small tournament.
#[test]
fn tie_breaks_worked() {
    let tournament = Tournament::of(6, "").told(&["1-4 +, 5-2 -, 3-6 +", "1-2 =, 3-5 +, 6-4 -", "3-1 =, 2-4 +, 5-6 ="]);
    let order: Vec<String> = setup("").standings.order.iter().map(ToString::to_string).collect();
    assert_eq!(
        order,
        ["match-points", CUT_1, "BH", "SB", "WIN", "BWG", DIRECT_ENCOUNTER, AROC]
    );
    assert_eq!(
        tournament.values("match-points"),
        ["2", "2.5", "2.5", "1", "0.5", "0.5"]
    );
    // 1 met 4, 2 and 3: 1 + 2.5 + 2.5, without the 1; and so on.
    assert_eq!(tournament.values(CUT_1), ["5", "3", "2.5", "4.5", "5", "3.5"]);
    assert_eq!(tournament.values("BH"), ["6", "3.5", "3", "5", "5.5", "4"]);
    // 1 beat 4 and drew with 2 and 3: 1 + 2.5/2 + 2.5/2.
    assert_eq!(tournament.values("SB"), ["3.5", "2.5", "2", "0.5", "0.25", "0.25"]);
    assert_eq!(tournament.values("WIN"), ["1", "2", "2", "1", "0", "0"]);
    assert_eq!(tournament.values("BWG"), ["0", "1", "0", "1", "0", "0"]);
    // 1 met 1700, 1900 and 1800, without the 1700.
    assert_eq!(
        tournament.values(AROC),
        ["1850", "1850", "1800", "1950", "1850", "1750"]
    );
    assert_eq!(tournament.table(), ["1 P2", "2 P3", "3 P1", "4 P4", "5 P5", "6 P6"]);
}

/// 1 and 2 are level on all that comes before a criterion, and it tells them apart.
fn separates(criterion: &str, rounds: &[&str], [first, second]: [&str; 2]) {
    let tournament = Tournament::of(8, "").told(rounds);
    let values = tournament.values(criterion);
    assert_eq!([values[0].as_str(), values[1].as_str()], [first, second], "{criterion}");
    assert_eq!(tournament.first_before_second(), criterion);
}

#[test]
fn tie_breaks_1_buchholz_cut_1() {
    separates(CUT_1, &["1-3 +, 2-4 +", "1-5 +, 2-6 +, 3-7 +", "5-8 +"], ["1", "0"]);
}

#[test]
fn tie_breaks_2_buchholz() {
    // 1 met 3 with 2 points and 5 with 1, 2 met 4 with 2 and 6 with none. Neither played in the last round.
    let rounds = ["1-3 +, 2-4 +, 5-7 +", "1-5 +, 2-6 +, 3-7 +, 4-8 +", "3-8 +, 4-7 +"];
    separates("BH", &rounds, ["3", "2"]);
}

#[test]
fn tie_breaks_3_sonneborn_berger() {
    // 1 beat the one who has 2 points and lost to the one who has 1; 2 did it the other way round.
    let rounds = ["1-3 +, 4-2 +", "5-1 +, 2-6 +, 3-7 +, 4-8 +", "3-8 +, 6-7 +"];
    separates("SB", &rounds, ["2", "1"]);
}

#[test]
fn tie_breaks_4_number_of_wins() {
    // All whom they met have 1 point: a win and a loss against two draws.
    separates(
        "WIN",
        &["1-3 +, 2-4 =, 6-7 =", "5-1 +, 6-2 =, 3-7 +, 4-8 ="],
        ["1", "0"],
    );
}

#[test]
fn tie_breaks_5_number_of_wins_with_the_black_pieces() {
    separates("BWG", &["3-1 -, 2-4 +"], ["1", "0"]);
}

#[test]
fn tie_breaks_6_direct_encounter() {
    // 1 beat 2, lost to 5, who has 2 points, and beat 6; 2 beat 3, who has 2, and 4.
    let rounds = ["1-2 +, 3-7 +, 5-8 +", "2-3 +, 5-1 +", "2-4 +, 1-6 +, 3-8 +"];
    separates(DIRECT_ENCOUNTER, &rounds, ["1", "2"]);
}

#[test]
fn tie_breaks_7_average_rating_of_opponents_cut_1() {
    // 1 met 3, 5 and 7, rated 1800, 1600 and 1400; 2 met 4, 6 and 8.
    let rounds = ["1-3 +, 2-4 +", "1-5 +, 2-6 +", "1-7 +, 2-8 +"];
    separates(AROC, &rounds, ["1700", "1600"]);
    // Nothing is rounded: a mean of 1500.5 is more than one of 1500.
    let ratings = [2000, 1900, 1501, 1500, 1500, 1500, 1000, 1000].map(|rating| Some(format!("rating = {rating}")));
    let tournament = Tournament::rated(&ratings, "").told(&rounds);
    assert_eq!(tournament.values(AROC)[..2], ["1500.5", "1500"]);
    assert_eq!(tournament.first_before_second(), AROC);
}

/// "Opponent rating is based on rating at the start of each round."
#[test]
fn tie_breaks_7_ratings_at_the_start_of_each_round() {
    let ratings = [
        "rating = 2000",
        "rating = 1900",
        "rating = 1800\nratings = [1800, 1850, 1900]",
        "rating = 1700",
    ];
    let tournament = |rounds: &[&str]| {
        let ratings = ratings.map(|line| Some(line.to_owned()));
        Tournament::rated(&ratings, "swiss.rounds = 3")
            .told(rounds)
            .values(AROC)[0]
            .clone()
    };
    assert_eq!(tournament(&["1-3 +", "1-4 +"]), "1800");
    assert_eq!(tournament(&["1-4 +", "1-3 +"]), "1850");
    assert_eq!(tournament(&["1-4 +", "2-4 +", "1-3 +"]), "1900");
}

/// Only the points, the direct encounter and AROC rank, so that few games make a case.
const SHORT: &str = "standings.order = [\"match-points\", \"immortal-direct-encounter\", \"ARO/C1\"]\n\
                     standings.columns = [\"match-points\"]";

/// "If all tied players have played against each other, then the player with the most points out of those games is the winner":
/// that one is placed, the rest go on.
#[test]
fn direct_encounter_whoever_is_alone_on_top_is_placed_and_the_rest_go_on() {
    let rounds = ["1-2 +, 3-4 +", "1-3 +, 2-4 +", "2-3 =, 4-1 +", "2-5 =, 3-6 ="];
    let tournament = Tournament::of(6, SHORT).told(&rounds);
    assert_eq!(tournament.values("match-points")[..3], ["2", "2", "2"]);
    assert_eq!(tournament.values(DIRECT_ENCOUNTER)[..3], ["1", "2", "2"]);
    // 2 met 2000, 1800, 1700 and 1600; 3 met 2000, 1900, 1700 and 1500, of which the mean is 1866.67.
    assert_eq!(tournament.values(AROC)[1..3], ["1833.33", "1866.67"]);
    assert_eq!(tournament.table()[..3], ["1 P1", "2 P3", "3 P2"]);
}

/// "If … there is a tie for points within those games, then it is still a tie", for all of them.
#[test]
fn direct_encounter_a_tie_on_top_is_still_a_tie_of_all() {
    let tournament = Tournament::of(6, SHORT).told(&["1-2 =, 3-4 +", "1-3 +", "2-3 +", "3-5 ="]);
    assert_eq!(tournament.values("match-points")[..3], ["1.5", "1.5", "1.5"]);
    assert_eq!(tournament.values(DIRECT_ENCOUNTER)[..3], ["–", "–", "–"]);
    assert_eq!(tournament.table()[..3], ["1 P2", "2 P1", "3 P3"], "by AROC");
}

/// "If the tied players have not all played each other …, then it is still a tie."
#[test]
fn direct_encounter_only_if_all_tied_have_met() {
    // 1 beat 2, and neither has met 3.
    let tournament = Tournament::of(7, SHORT).told(&["1-2 +, 3-5 +", "1-6 -, 2-4 +, 3-7 -"]);
    assert_eq!(tournament.values("match-points")[..3], ["1", "1", "1"]);
    assert_eq!(tournament.values(DIRECT_ENCOUNTER)[..3], ["–", "–", "–"]);
    assert_eq!(tournament.table()[..3], ["1 P2", "2 P1", "3 P3"], "by AROC");
}

/// "Each player you played against."
#[test]
fn unplayed_rounds_in_tie_breaks() {
    // 1 had the bye, beat 2, and was away; 3 won by forfeit, beat 4 and lost to 5.
    let tournament = Tournament::of(6, "").told(&["(1), 3-6 +f, 2-5 +", "1-2 +, 3-4 +, 5-6 +", "5-3 +, 2-4 +"]);
    assert_eq!(tournament.values("match-points"), ["2", "2", "2", "0", "2", "0"]);
    // Of 1 only the game with 2 counts, and what the cut removes is that game.
    let of = |criterion: &str| {
        let values = tournament.values(criterion);
        [values[0].clone(), values[2].clone()]
    };
    assert_eq!(of("BH"), ["2", "2"], "3 met 4 and 5, the forfeit was no game");
    assert_eq!(of(CUT_1), ["0", "2"]);
    assert_eq!(of("SB"), ["2", "0"]);
    assert_eq!(of("WIN"), ["1", "2"], "the bye is no win, the forfeit is one");
    assert_eq!(of(AROC), ["–", "1700"]);
}

/// "If a player is disqualified for cheating after the tournament has concluded, they will be removed from the leaderboard.
/// Consequently, every player ranked below them will move up one position. The scores of all players will remain unchanged."
#[test]
fn disqualified_after_the_end() {
    let rounds = ["1-4 +, 5-2 -, 3-6 +", "1-2 =, 3-5 +, 6-4 -", "3-1 =, 2-4 +, 5-6 ="];
    let tournament = Tournament::of(6, "swiss.rounds = 3").told(&rounds);
    assert!(tournament.0.is_over());
    let setup = tournament.0.setup().clone();
    let ranked = rescore(&tournament.0, setup, 3, &[PairingNumber(3)]);
    let places: Vec<_> = ranked.after.rows.iter().map(|row| (row.place, row.player.0)).collect();
    assert_eq!(places, [(1, 2), (2, 1), (3, 4), (4, 5), (5, 6)]);
    for row in &ranked.after.rows {
        let before = ranked.before.rows.iter().find(|before| before.player == row.player);
        assert_eq!(before.map(|before| &before.cells), Some(&row.cells), "P{}", row.player);
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
    let due = |state: &State| schedule::next_for_slot(state, &none, &none, None).map(|id| id.mini_match);
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
