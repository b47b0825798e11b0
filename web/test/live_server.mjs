// A stand-in for `swissmatch serve`, by the same contract (docs/page.md): the tests say what happens, and see what the page asks for.
import { createServer } from "node:http";
import { built, liveOf, POLICY } from "../sample/page.mjs";
import { columnsOf, cut, gameState, underWay } from "../sample/under_way.mjs";

const SINCE = 200;

export class LiveServer {
  event = underWay();
  state = "Round 5 of 5 · 18 of 48 games";
  /** Whether streams pass. */
  streams = true;
  needsToken = false;
  /** All that was asked for. */
  asked = [];
  #states = new Map();
  #number = SINCE;
  #open = new Set();
  #server;
  #port = 0;

  async start() {
    this.#server = createServer((request, answer) => this.#answer(request, answer));
    this.#server.keepAliveTimeout = 200;
    await new Promise((ready) => this.#server.listen(this.#port, "127.0.0.1", ready));
    this.#port = this.#server.address().port;
    return this;
  }

  get url() {
    return new URL(`http://127.0.0.1:${this.#port}/`);
  }

  /** Goes away at once; all numbers begin anew when it comes back. */
  async stop() {
    const closed = new Promise((done) => this.#server.close(done));
    this.#server.closeAllConnections();
    this.#open.clear();
    await closed;
    this.#number += 1000;
    for (const state of this.#states.values()) state.number = this.#number += 1;
  }

  /** The slots that open streams ask for. */
  get slots() {
    return [...this.#open].map(({ slots }) => slots);
  }

  /** The newest state of one thing. */
  set(type, key, data) {
    const state = { number: (this.#number += 1), type, data };
    this.#states.set(`${type} ${key}`, state);
    for (const each of this.#open) if (wants(each.slots, state)) each.answer.write(line(state));
  }

  run(more = {}) {
    this.set("run", "", { at_work: true, over: false, delay_ms: 0, live: true, slots: 2, ...more });
  }
  page(version = String(this.#number)) {
    this.set("page", "", { version });
  }
  game(slot, id, number, plies, more) {
    this.set("game", slot, gameState(this.event, slot, id, number, plies, more));
  }
  /** The newest state of a slot. */
  last(slot) {
    return this.#states.get(`game ${slot}`).data;
  }
  /** So many games of a mini-match have ended. */
  ended(id, games) {
    const match = cut(this.event, this.event.page.mini_matches.find((each) => each.id === id), games);
    this.set("match", id, JSON.parse(JSON.stringify(match)));
  }
  raw(text) {
    for (const { answer } of this.#open) answer.write(text);
  }

  #answer(request, answer) {
    const url = new URL(request.url, this.url);
    this.asked.push(url.pathname + url.search);
    const send = (type, body, status = 200) => answer.writeHead(status, { "content-type": type, "content-security-policy": POLICY, "cache-control": "no-cache" }).end(body);
    if (this.needsToken && !url.pathname.startsWith("/page.")) return send("text/plain", "a token is needed", 401);
    if (url.pathname === "/") return send("text/html; charset=utf-8", liveOf(this.event, this.state));
    if (url.pathname === "/page.0.js") return send("text/javascript; charset=utf-8", built("page.js"));
    if (url.pathname === "/page.0.css") return send("text/css; charset=utf-8", built("page.css"));
    if (url.pathname === "/favicon.ico") return answer.writeHead(204).end();
    if (url.pathname === "/events") return this.#stream(request, answer, url);
    if (url.pathname === "/news") {
      const [after, slots] = [Number(url.searchParams.get("after") ?? 0), url.searchParams.get("slots")];
      const news = [...this.#states.values()].filter((each) => each.number > after && wants(slots, each));
      return send("application/json", JSON.stringify({ number: this.#number, news: news.map(({ type, data }) => ({ type, data })) }));
    }
    const live = /^\/live\/([\dp.]+)\.(\d+)\.json$/.exec(url.pathname);
    const shown = live && [...this.#states.values()].find(({ type, data }) => type === "game" && data.id === `${live[1]}.${live[2]}`);
    if (shown) {
      const { plies } = shown.data;
      const columns = columnsOf(this.event, live[1], Number(live[2]), Number(url.searchParams.get("from") ?? 0), plies);
      return send("application/json", JSON.stringify({ schema: 1, id: shown.data.id, plies, columns }));
    }
    const games = /^\/games\/([\dp.]+)\.json$/.exec(url.pathname);
    const match = games && this.event.page.mini_matches.find((each) => each.id === games[1]);
    const all = match && this.event.matches.find((each) => each.match.id === match.id).games.games;
    if (all) return send("application/json", JSON.stringify({ schema: 1, games: all.filter((each) => match.results[each.game - 1] !== ".") }));
    return send("text/plain", "not found", 404);
  }

  #stream(request, answer, url) {
    if (!this.streams) return answer.writeHead(503).end();
    const after = Number(request.headers["last-event-id"] ?? 0);
    const open = { answer, slots: url.searchParams.get("slots") };
    answer.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    answer.write(": begin\n\nretry: 500\n\n");
    const states = [...this.#states.values()].sort((a, b) => a.number - b.number);
    for (const state of states) if (state.number > after && wants(open.slots, state)) answer.write(line(state));
    this.#open.add(open);
    answer.on("close", () => this.#open.delete(open));
    return undefined;
  }
}

function wants(slots, { type, data }) {
  if (type !== "game" || slots === null) return true;
  return slots !== "none" && slots.split(",").map(Number).includes(data.slot);
}

function line({ number, type, data }) {
  return `id: ${number}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}
