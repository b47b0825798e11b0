//! Values that a program is given: arguments, UCI options, variables.

use std::collections::BTreeMap;
use std::net::Ipv6Addr;

use serde_json::json;

use super::{ValueKind, line, list, or, path};
use crate::value::{array, quoted, write_table};
use swissmatch_tournament::setup::{Exec, is_variable};

/// Characters of a host and a port: the longest possible name, a colon and five digits.
const LONGEST_ADDRESS: usize = 259;

pub(crate) fn arguments() -> ValueKind<Vec<String>> {
    ValueKind::new(
        "a list of strings without NUL characters",
        json!({ "type": "array", "items": { "type": "string" } }),
        |value| value.arguments(),
        |args| array(args.iter().map(|arg| quoted(arg))),
    )
}

pub(crate) fn move_command() -> ValueKind<Vec<String>> {
    ValueKind::new(
        r#"a list of strings that begins with a program, such as ["./move.sh"]"#,
        json!({ "type": "array", "items": { "type": "string" }, "minItems": 1 }),
        |value| {
            let words = value.arguments()?;
            match words.first() {
                Some(program) if !program.is_empty() && !program.contains(char::is_control) => Ok(words),
                _ => Err(value.unexpected()),
            }
        },
        |words| array(words.iter().map(|word| quoted(word))),
    )
}

pub(crate) fn uci_options(such_as: &str) -> ValueKind<BTreeMap<String, String>> {
    ValueKind::new(
        format!("a table of UCI options, such as {such_as}"),
        json!({ "type": "object", "additionalProperties": { "type": ["string", "integer", "boolean"] } }),
        |value| value.uci_options(),
        write_table,
    )
}

/// The programs that an agent may run.
pub(crate) fn exec() -> ValueKind<Option<Exec>> {
    let programs = list(
        r#"a list of programs, such as ["/usr/bin/python3"]"#,
        path("a program: a name to look up, or the path of a program or a directory"),
    );
    or("own", or("any", programs)).map(
        |exec| match exec {
            None => Some(Exec::Own(Vec::new())),
            Some(None) => Some(Exec::Any),
            Some(Some(programs)) => Some(Exec::Own(programs)),
        },
        |exec| match exec.as_ref()? {
            Exec::Own(programs) if programs.is_empty() => Some(None),
            Exec::Any => Some(Some(None)),
            Exec::Own(programs) => Some(Some(Some(programs.clone()))),
        },
    )
}

/// An address of the network, with its port.
pub(crate) fn address() -> ValueKind<String> {
    let pattern = r"^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):[0-9]{1,5}$";
    ValueKind::new(
        "a host and a port, such as \"api.example.org:443\" or \"[::1]:8080\"",
        json!({ "type": "string", "maxLength": LONGEST_ADDRESS, "pattern": pattern }),
        |value| {
            let address = value.line(1..=LONGEST_ADDRESS)?;
            is_address(&address)
                .then_some(address)
                .ok_or_else(|| value.unexpected())
        },
        |address| quoted(address),
    )
}

fn is_address(text: &str) -> bool {
    let Some((host, port)) = text.rsplit_once(':') else {
        return false;
    };
    let of_a_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let is_host = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(host) => host.parse::<Ipv6Addr>().is_ok(),
        None => !host.is_empty() && host.chars().all(of_a_name),
    };
    let is_number = port.bytes().all(|byte| byte.is_ascii_digit());
    is_host && is_number && port.parse::<u16>().is_ok_and(|port| port > 0)
}

/// The name of a variable of the runner's environment.
pub(crate) fn variable(such_as: &str) -> ValueKind<String> {
    let expected = format!("the name of an environment variable, such as {}", quoted(such_as));
    line(&expected, 1..=100).unless(|name| {
        (!is_variable(name)).then(|| "the name of an environment variable has letters, digits and _".to_owned())
    })
}

/// Variables for the environment of a program.
pub(crate) fn environment() -> ValueKind<BTreeMap<String, String>> {
    ValueKind::new(
        r#"a table of strings, such as { OMP_NUM_THREADS = "1", API_KEY = "$API_KEY" }"#,
        json!({
            "type": "object",
            "propertyNames": { "pattern": "^[A-Za-z_][A-Za-z0-9_]*$" },
            "additionalProperties": { "type": "string" },
        }),
        |value| value.environment(),
        write_table,
    )
}
