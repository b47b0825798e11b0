// Marks the rows of the standings whose place has changed, for some seconds.
import { rowsOf } from "../rows";

const SHOWN_MS = 8_000;

function rows(): Map<string, { row: HTMLTableRowElement; place: number }> {
  const found = new Map<string, { row: HTMLTableRowElement; place: number }>();
  const table = document.querySelector<HTMLTableElement>("#overview table.data:has(td.name a[href^='#agent-'])");
  const body = table?.tBodies[0];
  for (const row of body ? rowsOf(body) : []) {
    const link = row.querySelector("td.name a")?.getAttribute("href");
    const place = Number.parseInt(row.cells[0]?.textContent ?? "", 10);
    if (link && Number.isFinite(place)) found.set(link, { row, place });
  }
  return found;
}

/** The place of each agent, by its link. */
export function places(): Map<string, number> {
  return new Map([...rows()].map(([link, { place }]) => [link, place]));
}

export function markMoved(before: Map<string, number>): void {
  for (const [link, { row, place }] of rows()) {
    const last = before.get(link);
    if (last === undefined || last === place) continue;
    const mark = document.createElement("span");
    const up = place < last;
    mark.className = `moved ${up ? "up" : "down"}`;
    mark.textContent = up ? "▲" : "▼";
    mark.title = `${up ? "up" : "down"} from place ${last}`;
    mark.setAttribute("role", "img");
    mark.setAttribute("aria-label", mark.title);
    row.cells[0]?.append(mark);
    row.classList.add("has-moved");
    setTimeout(() => {
      mark.remove();
      row.classList.remove("has-moved");
    }, SHOWN_MS);
  }
}
