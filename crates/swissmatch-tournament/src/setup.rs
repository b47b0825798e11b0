//! An event as meant: every key with its final value. Made by `config`, stored in the log's first entry.
//!
//! Defaults are written at the fields, not in a preset's text. So each has one place, the compiler checks it, and it
//! also applies to a log that lacks the key.
//!
//! May not: read files, know TOML, know where a value came from.

use std::fmt::Debug;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
pub use swiss_system::pairing::bye::ByeCriterion;
pub use swiss_system::pairing::dutch::rules::{ColorRule, DutchEdition, TpnParity};
use swiss_system::pairing::history::FirstColor;
pub use swiss_system::pairing::rounds::Rounds;
pub use swiss_system::pairing::system::PairingSystem;
pub use swiss_system::score::PointsTable;
use swiss_system::standings::RankingRules;
use swiss_system::standings::bye::ByePoints;
use swiss_system::standings::criterion::Code;
pub use swiss_system::standings::criterion::Criterion;
use swiss_system::standings::criterion::Score;
pub use swiss_system::standings::unplayed::{BlackWins, TieBreakEdition};
use swiss_system::word::words;

pub use swissmatch_game::flag_fall::FlagFall;
pub use swissmatch_game::rules::{Claims, PliesFrom};
pub use swissmatch_game::termination::BothFailed;
use swissmatch_game::time_control::Bounds;
use swissmatch_game::time_control::TimeControl;
pub use swissmatch_game::variant::Variant;
use swissmatch_game::wanted::WantedOptions;

pub use super::column::Column;

mod adjudication;
mod after;
mod allowance;
mod analysis;
mod anchor;
mod arbiter;
mod attempts;
mod bye;
mod eligibility;
mod engine;
mod exec;
mod faults;
mod freeze;
mod game;
mod isolation;
mod ladder;
mod lichess;
mod mini_match;
mod model;
mod player;
mod publish;
mod rules;
mod run;
mod schedule;
mod scoring;
mod section;
mod service;
mod sprt;
mod stop;
mod submissions;
mod swiss;
mod web;

pub use adjudication::AdjudicationKeys;
pub use after::{
    Entrants, HeadToHeadDays, LevelTie, PlayoffKeys, PlayoffNumbers, PlayoffWhen, Prize, PrizeKeys, Third, TiedOn,
    TourKeys,
};
pub use mini_match::{MOST_GAMES, MiniMatchKeys, OpeningFormat, OpeningOrder, OpeningPolicy, Openings};
pub use model::{
    Again, Keep, LegalMoves, ModelKeys, ModelSetup, Notation, Rationale, ResponseFormat, Take, Thousandths, TokenKey,
};
pub use player::{MoveSource, PlayerKeys};
pub use schedule::{ClockStart, PresenceCheck, PresenceKeys, ScheduleKeys, Window, Zone};
pub use scoring::ScoringKeys;
pub use section::{SectionError, SectionKeys};
pub use service::{AtLimit, Dialect, EVENT, EndpointKeys, Micros, OURS, Price, SpendingKeys, Tokens, is_endpoint_name};
pub use sprt::{Faulty, SprtKeys};
pub use stop::StopKeys;
pub use submissions::{Contract, Package, SubmissionId, SubmissionKeys};
pub use swiss::{AccelerationRule, InitialColor, Kinship, Seeding, SwissKeys};
pub use web::is_web_address;

pub use analysis::{AnalysisKeys, Mean};
pub use anchor::{Anchor, ParseAnchorError};
pub use arbiter::{ArbiterKeys, MissedRounds, RegistrationKeys, RegistrationUntil};
pub use attempts::IllegalAttempts;
pub use bye::{ByeAgain, ByeKeys, ByeLimit};
pub use eligibility::{Baseline, EligibilityKeys};
pub use engine::{EngineKeys, Restart};
pub use exec::Exec;
pub use faults::{FaultKeys, NoShow};
pub use freeze::Freeze;
pub use game::GameKeys;
pub use ladder::{LadderKeys, LadderRating, LadderRound, LadderSchedule};
pub use lichess::{GAMES_A_BROADCAST, LichessKeys, Server, is_broadcast_round, is_variable};
pub use publish::PublishKeys;
pub use rules::{RuleChange, RulesKeys};
pub use run::{Evidence, FaultBound, FaultBoundError, HostKeys, PgnExtra, Pinning, RunKeys};

