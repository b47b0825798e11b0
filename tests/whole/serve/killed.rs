//! A runner that is killed, with the page that it served.

use std::net::TcpListener;

use rustix::process::Signal;

use super::{PATIENCE, address, event};
use crate::death::{Background, assert_empty, send, until};
use crate::support::Place;

/// The same command goes on, at the same address.
#[test]
fn a_runner_that_is_killed_leaves_its_address() {
    let place = Place::new();
    place.write("event.toml", &event(20, ""));
    let mut running = Background::start(&place, &["run", "event.toml", "--out", "run", "--serve=127.0.0.1:0"]);
    let address = address(&place);
    send(running.guard(), Signal::KILL);
    running.end(PATIENCE);
    until("its address is free", PATIENCE, || TcpListener::bind(&address).ok());
    let serve = format!("--serve={address}");
    place
        .swissmatch(&["run", "event.toml", "--out", "run", &serve])
        .expect_code(0);
    assert_empty(&place, PATIENCE);
}
