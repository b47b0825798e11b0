//! Submissions: what entrants handed in, how their trials went, and which submission plays. They have a log of their
//! own, which is the one truth about them.
//!
//! May not: read a file, or look into an archive.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// An entry of the submissions' log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SubmissionEntry {
    /// An archive has come; the log has the time.
    Received(ReceivedArchive),
    /// An archive was looked at and tried.
    Judged(JudgedSubmission),
}

/// An archive that has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceivedArchive {
    /// Its number among all submissions, from 1.
    pub number: u64,
    pub player: String,
    /// The SHA-256 of the archive, in hexadecimal.
    pub archive: String,
    pub bytes: u64,
    /// The name of the file.
    pub file: String,
}

/// The result of trying a submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgedSubmission {
    /// The number of the submission.
    pub number: u64,
    /// The reasons for refusing it, a sentence each; empty if it is accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
    /// The same as others may read it, without words of whoever handed it in; none: as it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub public: Vec<String>,
    /// The SHA-256 of the list of its files with their hashes, in hexadecimal, where it is accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The text that its author may read.
    pub log: Vec<String>,
    /// How long it took, if it is accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<TrialTimes>,
}

/// How long a submission took while it was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialTimes {
    /// Until it had started, in microseconds.
    pub start_us: u64,
    /// Its moves in all games.
    pub moves: u64,
    /// The time of these moves together, in microseconds.
    pub moves_us: u64,
}

/// A submission and its judgement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    pub received: ReceivedArchive,
    /// The time it came.
    pub at: Timestamp,
    /// The judgement and its time; `None` if it is not judged yet.
    pub judged: Option<(JudgedSubmission, Timestamp)>,
}

#[derive(Clone, Debug, Default)]
pub struct Submissions {
    all: Vec<Submission>,
}

/// An entry that does not follow from those before it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SubmissionLogError(String);

impl Submission {
    /// True if it may play.
    pub fn is_accepted(&self) -> bool {
        let judged = self.judged.as_ref();
        judged.is_some_and(|(judged, _)| judged.refused.is_empty())
    }
}

impl Submissions {
    /// Takes the next entry of the log, which was written at `at`.
    ///
    /// # Errors
    /// The entry does not follow from those before it.
    pub fn apply(&mut self, entry: SubmissionEntry, at: Timestamp) -> Result<(), SubmissionLogError> {
        let next = self.next();
        match entry {
            SubmissionEntry::Received(received) if received.number != next => {
                let number = received.number;
                Err(SubmissionLogError(format!(
                    "submission {number} comes where {next} is due"
                )))
            }
            SubmissionEntry::Received(_) if self.all.last().is_some_and(|last| last.at > at) => Err(
                SubmissionLogError(format!("submission {next} came before the one before it")),
            ),
            SubmissionEntry::Received(received) => {
                self.all.push(Submission {
                    received,
                    at,
                    judged: None,
                });
                Ok(())
            }
            SubmissionEntry::Judged(judged) => {
                let number = judged.number;
                let odd = |why: &str| Err(SubmissionLogError(format!("submission {number} is judged, {why}")));
                let mut all = self.all.iter_mut();
                match all.find(|submission| submission.received.number == number) {
                    None => odd("which has not come"),
                    Some(submission) if submission.judged.is_some() => odd("which was judged before"),
                    Some(_) if judged.refused.is_empty() != judged.content.is_some() => {
                        odd("accepted without its content, or refused with it")
                    }
                    Some(submission) => {
                        submission.judged = Some((judged, at));
                        Ok(())
                    }
                }
            }
        }
    }

    /// In the order in which they came.
    pub fn all(&self) -> &[Submission] {
        &self.all
    }

    /// The number of the next submission.
    pub fn next(&self) -> u64 {
        self.all.len() as u64 + 1
    }

    /// The submission that plays for a player: the newest accepted one that came before the lock.
    pub fn plays(&self, player: &str, lock: Option<Timestamp>) -> Option<&Submission> {
        let mut newest = self.all.iter().rev();
        newest.find(|one| one.received.player == player && one.is_accepted() && in_time(one, lock))
    }

    /// Submissions that came before the lock and are not judged yet.
    pub fn waiting(&self, lock: Option<Timestamp>) -> impl Iterator<Item = &Submission> {
        self.all
            .iter()
            .filter(move |one| one.judged.is_none() && in_time(one, lock))
    }

    /// How many of a player's submissions on a day may still count: those accepted, and those not judged yet.
    pub fn of_day(&self, player: &str, is_of_day: impl Fn(Timestamp) -> bool) -> usize {
        let its = self.all.iter().filter(|one| one.received.player == player);
        let counted = its.filter(|one| (one.judged.is_none() || one.is_accepted()) && is_of_day(one.at));
        counted.count()
    }
}

/// "What arrives before `lock` counts."
fn in_time(submission: &Submission, lock: Option<Timestamp>) -> bool {
    lock.is_none_or(|lock| submission.at < lock)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).expect("a time")
    }

    fn received(number: u64, player: &str) -> SubmissionEntry {
        SubmissionEntry::Received(ReceivedArchive {
            number,
            player: player.to_owned(),
            archive: format!("archive {number}"),
            bytes: 1,
            file: "agent.zip".to_owned(),
        })
    }

    fn judged(number: u64, is_accepted: bool) -> SubmissionEntry {
        SubmissionEntry::Judged(JudgedSubmission {
            number,
            refused: (!is_accepted).then(|| "why".to_owned()).into_iter().collect(),
            public: Vec::new(),
            content: is_accepted.then(|| "content".to_owned()),
            log: Vec::new(),
            times: None,
        })
    }

    #[test]
    fn the_newest_accepted_before_the_lock_plays() {
        let mut all = Submissions::default();
        let entries = [
            (received(1, "A"), 10),
            (judged(1, true), 11),
            (received(2, "A"), 20),
            (received(3, "B"), 21),
            (judged(2, false), 22),
            (judged(3, true), 23),
            (received(4, "A"), 30),
            (received(5, "A"), 40),
            (judged(5, true), 41),
        ];
        for (entry, second) in entries {
            all.apply(entry, at(second)).expect("it follows");
        }
        let plays = |player, lock: Option<i64>| all.plays(player, lock.map(at)).map(|one| one.received.number);
        assert_eq!(plays("A", Some(10)), None);
        assert_eq!(plays("A", Some(11)), Some(1));
        // A refused submission leaves the earlier one playing; one that is not judged yet is waited for.
        assert_eq!(plays("A", Some(40)), Some(1));
        assert_eq!(plays("A", None), Some(5));
        assert_eq!(plays("B", Some(40)), Some(3));
        let waiting = |lock: i64| all.waiting(Some(at(lock))).count();
        assert_eq!((waiting(30), waiting(31)), (0, 1));
        // The refused one does not count, the waiting one does.
        assert_eq!(all.of_day("A", |_| true), 3);
    }

    #[test]
    fn what_does_not_follow_is_refused() {
        let mut all = Submissions::default();
        all.apply(received(1, "A"), at(10)).expect("it follows");
        for entry in [received(1, "A"), received(3, "A"), judged(2, true)] {
            all.apply(entry, at(11)).expect_err("it does not follow");
        }
        all.apply(received(2, "A"), at(9)).expect_err("time goes on");
        all.apply(judged(1, true), at(12)).expect("it follows");
        all.apply(judged(1, false), at(13)).expect_err("once is enough");
    }
}
