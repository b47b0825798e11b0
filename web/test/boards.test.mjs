// Boards of games that are played, in Chromium: "Now playing" and the view for a hall.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "./browser.mjs";
import { bothBoards, card, until, watched } from "./watched.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const ARABIC = "مرحبا بكم في بطولة الشطرنج السريعة الكبرى للمحركات";
const clone = (value) => JSON.parse(JSON.stringify(value));

test("beside a board names have a line of their own, a clock that is short is red, and who said nothing has no bar", () =>
  watched(browser, "", async ({ server, page, troubles }) => {
    await bothBoards(page);
    const state = clone(server.last(1));
    for (const side of [state.white, state.black]) {
      side.clock_us = 9_500_000;
      for (const key of ["eval", "pv"]) delete side.last[key];
    }
    state.white.name = "Stockfish 17.1 dev 20260101 of somebody";
    state.black.name = ARABIC;
    server.set("game", 1, state);
    await card(page, 1).locator(".bar.empty").waitFor();
    assert.equal(await card(page, 1).locator(".bar .share").count(), 0);
    assert.equal(await card(page, 0).locator(".bar .share").count(), 1);
    assert.match(await card(page, 0).locator(".bar").getAttribute("title"), /^Evaluation by \w+: .* The light part of the bar is White’s share\.$/);
    const alarm = await page.evaluate(() => {
      const probe = document.createElement("i");
      probe.style.color = "var(--alarm)";
      document.body.append(probe);
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    });
    const colors = (slot) => card(page, slot).locator(".time").evaluateAll((all) => all.map((each) => getComputedStyle(each).color));
    await until("red clocks", async () => (await colors(1)).every((each) => each === alarm));
    assert.ok((await colors(0)).every((each) => each !== alarm));
    const panel = await card(page, 1).locator(".player.white").boundingBox();
    assert.ok(panel.width >= 280, `${panel.width} beside the board`);
    const name = await card(page, 1).locator(".player.white .cut").boundingBox();
    const clock = await card(page, 1).locator(".player.white .clock").boundingBox();
    assert.ok(clock.y >= name.y + name.height - 2, "the clock is below the name");
    assert.equal(await card(page, 1).locator(".player.black .cut").evaluate((each) => getComputedStyle(each).direction), "rtl", "what is cut off is its end");
    const coordinate = page.locator(".card coords coord").first();
    assert.equal(await coordinate.evaluate((each) => getComputedStyle(each).fontSize), "9px");
    // A line that is the move that was made says nothing new.
    const one = clone(server.last(0));
    const mover = one.to_move === "white" ? one.black : one.white;
    mover.last.pv = one.moves.split(" ").at(-1);
    server.set("game", 0, one);
    await until("no line", async () => (await card(page, 0).locator(".expects").innerText()) === "");
    assert.deepEqual(troubles, []);
  }, { viewport: { width: 1366, height: 768 } }));

test("six boards are all shown, and of seven a row", () =>
  watched(browser, "", async ({ server, page }) => {
    await until("six", async () => (await page.locator(".card:visible").count()) === 6);
    assert.equal(await page.getByRole("button", { name: /^Show all/ }).count(), 0);
    server.run({ slots: 7 });
    await page.getByRole("button", { name: "Show all 7 boards" }).waitFor();
    assert.ok((await page.locator(".card:visible").count()) < 6);
    await page.setViewportSize({ width: 390, height: 844 });
    await until("names", async () => (await page.locator(".player .cut:visible").count()) > 2);
    const small = await page.locator(".playing :is(a, button):visible").evaluateAll((all) => all.map((each) => `${each.textContent}: ${each.offsetHeight}`).filter((each) => Number(/\d+$/.exec(each)[0]) < 24));
    assert.deepEqual(small, [], "fingers find links");
  }, { slots: 6, games: 6, viewport: { width: 1366, height: 768 } }));

test("boards of a hall are large, with evaluations and last moves, and points are seen on a phone", () =>
  watched(browser, "?hall", async ({ server, page, troubles }) => {
    for (const [viewport, slots, compact] of [[{ width: 1600, height: 900 }, 6, false], [{ width: 3000, height: 1700 }, 30, true]]) {
      for (let slot = 0; slot < slots; slot += 1) server.game(slot, `5.${(slot % 5) + 1}`, 4 + (Math.floor(slot / 5) % 4), 30 + slot);
      server.run({ slots });
      await page.setViewportSize(viewport);
      await page.getByRole("button", { name: /^Now playing/ }).first().click();
      await until("its size", async () => (await page.locator(`.stage .boards${compact ? ".compact" : ":not(.compact)"} cg-board piece`).count()) > 0 && (await page.locator(".stage .card.empty").count()) === 0);
      for (const each of await page.locator(".stage .card").all()) {
        const { width } = await each.locator(".board").boundingBox();
        assert.ok(width >= 320, `a board is ${width} wide at ${viewport.width}`);
        for (const part of [".player.white .said strong", ".player.black .said strong", ".last"]) assert.ok(await each.locator(part).isVisible(), `${part} at ${viewport.width}`);
      }
    }
    assert.ok(await page.locator(".slide h1").evaluate((each) => each.offsetHeight < 80));
    server.event.page.players[0].name = `Long ${"name ".repeat(12)}`;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: /^Standings/ }).first().click();
    const points = page.locator(".stage thead th", { hasText: "Match points" });
    const { x, width } = await points.boundingBox();
    assert.ok(x + width <= 390, `points end at ${x + width}`);
    assert.deepEqual(troubles, []);
  }, { slots: 6, games: 6 }));
