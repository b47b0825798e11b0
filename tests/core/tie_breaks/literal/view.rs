//! A tournament as the tie-breaks' text speaks of it.
//!
//! May not: compute a tie-break.

use swiss_system::standings::RankingRules;
use swiss_system::standings::results::Bye;
use swiss_system::standings::results::MatchResult;
use swiss_system::standings::results::PlayerRound;
use swiss_system::standings::results::Results;
use swiss_system::standings::results::ResultsFormat;
use swiss_system::standings::results::RoundFate;
use swiss_system::standings::unplayed::{BlackWins, TieBreakEdition};

use super::fraction::Fraction;
use super::fraction::NOTHING;
use super::fraction::whole;

/// What a round was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    WonOverTheBoard,
    DrawnOverTheBoard,
    LostOverTheBoard,
    ForfeitWin,
    /// Also of a game that both forfeited.
    ForfeitLoss,
    /// Each forfeited as many games of a mini-match.
    ForfeitLevel,
    PairingAllocatedBye,
    FullPointBye,
    HalfPointBye,
    ZeroPointBye,
    StillPlaying,
    Annulled,
    /// "No round of that player to any tie-break."
    Free,
}

impl Kind {
    pub(crate) fn is_over_the_board(self) -> bool {
        [Self::WonOverTheBoard, Self::DrawnOverTheBoard, Self::LostOverTheBoard].contains(&self)
    }

    pub(crate) fn is_forfeit(self) -> bool {
        [Self::ForfeitWin, Self::ForfeitLoss, Self::ForfeitLevel].contains(&self)
    }

    pub(crate) fn is_requested_bye(self) -> bool {
        [Self::HalfPointBye, Self::ZeroPointBye].contains(&self)
    }

    pub(crate) fn is_bye(self) -> bool {
        self.is_requested_bye() || [Self::PairingAllocatedBye, Self::FullPointBye].contains(&self)
    }

    pub(crate) fn is_unplayed(self) -> bool {
        self.is_forfeit() || self.is_bye()
    }

    /// Whether it is over, and a round at all.
    pub(crate) fn counts(self) -> bool {
        ![Self::StillPlaying, Self::Annulled, Self::Free].contains(&self)
    }

    /// "VUR = voluntary unplayed round: half-point bye, zero-point bye (every round after a withdrawal), forfeit loss."
    pub(crate) fn is_voluntary(self) -> bool {
        self.is_requested_bye() || self == Self::ForfeitLoss
    }
}

/// One round of one player.
#[derive(Clone, Debug)]
pub(crate) struct Round {
    pub(crate) kind: Kind,
    /// Who was or is paired with the player, from 0.
    pub(crate) opponent: Option<usize>,
    pub(crate) match_points: Fraction,
    pub(crate) game_points: Fraction,
    /// Games won, drawn, lost over the board with White, then with Black.
    pub(crate) games: [[i64; 3]; 2],
    /// Games forfeited by either side, and what they gave.
    pub(crate) games_forfeited: i64,
    pub(crate) won_by_forfeit_with_black: i64,
    pub(crate) forfeit_points: Fraction,
    pub(crate) faults: i64,
}

impl Round {
    fn of(round: &PlayerRound) -> Self {
        let kind = match round.fate {
            RoundFate::Played { result, .. } => match result {
                MatchResult::Won => Kind::WonOverTheBoard,
                MatchResult::Drawn => Kind::DrawnOverTheBoard,
                MatchResult::Lost => Kind::LostOverTheBoard,
            },
            RoundFate::Forfeit { result, .. } => match result {
                MatchResult::Won => Kind::ForfeitWin,
                MatchResult::Drawn => Kind::ForfeitLevel,
                MatchResult::Lost => Kind::ForfeitLoss,
            },
            RoundFate::Unfinished { .. } => Kind::StillPlaying,
            RoundFate::Annulled => Kind::Annulled,
            RoundFate::Free => Kind::Free,
            RoundFate::Bye(Bye::PairingAllocated) => Kind::PairingAllocatedBye,
            RoundFate::Bye(Bye::FullPoint) => Kind::FullPointBye,
            RoundFate::Bye(Bye::HalfPoint) => Kind::HalfPointBye,
            RoundFate::Bye(Bye::ZeroPoint) => Kind::ZeroPointBye,
        };
        let opponent = match round.fate {
            RoundFate::Played { opponent, .. } | RoundFate::Unfinished { opponent, .. } => Some(opponent),
            RoundFate::Forfeit { opponent, .. } => opponent,
            RoundFate::Annulled | RoundFate::Free | RoundFate::Bye(_) => None,
        };
        let games = [round.games.white, round.games.black];
        Self {
            kind,
            opponent: opponent.map(|number| number.0 as usize - 1),
            match_points: round.points.into(),
            game_points: round.game_points.into(),
            games: games.map(|games| [games.won, games.drawn, games.lost].map(i64::from)),
            games_forfeited: (round.games.forfeits_won + round.games.forfeits_lost).into(),
            won_by_forfeit_with_black: round.games.forfeits_won_with_black.into(),
            forfeit_points: round.games.forfeit_points.into(),
            faults: round.games.faults.into(),
        }
    }

    pub(crate) fn points(&self, game: bool) -> Fraction {
        if game { self.game_points } else { self.match_points }
    }

    /// Games over the board.
    pub(crate) fn games_played(&self) -> i64 {
        self.games.iter().flatten().sum()
    }

