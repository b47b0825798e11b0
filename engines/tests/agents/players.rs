//! The three agents that play properly, driven over pipes.

use std::time::{Duration, Instant};

use super::pipes::Agent;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};

const RANDOM: &str = env!("CARGO_BIN_EXE_random-mover");
const GREEDY: &str = env!("CARGO_BIN_EXE_greedy");
const ALPHABETA: &str = env!("CARGO_BIN_EXE_alphabeta");
const ALL: [&str; 3] = [RANDOM, GREEDY, ALPHABETA];

const POSITIONS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
    "7k/8/6K1/8/8/8/8/5Q2 b - - 99 80",
];

fn start(program: &str) -> Agent {
    let mut agent = Agent::start(program, &[]);
    agent.greet();
    agent
}

fn is_legal(fen: &str, mv: &str, mode: CastlingMode) -> bool {
    let fen: Fen = fen.parse().expect("fen");
    let position: Chess = fen.into_position(mode).expect("a legal position");
    let mv: Result<UciMove, _> = mv.parse();
    mv.is_ok_and(|mv| mv.to_move(&position).is_ok_and(|mv| position.is_legal(mv)))
}

#[test]
fn handshake_names_the_agent_and_its_options() {
    for (program, name) in ALL.into_iter().zip(["random-mover", "greedy", "alphabeta"]) {
        let said = Agent::start(program, &[]).greet();
        assert!(said[0].starts_with(&format!("id name {name} ")), "{said:?}");
        let declares = |option: &str| said.iter().any(|line| line.starts_with(option));
        assert!(declares("option name Seed type spin default 1 "));
        assert!(declares("option name UCI_Chess960 type check default false"));
        let searches = program == ALPHABETA;
        assert_eq!(
            declares("option name Skill type spin default 20 min 0 max 20"),
            searches
        );
        assert_eq!(
            declares("option name Hash type spin default 16 min 1 max 4096"),
            searches
        );
    }
}

#[test]
fn moves_are_legal() {
    for program in ALL {
        let mut agent = start(program);
        for fen in POSITIONS {
            let mv = agent.ask(&format!("fen {fen}"), "go nodes 500");
            assert!(is_legal(fen, &mv, CastlingMode::Standard), "{program}: {mv} in {fen}");
        }
    }
}

#[test]
fn castling_in_chess960_takes_the_rook() {
    let fen = "4k3/8/8/8/8/8/3PPP2/5KR1 w G - 0 1";
    let mut agent = start(ALPHABETA);
    agent.send("setoption name uci_chess960 value true");
    let mv = agent.ask(&format!("fen {fen}"), "go depth 1 searchmoves f1g1");
    assert_eq!(mv, "f1g1");
    assert!(is_legal(fen, &mv, CastlingMode::Chess960));
    let mv = agent.ask(&format!("fen {fen} moves f1g1"), "go depth 2");
    assert!(mv.starts_with("e8"), "{mv}");
}

#[test]
fn nothing_to_play() {
    for program in ALL {
        let mut agent = start(program);
        let mate = "fen rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
        assert_eq!(agent.ask(mate, "go nodes 10"), "(none)");
        assert_eq!(agent.ask("startpos moves e2e5", "go nodes 10"), "(none)");
    }
}

#[test]
fn moves_do_not_depend_on_the_past() {
    for program in ALL {
        let mut agent = start(program);
        agent.send("setoption name Seed value 7");
        let game = "startpos moves e2e4 e7e5 g1f3";
        let first = agent.ask(game, "go nodes 2000");
        assert_eq!(agent.ask(game, "go nodes 2000"), first, "{program}: asked twice");
        for fen in POSITIONS {
            agent.ask(&format!("fen {fen}"), "go nodes 2000");
        }
        assert_eq!(agent.ask(game, "go nodes 2000"), first, "{program}: after other games");
        agent.send("ucinewgame");
        assert_eq!(agent.ask(game, "go nodes 2000"), first, "{program}: in a new game");
        let mut other = start(program);
        other.send("setoption name seed value 7");
        assert_eq!(other.ask(game, "go nodes 2000"), first, "{program}: in another process");
    }
}

