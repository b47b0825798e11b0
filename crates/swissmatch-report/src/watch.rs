//! A run as a terminal shows it while it is watched: how far it is, the games under way, the standings, what happened last.
//!
//! A pure function of what is known and of the terminal's size. May not: ask the time; write to a terminal.

use jiff::Timestamp;
use shakmaty::Position as _;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use swiss_system::text::harmless;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::parts;
use super::untrusted;
use swissmatch_game::Side;
use swissmatch_game::eval::Eval;
use swissmatch_tournament::live::{LiveGame, LiveSide};
use swissmatch_tournament::state::{Sitting, State};

/// Columns that a name of a game has at most.
const NAME: usize = 20;
/// Fewest columns and rows that anything is drawn on.
const LEAST: (usize, usize) = (20, 5);
/// Most lines of what happened.
const MOST_NEWS: usize = 5;

/// What is shown.
#[derive(Debug)]
pub struct Sight<'a> {
    /// The event.
    pub state: &'a State,
    /// The present time.
    pub now: Timestamp,
    /// Games under way, in the order of their slots.
    pub games: &'a [LiveGame],
    /// Whether a runner is at work, what the event waits for, what cannot be read: sentences, the first of them the most needed.
    pub words: &'a [String],
    /// How fast games are played, and the time left.
    pub pace: Option<&'a str>,
    /// What happened, the newest last.
    pub news: &'a [String],
}

/// A line on the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What stands there: as many columns as there are, at most.
    pub text: String,
    /// Whether it is a heading.
    pub is_heading: bool,
}

/// The lines for a terminal of so many columns and rows: never more rows.
pub fn draw(sight: &Sight<'_>, columns: usize, rows: usize) -> Vec<Line> {
    if columns < LEAST.0 || rows < LEAST.1 {
        return vec![line("too small", columns)].into_iter().take(rows).collect();
    }
    let mut lines = vec![
        heading(&untrusted::event(sight.state), columns),
        line(&progress(sight), columns),
    ];
    lines.extend(sight.words.iter().map(|words| line(words, columns)));
    let foot = line("q leaves", columns);
    // Each part has an empty line before it and a heading.
    let left = |lines: &Vec<Line>| rows.saturating_sub(lines.len() + 1);
    let part = |lines: &mut Vec<Line>, title: &str, texts: Vec<String>| {
        if texts.is_empty() || left(lines) < 3 {
            return;
        }
        let most = left(lines) - 2;
        lines.extend([line("", columns), heading(title, columns)]);
        lines.extend(texts.iter().take(most).map(|text| line(text, columns)));
    };
    let news: Vec<String> = sight
        .news
        .iter()
        .rev()
        .take(MOST_NEWS)
        .rev()
        .map(|news| harmless(news))
        .collect();
    let of_news = if news.is_empty() { 0 } else { news.len() + 2 };
    let games = games(sight);
    let for_games = left(&lines).saturating_sub(of_news) / 2;
    part(
        &mut lines,
        "Games under way",
        cut(games, for_games.saturating_sub(2).max(1)),
    );
    let standings = standings(sight.state, columns);
    let for_standings = left(&lines).saturating_sub(of_news);
    if for_standings > 3 {
        part(&mut lines, "Standings", cut(standings, for_standings - 2));
    }
    part(&mut lines, "What happened", news);
    lines.truncate(rows - 1);
    lines.resize(rows - 1, line("", columns));
    lines.push(foot);
    lines
}

/// The first so many, the last of which says how many there are beside.
fn cut(mut texts: Vec<String>, most: usize) -> Vec<String> {
    if texts.len() > most && most > 0 {
        let more = texts.len() - most + 1;
        texts.truncate(most - 1);
        texts.push(format!("… and {more} more"));
    }
    texts
}

fn progress(sight: &Sight<'_>) -> String {
    let state = sight.state;
    let (_, finished) = state.progress();
    let round = state.rounds().len();
    let mut words = vec![format!("Round {round} of {}", state.last_round())];
    if let Some(sitting) = state.sittings().last() {
        words.push(format!("{} games of it", of_sitting(sitting)));
    }
    words.push(format!("{finished} games in all"));
    words.extend(sight.pace.map(str::to_owned));
    words.join(" · ")
}

