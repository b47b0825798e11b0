// Where the reader was: each entry of the browser's history has its place, so that going back leads to it.

import { number, record, text } from "./model";
import { finish } from "./rows";

/** Milliseconds without a move before the place is noted: browsers allow few notes a second. */
const STILL = 150;
/** Frames in which a place may still move. */
const SETTLES = 20;

export class Scrolled {
  #timer: number | undefined;
  #frame = 0;
  #back: Place | null;

  constructor() {
    history.scrollRestoration = "manual";
    this.#back = placeIn(history.state);
    window.addEventListener("scroll", () => this.#soon(), { passive: true });
    // A link leads away at once.
    window.addEventListener("click", () => this.#note(), { capture: true });
    for (const moves of ["wheel", "touchstart", "pointerdown", "keydown"]) {
      window.addEventListener(moves, () => cancelAnimationFrame(this.#frame), { passive: true, capture: true });
    }
    window.addEventListener("popstate", (change) => {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#back = placeIn(change.state);
    });
  }

  /** Whether the entry that is shown now was left before: then the page is where it was. It is asked once. */
  back(): boolean {
    const place = this.#back;
    this.#back = null;
    if (place === null) return false;
    this.#settle(place, SETTLES);
    return true;
  }

  /** What comes into view may be higher or lower than was thought, for some frames; the reader may be quicker. */
  #settle(place: Place, frames: number): void {
    cancelAnimationFrame(this.#frame);
    scrollTo(place);
    if (frames > 0) this.#frame = requestAnimationFrame(() => this.#settle(place, frames - 1));
  }

  #soon(): void {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#note(), STILL);
  }

  #note(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const state: unknown = history.state;
    const article = articles().find((each) => each.getBoundingClientRect().bottom > 0);
    const below = article ? article.getBoundingClientRect().top : 0;
    const scrolled: Place = { y: window.scrollY, article: article?.id ?? "", below };
    history.replaceState({ ...(typeof state === "object" ? state : {}), scrolled }, "");
  }
}

/** How far the page is scrolled, and how far below its top an article begins: those out of sight have no height of their own. */
interface Place {
  y: number;
  article: string;
  below: number;
}

function articles(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("main > .view:not([hidden]) article[id]")];
}

function scrollTo({ y, article, below }: Place): void {
  // Rows that are still to come would leave the page too short.
  finish();
  const found = articles().find((each) => each.id === article);
  window.scrollTo(0, found ? window.scrollY + found.getBoundingClientRect().top - below : y);
}

const placeIn = (state: unknown): Place | null => {
  try {
    return record({ scrolled: record<Place>({ y: number, article: text, below: number }) })(state, "state").scrolled;
  } catch {
    // An entry that was not left yet, or that another page made.
    return null;
  }
};
