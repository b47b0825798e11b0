//! `swissmatch arbiter …`: the organizer's acts on a run, while it is played or while it is stopped.

mod announce;
mod decide;
mod enter;
mod look;
mod order;
mod several;
mod submit;

use clap::{Args, Subcommand};

use swissmatch_tournament::log::Act;

use super::exit::{Exit, Failure};
use order::{
    ActArgs, AwardByeArgs, DisqualifyArgs, ForbidArgs, ForceArgs, GameActArgs, PlayerActArgs, PresenceArgs,
    RequestByeArgs, RulingArgs,
};

const AFTER: &str = "\
An act works while `swissmatch run` is at work on the run, and also while the run is stopped. The environment variable \
SWISSMATCH_ARBITER can say who acts, in place of --by. An act that cannot be done now is refused with a reason, and \
nothing is changed.

Exit codes:
  0  done, and in the log
  1  the round has no pairing (`pairing`, `confirm`)
  3  the agent of a late entry does not start (`enter`); nothing was done
  4  refused, or wrong usage; nothing was done
  5  the machine, or the runner ended before it answered (see `arbiter log`)";

/// Acts of the arbiter: pause, withdraw, set a result, and more
///
/// GAME is a game's number as in games.pgn: 3.2.1 is round 3, board 2, game 1, and 9p1.1.1 is a game of the first play-off
/// round after round 9. PLAYER is a name or a pairing number. RUN is the directory of the run; without it, the run in
/// results/ that was written to last is meant, unless several runs there are being played.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(super) struct ArbiterArgs {
    #[command(subcommand)]
    order: ArbiterCommand,
}

#[derive(Debug, Subcommand)]
enum ArbiterCommand {
    /// Pause the event: games under way are finished, and no other is started
    ///
    /// Takes effect at once, and lasts until `arbiter resume`, even if the runner ends meanwhile.
    ///
    ///   swissmatch arbiter pause --by "C. Arbiter" --reason "the hall is too hot"
    #[command(verbatim_doc_comment)]
    Pause(ActArgs),
    /// Let a paused event go on
    ///
    /// Takes effect at once.
    ///
    ///   swissmatch arbiter resume --by "C. Arbiter" --reason "the hall has cooled down"
    #[command(verbatim_doc_comment)]
    Resume(ActArgs),
    /// Let the runner end after the round that is being played, or after the next one where none is
    ///
    /// The `swissmatch run` after that goes on with the round that follows.
    ///
    ///   swissmatch arbiter stop-after-round --by "C. Arbiter" --reason "we go on tomorrow"
    #[command(verbatim_doc_comment)]
    StopAfterRound(ActArgs),
    /// End the event with the rounds it has: play-offs and prizes follow
    ///
    /// A round that is being played is played to its end. If a round has no pairing, either
    /// this act or an act that makes a pairing possible lets the event go on.
    ///
    ///   swissmatch arbiter end --by "C. Arbiter" --reason "the hall closes"
    #[command(verbatim_doc_comment)]
    End(ActArgs),
    Enter(enter::EnterArgs),
    /// Take a player out of the event; what it has played counts
    ///
    /// Takes effect at once: its games that have not begun are forfeited, and it is not paired any more.
    ///
    ///   swissmatch arbiter withdraw "Alpha 3" --by "C. Arbiter" --reason "its author asked for it"
    #[command(verbatim_doc_comment)]
    Withdraw(PlayerActArgs),
    /// Take a withdrawn or disqualified player back into the rounds to come
    ///
    /// Takes effect when the next round is paired; a disqualified player is back on the list at once.
    ///
    ///   swissmatch arbiter reinstate "Alpha 3" --by "C. Arbiter" --reason "the appeal was heard"
    #[command(verbatim_doc_comment)]
    Reinstate(PlayerActArgs),
    /// Take a player off the list, and out of the rounds to come
    ///
    /// Takes effect at once; nobody's points change, unless its results are annulled: by --annul, or after the end of the event by
    /// standings.disqualified = "annulled". Its games that have not begun are forfeited.
    ///
    ///   swissmatch arbiter disqualify 12 --by "C. Arbiter" --reason "a copy of player 4"
    #[command(verbatim_doc_comment)]
    Disqualify(DisqualifyArgs),
    /// Note that a player will be absent from a round that is not paired yet
    ///
    ///   swissmatch arbiter absent Bravo --by "C. Arbiter" --reason "its server is down until noon"
    ///   swissmatch arbiter absent Bravo --round 5 --by "C. Arbiter" --reason "known beforehand"
    #[command(verbatim_doc_comment)]
    Absent(PresenceArgs),
    /// Note that a player will be present after all
    ///
    /// This holds whatever was noted, requested or found by the presence check before.
    ///
    ///   swissmatch arbiter present Bravo --by "C. Arbiter" --reason "its server is back"
    #[command(verbatim_doc_comment)]
    Present(PresenceArgs),
    /// Accept a player's request for a half-point bye
    ///
    /// The event limits such byes (bye.requests). With --overrule, the request is accepted beyond that
    /// limit too; the log and the minutes say so.
    ///
    ///   swissmatch arbiter request-bye Charlie 4 --by "C. Arbiter" --reason "asked for on Monday"
    #[command(verbatim_doc_comment)]
    RequestBye(RequestByeArgs),
    /// Give a player a bye, in a round to come or in a round in which it had no game
    ///
    /// For a round to come, it takes effect when that round is paired; otherwise at once.
    ///
    ///   swissmatch arbiter award-bye Delta --round 1 --points half --by "C. Arbiter" --reason "late through our fault"
    #[command(verbatim_doc_comment)]
    AwardBye(AwardByeArgs),
    /// Keep two players apart in the coming round
    ///
    ///   swissmatch arbiter forbid Alpha Bravo --by "C. Arbiter" --reason "they share a machine today"
    #[command(verbatim_doc_comment)]
    Forbid(ForbidArgs),
    /// Pair two players in the coming round, the first with White
    ///
    /// With --overrule, you can pair even two players whom an earlier `forbid` or the event
    /// itself keeps apart (swiss.keep_apart, swiss.forbidden); the log and the minutes say so.
    ///
    ///   swissmatch arbiter force Alpha Bravo --by "C. Arbiter" --reason "the sponsor's game, published beforehand"
    #[command(verbatim_doc_comment)]
    Force(ForceArgs),
    /// Have a game of the present round played again; its old result no longer counts
    ///
    ///   swissmatch arbiter replay 3.2.1 --by "C. Arbiter" --reason "the host was out of memory"
    #[command(verbatim_doc_comment)]
    Replay(GameActArgs),
    /// Annul a game that has ended: it counts for nobody, and is not played again
    ///
    ///   swissmatch arbiter void 3.2.1 --by "C. Arbiter" --reason "the wrong opening was played"
    ///   swissmatch arbiter void --where "termination=threefold-repetition, before=10:48" --by "C. Arbiter" --reason "a rule that was wrong"
    #[command(verbatim_doc_comment)]
    Void(GameActArgs),
    /// Change the result of a game that has ended
    ///
    /// The standings change at once; rounds that are paired stay as they are.
    ///
    ///   swissmatch arbiter set-result 3.2.1 1/2-1/2 --by "C. Arbiter" --reason "the draw claim was right"
    #[command(verbatim_doc_comment)]
    SetResult(RulingArgs),
    /// Give a result to a game that has not ended, and end it if it is being played
    ///
    ///   swissmatch arbiter adjudicate 3.2.1 1-0 --by "C. Arbiter" --reason "Black's machine is broken"
    #[command(verbatim_doc_comment)]
    Adjudicate(RulingArgs),
    Confirm(look::ConfirmArgs),
    Announce(announce::AnnounceArgs),
    /// Publish everything that the embargo holds back
    ///
    ///   swissmatch arbiter release --by "C. Arbiter" --reason "the prize-giving is over"
    #[command(verbatim_doc_comment)]
    Release(ActArgs),
    Decide(decide::DecideArgs),
    Pairing(look::ArbiterPairingArgs),
    Log(look::ArbiterLogArgs),
}

