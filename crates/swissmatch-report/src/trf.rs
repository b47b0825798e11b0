//! The event as a tournament file (TRF), so that other programs can check it. There are two views of an event of mini-matches. In one, each
//! engine is a player and each mini-match one result, which shows the pairings. In the other, each engine is a team and each game a board,
//! which shows the game points.
//!
//! A round that is not over is left out. No day is written, so that the same event gives the same bytes whenever it was
//! played.
//!
//! May not: know columns; pair, rank or count points.

mod individual;
mod teams;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

pub use individual::individual;
use swiss_system::pairing::difference::{ColorComparison, difference};
use swiss_system::pairing::history::{FirstColor, PairingNumber, RoundPairing};
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::score::Points;
use swiss_system::standings::Standings;
use swiss_system::standings::criterion::{Code, Criterion, in_tournament_files};
use swiss_system::text::harmless;
use swiss_system::trf;
use swiss_system::trf::{
    Acceleration, Alteration, Color, Forbidden, Header, PointsSymbol, Record, ResultCode, RoundCell, Span, Spelling,
    TieBreakList, TieBreaks, editions_comment, not_ranked_comment,
};
use swiss_system::word::Word as _;
pub use teams::teams;

use super::playoff;
use super::standings::early;
use swissmatch_tournament::altered;
use swissmatch_tournament::history::forbidden_pairs;
use swissmatch_tournament::setup::{AccelerationRule, ColorRule, DutchEdition, PairingSystem, PointsTable};
use swissmatch_tournament::stage::Stage;
use swissmatch_tournament::state::{MiniMatch, Round, State};
use swissmatch_tournament::system::dutch_rules;

/// The largest number of a player.
const MOST_PLAYERS: usize = 9999;
/// Both colours of a pair, White's first.
const COLORS: [Color; 2] = [Color::White, Color::Black];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// An engine is a player, and a mini-match a game.
    Individual,
    /// An engine is a team, and a game of a mini-match a board.
    Teams,
}

/// Why an event cannot be written as a tournament file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrfExportError {
    /// More players than four digits can count.
    #[error("{0} players; a tournament file holds at most {MOST_PLAYERS}")]
    Players(usize),
    /// More teams, or boards of all teams together, than the digits can count.
    #[error(
        "{teams} players in mini-matches of {boards}; the view as teams holds at most {most} players, and players times games \
         up to {MOST_PLAYERS}",
        most = teams::MOST_TEAMS
    )]
    Boards {
        /// Engines.
        teams: usize,
        /// Games of a mini-match.
        boards: usize,
    },
    /// Absences would need two different values.
    #[error("a forfeit lost is worth {0} here and an absence 0; a tournament file has one value for both")]
    Absence(Points),
    /// It is the run of a tour's play-offs.
    #[error("a tour has no rounds of its own")]
    Tour,
    /// Forfeits with points of their own.
    #[error(
        "forfeits have points of their own here (scoring.forfeited_game, scoring.forfeited_match), which a tournament file \
         cannot express"
    )]
    Forfeits,
    /// Rounds count as unplayed, as after a forfeit, and give less than a loss.
    #[error(
        "a mini-match in which both agents failed gives nothing here (faults.both_failed), and a loss {0}; a tournament file has one value for \
         both"
    )]
    BothFailed(Points),
    /// There are several tables.
    #[error("the event has parts that are ranked separately; `swissmatch export trf --part N` writes one of them")]
    Parts,
    /// Rounds of teams for which there is no record.
    #[error("the view as teams cannot express two byes in one round, annulled mini-matches and void games")]
    Rounds,
    /// A value does not fit its columns.
    #[error(transparent)]
    Unwritable(#[from] trf::TrfWriteError),
}

