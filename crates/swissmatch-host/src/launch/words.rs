//! The form in which words and paths are handed over: as text, which is read many times faster than numbers of bytes;
//! only what is not text goes by its bytes.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A word as written.
struct WrittenWord<'a>(&'a OsStr);

impl Serialize for WrittenWord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.to_str() {
            Some(text) => serializer.serialize_str(text),
            None => serializer.collect_seq(self.0.as_bytes()),
        }
    }
}

/// A word as read.
struct ReadWord(OsString);

impl<'de> Deserialize<'de> for ReadWord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Word).map(Self)
    }
}

struct Word;

impl<'de> Visitor<'de> for Word {
    type Value = OsString;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text or bytes")
    }

    fn visit_str<E>(self, text: &str) -> Result<OsString, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut bytes: A) -> Result<OsString, A::Error> {
        let mut word = Vec::new();
        while let Some(byte) = bytes.next_element()? {
            word.push(byte);
        }
        Ok(OsString::from_vec(word))
    }
}

/// Lists of words.
pub(super) mod list {
    use super::{Deserialize as _, Deserializer, OsString, ReadWord, Serializer, WrittenWord};

    pub(in super::super) fn serialize<S: Serializer>(words: &[OsString], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(words.iter().map(|word| WrittenWord(word)))
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<OsString>, D::Error> {
        let words = Vec::<ReadWord>::deserialize(deserializer)?;
        Ok(words.into_iter().map(|ReadWord(word)| word).collect())
    }
}

/// Lists of pairs of words.
pub(super) mod pairs {
    use super::{Deserialize as _, Deserializer, OsString, ReadWord, Serializer, WrittenWord};

    pub(in super::super) fn serialize<S: Serializer>(
        pairs: &[(OsString, OsString)],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(pairs.iter().map(|(one, other)| (WrittenWord(one), WrittenWord(other))))
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<(OsString, OsString)>, D::Error> {
        let pairs = Vec::<(ReadWord, ReadWord)>::deserialize(deserializer)?;
        Ok(pairs
            .into_iter()
            .map(|(ReadWord(one), ReadWord(other))| (one, other))
            .collect())
    }
}
