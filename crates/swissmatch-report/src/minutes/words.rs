//! The sentences of the minutes.
//!
//! May not: use anything but its arguments.

use swiss_system::count;
use swiss_system::pairing::history::RoundPairing;

use swissmatch_tournament::log::{Absence, Act, ArbiterDecided, ArbiterDirection, Entry, PresenceChecked};
use swissmatch_tournament::part::last_paired_on;
use swissmatch_tournament::state::State;
use swissmatch_tournament::ties::event_is_over;

use swiss_system::score::Points;
use swiss_system::text::sentence;

use super::{Minute, PlaceChange, Standing};
use crate::untrusted;

/// What was going on in the event.
pub(super) fn during(state: &State) -> String {
    let rounds = state.rounds().len();
    let sitting = state.sittings().find(|sitting| !sitting.is_over());
    let going_on = match sitting {
        None if rounds == 0 => "before round 1".to_owned(),
        None if event_is_over(state) => "the event was over".to_owned(),
        None => format!("round {rounds} was over"),
        Some(sitting) => {
            let games = || sitting.mini_matches.iter().flat_map(|board| &board.games);
            let (all, over) = (games().count(), games().flatten().count());
            let what = match sitting.playoff {
                0 => format!("round {}", sitting.round),
                number => format!("play-off round {number} after round {}", sitting.round),
            };
            format!(
                "{what} was being played ({over} of {} finished)",
                count::of(all, "game", "games")
            )
        }
    };
    match state.orders().paused {
        Some(_) => format!("{going_on}; the event was paused"),
        None => going_on,
    }
}

/// A decision, as the end of a sentence that begins with who decided.
pub(super) fn decided(decided: &ArbiterDecided, state: &State) -> String {
    let what = match &decided.decision.directed {
        ArbiterDirection::RoundRobin(limits) => format!("a further round robin, {limits}"),
        ArbiterDirection::Result(groups) => {
            let group = |group: &Vec<_>| {
                let names = group.iter().map(|&player| untrusted::name(state, player));
                names.collect::<Vec<_>>().join(" and ")
            };
            let groups: Vec<String> = groups.iter().map(group).collect();
            format!("the order {}", groups.join(", then "))
        }
    };
    let consulted = match decided.consulted.as_slice() {
        [] => String::new(),
        names => format!(", having consulted {}", names.join(", ")),
    };
    format!(
        "decided the play-off of {}: {what}{consulted}",
        decided.decision.contest
    )
}

/// The finding of a presence check.
pub(super) fn presence(checked: &PresenceChecked, state: &State) -> String {
    let absent = |absence: &Absence| format!("{} ({})", untrusted::name(state, absence.player), absence.why);
    let asked = format!(
        "Before round {} was paired, the runner asked who was there",
        checked.round
    );
    match checked.absent.as_slice() {
        [] => format!("{asked}: everybody was"),
        found => {
            let found: Vec<String> = found.iter().map(absent).collect();
            format!("{asked}; absent: {}", found.join(", "))
        }
    }
}

/// The effect of an act on later pairings, as far as the log goes.
pub(super) fn became_of(entry: &Entry, before: &State, later: &[(&str, &Entry)]) -> Option<String> {
    let Entry::Acted(acted) = entry else { return None };
    let paired = |of: u32| {
        let mut rounds = later.iter().filter_map(|(_, entry)| match entry {
            Entry::RoundPaired(paired) if paired.round == of => Some(&paired.pairing),
            _ => None,
        });
        rounds.next()
    };
    match acted.act {
        Act::Force { white, black, round } => {
            let made = |pairing: &RoundPairing| {
                let mut pairs = pairing.pairs.iter();
                pairs.any(|pair| [(white, black), (black, white)].contains(&(pair.white, pair.black)))
            };
            Some(match made(paired(round)?) {
                true => format!("Round {round} was paired as ordered."),
                false => format!("Round {round} was paired otherwise: the pair was no longer possible."),
            })
        }
        Act::Forbid { one, other, round } => {
            let meet = |pairing: &RoundPairing| {
                let mut pairs = pairing.pairs.iter();
                pairs.any(|pair| [(one, other), (other, one)].contains(&(pair.white, pair.black)))
            };
            Some(match meet(paired(round)?) {
                false => format!("Round {round} was paired as ordered."),
                true => format!("Round {round} was paired otherwise: without this pair the round had no pairing."),
            })
        }
        Act::Void { game } | Act::SetResult { game, .. } => {
            let (first, last) = (game.round + 1, last_paired_on(before, game)?);
            Some(match first == last {
                true => format!("Round {last} was paired on the earlier result."),
                false => format!("Rounds {first} to {last} were paired on the earlier result."),
            })
        }
        _ => None,
    }
}

/// A minute without its time, as lines.
pub(super) fn lines(entry: &Minute, most: usize) -> Vec<String> {
    let mut lines = vec![match &entry.by {
        Some(by) => sentence(format!("{by} {}", entry.what)),
        None => sentence(entry.what.as_str()),
    }];
    lines.extend(entry.reason.as_ref().map(|reason| format!("Why: {reason}")));
    lines.extend((!entry.effect.is_empty()).then(|| entry.effect.join(" ")));
    if !entry.moved.is_empty() || entry.is_of_results {
        lines.extend(changes(&entry.moved, most));
    }
    lines
}

/// The changes by an act on results, as lines.
pub(super) fn changes(all: &[PlaceChange], most: usize) -> Vec<String> {
    let first = match all.is_empty() {
        true => "It changed nobody's place or points.",
        false => "It changed the standings:",
    };
    let more = all.len().saturating_sub(most);
    let more = (more > 0).then(|| format!("- and {more} more."));
    let moved = all.iter().take(most).map(moved);
    std::iter::once(first.to_owned()).chain(moved).chain(more).collect()
}

fn moved(moved: &PlaceChange) -> String {
    let player = &moved.player;
    let (before, after) = match (moved.before, moved.after) {
        (Some(before), Some(after)) => (before, after),
        (None, Some(after)) => return format!("- {player}: now listed, in place {}", place(after)),
        (Some(before), None) => return format!("- {player}: no longer listed, was in place {}", place(before)),
        (None, None) => return format!("- {player}: not listed"),
    };
    let changes = [
        (before.place != after.place).then(|| format!("from place {} to {}", before.place, after.place)),
        change(before.points, after.points).map(|(from, to)| format!("from {} to {}", points(from), points(to))),
        change(before.game_points, after.game_points).map(|(from, to)| format!("from {from} to {to} game points")),
    ];
    let changes: Vec<String> = changes.into_iter().flatten().collect();
    let stays = match before.place == after.place {
        true => format!("stays in place {}, ", after.place),
        false => String::new(),
    };
    format!("- {player}: {stays}{}", changes.join(", "))
}

fn change(before: Option<Points>, after: Option<Points>) -> Option<(Points, Points)> {
    before.zip(after).filter(|(before, after)| before != after)
}

fn place(standing: Standing) -> String {
    match standing.points {
        Some(had) => format!("{} with {}", standing.place, points(had)),
        None => standing.place.to_string(),
    }
}

fn points(points: Points) -> String {
    count::of(points, "point", "points")
}
