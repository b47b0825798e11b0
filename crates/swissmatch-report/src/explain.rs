//! Why a round was paired as it was, in sentences.
//!
//! May not: find reasons; they are handed in.

pub mod bye;
pub mod made;
pub mod pairs;

use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};

use serde_json::{Value, json};
use swiss_system::count;
use swiss_system::pairing::by_aims;
use swiss_system::pairing::by_aims::Aim;
use swiss_system::pairing::dutch::criterion::DutchCriterion;
use swiss_system::pairing::dutch::explain::{Choice, DutchExplanation, ExplainedBracket, Rule, RuledOutChoice};
use swiss_system::pairing::dutch::rules::DutchEdition;
use swiss_system::pairing::history::{PairingNumber, RoundPairing};
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::pairing::system::{self, PairingSystem};
use swiss_system::word::Word as _;

use crate::untrusted;
use swissmatch_tournament::log::ByeWorth;
use swissmatch_tournament::state::{Out, State};

/// Gives the name of a player: number and name, harmless to print.
pub type Names<'a> = &'a dyn Fn(PairingNumber) -> String;

/// A pairing number as it stands in a sentence, so that it is not taken for a quantity.
pub fn numbered(number: impl Display) -> String {
    format!("#{number}")
}

/// Puts a first line before a text that names players by numbers, which says what these are.
pub fn introduced(text: &str) -> String {
    text.replacen('\n', " #4 stands for pairing number 4.\n", 1)
}

/// A player of an event, by number and name.
pub fn called(state: &State, number: PairingNumber) -> String {
    format!("{} {}", numbered(number), untrusted::name(state, number))
}

fn named(numbers: &[PairingNumber], name: Names<'_>) -> String {
    let words: Vec<String> = numbers.iter().map(|&number| name(number)).collect();
    words.join(", ")
}

/// The demand of a criterion, as the end of "then …".
const fn consequence(criterion: DutchCriterion) -> &'static str {
    match criterion.0 {
        5 => "a player with a higher score would get the bye",
        6 => "more players would float down",
        7 => "players with higher scores would float down",
        8 => "the next bracket could be paired less well",
        9 => "a player with more unplayed games would get the bye",
        10 => "one more topscorer or opponent of one would get a colour difference beyond 2",
        11 => "one more topscorer or opponent of one would get the same colour three times running",
        12 => "one more player would not get the colour preferred",
        13 => "one more player would not get the colour strongly preferred",
        14 => "one more resident who floated down in the last round would float down",
        15 => "one more player who floated up in the last round would meet a moved-down player",
        16 => "one more resident who floated down two rounds ago would float down",
        17 => "one more player who floated up two rounds ago would meet a moved-down player",
        18 => "a moved-down player who floated down in the last round would have a wider score difference",
        19 => "a player who floated up in the last round would have a wider score difference",
        20 => "a moved-down player who floated down two rounds ago would have a wider score difference",
        _ => "a player who floated up two rounds ago would have a wider score difference",
    }
}

fn rule(by: Rule, edition: DutchEdition) -> String {
    match by {
        Rule::Barred(obstacle) => format!("they must not meet ({obstacle})"),
        Rule::Completion => "then not everybody could be paired (C4)".to_owned(),
        Rule::Criterion(criterion) => format!("then {} ({})", consequence(criterion), criterion.name(edition)),
        Rule::Exchange => {
            "it is only as good with another exchange between the halves, which comes later (article 4.3)".to_owned()
        }
        Rule::Order => "no criterion is against it, but it is generated later (article 4)".to_owned(),
    }
}

fn ruled_out(what: &RuledOutChoice, edition: DutchEdition, name: Names<'_>) -> String {
    let by = rule(what.by, edition);
    match what.choice {
        Choice::Pair(one, other, taken) => format!("{} meets {} and not {}: {by}", name(one), name(taken), name(other)),
        Choice::PairMovedDown(player) => format!("{} is not paired here: {by}", name(player)),
        Choice::PairDownfloaters(one, other) => {
            format!("{} and {} both float down: {by}", name(one), name(other))
        }
        Choice::FloatDown(player) => format!("{} does not float down: {by}", name(player)),
        Choice::NoExchange if what.by == Rule::Completion => {
            "the upper half does not simply meet the lower half: some of its players have nobody there to meet (C1, C3)"
                .to_owned()
        }
        Choice::NoExchange => format!("the upper half does not simply meet the lower half: {by}"),
    }
}

