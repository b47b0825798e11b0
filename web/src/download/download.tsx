// PGN to take along: from the server where it gives it, else made here.
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { watched } from "../live/watched";
import type { MiniMatch, PageEvent } from "../types";
import { many } from "../words";
import { gamesOf, save, withGames } from "./games";

interface DownloadProps {
  event: PageEvent;
  label: string;
  matches: MiniMatch[];
  file: string;
  /** Where a server of this program has it. */
  address: string;
}

export function Download({ event, label, matches, file, address }: DownloadProps) {
  const played = withGames(matches);
  if (played.length === 0 || event.games === "none") return null;
  if (watched.store !== null) {
    return (
      <a class="download" href={address} download={file}>
        {label}
      </a>
    );
  }
  return <Making event={event} label={label} matches={played} file={file} />;
}

function Making({ event, label, matches, file }: Omit<DownloadProps, "address">) {
  const [read, setRead] = useState<number | null>(null);
  const [told, setTold] = useState("");
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const press = async () => {
    if (stop.current) {
      stop.current.abort();
      return;
    }
    const { signal } = (stop.current = new AbortController());
    setTold("");
    setRead(0);
    try {
      const made = await gamesOf(event, matches, signal, setRead);
      const without = made.unread.length === 0 ? "" : ` Not in it, as they cannot be read: ${made.unread.slice(0, 5).join(", ")}${made.unread.length > 5 ? " and others" : ""}.`;
      if (made.games > 0) save(file, made.file);
      setTold(`${made.games === 0 ? "No game can be read." : `${file}: ${many(made.games, "game")}.`}${without}`);
    } catch (error) {
      setTold(signal.aborted ? "Stopped." : `The file cannot be made: ${String(error)}`);
    }
    stop.current = null;
    setRead(null);
  };
  return (
    <span class="download">
      <button type="button" onClick={() => void press()}>
        {read === null ? label : `Stop (${read} of ${many(matches.length, "mini-match", "mini-matches")} read)`}
      </button>
      <span class="note" role="status">
        {told}
      </span>
    </span>
  );
}

/** Of a mini-match. */
export function DownloadMatch({ event, match }: { event: PageEvent; match: MiniMatch }) {
  return <Download event={event} label="Download PGN" matches={[match]} file={`match-${match.id}.pgn`} address={`games/${match.id}.pgn`} />;
}

/** Of an agent, whose mini-matches these are. */
export function DownloadAgent({ event, number, matches }: { event: PageEvent; number: number; matches: MiniMatch[] }) {
  return <Download event={event} label="Download all its games (PGN)" matches={matches} file={`agent-${number}.pgn`} address={`agents/${number}.pgn`} />;
}

/** Puts what there is to download into the section of the rounds: of the event, and of each round. */
export function offerRounds(section: HTMLElement, event: PageEvent): void {
  const place = (after: Element | null, inner: preact.ComponentChild) => {
    if (!after) return;
    let line = after.nextElementSibling;
    if (!line?.classList.contains("downloads")) {
      line = document.createElement("p");
      line.className = "downloads";
      after.after(line);
    }
    render(inner, line);
  };
  const all = event.mini_matches;
  place(section.querySelector("h1"), <Download event={event} label="Download all games (PGN)" matches={all} file="games.pgn" address="games.pgn" />);
  for (const article of section.querySelectorAll("article[id^='round-']")) {
    const number = Number(article.id.slice("round-".length));
    const matches = all.filter(({ round }) => round === number);
    place(
      article.querySelector("h2"),
      <Download event={event} label={`Download round ${number} (PGN)`} matches={matches} file={`round-${number}.pgn`} address={`rounds/${number}.pgn`} />,
    );
  }
}
