//! What `pair`, `verify-pairings` and `generate` share: a tournament file as an argument, the keys of the Dutch system as
//! flags, how a pairing is printed.
//!
//! May not: pair anybody.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::io::Read;
use std::io::Write as _;
use std::path::Path;
use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;
use serde_json::Value;
use serde_json::json;
use swiss_system::pairing::dutch::rules::ColorRule;
use swiss_system::pairing::dutch::rules::DutchEdition;
use swiss_system::pairing::dutch::rules::TpnParity;
use swiss_system::pairing::file;
use swiss_system::pairing::file::BeforeRound;
use swiss_system::pairing::history::FirstColor;
use swiss_system::pairing::history::RoundPairing;
use swiss_system::trf;
use swiss_system::trf::Color;
use swiss_system::trf::EditionBy;
use swiss_system::trf::Header;
use swiss_system::trf::Record;
use swiss_system::trf::Spelling;
use swiss_system::trf::Tournament;
use swiss_system::word::Word;

use swissmatch_host::files;

use swiss_system::text::{LONGEST_NAME, brief};

use super::exit::Failure;
use super::output::print;

/// More bytes than the reader of tournament files takes.
const MOST_BYTES: u64 = 64 << 20;

/// Reads the words that event files have for a value, too.
pub(super) fn named<T: Word + Send + Sync>() -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(T::ALL.iter().map(|value| value.word()))
        .map(|word| T::of_word(&word).expect("one of the possible values"))
}

/// Reads a colour.
pub(super) fn color() -> impl TypedValueParser<Value = Color> {
    PossibleValuesParser::new(["white", "black"]).map(|word| match word.as_str() {
        "black" => Color::Black,
        _ => Color::White,
    })
}

/// A tournament file, and what is said otherwise than in it.
#[derive(Debug, Args)]
pub(super) struct TournamentFileArgs {
    /// The tournament file (TRF16 or TRF26); - for standard input
    #[arg(value_name = "FILE.trf")]
    path: PathBuf,
    /// Edition of the rules: 2026, in force since 1 February 2026, or 2017, the one before it (default: as record 192
    /// or 092 of the file says, else its comment `### editions`, else by record 042, the first day)
    #[arg(long, value_name = "YEAR", value_parser = named::<DutchEdition>())]
    edition: Option<DutchEdition>,
    /// Whether colours affect who meets whom; with ignore, White is assigned only at the end
    #[arg(long, value_name = "RULE", value_parser = named::<ColorRule>(), default_value = "first-game")]
    color: ColorRule,
    /// Which numbers are odd or even when neither player has a preference (article 5.2.5): numbers as listed, or
    /// counted among those who have taken part so far
    #[arg(long, value_name = "READING", value_parser = named::<TpnParity>(), default_value = "participants")]
    tpn_parity: TpnParity,
    /// The initial colour (default: as record 152 of the file says, else as round 1 shows it, else white)
    #[arg(long, value_name = "COLOR", value_parser = color())]
    initial_color: Option<Color>,
    /// Rounds of the whole tournament, whatever the file says; the last one is paired differently
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=999))]
    rounds: Option<u32>,
    /// Go by this system, whatever record 192 or 092 of the file says
    #[arg(long, value_name = "SYSTEM", value_parser = ["dutch"])]
    system: Option<String>,
    /// Baku acceleration (C.04.7), if the file has no virtual points of its own (records 250, XXA)
    #[arg(long)]
    baku: bool,
}

/// A tournament file that has been read, with what the flags say put in.
pub(super) struct LoadedTournament<'a> {
    flags: &'a TournamentFileArgs,
    pub(super) tournament: Tournament,
    /// The file, as messages name it.
    pub(super) name: String,
    /// What was told on standard error: where the file is unusual, and how it was taken.
    pub(super) warnings: Vec<String>,
    told: BTreeSet<String>,
}

impl TournamentFileArgs {
    /// Reads the file; warnings go to standard error.
    ///
    /// # Errors
    /// Wrong usage, when there is no such file or it is no tournament file.
    pub(super) fn load(&self) -> Result<LoadedTournament<'_>, Failure> {
        let (name, reading) = read(&self.path)?;
        let mut loaded = LoadedTournament {
            flags: self,
            tournament: reading.tournament,
            name,
            warnings: Vec::new(),
            told: BTreeSet::new(),
        };
        for warning in reading.warnings {
            loaded.warn(format!("line {}: {}", warning.line, warning.text));
        }
        self.put_flags_in(&mut loaded);
        Ok(loaded)
    }

    /// Whether a flag asks for the Dutch system, whatever the file says.
    fn asks_for_dutch(&self) -> bool {
        self.system.is_some() || self.edition.is_some() || self.baku || self.color == ColorRule::Ignore
    }

    fn put_flags_in(&self, loaded: &mut LoadedTournament<'_>) {
        let records = &mut loaded.tournament.records;
        if let Some(rounds) = self.rounds {
            records.retain(|record| !matches!(record, Record::Rounds { .. }));
            records.push(Record::Rounds {
                spelling: Spelling::Fide,
                rounds,
            });
        }
        if let Some(color) = self.initial_color {
            // The first record counts.
            records.insert(0, Record::InitialColor(color));
        }
        if self.baku && loaded.tournament.accelerations().next().is_some() {
            loaded.warn("the file has virtual points of its own; --baku changes nothing".to_owned());
        } else if self.baku {
            let text = match loaded.tournament.header(Header::TypeCode).map(str::trim) {
                None | Some("") => "FIDE_DUTCH_BAKU".to_owned(),
                Some(code) => format!("{code}_BAKU"),
            };
            let header = Header::TypeCode;
            loaded.tournament.records.insert(0, Record::Header { header, text });
        }
    }
}

