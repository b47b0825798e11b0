//! Random tournaments of all kinds, each from a number: what the standings are given, not what a pairing system would make.
//!
//! May not: compute a tie-break.

use swiss_system::lot;
use swiss_system::lot::Draws;
use swiss_system::pairing::history::FirstColor;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::score::Points;
use swiss_system::standings::results::Bye;
use swiss_system::standings::results::GameCounts;
use swiss_system::standings::results::MatchResult;
use swiss_system::standings::results::PlayerResults;
use swiss_system::standings::results::PlayerRound;
use swiss_system::standings::results::Results;
use swiss_system::standings::results::ResultsFormat;
use swiss_system::standings::results::RoundFate;
use swiss_system::standings::results::Worth;

/// A win, a draw, a loss.
type Scoring = [Points; 3];

/// Half points.
const fn halves(win: i64, draw: i64, loss: i64) -> Scoring {
    [Points::halves(win), Points::halves(draw), Points::halves(loss)]
}

/// What is not drawn round by round.
struct Kind {
    /// Chance in a hundred of each trouble.
    trouble: u64,
    scoring: Scoring,
    game_scoring: Scoring,
    /// Games of a mini-match; 1: no mini-matches.
    games: u32,
    /// For each player the first round played and the first one no more.
    stay: Vec<(usize, usize)>,
}

/// A tournament.
pub(crate) fn results(seed: u64) -> Results {
    let draws = &mut Draws::new(seed, "tournament");
    let most = [5, 12, 40][draws.below(3) as usize];
    let count = 2 + draws.below(most - 1) as usize;
    let is_round_robin = draws.below(6) == 0;
    let cycle = count - 1 + count % 2;
    let rounds = match (is_round_robin, draws.below(3)) {
        (true, 0) => 1 + draws.below(cycle as u64) as usize,
        (true, 1) if count <= 9 => 2 * cycle,
        (true, _) => cycle,
        (false, _) => 1 + draws.below(12) as usize,
    };
    let trouble = [0, 3, 12][draws.below(3) as usize];
    let stay = (0..count).map(|_| {
        let late = draws.below(100) < trouble;
        let leaves = draws.below(100) < trouble;
        let round = |draws: &mut Draws| draws.below(rounds as u64) as usize;
        let from = if late { round(draws) } else { 0 };
        (from, if leaves { round(draws).max(from) } else { rounds })
    });
    let stay = stay.collect();
    let kind = Kind {
        trouble,
        scoring: [
            halves(2, 1, 0),
            halves(2, 1, 0),
            halves(6, 2, 0),
            halves(4, 2, 0),
            halves(6, 4, 2),
        ][draws.below(5) as usize],
        game_scoring: [halves(2, 1, 0), halves(2, 1, 0), halves(6, 2, 0)][draws.below(3) as usize],
        games: [1, 1, 2, 4, 40][draws.below(5) as usize],
        stay,
    };
    let mut results = field(draws, &kind, count);
    results.format = if is_round_robin {
        ResultsFormat::RoundRobin
    } else {
        ResultsFormat::Swiss
    };
    // Some go on.
    results.planned = (draws.below(4) == 0).then_some(rounds + draws.below(3) as usize);
    for number in 0..rounds {
        let is_last = number + 1 == rounds;
        let (pairs, left_over) = if is_round_robin {
            (circle(count, number), None)
        } else {
            neighbours(draws, &kind, &results, number)
        };
        let mut of_round: Vec<PlayerRound> = (0..count)
            .map(|player| without_opponent(draws, &kind, number, player, is_round_robin))
            .collect();
        for (one, other) in pairs {
            let repeat = results.players[one]
                .rounds
                .iter()
                .any(|round| round.fate.paired() == Some(numbered(other)));
            (of_round[one], of_round[other]) = meeting(draws, &kind, (one, other), is_last, repeat);
        }
        if let Some(left_over) = left_over {
            of_round[left_over] = bye(draws, &kind, Bye::PairingAllocated);
        }
        for (player, round) in results.players.iter_mut().zip(of_round) {
            player.rounds.push(round);
        }
    }
    results
}

fn numbered(player: usize) -> PairingNumber {
    PairingNumber::from_index(player)
}

fn permutation(draws: &mut Draws, count: usize) -> Vec<u32> {
    let order = lot::order(draws.below(u64::MAX), "permutation", count);
    order
        .into_iter()
        .map(|place| u32::try_from(place).expect("few"))
        .collect()
}

