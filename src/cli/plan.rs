//! `swissmatch plan EVENT.toml`

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use swiss_system::count;
use swiss_system::text::escaped;

use crate::cli::progress::Progress;
use swissmatch_config::LoadedEvent;
use swissmatch_host::machine;
use swissmatch_report as report;
use swissmatch_report::plan::{LadderRounds, Stopping, beyond};
use swissmatch_run::EventFile;
use swissmatch_run::ladder;
use swissmatch_run::materials::openings;
use swissmatch_run::measure::{self, GameMeasurement};
use swissmatch_run::room::games_on_cores;
use swissmatch_stats::plan::stopping;
use swissmatch_stats::plan::{SimulatedLength, StrengthAssumptions, Strengths, simulate};
use swissmatch_stats::simulate::Event;
use swissmatch_tournament::duration::{Assumptions, Room, likely_game};
use swissmatch_tournament::estimate::{Estimate, MeasuredUsage};
use swissmatch_tournament::planned::{planned, rounds_around, seeded_by_rating};
use swissmatch_tournament::setup::Setup;
use swissmatch_tournament::{roster, stop};

use super::exit::{Exit, Failure};
use super::output::print;
use super::overrides::OverrideArgs;
use super::which_run;

/// Games of a mini-match that are looked at beside those of the event file.
const GAMES: [u32; 5] = [2, 10, 20, 40, 80];

/// How long an event takes, and what it can tell
///
/// Shows rounds, games and time, with the event's rounds and games and with others; of language models also tokens and cost.
/// A simulation shows how likely each of the strongest three is to come first. Play-offs come in addition.
///
/// Simulated events are paired by the event's own system and ranked by its own criteria; agents are started only with
/// --measure. The model: each agent has a strength in Elo, drawn anew for each simulated event from a normal distribution
/// (--spread), or its rating (--ratings). A game gives the score that Elo's formula expects. Of games between equals,
/// --draws percent are drawn; of other games, fewer. White has no advantage, games do not depend on each other, and every
/// agent starts. If pairing numbers go by rating, the ratings are the strengths, off by --rating-error. A tie that no
/// criterion settles is settled by lot. See docs/plan.md.
#[derive(Debug, Args)]
pub(super) struct PlanArgs {
    /// The event file (TOML)
    #[arg(value_name = "EVENT.toml")]
    file: PathBuf,
    #[command(flatten)]
    overrides: OverrideArgs,
    /// Standard deviation of the agents' strengths, in Elo
    #[arg(long, value_name = "ELO", default_value = "200", value_parser = elo, allow_negative_numbers = true)]
    spread: f64,
    /// Take the ratings of the event file as strengths
    #[arg(long, conflicts_with = "spread")]
    ratings: bool,
    /// Standard deviation of ratings from strengths, in Elo
    #[arg(long, value_name = "ELO", default_value = "0", value_parser = elo, allow_negative_numbers = true)]
    rating_error: f64,
    /// Drawn games between equals, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 30, value_parser = clap::value_parser!(u32).range(0..=100))]
    draws: u32,
    /// How many events to simulate
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(10..=1_000_000))]
    events: u32,
    /// Seed of the simulation (default: event.rng_seed)
    #[arg(long, value_name = "N")]
    rng_seed: Option<u64>,
    /// For the likely time: moves of each side in a game, if no cap ends it
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=1000))]
    moves: u32,
    /// For the likely time: how much of its time an agent uses, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100))]
    time_used: u32,
    /// Play up to four games between the event's agents, and estimate the time from them, and what models use; their calls
    /// cost what calls cost
    #[arg(long, conflicts_with_all = ["moves", "time_used"])]
    pub(super) measure: bool,
    /// Estimate the time, and what models use, from the games of this run: its directory, or its event file
    #[arg(long, value_name = "RUN", conflicts_with = "measure")]
    from: Option<PathBuf>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

