//! The commands in groups, as `--help` lists them.

use std::fmt::Write as _;

use clap::Command;

/// Every command that is supported, in the group of what one wants to do.
const GROUPS: [(&str, &[&str]); 9] = [
    (
        "Play",
        &["init", "doctor", "check", "plan", "run", "match", "gate", "league"],
    ),
    (
        "Watch and publish",
        &[
            "status",
            "standings",
            "crosstable",
            "ladder",
            "report",
            "publish",
            "serve",
            "export",
            "playoff",
            "prizes",
            "tour",
            "analyse",
        ],
    ),
    ("Ask why", &["explain", "evidence", "rescore", "compare", "verify"]),
    ("Measure", &["stats", "sprt", "thinking"]),
    ("Rule", &["arbiter"]),
    ("Rank and pair files", &["pair", "verify-pairings", "generate"]),
    ("Set up", &["config", "roster", "completions"]),
    ("Hand in", &["submit", "submissions", "try"]),
    ("Play elsewhere", &["worker", "workers", "adapter"]),
];

/// What tells four commands apart whose names are alike.
const CHECKS: &str = "\
check looks at an agent, roster verify at its files, verify at a run, verify-pairings at a file.
swissmatch help COMMAND says more about each.
";

/// The command line with its commands in groups.
pub(super) fn grouped(command: Command) -> Command {
    let list = list(command.clone());
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}\n{CHECKS}\nOptions:\n{{options}}{{after-help}}\n"
    ))
}

fn list(mut command: Command) -> String {
    command.build();
    let mut list = String::new();
    for (title, names) in GROUPS {
        let _ = writeln!(list, "{title}:");
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.expect("a command with its help").to_string();
            let _ = writeln!(list, "  {name:<17}{about}");
        }
        list.push('\n');
    }
    list.pop();
    list
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::cli::CommandLineArgs;

    #[test]
    fn every_command_is_in_one_group_and_has_a_line() {
        // `help` comes with the library.
        let mut command = CommandLineArgs::command().disable_help_subcommand(true);
        command.build();
        let supported = command.get_subcommands().filter(|command| !command.is_hide_set());
        let mut known: Vec<&str> = supported.map(Command::get_name).collect();
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        known.sort_unstable();
        listed.sort_unstable();
        assert_eq!(known, listed);
        for line in list(CommandLineArgs::command()).lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}
