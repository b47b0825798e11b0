//! Standings: points, tie-breaks, places.
//!
//! Criteria rank strictly in turn. Most are numbers that a player has alone ([`evaluate`]), computed from terms, so
//! that [`explain`] can show the sum. Direct encounters are stages: they order those who are level, anew for each
//! group. Players still tied after all of them share a place and are listed by submission time, then name.
//!
//! May not: know games, engines, clocks or files; depend on anything but `score`, `lot`, `trf` and `pairing`; use
//! floats.

pub mod bye;
mod code;
pub mod criterion;
pub mod evaluate;
pub mod explain;
pub mod file;
pub mod played_off;
pub mod results;
pub mod table;
pub mod term;
pub mod unplayed;
pub mod value;
pub mod win_rate;

mod buchholz;
mod counts;
pub mod direct_encounter;
mod dummy;
mod h2h;
mod protocol;
mod ratings;
mod sonneborn_berger;
mod strike;
mod us_chess;

use rayon::iter::{IndexedParallelIterator as _, IntoParallelIterator as _, ParallelIterator as _};

use crate::pairing::history::PairingNumber;
use crate::score::Points;
use criterion::{Code, Criterion, Score};
use direct_encounter::Encounters;
use played_off::PlayedOff;
use results::{GameCounts, PlayerRound, Results};
use table::ScoreTable;
use term::Term;
use unplayed::{BlackWins, TieBreakEdition};
use value::Value;
use win_rate::WinRate;

/// With fewer players, one thread computes their criteria.
const FEW: usize = 512;

/// The criteria that rank, and the texts that govern them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RankingRules {
    /// Criteria, strictly in turn.
    pub order: Vec<Criterion>,
    /// Criteria that are computed, but rank nobody.
    pub also: Vec<Criterion>,
    /// The text that governs unplayed rounds and cuts.
    pub edition: TieBreakEdition,
    /// The games that count as won with Black.
    pub black_wins: BlackWins,
    /// The rating of players without one; with `None` there are no tie-breaks of ratings.
    pub unrated: Option<i32>,
}

impl RankingRules {
    /// The score that ranks: game points if they come first.
    pub fn primary(&self) -> Score {
        match self.order.iter().find(|criterion| criterion.code.is_points()) {
            Some(criterion) if criterion.code == Code::GamePoints => Score::Game,
            _ => Score::Match,
        }
    }
}

/// A player's value by a criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StandingsCell {
    /// The value. `None` if not defined; for a direct encounter, which is a place among those level, if it told
    /// nobody apart; for an H2H, if nobody is level.
    pub value: Option<Value>,
    /// For H2H and direct encounters: true if all who are level have met; the table marks it if not.
    pub all_met: bool,
}

impl From<Option<Value>> for StandingsCell {
    fn from(value: Option<Value>) -> Self {
        Self { value, all_met: true }
    }
}

/// One player's line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandingsRow {
    /// Place, from 1; shared by all who are still tied after every criterion, and then as many places are left out.
    pub place: u32,
    /// The place by the criteria alone, for a player whose tie was played off.
    pub before_playoff: Option<u32>,
    /// The player.
    pub player: PairingNumber,
    /// The player's cells, one for each of the standings' criteria.
    pub cells: Vec<StandingsCell>,
    /// Match points, byes included; if there are none, the points.
    pub points: Points,
    /// Game points, including byes and mini-matches still going on.
    pub game_points: Points,
    /// All games.
    pub games: GameCounts,
    /// Rounds with a bye: left over, or awarded a full point.
    pub byes: u32,
    /// Mini-matches against an opponent met before.
    pub repeats: u32,
}

impl StandingsRow {
    /// Played games won, as a share of those played.
    pub fn win_rate(&self) -> WinRate {
        self.games.into()
    }

    /// The points of this score.
    pub const fn points_by(&self, score: Score) -> Points {
        match score {
            Score::Match => self.points,
            Score::Game => self.game_points,
        }
    }
}

/// A group to which a direct encounter was applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncounterGroup {
    /// The index of the standings' criterion.
    pub criterion: usize,
    /// The players who were level.
    pub group: Vec<PairingNumber>,
    /// The result for the group.
    pub encounters: Encounters,
}

/// The standings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standings {
    /// The computed criteria: first those that rank, in turn.
    pub criteria: Vec<Criterion>,
    /// The number of these that rank.
    pub ranking: usize,
    /// All players in order of listing: by place; those still tied, by submission, then by name.
    pub rows: Vec<StandingsRow>,
    /// Every direct encounter.
    pub stages: Vec<EncounterGroup>,
    /// The results of play-offs, which come before all criteria.
    pub played_off: Vec<PlayedOff>,
}

