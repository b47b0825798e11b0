//! A match of two players in figures: score, pairs, strength, the test.
//!
//! Only whole pairs count in the figures, and only those before which nothing is missing, so that the figures do not depend on the number
//! of games played at once. May not: play, or decide a test.

use swiss_system::count;
use swiss_system::word::Word as _;

use swissmatch_stats::pairs::{Pairs, Wdl, elo_of_score};
use swissmatch_stats::sprt::{Decimal, Look, Sprt, Units, Verdict};
use swissmatch_tournament::log::SprtDecided;
use swissmatch_tournament::sprt::{SprtTally, Test, first_player};
use swissmatch_tournament::state::State;

use super::faults;
use super::player_name;

#[derive(Clone, Debug)]
pub struct Versus {
    /// Whether two players meet in one mini-match, and nothing else happens.
    is_match: bool,
    tally: SprtTally,
    test: Option<Test>,
}

impl Versus {
    /// From an event before its first game.
    pub fn of(state: &State) -> Self {
        let created = state.created();
        Self {
            is_match: state.player_count() == 2 && created.rounds == 1 && created.tour.is_none(),
            tally: SprtTally::new(Units::Pentanomial),
            test: Test::of(state),
        }
    }

    /// A match without an event.
    pub const fn none() -> Self {
        Self {
            is_match: false,
            tally: SprtTally::new(Units::Pentanomial),
            test: None,
        }
    }

    /// From the present state of an event.
    pub fn now(state: &State) -> Self {
        let mut versus = Self::of(state);
        versus.go_on(state);
        versus
    }

    /// Adds what has ended since. After an act of the arbiter on a game it begins anew.
    pub fn go_on(&mut self, state: &State) {
        if !self.is_match {
            return;
        }
        while self.tally.step(state) {}
        if let Some(test) = &mut self.test {
            test.go_on(state, |_| {});
        }
    }

    /// The figures in one line, such as `Elo +12.3 ± 20.1, LLR 0.45 (-2.94, 2.94)`; `None` if it is no match of two, or has no pair.
    pub fn line(&self) -> Option<String> {
        if !self.is_match {
            return None;
        }
        let figures = self.tally.pairs.figures()?;
        let elo = with_error("Elo", figures.elo, figures.elo_error);
        let llr = self.test.as_ref().map(|test| {
            let look = test.look;
            format!(", LLR {} ({}, {})", two(look.llr), two(look.lower), two(look.upper))
        });
        Some(elo + &llr.unwrap_or_default())
    }

    /// The figures in a few lines; empty if it is no match of two.
    pub fn lines(&self, state: &State) -> Vec<String> {
        let Some(shown) = self.shown(state) else {
            return Vec::new();
        };
        let MatchFigures { first, second, .. } = &shown;
        let (wins, draws, losses) = (shown.games.wins, shown.games.draws, shown.games.losses);
        let mut lines = vec![format!(
            "{} – {}: {wins} won, {draws} drawn, {losses} lost; {} of {}",
            first,
            second,
            count::of(shown.pairs_count, "whole pair", "whole pairs"),
            count::of(shown.games_ended, "game", "games"),
        )];
        if let Some(figures) = self.tally.pairs.figures() {
            let pairs = &self.tally.pairs;
            let [ll, ld, level, wd, ww] = pairs.pentanomial();
            let percent =
                |share: Option<f64>| share.map_or_else(|| "–".to_owned(), |share| format!("{:.1} %", share * 100.0));
            lines.push(format!(
                "pairs by points 0 to 2: {ll}, {ld}, {level}, {wd}, {ww}; draws {}, level pairs {}, pairs ratio {}",
                percent(shown.games.draw_ratio()),
                percent(pairs.draw_ratio()),
                ratio(pairs.pairs_ratio()),
            ));
            lines.push(format!(
                "{}, {}, LOS {}",
                with_error("Elo", figures.elo, figures.elo_error),
                with_error("nElo", figures.nelo, figures.nelo_error),
                percent(figures.los),
            ));
        }
        lines.extend(self.look(state).map(|look| of_test(state, look)));
        lines.extend(shown.after_verdict());
        lines.extend(faults::sentence(&faults::by_termination(state)));
        lines.extend(faults::alarms_sentence(&faults::alarms(state)));
        lines
    }

    /// The player whose figures these are, and the other player; `None` if it is no match of two.
    pub(super) fn players(&self, state: &State) -> Option<[String; 2]> {
        let first = first_player(state);
        let second = state.numbers().find(|number| *number != first)?;
        self.is_match
            .then(|| [first, second].map(|player| player_name(state, player)))
    }

    pub(super) const fn pairs(&self) -> Pairs {
        self.tally.pairs
    }

    /// The games of these pairs, by result.
    pub(super) const fn games(&self) -> Wdl {
        self.tally.games
    }

    /// The number of pairs, or games, that the test has looked at; `None` without a test.
    pub(super) fn looked_at(&self) -> Option<u32> {
        Some(self.test.as_ref()?.tally.after)
    }

    /// The state of the test, or its state when it was decided; `None` without a test.
    pub(super) fn look(&self, state: &State) -> Option<Look> {
        let test = self.test.as_ref()?;
        Some(state.verdict().map_or(test.look, |decided| Look {
            llr: decided.llr,
            lower: decided.lower,
            upper: decided.upper,
            verdict: Some(decided.verdict),
        }))
    }

