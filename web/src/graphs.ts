// What the graphs of a game and of a mini-match show.
import { evaluation } from "./evaluation";
import type { Series } from "./graph";
import type { Game } from "./model";
import type { Replay } from "./replay";

/** Evaluations beyond this many pawns are drawn at the edge. */
const MOST_PAWNS = 10;

export interface Graphed {
  series: Series[];
  range: [number, number];
}

function bySide(played: Replay, value: (index: number, mover: "white" | "black") => number | null) {
  const white: (number | null)[] = [];
  const black: (number | null)[] = [];
  for (const [ply, position] of played.positions.entries()) {
    const index = ply - played.opening - 1;
    const got = position.san === null || index < 0 ? null : value(index, position.mover);
    white.push(position.mover === "white" ? got : null);
    black.push(position.mover === "black" ? got : null);
  }
  return { white, black, any: [...white, ...black].some((each) => each !== null) };
}

const DASHED = [6, 4];
const DOTTED = [2, 3];

function drawn(value: number | string | null | undefined, mover: "white" | "black"): number | null {
  const found = evaluation(value, mover);
  return found && Math.max(-MOST_PAWNS, Math.min(MOST_PAWNS, found.pawns));
}

/** Evaluations of both sides, and of a reference engine where the game was analysed. */
export function evaluations(game: Game, played: Replay): Graphed | null {
  const { white, black, any } = bySide(played, (index, mover) => drawn(game.eval[index], mover));
  const reference = played.positions.map((position, ply) => drawn(game.reference[ply - played.opening], position.turn));
  const isAnalysed = reference.some((each) => each !== null);
  if (!any && !isAnalysed) return null;
  const most = Math.max(1.5, ...[...white, ...black, ...reference].map((each) => Math.abs(each ?? 0)));
  const edge = Math.min(MOST_PAWNS, most) * 1.06;
  const series: Series[] = [
    { label: "White", values: white, color: "--white-side", kind: "line" },
    { label: "Black", values: black, color: "--black-side", kind: "line", dash: DASHED },
  ];
  if (isAnalysed) series.push({ label: "Reference", values: reference, color: "--reference", kind: "line", dash: DOTTED });
  return { series, range: [-edge, edge] };
}

/** Seconds a move: White's upwards, Black's downwards. */
export function times(game: Game, played: Replay): Graphed | null {
  const { white, black, any } = bySide(played, (index, mover) => {
    const time = game.time_us[index];
    return time === undefined ? null : ((mover === "white" ? 1 : -1) * time) / 1e6;
  });
  if (!any) return null;
  const edge = Math.max(0.001, ...[...white, ...black].map((each) => Math.abs(each ?? 0))) * 1.06;
  return {
    series: [
      { label: "White", values: white, color: "--white-side", kind: "bars" },
      { label: "Black", values: black, color: "--black-side", kind: "bars" },
    ],
    range: [-edge, edge],
  };
}
