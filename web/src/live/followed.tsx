// A game that is watched on its own board: its states as they come, until the stored game takes its place.
import { useEffect, useRef, useState } from "preact/hooks";
import { forget } from "../data";
import type { Replay } from "../replay";
import type { Game, MiniMatch, PageEvent, Side } from "../types";
import { LiveClock } from "./clock";
import { known } from "./known";
import { usePlies } from "./plies";
import { type GameState, Store } from "./store";
import { useLive } from "./use";
import { watched } from "./watched";

/** For so long (ms) all games are asked for when it is not known where one is played; then again after a pause. */
const SEARCH = 4_000;
const PAUSE = 20_000;
/** Milliseconds after which a stored game that is not there yet is asked for again. */
const AGAIN = [300, 700, 1_500, 3_000, 6_000, 12_000];
/** A server that is away is asked so often (ms). */
const ASKED = 2_000;
export const AWAY = "The server of this page cannot be reached. The game appears here by itself when the server is back. What was read before can still be looked at.";

const nowhere = new Store();

export interface Followed {
  /** Whether games of this page can be watched at all. */
  may: boolean;
  game: { game: Game; played: Replay } | null;
  clock: (color: Side) => preact.ComponentChild;
  /** What stands while there is nothing to show and the game is not over. */
  waits: string;
  /** Whether the server is away. */
  lost: boolean;
}

/** Asks for the slot where the game is played; looks for it in all where that is not known. */
function useSlotOf(store: Store, id: string, slot: number | null, asks: boolean, version: unknown): boolean {
  const [searched, setSearched] = useState(false);
  useEffect(() => {
    if (!asks) {
      store.want("game", null);
      return undefined;
    }
    if (slot !== null) {
      store.want("game", new Set([slot]));
      return undefined;
    }
    let timer: number;
    const search = () => {
      store.want("game", "all");
      timer = window.setTimeout(() => {
        setSearched(true);
        store.want("game", null);
        timer = window.setTimeout(search, PAUSE);
      }, SEARCH);
    };
    search();
    return () => clearTimeout(timer);
  }, [id, slot, asks, slot === null ? version : null]);
  useEffect(() => () => store.want("game", null), []);
  return searched;
}

export function useFollowed(event: PageEvent, match: MiniMatch, number: number, asks: boolean): Followed {
  const store = watched.store ?? nowhere;
  const may = watched.store !== null && !event.over;
  const id = `${match.id}.${number}`;
  const state = useLive(store, () => (may ? store.game(id) : null));
  const plays = useLive(store, () => store.playing);
  const lost = useLive(store, () => store.link === "lost");
  const last = useRef<GameState | null>(null);
  if (state) last.current = state;
  usePlies(state?.game ?? null);
  const searched = useSlotOf(store, id, state?.game.slot ?? null, may && asks && plays, match);
  let game: Followed["game"] = null;
  try {
    if (last.current) game = known(last.current.game);
  } catch {
    // It begins at a position that no game can have: it is shown when it is stored, or the fault is told then.
  }
  const shown = last.current;
  return {
    may,
    lost,
    game,
    clock: (color) => shown && <LiveClock store={store} state={shown} color={color} />,
    waits: !plays ? "This game is not over, and it is not shown while it is played." : searched ? "This game is not being played now. It appears here when it begins." : "Looking for the game …",
  };
}

/** Reads a stored game, and tells what came of it. One that has just ended may come a moment later; a server that is away is asked until it is back. */
export async function readStored<T extends object | null>(
  read: () => Promise<T>, id: string, isLive: boolean, wanted: () => boolean, tell: (got: T | null) => void,
): Promise<void> {
  const waits = [...AGAIN];
  for (;;) {
    const got = await read();
    if (!wanted()) return;
    const isAway = got !== null && "away" in got;
    const wait = isAway ? ASKED : isLive && got !== null && "problem" in got ? waits.shift() : undefined;
    tell(isAway || wait === undefined ? got : null);
    if (wait === undefined) return;
    do await new Promise((done) => setTimeout(done, wait));
    while (document.hidden && wanted());
    if (!wanted()) return;
    forget(id);
  }
}
