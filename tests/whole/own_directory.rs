//! Agents that find what they find by hand: their directory, and their words as they were written. As root and as an ordinary user,
//! with bubblewrap and without.

use std::fs::Permissions;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::{Guest, Place, complaints, engine, finish, say_what_is_missing, swissmatch, without_bubblewrap};

/// Whose event it is.
pub(crate) enum Home {
    Own(Place),
    OfGuest(Guest),
}

impl Home {
    /// One of whoever runs the tests, and one of an ordinary user where there can be one.
    pub(crate) fn all() -> Vec<Self> {
        let guest = Guest::new(&["greedy", "fault-agent"]).map(Self::OfGuest);
        std::iter::once(Self::Own(Place::new())).chain(guest).collect()
    }

    pub(crate) fn place(&self) -> &Place {
        match self {
            Self::Own(place) => place,
            Self::OfGuest(guest) => &guest.place,
        }
    }

    fn command(&self, program: &Path, words: &[&str]) -> Command {
        let mut command = match self {
            Self::Own(place) => {
                let mut command = Command::new(program);
                command.current_dir(place.path("")).env("TMPDIR", place.path(""));
                command
                    .stdin(Stdio::null())
                    .stdout(Stdio::piped())
                    .stderr(Stdio::piped());
                command
            }
            Self::OfGuest(guest) => guest.command(&[], program),
        };
        command.args(words);
        command
    }

    /// The program under test, or a link to it.
    fn program(&self, name: &str) -> PathBuf {
        match self {
            Self::Own(_) if name == "swissmatch" => swissmatch().into(),
            Self::Own(place) | Self::OfGuest(Guest { place, .. }) => place.path(name),
        }
    }

    /// What is said, standard output first, with bubblewrap and without where it can be hidden.
    pub(crate) fn both(
        &self,
        program: &str,
        words: impl Fn(&str) -> Vec<String>,
        mut look: impl FnMut(i32, String, &str),
    ) {
        let program = self.program(program);
        let run = |run: &str, hidden: bool| {
            let words = words(run);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let command = self.command(&program, &words);
            let output = match hidden {
                true => without_bubblewrap(command),
                false => {
                    let mut command = command;
                    finish(command.spawn().expect("it starts"))
                }
            };
            let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
            (output.status.code().expect("it ends by itself"), said.concat())
        };
        let (code, said) = run("run", false);
        look(code, said, "run");
        if rustix::process::geteuid().is_root() {
            let (code, said) = run("hidden", true);
            look(code, said, "hidden");
        } else {
            say_what_is_missing("bubblewrap can only be hidden by root");
        }
    }
}

pub(crate) fn executable(place: &Place, name: &str, text: &str) {
    let path = place.write(name, text);
    std::fs::set_permissions(path, Permissions::from_mode(0o755)).expect("a program");
}

/// An engine that reads its net from its working directory, and says what came of it.
fn with_a_net(place: &Place) {
    std::fs::create_dir(place.path("bbc")).expect("a directory");
    std::fs::copy(engine("greedy"), place.path("bbc/engine")).expect("a copy");
    place.write("bbc/nn.bin", "a net");
    executable(
        place,
        "bbc/eng",
        "#!/bin/sh\nif [ -r nn.bin ]; then echo info string NNUE loaded; else echo info string cannot open nn.bin, using \
         classical evaluation; fi\necho \"net $(cat nn.bin 2>&1)\" >&2\nexec \"${0%/*}/engine\"\n",
    );
}

const QUICK: [&str; 4] = ["--set", "game.max_moves=2", "--set", "run.evidence=all"];

