// The view for a hall, `?hall`: standings, boards and the latest round in turn, in large type. Keys: space stops it, arrows go on and back.
import { render } from "preact";
import type { Live } from "../live/live";
import { hasBoards } from "../live/standing";
import type { PageEvent } from "../types";
import { capacity, HallBoards } from "./boards";
import { pagesOf } from "./pages";

/** How long a page of a table and of boards is shown (ms). */
const SHOWN = { table: 12_000, text: 12_000, boards: 24_000 };

type Slide = { title: string; page: number; pages: number } & ({ kind: "table" | "text"; content: HTMLElement } | { kind: "boards"; slots: number[]; compact: boolean });

export function isHall(): boolean {
  return new URLSearchParams(location.search).has("hall");
}

/** At the foot of the page, how to get here. */
export function addHallLink(): void {
  const line = element("p", "");
  const link = element("a", "");
  link.href = `${location.pathname}?hall`;
  link.textContent = "Show this event on a projector";
  line.append(link);
  document.querySelector("footer.bottom > p")?.after(line);
}

function element<Name extends keyof HTMLElementTagNameMap>(name: Name, kind: string): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = kind;
  return made;
}

/** What stands above a table. */
function headingOf(table: HTMLTableElement): string | null {
  let above = (table.closest(".scroll") ?? table).previousElementSibling;
  while (above && !/^H[23]$/.test(above.tagName)) above = above.previousElementSibling;
  return above?.textContent ?? null;
}

export class Hall {
  readonly #live: Live | null;
  #event: PageEvent;
  readonly #heading = element("h1", "");
  readonly #stage = element("div", "stage");
  readonly #dots = element("ol", "dots");
  readonly #pause = element("button", "");
  #slides: Slide[] = [];
  #at = 0;
  #paused = false;
  #timer: number | undefined;
  /** What the slides were made from. */
  #made = "";

  constructor(main: HTMLElement, event: PageEvent, live: Live | null) {
    this.#event = event;
    this.#live = live;
    document.documentElement.classList.add("hall");
    const root = element("div", "slides");
    const slide = element("section", "slide");
    this.#heading.id = "slide";
    slide.setAttribute("aria-labelledby", "slide");
    slide.append(this.#heading, this.#stage);
    root.append(slide, this.#foot());
    main.append(root);
    main.classList.add("ready");
    document.addEventListener("keydown", (press) => this.#key(press));
    new ResizeObserver(() => this.#make(true)).observe(this.#stage);
    live?.store.subscribe(() => this.#make(false));
    this.#make(true);
  }

  /** The event has changed, or its page. */
  news(event: PageEvent): void {
    this.#event = event;
    this.#make(true);
  }

  #foot(): HTMLElement {
    const foot = element("div", "turns");
    this.#pause.type = "button";
    this.#pause.addEventListener("click", () => this.#setPaused(!this.#paused));
    const leave = element("a", "");
    leave.href = location.pathname;
    leave.textContent = "Leave";
    const keys = element("p", "note");
    keys.textContent = "Keys: space stops, arrows go on and back";
    foot.append(this.#dots, keys, this.#pause, leave);
    return foot;
  }

  #key(press: KeyboardEvent): void {
    if (press.ctrlKey || press.altKey || press.metaKey) return;
    const by = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 }[press.key];
    if (by !== undefined) this.#go(this.#at + by);
    else if (press.key === " " && !(press.target instanceof HTMLButtonElement)) this.#setPaused(!this.#paused);
    else return;
    press.preventDefault();
  }

  #setPaused(paused: boolean): void {
    this.#paused = paused;
    this.#pause.textContent = paused ? "Go on" : "Stop";
    document.documentElement.classList.toggle("stopped", paused);
    this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    const slide = this.#slides[this.#at];
    if (!this.#paused && slide) this.#timer = window.setTimeout(() => this.#go(this.#at + 1), SHOWN[slide.kind]);
  }

  #go(to: number): void {
    const count = this.#slides.length;
    if (count === 0) return;
    this.#at = (to + count) % count;
    this.#show();
    this.#schedule();
  }

  /** Where boards are shown, how many. */
  get #boards(): number {
    const store = this.#live?.store;
    return store && hasBoards(store.run, this.#event, store.underWay) ? store.boards : 0;
  }

  get #room() {
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    return { width: this.#stage.clientWidth / rem, height: this.#stage.clientHeight / rem, rem };
  }

  /** The pages of a table of the page. */
  #table(title: string, table: HTMLTableElement | null | undefined): Slide[] {
    if (!table || (table.tBodies[0]?.rows.length ?? 0) === 0) return [];
    const hidden = element("div", "measure");
    this.#stage.append(hidden);
    const pages = pagesOf(table, hidden);
    hidden.remove();
    return pages.map((each, page) => ({ kind: "table", title, page, pages: pages.length, content: each }));
  }

  /** Standings, of each part where there are several, and what else the overview ranks agents in. */
  #standings(): Slide[] {
    const tables = [...document.querySelectorAll<HTMLTableElement>("#overview table.data:has(td.name a[href^='#agent-'])")];
    return tables.filter((table) => !table.closest("details")).flatMap((table) => this.#table(headingOf(table) ?? "Standings", table));
  }

  #announcements(): Slide[] {
    const latest = document.querySelector("#overview div.announcements > ol");
    if (!latest) return [];
    const content = element("ol", "announced");
    content.append(...[...latest.children].map((each) => each.cloneNode(true)));
    return [{ kind: "text", title: "Announcements", page: 0, pages: 1, content }];
  }

