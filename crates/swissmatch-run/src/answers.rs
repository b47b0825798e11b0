//! Kept answers of models, read by another rule without a call.
//!
//! May not: ask a model, change what is stored, or say what a game would have become.

use std::collections::BTreeMap;

use swiss_system::pairing::history::PairingNumber;

use swissmatch_adapter::answer::{PlayerAnswer, Reading};
use swissmatch_adapter::position::UciPosition;
use swissmatch_broker::kept::KeptCall;
use swissmatch_config as config;
use swissmatch_game::Side;
use swissmatch_game::record::{AttemptEnd, FailedAttempt, GameRecord};
use swissmatch_game::termination::Termination;
use swissmatch_game::transcript::FramedLine;
use swissmatch_host::services::reading;
use swissmatch_tournament::answers::{AnswerReading, Answers, Attempt, JudgedAnswers, OfGame, Turn};
use swissmatch_tournament::setup::{ModelKeys, ModelSetup, MoveSource, Setup};

use super::open_run::OpenRun;

/// How the value of a key is taken over from other keys.
type KeyCopier = fn(&mut ModelSetup, &ModelSetup);

/// The keys of `[model]` by which answers are read.
const KEYS: [(&str, KeyCopier); 5] = [
    ("tag", |keys, other| keys.tag.clone_from(&other.tag)),
    ("take", |keys, other| keys.take = other.take),
    ("notation", |keys, other| keys.notation = other.notation),
    ("in_reasoning", |keys, other| keys.in_reasoning = other.in_reasoning),
    ("resign", |keys, other| keys.resign = other.resign),
];

/// Another rule by which answers are read.
#[derive(Debug)]
pub struct OtherRule {
    keys: Vec<KeyCopier>,
    /// The values of these keys, beside values that do not count.
    values: ModelSetup,
    words: Vec<String>,
}

impl OtherRule {
    /// That of these words, `KEY=VALUE` each; `flag` is what messages call them by.
    ///
    /// # Errors
    /// When a word is none, its key decides nothing of that, or its value is none of its key.
    pub fn read(flag: &str, words: &[String]) -> Result<Self, String> {
        let mut setup = Setup::default();
        let mut keys = Vec::new();
        for word in words {
            let (key, value) = word
                .split_once('=')
                .ok_or_else(|| format!("{flag} {word}: write KEY=VALUE, such as take=last"))?;
            let known = KEYS.iter().find(|(name, _)| *name == key);
            let (_, over) = known.ok_or_else(|| {
                let names: Vec<&str> = KEYS.iter().map(|(name, _)| *name).collect();
                format!(
                    "{flag} {word}: {key} decides nothing of how an answer is read; give one of {}",
                    names.join(", ")
                )
            })?;
            config::set(flag, &format!("model.{key}"), value, &mut setup).map_err(|error| error.to_string())?;
            keys.push(*over);
        }
        Ok(Self {
            keys,
            values: ModelKeys::default().of_player(&setup.model),
            words: words.to_vec(),
        })
    }

    /// How a model with these keys is read by it.
    fn reading(&self, keys: &ModelSetup) -> Reading {
        let mut keys = keys.clone();
        for over in &self.keys {
            over(&mut keys, &self.values);
        }
        reading(&keys)
    }
}

impl OpenRun {
    /// The turns of models in these rounds that come to something else by another rule. Calls nobody.
    ///
    /// # Errors
    /// When a record or the evidence of a game is missing or damaged.
    pub fn answers_by(&self, rule: &OtherRule, rounds: usize) -> Result<Answers, String> {
        let setup = self.state.setup();
        let models = self.state.numbers().filter_map(|number| {
            let player = self.state.player(number);
            let is_model = matches!(player.asks(), Some(MoveSource::Model(..)));
            is_model.then(|| (number, rule.reading(&setup.model(player))))
        });
        let models: BTreeMap<PairingNumber, Reading> = models.collect();
        let mut answers = Answers {
            rule: rule.words.clone(),
            games: Vec::new(),
            players: models
                .keys()
                .map(|number| (*number, JudgedAnswers::default()))
                .collect(),
        };
        for game in self.state.finished_games() {
            let players = [game.finished.white, game.finished.black];
            let readings = players.map(|player| models.get(&player));
            if game.finished.id.round as usize > rounds || readings == [None; 2] {
                continue;
            }
            let finished = self.finished(&game)?;
            let Some(record) = self.record(finished)? else {
                continue;
            };
            let evidence = self.evidence(finished)?.unwrap_or_default();
            let judge = Judge {
                record: &record,
                moves: record.moves.split_ascii_whitespace().collect(),
                texts: texts(&evidence),
            };
            let mut turns = Vec::new();
            for ply in 0..=judge.moves.len() {
                let side = record.side_at(ply);
                let Some(reading) = readings[side.index()] else {
                    continue;
                };
                let judged = answers.players.entry(players[side.index()]).or_default();
                let attempts = judge.attempts(ply, side, reading, judged)?;
                let number = u32::try_from(ply).unwrap_or(u32::MAX);
                turns.extend(Turn::of(side, number, &attempts));
            }
            if !turns.is_empty() {
                answers.games.push(OfGame {
                    id: record.id,
                    players,
                    turns,
                    plies: u32::try_from(judge.moves.len()).unwrap_or(u32::MAX),
                    termination: record.termination,
                    is_ruled: game.ruled.is_some(),
                });
            }
        }
        Ok(answers)
    }
}

