//! `swissmatch generate`

use std::io::Write as _;
use std::path::Path;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::anyhow;
use clap::Args;
use serde_json::Value;
use serde_json::json;
use swiss_system::pairing::dutch::rules::ColorRule;
use swiss_system::pairing::dutch::rules::DutchEdition;
use swiss_system::pairing::dutch::rules::TpnParity;
use swiss_system::pairing::file;
use swiss_system::pairing::generate;
use swiss_system::pairing::generate::Rate;
use swiss_system::pairing::generate::Rates;
use swiss_system::pairing::generate::Spec;
use swiss_system::score::Points;
use swiss_system::trf;
use swiss_system::trf::Color;

use swissmatch_host::files;

use super::exit::Exit;
use super::exit::Failure;
use super::output::print;
use super::tournament_file::OutputArgs;
use super::tournament_file::color;
use super::tournament_file::named;
use super::tournament_file::write_file;

const MORE: &str = "\
Example:
  swissmatch generate --players 30 --rounds 7 --rng-seed 4 --output open.trf
  swissmatch verify-pairings open.trf
  swissmatch generate --players 12 --rounds 5 --half-point-bye-rate 5 --forfeit-rate 2.5 --count 100 --output-dir random

Results follow the players' ratings by FIDE's table of expectation. Everything random comes from the seed: the same flags \
give the same file, byte for byte. With --count, the seeds of the files count up from --rng-seed, and each file is named \
by its seed. Rates are percentages with at most one decimal.

A small tournament with many rounds may come to a round that has no legal pairing. A message then names the seed and the \
round, and the tournament is not written; with --stop-early, it is written up to the round before.

