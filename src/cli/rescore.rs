//! `swissmatch rescore [RUN]`
//!
//! May not: rank anybody; touch what is stored.

use std::io;
use std::io::Write as _;

use anyhow::anyhow;
use clap::Args;
use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::standings::criterion::{Code, RankingOrder};
use swiss_system::word::Word as _;
use swissmatch_tournament::results::results_after;

use swissmatch_config as config;
use swissmatch_game::record::GameId;
use swissmatch_game::termination::Outcome;
use swissmatch_report::rescore::{RescoreChanges, json, pages};
use swissmatch_report::why::ExplainedStandings;
use swissmatch_run::answers::OtherRule;
use swissmatch_run::ladder::known_rules;
use swissmatch_run::open_run::OpenRun;
use swissmatch_run::other_game_rules::ByOtherRules;
use swissmatch_tournament::answers::Answers;
use swissmatch_tournament::rescore::rescore;
use swissmatch_tournament::setup::{Claims, Setup};
use swissmatch_tournament::state::State;

use swiss_system::text::{LONGEST_NAME, brief};

use super::exit::{Exit, Failure};
use super::file_ranking::parse_list;
use super::form::FormFlags;
use super::output::print;
use super::which_run::{WhichRunArgs, checked_round};
use super::why::{explain, find};

/// Keys that say what was played is worth.
const FREE: [&str; 3] = ["scoring.", "bye.", "standings."];

/// The keys of games that may be looked at anew: what they ask for stands in their records.
const OF_GAMES: [&str; 11] = [
    "game.flag_fall",
    "game.claims",
    "game.max_moves",
    "game.max_plies",
    "game.plies_from",
    "adjudication.resign_score",
    "adjudication.resign_moves",
    "adjudication.resign_two_sided",
    "adjudication.draw_score",
    "adjudication.draw_moves",
    "adjudication.draw_from_move",
];

/// Rank a run by other rules, and show what moves
///
/// You can change scoring, what a bye is worth, the list of tie-breaks and their edition, what a
/// flag fall costs, whether a draw that could be claimed ends a game, its cap, and which scores end
/// it. Shows the new standings, and who moves compared with the old ones. A game that was ended by a
/// rule that the new ones lack is named, and keeps its result. Nothing that is stored changes.
///
/// With --rules a round of a ladder is ranked by another version of its rules (docs/ladder.md). What
/// only another game could show, such as another time control, is named.
///
/// With --answers the kept answers of language models are read by another rule, without a call.
/// Shows the turns that come to something else, the games that were lost by the rule of reading, and
/// where a game cannot be continued as it was played: such a game is left out of the standings, as
/// if annulled. What was not kept (model.keep) is counted. See docs/models.md.
///
///   swissmatch rescore --set scoring.match=[3,1,0]
///   swissmatch rescore results/event --order match-points,BH/C1,SB --edition 2024
///   swissmatch rescore --exclude "Alpha 3"      off the list; those below move up, scores stay
///   swissmatch rescore --exclude "Alpha 3" --set standings.disqualified=annulled
///   swissmatch rescore --set game.flag_fall=draw-if-cannot-mate     names the games that change
///   swissmatch rescore --set game.claims=claimable          likewise, by draws that could be claimed
///   swissmatch rescore --set game.max_plies=300             likewise, by a cap
///   swissmatch rescore results/season/ladder/3 --rules 2
///   swissmatch rescore --edition 2024 --explain Beta Gamma     why one is then before the other
///   swissmatch rescore --answers take=last --answers tag=move
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct RescoreArgs {
    #[command(flatten)]
    run: WhichRunArgs,
    /// A key of [scoring], [bye] or [standings], or one that says how games end, as KEY=VALUE; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// By this version of the rules of a ladder ([[rules]]), from 1
    #[arg(long, value_name = "VERSION")]
    rules: Option<usize>,
    /// Criteria in their order, such as BH/C1,SB,DE: short for --set standings.order=…; points come first
    #[arg(long, value_name = "LIST", visible_alias = "tiebreaks")]
    order: Option<String>,
    /// Edition of C.07: short for --set standings.edition=YEAR
    #[arg(long, value_name = "YEAR")]
    edition: Option<String>,
    /// Leave out this player, by name or pairing number; standings.disqualified says how; may be given several times
    #[arg(long, value_name = "PLAYER")]
    exclude: Vec<String>,
    /// Read the kept answers of models by KEY, which is tag, take, notation, in_reasoning or resign; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    answers: Vec<String>,
    /// Explain a player's row of the new table, or with two players, what puts one before the other
    #[arg(long, value_name = "PLAYER", num_args = 1..=2, conflicts_with_all = ["markdown", "csv"])]
    explain: Vec<String>,
    /// The standings as they stood after this round
    #[arg(long, value_name = "N")]
    round: Option<usize>,
    #[command(flatten)]
    form: FormFlags,
}

