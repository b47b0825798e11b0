//! One request and its answer.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Incoming;
use hyper::{Request, Response};
use tokio::time::timeout;

use super::super::endpoint::Endpoint;
use super::super::grade::{self, Fault};
use super::super::http::{Http, HttpRequest, NAME, asked_to_wait};
use super::super::reply::{LONGEST, ModelAnswer};
use super::super::sse::{SseLines, TooLong};
use super::super::wire::Reply;

/// The most bytes of an answer, with everything around its texts.
const LONGEST_BODY: usize = 4 * LONGEST;
/// The most bytes of an error's text.
const LONGEST_ERROR: usize = 64 << 10;
/// How long silence is accepted if nobody sets a limit.
const SILENCE: Duration = Duration::from_mins(10);
/// How long the rest of an error, and the end of a stream, are waited for.
const ERROR: Duration = Duration::from_secs(10);
const END: Duration = Duration::from_millis(5);

/// When bytes with content came: blank lines and comments only keep a connection open.
#[derive(Debug, Default)]
pub(super) struct HeardTimes(Mutex<Option<(Instant, Instant)>>);

impl HeardTimes {
    fn read(&self) -> Option<(Instant, Instant)> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) {
        let now = Instant::now();
        let first = self.first().unwrap_or(now);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((first, now));
    }

    pub(super) fn first(&self) -> Option<Instant> {
        self.read().map(|(first, _)| first)
    }

    pub(super) fn last(&self) -> Option<Instant> {
        self.read().map(|(_, last)| last)
    }
}

/// The request that carries a call to the endpoint.
pub(super) fn request(endpoint: &Endpoint, body: Bytes) -> Result<HttpRequest, Fault> {
    let mut request = Request::post(endpoint.address())
        .header("user-agent", NAME)
        .header("content-type", "application/json");
    if let Some(key) = endpoint.key.as_ref().and_then(|key| key.header()) {
        request = request.header("authorization", key);
    }
    request
        .body(Full::new(body))
        .map_err(|error| Fault::transport(error.to_string()))
}

/// Sends a request and reads its answer; the part that has come is in `answer` in any case.
pub(super) async fn exchange(
    http: &Http,
    request: HttpRequest,
    (answer, heard): (&mut ModelAnswer, &HeardTimes),
) -> Result<Reply, Fault> {
    let response = timeout(SILENCE, http.send(request)).await;
    let response = response.map_err(|_| Fault::transport("the service does not answer"))??;
    let status = response.status();
    if !status.is_success() {
        let wait = asked_to_wait(response.headers());
        let body = Limited::new(response.into_body(), LONGEST_ERROR).collect();
        let body = timeout(ERROR, body).await.ok().and_then(Result::ok);
        let body = body.map(|body| body.to_bytes()).unwrap_or_default();
        heard.now();
        return Err(grade::of_status(status.as_u16(), &body).after(wait));
    }
    match is_stream(&response) {
        true => streamed(response.into_body(), (answer, heard)).await,
        false => whole(response.into_body(), (answer, heard)).await,
    }
}

fn is_stream(response: &Response<Incoming>) -> bool {
    let kind = response
        .headers()
        .get("content-type")
        .and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("text/event-stream"))
}

/// The next bytes; `None` at the end.
async fn bytes(body: &mut Incoming, read: &mut usize) -> Result<Option<Bytes>, Fault> {
    loop {
        let frame = timeout(SILENCE, body.frame());
        let frame = frame
            .await
            .map_err(|_| Fault::transport("the service has stopped in the middle of its answer"))?;
        let Some(frame) = frame else { return Ok(None) };
        let frame = frame.map_err(|error| Fault::transport(format!("the answer was cut: {error}")))?;
        let Ok(data) = frame.into_data() else { continue };
        *read += data.len();
        if *read > LONGEST_BODY {
            return Err(Fault::transport("the service's answer has no end"));
        }
        return Ok(Some(data));
    }
}

async fn whole(mut body: Incoming, (answer, heard): (&mut ModelAnswer, &HeardTimes)) -> Result<Reply, Fault> {
    let mut text = Vec::new();
    let mut read = 0;
    while let Some(data) = bytes(&mut body, &mut read).await? {
        if data.iter().any(|byte| !byte.is_ascii_whitespace()) {
            heard.now();
        }
        text.extend_from_slice(&data);
    }
    answer.take(text.trim_ascii())?;
    answer.whole()
}

async fn streamed(mut body: Incoming, (answer, heard): (&mut ModelAnswer, &HeardTimes)) -> Result<Reply, Fault> {
    let too_long = |TooLong| Fault::transport("a line of the service's stream has no end");
    let mut lines = SseLines::default();
    let mut read = 0;
    while !answer.is_done() {
        let Some(data) = bytes(&mut body, &mut read).await? else {
            if let Some(data) = lines.last_data() {
                heard.now();
                answer.take(&data)?;
            }
            break;
        };
        lines.push(&data).map_err(too_long)?;
        while let Some(data) = lines.next_data() {
            heard.now();
            answer.take(&data)?;
        }
    }
    if answer.is_done() {
        // A connection whose answer was read to its end can be kept.
        let _ = timeout(END, async { while let Some(Ok(_)) = body.frame().await {} }).await;
    }
    answer.end()
}

/// True if the request gets any byte with content.
pub(super) async fn has_byte(http: &Http, request: HttpRequest) -> bool {
    let Ok(response) = http.send(request).await else {
        return false;
    };
    let status = response.status();
    let is_stream = is_stream(&response);
    let mut body = response.into_body();
    let mut lines = SseLines::default();
    while status.is_success() {
        let Some(Ok(frame)) = body.frame().await else {
            return false;
        };
        let Ok(data) = frame.into_data() else { continue };
        let says_something = match is_stream {
            true => lines.push(&data).is_err() || lines.next_data().is_some(),
            false => data.iter().any(|byte| !byte.is_ascii_whitespace()),
        };
        if says_something {
            return true;
        }
    }
    true
}
