// A game that was read: board, both sides, moves, buttons, graphs.
import { useEffect, useMemo, useState } from "preact/hooks";
import { Bar } from "../bar";
import { Board } from "../board";
import { saidAt } from "../evaluation";
import { pgn } from "../pgn";
import type { Replay } from "../replay";
import { Foreign, SENTENCE_LENGTH } from "../text";
import type { Account, Game, MiniMatch, PageEvent } from "../types";
import { blackOf, nameOf, whiteOf } from "../words";
import { AccountOfGame } from "./account";
import { Attempts, attemptsByPly } from "./attempts";
import { Controls, KeysHint, useKeys, usePlaying } from "./controls";
import { Graphs } from "./graphs";
import type { Tried } from "./line";
import { DecisiveMoment } from "./moment";
import { moveWords, Moves } from "./moves";
import { PositionInWords } from "./position";
import { ReferenceOfGame } from "./reference";
import { Side } from "./side";

interface ReplayedProps {
  event: PageEvent;
  match: MiniMatch;
  game: Game;
  played: Replay;
  account: Account | undefined;
  ply: number;
  onPly: (ply: number) => void;
  /** Whether the game is being played. */
  isFollowed: boolean;
  /** The clock of a side while the game is played. */
  clock?: ((color: "white" | "black") => preact.ComponentChild) | undefined;
}

export function Replayed({ event, match, game, played, account, ply, onPly, isFollowed, clock }: ReplayedProps) {
  const [flipped, setFlipped] = useState(false);
  const [tried, setTried] = useState<Tried | null>(null);
  const last = played.positions.length - 1;
  const flip = () => setFlipped((each) => !each);
  const playing = usePlaying(last, ply, onPly);
  /** Where the reader goes, the game does not go on by itself. */
  const go = (to: number) => {
    playing.stop();
    setTried(null);
    onPly(Math.max(0, Math.min(last, to)));
  };
  useKeys(last, ply, go, flip, playing.toggle);
  useEffect(() => setTried(null), [ply]);
  const failed = useMemo(() => attemptsByPly(game, played), [game, played]);
  const position = played.positions[ply] ?? played.positions[0];
  if (!position) return null;
  const side = (color: "white" | "black") => (
    <Side color={color} place={(color === "white") === flipped ? "above" : "below"} game={game} played={played} ply={ply} clock={clock?.(color)}
      name={nameOf(event, color === "white" ? whiteOf(match, game.game) : blackOf(match, game.game))} onTry={setTried} />
  );
  const here = moveWords(played, ply);
  const expected = tried && `What ${tried.by} expected: ${tried.position.san}`;
  return (
    <>
      {played.broken && <p class="problem">{played.broken}</p>}
      <div class={game.rationale.length > 0 ? "replay told" : "replay"}>
        {flipped ? side("white") : side("black")}
        <Bar said={saidAt(game, played, ply)} flipped={flipped} />
        <Board position={tried?.position ?? position} flipped={flipped} label={`Board. ${expected ?? here}`} expected={expected}
          onSwipe={(by) => go(ply + by)} />
        <Moves game={game} played={played} ply={ply} onPly={go} failed={failed} />
        {flipped ? side("black") : side("white")}
        <Controls ply={ply} last={last} onPly={go} playing={playing} flipped={flipped} flip={flip} here={here} isFollowed={isFollowed}
          fen={() => position.fen} pgn={() => pgn(event, match, game, played, account?.tags)} file={`game-${match.id}.${game.game}.pgn`} />
        <Graphs game={game} played={played} ply={ply} onPly={go} />
      </div>
      <KeysHint />
      <PositionInWords position={position} />
      <div class="about">
        <div>
          <p>
            <Foreign text={game.ending} most={SENTENCE_LENGTH} />
          </p>
          {!isFollowed && <DecisiveMoment match={match} games={[game]} of="game" where={(moment) => moveWords(played, moment.ply)} />}
          <p class="note">{game.chess960 ? "Played by the rules of Chess960. " : ""}Evaluations are from White’s view.</p>
          <ReferenceOfGame event={event} match={match} game={game} />
          <Attempts game={game} played={played} onPly={go} />
        </div>
        {account && <AccountOfGame account={account} />}
      </div>
    </>
  );
}