impl Standings {
    /// Each player's place, in order of the pairing numbers, shared by those still tied: the "place on the previous
    /// round's standings" by which the bye is given.
    pub fn places(&self) -> Vec<u32> {
        self.by_player(self.rows.iter().map(|row| (row.player, row.place)))
    }

    /// Each player's place in the listing, in order of the pairing numbers: from 1, no two alike.
    pub fn listing_places(&self) -> Vec<u32> {
        self.by_player((1..).zip(&self.rows).map(|(listed, row)| (row.player, listed)))
    }

    /// Lists the players in another order, with these places; players who are not in it are not listed. For each
    /// player in it who is not listed now, those below move up.
    pub fn relist(&mut self, places: &[(u32, PairingNumber)]) {
        let rows = std::mem::take(&mut self.rows);
        let row_of = |player: PairingNumber| rows.iter().find(|row| row.player == player);
        let unlisted: Vec<u32> = places
            .iter()
            .filter(|(_, player)| row_of(*player).is_none())
            .map(|(place, _)| *place)
            .collect();
        let moved_up =
            |place: u32| u32::try_from(unlisted.iter().filter(|&&of| of < place).count()).expect("few players");
        self.rows = places
            .iter()
            .filter_map(|&(place, player)| {
                Some(StandingsRow {
                    place: place - moved_up(place),
                    ..row_of(player)?.clone()
                })
            })
            .collect();
    }

    /// The index of a criterion, the first if there are several.
    pub fn position(&self, criterion: &Criterion) -> Option<usize> {
        self.criteria.iter().position(|known| known == criterion)
    }

    /// The names of the criteria; if one is there more than once, the second is `DE#2`.
    pub fn names(&self) -> impl Iterator<Item = String> + '_ {
        let name = |(index, criterion): (usize, &Criterion)| {
            let before = self.criteria[..index]
                .iter()
                .filter(|earlier| *earlier == criterion)
                .count();
            match before {
                0 => criterion.to_string(),
                before => format!("{criterion}#{}", before + 1),
            }
        };
        self.criteria.iter().enumerate().map(name)
    }

    fn by_player(&self, places: impl Iterator<Item = (PairingNumber, u32)>) -> Vec<u32> {
        let last = self.rows.iter().map(|row| row.player.index() + 1).max();
        let mut by_player = vec![0; last.unwrap_or(0)];
        places.for_each(|(player, place)| by_player[player.index()] = place);
        by_player
    }
}

/// Ranks the players by the criteria strictly in turn.
///
/// H2H is counted among those level on the first other criterion of the order (match points in the rule) or, without
/// one, among all players. A direct encounter of `also` is among those level on the first criterion.
///
/// # Panics
/// When an opponent is not among the players, or `submission`, `lots` or `names` is shorter than `players`.
pub fn rank(results: &Results, rules: &RankingRules) -> Standings {
    let table = ScoreTable::new(results, rules);
    let mut criteria = rules.order.clone();
    for criterion in &rules.also {
        if !criteria.contains(criterion) {
            criteria.push(*criterion);
        }
    }
    let ranking = rules.order.len();
    let mut cells = cells(&table, rules.primary(), &criteria);

    let is_in = |player: &PairingNumber| !results.left_out.contains(player);
    let mut listed: Vec<PairingNumber> = table.numbers().filter(is_in).collect();
    listed.sort_by_key(|player| {
        let index = player.index();
        (results.submission[index], &results.names[index], *player)
    });
    let all = vec![listed];
    let first = criteria[..ranking]
        .iter()
        .position(|criterion| !criterion.code.is_stage());
    let level = match first {
        Some(first) => split(all.clone(), &cells, first, &criteria[first]),
        None => all.clone(),
    };
    let mut stages = Vec::new();
    let mut groups = all;
    for (index, criterion) in criteria.iter().enumerate() {
        let ranks = index < ranking;
        if criterion.code == Code::H2h {
            head_to_head(&table, &level, &mut cells, index);
        } else if criterion.code.is_place() {
            let asked = if ranks { &groups } else { &level };
            for group in asked.iter().filter(|group| group.len() > 1) {
                let encounters = direct_encounter::direct_encounter(&table, criterion, rules.primary(), group);
                set_places(&encounters, &mut cells, index);
                stages.push(EncounterGroup {
                    criterion: index,
                    group: group.clone(),
                    encounters,
                });
            }
        }
        if ranks {
            groups = split(groups, &cells, index, criterion);
        }
    }
    let mut rows = Vec::with_capacity(results.players.len());
    for group in &groups {
        let place = u32::try_from(rows.len() + 1).expect("few players");
        rows.extend(group.iter().map(|&player| {
            let cells = std::mem::take(&mut cells[player.index()]);
            row(&table, place, player, cells)
        }));
    }
    let mut standings = Standings {
        criteria,
        ranking,
        rows,
        stages,
        played_off: Vec::new(),
    };
    standings.strike(&results.struck);
    standings
}

