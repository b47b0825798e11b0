// Clocks that tick: the text alone is set, ten times a second at most, and only where a clock runs.
import { useLayoutEffect, useRef } from "preact/hooks";
import { clock, wall } from "../words";
import type { Side } from "../types";
import type { GameState, Store } from "./store";
import { useLive } from "./use";

const TICK_MS = 100;
/** Below this (µs) tenths of a second are shown. */
const SHORT = 20_000_000;
/** Below this (µs) a clock is in the colour of alarm. */
const ALARM = 10_000_000;

const ticking = new Set<() => void>();
let timer: number | undefined;

/** Calls it at each tick. */
function onTick(tick: () => void): () => void {
  ticking.add(tick);
  timer ??= window.setInterval(() => ticking.forEach((each) => each()), TICK_MS);
  return () => {
    ticking.delete(tick);
    if (ticking.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

function words(left: number | null): string {
  if (left === null) return "–";
  return left < SHORT ? clock(left) : clock(left).replace(/\.\d$/, "");
}

export function LiveClock({ store, state, color }: { store: Store; state: GameState; color: Side }) {
  const element = useRef<HTMLSpanElement>(null);
  const lost = useLive(store, () => store.lost);
  const runs = lost === null && state.game.to_move === color && state.game.since !== null && state.game.ended === null;
  useLayoutEffect(() => {
    const show = () => {
      const left = store.timeLeft(state, color);
      const text = words(left);
      if (!element.current || element.current.textContent === text) return;
      element.current.textContent = text;
      // A time for each move is short always.
      element.current.toggleAttribute("data-alarm", left !== null && left < ALARM && state.game[color].clock_us !== null);
    };
    show();
    return runs ? onTick(show) : undefined;
  }, [state, runs]);
  const stale = lost === null ? undefined : `as of ${wall(lost.at)}`;
  return <span ref={element} class={runs ? "time runs" : lost ? "time stale" : "time"} title={stale} />;
}
