// Makes sample/dist/report.html: a report as the program writes it, of a made-up event with hostile names; and beside.html, the same
// with its games in files.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { madeUpEvent } from "./event.mjs";
import { KEPT } from "./kept.mjs";
import { ABSENT, BROKEN, fileOf, packed, withScripts } from "./page.mjs";

const event = madeUpEvent();
const place = new URL("dist/", import.meta.url);
mkdirSync(place, { recursive: true });
writeFileSync(KEPT, JSON.stringify(event));
const html = fileOf(event);
writeFileSync(new URL("report.html", place), html);
// The same with its games in scripts beside it, one of which is not there and one of which is another's.
writeFileSync(new URL("beside.html", place), withScripts(event, "beside_games"));
rmSync(new URL("beside_games/", place), { recursive: true, force: true });
mkdirSync(new URL("beside_games/", place));
for (const { match, games: each } of event.matches) {
  const name = match.id === BROKEN ? "9.9" : match.id;
  if (match.id !== ABSENT) writeFileSync(new URL(`beside_games/${match.id}.js`, place), `swissmatchGames("${name}","${packed(each)}")\n`);
}
// What the tests compare with: the last position of each game.
writeFileSync(new URL("last.json", place), JSON.stringify(Object.fromEntries(event.matches.map(({ match, last }) => [match.id, last]))));
console.log(`sample/dist/report.html: ${Buffer.byteLength(html)} bytes`);
