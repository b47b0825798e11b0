// What a score means, by figures that the program computed: of a mini-match, and of a match of two with its test.
import { Graph, type Series } from "../graph";
import { plain } from "../text";
import type { Match, Meaning, PageEvent, SequentialTest } from "../types";
import { many, nameOf, signed } from "../words";

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function Fact({ name, value, small }: { name: preact.ComponentChildren; value: string; small?: string | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
      {small !== undefined && <dd class="small">{small}</dd>}
    </div>
  );
}

function Score({ event, found }: { event: PageEvent; found: Meaning }) {
  const interval = found.interval && `95 % interval ${percent(found.interval[0])} to ${percent(found.interval[1])}`;
  return (
    <Fact value={percent(found.score)} small={interval ?? undefined}
      name={<>Score of <bdi>{nameOf(event, found.player)}</bdi></>} />
  );
}

/** A difference with half of its 95 % interval. */
function Difference({ name, value, error }: { name: string; value: number | null; error: number | null }) {
  if (value === null) return null;
  return <Fact name={name} value={signed(value, 1) + (error === null ? "" : ` ± ${error.toFixed(1)}`)} />;
}

const POINTS = ["0", "½", "1", "1½", "2"];

/** How many pairs gave how many points, as bars with their numbers. */
function Pairs({ found }: { found: Meaning }) {
  const most = Math.max(1, ...found.pairs);
  const all = found.pairs.reduce((sum, each) => sum + each, 0);
  return (
    <table class="pentanomial">
      <caption>{many(all, "game pair")}, by points</caption>
      <tbody>
        <tr>
          <th scope="row">Pairs</th>
          {found.pairs.map((count, index) => (
            <td key={index}>
              {count}
              <span class="column" style={{ height: `${(3 * count) / most}rem` }} />
            </td>
          ))}
        </tr>
        <tr>
          <th scope="row">Points</th>
          {POINTS.map((each) => (
            <td key={each}>{each}</td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}

export function MeaningOfPairs({ event, found }: { event: PageEvent; found: Meaning }) {
  return (
    <section class="meaning">
      <h2>What the score means</h2>
      <div class="figures">
        <Pairs found={found} />
        <dl class="facts">
          <Score event={event} found={found} />
          <Difference name="Elo difference" value={found.elo} error={found.elo_error} />
        </dl>
      </div>
      {found.interval === null && <p class="note">An interval needs at least ten pairs that are not all alike.</p>}
    </section>
  );
}

export function MeaningOfMatch({ event, found }: { event: PageEvent; found: Match }) {
  const [won, drawn, lost] = found.games;
  return (
    <section class="meaning">
      <h2>What the score means</h2>
      <div class="figures">
        <Pairs found={found} />
        <dl class="facts">
          <Score event={event} found={found} />
          <Difference name="Elo difference" value={found.elo} error={found.elo_error} />
          <Difference name="Normalized Elo" value={found.nelo} error={found.nelo_error} />
          {found.los !== null && <Fact name="Likelihood of superiority" value={percent(found.los)} />}
          <Fact name="Won, drawn, lost" value={`${won}, ${drawn}, ${lost}`} />
          <Fact name="Draws" value={percent(found.draws)} />
          <Fact name="Level pairs" value={percent(found.level_pairs)} />
          <Fact name="Pairs won for each lost" value={plain(found.pairs_ratio, 12)} />
        </dl>
      </div>
      <p class="note">
        All figures are of <bdi>{nameOf(event, found.player)}</bdi> against <bdi>{nameOf(event, found.opponent)}</bdi>, from whole game
        pairs in the order of the schedule; ± and intervals are of 95 %.
      </p>
      {found.test && <Test test={found.test} />}
    </section>
  );
}

/** How the test of a match stands: words, figures, and its way between the bounds. */
function Test({ test }: { test: SequentialTest }) {
  const unit = test.counts === "pentanomial" ? "pair" : "game";
  const bounds = `(${signed(test.lower, 2)}, ${signed(test.upper, 2)})`;
  const way = test.llr / (test.llr < 0 ? test.lower : test.upper);
  const stands = test.verdict === null
    ? `not decided, ${percent(Math.max(0, way))} of the way to ${test.llr < 0 ? "H0" : "H1"}`
    : `${test.verdict} is accepted`;
  return (
    <>
      <h3>Sequential test</h3>
      <dl class="facts">
        <Fact name="Verdict" value={test.verdict ?? "none yet"} small={`after ${many(test.after, unit)}`} />
        <Fact name="LLR" value={signed(test.llr, 2)} small={`bounds ${bounds}`} />
        <Bounds test={test} />
        <Fact name="Hypotheses" value={plain(test.hypotheses)} small={`alpha ${test.alpha}, beta ${test.beta}`} />
      </dl>
      <p class="note">The test is {stands.startsWith("not") ? stands : `over: ${stands}`}.</p>
      {test.path.length > 2 && <Path test={test} unit={unit} />}
    </>
  );
}

/** The likelihood ratio between its bounds: H0 is accepted at the left, H1 at the right. */
function Bounds({ test }: { test: SequentialTest }) {
  return (
    <div>
      <dt>Between H0 and H1</dt>
      <dd class="bounds">
        <span>{signed(test.lower, 2)}</span>
        <meter min={test.lower} max={test.upper} value={test.llr} aria-label="Log-likelihood ratio between its bounds" />
        <span>{signed(test.upper, 2)}</span>
      </dd>
    </div>
  );
}

function Path({ test, unit }: { test: SequentialTest; unit: string }) {
  const xs = test.path.map(([after]) => after);
  const line = (label: string, value: number): Series => ({
    label, values: xs.map(() => value), color: "--line-strong", kind: "line", dash: [6, 4],
  });
  const series: Series[] = [
    { label: "LLR", values: test.path.map(([, llr]) => llr), color: "--accent", kind: "line" },
    line("H1", test.upper),
    line("H0", test.lower),
  ];
  const values = test.path.map(([, llr]) => llr);
  const [low, high] = [Math.min(test.lower, ...values), Math.max(test.upper, ...values)];
  const room = (high - low) * 0.08;
  return (
    <figure class="lead">
      <figcaption>
        <span>Log-likelihood ratio after each {unit}; H1 is accepted at the upper line, H0 at the lower one</span>
      </figcaption>
      <Graph series={series} from={0} xs={xs} range={[low - room, high + room]} unit={(value) => signed(value, 0)}
        label={`Graph of the log-likelihood ratio, from 0 to ${signed(test.llr, 2)} after ${test.after} ${unit}s, between its bounds`} />
    </figure>
  );
}
