//! Whole events under each kind of time control.

use serde_json::Value;

use crate::support::{Place, engine};

/// Two agents that play two games, with these keys of the game and of the second player.
fn event(players: [&str; 2], game: &str, second: &str) -> String {
    let [first, other] = players.map(engine);
    format!(
        "preset = \"none\"\n[event]\nname = \"times\"\n[swiss]\nrounds = 1\n[mini_match]\ngames = 2\nopenings = \"none\"\n\
         [game]\n{game}\nmax_plies = 40\nmargin = \"50ms\"\n[run]\nevidence = \"all\"\nconcurrency = 1\n\
         [[player]]\nname = \"First\"\ncommand = \"{first}\"\n[[player]]\nname = \"Second\"\ncommand = \"{other}\"\n{second}\n"
    )
}

/// An event that was played without a fault.
struct Played {
    place: Place,
    records: Vec<Value>,
}

impl Played {
    #[track_caller]
    fn new(text: &str) -> Self {
        let place = Place::new();
        place.write("event.toml", text);
        place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
        place.swissmatch(&["verify", "run"]).expect_code(0);
        // What is printed as effective loads again, and a second run has nothing to do.
        let config = place.swissmatch(&["config", "event.toml"]);
        config.expect_code(0);
        place.write("printed.toml", &config.stdout());
        place
            .swissmatch(&["run", "printed.toml", "--out", "run"])
            .expect_code(0);
        let standings = place.export_json("run", "json");
        let players = standings["players"].as_array().expect("a list of players");
        assert!(players.iter().all(|player| player["faults"] == 0), "{players:#?}");
        let records = place.swissmatch(&["export", "records", "run"]).stdout();
        let records: Vec<Value> = records
            .lines()
            .map(|line| serde_json::from_str(line).expect("a record"))
            .collect();
        assert_eq!(records.len(), 2);
        assert!(
            records
                .iter()
                .all(|record| record["time_us"].as_array().is_some_and(|plies| plies.len() > 4))
        );
        Self { place, records }
    }

    /// The tags of time controls in the PGN, those of a game after those of the other.
    fn tags(&self) -> Vec<String> {
        let pgn = self.place.read("run/games.pgn");
        let tags = pgn.lines().filter(|line| line.contains("TimeControl "));
        tags.map(str::to_owned).collect()
    }

    /// What was sent as `go` in a game, both sides in turn.
    fn gos(&self, game: u32) -> Vec<String> {
        let evidence = self.place.evidence("run", &format!("1.1.{game}")).expect("evidence");
        let asked = evidence
            .lines()
            .filter_map(|line| line.split_once("> go ").map(|(_, rest)| rest));
        asked.map(str::to_owned).collect()
    }
}

fn column(record: &Value, name: &str) -> Vec<u64> {
    let values = record[name].as_array().into_iter().flatten();
    values.map(|value| value.as_u64().expect("a number")).collect()
}

/// Records are in whole microseconds, rounded down move by move.
fn is_near(clock: u64, computed: u64, ply: usize) -> bool {
    clock.abs_diff(computed) <= ply as u64 + 1
}

/// Greedy answers within the delay, so that its clock never moves; the other one thinks beside it.
#[test]
fn a_delay() {
    let played = Played::new(&event(["greedy", "alphabeta"], "time_control = \"G/0:01 d0.2\"", ""));
    assert_eq!(played.tags(), ["[TimeControl \"1+0.2d\"]"; 2]);
    for record in &played.records {
        let (times, clocks) = (column(record, "time_us"), column(record, "clock_us"));
        let mut left = [1_000_000_u64; 2];
        for (ply, (time, clock)) in times.iter().zip(&clocks).enumerate() {
            left[ply % 2] = left[ply % 2].saturating_sub(time.saturating_sub(200_000));
            assert!(is_near(*clock, left[ply % 2], ply), "ply {ply}\n{record:#}");
        }
    }
    assert_eq!(played.gos(1)[0], "wtime 1000 btime 1000 winc 200 binc 200");
}

#[test]
fn an_hourglass() {
    let played = Played::new(&event(["alphabeta", "greedy"], "time_control = \"hourglass 0:02\"", ""));
    assert_eq!(played.tags(), ["[TimeControl \"*2\"]"; 2]);
    for record in &played.records {
        let (times, clocks) = (column(record, "time_us"), column(record, "clock_us"));
        let mut left = [2_000_000_u64; 2];
        for (ply, (time, clock)) in times.iter().zip(&clocks).enumerate() {
            left[ply % 2] = left[ply % 2].saturating_sub(*time);
            left[1 - ply % 2] += time;
            assert!(is_near(*clock, left[ply % 2], ply), "ply {ply}\n{record:#}");
        }
    }
}

#[test]
fn bounds_alone() {
    let played = Played::new(&event(["alphabeta", "alphabeta"], "time_control = \"nodes=300\"", ""));
    assert_eq!(played.tags(), ["[TimeControl \"-\"]"; 2]);
    assert!(played.records.iter().all(|record| record["clock_us"] == Value::Null));
    assert!(played.gos(1).iter().all(|go| go == "nodes 300"));
}

/// Time odds: stages against a time per move with a bound of its own.
#[test]
fn each_player_with_its_own() {
    let text = event(
        ["greedy", "alphabeta"],
        "time_control = \"5/0:05 SD/0:03 +0.1@4\"",
        "time_control = \"1s/move nodes=100\"",
    );
    let played = Played::new(&text);
    let tags = [
        "[WhiteTimeControl \"3/5:2/0+0.1:3+0.1\"]",
        "[BlackTimeControl \"1/move\"]",
        "[WhiteTimeControl \"1/move\"]",
        "[BlackTimeControl \"3/5:2/0+0.1:3+0.1\"]",
    ];
    assert_eq!(played.tags(), tags);
    let gos = played.gos(1);
    assert_eq!(gos[0], "wtime 5000 btime 1000 winc 0 binc 0 movestogo 5");
    assert_eq!(gos[1], "movetime 1000 nodes 100");
    assert!(gos[6].ends_with("btime 1000 winc 100 binc 0 movestogo 2"), "{gos:?}");
    assert!(gos[10].ends_with("btime 1000 winc 100 binc 0"), "{gos:?}");
    let clocks = column(&played.records[0], "clock_us");
    assert_eq!(clocks[1], 1_000_000, "the limit of the side without a clock");
}
