//! Who may see what is served: this machine alone, everybody, or whoever has the token.
//!
//! Without a token, a server on a loopback address answers only requests that name such an address. Otherwise a page from elsewhere could
//! have a browser on this machine read it under a name of its own. May not: say what a token is.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, COOKIE, HOST, LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use swissmatch_host::files;
use swissmatch_host::store::sha256;

/// Shows whoever watches over the server that it is there; they have no token.
pub(super) const HEALTH: &str = "/healthz";
/// The beginning of the name of the cookie that marks a browser which has shown the token. A browser sends cookies to all servers of a
/// machine, whatever their ports, so each token has a name of its own.
const PASS: &str = "swissmatch_pass_";
/// Shorter tokens could be guessed.
const SHORTEST: usize = 16;
const LONGEST: u64 = 4096;

#[derive(Clone)]
pub enum Admission {
    ThisMachine,
    Public,
    /// Whoever has this token, of which only the hash is kept.
    Token(String),
}

impl fmt::Debug for Admission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ThisMachine => "ThisMachine",
            Self::Public => "Public",
            Self::Token(_) => "Token",
        })
    }
}

/// Why a file gives no token.
#[derive(Debug, thiserror::Error)]
pub enum TokenFileError {
    #[error("the token's file cannot be read: {0}")]
    Unread(io::Error),
    /// Others may read it.
    #[error("other users may read {0}; `chmod 600 {0}` mends that")]
    Open(PathBuf),
    /// It does not hold a token.
    #[error(
        "{0} must hold a token of {SHORTEST} or more letters, digits, `-`, `_` or `.`; `openssl rand -hex 16 > {0}` makes one"
    )]
    NotOne(PathBuf),
}

impl Admission {
    /// Admits whoever has the token in this file.
    ///
    /// # Errors
    /// When the file holds no token, or others may read it.
    pub fn by_token(file: &Path) -> Result<Self, TokenFileError> {
        let opened = files::open_plain(file).map_err(|error| TokenFileError::Unread(files::about(file, &error)))?;
        let mode = opened.metadata().map_err(TokenFileError::Unread)?.mode();
        if mode & 0o077 != 0 {
            return Err(TokenFileError::Open(file.to_path_buf()));
        }
        let text = files::read_at_most(opened, LONGEST).map_err(TokenFileError::Unread)?;
        let text = String::from_utf8(text).unwrap_or_default();
        let token = text.trim();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        match token.len() >= SHORTEST && token.chars().all(is_plain) {
            true => Ok(Self::Token(sha256(token.as_bytes()))),
            false => Err(TokenFileError::NotOne(file.to_path_buf())),
        }
    }

    /// Whether a server with this admission may listen at this address.
    pub fn may_listen_at(&self, address: SocketAddr) -> bool {
        address.ip().is_loopback() || !matches!(self, Self::ThisMachine)
    }
}

/// Turns away whoever may not see what is served.
pub(super) async fn admit(State(admission): State<Admission>, request: Request, next: Next) -> Response {
    let (headers, address) = (request.headers(), request.uri());
    let refused = match &admission {
        Admission::Public => None,
        Admission::ThisMachine if is_named_loopback(headers) => None,
        Admission::ThisMachine => Some((
            StatusCode::MISDIRECTED_REQUEST,
            "This page is shown on this machine alone, by the name localhost or by its address.\n",
        )),
        // Whoever watches over the server has no token.
        Admission::Token(_) if address.path() == HEALTH => None,
        Admission::Token(hash) => match shown(headers, address, hash) {
            Credential::InAddress(token) if is_it(hash, &sha256(token.as_bytes())) => {
                return without_token(hash, address);
            }
            Credential::Bearer(token) if is_it(hash, &sha256(token.as_bytes())) => None,
            // The hash of the token, so that a cookie does not tell the token.
            Credential::Pass(pass) if is_it(hash, pass) => None,
            Credential::InAddress(_) | Credential::Bearer(_) => Some((
                StatusCode::UNAUTHORIZED,
                "This token is not the one of this page. Ask the organizer for the address with the right one.\n",
            )),
            Credential::Pass(_) | Credential::Nothing => Some((
                StatusCode::UNAUTHORIZED,
                "A token is needed: open the address with ?token=… at its end, as the organizer gives it.\n",
            )),
        },
    };
    match refused {
        Some(refused) => refused.into_response(),
        None => next.run(request).await,
    }
}

/// What a request shows to be let in.
enum Credential<'a> {
    InAddress(&'a str),
    Bearer(&'a str),
    Pass(&'a str),
    Nothing,
}

fn shown<'a>(headers: &'a HeaderMap, address: &'a Uri, hash: &str) -> Credential<'a> {
    let query = address.query().unwrap_or_default();
    if let Some(token) = query.split('&').find_map(|part| part.strip_prefix("token=")) {
        return Credential::InAddress(token);
    }
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    if let Some(token) = text(AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer ")) {
        return Credential::Bearer(token.trim());
    }
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut cookies = cookies.flat_map(|value| value.split(';')).map(str::trim);
    let name = pass_name(hash);
    let pass = cookies.find_map(|cookie| cookie.strip_prefix(&name)?.strip_prefix('='));
    pass.map_or(Credential::Nothing, Credential::Pass)
}

/// The name of the cookie of the token with this hash.
fn pass_name(hash: &str) -> String {
    format!("{PASS}{}", &hash[..8])
}

/// Compares hashes in a time that does not depend on where they differ.
fn is_it(hash: &str, shown: &str) -> bool {
    let differs = hash
        .bytes()
        .zip(shown.bytes())
        .fold(0, |differs, (a, b)| differs | (a ^ b));
    hash.len() == shown.len() && differs == 0
}

/// Sends a browser to the same address without the token, which then stays in no history. The browser keeps a pass.
fn without_token(hash: &str, address: &Uri) -> Response {
    let query = address.query().unwrap_or_default();
    let others: Vec<&str> = query.split('&').filter(|part| !part.starts_with("token=")).collect();
    let query = if others.is_empty() {
        String::new()
    } else {
        format!("?{}", others.join("&"))
    };
    // Two slashes at its beginning would name another server, and to a browser a backslash is one.
    let path = format!("/{}", address.path().trim_start_matches(['/', '\\']));
    let headers = [
        (LOCATION, format!("{path}{query}")),
        // A cache on the way would give others the pass.
        (CACHE_CONTROL, "no-store".to_owned()),
        (
            SET_COOKIE,
            format!("{}={hash}; Path=/; HttpOnly; SameSite=Lax", pass_name(hash)),
        ),
    ];
    (StatusCode::SEE_OTHER, headers).into_response()
}

/// Whether the name in the request is one of this machine's own.
fn is_named_loopback(headers: &HeaderMap) -> bool {
    // Two names count as none: something on the way may have looked at the other one.
    let mut hosts = headers.get_all(HOST).iter();
    let (Some(host), None) = (hosts.next().and_then(|host| host.to_str().ok()), hosts.next()) else {
        return false;
    };
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    };
    let name = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}
