// The decisive moment of a mini-match: the move after which both engines thought most otherwise of the game than before it.
import { evaluation } from "../evaluation";
import { whiteBegins } from "../figures";
import type { Game } from "../types";

/** Beyond so many pawns an evaluation says no more than that the game is won. */
const MOST = 10;
/** Of a smaller change (pawns) nothing is said. */
const LEAST = 1.5;

export interface Decisive {
  game: number;
  /** Of the game, from its beginning. */
  ply: number;
  /** By how many pawns, towards White where it is more than 0: of both changes the smaller one. */
  by: number;
}

/** Of games with the evaluations of both sides; null where there are none, or nothing changed much. */
export function decisive(games: Game[]): Decisive | null {
  let most: Decisive | null = null;
  for (const game of games) {
    const first = whiteBegins(game) ? 0 : 1;
    const views = game.eval.map((value, index) => {
      const found = evaluation(value, (index + first) % 2 === 0 ? "white" : "black");
      return found && Math.max(-MOST, Math.min(MOST, found.pawns));
    });
    const opening = game.opening.split(/\s+/).filter((each) => each !== "").length;
    for (let index = 1; index + 2 < views.length; index += 1) {
      // Before and after the move at `index`: what its opponent said, and what its own side said.
      const change = (before: number, after: number) => {
        const [then, now] = [views[before], views[after]];
        return then == null || now == null ? 0 : now - then;
      };
      const [its, other] = [change(index, index + 2), change(index - 1, index + 1)];
      if (its * other <= 0) continue;
      const by = Math.sign(its) * Math.min(Math.abs(its), Math.abs(other));
      if (Math.abs(by) >= LEAST && Math.abs(by) > Math.abs(most?.by ?? 0)) most = { game: game.game, ply: opening + index + 1, by };
    }
  }
  return most;
}
