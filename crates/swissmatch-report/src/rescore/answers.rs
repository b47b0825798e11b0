//! Answers of models that are judged again: tables, sentences, and JSON.
//!
//! May not: read an answer.

use serde::Serialize;
use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::text::harmless;

use crate::table::{Column, Page, Table};
use crate::untrusted::name;
use swissmatch_game::Side;
use swissmatch_game::record::GameId;
use swissmatch_tournament::answers::{AnswerReading, Answers, Came, JudgedAnswers, OfGame, Turn};
use swissmatch_tournament::state::State;

/// How many of each model's answers were judged.
pub(super) fn models(state: &State, answers: &Answers) -> Page {
    let columns = vec![
        Column::names("Player"),
        Column::figures("Answers"),
        Column::figures("Not kept"),
        Column::figures("Recovered"),
        Column::figures("No longer read"),
    ];
    let row = |(player, judged): (&PairingNumber, &JudgedAnswers)| {
        let (recovered, lost) = answers.changed(*player);
        vec![
            name(state, *player),
            judged.answers.to_string(),
            judged.not_kept.to_string(),
            recovered.to_string(),
            lost.to_string(),
        ]
    };
    let mut notes = vec![
        "Answers: those that a rule of reading decides. Recovered: turns in which an attempt that failed has a legal move by it. No longer \
         read: turns with a move of which it reads none."
            .to_owned(),
    ];
    if answers.players.values().any(|judged| judged.not_kept > 0) {
        notes.push(
            "What the rule makes of answers that were not kept is unknown; model.keep = \"all\" keeps those of a run to come.".to_owned(),
        );
    }
    Page {
        title: "Answers judged again".to_owned(),
        table: Table {
            rows: answers.players.iter().map(row).collect(),
            columns,
        },
        notes,
    }
}

/// The turns whose outcome changes.
pub(super) fn turns(state: &State, answers: &Answers) -> Page {
    let columns = vec![
        Column::words("Game"),
        Column::figures("Ply"),
        Column::names("Player"),
        Column::words("Was"),
        Column::words("Is"),
        Column::words("The game"),
    ];
    let rows = answers.games.iter().flat_map(|game| {
        game.turns.iter().map(move |turn| {
            vec![
                game.id.to_string(),
                turn.ply.to_string(),
                name(state, game.player(turn)),
                words(&turn.was),
                words(&turn.is),
                of_game(game, turn).to_owned(),
            ]
        })
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let note = match rows.is_empty() {
        true => "No turn comes to something else, as far as answers were kept.",
        false => {
            "Plies from 0, each judged in the position in which it was asked. By another move, or none, a game would have gone on \
             otherwise: nobody knows how."
        }
    };
    Page {
        title: "Turns that come to something else".to_owned(),
        table: Table { columns, rows },
        notes: vec![note.to_owned()],
    }
}

/// `e2e4, attempt 2`.
fn words(came: &Came) -> String {
    let said = match &came.said {
        AnswerReading::Move(word) => harmless(word),
        AnswerReading::Resign => "resigns".to_owned(),
        AnswerReading::Nothing => "no move".to_owned(),
    };
    format!("{said}, attempt {}", came.attempt)
}

/// The effect of a turn on its game.
fn of_game(game: &OfGame, turn: &Turn) -> &'static str {
    match game.departs() {
        Some(first) if first.ply < turn.ply => "had departed before",
        Some(first) if first.ply == turn.ply && game.is_forfeit_of_the_rule() && turn.ply == game.plies => {
            "was lost by the rule of reading"
        }
        Some(first) if first.ply == turn.ply => "cannot be continued",
        _ => "goes on as it was played",
    }
}

/// Sentences on what concerns the standings.
pub(super) fn notes(answers: &Answers) -> Vec<String> {
    let recovered = answers.games.iter().flat_map(|game| &game.turns);
    let recovered = recovered.filter(|turn| turn.is_recovered).count();
    let forfeits = answers
        .games
        .iter()
        .filter(|game| game.is_forfeit_of_the_rule())
        .count();
    let open = answers.left_open();
    let mut notes = vec![
        format!("Answers of models are read by {}.", harmless(&answers.rule.join(", "))),
        format!(
            "{} recovered; {} lost by attempts of which this rule reads a move.",
            count::of(recovered, "turn is", "turns are"),
            count::of(forfeits, "game was", "games were")
        ),
    ];
    if !open.is_empty() {
        let names: Vec<String> = open.iter().map(|(id, _)| id.to_string()).collect();
        notes.push(format!(
            "{} not as they were played, and are left out as if annulled: {}.",
            count::of(open.len(), "game goes by it", "games go by it"),
            names.join(", ")
        ));
    }
    notes
}

#[derive(Serialize)]
pub(super) struct Json {
    rule: Vec<String>,
    players: Vec<PlayerAnswersJson>,
    turns: Vec<TurnJson>,
    games: Vec<GameJson>,
}

#[derive(Serialize)]
struct PlayerAnswersJson {
    pairing_number: u32,
    name: String,
    answers: u32,
    not_kept: u32,
    recovered: usize,
    no_longer_read: usize,
}

#[derive(Serialize)]
struct TurnJson {
    game: GameId,
    ply: u32,
    side: Side,
    player: String,
    was: Came,
    is: Came,
    recovered: bool,
    departs: bool,
}

/// A game that cannot be continued as it was played.
#[derive(Serialize)]
struct GameJson {
    game: GameId,
    /// The first ply that is affected.
    ply: u32,
    lost_by_the_rule: bool,
    left_out: bool,
}

pub(super) fn json(state: &State, answers: &Answers) -> Json {
    let players = answers.players.iter().map(|(player, judged)| {
        let (recovered, no_longer_read) = answers.changed(*player);
        PlayerAnswersJson {
            pairing_number: player.0,
            name: name(state, *player),
            answers: judged.answers,
            not_kept: judged.not_kept,
            recovered,
            no_longer_read,
        }
    });
    let turns = answers.games.iter().flat_map(|game| {
        game.turns.iter().map(move |turn| TurnJson {
            game: game.id,
            ply: turn.ply,
            side: turn.side,
            player: name(state, game.player(turn)),
            was: turn.was.clone(),
            is: turn.is.clone(),
            recovered: turn.is_recovered,
            departs: turn.departs(),
        })
    });
    let games = answers.games.iter().filter_map(|game| {
        Some(GameJson {
            game: game.id,
            ply: game.departs()?.ply,
            lost_by_the_rule: game.is_forfeit_of_the_rule(),
            left_out: !game.is_ruled,
        })
    });
    Json {
        rule: answers.rule.iter().map(|key| harmless(key)).collect(),
        players: players.collect(),
        turns: turns.collect(),
        games: games.collect(),
    }
}
