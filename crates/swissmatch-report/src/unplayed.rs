//! Rounds in which a player had no opponent, or did not play: the kind of each, in words.
//!
//! May not: say what they are worth.

use std::collections::BTreeMap;

use swiss_system::pairing::history::PairingNumber;
use swiss_system::standings::StandingsRow;
use swiss_system::standings::results::{Bye, MatchResult, PlayerRound, Results, RoundFate};

use super::byes;
use super::table::Column;
use super::untrusted::name;
use swissmatch_tournament::log::ByeWorth;
use swissmatch_tournament::state::{Out, Round, State};

/// The kind of a round without a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnplayedRound {
    /// The pairing-allocated bye.
    Bye,
    /// Left over without a right to the bye.
    LeftOver,
    /// A half-point bye that was asked for.
    Requested,
    /// A bye that the arbiter awarded.
    Awarded(ByeWorth),
    /// Before the player's entry, and worth half a point.
    LateHalf,
    /// Before the player's entry.
    Late,
    Absent,
    Withdrawn,
    Disqualified,
    KnockedOut,
    /// No opponent by the table.
    Free,
    /// The mini-match does not count.
    Annulled,
}

impl UnplayedRound {
    /// All kinds, in the order in which they are explained.
    pub(super) const ALL: [Self; 14] = [
        Self::Bye,
        Self::LeftOver,
        Self::Requested,
        Self::Awarded(ByeWorth::Full),
        Self::Awarded(ByeWorth::Half),
        Self::Awarded(ByeWorth::Zero),
        Self::LateHalf,
        Self::Late,
        Self::Absent,
        Self::Withdrawn,
        Self::Disqualified,
        Self::KnockedOut,
        Self::Free,
        Self::Annulled,
    ];

    /// The kind of a round, from 1, for a player with this result in it; `None` if it was paired, and counts.
    pub(super) fn of(state: &State, round: u32, player: PairingNumber, had: &PlayerRound) -> Option<Self> {
        let bye = match had.fate {
            RoundFate::Played { .. } | RoundFate::Unfinished { .. } | RoundFate::Forfeit { .. } => return None,
            RoundFate::Free => return Some(Self::Free),
            RoundFate::Annulled => return Some(Self::Annulled),
            RoundFate::Bye(bye) => bye,
        };
        if let Some(worth) = state.orders().awards.get(&(round, player)) {
            return Some(Self::Awarded(*worth));
        }
        if had.sat_out {
            return Some(Self::LeftOver);
        }
        let late = match bye {
            Bye::PairingAllocated => return Some(Self::Bye),
            Bye::FullPoint => return Some(Self::Awarded(ByeWorth::Full)),
            Bye::HalfPoint => Self::LateHalf,
            Bye::ZeroPoint => Self::Late,
        };
        let is_entered = state.entered_after(player).is_none_or(|rounds| round as usize > rounds);
        let paired = state.rounds().get(round as usize - 1);
        Some(match paired.and_then(|paired| paired.out.get(&player)) {
            Some(Out::Bye(_)) if state.requested_byes(player).contains(&round) => Self::Requested,
            Some(Out::Bye(worth)) => Self::Awarded(*worth),
            Some(Out::Withdrawn) => Self::Withdrawn,
            Some(Out::Disqualified) => Self::Disqualified,
            None if !is_entered => late,
            Some(Out::Absent) => Self::Absent,
            None => Self::KnockedOut,
        })
    }

