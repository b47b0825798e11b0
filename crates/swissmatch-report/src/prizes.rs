//! Prizes and tour points of an event as a page and as JSON.
//!
//! May not: share anything out; that is `tournament::prizes`.

use serde::Serialize;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::standings::value::Value;
use swiss_system::text::harmless;
use swissmatch_tournament::part_events::parts_after;
use swissmatch_tournament::ranking::final_places;

use super::decimal::Decimal;
use super::parts::Pages;
use super::table::{Column, Page, Table};
use super::untrusted::{event, name};
use swissmatch_tournament::money::Cents;
use swissmatch_tournament::part::Part;
use swissmatch_tournament::prizes::{Account, AwaitedPrize, Pending, PrizeLine, Statement, statement};
use swissmatch_tournament::state::State;

/// Whether prizes are given in several tables, each with its own places: sections, quads.
pub fn has_several(state: &State) -> bool {
    of_parts(state).is_some()
}

/// The parts of an event that each give the prizes: "`[prizes]` holds in every section alike", "each quad has `[prizes]` whole". In an
/// event of stages they go by the places of the whole event, unless the last stage is of quads.
fn of_parts(state: &State) -> Option<Vec<(Part, State)>> {
    let mut parts = parts_after(state, state.rounds().len());
    parts.retain(|(part, ..)| part.section.is_some());
    let parts = parts.into_iter().map(|(part, own, _)| (part, own));
    let parts: Vec<(Part, State)> = parts.collect();
    (!parts.is_empty()).then_some(parts)
}

/// Place, name, and what each player gets; below, what that is made of, and what is pending. A table for each section.
pub fn pages(state: &State) -> Pages {
    of_each(state, &|_| true)
}

/// Like [`pages`], but without players who get nothing.
pub(super) fn pages_of_given(state: &State) -> Pages {
    of_each(state, &|account| is_given_something(account))
}

/// Whether a player gets anything.
pub(super) fn is_given_something(account: &Account<PairingNumber>) -> bool {
    account.money() > Cents::ZERO || account.points() > Value::ZERO || account.trophies().next().is_some()
}

fn of_each(state: &State, is_shown: &dyn Fn(&Account<PairingNumber>) -> bool) -> Pages {
    let Some(parts) = of_parts(state) else {
        return page(state, is_shown).into();
    };
    let with_prizes = parts.iter().filter(|(_, own)| own.setup().prizes.are_set());
    Pages::of_parts(
        with_prizes
            .map(|(part, own)| (harmless(&part.to_string()), page(own, is_shown)))
            .collect(),
    )
}

fn page(state: &State, is_shown: &dyn Fn(&Account<PairingNumber>) -> bool) -> Page {
    let keys = &state.setup().prizes;
    let statement = statement(&final_places(state), keys);
    let has_money = keys.by_place.iter().any(|prize| prize.money > Cents::ZERO);
    let has_trophies = keys.by_place.iter().any(|prize| prize.trophy.is_some());
    let has_points = !keys.points.is_empty();
    let mut columns = vec![Column::figures("#"), Column::names("Name")];
    columns.extend(has_money.then(|| Column::figures("Money")));
    columns.extend(has_trophies.then(|| Column::names("Trophy").goes(0)));
    columns.extend(has_points.then(|| Column::figures("Tour points")));
    let rows = statement
        .accounts
        .iter()
        .filter(|account| is_shown(account))
        .map(|account| {
            let mut cells = vec![account.place.to_string(), name(state, account.player)];
            cells.extend(has_money.then(|| account.money().to_string()));
            cells.extend(has_trophies.then(|| trophies(account).join(", ")));
            cells.extend(has_points.then(|| account.points().to_string()));
            cells
        });
    let mut notes: Vec<String> = statement
        .accounts
        .iter()
        .filter_map(|account| account_note(state, account))
        .collect();
    notes.extend(statement.pending.iter().map(|pending| pending_note(state, pending)));
    notes.extend(unclaimed_note(&statement));
    let money = match (has_money, keys.currency.as_str()) {
        (false, _) | (_, "") => String::new(),
        (true, currency) => format!(" in {}", harmless(currency)),
    };
    Page {
        title: format!("{}: prizes{money}", event(state)),
        table: Table {
            columns,
            rows: rows.collect(),
        },
        notes,
    }
}

fn trophies(account: &Account<PairingNumber>) -> Vec<String> {
    account.trophies().map(harmless).collect()
}

