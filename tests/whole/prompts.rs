//! Prompts that entrants hand in: looked at without a call, played by the event's model over a real server, and looked at by `verify`.

use crate::services::llama;
use crate::submissions::archive;
use crate::support::{Place, Ran};

fn event(address: &str) -> String {
    format!(
        "preset = \"none\"\nevent.name = \"season\"\nswiss.rounds = 1\nmini_match.games = 1\n\
         [game]\ntime_control = \"30s/move\"\nmax_moves = 2\n\
         [run]\nmax_faults = \"100%\"\n\
         [endpoint.local]\nurl = \"{address}/v1\"\n\
         [model]\ntemperature = 0.0\nmax_tokens = 100\nresponse_format = \"legal-moves\"\n\
         [submissions]\ncontract = \"prompt\"\nmodel = \"local:random\"\nper_day = \"none\"\n\
         [[player]]\nname = \"A\"\n[[player]]\nname = \"B\"\n"
    )
}

fn submit(place: &Place, file: &str, player: &str) -> Ran {
    place.swissmatch(&["submit", file, "--as", player, "--event", "season.toml"])
}

#[test]
fn a_prompt_is_filled_in_before_it_is_accepted_and_no_service_is_asked() {
    let place = Place::new();
    // Nothing listens there.
    place.write("season.toml", &event("http://127.0.0.1:9"));
    let refused = |file: &str, expected: &str| {
        let ran = submit(&place, file, "A");
        let said = ran.expect_code(1).stdout();
        assert!(said.contains(expected), "{expected}: {said}");
        assert!(!said.contains(&place.path("").display().to_string()), "{said}");
    };
    for (text, expected) in [
        ("{{ FEN", "prompt.jinja: syntax error"),
        ("{% include \"other.jinja\" %}", "it includes `other.jinja`"),
        ("{% include \"../season.toml\" %}", "it includes `../season.toml`"),
        (
            "{% for a in range(9999) %}{% for b in range(9999) %}x{% endfor %}{% endfor %}",
            "with the start position: ",
        ),
        ("{{ FEN.nosuch.more }}", "with the start position: "),
        (
            "{% if last_move == \"White played e4\" %}{{ FEN.no.more }}{% endif %}x",
            "with a position with Black to move: ",
        ),
        ("{{ move_history_uci_list[3:][0] if 0 else \"\" }}", "it gives no text"),
    ] {
        place.write("move.jinja", text);
        refused("move.jinja", expected);
    }
    std::fs::write(place.path("move.jinja"), b"\xff\xfe{{ FEN }}").expect("it is written");
    refused("move.jinja", "prompt.jinja: it is not UTF-8");
    std::fs::write(place.path("move.jinja"), vec![b'x'; (1 << 16) + 1]).expect("it is written");
    refused(
        "move.jinja",
        "prompt.jinja has 65537 bytes, and a file of a prompt has at most 65536",
    );
    archive(&place, "it.zip", &[("move.jinja", b"{{ FEN }}")]);
    refused("it.zip", "it has no prompt.jinja");
    archive(
        &place,
        "it.zip",
        &[
            ("prompt.jinja", b"{% include 'parts/a.jinja' %}"),
            ("parts/a.jinja", b"{{ FEN }}"),
        ],
    );
    let accepted = submit(&place, "it.zip", "A");
    let said = accepted.expect_code(0).stdout();
    assert!(said.contains("A prompt for a game of 300 plies: "), "{said}");
}

/// What grows in a loop.
fn grown(first: &str, step: &str, times: u32, end: &str) -> String {
    format!(
        "{{% set n = namespace(x={first}) %}}{{% for i in range({times}) %}}{{% set n.x = {step} %}}{{% endfor %}}{end}"
    )
}

