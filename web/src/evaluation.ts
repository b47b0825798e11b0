// Evaluations: engines give them from the mover's side, the page shows them from White's.
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
  // Mate in 0: the side to move is mated.
  const wins = (found[1] === "" && Number(found[2]) > 0 ? 1 : -1) * sign;
  return { pawns: wins * MATE, text: `#${wins < 0 ? "−" : ""}${found[2]}` };
}
