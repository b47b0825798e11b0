// What a visitor finds first, in Chromium: who has won, why, the crosstable, the rounds, the agents, and the way back.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { keptEvent } from "../sample/kept.mjs";
import { go, launch, open } from "./browser.mjs";
import { card, lineOfState, until, watched } from "./watched.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
const boxes = (page, selector) => page.locator(selector).evaluateAll((all) => all.map((each) => {
  const { x, y, width, height } = each.getBoundingClientRect();
  return { x, y, width, height, text: each.textContent };
}));

test("at the end the winner comes first, and each place says why it is above the next", async () => {
  const { page, context, troubles } = await open(browser, "", { viewport: { width: 1440, height: 900 } });
  const top = async (selector) => (await page.locator(selector).first().boundingBox()).y;
  assert.ok((await top(".champion")) < (await top("#overview table")), "the winner stands above the table");
  assert.equal(await page.locator(".champion").evaluate((each) => getComputedStyle(each).fontSize), "28px");
  assert.equal(await page.getByText("The event is over").count(), 1);
  // A schedule beside the table would clip its last column: fault 2.
  const [table] = await boxes(page, "#overview .overview > div:first-child .scroll");
  const [whole] = await boxes(page, "#overview .overview");
  assert.equal(Math.round(table.width), Math.round(whole.width));
  assert.deepEqual((await boxes(page, ".schedule time")).filter(({ height }) => height > 30), [], "times in one line");
  const third = page.locator("#overview tbody tr").nth(2);
  await third.locator("a.ask").click();
  const told = page.locator("#why-0-3");
  assert.ok(await told.isVisible(), "it is unfolded");
  assert.match(await told.innerText(), / is above .+ by match points, /);
  // The arrow of what can be sorted is seen before it is touched.
  assert.equal(await page.locator(".sort").first().evaluate((each) => getComputedStyle(each, "::before").opacity), "0.4");
  assert.deepEqual(troubles, []);
  await context.close();
});

test("on a phone no cell of the crosstable is broken into letters, and links can be hit", async () => {
  const { page, context } = await open(browser, "#crosstable", PHONE);
  const cells = await boxes(page, "#crosstable td:not(.name)");
  const [line] = await boxes(page, "#crosstable th.figure");
  assert.ok(cells.length > 100 && line.height > 0);
  const broken = await page.locator("#crosstable td:not(.name)").evaluateAll((all) => all.filter((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 4;
  }).length);
  assert.equal(broken, 0);
  for (const hash of ["#crosstable", "#rounds", "#overview"]) {
    await go(page, hash);
    const small = (await boxes(page, `${hash} td a`)).filter(({ width, height }) => height < 23.9 || width < 23.9);
    assert.deepEqual(small, [], hash);
  }
  await context.close();
});

test("on a phone the search is in the row of the event's name", async () => {
  const look = async (page) => {
    const [[name], [search], [state], [links]] = await Promise.all([".event", ".find", ".status", ".sections"].map((each) => boxes(page, `.top ${each}`)));
    assert.ok(name.width > 180 && search.y >= name.y - 4 && search.y + search.height <= name.y + name.height && search.x >= name.x + name.width, JSON.stringify([name, search]));
    assert.ok(state.y >= name.y + name.height && links.y >= state.y + state.height, JSON.stringify([state, links]));
  };
  const { page, context } = await open(browser, "", PHONE);
  await look(page);
  await context.close();
  await watched(browser, "", async (live) => {
    await lineOfState(live.page, "live");
    await look(live.page);
  }, PHONE);
});

test("why a place is so comes after its figures", async () => {
  const { page, context } = await open(browser, "", PHONE);
  const last = await page.locator("#overview table:has(.asks)").first().locator("tr > :last-child").evaluateAll((all) => all.map((each) => each.className));
  assert.deepEqual(last, Array(13).fill("asks"));
  assert.equal(await page.locator("#overview td:nth-child(3)").first().getAttribute("class"), "figure");
  await context.close();
});

