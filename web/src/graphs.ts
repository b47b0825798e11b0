// What the graphs of a game show, and what they say of a ply.
import { evaluation } from "./evaluation";
import type { Series } from "./graph";
import { type Replay, thought } from "./replay";
import type { Game, Side } from "./types";
import { count, duration, speed } from "./words";

/** Evaluations beyond this many pawns are drawn at the edge. */
const MOST_PAWNS = 10;

export interface Graphed {
  series: Series[];
  /** In words, for each series and ply. */
  texts: (string | null)[][];
  range: [number, number];
}

interface Value {
  drawn: number;
  text: string;
}

/** The values of the moves of both sides, each at its ply; null where nothing is known. */
function bySide(played: Replay, value: (index: number, mover: Side) => Value | null): { white: (Value | null)[]; black: (Value | null)[] } | null {
  const white: (Value | null)[] = [];
  const black: (Value | null)[] = [];
  for (const [ply, position] of played.positions.entries()) {
    const index = ply - played.opening - 1;
    const got = position.san === null || index < 0 ? null : value(index, position.mover);
    white.push(position.mover === "white" ? got : null);
    black.push(position.mover === "black" ? got : null);
  }
  return [...white, ...black].some((each) => each !== null) ? { white, black } : null;
}

const DASHED = [6, 4];
const DOTTED = [2, 3];
const drawn = (values: (Value | null)[]) => values.map((each) => each && each.drawn);
const texts = (values: (Value | null)[]) => values.map((each) => each && each.text);
const most = (...all: (Value | null)[][]) => Math.max(0, ...all.flat().map((each) => Math.abs(each?.drawn ?? 0)));

function pawns(value: number | string | null | undefined, mover: Side): Value | null {
  const found = evaluation(value, mover);
  return found && { drawn: Math.max(-MOST_PAWNS, Math.min(MOST_PAWNS, found.pawns)), text: found.text };
}

function lines(white: (Value | null)[], black: (Value | null)[]): Series[] {
  return [
    { label: "White", values: drawn(white), color: "--white-side", kind: "line" },
    { label: "Black", values: drawn(black), color: "--black-side", kind: "line", dash: DASHED },
  ];
}

/** Evaluations of both sides, and of a reference engine where the game was analysed. */
export function evaluations(game: Game, played: Replay): Graphed | null {
  const sides = bySide(played, (index, mover) => pawns(game.eval[index], mover));
  const reference = played.positions.map((position, ply) => pawns(game.reference[ply - played.opening], position.turn));
  const isAnalysed = reference.some((each) => each !== null);
  if (!sides && !isAnalysed) return null;
  const { white, black } = sides ?? { white: [], black: [] };
  const edge = Math.max(1.5, most(white, black, reference)) * 1.06;
  const nothing = played.positions.map(() => null);
  const series = lines(sides ? white : nothing, sides ? black : nothing);
  if (isAnalysed) series.push({ label: "Reference", values: drawn(reference), color: "--reference", kind: "line", dash: DOTTED });
  return { series, texts: [texts(white), texts(black), ...(isAnalysed ? [texts(reference)] : [])], range: [-edge, edge] };
}

/** Seconds a move: White's upwards, Black's downwards. */
export function times(game: Game, played: Replay): Graphed | null {
  const sides = bySide(played, (index, mover) => {
    const time = game.time_us[index] ?? null;
    return time === null ? null : { drawn: ((mover === "white" ? 1 : -1) * time) / 1e6, text: duration(time) };
  });
  if (!sides) return null;
  const { white, black } = sides;
  const edge = Math.max(0.001, most(white, black)) * 1.06;
  return {
    series: [
      { label: "White", values: drawn(white), color: "--white-side", kind: "bars" },
      { label: "Black", values: drawn(black), color: "--black-side", kind: "bars" },
    ],
    texts: [texts(white), texts(black)],
    range: [-edge, edge],
  };
}

/** A figure of each move that is never below 0. */
function upwards(played: Replay, value: (index: number) => Value | null): Graphed | null {
  const sides = bySide(played, value);
  if (!sides) return null;
  const { white, black } = sides;
  return { series: lines(white, black), texts: [texts(white), texts(black)], range: [0, Math.max(1, most(white, black)) * 1.06] };
}

export function depths(game: Game, played: Replay): Graphed | null {
  return upwards(played, (index) => {
    const depth = game.depth[index] ?? null;
    return depth === null ? null : { drawn: depth, text: String(depth) };
  });
}

/** Nodes a second. */
export function speeds(game: Game, played: Replay): Graphed | null {
  return upwards(played, (index) => {
    const nodes = speed(game.nodes[index], thought(game, index));
    return nodes === null ? null : { drawn: nodes, text: count(nodes) };
  });
}
