//! Why an agent does not start, if the usual cause shows in its program file, in its words, or in what it printed last.
//!
//! May not: guess, or start the agent again.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use swiss_system::text::{escaped, shortened};

use super::confine::denied::Clues;
use super::engine::EngineCommand;
use super::files::open_plain;
use swissmatch_game::handshake::{Cause, StartError};
use swissmatch_game::isolation::Lack;

/// The bytes of a program file that are looked at.
const HEAD: u64 = 4096;
/// The most characters that are repeated.
const REPEATED: usize = 100;
/// How many last lines may tell why an agent ends.
const LAST: usize = 3;

/// What an agent that did not start seems to lack because of its isolation, or otherwise the cause that was found.
pub(super) fn of_failure(command: &EngineCommand, failure: &StartError, clues: &Clues) -> (Vec<Lack>, Option<Cause>) {
    let launch = &command.launch;
    let cause = match failure {
        StartError::NotRun(_) => of_program(&launch.program, true),
        StartError::Ended => {
            of_program(&launch.program, false).or_else(|| of_arguments(&launch.args, &command.base, clues.lines()))
        }
        _ => None,
    };
    if cause.is_some() {
        return (Vec::new(), cause);
    }
    let lacks = clues.lacks(command, failure);
    let is_by_itself = matches!(
        failure,
        StartError::Ended
            | StartError::NoUciOk(_)
            | StartError::NotRead(_)
            | StartError::Silent(_)
            | StartError::NoReadyOk(_)
    );
    let cause = match lacks.is_empty() && is_by_itself {
        true => of_lines(clues.lines(), launch.confinement.is_some()),
        false => None,
    };
    (lacks, cause)
}

/// What is wrong with a program, by its first bytes: the system cannot run it or hand it to an interpreter.
/// `is_refused` means that the system did not run it as it is.
fn of_program(program: &Path, is_refused: bool) -> Option<Cause> {
    let mut head = Vec::new();
    open_plain(program).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
    // As a user would write it.
    let here = std::env::current_dir().ok();
    let shown = here.and_then(|here| program.strip_prefix(here).ok()).unwrap_or(program);
    let name = escaped(shown.display().to_string());
    let name = shlex::try_quote(&name).ok()?;
    let first = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    if head.starts_with(b"MZ") {
        return Some(Cause::new(
            "it is a Windows program",
            format!("run it with wine: `wine` is the command, and {name} its argument"),
        ));
    }
    if first.starts_with(b"#!") && first.ends_with(b"\r") {
        return Some(Cause::new(
            "its `#!` line ends in CR LF, as lines of Windows do, and the CR counts as part of the interpreter's name",
            format!("end its lines in LF alone: sed -i 's/\\r$//' {name}"),
        ));
    }
    if head.is_empty() {
        return Some(Cause::new("its file is empty", "build or copy it again"));
    }
    if !is_refused {
        return None;
    }
    if machine_of(&head).is_some_and(|machine| own_machine().is_some_and(|own| own != machine)) {
        return Some(Cause::new(
            "it is a program for another kind of processor",
            "build it for this machine",
        ));
    }
    if let Some(words) = first.strip_prefix(b"#!") {
        let interpreter = words.trim_ascii().split(u8::is_ascii_whitespace).next()?;
        let interpreter = String::from_utf8_lossy(interpreter);
        let is_missing =
            std::fs::metadata(&*interpreter).is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound);
        return is_missing.then(|| {
            let interpreter = escaped(shortened(&interpreter, REPEATED));
            Cause::new(
                format!("its `#!` line names {interpreter}, which is not there"),
                "name an interpreter that is there, such as `#!/usr/bin/env python3`",
            )
        });
    }
    None
}

/// The kind of processor that an ELF file is for (`e_machine`).
fn machine_of(head: &[u8]) -> Option<&[u8]> {
    head.strip_prefix(b"\x7fELF")?.get(14..16)
}

/// The kind of processor of this program.
fn own_machine() -> Option<Vec<u8>> {
    let mut head = Vec::new();
    File::open("/proc/self/exe")
        .ok()?
        .take(HEAD)
        .read_to_end(&mut head)
        .ok()?;
    machine_of(&head).map(<[u8]>::to_vec)
}

