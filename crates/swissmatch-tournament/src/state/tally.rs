//! Counts of games by kind, with their sums: all that points need, however many games there are.
//!
//! May not: know the players. They are the one with White in game 1, and the other.

use swiss_system::pairing::history::PairingNumber;
use swiss_system::score::Points;
use swiss_system::standings::results::GameCounts;

use super::game::EndedGame;
use crate::setup::{PointsTable, ScoringKeys};
use swissmatch_game::Side;
use swissmatch_game::record::{CallTotals, Thinking};
use swissmatch_game::termination::{Outcome, Termination};

/// What many games have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameKind {
    /// The result of the game by itself.
    pub outcome: Outcome,
    pub termination: Termination,
    /// The result that counts by the arbiter.
    pub ruled: Option<Outcome>,
    /// Something was sent to an engine.
    pub has_record: bool,
    /// Evidence is kept.
    pub has_evidence: bool,
    /// Whether the agent gave an alarm, White's and Black's.
    pub alarms: [bool; 2],
    /// The game was taken from an earlier run.
    pub is_taken: bool,
}

impl GameKind {
    /// The kind of a game.
    pub const fn of(game: &EndedGame) -> Self {
        Self {
            outcome: game.finished.outcome,
            termination: game.finished.termination,
            ruled: game.ruled,
            has_record: game.finished.has_record,
            has_evidence: game.finished.has_evidence,
            alarms: game.finished.alarms,
            is_taken: game.finished.is_taken,
        }
    }

    /// The result that counts.
    pub fn counts_as(&self) -> Outcome {
        self.ruled.unwrap_or(self.outcome)
    }

    /// True if a side's agent, asked to play, ended the game by a fault. A game that the arbiter annulled counts for
    /// nobody.
    pub(super) fn is_fault_of(&self, side: Side) -> bool {
        self.has_record && self.termination.is_fault_of(side) && self.ruled != Some(Outcome::Void)
    }

    /// True if the game is void because both agents failed, rather than by the arbiter.
    fn is_failed_by_both(&self) -> bool {
        self.ruled.is_none() && self.outcome == Outcome::Void && self.termination.is_failure_of_both()
    }

    fn is_void_by_fault_of(&self, side: Side) -> bool {
        self.is_failed_by_both() && self.termination.is_fault_of(side)
    }

    /// True if a side's agent failed to start when the game was about to be played.
    pub(super) fn did_not_start(&self, side: Side) -> bool {
        self.is_without_agent(side) && self.has_record
    }

    /// True if a side lost because its agent did not start for this game, or for an earlier one of the mini-match. A
    /// game that the arbiter annulled counts for nobody.
    pub(super) fn is_lost_without_start(&self, side: Side) -> bool {
        self.is_without_agent(side) && self.ruled != Some(Outcome::Void)
    }

    fn is_without_agent(&self, side: Side) -> bool {
        match self.termination {
            Termination::NeitherStarted => true,
            Termination::DidNotStart { by } => by == side,
            _ => false,
        }
    }
}

/// The games of two players together; index 0 is the player with White in game 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameTally {
    /// The number of games of each kind, by which player had White. Kinds keep their index.
    kinds: Vec<(GameKind, [u32; 2])>,
    /// What each player spent in games that are not annulled.
    spent: [SideTotals; 2],
}

/// What a side spent on its moves, in one game or many, whatever numbers a log may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SideTotals {
    moves: u64,
    time_us: u128,
    failed_attempts: u64,
    asked: CallTotals,
}

impl SideTotals {
    /// The sums of one game, White's and Black's.
    pub(super) fn of_sides(
        thinking: Option<[Thinking; 2]>,
        failed_attempts: [u32; 2],
        asked: Option<[CallTotals; 2]>,
    ) -> [Self; 2] {
        let thinking = thinking.unwrap_or_default();
        let asked = asked.unwrap_or_default();
        [0, 1].map(|side: usize| Self {
            moves: thinking[side].moves.into(),
            time_us: thinking[side].time_us.into(),
            failed_attempts: failed_attempts[side].into(),
            asked: asked[side],
        })
    }
}

