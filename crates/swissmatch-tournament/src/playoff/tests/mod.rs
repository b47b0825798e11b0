//! Play-offs played by scripts and by chance.
//!
//! May not: be satisfied with what the code under test computes for itself.

mod city_chess;
mod decisions;
mod grand_chess_tour;
mod literal;
mod odd_cases;
mod properties;
mod tour;

use std::collections::BTreeMap;

use swiss_system::lot;
use swiss_system::pairing::history::PairingNumber;

use swissmatch_game::Side;
use swissmatch_game::termination::{Outcome, Termination};
use swissmatch_game::time_control::TimeControl;

use super::decision;
use super::facts::{BegunBoard, DueLot, Ended, Facts, Tie};
use super::stand::{Due, Question, Stand};
use crate::log::{ArbiterDirection, Decision, Lot, PlayoffBoard, TieKey};
use crate::playoff_rules::{Colors, Numbers, PlayoffRules, PlayoffStage};

fn time(text: &str) -> TimeControl {
    text.parse().expect("a time control")
}

fn round_robin(two: &str, more: &str) -> PlayoffStage {
    PlayoffStage::RoundRobin {
        two: time(two),
        more: time(more),
    }
}

fn armageddon(white: &str, black: &str, colors: Colors) -> PlayoffStage {
    PlayoffStage::Armageddon {
        white: time(white),
        black: time(black),
        colors,
    }
}

fn rules(boundaries: &[u32], numbers: Numbers, stages: &[PlayoffStage]) -> PlayoffRules {
    PlayoffRules {
        boundaries: boundaries.to_vec(),
        of_sections: BTreeMap::new(),
        top_two: false,
        numbers,
        stages: stages.to_vec(),
    }
}

/// A tie of the standings after round 9 from place `first` on.
fn tie(first: u32, groups: &[&[u32]]) -> Tie {
    let groups: Vec<Vec<PairingNumber>> = groups.iter().map(|group| numbers(group)).collect();
    let last = first + u32::try_from(groups.concat().len()).expect("few") - 1;
    Tie {
        key: TieKey {
            round: 9,
            section: 0,
            board: 0,
            first,
            last,
        },
        groups,
    }
}

fn numbers(players: &[u32]) -> Vec<PairingNumber> {
    players.iter().copied().map(PairingNumber).collect()
}

fn ended(outcome: Outcome) -> Ended {
    let termination = match outcome {
        Outcome::WhiteWins | Outcome::BlackWins => Termination::Checkmate,
        Outcome::Draw => Termination::Stalemate,
        Outcome::BothLose | Outcome::Void => Termination::NeitherStarted,
    };
    Ended { outcome, termination }
}

/// An event that plays off its ties, as the caller of the machine does it.
struct Arena {
    ties: Vec<Tie>,
    rules: PlayoffRules,
    facts: Facts,
    /// Orders that lots give, by purpose; without one the first in the order of pairing numbers is drawn first.
    lots: fn(&DueLot) -> Vec<PairingNumber>,
    /// What happened.
    log: Vec<String>,
}

impl Arena {
    fn new(ties: &[Tie], rules: PlayoffRules) -> Self {
        Self {
            ties: ties.to_vec(),
            rules,
            facts: Facts::default(),
            lots: |due| due.among.clone(),
            log: Vec::new(),
        }
    }

    fn stand(&self) -> Stand {
        super::stand(&self.ties, &self.rules, &self.facts)
    }

    /// Plays until nothing is due or the arbiter is asked.
    fn play(&mut self, mut result: impl FnMut(&PlayoffBoard, u32) -> Outcome) -> Stand {
        loop {
            let stand = self.stand();
            match &stand.due {
                Due::Nothing | Due::Decision => return stand,
                Due::Playing => panic!("every round was played to its end"),
                Due::Lots(lots) => lots.iter().for_each(|due| self.draw(due)),
                Due::Round(boards) => {
                    let written: Vec<String> = boards.iter().map(write).collect();
                    self.log.push(written.join(" "));
                    for board in boards {
                        let games = (1..=board.games).map(|game| Some(ended(result(board, game))));
                        self.facts.boards.push(BegunBoard {
                            board: board.clone(),
                            games: games.collect(),
                        });
                    }
                }
            }
        }
    }

    fn draw(&mut self, due: &DueLot) {
        let drawn = (self.lots)(due);
        self.log.push(format!("lot: {} = {}", due.purpose, listed(&drawn)));
        self.facts.lots.push(Lot {
            purpose: due.purpose,
            drawn,
        });
    }

    /// Lots as an event draws them.
    fn draw_by_seed(&mut self, seed: u64, due: &DueLot) {
        let drawn = lot::order(seed, &due.purpose.to_string(), due.among.len());
        self.facts.lots.push(Lot {
            purpose: due.purpose,
            drawn: drawn.into_iter().map(|index| due.among[index]).collect(),
        });
    }

    fn direct(&mut self, question: &Question, directed: ArbiterDirection) {
        let decision = Decision {
            contest: question.contest,
            directed,
        };
        decision::check(&decision, &self.stand()).expect("a decision that answers");
        self.facts.decisions.push(decision);
    }

    /// The boards and lots so far, one line a step.
    fn happened(&self, expected: &[&str]) {
        assert_eq!(self.log, expected, "\n{}", self.log.join("\n"));
    }
}

/// `1-3/2.1: 5-4x2`: places, contest, round, White and Black of game 1, games.
fn write(board: &PlayoffBoard) -> String {
    let id = board.contest;
    let games = if board.games == 1 {
        String::new()
    } else {
        format!("x{}", board.games)
    };
    let of = if id.tie.board > 0 {
        format!("board {}", id.tie.board)
    } else {
        format!("{}-{}", id.tie.first, id.tie.last)
    };
    format!(
        "{of}/{}.{}: {}-{}{games}",
        id.number, board.round, board.white, board.black
    )
}

fn listed(players: &[PairingNumber]) -> String {
    let players: Vec<String> = players.iter().map(PairingNumber::to_string).collect();
    players.join(" ")
}

/// `1 | 2 3`; `?` while open.
fn parts(stand: &Stand) -> Vec<String> {
    let written = |parts: &Vec<Vec<PairingNumber>>| {
        let parts: Vec<String> = parts.iter().map(|part| listed(part)).collect();
        parts.join(" | ")
    };
    stand
        .parts
        .iter()
        .map(|parts| parts.as_ref().map_or("?".to_owned(), written))
        .collect()
}

/// The one of the two who stands first in `order` wins.
fn by_order(order: &'static [u32]) -> impl Fn(&PlayoffBoard, u32) -> Outcome {
    move |board, game| {
        let place = |side| {
            let player = board.player(side, game);
            order.iter().position(|&number| number == player.0).expect("ordered")
        };
        Outcome::win(if place(Side::White) < place(Side::Black) {
            Side::White
        } else {
            Side::Black
        })
    }
}
