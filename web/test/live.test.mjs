// The page as it is served live, in Chromium, against a stand-in for the server: what it shows.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { HOSTILE } from "../sample/games.mjs";
import { moreGames, stateOf } from "../sample/under_way.mjs";
import { go, launch } from "./browser.mjs";
import { bothBoards, card, lineOfState, until, watched } from "./watched.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

test("boards show games as they go", () =>
  watched(browser, "", async ({ server, page, troubles }) => {
    await lineOfState(page, "live");
    await bothBoards(page);
    assert.deepEqual(await page.locator(".card h3").allInnerTexts(), ["Round 5, board 1\nGame 4 of 8", "Round 5, board 2\nGame 4 of 8"]);
    const first = await card(page, 0).locator(".last").innerText();
    server.game(0, "5.1", 4, 21);
    await until("the next move", async () => (await card(page, 0).locator(".last").innerText()) !== first);
    server.game(0, "5.1", 4, 60, { ended: { result: "1-0", termination: "time-forfeit", lost_by: "black" } });
    await card(page, 0).getByText("1–0, time forfeit").waitFor();
    await page.locator(".card[data-slot='1'] .to-game").click();
    await page.locator("h1", { hasText: "Round 5, board 2, game 4" }).waitFor();
    await page.locator(".replay .board").waitFor();
    assert.deepEqual(troubles, []);
  }));

test("clocks tick, also of a state that was sent late", () =>
  watched(browser, "", async ({ server, page }) => {
    const seconds = async (slot) => {
      const [minutes, rest] = (await card(page, slot).locator(".player.turn .time").innerText()).split(":");
      return Number(minutes) * 60 + Number(rest);
    };
    const now = Date.now();
    server.game(0, "5.1", 4, 20, { at: now });
    server.game(1, "5.2", 4, 20, { at: now - 20_000 });
    await page.locator(".player.turn .time.runs").nth(1).waitFor();
    await page.waitForTimeout(200);
    const [first, late] = [await seconds(0), await seconds(1)];
    const stands = await card(page, 0).locator(".player:not(.turn) .time").innerText();
    await until("the clock", async () => (await seconds(0)) <= first - 2);
    assert.equal(await card(page, 0).locator(".player:not(.turn) .time").innerText(), stands);
    const left = (slot, at) => {
      const { clock_us: white } = server.last(slot)[server.last(slot).to_move];
      return white / 1e6 - at;
    };
    assert.ok(Math.abs(first - left(0, 0)) < 3, `${first} is about ${left(0, 0)}`);
    assert.ok(Math.abs(late - left(1, 20)) < 3, `${late} is about ${left(1, 20)}`);
  }));

test("of 300 games those in view are drawn and asked for", { timeout: 60_000 }, () =>
  watched(browser, "", async ({ server, page, troubles }) => {
    const games = moreGames(12);
    for (let slot = 0; slot < 300; slot += 1) {
      const game = games[slot % games.length];
      server.set("game", slot, stateOf({ slot, id: `5.${(slot % 6) + 1}.${5 + (slot % 3)}`, game, white: 1, black: 2, plies: 12 + (slot % 20), players: server.event.page.players }));
    }
    await card(page, 2).locator("cg-board piece").first().waitFor();
    const row = await page.locator(".card:visible").count();
    assert.ok(row >= 3 && row <= 6, `${row} in a row`);
    await page.getByRole("button", { name: "Show all 300 boards" }).click();
    assert.equal(await page.locator(".card:visible").count(), 300);
    const inView = () => until("boards", async () => {
      const drawn = await page.locator(".card:has(cg-board)").evaluateAll((all) => all.map((each) => Number(each.dataset.slot)));
      const [asked] = server.slots;
      const covers = asked !== undefined && drawn.every((each) => asked.split(",").includes(String(each))) && asked.split(",").length <= drawn.length + 4;
      return drawn.length > 0 && covers ? drawn : null;
    });
    const top = await inView();
    assert.ok(top.length <= 24 && top[0] === 0, `${top}`);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.locator(".card[data-slot='150']").scrollIntoViewIfNeeded();
    const middle = await until("the middle", async () => {
      const drawn = await inView();
      return drawn.includes(150) ? drawn : null;
    });
    assert.ok(middle.length <= 24 && !middle.includes(0), `${middle}`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollHeight), height, "places are as large as boards");
    assert.deepEqual(troubles, []);
  }, { slots: 300 }));

