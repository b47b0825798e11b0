// What is known of an event that is watched: views subscribe to it. Time runs from the receipt of the messages.
import type { LiveLineGame } from "../types";
import type { Message, Run } from "./messages";

/** How the page is connected. */
export type Link = "connecting" | "open" | "lost" | "refused";

export interface GameState {
  game: LiveLineGame;
  /** When this state was received, by the clock of this page (ms). */
  received: number;
}

/** A slot number, or those of all. */
export type Wanted = ReadonlySet<number> | "all";

const MOST_BOARDS = 2000;
/** Milliseconds. */
const COUNTING = 3_000;

export class Store {
  run: Run | null = null;
  link: Link = "connecting";
  /** Since when nothing has come, while the server is lost: by the clock of this page (ms), and by that of the wall. */
  lost: { since: number; at: Date } | null = null;
  readonly #slots = new Map<number, GameState>();
  readonly #listeners = new Set<() => void>();
  readonly #wanted = new Map<string, Wanted>();
  /** How far the server's clock is ahead of this page's, at least: the freshest message says it best. */
  #ahead = -Infinity;
  #told = false;
  #counts = false;
  onWanted: () => void = () => undefined;

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells the listeners once, after all that came together. */
  changed(): void {
    if (this.#told) return;
    this.#told = true;
    queueMicrotask(() => {
      this.#told = false;
      for (const listener of [...this.#listeners]) listener();
    });
  }

  setLink(link: Link): void {
    if (this.link === link) return;
    this.link = link;
    this.lost = link === "lost" ? { since: performance.now(), at: new Date() } : null;
    this.changed();
  }

  /** A connection begins anew: the server may have another clock. */
  forgetTime(): void {
    this.#ahead = -Infinity;
  }

  take(message: Message): void {
    if (message.type === "run") {
      this.run = message.data;
      if (this.run.slots === null) this.#count();
    }
    else if (message.type === "game") this.#takeGame(message.data);
    else return;
    this.changed();
  }

  /** Where nobody says how many games are played at once, all are looked at for a moment. */
  #count(): void {
    if (this.#counts) return;
    this.#counts = true;
    this.want("count", "all");
    setTimeout(() => {
      this.#counts = false;
      this.want("count", null);
    }, COUNTING);
  }

  #takeGame(game: LiveLineGame): void {
    const received = performance.now();
    const at = Date.parse(game.at);
    if (Number.isFinite(at)) this.#ahead = Math.max(this.#ahead, at - received);
    this.#slots.set(game.slot, { game, received });
  }

  slot(slot: number): GameState | null {
    return this.#slots.get(slot) ?? null;
  }

  /** A game by its id, wherever it is played. */
  game(id: string): GameState | null {
    for (const state of this.#slots.values()) if (state.game.id === id) return state;
    return null;
  }

  /** How many boards there are; 0 where that is not known yet. */
  get boards(): number {
    if (this.run === null) return Math.min(MOST_BOARDS, Number(document.documentElement.dataset["slots"] ?? 0) || 0);
    const seen = Math.max(-1, ...this.#slots.keys()) + 1;
    return Math.max(0, Math.min(MOST_BOARDS, Math.floor(this.run.slots ?? seen)));
  }

  /** Whether games are being played and shown. */
  get playing(): boolean {
    return this.run === null || (this.run.at_work && this.run.live && !this.run.over);
  }

  /** Whether a game is known that has not ended. */
  get underWay(): boolean {
    return [...this.#slots.values()].some(({ game }) => game.ended === null);
  }

  /** The games whose boards somebody looks at; `null` takes the wish back. */
  want(who: string, slots: Wanted | null): void {
    if (slots === null) this.#wanted.delete(who);
    else this.#wanted.set(who, slots);
    this.onWanted();
  }

  wanted(): Wanted {
    const all = [...this.#wanted.values()];
    if (all.includes("all")) return "all";
    return new Set(all.flatMap((each) => (each === "all" ? [] : [...each])));
  }

  /** What is left to a side (µs); null where it has neither a clock nor a time for its move. */
  timeLeft({ game, received }: GameState, color: "white" | "black"): number | null {
    const clock = game[color].clock_us;
    const thinks = game.to_move === color && game.since !== null && game.ended === null;
    const whole = clock ?? (thinks ? game.limit_us : null);
    if (whole === null || !thinks) return whole;
    // A state that the server sent again may be old: the freshest message shows how old.
    const [at, since] = [Date.parse(game.at), Date.parse(game.since ?? "")];
    if (!Number.isFinite(since)) return whole;
    // Nobody knows how it went on while the server is lost.
    const now = this.lost?.since ?? performance.now();
    const fromReceipt = (Number.isFinite(at) ? at : since) + now - received;
    return Math.max(0, whole - Math.max(0, Math.max(fromReceipt, now + this.#ahead) - since) * 1000);
  }
}
