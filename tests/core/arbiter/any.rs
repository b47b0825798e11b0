//! Any sequence of acts: whatever the arbiter does, pairings and standings keep what they promise.

use std::collections::{BTreeMap, BTreeSet};
use swissmatch::tournament::history::history_after;
use swissmatch::tournament::ranking::standings_after;
use swissmatch::tournament::results::results_after;
use swissmatch::tournament::ties::event_is_over;

use proptest::collection::vec;
use proptest::prelude::*;

use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::score::Points;
use swiss_system::standings::results::RoundFate;
use swissmatch::game::termination::Outcome;
use swissmatch::report::trf::View;
use swissmatch::report::{parts, summary, trf};
use swissmatch::tournament::director::{self, Next};
use swissmatch::tournament::log::{Absence, Act, ByeWorth, Entry, GamesInterrupted, HowEnded, PresenceChecked};
use swissmatch::tournament::state::State;

use super::{Played, TODAY, entry, setup, views};

/// Something happens: what, and numbers that it is about.
type Step = (u8, u32, u32, u32);

const KINDS: u8 = 26;

/// An event: its preset, its keys, whether its players may come late, how many more there are than the fewest.
struct Kind {
    preset: &'static str,
    keys: &'static str,
    is_swiss: bool,
    more: usize,
    /// Whether the last player is the house player.
    house: bool,
}

const fn swiss(preset: &'static str, keys: &'static str) -> Kind {
    Kind {
        preset,
        keys,
        is_swiss: true,
        more: 0,
        house: false,
    }
}

const fn other(preset: &'static str, keys: &'static str) -> Kind {
    Kind {
        is_swiss: false,
        ..swiss(preset, keys)
    }
}

const EVENTS: [Kind; 14] = [
    swiss(
        "global-chess-challenge",
        "[swiss]\nrounds = 4\n[mini_match]\ngames = 2\n",
    ),
    swiss(
        "global-chess-challenge",
        "[swiss]\nrounds = 3\n[mini_match]\ngames = 1\n",
    ),
    // Game pairs enough to draw from.
    swiss(
        "global-chess-challenge",
        "[swiss]\nrounds = 3\n[mini_match]\ngames = 4\n",
    ),
    Kind {
        more: 4,
        ..swiss(
            "none",
            "[swiss]\nrounds = 4\npairing = \"dutch\"\ncolor = \"first-game\"\n[mini_match]\ngames = 1\n",
        )
    },
    Kind {
        more: 4,
        ..swiss("us-chess", "[swiss]\nrounds = 4\n[mini_match]\n")
    },
    other("none", "[swiss]\nrounds = \"RR\"\n[mini_match]\ngames = 2\n"),
    other("none", "[swiss]\nrounds = \"knockout\"\n[mini_match]\ngames = 2\n"),
    other("none", "[swiss]\nrounds = \"quads\"\n[mini_match]\ngames = 1\n"),
    other(
        "none",
        "[event]\nstages = [{ format = \"2-SS\" }, { format = \"RR\", top = 2 }]\n[mini_match]\ngames = 1\n",
    ),
    swiss("gct-rapid-blitz", "[swiss]\nrounds = 3\n[mini_match]\ngames = 1\n"),
    Kind {
        more: 4,
        ..swiss("immortal-game", "[swiss]\nrounds = 4\n[mini_match]\n")
    },
    Kind {
        more: 4,
        ..swiss(
            "none",
            "[swiss]\nrounds = \"3-double-SS\"\npairing = \"double-swiss\"\n[standings]\norder = [\"game-points\"]\n[mini_match]\n",
        )
    },
    Kind {
        more: 2,
        ..swiss(
            "none",
            "[event]\nsections = [{ name = \"Open\", from = 1999 }, { name = \"Other\", to = 1998, format = \"2-SS\" }]\n\
             [swiss]\nrounds = 3\n[mini_match]\ngames = 1\n",
        )
    },
    Kind {
        more: 2,
        house: true,
        ..swiss("none", "[swiss]\nrounds = 3\n[mini_match]\ngames = 1\n")
    },
];

fn outcome(number: u32) -> Outcome {
    match number % 5 {
        0 | 1 => Outcome::WhiteWins,
        2 => Outcome::BlackWins,
        3 => Outcome::Draw,
        _ => Outcome::BothLose,
    }
}

