//! Why a player has its place: the numbers of its row term by term, and what puts one player before another.
//!
//! May not: compute a tie-break.

mod words;

use std::fmt::Write as _;

use serde_json::{Value as Json, json};
use swiss_system::pairing::history::PairingNumber;
use swiss_system::standings::criterion::{Code, Criterion, Score};
use swiss_system::standings::direct_encounter::EncounterStep;
use swiss_system::standings::evaluate::fewer_is_better;
use swiss_system::standings::explain::{ExplainedValue, row, separation};
use swiss_system::standings::played_off::PlayedOff;
use swiss_system::standings::results::Results;
use swiss_system::standings::term::{CutReason, Note, Term};
use swiss_system::standings::unplayed::TieBreakEdition;
use swiss_system::standings::{EncounterGroup, RankingRules, Standings, StandingsRow};
use swiss_system::text::harmless;
use swiss_system::trf::EditionBy;
use swiss_system::word::Word as _;

pub(super) use self::words::meaning;
use self::words::{fate, note, term_sum};
use super::decimal::Decimal;
use super::explain::Names;
use super::standings::header;
use swissmatch_tournament::column::Column;
use swissmatch_tournament::state::State;

/// Players of a group, and comparisons, that the text shows; JSON has all.
const MOST_MEMBERS: usize = 12;
const MOST_STEPS: usize = 12;

/// Why a term does not count.
const fn why_cut(cut: CutReason) -> &'static str {
    match cut {
        CutReason::Lowest => "cut: the lowest",
        CutReason::Voluntary => "cut: the lowest of the player's own voluntary unplayed rounds, which are cut first",
        CutReason::Highest => "cut: the highest",
        CutReason::FirstRound => "cut: round 1",
    }
}

/// Names with commas, not too many of them.
fn listed(names: &[String]) -> String {
    let shown = names[..names.len().min(MOST_MEMBERS)].join(", ");
    match names.len().saturating_sub(MOST_MEMBERS) {
        0 => shown,
        more => format!("{shown} and {more} others"),
    }
}

/// A table of standings with everything that explains it.
pub struct ExplainedStandings<'a> {
    pub results: &'a Results,
    pub rules: &'a RankingRules,
    pub standings: &'a Standings,
    /// The edition by which unplayed rounds count, as keys and flags have it.
    pub edition: &'static str,
    /// Where the edition of a tournament file was taken from.
    pub edition_by: Option<&'a EditionBy>,
    pub name: Names<'a>,
}

impl<'a> ExplainedStandings<'a> {
    /// The standings of an event by its own rules.
    pub(crate) fn of_event(
        state: &State,
        rules: &'a RankingRules,
        (results, standings): (&'a Results, &'a Standings),
        name: Names<'a>,
    ) -> Self {
        Self {
            results,
            rules,
            standings,
            edition: state.setup().standings.edition.word(),
            edition_by: None,
            name,
        }
    }
}