/// Who plays, before the first round.
fn field(draws: &mut Draws, kind: &Kind, count: usize) -> Results {
    let has_unrated = draws.below(4) == 0;
    let has_bonus = draws.below(5) == 0;
    let player = |_| {
        let known = if has_unrated && draws.below(4) == 0 {
            0
        } else {
            1 + draws.below(3)
        };
        let ratings = (0..known)
            .map(|_| 1400 + i32::try_from(draws.below(1000)).expect("small"))
            .collect();
        let bonus = if has_bonus && draws.below(4) == 0 {
            draws.below(4) as i64 - 1
        } else {
            0
        };
        PlayerResults {
            ratings,
            bonus: Points::halves(bonus),
            ..PlayerResults::default()
        }
    };
    let players = (0..count).map(player).collect();
    Results {
        players,
        worth: worth(kind.scoring, 1),
        game_worth: if kind.games == 1 {
            worth(kind.scoring, 1)
        } else {
            worth(kind.game_scoring, kind.games)
        },
        format: ResultsFormat::Swiss,
        submission: permutation(draws, count),
        lots: permutation(draws, count),
        left_out: if draws.below(8) == 0 {
            vec![numbered(draws.below(count as u64) as usize)]
        } else {
            Vec::new()
        },
        numbers: if draws.below(2) == 0 {
            Vec::new()
        } else {
            permutation(draws, count)
                .into_iter()
                .map(|number| 2 * number + 7)
                .collect()
        },
        names: (1..=count).map(|number| format!("P{number}")).collect(),
        struck: Vec::new(),
        planned: None,
    }
}

fn worth([win, draw, _]: Scoring, games: u32) -> Worth {
    let times = |points: Points| points.halved_times(2 * i64::from(games));
    Worth {
        win: times(win),
        draw: times(draw),
    }
}

/// Everybody with everybody in turn: one stays, the others go round. In an odd field who would meet nobody rests.
fn circle(count: usize, number: usize) -> Vec<(usize, usize)> {
    let even = count + count % 2;
    let seat = |place: usize| {
        if place == 0 {
            0
        } else {
            1 + (place - 1 + number) % (even - 1)
        }
    };
    let pairs = (0..even / 2).map(|place| (seat(place), seat(even - 1 - place)));
    pairs.filter(|&(one, other)| one.max(other) < count).collect()
}

/// Those who are there, by points with some disorder, in twos, and who is left over; who asks for a bye is not among them.
fn neighbours(
    draws: &mut Draws,
    kind: &Kind,
    results: &Results,
    number: usize,
) -> (Vec<(usize, usize)>, Option<usize>) {
    let mut there: Vec<(Points, u64, usize)> = Vec::new();
    for (player, &(from, to)) in kind.stay.iter().enumerate() {
        if (from..to).contains(&number) && draws.below(100) >= kind.trouble {
            let rounds = results.players[player].rounds.iter();
            let points: Points = rounds.map(|round| round.points).sum();
            there.push((points, draws.below(1000), player));
        }
    }
    there.sort_unstable();
    let left_over = if there.len() % 2 == 1 { there.pop() } else { None };
    let pairs = there.chunks_exact(2).map(|pair| (pair[0].2, pair[1].2)).collect();
    (pairs, left_over.map(|(_, _, player)| player))
}

fn without_opponent(draws: &mut Draws, kind: &Kind, number: usize, player: usize, is_round_robin: bool) -> PlayerRound {
    let (from, to) = kind.stay[player];
    if is_round_robin && draws.below(2) == 0 {
        // The table's own; the other ones are those of files that give a letter for it.
        return PlayerRound::free();
    }
    if is_round_robin || !(from..to).contains(&number) {
        return PlayerRound::absent();
    }
    match draws.below(5) {
        // A house player at rest.
        0 => PlayerRound::free(),
        lot => bye(
            draws,
            kind,
            [Bye::HalfPoint, Bye::HalfPoint, Bye::ZeroPoint, Bye::FullPoint][lot as usize - 1],
        ),
    }
}

fn bye(draws: &mut Draws, kind: &Kind, what: Bye) -> PlayerRound {
    let [win, draw, _] = kind.scoring;
    let worth = worth(kind.game_scoring, kind.games);
    let (points, game_points) = match what {
        Bye::PairingAllocated if draws.below(3) == 0 => (draw, worth.draw),
        Bye::PairingAllocated | Bye::FullPoint => (win, worth.win),
        Bye::HalfPoint => (draw, worth.draw),
        Bye::ZeroPoint => (Points::ZERO, Points::ZERO),
    };
    PlayerRound::bye(what, points, if kind.games == 1 { points } else { game_points })
}

