//! Engines tried out before there is an event: whether each speaks UCI, and by which arguments.
//!
//! May not: write anything, speak to a person.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use swiss_system::text::escaped;

use swissmatch_config::{InitPlayer, NewEvent};
use swissmatch_game::handshake::{Cause, StartError};
use swissmatch_game::isolation::Isolation;
use swissmatch_game::well_known::{self, KnownEngine};
use swissmatch_host::host::{AgentSpec, FindAgentError, IntroductionReport};
use swissmatch_host::paths::resolved;

use super::error::{NotStarted, RunError};
use super::event_file::EventFile;
use super::hosted::HostConnection;
use super::introduction::remedy;
use super::own_directory;

/// Most files, and most bytes of them, of a directory that becomes an agent's own without being asked for.
const MOST_FILES: usize = 20_000;
const MOST_BYTES: u64 = 1 << 30;
/// For `uciok` and for `readyok` each.
const LIMIT: Duration = Duration::from_secs(5);

/// What an engine says that its name is, or that it did not start.
type EngineTrial = Result<String, NotStarted>;

/// Starts each player's engine once, in the directory of the event file `path`, and ends it again; from then on it has the name that
/// it said. Where one does not start by its plain name, the arguments by which a well-known engine speaks UCI are tried, and become its
/// own; of any other the directory that it is in. Also gives who does not start.
///
/// # Errors
/// When there is no such directory, or the machine lacks something.
pub fn try_out(event: &mut NewEvent, path: &Path) -> Result<Vec<NotStarted>, RunError> {
    let all: Vec<usize> = (0..event.players.len()).collect();
    let mut names = vec![None; all.len()];
    let (mut failed, mut again) = (BTreeMap::new(), Vec::new());
    for (index, started) in start(event, path, &all)? {
        let player = &event.players[index];
        let instead = match (&started, well_known::known(&player.command)) {
            (Ok(_), _) => None,
            (Err(_), Some(KnownEngine::Speaks(words))) if player.args.is_empty() => Some(InitPlayer {
                args: words.iter().map(|word| (*word).to_owned()).collect(),
                ..player.clone()
            }),
            (Err(_), _) => in_its_directory(player, path),
        };
        match started {
            Ok(name) => names[index] = Some(name),
            Err(dead) => drop(failed.insert(index, dead)),
        }
        again.extend(instead.map(|instead| (index, instead)));
    }
    for (index, instead) in &mut again {
        std::mem::swap(&mut event.players[*index], instead);
    }
    let tried: Vec<usize> = again.iter().map(|(index, _)| *index).collect();
    for ((index, started), (_, before)) in start(event, path, &tried)?.into_iter().zip(again) {
        match started {
            Ok(name) => {
                names[index] = Some(name);
                failed.remove(&index);
            }
            // What was wrong with it as it was asked for.
            Err(_) if event.players[index].dir.is_some() => event.players[index] = before,
            Err(dead) => drop(failed.insert(index, dead)),
        }
    }
    // Those that nobody asked for have the names that were told.
    let asked = names.len() - event.filled_up.len();
    names[asked..].fill(None);
    event.take_names(&names);
    Ok(failed.into_values().collect())
}

/// The same agent in the directory that its program is in, or the script that an interpreter runs; `None`: it is in none.
fn in_its_directory(player: &InitPlayer, event_file: &Path) -> Option<InitPlayer> {
    let event = event_file.parent().unwrap_or(event_file);
    let runs = match well_known::is_interpreter(&player.command) {
        true => well_known::interpreted(&player.args)?,
        false => &player.command,
    };
    // A module is looked for where it is started.
    let is_there = |word: &str| event.join(word).exists();
    let dir = match Path::new(runs).parent().filter(|_| is_there(runs)) {
        Some(above) if above.starts_with("/usr") => return None,
        Some(above) if above != Path::new("") => above.to_str()?,
        Some(_) => ".",
        None if player.args.iter().any(|arg| arg == "-m") => ".",
        None => return None,
    };
    let base = event.join(dir);
    if !is_worth_it(&base) {
        return None;
    }
    let within = |word: &String| {
        let (flag, name) = word
            .split_once('=')
            .map_or(("", word.as_str()), |(_, name)| word.split_at(word.len() - name.len()));
        match Path::new(name).is_relative() && is_there(name) && !name.is_empty() && !base.join(name).exists() {
            true => format!(
                "{flag}{}",
                own_directory::from(&resolved(&base), &resolved(&event.join(name)))
            ),
            false => word.clone(),
        }
    };
    Some(InitPlayer {
        args: player.args.iter().map(within).collect(),
        dir: Some(dir.to_owned()),
        ..player.clone()
    })
}

