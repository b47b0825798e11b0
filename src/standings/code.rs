//! The codes of criteria: their names, meanings and modifiers, in one table.
//!
//! May not: read or write modifiers; compute anything.

use Allowed as A;

/// What is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Code {
    /// Points: match points in an event, else the points of the tournament.
    Points,
    /// Match points of an event or a team tournament.
    MatchPoints,
    /// Game points of an event or a team tournament.
    GamePoints,
    /// Head to head of the Global Chess Challenge.
    H2h,
    /// Buchholz of the Global Chess Challenge.
    Buchholz,
    /// Sonneborn-Berger of the Global Chess Challenge.
    SonnebornBerger,
    /// C.07 art. 6.
    DirectEncounter,
    /// Direct encounter of Immortal Game.
    ImmortalDirectEncounter,
    /// C.07: direct encounter by both scores.
    ExtendedDirectEncounter,
    /// C.07 art. 8.1.
    Bh,
    /// C.07 art. 8.3.
    ForeBuchholz,
    /// C.07 art. 8.2.
    AverageOfOpponentsBuchholz,
    /// C.07 art. 9.1.
    Sb,
    /// Opponent's match points times own match points.
    Emmsb,
    /// Opponent's match points times own game points.
    Emgsb,
    /// Opponent's game points times own match points.
    Egmsb,
    /// Opponent's game points times own game points.
    Eggsb,
    /// The other score.
    OtherScore,
    /// Rounds with the points of a win.
    Wins,
    /// Rounds won over the board.
    WinsOverTheBoard,
    /// Games played with Black.
    BlackGames,
    /// Games won with Black.
    BlackWins,
    /// Rounds that the player elected to play.
    RoundsElected,
    /// Sum of the running scores.
    Progressive,
    /// Rounds that outscored the opponent.
    StandardPoints,
    /// Points against the upper half.
    Koya,
    /// Mean rating of the opponents.
    AverageRating,
    /// Tournament performance rating.
    Performance,
    /// Perfect tournament performance.
    PerfectPerformance,
    /// Mean performance of the opponents.
    AveragePerformance,
    /// Mean perfect performance of the opponents.
    AveragePerfectPerformance,
    /// Pairing number, the lower the better.
    PairingNumber,
    /// Rating, the higher the better.
    Rating,
    /// US Chess 34E1.
    ModifiedMedian,
    /// US Chess 34E2.
    Solkoff,
    /// US Chess 34E4.
    Median,
    /// US Chess 34E3.
    Cumulative,
    /// US Chess 34E9.
    CumulativeOfOpposition,
    /// US Chess 34E7.
    Kashdan,
    /// Played games won, of those played.
    WinRate,
    /// Pairing-allocated byes, the fewer the better.
    Byes,
    /// Games that ended by own fault, the fewer the better.
    Faults,
    /// A lot by the seed of the event.
    Lot,
    /// Submission, the earlier the better.
    Submitted,
}

/// What stands before a code of one's own in tournament files (C.07, records 202 and 212).
pub(super) const OTHER: &str = "OTHER_";

/// Which modifiers a code takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Allowed {
    None,
    /// `/P`
    Played,
    /// `/C1`
    Lowest,
    /// `/C1 /C2 /M1 /M2`
    Cuts,
    /// cuts and `/P`
    CutsPlayed,
    /// `:MP :GP`, cuts and `/P`
    All,
    /// `:MP :GP` and `/F`
    Fore,
    /// `/L`
    Limit,
    /// `/R`
    Reversed,
}

