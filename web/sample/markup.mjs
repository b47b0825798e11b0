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


/** Who leads, as the overview begins at the end. */
function winner({ page, order }, agent) {
  const [first, ...rest] = order;
  return `<div class="winners"><div class="winner" role="group" aria-label="Winner"><p class="kicker">Winner</p><p class="champion">${agent(first)}</p>
<p><strong>${half(page.players[first - 1].points)} match points</strong>. ${escaped(page.players[first - 1].name)} is above ${escaped(page.players[rest[0] - 1].name)} by Buchholz, 14½ to 13½. Prize: <strong>1000.00 EUR</strong>.</p>
<p class="note">How sure: first in 61.2 % of the samples that draw the game pairs anew.</p>
<ol class="podium">${rest.slice(0, 2).map((number, index) => `<li><span class="place">${index + 2}.</span> ${agent(number)}<span class="small"> ${half(page.players[number - 1].points)} match points</span></li>`).join("")}</ol></div></div>`;
}

/** Why each place is above the next. */
function places({ page, order }) {
  const name = (number) => escaped(page.players[number - 1].name);
  const told = order.slice(0, -1).map((number, index) => `<li id="why-0-${index + 1}">${name(number)} is above ${name(order[index + 1])} by match points, ${half(page.players[number - 1].points)} to ${half(page.players[order[index + 1] - 1].points)}.<details><summary>The sums</summary><pre>${name(number)} (place ${index + 1}) is before ${name(order[index + 1])} (place ${index + 2}).</pre></details></li>`);
  return `<details class="why places"><summary>Why each place is above the next</summary><ol>${told.join("")}</ol></details>`;
}

/** The rating and the author under a name. */
function about({ rating, author }) {
  const brief = author == null ? null : escaped(author.length > 60 ? `${author.slice(0, 59)}…` : author);
  const known = [rating == null ? null : `Rated ${rating}`, brief === null ? null : `by <bdi>${brief}</bdi>`].filter((each) => each !== null);
  return known.length === 0 ? "" : `<div class="note">${known.join(", ")}</div>`;
}

const jump = (rounds) => `<nav class="jump" aria-label="Rounds">${rounds.map((round) => `<a href="#round-${round}"><span class="unseen">Round </span>${round}</a>`).join("")}</nav>`;

