// The connection to the server of a page that is watched live: a stream, which windows of one browser share, and polling where no
// stream passes. A window that cannot be seen has none.
import { type Message, readMessage, readNews, TYPES } from "./messages";
import { Sharing } from "./sharing";
import type { Link, Store, Wanted } from "./store";

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
function suffices(asked: string | null, wanted: string): boolean {
  if (asked === wanted) return true;
  if (asked === null) return false;
  const [has, needs] = [asked, wanted].map((each) => /^slots=([\d,]+)$/.exec(each)?.[1]?.split(",") ?? null);
  return !!has && !!needs && has.length <= needs.length + SPARE && needs.every((each) => has.includes(each));
}
/** So many games too many may be sent. */
const SPARE = 4;

/** How these games are asked for. */
function slotsText(wanted: Wanted): string {
  if (wanted === "all") return "";
  return wanted.size === 0 ? "slots=none" : `slots=${[...wanted].sort((a, b) => a - b).join(",")}`;
}

type Held = [type: string, data: unknown][];

export class Connection {
  readonly #store: Store;
  readonly #take: (message: Message) => void;
  #stream: EventSource | null = null;
  /** The boards that were asked for last, in this turn; null before anything was. */
  #asked: string | null = null;
  #number = 0;
  #failures = 0;
  #polling = false;
  #triedStream = 0;
  #lost: number | undefined;
  #silence: number | undefined;
  #next: number | undefined;
  #reopen: number | undefined;
  readonly #sharing: Sharing;
  /** Whether this window is seen. */
  #isHere = false;
  /** What is under way belongs to this turn of having the stream, or of being told. */
  #turn = 0;
  /** What came while this window catches up. */
  #held: Held | null = null;

  constructor(store: Store, take: (message: Message) => void) {
    this.#store = store;
    this.#take = take;
    this.#sharing = new Sharing({
      leads: () => this.#lead(),
      follows: () => this.#follow(),
      hears: (type, data) => this.#hear(type, data),
      link: (link) => this.#heardOf(link),
      wants: () => this.#slotsChanged(),
      own: () => ({ slots: store.wanted(), link: store.link }),
    });
    store.onWanted = () => {
      if (this.#isHere) this.#sharing.say();
      this.#slotsChanged();
    };
    document.addEventListener("visibilitychange", () => this.#seen());
    // A page that is kept for the way back, and one that is back.
    window.addEventListener("pagehide", () => this.#leave());
    window.addEventListener("pageshow", () => this.#seen());
    this.#seen();
  }

  #seen(): void {
    if (document.hidden) this.#leave();
    else if (!this.#isHere) {
      this.#isHere = true;
      this.#expectLoss();
      this.#sharing.enter();
    }
  }

  #leave(): void {
    if (!this.#isHere) return;
    this.#isHere = false;
    this.#end();
    this.#foundOut();
    this.#sharing.leave();
  }

  /** Whatever this window does about news. */
  #end(): void {
    this.#turn += 1;
    this.#asked = null;
    this.#held = null;
    this.#polling = false;
    this.#close();
    clearTimeout(this.#reopen);
  }

  /** This window has the stream. It is opened when it is known which boards are in view. */
  #lead(): void {
    this.#end();
    this.#triedStream = 0;
    this.#reopen = window.setTimeout(() => this.#open(), TIMES.begin);
  }

  /** Another window has it. */
  #follow(): void {
    this.#end();
    this.#reopen = window.setTimeout(() => void this.#catchUp(), TIMES.begin);
  }

  /** All that is known; what comes meanwhile waits. */
  async #catchUp(): Promise<void> {
    const held: Held = [];
    this.#held = held;
    this.#number = 0;
    this.#asked = this.#slots();
    this.#store.forgetTime();
    const read = await this.#news().catch(() => null);
    if (this.#held !== held) return;
    this.#held = null;
    if (read !== null) {
      this.#alive();
      for (const each of read.news) this.#read(each.type, () => each.data);
    }
    for (const [type, data] of held) this.#read(type, () => data);
  }

  /** What came to the window that has the stream. */
  #hear(type: string, data: unknown): void {
    if (this.#held) this.#held.push([type, data]);
    else this.#read(type, () => data);
  }

  /** How that window is connected. */
  #heardOf(link: Link): void {
    if (link === "connecting") return;
    // It is back: what this window has may be old.
    if (link === "open" && ["lost", "refused"].includes(this.#store.link)) this.#follow();
    this.#linked(link);
  }

  #foundOut(): void {
    clearTimeout(this.#lost);
    this.#lost = undefined;
  }

  #linked(link: Link): void {
    this.#foundOut();
    if (this.#store.link === link) return;
    this.#store.setLink(link);
    if (this.#sharing.leads) this.#sharing.say();
  }

  #slots(): string {
    return slotsText(this.#sharing.leads ? this.#sharing.wanted() : this.#store.wanted());
  }

  #slotsChanged(): void {
    if (!this.#isHere) return;
    if (this.#sharing.leads && this.#stream === null && !this.#polling) {
      if (this.#triedStream === 0) this.#open();
      return;
    }
    clearTimeout(this.#reopen);
    this.#reopen = window.setTimeout(() => {
      if (suffices(this.#asked, this.#slots())) return;
      // All is asked for again: states of other games are there.
      if (!this.#sharing.leads) void this.#catchUp();
      else if (this.#polling) {
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
    const stream = new EventSource(!this.#asked ? "events" : `events?${this.#asked}`);
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
      const read = data();
      const message = readMessage(type, read);
      if (message === null) return;
      if (this.#sharing.leads) this.#sharing.pass(type, read);
      this.#take(message);
    } catch (error) {
      console.warn(`A message of the server (${type}) cannot be read.`, error);
    }
  }

  /** Something came. */
  #alive(): void {
    this.#linked("open");
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
    this.#lost = window.setTimeout(() => this.#linked("lost"), TIMES.told);
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
    const turn = this.#turn;
    await this.#news().catch(() => undefined);
    if (turn !== this.#turn) return;
    if (this.#store.link === "refused") this.#next = window.setTimeout(() => void this.#retry(), TIMES.refused);
    else this.#open();
  }

  async #news() {
    const slots = this.#slots();
    const answer = await fetch(`news?after=${this.#number}${slots === "" ? "" : `&${slots}`}`, { cache: "no-store" });
    if (answer.status === 401) this.#linked("refused");
    else if (answer.ok && this.#store.link === "refused") this.#linked("connecting");
    if (!answer.ok) throw new Error(`the server says ${answer.status}`);
    return readNews(await answer.json());
  }

  async #poll(): Promise<void> {
    if (!this.#polling) {
      this.#polling = true;
      this.#asked = this.#slots();
      this.#number = 0;
    }
    const [wasLost, turn] = [this.#store.link === "lost", this.#turn];
    try {
      const read = await this.#news();
      if (turn !== this.#turn) return;
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
      if (turn !== this.#turn) return;
      this.#expectLoss();
    }
    this.#next = window.setTimeout(() => void this.#poll(), this.#store.link === "refused" ? TIMES.refused : TIMES.poll);
  }
}
