//! Reading time controls: one grammar for the forms of organizers (`40/90 SD/30 d5`), of engine users (`40/60+0.6`) and of
//! PGN (`40/5400:1800`).
//!
//! May not: repair a text; each error says where it stops being a control.

use std::str::FromStr;
use std::time::Duration;

use super::cursor::{Cursor, Number, TimeTextError};
use super::write::NANOS_PER_S;
use super::{Bounds, Clock, ClockStage, Delay, Limit, MOST_DEPTH, MOST_NODES, TimeControl};

/// The most moves in a stage.
const MOST_MOVES: u64 = 1_000;
const MOST_STAGES: usize = 10;

impl FromStr for TimeControl {
    type Err = TimeTextError;

    /// Refuses texts that have none of the forms, zero limits, and times over 7 days.
    fn from_str(text: &str) -> Result<Self, TimeTextError> {
        let mut reader = TimeControlReader {
            rest: Cursor::new(text),
            kind: None,
            stages: Vec::new(),
            increment: None,
            delay: None,
            bounds: Bounds::default(),
            minutes: false,
            joined_at: None,
        };
        reader.part(true)?;
        while reader.rest.peek().is_some() {
            reader.separator()?;
            reader.part(false)?;
        }
        reader.control()
    }
}

/// A time before it is known whether it is in minutes.
#[derive(Clone, Copy)]
struct Time {
    number: Number,
    /// The number after a `:`.
    seconds: Option<Number>,
}

