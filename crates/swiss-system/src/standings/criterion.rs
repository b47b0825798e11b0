//! The criteria that rank, and how they are written.
//!
//! The acronyms and modifiers are those of C.07 (2026): `BH/C1`, `EMGSB/C1/P`, `BH:GP`; upper and lower case are
//! alike. Criteria of other rule sets are named by words.
//!
//! May not: compute anything.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use super::code::Code;
use super::code::{ALIASES, CODES, OTHER};
use crate::text::brief;

/// One of the two scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Score {
    /// Match points; in a tournament without them, its points.
    Match,
    /// Game points.
    Game,
}

impl Score {
    /// The other score.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Match => Self::Game,
            Self::Game => Self::Match,
        }
    }
}

/// A criterion: a code with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Criterion {
    /// The code.
    pub code: Code,
    /// `:MP` or `:GP`; `None` for the score that ranks.
    pub score: Option<Score>,
    /// The number of lowest contributions that are cut: `/C1`, `/M1`.
    pub lowest: u8,
    /// The number of highest contributions that are cut: `/M1`.
    pub highest: u8,
    /// `/P`: forfeits count as played.
    pub forfeits_played: bool,
    /// `/F`: based on Fore Buchholz instead of Buchholz.
    pub fore: bool,
    /// `/R`: in reverse order.
    pub reversed: bool,
    /// `/L`: the number of half points by which the limit of Koya is moved.
    pub limit: i8,
}

impl From<Code> for Criterion {
    fn from(code: Code) -> Self {
        Self {
            code,
            score: None,
            lowest: 0,
            highest: 0,
            forfeits_played: false,
            fore: false,
            reversed: false,
            limit: 0,
        }
    }
}

/// Why a text is not a criterion.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseCriterionError {
    /// The code is not known.
    #[error("`{0}` is not a tie-break{help}", help = meant(.0))]
    Unknown(String),
    /// A code of C.07 that is not computed.
    #[error("{0} ranks by the order of boards, which is not computed; leave it out, or list MPvGP or EDE instead")]
    Boards(&'static str),
    /// SSSC, which is not computed.
    #[error("SSSC divides by the points of a match and is not defined for long ones; list its parts: MPvGP and BH")]
    Sssc,
    /// WIN:GP or WON:GP, which do not exist.
    #[error(
        "{0}:GP counts wins by game points, and no number of those is a win (C.07 art. 7); leave it out, or list {0}"
    )]
    WinsByGamePoints(&'static str),
    /// A code of a tournament's own.
    #[error("{0} is a tie-break of a tournament's own (C.07 art. 4.1), which is not computed; leave it out")]
    Own(String),
    /// A modifier that the code does not take.
    #[error("{code} takes no `{modifier}`; it takes {takes}")]
    Modifier {
        /// The code.
        code: &'static str,
        /// The modifier as written.
        modifier: String,
        /// The modifiers that the code takes.
        takes: String,
    },
    /// Two modifiers of one kind.
    #[error("{code} has both `{first}` and `{second}`; write only one of them")]
    Modifiers {
        /// The code.
        code: &'static str,
        /// The first as written.
        first: String,
        /// The second as written.
        second: String,
    },
    /// A criterion that is already in the order.
    #[error("{0} is given twice")]
    Twice(Criterion),
    /// Points that are already in the order under another name.
    #[error("{first} and {second} are the same points; leave one of them out")]
    SamePoints {
        /// The earlier criterion.
        first: Criterion,
        /// The later criterion.
        second: Criterion,
    },
}

/// Codes of C.07 that rank by the order of boards: BC, TBR, BBE, and the direct encounters that end with them.
const BOARDS: [&str; 10] = ["BC", "TBR", "BBE", "BT", "BB", "EDEC", "EDET", "EDEB", "EDEBT", "EDEBB"];

/// The beginning of an unknown text, made safe to print.
fn shown(text: &str) -> String {
    brief(text, 40)
}

/// The nearest name, as the end of a message.
fn meant(text: &str) -> String {
    let known = CODES.iter().map(|(_, name, ..)| *name);
    let distance = |name: &&str| strsim::damerau_levenshtein(&name.to_lowercase(), &text.to_lowercase());
    match known.min_by_key(distance) {
        Some(name) if distance(&name) <= 2 && distance(&name) < name.len() => format!("; did you mean `{name}`?"),
        _ => String::from(", such as BH/C1, SB or DE"),
    }
}