fn step(event: &mut Played, (kind, a, b, c): Step) {
    let players = u32::try_from(event.state.player_count()).expect("few players");
    // Sometimes a number that nobody has.
    let player = |number: u32| PairingNumber(number % (players + 1) + u32::from(!number.is_multiple_of(17)));
    let (one, other) = (player(a), player(b));
    let rounds = u32::try_from(event.state.rounds().len()).expect("few rounds");
    let round = c % (rounds + 3);
    let games: Vec<_> = event
        .state
        .sittings()
        .flat_map(|sitting| {
            let boards = (1..).zip(sitting.mini_matches);
            boards.flat_map(move |(mini_match, board)| {
                (1..=board.games.len()).map(move |game| swissmatch::game::record::GameId {
                    round: sitting.round,
                    playoff: sitting.playoff,
                    board: mini_match,
                    game: u32::try_from(game).expect("few games"),
                })
            })
        })
        .collect();
    let game = games
        .get(a as usize % games.len().max(1))
        .copied()
        .unwrap_or(super::game(1, 1, 1));
    let act = match kind {
        0..=6 => {
            event.forfeit();
            if let Some(id) = event.due() {
                event.finish(id, outcome(a));
            }
            return;
        }
        7 | 8 => {
            event.forfeit();
            let _ = event.advance();
            return;
        }
        9 => Act::Pause,
        10 => Act::Resume,
        11 => entry(event.state.setup(), &format!("Late {a}")),
        12 => Act::Withdraw { player: one },
        13 => Act::Reinstate { player: one },
        14 => Act::Disqualify {
            player: one,
            annul: b.is_multiple_of(2),
        },
        15 => Act::Absent { player: one, round },
        16 => Act::RequestBye { player: one, round },
        17 => Act::AwardBye {
            player: one,
            round,
            worth: [ByeWorth::Full, ByeWorth::Half, ByeWorth::Zero][b as usize % 3],
        },
        18 => Act::Forbid {
            one,
            other,
            round: rounds + 1,
        },
        19 => Act::Force {
            white: one,
            black: other,
            round: rounds + 1,
        },
        20 => Act::Replay { game },
        21 => Act::Void { game },
        22 => Act::SetResult {
            game,
            outcome: outcome(b),
        },
        23 => {
            let due: Vec<_> = event.state.due().map(|(game, _)| game).collect();
            let games = due.into_iter().filter(|game| (game.board + game.game) % 3 != a % 3);
            event.add(Entry::Interrupted(GamesInterrupted {
                games: (b % 3 > 0).then(|| games.collect()),
                ended: HowEnded::default(),
                service: (b % 3 == 1).then(|| "no connection".to_owned()),
                machine: (b % 3 == 2 && a % 4 == 0).then(|| "no processes".to_owned()),
                outage: b % 3 == 1 && a % 2 == 0,
            }));
            return;
        }
        24 => Act::Announce {
            text: match b % 3 {
                0 => format!("announcement {a}"),
                1 => "of two\nlines".to_owned(),
                _ => String::new(),
            },
        },
        _ if c.is_multiple_of(29) => Act::End,
        _ if c.is_multiple_of(3) => Act::Present { player: one, round },
        _ if c % 3 == 1 => Act::Adjudicate {
            game,
            outcome: outcome(b),
        },
        _ => {
            let next = rounds + 1;
            let absent = (1..=players).filter(|number| (number * a) % 5 == 1);
            let absent = absent.map(|number| Absence {
                player: PairingNumber(number),
                why: "no answer".to_owned(),
            });
            event.add(Entry::PresenceChecked(PresenceChecked {
                round: next,
                absent: absent.collect(),
            }));
            return;
        }
    };
    let before = event.log.len();
    let done = match (a + b + c).is_multiple_of(3) {
        true => event.overrule(act),
        false => event.act(act),
    };
    match done {
        Ok(()) => {}
        Err(refused) => {
            assert_eq!(event.log.len(), before, "a refusal leaves nothing behind");
            let sentence = refused.to_string();
            assert!(!sentence.is_empty() && !sentence.contains('\n'), "{sentence:?}");
        }
    }
}

