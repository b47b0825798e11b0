// Sees to the tables of a section when it is shown for the first time: a page may have a hundred of them that nobody looks at.
import { rowsOf, setRows } from "./rows";
import { makeSortable } from "./sort";
import { makeScrollable } from "./tables";

const prepared = new WeakSet<Element>();

export function prepare(section: HTMLElement): void {
  for (const table of section.querySelectorAll<HTMLTableElement>("table.data")) {
    if (prepared.has(table)) continue;
    prepared.add(table);
    makeSortable(table);
    const body = table.tBodies[0];
    if (body) setRows(body, rowsOf(body));
  }
  for (const box of section.querySelectorAll<HTMLElement>(".scroll")) {
    if (prepared.has(box)) continue;
    prepared.add(box);
    makeScrollable(box);
  }
}
