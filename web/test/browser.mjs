// Starts Chromium for the tests, opens the sample, and notes whatever should not happen.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const SAMPLE = new URL("../sample/dist/report.html", import.meta.url);

/** What a window would begin beside the page, half of the cost of one; and what playwright-core turns off, as the last such list counts. */
const OFF = [
  "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess",
  "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "LensOverlay",
  "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints",
  "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch",
];

export function launch() {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) throw new Error(`there is no Chromium at ${executablePath}; set CHROMIUM`);
  const root = process.getuid?.() === 0;
  // A process of tests that is ended takes its browser with it: it need not be asked first, which may take for ever.
  return chromium.launch({ executablePath, headless: true, timeout: 30_000, handleSIGTERM: false, args: [`--disable-features=${OFF}`, ...(root ? ["--no-sandbox"] : [])] });
}

/** Opens the sample at a hash; `troubles` gathers errors, broken policies, dialogs and requests, but for those of the address `games`. */
export async function open(browser, hash = "", options = {}, file = SAMPLE) {
  const { clock, slow, ...others } = options;
  const context = await browser.newContext({ offline: true, reducedMotion: "reduce", ...others });
  context.setDefaultTimeout(30_000);
  // Time that a test may let pass at once.
  if (clock) await context.clock.install();
  const page = await context.newPage();
  // A slow machine paints before the script has run.
  if (slow) await (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: slow });
  const troubles = [];
  const note = (kind, text) => troubles.push(`${kind}: ${text}`);
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && note("console", message.text()));
  page.on("pageerror", (error) => note("error", error.stack ?? String(error)));
  page.on("dialog", (dialog) => {
    note("dialog", dialog.message());
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const url = request.url();
    const isOwn = url.split(/[?#]/)[0] === file.href || (options.games !== undefined && url.startsWith(options.games));
    if (!url.startsWith("data:") && !isOwn) note("request", url.slice(0, 200));
  });
  if (options.javaScriptEnabled !== false) {
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.sample}`));
    });
  }
  await page.goto(`${file.href}${hash}`);
  return { page, context, troubles };
}

/** Goes to another hash as a link does. */
export async function go(page, hash) {
  await page.evaluate((to) => (location.hash = to), hash);
  await page.waitForTimeout(50);
}

export const path = (url) => fileURLToPath(url);