/// The file's text after the first `rounds` rounds, or all that are over if these are fewer, in ASCII.
///
/// # Errors
/// [`TrfExportError`]
pub fn text(state: &State, view: View, rounds: usize) -> Result<String, TrfExportError> {
    if state.is_divided() {
        return Err(TrfExportError::Parts);
    }
    let scoring = &state.setup().scoring;
    if state.created().tour.is_some() {
        return Err(TrfExportError::Tour);
    }
    if scoring.forfeited_game.is_some() || scoring.forfeited_match.is_some() {
        return Err(TrfExportError::Forfeits);
    }
    let mut mini_matches = counted(state, rounds).iter().flat_map(|round| &round.mini_matches);
    let loss = scoring.r#match.loss;
    if loss != Points::ZERO && mini_matches.any(MiniMatch::is_failed_by_both) {
        return Err(TrfExportError::BothFailed(loss));
    }
    let tournament = match view {
        View::Individual => individual(state, rounds),
        View::Teams => teams(state, rounds),
    }?;
    Ok(trf::write(&tournament)?)
}

/// The text in printable ASCII, which takes as many columns in every program; other characters become `?`. Cut to `width` characters.
fn ascii(text: &str, width: usize) -> String {
    let printable = |c: char| if matches!(c, ' '..='~') { c } else { '?' };
    let all: String = harmless(text).chars().map(printable).collect();
    let cut: String = all.trim_matches(' ').chars().take(width).collect();
    match cut.trim_end_matches(' ') {
        "" => "?".to_owned(),
        text => text.to_owned(),
    }
}

/// The first `rounds` rounds, without one that is not over.
fn counted(state: &State, rounds: usize) -> &[Round] {
    &state.rounds()[..rounds.min(state.rounds_over())]
}

fn header(header: Header, text: impl Into<String>) -> Record {
    let text = text.into();
    Record::Header { header, text }
}

/// The records about the event that both views have, after so many rounds.
fn about_the_event(state: &State, rounds: usize) -> Vec<Record> {
    let (created, setup) = (state.created(), state.setup());
    // If a round is one game, game points and match points are the same, `PTS`.
    let mut order = setup.standings.order.clone();
    let is_one_score = setup.mini_match.games == 1 && setup.scoring.game == setup.scoring.r#match;
    let match_points = Criterion::from(Code::MatchPoints);
    if is_one_score && order.first() == Some(&Code::GamePoints.into()) && !order.contains(&match_points) {
        order[0] = match_points;
    }
    let mut records = vec![
        header(Header::Name, ascii(&setup.event.name, usize::MAX)),
        header(Header::TimeControl, setup.game.time_control.to_string()),
        Record::TieBreaks(TieBreaks {
            list: TieBreakList::Standings,
            codes: in_tournament_files(&order),
        }),
        header(Header::PairingProgram, format!("swissmatch {}", created.software)),
        Record::Rounds {
            spelling: Spelling::Fide,
            rounds: created.rounds,
        },
    ];
    if !["", "?"].contains(&setup.event.site.as_str()) {
        records.push(header(Header::City, ascii(&setup.event.site, usize::MAX)));
    }
    let mut editions = vec![("C.07", setup.standings.edition.word())];
    if is_dutch(state) {
        editions.push(("C.04.3", setup.swiss.edition.word()));
        records.push(Record::InitialColor(
            match dutch_rules(state.setup(), state.player_count(), state.created().rounds).initial_color {
                FirstColor::White => Color::White,
                FirstColor::Black => Color::Black,
            },
        ));
    }
    records.push(editions_comment(&editions));
    if created.format == TournamentFormat::Swiss {
        let forbidden = |first, last, pairs: &[(PairingNumber, PairingNumber)]| {
            let rounds = Some(Span { first, last });
            let groups = groups(pairs).into_iter();
            groups.map(move |numbers| Record::Forbidden(Forbidden { rounds, numbers }))
        };
        records.extend(forbidden(1, created.rounds, &forbidden_pairs(state)));
        for (before, round) in counted(state, rounds).iter().enumerate() {
            let number = u32::try_from(before + 1).expect("few rounds");
            records.extend(forbidden(number, number, &altered::forbidden(state, before)));
            records.extend(alteration(state, before, &round.pairing));
        }
    }
    records
}

