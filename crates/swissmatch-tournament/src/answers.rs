//! Judging the answers of models again: how the turns of a run would have come out under another rule of reading.
//!
//! A turn is judged in the position in which the model was asked. May not: read an answer; say how a game would have
//! gone on.

use std::collections::BTreeMap;

use serde::Serialize;
use swiss_system::pairing::history::PairingNumber;

use swissmatch_game::Side;
use swissmatch_game::record::GameId;
use swissmatch_game::termination::{Outcome, Termination};

/// What was read from an attempt at a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerReading {
    /// A legal move, in UCI notation.
    Move(String),
    /// A resignation.
    Resign,
    /// No legal move.
    Nothing,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// As read when the game was played.
    pub was: AnswerReading,
    /// As the other rule reads it; `None` if the answer was not kept.
    pub is: Option<AnswerReading>,
}

/// The outcome of a turn and the attempt that decided it, from 1; without a move, the last one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Came {
    pub attempt: u32,
    pub said: AnswerReading,
}

/// A turn that comes out differently under the other rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    pub side: Side,
    /// Counted from 0.
    pub ply: u32,
    pub was: Came,
    /// Under the other rule.
    pub is: Came,
    /// The other rule reads a move in an attempt that failed.
    pub is_recovered: bool,
}

impl Turn {
    /// The turn made of these attempts; `None` where the other rule changes nothing, or where an answer it needs was
    /// not kept.
    pub fn of(side: Side, ply: u32, attempts: &[Attempt]) -> Option<Self> {
        let came = |place: usize, said: AnswerReading| Came {
            attempt: u32::try_from(place + 1).unwrap_or(u32::MAX),
            said,
        };
        let last = attempts.len().checked_sub(1)?;
        let was = came(last, attempts[last].was.clone());
        let mut is = came(last, AnswerReading::Nothing);
        let mut is_recovered = false;
        for (place, attempt) in attempts.iter().enumerate() {
            let said = attempt.is.clone()?;
            if said != AnswerReading::Nothing {
                is_recovered = attempt.was == AnswerReading::Nothing && said != AnswerReading::Resign;
                is = came(place, said);
                break;
            }
        }
        (is != was).then_some(Self {
            side,
            ply,
            was,
            is,
            is_recovered,
        })
    }

    /// True if the game cannot go on from here as it was played: the other rule reads a different move, or none.
    pub fn departs(&self) -> bool {
        self.is.said != self.was.said
    }
}

/// A game with the turns that come out differently.
#[derive(Clone, Debug)]
pub struct OfGame {
    pub id: GameId,
    /// White and Black.
    pub players: [PairingNumber; 2],
    pub turns: Vec<Turn>,
    /// Plies played.
    pub plies: u32,
    pub termination: Termination,
    /// The arbiter ruled on the game, so that it counts as ruled.
    pub is_ruled: bool,
}

impl OfGame {
    /// The first turn after which the game cannot go on as it was played.
    pub fn departs(&self) -> Option<&Turn> {
        self.turns.iter().find(|turn| turn.departs())
    }

    /// True if a side lost the game by attempts in which the other rule reads a move.
    pub fn is_forfeit_of_the_rule(&self) -> bool {
        let is_last = |turn: &&Turn| turn.ply == self.plies && self.termination.blame() == Some(turn.side);
        self.turns.iter().any(|turn| is_last(&turn) && turn.is_recovered)
    }

    /// The player whose turn it was.
    pub const fn player(&self, turn: &Turn) -> PairingNumber {
        self.players[turn.side.index()]
    }
}

/// How many of a player's answers were judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JudgedAnswers {
    /// Answers that a rule of reading decides.
    pub answers: u32,
    /// Those of them that were not kept.
    pub not_kept: u32,
}

/// All answers of a run, judged by another rule.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    /// The other rule: keys with their values, such as `take = "last"`.
    pub rule: Vec<String>,
    /// Games with turns that come out differently, in schedule order.
    pub games: Vec<OfGame>,
    /// Every player that is a model.
    pub players: BTreeMap<PairingNumber, JudgedAnswers>,
}

