// A game as PGN, made from what the page holds.
import type { EventPage, Game, MiniMatch } from "./model";
import { isUsualStart, type Replay } from "./replay";
import { plain } from "./text";
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

export function pgn(event: EventPage, match: MiniMatch, game: Game, played: Replay): string {
  const name = (number: number) => event.players[number - 1]?.name ?? "?";
  const first = played.positions[0];
  const result = RESULTS[match.results[game.game - 1] ?? ""] ?? "*";
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
  const words: string[] = [];
  for (const [ply, position] of played.positions.entries()) {
    if (position.san === null) continue;
    if (position.mover === "white") words.push(`${position.move}.`);
    else if (ply === 1) words.push(`${position.move}...`);
    words.push(position.san);
  }
  return `${tags.join("\n")}\n\n${wrapped([...words, result])}\n`;
}
