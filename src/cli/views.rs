//! Looking at a run, while it is played or later: `status`, `standings`, `crosstable`, `export`.

use crate::tournament::embargo::embargo;
use crate::tournament::part_events::parts_after;
use crate::tournament::ties::event_is_over;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use swiss_system::count;
use swiss_system::pairing::rounds::Format;

use crate::report;
use crate::report::duplicates::Duplicates;
use crate::report::pgn::Comments;
use crate::report::{crosstable, file_standings, games, parts, summary, trf, warnings};
use crate::run::open_run::{OpenError, OpenRun};
use crate::run::{self, open_run, publish};
use crate::shell::{files, machine, run_dir};
use crate::tournament::resampled::in_event;
use crate::tournament::state::{Game, State};
use crate::tournament::{director, ties, waiting};

use super::confidence::Confidence;
use super::exit::{Exit, Failure};
use super::file_ranking;
use super::file_ranking::FileRanking;
use super::form::FormFlags;
use super::run::{playing_is_held, waits_for_a_yes};

/// Which run.
#[derive(Debug, Args)]
pub(super) struct Place {
    /// Directory of the run (default: the one in results/ that was written to last)
    #[arg(value_name = "RUN")]
    run: Option<PathBuf>,
}

impl Place {
    pub(super) fn open(&self) -> Result<OpenRun, Failure> {
        open(self.run.as_deref())
    }

    /// The place of a run that something is to be done with: of several that are played at once it has to be said which.
    pub(super) fn to_act(&self) -> Result<Self, Failure> {
        if self.run.is_none() {
            let runs = open_run::at_work();
            if runs.len() > 1 {
                let lines = runs.iter().map(|dir| {
                    let event = OpenRun::open(Some(dir)).map(|run| report::event_name(&run.state));
                    let event = event.map_or_else(|_| String::new(), |name| format!(" ({name})"));
                    format!("\n  {}{event}", dir.display())
                });
                return Err(Failure::usage(anyhow!(
                    "{} runs are being played: say which, as RUN:{}",
                    runs.len(),
                    lines.collect::<String>()
                )));
            }
        }
        // Found once: another run may be written to last by the time it is opened again.
        let run = Some(self.open()?.dir);
        Ok(Self { run })
    }

    /// See [`open_event`].
    pub(super) fn open_event(&self) -> Result<OpenRun, Failure> {
        open_event(self.run.as_deref())
    }
}

/// Opens a run to look at it.
///
/// # Errors
/// Wrong usage where there is none; the machine where it cannot be read.
pub(super) fn open(place: Option<&Path>) -> Result<OpenRun, Failure> {
    if let Some(path) = place.filter(|path| !path.exists()) {
        return Err(Failure::usage(anyhow!("there is no {}", path.display())));
    }
    if let Some(path) = place.filter(|path| is_tournament_file(path)) {
        return Err(Failure::usage(anyhow!(
            "{} is no run; `swissmatch standings FILE.trf --tiebreaks …` ranks a tournament file by any rules, and \
             `swissmatch explain A B --file FILE.trf` explains it",
            path.display()
        )));
    }
    let run = OpenRun::open(place).map_err(|error| match error {
        OpenError::Unseen(..) | OpenError::Store(_) | OpenError::Broken(_) => Failure::machine(error),
        OpenError::NoRun(_) | OpenError::NoneYet | OpenError::Empty(_) => Failure::usage(error),
    })?;
    if let Some(note) = under_embargo(&run.state) {
        // Whoever read this may have gone.
        let _ = writeln!(std::io::stderr(), "note: {note}");
    }
    Ok(run)
}

/// What the organizer sees and others do not.
pub(super) fn under_embargo(state: &State) -> Option<String> {
    let shown = embargo(state).filter(|shown| state.rounds().len() > *shown)?;
    Some(format!(
        "under embargo: the files of the run show {} (publish.embargo_rounds), until `swissmatch arbiter release`; this shows all",
        match shown {
            0 => "no round".to_owned(),
            1 => "round 1 alone".to_owned(),
            _ => format!("rounds 1 to {shown}"),
        }
    ))
}

