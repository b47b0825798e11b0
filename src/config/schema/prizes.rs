//! Keys of `[prizes]` and `[tour]`.
//!
//! May not: know layers or files.

use swiss_system::score::Points;
use toml::de::DeValue;

use super::Key;
use crate::config::error::{Problem, What};
use crate::config::value::{Value, array, quoted, shown};
use crate::tournament::money::Cents;
use crate::tournament::setup::{Prize, PrizeKeys, Setup};

/// What is won, and by what a tour is ranked.
pub(super) const KEYS: &[Key<Setup>] = &[
    Key::new(
        "prizes.currency",
        "a text of at most 20 characters without control characters",
        "What the prize money is, such as \"USD\"; only shown.",
        |s, v| v.line(0..=20).map(|currency| s.prizes.currency = currency),
        |s| Some(quoted(&s.prizes.currency)),
    ),
    Key::new(
        "prizes.by_place",
        "a list of amounts with at most two decimals, or tables { money = 40000, indivisible = true, trophy = \"Cup\" }",
        "Prizes from place 1 on: money, shared by those level; { money = 500, indivisible = true, trophy = \"Cup\" } goes whole.",
        |s, v| {
            let prizes: Result<_, Problem> = v.list()?.into_iter().map(read_prize).collect();
            prizes.map(|prizes| s.prizes.by_place = prizes)
        },
        |s| Some(array(s.prizes.by_place.iter().map(write_prize))),
    ),
    Key::new(
        "prizes.winner_fixed",
        "an amount from 0 with at most two decimals, such as 10000",
        "Part of the first prize that the winner of a tie for first gets; the rest of it is shared.",
        |s, v| v.money().map(|money| s.prizes.winner_fixed = money),
        |s| Some(s.prizes.winner_fixed.to_string()),
    ),
    key!(
        "prizes.tied_on",
        "\"points\" or \"order\"",
        "Who shares prizes: those level on \"points\", first in standings.order, or on the whole \"order\".",
        prizes.tied_on = choice
    ),
    Key::new(
        "prizes.points",
        "a list of points from 0 to 1000000 with at most three decimals, such as [12, 10, 8]",
        "Tour points from place 1 on, shared by those level.",
        |s, v| {
            let points: Result<_, Problem> = v.list()?.into_iter().map(|v| v.points(TOUR_POINTS)).collect();
            points.map(|points| s.prizes.points = points)
        },
        |s| Some(array(s.prizes.points.iter().map(Points::to_string))),
    ),
    Key::new(
        "prizes.outright_bonus",
        "points from 0 to 1000000 with at most three decimals",
        "Tour points more for whoever is first without a tie.",
        |s, v| v.points(TOUR_POINTS).map(|points| s.prizes.outright_bonus = points),
        |s| Some(s.prizes.outright_bonus.to_string()),
    ),
    Key::new(
        "tour.runs",
        "a list of directories of runs, such as [\"results/spring\", \"results/autumn\"]",
        "Runs whose tour points `swissmatch tour` adds up, relative to this file.",
        |s, v| {
            let runs: Result<_, Problem> = v.list()?.into_iter().map(|v| v.line(1..=4096)).collect();
            runs.map(|runs| s.tour.runs = runs)
        },
        |s| Some(array(s.tour.runs.iter().map(|run| quoted(run)))),
    ),
    Key::new(
        "tour.bonus",
        "a list of amounts with at most two decimals, such as [175000, 105000]",
        "Money from overall place 1 on, shared by those level on tour points.",
        |s, v| {
            let bonus: Result<_, Problem> = v.list()?.into_iter().map(Value::money).collect();
            bonus.map(|bonus| s.tour.bonus = bonus)
        },
        |s| Some(array(s.tour.bonus.iter().map(Cents::to_string))),
    ),
    key!(
        "tour.qualified",
        "a whole number from 0 to 10000",
        "How many first places of a tour are marked as qualified.",
        tour.qualified = whole 0..=10_000
    ),
];