/// An argument that names no file although its first word does, if a printed line mentions it.
fn of_arguments<'a>(args: &[String], directory: &Path, lines: impl Iterator<Item = &'a str> + Clone) -> Option<Cause> {
    let is_file = |name: &str| directory.join(name).is_file();
    let is_told = |arg: &str| lines.clone().any(|line| line.contains(arg));
    let several = args.iter().find_map(|arg| {
        let words = shlex::split(arg)?;
        let first = words.first().filter(|_| words.len() > 1)?;
        let begins = is_file(first) || (first.starts_with('-') && !first.contains('='));
        (begins && !is_file(arg) && is_told(arg)).then_some((arg, words))
    });
    several.map(|(arg, words)| {
        let words: Vec<String> = words.iter().map(|word| format!("`{}`", escaped(word))).collect();
        Cause::new(
            format!("its argument `{}` is one word", escaped(arg)),
            format!("give these as arguments of their own: {}", words.join(", ")),
        )
    })
}

/// The cause shown by what it printed, looking at the last line first.
fn of_lines<'a>(lines: impl DoubleEndedIterator<Item = &'a str>, is_isolated: bool) -> Option<Cause> {
    let lines = lines.rev().map(str::trim).filter(|line| !line.is_empty());
    lines.enumerate().find_map(|(before, line)| {
        // A trace follows these. Other errors may be messages after which an agent goes on.
        let of_trace = of_java(line).or_else(|| of_node(line));
        of_trace.or_else(|| {
            let is_last = before < LAST;
            let of_last = || {
                of_env(line)
                    .or_else(|| of_python(line))
                    .or_else(|| of_library(line))
                    .or_else(|| of_log(line, is_isolated))
            };
            is_last.then(of_last).flatten()
        })
    })
}

fn of_python(line: &str) -> Option<Cause> {
    let remedy = "install it for the interpreter that runs the agent, or put it into the agent's directory";
    // `python3 -m NAME` puts its own path before it.
    let module = after(line, "ModuleNotFoundError: No module named ").or_else(|| {
        let (interpreter, module) = line.split_once(": No module named ")?;
        interpreter.contains("python").then_some(module)
    });
    if let Some(module) = module {
        return Some(Cause::new(format!("Python finds no module {}", name(module)), remedy));
    }
    if let Some(file) = after(line, "can't open file ").filter(|rest| rest.contains("[Errno 2]")) {
        return Some(Cause::new(
            format!("Python finds no file {}", name(file)),
            "give its path as it is from the directory in which the agent runs",
        ));
    }
    let why = after(line, "ImportError: ")?;
    let remedy = match why.starts_with("attempted relative import") {
        true => "run it as a part of its package: python3 -m PACKAGE.MODULE, from the directory above the package",
        false => "install what it names, in a version that fits, for the interpreter that runs the agent",
    };
    let why = escaped(shortened(why, REPEATED));
    Some(Cause::new(format!("an import of Python failed: {why}"), remedy))
}

/// An error of `env`, which was to look up an interpreter.
fn of_env(line: &str) -> Option<Cause> {
    let rest = line.strip_prefix("/usr/bin/").unwrap_or(line).strip_prefix("env: ")?;
    let interpreter = rest.strip_suffix(": No such file or directory")?;
    Some(Cause::new(
        format!("its `#!` line asks for {}, which is not in its PATH", name(interpreter)),
        "install that, or name an interpreter that is there",
    ))
}

fn of_java(line: &str) -> Option<Cause> {
    if let Some(file) = after(line, "Error: Unable to access jarfile ") {
        return Some(Cause::new(
            format!("Java cannot open the jar file {}", name(file)),
            "give its path as it is from the agent's directory",
        ));
    }
    let class = [
        "Error: Could not find or load main class ",
        "java.lang.ClassNotFoundException: ",
        "java.lang.NoClassDefFoundError: ",
    ]
    .into_iter()
    .find_map(|begin| after(line, begin))?;
    Some(Cause::new(
        format!("Java finds no class {}", name(class)),
        "name the directory or the jar file that has it in its class path (-cp)",
    ))
}

fn of_node(line: &str) -> Option<Cause> {
    let module = ["Cannot find module ", "Cannot find package "]
        .into_iter()
        .find_map(|begin| after(line, begin))
        .filter(|_| line.contains("Error"))?;
    Some(Cause::new(
        format!("Node finds no module {}", name(module)),
        "install it into the agent's directory (npm install)",
    ))
}

