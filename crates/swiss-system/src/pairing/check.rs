//! Checks if a pairing is legal under the Dutch system, whoever made it.
//!
//! Legal means: everybody present is paired once, and the absolute criteria apply (C.04.3 articles 2.1.1 to 2.1.3,
//! C.1 to C.3 in the text of 2017). This is a second implementation of the rules, so that it can find errors in our
//! own pairing code and in other programs alike.
//!
//! May not: pair anybody; say which of two legal pairings is better; use a pairing system's code beyond its settings.

use crate::pairing::dutch::rules::ColorRule;
use crate::pairing::dutch::rules::DutchEdition;
use crate::pairing::dutch::rules::DutchRules;
use crate::pairing::history::Encounter;
use crate::pairing::history::FirstColor;
use crate::pairing::history::History;
use crate::pairing::history::PairingNumber;
use crate::pairing::history::RoundPairing;
use crate::score::Points;

/// One breach of the rules. Rounds count from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalPairingError {
    /// A number that nobody has.
    #[error("there is no player {number}: the pairing numbers are 1 to {players}")]
    Unknown {
        /// The number.
        number: PairingNumber,
        /// The number of players.
        players: usize,
    },
    /// A player who is not to be paired.
    #[error("player {player} is paired, but is not present in this round")]
    Absent {
        /// The player.
        player: PairingNumber,
    },
    /// A player who is in the pairing more than once.
    #[error("player {player} is paired more than once")]
    Twice {
        /// The player.
        player: PairingNumber,
    },
    /// A player who is present, but not in the pairing.
    #[error("player {player} is present, but has neither an opponent nor the bye")]
    LeftOut {
        /// The player.
        player: PairingNumber,
    },
    /// A bye although everybody could have an opponent.
    #[error("player {player} has the bye, but the number of players present is even: {present} ({})", bye_article(*edition))]
    NeedlessBye {
        /// The player.
        player: PairingNumber,
        /// The number of players to be paired.
        present: usize,
        /// The text in force.
        edition: DutchEdition,
    },
    /// C1: the two have met before.
    #[error("players {white} and {black} have met before, in round {round} ({})", article(Absolute::C1, *edition))]
    MetBefore {
        /// White.
        white: PairingNumber,
        /// Black.
        black: PairingNumber,
        /// The round of their (first) meeting.
        round: usize,
        /// The text in force.
        edition: DutchEdition,
    },
    /// A pair that the organizer forbids.
    #[error("players {white} and {black} are a forbidden pair (as binding as {})", article(Absolute::C1, *edition))]
    ForbiddenPair {
        /// White.
        white: PairingNumber,
        /// Black.
        black: PairingNumber,
        /// The text in force.
        edition: DutchEdition,
    },
    /// C2: a second bye.
    #[error("player {player} has the bye, but had one in round {round} ({})", article(Absolute::C2, *edition))]
    SecondBye {
        /// The player.
        player: PairingNumber,
        /// The round of the (first) bye.
        round: usize,
        /// The text in force.
        edition: DutchEdition,
    },
    /// C2: a bye after a round without playing; in 2026 one that gave as much as a win, in 2017 a win by forfeit.
    #[error(
        "player {player} has the bye, but got {points} without playing in round {round} ({})",
        article(Absolute::C2, *edition)
    )]
    ByeAfterUnplayedWin {
        /// The player.
        player: PairingNumber,
        /// The (first) such round.
        round: usize,
        /// The points that it gave.
        points: Points,
        /// The text in force.
        edition: DutchEdition,
    },
    /// C3: both must have the same colour.
    #[error(
        "players {white} and {black} both have an absolute preference for {} and neither is a topscorer ({})",
        name(*color),
        article(Absolute::C3, *edition)
    )]
    SameAbsolutePreference {
        /// White.
        white: PairingNumber,
        /// Black.
        black: PairingNumber,
        /// The colour that both must have.
        color: FirstColor,
        /// The text in force.
        edition: DutchEdition,
    },
}

/// The absolute criteria.
#[derive(Clone, Copy)]
enum Absolute {
    C1,
    C2,
    C3,
}

fn article(criterion: Absolute, edition: DutchEdition) -> &'static str {
    match (criterion, edition) {
        (Absolute::C1, DutchEdition::Of2026) => "C1: C.04.3 article 2.1.1, C.04.1 article 2",
        (Absolute::C2, DutchEdition::Of2026) => "C2: C.04.3 article 2.1.2, C.04.1 article 4",
        (Absolute::C3, DutchEdition::Of2026) => "C3: C.04.3 article 2.1.3, C.04.1 articles 6 and 7",
        (Absolute::C1, DutchEdition::Of2017) => "C.1 of 2017: C.04.1.b",
        (Absolute::C2, DutchEdition::Of2017) => "C.2 of 2017: C.04.1.d",
        (Absolute::C3, DutchEdition::Of2017) => "C.3 of 2017: C.04.1.f and g",
    }
}

fn bye_article(edition: DutchEdition) -> &'static str {
    match edition {
        DutchEdition::Of2026 => "C.04.1 article 3",
        DutchEdition::Of2017 => "C.04.1.c of 2017",
    }
}

fn name(color: FirstColor) -> &'static str {
    match color {
        FirstColor::White => "White",
        FirstColor::Black => "Black",
    }
}

