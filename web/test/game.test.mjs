// A game on its board, in Chromium: keys, clicks, graphs, flip, copies.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Chess } from "chessops/chess";
import { makeFen, parseFen } from "chessops/fen";
import { parsePgn, startingPosition } from "chessops/pgn";
import { parseSan } from "chessops/san";
import { go, launch, open } from "./browser.mjs";

const LAST = JSON.parse(readFileSync(new URL("../sample/dist/last.json", import.meta.url), "utf8"));
const FILES = "abcdefgh";
const ROLES = { pawn: "p", knight: "n", bishop: "b", rook: "r", queen: "q", king: "k" };

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** What stands on the board, by where its pieces are drawn. */
async function drawn(page) {
  await page.waitForTimeout(60);
  const pieces = await page.locator("cg-board").evaluate((board) => {
    const { left, top, width } = board.getBoundingClientRect();
    const place = (value) => Math.floor(value / (width / 8));
    return [...board.querySelectorAll("piece")].map((piece) => {
      const box = piece.getBoundingClientRect();
      return [piece.className.split(" "), place(box.left + box.width / 2 - left), place(box.top + box.height / 2 - top)];
    });
  });
  const flipped = await page.locator(".cg-wrap.orientation-black").count();
  return Object.fromEntries(pieces.map(([[color, role], x, y]) => {
    const square = `${FILES[flipped ? 7 - x : x]}${flipped ? y + 1 : 8 - y}`;
    return [square, color === "white" ? ROLES[role].toUpperCase() : ROLES[role]];
  }));
}

/** What stands on the board of a FEN. */
function stands(fen) {
  const pieces = {};
  for (const [row, text] of fen.split(" ")[0].split("/").entries()) {
    let file = 0;
    for (const character of text) {
      if (/\d/.test(character)) file += Number(character);
      else pieces[`${FILES[file++]}${8 - row}`] = character;
    }
  }
  return pieces;
}

const sorted = (pieces) => Object.entries(pieces).sort().flat().join(" ");
const status = (page) => page.locator(".controls > p[role=status]").innerText();
const lastPly = async (page) => Number(/(\d+) plies follow$|of (\d+)$/.exec(await status(page))?.slice(1).find(Boolean));

async function copied(page, name) {
  await page.getByRole("button", { name }).click();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  return text;
}

test("a game is replayed to its last position by keys", async () => {
  for (const hash of ["3.2.4", "3.2.1", "5p1.1.12"]) {
    const { page, context, troubles } = await open(browser, `#game-${hash}`);
    await page.locator(".board").waitFor();
    const last = await lastPly(page);
    assert.ok(last > 20);
    for (let ply = 0; ply < last; ply += 1) await page.keyboard.press("ArrowRight");
    assert.match(await status(page), new RegExp(`ply ${last} of ${last}$`));
    const [, id, game] = /^(.*)\.(\d+)$/.exec(hash);
    assert.equal(sorted(await drawn(page)), sorted(stands(LAST[id][Number(game) - 1])), hash);
    await page.keyboard.press("Home");
    assert.match(await status(page), /plies follow$/);
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    assert.match(await status(page), new RegExp(`ply ${last - 1} of`));
    await page.waitForTimeout(300);
    assert.ok(page.url().endsWith(`#game-${hash}/${last - 1}`), page.url());
    assert.deepEqual(troubles, []);
    await context.close();
  }
});

test("by clicks on moves, buttons and the graph", async () => {
  const { page, context, troubles } = await open(browser, "#game-3.2.4", { viewport: { width: 1400, height: 900 } });
  const moves = page.locator(".moves .move");
  await moves.last().click();
  assert.equal(sorted(await drawn(page)), sorted(stands(LAST["3.2"][3])));
  assert.equal(await page.evaluate(() => scrollY), 0, "the page does not scroll");
  assert.equal(await page.locator(".moves .current").count(), 1);
  const button = (name) => page.getByRole("button", { name, exact: true });
  await button("First").click();
  await button("Forward").click();
  await button("Forward").click();
  assert.match(await status(page), /ply 2 of/);
  await button("Back").click();
  assert.match(await status(page), /ply 1 of/);
  await button("Last").click();
  assert.equal(sorted(await drawn(page)), sorted(stands(LAST["3.2"][3])));
  for (let index = 0; index < 2; index += 1) {
    const over = page.locator(".graph .u-over").nth(index);
    const box = await over.boundingBox();
    await over.click({ position: { x: box.width / 2, y: box.height / 3 } });
    const ply = Number(/ply (\d+)/.exec(await status(page))[1]);
    assert.ok(Math.abs(ply - (await lastPly(page)) / 2) <= 1, `ply ${ply}`);
    await button("First").click();
  }
  assert.deepEqual(troubles, []);
  await context.close();
});

