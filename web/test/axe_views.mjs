// Views of the page under axe-core, on a phone and a desk. Each scheme is a file of tests, and their names lie apart, so that they do not run at once.
import assert from "node:assert/strict";
import { test } from "node:test";
import { anyOf } from "./axe.mjs";
import { go, launch, open } from "./browser.mjs";

const FINISHED = [
  "#overview", "#rounds", "#crosstable", "#agents", "#summary", "#rules", "#minutes", "#check", "#match-3.2", "#match-5p1.1", "#game-3.2.4/20", "#agent-3",
  "#agent-4", "#agent-9", "#game-2.1.1", "#game-9.9.9",
];

/** On a phone and a desk, with all that is folded away; in dark only colours are others. */
export async function everywhere(page, what, schemes = ["light", "dark"]) {
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

export const shown = (page) => page.locator("main > section.view:visible h1").first().waitFor();

/** All views of a finished event, the finder and the hall. */
export function finished(colorScheme) {
  test(`axe finds nothing in a finished event in ${colorScheme}`, { timeout: 150_000 }, async () => {
    const browser = await launch();
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
    await browser.close();
  });
}
