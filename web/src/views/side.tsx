// One side at a position: who plays it, its clock, what its engine said, and the line that it expected.
import { useMemo } from "preact/hooks";
import { evaluation } from "../evaluation";
import { expected, type Replay, thought } from "../replay";
import { Foreign, RATIONALE_LENGTH } from "../text";
import type { Game } from "../types";
import { clock, count, duration, signed, speed } from "../words";
import { Line, type Tried } from "./line";

interface SideProps {
  color: "white" | "black";
  place: "above" | "below";
  name: string;
  game: Game;
  played: Replay;
  ply: number;
  /** The clock while the game is played. */
  clock?: preact.ComponentChild;
  onTry: (tried: Tried | null) => void;
}

/** The last ply of this side up to the one that is shown. */
function lastPly(played: Replay, ply: number, color: "white" | "black"): number | null {
  for (let each = ply; each > 0; each -= 1) if (played.positions[each]?.mover === color) return each;
  return null;
}

function Figure({ name, value }: { name: string; value: string | null }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value ?? "–"}</dd>
    </div>
  );
}

export function Side({ color, place, name, game, played, ply, clock: running, onTry }: SideProps) {
  const at = lastPly(played, ply, color);
  const index = at === null ? -1 : at - played.opening - 1;
  const known = <T, U>(values: T[], words: (value: NonNullable<T>) => U): U | null => {
    const value = index < 0 ? null : values[index];
    return value === null || value === undefined ? null : words(value);
  };
  const nodes = speed(game.nodes[index], thought(game, index));
  const before = at === null ? undefined : played.positions[at - 1];
  const made = at === null ? undefined : played.positions[at];
  const pv = known(game.pv, String);
  const line = useMemo(() => (before && pv !== null ? expected(before, pv, made) : []), [before, pv]);
  const word = color === "white" ? "White" : "Black";
  const turn = played.positions[ply]?.turn === color;
  return (
    <section class={`side ${place}${turn ? " turn" : ""}`} aria-label={word}>
      <p class="who">
        <span class={`disc ${color}`}>
          <span class="unseen">{word}</span>
        </span>
        <bdi class="cut" title={name}>
          {name}
        </bdi>
        {(running !== undefined || game.clock_us.length > 0) && (
          <span class="clock">
            <span class="unseen">Clock </span>
            {running ?? known(game.clock_us, clock) ?? "–"}
          </span>
        )}
        {running === undefined && game.clock_us.length === 0 && turn && <span class="clock small">to move</span>}
      </p>
      <div class="said">
        <p class="whose" aria-hidden="true">
          {word}
        </p>
        <dl>
          <Figure name="Evaluation" value={known(game.eval, (each) => evaluation(each, color)?.text ?? null)} />
          <Figure name="Depth" value={known(game.depth, String)} />
          <Figure name="Move time" value={known(game.time_us, duration)} />
          <Figure name="Nodes" value={known(game.nodes, count)} />
          <Figure name="Nodes/s" value={nodes === null ? null : count(nodes)} />
          {game.lost.length > 0 && <Figure name="Lost" value={known(game.lost, (each) => signed(each / 100, 2).replace("+", ""))} />}
        </dl>
        <div class="thinks">
          {line.length > 0 && <Line by={word} line={line} onTry={onTry} />}
          {game.rationale.length > 0 && (
            <div class="rationale" role="group" aria-label="Rationale" tabIndex={0}>
              {known(game.rationale, (said) => <Foreign text={said} most={RATIONALE_LENGTH} />)}
            </div>
          )}
        </div>
      </div>
    </section>
  );
}