/// Every code with its name, its short meaning and its modifiers.
pub(super) const CODES: &[(Code, &str, &str, Allowed)] = &[
    (Code::Points, "PTS", "points", A::None),
    (Code::MatchPoints, "match-points", "match points", A::None),
    (Code::GamePoints, "game-points", "game points", A::None),
    (
        Code::H2h,
        "h2h",
        "game points scored among those level, also when not all of them met",
        A::None,
    ),
    (
        Code::Buchholz,
        "buchholz",
        "match points of all opponents faced; a bye adds nothing",
        A::None,
    ),
    (
        Code::SonnebornBerger,
        "sonneborn-berger",
        "opponents' match points times 1, 1/2 or 0; a bye adds nothing",
        A::None,
    ),
    (Code::DirectEncounter, "DE", "direct encounter (C.07 art. 6)", A::Played),
    (
        Code::ExtendedDirectEncounter,
        "EDE",
        "direct encounter by the score, then by the other score",
        A::Played,
    ),
    (
        Code::ImmortalDirectEncounter,
        "immortal-direct-encounter",
        "direct encounter, only if all have met",
        A::None,
    ),
    (Code::Bh, "BH", "Buchholz: points of the opponents", A::All),
    (
        Code::ForeBuchholz,
        "FB",
        "Buchholz with the games of the last round as draws",
        A::All,
    ),
    (
        Code::AverageOfOpponentsBuchholz,
        "AOB",
        "mean of the opponents' Buchholz",
        A::Fore,
    ),
    (
        Code::Sb,
        "SB",
        "Sonneborn-Berger: points of the opponents times the points against them",
        A::CutsPlayed,
    ),
    (
        Code::Emmsb,
        "EMMSB",
        "opponents' match points times own match points",
        A::CutsPlayed,
    ),
    (
        Code::Emgsb,
        "EMGSB",
        "opponents' match points times own game points",
        A::CutsPlayed,
    ),
    (
        Code::Egmsb,
        "EGMSB",
        "opponents' game points times own match points",
        A::CutsPlayed,
    ),
    (
        Code::Eggsb,
        "EGGSB",
        "opponents' game points times own game points",
        A::CutsPlayed,
    ),
    (
        Code::OtherScore,
        "MPvGP",
        "game points where match points rank, and the other way round",
        A::None,
    ),
    (
        Code::Wins,
        "WIN",
        "rounds with the points of a win, played or not",
        A::None,
    ),
    (Code::WinsOverTheBoard, "WON", "rounds won over the board", A::None),
    (Code::BlackGames, "BPG", "games played with Black", A::None),
    (Code::BlackWins, "BWG", "games won with Black", A::None),
    (Code::RoundsElected, "REP", "rounds elected to play", A::None),
    (Code::Progressive, "PS", "sum of the score after each round", A::Lowest),
    (
        Code::StandardPoints,
        "STD",
        "1 for each opponent outscored, 1/2 for as many points",
        A::None,
    ),
    (
        Code::Koya,
        "KS",
        "points against opponents with at least half of the maximum",
        A::Limit,
    ),
    (Code::AverageRating, "ARO", "mean rating of the opponents", A::Cuts),
    (Code::Performance, "TPR", "tournament performance rating", A::None),
    (
        Code::PerfectPerformance,
        "PTP",
        "perfect tournament performance",
        A::None,
    ),
    (Code::AveragePerformance, "APRO", "mean of the opponents' TPR", A::None),
    (
        Code::AveragePerfectPerformance,
        "APPO",
        "mean of the opponents' PTP",
        A::None,
    ),
    (
        Code::PairingNumber,
        "TPN",
        "pairing number, the lowest first",
        A::Reversed,
    ),
    (Code::Rating, "RTNG", "rating, the highest first", A::Reversed),
    (
        Code::ModifiedMedian,
        "modified-median",
        "US Chess: adjusted scores of the opponents, some discarded by the own score",
        A::None,
    ),
    (
        Code::Solkoff,
        "solkoff",
        "US Chess: adjusted scores of the opponents",
        A::None,
    ),
    (
        Code::Median,
        "median",
        "US Chess: adjusted scores of the opponents without the highest and the lowest",
        A::None,
    ),
    (
        Code::Cumulative,
        "cumulative",
        "US Chess: sum of the running score, less unplayed points",
        A::None,
    ),
    (
        Code::CumulativeOfOpposition,
        "cumulative-of-opposition",
        "US Chess: the opponents' cumulative scores",
        A::None,
    ),
    (
        Code::Kashdan,
        "kashdan",
        "US Chess: 4 for a win, 2 for a draw, 1 for a loss",
        A::None,
    ),
    (Code::WinRate, "win-rate", "games won of those played", A::None),
    (Code::Byes, "byes", "pairing-allocated byes, fewest first", A::None),
    (
        Code::Faults,
        "faults",
        "games that ended by own fault, fewest first",
        A::None,
    ),
    (Code::Lot, "lot", "a lot, fixed by the seed", A::None),
    (Code::Submitted, "submitted", "submission, earliest first", A::None),
];

/// Other ways to write a code, understood and never written.
pub(super) const ALIASES: [(&str, Code); 4] = [
    ("MPTS", Code::MatchPoints),
    ("GPTS", Code::GamePoints),
    ("MP", Code::MatchPoints),
    ("GP", Code::GamePoints),
];

impl Code {
    pub(super) fn entry(self) -> &'static (Self, &'static str, &'static str, Allowed) {
        let entry = CODES.iter().find(|(code, ..)| *code == self);
        entry.expect("every code is in the table")
    }

    /// All codes in the order of the list.
    pub fn all() -> impl Iterator<Item = Self> {
        CODES.iter().map(|(code, ..)| *code)
    }

    /// Its name as written.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.entry().1
    }

    /// The modifiers that it takes; empty for none.
    #[must_use]
    pub fn modifiers(self) -> &'static str {
        match self.entry().3 {
            A::None => "",
            allowed => allowed.in_words(),
        }
    }

    /// Its meaning in a few words.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        self.entry().2
    }

    /// Whether it is no number of a player alone but a place among those who are level.
    #[must_use]
    pub const fn is_stage(self) -> bool {
        matches!(
            self,
            Self::H2h | Self::DirectEncounter | Self::ExtendedDirectEncounter | Self::ImmortalDirectEncounter
        )
    }

    /// Whether it is a place among those who are level.
    #[must_use]
    pub const fn is_place(self) -> bool {
        self.is_stage() && !matches!(self, Self::H2h)
    }

    /// Whether it needs ratings.
    #[must_use]
    pub const fn is_of_ratings(self) -> bool {
        matches!(
            self,
            Self::AverageRating
                | Self::Performance
                | Self::PerfectPerformance
                | Self::AveragePerformance
                | Self::AveragePerfectPerformance
        )
    }

    /// Whether the points that rank are meant.
    #[must_use]
    pub const fn is_points(self) -> bool {
        matches!(self, Self::Points | Self::MatchPoints | Self::GamePoints)
    }
}

impl Allowed {
    pub(super) const fn in_words(self) -> &'static str {
        match self {
            Self::None => "no modifier",
            Self::Played => "/P",
            Self::Lowest => "/C1",
            Self::Cuts => "/C1, /C2, /M1 or /M2",
            Self::CutsPlayed => "/C1, /C2, /M1 or /M2, and /P",
            Self::All => ":MP or :GP, /C1, /C2, /M1 or /M2, and /P",
            Self::Fore => ":MP or :GP, and /F",
            Self::Limit => "/L with half points, such as /L1 or /L-1",
            Self::Reversed => "/R",
        }
    }

    pub(super) const fn cuts(self) -> bool {
        matches!(self, Self::Cuts | Self::CutsPlayed | Self::All)
    }
}
