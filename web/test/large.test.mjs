// A page with a table of many cells: its rows come in pieces, all of them, in their order; also sorted, and for paper.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { go, launch, open, SAMPLE } from "./browser.mjs";

const ROWS = 300;
const COLUMNS = 40;

let browser;
let folder;
before(async () => {
  browser = await launch();
  folder = await mkdtemp(join(tmpdir(), "swissmatch-page-"));
  const row = (index) => {
    const figures = Array.from({ length: COLUMNS }, (_each, column) => `<td class="figure">${(index * 7919 + column) % 1009}</td>`);
    return `<tr><td class="figure">${index + 1}</td><td class="name">Agent ${index + 1}</td>${figures.join("")}</tr>`;
  };
  const heads = Array.from({ length: COLUMNS }, (_each, column) => `<th scope="col" class="figure">F${column}</th>`);
  const table = `<table class="data"><thead><tr><th scope="col" class="figure">Place</th><th scope="col" class="name">Name</th>${heads.join("")}</tr></thead>
<tbody>${Array.from({ length: ROWS }, (_each, index) => row(index)).join("")}</tbody></table>`;
  const html = await readFile(SAMPLE, "utf8");
  const large = html.replace(/(<section id="crosstable".*?)<table.*?<\/table>/s, (_all, head) => head + table);
  await writeFile(join(folder, "large.html"), large);
});
after(async () => {
  await browser?.close();
  if (folder) await rm(folder, { recursive: true });
});

const column = (page, index) => page.locator("#crosstable tbody tr").evaluateAll((rows, at) => rows.map((row) => Number(row.cells[at].textContent)), index);
const whole = (page) => page.waitForFunction((rows) => document.querySelectorAll("#crosstable tbody tr").length === rows, ROWS);

test("rows of a large table come in pieces, all of them", async () => {
  const { page, context, troubles } = await open(browser, "", {}, pathToFileURL(join(folder, "large.html")));
  const counted = () => page.locator("#crosstable tbody tr").count();
  assert.equal(await counted(), ROWS, "before it is shown it is as the program wrote it");
  const first = await page.evaluate(async () => {
    location.hash = "#crosstable";
    await new Promise((shown) => window.addEventListener("hashchange", () => shown(), { once: true }));
    return document.querySelectorAll("#crosstable tbody tr").length;
  });
  assert.ok(first > 20 && first < ROWS, `${first} rows at first`);
  await whole(page);
  const places = Array.from({ length: ROWS }, (_each, index) => index + 1);
  assert.deepEqual(await column(page, 0), places);
  const button = page.getByRole("button", { name: "F3", exact: true });
  await button.click();
  await whole(page);
  const sorted = await column(page, 5);
  assert.deepEqual(sorted, [...sorted].sort((a, b) => b - a));
  // Sorted again before all rows are there, and printed.
  const printed = await page.evaluate(() => {
    const [head] = [...document.querySelectorAll("#crosstable .sort")].filter((each) => each.textContent === "F3");
    head.click();
    head.click();
    const before = document.querySelectorAll("#crosstable tbody tr").length;
    window.dispatchEvent(new Event("beforeprint"));
    return [before, document.querySelectorAll("#crosstable tbody tr").length];
  });
  assert.ok(printed[0] < ROWS && printed[1] === ROWS, printed.join(" "));
  assert.deepEqual(await column(page, 0), places);
  await go(page, "#overview");
  assert.deepEqual(troubles, []);
  await context.close();
});
