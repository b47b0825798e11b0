// The view of a mini-match: its games in pairs of one opening, points over time, what the score means.
import { useEffect, useMemo, useState } from "preact/hooks";
import { allOf, hasGames } from "../data";
import { DownloadMatch } from "../download/download";
import { Graph, type Series } from "../graph";
import { toAgent, toGame } from "../route";
import { add, endingOf, type GamePair, isFaultOf, noGames, type Outcome, outcomeFor, pairsOf, played } from "../tally";
import { plain } from "../text";
import type { MiniMatch, PageEvent, PageGames } from "../types";
import { faultWords, halves, many, matchName, nameOf, points, signed, whiteOf } from "../words";
import { MeaningOfMatch, MeaningOfPairs } from "./meaning";
import { DecisiveMoment } from "./moment";

/** As many pairs of games are shown at first. */
const FIRST_PAIRS = 10;

interface MatchProps {
  event: PageEvent;
  match: MiniMatch;
}

const MARKS: Record<Outcome, [string, string]> = {
  won: ["1", "won"],
  drawn: ["½", "drawn"],
  lost: ["0", "lost"],
  none: ["–", "no points"],
  open: ["·", "no result yet"],
};

export function GameLink({ event, match, game, player }: MatchProps & { game: number; player: number }) {
  const outcome = outcomeFor(match, game, player);
  const [mark, word] = MARKS[outcome];
  const color = whiteOf(match, game) === player ? "white" : "black";
  const ending = endingOf(event, match, game);
  const plies = match.plies[game - 1];
  return (
    <a class="game" href={toGame(match.id, game)}>
      <span class={`mark ${outcome}`} aria-hidden="true">
        {mark}
      </span>
      <span class="which">
        Game {game} <span class={`disc ${color}`}>{color === "white" ? "White" : "Black"}</span>
      </span>
      <span class="how">
        {word}
        {ending && `, ${faultWords(ending)}`}
        {ending && <bdi>{plain(ending.text)}</bdi>}
      </span>
      <span class="length">{plies === null || plies === undefined ? "" : many(plies, "ply", "plies")}</span>
    </a>
  );
}

/** What comes with the games: the names of openings, what the score means. */
function useGames(event: PageEvent, match: MiniMatch): PageGames | null {
  const [games, setGames] = useState<PageGames | null>(null);
  useEffect(() => {
    if (!hasGames(event, match.id)) return;
    allOf(event, match.id).then(setGames, () => undefined);
  }, [match]);
  return games;
}

function Pair({ event, match, pair, opening }: MatchProps & { pair: GamePair; opening: string | undefined }) {
  return (
    <li class="pair">
      <h3>
        <span>{pair.games.length === 2 ? `Pair ${pair.number}` : `Opening ${pair.number}`}</span>
        <span class="figure">{pair.halves === null ? "" : `${halves(pair.halves)} of 2`}</span>
      </h3>
      <p class="opening">{opening === undefined ? "\u00a0" : <bdi class="cut">{plain(opening)}</bdi>}</p>
      {pair.games.map((game) => (
        <GameLink key={game} event={event} match={match} game={game} player={match.white} />
      ))}
    </li>
  );
}

/** How far the first player is ahead after each game. */
function lead(match: MiniMatch): Series[] {
  const values: (number | null)[] = [0];
  let ahead = 0;
  for (let game = 1; game <= match.results.length; game += 1) {
    const outcome = outcomeFor(match, game, match.white);
    if (outcome === "open") break;
    ahead += outcome === "won" ? 1 : outcome === "lost" ? -1 : 0;
    values.push(ahead);
  }
  return [{ label: "Ahead", values, color: "--accent", kind: "line" }];
}

function faults({ event, match }: MatchProps): boolean {
  return match.results.split("").some((_each, index) => {
    return isFaultOf(event, match, index + 1, match.white) || isFaultOf(event, match, index + 1, match.black);
  });
}

export function MatchView({ event, match }: MatchProps) {
  const games = useGames(event, match);
  const openings = useMemo(() => new Map(games?.games.map((game) => [game.game, game.opening_name ?? undefined])), [games]);
  const pairs = useMemo(() => pairsOf(match), [match]);
  const series = useMemo(() => lead(match), [match]);
  const wdl = noGames();
  for (let game = 1; game <= match.results.length; game += 1) add(wdl, outcomeFor(match, game, match.white));
  const values = series[0]?.values ?? [];
  const low = Math.min(-1, ...values.map((each) => each ?? 0));
  const high = Math.max(1, ...values.map((each) => each ?? 0));
  const room = (high - low) * 0.05;
  const first = nameOf(event, match.white);
  const [all, setAll] = useState(false);
  const shown = all ? pairs : pairs.slice(0, FIRST_PAIRS);
  const moment = useMemo(() => games && (
    <DecisiveMoment match={match} games={games.games} of="mini-match" where={({ game, ply }) => `game ${game}, ply ${ply}`} />
  ), [games]);
  return (
    <>
      <header class="head">
        <h1>{matchName(match)}</h1>
        <p class="versus">
          <a class="who" href={toAgent(match.white)}>
            <bdi>{first}</bdi>
          </a>
          <strong class="result">
            {points(match.points[0])} – {points(match.points[1])}
          </strong>
          <a class="who" href={toAgent(match.black)}>
            <bdi>{nameOf(event, match.black)}</bdi>
          </a>
        </p>
        <p class="note">
          {match.over ? "" : "This mini-match is not over. "}
          {played(wdl) === 0 && match.results.includes(".") ? "None of its games has a result yet." : (
            <>{many(played(wdl), "game")}: <bdi>{first}</bdi> won {wdl.won}, drew {wdl.drawn}, lost {wdl.lost}.</>
          )}
        </p>
        <p class="downloads">
          <DownloadMatch event={event} match={match} />
        </p>
      </header>
      <div class={pairs.some((pair) => pair.halves !== null) && hasGames(event, match.id) ? "says" : ""}>
      {event.match ? <MeaningOfMatch event={event} found={event.match} /> : games?.score && <MeaningOfPairs event={event} found={games.score} />}
      {moment}
      </div>
      {values.length > 2 && (
        <figure class="lead">
          <figcaption>
            <span>
              How many game points <bdi>{first}</bdi> is ahead after each game
            </span>
          </figcaption>
          <Graph series={series} from={0} range={[low - room, high + room]}
            unit={(value) => (Number.isInteger(value) ? signed(value, 0) : "")} onPick={(game) => game > 0 && (location.hash = toGame(match.id, game))}
            label={`Graph of how many game points ${first} is ahead after each game`} />
        </figure>
      )}
      <h2>Games</h2>
      {pairs.length === 0 && <p>This mini-match has no games.</p>}
      <p class="note" hidden={pairs.length === 0}>
        Results and colours are those of <bdi>{first}</bdi>. The two games of a pair begin with the same opening, with colours reversed.
        {faults({ event, match }) && " ‡ marks a game that a fault ended."}
      </p>
      <ol class="pairs">
        {shown.map((pair) => (
          <Pair key={pair.number} event={event} match={match} pair={pair} opening={openings.get(pair.games[0] ?? 0)} />
        ))}
      </ol>
      {shown.length < pairs.length && (
        <button type="button" onClick={() => setAll(true)}>
          Show all {many(match.results.length, "game")}
        </button>
      )}
    </>
  );
}
