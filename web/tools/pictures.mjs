// The pictures of the documents, of real runs: node tools/pictures.mjs SWISSMATCH FOLDER. It plays the quickstart, and then an event that is slow
// enough to be watched, and leaves nothing but the pictures.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { launch } from "../test/browser.mjs";

const [program, folder] = process.argv.slice(2).map((each) => resolve(each));
const place = mkdtempSync(join(tmpdir(), "pictures-"));
const quickstart = readFileSync(fileURLToPath(new URL("../../configs/quickstart.toml", import.meta.url)), "utf8");
/** The same agents with clocks, a game of a minute or two, two at once. */
const slow = quickstart
  .replace('name = "quickstart"', 'name = "Autumn Open"')
  .replace("nodes = 1500", 'time_control = "40+1"')
  .replace("[game]", "[mini_match]\ngames = 2\n\n[run]\nconcurrency = 2\noversubscribe = true\n\n[game]");

async function picture(browser, name, address, options, see = async () => undefined) {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  await page.goto(address);
  await see(page);
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await context.close();
}

/** The address of a page that is served beside a run. */
function addressOf(run) {
  return new Promise((found, failed) => {
    let said = "";
    run.stderr.on("data", (some) => {
      said += some;
      const address = /the page: (\S+)/.exec(said);
      if (address) found(address[1]);
    });
    run.on("exit", () => failed(new Error(said)));
  });
}

mkdirSync(folder, { recursive: true });
const browser = await launch();
let run;
try {
  writeFileSync(join(place, "quickstart.toml"), quickstart);
  execFileSync(program, ["run", "quickstart.toml", "--out", "run", "--quiet"], { cwd: place, stdio: "inherit" });
  const report = `file://${join(place, "run", "report.html")}`;
  await picture(browser, "overview", report, { viewport: { width: 1200, height: 760 } });
  await picture(browser, "game", `${report}#game-2.1.3/41`, { viewport: { width: 1200, height: 900 }, colorScheme: "dark" });
  await picture(browser, "phone", `${report}#match-2.1`, { viewport: { width: 390, height: 780 } });
  writeFileSync(join(place, "slow.toml"), slow);
  run = spawn(program, ["run", "slow.toml", "--out", "slow", "--serve=127.0.0.1:0"], { cwd: place, stdio: ["ignore", "ignore", "pipe"] });
  const address = await addressOf(run);
  await picture(browser, "live", address, { viewport: { width: 1200, height: 800 } }, async (page) => {
    await page.locator(".card cg-board piece").nth(40).waitFor();
    await page.waitForTimeout(25_000);
  });
} finally {
  await browser.close();
  if (run && run.exitCode === null) {
    const gone = new Promise((done) => run.on("exit", done));
    run.kill("SIGTERM");
    await new Promise((done) => setTimeout(done, 300));
    // The second time it does not wait for games.
    run.kill("SIGTERM");
    await gone;
  }
  rmSync(place, { recursive: true, force: true });
}
