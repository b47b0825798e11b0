// Tables that the reader can sort: by a press of the header of a column of figures.
import { rowsOf, setRows } from "./rows";

type Order = "none" | "descending" | "ascending";
const NEXT: Record<Order, Order> = { none: "descending", descending: "ascending", ascending: "none" };

/** The number that a cell begins with; null where it has none. */
export function figure(text: string): number | null {
  const found = /^\s*([-−+]?)\s*(\d*)(?:\.(\d+))?([½¼¾])?/.exec(text.replace(/[\u2009\u202f\u00a0,]/g, ""));
  if (!found || (found[2] === "" && found[4] === undefined && found[3] === undefined)) return null;
  const part = { "½": 0.5, "¼": 0.25, "¾": 0.75 }[found[4] ?? ""] ?? 0;
  const value = Number(`${found[2] || "0"}.${found[3] ?? "0"}`) + part;
  return found[1] === "" || found[1] === "+" ? value : -value;
}

function isPlain(table: HTMLTableElement): boolean {
  const head = table.tHead?.rows[0];
  const body = table.tBodies[0];
  if (!head || !body || table.tHead?.rows.length !== 1 || table.tBodies.length !== 1 || body.rows.length < 3) return false;
  if (table.querySelector("[colspan], [rowspan]")) return false;
  return [...body.rows].every((row) => row.cells.length === head.cells.length);
}

function sort(rows: HTMLTableRowElement[], column: number, order: Order): HTMLTableRowElement[] {
  if (order === "none") return rows;
  const sign = order === "ascending" ? 1 : -1;
  const keyed = rows.map((row) => ({ row, key: figure(row.cells[column]?.textContent ?? "") }));
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null);
    return sign * (a.key - b.key);
  });
  return keyed.map(({ row }) => row);
}

/** Which column of a table is sorted, by the text of its head, and how. */
export interface Sorted {
  column: string;
  order: Order;
}
const setters = new WeakMap<HTMLTableElement, (head: HTMLElement, order: Order) => void>();

export function orderOf(table: HTMLTableElement): Sorted | null {
  const head = table.querySelector<HTMLElement>("thead th[aria-sort]");
  return head && { column: head.textContent ?? "", order: head.getAttribute("aria-sort") as Order };
}

/** Sorts a table as another one was. */
export function setOrder(table: HTMLTableElement, sorted: Sorted | null): void {
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
  const head = sorted && heads.find((each) => each.textContent === sorted.column && each.querySelector(".sort"));
  if (sorted && head) setters.get(table)?.(head, sorted.order);
}

export function makeSortable(table: HTMLTableElement): void {
  const body = table.tBodies[0];
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
  if (!body || !isPlain(table)) return;
  const original = rowsOf(body);
  const set = (head: HTMLElement, order: Order) => {
    for (const each of heads) each.removeAttribute("aria-sort");
    if (order !== "none") head.setAttribute("aria-sort", order);
    setRows(body, sort(original, heads.indexOf(head as HTMLTableCellElement), order));
  };
  setters.set(table, set);
  for (const head of heads) {
    if (!head.classList.contains("figure") || head.querySelector("a, button")) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => set(head, NEXT[(head.getAttribute("aria-sort") as Order | null) ?? "none"]));
  }
}