/// Reads a tournament file, `-` for standard input; with the name by which messages call it.
///
/// # Errors
/// Wrong usage, when there is no such file or it is no tournament file.
pub(super) fn read(path: &Path) -> Result<(String, trf::Reading), Failure> {
    let is_stdin = path == Path::new("-");
    let name = if is_stdin {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    };
    let bytes = match is_stdin {
        true => read_all(io::stdin()),
        false => File::open(path).and_then(read_all),
    };
    let bytes = bytes.map_err(|error| Failure::usage(anyhow!("{name}: cannot be read: {error}")))?;
    let reading = trf::read(&bytes)
        .map_err(|error| Failure::usage(anyhow!("{name}:{}:{}: {}", error.line, error.column, error.fault)))?;
    Ok((name, reading))
}

fn read_all(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl LoadedTournament<'_> {
    /// Refuses a file that names another system, unless a flag asks for the Dutch one. Files of teams are refused later.
    ///
    /// # Errors
    /// Wrong usage, with the record.
    pub(super) fn must_be_dutch(&self) -> Result<(), Failure> {
        if self.flags.asks_for_dutch() || self.tournament.teams().next().is_some() {
            return Ok(());
        }
        let Some((record, said)) = self.tournament.other_system() else {
            return Ok(());
        };
        Err(Failure::usage(anyhow!(
            "{}: record {record} says `{}`, but this command knows only FIDE's Dutch system; with --system dutch, or --edition \
             2026, it goes by that all the same. `swissmatch verify` checks every pairing of a run, whatever its system",
            self.name,
            brief(said, LONGEST_NAME)
        )))
    }

    /// The tournament before a round, with the keys that the flags say; new warnings go to standard error.
    ///
    /// # Errors
    /// Wrong usage, when the file says too little to pair that round.
    pub(super) fn before_round(&mut self, round: u32) -> Result<BeforeRound, Failure> {
        let before = file::before_round(&self.tournament, round);
        let mut before = before.map_err(|error| Failure::usage(anyhow!("{}: {error}", self.name)))?;
        before.rules.color = self.flags.color;
        before.rules.tpn_parity = self.flags.tpn_parity;
        if let Some(edition) = self.flags.edition {
            (before.rules.edition, before.edition_by) = (edition, EditionBy::Flag);
        }
        for warning in std::mem::take(&mut before.warnings) {
            self.warn(warning);
        }
        Ok(before)
    }

    /// Tells by which edition of the rules a round is paired, on standard error.
    pub(super) fn say_edition(&self, before: &BeforeRound) {
        let _ = writeln!(io::stderr(), "swissmatch: {}: {}", self.name, edition(before));
    }

    /// Tells something once.
    fn warn(&mut self, warning: String) {
        if self.told.insert(warning.clone()) {
            // Standard error may be a pipe that nobody reads any more.
            let _ = writeln!(io::stderr(), "swissmatch: {}: {warning}", self.name);
            self.warnings.push(warning);
        }
    }
}

/// The pairs and the bye in the given order, as `WHITE BLACK` and `ID 0`.
pub(super) fn boards(pairing: &RoundPairing) -> impl Iterator<Item = String> + '_ {
    let pairs = pairing
        .pairs
        .iter()
        .map(|pair| format!("{} {}", pair.white, pair.black));
    pairs.chain(pairing.bye.map(|bye| format!("{bye} 0")))
}

/// The pairs as JSON: `[[WHITE, BLACK], …]`.
pub(super) fn pairs_json(pairing: &RoundPairing) -> Value {
    pairing
        .pairs
        .iter()
        .map(|pair| json!([pair.white, pair.black]))
        .collect()
}

/// The edition of the rules, and what it was taken from.
pub(super) fn edition(before: &BeforeRound) -> String {
    let by = brief(&before.edition_by.to_string(), LONGEST_NAME);
    format!("C.04.3, edition {}: {by}", before.rules.edition.word())
}

/// The keys as JSON, as event files spell them.
pub(super) fn rules_json(before: &BeforeRound) -> Value {
    let rules = &before.rules;
    json!({
        "edition": rules.edition.word(),
        "edition_by": brief(&before.edition_by.to_string(), LONGEST_NAME),
        "color": rules.color.word(),
        "tpn_parity": rules.tpn_parity.word(),
        "initial_color": match rules.initial_color {
            FirstColor::White => "white",
            FirstColor::Black => "black",
        },
        "rounds": rules.rounds,
        "accelerated": !rules.virtual_points.is_empty(),
    })
}

/// Where to write instead of standard output.
#[derive(Debug, Args)]
pub(super) struct OutputArgs {
    /// Write to this file instead of standard output; an existing file is not overwritten
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Overwrite what is there
    #[arg(long)]
    pub(super) force: bool,
}

impl OutputArgs {
    /// Writes the text to the file, or to standard output.
    ///
    /// # Errors
    /// [`write_file`].
    pub(super) fn write(&self, text: &str) -> Result<(), Failure> {
        match &self.output {
            Some(path) => write_file(path, text, self.force),
            None => {
                print(text);
                Ok(())
            }
        }
    }
}

/// Writes a file.
///
/// # Errors
/// Wrong usage, when it is there already and may not be overwritten; else the machine.
pub(super) fn write_file(path: &Path, text: &str, force: bool) -> Result<(), Failure> {
    if force {
        return files::write_out(path, text).map_err(Failure::machine);
    }
    files::write_new(path, text).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Failure::usage(anyhow!("{} is there already; --force overwrites it", path.display()))
        }
        _ => Failure::machine(anyhow!("{}: {error}", path.display())),
    })
}
