// The figures of all plies of a game that is being played: asked for once, and again where news were missed.
import { useEffect, useState } from "preact/hooks";
import { list, maybe, number, type Reader, record, score } from "../model";
import type { LiveColumns, LiveLineGame } from "../types";
import { fill, missing } from "./known";

/** Milliseconds between two questions about one game, and after an answer that there is none. */
const APART = 2_000;
const REFUSED = 20_000;

const column = <T>(reader: Reader<T>) => maybe(list(maybe(reader)));
const told = record({
  columns: record<LiveColumns>({
    from: number, time_us: column(number), clock_us: column(number), eval: column(score), depth: column(number), nodes: column(number),
  }),
});

/** When a game may be asked for again. */
const next = new Map<string, number>();

/** Sees to it that nothing is missing of a game that is shown. */
export function usePlies(live: LiveLineGame | null): void {
  const [, redraw] = useState(0);
  useEffect(() => {
    const from = live && missing(live);
    if (live === null || from === null) return undefined;
    const { id } = live;
    let wanted = true;
    const timer = setTimeout(() => {
      next.set(id, performance.now() + APART);
      void ask(id, from).then((got) => {
        // A server of another version does not know it, or it has just ended: what is missing comes with the stored game.
        if (got === null) next.set(id, performance.now() + REFUSED);
        else if (fill(id, got) && wanted) redraw((count) => count + 1);
      });
    }, Math.max(0, (next.get(id) ?? 0) - performance.now()));
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [live]);
}

async function ask(id: string, from: number): Promise<LiveColumns | null> {
  try {
    const answer = await fetch(`live/${id}.json${from === 0 ? "" : `?from=${from}`}`, { cache: "no-cache" });
    return answer.ok ? told(await answer.json(), id).columns : null;
  } catch {
    return null;
  }
}
