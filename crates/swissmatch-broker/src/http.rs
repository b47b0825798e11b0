//! HTTP: kept connections, with TLS as this machine trusts it, without redirects and proxies.
//!
//! May not: try again what a server may have seen.

use std::error::Error;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::OnceLock;
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Incoming;
use hyper::{HeaderMap, Request, Response, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tower_service::Service;

use super::endpoint::ServiceKey;
use super::grade::Fault;
use super::reach::may_lead_to;
use super::wire::Failure;

/// The user agent of requests.
pub(crate) const NAME: &str = concat!("swissmatch/", env!("CARGO_PKG_VERSION"));
/// The time limit for connecting to one address.
const CONNECT: Duration = Duration::from_secs(10);
/// How long an unused connection is kept.
const KEPT: Duration = Duration::from_secs(20);
/// The most bytes of the head of an answer.
const LONGEST_HEAD: usize = 64 << 10;

pub(crate) type HttpRequest = Request<Full<Bytes>>;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Reach {
    /// Wherever the organizer says.
    Anywhere,
    /// Not into this machine or its network, unless the address itself is listed.
    Outside,
}

/// A client with TLS connections.
type Secure = Client<HttpsConnector<Connector>, Full<Bytes>>;

#[derive(Debug)]
pub(crate) struct Http {
    reach: Reach,
    plain: Client<Connector, Full<Bytes>>,
    /// The machine's trusted certificates are read when they are first needed.
    tls: OnceLock<Result<Secure, String>>,
}

impl Http {
    pub(crate) fn new(reach: Reach) -> Self {
        Self {
            reach,
            plain: client(Connector(reach)),
            tls: OnceLock::new(),
        }
    }

    /// Sends a request; the answer's body is still to come.
    ///
    /// # Errors
    /// When there is no answer, with the reason.
    pub(crate) async fn send(&self, request: HttpRequest) -> Result<Response<Incoming>, Fault> {
        let sent = match request.uri().scheme_str() {
            Some("https") => {
                let client = self.tls.get_or_init(|| Ok(client(trusting(Connector(self.reach))?)));
                let client = client.as_ref().map_err(|why| Fault::transport(why).free())?;
                client.request(request)
            }
            _ => self.plain.request(request),
        };
        sent.await.map_err(|error| {
            let whose = if is_untrusted(&error) {
                Failure::Configuration
            } else {
                Failure::Transport
            };
            match error.source().filter(|_| error.is_connect()) {
                Some(why) => Fault::new(whose, format!("no connection: {}", chain(why))).free(),
                None => Fault::new(whose, chain(&error)),
            }
        })
    }
}

fn client<C>(connector: C) -> Client<C, Full<Bytes>>
where
    C: hyper_util::client::legacy::connect::Connect + Clone,
{
    Client::builder(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(KEPT)
        .http1_max_buf_size(LONGEST_HEAD)
        .build(connector)
}

fn trusting(connector: Connector) -> Result<HttpsConnector<Connector>, String> {
    let provider = rustls::crypto::ring::default_provider();
    let builder = HttpsConnectorBuilder::new().with_provider_and_platform_verifier(provider);
    let builder = builder.map_err(|error| format!("this machine has nothing to trust a server by: {error}"))?;
    Ok(builder.https_or_http().enable_http1().wrap_connector(connector))
}

/// An error with its causes, each once.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let words = error.to_string();
        if !text.ends_with(&words) {
            text = format!("{text}: {words}");
        }
        cause = error.source();
    }
    text
}

/// True if this machine does not trust the server's certificate, which waiting does not mend.
fn is_untrusted(error: &(dyn Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        // An I/O error keeps its cause separately.
        let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        let inner = inner.and_then(|inner| inner.downcast_ref::<rustls::Error>());
        if let Some(rustls::Error::InvalidCertificate(_)) = inner {
            return true;
        }
        cause = error.source();
    }
    false
}

/// The wait that the header `Retry-After` asks for, in seconds or as a date.
pub(crate) fn asked_to_wait(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get("retry-after")?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = httpdate::parse_http_date(text).ok()?;
    Some(date.duration_since(SystemTime::now()).unwrap_or_default())
}

#[derive(Clone, Debug)]
struct Connector(Reach);

impl Service<Uri> for Connector {
    type Response = TokioIo<TcpStream>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Self::Response>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, address: Uri) -> Self::Future {
        let reach = self.0;
        Box::pin(async move {
            let host = address.host().unwrap_or_default().to_owned();
            let default = if address.scheme_str() == Some("https") { 443 } else { 80 };
            let port = address.port_u16().unwrap_or(default);
            let stream = connect(&host, port, reach).await?;
            stream.set_nodelay(true)?;
            Ok(TokioIo::new(stream))
        })
    }
}