/// All breaches of a pairing of the coming round: board by board, then the bye, then players who are left out. Empty
/// for a legal pairing. With [`ColorRule::Ignore`] there is no C3.
pub fn illegalities(history: &History, rules: &DutchRules, pairing: &RoundPairing) -> Vec<IllegalPairingError> {
    let mut found = Vec::new();
    let mut times = vec![0_usize; history.players.len()];
    for pair in &pairing.pairs {
        let known = [pair.white, pair.black].map(|number| count(history, number, &mut times, &mut found));
        if known == [true, true] && pair.white != pair.black {
            check_pair(history, rules, pair.white, pair.black, &mut found);
        }
    }
    if let Some(player) = pairing.bye
        && count(history, player, &mut times, &mut found)
    {
        check_bye(history, rules, player, &mut found);
    }
    for number in history.numbers() {
        if times[number.index()] == 0 && history.player(number).present {
            found.push(IllegalPairingError::LeftOut { player: number });
        }
    }
    found
}

/// Counts a mention of a number; returns true if there is such a player.
fn count(history: &History, number: PairingNumber, times: &mut [usize], found: &mut Vec<IllegalPairingError>) -> bool {
    let players = history.players.len();
    if number.0 == 0 || number.0 as usize > players {
        found.push(IllegalPairingError::Unknown { number, players });
        return false;
    }
    times[number.index()] += 1;
    match times[number.index()] {
        1 if !history.player(number).present => found.push(IllegalPairingError::Absent { player: number }),
        2 => found.push(IllegalPairingError::Twice { player: number }),
        _ => {}
    }
    true
}

/// Checks C1 and C3, and the organizer's forbidden pairs.
fn check_pair(
    history: &History,
    rules: &DutchRules,
    white: PairingNumber,
    black: PairingNumber,
    found: &mut Vec<IllegalPairingError>,
) {
    let edition = rules.edition;
    let meeting = |player: PairingNumber, other: PairingNumber| {
        let mut rounds = history.player(player).rounds.iter();
        rounds.position(|past| matches!(past.encounter, Encounter::Met { opponent, .. } if opponent == other))
    };
    if let Some(round) = meeting(white, black).or_else(|| meeting(black, white)) {
        found.push(IllegalPairingError::MetBefore {
            white,
            black,
            round: round + 1,
            edition,
        });
    }
    let is_this = |&(a, b): &(PairingNumber, PairingNumber)| (a, b) == (white, black) || (b, a) == (white, black);
    if history.forbidden.iter().any(is_this) {
        found.push(IllegalPairingError::ForbiddenPair { white, black, edition });
    }
    let topscorers = [white, black]
        .iter()
        .any(|&player| is_topscorer(history, rules, player));
    let wishes = [white, black].map(|player| absolute_preference(history, player));
    if let [Some(color), Some(other)] = wishes
        && color == other
        && !topscorers
        && rules.color != ColorRule::Ignore
    {
        found.push(IllegalPairingError::SameAbsolutePreference {
            white,
            black,
            color,
            edition,
        });
    }
}

/// Checks C2, and that there is a bye to give.
fn check_bye(history: &History, rules: &DutchRules, player: PairingNumber, found: &mut Vec<IllegalPairingError>) {
    let edition = rules.edition;
    let present = history.players.iter().filter(|player| player.present).count();
    if present.is_multiple_of(2) {
        found.push(IllegalPairingError::NeedlessBye {
            player,
            present,
            edition,
        });
    }
    let rounds = &history.player(player).rounds;
    if let Some(round) = rounds
        .iter()
        .position(|past| past.encounter == Encounter::PairingAllocatedBye)
    {
        found.push(IllegalPairingError::SecondBye {
            player,
            round: round + 1,
            edition,
        });
    }
    // 2026: as many points as for a win in one round without playing. 2017: a win because the opponent did not come.
    let without_playing = |encounter: Encounter| match encounter {
        Encounter::Forfeit { .. } => true,
        Encounter::Absent => edition == DutchEdition::Of2026,
        Encounter::Met { .. } | Encounter::PairingAllocatedBye => false,
    };
    let mut rounds = (1..).zip(rounds);
    if let Some((round, past)) = rounds.find(|(_, past)| without_playing(past.encounter) && past.points >= rules.win) {
        found.push(IllegalPairingError::ByeAfterUnplayedWin {
            player,
            round,
            points: past.points,
            edition,
        });
    }
}

/// "A colour difference greater than +1 or less than −1, or the same colour in the two latest rounds played" (article
/// 1.7.1, A.6.a of 2017). The difference comes first, if a history made in another way has both against each other.
fn absolute_preference(history: &History, player: PairingNumber) -> Option<FirstColor> {
    let mut difference = 0_i64;
    let mut latest = [None; 2];
    for past in &history.player(player).rounds {
        if let Encounter::Met { color, .. } = past.encounter {
            difference += match color {
                FirstColor::White => 1,
                FirstColor::Black => -1,
            };
            latest = [latest[1], Some(color)];
        }
    }
    match (difference, latest) {
        (2.., _) => Some(FirstColor::Black),
        (..=-2, _) => Some(FirstColor::White),
        (_, [Some(FirstColor::White), Some(FirstColor::White)]) => Some(FirstColor::Black),
        (_, [Some(FirstColor::Black), Some(FirstColor::Black)]) => Some(FirstColor::White),
        _ => None,
    }
}

/// Article 1.8 (A.7 of 2017): true in the last round for a player with more than half of the greatest possible score
/// so far.
fn is_topscorer(history: &History, rules: &DutchRules, player: PairingNumber) -> bool {
    let paired = history.rounds_paired();
    let (Ok(rounds), Ok(so_far)) = (usize::try_from(rules.rounds), i64::try_from(paired)) else {
        return false;
    };
    let score = history.player(player).points + rules.virtual_points(player.index(), paired + 1);
    paired + 1 == rounds && score > rules.win.halved_times(so_far)
}

#[cfg(test)]
mod tests;
