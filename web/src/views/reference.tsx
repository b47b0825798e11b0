// What a reference engine made of the moves: of a game's two sides, of an agent.
import { plain, SENTENCE_LENGTH } from "../text";
import type { Analysed, Game, MiniMatch, PageEvent, Quality } from "../types";
import { blackOf, nameOf, whiteOf } from "../words";

/** What is told of moves, each with its words. */
const FIGURES: [name: string, value: (quality: Quality) => string][] = [
  ["Moves", (quality) => String(quality.moves)],
  ["ACPL", (quality) => decimal(quality.acpl)],
  ["Accuracy", (quality) => decimal(quality.accuracy, " %")],
  ["Inaccuracies ?!", (quality) => String(quality.inaccuracies)],
  ["Mistakes ?", (quality) => String(quality.mistakes)],
  ["Blunders ??", (quality) => String(quality.blunders)],
];

function decimal(value: number | null, unit = ""): string {
  return value === null ? "–" : value.toFixed(1) + unit;
}

function By({ event }: { event: PageEvent }) {
  if (event.analysis === null) return null;
  return (
    <p class="note">
      Reference engine: <bdi>{plain(event.analysis, SENTENCE_LENGTH)}</bdi>. ACPL: average centipawn loss.
    </p>
  );
}

export function ReferenceOfGame({ event, match, game }: { event: PageEvent; match: MiniMatch; game: Game }) {
  if (!game.quality) return null;
  const [white, black] = game.quality;
  const head = (color: "white" | "black", number: number) => (
    <th scope="col" class="figure">
      <bdi class="cut">{nameOf(event, number)}</bdi>
      <span class={`disc ${color}`}>{color === "white" ? "White" : "Black"}</span>
    </th>
  );
  return (
    <article>
      <h2>By the reference engine</h2>
      <table class="data both">
        <thead>
          <tr>
            <td />
            {head("white", whiteOf(match, game.game))}
            {head("black", blackOf(match, game.game))}
          </tr>
        </thead>
        <tbody>
          {FIGURES.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="figure">{value(white)}</td>
              <td class="figure">{value(black)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <By event={event} />
    </article>
  );
}

export function ReferenceOfAgent({ event, analysed }: { event: PageEvent; analysed: Analysed }) {
  const [white, black] = analysed.acpl_by_color;
  const all: [string, string][] = [
    ["Games analysed", String(analysed.games)],
    ...FIGURES.map(([name, value]): [string, string] => [name, value(analysed)]),
    ["ACPL as White", decimal(white)],
    ["ACPL as Black", decimal(black)],
  ];
  return (
    <article class="by-engine">
      <h2>By the reference engine</h2>
      <dl class="facts">
        {all.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <By event={event} />
    </article>
  );
}