/// Everything that decides how an event is paired, played, scored and ranked.
///
/// The default is the preset `none`: an event without a name or players. It is written beside the fields and nowhere
/// else. A key that a log lacks has its default.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Setup {
    /// The name of the preset that the file started from.
    pub preset: String,
    /// `[event]`
    pub event: EventKeys,
    /// `[swiss]`
    pub swiss: SwissKeys,
    /// `[mini_match]`
    pub mini_match: MiniMatchKeys,
    /// `[game]`
    pub game: GameKeys,
    /// `[scoring]`
    pub scoring: ScoringKeys,
    /// `[bye]`
    pub bye: ByeKeys,
    /// `[standings]`
    pub standings: StandingsKeys,
    /// `[playoff]`
    pub playoff: PlayoffKeys,
    /// `[prizes]`
    pub prizes: PrizeKeys,
    /// `[tour]`
    pub tour: TourKeys,
    /// `[engine]`
    pub engine: EngineKeys,
    /// `[faults]`
    pub faults: FaultKeys,
    /// `[sprt]`
    pub sprt: SprtKeys,
    /// `[stop]`
    pub stop: StopKeys,
    /// `[run]`
    pub run: RunKeys,
    /// `[[player]]`, in the order of the file.
    pub players: Vec<PlayerKeys>,
    /// `[analysis]`
    pub analysis: AnalysisKeys,
    /// `[adjudication]`
    pub adjudication: AdjudicationKeys,
    /// `[registration]`
    pub registration: RegistrationKeys,
    /// `[arbiter]`
    pub arbiter: ArbiterKeys,
    /// `[publish]`
    pub publish: PublishKeys,
    /// `[lichess]`
    pub lichess: LichessKeys,
    /// `[schedule]`
    pub schedule: ScheduleKeys,
    /// `[presence]`
    pub presence: PresenceKeys,
    /// `[eligibility]`
    pub eligibility: EligibilityKeys,
    /// `[endpoint.NAME]`, in order of their names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub endpoints: Vec<EndpointKeys>,
    /// `[model]`
    #[serde(skip_serializing_if = "ModelKeys::is_empty")]
    pub model: ModelKeys,
    /// `[spending]`
    #[serde(skip_serializing_if = "SpendingKeys::is_empty")]
    pub spending: SpendingKeys,
    /// `[submissions]`
    #[serde(skip_serializing_if = "SubmissionKeys::is_empty")]
    pub submissions: SubmissionKeys,
    /// `[ladder]`
    #[serde(skip_serializing_if = "LadderKeys::is_empty")]
    pub ladder: LadderKeys,
    /// `[[rules]]`, in order. The other keys are those of the version that is played by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RulesKeys>,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            preset: "none".to_owned(),
            event: EventKeys::default(),
            swiss: SwissKeys::default(),
            mini_match: MiniMatchKeys::default(),
            game: GameKeys::default(),
            scoring: ScoringKeys::default(),
            bye: ByeKeys::default(),
            standings: StandingsKeys::default(),
            playoff: PlayoffKeys::default(),
            prizes: PrizeKeys::default(),
            tour: TourKeys::default(),
            engine: EngineKeys::default(),
            faults: FaultKeys::default(),
            sprt: SprtKeys::default(),
            stop: StopKeys::default(),
            run: RunKeys::default(),
            players: Vec::new(),
            analysis: AnalysisKeys::default(),
            adjudication: AdjudicationKeys::default(),
            registration: RegistrationKeys::default(),
            arbiter: ArbiterKeys::default(),
            publish: PublishKeys::default(),
            lichess: LichessKeys::default(),
            schedule: ScheduleKeys::default(),
            presence: PresenceKeys::default(),
            eligibility: EligibilityKeys::default(),
            endpoints: Vec::new(),
            model: ModelKeys::default(),
            spending: SpendingKeys::default(),
            submissions: SubmissionKeys::default(),
            ladder: LadderKeys::default(),
            rules: Vec::new(),
        }
    }
}

impl Setup {
    /// How a model player is asked: its own keys over the event's.
    pub fn model(&self, player: &PlayerKeys) -> ModelSetup {
        self.model.of_player(&player.model_keys)
    }

