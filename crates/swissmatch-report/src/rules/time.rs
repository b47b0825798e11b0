//! Rules of the time of a game and of attempts at a move, for the kinds of limits in the event.

use swiss_system::count;
use swiss_system::pairing::rounds::RoundPlan;
use swiss_system::text::harmless;

use super::{RuleByPlayer, RulesSection, has_knockout, listed};
use swissmatch_game::flag_fall::FlagFall;
use swissmatch_game::time_control::{GUARD, Limit, TimeControl, duration_in_words};
use swissmatch_tournament::playoff_rules::PlayoffStage;
use swissmatch_tournament::setup::{IllegalAttempts, PlayerKeys, Setup};
use swissmatch_tournament::ties;

/// The kinds of limits that games of an event may have.
#[derive(Clone, Copy, Debug, Default)]
struct Kinds {
    /// A time for each move, which engines are told.
    move_time: bool,
    /// The limit that guards games limited by nodes or depth alone, which engines are not told.
    guard: bool,
    /// A clock that runs through the game.
    clock: bool,
}

impl Kinds {
    /// The kinds for the players, stages, and play-offs where there may be any.
    fn of(setup: &Setup, plan: RoundPlan) -> Self {
        let of_players = setup.time_controls();
        let of_event = std::iter::once(&setup.game.time_control).filter(|_| setup.players.is_empty());
        let has_usual = setup.players.iter().any(|player| player.time_control.is_none());
        let of_stages = setup.event.stages.iter().filter(|_| has_usual);
        let of_stages = of_stages.filter_map(|stage| stage.time_control.as_ref());
        let has_play_offs = ties::are_possible(setup) || has_knockout(setup, plan);
        let of_play_offs = setup.playoff.stages.iter().filter(|_| has_play_offs);
        let of_play_offs = of_play_offs.flat_map(|stage| match stage {
            PlayoffStage::HeadToHead => Vec::new(),
            PlayoffStage::RoundRobin { two, more } => vec![two, more],
            PlayoffStage::Armageddon { white, black, .. } => vec![white, black],
        });
        let mut kinds = Self::default();
        for control in of_players.chain(of_event).chain(of_stages).chain(of_play_offs) {
            match control.limit {
                Limit::MoveTime(_) => kinds.move_time = true,
                Limit::Guard => kinds.guard = true,
                Limit::Clock(_) | Limit::Hourglass(_) => kinds.clock = true,
            }
        }
        kinds
    }

    const fn per_move(self) -> bool {
        self.move_time || self.guard
    }

    /// A sentence that holds only without a clock; it says so if some games have one.
    fn without_clock(self, sentence: &str) -> Option<String> {
        self.per_move().then(|| match self.clock {
            false => sentence.to_owned(),
            true => format!("Where no clock runs through the game: {sentence}"),
        })
    }
}

pub(super) fn time(setup: &Setup, plan: RoundPlan) -> RulesSection {
    let keys = &setup.game;
    let kinds = Kinds::of(setup, plan);
    let usual = setup.usual_limit();
    let limits = RuleByPlayer::of(setup, usual.clone(), |player| setup.limit(player));
    let is_usual = limits.all.as_ref() == Some(&usual);
    // Bounds of the event have sentences of their own.
    let control = limits
        .all
        .as_ref()
        .map(|limit| if is_usual { &keys.time_control } else { limit });
    let control = control.map(|control| format!("The time control is {}.", control.with_words()));
    let own = limits.own(
        "Each player has its own time control",
        "Some players have their own limits",
        TimeControl::with_words,
    );
    let nodes = keys.nodes.filter(|_| is_usual).map(|nodes| {
        format!(
            "An engine searches at most {} for a move.",
            count::of(nodes as usize, "node", "nodes")
        )
    });
    let depth = keys
        .depth
        .filter(|_| is_usual)
        .map(|depth| format!("An engine searches at most to depth {depth} for a move."));
    let guard = kinds.guard.then(|| {
        format!(
            "Where a search is bounded by nodes or depth alone, a move may take {} at most; engines are not told so.",
            duration_in_words(GUARD)
        )
    });
    let margins = RuleByPlayer::of(setup, keys.margin, |player| player.margin.unwrap_or(keys.margin));
    let margin = margins.all.filter(|margin| !margin.is_zero()).map(|margin| {
        format!(
            "A move may be {} over its limit before it counts as late.",
            duration_in_words(margin)
        )
    });
    let own_margins = margins.own(
        "Each player may be over its limit by a time of its own",
        "Some players may be over their limit by another time",
        |margin| duration_in_words(*margin),
    );
    let overhead = (kinds.move_time && !keys.move_overhead.is_zero()).then(|| {
        let less = duration_in_words(keys.move_overhead);
        match kinds.clock || kinds.guard {
            false => format!("An engine is told {less} less than its time for a move, at most a tenth less."),
            true => {
                format!("Under a time per move an engine is told {less} less than that time, at most a tenth less.")
            }
        }
    });
    let rules = [
        control,
        own,
        nodes,
        depth,
        guard,
        margin,
        own_margins,
        Some(doubt(kinds)),
        overhead,
    ];
    let attempts = [
        late(setup, kinds),
        flag(setup, kinds),
        Some(illegal(setup, kinds)),
        Some(pondering(setup)),
    ];
    RulesSection::new("Time and attempts", rules.into_iter().chain(attempts))
}

