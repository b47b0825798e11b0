// The rating and the author of an agent, where they are known: on its page, and under its name in the list of agents.
import { render } from "preact";
import type { Player } from "./model";
import { Foreign } from "./text";

let known: Player[] = [];

/** The players that the list is about from now on. */
export function knowPlayers(players: Player[]): void {
  known = players;
}

export function About({ player: { rating, author } }: { player: Player }) {
  return (
    <>
      {rating !== null && `Rated ${rating}`}
      {rating !== null && author !== null && ", "}
      {author !== null && <>by <Foreign text={author} /></>}
    </>
  );
}

export function addAbout(table: HTMLTableElement): void {
  for (const row of table.tBodies[0]?.rows ?? []) {
    const link = row.querySelector<HTMLAnchorElement>("td.name a");
    const player = known[Number(link?.hash.replace("#agent-", "")) - 1];
    if (!link || !player || (player.rating === null && player.author === null)) continue;
    const line = document.createElement("div");
    line.className = "note";
    link.after(line);
    render(<About player={player} />, line);
  }
}
