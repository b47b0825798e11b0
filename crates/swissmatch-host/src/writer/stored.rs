//! What is stored of a game.
//!
//! May not: decide what it counts for.

use crate::store::{Bundle, Evidence, sha256};
use swissmatch_game::Side;
use swissmatch_game::alarm::Alarm;
use swissmatch_game::record::GameRecord;
use swissmatch_tournament::log::{Entry, GameFinished, PlayedOn, TakenFrom};

/// The entry of a played game, with the texts it points to, and where it was played, if not in this run or not on this
/// machine.
pub fn entry(
    record: &GameRecord,
    evidence: Option<Evidence>,
    (taken_from, played_on): (Option<TakenFrom>, Option<PlayedOn>),
) -> Bundle {
    let failed = |side| {
        let of_side = record
            .failed_attempts
            .iter()
            .filter(|attempt| attempt.side == side)
            .count();
        u32::try_from(of_side).unwrap_or(u32::MAX)
    };
    let record_text = serde_json::to_string(record).expect("records serialize");
    let record_hash = sha256(record_text.as_bytes());
    let entry = Entry::GameFinished(GameFinished {
        id: record.id,
        white: record.white,
        black: record.black,
        outcome: record.outcome,
        termination: record.termination,
        plies: u32::try_from(record.plies()).unwrap_or(u32::MAX),
        failed_attempts: [failed(Side::White), failed(Side::Black)],
        in_doubt: record.in_doubt_of_sides(),
        thinking: Some(record.thinking()),
        record: Some(record_hash.clone()),
        evidence: evidence.as_ref().map(|evidence| evidence.hash.clone()),
        evidence_bytes: evidence.as_ref().map(|evidence| evidence.bytes),
        movetext: record.movetext_hash(),
        alarms: record.alarms.iter().map(Alarm::in_short).collect(),
        asked: record.calls.of_sides(),
        taken_from,
        played_on: played_on.map(Box::new),
    });
    Bundle {
        entry,
        blobs: vec![(record_hash, record_text)],
        evidence,
    }
}
