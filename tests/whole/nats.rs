//! A real NATS server of a test's own, which is killed and started again.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A server, whose store outlives it.
pub(crate) struct Nats {
    process: Child,
    address: String,
    port: u16,
    place: tempfile::TempDir,
}

impl Nats {
    pub(crate) fn start() -> Self {
        Self::start_with("")
    }

    /// One with this configuration besides.
    pub(crate) fn start_with(keys: &str) -> Self {
        Self::start_by(Command::new("env"), "127.0.0.1", keys)
    }

    /// The same at this address, by a command that becomes what its words say.
    pub(crate) fn start_by(command: Command, address: &str, keys: &str) -> Self {
        let place = tempfile::tempdir().expect("a directory");
        std::fs::write(place.path().join("server.conf"), keys).expect("a file");
        let process = Self::begin(command, &place, address, None);
        let mut server = Self {
            process,
            address: address.to_owned(),
            port: 0,
            place,
        };
        server.port = server.said();
        server
    }

    fn begin(mut command: Command, place: &tempfile::TempDir, address: &str, port: Option<u16>) -> Child {
        let ports = place.path().join("ports");
        let _ = std::fs::remove_dir_all(&ports);
        std::fs::create_dir(&ports).expect("a directory");
        let places = ["/usr/sbin", "/usr/bin", "/usr/local/bin"]
            .map(PathBuf::from)
            .into_iter();
        let mut programs = places.map(|place| place.join("nats-server"));
        let program = programs.find(|program| program.exists());
        command.arg(program.expect("nats-server is not installed: make test-tools"));
        command.arg("-c").arg(place.path().join("server.conf"));
        command.args(["-a", address, "-js", "-p"]);
        command.arg(port.map_or("-1".to_owned(), |port| port.to_string()));
        command.arg("-sd").arg(place.path().join("store"));
        command.arg("--ports_file_dir").arg(ports);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("it starts")
    }

    /// The port on which it says that it listens.
    fn said(&self) -> u16 {
        let file = format!("ports/nats-server_{}.ports", self.process.id());
        for _ in 0..1000 {
            let text = std::fs::read_to_string(self.place.path().join(&file)).unwrap_or_default();
            let ports = serde_json::from_str::<serde_json::Value>(&text).ok();
            let port = ports.and_then(|ports| ports["nats"][0].as_str()?.rsplit(':').next()?.parse().ok());
            if let Some(port) = port {
                return port;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("nats-server says no port");
    }

    /// As a power cut does it.
    pub(crate) fn kill(&mut self) {
        self.process.kill().expect("it runs");
        self.process.wait().expect("it ends");
    }

    pub(crate) fn start_again(&mut self) {
        self.process = Self::begin(Command::new("env"), &self.place, &self.address, Some(self.port));
        self.said();
    }

    /// All that it keeps is gone; it has been killed.
    pub(crate) fn wipe(&self) {
        std::fs::remove_dir_all(self.place.path().join("store")).expect("a store");
    }

    /// Whether a message in its store has this in it.
    pub(crate) fn stores(&self, text: &str) -> bool {
        let mut folders = vec![self.place.path().join("store")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|ext| ext == "blk") {
                    let bytes = std::fs::read(path).unwrap_or_default();
                    if bytes.windows(text.len()).any(|window| window == text.as_bytes()) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Where it is.
    pub(crate) fn address(&self) -> String {
        format!("nats://{}:{}", self.address, self.port)
    }

    /// A directory of its own.
    pub(crate) fn place(&self) -> &Path {
        self.place.path()
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
