// A game as PGN, made from what the page holds.
import { isUsualStart, type Replay } from "./replay";
import { plain } from "./text";
import type { Game, MiniMatch, PageEvent } from "./types";
import { blackOf, whiteOf } from "./words";

const RESULTS: Record<string, string> = { "1": "1-0", "0": "0-1", "=": "1/2-1/2" };
const WIDTH = 79;

function tag(name: string, value: string): string {
  const text = plain(value, 200).replace(/[\\"]/g, (character) => `\\${character}`);
  return `[${name} "${text}"]`;
}

function wrapped(words: string[]): string {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    if (line !== "" && line.length + word.length + 1 > WIDTH) {
      lines.push(line);
      line = "";
    }
    line += (line === "" ? "" : " ") + word;
  }
  return [...lines, line].join("\n");
}

/** The tags for a game of which the page was not given any. */
function ownTags(event: PageEvent, match: MiniMatch, game: Game, played: Replay, result: string): string {
  const name = (number: number) => event.players[number - 1]?.name ?? "?";
  const first = played.positions[0];
  const tags = [
    tag("Event", event.event),
    tag("Site", "?"),
    tag("Date", "????.??.??"),
    tag("Round", `${match.id}.${game.game}`),
    tag("White", name(whiteOf(match, game.game))),
    tag("Black", name(blackOf(match, game.game))),
    tag("Result", result),
  ];
  if (game.chess960) tags.push(tag("Variant", "Chess960"));
  if (first && !isUsualStart(first.fen)) tags.push(tag("SetUp", "1"), tag("FEN", first.fen));
  return tags.join("\n");
}

/** A comment of which nothing ends it. */
function comment(text: string): string[] {
  return `{${plain(text, 300).replace(/[{}]/g, "")}}`.split(" ");
}

/** The game with the tags that the program gave it, and why it ended. */
export function pgn(event: PageEvent, match: MiniMatch, game: Game, played: Replay, tags: string | undefined): string {
  const result = RESULTS[match.results[game.game - 1] ?? ""] ?? "*";
  const words: string[] = [];
  for (const [ply, position] of played.positions.entries()) {
    if (position.san === null) continue;
    if (position.mover === "white") words.push(`${position.move}.`);
    else if (ply === 1) words.push(`${position.move}...`);
    words.push(position.san);
  }
  const head = tags?.trim() ?? ownTags(event, match, game, played, result);
  return `${head}\n\n${wrapped([...words, ...comment(game.ending), result])}\n`;
}