test("an address with a ply names a position, also when it changes", async () => {
  const { page, context, troubles } = await open(browser, "#game-3.2.4/17");
  await page.locator(".board").waitFor();
  assert.match(await status(page), /ply 17 of/);
  // On a machine that has much to do the page follows its address a moment later.
  const comes = (ply) => page.locator(".controls > p[role=status]", { hasText: `ply ${ply} of` }).waitFor();
  await go(page, "#game-3.2.4/5");
  await comes(5);
  await go(page, "#game-3.2.4/99999");
  await comes(await lastPly(page));
  assert.deepEqual(troubles, []);
  await context.close();
});

test("an address that the browser tells of late is kept", async () => {
  const { page, context, troubles } = await open(browser, "#game-3.2.4/17");
  await page.addInitScript(() => {
    const add = window.addEventListener.bind(window);
    const late = (listener) => () => setTimeout(listener, 400);
    window.addEventListener = (kind, listener, options) => add(kind, kind === "hashchange" ? late(listener) : listener, options);
  });
  await page.reload();
  await page.locator(".board").waitFor();
  // The position changes, so the view is about to write its address.
  await page.keyboard.press("ArrowRight");
  await go(page, "#game-3.2.4/5");
  await page.locator(".controls > p[role=status]", { hasText: "ply 5 of" }).waitFor();
  assert.deepEqual(troubles, []);
  await context.close();
});

test("the board is flipped by key and by button", async () => {
  const { page, context, troubles } = await open(browser, "#game-3.2.4/10");
  await page.locator(".board").waitFor();
  const upright = sorted(await drawn(page));
  await page.keyboard.press("f");
  await page.locator(".cg-wrap.orientation-black").waitFor();
  assert.equal(sorted(await drawn(page)), upright);
  assert.equal(await page.locator(".side.below").getAttribute("aria-label"), "Black");
  await page.getByRole("button", { name: "Flip" }).click();
  await page.locator(".cg-wrap.orientation-white").waitFor();
  assert.deepEqual(troubles, []);
  await context.close();
});

test("FEN and PGN are copied, and read by others", async () => {
  for (const hash of ["3.2.4", "3.2.1", "5p1.1.12"]) {
    const { page, context, troubles } = await open(browser, `#game-${hash}/9999`, { permissions: ["clipboard-read", "clipboard-write"] });
    await page.locator(".board").waitFor();
    const [, id, game] = /^(.*)\.(\d+)$/.exec(hash);
    const fen = LAST[id][Number(game) - 1];
    assert.equal(await copied(page, "Copy FEN"), fen);
    const [parsed, ...more] = parsePgn(await copied(page, "Copy PGN"));
    assert.equal(more.length, 0);
    assert.equal(parsed.headers.get("Round"), hash);
    assert.match(parsed.headers.get("Result"), /^(1-0|0-1|1\/2-1\/2)$/);
    const position = startingPosition(parsed.headers).unwrap();
    for (const { san } of parsed.moves.mainline()) position.play(parseSan(position, san));
    assert.equal(makeFen(position.toSetup()), fen);
    assert.deepEqual(troubles, []);
    await context.close();
  }
});

test("where the clipboard is closed the text is shown, selected", async () => {
  const { page, context, troubles } = await open(browser, "#game-3.2.4/3");
  await page.locator(".board").waitFor();
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await page.getByRole("button", { name: "Copy FEN" }).click();
  const area = page.locator("textarea");
  const fen = await area.inputValue();
  assert.ok(Chess.fromSetup(parseFen(fen).unwrap()).isOk);
  await page.waitForTimeout(50);
  assert.equal(await page.evaluate(() => getSelection()?.toString() || document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)), fen);
  await page.getByRole("button", { name: "Close" }).click();
  assert.equal(await area.count(), 0);
  assert.deepEqual(troubles, []);
  await context.close();
});

test("failed attempts are listed and marked", async () => {
  const { page, context, troubles } = await open(browser, "#rounds");
  let seen = 0;
  for (let game = 1; game <= 24; game += 1) {
    await go(page, `#game-5p1.1.${game}`);
    await page.locator(".board").waitFor();
    const listed = await page.locator(".attempts li").count();
    if (listed === 0) continue;
    seen += 1;
    assert.match(await page.locator(".attempts li").first().innerText(), /^Ply \d+ (White|Black), attempt 1, after [\d.]+ [mµ]?s: said/);
    await page.locator(".attempts button").first().click();
  }
  assert.ok(seen > 2);
  assert.deepEqual(troubles, []);
  await context.close();
});

test("what a model said beside its move is text", async () => {
  const { page, context, troubles } = await open(browser, "#game-3.2.4/9999");
  const said = page.locator(".side .rationale");
  await said.first().waitFor();
  assert.equal(await said.count(), 2);
  const texts = await said.allInnerTexts();
  const text = texts.find((each) => each !== "");
  assert.match(text, /^I play [a-h1-8qrbn]+\. "><img src=x onerror="alert\(1\)"><script>alert\(2\)<\/script>\\u\{202e\}\{evil\}\\u\{7\}$/);
  assert.equal(await said.locator("img, script").count(), 0);
  await go(page, "#game-3.2.1/9999");
  assert.equal(await said.count(), 0);
  assert.deepEqual(troubles, []);
  await context.close();
});