#[test]
fn an_engine_plays_with_the_net_in_its_directory() {
    for home in Home::all() {
        with_a_net(home.place());
        let own = |run: &str| {
            let words = ["match", "./bbc/eng", "dir=bbc", "greedy", "--games", "2", "--name", run];
            words.iter().chain(&QUICK).map(|word| (*word).to_owned()).collect()
        };
        home.both("swissmatch", own, |code, said, _| {
            assert_eq!(code, 0, "{said}");
            assert!(!said.contains("nn.bin"), "{said}");
        });
        for run in std::fs::read_dir(home.place().path("results")).expect("runs").flatten() {
            let evidence = home
                .place()
                .evidence(&run.path().to_string_lossy(), "1.1.1")
                .expect("evidence");
            assert!(complaints(&evidence).contains("net a net"), "{evidence}");
        }
        if let Home::Own(place) = &home {
            symlink(swissmatch(), place.path("fastchess")).expect("a link");
            let link = |run: &str| {
                let words = "-engine cmd=./eng dir=bbc name=net -engine cmd=GREEDY name=greedy -each nodes=10 -rounds 1 -maxmoves 2 \
                             -log file=LOG engine=true level=trace";
                let words = words
                    .replace("GREEDY", &engine("greedy"))
                    .replace("LOG", &format!("{run}.log"));
                words.split(' ').map(str::to_owned).collect()
            };
            home.both("fastchess", link, |code, said, _| {
                assert_eq!(code, 0, "{said}");
                assert!(!said.contains("cannot open"), "{said}");
            });
        }
    }
}

/// Who has no directory is told what the engine says, with the key that gives it; once, before the first game.
#[test]
fn an_engine_without_its_net_is_told() {
    let place = Place::new();
    with_a_net(&place);
    // It starts without its folder, too.
    let text = place.read("bbc/eng").replace("\"${0%/*}/engine\"", "stockfish");
    place.write("bbc/eng", &text);
    let words = ["match", "./bbc/eng", "greedy", "--games", "2", "nodes=10"];
    let ran = place.swissmatch(&[&words[..], &QUICK].concat());
    ran.expect_code(0);
    let runs = std::fs::read_dir(place.path("results")).expect("a run").flatten();
    let runs: Vec<String> = runs.map(|run| run.path().to_string_lossy().into_owned()).collect();
    let said = ran.stderr();
    let told = "eng says `info string cannot open nn.bin, using classical evaluation`: it does not work in its own directory: dir=";
    assert_eq!(said.matches(told).count(), 1, "{said}");
    assert!(said.find(told) < said.find("Round 1 of 1"), "{said}");
    let status = place.swissmatch(&["status", &runs[0], "--warnings"]).stdout();
    assert!(status.contains(told.trim_end_matches("dir=")), "{status}");
    let words = "-engine cmd=./bbc/eng name=eng -engine cmd=GREEDY name=b -each nodes=10 -rounds 1 -maxmoves 2";
    let words = words.replace("GREEDY", &engine("greedy"));
    let mut link = place.command(&words.split(' ').collect::<Vec<_>>());
    let ran = finish(link.arg0("fastchess").spawn().expect("the link starts"));
    let said = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(said.matches(told).count(), 1, "{said}");
}

/// Words stay as they are, though something has that name, and stand where the agent works.
#[test]
fn words_are_handed_over_as_they_were_written() {
    for home in Home::all() {
        let place = home.place();
        for directory in ["uci", "nets", "other", "other/deep"] {
            std::fs::create_dir(place.path(directory)).expect("a directory");
        }
        place.write("nets/a.bin", "a net");
        place.write("other/deep/b.bin", "another");
        place.write("64", "no hash");
        place.write("Solid", "no style");
        let script = "#!/bin/sh\necho \"words $1 $3 $BOTH\" >&2\ncat nets/a.bin other/deep/b.bin >&2\n{ echo x > nets/a.bin; } 2>&1 || echo not written >&2\n\
                      pwd >&2\nexec \"$2\"\n";
        executable(place, "eng.sh", script);
        let greedy = match &home {
            Home::Own(_) => engine("greedy"),
            Home::OfGuest(_) => place.path("greedy").display().to_string(),
        };
        place.write(
            "event.toml",
            &format!(
                "event.name = \"words\"\nswiss.rounds = 1\nmini_match.games = 2\nmini_match.openings = \"none\"\ngame.max_moves = 1\n\
                 game.nodes = 10\nrun.evidence = \"all\"\n[[player]]\nname = \"A\"\ncommand = \"./eng.sh\"\n\
                 args = [\"uci\", \"{greedy}\", \"Solid\"]\nenv = {{ BOTH = \"nets/a.bin:other/deep\" }}\n\
                 [[player]]\nname = \"Stockfish\"\ncommand = \"stockfish\"\noptions = {{ Hash = 64 }}\n"
            ),
        );
        let run = |run: &str| ["run", "event.toml", "--out", run].map(str::to_owned).to_vec();
        home.both("swissmatch", run, |code, said, run| {
            assert_eq!(code, 0, "{said}");
            let said = complaints(&place.evidence(run, "1.1.1").expect("evidence"));
            assert!(said.contains("words uci Solid nets/a.bin:other/deep\n"), "{said}");
            assert!(said.contains("a netanother"), "{said}");
            assert!(said.contains("not written"), "{said}");
            assert!(said.contains("swissmatch-scratch-"), "{said}");
            place.write("64", run);
        });
    }
}

