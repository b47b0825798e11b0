// The one place where strings of others become text on the page: names, openings, attempts, sentences of engines.

/** Characters that show nothing, move the cursor or change the direction of what follows. */
const HARMFUL =
  /[\p{Cc}\u{ad}\u{34f}\u{61c}\u{115f}\u{1160}\u{17b4}\u{17b5}\u{180b}-\u{180f}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{3164}\u{feff}\u{ffa0}\u{fff0}-\u{fffb}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\p{Cs}/gu;
/** As many characters of a name or an opening are shown. */
export const NAME_LENGTH = 60;
/** As many characters of a sentence are shown. */
export const SENTENCE_LENGTH = 400;
/** As many characters of what a model says beside its move. */
export const RATIONALE_LENGTH = 500;

function escaped(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\r") return "\\r";
  if (character === "\t") return "\\t";
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** The text with harmful characters as escapes, and no longer than `most` characters. */
export function plain(text: string, most = NAME_LENGTH): string {
  const characters = Array.from(text.slice(0, 4 * most + 4));
  const cut = characters.length > most;
  const kept = cut ? characters.slice(0, most - 1).join("") + "…" : characters.join("");
  return kept.replace(HARMFUL, escaped);
}

/** A foreign string as text, apart from the direction of what stands around it. */
export function Foreign({ text, most }: { text: string; most?: number }) {
  return <bdi>{plain(text, most)}</bdi>;
}
