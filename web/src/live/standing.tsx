// What stands above the overview while no game is shown: what is over, what comes next and when, why it is paused.
import { useEffect, useState } from "preact/hooks";
import { toAgent, toMatch } from "../route";
import { plain, SENTENCE_LENGTH } from "../text";
import type { MiniMatch, PageEvent } from "../types";
import { nameOf, points } from "../words";
import type { Run } from "./messages";
import type { Store } from "./store";
import { useLive } from "./use";

/** As many pairings stand here; the others are among the rounds. */
const MOST_PAIRS = 8;

/** `4:12`, with hours `1:04:12`, and before that days. */
export function untilWords(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (days > 0) return `${days} ${days === 1 ? "day" : "days"} ${hours} h`;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

function Countdown({ what, to }: { what: string; to: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const at = Date.parse(to);
  if (!Number.isFinite(at)) return null;
  const left = Math.ceil((at - now) / 1000);
  const clock = new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return (
    <p class="countdown">
      {what} begins {left > 0 ? "in " : "at any moment"}
      {left > 0 && (
        <time role="timer" dateTime={to}>
          {untilWords(left)}
        </time>
      )}
      {left > 0 && <span class="small"> at {clock} by your clock</span>}
    </p>
  );
}

function Pairings({ event, title, matches }: { event: PageEvent; title: string; matches: MiniMatch[] }) {
  if (matches.length === 0) return null;
  const agent = (number: number) => (
    <a href={toAgent(number)}>
      <bdi>{nameOf(event, number)}</bdi>
    </a>
  );
  return (
    <div>
      <h3>{title}</h3>
      <ul class="plain meets">
        {matches.slice(0, MOST_PAIRS).map((match) => (
          <li key={match.id}>
            {agent(match.white)}{" "}
            <a class="score" href={toMatch(match.id)}>
              {/[^.]/.test(match.results) ? `${points(match.points[0])} – ${points(match.points[1])}` : "–"}
            </a>{" "}
            {agent(match.black)}
          </li>
        ))}
      </ul>
      {matches.length > MOST_PAIRS && <a href="#rounds">All {matches.length} boards</a>}
    </div>
  );
}

/** The mini-matches of a round, play-offs left out. */
function ofRound(event: PageEvent, round: number): MiniMatch[] {
  return event.mini_matches.filter((match) => match.round === round && match.playoff === 0);
}

/** Whether boards of games stand there instead. */
export function hasBoards(run: Run | null, event: PageEvent, underWay: boolean): boolean {
  if (event.over) return false;
  // Before the first news, a row of places where games may be under way.
  if (run === null) return event.mini_matches.some((match) => !match.over);
  if (!run.at_work || !run.live || run.over || run.held_back === true) return false;
  return run.state === null || run.state === "playing" || underWay;
}

export function Standing({ store, event }: { store: Store; event: PageEvent }) {
  const run = useLive(store, () => store.run);
  const boards = useLive(store, () => hasBoards(store.run, event, store.underWay));
  if (run === null || boards || run.over || event.over || run.state === null || run.state === "stopped") return null;
  const rounds = event.mini_matches.map((match) => match.round);
  const last = Math.max(0, ...rounds);
  const latest = ofRound(event, last);
  const begun = latest.some((match) => /[^.]/.test(match.results));
  const isNext = last > 0 && !begun && latest.some((match) => !match.over);
  const over = isNext ? last - 1 : last;
  const next = isNext ? last : last + 1;
  const what = run.held_back ? "The next round" : `Round ${next}`;
  const heading = {
    before: "The event has not begun",
    between: over > 0 ? `Round ${over} is over` : "Between rounds",
    paused: "The event is paused",
    playing: run.held_back ? "A round that is held back is being played" : "Games are being played",
  }[run.state as "before" | "between" | "paused" | "playing"];
  const shows = run.state === "before" || run.state === "between";
  return (
    <section class="standing" aria-labelledby="standing-heading">
      <h2 id="standing-heading">{heading}</h2>
      {run.state === "paused" && run.why !== null && <p>Why: <bdi>{plain(run.why, SENTENCE_LENGTH)}</bdi></p>}
      {shows && run.next_at !== null && <Countdown what={what} to={run.next_at} />}
      {run.state === "before" && !isNext && <p>See below who plays, and by which rules.</p>}
      {run.held_back && <p>
          The pairing and the games of {shows ? "the next round" : "this round"} are held back until the arbiter releases them.
        </p>}
      {shows && (
        <div class="beside">
          {over > 0 && <Pairings event={event} title={`Results of round ${over}`} matches={ofRound(event, over)} />}
          {isNext && !run.held_back && <Pairings event={event} title={`Pairings of round ${next}`} matches={latest} />}
        </div>
      )}
    </section>
  );
}
