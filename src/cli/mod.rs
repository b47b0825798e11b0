//! The command line: one file a subcommand. Understands arguments, calls the layers below, says what came of it.
//!
//! What subcommands share: `which_run`, `overrides` (flags that replace keys), `form` (table, JSON, Markdown, CSV), `console` and
//! `progress` (what a person sees during a run), `called` (the program by the name of another match runner), `exit` (exit codes).
//!
//! May not: decide anything that another way of using swissmatch would have to decide again.
#![expect(
    clippy::disallowed_methods,
    reason = "the command line reads files and the environment"
)]

mod account;
mod adapter;
mod analyse;
mod arbiter;
mod at_workers;
mod beside;
mod budget;
mod called;
mod check;
mod compare;
mod completions;
mod confidence;
mod config;
mod console;
mod crosstable;
mod doctor;
mod evidence;
pub mod exit;
mod explain;
mod export;
mod file_ranking;
mod form;
mod gate;
mod gate_outputs;
mod generate;
mod groups;
mod init;
mod job;
mod ladder;
mod league;
mod logging;
mod match_agents;
mod match_plots;
mod output;
mod overrides;
mod pair;
mod peer_console;
mod pgn_out;
mod plan;
mod playoff;
mod prizes;
mod progress;
mod publish;
mod report;
mod rescore;
mod roster;
mod run;
mod screen;
mod serve;
mod sprt;
mod standings;
mod stats;
mod status;
mod stop;
mod submissions;
mod submit;
mod thinking;
mod tour;
mod tournament_file;
mod try_out;
mod verify;
mod verify_pairings;
mod which_run;
mod why;
mod worker;
mod workers;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use swissmatch_host::{begun, guard, threads};

use exit::{Exit, Failure};
use logging::Logging;

const ABOUT: &str = "Swiss-system tournaments of UCI chess agents: pairs them, plays every game, ranks them";

const LONG_ABOUT: &str = "\
Swiss-system tournaments of UCI chess agents.

Give it a list of agents in an event file. It pairs them Swiss-style, plays every game of every mini-match between real \
processes under recorded conditions, and leaves standings, PGN and a log from which everything can be derived again.

  swissmatch init stockfish ./my-engine --output event.toml
  swissmatch run event.toml        after Ctrl-C, the same command continues
  swissmatch standings             also while it runs";

/// The arguments of the program.
#[derive(Debug, Parser)]
#[command(name = "swissmatch", version, about = ABOUT, long_about = LONG_ABOUT, after_help = exit::HELP)]
struct CommandLineArgs {
    #[command(subcommand)]
    command: Command,
    /// Report on standard error what the program does; if given twice, also each game and commit
    #[arg(long, short, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
}

#[derive(Debug, Subcommand)]
#[command(defer = true)]
enum Command {
    Run(Box<run::RunArgs>),
    Worker(Box<worker::WorkerArgs>),
    Workers(workers::WorkersArgs),
    Match(Box<match_agents::MatchArgs>),
    Gate(Box<gate::GateArgs>),
    League(league::LeagueArgs),
    Status(status::StatusArgs),
    Standings(standings::StandingsArgs),
    Crosstable(crosstable::CrosstableArgs),
    Report(report::ReportArgs),
    Publish(publish::PublishArgs),
    Serve(serve::ServeArgs),
    Export(export::ExportArgs),
    Explain(explain::ExplainArgs),
    Evidence(evidence::EvidenceArgs),
    Rescore(rescore::RescoreArgs),
    Compare(compare::CompareArgs),
    Playoff(playoff::PlayoffArgs),
    Arbiter(arbiter::ArbiterArgs),
    Check(Box<check::CheckArgs>),
    Submit(submit::SubmitArgs),
    Submissions(submissions::SubmissionsArgs),
    Ladder(ladder::LadderArgs),
    Try(try_out::TryArgs),
    Prizes(prizes::PrizesArgs),
    Tour(tour::TourArgs),
    Analyse(analyse::AnalyseArgs),
    Stats(Box<stats::StatsArgs>),
    Sprt(Box<sprt::SprtArgs>),
    Thinking(thinking::ThinkingArgs),
    Verify(verify::VerifyArgs),
    Pair(pair::PairArgs),
    VerifyPairings(verify_pairings::VerifyPairingsArgs),
    Generate(Box<generate::GenerateArgs>),
    Config(config::ConfigArgs),
    Roster(roster::RosterArgs),
    Plan(plan::PlanArgs),
    Init(init::InitArgs),
    Doctor(doctor::DoctorArgs),
    Completions(completions::CompletionsArgs),
    Adapter(adapter::AdapterArgs),
}

