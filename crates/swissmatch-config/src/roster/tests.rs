//! Lists of entrants: what is read, and what is refused at which place.

use std::path::Path;

use insta::assert_snapshot;

use super::*;

fn players(text: &str, format: RosterFormat) -> String {
    let read = read_roster("list", text, format, false).unwrap_or_else(|errors| panic!("{errors:#?}"));
    let players: Vec<&PlayerKeys> = read.iter().map(|entrant| &entrant.player).collect();
    player_tables(&players)
}

fn problems(text: &str, format: RosterFormat) -> String {
    let errors = read_roster("list", text, format, false).expect_err("something is wrong");
    errors.iter().map(|error| format!("{error}\n")).collect()
}

#[test]
fn csv_as_spreadsheets_write_it() {
    let text = "\u{FEFF}name,command,args,options,env,rating,submitted_at,team,author,contact,unrated,dir\r\n\
                \"Alpha, the \"\"first\"\"\",./a,\"--net 'my net.bin' --x=1\",Hash=16;Skill Level=3,KEY=$KEY;A=b c,1800,\
                2026-01-30T12:00:00+02:00,Reds,\"Doe, J.\",a@example.org,true,agents/a\r\n\
                \r\n\
                =1+2,b,,,,,,,,,,\r\n\
                ,,,,,,,,,,,\r\n";
    assert_snapshot!(players(text, RosterFormat::Csv), @r#"
    [[player]]
    name = "Alpha, the \"first\""
    command = "./a"
    args = ["--net", "my net.bin", "--x=1"]
    options = { Hash = "16", "Skill Level" = "3" }
    rating = 1800
    submitted_at = 2026-01-30T10:00:00Z
    team = "Reds"
    author = "Doe, J."
    dir = "agents/a"
    env = { A = "b c", KEY = "$KEY" }
    unrated = true
    contact = "a@example.org"

    [[player]]
    name = "=1+2"
    command = "b"
    "#);
}

#[test]
fn all_forms_give_the_same_players() {
    let csv = "name,command,args,options,rating,ratings,ponder\nA,a,\"-x 'y z'\",Hash=16;Ponder=true,1800,\"1800,1810\",true\n";
    let json = r#"[{"name": "A", "command": "a", "args": ["-x", "y z"], "options": {"Hash": 16, "Ponder": true},
                    "rating": 1800, "ratings": [1800, 1810], "ponder": true, "team": null}]"#;
    let toml = "[[player]]\nname = 'A'\ncommand = 'a'\nargs = ['-x', 'y z']\nrating = 1800\nratings = [1800, 1810]\n\
                ponder = true\n[player.options]\nHash = 16\nPonder = true\n";
    let of_csv = players(csv, RosterFormat::Csv);
    assert_eq!(of_csv, players(json, RosterFormat::Json));
    assert_eq!(of_csv, players(toml, RosterFormat::Toml));
    assert_eq!(
        of_csv,
        players(&of_csv, RosterFormat::Toml),
        "what is written is read again"
    );
}