fn elo(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(elo) if (0.0..=1e6).contains(&elo) => Ok(elo),
        _ => Err("write a number of Elo points from 0, such as 200".to_owned()),
    }
}

impl PlanArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let event_file = EventFile::new(self.overrides.load_event(&self.file)?, &self.file)?;
        let loaded = &event_file.loaded;
        let setup = &Setup {
            players: loaded.setup.players_by_models(),
            ..loaded.setup.clone()
        };
        let mut warnings = loaded.warnings.clone();
        match openings(&event_file) {
            // Too few of them for the event, above all.
            Ok((_, _, doubts)) => warnings.extend(doubts),
            Err(error) => warnings.push(error.to_string()),
        }
        let rng_seed = self.rng_seed.unwrap_or(setup.event.rng_seed);
        let players = u32::try_from(setup.players.len()).map_err(Failure::usage)?;
        let chosen = setup.plan();
        let format = chosen.format;
        let order = roster::starting_order(&setup.players, setup.swiss.seeding, setup.event.rng_seed);
        let around = rounds_around(chosen.rounds, format, players);
        let assumed = self.assumed(loaded, &order)?;
        let (time, used) = self.games(&event_file, setup, &order)?;
        let estimate = Estimate::new(setup, &used);
        warnings.extend(estimate.iter().flat_map(|estimate| beyond(setup, estimate)));
        let event = planned(setup, format, &order, &around);

        let mut found: Vec<SimulatedLength> = Vec::new();
        if let Ok(event) = &event {
            found = self.simulated(
                event,
                &assumed,
                (chosen.rounds, &around),
                setup.mini_match.games,
                rng_seed,
            );
        }
        let stopping = match &event {
            Ok(event) if setup.stop.is_set() => {
                let game = likely_game(setup, time);
                let rule = stop::simulated(setup, (players, chosen.rounds), game);
                let progress = Progress::new(u64::from(self.events), "events with the rule that ends them");
                let seed = (rng_seed, self.events);
                let games = setup.mini_match.games;
                Some(Stopping {
                    rule: report::stop::in_short(setup).unwrap_or_default(),
                    stops: stopping::simulate(event, &assumed, &rule, games, seed, || progress.step()),
                    knows_time: game.is_some(),
                })
            }
            _ => None,
        };
        let cores = |games: usize| u32::try_from(games).map_err(Failure::machine);
        let of_ladder = ladder::planned(setup)?;
        let of_ladder = match &of_ladder {
            Some((round, games)) => Some(LadderRounds {
                round,
                room: Room::on(round, cores(*games)?),
            }),
            None => None,
        };
        warnings.extend(of_ladder.iter().filter_map(|ladder| ladder.doubt(time)));
        let plan = report::plan::EventPlan {
            setup,
            format,
            rounds: chosen.rounds,
            room: Room::on(setup, cores(games_on_cores(setup)?)?),
            ladder: of_ladder,
            time,
            is_of_run: self.from.is_some(),
            assumed: &assumed,
            rng_seed,
            found: &found,
            stopping,
            estimate: estimate.as_ref(),
            not_simulated: event.err().map(|why| why.to_string()),
            warnings: &warnings,
        };
        for warning in &warnings {
            // Standard error may be a pipe that nobody reads any more.
            let _ = writeln!(std::io::stderr(), "warning: {warning}");
        }
        Ok(print(&match self.json {
            true => plan.json(),
            false => plan.text(machine::columns()),
        }))
    }

    /// What games are like, and what models use in them: as far as that is asked for, by games that are played now, or by those of a run.
    fn games(
        &self,
        event: &EventFile,
        setup: &Setup,
        order: &[usize],
    ) -> Result<(Assumptions, MeasuredUsage), Failure> {
        let assumed = Assumptions {
            moves: self.moves,
            time_used: self.time_used,
            measured: None,
        };
        let (measured, used) = if let Some(run) = &self.from {
            let run = which_run::open(Some(run.as_path()))?;
            let (took, used) = measure::of_run(&run, setup).map_err(|error| Failure::machine(anyhow!(error)))?;
            (took.of_event(setup, assumed), used)
        } else if self.measure {
            let GameMeasurement { game, measured } = Self::measured(event, order)?;
            (Some(game.into()), measured)
        } else {
            (None, MeasuredUsage::default())
        };
        Ok((Assumptions { measured, ..assumed }, used))
    }

    /// A few games of the event's agents that are played now. Who waits for a submission has none.
    fn measured(event: &EventFile, order: &[usize]) -> Result<GameMeasurement, Failure> {
        let players = &event.loaded.setup.players;
        let waits = |entry: &&usize| players[**entry].awaits_submission();
        let waiting = order.iter().filter(waits).count();
        let order: Vec<usize> = order.iter().filter(|entry| !waits(entry)).copied().collect();
        if waiting > 0 && order.len() < 2 {
            return Err(Failure::usage(anyhow!(
                "{}: --measure plays games, and there are no two players to play them: {} for a submission. Leave --measure out, or write \
                 --from RUN with a run that has games, such as a round of its ladder",
                event.loaded.file(),
                count::of(waiting, "player waits", "players wait")
            )));
        }
        if waiting > 0 {
            // Standard error may be a pipe that nobody reads any more.
            let _ = writeln!(
                std::io::stderr(),
                "warning: {} for a submission, and the games of the others are measured",
                count::of(waiting, "player waits", "players wait")
            );
        }
        let measured = measure::games(event, &order, &mut |number, all| {
            // Standard error may be a pipe that nobody reads any more.
            let _ = writeln!(std::io::stderr(), "measuring: game {number} of {all}");
        })?;
        Ok(measured)
    }

    /// Events of the chosen rounds and other games, and of the chosen games and other rounds.
    fn simulated(
        &self,
        event: &Event,
        assumed: &StrengthAssumptions,
        (chosen, around): (u32, &[u32]),
        games_chosen: u32,
        rng_seed: u64,
    ) -> Vec<SimulatedLength> {
        let mut games = match event.games() {
            None => GAMES.to_vec(),
            Some(_) => Vec::new(),
        };
        games.push(games_chosen);
        games.sort_unstable();
        games.dedup();
        let progress = Progress::new(u64::from(self.events) * games.len() as u64, "simulated events");
        let mut found = Vec::new();
        for games in games {
            let only = [chosen];
            let rounds = if games == games_chosen { around } else { &only };
            let step = || progress.step();
            found.extend(simulate(event, assumed, (games, rounds), rng_seed, self.events, step));
        }
        found
    }

    /// What is assumed of the agents, by pairing number.
    fn assumed(&self, loaded: &LoadedEvent, order: &[usize]) -> Result<StrengthAssumptions, Failure> {
        let players = &loaded.setup.players;
        let rated = seeded_by_rating(&loaded.setup);
        let strengths = if self.ratings {
            let rating = |&entry: &usize| {
                players[entry].rating.map(f64::from).ok_or_else(|| {
                    let name = escaped(&players[entry].name);
                    Failure::usage(anyhow!(
                        "{}: --ratings takes ratings as strengths, but {name} has none: give it a rating, or leave --ratings out",
                        loaded.file()
                    ))
                })
            };
            Strengths::Known(order.iter().map(rating).collect::<Result<_, _>>()?)
        } else {
            if self.rating_error > 0.0 && rated == 0 {
                return Err(Failure::usage(anyhow!(
                    "--rating-error says how far ratings are off, but no pairing number of this event goes by a rating: give \
                    players ratings and write swiss.seeding = \"rating\", or leave --rating-error out"
                )));
            }
            Strengths::Drawn {
                spread: self.spread,
                rated,
            }
        };
        Ok(StrengthAssumptions {
            strengths,
            rating_error: self.rating_error,
            draws: f64::from(self.draws) / 100.0,
        })
    }
}
