//! A listener of the gallery: how lines reach it, and how it shows that it takes none.
//!
//! May not: wait.

use std::borrow::Cow;
use std::io::{self, Read as _};
use std::os::unix::net::UnixStream;
use std::sync::OnceLock;
use std::sync::mpsc::{SyncSender, TrySendError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use rustix::net::SendFlags;

use jiff::Timestamp;
use swissmatch_game::record::GameId;
use swissmatch_game::seen::Columns;
use swissmatch_tournament::live::{LiveColumns, LiveLine};

/// The bytes of lines that the kernel holds for a listener by the socket.
const HELD: usize = 64 << 10;

/// How many reads of a listener's own words there are before it is let go.
const HEARD_OUT: usize = 256;

/// A line, turned into text when first needed. Of a game, each listener is given the plies that it has not had.
pub(super) struct GalleryLine {
    line: LiveLine,
    columns: Columns,
    text: OnceLock<Vec<u8>>,
}

impl GalleryLine {
    pub(super) const fn new(line: LiveLine, columns: Columns) -> Self {
        Self {
            line,
            columns,
            text: OnceLock::new(),
        }
    }

    /// The line for a listener that has had this much.
    fn typed(&self, had: &mut Had) -> LiveLine {
        let mut line = self.line.clone();
        if let LiveLine::Game(game) = &mut line {
            game.columns = had.rest(game.id, game.begun, &self.columns);
        }
        line
    }

    /// Like [`Self::typed`], as text.
    fn text(&self, had: &mut Had) -> Cow<'_, [u8]> {
        let whole = self.text.get_or_init(|| text(&self.line));
        let columns = match &self.line {
            LiveLine::Game(game) => had.rest(game.id, game.begun, &self.columns),
            _ => None,
        };
        let (Some(columns), Some(open)) = (columns, whole.strip_suffix(b"}\n")) else {
            return Cow::Borrowed(whole);
        };
        let columns = serde_json::to_vec(&columns).expect("plain data");
        Cow::Owned([open, &b",\"columns\":"[..], &columns[..], &b"}\n"[..]].concat())
    }
}

/// The game at a slot that a listener was last told about, and how many of its plies it has had.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Had {
    game: Option<(GameId, Timestamp)>,
    plies: usize,
}

impl Had {
    /// The plies after those, which from now on count as had.
    fn rest(&mut self, id: GameId, begun: Timestamp, columns: &Columns) -> Option<LiveColumns> {
        if self.game != Some((id, begun)) {
            (self.game, self.plies) = (Some((id, begun)), 0);
        }
        let rest = LiveColumns::after(columns, self.plies);
        self.plies = columns.plies().max(self.plies);
        rest
    }
}

fn text(line: &LiveLine) -> Vec<u8> {
    let mut text = serde_json::to_vec(line).expect("plain data");
    text.push(b'\n');
    text
}

/// How lines reach a listener.
pub(super) enum Ear {
    /// Within this process.
    Here(SyncSender<LiveLine>),
    /// By the socket.
    There {
        stream: UnixStream,
        /// The rest of a line, and since when nothing of it has been taken.
        left: Vec<u8>,
        since: Instant,
        /// How long that may last.
        patience: Duration,
    },
}

impl Ear {
    /// A listener by this connection, if the connection can be used. One that takes nothing for longer than `patience`
    /// counts as gone.
    pub(super) fn there(stream: UnixStream, patience: Duration) -> Option<Self> {
        stream.set_nonblocking(true).ok()?;
        rustix::net::sockopt::set_socket_send_buffer_size(&stream, HELD).ok()?;
        Some(Self::There {
            stream,
            left: Vec::new(),
            since: Instant::now(),
            patience,
        })
    }
}

/// What happened to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineDelivery {
    All,
    /// Nothing more is taken for now.
    Full,
    /// The listener has gone, or takes nothing.
    Gone,
}

pub(super) struct Listener {
    ear: Ear,
    /// The bill that it has heard, and for each slot the line of each kind.
    pub(super) bill: u64,
    pub(super) heard: Vec<[u64; 2]>,
    /// What it has had of the game at each slot.
    had: Vec<Had>,
    /// There is more than it has taken.
    pub(super) owed: bool,
}

impl Listener {
    pub(super) fn new(ear: Ear, heard: Vec<[u64; 2]>) -> Self {
        Self {
            ear,
            bill: 0,
            had: vec![Had::default(); heard.len()],
            heard,
            owed: true,
        }
    }

