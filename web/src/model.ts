// The data of the page, and reading it with checks. The program writes it; docs/page.md describes it.

export interface EventPage {
  schema: 1;
  event: string;
  over: boolean;
  players: Player[];
  mini_matches: MiniMatch[];
  endings: Ending[];
  games: "inline" | "files" | "scripts" | "none";
  /** Of `scripts`: the folder beside the page. */
  folder: string | null;
}
export interface Player {
  number: number;
  name: string;
  place: string | null;
  points: string | null;
}
export interface MiniMatch {
  id: string;
  round: number;
  playoff: number;
  board: number;
  white: number;
  black: number;
  points: [string, string];
  over: boolean;
  results: string;
  endings: (number | null)[];
  plies: (number | null)[];
}
export interface Ending {
  word: string;
  text: string;
  fault: "white" | "black" | "both" | null;
}
export interface GamesOfMiniMatch {
  schema: 1;
  games: Game[];
}
export interface Game {
  game: number;
  fen: string;
  opening: string;
  opening_name: string | null;
  moves: string;
  chess960: boolean;
  time_us: number[];
  clock_us: number[];
  eval: (number | string | null)[];
  depth: (number | null)[];
  nodes: (number | null)[];
  pv: (string | null)[];
  attempts: Attempt[];
  ending: string;
}
export interface Attempt {
  ply: number;
  side: "white" | "black";
  attempt: number;
  time_us: number;
  text: string;
}

/** Data that is not what it should be; the message says where. */
export class Unreadable extends Error {}

export type Reader<T> = (value: unknown, where: string) => T;

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
const one: Reader<1> = (value, where) => (value === 1 ? 1 : refuse(where, "1, the version that this page reads"));
const two: Reader<[string, string]> = (value, where) => {
  const [first, second] = list(text)(value, where);
  return first !== undefined && second !== undefined ? [first, second] : refuse(where, "two texts");
};

const side = oneOf("white", "black");
const player = record<Player>({ number, name: text, place: maybe(text), points: maybe(text) });
export const miniMatch = record<MiniMatch>({
  id: text,
  round: number,
  playoff: number,
  board: number,
  white: number,
  black: number,
  points: two,
  over: flag,
  results: text,
  endings: list(maybe(number)),
  plies: list(maybe(number)),
});
const ending = record<Ending>({ word: text, text, fault: maybe(oneOf("white", "black", "both")) });
const eventPage = record<EventPage>({
  schema: one,
  event: text,
  over: flag,
  players: list(player),
  mini_matches: list(miniMatch),
  endings: list(ending),
  games: oneOf("inline", "files", "scripts", "none"),
  folder: maybe(text),
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
});
const gamesOfMiniMatch = record<GamesOfMiniMatch>({ schema: one, games: list(game) });

export function readEvent(value: unknown): EventPage {
  return eventPage(value, "event");
}
export function readGames(value: unknown): GamesOfMiniMatch {
  return gamesOfMiniMatch(value, "games");
}