fn of_sitting(sitting: Sitting<'_>) -> String {
    let games: usize = sitting.mini_matches.iter().map(|board| board.games.len()).sum();
    let ended: usize = sitting.mini_matches.iter().map(|board| board.games.count_ended()).sum();
    format!("{ended} of {games}")
}

fn standings(state: &State, columns: usize) -> Vec<String> {
    let text = parts::standings(state, state.rounds().len()).text(u16::try_from(columns).ok());
    text.trim_end().lines().map(str::to_owned).collect()
}

/// A line a game: number, players, last move, clocks, evaluation and depth, in columns.
fn games(sight: &Sight<'_>) -> Vec<String> {
    let rows = sight.games.iter().map(|game| {
        let clock = |side: &LiveSide, of: Side| match shown_clock(game, side, of, sight.now) {
            Some(clock) if game.to_move == Some(of) => format!("{clock}*"),
            Some(clock) => clock,
            None => String::new(),
        };
        let result = game.ended.as_ref().map(|ended| ended.result.pgn().to_owned());
        [
            game.id.to_string(),
            fitted(&game.white.name, NAME),
            fitted(&game.black.name, NAME),
            result.unwrap_or_else(|| last_move(game)),
            clock(&game.white, Side::White),
            clock(&game.black, Side::Black),
            evaluation(game),
        ]
    });
    let rows: Vec<[String; 7]> = rows.collect();
    let width = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or(0);
    let widths: [usize; 7] = std::array::from_fn(width);
    let in_columns = |row: &[String; 7]| {
        let mut text = String::new();
        for (cell, width) in row.iter().zip(widths).filter(|(_, width)| *width > 0) {
            text.push_str(cell);
            text.extend(std::iter::repeat_n(' ', width - cell.width() + 2));
        }
        text.trim_end().to_owned()
    };
    rows.iter().map(in_columns).collect()
}

/// What a clock shows now.
fn shown_clock(game: &LiveGame, side: &LiveSide, of: Side, now: Timestamp) -> Option<String> {
    let left = side.clock_us?;
    let since = game.since.filter(|_| game.to_move == Some(of));
    let gone = since.map_or(0, |since| {
        u64::try_from(now.duration_since(since).as_micros()).unwrap_or(0)
    });
    let seconds = left.saturating_sub(gone) / 1_000_000;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    Some(match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    })
}

/// The evaluation of who moved last, from White's side.
fn evaluation(game: &LiveGame) -> String {
    let sides = [(Side::White, &game.white), (Side::Black, &game.black)];
    let last = sides
        .into_iter()
        .filter_map(|(side, of)| Some((side, of.last.as_ref()?)));
    let Some((side, last)) = last.max_by_key(|(_, last)| last.ply) else {
        return String::new();
    };
    let sign = |value: i32| if (value < 0) == (side == Side::White) { '-' } else { '+' };
    let value = match last.eval {
        None => return String::new(),
        Some(Eval::Centipawns(0)) => "0.00".to_owned(),
        Some(Eval::Centipawns(value)) => {
            let of = value.unsigned_abs();
            format!("{}{}.{:02}", sign(value), of / 100, of % 100)
        }
        Some(Eval::Mate(moves)) => format!("{}M{}", sign(moves), moves.unsigned_abs()),
    };
    match last.depth {
        Some(depth) => format!("{value}/{depth}"),
        None => value,
    }
}

/// `23. Nf3`, `23... Nf6`; nothing before the first.
fn last_move(game: &LiveGame) -> String {
    let Ok(mut position) = game.opening.start_position() else {
        return String::new();
    };
    let mut shown = String::new();
    let played = game.moves.split_ascii_whitespace();
    let words = played.map(|word| UciMove::from_ascii(word.as_bytes()).ok());
    for uci in game.opening.moves.iter().copied().map(Some).chain(words) {
        let Some(legal) = uci.and_then(|uci| uci.to_move(&position).ok()) else {
            break;
        };
        let dots = if position.turn().is_white() { "." } else { "..." };
        let number = position.fullmoves();
        let san = SanPlus::from_move_and_play_unchecked(&mut position, legal);
        shown = format!("{number}{dots} {san}");
    }
    shown
}

