//! Signatures by keys of OpenSSH, as `ssh-keygen -Y sign` makes them and `ssh-keygen -Y verify` checks them.
//!
//! Only Ed25519: every OpenSSH of the last ten years has it, and the same key and text always give the same signature.

use std::fmt;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use ssh_key::{Algorithm, HashAlg, LineEnding, PrivateKey, PublicKey, SshSig};

use super::files;

/// The purpose of a signature: one made for anything else does not count.
pub const NAMESPACE: &str = "swissmatch";

/// More bytes than a file of keys has.
const MOST_BYTES: u64 = 1 << 20;

/// Why a private key is not accepted.
#[derive(Debug, thiserror::Error)]
pub enum PrivateKeyError {
    #[error("it cannot be read: {0}")]
    Unreadable(std::io::Error),
    /// Others can read it.
    #[error("other users may read or write it (mode {0:o})")]
    Open(u32),
    /// It is not a private key.
    #[error("it is no private key of OpenSSH")]
    NoKey,
    /// It has a passphrase.
    #[error("it has a passphrase, for which a runner could ask nobody")]
    Encrypted,
    /// It is of another kind.
    #[error("it is of the kind {0}, not ssh-ed25519")]
    Kind(Algorithm),
}

impl PrivateKeyError {
    pub fn remedy(&self, path: &Path) -> String {
        let path = path.display();
        match self {
            Self::Unreadable(_) => "write the path of a key, relative to the event file".to_owned(),
            Self::Open(_) => format!("chmod 600 {path}"),
            Self::NoKey | Self::Kind(_) => "make a key for this alone: ssh-keygen -t ed25519 -N '' -f FILE".to_owned(),
            Self::Encrypted => format!("take it off (ssh-keygen -p -N '' -f {path}), or make a key for this alone"),
        }
    }
}

/// A key to sign with.
#[derive(Clone)]
pub struct Signer(PrivateKey);

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signer({})", self.0.fingerprint(HashAlg::Sha256))
    }
}

impl Signer {
    /// Reads a private key from a file that nobody else may read.
    ///
    /// # Errors
    /// It cannot be read or used.
    pub fn read(path: &Path) -> Result<Self, PrivateKeyError> {
        let file = files::open_plain(path).map_err(PrivateKeyError::Unreadable)?;
        let mode = file
            .metadata()
            .map_err(PrivateKeyError::Unreadable)?
            .permissions()
            .mode();
        if mode & 0o077 != 0 {
            return Err(PrivateKeyError::Open(mode & 0o777));
        }
        let text = files::read_at_most(file, MOST_BYTES).map_err(PrivateKeyError::Unreadable)?;
        let key = PrivateKey::from_openssh(text).map_err(|_| PrivateKeyError::NoKey)?;
        match key.algorithm() {
            _ if key.is_encrypted() => Err(PrivateKeyError::Encrypted),
            Algorithm::Ed25519 => Ok(Self(key)),
            other => Err(PrivateKeyError::Kind(other)),
        }
    }

    /// The signature of a text, as in a file beside it.
    ///
    /// # Errors
    /// The key does not sign; one that was read does.
    pub fn sign(&self, text: &str) -> Result<String, String> {
        let signed = self.0.sign(NAMESPACE, HashAlg::Sha512, text.as_bytes());
        let signed = signed.and_then(|signature| signature.to_pem(LineEnding::LF));
        signed.map_err(|error| error.to_string())
    }
}

/// Public keys, one of which must have made a signature.
#[derive(Clone, Debug)]
pub struct Signers(Vec<PublicKey>);

/// A file of public keys that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SignersError {
    #[error("{}: {source}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    /// A line cannot be understood.
    #[error(
        "{}:{line}: this is no public key; write `ssh-ed25519 KEY` or, as in allowed_signers, `NAME ssh-ed25519 KEY`, without options",
        path.display()
    )]
    Line {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// There is no key in it.
    #[error("{}: it has no key of the kind ssh-ed25519", .0.display())]
    Empty(PathBuf),
}

