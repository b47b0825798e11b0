// Finds the data in the page: the event, and the compressed games of a mini-match.
import { type EventPage, type Game, readEvent, readGames, Unreadable } from "./model";

/** More than any mini-match has; a page that holds more is broken. */
const MOST_BYTES = 256_000_000;

export function eventOfPage(): EventPage {
  const source = document.getElementById("event")?.textContent;
  if (!source) throw new Unreadable("the data of the event is not there");
  return readEvent(JSON.parse(source));
}

/** Whether the games of a mini-match can be read: they are in the page, or in a file beside it. */
export function hasGames(event: EventPage, id: string): boolean {
  switch (event.games) {
    case "inline":
      return document.getElementById(`games-${id}`)?.tagName === "SCRIPT";
    case "files":
      return event.mini_matches.some((match) => match.id === id && match.results.split("").some((result) => result !== "."));
    default:
      return false;
  }
}

const read = new Map<string, Promise<Game[]>>();

/** The games of a mini-match; fails with a message for people. */
export function gamesOf(event: EventPage, id: string): Promise<Game[]> {
  let games = read.get(id);
  if (!games) {
    const source = event.games === "files" ? besides(id) : unpacked(id);
    games = source.then((text) => readGames(JSON.parse(text)).games);
    read.set(id, games);
  }
  return games;
}

/** What is in the file beside the page, which a web server gives. */
async function besides(id: string): Promise<string> {
  if (location.protocol === "file:") {
    throw new Unreadable("they are in files beside this page, which a browser reads from a web server only");
  }
  const answer = await fetch(`games/${id}.json`).catch(() => {
    throw new Unreadable("the web server does not answer");
  });
  if (!answer.ok) throw new Unreadable(`the web server has no file games/${id}.json (it says ${answer.status})`);
  return answer.text();
}

async function unpacked(id: string): Promise<string> {
  if (typeof DecompressionStream === "undefined") {
    throw new Unreadable("this browser cannot unpack compressed data (it has no DecompressionStream)");
  }
  const source = document.getElementById(`games-${id}`)?.textContent?.trim() ?? "";
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
