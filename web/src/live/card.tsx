// The board of one slot with what is known of its game: sides, clocks, evaluations, last move, expected variation.
import { Bar } from "../bar";
import { Board } from "../board";
import { evaluation, type Said } from "../evaluation";
import { expected, lineWords, type Position, type Replay } from "../replay";
import { toAgent, toGame, toMatch } from "../route";
import { plain } from "../text";
import type { LiveLineGame, MiniMatch, PageEvent, Side } from "../types";
import { matchName, points } from "../words";
import { LiveClock } from "./clock";
import { endedWords, known } from "./known";
import { gameOf } from "./messages";
import type { GameState, Store } from "./store";
import { useLive } from "./use";

/** As many plies of an expected variation are shown. */
const PV_PLIES = 6;

interface CardProps {
  store: Store;
  event: PageEvent;
  slot: number;
  /** Whether it is in view; others are places of the same size. */
  drawn: boolean;
  hidden?: boolean;
  heading?: "h2" | "h3";
}

function played(live: LiveLineGame): Replay | null {
  try {
    return known(live).played;
  } catch {
    return null;
  }
}

/** The side that moved last, by the moves that it told of. */
function movedLast(live: LiveLineGame): Side | null {
  const [white, black] = [live.white.last?.ply ?? -1, live.black.last?.ply ?? -1];
  if (white < 0 && black < 0) return null;
  return white > black ? "white" : "black";
}

/** By the side that moved last, else by the other one. */
function saysOf(live: LiveLineGame, color: Side | null): Said | null {
  const sides = color === "white" ? (["white", "black"] as const) : (["black", "white"] as const);
  for (const each of sides) {
    const found = evaluation(live[each].last?.eval, each);
    if (found) return { evaluation: found, by: each === "white" ? "White" : "Black" };
  }
  return null;
}

function Player({ store, state, match, color }: { store: Store; state: GameState; match: MiniMatch | null; color: Side }) {
  const side = state.game[color];
  const word = color === "white" ? "White" : "Black";
  const turn = state.game.to_move === color && state.game.ended === null;
  const said = evaluation(side.last?.eval, color);
  const depth = side.last?.depth ?? null;
  const own = match && match.points[side.pairing_number === match.white ? 0 : 1];
  return (
    <div class={`player ${color}${turn ? " turn" : ""}`}>
      <p>
        <span class={`disc ${color}`}>
          <span class="unseen">{word}</span>
        </span>
        <a class="cut" dir="auto" href={toAgent(side.pairing_number)}>
          {plain(side.name)}
        </a>
        <span class="clock">
          <span class="unseen">Clock </span>
          <LiveClock store={store} state={state} color={color} />
        </span>
      </p>
      <p class="said">
        <span>
          <span class="unseen">Evaluation from White’s view </span>
          <strong>{said?.text ?? "–"}</strong>
        </span>
        <span>{depth === null ? "" : `depth ${Math.round(depth)}`}</span>
        <span class="own">{own === null ? "" : pointsWords(own)}</span>
      </p>
    </div>
  );
}

function pointsWords(own: string): string {
  const text = points(own);
  return `${text} ${text === "1" || text === "½" ? "point" : "points"}`;
}

/** The last move with its number, or how the game ended. */
function lastWords(live: LiveLineGame, at: Position | undefined): string {
  if (live.ended) return endedWords(live);
  if (!at?.san) return "The first position";
  return `${at.move}${at.mover === "white" ? "." : "…"} ${at.san}`;
}

function Playing({ store, event, state, heading: Heading }: { store: Store; event: PageEvent; state: GameState; heading: "h2" | "h3" }) {
  const live = state.game;
  const name = gameOf(live.id);
  const match = event.mini_matches.find((each) => each.id === name?.match) ?? null;
  const replayed = played(live);
  const at = replayed?.positions.at(-1);
  const color = movedLast(live);
  const before = replayed?.positions.at(-2);
  const moved = at?.san ? at.mover : color;
  const pv = moved === null ? null : live[moved].last?.pv ?? null;
  const fresh = moved !== null && replayed !== null && live[moved].last?.ply === replayed.positions.length - 2 - replayed.opening;
  const line = pv !== null && before && fresh && !live.ended ? expected(before, pv, at, PV_PLIES) : [];
  const where = match ? matchName(match) : `Mini-match ${plain(name?.match ?? live.id, 20)}`;
  const title = name ? `Game ${name.game}` : plain(live.id, 20);
  const to = name ? toGame(name.match, name.game) : "#overview";
  const last = lastWords(live, at);
  return (
    <>
      <Heading class="about">
        {name ? <a href={toMatch(name.match)}>{where}</a> : where}
        <span>
          <a href={to}>{title}</a>
          {match && match.results.length > 0 ? ` of ${match.results.length}` : ""}
        </span>
      </Heading>
      <Player store={store} state={state} match={match} color="black" />
      <Bar said={saysOf(live, color)} />
      <a class="to-game" href={to} tabIndex={-1}>
        {at ? (
          <Board position={at} flipped={false} label={`${title} of ${where}, the board: ${last}`} />
        ) : (
          <div class="board nothing">{title}, which begins at no position</div>
        )}
      </a>
      <Player store={store} state={state} match={match} color="white" />
      <p class="last">
        <span class="unseen">{live.ended ? "Result: " : "Last move: "}</span>
        {last}
      </p>
      <p class="expects">
        {line.length > 0 && (
          <>
            <span class="unseen">Expected by {moved === "white" ? "White" : "Black"}: </span>
            {lineWords(line)}
          </>
        )}
      </p>
    </>
  );
}

export function Card({ store, event, slot, drawn, hidden = false, heading = "h3" }: CardProps) {
  const state = useLive(store, () => (drawn ? store.slot(slot) : null));
  return (
    <li class={`card${state ? "" : " empty"}${state?.game.ended ? " ended" : ""}`} data-slot={slot} hidden={hidden}>
      <div class="in">
        {state ? <Playing store={store} event={event} state={state} heading={heading} /> : <Place />}
      </div>
    </li>
  );
}

/** As large as a card with a game. */
function Place() {
  return (
    <>
      <p class="about">{"\u00a0"}</p>
      <div class="player black" />
      <div class="bar empty" />
      <div class="to-game">
        <div class="board nothing" />
      </div>
      <div class="player white" />
      <p class="last" />
      <p class="expects" />
    </>
  );
}
