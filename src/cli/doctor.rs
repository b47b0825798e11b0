//! `swissmatch doctor`
//!
//! May not: find out anything itself.

use clap::Args;
use serde_json::json;
use swiss_system::text::harmless;
use swiss_system::word::Word as _;

use crate::game::isolation::Protection;
use crate::shell::confine::probe::{self, Means};

use super::exit::{Exit, Failure};
use super::form::print;

/// What this machine offers: from what it can keep agents
///
/// Starts a process of swissmatch that is isolated as an agent would be, and lets it try what should be
/// closed. What held is "yes". Nothing is changed on the machine.
///
///   swissmatch doctor
///   swissmatch doctor --json
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Doctor {
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

impl Doctor {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let means = probe::means();
        let has = |one: &Protection| means.protections.contains(one);
        if self.json {
            let each = Protection::ALL.iter();
            let each = each.map(|one| json!({ "protection": one.word(), "held": has(one) }));
            let page = json!({
                "bubblewrap": means.bubblewrap,
                "why_no_namespaces": means.why_no_namespaces,
                "users": means.users,
                "protections": each.collect::<Vec<_>>(),
            });
            return print(&format!("{page:#}\n"));
        }
        let mut text = String::from("Agents on this machine can be kept from:\n");
        for one in Protection::ALL {
            let held = if has(one) { "yes" } else { "no" };
            text.push_str(&format!("  {:<10} {held:<4} {}\n", one.word(), one.what()));
            if !has(one) {
                text.push_str(&format!("             needs {}\n", one.remedy()));
            }
        }
        text.push_str(&format!("\nNamespaces by bubblewrap: {}\n", namespaces(means)));
        text.push_str(&format!(
            "A user of its own for each agent: {}\n",
            if means.users {
                "yes"
            } else {
                "no; that takes the superuser"
            }
        ));
        print(&text)
    }
}

fn namespaces(means: &Means) -> String {
    match (&means.bubblewrap, &means.why_no_namespaces) {
        (Some(path), _) => format!("yes, {}", path.display()),
        (None, Some(why)) => format!("no; {}", harmless(why)),
        (None, None) => "no".to_owned(),
    }
}