impl Signers {
    /// Reads a file of public keys: one that `ssh-keygen` writes beside each private key, or `allowed_signers`.
    ///
    /// # Errors
    /// It cannot be read, or has no key that signs runs.
    pub fn read(path: &Path) -> Result<Self, SignersError> {
        let read = files::open_plain(path).and_then(|file| files::read_at_most(file, MOST_BYTES));
        let bytes = read.map_err(|source| SignersError::Unreadable {
            path: path.to_path_buf(),
            source,
        })?;
        let text = String::from_utf8_lossy(&bytes);
        let mut keys = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            let words: Vec<&str> = text.split_whitespace().collect();
            let key = match words.as_slice() {
                [] => continue,
                [first, ..] if first.starts_with('#') => continue,
                [kind, key, ..] | [_, kind, key, ..] if is_kind(kind) => format!("{kind} {key}"),
                _ => String::new(),
            };
            let key = match (key.split_once(' '), PublicKey::from_openssh(&key)) {
                (_, Ok(key)) => key,
                // Keys that sign no run need not be understood.
                (Some((kind, _)), Err(_)) if kind != Algorithm::Ed25519.as_str() => continue,
                _ => {
                    let path = path.to_path_buf();
                    return Err(SignersError::Line { path, line });
                }
            };
            if key.algorithm() == Algorithm::Ed25519 {
                keys.push(key);
            }
        }
        match keys.is_empty() {
            true => Err(SignersError::Empty(path.to_path_buf())),
            false => Ok(Self(keys)),
        }
    }
}

fn is_kind(word: &str) -> bool {
    ["ssh-", "ecdsa-", "sk-"].iter().any(|begin| word.starts_with(begin))
}

