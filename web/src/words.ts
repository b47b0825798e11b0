// Figures and results as people read them.
import { plain } from "./text";
import type { Attempt, Ending, MiniMatch, PageEvent } from "./types";

/** "1.5" as "1½". */
export function points(text: string): string {
  const found = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (!found?.[1]) return plain(text, 12);
  if (found[2] === undefined || /^0*$/.test(found[2])) return found[1];
  if (/^50*$/.test(found[2])) return found[1] === "0" ? "½" : `${found[1]}½`;
  return text.slice(0, 12);
}

/** A number of half points. */
export function halves(count: number): string {
  const whole = Math.floor(count / 2);
  if (count % 2 === 0) return String(whole);
  return whole === 0 ? "½" : `${whole}½`;
}

export function signed(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return text;
  return (value < 0 ? "−" : "+") + text;
}

/** A result character of a mini-match as PGN writes it. */
export function result(character: string | undefined): string {
  if (character === "1") return "1–0";
  if (character === "0") return "0–1";
  if (character === "=") return "½–½";
  return character === "-" ? "no points" : "not over";
}

/** Seconds, or minutes and hours where there are that many. */
export function clock(microseconds: number): string {
  const sign = microseconds < 0 ? "−" : "";
  const tenths = Math.floor(Math.abs(microseconds) / 100_000);
  const seconds = Math.floor(tenths / 10);
  const two = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  if (hours > 0) return `${sign}${hours}:${two(minutes)}:${two(seconds % 60)}`;
  return `${sign}${minutes}:${two(seconds % 60)}.${tenths % 10}`;
}

/** The time of day, by the clock of whoever reads. */
export function wall(at: Date): string {
  return at.toTimeString().slice(0, 8);
}

export function duration(microseconds: number): string {
  const seconds = microseconds / 1e6;
  if (seconds >= 60) return clock(microseconds);
  if (seconds >= 9.995) return `${seconds.toFixed(1)} s`;
  if (microseconds < 999.5) return `${Math.round(microseconds)} µs`;
  return seconds >= 0.0995 ? `${seconds.toFixed(2)} s` : `${(seconds * 1000).toFixed(seconds < 0.00995 ? 1 : 0)} ms`;
}

export function count(value: number): string {
  for (const [size, sign] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e4, "k"]] as const) {
    if (value >= size) {
      const scaled = value / (sign === "k" ? 1e3 : size);
      return `${scaled.toFixed(scaled < 10 ? 2 : scaled < 100 ? 1 : 0)} ${sign}`;
    }
  }
  return String(value);
}

/** Of a shorter move nodes a second say nothing. */
const TOO_SHORT_US = 1000;

/** Nodes a second of a move by its time; null where it was too short. */
export function speed(nodes: number | null | undefined, microseconds: number | undefined): number | null {
  if (nodes === null || nodes === undefined || microseconds === undefined || microseconds < TOO_SHORT_US) return null;
  return Math.floor((nodes * 1e6) / microseconds);
}

export function many(number: number, one: string, more = `${one}s`): string {
  return `${number} ${number === 1 ? one : more}`;
}

export function nameOf(event: PageEvent, number: number): string {
  const player = event.players[number - 1];
  return player ? plain(player.name) : `Player ${number}`;
}

export function roundName(match: MiniMatch): string {
  return match.playoff > 0 ? `Round ${match.round}, play-off ${match.playoff}` : `Round ${match.round}`;
}
export function matchName(match: MiniMatch): string {
  return `${roundName(match)}, board ${match.board}`;
}

/** Who has White in a game, from 1: colours alternate. */
export function whiteOf(match: MiniMatch, game: number): number {
  return game % 2 === 1 ? match.white : match.black;
}
export function blackOf(match: MiniMatch, game: number): number {
  return game % 2 === 1 ? match.black : match.white;
}

/** What stands before a termination that is a fault: its sign, and whose it is. */
export function faultWords({ fault }: Ending): string {
  if (fault === null) return "";
  return { white: "‡ fault of White: ", black: "‡ fault of Black: ", both: "‡ fault of both: " }[fault];
}

export function attemptWords(attempt: Attempt): string {
  const side = attempt.side === "white" ? "White" : "Black";
  return `${side}, attempt ${attempt.attempt}, after ${duration(attempt.time_us)}`;
}
