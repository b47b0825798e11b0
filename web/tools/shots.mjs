// Pictures of the sample at three widths, light and dark: node tools/shots.mjs FOLDER [NAME …]
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launch, open } from "../test/browser.mjs";

const VIEWS = {
  overview: "#overview", rounds: "#round-3", crosstable: "#crosstable", match: "#match-3.2", playoff: "#match-5p1.1",
  game: "#game-3.2.4/41", agent: "#agent-4", broken: "#game-2.1.1",
};
const WIDTHS = { 360: 1500, 800: 1300, 1600: 1000 };

const [folder = "shots", ...wanted] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await launch();
try {
  for (const colorScheme of ["light", "dark"]) {
    for (const [width, height] of Object.entries(WIDTHS)) {
      for (const [name, hash] of Object.entries(VIEWS)) {
        if (wanted.length > 0 && !wanted.includes(name)) continue;
        const { page, context, troubles } = await open(browser, hash, { colorScheme, viewport: { width: Number(width), height } });
        await page.waitForTimeout(400);
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: !["crosstable", "game"].includes(name) });
        for (const trouble of troubles) console.error(`${name} ${width} ${colorScheme}: ${trouble}`);
        await context.close();
      }
    }
  }
} finally {
  await browser.close();
}