async fn connect(host: &str, port: u16, reach: Reach) -> io::Result<TcpStream> {
    let name = host.trim_start_matches('[').trim_end_matches(']');
    let mut last = io::Error::new(io::ErrorKind::NotFound, format!("{host} has no address"));
    let found: Vec<SocketAddr> = tokio::net::lookup_host((name, port)).await?.collect();
    for place in found {
        if let Reach::Outside = reach
            && let Err(why) = may_lead_to(place, host, "the address must have that number")
        {
            last = io::Error::other(why);
            continue;
        }
        match timeout(CONNECT, TcpStream::connect(place)).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(error)) => last = io::Error::new(error.kind(), format!("{place}: {error}")),
            Err(_) => last = io::Error::new(io::ErrorKind::TimedOut, format!("{place} does not answer")),
        }
    }
    Err(last)
}

/// A client for callers that may block: one request after the other, on the calling thread.
#[derive(Debug)]
pub struct BlockingClient {
    runtime: tokio::runtime::Runtime,
    http: Http,
}

/// The answer of a server.
#[derive(Debug)]
pub struct HttpResponse {
    pub status: hyper::StatusCode,
    /// The wait that the header `Retry-After` asks for.
    pub wait: Option<Duration>,
    /// The body; empty if it could not be read or is too long.
    pub body: Bytes,
}

impl BlockingClient {
    ///
    /// # Errors
    /// When the machine refuses.
    pub fn new() -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .max_blocking_threads(1)
            .build()?;
        let http = Http::new(Reach::Anywhere);
        Ok(Self { runtime, http })
    }

    /// Posts a text, with the value of the header `Authorization`. Head and body of the answer are each given the
    /// time of `step`, and the body may have at most `most` bytes.
    ///
    /// # Errors
    /// When there is no answer, with the reason.
    pub fn post(
        &self,
        address: &str,
        authorization: &str,
        text: String,
        (step, most): (Duration, usize),
    ) -> Result<HttpResponse, String> {
        let request = Request::post(address)
            .header("user-agent", NAME)
            .header("authorization", authorization)
            .header("content-type", "text/plain; charset=utf-8")
            .body(Full::from(text));
        self.exchange(request, (step, most))
    }

    /// Gets an address, with a key if one is given; the limits are those of [`Self::post`].
    ///
    /// # Errors
    /// As for [`Self::post`].
    pub(crate) fn get(
        &self,
        address: &str,
        key: Option<&ServiceKey>,
        bounds: (Duration, usize),
    ) -> Result<HttpResponse, String> {
        let mut request = Request::get(address).header("user-agent", NAME);
        if let Some(key) = key.and_then(ServiceKey::header) {
            request = request.header("authorization", key);
        }
        self.exchange(request.body(Full::default()), bounds)
    }

    fn exchange(
        &self,
        request: hyper::http::Result<HttpRequest>,
        (step, most): (Duration, usize),
    ) -> Result<HttpResponse, String> {
        let request = request.map_err(|error| error.to_string())?;
        let late = |_| format!("no answer within {} s", step.as_secs());
        self.runtime.block_on(async {
            let answer = timeout(step, self.http.send(request))
                .await
                .map_err(late)?
                .map_err(|fault| fault.why)?;
            let (head, body) = answer.into_parts();
            let body = timeout(step, Limited::new(body, most).collect()).await;
            Ok(HttpResponse {
                status: head.status,
                wait: asked_to_wait(&head.headers),
                body: body
                    .ok()
                    .and_then(Result::ok)
                    .map(|body| body.to_bytes())
                    .unwrap_or_default(),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_asks_to_wait_in_seconds_or_until_a_date() {
        let wait = |text: String| {
            let mut headers = HeaderMap::new();
            headers.insert("retry-after", text.parse().expect("a value"));
            asked_to_wait(&headers)
        };
        assert_eq!(wait("2".to_owned()), Some(Duration::from_secs(2)));
        assert_eq!(wait("0.5".to_owned()), Some(Duration::from_millis(500)));
        assert_eq!(wait("soon".to_owned()), None);
        assert_eq!(wait("-1".to_owned()), None);
        let date = |at| wait(httpdate::fmt_http_date(at)).expect("a date");
        let ahead = date(SystemTime::now() + Duration::from_mins(1));
        assert!((58..=60).contains(&ahead.as_secs()), "{ahead:?}");
        assert_eq!(date(SystemTime::now() - Duration::from_mins(1)), Duration::ZERO);
    }
}
