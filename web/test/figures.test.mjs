// What the program computed of games, mini-matches and agents, in Chromium: the reference engine, words, what scores mean, figures from games.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { parsePgn } from "chessops/pgn";
import { keptEvent } from "../sample/kept.mjs";
import { go, launch, open, SAMPLE } from "./browser.mjs";

const { page: DATA, matches: MATCHES } = keptEvent();
const gamesOf = (id) => MATCHES.find(({ match }) => match.id === id).games;

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** After a change of view. */
const settled = (page) => page.waitForTimeout(80);

test("the reference engine's evaluations stand in the graph and beside the moves", async () => {
  const { page, context, troubles } = await open(browser, "#game-3.2.4/9999", { viewport: { width: 1400, height: 900 } });
  await page.locator(".board").waitFor();
  assert.match(await page.locator(".graphs .key-line.reference").innerText(), /^Reference [+−]\d+\.\d\d$/);
  const game = gamesOf("3.2").games[3];
  const beside = await page.locator(".moves .by-reference").allInnerTexts();
  assert.equal(beside.filter((text) => text !== "").length, game.reference.length - (game.opening === "" ? 1 : 0), "one a position");
  // The evaluation after the last move, from White's view.
  const plies = [...game.opening.split(" "), ...game.moves.split(" ")].filter(Boolean).length;
  const toMove = (plies + (game.fen.split(" ")[1] === "w" ? 0 : 1)) % 2 === 0 ? 1 : -1;
  const last = game.reference.at(-1);
  assert.equal(typeof last, "number");
  const pawns = (toMove * last) / 100;
  const shown = pawns === 0 ? "0.00" : `${pawns < 0 ? "−" : "+"}${Math.abs(pawns).toFixed(2)}`;
  assert.equal(beside.filter((text) => text !== "").at(-1), shown);
  assert.deepEqual(troubles, []);
  await context.close();
});

