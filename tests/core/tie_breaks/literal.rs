//! Every tie-break as the wording of its rules has it: plain, slow, and meant to be read beside them.
//!
//! A criterion is known by how it is written (`BH:GP/C1/P`), and nothing here is shared with the product's standings but
//! their input.
//!
//! May not: use the library's tie-breaks; be quick.

mod encounter;
pub(crate) mod fraction;
mod opponents;
mod own;
mod protocol;
mod rating;
mod us_chess;
pub(crate) mod view;

use fraction::Fraction;
use fraction::whole;
use swiss_system::standings::criterion::Criterion;
use view::View;

/// A criterion as written, taken apart.
pub(crate) struct Name {
    code: String,
    modifiers: Vec<String>,
}

impl Name {
    pub(crate) fn of(text: &str) -> Self {
        let mut parts = text.split([':', '/']).map(str::to_owned);
        Self {
            code: parts.next().expect("a code"),
            modifiers: parts.collect(),
        }
    }

    fn has(&self, modifier: &str) -> bool {
        self.modifiers.iter().any(|known| known == modifier)
    }

    /// Whether it is about game points.
    fn is_of_game_points(&self, view: &View) -> bool {
        self.has("GP") || (view.game_points_rank && !self.has("MP"))
    }

    fn forfeits_played(&self) -> bool {
        self.has("P")
    }

    /// "C1/C2 drop the lowest 1/2; M1/M2 drop the lowest, then the highest."
    fn lowest(&self) -> usize {
        let cuts = [("C1", 1), ("C2", 2), ("M1", 1), ("M2", 2)];
        cuts.into_iter()
            .filter(|(cut, _)| self.has(cut))
            .map(|(_, count)| count)
            .sum()
    }

    fn highest(&self) -> usize {
        let cuts = [("M1", 1), ("M2", 2)];
        cuts.into_iter()
            .filter(|(cut, _)| self.has(cut))
            .map(|(_, count)| count)
            .sum()
    }

    fn limit(&self) -> i64 {
        let limit = self.modifiers.iter().find_map(|modifier| modifier.strip_prefix('L'));
        limit.map_or(0, |limit| limit.parse().expect("a number"))
    }
}

/// What one player has alone; `None`: not defined, or nothing that a player has alone.
pub(crate) fn value(view: &View, name: &Name, player: usize) -> Option<Fraction> {
    let game = name.is_of_game_points(view);
    let of_ratings = ["ARO", "TPR", "PTP", "APRO", "APPO"].contains(&name.code.as_str());
    if of_ratings && !view.everybody_is_rated() {
        return None;
    }
    let value = match name.code.as_str() {
        "PTS" => view.total(view.game_points_rank, player),
        "match-points" => view.total(false, player),
        "game-points" => view.total(true, player),
        "MPvGP" => view.total(!view.game_points_rank, player),
        "h2h" | "DE" | "EDE" | "immortal-direct-encounter" => return None,
        "buchholz" => protocol::buchholz(view, player),
        "sonneborn-berger" => protocol::sonneborn_berger(view, player),
        "BH" => opponents::buchholz(view, name, game, player),
        "FB" => opponents::buchholz(&opponents::with_last_round_drawn(view), name, game, player),
        "AOB" => return opponents::average_of_opponents(view, name, game, player),
        "SB" => opponents::sonneborn_berger(view, name, (game, game), player),
        "EMMSB" => opponents::sonneborn_berger(view, name, (false, false), player),
        "EMGSB" => opponents::sonneborn_berger(view, name, (false, true), player),
        "EGMSB" => opponents::sonneborn_berger(view, name, (true, false), player),
        "EGGSB" => opponents::sonneborn_berger(view, name, (true, true), player),
        "WIN" => own::wins(view, player),
        "WON" => own::wins_over_the_board(view, player),
        "BPG" => own::black_games(view, player),
        "BWG" => own::black_wins(view, player),
        "REP" => own::rounds_elected(view, player),
        "PS" => own::progressive(view, name, game, player),
        "STD" => own::standard_points(view, game, player),
        "KS" => own::koya(view, name, game, player),
        "ARO" => return rating::average(view, name, player),
        "TPR" => return rating::performance(view, player),
        "PTP" => return rating::perfect(view, player),
        "APRO" => return rating::average_of(view, player, rating::performance),
        "APPO" => return rating::average_of(view, player, rating::perfect),
        "TPN" => whole(view.players[player].number),
        "RTNG" => return view.rating(player, 0).map(whole),
        "modified-median" => us_chess::modified_median(view, player),
        "solkoff" => us_chess::solkoff(view, player),
        "median" => us_chess::median(view, player),
        "cumulative" => us_chess::cumulative(view, player),
        "cumulative-of-opposition" => us_chess::cumulative_of_opposition(view, player),
        "kashdan" => us_chess::kashdan(view, player),
        "win-rate" => return own::win_rate(view, player),
        "byes" => own::byes(view, player),
        "faults" => own::faults(view, player),
        "lot" => whole(view.players[player].lot + 1),
        "submitted" => whole(view.players[player].submitted + 1),
        other => panic!("no text for {other}"),
    };
    Some(value)
}

