//! Tests of the library without the program: numbers, text and files in, values out.

mod arbiter;
mod conformance;
mod docs;
mod dutch;
mod forged;
mod kept_run;
mod keys;
mod openings;
mod oracles;
mod readers;
mod rules;
mod run;
mod schemas;
mod specs;
mod sprt_stops;
mod statistics;
mod stop;
mod stored_words;
mod texts;
mod tidy;
mod tie_break_values;
mod tie_breaks;
mod trf;
#[cfg(feature = "workers")]
mod workers;

/// How many cases a property test tries: so many, or a hundred times as many where SWISSMATCH_LONG is 1.
#[expect(clippy::disallowed_methods, reason = "a switch of the tests")]
fn cases(usual: u32) -> u32 {
    match std::env::var_os("SWISSMATCH_LONG").is_some_and(|long| long == "1") {
        true => usual * 100,
        false => usual,
    }
}