impl ExplainedStandings<'_> {
    fn place(&self, player: PairingNumber) -> u32 {
        let row = self.standings.rows.iter().find(|row| row.player == player);
        row.map_or(0, |row| row.place)
    }

    fn shown(&self, line: &ExplainedValue<'_>) -> String {
        let criterion = &self.standings.criteria[line.criterion];
        match line.value {
            Some(value) if criterion.code.is_place() => format!("place {value} among those level"),
            Some(value) => value.to_string(),
            None if criterion.code == Code::H2h => "–, level with nobody".to_owned(),
            None if criterion.code.is_place() && line.stage.is_none() => "–, level with nobody".to_owned(),
            None if criterion.code.is_place() => "nobody told apart".to_owned(),
            None => "not defined".to_owned(),
        }
    }

    /// Every number of a player's row, term by term.
    pub fn player(&self, player: PairingNumber) -> String {
        let before = match self.standings.rows.iter().find(|row| row.player == player) {
            Some(StandingsRow {
                before_playoff: Some(before),
                ..
            }) => format!(", as the play-off decided; place {before} by the criteria"),
            _ => String::new(),
        };
        let mut text = format!("{}: place {}{before}.\n", (self.name)(player), self.place(player));
        let lines = row(self.results, self.rules, self.standings, player);
        for line in &lines {
            let criterion = &self.standings.criteria[line.criterion];
            let ranks = if line.criterion < self.standings.ranking {
                ""
            } else {
                " (shown only, does not rank)"
            };
            let _ = writeln!(
                text,
                "\n{criterion}: {}{ranks} – {}",
                self.shown(line),
                meaning(criterion, self.rules.edition)
            );
            self.write_line(&mut text, player, line);
        }
        self.write_edition(&mut text, &lines);
        text
    }

    /// What separates two players, the better one first: a play-off, otherwise the first criterion, with both sums.
    pub fn pair(&self, one: PairingNumber, other: PairingNumber) -> String {
        let (one, other) = self.better_first(one, other);
        if let Some(tie) = self.standings.play_off_between(one, other) {
            return self.decided_by_play_off(one, other, tie);
        }
        let rows = [one, other].map(|player| row(self.results, self.rules, self.standings, player));
        let Some(index) = separation(self.standings, one, other) else {
            let mut text = self.level(one, other, &rows);
            self.write_edition(&mut text, []);
            return text;
        };
        let criterion = &self.standings.criteria[index];
        let (mine, theirs) = match rows.each_ref().map(|lines| lines[index].value) {
            [Some(mine), Some(theirs)] if criterion.code.is_place() => {
                (format!("place {mine}"), format!("place {theirs} of those level"))
            }
            _ => (self.shown(&rows[0][index]), self.shown(&rows[1][index])),
        };
        let fewer = if fewer_is_better(criterion) && !criterion.code.is_place() {
            " (less is better)"
        } else {
            ""
        };
        let mut text = self.is_before(one, other);
        if index > 0 {
            text.push_str("\nThey are level on\n");
            self.write_level(&mut text, &rows, index);
        }
        let _ = writeln!(
            text,
            "\n{criterion} separates them, {mine} to {theirs}{fewer} – {}.",
            meaning(criterion, self.rules.edition)
        );
        if rows[0][index].stage.is_some() {
            self.write_line(&mut text, one, &rows[0][index]);
        } else {
            for (player, lines) in [one, other].into_iter().zip(&rows) {
                let _ = writeln!(text, "\n{}: {}", (self.name)(player), self.shown(&lines[index]));
                self.write_line(&mut text, player, &lines[index]);
            }
        }
        let after: Vec<String> = self.standings.criteria[index + 1..self.standings.ranking]
            .iter()
            .map(ToString::to_string)
            .collect();
        if !after.is_empty() {
            let _ = writeln!(text, "\nThe later criteria no longer matter: {}.", after.join(", "));
        }
        let asked = rows.iter().flat_map(|lines| &lines[index..=index]);
        self.write_edition(&mut text, asked);
        text
    }

    /// Like [`Self::pair`], but in one sentence, without the sums.
    pub(super) fn in_short(&self, one: PairingNumber, other: PairingNumber) -> String {
        let (one, other) = self.better_first(one, other);
        let [first, second] = [one, other].map(|player| (self.name)(player));
        if let Some(tie) = self.standings.play_off_between(one, other) {
            let (from, to) = (tie.first_place, tie.last_place());
            return format!("{first} is above {second}: the play-off for places {from} to {to} decided.");
        }
        let Some(index) = separation(self.standings, one, other) else {
            let place = self.place(one);
            return format!("{first} and {second} share place {place}: they are level on every criterion.");
        };
        let criterion = &self.standings.criteria[index];
        let value = |player| {
            let row = self.standings.rows.iter().find(|row| row.player == player);
            let value = row.and_then(|row| row.cells[index].value);
            value.map_or_else(|| "–".to_owned(), |value| value.to_string())
        };
        let level = match index {
            0 => String::new(),
            1 => format!("; they are level on {}", self.standings.criteria[0].code.meaning()),
            level => format!("; they are level on the {level} criteria before it"),
        };
        let values = match criterion.code.is_place() {
            true => String::new(),
            false => format!(", {} to {}", value(one), value(other)),
        };
        let told = meaning(criterion, self.rules.edition);
        let (by, told) = match criterion.code.is_points() {
            true => (told, String::new()),
            false => (header(Column::Criterion(*criterion)), format!(" ({told})")),
        };
        format!("{first} is above {second} by {by}{values}{told}{level}.")
    }

    fn is_before(&self, one: PairingNumber, other: PairingNumber) -> String {
        format!(
            "{} (place {}) is before {} (place {}).\n",
            (self.name)(one),
            self.place(one),
            (self.name)(other),
            self.place(other)
        )
    }

    /// "What a play-off decides is the final order, before all tie-breaks."
    fn decided_by_play_off(&self, one: PairingNumber, other: PairingNumber, tie: &PlayedOff) -> String {
        let mut text = self.is_before(one, other);
        let parts = tie.parts.iter().map(|part| {
            let names: Vec<String> = part.iter().map(|&player| (self.name)(player)).collect();
            listed(&names)
        });
        let _ = writeln!(
            text,
            "\nThe play-off for places {} to {} decided, before all criteria: {}.",
            tie.first_place,
            tie.last_place(),
            parts.collect::<Vec<_>>().join("; then ")
        );
        let lines = [one, other].map(|player| row(self.results, self.rules, self.standings, player));
        let by_criteria = match separation(self.standings, one, other) {
            None => "Without it they would share their place: they are level on every criterion.".to_owned(),
            Some(index) => {
                let [mine, theirs] = lines.each_ref().map(|lines| self.shown(&lines[index]));
                let criterion = &self.standings.criteria[index];
                format!(
                    "The criteria did not count: the first in which they differ is {criterion}, {mine} to {theirs}."
                )
            }
        };
        let _ = writeln!(text, "{by_criteria}");
        text
    }

    fn better_first(&self, one: PairingNumber, other: PairingNumber) -> (PairingNumber, PairingNumber) {
        let listed = |player| self.standings.rows.iter().position(|row| row.player == player);
        if listed(one) <= listed(other) {
            (one, other)
        } else {
            (other, one)
        }
    }

    fn level(&self, one: PairingNumber, other: PairingNumber, rows: &[Vec<ExplainedValue<'_>>; 2]) -> String {
        let mut text = format!(
            "{} and {} share place {}: they are level on every criterion.\n\n",
            (self.name)(one),
            (self.name)(other),
            self.place(one)
        );
        self.write_level(&mut text, rows, self.standings.ranking);
        text.push_str("\nTheir order in the list is that of submission, then of their names, and means nothing.\n");
        text
    }

    fn write_level(&self, text: &mut String, rows: &[Vec<ExplainedValue<'_>>; 2], before: usize) {
        for line in &rows[0][..before] {
            let criterion = &self.standings.criteria[line.criterion];
            let _ = writeln!(text, "  {criterion}: {}", self.shown(line));
            if let Some(stage) = line.stage {
                self.write_steps(text, criterion, stage, &rows.each_ref().map(|lines| lines[0].player));
            }
        }
    }

    /// Writes the edition by which unplayed rounds count, if one of these numbers depends on it.
    fn write_edition<'l>(&self, text: &mut String, lines: impl IntoIterator<Item = &'l ExplainedValue<'l>>) {
        let depends = |line: &ExplainedValue<'_>| {
            let criterion = &self.standings.criteria[line.criterion];
            let of_unplayed = |term: &Term| {
                let seen = criterion.code != Code::ForeBuchholz && self.seen_otherwise(criterion, term).is_some();
                term.note != Note::None || seen
            };
            words::depends_on_edition(criterion.code) && line.terms.iter().any(of_unplayed)
        };
        if let Some(by) = self.edition_by {
            let _ = writeln!(text, "\nC.07, edition {}: {}.", self.edition, harmless(&by.to_string()));
        }
        if !lines.into_iter().any(depends) {
            return;
        }
        let rule = match self.rules.edition {
            TieBreakEdition::Of2026 => {
                "C.07 as of March 2026:\n  a round that a player did not play counts for the player as one against a dummy with \
                 the player's\n  own score, but at most the scheduled opponent's where a game was forfeited, else a draw for \
                 each round;\n  for others, a requested bye counts as a draw where only such byes and lost forfeits came after it."
            }
            TieBreakEdition::Of2024 => {
                "C.07 as of 2024:\n  a round that a player did not play counts for the player as one against a dummy with the \
                 player's\n  own score;\n  for others, a requested bye counts as a draw where only such byes and lost forfeits \
                 came after it."
            }
            TieBreakEdition::Of2022 => {
                "C.07 before September 2023:\n  a round that a player did not play counts for the player as one against a \
                 virtual opponent,\n  and for others as a draw."
            }
            TieBreakEdition::PlayedOnly => {
                "only opponents actually played count:\n  a round that was not played adds nothing, and is never cut."
            }
        };
        let _ = writeln!(text, "\nUnplayed rounds, {rule}");
    }

    fn write_line(&self, text: &mut String, player: PairingNumber, line: &ExplainedValue<'_>) {
        let criterion = &self.standings.criteria[line.criterion];
        if let Some(stage) = line.stage {
            self.write_steps(text, criterion, stage, &[player]);
            return;
        }
        if criterion.code == Code::H2h && line.value.is_some() {
            let others: Vec<String> = line.level.iter().map(|&other| (self.name)(other)).collect();
            let row = self.standings.rows.iter().find(|row| row.player == player);
            let all_met = row.is_none_or(|row| row.cells[line.criterion].all_met);
            let met = if all_met { "" } else { "; not all of them have met" };
            let _ = writeln!(text, "  level with {}{met}", listed(&others));
            if line.terms.is_empty() {
                text.push_str("  no mini-match against any of them, so nothing is scored\n");
            }
        }
        let rows: Vec<[String; 3]> = line
            .terms
            .iter()
            .map(|term| self.cells(player, criterion, term))
            .collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let (round, what) = (width(0), width(1));
        for [round_text, what_text, amount] in rows {
            let line = format!("  {round_text:round$}  {what_text:what$}  {amount}");
            let _ = writeln!(text, "{}", line.trim_end());
        }
        if let Some(sum) = term_sum(criterion, &line.terms, line.value) {
            let _ = writeln!(text, "  {sum}");
        }
    }

    /// The round, what happened in it, and what it adds.
    fn cells(&self, player: PairingNumber, criterion: &Criterion, term: &Term) -> [String; 3] {
        let round = term
            .round
            .map_or_else(String::new, |round| format!("round {}", round + 1));
        let what = match term.round {
            Some(round) => fate(self.results, player, round, self.name),
            None => String::new(),
        };
        let mut amount = words::amount(criterion, term);
        if let Some(seen) = self.seen_otherwise(criterion, term) {
            amount += &seen;
        }
        let score = self.score(criterion);
        let own = score.total(&self.results.players[player.index()]);
        let rounds = self.results.players[player.index()].counted_rounds(0);
        if let Some(note) = note(term, own, rounds) {
            let _ = write!(amount, " ({note})");
        }
        if let Some(cut) = term.cut {
            let why = why_cut(cut);
            let _ = write!(amount, " – {why}");
        }
        [round, what, amount]
    }

    /// The score by which opponents count.
    fn score(&self, criterion: &Criterion) -> Score {
        match criterion.code {
            Code::Emmsb | Code::Emgsb | Code::Solkoff | Code::Median | Code::ModifiedMedian => Score::Match,
            Code::Egmsb | Code::Eggsb => Score::Game,
            _ => criterion.score.unwrap_or_else(|| self.rules.primary()),
        }
    }

    /// A remark that an opponent's points count with another value.
    fn seen_otherwise(&self, criterion: &Criterion, term: &Term) -> Option<String> {
        let is_seen = words::depends_on_edition(criterion.code) && criterion.code != Code::AverageOfOpponentsBuchholz
            || matches!(criterion.code, Code::Solkoff | Code::Median | Code::ModifiedMedian);
        if !is_seen {
            return None;
        }
        let points = self
            .score(criterion)
            .total(&self.results.players[term.opponent?.index()]);
        let why = match (criterion.code, self.rules.edition) {
            (Code::ForeBuchholz, _) if !self.results.is_before_last_round() => {
                "its last game as a draw, unplayed rounds by the rule"
            }
            (Code::Solkoff | Code::Median | Code::ModifiedMedian, _) | (_, TieBreakEdition::Of2022) => {
                "unplayed rounds as draws"
            }
            _ => "requested byes at the end as draws",
        };
        (term.worth != points.into()).then(|| format!(" (has {points}; counts as {}, {why})", term.worth))
    }

    /// Writes the steps of a direct encounter between these players.
    fn write_steps(&self, text: &mut String, criterion: &Criterion, stage: &EncounterGroup, players: &[PairingNumber]) {
        let concerns = |step: &&EncounterStep| step.members.iter().any(|member| players.contains(&member.player));
        let steps: Vec<&EncounterStep> = stage.encounters.steps.iter().filter(concerns).collect();
        for step in steps.iter().take(MOST_STEPS) {
            self.write_step(text, criterion, step, players);
        }
        if steps.len() > MOST_STEPS {
            let _ = writeln!(text, "\n  … and {} more such comparisons", steps.len() - MOST_STEPS);
        }
    }

    fn write_step(&self, text: &mut String, criterion: &Criterion, step: &EncounterStep, players: &[PairingNumber]) {
        let what = match (criterion.code, step.score) {
            (Code::ExtendedDirectEncounter, Score::Match) => "match points in their games",
            (Code::ExtendedDirectEncounter, Score::Game) => "game points in their games",
            _ => "points in their games",
        };
        let played = match (step.members.len(), step.all_met) {
            (2, true) => "who have played each other",
            (2, false) => "who have not played each other",
            (_, true) => "who have all played each other",
            (_, false) => "who have not all played each other",
        };
        let _ = writeln!(text, "\n  Among {} players {played}, {what}:", step.members.len());
        let mut left_out = 0;
        for (index, member) in step.members.iter().enumerate() {
            if index >= MOST_MEMBERS && !players.contains(&member.player) {
                left_out += 1;
                continue;
            }
            let missing = match member.missing {
                0 => String::new(),
                _ if step.members.len() == 2 => String::new(),
                1 => ", did not play one of them".to_owned(),
                missing => format!(", did not play {missing} of them"),
            };
            let place = if step.breaks() {
                format!("{}. ", member.place)
            } else {
                String::new()
            };
            let _ = writeln!(
                text,
                "    {place}{}: {}{missing}",
                (self.name)(member.player),
                member.points
            );
        }
        if left_out > 0 {
            let _ = writeln!(text, "    … and {left_out} others");
        }
        let outcome = match (step.breaks(), step.all_met) {
            (true, true) => "They are placed by these points; those still level are compared again, among themselves.",
            (true, false) => {
                "Players with more than the others could reach by winning every missing game are placed; the rest are compared \
                 again."
            }
            (false, true) => "They stay level.",
            (false, false) => {
                "A missing game (a forfeited game counts as missing) could still have changed who is on top: they stay level."
            }
        };
        let _ = writeln!(text, "  {outcome}");
    }

    /// Like [`Self::player`], but for programs.
    pub fn player_json(&self, player: PairingNumber) -> Json {
        let lines = row(self.results, self.rules, self.standings, player);
        let criteria: Vec<Json> = lines.iter().map(|line| self.line_json(player, line)).collect();
        self.with_edition(json!({ "schema": 1, "player": self.called_json(player), "criteria": criteria }))
    }

    /// Like [`Self::pair`], but for programs.
    pub fn pair_json(&self, one: PairingNumber, other: PairingNumber) -> Json {
        let (one, other) = self.better_first(one, other);
        let separates = separation(self.standings, one, other);
        let play_off = self.standings.play_off_between(one, other);
        let by = match play_off {
            Some(_) => Some("play-off".to_owned()),
            None => separates.map(|index| self.standings.criteria[index].to_string()),
        };
        let asked = separates.map_or(self.standings.ranking, |index| index + 1);
        let players = [one, other].map(|player| {
            let lines = row(self.results, self.rules, self.standings, player);
            let criteria: Vec<Json> = lines[..asked].iter().map(|line| self.line_json(player, line)).collect();
            json!({ "player": self.called_json(player), "criteria": criteria })
        });
        self.with_edition(json!({
            "schema": 1,
            "separated_by": by,
            "play_off": play_off.map(|tie| json!({ "first_place": tie.first_place, "last_place": tie.last_place() })),
            "players": players,
        }))
    }

    /// Adds the edition, and where it was taken from.
    fn with_edition(&self, mut json: Json) -> Json {
        json["edition"] = self.edition.into();
        if let Some(by) = self.edition_by {
            json["edition_by"] = harmless(&by.to_string()).into();
        }
        json
    }

    fn called_json(&self, player: PairingNumber) -> Json {
        let name = harmless(&self.results.names[player.index()]);
        let row = self.standings.rows.iter().find(|row| row.player == player);
        json!({
            "pairing_number": self.results.number(player),
            "name": name,
            "place": self.place(player),
            "place_before_playoff": row.and_then(|row| row.before_playoff),
        })
    }

    fn line_json(&self, player: PairingNumber, line: &ExplainedValue<'_>) -> Json {
        let criterion = &self.standings.criteria[line.criterion];
        let terms = line.terms.iter().map(|term| {
            let [_, what, amount] = self.cells(player, criterion, term);
            json!({
                "round": term.round.map(|round| round + 1),
                "opponent": term.opponent.map(|opponent| self.results.number(opponent)),
                "worth": term.worth.exact(),
                "times": term.times,
                "amount": term.amount.exact(),
                "counts": term.cut.is_none(),
                "cut": term.cut.map(why_cut),
                "text": format!("{what}: {amount}").trim_start_matches(": "),
            })
        });
        let steps = line.stage.map(|stage| {
            let steps = stage.encounters.steps.iter().map(|step| {
                let members = step.members.iter().map(|member| {
                    json!({
                        "pairing_number": self.results.number(member.player),
                        "points": member.points.exact(),
                        "missing": member.missing,
                        "place": member.place,
                    })
                });
                json!({ "all_met": step.all_met, "members": members.collect::<Vec<_>>() })
            });
            steps.collect::<Vec<_>>()
        });
        let nothing = criterion.code.is_place().then(|| Decimal::of(0));
        json!({
            "criterion": criterion.to_string(),
            "meaning": meaning(criterion, self.rules.edition),
            "ranks": line.criterion < self.standings.ranking,
            "value": line.value.map(Decimal::of).or(nothing),
            "exact": line.value.map(|value| value.exact()),
            "terms": terms.collect::<Vec<_>>(),
            "steps": steps,
        })
    }
}
