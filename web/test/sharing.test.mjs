// Many windows of one browser at the live page: they share one stream, and none is lost with the window that has it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "./browser.mjs";
import { card, hide, lineOfState, until, watched } from "./watched.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const LOCK = "swissmatch /";
const streams = (server, count) => until(`${count} streams`, () => server.slots.length === count);

test("ten windows load and follow by one stream, and another takes it over", { timeout: 90_000 }, () =>
  watched(browser, "", async ({ server, page, context, troubles }) => {
    await lineOfState(page, "live");
    const loads = Array.from({ length: 9 }, async (_each, index) => {
      const next = await context.newPage();
      await next.goto(`${server.url.href}#game-5.${(index % 2) + 1}.4`);
      await lineOfState(next, "live");
      return next;
    });
    const pages = [page, ...(await Promise.all(loads))];
    await streams(server, 1);
    await until("the games that any of them shows", () => /^0,1/.test(server.slots[0] ?? ""));
    server.game(0, "5.1", 4, 60, { ended: { result: "1-0", termination: "checkmate" } });
    server.run({ delay_ms: 600_000 });
    for (const each of pages) await lineOfState(each, "shown 10 minutes late");
    await card(page, 0).getByText("1–0, checkmate").waitFor();
    // The one that has it goes; one whose boards were not looked at before has them all the same.
    await page.close();
    await streams(server, 1);
    const [second, third, ...others] = pages.slice(1);
    await hide(second, true);
    await streams(server, 1);
    for (const each of others) await hide(each, true);
    server.run();
    await lineOfState(third, "live");
    await hide(third, true);
    await streams(server, 0);
    for (const each of [second, third, others[0]]) await hide(each, false);
    await streams(server, 1);
    for (const each of [second, third, others[0]]) await lineOfState(each, "live");
    server.run({ at_work: false });
    for (const each of [second, third, others[0]]) await lineOfState(each, "the runner has stopped");
    await server.stop();
    for (const each of [second, third]) await each.locator(".live-state").getByText(/^reconnecting …, as of /).waitFor();
    server.run();
    await server.start();
    for (const each of [second, third]) await lineOfState(each, "live", { timeout: 15_000 });
    await streams(server, 1);
    assert.deepEqual(troubles, []);
  }));

test("whoever has the stream and is silent loses it", { timeout: 60_000 }, () =>
  watched(browser, "", async ({ server, page, context }) => {
    await streams(server, 1);
    // Another window takes the lock, does nothing with it, and says nothing.
    const frozen = await context.newPage();
    await frozen.goto(`${server.url.href}page.0.css`);
    await frozen.evaluate((name) => {
      void navigator.locks.request(name, { steal: true }, () => new Promise(() => undefined)).catch(() => (globalThis.lost = true));
    }, LOCK);
    await streams(server, 0);
    server.run({ at_work: false });
    await page.clock.fastForward(24_000);
    await until("it is taken", () => frozen.evaluate(() => globalThis.lost === true));
    await page.clock.fastForward(1_000);
    await lineOfState(page, "the runner has stopped");
    await streams(server, 1);
  }, { clock: true }));
