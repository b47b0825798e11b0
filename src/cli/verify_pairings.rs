//! `swissmatch verify-pairings FILE.trf`

use anyhow::anyhow;
use clap::Args;
use serde_json::Value;
use serde_json::json;
use swiss_system::count;
use swiss_system::pairing::check;
use swiss_system::pairing::difference::ColorComparison;
use swiss_system::pairing::difference::Difference;
use swiss_system::pairing::difference::difference;
use swiss_system::pairing::dutch;
use swiss_system::pairing::file;
use swiss_system::pairing::file::BeforeRound;
use swiss_system::pairing::history::RoundPairing;

use super::exit::Exit;
use super::exit::Failure;
use super::output::print;
use super::tournament_file::LoadedTournament;
use super::tournament_file::TournamentFileArgs;
use super::tournament_file::boards;
use super::tournament_file::edition;
use super::tournament_file::pairs_json;
use super::tournament_file::rules_json;

const MORE: &str = "\
Example:
  swissmatch verify-pairings open.trf                         every round up to the first difference
  swissmatch verify-pairings open.trf --all --pairs-only      every round, whoever has White

Output: the edition of the rules, and a line for each round:

  By C.04.3, edition 2017: by the first day, 2021-12-28 (record 042)
  Round 1: OK
  Round 2: OK (nobody to pair)
  Round 3: DIFFERENT
    in the file:  1 4, 2 5, 3 0
    paired again: 1 5, 4 2, 3 0
    the file breaks the rules: players 1 and 4 have met before, in round 1 (C1: …)
  2 of 3 rounds agree

For a round that differs, only the pairs (WHITE BLACK, the bye as ID 0) are shown that the other pairing does not have, and \
which absolute criteria a pairing breaks; without such a line it is legal, but not the best. The order of boards is not \
compared. If the file does not give the number of rounds or the initial colour, standard error says what was assumed.

A round that was altered by hand is shown, and is OK, if the file says so in the comment that Swiss managers write, and the \
comment has exactly these boards: ### MPA @ Round 3: 1-5 4-2 => 1-4 2-5 (what the system pairs => what was played; 3=PAB is \
the bye, none means no board).

--json prints {\"schema\": 1, \"file\", \"agree\": BOOL, \"rules\": {…} as pair does, \"rounds\": [ROUND, …], \"warnings\": [TEXT, …]}; a ROUND \
is {\"round\", \"verdict\": \"same\", \"nobody\", \"altered\", \"colors\", \"different\" or \"no-pairing\", \"file\" and \"again\": {\"pairs\", \"bye\", \
\"breaches\": [TEXT, …]} with what only that pairing has, \"reason\": TEXT or null where no pairing is legal}.

Only the Dutch system is checked. A file that names another one (record 192, or 092 if that is missing) is refused, unless \
--system dutch, --edition, --baku or --color ignore asks for the Dutch one.

Exit codes: 0 all rounds agree; 1 a round differs; 4 wrong usage, or a file that cannot be read, says too little, has no \
rounds or names another system; 5 the machine.";

/// Pair every round of a tournament file again, and compare
#[derive(Debug, Args)]
#[command(after_long_help = MORE)]
pub(super) struct VerifyPairingsArgs {
    #[command(flatten)]
    file: TournamentFileArgs,
    /// Compare only who meets whom and the bye, not colours
    #[arg(long)]
    pairs_only: bool,
    /// Go on after the first difference
    #[arg(long)]
    all: bool,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

impl VerifyPairingsArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let mut loaded = self.file.load()?;
        loaded.must_be_dutch()?;
        let played = file::rounds_played(&loaded.tournament);
        if played == 0 {
            return Err(Failure::usage(anyhow!(
                "{}: the file has no rounds to verify",
                loaded.name
            )));
        }
        let (mut rounds, mut agreeing, mut rules) = (Vec::new(), 0, Value::Null);
        for round in 1..=played {
            let before = loaded.before_round(round)?;
            rules = rules_json(&before);
            if round == 1 && !self.json {
                print(&format!("By {}\n", edition(&before)));
            }
            let compared = self.compare(&loaded, &before, round);
            match self.json {
                true => rounds.push(compared.json()),
                false => {
                    print(&compared.text());
                }
            }
            if compared.agrees() {
                agreeing += 1;
            } else if !self.all {
                break;
            }
        }
        let agree = agreeing == played;
        print(&match self.json {
            true => {
                let printed = json!({
                    "schema": 1,
                    "file": loaded.name,
                    "agree": agree,
                    "rules": rules,
                    "rounds": rounds,
                    "warnings": loaded.warnings,
                });
                format!("{printed:#}\n")
            }
            false if agree || self.all => {
                format!("{agreeing} of {}\n", count::of(played, "round agrees", "rounds agree"))
            }
            false => format!(
                "Stopped at the first difference, after {agreeing} of {}; --all goes on\n",
                count::of(played, "round", "rounds")
            ),
        });
        Ok(if agree { Exit::Done } else { Exit::CheckFailed })
    }

    fn compare(&self, loaded: &LoadedTournament<'_>, before: &BeforeRound, round: u32) -> ComparedRound {
        let in_file = file::pairing_of_round(&loaded.tournament, round);
        let breaches = |pairing: &RoundPairing| -> Vec<String> {
            let found = check::illegalities(&before.history, &before.rules, pairing);
            found.iter().map(ToString::to_string).collect()
        };
        let colors = if self.pairs_only {
            ColorComparison::Ignored
        } else {
            ColorComparison::Compared
        };
        let nobody = before.history.players.iter().all(|player| !player.present);
        let (verdict, difference, again) = match dutch::pair(&before.history, &before.rules) {
            _ if nobody => (Verdict::Nobody, None, RoundPairing::default()),
            Err(error) => (Verdict::NoPairing(error.to_string()), None, RoundPairing::default()),
            Ok(again) => {
                let difference = difference(&in_file, &again, colors);
                let verdict = match &difference {
                    None => Verdict::Same,
                    Some(difference) if difference.is_of_colors_alone() => Verdict::Colors,
                    Some(_) => Verdict::Different,
                };
                (verdict, difference, again)
            }
        };
        let verdict = match verdict {
            Verdict::Colors | Verdict::Different | Verdict::NoPairing(_)
                if file::altered(&loaded.tournament, round, &again, colors)
                    .is_some_and(|altered| self::difference(&in_file, &altered, colors).is_none()) =>
            {
                Verdict::Altered
            }
            other => other,
        };
        let shown = match verdict {
            Verdict::Altered => self::difference(&in_file, &again, colors),
            _ => difference,
        };
        ComparedRound {
            round,
            file_breaches: breaches(&in_file),
            again_breaches: match verdict {
                Verdict::Nobody | Verdict::NoPairing(_) => Vec::new(),
                Verdict::Altered if again == RoundPairing::default() => Vec::new(),
                _ => breaches(&again),
            },
            verdict,
            difference: shown.unwrap_or_else(|| Difference {
                first: RoundPairing::default(),
                second: RoundPairing::default(),
            }),
        }
    }
}

