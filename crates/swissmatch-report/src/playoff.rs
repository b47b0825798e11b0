//! The play-offs of an event: ties, contests, what they settled, and what is open.
//!
//! May not: decide anything; count play-off games for the standings.

use jiff::civil::Date;
use serde::Serialize;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::score::Points;
use swiss_system::standings::Standings;
use swiss_system::text::harmless;
use swiss_system::word::Word as _;

use super::table::{Column, Page, Table};
use super::untrusted::{event, name};
use swissmatch_game::Side;
use swissmatch_game::record::GameId;
use swissmatch_game::time_control::TimeControl;
use swissmatch_tournament::log::{ArbiterDecided, ArbiterDirection, ContestId, Draw, Later, Lot, LotOf, TieKey};
use swissmatch_tournament::playoff::facts::BegunBoard;
use swissmatch_tournament::playoff::stand::{
    Contest, ContestCaller, ContestKind, ContestNumbering, Due, Finding, Question, QuestionSubject,
};
use swissmatch_tournament::setup::PlayoffNumbers;
use swissmatch_tournament::state::State;
use swissmatch_tournament::ties;
use swissmatch_tournament::ties::Playoffs;

/// The play-offs as text; `None` where there are none.
pub fn text(state: &State, width: Option<u16>) -> Option<String> {
    let pages = pages(state);
    let texts: Vec<String> = pages.iter().map(|page| page.text(width)).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// The play-offs as Markdown; `None` where there are none.
pub fn markdown(state: &State) -> Option<String> {
    let pages = pages(state);
    let texts: Vec<String> = pages.iter().map(Page::markdown).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// The play-offs as a JSON object; `None` where there are none.
///
/// # Panics
/// Never: everything in it can be written.
pub fn json(state: &State) -> Option<String> {
    let document = document(state)?;
    Some(serde_json::to_string_pretty(&document).expect("plain data") + "\n")
}

/// Like [`json`], but before it is written, to be put into another object.
pub fn document(state: &State) -> Option<impl Serialize> {
    let playoffs = ties::all(state);
    if playoffs.is_empty() {
        return None;
    }
    Some(PlayoffJson {
        schema: 1,
        event: event(state),
        ties: playoffs
            .iter()
            .flat_map(|playoffs| tie_lines(state, playoffs))
            .collect(),
        void_lots: state.void_lots().iter().map(|lot| lot_line(state, lot)).collect(),
        later: playoffs
            .iter()
            .filter_map(|playoffs| {
                let first = state.rounds()[playoffs.round as usize - 1].playoffs.first()?;
                let Later { ended, begun } = first.later?;
                Some(LaterLine {
                    round: playoffs.round,
                    ended,
                    begun,
                })
            })
            .collect(),
    })
}

/// The state of the play-offs, one line each.
pub fn status(state: &State) -> Vec<String> {
    let all = ties::all(state);
    let of_round = |playoffs: &Playoffs| {
        let ties = playoffs.ties.iter().zip(&playoffs.stand.parts);
        let ties = ties.map(|(tie, parts)| match parts {
            Some(parts) => format!("{}: settled: {}", about(tie.key), ordered(state, parts)),
            None => format!("{}: open", about(tie.key)),
        });
        let questions = playoffs.stand.questions.iter().map(|question| asked(state, question));
        ties.chain(questions).collect::<Vec<_>>()
    };
    all.iter().flat_map(of_round).collect()
}

/// A sentence that a play-off does not begin on the day on which it should.
pub fn later(later: Later) -> String {
    format!(
        "the play-off began on {}, and the last game ended on {}: it should be played on the same day",
        later.begun, later.ended
    )
}

/// Sentences for the reader of a table on the ties that play-offs decided, before all criteria.
pub(super) fn settled(state: &State) -> Vec<String> {
    let boards = ties::all(state).into_iter().flat_map(|playoffs| {
        let ties = playoffs.ties.into_iter().zip(playoffs.stand.parts);
        // Ties of the standings are told below their table.
        let of_boards = ties.filter(|(tie, _)| tie.key.board > 0);
        of_boards
            .filter_map(|(tie, parts)| Some((tie.key, parts?)))
            .collect::<Vec<_>>()
    });
    let boards = boards.map(|(tie, parts)| format!("Played off, {}: {}.", span(tie), ordered(state, &parts)));
    let of_places = ties::refined(state).into_iter().filter(|tie| tie.is_over);
    let places = of_places.map(|tie| decided(state, tie.first_place, &tie.parts));
    boards.chain(places).collect()
}

/// Sentences on what play-offs decided of a table.
pub(super) fn decided_of(state: &State, standings: &Standings) -> Vec<String> {
    let played_off = standings.played_off.iter();
    played_off
        .map(|tie| decided(state, tie.first_place, &tie.parts))
        .collect()
}

/// A sentence on how a play-off settled a tie.
fn decided(state: &State, first: u32, parts: &[Vec<PairingNumber>]) -> String {
    let players = parts.iter().map(Vec::len).sum::<usize>();
    let last = first + u32::try_from(players).expect("few players") - 1;
    format!("Played off, places {first}–{last}: {}.", ordered(state, parts))
}

/// A question to the arbiter, as a sentence.
pub fn asked(state: &State, question: &Question) -> String {
    let players = names(state, &question.players);
    let tie = about(question.contest.tie);
    match question.asks {
        QuestionSubject::Game => format!(
            "{tie}: {players}: neither came to the game; the arbiter decides who goes through (`swissmatch arbiter \
             decide`)"
        ),
        QuestionSubject::Tie => format!(
            "{tie}: {players} are still tied and no stage is left; the arbiter decides (`swissmatch arbiter decide`)"
        ),
    }
}

/// All open questions to the arbiter, a sentence each.
pub(super) fn all_asked(state: &State) -> Vec<String> {
    let open = ties::all(state)
        .into_iter()
        .filter(|playoffs| playoffs.stand.due == Due::Decision);
    let questions = open.flat_map(|playoffs| playoffs.stand.questions);
    questions
        .map(|question| format!("{}.", asked(state, &question)))
        .collect()
}

pub(super) fn pages(state: &State) -> Vec<Page> {
    let mut pages = Vec::new();
    for playoffs in ties::all(state) {
        for (index, tie) in playoffs.ties.iter().enumerate() {
            let mut notes = vec![numbers_rule(state)];
            let first = state.rounds()[playoffs.round as usize - 1].playoffs.first();
            let is_later = first.and_then(|first| first.later);
            notes.extend(is_later.map(|days| format!("Warning: {}.", later(days))));
            let void = state.void_lots().iter();
            let void = void.filter(|lot| lot.purpose.contest.tie.round == playoffs.round);
            notes.extend(void.map(|lot| format!("Void: lot \"{}\": {}.", lot.purpose, names(state, &lot.drawn))));
            if let Some(parts) = &playoffs.stand.parts[index] {
                notes.push(format!("Settled: {}.", ordered(state, parts)));
            }
            let of_tie = |question: &&Question| is_in(question, tie.key);
            let questions = playoffs.stand.questions.iter().filter(of_tie);
            notes.extend(questions.map(|question| format!("Open: {}.", asked(state, question))));
            let tied: Vec<PairingNumber> = tie.groups.iter().flatten().copied().collect();
            let mut title = format!("{}: {}: {}", event(state), about(tie.key), names(state, &tied));
            if playoffs.stand.due != Due::Nothing && playoffs.stand.parts[index].is_none() {
                title += " (open)";
            }
            pages.push(Page {
                title,
                table: Table::default(),
                notes,
            });
            let contests = playoffs.stand.contests[index].iter();
            pages.extend(contests.map(|contest| contest_page(state, contest)));
        }
    }
    pages
}

/// Whether a question is about this tie, or a part of it.
fn is_in(question: &Question, tie: TieKey) -> bool {
    let part = question.contest.tie;
    let of = |tie: TieKey| (tie.round, tie.section, tie.board);
    of(part) == of(tie) && tie.first <= part.first && part.last <= tie.last
}

fn numbers_rule(state: &State) -> String {
    match &state.setup().playoff.numbers {
        PlayoffNumbers::Lot => "Pairing numbers by lot.".to_owned(),
        PlayoffNumbers::By(criteria) => {
            let criteria: Vec<String> = criteria.iter().map(ToString::to_string).collect();
            format!("Pairing numbers by {}, then by lot.", criteria.join(", "))
        }
    }
}

fn contest_page(state: &State, contest: &Contest) -> Page {
    let columns = vec![
        Column::words("Game"),
        Column::names("White"),
        Column::words("Result"),
        Column::names("Black"),
        Column::words("Termination").goes(0),
    ];
    let rows: Vec<Vec<String>> = contest
        .boards
        .iter()
        .flat_map(|held| game_lines(state, held))
        .map(|game| {
            vec![
                game.id.unwrap_or_default(),
                game.white,
                game.result.unwrap_or("*").to_owned(),
                game.black,
                game.termination.unwrap_or_default().to_owned(),
            ]
        })
        .collect();
    let table = if rows.is_empty() {
        Table::default()
    } else {
        Table { columns, rows }
    };
    Page {
        title: format!(
            "Contest {}, {}: {}",
            contest.id.number,
            span(contest.id.tie),
            kind_words(&contest.kind)
        ),
        table,
        notes: contest_notes(state, contest),
    }
}

fn contest_notes(state: &State, contest: &Contest) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(numbered) = contest.numbered {
        let numbers = (1..).zip(&contest.players);
        let numbers: Vec<String> = numbers
            .map(|(number, player)| format!("{number} {}", name(state, *player)))
            .collect();
        notes.push(format!("Numbers {}: {}.", numbered_words(numbered), numbers.join(", ")));
    }
    for lot in &contest.lots {
        notes.push(format!("Lot \"{}\": {}.", lot.purpose, names(state, &lot.drawn)));
    }
    if !contest.byes.is_empty() {
        notes.push(format!("Byes: {}.", names(state, &contest.byes)));
    }
    if !contest.table.is_empty() {
        let rows = contest.table.iter();
        let rows: Vec<String> = rows
            .map(|row| format!("{} {}", name(state, row.player), row.points))
            .collect();
        notes.push(format!("Points: {}.", rows.join(", ")));
    }
    if contest.kind == ContestKind::Armageddon {
        notes.push("A drawn game is a win for Black.".to_owned());
    }
    if let Some(decided) = decision(state, contest.id) {
        notes.push(format!("{}.", decided_words(decided)));
    }
    if let Some(order) = &contest.order {
        notes.push(format!("Order: {}.", ordered(state, order)));
    }
    notes
}

/// The decision that started a contest.
fn decision(state: &State, contest: ContestId) -> Option<&ArbiterDecided> {
    state
        .decisions()
        .iter()
        .find(|decided| decided.decision.contest == contest)
}

/// Who decided, whom they consulted, and why.
fn decided_words(decided: &ArbiterDecided) -> String {
    let consulted: Vec<String> = decided.consulted.iter().map(|name| harmless(name)).collect();
    let consulted = match consulted.as_slice() {
        [] => String::new(),
        names => format!(", having consulted {}", names.join(", ")),
    };
    let what = match &decided.decision.directed {
        ArbiterDirection::RoundRobin(limits) => format!("a further round robin, {limits}"),
        ArbiterDirection::Result(_) => "a result".to_owned(),
    };
    format!(
        "{what}: decided by {}{consulted}: {}",
        harmless(&decided.by),
        harmless(&decided.reason)
    )
}

fn kind_words(kind: &ContestKind) -> String {
    match kind {
        ContestKind::HeadToHead(Finding::NotMet) => "head to head: they have not met".to_owned(),
        ContestKind::HeadToHead(Finding::Level) => "head to head: level".to_owned(),
        ContestKind::HeadToHead(Finding::Won) => "head to head: decisive".to_owned(),
        ContestKind::TopTwo => "the first two by number play".to_owned(),
        ContestKind::RoundRobin {
            limits,
            by: ContestCaller::Rules,
        } => format!("round robin, {limits}"),
        ContestKind::RoundRobin {
            limits,
            by: ContestCaller::Arbiter,
        } => format!("round robin, {limits}, directed by the arbiter"),
        ContestKind::Armageddon => "Armageddon".to_owned(),
        ContestKind::Decided => "decided by the arbiter".to_owned(),
    }
}

const fn kind_word(kind: &ContestKind) -> &'static str {
    match kind {
        ContestKind::HeadToHead(_) => "head-to-head",
        ContestKind::TopTwo => "top-two",
        ContestKind::RoundRobin { .. } => "round-robin",
        ContestKind::Armageddon => "armageddon",
        ContestKind::Decided => "decided",
    }
}

