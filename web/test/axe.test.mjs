// The page of an event in each of its states under axe-core, in light and dark.
import { after, before, test } from "node:test";
import { everywhere, shown } from "./axe_views.mjs";
import { go, launch } from "./browser.mjs";
import { lineOfState, watched } from "./watched.mjs";

const LIVE = ["#overview", "#rounds", "#match-5.1", "#game-5.2.4"];
const STATES = {
  "not begun": { state: "before", next_at: "2099-01-01T00:00:00Z" },
  "between rounds": { state: "between", next_at: "2099-01-01T00:00:00Z" },
  "paused: A fuse.": { state: "paused", why: "A fuse." },
  "the event is over": { state: "over", over: true, at_work: false },
};

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const underWay = (work) => watched(browser, "", work, { bypassCSP: true, games: 6, slots: 6 });

test("axe finds nothing in an event under way", { timeout: 150_000 }, () =>
  underWay(async ({ page }) => {
    await lineOfState(page, "live");
    for (const hash of LIVE) {
      await go(page, hash);
      await shown(page);
      if (/overview|game/.test(hash)) await page.locator("main cg-board piece").first().waitFor();
      await everywhere(page, `${hash} live`);
    }
  }));

test("axe finds nothing in the hall, and while nothing is played", { timeout: 150_000 }, () =>
  underWay(async ({ page, server }) => {
    await page.goto(`${server.url.href}?hall`);
    await page.locator(".stage tbody tr").first().waitFor();
    await everywhere(page, "standings of the hall");
    await page.keyboard.press("ArrowRight");
    await page.locator(".stage cg-board piece").first().waitFor();
    await everywhere(page, "boards of the hall");
    await page.goto(server.url.href);
    for (const [words, news] of Object.entries(STATES)) {
      server.run(news);
      await lineOfState(page, words);
      await everywhere(page, words);
    }
  }));
