// Pictures of the sample at three widths, light and dark: node tools/shots.mjs FOLDER [NAME …]. Those that begin with `live` or `hall` are of
// the sample while its last round is played, those that begin with
// `state` while nothing is.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launch, open } from "../test/browser.mjs";
import { cut } from "../sample/under_way.mjs";
import { LiveServer } from "../test/live_server.mjs";

const VIEWS = {
  overview: "#overview", minutes: "#minutes", rounds: "#round-3", crosstable: "#crosstable", match: "#match-3.2", playoff: "#match-5p1.1",
  game: "#game-3.2.4/41", agent: "#agent-4", broken: "#game-2.1.1", hall: "?hall",
};
const LIVE = { "live-2": "", "live-1": "", "live-9": "", "live-game": "#game-5.2.4", "live-match": "#match-5.2", "hall-2": "?hall", "hall-9": "?hall", "hall-30": "?hall" };
/** How the event stands, with the news that say so, where no game is shown. */
const STATES = {
  "state-before": { state: "before", next_at: new Date(Date.now() + 754_000).toISOString() },
  "state-between": { state: "between", next_at: new Date(Date.now() + 754_000).toISOString(), held_back: false },
  "state-held-back": { state: "between", held_back: true },
  "state-paused": { state: "paused", why: "The power went in the hall; we go on at three o’clock." },
  "state-over": { state: "over", over: true, at_work: false },
};
/** Boards of the last round all of whose games are there. */
const BOARDS = 5;
const WIDTHS = { 390: 844, 1366: 768, 1440: 900 };

const [folder = "shots", ...wanted] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await launch();

async function shot(name, hash, options, file, see = async () => undefined) {
  if (wanted.length > 0 && !wanted.includes(name)) return;
  for (const colorScheme of ["light", "dark"]) {
    for (const [width, height] of Object.entries(WIDTHS)) {
      const { page, context, troubles } = await open(browser, hash, { colorScheme, viewport: { width: Number(width), height }, ...options }, file);
      await page.waitForTimeout(400);
      await see(page);
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: !["crosstable", "game"].includes(name) });
      for (const trouble of troubles) console.error(`${name} ${width} ${colorScheme}: ${trouble}`);
      await context.close();
    }
  }
}

try {
  for (const [name, hash] of Object.entries(VIEWS)) await shot(name, hash, {});
  for (const [name, hash] of Object.entries(LIVE)) {
    const slots = Number(/\d+/.exec(name)?.[0] ?? 2);
    const server = await new LiveServer().start();
    server.run({ slots });
    for (let slot = 0; slot < slots; slot += 1) {
      const ended = slot === 4 ? { ended: { result: "1-0", termination: "checkmate" } } : {};
      server.game(slot, `5.${(slot % BOARDS) + 1}`, 4 + (Math.floor(slot / BOARDS) % 4), 24 + 7 * slot, ended);
    }
    await shot(name, hash, { offline: false, games: server.url.href }, server.url, async (page) => {
      await page.waitForTimeout(900);
      if (hash === "?hall") await page.keyboard.press("ArrowRight");
      await page.waitForTimeout(900);
    });
    await server.stop();
  }
  for (const [name, news] of Object.entries(STATES)) {
    const server = new LiveServer();
    if (name === "state-before") server.event.page.mini_matches = [];
    else if (name === "state-between") for (const match of server.event.page.mini_matches) if (match.round === 5) cut(server.event, match, 0);
    if (name === "state-over") server.event.page.over = true;
    server.state = { "state-before": "Before round 1 of 5", "state-over": "The event is over", "state-between": "Round 4 of 5 is over" }[name] ?? server.state;
    await server.start();
    server.run(news);
    await shot(name, "", { offline: false, games: server.url.href }, server.url);
    await server.stop();
  }
} finally {
  await browser.close();
}