  #boardSlides(): Slide[] {
    const boards = this.#boards;
    if (boards === 0) return [];
    const { most, compact } = capacity(this.#room, boards);
    const pages = Math.ceil(boards / most);
    const each = Math.ceil(boards / pages);
    return Array.from({ length: pages }, (_page, page) => {
      const slots = Array.from({ length: each }, (_slot, index) => page * each + index).filter((slot) => slot < boards);
      return { kind: "boards", title: "Now playing", page, pages, slots, compact };
    });
  }

  /** Makes the slides from what the page has now; the one that is shown stays. */
  #make(all: boolean): void {
    const made = `${this.#boards}`;
    if (!all && made === this.#made) return;
    this.#made = made;
    const shown = this.#slides[this.#at];
    const round = document.querySelector("#rounds article.round");
    this.#slides = [
      ...this.#announcements(),
      ...this.#standings(),
      ...this.#boardSlides(),
      ...this.#table(round?.querySelector("h2")?.textContent ?? "Round", round?.querySelector<HTMLTableElement>("table.data")),
    ];
    const same = shown ? this.#slides.findIndex((each) => each.title === shown.title && each.page === shown.page) : -1;
    const alike = shown && same < 0 ? this.#slides.findIndex((each) => each.kind === shown.kind) : -1;
    this.#at = Math.max(0, same, alike);
    this.#show();
    if (same < 0 || !shown) this.#setPaused(this.#paused);
  }

  #show(): void {
    const slide = this.#slides[this.#at];
    const store = this.#live?.store;
    this.#heading.textContent = slide?.title ?? this.#event.event;
    if (slide && slide.pages > 1) {
      const page = element("span", "page");
      page.textContent = ` ${slide.page + 1} of ${slide.pages}`;
      this.#heading.append(page);
    }
    document.title = `${slide?.title ?? "Hall"} – ${this.#event.event}`;
    if (slide?.kind === "boards" && store) {
      this.#stage.querySelector(":scope > :is(table, ol)")?.remove();
      store.want("hall", new Set(slide.slots));
      render(<HallBoards key={slide.slots.join()} store={store} event={this.#event} slots={slide.slots} compact={slide.compact} room={this.#room} />, this.#stage);
    } else {
      render(null, this.#stage);
      store?.want("hall", null);
      this.#stage.replaceChildren(...(slide && "content" in slide ? [slide.content] : []));
    }
    this.#showDots();
  }

  #showDots(): void {
    const focused = [...this.#dots.querySelectorAll("button")].indexOf(document.activeElement as HTMLButtonElement);
    this.#dots.replaceChildren(
      ...this.#slides.map((slide, index) => {
        const item = element("li", "");
        const dot = element("button", "");
        dot.type = "button";
        dot.setAttribute("aria-label", slide.pages > 1 ? `${slide.title}, ${slide.page + 1} of ${slide.pages}` : slide.title);
        if (index === this.#at) dot.setAttribute("aria-current", "true");
        dot.addEventListener("click", () => this.#go(index));
        item.append(dot);
        return item;
      }),
    );
    if (focused >= 0) this.#dots.querySelectorAll("button")[Math.min(focused, this.#slides.length - 1)]?.focus();
  }
}
