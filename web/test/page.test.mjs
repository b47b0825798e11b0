// The page in Chromium, opened from disk: addresses, sections, hostile text, what is broken, and who uses no pointer or script.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { go, launch, open, SAMPLE } from "./browser.mjs";

const VIEWS = ["#overview", "#rounds", "#crosstable", "#agents", "#check", "#match-3.2", "#match-5p1.1", "#game-3.2.4/20", "#agent-3", "#game-2.1.1"];

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const visible = (page) => page.locator("main > section.view:visible").evaluateAll((all) => all.map((each) => each.id));
const headed = (page, text) => page.locator("main > section.view:visible h1").getByText(text, { exact: true }).waitFor();
const heading = (page) => page.locator("main > section.view:visible h1").innerText();
/** A game is headed by its players, with its place behind them. */
const headedGame = (page, text) => page.locator("#app h1 .where").getByText(text, { exact: true }).waitFor();

test("addresses name views", async () => {
  const { page, context, troubles } = await open(browser);
  assert.deepEqual(await visible(page), ["overview"]);
  assert.equal(await page.title(), "Final standings – Autumn Swiss of the engines </script><script>alert(3)</script>");
  for (const [hash, section, title, link] of [
    ["#rounds", "rounds", "Rounds", "#rounds"],
    ["#round-2", "rounds", "Rounds", "#rounds"],
    ["#match-3.2", "app", "Round 3, board 2", "#rounds"],
    ["#match-5p1.1", "app", "Round 5, play-off 1, board 1", "#rounds"],
    ["#agent-4", "app", "Quiet Bishop", "#agents"],
    ["#check", "check", "Check it yourself", "#check"],
    ["#agent-400", "app", "There is no agent 400 in this event.", "#agents"],
    ["#game-3.2.99", "app", "There is no game 3.2.99 in this event.", "#rounds"],
    ["#game-9.9.9/4", "app", "There is no game 9.9.9 in this event.", "#rounds"],
    ["#match-77.1", "app", "There is no mini-match 77.1 in this event.", "#rounds"],
    ["#round-9", "app", "There is no round 9 in this event.", "#rounds"],
    ["#nowhere%3Cscript%3E", "overview", "Final standings", "#overview"],
    ["#event", "overview", "Final standings", "#overview"],
  ]) {
    await go(page, hash);
    assert.deepEqual(await visible(page), [section], hash);
    assert.equal(await heading(page), title, hash);
    const marked = await page.locator("nav.sections a[aria-current=page]").evaluateAll((all) => all.map((each) => each.hash));
    assert.deepEqual(marked, [link], hash);
    const named = hash.startsWith("#match-3") || hash.startsWith("#match-5");
    const begins = named ? new RegExp(`^.+ [\\d½]+ ?– ?[\\d½]+ .+, ${title} – `) : new RegExp(`^${title.replace(/\.$/, "")} – `);
    assert.match(await page.title(), begins);
  }
  await go(page, "#game-3.2.4");
  await headedGame(page, "Round 3, board 2, game 4");
  assert.match(await page.title(), /^Evil .*… 0–1 مرحبا knight, Round 3, board 2, game 4 – /);
  assert.match(await heading(page), /^White\s+Evil [^]*0–1[^]*مرحبا knight\s+Round 3, board 2, game 4$/);
  await go(page, "#agent-4");
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), "H1", "the focus goes to the heading");
  await page.goBack();
  await page.goBack();
  assert.deepEqual(await visible(page), ["overview"]);
  assert.deepEqual(troubles, []);
  await context.close();
});

test("on load the focus stays, and the page is at its top", async () => {
  const { page, context, troubles } = await open(browser, "#crosstable");
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), "BODY");
  assert.equal(await page.evaluate(() => scrollY), 0);
  assert.deepEqual(troubles, []);
  await context.close();
});

