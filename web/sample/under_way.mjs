// The made-up event while its last round is played, and games under way in it.
import { chance } from "./chance.mjs";
import { randomGame } from "./games.mjs";
import { keptEvent } from "./kept.mjs";

const clone = (value) => JSON.parse(JSON.stringify(value));
const SECOND = 1_000_000;

/** After `ended` games of each mini-match of round 5; the mini-matches are not over. */
export function underWay(ended = 3) {
  const event = keptEvent();
  event.page.games = "files";
  event.page.over = false;
  event.page.mini_matches = event.page.mini_matches.filter((match) => match.playoff === 0).map(clone);
  event.whole = new Map(event.matches.map(({ match }) => [match.id, match]));
  for (const match of event.page.mini_matches) if (match.round === 5) cut(event, match, ended);
  return event;
}

/** A mini-match after so many games. */
export function cut(event, match, ended) {
  const all = event.whole.get(match.id);
  const open = all.results.length - ended;
  match.results = all.results.slice(0, ended) + ".".repeat(open);
  match.over = open === 0;
  for (const column of ["endings", "plies"]) match[column] = [...all[column].slice(0, ended), ...Array(open).fill(null)];
  const points = [0, 0];
  for (const [index, result] of [...match.results].entries()) {
    if (result === "=") points.forEach((_each, side) => (points[side] += 0.5));
    else if (result === "1" || result === "0") points[(result === "1") === (index % 2 === 0) ? 0 : 1] += 1;
  }
  match.points = points.map(String);
  return match;
}

export function moreGames(count) {
  const random = chance(7);
  return Array.from({ length: count }, (_each, index) => randomGame(random, 1, index).game);
}

/** The state of a game after so many plies since its opening, as the server sends it. */
export function stateOf({ slot, id, game, white, black, plies, players, ended, at = Date.now(), since = at }) {
  const moves = game.moves.split(" ").filter(Boolean);
  const shown = Math.min(plies, moves.length);
  const first = (game.fen.split(" ")[1] === "w") === (game.opening.split(" ").filter(Boolean).length % 2 === 0) ? "white" : "black";
  const second = first === "white" ? "black" : "white";
  const mover = (ply) => (ply % 2 === 0 ? first : second);
  const side = (color, number) => {
    let ply = shown - 1;
    while (ply >= 0 && mover(ply) !== color) ply -= 1;
    const has = (column) => game[column]?.[ply] ?? undefined;
    const last = ply < 0 ? undefined : { ply, time_us: has("time_us"), eval: has("eval"), depth: has("depth"), nodes: has("nodes"), pv: has("pv"), hashfull: 1 };
    return { pairing_number: number, name: players[number - 1]?.name ?? `Player ${number}`, clock_us: has("clock_us") ?? 60 * SECOND, last };
  };
  return clone({
    type: "game", schema: 1, at: new Date(at).toISOString(), slot, id, begun: new Date(at).toISOString(),
    white: side("white", white), black: side("black", black),
    opening: { name: game.opening_name ?? undefined, fen: game.fen, moves: game.opening || undefined, variant: game.chess960 ? "chess960" : undefined },
    moves: moves.slice(0, shown).join(" ") || undefined, plies: shown,
    ...(ended ? { ended } : { to_move: mover(shown), since: new Date(since).toISOString(), limit_us: 60 * SECOND }),
  });
}

/** The game of a mini-match after so many plies. */
export function gameState(event, slot, id, number, plies, more = {}) {
  const match = event.whole.get(id);
  const { games } = event.matches.find((each) => each.match.id === id).games;
  const game = games.find((each) => each.game === number);
  const [white, black] = number % 2 === 1 ? [match.white, match.black] : [match.black, match.white];
  return stateOf({ slot, id: `${id}.${number}`, game, white, black, plies, players: event.page.players, ...more });
}

/** The figures of its plies from a number on, as the server gives them. */
export function columnsOf(event, id, number, from, plies) {
  const game = event.matches.find((each) => each.match.id === id).games.games.find((each) => each.game === number);
  const columns = { from };
  for (const name of ["time_us", "clock_us", "eval", "depth", "nodes"]) if (game[name].length > 0) columns[name] = game[name].slice(from, plies);
  return columns;
}
