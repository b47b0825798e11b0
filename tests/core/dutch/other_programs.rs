//! Random tournaments of our own, every round paired again by another program, and every difference judged: first whether
//! both pairings are legal, then by the criteria in order. Of differences that the judge decides for us the other program
//! has some (caissify-pairings often has other colours: it takes the lower number for the higher rank, whatever the scores;
//! py4swiss does not ask in C7 of 2017 who may have the bye, C2, where the following bracket is the last);
//! of those that it decides against us there must be none.
//!
//! This takes some ten minutes and needs the other programs: `make dutch-check` installs them and runs it.

use std::collections::BTreeMap;
use std::env;
use std::fmt;
use std::io::Write as _;
use std::path::Path;
use std::process::Child;
use std::process::Command;
use std::process::Stdio;

use swiss_system::pairing::check::IllegalPairingError;
use swiss_system::pairing::difference::ColorComparison;
use swiss_system::pairing::difference::difference;
use swiss_system::pairing::dutch::rules::DutchEdition;
use swiss_system::pairing::dutch::rules::TpnParity;
use swiss_system::pairing::file::before_round;
use swiss_system::pairing::file::pairing_of_round;
use swiss_system::pairing::history::Pair;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::history::RoundPairing;
use swiss_system::trf;
use swiss_system::trf::Tournament;

use super::criteria;
use super::criteria::Verdict;
use super::criteria::Which;
use super::generated::Kind;
use super::generated::tournament;

/// Processes of the other program at once.
const PROCESSES: usize = 2;
/// Files made and judged at a time.
const BATCH: u64 = 50;
/// Examples shown of each class.
const EXAMPLES: usize = 5;

/// Another program, and what it is asked.
struct Other {
    /// As the script calls it.
    name: &'static str,
    /// The text of the rules that it knows.
    kind: Kind,
    /// The first seed, and how many.
    seeds: (u64, u64),
}

const CAISSIFY: Kind = Kind {
    edition: DutchEdition::Of2026,
    tpn_parity: TpnParity::Participants,
    fewest: 2,
    most: 24,
    has_extras: false,
};

const PY4SWISS: Kind = Kind {
    edition: DutchEdition::Of2017,
    tpn_parity: TpnParity::Listed,
    fewest: 2,
    most: 24,
    has_extras: false,
};

#[test]
#[ignore = "takes some ten minutes and needs other programs: make dutch-check"]
fn caissify_pairs_small_tournaments_as_we_do() {
    compare_with(&Other {
        name: "caissify",
        kind: CAISSIFY,
        seeds: (1_000_000, 10_000),
    });
}

#[test]
#[ignore = "takes some ten minutes and needs other programs: make dutch-check"]
fn caissify_pairs_middling_tournaments_as_we_do() {
    compare_with(&Other {
        name: "caissify",
        kind: Kind {
            fewest: 25,
            most: 80,
            ..CAISSIFY
        },
        seeds: (2_000_000, 50),
    });
}

#[test]
#[ignore = "takes some ten minutes and needs other programs: make dutch-check"]
fn py4swiss_pairs_small_tournaments_as_we_do() {
    compare_with(&Other {
        name: "py4swiss",
        kind: PY4SWISS,
        seeds: (3_000_000, 10_000),
    });
}

#[test]
#[ignore = "takes some ten minutes and needs other programs: make dutch-check"]
fn py4swiss_pairs_middling_tournaments_as_we_do() {
    compare_with(&Other {
        name: "py4swiss",
        kind: Kind {
            fewest: 25,
            most: 80,
            ..PY4SWISS
        },
        seeds: (4_000_000, 50),
    });
}

fn compare_with(other: &Other) {
    let python = env::var_os("SWISSMATCH_PYTHON").expect("SWISSMATCH_PYTHON: a Python that has the other programs");
    let python = Path::new(&python);
    let (first, count) = other.seeds;
    let mut tally = Tally::default();
    for begin in (first..first + count).step_by(BATCH as usize) {
        compare_batch(other, python, begin..(begin + BATCH).min(first + count), &mut tally);
        eprintln!("{}: {} of {count} tournaments", other.name, begin + BATCH - first);
    }
    println!("{}, seeds {first} to {}:\n{tally}", other.name, first + count - 1);
    assert_eq!(tally.ours_wrong(), 0, "{tally}");
}

fn compare_batch(other: &Other, python: &Path, seeds: std::ops::Range<u64>, tally: &mut Tally) {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let mut tournaments = BTreeMap::new();
    let mut lists = vec![String::new(); PROCESSES];
    for seed in seeds {
        let made = tournament(other.kind, seed);
        let path = folder.path().join(format!("{seed}.trf")).display().to_string();
        let text = trf::write(&made).unwrap_or_else(|error| panic!("{seed}: {error}"));
        std::fs::write(&path, text).expect("the file is written");
        lists[seed as usize % PROCESSES] += &format!("{path}\n");
        tournaments.insert(path, (seed, made));
    }
    let children: Vec<Child> = lists.iter().map(|list| start(python, other.name, list)).collect();
    let mut answered = 0;
    for child in children {
        let output = child.wait_with_output().expect("the other program ends");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).expect("plain text");
        for line in text.lines() {
            let (path, rest) = line.split_once(' ').expect("a path");
            let (round, answer) = rest.split_once(' ').unwrap_or((rest, ""));
            let (seed, made) = &tournaments[path];
            judge(other, made, *seed, round.parse().expect("a round"), answer, tally);
            answered += 1;
        }
    }
    let rounds: usize = tournaments.values().map(|(_, made)| made.rounds_in_lines()).sum();
    assert_eq!(answered, rounds, "every round is answered");
}