/// Opens the run of an event that has rounds.
///
/// # Errors
/// As [`open`]; wrong usage for the run of a tour's play-offs.
pub(super) fn open_event(place: Option<&Path>) -> Result<OpenRun, Failure> {
    let run = open(place)?;
    refuse_tour(&run)?;
    Ok(run)
}

fn refuse_tour(run: &OpenRun) -> Result<(), Failure> {
    match run.state.created().tour {
        None => Ok(()),
        Some(_) => Err(Failure::usage(anyhow!(
            "{dir} holds the play-offs of a tour, which has no rounds; see `swissmatch tour {dir}` and `swissmatch playoff {dir}`",
            dir = run.dir.display()
        ))),
    }
}

pub(super) fn print(text: &str) -> Result<Exit, Failure> {
    std::io::stdout().write_all(text.as_bytes()).map_err(Failure::machine)?;
    Ok(Exit::Done)
}

/// How far a run is, what is being played, who was at fault, who leads
#[derive(Debug, Args)]
pub(super) struct Status {
    #[command(flatten)]
    place: Place,
    /// List duplicate games instead: those that repeat an earlier one move by move
    #[arg(long, conflicts_with = "warnings")]
    duplicates: bool,
    /// Print as JSON
    #[arg(long)]
    json: bool,
    /// Also check the variations and claims of engines in all games, and show what cannot be so; with --json their number
    #[arg(long)]
    warnings: bool,
}

impl Status {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let run = self.place.open()?;
        if self.duplicates {
            let found = Duplicates::of(&run.state);
            return print(&match self.json {
                true => found.json(&run.state),
                false => found.page(&run.state).text(machine::columns()),
            });
        }
        let games: Vec<_> = run.state.finished_games().collect();
        let warned = match self.warnings {
            true => Some(run::warnings::of_games(&run, &games).map_err(|error| Failure::machine(anyhow!(error)))?),
            false => None,
        };
        let now = jiff::Timestamp::now();
        let ends = open_run::ends(&run.logged).map_err(Failure::machine)?;
        let wait = waiting::awaited(&run.state, &director::coming(&run.state), ends, now);
        let wait = wait.filter(|_| run.state.orders().paused.is_none());
        if self.json {
            let counts = warned.map(|warned| warnings::by_player(&run.state, &warned));
            return print(&summary::json(&run.state, wait, counts));
        }
        let warned = warned.map_or_else(String::new, |warned| {
            format!("\n{}", warnings::text(&run.state, &warned))
        });
        let runner = match (run_dir::is_taken(&run.dir), event_is_over(&run.state)) {
            (true, _) => "A runner is at work on it.",
            (false, true) => "It is over.",
            (false, false) if ties::waits_for_decision(&run.state) => {
                "It waits for the arbiter: `swissmatch arbiter decide`; then `swissmatch run` with its event file goes on."
            }
            (false, false) => "No runner is at work on it; `swissmatch run` with its event file goes on.",
        };
        let summary = summary::text(&run.state);
        let zone = &run.state.setup().schedule.time_zone;
        let wait = wait.map_or_else(String::new, |wait| {
            format!("Waiting: {}\n", report::waiting::sentence(wait, now, zone))
        });
        let held = playing_is_held(&run.state).or_else(|| waits_for_a_yes(&run.state));
        let held = held.map_or_else(String::new, |held| format!("{held}\n"));
        print(&format!("{}\n{wait}{held}{runner}\n{warned}", summary.trim_end()))
    }
}

/// The standings of a run, also of an earlier round; or of a tournament file, by any tie-breaks
///
///   swissmatch standings                                    the latest run in results/
///   swissmatch standings results/event --round 3
///   swissmatch standings open.trf --tiebreaks BH/C1,BH,SB,DE --edition 2026
///   swissmatch standings --list                             every tie-break and its meaning
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Standings {
    /// Directory of the run (default: the one in results/ that was written to last), or a tournament file (TRF); - for
    /// standard input
    #[arg(value_name = "RUN|FILE.trf")]
    place: Option<PathBuf>,
    /// Name every tie-break and its meaning
    #[arg(long, exclusive = true)]
    list: bool,
    /// After this round
    #[arg(long, value_name = "N")]
    round: Option<usize>,
    /// Of an event of several parts (sections, stages) only this one, from 1; rounds are still those of the event
    #[arg(long, value_name = "N")]
    part: Option<usize>,
    #[command(flatten)]
    form: FormFlags,
    #[command(flatten)]
    confidence: Confidence,
    #[command(flatten)]
    ranking: FileRanking,
}

