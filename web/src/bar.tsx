// The bar beside a board: divided as an engine sees the game, the light part White's.
import type { Said } from "./evaluation";

/** Pawns at which the bar shows three quarters for the better side. */
const HALF_BAR = 2;

/** Who is ahead, in words. */
function aheadWords(pawns: number): string {
  const side = pawns > 0 ? "White" : "Black";
  const size = Math.abs(pawns);
  if (size < 0.3) return "even";
  if (size >= 1000) return `${side} mates`;
  return size < 1 ? `${side} slightly better` : size < 2.5 ? `${side} better` : `${side} winning`;
}

interface BarProps {
  said: Said | null;
  flipped?: boolean;
}

export function Bar({ said, flipped = false }: BarProps) {
  const kind = `bar${said === null ? " empty" : ""}${flipped ? " flipped" : ""}`;
  if (said === null) return <div class={kind} role="img" aria-label="No evaluation yet" title="No evaluation yet" />;
  const { pawns, text } = said.evaluation;
  const share = 100 / (1 + 3 ** (-pawns / HALF_BAR));
  const words = `Evaluation by ${said.by}: ${text}, ${aheadWords(pawns)}`;
  return (
    <div class={kind} role="img" aria-label={words} title={`${words}. The light part of the bar is White’s share.`}>
      <div class="share" style={{ height: `${Math.max(2, Math.min(98, share))}%` }} />
    </div>
  );
}
