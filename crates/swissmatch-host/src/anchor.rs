//! Lines on their way to anchors. Each anchor has its own thread and bounded queue, so that nothing waits for an
//! anchor, and no anchor for another.
//!
//! A line that was not taken is sent again, with growing pauses, before the next one. May not: know what a line says.

mod target;

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use swiss_system::count;

use super::threads;
pub use target::AnchorTarget;

/// The most lines that wait for one anchor. The oldest gives way; every newer line says as much.
const MOST_WAITING: usize = 1024;
/// The pause after a failure, which doubles up to the second value.
const PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_mins(1);
/// At the end: how long each anchor may take for the remaining lines, and the pause after a failure then.
const GRACE: Duration = Duration::from_secs(5);
const LAST_PAUSE: Duration = Duration::from_millis(500);
/// How much longer to wait for an anchor in the middle of a line.
const LAST_WAIT: Duration = Duration::from_secs(1);

/// News about an anchor.
#[derive(Debug, PartialEq, Eq)]
pub enum DeliveryStatus {
    /// It does not take lines.
    Failed(String),
    /// It takes them again.
    Right(String),
}

/// Anchors that are given lines. When dropped, it gives up the remaining lines.
#[derive(Debug)]
pub struct Anchoring {
    anchors: Vec<AnchorThread>,
    told: Receiver<DeliveryStatus>,
}

/// The thread of an anchor, seen from outside.
#[derive(Debug)]
struct AnchorThread {
    name: String,
    queue: Arc<Queue>,
    /// At its end, what was not delivered.
    ended: Receiver<Result<(), String>>,
}

/// Lines that wait for an anchor.
#[derive(Debug, Default)]
struct Queue {
    waiting: Mutex<QueuedLines>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct QueuedLines {
    lines: VecDeque<String>,
    /// How many lines have left the queue at its head.
    left: u64,
    /// How many of them were not delivered.
    dropped: u64,
    /// Once set, no more lines come, and the remaining ones have until then.
    until: Option<Instant>,
}

impl Anchoring {
    /// Starts a thread for each anchor.
    ///
    /// # Errors
    /// The machine has no thread for it.
    pub fn start(targets: Vec<AnchorTarget>) -> io::Result<Self> {
        let (says, told) = mpsc::channel();
        let mut anchoring = Self {
            anchors: Vec::new(),
            told,
        };
        for target in targets {
            anchoring.anchors.push(AnchorThread::start(target, says.clone())?);
        }
        Ok(anchoring)
    }

    /// Hands a line to each anchor.
    pub fn publish(&self, line: &str) {
        for anchor in &self.anchors {
            anchor.queue.put(line.to_owned());
        }
    }

    /// The news since the last call.
    pub fn told(&self) -> impl Iterator<Item = DeliveryStatus> {
        self.told.try_iter()
    }

    /// Lets each anchor deliver the remaining lines, for some seconds.
    ///
    /// # Errors
    /// What was not delivered, a sentence for each anchor.
    pub fn finish(self) -> Result<(), Vec<String>> {
        let until = Instant::now() + GRACE;
        self.anchors.iter().for_each(|anchor| anchor.queue.close(until));
        let failed: Vec<String> = self
            .anchors
            .iter()
            .filter_map(|anchor| anchor.end(until).err())
            .collect();
        match failed.is_empty() {
            true => Ok(()),
            false => Err(failed),
        }
    }
}

impl Drop for Anchoring {
    fn drop(&mut self) {
        let now = Instant::now();
        self.anchors.iter().for_each(|anchor| anchor.queue.close(now));
    }
}

impl AnchorThread {
    fn start(target: AnchorTarget, says: Sender<DeliveryStatus>) -> io::Result<Self> {
        let (name, queue) = (target.to_string(), Arc::new(Queue::default()));
        let (ends, ended) = mpsc::channel();
        let of_thread = Arc::clone(&queue);
        threads::start("anchor", move || {
            // Nobody may be left to hear this.
            let _ = ends.send(deliver(&target, &of_thread, &says));
        })?;
        Ok(Self { name, queue, ended })
    }