export function sections(event) {
  const { page, order } = event;
  const agent = (number) => `<a href="#agent-${number}">${escaped(page.players[number - 1].name)}</a>`;
  const of = (number) => page.mini_matches.filter((match) => match.playoff === 0 && (match.white === number || match.black === number));
  const gamePoints = (number) => of(number).reduce((sum, match) => sum + Number(match.points[match.white === number ? 0 : 1]), 0);
  const ask = (index) => (index + 1 < order.length ? `<a class="ask" href="#why-0-${index + 1}" aria-label="why? Place ${index + 1}">why?</a>` : "");
  const standings = table(
    ["Place", "Name", "Match points", "Game points", "Buchholz", "Sonneborn-Berger", "Won games", "Black wins", "Why this place"],
    order.map((number, index) => [
      index + 1, agent(number) + (page.players[number - 1].out ? ` <span class="chip">${page.players[number - 1].out}</span>` : ""),
      half(page.players[number - 1].points), half(String(gamePoints(number))),
      `${10 + ((number * 7) % 6)}½`, `${4 + ((number * 5) % 9)}`, `${8 + ((number * 3) % 11)}`, `${(number * 5) % 7}`, ask(index),
    ]),
    ["figure", "name", "figure", "figure", "figure", "figure", "figure", "figure", "asks"],
  );
  const numbers = [...new Set(page.mini_matches.map((match) => match.round))];
  const rounds = [...numbers].reverse().map((round) => {
    const rows = page.mini_matches.filter((match) => match.round === round).map((match) => {
      const ended = match.results.replaceAll(".", "").length;
      const won = (own, their) => (match.over && Number(own) > Number(their) ? "name winner" : "name");
      const score = ended === 0 ? "no result yet" : `${half(match.points[0])} – ${half(match.points[1])}`;
      return `<tr><td class="figure">${match.playoff > 0 ? `play-off ${match.playoff}, ` : ""}${match.board}</td><td class="${won(...match.points)}">${agent(match.white)}</td>
<td class="score"><a href="#match-${match.id}" data-match="${match.id}">${score}</a></td><td class="${won(match.points[1], match.points[0])}">${agent(match.black)}</td>
<td class="figure count">${ended} of ${match.results.length}</td><td>${match.playoff > 0 ? "" : `<a class="ask" href="#pair-${round}-${match.board}" aria-label="why? Board ${match.board}">why?</a>`}</td></tr>`;
    });
    const head = `<tr><th scope="col" class="figure">Board</th><th scope="col" class="name">White first</th><th scope="col" class="score">Score</th><th scope="col" class="name">Black first</th><th scope="col" class="figure">Games</th><th scope="col"><span class="unseen">Why so paired</span></th></tr>`;
    const list = `<div class="scroll"><table class="data"><thead>${head}</thead>\n<tbody>${rows.join("\n")}</tbody></table></div>`;
    const why = page.mini_matches.filter((match) => match.round === round && match.playoff === 0)
      .map((match) => `<li value="${match.board}" id="pair-${round}-${match.board}">${escaped(page.players[match.white - 1].name)} meets ${escaped(page.players[match.black - 1].name)}: they have not met.</li>`);
    const byes = round === 2 ? '<p class="note">Half-point byes: Nobody &amp; Co (asked for).</p><p class="note">Withdrawn: Passed Pawn.</p>' : "";
    return `<article class="round" id="round-${round}"><h2>Round ${round}</h2>${list}${byes}<p class="note upset"><strong>Upset of the round: </strong>Board 1, from 4 places below.</p><details class="why"><summary>Why round ${round} was paired so</summary><p>Paired by match points.</p><ol>${why.join("")}</ol></details></article>`;
  });
  const crosstable = `<div class="scroll"><table class="data cross square"><thead><tr><th class="figure" scope="col">#</th><th class="name" scope="col">Name</th>${order.map((number, index) => `<th scope="col" title="${escaped(page.players[number - 1].name)}">${index + 1}</th>`).join("")}<th class="figure" scope="col" title="Match points">MP</th><th class="figure" scope="col" title="Game points">GP</th></tr></thead>
<tbody>${order.map((number, index) => `<tr><td class="figure">${index + 1}</td><td class="name">${agent(number)}</td>${order.map((other) => {
    const match = of(number).find((each) => each.white === other || each.black === other);
    if (number === other) return '<td class="self"><span aria-hidden="true">×</span></td>';
    if (!match) return "<td></td>";
    const [own, their] = match.white === number ? match.points : [...match.points].reverse();
    const kind = !match.over ? "" : Number(own) > Number(their) ? ' class="met win"' : own === their ? ' class="met draw"' : ' class="met loss"';
    return `<td${kind}><a href="#match-${match.id}" title="against ${escaped(page.players[other - 1].name)}"><strong>${half(own)}</strong><span class="of ${match.white === number ? "white" : "black"}">${order.indexOf(other) + 1}</span></a></td>`;
  }).join("")}<td class="figure"><strong>${half(page.players[number - 1].points)}</strong></td><td class="figure">${half(String(gamePoints(number)))}</td></tr>`).join("\n")}</tbody></table></div>
<p class="note legend">Each cell has the game points, and leads to the mini-match: <span class="met win">won</span> <span class="met draw">drawn</span> <span class="met loss">lost</span>.</p>`;
  const agents = table(
    ["#", "Agent", "Points"],
    page.players.map((player) => [player.number, agent(player.number) + about(player), half(player.points)]),
    ["figure", "name", "figure"],
  );
  const schedule = `<h2>Schedule</h2>${table(["Round", "Day", "Time (CET)"], numbers.map((round, index) => [round, index === 0 ? "2026-11-21" : "", `<time datetime="2026-11-21T1${index}:00:00Z">1${index + 1}:00</time>–<time datetime="2026-11-21T1${index}:24:00Z">1${index + 1}:24</time>`]), ["figure", "", ""])}`;
  const text = "<p>Everybody plays five rounds. A mini-match has eight games in four pairs of one opening with colours reversed.</p>";
  const before = numbers.length === 0;
  const who = `<p>12 agents play 5 rounds, 8 games against each opponent. <a href="#rules">The rules in force</a>.</p>${table(["#", "Name", "Rating"], page.players.map(({ number, rating }) => [number, agent(number), rating ?? ""]), ["figure", "name", "figure"])}`;
  const result = page.over ? winner(event, agent) : "";
  const heading = page.over ? "Final standings" : before ? "Who plays" : "Standings";
  const main = before ? who : `${standings}${places(event)}<p class="note">Ordered by match points, game points and Buchholz.</p>`;
  return `<section id="overview" class="view"><h1>${heading}</h1>${result}<div class="overview"><div>${main}</div><div>${before ? "" : schedule}</div></div></section>
<section id="rounds" class="view"><h1>Rounds</h1>${numbers.length > 2 ? jump(numbers) : ""}${rounds.join("\n")}</section>
<section id="crosstable" class="view"><h1>Crosstable</h1>${crosstable}</section>
<section id="agents" class="view"><h1>Agents</h1>${agents}</section>
<section id="summary" class="view"><h1>Summary</h1>${text}<ul><li>240 games were played.</li><li>16 games ended by a fault.</li></ul></section>
<section id="rules" class="view"><h1>Rules</h1><h2>Games</h2>${text}<h2>Time</h2><p>60 seconds a game, and 0.4 seconds a move.</p></section>
<section id="minutes" class="view"><h1>Minutes</h1><ol class="timeline"><li><p class="when">2026-11-21 11:02 CET · round 2 was being played (3 of 48 games finished)</p><p><strong>Ann withdrew Passed Pawn.</strong></p><p>Why: asked for it</p><details><summary>What followed</summary><p>Its games that have not begun are forfeited.</p></details></li></ol></section>
<section id="check" class="view"><h1>Check it yourself</h1><p>These commands derive everything again.</p><pre>swissmatch verify RUN
sha256sum --check signed.sha256</pre></section>`;
}
