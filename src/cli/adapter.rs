//! `swissmatch adapter command|model|url`
//!
//! May not: understand what a player says.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::{Args, Subcommand};

use swissmatch_adapter::answer::{MovePlace, Notation, Reading, Take};
use swissmatch_adapter::model::{Again, Manner};
use swissmatch_broker::endpoint::{Endpoint, ServiceKey};
use swissmatch_broker::player::{AnswerSource, ResponseFormat, Session, TokenKey};
use swissmatch_host::adapter::{AdapterKind, USAGE, be};
use swissmatch_host::machine;

use super::exit::{Exit, Failure};
use super::tournament_file::named;

/// Play as a UCI engine, under any match runner, what is none
///
/// In an event file no adapter is named: a player with `move_command` has one by itself.
///
///   swissmatch adapter command -- ./move.sh
///
/// Give this line to another match runner as the engine's command. See docs/move-command.md for
/// what the program is asked, and what it may answer.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct AdapterArgs {
    #[command(subcommand)]
    kind: AdapterCommand,
}

#[derive(Debug, Subcommand)]
enum AdapterCommand {
    Command(AdapterProgramArgs),
    Model(Box<AdapterModelArgs>),
    Url(AdapterUrlArgs),
}

/// A program that is asked once a move: a line of JSON in, a move out
///
/// The program reads one line from its standard input, a JSON object with the position and the
/// legal moves, and writes one line to its standard output: a move in UCI notation, such as
/// e2e4, or {"move": "e2e4"}. It is started for each move.
///
///   swissmatch adapter command -- ./move.sh
///   swissmatch adapter command --keep-alive -- python3 player.py
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
struct AdapterProgramArgs {
    /// Start the program once, and ask it for each move by one more line
    #[arg(long)]
    keep_alive: bool,
    /// The program writes a line `ready` once it has loaded, and is asked only then
    #[arg(long, requires = "keep_alive")]
    says_ready: bool,
    /// The program, with its arguments
    #[arg(last = true, required = true)]
    program: Vec<String>,
}

/// A language model, by a prompt in Jinja2's language and a move in a tag of its answer
///
/// The template has the variables of the Global Chess Challenge: FEN, side_to_move, last_move,
/// legal_moves_uci, legal_moves_san, move_history_uci, move_history_san (each also as a list, with
/// _list after its name), first_legal_move, board_utf, board_ascii. The answer has its move in
/// <uci_move>e2e4</uci_move>. The service speaks the language of OpenAI's chat completions, as vLLM,
/// llama.cpp, Ollama and most others do. What it fails itself, such as 429 or a cut stream, is asked
/// again; what is wrong with a call stands in one line on standard error.
///
///   swissmatch adapter model --endpoint http://127.0.0.1:8000/v1 --model qwen --prompt move.jinja
///   swissmatch adapter model --endpoint https://api.example.org/v1 --key-file key.txt --model m \
///     --prompt move.jinja --legal-moves-only
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
struct AdapterModelArgs {
    /// The address of its service, to which /chat/completions is added
    #[arg(long, value_name = "URL")]
    endpoint: String,
    /// A file with the key of that service, in one line
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// What the service calls the model
    #[arg(long, value_name = "NAME")]
    model: String,
    /// Most tokens of an answer
    #[arg(long, value_name = "N", default_value_t = 500)]
    max_tokens: u64,
    /// What the service calls that limit
    #[arg(long, value_name = "KEY", value_parser = named::<TokenKey>(), default_value = "max_tokens")]
    token_key: TokenKey,
    /// Sampling temperature
    #[arg(long, value_name = "NUMBER")]
    temperature: Option<f64>,
    /// Nucleus sampling: the share of likely tokens to choose from
    #[arg(long, value_name = "NUMBER")]
    top_p: Option<f64>,
    /// Seed of the sampling
    #[arg(long, value_name = "N")]
    sampling_seed: Option<i64>,
    /// A text at which an answer ends; may be given several times
    #[arg(long, value_name = "TEXT")]
    stop_text: Vec<String>,
    /// Reasoning effort, in the service's words, such as low
    #[arg(long, value_name = "WORD")]
    reasoning_effort: Option<String>,
    /// Let the service accept no answer but {"uci_move": "…"} with a legal move (response_format)
    #[arg(long, conflicts_with_all = ["place", "take", "in_reasoning"])]
    legal_moves_only: bool,
    /// Ask for each answer whole, not as a stream
    #[arg(long)]
    no_stream: bool,
    /// Its template
    #[arg(long, value_name = "FILE")]
    prompt: String,
    /// The system message
    #[arg(long, value_name = "TEXT")]
    system: Option<String>,
    /// How many of its last moves stay in the dialogue
    #[arg(long, value_name = "N", default_value_t = 0)]
    history: usize,
    /// What it is asked after a bad answer: the same again, or with what was wrong
    #[arg(long, value_name = "HOW", value_parser = named::<Again>(), default_value = "same")]
    again_prompt: Again,
    /// Where its move stands
    #[arg(long, value_name = "WHERE", value_parser = named::<MovePlace>(), default_value = "tag")]
    place: MovePlace,
    /// The tag, or the property of an object
    #[arg(long, default_value = "uci_move")]
    tag: String,
    /// Which of several tags counts: the first, unless this says otherwise; of several final answers the last
    #[arg(long, value_name = "WHICH", value_parser = named::<Take>())]
    take: Option<Take>,
    /// How its move is written
    #[arg(long, value_name = "HOW", value_parser = named::<Notation>(), default_value = "uci")]
    notation: Notation,
    /// Take a move within its reasoning, too
    #[arg(long)]
    in_reasoning: bool,
}