impl Time {
    fn nanos(&self, in_minutes: bool) -> u128 {
        let minute = 60 * NANOS_PER_S;
        match &self.seconds {
            Some(seconds) => self.number.times(minute) + seconds.times(NANOS_PER_S),
            None if in_minutes => self.number.times(minute),
            None => self.number.times(NANOS_PER_S),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Increment {
    time: Duration,
    from: u32,
}

struct WrittenStage {
    moves: Option<u32>,
    time: Time,
    /// True if a `:` joins this stage to the one before or after it.
    is_joined: bool,
    /// In a chain of `:`, where the bonus of this stage alone begins.
    bonus_at: usize,
    increment: Duration,
    delay: Option<Delay>,
}

struct TimeControlReader<'a> {
    rest: Cursor<'a>,
    /// The limit, unless it is a clock of stages.
    kind: Option<Limit>,
    stages: Vec<WrittenStage>,
    increment: Option<Increment>,
    delay: Option<Delay>,
    bounds: Bounds,
    /// True if something says that times are in minutes.
    minutes: bool,
    /// The first `:` between stages.
    joined_at: Option<usize>,
}

impl TimeControlReader<'_> {
    /// Reads blanks, or a comma or semicolon with or without them; nothing is needed where the next part shows by
    /// itself.
    fn separator(&mut self) -> Result<(), TimeTextError> {
        let start = self.rest.at;
        self.rest.skip_blanks();
        if !self.rest.skip(',') {
            self.rest.skip(';');
        }
        self.rest.skip_blanks();
        let shows_by_itself = matches!(self.rest.peek(), Some('+' | 'd' | 'b'));
        if self.rest.at == start && !shows_by_itself {
            return Err(self.rest.expected_at(start, "nothing more"));
        }
        Ok(())
    }

    fn part(&mut self, is_first: bool) -> Result<(), TimeTextError> {
        let start = self.rest.at;
        let limits = is_first && self.limit_of_its_own()?;
        if limits || self.bound()? {
            return Ok(());
        }
        let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        if !is_first && self.rest.peek() == Some('+') {
            return self.whole_game(start, Self::increment_of_all);
        }
        if !is_first && matches!(self.rest.peek(), Some('d' | 'b')) && is_digit(self.rest.peek_at(1)) {
            return self.whole_game(start, Self::delay_of_all);
        }
        let is_sudden_death = self.rest.skip_word("sd/");
        let is_game = !is_sudden_death && self.rest.skip_word("g/");
        if is_sudden_death || is_game || is_digit(self.rest.peek()) {
            self.may_have_stage(start, is_game)?;
            self.minutes |= is_sudden_death || is_game;
            return if is_sudden_death || is_game {
                let number = self.rest.number("minutes, such as 90")?;
                let time = self.time(number, false)?;
                self.push(None, time, false);
                Ok(())
            } else {
                self.stages_or_move_time(is_first)
            };
        }
        Err(self.rest.expected_at(
            start,
            if is_first {
                "a time control such as `30s/move`, `10+0.1`, `40/60+0.6` or `G/45 d5`"
            } else {
                "`+30`, `d5`, `SD/30`, `nodes=5000` or `depth=8`"
            },
        ))
    }

    /// Reads a limit that is not a clock with stages.
    fn limit_of_its_own(&mut self) -> Result<bool, TimeTextError> {
        if self.rest.skip_word("hourglass") {
            self.rest.skip_blanks();
        } else if !self.rest.skip('*') {
            return Ok(false);
        }
        let number = self.rest.number("the time of an hourglass, such as 1:00")?;
        let time = self.time(number, false)?;
        let base = self.rest.limit(time.nanos(false), number.start)?;
        self.kind = Some(Limit::Hourglass(base));
        Ok(true)
    }

    fn bound(&mut self) -> Result<bool, TimeTextError> {
        let start = self.rest.at;
        let is_second = if self.rest.skip_word("nodes=") {
            let nodes = self.rest.whole(1..=MOST_NODES, "a number of nodes")?;
            self.bounds.nodes.replace(nodes).is_some()
        } else if self.rest.skip_word("depth=") {
            let depth = self.rest.whole(1..=MOST_DEPTH.into(), "a depth in plies")?;
            let depth = u32::try_from(depth).expect("at most the deepest");
            self.bounds.depth.replace(depth).is_some()
        } else {
            return Ok(false);
        };
        self.once(start, is_second)?;
        Ok(true)
    }

    fn once(&self, start: usize, is_second: bool) -> Result<(), TimeTextError> {
        if is_second {
            return Err(self.rest.problem_at(start, "given twice".to_owned()));
        }
        Ok(())
    }

    /// Refuses a stage where none may come.
    fn may_have_stage(&self, start: usize, is_game: bool) -> Result<(), TimeTextError> {
        let problem = |what: &str| Err(self.rest.expected_at(start, what));
        if self.kind.is_some() {
            return problem("no clock together with this limit");
        }
        if self.increment.is_some() || self.delay.is_some() || !self.bounds.is_empty() {
            return problem("the times before increment, delay, nodes and depth");
        }
        if self.stages.last().is_some_and(|stage| stage.moves.is_none()) {
            return problem("no stage after one that lasts for the rest of the game");
        }
        if self.joined_at.is_some() {
            return problem("`:` before a further stage, as before the others");
        }
        if is_game && !self.stages.is_empty() {
            return problem("`SD/`: `G/` is the whole game");
        }
        Ok(())
    }

    /// Reads an increment or delay for the whole game.
    fn whole_game(
        &mut self,
        start: usize,
        read: fn(&mut Self, usize) -> Result<(), TimeTextError>,
    ) -> Result<(), TimeTextError> {
        if self.stages.is_empty() {
            let what = "only `nodes=` and `depth=` together with this limit: increments and delays belong to clocks";
            return Err(self.rest.expected_at(start, what));
        }
        read(self, start)
    }

    fn increment_of_all(&mut self, start: usize) -> Result<(), TimeTextError> {
        self.rest.skip('+');
        let number = self.rest.number("seconds, such as 0.1")?;
        let time = self.rest.at_most_longest(number.times(NANOS_PER_S), number.start)?;
        if let Some(delay) = self.delay_after(time) {
            return self.set_delay(start, delay);
        }
        let mut from = 1;
        if self.rest.skip('@') {
            let number = self.rest.whole(1..=MOST_MOVES + 1, "the number of a move")?;
            from = u32::try_from(number).expect("few moves");
        }
        let is_second = self.increment.replace(Increment { time, from }).is_some();
        self.once(start, is_second)
    }

    /// Reads a delay in PGN's form: the `d` or `b` after the seconds.
    fn delay_after(&mut self, time: Duration) -> Option<Delay> {
        let kind = self.rest.peek()?;
        if !matches!(kind, 'd' | 'b') || self.rest.peek_at(1).is_some_and(char::is_alphanumeric) {
            return None;
        }
        self.rest.skip(kind);
        Some(delay(kind, time))
    }

    fn delay_of_all(&mut self, start: usize) -> Result<(), TimeTextError> {
        let kind = self.rest.peek().unwrap_or_default();
        self.rest.skip(kind);
        let number = self.rest.number("seconds, such as 5")?;
        let time = self.rest.at_most_longest(number.times(NANOS_PER_S), number.start)?;
        self.minutes = true;
        self.set_delay(start, delay(kind, time))
    }

    fn set_delay(&mut self, start: usize, delay: Delay) -> Result<(), TimeTextError> {
        let is_second = self.delay.replace(delay).is_some();
        self.once(start, is_second)
    }

    /// Reads what belongs to `number`; after the number of moves a `:` may also begin the next stage.
    fn time(&mut self, number: Number, has_moves: bool) -> Result<Time, TimeTextError> {
        let begins_stage = has_moves && !(number.is_whole && self.rest.is_at_seconds_of_a_minute());
        let seconds = if !begins_stage && self.rest.skip(':') {
            Some(self.rest.seconds_of_a_minute(&number)?)
        } else {
            None
        };
        Ok(Time { number, seconds })
    }

    fn push(&mut self, moves: Option<u32>, time: Time, is_joined: bool) {
        self.stages.push(WrittenStage {
            moves,
            time,
            is_joined,
            bonus_at: self.rest.at,
            increment: Duration::ZERO,
            delay: None,
        });
    }

    /// Reads `30s/move`, or stages: one, or several joined by `:`.
    fn stages_or_move_time(&mut self, is_first: bool) -> Result<(), TimeTextError> {
        let first = self.rest.number("a time")?;
        let unit = self.rest.peek().filter(|c| c.is_alphabetic());
        let is_delay = matches!(unit, Some('d' | 'b')) && self.rest.peek_at(1).is_some_and(|c| c.is_ascii_digit());
        if is_first && unit.is_some() && !is_delay {
            return self.move_time(first);
        }
        let mut number = first;
        let mut is_joined = false;
        loop {
            let mut moves = None;
            if self.rest.skip('/') {
                if self.rest.peek() == Some('m') {
                    let what = "a unit: a time per move is written as `30s/move`";
                    return Err(self.rest.expected_at(number.end, what));
                }
                moves = Some(self.moves(&number)?);
                number = self.rest.number("a time, such as 60")?;
            }
            let time = self.time(number, moves.is_some())?;
            self.push(moves, time, is_joined);
            let may_join = self.joins_after_bonus(moves.is_some())?;
            if !may_join {
                return Ok(());
            }
            let colon = self.rest.at - 1;
            if self.joined_at.is_none() && self.stages.len() > 1 {
                return Err(self.rest.expected_at(colon, "a blank, as between the stages before"));
            }
            self.joined_at.get_or_insert(colon);
            is_joined = true;
            number = self.rest.number("the next stage, such as 20/3600 or 1800")?;
        }
    }

    fn move_time(&mut self, number: Number) -> Result<(), TimeTextError> {
        let nanos = self.rest.with_unit(&number)?;
        if !self.rest.skip_word("/move") {
            let what = "`/move`: a time per move is written as `30s/move`, a clock as `10+0.1`";
            return Err(self.rest.expected_at(self.rest.at, what));
        }
        self.kind = Some(Limit::MoveTime(self.rest.limit(nanos, number.start)?));
        Ok(())
    }

    /// Reads what `+` adds to the stage just read, and the `:` after it. Without a `:` before or after the stage, the
    /// addition is for the whole game.
    fn joins_after_bonus(&mut self, has_moves: bool) -> Result<bool, TimeTextError> {
        let start = self.rest.at;
        let (increment, delay) = (self.increment.take(), self.delay.take());
        while self.rest.peek() == Some('+') {
            self.increment_of_all(self.rest.at)?;
        }
        let joins = has_moves && self.rest.skip(':');
        let stage = self.stages.last_mut().expect("a stage has been read");
        stage.bonus_at = start;
        if !joins && !stage.is_joined {
            return Ok(false);
        }
        stage.is_joined = true;
        if self.increment.is_some_and(|increment| increment.from != 1) {
            let what = "no `@` in stages that `:` joins: each has its own increment";
            return Err(self.rest.expected_at(start, what));
        }
        stage.increment = self.increment.take().map_or(Duration::ZERO, |increment| increment.time);
        stage.delay = self.delay.take();
        (self.increment, self.delay) = (increment, delay);
        Ok(joins)
    }

    /// Checks the number of moves before a `/`.
    fn moves(&self, number: &Number) -> Result<u32, TimeTextError> {
        let moves = number.times(1_000_000) / 1_000_000;
        if !number.is_whole || moves == 0 || moves > u128::from(MOST_MOVES) {
            let what = format!("a number of moves from 1 to {MOST_MOVES}");
            return Err(self.rest.expected_at(number.start, &what));
        }
        Ok(u32::try_from(moves).expect("few moves"))
    }

    fn control(mut self) -> Result<TimeControl, TimeTextError> {
        let limit = if let Some(kind) = self.kind.take() {
            kind
        } else if self.stages.is_empty() {
            Limit::Guard
        } else {
            Limit::Clock(self.clock()?)
        };
        Ok(TimeControl {
            limit,
            bounds: self.bounds,
        })
    }

    fn clock(&mut self) -> Result<Clock, TimeTextError> {
        if let Some(at) = self.joined_at.filter(|_| self.minutes) {
            let what = "a blank: `:` joins stages in seconds, but `G/`, `SD/` and delays mean minutes";
            return Err(self.rest.expected_at(at, what));
        }
        self.take_bonus_of_stages()?;
        let mut stages = Vec::new();
        for stage in &self.stages {
            let (nanos, start) = (stage.time.nanos(self.minutes), stage.time.number.start);
            let base = if stage.is_joined && !stages.is_empty() {
                self.rest.at_most_longest(nanos, start)?
            } else {
                self.rest.limit(nanos, start)?
            };
            stages.push((stage.moves, base));
        }
        let (earlier, moves, base) = merged(stages);
        let too_long = earlier.iter().map(|stage| stage.moves).chain(moves);
        if earlier.len() >= MOST_STAGES || too_long.into_iter().any(|moves| u64::from(moves) > MOST_MOVES) {
            let problem = format!("more than {MOST_STAGES} stages or {MOST_MOVES} moves in one");
            return Err(self.rest.problem_at(0, problem));
        }
        let increment = self.increment.filter(|increment| !increment.time.is_zero());
        let increment = increment.unwrap_or(Increment {
            time: Duration::ZERO,
            from: 1,
        });
        Ok(Clock {
            earlier,
            moves,
            base,
            increment: increment.time,
            increment_from: increment.from,
            delay: self
                .delay
                .filter(|delay| !delay.time().is_zero())
                .unwrap_or(Delay::None),
        })
    }

    /// In stages joined by `:` each has its own increment and delay. This makes them the whole game's, with an
    /// increment that starts at a later move if need be.
    fn take_bonus_of_stages(&mut self) -> Result<(), TimeTextError> {
        let mut from = 1;
        let mut increment = Duration::ZERO;
        for (index, stage) in self.stages.iter().enumerate().filter(|(_, stage)| stage.is_joined) {
            let problem = |what: &str| Err(self.rest.expected_at(stage.bonus_at, what));
            if index > 0 && stage.delay != self.stages[0].delay {
                return problem("the same delay in every stage");
            }
            if increment.is_zero() && !stage.increment.is_zero() {
                let before = self.stages[..index].iter().filter_map(|stage| stage.moves);
                (increment, from) = (stage.increment, 1 + before.sum::<u32>());
            } else if stage.increment != increment {
                return problem("the same increment in every stage, or none in the first ones");
            }
            if u64::from(from) > MOST_MOVES + 1 {
                return problem("the increment to begin by move 1001");
            }
        }
        let delay = self.stages.first().and_then(|stage| stage.delay);
        let at = self.joined_at.unwrap_or_default();
        if !increment.is_zero() {
            self.once(at, self.increment.is_some())?;
            self.increment = Some(Increment { time: increment, from });
        }
        if delay.is_some() {
            self.once(at, self.delay.is_some())?;
            self.delay = delay;
        }
        Ok(())
    }
}

const fn delay(kind: char, time: Duration) -> Delay {
    if kind == 'd' {
        Delay::Simple(time)
    } else {
        Delay::Bronstein(time)
    }
}

/// Merges stages that add no time into others, and drops copies of a last stage that repeats anyway.
fn merged(stages: Vec<(Option<u32>, Duration)>) -> (Vec<ClockStage>, Option<u32>, Duration) {
    let mut kept: Vec<(Option<u32>, Duration)> = Vec::new();
    let count = stages.len();
    for (index, (moves, base)) in stages.into_iter().enumerate() {
        // The last stage repeats; if it adds no time, it lasts for the rest of the game.
        let moves = moves.filter(|_| index + 1 < count || !base.is_zero());
        match kept.last_mut() {
            Some((before, _)) if base.is_zero() => {
                *before = before.zip(moves).map(|(before, moves)| before.saturating_add(moves));
            }
            _ => kept.push((moves, base)),
        }
    }
    let (moves, base) = kept.pop().expect("a clock has a stage");
    while moves.is_some() && kept.last() == Some(&(moves, base)) {
        kept.pop();
    }
    let earlier = kept.into_iter().map(|(moves, base)| ClockStage {
        moves: moves.expect("only the last stage lasts for the rest"),
        base,
    });
    (earlier.collect(), moves, base)
}
