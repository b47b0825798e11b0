// Finds a player by name or number: a field over the page, with a list that arrow keys go through.
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { toAgent } from "./route";
import { Foreign } from "./text";
import type { PageEvent, Player } from "./types";
import { many } from "./words";

/** So many are shown; who looks for another one types on. */
const MOST = 50;

/** Without capitals and accents. */
const folded = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The players that are meant, the likeliest first. */
export function playersLike(players: Player[], wanted: string): Player[] {
  const text = folded(wanted.trim()).replace(/^#/, "");
  if (text === "") return players;
  const likely = (player: Player) => {
    if (String(player.number) === text) return 0;
    const name = folded(player.name);
    const at = name.indexOf(text);
    if (at < 0) return String(player.number).startsWith(text) ? 4 : null;
    return at === 0 ? 1 : /[\p{L}\p{N}]/u.test(name[at - 1] ?? "") ? 3 : 2;
  };
  const found = players.map((player) => ({ player, rank: likely(player) })).filter(({ rank }) => rank !== null);
  return found.sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0)).map(({ player }) => player);
}

function Finder({ players, close }: { players: Player[]; close: () => void }) {
  const [wanted, setWanted] = useState("");
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const found = playersLike(players, wanted);
  const shown = found.slice(0, MOST);
  const chosen = shown[Math.min(at, shown.length - 1)];
  useEffect(() => document.getElementById(`found-${chosen?.number}`)?.scrollIntoView({ block: "nearest" }), [chosen]);
  const open = (player: Player) => {
    close();
    location.hash = toAgent(player.number);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((Math.min(at, shown.length - 1) + step + shown.length) % Math.max(1, shown.length));
    else if (event.key === "Enter" && chosen) open(chosen);
    else return;
    event.preventDefault();
  };
  const words = found.length === 0 ? "No player has that name or number." : shown.length < found.length ? `The first ${MOST} of ${found.length} players.` : `${many(found.length, "player")}.`;
  return (
    <>
      <input ref={field} type="text" role="combobox" aria-label="Name or number of a player" placeholder="Name or number" autocomplete="off"
        spellcheck={false} aria-autocomplete="list" aria-expanded={shown.length > 0} aria-controls="found"
        aria-activedescendant={chosen && `found-${chosen.number}`} value={wanted} onKeyDown={press}
        onInput={(event) => {
          setWanted(event.currentTarget.value);
          setAt(0);
        }} />
      <button type="button" onClick={close}>
        Close
      </button>
      <ul id="found" role="listbox" aria-label="Players" hidden={shown.length === 0}>
        {shown.map((player) => (
          <li key={player.number} id={`found-${player.number}`} role="option" aria-selected={player === chosen} onClick={() => open(player)}>
            <span class="figure">{player.number}</span> <Foreign text={player.name} />
            {player.place !== null && <span class="note">place {player.place.slice(0, 12)}</span>}
          </li>
        ))}
      </ul>
      <p class="note" role="status">
        {words}
      </p>
    </>
  );
}

/** The button in the head opens it, and the key `/`. */
export function offerSearch(event: () => PageEvent | null): void {
  const button = document.querySelector<HTMLButtonElement>("header.top button.find");
  if (!button) return;
  const dialog = document.createElement("dialog");
  dialog.className = "finder";
  dialog.setAttribute("aria-label", "Find a player");
  document.body.append(dialog);
  const close = () => dialog.close();
  dialog.addEventListener("close", () => render(null, dialog));
  dialog.addEventListener("click", (click) => click.target === dialog && close());
  const open = () => {
    const players = event()?.players;
    if (!players || dialog.open) return;
    dialog.showModal();
    render(<Finder players={players} close={close} />, dialog);
  };
  button.addEventListener("click", open);
  document.addEventListener("keydown", (press) => {
    const { target } = press;
    if (press.key !== "/" || press.ctrlKey || press.altKey || press.metaKey || press.defaultPrevented) return;
    if (target instanceof HTMLElement && target.closest("textarea, input, select, dialog")) return;
    press.preventDefault();
    open();
  });
}