/// A web service that is asked once a move, by the object that a command is asked by
///
/// It is sent the object by POST, and answers with a move such as e2e4, or with {"move": "e2e4"}.
/// Only addresses outside this machine and its network are asked, unless one is named by its number
/// or as localhost. See docs/move-command.md for the object.
///
///   swissmatch adapter url https://chess.example.org/move
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
struct AdapterUrlArgs {
    /// Its address
    #[arg(value_name = "URL")]
    url: String,
}

impl AdapterArgs {
    pub(super) fn main(self) -> Result<Exit, Failure> {
        let (kind, words, asked) = match self.kind {
            AdapterCommand::Command(AdapterProgramArgs {
                keep_alive,
                says_ready,
                program,
            }) => (AdapterKind::Command { keep_alive, says_ready }, program, None),
            AdapterCommand::Model(model) => {
                let asked = model.asked()?;
                (model.kind(), Vec::new(), Some(asked))
            }
            AdapterCommand::Url(AdapterUrlArgs { url }) => {
                let source = AnswerSource::url(&url, &url).map_err(Failure::usage)?;
                (AdapterKind::Url { name: url }, Vec::new(), Some((source, Vec::new())))
            }
        };
        // What is amiss has been told.
        Ok(match be(&kind, &words, asked) {
            0 => Exit::Done,
            USAGE => Exit::Usage,
            _ => Exit::Machine,
        })
    }
}

impl AdapterModelArgs {
    /// Who is asked for a move.
    fn asked(&self) -> Result<(AnswerSource, Vec<Endpoint>), Failure> {
        let mut endpoint = Endpoint::new("endpoint", &self.endpoint).map_err(Failure::usage)?;
        endpoint.stream = !self.no_stream;
        if let Some(file) = &self.key_file {
            machine::leave_no_cores().map_err(Failure::machine)?;
            endpoint.key = Some(key(file)?);
        }
        let session = Session {
            max_tokens: self.max_tokens,
            token_key: self.token_key,
            temperature: self.temperature,
            top_p: self.top_p,
            sampling_seed: self.sampling_seed,
            stop_texts: self.stop_text.clone(),
            reasoning_effort: self.reasoning_effort.clone(),
            response_format: match self.legal_moves_only {
                true => ResponseFormat::LegalMoves,
                false => ResponseFormat::None,
            },
            tag: self.tag.clone(),
            // Nobody takes reports here.
            has_texts: false,
            ..Session::new(&self.model, &self.model)
        };
        Ok((AnswerSource::Model(0, Box::new(session)), vec![endpoint]))
    }

    fn kind(self) -> AdapterKind {
        let place = match self.legal_moves_only {
            true => MovePlace::Object,
            false => self.place,
        };
        let reading = Reading {
            place,
            tag: self.tag,
            take: self.take.unwrap_or(match self.place {
                MovePlace::FinalAnswer => Take::Last,
                MovePlace::Tag | MovePlace::Object => Take::First,
            }),
            notation: self.notation,
            in_reasoning: self.in_reasoning,
            resign: true,
        };
        AdapterKind::Model {
            name: self.model,
            prompt: self.prompt,
            manner: Manner {
                system: self.system,
                history: self.history,
                again: self.again_prompt,
                reading,
            },
        }
    }
}

/// The key in a file.
fn key(file: &Path) -> Result<ServiceKey, Failure> {
    let name = file.display();
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::usage(anyhow!("{name}: the key cannot be read: {error}")))?;
    ServiceKey::new(text.trim())
        .ok_or_else(|| Failure::usage(anyhow!("{name}: a key is one line of letters, digits and signs")))
}