test("the list of agents has rating and author under each name, as text", async () => {
  const { page, context, troubles } = await open(browser, "#agents", PHONE);
  const about = (number) => page.locator(`#agents td.name:has(a[href="#agent-${number}"])`).locator(".note");
  assert.equal(await about(9).innerText(), "Rated 1890, by Author 9");
  assert.equal(await about(2).innerText(), "by Author 2");
  assert.match(await about(3).innerText(), /^Rated 1830, by .*<script>/);
  const [[line], [link]] = await Promise.all([about(9), page.locator(`#agents a[href="#agent-9"]`)].map(async (each) => [await each.boundingBox()]));
  assert.ok(line.y >= link.y + link.height - 1);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  assert.deepEqual(troubles, []);
  await context.close();
});

test("landmarks have names of their own", async () => {
  const { page, context } = await open(browser, "#overview");
  const names = await page.locator("[role=region]:visible, nav:visible").evaluateAll((all) => all.map((each) => {
    const by = each.getAttribute("aria-labelledby");
    return by ? document.getElementById(by)?.textContent : each.getAttribute("aria-label");
  }));
  assert.ok(names.length > 2 && !names.includes(null), `${names}`);
  assert.equal(new Set(names).size, names.length, `${names}`);
  await context.close();
});

test("Back leads to the place that was left", async () => {
  const { page, context } = await open(browser, "#rounds", { viewport: { width: 1280, height: 700 } });
  const link = page.locator("#round-1 a[href^='#match-1.']").first();
  await link.scrollIntoViewIfNeeded();
  // Heights of what is out of sight are guessed until it comes into view, also while the mouse looks for the link: the place is that of
  // what is seen, as it is left.
  await page.evaluate(() => addEventListener("click", ({ target }) => (window.left = { y: target.getBoundingClientRect().y, scrolled: scrollY }), true));
  const place = async () => (await link.boundingBox())?.y ?? -1;
  await link.click();
  const left = await page.evaluate(() => window.left);
  assert.ok(left.scrolled > 300);
  await page.locator("#app h1").waitFor();
  assert.equal(await page.evaluate(() => scrollY), 0);
  await page.goBack();
  await until("the place", async () => Math.abs((await place()) - left.y) < 40);
  await context.close();
});

