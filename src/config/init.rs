//! The commented event file that `swissmatch init` writes.
//!
//! May not: look whether the programs exist.

use super::value::quoted;
use super::{PRESETS, preset, print};
use crate::tournament::names::Taken;

/// A player of a new event file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitPlayer {
    /// Its name; made distinct where another has it.
    pub name: String,
    /// Its program, as it will stand in the file.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
}

/// Programs that ship with swissmatch, for event files that would have fewer than two players.
const BUNDLED: [&str; 2] = ["greedy", "random-mover"];

/// An event file to start from: the players, and every key of the default preset, commented out with what it means.
///
/// Fewer than two players are filled up with agents that ship, so that the file can be played as it is.
#[must_use]
pub fn init_template(engines: &[InitPlayer]) -> String {
    let (preset_name, _) = PRESETS[0];
    let mut text = format!(
        "# An event file of swissmatch. Play it with `swissmatch run`, see every value with `swissmatch config`.\n\
         # A line such as `#games = 40` shows the preset's value; take its # away to change it.\n\
         preset = {}\n",
        quoted(preset_name)
    );
    text += &print::explained(preset::setup(preset_name).unwrap_or_default(), "#");
    for InitPlayer { name, command, args } in players(engines) {
        text += &format!(
            "\n[[player]]\nname = {}\ncommand = {}\n",
            quoted(&name),
            quoted(&command)
        );
        if !args.is_empty() {
            let args: Vec<String> = args.iter().map(|arg| quoted(arg)).collect();
            text += &format!("args = [{}]\n", args.join(", "));
        }
    }
    text += "\n# More that a player can have, each line optional:\n\
             #args = [\"--book\", \"none\"]\n\
             #options = { Hash = 16 }\n\
             #rating = 1800\n\
             #submitted_at = 2026-01-30T10:00:00Z\n\
             #nodes = 100000\n\
             #depth = 8\n\
             #time_control = \"10+0.1\"\n\
             #dir = \"agents/a\"\n\
             #env = { OMP_NUM_THREADS = \"1\", API_KEY = \"$API_KEY\" }\n\
             #write = [\"agent.log\"]\n\
             #restart = \"game\"\n\
             #margin = \"50ms\"\n\
             #ponder = false\n\
             #team = \"Team A\"\n\
             #author = \"A. Author\"\n\
             #unrated = true\n\
             #contact = \"a@example.org\"\n";
    text
}

