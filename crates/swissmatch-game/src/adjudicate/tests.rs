//! Adjudication as a function of positions and scores, against a second implementation that knows no streaks.

use proptest::prelude::*;
use shakmaty::CastlingMode;
use shakmaty::fen::Fen;

use super::*;

fn position(fen: &str) -> Chess {
    let setup: Fen = fen.parse().expect("a FEN");
    setup.into_position(CastlingMode::Standard).expect("a legal position")
}

/// A ply: the mover's evaluation, and true if the move was a capture or pawn move.
type ScoredPly = (Option<Eval>, bool);

/// A game of scores: who begins, and at which move number.
#[derive(Clone, Debug)]
struct ScoredGame {
    first: Side,
    number: u32,
    plies: Vec<ScoredPly>,
}

impl ScoredGame {
    fn mover(&self, ply: usize) -> Side {
        if ply.is_multiple_of(2) {
            self.first
        } else {
            self.first.other()
        }
    }

    /// The move number after `ply`.
    fn number_after(&self, ply: usize) -> u32 {
        let blacks = (0..=ply).filter(|ply| self.mover(*ply) == Side::Black).count();
        self.number + u32::try_from(blacks).expect("few plies")
    }

    /// Where the adjudicator ends the game.
    fn ends(&self, rules: AdjudicationRules) -> Option<(usize, Ruling)> {
        let evals: Vec<_> = self.plies.iter().map(|(eval, _)| *eval).collect();
        let mut adjudicator = Adjudicator::new(rules);
        self.plies.iter().enumerate().find_map(|(ply, (_, is_zeroing))| {
            let turn = if self.mover(ply) == Side::White { 'b' } else { 'w' };
            let (halfmoves, number) = (u8::from(!is_zeroing), self.number_after(ply));
            let after = position(&format!("4k3/7p/8/8/8/8/P7/4K3 {turn} - - {halfmoves} {number}"));
            adjudicator
                .by_scores(&after, &evals[..=ply])
                .map(|ruling| (ply, ruling))
        })
    }

    /// Where the rules, taken literally and checked anew at every ply, end the game.
    fn ends_literally(&self, rules: AdjudicationRules) -> Option<(usize, Outcome)> {
        let value = |eval: Eval| match eval {
            Eval::Centipawns(value) => i64::from(value),
            Eval::Mate(moves) => i64::from(moves.signum()) * 1_000_000,
        };
        (0..self.plies.len()).find_map(|end| {
            let of = |side, moves: u32| {
                let own = (0..=end).rev().filter(move |ply| self.mover(*ply) == side);
                let last: Vec<_> = own.take(moves as usize).map(|ply| self.plies[ply].0).collect();
                (last.len() == moves as usize).then_some(last)
            };
            let all = |said: Option<Vec<Option<Eval>>>, holds: &dyn Fn(i64) -> bool| {
                said.is_some_and(|said| said.iter().all(|eval| eval.is_some_and(|eval| holds(value(eval)))))
            };
            if let Some(Resign { score, moves, two_sided }) = rules.resign {
                for loser in Side::BOTH {
                    let lost = all(of(loser, moves), &|value| value <= -i64::from(score));
                    let won = all(of(loser.other(), moves), &|value| value >= i64::from(score));
                    if lost && (won || !two_sided) {
                        return Some((end, Outcome::win(loser.other())));
                    }
                }
            }
            let Draw { score, moves, from_move } = rules.draw?;
            let window = (end + 1).checked_sub(2 * moves as usize)?..=end;
            let quiet = window.clone().skip(1).all(|ply| !self.plies[ply].1);
            let level = |ply: usize| {
                matches!(self.plies[ply].0, Some(Eval::Centipawns(value)) if value.unsigned_abs() <= score)
            };
            let is_late = self.number_after(end) > from_move;
            (is_late && quiet && window.clone().all(level)).then_some((end, Outcome::Draw))
        })
    }
}

