// A position in words: where the pieces of each side stand, whose move it is.
import { useState } from "preact/hooks";
import type { Position } from "../replay";

const NAMES: [letter: string, one: string, more: string][] = [
  ["k", "king", "kings"],
  ["q", "queen", "queens"],
  ["r", "rook", "rooks"],
  ["b", "bishop", "bishops"],
  ["n", "knight", "knights"],
  ["p", "pawn", "pawns"],
];

/** The squares of each piece, by its letter in the FEN. */
function squares(fen: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [row, text] of (fen.split(" ")[0] ?? "").split("/").entries()) {
    let file = 0;
    for (const letter of text) {
      if (/\d/.test(letter)) file += Number(letter);
      else found.set(letter, [...(found.get(letter) ?? []), `${"abcdefgh"[file++]}${8 - row}`]);
    }
  }
  return found;
}

function pieces(found: Map<string, string[]>, isWhite: boolean): string {
  const words = NAMES.map(([letter, one, more]) => {
    const at = (found.get(isWhite ? letter.toUpperCase() : letter) ?? []).sort();
    return at.length === 0 ? "" : `${at.length === 1 ? one : more} ${at.join(" ")}`;
  });
  return words.filter((each) => each !== "").join(", ");
}

export function PositionInWords({ position }: { position: Position }) {
  const [open, setOpen] = useState(false);
  const found = open ? squares(position.fen) : null;
  return (
    <details class="in-words" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Position in words</summary>
      {found && (
        <ul>
          <li>White: {pieces(found, true)}.</li>
          <li>Black: {pieces(found, false)}.</li>
          <li>
            {position.turn === "white" ? "White" : "Black"} to move{position.check ? ", in check" : ""}.
          </li>
        </ul>
      )}
    </details>
  );
}
