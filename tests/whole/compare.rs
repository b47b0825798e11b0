//! Two runs of the same agents, compared.

use swissmatch::game::termination::Outcome;

use crate::support::Place;

fn event(settings: &str, players: &[&str]) -> String {
    let mut text = format!(
        "preset = \"none\"\nswiss.rounds = 2\nmini_match.openings = \"none\"\nmini_match.games = 1\n{settings}\n"
    );
    for name in players {
        text += &format!("[[player]]\nname = \"{name}\"\ncommand = \"{name}\"\n");
    }
    text
}

#[test]
fn two_runs_are_compared_by_keys_standings_pairs_and_games() {
    let place = Place::new();
    let monday = event("[event]\nname = \"Monday\"", &["A", "B", "C", "D"]);
    let tuesday = event(
        "[event]\nname = \"Tuesday\"\n[game]\nmax_moves = 50",
        &["A", "B", "C", "E"],
    );
    place.play_by_script(&monday, "one", |_| Outcome::WhiteWins);
    place.play_by_script(&monday, "same", |_| Outcome::WhiteWins);
    place.play_by_script(&tuesday, "other", |_| Outcome::Draw);

    let same = place.swissmatch(&["compare", "one", "same"]);
    same.expect_code(0);
    for sentence in ["No key differs.", "No game has a different result in the other run."] {
        assert!(same.stdout().contains(sentence), "{}", same.stdout());
    }

    let compared = place.swissmatch(&["compare", "one", "other"]);
    compared.expect_code(0);
    let compared = compared.stdout();
    for line in [
        "Run 1: Monday, 2 of 2 rounds over, 4 games.",
        "Run 2: Tuesday, 2 of 2 rounds over, 4 games.",
        "Only in run 1: D.",
        "Only in run 2: E.",
        "A run knows no files of these agents, so they may differ: A, B, C.",
        "game.max_moves",
        "Games whose result differs",
    ] {
        assert!(compared.contains(line), "{line}: {compared}");
    }
    let json = place.swissmatch(&["compare", "one", "other", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json.stdout()).expect("JSON");
    assert_eq!(json["players"].as_array().expect("a list").len(), 3);
    let games = &json["games"];
    assert_eq!(games["same_result"], 0);
    assert_eq!(
        games["in_both"].as_u64(),
        games["differing"].as_array().map(|games| games.len() as u64)
    );
    place.swissmatch(&["compare", "one", "nowhere"]).expect_code(4);
}
