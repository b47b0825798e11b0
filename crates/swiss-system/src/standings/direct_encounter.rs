//! Direct encounter: C.07 art. 6, its extended form, and Immortal Game's.
//!
//! It is not a number but a stage of ranking: it orders those who are level, and is applied anew to each group still
//! level. Where the text leaves room, it is read as follows: a forfeited game is a missing one (without `/P`), and
//! missing results are at their worst for each rival independently.
//!
//! May not: look at anything but games among those who are level.

use std::cmp::Reverse;

use super::buchholz::faced;
use super::criterion::{Code, Criterion, Score};
use super::table::ScoreTable;
use super::value::Value;
use crate::pairing::history::PairingNumber;
use crate::score::Points;

/// One comparison of the games among players who are level, and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncounterStep {
    /// The score that was compared.
    pub score: Score,
    /// The players who are level, best score first.
    pub members: Vec<Member>,
    /// True if all of them have met each other.
    pub all_met: bool,
}

/// One of those who are level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The player.
    pub player: PairingNumber,
    /// Points against the others; several meetings with one count as their average.
    pub points: Value,
    /// The number of the others who were not met.
    pub missing: usize,
    /// Place among these, from 1; shared by those still level.
    pub place: u32,
}

impl EncounterStep {
    /// True if anybody was told apart.
    pub fn breaks(&self) -> bool {
        self.members.last().is_some_and(|last| last.place > 1)
    }

    /// The players by place: groups still level.
    fn groups(&self) -> impl Iterator<Item = Vec<PairingNumber>> + '_ {
        let same = |one: &Member, other: &Member| one.place == other.place;
        let players = |group: &[Member]| group.iter().map(|member| member.player).collect();
        self.members.chunk_by(same).map(players)
    }
}

/// The result of a direct encounter for a group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encounters {
    /// Every comparison, in order: first the whole group, then those still level.
    pub steps: Vec<EncounterStep>,
    /// The groups still level in the end, the best first.
    pub groups: Vec<Vec<PairingNumber>>,
}

/// Orders a group of players who are level.
pub fn direct_encounter(
    table: &ScoreTable<'_>,
    criterion: &Criterion,
    primary: Score,
    group: &[PairingNumber],
) -> Encounters {
    let mut asked = DirectEncounter {
        table,
        criterion,
        steps: Vec::new(),
    };
    let score = criterion.score.unwrap_or(primary);
    let groups = match criterion.code {
        Code::ExtendedDirectEncounter => asked.extended(primary, group.to_vec()),
        _ => asked.until_nothing_changes(score, group.to_vec()),
    };
    Encounters {
        steps: asked.steps,
        groups,
    }
}

/// A direct encounter in progress.
struct DirectEncounter<'a> {
    table: &'a ScoreTable<'a>,
    criterion: &'a Criterion,
    steps: Vec<EncounterStep>,
}

impl DirectEncounter<'_> {
    /// "The whole article is applied again to each group still tied, until nothing changes."
    fn until_nothing_changes(&mut self, score: Score, group: Vec<PairingNumber>) -> Vec<Vec<PairingNumber>> {
        if group.len() < 2 {
            return vec![group];
        }
        let step = look(self.table, self.criterion, score, &group);
        let groups: Vec<_> = step.groups().collect();
        let breaks = step.breaks();
        self.steps.push(step);
        if !breaks {
            return vec![group];
        }
        let apart = groups
            .into_iter()
            .flat_map(|group| self.until_nothing_changes(score, group));
        apart.collect()
    }

    /// Extended direct encounter: "by the primary score; if nothing breaks, by the secondary; when a subset splits, again
    /// for those still level", each time to the end.
    fn extended(&mut self, primary: Score, group: Vec<PairingNumber>) -> Vec<Vec<PairingNumber>> {
        for score in [primary, primary.other()] {
            let groups = self.until_nothing_changes(score, group.clone());
            if groups.len() > 1 {
                let apart = groups.into_iter().flat_map(|group| self.extended(primary, group));
                return apart.collect();
            }
        }
        vec![group]
    }
}

fn look(table: &ScoreTable<'_>, criterion: &Criterion, score: Score, group: &[PairingNumber]) -> EncounterStep {
    let mut level = group.to_vec();
    level.sort_unstable();
    let mut meetings = Vec::new();
    let mut members: Vec<Member> = group
        .iter()
        .map(|&player| {
            let (points, met) = among(table, criterion, score, player, &level, &mut meetings);
            Member {
                player,
                points,
                missing: group.len() - 1 - met,
                place: 1,
            }
        })
        .collect();
    members.sort_by_key(|member| Reverse(member.points));
    let all_met = members.iter().all(|member| member.missing == 0);
    match (all_met, criterion.code) {
        // 6.2: "the order is that of the scores".
        (true, Code::DirectEncounter | Code::ExtendedDirectEncounter) => {
            let mut place = 1;
            for index in 1..members.len() {
                if members[index].points < members[index - 1].points {
                    place = u32::try_from(index + 1).expect("few players");
                }
                members[index].place = place;
            }
        }
        // Immortal Game: "only if all tied have met: whoever is alone on top is placed, the rest go on; else still tied".
        (true, _) => {
            if members.len() > 1 && members[0].points > members[1].points {
                members[1..].iter_mut().for_each(|member| member.place = 2);
            }
        }
        // 6.3: "a player who is alone on top whatever the missing results would be is first; then the same question for the
        // second place, and so on".
        (false, Code::DirectEncounter | Code::ExtendedDirectEncounter) => {
            place_for_certain(&mut members, score.worth(table.results()).win)
        }
        (false, _) => {}
    }
    EncounterStep {
        score,
        members,
        all_met,
    }
}

/// Gives the places that no missing result could change, from the top, as far as possible.
fn place_for_certain(members: &mut [Member], win: Points) {
    let count = members.len();
    // The most that anybody from each place on could reach.
    let mut reachable: Vec<Value> = members
        .iter()
        .map(|member| {
            member.points + Value::from(win.halved_times(2 * i64::try_from(member.missing).expect("few players")))
        })
        .collect();
    for index in (0..count.saturating_sub(1)).rev() {
        reachable[index] = reachable[index].max(reachable[index + 1]);
    }
    for index in 0..count {
        let place = u32::try_from(index + 1).expect("few players");
        members[index..].iter_mut().for_each(|member| member.place = place);
        let is_certain = index + 1 < count && members[index].points > reachable[index + 1];
        if !is_certain {
            return;
        }
    }
}

/// A player's points against those level (sorted), and how many of them he met. "Several meetings of a pair: their average."
fn among(
    table: &ScoreTable<'_>,
    criterion: &Criterion,
    score: Score,
    player: PairingNumber,
    level: &[PairingNumber],
    meetings: &mut Vec<(PairingNumber, Points)>,
) -> (Value, usize) {
    meetings.clear();
    for round in table.rounds(player) {
        let opponent = faced(table, criterion, round.fate).filter(|opponent| level.binary_search(opponent).is_ok());
        meetings.extend(opponent.map(|opponent| (opponent, score.of_round(round))));
    }
    meetings.sort_unstable_by_key(|&(opponent, _)| opponent);
    let (mut points, mut met) = (Value::ZERO, 0);
    for with_one in meetings.chunk_by(|one, other| one.0 == other.0) {
        let sum: Points = with_one.iter().map(|&(_, points)| points).sum();
        let times = u32::try_from(with_one.len()).expect("few rounds");
        points += if times == 1 {
            sum.into()
        } else {
            Value::from(sum).divided_by(times)
        };
        met += 1;
    }
    (points, met)
}
