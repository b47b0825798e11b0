//! A call in the form in which it is sent to a service.
//!
//! May not: let an adapter set a parameter.

use serde_json::{Map, Value, json};
use swiss_system::word::Word as _;

use super::endpoint::{Dialect, Endpoint};
use super::player::{ResponseFormat, Session};
use super::wire::Message;

pub(crate) fn body(
    endpoint: &Endpoint,
    session: &Session,
    messages: &[Message],
    legal: &[String],
) -> Map<String, Value> {
    let mut body = endpoint.extra.clone();
    let mut set = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            body.insert(key.to_owned(), value);
        }
    };
    set("model", Some(session.model.clone().into()));
    match endpoint.dialect {
        Dialect::OpenAi => set("messages", Some(json!(messages))),
        Dialect::OpenAiCompletions => {
            let texts: Vec<&str> = messages.iter().map(|message| message.content.as_str()).collect();
            set("prompt", Some(texts.join("\n").into()));
        }
    }
    set(session.token_key.word(), Some(session.max_tokens.into()));
    set("n", Some(1.into()));
    set("temperature", session.temperature.map(Value::from));
    set("top_p", session.top_p.map(Value::from));
    set("seed", session.sampling_seed.map(Value::from));
    set(
        "stop",
        (!session.stop_texts.is_empty()).then(|| json!(session.stop_texts)),
    );
    set("reasoning_effort", session.reasoning_effort.clone().map(Value::from));
    let format = match &session.response_format {
        ResponseFormat::None => None,
        ResponseFormat::LegalMoves => (!legal.is_empty()).then(|| legal_moves(&session.tag, legal)),
        ResponseFormat::Table(table) => Some(Value::Object(table.clone())),
    };
    set("response_format", format);
    if endpoint.stream {
        set("stream", Some(true.into()));
        set("stream_options", Some(json!({"include_usage": true})));
    }
    body
}

/// The schema of an object with one of these moves.
fn legal_moves(tag: &str, legal: &[String]) -> Value {
    json!({
        "type": "json_schema",
        "json_schema": {
            "name": "move",
            "strict": true,
            "schema": {
                "type": "object",
                "properties": { tag: { "type": "string", "enum": legal } },
                "required": [tag],
                "additionalProperties": false,
            },
        },
    })
}

#[cfg(test)]
mod tests {
    use super::super::player::TokenKey;
    use super::super::wire::Role;
    use super::*;

    fn messages() -> Vec<Message> {
        let said = |role, content: &str| Message {
            role,
            content: content.to_owned(),
        };
        vec![said(Role::System, "Be brief."), said(Role::User, "Move.")]
    }

    #[test]
    fn a_call_has_what_the_event_says_and_nothing_else() {
        let mut endpoint = Endpoint::new("a", "http://a/v1").expect("an address");
        endpoint.extra.insert("top_k".to_owned(), 5.into());
        let mut session = Session::new("Qwen", "qwen-3");
        assert_eq!(
            Value::Object(body(&endpoint, &session, &messages(), &["e2e4".to_owned()])),
            json!({
                "model": "qwen-3", "top_k": 5, "max_tokens": 500, "n": 1, "stream": true,
                "stream_options": {"include_usage": true},
                "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Move."}],
            })
        );
        endpoint.stream = false;
        endpoint.dialect = Dialect::OpenAiCompletions;
        endpoint.extra.clear();
        session = Session {
            token_key: TokenKey::MaxCompletionTokens,
            temperature: Some(0.5),
            top_p: Some(0.9),
            sampling_seed: Some(7),
            stop_texts: vec!["\n".to_owned()],
            reasoning_effort: Some("low".to_owned()),
            response_format: ResponseFormat::LegalMoves,
            ..session
        };
        let body = body(
            &endpoint,
            &session,
            &messages(),
            &["e2e4".to_owned(), "d2d4".to_owned()],
        );
        assert_eq!(
            body["response_format"]["json_schema"]["schema"]["properties"]["uci_move"]["enum"],
            json!(["e2e4", "d2d4"])
        );
        let mut rest = body;
        rest.remove("response_format");
        assert_eq!(
            Value::Object(rest),
            json!({
                "model": "qwen-3", "max_completion_tokens": 500, "n": 1, "temperature": 0.5, "top_p": 0.9, "seed": 7,
                "stop": ["\n"], "reasoning_effort": "low", "prompt": "Be brief.\nMove.",
            })
        );
    }
}
