//! GPUs that agents are given: who has which, and that nobody else has it.

use std::process::{Command, Stdio};

use serde_json::Value;

use crate::embedding::program;
use crate::nats::Nats;
use crate::support::{Place, engine, finish};
use crate::workers::make_key;

/// An agent that holds what it is told is its own for as long as it lives, and notes where somebody else holds that.
const HOLDER: &str = r#"here=$1
shift
own="$here/held-$CUDA_VISIBLE_DEVICES"
echo "$CUDA_VISIBLE_DEVICES" >> "$here/told"
mkdir "$own" || echo "$own" >> "$here/clashes"
"$@"
rmdir "$own"
"#;

fn event(place: &Place, gpus: &str) -> String {
    let holder = place.write("holder", HOLDER);
    let (greedy, here) = (engine("greedy"), place.path(""));
    let mut text = format!(
        "[swiss]\nrounds = 3\n[mini_match]\ngames = 4\nopenings = \"none\"\n[game]\nmax_moves = 4\n[engine]\nisolation = \"off\"\n\
         quit_grace = \"10s\"\n[run]\nconcurrency = 3\noversubscribe = true\ngpus = {gpus}\n"
    );
    for name in ["Ada", "Bob", "Cyd", "Dan"] {
        text += &format!(
            "[[player]]\nname = \"{name}\"\ncommand = \"/bin/sh\"\nargs = [\"{}\", \"{}\", \"{greedy}\"]\ndevices = [\"gpu\"]\n",
            holder.display(),
            here.display()
        );
    }
    for name in ["Plain", "Simple"] {
        text += &format!("[[player]]\nname = \"{name}\"\ncommand = \"{greedy}\"\n");
    }
    text
}

/// Plays it where there are so many GPUs; gives the records of its games.
fn play(place: &Place, text: &str, count: u32) -> Vec<Value> {
    play_with(place, text, &[&count.to_string()])
}

fn play_with(place: &Place, text: &str, words: &[&str]) -> Vec<Value> {
    place.write("event.toml", text);
    let mut play = Command::new(program("gpus"));
    play.args(["event.toml", "run"])
        .args(words)
        .current_dir(place.path(""))
        .env("TMPDIR", place.path(""));
    let played = finish(
        play.stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts"),
    );
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let exported = place.swissmatch(&["export", "records", "run"]).stdout();
    exported
        .lines()
        .map(|line| serde_json::from_str(line).expect("a record"))
        .collect()
}

#[test]
fn each_engine_has_a_gpu_that_nobody_else_has() {
    for (gpus, count) in [("[0, 1]", 2), ("[3, 1, 2]", 4)] {
        let place = Place::new();
        let records = play(&place, &event(&place, gpus), count);
        assert_eq!(records.len(), 3 * 3 * 4);
        let clashes = std::fs::read_to_string(place.path("clashes")).unwrap_or_default();
        assert_eq!(clashes, "", "two had the same at once");
        let told = std::fs::read_to_string(place.path("told")).expect("they were told");
        for number in told.lines() {
            assert!(gpus.contains(number) && !number.is_empty(), "{number}");
        }
        let mut with = 0;
        for record in &records {
            // By pairing number: in the order of the file.
            let needs = ["white", "black"].map(|side| record[side].as_u64().expect("a number") <= 4);
            let Some(had) = record["gpus"].as_array() else {
                assert_eq!(needs, [false, false], "{record}");
                continue;
            };
            with += 1;
            assert_eq!([had[0].is_u64(), had[1].is_u64()], needs, "{record}");
            assert!(had[0] != had[1], "{record}");
        }
        assert!(with > 0);
    }
}

#[test]
fn a_gpu_that_is_listed_twice_serves_two() {
    let place = Place::new();
    let text = event(&place, "[0, 0]").replace("rounds = 3", "rounds = 1");
    let records = play(&place, &text, 1);
    let both = records
        .iter()
        .filter(|record| record["gpus"] == serde_json::json!([0, 0]));
    assert!(both.count() > 0, "{records:?}");
}

