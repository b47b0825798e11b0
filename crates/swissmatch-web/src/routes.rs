//! The answer to each address. All of them are read-only.
//!
//! May not: know who may ask (`admission`); make what is answered.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{ConnectInfo, Path, Query, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::get;
use serde::Deserialize;
use swissmatch_run::chosen::Which;

use super::admission::{Admission, HEALTH, admit};
use super::content::{JSON, ResponseContent};
use super::index;
use super::news::Slots;
use super::pgn;
use super::places::{Visitor, VisitorPlaces};
use super::site::Site;
use super::stop::Stop;
use super::stream::events;

/// Headers that every answer has.
const HEADERS: [(&str, &str); 5] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src data:; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
];

pub(super) struct ServedSites {
    pub(super) sites: Vec<Arc<Site>>,
    /// Script and style, by the ends of their addresses.
    pub(super) assets: Vec<(String, ResponseContent)>,
    pub(super) stop: Arc<Stop>,
    /// Places for readers of a stream, so that others remain for what is answered at once.
    pub(super) streams: Arc<VisitorPlaces>,
    pub(super) is_behind_proxy: bool,
}

pub(super) fn router(served: &Arc<ServedSites>, admission: Admission) -> Router {
    let health = Router::new()
        .route(HEALTH, get(|| async { "ok\n" }))
        // Browsers ask for it by themselves.
        .route("/favicon.ico", get(|| async { StatusCode::NO_CONTENT }));
    let mut router = match &served.sites[..] {
        [only] => of_site(only, served),
        several => {
            let list = Router::new().route("/", get(list)).with_state(Arc::clone(served));
            several.iter().fold(list.merge(assets(served)), |router, site| {
                let (path, name) = (format!("/{}", site.name), site.name.clone());
                let to_page = get(move || async move { Redirect::permanent(&format!("{name}/")) });
                // An address without a slash at its end would find the files of another page.
                router
                    .route(&path, to_page)
                    .nest(&format!("{path}/"), of_site(site, served))
            })
        }
    };
    router = router.merge(health).fallback(nothing);
    router
        .layer(from_fn_with_state(admission, admit))
        .layer(map_response(with_headers))
}

/// The addresses of one run.
fn of_site(site: &Arc<Site>, served: &Arc<ServedSites>) -> Router {
    let own = Router::new()
        .route("/", get(page))
        .route("/event.json", get(data))
        .route("/feed.json", get(feed))
        .route("/games.pgn", get(all_games))
        .route("/games/{file}", get(games))
        .route("/live/{file}", get(live))
        .route("/rounds/{file}", get(games_of_round))
        .route("/agents/{file}", get(games_of_agent))
        .route("/events", get(stream))
        .route("/news", get(news))
        .with_state((Arc::clone(site), Arc::clone(served)));
    own.merge(assets(served))
}

fn assets(served: &Arc<ServedSites>) -> Router {
    served.assets.iter().fold(Router::new(), |router, (name, content)| {
        let content = content.clone();
        let answer = move |headers: HeaderMap| async move { content.answer(&headers) };
        router.route(&format!("/{name}"), get(answer))
    })
}

type OfSite = State<(Arc<Site>, Arc<ServedSites>)>;

async fn page(State((site, _)): OfSite, asked: HeaderMap) -> Response {
    site.ready().map_or_else(not_ready, |ready| ready.page.answer(&asked))
}

async fn data(State((site, _)): OfSite, asked: HeaderMap) -> Response {
    site.ready().map_or_else(not_ready, |ready| ready.data.answer(&asked))
}

async fn feed(State((site, _)): OfSite, asked: HeaderMap) -> Response {
    let answered = tokio::task::spawn_blocking(move || site.feed(&asked)).await;
    answered.map_or_else(
        |_| StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        |feed| feed.unwrap_or_else(not_ready),
    )
}

async fn all_games(State((site, _)): OfSite) -> Response {
    pgn::answer(site, Which::All).await
}

async fn games_of_round(of_site: OfSite, Path(file): Path<String>) -> Response {
    games_in("rounds", of_site, &file).await
}

async fn games_of_agent(of_site: OfSite, Path(file): Path<String>) -> Response {
    games_in("agents", of_site, &file).await
}

async fn games_in(folder: &str, State((site, _)): OfSite, file: &str) -> Response {
    match pgn::which(folder, file) {
        Some(which) => pgn::answer(site, which).await,
        None => nothing().await,
    }
}

async fn games(of_site: OfSite, Path(file): Path<String>, asked: HeaderMap) -> Response {
    let Some(name) = file.strip_suffix(".json").map(str::to_owned) else {
        return games_in("games", of_site, &file).await;
    };
    let State((site, _)) = of_site;
    let answered = tokio::task::spawn_blocking(move || site.games(&name, &asked)).await;
    answered.unwrap_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response())
}

#[derive(Deserialize)]
struct AskedOfGame {
    from: Option<usize>,
}

async fn live(
    State((site, _)): OfSite,
    Path(file): Path<String>,
    Query(of_game): Query<AskedOfGame>,
    asked: HeaderMap,
) -> Response {
    match file.strip_suffix(".json") {
        Some(name) => site.under_way.answer(name, of_game.from.unwrap_or(0), &asked),
        None => nothing().await,
    }
}

#[derive(Deserialize)]
struct NewsQuery {
    slots: Option<String>,
    after: Option<u64>,
}

async fn stream(
    State((site, served)): OfSite,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Query(asked): Query<NewsQuery>,
    headers: HeaderMap,
) -> Response {
    let visitor = Visitor::at(peer.ip());
    let visitor = match served.is_behind_proxy {
        true => visitor.behind_proxy(&headers),
        false => visitor,
    };
    let Some(place) = served.streams.take(visitor) else {
        let why = "As many follow the news as this server can serve; ask for `news` now and then instead.\n";
        return (StatusCode::SERVICE_UNAVAILABLE, [("retry-after", "60")], why).into_response();
    };
    let last = headers.get("last-event-id").and_then(|last| last.to_str().ok());
    let after = last.and_then(|last| last.parse().ok()).or(asked.after).unwrap_or(0);
    let events = events(
        Arc::clone(&site.news),
        after,
        Slots::read(asked.slots.as_deref()),
        served.stop.stage(),
        place,
    );
    let headers = [
        (CONTENT_TYPE, "text/event-stream"),
        (CACHE_CONTROL, "no-store"),
        // A proxy on the way would otherwise collect the stream before it passes it on.
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    (headers, axum::body::Body::from_stream(events)).into_response()
}

async fn news(State((site, _)): OfSite, Query(asked): Query<NewsQuery>) -> Response {
    let text = site
        .news
        .json_after(asked.after.unwrap_or(0), &Slots::read(asked.slots.as_deref()));
    ([(CONTENT_TYPE, JSON), (CACHE_CONTROL, "no-store")], text).into_response()
}

async fn list(State(served): State<Arc<ServedSites>>) -> Response {
    let headers = [(CONTENT_TYPE, "text/html; charset=utf-8"), (CACHE_CONTROL, "no-cache")];
    (headers, index::html(&served.sites)).into_response()
}

async fn nothing() -> Response {
    (StatusCode::NOT_FOUND, "There is nothing at this address.\n").into_response()
}

fn not_ready() -> Response {
    let headers = [("retry-after", "1")];
    (
        StatusCode::SERVICE_UNAVAILABLE,
        headers,
        "The page is being made; try again in a moment.\n",
    )
        .into_response()
}

async fn with_headers(mut answer: Response) -> Response {
    for (name, value) in HEADERS {
        answer
            .headers_mut()
            .insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    answer
}
