// Looks at the page of a real run of many agents: node test/of_many.mjs REPORT EVENT. Without scripts all of it is there; with them every part is free of
// what axe-core finds serious, and every agent's view opens.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { graveOf } from "./axe.mjs";
import { go, launch, open } from "./browser.mjs";

const [report, event] = process.argv.slice(2);
const file = pathToFileURL(report);
const browser = await launch();
try {
  const plain = await open(browser, "", { javaScriptEnabled: false }, file);
  assert.equal(await plain.page.textContent("header .event"), event);
  const rows = (section) => plain.page.locator(`#${section} table.data`).first().locator("tbody tr");
  const agents = await rows("overview").count();
  for (const section of await plain.page.locator("main > section.view").all()) assert.ok(await section.isVisible());
  assert.equal(await rows("agents").count(), agents);
  assert.equal(await rows("crosstable").count(), agents);
  assert.ok(await rows("overview").last().isVisible());
  const names = await rows("agents").evaluateAll((all) => all.map((row) => row.querySelector("a").textContent));
  await plain.context.close();
  const { page, context, troubles } = await open(browser, "", { bypassCSP: true, viewport: { width: 1280, height: 900 } }, file);
  const data = JSON.parse(await page.textContent("#event"));
  assert.equal(data.players.length, agents);
  const sections = (await page.locator("main > section.view").evaluateAll((all) => all.map(({ id }) => id))).filter((id) => id !== "app");
  for (const hash of [...sections, "match-1.1", "game-1.1.1", "agent-1"]) {
    await go(page, `#${hash}`);
    await page.locator(`#${sections.includes(hash) ? hash : "app"}`).waitFor();
    assert.deepEqual(await graveOf(page), [], hash);
  }
  for (const { number, name } of data.players) {
    await go(page, `#agent-${number}`);
    await page.locator("#app h1", { hasText: name }).waitFor();
    assert.ok(names.includes(name));
  }
  assert.deepEqual(troubles, []);
  await context.close();
  console.log(`${agents} agents`);
} finally {
  await browser.close();
}
