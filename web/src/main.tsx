// The beginning: reads the event, and shows what the address names.
import "uplot/dist/uPlot.min.css";
import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";
import "./style/all.css";
import { render } from "preact";
import { eventOfPage } from "./data";
import { offerRounds } from "./download/download";
import { offerSearch } from "./find";
import { addHallLink, Hall, isHall } from "./hall/hall";
import { isLive, Live } from "./live/live";
import { parse, type Route } from "./route";
import { Scrolled } from "./scrolled";
import { Sections } from "./sections";
import { plain } from "./text";
import type { PageEvent } from "./types";
import { AgentView } from "./views/agent";
import { GameView } from "./views/game";
import { MatchView } from "./views/match";
import { absent, Missing, sentence } from "./views/missing";
import { blackOf, matchName, nameOf, points, result, whiteOf } from "./words";

interface Shown {
  title: string;
  /** The section whose link is marked. */
  link: string;
  view: preact.ComponentChild;
}

/** The view of a route; null where the event has no such thing. */
function viewOf(event: PageEvent, route: Route): Shown | null {
  if (route.view === "agent") {
    const player = event.players[route.number - 1];
    if (!player) return null;
    return { title: nameOf(event, player.number), link: "agents", view: <AgentView key={route.number} event={event} player={player} /> };
  }
  if (route.view === "section") return null;
  const match = event.mini_matches.find((each) => each.id === route.id);
  if (!match) return null;
  if (route.view === "match") {
    const score = `${points(match.points[0])} – ${points(match.points[1])}`;
    return {
      title: `${nameOf(event, match.white)} ${score} ${nameOf(event, match.black)}, ${matchName(match)}`,
      link: "rounds",
      view: <MatchView key={match.id} event={event} match={match} />,
    };
  }
  if (route.game < 1 || route.game > match.results.length) return null;
  const ended = match.results[route.game - 1];
  return {
    title: `${nameOf(event, whiteOf(match, route.game))} ${ended === "." ? "–" : result(ended)} ${nameOf(event, blackOf(match, route.game))}, ${matchName(match)}, game ${route.game}`,
    link: "rounds",
    view: <GameView key={`${match.id}.${route.game}`} event={event} match={match} number={route.game} ply={route.ply} />,
  };
}

/** What is said of a route that leads to nothing; null where it leads to a section. */
function missingOf(event: PageEvent, route: Route): Shown | null {
  const found = absent(event, route);
  if (found === null || (route.view === "section" && document.getElementById(route.id))) return null;
  return { title: sentence(found).replace(/\.$/, ""), link: found.link, view: <Missing event={event} found={found} /> };
}

/** What stands for the route: a change of it is a change of view. */
function nameOfView(route: Route, section: string): string {
  if (route.view === "game") return `game ${route.id}.${route.game}`;
  if (route.view === "match") return `match ${route.id}`;
  if (route.view === "agent") return `agent ${route.number}`;
  return section === "app" ? `missing ${route.id}` : `section ${section}`;
}

function focus(heading: HTMLElement): void {
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** Opens what folds a place away. */
function unfold(place: Element): void {
  for (let each = place.closest("details"); each; each = each.parentElement?.closest("details") ?? null) each.open = true;
}

/** What scrolls in what was opened can be scrolled by keyboard. */
function reach(opened: Element): void {
  for (const text of opened.querySelectorAll("pre")) {
    if (text.scrollWidth > text.clientWidth || text.scrollHeight > text.clientHeight) text.tabIndex = 0;
  }
}

/** Why something is shown. */
type Why = "start" | "moved" | "news";

function begin(): void {
  const main = document.getElementById("main");
  if (!main) return;
  const sections = new Sections(main, isLive());
  let event: PageEvent | null = null;
  try {
    event = eventOfPage();
  } catch (error) {
    console.warn("The data of the event cannot be read, so that only the tables are shown.", error);
  }
  let current = "";
  const scrolled = new Scrolled();

  const show = (why: Why) => {
    const eventName = plain(event?.event ?? document.querySelector(".event")?.textContent ?? "", 120);
    const route = parse(location.hash);
    const shown = event && (viewOf(event, route) ?? missingOf(event, route));
    const place = shown ? null : sections.find(route.view === "section" ? route.id : "");
    render(shown ? shown.view : null, sections.app);
    const section = shown ? sections.app : place?.section;
    if (!section) return;
    const name = nameOfView(shown ? route : { view: "section", id: "" }, section.id);
    if (event && section.id === "rounds") offerRounds(section, event);
    const changed = name !== current;
    current = name;
    sections.show(section, shown ? shown.link : section.id);
    const heading = section.querySelector<HTMLElement>("h1");
    document.title = [shown?.title ?? plain(heading?.textContent ?? ""), eventName].filter((each) => each !== "").join(" – ");
    if (why === "news") return;
    if (place?.target) unfold(place.target);
    if (scrolled.back()) {
      if (changed && why === "moved" && heading) focus(heading);
    } else if (place?.target) {
      place.target.scrollIntoView();
      if (why === "moved") focus(place.target.querySelector<HTMLElement>("h1, h2, h3") ?? place.target);
    } else if (changed && why === "moved") {
      window.scrollTo(0, 0);
      if (heading) focus(heading);
    }
  };

  document.querySelector("a.skip")?.addEventListener("click", (click) => {
    click.preventDefault();
    main.tabIndex = -1;
    main.focus();
  });
  document.addEventListener("toggle", ({ target }) => reach(target as Element), true);
  let onNews = () => show("news");
  const live = event && isLive() ? new Live(sections, event, (news) => {
    event = news;
    onNews();
  }) : null;
  if (event && isHall()) {
    const hall = new Hall(main, event, live);
    onNews = () => event && hall.news(event);
    return;
  }
  window.addEventListener("hashchange", () => show("moved"));
  addHallLink();
  offerSearch(() => event);
  show("start");
}

begin();