/// The keys of `[prizes]`, by their names in it.
fn keys() -> impl Iterator<Item = (&'static str, Key<Setup>)> {
    let of_prizes = |key: &Key<Setup>| Some((key.path.strip_prefix("prizes.")?, *key));
    KEYS.iter().filter_map(of_prizes)
}

/// `prizes = { … }` of a section: the keys of `[prizes]`, each with its default where it is left out.
pub(super) fn read(value: Value<'_>) -> Result<PrizeKeys, Problem> {
    let mut setup = Setup::default();
    for (name, given) in value.table()? {
        let Some((_, key)) = keys().find(|(known, _)| *known == name.get_ref()) else {
            let known: Vec<&str> = keys().map(|(name, _)| name).collect();
            let message = format!("unknown entry {} of a section's prizes", shown(name.get_ref()));
            return Err(Problem::said(message)
                .at(Some(name.span()))
                .help(format!("prizes of a section have {}", known.join(", "))));
        };
        let entry = Value::Toml(given);
        (key.read)(&mut setup, entry).map_err(|problem| {
            let message = match &problem.what {
                What::Found(found) => format!("expected {}, found {found}", key.expected),
                What::Said(said) => said.clone(),
            };
            let what = What::Said(format!("{} of a section's prizes: {message}", name.get_ref()));
            Problem { what, ..problem }.at(entry.span())
        })?;
    }
    Ok(setup.prizes)
}

/// The same as TOML, without what is left out.
pub(super) fn write(prizes: &PrizeKeys) -> String {
    let (mut setup, none) = (Setup::default(), Setup::default());
    setup.prizes = prizes.clone();
    let entries = keys().filter_map(|(name, key)| {
        let (value, usual) = ((key.write)(&setup)?, (key.write)(&none)?);
        (value != usual).then(|| format!("{name} = {value}"))
    });
    format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
}

const TOUR_POINTS: std::ops::RangeInclusive<Points> = Points::ZERO..=Points::whole(1_000_000);

fn read_prize(value: Value<'_>) -> Result<Prize, Problem> {
    let Ok(table) = value.table() else {
        return value.money().map(Prize::from);
    };
    let mut prize = Prize::default();
    for (key, given) in table {
        let entry = Value::Toml(given);
        let wrong = |expected: &str| {
            let message = format!("{}: expected {expected}", key.get_ref());
            Problem::said(message).at(Some(given.span()))
        };
        match key.get_ref().as_ref() {
            "money" => {
                prize.money = entry
                    .money()
                    .map_err(|_| wrong("an amount with at most two decimals"))?;
            }
            "indivisible" => match given.get_ref() {
                DeValue::Boolean(indivisible) => prize.indivisible = *indivisible,
                _ => return Err(wrong("true or false")),
            },
            "trophy" => {
                let name = entry.name();
                prize.trophy = Some(name.map_err(|_| wrong("a name of 1 to 100 characters"))?);
            }
            other => {
                let message = format!("unknown entry {}; expected money, indivisible and trophy", shown(other));
                return Err(Problem::said(message).at(Some(key.span())));
            }
        }
    }
    if prize.money == Cents::ZERO && prize.trophy.is_none() {
        let message = "a prize needs money or a trophy".to_owned();
        return Err(Problem::said(message).at(value.span()));
    }
    Ok(prize)
}

fn write_prize(prize: &Prize) -> String {
    if !prize.indivisible && prize.trophy.is_none() {
        return prize.money.to_string();
    }
    let indivisible = prize.indivisible.then(|| "indivisible = true".to_owned());
    let trophy = prize.trophy.as_ref().map(|name| format!("trophy = {}", quoted(name)));
    let entries = [Some(format!("money = {}", prize.money)), indivisible, trophy];
    format!("{{ {} }}", entries.into_iter().flatten().collect::<Vec<_>>().join(", "))
}
