// The decisive moment of a game, or of all games of a mini-match, in words and with a link to it.
import { toGame } from "../route";
import type { Game, MiniMatch } from "../types";
import { type Decisive, decisive } from "./decisive";

interface MomentProps {
  match: MiniMatch;
  games: Game[];
  of: "game" | "mini-match";
  where: (moment: Decisive) => string;
}

export function DecisiveMoment({ match, games, of, where }: MomentProps) {
  const moment = decisive(games);
  if (!moment) return null;
  return (
    <p class="decisive">
      <strong>Decisive moment:</strong> <a href={toGame(match.id, moment.game, moment.ply)}>{where(moment)}</a>. After it both engines saw the
      game better for {moment.by > 0 ? "White" : "Black"} by {Math.abs(moment.by).toFixed(1)} pawns or more. No other move of
      this {of} changed what both saw by as much.
    </p>
  );
}
