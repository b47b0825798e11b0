// The one connection to the server of a page that is watched live: a stream, and polling where no stream passes.
import { type Message, readMessage, readNews, TYPES } from "./messages";
import type { Store } from "./store";

/** Times in milliseconds. */
const TIMES = {
  /** A loss is told after this. */
  told: 3_000,
  /** After so long without a message the server is asked whether there was one. */
  silence: 40_000,
  /** A change of the boards in view opens the stream anew after this. */
  slots: 500,
  begin: 150,
  poll: 2_000,
  /** While it polls, the page tries a stream this often. */
  again: 60_000,
  /** Between two tries of a stream that the browser has given up. */
  retry: 2_000,
  refused: 15_000,
  /** A new stream begins with all that is known: one that has nothing for so long does not pass. */
  first: 6_000,
};
/** A stream that could not be opened so often in a row does not pass. */
const MOST_FAILURES = 3;

/** Whether a stream of these slots does for those: it is not opened anew for a few that are no longer looked at. */
function suffices(asked: string, wanted: string): boolean {
  if (asked === wanted) return true;
  const [has, needs] = [asked, wanted].map((each) => /^slots=([\d,]+)$/.exec(each)?.[1]?.split(",") ?? null);
  return !!has && !!needs && has.length <= needs.length + SPARE && needs.every((each) => has.includes(each));
}
/** So many games too many may be sent. */
const SPARE = 4;

export class Connection {
  readonly #store: Store;
  readonly #take: (message: Message) => void;
  #stream: EventSource | null = null;
  #asked = "";
  #number = 0;
  #failures = 0;
  #polling = false;
  #triedStream = 0;
  #lost: number | undefined;
  #silence: number | undefined;
  #next: number | undefined;
  #reopen: number | undefined;

  constructor(store: Store, take: (message: Message) => void) {
    this.#store = store;
    this.#take = take;
    store.onWanted = () => this.#slotsChanged();
    document.addEventListener("visibilitychange", () => this.#slotsChanged());
    // Opened when it is known which boards are in view.
    this.#expectLoss();
    this.#reopen = window.setTimeout(() => this.#open(), TIMES.begin);
  }

  #slots(): string {
    if (document.hidden) return "slots=none";
    const wanted = this.#store.wanted();
    if (wanted === "all") return "";
    return wanted.size === 0 ? "slots=none" : `slots=${[...wanted].sort((a, b) => a - b).join(",")}`;
  }