/// Both sides of a pairing.
fn meeting(
    draws: &mut Draws,
    kind: &Kind,
    (one, other): (usize, usize),
    is_last: bool,
    repeat: bool,
) -> (PlayerRound, PlayerRound) {
    let happens = |draws: &mut Draws| draws.below(100) < kind.trouble;
    if happens(draws) {
        let annulled = PlayerRound {
            fate: RoundFate::Annulled,
            ..PlayerRound::absent()
        };
        return (annulled, annulled);
    }
    if happens(draws) || happens(draws) {
        return forfeited(draws, kind, (one, other), repeat);
    }
    let goes_on = if is_last {
        happens(draws) || happens(draws)
    } else {
        draws.below(1000) < kind.trouble
    };
    let [mut white, mut black] = [GameCounts::default(); 2];
    // The last game of some mini-matches is forfeited.
    let is_cut_short = !goes_on && kind.games > 1 && draws.below(8) == 0;
    let games = if goes_on {
        draws.below(kind.games.into()) as u32
    } else {
        kind.games - u32::from(is_cut_short)
    };
    let decisive = 2 + draws.below(6);
    for game in 0..games {
        // Colours alternate game by game.
        let (first, second) = if game % 2 == 0 {
            (&mut white.white, &mut black.black)
        } else {
            (&mut white.black, &mut black.white)
        };
        match draws.below(decisive) {
            0 => (first.drawn, second.drawn) = (first.drawn + 1, second.drawn + 1),
            lot if lot % 2 == 0 => (first.won, second.lost) = (first.won + 1, second.lost + 1),
            _ => (first.lost, second.won) = (first.lost + 1, second.won + 1),
        }
        white.faults += u32::from(draws.below(9) == 0);
        black.faults += u32::from(draws.below(9) == 0);
    }
    if is_cut_short {
        let [win, _, loss] = kind.game_scoring;
        (white.forfeits_won, white.forfeit_points) = (1, win);
        white.forfeits_won_with_black = games % 2;
        (black.forfeits_lost, black.forfeit_points) = (1, loss);
    }
    let side = |own: GameCounts, opponent: usize, color: FirstColor| {
        let games = own.both();
        let opponent = numbered(opponent);
        let result = match games.won.cmp(&games.lost) {
            std::cmp::Ordering::Greater => MatchResult::Won,
            std::cmp::Ordering::Equal => MatchResult::Drawn,
            std::cmp::Ordering::Less => MatchResult::Lost,
        };
        let fate = if goes_on {
            RoundFate::Unfinished { opponent, color }
        } else {
            RoundFate::Played {
                opponent,
                color,
                result,
            }
        };
        let points = if goes_on {
            Points::ZERO
        } else {
            of_result(kind.scoring, result)
        };
        let scored = [games.won, games.drawn, games.lost].into_iter().zip(kind.game_scoring);
        let game_points: Points = scored
            .map(|(games, points)| points.halved_times(2 * i64::from(games)))
            .sum();
        PlayerRound {
            fate,
            points,
            game_points: if kind.games == 1 {
                points
            } else {
                game_points + own.forfeit_points
            },
            games: own,
            repeat,
            sat_out: false,
        }
    };
    (
        side(white, other, FirstColor::White),
        side(black, one, FirstColor::Black),
    )
}

fn of_result([win, draw, loss]: Scoring, result: MatchResult) -> Points {
    match result {
        MatchResult::Won => win,
        MatchResult::Drawn => draw,
        MatchResult::Lost => loss,
    }
}

fn forfeited(draws: &mut Draws, kind: &Kind, (one, other): (usize, usize), repeat: bool) -> (PlayerRound, PlayerRound) {
    use MatchResult::{Drawn, Lost, Won};
    let (of_one, of_other) = [(Won, Lost), (Lost, Won), (Lost, Lost), (Drawn, Drawn)][draws.below(4) as usize];
    let is_named = draws.below(8) > 0;
    let worth = worth(kind.game_scoring, kind.games);
    // Colours alternate game by game.
    let side = |result, opponent, with_black| {
        let [win, draw, _] = kind.scoring;
        let (points, game_points) = match result {
            Won => (win, worth.win),
            Drawn => (draw, worth.draw),
            Lost => (Points::ZERO, Points::ZERO),
        };
        let games = GameCounts {
            forfeits_won: if result == Won { kind.games } else { 0 },
            forfeits_won_with_black: if result == Won { with_black } else { 0 },
            forfeits_lost: if result == Lost { kind.games } else { 0 },
            faults: if result == Lost { kind.games } else { 0 },
            ..GameCounts::default()
        };
        PlayerRound {
            fate: RoundFate::Forfeit {
                opponent: is_named.then(|| numbered(opponent)),
                result,
            },
            points,
            game_points: if kind.games == 1 { points } else { game_points },
            games,
            repeat,
            sat_out: false,
        }
    };
    (
        side(of_one, other, kind.games / 2),
        side(of_other, one, kind.games.div_ceil(2)),
    )
}