test("hostile names in messages are text, and broken messages are left out", () =>
  watched(browser, "", async ({ server, page, troubles }) => {
    const state = JSON.parse(JSON.stringify(server.last(0)));
    Object.assign(state.white, { name: HOSTILE });
    state.opening.name = HOSTILE;
    state.ended = { result: HOSTILE, termination: HOSTILE };
    server.set("game", 0, state);
    await card(page, 0).locator(".player.white").getByText("<script>alert(2)").waitFor();
    assert.equal(await page.locator("main img, main script").count(), 0);
    assert.doesNotMatch(await page.locator("main").innerText(), /[\u202a-\u202e\u0007]/);
    assert.deepEqual(troubles, []);
    server.raw("event: game\ndata: {\"slot\":1\n\n");
    server.raw("event: game\ndata: {\"slot\":\"x\",\"id\":7}\n\n");
    server.raw("event: unheard\ndata: {}\n\n");
    server.set("game", 1, { ...server.last(1), moves: "e2e9 zz", unheard: 1 });
    server.run({ slots: 2, delay_ms: 60_000 });
    await lineOfState(page, "shown 1 minute late");
    assert.equal(troubles.filter((each) => each.startsWith("console: A message of the server (game) cannot be read")).length, 2);
    assert.equal(troubles.length, 2);
  }));

test("a game is followed until it is over", () =>
  watched(browser, "#game-5.2.4", async ({ server, page, troubles }) => {
    const status = () => page.locator(".controls > p[role=status]").innerText();
    await page.locator(".replay .board").waitFor();
    const opening = (await status()).match(/ply (\d+) of/)[1] - 20;
    await until("its slot alone", () => server.slots.join() === "1");
    server.game(1, "5.2", 4, 22);
    await until("it follows", async () => new RegExp(`ply ${opening + 22} of ${opening + 22}$`).test(await status()));
    assert.equal(await page.locator(".side .time.runs").count(), 1);
    await page.keyboard.press("ArrowLeft");
    server.game(1, "5.2", 4, 25);
    await until("it stays", async () => new RegExp(`ply ${opening + 21} of ${opening + 25}$`).test(await status()));
    assert.equal(await page.locator(".side .time.runs").count(), 0);
    await page.keyboard.press("End");
    server.game(1, "5.2", 4, 26);
    await until("it follows again", async () => new RegExp(`ply ${opening + 26} of ${opening + 26}$`).test(await status()));
    const top = () => page.locator(".replay .board").evaluate((each) => each.getBoundingClientRect().top);
    const before = await top();
    const match = server.event.whole.get("5.2");
    const result = { 1: "1-0", 0: "0-1", "=": "1/2-1/2" }[match.results[3]];
    server.game(1, "5.2", 4, 999, { ended: { result, termination: "adjudication" } });
    await page.locator(".about").getByText(/^The game is over/).waitFor();
    server.ended("5.2", 4);
    await page.locator(".about").getByText(/^After \d+ plies/).waitFor();
    const last = match.plies[3];
    assert.match(await status(), new RegExp(`ply ${last} of ${last}$`));
    assert.equal(await top(), before, "the board stays where it is");
    assert.deepEqual(troubles, []);
  }));

test("whoever comes late has all plies, and asks again for those that were missed", () =>
  watched(browser, "#game-5.2.4", async ({ server, page, troubles }) => {
    const status = () => page.locator(".controls > p[role=status]").innerText();
    await page.locator(".replay .board").waitFor();
    const opening = (await status()).match(/ply (\d+) of/)[1] - 20;
    const asked = () => server.asked.filter((each) => each.startsWith("/live/"));
    await until("the plies", () => asked().length === 1);
    assert.deepEqual(asked(), ["/live/5.2.4.json"]);
    const moveTimes = () => page.locator(".side dl > div", { hasText: "Move time" }).locator("dd").allInnerTexts();
    /** After this ply of the game both sides have a time for their last move. */
    const known = async (ply) => {
      await page.evaluate((hash) => (location.hash = hash), `#game-5.2.4/${opening + ply}`);
      await until(`ply ${ply}`, async () => new RegExp(`ply ${opening + ply} of`).test(await status()));
      const times = await moveTimes();
      return times.length === 2 && times.every((each) => /\d/.test(each));
    };
    for (const ply of [2, 9, 17]) assert.ok(await known(ply), `ply ${ply}`);
    // News that are passed over leave a gap.
    server.game(1, "5.2", 4, 30);
    await until("the gap", () => asked().length === 2);
    assert.equal(asked()[1], "/live/5.2.4.json?from=20");
    await until("no gap", () => known(24));
    server.game(1, "5.2", 4, 31);
    server.game(1, "5.2", 4, 32);
    await page.keyboard.press("End");
    await until("what is new", async () => new RegExp(`ply ${opening + 32} of`).test(await status()));
    assert.equal(asked().length, 2, "nothing was missed");
    assert.deepEqual(troubles, []);
  }));

