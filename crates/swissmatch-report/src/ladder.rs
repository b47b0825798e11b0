//! A ladder as it stands: its table, its rounds, and the course of each player through them.
//!
//! May not: rate anybody.

use maud::html;
use serde::Serialize;
use swiss_system::count;
use swiss_system::score::Points;
use swiss_system::text::harmless;

use super::league::{document, drawn, shown};
use super::nights::ladder::FEW;
use super::nights::{History, Night, NightBuild, result_of, with_noise};
use super::plot::{Across, AgentSeries, AtMove, AxisKind, ByMove, CountedUnit, Heading};
use super::rules::changes;
use super::table::{Column, Page, Table};
use swissmatch_stats::rating::fitted::AT_95;
use swissmatch_tournament::setup::{LadderRating, RulesKeys, Setup, Zone};

/// How many are named after a round.
const LEADERS: usize = 3;
/// Most rounds that are named.
const MOST_NAMED: usize = 5;

/// A ladder with all that is said of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LadderView {
    /// Version of this shape.
    schema: u32,
    /// What the event is called.
    pub event: String,
    /// Its rounds, in their order.
    pub rounds: Vec<RoundRow>,
    /// Its players, by rating.
    pub players: Vec<PlayerRow>,
    /// How its rules change.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rules: Vec<RulesKeys>,
    /// The same in sentences.
    #[serde(skip)]
    changes: Vec<String>,
    /// When there are rounds, and until when, in a sentence.
    #[serde(skip)]
    times: Option<String>,
    /// By whose clocks moments are told.
    #[serde(skip)]
    zone: Zone,
}

/// A round.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoundRow {
    /// Which one, from 1.
    pub round: usize,
    /// When it began.
    pub began: jiff::Timestamp,
    /// Who played in it.
    pub players: usize,
    /// Its games that are rated.
    pub games: usize,
    /// What the machine was busy with besides, a sentence each; it is rated all the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub busy: Vec<String>,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerRow {
    /// Its name.
    pub name: String,
    /// What people call what plays for it: the number of a submission.
    pub version: String,
    /// Its rating.
    #[serde(flatten)]
    pub rating: LadderRating,
    /// Whether that does not move.
    pub fixed: bool,
    /// Whether the organizer has taken it out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub out: bool,
    /// Rounds in which it played.
    pub rounds: usize,
    /// Games that it lost by a fault, in all of them.
    pub faults: u32,
    /// Its rating after each round in which it was there.
    pub course: Vec<At>,
}

/// A rating after a round.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct At {
    /// Which round, from 1.
    pub round: usize,
    /// What played.
    pub version: String,
    /// In Elo.
    pub rating: i32,
    /// Its standard error in Elo.
    pub error: u32,
    /// Against whom it played in that round, where it was paired.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opponent: Option<RoundOpponent>,
}

/// The opponent of a round, and what the player made of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoundOpponent {
    /// Its name.
    pub name: String,
    /// The games of the round that are rated.
    pub games: usize,
    /// Points in them.
    pub points: Points,
}

impl RoundOpponent {
    /// That of the build of this name.
    fn of(night: &Night, name: &str) -> Option<Self> {
        let number = night.builds.iter().zip(0..).find(|(build, _)| build.name == name)?.1;
        let pair = night.pairs.iter().find(|pair| pair.contains(&number))?;
        let opponent = if pair[0] == number { pair[1] } else { pair[0] };
        let halves = night.games_of(name).map(|game| result_of(game, number)).sum::<u32>();
        Some(Self {
            name: night.builds[usize::from(opponent)].name.clone(),
            games: night.games_of(name).count(),
            points: Points::halves(halves.into()),
        })
    }
}