const fn numbered_words(numbered: ContestNumbering) -> &'static str {
    match numbered {
        ContestNumbering::Criteria => "by the criteria",
        ContestNumbering::CriteriaAndLot => "by the criteria, then by lot",
        ContestNumbering::Lot => "by lot",
        ContestNumbering::Reversed => "as before, colours reversed",
        ContestNumbering::Kept => "as before",
    }
}

/// A tie's name on the command line, which is unique among those open after a round: `1-3`, `section-2:1-3`, `board-4`.
pub fn tie_id(tie: TieKey) -> String {
    match (tie.section, tie.board) {
        (0, 0) => format!("{}-{}", tie.first, tie.last),
        (section, 0) => format!("section-{section}:{}-{}", tie.first, tie.last),
        (_, board) => format!("board-{board}"),
    }
}

/// What a tie is about.
fn about(tie: TieKey) -> String {
    format!("play-off, {}", span(tie))
}

fn span(tie: TieKey) -> String {
    match (tie.section, tie.board) {
        (0, 0) => format!("places {}–{}", tie.first, tie.last),
        (section, 0) => format!("section {section}, places {}–{}", tie.first, tie.last),
        (_, board) => format!("round {} board {board}", tie.round),
    }
}

/// `Alpha, Bravo`
fn names(state: &State, players: &[PairingNumber]) -> String {
    let names: Vec<String> = players.iter().map(|player| name(state, *player)).collect();
    names.join(", ")
}