impl GameTally {
    pub const NONE: Self = Self {
        kinds: Vec::new(),
        spent: [SideTotals {
            moves: 0,
            time_us: 0,
            failed_attempts: 0,
            asked: CallTotals::NONE,
        }; 2],
    };

    /// Counts these games; `first` is the player with White in game 1.
    pub fn of(games: &[EndedGame], first: PairingNumber) -> Self {
        let mut tally = Self::NONE;
        for game in games {
            let white = usize::from(game.finished.white != first);
            let spent = SideTotals::of_sides(
                game.finished.thinking,
                game.finished.failed_attempts,
                game.finished.asked,
            );
            tally.add(GameKind::of(game), white, spent);
        }
        tally
    }

    /// Adds a game in which player `white` has White, with what White and Black spent, and returns the index of its
    /// kind.
    pub(super) fn add(&mut self, kind: GameKind, white: usize, of_sides: [SideTotals; 2]) -> usize {
        let place = self.kinds.iter().position(|(known, _)| *known == kind);
        let place = place.unwrap_or_else(|| {
            self.kinds.push((kind, [0, 0]));
            self.kinds.len() - 1
        });
        self.kinds[place].1[white] += 1;
        self.spent(&kind, white, of_sides, |spent, side| {
            spent.moves += side.moves;
            spent.time_us += side.time_us;
            spent.failed_attempts += side.failed_attempts;
            spent.asked += side.asked;
        });
        place
    }

    /// Takes away a game that was added.
    pub(super) fn remove(&mut self, place: usize, white: usize, of_sides: [SideTotals; 2]) {
        let kind = self.kinds[place].0;
        self.kinds[place].1[white] -= 1;
        self.spent(&kind, white, of_sides, |spent, side| {
            spent.moves -= side.moves;
            spent.time_us -= side.time_us;
            spent.failed_attempts -= side.failed_attempts;
            spent.asked -= side.asked;
        });
    }

    fn spent(
        &mut self,
        kind: &GameKind,
        white: usize,
        [of_white, of_black]: [SideTotals; 2],
        change: impl Fn(&mut SideTotals, SideTotals),
    ) {
        if kind.counts_as() != Outcome::Void {
            change(&mut self.spent[white], of_white);
            change(&mut self.spent[1 - white], of_black);
        }
    }

    /// The kind at an index.
    pub(super) fn kind(&self, place: usize) -> &GameKind {
        &self.kinds[place].0
    }

    pub fn count(&self) -> usize {
        self.kinds().map(|(_, [one, other])| (one + other) as usize).sum()
    }

    /// All kinds that have games, each with the number of games in which either player had White.
    pub fn kinds(&self) -> impl Iterator<Item = (&GameKind, [u32; 2])> {
        let all = self.kinds.iter().map(|(kind, games)| (kind, *games));
        all.filter(|(_, games)| *games != [0, 0])
    }

    /// The number of games for which `is_such` holds for the side that `player` had.
    pub(super) fn count_for(&self, player: usize, is_such: fn(&GameKind, Side) -> bool) -> usize {
        let of_kind = |(kind, games): (&GameKind, [u32; 2])| {
            let sides = [(Side::White, games[player]), (Side::Black, games[1 - player])];
            let such = sides.into_iter().filter(|(side, _)| is_such(kind, *side));
            such.map(|(_, games)| games as usize).sum::<usize>()
        };
        self.kinds().map(of_kind).sum()
    }

    /// Games that are not annulled: their kind, the side that `player` had, and their number.
    fn counted(&self, player: usize) -> impl Iterator<Item = (&GameKind, Side, u32)> {
        let counted = self.kinds().filter(|(kind, _)| kind.counts_as() != Outcome::Void);
        counted.flat_map(move |(kind, games)| {
            let sides = [(Side::White, games[player]), (Side::Black, games[1 - player])];
            sides
                .into_iter()
                .filter(|(_, games)| *games > 0)
                .map(move |(side, games)| (kind, side, games))
        })
    }

    /// True if all games are void.
    pub(super) fn is_void(&self) -> bool {
        self.counted(0).next().is_none()
    }

    /// True if both agents failed in all games, so that they are void.
    pub(super) fn is_failed_by_both(&self) -> bool {
        self.count() > 0 && self.kinds().all(|(kind, _)| kind.is_failed_by_both())
    }

