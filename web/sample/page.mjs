// The whole page of the sample: as one file, and as it is served live.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { escaped, json, sections } from "./markup.mjs";

const root = new URL("..", import.meta.url);
export const built = (name) => readFileSync(new URL(`dist/${name}`, root), "utf8");
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const LINKS = [["overview", "Overview"], ["rounds", "Rounds"], ["crosstable", "Crosstable"], ["agents", "Agents"], ["summary", "Summary"], ["rules", "Rules"], ["minutes", "Minutes"], ["check", "Check it yourself"]];
/** One mini-match whose data is broken, and one whose games are not there. */
export const BROKEN = "2.1";
export const ABSENT = "2.2";

export const packed = (value) => gzipSync(JSON.stringify(value)).toString("base64");

function whole(event, { attributes = "", head, state, end, data = event.page }) {
  return `<!doctype html><html lang="en"${attributes}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${head}
<title>Final standings – ${escaped(event.page.event)}</title></head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<p class="event">${escaped(event.page.event)}</p>
<div class="status"><p class="state">${escaped(state)}</p></div>
<button type="button" class="find">Find a player<kbd>/</kbd></button>
<nav class="sections" aria-label="Sections">${LINKS.map(([id, name]) => `<a href="#${id}">${name}</a>`).join("")}</nav>
</header>
<main id="main">
${sections(event)}
</main>
<footer class="bottom"><p>Made by swissmatch 0.0.0.</p><details class="licences"><summary>Licences</summary><pre>${escaped(built("licences.txt"))}</pre></details></footer>
<script type="application/json" id="event">${json(data)}</script>
${end}
</body></html>
`;
}

function inOneFile(event, more, data, inside) {
  const [script, style] = [built("page.js"), built("page.css")];
  const policy = `default-src 'none'; script-src ${hash(script)}${more}; style-src ${hash(style)}; img-src data:; font-src data:; base-uri 'none'; form-action 'none'`;
  return whole(event, {
    head: `<meta http-equiv="Content-Security-Policy" content="${policy}"><style>${style}</style>`,
    state: "The event is over",
    end: `${inside.join("\n")}\n<script>${script}</script>`,
    data,
  });
}

/** With its games. */
export function fileOf(event) {
  const games = event.matches.map(({ match, games: each }) => `<script type="text/plain" class="games" id="games-${match.id}">${packed(each)}</script>`);
  const kept = games
    .filter((each) => !each.includes(`id="games-${ABSENT}"`))
    .map((each) => (each.includes(`id="games-${BROKEN}"`) ? each.replace(/>.{400}/, ">") : each));
  return inOneFile(event, "", event.page, kept);
}

/** With its games in scripts in this folder beside it. */
export function withScripts(event, folder) {
  return inOneFile(event, " 'strict-dynamic'", { ...event.page, games: "scripts", folder }, []);
}

/** As it is served live: script and style are beside it, and the policy is a header. */
export function liveOf(event, state) {
  return whole(event, {
    attributes: ' data-live="events" data-slots="2"',
    head: '<link rel="stylesheet" href="page.0.css"><script defer src="page.0.js"></script>',
    state,
    end: "",
  });
}
export const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
