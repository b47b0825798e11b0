//! `swissmatch doctor`
//!
//! May not: find out anything itself.

use clap::Args;
use serde_json::json;
use swiss_system::text::harmless;

use swissmatch_game::resource::bytes;
use swissmatch_host::facilities::{ControlGroups, Facilities, IsolationFacilities, Limit, Processor, Space};

use super::exit::{Exit, Failure};
use super::output::print;

/// What this machine offers, and what it can keep agents from
///
/// Shows kernel, cores, clock, memory, limits, room for files, GPUs and user, engines and compilers that agents
/// can run, and what isolation is made of.
///
/// Starts a process of swissmatch that is isolated as an agent would be, and lets it try what should be
/// closed. What held is given; beside what is missing stands what would give it. Nothing is changed on
/// the machine.
///
///   swissmatch doctor
///   swissmatch doctor --json
///
/// The exit code is 0 if agents can be kept from everything, so that "guarded" keeps them from all of it and
/// "sealed" works; 1 if something is missing; 5 if the machine does not say what it is.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct DoctorArgs {
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

impl DoctorArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let found = Facilities::of_this_machine().map_err(Failure::machine)?;
        match self.json {
            true => print(&format!("{:#}\n", as_json(&found)?)),
            false => print(&text(&found)),
        };
        Ok(match found.missing().as_slice() {
            [] => Exit::Done,
            _ => Exit::CheckFailed,
        })
    }
}

fn as_json(found: &Facilities) -> Result<serde_json::Value, Failure> {
    let mut page = serde_json::to_value(found).map_err(Failure::machine)?;
    page["schema"] = json!(1);
    page["missing"] = json!(found.missing());
    Ok(page)
}

fn text(found: &Facilities) -> String {
    let kernel = &found.kernel;
    let machine = [
        (
            "Kernel",
            harmless(&format!(
                "{} {} ({})",
                kernel.system, kernel.release, kernel.architecture
            )),
        ),
        ("Cores", cores(&found.processor)),
        (
            "Clock",
            format!(
                "{}, smallest step seen {} ns",
                found.clock.source.as_deref().map_or("not named".to_owned(), harmless),
                found.clock.step_ns
            ),
        ),
        ("Memory", found.memory.map_or("not known".to_owned(), bytes)),
        ("Open files", limit(found.open_files)),
        (
            "Processes",
            match found.user {
                0 => "no limit for the superuser".to_owned(),
                _ => limit(found.processes),
            },
        ),
        ("Size of a file", found.file_size.map_or("no limit".to_owned(), bytes)),
        ("Scratch space", space(&found.scratch)),
        (
            "Shared memory",
            found.shared_memory.as_ref().map_or("none".to_owned(), space),
        ),
        ("GPUs", gpus(found)),
        ("Programs", programs(found)),
        (
            "User",
            match found.user {
                0 => "the superuser".to_owned(),
                user => format!("an ordinary one, number {user}"),
            },
        ),
    ];
    let mut text = String::from("This machine\n");
    text.push_str(&lines(&machine));
    text.push_str("\nWhat isolation is made of\n");
    text.push_str(&lines(&means(&found.means)));
    text.push_str("\nWhat agents can be kept from\n");
    for one in &found.protections {
        let given = match one.needs {
            None => format!("given by {}", one.by.join(", ")),
            Some(needs) => format!("MISSING; needs {needs}"),
        };
        text.push_str(&format!("  {:<10} {}: {given}\n", one.protection, one.keeps_from));
    }
    let missing = found.missing().join(", ");
    let (guarded, sealed) = match missing.as_str() {
        "" => (
            "keeps agents from all of it".to_owned(),
            "works: everything that it needs is there".to_owned(),
        ),
        missing => (
            format!("works, and keeps agents from all but {missing}"),
            format!("is refused before anything starts, since this is missing: {missing}"),
        ),
    };
    text.push_str(&format!("\n\"guarded\"  {guarded}\n\"sealed\"   {sealed}\n"));
    text
}

fn lines(facts: &[(&str, String)]) -> String {
    let line = |(what, value): &(&str, String)| format!("  {what:<16}{value}\n");
    facts.iter().map(line).collect()
}

fn cores(processor: &Processor) -> String {
    let ranges = processor.cpus.chunk_by(|one, next| one + 1 == *next);
    let numbers = ranges.map(|range| match range {
        [first, .., last] => format!("{first}-{last}"),
        single => single.iter().map(usize::to_string).collect(),
    });
    let numbers: Vec<String> = numbers.collect();
    let several = match processor.hyperthreads {
        true => "hyperthreads: some share a core",
        false => "no hyperthreads",
    };
    format!(
        "{} usable, by the CPUs {}, {} at the same time; {several}",
        processor.cores,
        numbers.join(","),
        processor.at_once
    )
}

fn limit(limit: Limit) -> String {
    match (limit.now, limit.most) {
        (None, _) => "no limit".to_owned(),
        (Some(now), Some(most)) if most > now => format!("{now}, can be raised to {most}"),
        (Some(now), Some(_)) => format!("{now}, cannot be raised"),
        (Some(now), None) => format!("{now}, can be raised"),
    }
}

fn space(space: &Space) -> String {
    let path = harmless(&space.path.display().to_string());
    format!("{} free in {path}", bytes(space.free))
}

fn gpus(found: &Facilities) -> String {
    let each = found
        .gpus
        .iter()
        .map(|gpu| format!("{} ({}, {})", gpu.number, gpu.maker, harmless(&gpu.node)));
    match found.gpus.is_empty() {
        true => "none seen".to_owned(),
        false => each.collect::<Vec<_>>().join(", "),
    }
}

/// What an agent could play by, or make.
fn programs(found: &Facilities) -> String {
    let each = found
        .within_reach
        .iter()
        .map(|path| harmless(&path.display().to_string()));
    match found.within_reach.is_empty() {
        true => "no known engine or compiler for agents to run".to_owned(),
        false => format!(
            "engines and compilers that isolated agents can run, unless exec is \"own\" as for sealed ones: {}",
            each.collect::<Vec<_>>().join(", ")
        ),
    }
}

fn means(means: &IsolationFacilities) -> [(&'static str, String); 5] {
    let namespaces = match (&means.bubblewrap, &means.why_no_namespaces) {
        (Some(path), _) => format!("yes, by {}", harmless(&path.display().to_string())),
        (None, Some(why)) => format!("no: {}", harmless(why)),
        (None, None) => "no".to_owned(),
    };
    let landlock = means.landlock;
    [
        (
            "Landlock",
            landlock.map_or("no".to_owned(), |version| format!("version {version}")),
        ),
        ("Seccomp", if means.seccomp { "yes" } else { "no" }.to_owned()),
        ("Namespaces", namespaces),
        (
            "Own users",
            match (means.own_users, &means.why_no_own_users) {
                (true, _) => "yes, one for each agent".to_owned(),
                (false, Some(why)) => format!("no: {}", harmless(why)),
                (false, None) => "no; only the superuser can give agents users of their own".to_owned(),
            },
        ),
        ("Control groups", control_groups(&means.control_groups)),
    ]
}

fn control_groups(groups: &ControlGroups) -> String {
    match (&groups.engines, &groups.why_none) {
        (Some(path), _) => {
            let bounds = match groups.bounds.as_slice() {
                [] => "nothing".to_owned(),
                some => some.join(" and "),
            };
            let path = harmless(&path.display().to_string());
            format!("yes, one for each engine in {path}; they bound {bounds}")
        }
        (None, why) => format!("no: {}", harmless(why.as_deref().unwrap_or_default())),
    }
}
