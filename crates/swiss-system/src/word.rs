//! Values that are written as one word: the same in event files, in the log and in JSON.
//!
//! May not: know keys; one value has the same word everywhere.

/// A value that is written as one word.
pub trait Word: Copy + Eq + 'static {
    /// Every value.
    const ALL: &'static [Self];

    /// The word of the value.
    fn word(self) -> &'static str;

    /// The value with this word.
    fn of_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.word() == word)
    }

    /// All words, for messages: `"none", "baku"`.
    fn all_words() -> String {
        let words: Vec<String> = Self::ALL.iter().map(|value| format!("\"{}\"", value.word())).collect();
        words.join(", ")
    }
}

/// Ties each value of an enum to its word, also in its stored form; the compiler checks that none is left out.
#[macro_export]
macro_rules! words {
    ($type:ty { $($value:ident => $word:literal,)+ }) => {
        impl $crate::word::Word for $type {
            const ALL: &'static [Self] = &[$(Self::$value),+];

            fn word(self) -> &'static str {
                match self {
                    $(Self::$value => $word,)+
                }
            }
        }

        impl $crate::word::serde::Serialize for $type {
            fn serialize<S: $crate::word::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str($crate::word::Word::word(*self))
            }
        }

        impl<'de> $crate::word::serde::Deserialize<'de> for $type {
            fn deserialize<D: $crate::word::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::word::deserialize(deserializer)
            }
        }
    };
}
#[doc(hidden)]
pub use serde;
pub use words;

/// Reads the word of a `T`.
///
/// # Errors
/// If the text is not a word of `T`.
pub fn deserialize<'de, T: Word, D: serde::Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let word = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)?;
    T::of_word(&word).ok_or_else(|| serde::de::Error::custom(is_none_of(&word, &T::all_words())))
}

/// The value of a key that takes a word or something else.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(untagged)]
pub enum WordOr<T> {
    /// A word.
    Word(String),
    /// Something else.
    Other(T),
}

impl<T> WordOr<T> {
    /// A value that is a word.
    pub fn word(word: &str) -> Self {
        Self::Word(word.to_owned())
    }
}

/// The message for a word that is none of these.
pub fn is_none_of(word: &str, words: &str) -> String {
    format!("\"{word}\" is not one of {words}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Weather {
        Fair,
        VeryFoul,
    }

    words!(Weather {
        Fair => "fair",
        VeryFoul => "very-foul",
    });

    #[test]
    fn a_value_is_stored_as_its_word() {
        let stored = serde_json::to_string(&Weather::ALL).expect("plain data");
        assert_eq!(stored, r#"["fair","very-foul"]"#);
        let read: Vec<Weather> = serde_json::from_str(&stored).expect("its own words");
        assert_eq!(read, Weather::ALL);
        let refused = serde_json::from_str::<Weather>("\"foul\"").expect_err("no word of it");
        assert!(
            refused
                .to_string()
                .starts_with(r#""foul" is not one of "fair", "very-foul""#),
            "{refused}"
        );
        assert!(serde_json::from_str::<Weather>("1").is_err());
    }
}
