// What the tests of the live page share: a server and a page of it.
import assert from "node:assert/strict";
import { open } from "./browser.mjs";
import { LiveServer } from "./live_server.mjs";

/** A server, a page of it, and both away at the end. */
export async function watched(browser, hash, work, { slots = 2, games = 2, viewport = { width: 1280, height: 900 }, ...options } = {}) {
  const server = await new LiveServer().start();
  server.run({ slots });
  server.page("1");
  for (let slot = 0; slot < games; slot += 1) server.game(slot, `5.${slot + 1}`, 4, 20);
  const { page, context, troubles } = await open(browser, hash, { offline: false, games: server.url.href, viewport, ...options }, server.url);
  try {
    await work({ server, page, context, troubles });
  } finally {
    await context.close();
    await server.stop();
  }
}

export const card = (page, slot) => page.locator(`.card[data-slot="${slot}"]`);
export const lineOfState = (page, text, options) => page.locator(".live-state").getByText(text, { exact: true }).waitFor(options);

export async function bothBoards(page) {
  for (const slot of [0, 1]) await card(page, slot).locator("cg-board piece").first().waitFor();
}

/** The page in another tab than the one that is seen; or seen again. */
export const hide = (page, isHidden) =>
  page.evaluate((hidden) => {
    if (hidden) Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
    else delete document.hidden;
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);

/** What is found, as soon as it holds. */
export async function until(what, holds, most = 10_000) {
  const end = Date.now() + most;
  for (;;) {
    const found = await holds();
    if (found) return found;
    assert.ok(Date.now() < end, `${what}: not within ${most} ms`);
    await new Promise((done) => setTimeout(done, 40));
  }
}