/// Two folders of tables in one option, as Stockfish takes them.
#[test]
fn stockfish_finds_the_tables_of_two_folders() {
    for home in Home::all() {
        let place = home.place();
        for (directory, table) in [("a", "KQvK"), ("b", "KRvK")] {
            std::fs::create_dir(place.path(directory)).expect("a directory");
            place.write(&format!("{directory}/{table}.rtbw"), "");
        }
        let says_all = "#!/bin/sh\nstockfish | while read -r line; do echo \"$line\"; echo \"$line\" >&2; done\n";
        executable(place, "sf.sh", says_all);
        let whole = place.path("");
        let path = match &home {
            Home::Own(_) => "a:b".to_owned(),
            Home::OfGuest(_) => format!("{0}/a;{0}/b", whole.display()).replace(';', ":"),
        };
        place.write(
            "event.toml",
            &format!(
                "event.name = \"tables\"\nswiss.rounds = 1\nmini_match.games = 2\nmini_match.openings = \"none\"\ngame.max_moves = 1\n\
                 game.nodes = 10\nrun.evidence = \"all\"\nrun.concurrency = 1\n\
                 [[player]]\nname = \"Stockfish\"\ncommand = \"./sf.sh\"\noptions = {{ SyzygyPath = \"{path}\" }}\n\
                 [[player]]\nname = \"B\"\ncommand = \"greedy\"\n"
            ),
        );
        let run = |run: &str| ["run", "event.toml", "--out", run].map(str::to_owned).to_vec();
        home.both("swissmatch", run, |code, said, run| {
            assert_eq!(code, 0, "{said}");
            let said = complaints(&place.evidence(run, "1.1.1").expect("evidence"));
            assert!(said.contains("Found 2 tablebases"), "{said}");
        });
    }
}

