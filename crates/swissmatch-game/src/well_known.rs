//! Well-known engines that do not speak UCI when started by name alone, and well-known programs that run other programs.
//!
//! May not: start anything.

use std::path::Path;

/// What is known of a well-known engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownEngine {
    /// The engine speaks UCI when started with these arguments.
    Speaks(&'static [&'static str]),
    /// The engine speaks UCI, but needs something from the organizer: a sentence that says what.
    Needs(&'static str),
    /// The engine speaks the XBoard protocol, not UCI.
    NoUci,
}

/// Names of programs, with what is known of each.
const KNOWN: [(&str, KnownEngine); 5] = [
    ("gnuchess", KnownEngine::Speaks(&["--uci"])),
    (
        "lc0",
        KnownEngine::Needs("lc0 needs a network: give it the file, as args = [\"--weights=/path/to/network.pb.gz\"]"),
    ),
    ("crafty", KnownEngine::NoUci),
    ("phalanx", KnownEngine::NoUci),
    ("gnuchessx", KnownEngine::NoUci),
];

/// Programs that run other programs, by the start of their names; a version may follow.
const INTERPRETERS: [&str; 14] = [
    "python", "pypy", "java", "node", "perl", "ruby", "lua", "php", "bash", "sh", "env", "dotnet", "bun", "wine",
];

/// True if the command runs another program, which its arguments name.
pub fn is_interpreter(command: &str) -> bool {
    let name = Path::new(command).file_name().and_then(|name| name.to_str());
    let name = name.map(|name| name.trim_end_matches(|c: char| c.is_ascii_digit() || ['.', '-'].contains(&c)));
    name.is_some_and(|name| INTERPRETERS.contains(&name))
}

/// What an interpreter runs with these arguments: a module, an archive, a script or a class.
pub fn interpreted(args: &[String]) -> Option<&str> {
    let after = |flag| args.iter().skip_while(move |arg| *arg != flag).nth(1);
    // Each of these options of Java takes a value.
    let is_value = |at: usize| at > 0 && ["-cp", "-classpath", "--class-path"].contains(&args[at - 1].as_str());
    let plain = args
        .iter()
        .enumerate()
        .find(|(at, arg)| !arg.starts_with('-') && !is_value(*at));
    let found = after("-m").or_else(|| after("-jar")).or(plain.map(|(_, arg)| arg));
    found.map(String::as_str)
}

/// What is known of a command's engine, by its file name.
pub fn known(command: &str) -> Option<KnownEngine> {
    let name = Path::new(command).file_name()?.to_str()?;
    KNOWN.iter().find(|(of, _)| *of == name).map(|(_, known)| *known)
}

/// Advice for an engine that does not start: what is known of it if it is well known, else `usual`.
pub fn remedy(command: &str, args: &[String], usual: &str) -> String {
    let name = Path::new(command).file_name().unwrap_or_default().to_string_lossy();
    match known(command) {
        Some(KnownEngine::Speaks(needed)) if !needed.iter().all(|word| args.iter().any(|arg| arg == word)) => {
            let needed: Vec<String> = needed.iter().map(|word| format!("\"{word}\"")).collect();
            format!("{name} speaks UCI with args = [{}]", needed.join(", "))
        }
        Some(KnownEngine::Needs(what)) => what.to_owned(),
        Some(KnownEngine::NoUci) => format!("{name} speaks the protocol of XBoard, not UCI: it cannot play here"),
        _ => usual.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_interpreter_runs_is_known() {
        assert!(
            ["python3", "/usr/bin/python3.12", "java", "node", "pypy3"]
                .iter()
                .all(|name| is_interpreter(name))
        );
        assert!(
            ["stockfish", "./agent.py", "javaengine", "shredder"]
                .iter()
                .all(|name| !is_interpreter(name))
        );
        for (line, name) in [
            ("-u agents/a.py 3", "agents/a.py"),
            ("-O -m agent x", "agent"),
            ("-Xmx1g -jar a.jar", "a.jar"),
            ("-cp classes Knights", "Knights"),
        ] {
            let args: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(interpreted(&args), Some(name));
        }
        assert_eq!(interpreted(&["-V".to_owned()]), None);
    }

    #[test]
    fn an_engine_is_known_by_the_name_of_its_file() {
        assert_eq!(known("/usr/games/gnuchess"), Some(KnownEngine::Speaks(&["--uci"])));
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
