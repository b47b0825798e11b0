// Who of the windows of one browser has the stream: the one that holds a lock. It passes on what comes to the others, and knows which
// games they look at. Browsers give a server few connections, so that a stream each would leave none to load anything.
import type { Link, Wanted } from "./store";

/** Times in milliseconds. */
const TIMES = {
  /** Who has the stream says so this often, and the others say what they look at. */
  alive: 5_000,
  /** Who says nothing for so long is frozen, or has hung up: another takes over. */
  silence: 20_000,
  /** Not all of them at once. */
  spread: 3_000,
};

/** What windows tell each other. */
type Told =
  | { is: "message"; type: string; data: unknown }
  | { is: "alive"; who: string; link: Link }
  | { is: "wants"; who: string; slots: number[] | "all" }
  | { is: "gone"; who: string };

export interface Shares {
  /** This window has the stream from now on. */
  leads: () => void;
  /** Another one has it. */
  follows: () => void;
  /** What came to the one that has it. */
  hears: (type: string, data: unknown) => void;
  /** How that one is connected. */
  link: (link: Link) => void;
  /** Others look at other games. */
  wants: () => void;
  own: () => { slots: Wanted; link: Link };
}

export class Sharing {
  readonly #shares: Shares;
  readonly #name = `swissmatch ${new URL("./", location.href).pathname}`;
  readonly #me = Array.from(crypto.getRandomValues(new Uint32Array(2))).join("-");
  readonly #others = new Map<string, { slots: Wanted; heard: number }>();
  #channel: BroadcastChannel | null = null;
  #asks: AbortController | null = null;
  #release: (() => void) | null = null;
  #timer: number | undefined;
  #silence: number | undefined;
  /** Who has the stream, as far as this window has heard. */
  #leader = "";
  leads = false;

  constructor(shares: Shares) {
    this.#shares = shares;
  }

  /** This window is seen: it takes the stream, or shares that of another. */
  enter(): void {
    if (this.#channel || this.leads) return;
    // Only pages from this machine, or by HTTPS, are given locks.
    if (typeof BroadcastChannel === "undefined" || navigator.locks === undefined) {
      this.#lead();
      return;
    }
    this.#channel = new BroadcastChannel(this.#name);
    this.#channel.addEventListener("message", (event: MessageEvent<Told>) => this.#hear(event.data));
    this.#timer = window.setInterval(() => this.#beat(), TIMES.alive);
    void this.#ask(false);
    this.#follow();
  }

  /** It is not seen any more. */
  leave(): void {
    this.#tell({ is: "gone", who: this.#me });
    this.#channel?.close();
    this.#channel = null;
    this.leads = false;
    this.#asks?.abort();
    this.#asks = null;
    this.#release?.();
    this.#release = null;
    this.#others.clear();
    clearInterval(this.#timer);
    clearTimeout(this.#silence);
  }

  /** Who has the stream passes this on. */
  pass(type: string, data: unknown): void {
    this.#tell({ is: "message", type, data });
  }

  /** The games that all look at. */
  wanted(): Wanted {
    const all = [this.#shares.own().slots, ...[...this.#others.values()].map(({ slots }) => slots)];
    return all.includes("all") ? "all" : new Set(all.flatMap((each) => (each === "all" ? [] : [...each])));
  }

  /** Says at once what is new of this window. */
  say(): void {
    const { slots, link } = this.#shares.own();
    if (this.leads) this.#tell({ is: "alive", who: this.#me, link });
    else this.#tell({ is: "wants", who: this.#me, slots: slots === "all" ? "all" : [...slots] });
  }

  /** Waits for the lock, or takes it from one who is silent. */
  async #ask(takes: boolean): Promise<void> {
    this.#asks?.abort();
    const asks = new AbortController();
    this.#asks = asks;
    const holds = () =>
      new Promise<void>((release) => {
        if (asks.signal.aborted) {
          release();
          return;
        }
        this.#release = release;
        this.#lead();
      });
    // It ends when the lock is given back, when this window no longer waits, or when another takes the lock.
    await navigator.locks.request(this.#name, takes ? { steal: true } : { signal: asks.signal }, holds).catch(() => undefined);
    if (this.#asks !== asks) return;
    this.#release = null;
    this.leads = false;
    void this.#ask(false);
    this.#follow();
  }

  #lead(): void {
    this.leads = true;
    clearTimeout(this.#silence);
    this.say();
    this.#shares.leads();
  }

  #follow(): void {
    this.#listen();
    this.say();
    this.#shares.follows();
  }

  #listen(): void {
    clearTimeout(this.#silence);
    this.#silence = window.setTimeout(() => void this.#ask(true), TIMES.silence + Math.random() * TIMES.spread);
  }

  #beat(): void {
    for (const [who, { heard }] of this.#others) if (performance.now() - heard > TIMES.silence) this.#others.delete(who);
    this.say();
  }

  #hear(told: Told): void {
    if (told.is === "gone") {
      if (this.#others.delete(told.who)) this.#shares.wants();
    } else if (told.is === "wants") {
      const slots: Wanted = told.slots === "all" ? "all" : new Set(told.slots);
      this.#others.set(told.who, { slots, heard: performance.now() });
      this.#shares.wants();
    } else if (!this.leads) {
      this.#listen();
      if (told.is === "message") this.#shares.hears(told.type, told.data);
      else {
        if (told.who !== this.#leader) this.say();
        this.#leader = told.who;
        this.#shares.link(told.link);
      }
    }
  }

  #tell(told: Told): void {
    this.#channel?.postMessage(told);
  }
}
