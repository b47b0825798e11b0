//! Tables and notes as HTML, in the one place where text becomes markup. `maud` escapes text, which was made harmless before.
//!
//! May not: know what a table is about.

use maud::{Markup, html};
use swiss_system::text::harmless;

use super::table::{Cells, Page, Table};

/// The target of a link on a name, such as `#agent-4`.
pub(super) type Links<'a> = dyn Fn(&str) -> Option<String> + 'a;

pub(super) struct Extra {
    /// Whether it stands at the end of the row, instead of behind the first column of names.
    pub(super) is_last: bool,
    pub(super) class: &'static str,
    pub(super) header: Markup,
    /// One cell for each row.
    pub(super) cells: Vec<Markup>,
}

/// Parts of a table that are more than text; each list has one entry for each row, or is empty.
#[derive(Default)]
pub(super) struct Dress<'a> {
    pub(super) extra: Vec<Extra>,
    /// Texts behind the names; empty: none.
    pub(super) chips: Vec<&'a str>,
    pub(super) rows: Vec<Option<&'static str>>,
    /// Explanations of columns, by their headers.
    pub(super) meanings: Vec<(String, String)>,
}

/// A table with links on its names; a wide one scrolls by itself.
pub(super) fn table(table: &Table, links: &Links<'_>) -> Markup {
    table_with(table, links, &Dress::default())
}

/// Like [`table`], but with parts that are more than text.
pub(super) fn table_with(table: &Table, links: &Links<'_>, dress: &Dress<'_>) -> Markup {
    let names = table.columns.iter().position(|column| column.cells == Cells::Names);
    let last = table.columns.len().checked_sub(1);
    let extra_after = |index: usize| {
        let place = move |extra: &Extra| if extra.is_last { last } else { names };
        dress.extra.iter().filter(move |extra| place(extra) == Some(index))
    };
    let class = |cells: Cells| match cells {
        Cells::Figures => Some("figure"),
        Cells::Names => Some("name"),
        Cells::Words => None,
    };
    let meaning = |header: &str| {
        let found = dress.meanings.iter().find(|(known, _)| known == header);
        found.map(|(_, meaning)| harmless(meaning))
    };
    html! {
        div.scroll {
            table.data {
                thead { tr {
                    @for (index, column) in table.columns.iter().enumerate() {
                        th scope="col" class=[class(column.cells)] title=[meaning(&column.header)] { (harmless(&column.header)) }
                        @for extra in extra_after(index) { th class=(extra.class) scope="col" { (extra.header) } }
                    }
                } }
                tbody { @for (number, row) in table.rows.iter().enumerate() { tr class=[dress.rows.get(number).copied().flatten()] {
                    @for (index, (cell, column)) in row.iter().zip(&table.columns).enumerate() {
                        td class=[class(column.cells)] {
                            (text(cell, column.cells, links))
                            @if let Some(chip) = dress.chips.get(number).filter(|chip| names == Some(index) && !chip.is_empty()) {
                                " " span.chip { (chip) }
                            }
                        }
                        @for extra in extra_after(index) { td class=(extra.class) { @if let Some(cell) = extra.cells.get(number) { (cell) } } }
                    }
                } } }
            }
        }
    }
}

fn text(cell: &str, cells: Cells, links: &Links<'_>) -> Markup {
    match links(cell).filter(|_| cells == Cells::Names) {
        Some(link) => html! { a href=(link) { (harmless(cell)) } },
        None => html! { (harmless(cell)) },
    }
}

pub(super) fn page(page: &Page, links: &Links<'_>) -> Markup {
    html! {
        h2 { (harmless(&page.title)) }
        (table_and_notes(page, links))
    }
}

/// Like [`page`], but without its title.
pub(super) fn table_and_notes(page: &Page, links: &Links<'_>) -> Markup {
    html! {
        @if !page.table.columns.is_empty() { (table(&page.table, links)) }
        @for note in &page.notes { (self::note(note)) }
    }
}

pub(super) fn note(text: &str) -> Markup {
    html! { p.note { (prose(text)) } }
}

/// A text with commands in backticks.
pub(super) fn prose(text: &str) -> Markup {
    let text = harmless(text);
    let parts: Vec<&str> = text.split('`').collect();
    // With an odd number of backticks it is unclear which belong together.
    if parts.len().is_multiple_of(2) {
        return html! { (text) };
    }
    html! { @for (index, part) in parts.iter().enumerate() {
        @if index % 2 == 1 { code { (part) } } @else { (part) }
    } }
}

#[cfg(test)]
mod tests {
    use super::super::table::Column;
    use super::*;

    #[test]
    fn what_others_wrote_is_text() {
        let hostile = "<script>alert(1)</script> & \"quotes\" \u{202e}\u{1b}[31m";
        let of_table = Table {
            columns: vec![Column::figures("#"), Column::names("Name"), Column::words("<b>")],
            rows: vec![vec!["1".to_owned(), hostile.to_owned(), hostile.to_owned()]],
        };
        let links = |name: &str| (name == hostile).then(|| "#agent-1".to_owned());
        let shown = table(&of_table, &links).into_string();
        assert!(
            shown.contains("<td class=\"name\"><a href=\"#agent-1\">&lt;script&gt;alert(1)&lt;/script&gt; &amp; "),
            "{shown}"
        );
        assert!(shown.contains("<th scope=\"col\">&lt;b&gt;</th>"), "{shown}");
        assert!(
            !shown.contains("<script") && !shown.contains(['\u{202e}', '\u{1b}']),
            "{shown}"
        );
        assert_eq!(shown.matches("<a ").count(), 1, "{shown}");
    }

    #[test]
    fn commands_stand_out() {
        let prose = |text| prose(text).into_string();
        assert_eq!(
            prose("see `swissmatch <b>`, or `x`"),
            "see <code>swissmatch &lt;b&gt;</code>, or <code>x</code>"
        );
        assert_eq!(prose("a ` alone, `two`"), "a ` alone, `two`");
    }
}