/// Why a round of a Swiss has its pairing, as text and as JSON; `None` if the system does not tell.
pub fn swiss(
    round: u32,
    system: PairingSystem,
    explanation: &system::PairingExplanation,
    name: Names<'_>,
) -> Option<(String, Value)> {
    match explanation {
        system::PairingExplanation::Dutch(explanation, edition) => Some((
            dutch(round, explanation, *edition, name),
            dutch_json(round, explanation, *edition, name),
        )),
        system::PairingExplanation::ByAims(explanation) => {
            let text = match system {
                PairingSystem::Immortal => immortal(round, explanation, name),
                _ => match_points(round, explanation, name),
            };
            Some((text, by_aims_json(round, system.word(), explanation)))
        }
        system::PairingExplanation::Untold => None,
    }
}

/// Puts a sentence for each pair after the first line of an explanation.
pub fn with_pairs(text: &str, pairs: &str) -> String {
    match text.split_once('\n') {
        Some((head, rest)) if !pairs.is_empty() => format!("{head}\n\n{pairs}{rest}"),
        _ => text.to_owned(),
    }
}

/// How a system pairs, as the middle of a sentence.
pub const fn how(system: PairingSystem) -> &'static str {
    match system {
        PairingSystem::MatchPoints => {
            "by match points: fewest repeats, then nearest match points, then repeats of the oldest meetings, then top half \
             against bottom half"
        }
        PairingSystem::Immortal => {
            "by \"immortal\": fewest repeats, then fewest with a colour too often in a row, then nearest points, then top half \
             against bottom half by rating"
        }
        PairingSystem::Dutch => "by the Dutch system (C.04.3)",
        PairingSystem::DoubleSwiss => {
            "by the Double-Swiss system (C.04.5), by game points: nobody meets twice; the top-scoregroup is paired as a whole, \
             with the fewest upfloaters and from as near as possible, smaller numbers first"
        }
        PairingSystem::UsChess => "by \"us-chess\": within score groups the top half meets the bottom half by rating",
    }
}

/// Like [`how`], but for a system that gives no reasons.
pub fn untold(system: PairingSystem) -> String {
    format!(
        "{}; why this pairing was chosen is explained only for \"match-points\", \"immortal\" and \"dutch\"",
        how(system)
    )
}

/// Whether a system gives reasons for its pairings.
pub const fn is_told(system: PairingSystem) -> bool {
    matches!(
        system,
        PairingSystem::MatchPoints | PairingSystem::Immortal | PairingSystem::Dutch
    )
}

/// Why a format that fixes its pairs has those of a round, as the words that follow the round's number; `None` for other formats.
pub const fn fixed(format: TournamentFormat) -> Option<&'static str> {
    match format {
        TournamentFormat::AllPlayAll => {
            Some("of an all-play-all: the Berger tables fix who meets whom and who has White")
        }
        TournamentFormat::Gauntlet => {
            Some("of a gauntlet: who meets whom and who has White is fixed by the pairing numbers")
        }
        TournamentFormat::Knockout => {
            Some("of a knockout: the winners of neighbouring ties meet, by the bracket of the pairing numbers")
        }
        TournamentFormat::Swiss | TournamentFormat::Quads | TournamentFormat::Stages | TournamentFormat::Sections => {
            None
        }
    }
}

pub fn dutch(round: u32, explanation: &DutchExplanation, edition: DutchEdition, name: Names<'_>) -> String {
    let mut text = format!("Round {round}, Dutch system (C.04.3, edition {}).\n", edition.word());
    if let Some(bye) = &explanation.bye {
        let _ = writeln!(text, "\nThe bye: {}.", name(bye.player));
        if edition == DutchEdition::Of2026 && bye.barred.is_empty() && bye.needed.is_empty() {
            text.push_str("  Nobody has a lower score (C5).\n");
        }
        if !bye.barred.is_empty() {
            let _ = writeln!(
                text,
                "  Lower scored, but must not have it (C2): {}.",
                named(&bye.barred, name)
            );
        }
        if !bye.needed.is_empty() {
            let _ = writeln!(
                text,
                "  Lower scored, but without them the others could not all be paired (C4): {}.",
                named(&bye.needed, name)
            );
        }
    }
    for (number, bracket) in (1..).zip(&explanation.brackets) {
        write_bracket(&mut text, number, bracket, edition, name);
    }
    text
}

fn write_bracket(
    text: &mut String,
    number: usize,
    explained: &ExplainedBracket,
    edition: DutchEdition,
    name: Names<'_>,
) {
    let bracket = &explained.bracket;
    let _ = writeln!(
        text,
        "\nBracket {number}, {}: {}.",
        count::of(bracket.score, "point", "points"),
        named(&bracket.residents, name)
    );
    if !bracket.moved_down.is_empty() {
        let _ = writeln!(text, "  Moved-down players: {}.", named(&bracket.moved_down, name));
    }
    for &(higher, lower) in &bracket.pairs {
        let _ = writeln!(text, "  {} – {}", name(higher), name(lower));
    }
    if !bracket.downfloaters.is_empty() {
        let _ = writeln!(text, "  Downfloaters: {}.", named(&bracket.downfloaters, name));
    }
    if explained.ruled_out.is_empty() {
        text.push_str("  It is the first candidate, and none is better.\n");
    }
    for what in &explained.ruled_out {
        let _ = writeln!(text, "  - {}.", ruled_out(what, edition, name));
    }
    let mut unmet: Vec<(DutchCriterion, u64)> = Vec::new();
    for &(criterion, count) in explained
        .unmet
        .iter()
        .filter(|(criterion, _)| (10..=17).contains(&criterion.0))
    {
        unmet.push((criterion, count));
    }
    if !unmet.is_empty() {
        let words: Vec<String> = unmet
            .iter()
            .map(|(criterion, count)| format!("{} ({count})", criterion.name(edition)))
            .collect();
        let _ = writeln!(
            text,
            "  Not fully met, but as nearly as possible: {}.",
            words.join(", ")
        );
    }
}

