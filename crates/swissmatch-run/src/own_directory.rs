//! Directories that agents are given whole (`player.dir`, and those that words name): what in them is not the agent's, and what an
//! organizer has to know of them.
//!
//! May not: look for agents.

use std::path::{Path, PathBuf};

use swiss_system::text::escaped;

use swissmatch_config::ConfigError;
use swissmatch_game::isolation::Isolation;
use swissmatch_game::wanted::WantedOptions;
use swissmatch_host::confine::interpreter::led_to;
use swissmatch_host::host::agent::names;
use swissmatch_host::host::{AgentFound, AgentSpec};
use swissmatch_host::paths::resolved;
use swissmatch_host::run_dir;
use swissmatch_tournament::setup::{Openings, PlayerKeys};

use super::error::RunError;
use super::event_file::EventFile;
use super::{reach, roster_lock};

/// The agents of an event, in the order of its players, with what in their directories is not theirs.
pub(super) fn agents(event: &EventFile) -> Vec<AgentSpec> {
    let setup = &event.loaded.setup;
    let players = &setup.players;
    let mut specs: Vec<AgentSpec> = players
        .iter()
        .map(|player| AgentSpec::of_player(player, setup))
        .collect();
    let given: Vec<Vec<PathBuf>> = specs.iter().map(|spec| given_whole(event, spec)).collect();
    let led_to: Vec<Vec<PathBuf>> = specs.iter().map(|spec| leads_to(event, spec)).collect();
    if given.iter().chain(&led_to).all(Vec::is_empty) {
        return specs;
    }
    let of_event = of_event(event);
    let run = run_of_submissions(event);
    let made: Vec<AgentPaths> = specs.iter().map(|spec| AgentPaths::of(event, spec)).collect();
    for (at, (spec, given)) in specs.iter_mut().zip(&given).enumerate() {
        let dir = &made[at].dir;
        let others = made.iter().enumerate();
        let others = others.filter(|(other, made)| *other != at && (dir.is_none() || made.dir != *dir));
        // What it is run by is in no other's directory, nor has one in it.
        let is_near = |dir: &&PathBuf| {
            let is_near = |place: &PathBuf| place.starts_with(dir) || dir.starts_with(place);
            led_to[at].iter().any(is_near) && !event.directory.starts_with(dir)
        };
        let near = others.clone().filter_map(|(_, made)| made.dir.as_ref()).filter(is_near);
        let others = others.flat_map(|(_, made)| made.dir.iter().chain(&made.named));
        let is_below = |path: &&PathBuf| given.iter().any(|given| *path != given && path.starts_with(given));
        let is_named = |path: &&PathBuf| made[at].named.contains(path);
        let left_out = of_event.iter().chain(others.filter(|path| !is_named(path)));
        let mut left_out: Vec<String> = left_out
            .filter(is_below)
            .chain(near)
            .map(|path| path.display().to_string())
            .collect();
        left_out.sort();
        left_out.dedup();
        spec.left_out = left_out;
        let kept_from = of_event.iter().chain(&run);
        spec.kept_from = kept_from.map(|path| path.display().to_string()).collect();
    }
    specs
}

/// The agent of the player at `index`, who plays by `player` instead.
pub(super) fn agent_by(event: &EventFile, index: usize, player: PlayerKeys) -> AgentSpec {
    let mut event = event.clone();
    event.loaded.setup.players[index] = player;
    agents(&event).swap_remove(index)
}

/// Whether a path leads to something that is not the agent's at `index`: what the event names for itself, another agent's, or the run where
/// submissions lie, with what holds that.
pub(super) fn is_not_its_own(event: &EventFile, index: usize, path: &Path) -> bool {
    let setup = &event.loaded.setup;
    let made = |player| AgentPaths::of(event, &AgentSpec::of_player(player, setup));
    let own = made(&setup.players[index]);
    let others = setup.players.iter().enumerate().filter(|(other, _)| *other != index);
    let of_others = others.flat_map(|(_, player)| {
        let made = made(player);
        // In the event's directory, what is nobody's is nobody's.
        let dir = made
            .dir
            .filter(|dir| own.dir.as_ref() != Some(dir) && !event.directory.starts_with(dir));
        dir.into_iter().chain(made.named)
    });
    let path = resolved(&event.directory.join(path));
    let mut kept = of_event(event).into_iter().chain(of_others);
    let run = run_of_submissions(event);
    kept.any(|kept| path.starts_with(kept) && !own.named.contains(&path))
        || run.is_some_and(|run| path.starts_with(&run) || run.starts_with(&path))
}