/// `Alpha; then Bravo and Charlie together`: players of one part are not told apart.
fn ordered(state: &State, parts: &[Vec<PairingNumber>]) -> String {
    let part = |part: &Vec<PairingNumber>| match part.split_last() {
        Some((last, rest)) if !rest.is_empty() => {
            format!("{} and {} together", names(state, rest), name(state, *last))
        }
        _ => names(state, part),
    };
    let parts: Vec<String> = parts.iter().map(part).collect();
    parts.join("; then ")
}

fn game_lines(state: &State, held: &BegunBoard) -> Vec<GameLine> {
    let board = &held.board;
    let id = |game| game_id(state, held, game).map(|id| id.to_string());
    let lines = (1..).zip(&held.games).map(|(game, ended)| GameLine {
        id: id(game),
        round: board.round,
        game,
        white: name(state, board.player(Side::White, game)),
        black: name(state, board.player(Side::Black, game)),
        time_controls: board.limits.clone(),
        draw: board.draw,
        result: ended.map(|ended| ended.outcome.word()),
        termination: ended.map(|ended| ended.termination.word()),
    });
    lines.collect()
}

/// The name of the game with that number, as in lists of games.
fn game_id(state: &State, held: &BegunBoard, game: u32) -> Option<GameId> {
    let round = held.board.contest.tie.round;
    let playoffs = &state.rounds().get(round as usize - 1)?.playoffs;
    let mut sittings = (1..).zip(playoffs);
    sittings.find_map(|(playoff, sitting)| {
        let place = sitting.boards.iter().position(|board| *board == held.board)?;
        Some(GameId {
            round,
            playoff,
            board: u32::try_from(place + 1).ok()?,
            game,
        })
    })
}