/// Like [`dutch`], but for programs.
pub fn dutch_json(round: u32, explanation: &DutchExplanation, edition: DutchEdition, name: Names<'_>) -> Value {
    let numbers = |numbers: &[PairingNumber]| json!(numbers);
    let brackets = explanation.brackets.iter().map(|explained| {
        let bracket = &explained.bracket;
        json!({
            "score": bracket.score,
            "moved_down": numbers(&bracket.moved_down),
            "residents": numbers(&bracket.residents),
            "pairs": bracket.pairs,
            "downfloaters": numbers(&bracket.downfloaters),
            "ruled_out": explained.ruled_out.iter().map(|what| choice_json(what, edition, name)).collect::<Vec<_>>(),
        })
    });
    json!({
        "schema": 1,
        "round": round,
        "pairing": "dutch",
        "edition": edition.word(),
        "bye": explanation.bye.as_ref().map(|bye| json!({
            "player": bye.player,
            "lower_scored_barred": numbers(&bye.barred),
            "lower_scored_needed": numbers(&bye.needed),
        })),
        "brackets": brackets.collect::<Vec<_>>(),
    })
}

fn choice_json(what: &RuledOutChoice, edition: DutchEdition, name: Names<'_>) -> Value {
    let (kind, players) = match what.choice {
        Choice::Pair(one, other, taken) => ("pair", vec![one, other, taken]),
        Choice::PairMovedDown(player) => ("pair-moved-down", vec![player]),
        Choice::PairDownfloaters(one, other) => ("pair-downfloaters", vec![one, other]),
        Choice::FloatDown(player) => ("float-down", vec![player]),
        Choice::NoExchange => ("no-exchange", Vec::new()),
    };
    let by = match what.by {
        Rule::Barred(obstacle) => obstacle.to_string(),
        Rule::Completion => "C4".to_owned(),
        Rule::Criterion(criterion) => criterion.name(edition),
        Rule::Exchange => "article 4.3".to_owned(),
        Rule::Order => "article 4".to_owned(),
    };
    json!({ "choice": kind, "players": players, "by": by, "text": ruled_out(what, edition, name) })
}

fn aim(by: Aim) -> String {
    match by {
        Aim::Forbidden => "that is forbidden, or would leave only forbidden pairs".to_owned(),
        Aim::Met(round) => format!("they met in round {round}"),
        Aim::Repeats => "then pairs would meet again more often (sum of squared numbers of meetings)".to_owned(),
        Aim::ColorStreak => "then more players would have a colour too often in a row (swiss.color_streak)".to_owned(),
        Aim::Distance => "then points would lie further apart (sum of squared differences)".to_owned(),
        Aim::LastMet => "then pairs would meet again sooner (sum of the rounds in which they last met)".to_owned(),
        Aim::RankCost => {
            "then the round would be further from the usual order, in which the first of the top half meets the first \
                          of the bottom half (sum of rank costs)"
                .to_owned()
        }
        Aim::Order => "it is as good, but comes later in the order of lists of pairs".to_owned(),
    }
}

fn match_points(round: u32, explanation: &by_aims::AimsExplanation, name: Names<'_>) -> String {
    by_aims(
        round,
        how(PairingSystem::MatchPoints),
        "first by bye.order",
        explanation,
        name,
    )
}

fn immortal(round: u32, explanation: &by_aims::AimsExplanation, name: Names<'_>) -> String {
    let bye = if explanation.again {
        "nobody present may have it: the fewest times left over, then the fewest repeats of the others, then the lowest points, \
         then the lowest rating (bye.again)"
    } else {
        "of those who had none: the fewest repeats of the others, then the lowest points, then the lowest rating"
    };
    by_aims(round, how(PairingSystem::Immortal), bye, explanation, name)
}