fn eval() -> impl Strategy<Value = Option<Eval>> {
    let words = [-1200, -800, -799, -11, -10, 0, 10, 11, 799, 800, 1200].map(Eval::Centipawns);
    let mates = [-3, 0, 4].map(Eval::Mate);
    let said: Vec<_> = words.into_iter().chain(mates).map(Some).chain([None]).collect();
    prop_oneof![
        3 => prop::sample::select(said),
        2 => Just(Some(Eval::Centipawns(0))),
        3 => prop::sample::select(vec![Some(Eval::Centipawns(900)), Some(Eval::Centipawns(-900))]),
    ]
}

/// Games in which both sides often agree on who stands better, so that something happens.
fn scores() -> impl Strategy<Value = ScoredGame> {
    let ply = (eval(), prop::bool::weighted(0.1), prop::bool::weighted(0.8));
    let plies = prop::collection::vec(ply, 0..30);
    let mood = prop::sample::select(vec![-900, 0, 900]);
    (prop::bool::ANY, 1..4_u32, plies, mood).prop_map(|(white, number, plies, mood)| {
        let plies = plies.into_iter().enumerate().map(|(ply, (eval, is_zeroing, agrees))| {
            let agreed = Eval::Centipawns(if ply.is_multiple_of(2) { mood } else { -mood });
            (if agrees { Some(agreed) } else { eval }, is_zeroing)
        });
        ScoredGame {
            first: if white { Side::White } else { Side::Black },
            number,
            plies: plies.collect(),
        }
    })
}

fn rules() -> impl Strategy<Value = AdjudicationRules> {
    let resign = (1..4_u32, prop::bool::ANY).prop_map(|(moves, two_sided)| Resign {
        score: 800,
        moves,
        two_sided,
    });
    let draw = (1..4_u32, 1..9_u32).prop_map(|(moves, from_move)| Draw {
        score: 10,
        moves,
        from_move,
    });
    (prop::option::of(resign), prop::option::of(draw)).prop_map(|(resign, draw)| AdjudicationRules {
        resign,
        draw,
        tables: None,
    })
}

proptest! {
    #[test]
    fn ends_where_the_words_of_the_rules_end_it(rules in rules(), scores in scores()) {
        let ended = scores.ends(rules);
        prop_assert_eq!(ended.as_ref().map(|(ply, ruling)| (*ply, ruling.outcome)), scores.ends_literally(rules));
        // The record holds what was said, and enough of it to decide.
        if let Some((_, ruling)) = ended {
            let (claims, sides, moves) = match ruling.adjudication {
                Adjudication::Resign { loser, scores } => {
                    let rule = rules.resign.expect("it is on");
                    prop_assert!(scores.iter().any(|claim| claim.side == loser));
                    (scores, if rule.two_sided { 2 } else { 1 }, rule.moves)
                }
                Adjudication::Draw { scores } => (scores, 2, rules.draw.expect("it is on").moves),
                Adjudication::Tablebase { .. } => unreachable!("there are none"),
            };
            prop_assert_eq!(claims.len(), sides * moves as usize);
            prop_assert!(claims.is_sorted_by(|one, other| one.ply < other.ply));
            for claim in claims {
                prop_assert_eq!(scores.plies[claim.ply].0, Some(claim.eval));
                prop_assert_eq!(scores.mover(claim.ply), claim.side);
            }
        }
    }

    #[test]
    fn never_where_it_is_off(scores in scores()) {
        prop_assert_eq!(scores.ends(AdjudicationRules::default()), None);
    }

    /// Whatever one side says, nothing is decided as long as the other never agrees.
    #[test]
    fn never_by_the_scores_of_one_side(
        mut rules in rules(),
        mut scores in scores(),
        keeps_out in 0..2_usize,
        says in prop::sample::select(vec![None, Some(Eval::Centipawns(300)), Some(Eval::Centipawns(-300)), Some(Eval::Mate(0))]),
    ) {
        if let Some(resign) = &mut rules.resign {
            resign.two_sided = true;
        }
        for ply in scores.plies.iter_mut().skip(keeps_out).step_by(2) {
            ply.0 = says;
        }
        prop_assert_eq!(scores.ends(rules), None);
    }
}

fn tables(men: u32, rule50: bool, decides: Decides) -> Adjudicator {
    Adjudicator::new(AdjudicationRules {
        tables: Some(Tables { men, rule50, decides }),
        ..AdjudicationRules::default()
    })
}

