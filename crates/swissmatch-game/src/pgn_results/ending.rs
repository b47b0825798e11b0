//! Why a game of a file ended, by its tag `Termination` and by its last comment.
//!
//! The sentences in comments are those that fastchess, cutechess-cli and this program write. May not: decide a
//! result.

use crate::Side;

/// Bytes of a sentence that are looked at.
const LONGEST_SENTENCE: usize = 160;

/// The result of a game in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PgnResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: unfinished, or a result that PGN has no word for.
    Unfinished,
}

impl PgnResult {
    /// All variants, in the order of their numbers in a row.
    pub(super) const ALL: [Self; 4] = [Self::WhiteWins, Self::BlackWins, Self::Draw, Self::Unfinished];

    pub const fn pgn(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unfinished => "*",
        }
    }

    /// The value of a tag `Result`; `None` if it is not a result.
    pub(super) fn of_tag(value: &str) -> Option<Self> {
        match value {
            "1/2" => Some(Self::Draw),
            value => Self::ALL.into_iter().find(|result| result.pgn() == value),
        }
    }

    /// Game points of `side` in half points: 2, 1 or 0; `None` for an unfinished game.
    pub fn half_points(self, side: Side) -> Option<u8> {
        match self {
            Self::Unfinished => None,
            Self::Draw => Some(1),
            Self::WhiteWins | Self::BlackWins => Some(if self.loser() == Some(side) { 0 } else { 2 }),
        }
    }

    const fn loser(self) -> Option<Side> {
        match self {
            Self::WhiteWins => Some(Side::Black),
            Self::BlackWins => Some(Side::White),
            Self::Draw | Self::Unfinished => None,
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ending {
    /// The file says only that the game ended, or uses words that are not known.
    Unspecified,
    Checkmate,
    Stalemate,
    /// The same position for the third time.
    Repetition,
    /// Fifty moves without capture or pawn move.
    FiftyMoves,
    /// Too little material to mate, on both sides or on the side against which a flag fell.
    Material,
    /// Adjudicated by scores or by an arbiter.
    Adjudication,
    /// Adjudicated by endgame tablebases.
    Tablebase,
    /// The game reached the longest length that the event allows.
    MoveCap,
    Resignation,
    /// A forfeit or an award: no game was played, and no engine was at fault.
    NotPlayed,
    /// A side overran its time.
    TimeLoss,
    /// A side made an illegal move.
    IllegalMove,
    /// An engine crashed or disconnected.
    Crash,
    /// An engine did not answer.
    Stall,
    /// Another fault, such as an engine that did not start.
    OtherFault,
}

impl Ending {
    /// All variants, in the order of their numbers in a row.
    pub(super) const ALL: [Self; 16] = [
        Self::Unspecified,
        Self::Checkmate,
        Self::Stalemate,
        Self::Repetition,
        Self::FiftyMoves,
        Self::Material,
        Self::Adjudication,
        Self::Tablebase,
        Self::MoveCap,
        Self::Resignation,
        Self::NotPlayed,
        Self::TimeLoss,
        Self::IllegalMove,
        Self::Crash,
        Self::Stall,
        Self::OtherFault,
    ];

    /// A word for it: that of [`crate::termination::Termination`] for the same ending, if there is one.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Unspecified => "not-told",
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Repetition => "threefold-repetition",
            Self::FiftyMoves => "fifty-move-rule",
            Self::Material => "insufficient-material",
            Self::Adjudication => "adjudication",
            Self::Tablebase => "tablebase",
            Self::MoveCap => "move-cap",
            Self::Resignation => "resignation",
            Self::NotPlayed => "not-played",
            Self::TimeLoss => "time-forfeit",
            Self::IllegalMove => "illegal-move",
            Self::Crash => "crash",
            Self::Stall => "stall",
            Self::OtherFault => "other-fault",
        }
    }

    /// True if the ending is an agent's own doing.
    pub const fn is_fault(self) -> bool {
        matches!(
            self,
            Self::TimeLoss | Self::IllegalMove | Self::Crash | Self::Stall | Self::OtherFault
        )
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Blame {
    /// Nobody's as far as is known: there is no fault, or the file does not say.
    Nobody,
    White,
    Black,
    Both,
}

impl Blame {
    /// All variants, in the order of their numbers in a row.
    pub(super) const ALL: [Self; 4] = [Self::Nobody, Self::White, Self::Black, Self::Both];

    pub fn is_of(self, side: Side) -> bool {
        self == Self::Both || self == Self::from(side)
    }
}

impl From<Side> for Blame {
    fn from(side: Side) -> Self {
        match side {
            Side::White => Self::White,
            Side::Black => Self::Black,
        }
    }
}

/// Why a game ended and whose fault that was, by its tag `Termination`, its last comment and its result.
///
/// The tag decides the kind, because no text of an engine is in it. The comment says what the tag leaves open: which
/// ending "normal" was, whether "abandoned" was a crash or a stall. Without a tag, or with the tag "normal", the
/// comment decides. The blame is with the side that the comment names for the same kind, else with the loser.
pub(super) fn ending(termination: &str, comment: &str, result: PgnResult) -> (Ending, Blame) {
    let said = reason(comment);
    let said_ending = said.map_or(Ending::Unspecified, |(ending, _)| ending);
    let ending = match termination.trim().to_ascii_lowercase().as_str() {
        // One side's flag fell, and the other could not mate; otherwise the arbiter has made it a draw.
        "time forfeit" if result == PgnResult::Draw && said_ending != Ending::TimeLoss => Ending::Material,
        "time forfeit" => Ending::TimeLoss,
        "illegal move" => Ending::IllegalMove,
        "stalled connection" => Ending::Stall,
        // The PGN standard's word for an illegal move.
        "rules infraction" if said_ending == Ending::OtherFault => said_ending,
        "rules infraction" => Ending::IllegalMove,
        "abandoned" => match said_ending {
            Ending::Stall | Ending::OtherFault | Ending::NotPlayed => said_ending,
            _ => Ending::Crash,
        },
        "adjudication" => match said_ending {
            Ending::Tablebase | Ending::MoveCap | Ending::NotPlayed | Ending::Resignation => said_ending,
            _ => Ending::Adjudication,
        },
        _ => said_ending,
    };
    let blame = match (said, ending.is_fault()) {
        (_, false) => Blame::Nobody,
        (Some((of, blame)), true) if of == ending && blame != Blame::Nobody => blame,
        (_, true) => result.loser().map_or(Blame::Nobody, Blame::from),
    };
    (ending, blame)
}

/// The first sentence of a comment that says why the game ended. A sentence begins at the beginning or after a comma.
/// Text in quotes (a variation) is an engine's, and so is text after the sentence (an illegal move).
fn reason(comment: &str) -> Option<(Ending, Blame)> {
    let mut begins = true;
    let mut is_quoted = false;
    for (at, byte) in comment.bytes().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b',' | b';' => begins = true,
            byte if byte.is_ascii_whitespace() => {}
            _ if begins && !is_quoted => {
                begins = false;
                if let Some(found) = comment.get(at..).and_then(sentence) {
                    return Some(found);
                }
            }
            _ => begins = false,
        }
    }
    None
}

