//! Times, and doubts of them, in words.

use crate::game::doubt::Doubt;

/// Shorter times are told to the microsecond.
const FEW_US: u64 = 100_000;

/// Seconds with three decimals; with six where they are few.
pub(super) fn seconds(us: u64) -> String {
    if us < FEW_US {
        return format!("{}.{:06} s", us / 1_000_000, us % 1_000_000);
    }
    let ms = us.saturating_add(500) / 1000;
    format!("{}.{:03} s", ms / 1000, ms % 1000)
}

/// What was found, as a list.
pub(super) fn figures(doubt: &Doubt) -> String {
    let parts = [
        (
            doubt.reader_us,
            "the runner could have read on and waited for a processor",
        ),
        (doubt.pauses_us, "the runner was stopped"),
        (doubt.waits_us, "the threads of the engine waited for a processor"),
        (doubt.longest_wait_us, "the longest wait of one of them"),
        (doubt.ran_us, "they ran"),
        (doubt.rested_us, "the threads of the other side ran"),
    ];
    let known = parts.iter().filter(|(time, _)| *time > 0);
    let known: Vec<String> = known.map(|(time, what)| format!("{what} {}", seconds(*time))).collect();
    match known.is_empty() {
        true => "nothing was found".to_owned(),
        false => format!("{}; threads declared: {}", known.join(", "), doubt.threads),
    }
}