/// The run in which what players handed in lies, where one plays by such.
fn run_of_submissions(event: &EventFile) -> Option<PathBuf> {
    let mut players = event.loaded.setup.players.iter();
    let handed_in = players.find(|player| player.submission.is_some() && player.dir.is_some())?;
    let version = resolved(&base(event, handed_in));
    let run = version.ancestors().nth(3)?;
    let is_there = run_dir::is_played(version.strip_prefix(run).ok()?);
    is_there.then(|| run.to_path_buf())
}

/// Where the words of a player lead from.
fn base(event: &EventFile, player: &PlayerKeys) -> PathBuf {
    let dir = player.dir.as_deref().unwrap_or("");
    event.directory.join(dir)
}

/// Directories that an agent is given whole.
fn given_whole(event: &EventFile, spec: &AgentSpec) -> Vec<PathBuf> {
    let base = base(event, &spec.player);
    let named = spec.words().map(|word| base.join(word));
    named.filter(|path| path.is_dir()).map(|path| resolved(&path)).collect()
}

/// Interpreters that are not the system's, and where they are installed, to which an agent's own files lead.
fn leads_to(event: &EventFile, spec: &AgentSpec) -> Vec<PathBuf> {
    let own = spec.player.dir.as_ref().map(|_| base(event, &spec.player));
    let program = resolved(&event.directory.join(&spec.player.command));
    let led_to = led_to(&program, own.as_deref(), spec.player.submission.is_some())
        .into_iter()
        .map(|path: PathBuf| resolved(&path));
    let elsewhere = led_to.filter(|path| *path != program && !path.starts_with("/usr"));
    let prefix = |path: &PathBuf| path.parent().and_then(Path::parent).map(Path::to_path_buf);
    elsewhere.filter_map(|path| prefix(&path)).collect()
}

/// What an agent is made of, and what it writes.
struct AgentPaths {
    dir: Option<PathBuf>,
    named: Vec<PathBuf>,
}

impl AgentPaths {
    fn of(event: &EventFile, spec: &AgentSpec) -> Self {
        let player = &spec.player;
        let base = base(event, player);
        // A bare name may be found beside the event file.
        let program = event.directory.join(&player.command);
        let words = spec.words().filter(|word| *word != ".").map(|word| base.join(word));
        let named = std::iter::once(program).chain(words).filter(|path| path.exists());
        let written = player.write.iter().map(|name| base.join(name));
        Self {
            dir: player.dir.as_ref().map(|_| resolved(&base)),
            named: named.chain(written).map(|path| resolved(&path)).collect(),
        }
    }
}

/// The event file, and what it names for itself.
fn of_event(event: &EventFile) -> Vec<PathBuf> {
    let setup = &event.loaded.setup;
    let file = std::path::absolute(event.path()).unwrap_or_else(|_| event.path().to_path_buf());
    let openings = match &setup.mini_match.openings {
        Openings::File(name) => Some(name),
        Openings::None | Openings::Bundled | Openings::Unbalanced | Openings::Chess960 => None,
    };
    let baseline = setup.eligibility.baseline.as_ref().map(|baseline| &baseline.command);
    let named = openings.into_iter().chain(baseline).chain([&setup.eligibility.record]);
    let named = named.chain(&setup.adjudication.tablebases).chain(&setup.tour.runs);
    let named = named.map(|name| event.directory.join(name));
    let all = named
        .chain([roster_lock::path_of(&file), file])
        .chain(reach::kept_paths(event));
    all.map(|path| resolved(&path)).collect()
}

