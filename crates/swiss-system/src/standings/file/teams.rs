//! A tournament file of teams (records `310`) as results: each team a player, each match a round, its boards its games.
//!
//! Match points are those of `362` (2, 1, 0 without it): more game points than the other team is a win; a match that was
//! played and gave neither anything is lost by both. Where every board is a forfeit, or `330` says so, the match is one. The
//! pairing-allocated bye is worth what `320` says (a won match and a win on each board, without), the byes of `240` a won, a
//! drawn or a lost match with all boards alike. A bye that stands on the boards alone (`0000 - U`) is taken as that bye.
//!
//! A match that `330` says was forfeited gives game points by its boards where these are forfeits that say the same; else a
//! win by forfeit on each board to the winner and a loss by forfeit to the loser. So it is in the sample of the format by
//! FIDE's Technical Commission (2024): its record `802` has 4.0 and 0.0 for matches of four boards without any board.
//!
//! A win by forfeit without an opponent (`0000 - +`) counts for the team of the player. A player whom several teams list is
//! in the one with the lowest number.
//!
//! May not: read or write lines; rank anybody.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::{StandingsFileError, format_of, lots, planned};
use crate::pairing::file::{self, File};
use crate::pairing::history::{FirstColor, PairingNumber};
use crate::score::Points;
use crate::standings::results::{
    Bye, ColorCounts, GameCounts, MatchResult, PlayerResults, PlayerRound, Results, ResultsFormat, RoundFate, Worth,
};
use crate::trf::{
    AbnormalPoints, ByeKind, Color, MatchSymbol, PlayerRecord, Record, ResultCode, RoundCell, Team, TeamForfeit,
    Tournament,
};

/// The results of the first `rounds` rounds, with teams in order of their numbers.
pub(super) fn results(
    tournament: &Tournament,
    (rounds, played): (u32, u32),
    format: Option<ResultsFormat>,
    rng_seed: u64,
) -> Result<Results, StandingsFileError> {
    let teams = Teams::new(tournament);
    let count = u32::try_from(teams.teams.len()).expect("at most three digits");
    let format = format.unwrap_or_else(|| format_of(tournament));
    let of_round = |index: usize, round: u32| match format {
        ResultsFormat::RoundRobin if teams.is_blank(index, round) => PlayerRound::free(),
        ResultsFormat::RoundRobin | ResultsFormat::Swiss => teams.round(index, round),
    };
    let of_team = |index: usize| PlayerResults {
        rounds: (1..=rounds).map(|round| of_round(index, round)).collect(),
        bonus: teams.bonus(index, rounds)[0],
        game_bonus: teams.bonus(index, rounds)[1],
        ..PlayerResults::default()
    };
    let not_ranked = tournament.not_ranked();
    let is_struck = |index: &usize| not_ranked.contains(&teams.teams[*index].number);
    Ok(Results {
        players: (0..teams.teams.len()).map(of_team).collect(),
        left_out: Vec::new(),
        struck: (0..teams.teams.len())
            .filter(is_struck)
            .map(PairingNumber::from_index)
            .collect(),
        planned: planned(tournament, played),
        worth: Worth {
            win: teams.match_points(MatchSymbol::Win),
            draw: teams.match_points(MatchSymbol::Draw),
        },
        game_worth: Worth {
            win: teams.boards(teams.game.win),
            draw: teams.boards(teams.game.draw),
        },
        format,
        submission: (0..count).collect(),
        lots: lots(rng_seed, teams.teams.len()),
        numbers: teams.teams.iter().map(|team| team.number).collect(),
        names: teams.teams.iter().map(|team| team.name.clone()).collect(),
    })
}

