//! The kinds of misbehaviour.

/// When a fault shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// At the `go` chosen by `--at` or `--every`.
    AtGo,
    /// At the start or in the handshake, or all the time.
    Always,
}

macro_rules! kinds {
    ($($variant:ident $name:literal $when:ident $help:literal,)*) => {
        /// A way to misbehave.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Kind {
            $(#[doc = $help] $variant,)*
        }

        impl Kind {
            /// All kinds in the order of the help.
            pub(super) const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The name on the command line.
            pub(super) const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// A line on what it does.
            pub(super) const fn help(self) -> &'static str {
                match self {
                    $(Self::$variant => $help,)*
                }
            }

            /// When it shows.
            pub(super) const fn when(self) -> When {
                match self {
                    $(Self::$variant => When::$when,)*
                }
            }
        }
    };
}

kinds! {
    Stall "stall" AtGo "does not answer the go until 80 ms after it is told to stop",
    StallHard "stall-hard" AtGo "never answers again, ignores stop, quit and isready",
    Late "late" AtGo "answers after --ms, ignoring stop until then",
    LateAfterStop "late-after-stop" AtGo "answers --ms after the stop",
    Illegal "illegal" AtGo "answers with an illegal move in good spelling (a1a1)",
    IllegalThenThink "illegal-then-think" AtGo "answers with an illegal move, takes --ms to be ready again, then answers at once",
    Malformed "malformed" AtGo "answers bestmove xyzzy",
    None "none" AtGo "answers bestmove (none)",
    Null "null" AtGo "answers bestmove 0000",
    Empty "empty" AtGo "answers bestmove without a move",
    Twice "twice" AtGo "answers twice in a single write",
    TwiceLate "twice-late" AtGo "answers again 20 ms later",
    Uppercase "uppercase" AtGo "answers in capitals (bestmove E2E4)",
    NoNewline "no-newline" AtGo "answers without the final newline, then only heeds quit",
    FloodLines "flood-lines" AtGo "writes info lines for ever, never answers, ignores all commands",
    FloodLinesAnswer "flood-lines-answer" AtGo "writes 20 MB of info lines, then answers",
    FloodBytes "flood-bytes" AtGo "writes bytes without newline for ever, ignores all commands",
    FloodStderr "flood-stderr" AtGo "writes 100 MB to its error output, then answers",
    Alarm "alarm" AtGo "writes a line to its error output, --text, then answers",
    HugeLine "huge-line" AtGo "writes one line of 200 MB, then answers",
    Drip "drip" AtGo "writes an info line every 50 ms, never answers; heeds isready and quit",
    WrongInfo "wrong-info" AtGo "writes info with impossible values, then answers",
    Exit "exit" AtGo "exits with code 3",
    ExitZero "exit-zero" AtGo "exits with code 0",
    Abort "abort" AtGo "ends by SIGABRT",
    CloseStdout "close-stdout" AtGo "closes its output but stays alive",
    CloseStdin "close-stdin" AtGo "closes its input but stays alive",
    IgnoreStopQuit "ignore-stop-quit" AtGo "never answers, ignores stop, quit and end of input; heeds isready",
    ForkSetsid "fork-setsid" AtGo "leaves an orphan in a session of its own, plays on",
    ForkKeepStdout "fork-keep-stdout" AtGo "leaves a child that keeps the output open, plays on",
    TakeMemory "take-memory" AtGo "takes 300 MB of memory for two seconds, then answers",
    TakeUnmapped "take-unmapped" AtGo "takes 300 MB of memory that it does not map for two seconds, then answers",
    TakeHidden "take-hidden" AtGo "takes 300 MB of memory that it does not map for two seconds, and asks that nobody may look at it; then answers",
    TakeShared "take-shared" AtGo "takes 300 MB of shared memory without a name and has the kernel show none of it for two seconds, then answers",
    TakeTables "take-tables" AtGo "makes the kernel keep 300 MB of page tables for two seconds, then answers",
    TakeSockets "take-sockets" AtGo "fills 600 sockets for two seconds, then answers",
    TakeNames "take-names" AtGo "makes 50,000 files without content in /tmp for two seconds, then answers",
    TakePipes "take-pipes" AtGo "makes 1500 pipes for two seconds, then answers",
    TakeWatches "take-watches" AtGo "has the kernel watch descriptors for it 40,000 times (epoll), of some millions that it has for all for two seconds, then answers",
    TakeThreads "take-threads" AtGo "starts 300 threads for two seconds, then answers",
    TakeDisk "take-disk" AtGo "writes 300 MB to disk where it works, then answers",
    TakeDiskUnnamed "take-disk-unnamed" AtGo "has short processes, which nobody buries where it was started with SIGCHLD ignored, write 300 MB to a file without a name for two seconds, then answers",
    TakeDiskAtOnce "take-disk-at-once" AtGo "asks for 300 MB of disk at once (fallocate), and answers if that is not to be had",
    BurnLate "burn-late" AtGo "burns eight more threads from then on, and works for --ms before it answers",
    Burn "burn" Always "burns eight threads all the time, plays well",
    BurnHidden "burn-hidden" Always "burns in short processes all the time, those of --lines threads one after the other, which nobody buries where it was started with SIGCHLD ignored; works for --ms of its own processor time before it answers",
    Sleep "sleep" Always "takes --ms for every move, deaf meanwhile",
    FillStdin "fill-stdin" Always "fills its own input after every answer, and reads on --ms later",
    IgnoreQuit "ignore-quit" Always "plays well but ignores quit and end of input",
    SlowUciok "slow-uciok" Always "takes --ms to say uciok",
    NoUciok "no-uciok" Always "never says uciok",
    NoReadyok "no-readyok" Always "never says readyok",
    NoReadyokAtNewgame "no-readyok-at-newgame" Always "never says readyok once it was told ucinewgame",
    NeverRead "never-read" Always "reads nothing after its first readyok",
    SpeaksEarly "speaks-early" Always "says bestmove, readyok and info unasked, at its start and after every answer",
    ManyOptions "many-options" Always "declares 2000 UCI options",
    EvilName "evil-name" Always "has control characters, markup and broken UTF-8 in its name",
    GarbageStart "garbage-start" Always "writes garbage at its start and 1 MB of options before uciok",
    SlowNewgame "slow-newgame" Always "takes --ms to say readyok once it was told ucinewgame",
    ExitAtStart "exit-at-start" Always "exits with code 1 at once",
    Crlf "crlf" Always "ends lines with CRLF and begins them with blanks and tabs",
}

impl Kind {
    /// The kind of that name.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// The milliseconds meant when `--ms` is not given.
    pub(super) const fn default_ms(self) -> u64 {
        match self {
            Self::SlowUciok => 5_000,
            Self::BurnHidden => 0,
            Self::Sleep | Self::FillStdin => 100,
            _ => 1_000,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for kind in Kind::ALL {
            assert_eq!(Kind::from_name(kind.name()), Some(*kind));
        }
    }
}
