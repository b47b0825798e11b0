//! The rules in force, in words: what an organizer publishes before round 1.
//!
//! May not: decide anything; each sentence follows from keys, and from the hashes of prompts, alone.

mod byes;
mod games;
mod models;
mod rounds;
mod season;
mod standings;
mod time;
mod versions;

use swiss_system::pairing::rounds::{RoundPlan, Rounds, TournamentFormat};
use swiss_system::score::PointsTable;
use swiss_system::text::harmless;

use swissmatch_tournament::log::Agent;
use swissmatch_tournament::setup::{PlayerKeys, Setup};

pub(crate) use versions::changes;

/// A heading, and its rules as sentences.
pub(super) struct RulesSection {
    pub(super) title: &'static str,
    pub(super) rules: Vec<String>,
}

impl RulesSection {
    fn new(title: &'static str, rules: impl IntoIterator<Item = Option<String>>) -> Self {
        Self {
            title,
            rules: rules.into_iter().flatten().collect(),
        }
    }
}

/// A unit that is played by itself: the event, or one of its sections or stages.
struct RulesPart {
    format: TournamentFormat,
    written: Rounds,
    rounds: u32,
    players: u32,
}

/// All units of an event that are played by themselves.
fn tables(setup: &Setup, plan: RoundPlan) -> Vec<RulesPart> {
    let stages = setup.stages().into_iter();
    match plan.format {
        TournamentFormat::Stages | TournamentFormat::Sections => stages
            .map(|stage| RulesPart {
                format: stage.format.plan(stage.players).format,
                written: stage.format,
                rounds: stage.rounds,
                players: stage.players,
            })
            .collect(),
        format => vec![RulesPart {
            format,
            written: setup.swiss.rounds,
            rounds: plan.rounds,
            players: stages.map(|stage| stage.players).sum(),
        }],
    }
}

impl RulesPart {
    /// Whether it is a Swiss or has one: five to seven players left over from sections of four play a Swiss.
    fn has_a_swiss(&self) -> bool {
        let has_remainder = self.players > 4 && !self.players.is_multiple_of(4);
        self.format == TournamentFormat::Swiss || self.format == TournamentFormat::Quads && has_remainder
    }

    /// Whether its table gives the byes: the all-play-all that `"auto"` makes "stays the protocol's Swiss".
    fn has_byes_by_table(&self) -> bool {
        self.format == TournamentFormat::AllPlayAll && self.written == Rounds::Auto
    }

    fn has_byes(&self) -> bool {
        self.has_a_swiss() || self.has_byes_by_table()
    }

    /// Whether there are more rounds than opponents.
    fn must_repeat(&self) -> bool {
        let opponents = self.players.saturating_sub(1);
        let most = if self.players.is_multiple_of(2) {
            opponents
        } else {
            self.players
        };
        self.rounds > most
    }
}

/// Whether a level mini-match of a knockout may have to be played off.
fn has_knockout(setup: &Setup, plan: RoundPlan) -> bool {
    tables(setup, plan)
        .iter()
        .any(|table| table.format == TournamentFormat::Knockout)
}

/// The rules of an event of this length, as sections. `agents` are those of the players, once they are registered.
pub(super) fn sections(setup: &Setup, plan: RoundPlan, agents: &[Agent]) -> impl Iterator<Item = RulesSection> {
    // In a round of a ladder, the ladder says how it is paired and rated, and nobody has a place.
    let is_event = setup.ladder.round.is_none();
    let of_event = |section: RulesSection| match is_event {
        true => section,
        false => RulesSection::new(section.title, []),
    };
    let sections = [
        versions::versions(setup),
        season::submissions(setup),
        season::ladder(setup),
        of_event(rounds::format(setup, plan)),
        of_event(rounds::pairing(setup, plan)),
        of_event(byes::byes(setup, plan)),
        of_event(rounds::entries(setup, plan)),
        games::mini_matches(setup),
        time::time(setup, plan),
        games::ends(setup),
        games::engines(setup),
        models::models(setup, agents),
        games::use_of_the_machine(setup),
        of_event(standings::points(setup)),
        of_event(standings::order(setup)),
        standings::play_offs(setup, plan),
        standings::prizes(setup),
        rounds::times(setup),
        rounds::published(setup),
    ];
    sections.into_iter().filter(|section| !section.rules.is_empty())
}

/// "The policy of byes and the list of tie-breaks are published before round 1."
pub(super) fn before_round_1(setup: &Setup, plan: RoundPlan) -> [RulesSection; 2] {
    [byes::byes(setup, plan), standings::order(setup)]
}

/// The rules of an event of this length, as Markdown. `agents` are those of the players, once they are registered.
pub fn markdown(setup: &Setup, plan: RoundPlan, agents: &[Agent]) -> String {
    let mut text = format!(
        "# Rules of {}\n\n\
         These are the rules in force. They follow from the keys of the event: `manifest.json` of the run lists them all, and \
         docs/keys.md explains them.\n",
        super::table::escape_markdown(&harmless(&setup.event.name))
    );
    for section in sections(setup, plan, agents) {
        text += &format!("\n## {}\n\n", section.title);
        for (number, rule) in (1..).zip(&section.rules) {
            text += &format!("{number}. {}\n", super::table::escape_markdown(rule));
        }
    }
    text
}

