//! Keys of `[prizes]` and `[tour]`.
//!
//! May not: know layers or files.

use serde_json::json;

use super::{Key, entry, key};
use crate::error::InvalidValue;
use crate::kind::{Tone, ValueKind, choice, line, list, money, name, optional, path, points, switch, table, whole};
use crate::value::Value;
use swissmatch_tournament::money::Cents;
use swissmatch_tournament::setup::{Prize, PrizeKeys, Setup};

pub(super) fn keys() -> Vec<Key<Setup>> {
    let prizes = of_prizes().into_iter();
    let prizes = prizes.map(|key| key.within(|setup: &Setup| &setup.prizes, |setup| &mut setup.prizes));
    prizes.chain(of_tour()).collect()
}

fn of_prizes() -> Vec<Key<PrizeKeys>> {
    vec![
        key!(
            prizes.currency,
            line("a text of at most 20 characters without control characters", 0..=20),
            r#"Currency of the prize money, such as "USD"; only shown."#,
        ),
        key!(
            prizes.by_place,
            list(
                r#"a list of amounts with at most two decimals, or tables { money = 40000, indivisible = true, trophy = "Cup" }"#,
                prize()
            ),
            r#"Prizes from place 1 on: money, shared by level players; { money = 500, indivisible = true, trophy = "Cup" } is not shared."#,
        ),
        key!(
            prizes.winner_fixed,
            money("an amount from 0 with at most two decimals, such as 10000"),
            "Part of the first prize that goes to the winner of a tie for first; the rest of it is shared.",
        ),
        key!(
            prizes.tied_on,
            choice(),
            r#"Who shares prizes: players level on "points" (the first criterion of standings.order), or on the whole "order"."#,
        ),
        key!(
            prizes.points,
            list(
                "a list of points from 0 to 1000000 with at most three decimals, such as [12, 10, 8]",
                tour_points()
            ),
            "Tour points from place 1 on, shared by level players.",
        ),
        key!(
            prizes.outright_bonus,
            tour_points(),
            "Extra tour points for whoever is first without a tie.",
        ),
    ]
}

fn of_tour() -> Vec<Key<Setup>> {
    vec![
        key!(
            tour.runs,
            list(
                r#"a list of directories of runs, such as ["results/spring", "results/autumn"]"#,
                path("a directory")
            ),
            "Directories of the runs whose tour points `swissmatch tour` adds up, relative to this file.",
        ),
        key!(
            tour.bonus,
            list(
                "a list of amounts with at most two decimals, such as [175000, 105000]",
                money("an amount")
            ),
            "Money from overall place 1 on, shared by players level on tour points.",
        ),
        key!(
            tour.qualified,
            whole("a whole number", 0..=10_000),
            "How many places at the top of a tour are marked as qualified.",
        ),
    ]
}

/// `prizes = { … }` of a section: the keys of `[prizes]`, each with its default where it is left out.
pub(super) fn of_section() -> ValueKind<PrizeKeys> {
    let tone = Tone::Of {
        table: "a section's prizes",
        has: "prizes of a section have",
        found: true,
    };
    table(tone, PrizeKeys::default, of_prizes())
}

fn tour_points() -> ValueKind<swiss_system::score::Points> {
    points("points", 0..=1_000_000)
}

/// The prize of a place: an amount, or a table.
fn prize() -> ValueKind<Prize> {
    let amount = || money("an amount with at most two decimals");
    let whole = table(
        Tone::Named,
        Prize::default,
        vec![
            entry!(Prize.money, amount(), "The money.").shown(),
            entry!(
                Prize.indivisible,
                switch(),
                "Whether the whole of the money goes to whoever has the place.",
            ),
            entry!(
                Prize.trophy,
                optional(name().called("a name of 1 to 100 characters")),
                "What else goes to whoever has the place.",
            ),
        ],
    );
    let schema = json!({ "anyOf": [amount().schema, whole.schema] });
    let amount = amount();
    let whole = std::sync::Arc::new(whole);
    let to_read = whole.clone();
    let read = move |value: Value<'_>| {
        if value.table().is_err() {
            return value.money().map(Prize::from);
        }
        let prize = to_read.read(value)?;
        if prize.money == Cents::ZERO && prize.trophy.is_none() {
            let message = "a prize needs money or a trophy".to_owned();
            return Err(InvalidValue::said(message).at(value.span()));
        }
        Ok(prize)
    };
    ValueKind::new("an amount or a table", schema, read, move |prize| {
        match prize.is_indivisible() {
            true => whole.write(prize),
            false => amount.write(&prize.money),
        }
        .unwrap_or_default()
    })
}