impl Standings {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        if self.list {
            return print(&file_ranking::list());
        }
        if let Some(path) = self.place.as_deref().filter(|path| is_tournament_file(path)) {
            self.confidence.refuse_for_file()?;
            let ranked = self.ranking.rank(path, self.round)?;
            return print(&self.form.text(
                || file_standings::page(&ranked.results, &ranked.standings, &ranked.about),
                || file_standings::json(&ranked.results, &ranked.standings, &ranked.about),
            ));
        }
        if let Some(path) = self.place.as_deref().filter(|path| !path.exists()) {
            return Err(Failure::usage(anyhow!("there is no {}", path.display())));
        }
        let is_of_samples = |flag: &&str| *flag == "--rng-seed" && self.confidence.samples.is_some();
        if let Some(flag) = self.ranking.given().filter(|flag| !is_of_samples(flag)) {
            return Err(Failure::usage(anyhow!(
                "{flag} is for tournament files, and --rng-seed also for --confidence; `swissmatch rescore` ranks a run by \
                 other rules"
            )));
        }
        let run = Place {
            run: self.place.clone(),
        }
        .open_event()?;
        let round = checked_round(&run, self.round)?;
        if let Some(samples) = self.confidence.samples {
            let form = self.form.form();
            let part = self.part.and_then(|number| {
                let mut parts = parts_after(&run.state, round).into_iter();
                parts.nth(number.checked_sub(1)?).map(|(part, ..)| part)
            });
            let (state, round) = chosen_part(run.state.clone(), self.part, round)?;
            let named = |board| part.as_ref().map_or(board, |part| in_event(&run.state, part, board));
            return print(
                &self
                    .confidence
                    .standings(&state, round, samples, self.ranking.rng_seed, form, &named)?,
            );
        }
        let (state, round) = chosen_part(run.state, self.part, round)?;
        print(&self.form.text(
            || parts::standings(&state, round),
            || parts::standings_json(&state, round),
        ))
    }
}

/// Whether it is a tournament file rather than a run, which may be given by its database.
fn is_tournament_file(path: &Path) -> bool {
    let is_database = path.extension().is_some_and(|extension| extension == "sqlite");
    path == Path::new("-") || (path.exists() && !path.is_dir() && !is_database)
}

/// The number of rounds asked for: all that have been paired, or a given one.
pub(super) fn checked_round(run: &OpenRun, round: Option<usize>) -> Result<usize, Failure> {
    let paired = run.state.rounds().len();
    match round {
        None => Ok(paired),
        Some(round) if (1..=paired).contains(&round) => Ok(round),
        Some(round) => Err(Failure::usage(anyhow!(
            "there is no round {round}; {paired} have been paired so far"
        ))),
    }
}

/// One part of an event as an event of its own, and how many of the event's first rounds are its own; without a number the
/// event.
fn chosen_part(state: State, number: Option<usize>, rounds: usize) -> Result<(State, usize), Failure> {
    let Some(number) = number else {
        return Ok((state, rounds));
    };
    let parts = parts_after(&state, rounds);
    let count = parts.len();
    match parts.into_iter().nth(number.wrapping_sub(1)) {
        _ if !state.is_divided() => Err(Failure::usage(anyhow!(
            "--part {number}: the event has no parts; leave it out"
        ))),
        Some((_, own, rounds)) => Ok((own, rounds)),
        None => Err(Failure::usage(anyhow!(
            "--part {number}: the event has {}{}",
            count::of(count, "part", "parts"),
            if state.created().format == Format::Stages {
                " by then"
            } else {
                ""
            }
        ))),
    }
}

