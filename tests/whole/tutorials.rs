//! The tutorials, run as they are printed. A block whose fence names a file (`toml FILE`) is that file; in a block `console` lines
//! after `$` are commands, the others what these print: in this order, with `…` for anything, also for any number of lines.

use std::process::Command;

use crate::services::llama;
use crate::support::{Place, say_what_is_missing, swissmatch};

/// A block between fences: what its fence says, and its lines.
struct Block<'a> {
    kind: &'a str,
    lines: Vec<&'a str>,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(kind) = line.strip_prefix("```") {
            let lines = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push(Block { kind, lines });
        }
    }
    blocks
}

/// Whether a line is the expected one, in which `…` stands for anything.
fn fits(line: &str, expected: &str) -> bool {
    let mut parts = expected.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in middle {
        let Some((_, after)) = rest.split_once(part) else {
            return false;
        };
        rest = after;
    }
    rest.ends_with(last)
}

/// Whether a text has the expected lines, in their order; where nothing is left out between them, without others between.
fn says(text: &str, expected: &[&str]) -> Result<(), String> {
    let mut lines = text.lines().map(str::trim_end);
    let mut may_skip = false;
    for wanted in expected {
        if *wanted == "…" {
            may_skip = true;
            continue;
        }
        let found = match may_skip {
            true => lines.any(|line| fits(line, wanted)),
            false => lines.next().is_some_and(|line| fits(line, wanted)),
        };
        if !found {
            return Err(format!("no line `{wanted}`"));
        }
        may_skip = false;
    }
    match lines.next() {
        Some(line) if !may_skip => Err(format!("a line more: `{line}`")),
        _ => Ok(()),
    }
}

#[test]
fn what_is_expected_is_found() {
    assert!(
        fits("5 of 24 games", "… of 24 …") && fits("a", "…") && fits("a", "a") && !fits("ab", "a") && !fits("b", "a…")
    );
    assert_eq!(says("a\nb\nc\n", &["a", "…", "c"]), Ok(()));
    assert_eq!(says("a\nb\n", &["a", "b"]), Ok(()));
    assert!(says("a\nb\n", &["a"]).is_err() && says("a\n", &["b", "…"]).is_err() && says("", &["a"]).is_err());
}

/// A command as whoever reads the page types it; what it prints, on both streams.
fn typed(place: &Place, command: &str) -> String {
    let bin = std::path::Path::new(swissmatch()).parent().expect("a directory");
    let path = format!(
        "{}:/usr/games:{}",
        bin.display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let ran = Command::new("sh")
        .args(["-c", &format!("{{ {command}; }} 2>&1")])
        .current_dir(place.path(""))
        .env("PATH", path)
        // Whoever reads the page has told git who he is.
        .envs(["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"].map(|name| (name, "Author")))
        .envs(["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"].map(|name| (name, "author@example.org")))
        .output()
        .expect("a shell");
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(ran.status.success(), "$ {command}: {}\n{text}", ran.status);
    text
}

fn follow(page: &str) {
    let place = Place::new();
    let mut commands = 0;
    for Block { kind, lines } in blocks(page) {
        if let Some((_, file)) = kind.split_once(' ') {
            if let Some(directory) = place.path(file).parent() {
                std::fs::create_dir_all(directory).expect("a directory");
            }
            place.write(file, &(lines.join("\n") + "\n"));
        } else if kind == "console" {
            let starts: Vec<usize> = (0..lines.len()).filter(|&at| lines[at].starts_with("$ ")).collect();
            for (number, &start) in starts.iter().enumerate() {
                let end = starts.get(number + 1).copied().unwrap_or(lines.len());
                let command = &lines[start][2..];
                let text = typed(&place, command);
                if let Err(why) = says(&text, &lines[start + 1..end]) {
                    panic!("$ {command}\n{why} in\n{text}");
                }
                commands += 1;
            }
        }
    }
    assert!(commands > 3, "{commands} commands");
}

#[test]
fn a_competition() {
    follow(include_str!("../../docs/tutorials/competition.md"));
}

#[test]
fn engines_compared() {
    follow(include_str!("../../docs/tutorials/compare.md"));
}

/// On a port of its own: others test, too.
#[cfg(feature = "workers")]
#[test]
fn many_machines() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let port = port.expect("a port").port().to_string();
    follow(&include_str!("../../docs/tutorials/many-machines.md").replace("4222", &port));
}

#[test]
fn a_nightly_league() {
    follow(include_str!("../../docs/tutorials/nightly.md"));
}

#[test]
fn an_event_with_prizes() {
    follow(include_str!("../../docs/tutorials/prizes.md"));
}

#[test]
fn a_season() {
    follow(include_str!("../../docs/tutorials/season.md"));
}

#[test]
fn language_models() {
    let model = Place::new();
    let (_server, address) = llama(&model, 0);
    let page = include_str!("../../docs/tutorials/models.md");
    follow(&page.replace("http://127.0.0.1:8080", &address));
}

/// The unit of systemd that the page gives, with a program that is there.
#[test]
fn the_unit_is_one_for_systemd() {
    let place = Place::new();
    let unit =
        include_str!("../../configs/deploy/swissmatch.service").replace("/usr/local/bin/swissmatch", "/bin/true");
    // What is given up by these is said in docs/isolation.md.
    for key in [
        "RestrictNamespaces",
        "ProtectControlGroups",
        "ProtectProc",
        "ProcSubset",
        "RestrictAddressFamilies",
    ] {
        assert!(!unit.contains(&format!("\n{key}=")), "{key}");
    }
    place.write("swissmatch.service", &unit);
    let file = place.path("swissmatch.service");
    let checked = Command::new("systemd-analyze").arg("verify").arg(&file).output();
    let Ok(checked) = checked else {
        say_what_is_missing("systemd-analyze is not installed here");
        return;
    };
    let said = String::from_utf8_lossy(&checked.stderr).into_owned();
    // Units of this machine, on which it depends, are none of ours.
    let ours: Vec<&str> = said
        .lines()
        .filter(|line| line.contains("swissmatch.service"))
        .collect();
    assert!(ours.is_empty(), "{ours:#?}");
}
