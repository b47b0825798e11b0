//! What the page of an event shows, of events that are played by numbers alone.

use swissmatch::game::termination::Outcome;
use swissmatch::report::minutes;
use swissmatch::report::page::{self, EventCourse, FrontEnd, Log, PageSource, Where};
use swissmatch::tournament::embargo::published;
use swissmatch::tournament::log::{Act, Entry};
use swissmatch::tournament::ties;

use super::{Played, player, setup};

/// The page of an event in which something happens each minute from noon on.
fn page(event: &Played) -> String {
    let at = |minute: usize| format!("2026-11-21T{:02}:{:02}:30.5Z", 12 + minute / 60, minute % 60);
    let moments: Vec<String> = (0..event.log.len()).map(at).collect();
    let entries: Vec<(&str, &Entry)> = moments.iter().map(String::as_str).zip(&event.log).collect();
    let state = published(&event.state);
    let minutes = minutes::of_log(&entries).expect("a log");
    let course = EventCourse::of_log(&entries)
        .expect("a log")
        .up_to(state.rounds().len());
    let front_end = FrontEnd {
        script: String::new(),
        style: String::new(),
        licences: String::new(),
    };
    let log = Log {
        entries: entries.len(),
        head: "00".to_owned(),
    };
    let source = PageSource {
        state: &state,
        minutes: &minutes,
        course: &course,
        log,
        games: Where::Beside,
        served: None,
    };
    page::html(&source, &front_end)
}

/// A section of the page.
fn section<'a>(page: &'a str, id: &str) -> &'a str {
    let begin = format!("<section class=\"view\" id=\"{id}\">");
    let (_, rest) = page.split_once(&begin).unwrap_or_else(|| panic!("no section {id}"));
    rest.split_once("</section>").expect("it ends").0
}

/// The text of some markup, one line an element that has any.
fn text(markup: &str) -> String {
    let said = markup
        .split('<')
        .filter_map(|part| Some(part.split_once('>')?.1.trim()));
    let lines: Vec<&str> = said.filter(|said| !said.is_empty()).collect();
    lines.join("\n")
}

fn swiss(more: &str, players: usize) -> Played {
    let keys = format!("[swiss]\nrounds = 3\n[mini_match]\ngames = 4\nopenings = \"none\"\n{more}");
    Played::new(setup("global-chess-challenge", &keys, players))
}

#[test]
fn the_overview_tells_who_moved_and_how_sure_places_are() {
    let mut event = swiss("", 5);
    event.round();
    let first = page(&event);
    let overview = section(&first, "overview");
    assert!(
        !overview.contains("class=\"shift\""),
        "there is no round before round 1"
    );
    assert!(
        overview.contains("<th scope=\"col\" class=\"figure\">Top 3 %</th>"),
        "{overview}"
    );
    assert!(overview.contains("how often in 1000 samples"), "{overview}");
    // In round 2 all who were first lose.
    assert!(event.advance().expect("a pairing"));
    let leader = event.points()[0].0.clone();
    while let Some(id) = event.due() {
        let board = event.state.mini_match(id).expect("on the schedule");
        let is_worse = board.white_of(id.game) > board.black_of(id.game);
        event.finish(
            id,
            if is_worse {
                Outcome::WhiteWins
            } else {
                Outcome::BlackWins
            },
        );
    }
    let second = page(&event);
    let overview = section(&second, "overview");
    assert!(overview.contains("<th class=\"shift\" scope=\"col\">"), "{overview}");
    let row = |name: &str| {
        let link = format!(">{name}</a>");
        let before = overview.split_once(&link).expect("a row").0;
        let row = overview[before.len()..].split_once("</tr>").expect("a row").0;
        text(&format!("<td{row}"))
    };
    let moved = row(&leader);
    assert!(moved.contains('▼') && moved.contains("down "), "{moved}");
    let up = overview.split("<tr>").filter(|row| row.contains("▲"));
    assert!(up.clone().count() > 0 && up.into_iter().all(|row| row.contains("<span class=\"unseen\">up ")));
    // A round that is being played changes places, and nobody says how sure they are.
    assert!(event.advance().expect("a pairing"));
    assert!(!section(&page(&event), "overview").contains("Top 3 %"));
}

