//! The arbiter's acts on events that are played by numbers alone: no engines, no files.
//!
//! May not: repeat what the code under test computes.

mod acts;
mod announcing;
mod any;
mod apart;
mod city_chess;
mod confirming;
mod corrections;
mod course;
mod free_rounds;
mod interruptions;
mod leaving;
mod of_page;
mod overruled;
mod play_offs;
mod views;

use std::collections::BTreeSet;
use std::path::Path;
use swissmatch::tournament::ranking::standings_after;

use jiff::civil::Date;

use swiss_system::pairing::history::PairingNumber;
use swiss_system::score::Points;
use swissmatch::config;
use swissmatch::game::record::GameId;
use swissmatch::game::termination::{Outcome, Termination};
use swissmatch::tournament::arbiter::Command;
use swissmatch::tournament::arbiter::decide::{ActError, decide, overruling};
use swissmatch::tournament::director::{self, Next, NoPairingError};
use swissmatch::tournament::log::{
    Act, Agent, ArbiterActed, Entry, GameFinished, LOG_VERSION, Limit, RunCreated, Suite,
};
use swissmatch::tournament::setup::{PlayerKeys, Setup};
use swissmatch::tournament::state::State;
use swissmatch::tournament::{roster, schedule};

/// A day on which all is played.
const TODAY: Date = Date::constant(2026, 11, 21);

fn agent() -> Agent {
    Agent {
        program: "engine".to_owned(),
        ..Agent::default()
    }
}

/// The setup of an event of players A, B, C …, of whom the first is rated highest.
fn setup(preset: &str, keys: &str, players: usize) -> Setup {
    let mut text = format!("preset = \"{preset}\"\n{keys}\n");
    for (rating, name) in (0..players).map(|player| (2000 - player, name(player))) {
        text += &format!("[[player]]\nname = \"{name}\"\ncommand = \"engine\"\nrating = {rating}\n");
    }
    let loaded = config::load(Path::new("event.toml"), &text, &[]);
    loaded.unwrap_or_else(|error| panic!("{error}")).setup
}

fn name(player: usize) -> String {
    char::from(b'A' + u8::try_from(player).expect("few players")).to_string()
}

/// A late entry.
fn entry(like: &Setup, name: &str) -> Act {
    Act::Enter {
        player: Box::new(PlayerKeys {
            name: name.to_owned(),
            rating: Some(1500),
            byes: Vec::new(),
            ..like.players[0].clone()
        }),
        agent: Box::new(agent()),
    }
}

fn player(number: u32) -> PairingNumber {
    PairingNumber(number)
}

/// An event that is being played.
struct Played {
    log: Vec<Entry>,
    state: State,
}

impl Played {
    fn new(setup: Setup) -> Self {
        let plan = setup.plan();
        let created = RunCreated {
            log_version: LOG_VERSION,
            software: "test".to_owned(),
            rounds: plan.rounds,
            format: plan.format,
            order: roster::starting_order(&setup.players, setup.swiss.seeding, setup.event.rng_seed),
            agents: vec![agent(); setup.players.len()],
            openings: Suite {
                source: "none".to_owned(),
                sha256: None,
                count: 0,
            },
            tour: None,
            machine: None,
            setup,
        };
        let log = vec![Entry::Created(Box::new(created))];
        let state = State::fold(&log).expect("an event of its own");
        Self { log, state }
    }

    fn add(&mut self, entry: Entry) {
        self.state
            .apply(&entry)
            .unwrap_or_else(|broken| panic!("{broken}: {entry:?}"));
        self.log.push(entry);
    }

    fn act(&mut self, act: Act) -> Result<(), ActError> {
        self.act_overruling(act, Vec::new())
    }

    /// With every limit overruled that is against it.
    fn overrule(&mut self, act: Act) -> Result<(), ActError> {
        let overruled = overruling(&self.state, &act);
        self.act_overruling(act, overruled)
    }

    fn act_overruling(&mut self, act: Act, overruled: Vec<Limit>) -> Result<(), ActError> {
        let acted = ArbiterActed {
            act,
            by: "the arbiter".to_owned(),
            reason: "a test".to_owned(),
            overruled,
        };
        for event in decide(&self.state, &BTreeSet::new(), &Command::Act(acted))? {
            self.add(event);
        }
        Ok(())
    }

    /// What the director wants next happens; whether there was anything.
    fn advance(&mut self) -> Result<bool, NoPairingError> {
        match director::next(&self.state, TODAY)? {
            Next::Entries(entries) => {
                entries.into_iter().for_each(|entry| self.add(entry));
                Ok(true)
            }
            Next::Decision | Next::Nothing => Ok(false),
        }
    }

    /// The next game that is due.
    fn due(&self) -> Option<GameId> {
        schedule::next_for_slot(&self.state, &BTreeSet::new(), &BTreeSet::new(), None)
    }

    /// Games that nobody plays end.
    fn forfeit(&mut self) {
        for game in schedule::forfeits(&self.state, &BTreeSet::new()) {
            self.add(Entry::GameFinished(game));
        }
    }

    fn finish(&mut self, id: GameId, outcome: Outcome) {
        let board = self.state.mini_match(id).expect("on the schedule");
        let players = [board.white_of(id.game), board.black_of(id.game)];
        let ending = (outcome, Termination::Checkmate);
        self.add(Entry::GameFinished(GameFinished {
            plies: 40,
            ..GameFinished::unplayed(id, players, ending)
        }));
    }

    /// Pairs the next round and plays it: the smaller pairing number wins.
    fn round(&mut self) {
        assert!(self.advance().expect("a pairing"), "a round is due");
        self.play();
    }

    fn play(&mut self) {
        self.forfeit();
        while let Some(id) = self.due() {
            let board = self.state.mini_match(id).expect("on the schedule");
            let white_is_better = board.white_of(id.game) < board.black_of(id.game);
            let outcome = if white_is_better {
                Outcome::WhiteWins
            } else {
                Outcome::BlackWins
            };
            self.finish(id, outcome);
        }
    }

    fn points(&self) -> Vec<(String, Points)> {
        let standings = standings_after(&self.state, self.state.rounds().len());
        let row =
            |row: &swiss_system::standings::StandingsRow| (self.state.player(row.player).name.clone(), row.points);
        standings.rows.iter().map(row).collect()
    }

    /// Who is in a round's pairs or has its bye.
    fn paired(&self, round: usize) -> BTreeSet<PairingNumber> {
        let pairing = &self.state.rounds()[round - 1].pairing;
        let pairs = pairing.pairs.iter().flat_map(|pair| [pair.white, pair.black]);
        pairs.chain(pairing.bye).collect()
    }
}

const fn game(round: u32, mini_match: u32, game: u32) -> GameId {
    GameId {
        round,
        playoff: 0,
        board: mini_match,
        game,
    }
}