#[test]
fn stop_ends_an_endless_search() {
    for program in ALL {
        let mut agent = start(program);
        agent.send("position startpos");
        agent.send("go infinite");
        agent.send("isready");
        agent.read_until("readyok");
        std::thread::sleep(Duration::from_millis(50));
        let begun = Instant::now();
        agent.send("stop");
        let mv = agent.answer();
        assert!(begun.elapsed() < Duration::from_secs(1), "{program}");
        assert!(is_legal(POSITIONS[0], &mv, CastlingMode::Standard), "{mv}");
    }
}

#[test]
fn an_endless_search_without_choice_waits_for_stop() {
    let mut agent = start(ALPHABETA);
    agent.send("position fen 7k/5Q2/8/6K1/8/8/8/8 w - - 0 1");
    agent.send("go infinite depth 2");
    let said = agent.read_until("info depth 2");
    assert!(said.iter().all(|line| !line.starts_with("bestmove")));
    assert!(agent.is_silent_for(Duration::from_millis(50)));
    agent.send("stop");
    agent.answer();
}

#[test]
fn movetime_is_kept() {
    let mut agent = start(ALPHABETA);
    for _ in 0..3 {
        let begun = Instant::now();
        agent.ask("startpos", "go movetime 200");
        let taken = begun.elapsed();
        // The agent keeps a margin of its own; the rest allows for a machine
        // that is busy with other tests.
        assert!(taken > Duration::from_millis(150), "{taken:?}");
        assert!(taken < Duration::from_millis(400), "{taken:?}");
    }
}

#[test]
fn weak_levels_answer_early_and_repeat_themselves() {
    let mut agent = start(ALPHABETA);
    agent.send("setoption name skill value 3");
    let begun = Instant::now();
    let first = agent.ask("startpos", "go movetime 60000");
    agent.send("ucinewgame");
    assert_eq!(agent.ask("startpos", "go wtime 60000 btime 60000"), first);
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[test]
fn clocks_are_kept() {
    let mut agent = start(ALPHABETA);
    let begun = Instant::now();
    agent.ask("startpos", "go wtime 300 btime 1 movestogo 1");
    assert!(begun.elapsed() < Duration::from_millis(300));
}

#[test]
fn nodes_and_depth_are_exact() {
    let mut agent = start(ALPHABETA);
    agent.send("position startpos moves d2d4");
    agent.send("go nodes 2000 wtime 1 btime 1");
    let said = agent.read_until("bestmove");
    let last_info = &said[said.len() - 2];
    assert!(last_info.contains(" nodes 2000 "), "{last_info}");
    agent.send("go depth 4");
    let said = agent.read_until("bestmove");
    let last_info = &said[said.len() - 2];
    assert!(last_info.starts_with("info depth 4 seldepth "), "{last_info}");
}

#[test]
fn mate_in_two_is_found() {
    let mut agent = start(ALPHABETA);
    agent.send("position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    agent.send("go depth 5");
    let said = agent.read_until("bestmove");
    assert!(said[said.len() - 2].contains(" score mate 2 "), "{said:?}");
    assert_eq!(said[said.len() - 1], "bestmove a1a6");
}

#[test]
fn the_searcher_beats_the_capturer() {
    let (mut searcher, mut capturer) = (start(ALPHABETA), start(GREEDY));
    let mut position = Chess::default();
    let mut moves = String::from("startpos moves");
    while !position.is_game_over() && moves.len() < 2_000 {
        let side = if position.turn().is_white() {
            &mut searcher
        } else {
            &mut capturer
        };
        let word = side.ask(&moves, "go nodes 1500");
        let uci: UciMove = word.parse().expect("a move");
        let mv = uci.to_move(&position).expect("a legal move");
        position.play_unchecked(mv);
        moves.push_str(&format!(" {word}"));
    }
    assert!(position.is_checkmate() && position.turn().is_black(), "{moves}");
}

#[test]
fn quit_and_end_of_input_end_the_agent() {
    for program in ALL {
        for searching in [false, true] {
            for by_quit in [false, true] {
                let mut agent = start(program);
                if searching {
                    agent.send("go infinite");
                }
                if by_quit {
                    agent.send("quit");
                } else {
                    agent.close_input();
                }
                assert!(agent.wait().success(), "{program}");
            }
        }
    }
}