/// `Alpha: places 1 to 3, 80000.00 among 3, 26666.66; spare cent, 0.01; together 26666.67.`
fn account_note(state: &State, account: &Account<PairingNumber>) -> Option<String> {
    let said: Vec<String> = account.lines.iter().map(words).collect();
    let count = |is: fn(&PrizeLine) -> bool| account.lines.iter().filter(|line| is(line)).count();
    let money = count(|line| line.money() > Cents::ZERO) > 1;
    let points = count(|line| line.points() > Value::ZERO) > 1;
    let sums = [
        money.then(|| account.money().to_string()),
        points.then(|| format!("{} tour points", account.points().exact())),
    ];
    let sums: Vec<String> = sums.into_iter().flatten().collect();
    let together = if sums.is_empty() {
        String::new()
    } else {
        format!("; together {}", sums.join(" and "))
    };
    (!said.is_empty()).then(|| format!("{}: {}{together}.", name(state, account.player), said.join("; ")))
}

fn words(line: &PrizeLine) -> String {
    let covered = |(first, last): (u32, u32)| match first == last {
        true => format!("place {first}"),
        false => format!("places {first} to {last}"),
    };
    match line {
        PrizeLine::Share {
            places,
            among: 1,
            money,
            ..
        } => format!("{}, {money}", covered(*places)),
        PrizeLine::Share {
            places,
            pot,
            among,
            money,
        } => format!("{}, {pot} among {among}, {money}", covered(*places)),
        PrizeLine::Fixed(money) => format!("the winner's part of the first prize, {money}"),
        PrizeLine::SpareCent => format!("spare cent, {}", line.money()),
        PrizeLine::Whole { place, money } => format!("place {place}, not shared, {money}"),
        PrizeLine::Trophy { place, name } => format!("place {place}, {}", harmless(name)),
        PrizeLine::Points {
            places,
            among: 1,
            points,
            ..
        } => format!("tour points of {}, {points}", covered(*places)),
        PrizeLine::Points {
            places,
            pot,
            among,
            points,
        } => {
            let points = points.exact();
            format!("tour points of {}, {pot} among {among}, {points}", covered(*places))
        }
        PrizeLine::Bonus(points) => format!("tour points for winning outright, {points}"),
    }
}

fn pending_note(state: &State, pending: &Pending<PairingNumber>) -> String {
    let what = match &pending.what {
        AwaitedPrize::Fixed(money) => format!("{money} of the first prize, for the winner"),
        AwaitedPrize::SpareCents(1) => "a spare cent, by placing".to_owned(),
        AwaitedPrize::SpareCents(cents) => format!("{cents} spare cents, one each by placing"),
        AwaitedPrize::Whole { place, money } => format!("{money}, not shared, for place {place}"),
        AwaitedPrize::Trophy { place, name } => format!("{}, for place {place}", harmless(name)),
    };
    let among: Vec<String> = pending.among.iter().map(|&player| name(state, player)).collect();
    format!("Pending: {what}, among {}.", among.join(", "))
}

fn unclaimed_note(statement: &Statement<PairingNumber>) -> Option<String> {
    let places = statement.unclaimed.as_ref()?;
    let (first, last) = (places.start(), places.end());
    let places = if first == last {
        format!("place {first}")
    } else {
        format!("places {first} to {last}")
    };
    Some(format!("Not given, because there are too few players: {places}."))
}

/// The prizes as a JSON object. Money and points are strings, so that no reader makes floats of them.
///
/// # Panics
/// Never: everything in it can be written.
pub fn json(state: &State) -> String {
    let Some(parts) = of_parts(state) else {
        return serde_json::to_string_pretty(&document(state)).expect("plain data") + "\n";
    };
    let with_prizes = parts.iter().filter(|(_, own)| own.setup().prizes.are_set());
    let divided = DividedPrizesJson {
        schema: 1,
        event: event(state),
        parts: with_prizes
            .map(|(part, own)| PartPrizesJson {
                part: harmless(&part.to_string()),
                section: part.section,
                document: document(own),
            })
            .collect(),
    };
    serde_json::to_string_pretty(&divided).expect("plain data") + "\n"
}

fn document(state: &State) -> PrizesJson {
    let keys = &state.setup().prizes;
    let placing = final_places(state);
    let statement = statement(&placing, keys);
    PrizesJson {
        schema: 1,
        event: event(state),
        currency: harmless(&keys.currency),
        winner: placing.winner.map(|winner| name(state, winner)),
        players: statement
            .accounts
            .iter()
            .map(|account| PlayerPrizesJson::new(state, account))
            .collect(),
        pending: statement
            .pending
            .iter()
            .map(|pending| PendingLine::new(state, pending))
            .collect(),
        given: statement.accounts.iter().map(Account::money).sum(),
        pending_money: statement.pending.iter().map(|pending| pending.what.money()).sum(),
        unclaimed_places: statement.unclaimed.into_iter().flatten().collect(),
    }
}

