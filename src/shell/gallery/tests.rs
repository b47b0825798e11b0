//! The gallery by real sockets.
