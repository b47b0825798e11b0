//! The outcome of a match of two, for the overview: score, Elo, and the test between its bounds.
//!
//! May not: compute a figure.

use maud::{Markup, html};
use swiss_system::count;

use super::super::super::html::Links;
use super::super::super::untrusted::name;
use super::super::super::versus::Versus;
use super::{half_in_elo, test};
use swissmatch_tournament::sprt::first_player;
use swissmatch_tournament::state::State;

/// The outcome of two players in one mini-match, from its first whole pair on; empty for other events.
pub(in crate::page) fn of_match(state: &State, links: &Links<'_>) -> Markup {
    shown(state, links).unwrap_or_default()
}

fn shown(state: &State, links: &Links<'_>) -> Option<Markup> {
    let versus = Versus::now(state);
    versus.players(state)?;
    let first = first_player(state);
    let other = state.numbers().find(|number| *number != first)?;
    let pairs = versus.pairs();
    let figures = pairs.figures()?;
    let interval = pairs.interval().filter(|_| figures.score_error.is_some());
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let elo = figures.elo.map(|elo| {
        let error = interval.and_then(half_in_elo);
        let error = error.map_or_else(String::new, |error| format!(" ± {error:.1}"));
        format!("{elo:+.1}{error}").replace('-', "−")
    });
    let agent = |player| {
        let shown = name(state, player);
        html! { a href=[links(&shown)] { (shown) } }
    };
    Some(html! {
        section.verdict aria-labelledby="verdict" {
            h2 #verdict { "What the score means" }
            dl.facts {
                div {
                    dt { "Score of " (name(state, first)) }
                    dd { (percent(figures.score)) }
                    @if let Some([low, high]) = interval { dd.small { "95 % interval " (percent(low)) " to " (percent(high)) } }
                }
                @if let Some(elo) = elo { div {
                    dt { "Elo difference" } dd { (elo) }
                    dd.small { "from " (count::of(pairs.count(), "game pair", "game pairs")) }
                } }
                @if let Some(los) = figures.los { div {
                    dt { "Likelihood of superiority" } dd { (percent(los)) }
                } }
                @if let Some(test) = test(state, &versus) { div.test {
                    dt { "Sequential test: " (test.hypotheses) }
                    dd {
                        @match test.verdict {
                            Some(verdict) => { (verdict) " is accepted" }
                            None => { "LLR " (test.llr.to_string().replace('-', "−")) }
                        }
                    }
                    dd.bounds {
                        span { (test.lower.to_string().replace('-', "−")) } meter min=(test.lower) max=(test.upper) value=(test.llr) aria-label="Log-likelihood ratio between its bounds" {
                            (test.llr)
                        } span { (test.upper) }
                    }
                } }
            }
            p.note {
                "By the game pairs of " (agent(first)) " against " (agent(other)) ". " a href="#match-1.1" { "All games, the graph and all figures" } "."
            }
        }
    })
}
