//! An agent at the other end of two pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than anything here takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running agent, killed when it goes out of scope.
pub struct Agent {
    pub child: Child,
    input: Option<ChildStdin>,
    pub lines: Receiver<String>,
}

impl Agent {
    /// Starts a program.
    pub fn start(program: &str, arguments: &[&str]) -> Self {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the agent starts");
        let input = child.stdin.take();
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            let mut bytes = Vec::new();
            while matches!(output.read_until(b'\n', &mut bytes), Ok(count) if count > 0) {
                let line = String::from_utf8_lossy(&bytes).trim().to_owned();
                if sender.send(line).is_err() {
                    break;
                }
                bytes.clear();
            }
        });
        Self { child, input, lines }
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        let input = self.input.as_mut().expect("the input is open");
        writeln!(input, "{line}").expect("the agent reads");
    }

    /// Closes the agent's input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits for a line that begins so and gives all lines up to it.
    pub fn read_until(&self, beginning: &str) -> Vec<String> {
        let mut seen = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => seen.push(line),
                Err(error) => panic!("no {beginning}: {error}; heard {seen:?}"),
            }
            if seen.last().is_some_and(|line| line.starts_with(beginning)) {
                return seen;
            }
        }
    }

    /// Whether the agent says nothing for so long.
    pub fn is_silent_for(&self, time: Duration) -> bool {
        self.lines.recv_timeout(time).is_err()
    }

    /// Does the handshake and gives what was said in it.
    pub fn greet(&mut self) -> Vec<String> {
        self.send("uci");
        let said = self.read_until("uciok");
        self.send("isready");
        self.read_until("readyok");
        said
    }

    /// Asks for a move and gives it.
    pub fn ask(&mut self, position: &str, go: &str) -> String {
        self.send(&format!("position {position}"));
        self.send(go);
        self.answer()
    }

    /// Waits for the answer and gives the move.
    pub fn answer(&self) -> String {
        let said = self.read_until("bestmove");
        let answer = said.last().and_then(|line| line.split(' ').nth(1));
        answer.unwrap_or_default().to_owned()
    }

    /// Waits until the agent has ended.
    pub fn wait(&mut self) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status;
            }
            assert!(begun.elapsed() < PATIENCE, "the agent does not end");
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        // It may have ended by itself, and then there is nothing to kill.
        let _ended = self.child.kill();
        let _status = self.child.wait();
    }
}
