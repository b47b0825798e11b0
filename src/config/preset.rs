//! The presets that ship: commented TOML, embedded, each with a value for every key but the event's name.
//!
//! May not: know a rule; the texts say what they take from where.

use std::collections::BTreeMap;
use std::time::Duration;

use swiss_system::score::Points;

use crate::game::time_control::Limit;
use crate::tournament::setup::{
    AccelerationRule, AdjudicationKeys, AnalysisKeys, ArbiterKeys, ByeAgain, ByeKeys, ColorRule, Disqualified, Edition,
    EligibilityKeys, EngineKeys, EventKeys, Evidence, GameKeys, IllegalAttempts, InitialColor, MiniMatchKeys,
    OpeningOrder, OpeningPolicy, Openings, PairingSystem, Pinning, PlayoffKeys, PointsTable, PresenceKeys, PrizeKeys,
    PublishKeys, RegistrationKeys, Restart, Rounds, RunKeys, ScheduleKeys, ScoringKeys, Seeding, Setup, StandingsKeys,
    SwissKeys, TieBreakEdition, TourKeys, TpnParity, Variant,
};

/// Name and text of each preset; the first is the default.
pub const PRESETS: [(&str, &str); 7] = [
    (
        "global-chess-challenge",
        include_str!("presets/global-chess-challenge.toml"),
    ),
    ("none", include_str!("presets/none.toml")),
    ("us-chess", include_str!("presets/us-chess.toml")),
    ("gct-rapid-blitz", include_str!("presets/gct-rapid-blitz.toml")),
    ("gct-classical", include_str!("presets/gct-classical.toml")),
    ("gct-tour", include_str!("presets/gct-tour.toml")),
    ("immortal-game", include_str!("presets/immortal-game.toml")),
];

/// A setup that a preset then fills: it overwrites every value here, which a test proves.
pub(super) fn blank(preset: &str) -> Setup {
    let no_points = PointsTable {
        win: Points::ZERO,
        draw: Points::ZERO,
        loss: Points::ZERO,
    };
    Setup {
        registration: RegistrationKeys::default(),
        arbiter: ArbiterKeys::default(),
        publish: PublishKeys::default(),
        eligibility: EligibilityKeys::default(),
        preset: preset.to_owned(),
        event: EventKeys {
            name: String::new(),
            site: String::new(),
            rng_seed: 0,
            stages: Vec::new(),
            sections: Vec::new(),
        },
        swiss: SwissKeys {
            rounds: Rounds::Auto,
            pairing: PairingSystem::MatchPoints,
            color: ColorRule::Ignore,
            seeding: Seeding::Listed,
            edition: Edition::default(),
            tpn_parity: TpnParity::default(),
            initial_color: InitialColor::default(),
            acceleration: AccelerationRule::default(),
            keep_apart: Vec::new(),
            forbidden: Vec::new(),
            color_streak: None,
        },
        mini_match: MiniMatchKeys {
            games: 0,
            openings: Openings::None,
            opening_order: OpeningOrder::Sequential,
            opening_plies: None,
            opening_start: 0,
            opening_policy: OpeningPolicy::Round,
        },
        game: GameKeys {
            time_control: Limit::MoveTime(Duration::ZERO).into(),
            attempts: 0,
            illegal_attempts: IllegalAttempts::Shared,
            max_moves: None,
            max_plies: None,
            move_overhead: Duration::ZERO,
            margin: Duration::ZERO,
            nodes: None,
            depth: None,
            variant: Variant::Standard,
            ponder: false,
        },
        scoring: ScoringKeys {
            game: no_points,
            r#match: no_points,
            forfeited_game: None,
            forfeited_match: None,
        },
        bye: ByeKeys {
            requests: Vec::new(),
            order: Vec::new(),
            match_points: Points::ZERO,
            game_points: None,
            again: ByeAgain::default(),
        },
        standings: StandingsKeys {
            order: Vec::new(),
            columns: Vec::new(),
            edition: TieBreakEdition::default(),
            unrated: None,
            disqualified: Disqualified::OffTheList,
        },
        playoff: PlayoffKeys::default(),
        prizes: PrizeKeys::default(),
        tour: TourKeys::default(),
        engine: EngineKeys {
            start_limit: Duration::ZERO,
            start_attempts: 0,
            ready_limit: Duration::ZERO,
            step_limit: Duration::ZERO,
            stop_grace: Duration::ZERO,
            quit_grace: Duration::ZERO,
            options: BTreeMap::new(),
            restart: Restart::Never,
        },
        run: RunKeys {
            concurrency: None,
            max_games_per_player: None,
            pin: Pinning::Auto,
            evidence: Evidence::Faults,
            pgn_extras: Vec::new(),
            oversubscribe: false,
        },
        players: Vec::new(),
        analysis: AnalysisKeys::default(),
        adjudication: AdjudicationKeys::default(),
        schedule: ScheduleKeys::default(),
        presence: PresenceKeys::default(),
    }
}
