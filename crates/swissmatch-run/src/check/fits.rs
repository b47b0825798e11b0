//! What of a check fits the event: which steps it can ask of an agent, and under which clock.
//!
//! May not: play.

use std::time::Duration;

use swissmatch_game::Side;
use swissmatch_game::conformance::CheckStep;
use swissmatch_game::record::GameRecord;
use swissmatch_game::time_control::{Limit, TimeControl};
use swissmatch_tournament::setup::{MoveSource, PlayerKeys, Setup};

/// Plies of a game that nothing else ends.
const LONGEST_GAME: u32 = 600;
/// Plies that are played however long they take.
const FEWEST_PLIES: u32 = 20;
/// How long a game may take that has more.
const LONGEST: Duration = Duration::from_secs(10);

/// Whether a step is asked of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepScope {
    /// It is.
    Asked,
    /// It is not, for this reason.
    LeftOut(&'static str),
    /// It is about other players, and not told.
    Untold,
}

impl StepScope {
    /// That of a step in the check of a player; `of_event`: its games are to be those of this event.
    pub(super) fn of(step: CheckStep, (setup, player): (&Setup, &PlayerKeys), of_event: bool) -> Self {
        let bounds_nodes = || setup.bounds(player, &setup.game.time_control).nodes.is_some();
        match (player.asks(), step) {
            (_, CheckStep::Qualification) if setup.eligibility.baseline.is_none() => Self::Untold,
            (_, CheckStep::Handshake | CheckStep::Qualification) => Self::Asked,
            (Some(MoveSource::Model(..) | MoveSource::Url(_)), CheckStep::Service) => Self::Asked,
            (Some(MoveSource::Model(..) | MoveSource::Url(_)), _) => {
                Self::LeftOut("it is asked over the network, once a move")
            }
            (_, CheckStep::Service) => Self::Untold,
            (Some(MoveSource::Command(_)), CheckStep::Stop | CheckStep::Determinism) => {
                Self::LeftOut("it is asked once a move")
            }
            (None, CheckStep::Determinism) if of_event && !bounds_nodes() => {
                Self::LeftOut("this event bounds no search by nodes (game.nodes)")
            }
            (Some(MoveSource::Command(_)) | None, _) => Self::Asked,
        }
    }
}

/// How the moves of the check's games are timed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Timing {
    /// What the agent is told.
    pub(super) control: TimeControl,
    /// How much more than that the event has for a move.
    pub(super) more: Duration,
    /// The key that says it.
    pub(super) key: &'static str,
}

impl Timing {
    /// That of a player.
    pub(super) fn of(setup: &Setup, player: &PlayerKeys) -> Self {
        let control = setup.time_control_of_checks(player);
        let own = setup.eligibility.time_control.is_none();
        let whole = setup.time_control(player).at_first();
        Self {
            more: match own {
                true => whole.saturating_sub(control.at_first()),
                false => Duration::ZERO,
            },
            control,
            key: match own {
                true => key_of_clock(player),
                false => "eligibility.time_control",
            },
        }
    }

    /// That a side used more than it was told, where the event itself has more.
    pub(super) fn overdrawn(&self, record: &GameRecord) -> Option<String> {
        if self.more.is_zero() {
            return None;
        }
        let over = |side: Side| {
            let times = record.time_us.iter().enumerate();
            let of_side: Vec<u64> = times
                .filter(|(ply, _)| record.side_at(*ply) == side)
                .map(|(_, us)| *us)
                .collect();
            let (used, told) = match &self.control.limit {
                Limit::MoveTime(time) => (of_side.iter().max().copied().unwrap_or(0), *time),
                _ => (
                    of_side.iter().sum(),
                    self.control
                        .longest_of_side(u32::try_from(of_side.len()).unwrap_or(u32::MAX)),
                ),
            };
            let used = Duration::from_micros(used);
            (used > told).then_some((used, told))
        };
        let (used, told) = Side::BOTH.into_iter().find_map(over)?;
        let [used, told, more] = [used, told, self.more].map(|time| format!("{:.1} s", time.as_secs_f64()));
        Some(format!(
            "it used {used} where it was told {told}; the event has {more} more ({})",
            self.key
        ))
    }
}