impl RescoreArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let run = self.run.open_event()?;
        let round = checked_round(&run, self.round)?;
        if run.state.is_divided() || run.state.created().format == TournamentFormat::Knockout {
            return Err(Failure::usage(anyhow!(
                "rescore ranks one table by other rules; this event has several parts, or is a knockout, in which the winner goes on"
            )));
        }
        let old = run.state.setup();
        let mut setup = self.setup(old)?;
        let untold = self.by_version(&run, &mut setup)?;
        let rule = OtherRule::read("--answers", &self.answers).map_err(|why| Failure::usage(anyhow!(why)))?;
        let results = results_after(&run.state, round);
        let mut out: Vec<PairingNumber> = Vec::new();
        for wanted in &self.exclude {
            let player = find(&results, wanted)?;
            if !out.contains(&player) {
                out.push(player);
            }
        }
        let keys = config::difference(old, &setup).into_iter().map(|change| {
            let shown = |value: Option<String>| value.unwrap_or_else(|| "not set".to_owned());
            format!("{}: {} → {}", change.key, shown(change.old), shown(change.new))
        });
        let mut keys: Vec<String> = keys.collect();
        let byes_given = run
            .state
            .rounds()
            .iter()
            .any(|round| round.pairing.byes().next().is_some());
        if byes_given && old.scoring.r#match != setup.scoring.r#match && old.bye.match_points == setup.bye.match_points
        {
            keys.push(format!(
                "A bye stays worth {} match points; --set bye.match_points=… changes that.",
                setup.bye.match_points
            ));
        }
        keys.extend(untold);
        let ByOtherRules { mut changed, open } = by_other_rules(&run, old, &setup, round)?;
        keys.extend(
            changed
                .iter()
                .map(|&(id, outcome)| words_of_change(&run.state, id, outcome)),
        );
        keys.extend(open.iter().map(|id| words_of_open(&run.state, *id)));
        if plays_otherwise(old, &setup) && changed.is_empty() {
            keys.push("No game has another result.".to_owned());
        }
        let answers = self.answers(&run, &rule, round)?;
        changed.extend(answers.iter().flat_map(Answers::left_open));
        let changes = RescoreChanges {
            keys,
            out,
            answers,
            unrated: setup.standings.unrated,
            usage: setup.standings.disqualified,
        };
        let rules = setup.standings.rules();
        let rescored = rescore(&run.state, setup, round, &changes.out, &changed);
        if rescored.after.rows.is_empty() {
            return Err(Failure::usage(anyhow!("nobody is left to rank")));
        }
        if !self.explain.is_empty() {
            let case = ExplainedStandings {
                results: &rescored.results,
                rules: &rules,
                standings: &rescored.after,
                edition: rules.edition.word(),
                edition_by: None,
                name: &|number| brief(&run.state.player(number).name, LONGEST_NAME),
            };
            let (text, json) = explain(&case, &self.explain[0], self.explain.get(1).map(String::as_str))?;
            return Ok(print(&if self.form.json { format!("{json:#}\n") } else { text }));
        }
        Ok(print(&self.form.text(
            || pages(&run.state, round, &rescored, &changes),
            || json(&run.state, &rescored, &changes),
        )))
    }

    /// The kept answers of models by the other rule, where one is given.
    fn answers(&self, run: &OpenRun, rule: &OtherRule, rounds: usize) -> Result<Option<Answers>, Failure> {
        if self.answers.is_empty() {
            return Ok(None);
        }
        let answers = run.answers_by(rule, rounds);
        let answers = answers.map_err(|why| Failure::machine(anyhow!("{why}")))?;
        match answers.players.is_empty() {
            false => Ok(Some(answers)),
            true => Err(Failure::usage(anyhow!(
                "--answers reads answers of language models, and no player of this run is one"
            ))),
        }
    }

    /// Has the setup play by the version of its rules that is asked for, as far as records show what comes of it; the rest is told.
    fn by_version(&self, run: &OpenRun, setup: &mut Setup) -> Result<Vec<String>, Failure> {
        let Some(version) = self.rules else {
            return Ok(Vec::new());
        };
        let rules = known_rules(run)?;
        if !(1..=rules.len() + 1).contains(&version) {
            return Err(Failure::usage(anyhow!(
                "--rules {version}: the rules of this run have {}",
                count::of(rules.len() + 1, "version", "versions")
            )));
        }
        let mut wanted = Setup { rules, ..setup.clone() };
        config::take_to(&mut wanted, version).map_err(Failure::usage)?;
        let own: Vec<_> = config::that_may_change(setup).collect();
        let mut untold = Vec::new();
        for ((key, was), (_, value)) in own.into_iter().zip(config::that_may_change(&wanted)) {
            match was == value {
                true => {}
                false if OF_GAMES.contains(&key) => {
                    config::set("--rules", key, &value, setup).map_err(Failure::usage)?;
                }
                false => untold.push(format!(
                    "What {key} = {value} would have changed, only other games could show."
                )),
            }
        }
        Ok(untold)
    }

    /// The run's setup with what the flags say.
    fn setup(&self, old: &Setup) -> Result<Setup, Failure> {
        let mut setup = old.clone();
        for pair in &self.set {
            let (key, value) = pair.split_once('=').ok_or_else(|| {
                Failure::usage(anyhow!("--set {pair}: write KEY=VALUE, such as scoring.match=[3,1,0]"))
            })?;
            if key == "standings.columns" {
                return Err(Failure::usage(anyhow!(
                    "--set {key}: rescore shows only criteria that rank; name the criterion in --order"
                )));
            }
            let is_free = FREE.iter().any(|table| key.starts_with(table)) && key != "bye.order";
            if !is_free && !OF_GAMES.contains(&key) {
                return Err(Failure::usage(anyhow!(
                    "--set {key}: rescore changes nothing that was played; it can change keys of [scoring] and [standings], bye.score, \
                    bye.match_points, bye.game_points, {}",
                    OF_GAMES.join(", ")
                )));
            }
            config::set("--set", key, value, &mut setup).map_err(Failure::usage)?;
        }
        if (old.game.claims, setup.game.claims) == (Claims::Claimable, Claims::Automatic) {
            return Err(Failure::usage(anyhow!(
                "--set game.claims: games ended where a draw could be claimed, and nobody knows how they would have gone on; --set \
                 game.claims=claimable is for a run whose games did go on"
            )));
        }
        if let Some(list) = &self.order {
            let RankingOrder {
                criteria: mut order,
                doubts,
            } = parse_list("--order", list)?;
            for doubt in doubts {
                // Standard error may be a pipe that nobody reads any more.
                let _ = writeln!(io::stderr(), "swissmatch: --order: {doubt}");
            }
            // `PTS`: the points that rank, as in the run.
            let ranking = old.standings.order.first().copied();
            match ranking {
                Some(ranking) if order[0].code == Code::Points && !order.contains(&ranking) => order[0] = ranking,
                _ => {}
            }
            setup.standings.order = order;
        }
        if let Some(edition) = &self.edition {
            config::set("--edition", "standings.edition", edition, &mut setup).map_err(Failure::usage)?;
        }
        Ok(setup)
    }
}

