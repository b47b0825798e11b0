// A page that is served live: it is told what happens, and shows it at once.
import { render } from "preact";
import { useRef } from "preact/hooks";
import type { Sections } from "../sections";
import type { MiniMatch, PageEvent } from "../types";
import { Connection } from "./connection";
import type { Message } from "./messages";
import { NowPlaying } from "./playing";
import { showScores } from "./scores";
import { hasBoards, Standing } from "./standing";
import { LiveState } from "./state";
import { Store } from "./store";
import { TakeOver } from "./takeover";
import { useLive } from "./use";
import { watched } from "./watched";

/** What came within this time (ms) is shown together. */
const TOGETHER = 60;
/** For so long (ms) the page waits for the first message. */
const UNSEEN = 600;

export function isLive(): boolean {
  return document.documentElement.dataset["live"] !== undefined;
}

/** In the order of the schedule. */
function inOrder(a: MiniMatch, b: MiniMatch): number {
  return a.round - b.round || a.playoff - b.playoff || a.board - b.board;
}

/** The event with newer mini-matches; itself where none is another. */
function withMatches(event: PageEvent, matches: Map<string, MiniMatch>): PageEvent {
  const text = (match: MiniMatch) => JSON.stringify(match);
  let same = true;
  const taken = event.mini_matches.map((old) => {
    const now = matches.get(old.id);
    if (!now || text(now) === text(old)) return old;
    same = false;
    return now;
  });
  const has = new Set(event.mini_matches.map((match) => match.id));
  const added = [...matches.values()].filter((match) => !has.has(match.id));
  if (same && added.length === 0) return event;
  return { ...event, mini_matches: added.length === 0 ? taken : [...taken, ...added].sort(inOrder) };
}

/** Games under way, or what stands in their place: as high as they were, so that nothing below jumps. */
function Above({ store, event }: { store: Store; event: PageEvent }) {
  const boards = useLive(store, () => hasBoards(store.run, event, store.underWay));
  const box = useRef<HTMLDivElement>(null);
  const height = useRef(0);
  if (boards) height.current = box.current?.clientHeight || height.current;
  const isOver = event.over || store.run?.over === true;
  return (
    <div ref={box} style={{ minHeight: boards || isOver ? "" : `${height.current}px` }}>
      <NowPlaying store={store} event={event} />
      <Standing store={store} event={event} />
    </div>
  );
}

export class Live {
  readonly store = new Store();
  event: PageEvent;
  readonly #sections: Sections;
  readonly #onEvent: (event: PageEvent) => void;
  readonly #takeOver: TakeOver;
  readonly #matches = new Map<string, MiniMatch>();
  #timer: number | undefined;

  constructor(sections: Sections, event: PageEvent, onEvent: (event: PageEvent) => void) {
    this.#sections = sections;
    this.event = event;
    this.#onEvent = onEvent;
    watched.store = this.store;
    this.#takeOver = new TakeOver(sections, (read) => this.#takeEvent(read), () => this.store.setLink("refused"));
    this.#draw();
    this.#wait();
    new Connection(this.store, (message) => this.#take(message));
  }

  #state(): HTMLElement {
    const there = document.querySelector<HTMLElement>(".top .live-state");
    if (there) return there;
    const line = document.createElement("p");
    line.setAttribute("role", "status");
    line.setAttribute("aria-live", "polite");
    document.querySelector(".top .state")?.after(line);
    line.className = "live-state";
    return line;
  }

  /** The page is seen when it is known how many boards it has, so that nothing jumps; or a moment later without. */
  #wait(): void {
    if (this.event.over) return;
    const { main } = this.#sections;
    main.classList.add("waits");
    const see = () => {
      main.classList.remove("waits");
      clearTimeout(timer);
      stop();
    };
    const timer = setTimeout(see, UNSEEN);
    const stop = this.store.subscribe(() => this.store.run !== null && see());
  }

  #draw(): void {
    render(<LiveState store={this.store} event={this.event} />, this.#state());
    render(<Above store={this.store} event={this.event} />, this.#sections.above);
  }

  #take(message: Message): void {
    if (message.type === "page") this.#takeOver.version(message.data.version, this.store.run?.over ?? false);
    else if (message.type === "match") {
      this.#matches.set(message.data.id, message.data);
      this.#timer ??= window.setTimeout(() => this.#takeMatches(), TOGETHER);
    } else this.store.take(message);
  }

  #takeMatches(): void {
    this.#timer = undefined;
    const event = withMatches(this.event, this.#matches);
    if (event === this.event) return;
    const known = new Set(this.event.mini_matches);
    showScores(event.mini_matches.filter((match) => !known.has(match)));
    this.#show(event);
  }

  /** A new page. It may be a moment older than what came of a mini-match; else it is right. */
  #takeEvent(read: PageEvent): void {
    const ended = (match: MiniMatch) => match.results.replaceAll(".", "").length;
    for (const match of read.mini_matches) {
      const came = this.#matches.get(match.id);
      if (came && ended(came) <= ended(match)) this.#matches.delete(match.id);
    }
    for (const id of this.#matches.keys()) if (!read.mini_matches.some((match) => match.id === id)) this.#matches.delete(id);
    this.#show(withMatches(read, this.#matches));
  }

  #show(event: PageEvent): void {
    this.event = event;
    this.#draw();
    this.#onEvent(event);
  }
}
