//! How a game ended, and whose fault that was.
//!
//! May not: match on text; every ending is a variant.

use serde::{Deserialize, Serialize};
use swiss_system::word::words;

use super::Side;
use super::resource::Resource;

/// The outcome of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// 1–0
    WhiteWins,
    /// 0–1
    BlackWins,
    /// ½–½
    Draw,
    /// 0–0: neither side came, or the arbiter has both lose.
    BothLose,
    /// The game counts for nobody: annulled by the arbiter, or both agents failed and [`BothFailed::Void`] is the
    /// rule.
    Void,
}

words!(Outcome {
    WhiteWins => "1-0",
    BlackWins => "0-1",
    Draw => "1/2-1/2",
    BothLose => "0-0",
    Void => "void",
});

/// The outcome of a game in which the agents of both sides failed, `faults.both_failed`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BothFailed {
    /// `"lost"`: both sides lose.
    #[default]
    Lost,
    /// `"void"`: the game counts for nobody.
    Void,
}

words!(BothFailed {
    Lost => "lost",
    Void => "void",
});

impl BothFailed {
    /// True for the default rule.
    pub const fn is_lost(&self) -> bool {
        matches!(self, Self::Lost)
    }

    /// Applies the rule to the way in which a game would otherwise end.
    pub const fn applied(self, (outcome, termination): (Outcome, Termination)) -> (Outcome, Termination) {
        match (self, termination) {
            (Self::Void, _) if termination.is_failure_of_both() => (Outcome::Void, termination),
            _ => (outcome, termination),
        }
    }
}

impl Outcome {
    pub const fn win(side: Side) -> Self {
        match side {
            Side::White => Self::WhiteWins,
            Side::Black => Self::BlackWins,
        }
    }

    const fn in_words(self) -> &'static str {
        match self {
            Self::WhiteWins => "White wins",
            Self::BlackWins => "Black wins",
            Self::Draw => "Draw",
            Self::BothLose => "Both lose",
            Self::Void => "Void",
        }
    }

    /// The PGN result; PGN has no symbol for 0–0 or a void game, so both are written `*`, with a `Termination` beside
    /// it.
    pub const fn pgn(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::BothLose | Self::Void => "*",
        }
    }
}

/// Why a game ended. Stored beside the result: the reason's word as `termination` and, if a side lost by it, that
/// side as `lost_by`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "termination", rename_all = "kebab-case")]
pub enum Termination {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// The same position for the third time, as `game.claims` says.
    ThreefoldRepetition,
    /// Fifty moves of both sides without capture or pawn move, as `game.claims` says.
    FiftyMoveRule,
    /// No sequence of legal moves can mate, by the material left.
    InsufficientMaterial,
    /// `game.max_moves` or `game.max_plies` was reached: a rule of the event.
    MoveCap,
    /// `by` overran its limit at its last attempt; shown as a resignation.
    TimeForfeit {
        #[serde(rename = "lost_by")]
        by: Side,
    },
    /// The flag of `by` fell, and the other side could not mate: a draw, as `game.flag_fall` says.
    FlagFallDraw {
        /// The side whose flag fell.
        #[serde(rename = "flag_of")]
        by: Side,
    },
    /// `by` gave an illegal or unparsable move at its last attempt.
    IllegalMove {
        #[serde(rename = "lost_by")]
        by: Side,
    },
    /// `by`, which is not an engine, answered `resign`.
    Resignation {
        #[serde(rename = "lost_by")]
        by: Side,
    },
    /// The engine process of `by` ended during the game.
    Crash {
        #[serde(rename = "lost_by")]
        by: Side,
    },
    /// The engine of `by` closed its input or output while its process lived on.
    Disconnect {
        #[serde(rename = "lost_by")]
        by: Side,
    },
    /// The engine of `by` used more of a resource than its limit, and was ended for it.
    ResourceLimit {
        #[serde(rename = "lost_by")]
        by: Side,
        /// The resource.
        resource: Resource,
    },
    /// The engine of `by` could not be started; nothing was played.
    #[serde(rename = "not-started")]
    DidNotStart {
        #[serde(rename = "lost_by")]
        by: Side,
    },
    /// Neither engine could be started; nothing was played.
    NeitherStarted,
    /// The engine of `by` did not get ready for the game in time; nothing was played.
    NotReady {
        #[serde(rename = "lost_by")]
        by: Side,
    },
    /// Neither engine got ready in time; nothing was played.
    NeitherReady,
    /// Adjudicated: lost by the engines' scores, as `adjudication.resign_score` says.
    ResignAdjudication,
    /// Adjudicated: drawn by the engines' scores, as `adjudication.draw_score` says.
    DrawAdjudication,
    /// Adjudicated: won or drawn by endgame tablebases.
    Tablebase,
    /// Adjudicated by the arbiter while the game was being played.
    ArbiterAdjudication,
    /// The arbiter gave the result; nothing was played.
    Awarded,
    /// `by` was withdrawn, disqualified or absent; nothing was played.
    DidNotCome {
        #[serde(rename = "lost_by")]
        by: Side,
    },
    /// Both players were withdrawn, disqualified or absent; nothing was played.
    NeitherCame,
    /// `by` had lost `faults.forfeit_after` games of the mini-match by a fault; nothing was played.
    TooManyFaults {
        #[serde(rename = "lost_by")]
        by: Side,
    },
    /// Both sides had lost that many games by a fault; nothing was played.
    TooManyFaultsOfBoth,
}

