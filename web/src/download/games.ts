// The games of mini-matches as one PGN, made from what the page holds: read one mini-match after the other, kept packed together.
import { hasGames, readOnce } from "../data";
import { pgn } from "../pgn";
import { replay } from "../replay";
import type { MiniMatch, PageEvent } from "../types";

/** So long (ms) the page works before it looks at its reader again. */
const AT_ONCE = 30;
/** So many games are packed together. */
const PACKED = 200;

export interface Made {
  file: Blob;
  games: number;
  /** Mini-matches whose games could not be read, and single games. */
  unread: string[];
}

/** Those with games that were played. */
export function withGames(matches: MiniMatch[]): MiniMatch[] {
  return matches.filter((match) => match.plies.some((plies) => (plies ?? 0) > 0));
}

/** Tells how many mini-matches are read; fails where it is stopped. */
export async function gamesOf(event: PageEvent, matches: MiniMatch[], signal: AbortSignal, onRead: (read: number) => void): Promise<Made> {
  const packed: Blob[] = [];
  const unread: string[] = [];
  let [texts, games, rested]: [string[], number, number] = [[], 0, performance.now()];
  const pack = () => {
    packed.push(new Blob(texts));
    texts = [];
  };
  for (const [index, match] of matches.entries()) {
    const found = hasGames(event, match.id) ? await readOnce(event, match.id, signal).catch(() => null) : null;
    signal.throwIfAborted();
    if (found === null) unread.push(match.id);
    for (const game of found?.games ?? []) {
      const tags = found?.accounts.find((each) => each.game === game.game)?.tags;
      try {
        texts.push(`${pgn(event, match, game, replay(game), tags)}\n`);
        games += 1;
      } catch {
        // It begins at a position that no game can have.
        unread.push(`${match.id}.${game.game}`);
      }
      if (texts.length >= PACKED) pack();
      if (performance.now() - rested > AT_ONCE) {
        onRead(index);
        await new Promise((done) => setTimeout(done));
        signal.throwIfAborted();
        rested = performance.now();
      }
    }
  }
  pack();
  return { file: new Blob(packed, { type: "application/x-chess-pgn" }), games, unread };
}

/** Gives the reader a file. Its name is made of numbers alone. */
export function save(name: string, file: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
