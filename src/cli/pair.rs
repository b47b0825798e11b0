//! `swissmatch pair FILE.trf`

use anyhow::anyhow;
use clap::Args;
use serde_json::json;
use swiss_system::pairing::dutch;
use swiss_system::pairing::file;
use swiss_system::pairing::history::RoundPairing;

use super::exit::Exit;
use super::exit::Failure;
use super::tournament_file::OutputArgs;
use super::tournament_file::TournamentFileArgs;
use super::tournament_file::boards;
use super::tournament_file::pairs_json;
use super::tournament_file::rules_json;

const MORE: &str = "\
Example:
  swissmatch pair open.trf                 the round after the last one that the file has
  swissmatch pair open.trf --round 3       round 3 again, as it stood before it was paired
  swissmatch pair - --json < open.trf      as JSON, from standard input

Output: the number of pairs, then one line per pair, WHITE BLACK by pairing number, boards in order (C.04.2); the \
pairing-allocated bye is the last line, ID 0, and counts as a pair.

  3
  1 4
  5 2
  3 0

A player who has a bye or an absence for the round in the file (H, F, Z in the line; records 240 and XXZ) is not paired; \
one who has the allocated bye there (U) keeps it. Points are computed from the results. The edition of the rules, and anything missing or unusual in the file, is reported on \
standard error.

--json prints {\"schema\": 1, \"file\", \"round\", \"rules\": {\"edition\", \"edition_by\", \"color\", \"tpn_parity\", \"initial_color\", \"rounds\", \
\"accelerated\"}, \"pairs\": [[WHITE, BLACK], …], \"bye\": ID or null, \"warnings\": [TEXT, …]}.

Only the Dutch system pairs. A file that names another one (record 192, or 092 if that is missing) is refused, unless \
--system dutch, --edition, --baku or --color ignore asks for the Dutch one.

Exit codes: 0 paired; 1 no pairing of the round is legal, and standard error says why; 4 wrong usage, or a file \
that cannot be read, says too little or names another system; 5 the machine.";

/// Pair the next round of a tournament file (TRF)
#[derive(Debug, Args)]
#[command(after_long_help = MORE)]
pub(super) struct PairArgs {
    #[command(flatten)]
    file: TournamentFileArgs,
    /// The round to pair (default: the one after the last that the file has)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=999))]
    round: Option<u32>,
    #[command(flatten)]
    output: OutputArgs,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

impl PairArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let mut loaded = self.file.load()?;
        loaded.must_be_dutch()?;
        let next = file::rounds_played(&loaded.tournament).saturating_add(1);
        let round = self.round.unwrap_or(next);
        let before = loaded.before_round(round)?;
        let mut pairing = dutch::pair(&before.history, &before.rules)
            .map_err(|error| Failure::no_pairing(anyhow!("{}: round {round}: {error}", loaded.name)))?;
        pairing.bye = pairing.bye.or(before.bye);
        loaded.say_edition(&before);
        let text = match self.json {
            false => text(&pairing),
            true => {
                let printed = json!({
                    "schema": 1,
                    "file": loaded.name,
                    "round": round,
                    "rules": rules_json(&before),
                    "pairs": pairs_json(&pairing),
                    "bye": pairing.bye,
                    "warnings": loaded.warnings,
                });
                format!("{printed:#}\n")
            }
        };
        self.output.write(&text)?;
        Ok(Exit::Done)
    }
}

fn text(pairing: &RoundPairing) -> String {
    let boards: Vec<String> = boards(pairing).collect();
    let count = boards.len();
    format!("{count}\n{}\n", boards.join("\n"))
}