fn sentence(text: &str) -> Option<(Ending, Blame)> {
    // So that a comment full of sentence beginnings costs no time.
    let text = &text[..text.floor_char_boundary(LONGEST_SENTENCE)];
    // A comment may be broken between words.
    let mut words = text.split_ascii_whitespace().take(12);
    let subject = words.next()?;
    let rest = words.collect::<Vec<_>>().join(" ");
    let has = |what: &str| rest.contains(what);
    let (side, stalls) = match subject {
        "White" => (Side::White, false),
        "Black" => (Side::Black, false),
        "White's" => (Side::White, true),
        "Black's" => (Side::Black, true),
        "Draw" | "Draw:" => return drawn(&rest).map(|ending| (ending, Blame::Nobody)),
        "Both" if has("neither engine") => return Some((Ending::OtherFault, Blame::Both)),
        "Both" if rest.starts_with("forfeit") => return Some((Ending::NotPlayed, Blame::Nobody)),
        _ => return None,
    };
    let nobody = |ending| Some((ending, Blame::Nobody));
    let fault = |ending| Some((ending, Blame::from(side)));
    match rest.as_str() {
        rest if stalls && rest.starts_with("connection stalls") => fault(Ending::Stall),
        _ if stalls => None,
        rest if rest.starts_with("mates") => nobody(Ending::Checkmate),
        rest if rest.starts_with("loses on time") => fault(Ending::TimeLoss),
        rest if rest.starts_with("resigns (loses on time") => fault(Ending::TimeLoss),
        rest if rest.starts_with("resigns") => nobody(Ending::Resignation),
        rest if rest.starts_with("makes an illegal move") => fault(Ending::IllegalMove),
        rest if rest.starts_with("disconnects") || rest.starts_with("crashes") => fault(Ending::Crash),
        rest if rest.starts_with("goes over its limit") => fault(Ending::OtherFault),
        rest if rest.starts_with("forfeits: its engine") => fault(Ending::OtherFault),
        rest if rest.starts_with("forfeits:") => nobody(Ending::NotPlayed),
        rest if rest.starts_with("wins: awarded") => nobody(Ending::NotPlayed),
        rest if rest.starts_with("wins by adjudication") => nobody(adjudicated(rest)),
        _ => None,
    }
}

