//! The event and its players.

use rusqlite::{Transaction, params};
use swiss_system::text::harmless;

use super::{FillError, SCHEMA_VERSION, count, insert};
use crate::open_run::OpenRun;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::word::Word as _;
use swissmatch_report as report;
use swissmatch_report::asked::help;
use swissmatch_tournament::part::section_name;
use swissmatch_tournament::state::State;
use swissmatch_tournament::state::orders::Departure;
use swissmatch_tournament::ties::event_is_over;

/// `meta` and `players`.
pub(super) fn write(transaction: &Transaction<'_>, run: &OpenRun) -> Result<(), FillError> {
    let state = &run.state;
    let head = run.logged.last().map(|last| (last.seq, last.hash.as_str()));
    let (entry, hash) = head.unwrap_or_default();
    insert(transaction, "meta")?.execute(params![
        SCHEMA_VERSION,
        env!("CARGO_PKG_VERSION"),
        report::event_name(state),
        harmless(&state.setup().event.site),
        state.setup().preset,
        run.created_at(),
        state.created().software,
        state.created().rounds,
        count(state.rounds().len()),
        count(state.rounds_over()),
        event_is_over(state),
        entry,
        hash,
    ])?;
    let mut row = insert(transaction, "players")?;
    for number in state.numbers() {
        let (player, agent) = (state.player(number), state.agent(number));
        let help = help(state, number);
        let said = agent.introduction.as_ref();
        row.execute(params![
            number.0,
            report::player_name(state, number),
            player.rating(),
            section_name(state, number).map(harmless),
            player.team.as_deref().map(harmless),
            player.author.as_deref().map(harmless),
            player.house,
            state.entered_after(number).map(count),
            status(state, number),
            said.map(|said| said.name.as_str()),
            said.map(|said| said.author.as_str()),
            said.map(|said| said.threads),
            agent.files.first().map(|file| file.sha256.as_str()),
            help.as_ref()
                .and_then(|help| help.legal_moves)
                .map(|shown| shown.word()),
            help.as_ref().map(|help| help.is_constrained),
        ])?;
    }
    Ok(())
}

fn status(state: &State, number: PairingNumber) -> &'static str {
    match state.orders().gone.get(&number) {
        None => "playing",
        Some(Departure::Withdrawn) => "withdrawn",
        Some(Departure::Disqualified { annul: false }) => "disqualified",
        Some(Departure::Disqualified { annul: true }) => "annulled",
    }
}