    /// True if both players lost all games that are not annulled.
    pub(super) fn is_lost_by_both(&self) -> bool {
        self.counted(0).all(|(kind, ..)| kind.counts_as() == Outcome::BothLose)
    }

    /// The number of games that each player lost by each fault.
    pub(super) fn faults(&self) -> impl Iterator<Item = (usize, Termination, u32)> {
        self.kinds().flat_map(|(kind, games)| {
            let sides = [(Side::White, 0), (Side::White, 1), (Side::Black, 0), (Side::Black, 1)];
            let at_fault = sides
                .into_iter()
                .filter(|(side, _)| kind.termination.is_fault_of(*side));
            at_fault.filter_map(move |(side, player)| {
                let white = if side == Side::White { player } else { 1 - player };
                (games[white] > 0).then_some((player, kind.termination, games[white]))
            })
        })
    }

    /// The number of games in which each player gave an alarm.
    pub(super) fn alarms(&self) -> [u32; 2] {
        let gave = |kind: &GameKind, side: Side| kind.alarms[side.index()];
        [0, 1].map(|player| u32::try_from(self.count_for(player, gave)).unwrap_or(u32::MAX))
    }

    /// Totals of a player's calls over the network.
    pub(crate) const fn asked(&self, player: usize) -> CallTotals {
        self.spent[player].asked
    }

    /// Played games that a player lost by a fault of its own.
    pub(crate) fn lost_by_fault(&self, player: usize) -> u32 {
        let lost = self.counted(player).filter(|(kind, side, _)| {
            let is_lost = ![Outcome::Draw, Outcome::win(*side)].contains(&kind.counts_as());
            is_lost && kind.termination.was_played() && kind.termination.is_fault_of(*side)
        });
        lost.map(|(.., games)| games).sum()
    }

    pub fn game_points(&self, player: usize, scoring: &ScoringKeys) -> Points {
        let points = self
            .counted(player)
            .map(|(kind, side, games)| points_of(kind, side, games, scoring));
        points.sum()
    }

    /// The games of a player in numbers.
    pub(crate) fn counts(&self, player: usize, scoring: &ScoringKeys) -> GameCounts {
        let mut counts = GameCounts::default();
        for (kind, side, games) in self.counted(player) {
            let won = kind.counts_as() == Outcome::win(side);
            let of_color = match side {
                Side::White => &mut counts.white,
                Side::Black => &mut counts.black,
            };
            let was_played = kind.termination.was_played();
            *match (was_played, kind.counts_as()) {
                (true, Outcome::Draw) => &mut of_color.drawn,
                (true, _) if won => &mut of_color.won,
                (true, _) => &mut of_color.lost,
                (false, _) if won => &mut counts.forfeits_won,
                (false, _) => &mut counts.forfeits_lost,
            } += games;
            if !was_played && won && side == Side::Black {
                counts.forfeits_won_with_black += games;
            }
            if !was_played {
                counts.forfeit_points += points_of(kind, side, games, scoring);
            }
            if kind.termination.is_fault_of(side) {
                counts.faults += games;
            }
        }
        let void = self.count_for(player, GameKind::is_void_by_fault_of);
        counts.faults += u32::try_from(void).unwrap_or(u32::MAX);
        let SideTotals {
            moves,
            time_us,
            failed_attempts,
            asked: _,
        } = self.spent[player];
        counts.failed_attempts = failed_attempts.try_into().unwrap_or(u32::MAX);
        counts.moves = moves.try_into().unwrap_or(u32::MAX);
        counts.thinking_us = time_us.try_into().unwrap_or(u64::MAX);
        counts
    }
}

/// The game points that `games` games of this kind give a side.
fn points_of(kind: &GameKind, side: Side, games: u32, scoring: &ScoringKeys) -> Points {
    let table = if kind.termination.was_played() {
        scoring.game
    } else {
        scoring.forfeited_game()
    };
    points(kind.counts_as(), side, table.times(games))
}

fn points(outcome: Outcome, side: Side, table: PointsTable) -> Points {
    match outcome {
        Outcome::Draw => table.draw,
        _ if outcome == Outcome::win(side) => table.win,
        _ => table.loss,
    }
}
