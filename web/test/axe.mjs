// What axe-core finds on a page that was opened with `bypassCSP`, in words.
import { readFileSync } from "node:fs";

const AXE = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

async function violationsOf(page, runOnly) {
  await page.evaluate((source) => globalThis.axe || (0, eval)(source), AXE);
  const options = { resultTypes: ["violations"], rules: { "target-size": { enabled: true } }, ...(runOnly ? { runOnly } : {}) };
  return (await page.evaluate((how) => globalThis.axe.run(document, how), options)).violations;
}

const words = (violations) => violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("\n")}`);

/** At every level; by these rules alone where they are named. */
export const anyOf = async (page, rules) => words(await violationsOf(page, rules));

/** What is serious or critical. */
export const graveOf = async (page) => words((await violationsOf(page)).filter(({ impact }) => ["serious", "critical"].includes(impact)));