test("a game that is not being played is looked for, and appears", () =>
  watched(browser, "#game-5.3.4", async ({ server, page, troubles }) => {
    await page.getByText("Looking for the game …").waitFor();
    await until("all are asked for", () => server.slots.length === 1 && server.slots[0] === null);
    await page.getByText("It appears here when it begins.").waitFor();
    await until("it asks for none", () => server.slots.join() === "none");
    server.ended("5.3", 3);
    server.ended("5.3", 2);
    server.game(1, "5.3", 4, 3);
    await page.locator(".replay .board").waitFor();
    assert.deepEqual(troubles, []);
  }));

test("a mini-match changes at once", () =>
  watched(browser, "#match-5.1", async ({ server, page, troubles }) => {
    assert.equal(await page.locator(".game", { hasText: "no result yet" }).count(), 5);
    server.ended("5.1", 5);
    await until("the strip", async () => (await page.locator(".game", { hasText: "no result yet" }).count()) === 3);
    const score = (await page.locator("#app .result").innerText()).trim();
    await go(page, "#rounds");
    assert.equal((await page.locator("#round-5 a[href='#match-5.1']").innerText()).trim(), score);
    await go(page, "#game-5.1.5");
    await page.locator(".replay .board").waitFor();
    server.ended("5.1", 6);
    await go(page, "#game-5.1.6");
    await page.locator(".replay .board").waitFor();
    assert.ok(server.asked.filter((each) => each === "/games/5.1.json").length >= 2, "games are read again");
    assert.deepEqual(troubles, []);
  }));

test("a new page keeps scroll, focus, sort, open details and view", () =>
  watched(browser, "", async ({ server, page, troubles }) => {
    await lineOfState(page, "live");
    const button = page.getByRole("button", { name: "Game points" });
    await button.click();
    const link = page.locator("#overview td.name a").nth(7);
    await link.focus();
    const href = await link.getAttribute("href");
    await page.evaluate(() => scrollTo(0, 300));
    const at = await page.evaluate(() => scrollY);
    assert.ok(at > 200);
    const players = server.event.page.players;
    players[0].points = "99.5";
    server.event.order.unshift(server.event.order.splice(server.event.order.indexOf(players[0].number), 1)[0]);
    server.state = "Round 5 of 5 · 30 of 48 games";
    server.page("2");
    await page.locator("#overview").getByText("99½").first().waitFor();
    assert.equal(await page.locator(".state").innerText(), server.state);
    assert.deepEqual(await page.locator("#overview th[aria-sort]").evaluateAll((all) => all.map((each) => each.textContent)), ["Game points"]);
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("href")), href);
    assert.equal(await page.evaluate(() => scrollY), at);
    const marks = await page.locator("#overview .moved").evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")));
    assert.ok(marks.length > 1 && marks.some((each) => /^up from place \d+$/.test(each)), `${marks}`);
    assert.equal(await page.locator(".card cg-board").count(), 2, "boards stay");
    await go(page, "#match-3.2");
    server.page("3");
    await until("the page is fetched", () => server.asked.filter((each) => each === "/").length >= 3);
    await page.waitForTimeout(200);
    await page.locator("h1", { hasText: "Round 3, board 2" }).waitFor();
    assert.deepEqual(troubles, []);
  }));

test("a page that does not change is not put in anew, and sections come and go", () =>
  watched(browser, "#rounds", async ({ server, page, troubles }) => {
    await lineOfState(page, "live");
    await page.evaluate(() => (document.querySelector("#crosstable table").dataset.mine = "1"));
    const round = server.event.page.mini_matches.filter((match) => match.round === 5);
    server.event.page.mini_matches = server.event.page.mini_matches.filter((match) => match.round < 5);
    server.page("2");
    await until("round 5 is away", async () => (await page.locator("#round-5").count()) === 0);
    server.event.page.mini_matches.push(...round);
    server.page("3");
    await page.locator("#round-5").waitFor();
    assert.equal(await page.locator("#summary table, #rules h2").first().count(), 1);
    assert.deepEqual(troubles, []);
  }));

test("nothing jumps while boards come", { timeout: 60_000 }, async () => {
  for (const viewport of [{ width: 1400, height: 900 }, { width: 360, height: 740 }]) {
    await watched(browser, "", async ({ page }) => {
      await card(page, 1).locator("cg-board piece").first().waitFor();
      await page.waitForTimeout(500);
      const shift = await page.evaluate(() => new Promise((done) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += entry.value;
        }).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => done(sum), 100);
      }));
      assert.ok(shift < 0.02, `at ${viewport.width} it shifts by ${shift}`);
    }, { viewport, slow: 6 });
  }
});
