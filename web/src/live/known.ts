// Games under way as the views need them: positions, and what was seen of evaluations and times.
import { Growing, type Replay } from "../replay";
import type { Game, LiveColumns, LiveLineGame, LiveSide } from "../types";
import { INITIAL_FEN } from "chessops/fen";
import { gameOf } from "./messages";
import { plain } from "../text";

/** Positions of so many games are kept. */
const MOST_GAMES = 100;

interface Kept {
  live: LiveLineGame | null;
  growing: Growing;
  moves: string;
  played: Replay;
  game: Game;
}
const kept = new Map<string, Kept>();

function begin(live: LiveLineGame): Kept {
  const fen = live.opening?.fen ?? INITIAL_FEN;
  const opening = live.opening?.moves ?? "";
  const growing = new Growing(fen, opening);
  const game: Game = {
    game: gameOf(live.id)?.game ?? 0,
    fen,
    opening,
    opening_name: live.opening?.name ?? null,
    moves: "",
    chess960: /960|fischer/i.test(live.opening?.variant ?? ""),
    time_us: [],
    clock_us: [],
    eval: [],
    depth: [],
    nodes: [],
    pv: [],
    attempts: [],
    ending: "",
    rationale: [],
    late_us: null,
    clock_used: null,
    reference: [],
    lost: [],
    marks: "",
    quality: null,
  };
  return { live: null, growing, moves: "", played: growing.with(""), game };
}

function put<T>(list: T[], index: number, value: T | null): void {
  if (value !== null) list[index] = value;
}

/** What a side said of its last move. */
function note(game: Game, side: LiveSide): void {
  const { last } = side;
  if (!last || !Number.isInteger(last.ply) || last.ply < 0 || last.ply > 5000) return;
  put(game.time_us, last.ply, last.time_us);
  put(game.clock_us, last.ply, side.clock_us);
  put(game.eval, last.ply, last.eval);
  put(game.depth, last.ply, last.depth);
  put(game.nodes, last.ply, last.nodes);
  put(game.pv, last.ply, last.pv);
}

function pliesOf(moves: string): number {
  return moves === "" ? 0 : moves.split(" ").length;
}

/** The first ply of which nothing is known; null where there is none. */
export function missing(live: LiveLineGame): number | null {
  const times = kept.get(live.id)?.game.time_us;
  if (!times) return null;
  for (let ply = 0; ply < pliesOf(live.moves); ply += 1) if (times[ply] === undefined) return ply;
  return null;
}

/** Takes over what is known of plies that are shown. False: the game is another one by now. */
export function fill(id: string, plies: LiveColumns): boolean {
  const has = kept.get(id);
  if (!has) return false;
  const most = pliesOf(has.moves);
  const game = { ...has.game };
  for (const name of ["time_us", "clock_us", "eval", "depth", "nodes"] as const) {
    const column = [...game[name]] as (number | string | null)[];
    plies[name]?.forEach((value, index) => plies.from + index < most && put(column, plies.from + index, value));
    Object.assign(game, { [name]: column });
  }
  has.game = game;
  return true;
}

/** How a game that has ended did so. */
export function endedWords(live: LiveLineGame): string {
  if (!live.ended) return "";
  const { result, termination } = live.ended;
  const score = { "1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½" }[result] ?? plain(result, 12);
  return `${score}, ${plain(termination.replaceAll("-", " "), 40)}`;
}

/** The game as far as it is known; fails where it begins at no position. */
export function known(live: LiveLineGame): { game: Game; played: Replay } {
  let has = kept.get(live.id);
  if (!has || !live.moves.startsWith(has.moves)) {
    has = begin(live);
    kept.delete(live.id);
    kept.set(live.id, has);
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_GAMES) break;
      kept.delete(oldest);
    }
  }
  if (live.moves !== has.moves) {
    has.moves = live.moves;
    has.played = has.growing.with(live.moves);
  }
  if (has.live === live) return { game: has.game, played: has.played };
  has.live = live;
  note(has.game, live.white);
  note(has.game, live.black);
  has.game = { ...has.game, moves: live.moves, ending: live.ended ? `The game is over: ${endedWords(live)}.` : "This game is being played." };
  return { game: has.game, played: has.played };
}