/// One folder for all: the agent, its module, its event file.
#[test]
fn a_folder_with_the_event_file_is_an_agents_without_what_is_not_its_own() {
    let place = Place::new();
    for directory in [".git", "b", "__pycache__", "real"] {
        std::fs::create_dir(place.path(directory)).expect("a directory");
    }
    for name in [".git/config", ".env", "secret.epd", "b/other.txt", "real/.env"] {
        place.write(name, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n");
    }
    symlink("/etc/hostname", place.path("link")).expect("a link");
    // Another name of a directory leads to no more.
    symlink("real", place.path("data")).expect("a link");
    place.write("helper.txt", "helps");
    let look = "for name in event.toml .env .git/config secret.epd b/other.txt link data/.env run/run.sqlite; do \
                cat $name >/dev/null 2>&1 && [ -s $name ] && echo reads $name; done; cat helper.txt";
    executable(
        &place,
        "agent.sh",
        &format!("#!/bin/sh\n{{ {look}; }} >&2\nexec ./engine\n"),
    );
    std::fs::copy(engine("greedy"), place.path("engine")).expect("a copy");
    std::fs::copy(engine("greedy"), place.path("b/agent")).expect("a copy");
    place.write(
        "event.toml",
        "event.name = \"folder\"\nswiss.rounds = 2\nmini_match.games = 2\nmini_match.openings = \"secret.epd\"\ngame.max_moves = 2\n\
         engine.restart = \"game\"\nrun.evidence = \"all\"\nrun.concurrency = 1\nrun.max_faults = \"none\"\n\
         [[player]]\nname = \"A\"\ncommand = \"./agent.sh\"\ndir = \".\"\nargs = [\"data\"]\n\
         [[player]]\nname = \"B\"\ncommand = \"agent\"\ndir = \"b\"\n",
    );
    // A bare name is looked up beside the event file, too.
    place.write(
        "event.toml",
        &place
            .read("event.toml")
            .replace("command = \"agent\"", "command = \"b/agent\""),
    );
    let ran = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    ran.expect_code(0);
    assert!(
        ran.stderr().contains("/link leads out of its directory"),
        "{}",
        ran.stderr()
    );
    let said = complaints(&place.evidence("run", "2.1.1").expect("evidence"));
    assert!(said.contains("helps") && !said.contains("reads "), "{said}");
    if rustix::process::geteuid().is_root() {
        let hidden = without_bubblewrap(place.command(&["run", "event.toml", "--out", "hidden"]));
        assert_eq!(hidden.status.code(), Some(0));
        let said = complaints(&place.evidence("hidden", "2.1.1").expect("evidence"));
        assert!(said.contains("helps") && !said.contains("reads "), "{said}");
    }
    // What is swapped is refused, and named.
    place.write("helper.txt", "harms");
    let refused = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    refused.expect_code(4);
    assert!(
        refused.stderr().contains("/helper.txt has changed"),
        "{}",
        refused.stderr()
    );
    let verified = place.swissmatch(&["verify", "run"]);
    assert!(
        verified
            .stdout()
            .contains("/helper.txt has changed since it was registered"),
        "{}",
        verified.stdout()
    );
}

/// A file of a locked entry that is replaced after the first round: the agent is not started with it.
#[test]
fn a_file_that_is_swapped_between_rounds_is_refused_and_named() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("entries/X")).expect("a directory");
    executable(&place, "entries/X/wrap.sh", "#!/bin/sh\n. ./agent.sh\nexec ./engine\n");
    place.write("entries/X/agent.sh", "echo one >&2\n");
    std::fs::copy(engine("greedy"), place.path("entries/X/engine")).expect("a copy");
    executable(
        &place,
        "b.sh",
        "#!/bin/sh\necho start >> starts\n[ \"$(wc -l < starts)\" -ne 4 ] || echo 'echo two >&2' > entries/X/agent.sh\nexec \"$GREEDY\"\n",
    );
    place.write(
        "event.toml",
        &format!(
            "event.name = \"swapped\"\nswiss.rounds = 2\nmini_match.games = 2\nmini_match.openings = \"none\"\ngame.max_moves = 2\n\
             engine.restart = \"game\"\nengine.start_attempts = 1\nrun.concurrency = 1\nrun.max_faults = \"none\"\nrun.evidence = \"all\"\n\
             [[player]]\nname = \"X\"\ncommand = \"/bin/sh\"\nargs = [\"wrap.sh\"]\ndir = \"entries/X\"\n\
             [[player]]\nname = \"B\"\ncommand = \"./b.sh\"\nenv = {{ GREEDY = \"{}\" }}\nisolation = \"off\"\n",
            engine("greedy")
        ),
    );
    place.swissmatch(&["roster", "lock", "event.toml"]).expect_code(0);
    let ran = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    assert!(
        ran.stderr()
            .contains("entries/X/agent.sh has changed since it was registered"),
        "{}",
        ran.stderr()
    );
    let evidence = place.evidence("run", "2.1.2").unwrap_or_default();
    assert!(!evidence.contains("two"), "{evidence}");
    let verified = place.swissmatch(&["verify", "run"]).stdout();
    assert!(
        verified.contains("entries/X/agent.sh has changed since it was registered"),
        "{verified}"
    );
}

