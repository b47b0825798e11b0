//! Serves an adapter: reads its calls, and answers them one at a time.

use std::io;
use std::sync::Arc;

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::OwnedReadHalf;

use super::call;
use super::player::BrokerPlayer;
use super::shared::BrokerState;
use super::wire::{BrokerAnswer, Call, CallAnswer, Failure, LONGEST_LINE, Reply};

/// Serves until the adapter is gone or breaks the protocol.
pub(crate) async fn serve(shared: Arc<BrokerState>, player: Arc<BrokerPlayer>, stream: UnixStream) {
    let (reading, mut writing) = stream.into_split();
    let mut reading = Calls {
        reading: BufReader::new(reading),
        begun: Vec::new(),
    };
    let mut waiting = None;
    loop {
        let call = match waiting.take() {
            Some(call) => call,
            None => match reading.next().await {
                Ok(Some(call)) => call,
                Ok(None) | Err(_) => return,
            },
        };
        let number = match &call {
            Call::Model { number, .. } | Call::Move { number, .. } => *number,
            Call::Stop => continue,
        };
        let said = {
            // It is over when all of the call is.
            let mut open = player.open();
            tokio::select! {
                said = call::answer(&shared, &player, call) => said,
                () = open.hung_up() => CallAnswer::Failed {
                    failed: Failure::Late,
                    why: "nobody waits for the answer any more".to_owned(),
                },
                // Anything that comes meanwhile can only be a hang-up, or a call that takes the place of this one.
                // The call ends when it is dropped.
                heard = reading.next() => match heard {
                    Ok(Some(call)) => {
                        waiting = Some(call);
                        continue;
                    }
                    Ok(None) | Err(_) => return,
                },
            }
        };
        if writing.write_all(&line(BrokerAnswer { number, said })).await.is_err() {
            return;
        }
    }
}

/// The calls of an adapter. The part of a line that has come is kept if the wait for the rest is given up.
struct Calls {
    reading: BufReader<OwnedReadHalf>,
    begun: Vec<u8>,
}

impl Calls {
    /// The next call; `None` at the end.
    async fn next(&mut self) -> io::Result<Option<Call>> {
        loop {
            let came = self.reading.fill_buf().await?;
            if came.is_empty() {
                return Ok(None);
            }
            let end = came.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(came.len(), |end| end + 1);
            self.begun.extend_from_slice(&came[..taken]);
            self.reading.consume(taken);
            if self.begun.len() > LONGEST_LINE {
                return Err(io::Error::from(io::ErrorKind::InvalidData));
            }
            if end.is_some() {
                return Ok(Some(serde_json::from_slice(&std::mem::take(&mut self.begun))?));
            }
        }
    }
}

/// An answer as a line; the part that makes it too long is left out.
fn line(answer: BrokerAnswer) -> Vec<u8> {
    let write = |answer: &BrokerAnswer| {
        let mut line = serde_json::to_vec(answer).unwrap_or_default();
        line.push(b'\n');
        line
    };
    let whole = write(&answer);
    if whole.len() <= LONGEST_LINE {
        return whole;
    }
    let number = answer.number;
    if let CallAnswer::Reply { reply } = answer.said {
        let reply = Reply {
            reasoning: None,
            ..reply
        };
        let without = write(&BrokerAnswer {
            number,
            said: CallAnswer::Reply { reply },
        });
        if without.len() <= LONGEST_LINE {
            return without;
        }
    }
    let why = "the answer is longer than any may be".to_owned();
    write(&BrokerAnswer {
        number,
        said: CallAnswer::Failed {
            failed: Failure::Truncated,
            why,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_never_longer_than_it_may_be() {
        let long = || "x".repeat(LONGEST_LINE);
        let said = |reply| {
            String::from_utf8(line(BrokerAnswer {
                number: 1,
                said: CallAnswer::Reply { reply },
            }))
            .expect("text")
        };
        let reply = Reply {
            content: "e2e4".to_owned(),
            reasoning: Some(long()),
            ..Reply::default()
        };
        assert_eq!(
            said(reply),
            "{\"number\":1,\"reply\":{\"content\":\"e2e4\",\"reasoning\":null,\"finish\":\"\",\"refusal\":null}}\n"
        );
        let reply = Reply {
            content: long(),
            ..Reply::default()
        };
        assert!(said(reply).contains("\"failed\":\"truncated\""));
    }
}