/// Comments that the event ended early, what play-offs decided, and which players are off the list and so have no rank. The ranks of the
/// file are those after play-offs. Its rounds are those that were planned, by which it was paired.
fn about_the_places(state: &State, standings: &Standings) -> Vec<Record> {
    let decided = early(state).into_iter().chain(playoff::decided_of(state, standings));
    let comment = |sentence: String| Record::Other(format!("### {}", ascii(&sentence.replace('–', "-"), usize::MAX)));
    let off_the_list: Vec<u32> = unlisted(state, standings).map(|player| player.0).collect();
    let of_the_list = (!off_the_list.is_empty()).then(|| not_ranked_comment(&off_the_list));
    decided.map(comment).chain(of_the_list).collect()
}

/// Players who are not in the standings.
fn unlisted<'a>(state: &'a State, standings: &'a Standings) -> impl Iterator<Item = PairingNumber> + 'a {
    let is_unlisted = |player: &PairingNumber| standings.rows.iter().all(|row| row.player != *player);
    state.numbers().filter(is_unlisted)
}

/// A comment on a round (after the first `before`) that differs from what the system pairs, because the arbiter forced a pair.
fn alteration(state: &State, before: usize, played: &RoundPairing) -> Option<Record> {
    let by_system = altered::by_system(state, before)?;
    let differing = difference(&by_system, played, ColorComparison::Compared)?;
    let boards = |pairing: &RoundPairing| {
        let pairs = pairing.pairs.iter().map(|pair| (pair.white.0, Some(pair.black.0)));
        pairs.chain(pairing.byes().map(|player| (player.0, None))).collect()
    };
    Some(Record::from(&Alteration {
        round: u32::try_from(before + 1).expect("few rounds"),
        from: boards(&differing.first),
        to: boards(&differing.second),
    }))
}

fn is_dutch(state: &State) -> bool {
    state.created().format == TournamentFormat::Swiss && state.setup().swiss.pairing == PairingSystem::Dutch
}

/// The type of the tournament, in words. Some programs look in them for "Swiss" and "Robin".
fn kind_in_words(state: &State) -> String {
    let kind = match state.created().format {
        TournamentFormat::Swiss => "Swiss-System",
        TournamentFormat::AllPlayAll => "Round-Robin",
        TournamentFormat::Gauntlet => "Gauntlet (partial Round-Robin)",
        TournamentFormat::Knockout => "Knockout",
        TournamentFormat::Quads | TournamentFormat::Stages | TournamentFormat::Sections => "Several parts",
    };
    let setup = state.setup();
    let is_same = |stage: &Stage| stage.games_by_round().all(|games| games == setup.mini_match.games);
    match setup.mini_match.games {
        1 => kind.to_owned(),
        games if !setup.stages().iter().all(is_same) => format!("{kind}, mini-matches of up to {games} games"),
        games => format!("{kind}, mini-matches of {games} games"),
    }
}

/// The code of the type of an individual tournament. FIDE's name for the Dutch system is used only if all its rules hold, including those
/// about colours.
fn type_code(state: &State) -> String {
    let swiss = &state.setup().swiss;
    match state.created().format {
        TournamentFormat::Swiss => {}
        TournamentFormat::AllPlayAll => return "FIDE_ROUNDROBIN".to_owned(),
        TournamentFormat::Gauntlet => return "CUSTOM_GAUNTLET".to_owned(),
        TournamentFormat::Knockout => return "CUSTOM_KNOCKOUT".to_owned(),
        TournamentFormat::Quads | TournamentFormat::Stages | TournamentFormat::Sections => return "CUSTOM".to_owned(),
    }
    if !is_dutch(state) || swiss.color == ColorRule::Ignore {
        return "CUSTOM_SWISS".to_owned();
    }
    let edition = match swiss.edition {
        DutchEdition::Of2026 => "",
        DutchEdition::Of2017 => "_2017",
    };
    let acceleration = match swiss.acceleration {
        AccelerationRule::None => "",
        AccelerationRule::Baku => "_BAKU",
    };
    format!("FIDE_DUTCH{edition}{acceleration}")
}

