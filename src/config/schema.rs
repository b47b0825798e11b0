//! Every key of an event file: its path, what it takes, what it means, and whether a resumed run may change it.
//!
//! The one list behind parsing, error messages, the effective configuration, the comparison on resume and the
//! template of `swissmatch init`. May not: know layers or files.

#[macro_use]
mod short;

mod adjudication;
mod analysis;
mod arbiter;
mod bye;
mod eligibility;
mod engine;
mod mini_match;
mod player;
mod playoff;
mod prizes;
mod publish;
mod schedule;
mod sections;
mod stages;

use std::sync::LazyLock;
use std::time::Duration;

pub use player::PLAYER_KEYS;
use swiss_system::standings::criterion;

use super::error::Problem;
use super::value::{Value, array, quoted, words, write_points_table};
use crate::game::time_control;
use crate::tournament::setup::{Criterion, IllegalAttempts, PointsTable, Rounds, Setup};

/// What changing a key does to a run that has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// It may change results or how they are shown to have come about: refused on resume.
    Results,
    /// It concerns output, or how the run is carried out: free to change.
    Output,
    /// It is the organizer's alone: free to change, in no log and nothing that is published.
    Private,
}

/// One key of `T`, which is a [`Setup`] or one player of it.
pub struct Key<T: 'static> {
    /// `table.key`, as messages name it.
    pub path: &'static str,
    /// What it takes: the rest of a sentence that begins with "expected".
    pub expected: &'static str,
    /// What it means, in one line.
    pub doc: &'static str,
    /// Whether a resumed run may change it.
    pub class: Class,
    /// The keys that it sets, where it is a shorthand for others; else empty.
    pub stands_for: &'static [&'static str],
    pub(super) read: fn(&mut T, Value<'_>) -> Result<(), Problem>,
    /// The value in TOML; `None` for what is not set and for shorthands.
    pub(super) write: fn(&T) -> Option<String>,
}

/// Whatever `T` is: a key holds none.
impl<T> Clone for Key<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Key<T> {}

impl<T> Key<T> {
    /// The table it stands in, and its name there.
    #[must_use]
    pub fn table_and_name(&self) -> (&'static str, &'static str) {
        self.path.split_once('.').unwrap_or(("", self.path))
    }

    const fn new(
        path: &'static str,
        expected: &'static str,
        doc: &'static str,
        read: fn(&mut T, Value<'_>) -> Result<(), Problem>,
        write: fn(&T) -> Option<String>,
    ) -> Self {
        Self {
            path,
            expected,
            doc,
            class: Class::Results,
            stands_for: &[],
            read,
            write,
        }
    }

    const fn output(self) -> Self {
        Self {
            class: Class::Output,
            ..self
        }
    }

    const fn private(self) -> Self {
        Self {
            class: Class::Private,
            ..self
        }
    }

    const fn shorthand(self, stands_for: &'static [&'static str]) -> Self {
        Self { stands_for, ..self }
    }
}

/// The flag that overrides a key: `--max-games-per-player` for `run.max_games_per_player`.
#[must_use]
pub fn flag_name(path: &str) -> String {
    format!("--{}", path.rsplit('.').next().unwrap_or_default().replace('_', "-"))
}

const ANY_U64: std::ops::RangeInclusive<i128> = 0..=u64::MAX as i128;
const NODES: std::ops::RangeInclusive<i128> = 1..=time_control::MOST_NODES as i128;
const DEPTH: std::ops::RangeInclusive<i128> = 1..=time_control::MOST_DEPTH as i128;
const TICK: Duration = Duration::from_nanos(1);

/// Every key outside `[[player]]`, in the order in which they are printed.
pub static KEYS: LazyLock<Vec<Key<Setup>>> = LazyLock::new(|| {
    [
        EVENT,
        mini_match::KEYS,
        GAME,
        bye::KEYS,
        STANDINGS,
        schedule::KEYS,
        playoff::KEYS,
        prizes::KEYS,
        adjudication::KEYS,
        engine::KEYS,
        RUNNING,
        analysis::KEYS,
        arbiter::KEYS,
        publish::KEYS,
        eligibility::KEYS,
    ]
    .concat()
});

