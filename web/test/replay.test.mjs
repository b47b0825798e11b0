// The view of a game in Chromium: what is seen at once, the bar, playing, lines on the board, graphs, files, phones, words for who sees no board.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { parsePgn } from "chessops/pgn";
import { go, launch, open, SAMPLE } from "./browser.mjs";
import { until, watched } from "./watched.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const status = (page) => page.locator(".controls > p[role=status]").innerText();
const box = (page, selector) => page.locator(selector).first().boundingBox();
/** Of each element its text, width, height and lower end. */
const sizes = (page, selector) => page.locator(selector).evaluateAll((all) => all.map((each) => {
  const { width, height, bottom } = each.getBoundingClientRect();
  return [each.innerText || each.ariaLabel, width, height, bottom];
}));
const LAPTOP = { width: 1366, height: 768 };
const PHONE = { width: 390, height: 844 };

/** The sample with another event in it. */
async function changed(change, work) {
  const folder = await mkdtemp(join(tmpdir(), "page-"));
  try {
    const file = pathToFileURL(join(folder, "report.html"));
    const text = await readFile(SAMPLE, "utf8");
    const [all, event] = /<script type="application\/json" id="event">(.*?)<\/script>/s.exec(text);
    const data = JSON.parse(event);
    change(data);
    await writeFile(file, text.replace(all, () => all.replace(event, () => JSON.stringify(data).replaceAll("<", "\\u003c"))));
    await work(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("on a laptop the board, both clocks and all buttons are seen at once, and a line and the graphs answer the pointer", async () => {
  const { page, context, troubles } = await open(browser, "#game-3.2.2/40", { viewport: LAPTOP });
  await page.locator(".replay .board cg-board piece").first().waitFor();
  const [head, board, moves, graphs, bar] = await Promise.all([".head.of-game", ".replay .board", ".moves", ".graphs", ".replay .bar"].map((each) => box(page, each)));
  assert.ok(head.height <= 48, `the head is ${head.height} high`);
  assert.ok(board.height >= 360 && board.width <= board.height + 1, `the board is ${board.width} × ${board.height}`);
  assert.ok(Math.abs(moves.height - board.height) <= 4, `the moves are ${moves.height} high, the board ${board.height}`);
  assert.ok(Math.abs(bar.height - board.height) <= 1 && bar.x + bar.width <= board.x, "the bar is beside the board");
  assert.ok(graphs.width / 1241 > 0.3 && graphs.width / 1241 < 0.4, `the graphs are ${graphs.width} wide`);
  assert.equal(await page.locator(".graphs .graph").count(), 4);
  for (const [name, , , bottom] of await sizes(page, ".side .clock, .controls button, .controls select, .graphs .graph")) {
    assert.ok(bottom <= LAPTOP.height, `${name} ends at ${bottom}`);
  }
  const told = () => page.locator(".graphs figcaption").allInnerTexts();
  assert.match((await told())[0], /^Evaluation in pawns\s+Ply 40, \d+\S* \S+\s+White [+−#]?[\d.]+\s+Black [+−#]?[\d.]+\s+Reference [+−#]?[\d.]+$/);
  const over = await box(page, ".graph .u-over");
  await page.mouse.move(over.x + over.width / 4, over.y + over.height / 2);
  const pointed = Number(/Ply (\d+)/.exec(await until("what is pointed at", async () => {
    const [first] = await told();
    return first.includes("Ply 40,") ? null : first;
  }))[1]);
  assert.ok(Math.abs(pointed - (await page.locator(".moves .move").count()) / 4) < 3, `ply ${pointed}`);
  assert.match((await told())[3], /Ply 40,[^]*White [\d.]+( [kMGT])?\s+Black [\d.]+/, "the others say what is at the ply that is shown");
  await page.mouse.move(5, 5);
  await until("the ply that is shown", async () => (await told())[0].includes("Ply 40,"));
  await page.keyboard.press("ArrowRight");
  assert.match((await told())[0], /Ply 41,/, "the arrows change what is told");
  // The line that a side expected, on the board.
  const label = () => page.locator(".replay .board").getAttribute("aria-label");
  const pieces = () => page.locator(".replay cg-board").evaluate((each) => [...each.querySelectorAll("piece")].map((piece) => `${piece.className} ${piece.style.transform}`).sort().join());
  await page.waitForTimeout(50);
  const [was, stood] = [await label(), await pieces()];
  const steps = page.locator(".side .pv .step");
  await steps.nth(1).hover();
  assert.match(await label(), /^Board\. What (White|Black) expected: \S+$/);
  assert.match(await page.locator(".board.expected .tag").innerText(), /^What (White|Black) expected: /);
  await until("another position", async () => (await pieces()) !== stood);
  await page.mouse.move(5, 5);
  await until("the position again", async () => (await pieces()) === stood);
  assert.equal(await label(), was);
  await steps.first().focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), await steps.nth(1).innerText(), "arrows go along the line");
  assert.match(await label(), /expected/);
  assert.match(await status(page), /ply 41 of/);
  await page.evaluate(() => document.activeElement.blur());
  assert.equal(await label(), was);
  assert.deepEqual(troubles, []);
  await context.close();
});

test("space plays and stops, and what comes fast is not animated", async () => {
  const { page, context, troubles } = await open(browser, "#game-3.2.2/4", { viewport: LAPTOP, reducedMotion: "no-preference" });
  await page.locator(".replay .board cg-board piece").first().waitFor();
  await page.getByRole("combobox", { name: "Speed" }).selectOption("Fast");
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press(" ");
  await page.getByRole("button", { name: "Stop", exact: true }).waitFor();
  await until("some plies", async () => /ply [7-9] of/.test(await status(page)));
  await page.keyboard.press(" ");
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  const stands = await status(page);
  await page.waitForTimeout(700);
  assert.equal(await status(page), stands);
  assert.equal(await page.evaluate(() => scrollY), 0, "space does not scroll");
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await until("it stops at the end", async () => /ply (\d+) of \1$/.test(await status(page)) && (await page.getByRole("button", { name: "Play", exact: true }).count()) === 1);
  await page.keyboard.press("Home");
  await page.waitForTimeout(600);
  await page.evaluate(() => {
    globalThis.animated = 0;
    new MutationObserver((all) => {
      for (const { target } of all) if (target.tagName === "PIECE" && target.classList.contains("anim")) globalThis.animated += 1;
    }).observe(document.querySelector("cg-board"), { attributes: true, attributeFilter: ["class"], subtree: true });
  });
  await page.keyboard.press("ArrowRight");
  await until("the first is animated", () => page.evaluate(() => globalThis.animated > 0));
  await page.waitForTimeout(250);
  await until("six that are not", () => page.evaluate(async () => {
    globalThis.animated = 0;
    let last = performance.now();
    let slowest = 0;
    for (let more = 0; more < 7; more += 1) {
      document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
      for (let frame = 0; frame < 3; frame += 1) await new Promise((done) => requestAnimationFrame(done));
      // The first may come long after the one before it.
      if (more === 0) globalThis.animated = 0;
      else slowest = Math.max(slowest, performance.now() - last);
      last = performance.now();
    }
    // On a machine that has much to do they may have been slow: then they are made once more.
    if (slowest < 300 && globalThis.animated > 0) throw new Error(`${globalThis.animated} pieces are animated`);
    return slowest < 300;
  }));
  assert.deepEqual(troubles, []);
  await context.close();
});

test("the bar is of the reference engine or of the side that moved last, and of nobody where nothing was said", async () => {
  const { page, context, troubles } = await open(browser, "#game-3.2.4/41");
  const bar = page.locator(".replay .bar");
  assert.match(await bar.getAttribute("aria-label"), /^Evaluation by the reference engine: −5\.55, Black winning$/);
  const share = await page.locator(".bar .share").evaluate((each) => each.offsetHeight / each.parentElement.offsetHeight);
  assert.ok(share > 0.01 && share < 0.1, `White has ${share}`);
  await page.keyboard.press("f");
  assert.ok(await page.locator(".bar.flipped .share").evaluate((each) => each.offsetTop < 3), "White is above");
  await go(page, "#game-5.1.1/40");
  await bar.and(page.locator("[aria-label^='Evaluation by White'], [aria-label^='Evaluation by Black']")).waitFor();
  await go(page, "#game-1.1.2/30");
  await page.locator(".replay .bar.empty").waitFor();
  assert.equal(await bar.getAttribute("aria-label"), "No evaluation yet");
  const [drawn, paper] = await bar.evaluate((each) => [getComputedStyle(each).backgroundColor, getComputedStyle(document.querySelector(".graphs")).getPropertyValue("--paper-deep")]);
  assert.equal(drawn, "rgb(242, 239, 231)", paper);
  assert.deepEqual(troubles, []);
  await context.close();
});

test("the list of moves never breaks an evaluation, and nobody is mated by the other in no moves", async () => {
  const { page, context, troubles } = await open(browser, "", { viewport: { width: 1440, height: 900 } });
  const mates = await page.evaluate(() => {
    const { mini_matches, endings } = JSON.parse(document.getElementById("event").textContent);
    const mate = endings.findIndex(({ word }) => word === "checkmate");
    return mini_matches.filter(({ round, id }) => round < 5 && !["2.1", "2.2", "1.1", "1.2"].includes(id))
      .flatMap(({ id, endings: all }) => all.flatMap((each, index) => (each === mate ? [`${id}.${index + 1}`] : [])));
  });
  assert.ok(mates.length > 0);
  for (const id of [...mates.slice(0, 2), "3.2.4"]) {
    await go(page, `#game-${id}/9999`);
    await page.locator(".moves .by-reference:not(:empty)").first().waitFor();
    const found = await page.locator(".moves .by-reference").evaluateAll((all) => all.map((each) => ({ text: each.textContent, high: each.offsetHeight, wide: each.scrollWidth - each.clientWidth })));
    for (const { text, high, wide } of found) assert.ok(high <= 24 && wide <= 0 && text !== "#−0", `${id}: ${text} is ${high} high, ${wide} too wide`);
    if (id !== "3.2.4") assert.equal(found.filter(({ text }) => text !== "").at(-1).text, "#0");
  }
  assert.deepEqual(troubles, []);
  await context.close();
});

test("a game is downloaded as PGN, from disk and from a server", async () => {
  const download = async (page) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download PGN" }).click()]);
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
  };
  const { page, context, troubles } = await open(browser, "#game-5p1.1.12", { acceptDownloads: true });
  const { name, text } = await download(page);
  assert.equal(name, "game-5p1.1.12.pgn");
  const [game] = parsePgn(text);
  assert.equal(game.headers.get("Round"), "5p1.1.12");
  assert.ok([...game.moves.mainline()].length > 20);
  assert.deepEqual(troubles, []);
  await context.close();
  await watched(browser, "#game-5.1.1", async ({ page: served, troubles: others }) => {
    assert.equal((await download(served)).name, "game-5.1.1.pgn");
    assert.deepEqual(others, []);
  });
});

test("on a phone the board comes first, fingers find the buttons, and a swipe is a ply", async () => {
  const { page, context, troubles } = await open(browser, "#game-3.2.2/40", { viewport: PHONE, hasTouch: true, isMobile: true });
  await page.locator(".replay .board cg-board piece").first().waitFor();
  const board = await box(page, ".replay .board");
  assert.ok(board.width >= 330 && board.y + board.height < PHONE.height, `the board is at ${board.y}, ${board.width} wide`);
  for (const name of ["Back", "Forward", "First", "Last"]) {
    const { width, height, y } = await page.getByRole("button", { name, exact: true }).boundingBox();
    assert.ok(height >= 44 && width >= 44 && y > board.y + board.height && y + height <= PHONE.height, `${name}: ${width} × ${height} at ${y}`);
  }
  for (const [name, width, height] of await sizes(page, "#app :is(button, select, summary, .neighbours a):visible")) {
    assert.ok(width >= 24 && height >= 24, `${name} is ${width} × ${height}`);
  }
  const finger = await context.newCDPSession(page);
  const swipe = async (dx, dy) => {
    const [x, y] = [board.x + board.width / 2, board.y + board.height / 2];
    await finger.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
    for (let part = 1; part <= 4; part += 1) await finger.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x: x + (dx * part) / 4, y: y + (dy * part) / 4 }] });
    await finger.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  };
  await swipe(-120, 10);
  await until("the next ply", async () => (await status(page)).includes("ply 41 of"));
  await swipe(120, -10);
  await until("the ply before", async () => (await status(page)).includes("ply 40 of"));
  await swipe(-40, -200);
  await page.waitForTimeout(200);
  assert.match(await status(page), /ply 40 of/, "what scrolls is no swipe");
  // A finger on a page that still glides only stops it.
  await until("a page that stands still", () => page.evaluate(async () => {
    const before = scrollY;
    await new Promise((later) => setTimeout(later, 500));
    return scrollY === before;
  }));
  // A tap on a move of a line shows it, a tap on a button goes on from the game.
  await page.locator(".side .pv .step").nth(1).tap();
  await page.locator(".board.expected").waitFor();
  await page.getByRole("button", { name: "Forward", exact: true }).tap();
  await page.locator(".board:not(.expected)").waitFor();
  assert.match(await status(page), /ply 41 of/);
  assert.deepEqual(troubles, []);
  await context.close();
});

