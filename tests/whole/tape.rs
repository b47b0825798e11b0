//! What the programs of a test said and which files they left, kept for `make compare` where `SWISSMATCH_TAPE` names a folder.
//! `tests/programs/compare/` reads it.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Output};
use std::sync::atomic::{AtomicU32, Ordering};

/// What is larger is media or a disk.
const LARGEST: u64 = 32 << 20;

/// A new name in a folder of the tape; nothing where nothing is kept.
fn next(kind: &str) -> Option<PathBuf> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let folder = PathBuf::from(std::env::var_os("SWISSMATCH_TAPE")?).join(kind);
    std::fs::create_dir_all(&folder).expect("a folder of the tape");
    Some(folder.join(NEXT.fetch_add(1, Ordering::Relaxed).to_string()))
}

/// Keeps what a program said that has ended.
pub(crate) fn call(label: &str, output: &Output) {
    let Some(file) = next("calls") else { return };
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    let text = format!("{label}\n{}\n--- stdout\n{out}\n--- stderr\n{err}\n", output.status);
    std::fs::write(file, text).expect("a file of the tape");
}

/// Keeps how a program ended whose words go to files.
pub(crate) fn ended(label: &str, status: ExitStatus) {
    let (stdout, stderr) = (Vec::new(), Vec::new());
    call(label, &Output { status, stdout, stderr });
}

/// Keeps the files of a folder, but for programs.
pub(crate) fn files(folder: &Path) {
    if let Some(to) = next("files") {
        keep(folder, &to);
    }
}

fn keep(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).into_iter().flatten().flatten() {
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        let Ok(facts) = entry.metadata() else { continue };
        if facts.is_dir() && entry.file_name() != ".git" {
            keep(&path, &to);
        } else if facts.is_file() && facts.len() <= LARGEST {
            let mut head = Vec::new();
            let opened = std::fs::File::open(&path);
            let _ = opened.map(|file| file.take(4).read_to_end(&mut head));
            if head != b"\x7fELF" {
                std::fs::create_dir_all(to.parent().expect("a folder")).expect("a folder of the tape");
                let _ = std::fs::copy(&path, &to);
            }
        }
    }
}