/// `1 for a win, 0.5 for a draw, 0 for a loss`
fn table(points: &PointsTable) -> String {
    format!(
        "{} for a win, {} for a draw, {} for a loss",
        points.win, points.draw, points.loss
    )
}

/// A value that may differ between players.
struct RuleByPlayer<'a, T> {
    /// For all players, or all but those with a value of their own; `None` if each has its own.
    all: Option<T>,
    own: Vec<(&'a str, T)>,
}

impl<'a, T: Clone + PartialEq> RuleByPlayer<'a, T> {
    /// From the usual value, and the value for each player.
    fn of(setup: &'a Setup, usual: T, of: impl Fn(&PlayerKeys) -> T) -> Self {
        let each = setup.players.iter().map(|player| (player.name.as_str(), of(player)));
        let each: Vec<(&str, T)> = each.collect();
        let (all, own) = match each.first() {
            Some((_, first)) if each.iter().all(|(_, other)| other == first) => (Some(first.clone()), Vec::new()),
            Some(_) if each.iter().all(|(_, own)| *own != usual) => (None, each),
            _ => {
                let own = each.into_iter().filter(|(_, own)| *own != usual).collect();
                (Some(usual), own)
            }
        };
        Self { all, own }
    }

    /// `A: 30s/move; B: 10+0.1`, for players with a value of their own, after the common value.
    fn own(&self, all_have: &str, some_have: &str, words: impl Fn(&T) -> String) -> Option<String> {
        let own = self
            .own
            .iter()
            .map(|(name, own)| format!("{}: {}", harmless(name), words(own)));
        let own: Vec<String> = own.collect();
        let who = if self.all.is_none() { all_have } else { some_have };
        (!own.is_empty()).then(|| format!("{who}: {}.", own.join("; ")))
    }
}

/// `a`, `a and b`, `a, b and c`
fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;
    use swissmatch_game::isolation::Isolation;

    fn rules(change: impl FnOnce(&mut Setup)) -> String {
        let mut setup = fixture::created_only().setup().clone();
        change(&mut setup);
        markdown(&setup, setup.plan(), &[])
    }

    #[test]
    fn limits_of_their_own_are_told_with_nodes_and_depth() {
        let text = rules(|setup| (setup.game.nodes, setup.players[1].nodes) = (Some(500), Some(900)));
        assert!(text.contains("Some players have their own limits: "), "{text}");
        assert!(text.contains("30s/move nodes=900."), "{text}");
        // All players but one have no limit of their own; if each has one, it is told for each.
        let control = |text: &str| text.parse().map(Some).expect("a time control");
        let all = rules(|setup| {
            setup
                .players
                .iter_mut()
                .for_each(|player| player.time_control = control("2+0"))
        });
        assert!(all.contains("The time control is 2 (2s for the whole game)."), "{all}");
        assert!(!all.contains("30s/move") && !all.contains("ome players"), "{all}");
        let each = rules(|setup| {
            for (player, time) in setup.players.iter_mut().zip(["2+0", "480+3"].into_iter().cycle()) {
                player.time_control = control(time);
            }
        });
        let says = "Each player has its own time control: ";
        assert!(each.contains(says) && !each.contains("The time control is"), "{each}");
        assert!(
            each.contains("480+3 (8 min for the whole game, 3s added after each move)"),
            "{each}"
        );
        let off = rules(|setup| {
            setup
                .players
                .iter_mut()
                .for_each(|player| player.isolation = Some(Isolation::Off))
        });
        assert!(
            off.contains("they are kept from nothing") && !off.contains("are isolated"),
            "{off}"
        );
        let margin = Some(std::time::Duration::from_millis(30));
        let margins = rules(|setup| setup.players.iter_mut().for_each(|player| player.margin = margin));
        assert!(margins.contains("A move may be 30ms over its limit"), "{margins}");
        assert!(!margins.contains("by another time"), "{margins}");
        let alike = rules(|setup| setup.game.nodes = Some(500));
        assert!(!alike.contains("own limits"), "{alike}");
        assert!(
            alike.contains("An engine searches at most 500 nodes for a move."),
            "{alike}"
        );
    }

    #[test]
    fn a_stop_rule_is_told() {
        let text = rules(|setup| {
            setup.stop.when = Some("places 1-2 at 95%".parse().expect("places"));
            setup.stop.games = Some(8);
        });
        for told in [
            "when places 1 to 2 are sure",
            "from round 3 on",
            "at least 95 % of 1000 samples",
            "No round begins that would make more than 8 games.",
        ] {
            assert!(text.contains(told), "{told}: {text}");
        }
        assert!(!rules(|_| ()).contains("samples"));
    }

    #[test]
    fn an_all_play_all_has_no_byes() {
        let text = rules(|setup| setup.swiss.rounds = Rounds::AllPlayAll { cycles: 1 });
        assert!(text.contains("There are no byes."), "{text}");
        assert!(!text.contains("A bye is worth"), "{text}");
        assert!(rules(|_| ()).contains("A bye is worth"));
    }
}
