//! The codes of criteria: their names, meanings and modifiers, in one table.
//!
//! May not: read or write modifiers; compute anything.

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
    ChallengeBuchholz,
    /// Sonneborn-Berger of the Global Chess Challenge.
    ChallengeSonnebornBerger,
    /// C.07 art. 6.
    DirectEncounter,
    /// Direct encounter of Immortal Game.
    ImmortalDirectEncounter,
    /// C.07: direct encounter by both scores.
    ExtendedDirectEncounter,
    /// C.07 art. 8.1.
    Buchholz,
    /// C.07 art. 8.3.
    ForeBuchholz,
    /// C.07 art. 8.2.
    AverageOfOpponentsBuchholz,
    /// C.07 art. 9.1.
    SonnebornBerger,
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
    /// Byes, the fewer the better: rounds in which the player was left over.
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

/// Every code with its name, its short meaning and its modifiers: `S` is `:MP` and `:GP`, `C` the cuts, `1` the cut of round 1,
/// `P`, `F`, `L` and `R` those letters.
pub(super) const CODES: &[(Code, &str, &str, &str)] = &[
    (Code::Points, "PTS", "points", ""),
    (Code::MatchPoints, "match-points", "match points", ""),
    (Code::GamePoints, "game-points", "game points", ""),
    (
        Code::H2h,
        "h2h",
        "game points scored among those level, also when not all of them met",
        "",
    ),
    (
        Code::ChallengeBuchholz,
        "buchholz",
        "match points of all opponents faced; a bye adds nothing",
        "",
    ),
    (
        Code::ChallengeSonnebornBerger,
        "sonneborn-berger",
        "opponents' match points times 1, 1/2 or 0; a bye adds nothing",
        "",
    ),
    (Code::DirectEncounter, "DE", "direct encounter (C.07 art. 6)", "SP"),
    (
        Code::ExtendedDirectEncounter,
        "EDE",
        "direct encounter by the score, then by the other score",
        "P",
    ),
    (
        Code::ImmortalDirectEncounter,
        "immortal-direct-encounter",
        "direct encounter, only if all have met",
        "",
    ),
    (Code::Buchholz, "BH", "Buchholz: points of the opponents", "SCP"),
    (
        Code::ForeBuchholz,
        "FB",
        "Buchholz with the games of the last round as draws",
        "SCP",
    ),
    (
        Code::AverageOfOpponentsBuchholz,
        "AOB",
        "mean of the opponents' Buchholz",
        "SF",
    ),
    (
        Code::SonnebornBerger,
        "SB",
        "Sonneborn-Berger: points of the opponents times the points against them",
        "SCP",
    ),
    (
        Code::Emmsb,
        "EMMSB",
        "opponents' match points times own match points",
        "CP",
    ),
    (
        Code::Emgsb,
        "EMGSB",
        "opponents' match points times own game points",
        "CP",
    ),
    (
        Code::Egmsb,
        "EGMSB",
        "opponents' game points times own match points",
        "CP",
    ),
    (
        Code::Eggsb,
        "EGGSB",
        "opponents' game points times own game points",
        "CP",
    ),
    (
        Code::OtherScore,
        "MPvGP",
        "game points where match points rank, and the other way round",
        "",
    ),
    (Code::Wins, "WIN", "rounds with the points of a win, played or not", ""),
    (Code::WinsOverTheBoard, "WON", "rounds won over the board", ""),
    (Code::BlackGames, "BPG", "games played with Black", ""),
    (Code::BlackWins, "BWG", "games won with Black", ""),
    (Code::RoundsElected, "REP", "rounds elected to play", ""),
    (Code::Progressive, "PS", "sum of the score after each round", "1"),
    (
        Code::StandardPoints,
        "STD",
        "1 for each opponent outscored, 1/2 for as many points",
        "",
    ),
    (
        Code::Koya,
        "KS",
        "points against opponents with at least half of the maximum",
        "L",
    ),
    (Code::AverageRating, "ARO", "mean rating of the opponents", "C"),
    (Code::Performance, "TPR", "tournament performance rating", ""),
    (Code::PerfectPerformance, "PTP", "perfect tournament performance", ""),
    (Code::AveragePerformance, "APRO", "mean of the opponents' TPR", ""),
    (
        Code::AveragePerfectPerformance,
        "APPO",
        "mean of the opponents' PTP",
        "",
    ),
    (Code::PairingNumber, "TPN", "pairing number, the lowest first", "R"),
    (Code::Rating, "RTNG", "rating, the highest first", "R"),
    (
        Code::ModifiedMedian,
        "modified-median",
        "US Chess: adjusted scores of the opponents, some discarded by the own score",
        "",
    ),
    (
        Code::Solkoff,
        "solkoff",
        "US Chess: adjusted scores of the opponents",
        "",
    ),
    (
        Code::Median,
        "median",
        "US Chess: adjusted scores of the opponents without the highest and the lowest",
        "",
    ),
    (
        Code::Cumulative,
        "cumulative",
        "US Chess: sum of the running score, less unplayed points",
        "",
    ),
    (
        Code::CumulativeOfOpposition,
        "cumulative-of-opposition",
        "US Chess: the opponents' cumulative scores",
        "",
    ),
    (
        Code::Kashdan,
        "kashdan",
        "US Chess: 4 for a win, 2 for a draw, 1 for a loss",
        "",
    ),
    (Code::WinRate, "win-rate", "games won of those played", ""),
    (
        Code::Byes,
        "byes",
        "byes, with a right to them or without, fewest first",
        "",
    ),
    (
        Code::Faults,
        "faults",
        "games that ended by own fault, fewest first",
        "",
    ),
    (Code::Lot, "lot", "a lot, fixed by the seed", ""),
    (Code::Submitted, "submitted", "submission, earliest first", ""),
];