fn start(python: &Path, program: &str, list: &str) -> Child {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/core/dutch/other_programs.py");
    let mut command = Command::new(python);
    command
        .arg(script)
        .arg(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command
        .spawn()
        .unwrap_or_else(|error| panic!("{}: {error}", python.display()));
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(list.as_bytes()).expect("it reads its list");
    child
}

/// Counts, by class, how the other program's pairing of a round compares with ours.
fn judge(other: &Other, made: &Tournament, seed: u64, round: u32, answer: &str, tally: &mut Tally) {
    if answer == "-" {
        return tally.add(Class::Nobody, None);
    }
    let at = format!("seed {seed}, round {round}");
    if let Some(reason) = answer.strip_prefix("! ") {
        return tally.add(Class::NoAnswer, Some(format!("{at}: {reason}")));
    }
    let (ours, theirs) = (pairing_of_round(made, round), read_pairing(answer));
    let Some(difference) = difference(&ours, &theirs, ColorComparison::Compared) else {
        return tally.add(Class::Same, None);
    };
    let mut before = before_round(made, round).expect("own file");
    before.rules.tpn_parity = other.kind.tpn_parity;
    let verdict = criteria::compare(&before.history, &before.rules, &ours, &theirs);
    let class = match &verdict {
        Verdict::Same => panic!("{at}: {difference:?} is a difference"),
        Verdict::TooLarge => Class::TooLarge,
        Verdict::Illegal { first, second } if first.is_empty() => Class::TheirsIllegal(article(&second[0])),
        Verdict::Illegal { first, .. } => Class::OursIllegal(article(&first[0])),
        Verdict::Better { which, criterion, .. } => match which {
            Which::First => Class::OursBetter(criterion),
            Which::Second => Class::TheirsBetter(criterion),
        },
    };
    let [only_ours, only_theirs] = [&difference.first, &difference.second].map(named);
    tally.add(
        class,
        Some(format!("{at}: {verdict}; ours {only_ours}, theirs {only_theirs}")),
    );
}

fn read_pairing(text: &str) -> RoundPairing {
    let mut pairing = RoundPairing::default();
    for pair in text.split_whitespace() {
        let (white, black) = pair.split_once('-').expect("a pair");
        let number = |word: &str| PairingNumber(word.parse().expect("a number"));
        match (number(white), number(black)) {
            (player, PairingNumber(0)) => pairing.bye = Some(player),
            (white, black) => pairing.pairs.push(Pair {
                white,
                black,
                repeat: false,
            }),
        }
    }
    pairing
}

fn named(pairing: &RoundPairing) -> String {
    let pairs = pairing
        .pairs
        .iter()
        .map(|pair| format!("{}-{}", pair.white, pair.black));
    let boards: Vec<String> = pairs.chain(pairing.bye.map(|bye| format!("{bye}-0"))).collect();
    boards.join(" ")
}

/// The article of a breach: what stands last in its sentence in brackets.
fn article(breach: &IllegalPairingError) -> String {
    let sentence = breach.to_string();
    sentence
        .rsplit('(')
        .next()
        .unwrap_or_default()
        .trim_end_matches(')')
        .to_owned()
}

/// How two pairings of one round compare.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    /// Nobody was to be paired.
    Nobody,
    Same,
    /// The other program says that there is no pairing, or fails.
    NoAnswer,
    TheirsIllegal(String),
    OursBetter(&'static str),
    TooLarge,
    TheirsBetter(&'static str),
    OursIllegal(String),
}

/// How many rounds of each class, with examples.
#[derive(Default)]
struct Tally(BTreeMap<Class, (usize, Vec<String>)>);

impl Tally {
    fn add(&mut self, class: Class, example: Option<String>) {
        let (count, examples) = self.0.entry(class).or_default();
        *count += 1;
        examples.extend(example.filter(|_| examples.len() < EXAMPLES));
    }

    fn ours_wrong(&self) -> usize {
        let wrong = |class: &Class| matches!(class, Class::TheirsBetter(_) | Class::OursIllegal(_));
        self.0
            .iter()
            .filter(|(class, _)| wrong(class))
            .map(|(_, (count, _))| count)
            .sum()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (class, (count, examples)) in &self.0 {
            writeln!(f, "{count:>8} {class:?}")?;
            for example in examples {
                writeln!(f, "             {example}")?;
            }
        }
        Ok(())
    }
}
