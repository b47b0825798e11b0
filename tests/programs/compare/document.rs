//! A tape as documents: what each kind of call said and what each file holds, without times and names by chance.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use serde_json::Value;

/// Texts by what they are of: a test may make a call several times, some of them at once.
#[derive(Default)]
pub(crate) struct Documents(pub(crate) BTreeMap<String, Vec<String>>);

impl Documents {
    /// All that is on a tape.
    pub(crate) fn of_tape(tape: &Path) -> Self {
        let mut found = Self::default();
        for call in fs::read_dir(tape.join("calls")).into_iter().flatten().flatten() {
            let text = fs::read_to_string(call.path()).expect("a call");
            let (label, said) = text.split_once('\n').expect("a label");
            found.add(&format!("call {label}"), said);
        }
        for place in fs::read_dir(tape.join("files")).into_iter().flatten().flatten() {
            found.add_files(&place.path(), &place.path());
        }
        found.0.values_mut().for_each(|texts| texts.sort());
        found
    }

    fn add(&mut self, label: &str, text: &str) {
        self.0.entry(masked(label)).or_default().push(masked(text));
    }

    fn add_files(&mut self, root: &Path, folder: &Path) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                self.add_files(root, &path);
                continue;
            }
            let name = path
                .strip_prefix(root)
                .expect("below it")
                .to_string_lossy()
                .into_owned();
            if name.ends_with("-wal") || name.ends_with("-shm") {
                continue;
            }
            let bytes = fs::read(&path).expect("a file");
            let text = if bytes.starts_with(b"SQLite format 3") {
                database(&path).unwrap_or_else(|error| error.to_string())
            } else if bytes.starts_with(&[0x1f, 0x8b]) {
                let mut text = Vec::new();
                let read = flate2::read::GzDecoder::new(&bytes[..]).read_to_end(&mut text);
                read.map_or_else(
                    |error| error.to_string(),
                    |_| String::from_utf8_lossy(&text).into_owned(),
                )
            } else {
                String::from_utf8_lossy(&bytes).into_owned()
            };
            self.add(&format!("file {name}"), &text);
        }
    }
}

/// What tables and views hold, a row a line; but for `entries`, whose order says something, in the order of the masked lines.
fn database(path: &Path) -> rusqlite::Result<String> {
    // A copy, as opening it may change it.
    let copy = tempfile::tempdir().expect("a folder");
    for end in ["", "-wal"] {
        let name = |path: &Path| format!("{}{end}", path.display());
        let _ = fs::copy(name(path), name(&copy.path().join("log")));
    }
    let log = Connection::open_with_flags(copy.path().join("log"), OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let rows = |query: &str| -> rusqlite::Result<Vec<String>> {
        let mut query = log.prepare(query)?;
        let names: Vec<String> = query.column_names().map(str::to_owned).collect();
        let mut rows = query.query([])?;
        let mut lines = Vec::new();
        while let Some(row) = rows.next()? {
            let cells = (0..names.len()).map(|at| match row.get_ref(at)? {
                ValueRef::Text(text) => match serde_json::from_slice::<Value>(text) {
                    Ok(value) => Ok(value),
                    Err(_) => Ok(Value::from(String::from_utf8_lossy(text))),
                },
                ValueRef::Integer(number) => Ok(Value::from(number)),
                ValueRef::Real(number) => Ok(Value::from(number)),
                ValueRef::Null => Ok(Value::Null),
                ValueRef::Blob(blob) => Ok(Value::from(String::from_utf8_lossy(blob))),
            });
            let cells: rusqlite::Result<Vec<Value>> = cells.collect();
            let row = names.iter().cloned().zip(cells?).collect::<serde_json::Map<_, _>>();
            lines.push(masked(&Value::Object(row).to_string()));
        }
        Ok(lines)
    };
    let mut text = rows("SELECT type, name, sql FROM sqlite_master ORDER BY name")?.join("\n");
    let mut query = log.prepare("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name")?;
    let tables = query
        .query_map([], |row| row.get::<_, String>(0))?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    for table in tables {
        let mut lines = rows(&format!("SELECT * FROM \"{table}\""))?;
        if table != "entries" {
            lines.sort();
        }
        text += &format!("\n--- {table}\n{}", lines.join("\n"));
    }
    Ok(text)
}

/// A text without times and what else is never the same twice.
pub(crate) fn masked(text: &str) -> String {
    static MASKS: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
        let masks = [
            (r"(/tmp|/var/tmp|/dev/shm)/\.tmp\w{6}", "/TMP"),
            (r"/compare/[0-9a-f]{12}/(old|new|programs)/", "/PROGRAMS/"),
            (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?( ?UTC|Z)?", "TIME"),
            (r"\d{4}[-.]\d\d[-.]\d\d", "DATE"),
            (r"\b\d\d:\d\d(:\d\d(\.\d+)?)?\b", "CLOCK"),
            (r#"("\w*(_us|_ms|_ns|_at)": ?)(\[[^\]]*\]|-?[\d.]+)"#, "${1}0"),
            (r"\bpid \d+|process \d+", "PID"),
            (r" \d+\.\d{3}s\}", " SECONDS}"),
        ];
        masks
            .map(|(mask, word)| (Regex::new(mask).expect("a regular expression"), word))
            .into()
    });
    let mut text = text.to_owned();
    for (mask, word) in MASKS.iter() {
        if let std::borrow::Cow::Owned(changed) = mask.replace_all(&text, *word) {
            text = changed;
        }
    }
    text
}
