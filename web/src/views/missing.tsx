// What stands where an address names a game, a mini-match, a round or an agent that the event does not have.
import { type Route, toGame, toMatch } from "../route";
import { plain } from "../text";
import type { PageEvent } from "../types";

interface Absent {
  what: string;
  /** The link that is marked. */
  link: "rounds" | "agents";
  back: [address: string, words: string];
}

/** What the event lacks of a route; null where there is nothing that could be lacking. */
export function absent(event: PageEvent, route: Route): Absent | null {
  const rounds: [string, string] = ["#rounds", "All rounds"];
  if (route.view === "agent") return { what: `no agent ${route.number}`, link: "agents", back: ["#agents", "All agents"] };
  if (route.view === "section") {
    const round = /^round-(\d+)$/.exec(route.id)?.[1];
    return round === undefined ? null : { what: `no round ${plain(round, 12)}`, link: "rounds", back: rounds };
  }
  const match = event.mini_matches.find(({ id }) => id === route.id);
  if (route.view === "match") return { what: `no mini-match ${plain(route.id, 24)}`, link: "rounds", back: rounds };
  const what = `no game ${plain(toGame(route.id, route.game).slice("#game-".length), 36)}`;
  return { what, link: "rounds", back: match ? [toMatch(match.id), `Mini-match ${match.id}`] : rounds };
}

export const sentence = ({ what }: Absent): string => `There is ${what} in this event.`;

export function Missing({ event, found }: { event: PageEvent; found: Absent }) {
  const [address, words] = found.back;
  return (
    <>
      <h1>{sentence(found)}</h1>
      {!event.over && <p>The event is not over: what has not begun, or is held back, is not here yet.</p>}
      <p>
        <a href={address}>{words}</a>
      </p>
    </>
  );
}
