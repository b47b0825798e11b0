// The list of a game's moves: each one a button that shows the position after it.
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { evaluation } from "../evaluation";
import type { Replay } from "../replay";
import { Foreign } from "../text";
import type { Game } from "../types";

interface MovesProps {
  game: Game;
  played: Replay;
  ply: number;
  onPly: (ply: number) => void;
  /** The plies that had failed attempts. */
  failed: Set<number>;
}

/** A ply in words: "12. Nf3, ply 23 of 84". */
export function moveWords(played: Replay, ply: number): string {
  const last = played.positions.length - 1;
  const position = played.positions[ply];
  if (!position || position.san === null) return `The first position, ${last} plies follow`;
  const dots = position.mover === "white" ? "." : "…";
  return `${position.move}${dots} ${position.san}, ply ${ply} of ${last}`;
}

/** What a reference engine made of moves, by the characters of the data. */
const MARKS: Record<string, [sign: string, word: string]> = {
  i: ["?!", "inaccuracy"],
  m: ["?", "mistake"],
  b: ["??", "blunder"],
};

interface Row {
  move: number;
  white: number | null;
  black: number | null;
}

function rowsOf(played: Replay): Row[] {
  const rows: Row[] = [];
  for (const [ply, position] of played.positions.entries()) {
    if (position.san === null) continue;
    const last = rows.at(-1);
    if (position.mover === "white") rows.push({ move: position.move, white: ply, black: null });
    else if (last && last.black === null && last.move === position.move) last.black = ply;
    else rows.push({ move: position.move, white: null, black: ply });
  }
  return rows;
}

/** Scrolls the list, and not the page. */
function keepInView(list: HTMLElement, button: HTMLElement): void {
  const top = button.offsetTop - list.offsetTop;
  const margin = button.offsetHeight;
  if (top - margin < list.scrollTop) list.scrollTop = top - margin;
  else if (top + 2 * margin > list.scrollTop + list.clientHeight) list.scrollTop = top + 2 * margin - list.clientHeight;
}

/** How much a move lost, where that was much. */
function Mark({ game, index }: { game: Game; index: number }) {
  const [sign, word] = MARKS[game.marks[index] ?? ""] ?? [];
  if (sign === undefined) return null;
  const lost = `${word}, lost ${((game.lost[index] ?? 0) / 100).toFixed(2)}`;
  return (
    <span class={`lost ${word}`} title={lost}>
      {sign}
      <span class="unseen"> {lost}</span>
    </span>
  );
}

export function Moves({ game, played, ply, onPly, failed }: MovesProps) {
  const list = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => rowsOf(played), [played]);
  useLayoutEffect(() => {
    if (!list.current) return;
    const button = list.current.querySelector<HTMLElement>("button.current");
    if (button) keepInView(list.current, button);
    else list.current.scrollTop = 0;
  }, [ply]);
  const move = (each: number | null) => {
    const position = each === null ? undefined : played.positions[each];
    if (each === null || !position?.san) return <span class="nothing">{each === null ? "…" : ""}</span>;
    const kind = `move${position.ofOpening ? " of-opening" : ""}${each === ply ? " current" : ""}`;
    return (
      <button type="button" class={kind} aria-current={each === ply ? "true" : undefined}
        tabIndex={each === Math.max(1, ply) ? 0 : -1} onClick={() => onPly(each)}>
        {position.san}
        {position.ofOpening && <span class="unseen"> (opening)</span>}
        <Mark game={game} index={each - played.opening - 1} />
        {failed.has(each) && (
          <sup>
            †<span class="unseen"> failed attempt</span>
          </sup>
        )}
      </button>
    );
  };
  const isAnalysed = game.reference.length > 0;
  /** The reference engine's evaluation of the position after a move. */
  const after = (each: number | null) => {
    if (!isAnalysed) return null;
    const position = each === null ? undefined : played.positions[each];
    const found = each === null || !position ? null : evaluation(game.reference[each - played.opening], position.turn);
    return <span class="by-reference">{found?.text}</span>;
  };
  return (
    <section class={isAnalysed ? "moves analysed" : "moves"} aria-label={isAnalysed ? "Moves, with the reference engine’s evaluations" : "Moves"}>
      <p class="opening">
        {(played.opening > 0 || game.opening_name !== null) && <em>Opening: </em>}
        {game.opening_name !== null && <Foreign text={game.opening_name} />}
        {game.opening_name === null && (played.opening > 0 ? "the moves in italics" : "No opening moves")}
      </p>
      <div class="list" ref={list}>
        <ol>
          {rows.map((row) => (
            <li key={row.white ?? row.black}>
              <span class="number">{row.move}.</span>
              {move(row.white)}
              {after(row.white)}
              {row.black === null ? <span /> : move(row.black)}
              {after(row.black)}
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
