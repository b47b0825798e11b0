// "Now playing": the boards of the games under way, above the standings. Only those in view are drawn and asked for.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { PageEvent } from "../types";
import { many } from "../words";
import { Card } from "./card";
import { hasBoards } from "./standing";
import type { Store, Wanted } from "./store";
import { useLive } from "./use";

/** Boards so far outside the window are drawn already. */
const MARGIN = "160px 0px";
const KEY = "all-boards";

function remembered(): boolean {
  try {
    return sessionStorage.getItem(KEY) === "1";
  } catch {
    return false;
  }
}
function remember(all: boolean): void {
  try {
    sessionStorage.setItem(KEY, all ? "1" : "0");
  } catch {
    // A browser without storage forgets.
  }
}

/** The slots whose boards are in view; the store is told. */
export function useInView(store: Store, who: string, slots: number): [preact.RefObject<HTMLUListElement | null>, ReadonlySet<number>] {
  const list = useRef<HTMLUListElement>(null);
  const [inView, setInView] = useState<ReadonlySet<number>>(new Set());
  useEffect(() => {
    const shown = new Set<number>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const slot = Number((target as HTMLElement).dataset["slot"]);
          if (isIntersecting) shown.add(slot);
          else shown.delete(slot);
        }
        const now: Wanted = new Set(shown);
        setInView(now);
        store.want(who, now);
      },
      { rootMargin: MARGIN },
    );
    for (const card of list.current?.children ?? []) observer.observe(card);
    return () => observer.disconnect();
  }, [slots]);
  useEffect(() => () => store.want(who, null), []);
  return [list, inView];
}

/** A card with its text beside the board takes this much (rem): see live.css. */
const WIDE_CARD = 34;
/** So many boards are shown always. */
const ALWAYS = 6;

/** How many cards of a row there is room for, and whether they may have their text beside the board. */
function useRoom(list: preact.RefObject<HTMLUListElement | null>, slots: number): { columns: number; few: boolean } {
  const [room, setRoom] = useState({ columns: 1, few: false });
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    const measure = () => {
      const style = getComputedStyle(element);
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const gap = Number.parseFloat(style.columnGap);
      const fitting = (least: number) => Math.max(1, Math.floor((element.clientWidth + gap) / (least * rem + gap)));
      const few = slots > 0 && element.clientWidth >= WIDE_CARD * rem && slots <= fitting(WIDE_CARD);
      setRoom({ few, columns: few ? slots : fitting(Number.parseFloat(style.getPropertyValue("--tile"))) });
    };
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [slots]);
  return room;
}

export function NowPlaying({ store, event }: { store: Store; event: PageEvent }) {
  const shown = useLive(store, () => hasBoards(store.run, event, store.underWay));
  return shown ? <Boards store={store} event={event} /> : null;
}

function Boards({ store, event }: { store: Store; event: PageEvent }) {
  const told = useLive(store, () => store.boards);
  const [row, setRow] = useState(1);
  // Before it is known how many there are, there is a row of places.
  const slots = told > 0 ? told : row;
  const [list, inView] = useInView(store, "overview", slots);
  const { columns, few } = useRoom(list, told);
  useLayoutEffect(() => setRow(columns), [columns]);
  const [all, setAll] = useState(remembered);
  const kind = ["boards", few ? "few" : "", slots <= columns ? "fit" : ""].join(" ");
  return (
    <section class="playing" aria-labelledby="playing-heading">
      <header>
        <h2 id="playing-heading">Now playing</h2>
        <p class="note">Evaluations are from White’s view.</p>
        <button type="button" aria-expanded={all} aria-controls="boards" hidden={slots <= Math.max(ALWAYS, columns)}
          onClick={() => {
            remember(!all);
            setAll(!all);
          }}>
          {all ? "Show one row" : `Show all ${many(slots, "board")}`}
        </button>
      </header>
      <ul id="boards" ref={list} class={kind}>
        {Array.from({ length: slots }, (_each, slot) => (
          <Card key={slot} store={store} event={event} slot={slot} drawn={inView.has(slot)} hidden={!all && slots > ALWAYS && slot >= columns} />
        ))}
      </ul>
    </section>
  );
}
