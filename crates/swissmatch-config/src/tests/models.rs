//! Models, their endpoints, and limits on spending: values, and refusals.

use std::path::Path;
use std::time::Duration;

use insta::assert_snapshot;
use serde_json::json;
use swissmatch_tournament::setup::{Again, AtLimit, Micros, Notation, Price, ResponseFormat, Setup, Take, Thousandths};

use super::{PLAYERS, check, check_whole, load_text, loaded};
use crate::{
    Class, Flag, LoadedEvent, RosterFormat, difference, effective, key_values, load, player_tables, read_roster,
};

/// An event with every key of models.
const EVENT: &str = r#"preset = "none"
[model]
prompt = "prompts/all.jinja"
system = "Be brief.\nAnd legal."
temperature = 0.7
stop_texts = ["\n\n"]
response_format = { type = "json_object", schema = { "a b" = [1, 2.5, true] } }
max_tokens = 500
[endpoint.local]
url = "http://127.0.0.1:8000/v1"
key_env = "LOCAL_KEY"
at_once = 16
requests_a_minute = 600
price = { input = 0.15, output = 0.60, cached = 0.02 }
extra = { top_k = 20 }
[endpoint.far-1]
url = "https://api.example.org/v1"
key_file = "far.key"
owner = "Qwen"
price = { input = 3, output = "15.5" }
patience = "0s"
[spending]
event = 50.0
player = 5.000001
[[player]]
name = "Qwen"
model = "local:org/qwen3:8b"
take = "last"
max_tokens = 500
stop_texts = []
[[player]]
name = "Far"
model = "far-1:far"
prompt = "prompts/own.jinja"
response_format = "legal-moves"
[[player]]
name = "Web"
move_url = "https://agent.example.org/move?level=3"
"#;

