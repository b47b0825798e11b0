//! Lines, however they are read.

use std::fmt::Write as _;

use super::*;

const ASAN: &str = "==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010";

fn scanner(written: &[&str]) -> Scanner {
    let written: Vec<String> = written.iter().map(|text| (*text).to_owned()).collect();
    Scanner::new(Patterns::new(&written))
}

/// What the scanner finds in these reads: pattern, number of lines, line.
fn heard(scanner: &mut Scanner, reads: &[&[u8]]) -> Vec<(String, u32, String)> {
    reads.iter().for_each(|read| scanner.add(read));
    let heard = scanner.take().into_iter();
    heard.map(|heard| (heard.pattern, heard.lines, heard.line)).collect()
}

fn one(pattern: &str, lines: u32, line: &str) -> Vec<(String, u32, String)> {
    vec![(pattern.to_owned(), lines, line.to_owned())]
}

#[test]
fn a_pattern_is_found_wherever_the_reads_end() {
    let text = format!("info\n{ASAN}\nREAD of size 8\nSUMMARY: AddressSanitizer: heap-use-after-free\n");
    for at in 0..=text.len() {
        let (one_read, other) = text.as_bytes().split_at(at);
        let found = heard(&mut scanner(&["built-in"]), &[one_read, other]);
        assert_eq!(found, one("AddressSanitizer", 2, ASAN), "{at}");
    }
    let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
    assert_eq!(
        heard(&mut scanner(&["built-in"]), &bytes),
        one("AddressSanitizer", 2, ASAN)
    );
}

#[test]
fn nothing_is_found_where_nothing_is_looked_for() {
    let mut idle = Scanner::default();
    assert!(idle.is_idle());
    assert_eq!(heard(&mut idle, &[ASAN.as_bytes(), b"\n"]), []);
    assert!(idle.line.is_empty(), "nothing is held");
    assert!(Patterns::new(&[]).are_none() && Patterns::new(&[String::new()]).are_none());
    let mut scanner = scanner(&["built-in", "FATAL"]);
    let quiet = b"info string ready\naddresssanitizer\nfatal\n[asan] built-in\n";
    assert_eq!(heard(&mut scanner, &[quiet]), []);
}

/// A text matches only itself, even if it holds signs of regular expressions; of two at the same place the longer one
/// counts.
#[test]
fn a_text_means_itself() {
    let mut own = scanner(&["a.c (x)*", "ERR", "ERROR: bad"]);
    assert_eq!(
        heard(&mut own, &[b"abc (x)\nat a.c (x)*\n"]),
        one("a.c (x)*", 1, "at a.c (x)*")
    );
    assert_eq!(heard(&mut own, &[b"ERROR: bad\n"]), one("ERROR: bad", 1, "ERROR: bad"));
    assert_eq!(heard(&mut own, &[b"ERROR\n"]), one("ERR", 1, "ERROR"));
    let mut both = scanner(&["ours", "built-in"]);
    let found = heard(&mut both, &[b"x.c:1:2: runtime error: y\nours\nours\n"]);
    assert_eq!(
        found,
        [
            one("runtime error: ", 1, "x.c:1:2: runtime error: y"),
            one("ours", 2, "ours")
        ]
        .concat()
    );
}

#[test]
fn a_long_line_is_looked_at_to_its_end_and_held_only_in_part() {
    let mut scanner = scanner(&["built-in"]);
    for _ in 0..1000 {
        scanner.add(&[b'e'; 16 * 1024]);
        assert!(scanner.line.len() <= HELD && scanner.line.capacity() <= 64 * 1024);
    }
    // Split over two reads, far behind the bound.
    scanner.add(b"eeeAddress");
    assert_eq!(
        heard(&mut scanner, &[b"Sanitizer: and AddressSanitizer again"]).len(),
        1
    );
    // The rest of that line says nothing new, and is not held.
    scanner.add(&[b'e'; 16 * 1024]);
    assert!(scanner.line.len() <= HELD, "{}", scanner.line.len());
    assert_eq!(heard(&mut scanner, &[b"panicked at\n"]), []);
    let [(pattern, 1, line)] = &heard(&mut scanner, &[b"e panicked at\n"])[..] else {
        panic!("a line of its own");
    };
    assert_eq!((pattern.as_str(), line.as_str()), ("panicked at", "e panicked at"));
    // Of a long line, the part in which the text was found is kept.
    let long = [
        vec![b'a'; 9000],
        b" Assertion `x' failed. ".to_vec(),
        vec![b'z'; 9000],
        vec![b'\n'],
    ]
    .concat();
    let [(_, 1, line)] = &heard(&mut scanner, &[&long])[..] else {
        panic!("one alarm");
    };
    assert!(
        line.starts_with("…aaa") && line.contains(" Assertion `x' failed. z"),
        "{line}"
    );
    assert!(line.chars().count() <= SHOWN, "{line}");
}

#[test]
fn what_is_kept_of_a_line_is_harmless_whatever_its_bytes() {
    let line = b"\xff\x1b[2J\xe2\x80\xae panicked at \xf0\x9f src\r\n";
    let found = heard(&mut scanner(&["built-in"]), &[line]);
    assert_eq!(
        found,
        one("panicked at", 1, r"\xff\u{1b}[2J\u{202e} panicked at \xf0\x9f src")
    );
    let many = [&b"panicked at "[..], &[0xff; 3000], b"\n"].concat();
    let found = heard(&mut scanner(&["built-in"]), &[&many]);
    assert!(found[0].2.chars().count() <= SHOWN, "{found:?}");
}

