// What an address names: `#game-3.2.4/17` is ply 17 of game 4 of mini-match 3.2.

export type Route =
  | { view: "section"; id: string }
  | { view: "match"; id: string }
  | { view: "game"; id: string; game: number; ply: number | null }
  | { view: "agent"; number: number };

const MINI_MATCH = String.raw`\d+(?:p\d+)?\.\d+`;
const MATCH = new RegExp(`^match-(${MINI_MATCH})$`);
const GAME = new RegExp(String.raw`^game-(${MINI_MATCH})\.(\d+)(?:/(\d+))?$`);
const AGENT = /^agent-(\d+)$/;

/** Anything that is no view of its own names a place in a section. */
export function parse(hash: string): Route {
  const name = hash.replace(/^#/, "");
  const match = MATCH.exec(name);
  if (match?.[1]) return { view: "match", id: match[1] };
  const game = GAME.exec(name);
  if (game?.[1]) {
    const ply = game[3] === undefined ? null : Number(game[3]);
    return { view: "game", id: game[1], game: Number(game[2]), ply };
  }
  const agent = AGENT.exec(name);
  if (agent?.[1]) return { view: "agent", number: Number(agent[1]) };
  return { view: "section", id: name };
}

export const toMatch = (id: string): string => `#match-${id}`;
export const toAgent = (number: number): string => `#agent-${number}`;
export function toGame(id: string, game: number, ply?: number): string {
  return `#game-${id}.${game}${ply === undefined ? "" : `/${ply}`}`;
}