fn lot_line(state: &State, lot: &Lot) -> LotLine {
    LotLine {
        purpose: lot.purpose.to_string(),
        of: lot.purpose.what,
        drawn: lot.drawn.iter().map(|player| name(state, *player)).collect(),
    }
}

fn tie_lines(state: &State, playoffs: &Playoffs) -> Vec<TieLine> {
    let named = |players: &[PairingNumber]| players.iter().map(|player| name(state, *player)).collect();
    let named_parts =
        |parts: &Vec<Vec<PairingNumber>>| parts.iter().map(|part| named(part)).collect::<Vec<Vec<String>>>();
    let ties = playoffs.ties.iter().enumerate().map(|(index, tie)| TieLine {
        round: tie.key.round,
        section: (tie.key.section > 0).then_some(tie.key.section),
        board: (tie.key.board > 0).then_some(tie.key.board),
        first_place: tie.key.first,
        last_place: tie.key.last,
        tied: named_parts(&tie.groups),
        settled: playoffs.stand.parts[index].as_ref().map(named_parts),
        contests: playoffs.stand.contests[index]
            .iter()
            .map(|contest| ContestLine {
                number: contest.id.number,
                first_place: contest.id.tie.first,
                last_place: contest.id.tie.last,
                kind: kind_word(&contest.kind),
                players: named(&contest.players),
                numbered: contest.numbered,
                lots: contest.lots.iter().map(|lot| lot_line(state, lot)).collect(),
                byes: named(&contest.byes),
                games: contest.boards.iter().flat_map(|held| game_lines(state, held)).collect(),
                table: contest
                    .table
                    .iter()
                    .map(|row| RowLine {
                        name: name(state, row.player),
                        points: row.points,
                    })
                    .collect(),
                decision: decision(state, contest.id).map(|decided| DecisionLine {
                    by: harmless(&decided.by),
                    consulted: decided.consulted.iter().map(|name| harmless(name)).collect(),
                    reason: harmless(&decided.reason),
                }),
                order: contest.order.as_ref().map(named_parts),
            })
            .collect(),
        questions: playoffs
            .stand
            .questions
            .iter()
            .filter(|question| is_in(question, tie.key))
            .map(|question| QuestionLine {
                tie: tie_id(question.contest.tie),
                asks: question.asks,
                players: named(&question.players),
                cuts: question.cuts.clone(),
            })
            .collect(),
    });
    ties.collect()
}