impl ArbiterArgs {
    /// Whether it starts an engine, so that a guard has to stand behind it.
    pub(super) const fn starts_engines(&self) -> bool {
        matches!(self.order, ArbiterCommand::Enter(_))
    }

    pub(super) fn main(&self) -> Result<Exit, Failure> {
        match &self.order {
            ArbiterCommand::Pause(signed) => signed.submit(|_| Ok(Act::Pause)),
            ArbiterCommand::Resume(signed) => signed.submit(|_| Ok(Act::Resume)),
            ArbiterCommand::StopAfterRound(signed) => signed.submit(|_| Ok(Act::StopAfterRound)),
            ArbiterCommand::End(signed) => signed.submit(|_| Ok(Act::End)),
            ArbiterCommand::Enter(enter) => enter.main(),
            ArbiterCommand::Withdraw(order) => order.submit(|player| Act::Withdraw { player }),
            ArbiterCommand::Reinstate(order) => order.submit(|player| Act::Reinstate { player }),
            ArbiterCommand::Disqualify(order) => order.submit(),
            ArbiterCommand::Absent(order) => order.submit(|player, round| Act::Absent { player, round }),
            ArbiterCommand::Present(order) => order.submit(|player, round| Act::Present { player, round }),
            ArbiterCommand::RequestBye(order) => order.submit(),
            ArbiterCommand::AwardBye(order) => order.submit(),
            ArbiterCommand::Forbid(order) => order.submit(),
            ArbiterCommand::Force(order) => order.submit(),
            ArbiterCommand::Replay(order) => order.submit(|game| Act::Replay { game }),
            ArbiterCommand::Void(order) => order.submit(|game| Act::Void { game }),
            ArbiterCommand::SetResult(order) => order.submit(|game, outcome| Act::SetResult { game, outcome }),
            ArbiterCommand::Adjudicate(order) => order.submit(|game, outcome| Act::Adjudicate { game, outcome }),
            ArbiterCommand::Confirm(confirm) => confirm.main(),
            ArbiterCommand::Announce(announce) => announce.main(),
            ArbiterCommand::Release(signed) => signed.submit(|_| Ok(Act::Release)),
            ArbiterCommand::Decide(decide) => decide.main(),
            ArbiterCommand::Pairing(pairing) => pairing.main(),
            ArbiterCommand::Log(log) => log.main(),
        }
    }
}
