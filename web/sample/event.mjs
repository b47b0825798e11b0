// A made-up event: 12 players, 5 rounds of mini-matches of 8 games, and a play-off of 24.
import { chance } from "./chance.mjs";
import { ENDINGS, HOSTILE, randomGame } from "./games.mjs";

const NAMES = [
  "Grünfeld", "Aurora 3.1", `Evil ${HOSTILE}`, "Quiet Bishop", "مرحبا knight", "'; DROP TABLE games; --",
  `Long ${"name ".repeat(60)}`.trim(), "Rook ♜ & 🏰 <b>bold</b>", "Zugzwang", "Ponder\u2066ing\u2069 Pawn", "Minimax Minor", "Passed Pawn",
];
const EVENT = "Autumn Swiss of the engines </script><script>alert(3)</script>";
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

const tag = (name, value) => `[${name} "${String(value).replace(/[\u0000-\u001f\u202e\u2066-\u2069]/g, "").replace(/[\\"]/g, "\\$&")}"]\n`;
const RESULTS = { 1: "1-0", 0: "0-1", "=": "1/2-1/2" };
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** A game in words, and the tags of its PGN, as the program tells them. */
function account(id, [white, black], { game, result, plies }) {
  const tags = [
    tag("Event", EVENT), tag("Site", "?"), tag("Date", "2024.02.29"), tag("Round", id), tag("White", NAMES[white - 1]),
    tag("Black", NAMES[black - 1]), tag("Result", RESULTS[result]), tag("TimeControl", "60+0.4"), tag("PlyCount", plies),
  ];
  if (game.chess960) tags.push(tag("Variant", "Chess960"));
  if (game.fen !== START) tags.push(tag("SetUp", "1"), tag("FEN", game.fen));
  return {
    game: game.game,
    tags: tags.join(""),
    account: [
      { title: "The game", lines: [`Round 1 of 5, game ${id}.`, `White: ${NAMES[white - 1]}, unrated.`] },
      { title: "How it ended, and by which rule", lines: [game.ending, `Measured: White, attempt 1: answered "${HOSTILE}", which is not a move.`] },
      { title: "Clocks", lines: ["White: 40 moves in 30.1 s; longest 12. Nf3 4.2 s."] },
    ],
  };
}

/** What the pairs say of the first player. */
function meaning(player, played) {
  const pairs = [0, 0, 0, 0, 0];
  const halves = (result, first) => (result === "=" ? 1 : (result === "1") === first ? 2 : 0);
  for (let game = 0; game + 1 < played.length; game += 2) pairs[halves(played[game].result, true) + halves(played[game + 1].result, false)] += 1;
  const all = pairs.reduce((sum, each) => sum + each, 0);
  const mean = pairs.reduce((sum, each, points) => sum + (each * points) / 4, 0) / all;
  const deviation = Math.sqrt(pairs.reduce((sum, each, points) => sum + each * (points / 4 - mean) ** 2, 0) / all / all);
  const score = { player, pairs, score: mean, elo: 12.3 };
  return { score: all < 10 ? score : { ...score, interval: [mean - 2 * deviation, mean + 2 * deviation], elo_error: 101.5 } };
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
    // The last round was not analysed.
    games: {
      schema: 1,
      games: played.map((each) => ({ ...each.game, ...(round < ROUNDS ? each.analysed : {}) })),
      ...meaning(white, played),
      accounts: played.map((each, index) => account(`${id}.${index + 1}`, index % 2 === 0 ? [white, black] : [black, white], each)),
    },
    last: played.map((each) => each.last),
  };
}

/** Games of which little is known or that are wrong, and a mini-match that is not over. */
function spoil(matches) {
  const of = (id) => matches.find(({ match }) => match.id === id);
  const [, silent, illegal, nowhere] = of("1.1").games.games;
  for (const column of ["time_us", "clock_us", "eval", "depth", "nodes", "pv", "attempts"]) silent[column] = [];
  for (const column of ["reference", "lost", "marks", "quality"]) delete silent[column];
  const told = of("3.2").games.games[3];
  told.rationale = told.moves.split(" ").map((move, ply) => (ply % 2 === 0 ? `I play ${move}. ${HOSTILE}` : null));
  illegal.moves = illegal.moves.split(" ").with(10, HOSTILE.replace(/\s/g, "")).join(" ");
  nowhere.fen = HOSTILE;
  of("1.2").games.games[0].depth = "deep";
  const open = of("5.6");
  open.match.over = false;
  open.match.results = `${open.match.results.slice(0, 4)}....`;
  for (const column of ["endings", "plies"]) open.match[column].fill(null, 4);
  open.games.games.length = 4;
}

/** Two agents are asked over the network; of a call of the second one little is known. */
const ASKED = new Map([
  [4, {
    calls: 20, tokens_in: "9000", tokens_out: "410", cost: "1.250001", cost_a_win: "", legal_share: "97.3 (95.1–98.9)", score: "50.0 (31.2–68.8)",
    score_without_faults: "62.5 (40.0–81.3)", legal_moves: "all", constrained: true,
  }],
  [5, {
    calls: 3, tokens_in: "900+", tokens_out: "–", cost: HOSTILE, cost_a_win: "–", legal_share: "", score: "", score_without_faults: "",
    legal_moves: null, constrained: false,
  }],
]);

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
    event: EVENT,
    over: true,
    players: numbers.map((number) => ({
      number, name: NAMES[number - 1], place: String(order.indexOf(number) + 1), points: String(points.get(number)),
      analysed: {
        games: 32, moves: 900 + number, acpl: 30.5 + number, accuracy: 91.5, inaccuracies: 40, mistakes: 20, blunders: number,
        acpl_by_color: [29.5, null],
      },
      rating: number === 2 ? undefined : 1800 + 10 * number,
      author: number === 3 ? HOSTILE : `Author ${number}`,
      ...(number === 12 ? { out: "withdrawn" } : number === 9 ? { out: "disqualified" } : {}),
      ...(ASKED.has(number) ? { asked: ASKED.get(number) } : {}),
    })),
    analysis: `Reference ${HOSTILE}, depth 8`,
    mini_matches: matches.map(({ match }) => match),
    endings: ENDINGS,
    games: "inline",
  };
  return { page, matches, order };
}
