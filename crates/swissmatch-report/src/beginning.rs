//! What a run says before it begins or goes on: the event, its likely length, its directory, and how to stop it.
//!
//! May not: measure anything.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use swiss_system::count;
use swiss_system::text::harmless;
use swiss_system::word::Word as _;

use super::after_round::some;
use super::at_once::at_once;
use super::stop;
use swissmatch_game::isolation::{Isolation, Protection};
use swissmatch_game::resource::bytes;
use swissmatch_game::time_control::{Limit, write_duration};
use swissmatch_tournament::duration::{Assumptions, Outlook, Room, RoundGames, about, spoken};
use swissmatch_tournament::games::games_planned;
use swissmatch_tournament::setup::Setup;
use swissmatch_tournament::state::State;

/// Most different limits of players that are shown.
const LIMITS: usize = 3;
const DAY: Duration = Duration::from_secs(86_400);

#[derive(Clone, Copy, Debug)]
pub struct PlayingVenue<'a> {
    /// Games at once: on cores, or all of them where none are played beside them.
    pub slots: u32,
    /// Games at once beside them, which need no core.
    pub beside: u32,
    /// Whether workers play, too.
    pub workers: bool,
    /// What isolated agents are not kept from there.
    pub missing: &'a [Protection],
    /// Why engines have no control groups there; `None` if they have.
    pub why_no_groups: Option<&'a str>,
    /// Bytes of memory that all engines share there, if known.
    pub memory: Option<u64>,
    /// Engines and compilers that an agent can run there if it may run any program.
    pub within_reach: &'a [String],
}

/// Aligned lines about an event that is about to begin. In a ladder, only the first round says how its rounds are played.
pub fn lines(setup: &Setup, place: PlayingVenue<'_>, dir: &Path) -> Vec<String> {
    let room = Room {
        cores: place.slots,
        beside: place.beside,
    };
    let (outlook, rounds) = (Outlook::new(setup, room), setup.plan().rounds);
    if let Some(round) = setup.ladder.round.as_ref().filter(|round| round.number > 1) {
        return vec![format!(
            "Round {} of the ladder: {}, {}",
            round.number,
            count::of(setup.players.len(), "player", "players"),
            count::of(usize::try_from(outlook.games()).unwrap_or(usize::MAX), "game", "games"),
        )];
    }
    let RoundGames { on_cores, beside } = outlook.at_once();
    let mut facts = vec![
        ("Event", harmless(&setup.event.name)),
        ("Rounds", rounds.to_string()),
        (
            "Games",
            format!(
                "{}, {}",
                outlook.games(),
                at_once(setup, on_cores.at_once.min(place.slots), beside.at_once) + at_workers(place)
            ),
        ),
        ("Time control", control(setup) + &overhead(setup)),
        ("Isolation", isolation(setup, place.missing)),
    ];
    facts.extend(waiting(place));
    facts.extend(memory(setup, place));
    if let Some(rule) = stop::in_short(setup) {
        facts.push(("Ends early", rule));
    }
    let pauses = setup.schedule.r#break.saturating_mul(rounds.saturating_sub(1));
    let times = outlook.likely_and_longest(Assumptions::default());
    // Nobody knows how many workers will come.
    if !place.workers
        && let [Some(likely), longest_time] = times.map(|time| Some(time?.saturating_add(pauses)))
    {
        facts.push(("Likely time", about(likely, longest_time)));
        facts.push(("Longest time", longest(longest_time)));
    }
    facts.extend(programs(place));
    aligned(facts, dir)
}

/// Like [`lines`], but for an event that goes on.
pub fn lines_again(state: &State, place: PlayingVenue<'_>, dir: &Path) -> Vec<String> {
    let setup = state.setup();
    let on_cores = match needs_cores(setup) || place.beside == 0 {
        true => place.slots,
        false => 0,
    };
    let mut facts = vec![
        ("Event", harmless(&setup.event.name)),
        (
            "Rounds",
            format!("{}, {} of them over", state.created().rounds, state.rounds_over()),
        ),
        (
            "Games",
            format!(
                "{}, {}",
                games_planned(state),
                at_once(setup, on_cores, place.beside) + at_workers(place)
            ),
        ),
        ("Time control", control(setup) + &overhead(setup)),
        ("Isolation", isolation(setup, place.missing)),
    ];
    facts.extend(waiting(place));
    facts.extend(memory(setup, place));
    if let Some(rule) = stop::in_short(setup) {
        facts.push(("Ends early", rule));
    }
    facts.extend(programs(place));
    aligned(facts, dir)
}