#[derive(Serialize)]
struct PlayoffJson {
    schema: u32,
    event: String,
    ties: Vec<TieLine>,
    /// Lots that were drawn before a result was corrected.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    void_lots: Vec<LotLine>,
    /// Play-offs that did not begin on the day on which the last game ended.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    later: Vec<LaterLine>,
}

#[derive(Serialize)]
struct LaterLine {
    round: u32,
    ended: Date,
    begun: Date,
}

#[derive(Serialize)]
struct TieLine {
    round: u32,
    /// The section of the standings; `null` where everybody plays together.
    section: Option<u32>,
    /// The board of a level mini-match of a knockout; `null` for a tie of the standings.
    board: Option<u32>,
    first_place: u32,
    last_place: u32,
    /// In order of the criteria of numbers; players of one list are level in them.
    tied: Vec<Vec<String>>,
    /// In order; players of one list are not told apart. `null` while open.
    settled: Option<Vec<Vec<String>>>,
    contests: Vec<ContestLine>,
    questions: Vec<QuestionLine>,
}

#[derive(Serialize)]
struct ContestLine {
    number: u32,
    first_place: u32,
    last_place: u32,
    kind: &'static str,
    players: Vec<String>,
    numbered: Option<ContestNumbering>,
    lots: Vec<LotLine>,
    byes: Vec<String>,
    games: Vec<GameLine>,
    table: Vec<RowLine>,
    decision: Option<DecisionLine>,
    order: Option<Vec<Vec<String>>>,
}

#[derive(Serialize)]
struct LotLine {
    purpose: String,
    of: LotOf,
    drawn: Vec<String>,
}

#[derive(Serialize)]
struct GameLine {
    /// As in lists of games: `9p1.2.1`.
    id: Option<String>,
    round: u32,
    game: u32,
    white: String,
    black: String,
    time_controls: [TimeControl; 2],
    draw: Draw,
    result: Option<&'static str>,
    termination: Option<&'static str>,
}

#[derive(Serialize)]
struct RowLine {
    name: String,
    points: Points,
}

#[derive(Serialize)]
struct DecisionLine {
    by: String,
    consulted: Vec<String>,
    reason: String,
}

#[derive(Serialize)]
struct QuestionLine {
    /// Its name for `arbiter decide --tie`.
    tie: String,
    asks: QuestionSubject,
    players: Vec<String>,
    /// How many of them have to stand before each cut.
    cuts: Vec<usize>,
}