fn whole(text: &str) -> LoadedEvent {
    load_text(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Keys of a player that runs at `local`.
fn model(keys: &str) -> String {
    let endpoint = "[endpoint.local]\nurl = \"http://a/v1\"\n";
    format!("{endpoint}[[player]]\nname = \"M\"\nmodel = \"local:m\"\nprompt = \"p\"\n{keys}\n")
}

#[test]
fn models_are_read_as_they_are_written() {
    let LoadedEvent { setup, warnings, .. } = whole(EVENT);
    assert_eq!(warnings, [""; 0]);
    let names: Vec<&str> = setup.endpoints.iter().map(|endpoint| endpoint.name.as_str()).collect();
    assert_eq!(names, ["far-1", "local"]);
    let [far, local] = &setup.endpoints[..] else {
        panic!("two")
    };
    assert_eq!((far.patience, far.at_once, far.stream), (Duration::ZERO, 8, true));
    let price = |input, output, cached| Price {
        input: Micros(input),
        output: Micros(output),
        cached: Micros(cached),
    };
    assert_eq!(far.price, Some(price(3_000_000, 15_500_000, 3_000_000)));
    assert_eq!(local.price, Some(price(150_000, 600_000, 20_000)));
    assert_eq!(json!(local.extra), json!({ "top_k": 20 }));
    let spending = setup.spending;
    assert_eq!(
        (spending.event, spending.player, spending.at_limit),
        (Some(Micros(50_000_000)), Some(Micros(5_000_001)), AtLimit::Pause)
    );
    let [qwen, far, _] = [0, 1, 2].map(|player| setup.model(&setup.players[player]));
    assert_eq!(qwen.prompt.as_deref(), Some("prompts/all.jinja"));
    assert_eq!(qwen.system.as_deref(), Some("Be brief.\nAnd legal."));
    assert_eq!((qwen.take, far.take), (Take::Last, Take::First));
    assert_eq!((qwen.stop_texts.len(), far.stop_texts), (0, vec!["\n\n".to_owned()]));
    assert_eq!(qwen.temperature, Some(Thousandths(700)));
    let table = json!({ "type": "json_object", "schema": { "a b": [1, 2.5, true] } });
    assert_eq!(
        (qwen.response_format, far.response_format),
        (
            ResponseFormat::Table(table.as_object().expect("a table").clone()),
            ResponseFormat::LegalMoves
        )
    );
}

#[test]
fn an_event_with_models_prints_as_it_reads() {
    let loaded = whole(EVENT);
    let printed = effective(&loaded);
    assert_eq!(whole(&printed).setup, loaded.setup, "{printed}");
    let (_, endpoints) = printed.split_once("\n[endpoint.far-1]\n").expect("it is there");
    let (endpoints, _) = endpoints.split_once("[[player]]").expect("players are last");
    assert_snapshot!(endpoints, @r#"
    url = "https://api.example.org/v1"    # event.toml:17
    key_file = "far.key"                  # event.toml:18
    dialect = "openai"                    # default
    owner = "Qwen"                        # event.toml:19
    at_once = 8                           # default
    patience = "0s"                       # event.toml:21
    price = { input = 3, output = 15.5 }  # event.toml:20
    extra = {}                            # default
    stream = true                         # default
    trust_off = false                     # default

    [endpoint.local]
    url = "http://127.0.0.1:8000/v1"                       # event.toml:10
    key_env = "LOCAL_KEY"                                  # event.toml:11
    dialect = "openai"                                     # default
    owner = "event"                                        # default
    at_once = 16                                           # event.toml:12
    requests_a_minute = 600                                # event.toml:13
    patience = "600s"                                      # default
    price = { input = 0.15, output = 0.6, cached = 0.02 }  # event.toml:14
    extra = { top_k = 20 }                                 # event.toml:15
    stream = true                                          # default
    trust_off = false                                      # default
    "#);
    // As logs have it, too.
    let stored = serde_json::to_string(&loaded.setup).expect("JSON");
    assert_eq!(serde_json::from_str::<Setup>(&stored).expect("a setup"), loaded.setup);
}

/// A key of `[model]` with the usual value counts as absent; a player's key overrides the event's all the same.
#[test]
fn keys_of_a_player_go_over_those_of_the_event() {
    let of = |event: &str, player: &str| {
        let setup = loaded(&format!("[model]\n{event}\n{}", model(player))).setup;
        setup.model(&setup.players[0])
    };
    let usual = of("max_tokens = 500\nresign = true", "");
    assert_eq!((usual.max_tokens, usual.resign), (500, true));
    let own = of(
        "max_tokens = 9\nnotation = \"san\"",
        "max_tokens = 500\nnotation = \"uci\"",
    );
    assert_eq!((own.max_tokens, own.notation), (500, Notation::Uci));
    let of_event = of("max_tokens = 9\nagain_prompt = \"told\"", "");
    assert_eq!((of_event.max_tokens, of_event.again_prompt), (9, Again::Told));
    let said = loaded("[model]\ntag = \"uci_move\"").setup;
    assert!(said.model.is_empty());
}

#[test]
fn differences_name_endpoints_and_their_class() {
    let old = whole(EVENT).setup;
    let changed = EVENT
        .replace(
            "[endpoint.far-1]\nurl = \"https://api.example.org/v1\"",
            "[endpoint.far-1]\nurl = \"https://b/v1\"",
        )
        .replace("at_once = 16", "at_once = 32\nkey_file = \"k\"")
        .replace("key_env = \"LOCAL_KEY\"\n", "")
        .replace("event = 50.0", "event = 80")
        .replace("temperature = 0.7", "")
        .replace("[spending]", "[endpoint.new]\nurl = \"http://c\"\n[spending]");
    let new = whole(&changed).setup;
    let lines = |old: &Setup, new: &Setup| {
        let changes = difference(old, new).into_iter().map(|change| {
            let side = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
            let (class, key) = (change.class, change.key);
            assert!(class == Class::Results || class == Class::Output, "{key}");
            format!("{class:?} {key}: {} → {}\n", side(change.old), side(change.new))
        });
        changes.collect::<String>()
    };
    assert_snapshot!(lines(&old, &new), @r#"
    Output spending.event: 50 → 80
    Output endpoint.far-1.url: "https://api.example.org/v1" → "https://b/v1"
    Output endpoint.local.key_file: - → "k"
    Output endpoint.local.at_once: 16 → 32
    Output endpoint.new.url: - → "http://c"
    Results endpoint.new.dialect: - → "openai"
    Results endpoint.new.owner: - → "event"
    Output endpoint.new.at_once: - → 8
    Output endpoint.new.patience: - → "600s"
    Results endpoint.new.extra: - → {}
    Results endpoint.new.stream: - → true
    Output endpoint.new.trust_off: - → false
    Output endpoint.local.key_env: "LOCAL_KEY" → -
    Results model.temperature: 0.7 → -
    "#);
    let removed = lines(&new, &old);
    assert!(
        removed.contains("Output endpoint.new.url: \"http://c\" → -\n"),
        "{removed}"
    );
    let keys: Vec<String> = key_values(&old).into_iter().map(|(key, _)| key).collect();
    assert!(keys.contains(&"endpoint.local.price".to_owned()) && keys.contains(&"player.Qwen.take".to_owned()));
}

#[test]
fn flags_set_keys_of_an_endpoint() {
    let with = |key: &str, value: &str| load(Path::new("event.toml"), EVENT, &[Flag::set(key, value)]);
    let loaded = with("endpoint.local.at_once", "4").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(loaded.setup.endpoint("local").expect("it is there").at_once, 4);
    assert!(effective(&loaded).contains("at_once = 4 "), "{}", effective(&loaded));
    let priced = with("endpoint.local.price", "{ input = 1, output = 2 }").unwrap_or_else(|error| panic!("{error}"));
    let price = priced.setup.endpoint("local").and_then(|endpoint| endpoint.price);
    assert_eq!(price.map(|price| price.cached), Some(Micros(1_000_000)));
    let refused = |key: &str, value: &str| with(key, value).expect_err("it is wrong").to_string();
    assert_eq!(
        refused("endpoint.locl.at_once", "4"),
        "--set: endpoint.locl.at_once: no endpoint is named \"locl\"; did you mean local?"
    );
    assert_eq!(
        refused("endpoint.local.at_one", "4"),
        "--set: endpoint.local.at_one: unknown key; did you mean endpoint.local.at_once?"
    );
    assert_eq!(
        refused("endpoint.local.at_once", "none"),
        "--set: endpoint.local.at_once: expected a number of calls from 1 to 100000, found \"none\""
    );
}

#[test]
fn endpoints_that_cannot_be() {
    for (text, expected) in [
        (
            "[endpoint]\nurl = \"http://a/v1\"",
            "2:7: endpoint.url: expected a table with the endpoint's name, as in [endpoint.local], found \"http://a/v1\"",
        ),
        (
            "[[endpoint]]\nurl = \"http://a/v1\"",
            "1:1: endpoint: expected tables [endpoint.NAME], one for each service, found a list",
        ),
        (
            "[endpoint.\"a b\"]\nurl = \"http://a/v1\"",
            "1:11: endpoint.\"a b\": the name of an endpoint has up to 100 letters, digits, - and _; write one such as \
             [endpoint.local]",
        ),
        (
            "[endpoint.a]\nat_once = 4",
            "1:11: endpoint.a.url: missing; write its address, such as url = \"http://127.0.0.1:8000/v1\"",
        ),
        (
            "[endpoint.a]\nulr = \"http://a/v1\"",
            "2:1: endpoint.a.ulr: unknown key; did you mean endpoint.a.url?",
        ),
        (
            "[endpoint.a]\nwhatever = 1",
            "2:1: endpoint.a.whatever: unknown key; the keys of an endpoint are url, key_env, key_file, dialect, owner, at_once, \
             requests_a_minute, tokens_a_minute, patience, price, extra, stream, trust_off",
        ),
        (
            "[endpoints.a]\nurl = \"http://a/v1\"",
            "1:12: endpoints.a: unknown key; did you mean endpoint?",
        ),
    ] {
        check(text, expected);
    }
    for (key, expected) in [
        (
            "url = \"a/v1\"",
            "2:7: endpoint.a.url: expected the address of a service, http:// or https://, such as \"http://127.0.0.1:8000/v1\", \
             found \"a/v1\"",
        ),
        (
            "url = \"http://me:secret@a/v1\"",
            "2:7: endpoint.a.url: an address has no user and no password; name the variable or the file that holds the key: \
             key_env or key_file",
        ),
        (
            "url = \"http://a/v1?key=secret\"",
            "2:7: endpoint.a.url: a service's address has no query; what each call needs besides stands in extra",
        ),
        (
            "url = \"http://a/v1\"\nkey_env = \"A KEY\"",
            "3:11: endpoint.a.key_env: the name of an environment variable has letters, digits and _",
        ),
        (
            "url = \"http://a/v1\"\nkey_env = \"KEY\"\nkey_file = \"k\"",
            "4:1: endpoint.a.key_file: the key is in a variable or in a file, not in both; leave out key_env or key_file",
        ),
        (
            "url = \"http://a/v1\"\nowner = \"b\"",
            "3:1: endpoint.a.owner: no player is named \"b\"; did you mean \"B\"?",
        ),
        (
            "url = \"http://a/v1\"\nowner = \"the organizer\"",
            "3:1: endpoint.a.owner: no player is named \"the organizer\"; write \"event\", or the name of the player whose service \
             it is",
        ),
        (
            "url = \"http://a/v1\"\nprice = 3",
            "3:9: endpoint.a.price: expected a table, such as { input = 0.15, output = 0.60, cached = 0.02 }, found 3",
        ),
        (
            "url = \"http://a/v1\"\nprice = { input = 3 }",
            "3:9: endpoint.a.price: output of a price: expected an amount from 0 with at most six decimals, such as 0.15",
        ),
        (
            "url = \"http://a/v1\"\nprice = { input = 3, output = 0.1234567 }",
            "3:31: endpoint.a.price: output of a price: expected an amount from 0 with at most six decimals, such as 0.15, found \
             0.1234567",
        ),
        (
            "url = \"http://a/v1\"\nextra = { n = 2 }",
            "3:9: endpoint.a.extra: `n` is swissmatch's to say: leave it out",
        ),
        (
            "url = \"http://a/v1\"\nextra = { day = 2026-01-30 }",
            "3:17: endpoint.a.extra: JSON has no date: write \"2026-01-30\"",
        ),
        (
            "url = \"http://a/v1\"\nextra = { top = { p = nan } }",
            "3:23: endpoint.a.extra: JSON has no number nan",
        ),
        (
            "url = \"http://a/v1\"\nat_once = 0",
            "3:11: endpoint.a.at_once: expected a number of calls from 1 to 100000, found 0",
        ),
    ] {
        check(&format!("[endpoint.a]\n{key}"), expected);
    }
}

#[test]
fn ways_to_ask_and_limits_that_cannot_be() {
    for (text, expected) in [
        (
            "[model]\ntag = \"uci move\"",
            "2:7: model.tag: expected the name of a tag, such as \"uci_move\", or a text that ends in a colon, such as \"Final \
             Answer:\", found \"uci move\"",
        ),
        (
            "[model]\nresponse_format = \"json\"",
            "2:19: model.response_format: expected \"none\", \"legal-moves\" or a table, such as { type = \"json_object\" }, found \
             \"json\"",
        ),
        (
            "[model]\ntemperature = 0.7654",
            "2:15: model.temperature: expected a number from 0 to 100 with at most three decimals, such as 0.7, found 0.7654",
        ),
        (
            "[model]\nseed = 1",
            "2:1: model.seed: unknown key; did you mean model.sampling_seed?",
        ),
        (
            "[model]\nsystem = \"a\\u001bb\"",
            "2:10: model.system: expected a text of 1 to 100000 characters, found \"a\\u001Bb\"",
        ),
        (
            "[spending]\nevent = 0",
            "2:9: spending.event: expected an amount above 0 with at most six decimals, such as 50.0, found 0",
        ),
        (
            "[spending]\nat_limit = \"stop\"",
            "2:12: spending.at_limit: expected \"pause\" or \"forfeit\", found \"stop\"",
        ),
    ] {
        check(text, expected);
    }
}

#[test]
fn a_player_is_one_thing() {
    let player = |keys: &str| format!("[[player]]\nname = \"A\"\n{keys}\n");
    for (keys, expected) in [
        (
            "model = \"a:b\"\nmove_url = \"http://a/\"",
            "4:1: player.move_url: a player has only one of command, model, move_command and move_url; leave all but one out: \
             command is a UCI engine, model a language model, move_command a program that is asked once a move, move_url a web \
             service that is",
        ),
        (
            "model = \"qwen\"",
            "3:9: player.model: expected an endpoint's name, a colon and the model's name there, such as \"local:qwen3-8b\", found \
             \"qwen\"",
        ),
        (
            "model = \"local:\"",
            "3:9: player.model: expected an endpoint's name, a colon and the model's name there, such as \"local:qwen3-8b\", found \
             \"local:\"",
        ),
        (
            "move_url = \"http://me@a/\"",
            "3:12: player.move_url: an address has no user and no password; leave it out: the address stands in the log, which is \
             published",
        ),
        (
            "command = \"a\"\nprompt = \"p\"",
            "4:1: player.prompt: only a language model has it; leave it out, or write model to name one",
        ),
        (
            "move_url = \"http://a/\"\ntake = \"last\"",
            "4:1: player.take: only a language model has it; leave it out, or write model to name one",
        ),
        (
            "model = \"a:b\"\nargs = [\"x\"]",
            "4:1: player.args: a model or a web service has no arguments; leave it out",
        ),
        (
            "move_url = \"http://a/\"\nponder = true",
            "4:1: player.ponder: a model or a web service does not ponder; leave it out",
        ),
    ] {
        check_whole(&player(keys), expected);
    }
    for (key, value) in [
        ("options", "{ Hash = 1 }"),
        ("keep_alive", "true"),
        ("says_ready", "true"),
        ("connect", "[\"a:1\"]"),
        ("nodes", "1"),
        ("depth", "1"),
        ("exec", "\"any\""),
        ("devices", "[\"gpu\"]"),
        ("write", "[\"log\"]"),
    ] {
        let refused = load_text(&player(&format!("model = \"a:b\"\n{key} = {value}"))).expect_err("no model has it");
        assert_eq!(refused.key, format!("player.{key}"), "{refused}");
        assert!(refused.message.contains("a model or a web service"), "{refused}");
    }
    // Players elsewhere never ponder, whatever the key for all says.
    let setup = loaded(&format!("game.ponder = true\n{}", model("ponder = false"))).setup;
    let ponders: Vec<bool> = setup.players.iter().map(|player| setup.ponders(player)).collect();
    assert_eq!(ponders, [false, true, true]);
}

#[test]
fn a_model_has_an_endpoint_and_a_prompt() {
    let endpoint = "[endpoint.local]\nurl = \"http://a/v1\"\n";
    let third = |model: &str| format!("[[player]]\nname = \"M\"\nmodel = \"{model}\"\nprompt = \"p\"\n");
    check(
        &third("local:m"),
        "3:1: player.model: no endpoint is named \"local\"; write [endpoint.local] with its url",
    );
    check(
        &format!("{endpoint}{}", third("locl:m")),
        "5:1: player.model: no endpoint is named \"locl\"; did you mean local?",
    );
    check(
        &format!("{endpoint}{}", third("other-one:m")),
        "5:1: player.model: no endpoint is named \"other-one\"; the endpoints are local; write [endpoint.other-one] for another",
    );
    check(
        &format!("{endpoint}{}", third("local:m").replace("prompt = \"p\"\n", "")),
        "3:1: player.prompt: missing; a language model needs the template of a prompt; write prompt = \"prompts/NAME.jinja\" for this \
         player, or under [model] for all",
    );
}

#[test]
fn nobody_has_the_key() {
    let event = |endpoint: &str, player: &str| {
        let endpoint = format!("[endpoint.local]\nurl = \"http://a/v1\"\n{endpoint}\n");
        format!("{endpoint}[[player]]\nname = \"C\"\ncommand = \"c\"\n{player}\n")
    };
    let key = "key_env = \"KEY\"";
    for env in ["env = { KEY = \"x\" }", "env = { OTHER = \"$KEY\" }"] {
        check(
            &event(key, env),
            "7:1: player.env: KEY holds the key of endpoint.local, which no agent may have; take it out of env",
        );
        loaded(&event("", env));
    }
    loaded(&event(key, "env = { OTHER = \"$$KEY\", KEYS = \"KEY\" }"));
    let why = "player.isolation: \"C\" is not isolated, and so could read the key of endpoint.local";
    let trust = "or trust_off = true under [endpoint.local] if you trust its author";
    let off = "isolation = \"off\"";
    for endpoint in [key, "key_file = \"k\""] {
        check(
            &event(endpoint, off),
            &format!("7:1: {why}; write isolation = \"guarded\" for it, {trust}"),
        );
    }
    loaded(&event("", off));
    loaded(&event(&format!("{key}\ntrust_off = true"), off));
    let text = format!("{}{PLAYERS}", event(key, ""));
    let flagged = load(Path::new("event.toml"), &text, &[Flag::isolation("off")]).expect_err("all could read it");
    assert_eq!(
        flagged.to_string(),
        format!("event.toml:4:1: {why}; give --isolation guarded, {trust}")
    );
}

#[test]
fn what_money_does_not_bound_is_said() {
    let idle = "endpoint.local: no player's model runs at it";
    assert_eq!(
        loaded("preset = \"none\"\nmini_match.openings = \"bundled\"\n[endpoint.local]\nurl = \"http://a/v1\"")
            .warnings,
        [idle]
    );
    let of = |spending: &str| {
        let text = format!(
            "preset = \"none\"\nmini_match.openings = \"bundled\"\n[spending]\n{spending}\n{}",
            model("")
        );
        loaded(&text).warnings
    };
    assert_eq!(of("tokens = 5"), [""; 0]);
    assert_eq!(
        of("event = 5\nplayer = 1"),
        [
            "endpoint.local: it has no price, so what calls cost there is unknown and spending.event and spending.player cannot bound \
             it; only spending.tokens and spending.requests can"
        ]
    );
}

#[test]
fn lists_of_entrants_have_models() {
    let csv = "name,model,prompt,take,temperature,stop_texts,response_format\n\
               A,local:m,p.jinja,last,0.7,\"a,b\",\"{ type = \"\"x\"\", n = [1, 2.5] }\"\nB,local:n,p.jinja,,,,legal-moves\n";
    let json = r#"[{"name": "A", "model": "local:m", "prompt": "p.jinja", "take": "last", "temperature": 0.7,
                    "stop_texts": ["a", "b"], "response_format": {"type": "x", "n": [1, 2.5]}},
                   {"name": "B", "model": "local:n", "prompt": "p.jinja", "response_format": "legal-moves"}]"#;
    let tables = |text: &str, format| {
        let read = read_roster("list", text, format, false).unwrap_or_else(|errors| panic!("{errors:#?}"));
        let players: Vec<_> = read.iter().map(|entrant| &entrant.player).collect();
        player_tables(&players)
    };
    let written = tables(csv, RosterFormat::Csv);
    assert_snapshot!(written, @r#"
    [[player]]
    name = "A"
    model = "local:m"
    prompt = "p.jinja"
    temperature = 0.7
    stop_texts = ["a", "b"]
    response_format = { n = [1, 2.5], type = "x" }
    take = "last"

    [[player]]
    name = "B"
    model = "local:n"
    prompt = "p.jinja"
    response_format = "legal-moves"
    "#);
    assert_eq!(tables(json, RosterFormat::Json), written);
    assert_eq!(tables(&written, RosterFormat::Toml), written);
    let wrong =
        read_roster("list", "name,move_url,args\nA,http://a/,x\n", RosterFormat::Csv, false).expect_err("no arguments");
    assert_eq!(
        wrong[0].to_string(),
        "list:2:13: player.args: entry 1 (\"A\"): a model or a web service has no arguments; leave it out"
    );
}

#[test]
fn models_are_asked_as_kaggle_does() {
    let setup = loaded(&format!("preset = \"kaggle-chess\"\n{}", model(""))).setup;
    let model = setup.model(&setup.players[0]);
    assert_eq!((model.tag.as_str(), model.take), ("Final Answer:", Take::Last));
    assert_eq!((model.notation, model.again_prompt), (Notation::San, Again::Told));
    assert_eq!(setup.game.attempts, 2);
    // The other changes are the challenge's.
    let changes = difference(&loaded("").setup, &loaded("preset = \"kaggle-chess\"").setup);
    let keys: Vec<&str> = changes.iter().map(|change| change.key.as_str()).collect();
    assert_eq!(
        keys,
        [
            "preset",
            "game.attempts",
            "model.tag",
            "model.take",
            "model.notation",
            "model.again_prompt"
        ]
    );
}