/// Words that lead nowhere from the agent's directory, and directories that agents share.
#[test]
fn what_is_not_meant_with_a_directory_is_refused() {
    let place = Place::new();
    for directory in ["bbc", "nets"] {
        std::fs::create_dir(place.path(directory)).expect("a directory");
    }
    std::fs::copy(engine("greedy"), place.path("bbc/engine")).expect("a copy");
    place.write("nets/a.bin", "a net");
    let event = |keys: &str, of_a: &str, of_b: &str| {
        let text = format!(
            "event.name = \"odd\"\nswiss.rounds = 1\nmini_match.games = 2\nmini_match.openings = \"none\"\ngame.max_moves = 2\n{keys}\n\
             [[player]]\nname = \"A\"\ncommand = \"bbc/engine\"\ndir = \"bbc\"\n{of_a}\n\
             [[player]]\nname = \"B\"\ncommand = \"bbc/engine\"\n{of_b}\n"
        );
        place.write("event.toml", &text);
        let _ = std::fs::remove_dir_all(place.path("run"));
        place.swissmatch(&["run", "event.toml", "--out", "run"])
    };
    let refused = event("", "args = [\"--net=nets/a.bin\"]", "");
    refused.expect_code(4);
    let said = refused.stderr();
    assert!(
        said.contains("player.args: there is no `nets/a.bin` in bbc, where the agent works (player.dir), but beside the event file")
            && said.contains("write ../nets/a.bin"),
        "{said}"
    );
    event("", "env = { NET = \"../nets/a.bin\" }", "").expect_code(0);
    let shared = event("", "", "dir = \"bbc\"");
    shared.expect_code(0);
    assert!(
        shared.stderr().contains("A, B share the directory"),
        "{}",
        shared.stderr()
    );
    event("prizes.by_place = [100]", "", "dir = \"./bbc\"").expect_code(4);
    let text = place
        .read("event.toml")
        .replace("dir = \"./bbc\"", "")
        .replace("prizes.by_place = [100]", "");
    place.write("event.toml", &text);
    let refused = place.swissmatch(&["run", "event.toml", "--out", "bbc"]);
    refused.expect_code(4);
    assert!(
        refused.stderr().contains("player.dir: bbc is, or lies in, the run"),
        "{}",
        refused.stderr()
    );
    let write = event("", "write = [\"learnt\"]", "");
    write.expect_code(0);
    assert!(
        write.stderr().contains("there is no `learnt` in its directory"),
        "{}",
        write.stderr()
    );
}

/// Advice is tried before it is given: what does not help is not said, and what is said helps.
#[test]
fn advice_ends() {
    let place = Place::new();
    std::fs::create_dir(place.path("own")).expect("a directory");
    place.write("own/net.bin", "a net");
    place.write("own/.env", "a secret");
    let event = |looks_for: &str, keys: &str| {
        let script = format!("#!/bin/sh\ncat {looks_for} >&2 || exit 1\nexec \"$1\"\n");
        executable(&place, "own/agent.sh", &script);
        let text = format!(
            "event.name = \"advice\"\nswiss.rounds = 1\nmini_match.games = 2\nmini_match.openings = \"none\"\ngame.max_moves = 2\n\
             [[player]]\nname = \"A\"\ncommand = \"own/agent.sh\"\nargs = [\"{greedy}\"]\n{keys}\n\
             [[player]]\nname = \"B\"\ncommand = \"greedy\"\n",
            greedy = engine("greedy")
        );
        place.write("event.toml", &text);
        let ran = place.swissmatch(&["run", "event.toml", "--out", "run"]);
        (ran.output.status.code(), ran.stderr())
    };
    let (code, said) = event("net.bin", "");
    assert_eq!(code, Some(3), "{said}");
    assert!(
        said.contains("player.dir: A asks for ") && said.contains("dir = "),
        "{said}"
    );
    // Its directory does not give what is left out of it.
    for keys in ["", "dir = \"own\""] {
        let (code, said) = event("$PWD/.env own/.env", keys);
        assert_eq!(code, Some(3), "{said}");
        assert!(!said.contains("dir = \""), "{said}");
    }
    let (code, said) = event("net.bin", "dir = \"own\"");
    assert_eq!(code, Some(0), "{said}");
}