#[test]
fn rounds_have_their_times_and_the_time_that_is_left_follows() {
    let mut event = swiss(
        "[schedule]\ntime_zone = \"Europe/Berlin\"\nrounds_at = [\"2026-11-21T10:00:00Z\", \"2026-11-21T10:01:00Z\", \"2026-12-01T10:00:00Z\"]\n",
        4,
    );
    event.round();
    let first = page(&event);
    let overview = section(&first, "overview");
    let (_, schedule) = overview.split_once("<h2>Schedule</h2>").expect("a schedule");
    // Paired a minute after noon in UTC; eight games, a minute each.
    insta::assert_snapshot!(text(schedule), @"
    A round took 8 min on average, and 2 rounds are to come: about 16 min of play are left, breaks between rounds left out.
    Round
    Day
    Time (CET)
    1
    2026-11-21
    13:01
    –
    13:09
    2
    not before
    13:09
    3
    2026-12-01
    not before
    11:00
    ");
    assert!(
        schedule.contains("<time datetime=\"2026-12-01T10:00:00Z\">"),
        "{schedule}"
    );
    assert!(event.advance().expect("a pairing"));
    for _ in 0..2 {
        let due = event.due().expect("a game");
        event.finish(due, Outcome::Draw);
    }
    let said = page(&event);
    let told = "A round took 8 min on average, and one is being played and 1 is to come: about 14 min of play are left";
    assert!(said.contains(told), "{said}");
    event.play();
    event.round();
    assert!(!page(&event).contains("A round took"));
}

#[test]
fn rounds_say_why_they_were_paired_so() {
    let mut event = swiss("", 5);
    event.round();
    event.round();
    let page = page(&event);
    let rounds = section(&page, "rounds");
    assert_eq!(rounds.matches("<details class=\"why\">").count(), 2);
    // Each board leads to its own sentence.
    for board in ["2-1", "2-2"] {
        assert!(
            rounds.contains(&format!("href=\"#pair-{board}\"")) && rounds.contains(&format!("id=\"pair-{board}\""))
        );
    }
    let (second, first) = rounds
        .split_once("id=\"round-1\"")
        .expect("the latest round comes first");
    let why = |of: &str| text(of.split_once("<details class=\"why\">").expect("why").1);
    let second = why(second);
    for told in [
        "Paired by match points: fewest repeats, then ",
        "; they have not met. Colours before: ",
        "How the bye came to ",
        "Fewest byes: ",
        "swissmatch explain round 2 RUN",
    ] {
        assert!(second.contains(told), "{told}: {second}");
    }
    let first = why(first);
    assert!(
        first.contains("in the top half of these 4") && !first.contains("Colours before"),
        "{first}"
    );
    assert!(
        rounds.contains("<a href=\"#match-2.1\" data-match=\"2.1\">"),
        "{rounds}"
    );
}

#[test]
fn all_agents_are_in_one_table() {
    let mut event = swiss("", 5);
    event.round();
    event.round();
    let page = page(&event);
    let agents = section(&page, "agents");
    insta::assert_snapshot!(text(agents), @"
    Agents
    All agents: points, mini-matches and games won, drawn and lost
    #
    Agent
    Points
    Mini-matches W/D/L
    Games as White W/D/L
    Games as Black W/D/L
    Byes
    1
    B
    Rated 1999
    2
    2/0/0
    4/0/0
    4/0/0
    0
    2
    A
    Rated 2000
    1.5
    1/0/0
    2/0/0
    2/0/0
    1
    3
    C
    Rated 1998
    1
    1/0/1
    2/0/2
    2/0/2
    0
    4
    D
    Rated 1997
    0.5
    0/0/1
    0/0/2
    0/0/2
    1
    5
    E
    Rated 1996
    0
    0/0/2
    0/0/4
    0/0/4
    0
    W/D/L: won, drawn, lost. Choose an agent for its results by round, by colour and by opponent.
    ");
    for number in 1..=5 {
        assert!(agents.contains(&format!("<a href=\"#agent-{number}\">")));
    }
}

/// The bracket on the page, as its words.
fn bracket(event: &Played) -> String {
    let page = page(event);
    let overview = section(&page, "overview");
    let (_, bracket) = overview.split_once("<h2>Bracket</h2>").expect("a bracket");
    text(bracket.split_once("<h2").map_or(bracket, |(bracket, _)| bracket))
}

#[test]
fn a_bracket_shows_who_goes_on() {
    let keys = "[swiss]\nrounds = \"knockout\"\n[mini_match]\ngames = 2\nopenings = \"none\"\n";
    let mut event = Played::new(setup("none", keys, 6));
    event.round();
    assert!(event.advance().expect("a pairing"));
    insta::assert_snapshot!(bracket(&event), @"
    Quarter-finals
    A
    , goes on
    free
    E
    0
    D
    2
    , goes on
    board 1.1
    C
    2
    , goes on
    F
    0
    board 1.2
    free
    B
    , goes on
    Semi-finals
    A
    D
    board 2.1
    C
    B
    board 2.2
    Final
    not known yet
    not known yet
    ");
    // Who is absent goes out, and its opponent goes on without play.
    event.play();
    event
        .act(Act::Withdraw { player: player(1) })
        .expect("a round is to come");
    event.round();
    let over = bracket(&event);
    assert!(over.contains("Final"), "{over}");
    assert!(!over.contains("not known yet"), "{over}");
}

#[test]
fn a_bracket_has_the_match_for_third_place() {
    let keys =
        "[swiss]\nrounds = \"knockout\"\n[mini_match]\ngames = 2\nopenings = \"none\"\n[playoff]\nthird = \"match\"\n";
    let mut event = Played::new(setup("none", keys, 4));
    let for_third = |event: &Played| {
        let bracket = bracket(event);
        let (_, third) = bracket.split_once("Third place").expect("a match");
        third.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(event.advance().expect("a pairing"));
    assert_eq!(for_third(&event), "not known yet not known yet");
    event.play();
    assert!(event.advance().expect("a pairing"));
    let paired = for_third(&event);
    assert!(
        paired.ends_with("board 2.2") && !paired.contains("not known yet"),
        "{paired}"
    );
    event.play();
    let over = for_third(&event);
    assert_eq!(over.matches(", is third").count(), 1, "{over}");
}

#[test]
fn while_an_embargo_lasts_only_what_is_announced_is_told_of_what_is_held_back() {
    let mut event = swiss("[publish]\nembargo_rounds = 1\n", 4);
    event.round();
    event.round();
    event.round();
    event
        .act(Act::Announce {
            text: "The winner is <known>".to_owned(),
        })
        .expect("one line");
    let page = page(&event);
    assert!(page.contains("<p>The winner is &lt;known&gt;</p>"), "{page}");
    assert!(
        page.contains("The last round is held back until the arbiter releases it; the page shows 2 rounds at most."),
        "{page}"
    );
    assert!(!page.contains("id=\"round-3\"") && !page.contains("A round took"));
    let schedule = page.split_once("<h2>Schedule</h2>").expect("a schedule").1;
    let schedule = schedule.split_once("</table>").expect("a table").0;
    assert_eq!(schedule.matches("<tr>").count(), 3, "a head and two rounds: {schedule}");
}

#[test]
fn the_page_can_be_read_without_a_script() {
    let mut event = swiss("", 5);
    let before = page(&event);
    for id in ["rounds", "agents", "crosstable", "summary"] {
        assert!(
            !before.contains(&format!("<section class=\"view\" id=\"{id}\">")),
            "{id} is empty"
        );
    }
    event.round();
    event.round();
    event.round();
    let page = page(&event);
    for part in page.split("<section class=\"view\"").skip(1) {
        let part = part.split_once("</section>").expect("it ends").0;
        assert!(part.contains("<h1>"), "{part}");
        assert!(text(part).lines().count() > 1, "{part}");
    }
    for table in page.split("<table").skip(1) {
        let head = table.split_once("</thead>").expect("a head").0;
        assert_eq!(
            head.matches("<th").count() - 1,
            head.matches("scope=\"col\"").count(),
            "{head}"
        );
    }
    assert!(!page.contains("<ol></ol>") && !page.contains("<p></p>") && !page.contains("<tbody></tbody>"));
}

/// The overview says what there is to say in each state: who plays, who leads and why, who has won.
#[test]
fn the_overview_begins_with_what_matters_then() {
    let mut event = swiss("[prizes]\nby_place = [100, 50]\ncurrency = \"EUR\"\n", 5);
    let before = page(&event);
    let overview = section(&before, "overview");
    assert!(
        overview.contains("<h1>Who plays</h1>") && overview.contains("5 agents play 3 rounds"),
        "{overview}"
    );
    assert!(
        overview.contains("href=\"#rules\"") && !overview.contains("why?"),
        "{overview}"
    );
    event.round();
    let during = page(&event);
    let overview = section(&during, "overview");
    assert!(
        overview.contains("<h1>Standings</h1>") && !overview.contains("class=\"champion\""),
        "{overview}"
    );
    assert!(overview.contains("class=\"last-prize\""), "{overview}");
    // Each place but the last has a link to why it is above the next.
    for place in 1..5 {
        assert!(
            overview.contains(&format!("href=\"#why-0-{place}\""))
                && overview.contains(&format!("id=\"why-0-{place}\""))
        );
    }
    event.round();
    event.round();
    event
        .act(Act::Announce {
            text: "Thank you".to_owned(),
        })
        .expect("one line");
    let over = page(&event);
    let overview = section(&over, "overview");
    let at = |what: &str| overview.find(what).unwrap_or_else(|| panic!("no {what}: {overview}"));
    assert!(at("class=\"champion\"") < at("<table") && at("Prize: ") < at("<table"));
    assert!(
        overview.contains("<details class=\"announcements\">"),
        "they fold away at the end"
    );
    assert_eq!(over.matches("The event is over").count(), 1);
    assert!(
        !overview.contains(">0.00</td>"),
        "who gets nothing is not listed among the prizes: {overview}"
    );
}

/// Who does not play is named in the round, and a forfeit reads as one.
#[test]
fn rounds_say_who_did_not_play() {
    let mut event = swiss("", 6);
    event.round();
    event
        .act(Act::Withdraw { player: player(1) })
        .expect("a round is to come");
    event.round();
    let page = page(&event);
    let rounds = section(&page, "rounds");
    let (second, first) = rounds.split_once("id=\"round-1\"").expect("two rounds");
    assert!(
        second.contains("Withdrawn: ") && !first.contains("Withdrawn: "),
        "{rounds}"
    );
    assert!(second.contains("Byes: "), "{second}");
    assert!(
        second.contains("href=\"#bye-2\"") && second.contains("id=\"bye-2\""),
        "{second}"
    );
    assert!(!first.contains("bye-"), "{first}");
    let agents = section(&page, "agents");
    assert_eq!(
        agents.matches("<span class=\"chip\">withdrawn</span>").count(),
        1,
        "{agents}"
    );
    assert!(first.contains("class=\"name winner\""), "{first}");
}

/// Where no stage of a play-off is left, whoever looks sees for whom the event waits; then it is said no more.
#[test]
fn it_is_told_that_the_arbiter_has_to_decide() {
    let keys = "[swiss]\nrounds = \"knockout\"\n[mini_match]\ngames = 2\nopenings = \"none\"\n\
                [playoff]\nstages = [{ kind = \"round-robin\", two = \"1s/move\", more = \"1s/move\" }]\n";
    let mut event = Played::new(setup("none", keys, 2));
    event.play_all(|_, _| Outcome::Draw);
    let overview = page(&event);
    let overview = section(&overview, "overview");
    let told = "<strong>The arbiter has to decide. </strong>";
    assert_eq!(overview.matches(told).count(), 1, "{overview}");
    assert!(
        overview.contains("A, B are still tied and no stage is left"),
        "{overview}"
    );
    // The first was the match itself, the second its play-off.
    let contest = ties::all(&event.state)[0].stand.questions[0].contest;
    event.decide_contest(contest, vec![vec![player(2)], vec![player(1)]]);
    assert!(!page(&event).contains(told));
}

/// The crosstable leads to the mini-matches; an all-play-all is a square.
#[test]
fn the_crosstable_leads_to_the_mini_matches() {
    let mut event = swiss("", 4);
    event.round();
    let shown = page(&event);
    let crosstable = section(&shown, "crosstable");
    assert_eq!(
        crosstable.matches("href=\"#match-1.").count(),
        4,
        "both sides of both boards: {crosstable}"
    );
    let mut all = Played::new(setup(
        "none",
        "[swiss]\nrounds = \"RR\"\n[mini_match]\ngames = 2\nopenings = \"none\"\n",
        4,
    ));
    for _ in 0..3 {
        all.round();
    }
    let shown = page(&all);
    let square = section(&shown, "crosstable");
    assert!(square.contains("class=\"data cross square\""), "{square}");
    assert_eq!(square.matches("href=\"#match-").count(), 12, "{square}");
    assert_eq!(square.matches("class=\"self\"").count(), 4);
}

/// What is under embargo shows in no state, place, crosstable or upset.
#[test]
fn nothing_that_is_held_back_is_told_elsewhere() {
    let mut event = swiss("[publish]\nembargo_rounds = 1\n", 4);
    event.round();
    event.round();
    let before = page(&event);
    event.round();
    let after = page(&event);
    for id in ["overview", "rounds", "crosstable", "agents"] {
        assert_eq!(section(&before, id), section(&after, id), "{id}");
    }
    assert!(!after.contains("champion") && !after.contains("The event is over"));
}

/// The win against the largest difference of rating is told with its rule; where the better ones won there is none.
#[test]
fn the_upset_of_a_round_is_told() {
    let mut event = swiss("", 4);
    let played = |event: &mut Played, worse_wins: bool| {
        assert!(event.advance().expect("a pairing"));
        while let Some(id) = event.due() {
            let board = event.state.mini_match(id).expect("on the schedule");
            let is_white_worse = board.white_of(id.game) > board.black_of(id.game);
            let outcome = if is_white_worse == worse_wins {
                Outcome::WhiteWins
            } else {
                Outcome::BlackWins
            };
            event.finish(id, outcome);
        }
    };
    played(&mut event, false);
    assert!(!page(&event).contains("Upset of the round"));
    played(&mut event, true);
    let page = page(&event);
    let upsets = section(&page, "rounds").matches("Upset of the round: ").count();
    assert_eq!(upsets, 1, "round 2 has one, round 1 none");
    assert!(
        page.contains("that against the largest difference of rating."),
        "{page}"
    );
}
