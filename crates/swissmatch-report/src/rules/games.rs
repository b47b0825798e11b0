//! Rules of one game and of a mini-match: openings, ends, engines. The rules of its time are in `time`.

use swiss_system::count;
use swiss_system::text::harmless;
use swiss_system::word::Word as _;

use super::{RuleByPlayer, RulesSection};
use crate::versus;
use swissmatch_game::isolation::Isolation;
use swissmatch_game::rules::{Claims, PliesFrom};
use swissmatch_game::time_control::duration_in_words;
use swissmatch_game::variant::Variant;
use swissmatch_tournament::setup::{
    BothFailed, ClockStart, Exec, Faulty, NoShow, OpeningOrder, OpeningPolicy, Openings, PlayerKeys, Restart, Setup,
};

pub(super) fn mini_matches(setup: &Setup) -> RulesSection {
    let keys = &setup.mini_match;
    let games = match keys.games {
        1 => "A mini-match is one game.".to_owned(),
        2 => "A mini-match is two games, in which each player has each colour once.".to_owned(),
        games => format!(
            "A mini-match is {games} games. Colours alternate from game to game; each player has each colour {} times.",
            games / 2
        ),
    };
    let taken = match keys.opening_order {
        OpeningOrder::Random => "in an order drawn by lot",
        OpeningOrder::Sequential => "in the order of the file",
    };
    let shared = match keys.opening_policy {
        OpeningPolicy::Round => "All mini-matches of a round have the same openings",
        OpeningPolicy::Event => "All mini-matches of the event have the same openings",
        OpeningPolicy::MiniMatch => "Each mini-match has its own openings",
    };
    let each = match keys.games {
        1 => "",
        _ => "; two games in a row begin with the same opening, with colours reversed",
    };
    let openings = match &keys.openings {
        Openings::None => "Games begin from the initial position.".to_owned(),
        Openings::Bundled => {
            format!("Games begin with openings that ship with swissmatch, taken {taken}. {shared}{each}.")
        }
        Openings::Unbalanced => format!(
            "Games begin with openings that ship with swissmatch, in which one side is ahead, taken {taken}. {shared}{each}."
        ),
        Openings::Chess960 => format!("Games begin from positions of Chess960, taken {taken}. {shared}{each}."),
        Openings::File(path) => format!(
            "Games begin with openings from the file {}, taken {taken}. {shared}{each}.",
            harmless(path)
        ),
    };
    let chess960 = (setup.game.variant == Variant::Chess960).then(|| "Chess960 is played.".to_owned());
    RulesSection::new("Mini-matches", [Some(games), chess960, Some(openings), test(setup)])
}

/// The test that ends a match of two.
fn test(setup: &Setup) -> Option<String> {
    let sprt = setup.sprt.test()?;
    let first = setup.players.first().map(|player| harmless(&player.name))?;
    let unit = versus::unit(sprt.counts);
    let faults = match setup.sprt.faults {
        Faulty::Count => String::new(),
        Faulty::LeaveOut => {
            format!(" A {unit} with a game that ended by a fault of an agent, or was not played, does not count in it.")
        }
    };
    let truncated = match setup.sprt.truncated {
        true => format!(
            " It ends, too, when no outcome of the games that are left can bring the LLR to a bound. A match of which {first} loses every \
             {unit} decides for H0 at its end, one of which it wins every {unit} for H1, if that is unlikely enough under the other \
             hypothesis; its chance is taken off beta, or alpha."
        ),
        false => String::new(),
    };
    Some(format!(
        "The match ends when a sequential test (SPRT) of {} for {first} is decided, with alpha = {} and beta = {}: with the first \
         {unit}, in the order of the schedule, at which the LLR is at a bound. Games that are being played then are finished, and \
         do not count in it.{truncated}{faults}",
        versus::hypotheses(&sprt),
        sprt.alpha,
        sprt.beta,
    ))
}

pub(super) fn ends(setup: &Setup) -> RulesSection {
    let (game, keys) = (&setup.game, &setup.adjudication);
    let laws = "Checkmate wins. Stalemate, the same position for the third time, fifty moves by both sides without a capture or \
                pawn move, and positions in which nobody can mate are draws; nobody has to claim them.";
    let claims = (game.claims == Claims::Claimable).then(|| {
        "A game is drawn, too, as soon as a legal move of the side to move would bring a position for the third time or complete the fifty \
         moves, since that side could claim the draw; whether it would make the move does not matter."
            .to_owned()
    });
    let moves = game.max_moves.map(|moves| match game.plies_from {
        PliesFrom::Opening => {
            format!("A game is a draw after {moves} full moves of play; the moves of the opening do not count.")
        }
        PliesFrom::Start => format!("A game is a draw after {moves} full moves; those of the opening count."),
    });
    let plies = game.max_plies.map(|plies| match game.plies_from {
        PliesFrom::Opening => {
            format!("A game is a draw after {plies} plies of play; those of the opening do not count.")
        }
        PliesFrom::Start => format!("A game is a draw after {plies} plies; those of the opening count."),
    });
    let resign = keys.resign_score.map(|score| {
        let who = match keys.resign_two_sided {
            true => "its own engine and the opponent's both say",
            false => "its own engine says",
        };
        format!(
            "A side loses when {who}, at {} in a row, that it is {score} centipawns or more behind.",
            count::of(keys.resign_moves as usize, "move", "moves")
        )
    });
    let draw = keys.draw_score.map(|score| {
        format!(
            "From move {} on, a game is a draw when both engines stay within {score} centipawns of level at {} in a row.",
            keys.draw_from_move,
            count::of(keys.draw_moves as usize, "move", "moves")
        )
    });
    let tables = (!keys.tablebases.is_empty()).then(|| {
        format!(
            "Syzygy tablebases end games in positions with at most {} men.",
            keys.tablebase_men
        )
    });
    RulesSection::new(
        "End of a game",
        [Some(laws.to_owned()), claims, moves, plies, resign, draw, tables],
    )
}