#[test]
fn of_many_lines_little_is_kept() {
    let mut scanner = scanner(&["built-in", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]);
    let mut text = String::new();
    for number in 0..20_000 {
        let _ = writeln!(
            text,
            "{} {number}",
            ["panicked at", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j"][number % 11]
        );
    }
    for part in text.as_bytes().chunks(4000) {
        scanner.add(part);
    }
    let found = heard(&mut scanner, &[]);
    assert_eq!(found.len(), MOST);
    assert_eq!(found[0], ("panicked at".to_owned(), 1819, "panicked at 0".to_owned()));
    assert!(found.iter().all(|(_, lines, _)| *lines >= 1818), "{found:?}");
}

/// What a game printed is reported with that game, once, even if its last line has no end yet.
#[test]
fn what_was_taken_is_not_told_again() {
    let mut scanner = scanner(&["built-in"]);
    assert_eq!(
        heard(&mut scanner, &[b"half a panicked at li"]),
        one("panicked at", 1, "half a panicked at li")
    );
    assert_eq!(heard(&mut scanner, &[b"ne, the rest\nquiet\nAsser"]), []);
    assert_eq!(heard(&mut scanner, &[b"tion\n"]), one("Assertion", 1, "Assertion"));
    assert_eq!(heard(&mut scanner, &[]), []);
}

#[test]
fn alarms_of_several_processes_are_those_of_their_side() {
    let of = |pattern: &str, lines| HeardAlarm {
        pattern: pattern.to_owned(),
        lines,
        line: format!("{pattern} {lines}"),
    };
    let mut all = vec![of("a", 2)];
    add(&mut all, vec![of("b", 1), of("a", u32::MAX)]);
    assert_eq!(all.len(), 2);
    let alarms = of_sides([Vec::new(), all]);
    assert_eq!(
        serde_json::to_string(&alarms).expect("plain data"),
        r#"[{"side":"black","pattern":"a","lines":4294967295,"line":"a 2"},{"side":"black","pattern":"b","lines":1,"line":"b 1"}]"#
    );
    assert_eq!(alarms[1].words(), "\"b\" in 1 line of standard error");
    let sentence = alarms[0].sentence();
    assert_eq!(
        sentence,
        "Alarm of Black: \"a\" in 4294967295 lines of standard error: a 2"
    );
    assert!(is_sentence(&sentence) && !is_sentence("     0.000800 White ! Alarm of Black: a"));
    let short = alarms[0].in_short();
    assert_eq!((short.side, short.pattern.as_str()), (Side::Black, "a"));
}

/// The built-in list finds what tools print, and by the right pattern.
#[test]
fn the_built_in_list_knows_what_tools_print() {
    for (line, pattern) in [
        (ASAN, "AddressSanitizer"),
        ("AddressSanitizer:DEADLYSIGNAL", "AddressSanitizer"),
        (
            "==9==ERROR: HWAddressSanitizer: tag-mismatch on address 0x0",
            "AddressSanitizer",
        ),
        ("WARNING: ThreadSanitizer: data race (pid=9)", "ThreadSanitizer"),
        (
            "==9==WARNING: MemorySanitizer: use-of-uninitialized-value",
            "MemorySanitizer",
        ),
        ("==9==ERROR: LeakSanitizer: detected memory leaks", "LeakSanitizer"),
        (
            "search.cpp:3:5: runtime error: signed integer overflow: 2147483647 + 1",
            "runtime error: ",
        ),
        (
            "SUMMARY: UndefinedBehaviorSanitizer: undefined-behavior search.cpp:3:5 in",
            "UndefinedBehaviorSanitizer",
        ),
        ("==9== Invalid read of size 8", "Invalid read of size"),
        (
            "==9== Conditional jump or move depends on uninitialised value(s)",
            "depends on uninitialised value",
        ),
        (
            "rook: search.cpp:7: int search(): Assertion `depth > 0' failed.",
            "Assertion",
        ),
        (
            "Assertion failed: (depth > 0), function search, file search.cpp, line 7.",
            "Assertion",
        ),
        ("thread 'main' panicked at src/main.rs:2:5:", "panicked at"),
        ("assertion failed: depth > 0", "assertion failed"),
        ("assertion `left == right` failed", "assertion `"),
        ("thread 'main' has overflowed its stack", "has overflowed its stack"),
        ("panic: runtime error: index out of range [5] with length 5", "panic: "),
        ("fatal error: all goroutines are asleep - deadlock!", "fatal error: "),
        ("WARNING: DATA RACE", "WARNING: DATA RACE"),
        ("main.swift:3: Fatal error: Index out of range", "Fatal error: "),
        (
            "terminate called after throwing an instance of 'std::bad_alloc'",
            "terminate called",
        ),
        (
            "libc++abi: terminating due to uncaught exception of type int",
            "libc++abi: terminating",
        ),
        ("free(): double free detected in tcache 2", "double free"),
        ("malloc(): corrupted top size", "malloc(): "),
        ("*** stack smashing detected ***: terminated", "stack smashing detected"),
        (
            "Exception in thread \"main\" java.lang.NullPointerException",
            "Exception in thread ",
        ),
        (
            "Unhandled exception. System.NullReferenceException: Object",
            "Unhandled exception",
        ),
        (
            "Traceback (most recent call last):",
            "Traceback (most recent call last)",
        ),
        ("info string NNUE evaluation using nn-1111cefa1111.nnue enabled", "none"),
        ("error: no such option", "none"),
    ] {
        let found = heard(&mut scanner(&["built-in"]), &[line.as_bytes(), b"\n"]);
        let found = found.first().map_or("none", |(pattern, ..)| pattern.as_str());
        assert_eq!(found, pattern, "{line}");
    }
    let mut twice = BUILT_IN.to_vec();
    twice.sort_unstable();
    twice.dedup();
    assert_eq!(twice.len(), BUILT_IN.len());
}
