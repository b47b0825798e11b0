//! Tables and notes as HTML: the one place where text becomes markup. `maud` escapes what stands in it, and it is made harmless
//! before.
//!
//! May not: know what a table is about.

use maud::{Markup, html};
use swiss_system::text::harmless;

use super::table::{Cells, Page, Table};

/// Where a name leads to, such as `#agent-4`.
pub(super) type Links<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// A table, its names as links where they lead somewhere; it scrolls by itself where it is wide.
pub(super) fn table(table: &Table, links: &Links<'_>) -> Markup {
    let class = |cells: Cells| match cells {
        Cells::Figures => Some("figure"),
        Cells::Names => Some("name"),
        Cells::Words => None,
    };
    html! {
        div.scroll {
            table.data {
                thead { tr {
                    @for column in &table.columns {
                        th scope="col" class=[class(column.cells)] { (harmless(&column.header)) }
                    }
                } }
                tbody { @for row in &table.rows { tr {
                    @for (cell, column) in row.iter().zip(&table.columns) {
                        td class=[class(column.cells)] { (text(cell, column.cells, links)) }
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

/// A page: its title as a heading of the second level, its table, its notes.
pub(super) fn page(page: &Page, links: &Links<'_>) -> Markup {
    html! {
        h2 { (harmless(&page.title)) }
        (table_and_notes(page, links))
    }
}

/// The same without its title.
pub(super) fn table_and_notes(page: &Page, links: &Links<'_>) -> Markup {
    html! {
        @if !page.table.columns.is_empty() { (table(&page.table, links)) }
        @for note in &page.notes { p.note { (harmless(note)) } }
    }
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
}
