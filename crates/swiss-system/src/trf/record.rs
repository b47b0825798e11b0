//! The records of a tournament file, one type each.
//!
//! May not: read or write columns; know what records mean together.

use crate::score::Points;

/// The largest pairing number: four columns.
pub(super) const LARGEST_NUMBER: u32 = 9999;
/// The largest number of a round or a team: three columns.
pub(super) const LARGEST_ROUND: u32 = 999;

/// One line of a tournament file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// A line of text about the tournament, such as its name.
    Header {
        /// The kind of text.
        header: Header,
        /// The text from column 5 on, without blanks at the end; blanks at the beginning count (dates of rounds,
        /// `132`).
        text: String,
    },
    /// `142` and `XXR`: the number of rounds of the whole tournament, from 1.
    Rounds {
        /// The spelling of the record.
        spelling: Spelling,
        /// The number of rounds.
        rounds: u32,
    },
    /// `152`: the initial colour.
    InitialColor(Color),
    /// `XXC`: settings for the pairing.
    Configuration {
        /// `rank`: the order of the lines is the order of the players, not their numbers.
        by_position: bool,
        /// `white1`, `black1`: the initial colour.
        initial_color: Option<Color>,
    },
    /// `202`, `212`: tie-breaks.
    TieBreaks(TieBreaks),
    /// `162`: the points for results.
    PointValues(Vec<(PointsSymbol, Points)>),
    /// `XXS`: the points for results, JaVaFo's way.
    XxsValues(Vec<(XxsCode, Points)>),
    /// `BBW` and others: the points for a result, bbpPairings' way.
    BbValue(BbCode, Points),
    /// `001`: a player.
    Player(Box<PlayerRecord>),
    /// `240`: byes of a round.
    Byes(Byes),
    /// `XXZ`: the players who are absent in the round to be paired.
    AbsentNext(Vec<u32>),
    /// `250`: virtual points of a range of players in a range of rounds.
    Acceleration(Acceleration),
    /// `XXA`: virtual points of one player, round by round from the first.
    PlayerAcceleration {
        /// The player.
        number: u32,
        /// Virtual points of round 1, 2 and so on.
        points: Vec<Points>,
    },
    /// `260` and `XXP`: a group in which nobody may meet.
    Forbidden(Forbidden),
    /// `299`: abnormal points.
    AbnormalPoints(AbnormalPoints),
    /// `310`: a team.
    Team(Box<Team>),
    /// `013`: a team, the old record.
    OldTeam(OldTeam),
    /// `320`: the teams with the pairing-allocated bye.
    TeamByes(TeamByes),
    /// `330`: a match that was not played.
    TeamForfeit(TeamForfeit),
    /// `300`: a team that played in another order of boards.
    Lineup(Lineup),
    /// `352`: colours of the boards of the team that is named first, from board 1.
    BoardColors(Vec<Color>),
    /// `362`: the points for results of matches.
    MatchValues(Vec<(MatchSymbol, Points)>),
    /// Any other line, word for word: comments (`###`), records of national ratings, unknown records.
    Other(String),
}

/// The records that are text about the tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Header {
    /// `012`
    Name,
    /// `022`
    City,
    /// `032`
    Federation,
    /// `042`: first day, `YYYY/MM/DD`.
    FirstDay,
    /// `052`: last day, `YYYY/MM/DD`.
    LastDay,
    /// `062`: number of players.
    Players,
    /// `072`: number of rated players.
    RatedPlayers,
    /// `082`: number of teams.
    Teams,
    /// `092`: type of tournament, in words.
    Type,
    /// `102`
    ChiefArbiter,
    /// `112`: a deputy, one line each.
    DeputyArbiter,
    /// `122`: time control, in words.
    TimeControl,
    /// `132`: dates of the rounds from column 92, ten columns each.
    RoundDates,
    /// `172`: method of the starting order.
    StartingOrder,
    /// `182`: who made the pairings.
    PairingProgram,
    /// `192`: type of tournament, as a code such as `FIDE_DUTCH`.
    TypeCode,
    /// `222`: time control, as a code.
    TimeControlCode,
}