test("the position is told in words, and moves are announced as the reader chooses", async () => {
  const { page, context, troubles } = await open(browser, "#game-3.2.4/41");
  await page.getByText("Position in words").click();
  const words = page.locator(".in-words li");
  assert.deepEqual(await words.allInnerTexts(), [
    "White: king c1, rook d4, knight g1, pawns a2 b3 f5 h2.",
    "Black: king e8, rooks b8 h8, bishop f8, pawns a5 b7 c3 f6 g7 h7.",
    "White to move.",
  ]);
  const live = () => page.locator(".controls > p[role=status]").getAttribute("aria-live");
  const choice = page.getByRole("button", { name: "Announce moves" });
  assert.equal(await live(), "polite");
  await choice.click();
  assert.equal(await choice.getAttribute("aria-pressed"), "false");
  assert.equal(await live(), "off");
  await page.reload();
  await choice.waitFor();
  assert.equal(await live(), "off", "it is remembered");
  assert.match(await page.locator(".hint").innerText(), /^Keys: .*space play and stop/);
  assert.deepEqual(troubles, []);
  await context.close();
});

test("a game that was forfeited is told in words, long names leave room for the result, and Arabic ones begin where they begin", () =>
  changed((data) => {
    data.endings.push({ word: "did-not-come", text: "did not come", fault: "black" }, { word: "awarded", text: "awarded", fault: null });
    const match = data.mini_matches.find(({ id }) => id === "2.2");
    match.results = `11${match.results.slice(2)}`;
    match.plies.splice(0, 2, 0, 0);
    match.endings.splice(0, 2, data.endings.length - 2, data.endings.length - 1);
    data.players[match.white - 1].name = "Stockfish 17.1 development 20260101 nnue";
    data.players[match.black - 1].name = "مرحبا بكم في بطولة الشطرنج السريعة الكبرى للمحركات";
  }, async (file) => {
    const { page, context, troubles } = await open(browser, "#game-2.2.1", { viewport: LAPTOP }, file);
    await page.getByText(/^No move was made in this game\. It was forfeited by مرحبا .*: did not come\.$/).waitFor();
    assert.equal(await page.locator(".problem").count(), 0);
    await go(page, "#game-2.2.2");
    await page.getByText("This game was not played: the arbiter gave it a result.").waitFor();
    for (const viewport of [LAPTOP, { width: 800, height: 900 }, { width: 360, height: 740 }]) {
      await page.setViewportSize(viewport);
      const result = await box(page, ".of-game .result");
      const black = await box(page, ".of-game .result + .who .cut");
      assert.ok(result.x > 0 && result.x + result.width <= viewport.width && black.width > 60 && black.x + black.width <= viewport.width, `at ${viewport.width}: ${JSON.stringify([result, black])}`);
    }
    const arabic = page.locator(".of-game .cut").filter({ hasText: "مرحبا" });
    assert.equal(await arabic.evaluate((each) => getComputedStyle(each).direction), "rtl", "what is cut off is its end");
    assert.deepEqual(troubles, []);
    await context.close();
  }));

test("nothing jumps while a game is followed, and its graphs grow", { timeout: 60_000 }, async () => {
  for (const viewport of [LAPTOP, PHONE]) {
    await watched(browser, "#game-5.1.4", async ({ server, page, troubles }) => {
      await page.locator(".replay .graph canvas").nth(3).waitFor();
      await page.waitForTimeout(300);
      await page.evaluate(() => {
        globalThis.shift = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) globalThis.shift += entry.value;
        }).observe({ type: "layout-shift" });
        globalThis.canvas = document.querySelector(".replay .graph canvas");
      });
      for (let plies = 21; plies < 31; plies += 1) {
        server.game(0, "5.1", 4, plies);
        await page.waitForTimeout(70);
      }
      const { shift, same } = await page.evaluate(() => ({ shift: globalThis.shift, same: globalThis.canvas.isConnected }));
      assert.ok(shift < 0.02, `at ${viewport.width} it shifts by ${shift}`);
      assert.ok(same, "the graph is not made anew for each ply");
      assert.equal(await page.locator(".controls > p[role=status]").getAttribute("aria-live"), "off", "what comes by itself is not announced");
      assert.deepEqual(troubles, []);
    }, { viewport });
  }
});