impl LadderView {
    /// The ladder of an event with this setup. `now` are its players with their ratings as they are now and, of those that have not played yet, what
    /// they are called.
    pub fn new(setup: &Setup, history: &History, now: &[(&str, Option<String>, LadderRating)]) -> Self {
        let rounds = with_noise(history).into_iter().zip(1..);
        let rounds = rounds.map(|((night, noisy), round)| RoundRow {
            round,
            began: night.began,
            players: 2 * night.pairs.len(),
            games: night.games.len(),
            busy: noisy.iter().map(|noisy| noisy.sentence()).collect(),
        });
        let of = |name: &str| -> Vec<(usize, &Night, &NightBuild)> {
            let nights = (1..).zip(&history.nights);
            nights
                .filter_map(|(round, night)| Some((round, night, night.build(name)?)))
                .collect()
        };
        let player = |(name, version, rating): &(&str, Option<String>, LadderRating)| {
            let nights = of(name);
            let last = nights.last().map(|(_, _, build)| build.version.clone());
            let course = nights.iter().filter_map(|(round, night, build)| {
                let after = build.ladder?;
                Some(At {
                    round: *round,
                    version: build.version.clone(),
                    rating: after.rating,
                    error: after.error,
                    opponent: RoundOpponent::of(night, name),
                })
            });
            PlayerRow {
                name: (*name).to_owned(),
                version: version.clone().or(last).unwrap_or_default(),
                rating: *rating,
                fixed: setup.ladder.fixed.contains_key(*name),
                out: setup.submissions.is_out(name),
                rounds: nights
                    .iter()
                    .filter_map(|(_, night, _)| RoundOpponent::of(night, name))
                    .count(),
                faults: nights.iter().map(|(_, _, build)| build.faults).sum(),
                course: course.collect(),
            }
        };
        let mut players: Vec<PlayerRow> = now.iter().map(player).collect();
        players.sort_by(|one, other| {
            (one.out, -one.rating.rating, &one.name).cmp(&(other.out, -other.rating.rating, &other.name))
        });
        Self {
            schema: 1,
            event: setup.event.name.clone(),
            rounds: rounds.collect(),
            players,
            rules: setup.rules.clone(),
            changes: changes(setup),
            times: times(setup),
            zone: setup.schedule.time_zone.clone(),
        }
    }

    /// The table of all players.
    pub fn page(&self) -> Page {
        let columns = vec![
            Column::figures("#"),
            Column::names("Player"),
            Column::words("Version"),
            Column::figures("Rating"),
            Column::figures("±"),
            Column::figures("Games"),
            Column::figures("Rounds"),
            Column::figures("Faults"),
        ];
        let rows = (1..).zip(&self.players).map(|(rank, player): (u32, _)| {
            vec![
                match player.out {
                    true => "out".to_owned(),
                    false => rank.to_string(),
                },
                harmless(&player.name),
                player.version.clone(),
                format!(
                    "{}{}",
                    player.rating.rating,
                    if player.rating.provisional { "?" } else { "" }
                ),
                match player.fixed {
                    true => "fixed".to_owned(),
                    false => half(player.rating.error).to_string(),
                },
                player.rating.games.to_string(),
                player.rounds.to_string(),
                player.faults.to_string(),
            ]
        });
        Page {
            title: self.title(),
            table: Table {
                columns,
                rows: rows.collect(),
            },
            notes: self.notes(),
        }
    }

    /// After which round who leads, in a line.
    pub fn in_short(&self) -> String {
        let first = self
            .players
            .iter()
            .filter(|player| !player.out)
            .take(LEADERS)
            .map(|player| {
                let rating = match player.fixed {
                    true => player.rating.rating.to_string(),
                    false => format!("{} ± {}", player.rating.rating, half(player.rating.error)),
                };
                format!("{} {rating}", harmless(&player.name))
            });
        format!(
            "Round {} of the ladder is over: {}",
            self.rounds.len(),
            first.collect::<Vec<_>>().join(", ")
        )
    }

    /// A player through the rounds.
    pub fn page_of(&self, player: &PlayerRow) -> Page {
        let columns = vec![
            Column::figures("Round"),
            Column::words("Version"),
            Column::names("Opponent"),
            Column::figures("Points"),
            Column::figures("Rating"),
            Column::figures("±"),
        ];
        let rows = player.course.iter().map(|at| {
            let points = |of: &RoundOpponent| format!("{} of {}", of.points, of.games);
            vec![
                at.round.to_string(),
                at.version.clone(),
                at.opponent.as_ref().map_or_else(String::new, |of| harmless(&of.name)),
                at.opponent.as_ref().map_or_else(String::new, points),
                at.rating.to_string(),
                half(at.error).to_string(),
            ]
        });
        Page {
            title: format!("{}: {}", self.title(), harmless(&player.name)),
            table: Table {
                columns,
                rows: rows.collect(),
            },
            notes: std::iter::once("Each rating is what it was after that round.")
                .chain(player.out.then_some("The organizer has taken this player out."))
                .map(str::to_owned)
                .collect(),
        }
    }