/// Each of them overflows the stack of the process that reads it or fills it in.
#[test]
fn a_template_that_ends_its_process_is_refused_and_swissmatch_goes_on() {
    let place = Place::new();
    place.write("season.toml", &event("http://127.0.0.1:9"));
    let itself = |end: &str| format!("{{% set n = namespace() %}}{{% set n.a = n %}}{end}");
    let row = |begins: &str, repeated: &str| format!("{{{{ {begins}{} }}}}", repeated.repeat(5000));
    let (breaks_off, too_long) = ("filling it in breaks off: ", "more than 200 parts");
    for (text, expected) in [
        (itself("{{ n }}"), breaks_off),
        (itself("{{ n|tojson }}"), breaks_off),
        (
            "{% set a = namespace() %}{% set b = namespace(x=a) %}{% set a.x = b %}{{ a == b }}{{ [a, b]|sort }}"
                .to_owned(),
            breaks_off,
        ),
        (grown("[]", "[n.x]", 25_000, "ok"), breaks_off),
        (grown("[]", "[n.x]", 20_000, "{{ n.x }}"), breaks_off),
        (grown("{}", "{'a': n.x}", 15_000, "{{ n.x|tojson|length }}"), breaks_off),
        (
            grown("[1, 2]", "n.x|batch(1)", 9000, "{{ n.x|string|length }}"),
            breaks_off,
        ),
        (row("FEN", "|upper"), too_long),
        (row("FEN", ".a"), too_long),
        (row("1", "~1"), too_long),
        (row("1", "+1"), too_long),
        (row("1", "**1"), too_long),
        (format!("{{{{ {}1 }}}}", "-".repeat(20_000)), too_long),
        (format!("{{{{ {}1 }}}}", "not ".repeat(9000)), too_long),
        (format!("{{{{ {}1 }}}}", "1 if 1 else ".repeat(5000)), too_long),
        (
            format!("{{% if 0 %}}{}{{% endif %}}", "{% elif 0 %}".repeat(5000)),
            "more than 50 blocks",
        ),
    ] {
        place.write("move.jinja", &text);
        let tried = place.swissmatch(&["try", "move.jinja", "--event", "season.toml"]);
        let said = tried.expect_code(1).stdout();
        let begin: String = text.chars().take(80).collect();
        assert!(said.contains("Refused: ") && said.contains(expected), "{begin}: {said}");
    }
}

/// It is filled in beside its game, so it is the player's.
#[test]
fn a_template_that_ends_its_process_in_a_game_loses_it() {
    let place = Place::new();
    let (_server, address) = llama(&place, 0);
    place.write("season.toml", &event(&address));
    place.write("a.jinja", "{{ FEN }}");
    let bomb = "{{ FEN }}{% if 1 < move_history_uci_list|length and move_history_uci_list|length < 300 %}{% set n = namespace() %}{% set n.a = n %}{{ n }}{% endif %}";
    place.write("b.jinja", bomb);
    submit(&place, "a.jinja", "A").expect_code(0);
    let said = submit(&place, "b.jinja", "B").expect_code(0).stdout();
    assert!(said.contains("The prompt for the start position:\n"), "{said}");
    place
        .swissmatch(&["run", "season.toml", "--set", "game.max_moves=4"])
        .expect_code(0);
    let games = place.export_json("results/season", "games-json");
    let game = &games["games"][0];
    let winner = if game["white"] == "A" { "1-0" } else { "0-1" };
    assert_eq!(game["result"], winner, "{game}");
}

