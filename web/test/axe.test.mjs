// All views of the page under axe-core, on a phone and a desk, in light and dark: of a finished event, and of one in each of its states.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { anyOf } from "./axe.mjs";
import { go, launch, open } from "./browser.mjs";
import { lineOfState, watched } from "./watched.mjs";

const FINISHED = [
  "#overview", "#rounds", "#crosstable", "#agents", "#summary", "#rules", "#minutes", "#check", "#match-3.2", "#match-5p1.1", "#game-3.2.4/20", "#agent-3",
  "#agent-4", "#agent-9", "#game-2.1.1", "#game-9.9.9",
];
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

/** On a phone and a desk, with all that is folded away; in dark only colours are others. */
async function everywhere(page, what, schemes = ["light", "dark"]) {
  await page.evaluate(() => document.querySelectorAll("details").forEach((each) => (each.open = true)));
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const viewport of [{ width: 390, height: 844 }, { width: 1440, height: 900 }]) {
      await page.setViewportSize(viewport);
      await page.waitForTimeout(100);
      assert.deepEqual(await anyOf(page, colorScheme === "dark" ? ["color-contrast"] : undefined), [], `${what}, ${colorScheme}, ${viewport.width}`);
    }
  }
}

const shown = (page) => page.locator("main > section.view:visible h1").first().waitFor();
const underWay = (work) => watched(browser, "", work, { bypassCSP: true, games: 6, slots: 6 });

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing in a finished event in ${colorScheme}`, { timeout: 150_000 }, async () => {
    const { page, context } = await open(browser, "", { bypassCSP: true });
    for (const hash of FINISHED) {
      await go(page, hash);
      await shown(page);
      if (hash.startsWith("#game-3")) await page.locator(".replay cg-board piece").first().waitFor();
      await everywhere(page, hash, [colorScheme]);
    }
    await page.locator("header button.find").click();
    await everywhere(page, "the finder", [colorScheme]);
    await page.goto(`${page.url().split("#")[0]}?hall`);
    await page.locator(".stage tbody tr").first().waitFor();
    await everywhere(page, "the hall", [colorScheme]);
    await context.close();
  });
}

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