impl Criterion {
    /// Applies one modifier, given without its `/` or `:`.
    fn modify(&mut self, separator: char, modifier: &str) -> Option<()> {
        let upper = modifier.to_ascii_uppercase();
        let takes = |letter| self.code.takes(letter);
        match (separator, upper.as_str()) {
            (':', "MP") if takes('S') || takes('M') => self.score = Some(Score::Match),
            (':', "GP") if takes('S') => self.score = Some(Score::Game),
            ('/', "P") if takes('P') => self.forfeits_played = true,
            ('/', "F") if takes('F') => self.fore = true,
            ('/', "R") if takes('R') => self.reversed = true,
            ('/', "C1") if takes('C') || takes('1') => self.lowest = 1,
            ('/', "C2") if takes('C') || takes('1') => self.lowest = 2,
            ('/', "M1") if takes('C') => (self.lowest, self.highest) = (1, 1),
            ('/', "M2") if takes('C') => (self.lowest, self.highest) = (2, 2),
            ('/', limit) if takes('L') => self.limit = limit.strip_prefix('L')?.parse().ok()?,
            _ => return None,
        }
        Some(())
    }
}

/// What a modifier changes: the score, the cuts (`/C…` and `/M…` alike), or whatever its letter stands for.
fn kind(separator: char, modifier: &str) -> char {
    match (separator, modifier.chars().next()) {
        (':', _) => ':',
        (_, Some('C' | 'c' | 'M' | 'm')) => 'C',
        (_, letter) => letter.unwrap_or(separator).to_ascii_uppercase(),
    }
}

/// The form of EDE without boards, for a code of EDE with boards.
fn without_boards(code: &str) -> Option<String> {
    let (name, modifiers) = code.split_at(code.find([':', '/']).unwrap_or(code.len()));
    let plain = Code::ExtendedDirectEncounter.name();
    let is_form = BOARDS.iter().any(|boards| name.eq_ignore_ascii_case(boards)) && name.len() > plain.len();
    is_form.then(|| format!("{plain}{modifiers}"))
}

/// An order of criteria as a person or a file lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankingOrder {
    /// The criteria that are computed.
    pub criteria: Vec<Criterion>,
    /// What of the list is not computed, and how it was read.
    pub doubts: Vec<String>,
}

/// Reads an order as a person or a file lists it. Forms of EDE with boards count as EDE; other criteria that are not
/// computed are left out: those of boards, SSSC, wins by game points and those of a tournament's own.
///
/// # Errors
/// For an unknown code, and what [`refuse_doubles`] refuses.
pub fn listed<'a>(codes: impl IntoIterator<Item = &'a str>) -> Result<RankingOrder, ParseCriterionError> {
    let (mut criteria, mut doubts) = (Vec::new(), Vec::new());
    for code in codes {
        let why = match code.parse() {
            Err(
                why @ (ParseCriterionError::Boards(_)
                | ParseCriterionError::Sssc
                | ParseCriterionError::WinsByGamePoints(_)
                | ParseCriterionError::Own(_)),
            ) => why,
            criterion => {
                criteria.push(criterion?);
                continue;
            }
        };
        let code = shown(code);
        match without_boards(&code) {
            Some(plain) => {
                criteria.push(plain.parse()?);
                doubts.push(format!("{code} taken as {plain}: the order of boards is not computed"));
            }
            None => doubts.push(format!("{code} is left out: {why}")),
        }
    }
    refuse_doubles(&criteria)?;
    Ok(RankingOrder { criteria, doubts })
}

/// The order with points put before it, unless it begins with points.
///
/// # Errors
/// If the points come later in the order.
pub fn after_points(mut order: RankingOrder) -> Result<RankingOrder, ParseCriterionError> {
    if !order.criteria.first().is_some_and(|first| first.code.is_points()) {
        order.criteria.insert(0, Criterion::from(Code::Points));
        refuse_doubles(&order.criteria)?;
    }
    Ok(order)
}

/// Refuses an order that holds a criterion twice, unless it is of type A ([`Code::may_be_repeated`]), or holds the
/// points that rank under two names.
///
/// # Errors
/// [`ParseCriterionError::Twice`] or [`ParseCriterionError::SamePoints`].
pub fn refuse_doubles(order: &[Criterion]) -> Result<(), ParseCriterionError> {
    let primary = match order.first() {
        Some(first) if first.code == Code::GamePoints => Code::GamePoints,
        _ => Code::MatchPoints,
    };
    let meant = |criterion: Criterion| match criterion.code {
        Code::Points => Criterion::from(primary),
        _ => criterion,
    };
    for (index, &second) in order.iter().enumerate() {
        let mut earlier = order[..index].iter().filter(|_| !second.code.may_be_repeated());
        let earlier = earlier.find(|&&first| meant(first) == meant(second));
        match earlier {
            Some(&first) if first == second => return Err(ParseCriterionError::Twice(second)),
            Some(&first) => return Err(ParseCriterionError::SamePoints { first, second }),
            None => {}
        }
    }
    Ok(())
}

