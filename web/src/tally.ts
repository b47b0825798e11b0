// Counts results: of a mini-match from its first player's side, of a player over the event.
import type { MiniMatch, PageEvent } from "./types";
import { blackOf, whiteOf } from "./words";

export interface Wdl {
  won: number;
  drawn: number;
  lost: number;
}
export type Outcome = "won" | "drawn" | "lost" | "none" | "open";

export function noGames(): Wdl {
  return { won: 0, drawn: 0, lost: 0 };
}
export function add(wdl: Wdl, outcome: Outcome): void {
  if (outcome === "won" || outcome === "drawn" || outcome === "lost") wdl[outcome] += 1;
}
export function played(wdl: Wdl): number {
  return wdl.won + wdl.drawn + wdl.lost;
}

/** How a game, from 1, went for a player of the mini-match. */
export function outcomeFor(match: MiniMatch, game: number, player: number): Outcome {
  const result = match.results[game - 1];
  if (result === "=") return "drawn";
  if (result === "-") return "none";
  if (result !== "1" && result !== "0") return "open";
  return (result === "1") === (whiteOf(match, game) === player) ? "won" : "lost";
}

/** Whether the end of a game, from 1, was a fault of this player. */
export function isFaultOf(event: PageEvent, match: MiniMatch, game: number, player: number): boolean {
  const fault = endingOf(event, match, game)?.fault ?? null;
  if (fault === null) return false;
  if (fault === "both") return true;
  return (fault === "white" ? whiteOf(match, game) : blackOf(match, game)) === player;
}

export function endingOf(event: PageEvent, match: MiniMatch, game: number) {
  const index = match.endings[game - 1];
  return index === null || index === undefined ? undefined : event.endings[index];
}

export interface GamePair {
  /** From 1. */
  number: number;
  games: number[];
  /** Half points of the first player; null unless both games are over and count. */
  halves: number | null;
}

const HALVES = { won: 2, drawn: 1, lost: 0, none: null, open: null };

/** The games of a mini-match by their opening. */
export function pairsOf(match: MiniMatch): GamePair[] {
  const pairs = new Map<number, number[]>();
  for (let game = 1; game <= match.results.length; game += 1) {
    const opening = Math.floor((game - 1) / 2);
    pairs.set(opening, [...(pairs.get(opening) ?? []), game]);
  }
  return [...pairs.values()].map((games, index) => {
    const got = games.map((game) => HALVES[outcomeFor(match, game, match.white)]);
    const sum = got.reduce((total, each) => (total === null || each === null ? null : total + each), 0);
    return { number: index + 1, games, halves: games.length === 2 ? sum : null };
  });
}
