// What the server says while an event is played: docs/live.md and docs/page.md describe it. Strict readers; unknown fields are ignored.
import { flag, list, maybe, miniMatch, number, oneOf, type Reader, record, score, text } from "../model";
import type { LastMove, LiveLineGame, LiveSide, MiniMatch } from "../types";

export interface Run {
  at_work: boolean;
  over: boolean;
  delay_ms: number;
  /** Whether games are shown while they are played. */
  live: boolean;
  /** How many games are played at once, at most; null where that is not told. */
  slots: number | null;
  /** How the event stands; null where a server of before does not say. */
  state: "before" | "playing" | "between" | "paused" | "over" | "stopped" | null;
  /** When what comes next begins at the earliest. */
  next_at: string | null;
  /** Why it is paused. */
  why: string | null;
  /** Whether what is played, or comes next, is under embargo. */
  held_back: boolean | null;
}
export interface PageVersion {
  version: string;
}

const run = record<Run>({
  at_work: flag, over: flag, delay_ms: number, live: flag, slots: maybe(number),
  state: maybe(oneOf("before", "playing", "between", "paused", "over", "stopped")), next_at: maybe(text), why: maybe(text), held_back: maybe(flag),
});
const page = record<PageVersion>({ version: text });
const last = record<LastMove>({
  ply: number, time_us: maybe(number), eval: maybe(score), depth: maybe(number), nodes: maybe(number), pv: maybe(text),
});
const side = record<LiveSide>({ pairing_number: number, name: text, clock_us: maybe(number), last: maybe(last) });
const game = record<LiveLineGame>({
  at: text,
  slot: number,
  id: text,
  white: side,
  black: side,
  opening: maybe(record({ name: maybe(text), fen: maybe(text), moves: maybe(text), variant: maybe(text) })),
  moves: maybe(text) as Reader<string>,
  to_move: maybe(oneOf("white", "black")),
  since: maybe(text),
  limit_us: maybe(number),
  ended: maybe(record({ result: text, termination: text, lost_by: maybe(text) })),
});

export type Message =
  | { type: "run"; data: Run }
  | { type: "page"; data: PageVersion }
  | { type: "match"; data: MiniMatch }
  | { type: "game"; data: LiveLineGame };
export const TYPES = ["run", "page", "match", "game"] as const;

/** A message; null if it is of a type that this page does not know. Fails where it is broken. */
export function readMessage(type: string, data: unknown): Message | null {
  switch (type) {
    case "run":
      return { type, data: run(data, "run") };
    case "page":
      return { type, data: page(data, "page") };
    case "match":
      return { type, data: miniMatch(data, "match") };
    case "game": {
      const read = game(data, "game");
      return { type, data: { ...read, moves: read.moves ?? "" } };
    }
    default:
      return null;
  }
}

export interface News {
  number: number;
  news: { type: string; data: unknown }[];
}
export const readNews: (value: unknown) => News = (() => {
  const any: Reader<unknown> = (value) => value;
  const news = record<News>({ number, news: list(record({ type: text, data: any })) });
  return (value) => news(value, "news");
})();

const GAME = /^(\d+(?:p\d+)?\.\d+)\.(\d+)$/;
/** The mini-match and the number of a game: `3.2.1` is game 1 of 3.2. */
export function gameOf(id: string): { match: string; game: number } | null {
  const found = GAME.exec(id);
  return found?.[1] ? { match: found[1], game: Number(found[2]) } : null;
}