/// Who met whom, and with what result: by round, or by opponent
#[derive(Debug, Args)]
pub(super) struct Crosstable {
    #[command(flatten)]
    place: Place,
    /// After this round
    #[arg(long, value_name = "N")]
    round: Option<usize>,
    /// Of an event of several parts (sections, stages) only this one, from 1; rounds are still those of the event
    #[arg(long, value_name = "N")]
    part: Option<usize>,
    /// One column an opponent instead of one a round; JSON has all that there is
    #[arg(long, conflicts_with = "json")]
    by_opponent: bool,
    #[command(flatten)]
    form: FormFlags,
}

impl Crosstable {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let run = self.place.open_event()?;
        let round = checked_round(&run, self.round)?;
        let (state, round) = chosen_part(run.state, self.part, round)?;
        let pages = match self.by_opponent {
            false => parts::crosstables(&state, round),
            true if state.is_divided() => {
                return Err(Failure::usage(anyhow!("--by-opponent shows one part: give --part N")));
            }
            true => crosstable::by_opponent(&state, round)
                .ok_or_else(|| Failure::usage(anyhow!("too many players for a column each; leave --by-opponent out")))?
                .into(),
        };
        let json = || parts::crosstables_json(&state, round);
        print(&self.form.text(|| pages, json))
    }
}

/// What `export` writes.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum What {
    /// Games as PGN, in schedule order
    Pgn,
    /// A list of games as CSV
    GamesCsv,
    /// A list of games as JSON
    GamesJson,
    /// Standings as CSV
    Csv,
    /// Standings as JSON
    Json,
    /// Standings and pairings of every round as Markdown
    Markdown,
    /// A tournament file (TRF) that other programs can check; see docs/trf.md
    Trf,
    /// Moves, times, evaluations and attempts of games as JSON, one game a line
    Records,
    /// UCI transcript and standard error of one game, where kept
    Evidence,
    /// Variations and claims of engines that cannot be so, as JSON, one a line: game, move, position, variation
    Warnings,
}

/// How `export trf` shows a mini-match.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum View {
    /// Each agent a player, each mini-match one result: to check the pairings and match points
    Individual,
    /// Each agent a team, each game a board: to check the game points
    Teams,
}

/// Write games or tables of a run as PGN, CSV, JSON or Markdown
///
/// They go to standard output, or to a file.
#[derive(Debug, Args)]
pub(super) struct Export {
    /// What to write
    what: What,
    #[command(flatten)]
    place: Place,
    /// Only this game (ROUND.BOARD.GAME), board (ROUND.BOARD) or round (ROUND); play-off rounds after round 9 are 9p1, 9p2 …
    #[arg(long, value_name = "ID")]
    only: Option<String>,
    /// PGN without comments: the same bytes for the same moves
    #[arg(long)]
    no_comments: bool,
    /// How a tournament file shows mini-matches (default: individual)
    #[arg(long)]
    view: Option<View>,
    /// A tournament file of this part, from 1, of an event of several (sections, stages)
    #[arg(long, value_name = "N")]
    part: Option<usize>,
    /// A tournament file as it stood after this round; 0: before the first
    #[arg(long, value_name = "N")]
    round: Option<usize>,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Export {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let run = self.place.open()?;
        let text = self.text(&run)?;
        let Some(path) = &self.output else { return print(&text) };
        files::write_out(path, &text).map_err(Failure::machine)?;
        Ok(Exit::Done)
    }