impl Criterion {
    /// True if it counts game points, so that it adds nothing if points are of one kind.
    pub fn is_of_game_points(self) -> bool {
        self.score == Some(Score::Game) || self.code.is_of_game_points()
    }

    /// The form of record 212: the match points that rank first are `PTS`, and criteria that C.07 does not define are
    /// `OTHER_…`.
    fn in_tournament_files(&self, is_first: bool) -> String {
        match self.code {
            Code::MatchPoints if is_first => Code::Points.name().to_owned(),
            Code::MatchPoints => "MPTS".to_owned(),
            Code::GamePoints => "GPTS".to_owned(),
            _ if self.code.name().starts_with(|c: char| c.is_ascii_uppercase()) => self.to_string(),
            _ => OTHER.to_owned() + &self.to_string().to_ascii_uppercase(),
        }
    }
}

/// An order of criteria in the form of record 212 of tournament files.
pub fn in_tournament_files(order: &[Criterion]) -> Vec<String> {
    let codes = order.iter().enumerate();
    codes
        .map(|(index, criterion)| criterion.in_tournament_files(index == 0))
        .collect()
}

impl FromStr for Criterion {
    type Err = ParseCriterionError;

    fn from_str(text: &str) -> Result<Self, ParseCriterionError> {
        let end = text.find([':', '/']).unwrap_or(text.len());
        let (name, mut rest) = text.split_at(end);
        for boards in BOARDS {
            if name.eq_ignore_ascii_case(boards) {
                return Err(ParseCriterionError::Boards(boards));
            }
        }
        if name.eq_ignore_ascii_case("SSSC") {
            return Err(ParseCriterionError::Sssc);
        }
        let has_prefix = name
            .get(..OTHER.len())
            .is_some_and(|prefix| prefix.eq_ignore_ascii_case(OTHER));
        let name = if has_prefix { &name[OTHER.len()..] } else { name };
        let in_table = CODES.iter().find(|(_, known, ..)| known.eq_ignore_ascii_case(name));
        let code = in_table.map(|(code, ..)| *code).or_else(|| {
            let alias = ALIASES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
            alias.map(|(_, code)| *code)
        });
        let code = code.ok_or_else(|| match has_prefix {
            true => ParseCriterionError::Own(shown(text)),
            false => ParseCriterionError::Unknown(shown(text)),
        })?;
        let mut criterion = Self::from(code);
        let mut taken: Vec<(char, String)> = Vec::new();
        while let Some(separator) = rest.chars().next() {
            let after = &rest[1..];
            let end = after.find([':', '/']).unwrap_or(after.len());
            let (modifier, next) = after.split_at(end);
            let written = format!("{separator}{}", shown(modifier));
            if code.takes('M') && separator == ':' && modifier.eq_ignore_ascii_case("GP") {
                return Err(ParseCriterionError::WinsByGamePoints(code.name()));
            }
            if criterion.modify(separator, modifier).is_none() {
                return Err(ParseCriterionError::Modifier {
                    code: code.name(),
                    modifier: written,
                    takes: match code.modifiers() {
                        modifiers if modifiers.is_empty() => "no modifier".to_owned(),
                        modifiers => modifiers,
                    },
                });
            }
            let kind = kind(separator, modifier);
            if let Some((_, first)) = taken.iter().find(|(earlier, _)| *earlier == kind) {
                return Err(ParseCriterionError::Modifiers {
                    code: code.name(),
                    first: first.clone(),
                    second: written,
                });
            }
            taken.push((kind, written));
            rest = next;
        }
        Ok(criterion)
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.code.name().to_owned();
        match self.score {
            Some(Score::Match) => text += ":MP",
            Some(Score::Game) => text += ":GP",
            None => {}
        }
        match (self.lowest, self.highest) {
            (0, _) => {}
            (lowest, 0) => text += &format!("/C{lowest}"),
            (lowest, _) => text += &format!("/M{lowest}"),
        }
        if self.limit != 0 {
            text += &format!("/L{:+}", self.limit);
        }
        for (is_set, modifier) in [(self.forfeits_played, "/P"), (self.fore, "/F"), (self.reversed, "/R")] {
            if is_set {
                text += modifier;
            }
        }
        f.pad(&text)
    }
}

