// The page whose games are in scripts beside it: from disk and from a server; what is not there; and no script but these and its own.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile, cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { go, launch, open } from "./browser.mjs";
import { serve } from "./server.mjs";

const FOLDER = fileURLToPath(new URL("../sample/dist", import.meta.url));
const lasts = JSON.parse(await readFile(join(FOLDER, "last.json"), "utf8"));

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Opens a file of a folder from disk or from a server. */
async function opened(folder, name, from, hash) {
  const { server, url } = from === "http" ? await serve(folder) : { url: pathToFileURL(`${folder}/`) };
  const file = new URL(name, url);
  const options = { offline: server === undefined, games: new URL("beside_games/", file).href };
  const { page, context, troubles } = await open(browser, hash, options, file);
  const requests = [];
  // What a policy forbids is begun and not finished.
  page.on("requestfinished", (request) => requests.push(request.url().slice(url.href.length)));
  const close = async () => {
    await context.close();
    server?.close();
  };
  return { page, troubles, requests, close };
}

for (const from of ["file", "http"]) {
  test(`a game is shown from a script beside the page: ${from}`, async () => {
    const { page, troubles, requests, close } = await opened(FOLDER, "beside.html", from, "");
    assert.equal(await page.locator("head script").count(), 0);
    await go(page, "#game-3.2.4");
    await page.locator("cg-board piece").first().waitFor();
    await page.keyboard.press("End");
    const fen = await page.locator("#app").getByRole("button", { name: /FEN/ }).count();
    assert.ok(fen > 0 && lasts["3.2"].length === 8);
    // The next game comes from the same file.
    await go(page, "#game-3.2.5");
    await page.locator("cg-board piece").first().waitFor();
    assert.deepEqual(requests, ["beside_games/3.2.js"]);
    assert.equal(await page.locator("head script").count(), 0, "the element goes");
    assert.deepEqual(troubles, []);
    await close();
  });
}

test("a file that is not there, or is of another part, is told", async () => {
  const { page, troubles, close } = await opened(FOLDER, "beside.html", "file", "#game-2.2.1");
  const problem = page.locator(".problem");
  await problem.waitFor();
  assert.match(await problem.innerText(), /the file beside_games\/2\.2\.js is not beside this page/);
  await go(page, "#game-2.1.1");
  await page.getByText("the file beside_games/2.1.js is not of this page").waitFor();
  assert.ok(troubles.every((each) => each.includes("ERR_FILE_NOT_FOUND")), troubles.join("\n"));
  await close();
});

test("a script that somebody put into the page does not run", async () => {
  const folder = await mkdtemp(join(tmpdir(), "swissmatch-page-"));
  try {
    await cp(join(FOLDER, "beside_games"), join(folder, "beside_games"), { recursive: true });
    await writeFile(join(folder, "beside_games", "evil.js"), "window.evil = 'a file'");
    const html = await readFile(join(FOLDER, "beside.html"), "utf8");
    const evil = `<script>window.evil = "within"</script><script src="beside_games/evil.js"></script><img src="x" onerror="window.evil = 'handler'">
<iframe src="beside_games/evil.js"></iframe><link rel="stylesheet" href="beside_games/evil.css"><a id="lure" href="javascript:window.evil = 'link'">x</a>`;
    await writeFile(join(folder, "beside.html"), html.replace('<main id="main">', `${evil}<main id="main">`));
    for (const from of ["file", "http"]) {
      const { page, troubles, requests, close } = await opened(folder, "beside.html", from, "#game-1.1.1");
      await page.locator("cg-board piece").first().waitFor();
      await page.locator("#lure").click();
      await page.evaluate(() => {
        const made = document.createElement("div");
        made.innerHTML = `<img src="y" onerror="window.evil = 'made'"><script>window.evil = 'made'</scr` + "ipt>";
        document.body.append(made);
      });
      await page.waitForTimeout(200);
      assert.equal(await page.evaluate(() => window.evil), undefined, from);
      assert.ok(requests.every((each) => each === "beside_games/1.1.js"), requests.join(" "));
      assert.ok(troubles.length > 0 && troubles.every((each) => /polic|Content Security|^request: .*\/[xy]$/i.test(each)), troubles.join("\n"));
      await close();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