/// What is probably not meant with directories that agents are given whole, in a run that begins.
///
/// # Errors
/// When a word of an agent with a directory names what is beside the event file alone; or when two agents share one where each has to
/// be kept from the other.
pub(super) fn look(event: &EventFile, specs: &[AgentSpec], found: &[AgentFound]) -> Result<Vec<String>, RunError> {
    for (index, spec) in specs.iter().enumerate() {
        words_lead_from_its_directory(event, index, spec)?;
    }
    let mut doubts = shared(event, specs)?;
    for spec in specs
        .iter()
        .filter(|spec| spec.isolation != Isolation::Off && spec.player.dir.is_some())
    {
        let base = base(event, &spec.player);
        let missing = spec.player.write.iter().filter(|name| !base.join(name).exists());
        doubts.extend(missing.map(|name| {
            escaped(format!(
                "player.write of {}: there is no `{name}` in its directory, where it can make nothing new: make a file or directory of \
                 that name before",
                spec.player.name
            ))
        }));
    }
    for (spec, found) in specs
        .iter()
        .zip(found)
        .filter(|(spec, _)| spec.isolation != Isolation::Off)
    {
        let interpreter = found.interpreter.iter();
        doubts.extend(interpreter.map(|why| escaped(format!("{}: {why}", spec.player.name))));
        let mut links = found.leading_out.iter();
        if let Some(link) = links.next() {
            let more = match links.count() {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            doubts.push(escaped(format!(
                "{}: {link}{more} leads out of its directory, so the agent finds nothing there: put the file itself in its place, or \
                 name it in args, options or env",
                spec.player.name
            )));
        }
    }
    Ok(doubts)
}

/// That the words of an agent with a directory lead from there.
///
/// # Errors
/// When a word names what is beside the event file alone.
pub(super) fn words_lead_from_its_directory(event: &EventFile, index: usize, spec: &AgentSpec) -> Result<(), RunError> {
    let (Some(dir), player) = (&spec.player.dir, &spec.player) else {
        return Ok(());
    };
    let base = event.directory.join(dir);
    let is_beside_the_event = |word: &&str| {
        let path = Path::new(word);
        path.is_relative() && !base.join(word).exists() && event.directory.join(word).exists()
    };
    // A plain word of an option may be a choice, one of an argument a module of Python or a mode: these name nothing, whatever directory
    // has their name.
    let no_options = WantedOptions::default();
    let is_no_choice = |word: &&str| {
        let mut others = names(&player.args, &no_options, &player.env);
        word.contains(['/', '.']) || (event.directory.join(word).is_file() && others.any(|other| other == *word))
    };
    let beside = spec.words().filter(is_beside_the_event);
    let Some(word) = beside.into_iter().find(is_no_choice) else {
        return Ok(());
    };
    let is_of = |text: &String| text.contains(word);
    let key = match () {
        () if player.args.iter().any(is_of) => "player.args",
        () if player.env.values().any(is_of) => "player.env",
        () => "player.options",
    };
    let instead = from(&resolved(&base), &resolved(&event.directory.join(word)));
    Err(RunError::Event(ConfigError {
        help: Some(format!("write {instead}")),
        ..event.loaded.error_at_player(
            index,
            key,
            format!("there is no `{word}` in {dir}, where the agent works (player.dir), but beside the event file"),
        )
    }))
}

/// That no agent is given a run, with the one that is to be played in `out`.
///
/// # Errors
/// When an agent's directory is that of a run, or lies in one.
pub(super) fn are_of_no_run(event: &EventFile, specs: &[AgentSpec], out: &Path) -> Result<(), RunError> {
    let out = resolved(out);
    let isolated = specs
        .iter()
        .enumerate()
        .filter(|(_, spec)| spec.isolation != Isolation::Off)
        // Submissions lie beside the run.
        .filter(|(_, spec)| spec.player.submission.is_none());
    for (index, spec) in isolated {
        let Some(dir) = &spec.player.dir else { continue };
        let directory = resolved(&event.directory.join(dir));
        // An event may be played where its file is.
        let is_run = |above: &Path| run_dir::log(above).exists() && !resolved(&event.directory).starts_with(above);
        let run = directory.ancestors().find(|above| is_run(above));
        if let Some(run) = run.or_else(|| (directory == out).then_some(out.as_path())) {
            let why = format!("{dir} is, or lies in, the run {}, which no agent reads", run.display());
            return Err(RunError::Event(ConfigError {
                help: Some("play into another directory (--out), or give the agent one outside of runs".to_owned()),
                ..event.loaded.error_at_player(index, "player.dir", why)
            }));
        }
    }
    Ok(())
}

/// How one comes from a directory to a path.
pub(super) fn from(directory: &Path, path: &Path) -> String {
    let shared = directory.ancestors().find(|above| path.starts_with(above));
    let Some(shared) = shared.filter(|shared| *shared != Path::new("/")) else {
        return path.display().to_string();
    };
    let up = directory
        .strip_prefix(shared)
        .map_or(0, |rest| rest.components().count());
    let down = path.strip_prefix(shared).unwrap_or(path);
    match format!("{}{}", "../".repeat(up), down.display()) {
        way if way.is_empty() => ".".to_owned(),
        way => way,
    }
}

/// Agents that see each other's files.
///
/// # Errors
/// When one of them is sealed, or there are prizes.
fn shared(event: &EventFile, specs: &[AgentSpec]) -> Result<Vec<String>, RunError> {
    let setup = &event.loaded.setup;
    let isolated = specs
        .iter()
        .enumerate()
        .filter(|(_, spec)| spec.isolation != Isolation::Off);
    let mut seen: Vec<(PathBuf, Vec<usize>)> = Vec::new();
    for (index, spec) in isolated {
        let Some(dir) = &spec.player.dir else { continue };
        let dir = resolved(&event.directory.join(dir));
        match seen.iter_mut().find(|(other, _)| *other == dir) {
            Some((_, all)) => all.push(index),
            None => seen.push((dir, vec![index])),
        }
    }
    let mut doubts = Vec::new();
    for (dir, all) in seen.iter().filter(|(_, all)| all.len() > 1) {
        let names: Vec<&str> = all.iter().map(|index| specs[*index].player.name.as_str()).collect();
        let names = names.join(", ");
        let why = format!(
            "{names} share the directory {}, so each reads the others' files",
            dir.display()
        );
        let sealed = all.iter().find(|index| specs[**index].isolation == Isolation::Sealed);
        let has_prizes = setup.prizes.are_set();
        if let Some(index) = sealed.copied().or(has_prizes.then(|| all[1])) {
            let because = if sealed.is_some() {
                "a sealed agent"
            } else {
                "an event with prizes"
            };
            return Err(RunError::Event(ConfigError {
                help: Some("give each agent a directory of its own".to_owned()),
                ..event
                    .loaded
                    .error_at_player(index, "player.dir", format!("{why}, which {because} does not allow"))
            }));
        }
        doubts.push(escaped(why));
    }
    Ok(doubts)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An environment of one entrant may say that it is made from another's.
    #[test]
    fn no_agent_is_run_by_what_is_in_anothers_directory() {
        let place = tempfile::tempdir().expect("a directory");
        let at = resolved(place.path());
        for name in ["X/.venv/bin", "Y/.venv/bin", "Z"] {
            std::fs::create_dir_all(at.join(name)).expect("a directory");
        }
        let write = |name: &str, text: String| std::fs::write(at.join(name), text).expect("a file");
        let of_y = at.join("Y/.venv/bin");
        for name in ["X/.venv/bin/python", "Y/.venv/bin/python"] {
            std::fs::copy("/bin/true", at.join(name)).expect("a program");
        }
        write("Y/.venv/pyvenv.cfg", "home = /usr/bin\n".to_owned());
        write("X/.venv/pyvenv.cfg", format!("home = {}\n", of_y.display()));
        write("X/run.sh", "#!/bin/sh\n".to_owned());
        write("Z/run.sh", format!("#!{}/python\n", of_y.display()));
        write("Y/run.sh", format!("#!{}/python\n", of_y.display()));
        let player = |name| format!("[[player]]\nname = {name:?}\ncommand = \"{name}/run.sh\"\ndir = {name:?}\n");
        let text = ["X", "Y", "Z"].map(player).concat();
        let event = EventFile::parse(&at.join("event.toml"), &text).expect("an event");
        let left_out: Vec<Vec<String>> = agents(&event).into_iter().map(|spec| spec.left_out).collect();
        let of_y = vec![at.join("Y").display().to_string()];
        assert_eq!(left_out, [of_y.clone(), Vec::new(), of_y]);
    }

    #[test]
    fn the_way_to_a_file_goes_up_and_down() {
        let way = |directory: &str, path: &str| from(Path::new(directory), Path::new(path));
        assert_eq!(way("/event/bbc", "/event/nets/a.bin"), "../nets/a.bin");
        assert_eq!(way("/event/a/b", "/event/a.bin"), "../../a.bin");
        assert_eq!(way("/srv/bbc", "/home/a.bin"), "/home/a.bin");
        assert_eq!(way("/event/bbc", "/event/bbc"), ".");
    }
}