/// Whether a directory is so small that one would give it whole to an agent without being asked for.
fn is_worth_it(directory: &Path) -> bool {
    let (mut files, mut bytes) = (0, 0_u64);
    let mut directories = vec![directory.to_path_buf()];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
            let Ok(data) = entry.metadata() else { return false };
            files += 1;
            bytes = bytes.saturating_add(data.len());
            if files > MOST_FILES || bytes > MOST_BYTES {
                return false;
            }
            directories.extend(data.is_dir().then(|| entry.path()));
        }
    }
    true
}

/// Starts the engines of the players at these indices: what each says that its name is, or that it does not start.
fn start(event: &NewEvent, path: &Path, players: &[usize]) -> Result<Vec<(usize, EngineTrial)>, RunError> {
    let mut of_file = EventFile::parse(path, &event.file().text)?;
    of_file.loaded.setup.engine.start_limit = LIMIT;
    let setup = &of_file.loaded.setup;
    let mut hosted = HostConnection::at(&of_file.directory);
    let all = own_directory::agents(&of_file);
    let spec = |index: &usize| all[*index].clone();
    let specs: Vec<AgentSpec> = players.iter().map(spec).collect();
    let (mut started, mut there) = (BTreeMap::new(), Vec::new());
    for (index, found) in players.iter().zip(hosted.find(specs)?) {
        let name = escaped(&event.players[*index].name);
        match found {
            Ok(_) => there.push(*index),
            Err(FindAgentError::Machine(why)) => return Err(RunError::Machine(why)),
            Err(why) => {
                let dead = NotStarted {
                    what: format!("{name}: {}", escaped(why.to_string())),
                    printed: None,
                    remedy: "give the path of a program, or its name if it is in PATH".to_owned(),
                };
                started.insert(*index, Err(dead));
            }
        }
    }
    let introduced = hosted.introduce(there.iter().map(spec).collect(), &of_file.loaded)?;
    for (index, introduced) in there.into_iter().zip(introduced) {
        let isolation = setup.isolation(&setup.players[index]);
        started.insert(index, said(&event.players[index], isolation, introduced)?);
    }
    Ok(started.into_iter().collect())
}

/// What an engine says that its name is, or that it did not start.
fn said(player: &InitPlayer, isolation: Isolation, introduced: IntroductionReport) -> Result<EngineTrial, RunError> {
    match introduced.said {
        Ok(said) => Ok(Ok(said.name)),
        Err(failure @ StartError::Host(_)) => Err(RunError::Machine(format!("{}: {failure}", player.name))),
        Err(failure) => Ok(Err(NotStarted {
            what: format!(
                "{} does not start: {}",
                escaped(&player.name),
                Cause::in_words(introduced.cause.as_ref(), &failure)
            ),
            printed: Some(introduced.printed),
            remedy: introduced.cause.map_or_else(
                || remedy((&player.command, &player.args), false, isolation, &failure),
                |cause| cause.remedy,
            ),
        })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_its_directory_an_agent_has_the_words_that_lead_from_there() {
        let place = tempfile::tempdir().expect("a directory");
        for name in ["agents/a", "nets"] {
            std::fs::create_dir_all(place.path().join(name)).expect("a directory");
        }
        for name in ["b.py", "agents/a/a.py", "agents/a/own.bin", "nets/n.bin"] {
            std::fs::write(place.path().join(name), "").expect("a file");
        }
        let event = place.path().join("event.toml");
        let of = |command: &str, args: &[&str]| {
            let player = InitPlayer {
                name: "A".to_owned(),
                command: command.to_owned(),
                args: args.iter().map(|arg| (*arg).to_owned()).collect(),
                dir: None,
            };
            let player = in_its_directory(&player, &event);
            player.map(|player| format!("{} {}", player.dir.unwrap_or_default(), player.args.join(" ")))
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(of("./b.py", &["--net=nets/n.bin"]), some(". --net=nets/n.bin"));
        assert_eq!(of("b.py", &[]), some(". "));
        assert_eq!(
            of("agents/a/a.py", &["own.bin", "nets/n.bin", "--net=nets/n.bin", "3"]),
            some("agents/a own.bin ../../nets/n.bin --net=../../nets/n.bin 3")
        );
        assert_eq!(of("python3", &["-u", "agents/a/a.py"]), some("agents/a -u a.py"));
        assert_eq!(of("python3", &["-m", "agents.a"]), some(". -m agents.a"));
        assert_eq!(of("/usr/bin/env", &["gone"]), None);
        assert_eq!(of("stockfish", &["b.py"]), None);
    }
}