#[test]
fn every_problem_of_a_csv_is_told_at_its_cell() {
    let text = "name,command,rating,options,args\n\
                A,a,abc,,\n\
                \"B\nb\",b,,,\n\
                C,,1,Hash,'x\n\
                a,a,20000,Hash=1;Hash=2,#x\n\
                E,e,1\n\
                F,f\u{1b}[31m,,,\n\
                \"G";
    assert_snapshot!(problems(text, RosterFormat::Csv), @r#"
    list:2:5: player.rating: entry 1 ("A"): expected a whole number from -10000 to 10000, found "abc"
    list:3:1: player.name: entry 2: the control character \u{a} in "B\u000Ab"; take it out
    list:5:1: player.command: entry 3 ("C"): missing; every player needs a name, and one of command, model, move_command and move_url; write command for a UCI engine, model for a language model, move_command for a program that is asked once a move, or move_url for a web service that is
    list:5:6: player.options: entry 3 ("C"): "Hash" has no =; write NAME=VALUE;NAME=VALUE, such as Hash=16;Skill Level=3
    list:5:11: player.args: entry 3 ("C"): a quote that is never closed, or a backslash at the end; arguments are split as a shell does: write --name "two words"
    list:6:1: player.name: entry 4 ("a"): "a" reads like the name of entry 1; names must differ in more than upper and lower case, invisible characters, and letters that look the same
    list:6:5: player.rating: entry 4 ("a"): expected a whole number from -10000 to 10000, found "20000"
    list:6:11: player.options: entry 4 ("a"): "Hash" is given twice
    list:6:25: player.args: entry 4 ("a"): a word that begins with # would begin a comment in a shell; put it in quotes
    list:7:1: entry 5: 3 cells, but the header has 5
    list:8:3: player.command: entry 6 ("F"): the control character \u{1b} in "f\u001B[31m"; take it out
    list:9:1: entry 7: a quote that is never closed
    "#);
    assert_snapshot!(problems("name;command\nA;a\n", RosterFormat::Csv), @r#"list:1:1: the header "name;command" is not a key of a player; columns are separated by commas, not by semicolons"#);
    assert_snapshot!(problems("name,comand,name,player.rating\nA,a,b,1\n", RosterFormat::Csv), @r#"
    list:1:6: the header "comand" is not a key of a player; did you mean player.command?
    list:1:13: the header "name" is given twice
    "#);
    assert_snapshot!(problems("", RosterFormat::Csv), @"list:1:1: it has no entrants");
    assert_snapshot!(problems("name,command\n", RosterFormat::Csv), @"list:1:1: it has no entrants");
}

#[test]
fn every_problem_of_json_and_toml_is_told_at_its_place() {
    let text = r#"[
  {"name": "A", "command": "a", "rating": "1800", "colour": 1},
  {"name": "B\u0007", "command": null},
  7,
  {"name": "C", "command": "c", "args": "x", "team": "R", "team": "S", "env": {"K": null}}
]"#;
    assert_snapshot!(problems(text, RosterFormat::Json), @r#"
    list:2:43: player.rating: entry 1 ("A"): expected a whole number from -10000 to 10000, found "1800"
    list:2:61: player.colour: entry 1 ("A"): unknown key; did you mean player.ponder?
    list:3:3: player.command: entry 2: missing; every player needs a name, and one of command, model, move_command and move_url; write command for a UCI engine, model for a language model, move_command for a program that is asked once a move, or move_url for a web service that is
    list:3:12: player.name: entry 2: the control character \u{7} in "B\u0007"; take it out
    list:4:3: entry 3: expected an object, found "7"
    list:5:41: player.args: entry 4 ("C"): expected a list of strings without NUL characters, found "x"
    list:5:67: player.team: entry 4 ("C"): given twice
    list:5:79: player.env: entry 4 ("C"): expected a table of strings, such as { OMP_NUM_THREADS = "1", API_KEY = "$API_KEY" }, found "{\"K\": null}"
    "#);
    assert_snapshot!(problems("[{\"name\": \"A\",}]", RosterFormat::Json), @"list:1:15: not a JSON array of objects, one for each player: key must be a string");
    assert_snapshot!(problems("{\"players\": []}", RosterFormat::Json), @"list:1:1: not a JSON array of objects, one for each player: invalid type: map, expected a sequence");
    let text = "[[player]]\nname = \"A\"\ncommand = \"a\"\nrating = 1e3\n[[player]]\nname = \"a\u{200b}\"\n";
    assert_snapshot!(problems(text, RosterFormat::Toml), @r#"
    list:4:10: player.rating: entry 1 ("A"): expected a whole number from -10000 to 10000, found 1e3
    list:5:1: player.command: entry 2 ("a\u200B"): missing; every player needs a name, and one of command, model, move_command and move_url; write command for a UCI engine, model for a language model, move_command for a program that is asked once a move, or move_url for a web service that is
    list:6:1: player.name: entry 2 ("a\u200B"): "a\u200B" reads like the name of entry 1; names must differ in more than upper and lower case, invisible characters, and letters that look the same
    "#);
    assert_snapshot!(problems("[event]\nname = \"x\"\n[[player]]\nname = \"A\"\n", RosterFormat::Toml), @"list:1:2: event: a list of entrants has only [[player]] tables");
    assert_snapshot!(problems("[[player]\n", RosterFormat::Toml), @"list:1:10: not valid TOML: unclosed array table, expected `]`");
}

const EVENT: &str = "# Of the spring.\npreset = \"none\"  # plain\n\n[[player]]\nname = \"A\"\ncommand = \"a\"\n\
                     # Threads of A.\n[player.options]\nThreads = 1\n\n# How it is played.\n[game]\nmax_moves = 100\n\n\
                     [[player]]  # the second\nname = \"B\"\ncommand = \"b\"\n# The end.\n";

fn put(event: &str, list: &str, present: Players) -> Result<String, String> {
    let entrants = read_roster("list", list, RosterFormat::Csv, false).expect("a list");
    let put = with_players((Path::new("event.toml"), event), ("list", &entrants), present);
    put.map(|(text, _)| text)
        .map_err(|errors| errors.iter().map(|error| format!("{error}\n")).collect())
}

#[test]
fn an_event_file_keeps_everything_else() {
    let added = put(EVENT, "name,command\nC,c\nD,d\n", Players::Stay).expect("it fits");
    assert_eq!(
        added,
        format!("{EVENT}\n[[player]]\nname = \"C\"\ncommand = \"c\"\n\n[[player]]\nname = \"D\"\ncommand = \"d\"\n")
    );
    let replaced = put(EVENT, "name,command\nA,c\nD,d\n", Players::Go).expect("it fits");
    assert_snapshot!(replaced, @r#"
    # Of the spring.
    preset = "none"  # plain


    # How it is played.
    [game]
    max_moves = 100

    # The end.

    [[player]]
    name = "A"
    command = "c"

    [[player]]
    name = "D"
    command = "d"
    "#);
    let inline = "player = [\n  { name = \"A\", command = \"a\" },\n  { name = \"B\", command = \"b\" },\n]\n# End.\n";
    let replaced = put(inline, "name,command\nC,c\nD,d\n", Players::Go).expect("it fits");
    assert!(
        replaced.starts_with("# End.\n\n[[player]]\nname = \"C\"\n"),
        "{replaced}"
    );
}

#[test]
fn an_event_file_that_would_be_wrong_stays_as_it_is() {
    let refused = |event: &str, list, present| put(event, list, present).expect_err("it does not fit");
    assert_snapshot!(refused(EVENT, "name,command\nC,c\nb,d\na\u{200b},e\n", Players::Stay), @r#"
    list:3:1: player.name: "b" reads like "B", who is already a player in event.toml, at its line 15; take it out of the list, or replace all players with --replace
    list:4:1: player.name: "a\u200B" reads like "A", who is already a player in event.toml, at its line 4; take it out of the list, or replace all players with --replace
    "#);
    assert_snapshot!(refused("preset = \"none\"\n", "name,command\nC,c\n", Players::Stay), @"event.toml: player: event.toml would be wrong with these players: an event needs at least 2 players, found 1; add [[player]] tables, each with name and command");
    let nodes = "name,command,nodes,ponder\nC,c,,\nD,d,5,true\n";
    assert_snapshot!(refused(EVENT, nodes, Players::Stay), @r#"list:3:7: player.ponder: event.toml would be wrong with these players: "D" is set to ponder, but has a bound of nodes or depth, which would end its search before its turn; leave player.ponder or the bound out"#);
    let between = "[[player]]\nname = \"A\"\ncommand = \"a\"\n[game]\nmax_moves = 9\n[player.options]\nHash = 1\n";
    assert_snapshot!(refused(between, "name,command\nC,c\nD,d\n", Players::Go), @"event.toml: player: other tables stand between the keys of a player; put the keys of each player together, or take the players out by hand");
    let inline = "player = [{ name = \"A\", command = \"a\" }, { name = \"B\", command = \"b\" }]\n";
    assert_snapshot!(refused(inline, "name,command\nC,c\n", Players::Stay), @"event.toml:1:1: player: its players are written as one list, to which no [[player]] can be added; write them as [[player]] tables, or replace all with --replace");
    assert_snapshot!(refused("[swis]\nrounds = 1\n", "name,command\nC,c\nD,d\n", Players::Stay), @"event.toml:2:1: swis.rounds: event.toml would be wrong with these players: unknown key; did you mean swiss.rounds?");
}