    /// The players, where those who hand in a prompt play by the event's model already.
    pub fn players_by_models(&self) -> Vec<PlayerKeys> {
        let keys = &self.submissions;
        let model = keys.model.as_ref().filter(|_| keys.contract == Some(Contract::Prompt));
        let by_model = |player: &PlayerKeys| match model {
            Some(model) if player.awaits_submission() => PlayerKeys {
                model: Some(model.clone()),
                ..player.clone()
            },
            _ => player.clone(),
        };
        self.players.iter().map(by_model).collect()
    }

    /// The service of this name.
    pub fn endpoint(&self, name: &str) -> Option<&EndpointKeys> {
        self.endpoints.iter().find(|endpoint| endpoint.name == name)
    }

    /// The time control of a player: its own, or else the event's.
    pub fn time_control<'a>(&'a self, player: &'a PlayerKeys) -> &'a TimeControl {
        player.time_control.as_ref().unwrap_or(&self.game.time_control)
    }

    /// The time control of the games in which a player is checked: `eligibility.time_control` if set, or else the
    /// event's own, cut short.
    pub fn time_control_of_checks(&self, player: &PlayerKeys) -> TimeControl {
        let own = self.eligibility.time_control.clone();
        own.unwrap_or_else(|| self.time_control(player).cut_short())
    }

    /// The time control of each player, in file order.
    pub fn time_controls(&self) -> impl Iterator<Item = &TimeControl> {
        self.players.iter().map(|player| self.time_control(player))
    }

    /// The points by which a Swiss is paired. In the Double-Swiss system these are game points. In `us-chess`, where
    /// every game counts for itself, they are the points that rank: "score groups go by the first criterion of
    /// `standings.order`".
    pub fn pairing_score(&self) -> Score {
        match self.swiss.pairing {
            PairingSystem::MatchPoints | PairingSystem::Dutch | PairingSystem::Immortal => Score::Match,
            PairingSystem::UsChess => self.standings.rules().primary(),
            PairingSystem::DoubleSwiss => Score::Game,
        }
    }

    /// The worth of a bye: in the Double-Swiss system (C.04.5) a win and a draw, unless `bye.game_points` is a number.
    pub fn bye_points(&self) -> ByePoints {
        let (bye, scoring) = (&self.bye, &self.scoring);
        let is_double_swiss = self.swiss.pairing == PairingSystem::DoubleSwiss;
        let of_system = is_double_swiss.then_some(scoring.game.win + scoring.game.draw);
        ByePoints {
            match_points: bye.match_points,
            game_points: bye.game_points.or(of_system),
            match_won: scoring.r#match.win,
            game_won: scoring.game.win,
        }
    }

    /// The options of a player's engine: its own, and those for all engines that it does not replace.
    pub fn options(&self, player: &PlayerKeys) -> WantedOptions {
        let mut wanted = WantedOptions::new(&player.options, &self.engine.options);
        wanted.play(self.game.variant);
        wanted
    }

    /// Search bounds of a player: its keys `nodes` and `depth`, or else the bounds of its own time control, or else the
    /// keys of the event, or else the bounds of the `usual` time control, which is the event's or its stage's.
    pub fn bounds(&self, player: &PlayerKeys, usual: &TimeControl) -> Bounds {
        let own = player
            .time_control
            .as_ref()
            .map_or_else(Bounds::default, |own| own.bounds);
        self.bounds_under(player, own).or(usual.bounds)
    }

    /// The time control of the event, with its search bounds.
    pub fn usual_limit(&self) -> TimeControl {
        self.limit(&PlayerKeys::default())
    }

    /// The time control of a player, with its search bounds.
    pub fn limit(&self, player: &PlayerKeys) -> TimeControl {
        TimeControl {
            limit: self.time_control(player).limit.clone(),
            bounds: self.bounds(player, &self.game.time_control),
        }
    }

    /// Whether a player ponders: by its key, or else the event's. Players that are asked elsewhere, once a move, never
    /// do.
    pub fn ponders(&self, player: &PlayerKeys) -> bool {
        player.ponder.unwrap_or(self.game.ponder) && !player.is_elsewhere()
    }

    /// Search bounds of a player in a game whose time control has bounds of its own: the player's keys, or else these
    /// bounds, or else the keys of the event.
    pub(crate) fn bounds_under(&self, player: &PlayerKeys, of_control: Bounds) -> Bounds {
        let of_player = Bounds {
            nodes: player.nodes,
            depth: player.depth,
        };
        let of_event = Bounds {
            nodes: self.game.nodes,
            depth: self.game.depth,
        };
        of_player.or(of_control).or(of_event)
    }
}

