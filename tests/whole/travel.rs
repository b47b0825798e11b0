//! Agents that travel to another machine, here to another directory, and play there as they played.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::sync::mpsc;

use swissmatch::run::EventFile;
use swissmatch::shell::host::key::Identity;
use swissmatch::shell::host::{AgentFound, AgentSpec, GameHost as _, HostOrder, HostReport, Reports};
use swissmatch::shell::local::LocalHost;
use swissmatch_workers::bundle::{Bundle, pack};

use crate::support::{Place, engine, system_engine};

/// A bundled agent, an engine of the system's, and one in a directory of its own: a script that runs what a link leads to.
const KEYS: &str = "[event]\nname = \"Travel\"\n[swiss]\nrounds = \"auto\"\n[mini_match]\ngames = 2\n[game]\nnodes = 200\n\
                    max_moves = 10\n[engine.options]\nThreads = \"1\"\nHash = \"1\"\n";

fn event(players: &[(&str, String)]) -> String {
    let players = players
        .iter()
        .map(|(name, keys)| format!("[[player]]\nname = \"{name}\"\n{keys}\n"));
    format!("{KEYS}{}", players.collect::<String>())
}

/// What a host finds these agents to be.
fn found(host: &mut LocalHost, agents: Vec<AgentSpec>) -> Vec<AgentFound> {
    let (told, reports) = mpsc::channel();
    host.connect(Reports::to(move |report| drop(told.send(report))));
    host.order(HostOrder::Find { agents });
    match reports.recv() {
        Ok(HostReport::Found(found)) => found.into_iter().map(|one| one.expect("it is there")).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn agents_that_were_unpacked_elsewhere_are_the_same_and_play_the_same() {
    let home = Place::new();
    std::fs::create_dir_all(home.path("bot/bin")).expect("a directory");
    std::fs::copy(engine("greedy"), home.path("bot/bin/greedy-1")).expect("a copy");
    symlink("greedy-1", home.path("bot/bin/current")).expect("a link");
    let script = home.write(
        "bot/run.sh",
        "#!/bin/sh\nread -r seed < seed.txt\nexec bin/current $seed\n",
    );
    std::fs::set_permissions(script, PermissionsExt::from_mode(0o755)).expect("a program");
    home.write("bot/seed.txt", "\n");
    let players = [
        ("Greedy", format!("command = \"{}\"", engine("greedy"))),
        ("Fish", format!("command = \"{}\"", system_engine("stockfish"))),
        ("Bot", "dir = \"bot\"\ncommand = \"bot/run.sh\"".to_owned()),
    ];
    let text = event(&players);
    home.write("event.toml", &text);
    home.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);

    let file = EventFile::parse(&home.path("event.toml"), &text).unwrap_or_else(|error| panic!("{error}"));
    let setup = &file.loaded.setup;
    let agents: Vec<AgentSpec> = setup
        .players
        .iter()
        .map(|player| AgentSpec::of_player(player, setup))
        .collect();
    let at_home = found(&mut LocalHost::new(&home.path(""), None), agents.clone());
    let away = Place::new();
    std::fs::create_dir(away.path("objects")).expect("a directory");
    let packed = agents.into_iter().zip(&at_home).map(|(agent, found)| {
        let agent = agent.with_content(&found.files, &found.program, &found.directory);
        let (bundle, sources) = pack(&agent, found, &home.path("")).unwrap_or_else(|why| panic!("{why}"));
        for (sha256, source) in sources {
            std::fs::copy(source, away.path("objects").join(sha256)).expect("a copy");
        }
        // As it crosses the wire.
        let text = serde_json::to_string(&bundle).expect("plain data");
        (agent, serde_json::from_str::<Bundle>(&text).expect("it is read back"))
    });
    let packed: Vec<(AgentSpec, Bundle)> = packed.collect();
    let bot: Vec<&str> = packed[2].1.files.keys().map(String::as_str).collect();
    assert_eq!(
        bot,
        ["bot/bin/current", "bot/bin/greedy-1", "bot/run.sh", "bot/seed.txt"]
    );
    // Nothing of home is left that could be read instead.
    std::fs::remove_dir_all(home.path("bot")).expect("it was there");

    let unpacked: Vec<AgentSpec> = packed
        .iter()
        .enumerate()
        .map(|(number, (_, bundle))| {
            let mut bring =
                |sha256: &str, to: &std::path::Path| std::fs::copy(away.path("objects").join(sha256), to).map(drop);
            let root = away.path(&format!("agent-{number}"));
            bundle.unpack(&root, &mut bring).unwrap_or_else(|why| panic!("{why}"))
        })
        .collect();
    let there = found(&mut LocalHost::new(&away.path(""), None), unpacked.clone());
    for ((agent, _), (travelled, found)) in packed.iter().zip(unpacked.iter().zip(&there)) {
        let name = &agent.player.name;
        assert_eq!(found.changed(travelled), [""; 0], "{name}");
        assert_eq!(Identity::of(travelled), Identity::of(agent), "{name}");
        assert!(Identity::of(agent).is_some(), "{name}");
    }

    let at = |number: usize, name: &str| -> PathBuf { away.path(&format!("agent-{number}")).join(name) };
    let command = |number: usize| at(number, &unpacked[number].player.command);
    let players = [
        ("Greedy", format!("command = \"{}\"", command(0).display())),
        ("Fish", format!("command = \"{}\"", command(1).display())),
        (
            "Bot",
            format!(
                "dir = \"{}\"\ncommand = \"{}\"",
                at(2, "bot").display(),
                command(2).display()
            ),
        ),
    ];
    away.write("event.toml", &event(&players));
    away.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    for file in ["standings.csv", "crosstable.csv", "tournament.trf"] {
        assert_eq!(
            away.read(&format!("run/{file}")),
            home.read(&format!("run/{file}")),
            "{file}"
        );
    }
    let moves = |place: &Place| {
        let records = place.swissmatch(&["export", "records", "run"]).stdout();
        let records = records
            .lines()
            .map(|line| serde_json::from_str(line).expect("a record"));
        let mut moves: Vec<[String; 2]> = records
            .map(|record: serde_json::Value| ["id", "moves"].map(|key| record[key].to_string()))
            .collect();
        moves.sort();
        moves
    };
    assert_eq!(moves(&away), moves(&home));
    let played = moves(&home);
    assert!(
        played.len() == 6 && played.iter().all(|[_, moves]| moves.len() > 20),
        "{played:?}"
    );
}
