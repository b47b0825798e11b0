//! A tournament by the preset, told as what was stored of it: who met whom, and how it ended.
//!
//! May not: know what a rule asks for.

use std::collections::BTreeSet;
use std::path::Path;
use swissmatch::tournament::ranking::standings_after;

use serde_json::json;
use swiss_system::pairing::history::{Pair, PairingNumber, RoundPairing};
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::standings::Standings;
use swiss_system::standings::explain::separation;
use swissmatch::config;
use swissmatch::game::termination::{Outcome, Termination};
use swissmatch::tournament::arbiter::Command;
use swissmatch::tournament::arbiter::decide::{ActError, decide};
use swissmatch::tournament::director::{self, Next};
use swissmatch::tournament::log::{Act, ArbiterActed, Entry, GameFinished, LOG_VERSION, RoundPaired};
use swissmatch::tournament::state::State;

pub(super) const DAY: jiff::civil::Date = jiff::civil::date(2026, 1, 30);
/// Ratings by pairing number, 2000, 1900 and so on down.
pub(super) const FALLING: i32 = 100;

/// A tournament by the preset, and what has happened in it.
pub(super) struct Tournament(pub(super) State);

impl Tournament {
    /// Of so many players, whose pairing numbers follow their ratings.
    pub(super) fn of(players: u32, more: &str) -> Self {
        let rating = |number: i32| Some(format!("rating = {}", 2000 - (number - 1) * FALLING));
        Self::rated(&(1..=players.cast_signed()).map(rating).collect::<Vec<_>>(), more)
    }

    /// Of players with such lines of their own, whose pairing numbers follow the list.
    pub(super) fn rated(players: &[Option<String>], more: &str) -> Self {
        let mut text = format!("preset = \"immortal-game\"\n{more}\n");
        for (number, line) in (1..).zip(players) {
            let line = line.as_deref().unwrap_or_default();
            text += &format!("[[player]]\nname = \"P{number}\"\ncommand = \"p\"\n{line}\n");
        }
        let loaded = config::load(Path::new("event.toml"), &text, &[]);
        let setup = loaded.unwrap_or_else(|error| panic!("{error}")).setup;
        let plan = setup.plan();
        assert_eq!(plan.format, TournamentFormat::Swiss);
        let agent = json!({ "program": "p", "files": [], "introduction": null });
        let created = json!({
            "entry": "created",
            "log_version": LOG_VERSION,
            "software": "0.0.0",
            "rounds": plan.rounds,
            "format": "swiss",
            "order": (0..players.len()).collect::<Vec<_>>(),
            "agents": vec![agent; players.len()],
            "openings": { "source": "none", "sha256": null, "count": 0 },
            "setup": setup,
        });
        let created: Entry = serde_json::from_value(created).expect("an event");
        Self(State::fold(&[created]).expect("a log"))
    }

    /// Rounds as a person would write them down: `1-5 +` White won, `=` drawn, `-` Black won, `+f` and `-f` by forfeit, `0` neither
    /// came; `(3)` has the bye; who is not named was not there. Who meets whom is as written, whatever the system would say.
    pub(super) fn told(mut self, rounds: &[&str]) -> Self {
        for (round, written) in (1..).zip(rounds) {
            let mut pairing = RoundPairing::default();
            let mut endings = Vec::new();
            for part in written.split(", ") {
                let number = |text: &str| PairingNumber(text.parse().expect("a number"));
                if let Some(bye) = part.strip_prefix('(') {
                    pairing.bye = Some(number(bye.trim_end_matches(')')));
                    continue;
                }
                let (players, ending) = part.split_once(' ').expect("players and result");
                let (white, black) = players.split_once('-').expect("two players");
                let (white, black, repeat) = (number(white), number(black), false);
                pairing.pairs.push(Pair { white, black, repeat });
                endings.push(ending);
            }
            self.paired(round, &pairing);
            self.finish(|at, _| endings[at].to_owned());
        }
        self
    }

    pub(super) fn paired(&mut self, round: u32, pairing: &RoundPairing) {
        let paired = RoundPaired {
            round,
            pairing: pairing.clone(),
            day: jiff::civil::date(2026, 1, 30),
            starts: None,
        };
        self.0.apply(&Entry::RoundPaired(paired)).expect("it can be paired so");
    }

    /// Ends all games of the round, board by board.
    pub(super) fn finish(&mut self, mut ending: impl FnMut(usize, Pair) -> String) {
        let round = self.0.rounds().len();
        let pairs = self.0.rounds()[round - 1].pairing.pairs.clone();
        for (board, pair) in pairs.into_iter().enumerate() {
            self.game(board, pair, ended(&ending(board, pair)));
        }
    }

