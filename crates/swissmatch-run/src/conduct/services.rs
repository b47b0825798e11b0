//! Services at which players are asked, as far as the loop has to know of them: while one is away no game of those who ask it begins, and
//! where nothing else is left to be played the run pauses. Which model answered, where it is another one than was asked for.
//!
//! May not: ask a service, or decide whether it is away.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use swiss_system::pairing::history::PairingNumber;
use swiss_system::text::{brief, harmless};
use swissmatch_broker::outage::Outage;
use swissmatch_game::record::{GameId, GameRecord};
use swissmatch_report::{player_name, waiting};
use swissmatch_tournament::beside::Takes;
use swissmatch_tournament::schedule::{self, SlotRequest};
use swissmatch_tournament::setup::{EndpointKeys, MoveSource};
use swissmatch_tournament::state::State;

use super::{Conductor, Reader};

/// How long it is waited at least for what is away, where nothing else can be played: it is asked again within that time.
const LEAST_WAIT: Duration = Duration::from_secs(30);
/// Most characters of a model's name that are told.
const NAMED: usize = 100;

/// What is known of services.
#[derive(Debug, Default)]
pub(super) struct Services {
    /// Those that are away, each by its name and by the model that alone is away there, and since when.
    away: BTreeMap<(String, Option<String>), (Outage, Instant)>,
    /// Since when nothing else can be played.
    stuck_since: Option<Instant>,
    /// Other models than were asked for, of whom that was told.
    others: BTreeSet<(PairingNumber, String)>,
}

impl Services {
    /// Whether what a player asks is away.
    fn keeps_waiting(&self, state: &State, player: PairingNumber) -> bool {
        let Some(MoveSource::Model(endpoint, model)) = state.player(player).asks() else {
            return false;
        };
        let mut away = self.away.keys();
        away.any(|(name, of)| name == endpoint && of.as_deref().is_none_or(|of| of == model))
    }

    /// Whose games wait.
    pub(super) fn waiting(&self, state: &State) -> BTreeSet<PairingNumber> {
        if self.away.is_empty() {
            return BTreeSet::new();
        }
        let all = state.numbers();
        all.filter(|player| self.keeps_waiting(state, *player)).collect()
    }

    /// Whether what a player of this game asks is away.
    pub(super) fn keep_waiting(&self, state: &State, game: GameId) -> bool {
        let board = state.mini_match(game);
        board.is_some_and(|board| {
            let players = [board.pair.white, board.pair.black];
            players.into_iter().any(|player| self.keeps_waiting(state, player))
        })
    }

    /// How long it is waited for those that are away, where nothing else can be played: as long as for a call, but for the least.
    fn patience(&self, state: &State) -> Duration {
        let endpoints = self.away.keys().filter_map(|(name, _)| state.setup().endpoint(name));
        let longest = endpoints.map(|endpoint| endpoint.patience).max();
        longest
            .unwrap_or_else(|| EndpointKeys::default().patience)
            .max(LEAST_WAIT)
    }

    /// What has to be mended, as a sentence without its end.
    fn to_mend(&self) -> String {
        let told = self.away.values().map(|(outage, since)| {
            let since = waiting::left(since.elapsed());
            let seen = outage.why.as_deref().map(harmless).unwrap_or_default();
            format!(
                "{} does not answer ({seen}) and has been away for {since}",
                called(outage)
            )
        });
        let told: Vec<String> = told.collect();
        format!("{}; all games that are left wait for it", told.join("; "))
    }
}

/// What people call it: `endpoint local: http://127.0.0.1:8000/v1`.
fn called(outage: &Outage) -> String {
    let model = outage.model.as_ref();
    let model = model.map_or_else(String::new, |model| format!(", model {}", brief(model, NAMED)));
    format!("endpoint {}: {}{model}", outage.endpoint, outage.url)
}

impl Conductor {
    /// A service is away, another reason for that was seen, or it answers again.
    pub(super) fn heard_of_outage(&mut self, outage: Outage, reader: &mut impl Reader) {
        let key = (outage.endpoint.clone(), outage.model.clone());
        let called = called(&outage);
        match &outage.why {
            Some(why) => {
                let why = harmless(why);
                let now = Instant::now();
                let since = now.checked_sub(outage.lasted).unwrap_or(now);
                if self.services.away.insert(key, (outage, since)).is_none() {
                    reader.warn(&format!("{called} does not answer ({why}); games wait"));
                }
            }
            None => {
                if self.services.away.remove(&key).is_some() {
                    let lasted = waiting::left(outage.lasted);
                    reader.remark(&format!("{called} answers again, after {lasted}; games go on"));
                }
            }
        }
    }

    /// What has to be mended where services that are away have kept the run from playing anything for as long as they are waited for.
    pub(super) fn waits_in_vain(&mut self, begins_none: bool) -> Option<String> {
        let is_quiet = self.in_flight.is_empty() && self.pending == 0 && self.desk.is_empty();
        let is_stuck = !self.services.away.is_empty() && is_quiet && !begins_none && self.may_start_games();
        if !is_stuck || !self.has_only_waiting_games() {
            self.services.stuck_since = None;
            return None;
        }
        let since = *self.services.stuck_since.get_or_insert_with(Instant::now);
        (since.elapsed() >= self.services.patience(&self.state)).then(|| self.services.to_mend())
    }

    /// Whether games are due, all of whose players ask what is away.
    fn has_only_waiting_games(&self) -> bool {
        let next = |waiting: &BTreeSet<PairingNumber>| {
            let wanted = SlotRequest {
                takes: Takes::All,
                gpus: self.most_gpus(),
                seated: None,
                waiting,
                home: None,
            };
            schedule::next_that_it_takes(&self.state, &self.in_flight, &self.playing, wanted)
        };
        let waiting = self.services.waiting(&self.state);
        next(&waiting).is_none() && next(&BTreeSet::new()).is_some()
    }

    /// Tells once of each player that another model answers than is asked for. Services that serve one model whatever they are asked for
    /// do that; nothing else comes of it.
    pub(super) fn look_at_models(&mut self, record: &GameRecord, reader: &mut impl Reader) {
        for call in &record.calls.list {
            let player = record.player(call.side);
            let keys = self.state.player(player);
            let (Some(MoveSource::Model(endpoint, asked)), Some(served)) = (keys.asks(), &call.model) else {
                continue;
            };
            let is_known = || self.services.others.contains(&(player, served.clone()));
            if !keys.is_other_model(served) || is_known() {
                continue;
            }
            let name = player_name(&self.state, player);
            let sentence = format!(
                "{name}: endpoint {endpoint} answers as the model {}, asked for was {}; is it the model that is meant?",
                brief(served, NAMED),
                harmless(asked)
            );
            reader.remark(&sentence);
            self.services.others.insert((player, served.clone()));
        }
    }
}
