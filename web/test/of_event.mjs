// A whole event, watched in Chromium while this program plays and serves it: node test/of_event.mjs ADDRESS. It says what it has seen, a word a line,
// and whoever has started it does the rest meanwhile.
import assert from "node:assert/strict";
import { launch } from "./browser.mjs";
import { lineOfState, until } from "./watched.mjs";

const [address] = process.argv.slice(2);
const PATIENCE = 90_000;
const say = (word) => console.log(word);
const browser = await launch();
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const troubles = [];
  page.on("pageerror", (error) => troubles.push(String(error)));
  page.on("dialog", (dialog) => troubles.push(`dialog: ${dialog.message()}`));
  page.on("console", (message) => {
    // While the server is away the browser says that it is.
    if (message.type() === "error" && !/ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY|Failed to load resource/.test(message.text())) troubles.push(message.text());
  });
  const clocks = () => page.locator(".card .time").allInnerTexts();
  await page.goto(`http://${address}/`);
  await page.locator(".card cg-board piece").first().waitFor();
  await lineOfState(page, "live", { timeout: PATIENCE });
  const first = (await clocks()).join();
  await until("clocks that tick", async () => (await clocks()).join() !== first, PATIENCE);
  say("boards");
  // The server is killed, and another one takes its place.
  await lineOfState(page, "live", { timeout: PATIENCE });
  const moves = async () => (await page.locator(".card .last").allInnerTexts()).join();
  const then = await moves();
  await until("the next move", async () => (await moves()) !== then, PATIENCE);
  say("back");
  // An act of the arbiter shows as it is done.
  await page.getByText("The hall opens at nine").first().waitFor({ state: "visible" });
  say("announced");
  await page.reload();
  await page.locator(".card cg-board piece").first().waitFor();
  // A game is followed on its own board, until it is over and stored.
  await page.locator(".card .to-game").first().click();
  await page.locator(".replay .board cg-board piece").first().waitFor();
  const name = new URL(page.url()).hash;
  assert.match(name, /^#game-\d+\.\d+\.\d+/);
  await page.getByText("This game is not over").waitFor({ state: "hidden" });
  say("followed");
  await page.evaluate(() => (location.hash = "#rounds"));
  await page.locator("#rounds").waitFor();
  const left = page.locator("#rounds").getByText("0 of 4", { exact: true });
  await page.locator(".status").getByText(/the event is over/i).waitFor();
  await until("all scores", async () => (await left.count()) === 0, PATIENCE);
  await page.evaluate(() => (location.hash = "#overview"));
  await page.locator("p.state", { hasText: "The event is over" }).waitFor();
  assert.equal(await page.locator(".card").count(), 0, "nothing is played any more");
  assert.deepEqual(troubles, []);
  say("over");
} finally {
  await browser.close();
}
