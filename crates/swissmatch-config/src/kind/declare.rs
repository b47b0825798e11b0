//! How a key is declared: `key!(game.attempts, whole("a whole number", 1..=1000), "What it means.")`.

/// A key of an event, or of a player, by the field that has its value. A field whose name is a word of Rust is given its path too.
macro_rules! key {
    (player.$name:ident, $kind:expr, $doc:expr $(,)?) => {
        $crate::kind::Key::<swissmatch_tournament::setup::PlayerKeys>::new(
            concat!("player.", stringify!($name)),
            $kind,
            $doc,
            |player| &player.$name,
            |player, value| player.$name = value,
        )
    };
    (prizes.$name:ident, $kind:expr, $doc:expr $(,)?) => {
        $crate::kind::Key::<swissmatch_tournament::setup::PrizeKeys>::new(
            concat!("prizes.", stringify!($name)),
            $kind,
            $doc,
            |prizes| &prizes.$name,
            |prizes, value| prizes.$name = value,
        )
    };
    ($table:ident.$name:ident, $kind:expr, $doc:expr $(,)?) => {
        key!(
            concat!(stringify!($table), ".", stringify!($name)),
            $table.$name,
            $kind,
            $doc
        )
    };
    ($path:expr, $table:ident.$name:ident, $kind:expr, $doc:expr $(,)?) => {
        $crate::kind::Key::<swissmatch_tournament::setup::Setup>::new(
            $path,
            $kind,
            $doc,
            |setup| &setup.$table.$name,
            |setup, value| setup.$table.$name = value,
        )
    };
}

/// An entry of an inline table, by the field that has its value.
macro_rules! entry {
    ($table:ident.$name:tt, $kind:expr, $doc:expr $(,)?) => {
        entry!(stringify!($name), $table.$name, $kind, $doc)
    };
    ($path:expr, $table:ident.$name:tt, $kind:expr, $doc:expr $(,)?) => {
        $crate::kind::Key::<$table>::new(
            $path,
            $kind,
            $doc,
            |table| &table.$name,
            |table, value| table.$name = value,
        )
    };
}

pub(crate) use {entry, key};