fn heading(text: &str, columns: usize) -> Line {
    Line {
        is_heading: true,
        ..line(text, columns)
    }
}

fn line(text: &str, columns: usize) -> Line {
    Line {
        text: fitted(&harmless(text), columns),
        is_heading: false,
    }
}

/// A text in so many columns, with `…` at its end where it has more.
fn fitted(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let (mut shown, mut taken) = (String::new(), 0);
    for c in text.chars() {
        taken += c.width().unwrap_or(0);
        if taken + 1 > columns {
            break;
        }
        shown.push(c);
    }
    shown + "…"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use swissmatch_game::seen::LastMove;
    use swissmatch_tournament::live::SCHEMA;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).expect("a time")
    }

    fn game(state: &State) -> LiveGame {
        let finished = state.finished_games().next().expect("it was played").finished;
        let side = |number, clock, last| LiveSide {
            pairing_number: number,
            name: untrusted::name(state, number),
            clock_us: Some(clock),
            last,
        };
        let black = LastMove {
            ply: 1,
            eval: Some(Eval::Centipawns(-131)),
            depth: Some(12),
            ..LastMove::default()
        };
        LiveGame {
            schema: SCHEMA,
            at: at(0),
            slot: 0,
            id: finished.id,
            begun: at(0),
            white: side(finished.white, 3_700_000_000, None),
            black: side(finished.black, 59_900_000, Some(black)),
            opening: swissmatch_game::opening::Opening::start(swissmatch_game::variant::Variant::Standard),
            moves: "e2e4 c7c5".to_owned(),
            plies: 2,
            to_move: Some(Side::White),
            since: Some(at(5)),
            limit_us: None,
            ended: None,
        }
    }

    fn drawn(columns: usize, rows: usize) -> String {
        let state = fixture::over();
        let games = [game(&state)];
        let news: Vec<String> = (1..=9).map(|number| format!("line {number} \u{1b}[31m")).collect();
        let sight = Sight {
            state: &state,
            now: at(10),
            games: &games,
            words: &["A runner is at work.".to_owned()],
            pace: Some("0.5/s"),
            news: &news,
        };
        let lines = draw(&sight, columns, rows);
        assert!(lines.len() <= rows);
        assert!(lines.iter().all(|line| line.text.width() <= columns), "{lines:#?}");
        lines.iter().map(|line| format!("{}\n", line.text)).collect()
    }

    #[test]
    fn everything_has_its_place() {
        let drawn = drawn(80, 24);
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!(lines.len(), 24, "{drawn}");
        let game = "1.1.1  Alpha  Charlie  1... c5  1:01:35*  0:59  +1.31/12";
        let progress = "Round 3 of 3 · 4 of 4 games of it · 12 games in all · 0.5/s";
        assert_eq!(
            lines[..9],
            [
                "Spring qualifier",
                progress,
                "A runner is at work.",
                "",
                "Games under way",
                game,
                "",
                "Standings",
                "Spring qualifier: final standings after 3 rounds"
            ]
        );
        assert_eq!(lines[15..18], ["… and 8 more", "", "What happened"]);
        assert_eq!(lines[22..], ["line 9 [31m", "q leaves"]);
    }

    #[test]
    fn it_fits_any_terminal() {
        for columns in [1, 19, 20, 33, 80, 300] {
            for rows in 1..40 {
                drawn(columns, rows);
            }
        }
        let small = drawn(40, 8);
        assert!(
            small.starts_with("Spring qualifier\n") && small.ends_with("q leaves\n"),
            "{small}"
        );
        assert!(!drawn(80, 24).contains('\u{1b}'));
    }

    #[test]
    fn texts_are_cut_by_their_width() {
        assert_eq!(fitted("abcdef", 6), "abcdef");
        assert_eq!(fitted("abcdef", 4), "abc…");
        assert_eq!(fitted("日本語", 4), "日…");
    }
}
