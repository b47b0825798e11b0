// The markup of the sample, as the program writes it.

export function escaped(text) {
  return String(text)
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (each) => `\\u{${each.codePointAt(0).toString(16)}}`)
    .replace(/[&<>"']/g, (each) => `&#${each.codePointAt(0)};`);
}
/** JSON that ends no script element. */
export function json(value) {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (each) => `\\u${each.codePointAt(0).toString(16).padStart(4, "0")}`);
}
const half = (text) => text.replace(/^0\.5$/, "½").replace(".5", "½");

function table(heads, rows, kinds) {
  const cell = (tag, index, inner) => `<${tag}${tag === "th" ? ' scope="col"' : ""}${kinds[index] ? ` class="${kinds[index]}"` : ""}>${inner}</${tag}>`;
  const head = heads.map((each, index) => cell("th", index, escaped(each))).join("");
  const body = rows.map((row) => `<tr>${row.map((each, index) => cell("td", index, each)).join("")}</tr>`).join("\n");
  return `<div class="scroll"><table class="data"><thead><tr>${head}</tr></thead>\n<tbody>${body}</tbody></table></div>`;
}

export function sections({ page, order }) {
  const agent = (number) => `<a href="#agent-${number}">${escaped(page.players[number - 1].name)}</a>`;
  const of = (number) => page.mini_matches.filter((match) => match.playoff === 0 && (match.white === number || match.black === number));
  const gamePoints = (number) => of(number).reduce((sum, match) => sum + Number(match.points[match.white === number ? 0 : 1]), 0);
  const standings = table(
    ["Place", "Name", "Match points", "Game points", "Buchholz", "Sonneborn-Berger", "Won games", "Black wins"],
    order.map((number, index) => [
      index + 1, agent(number), half(page.players[number - 1].points), half(String(gamePoints(number))),
      `${10 + ((number * 7) % 6)}½`, `${4 + ((number * 5) % 9)}`, `${8 + ((number * 3) % 11)}`, `${(number * 5) % 7}`,
    ]),
    ["figure", "name", "figure", "figure", "figure", "figure", "figure", "figure"],
  );
  const rounds = [...new Set(page.mini_matches.map((match) => match.round))].reverse().map((round) => {
    const rows = page.mini_matches.filter((match) => match.round === round).map((match) => [
      match.board, agent(match.white), `<a href="#match-${match.id}">${half(match.points[0])} – ${half(match.points[1])}</a>`,
      agent(match.black), `${match.results.length} of ${match.results.length}`,
    ]);
    const list = table(["Board", "White", "Result", "Black", "Played"], rows, ["figure", "name", "figure", "name", "figure"]);
    return `<article class="round" id="round-${round}"><h2>Round ${round}</h2>${list}<p class="note">All games are played.</p></article>`;
  });
  const crosstable = table(
    ["Place", "Name", ...order.map((_each, index) => String(index + 1)), "Points"],
    order.map((number, index) => [
      index + 1, agent(number),
      ...order.map((other) => {
        const match = of(number).find((each) => each.white === other || each.black === other);
        if (number === other || !match) return number === other ? "×" : "";
        const [own, their] = match.white === number ? match.points : [...match.points].reverse();
        return `<a href="#match-${match.id}">${half(own)} – ${half(their)}</a>`;
      }),
      half(page.players[number - 1].points),
    ]),
    ["figure", "name", ...order.map(() => "figure"), "figure"],
  );
  const agents = table(
    ["Number", "Name", "Author"],
    page.players.map(({ number }) => [number, agent(number), `Author ${number}`]),
    ["figure", "name", ""],
  );
  const text = "<p>Everybody plays five rounds. A mini-match has eight games in four pairs of one opening with colours reversed.</p>";
  return `<section id="overview" class="view"><h1>Standings</h1>${standings}<p class="note">Ordered by match points, game points and Buchholz.</p></section>
<section id="rounds" class="view"><h1>Rounds</h1>${rounds.join("\n")}</section>
<section id="crosstable" class="view"><h1>Crosstable</h1>${crosstable}</section>
<section id="agents" class="view"><h1>Agents</h1>${agents}</section>
<section id="summary" class="view"><h1>Summary</h1>${text}<ul><li>240 games were played.</li><li>16 games ended by a fault.</li></ul></section>
<section id="rules" class="view"><h1>Rules</h1><h2>Games</h2>${text}<h2>Time</h2><p>60 seconds a game, and 0.4 seconds a move.</p></section>
<section id="check" class="view"><h1>Check it yourself</h1><p>These commands derive everything again.</p><pre>swissmatch verify RUN
sha256sum --check signed.sha256</pre></section>`;
}
