// The failed attempts of a game, each with its ply and what went wrong.
import type { Replay } from "../replay";
import { Foreign, SENTENCE_LENGTH } from "../text";
import type { Game } from "../types";
import { attemptWords } from "../words";

/** Attempts count plies from the first move after the opening, from 0. */
function plyOf(played: Replay, ply: number): number {
  return played.opening + ply + 1;
}

export function attemptsByPly(game: Game, played: Replay): Set<number> {
  return new Set(game.attempts.map((attempt) => plyOf(played, attempt.ply)));
}

interface AttemptsProps {
  game: Game;
  played: Replay;
  onPly: (ply: number) => void;
}

export function Attempts({ game, played, onPly }: AttemptsProps) {
  if (game.attempts.length === 0) return null;
  return (
    <>
      <h2>Failed attempts</h2>
      <p class="note">A move with † was made after a failed attempt. The position is the one that the attempt was made in.</p>
      <ul class="attempts">
        {game.attempts.map((attempt, index) => {
          const ply = plyOf(played, attempt.ply);
          return (
            <li key={index}>
              <button type="button" class="link" onClick={() => onPly(ply - 1)}>
                Ply {ply}
              </button>{" "}
              {attemptWords(attempt)}: <Foreign text={attempt.text} most={SENTENCE_LENGTH} />
            </li>
          );
        })}
      </ul>
    </>
  );
}
