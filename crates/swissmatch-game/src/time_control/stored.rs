//! Time controls and durations as they are stored: in the form of event files.
//!
//! May not: accept what the text form refuses.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::TimeControl;

impl Serialize for TimeControl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TimeControl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// For `#[serde(with = …)]`: a duration as text, `30s` or `500ms`.
pub mod written {
    use std::time::Duration;

    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::time_control::{parse_duration, write_duration};

    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&write_duration(*duration))
    }

    /// # Errors
    /// When the text is not a duration.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        parse_duration(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }

    /// Like `written`, for a duration that may be missing.
    pub mod option {
        use std::time::Duration;

        use serde::de::Error as _;
        use serde::{Deserialize, Deserializer, Serialize as _, Serializer};

        use crate::time_control::{parse_duration, write_duration};

        /// # Errors
        /// Those of the serializer.
        pub fn serialize<S: Serializer>(duration: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
            duration.map(write_duration).serialize(serializer)
        }

        /// # Errors
        /// When the text is not a duration.
        pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
            let text = Option::<String>::deserialize(deserializer)?;
            text.map(|text| parse_duration(&text))
                .transpose()
                .map_err(D::Error::custom)
        }
    }
}
