// What a reader looks for: a player by name or number, games to take along, and addresses of what is not there.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { parsePgn, startingPosition } from "chessops/pgn";
import { parseSan } from "chessops/san";
import { ABSENT, BROKEN } from "../sample/page.mjs";
import { graveOf } from "./axe.mjs";
import { go, launch, open } from "./browser.mjs";
import { lineOfState, until, watched } from "./watched.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const heading = (page, text) => page.locator("main > section.view:visible h1").getByText(text, { exact: true }).waitFor();
const field = (page) => page.getByRole("combobox", { name: "Name or number of a player" });
const options = (page) => page.getByRole("option").allInnerTexts();

/** What a press on a button gives, as a file. */
async function file(page, name) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("main > section.view:visible").getByRole("button", { name }).click()]);
  return { name: download.suggestedFilename(), games: parsePgn(await readFile(await download.path(), "utf8")) };
}

/** Every move is legal. */
function plies(game) {
  const position = startingPosition(game.headers).unwrap();
  let count = 0;
  for (const { san } of game.moves.mainline()) {
    const move = parseSan(position, san);
    assert.ok(move, `${san} in ${game.headers.get("Round")}`);
    position.play(move);
    count += 1;
  }
  return count;
}

test("a player is found by name or number, with keys alone", async () => {
  const { page, context, troubles } = await open(browser, "#rounds", { bypassCSP: true, viewport: { width: 390, height: 844 } });
  await page.keyboard.press("/");
  await field(page).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("role")), "combobox");
  const everybody = await options(page);
  assert.ok(everybody.length > 9, `${everybody}`);
  await field(page).fill("GRUNF");
  assert.match((await options(page)).join("|"), /^1\s+Grünfeld\s+place \d+$/);
  await field(page).fill("evil");
  await page.getByRole("option", { name: /Evil .*<script>/ }).waitFor();
  assert.deepEqual(await graveOf(page), []);
  await field(page).fill("4");
  assert.match((await options(page))[0], /^4\s+Quiet Bishop/);
  await field(page).fill("zzz");
  await page.locator(".finder [role=status]").getByText("No player has that name or number.").waitFor();
  assert.equal(await field(page).getAttribute("aria-expanded"), "false");
  await field(page).fill("");
  for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp"]) await page.keyboard.press(key);
  const chosen = await field(page).getAttribute("aria-activedescendant");
  assert.equal(await page.locator(`#${chosen}`).getAttribute("aria-selected"), "true");
  await page.keyboard.press("Enter");
  await page.waitForFunction((name) => location.hash === `#agent-${name}`, chosen.replace("found-", ""));
  assert.equal(await page.getByRole("dialog").count(), 0);
  await page.getByRole("button", { name: "Find a player" }).click();
  await page.getByRole("option").nth(3).click();
  await heading(page, "Quiet Bishop");
  await page.keyboard.press("/");
  await page.keyboard.press("Escape");
  await until("it is closed", async () => (await page.getByRole("dialog").count()) === 0);
  assert.equal(await page.locator(".finder").evaluate((each) => each.childElementCount), 0);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than a phone");
  assert.deepEqual(troubles, []);
  await context.close();
});

test("games are taken along: of a mini-match, a round, an agent, all of them", { timeout: 90_000 }, async () => {
  const { page, context, troubles } = await open(browser, "#match-3.2");
  const one = await file(page, "Download PGN");
  assert.equal(one.name, "match-3.2.pgn");
  assert.deepEqual(one.games.map((game) => game.headers.get("Round")), [1, 2, 3, 4, 5, 6, 7, 8].map((game) => `3.2.${game}`));
  for (const game of one.games) assert.ok(plies(game) > 0);
  await go(page, "#round-4");
  const round = await file(page, "Download round 4 (PGN)");
  assert.equal(round.name, "round-4.pgn");
  assert.ok(round.games.length > one.games.length && round.games.every((game) => game.headers.get("Round").startsWith("4.")));
  await go(page, "#agent-4");
  const agent = await file(page, "Download all its games (PGN)");
  assert.equal(agent.name, "agent-4.pgn");
  assert.ok(agent.games.every((game) => [game.headers.get("White"), game.headers.get("Black")].includes("Quiet Bishop")));
  await go(page, "#rounds");
  const all = await file(page, "Download all games (PGN)");
  assert.equal(all.name, "games.pgn");
  const rounds = new Set(all.games.map((game) => game.headers.get("Round").split(".")[0]));
  assert.ok(["1", "2", "3", "4", "5", "5p1"].every((each) => rounds.has(each)), [...rounds].join());
  const told = await page.locator("#rounds > .downloads [role=status]").innerText();
  assert.equal(told, `games.pgn: ${all.games.length} games. Not in it, as they cannot be read: 1.1.4, 1.2, ${BROKEN}, ${ABSENT}.`);
  assert.deepEqual(troubles, []);
  await context.close();
});

test("a served page leads to the server's files, and says what it lacks", () =>
  watched(browser, "#rounds", async ({ server, page, troubles }) => {
    await lineOfState(page, "live");
    const link = page.getByRole("link", { name: "Download round 3 (PGN)" });
    assert.deepEqual([await link.getAttribute("href"), await link.getAttribute("download")], ["rounds/3.pgn", "round-3.pgn"]);
    await go(page, "#match-5.9");
    await heading(page, "There is no mini-match 5.9 in this event.");
    await page.getByText("The event is not over").waitFor();
    await page.getByRole("link", { name: "All rounds" }).click();
    await heading(page, "Rounds");
    assert.deepEqual(troubles, []);
  }));

test("a ply beyond the end is told, and the last one shown", async () => {
  const { page, context, troubles } = await open(browser, "#game-3.2.4/900");
  await page.getByText("There is no ply 900 in this game: this is its last position.").waitFor();
  await page.waitForTimeout(300);
  assert.match(page.url(), /#game-3\.2\.4\/\d{1,3}$/);
  assert.doesNotMatch(page.url(), /900$/);
  await page.keyboard.press("ArrowLeft");
  await page.getByText("There is no ply 900").waitFor({ state: "detached" });
  assert.deepEqual(troubles, []);
  await context.close();
});
