// The view for a hall in Chromium: of a finished event from disk, and of one that is played.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open } from "./browser.mjs";
import { until, watched } from "./watched.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const heading = (page) => page.locator(".slide h1").innerText();
const dots = (page) => page.locator(".dots button").evaluateAll((all) => all.map((each) => `${each.ariaLabel}${each.ariaCurrent ? " <" : ""}`));

const served = (work, { hash = "?hall", ...options } = {}) => watched(browser, hash, work, { games: 6, viewport: { width: 1600, height: 900 }, ...options });

test("a finished event from disk: arrows go on and back, space stops", async () => {
  const { page, context, troubles } = await open(browser, "?hall", { viewport: { width: 1600, height: 900 } });
  assert.deepEqual(await dots(page), ["Standings <", "Round 5"]);
  assert.equal(await page.locator(".stage tbody tr").count(), 12);
  assert.equal(await page.locator("main > section.view:visible").count(), 0);
  await page.keyboard.press("ArrowRight");
  assert.equal(await heading(page), "Round 5");
  await page.keyboard.press("ArrowRight");
  assert.equal(await heading(page), "Standings");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await heading(page), "Round 5");
  await page.keyboard.press(" ");
  await page.getByRole("button", { name: "Go on" }).waitFor();
  await page.getByRole("button", { name: "Standings" }).click();
  assert.equal(await heading(page), "Standings");
  assert.deepEqual(troubles, []);
  await context.close();
});

test("slides take turns by themselves, unless they are stopped", async () => {
  const { page, context } = await open(browser, "", {});
  await page.clock.install();
  await page.goto(`${page.url()}?hall`);
  assert.equal(await heading(page), "Standings");
  await page.clock.runFor(12_500);
  assert.equal(await heading(page), "Round 5");
  await page.keyboard.press(" ");
  await page.clock.runFor(60_000);
  assert.equal(await heading(page), "Round 5");
  await page.keyboard.press(" ");
  await page.clock.runFor(12_500);
  assert.equal(await heading(page), "Standings");
  await context.close();
});

test("long tables are shown in pages, each within the screen", async () => {
  const { page, context, troubles } = await open(browser, "?hall", { viewport: { width: 1000, height: 420 } });
  const all = await dots(page);
  const pages = all.filter((each) => each.startsWith("Standings")).length;
  assert.ok(pages >= 2, `${all}`);
  const names = [];
  for (let index = 0; index < all.length; index += 1) {
    const room = await page.locator(".stage").evaluate((stage) => [stage.clientHeight, stage.clientWidth, stage.firstChild.offsetHeight, stage.firstChild.offsetWidth]);
    assert.ok(room[2] <= room[0] + 1 && room[3] <= room[1] + 1, `${room}`);
    if (index < pages) names.push(...(await page.locator(".stage tbody td.name").allInnerTexts()));
    await page.keyboard.press("ArrowRight");
  }
  assert.equal(new Set(names).size, 12);
  assert.deepEqual(troubles, []);
  await context.close();
});

test("on a phone names are whole, and points are there", async () => {
  const { page, context } = await open(browser, "", { viewport: { width: 390, height: 844 } });
  await page.addInitScript(() => document.addEventListener("DOMContentLoaded", () => {
    // As the program writes it: how places moved, and many criteria.
    for (const cell of document.querySelectorAll("#overview :is(th, td).name")) {
      cell.after(Object.assign(cell.cloneNode(), { className: "shift", textContent: "=" }));
    }
  }));
  await page.goto(`${page.url()}?hall`);
  await page.locator(".stage tbody tr").first().waitFor();
  assert.deepEqual((await page.locator(".stage thead th").allInnerTexts()).slice(0, 3), ["Place", "Name", "Match points"]);
  const short = page.locator(".stage td.name > a", { hasText: /^(Minimax Minor|Aurora 3\.1|Passed Pawn)$/ });
  assert.deepEqual(await short.evaluateAll((all) => all.filter((name) => name.scrollHeight > name.clientHeight + 1).map((name) => name.textContent)), []);
  await context.close();
});

test("boards of games under way, and what is new", () =>
  served(async ({ server, page, troubles }) => {
    await page.getByRole("button", { name: "Now playing" }).click();
    await page.locator(".stage cg-board piece").first().waitFor();
    assert.equal(await page.locator(".stage .card").count(), 2);
    server.game(0, "5.1", 4, 60, { ended: { result: "1-0", termination: "checkmate" } });
    await page.locator(".stage").getByText("1–0, checkmate").waitFor();
    await page.keyboard.press("ArrowLeft");
    server.event.page.players[0].points = "99.5";
    server.page("2");
    await page.locator(".stage").getByText("99½").waitFor();
    server.run({ at_work: false, over: true });
    await until("no boards", async () => (await dots(page)).join() === "Standings <,Round 5");
    assert.deepEqual(troubles, []);
  }));

test("of many games as many as fit are shown and asked for", () =>
  served(async ({ server, page }) => {
    await page.getByRole("button", { name: /^Now playing, 2 of/ }).click();
    await page.locator(".stage .card").first().waitFor();
    const shown = await page.locator(".stage .card").evaluateAll((all) => all.map((each) => each.dataset.slot));
    assert.ok(shown.length >= 4 && shown.length < 40 && !shown.includes("0"), `${shown}`);
    const board = page.locator(".stage .board").first();
    assert.ok((await board.evaluate((board) => board.getBoundingClientRect().width)) >= 320, "so many as are large");
    await until("those are asked for", () => server.slots.join() === shown.join());
    const [inside, whole] = await page.locator(".stage").evaluate((stage) => [stage.clientHeight, stage.scrollHeight]);
    assert.ok(whole <= inside + 1, `${whole} of ${inside}`);
  }, { slots: 60 }));
