// Reading the data of the page with checks. The program writes it; docs/page.md describes it. A reader has the fields of its type, which
// comes from docs/schema, and no others.
import type {
  Account, Analysed, Asked, Attempt, Ending, Game, Match, Meaning, MiniMatch, PageEvent, PageGames, Player, Quality, SequentialTest, Told,
} from "./types";

/** Data that is not what it should be; the message says where. */
export class Unreadable extends Error {}

/** Of this very type: a reader may refuse nothing that the type allows, and let pass nothing more. */
export type Reader<in out T> = (value: unknown, where: string) => T;

function refuse(where: string, wanted: string): never {
  throw new Unreadable(`${where} is not ${wanted}`);
}
export const text: Reader<string> = (value, where) => (typeof value === "string" ? value : refuse(where, "a text"));
export const number: Reader<number> = (value, where) =>
  typeof value === "number" && Number.isFinite(value) ? value : refuse(where, "a number");
export const flag: Reader<boolean> = (value, where) => (typeof value === "boolean" ? value : refuse(where, "true or false"));
export const score: Reader<number | string> = (value, where) =>
  typeof value === "string" || typeof value === "number" ? value : refuse(where, "an evaluation");

export function maybe<T>(reader: Reader<T>): Reader<T | null> {
  return (value, where) => (value === null || value === undefined ? null : reader(value, where));
}
export function list<T>(reader: Reader<T>): Reader<T[]> {
  return (value, where) =>
    Array.isArray(value) ? value.map((each, index) => reader(each, `${where}[${index}]`)) : refuse(where, "a list");
}
export function oneOf<T extends string>(...words: T[]): Reader<T> {
  return (value, where) => words.find((word) => word === value) ?? refuse(where, `one of ${words.join(", ")}`);
}
type Shape<T> = { [Key in keyof T]: Reader<T[Key]> };
export function record<T>(shape: Shape<T>): Reader<T> {
  return (value, where) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return refuse(where, "a record");
    const fields = new Map<string, unknown>(Object.entries(value));
    const read: Partial<T> = {};
    for (const key in shape) read[key] = shape[key](fields.get(key), `${where}.${key}`);
    return read as T;
  };
}
/** A list that is left out where there is nothing in it. */
function some<T>(reader: Reader<T>): Reader<T[]> {
  return (value, where) => (value === undefined ? [] : list(reader)(value, where));
}
function couple<T>(reader: Reader<T>): Reader<[T, T]> {
  return (value, where) => {
    const read = list(reader)(value, where);
    return read.length === 2 ? (read as [T, T]) : refuse(where, "a list of two");
  };
}
const one: Reader<1> = (value, where) => (value === 1 ? 1 : refuse(where, "1, the version that this page reads"));

const side = oneOf("white", "black");
const ofMoves = {
  moves: number, acpl: maybe(number), accuracy: maybe(number), inaccuracies: number, mistakes: number, blunders: number,
};
const quality = record<Quality>(ofMoves);
const analysed = record<Analysed>({ ...ofMoves, games: number, acpl_by_color: couple(maybe(number)) });
const asked = record<Asked>({
  calls: number,
  tokens_in: text,
  tokens_out: text,
  cost: text,
  cost_a_win: text,
  legal_share: text,
  score: text,
  score_without_faults: text,
  legal_moves: maybe(oneOf("none", "one", "all")),
  constrained: flag,
});
const player = record<Player>({
  number, name: text, place: maybe(text), points: maybe(text), rating: maybe(number), author: maybe(text),
  out: maybe(oneOf("withdrawn", "disqualified")), analysed: maybe(analysed), asked: maybe(asked),
});
const ofPairs = {
  player: number, pairs: list(number), score: number, interval: maybe(couple(number)), elo: maybe(number), elo_error: maybe(number),
};
const meaning = record<Meaning>(ofPairs);
const test = record<SequentialTest>({
  hypotheses: text,
  alpha: number,
  beta: number,
  counts: oneOf("pentanomial", "trinomial"),
  llr: number,
  lower: number,
  upper: number,
  after: number,
  verdict: maybe(oneOf("H0", "H1")),
  path: list(couple(number)),
});
const matchOfTwo = record<Match>({
  ...ofPairs,
  opponent: number,
  games: list(number),
  nelo: maybe(number),
  nelo_error: maybe(number),
  los: maybe(number),
  draws: number,
  level_pairs: number,
  pairs_ratio: text,
  test: maybe(test),
});
export const miniMatch = record<MiniMatch>({
  id: text,
  round: number,
  playoff: number,
  board: number,
  white: number,
  black: number,
  points: couple(text),
  over: flag,
  results: text,
  endings: list(maybe(number)),
  plies: list(maybe(number)),
});
const ending = record<Ending>({ word: text, text, fault: maybe(oneOf("white", "black", "both")) });
const eventPage = record<PageEvent>({
  schema: one,
  event: text,
  over: flag,
  players: list(player),
  mini_matches: list(miniMatch),
  endings: list(ending),
  games: oneOf("inline", "files", "scripts", "none"),
  folder: maybe(text),
  analysis: maybe(text),
  match: maybe(matchOfTwo),
});
const attempt = record<Attempt>({ ply: number, side, attempt: number, time_us: number, text });
const game = record<Game>({
  game: number,
  fen: text,
  opening: text,
  opening_name: maybe(text),
  moves: text,
  chess960: flag,
  time_us: list(number),
  clock_us: list(number),
  eval: list(maybe(score)),
  depth: list(maybe(number)),
  nodes: list(maybe(number)),
  pv: list(maybe(text)),
  attempts: list(attempt),
  ending: text,
  rationale: some(maybe(text)),
  late_us: maybe(number),
  clock_used: maybe(couple(maybe(number))),
  reference: some(score),
  lost: some(number),
  marks: (value, where) => (value === undefined ? "" : text(value, where)),
  quality: maybe(couple(quality)),
});
const told = record<Told>({ title: text, lines: list(text) });
const account = record<Account>({ game: number, tags: text, account: list(told) });
const gamesOfMiniMatch = record<PageGames>({
  schema: one, games: list(game), score: maybe(meaning), accounts: some(account),
});

export function readEvent(value: unknown): PageEvent {
  return eventPage(value, "event");
}
export function readGames(value: unknown): PageGames {
  return gamesOfMiniMatch(value, "games");
}
