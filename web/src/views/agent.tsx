// The view of an agent: its results in each round, by colour and by opponent, how its games ended, its faults.
import { useMemo } from "preact/hooks";
import { DownloadAgent } from "../download/download";
import { toAgent, toGame, toMatch } from "../route";
import { add, endingOf, isFaultOf, noGames, outcomeFor, played, type Wdl } from "../tally";
import { Foreign, plain } from "../text";
import type { MiniMatch, PageEvent, Player } from "../types";
import { many, nameOf, points, roundName, whiteOf } from "../words";
import { AskedByAgent } from "./asked";
import { FromGames } from "./from_games";
import { ReferenceOfAgent } from "./reference";
import { Figures, FIGURES, Table } from "./table";

interface AgentProps {
  event: PageEvent;
  player: Player;
}

interface Counted {
  matches: MiniMatch[];
  all: Wdl;
  white: Wdl;
  black: Wdl;
  opponents: Map<number, Wdl>;
  endings: Map<string, Wdl & { none: number }>;
  faults: { match: MiniMatch; game: number; text: string }[];
}

function counted(event: PageEvent, player: number): Counted {
  const matches = event.mini_matches.filter((match) => match.white === player || match.black === player);
  const found: Counted = {
    matches, all: noGames(), white: noGames(), black: noGames(), opponents: new Map(), endings: new Map(), faults: [],
  };
  for (const match of matches) {
    const other = match.white === player ? match.black : match.white;
    const against = found.opponents.get(other) ?? noGames();
    found.opponents.set(other, against);
    for (let game = 1; game <= match.results.length; game += 1) {
      const outcome = outcomeFor(match, game, player);
      if (outcome === "open") continue;
      for (const wdl of [found.all, whiteOf(match, game) === player ? found.white : found.black, against]) add(wdl, outcome);
      const ending = endingOf(event, match, game);
      if (!ending) continue;
      const fault = isFaultOf(event, match, game, player);
      const text = ending.fault === null ? ending.text : `${ending.text} (fault of ${fault ? "this agent" : "its opponent"})`;
      const ends = found.endings.get(text) ?? { ...noGames(), none: 0 };
      found.endings.set(text, ends);
      if (outcome === "none") ends.none += 1;
      else add(ends, outcome);
      if (fault) found.faults.push({ match, game, text: ending.text });
    }
  }
  return found;
}

function Rounds({ event, player, matches }: AgentProps & { matches: MiniMatch[] }) {
  return (
    <Table heads={[["Round", ""], ["Board", "figure"], ["Opponent", "name"], ["Score", "figure"], ["Game 1 as", ""], ["Faults", "figure"]]}>
      {matches.map((match) => {
        const first = match.white === player.number;
        const other = first ? match.black : match.white;
        const [own, their] = first ? match.points : [match.points[1], match.points[0]];
        const faults = match.results.split("").filter((_each, index) => isFaultOf(event, match, index + 1, player.number)).length;
        return (
          <tr key={match.id}>
            <td>{roundName(match).replace("Round ", "")}</td>
            <td class="figure">{match.board}</td>
            <td class="name">
              <a href={toAgent(other)}>
                <bdi>{nameOf(event, other)}</bdi>
              </a>
            </td>
            <td class="figure">
              <a href={toMatch(match.id)}>
                {points(own)} – {points(their)}
              </a>
              {match.over ? "" : " (not over yet)"}
            </td>
            <td>
              <span class={first ? "disc white" : "disc black"}>{first ? "White" : "Black"}</span>
            </td>
            <td class="figure">{faults}</td>
          </tr>
        );
      })}
    </Table>
  );
}

const OUT = {
  withdrawn: "This agent has withdrawn, and is no longer paired.",
  disqualified: "This agent was disqualified, and is no longer paired.",
};