test("moves that lost much are marked by signs and words, as the program judged them", async () => {
  const { page, context } = await open(browser, "#game-3.2.4/1");
  await page.locator(".board").waitFor();
  const { marks, lost } = gamesOf("3.2").games[3];
  const signs = { i: "?!", m: "?", b: "??" };
  const expected = [...marks].flatMap((mark, index) => (mark === "." ? [] : [`${signs[mark]} ${(lost[index] / 100).toFixed(2)}`]));
  assert.ok(expected.length > 3);
  const found = await page.locator(".moves .lost").evaluateAll((all) =>
    all.map((each) => `${each.firstChild.textContent} ${/lost ([\d.]+)/.exec(each.querySelector(".unseen").textContent)[1]}`));
  assert.deepEqual(found, expected);
  const [white, black] = gamesOf("3.2").games[3].quality;
  const cells = await page.locator(".about .both tbody tr:nth-child(2) td").allInnerTexts();
  assert.deepEqual(cells, [white.acpl.toFixed(1), black.acpl.toFixed(1)]);
  assert.match(await page.locator(".about article .note").innerText(), /^Reference engine: Reference ">/);
  // A game that was not analysed has none of it.
  await go(page, "#game-5.1.1");
  await page.locator("h1", { hasText: "Round 5" }).waitFor();
  await page.locator(".board").waitFor();
  assert.equal(await page.locator(".by-reference, .lost, .key-line.reference, .about article").count(), 0);
  await context.close();
});

test("each side has its speed and what its last move lost", async () => {
  const { page, context } = await open(browser, "#game-3.2.4/9999");
  await page.locator(".board").waitFor();
  const names = await page.locator(".side.below dt").allInnerTexts();
  assert.deepEqual(names, ["Evaluation", "Depth", "Move time", "Nodes", "Nodes/s", "Lost"]);
  await context.close();
});

test("a game is told in words, and what is hostile in them is text", async () => {
  const { page, context, troubles } = await open(browser, "#game-3.2.4/5");
  await page.locator(".board").waitFor();
  const told = page.locator(".account details");
  assert.deepEqual(await told.locator("summary").allInnerTexts(), ["The game", "How it ended, and by which rule", "Clocks"]);
  assert.deepEqual(await told.evaluateAll((all) => all.map((each) => each.open)), [false, true, false]);
  assert.match(await told.nth(1).innerText(), /answered ""><img src=x onerror="alert\(1\)"><script>alert\(2\)<\/script>\\u\{202e\}\{evil\}/);
  assert.equal(await page.locator("main img").count(), 0);
  await told.nth(0).locator("summary").press("Enter");
  assert.ok(await told.nth(0).locator("li").first().isVisible());
  assert.deepEqual(troubles, []);
  await context.close();
});

test("a copied PGN has the tags that the program gave, and why the game ended", async () => {
  for (const hash of ["3.2.4", "3.2.1", "3.3.2"]) {
    const { page, context } = await open(browser, `#game-${hash}`, { permissions: ["clipboard-read", "clipboard-write"] });
    await page.locator(".board").waitFor();
    await page.getByRole("button", { name: "Copy PGN" }).click();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(text.split("\n").filter((line) => !line.startsWith("[")).every((line) => line.length < 80), text);
    const [parsed, ...more] = parsePgn(text);
    assert.equal(more.length, 0);
    assert.equal(parsed.headers.get("Event"), DATA.event);
    assert.equal(parsed.headers.get("TimeControl"), "60+0.4");
    assert.equal(parsed.headers.get("Date"), "2024.02.29");
    const moves = [...parsed.moves.mainlineNodes()];
    const ending = gamesOf(hash.slice(0, 3)).games[Number(hash.slice(4)) - 1].ending;
    assert.equal(moves.at(-1).data.comments?.[0].replace(/\s+/g, " ").slice(0, 12), ending.slice(0, 12));
    assert.equal(Number(parsed.headers.get("PlyCount")), moves.length);
    await context.close();
  }
});

test("a mini-match says what its pairs mean", async () => {
  const { page, context, troubles } = await open(browser, "#match-3.2");
  const { pairs } = gamesOf("3.2").score;
  const cells = page.locator(".pentanomial tr").first().locator("td");
  await cells.first().waitFor();
  assert.deepEqual((await cells.allInnerTexts()).map((text) => Number(text.trim())), pairs);
  assert.deepEqual(troubles, []);
  await context.close();
});

/** The sample with other data of the event. */
async function changed(change, look) {
  const folder = await mkdtemp(join(tmpdir(), "page-"));
  try {
    const file = pathToFileURL(join(folder, "report.html"));
    await writeFile(file, (await readFile(SAMPLE, "utf8")).replace('{"schema":1,', `{"schema":1,${change},`));
    await look(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const OF_TWO = {
  player: 1, pairs: [1, 0, 5, 4, 13], score: 0.8043, interval: [0.6959, 0.9128], elo: 245.6, elo_error: 132.1, opponent: 2,
  games: [35, 4, 7], nelo: 281.8, nelo_error: 100.4, los: 0.9987, draws: 0.087, level_pairs: 0.2174, pairs_ratio: "17.00",
  test: {
    hypotheses: "[0, 60] in normalized Elo", alpha: 0.05, beta: 0.05, counts: "pentanomial", llr: 1.47, lower: -2.94, upper: 2.94, after: 3,
    verdict: null, path: [[0, 0], [1, 0.5], [2, 1], [3, 1.47]],
  },
};

test("a match of two has Elo, its test and the way of that", async () => {
  await changed(`"match":${JSON.stringify(OF_TWO)}`, async (file) => {
    const { page, context, troubles } = await open(browser, "#match-5p1.1", {}, file);
    const meaning = page.locator(".meaning");
    const text = (await meaning.innerText()).replace(/\s+/g, " ");
    for (const said of [
      "80.4 %", "95 % interval 69.6 % to 91.3 %", "+245.6 ± 132.1", "+281.8 ± 100.4", "99.9 %", "35, 4, 7", "17.00", "[0, 60] in normalized Elo",
      "bounds (−2.94, +2.94)", "The test is not decided, 50.0 % of the way to H1.",
    ]) assert.ok(text.includes(said), `${said}: ${text}`);
    assert.equal(await meaning.locator(".graph canvas").count(), 1);
    assert.deepEqual(troubles, []);
    await context.close();
  });
  const decided = { ...OF_TWO, test: { ...OF_TWO.test, llr: -3, verdict: "H0" } };
  await changed(`"match":${JSON.stringify(decided)}`, async (file) => {
    const { page, context } = await open(browser, "#match-5p1.1", {}, file);
    assert.match(await page.locator(".meaning").innerText(), /The test is over: H0 is accepted\./);
    await context.close();
  });
});

test("data that is not what it should be leaves the tables", async () => {
  await changed(`"match":{"player":"<b>"}`, async (file) => {
    const { page, context } = await open(browser, "#match-3.2", {}, file);
    assert.deepEqual(await page.locator("main > section.view:visible").evaluateAll((all) => all.map((each) => each.id)), ["overview"]);
    await context.close();
  });
});

test("an agent that is asked over the network has its tokens, its cost and what came of it", async () => {
  const { page, context, troubles } = await open(browser, "#agent-4");
  const told = async () => (await page.locator(".asked dl").innerText()).replace(/\s+/g, " ");
  assert.equal(
    await told(),
    "Calls 20 Tokens in 9000 Tokens out 410 Cost 1.250001 Legal % 97.3 (95.1–98.9) Score % 50.0 (31.2–68.8) " +
      "Score % without faults 62.5 (40.0–81.3) Legal moves in the prompt all Constrained answers yes",
  );
  await go(page, "#agent-5");
  assert.match(await told(), /^Calls 3 Tokens in 900\+ Tokens out – Cost .* Cost by game won – Legal moves in the prompt – Constrained answers no$/);
  await go(page, "#agent-6");
  assert.equal(await page.locator(".asked").count(), 0);
  assert.deepEqual(troubles, []);
  await context.close();
});

test("an agent has what the reference engine made of it, and its faults by kind", async () => {
  const { page, context, troubles } = await open(browser, "#agent-4");
  const facts = (await page.locator(".head .facts").innerText()).replace(/\s+/g, " ");
  assert.match(facts, /ACPL 34\.5 Accuracy 91\.5 %/);
  let kinds = 0;
  for (const { number } of DATA.players) {
    await go(page, `#agent-${number}`);
    await settled(page);
    for (const link of await page.locator("article a[href^='#game-']").evaluateAll((all) => all.map((each) => [each.hash, each.textContent.trim()]))) {
      assert.equal(`#game-${link[1].replace("‡ ", "")}`, link[0]);
      kinds += 1;
    }
  }
  assert.ok(kinds > 5);
  assert.deepEqual(troubles, []);
  await context.close();
});

test("an agent's games are read, and counted", async () => {
  const { page, context, troubles } = await open(browser, "#agent-9", { viewport: { width: 1400, height: 900 } });
  const own = MATCHES.filter(({ match }) => match.white === 9 || match.black === 9);
  const section = page.locator(".from-games");
  await section.locator("tbody tr").first().waitFor();
  const unread = await section.locator(".problem").allInnerTexts();
  const readable = own.filter(({ match }) => !["2.1", "2.2", "1.2"].includes(match.id));
  const games = readable.flatMap(({ games }) => games.games);
  assert.deepEqual(unread.map((text) => /: (.*)\.$/.exec(text)?.[1]), own.some(({ match }) => ["2.1", "1.2"].includes(match.id)) ? [own.filter(({ match }) => ["2.1", "1.2"].includes(match.id)).map(({ match }) => match.id).join(", ")] : []);
  const counts = (await section.locator("tbody tr td:nth-child(2)").allInnerTexts()).map(Number);
  assert.equal(counts.reduce((sum, each) => sum + each, 0), games.length);
  assert.equal(await section.locator("td.links a").count(), games.length);
  assert.equal(await section.locator(".graph canvas").count(), 2);
  assert.match(await section.innerText(), /Longest move/);
  assert.match(await section.innerText(), /Clock used\s+[\d.]+ %/);
  assert.equal(await page.locator("main img, main b").count(), 0);
  // It is still there on the way back.
  await section.locator("td.links a").first().click();
  await page.locator(".board").waitFor();
  await page.goBack();
  await section.locator("tbody tr").first().waitFor();
  assert.deepEqual(troubles, []);
  await context.close();
});

test("reading may be stopped", async () => {
  const { page, context, troubles } = await open(browser, "");
  const section = page.locator(".from-games");
  await page.evaluate(() => {
    const unpack = DecompressionStream;
    globalThis.DecompressionStream = class {
      constructor(kind) {
        const slow = new TransformStream({ transform: (chunk, to) => new Promise((done) => setTimeout(() => done(to.enqueue(chunk)), 400)) });
        const real = new unpack(kind);
        this.writable = slow.writable;
        this.readable = slow.readable.pipeThrough(real);
      }
    };
  });
  await go(page, "#agent-9");
  assert.equal(await section.locator("progress").count(), 1);
  await section.getByRole("button", { name: "Stop" }).click();
  assert.equal(await section.locator("progress").count(), 0);
  await page.waitForTimeout(700);
  assert.equal(await section.locator("table, progress, .problem").count(), 0);
  assert.equal(await section.getByRole("button", { name: /^Read/ }).count(), 1);
  assert.deepEqual(troubles, []);
  await context.close();
});
