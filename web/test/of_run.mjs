// Looks at the page of a real run: `node test/of_run.mjs REPORT RECORDS EVENT`. REPORT is a file, which is opened from disk (its games in it, or in
// scripts beside it), or a folder, which is served on this machine. Each game of the records (JSON lines) is opened on its board and played to its end, where the pieces
// must stand as chessops puts them. EVENT is the name that the page must show as text.
import { strict as assert } from "node:assert";
import { readFileSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Chess } from "chessops/chess";
import { makeBoardFen, parseFen } from "chessops/fen";
import { parseUci } from "chessops/util";
import { launch, open } from "./browser.mjs";
import { serve } from "./server.mjs";

const [report, records, event] = process.argv.slice(2);
const { server, url: file } = statSync(report).isDirectory() ? await serve(report) : { server: undefined, url: pathToFileURL(report) };
const beside = server ? "games/" : file.pathname.replace(/\.html$/, "_games/");
const options = { offline: server === undefined, games: new URL(beside, file).href };
const games = readFileSync(records, "utf8").trim().split("\n").map((line) => JSON.parse(line));
assert(games.length > 0, "there are games");

/** The placement of the pieces after all moves of a record. */
function lastPlacement(record) {
  const fen = record.opening.fen ?? "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  const position = Chess.fromSetup(parseFen(fen).unwrap()).unwrap();
  const words = `${record.opening.moves ?? ""} ${record.moves}`.split(" ").filter(Boolean);
  for (const word of words) position.play(parseUci(word));
  return makeBoardFen(position.board);
}

/** The placement that the board shows: read from its elements, not from the code that put them there. */
function shownPlacement(page) {
  return page.evaluate(() => {
    const letters = { pawn: "p", knight: "n", bishop: "b", rook: "r", queen: "q", king: "k" };
    const squares = new Map();
    for (const piece of document.querySelectorAll("cg-board piece")) {
      if (piece.classList.contains("ghost") || piece.classList.contains("fading")) continue;
      const role = Object.keys(letters).find((name) => piece.classList.contains(name));
      squares.set(piece.cgKey, piece.classList.contains("white") ? letters[role].toUpperCase() : letters[role]);
    }
    const rank = (number) => {
      const row = [..."abcdefgh"].map((line) => squares.get(`${line}${number}`) ?? "1").join("");
      return row.replace(/1+/g, (empty) => String(empty.length));
    };
    return [8, 7, 6, 5, 4, 3, 2, 1].map(rank).join("/");
  });
}

const browser = await launch();
try {
  const { page, troubles } = await open(browser, "", options, file);
  assert.equal(await page.textContent("header .event"), event);
  const rows = await page.locator("#overview table.data").first().locator("tbody tr").count();
  const data = JSON.parse(await page.textContent("#event"));
  assert.equal(rows, data.players.length, "everybody has a line in the standings");
  // As a reader gets there: from the rounds to a mini-match to a game.
  await page.click('nav.sections a[href="#rounds"]');
  await page.click('#rounds a[href="#match-1.1"]');
  await page.click('a[href^="#game-1.1.1"]');
  await page.waitForSelector("cg-board piece");
  for (const record of games) {
    await page.evaluate((hash) => (location.hash = hash), `#game-${record.id}`);
    await page.waitForFunction((id) => {
      const [round, board, game] = id.split(".");
      return document.querySelector("#app h1 .where")?.textContent === `Round ${round}, board ${board}, game ${game}`;
    }, record.id);
    await page.waitForSelector("cg-board piece");
    await page.keyboard.press("End");
    const expected = lastPlacement(record);
    for (let tries = 0; tries < 50 && (await shownPlacement(page)) !== expected; tries += 1) await page.waitForTimeout(40);
    assert.equal(await shownPlacement(page), expected, `the last position of game ${record.id}`);
  }
  assert.deepEqual(troubles, []);
  console.log(`${games.length} games replayed`);
} finally {
  await browser.close();
  server?.close();
}
