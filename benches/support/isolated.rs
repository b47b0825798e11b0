//! What isolation costs an agent: how long it takes to start, and to answer. On a busy machine the processor time of a start tells more.

use std::path::Path;
use std::time::{Duration, Instant};

use swissmatch::game::isolation::Isolation;
use swissmatch::shell::agents;
use swissmatch::shell::confine::isolator::Isolator;
use swissmatch::shell::engine::{Engine, EngineCommand, EngineRead, OtherEngine};
use swissmatch::shell::host::AgentSpec;
use swissmatch::tournament::setup::{PlayerKeys, Setup};

use crate::workshop::Workshop;

const PATIENCE: Duration = Duration::from_secs(10);
const WORDS: [(&str, Isolation); 3] = [
    ("off", Isolation::Off),
    ("guarded", Isolation::Guarded),
    ("sealed", Isolation::Sealed),
];

/// Prints both, of so many starts and so many questions.
pub(crate) fn measure(shop: &Workshop, starts: usize, asked: usize) {
    let isolator = Isolator::new(&shop.path("event"));
    let commands = WORDS.map(|(_, isolation)| command(&isolator, &shop.path("parrot"), isolation));

    println!("{starts} starts each, in turn: until the agent is ready, in ms");
    let (mut took, mut ran) = (WORDS.map(|_| Vec::new()), WORDS.map(|_| 0.0));
    for _ in 0..starts {
        for ((command, took), ran) in commands.iter().zip(&mut took).zip(&mut ran) {
            let (begun, before) = (Instant::now(), run_by_children());
            let (engine, _) = Engine::start(command).expect("it starts");
            took.push(begun.elapsed().as_secs_f64() * 1e3);
            engine.end();
            *ran += run_by_children() - before;
        }
    }
    compare(&mut took, "ms");
    for ((word, _), ran) in WORDS.iter().zip(ran) {
        println!(
            "  {word:<8} {:>7.2} ms of the processor a start and end",
            ran * 1e3 / starts as f64
        );
    }

    println!("{asked} times each, in turn: `isready` to `readyok`, in µs");
    let mut engines = commands.map(|command| Engine::start(&command).expect("it starts").0);
    let mut took = WORDS.map(|_| Vec::new());
    for _ in 0..asked {
        for (engine, took) in engines.iter_mut().zip(&mut took) {
            took.push(ask(engine).as_secs_f64() * 1e6);
        }
    }
    compare(&mut took, "µs");
    Engine::dismiss(engines.into());
}

/// Seconds that processes below this one ran which have ended, with all that they have buried.
fn run_by_children() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("it is there");
    let (_, fields) = stat.rsplit_once(") ").expect("it has a name");
    let ticks = fields.split(' ').skip(13).take(2);
    ticks.map(|ticks| ticks.parse::<f64>().expect("ticks")).sum::<f64>() / 100.0
}

fn command(isolator: &Isolator, program: &Path, isolation: Isolation) -> EngineCommand {
    let player = PlayerKeys {
        name: format!("{isolation:?}"),
        args: vec!["game300.txt".to_owned()],
        isolation: Some(isolation),
        ..PlayerKeys::default()
    };
    let spec = AgentSpec::of_player(&player, &Setup::default());
    let directory = program.parent().expect("a directory").to_path_buf();
    let plain = agents::command(&spec, program.to_path_buf(), directory).expect("no variables");
    isolator
        .isolate(plain, &spec, Vec::new(), &[])
        .expect("a scratch directory")
}

fn ask(engine: &mut Engine) -> Duration {
    let begun = Instant::now();
    engine.write(b"isready\n", PATIENCE, begun);
    match engine.read(PATIENCE, begun, OtherEngine::Nobody) {
        EngineRead::Line(line) => assert_eq!(line.text, b"readyok"),
        other => panic!("the parrot said {other:?}"),
    }
    begun.elapsed()
}

/// Prints the spread of each word, and whether it is at most 10 above the first.
fn compare(took: &mut [Vec<f64>], unit: &str) {
    let mut off = None;
    for ((word, _), took) in WORDS.iter().zip(took) {
        took.sort_by(f64::total_cmp);
        let at = |share: f64| took[((took.len() - 1) as f64 * share) as usize];
        let (least, median, most_of_them, most) = (at(0.0), at(0.5), at(0.9), at(1.0));
        let more = median - *off.get_or_insert(median);
        println!(
            "  {word:<8} least {least:>7.2}  median {median:>7.2}  90 % {most_of_them:>7.2}  most {most:>8.2}  \
             {more:>6.2} above off (at most 10 {unit}: {})",
            more <= 10.0
        );
    }
}