/// Plies of a game against itself that nothing else ends, of an agent that takes so long for each: in an event as many as fill ten seconds.
pub(super) fn plies(of_event: bool, pace: Duration) -> u32 {
    let by_pace = LONGEST.as_micros() / pace.as_micros().max(1);
    match of_event {
        true => u32::try_from(by_pace)
            .unwrap_or(LONGEST_GAME)
            .clamp(FEWEST_PLIES, LONGEST_GAME),
        false => LONGEST_GAME,
    }
}

/// The key of the clock that a player has in the event.
pub(crate) const fn key_of_clock(player: &PlayerKeys) -> &'static str {
    match player.time_control {
        Some(_) => "player.time_control",
        None => "game.time_control",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use swissmatch_game::time_control::write_duration;

    #[test]
    fn what_an_event_never_asks_is_left_out_with_the_reason() {
        let setup = Setup::default();
        let left_out = |setup: &Setup, player: &PlayerKeys, of_event: bool| -> Vec<(&str, &str)> {
            let stages = CheckStep::ALL.into_iter();
            stages
                .filter_map(|step| match StepScope::of(step, (setup, player), of_event) {
                    StepScope::LeftOut(why) => Some((step.name(), why)),
                    StepScope::Asked | StepScope::Untold => None,
                })
                .collect()
        };
        let command = PlayerKeys {
            move_command: vec!["./move.sh".to_owned()],
            ..PlayerKeys::default()
        };
        let model = PlayerKeys {
            model: Some("local:m".to_owned()),
            ..PlayerKeys::default()
        };
        let engine = PlayerKeys::default();
        let once = "it is asked once a move";
        assert_eq!(
            left_out(&setup, &command, true),
            [("stop", once), ("determinism", once)]
        );
        assert_eq!(left_out(&setup, &model, true).len(), CheckStep::ALL.len() - 3);
        assert_eq!(left_out(&setup, &engine, false), []);
        let determinism = ("determinism", "this event bounds no search by nodes (game.nodes)");
        assert_eq!(left_out(&setup, &engine, true), [determinism]);
        let mut bounded = setup;
        bounded.game.nodes = Some(1000);
        assert_eq!(left_out(&bounded, &engine, true), []);
    }

    #[test]
    fn the_clock_is_the_events_with_a_shorter_base() {
        let mut setup = Setup::default();
        let of = |setup: &Setup| {
            let timing = Timing::of(setup, &PlayerKeys::default());
            let more = write_duration(timing.more);
            (timing.control.to_string(), more, timing.key)
        };
        let text = str::to_owned;
        for (written, told, more) in [
            ("120+0.5", "10+0.5", "110s"),
            ("5+0.1", "5+0.1", "0s"),
            ("30s/move", "1s/move", "29s"),
            ("50ms/move", "50ms/move", "0s"),
            ("40/60", "40/10", "50s"),
            ("60+10", "10+10", "50s"),
            ("nodes=5000", "nodes=5000", "0s"),
        ] {
            setup.game.time_control = written.parse().expect("a time control");
            assert_eq!(of(&setup), (text(told), text(more), "game.time_control"), "{written}");
        }
        setup.eligibility.time_control = Some("20+1".parse().expect("a time control"));
        assert_eq!(of(&setup), (text("20+1"), text("0s"), "eligibility.time_control"));
    }

    #[test]
    fn a_game_against_itself_is_as_long_as_its_pace_allows() {
        let of = |pace: u64| plies(true, Duration::from_millis(pace));
        assert_eq!([0, 1, 20, 330, 2000].map(of), [600, 600, 500, 30, 20]);
        assert_eq!(plies(false, Duration::from_secs(2)), 600);
    }
}
