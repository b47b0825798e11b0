//! Whether a decision of the arbiter answers an open question.
//!
//! May not: decide.

use swiss_system::pairing::history::PairingNumber;

use super::stand::{Question, QuestionSubject, Stand};
use crate::log::{ArbiterDirection, ContestId, Decision};

/// Why a decision is not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecisionError {
    /// It comes too early or too late, or is about something else.
    #[error("{contest} needs no decision; {}", open_questions(.open))]
    NotAsked {
        /// The contest of the decision.
        contest: ContestId,
        /// The open contests.
        open: Vec<ContestId>,
    },
    /// A round robin in place of a game to which neither side came.
    #[error("neither side came to the game of {}: say who goes through; a round robin cannot stand in for it", players(.0))]
    RoundRobinForGame(Vec<PairingNumber>),
    /// A player of another tie, or of no tie.
    #[error("player {player} is not one of those to be decided about: {}", players(.among))]
    Stranger {
        /// The player named.
        player: PairingNumber,
        /// The players who may be named.
        among: Vec<PairingNumber>,
    },
    /// A player named more than once.
    #[error("player {0} is named twice: give everybody one place")]
    Twice(PairingNumber),
    /// Players who are missing.
    #[error("the result leaves out {}: name all who are tied", players(.0))]
    LeftOut(Vec<PairingNumber>),
    /// A group without players.
    #[error("the result has an empty group: leave it out")]
    EmptyGroup,
    /// Players left level whom the rules tell apart.
    #[error("the result does not separate place {place} from place {}: {} are level there; put one before the \
             other", .place + 1, players(.level))]
    Unbroken {
        /// A place of the ranking, of a knockout's mini-match or of game 1.
        place: u32,
        level: Vec<PairingNumber>,
    },
}

/// Checks whether the arbiter may direct this now.
///
/// # Errors
/// The reason why not, and what to do.
pub fn check(decision: &Decision, stand: &Stand) -> Result<(), DecisionError> {
    let of_contest = stand
        .questions
        .iter()
        .filter(|question| question.contest == decision.contest);
    let mut refused = None;
    for question in of_contest {
        match answers(decision, question) {
            Ok(()) => return Ok(()),
            // Of two games to which neither side came, the one with the named players is meant.
            Err(reason) if refused.is_none() || is_about(decision, question) => refused = Some(reason),
            Err(_) => {}
        }
    }
    Err(refused.unwrap_or_else(|| DecisionError::NotAsked {
        contest: decision.contest,
        open: stand.questions.iter().map(|question| question.contest).collect(),
    }))
}

/// Checks whether a decision answers a question.
pub(super) fn answers(decision: &Decision, question: &Question) -> Result<(), DecisionError> {
    if decision.contest != question.contest {
        return Err(DecisionError::NotAsked {
            contest: decision.contest,
            open: vec![question.contest],
        });
    }
    match (&decision.directed, question.asks) {
        (ArbiterDirection::RoundRobin(_), QuestionSubject::Tie) => Ok(()),
        (ArbiterDirection::RoundRobin(_), QuestionSubject::Game) => {
            Err(DecisionError::RoundRobinForGame(question.players.clone()))
        }
        (ArbiterDirection::Result(order), _) => breaks(order, question),
    }
}

fn is_about(decision: &Decision, question: &Question) -> bool {
    match &decision.directed {
        ArbiterDirection::RoundRobin(_) => false,
        ArbiterDirection::Result(order) => order.iter().flatten().any(|player| question.players.contains(player)),
    }
}

/// Checks whether an order has exactly the players in question, and no group across a cut.
fn breaks(order: &[Vec<PairingNumber>], question: &Question) -> Result<(), DecisionError> {
    let mut named: Vec<PairingNumber> = Vec::new();
    for group in order {
        if group.is_empty() {
            return Err(DecisionError::EmptyGroup);
        }
        for &player in group {
            if !question.players.contains(&player) {
                return Err(DecisionError::Stranger {
                    player,
                    among: question.players.clone(),
                });
            }
            if named.contains(&player) {
                return Err(DecisionError::Twice(player));
            }
            named.push(player);
        }
    }
    let left_out: Vec<PairingNumber> = question
        .players
        .iter()
        .filter(|player| !named.contains(player))
        .copied()
        .collect();
    if !left_out.is_empty() {
        return Err(DecisionError::LeftOut(left_out));
    }
    let first = match question.asks {
        QuestionSubject::Tie => question.contest.tie.first,
        QuestionSubject::Game => 1,
    };
    let mut before = 0;
    for group in order {
        let after = before + group.len();
        if let Some(&cut) = question.cuts.iter().find(|&&cut| before < cut && cut < after) {
            return Err(DecisionError::Unbroken {
                place: first + u32::try_from(cut).expect("fewer than 2^32 players") - 1,
                level: group.clone(),
            });
        }
        before = after;
    }
    Ok(())
}

fn players(players: &[PairingNumber]) -> String {
    let numbers: Vec<String> = players.iter().map(PairingNumber::to_string).collect();
    format!(
        "{} {}",
        if numbers.len() == 1 { "player" } else { "players" },
        numbers.join(", ")
    )
}

fn open_questions(open: &[ContestId]) -> String {
    if open.is_empty() {
        return "no tie is waiting for the arbiter".to_owned();
    }
    let open: Vec<String> = open.iter().map(ContestId::to_string).collect();
    format!("the arbiter is asked about: {}", open.join("; "))
}
