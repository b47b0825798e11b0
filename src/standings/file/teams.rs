//! A tournament file of teams (records `310`) as results: each team a player, each match a round, its boards its games.
//!
//! Match points are those of `362` (2, 1, 0 without it): more game points than the other team is a win; a match that was
//! played and gave neither anything is lost by both. Where every board is a forfeit, or `330` says so, the match is one. The
//! pairing-allocated bye is worth what `320` says (a won match and a win on each board, without), the byes of `240` a won, a
//! drawn or a lost match with all boards alike.
//!
//! May not: read or write lines; rank anybody.

use std::collections::HashMap;

use super::{Unrankable, format_of, lots};
use crate::pairing::file::{self, File};
use crate::pairing::history::{FirstColor, PairingNumber};
use crate::score::Points;
use crate::standings::results::{
    Bye, Counts, Fate, Format, GameCounts, MatchResult, PlayerResults, PlayerRound, Results, Worth,
};
use crate::trf::{ByeKind, Cell, Color, MatchSymbol, Player, Record, ResultCode, Team, TeamForfeit, Tournament};

/// The results of the first `rounds` rounds, teams in order of their numbers.
pub(super) fn results(
    tournament: &Tournament,
    rounds: u32,
    format: Option<Format>,
    rng_seed: u64,
) -> Result<Results, Unrankable> {
    if tournament.abnormal_points().next().is_some() {
        return Err(Unrankable::AbnormalTeamPoints);
    }
    let teams = Teams::new(tournament);
    let count = u32::try_from(teams.teams.len()).expect("at most three digits");
    let of_team = |index: usize| PlayerResults {
        rounds: (1..=rounds).map(|round| teams.round(index, round)).collect(),
        ..PlayerResults::default()
    };
    Ok(Results {
        players: (0..teams.teams.len()).map(of_team).collect(),
        left_out: Vec::new(),
        worth: Worth {
            win: teams.match_points(MatchSymbol::Win),
            draw: teams.match_points(MatchSymbol::Draw),
        },
        game_worth: Worth {
            win: teams.boards(teams.game.win),
            draw: teams.boards(teams.game.draw),
        },
        format: format.unwrap_or_else(|| format_of(tournament)),
        submission: (0..count).collect(),
        lots: lots(rng_seed, teams.teams.len()),
        numbers: teams.teams.iter().map(|team| team.number).collect(),
        names: teams.teams.iter().map(|team| team.name.clone()).collect(),
    })
}

/// A file of teams, with what is looked up often.
struct Teams<'a> {
    file: File<'a>,
    teams: Vec<&'a Team>,
    /// Place in `teams` by player's number.
    team_of: HashMap<u32, usize>,
    match_values: [Points; 3],
    game: Worth,
    /// Boards of a match.
    board_count: i64,
    /// By round and team's number: the points of the allocated bye.
    allocated: HashMap<(u32, u32), (Option<Points>, Option<Points>)>,
    byes: HashMap<(u32, u32), ByeKind>,
    forfeits: Vec<TeamForfeit>,
}

