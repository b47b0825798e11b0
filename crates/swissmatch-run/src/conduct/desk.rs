//! Acts of the arbiter, as the loop carries them out: one after the other, each in the log before the next is looked at.
//!
//! May not: judge them; that is `tournament::arbiter::decide`.

use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::Sender;

use swissmatch_game::record::GameId;
use swissmatch_game::termination::Termination;
use swissmatch_host::host::{AgentSpec, GameReport, HostOrder};
use swissmatch_host::writer::Item;
use swissmatch_tournament::arbiter::Command;
use swissmatch_tournament::arbiter::decide::{ActError, decide};
use swissmatch_tournament::log::{Act, ArbiterActed, Entry, GameFinished};

use super::{Conductor, item};

/// What became of a command: when it takes effect, or why it is refused; a sentence each.
pub type ActAnswer = Result<String, String>;

/// An act that was asked for, and where the answer goes.
#[derive(Debug)]
pub struct AskedAct {
    /// What is asked for.
    pub command: Command,
    /// Where the answer goes.
    pub answer: Sender<ActAnswer>,
}

impl AskedAct {
    fn answer(self, answer: ActAnswer) {
        // Whoever asked may have gone.
        let _ = self.answer.send(answer);
    }
}

/// What waits at the desk.
#[derive(Debug, Default)]
pub(super) struct ActQueue {
    waiting: VecDeque<AskedAct>,
    /// Being committed, with what to say when it is.
    in_hand: Option<(AskedAct, String)>,
    /// A late entry that the host is asked about, with what is to be committed.
    entering: Option<(AskedAct, ArbiterActed, Vec<Entry>)>,
    /// Games that their slots are asked to end, by an act that is asked for. Nothing else waits for that: a slot may be far away.
    ending: BTreeMap<GameId, AskedAct>,
    /// Games that have been ended so.
    ended: VecDeque<(Box<GameReport>, AskedAct)>,
}

impl ActQueue {
    pub(super) fn take(&mut self, asked: AskedAct) {
        self.waiting.push_back(asked);
    }

    /// Whether an act waits to be judged: until it is no game is begun.
    pub(super) fn has_waiting(&self) -> bool {
        !self.waiting.is_empty() || !self.ended.is_empty()
    }

    /// Whether an act is being committed, or about to be.
    pub(super) const fn is_committing(&self) -> bool {
        self.in_hand.is_some() || self.entering.is_some()
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.has_waiting() && !self.is_committing() && self.ending.is_empty()
    }

    /// The act by which somebody has asked for the end of this game, which is over now.
    pub(super) fn take_end(&mut self, id: GameId) -> Option<AskedAct> {
        self.ending.remove(&id)
    }

    /// A game is played again after all: whoever asked for its end asks the stopped run.
    pub(super) fn forget(&mut self, id: GameId) {
        self.ending.remove(&id);
    }

    /// What was in hand is in the log.
    pub(super) fn done(&mut self) {
        if let Some((asked, sentence)) = self.in_hand.take() {
            asked.answer(Ok(sentence));
        }
    }
}

impl Conductor {
    /// Carries out the next act that waits. An act is judged when everything that has happened is in the log, so that whoever
    /// reads the log up to there judges alike.
    pub(super) fn answer_the_arbiter(&mut self) {
        let is_all_logged = self.pending == 0 && self.unsaved() == self.desk.ended.len();
        if !is_all_logged || self.desk.entering.is_some() {
            return;
        }
        if let Some((played, asked)) = self.desk.ended.pop_front() {
            return self.end(played, asked);
        }
        let Some(asked) = self.desk.waiting.pop_front() else {
            return;
        };
        match decide(&self.state, &self.in_flight, &asked.command) {
            Err(refused) => asked.answer(Err(refused.to_string())),
            Ok(events) => self.carry_out(asked, events),
        }
    }