fn of_library(line: &str) -> Option<Cause> {
    if let Some((_, version)) = line
        .split_once(": version `")
        .filter(|_| line.contains("' not found (required by"))
    {
        return Some(Cause::new(
            format!(
                "it was built for a system that has {}, which this one lacks",
                name(version)
            ),
            "build it here, or link it statically",
        ));
    }
    let library = after(line, "error while loading shared libraries: ")
        .or_else(|| after(line, "Error loading shared library "))?;
    Some(Cause::new(
        format!("it lacks the shared library {}", name(library)),
        "install it, or link it statically",
    ))
}

/// A file that cannot be opened or written and whose name says that it is a log.
fn of_log(line: &str, is_isolated: bool) -> Option<Cause> {
    const REFUSED: [&str; 8] = [
        "permission denied",
        "no such file or directory",
        "read-only file system",
        "not permitted",
        "unable to open",
        "cannot open",
        "could not open",
        "failed to open",
    ];
    let low = line.to_lowercase();
    if !REFUSED.iter().any(|words| low.contains(words)) {
        return None;
    }
    let words = line.split(|c: char| c.is_whitespace() || "'\"`‘’“”,;()[]<>=".contains(c));
    let words = words.map(|word| word.trim_end_matches([':', '.', '!']));
    let file = words.filter(|word| word.contains(['.', '/'])).find(|word| {
        let path = Path::new(word);
        let last = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        last.ends_with(".log")
            || last.starts_with("log.")
            || last.contains("log.txt")
            || path.components().any(|part| part.as_os_str() == "logs")
    })?;
    Some(Cause::new(
        format!("it cannot open its log file {}", name(file)),
        match is_isolated {
            true => "turn its log off; or make the file beforehand, and name it in player.write",
            false => "turn its log off, or have it write to a place where it may",
        },
    ))
}

/// The rest of a line after `begin`.
fn after<'a>(line: &'a str, begin: &str) -> Option<&'a str> {
    line.split_once(begin)
        .map(|(_, rest)| rest.trim())
        .filter(|rest| !rest.is_empty())
}

