//! The variables of prompts, beside those that the kit of the Global Chess Challenge makes.
//!
//! Its templates have no licence; where they lie in `prompts/templates`, prompts are compared, too.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use swissmatch::adapter::position::UciPosition;
use swissmatch::adapter::prompt::Prompt;
use swissmatch::adapter::prompt::variables::{Variable, of_position};
use swissmatch::game::variant::Variant;
use swissmatch::shell::store::sha256;

use super::folder;

fn lines(name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder("prompts").join(name)).expect("the file is there");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().expect("a text")
}

fn variables(position: &str) -> BTreeMap<&'static str, Variable> {
    of_position(&UciPosition::read(position, Variant::Standard).expect("a legal line"))
}

fn hash(variable: &Variable) -> String {
    sha256(serde_json::to_string(variable).expect("plain data").as_bytes())
}

fn templates() -> Vec<(&'static str, Prompt)> {
    let directory = folder("prompts").join("templates");
    let read = |directory: &Path, name: &str| std::fs::read_to_string(directory.join(name)).ok();
    let prompt = |name| {
        let directory = directory.clone();
        let file = format!("{name}_agent_prompt_template.jinja");
        Some((name, Prompt::new(&file, move |name| read(&directory, name)).ok()?))
    };
    ["llm", "random", "sft"].into_iter().filter_map(prompt).collect()
}

#[test]
#[ignore = "files of others: make oracles"]
fn variables_are_those_of_the_kit() {
    let templates = templates();
    let all = lines("from-start.jsonl");
    for line in &all {
        let moves = text(line, "moves");
        let variables = variables(&format!("startpos moves {moves}"));
        let hashes = line["variables"].as_object().expect("hashes");
        for (name, wanted) in hashes {
            assert_eq!(*wanted, hash(&variables[name.as_str()]), "{name} after {moves}");
        }
        assert_eq!(hashes.len(), variables.len());
        for (name, prompt) in &templates {
            let rendered = prompt.render(&variables).expect("a prompt");
            assert_eq!(
                line["prompts"][name],
                sha256(rendered.as_bytes()),
                "{name} after {moves}"
            );
        }
    }
    println!("{} positions, {} templates", all.len(), templates.len());
}

#[test]
#[ignore = "files of others: make oracles"]
fn variables_are_right_where_the_kit_itself_is_wrong() {
    let all = lines("from-fen.jsonl");
    for line in &all {
        let position = format!("fen {} moves {}", text(line, "start"), text(line, "moves"));
        let variables = variables(&position);
        for name in ["FEN", "last_move", "move_history_san"] {
            assert_eq!(
                variables[name],
                Variable::Text(text(line, name).to_owned()),
                "{name} after {position}"
            );
        }
        for name in ["legal_moves_uci", "legal_moves_san"] {
            let Variable::Text(moves) = &variables[name] else {
                panic!("{name} is text")
            };
            let wanted = text(line, name);
            assert!(
                [sha256(moves.as_bytes()), hash(&variables[name])].contains(&wanted.to_owned()),
                "{name}: {position}"
            );
        }
    }
    println!("{} positions", all.len());
}