test("links of the tables lead to matches, games and agents", async () => {
  const { page, context, troubles } = await open(browser, "#rounds");
  await page.locator("#round-3 a[href='#match-3.2']").click();
  await headed(page, "Round 3, board 2");
  assert.equal(await page.locator(".pair").count(), 4);
  await page.locator(".game").nth(3).click();
  await headedGame(page, "Round 3, board 2, game 4");
  await page.getByRole("link", { name: /^Next game/ }).click();
  await headedGame(page, "Round 3, board 2, game 5");
  await page.waitForTimeout(300);
  assert.match(page.url(), /#game-3\.2\.5$/);
  await page.getByRole("link", { name: "Mini-match" }).click();
  await headed(page, "Round 3, board 2");
  await page.locator("#app .versus a").first().click();
  assert.match(page.url(), /#agent-\d+$/);
  assert.deepEqual(troubles, []);
  await context.close();
});

test("an interval is given from ten pairs on", async () => {
  const { page, context } = await open(browser, "#match-5p1.1");
  const meaning = page.locator("#app .meaning");
  assert.match(await meaning.innerText(), /12 game pairs, by points[^]*95 % interval [\d.]+ % to [\d.]+ %/);
  await go(page, "#match-3.2");
  await headed(page, "Round 3, board 2");
  assert.match(await meaning.innerText(), /4 game pairs, by points/);
  assert.doesNotMatch(await meaning.innerText(), /95 % interval/);
  await context.close();
});

test("columns of figures are sorted by a press, and back", async () => {
  const { page, context, troubles } = await open(browser);
  const column = (index) => page.locator(`#overview .overview > div:first-child table tbody tr td:nth-child(${index})`).allInnerTexts();
  const before = await column(4);
  const button = page.getByRole("button", { name: "Game points" });
  const state = () => page.locator("#overview th[aria-sort]").evaluateAll((all) => all.map((each) => each.getAttribute("aria-sort")));
  const value = (text) => Number(text.replace("½", ".5"));
  await button.click();
  const down = (await column(4)).map(value);
  assert.deepEqual(down, [...down].sort((a, b) => b - a));
  assert.deepEqual(await state(), ["descending"]);
  await button.press("Enter");
  assert.deepEqual((await column(4)).map(value), [...down].reverse().sort((a, b) => a - b));
  assert.deepEqual(await state(), ["ascending"]);
  await button.press(" ");
  assert.deepEqual(await column(4), before);
  assert.deepEqual(await state(), []);
  assert.deepEqual(troubles, []);
  await context.close();
});

test("hostile text is text", async () => {
  const { page, context, troubles } = await open(browser);
  const scripts = await page.locator("script").count();
  for (const hash of ["#overview", "#agent-3", "#agent-5", "#agent-10", "#match-3.2", "#match-5p1.1", "#game-5p1.1.7/9", "#game-5p1.1.8/30"]) {
    await go(page, hash);
    await page.waitForTimeout(150);
    assert.equal(await page.locator("main img, main script, main b").count(), 0, hash);
    assert.equal(await page.locator("script").count(), scripts, hash);
    assert.doesNotMatch(await page.locator("main").innerText(), /[\u202a-\u202e\u2066-\u2069\u0007]/, hash);
  }
  await go(page, "#agent-3");
  assert.match(await heading(page), /^Evil "><img src=x onerror="alert\(1\)"><script>alert\(2\)<\/scri…$/);
  await go(page, "#agent-10");
  assert.equal(await heading(page), "Ponder\\u{2066}ing\\u{2069} Pawn");
  assert.deepEqual(troubles, []);
  await context.close();
});

test("what is broken or absent is told", async () => {
  const { page, context, troubles } = await open(browser, "#game-2.1.1");
  assert.match(await page.locator(".problem").innerText(), /cannot be shown: their data in this file is broken/);
  await go(page, "#game-2.2.1");
  assert.match(await page.locator(".problem").innerText(), /not in this file/);
  assert.equal(await page.locator(".board").count(), 0);
  assert.deepEqual(troubles, []);
  await context.close();
});

test("games of which little is known, that are wrong, or that are not over", async () => {
  const { page, context, troubles } = await open(browser, "#game-1.1.2/30");
  await page.locator(".board").waitFor();
  assert.match(await page.locator(".graphs").innerText(), /^No times and no evaluations are known/);
  assert.deepEqual(await page.locator(".side .clock").allInnerTexts(), ["to move"]);
  const problem = async (hash) => {
    await go(page, hash);
    await page.locator(".problem").waitFor();
    return page.locator(".problem").innerText();
  };
  assert.match(await problem("#game-1.1.3"), /^Ply \d+ of this game is no legal move\. The game is shown up to it\.$/);
  assert.equal(await page.locator(".board").count(), 1);
  assert.match(await problem("#game-1.1.4"), /begins at a position that no game can have/);
  assert.match(await problem("#game-1.2.1"), /games\.games\[0\]\.depth is not a list/);
  await go(page, "#match-5.6");
  await headed(page, "Round 5, board 6");
  assert.match(await page.locator("#app .note").first().innerText(), /^This mini-match is not over\. 4 games/);
  assert.equal(await page.locator(".game", { hasText: "no result yet" }).count(), 4);
  assert.match(await problem("#game-5.6.6"), /not in this file/);
  assert.deepEqual(troubles, []);
  await context.close();
});

test("a browser that cannot unpack, and an event that cannot be read", async () => {
  const { page, context } = await open(browser);
  await page.evaluate(() => delete globalThis.DecompressionStream);
  await go(page, "#game-3.2.4");
  assert.match(await page.locator(".problem").innerText(), /cannot unpack compressed data/);
  await context.close();
  const folder = await mkdtemp(join(tmpdir(), "page-"));
  try {
    const file = pathToFileURL(join(folder, "report.html"));
    await writeFile(file, (await readFile(SAMPLE, "utf8")).replace('{"schema":1,', '{"schema":2,'));
    const other = await open(browser, "#match-3.2", {}, file);
    assert.deepEqual(await visible(other.page), ["overview"]);
    await go(other.page, "#rounds");
    assert.deepEqual(await visible(other.page), ["rounds"]);
    await other.context.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("on a phone the link to what is shown is not in the fade at the end of the row", async () => {
  const { page, context } = await open(browser, "", { viewport: { width: 390, height: 844 } });
  const row = page.locator("nav.sections");
  for (const hash of await row.locator("a").evaluateAll((all) => all.map((each) => each.hash))) {
    await go(page, hash);
    const [end, clear] = await row.evaluate((links) => [
      links.querySelector("[aria-current]").getBoundingClientRect().right,
      links.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(links).paddingInlineEnd),
    ]);
    assert.ok(end <= clear + 1, `${hash} ends at ${end} of ${clear}`);
  }
  await context.close();
});

test("without scripts all sections are there", async () => {
  const { page, context, troubles } = await open(browser, "", { javaScriptEnabled: false });
  const shown = await page.locator("main > section.view").count();
  assert.equal(shown, 8);
  for (let index = 0; index < shown; index += 1) assert.ok(await page.locator("main > section.view").nth(index).isVisible());
  assert.deepEqual(troubles, []);
  await context.close();
});

test("on paper all sections are there", async () => {
  const { page, context } = await open(browser, "#rounds");
  await page.emulateMedia({ media: "print" });
  assert.equal((await visible(page)).filter((id) => id !== "app").length, 8);
  await context.close();
});

test("nothing jumps while a view comes", { timeout: 120_000 }, async () => {
  for (const viewport of [{ width: 1400, height: 900 }, { width: 360, height: 740 }]) {
    for (const hash of ["#overview", "#rounds", "#match-3.2", "#game-3.2.4/20", "#agent-3"]) {
      const { page, context } = await open(browser, hash, { viewport, slow: 8 });
      await page.waitForTimeout(700);
      const shift = await page.evaluate(() => new Promise((done) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += entry.value;
        }).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => done(sum), 100);
      }));
      assert.ok(shift < 0.02, `${hash} at ${viewport.width} shifts by ${shift}`);
      await context.close();
    }
  }
});

test("a view is seen when all of it is there", async (t) => {
  const whole = await readFile(new URL(SAMPLE));
  const middle = whole.indexOf("</tr>", whole.indexOf("<tbody>"));
  const next = whole.indexOf("</tr>", whole.indexOf('<section id="rounds"'));
  assert.ok(middle > 0 && next > middle);
  let rest;
  const server = createServer((request, answer) => {
    answer.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    answer.write(whole.subarray(0, middle));
    rest = (from, to) => answer.write(whole.subarray(from, to));
  }).listen(0, "127.0.0.1");
  t.after(() => server.close().closeAllConnections());
  await once(server, "listening");
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`, { waitUntil: "commit" });
  const heading = page.locator("#overview h1");
  await page.locator("#overview tbody tr").first().waitFor({ state: "attached" });
  assert.equal(await heading.isVisible(), false);
  rest(middle, next);
  await heading.waitFor();
  await page.locator("#rounds tr").first().waitFor({ state: "attached" });
  assert.equal(await page.locator("#rounds").evaluate((section) => getComputedStyle(section).visibility), "hidden");
  rest(next);
  await page.locator("main.ready").waitFor();
  assert.equal(await heading.isVisible(), true);
  await context.close();
});

test("no view is wider than a small screen", async () => {
  const { page, context, troubles } = await open(browser, "", { viewport: { width: 360, height: 740 } });
  for (const hash of VIEWS) {
    await go(page, hash);
    await page.waitForTimeout(100);
    const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide <= screen, `${hash} is ${wide} wide`);
  }
  assert.deepEqual(troubles, []);
  await context.close();
});
