// Puts the rows of a table into it. Those of a large table come in pieces, so that the browser answers meanwhile.

/** Cells that are laid out at once. */
const CELLS_AT_ONCE = 1_000;

const waiting = new Map<HTMLTableSectionElement, HTMLTableRowElement[]>();
let isAsked = false;

/** What else is due, a piece of each table a frame. */
function next(): void {
  isAsked = false;
  for (const [body, rows] of waiting) {
    const piece = rows.splice(0, rowsAtOnce(body));
    body.append(...piece);
    if (rows.length === 0) waiting.delete(body);
  }
  ask();
}

function ask(): void {
  if (isAsked || waiting.size === 0) return;
  isAsked = true;
  // After the paint: a frame that only scrolls comes between two pieces.
  requestAnimationFrame(() => setTimeout(next));
}

function rowsAtOnce(body: HTMLTableSectionElement): number {
  return Math.max(10, Math.floor(CELLS_AT_ONCE / (body.rows[0]?.cells.length ?? 1)));
}

/** All rows of a table in their order, also those that are still to come. */
export function rowsOf(body: HTMLTableSectionElement): HTMLTableRowElement[] {
  return [...body.rows, ...(waiting.get(body) ?? [])];
}

/** Gives a table these rows in this order: the first at once, the others soon. */
export function setRows(body: HTMLTableSectionElement, rows: HTMLTableRowElement[]): void {
  const first = rows.slice(0, rowsAtOnce(body) * 2);
  const rest = rows.slice(first.length);
  waiting.delete(body);
  const isThere = body.rows.length === first.length && first.every((row, index) => body.rows[index] === row);
  if (!isThere) body.replaceChildren(...first);
  if (rest.length === 0) return;
  waiting.set(body, rest);
  ask();
}

/** Gives all tables what is still to come. */
export function finish(): void {
  for (const [body, rows] of waiting) body.append(...rows);
  waiting.clear();
}

// What is printed is whole.
window.addEventListener("beforeprint", finish);
