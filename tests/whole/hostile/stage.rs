//! Where hostile agents play: an event of two players, with everything around it that they are not to reach.

use std::fs::{self, File, Permissions};
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};

use super::table::Row;
use crate::support::{Guest, Place, assert_gone, complaints, engine, swissmatch, system_engine};

/// The own move at which the agent tries: by then both agents have been there for a while.
const AT: u32 = 3;

/// Whose event it is.
enum Home {
    /// Of whoever runs the tests.
    Own(Place),
    /// Of somebody with fewer rights.
    OfGuest(Guest),
}

impl Home {
    fn place(&self) -> &Place {
        match self {
            Self::Own(place) => place,
            Self::OfGuest(guest) => &guest.place,
        }
    }
}

/// What the machine has to make namespaces with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bubblewrap {
    /// As tests find it.
    AsItIs,
    /// Nothing.
    Hidden,
}

/// An event with a hostile player, and what is around it.
pub(super) struct Stage {
    home: Home,
    /// In the names of all that the agents leave, and in their command lines.
    pub(super) mark: String,
    tcp: TcpListener,
    udp: UdpSocket,
    _abstract: UnixListener,
    _socket: UnixListener,
    /// Shared with those of other tests.
    _lock: File,
}

impl Stage {
    /// One of whoever runs the tests.
    pub(super) fn new() -> Self {
        Self::at(Home::Own(Place::new()))
    }

    /// One of an ordinary user, who does not share the programs of whoever runs the tests; `None` where there can be none.
    pub(super) fn of_a_guest() -> Option<Self> {
        let guest = Guest::new(&["hostile-agent", "fault-agent"])?;
        Some(Self::at(Home::OfGuest(guest)))
    }

    fn at(home: Home) -> Self {
        let place = home.place();
        let name = place
            .path("")
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let mark = format!("hostile{name}");
        let address = SocketAddr::from_abstract_name(format!("{mark}-listens")).expect("a name");
        let lock = File::open("/dev/null").expect("it is there");
        flock(&lock, FlockOperation::LockShared).expect("nobody has it alone for long");
        let stage = Self {
            _socket: UnixListener::bind(place.path("socket")).expect("a socket"),
            home,
            mark,
            tcp: TcpListener::bind("127.0.0.1:0").expect("a port"),
            udp: UdpSocket::bind("127.0.0.1:0").expect("a port"),
            _abstract: UnixListener::bind_addr(&address).expect("an abstract socket"),
            _lock: lock,
        };
        stage.place().write("secret", "of the organizer\n");
        let id = stage.place().path("id");
        fs::copy(system_engine("id"), &id).expect("a copy");
        // Only root may give it to somebody else.
        if chown(&id, Some(12_345), None).is_ok() {
            fs::set_permissions(&id, Permissions::from_mode(0o4755)).expect("it is ours to change");
        }
        for dir in ["agent", "agent/.git", "agent/__pycache__", "other"] {
            fs::create_dir(stage.place().path(dir)).expect("a directory");
        }
        stage.place().write("other/net", "weights\n");
        // Left out of what is the agent's.
        for name in ["agent/.env", "agent/.git/config", "agent/__pycache__/agent.pyc"] {
            stage.place().write(name, "of the organizer\n");
        }
        std::os::unix::fs::symlink(system_engine("stockfish"), stage.place().path("agent/stockfish")).expect("a link");
        std::os::unix::fs::symlink("../secret", stage.place().path("agent/link")).expect("a link");
        stage
    }

    /// Where it is.
    pub(super) fn place(&self) -> &Place {
        self.home.place()
    }

    /// Whether it is of whoever runs the tests.
    pub(super) fn is_own(&self) -> bool {
        matches!(self.home, Home::Own(_))
    }

    /// A program of ours, where whoever plays reaches it.
    fn program(&self, name: &str) -> String {
        match &self.home {
            Home::Own(_) => engine(name),
            Home::OfGuest(guest) => guest.place.path(name).display().to_string(),
        }
    }

    /// What an agent is told to try, with the words in braces filled in.
    pub(super) fn harm(&self, row: &Row) -> String {
        let port = |address: std::io::Result<std::net::SocketAddr>| address.expect("it has a port").to_string();
        let namespace = fs::read_link("/proc/self/ns/pid").expect("a namespace");
        row.harm
            .replace("{place}", &self.place().path("").to_string_lossy())
            .replace("{tcp}", &port(self.tcp.local_addr()))
            .replace("{udp}", &port(self.udp.local_addr()))
            .replace("{abstract}", &format!("{}-listens", self.mark))
            .replace("{stockfish}", &system_engine("stockfish"))
            .replace("{gcc}", &system_engine("gcc"))
            .replace("{cc1}", &compiler())
            .replace("{namespace}", &namespace.to_string_lossy())
    }

