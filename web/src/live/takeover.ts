// Takes over a new version of the page: its state, links, sections and data, without losing where the reader is.
import { eventIn } from "../data";
import type { Sections } from "../sections";
import type { PageEvent } from "../types";
import { keep } from "./keep";
import { markMoved, places } from "./moved";

/** Milliseconds: a thousand readers do not come at once, and none comes too often. */
const SPREAD = 2_000;
const LEAST = 3_000;
const MOST_WAIT = 60_000;

export class TakeOver {
  readonly #sections: Sections;
  readonly #onEvent: (event: PageEvent) => void;
  readonly #onRefused: () => void;
  /** The markup of each section as it came. */
  readonly #came: Map<string, string>;
  #version: string | null;
  #wanted: string | null = null;
  #last = -Infinity;
  #tries = 0;
  #timer: number | undefined;
  #fetching = false;

  constructor(sections: Sections, onEvent: (event: PageEvent) => void, onRefused: () => void) {
    this.#sections = sections;
    this.#onEvent = onEvent;
    this.#onRefused = onRefused;
    this.#came = sections.came;
    this.#version = document.documentElement.dataset["version"] ?? null;
  }

  /** The server has this version. The last one is fetched at once, as its server may end with the event. */
  version(version: string, isLast: boolean): void {
    if (version === this.#version) return;
    this.#wanted = version;
    this.#tries = 0;
    if (isLast) {
      this.#last = -Infinity;
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
    this.#schedule(Math.random() * SPREAD);
  }

  #schedule(wait: number): void {
    if (this.#timer !== undefined || this.#fetching) return;
    const earliest = this.#last + LEAST - performance.now();
    this.#timer = window.setTimeout(() => void this.#fetch(), Math.max(wait, earliest));
  }

  async #fetch(): Promise<void> {
    const wanted = this.#wanted;
    this.#timer = undefined;
    this.#fetching = true;
    this.#last = performance.now();
    try {
      const answer = await fetch("./", { cache: "no-cache" });
      if (answer.status === 401) this.#onRefused();
      if (!answer.ok) throw new Error(`the server says ${answer.status}`);
      this.#take(new DOMParser().parseFromString(await answer.text(), "text/html"));
      this.#version = wanted;
      this.#tries = 0;
    } catch (error) {
      this.#tries += 1;
      console.warn("The new page cannot be read.", error);
    }
    this.#fetching = false;
    if (this.#tries > 0) this.#schedule(Math.min(MOST_WAIT, LEAST * 2 ** this.#tries));
    else if (this.#wanted !== this.#version) this.#schedule(0);
  }

  #take(page: Document): void {
    const event = eventIn(page);
    if (event === null || page.getElementById("main") === null) throw new Error("it is no page of an event");
    for (const name of [".event", ".state"]) {
      const [old, now] = [document.querySelector(`.top ${name}`), page.querySelector(`.top ${name}`)];
      if (old && now && old.textContent !== now.textContent) old.textContent = now.textContent;
      if (old && now) old.className = now.className;
    }
    const source = document.getElementById("event");
    if (source) source.textContent = page.getElementById("event")?.textContent ?? "";
    const before = places();
    const restores: (() => void)[] = [];
    const sections = [...page.querySelectorAll<HTMLElement>("#main > section.view")];
    let moved = false;
    for (const section of sections) {
      const markup = section.outerHTML;
      if (this.#came.get(section.id) === markup) continue;
      this.#came.set(section.id, markup);
      const old = this.#sections.get(section.id);
      if (old) restores.push(keep(old, old === this.#sections.shown));
      this.#sections.put(section.id, [...section.childNodes].map((node) => document.importNode(node, true)));
      moved ||= section.id === "overview";
    }
    this.#sections.arrange(sections.map((section) => section.id), page.querySelector("nav.sections"));
    for (const restore of restores) restore();
    if (moved) markMoved(before);
    this.#onEvent(event);
  }
}
