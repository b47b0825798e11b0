//! Whole-program tests: real processes, real engines, real files; from outside, as a user would.
#![expect(
    clippy::disallowed_methods,
    reason = "whole-program tests run programs and read files"
)]

mod adjudication;
mod analyse;
mod anchor;
mod appeals;
mod check;
mod cli;
mod clock;
mod compare;
mod confidence;
mod damage;
mod death;
mod desk;
mod differential;
mod directories;
mod doctor;
mod door;
mod eligibility;
mod embargo;
mod embedding;
mod engines;
mod event;
mod examples;
mod faults;
mod first_minute;
mod formats;
mod gpus;
mod host;
mod hostile;
mod isolation;
mod kill;
mod lacking;
mod limits;
mod live;
mod minutes;
mod odd_files;
mod openings;
mod own_files;
mod pages;
mod pairing;
mod plan;
mod playoff;
mod ponder;
mod prizes;
mod processor;
mod registered;
mod resume;
mod roster;
mod run_log;
mod schedule;
mod schemas;
mod sections;
mod signed;
mod standings;
mod standings_doubts;
mod storage;
mod stored_log;
mod support;
mod terminal;
mod time_controls;
mod trf;
mod tutorials;
mod watched;