impl Command {
    /// Whether it starts engines, so that a guard has to stand behind it.
    const fn starts_engines(&self) -> bool {
        match self {
            Self::Match(played) => !played.print_event,
            Self::Run(_)
            | Self::Worker(_)
            | Self::Gate(_)
            | Self::Analyse(_)
            | Self::Check(_)
            | Self::Submit(_)
            | Self::Try(_)
            | Self::Init(_) => true,
            Self::Plan(plan) => plan.measure,
            Self::Arbiter(arbiter) => arbiter.starts_engines(),
            Self::League(league) => league.starts_engines(),
            _ => false,
        }
    }

    /// Whether it plays, so that what the program does goes to the log of the run.
    const fn keeps_a_log(&self) -> bool {
        match self {
            Self::Run(_) | Self::Match(_) | Self::Gate(_) => true,
            Self::League(league) => league.starts_engines(),
            _ => false,
        }
    }

    fn main(self, logging: &Logging) -> Result<Exit, Failure> {
        match self {
            Self::Run(run) => run.main(logging),
            Self::Worker(worker) => worker.main(),
            Self::Workers(workers) => workers.main(),
            Self::Match(played) => played.main(logging),
            Self::Gate(gate) => gate.main(logging),
            Self::League(league) => league.main(logging),
            Self::Status(status) => status.main(),
            Self::Standings(standings) => standings.main(),
            Self::Crosstable(crosstable) => crosstable.main(),
            Self::Export(export) => export.main(),
            Self::Explain(explain) => explain.main(),
            Self::Evidence(evidence) => evidence.main(),
            Self::Report(report) => report.main(),
            Self::Publish(publish) => publish.main(),
            Self::Serve(serve) => serve.main(),
            Self::Rescore(rescore) => rescore.main(),
            Self::Compare(compare) => compare.main(),
            Self::Playoff(playoff) => playoff.main(),
            Self::Arbiter(arbiter) => arbiter.main(),
            Self::Check(check) => check.main(),
            Self::Submit(submit) => submit.main(),
            Self::Submissions(submissions) => submissions.main(),
            Self::Ladder(ladder) => ladder.main(),
            Self::Try(tried) => tried.main(),
            Self::Prizes(prizes) => prizes.main(),
            Self::Tour(tour) => tour.main(),
            Self::Analyse(analyse) => analyse.main(),
            Self::Stats(stats) => stats.main(),
            Self::Sprt(sprt) => sprt.main(),
            Self::Thinking(thinking) => thinking.main(),
            Self::Verify(verify) => verify.main(),
            Self::Pair(pair) => pair.main(),
            Self::VerifyPairings(verify_pairings) => verify_pairings.main(),
            Self::Generate(generate) => generate.main(),
            Self::Config(config) => config.main(),
            Self::Roster(roster) => roster.main(),
            Self::Plan(plan) => plan.main(),
            Self::Init(init) => init.main(),
            Self::Doctor(doctor) => doctor.main(),
            Self::Adapter(adapter) => adapter.main(),
            Self::Completions(completions) => completions.main(&mut CommandLineArgs::command()),
        }
    }
}

/// Runs the program with its arguments, its own name not among them. Where it starts engines, it does so behind a guard. By the name
/// of another match runner (a link) it takes that one's arguments.
pub fn main(arguments: Vec<OsString>) -> ExitCode {
    let arguments = called::arguments(std::env::args_os().next(), arguments);
    let named = std::iter::once(OsString::from("swissmatch")).chain(arguments.iter().cloned());
    let matches = CommandLineArgs::command().try_get_matches_from(named.clone());
    // Help and what is wrong are told by all commands, which take their time to be made.
    let matches = matches.or_else(|_| groups::grouped(CommandLineArgs::command()).try_get_matches_from(named));
    let parsed = match matches.and_then(|matches| CommandLineArgs::from_arg_matches(&matches)) {
        Ok(parsed) => parsed,
        Err(error) => {
            // Help and version are no errors.
            if error.use_stderr() {
                let _ = error.print();
                return Exit::Usage.into();
            }
            output::write(|| error.print());
            return output::settled(Exit::Done).into();
        }
    };
    let command = parsed.command;
    if command.starts_engines() && !begun::is_guarded() {
        return match guard::run(arguments.into_iter()) {
            Ok(status) => match status.code().map(u8::try_from) {
                Some(code) => code.unwrap_or(Exit::Machine.code()).into(),
                None if guard::gave_up(status) => Exit::Machine.into(),
                // It was killed.
                None => Exit::Interrupted.into(),
            },
            Err(error) => Failure::machine(error).tell().into(),
        };
    }
    // Nearly every command computes standings, which takes all cores: whether there are threads shows here.
    let logging = Logging::start(parsed.verbose, command.keeps_a_log());
    let result = threads::start_for_computing()
        .map_err(Failure::machine)
        .and_then(|()| command.main(&logging));
    logging.end();
    match result {
        Ok(exit) => output::settled(exit).into(),
        Err(failure) => failure.tell().into(),
    }
}