impl Termination {
    /// Every termination, with each side that it may concern, but with one resource only, since all resources share a
    /// word.
    pub fn all() -> impl Iterator<Item = Self> {
        let of_nobody = [
            Self::Checkmate,
            Self::Stalemate,
            Self::ThreefoldRepetition,
            Self::FiftyMoveRule,
            Self::InsufficientMaterial,
            Self::MoveCap,
            Self::NeitherStarted,
            Self::NeitherReady,
            Self::ResignAdjudication,
            Self::DrawAdjudication,
            Self::Tablebase,
            Self::ArbiterAdjudication,
            Self::Awarded,
            Self::NeitherCame,
            Self::TooManyFaultsOfBoth,
        ];
        let of_side = |by| {
            let resource = Resource::Memory;
            [
                Self::TimeForfeit { by },
                Self::FlagFallDraw { by },
                Self::IllegalMove { by },
                Self::Resignation { by },
                Self::Crash { by },
                Self::Disconnect { by },
                Self::ResourceLimit { by, resource },
                Self::DidNotStart { by },
                Self::NotReady { by },
                Self::DidNotCome { by },
                Self::TooManyFaults { by },
            ]
        };
        of_nobody.into_iter().chain(Side::BOTH.into_iter().flat_map(of_side))
    }