test("rounds can be jumped to, have their winners in bold, who did not play, and the reason of each pair", async () => {
  const { page, context } = await open(browser, "#rounds");
  await page.locator(".jump a", { hasText: "2" }).click();
  assert.match(page.url(), /#round-2$/);
  const round = page.locator("#round-2");
  assert.match(await round.innerText(), /Half-point byes: .+\(asked for\)[^]*Withdrawn: /);
  for (const row of await round.locator("tbody tr").all()) {
    const [own, their] = (await row.locator(".score").innerText()).split(" – ").map((text) => Number(text.replace("½", ".5")));
    const bold = await row.locator("td.name").evaluateAll((all) => all.map((each) => Number(getComputedStyle(each).fontWeight) >= 600));
    assert.deepEqual(bold, [own > their, their > own]);
  }
  await round.locator("a.ask").first().click();
  assert.ok(await page.locator("#pair-2-1").isVisible());
  await context.close();
});

test("an agent has its rating and author, says that it is out, and its few games are read unasked", async () => {
  const { page, context, troubles } = await open(browser, "#agent-9");
  await page.locator("#app").getByText("Rated 1890, by Author 9").waitFor();
  await page.locator("#app").getByText("This agent was disqualified").waitFor();
  await page.locator(".from-games").getByText("By opening").waitFor();
  // How it did with each colour is seen whole on a phone.
  await page.setViewportSize({ width: 390, height: 844 });
  const colours = page.locator("#app .scroll", { hasText: "Colour" });
  assert.ok(await colours.evaluate((box) => box.scrollWidth <= box.clientWidth + 1));
  await page.locator("#app .out").getByRole("link", { name: "The minutes" }).click();
  await page.locator("#minutes h1").waitFor();
  await go(page, "#agent-3");
  assert.equal(await page.locator("main img, main script").count(), 0);
  assert.deepEqual(troubles, []);
  await context.close();
});

test("a mini-match says what it means before it lists its games, the first twenty of them", async () => {
  const { page, context, troubles } = await open(browser, "#match-5p1.1");
  await page.locator(".meaning").waitFor();
  const top = async (selector) => (await page.locator(selector).first().boundingBox()).y;
  assert.ok((await top(".meaning")) < (await top(".pairs")));
  assert.equal(await page.locator("a.game").count(), 20);
  await page.getByRole("button", { name: "Show all 24 games" }).click();
  assert.equal(await page.locator("a.game").count(), 24);
  assert.match(await page.title(), /^.+ \d+½? – \d+½? .+, Round 5, play-off 1, board 1 – /);
  assert.deepEqual(troubles, []);
  await context.close();
});

test("the decisive moment is the move after which both engines' scores changed most", async () => {
  const { games } = keptEvent().matches.find(({ match }) => match.id === "3.2").games;
  const pawns = (value, white) => {
    if (value === null) return null;
    const own = typeof value === "number" ? value / 100 : value.startsWith("#-") || value === "#0" ? -10 : 10;
    return Math.max(-10, Math.min(10, white ? own : -own));
  };
  const changes = games.flatMap(({ game, fen, opening, eval: evals }) => {
    const before = opening.split(" ").filter(Boolean).length;
    const begins = (fen.split(" ")[1] === "w") === (before % 2 === 0);
    const seen = evals.map((value, index) => pawns(value, (index % 2 === 0) === begins));
    return seen.slice(3).map((_each, index) => {
      const [a, b, c, d] = seen.slice(index, index + 4);
      const both = [c - a, d - b];
      const agree = ![a, b, c, d].includes(null) && both[0] * both[1] > 0;
      return { at: `${game}/${before + index + 2}`, by: agree ? Math.min(...both.map(Math.abs)) : 0 };
    });
  });
  const most = changes.reduce((found, each) => (each.by > found.by ? each : found), { by: 0 });
  assert.ok(most.by >= 1.5, "the sample has one");
  const { page, context } = await open(browser, "#match-3.2");
  const moment = page.locator(".decisive");
  await moment.waitFor();
  assert.equal(await moment.locator("a").getAttribute("href"), `#game-3.2.${most.at}`);
  assert.match(await moment.innerText(), new RegExp(`by ${most.by.toFixed(1).replace(".", "\\.")} pawns or more`));
  // It is that of its game, too.
  await go(page, `#game-3.2.${most.at.split("/")[0]}`);
  await page.locator(".about .decisive", { hasText: `, ply ${most.at.split("/")[1]} of ` }).locator("a").click();
  await page.locator(".moves [aria-current=true]").waitFor();
  await page.waitForURL((url) => url.hash === `#game-3.2.${most.at}`);
  await until("the board is in view", () => page.locator("#app .board").evaluate((board) => board.getBoundingClientRect().top > -1));
  await context.close();
});

test("before, between, paused: what is so is said, without a blank board", () =>
  watched(browser, "", async ({ server, page, troubles }) => {
    const standing = page.locator(".standing");
    const soon = new Date(Date.now() + 125_000).toISOString();
    await card(page, 0).locator("cg-board").waitFor();
    for (const slot of [0, 1]) server.game(slot, `5.${slot + 1}`, 4, 60, { ended: { result: "1-0", termination: "checkmate" } });
    server.run({ state: "paused", why: "a power <b>cut</b>" });
    await lineOfState(page, "paused: a power <b>cut</b>");
    await standing.getByText("The event is paused").waitFor();
    assert.equal(await page.locator(".card").count(), 0, "no board is left");
    server.run({ state: "between", next_at: soon, held_back: false });
    await lineOfState(page, "between rounds");
    assert.match(await standing.locator(".countdown").innerText(), /^Round \d begins in 2:0\d/);
    const first = await standing.locator("time").innerText();
    await until("a second", async () => (await standing.locator("time").innerText()) !== first);
    server.run({ state: "between", next_at: soon, held_back: true });
    await standing.getByText("The pairing and the games of the next round are held back until the arbiter releases them.").waitFor();
    assert.equal(await standing.getByText("Pairings of").count(), 0);
    server.run({ state: "before", next_at: soon });
    await standing.getByText("The event has not begun").waitFor();
    server.run({ state: "playing" });
    await card(page, 0).waitFor();
    assert.equal(await standing.count(), 0);
    server.run({ state: "over", over: true, at_work: false });
    await lineOfState(page, "the event is over");
    assert.equal(await page.locator(".card, .standing").count(), 0);
    assert.deepEqual(troubles, []);
  }));

test("a score that comes brings how many games are played", () =>
  watched(browser, "#rounds", async ({ server, page }) => {
    await lineOfState(page, "live");
    server.ended("5.1", 5);
    await until("the count", async () => (await page.locator("#round-5 tbody tr").first().locator(".count").innerText()) === "5 of 8");
  }));