impl Header {
    /// All headers in the order of their codes.
    pub const ALL: [Self; 17] = [
        Self::Name,
        Self::City,
        Self::Federation,
        Self::FirstDay,
        Self::LastDay,
        Self::Players,
        Self::RatedPlayers,
        Self::Teams,
        Self::Type,
        Self::ChiefArbiter,
        Self::DeputyArbiter,
        Self::TimeControl,
        Self::RoundDates,
        Self::StartingOrder,
        Self::PairingProgram,
        Self::TypeCode,
        Self::TimeControlCode,
    ];

    /// Columns 1 to 3.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Name => "012",
            Self::City => "022",
            Self::Federation => "032",
            Self::FirstDay => "042",
            Self::LastDay => "052",
            Self::Players => "062",
            Self::RatedPlayers => "072",
            Self::Teams => "082",
            Self::Type => "092",
            Self::ChiefArbiter => "102",
            Self::DeputyArbiter => "112",
            Self::TimeControl => "122",
            Self::RoundDates => "132",
            Self::StartingOrder => "172",
            Self::PairingProgram => "182",
            Self::TypeCode => "192",
            Self::TimeControlCode => "222",
        }
    }
}

/// One of two records with the same meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spelling {
    /// The record of TRF26.
    Fide,
    /// The record with the letters `XX`.
    Extended,
}

/// The colour of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    /// White.
    White,
    /// Black.
    Black,
}

impl Color {
    /// The colour of the other side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// `001`: a player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerRecord {
    /// Pairing number, 1 to 9999.
    pub number: u32,
    /// `m`, `w` or nothing; one character.
    pub sex: String,
    /// Up to three characters.
    pub title: String,
    /// Up to 33 characters; a longer one is refused, not cut.
    pub name: String,
    /// Rating; some files write 0 for none.
    pub rating: Option<u32>,
    /// Up to three characters.
    pub federation: String,
    /// Up to eleven characters.
    pub fide_id: String,
    /// `YYYY/MM/DD`, or what the file has, up to ten characters.
    pub birth: String,
    /// Points as the file has them.
    pub points: Option<Points>,
    /// Place as the file has it; some files write 0 for none.
    pub rank: Option<u32>,
    /// The rounds from the first; the last one is not blank, because blanks at the end of a line mean nothing.
    pub rounds: Vec<RoundCell>,
}

/// One round of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RoundCell {
    /// The opponent of the pairing.
    pub opponent: Option<u32>,
    /// The player's colour, if one was given.
    pub color: Option<Color>,
    /// The result. With an opponent, `None` means not known yet; without one, the same as a zero-point bye.
    pub result: Option<ResultCode>,
}

impl RoundCell {
    /// A cell with nothing in its columns.
    pub const BLANK: Self = Self {
        opponent: None,
        color: None,
        result: None,
    };

    /// A round without an opponent.
    pub const fn bye(result: ResultCode) -> Self {
        Self {
            opponent: None,
            color: None,
            result: Some(result),
        }
    }

    /// A round with an opponent.
    pub const fn against(opponent: u32, color: Color, result: ResultCode) -> Self {
        Self {
            opponent: Some(opponent),
            color: Some(color),
            result: Some(result),
        }
    }

    /// True if nothing is written in these columns.
    pub fn is_blank(&self) -> bool {
        *self == Self::BLANK
    }
}

/// The result of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResultCode {
    /// `1`
    Win,
    /// `=`
    Draw,
    /// `0`
    Loss,
    /// `W`: won, in less than a move.
    ShortWin,
    /// `D`: drawn, in less than a move.
    ShortDraw,
    /// `L`: lost, in less than a move.
    ShortLoss,
    /// `+`
    ForfeitWin,
    /// `-`
    ForfeitLoss,
    /// `U`
    PairingAllocatedBye,
    /// `H`
    HalfPointBye,
    /// `F`
    FullPointBye,
    /// `Z`
    ZeroPointBye,
}

