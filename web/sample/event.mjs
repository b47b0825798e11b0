// A made-up event: 12 players, 5 rounds of mini-matches of 8 games, and a play-off of 24.
import { chance } from "./chance.mjs";
import { ENDINGS, HOSTILE, randomGame } from "./games.mjs";

const NAMES = [
  "Grünfeld", "Aurora 3.1", `Evil ${HOSTILE}`, "Quiet Bishop", "مرحبا knight", "'; DROP TABLE games; --",
  `Long ${"name ".repeat(60)}`.trim(), "Rook ♜ & 🏰 <b>bold</b>", "Zugzwang", "Ponder\u2066ing\u2069 Pawn", "Minimax Minor", "Passed Pawn",
];
const ROUNDS = 5;

/** Everybody meets somebody else each round: a table of an all-play-all. */
function pairings(round, players) {
  const ring = players.slice(1);
  const turned = ring.map((_each, index) => ring[(index + round) % ring.length]);
  const seats = [players[0], ...turned];
  const half = seats.length / 2;
  return Array.from({ length: half }, (_each, board) => {
    const pair = [seats[board], seats[seats.length - 1 - board]];
    return (round + board) % 2 === 0 ? pair : pair.reverse();
  });
}

function miniMatch(random, id, round, playoff, board, [white, black], size) {
  const played = Array.from({ length: size }, (_each, index) => randomGame(random, index + 1, Math.floor(index / 2) + round + board));
  const points = [0, 0];
  for (const [index, { result }] of played.entries()) {
    const first = index % 2;
    if (result === "=") points.forEach((_each, side) => (points[side] += 0.5));
    else points[result === "1" ? first : 1 - first] += 1;
  }
  return {
    match: {
      id, round, playoff, board, white, black,
      points: points.map(String),
      over: true,
      results: played.map((each) => each.result).join(""),
      endings: played.map((each) => each.ending),
      plies: played.map((each) => each.plies),
    },
    games: { schema: 1, games: played.map((each) => each.game) },
    last: played.map((each) => each.last),
  };
}

/** Games of which little is known or that are wrong, and a mini-match that is not over. */
function spoil(matches) {
  const of = (id) => matches.find(({ match }) => match.id === id);
  const [, silent, illegal, nowhere] = of("1.1").games.games;
  for (const column of ["time_us", "clock_us", "eval", "depth", "nodes", "pv", "attempts"]) silent[column] = [];
  illegal.moves = illegal.moves.split(" ").with(10, HOSTILE.replace(/\s/g, "")).join(" ");
  nowhere.fen = HOSTILE;
  of("1.2").games.games[0].depth = "deep";
  const open = of("5.6");
  open.match.over = false;
  open.match.results = `${open.match.results.slice(0, 4)}....`;
  for (const column of ["endings", "plies"]) open.match[column].fill(null, 4);
  open.games.games.length = 4;
}

export function madeUpEvent() {
  const random = chance(20240229);
  const numbers = NAMES.map((_name, index) => index + 1);
  const matches = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const [index, pair] of pairings(round, numbers).entries()) {
      matches.push(miniMatch(random, `${round}.${index + 1}`, round, 0, index + 1, pair, 8));
    }
  }
  matches.push(miniMatch(random, `${ROUNDS}p1.1`, ROUNDS, 1, 1, [1, 2], 24));
  spoil(matches);
  const points = new Map(numbers.map((number) => [number, 0]));
  for (const { match } of matches) {
    if (match.playoff > 0) continue;
    const [white, black] = match.points.map(Number);
    points.set(match.white, points.get(match.white) + (white > black ? 1 : white === black ? 0.5 : 0));
    points.set(match.black, points.get(match.black) + (black > white ? 1 : white === black ? 0.5 : 0));
  }
  const order = [...numbers].sort((a, b) => points.get(b) - points.get(a) || a - b);
  const page = {
    schema: 1,
    event: "Autumn Swiss of the engines </script><script>alert(3)</script>",
    over: true,
    players: numbers.map((number) => ({
      number, name: NAMES[number - 1], place: String(order.indexOf(number) + 1), points: String(points.get(number)),
    })),
    mini_matches: matches.map(({ match }) => match),
    endings: ENDINGS,
    games: "inline",
  };
  return { page, matches, order };
}