fn doubt(kinds: Kinds) -> String {
    let doubt = "When an answer comes after its limit, the program measures how much of its time the machine took: the engine or the \
                 program waited for a processor, or the program was stopped. That time, the doubt, is added to the limit, and is at \
                 most the whole time of the answer. What an engine's own work beyond its declared threads keeps waiting does not \
                 count, so nobody gains time by keeping the processors busy.";
    match kinds.clock {
        true => format!("{doubt} A clock runs on through the doubt, but not below zero."),
        false => doubt.to_owned(),
    }
}

/// The cost of a late move in games without a clock.
fn late(setup: &Setup, kinds: Kinds) -> Option<String> {
    let keys = &setup.game;
    let unless = match keys.flag_fall {
        rule @ FlagFall::DrawIfBareKing => rule.unless_drawn(),
        FlagFall::DrawIfCannotMate | FlagFall::UsChess | FlagFall::Loses => "",
    };
    if keys.attempts_share {
        let share = "All attempts at one move have its limit together: a late one leaves nothing for another.";
        return kinds.without_clock(&match illegal_answers(setup) {
            1 => format!("A player who is late with a move loses the game{unless}."),
            _ => format!("A player who is late with a move loses the game{unless}. {share}"),
        });
    }
    // Illegal answers that are counted apart come on top.
    let illegal = match keys.illegal_attempts {
        IllegalAttempts::Shared => 0,
        IllegalAttempts::Apart(answers) => answers.saturating_sub(1),
    };
    let most = times_the_limit(keys.attempts.saturating_add(illegal));
    let late = match keys.attempts {
        1 => format!("A player who is late with a move loses the game{unless}."),
        attempts => {
            let failed = if illegal == 0 { "failed" } else { "late" };
            format!(
                "A player who is late with a move is asked for it again. After {attempts} {failed} attempts at one move, the game is \
                 lost{unless}."
            )
        }
    };
    let in_all = match (keys.attempts, illegal) {
        (1, 0) => String::new(),
        (_, 0) => format!(" Each attempt has the whole limit, so that a player may take {most} for one move."),
        (1, _) => format!(
            " Each attempt after an illegal answer has the whole limit, so that a player may take {most} for one move."
        ),
        _ => format!(
            " Each attempt has the whole limit, those after an illegal answer too, so that a player may take {most} for one move."
        ),
    };
    kinds.without_clock(&(late + &in_all))
}

/// `the limit`, `twice the limit`, `three times the limit`
fn times_the_limit(attempts: u32) -> String {
    match attempts {
        1 => "the limit".to_owned(),
        2 => "twice the limit".to_owned(),
        3 => "three times the limit".to_owned(),
        4 => "four times the limit".to_owned(),
        attempts => format!("{attempts} times the limit"),
    }
}

/// The cost of a fallen flag.
fn flag(setup: &Setup, kinds: Kinds) -> Option<String> {
    let rule = setup.game.flag_fall;
    let drawn = match rule {
        FlagFall::Loses => "",
        FlagFall::DrawIfCannotMate | FlagFall::DrawIfBareKing => ": then the game is a draw",
        FlagFall::UsChess => ": then the game is a draw; a forced win is for the arbiter to find",
    };
    kinds.clock.then(|| {
        format!(
            "Under a clock the side whose flag falls loses at once{}{drawn}.",
            rule.unless_drawn()
        )
    })
}

fn illegal(setup: &Setup, kinds: Kinds) -> String {
    let keys = &setup.game;
    // Where an overrun ends the game, no other attempt can count together with an illegal one.
    let counts_with_late = keys.illegal_attempts == IllegalAttempts::Shared && !keys.attempts_share;
    if counts_with_late && kinds.per_move() && keys.attempts > 1 {
        let counts = "An illegal move counts as a failed attempt, as a late one does.";
        return match kinds.clock {
            false => counts.to_owned(),
            true => format!(
                "{counts} Under a clock the player is asked again on the running clock, and the game is lost after {} illegal \
                 answers for one move.",
                keys.attempts
            ),
        };
    }
    let running = match (kinds.clock, kinds.per_move()) {
        (true, false) => ", on the running clock",
        (true, true) => ", on the running clock if there is one",
        (false, _) => "",
    };
    let used_up = match kinds.per_move() && keys.attempts_share {
        true => ", or one that leaves nothing of a time for the move,",
        false => ",",
    };
    match illegal_answers(setup) {
        1 => "An illegal move loses the game.".to_owned(),
        answers => format!(
            "A player who answers with an illegal move is asked again{running}. After {answers} illegal answers for one move{used_up} \
             the game is lost."
        ),
    }
}

/// The number of illegal answers for one move that lose, if overruns do not count with them.
const fn illegal_answers(setup: &Setup) -> u32 {
    match setup.game.illegal_attempts {
        IllegalAttempts::Shared => setup.game.attempts,
        IllegalAttempts::Apart(answers) => answers,
    }
}

/// A sentence on who thinks on the opponent's time.
fn pondering(setup: &Setup) -> String {
    let usual = PlayerKeys::default();
    let players: Vec<&PlayerKeys> = match setup.players.is_empty() {
        true => vec![&usual],
        false => setup.players.iter().collect(),
    };
    let who: Vec<&PlayerKeys> = players.iter().copied().filter(|player| setup.ponders(player)).collect();
    let stopped = match setup.freezes_all() {
        Some(true) => ": they are stopped meanwhile",
        Some(false) => "",
        None => ": in games of a sealed one they are stopped meanwhile",
    };
    if who.is_empty() {
        return format!("Engines do not think while their opponents do{stopped}.");
    }
    if who.len() == players.len() {
        return "Engines may think while their opponents do.".to_owned();
    }
    let names: Vec<String> = who.iter().map(|player| harmless(&player.name)).collect();
    format!(
        "{} may think while their opponents do; the others do not{stopped}.",
        listed(&names),
    )
}
