// The board: shows one position of a game, and takes no moves.
import { Chessground } from "@lichess-org/chessground";
import type { Api } from "@lichess-org/chessground/api";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Position } from "./replay";

function mayMove(): boolean {
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function config(position: Position, flipped: boolean) {
  return {
    fen: position.fen,
    orientation: flipped ? ("black" as const) : ("white" as const),
    turnColor: position.turn,
    check: position.check,
    lastMove: position.squares,
  };
}

export function Board({ position, flipped, label }: { position: Position; flipped: boolean; label: string }) {
  const element = useRef<HTMLDivElement>(null);
  const board = useRef<Api | null>(null);
  useLayoutEffect(() => {
    if (!element.current) return undefined;
    board.current = Chessground(element.current, {
      ...config(position, flipped),
      viewOnly: true,
      coordinates: true,
      coordinatesOnSquares: false,
      drawable: { enabled: false, visible: false },
      animation: { enabled: mayMove(), duration: 140 },
    });
    return () => board.current?.destroy();
  }, []);
  useLayoutEffect(() => board.current?.set(config(position, flipped)), [position, flipped]);
  return (
    <div class="board" role="img" aria-label={label}>
      <div ref={element} class="squares cg-wrap" />
    </div>
  );
}
