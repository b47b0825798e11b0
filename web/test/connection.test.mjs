// The connection of the live page, in Chromium: lost and found again, polled, refused, hidden.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { go, launch } from "./browser.mjs";
import { bothBoards, card, hide, lineOfState, until, watched } from "./watched.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const RECONNECTING = /^reconnecting …, as of \d\d:\d\d:\d\d$/;

test("a reload in the middle shows the same", () =>
  watched(browser, "", async ({ page, troubles }) => {
    await card(page, 1).locator("cg-board piece").first().waitFor();
    const texts = () => page.locator(".card .last, .card .expects").allInnerTexts();
    const before = await texts();
    await page.reload();
    await card(page, 1).locator("cg-board piece").first().waitFor();
    assert.deepEqual(await texts(), before);
    assert.deepEqual(troubles, []);
  }));

test("a server that goes away and comes back", { timeout: 60_000 }, () =>
  watched(browser, "", async ({ server, page }) => {
    await lineOfState(page, "live");
    await bothBoards(page);
    await server.stop();
    await lineOfState(page, RECONNECTING);
    const clocks = () => page.locator(".card .time.stale").allInnerTexts();
    const stand = await clocks();
    assert.equal(stand.length, 4, "no clock runs on");
    assert.match(await page.locator(".card .time.stale").first().getAttribute("title"), /^as of \d\d:\d\d:\d\d$/);
    await page.waitForTimeout(1200);
    assert.deepEqual(await clocks(), stand);
    assert.equal(await page.locator(".card cg-board").count(), 2, "what was there stays");
    server.game(0, "5.1", 4, 33);
    await server.start();
    await lineOfState(page, "live");
    await page.locator(".card .time.runs").first().waitFor();
    assert.equal((await clocks()).length, 0);
    const { moves } = server.last(0);
    await until("the newest state", async () => (await card(page, 0).locator(".last").innerText()).length > 0 && server.slots.length === 1);
    assert.ok(moves.length > 0);
    server.game(0, "5.1", 4, 34, { ended: { result: "0-1", termination: "checkmate" } });
    await card(page, 0).getByText("0–1, checkmate").waitFor();
  }));

test("a game that is opened while the server is away is told of quietly, and comes when it is back", { timeout: 60_000 }, () =>
  watched(browser, "#game-4.1.2", async ({ server, page }) => {
    const board = page.locator(".replay .board");
    const note = page.locator("#app .note[role=status]").getByText(/^The server of this page cannot be reached\. .* by itself when the server is back\. .* still be looked at\.$/);
    await board.waitFor();
    await lineOfState(page, "live");
    await server.stop();
    // One that has ended, and one that has not.
    for (const hash of ["#game-4.2.1", "#game-5.3.6"]) {
      await go(page, hash);
      await note.waitFor({ timeout: hash === "#game-4.2.1" ? 3_000 : 10_000 });
      assert.equal(await page.locator(".problem").count(), 0);
    }
    await go(page, "#agent-9");
    const games = page.locator(".from-games");
    await games.getByText("The server is away. They can be read when it is back.").waitFor();
    assert.equal(await page.locator(".problem").count(), 0);
    await go(page, "#game-4.1.1");
    await board.waitFor();
    await go(page, "#game-4.2.1");
    await note.waitFor();
    await server.start();
    await board.waitFor();
    assert.equal(await note.count(), 0);
  }));

test("an event that is over, and its server gone: a game that was not read is told of quietly", () =>
  watched(browser, "", async ({ server, page }) => {
    await lineOfState(page, "live");
    server.run({ at_work: false, over: true });
    server.event.page.over = true;
    server.page("2");
    await page.locator("h1", { hasText: "Final standings" }).waitFor();
    await server.stop();
    await go(page, "#game-4.2.1");
    await page.locator("#app .note[role=status]").getByText(/^The server of this page cannot be reached/).waitFor({ timeout: 3_000 });
    assert.equal(await page.locator(".problem").count(), 0);
  }));

test("a game that has just ended and comes a moment later appears by itself", () =>
  watched(browser, "#rounds", async ({ server, page }) => {
    await lineOfState(page, "live");
    let missing = 3;
    await page.route("**/games/5.3.json", (route) => ((missing -= 1) >= 0 ? route.fulfill({ status: 404, body: "not found" }) : route.continue()));
    server.ended("5.3", 4);
    await go(page, "#game-5.3.4");
    await page.locator(".replay .board").waitFor();
    assert.equal(missing, -1);
    assert.equal(await page.locator(".problem").count(), 0);
  }));

test("where no stream passes it polls, and takes a stream again", { timeout: 60_000 }, async () => {
  await watched(browser, "#rounds", async ({ server, page }) => {
    await lineOfState(page, "live");
    server.streams = false;
    for (const stop of [server.stop(), server.start()]) await stop;
    await until("polling", () => server.asked.some((each) => each.startsWith("/news?after=0")), 20_000);
    await go(page, "#overview");
    await card(page, 0).locator("cg-board piece").first().waitFor();
    server.game(0, "5.1", 4, 50, { ended: { result: "1/2-1/2", termination: "stalemate" } });
    await card(page, 0).getByText("½–½, stalemate").waitFor();
    const after = server.asked.filter((each) => each.startsWith("/news")).map((each) => Number(/after=(\d+)/.exec(each)[1]));
    assert.ok(after.at(-1) > 0, "it asks for what is newer");
    await server.stop();
    await lineOfState(page, RECONNECTING);
    server.streams = true;
    await server.start();
    await until("a stream", () => server.slots.join() === "0,1");
    await lineOfState(page, "live");
  });
});

test("a token that is needed is told", () =>
  watched(browser, "", async ({ server, page }) => {
    await lineOfState(page, "live");
    server.needsToken = true;
    await server.stop();
    await server.start();
    await page.locator(".live-state").getByText(/^a token is needed/).waitFor({ timeout: 20_000 });
  }));

test("states of the event are told", () =>
  watched(browser, "", async ({ server, page }) => {
    server.run({ delay_ms: 600_000 });
    await lineOfState(page, "shown 10 minutes late");
    server.run({ live: false });
    await lineOfState(page, "live: results only");
    assert.equal(await page.locator(".playing").count(), 0);
    server.run({ at_work: false });
    await lineOfState(page, "the runner has stopped");
    server.run({ over: true, at_work: false });
    await lineOfState(page, "the event is over");
    assert.equal(await page.locator(".live-state").getAttribute("aria-live"), "polite");
  }));

test("a page that is hidden has no stream, and goes on when it is seen", () =>
  watched(browser, "", async ({ server, page, troubles }) => {
    const ofBoth = () => /^0,1(,[23])*$/.test(server.slots.join());
    await until("the stream", ofBoth);
    await hide(page, true);
    await until("no stream", () => server.slots.length === 0);
    const ofNews = () => server.asked.filter((each) => /^.(events|news)/.test(each));
    const asked = ofNews().length;
    server.game(0, "5.1", 4, 60, { ended: { result: "1-0", termination: "checkmate" } });
    await page.waitForTimeout(400);
    assert.deepEqual(ofNews().slice(asked), [], "it asks for nothing");
    await hide(page, false);
    await until("the stream again", ofBoth);
    await card(page, 0).getByText("1–0, checkmate").waitFor();
    await lineOfState(page, "live");
    await go(page, "#crosstable");
    await until("none of other sections", () => server.slots.join() === "none");
    assert.deepEqual(troubles, []);
  }));
