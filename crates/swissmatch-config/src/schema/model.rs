//! Keys on how models are asked and their answers read: `[model]`, and the same keys of a player, which override those.
//!
//! May not: know layers or files.

use super::Key;
use crate::kind::{
    ValueKind, choice, line, list, optional, or, path, switch, tag, text, thousandths, usually, verbatim, whole,
};
use swissmatch_tournament::setup::{ModelKeys, ModelSetup, PlayerKeys, ResponseFormat, Setup};

/// The keys of `[model]`.
pub(super) fn keys() -> Vec<Key<Setup>> {
    let keys = declared(Of::Event).into_iter();
    keys.map(|key| key.within(|setup: &Setup| &setup.model, |setup| &mut setup.model))
        .collect()
}

/// The keys of `[model]` as keys of a player.
pub(super) fn of_player() -> Vec<Key<PlayerKeys>> {
    let keys = declared(Of::Player).into_iter();
    keys.map(|key| {
        key.within(
            |player: &PlayerKeys| &player.model_keys,
            |player| &mut player.model_keys,
        )
    })
    .collect()
}

/// The owner of a key.
#[derive(Clone, Copy)]
enum Of {
    /// The event: a missing value is the usual one.
    Event,
    /// A player: a missing value is that of the event.
    Player,
}

impl Of {
    /// A key. `names` are its paths in the event and in a player, and the meaning of the player's.
    fn key<V: Clone + PartialEq + Send + Sync + 'static>(
        self,
        names: [&'static str; 3],
        kind: ValueKind<V>,
        usual: Option<V>,
        doc: &'static str,
        field: Field<V>,
    ) -> Key<ModelKeys> {
        let [of_event, of_player, doc_of_player] = names;
        match (self, usual) {
            (Self::Event, Some(usual)) => Key::new(of_event, usually(usual, kind), doc, field.0, field.1),
            (Self::Event, None) => Key::new(of_event, optional(kind), doc, field.0, field.1),
            (Self::Player, _) => Key::new(of_player, optional(kind), doc_of_player, field.0, field.1),
        }
    }
}

/// The getter and the setter of a key's value.
type Field<V> = (fn(&ModelKeys) -> &Option<V>, fn(&mut ModelKeys, Option<V>));

/// A key by the field that has its value.
macro_rules! model {
    ($of:ident.$name:ident, $kind:expr, $usual:expr, $doc:expr $(,)?) => {
        $of.key(
            [
                concat!("model.", stringify!($name)),
                concat!("player.", stringify!($name)),
                concat!("In place of model.", stringify!($name), ", for this player."),
            ],
            $kind,
            $usual,
            $doc,
            (|keys| &keys.$name, |keys, value| keys.$name = value),
        )
    };
}

/// All keys, each declared once.
fn declared(of: Of) -> Vec<Key<ModelKeys>> {
    let usual = ModelSetup::default();
    vec![
        model!(
            of.prompt,
            path("the path of a template, without control characters"),
            None,
            "The template of the prompt, in Jinja2; relative to this file. Every model needs one.",
        ),
        model!(
            of.system,
            text("a text of 1 to 100000 characters"),
            None,
            "What a model is told before everything else.",
        ),
        model!(
            of.max_tokens,
            whole("a number of tokens", 1..=10_000_000),
            Some(usual.max_tokens),
            "How many tokens an answer may have, its reasoning included.",
        ),
        model!(
            of.token_key,
            choice(),
            Some(usual.token_key),
            "What the service calls that limit.",
        ),
        model!(
            of.temperature,
            thousandths("a number from 0 to 100 with at most three decimals, such as 0.7", 100),
            usual.temperature,
            "How much chance there is in an answer; if left out, as the service has it.",
        ),
        model!(
            of.top_p,
            thousandths("a number from 0 to 1 with at most three decimals, such as 0.95", 1),
            usual.top_p,
            "From how much of what is likely a token is chosen; if left out, as the service has it.",
        ),
        model!(
            of.sampling_seed,
            whole("a whole number", i64::MIN..=i64::MAX).called("a whole number"),
            usual.sampling_seed,
            "What the service begins its chance with. Equal answers are not promised by it.",
        ),
        model!(
            of.stop_texts,
            list(r#"a list of at most 16 texts, such as ["\n\n"]"#, text("a text"))
                .unless(|texts| (texts.len() > 16).then(|| format!("{} texts are more than 16", texts.len()))),
            Some(usual.stop_texts),
            "Texts at which an answer ends.",
        ),
        model!(
            of.reasoning_effort,
            line("a word of the service, such as \"low\"", 1..=100),
            usual.reasoning_effort,
            "How long a model reasons, in the service's word; if left out, as the service has it.",
        ),
        model!(
            of.response_format,
            response_format(),
            Some(usual.response_format),
            r#"What constrains an answer: "none", "legal-moves" (an object with one of the legal moves, by a schema), or a table that goes into each call as it is."#,
        ),
        model!(
            of.history,
            whole("a number of moves", 0..=1000),
            Some(usual.history),
            "How many of its last moves, each with prompt and answer, stay in the dialogue.",
        ),
        model!(
            of.tag,
            tag(),
            Some(usual.tag),
            "The tag that has the move, `<uci_move>e2e4</uci_move>`; a text that ends in a colon is what the move stands after.",
        ),
        model!(
            of.take,
            choice(),
            Some(usual.take),
            r#"Which of several tags counts; "only": there may be no second one."#,
        ),
        model!(of.notation, choice(), Some(usual.notation), "How the move is written."),
        model!(
            of.in_reasoning,
            switch(),
            Some(usual.in_reasoning),
            "Whether a move within the reasoning counts, too.",
        ),
        model!(
            of.resign,
            switch(),
            Some(usual.resign),
            "Whether `resign` in place of a move gives up.",
        ),
        model!(
            of.again_prompt,
            choice(),
            Some(usual.again_prompt),
            r#"What is asked in another attempt: the "same", or the same with the bad answer and what was wrong with it ("told")."#,
        ),
        model!(
            of.keep,
            choice(),
            Some(usual.keep),
            r#"Which prompts and answers become evidence: "all", those of attempts that gave no legal move in time ("faults"), or only the "hashes" of all."#,
        )
        .output(),
        model!(
            of.rationale,
            choice(),
            Some(usual.rationale),
            r#"Where it is shown what a model said beside its move: in the comments of "pgn", there and on the "page", or nowhere ("none")."#,
        )
        .output(),
    ]
}

/// The constraint on an answer.
fn response_format() -> ValueKind<ResponseFormat> {
    let such_as = r#"{ type = "json_object" }"#;
    or("none", or("legal-moves", verbatim(such_as)))
        .called(format!(r#""none", "legal-moves" or a table, such as {such_as}"#))
        .map(
            |format| match format {
                None => ResponseFormat::None,
                Some(None) => ResponseFormat::LegalMoves,
                Some(Some(table)) => ResponseFormat::Table(table),
            },
            |format| match format {
                ResponseFormat::None => Some(None),
                ResponseFormat::LegalMoves => Some(Some(None)),
                ResponseFormat::Table(table) => Some(Some(Some(table.clone()))),
            },
        )
}
