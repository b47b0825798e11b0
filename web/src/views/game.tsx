// The view of one game: reads it, and keeps which ply is shown.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { complaint, hasGames, partWith, Unreachable } from "../data";
import { replay, type Replay } from "../replay";
import { AWAY, readStored, useFollowed } from "../live/followed";
import { parse, toAgent, toGame, toMatch } from "../route";
import { plain } from "../text";
import type { Account, Game, MiniMatch, PageEvent } from "../types";
import { blackOf, faultWords, many, matchName, nameOf, result, whiteOf } from "../words";
import { endingOf, outcomeFor } from "../tally";
import { Replayed } from "./replayed";

interface GameProps {
  event: PageEvent;
  match: MiniMatch;
  number: number;
  ply: number | null;
}

type Loaded = { game: Game; played: Replay; account: Account | undefined } | { problem: string } | { away: true } | { unplayed: string } | null;

/** Why a game has no moves: it was forfeited, or given a result. Null of any other. */
function unplayed(event: PageEvent, match: MiniMatch, number: number): string | null {
  const ending = endingOf(event, match, number);
  if (!ending || match.plies[number - 1] !== 0) return null;
  if (ending.word === "awarded") return "This game was not played: the arbiter gave it a result.";
  const by = ending.fault && { white: [whiteOf(match, number)], black: [blackOf(match, number)], both: [whiteOf(match, number), blackOf(match, number)] }[ending.fault];
  const names = by ? ` by ${by.map((each) => nameOf(event, each)).join(" and ")}` : "";
  return `No move was made in this game. It was forfeited${names}: ${plain(ending.text)}.`;
}

function read(event: PageEvent, match: MiniMatch, number: number): Promise<Loaded> {
  const why = unplayed(event, match, number);
  if (why !== null) return readMoves(event, match, number).then((found) => (found && "game" in found ? found : { unplayed: why }));
  return readMoves(event, match, number);
}

function readMoves(event: PageEvent, match: MiniMatch, number: number): Promise<Loaded> {
  if (!hasGames(event, match.id)) {
    return Promise.resolve({ problem: "The moves of this game are not in this file." });
  }
  return partWith(event, match.id, number)
    .then((part) => {
      const game = part?.games.find((each) => each.game === number);
      if (!game) return { problem: "The moves of this game are not in this file." };
      return { game, played: replay(game), account: part?.accounts.find((each) => each.game === number) };
    })
    .catch((error: unknown) => (error instanceof Unreachable ? { away: true } : { problem: complaint(error) }));
}

/** The games before and after this one, also of other mini-matches. */
function neighbours(event: PageEvent, match: MiniMatch, number: number) {
  const index = event.mini_matches.indexOf(match);
  const last = event.mini_matches[index - 1];
  const next = event.mini_matches[index + 1];
  const before = number > 1 ? { id: match.id, game: number - 1 } : last && { id: last.id, game: last.results.length };
  const first = next && { id: next.id, game: Math.min(1, next.results.length) };
  const after = number < match.results.length ? { id: match.id, game: number + 1 } : first;
  return { before, after };
}

function Neighbour({ to, match, word }: { to: { id: string; game: number } | undefined; match: MiniMatch; word: string }) {
  if (!to || to.game < 1) return <span class="nowhere">{word}</span>;
  const where = to.id === match.id ? `game ${to.game}` : `${to.id}.${to.game}`;
  return (
    <a href={toGame(to.id, to.game)} title={where}>
      {word}
      <span class="unseen"> game ({where})</span>
    </a>
  );
}

function Player({ event, number, color }: { event: PageEvent; number: number; color: "white" | "black" }) {
  return (
    <span class="who">
      <span class={`disc ${color}`}>
        <span class="unseen">{color === "white" ? "White" : "Black"} </span>
      </span>
      <a class="cut" dir="auto" href={toAgent(number)}>
        {nameOf(event, number)}
      </a>
    </span>
  );
}