/// Whether its games end by other rules that can be applied to what was played.
fn plays_otherwise(old: &Setup, setup: &Setup) -> bool {
    (&old.game, &old.adjudication) != (&setup.game, &setup.adjudication)
}

/// The games of these rounds that end otherwise by the other rules.
fn by_other_rules(run: &OpenRun, old: &Setup, setup: &Setup, rounds: usize) -> Result<ByOtherRules, Failure> {
    if !plays_otherwise(old, setup) {
        return Ok(ByOtherRules::default());
    }
    let found = run.by_other_game_rules(setup);
    let mut found = found.map_err(|why| Failure::machine(anyhow!("{why}")))?;
    found.changed.retain(|(id, _)| id.round as usize <= rounds);
    found.open.retain(|id| id.round as usize <= rounds);
    Ok(found)
}

/// `Game 3.2.1, Alpha – Beta`
fn words_of_game(state: &State, id: GameId) -> String {
    let game = state.finished_game(id).map(|game| game.finished);
    let players =
        game.map(|game| [game.white, game.black].map(|player| brief(&state.player(player).name, LONGEST_NAME)));
    let [white, black] = players.unwrap_or_default();
    format!("Game {id}, {white} – {black}")
}

/// `Game 3.2.1, Alpha – Beta: ended by move-cap, and would have gone on; its result stays.`
fn words_of_open(state: &State, id: GameId) -> String {
    let game = state.finished_game(id).map(|game| game.finished);
    let termination = game.map_or("", |game| game.termination.word());
    format!(
        "{}: ended by {termination}, and would have gone on; its result stays.",
        words_of_game(state, id)
    )
}

/// `Game 3.2.1, Alpha – Beta: 0-1 → 1/2-1/2.`
fn words_of_change(state: &State, id: GameId, outcome: Outcome) -> String {
    let game = state.finished_game(id).map(|game| game.finished);
    let was = game.map_or("", |game| game.outcome.word());
    let of_play_off = match id.playoff {
        0 => "",
        _ => " The play-off stays as it was played.",
    };
    format!("{}: {was} → {}.{of_play_off}", words_of_game(state, id), outcome.word())
}