/// What holds of every state.
fn check(event: &Played) {
    let state = &event.state;
    let rounds = state.rounds().len();
    assert_eq!(State::fold(&event.log).as_ref(), Ok(state), "the log gives the state");
    let numbers: BTreeSet<PairingNumber> = state.numbers().collect();

    for (number, round) in (1..).zip(state.rounds()) {
        let pairs = round.pairing.pairs.iter().flat_map(|pair| [pair.white, pair.black]);
        let all: Vec<PairingNumber> = pairs.chain(round.pairing.bye).collect();
        let once: BTreeSet<PairingNumber> = all.iter().copied().collect();
        assert_eq!(all.len(), once.len(), "nobody twice in round {number}");
        assert!(once.is_subset(&numbers));
        if state.created().format == TournamentFormat::Swiss {
            let out: BTreeSet<PairingNumber> = round.out.keys().copied().collect();
            assert!(once.is_disjoint(&out), "who is out of round {number} is not paired");
        }
    }

    let results = results_after(state, rounds);
    let standings = standings_after(state, rounds);
    let listed: BTreeSet<PairingNumber> = standings.rows.iter().map(|row| row.player).collect();
    assert_eq!(listed.len(), standings.rows.len(), "nobody is listed twice");
    let house = numbers
        .iter()
        .filter(|number| state.player(**number).house)
        .copied()
        .collect();
    assert_eq!(
        listed,
        &(&numbers - &state.orders().disqualified()) - &house,
        "all but the disqualified and the house player are listed"
    );
    assert!(standings.rows.is_sorted_by_key(|row| row.place));
    for (index, row) in standings.rows.iter().enumerate() {
        assert!(
            row.place >= 1 && row.place as usize <= index + 1,
            "places have no gaps above"
        );
    }
    assert!(standings.rows.first().is_none_or(|row| row.place == 1));

    // Both sides of a mini-match tell the same of it.
    for round in 0..rounds {
        let mut met: BTreeMap<PairingNumber, RoundFate> = BTreeMap::new();
        for (player, had) in state.numbers().zip(&results.players) {
            assert_eq!(had.rounds.len(), rounds);
            met.insert(player, had.rounds[round].fate);
        }
        for (player, fate) in &met {
            if let Some(opponent) = fate.paired() {
                let theirs = met[&opponent];
                let awarded = matches!(theirs, RoundFate::Bye(_));
                assert!(awarded || theirs.paired() == Some(*player), "round {}", round + 1);
            }
        }
    }
    // Everything that is published can be told.
    for page in [parts::standings(state, rounds), parts::crosstables(state, rounds)] {
        assert!(!page.text(Some(120)).is_empty());
    }
    for view in [View::Individual, View::Teams] {
        if let Ok(text) = trf::text(state, view, rounds) {
            assert!(text.is_ascii());
        }
    }
    assert!(summary::text(state, None).contains("event"), "it has a name");
    let history = history_after(state, rounds);
    assert!(history.players.iter().all(|player| player.rounds.len() == rounds));
    assert!(standings.rows.iter().all(|row| row.points >= Points::ZERO));
}

/// Everything that was paired follows from what stood before it.
fn check_turns(log: &[Entry]) {
    let mut state = State::fold(&log[..1]).expect("an event of its own");
    for entry in &log[1..] {
        if let Entry::RoundPaired(paired) = entry {
            let derived = director::pairing_after(&state, state.rounds().len());
            assert_eq!(derived.as_ref(), Ok(&paired.pairing));
        }
        let text = serde_json::to_string(entry).expect("entries serialize");
        assert_eq!(serde_json::from_str::<Entry>(&text).expect("it is read"), *entry);
        state.apply(entry).expect("it was applied before");
    }
}

/// Plays on to the end: it comes to one, or says why not.
fn play_out(event: &mut Played) {
    for turn in 0_u32.. {
        assert!(turn < 10_000, "the event comes to an end");
        event.forfeit();
        if let Some(id) = event.due() {
            event.finish(id, outcome(turn % 3));
            continue;
        }
        let held = event.state.held_games().next();
        if let Some(game) = held {
            let ruling = match turn % 2 {
                0 => Act::Replay { game },
                _ => Act::Adjudicate {
                    game,
                    outcome: outcome(turn % 3),
                },
            };
            event.act(ruling).expect("it waits for the arbiter");
            continue;
        }
        match event.advance() {
            Ok(true) => {}
            Ok(false) => break,
            // Rules without a pairing end the event; the arbiter's wishes do not.
            Err(_) => return,
        }
    }
    let waits = matches!(director::next(&event.state, TODAY), Ok(Next::Decision));
    assert!(waits || event_is_over(&event.state));
}

/// An event of a kind, before its first round.
fn event(which: usize, players: usize) -> Played {
    let kind = &EVENTS[which];
    let late = match kind.is_swiss {
        true => "[registration]\nuntil = 3\n[bye]\nrequests = [{ rounds = 9, byes = 2 }]\n",
        false => "",
    };
    let keys = format!("{}openings = \"none\"\n{late}", kind.keys);
    let mut setup = setup(kind.preset, &keys, players + kind.more);
    if kind.house
        && let Some(last) = setup.players.last_mut()
    {
        last.house = true;
    }
    Played::new(setup)
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    vec((0..KINDS, 0_u32..1000, 0_u32..1000, 0_u32..1000), 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::cases(100), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_of_acts_keeps_every_invariant(
        which in 0..EVENTS.len(),
        players in 2_usize..9,
        steps in steps(),
    ) {
        let mut event = event(which, players);
        for step in steps {
            self::step(&mut event, step);
            check(&event);
        }
        play_out(&mut event);
        check(&event);
        check_turns(&event.log);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::cases(30), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_was_done_everything_can_be_told(
        which in 0..EVENTS.len(),
        players in 2_usize..9,
        steps in steps(),
        left_out in 0_u32..9,
        annul: bool,
    ) {
        let mut event = event(which, players);
        for step in steps {
            self::step(&mut event, step);
        }
        views::all(&event);
        play_out(&mut event);
        views::all(&event);
        // Nobody may be out of it too late.
        let player = PairingNumber(left_out + 1);
        let _ = event.act(Act::Disqualify { player, annul });
        views::all(&event);
    }
}
