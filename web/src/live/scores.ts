// Scores of mini-matches in the tables of the program, at once: the whole page comes later.
import { parse, toMatch } from "../route";
import type { MiniMatch } from "../types";
import { points } from "../words";

const SCORE = /^\s*(?:[\d½.]+ – [\d½.]+|no result yet)\s*$/;
const PLAYED = /^\s*\d+ of \d+\s*$/;

/** Whose side a row shows: that of the agent whom it names first. */
function ofFirst(link: Element, match: MiniMatch): boolean | null {
  const named = link.closest("tr")?.querySelector("td.name a")?.getAttribute("href");
  if (named === `#agent-${match.white}`) return true;
  return named === `#agent-${match.black}` ? false : null;
}

export function showScores(matches: MiniMatch[]): void {
  for (const match of matches) {
    if (!/[^.]/.test(match.results) || parse(toMatch(match.id)).view !== "match") continue;
    for (const link of document.querySelectorAll(`main > section.view td a[href="${toMatch(match.id)}"]`)) {
      const first = ofFirst(link, match);
      if (first === null || !SCORE.test(link.textContent ?? "")) continue;
      const [own, their] = first ? match.points : [match.points[1], match.points[0]];
      link.textContent = `${points(own)} – ${points(their)}`;
      const played = link.closest("tr")?.querySelector("td.count");
      const ended = match.results.replaceAll(".", "").length;
      if (played && PLAYED.test(played.textContent ?? "")) played.textContent = `${ended} of ${match.results.length}`;
    }
  }
}
