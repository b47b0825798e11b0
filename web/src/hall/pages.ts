// Tables of the page in the type of a hall: as large as they can be, in pages where they are long.

/** Font sizes that are tried, in parts of the height of the screen, the largest first. */
const SIZES = [18, 20, 22, 24, 26, 28, 31, 34, 38];
/** A table that fits whole at this size or a larger one is not divided. */
const WHOLE = 31;
/** Otherwise it is divided at this size, or at a smaller one where it is too wide. */
const DIVIDED = 24;
/** So many columns are never left out: place, name, points. */
const LEAST_COLUMNS = 3;

/** A copy without what only serves the reader at a desk. */
function copyOf(table: HTMLTableElement): HTMLTableElement {
  const copy = table.cloneNode(true) as HTMLTableElement;
  for (const button of copy.querySelectorAll("button.sort")) button.replaceWith(...button.childNodes);
  for (const mark of copy.querySelectorAll(".moved, .asks")) mark.remove();
  for (const each of [copy, ...copy.querySelectorAll("*")]) for (const name of ["id", "tabindex", "aria-sort", "style"]) each.removeAttribute(name);
  copy.classList.remove("stick-1", "stick-2");
  for (const row of copy.rows) row.classList.remove("has-moved");
  return copy;
}

function fits(table: HTMLTableElement, width: number): boolean {
  return table.scrollWidth <= width + 1 && table.getBoundingClientRect().width <= width + 1 && !hasCutName(table, width);
}

/** Whether a name is cut that has less room than most names need. */
function hasCutName(table: HTMLTableElement, width: number): boolean {
  const least = Math.min(8 * Number.parseFloat(getComputedStyle(table).fontSize), 0.4 * width);
  return [...table.querySelectorAll("td.name > :is(a, bdi)")].some((name) => name.scrollHeight > name.clientHeight + 1 && name.clientWidth < least);
}

/** The rows in pages that are as long as another, none higher than the room. */
function divided(table: HTMLTableElement, room: number): HTMLTableRowElement[][] {
  const rows = [...(table.tBodies[0]?.rows ?? [])];
  const head = table.tHead?.getBoundingClientRect().height ?? 0;
  const highest = Math.max(1, ...rows.map((row) => row.getBoundingClientRect().height));
  const most = Math.max(1, Math.floor((room - head) / highest));
  const pages = Math.max(1, Math.ceil(rows.length / most));
  const each = Math.ceil(rows.length / pages);
  return Array.from({ length: pages }, (_page, index) => rows.slice(index * each, (index + 1) * each));
}

/** A table as pages for this place, in which it is measured. */
export function pagesOf(source: HTMLTableElement, place: HTMLElement): HTMLTableElement[] {
  const [width, height] = [place.clientWidth, place.clientHeight];
  const table = copyOf(source);
  place.append(table);
  const set = (part: number) => (table.style.fontSize = `${Math.max(14, height / part)}px`);
  const isWhole = () => table.getBoundingClientRect().height <= height;
  const wide = (part: number) => {
    set(part);
    return fits(table, width);
  };
  let size = SIZES.find((part) => part <= WHOLE && wide(part) && isWhole()) ?? SIZES.find((part) => part >= DIVIDED && wide(part));
  if (size === undefined) {
    size = SIZES.at(-1) ?? DIVIDED;
    set(size);
    if (!fits(table, width)) for (const movement of table.querySelectorAll(".shift")) movement.remove();
    while (!fits(table, width) && (table.tHead?.rows[0]?.cells.length ?? 0) > LEAST_COLUMNS) {
      for (const row of table.rows) row.deleteCell(-1);
    }
  }
  set(size);
  const pages = divided(table, height).map((rows) => {
    const page = table.cloneNode(true) as HTMLTableElement;
    page.tBodies[0]?.replaceChildren(...rows.map((row) => row.cloneNode(true)));
    return page;
  });
  table.remove();
  return pages;
}