    /// Points over the board, a win counting 1 and a draw 1/2.
    pub(crate) fn scored_over_the_board(&self) -> Fraction {
        let [white, black] = self.games;
        whole(white[0] + black[0]) + whole(white[1] + black[1]).halved()
    }
}

/// One player.
#[derive(Clone, Debug)]
pub(crate) struct Player {
    pub(crate) rounds: Vec<Round>,
    /// Points that no round gave.
    pub(crate) bonus: Fraction,
    ratings: Vec<i64>,
    /// The pairing number as it is shown.
    pub(crate) number: i64,
    pub(crate) lot: i64,
    pub(crate) submitted: i64,
}

/// All of it, with the rules that it is ranked by.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) players: Vec<Player>,
    /// Who is ranked, from 0.
    pub(crate) ranked: Vec<usize>,
    pub(crate) is_round_robin: bool,
    pub(crate) edition: TieBreakEdition,
    pub(crate) black_wins: BlackWins,
    /// The rating of who has none, if that was published.
    unrated: Option<i64>,
    /// Whether game points rank.
    pub(crate) game_points_rank: bool,
    /// Whether the tournament has more rounds than have been paired.
    pub(crate) last_round_is_to_come: bool,
    /// A win and a draw in match points, then in game points.
    worth: [[Fraction; 2]; 2],
}

impl View {
    pub(crate) fn new(results: &Results, rules: &RankingRules) -> Self {
        let player = |index: usize| {
            let player = &results.players[index];
            Player {
                rounds: player.rounds.iter().map(Round::of).collect(),
                bonus: player.bonus.into(),
                ratings: player.ratings.iter().copied().map(i64::from).collect(),
                number: match results.numbers.get(index) {
                    Some(&shown) => shown.into(),
                    None => i64::try_from(index).expect("few") + 1,
                },
                lot: results.lots[index].into(),
                submitted: results.submission[index].into(),
            }
        };
        let points = ["PTS", "match-points", "game-points"];
        let mut names = rules.order.iter().map(ToString::to_string);
        Self {
            players: (0..results.players.len()).map(player).collect(),
            ranked: (0..results.players.len())
                .filter(|&player| results.left_out.iter().all(|out| out.0 as usize != player + 1))
                .collect(),
            is_round_robin: results.format == ResultsFormat::RoundRobin,
            edition: rules.edition,
            black_wins: rules.black_wins,
            unrated: rules.unrated.map(i64::from),
            last_round_is_to_come: results
                .planned
                .is_some_and(|planned| results.players.iter().all(|player| player.rounds.len() < planned)),
            game_points_rank: names.find(|name| points.contains(&name.as_str())).as_deref() == Some("game-points"),
            worth: [results.worth, results.game_worth].map(|worth| [worth.win.into(), worth.draw.into()]),
        }
    }

    pub(crate) fn win(&self, game: bool) -> Fraction {
        self.worth[usize::from(game)][0]
    }

    pub(crate) fn draw(&self, game: bool) -> Fraction {
        self.worth[usize::from(game)][1]
    }

    pub(crate) fn rounds(&self, player: usize) -> &[Round] {
        &self.players[player].rounds
    }

    /// All points of a player; what no round gave belongs to the match points.
    pub(crate) fn total(&self, game: bool, player: usize) -> Fraction {
        let of_rounds: Fraction = self.rounds(player).iter().map(|round| round.points(game)).sum();
        of_rounds + if game { NOTHING } else { self.players[player].bonus }
    }

    /// How many rounds from one on count at all: an annulled one is as if it had not been, a free one is "no round of that
    /// player".
    pub(crate) fn rounds_at_all(&self, player: usize, from: usize) -> usize {
        let rounds = self.rounds(player).iter().skip(from);
        rounds
            .filter(|round| ![Kind::Annulled, Kind::Free].contains(&round.kind))
            .count()
    }

    /// "The opponent's rating at the start of the round in which they met"; with one rating, that.
    pub(crate) fn rating(&self, player: usize, round: usize) -> Option<i64> {
        let ratings = &self.players[player].ratings;
        match ratings.len() {
            0 => self.unrated,
            known if round < known => Some(ratings[round]),
            known => Some(ratings[known - 1]),
        }
    }

    /// "Rating-based codes are dropped when an unrated player is present and nothing else was published."
    pub(crate) fn everybody_is_rated(&self) -> bool {
        let takes_part = |player: &usize| self.ranked.contains(player) || !self.over_the_board(*player).is_empty();
        let mut players = (0..self.players.len()).filter(takes_part);
        players.all(|player| self.rating(player, 0).is_some())
    }

    /// Rounds over the board: number of the round, opponent, round.
    pub(crate) fn over_the_board(&self, player: usize) -> Vec<(usize, usize, &Round)> {
        let mut met = Vec::new();
        for (number, round) in self.rounds(player).iter().enumerate() {
            if round.kind.is_over_the_board() {
                met.push((number, round.opponent.expect("somebody sat there"), round));
            }
        }
        met
    }

    /// Whom the round was against for a tie-break: over the board, and where forfeits count as games the opponent of one.
    pub(crate) fn opponent_of(&self, round: &Round, forfeits_played: bool) -> Option<usize> {
        let forfeits_count = forfeits_played || self.is_round_robin;
        let counts = round.kind.is_over_the_board() || (forfeits_count && round.kind.is_forfeit());
        round.opponent.filter(|_| counts)
    }
}