/// Whether little is better than much.
fn little_is_better(name: &Name) -> bool {
    let little = [
        "TPN",
        "byes",
        "faults",
        "lot",
        "submitted",
        "DE",
        "EDE",
        "immortal-direct-encounter",
    ];
    little.contains(&name.code.as_str()) != name.has("R")
}

/// What somebody has by one criterion, and, of an encounter among some, whether all of them have met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Has {
    pub(crate) value: Option<Fraction>,
    pub(crate) all_met: bool,
}

/// For each criterion (those that rank, then the others) what each player has; and each player's place, 0 for who is not
/// ranked.
pub(crate) fn standings(view: &View, order: &[Criterion], also: &[Criterion]) -> (Vec<Vec<Has>>, Vec<usize>) {
    let players: Vec<usize> = (0..view.players.len()).collect();
    let names = |criteria: &[Criterion]| -> Vec<Name> { criteria.iter().map(|c| Name::of(&c.to_string())).collect() };
    let stages = ["h2h", "DE", "EDE", "immortal-direct-encounter"];
    let alone = |name: &Name| -> Vec<Has> {
        let has = |&player| Has {
            value: value(view, name, player),
            all_met: true,
        };
        players.iter().map(has).collect()
    };
    // Who is level on the first criterion that is a number (match points in the rules).
    let order = names(order);
    let first = order.iter().find(|name| !stages.contains(&name.code.as_str()));
    let level = match first {
        Some(first) => split(vec![view.ranked.clone()], &alone(first), first),
        None => vec![view.ranked.clone()],
    };
    let mut groups = vec![view.ranked.clone()];
    let mut columns = Vec::new();
    for (index, name) in order.iter().chain(&names(also)).enumerate() {
        let ranks = index < order.len();
        let mut column = alone(name);
        if stages.contains(&name.code.as_str()) {
            // "H2H is computed once for the whole group level on MP, not again for sub-groups."
            let asked = if ranks && name.code != "h2h" { &groups } else { &level };
            for group in asked.iter().filter(|group| group.len() > 1) {
                fill(view, name, group, &mut column);
            }
        }
        if ranks {
            groups = split(groups, &column, name);
        }
        columns.push(column);
    }
    let mut places = vec![0; players.len()];
    let mut place = 1;
    for group in groups {
        group.iter().for_each(|&player| places[player] = place);
        place += group.len();
    }
    (columns, places)
}

/// What a stage gives those of a group.
fn fill(view: &View, name: &Name, group: &[usize], column: &mut [Has]) {
    if name.code == "h2h" {
        let (points, all_met) = protocol::head_to_head(view, group);
        for (&player, points) in group.iter().zip(points) {
            let value = Some(points);
            column[player] = Has { value, all_met };
        }
        return;
    }
    let (in_order, all_met) = encounter::direct_encounter(view, name, group);
    let mut place = 1;
    for tied in &in_order {
        let value = (in_order.len() > 1).then_some(whole(place));
        tied.iter().for_each(|&player| column[player] = Has { value, all_met });
        place += i64::try_from(tied.len()).expect("few");
    }
}

/// Groups of those level, told apart by one more criterion, the better first. What is not defined comes last; who is
/// level with nobody has scored nothing head to head.
fn split(groups: Vec<Vec<usize>>, column: &[Has], name: &Name) -> Vec<Vec<usize>> {
    let value = |player: usize| match column[player].value {
        None if name.code == "h2h" => Some(whole(0)),
        value => value,
    };
    let mut finer = Vec::new();
    for group in groups {
        let mut values: Vec<Fraction> = group.iter().filter_map(|&player| value(player)).collect();
        values.sort_unstable();
        values.dedup();
        if !little_is_better(name) {
            values.reverse();
        }
        for wanted in values.into_iter().map(Some).chain([None]) {
            let such: Vec<usize> = group
                .iter()
                .copied()
                .filter(|&player| value(player) == wanted)
                .collect();
            if !such.is_empty() {
                finer.push(such);
            }
        }
    }
    finer
}