#[test]
fn an_author_is_told_what_a_model_is_shown_and_what_nothing_has() {
    let place = Place::new();
    place.write("season.toml", &event("http://127.0.0.1:9"));
    place.write("move.jinja", "You play {{ colour }}.\nPosition: {{ fen }}");
    let tried = place.swissmatch(&["try", "move.jinja", "--event", "season.toml"]);
    let said = tried.expect_code(0).stdout();
    for told in [
        "Warning: there is no variable `colour`\n",
        "Warning: there is no variable `fen`; did you mean `FEN`?\n",
        "Warning: the prompt is the same for each position, so it shows nothing of the game.\n",
        "The prompt for the start position:\n  You play .\n",
    ] {
        assert!(said.contains(told), "{told}: {said}");
    }
    place.write("move.jinja", "{{ FEN }}");
    let tried = place.swissmatch(&["try", "move.jinja", "--event", "season.toml"]);
    let said = tried.expect_code(0).stdout();
    assert!(!said.contains("Warning"), "{said}");
    assert!(
        said.contains("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        "{said}"
    );
}

#[test]
fn prompts_play_by_the_events_model_and_verify_knows_which() {
    let place = Place::new();
    let (_server, address) = llama(&place, 0);
    place.write("season.toml", &event(&address));
    let measured = place.swissmatch(&["plan", "season.toml", "--events", "10", "--measure"]);
    let said = measured.expect_code(4).stderr();
    assert!(
        said.contains("there are no two players to play them: 2 players wait for a submission"),
        "{said}"
    );
    let rules = place
        .swissmatch(&["config", "season.toml", "--rules"])
        .expect_code(0)
        .stdout();
    assert!(
        rules.contains("By each prompt that is handed in the model \"random\" at the service local plays."),
        "{rules}"
    );
    place.write("a.jinja", "A: {{ FEN }}");
    archive(
        &place,
        "b.zip",
        &[
            ("prompt.jinja", b"B: {% include '.git/fen.jinja' %}"),
            (".git/fen.jinja", b"{{ FEN }}"),
        ],
    );
    submit(&place, "a.jinja", "A").expect_code(0);
    submit(&place, "b.zip", "B").expect_code(0);
    let again = submit(&place, "a.jinja", "A");
    assert!(again.expect_code(0).stdout().contains("which plays already"));
    let kept = place.path("results/season/submissions/versions/1/prompt.jinja");
    assert_eq!(std::fs::read_to_string(&kept).expect("it is kept"), "A: {{ FEN }}");

    // Another prompt in its place does not play.
    let swap = |text: &str| {
        std::fs::remove_file(&kept).expect("it is removed");
        std::fs::write(&kept, text).expect("it is written");
    };
    swap("A plays e4");
    let swapped = place.swissmatch(&["run", "season.toml"]);
    let said = swapped.expect_code(4).stderr();
    assert!(said.contains("A plays submission 1, but "), "{said}");
    swap("A: {{ FEN }}");

    place.swissmatch(&["run", "season.toml"]).expect_code(0);
    place.swissmatch(&["run", "season.toml"]).expect_code(0);
    let verified = place.swissmatch(&["verify", "results/season"]);
    let said = verified.expect_code(0).stdout();
    assert!(said.contains("submissions      2 players"), "{said}");
    let rules = place.read("results/season/rules.md");
    assert!(
        rules.contains("A is the model \"random\" at the service local; its prompt is prompt.jinja (SHA-256 "),
        "{rules}"
    );
    let read = place.swissmatch(&["plan", "season.toml", "--events", "10", "--from", "results/season"]);
    let said = read.expect_code(0).stdout();
    assert!(!said.contains("60 moves of each side"), "{said}");
    assert!(
        said.contains("What models are likely to use") && said.contains("A           1         1"),
        "{said}"
    );
    let sent = place.export_json("results/season", "games-json");
    assert!(sent["games"].as_array().is_some_and(|games| games.len() == 1), "{sent}");

    // What was handed in is not what played.
    let archives = place.path("results/season/submissions/archives");
    let log = place.read("results/season/submissions/log.jsonl");
    assert_eq!(std::fs::read_dir(archives).expect("archives").count(), 2, "{log}");
    let sha256 = log.split_once("\"archive\":\"").expect("a hash").1[..64].to_owned();
    let archive = place.path(&format!("results/season/submissions/archives/{sha256}.zip"));
    std::fs::remove_file(&archive).expect("it is removed");
    std::fs::write(&archive, "A plays e4").expect("it is written");
    let wrong = place.swissmatch(&["verify", "results/season"]);
    let said = wrong.expect_code(1).stdout();
    assert!(said.contains("the archive of submission 1: its SHA-256 is"), "{said}");
}