--json prints {\"schema\": 1, \"files\": [{\"file\": PATH or null, \"rng_seed\", \"players\", \"rounds\", \"rounds_paired\", \
\"stopped\": {\"round\", \"reason\"} or null}, …]}.

Exit codes: 0 written; 1 some round has no legal pairing (not with --stop-early); 4 wrong usage, such as a tournament that a \
file cannot hold; 5 the machine.";

/// Write random tournament files, to test pairing programs with
#[derive(Debug, Args)]
#[command(after_long_help = MORE)]
pub(super) struct GenerateArgs {
    /// Number of players
    #[arg(long, value_name = "N")]
    players: u32,
    /// Number of rounds
    #[arg(long, value_name = "R")]
    rounds: u32,
    /// Seed of everything random
    #[arg(long, value_name = "S", default_value_t = 1)]
    rng_seed: u64,
    /// Edition of the rules: 2026, in force since 1 February 2026, or 2017, the one before it
    #[arg(long, value_name = "YEAR", value_parser = named::<DutchEdition>(), default_value = "2026")]
    edition: DutchEdition,
    /// Whether colours affect who meets whom; with ignore, White is assigned only at the end
    #[arg(long, value_name = "RULE", value_parser = named::<ColorRule>(), default_value = "first-game")]
    color: ColorRule,
    /// Which numbers are odd or even when neither player has a preference (article 5.2.5): numbers as listed, or
    /// counted among those who have taken part so far
    #[arg(long, value_name = "READING", value_parser = named::<TpnParity>(), default_value = "participants")]
    tpn_parity: TpnParity,
    /// The initial colour (default: drawn)
    #[arg(long, value_name = "COLOR", value_parser = color())]
    initial_color: Option<Color>,
    /// The lowest rating
    #[arg(long, value_name = "RATING", default_value_t = 1400)]
    lowest_rating: u32,
    /// The highest rating
    #[arg(long, value_name = "RATING", default_value_t = 2400)]
    highest_rating: u32,
    /// What a win, a draw and a loss are worth, such as 3-1-0
    #[arg(long, value_name = "W-D-L", default_value = "1-0.5-0", value_parser = points)]
    points: [Points; 3],
    /// Draws in games between equals
    #[arg(long, value_name = "%", default_value = "30", value_parser = Rate::from_str)]
    draw_rate: Rate,
    /// Pairings for which one of the two players does not turn up
    #[arg(long, value_name = "%", default_value = "0", value_parser = Rate::from_str)]
    forfeit_rate: Rate,
    /// Pairings for which neither player turns up
    #[arg(long, value_name = "%", default_value = "0", value_parser = Rate::from_str)]
    double_forfeit_rate: Rate,
    /// Half-point byes, per player and round
    #[arg(long, value_name = "%", default_value = "0", value_parser = Rate::from_str)]
    half_point_bye_rate: Rate,
    /// Zero-point byes, per player and round
    #[arg(long, value_name = "%", default_value = "0", value_parser = Rate::from_str)]
    zero_point_bye_rate: Rate,
    /// Players who enter after round 1, up to the middle round
    #[arg(long, value_name = "%", default_value = "0", value_parser = Rate::from_str)]
    late_entry_rate: Rate,
    /// Players who leave before the last round
    #[arg(long, value_name = "%", default_value = "0", value_parser = Rate::from_str)]
    withdrawal_rate: Rate,
    /// Random pairs of players who may not meet
    #[arg(long, value_name = "N", default_value_t = 0)]
    forbidden: u32,
    /// Baku acceleration (C.04.7), written out as records 250
    #[arg(long)]
    baku: bool,
    /// If a round has no legal pairing, write the rounds before it
    #[arg(long)]
    stop_early: bool,
    #[command(flatten)]
    output: OutputArgs,
    /// How many tournaments to write
    #[arg(long, value_name = "K", requires = "output_dir", value_parser = clap::value_parser!(u64).range(1..))]
    count: Option<u64>,
    /// Write into this directory, which is made if it is missing
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    output_dir: Option<PathBuf>,
    /// Print what was written as JSON
    #[arg(long)]
    json: bool,
}

fn points(text: &str) -> Result<[Points; 3], String> {
    let parts: Result<Vec<Points>, _> = text.split('-').map(Points::from_str).collect();
    let parts = parts.map_err(|error| error.to_string())?;
    <[Points; 3]>::try_from(parts).map_err(|_| "write three numbers, such as 1-0.5-0 or 3-1-0".to_owned())
}

impl GenerateArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        if self.json && self.output.output.is_none() && self.output_dir.is_none() {
            return Err(Failure::usage(anyhow!(
                "--json needs --output FILE or --output-dir DIR"
            )));
        }
        if self.count.is_some_and(|count| count > 1) && self.output_dir.is_none() {
            return Err(Failure::usage(anyhow!(
                "--count needs --output-dir DIR: each tournament is a file"
            )));
        }
        if let Some(dir) = &self.output_dir {
            files::make_directory(dir).map_err(Failure::machine)?;
        }
        let (mut written, mut stopped) = (Vec::new(), 0_u64);
        let count = self.count.unwrap_or(1);
        let last = self.rng_seed.checked_add(count - 1);
        let last = last.ok_or_else(|| Failure::usage(anyhow!("--rng-seed and --count together are too large")))?;
        for rng_seed in self.rng_seed..=last {
            let (described, is_whole) = self.write_one(rng_seed)?;
            written.push(described);
            stopped += u64::from(!is_whole);
        }
        if self.json {
            let printed = json!({ "schema": 1, "files": written });
            print(&format!("{printed:#}\n"));
        } else if let Some(dir) = &self.output_dir {
            let written = if self.stop_early { count } else { count - stopped };
            say(&format!("wrote {written} of {count} tournaments to {}", dir.display()));
        }
        Ok(if stopped > 0 && !self.stop_early {
            Exit::NoPairing
        } else {
            Exit::Done
        })
    }

    /// Makes and writes the tournament of a seed; what came of it, and whether it has all rounds.
    fn write_one(&self, rng_seed: u64) -> Result<(Value, bool), Failure> {
        let made = generate::generate(&self.spec(rng_seed)).map_err(Failure::usage)?;
        let is_written = made.stop.is_none() || self.stop_early;
        if let Some(stop) = &made.stop {
            say(&format!(
                "seed {rng_seed}: round {} cannot be paired: {}",
                stop.round, stop.reason
            ));
        }
        let in_dir = self
            .output_dir
            .as_ref()
            .map(|dir| dir.join(format!("random-{rng_seed}.trf")));
        let path: Option<&Path> = in_dir.as_deref().or(self.output.output.as_deref());
        if is_written {
            let text = trf::write(&made.tournament).map_err(Failure::usage)?;
            match path {
                Some(path) => write_file(path, &text, self.output.force)?,
                None => self.output.write(&text)?,
            }
        }
        let described = json!({
            "file": path.filter(|_| is_written),
            "rng_seed": rng_seed,
            "players": self.players,
            "rounds": self.rounds,
            "rounds_paired": file::rounds_played(&made.tournament),
            "stopped": made.stop.as_ref().map(|stop| json!({
                "round": stop.round,
                "reason": stop.reason.to_string(),
            })),
        });
        Ok((described, made.stop.is_none()))
    }

    fn spec(&self, rng_seed: u64) -> Spec {
        Spec {
            lowest_rating: self.lowest_rating,
            highest_rating: self.highest_rating,
            points: self.points,
            rates: Rates {
                draw: self.draw_rate,
                forfeit: self.forfeit_rate,
                double_forfeit: self.double_forfeit_rate,
                half_point_bye: self.half_point_bye_rate,
                zero_point_bye: self.zero_point_bye_rate,
                late_entry: self.late_entry_rate,
                withdrawal: self.withdrawal_rate,
            },
            forbidden_pairs: self.forbidden,
            is_baku: self.baku,
            edition: self.edition,
            color: self.color,
            tpn_parity: self.tpn_parity,
            initial_color: self.initial_color,
            ..Spec::new(self.players, self.rounds, rng_seed)
        }
    }
}

/// Tells something on standard error, which may be a pipe that nobody reads any more.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "swissmatch: {text}");
}
