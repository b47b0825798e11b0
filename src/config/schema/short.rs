//! Keys that are read and written as most are: `key!(path, expected, doc, field = how)`.
//!
//! How: `choice` of a few words, `switch`, `whole RANGE`, `"none" or whole RANGE`, `duration LEAST`.

macro_rules! key {
    ($path:literal, $expected:literal, $doc:literal, $($field:ident).+ = $($how:tt)+) => {
        $crate::config::schema::Key::<$crate::tournament::setup::Setup>::new(
            $path,
            $expected,
            $doc,
            |s, v| key_read!(v, $($how)+).map(|value| s.$($field).+ = value),
            |s| Some(key_written!(s.$($field).+, $($how)+)),
        )
    };
}

macro_rules! key_read {
    ($v:ident, choice) => {
        $v.choice()
    };
    ($v:ident, switch) => {
        $v.switch()
    };
    ($v:ident, whole $range:expr) => {
        $v.whole($range)
    };
    ($v:ident, duration $least:expr) => {
        $v.duration($least)
    };
    ($v:ident, $none:literal or whole $range:expr) => {
        $v.word_or($none, |v| v.whole($range))
    };
}

macro_rules! key_written {
    ($value:expr, choice) => {
        $crate::config::value::word($value)
    };
    ($value:expr, switch) => {
        $value.to_string()
    };
    ($value:expr, whole $range:expr) => {
        $value.to_string()
    };
    ($value:expr, duration $least:expr) => {
        $crate::config::value::quoted(&$crate::game::time_control::write_duration($value))
    };
    ($value:expr, $none:literal or whole $range:expr) => {
        $crate::config::value::or_word($value, $none)
    };
}