/// How a round of the file stands to the same round paired again.
enum Verdict {
    Same,
    /// Nobody was to be paired.
    Nobody,
    /// The same pairs, and the same bye.
    Colors,
    Different,
    /// There is no legal pairing, for this reason.
    NoPairing(String),
    /// Different, and just as the file's comment says that the arbiter altered it.
    Altered,
}

struct ComparedRound {
    round: u32,
    verdict: Verdict,
    /// First what only the file has, second what only the pairing made again has.
    difference: Difference,
    /// Rules that the file's pairing breaks.
    file_breaches: Vec<String>,
    /// Rules that the pairing made again breaks: none, unless this program is wrong.
    again_breaches: Vec<String>,
}

impl ComparedRound {
    fn agrees(&self) -> bool {
        match self.verdict {
            Verdict::Same | Verdict::Nobody => self.file_breaches.is_empty(),
            Verdict::Altered => true,
            Verdict::Colors | Verdict::Different | Verdict::NoPairing(_) => false,
        }
    }

    fn text(&self) -> String {
        let mut text = format!("Round {}: ", self.round);
        text += match &self.verdict {
            Verdict::Same => "OK\n",
            Verdict::Nobody => "OK (nobody to pair)\n",
            Verdict::Altered => "OK (altered by hand, as the file's comment says)\n",
            Verdict::Colors => "DIFFERENT (only colours)\n",
            Verdict::Different => "DIFFERENT\n",
            Verdict::NoPairing(_) => "NO LEGAL PAIRING\n",
        };
        if let Verdict::NoPairing(reason) = &self.verdict {
            text += &format!("  {reason}\n");
        }
        if matches!(self.verdict, Verdict::Colors | Verdict::Different | Verdict::Altered) {
            let list = |pairing: &RoundPairing| match boards(pairing).collect::<Vec<String>>() {
                boards if boards.is_empty() => "nothing else".to_owned(),
                boards => boards.join(", "),
            };
            text += &format!("  in the file:  {}\n", list(&self.difference.first));
            text += &format!("  paired again: {}\n", list(&self.difference.second));
        }
        let who = match self.verdict {
            Verdict::Altered => "what was altered",
            _ => "the file",
        };
        for breach in &self.file_breaches {
            text += &format!("  {who} breaks the rules: {breach}\n");
        }
        for breach in &self.again_breaches {
            text += &format!("  the new pairing breaks the rules, report this: {breach}\n");
        }
        text
    }

    fn json(&self) -> Value {
        let side = |pairing: &RoundPairing, breaches: &[String]| json!({ "pairs": pairs_json(pairing), "bye": pairing.bye, "breaches": breaches });
        let (verdict, reason) = match &self.verdict {
            Verdict::Same => ("same", None),
            Verdict::Nobody => ("nobody", None),
            Verdict::Altered => ("altered", None),
            Verdict::Colors => ("colors", None),
            Verdict::Different => ("different", None),
            Verdict::NoPairing(reason) => ("no-pairing", Some(reason)),
        };
        json!({
            "round": self.round,
            "verdict": verdict,
            "file": side(&self.difference.first, &self.file_breaches),
            "again": side(&self.difference.second, &self.again_breaches),
            "reason": reason,
        })
    }
}
