// The data of the page as its readers give it: the types of `schema.ts`, which `npm run check` writes from docs/schema.
import type * as schema from "./schema";

/** What is read of a type: what may be left out is null then, and a list of more than two has any length. */
type Read<T> = T extends [infer First, infer Second]
  ? [Read<First>, Read<Second>]
  : T extends (infer Item)[]
    ? Read<Item>[]
    : T extends object
      ? { [Key in keyof T]-?: Read<Exclude<T[Key], undefined>> | (undefined extends T[Key] ? null : never) }
      : T;
/** With fields of other types. */
type With<T, Other extends Partial<Record<keyof T, unknown>>> = Omit<T, keyof Other> & Other;
/** With fields that are empty where they are left out. */
type Filled<T, Key extends keyof T> = Omit<T, Key> & { [Each in Key]: NonNullable<T[Each]> };
/** With fields that are null where they are left out, though the schema asks for them. */
type Nullable<T, Key extends keyof T> = Omit<T, Key> & { [Each in Key]: T[Each] | null };
/** With fields that may have words that the schema does not know: those of later programs are shown as they are. */
type Open<T, Key extends keyof T> = Omit<T, Key> & { [Each in Key]: string | Extract<T[Each], null> };

export type { Side } from "./schema";
export type Quality = Read<schema.Quality>;
export type Analysed = Read<schema.Analysed>;
export type Asked = Read<schema.Asked>;
export type Player = Read<schema.Player>;
export type MiniMatch = Read<schema.MiniMatch>;
export type Meaning = Read<schema.Meaning>;
export type SequentialTest = Read<schema.SequentialTest>;
export type Match = Read<schema.Match>;
export type Ending = Open<Read<schema.Ending>, "word">;
export type PageEvent = With<Read<schema.PageEvent>, { endings: Ending[] }>;
export type Attempt = Read<schema.Attempt>;
export type Game = Filled<Read<schema.Game>, "rationale" | "reference" | "lost" | "marks">;
export type Told = Read<schema.Told>;
export type Account = Read<schema.Account>;
export type PageGames = With<Read<schema.PageGames>, { games: Game[] }>;

export type LastMove = Nullable<Pick<Read<schema.LastMove>, "ply" | "time_us" | "eval" | "depth" | "nodes" | "pv">, "time_us">;
export type LiveSide = With<Read<schema.LiveSide>, { last: LastMove | null }>;
export type LiveOpening = Open<Nullable<Read<schema.Opening>, "name">, "variant">;
export type LiveEnd = Open<Pick<Read<schema.LiveEnd>, "result" | "termination" | "lost_by">, "result" | "termination" | "lost_by">;
type OfLiveGame = "at" | "slot" | "id" | "white" | "black" | "opening" | "moves" | "to_move" | "since" | "limit_us" | "ended";
export type LiveLineGame = With<
  Pick<Read<schema.LiveLineGame>, OfLiveGame>,
  { white: LiveSide; black: LiveSide; opening: LiveOpening | null; ended: LiveEnd | null }
>;
type Column = "time_us" | "clock_us" | "eval" | "depth" | "nodes";
/** Any column may be left out, and any value of one. */
export type LiveColumns = With<
  Pick<Read<schema.LiveColumns>, "from" | Column>,
  { [Each in Column]: (NonNullable<schema.LiveColumns[Each]>[number] | null)[] | null }
>;