    pub(super) fn game(&mut self, board: usize, pair: Pair, (outcome, termination): (Outcome, Termination)) {
        let id = format!("{}.{}.1", self.0.rounds().len(), board + 1);
        let id = id.parse().expect("a game's name");
        let game = GameFinished {
            plies: 40,
            ..GameFinished::unplayed(id, [pair.white, pair.black], (outcome, termination))
        };
        self.0.apply(&Entry::GameFinished(game)).expect("it was due");
    }

    /// Has the next round paired by the system.
    pub(super) fn pair(&mut self) -> RoundPairing {
        let Next::Entries(entries) = director::next(&self.0, DAY).expect("a pairing") else {
            panic!("no round is next");
        };
        entries
            .iter()
            .for_each(|entry| self.0.apply(entry).expect("it is next"));
        self.0.rounds().last().expect("a round").pairing.clone()
    }

    /// Asks for an act of the organizer while these games are being played; what it puts into the log is not applied yet.
    pub(super) fn ask(&self, act: Act) -> Result<Vec<Entry>, ActError> {
        let (by, reason) = ("Admin".to_owned(), "a test".to_owned());
        let acted = ArbiterActed {
            act,
            by,
            reason,
            overruled: Vec::new(),
        };
        decide(&self.0, &BTreeSet::new(), &Command::Act(acted))
    }

    pub(super) fn act(&mut self, act: Act) {
        let entries = self.ask(act).unwrap_or_else(|refused| panic!("{refused}"));
        entries
            .iter()
            .for_each(|entry| self.0.apply(entry).expect("it was allowed"));
    }

    pub(super) fn standings(&self) -> Standings {
        standings_after(&self.0, self.0.rounds().len())
    }

    /// Places and players in the order of the table, as `1 P2`.
    pub(super) fn table(&self) -> Vec<String> {
        let rows = self.standings().rows.into_iter();
        rows.map(|row| format!("{} P{}", row.place, row.player)).collect()
    }

    /// What each player has by a criterion, by pairing number; `–` where it is not defined.
    pub(super) fn values(&self, criterion: &str) -> Vec<String> {
        let standings = self.standings();
        let index = standings.position(&criterion.parse().expect("a criterion"));
        let index = index.expect("it is in the table");
        let mut rows = standings.rows;
        rows.sort_by_key(|row| row.player);
        let value = |cell: Option<_>| {
            cell.map_or_else(
                || "–".to_owned(),
                |value: swiss_system::standings::value::Value| value.to_string(),
            )
        };
        rows.iter().map(|row| value(row.cells[index].value)).collect()
    }

    /// The criterion that puts player 1 before player 2.
    pub(super) fn first_before_second(&self) -> String {
        let standings = self.standings();
        let place = |number| {
            let row = standings.rows.iter().find(|row| row.player == PairingNumber(number));
            row.expect("in the table").place
        };
        assert!(place(1) < place(2), "{:?}", self.table());
        let index = separation(&standings, PairingNumber(1), PairingNumber(2));
        standings.criteria[index.expect("they are told apart")].to_string()
    }
}

/// How a game written so ended.
pub(super) fn ended(written: &str) -> (Outcome, Termination) {
    match written {
        "+" => (Outcome::WhiteWins, Termination::Checkmate),
        "=" => (Outcome::Draw, Termination::Stalemate),
        "-" => (Outcome::BlackWins, Termination::Checkmate),
        "+f" => Termination::not_started([true, false]),
        "-f" => Termination::not_started([false, true]),
        "0" => Termination::not_started([false, false]),
        other => panic!("{other}"),
    }
}

/// The better rated always wins.
pub(super) fn by_rating(_: usize, pair: Pair) -> String {
    if pair.white < pair.black { "+" } else { "-" }.to_owned()
}

/// The pairs without colours, the smaller number first.
pub(super) fn couples(pairing: &RoundPairing) -> Vec<(u32, u32)> {
    let couple = |pair: &Pair| (pair.white.min(pair.black).0, pair.white.max(pair.black).0);
    pairing.pairs.iter().map(couple).collect()
}

/// The registration of somebody who was not there at the start.
pub(super) fn registration(name: &str, rating: i32) -> Act {
    let player = json!({
        "name": name, "command": "p", "args": [], "options": {}, "rating": rating, "submitted_at": null, "nodes": null, "depth": null,
    });
    let agent = json!({ "program": "p", "files": [], "introduction": null });
    Act::Enter {
        player: serde_json::from_value(player).expect("a player"),
        agent: serde_json::from_value(agent).expect("an agent"),
    }
}
