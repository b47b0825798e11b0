// Evaluations: engines give them from the mover's side, the page shows them from White's.
import type { Replay } from "./replay";
import type { Game } from "./types";
import { signed } from "./words";

export interface Evaluation {
  /** In pawns, from White's side; mates are beyond every other value. */
  pawns: number;
  text: string;
}

const MATE = 1000;
/** Engines may say anything; nothing beyond this is shown. */
const MOST = 999.99;

export function evaluation(value: number | string | null | undefined, mover: "white" | "black"): Evaluation | null {
  if (value === null || value === undefined) return null;
  const sign = mover === "white" ? 1 : -1;
  if (typeof value === "number") {
    const pawns = (sign * value) / 100;
    return { pawns, text: signed(Math.max(-MOST, Math.min(MOST, pawns)), 2) };
  }
  const found = /^#(-?)(\d{1,4})$/.exec(value);
  if (!found) return null;
  const moves = Number(found[2]);
  // Mate in 0: the side to move is mated.
  const wins = (found[1] === "" && moves > 0 ? 1 : -1) * sign;
  return { pawns: wins * MATE, text: `#${wins < 0 && moves > 0 ? "−" : ""}${moves}` };
}

/** An evaluation, and whose it is. */
export interface Said {
  evaluation: Evaluation;
  by: "White" | "Black" | "the reference engine";
}

/** What is known of a position: by the reference engine, else by the engine that moved last and said something. */
export function saidAt(game: Game, played: Replay, ply: number): Said | null {
  const position = played.positions[ply];
  const reference = position && evaluation(game.reference[ply - played.opening], position.turn);
  if (reference) return { evaluation: reference, by: "the reference engine" };
  for (let each = ply; each > played.opening; each -= 1) {
    const mover = played.positions[each]?.mover ?? "white";
    const found = evaluation(game.eval[each - played.opening - 1], mover);
    if (found) return { evaluation: found, by: mover === "white" ? "White" : "Black" };
  }
  return null;
}