/// The quoted name at the beginning of a text.
fn name(text: &str) -> String {
    let is_quote = |c: char| matches!(c, '\'' | '"' | '`' | '‘' | '’');
    let inner = text.trim_start_matches(is_quote);
    let end = match text.starts_with(is_quote) {
        true => inner.find(is_quote),
        false => inner.find(|c: char| c.is_whitespace() || is_quote(c)),
    };
    let name = inner[..end.unwrap_or(inner.len())].trim_end_matches([':', ';', ',']);
    format!("`{}`", escaped(shortened(name, REPEATED)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_line(line: &str, why: &str) {
        let found = of_lines(["before", line, "after it"].into_iter(), true);
        assert_eq!(found.map(|cause| cause.why).unwrap_or_default(), why, "{line}");
    }

    #[test]
    fn what_was_printed_names_the_cause() {
        for (line, why) in [
            (
                "ModuleNotFoundError: No module named 'chess'",
                "Python finds no module `chess`",
            ),
            (
                "/usr/bin/python3: No module named agent.uci",
                "Python finds no module `agent.uci`",
            ),
            (
                "ImportError: cannot import name 'x' from 'y' (/a/y.py)",
                "an import of Python failed: cannot import name 'x' from 'y' (/a/y.py)",
            ),
            (
                "python3: can't open file '/a/agent.py': [Errno 2] No such file or directory",
                "Python finds no file `/a/agent.py`",
            ),
            (
                "/usr/bin/env: ‘pythonx’: No such file or directory",
                "its `#!` line asks for `pythonx`, which is not in its PATH",
            ),
            (
                "env: pythonx: No such file or directory",
                "its `#!` line asks for `pythonx`, which is not in its PATH",
            ),
            (
                "Error: Could not find or load main class Engine",
                "Java finds no class `Engine`",
            ),
            (
                "Caused by: java.lang.ClassNotFoundException: a.Engine",
                "Java finds no class `a.Engine`",
            ),
            (
                "Error: Unable to access jarfile e.jar",
                "Java cannot open the jar file `e.jar`",
            ),
            (
                "Error: Cannot find module './lib/\u{1b}[2J'",
                "Node finds no module `./lib/\\u{1b}[2J`",
            ),
            (
                "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'chess.js' imported from /a/b.mjs",
                "Node finds no module `chess.js`",
            ),
            (
                "./eng: error while loading shared libraries: libnet.so.1: cannot open shared object file: No such file or directory",
                "it lacks the shared library `libnet.so.1`",
            ),
            (
                "./eng: /lib/libc.so.6: version `GLIBC_2.38' not found (required by ./eng)",
                "it was built for a system that has `GLIBC_2.38`, which this one lacks",
            ),
            (
                "PermissionError: [Errno 13] Permission denied: '/var/log/e.log'",
                "it cannot open its log file `/var/log/e.log`",
            ),
            (
                "OSError: [Errno 30] Read-only file system: 'log.txt'",
                "it cannot open its log file `log.txt`",
            ),
            (
                "Unable to open debug log file /x/sf.log",
                "it cannot open its log file `/x/sf.log`",
            ),
            // Nothing is reported for these.
            ("PermissionError: [Errno 13] Permission denied: 'nn.bin'", ""),
            ("info string opened sf.log", ""),
            ("info string logic error in catalog.c: cannot open book", ""),
            ("No module named", ""),
            ("", ""),
        ] {
            check_line(line, why);
        }
        let earlier = ["ModuleNotFoundError: No module named 'b'", "no book", "no net", "bye"];
        assert_eq!(of_lines(earlier.into_iter(), true), None, "it went on after that");
        // The last one counts.
        let both = ["ImportError: a", "ModuleNotFoundError: No module named 'b'"];
        assert_eq!(
            of_lines(both.into_iter(), true).map(|cause| cause.why).as_deref(),
            Some("Python finds no module `b`")
        );
    }

    #[test]
    fn a_program_that_cannot_be_run_shows_why_in_its_file() {
        let place = tempfile::tempdir().expect("a directory");
        let check = |bytes: &[u8], is_refused: bool, begin: Option<&str>| {
            let path = place.path().join("agent");
            std::fs::write(&path, bytes).expect("a file");
            let found = of_program(&path, is_refused).map(|cause| cause.why);
            match begin {
                Some(begin) => assert!(found.as_ref().is_some_and(|why| why.starts_with(begin)), "{found:?}"),
                None => assert_eq!(found, None),
            }
        };
        check(b"MZ\x90\0", false, Some("it is a Windows program"));
        check(
            b"#!/usr/bin/env python3\r\nprint()\r\n",
            false,
            Some("its `#!` line ends in CR LF"),
        );
        check(
            b"#!/no/such/sh -x\n",
            true,
            Some("its `#!` line names /no/such/sh, which is not there"),
        );
        check(b"#!/bin/sh\n", true, None);
        check(b"import chess\n", false, None);
        check(b"\x7fELF\x02", true, None);
        let mut own = std::fs::read("/proc/self/exe").expect("this program")[..64].to_vec();
        check(&own, true, None);
        own[18] ^= 1;
        check(&own, true, Some("it is a program for another kind of processor"));
        check(&own, false, None);
        check(b"\0\x01", true, None);
        check(b"", true, Some("its file is empty"));
    }

    #[test]
    fn several_words_in_one_argument_are_told_where_the_first_is_a_file() {
        let place = tempfile::tempdir().expect("a directory");
        std::fs::write(place.path().join("wrap.py"), "").expect("a file");
        let of = |args: &[&str]| {
            let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
            let lines = ["python3: can't open file 'wrap.py --depth 3'", "--name=a b"];
            of_arguments(&args, place.path(), lines.into_iter()).map(|cause| cause.remedy)
        };
        assert_eq!(
            of(&["-u", "wrap.py --depth 3"]).as_deref(),
            Some("give these as arguments of their own: `wrap.py`, `--depth`, `3`")
        );
        assert_eq!(of(&["-u", "wrap.py", "--name=a b"]), None);
        assert_eq!(of(&["wrap.py --depth 4"]), None, "nobody speaks of it");
        std::fs::write(place.path().join("wrap.py --depth 3"), "").expect("a file");
        assert_eq!(of(&["wrap.py --depth 3"]), None);
    }
}