/// Checks the signature of a text, which one of `signers` must have made, if they are given; returns the fingerprint of
/// its key.
///
/// # Errors
/// What is wrong with it.
pub fn check(text: &str, signature: &str, signers: Option<&Signers>) -> Result<String, String> {
    let signature = SshSig::from_pem(signature).map_err(|_| "it is no signature of OpenSSH".to_owned())?;
    let key = PublicKey::from(signature.public_key().clone());
    let print = key.fingerprint(HashAlg::Sha256).to_string();
    if signature.namespace() != NAMESPACE {
        return Err(format!("it was not made for the namespace \"{NAMESPACE}\""));
    }
    if key.verify(NAMESPACE, text.as_bytes(), &signature).is_err() {
        return Err(format!("the key {print} did not sign this text"));
    }
    match signers {
        Some(signers) if !signers.0.iter().any(|other| other.key_data() == key.key_data()) => {
            Err(format!("it is by the key {print}, which is none of --signer"))
        }
        _ => Ok(print),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Made by `ssh-keygen -t ed25519 -N ''` for this test; it signs nothing else.
    const KEY: &str = "\
-----BEGIN OPENSSH PRIVATE KEY-----\n\
b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\n\
QyNTUxOQAAACCc1330hnTL2M44mp0ZD7IOjgJJ7QcQIgjAlym9YeW9AgAAAIg+ItT+PiLU\n\
/gAAAAtzc2gtZWQyNTUxOQAAACCc1330hnTL2M44mp0ZD7IOjgJJ7QcQIgjAlym9YeW9Ag\n\
AAAEDLAfm5/mmvJE0C0jQba8yUcaaFmBCDGrZmN82LuXRhmpzXffSGdMvYzjianRkPsg6O\n\
AkntBxAiCMCXKb1h5b0CAAAABHRlc3QB\n\
-----END OPENSSH PRIVATE KEY-----\n";
    const PUBLIC: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJzXffSGdMvYzjianRkPsg6OAkntBxAiCMCXKb1h5b0C";
    const FINGERPRINT: &str = "SHA256:GuqxU3oFb03b0nRgU1kWPW9z06QYPY4gqepSqJj96Z8";
    /// By `printf 'text\n' | ssh-keygen -Y sign -n swissmatch -f KEY`.
    const SIGNATURE: &str = "\
-----BEGIN SSH SIGNATURE-----\n\
U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgnNd99IZ0y9jOOJqdGQ+yDo4CSe\n\
0HECIIwJcpvWHlvQIAAAAKc3dpc3NtYXRjaAAAAAAAAAAGc2hhNTEyAAAAUwAAAAtzc2gt\n\
ZWQyNTUxOQAAAEBsIaWkbD2dGveTPngr6v4jTO3mBmmSGlO6ik/ay5pRBGg7cRw4wZF6Fj\n\
Y1D4AAMUOrGqggdxDs0icevblSHQIK\n\
-----END SSH SIGNATURE-----\n";

    /// The key with a passphrase.
    const LOCKED: &str = "\
-----BEGIN OPENSSH PRIVATE KEY-----\n\
b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABBH7xLBOf\n\
hwFVrTyyy9yPEiAAAAEAAAAAEAAAAzAAAAC3NzaC1lZDI1NTE5AAAAIE7/AQoKr7f0QF76\n\
WOZazi59oSW/WKJoA8OgqF4ps23xAAAAkC4LbxNf2vJI90oeziA14ZWzNbawkNc7KdPv6E\n\
2fx/HZNbQRRCr1ok/OITuBcsbvuI6DOdKJi8PuRWiFMCjsDLNtdXeqLllwXpjdlOU9a5QR\n\
P+Q2wvO/KLDKT/Ur+WkA83F4jXtJ2Dvf58Cu/sJv1h5IR0QC9oKfTPh8WfHrIfqBKwvwp1\n\
H4/8CR/IFiBgL6Kw==\n\
-----END OPENSSH PRIVATE KEY-----\n";

    fn written(text: &str, mode: u32) -> (tempfile::TempDir, PathBuf) {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().join("key");
        fs::write(&path, text).expect("it is written");
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("rights");
        (place, path)
    }

    #[test]
    fn a_signature_is_the_one_that_ssh_keygen_makes() {
        let (_place, path) = written(KEY, 0o600);
        let signer = Signer::read(&path).expect("a key");
        let signature = signer.sign("text\n").expect("it signs");
        assert_eq!(signature.trim(), SIGNATURE.trim());
        assert_eq!(check("text\n", &signature, None), Ok(FINGERPRINT.to_owned()));
        let changed = check("Text\n", &signature, None).expect_err("another text");
        assert!(changed.contains("did not sign this text"), "{changed}");
        assert!(check("text\n", "x", None).is_err());
        assert!(!format!("{signer:?}").contains("PRIVATE"));
    }

    #[test]
    fn whose_a_signature_is_is_compared_with_a_file_of_keys() {
        for text in [PUBLIC.to_owned(), format!("# league\n\nme@example.org {PUBLIC} note\n")] {
            let (_place, path) = written(&text, 0o644);
            let signers = Signers::read(&path).expect("a key");
            assert_eq!(check("text\n", SIGNATURE, Some(&signers)), Ok(FINGERPRINT.to_owned()));
        }
        let other = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILM+rvN+ot98qgEN796jTiQfZfG1KaT0PtFDJ/XFSqti";
        let (_place, path) = written(&format!("ssh-dss AAAA\n{other}\n"), 0o644);
        let signers = Signers::read(&path).expect("a key");
        let why = check("text\n", SIGNATURE, Some(&signers)).expect_err("another key");
        assert!(why.contains("none of --signer"), "{why}");
        for wrong in ["", "x", "ssh-ed25519 x", "a namespaces=\"x\" ssh-ed25519 AAAA"] {
            let (_place, path) = written(wrong, 0o644);
            Signers::read(&path).expect_err(wrong);
        }
    }

    #[test]
    fn what_is_no_key_for_this_is_refused_with_the_remedy() {
        let said = |text: &str, mode| {
            let (_place, path) = written(text, mode);
            let why = Signer::read(&path).expect_err("it is refused");
            format!("{why}; {}", why.remedy(&path))
        };
        assert!(said(KEY, 0o640).starts_with("other users may read or write it (mode 640); chmod 600"));
        assert!(said(PUBLIC, 0o600).starts_with("it is no private key of OpenSSH; make a key"));
        assert!(said(LOCKED, 0o600).starts_with("it has a passphrase"));
    }
}