impl<'a> Teams<'a> {
    fn new(tournament: &'a Tournament) -> Self {
        let mut teams: Vec<&Team> = tournament.teams().collect();
        teams.sort_by_key(|team| team.number);
        let members = |(index, team): (usize, &&Team)| {
            let numbers = team.players.clone();
            numbers.into_iter().map(move |number| (number, index))
        };
        let team_of: HashMap<u32, usize> = teams.iter().enumerate().flat_map(members).collect();
        let mut match_values = [Points::whole(2), Points::ONE, Points::ZERO];
        let (mut allocated, mut byes, mut forfeits) = (HashMap::new(), HashMap::new(), Vec::new());
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
                Record::TeamForfeit(forfeit) => forfeits.push(*forfeit),
                Record::Byes(granted) => {
                    byes.extend(
                        granted
                            .numbers
                            .iter()
                            .map(|&team| ((granted.round, team), granted.kind)),
                    );
                }
                _ => {}
            }
        }
        let system = tournament.point_system();
        let highest = tournament.players().map(|player| player.number).max().unwrap_or(0);
        let mut this = Self {
            file: File::new(tournament, highest, file::rounds_played(tournament)),
            teams,
            team_of,
            match_values,
            game: Worth {
                win: system.win[0],
                draw: system.draw[0],
            },
            board_count: i64::try_from(colors).expect("a line"),
            allocated,
            byes,
            forfeits,
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

    const fn match_points(&self, symbol: MatchSymbol) -> Points {
        self.match_values[symbol as usize]
    }

    /// So many points on each board.
    const fn boards(&self, points: Points) -> Points {
        points.halved_times(2 * self.board_count)
    }

    /// The boards of a team in a round: who sat there, and what the line has; in the order of the team's record.
    fn cells(&self, index: usize, round: u32) -> impl Iterator<Item = (&'a Player, Cell)> + '_ {
        let players = self.teams[index]
            .players
            .iter()
            .filter_map(|&number| self.file.player(number));
        players.filter_map(move |player| {
            let cell = player.rounds.get(round as usize - 1)?;
            cell.opponent.is_some().then_some((player, *cell))
        })
    }

    /// The team that this one was paired with.
    fn opponent(&self, index: usize, round: u32) -> Option<usize> {
        let forfeited = self.forfeit(index, round).map(|forfeit| {
            if forfeit.white == self.teams[index].number {
                forfeit.black
            } else {
                forfeit.white
            }
        });
        if let Some(number) = forfeited {
            return self.teams.iter().position(|team| team.number == number);
        }
        let mut cells = self.cells(index, round);
        let other = cells.find_map(|(_, cell)| self.team_of.get(&cell.opponent?).copied());
        other.filter(|&other| other != index)
    }

    fn forfeit(&self, index: usize, round: u32) -> Option<&TeamForfeit> {
        let number = self.teams[index].number;
        self.forfeits
            .iter()
            .find(|forfeit| forfeit.round == round && [forfeit.white, forfeit.black].contains(&number))
    }

    fn game_points(&self, index: usize, round: u32) -> Points {
        self.cells(index, round)
            .map(|(player, _)| self.file.worth(player, round))
            .sum()
    }

    fn round(&self, index: usize, round: u32) -> PlayerRound {
        let Some(other) = self.opponent(index, round) else {
            return self.without_opponent(self.teams[index].number, round);
        };
        let opponent = PairingNumber::from_index(other);
        let game_points = self.game_points(index, round);
        let fate = match self.forfeit(index, round) {
            Some(forfeit) => {
                let won = match forfeit.winner {
                    Some(Color::White) => forfeit.white == self.teams[index].number,
                    Some(Color::Black) => forfeit.black == self.teams[index].number,
                    None => false,
                };
                Fate::Forfeit {
                    opponent: Some(opponent),
                    result: if won { MatchResult::Won } else { MatchResult::Lost },
                }
            }
            None => self.fate(index, other, round),
        };
        let symbol = fate.result().map(|result| match result {
            MatchResult::Won => MatchSymbol::Win,
            MatchResult::Drawn => MatchSymbol::Draw,
            MatchResult::Lost => MatchSymbol::Loss,
        });
        PlayerRound {
            fate,
            points: symbol.map_or(Points::ZERO, |symbol| self.match_points(symbol)),
            game_points,
            games: self.games(index, round),
            repeat: false,
        }
    }

    fn fate(&self, index: usize, other: usize, round: u32) -> Fate {
        let opponent = PairingNumber::from_index(other);
        let color = self.cells(index, round).find_map(|(_, cell)| cell.color);
        let color = color.map_or(FirstColor::White, file::first_color);
        let results = || self.cells(index, round).map(|(_, cell)| cell.result);
        if results().any(|result| result.is_none()) {
            return Fate::Unfinished { opponent, color };
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
            Fate::Played {
                opponent,
                color,
                result,
            }
        } else {
            Fate::Forfeit {
                opponent: Some(opponent),
                result,
            }
        }
    }

    fn without_opponent(&self, number: u32, round: u32) -> PlayerRound {
        if let Some(&(match_points, game_points)) = self.allocated.get(&(round, number)) {
            let match_points = match_points.unwrap_or(self.match_points(MatchSymbol::Win));
            let game_points = game_points.unwrap_or(self.boards(self.game.win));
            return PlayerRound::bye(Bye::PairingAllocated, match_points, game_points);
        }
        match self.byes.get(&(round, number)) {
            Some(ByeKind::Full) => {
                let points = self.match_points(MatchSymbol::Win);
                PlayerRound::bye(Bye::FullPoint, points, self.boards(self.game.win))
            }
            Some(ByeKind::Half) => {
                let points = self.match_points(MatchSymbol::Draw);
                PlayerRound::bye(Bye::HalfPoint, points, self.boards(self.game.draw))
            }
            Some(ByeKind::Zero) | None => PlayerRound::absent(),
        }
    }

    fn games(&self, index: usize, round: u32) -> GameCounts {
        let mut games = GameCounts::default();
        for (_, cell) in self.cells(index, round) {
            let of_color: &mut Counts = match cell.color {
                Some(Color::Black) => &mut games.black,
                Some(Color::White) | None => &mut games.white,
            };
            match cell.result {
                Some(ResultCode::Win | ResultCode::ShortWin) => of_color.won += 1,
                Some(ResultCode::Draw | ResultCode::ShortDraw) => of_color.drawn += 1,
                Some(ResultCode::Loss | ResultCode::ShortLoss) => of_color.lost += 1,
                Some(ResultCode::ForfeitWin) => games.forfeits_won += 1,
                Some(ResultCode::ForfeitLoss) => games.forfeits_lost += 1,
                _ => {}
            }
        }
        games
    }
}
