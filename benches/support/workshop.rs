//! A directory that goes with the benchmark, with the small C programs that it needs.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The build that is measured.
pub(crate) const BUILT: &str = env!("CARGO_BIN_EXE_swissmatch");

pub(crate) struct Workshop {
    dir: tempfile::TempDir,
}

impl Workshop {
    /// Compiles `programs` of benches/floor, and copies the parrots' game. Says how busy the machine is: figures of a busy one
    /// tell little.
    pub(crate) fn with(programs: &[&str]) -> Self {
        let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
        println!(
            "load of the last minute {} on {} cores",
            load.split(' ').next().unwrap_or_default(),
            std::thread::available_parallelism().map_or(0, usize::from)
        );
        let dir = tempfile::tempdir().expect("a temporary directory");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/floor");
        for program in programs {
            let compiled = Command::new("cc")
                .args(["-O2", "-o"])
                .arg(dir.path().join(program))
                .arg(source.join(format!("{program}.c")))
                .status();
            assert!(
                compiled.is_ok_and(|status| status.success()),
                "{program}.c does not compile"
            );
        }
        std::fs::copy(source.join("game300.txt"), dir.path().join("game300.txt")).expect("the game is copied");
        Self { dir }
    }

    /// A path in it.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The build `program` of swissmatch in this directory, playing `event` into `run`; what an earlier run left is removed.
    pub(crate) fn swissmatch(&self, program: &str, event: &str, at_once: usize) -> Command {
        let mut command = self.talking(program, event, at_once);
        command.arg("--quiet");
        command
    }

    /// The same, and it says what it does.
    pub(crate) fn talking(&self, program: &str, event: &str, at_once: usize) -> Command {
        for old in std::fs::read_dir(self.dir.path()).expect("it is there").flatten() {
            if old.file_name().to_string_lossy().starts_with("run") {
                std::fs::remove_dir_all(old.path()).expect("old runs are removed");
            }
        }
        std::fs::write(self.path("event.toml"), event).expect("the event file is written");
        let mut command = Command::new(program);
        command
            .args([
                "run",
                "event.toml",
                "--fresh",
                "--out",
                "run",
                "--set",
                "run.oversubscribe=true",
                "--concurrency",
            ])
            .arg(at_once.to_string())
            .current_dir(self.dir.path());
        command
    }
}
