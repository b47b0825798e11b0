//! Every view and every export of an event, as text and as JSON: whatever was done, all of them can be told.
//!
//! May not: judge what they say; each has tests of its own for that.

use std::collections::BTreeSet;
use swissmatch::tournament::part_events::parts_after;
use swissmatch::tournament::ranking::standings_after;
use swissmatch::tournament::results::results_after;

use serde_json::Value;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::rounds::TournamentFormat;
use swissmatch::game::record::GameId;
use swissmatch::report::appeal::{self, EarlierEnd, OnGame};
use swissmatch::report::duplicates::Duplicates;
use swissmatch::report::pgn::{self, Comments};
use swissmatch::report::proposal::{self, Proposal};
use swissmatch::report::rescore::RescoreChanges;
use swissmatch::report::sampled::SampledPlaces;
use swissmatch::report::table::Page;
use swissmatch::report::trf::{self, View};
use swissmatch::report::why::ExplainedStandings;
use swissmatch::report::{
    analysis, confidence, crosstable, games, minutes, parts, playoff, prizes, rescore, roster, standings, summary,
};
use swissmatch::stats;
use swissmatch::tournament::log::Entry;
use swissmatch::tournament::resampled::resampled;
use swissmatch::tournament::rescore::rescore as ranked_anew;
use swissmatch::tournament::setup::DisqualificationEffect;
use swissmatch::tournament::state::State;

use super::{Played, TODAY};

const WIDTH: Option<u16> = Some(100);
/// A time of the log.
const AT: &str = "2026-11-21T10:00:00Z";

fn page(page: &Page) {
    assert!(!page.text(WIDTH).is_empty() && !page.markdown().is_empty() && !page.table.csv().is_empty());
}

/// The text of a JSON document.
fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Has everything told.
pub(crate) fn all(event: &Played) {
    let state = &event.state;
    let rounds = state.rounds().len();
    for round in 0..=rounds {
        for pages in [parts::standings(state, round), parts::crosstables(state, round)] {
            assert!(!pages.text(WIDTH).is_empty() && !pages.markdown().is_empty() && !pages.csv().is_empty());
        }
        json(&parts::standings_json(state, round));
        for view in [View::Individual, View::Teams] {
            if let Ok(text) = trf::text(state, view, round.min(state.rounds_over())) {
                assert!(text.is_ascii());
            }
        }
        for number in 1..=round {
            games::round(state, number).iter().for_each(page);
        }
    }
    let tables = match state.is_divided() {
        false => vec![(state.clone(), rounds)],
        true => {
            let parts = parts_after(state, rounds).into_iter();
            parts.map(|(_, own, rounds)| (own, rounds)).collect()
        }
    };
    for (state, rounds) in &tables {
        of_table(state, *rounds);
    }
    of_event(event);
    of_games(event);
}

/// What is of one table.
fn of_table(state: &State, rounds: usize) {
    page(&standings::page(state, rounds));
    json(&standings::json(state, rounds));
    crosstable::by_opponent(state, rounds).iter().for_each(page);
    if state.created().format == TournamentFormat::Knockout {
        return;
    }
    let ranked = standings_after(state, rounds);
    let case = ExplainedStandings {
        results: &results_after(state, rounds),
        rules: &state.setup().standings.rules(),
        standings: &ranked,
        edition: "2026",
        edition_by: None,
        name: &|number| state.player(number).name.clone(),
    };
    let listed: Vec<PairingNumber> = ranked.rows.iter().map(|row| row.player).collect();
    for &one in &listed {
        assert!(!case.player(one).is_empty() && case.player_json(one).is_object());
        for &other in listed.iter().filter(|other| **other > one) {
            assert!(!case.pair(one, other).is_empty() && case.pair_json(one, other).is_object());
        }
    }
    if state.house_players().next().is_none()
        && let Ok((drawn, fixed)) = resampled(state, rounds)
    {
        let shown = SampledPlaces {
            places: &stats::confidence::confidence(&drawn, 1, 3, || ()),
            samples: 3,
            rng_seed: 1,
            fixed: &fixed,
        };
        page(&confidence::page(state, rounds, &shown));
        json(&confidence::json(state, rounds, &shown));
    }
    for usage in [DisqualificationEffect::OffTheList, DisqualificationEffect::Annulled] {
        for player in state.numbers() {
            let out = vec![player];
            let rescored = ranked_anew(state, state.setup().clone(), rounds, &out, &[]);
            let changes = RescoreChanges {
                keys: Vec::new(),
                out,
                unrated: None,
                usage,
                answers: None,
            };
            page(&rescore::page(state, rounds, &rescored, &changes));
            json(&rescore::json(state, &rescored, &changes));
        }
    }
}

