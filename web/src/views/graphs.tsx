// The graphs of a game over its plies: evaluation, time, depth, speed. Each says in words what it has at the ply that is pointed at, or shown.
import { useMemo, useState } from "preact/hooks";
import { Graph } from "../graph";
import { depths, evaluations, type Graphed, speeds, times } from "../graphs";
import type { Replay } from "../replay";
import type { Game } from "../types";
import { count, duration } from "../words";

interface GraphsProps {
  game: Game;
  played: Replay;
  ply: number;
  onPly: (ply: number) => void;
}

/** The value at a ply, of a side that did not move the one of its last move. */
function valueAt(texts: (string | null)[], ply: number): string {
  let at = ply;
  while (at > 0 && (texts[at] ?? null) === null) at -= 1;
  return texts[at] ?? "–";
}

/** Which ply it is, and what stands for each side in a graph, with its value there: "Ply 41, 21… a5, White −3.11, Black −3.04". */
function Values({ graphed, played, ply }: { graphed: Graphed; played: Replay; ply: number }) {
  const position = played.positions[ply];
  return (
    <>
      <span>{position?.san ? `Ply ${ply}, ${position.move}${position.mover === "white" ? "." : "…"} ${position.san}` : `Ply ${ply}`}</span>
      <span class="keys">
        {graphed.series.map(({ label, kind }, index) => (
          <span key={label} class={`${kind === "bars" ? "key-bar" : "key-line"} ${label.toLowerCase()}`}>
            {label} {valueAt(graphed.texts[index] ?? [], ply)}
          </span>
        ))}
      </span>
    </>
  );
}

interface FigureProps extends Omit<GraphsProps, "game"> {
  title: string;
  about: string;
  graphed: Graphed | null;
  unit: (value: number) => string;
}

function Figure({ title, about, graphed, unit, played, ply, onPly }: FigureProps) {
  const [over, setOver] = useState<number | null>(null);
  if (!graphed) return null;
  return (
    <figure>
      <figcaption>
        <span>{title}</span>
        <Values graphed={graphed} played={played} ply={over ?? ply} />
      </figcaption>
      <Graph series={graphed.series} range={graphed.range} from={0} unit={unit} at={ply} onPick={onPly} onHover={setOver} label={about} />
    </figure>
  );
}

export function Graphs({ game, played, ply, onPly }: GraphsProps) {
  const all = useMemo(
    () => ({ evaluation: evaluations(game, played), time: times(game, played), depth: depths(game, played), speed: speeds(game, played) }),
    [game, played],
  );
  const reference = all.evaluation && all.evaluation.series.length > 2 ? " and of the reference engine" : "";
  const same = { played, ply, onPly };
  return (
    <div class="graphs">
      <Figure {...same} title="Evaluation in pawns" graphed={all.evaluation} unit={(value) => String(value).replace("-", "−")}
        about={`Graph of the evaluations of both sides${reference} over the plies, from White’s view`} />
      <Figure {...same} title="Time for each move" graphed={all.time} unit={(value) => (value === 0 ? "0" : duration(Math.abs(value) * 1e6))}
        about="Graph of the time for each move, White upwards, Black downwards" />
      <Figure {...same} title="Depth" graphed={all.depth} unit={(value) => (Number.isInteger(value) ? String(value) : "")} about="Graph of the depth of each move" />
      <Figure {...same} title="Nodes a second" graphed={all.speed} unit={count} about="Graph of the nodes a second of each move" />
      {Object.values(all).every((each) => each === null) && <p class="note">No times and no evaluations are known of this game.</p>}
    </div>
  );
}