  #slotsChanged(): void {
    if (this.#stream === null && !this.#polling) {
      if (this.#triedStream === 0) this.#open();
      return;
    }
    clearTimeout(this.#reopen);
    this.#reopen = window.setTimeout(() => {
      if (suffices(this.#asked, this.#slots())) return;
      if (this.#polling) {
        // All is asked for again: states of other games are there.
        this.#asked = this.#slots();
        this.#number = 0;
      } else this.#open();
    }, TIMES.slots);
  }

  #open(): void {
    this.#stream?.close();
    clearTimeout(this.#next);
    clearTimeout(this.#reopen);
    this.#polling = false;
    this.#triedStream = performance.now();
    this.#asked = this.#slots();
    this.#store.forgetTime();
    const stream = new EventSource(this.#asked === "" ? "events" : `events?${this.#asked}`);
    this.#stream = stream;
    let begun = false;
    const first = window.setTimeout(() => !begun && this.#failed(stream, true), TIMES.first);
    const alive = () => {
      begun = true;
      clearTimeout(first);
      this.#failures = 0;
      this.#alive();
    };
    // The browser has opened it again by itself.
    stream.addEventListener("open", () => begun && alive());
    for (const type of TYPES) {
      stream.addEventListener(type, (event: MessageEvent<string>) => {
        if (stream !== this.#stream) return;
        const number = Number(event.lastEventId);
        if (event.lastEventId !== "" && Number.isFinite(number)) this.#number = number;
        alive();
        this.#read(type, () => JSON.parse(event.data) as unknown);
      });
    }
    stream.addEventListener("error", () => this.#failed(stream));
    this.#listen();
  }

  #read(type: string, data: () => unknown): void {
    try {
      const message = readMessage(type, data());
      if (message) this.#take(message);
    } catch (error) {
      console.warn(`A message of the server (${type}) cannot be read.`, error);
    }
  }

  /** Something came. */
  #alive(): void {
    clearTimeout(this.#lost);
    this.#lost = undefined;
    this.#store.setLink("open");
    this.#listen();
  }

  #listen(): void {
    clearTimeout(this.#silence);
    this.#silence = window.setTimeout(() => void this.#askAfterSilence(), TIMES.silence);
  }

  /** The browser shows no sign of life of a stream without messages: what the server says tells a dead stream from a quiet event. */
  async #askAfterSilence(): Promise<void> {
    const stream = this.#stream;
    if (stream === null) return;
    const missed = await this.#news().then((read) => read.number !== this.#number && read.news.length > 0, () => true);
    if (stream !== this.#stream) return;
    if (missed) {
      this.#expectLoss();
      this.#open();
    } else this.#listen();
  }

  /** A loss is told when it lasts. */
  #expectLoss(): void {
    if (this.#lost !== undefined || this.#store.link === "lost" || this.#store.link === "refused") return;
    this.#lost = window.setTimeout(() => this.#store.setLink("lost"), TIMES.told);
  }

  #failed(stream: EventSource, silent = false): void {
    if (stream !== this.#stream) return;
    this.#failures += 1;
    this.#expectLoss();
    // A stream that is opened and stays silent is held back on the way, and so would be the next.
    if (silent || this.#failures >= MOST_FAILURES) {
      this.#close();
      void this.#poll();
    } else if (stream.readyState === EventSource.CLOSED) {
      this.#close();
      this.#next = window.setTimeout(() => void this.#retry(), this.#failures === 1 ? 300 : TIMES.retry);
    }
  }

  #close(): void {
    this.#stream?.close();
    this.#stream = null;
    clearTimeout(this.#silence);
    clearTimeout(this.#next);
  }

  /** The browser does not say why it gave a stream up: the server is asked whether it wants a token. */
  async #retry(): Promise<void> {
    await this.#news().catch(() => undefined);
    if (this.#store.link === "refused") this.#next = window.setTimeout(() => void this.#retry(), TIMES.refused);
    else this.#open();
  }

  async #news() {
    const slots = this.#slots();
    const answer = await fetch(`news?after=${this.#number}${slots === "" ? "" : `&${slots}`}`, { cache: "no-store" });
    if (answer.status === 401) {
      clearTimeout(this.#lost);
      this.#lost = undefined;
      this.#store.setLink("refused");
    } else if (answer.ok && this.#store.link === "refused") this.#store.setLink("connecting");
    if (!answer.ok) throw new Error(`the server says ${answer.status}`);
    return readNews(await answer.json());
  }

  async #poll(): Promise<void> {
    if (!this.#polling) {
      this.#polling = true;
      this.#asked = this.#slots();
      this.#number = 0;
    }
    const wasLost = this.#store.link === "lost";
    try {
      const read = await this.#news();
      this.#alive();
      clearTimeout(this.#silence);
      // A server that was started again may count from elsewhere.
      this.#number = read.number < this.#number ? 0 : read.number;
      for (const each of read.news) this.#read(each.type, () => each.data);
      // The server is back, or the way to it may be free again.
      if (wasLost || performance.now() - this.#triedStream > TIMES.again) {
        this.#failures = MOST_FAILURES - 1;
        this.#open();
        return;
      }
    } catch {
      this.#expectLoss();
    }
    this.#next = window.setTimeout(() => void this.#poll(), this.#store.link === "refused" ? TIMES.refused : TIMES.poll);
  }
}
