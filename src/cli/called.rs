//! The program under another name: a link named `fastchess` or `cutechess-cli` takes the arguments of that program.
//!
//! May not: read them.

use std::ffi::OsString;
use std::path::Path;

use swissmatch_config::match_words::{Dialect, How, OptionRow, Peers, rows};

/// The arguments, as those of `swissmatch match` where the program was started by the name of a peer. The processes that it starts
/// of itself get these, and have names of their own.
pub(super) fn arguments(program: Option<OsString>, given: Vec<OsString>) -> Vec<OsString> {
    let name = program.as_deref().map(Path::new).and_then(Path::file_name);
    let Some(peer) = name.and_then(|name| Dialect::of_program(&name.to_string_lossy())) else {
        return given;
    };
    let before = ["match", "--called", peer.program(), "--"].map(OsString::from);
    before.into_iter().chain(given).collect()
}

/// What a link answers to `-version`: the version of the program whose arguments and lines it has stands first, where those who
/// ask look for it.
pub(super) fn version(peer: Dialect) -> String {
    let own = env!("CARGO_PKG_VERSION");
    match peer {
        Dialect::Fastchess => format!("fastchess alpha 1.8.2, as swissmatch {own} has it\n"),
        Dialect::Cutechess => format!("cutechess-cli 1.5.1, as swissmatch {own} has it\n"),
        Dialect::Own => format!("swissmatch {own}\n"),
    }
}

/// What a link answers to `-help`: every option of that program, and what becomes of it.
pub(super) fn help(peer: Dialect) -> String {
    let of_peer = |row: &&OptionRow| match row.peers {
        Peers::Both => true,
        Peers::Fastchess => peer == Dialect::Fastchess,
        Peers::Cutechess => peer == Dialect::Cutechess,
    };
    let name = peer.program();
    let mut text = format!(
        "This is swissmatch, started as {name}: it plays a match by the arguments of {name}, and prints its lines.\n\n  \
         {name} -engine cmd=./new -engine cmd=./old -each tc=10+0.1 -rounds 500 -games 2 -repeat \\\n      \
         -openings file=book.epd format=epd order=random -concurrency 4\n\n\
         What is not carried out is named, and nothing is played; `--accept-partial` plays the match without it.\n\n"
    );
    for row in rows().filter(of_peer) {
        let what = match row.how {
            How::Honoured(how) => how.to_owned(),
            How::Refused(why, instead) => format!("refused: {why}; instead: {instead}"),
        };
        let words = match (row.is_case, row.word) {
            (_, "") => row.option.to_owned(),
            (false, word) => format!("{} {word}", row.option),
            (true, case) => format!("{}: {case}", row.option),
        };
        text += &format!("{words}\n      {what}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_take_the_arguments_of_what_they_are_called_by() {
        let read = |program: &str| {
            let given = vec![OsString::from("-rounds"), OsString::from("2")];
            arguments(Some(OsString::from(program)), given)
        };
        let as_peer = |name: &str| {
            ["match", "--called", name, "--", "-rounds", "2"]
                .map(OsString::from)
                .to_vec()
        };
        assert_eq!(read("/usr/bin/fastchess"), as_peer("fastchess"));
        assert_eq!(read("./fastchess-ob"), as_peer("fastchess"));
        assert_eq!(read("cutechess-cli"), as_peer("cutechess-cli"));
        for own in [
            "swissmatch",
            "swissmatch-player",
            "/opt/fastchess/swissmatch",
            "fastchessy",
            "",
        ] {
            assert_eq!(read(own), ["-rounds", "2"].map(OsString::from).to_vec(), "{own}");
        }
        assert_eq!(arguments(None, Vec::new()), Vec::<OsString>::new());
    }
}