function Heading({ event, match, number }: Omit<GameProps, "ply">) {
  const { before, after } = neighbours(event, match, number);
  const ending = endingOf(event, match, number);
  const plies = match.plies[number - 1];
  return (
    <header class="head of-game">
      <h1>
        <Player event={event} number={whiteOf(match, number)} color="white" />{" "}
        <strong class="result">{match.results[number - 1] === "." ? "–" : result(match.results[number - 1])}</strong>{" "}
        <Player event={event} number={blackOf(match, number)} color="black" />{" "}
        <span class="where">
          {matchName(match)}, game {number}
        </span>
      </h1>
      <p class="note">
        {ending ? faultWords(ending) : "Not over"}
        {ending && <bdi>{plain(ending.text)}</bdi>}
        {plies !== null && plies !== undefined && `, ${many(plies, "ply", "plies")}`}
      </p>
      <nav class="neighbours" aria-label="Games">
        <Neighbour to={before} match={match} word="Previous" />
        <a href={toMatch(match.id)}>Mini-match</a>
        <Neighbour to={after} match={match} word="Next" />
      </nav>
    </header>
  );
}

export function GameView({ event, match, number, ply: asked }: GameProps) {
  const isOpen = outcomeFor(match, number, match.white) === "open";
  const [stored, setStored] = useState<Loaded>(null);
  const followed = useFollowed(event, match, number, isOpen || (stored !== null && "problem" in stored));
  // Which ply is shown: null is the last one of a game that is followed, else the first.
  const [ply, setPly] = useState(asked);
  useEffect(() => {
    if (isOpen && followed.may) return undefined;
    let wanted = true;
    void readStored(() => read(event, match, number), match.id, followed.may, () => wanted, (each) => {
      // What was read stays until there is something newer.
      setStored((old) => (old && "game" in old && (each === null || "away" in each) ? old : each));
    });
    return () => {
      wanted = false;
    };
  }, [match.results[number - 1]]);
  const isHere = () => {
    const route = parse(location.hash);
    return route.view === "game" && route.id === match.id && route.game === number;
  };
  // The address as this view has taken it up: the browser tells of another one a moment after it is there.
  const taken = useRef(location.hash);
  // A link to another ply of this game.
  useEffect(() => {
    const moved = () => {
      taken.current = location.hash;
      const route = parse(location.hash);
      if (route.view !== "game" || route.id !== match.id || route.game !== number) return;
      setPly(route.ply);
      document.querySelector("#app .board")?.scrollIntoView({ block: "nearest" });
    };
    window.addEventListener("hashchange", moved);
    return () => window.removeEventListener("hashchange", moved);
  }, []);
  const loaded = stored && "game" in stored ? stored : (followed.game ?? stored);
  const last = loaded && "game" in loaded ? loaded.played.positions.length - 1 : null;
  const shown = last === null ? 0 : ply === null ? (followed.game ? last : 0) : Math.max(0, Math.min(last, ply));
  const show = (to: number) => setPly(followed.game && last !== null && to >= last ? null : to);
  // The address names the position, without an entry of the history a ply.
  useEffect(() => {
    if (last === null) return undefined;
    const timer = setTimeout(() => {
      const address = toGame(match.id, number, ply === null || shown === 0 ? undefined : shown);
      if (location.hash === address || location.hash !== taken.current || !isHere()) return;
      history.replaceState(history.state, "", address);
      taken.current = location.hash;
    }, 150);
    return () => clearTimeout(timer);
  }, [shown, last]);
  const heading = useMemo(() => <Heading event={event} match={match} number={number} />, [event, match]);
  const clock = shown === last && loaded === followed.game ? followed.clock : undefined;
  return (
    <>
      {heading}
      {(loaded === null || "away" in loaded) && (
        <p class="note waits" role="status">
          {loaded || followed.lost ? AWAY : isOpen && followed.may ? followed.waits : "Reading the game …"}
        </p>
      )}
      {loaded && "unplayed" in loaded && <p>{loaded.unplayed}</p>}
      {loaded && "problem" in loaded && (
        <p class="problem" role="alert">
          {loaded.problem}
        </p>
      )}
      {loaded && loaded === stored && last !== null && ply !== null && ply > last && (
        <p class="note" role="status">
          There is no ply {ply} in this game: this is its last position.
        </p>
      )}
      {loaded && "game" in loaded && (
        <Replayed
          event={event} match={match} game={loaded.game} played={loaded.played} account={loaded === stored && "account" in stored ? stored.account : undefined}
          ply={shown} onPly={show} clock={clock} isFollowed={loaded === followed.game}
        />
      )}
    </>
  );
}