/// A remark that workers play elsewhere.
const fn at_workers(place: PlayingVenue<'_>) -> &'static str {
    match place.workers {
        true => " here, and others at workers as they come",
        false => "",
    }
}

/// A warning about agents of several processes where engines have no control groups.
fn waiting(place: PlayingVenue<'_>) -> Option<(&'static str, String)> {
    let why = place.why_no_groups?;
    Some((
        "Waiting",
        format!(
            "what agents of several processes wait for a processor is their own time here: no control groups ({why})"
        ),
    ))
}

fn needs_cores(setup: &Setup) -> bool {
    setup.players.iter().any(|player| !player.is_elsewhere())
}

/// A warning that all engines at once may hold more memory than there is. Adapters that ask over the network are small and do not count.
fn memory(setup: &Setup, place: PlayingVenue<'_>) -> Option<(&'static str, String)> {
    let engines = 2 * u64::from(place.slots);
    if !needs_cores(setup) {
        return None;
    }
    let all = setup.engine.allowance().memory?.saturating_mul(engines);
    let there_is = place.memory.filter(|there_is| all > *there_is)?;
    Some((
        "Memory",
        format!(
            "{engines} engines at once may hold {}, and this machine has {}: lower engine.max_memory or run.concurrency",
            bytes(all),
            bytes(there_is)
        ),
    ))
}

/// A warning about programs that agents can run which are neither their own nor harmless.
fn programs(place: PlayingVenue<'_>) -> Option<(&'static str, String)> {
    let all: Vec<String> = place.within_reach.iter().map(|path| harmless(path)).collect();
    let told = format!(
        "agents can run {}; engine.exec = \"own\" keeps isolated ones from it",
        all.join(", ")
    );
    (!all.is_empty()).then_some(("Programs", told))
}

/// The limit of a move; where players differ, the limits of the first few.
fn control(setup: &Setup) -> String {
    let mut of_players: Vec<(String, Vec<String>)> = Vec::new();
    for player in &setup.players {
        let (limit, name) = (harmless(&setup.limit(player).to_string()), harmless(&player.name));
        match of_players.iter_mut().find(|(known, _)| *known == limit) {
            Some((_, names)) => names.push(name),
            None => of_players.push((limit, vec![name])),
        }
    }
    match of_players.as_slice() {
        [] => setup.usual_limit().to_string(),
        [(limit, _)] => limit.clone(),
        several if several.len() <= LIMITS => {
            let of_some = several
                .iter()
                .map(|(limit, names)| format!("{limit} ({})", some(names.clone())));
            of_some.collect::<Vec<_>>().join(", ")
        }
        several => format!("{} different ones; see rules.md", several.len()),
    }
}

/// How much less than the time per move engines are told.
fn overhead(setup: &Setup) -> String {
    let limits = setup.time_controls().filter_map(|control| match control.limit {
        Limit::MoveTime(limit) => Some(setup.game.move_overhead.min(limit / 10)),
        _ => None,
    });
    let all: BTreeSet<Duration> = limits.filter(|overhead| !overhead.is_zero()).collect();
    match (all.first(), all.last()) {
        (Some(least), Some(most)) if least == most => format!("; engines are told {} less", write_duration(*most)),
        (_, Some(most)) => format!("; engines are told up to {} less", write_duration(*most)),
        _ => String::new(),
    }
}

/// What agents may reach, with the players of each value where they differ, and what the machine does not keep isolated agents from.
fn isolation(setup: &Setup, missing: &[Protection]) -> String {
    let words = Isolation::ALL.iter().filter_map(|word| {
        let of_word = setup.players.iter().filter(|player| setup.isolation(player) == *word);
        let names: Vec<String> = of_word.map(|player| harmless(&player.name)).collect();
        (!names.is_empty()).then_some((word.word(), names))
    });
    let words: Vec<(&str, Vec<String>)> = words.collect();
    let told = match words.as_slice() {
        [] => setup.engine.isolation.word().to_owned(),
        [(word, _)] => (*word).to_owned(),
        several => several
            .iter()
            .map(|(word, names)| format!("{word} ({})", some(names.clone())))
            .collect::<Vec<_>>()
            .join(", "),
    };
    match missing {
        [] => told,
        missing => {
            let missing: Vec<&str> = missing.iter().map(|one| one.word()).collect();
            format!(
                "{told}; this machine lacks: {} (see `swissmatch doctor`)",
                missing.join(", ")
            )
        }
    }
}

fn aligned(mut facts: Vec<(&str, String)>, dir: &Path) -> Vec<String> {
    facts.push(("Results", dir.display().to_string()));
    facts.push((
        "To stop",
        "Ctrl-C; games under way are finished, and the same command continues".to_owned(),
    ));
    let line = |(what, value): (&str, String)| format!("{what:<14}{value}");
    facts.into_iter().map(line).collect()
}

fn longest(time: Option<Duration>) -> String {
    match time {
        None => "unbounded: game.max_moves sets a bound".to_owned(),
        Some(longest) => {
            let note = if longest > DAY { "; that is more than a day" } else { "" };
            format!(
                "{}, if every game takes all that its limits allow{note}",
                spoken(longest)
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::super::fixture;
    use super::*;

    fn shown(change: impl FnOnce(&mut Setup)) -> String {
        let mut setup = fixture::created_only().setup().clone();
        change(&mut setup);
        lines(&setup, PLACE, Path::new("results/spring")).join("\n")
    }

    const PLACE: PlayingVenue<'_> = PlayingVenue {
        slots: 2,
        beside: 0,
        workers: false,
        missing: &[],
        why_no_groups: None,
        memory: None,
        within_reach: &[],
    };

    #[test]
    fn limits_on_memory_that_do_not_fit_together_are_told() {
        let told = |limit: Option<u64>, memory: Option<u64>| {
            let mut setup = fixture::created_only().setup().clone();
            setup.engine.max_memory = limit;
            let lines = lines(&setup, PlayingVenue { memory, ..PLACE }, Path::new("results/spring"));
            lines.into_iter().find(|line| line.starts_with("Memory"))
        };
        assert_eq!(
            told(Some(2048), Some(6 << 30)).as_deref(),
            Some(
                "Memory        4 engines at once may hold 8.0 GiB, and this machine has 6.0 GiB: lower engine.max_memory or \
                 run.concurrency"
            )
        );
        for (limit, memory) in [(Some(2048), Some(8 << 30)), (Some(2048), None), (None, Some(6 << 30))] {
            assert_eq!(told(limit, memory), None);
        }
    }

    #[test]
    fn an_event_is_told_before_it_begins() {
        assert_snapshot!(shown(|_| ()), @"
        Event         Spring qualifier
        Rounds        3
        Games         12, 2 at once
        Time control  30s/move; engines are told 50ms less
        Isolation     guarded
        Likely time   about 3 h 00 min
        Longest time  2 d 14 h, if every game takes all that its limits allow; that is more than a day
        Results       results/spring
        To stop       Ctrl-C; games under way are finished, and the same command continues
        ");
        let paused = shown(|setup| setup.schedule.r#break = Duration::from_secs(3600));
        assert!(paused.contains("Likely time   about 5 h 00 min\n"), "{paused}");
        let stop = shown(|setup| {
            setup.stop.when = Some("places 1-2 at 97.5%".parse().expect("places"));
            setup.stop.games = Some(8);
            setup.stop.time = Some(Duration::from_secs(5400));
        });
        let rule = "places 1-2 at 97.5%, looked at from round 3 on; at most 8 games; 1 h 30 min of thinking";
        assert!(stop.contains(&format!("\nEnds early    {rule}\n")), "{stop}");
        let short = shown(|setup| setup.game.max_moves = Some(1));
        assert!(!short.contains("more than a day"), "{short}");
        // The likely time is rounded up, but not beyond the longest.
        let quick = shown(|setup| {
            setup.game.time_control = "2+0".parse().expect("a time control");
            setup.game.move_overhead = Duration::from_millis(10);
        });
        assert!(quick.contains("Time control  2\nIso"), "{quick}");
        assert!(
            quick.contains("Likely time   about 12 s\nLongest time  24 s, if"),
            "{quick}"
        );
        let told = shown(|setup| setup.game.move_overhead = Duration::from_millis(50));
        assert!(
            told.contains("Time control  30s/move; engines are told 50ms less\n"),
            "{told}"
        );
        let unbounded = shown(|setup| {
            setup.game.max_moves = None;
            setup.game.max_plies = None;
        });
        assert!(
            unbounded.contains("Longest time  unbounded: game.max_moves"),
            "{unbounded}"
        );
    }

    #[test]
    fn games_of_models_are_told_beside_those_of_engines() {
        let told = |models: &[usize], place: PlayingVenue<'_>| {
            let mut setup = fixture::created_only().setup().clone();
            setup.engine.max_memory = Some(1 << 20);
            for player in models {
                setup.players[*player].model = Some("local:m".to_owned());
            }
            let dir = Path::new("results/spring");
            let lines = lines(
                &setup,
                PlayingVenue {
                    memory: Some(8 << 30),
                    ..place
                },
                dir,
            );
            let one = |what: &str| {
                lines
                    .iter()
                    .find(|line| line.starts_with(what))
                    .cloned()
                    .unwrap_or_default()
            };
            (one("Games"), one("Memory"))
        };
        let beside = PlayingVenue { beside: 4, ..PLACE };
        let (games, memory) = told(&[0, 1], beside);
        assert_eq!(
            games,
            "Games         12, 2 at once on cores, and 2 of models beside them"
        );
        assert!(memory.contains("4 engines at once"), "{memory}");
        let all = [0, 1, 2, 3, 4];
        assert_eq!(
            told(&all, beside),
            (
                "Games         12, 4 at once, which need no core".to_owned(),
                String::new()
            )
        );
        assert_eq!(told(&all, PLACE).0, "Games         12, 2 at once");
        let again = lines_again(&fixture::two_rounds(), beside, Path::new("results/spring")).join("\n");
        assert!(
            again.contains("\nGames         12, 2 at once on cores, and 4 of models beside them\n"),
            "{again}"
        );
    }

    #[test]
    fn nothing_is_said_of_time_where_nodes_end_searches() {
        let text = shown(|setup| setup.game.nodes = Some(100));
        assert!(!text.contains("time"), "{text}");
        assert!(text.contains("Results       results/spring"), "{text}");
        assert!(
            text.contains("Time control  30s/move nodes=100; engines are told 50ms less\n"),
            "{text}"
        );
        let text = shown(|setup| setup.players[1].depth = Some(3));
        assert!(text.contains("Time control  30s/move ("), "{text}");
        assert!(text.contains("), 30s/move depth=3 ("), "{text}");
    }

    /// The games are those of the whole event, although only two rounds of three are paired.
    #[test]
    fn an_event_goes_on_with_the_games_it_began_with() {
        let again = lines_again(&fixture::two_rounds(), PLACE, Path::new("results/spring")).join("\n");
        assert!(again.contains("\nGames         12, 2 at once\n"), "{again}");
    }

    #[test]
    fn an_event_that_goes_on_is_told_as_it_stands() {
        assert_snapshot!(lines_again(&fixture::over(), PLACE, Path::new("results/spring")).join("\n"), @"
        Event         Spring qualifier
        Rounds        3, 3 of them over
        Games         12, 2 at once
        Time control  30s/move; engines are told 50ms less
        Isolation     guarded
        Results       results/spring
        To stop       Ctrl-C; games under way are finished, and the same command continues
        ");
    }
}
