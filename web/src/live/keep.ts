// Where the reader is in a section, and bringing it back after the section was put in anew.
import { prepare } from "../prepare";
import { finish } from "../rows";
import { setOrder, orderOf } from "../sort";

/** What an element is by: its place in the tables changes. */
function nameOf(element: Element): string {
  const link = element instanceof HTMLAnchorElement ? element.getAttribute("href") : null;
  return `${element.tagName} ${link ?? element.textContent?.slice(0, 100) ?? ""}`;
}

function finder(section: HTMLElement): (() => void) | null {
  const { activeElement } = document;
  if (!activeElement || !section.contains(activeElement) || activeElement === section) return null;
  const tag = activeElement.tagName;
  const alike = (name: string) => [...section.querySelectorAll<HTMLElement>(tag)].filter((each) => nameOf(each) === name);
  const name = nameOf(activeElement);
  const index = alike(name).indexOf(activeElement as HTMLElement);
  const place = [...section.querySelectorAll(tag)].indexOf(activeElement);
  return () => {
    const found = alike(name);
    const again = found[index] ?? found[0] ?? section.querySelectorAll<HTMLElement>(tag)[place] ?? section.querySelector<HTMLElement>("h1");
    if (!again) return;
    if (tag !== "A" && tag !== "BUTTON" && tag !== "SUMMARY" && again.tabIndex < 0) again.tabIndex = -1;
    again.focus({ preventScroll: true });
  };
}

/** What the reader looks at: the first article or table whose end is in view. */
function anchor(section: HTMLElement): () => void {
  const top = window.scrollY;
  const marks = () => [...section.querySelectorAll<HTMLElement>("[id]:not(a), .scroll, article")];
  const all = marks();
  const index = top === 0 ? -1 : all.findIndex((each) => each.getBoundingClientRect().bottom > 0);
  const element = all[index];
  const at = element?.getBoundingClientRect().top ?? 0;
  const id = element?.id.startsWith("heading-") ? "" : (element?.id ?? "");
  return () => {
    const again = id === "" ? marks()[index] : document.getElementById(id);
    const by = element && again ? again.getBoundingClientRect().top - at : 0;
    const to = (index < 0 ? top : window.scrollY + by);
    if (Math.abs(window.scrollY - to) > 0.5) window.scrollTo(window.scrollX, to);
  };
}

/** Notes the order of tables, open details and what is scrolled in a section, and in the one that is shown where the reader is. */
export function keep(section: HTMLElement, isShown: boolean): () => void {
  const focus = isShown ? finder(section) : null;
  const scroll = isShown ? anchor(section) : null;
  const open = [...section.querySelectorAll("details")].map((each) => each.open);
  const orders = [...section.querySelectorAll<HTMLTableElement>("table.data")].map(orderOf);
  const boxes = [...section.querySelectorAll(".scroll")].map((each) => each.scrollLeft);
  return () => {
    if (isShown || orders.some((each) => each !== null)) prepare(section);
    section.querySelectorAll("details").forEach((each, index) => (each.open = open[index] ?? each.open));
    section.querySelectorAll<HTMLTableElement>("table.data").forEach((each, index) => setOrder(each, orders[index] ?? null));
    section.querySelectorAll(".scroll").forEach((each, index) => (each.scrollLeft = boxes[index] ?? 0));
    focus?.();
    // Rows that are still to come would leave the page too short.
    if (isShown && window.scrollY > 0) finish();
    scroll?.();
  };
}
