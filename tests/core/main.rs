//! Tests of the library without the program: numbers, text and files in, values out.

mod arbiter;
mod conformance;
mod docs;
mod dutch;
mod kept_run;
mod keys;
mod openings;
mod oracles;
mod rules;
mod run;
mod schemas;
mod stored_words;
mod texts;
mod tidy;
mod tie_break_values;
mod tie_breaks;
mod trf;
