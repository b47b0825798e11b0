//! Well-known engines that do not speak UCI when they are started by their name alone.
//!
//! May not: start anything.

use std::path::Path;

/// What is known of such an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// It speaks UCI with these arguments.
    Speaks(&'static [&'static str]),
    /// It speaks UCI, and needs something that whoever enters it has to give: a sentence.
    Needs(&'static str),
    /// It speaks the protocol of XBoard, not UCI.
    NoUci,
}

/// Names of programs, and what is known of them.
const KNOWN: [(&str, Known); 5] = [
    ("gnuchess", Known::Speaks(&["--uci"])),
    (
        "lc0",
        Known::Needs("lc0 needs a network: give it the file, as args = [\"--weights=/path/to/network.pb.gz\"]"),
    ),
    ("crafty", Known::NoUci),
    ("phalanx", Known::NoUci),
    ("gnuchessx", Known::NoUci),
];

/// What is known of the engine of a command, by the name of its file.
pub fn known(command: &str) -> Option<Known> {
    let name = Path::new(command).file_name()?.to_str()?;
    KNOWN.iter().find(|(of, _)| *of == name).map(|(_, known)| *known)
}

/// What to do about an engine that does not start: of a well-known one what is known of it, else `usual`.
pub fn remedy(command: &str, args: &[String], usual: &str) -> String {
    let name = Path::new(command).file_name().unwrap_or_default().to_string_lossy();
    match known(command) {
        Some(Known::Speaks(needed)) if !needed.iter().all(|word| args.iter().any(|arg| arg == word)) => {
            let needed: Vec<String> = needed.iter().map(|word| format!("\"{word}\"")).collect();
            format!("{name} speaks UCI with args = [{}]", needed.join(", "))
        }
        Some(Known::Needs(what)) => what.to_owned(),
        Some(Known::NoUci) => format!("{name} speaks the protocol of XBoard, not UCI: it cannot play here"),
        _ => usual.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_is_known_by_the_name_of_its_file() {
        assert_eq!(known("/usr/games/gnuchess"), Some(Known::Speaks(&["--uci"])));
        assert_eq!(known("stockfish"), None);
        assert_eq!(
            remedy("gnuchess", &[], "run it"),
            "gnuchess speaks UCI with args = [\"--uci\"]"
        );
        assert_eq!(remedy("gnuchess", &["--uci".to_owned()], "run it"), "run it");
        assert_eq!(
            remedy("./crafty", &[], "run it"),
            "crafty speaks the protocol of XBoard, not UCI: it cannot play here"
        );
    }
}