/// What is of the event.
fn of_event(event: &Played) {
    let state = &event.state;
    assert!(!summary::text(state, None).is_empty());
    json(&summary::json(state, None, None));
    let log: Vec<(&str, &Entry)> = event.log.iter().map(|event| (AT, event)).collect();
    let told = minutes::of_log(&log).expect("its own log");
    assert!(!minutes::text(state, &told).is_empty());
    json(&minutes::json(state, &told));
    assert_eq!(playoff::text(state, WIDTH).is_some(), playoff::json(state).is_some());
    assert_eq!(
        playoff::text(state, WIDTH).is_some(),
        playoff::markdown(state).is_some()
    );
    playoff::json(state).iter().for_each(|text| drop(json(text)));
    assert!(playoff::status(state).iter().all(|line| !line.is_empty()));
    if state.setup().has_prizes() && state.rounds_are_over() {
        let pages = prizes::pages(state);
        assert!(!pages.text(WIDTH).is_empty() && !pages.markdown().is_empty() && !pages.csv().is_empty());
        json(&prizes::json(state));
    }
    if let Ok(Proposal::Round { paired, state }) = proposal::next(state, TODAY) {
        assert!(!proposal::text(&state, &paired, WIDTH).is_empty());
        json(&proposal::json(&state, &paired));
    }
    let duplicates = Duplicates::find(state);
    page(&duplicates.page(state));
    json(&duplicates.json(state));
    let setup = state.setup();
    page(&roster::page(
        &setup.event.name,
        &setup.players,
        &state.created().order,
        Vec::new(),
    ));
    json(&roster::json(
        &setup.event.name,
        &setup.players,
        &state.created().order,
        None,
    ));
    assert!(
        analysis::page(state).is_none() && analysis::json(state).is_none(),
        "nothing was analysed"
    );
}

/// What is of games.
fn of_games(event: &Played) {
    let state = &event.state;
    let finished: Vec<_> = state.finished_games().collect();
    assert!(!games::table(state, &finished).csv().is_empty());
    json(&games::json(state, &finished));
    for game in &finished {
        for comments in [Comments::Full, Comments::None] {
            let text = pgn::game(state, game, None, "2026.11.21", comments).expect("no moves are no wrong ones");
            assert!(text.starts_with("[Event "));
        }
    }
    let ended = event.log.iter().filter_map(|event| match event {
        Entry::GameFinished(game) => Some(game.id),
        _ => None,
    });
    for id in ended.collect::<BTreeSet<GameId>>() {
        of_game(event, id);
    }
}

/// A game in words.
fn of_game(event: &Played, id: GameId) {
    let board = event.state.mini_match(id).expect("it was on the schedule");
    let logged = |index| appeal::EntryReference {
        seq: i64::try_from(index).expect("few events"),
        at: AT,
        hash: "0",
    };
    let (mut acts, mut ends, mut interrupted) = (Vec::new(), Vec::new(), Vec::new());
    for (index, event) in event.log.iter().enumerate() {
        match event {
            Entry::Acted(acted) if appeal::is_about(&acted.act, id) => acts.push(OnGame {
                logged: logged(index),
                acted,
            }),
            Entry::GameFinished(finished) if finished.id == id => ends.push(EarlierEnd {
                logged: logged(index),
                finished,
            }),
            Entry::Interrupted(ended) if ended.games.as_ref().is_none_or(|games| games.contains(&id)) => {
                interrupted.push((logged(index), ended));
            }
            _ => {}
        }
    }
    let finished = board.games.ended(id.game);
    let counts = finished.and_then(|_| ends.pop());
    let case = appeal::AppealCase {
        state: &event.state,
        id,
        game: finished,
        finished: counts.map(|end| end.finished),
        record: None,
        warnings: &[],
        paired_at: Some(AT),
        logged: counts.map(|end| end.logged),
        evidence: None,
        manifest: None,
        run: "run",
        is_played: false,
        acts: &acts,
        replayed: &ends,
        interrupted: &interrupted,
    };
    assert!(
        !appeal::text(&case, true)
            .expect("no moves are no wrong ones")
            .is_empty()
    );
    assert!(
        appeal::json(&case, true)
            .expect("no moves are no wrong ones")
            .is_object()
    );
}
