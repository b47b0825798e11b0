// Under the board: the buttons that go through a game and play it, and what may be taken of it.
import { useEffect, useRef, useState } from "preact/hooks";
import { Copy } from "../copy";
import { Icon, type IconName } from "../icon";
import { save } from "../save";

/** The keys that move through a game; they may come faster than the page is drawn. */
export function useKeys(last: number, ply: number, onPly: (ply: number) => void, flip: () => void, play: () => void): void {
  const at = useRef(ply);
  at.current = ply;
  // A game that is followed grows between two drawings.
  const now = useRef({ last, onPly, play });
  now.current = { last, onPly, play };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
      const { target } = event;
      if (target instanceof HTMLElement && target.closest("textarea, input, select, header.top, footer")) return;
      const to = { ArrowLeft: at.current - 1, ArrowRight: at.current + 1, ArrowUp: 0, Home: 0, ArrowDown: now.current.last, End: now.current.last }[event.key];
      if (to !== undefined) {
        at.current = Math.max(0, Math.min(now.current.last, to));
        now.current.onPly(at.current);
      } else if (event.key === "f") flip();
      // On a button or a link, space presses that.
      else if (event.key === " " && !(target instanceof HTMLElement && target.closest("button, a, summary, [tabindex='0']"))) now.current.play();
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}

/** How long (ms) a position stands while a game is played. */
const SPEEDS = { slow: 2000, normal: 1000, fast: 400 };
type Speed = keyof typeof SPEEDS;

export interface Playing {
  plays: boolean;
  speed: Speed;
  toggle: () => void;
  stop: () => void;
  setSpeed: (speed: Speed) => void;
}

/** Goes through a game by itself, to its end. */
export function usePlaying(last: number, ply: number, onPly: (ply: number) => void): Playing {
  const [plays, setPlays] = useState(false);
  const [speed, setSpeed] = useState<Speed>("normal");
  useEffect(() => {
    if (!plays) return undefined;
    if (ply >= last) {
      setPlays(false);
      return undefined;
    }
    const timer = setTimeout(() => onPly(ply + 1), SPEEDS[speed]);
    return () => clearTimeout(timer);
  }, [plays, ply, speed, last]);
  const toggle = () => {
    if (!plays && ply >= last) onPly(0);
    setPlays(!plays);
  };
  return { plays, speed, toggle, stop: () => setPlays(false), setSpeed };
}

const ANNOUNCE = "announce-moves";

/** Whether moves are announced: as the reader chose, else where they come by the reader alone. */
function useAnnounced(isFollowed: boolean): [boolean, (on: boolean) => void] {
  const [chosen, setChosen] = useState(() => {
    try {
      return localStorage.getItem(ANNOUNCE);
    } catch {
      return null;
    }
  });
  const choose = (on: boolean) => {
    const text = on ? "1" : "0";
    setChosen(text);
    try {
      localStorage.setItem(ANNOUNCE, text);
    } catch {
      // A browser without storage forgets.
    }
  };
  return [chosen === null ? !isFollowed : chosen === "1", choose];
}

interface ControlsProps {
  ply: number;
  last: number;
  onPly: (ply: number) => void;
  playing: Playing;
  flipped: boolean;
  flip: () => void;
  /** The position in a few words. */
  here: string;
  isFollowed: boolean;
  fen: () => string;
  pgn: () => string;
  /** The game as a file. */
  file: string;
}

export function Controls({ ply, last, onPly, playing, flipped, flip, here, isFollowed, fen, pgn, file }: ControlsProps) {
  const [announced, announce] = useAnnounced(isFollowed);
  const go = (label: string, icon: IconName, to: number, disabled: boolean) => (
    <button type="button" class={`go ${icon}`} title={label} aria-label={label} aria-disabled={disabled} onClick={() => onPly(Math.max(0, Math.min(last, to)))}>
      <Icon name={icon} />
    </button>
  );
  const play = playing.plays ? "Stop" : "Play";
  return (
    <div class="controls">
      <div class="steps" role="group" aria-label="Moves">
        {go("First", "first", 0, ply === 0)}
        {go("Back", "back", ply - 1, ply === 0)}
        <button type="button" class="play" title={`${play} (space)`} onClick={playing.toggle}>
          <Icon name={playing.plays ? "stop" : "forward"} />
          {play}
        </button>
        {go("Forward", "forward", ply + 1, ply === last)}
        {go("Last", "last", last, ply === last)}
      </div>
      <select aria-label="Speed" value={playing.speed} onChange={(event) => playing.setSpeed(event.currentTarget.value as Speed)}>
        <option value="slow">Slow</option>
        <option value="normal">Normal</option>
        <option value="fast">Fast</option>
      </select>
      <button type="button" aria-pressed={flipped} onClick={flip}>
        <Icon name="flip" />
        Flip
      </button>
      <Copy label="Copy FEN" text={fen} />
      <Copy label="Copy PGN" text={pgn} />
      <button type="button" title={`Download ${file}`} aria-label="Download PGN" onClick={() => save(file, pgn(), "application/x-chess-pgn")}>
        <Icon name="save" />
        PGN
      </button>
      <button type="button" class="announce" aria-pressed={announced} onClick={() => announce(!announced)}>
        Announce moves
      </button>
      <p class="unseen" role="status" aria-live={announced ? "polite" : "off"}>
        {here}
      </p>
    </div>
  );
}

export function KeysHint() {
  return (
    <p class="hint">
      Keys: <kbd>←</kbd> <kbd>→</kbd> a ply, <kbd>↑</kbd> <kbd>↓</kbd> the first and the last position, <kbd>space</kbd> play and stop, <kbd>f</kbd> flip
    </p>
  );
}