    /// Waits for the end of the thread.
    fn end(&self, until: Instant) -> Result<(), String> {
        let patience = until.saturating_duration_since(Instant::now()) + LAST_WAIT;
        match self.ended.recv_timeout(patience) {
            Ok(ended) => ended,
            Err(RecvTimeoutError::Timeout) => Err(undelivered(&self.name, &self.queue.lock(), "it has not answered")),
            Err(RecvTimeoutError::Disconnected) => {
                Err(undelivered(&self.name, &self.queue.lock(), "its thread failed"))
            }
        }
    }
}

/// The sentence about lines that remain at the end.
fn undelivered(name: &str, waiting: &QueuedLines, why: &str) -> String {
    let left = count::of(waiting.lines.len(), "line was", "lines were");
    format!("anchor {name}: {left} not delivered: {why}")
}

/// The thread's work: delivers line by line until no more come.
fn deliver(target: &AnchorTarget, queue: &Queue, says: &Sender<DeliveryStatus>) -> Result<(), String> {
    let (mut is_in_trouble, mut pause) = (false, PAUSE);
    while let Some((number, line)) = queue.next() {
        match target.deliver(&line, &|| queue.lock().until) {
            Ok(()) => {
                let dropped = queue.is_delivered(number);
                if is_in_trouble {
                    // Nobody may be left to hear this.
                    let _ = says.send(DeliveryStatus::Right(is_right_again(target, dropped)));
                }
                (is_in_trouble, pause) = (false, PAUSE);
            }
            Err(why) => {
                if !is_in_trouble {
                    let _ = says.send(DeliveryStatus::Failed(format!(
                        "anchor {target}: {why}; play goes on, and the line is tried again"
                    )));
                }
                is_in_trouble = true;
                if !queue.pause(pause) {
                    return Err(undelivered(&target.to_string(), &queue.lock(), &why));
                }
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
        }
    }
    Ok(())
}

fn is_right_again(target: &AnchorTarget, dropped: u64) -> String {
    let lost = match dropped {
        0 => String::new(),
        dropped => format!(
            "; {} left out, which the newer ones cover",
            count::of(dropped, "older line was", "older lines were")
        ),
    };
    format!("anchor {target}: it takes lines again{lost}")
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, QueuedLines> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, line: String) {
        let mut waiting = self.lock();
        if waiting.lines.len() == MOST_WAITING {
            waiting.lines.pop_front();
            waiting.left += 1;
            waiting.dropped += 1;
        }
        waiting.lines.push_back(line);
        self.changed.notify_all();
    }

    fn close(&self, until: Instant) {
        // The first deadline counts.
        self.lock().until.get_or_insert(until);
        self.changed.notify_all();
    }

    /// Waits for a line, which stays at the head of the queue; `None` when no more come.
    fn next(&self) -> Option<(u64, String)> {
        let has_nothing = |waiting: &mut QueuedLines| waiting.lines.is_empty() && waiting.until.is_none();
        let waiting = self.changed.wait_while(self.lock(), has_nothing);
        let waiting = waiting.unwrap_or_else(PoisonError::into_inner);
        waiting.lines.front().map(|line| (waiting.left, line.clone()))
    }

    /// Takes out a delivered line unless it has given way meanwhile. Returns how many have given way since the last
    /// call.
    fn is_delivered(&self, number: u64) -> u64 {
        let mut waiting = self.lock();
        if waiting.left == number {
            waiting.lines.pop_front();
            waiting.left += 1;
        }
        std::mem::take(&mut waiting.dropped)
    }

    /// Waits before the next attempt. Once no more lines come the wait is short, and in the end there is none.
    fn pause(&self, pause: Duration) -> bool {
        let waiting = self.lock();
        let (waiting, _) = self
            .changed
            .wait_timeout_while(waiting, pause, |waiting| waiting.until.is_none())
            .unwrap_or_else(PoisonError::into_inner);
        let Some(until) = waiting.until else { return true };
        drop(waiting);
        let left = until.saturating_duration_since(Instant::now());
        std::thread::sleep(left.min(LAST_PAUSE));
        left > LAST_PAUSE
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn told(anchoring: &Anchoring) -> DeliveryStatus {
        anchoring
            .told
            .recv_timeout(Duration::from_secs(20))
            .expect("it says something")
    }

    #[test]
    fn lines_come_in_order_also_after_a_failure() {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().join("later/anchors");
        let anchoring = Anchoring::start(vec![AnchorTarget::File(path.clone())]).expect("a thread");
        ["1", "2", "3"].into_iter().for_each(|line| anchoring.publish(line));
        let DeliveryStatus::Failed(why) = told(&anchoring) else {
            panic!("it cannot be written yet")
        };
        assert!(why.contains("anchors") && why.contains("play goes on"), "{why}");
        fs::create_dir(place.path().join("later")).expect("a directory");
        assert!(matches!(told(&anchoring), DeliveryStatus::Right(_)));
        anchoring.publish("4");
        anchoring.finish().expect("all is delivered");
        assert_eq!(fs::read_to_string(path).expect("the lines"), "1\n2\n3\n4\n");
    }

    #[test]
    fn what_is_left_at_the_end_is_counted_and_nobody_waits_long() {
        let place = tempfile::tempdir().expect("a directory");
        let (good, bad) = (place.path().join("good"), place.path().join("none/bad"));
        let anchoring =
            Anchoring::start(vec![AnchorTarget::File(bad), AnchorTarget::File(good.clone())]).expect("threads");
        ["1", "2"].into_iter().for_each(|line| anchoring.publish(line));
        let begun = Instant::now();
        let failed = anchoring.finish().expect_err("one cannot be written");
        assert!(begun.elapsed() < GRACE + LAST_WAIT, "{:?}", begun.elapsed());
        assert_eq!(failed.len(), 1);
        assert!(failed[0].contains("none/bad: 2 lines were not delivered"), "{failed:?}");
        assert_eq!(fs::read_to_string(good).expect("the lines"), "1\n2\n");
    }

    #[test]
    fn the_oldest_line_gives_way() {
        let queue = Queue::default();
        for line in 0..MOST_WAITING + 2 {
            queue.put(line.to_string());
        }
        let (number, line) = queue.next().expect("a line");
        assert_eq!((number, line.as_str()), (2, "2"));
        // One line gives way while it is being delivered.
        queue.put("x".to_owned());
        assert_eq!(queue.is_delivered(number), 3);
        assert_eq!(queue.next().expect("a line").1, "3");
    }
}