/// `162`: the worth of results, unless it is 1, ½ and 0 with a bye worth a win. `bye` is `None` if nobody can have one.
fn point_values(points: PointsTable, absence: Option<Points>, bye: Option<Points>) -> Option<Record> {
    let usual = PointsTable {
        win: Points::ONE,
        draw: Points::HALF,
        loss: Points::ZERO,
    };
    let bye = bye.filter(|&bye| bye != points.win);
    if points == usual && absence.is_none() && bye.is_none() {
        return None;
    }
    let mut values = vec![
        (PointsSymbol::Win, points.win),
        (PointsSymbol::Draw, points.draw),
        (PointsSymbol::Loss, points.loss),
    ];
    values.extend(absence.map(|points| (PointsSymbol::Absence, points)));
    values.extend(bye.map(|points| (PointsSymbol::PairingAllocatedBye, points)));
    Some(Record::PointValues(values))
}

/// The worth of absences and lost forfeits, unless it is nothing.
fn absence<'a>(cells: impl Iterator<Item = &'a RoundCell>, loss: Points) -> Result<Option<Points>, TrfExportError> {
    let (mut forfeited, mut absent) = (false, false);
    for cell in cells {
        match cell.result {
            Some(ResultCode::ForfeitLoss) => forfeited = true,
            Some(ResultCode::ZeroPointBye) => absent = true,
            _ => {}
        }
    }
    match (forfeited && loss != Points::ZERO, absent) {
        (false, _) => Ok(None),
        (true, false) => Ok(Some(loss)),
        (true, true) => Err(TrfExportError::Absence(loss)),
    }
}

/// A rating that fits its columns; 0 would mean none.
fn rating(state: &State, player: PairingNumber) -> Option<u32> {
    let rating = state.player(player).rating()?;
    u32::try_from(rating).ok().filter(|rating| (1..=9999).contains(rating))
}

/// The virtual points of the Dutch system: rounds, players, points.
fn accelerations(state: &State) -> Vec<(Span, Span, Points)> {
    let mut ranges: Vec<(Span, Span, Points)> = Vec::new();
    if !is_dutch(state) {
        return ranges;
    }
    for (round, row) in
        (1..).zip(&dutch_rules(state.setup(), state.player_count(), state.created().rounds).virtual_points)
    {
        let mut first = 1;
        for run in row.chunk_by(|one, other| one == other) {
            let players = Span {
                first,
                last: first + run.len() as u32 - 1,
            };
            first = players.last + 1;
            let points = run[0];
            if points == Points::ZERO {
                continue;
            }
            let goes_on = |(rounds, same, as_many): &&mut (Span, Span, Points)| {
                rounds.last + 1 == round && *same == players && *as_many == points
            };
            match ranges.iter_mut().find(goes_on) {
                Some((rounds, ..)) => rounds.last = round,
                None => ranges.push((
                    Span {
                        first: round,
                        last: round,
                    },
                    players,
                    points,
                )),
            }
        }
    }
    ranges
}

/// Forbidden pairs as groups in which nobody may meet, which takes fewer lines than one for each pair.
fn groups(pairs: &[(PairingNumber, PairingNumber)]) -> Vec<Vec<u32>> {
    let mut after: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for (one, other) in pairs {
        after.entry(one.0.min(other.0)).or_default().insert(one.0.max(other.0));
    }
    let forbidden = |one: u32, other: u32| after.get(&one).is_some_and(|after| after.contains(&other));
    let mut covered = BTreeSet::new();
    let mut groups = Vec::new();
    for (&one, others) in &after {
        for &other in others {
            if covered.contains(&(one, other)) {
                continue;
            }
            let mut group = vec![one, other];
            for &next in others.range(other + 1..) {
                if group.iter().all(|&member| forbidden(member, next)) {
                    group.push(next);
                }
            }
            for (index, &member) in group.iter().enumerate() {
                covered.extend(group[index + 1..].iter().map(|&next| (member, next)));
            }
            groups.push(group);
        }
    }
    groups
}

/// Acceleration of players in an individual tournament.
const fn of_players((rounds, numbers, points): (Span, Span, Points)) -> Record {
    Record::Acceleration(Acceleration {
        match_points: None,
        points,
        rounds,
        numbers,
    })
}
