//! The life of the hostile agent: it plays, and tries at its moment.

use std::fs::OpenOptions;
use std::hint::black_box;
use std::io::Write;
use std::process::ExitCode;

use super::arguments::{Arguments, Request, help, parse};
use super::means::MIB;
use super::streams;
use crate::fault::relatives;
use crate::life;
use swissmatch_engines::{instant, random};

/// Runs the hostile agent with the arguments after the program's name.
pub fn run(words: impl Iterator<Item = String>) -> ExitCode {
    match parse(words) {
        Ok(Request::Play(arguments)) => play(&arguments),
        Ok(Request::Help) => print!("{}", help()),
        Ok(Request::Linger(time)) => relatives::linger(time),
        Ok(Request::Hold(mib)) => hold(mib),
        Err(complaint) => {
            eprintln!("hostile-agent: {complaint}; see --help");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn play(arguments: &Arguments) {
    life::limit(arguments.life);
    if arguments.at.is_none() {
        try_all(arguments);
    }
    instant::run("hostile-agent", |game, seed| {
        streams::fall_silent();
        if arguments.at == Some(game.own_moves() + 1) {
            try_all(arguments);
        }
        random::choose(game, seed)
    });
}

fn try_all(arguments: &Arguments) {
    for (kind, value) in &arguments.tries {
        let outcome = match (kind.harm)(&arguments.means, value.as_deref().unwrap_or_default()) {
            Ok(detail) => format!("done {detail}"),
            Err(failed) => failed.to_string(),
        };
        tell(arguments, &format!("hostile {}: {}", kind.name, outcome.trim_end()));
    }
}

/// A line on standard error; whoever read it may have been killed by now.
fn tell(arguments: &Arguments, line: &str) {
    let _gone = writeln!(std::io::stderr(), "{line}");
    if let Some(path) = &arguments.means.tell {
        let file = OpenOptions::new().append(true).create(true).open(path);
        let _refused = file.and_then(|mut file| writeln!(file, "{line}"));
    }
}

/// Writes to each page of so many MiB.
fn hold(mib: usize) {
    let pieces: Vec<Vec<u8>> = (0..mib).map(|_| vec![1; MIB]).collect();
    println!("held {} MiB", black_box(pieces).len());
}
