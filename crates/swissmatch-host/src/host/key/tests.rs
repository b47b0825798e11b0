//! What changes a key, and what does not.

use std::time::Duration;

use swiss_system::pairing::history::PairingNumber;

use super::*;
use swissmatch_game::adjudicate::{AdjudicationRules, Resign};
use swissmatch_game::flag_fall::FlagFall;
use swissmatch_game::isolation::{Device, Isolation};
use swissmatch_game::record::{Attempts, GameId};
use swissmatch_game::rules::{Claims, PliesFrom};
use swissmatch_game::termination::BothFailed;
use swissmatch_game::time_control::Bounds;
use swissmatch_game::variant::Variant;
use swissmatch_tournament::setup::{Exec, PlayerKeys, Restart, Setup};

/// What is changed, in words.
type SpecChange<T> = (&'static str, fn(&mut T));

/// An agent whose program has this content.
pub(crate) fn agent(program: &str) -> AgentSpec {
    let player = PlayerKeys {
        name: "A".to_owned(),
        command: "./engine".to_owned(),
        ..PlayerKeys::default()
    };
    let spec = AgentSpec::of_player(&player, &Setup::default());
    AgentSpec {
        content: vec![content("./engine", program)],
        ..spec
    }
}

fn content(word: &str, sha256: &str) -> AgentFile {
    AgentFile {
        word: word.to_owned(),
        sha256: sha256.to_owned(),
    }
}

/// A game of players 1 and 2.
pub(crate) fn spec(id: &str) -> GameSpec {
    let time = "8+0.08".parse().expect("a time control");
    GameSpec {
        id: id.parse().expect("a game"),
        white: PairingNumber(1),
        black: PairingNumber(2),
        opening: Opening::start(Variant::Standard),
        limits: GameLimits {
            time_controls: [time, "8+0.08".parse().expect("a time control")],
            margins: [Duration::ZERO; 2],
            move_overhead: Duration::ZERO,
            attempts: Attempts::Shared(1),
            attempts_share: false,
            max_plies: None,
            plies_from: PliesFrom::Opening,
            claims: Claims::Automatic,
            both_failed: BothFailed::Lost,
            ready_limit: Duration::from_secs(5),
            step_limit: Duration::from_secs(5),
            restart_limits: [Duration::from_secs(6); 2],
            threads: [1; 2],
            stop_grace: Duration::from_secs(1),
            start_attempts: 1,
            ponder: [false; 2],
            freeze: false,
            resigns: [false; 2],
            flag_fall: FlagFall::DrawIfCannotMate,
        },
        bounds: [Bounds::default(); 2],
        adjudication: AdjudicationRules::default(),
    }
}

fn identity(change: impl FnOnce(&mut AgentSpec)) -> Option<Identity> {
    let mut agent = agent("1");
    agent.player.args = vec!["net.bin".to_owned(), "--book=book.bin".to_owned(), "quick".to_owned()];
    agent.player.env.insert("NET".to_owned(), "net.bin".to_owned());
    agent.options.own.insert("Hash".to_owned(), "16".to_owned());
    agent
        .content
        .extend([content("net.bin", "2"), content("book.bin", "3")]);
    change(&mut agent);
    Identity::of(&agent)
}

#[test]
fn what_may_change_how_an_agent_plays_changes_its_identity() {
    let plain = identity(|_| {});
    assert!(plain.is_some());
    let changes: [SpecChange<AgentSpec>; 15] = [
        ("program", |agent| agent.content[0].sha256 = "9".to_owned()),
        ("file", |agent| agent.content[1].sha256 = "9".to_owned()),
        ("file behind =", |agent| agent.content[2].sha256 = "9".to_owned()),
        ("argument", |agent| agent.player.args[2] = "slow".to_owned()),
        ("order of arguments", |agent| agent.player.args.swap(0, 2)),
        ("no argument", |agent| agent.player.args.truncate(2)),
        ("variable", |agent| {
            agent.player.env.insert("LEVEL".to_owned(), "3".to_owned());
        }),
        ("option", |agent| {
            agent.options.own.insert("Hash".to_owned(), "32".to_owned());
        }),
        ("option for all", |agent| {
            agent.options.for_all.insert("Threads".to_owned(), "2".to_owned());
        }),
        ("restart", |agent| agent.restart = Restart::Game),
        ("ponder", |agent| agent.ponder = !agent.ponder),
        ("isolation", |agent| {
            agent.isolation = match agent.isolation {
                Isolation::Off => Isolation::Sealed,
                _ => Isolation::Off,
            };
        }),
        ("exec", |agent| agent.exec = Exec::Own(Vec::new())),
        ("allowance", |agent| agent.allowance.memory = Some(1 << 20)),
        ("start limit", |agent| agent.start_limit += Duration::from_secs(1)),
    ];
    let mut seen = vec![plain];
    for (what, change) in changes {
        let changed = identity(change);
        assert!(changed.is_some(), "{what}");
        assert!(!seen.contains(&changed), "{what}");
        seen.push(changed);
    }
}

#[test]
fn names_and_places_are_no_part_of_an_identity() {
    let plain = identity(|_| {});
    let changes: [SpecChange<AgentSpec>; 6] = [
        ("who", |agent| {
            let player = &mut agent.player;
            player.name = "B".to_owned();
            (player.rating, player.team, player.author) = (Some(2800), Some("T".to_owned()), Some("N".to_owned()));
            (player.byes, player.section, player.contact) = (vec![1], Some("S".to_owned()), Some("mail".to_owned()));
            player.submitted_at = Some("2026-01-01T00:00:00Z".parse().expect("an instant"));
        }),
        ("where its program is", |agent| {
            agent.player.command = "/opt/other".to_owned();
            agent.content[0].word = "/opt/other".to_owned();
        }),
        ("where a file is", |agent| {
            agent.player.args[0] = "/nets/a.bin".to_owned();
            agent.player.env.insert("NET".to_owned(), "/nets/a.bin".to_owned());
            agent.content[1].word = "/nets/a.bin".to_owned();
        }),
        ("where a file behind = is", |agent| {
            agent.player.args[1] = "--book=../b/book.bin".to_owned();
            agent.content[2].word = "../b/book.bin".to_owned();
        }),
        ("whose option it is, and its case", |agent| {
            agent.options.own.clear();
            agent.options.for_all.insert("hash".to_owned(), "16".to_owned());
        }),
        ("how it quits", |agent| agent.quit_grace += Duration::from_secs(1)),
    ];
    for (what, change) in changes {
        assert_eq!(identity(change), plain, "{what}");
    }
}

#[test]
fn an_agent_is_all_of_its_directory_and_of_those_that_its_words_name() {
    let of = |dir: &str, tables: &str| {
        let (dir, tables) = (content("./", dir), content("b/", tables));
        identity(|agent| {
            agent.player.dir = Some("rook".to_owned());
            agent.player.args.push("--tables=a:b".to_owned());
            agent.content.extend([dir, content("a", "a"), tables]);
        })
    };
    let identity = of("1", "2");
    assert!(identity.is_some() && identity == of("1", "2"));
    assert_ne!(identity, of("3", "2"));
    assert_ne!(identity, of("1", "3"));
}

#[test]
fn an_agent_that_reaches_outside_has_none() {
    let changes: [SpecChange<AgentSpec>; 12] = [
        ("no program", |agent| agent.content.clear()),
        ("directory", |agent| agent.player.dir = Some("rook".to_owned())),
        ("writes", |agent| agent.player.write = vec!["learned".to_owned()]),
        ("connects", |agent| agent.player.connect = vec!["host:1".to_owned()]),
        ("device", |agent| agent.player.devices = vec![Device::Gpu]),
        ("model", |agent| agent.player.model = Some("local:small".to_owned())),
        ("web service", |agent| {
            agent.player.move_url = Some("https://a/move".to_owned())
        }),
        ("variable of the runner", |agent| {
            agent.player.env.insert("TOKEN".to_owned(), "$TOKEN".to_owned());
        }),
        ("tables", |agent| {
            agent.options.own.insert("SyzygyPath".to_owned(), "/tables".to_owned());
        }),
        ("tables for all", |agent| {
            agent
                .options
                .for_all
                .insert("SyzygyPath".to_owned(), "./tables".to_owned());
        }),
        ("argument", |agent| agent.player.args[2] = "--log=/tmp/log".to_owned()),
        ("library", |agent| {
            agent
                .player
                .env
                .insert("LD_PRELOAD".to_owned(), "lib/odd.so".to_owned());
        }),
    ];
    for (what, change) in changes {
        assert_eq!(identity(change), None, "{what}");
    }
    let with_dollar = identity(|agent| {
        agent.player.env.insert("PRICE".to_owned(), "$$5".to_owned());
    });
    assert!(with_dollar.is_some(), "it begins with a dollar, and is no variable");
}

#[test]
fn the_key_of_a_game_has_its_opening_its_limits_and_the_machine() {
    let (one, other) = (
        Identity::of(&agent("1")).expect("one"),
        Identity::of(&agent("2")).expect("one"),
    );
    let of = |change: fn(&mut GameSpec)| {
        let mut spec = spec("1.1.1");
        change(&mut spec);
        key("class", [&one, &other], &spec)
    };
    let plain = of(|_| {});
    assert_eq!(plain.len(), 64);
    let mut seen = vec![
        plain.clone(),
        key("class", [&other, &one], &spec("1.1.1")),
        key("other class", [&one, &other], &spec("1.1.1")),
    ];
    let changes: [SpecChange<GameSpec>; 12] = [
        ("position", |spec| {
            spec.opening.fen = Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1".to_owned());
        }),
        ("moves", |spec| {
            spec.opening.moves = vec!["e2e4".parse().expect("a move")]
        }),
        ("time", |spec| {
            spec.limits.time_controls[1] = "8+0.1".parse().expect("a time control")
        }),
        ("margin", |spec| spec.limits.margins[0] = Duration::from_millis(1)),
        ("attempts", |spec| spec.limits.attempts = Attempts::Shared(2)),
        ("what attempts share", |spec| spec.limits.attempts_share = true),
        ("cap", |spec| spec.limits.max_plies = Some(200)),
        ("what the cap counts", |spec| {
            (spec.limits.max_plies, spec.limits.plies_from) = (Some(200), PliesFrom::Start);
        }),
        ("draws by claim", |spec| spec.limits.claims = Claims::Claimable),
        ("threads", |spec| spec.limits.threads = [1, 2]),
        ("bounds", |spec| spec.bounds[0].nodes = Some(1000)),
        ("adjudication", |spec| {
            spec.adjudication.resign = Some(Resign {
                score: 900,
                moves: 3,
                two_sided: true,
            });
        }),
    ];
    for (what, change) in changes {
        let changed = of(change);
        assert!(!seen.contains(&changed), "{what}");
        seen.push(changed);
    }
    // Games of earlier runs are found by them: a key that is made otherwise finds none.
    insta::assert_snapshot!(seen.join("\n"), @"
    33261d38b9c145574051565e8b294e9c2760c2c94f4f9d1d09e28fbcc8491b05
    041de624df0dab211140c995cd37b75632c1cae29bd12f6a16b8d18e6fbe5104
    65a1d9618cb94ca9c9124259c53fdd41783697aa13ea51f89eb28c621639b528
    75904fa6b195d8f7696b9f8ba6023f013604f492864e9bb64babcc43a46483bd
    2608ea35bc00def7191999356cfd3bb16ab7a91acbef0c7e1626b7b8799efa06
    db3905f86f7b24b49adb3c5e2f8df0b3a0f9b29d642954ddcf94053b85592c21
    6f53c6903a5c7257e16a26d937c6b7f3964c6e8c37c549c2ef5e6f6f56371547
    8a4aaca51f89d64308abaebcb63cfa9751b2489226e30e9ac46ba56d3a85aec2
    7eb5fd9333130f6741a9a7cb46e310c55095311ed2ea02aaea993f98ffab40ff
    9700fb98b54dc74dc1b42ae38120742f61c2acb9ac0cd34c014a826d3e8a8bd3
    cc6d7672e617195c8af90b8873d7a24e5eab27be6a7c46c188f8e5b08cbc3017
    818ca993104dc7c189422a95d32222901b2ac66d4b459d3893872c6ed91819e6
    ba5d71797c81c150ade3b5cddb47e552769a66d6650512ba072fe20d6a11cb91
    c0013ad40e0d7393eccbace1ecc45deadba7938f8d25cf7f3b634a487832f726
    89ba3a83333a91048e15e6322d3db69c25b101e31614ccb012a1db8979b7351e
    ");
    let same: [SpecChange<GameSpec>; 6] = [
        ("number", |spec| spec.id = GameId::first_of(7, 0, 3)),
        ("numbers of the players", |spec| {
            (spec.white, spec.black) = (PairingNumber(9), PairingNumber(4));
        }),
        ("name of the opening", |spec| spec.opening.name = "line 7".to_owned()),
        ("how long a start took", |spec| {
            spec.limits.restart_limits = [Duration::from_millis(1); 2]
        }),
        ("what a flag fall costs", |spec| spec.limits.flag_fall = FlagFall::Loses),
        ("what it is if both fail", |spec| {
            spec.limits.both_failed = BothFailed::Void
        }),
    ];
    for (what, change) in same {
        assert_eq!(of(change), plain, "{what}");
    }
}

/// Keys are kept in the history of a league: those of today are found by every later program.
#[test]
fn a_key_stays_what_it_is() {
    let (one, other) = (
        Identity::of(&agent("1")).expect("one"),
        Identity::of(&agent("2")).expect("one"),
    );
    insta::assert_snapshot!(key("class", [&one, &other], &spec("1.1.1")), @"33261d38b9c145574051565e8b294e9c2760c2c94f4f9d1d09e28fbcc8491b05");
}
