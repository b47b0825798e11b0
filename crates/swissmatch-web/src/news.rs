//! News of an event: the newest state of each subject, numbered in the order in which they came.
//!
//! A reader who has heard everything up to a number is told whatever is newer, and nothing else is kept. A slow reader hears of fewer
//! states, each of them complete. May not: know its readers.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use serde::Serialize;
use tokio::sync::watch;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum About {
    Run,
    Page,
    MiniMatch(String),
    /// The game at a slot, from 0.
    Slot(usize),
}

impl About {
    const fn kind(&self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Page => "page",
            Self::MiniMatch(_) => "match",
            Self::Slot(_) => "game",
        }
    }
}

/// The slots whose games a reader wants to hear of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Slots {
    All,
    These(BTreeSet<usize>),
}

impl Slots {
    /// Reads them as an address has them: `0,3`, or `none`; without a word, all.
    pub(super) fn read(text: Option<&str>) -> Self {
        match text {
            None => Self::All,
            Some(text) => Self::These(text.split(',').filter_map(|slot| slot.parse().ok()).collect()),
        }
    }

    fn has(&self, about: &About) -> bool {
        match (self, about) {
            (Self::These(slots), About::Slot(slot)) => slots.contains(slot),
            _ => true,
        }
    }
}

#[derive(Debug)]
pub(super) struct News {
    kept: Mutex<KeptNews>,
    newest: watch::Sender<u64>,
}

#[derive(Debug)]
struct KeptNews {
    newest: u64,
    by_number: BTreeMap<u64, Piece>,
    number_of: HashMap<About, u64>,
}

#[derive(Debug)]
struct Piece {
    about: About,
    data: String,
    /// As a server-sent event.
    event: Bytes,
}

impl News {
    /// No news yet; what comes is numbered from here. A server that begins later begins with a higher number, so that nobody takes its news
    /// for old.
    pub(super) fn after(number: u64) -> Self {
        Self {
            kept: Mutex::new(KeptNews {
                newest: number,
                by_number: BTreeMap::new(),
                number_of: HashMap::new(),
            }),
            newest: watch::Sender::new(number),
        }
    }

    /// Tells a state, unless it equals the last one told of the same subject.
    ///
    /// # Panics
    /// Never: what is told is plain data.
    pub(super) fn tell(&self, about: About, state: &impl Serialize) {
        let data = serde_json::to_string(state).expect("plain data");
        let mut kept = self.lock();
        if let Some(known) = kept.number_of.get(&about).copied() {
            if kept.by_number.get(&known).is_some_and(|piece| piece.data == data) {
                return;
            }
            kept.by_number.remove(&known);
        }
        kept.newest += 1;
        let number = kept.newest;
        let event = format!("id: {number}\nevent: {}\ndata: {data}\n\n", about.kind());
        kept.number_of.insert(about.clone(), number);
        let event = Bytes::from(event);
        kept.by_number.insert(number, Piece { about, data, event });
        drop(kept);
        self.newest.send_replace(number);
    }

    /// Drops all subjects for which `is_gone` holds.
    pub(super) fn forget(&self, is_gone: impl Fn(&About, u64) -> bool) {
        let kept = &mut *self.lock();
        kept.by_number.retain(|number, piece| !is_gone(&piece.about, *number));
        kept.number_of.retain(|about, number| !is_gone(about, *number));
    }

    pub(super) fn newest(&self) -> u64 {
        self.lock().newest
    }

    pub(super) fn watch(&self) -> watch::Receiver<u64> {
        self.newest.subscribe()
    }

    /// The news after `number` as server-sent events, and the number of the newest.
    pub(super) fn events_after(&self, number: u64, slots: &Slots) -> (u64, Vec<Bytes>) {
        let kept = self.lock();
        let events = kept
            .after(number, slots)
            .map(|(_, piece)| piece.event.clone())
            .collect();
        (kept.newest, events)
    }

    /// The newest state of the game at each slot, as JSON.
    pub(super) fn games(&self) -> Vec<String> {
        let kept = self.lock();
        let of_games = kept.by_number.values();
        let of_games = of_games.filter(|piece| matches!(piece.about, About::Slot(_)));
        of_games.map(|piece| piece.data.clone()).collect()
    }

    /// Like [`News::events_after`], but as JSON.
    pub(super) fn json_after(&self, number: u64, slots: &Slots) -> String {
        let kept = self.lock();
        let mut text = format!("{{\"number\":{},\"news\":[", kept.newest);
        for (place, (_, piece)) in kept.after(number, slots).enumerate() {
            let comma = if place > 0 { "," } else { "" };
            let (kind, data) = (piece.about.kind(), &piece.data);
            let _ = write!(text, "{comma}{{\"type\":\"{kind}\",\"data\":{data}}}");
        }
        text + "]}"
    }

    fn lock(&self) -> MutexGuard<'_, KeptNews> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl KeptNews {
    fn after<'a>(&'a self, number: u64, slots: &'a Slots) -> impl Iterator<Item = (&'a u64, &'a Piece)> {
        let newer = self.by_number.range(number.saturating_add(1)..);
        newer.filter(|(_, piece)| slots.has(&piece.about))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts((newest, events): (u64, Vec<Bytes>)) -> (u64, Vec<String>) {
        let text = |event: Bytes| String::from_utf8(event.to_vec()).expect("text");
        (newest, events.into_iter().map(text).collect())
    }

    #[test]
    fn of_each_thing_the_newest_state_is_told_and_no_other() {
        let news = News::after(10);
        news.tell(About::Slot(0), &1);
        news.tell(About::Slot(3), &2);
        news.tell(About::Slot(0), &3);
        news.tell(About::Slot(0), &3);
        news.tell(About::Run, &"on");
        let all = texts(news.events_after(0, &Slots::All));
        let game = |number, data| format!("id: {number}\nevent: game\ndata: {data}\n\n");
        let run = "id: 14\nevent: run\ndata: \"on\"\n\n".to_owned();
        assert_eq!(all, (14, vec![game(12, 2), game(13, 3), run.clone()]));
        assert_eq!(
            texts(news.events_after(12, &Slots::All)),
            (14, vec![game(13, 3), run.clone()])
        );
        assert_eq!(texts(news.events_after(14, &Slots::All)), (14, Vec::new()));
        assert_eq!(texts(news.events_after(u64::MAX, &Slots::All)), (14, Vec::new()));
        let slots = |text| Slots::read(Some(text));
        assert_eq!(
            texts(news.events_after(0, &slots("3,7,x"))),
            (14, vec![game(12, 2), run.clone()])
        );
        assert_eq!(texts(news.events_after(0, &slots("none"))), (14, vec![run]));
        assert_eq!(
            news.json_after(13, &Slots::read(None)),
            r#"{"number":14,"news":[{"type":"run","data":"on"}]}"#
        );
        news.forget(|about, number| matches!(about, About::Slot(_)) && number <= 12);
        assert_eq!(texts(news.events_after(0, &slots("0,3"))).1.len(), 2);
    }
}
