// Wide tables scroll in their own box; their first columns stay in view.

/** The columns that stay may take up this part of the box. */
const MOST_STUCK = 0.5;

/** The columns up to that of names, where there is one such column, among the first two. */
function leadingColumns(table: HTMLTableElement): number {
  const row = table.tBodies[0]?.rows[0];
  if (!row) return 0;
  const named = [...row.cells].flatMap((cell, index) => (cell.classList.contains("name") ? [index] : []));
  const [only] = named;
  return named.length === 1 && only !== undefined && only < 2 ? only + 1 : 0;
}

function fit(box: HTMLElement, table: HTMLTableElement, known: { widths: string }): void {
  // Rows that come to a table change its height alone.
  const widths = `${box.clientWidth} ${box.scrollWidth}`;
  if (widths === known.widths) return;
  known.widths = widths;
  const wide = box.scrollWidth > box.clientWidth + 1;
  box.classList.toggle("wide", wide);
  if (wide) box.tabIndex = 0;
  else box.removeAttribute("tabindex");
  const cells = table.tHead?.rows[0]?.cells;
  const columns = wide ? leadingColumns(table) : 0;
  const width = (cell: HTMLElement | undefined) => cell?.getBoundingClientRect().width ?? 0;
  const first = width(cells?.[0]);
  const second = columns === 2 ? width(cells?.[1]) : 0;
  const most = MOST_STUCK * box.clientWidth;
  const both = columns > 0 && first + second <= most;
  table.classList.toggle("stick-1", both);
  table.classList.toggle("stick-2", columns === 2 && second <= most);
  table.style.setProperty("--first-column", both ? `${first}px` : "0px");
}

let named = 0;

/** The last heading before a box in its article or section. */
function headingOf(box: HTMLElement): HTMLElement | null {
  const around = box.closest("article, section");
  const before = [...(around?.querySelectorAll<HTMLElement>("h1, h2, h3") ?? [])].filter(
    (each) => (each.compareDocumentPosition(box) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
  );
  return before.at(-1) ?? null;
}

/** Lets a box with a table scroll, also by keyboard, with a name for it. */
export function makeScrollable(box: HTMLElement): () => void {
  const table = box.querySelector("table");
  if (!table) return () => undefined;
  const heading = headingOf(box);
  box.setAttribute("role", "region");
  box.removeAttribute("aria-labelledby");
  box.removeAttribute("aria-label");
  if (heading) {
    heading.id ||= `heading-${(named += 1)}`;
    // A second table below one heading has a name of its own.
    const others = document.querySelectorAll(`[role="region"][aria-labelledby="${CSS.escape(heading.id)}"]`).length;
    if (others === 0) box.setAttribute("aria-labelledby", heading.id);
    else box.setAttribute("aria-label", `${heading.textContent ?? "Table"}, table ${(named += 1)}`);
  } else {
    box.setAttribute("aria-label", `Table ${(named += 1)}`);
  }
  const known = { widths: "" };
  const sizes = new ResizeObserver(() => fit(box, table, known));
  sizes.observe(box);
  sizes.observe(table);
  return () => sizes.disconnect();
}