impl Answers {
    /// Void results for the games that the other rule leaves open. Games that the arbiter ruled on are left out.
    pub fn left_open(&self) -> Vec<(GameId, Outcome)> {
        let open = self
            .games
            .iter()
            .filter(|game| game.departs().is_some() && !game.is_ruled);
        open.map(|game| (game.id, Outcome::Void)).collect()
    }

    /// How many turns of a player are recovered, and in how many a move is no longer read.
    pub fn changed(&self, player: PairingNumber) -> (usize, usize) {
        let turns = || {
            let games = self.games.iter();
            games.flat_map(|game| game.turns.iter().filter(move |turn| game.player(turn) == player))
        };
        let is_lost =
            |turn: &&Turn| matches!(turn.was.said, AnswerReading::Move(_)) && turn.is.said == AnswerReading::Nothing;
        (
            turns().filter(|turn| turn.is_recovered).count(),
            turns().filter(is_lost).count(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(word: &str) -> AnswerReading {
        match word {
            "-" => AnswerReading::Nothing,
            "resign" => AnswerReading::Resign,
            word => AnswerReading::Move(word.to_owned()),
        }
    }

    /// A turn from attempts written `was:is`; `?` stands for an answer that was not kept.
    fn turn(attempts: &str) -> Option<Turn> {
        let attempts: Vec<Attempt> = attempts
            .split(' ')
            .map(|attempt| {
                let (was, is) = attempt.split_once(':').expect("both");
                Attempt {
                    was: said(was),
                    is: (is != "?").then(|| said(is)),
                }
            })
            .collect();
        Turn::of(Side::White, 4, &attempts)
    }

    #[test]
    fn a_turn_comes_to_what_its_first_readable_attempt_says() {
        for (attempts, recovered, departs, attempt) in [
            ("-:e2e4", true, true, 1),
            ("-:- -:e2e4 -:d2d4", true, true, 2),
            ("-:e2e4 e2e4:?", true, false, 1),
            ("-:e2e4 d2d4:d2d4", true, true, 1),
            ("-:resign d2d4:d2d4", false, true, 1),
            ("e2e4:d2d4", false, true, 1),
            ("e2e4:-", false, true, 1),
            ("-:- e2e4:-", false, true, 2),
            ("resign:e2e4", false, true, 1),
        ] {
            let turn = turn(attempts).unwrap_or_else(|| panic!("{attempts} is another turn"));
            assert_eq!(
                (turn.is_recovered, turn.departs(), turn.is.attempt),
                (recovered, departs, attempt),
                "{attempts}"
            );
        }
        for same in [
            "e2e4:e2e4",
            "-:- -:-",
            "-:- e2e4:e2e4",
            "resign:resign",
            "e2e4:?",
            "-:? -:e2e4",
        ] {
            assert_eq!(turn(same), None, "{same}");
        }
        assert_eq!(Turn::of(Side::White, 4, &[]), None);
    }

    #[test]
    fn a_game_that_departs_is_left_open_unless_the_arbiter_ruled_on_it() {
        let lost = OfGame {
            id: GameId::first_of(1, 0, 1),
            players: [PairingNumber(1), PairingNumber(2)],
            turns: turn("-:- -:e2e4").into_iter().collect(),
            plies: 4,
            termination: Termination::IllegalMove { by: Side::White },
            is_ruled: false,
        };
        assert!(lost.is_forfeit_of_the_rule());
        let ruled = OfGame {
            is_ruled: true,
            ..lost.clone()
        };
        let mut goes_on = OfGame {
            turns: turn("-:e2e4 e2e4:?").into_iter().collect(),
            plies: 9,
            ..lost.clone()
        };
        assert!(!goes_on.is_forfeit_of_the_rule() && goes_on.departs().is_none());
        goes_on.id.game = 2;
        let answers = Answers {
            games: vec![ruled, goes_on],
            ..Answers::default()
        };
        assert_eq!(answers.left_open(), []);
        assert_eq!(answers.changed(PairingNumber(1)), (2, 0));
        let answers = Answers {
            games: vec![lost.clone()],
            ..Answers::default()
        };
        assert_eq!(answers.left_open(), [(lost.id, Outcome::Void)]);
    }
}
