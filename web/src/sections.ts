// Takes over the sections that the program wrote: one is shown at a time, links lead from one to another.
import { prepare } from "./prepare";

export interface Place {
  section: HTMLElement;
  /** What is shown within the section. */
  target: HTMLElement | null;
}

export class Sections {
  readonly #main: HTMLElement;
  readonly #sections: HTMLElement[];
  readonly #links: HTMLAnchorElement[];
  readonly app: HTMLElement;

  constructor(main: HTMLElement) {
    this.#main = main;
    this.#sections = [...main.querySelectorAll<HTMLElement>(":scope > section.view")];
    this.#links = [...document.querySelectorAll<HTMLAnchorElement>("nav.sections a")];
    this.app = document.createElement("section");
    this.app.className = "view";
    this.app.id = "app";
    main.append(this.app);
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
    if (section !== this.app) prepare(section);
    for (const each of [...this.#sections, this.app]) each.hidden = each !== section;
    for (const each of this.#links) {
      if (each.hash === `#${link}`) {
        each.setAttribute("aria-current", "page");
        keepInView(each);
      } else each.removeAttribute("aria-current");
    }
    this.#main.classList.add("ready");
  }
}

/** Scrolls the row of links, and not the page. */
function keepInView(link: HTMLElement): void {
  const row = link.parentElement;
  if (!row) return;
  const left = link.offsetLeft - row.offsetLeft;
  if (left < row.scrollLeft || left + link.offsetWidth > row.scrollLeft + row.clientWidth) {
    row.scrollLeft = left - (row.clientWidth - link.offsetWidth) / 2;
  }
}