/// The answers that evidence has, by side, ply and attempt.
type Texts = BTreeMap<(usize, u32, u32), KeptCall>;

fn texts(evidence: &str) -> Texts {
    let lines = evidence
        .lines()
        .filter_map(FramedLine::of)
        .filter(|line| line.mark == "?");
    let kept = lines.filter_map(|line| Some((line.side.index(), KeptCall::read(line.said)?)));
    kept.map(|(side, kept)| ((side, kept.ply, kept.attempt), kept))
        .collect()
}

/// A game whose answers are judged.
struct Judge<'a> {
    record: &'a GameRecord,
    moves: Vec<&'a str>,
    texts: Texts,
}

impl Judge<'_> {
    /// The position before a ply.
    fn placed(&self, ply: usize) -> Result<UciPosition, String> {
        let opening = &self.record.opening;
        let start = match &opening.fen {
            Some(fen) => format!("fen {fen}"),
            None => "startpos".to_owned(),
        };
        let words = format!("{start} moves {} {}", opening.moves_text(), self.moves[..ply].join(" "));
        let placed = UciPosition::read(&words, opening.variant);
        placed.ok_or_else(|| format!("game {}: its moves are not legal", self.record.id))
    }

    /// The attempts of a side at a ply, which were counted.
    fn attempts(
        &self,
        ply: usize,
        side: Side,
        reading: &Reading,
        judged: &mut JudgedAnswers,
    ) -> Result<Vec<Attempt>, String> {
        let failed = self.record.failed_at(ply).filter(|failed| failed.side == side);
        let failed: Vec<&FailedAttempt> = failed.collect();
        let last = match self.moves.get(ply) {
            Some(played) => Some(AnswerReading::Move((*played).to_owned())),
            None if self.record.termination == (Termination::Resignation { by: side }) => Some(AnswerReading::Resign),
            None => None,
        };
        let all = failed
            .iter()
            .map(|failed| (failed.attempt, AnswerReading::Nothing, is_read(&failed.end)));
        let next = failed.last().map_or(1, |failed| failed.attempt + 1);
        let number = |attempt| (side.index(), u32::try_from(ply).unwrap_or(u32::MAX), attempt);
        let is_kept = self.texts.range(number(0)..=number(u32::MAX)).next().is_some();
        let placed = is_kept.then(|| self.placed(ply)).transpose()?;
        let attempts = all.chain(last.map(|last| (next, last, true)));
        let attempts = attempts.map(|(attempt, was, is_read)| {
            let kept = self.texts.get(&number(attempt)).filter(|kept| is_whole(kept, reading));
            let is = match (is_read, kept, &placed) {
                (false, ..) => Some(AnswerReading::Nothing),
                (true, Some(kept), Some(placed)) => Some(said(kept, reading, placed)),
                (true, ..) => None,
            };
            judged.answers += u32::from(is_read);
            judged.not_kept += u32::from(is.is_none());
            Attempt { was, is }
        });
        Ok(attempts.collect())
    }
}

/// Whether a rule of reading decides what a failed attempt said: what came too late did, however it is read, and of what the broker says
/// that it is none there is nothing to read.
const fn is_read(end: &AttemptEnd) -> bool {
    match end {
        AttemptEnd::Illegal(_) | AttemptEnd::Unparsable(_) | AttemptEnd::Truncated => true,
        AttemptEnd::Late
        | AttemptEnd::Silent
        | AttemptEnd::OutOfStep
        | AttemptEnd::SlowStart
        | AttemptEnd::Empty
        | AttemptEnd::Refused => false,
    }
}

/// Whether all is there that is to be read.
fn is_whole(kept: &KeptCall, reading: &Reading) -> bool {
    !(kept.texts.is_cut("content") || reading.in_reasoning && kept.texts.is_cut("reasoning"))
}

fn said(kept: &KeptCall, reading: &Reading, placed: &UciPosition) -> AnswerReading {
    if kept.failed.is_some() {
        return AnswerReading::Nothing;
    }
    match reading.of_reply(&kept.texts.reply, placed) {
        PlayerAnswer::Move(word) => AnswerReading::Move(word),
        PlayerAnswer::Resign => AnswerReading::Resign,
        PlayerAnswer::No(_) => AnswerReading::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(word: &str) -> String {
        OtherRule::read("--answers", &[word.to_owned()]).expect_err("it is none")
    }

    #[test]
    fn a_rule_is_read_over_the_keys_of_each_model() {
        let words = ["take=first".to_owned(), "tag=move".to_owned()];
        let rule = OtherRule::read("--answers", &words).expect("a rule");
        let own = ModelKeys::default().of_player(&ModelKeys {
            take: Some(swissmatch_tournament::setup::Take::Last),
            resign: Some(false),
            ..ModelKeys::default()
        });
        let reading = rule.reading(&own);
        // What is usual goes over a player's own value, too.
        assert_eq!(reading.take, swissmatch_tournament::setup::Take::First);
        assert_eq!((reading.tag.as_str(), reading.resign), ("move", false));
        assert!(refused("take").contains("write KEY=VALUE, such as take=last"));
        let unknown = refused("max_tokens=9");
        assert!(
            unknown.contains("max_tokens decides nothing of how an answer is read; give one of tag, take, notation"),
            "{unknown}"
        );
        let wrong = refused("take=middle");
        assert!(wrong.contains("--answers") && wrong.contains("\"middle\""), "{wrong}");
    }
}