/// Each player's cells by each criterion; stages are filled in later. The loop is by player, so that its rounds stay
/// in the cache.
fn cells(table: &ScoreTable<'_>, primary: Score, criteria: &[Criterion]) -> Vec<Vec<StandingsCell>> {
    let of_player = |terms: &mut Vec<Term>, player| {
        let player = PairingNumber::from_index(player);
        let cell = |criterion| evaluate::evaluate(table, primary, criterion, player, terms).into();
        criteria.iter().map(cell).collect()
    };
    (0..table.results().players.len())
        .into_par_iter()
        .with_min_len(FEW)
        .map_init(Vec::new, of_player)
        .collect()
}

/// Splits groups by the criterion at an index, the better first.
fn split(
    groups: Vec<Vec<PairingNumber>>,
    cells: &[Vec<StandingsCell>],
    index: usize,
    criterion: &Criterion,
) -> Vec<Vec<PairingNumber>> {
    let compared = |one: &PairingNumber, other: &PairingNumber| {
        better(&cells[other.index()][index], &cells[one.index()][index], criterion)
    };
    let mut finer = Vec::with_capacity(groups.len());
    for mut group in groups {
        if group.len() > 1 {
            group.sort_by(compared);
        }
        let same = |one: &PairingNumber, other: &PairingNumber| compared(one, other).is_eq();
        if group.len() < 2 || same(&group[0], &group[group.len() - 1]) {
            finer.push(group);
        } else {
            finer.extend(group.chunk_by(same).map(<[_]>::to_vec));
        }
    }
    finer
}

/// Compares two players by a criterion: greater is better. An undefined value is the worst; a player level with
/// nobody has scored nothing head to head.
pub fn better(one: &StandingsCell, other: &StandingsCell, criterion: &Criterion) -> std::cmp::Ordering {
    let nothing = (criterion.code == Code::H2h).then_some(Value::ZERO);
    match (one.value.or(nothing), other.value.or(nothing)) {
        (Some(one), Some(other)) if evaluate::fewer_is_better(criterion) => other.cmp(&one),
        (one, other) => one.cmp(&other),
    }
}

fn head_to_head(table: &ScoreTable<'_>, level: &[Vec<PairingNumber>], cells: &mut [Vec<StandingsCell>], index: usize) {
    for group in level.iter().filter(|group| group.len() > 1) {
        for (player, h2h) in group.iter().zip(h2h::h2h(table, group)) {
            cells[player.index()][index] = StandingsCell {
                value: Some(h2h.points),
                all_met: h2h.all_met,
            };
        }
    }
}

/// Sets the places within the group, if anybody was told apart.
fn set_places(encounters: &Encounters, cells: &mut [Vec<StandingsCell>], index: usize) {
    let all_met = encounters.steps.first().is_some_and(|step| step.all_met);
    let breaks = encounters.groups.len() > 1;
    let mut place = 1;
    for group in &encounters.groups {
        let value = breaks.then_some(Value::whole(place));
        group
            .iter()
            .for_each(|player| cells[player.index()][index] = StandingsCell { value, all_met });
        place += i64::try_from(group.len()).expect("few players");
    }
}

fn row(table: &ScoreTable<'_>, place: u32, player: PairingNumber, cells: Vec<StandingsCell>) -> StandingsRow {
    let rounds = table.rounds(player);
    let count = |what: &dyn Fn(&results::PlayerRound) -> bool| {
        u32::try_from(rounds.iter().filter(|round| what(round)).count()).expect("few rounds")
    };
    StandingsRow {
        place,
        before_playoff: None,
        player,
        cells,
        points: table.total(Score::Match, player),
        game_points: table.total(Score::Game, player),
        games: evaluate::games(rounds.iter().map(|round| round.games)),
        byes: count(&PlayerRound::is_bye),
        repeats: count(&|round| round.repeat),
    }
}

#[cfg(test)]
mod tests;
