//! Answers of models judged again: what another rule of reading makes of the turns of a run.
//!
//! A turn is judged in the position in which it was asked. May not: read an answer; say how a game would have gone on.

use std::collections::BTreeMap;

use serde::Serialize;
use swiss_system::pairing::history::PairingNumber;

use swissmatch_game::Side;
use swissmatch_game::record::GameId;
use swissmatch_game::termination::{Outcome, Termination};

/// What was read of an attempt at a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerReading {
    /// A legal move, in UCI notation.
    Move(String),
    /// That it gives up.
    Resign,
    /// No legal move.
    Nothing,
}

/// An attempt at a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// What was read of it when the game was played.
    pub was: AnswerReading,
    /// What the other rule reads of it; `None`: its answer was not kept.
    pub is: Option<AnswerReading>,
}

/// What a turn came to, and by which attempt, from 1; without a move by the last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Came {
    /// The attempt.
    pub attempt: u32,
    /// What was read of it.
    pub said: AnswerReading,
}

/// A turn that comes to something else by the other rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Who was asked.
    pub side: Side,
    /// Ply of the game, from 0.
    pub ply: u32,
    /// What it came to.
    pub was: Came,
    /// What it comes to by the other rule.
    pub is: Came,
    /// Whether the other rule reads a move of an attempt that failed.
    pub is_recovered: bool,
}

impl Turn {
    /// That of these attempts; `None` where it is the same by the other rule, or nobody knows.
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

    /// Whether the game cannot be continued from here as it was played: another move is read, or none.
    pub fn departs(&self) -> bool {
        self.is.said != self.was.said
    }
}

/// The turns of a game that come to something else.
#[derive(Clone, Debug)]
pub struct OfGame {
    /// Its number.
    pub id: GameId,
    /// White and Black.
    pub players: [PairingNumber; 2],
    /// In their order.
    pub turns: Vec<Turn>,
    /// Plies that were played.
    pub plies: u32,
    /// How it ended.
    pub termination: Termination,
    /// Whether the arbiter ruled on it: it counts as that says.
    pub is_ruled: bool,
}

impl OfGame {
    /// Where it cannot be continued as it was played.
    pub fn departs(&self) -> Option<&Turn> {
        self.turns.iter().find(|turn| turn.departs())
    }

    /// Whether a side lost it by attempts of which the other rule reads a move.
    pub fn is_forfeit_of_the_rule(&self) -> bool {
        let is_last = |turn: &&Turn| turn.ply == self.plies && self.termination.blame() == Some(turn.side);
        self.turns.iter().any(|turn| is_last(&turn) && turn.is_recovered)
    }

    /// Who had a turn.
    pub const fn player(&self, turn: &Turn) -> PairingNumber {
        self.players[turn.side.index()]
    }
}

/// How much of a player's answers was judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JudgedAnswers {
    /// Answers that a rule of reading decides.
    pub answers: u32,
    /// Of these, those that were not kept.
    pub not_kept: u32,
}

/// All of it.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    /// The other rule: keys with their values, `take = "last"`.
    pub rule: Vec<String>,
    /// Games with turns that come to something else, in the order of the schedule.
    pub games: Vec<OfGame>,
    /// Every player that is a model.
    pub players: BTreeMap<PairingNumber, JudgedAnswers>,
}

impl Answers {
    /// The results of games that the other rule leaves open: void. What the arbiter ruled on stays.
    pub fn left_open(&self) -> Vec<(GameId, Outcome)> {
        let open = self
            .games
            .iter()
            .filter(|game| game.departs().is_some() && !game.is_ruled);
        open.map(|game| (game.id, Outcome::Void)).collect()
    }

    /// How many turns of a player are recovered, and in how many no move is read any more.
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

    /// Attempts as `was:is`; `?` was not kept.
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