pub(super) fn engines(setup: &Setup) -> RulesSection {
    let keys = &setup.engine;
    let forfeited = match setup.faults.no_show {
        NoShow::MiniMatch => "the rest of its mini-match is forfeited",
        NoShow::Game => "the game is forfeited, and it is started again for the next one",
    };
    let start = match setup.schedule.clock {
        ClockStart::Game => format!(
            "An engine has {} to start, the same time again to be ready, and {}. If it does not start, {forfeited}.",
            duration_in_words(keys.start_limit),
            count::of(keys.start_attempts as usize, "attempt", "attempts")
        ),
        ClockStart::Schedule => format!(
            "An engine that is not up when its own time for its first move has run out loses the game without a move, and \
             {forfeited}; until then it is started again. If the time of the side that moves first has run out and neither \
             engine is up, {}.",
            match setup.faults.both_failed {
                BothFailed::Lost => "both lose",
                BothFailed::Void => "the game is void",
            }
        ),
    };
    let restart = match keys.restart {
        Restart::Never => {
            "An engine plays all games of a mini-match in one process; after a crash a new process plays on."
        }
        Restart::Game => "An engine is started anew for each game.",
    };
    let crash = "An engine that ends, or closes its input or output, loses the game that it is playing.";
    let games = |most: u32| count::of(most, "game", "games");
    let forfeit = setup.faults.forfeit_after.map(|most| {
        format!(
            "An agent that lost {} of a mini-match by a fault forfeits the games that come after those in it.",
            games(most)
        )
    });
    let withdrawal = setup.faults.withdraw_after.map(|most| {
        format!(
            "An agent that lost {} by a fault is withdrawn before the next round is paired; a mini-match for which it did not start \
             counts as one.",
            games(most)
        )
    });
    let no_shows = setup.faults.unpaired_after.map(|most| {
        format!(
            "A player whose agent did not start in {} is withdrawn before the next round is paired: it is not paired any more and has no bye, \
             and stays in the standings with what it has. The arbiter may take it in again. Games that it forfeits because its agent did not \
             start count.",
            games(most)
        )
    });
    let void = (setup.faults.both_failed == BothFailed::Void).then(|| {
        "A game is void if neither engine starts or gets ready for it, or both agents may not play it for their faults: nobody has anything of \
         it. A mini-match of which all games are void so is an unplayed round for both."
            .to_owned()
    });
    let rules = [
        Some(start),
        Some(restart.to_owned()),
        Some(crash.to_owned()),
        forfeit,
        withdrawal,
        no_shows,
        void,
    ];
    RulesSection::new("Engines", rules)
}

/// Limits on an engine's use of the machine, and what it is kept from.
pub(super) fn use_of_the_machine(setup: &Setup) -> RulesSection {
    let keys = &setup.engine;
    let most = format!(
        "An engine may use {}, all its processes together. One that uses more is ended, and loses the game.",
        keys.allowance()
    );
    let has_resting = !setup.game.ponder || setup.players.iter().any(|player| !setup.ponders(player));
    let thinking = has_resting.then(|| match setup.freezes_all() {
        Some(true) => "While the other side is to move an engine that does not ponder is stopped; one that runs all the same loses the \
                       game."
            .to_owned(),
        None => "While the other side is to move an engine that does not ponder is stopped in games of a sealed one; one that runs all \
                 the same loses the game. In the other games it is not to think meanwhile; its processor time is measured."
            .to_owned(),
        Some(false) => "An engine that does not ponder is not to think while the other side is to move; its processor time is measured."
            .to_owned(),
    });
    let isolations = RuleByPlayer::of(setup, keys.isolation, |player| {
        player.isolation.unwrap_or(keys.isolation)
    });
    let isolation = isolations.all.map(|isolation| match isolation {
        Isolation::Off => "Engines run as the organizer's own programs do; they are kept from nothing.".to_owned(),
        word @ (Isolation::Guarded | Isolation::Sealed) => format!(
            "Engines are isolated (\"{}\") from the network, from each other, from the organizer's files and from the run{}.",
            word.word(),
            match word {
                Isolation::Sealed => "",
                _ => ", as far as the machine can",
            }
        ),
    });
    let own = isolations.own(
        "Each player has its own isolation",
        "Some players are isolated otherwise",
        |isolation| format!("\"{}\"", isolation.word()),
    );
    let programs = |exec: &Exec| match exec {
        Exec::Own(listed) if listed.is_empty() => "its own programs alone".to_owned(),
        Exec::Own(listed) => format!(
            "its own programs, and {}",
            listed.iter().map(|one| harmless(one)).collect::<Vec<_>>().join(", ")
        ),
        Exec::Any => "any program".to_owned(),
    };
    let execs = RuleByPlayer::of(setup, setup.exec(&PlayerKeys::default()), |player| setup.exec(player));
    let runs = execs.all.as_ref().filter(|exec| **exec != Exec::Any);
    let runs = runs.map(|exec| format!("An agent may run {}.", programs(exec)));
    let own_runs = execs.own("Each agent may run", "Some agents may run otherwise", programs);
    RulesSection::new(
        "Use of the machine",
        [Some(most), isolation, own, runs, own_runs, thinking],
    )
}