impl ResultCode {
    /// All result codes.
    pub const ALL: [Self; 12] = [
        Self::Win,
        Self::Draw,
        Self::Loss,
        Self::ShortWin,
        Self::ShortDraw,
        Self::ShortLoss,
        Self::ForfeitWin,
        Self::ForfeitLoss,
        Self::PairingAllocatedBye,
        Self::HalfPointBye,
        Self::FullPointBye,
        Self::ZeroPointBye,
    ];

    /// The letter of the file.
    pub const fn letter(self) -> char {
        match self {
            Self::Win => '1',
            Self::Draw => '=',
            Self::Loss => '0',
            Self::ShortWin => 'W',
            Self::ShortDraw => 'D',
            Self::ShortLoss => 'L',
            Self::ForfeitWin => '+',
            Self::ForfeitLoss => '-',
            Self::PairingAllocatedBye => 'U',
            Self::HalfPointBye => 'H',
            Self::FullPointBye => 'F',
            Self::ZeroPointBye => 'Z',
        }
    }

    /// True if a game was played, even one of less than a move.
    pub const fn is_played(self) -> bool {
        matches!(
            self,
            Self::Win | Self::Draw | Self::Loss | Self::ShortWin | Self::ShortDraw | Self::ShortLoss
        )
    }

    /// True for a bye of any kind.
    pub const fn is_bye(self) -> bool {
        matches!(
            self,
            Self::PairingAllocatedBye | Self::HalfPointBye | Self::FullPointBye | Self::ZeroPointBye
        )
    }
}

/// One of the two records of tie-breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TieBreakList {
    /// `202`: the tie-breaks after points, which are not among them.
    AfterPoints,
    /// `212`: the criteria of the standings, including points (`PTS`).
    Standings,
}

/// `202`, `212`: tie-breaks by their codes, which have no meaning here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TieBreaks {
    /// The record.
    pub list: TieBreakList,
    /// The first decides first: 1 to 100 codes as the file spells them, such as `BH/C1`; case is kept. A code has 1
    /// to 40 printable characters of ASCII, and no comma, semicolon or blank.
    pub codes: Vec<String>,
}

/// Letters of `162`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PointsSymbol {
    /// `W`: a win, also by forfeit, and a full-point bye.
    Win,
    /// `D`: a draw and a half-point bye.
    Draw,
    /// `L`: a loss over the board.
    Loss,
    /// `A`: an absence, that is a zero-point bye or a loss by forfeit.
    Absence,
    /// `P`: the pairing-allocated bye; without it the bye is worth a win.
    PairingAllocatedBye,
    /// `X`: a result that is not known yet; without it such a result is worth a draw.
    Unknown,
}

/// Codes of `XXS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum XxsCode {
    /// `WW`
    WinWithWhite,
    /// `BW`
    WinWithBlack,
    /// `WD`
    DrawWithWhite,
    /// `BD`
    DrawWithBlack,
    /// `WL`
    LossWithWhite,
    /// `BL`
    LossWithBlack,
    /// `ZPB`
    ZeroPointBye,
    /// `HPB`
    HalfPointBye,
    /// `FPB`
    FullPointBye,
    /// `PAB`
    PairingAllocatedBye,
    /// `FW`
    ForfeitWin,
    /// `FL`
    ForfeitLoss,
    /// `W`: wins of both colours, by forfeit too, and the full-point bye.
    Win,
    /// `D`: draws of both colours and the half-point bye.
    Draw,
}