#[test]
fn tables_are_asked_where_they_can_decide() {
    let check = |fen: &str, men, rule50, decides, expected| {
        let asked = tables(men, rule50, decides).asks_tables(&position(fen));
        assert_eq!(asked, expected, "{fen} {men} {rule50} {decides:?}");
    };
    let (fresh, later) = ("4k3/8/8/8/8/8/8/R3K3 b - - 0 60", "4k3/8/8/8/8/8/8/R3K3 b - - 7 60");
    check(fresh, 3, true, Decides::WinDraw, true);
    check(fresh, 3, true, Decides::Win, true);
    check(later, 3, true, Decides::WinDraw, true);
    check(later, 3, true, Decides::Draw, true);
    check(later, 3, true, Decides::Win, false);
    check(later, 3, false, Decides::Win, true);
    check("4k3/8/8/8/8/8/8/R3K3 b Q - 0 60", 3, true, Decides::WinDraw, false);
    check("4k3/7p/8/8/8/8/8/R3K3 b - - 0 60", 3, true, Decides::WinDraw, false);
    check("4k3/7p/8/8/8/8/8/R3K3 b - - 0 60", 4, true, Decides::WinDraw, true);
    assert!(!Adjudicator::new(AdjudicationRules::default()).asks_tables(&position(fresh)));
}

#[test]
fn verdicts_of_the_tables_and_the_fifty_move_rule() {
    use TablebaseVerdict::{BlessedLoss, CursedWin, Draw as Drawn, Loss, Win};
    let check = |halfmoves: u32, rule50, decides, expected: [Option<Outcome>; 5]| {
        let position = position(&format!("4k3/8/8/8/8/8/8/R3K3 b - - {halfmoves} 90"));
        let adjudicator = tables(5, rule50, decides);
        let given = [Win, CursedWin, Drawn, BlessedLoss, Loss].map(|verdict| {
            let ruling = adjudicator.by_tables(&position, verdict)?;
            assert_eq!(ruling.termination, Termination::Tablebase);
            let (men, to_move) = (3, Side::Black);
            assert_eq!(ruling.adjudication, Adjudication::Tablebase { men, to_move, verdict });
            Some(ruling.outcome)
        });
        assert_eq!(given, expected, "{halfmoves} {rule50} {decides:?}");
    };
    let (won, lost, drawn) = (Some(Outcome::BlackWins), Some(Outcome::WhiteWins), Some(Outcome::Draw));
    check(0, true, Decides::WinDraw, [won, drawn, drawn, drawn, lost]);
    // The fifty moves may end before the win: only the next capture or pawn move makes it certain.
    check(1, true, Decides::WinDraw, [None, drawn, drawn, drawn, None]);
    check(0, false, Decides::WinDraw, [won, won, drawn, lost, lost]);
    check(99, false, Decides::WinDraw, [won, won, drawn, lost, lost]);
    check(0, true, Decides::Win, [won, None, None, None, lost]);
    check(0, true, Decides::Draw, [None, drawn, drawn, drawn, None]);
    check(1, true, Decides::Win, [None; 5]);
}

#[test]
fn what_decided_is_stored_in_plain_words() {
    let stored = |adjudication: &Adjudication| {
        let text = serde_json::to_string(adjudication).expect("plain data");
        assert_eq!(
            serde_json::from_str::<Adjudication>(&text).expect("what was written"),
            *adjudication
        );
        text
    };
    let claim = |ply, side, eval| DecisiveScore { ply, side, eval };
    let resign = Adjudication::Resign {
        loser: Side::Black,
        scores: vec![
            claim(60, Side::White, Eval::Centipawns(910)),
            claim(61, Side::Black, Eval::Mate(-7)),
        ],
    };
    let told = r##"{"rule":"resign","loser":"black","scores":[{"ply":60,"side":"white","eval":910},{"ply":61,"side":"black","eval":"#-7"}]}"##;
    assert_eq!(stored(&resign), told);
    let tablebase = Adjudication::Tablebase {
        men: 5,
        to_move: Side::White,
        verdict: TablebaseVerdict::CursedWin,
    };
    let told = r#"{"rule":"tablebase","men":5,"to_move":"white","verdict":"cursed-win"}"#;
    assert_eq!(stored(&tablebase), told);
}