    /// Writes the event: two games, one after the other, with these words for `engine.isolation` and `engine.exec` and further words for the agent.
    pub(super) fn event(&self, rows: &[&Row], isolation: &str, exec: &str, more: &[String]) {
        let tries = rows.iter().flat_map(|row| ["--try".to_owned(), self.harm(row)]);
        let words: Vec<String> = tries.chain(more.iter().cloned()).collect();
        // Not among the arguments: an agent may read what those name.
        let words = self.place().write("agent/words", &(words.join("\n") + "\n"));
        let text = format!(
            "[swiss]\nrounds = 1\nseeding = \"listed\"\n[mini_match]\ngames = 2\nopenings = \"none\"\n[game]\nmax_moves = 5\n\
             time_control = \"20s/move\"\n[engine]\nquit_grace = \"200ms\"\nisolation = \"{isolation}\"\nexec = \"{exec}\"\n[run]\nconcurrency = 1\nevidence = \"all\"\n\
             [[player]]\nname = \"Hostile\"\ncommand = \"{}\"\ndir = \"agent\"\n\
             args = [\"--at\", \"{AT}\", \"--mark\", \"{mark}\", \"--words\", {words:?}]\n\
             [[player]]\nname = \"Honest\"\ncommand = \"{}\"\nargs = [\"--fault\", \"sleep\", \"--ms\", \"150\", \"--mark\", \"{mark}\"]\n",
            self.program("hostile-agent"),
            self.program("fault-agent"),
            mark = self.mark,
        );
        self.place().write("event.toml", &text);
        if let Home::OfGuest(guest) = &self.home {
            // All that is to be kept from the agent is its user's own.
            guest.give(&["agent", "event.toml", "other", "secret", "socket"]);
        }
    }

    /// As [`Self::event`], against Stockfish and without an end to the games but their own.
    pub(super) fn event_against_stockfish(&self, rows: &[&Row], isolation: &str) {
        self.event(rows, isolation, "any", &[]);
        let text = self.place().read("event.toml");
        let (text, _) = text
            .split_once("[[player]]\nname = \"Honest\"")
            .expect("it is the second one");
        let text = text.replace("max_moves = 5", "nodes = 20_000");
        let stockfish = system_engine("stockfish");
        let text = format!("{text}[[player]]\nname = \"Honest\"\ncommand = \"{stockfish}\"\n");
        self.place().write("event.toml", &text);
    }

    /// What the run finds around it: a descriptor that nobody closed, a secret, the organizer's tmux.
    fn around(&self, command: &mut Command) {
        command.current_dir(self.place().path("")).stdin(Stdio::null());
        command.env("HOSTILE_SECRET", "of the organizer");
        command.env("TMUX", format!("{},1,0", self.place().path("tmux").display()));
    }

    /// The run as a child of this process, with or without a bubblewrap on the machine. Only root can hide it.
    pub(super) fn command(&self, bubblewrap: Bubblewrap) -> Command {
        let run = format!(
            "exec 9</dev/null '{}' run event.toml --out run",
            self.program("swissmatch")
        );
        let hide = "mount --bind /dev/null /usr/bin/bwrap || exit 1";
        let mut command = match (&self.home, bubblewrap) {
            (Home::Own(_), Bubblewrap::AsItIs) => words(Command::new("sh"), &["-c", &run]),
            (Home::Own(_), Bubblewrap::Hidden) => {
                let hidden = format!("{hide}; {run}");
                words(Command::new("unshare"), &["--mount", "sh", "-c", &hidden])
            }
            (Home::OfGuest(guest), Bubblewrap::AsItIs) => words(guest.command(&[], Path::new("sh")), &["-c", &run]),
            (Home::OfGuest(guest), Bubblewrap::Hidden) => {
                let as_guest = words(guest.command(&[], Path::new("sh")), &["-c", &run]);
                let hidden = format!("{hide}; exec \"$@\"");
                let mut command = words(Command::new("unshare"), &["--mount", "sh", "-c", &hidden, "sh"]);
                command.arg(as_guest.get_program()).args(as_guest.get_args());
                command
            }
        };
        self.around(&mut command);
        command
    }