impl Serialize for Criterion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Criterion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_named_once() {
        for (index, (code, name, ..)) in CODES.iter().enumerate() {
            assert_eq!(name.parse(), Ok(Criterion::from(*code)));
            assert_eq!(Criterion::from(*code).to_string(), *name);
            let again = |(other, known, ..): &(Code, &str, &str, &str)| other == code || known == name;
            assert!(!CODES[index + 1..].iter().any(again), "{name}");
        }
    }

    #[test]
    fn modifiers_are_read_and_written() {
        for text in [
            "BH/C1",
            "BH:GP/M2/P",
            "EMGSB/C1/P",
            "DE/P",
            "DE:GP",
            "SB:GP/C1",
            "KS/L-1",
            "KS/L+2",
            "TPN/R",
            "AOB/F",
            "PS/C1",
            "PS:GP/C2",
            "KS:MP/L+2",
            "WIN:MP",
            "WON:MP",
            "STD:GP",
            "ARO/C2",
        ] {
            assert_eq!(text.parse::<Criterion>().map(|c| c.to_string()).as_deref(), Ok(text));
            assert_eq!(text.to_lowercase().parse::<Criterion>(), text.parse());
        }
        assert_eq!("gp".parse(), Ok(Criterion::from(Code::GamePoints)));
        let order = [Code::GamePoints, Code::MatchPoints, Code::H2h, Code::Buchholz].map(Criterion::from);
        assert_eq!(in_tournament_files(&order), ["GPTS", "MPTS", "OTHER_H2H", "BH"]);
        let read: Vec<Criterion> = in_tournament_files(&order)
            .iter()
            .map(|code| code.parse().expect("ours"))
            .collect();
        assert_eq!(read, order);
        assert_eq!(in_tournament_files(&order[1..2]), ["PTS"]);
    }

    #[test]
    fn modifiers_that_contradict_each_other_are_refused() {
        for (text, said) in [
            ("BH/C1/C2", "BH has both `/C1` and `/C2`; write only one of them"),
            ("BH/m1/C1", "BH has both `/m1` and `/C1`; write only one of them"),
            ("BH:MP:GP", "BH has both `:MP` and `:GP`; write only one of them"),
            ("DE/P/p", "DE has both `/P` and `/p`; write only one of them"),
            ("KS/L+1/L-1", "KS has both `/L+1` and `/L-1`; write only one of them"),
        ] {
            assert_eq!(text.parse::<Criterion>().expect_err(text).to_string(), said);
        }
    }

    /// "A: based on a subset of games among the tied participants; may be listed more than once" (C.07 art. 4.3).
    #[test]
    fn an_order_may_have_direct_encounters_twice() {
        for list in [
            "DE,BH,DE",
            "DE,DE",
            "EDE/P,MPvGP,EDE/P",
            "de,BH,DE,SB,De",
            "immortal-direct-encounter,BH,immortal-direct-encounter",
        ] {
            let codes = || list.split(',');
            let order = listed(codes()).and_then(after_points).expect(list);
            assert_eq!(order.criteria.len(), codes().count() + 1, "{list}");
            assert_eq!(order.doubts, [""; 0], "{list}");
        }
        let twice = listed("EDET,MPvGP,EDEB".split(',')).expect("both are EDE");
        assert_eq!(twice.criteria.len(), 3);
        for list in ["DE,BH,BH", "h2h,BH,h2h", "DE,SB/C1,DE,SB/C1"] {
            let error = listed(list.split(',')).expect_err(list).to_string();
            assert!(error.ends_with(" is given twice"), "{list}: {error}");
        }
    }

    /// The codes that a program must read by "Mandatory Tie-Breaks", which belongs to TRF26: those computed, and
    /// those not.
    #[test]
    fn mandatory_codes() {
        let with = |name: &str, modifiers: &str| modifiers.split_whitespace().map(|of| format!("{name}{of}")).collect();
        let each = |names: &[&str], modifiers: &str| -> Vec<String> {
            let of_name = |name: &&str| -> Vec<String> { with(name, modifiers) };
            names
                .iter()
                .flat_map(of_name)
                .chain(names.iter().map(|&name| name.to_owned()))
                .collect()
        };
        let cuts = "/C1 /C2 /M1 /M2 /P /C1/P /C2/P /M1/P /M2/P";
        let computed = [
            each(
                &["WIN", "WON", "BPG", "BWG", "REP", "TPR", "PTP", "APRO", "APPO", "MPvGP"],
                "",
            ),
            each(&["WIN:MP", "WON:MP"], ""),
            each(&["DE", "EDE"], "/P"),
            each(&["PS", "PS:MP", "PS:GP"], "/C1 /C2"),
            each(&["ARO"], "/C1 /C2 /M1 /M2"),
            each(&["BH", "BH:MP", "BH:GP", "FB", "FB:MP", "FB:GP"], cuts),
            each(&["AOB", "AOB:MP", "AOB:GP"], "/F"),
            each(&["SB", "EMMSB", "EMGSB", "EGMSB", "EGGSB"], "/C1 /C2 /P /C1/P /C2/P"),
            each(&["KS", "KS:MP", "KS:GP"], "/L+1 /L-2 /L2"),
        ];
        for code in computed.concat() {
            let order = listed([code.as_str()]).unwrap_or_else(|error| panic!("{code}: {error}"));
            assert_eq!((order.criteria.len(), order.doubts.len()), (1, 0), "{code}");
        }
        for code in each(&["EDEBT", "EDEBB", "EDET", "EDEB"], "/P") {
            let order = listed([code.as_str()]).expect("a form of EDE");
            assert_eq!((order.criteria.len(), order.doubts.len()), (1, 1), "{code}");
        }
        let not_computed = [
            each(&["BC", "TBR", "BBE", "OTHER_OUR_OWN"], ""),
            vec!["WIN:GP".to_owned(), "WON:gp".to_owned()],
            each(&["SSSC"], "/F /P /F/P /K4 /F/K4 /P/K4 /F/P/K4"),
        ];
        for code in not_computed.concat() {
            let order = listed([code.as_str()]).expect("left out");
            assert_eq!(order.criteria, [], "{code}");
            assert!(
                order.doubts[0].starts_with(&format!("{code} is left out: ")),
                "{:?}",
                order.doubts
            );
        }
    }

    #[test]
    fn an_order_has_nothing_twice() {
        let said = |list: &str| {
            let order = listed(list.split(',')).and_then(after_points);
            order.map(|order| order.criteria).map_err(|error| error.to_string())
        };
        let order = |codes: &[Code]| Ok(codes.iter().copied().map(Criterion::from).collect());
        assert_eq!(
            said("BH,SB"),
            order(&[Code::Points, Code::Buchholz, Code::SonnebornBerger])
        );
        assert_eq!(said("PTS,BH"), order(&[Code::Points, Code::Buchholz]));
        assert_eq!(said("GPTS,MPTS"), order(&[Code::GamePoints, Code::MatchPoints]));
        assert_eq!(
            said("BH/C1,BH"),
            Ok(vec![
                Code::Points.into(),
                "BH/C1".parse().expect("one"),
                Code::Buchholz.into()
            ])
        );
        for (list, message) in [
            ("BH,sb,bh", "BH is given twice"),
            ("BH,PTS", "PTS is given twice"),
            (
                "PTS,MPTS",
                "PTS and match-points are the same points; leave one of them out",
            ),
            (
                "GPTS,PTS",
                "game-points and PTS are the same points; leave one of them out",
            ),
            (
                "BH,MPTS",
                "PTS and match-points are the same points; leave one of them out",
            ),
        ] {
            assert_eq!(said(list), Err(message.to_owned()), "{list}");
        }
    }

    #[test]
    fn what_is_none_is_named() {
        for (text, said) in [
            ("BHH", "`BHH` is not a tie-break; did you mean `BH`?"),
            ("", "`` is not a tie-break, such as BH/C1, SB or DE"),
            ("solkof", "`solkof` is not a tie-break; did you mean `solkoff`?"),
            ("BH/X", "BH takes no `/X`; it takes :MP, :GP, /C1, /C2, /M1, /M2, /P"),
            ("PS/M1", "PS takes no `/M1`; it takes :MP, :GP, /C1, /C2"),
            ("WIN/C1", "WIN takes no `/C1`; it takes :MP"),
            ("REP/C1", "REP takes no `/C1`; it takes no modifier"),
            (
                "KS/Lx",
                "KS takes no `/Lx`; it takes :MP, :GP, /L with half points, such as /L+1 or /L-1",
            ),
            (
                "tbr",
                "TBR ranks by the order of boards, which is not computed; leave it out, or list MPvGP or EDE instead",
            ),
        ] {
            let error = text.parse::<Criterion>().expect_err(text);
            assert_eq!(error.to_string(), said);
        }
    }
}