    /// The counts behind the figures; `None` if it is no match of two.
    fn shown(&self, state: &State) -> Option<MatchFigures> {
        if !self.is_match {
            return None;
        }
        let [first, second] = self.players(state)?;
        let games_ended = state.progress().1 as u64;
        let counted_in_test = self.test.as_ref().filter(|_| state.verdict().is_some());
        let in_test = counted_in_test.map(|test| match test_units(state) {
            Units::Pentanomial => 2 * u64::from(test.tally.after),
            Units::Trinomial => u64::from(test.tally.after),
        });
        Some(MatchFigures {
            first,
            second,
            games_ended,
            games: self.tally.games,
            pairs_count: self.tally.pairs.count(),
            games_after_verdict: in_test.map(|counted| games_ended.saturating_sub(counted)),
        })
    }
}

#[derive(Clone, Debug)]
struct MatchFigures {
    /// The player whose figures these are.
    first: String,
    second: String,
    games_ended: u64,
    /// Games of whole pairs, by result.
    games: Wdl,
    pairs_count: u64,
    /// Games that had begun before the verdict was in the log, and do not count in it. There may be several quick ones even if one is
    /// played at a time. `None` without a verdict.
    games_after_verdict: Option<u64>,
}

impl MatchFigures {
    fn after_verdict(&self) -> Option<String> {
        let games = self.games_after_verdict.filter(|games| *games > 0)?;
        let are = if games == 1 { "is" } else { "are" };
        Some(format!(
            "{} that had begun before the verdict {are} not counted in it",
            count::of(games, "game", "games")
        ))
    }
}

/// The state of a test, in a sentence.
fn of_test(state: &State, look: Look) -> String {
    let Some(sprt) = state.setup().sprt.test() else {
        return String::new();
    };
    let bounds = format!("({}, {})", two(look.lower), two(look.upper));
    let stands = match state.verdict() {
        Some(verdict) => decided(verdict, sprt.counts),
        None => format!("{} % of the way", way(look.llr, look.lower, look.upper)),
    };
    format!(
        "test of {}: LLR {} {bounds}, {stands}",
        hypotheses(&sprt),
        two(look.llr)
    )
}

/// How a test was decided, such as `H0 accepted after pair 20`.
pub fn decided(decided: &SprtDecided, units: Units) -> String {
    let SprtDecided {
        verdict,
        after,
        llr,
        lower,
        upper,
    } = decided;
    let after = format!("after {} {after}", unit(units));
    match verdict {
        Verdict::H0 if llr > lower => format!("H0 accepted {after}: all were lost"),
        Verdict::H1 if llr < upper => format!("H1 accepted {after}: all were won"),
        Verdict::H0 | Verdict::H1 => format!("{} accepted {after}", verdict.word()),
        Verdict::Neither => format!("neither hypothesis can be accepted any more, {after}"),
    }
}

/// Both hypotheses, such as `[0, 5] in normalized Elo`.
pub fn hypotheses(sprt: &Sprt) -> String {
    format!("[{}, {}] in {} Elo", sprt.elo0, sprt.elo1, sprt.model.word())
}

/// The word for what a test counts.
pub const fn unit(units: Units) -> &'static str {
    match units {
        Units::Pentanomial => "pair",
        Units::Trinomial => "game",
    }
}

fn test_units(state: &State) -> Units {
    state.setup().sprt.counts
}

/// How far an LLR is on its way to the bound of its sign, in percent.
pub(super) fn way(llr: Decimal, lower: Decimal, upper: Decimal) -> String {
    let bound = if llr < Decimal::default() { lower } else { upper };
    format!("{:.1}", llr.value() / bound.value() * 100.0)
}

pub(super) fn two(decimal: Decimal) -> String {
    format!("{:.2}", decimal.value())
}

pub(super) fn ratio(ratio: Option<f64>) -> String {
    match ratio {
        None => "–".to_owned(),
        Some(ratio) if ratio.is_infinite() => "∞".to_owned(),
        Some(ratio) => format!("{ratio:.2}"),
    }
}

/// The interval of a score in Elo, such as `-7.9 to +32.6`.
pub(super) fn interval_of_elo([low, high]: [f64; 2]) -> String {
    let shown = |score: f64, otherwise: &str| {
        elo_of_score(score).map_or_else(|| otherwise.to_owned(), |elo| format!("{elo:+.1}"))
    };
    format!("{} to {}", shown(low, "-∞"), shown(high, "+∞"))
}

/// A figure with half of its 95 % interval.
pub(super) fn with_error(name: &str, figure: Option<f64>, error: Option<f64>) -> String {
    match (figure, error) {
        (None, _) => format!("{name} –"),
        (Some(figure), None) => format!("{name} {figure:+.1}"),
        (Some(figure), Some(error)) => format!("{name} {figure:+.1} ± {error:.1}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Several games may have begun though one is played at a time: the next ones do not wait until the last one is in the log.
    #[test]
    fn games_beside_a_verdict_are_not_said_to_have_been_played_at_once() {
        let of = |games| MatchFigures {
            first: String::new(),
            second: String::new(),
            games_ended: 10,
            games: Wdl::NONE,
            pairs_count: 3,
            games_after_verdict: games,
        };
        let said = [None, Some(0), Some(1), Some(4)].map(|games| of(games).after_verdict());
        let four = "4 games that had begun before the verdict are not counted in it";
        let one = "1 game that had begun before the verdict is not counted in it";
        assert_eq!(said, [None, None, Some(one.to_owned()), Some(four.to_owned())]);
    }

    #[test]
    fn an_interval_in_elo_may_be_open() {
        assert_eq!(interval_of_elo([0.0, 0.5]), "-∞ to +0.0");
    }
}
