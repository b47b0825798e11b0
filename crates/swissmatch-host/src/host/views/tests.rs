//! Views beside games that are played by nobody: lines are handed over.

use super::*;
use swiss_system::pairing::history::PairingNumber;
use swissmatch_game::adjudicate::AdjudicationRules;
use swissmatch_game::flag_fall::FlagFall;
use swissmatch_game::opening::Opening;
use swissmatch_game::play::{Input, Output};
use swissmatch_game::record::{Attempts, Bounds, GameId, GameLimits};
use swissmatch_game::rules::{Claims, PliesFrom};
use swissmatch_game::termination::BothFailed;
use swissmatch_game::time_control::{Limit, TimeControl};
use swissmatch_game::variant::Variant;

/// A game of thirty seconds a move.
pub(crate) fn spec(round: u32) -> GameSpec {
    let control = TimeControl::from(Limit::MoveTime(Duration::from_secs(30)));
    GameSpec {
        id: GameId {
            round,
            playoff: 0,
            board: 1,
            game: 1,
        },
        white: PairingNumber(1),
        black: PairingNumber(2),
        opening: Opening::start(Variant::Standard),
        limits: GameLimits {
            time_controls: [control.clone(), control],
            margins: [Duration::ZERO; 2],
            move_overhead: Duration::from_millis(50),
            attempts: Attempts::Shared(3),
            attempts_share: false,
            max_plies: Some(400),
            plies_from: PliesFrom::Opening,
            claims: Claims::Automatic,
            both_failed: BothFailed::Lost,
            ready_limit: Duration::from_secs(10),
            step_limit: Duration::from_secs(1),
            restart_limits: [Duration::from_secs(2); 2],
            threads: [1; 2],
            stop_grace: Duration::from_secs(1),
            start_attempts: 3,
            ponder: [false; 2],
            freeze: false,
            resigns: [false; 2],
            flag_fall: FlagFall::DrawIfCannotMate,
        },
        bounds: [Bounds::default(); 2],
        adjudication: AdjudicationRules::default(),
    }
}

/// A game that is played.
pub(crate) struct TestGame {
    game: Game,
    now: Duration,
}

impl TestGame {
    /// Both sides are ready.
    pub(crate) fn begin(spec: &GameSpec) -> Self {
        let game = Game::new(spec.clone()).expect("a legal opening");
        let now = Duration::ZERO;
        let mut played = Self { game, now };
        played.say("readyok");
        played.say("readyok");
        played.ask();
        played
    }

    fn ask(&mut self) {
        while let Output::Send { .. } = self.game.poll(self.now) {
            self.game.handle(self.now, Input::Sent { was_full: false });
        }
    }

    fn say(&mut self, line: &str) {
        self.ask();
        self.now += Duration::from_millis(1);
        self.game.handle(self.now, Input::Line(line.as_bytes()));
    }

    /// A move is made, and the next one asked for.
    pub(crate) fn play(&mut self, uci: &str) {
        self.say(&format!("bestmove {uci}"));
        self.ask();
    }

    pub(crate) fn plies(&self) -> usize {
        self.game.plies()
    }

    pub(crate) fn moves(&self) -> String {
        let mut seen = GameView::begin(&spec(1));
        self.game.show(&mut seen);
        seen.moves
    }

    pub(crate) fn end(mut self) -> GameRecord {
        self.game.end_by_arbiter(swissmatch_game::termination::Outcome::Draw);
        self.game.finish().0
    }

    pub(crate) fn shows(&self, shows: &mut Shows<'_>) {
        shows.show(&self.game, false);
    }
}

/// Its moves, and whether it has ended.
fn state(live: &Live) -> (u32, String, bool) {
    (live.game.id.round, live.game.moves.clone(), live.game.ended.is_some())
}

#[test]
fn nothing_is_shown_to_nobody_and_all_to_whoever_comes() {
    let views = Views::new(2);
    let (spec, mut played) = (spec(1), TestGame::begin(&spec(1)));
    let mut shows = views.at(1).game(&spec, Instant::now());
    played.shows(&mut shows);
    played.play("e2e4");
    played.shows(&mut shows);
    assert!(views.at(1).shown.lock().expect("no panic").now.is_none());
    views.watch();
    assert_eq!(views.look(1, 0), None, "nothing yet");
    played.shows(&mut shows);
    let (version, before, now) = views.look(1, 0).expect("it is shown");
    let now = now.expect("a game");
    assert_eq!(
        (before, now.slot, state(&now)),
        (None, 1, (1, "e2e4".to_owned(), false))
    );
    assert_eq!(views.look(1, version), None);
    played.shows(&mut shows);
    assert_eq!(views.look(1, version), None, "nothing has changed");
    assert_eq!(views.look(0, 0), None, "a slot at rest");

    // Whoever comes later is shown nothing of what was.
    views.leave();
    played.play("e7e5");
    played.shows(&mut shows);
    views.watch();
    assert_eq!(views.look(1, 0), None);
    played.shows(&mut shows);
    let (_, _, now) = views.look(1, 0).expect("it is shown");
    assert_eq!(now.map(|now| state(&now)), Some((1, "e2e4 e7e5".to_owned(), false)));
}

#[test]
fn a_view_that_is_looked_at_makes_nobody_wait() {
    let views = Views::new(1);
    views.watch();
    let (spec, mut played) = (spec(1), TestGame::begin(&spec(1)));
    let mut shows = views.at(0).game(&spec, Instant::now());
    played.shows(&mut shows);
    let looking = views.at(0).shown.lock().expect("no panic");
    played.play("e2e4");
    played.shows(&mut shows);
    played.play("e7e5");
    played.shows(&mut shows);
    drop(looking);
    let moves = || views.look(0, 0).and_then(|(_, _, now)| Some(now?.game.moves));
    assert_eq!(moves().as_deref(), Some(""));
    played.shows(&mut shows);
    assert_eq!(moves().as_deref(), Some("e2e4 e7e5"), "later, and whole");
}

#[test]
fn the_end_of_a_game_is_seen_after_the_next_has_begun_and_once() {
    let views = Views::new(1);
    views.watch();
    let play = |round: u32, uci: &str| {
        let spec = spec(round);
        let mut played = TestGame::begin(&spec);
        let mut shows = views.at(0).game(&spec, Instant::now());
        played.shows(&mut shows);
        played.play(uci);
        played.shows(&mut shows);
        played.end()
    };
    let look = |version| {
        let (version, before, now) = views.look(0, version).expect("there is news");
        let [before, now] = [before, now].map(|live| live.as_ref().map(state));
        (version, before, now)
    };
    let record = play(1, "e2e4");
    views.at(0).end(&record);
    let _running = play(2, "d2d4");
    let (version, before, now) = look(0);
    assert_eq!(before, Some((1, "e2e4".to_owned(), true)));
    assert_eq!(now, Some((2, "d2d4".to_owned(), false)));
    // That game is lost with its slot, and the next one ends unseen: it never began.
    views.at(0).end(&GameRecord::not_started(&spec(3), [true, false]));
    let (version, before, now) = look(version);
    assert_eq!((before, now), (None, Some((3, String::new(), true))));
    let _running = play(4, "c2c4");
    let (_, before, now) = look(version);
    assert_eq!((before, now), (None, Some((4, "c2c4".to_owned(), false))));
}
