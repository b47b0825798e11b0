//! Round robins of tied players.
//!
//! May not: say who goes on; the boundaries decide that.

use std::collections::BTreeMap;

use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::round_robin::berger;
use swiss_system::score::Points;

use swissmatch_game::Side;
use swissmatch_game::termination::Outcome;
use swissmatch_game::time_control::TimeControl;

use super::stand::{ContestCaller, ContestKind, ContestNumbering, RoundRobinRow};
use super::walk::{LevelGroups, Open, Walk};
use crate::log::{Draw, PlayoffBoard};

impl Walk<'_> {
    /// A round robin by the Berger tables of the numbers: for two players "a mini-match consisting of two games"
    /// (2.3.1, 3.3.1, 4.6), for more a single one (2.3.2, 3.3.2, 4.7). It is played to its end.
    pub(super) fn round_robin(
        &mut self,
        mut open: Open,
        limits: &TimeControl,
        by: ContestCaller,
    ) -> Option<LevelGroups> {
        let limits_shown = TimeControl::clone(limits);
        let kind = ContestKind::RoundRobin {
            limits: limits_shown,
            by,
        };
        let contest = self.begin(&open, kind);
        let (numbers, numbered) = self.number_of_robin(&open, contest)?;
        let mut sums: BTreeMap<PairingNumber, Points> = numbers.iter().map(|&number| (number, Points::ZERO)).collect();
        let mut is_over = true;
        for (table, round) in berger(numbers.len()).into_iter().zip(1..) {
            for pair in table.pairs {
                let (mut white, mut black) = (numbers[pair.white.index()], numbers[pair.black.index()]);
                if numbered == ContestNumbering::Reversed {
                    std::mem::swap(&mut white, &mut black);
                }
                let due = PlayoffBoard {
                    contest: open.id,
                    round,
                    white,
                    black,
                    games: if numbers.len() == 2 { 2 } else { 1 },
                    limits: [limits, limits].map(TimeControl::clone),
                    draw: Draw::Shared,
                };
                let Some((held, games)) = self.held(contest, due) else {
                    is_over = false;
                    continue;
                };
                for (game, ended) in (1..).zip(games) {
                    for side in Side::BOTH {
                        *sums.entry(held.board.player(side, game)).or_default() += points(ended.outcome, side);
                    }
                }
            }
            if !is_over {
                break;
            }
        }
        let place = |number: &PairingNumber| numbers.iter().position(|other| other == number);
        let mut table: Vec<RoundRobinRow> = sums
            .into_iter()
            .map(|(player, points)| RoundRobinRow { player, points })
            .collect();
        table.sort_by_key(|row| (std::cmp::Reverse(row.points), place(&row.player)));
        self.contests[contest].table = table.clone();
        if !is_over {
            return None;
        }
        open.robins += 1;
        open.numbers = numbers;
        let level = table.chunk_by(|one, next| one.points == next.points);
        let order = level.map(|rows| rows.iter().map(|row| row.player).collect()).collect();
        self.go_on(&open, contest, order)
    }
}

/// The points of a game: 1, ½ or 0; none if neither side came.
pub(super) fn points(outcome: Outcome, side: Side) -> Points {
    match outcome {
        Outcome::Draw => Points::HALF,
        _ if outcome == Outcome::win(side) => Points::ONE,
        _ => Points::ZERO,
    }
}