    /// For other programs.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("plain data") + "\n"
    }

    /// As a page of its own, with the course of each player, and below these a list of submissions where there is to be one.
    pub fn html(&self, submissions: Option<&Page>) -> String {
        let table = self.page();
        let body = html! {
            h1 { (harmless(&table.title)) }
            (shown(&table))
            @for player in self.players.iter().filter(|player| player.course.len() > 1) {
                @let plot = self.course(player);
                details {
                    summary { (harmless(&player.name)) }
                    (drawn(&plot.heading, plot.svg()))
                    (shown(&self.page_of(player)))
                }
            }
            @if !self.rounds.is_empty() {
                details {
                    summary { "Rounds" }
                    ul { @for row in self.rounds.iter().rev() {
                        li {
                            a href={ (row.round) "/report.html" } { "Round " (row.round) }
                            ", " (self.zone.moment(row.began)) ": "
                            (count::of(row.players, "player", "players")) ", " (count::of(row.games, "game", "games"))
                        }
                    } }
                }
            }
            @if let Some(submissions) = submissions {
                h2 { (submissions.title) }
                (shown(submissions))
            }
        };
        document(&table.title, &body)
    }

    fn course(&self, player: &PlayerRow) -> ByMove {
        let moves = player.course.iter().map(|at| {
            let (rating, half) = (f64::from(at.rating), f64::from(half(at.error)));
            AtMove {
                number: u32::try_from(at.round).unwrap_or(u32::MAX),
                median: rating,
                low: rating - half,
                high: rating + half,
            }
        });
        ByMove {
            heading: Heading {
                title: format!("{} through the rounds", player.name),
                n: player.rating.games.into(),
                counted: CountedUnit::Games,
                note: "n counts the games of what plays now. Each rating is what it was after that round.".to_owned(),
            },
            across: Across::Rounds,
            axis: "Rating (Elo)".to_owned(),
            kind: AxisKind::Free,
            band: "95 % intervals".to_owned(),
            agents: vec![AgentSeries {
                name: player.name.clone(),
                moves: moves.collect(),
            }],
            limit: None,
        }
    }

    fn title(&self) -> String {
        format!(
            "{}: ladder after {}",
            harmless(&self.event),
            count::of(self.rounds.len(), "round", "rounds")
        )
    }

    fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = self.times.iter().cloned().collect();
        if let Some(last) = self.rounds.last() {
            notes.push(format!(
                "Round {} began at {}.",
                last.round,
                self.zone.moment(last.began)
            ));
        }
        if self.players.is_empty() {
            notes.push("Nobody has played yet.".to_owned());
        }
        if self.players.iter().any(|player| player.rating.provisional) {
            notes.push(format!(
                "A rating with ? is provisional: fewer than {FEW} games of this version. A new version sets out from the rating of the \
                 one before it."
            ));
        }
        notes.extend(self.changes.iter().cloned());
        let busy: Vec<String> = self
            .rounds
            .iter()
            .filter(|round| !round.busy.is_empty())
            .map(|round| round.round.to_string())
            .collect();
        match busy.as_slice() {
            [] => {}
            [one] => notes.push(format!(
                "Round {one} is rated, though the machine was busy with something else."
            )),
            several if several.len() <= MOST_NAMED => notes.push(format!(
                "Rounds {} are rated, though the machine was busy with something else.",
                several.join(", ")
            )),
            several => notes.push(format!(
                "{} of {} rounds are rated, though the machine was busy with something else.",
                several.len(),
                self.rounds.len()
            )),
        }
        notes
    }
}

/// When there are rounds, and until when.
fn times(setup: &Setup) -> Option<String> {
    let (schedule, zone) = (setup.ladder.schedule?, &setup.schedule.time_zone);
    let lock = setup.submissions.lock;
    let until = lock.map_or_else(String::new, |lock| format!(", until {}", zone.moment(lock)));
    Some(format!("Rounds: {schedule}, by the clocks of {zone}{until}."))
}

/// Half of the width of a 95 % interval.
fn half(error: u32) -> u32 {
    (f64::from(error) * AT_95).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_was_taken_out_stays_in_the_table_and_times_are_told() {
        let mut setup = Setup::default();
        setup.ladder.schedule = Some("hourly 08-22".parse().expect("a schedule"));
        setup.schedule.time_zone = "+02:00".parse().expect("a zone");
        setup.submissions.lock = Some("2026-09-11T18:00:00Z".parse().expect("a time"));
        setup.submissions.out = vec!["B".to_owned()];
        let rated = |name, rating| {
            let rating = LadderRating {
                rating,
                error: 30,
                games: 20,
                provisional: false,
            };
            (name, Some("#1".to_owned()), rating)
        };
        let view = LadderView::new(&setup, &History::default(), &[rated("B", 1700), rated("A", 1500)]);
        let page = view.page();
        let firsts = page.table.rows.iter().map(|row| [row[0].as_str(), row[1].as_str()]);
        assert_eq!(firsts.collect::<Vec<_>>(), [["1", "A"], ["out", "B"]]);
        assert_eq!(
            page.notes,
            ["Rounds: hourly 08-22, by the clocks of +02:00, until 2026-09-11 20:00:00 +02:00."]
        );
        assert!(view.in_short().ends_with(": A 1500 ± 59"), "{}", view.in_short());
        let own = view.page_of(&view.players[1]).notes;
        assert_eq!(own[1], "The organizer has taken this player out.");
    }
}
