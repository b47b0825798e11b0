//! The games against the baseline: an event of two players and one round, kept in memory, played by the code of all events.
//!
//! May not: pair, schedule or score otherwise than an event does.

use std::collections::BTreeSet;

use super::table::CheckSlot;
use super::{Check, CheckError, Opponent, Subject};
use crate::two_players;
use swiss_system::count;
use swissmatch_game::Side;
use swissmatch_game::conformance::StepReport;
use swissmatch_game::excerpt::last_lines;
use swissmatch_game::termination::Outcome;
use swissmatch_host::writer;
use swissmatch_tournament::eligibility::BaselineMatch;
use swissmatch_tournament::log::{Entry, GameFinished};
use swissmatch_tournament::opening_plan::OpeningPlan;
use swissmatch_tournament::schedule;
use swissmatch_tournament::setup::{PlayerKeys, Setup};

/// The agent's place in the starting order; the baseline comes after it.
const AGENT: usize = 0;

impl Check<'_> {
    pub(super) fn qualification(&mut self) -> Result<StepReport, CheckError> {
        let subject = self.subject;
        let Some(opponent) = subject.baseline else {
            return Ok(StepReport::not_reached("there is no baseline"));
        };
        if let Some(table) = self.table.take() {
            table.close();
        }
        let setup = event(subject, opponent);
        let agents = vec![subject.agent.clone(), opponent.spec.clone()];
        let mut table = CheckSlot::open(subject.hosted(), agents, subject.setup())?;
        let mut openings = OpeningPlan::new(&setup, subject.openings.0.clone());
        let made = [&subject.made.files, &opponent.terms.baseline.files].map(|files| two_players::made_of(files));
        let mut state = two_players::paired(setup, made, subject.openings.1.clone())?;
        let mut played = BaselineMatch {
            terms: opponent.terms.clone(),
            wins: 0,
            draws: 0,
            losses: 0,
        };
        let (mut faults, mut evidence) = (0, Vec::new());
        let nothing = BTreeSet::new();
        while let Some(spec) = schedule::next_for_slot(&state, &nothing, &nothing, None)
            .and_then(|id| schedule::spec(&state, &mut openings, id))
        {
            let game = table.play(spec)?;
            let entry = writer::entry(&game.record, None, (None, None));
            let said = game.evidence;
            let Entry::GameFinished(game) = &entry.entry else { break };
            let side = side_of_agent(game);
            let not_started = |by: Side| !game.termination.was_played() && game.termination.is_fault_of(by);
            if not_started(side.other()) {
                return Err(CheckError::Baseline(opponent.spec.player.command.clone()));
            }
            if game.termination.is_fault_of(side) {
                faults += 1;
                evidence = last_lines(said.as_deref());
            }
            count(&mut played, game, side);
            state.apply(&entry.entry)?;
        }
        // Games that its engine did not start for.
        for game in schedule::forfeits(&state, &nothing) {
            count(&mut played, &game, side_of_agent(&game));
            faults += 1;
        }
        table.close();
        let (points, least, terms) = (played.points(), played.terms.least(), &played.terms);
        let result = format!(
            "{points} of {} against {} (+{} ={} −{}), required {least}",
            count::of(terms.games, "point", "points"),
            opponent.spec.player.command,
            played.wins,
            played.draws,
            played.losses
        );
        let lost = match faults {
            0 => String::new(),
            count => format!("; {count} lost by its own fault"),
        };
        let seen = match (terms.are_met(points), faults) {
            (true, 0) => StepReport::pass(result),
            (true, _) => StepReport::warn(format!("{result}{lost}"), "see its last lines").with(evidence),
            (false, _) => {
                StepReport::fail(format!("{result}{lost}"), "it is not strong enough for this event").with(evidence)
            }
        };
        self.played = Some(played);
        Ok(seen)
    }
}

fn side_of_agent(game: &GameFinished) -> Side {
    match game.white.index() {
        AGENT => Side::White,
        _ => Side::Black,
    }
}

fn count(played: &mut BaselineMatch, game: &GameFinished, side: Side) {
    match game.outcome {
        outcome if outcome == Outcome::win(side) => played.wins += 1,
        Outcome::Draw => played.draws += 1,
        _ => played.losses += 1,
    }
}

/// The event of the two.
fn event(subject: &Subject<'_>, opponent: &Opponent) -> Setup {
    let agent = PlayerKeys {
        time_control: None,
        ..subject.agent.player.clone()
    };
    let players = [agent, opponent.spec.player.clone()];
    let mut setup = two_players::setup(subject.setup(), players, opponent.terms.games);
    setup.game.time_control = subject.setup().time_control_of_checks(&PlayerKeys::default());
    setup
}