/// A file of teams, with indexes for frequent look-ups.
pub(super) struct Teams<'a> {
    pub(super) file: File<'a>,
    /// The teams in order of their numbers.
    pub(super) teams: Vec<&'a Team>,
    /// The players of each team, in the order of its record, each once.
    members: Vec<Vec<u32>>,
    /// Index in `teams` by player's number.
    pub(super) team_of: HashMap<u32, usize>,
    match_values: [Points; 3],
    game: Worth,
    /// The points of a board won and lost by forfeit.
    forfeited: [Points; 2],
    /// Boards per match.
    board_count: i64,
    /// The points of the allocated bye, by round and team's number.
    allocated: HashMap<(u32, u32), (Option<Points>, Option<Points>)>,
    byes: HashMap<(u32, u32), ByeKind>,
    /// By round and team's number: the first record.
    forfeits: HashMap<(u32, u32), TeamForfeit>,
    /// `299`, by team's number and round (0 for all), and result.
    abnormal: HashMap<(u32, u32), Vec<&'a AbnormalPoints>>,
}

impl<'a> Teams<'a> {
    pub(super) fn new(tournament: &'a Tournament) -> Self {
        let mut teams: Vec<&Team> = tournament.teams().collect();
        teams.sort_by_key(|team| team.number);
        let mut team_of = HashMap::new();
        let mut members = vec![Vec::new(); teams.len()];
        for (index, team) in teams.iter().enumerate() {
            for &number in &team.players {
                if let Entry::Vacant(vacant) = team_of.entry(number) {
                    vacant.insert(index);
                    members[index].push(number);
                }
            }
        }
        let mut match_values = [Points::whole(2), Points::ONE, Points::ZERO];
        let (mut allocated, mut byes, mut forfeits) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut abnormal = HashMap::new();
        let mut colors = 0;
        for record in &tournament.records {
            match record {
                Record::MatchValues(values) => {
                    for &(symbol, points) in values {
                        match_values[symbol as usize] = points;
                    }
                }
                Record::BoardColors(boards) => colors = boards.len(),
                Record::TeamByes(had) => {
                    for (round, team) in (1..).zip(&had.teams) {
                        allocated.extend(team.map(|team| ((round, team), (had.match_points, had.game_points))));
                    }
                }
                Record::TeamForfeit(forfeit) => {
                    for team in [forfeit.white, forfeit.black] {
                        forfeits.entry((forfeit.round, team)).or_insert(*forfeit);
                    }
                }
                Record::Byes(granted) => {
                    byes.extend(
                        granted
                            .numbers
                            .iter()
                            .map(|&team| ((granted.round, team), granted.kind)),
                    );
                }
                Record::AbnormalPoints(abnormal_points) => {
                    for &team in abnormal_points.named() {
                        let records: &mut Vec<_> =
                            abnormal.entry((team, abnormal_points.round.unwrap_or(0))).or_default();
                        records.push(abnormal_points);
                    }
                }
                _ => {}
            }
        }
        let system = tournament.point_system();
        let highest = tournament.players().map(|player| player.number).max().unwrap_or(0);
        let mut this = Self {
            file: File::new(tournament, highest, file::rounds_played(tournament)),
            teams,
            members,
            team_of,
            match_values,
            game: Worth {
                win: system.win[0],
                draw: system.draw[0],
            },
            forfeited: [system.forfeit_win, system.forfeit_loss],
            board_count: i64::try_from(colors).expect("a line"),
            allocated,
            byes,
            forfeits,
            abnormal,
        };
        if colors == 0 {
            let rounds = u32::try_from(tournament.rounds_in_lines()).unwrap_or(0);
            let boards = |index| (1..=rounds).map(move |round| (index, round));
            let matches = (0..this.teams.len()).flat_map(boards);
            let most = matches
                .map(|(index, round)| this.cells(index, round).count())
                .max()
                .unwrap_or(0);
            this.board_count = i64::try_from(most).expect("few boards");
        }
        this
    }

    pub(super) const fn match_points(&self, symbol: MatchSymbol) -> Points {
        self.match_values[symbol as usize]
    }

    /// This many points on each board.
    const fn boards(&self, points: Points) -> Points {
        points.halved_times(2 * self.board_count)
    }