    fn text(&self, run: &OpenRun) -> Result<String, Failure> {
        let rounds = run.state.rounds().len();
        let of_trf = self.view.is_some() || self.round.is_some() || self.part.is_some();
        if of_trf && !matches!(self.what, What::Trf) {
            return Err(Failure::usage(anyhow!("--view, --round and --part are for trf alone")));
        }
        if self.only.is_some() && matches!(self.what, What::Csv | What::Json | What::Markdown | What::Trf) {
            return Err(Failure::usage(anyhow!(
                "--only chooses games; standings after an earlier round are shown by `swissmatch standings --round N`"
            )));
        }
        if matches!(self.what, What::Csv | What::Json | What::Markdown | What::Trf) {
            refuse_tour(run)?;
        }
        Ok(match self.what {
            What::Pgn => {
                let comments = if self.no_comments {
                    Comments::None
                } else {
                    Comments::Full
                };
                publish::render_games(&run.state, &self.games(run)?, run.created_at(), &run.store, comments)
                    .map_err(Failure::machine)?
            }
            What::GamesCsv => games::table(&run.state, &self.games(run)?).csv(),
            What::GamesJson => games::json(&run.state, &self.games(run)?),
            What::Csv => parts::standings(&run.state, rounds).csv(),
            What::Json => parts::standings_json(&run.state, rounds),
            What::Markdown => {
                let pairings = (1..=rounds).filter_map(|round| games::round(&run.state, round));
                let tables = [
                    parts::standings(&run.state, rounds).markdown(),
                    parts::crosstables(&run.state, rounds).markdown(),
                ];
                let pairings = pairings.map(|page| page.markdown());
                tables.into_iter().chain(pairings).collect::<Vec<_>>().join("\n")
            }
            What::Trf => {
                let view = match self.view {
                    None | Some(View::Individual) => trf::View::Individual,
                    Some(View::Teams) => trf::View::Teams,
                };
                let over = run.state.rounds_over();
                let round = self.round.unwrap_or(over);
                if round > over {
                    return Err(Failure::usage(anyhow!(
                        "round {round} is not over; so far {} of {} are",
                        over,
                        count::of(run.state.created().rounds as usize, "round", "rounds")
                    )));
                }
                let (state, round) = chosen_part(run.state.clone(), self.part, round)?;
                trf::text(&state, view, round).map_err(Failure::usage)?
            }
            What::Records => self.blobs(run, |game| game.finished.record.as_deref())?.join("\n") + "\n",
            What::Evidence => {
                let texts = self.blobs(run, |game| game.finished.evidence.as_deref())?;
                if texts.is_empty() {
                    return Err(Failure::usage(anyhow!(
                        "no evidence is kept of such a game; it is kept of games with faults, or of all with \
                         run.evidence = \"all\""
                    )));
                }
                texts.join("\n")
            }
            What::Warnings => {
                let warned = run::warnings::of_games(run, &self.games(run)?);
                warnings::json_lines(&run.state, &warned.map_err(|error| Failure::machine(anyhow!(error)))?)
            }
        })
    }

    fn games<'a>(&self, run: &'a OpenRun) -> Result<Vec<&'a Game>, Failure> {
        let Some(only) = &self.only else {
            return Ok(run.state.finished_games().collect());
        };
        let (round, rest) = only.split_once('.').unwrap_or((only, "1"));
        let is_number = |part: &str| part.parse::<u32>().is_ok();
        // A play-off round is called by the round that it follows: 9p2.
        let is_round = round.split('p').count() <= 2 && round.split('p').all(is_number);
        if !is_round || rest.split('.').count() > 2 || !rest.split('.').all(is_number) {
            return Err(Failure::usage(anyhow!(
                "--only {only}: write ROUND, ROUND.BOARD or ROUND.BOARD.GAME, such as 2.1.14; in a play-off 9p2.1.1"
            )));
        }
        let is_of = |game: &&Game| format!("{}.", game.finished.id).starts_with(&format!("{only}."));
        let games: Vec<_> = run.state.finished_games().filter(is_of).collect();
        if games.is_empty() {
            Err(Failure::usage(anyhow!("no finished game has the number {only}")))
        } else {
            Ok(games)
        }
    }

    fn blobs(&self, run: &OpenRun, hash: impl Fn(&Game) -> Option<&str>) -> Result<Vec<String>, Failure> {
        let games = self.games(run)?;
        let hashes = games.iter().filter_map(|game| Some((game.finished.id, hash(game)?)));
        let texts = hashes.map(|(id, hash)| match run.store.blob(hash) {
            Ok(Some(text)) => Ok(text),
            Ok(None) => Err(Failure::machine(anyhow!(
                "what the log keeps of game {id} is missing or was changed"
            ))),
            Err(error) => Err(Failure::machine(error)),
        });
        texts.collect()
    }
}
