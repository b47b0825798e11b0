//! A broker with its thread, and adapters of it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::{Value, json};
use swissmatch_broker::Broker;
use swissmatch_broker::endpoint::Endpoint;
use swissmatch_broker::ledger::{Ledger, SpendingLimits};
use swissmatch_broker::player::{AnswerSource, BrokerPlayer, Session};
use swissmatch_broker::wire::{BrokerAnswer, Call, CallAnswer, Failure, Message, Reply, Role};

pub(crate) struct Rig {
    pub(crate) broker: Option<Broker>,
    thread: Option<JoinHandle<()>>,
}

impl Rig {
    pub(crate) fn new(endpoint: Endpoint) -> Self {
        Self::with(
            endpoint,
            Ledger::open(None, SpendingLimits::default()).expect("a ledger"),
        )
    }

    pub(crate) fn with(endpoint: Endpoint, ledger: Ledger) -> Self {
        let (broker, work) = Broker::new(vec![endpoint], ledger).expect("a broker");
        Self {
            broker: Some(broker),
            thread: Some(thread::spawn(|| work.run())),
        }
    }

    pub(crate) fn broker(&self) -> &Broker {
        self.broker.as_ref().expect("it is there")
    }

    pub(crate) fn model(&self, name: &str) -> Adapter {
        self.adapter(AnswerSource::Model(0, Box::new(Session::new(name, "m"))))
    }

    pub(crate) fn adapter(&self, source: AnswerSource) -> Adapter {
        let (ours, theirs) = UnixStream::pair().expect("a pair");
        ours.set_read_timeout(Some(Duration::from_secs(20))).expect("a limit");
        let player = self.broker().serve(source, theirs).expect("served");
        Adapter {
            player,
            reader: BufReader::new(ours),
            number: 0,
        }
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        drop(self.broker.take());
        let ended = self.thread.take().expect("once").join();
        assert!(ended.is_ok() || thread::panicking(), "the broker's thread failed");
    }
}

pub(crate) struct Adapter {
    pub(crate) player: Arc<BrokerPlayer>,
    reader: BufReader<UnixStream>,
    number: u64,
}

impl Adapter {
    pub(crate) fn send(&mut self, call: &Value) {
        writeln!(self.reader.get_mut(), "{call}").expect("it is heard");
    }

    /// Sends a call, whose answer is to be read.
    pub(crate) fn begin(&mut self) {
        self.number += 1;
        let content = "Move.".to_owned();
        let call = Call::Model {
            number: self.number,
            messages: vec![Message {
                role: Role::User,
                content,
            }],
            legal: vec!["e2e4".to_owned()],
        };
        self.send(&json!(call));
    }

    pub(crate) fn read(&mut self) -> Result<Reply, (Failure, String)> {
        let mut line = String::new();
        self.reader.read_line(&mut line).expect("an answer");
        let answer: BrokerAnswer = serde_json::from_str(&line).expect("an answer");
        assert_eq!(answer.number, self.number);
        match answer.said {
            CallAnswer::Reply { reply } => Ok(reply),
            CallAnswer::Failed { failed, why } => Err((failed, why)),
        }
    }

    pub(crate) fn ask(&mut self) -> Result<Reply, (Failure, String)> {
        self.begin();
        self.read()
    }

    pub(crate) fn content(&mut self) -> String {
        self.ask().expect("a reply").content
    }
}