    /// What the players of a team have in a round, in the order of the team's record.
    fn lines(&self, index: usize, round: u32) -> impl Iterator<Item = (&'a PlayerRecord, RoundCell)> + '_ {
        let players = self.members[index]
            .iter()
            .filter_map(|&number| self.file.player(number));
        players.filter_map(move |player| Some((player, *player.rounds.get(round as usize - 1)?)))
    }

    /// The boards of a team in a round: the player, and what the line has.
    fn cells(&self, index: usize, round: u32) -> impl Iterator<Item = (&'a PlayerRecord, RoundCell)> + '_ {
        self.lines(index, round)
            .filter(|(_, cell)| cell.opponent.is_some() || cell.result == Some(ResultCode::ForfeitWin))
    }

    /// The index of the team with a number.
    pub(super) fn index_of(&self, number: u32) -> Option<usize> {
        self.teams.binary_search_by_key(&number, |team| team.number).ok()
    }

    /// The team that this one was paired with.
    fn opponent(&self, index: usize, round: u32) -> Option<usize> {
        let other = match self.forfeit(index, round) {
            Some(forfeit) if forfeit.white == self.teams[index].number => self.index_of(forfeit.black),
            Some(forfeit) => self.index_of(forfeit.white),
            None => self
                .cells(index, round)
                .find_map(|(_, cell)| self.team_of.get(&cell.opponent?).copied()),
        };
        other.filter(|&other| other != index)
    }

    /// True if the lines of the team's boards name an opponent in a round.
    pub(super) fn is_opposed(&self, index: usize, round: u32) -> bool {
        self.lines(index, round).any(|(_, cell)| cell.opponent.is_some())
    }

    pub(super) fn forfeit(&self, index: usize, round: u32) -> Option<&TeamForfeit> {
        self.forfeits.get(&(round, self.teams[index].number))
    }

    /// True if the boards of a forfeited match are forfeits that say the same; `None` if no line has any.
    pub(super) fn boards_agree(&self, forfeit: &TeamForfeit) -> Option<bool> {
        let sides = [forfeit.white, forfeit.black].map(|number| self.index_of(number));
        let boards = |side: Option<usize>| side.into_iter().flat_map(|index| self.cells(index, forfeit.round));
        let results = || {
            let cells = sides.into_iter().flat_map(boards);
            cells.map(|(_, cell)| cell.result)
        };
        results().next()?;
        let won = |side| {
            let wins = boards(side).filter(|(_, cell)| cell.result == Some(ResultCode::ForfeitWin));
            wins.count()
        };
        let [white, black] = sides.map(won);
        let all_forfeited = !results().any(|result| result.is_none_or(ResultCode::is_played));
        Some(
            all_forfeited
                && match forfeit.winner {
                    Some(Color::White) => white > black,
                    Some(Color::Black) => black > white,
                    None => white == 0 && black == 0,
                },
        )
    }

    fn game_points(&self, index: usize, round: u32) -> Points {
        if let Some(forfeit) = self.forfeit(index, round)
            && self.boards_agree(forfeit) != Some(true)
        {
            let [win, loss] = self.forfeited;
            let has_won = self.forfeit_result(index, forfeit) == MatchResult::Won;
            return self.boards(if has_won { win } else { loss });
        }
        self.cells(index, round)
            .filter(|(_, cell)| cell.result.is_some())
            .map(|(player, _)| self.file.worth(player, round))
            .sum()
    }

    fn forfeit_result(&self, index: usize, forfeit: &TeamForfeit) -> MatchResult {
        let winner = forfeit.winner.map(|color| match color {
            Color::White => forfeit.white,
            Color::Black => forfeit.black,
        });
        if winner == Some(self.teams[index].number) {
            MatchResult::Won
        } else {
            MatchResult::Lost
        }
    }

    /// True if nothing is said about a round of a team.
    fn is_blank(&self, index: usize, round: u32) -> bool {
        let key = (round, self.teams[index].number);
        self.opponent(index, round).is_none()
            && self.forfeit(index, round).is_none()
            && !self.allocated.contains_key(&key)
            && !self.byes.contains_key(&key)
            && self.bye_on_boards(index, round).is_none()
    }

    /// A round of a team, with what `299` says of such a result.
    pub(super) fn round(&self, index: usize, round: u32) -> PlayerRound {
        let had = self.usual_round(index, round);
        self.with_abnormal(index, round, had)
    }

    fn with_abnormal(&self, index: usize, round: u32, mut had: PlayerRound) -> PlayerRound {
        let result = match had.fate {
            RoundFate::Played { result, .. } => match result {
                MatchResult::Won => ResultCode::Win,
                MatchResult::Drawn => ResultCode::Draw,
                MatchResult::Lost => ResultCode::Loss,
            },
            RoundFate::Forfeit {
                result: MatchResult::Won,
                ..
            } => ResultCode::ForfeitWin,
            RoundFate::Forfeit { .. } => ResultCode::ForfeitLoss,
            RoundFate::Bye(Bye::FullPoint) => ResultCode::FullPointBye,
            RoundFate::Bye(Bye::HalfPoint) => ResultCode::HalfPointBye,
            RoundFate::Bye(Bye::ZeroPoint) => ResultCode::ZeroPointBye,
            // `320` says what the allocated bye is worth.
            RoundFate::Bye(Bye::PairingAllocated)
            | RoundFate::Unfinished { .. }
            | RoundFate::Free
            | RoundFate::Annulled => return had,
        };
        let number = self.teams[index].number;
        let records = AbnormalPoints::narrowest_first(number, round)
            .into_iter()
            .filter_map(|key| self.abnormal.get(&key));
        // Of two about the same, the later one counts.
        let mut records = records.flat_map(|records| records.iter().rev());
        if let Some(record) = records.find(|record| record.result == Some(result)) {
            had.points = record.match_points.unwrap_or(had.points);
            had.game_points = record.points.unwrap_or(had.game_points);
        }
        had
    }

    /// Bonus and penalty points up to a round (`299` without a result): match points and game points.
    pub(super) fn bonus(&self, index: usize, rounds: u32) -> [Points; 2] {
        let number = self.teams[index].number;
        let keys = (0..=rounds).flat_map(|round| [(number, round), (0, round)]);
        let records = keys.filter_map(|key| self.abnormal.get(&key)).flatten();
        let bonuses = records.filter(|record| record.result.is_none());
        bonuses.fold([Points::ZERO; 2], |[match_points, game_points], bonus| {
            [
                match_points + bonus.match_points.unwrap_or_default(),
                game_points + bonus.points.unwrap_or_default(),
            ]
        })
    }

    fn usual_round(&self, index: usize, round: u32) -> PlayerRound {
        let opponent = self.opponent(index, round);
        let fate = match (self.forfeit(index, round), opponent) {
            (Some(forfeit), _) => RoundFate::Forfeit {
                opponent: opponent.map(PairingNumber::from_index),
                result: self.forfeit_result(index, forfeit),
            },
            (None, Some(other)) => self.fate(index, other, round),
            (None, None) => return self.without_opponent(index, round),
        };
        let symbol = fate.result().map(|result| match result {
            MatchResult::Won => MatchSymbol::Win,
            MatchResult::Drawn => MatchSymbol::Draw,
            MatchResult::Lost => MatchSymbol::Loss,
        });
        PlayerRound {
            fate,
            points: symbol.map_or(Points::ZERO, |symbol| self.match_points(symbol)),
            game_points: self.game_points(index, round),
            games: self.games(index, round),
            repeat: false,
            sat_out: false,
        }
    }

    fn fate(&self, index: usize, other: usize, round: u32) -> RoundFate {
        let opponent = PairingNumber::from_index(other);
        let color = self.cells(index, round).find_map(|(_, cell)| cell.color);
        let color = color.map_or(FirstColor::White, file::first_color);
        let results = || self.cells(index, round).map(|(_, cell)| cell.result);
        if results().any(|result| result.is_none()) {
            return RoundFate::Unfinished { opponent, color };
        }
        let was_played = results().flatten().any(ResultCode::is_played);
        let (own, theirs) = (self.game_points(index, round), self.game_points(other, round));
        let result = match own.cmp(&theirs) {
            std::cmp::Ordering::Greater => MatchResult::Won,
            std::cmp::Ordering::Equal if own == Points::ZERO => MatchResult::Lost,
            std::cmp::Ordering::Equal => MatchResult::Drawn,
            std::cmp::Ordering::Less => MatchResult::Lost,
        };
        if was_played {
            RoundFate::Played {
                opponent,
                color,
                result,
            }
        } else {
            RoundFate::Forfeit {
                opponent: Some(opponent),
                result,
            }
        }
    }

    /// A round in which the team was not paired, by the records.
    pub(super) fn without_opponent(&self, index: usize, round: u32) -> PlayerRound {
        let number = self.teams[index].number;
        let bye = match (self.allocated.get(&(round, number)), self.byes.get(&(round, number))) {
            (Some(_), _) => Bye::PairingAllocated,
            (None, Some(ByeKind::Full)) => Bye::FullPoint,
            (None, Some(ByeKind::Half)) => Bye::HalfPoint,
            (None, Some(ByeKind::Zero)) => Bye::ZeroPoint,
            (None, None) => self.bye_on_boards(index, round).unwrap_or(Bye::ZeroPoint),
        };
        let (symbol, board) = match bye {
            Bye::PairingAllocated | Bye::FullPoint => (MatchSymbol::Win, self.game.win),
            Bye::HalfPoint => (MatchSymbol::Draw, self.game.draw),
            Bye::ZeroPoint => return PlayerRound::absent(),
        };
        let (match_points, game_points) = self.allocated.get(&(round, number)).copied().unwrap_or_default();
        PlayerRound::bye(
            bye,
            match_points.unwrap_or(self.match_points(symbol)),
            game_points.unwrap_or(self.boards(board)),
        )
    }

    /// The bye that the boards of a team have in a round about which no record says anything, if all boards with
    /// anything have the same.
    pub(super) fn bye_on_boards(&self, index: usize, round: u32) -> Option<Bye> {
        let key = (round, self.teams[index].number);
        if self.allocated.contains_key(&key) || self.byes.contains_key(&key) || self.forfeits.contains_key(&key) {
            return None;
        }
        let lines = self.lines(index, round).map(|(_, cell)| cell);
        let mut cells = lines.filter(|cell| !cell.is_blank());
        let first = cells.next()?;
        if cells.any(|cell| cell != first) {
            return None;
        }
        match first.result {
            Some(ResultCode::PairingAllocatedBye) => Some(Bye::PairingAllocated),
            Some(ResultCode::FullPointBye) => Some(Bye::FullPoint),
            Some(ResultCode::HalfPointBye) => Some(Bye::HalfPoint),
            _ => None,
        }
    }

    fn games(&self, index: usize, round: u32) -> GameCounts {
        let mut games = GameCounts::default();
        for (player, cell) in self.cells(index, round) {
            if matches!(cell.result, Some(ResultCode::ForfeitWin | ResultCode::ForfeitLoss)) {
                games.forfeit_points += self.file.worth(player, round);
            }
            let of_color: &mut ColorCounts = match cell.color {
                Some(Color::Black) => &mut games.black,
                Some(Color::White) | None => &mut games.white,
            };
            match cell.result {
                Some(ResultCode::Win | ResultCode::ShortWin) => of_color.won += 1,
                Some(ResultCode::Draw | ResultCode::ShortDraw) => of_color.drawn += 1,
                Some(ResultCode::Loss | ResultCode::ShortLoss) => of_color.lost += 1,
                Some(ResultCode::ForfeitWin) => {
                    games.forfeits_won += 1;
                    games.forfeits_won_with_black += u32::from(cell.color == Some(Color::Black));
                }
                Some(ResultCode::ForfeitLoss) => games.forfeits_lost += 1,
                _ => {}
            }
        }
        games
    }
}