    fn carry_out(&mut self, asked: AskedAct, entries: Vec<Entry>) {
        let Some(Entry::Acted(acted)) = entries.first().cloned() else {
            let sentence = "The decision is in the log; the event goes on.".to_owned();
            return self.commit(entries, asked, sentence);
        };
        let acted = *acted;
        match &acted.act {
            Act::Adjudicate { game, outcome } if self.in_flight.contains(game) => {
                let refused = match (self.playing.contains(game), self.desk.ending.contains_key(game)) {
                    (true, false) => None,
                    (true, true) => Some(format!("game {game} is already being ended by adjudication")),
                    (false, _) if self.behind().any(|behind| behind == *game) => {
                        Some(format!("game {game} has not begun yet; ask again when it has"))
                    }
                    (false, _) => Some(format!("game {game} has just ended by itself")),
                };
                if let Some(sentence) = refused {
                    return asked.answer(Err(ActError::Cannot(sentence).to_string()));
                }
                self.host.order(HostOrder::Adjudicate {
                    game: *game,
                    outcome: *outcome,
                });
                self.desk.ending.insert(*game, asked);
                return;
            }
            Act::Enter { player, agent } => {
                match AgentSpec::of_late_entry(player, agent, self.state.created(), self.most_gpus()) {
                    Ok(spec) => {
                        self.host.order(HostOrder::Enter(Box::new(spec)));
                        self.desk.entering = Some((asked, acted, entries));
                        return;
                    }
                    Err(error) => return asked.answer(Err(error)),
                }
            }
            _ => {}
        }
        self.enact(asked, &acted, entries);
    }

    /// The host has a late entry, or says why not.
    pub(super) fn entered(&mut self, entered: Result<(), String>) {
        if let Some((asked, acted, events)) = self.desk.entering.take() {
            match entered {
                Ok(()) => self.enact(asked, &acted, events),
                Err(error) => asked.answer(Err(error)),
            }
        }
    }

    fn enact(&mut self, asked: AskedAct, acted: &ArbiterActed, entries: Vec<Entry>) {
        // A game that is being given a result must not be handed out meanwhile.
        for entry in &entries {
            if let Entry::GameFinished(GameFinished { id, .. }) = entry {
                self.in_flight.insert(*id);
            }
        }
        let sentence = acted.act.takes_effect(&self.state);
        self.commit(entries, asked, sentence);
    }

    fn commit(&mut self, entries: Vec<Entry>, asked: AskedAct, sentence: String) {
        self.pending += entries
            .iter()
            .filter(|entry| !matches!(entry, Entry::GameFinished(_)))
            .count();
        self.desk.in_hand = Some((asked, sentence));
        self.writer.append_all(entries.into_iter().map(item).collect());
    }

    /// A game is over whose end somebody has asked for. If the act ended it, that is looked at again and goes before it.
    pub(super) fn ended(&mut self, played: Box<GameReport>, asked: AskedAct) {
        let (id, termination) = (played.record.id, played.record.termination);
        if termination == Termination::ArbiterAdjudication {
            return self.desk.ended.push_back((played, asked));
        }
        asked.answer(Err(format!("game {id} has just ended by itself")));
        self.writer.append(Item::Game(played));
    }

    /// A game has been ended by an act, which was possible when it was asked for: other acts may be in the log since.
    fn end(&mut self, played: Box<GameReport>, asked: AskedAct) {
        match decide(&self.state, &self.in_flight, &asked.command).as_deref() {
            Ok([act @ Entry::Acted(acted)]) => {
                let sentence = acted.act.takes_effect(&self.state);
                self.pending += 1;
                self.desk.in_hand = Some((asked, sentence));
                self.writer.append_all(vec![item(act.clone()), Item::Game(played)]);
            }
            Ok(_) => unreachable!("the end of a game that is being played follows by itself"),
            Err(refused) => {
                asked.answer(Err(refused.to_string()));
                self.is_due_again(played.record.id);
            }
        }
    }
}
