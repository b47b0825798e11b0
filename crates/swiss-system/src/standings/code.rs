//! The codes of criteria: their names, meanings and modifiers, in one table.
//!
//! May not: read or write modifiers; compute anything.

macro_rules! codes {
    ($($(#[$doc:meta])* $code:ident = $name:literal, $meaning:literal, $modifiers:literal;)*) => {
        /// What is computed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $($(#[$doc])* $code,)*
        }

        /// Every code with its name, its short meaning and the letters of its modifiers.
        pub(super) const CODES: &[(Code, &str, &str, &str)] = &[$((Code::$code, $name, $meaning, $modifiers),)*];
    };
}

// Each with its name as written, its short meaning, and its modifiers: `S` is `:MP` and `:GP`, `M` is `:MP` alone, `C` the cuts,
// `1` the cuts of the first rounds, `P`, `F`, `L` and `R` those letters.
codes! {
    /// Points: match points in an event, else the points of the tournament.
    Points = "PTS", "points", "";
    /// Match points of an event or a team tournament.
    MatchPoints = "match-points", "match points", "";
    /// Game points of an event or a team tournament.
    GamePoints = "game-points", "game points", "";
    /// Head to head of the Global Chess Challenge.
    H2h = "h2h", "game points scored among those level, even if not all of them met", "";
    /// Buchholz of the Global Chess Challenge.
    ChallengeBuchholz = "buchholz", "match points of all opponents faced; a bye adds nothing", "";
    /// Sonneborn-Berger of the Global Chess Challenge.
    ChallengeSonnebornBerger = "sonneborn-berger", "opponents' match points times 1, 1/2 or 0; a bye adds nothing", "";
    /// C.07 art. 6.
    DirectEncounter = "DE", "direct encounter (C.07 art. 6)", "SP";
    /// C.07: direct encounter by both scores.
    ExtendedDirectEncounter = "EDE", "direct encounter by the score, then by the other score", "P";
    /// Direct encounter of Immortal Game.
    ImmortalDirectEncounter = "immortal-direct-encounter", "direct encounter, only if all have met", "";
    /// C.07 art. 8.1.
    Buchholz = "BH", "Buchholz: points of the opponents", "SCP";
    /// C.07 art. 8.3.
    ForeBuchholz = "FB", "Buchholz with the games of the last round as draws", "SCP";
    /// C.07 art. 8.2.
    AverageOfOpponentsBuchholz = "AOB", "mean of the opponents' Buchholz", "SF";
    /// C.07 art. 9.1.
    SonnebornBerger = "SB", "Sonneborn-Berger: points of the opponents times the points against them", "SCP";
    /// Opponent's match points times own match points.
    Emmsb = "EMMSB", "opponents' match points times own match points", "CP";
    /// Opponent's match points times own game points.
    Emgsb = "EMGSB", "opponents' match points times own game points", "CP";
    /// Opponent's game points times own match points.
    Egmsb = "EGMSB", "opponents' game points times own match points", "CP";
    /// Opponent's game points times own game points.
    Eggsb = "EGGSB", "opponents' game points times own game points", "CP";
    /// The other score.
    OtherScore = "MPvGP", "game points where match points rank, and the other way round", "";
    /// Rounds with the points of a win.
    Wins = "WIN", "rounds with the points of a win, played or not", "M";
    /// Rounds won over the board.
    WinsOverTheBoard = "WON", "rounds won over the board", "M";
    /// Games played with Black.
    BlackGames = "BPG", "games played with Black", "";
    /// Games won with Black.
    BlackWins = "BWG", "games won with Black", "";
    /// Rounds that the player elected to play.
    RoundsElected = "REP", "rounds elected to play", "";
    /// Sum of the running scores.
    Progressive = "PS", "sum of the score after each round", "S1";
    /// Rounds that outscored the opponent.
    StandardPoints = "STD", "1 for each opponent outscored, 1/2 for each with the same points", "S";
    /// Points against the upper half.
    Koya = "KS", "points against opponents with at least half of the maximum", "SL";
    /// Mean rating of the opponents.
    AverageRating = "ARO", "mean rating of the opponents", "C";
    /// Tournament performance rating.
    Performance = "TPR", "tournament performance rating", "";
    /// Perfect tournament performance.
    PerfectPerformance = "PTP", "perfect tournament performance", "";
    /// Mean performance of the opponents.
    AveragePerformance = "APRO", "mean of the opponents' TPR", "";
    /// Mean perfect performance of the opponents.
    AveragePerfectPerformance = "APPO", "mean of the opponents' PTP", "";
    /// Pairing number, the lower the better.
    PairingNumber = "TPN", "pairing number, the lowest first", "R";
    /// Rating, the higher the better.
    Rating = "RTNG", "rating, the highest first", "R";
    /// US Chess 34E1.
    ModifiedMedian = "modified-median", "US Chess: adjusted scores of the opponents, some discarded depending on the player's \
                      own score", "";
    /// US Chess 34E2.
    Solkoff = "solkoff", "US Chess: adjusted scores of the opponents", "";
    /// US Chess 34E4.
    Median = "median", "US Chess: adjusted scores of the opponents without the highest and the lowest", "";
    /// US Chess 34E3.
    Cumulative = "cumulative", "US Chess: sum of the running score, less unplayed points", "";
    /// US Chess 34E9.
    CumulativeOfOpposition = "cumulative-of-opposition", "US Chess: the opponents' cumulative scores", "";
    /// US Chess 34E7.
    Kashdan = "kashdan", "US Chess: 4 for a win, 2 for a draw, 1 for a loss", "";
    /// Played games won, of those played.
    WinRate = "win-rate", "games won of those played", "";
    /// Byes, the fewer the better: rounds in which the player was left over.
    Byes = "byes", "byes, with a right to them or without, fewest first", "";
    /// Games that ended by own fault, the fewer the better.
    Faults = "faults", "games that ended by the player's own fault, fewest first", "";
    /// A lot by the seed of the event.
    Lot = "lot", "a lot, fixed by the seed", "";
    /// Submission, the earlier the better.
    Submitted = "submitted", "submission, earliest first", "";
}

/// The prefix of a tournament's own codes in files (C.07, records 202 and 212).
pub(super) const OTHER: &str = "OTHER_";

/// Other ways to write a code, understood but never written.
pub(super) const ALIASES: [(&str, Code); 5] = [
    ("MPTS", Code::MatchPoints),
    ("GPTS", Code::GamePoints),
    ("MP", Code::MatchPoints),
    ("GP", Code::GamePoints),
    // C.07 until July 2024: "games one elected to play".
    ("GE", Code::RoundsElected),
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

    /// The name as written.
    pub fn name(self) -> &'static str {
        self.entry().1
    }

    /// True if the code takes the modifiers of a letter, as in the table.
    pub(super) fn takes(self, letter: char) -> bool {
        self.entry().3.contains(letter)
    }

    /// The modifiers that the code takes; empty for none.
    pub fn modifiers(self) -> String {
        let words = [
            ('S', ":MP, :GP"),
            ('M', ":MP"),
            ('C', "/C1, /C2, /M1, /M2"),
            ('1', "/C1, /C2"),
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

    /// True for a code that is not a number of a player alone, but a result among those who are level.
    pub const fn is_stage(self) -> bool {
        matches!(
            self,
            Self::H2h | Self::DirectEncounter | Self::ExtendedDirectEncounter | Self::ImmortalDirectEncounter
        )
    }

    /// True for a code that gives a place among those who are level.
    pub const fn is_place(self) -> bool {
        self.is_stage() && !matches!(self, Self::H2h)
    }

    /// True if an order may hold it more than once: a tie-break of type A, "based on a subset of games among the tied
    /// participants", which is applied anew to those who are still level (C.07 art. 4.3).
    pub const fn may_be_repeated(self) -> bool {
        self.is_place()
    }

    /// True if the code needs ratings.
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

    /// True if the code counts game points, whatever its modifiers.
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

    /// True for the points that rank.
    pub const fn is_points(self) -> bool {
        matches!(self, Self::Points | Self::MatchPoints | Self::GamePoints)
    }
}