/// `[event]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EventKeys {
    /// The name of the event, shown everywhere.
    pub name: String,
    /// The place, for the PGN tag `Site`.
    pub site: String,
    /// The seed of every lot and every shuffle.
    pub rng_seed: u64,
    /// Stages one after the other. If empty, the event is a single stage, as `swiss.rounds` says.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<StageKeys>,
    /// Sections side by side, each paired and ranked on its own. If empty, everyone plays together.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<SectionKeys>,
}

impl Default for EventKeys {
    fn default() -> Self {
        Self {
            name: String::new(),
            site: "?".to_owned(),
            rng_seed: 1,
            stages: Vec::new(),
            sections: Vec::new(),
        }
    }
}

/// One of `event.stages`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageKeys {
    /// The format, as in `swiss.rounds`.
    pub format: Rounds,
    /// How many of the best in the stage before play this one; `None` in the first stage, which everyone plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top: Option<u32>,
    /// Games of a mini-match; `None` means as the format or `mini_match.games` says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u32>,
    /// Games of a mini-match by round of a knockout, counted from its end: the last is for the final, the one before
    /// for the semi-finals, and the first also for all earlier rounds. If empty, every round has `games`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub games_by_round: Vec<u32>,
    /// `None` means `game.time_control`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_control: Option<TimeControl>,
}

/// The effect of a disqualification after the end, `standings.disqualified`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DisqualificationEffect {
    /// `"off-the-list"`: "taken off the leaderboard; everyone below moves up; nobody's score or tie-break changes"
    /// (Immortal Game).
    #[default]
    OffTheList,
    /// `"annulled"`: the player's mini-matches count as if they had never been played.
    Annulled,
}

words!(DisqualificationEffect {
    OffTheList => "off-the-list",
    Annulled => "annulled",
});

/// `[standings]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StandingsKeys {
    /// Criteria in strict order; the first is what players are "level on".
    pub order: Vec<Criterion>,
    /// Columns shown after place and name.
    pub columns: Vec<Column>,
    /// The edition of the tie-break rules (C.07), for unplayed rounds and cuts.
    pub edition: TieBreakEdition,
    /// Which games count as won with Black in `BWG`.
    pub black_wins: BlackWins,
    /// The rating of unrated players in tie-breaks; `None` means no tie-breaks by rating.
    pub unrated: Option<i32>,
    /// What happens to a player who is disqualified after the end.
    pub disqualified: DisqualificationEffect,
}

impl Default for StandingsKeys {
    fn default() -> Self {
        Self {
            order: listed(["match-points", "game-points", "buchholz", "sonneborn-berger", "h2h"]),
            columns: listed([
                "match-points",
                "game-points",
                "buchholz",
                "sonneborn-berger",
                "h2h",
                "wdl",
                "games",
                "byes",
                "faults",
            ]),
            edition: TieBreakEdition::default(),
            black_wins: BlackWins::default(),
            unrated: None,
            disqualified: DisqualificationEffect::default(),
        }
    }
}

/// Criteria of the reference protocol, used by every table for programs.
const PROTOCOL: [Code; 3] = [Code::H2h, Code::ChallengeBuchholz, Code::ChallengeSonnebornBerger];

impl StandingsKeys {
    /// The criteria that rank, and those only worked out for the columns.
    pub fn rules(&self) -> RankingRules {
        let of_columns = self.columns.iter().filter_map(|column| match column {
            Column::Criterion(criterion) => Some(*criterion),
            _ => None,
        });
        let also = of_columns.chain(PROTOCOL.map(Criterion::from));
        RankingRules {
            order: self.order.clone(),
            also: also.collect(),
            edition: self.edition,
            black_wins: self.black_wins,
            unrated: self.unrated,
        }
    }
}

/// A default, written as in event files.
fn written<T: FromStr<Err: Debug>>(text: &str) -> T {
    text.parse().expect("a default is read like any value")
}

/// A list default, written as in event files.
fn listed<T: FromStr<Err: Debug>, const N: usize>(texts: [&str; N]) -> Vec<T> {
    texts.map(written).into()
}