/// The engines with distinct names, and at least two of them.
fn players(engines: &[InitPlayer]) -> Vec<InitPlayer> {
    let missing = BUNDLED.len().saturating_sub(engines.len());
    let bundled = BUNDLED[..missing].iter().map(|name| InitPlayer {
        name: (*name).to_owned(),
        command: (*name).to_owned(),
        args: Vec::new(),
    });
    let mut taken = Taken::new();
    let mut distinct = |player: InitPlayer| {
        let name = (1_u32..)
            .map(|number| {
                if number == 1 {
                    player.name.clone()
                } else {
                    format!("{} {number}", player.name)
                }
            })
            .find(|name| taken.take(name, ()).is_ok())
            .unwrap_or_default();
        InitPlayer { name, ..player }
    };
    engines.iter().cloned().chain(bundled).map(&mut distinct).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use insta::assert_snapshot;

    use super::*;
    use crate::config::load;

    fn engines(names: &[&str]) -> Vec<InitPlayer> {
        names
            .iter()
            .map(|name| InitPlayer {
                name: (*name).to_owned(),
                command: format!("./{name}"),
                args: Vec::new(),
            })
            .collect()
    }

    fn names(text: &str) -> Vec<String> {
        let loaded = load(Path::new("event.toml"), text, &[]).unwrap_or_else(|error| panic!("{error}"));
        loaded.setup.players.into_iter().map(|player| player.name).collect()
    }

    #[test]
    fn loads_as_it_is_and_with_every_key_taken() {
        assert_eq!(names(&init_template(&[])), ["greedy", "random-mover"]);
        assert_eq!(names(&init_template(&engines(&["X"]))), ["X", "greedy"]);
        assert_eq!(
            names(&init_template(&engines(&["X", "x", "X", "Y"]))),
            ["X", "x 2", "X 3", "Y"]
        );
        let taken: String = init_template(&engines(&["A", "B"]))
            .split_inclusive('\n')
            .map(|line| {
                line.strip_prefix('#')
                    .filter(|rest| !rest.starts_with(' '))
                    .unwrap_or(line)
            })
            .collect();
        assert!(taken.contains("\ngames = 40\n") && taken.contains("\nrating = 1800\n"));
        assert_eq!(names(&taken), ["A", "B"]);
    }

    #[test]
    fn explains_every_key() {
        assert_snapshot!(init_template(&engines(&["A", "B"])), @r#"
        # An event file of swissmatch. Play it with `swissmatch run`, see every value with `swissmatch config`.
        # A line such as `#games = 40` shows the preset's value; take its # away to change it.
        preset = "global-chess-challenge"

        [event]
        # Name of the event, shown everywhere; without it the name of this file.
        #name = "My event"
        # Place of the event, the PGN tag Site.
        #site = "?"
        # Seed of every lot and every shuffle: the same seed, the same draw.
        #rng_seed = 1
        # Stages, in place of swiss.rounds: [{ format = "7-SS" }, { format = "knockout", top = 8 }], also games, time_control.
        #stages = []
        # Sections by rating or player.section, as [{ name = "Open", from = 2000 }, { name = "Rest", to = 1999 }]: docs/sections.md.
        #sections = []

        [swiss]
        # "auto", 7, "7-SS", "log2+2", "5-double-SS"; "RR", "double-RR", "quads", "gauntlet-2", "knockout": docs/formats.md.
        #rounds = "auto"
        # Who meets whom: "match-points", "dutch" (C.04.3), "us-chess", "immortal", "double-swiss" (C.04.5): docs/pairing.md.
        #pairing = "match-points"
        # Whether colours bind the Dutch system: those of the "first-game" of each meeting, or "ignore".
        #color = "ignore"
        # Order of the pairing numbers: "rating", "submitted", "listed" or "random".
        #seeding = "rating"
        # Text of the Dutch system: "2026", in force since 1 February 2026, or the one before it, "2017".
        #edition = "2026"
        # Odd or even in its article 5.2.5: numbers among the "participants" so far, or as "listed".
        #tpn_parity = "participants"
        # Initial colour of all systems but "match-points": by "lot" (event.rng_seed), "white" or "black".
        #initial_color = "lot"
        # Virtual points in the first rounds of the Dutch system: "none", or "baku" (C.04.7).
        #acceleration = "none"
        # Players alike in one of these never meet: "team" (player.team), "author" (player.author).
        #keep_apart = []
        # Players who never meet, by name: any two of a group.
        #forbidden = []
        # How often in a row one has the same colour in "immortal", unless it cannot be paired otherwise; "none": no limit.
        #color_streak = 2

        [mini_match]
        # Games of two players in one round: 1 or an even number, so that both have each colour equally often.
        #games = 40
        # Where openings come from: "bundled", "chess960", "none" or a file (.epd, .fen, .pgn, .bin, also .gz): docs/openings.md.
        #openings = "bundled"
        # In which order openings are taken: "random" (by event.rng_seed) or "sequential".
        #opening_order = "random"
        # Longest opening line taken from a PGN file or a Polyglot book, in plies; "none" takes PGN lines whole.
        #opening_plies = "none"
        # The first opening played, by its number in that order; after the last one the first follows.
        #opening_start = 1
        # The same openings in all mini-matches of a "round", or openings of its own for each "mini-match".
        #opening_policy = "round"

        [game]
        # Limit that is always enforced: "30s/move", "10+0.1", "40/90 SD/30 +30", "G/45 d5" …: docs/time-controls.md.
        #time_control = "30s/move"
        # Attempts at one move under a time per move; under a clock a fallen clock loses at once.
        #attempts = 3
        # Illegal moves at one move that lose: a number of their own, or "shared" with overruns, game.attempts in all.
        #illegal_attempts = "shared"
        # Draw after so many full moves of play, the opening's not counted; "none": no cap.
        #max_moves = 200
        # The same in plies; where both are given, what is reached first counts.
        #max_plies = "none"
        # How much less than the time per move the engine is told, at most a tenth of it.
        #move_overhead = "50ms"
        # How far over its limit a move may be before it counts as an overrun.
        #margin = "0s"
        # Nodes a move, beside the time limit, for players that have no number of their own; or "none".
        #nodes = "none"
        # Depth in plies, beside the time limit, for players that have none of their own; or "none".
        #depth = "none"
        # Which chess: "standard", or "chess960", for which engines must declare UCI_Chess960.
        #variant = "standard"
        # Whether agents think while their opponents do: true or false.
        #ponder = false

        [scoring]
        # Game points for a win, a draw, a loss: { win = 1, draw = 0.5, loss = 0 } or [1, 0.5, 0].
        #game = { win = 1, draw = 0.5, loss = 0 }
        # Match points for more game points than the opponent, equally many, fewer.
        #match = { win = 1, draw = 0.5, loss = 0 }
        # Game points of a game that was not played because an engine did not start: "as-played", or points of their own.
        #forfeited_game = "as-played"
        # Match points of a mini-match without a played game: "as-played", or points of their own.
        #forfeited_match = "as-played"

        [bye]
        # Who gets the bye of an odd round by "match-points": criteria, strictly in turn. Other systems have rules of their own.
        #order = ["fewest-byes", "lowest-match-points", "worst-previous-place", "earliest-submission"]
        # Match points of a bye.
        #match_points = 0.5
        # Game points of a bye; "auto": its match points over those of a win, times the games of a round; "double-swiss": 1.5.
        #game_points = 1
        # What a player has who is left over without a right to the bye: the bye, what a requested bye gives, or nothing.
        #again = "bye"
        # Half-point byes a player may ask for, before that round is paired: in events of up to `rounds` rounds so many.
        #requests = []

        [standings]
        # What ranks: criteria strictly in turn, "match-points" or "game-points" first; `swissmatch standings --list`.
        #order = ["match-points", "h2h", "buchholz", "sonneborn-berger"]
        # Columns after place and name: criteria, "acpl", "win-rate", "wdl", "wdl-white", "games", "byes", "faults" …
        #columns = ["match-points", "h2h", "buchholz", "sonneborn-berger", "game-points", "acpl", "win-rate"]
        # Unplayed rounds in the tie-breaks of C.07: "2026" (in force), "2024", "2022", or "played-only".
        #edition = "2026"
        # Rating of players without one, in tie-breaks; "none": then tie-breaks of ratings are left out.
        #unrated = "none"
        # Who is disqualified after the end is "off-the-list" and others keep their scores, or his results are "annulled".
        #disqualified = "off-the-list"

        [schedule]
        # When the first round is paired: "now", or a date and time with its offset from UTC.
        #start = "now"
        # From the end of a round's last game to the start of the next round.
        #break = "0s"
        # How long before the start of a round its pairing is announced, at least.
        #notice = "0s"
        # No game of round 1, 2 … before these dates and times; [] for none.
        #rounds_at = []
        # Hours of each day in which games are started, as "18:00-23:00" or "22:00-02:00"; or "none".
        #window = "none"
        # Time zone of the window: a name of the IANA database such as "Europe/Berlin", or an offset as "+02:00".
        #time_zone = "UTC"
        # What starts White's clock: the "game", once both engines are up, or the "schedule", up or not.
        #clock = "game"

        [presence]
        # Whether agents that are changed or do not answer "before-each-round" are left out of it; or "never".
        #check = "never"
        # Within what an agent must then start and answer isready.
        #limit = "30s"

        [playoff]
        # Places told from the next one by a play-off when players are tied for both: [1] for the first; [] for none.
        #places = []
        # Which ties are played off: all for such a place ("tied"), or those for an "indivisible-prize" of [prizes].
        #when = "tied"
        # Who is tied: players level on "points" (the first criterion of standings.order), or on all of the "order".
        #tied_on = "points"
        # Who plays where three or more are tied: "all", or the "top-two" by playoff.numbers.
        #entrants = "all"
        # Pairing numbers of the tied: criteria strictly in turn, then lots; or "lot", drawn anew as the tour's rules say.
        #numbers = ["WIN", "BPG", "DE"]
        # What is contested, in turn: kind = "head-to-head", "round-robin" or "armageddon"; then the arbiter decides.
        #stages = []
        # Games that count head to head: of rounds paired on the day of the last one, "same-day", or "any-day".
        #head_to_head = "same-day"
        # Least time from the end of the last game to the first game of a play-off.
        #start_after = "0s"

        [prizes]
        # What the prize money is, such as "USD"; only shown.
        #currency = ""
        # Prizes from place 1 on: money, shared by those level; { money = 500, indivisible = true, trophy = "Cup" } goes whole.
        #by_place = []
        # Part of the first prize that the winner of a tie for first gets; the rest of it is shared.
        #winner_fixed = 0.00
        # Who shares prizes: those level on "points", first in standings.order, or on the whole "order".
        #tied_on = "points"
        # Tour points from place 1 on, shared by those level.
        #points = []
        # Tour points more for whoever is first without a tie.
        #outright_bonus = 0

        [tour]
        # Runs whose tour points `swissmatch tour` adds up, relative to this file.
        #runs = []
        # Money from overall place 1 on, shared by those level on tour points.
        #bonus = []
        # How many first places of a tour are marked as qualified.
        #qualified = 0

        [adjudication]
        # A game is lost when its loser says so many centipawns below zero and its winner as many above; "none": played on.
        #resign_score = "none"
        # For that, so many moves of a side one after the other.
        #resign_moves = 4
        # Whether both engines must say so; with false the loser's own scores decide alone.
        #resign_two_sided = true
        # A game is drawn when both say that it is at most so many centipawns from level; "none": played on.
        #draw_score = "none"
        # For that, so many moves of each side one after the other; captures and pawn moves begin anew.
        #draw_moves = 8
        # Not before both have made the move of this number.
        #draw_from_move = 40
        # Directories of Syzygy tables that end games, relative to this file; []: none. See docs/adjudication.md.
        #tablebases = []
        # Positions of at most so many men are looked up; the tables of all of them must be there.
        #tablebase_men = 5
        # Whether a win of the tablebases that the fifty-move rule spoils is a draw.
        #tablebase_rule50 = true
        # What the tablebases end: games that are won or drawn ("win-draw"), or one of both ("win", "draw").
        #tablebase_adjudicate = "win-draw"

        [engine]
        # From start to uciok and, after the options, to readyok, each.
        #start_limit = "10s"
        # Tries to start an engine before the rest of its mini-match is forfeited.
        #start_attempts = 3
        # From isready to readyok between games, for each process once: docs/time-controls.md.
        #ready_limit = "10s"
        # From isready to readyok after an overrun; more than its slowest start for a start in mid-game; more each game.
        #step_limit = "1s"
        # How long after stop a bestmove is waited for before the engine is killed and started anew.
        #stop_grace = "1s"
        # How long after quit an engine may live before it is killed.
        #quit_grace = "1s"
        # UCI options for every engine that declares them; player.options goes over them name by name.
        #options = {}
        # When engines are started anew: "never" while their mini-match lasts, or for each "game".
        #restart = "never"

        [run]
        # Games at once: a number, or "cores", as many as have a core for each thread: docs/engines.md.
        #concurrency = "cores"
        # Games at once of one player; "none": no cap.
        #max_games_per_player = "none"
        # Each game on cores of its own: "auto" where the games at once take all cores, "always", or "none".
        #pin = "auto"
        # Which games keep their UCI transcript and stderr: those with "faults", or "all".
        #evidence = "faults"
        # More in the comments of moves: "clock", "latency", "nodes", "seldepth", "nps", "hashfull", "tbhits", "pv" …
        #pgn_extras = []
        # Whether games at once may have more threads than there are hardware threads, as agents that wait for a network may.
        #oversubscribe = false

        [analysis]
        # Reference engine of `swissmatch analyse`: looked up beside swissmatch, then in PATH; or an absolute path.
        #command = "stockfish"
        # Its arguments.
        #args = []
        # Its UCI options; more than one thread gives other evaluations each time.
        #options = { Hash = "16", Threads = "1" }
        # Nodes a position; or "none", where depth is given.
        #nodes = 100000
        # Depth in plies; or "none", where nodes are given.
        #depth = "none"
        # The evaluation: the "last" score before bestmove, a bound too, as python-chess has it; or the last "exact" one.
        #scores = "last"
        # How long one position may take before the analysis ends with an error; the engine is not told.
        #limit = "60s"
        # Evaluations count as at most so many centipawns for either side, mates as exactly so many.
        #clamp = 1000
        # ACPL in the standings: the mean over all "moves" of all games, or of the "games"' means.
        #mean = "moves"
        # One move more, of so many centipawns, for who loses a game under way by a fault of its own; or "none".
        #resignation_move = "none"
        # Least loss of an inaccuracy, in centipawns.
        #inaccuracy = 50
        # Least loss of a mistake.
        #mistake = 100
        # Least loss of a blunder.
        #blunder = 300

        [registration]
        # Late entries: "closed" (none), before so many rounds have been played, or "half": before rounds / 2 − 1, rounded up.
        #until = "closed"
        # What a late entry has for each round that it missed: nothing, or a half-point bye.
        #missed = "zero"

        [arbiter]
        # Whether each pairing is shown and waits for `swissmatch arbiter confirm`.
        #confirm_rounds = false

        [publish]
        # So many last rounds are held back of the published files until `swissmatch arbiter release`; 0: none.
        #embargo_rounds = 0

        [eligibility]
        # Whether only agents with a current, passed qualification may play: docs/check.md.
        #required = false
        # File of the qualifications, which `swissmatch check --all` writes; relative to this file.
        #record = "eligibility.json"
        # Whom they play to qualify: "none", a program, or { command = …, args = […], options = {…} }.
        #baseline = "none"
        # Games against the baseline.
        #games = 10
        # Share of the points of these games that is required; a draw is half a point.
        #score = 0.5
        # Limits of the games of `swissmatch check`, those against the baseline included.
        #time_control = "100ms/move"
        # How long a qualification holds, in days, such as "90d"; "none": for ever.
        #valid_for = "none"

        [[player]]
        name = "A"
        command = "./A"

        [[player]]
        name = "B"
        command = "./B"

        # More that a player can have, each line optional:
        #args = ["--book", "none"]
        #options = { Hash = 16 }
        #rating = 1800
        #submitted_at = 2026-01-30T10:00:00Z
        #nodes = 100000
        #depth = 8
        #time_control = "10+0.1"
        #dir = "agents/a"
        #env = { OMP_NUM_THREADS = "1", API_KEY = "$API_KEY" }
        #write = ["agent.log"]
        #restart = "game"
        #margin = "50ms"
        #ponder = false
        #team = "Team A"
        #author = "A. Author"
        #unrated = true
        #contact = "a@example.org"
        "#);
    }
}
