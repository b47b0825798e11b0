//! One who listens: how lines reach them, and how it shows that they take none.
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

/// Bytes of lines that the kernel holds for one who listens by the socket.
const HELD: usize = 64 << 10;

/// Reads of what was said by one who should only listen, before they are let go.
const HEARD_OUT: usize = 256;

/// A line; as text where anybody needs that. Of a game each listener is given the plies that they have not had.
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

    /// For one who knows what was told before.
    fn typed(&self, had: &mut Had) -> LiveLine {
        let mut line = self.line.clone();
        if let LiveLine::Game(game) = &mut line {
            game.columns = had.rest(game.id, game.begun, &self.columns);
        }
        line
    }

    /// The same as text.
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

/// The game at a slot of which somebody was told last, and how many plies of it they have had.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Had {
    game: Option<(GameId, Timestamp)>,
    plies: usize,
}

impl Had {
    /// What comes after that, which they have had from now on.
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

/// How a line reaches them.
pub(super) enum Ear {
    /// In this process.
    Here(SyncSender<LiveLine>),
    /// By the socket.
    There {
        stream: UnixStream,
        /// What is left of a line, and since when nothing of it was taken.
        left: Vec<u8>,
        since: Instant,
        /// How long that may be so.
        patience: Duration,
    },
}

impl Ear {
    /// By this connection, where it can be used; one who has taken nothing for longer than `patience` has gone.
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

/// What became of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineDelivery {
    /// It was taken.
    All,
    /// Nothing more is taken for now.
    Full,
    /// The listener has gone, or takes nothing.
    Gone,
}

/// One who listens.
pub(super) struct Listener {
    ear: Ear,
    /// Which bill they have heard, and which line of each kind of each slot.
    pub(super) bill: u64,
    pub(super) heard: Vec<[u64; 2]>,
    /// What they have had of the game at each slot.
    had: Vec<Had>,
    /// Whether there is more than they have taken.
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

    /// Whether they listen by the socket.
    pub(super) const fn is_far(&self) -> bool {
        matches!(self.ear, Ear::There { .. })
    }

    /// Whether one who listens by the socket has not taken all.
    pub(super) const fn is_owed(&self) -> bool {
        match &self.ear {
            Ear::Here(_) => false,
            Ear::There { left, .. } => self.owed || !left.is_empty(),
        }
    }

    /// What is waited for: that they go, and that they take more.
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

    /// Hears what was said and not heard: closed with that unread, the connection would break off instead of ending.
    pub(super) fn hear_out(&self) {
        let Ear::There { stream, .. } = &self.ear else { return };
        let mut said = [0_u8; 4096];
        for _ in 0..HEARD_OUT {
            if !matches!((&*stream).read(&mut said), Ok(1..)) {
                break;
            }
        }
    }

    /// Gives what is left of a line; one who has taken nothing of it for too long has gone.
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

    /// Gives the line of the event.
    pub(super) fn take(&mut self, line: &GalleryLine) -> LineDelivery {
        self.ear.take(line, &mut Had::default())
    }

    /// Gives a line about the game at a slot.
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

/// Says why somebody is turned away, as far as they take it.
pub(super) fn refuse(stream: &UnixStream, why: String) {
    let _ = send(stream, &text(&LiveLine::refused(why)));
}

/// How much of it is taken just now.
fn send(stream: &UnixStream, text: &[u8]) -> io::Result<usize> {
    match rustix::net::send(stream, text, SendFlags::DONTWAIT | SendFlags::NOSIGNAL) {
        Ok(sent) => Ok(sent),
        Err(Errno::AGAIN | Errno::INTR) => Ok(0),
        Err(error) => Err(error.into()),
    }
}

/// Whether the other side has closed; where it only says nothing more it may listen on.
fn has_hung_up(stream: &UnixStream) -> bool {
    let mut polled = [PollFd::new(stream, PollFlags::empty())];
    let now = rustix::event::Timespec { tv_sec: 0, tv_nsec: 0 };
    let _ = rustix::event::poll(&mut polled, Some(&now));
    polled[0].revents().intersects(PollFlags::HUP | PollFlags::ERR)
}
