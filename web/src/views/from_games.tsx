// What only an agent's games tell: openings, time, depth and speed. They are read when somebody asks for it, which may take a while.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { complaint, hasGames, readOnce, Unreachable } from "../data";
import { type Figures as Found, Gathered } from "../figures";
import { Graph, type Series } from "../graph";
import { toGame } from "../route";
import { plain } from "../text";
import type { MiniMatch, PageEvent, Player } from "../types";
import { count, duration, many } from "../words";
import { Figures, FIGURES, Table } from "./table";

/** Fewer games than this are read unasked. */
const UNASKED = 100;

interface FromGamesProps {
  event: PageEvent;
  player: Player;
  matches: MiniMatch[];
}

/** What the games tell, and the mini-matches whose games could not be read. */
interface Gained {
  found: Found;
  unread: string[];
}
type State = { step: "asked" } | { step: "reading"; done: number } | { step: "read"; gained: Gained } | { step: "failed"; problem: string } | { step: "away" };

/** What was read stays as long as its event. */
const kept = new WeakMap<PageEvent, Map<number, Gained>>();

/** Reads the games one mini-match after the other; null where it was stopped. Fails where none of them can be read. */
async function gather(
  event: PageEvent, player: number, matches: MiniMatch[], signal: AbortSignal, onDone: (done: number) => void,
): Promise<Gained | null> {
  const gathered = new Gathered(player);
  const unread: string[] = [];
  for (const [index, match] of matches.entries()) {
    try {
      const { games } = await readOnce(event, match.id, signal);
      for (const game of games) gathered.add(match, game);
    } catch (error) {
      unread.push(match.id);
      if (unread.length === matches.length && !signal.aborted) throw error;
    }
    // The page stays at hand.
    await new Promise((ready) => setTimeout(ready, 0));
    if (signal.aborted) return null;
    onDone(index + 1);
  }
  return { found: gathered.figures(), unread };
}

export function FromGames({ event, player, matches }: FromGamesProps) {
  const before = kept.get(event)?.get(player.number);
  const [state, setState] = useState<State>(before ? { step: "read", gained: before } : { step: "asked" });
  const reading = useRef<AbortController | null>(null);
  const withGames = useMemo(() => matches.filter((match) => hasGames(event, match.id)), [event]);
  const games = withGames.reduce((sum, match) => sum + match.results.replaceAll(".", "").length, 0);
  useEffect(() => {
    if (state.step === "asked" && games > 0 && games < UNASKED) void begin();
    return () => reading.current?.abort();
  }, []);
  const begin = async () => {
    const abort = new AbortController();
    reading.current = abort;
    setState({ step: "reading", done: 0 });
    try {
      const gained = await gather(event, player.number, withGames, abort.signal, (done) => setState({ step: "reading", done }));
      if (!gained) return;
      const all = kept.get(event) ?? new Map<number, Gained>();
      kept.set(event, all.set(player.number, gained));
      setState({ step: "read", gained });
    } catch (error) {
      if (abort.signal.aborted) return;
      setState(error instanceof Unreachable ? { step: "away" } : { step: "failed", problem: complaint(error) });
    }
  };
  const stop = () => {
    reading.current?.abort();
    setState({ step: "asked" });
  };
  if (withGames.length === 0) return null;
  return (
    <section class="from-games" aria-labelledby="from-games">
      <h2 id="from-games">From its games</h2>
      {["asked", "failed", "away"].includes(state.step) && (
        <p>
          Results by opening, time, depth and speed are counted from the games of this agent.{" "}
          <button type="button" onClick={() => void begin()}>
            Read {many(games, "game")}
          </button>
        </p>
      )}
      {state.step === "reading" && (
        <p class="reading">
          <progress max={withGames.length} value={state.done} aria-label="Mini-matches read" /> {state.done} of{" "}
          {many(withGames.length, "mini-match", "mini-matches")}{" "}
          <button type="button" onClick={stop}>
            Stop
          </button>
        </p>
      )}
      {state.step === "failed" && (
        <p class="problem" role="alert">
          {state.problem}
        </p>
      )}
      {state.step === "away" && <p class="note" role="status">The server is away. They can be read when it is back.</p>}
      {state.step === "read" && state.gained.unread.length > 0 && (
        <p class="problem">The games of these mini-matches cannot be read, and are not counted here: {state.gained.unread.join(", ")}.</p>
      )}
      {state.step === "read" && <Read found={state.gained.found} />}
    </section>
  );
}

function Read({ found }: { found: Found }) {
  return (
    <>
      <Time found={found} />
      <div class="beside">
        <OverTheGame values={found.depth} what="Median depth" unit={String} />
        <OverTheGame values={found.speed} what="Median of nodes a second" unit={count} />
      </div>
      <article>
        <h3>By opening</h3>
        <Table tall heads={[["Opening", "name"], ...FIGURES, ["Which", ""]]}>
          {found.openings.map((opening, index) => (
            <tr key={index}>
              <td class="name"><bdi>{plain(opening.name ?? "Without a name")}</bdi></td>
              <Figures wdl={opening.wdl} />
              <td class="links"><Games games={opening.games} /></td>
            </tr>
          ))}
        </Table>
      </article>
    </>
  );
}

function Games({ games }: { games: { match: MiniMatch; game: number; ply?: number }[] }) {
  return (
    <>
      {games.map(({ match, game, ply }) => (
        <a key={`${match.id}.${game}.${ply ?? ""}`} href={toGame(match.id, game, ply)}>
          {match.id}.{game}
        </a>
      ))}
    </>
  );
}

function Time({ found }: { found: Found }) {
  const fact = (name: string, value: preact.ComponentChildren, small?: preact.ComponentChildren) => (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
      {small !== undefined && <dd class="small">{small}</dd>}
    </div>
  );
  return (
    <>
      <h3>Time</h3>
      <dl class="facts">
        {found.time && fact("Median time of a move", duration(found.time.median), `of ${many(found.moves, "move")} in ${many(found.games, "game")}`)}
        {found.time && fact("Longest move", duration(found.time.longest), <Games games={[found.time.at]} />)}
        {found.time && fact("All moves", duration(found.time.all))}
        {found.clockUsed !== null && fact("Clock used", `${(100 * found.clockUsed).toFixed(1)} %`, "mean of its games")}
        {fact("Failed attempts", found.attempts.length, found.attempts.length > 0 ? <span class="links"><Games games={found.attempts.slice(0, 20)} /></span> : undefined)}
      </dl>
    </>
  );
}

function OverTheGame({ values, what, unit }: { values: (number | null)[]; what: string; unit: (value: number) => string }) {
  const series = useMemo((): Series[] => [{ label: what, values, color: "--accent", kind: "line" }], [values]);
  if (values.filter((each) => each !== null).length < 2) return <p class="note">{what}: not known.</p>;
  const most = Math.max(...values.map((each) => each ?? 0));
  return (
    <figure>
      <figcaption>
        <span>{what}, by the number of its own moves since the opening</span>
      </figcaption>
      <Graph series={series} from={1} range={[0, Math.max(1, most * 1.08)]} unit={unit} label={`Graph of the ${what.toLowerCase()} by the number of the move`} />
    </figure>
  );
}