    /// True if it listens by the socket.
    pub(super) const fn is_far(&self) -> bool {
        matches!(self.ear, Ear::There { .. })
    }

    /// True if it listens by the socket and has not taken everything.
    pub(super) const fn is_owed(&self) -> bool {
        match &self.ear {
            Ear::Here(_) => false,
            Ear::There { left, .. } => self.owed || !left.is_empty(),
        }
    }

    /// What to wait for: that it goes, and that it takes more.
    pub(super) fn polled(&self) -> Option<PollFd<'_>> {
        match &self.ear {
            Ear::Here(_) => None,
            Ear::There { stream, left, .. } => {
                let flags = if left.is_empty() {
                    PollFlags::empty()
                } else {
                    PollFlags::OUT
                };
                Some(PollFd::new(stream, flags))
            }
        }
    }

    /// Reads what it said: if the connection is closed with that unread, it breaks off instead of ending.
    pub(super) fn hear_out(&self) {
        let Ear::There { stream, .. } = &self.ear else { return };
        let mut said = [0_u8; 4096];
        for _ in 0..HEARD_OUT {
            if !matches!((&*stream).read(&mut said), Ok(1..)) {
                break;
            }
        }
    }

    /// Sends the rest of a line; a listener that has taken nothing of it for too long counts as gone.
    pub(super) fn flush(&mut self) -> LineDelivery {
        let Ear::There {
            stream,
            left,
            since,
            patience,
        } = &mut self.ear
        else {
            return LineDelivery::All;
        };
        if has_hung_up(stream) {
            return LineDelivery::Gone;
        }
        if left.is_empty() {
            return LineDelivery::All;
        }
        match send(stream, left) {
            Err(_) => LineDelivery::Gone,
            Ok(0) if since.elapsed() > *patience => LineDelivery::Gone,
            Ok(0) => LineDelivery::Full,
            Ok(sent) => {
                left.drain(..sent);
                *since = Instant::now();
                if left.is_empty() {
                    LineDelivery::All
                } else {
                    LineDelivery::Full
                }
            }
        }
    }

    /// Sends the line of the event.
    pub(super) fn take(&mut self, line: &GalleryLine) -> LineDelivery {
        self.ear.take(line, &mut Had::default())
    }

    /// Sends a line about the game at a slot.
    pub(super) fn take_game(&mut self, slot: usize, line: &GalleryLine) -> LineDelivery {
        let mut had = self.had[slot];
        let taken = self.ear.take(line, &mut had);
        if taken == LineDelivery::All {
            self.had[slot] = had;
        }
        taken
    }
}

impl Ear {
    fn take(&mut self, line: &GalleryLine, had: &mut Had) -> LineDelivery {
        match self {
            Self::Here(there) => match there.try_send(line.typed(had)) {
                Ok(()) => LineDelivery::All,
                Err(TrySendError::Full(_)) => LineDelivery::Full,
                Err(TrySendError::Disconnected(_)) => LineDelivery::Gone,
            },
            Self::There { left, .. } if !left.is_empty() => LineDelivery::Full,
            Self::There {
                stream, left, since, ..
            } => {
                let text = line.text(had);
                match send(stream, &text) {
                    Err(_) => LineDelivery::Gone,
                    Ok(sent) => {
                        left.extend_from_slice(&text[sent..]);
                        *since = Instant::now();
                        LineDelivery::All
                    }
                }
            }
        }
    }
}

/// Tells a listener why it is turned away, as far as it takes that.
pub(super) fn refuse(stream: &UnixStream, why: String) {
    let _ = send(stream, &text(&LiveLine::refused(why)));
}

/// How many bytes are taken right now.
fn send(stream: &UnixStream, text: &[u8]) -> io::Result<usize> {
    match rustix::net::send(stream, text, SendFlags::DONTWAIT | SendFlags::NOSIGNAL) {
        Ok(sent) => Ok(sent),
        Err(Errno::AGAIN | Errno::INTR) => Ok(0),
        Err(error) => Err(error.into()),
    }
}

/// True if the other side has closed. If it only says nothing more it may listen on.
fn has_hung_up(stream: &UnixStream) -> bool {
    let mut polled = [PollFd::new(stream, PollFlags::empty())];
    let now = rustix::event::Timespec { tv_sec: 0, tv_nsec: 0 };
    let _ = rustix::event::poll(&mut polled, Some(&now));
    polled[0].revents().intersects(PollFlags::HUP | PollFlags::ERR)
}