    /// The run on a terminal, its words going to the file `shown`.
    pub(super) fn on_terminal(&self) -> Command {
        let mut command = Command::new(system_engine("script"));
        let run = format!("exec 9</dev/null; '{}' run event.toml --out run", swissmatch());
        command.args(["-qefc", &run, "shown"]).env("TERM", "dumb");
        command.stdout(Stdio::null()).stderr(Stdio::null());
        self.around(&mut command);
        command
    }

    /// The run, with all processes to itself.
    pub(super) fn in_namespace(&self) -> Command {
        let mut command = Command::new("unshare");
        command.args(["--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-c"]);
        // The first process of a namespace cannot be killed from within, and so is not to be one of the run's.
        command.arg(format!("'{}' run event.toml --out run; exit $?", swissmatch()));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        self.around(&mut command);
        command
    }

    /// What the agent said of each row, in their order: it stands in the evidence of the first game.
    #[track_caller]
    pub(super) fn said(&self, rows: &[&Row]) -> Vec<String> {
        let evidence = self.place().evidence("run", "1.1.1").expect("evidence");
        let complaints = complaints(&evidence);
        let lines = complaints.lines().filter(|line| line.starts_with("hostile "));
        let lines: Vec<String> = lines.take(rows.len()).map(str::to_owned).collect();
        let are_of_the_rows = lines.iter().zip(rows).all(|(line, row)| line.starts_with(&begin(row)));
        assert!(are_of_the_rows && lines.len() == rows.len(), "{lines:#?}\n{evidence}");
        lines
    }

    /// What the agent does when it is started by nobody but this test, at its start.
    pub(super) fn without_a_runner(&self, row: &Row) -> String {
        let ran = Command::new(engine("hostile-agent"))
            .args(["--try", &self.harm(row), "--mark", &self.mark])
            .current_dir(self.place().path("agent"))
            .stdin(Stdio::null())
            .output();
        String::from_utf8_lossy(&ran.expect("it runs").stderr).into_owned()
    }

    /// That nobody sees anything of the agents any more.
    #[track_caller]
    pub(super) fn assert_nothing_left(&self) {
        assert_gone(&self.mark, Duration::from_secs(2));
        for path in self.shared() {
            assert!(!path.exists(), "{} is left", path.display());
        }
        assert_eq!(self.place().read("secret"), "of the organizer\n");
        self.tcp.set_nonblocking(true).expect("a socket");
        self.udp.set_nonblocking(true).expect("a socket");
        assert!(self.tcp.accept().is_err(), "it came in by TCP");
        assert!(self.udp.recv(&mut [0; 16]).is_err(), "it came in by UDP");
        let names = fs::read_dir(self.place().path("")).expect("it is there").flatten();
        let mut names: Vec<String> = names
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.retain(|name| !matches!(name.as_str(), "run" | "shown" | "tmux" | "said" | "complained"));
        names.retain(|name| !matches!(name.as_str(), "swissmatch" | "hostile-agent" | "fault-agent"));
        names.sort();
        assert_eq!(names, ["agent", "event.toml", "id", "other", "secret", "socket"]);
    }

    /// Files in places that all share.
    fn shared(&self) -> [PathBuf; 3] {
        ["/tmp", "/var/tmp", "/dev/shm"].map(|dir| Path::new(dir).join(&self.mark))
    }
}

/// What gcc compiles with, which lies where nobody looks programs up.
fn compiler() -> String {
    let said = Command::new("gcc")
        .arg("-print-prog-name=cc1")
        .output()
        .expect("gcc: make test-tools");
    String::from_utf8_lossy(&said.stdout).trim().to_owned()
}

fn words(mut command: Command, words: &[&str]) -> Command {
    command.args(words);
    command
}

impl Drop for Stage {
    fn drop(&mut self) {
        for path in self.shared() {
            let _ = fs::remove_file(path);
        }
    }
}

/// How a line on this row begins.
pub(super) fn begin(row: &Row) -> String {
    let name = row.harm.split('=').next().unwrap_or_default();
    format!("hostile {name}: ")
}

/// tmux, as the organizer's; ends with this value.
pub(super) struct Tmux<'a>(&'a Stage);

impl<'a> Tmux<'a> {
    pub(super) fn start(stage: &'a Stage) -> Self {
        let this = Self(stage);
        let started = this.command(&["new-session", "-d", "sleep 300"]).status();
        assert!(started.is_ok_and(|status| status.success()), "tmux: make test-tools");
        this
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new("tmux");
        command.arg("-S").arg(self.0.place().path("tmux")).args(words);
        command.env_remove("TMUX").stdin(Stdio::null());
        command
    }
}

impl Drop for Tmux<'_> {
    fn drop(&mut self) {
        let _ = self.command(&["kill-server"]).status();
    }
}
