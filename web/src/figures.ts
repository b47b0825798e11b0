// What an agent's games tell together: openings, time, depth and speed by the number of the move.
import { parseFen } from "chessops/fen";
import { thought } from "./replay";
import { add, noGames, outcomeFor, type Wdl } from "./tally";
import type { Game, MiniMatch } from "./types";
import { speed, whiteOf } from "./words";

/** Later moves are not drawn. */
const MOST_MOVES = 150;
/** A number of a move has a median from so many values on, or as many as there are games. */
const FEWEST = 5;

export interface GameOf {
  match: MiniMatch;
  game: number;
}
export interface OfOpening {
  /** Null where it has none. */
  name: string | null;
  wdl: Wdl;
  games: GameOf[];
}
export interface Figures {
  games: number;
  moves: number;
  openings: OfOpening[];
  /** Microseconds. */
  time: { all: number; median: number; longest: number; at: GameOf & { ply: number } } | null;
  /** Mean share of the time that the clocks gave, 0 to 1. */
  clockUsed: number | null;
  attempts: (GameOf & { ply: number })[];
  /** By the number of the agent's own move, from 1. */
  depth: (number | null)[];
  speed: (number | null)[];
}

/** The value in the middle, the lower of two. */
function median(values: number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}

function plies(text: string): number {
  return text.split(/\s+/).filter((each) => each !== "").length;
}

/** Whether White makes the first move that is played. */
export function whiteBegins(game: Game): boolean {
  const turn = parseFen(game.fen).unwrap(
    (setup) => setup.turn,
    () => "white" as const,
  );
  return (turn === "white") === (plies(game.opening) % 2 === 0);
}

/** Gathers the games of a player one by one. */
export class Gathered {
  readonly #player: number;
  readonly #openings = new Map<string, OfOpening>();
  readonly #times: number[] = [];
  readonly #depth: number[][] = [];
  readonly #speed: number[][] = [];
  readonly #used: number[] = [];
  readonly #attempts: (GameOf & { ply: number })[] = [];
  #longest: { time: number; at: GameOf & { ply: number } } | null = null;
  #games = 0;

  constructor(player: number) {
    this.#player = player;
  }

  add(match: MiniMatch, game: Game): void {
    const at = { match, game: game.game };
    const side = whiteOf(match, game.game) === this.#player ? "white" : "black";
    this.#games += 1;
    this.#opening(match, game);
    const used = game.clock_used?.[side === "white" ? 0 : 1];
    if (used !== null && used !== undefined) this.#used.push(used / 1000);
    const opening = plies(game.opening);
    for (const attempt of game.attempts) if (attempt.side === side) this.#attempts.push({ ...at, ply: opening + attempt.ply });
    const first = whiteBegins(game) === (side === "white") ? 0 : 1;
    for (let index = first, move = 0; index < game.time_us.length; index += 2, move += 1) {
      const time = thought(game, index) ?? 0;
      this.#times.push(time);
      if (!this.#longest || time > this.#longest.time) this.#longest = { time, at: { ...at, ply: opening + index + 1 } };
      if (move >= MOST_MOVES) continue;
      const depth = game.depth[index];
      if (depth !== null && depth !== undefined) (this.#depth[move] ??= []).push(depth);
      const nodes = speed(game.nodes[index], time);
      if (nodes !== null) (this.#speed[move] ??= []).push(nodes);
    }
  }

  #opening(match: MiniMatch, game: Game): void {
    const key = `${game.fen}|${game.opening}`;
    const found = this.#openings.get(key) ?? { name: game.opening_name, wdl: noGames(), games: [] };
    this.#openings.set(key, found);
    add(found.wdl, outcomeFor(match, game.game, this.#player));
    found.games.push({ match, game: game.game });
  }

  figures(): Figures {
    const least = Math.max(1, Math.min(FEWEST, this.#games));
    // After the first number of a move that has too few values, what is left is of a few long games.
    const middles = (moves: number[][]) => {
      const all = Array.from(moves, (values) => ((values?.length ?? 0) >= least ? median(values) : null));
      const begins = all.findIndex((each) => each !== null);
      const ends = all.indexOf(null, Math.max(0, begins));
      return ends < 0 ? all : all.slice(0, ends);
    };
    const sum = (values: number[]) => values.reduce((all, each) => all + each, 0);
    const middle = median(this.#times);
    return {
      games: this.#games,
      moves: this.#times.length,
      openings: [...this.#openings.values()].sort((a, b) => b.games.length - a.games.length || (a.name ?? "").localeCompare(b.name ?? "")),
      time: this.#longest && middle !== null
        ? { all: sum(this.#times), median: middle, longest: this.#longest.time, at: this.#longest.at }
        : null,
      clockUsed: this.#used.length > 0 ? sum(this.#used) / this.#used.length : null,
      attempts: this.#attempts,
      depth: middles(this.#depth),
      speed: middles(this.#speed),
    };
  }
}