#[derive(Serialize)]
struct DividedPrizesJson {
    schema: u32,
    event: String,
    parts: Vec<PartPrizesJson>,
}

#[derive(Serialize)]
struct PartPrizesJson {
    part: String,
    section: Option<u32>,
    #[serde(flatten)]
    document: PrizesJson,
}

#[derive(Serialize)]
struct PrizesJson {
    schema: u32,
    event: String,
    currency: String,
    winner: Option<String>,
    players: Vec<PlayerPrizesJson>,
    pending: Vec<PendingLine>,
    given: Cents,
    pending_money: Cents,
    unclaimed_places: Vec<u32>,
}

#[derive(Serialize)]
struct PlayerPrizesJson {
    place: u32,
    pairing_number: u32,
    name: String,
    money: Cents,
    tour_points: Exact,
    trophies: Vec<String>,
    lines: Vec<PlayerLine>,
}

/// Points as a decimal, and as a fraction if a decimal cannot say them exactly.
#[derive(Serialize)]
pub(super) struct Exact {
    value: Decimal,
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<String>,
}

impl From<Value> for Exact {
    fn from(value: Value) -> Self {
        Self {
            value: Decimal::of(value),
            exact: value.is_rounded().then(|| value.exact()),
        }
    }
}

#[derive(Serialize)]
struct PlayerLine {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    places: Option<(u32, u32)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pot: Option<Decimal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    among: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    money: Option<Cents>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tour_points: Option<Exact>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trophy: Option<String>,
}

impl PlayerPrizesJson {
    fn new(state: &State, account: &Account<PairingNumber>) -> Self {
        Self {
            place: account.place,
            pairing_number: account.player.0,
            name: name(state, account.player),
            money: account.money(),
            tour_points: account.points().into(),
            trophies: trophies(account),
            lines: account.lines.iter().map(PlayerLine::new).collect(),
        }
    }
}

impl PlayerLine {
    fn new(line: &PrizeLine) -> Self {
        let of = |kind| Self {
            kind,
            places: None,
            pot: None,
            among: None,
            money: Some(line.money()).filter(|money| *money > Cents::ZERO),
            tour_points: Some(line.points())
                .filter(|points| *points > Value::ZERO)
                .map(Exact::from),
            trophy: None,
        };
        match line {
            PrizeLine::Share { places, pot, among, .. } => Self {
                places: Some(*places),
                pot: Some(Decimal::of(pot)),
                among: Some(*among),
                ..of("share")
            },
            PrizeLine::Fixed(_) => of("winner"),
            PrizeLine::SpareCent => of("spare-cent"),
            PrizeLine::Whole { place, .. } => Self {
                places: Some((*place, *place)),
                ..of("indivisible")
            },
            PrizeLine::Trophy { place, name } => Self {
                places: Some((*place, *place)),
                trophy: Some(harmless(name)),
                ..of("trophy")
            },
            PrizeLine::Points { places, pot, among, .. } => Self {
                places: Some(*places),
                pot: Some(Decimal::of(pot)),
                among: Some(*among),
                ..of("tour-points")
            },
            PrizeLine::Bonus(_) => of("outright-bonus"),
        }
    }
}

#[derive(Serialize)]
struct PendingLine {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<u32>,
    money: Cents,
    #[serde(skip_serializing_if = "Option::is_none")]
    trophy: Option<String>,
    among: Vec<String>,
}

