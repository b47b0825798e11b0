// Finds the data in the page: the event, and the compressed games of a mini-match.
import { readEvent, readGames, Unreadable } from "./model";
import { fromScript } from "./scripts";
import type { MiniMatch, PageEvent, PageGames } from "./types";

/** More than any mini-match has; a page that holds more is broken. */
const MOST_BYTES = 256_000_000;
/** Games of a mini-match that are packed together, at most. */
const GAMES_A_PART = 500;

export function eventOfPage(): PageEvent {
  const event = eventIn(document);
  if (!event) throw new Unreadable("the data of the event is not there");
  return event;
}

/** The event of a page; null where it has none. */
export function eventIn(page: Document): PageEvent | null {
  const source = page.getElementById("event")?.textContent;
  return source ? readEvent(JSON.parse(source)) : null;
}

/** The names of the parts in which the games of a mini-match are, each with whether it has any game. */
function partsOf(event: PageEvent, match: MiniMatch): { name: string; isThere: boolean }[] {
  const isPlayed = (results: string) => /[^.]/.test(results);
  if (event.games === "files") return [{ name: match.id, isThere: isPlayed(match.results) }];
  const parts = [];
  for (let part = 0; part * GAMES_A_PART < match.results.length; part += 1) {
    const name = part === 0 ? match.id : `${match.id}-${part + 1}`;
    const isThere = event.games === "inline"
      ? document.getElementById(`games-${name}`)?.tagName === "SCRIPT"
      : event.games === "scripts" && isPlayed(match.results.slice(part * GAMES_A_PART, (part + 1) * GAMES_A_PART));
    parts.push({ name, isThere });
  }
  return parts;
}

const matchOf = (event: PageEvent, id: string) => event.mini_matches.find((match) => match.id === id);

/** Whether the games of a mini-match can be read: they are in the page, or in files beside it. */
export function hasGames(event: PageEvent, id: string): boolean {
  const match = matchOf(event, id);
  return match !== undefined && partsOf(event, match).some((part) => part.isThere);
}

interface Read {
  version: string;
  part: Promise<PageGames>;
}
const read = new Map<string, Read>();

/** What the games of a mini-match are as of: a file beside the page grows with it. */
function versionOf(match: MiniMatch | undefined): string {
  return match ? `${match.results} ${match.plies.join()}` : "";
}

/** What is known of a part; fails with a message for people. */
function partOf(event: PageEvent, name: string): Promise<PageGames> {
  const version = event.games === "files" ? versionOf(matchOf(event, name)) : "";
  const last = read.get(name);
  if (last?.version === version) return last.part;
  const part = readPart(event, name, null);
  read.set(name, { version, part });
  // What could not be read may be there the next time.
  part.catch(() => read.get(name)?.part === part && read.delete(name));
  return part;
}

/** The next time these games are read anew. */
export function forget(id: string): void {
  read.delete(id);
}

async function readPart(event: PageEvent, name: string, signal: AbortSignal | null): Promise<PageGames> {
  return readGames(JSON.parse(await textOf(event, name, signal)));
}

/** What is known of the games of a mini-match; fails with a message for people. */
export function allOf(event: PageEvent, id: string): Promise<PageGames> {
  return joined(event, id, (name) => partOf(event, name));
}

/** The same without keeping it, for whoever looks at many. */
export function readOnce(event: PageEvent, id: string, signal: AbortSignal | null = null): Promise<PageGames> {
  return joined(event, id, (name) => readPart(event, name, signal));
}

async function joined(event: PageEvent, id: string, take: (name: string) => Promise<PageGames>): Promise<PageGames> {
  const match = matchOf(event, id);
  const names = match ? partsOf(event, match).filter((part) => part.isThere) : [];
  const parts = [];
  for (const { name } of names) parts.push(await take(name));
  const [first] = parts;
  if (!first) throw new Unreadable("they are not there");
  if (parts.length === 1) return first;
  return { ...first, games: parts.flatMap((part) => part.games), accounts: parts.flatMap((part) => part.accounts) };
}

/** What is known of the games that are packed with this one; undefined where it is not there. */
export async function partWith(event: PageEvent, id: string, number: number): Promise<PageGames | undefined> {
  const match = matchOf(event, id);
  const parts = match ? partsOf(event, match) : [];
  const part = parts[event.games === "files" ? 0 : Math.floor((number - 1) / GAMES_A_PART)];
  return part?.isThere ? partOf(event, part.name) : undefined;
}

async function textOf(event: PageEvent, part: string, signal: AbortSignal | null): Promise<string> {
  if (event.games === "files") return besides(part, signal);
  if (event.games === "scripts") return unpacked(await fromScript(event.folder ?? "", part));
  return unpacked(document.getElementById(`games-${part}`)?.textContent?.trim() ?? "");
}

/** The server of a page that is live does not answer now. */
export class Unreachable extends Unreadable {}

function noAnswer(): never {
  if (document.documentElement.dataset["live"] === undefined) throw new Unreadable("the web server does not answer");
  throw new Unreachable("the server of this page has ended or cannot be reached, and it alone has the moves; `swissmatch serve` shows them again");
}

/** What is in the file beside the page, which a web server gives. */
async function besides(id: string, signal: AbortSignal | null): Promise<string> {
  if (location.protocol === "file:") {
    throw new Unreadable("they are in files beside this page, which a browser reads from a web server only");
  }
  const answer = await fetch(`games/${id}.json`, { cache: "no-cache", signal }).catch(noAnswer);
  // A web server in front of it answers in its place.
  if ([502, 503, 504].includes(answer.status)) noAnswer();
  if (!answer.ok) throw new Unreadable(`the web server has no file games/${id}.json (it says ${answer.status})`);
  return answer.text().catch(noAnswer);
}

async function unpacked(source: string): Promise<string> {
  if (typeof DecompressionStream === "undefined") {
    throw new Unreadable("this browser cannot unpack compressed data (it has no DecompressionStream)");
  }
  const bytes = Uint8Array.from(atob(source), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let size = 0;
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.length;
    if (size > MOST_BYTES) throw new Unreadable("the games are larger than a page can hold");
    text += decoder.decode(value, { stream: true });
  }
}

/** Why games could not be read, in a sentence. */
export function complaint(error: unknown): string {
  if (error instanceof Unreadable) return `The games cannot be shown: ${error.message}.`;
  return "The games cannot be shown: their data in this file is broken.";
}
