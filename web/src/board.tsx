// The board: shows one position of a game, and takes no moves.
import { Chessground } from "@lichess-org/chessground";
import type { Api } from "@lichess-org/chessground/api";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Position } from "./replay";

/** Moves that come faster (ms) are not animated: one would not be over when the next begins. */
const SLOW = 400;
/** A swipe is this long (px), and that much longer than high. */
const SWIPE = 30;
const FLAT = 1.5;

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

interface BoardProps {
  position: Position;
  flipped: boolean;
  label: string;
  /** What is told of a position that was not played. */
  expected?: string | null;
  /** A swipe to the left is +1, to the right −1. */
  onSwipe?: (by: number) => void;
}

export function Board({ position, flipped, label, expected = null, onSwipe }: BoardProps) {
  const element = useRef<HTMLDivElement>(null);
  const board = useRef<Api | null>(null);
  const drawn = useRef(-Infinity);
  const from = useRef<{ x: number; y: number } | null>(null);
  useLayoutEffect(() => {
    if (!element.current) return undefined;
    board.current = Chessground(element.current, {
      ...config(position, flipped),
      viewOnly: true,
      coordinates: true,
      coordinatesOnSquares: false,
      drawable: { enabled: false, visible: false },
      animation: { enabled: false, duration: 140 },
    });
    return () => board.current?.destroy();
  }, []);
  useLayoutEffect(() => {
    if (!board.current) return;
    const now = performance.now();
    const { animation } = board.current.state;
    animation.enabled = mayMove() && now - drawn.current >= SLOW;
    // One that is not over would go on with pieces that have left.
    if (!animation.enabled) animation.current = undefined;
    drawn.current = now;
    board.current.set(config(position, flipped));
  }, [position, flipped]);
  const begin = (event: PointerEvent) => {
    from.current = event.pointerType === "mouse" ? null : { x: event.clientX, y: event.clientY };
  };
  const end = (event: PointerEvent) => {
    if (!from.current) return;
    const [x, y] = [event.clientX - from.current.x, event.clientY - from.current.y];
    from.current = null;
    if (Math.abs(x) >= SWIPE && Math.abs(x) > FLAT * Math.abs(y)) onSwipe?.(x < 0 ? 1 : -1);
  };
  const swipes = onSwipe && { onPointerDown: begin, onPointerUp: end, onPointerCancel: () => (from.current = null) };
  return (
    <div class={`board${expected === null ? "" : " expected"}${onSwipe ? " swipes" : ""}`} role="img" aria-label={label} {...swipes}>
      <div ref={element} class="squares cg-wrap" />
      {expected !== null && <span class="tag">{expected}</span>}
    </div>
  );
}