/// "GPUs: where a worker has them": one worker lends two, another one none; a runner that plays nothing itself.
#[test]
fn agents_that_need_a_gpu_play_at_workers_that_lend_some() {
    let (server, place) = (Nats::start(), Place::new());
    std::fs::copy(engine("greedy"), place.path("greedy")).expect("a copy");
    place.write("holder", &HOLDER.replace("here=$1\nshift\n", "here=$HERE\n"));
    let mut text = "[event]\nname = \"GPUs\"\n[swiss]\nrounds = 3\n[mini_match]\ngames = 4\nopenings = \"none\"\n[game]\nnodes = 10\n\
                    max_moves = 4\n[engine]\nisolation = \"off\"\nquit_grace = \"10s\"\n[run]\ngpus = [0, 1]\n\
                    [publish]\nsign = \"owner.key\"\n"
        .to_owned();
    for name in ["Ada", "Bob", "Cyd", "Dan"] {
        text += &format!(
            "[[player]]\nname = \"{name}\"\ncommand = \"/bin/sh\"\nargs = [\"./holder\", \"./greedy\"]\ndevices = [\"gpu\"]\n\
             env = {{ HERE = \"$HERE\" }}\n"
        );
    }
    for name in ["Plain", "Simple"] {
        text += &format!("[[player]]\nname = \"{name}\"\ncommand = \"./greedy\"\n");
    }
    place.write("event.toml", &text);
    make_key(&place, "owner.key");
    let address = server.address();
    let start = |words: &[&str]| {
        let mut command = Command::new(program("gpus_at_workers"));
        command.args(words).current_dir(place.path(""));
        command.env("TMPDIR", place.path("")).env("HERE", place.path(""));
        let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        piped.spawn().expect("it starts")
    };
    let with = start(&["worker", "with", &address, "owner.key.pub", "0", "1"]);
    let without = start(&["worker", "without", &address, "owner.key.pub"]);
    let played = finish(start(&["run", "event.toml", "run", &address]));
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    for worker in [with, without] {
        let ended = finish(worker);
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    }
    place.swissmatch(&["verify", "run"]).expect_code(0);
    assert!(!place.path("clashes").exists(), "two had the same at once");
    let records = place.swissmatch(&["export", "records", "run"]).stdout();
    let records: Vec<Value> = records
        .lines()
        .map(|line| serde_json::from_str(line).expect("a record"))
        .collect();
    assert_eq!(records.len(), 3 * 3 * 4);
    for record in &records {
        let needs = ["white", "black"].map(|side| record[side].as_u64().expect("a number") <= 4);
        let has = [0, 1].map(|side| record["gpus"][side].is_u64());
        assert_eq!(has, needs, "{record}");
    }
}

#[test]
fn what_cannot_be_given_is_refused_before_anything_starts() {
    let place = Place::new();
    for (gpus, words) in [
        (
            "[]",
            ["player.devices", "run.gpus names none", "write gpus = [0] under [run]"],
        ),
        ("[0]", ["player.devices", "needs two GPUs", "gpus = [0, 0]"]),
        (
            "[900, 901]",
            ["run.gpus", "GPU 900 has no device node on this machine", "here"],
        ),
    ] {
        place.write("event.toml", &event(&place, gpus));
        let refused = place.swissmatch(&["run", "event.toml", "--out", "run"]);
        refused.expect_code(4);
        for word in words {
            assert!(refused.stderr().contains(word), "{gpus}: {word}\n{}", refused.stderr());
        }
        assert!(!place.path("run").exists() && !place.path("told").exists(), "{gpus}");
    }
}

/// The node here is the terminal's, which nobody else is given: where it may be opened there is none.
#[test]
fn an_isolated_agent_opens_the_node_of_its_own_gpu_alone() {
    let place = Place::new();
    let greedy = engine("greedy");
    let script = "echo told $CUDA_VISIBLE_DEVICES >&2; : < /dev/tty; exec $0";
    let player = |name: &str| {
        let words = format!("command = \"/bin/bash\"\nargs = [\"-c\", \"{script}\", \"{greedy}\"]");
        format!("[[player]]\nname = \"{name}\"\n{words}\ndevices = [\"gpu\"]\n")
    };
    let text = format!(
        "[swiss]\nrounds = 1\n[mini_match]\ngames = 2\nopenings = \"none\"\n[game]\nmax_moves = 4\n[engine]\nisolation = \"guarded\"\n\
         [run]\nconcurrency = 1\ngpus = [0, 1]\nevidence = \"all\"\n{}{}",
        player("Own"),
        player("Other")
    );
    let records = play_with(&place, &text, &["2", "/dev/tty"]);
    assert_eq!(records[0]["gpus"], serde_json::json!([0, 1]));
    let evidence = place
        .swissmatch(&["export", "evidence", "run", "--only", "1.1.1"])
        .stdout();
    let (_, said) = evidence.split_once("Standard error of White").expect("it complains");
    let (own, other) = said.split_once("Standard error of Black").expect("it complains");
    assert!(
        own.contains("told 0") && own.contains("No such device or address"),
        "{own}"
    );
    // Alone, it is the first that it sees.
    assert!(
        other.contains("told 0") && !other.contains("No such device or address"),
        "{other}"
    );
    assert!(other.contains("/dev/tty: "), "{other}");
}