/// Isolation of a match by words: before `--` and behind it, and of a link by a variable.
#[test]
fn a_match_says_how_its_agents_are_isolated() {
    let place = Place::new();
    let greedy = format!("cmd={}", engine("greedy"));
    let match_of = |before: &[&str], behind: &[&str]| {
        let agents = [
            "-engine", &greedy, "name=a", "-engine", &greedy, "name=b", "-each", "nodes=10",
        ];
        let words = [&["match", "--print-event"][..], before, &["--"], &agents, behind].concat();
        let ran = place.swissmatch(&words);
        ran.expect_code(0);
        ran.stdout()
    };
    for event in [
        match_of(&["--isolation", "off", "--set", "game.max_moves=7"], &[]),
        match_of(&[], &["--isolation", "off", "--set", "game.max_moves=7"]),
        match_of(&["--set", "engine.isolation=off"], &["--set=game.max_moves=7"]),
    ] {
        assert!(
            event.contains("isolation = \"off\"") && event.contains("max_moves = 7"),
            "{event}"
        );
    }
    symlink(swissmatch(), place.path("cutechess-cli")).expect("a link");
    let link = |word: Option<&str>| {
        let mut command = Command::new(place.path("cutechess-cli"));
        command.args([
            "-engine",
            &greedy,
            "name=a",
            "-engine",
            &greedy,
            "name=b",
            "-each",
            "nodes=10",
            "tc=inf",
            "proto=uci",
        ]);
        command
            .args(["-rounds", "1", "-maxmoves", "1"])
            .current_dir(place.path(""))
            .env("TMPDIR", place.path(""));
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        word.map(|word| command.env("SWISSMATCH_ISOLATION", word));
        finish(command.spawn().expect("it starts"))
    };
    let said = link(Some("off"));
    assert_eq!(said.status.code(), Some(0));
    let said = String::from_utf8_lossy(&said.stderr).into_owned();
    assert!(said.contains("SWISSMATCH_ISOLATION=off"), "{said}");
    assert_eq!(link(Some("offf")).status.code(), Some(1));
    assert_eq!(link(None).status.code(), Some(0));
    let manifests = std::fs::read_dir(place.path("results")).expect("runs").flatten();
    let manifests: Vec<String> = manifests
        .map(|run| std::fs::read_to_string(run.path().join("manifest.json")).expect("a manifest"))
        .collect();
    let off = manifests
        .iter()
        .filter(|manifest| manifest.contains(r#""engine.isolation": "\"off\"""#));
    assert_eq!((manifests.len(), off.count()), (2, 1));
    // Nowhere else does the variable count.
    let mut own = place.command(&["match", "--print-event", "greedy", "greedy", "name=b"]);
    let own = finish(own.env("SWISSMATCH_ISOLATION", "off").spawn().expect("it starts"));
    assert!(!String::from_utf8_lossy(&own.stdout).contains("isolation"), "{own:?}");
}

/// The same agent by hand: what it says, its first move, its speed; where it is trusted, and may be.
#[test]
fn a_check_tells_what_differs_by_hand() {
    let place = Place::new();
    std::fs::create_dir(place.path("bbc")).expect("a directory");
    place.write("nn.bin", "a net");
    let net = "[ -r nn.bin ] && echo info string NNUE loaded || echo info string cannot open nn.bin";
    executable(&place, "bbc/eng", &format!("#!/bin/sh\n{net}\nexec \"$1\"\n"));
    let compared =
        |more: &[&str]| place.swissmatch(&[&["check", "bbc/eng", "--compare-unisolated"][..], more].concat());
    compared(&[]).expect_code(4);
    assert!(compared(&[]).stderr().contains("--yes says that you trust it"));
    compared(&["--yes", "--isolation", "sealed"]).expect_code(4);
    compared(&["--yes", "--all", "event.toml"]).expect_code(4);
    let told = compared(&["--yes", "--", &engine("greedy")]);
    told.expect_code(0);
    let said = told.stdout();
    assert!(said.contains("only by hand   info string NNUE loaded"), "{said}");
    assert!(said.contains("only isolated  info string cannot open nn.bin"), "{said}");
}

/// What an agent asks for outside its own directory is its words alone, and no advice.
#[test]
fn nobody_is_advised_to_give_what_an_agent_asks_for_elsewhere() {
    let place = Place::new();
    std::fs::create_dir(place.path("own")).expect("a directory");
    place.write("secret.key", "of the organizer");
    let secret = place.path("secret.key");
    let script = format!(
        "#!/bin/sh\necho info string cannot open {0} or ../secret.key\nexec \"$1\"\n",
        secret.display()
    );
    executable(&place, "own/eng", &script);
    let greedy = format!("arg={}", engine("greedy"));
    let words = [
        "match",
        "./own/eng",
        &greedy,
        "greedy",
        "--games",
        "2",
        "--set",
        "game.max_moves=2",
    ];
    let ran = place.swissmatch(&words);
    ran.expect_code(0);
    let said = ran.stderr();
    assert!(said.contains("eng says `info string cannot open "), "{said}");
    assert!(
        !said.contains("dir = ") && !said.contains("args, options or env"),
        "{said}"
    );
}
