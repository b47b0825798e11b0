//! Swiss-system tournaments: tournament files, pairings and standings, and the reasons for all of them.
//!
//! Text or plain data go in, plain data come out. The crate knows no chess, no clock, no file and no network; all chance is
//! passed in; points are exact. A round is a game, or a mini-match of several games.
//!
//! # A tournament file, its next round, and why
//!
//! ```
//! use swiss_system::pairing::{check, dutch, file};
//! use swiss_system::trf;
//!
//! let tournament = trf::read(include_bytes!("../examples/open.trf"))?.tournament;
//! let round = file::rounds_played(&tournament) + 1;
//! let before = file::before_round(&tournament, round)?;
//! let pairing = dutch::pair(&before.history, &before.rules)?;
//! assert_eq!(pairing.pairs.len(), 4);
//! assert!(check::illegalities(&before.history, &before.rules, &pairing).is_empty());
//!
//! let explanation = dutch::explain::explain(&before.history, &before.rules)?;
//! assert_eq!(explanation.bye.map(|bye| bye.player), pairing.bye);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Plain data
//!
//! A [`History`](pairing::history::History) is all that a pairing system reads: players in the order of their pairing numbers,
//! and what each had in each round.
//!
//! ```
//! use swiss_system::pairing::history::{History, PastPlayer};
//! use swiss_system::pairing::match_points::{self, MatchPointsRules};
//!
//! let player = |submission| PastPlayer { present: true, submission, ..PastPlayer::default() };
//! let history = History { players: (0..4).map(player).collect(), ..History::default() };
//! let pairing = match_points::pair(&history, &MatchPointsRules { bye_order: Vec::new() })?;
//! // Nobody has met anybody: the top half meets the bottom half.
//! let pairs = pairing.pairs.iter().map(|pair| (pair.white.0, pair.black.0));
//! assert_eq!(pairs.collect::<Vec<_>>(), [(1, 3), (2, 4)]);
//! # Ok::<(), swiss_system::pairing::infeasible::NoPairingError>(())
//! ```
//!
//! # Standings, and how a value came about
//!
//! ```
//! use swiss_system::standings::{RankingRules, explain, file, rank};
//! use swiss_system::trf;
//!
//! let tournament = trf::read(include_bytes!("../examples/open.trf"))?.tournament;
//! let results = file::results(&tournament, None, None, 1)?;
//! let rules = RankingRules { order: vec!["PTS".parse()?, "BH/C1".parse()?], ..RankingRules::default() };
//! let standings = rank(&results, &rules);
//! let first = &standings.rows[0];
//! assert_eq!(results.names[first.player.index()], "Berg, Karl");
//!
//! let lines = explain::row(&results, &rules, &standings, first.player);
//! let cut = lines[1].terms.iter().filter(|term| term.cut.is_some());
//! assert_eq!(cut.count(), 1, "the lowest of the four opponents does not count");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where is what?
//!
//! | in | [`trf`] reads and writes tournament files; [`pairing::history`] and [`standings::results`] are what they become, or what you fill in yourself |
//! |---|---|
//! | pairing systems | [`pairing::dutch`] (FIDE C.04.3, editions 2026 and 2017), [`pairing::double_swiss`], [`pairing::us_chess`], [`pairing::match_points`], [`pairing::immortal`], [`pairing::all_play_all`], [`pairing::round_robin`], [`pairing::knockout`], [`pairing::gauntlet`] |
//! | around them | [`pairing::check`] says what is illegal about a pairing; [`pairing::difference`] how two differ; [`pairing::wishes`] pairs that the organizer wants; [`pairing::rounds`] how many rounds; [`pairing::generate`] random tournaments to test with |
//! | why that pairing, why none | [`pairing::dutch::explain`], [`pairing::by_aims`]; [`pairing::infeasible`], [`pairing::deadlock`] |
//! | standings | [`standings::rank`] by [`standings::criterion`], [`standings::explain`] for every value |
//! | numbers and words | [`score`], [`standings::value`]; [`lot`], drawn so that anybody can check them; [`word`], [`text`], [`count`] for what is printed |
//!
//! Modules are listed in the order of their layers, lowest first; each uses only those above it.
#![warn(missing_docs)]

pub mod count;
pub mod text;
pub mod word;

pub mod decimal;

pub mod score;

pub mod lot;

pub mod trf;

pub mod pairing;
pub mod standings;
