// The quiet line in the head that says how live the page is.
import { plain } from "../text";
import type { PageEvent } from "../types";
import { duration, wall } from "../words";
import type { Store } from "./store";
import { useLive } from "./use";

function delayWords(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  if (milliseconds < 60_000) return `shown ${duration(milliseconds * 1000)} late`;
  return `shown ${minutes} ${minutes === 1 ? "minute" : "minutes"} late`;
}

/** The kind is for the stylesheet. */
export function stateOf(store: Store, event: PageEvent | null): [kind: string, words: string] {
  if (store.link === "refused") return ["trouble", "a token is needed: open again the link that you were given"];
  const { run } = store;
  // The server of an event that is over may end with it.
  if (store.lost && !run?.over) return ["trouble", `reconnecting …, as of ${wall(store.lost.at)}`];
  // That the event is over is said by its state beside this.
  if (run === null) return ["", ""];
  if (run.over) return ["done", event?.over ? "" : "the event is over"];
  if (!run.at_work) return ["done", "the runner has stopped"];
  if (run.state === "paused") return ["paused", run.why === null ? "paused" : `paused: ${plain(run.why, 80)}`];
  const late = run.delay_ms > 0 ? delayWords(run.delay_ms) : null;
  if (run.state === "before") return ["waits", late ?? "not begun"];
  if (run.state === "between") return ["waits", late ?? "between rounds"];
  if (!run.live) return ["live", late ? `live, ${late}: results only` : "live: results only"];
  return ["live", late ?? "live"];
}

export function LiveState({ store, event }: { store: Store; event: PageEvent | null }) {
  const words = useLive(store, () => stateOf(store, event).join("\n"));
  const [kind, text] = words.split("\n");
  return <span class={kind} title={text}>{text}</span>;
}