/// Other ways to write a code, understood and never written.
pub(super) const ALIASES: [(&str, Code); 4] = [
    ("MPTS", Code::MatchPoints),
    ("GPTS", Code::GamePoints),
    ("MP", Code::MatchPoints),
    ("GP", Code::GamePoints),
];

impl Code {
    pub(super) fn entry(self) -> &'static (Self, &'static str, &'static str, &'static str) {
        let entry = CODES.iter().find(|(code, ..)| *code == self);
        entry.expect("every code is in the table")
    }

    /// All codes in the order of the list.
    pub fn all() -> impl Iterator<Item = Self> {
        CODES.iter().map(|(code, ..)| *code)
    }

    /// Its name as written.
    pub fn name(self) -> &'static str {
        self.entry().1
    }

    /// Whether it takes the modifiers of a letter, as in the table.
    pub(super) fn takes(self, letter: char) -> bool {
        self.entry().3.contains(letter)
    }

    /// The modifiers that it takes; empty for none.
    pub fn modifiers(self) -> String {
        let words = [
            ('S', ":MP, :GP"),
            ('C', "/C1, /C2, /M1, /M2"),
            ('1', "/C1"),
            ('P', "/P"),
            ('F', "/F"),
            ('L', "/L with half points, such as /L+1 or /L-1"),
            ('R', "/R"),
        ];
        let taken = words.iter().filter(|(letter, _)| self.takes(*letter));
        taken.map(|(_, words)| *words).collect::<Vec<_>>().join(", ")
    }

    /// Its meaning in a few words.
    pub fn meaning(self) -> &'static str {
        self.entry().2
    }

    /// Whether it is no number of a player alone but a place among those who are level.
    pub const fn is_stage(self) -> bool {
        matches!(
            self,
            Self::H2h | Self::DirectEncounter | Self::ExtendedDirectEncounter | Self::ImmortalDirectEncounter
        )
    }

    /// Whether it is a place among those who are level.
    pub const fn is_place(self) -> bool {
        self.is_stage() && !matches!(self, Self::H2h)
    }

    /// Whether it needs ratings.
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

    /// Whether it counts game points, whatever its modifiers.
    pub const fn is_of_game_points(self) -> bool {
        matches!(
            self,
            Self::GamePoints
                | Self::H2h
                | Self::OtherScore
                | Self::ExtendedDirectEncounter
                | Self::Emgsb
                | Self::Egmsb
                | Self::Eggsb
        )
    }

    /// Whether the points that rank are meant.
    pub const fn is_points(self) -> bool {
        matches!(self, Self::Points | Self::MatchPoints | Self::GamePoints)
    }
}