    /// The text of a cell.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Bye => "bye",
            Self::LeftOver => "left over",
            Self::Requested => "half bye",
            Self::Awarded(ByeWorth::Full) => "full bye",
            Self::Awarded(ByeWorth::Half) => "half bye (awarded)",
            Self::Awarded(ByeWorth::Zero) => "zero bye",
            Self::LateHalf => "half bye (late)",
            Self::Late => "late",
            Self::Absent => "absent",
            Self::Withdrawn => "withdrawn",
            Self::Disqualified => "disqualified",
            Self::KnockedOut => "–",
            Self::Free => "free",
            Self::Annulled => "annulled",
        }
    }

    /// The meaning of the word; `None` if the word is plain.
    pub(super) const fn meaning(self) -> Option<&'static str> {
        Some(match self {
            Self::Bye => "no opponent was left",
            Self::LeftOver => "no opponent was left, and the player had no right to the bye",
            Self::Requested => "a half-point bye that the player asked for",
            Self::Awarded(ByeWorth::Full) => "a full-point bye that the arbiter awarded",
            Self::Awarded(ByeWorth::Half) => "a half-point bye that the arbiter awarded",
            Self::Awarded(ByeWorth::Zero) => "a zero-point bye that the arbiter awarded",
            Self::LateHalf => "a half-point bye, since the player had not entered yet",
            Self::Late => "the player had not entered yet",
            Self::KnockedOut => "the player had been knocked out",
            Self::Free => "the table has no opponent for this round",
            Self::Annulled => "the mini-match does not count",
            Self::Absent | Self::Withdrawn | Self::Disqualified => return None,
        })
    }

    /// The texts before the list of rounds of this kind, and behind a name in it; `None` if no such list is made.
    const fn listed(self) -> Option<(&'static str, &'static str)> {
        Some(match self {
            Self::Bye | Self::LeftOver => ("Byes", ""),
            Self::Awarded(ByeWorth::Full) => ("Full-point byes", " (awarded by the arbiter)"),
            Self::Requested => ("Half-point byes", " (asked for)"),
            Self::Awarded(ByeWorth::Half) => ("Half-point byes", " (awarded by the arbiter)"),
            Self::LateHalf => ("Half-point byes", " (before entering)"),
            Self::Awarded(ByeWorth::Zero) => ("Zero-point byes", " (awarded by the arbiter)"),
            Self::Absent => ("Absent", ""),
            Self::Late => ("Missed before entering", ""),
            Self::Withdrawn | Self::Disqualified | Self::KnockedOut | Self::Free | Self::Annulled => return None,
        })
    }
}

/// Players who are no longer paired after the first `rounds` rounds, and why.
pub(super) fn gone(state: &State, rounds: usize) -> BTreeMap<PairingNumber, UnplayedRound> {
    let next = u32::try_from(rounds + 1).expect("few rounds");
    let gone = state.out_of_round(next).into_iter().filter_map(|(player, out)| {
        let why = match out {
            Out::Withdrawn => UnplayedRound::Withdrawn,
            Out::Disqualified => UnplayedRound::Disqualified,
            Out::Absent | Out::Bye(_) => return None,
        };
        Some((player, why))
    });
    gone.collect()
}

/// The header of the column of players who are no longer paired.
pub(super) const OUT: &str = "Out";

/// The column of players who are no longer paired after the first `rounds` rounds, with its cells in the order of the rows; `None` if there
/// are none.
pub(super) fn out(state: &State, rounds: usize, listed: &[StandingsRow]) -> Option<(Column, Vec<&'static str>)> {
    let gone = gone(state, rounds);
    let cells = listed
        .iter()
        .map(|row| gone.get(&row.player).map_or("", |why| why.word()));
    let cells: Vec<&str> = cells.collect();
    cells
        .iter()
        .any(|cell| !cell.is_empty())
        .then(|| (Column::words(OUT), cells))
}

/// The lists of players who did not play, in order.
const LISTS: [&str; 10] = [
    "Byes",
    "Full-point byes",
    "Half-point byes",
    "Zero-point byes",
    "Absent",
    "Missed before entering",
    "Forfeits",
    "Annulled",
    "Withdrawn",
    "Disqualified",
];

