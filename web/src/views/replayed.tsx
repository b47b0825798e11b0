// A game that was read: board, both sides, moves, graphs, keys.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Board } from "../board";
import { Copy } from "../copy";
import { Graph } from "../graph";
import { evaluations, times } from "../graphs";
import type { Account, EventPage, Game, MiniMatch } from "../model";
import { pgn } from "../pgn";
import type { Replay } from "../replay";
import { Foreign, SENTENCE_LENGTH } from "../text";
import { blackOf, duration, nameOf, whiteOf } from "../words";
import { AccountOfGame } from "./account";
import { Attempts, attemptsByPly } from "./attempts";
import { moveWords, Moves } from "./moves";
import { ReferenceOfGame } from "./reference";
import { Side } from "./side";

interface ReplayedProps {
  event: EventPage;
  match: MiniMatch;
  game: Game;
  played: Replay;
  account: Account | undefined;
  ply: number;
  onPly: (ply: number) => void;
  /** The clock of a side while the game is played. */
  clock?: ((color: "white" | "black") => preact.ComponentChild) | undefined;
}

/** The keys that move through a game; they may come faster than the page is drawn. */
function useKeys(last: number, ply: number, onPly: (ply: number) => void, flip: () => void): void {
  const at = useRef(ply);
  at.current = ply;
  // A game that is followed grows between two drawings.
  const now = useRef({ last, onPly });
  now.current = { last, onPly };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
      const { target } = event;
      if (target instanceof HTMLElement && target.closest("textarea, input, select, header.top, footer")) return;
      const to = { ArrowLeft: at.current - 1, ArrowRight: at.current + 1, ArrowUp: 0, Home: 0, ArrowDown: now.current.last, End: now.current.last }[event.key];
      if (to !== undefined) {
        at.current = Math.max(0, Math.min(now.current.last, to));
        now.current.onPly(at.current);
      } else if (event.key === "f") flip();
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}

function Graphs({ game, played, ply, onPly }: Pick<ReplayedProps, "game" | "played" | "ply" | "onPly">) {
  const evals = useMemo(() => evaluations(game, played), [game, played]);
  const time = useMemo(() => times(game, played), [game, played]);
  return (
    <div class="graphs">
      {evals && (
        <figure>
          <figcaption>
            <span>Evaluation in pawns</span>
            <Keys line reference={evals.series.length > 2} />
          </figcaption>
          <Graph {...evals} from={0} unit={(value) => String(value).replace("-", "−")} at={ply} onPick={onPly}
            label={`Graph of the evaluations of both sides${evals.series.length > 2 ? " and of the reference engine" : ""} over the plies, from White’s view`} />
        </figure>
      )}
      {time && (
        <figure>
          <figcaption>
            <span>Time for each move</span>
            <Keys />
          </figcaption>
          <Graph {...time} from={0} unit={(value) => (value === 0 ? "0" : duration(Math.abs(value) * 1e6))} at={ply} onPick={onPly}
            label="Graph of the time for each move, White upwards, Black downwards" />
        </figure>
      )}
      {!evals && !time && <p class="note">Nothing is known of times and evaluations of this game.</p>}
    </div>
  );
}

/** What stands for White and for Black in a graph. */
function Keys({ line = false, reference = false }: { line?: boolean; reference?: boolean }) {
  return (
    <span class="keys">
      <span class={line ? "key-line white" : "key-bar white"}>White</span>
      <span class={line ? "key-line black" : "key-bar black"}>Black</span>
      {reference && <span class="key-line reference">Reference</span>}
    </span>
  );
}

export function Replayed({ event, match, game, played, account, ply, onPly, clock }: ReplayedProps) {
  const [flipped, setFlipped] = useState(false);
  const last = played.positions.length - 1;
  const flip = () => setFlipped((each) => !each);
  useKeys(last, ply, onPly, flip);
  const failed = useMemo(() => attemptsByPly(game, played), [game, played]);
  const position = played.positions[ply] ?? played.positions[0];
  if (!position) return null;
  const side = (color: "white" | "black") => (
    <Side color={color} place={(color === "white") === flipped ? "above" : "below"} game={game} played={played} ply={ply} clock={clock?.(color)}
      name={nameOf(event, color === "white" ? whiteOf(match, game.game) : blackOf(match, game.game))} />
  );
  const go = (label: string, to: number, disabled: boolean) => (
    <button type="button" aria-disabled={disabled} onClick={() => onPly(Math.max(0, Math.min(last, to)))}>
      {label}
    </button>
  );
  const here = moveWords(played, ply);
  return (
    <>
      {played.broken && <p class="problem">{played.broken}</p>}
      <div class="replay">
        {flipped ? side("white") : side("black")}
        <Board position={position} flipped={flipped} label={`Board. ${here}`} />
        {flipped ? side("black") : side("white")}
        <Moves game={game} played={played} ply={ply} onPly={onPly} failed={failed} />
        <div class="controls">
          <div class="steps" role="group" aria-label="Moves">
            {go("First", 0, ply === 0)}
            {go("Back", ply - 1, ply === 0)}
            {go("Forward", ply + 1, ply === last)}
            {go("Last", last, ply === last)}
          </div>
          <button type="button" aria-pressed={flipped} onClick={flip}>
            Flip
          </button>
          <Copy label="Copy FEN" text={() => position.fen} />
          <Copy label="Copy PGN" text={() => pgn(event, match, game, played, account?.tags)} />
          <p class="hint">
            Keys: <kbd>←</kbd> <kbd>→</kbd> a ply, <kbd>↑</kbd> <kbd>↓</kbd> the first and the last position, <kbd>f</kbd> flip
          </p>
          <p class="unseen" role="status">
            {here}
          </p>
        </div>
        <Graphs game={game} played={played} ply={ply} onPly={onPly} />
      </div>
      <div class="about">
        <div>
          <p>
            <Foreign text={game.ending} most={SENTENCE_LENGTH} />
          </p>
          <p class="note">{game.chess960 ? "Played by the rules of Chess960. " : ""}Evaluations are from White’s view.</p>
          <ReferenceOfGame event={event} match={match} game={game} />
          <Attempts game={game} played={played} onPly={onPly} />
        </div>
        {account && <AccountOfGame account={account} />}
      </div>
    </>
  );
}