export function AgentView({ event, player }: AgentProps) {
  const found = useMemo(() => counted(event, player.number), [event]);
  return (
    <>
      <header class="head">
        <h1>
          <bdi>{plain(player.name)}</bdi>
        </h1>
        {(player.rating !== null || player.author !== null) && (
          <p class="note">
            {player.rating !== null && `Rated ${player.rating}`}
            {player.rating !== null && player.author !== null && ", "}
            {player.author !== null && <>by <Foreign text={player.author} /></>}
          </p>
        )}
        {player.out !== null && (
          <p class="out">
            {OUT[player.out]}
            {document.getElementById("minutes") && <> <a href="#minutes">The minutes</a> say when and why.</>}
          </p>
        )}
        <dl class="facts">
          {player.place !== null && <Fact name="Place" value={plain(player.place, 12)} />}
          {player.points !== null && <Fact name="Match points" value={points(player.points)} />}
          <Fact name="Games" value={String(played(found.all))} />
          <Fact name="Won, drawn, lost" value={`${found.all.won}, ${found.all.drawn}, ${found.all.lost}`} />
          <Fact name="Faults" value={String(found.faults.length)} />
          {player.analysed?.acpl != null && <Fact name="ACPL" value={player.analysed.acpl.toFixed(1)} />}
          {player.analysed?.accuracy != null && <Fact name="Accuracy" value={`${player.analysed.accuracy.toFixed(1)} %`} />}
        </dl>
        <p class="downloads">
          <DownloadAgent event={event} number={player.number} matches={found.matches} />
        </p>
      </header>
      <div class="beside">
        <div>
          <article>
            <h2>Rounds</h2>
            <Rounds event={event} player={player} matches={found.matches} />
          </article>
          <article>
            <h2>By colour</h2>
            <Table heads={[["Colour", ""], ...FIGURES]}>
              <tr>
                <td><span class="disc white">White</span></td>
                <Figures wdl={found.white} />
              </tr>
              <tr>
                <td><span class="disc black">Black</span></td>
                <Figures wdl={found.black} />
              </tr>
            </Table>
          </article>
          {player.asked && <AskedByAgent asked={player.asked} />}
          {player.analysed && <ReferenceOfAgent event={event} analysed={player.analysed} />}
          <article>
            <h2>Faults</h2>
            {found.faults.length === 0 && <p class="note">None of its games ended by a fault of this agent.</p>}
            {found.faults.length > 0 && <Faults faults={found.faults} />}
          </article>
        </div>
        <div>
          <article>
            <h2>By opponent</h2>
            <Table heads={[["Opponent", "name"], ...FIGURES]}>
              {[...found.opponents].map(([other, wdl]) => (
                <tr key={other}>
                  <td class="name"><a href={toAgent(other)}><bdi>{nameOf(event, other)}</bdi></a></td>
                  <Figures wdl={wdl} />
                </tr>
              ))}
            </Table>
          </article>
          <article>
            <h2>How its games ended</h2>
            <Table heads={[["Termination", "name"], ["Games", "figure"], ["Won", "figure"], ["Drawn", "figure"], ["Lost", "figure"]]}>
              {[...found.endings].sort(([, a], [, b]) => played(b) + b.none - played(a) - a.none).map(([text, ends]) => (
                <tr key={text}>
                  <td class="name"><bdi>{plain(text, 90)}</bdi></td>
                  <td class="figure">{played(ends) + ends.none}</td>
                  <td class="figure">{ends.won}</td>
                  <td class="figure">{ends.drawn}</td>
                  <td class="figure">{ends.lost}</td>
                </tr>
              ))}
            </Table>
          </article>
        </div>
      </div>
      <FromGames event={event} player={player} matches={found.matches} />
    </>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** Faults by their kind, each with the games that it ended. */
function Faults({ faults }: { faults: Counted["faults"] }) {
  const kinds = new Map<string, Counted["faults"]>();
  for (const fault of faults) kinds.set(fault.text, [...(kinds.get(fault.text) ?? []), fault]);
  const sorted = [...kinds].sort(([, a], [, b]) => b.length - a.length);
  return (
    <>
      <p class="note">{many(faults.length, "game")} ended by a fault of this agent.</p>
      <Table heads={[["Fault", "name"], ["Games", "figure"], ["Which", ""]]}>
        {sorted.map(([text, games]) => (
          <tr key={text}>
            <td class="name"><bdi>{plain(text, 90)}</bdi></td>
            <td class="figure">{games.length}</td>
            <td class="links">
              {games.map(({ match, game }) => (
                <a key={`${match.id}.${game}`} href={toGame(match.id, game)}>
                  ‡ {match.id}.{game}
                </a>
              ))}
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}
