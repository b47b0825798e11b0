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
    std::fs::write(place.path("move.jinja"), vec![b'x'; (1 << 20) + 1]).expect("it is written");
    refused("move.jinja", "it has 1048576 bytes or more");
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

#[test]
fn prompts_play_by_the_events_model_and_verify_knows_which() {
    let place = Place::new();
    let (_server, address) = llama(&place, 0);
    place.write("season.toml", &event(&address));
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
