// Games of random legal moves, with the figures that engines give, and some that are hostile.
import { chance } from "./chance.mjs";
import { Chess, normalizeMove } from "chessops/chess";
import { makeFen, parseFen } from "chessops/fen";
import { makeUci, parseUci } from "chessops/util";

export const HOSTILE = '"><img src=x onerror="alert(1)"><script>alert(2)</script>\u202e{evil}\u0007';

const termination = (word, fault = null) => ({ word, text: word.replaceAll("-", " "), fault });
export const ENDINGS = [
  ...["checkmate", "stalemate", "insufficient-material", "move-cap", "adjudication"].map((word) => termination(word)),
  termination("time-forfeit", "white"),
  termination("time-forfeit", "black"),
  termination("illegal-move", "white"),
  termination("illegal-move", "black"),
  { word: "crash", text: `crash ${HOSTILE}`, fault: "black" },
];
const ending = (word, fault = null) => ENDINGS.findIndex((each) => each.word === word && each.fault === fault);

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const OPENINGS = [
  { name: "Sicilian Defence, Najdorf variation", fen: START, moves: "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6" },
  { name: "Ruy Lopez, Berlin defence", fen: START, moves: "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6" },
  { name: HOSTILE, fen: START, moves: "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6" },
  { name: "King’s Indian Defence", fen: START, moves: "d2d4 g8f6 c2c4 g7g6 b1c3 f8g7 e2e4 d7d6" },
  { name: null, fen: "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4", moves: "" },
  { name: "Chess960, position 17", fen: "bqnrnkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNRNKRB w DGdg - 0 1", moves: "", chess960: true },
  { name: "Black to move", fen: "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", moves: "c7c5" },
];

function legalMoves(position) {
  const moves = [];
  for (const [from, targets] of position.allDests()) {
    for (const to of targets) {
      const role = position.board.getRole(from);
      const rank = to >> 3;
      moves.push(role === "pawn" && (rank === 0 || rank === 7) ? { from, to, promotion: "queen" } : { from, to });
    }
  }
  return moves;
}

const VALUES = { pawn: 1, knight: 3, bishop: 3, rook: 5, queen: 9, king: 0 };

/** Likes captures and the middle, so that games look a little like games. */
function choose(random, position, moves) {
  let best = moves[0];
  let most = -Infinity;
  for (const move of moves) {
    const taken = position.board.getRole(move.to);
    const own = position.board.get(move.to)?.color === position.turn;
    const middle = 3.5 - Math.max(Math.abs((move.to & 7) - 3.5), Math.abs((move.to >> 3) - 3.5));
    const value = random.next() * 5 + (taken && !own ? VALUES[taken] : 0) + middle * 0.3 + (move.promotion ? 5 : 0) + (own ? 2 : 0);
    if (value > most) [most, best] = [value, move];
  }
  return best;
}

function material(position) {
  let sum = 0;
  for (const [, piece] of position.board) sum += (piece.color === "white" ? 1 : -1) * VALUES[piece.role];
  return sum;
}

/** UCI as programs say it: in usual chess the king goes two squares. */
function uci(move, position, chess960) {
  const own = position.board.get(move.to)?.color === position.turn;
  if (own && !chess960) return makeUci({ ...move, to: (move.from & 56) + (move.to > move.from ? 6 : 2) });
  return makeUci(move);
}

function randomLine(random, position, first, chess960) {
  const at = position.clone();
  const words = [uci(first, at, chess960)];
  at.play(first);
  for (let more = random.below(8); more > 0; more -= 1) {
    const moves = legalMoves(at);
    if (moves.length === 0) break;
    const move = normalizeMove(at, choose(random, at, moves));
    words.push(uci(move, at, chess960));
    at.play(move);
  }
  const kind = random.below(20);
  if (kind === 0) words.push("e2e9", "zzzz", HOSTILE);
  else if (kind === 1) words.push("a1a1", "h8h1");
  return words.join(" ");
}

const WORDS = ["said an illegal move: e2e5", "said no move before its time was over", `said: ${HOSTILE}`];

const CLAMP = 1000;

/** What a reference engine would say: the material with some noise, from the side to move. */
function judge(random, position) {
  if (position.isCheckmate()) return "#0";
  const value = Math.round((material(position) * 80 + random.around(0, 60)) * (position.turn === "white" ? 1 : -1));
  return Math.abs(value) > 1500 ? `#${value < 0 ? "-" : ""}${1 + random.below(9)}` : value;
}
const clamped = (value) =>
  typeof value === "number" ? Math.max(-CLAMP, Math.min(CLAMP, value)) : value === "#0" || value[1] === "-" ? -CLAMP : CLAMP;

