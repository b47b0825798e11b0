// Makes sample/dist/report.html: a report as the program writes it, of a made-up event with hostile names; and beside.html, the same
// with its games in files.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { madeUpEvent } from "./event.mjs";
import { escaped, json, sections } from "./markup.mjs";

const root = new URL("..", import.meta.url);
const read = (name) => readFileSync(new URL(`dist/${name}`, root), "utf8");
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const [script, style, licences] = [read("page.js"), read("page.css"), read("licences.txt")];
const event = madeUpEvent();
const policy = (more) => `default-src 'none'; script-src ${hash(script)}${more}; style-src ${hash(style)}; img-src data:; font-src data:; base-uri 'none'; form-action 'none'`;
const links = [["overview", "Overview"], ["rounds", "Rounds"], ["crosstable", "Crosstable"], ["agents", "Agents"], ["summary", "Summary"], ["rules", "Rules"], ["check", "Check it yourself"]];
const packed = (value) => gzipSync(JSON.stringify(value)).toString("base64");
const games = event.matches.map(({ match, games: each }) => `<script type="text/plain" class="games" id="games-${match.id}">${packed(each)}</script>`);
/** One mini-match whose data is broken, and one whose games are not there. */
const BROKEN = "2.1";
const ABSENT = "2.2";
const kept = games
  .filter((each) => !each.includes(`id="games-${ABSENT}"`))
  .map((each) => (each.includes(`id="games-${BROKEN}"`) ? each.replace(/>.{400}/, ">") : each));

/** The page; its games in it, or beside it with a policy that has more. */
const page = (data, more, inside) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta http-equiv="Content-Security-Policy" content="${policy(more)}">
<title>Standings after round 5 – ${escaped(event.page.event)}</title><style>${style}</style></head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<p class="event">${escaped(event.page.event)}</p>
<p class="state">Round 5 of 5 is over</p>
<nav class="sections" aria-label="Sections">${links.map(([id, name]) => `<a href="#${id}">${name}</a>`).join("")}</nav>
</header>
<main id="main">
${sections(event)}
</main>
<footer class="bottom"><p>Made by swissmatch 0.0.0.</p><details class="licences"><summary>Licences</summary><pre>${escaped(licences)}</pre></details></footer>
<script type="application/json" id="event">${json(data)}</script>
${inside.join("\n")}
<script>${script}</script>
</body></html>
`;
const place = new URL("sample/dist/", root);
mkdirSync(place, { recursive: true });
const html = page(event.page, "", kept);
writeFileSync(new URL("report.html", place), html);
// The same with its games in scripts beside it, one of which is not there and one of which is another's.
writeFileSync(new URL("beside.html", place), page({ ...event.page, games: "scripts", folder: "beside_games" }, " 'strict-dynamic'", []));
rmSync(new URL("beside_games/", place), { recursive: true, force: true });
mkdirSync(new URL("beside_games/", place));
for (const { match, games: each } of event.matches) {
  const name = match.id === BROKEN ? "9.9" : match.id;
  if (match.id !== ABSENT) writeFileSync(new URL(`beside_games/${match.id}.js`, place), `swissmatchGames("${name}","${packed(each)}")\n`);
}
// What the tests compare with: the last position of each game.
writeFileSync(new URL("last.json", place), JSON.stringify(Object.fromEntries(event.matches.map(({ match, last }) => [match.id, last]))));
console.log(`sample/dist/report.html: ${Buffer.byteLength(html)} bytes`);
