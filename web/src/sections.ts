// Takes over the sections that the program wrote: one is shown at a time, links lead from one to another.
import { prepare } from "./prepare";

export interface Place {
  section: HTMLElement;
  /** What is shown within the section. */
  target: HTMLElement | null;
}

export class Sections {
  readonly main: HTMLElement;
  #sections: HTMLElement[];
  #links: HTMLAnchorElement[] = [];
  #link = "";
  readonly app: HTMLElement;
  /** What stands above the overview. */
  readonly above: HTMLElement;
  /** The markup of each section as it came, where the page may get others. */
  readonly came: Map<string, string>;
  shown: HTMLElement | null = null;

  constructor(main: HTMLElement, mayChange: boolean) {
    this.main = main;
    this.#sections = [...main.querySelectorAll<HTMLElement>(":scope > section.view")];
    this.came = new Map(mayChange ? this.#sections.map((section) => [section.id, section.outerHTML]) : []);
    this.app = document.createElement("section");
    this.app.className = "view";
    this.app.id = "app";
    main.append(this.app);
    this.above = document.createElement("div");
    this.above.hidden = true;
    main.prepend(this.above);
    this.#findLinks();
  }

  #findLinks(): void {
    this.#links = [...document.querySelectorAll<HTMLAnchorElement>("nav.sections a")];
  }

  /** The place with this id; the first section where there is none. */
  find(id: string): Place | null {
    const named = id === "" ? null : document.getElementById(id);
    const around = named && this.#sections.find((section) => section === named || section.contains(named));
    if (around) return { section: around, target: around === named ? null : named };
    const first = this.#sections.find((section) => section.id === "overview") ?? this.#sections[0];
    return first ? { section: first, target: null } : null;
  }

  /** Shows one section, or the views of the front end, and marks the link that leads there. */
  show(section: HTMLElement, link: string): void {
    const moved = link !== this.#link;
    if (section !== this.app) prepare(section);
    this.shown = section;
    this.#link = link;
    for (const each of [...this.#sections, this.app]) each.hidden = each !== section;
    this.above.hidden = section.id !== "overview";
    for (const each of this.#links) {
      if (each.hash === `#${link}`) {
        each.setAttribute("aria-current", "page");
        if (moved) keepInView(each);
      } else each.removeAttribute("aria-current");
    }
    this.main.classList.add("ready");
  }

  /** Puts new content in the section with this id, which may be new. */
  put(id: string, content: Node[]): HTMLElement {
    let section = this.#sections.find((each) => each.id === id);
    if (!section) {
      section = document.createElement("section");
      section.className = "view";
      section.id = id;
      section.hidden = true;
      this.#sections.push(section);
    }
    section.replaceChildren(...content);
    return section;
  }

  get(id: string): HTMLElement | null {
    return this.#sections.find((section) => section.id === id) ?? null;
  }

  /** Sections in this order and no others; links as in this row. */
  arrange(ids: string[], row: Element | null): void {
    for (const gone of this.#sections.filter((section) => !ids.includes(section.id))) gone.remove();
    this.#sections = ids.flatMap((id) => this.#sections.find((section) => section.id === id) ?? []);
    let last: Element = this.above;
    for (const section of this.#sections) {
      if (last.nextElementSibling !== section) last.after(section);
      last = section;
    }
    const links = [...(row?.querySelectorAll<HTMLAnchorElement>("a") ?? [])];
    const here = document.querySelector("nav.sections");
    const names = (all: HTMLAnchorElement[]) => all.map((each) => `${each.getAttribute("href")} ${each.textContent}`).join("\n");
    if (here && names(links) !== names(this.#links)) {
      const { activeElement } = document;
      const focused = activeElement && here.contains(activeElement) ? activeElement.getAttribute("href") : null;
      here.replaceChildren(...links.map((each) => document.importNode(each, true)));
      this.#findLinks();
      if (focused !== null) this.#links.find((each) => each.getAttribute("href") === focused)?.focus({ preventScroll: true });
    }
  }
}

/** Scrolls the row of links, and not the page. */
function keepInView(link: HTMLElement): void {
  const row = link.parentElement;
  if (!row) return;
  const left = link.offsetLeft - row.offsetLeft;
  const faded = Number.parseFloat(getComputedStyle(row).paddingInlineEnd);
  if (left < row.scrollLeft || left + link.offsetWidth > row.scrollLeft + row.clientWidth - faded) {
    row.scrollLeft = left - (row.clientWidth - link.offsetWidth) / 2;
  }
}
