// What Chromium makes of a report: node tools/measure.mjs FILE. Its weight, the first paint from disk and from this machine, and the
// longest task (by the browser's own trace of long tasks) while one goes from section to section and scrolls through each.
import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { launch } from "../test/browser.mjs";
import { serve } from "../test/server.mjs";

const [file] = process.argv.slice(2);
const text = readFileSync(file, "utf8");
const withoutGames = text.replace(/<script class="games"[^>]*>[^<]*<\/script>/g, "");
const kilo = (bytes) => `${Math.ceil(bytes / 1000)} kB`;
console.log(`  weight: ${kilo(text.length)}; without games ${kilo(withoutGames.length)}, packed ${kilo(gzipSync(withoutGames).length)}`);

const TRIES = 3;
const browser = await launch();

/** Notes paints and tasks of 50 ms or more from the beginning. */
function observe() {
  window.noted = { tasks: [], paint: null };
  new PerformanceObserver((list) => window.noted.tasks.push(...list.getEntries().map((each) => each.duration))).observe({ type: "longtask" });
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) if (each.name === "first-contentful-paint") window.noted.paint = each.startTime;
  }).observe({ type: "paint", buffered: true });
}

/** The longest task since this was asked last, in ms. */
async function longest(page) {
  await page.waitForTimeout(120);
  const most = await page.evaluate(() => Math.max(0, ...window.noted.tasks.splice(0)));
  return Math.round(most);
}

async function opened(url) {
  const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
  await page.addInitScript(observe);
  await page.goto(url);
  await page.waitForSelector("main.ready");
  await page.waitForFunction(() => window.noted.paint !== null);
  return page;
}

/** Goes through a page from its top to its end, as a wheel does. */
async function scroll(page) {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const step = Math.max(900, height / 25);
  for (let at = 0; at < height; at += step) {
    await page.mouse.wheel(0, step);
    await page.waitForTimeout(30);
  }
}

async function paints(url) {
  const found = [];
  for (let tries = 0; tries < TRIES; tries += 1) {
    const page = await opened(url);
    found.push({ paint: await page.evaluate(() => window.noted.paint), task: await longest(page) });
    await page.close();
  }
  found.sort((a, b) => a.paint - b.paint);
  const middle = found[Math.floor(found.length / 2)];
  return `first paint ${Math.round(middle.paint)} ms, longest task ${middle.task} ms`;
}

const { server, url } = await serve(dirname(file));
try {
  const served = new URL(encodeURIComponent(basename(file)), url).href;
  const onDisk = pathToFileURL(file).href;
  console.log(`  from this machine: ${await paints(served)}`);
  console.log(`  from disk: ${await paints(onDisk)}`);
  const page = await opened(onDisk);
  await page.mouse.move(800, 600);
  await longest(page);
  const links = await page.locator("nav.sections a").evaluateAll((all) => all.map((each) => each.hash));
  const tasks = [];
  for (const hash of [...links, "#match-1.1", "#game-1.1.1", "#agent-1", "#overview"]) {
    await page.evaluate((to) => (location.hash = to), hash);
    const shown = await longest(page);
    await scroll(page);
    tasks.push(`${hash} ${shown}/${await longest(page)}`);
  }
  console.log(`  longest task in ms, as a view is shown / while it is scrolled: ${tasks.join(", ")}`);
} finally {
  await browser.close();
  server.close();
}