/// Players who did not play in a round, from 1, that was paired, one line for each kind: `Half-point byes: Alpha (asked for).`
pub(super) fn of_round(state: &State, results: &Results, number: u32) -> Vec<String> {
    let Some(round) = state.rounds().get(number as usize - 1) else {
        return Vec::new();
    };
    let mut said: Vec<(&str, String)> = Vec::new();
    let others = state
        .numbers()
        .filter(|player| !round.pairing.byes().any(|bye| bye == *player));
    for player in round.pairing.byes().chain(others) {
        let had = results.players[player.index()].rounds.get(number as usize - 1);
        let Some(unplayed) = had.and_then(|had| UnplayedRound::of(state, number, player, had)) else {
            continue;
        };
        let (list, why) = match unplayed {
            UnplayedRound::Withdrawn => ("Withdrawn", ""),
            UnplayedRound::Disqualified => ("Disqualified", ""),
            unplayed => match unplayed.listed() {
                Some(listed) => listed,
                None => continue,
            },
        };
        let right = byes::note(state, &round.pairing, player);
        said.push((list, format!("{}{why}{right}", name(state, player))));
    }
    lists_of(&said)
}

/// Each list with its content.
fn lists_of(said: &[(&str, String)]) -> Vec<String> {
    let lists = LISTS.iter().map(|list| {
        let items = said.iter().filter(|(of, _)| of == list);
        (list, items.map(|(_, item)| item.as_str()).collect::<Vec<_>>())
    });
    lists
        .filter(|(_, items)| !items.is_empty())
        .map(|(list, items)| format!("{list}: {}.", items.join("; ")))
        .collect()
}

/// Players who did not play in rounds of the results, one line for each kind.
pub(super) fn notes(state: &State, results: &Results) -> Vec<String> {
    let rounds = results
        .players
        .iter()
        .map(|player| player.rounds.len())
        .max()
        .unwrap_or(0);
    let mut said: Vec<(&str, String)> = Vec::new();
    for (number, round) in (1..).zip(state.rounds().iter().take(rounds)) {
        let had = |player: PairingNumber| &results.players[player.index()].rounds[number as usize - 1];
        let others = state
            .numbers()
            .filter(|player| !round.pairing.byes().any(|bye| bye == *player));
        for player in round.pairing.byes().chain(others) {
            let unplayed = UnplayedRound::of(state, number, player, had(player));
            if let Some((list, why)) = unplayed.and_then(UnplayedRound::listed) {
                let right = byes::note(state, &round.pairing, player);
                said.push((list, format!("round {number} {}{why}{right}", name(state, player))));
            }
        }
        for pair in &round.pairing.pairs {
            let [white, black] = [pair.white, pair.black].map(|player| name(state, player));
            if had(pair.white).fate == RoundFate::Annulled {
                said.push(("Annulled", format!("round {number} {white} – {black}")));
            }
            if let RoundFate::Forfeit { result, .. } = had(pair.white).fate {
                let who = match result {
                    MatchResult::Won => format!("{white} won against {black}"),
                    MatchResult::Lost if had(pair.black).fate.is_forfeit(MatchResult::Won) => {
                        format!("{black} won against {white}")
                    }
                    MatchResult::Lost => format!("{white} and {black} both lost"),
                    MatchResult::Drawn => format!("{white} drew with {black}"),
                };
                said.push(("Forfeits", format!("round {number} {who}")));
            }
        }
    }
    for (player, why) in gone(state, rounds) {
        let list = match why {
            UnplayedRound::Withdrawn => "Withdrawn",
            _ => "Disqualified",
        };
        let is_out = |round: &&Round| matches!(round.out.get(&player), Some(Out::Withdrawn | Out::Disqualified));
        let rounds_out = state.rounds().iter().take(rounds).rev().take_while(is_out).count();
        let when = match rounds - rounds_out {
            0 => "before round 1".to_owned(),
            last => format!("after round {last}"),
        };
        said.push((list, format!("{} {when}", name(state, player))));
    }
    lists_of(&said)
}