/// How an event is paired.
const EVENT: &[Key<Setup>] = &[
    Key::new(
        "event.name",
        "a name of 1 to 100 characters without control characters or blanks at its ends",
        "Name of the event, shown everywhere; without it the name of this file.",
        |s, v| v.name().map(|name| s.event.name = name),
        |s| Some(quoted(&s.event.name)),
    ),
    Key::new(
        "event.site",
        "a text of at most 200 characters without control characters",
        "Place of the event, the PGN tag Site.",
        |s, v| v.line(0..=200).map(|site| s.event.site = site),
        |s| Some(quoted(&s.event.site)),
    ),
    key!(
        "event.rng_seed",
        "a whole number from 0 to 18446744073709551615",
        "Seed of every lot and every shuffle: the same seed, the same draw.",
        event.rng_seed = whole ANY_U64
    ),
    stages::KEY,
    sections::KEY,
    Key::new(
        "swiss.rounds",
        "\"auto\", a number of rounds from 1 to 10000, \"7-SS\", \"log2\", \"log2+2\", \"RR\", \"double-RR\", \"double-SS\", \
         \"5-double-SS\", \"gauntlet-2\", \"knockout\" or \"quads\"",
        "\"auto\", 7, \"7-SS\", \"log2+2\", \"5-double-SS\"; \"RR\", \"double-RR\", \"quads\", \"gauntlet-2\", \"knockout\": docs/formats.md.",
        |s, v| read_rounds(v).map(|rounds| s.swiss.rounds = rounds),
        // Beside a list of stages it counts for nothing, and is refused; so it is where each section has its own.
        |s| s.reads_rounds().then(|| write_rounds(s.swiss.rounds)),
    ),
    key!(
        "swiss.pairing",
        "\"match-points\", \"dutch\", \"us-chess\", \"immortal\" or \"double-swiss\"",
        "Who meets whom: \"match-points\", \"dutch\" (C.04.3), \"us-chess\", \"immortal\", \"double-swiss\" (C.04.5): docs/pairing.md.",
        swiss.pairing = choice
    ),
    key!(
        "swiss.color",
        "\"first-game\" or \"ignore\"",
        "Whether colours bind the Dutch system: those of the \"first-game\" of each meeting, or \"ignore\".",
        swiss.color = choice
    ),
    key!(
        "swiss.seeding",
        "\"rating\", \"submitted\", \"listed\" or \"random\"",
        "Order of the pairing numbers: \"rating\", \"submitted\", \"listed\" or \"random\".",
        swiss.seeding = choice
    ),
    key!(
        "swiss.edition",
        "\"2026\" or \"2017\"",
        "Text of the Dutch system: \"2026\", in force since 1 February 2026, or the one before it, \"2017\".",
        swiss.edition = choice
    ),
    key!(
        "swiss.tpn_parity",
        "\"participants\" or \"listed\"",
        "Odd or even in its article 5.2.5: numbers among the \"participants\" so far, or as \"listed\".",
        swiss.tpn_parity = choice
    ),
    key!(
        "swiss.initial_color",
        "\"lot\", \"white\" or \"black\"",
        "Initial colour of all systems but \"match-points\": by \"lot\" (event.rng_seed), \"white\" or \"black\".",
        swiss.initial_color = choice
    ),
    key!(
        "swiss.acceleration",
        "\"none\" or \"baku\"",
        "Virtual points in the first rounds of the Dutch system: \"none\", or \"baku\" (C.04.7).",
        swiss.acceleration = choice
    ),
    Key::new(
        "swiss.keep_apart",
        "a list of \"team\" and \"author\"",
        "Players alike in one of these never meet: \"team\" (player.team), \"author\" (player.author).",
        |s, v| v.any_choices().map(|kinships| s.swiss.keep_apart = kinships),
        |s| Some(words(&s.swiss.keep_apart)),
    ),
    Key::new(
        "swiss.forbidden",
        "a list of lists of players' names, such as [[\"A\", \"B\"], [\"C\", \"D\", \"E\"]]",
        "Players who never meet, by name: any two of a group.",
        |s, v| v.groups_of_names().map(|groups| s.swiss.forbidden = groups),
        |s| {
            Some(array(
                s.swiss
                    .forbidden
                    .iter()
                    .map(|group| array(group.iter().map(|name| quoted(name)))),
            ))
        },
    ),
    key!(
        "swiss.color_streak",
        "\"none\" or a whole number from 1 to 1000",
        "How often in a row one has the same colour in \"immortal\", unless it cannot be paired otherwise; \"none\": no limit.",
        swiss.color_streak = "none" or whole 1..=1000
    ),
];