    /// The word for it in the log, in all JSON and in tables.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::ThreefoldRepetition => "threefold-repetition",
            Self::FiftyMoveRule => "fifty-move-rule",
            Self::InsufficientMaterial => "insufficient-material",
            Self::MoveCap => "move-cap",
            Self::TimeForfeit { .. } => "time-forfeit",
            Self::FlagFallDraw { .. } => "flag-fall-draw",
            Self::IllegalMove { .. } => "illegal-move",
            Self::Resignation { .. } => "resignation",
            Self::Crash { .. } => "crash",
            Self::Disconnect { .. } => "disconnect",
            Self::ResourceLimit { .. } => "resource-limit",
            Self::DidNotStart { .. } => "not-started",
            Self::NeitherStarted => "neither-started",
            Self::NotReady { .. } => "not-ready",
            Self::NeitherReady => "neither-ready",
            Self::ResignAdjudication => "resign-adjudication",
            Self::DrawAdjudication => "draw-adjudication",
            Self::Tablebase => "tablebase",
            Self::ArbiterAdjudication => "arbiter-adjudication",
            Self::Awarded => "awarded",
            Self::DidNotCome { .. } => "did-not-come",
            Self::NeitherCame => "neither-came",
            Self::TooManyFaults { .. } => "too-many-faults",
            Self::TooManyFaultsOfBoth => "too-many-faults-of-both",
        }
    }

    /// The end of a game that cannot begin; `started` says whose engine is there, White first, and is not true for
    /// both.
    pub const fn not_started(started: [bool; 2]) -> (Outcome, Self) {
        match started {
            [false, false] => (Outcome::BothLose, Self::NeitherStarted),
            [true, _] => (Outcome::WhiteWins, Self::DidNotStart { by: Side::Black }),
            [false, true] => (Outcome::BlackWins, Self::DidNotStart { by: Side::White }),
        }
    }

    /// The end of a game to which at least one side did not come; `came` says who did, White first, and is not true
    /// for both.
    pub const fn not_come(came: [bool; 2]) -> (Outcome, Self) {
        match came {
            [false, false] => (Outcome::BothLose, Self::NeitherCame),
            [true, _] => (Outcome::WhiteWins, Self::DidNotCome { by: Side::Black }),
            [false, true] => (Outcome::BlackWins, Self::DidNotCome { by: Side::White }),
        }
    }

    /// The end of a game that `faults.forfeit_after` bars at least one side from; `may` says who may still play,
    /// White first, and is not true for both.
    pub const fn too_many_faults(may: [bool; 2]) -> (Outcome, Self) {
        match may {
            [false, false] => (Outcome::BothLose, Self::TooManyFaultsOfBoth),
            [true, _] => (Outcome::WhiteWins, Self::TooManyFaults { by: Side::Black }),
            [false, true] => (Outcome::BlackWins, Self::TooManyFaults { by: Side::White }),
        }
    }

    /// The side at fault, if one is. `NeitherStarted` is the fault of both: see [`Self::is_fault_of`]. Not coming is
    /// not the fault of a program, and a game forfeited because of earlier ones is not a further fault.
    pub const fn blame(self) -> Option<Side> {
        match self {
            Self::TimeForfeit { by }
            | Self::IllegalMove { by }
            | Self::Crash { by }
            | Self::Disconnect { by }
            | Self::ResourceLimit { by, .. }
            | Self::DidNotStart { by }
            | Self::NotReady { by } => Some(by),
            Self::Checkmate
            | Self::Stalemate
            | Self::ThreefoldRepetition
            | Self::FiftyMoveRule
            | Self::InsufficientMaterial
            | Self::FlagFallDraw { .. }
            | Self::MoveCap
            | Self::NeitherStarted
            | Self::NeitherReady
            | Self::Resignation { .. }
            | Self::ResignAdjudication
            | Self::DrawAdjudication
            | Self::Tablebase
            | Self::ArbiterAdjudication
            | Self::Awarded
            | Self::DidNotCome { .. }
            | Self::NeitherCame
            | Self::TooManyFaults { .. }
            | Self::TooManyFaultsOfBoth => None,
        }
    }

    /// The resource of which a side used more than its limit.
    pub const fn resource(self) -> Option<Resource> {
        match self {
            Self::ResourceLimit { resource, .. } => Some(resource),
            _ => None,
        }
    }

    pub fn is_fault_of(self, side: Side) -> bool {
        self.is_fault_of_both() || self.blame() == Some(side)
    }

    pub const fn is_fault_of_both(self) -> bool {
        matches!(self, Self::NeitherStarted | Self::NeitherReady)
    }

    /// True if the agents of both sides failed, in this game or in those before it. Not coming is not a failure of an
    /// agent.
    pub const fn is_failure_of_both(self) -> bool {
        self.is_fault_of_both() || matches!(self, Self::TooManyFaultsOfBoth)
    }

    pub fn is_fault(self) -> bool {
        self.is_fault_of_both() || self.blame().is_some()
    }

    pub const fn was_played(self) -> bool {
        !matches!(
            self,
            Self::DidNotStart { .. }
                | Self::NeitherStarted
                | Self::NotReady { .. }
                | Self::NeitherReady
                | Self::Awarded
                | Self::DidNotCome { .. }
                | Self::NeitherCame
                | Self::TooManyFaults { .. }
                | Self::TooManyFaultsOfBoth
        )
    }

    /// The value of the PGN tag `Termination`, in the words of the PGN standard (9.8.1).
    pub const fn pgn(self) -> &'static str {
        match self {
            Self::Checkmate
            | Self::Stalemate
            | Self::ThreefoldRepetition
            | Self::FiftyMoveRule
            | Self::InsufficientMaterial
            | Self::Resignation { .. } => "normal",
            Self::MoveCap
            | Self::ResignAdjudication
            | Self::DrawAdjudication
            | Self::Tablebase
            | Self::ArbiterAdjudication
            | Self::Awarded => "adjudication",
            Self::TimeForfeit { .. } | Self::FlagFallDraw { .. } => "time forfeit",
            Self::IllegalMove { .. } | Self::ResourceLimit { .. } => "rules infraction",
            Self::Crash { .. }
            | Self::Disconnect { .. }
            | Self::DidNotStart { .. }
            | Self::NotReady { .. }
            | Self::DidNotCome { .. }
            | Self::TooManyFaults { .. } => "abandoned",
            Self::NeitherStarted | Self::NeitherReady | Self::NeitherCame | Self::TooManyFaultsOfBoth => "unterminated",
        }
    }

    /// A sentence for people, worded as engine runners do. `attempts` is the number of failed attempts at the last
    /// move.
    pub fn sentence(self, outcome: Outcome, attempts: usize) -> String {
        let tries = if attempts > 1 {
            format!(" after {attempts} attempts")
        } else {
            String::new()
        };
        let both = match outcome {
            Outcome::Void => outcome.in_words(),
            _ => "Both forfeit",
        };
        match self {
            Self::Checkmate if outcome == Outcome::WhiteWins => "White mates".to_owned(),
            Self::Checkmate => "Black mates".to_owned(),
            Self::Stalemate => "Draw by stalemate".to_owned(),
            Self::ThreefoldRepetition => "Draw by 3-fold repetition".to_owned(),
            Self::FiftyMoveRule => "Draw by fifty moves rule".to_owned(),
            Self::InsufficientMaterial => "Draw by insufficient mating material".to_owned(),
            Self::MoveCap => "Draw by the move cap".to_owned(),
            // "The game is lost, shown as resignation" applies where there are several attempts; a fallen flag is
            // one.
            Self::TimeForfeit { by } if attempts > 1 => format!("{} resigns (loses on time{tries})", by.name()),
            Self::TimeForfeit { by } => format!("{} loses on time", by.name()),
            Self::FlagFallDraw { by } => format!("Draw: {}'s flag fell against too little material", by.name()),
            Self::Resignation { by } => format!("{} resigns", by.name()),
            Self::IllegalMove { by } => format!("{} makes an illegal move{tries}", by.name()),
            Self::Crash { by } => format!("{} crashes", by.name()),
            Self::Disconnect { by } => format!("{} disconnects", by.name()),
            Self::ResourceLimit { by, resource } => format!("{} goes over its limit on {}", by.name(), resource.name()),
            Self::DidNotStart { by } => format!("{} forfeits: its engine did not start", by.name()),
            Self::NeitherStarted => format!("{both}: neither engine started"),
            Self::NotReady { by } => format!("{} forfeits: its engine was not ready in time", by.name()),
            Self::NeitherReady => format!("{both}: neither engine was ready in time"),
            Self::ResignAdjudication | Self::DrawAdjudication => format!("{} by adjudication", outcome.in_words()),
            Self::Tablebase => format!("{} by adjudication: SyzygyTB", outcome.in_words()),
            Self::ArbiterAdjudication => format!("{} by adjudication of the arbiter", outcome.in_words()),
            Self::Awarded => format!("{}: awarded by the arbiter, not played", outcome.in_words()),
            Self::DidNotCome { by } => format!("{} forfeits: it did not come", by.name()),
            Self::NeitherCame => "Both forfeit: neither came".to_owned(),
            Self::TooManyFaults { by } => format!(
                "{} forfeits: it lost too many games of the mini-match by faults",
                by.name()
            ),
            Self::TooManyFaultsOfBoth => format!("{both}: both lost too many games of the mini-match by faults"),
        }
    }
}