/// bbpPairings' records of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BbCode {
    /// `BBW`: a win, also by forfeit, a full-point bye, and the pairing-allocated bye if that has no record.
    Win,
    /// `BBD`: a draw and a half-point bye.
    Draw,
    /// `BBL`: a loss over the board.
    Loss,
    /// `BBZ`
    ZeroPointBye,
    /// `BBF`
    ForfeitLoss,
    /// `BBU`
    PairingAllocatedBye,
}

/// Letters of `362`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatchSymbol {
    /// `TW`
    Win,
    /// `TD`
    Draw,
    /// `TL`
    Loss,
}

/// A bye that is not allocated by the pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ByeKind {
    /// `F`
    Full,
    /// `H`
    Half,
    /// `Z`
    Zero,
}

/// `240`: byes of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Byes {
    /// The kind of bye.
    pub kind: ByeKind,
    /// The round, from 1.
    pub round: u32,
    /// Players, or teams.
    pub numbers: Vec<u32>,
}

/// A range of numbers from 1, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// The first.
    pub first: u32,
    /// The last, not below the first.
    pub last: u32,
}

impl Span {
    /// True if the number lies in the range.
    pub const fn contains(self, number: u32) -> bool {
        self.first <= number && number <= self.last
    }
}

/// `250`: virtual points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acceleration {
    /// Virtual match points: only in team tournaments.
    pub match_points: Option<Points>,
    /// Virtual points; game points in a team tournament.
    pub points: Points,
    /// The rounds.
    pub rounds: Span,
    /// The players or teams.
    pub numbers: Span,
}

/// `260`, `XXP`: a group in which nobody may meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forbidden {
    /// The rounds; `None`, which is `XXP`, for all.
    pub rounds: Option<Span>,
    /// Players, or teams; each pair of them is forbidden.
    pub numbers: Vec<u32>,
}

/// `299`: abnormal points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AbnormalPoints {
    /// The result that is worth these points, one of `W D L F H Z + -`; here `W`, `D` and `L` stand for all games
    /// played and are [`ResultCode::Win`] and so on. `None` for a bonus or penalty.
    pub result: Option<ResultCode>,
    /// Match points: only in team tournaments.
    pub match_points: Option<Points>,
    /// Points; game points in a team tournament.
    pub points: Option<Points>,
    /// The round; `None` for all rounds.
    pub round: Option<u32>,
    /// Players, or teams; empty for all.
    pub numbers: Vec<u32>,
}

/// `310`: a team.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Team {
    /// Pairing number, 1 to 999.
    pub number: u32,
    /// Up to 32 characters.
    pub name: String,
    /// Up to five characters.
    pub nickname: String,
    /// Strength, such as the mean rating; up to six characters.
    pub strength: String,
    /// Match points.
    pub match_points: Option<Points>,
    /// Game points.
    pub game_points: Option<Points>,
    /// Place.
    pub rank: Option<u32>,
    /// Players in order of boards. Some programs read the first one only if its number is below 1000.
    pub players: Vec<u32>,
}

/// `013`: a team, the old record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OldTeam {
    /// Up to 32 characters.
    pub name: String,
    /// Players in order of boards.
    pub players: Vec<u32>,
}

/// `320`: the pairing-allocated byes of a team tournament.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TeamByes {
    /// Match points of the bye.
    pub match_points: Option<Points>,
    /// Game points of the bye.
    pub game_points: Option<Points>,
    /// The team with the bye in round 1, 2 and so on.
    pub teams: Vec<Option<u32>>,
}

/// `330`: a match that was not played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TeamForfeit {
    /// The winner; `None` if both lost.
    pub winner: Option<Color>,
    /// The round, from 1.
    pub round: u32,
    /// The team named first.
    pub white: u32,
    /// The team named second.
    pub black: u32,
}

/// `300`: a team that played in another order of boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lineup {
    /// The round, from 1.
    pub round: u32,
    /// The team.
    pub team: u32,
    /// Its opponent.
    pub opponent: u32,
    /// Players from board 1; `None` for an empty board.
    pub players: Vec<Option<u32>>,
}