/// How a game is played, and what it is worth.
const GAME: &[Key<Setup>] = &[
    Key::new(
        "game.time_control",
        "a time control as a string: \"30s/move\", \"10+0.1\", \"G/45 d5\", \"hourglass 1:00\" or \"nodes=5000\"",
        "Limit that is always enforced: \"30s/move\", \"10+0.1\", \"40/90 SD/30 +30\", \"G/45 d5\" …: docs/time-controls.md.",
        |s, v| v.time_control().map(|control| s.game.time_control = control),
        |s| Some(quoted(&s.game.time_control.to_string())),
    ),
    key!(
        "game.attempts",
        "a whole number from 1 to 1000",
        "Attempts at one move under a time per move; under a clock a fallen clock loses at once.",
        game.attempts = whole 1..=1000
    ),
    Key::new(
        "game.illegal_attempts",
        "\"shared\" or a whole number from 1 to 1000",
        "Illegal moves at one move that lose: a number of their own, or \"shared\" with overruns, game.attempts in all.",
        |s, v| {
            let attempts = v.word_or("shared", |v| v.whole(1..=1000))?;
            s.game.illegal_attempts = attempts.map_or(IllegalAttempts::Shared, IllegalAttempts::Apart);
            Ok(())
        },
        |s| {
            Some(match s.game.illegal_attempts {
                IllegalAttempts::Shared => quoted("shared"),
                IllegalAttempts::Apart(attempts) => attempts.to_string(),
            })
        },
    ),
    key!(
        "game.max_moves",
        "\"none\" or a number of full moves from 1 to 100000",
        "Draw after so many full moves of play, the opening's not counted; \"none\": no cap.",
        game.max_moves = "none" or whole 1..=100_000
    ),
    key!(
        "game.max_plies",
        "\"none\" or a number of plies from 1 to 200000",
        "The same in plies; where both are given, what is reached first counts.",
        game.max_plies = "none" or whole 1..=200_000
    ),
    key!(
        "game.move_overhead",
        "a duration such as \"50ms\"",
        "How much less than the time per move the engine is told, at most a tenth of it.",
        game.move_overhead = duration Duration::ZERO
    ),
    key!(
        "game.margin",
        "a duration such as \"50ms\"",
        "How far over its limit a move may be before it counts as an overrun.",
        game.margin = duration Duration::ZERO
    ),
    key!(
        "game.nodes",
        "\"none\" or a number of nodes from 1 to 1000000000000",
        "Nodes a move, beside the time limit, for players that have no number of their own; or \"none\".",
        game.nodes = "none" or whole NODES
    ),
    key!(
        "game.depth",
        "\"none\" or a depth in plies from 1 to 1000",
        "Depth in plies, beside the time limit, for players that have none of their own; or \"none\".",
        game.depth = "none" or whole DEPTH
    ),
    key!(
        "game.variant",
        "\"standard\" or \"chess960\"",
        "Which chess: \"standard\", or \"chess960\", for which engines must declare UCI_Chess960.",
        game.variant = choice
    ),
    key!(
        "game.ponder",
        "true or false",
        "Whether agents think while their opponents do: true or false.",
        game.ponder = switch
    ),
    Key::new(
        "scoring.game",
        "points between -1000 and 1000 with at most three decimals, as { win = 1, draw = 0.5, loss = 0 } or [1, 0.5, 0]",
        "Game points for a win, a draw, a loss: { win = 1, draw = 0.5, loss = 0 } or [1, 0.5, 0].",
        |s, v| v.points_table().map(|table| s.scoring.game = table),
        |s| Some(write_points_table(&s.scoring.game)),
    ),
    Key::new(
        "scoring.match",
        "points between -1000 and 1000 with at most three decimals, as { win = 1, draw = 0.5, loss = 0 } or [1, 0.5, 0]",
        "Match points for more game points than the opponent, equally many, fewer.",
        |s, v| v.points_table().map(|table| s.scoring.r#match = table),
        |s| Some(write_points_table(&s.scoring.r#match)),
    ),
    Key::new(
        "scoring.forfeited_game",
        "\"as-played\" or points as { win = 1, draw = 0.5, loss = 0 }",
        "Game points of a game that was not played because an engine did not start: \"as-played\", or points of their own.",
        |s, v| {
            v.word_or("as-played", Value::points_table)
                .map(|table| s.scoring.forfeited_game = table)
        },
        |s| Some(table_or_as_played(s.scoring.forfeited_game.as_ref())),
    ),
    Key::new(
        "scoring.forfeited_match",
        "\"as-played\" or points as { win = 1, draw = 0.5, loss = 0 }",
        "Match points of a mini-match without a played game: \"as-played\", or points of their own.",
        |s, v| {
            v.word_or("as-played", Value::points_table)
                .map(|table| s.scoring.forfeited_match = table)
        },
        |s| Some(table_or_as_played(s.scoring.forfeited_match.as_ref())),
    ),
];

/// What ranks.
const STANDINGS: &[Key<Setup>] = &[
    Key::new(
        "standings.order",
        "a list of criteria, such as [\"match-points\", \"h2h\", \"BH/C1\", \"SB\"]",
        "What ranks: criteria strictly in turn, \"match-points\" or \"game-points\" first; `swissmatch standings --list`.",
        |s, v| {
            let order = v.parsed_each::<Criterion>()?;
            if !order.first().is_some_and(|first| first.code.is_points()) {
                let message = "the first criterion must be \"match-points\" or \"game-points\"; the others break its ties";
                return Err(Problem::said(message.to_owned()));
            }
            criterion::refuse_doubles(&order).map_err(|error| Problem::said(error.to_string()))?;
            s.standings.order = order;
            Ok(())
        },
        |s| Some(array(s.standings.order.iter().map(|criterion| quoted(&criterion.to_string())))),
    ),
    Key::<Setup>::new(
        "standings.columns",
        "a list of criteria, \"acpl\", \"accuracy\", \"blunders\", \"win-rate\", \"wdl\", \"wdl-white\", \"wdl-black\", \"games\", \"byes\", \"forfeits\", \
         \"faults\" and \"move-time\"",
        "Columns after place and name: criteria, \"acpl\", \"win-rate\", \"wdl\", \"wdl-white\", \"games\", \"byes\", \"faults\" …",
        |s, v| v.parsed_each().map(|columns| s.standings.columns = columns),
        |s| Some(array(s.standings.columns.iter().map(|column| quoted(&column.to_string())))),
    )
    .output(),
    key!(
        "standings.edition",
        "\"2026\", \"2024\", \"2022\" or \"played-only\"",
        "Unplayed rounds in the tie-breaks of C.07: \"2026\" (in force), \"2024\", \"2022\", or \"played-only\".",
        standings.edition = choice
    ),
    key!(
        "standings.unrated",
        "\"none\" or a rating from -10000 to 10000",
        "Rating of players without one, in tie-breaks; \"none\": then tie-breaks of ratings are left out.",
        standings.unrated = "none" or whole -10_000..=10_000
    ),
    key!(
        "standings.disqualified",
        "\"off-the-list\" or \"annulled\"",
        "Who is disqualified after the end is \"off-the-list\" and others keep their scores, or his results are \"annulled\".",
        standings.disqualified = choice
    ),
];

/// How the event is carried out.
const RUNNING: &[Key<Setup>] = &[
    key!(
        "run.concurrency",
        "\"cores\" or a number of games from 1 to 10000",
        "Games at once: a number, or \"cores\", as many as have a core for each thread: docs/engines.md.",
        run.concurrency = "cores" or whole 1..=10_000
    )
    .output(),
    key!(
        "run.max_games_per_player",
        "\"none\" or a number of games from 1 to 10000",
        "Games at once of one player; \"none\": no cap.",
        run.max_games_per_player = "none" or whole 1..=10_000
    )
    .output(),
    key!(
        "run.pin",
        "\"auto\", \"always\" or \"none\"",
        "Each game on cores of its own: \"auto\" where the games at once take all cores, \"always\", or \"none\".",
        run.pin = choice
    )
    .output(),
    key!(
        "run.evidence",
        "\"faults\" or \"all\"",
        "Which games keep their UCI transcript and stderr: those with \"faults\", or \"all\".",
        run.evidence = choice
    )
    .output(),
    Key::<Setup>::new(
        "run.pgn_extras",
        "a list of \"clock\", \"latency\", \"nodes\", \"seldepth\", \"nps\", \"hashfull\", \"tbhits\", \"engine-time\", \
         \"wakeup\" and \"pv\"",
        "More in the comments of moves: \"clock\", \"latency\", \"nodes\", \"seldepth\", \"nps\", \"hashfull\", \"tbhits\", \"pv\" …",
        |s, v| v.any_choices().map(|extras| s.run.pgn_extras = extras),
        |s| Some(words(&s.run.pgn_extras)),
    )
    .output(),
    key!(
        "run.oversubscribe",
        "true or false",
        "Whether games at once may have more threads than there are hardware threads, as agents that wait for a network may.",
        run.oversubscribe = switch
    )
    .output(),
];

fn table_or_as_played(table: Option<&PointsTable>) -> String {
    table.map_or_else(|| quoted("as-played"), write_points_table)
}

const MOST_ROUNDS: u32 = 10_000;

fn read_rounds(value: Value<'_>) -> Result<Rounds, Problem> {
    let Ok(text) = value.string() else {
        return value.whole(1..=MOST_ROUNDS.into()).map(Rounds::Number);
    };
    match text.parse() {
        Ok(
            Rounds::Number(number)
            | Rounds::Log2Plus(number)
            | Rounds::DoubleSwiss(Some(number))
            | Rounds::Gauntlet(number),
        ) if number > MOST_ROUNDS => Err(value.unexpected()),
        Ok(rounds) => Ok(rounds),
        Err(_) => Err(value.unexpected()),
    }
}

fn write_rounds(rounds: Rounds) -> String {
    match rounds {
        Rounds::Number(rounds) => rounds.to_string(),
        written => quoted(&written.to_string()),
    }
}