/// The explanation of a round whose pairing is the best by certain aims.
fn by_aims(
    round: u32,
    aims: &str,
    why_the_bye: &str,
    explanation: &by_aims::AimsExplanation,
    name: Names<'_>,
) -> String {
    let mut text = format!("Round {round}, {aims}.\n");
    if let Some(bye) = explanation.bye {
        let _ = writeln!(text, "\nThe bye: {}, {why_the_bye}.", name(bye));
    }
    for (points, members) in &explanation.groups {
        let _ = writeln!(
            text,
            "\n{}: {}.",
            count::of(points, "point", "points"),
            named(members, name)
        );
    }
    text.push('\n');
    for (pair, ruled_out) in &explanation.pairs {
        let again = if pair.repeat {
            ", who meet again: no round is possible without a repeat"
        } else {
            ""
        };
        let _ = writeln!(text, "{} – {}{again}", name(pair.white), name(pair.black));
        for what in ruled_out {
            let _ = writeln!(
                text,
                "  - {} does not meet {}: {}.",
                name(what.player),
                name(what.opponent),
                aim(what.by)
            );
        }
    }
    text
}

/// Like [`by_aims()`], but for programs.
fn by_aims_json(round: u32, system: &str, explanation: &by_aims::AimsExplanation) -> Value {
    let groups = explanation.groups.iter();
    let groups = groups.map(|(points, members)| json!({ "points": points, "players": members }));
    let pairs = explanation.pairs.iter().map(|(pair, ruled_out)| {
        let ruled_out = ruled_out.iter();
        let ruled_out =
            ruled_out.map(|what| json!({ "player": what.player, "opponent": what.opponent, "by": aim(what.by) }));
        json!({ "white": pair.white, "black": pair.black, "repeat": pair.repeat, "ruled_out": ruled_out.collect::<Vec<_>>() })
    });
    json!({
        "schema": 1,
        "round": round,
        "pairing": system,
        "bye": explanation.bye,
        "bye_again": explanation.again,
        "groups": groups.collect::<Vec<_>>(),
        "pairs": pairs.collect::<Vec<_>>(),
    })
}

/// A round whose pairs all have one reason, `why`, which follows the round's number. The players in `free` have no opponent by the table.
pub fn as_it_is(round: u32, why: &str, pairing: &RoundPairing, free: &[PairingNumber], name: Names<'_>) -> String {
    let mut text = format!("Round {round} {why}.\n\n");
    for pair in &pairing.pairs {
        let _ = writeln!(text, "{} – {}", name(pair.white), name(pair.black));
    }
    let named = |numbers: &[PairingNumber]| {
        numbers
            .iter()
            .map(|number| name(*number))
            .collect::<Vec<_>>()
            .join("; ")
    };
    match pairing.byes().collect::<Vec<_>>().as_slice() {
        [] => {}
        byes @ [_] => text += &format!("The bye: {}.\n", named(byes)),
        byes => text += &format!("Byes: {}.\n", named(byes)),
    }
    if !pairing.again.is_empty() {
        text += "  Nobody present has a right to it (bye.again).\n";
    }
    if !free.is_empty() {
        text += &format!("Free: {}.\n", named(free));
    }
    text
}

/// The players who were not to play in a round, and the pairs that the arbiter wanted; empty where there are none.
pub fn aside(
    out: &BTreeMap<PairingNumber, Out>,
    by_arbiter: &[[PairingNumber; 2]],
    name: &dyn Fn(PairingNumber) -> String,
) -> String {
    let mut text = String::new();
    if !by_arbiter.is_empty() {
        let pairs = by_arbiter
            .iter()
            .map(|[white, black]| format!("{} – {}", name(*white), name(*black)));
        let pairs: Vec<String> = pairs.collect();
        text += &format!(
            "\nPaired by the arbiter; the others were paired without them: {}.\n",
            pairs.join(", ")
        );
    }
    if !out.is_empty() {
        let players = out
            .iter()
            .map(|(player, out)| format!("{} ({})", name(*player), why_out(*out)));
        let players: Vec<String> = players.collect();
        text += &format!("\nNot to be paired: {}.\n", players.join(", "));
    }
    text
}

/// The players who were not to play in a round, and why, for programs.
pub fn out_json(out: &BTreeMap<PairingNumber, Out>) -> Value {
    out.iter()
        .map(|(player, out)| json!({ "player": player, "why": out_word(*out) }))
        .collect()
}

/// Why a player was not to play in a round, in words for people.
pub(crate) fn why_out(out: Out) -> String {
    out_word(out).replace("-bye", " bye")
}

/// Like [`why_out`], but for programs.
pub(crate) const fn out_word(out: Out) -> &'static str {
    match out {
        Out::Withdrawn => "withdrawn",
        Out::Disqualified => "disqualified",
        Out::Absent => "absent",
        Out::Bye(ByeWorth::Full) => "full-point-bye",
        Out::Bye(ByeWorth::Half) => "half-point-bye",
        Out::Bye(ByeWorth::Zero) => "zero-point-bye",
    }
}