impl PendingLine {
    fn new(state: &State, pending: &Pending<PairingNumber>) -> Self {
        let (kind, place, trophy) = match &pending.what {
            AwaitedPrize::Fixed(_) => ("winner", None, None),
            AwaitedPrize::SpareCents(_) => ("spare-cents", None, None),
            AwaitedPrize::Whole { place, .. } => ("indivisible", Some(*place), None),
            AwaitedPrize::Trophy { place, name } => ("trophy", Some(*place), Some(harmless(name))),
        };
        Self {
            kind,
            place,
            money: pending.what.money(),
            trophy,
            among: pending.among.iter().map(|&player| name(state, player)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use swiss_system::score::Points;
    use swiss_system::standings::criterion::Code;

    use super::super::fixture;
    use super::*;
    use swissmatch_tournament::setup::{Prize, PrizeKeys, Setup, TiedOn};

    fn prize(money: u64) -> Prize {
        Cents::new(money).into()
    }

    /// Alpha 2; Bravo, Charlie and Delta 1.5; Echo 1.
    fn over(change: impl FnOnce(&mut PrizeKeys)) -> State {
        fixture::over_with(|setup: &mut Setup| change(&mut setup.prizes))
    }

    fn rich(keys: &mut PrizeKeys) {
        keys.currency = "USD".to_owned();
        keys.by_place = vec![prize(4_000_000), prize(3_000_000), prize(2_000_000)];
        keys.by_place[1].trophy = Some("Cup | <b>".to_owned());
        keys.points = [12, 10, 8, 7].map(Points::whole).to_vec();
        keys.outright_bonus = Points::ONE;
    }

    #[test]
    fn a_statement_adds_up() {
        assert_snapshot!(page(&over(rich), &|_| true).text(None), @"
        Spring qualifier: prizes in USD

        #  Name        Money  Trophy     Tour points
        ────────────────────────────────────────────
        1  Alpha    40000.00                      13
        2  Bravo    16666.67  Cup | <b>         8.33
        3  Charlie  16666.67                    8.33
        4  Delta    16666.66                    8.33
        5  Echo         0.00                       0

        Alpha: place 1, 40000.00; tour points of place 1, 12; tour points for winning outright, 1; together 13 tour points.
        Bravo: places 2 to 4, 50000.00 among 3, 16666.66; spare cent, 0.01; place 2, Cup | <b>; tour points of places 2 to 4, 25 among 3, 25/3; together 16666.67.
        Charlie: places 2 to 4, 50000.00 among 3, 16666.66; spare cent, 0.01; tour points of places 2 to 4, 25 among 3, 25/3; together 16666.67.
        Delta: places 2 to 4, 50000.00 among 3, 16666.66; tour points of places 2 to 4, 25 among 3, 25/3.
        ");
    }

    #[test]
    fn names_of_trophies_are_shown_as_they_are() {
        let markdown = page(&over(rich), &|_| true).markdown();
        let of_bravo: Vec<&str> = markdown.lines().filter(|line| line.contains("Bravo")).collect();
        assert_eq!(of_bravo[0], r"| 2 | Bravo | 16666.67 | Cup \| \<b\> | 8.33 |");
        assert!(of_bravo[1].contains(r"; place 2, Cup \| \<b\>;"), "{}", of_bravo[1]);
    }

    #[test]
    fn prizes_shared_by_who_is_level_on_the_whole_order() {
        let state = over(|keys| {
            keys.by_place = vec![prize(1001), prize(500), prize(100), prize(5), prize(5), prize(5)];
            keys.tied_on = TiedOn::Order;
        });
        assert_snapshot!(page(&state, &|_| true).text(None), @"
        Spring qualifier: prizes

        #  Name     Money
        ─────────────────
        1  Alpha    10.01
        2  Bravo     5.00
        3  Charlie   1.00
        4  Delta     0.05
        5  Echo      0.05

        Alpha: place 1, 10.01.
        Bravo: place 2, 5.00.
        Charlie: place 3, 1.00.
        Delta: place 4, 0.05.
        Echo: place 5, 0.05.
        Not given, because there are too few players: place 6.
        ");
    }

    #[test]
    fn what_is_pending_is_said() {
        let state = fixture::over_with(|setup| {
            rich(&mut setup.prizes);
            setup.prizes.by_place[2].indivisible = true;
            (setup.prizes.points, setup.prizes.outright_bonus) = (Vec::new(), Points::ZERO);
            setup.standings.order = vec![Code::MatchPoints.into()];
        });
        let page = page(&state, &|_| true);
        assert_snapshot!(page.notes.join("\n"), @"
        Alpha: place 1, 40000.00.
        Bravo: places 2 to 4, 30000.00 among 3, 10000.00.
        Charlie: places 2 to 4, 30000.00 among 3, 10000.00.
        Delta: places 2 to 4, 30000.00 among 3, 10000.00.
        Pending: Cup | <b>, for place 2, among Bravo, Charlie, Delta.
        Pending: 20000.00, not shared, for place 3, among Bravo, Charlie, Delta.
        ");
    }

    #[test]
    fn json_says_the_same() {
        let value: serde_json::Value = serde_json::from_str(&json(&over(rich))).expect("JSON");
        assert_eq!((&value["winner"], &value["given"]), (&"Alpha".into(), &90000.into()));
        assert_snapshot!(value["players"][1], @r#"{"lines":[{"among":3,"kind":"share","money":16666.66,"places":[2,4],"pot":50000},{"kind":"spare-cent","money":0.01},{"kind":"trophy","places":[2,2],"trophy":"Cup | <b>"},{"among":3,"kind":"tour-points","places":[2,4],"pot":25,"tour_points":{"exact":"25/3","value":8.33}}],"money":16666.67,"name":"Bravo","pairing_number":2,"place":2,"tour_points":{"exact":"25/3","value":8.33},"trophies":["Cup | <b>"]}"#);
    }
}