fn drawn(rest: &str) -> Option<Ending> {
    let by = rest.strip_prefix("by ");
    match by.unwrap_or(rest) {
        rest if rest.starts_with("awarded") => Some(Ending::NotPlayed),
        rest if by.is_none() => rest.contains("'s flag fell").then_some(Ending::Material),
        rest if rest.starts_with("3-fold repetition") => Some(Ending::Repetition),
        rest if rest.starts_with("fifty moves rule") => Some(Ending::FiftyMoves),
        rest if rest.starts_with("stalemate") => Some(Ending::Stalemate),
        rest if rest.starts_with("insufficient mating material") || rest.starts_with("timeout") => {
            Some(Ending::Material)
        }
        rest if rest.starts_with("the move cap") => Some(Ending::MoveCap),
        rest if rest.starts_with("adjudication") => Some(adjudicated(rest)),
        _ => None,
    }
}

fn adjudicated(rest: &str) -> Ending {
    if rest.contains("SyzygyTB") {
        Ending::Tablebase
    } else {
        Ending::Adjudication
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(termination: &str, comment: &str, result: &str, ending_is: Ending, blame: Blame) {
        let result = PgnResult::of_tag(result).expect("a result");
        let found = ending(termination, comment, result);
        assert_eq!(found, (ending_is, blame), "{termination:?} {comment:?} {result:?}");
    }

    #[test]
    fn ends_without_fault() {
        let nobody = Blame::Nobody;
        check("normal", "+M1/39 0.001s, Black mates", "0-1", Ending::Checkmate, nobody);
        check("", "White mates", "1-0", Ending::Checkmate, nobody);
        check(
            "normal",
            "0.00/9 0.2s, Draw by 3-fold\nrepetition",
            "1/2-1/2",
            Ending::Repetition,
            nobody,
        );
        check("", "Draw by fifty moves rule", "1/2-1/2", Ending::FiftyMoves, nobody);
        check("", "Draw by stalemate", "1/2-1/2", Ending::Stalemate, nobody);
        check(
            "",
            "Draw by insufficient mating material",
            "1/2-1/2",
            Ending::Material,
            nobody,
        );
        check(
            "adjudication",
            "Draw by the move cap",
            "1/2-1/2",
            Ending::MoveCap,
            nobody,
        );
        check(
            "adjudication",
            "White wins by adjudication: SyzygyTB",
            "1-0",
            Ending::Tablebase,
            nobody,
        );
        check(
            "adjudication",
            "-9.10/9 1s, White wins by adjudication",
            "1-0",
            Ending::Adjudication,
            nobody,
        );
        check("adjudication", "", "1-0", Ending::Adjudication, nobody);
        check(
            "adjudication",
            "White wins: awarded by the arbiter, not played",
            "1-0",
            Ending::NotPlayed,
            nobody,
        );
        check(
            "abandoned",
            "White forfeits: it did not come",
            "0-1",
            Ending::NotPlayed,
            nobody,
        );
        check(
            "unterminated",
            "Both forfeit: neither came",
            "*",
            Ending::NotPlayed,
            nobody,
        );
        check("normal", "+0.10/8 0.1s", "1-0", Ending::Unspecified, nobody);
        check("", "", "*", Ending::Unspecified, nobody);
    }

    #[test]
    fn faults_and_whose() {
        let (white, black) = (Blame::White, Blame::Black);
        check(
            "time forfeit",
            "0.00/0 5.2s, White loses on time (102ms overrun)",
            "0-1",
            Ending::TimeLoss,
            white,
        );
        check("Time forfeit", "", "1-0", Ending::TimeLoss, black);
        check("", "Black loses on time", "1-0", Ending::TimeLoss, black);
        check(
            "illegal move",
            "White makes an illegal move: a1a1",
            "0-1",
            Ending::IllegalMove,
            white,
        );
        check("rules infraction", "", "0-1", Ending::IllegalMove, white);
        check("abandoned", "Black disconnects", "1-0", Ending::Crash, black);
        check("abandoned", "Black's connection stalls", "1-0", Ending::Stall, black);
        check("stalled connection", "", "1-0", Ending::Stall, black);
        check("abandoned", "", "1-0", Ending::Crash, black);
        check("abandoned", "", "*", Ending::Crash, Blame::Nobody);
        check(
            "rules infraction",
            "White goes over its limit on memory",
            "0-1",
            Ending::OtherFault,
            white,
        );
        check(
            "abandoned",
            "White forfeits: its engine did not start",
            "0-1",
            Ending::OtherFault,
            white,
        );
        check(
            "unterminated",
            "Both forfeit: neither engine started",
            "*",
            Ending::OtherFault,
            Blame::Both,
        );
        check(
            "time forfeit",
            "White resigns (loses on time after 3 attempts)",
            "0-1",
            Ending::TimeLoss,
            white,
        );
        // The arbiter gave the game to the side that had lost it.
        check(
            "time forfeit",
            "White loses on time; 1-0 by the arbiter",
            "1-0",
            Ending::TimeLoss,
            white,
        );
    }

    #[test]
    fn what_an_engine_said_is_no_reason() {
        let said = "0.1/2 1s, pv=\"e2e4, White loses on time, x\", Black mates";
        check("normal", said, "0-1", Ending::Checkmate, Blame::Nobody);
        let said = "White makes an illegal move: x, Black loses on time";
        check("illegal move", said, "0-1", Ending::IllegalMove, Blame::White);
    }

    #[test]
    fn sentences_of_this_program_are_known() {
        use crate::resource::Resource;
        use crate::termination::{Outcome, Termination};
        use swiss_system::word::Word as _;
        for side in Side::BOTH {
            let other = Outcome::win(side.other());
            let resigned = Termination::Resignation { by: side };
            let text = resigned.sentence(other, 0);
            check(resigned.pgn(), &text, other.pgn(), Ending::Resignation, Blame::Nobody);
            let faults = [
                (Termination::TimeForfeit { by: side }, Ending::TimeLoss),
                (Termination::IllegalMove { by: side }, Ending::IllegalMove),
                (Termination::Crash { by: side }, Ending::Crash),
                (Termination::Disconnect { by: side }, Ending::Crash),
                (Termination::DidNotStart { by: side }, Ending::OtherFault),
                (Termination::NotReady { by: side }, Ending::OtherFault),
            ];
            let resource = |&resource| (Termination::ResourceLimit { by: side, resource }, Ending::OtherFault);
            let faults = faults.into_iter().chain(Resource::ALL.iter().map(resource));
            for (termination, expected) in faults {
                for attempts in [1, 3] {
                    let text = termination.sentence(other, attempts);
                    check(termination.pgn(), &text, other.pgn(), expected, Blame::from(side));
                }
            }
        }
    }
}