/** What the moves lost by these evaluations, as the program computes it. */
function analysis(reference, first) {
  const lost = reference.slice(1).map((after, index) => Math.max(0, clamped(reference[index]) + clamped(after)));
  const mark = (loss) => (loss >= 300 ? "b" : loss >= 100 ? "m" : loss >= 50 ? "i" : ".");
  const marks = lost.map(mark).join("");
  const quality = [0, 1].map((side) => {
    const own = lost.filter((_loss, index) => (index + (first === "white" ? 0 : 1)) % 2 === side);
    const of = (letter) => own.filter((loss) => mark(loss) === letter).length;
    const acpl = own.length === 0 ? null : Math.round((10 * own.reduce((sum, each) => sum + each, 0)) / own.length) / 10;
    return { moves: own.length, acpl, accuracy: acpl === null ? null : 80, inaccuracies: of("i"), mistakes: of("m"), blunders: of("b") };
  });
  return { reference, lost, marks, quality };
}

export function randomGame(random, number, openingNumber) {
  const opening = OPENINGS[openingNumber % OPENINGS.length];
  const chess960 = opening.chess960 ?? false;
  const position = Chess.fromSetup(parseFen(opening.fen).unwrap()).unwrap();
  for (const word of opening.moves.split(" ").filter(Boolean)) position.play(normalizeMove(position, parseUci(word)));
  const game = {
    game: number, fen: opening.fen, opening: opening.moves, opening_name: opening.name, moves: "", chess960,
    time_us: [], clock_us: [], eval: [], depth: [], nodes: [], pv: [], attempts: [], ending: "",
  };
  const first = position.turn;
  // Its own chance, so that the games stay what they are.
  const judging = chance(openingNumber * 1000 + number);
  const reference = [judge(judging, position)];
  const clocks = { white: 60e6, black: 60e6 };
  const length = 40 + random.below(110);
  const fault = random.next() < 0.06;
  const moves = [];
  let drift = 0;
  let last = "";
  while (moves.length < length) {
    const legal = legalMoves(position);
    if (legal.length === 0 || position.isInsufficientMaterial()) break;
    const side = position.turn;
    const move = normalizeMove(position, choose(random, position, legal));
    if (random.next() < 0.008) {
      game.attempts.push({ ply: moves.length, side, attempt: 1, time_us: random.below(900_000), text: random.pick(WORDS) });
    }
    const time = Math.min(clocks[side] / 12, Math.max(2_000, random.around(900_000, 800_000)));
    clocks[side] -= Math.floor(time) - 400_000;
    drift += random.around(0, 30);
    const score = Math.round(material(position) * 45 + drift + random.around(0, 25)) * (side === "white" ? 1 : -1);
    const silent = random.next() < 0.03;
    game.time_us.push(Math.floor(time));
    game.clock_us.push(Math.floor(clocks[side]));
    game.eval.push(silent ? null : Math.abs(score) > 900 ? `#${score < 0 ? "-" : ""}${1 + random.below(20)}` : score);
    game.depth.push(silent ? null : 8 + random.below(20));
    game.nodes.push(silent ? null : Math.floor(10 ** random.around(5.5, 2)));
    game.pv.push(silent ? null : randomLine(random, position, move, chess960));
    last = uci(move, position, chess960);
    moves.push(last);
    position.play(move);
    reference.push(judge(judging, position));
  }
  game.clock_used = [judging.below(1001), judging.below(1001)];
  game.moves = moves.join(" ");
  const [result, end] = outcome(random, position, fault);
  const { text } = ENDINGS[end];
  game.ending = `After ${moves.length} plies: ${text}.`;
  if (ENDINGS[end].fault) {
    const side = ENDINGS[end].fault;
    game.attempts.push({ ply: moves.length, side, attempt: 1, time_us: 1_234_567, text: random.pick(WORDS) });
  }
  return { game, analysed: analysis(reference, first), result, ending: end, plies: moves.length + opening.moves.split(" ").filter(Boolean).length, last: makeFen(position.toSetup()) };
}

function outcome(random, position, fault) {
  if (position.isCheckmate()) return [position.turn === "white" ? "0" : "1", ending("checkmate")];
  if (position.isStalemate()) return ["=", ending("stalemate")];
  if (position.isInsufficientMaterial()) return ["=", ending("insufficient-material")];
  if (fault) {
    const side = position.turn;
    const word = side === "black" && random.next() < 0.4 ? "crash" : random.pick(["time-forfeit", "illegal-move"]);
    return [side === "white" ? "0" : "1", ending(word, side)];
  }
  const sum = material(position);
  if (Math.abs(sum) < 3) return ["=", ending("move-cap")];
  return [sum > 0 ? "1" : "0", ending("adjudication")];
}
