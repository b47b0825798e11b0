//! Tables: the same cells as aligned text, Markdown and CSV.
//!
//! May not: know what is in them, beyond which cells hold names that others chose.

use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Row, TableStyle, Width, presets::NOTHING,
};
use swiss_system::text::harmless;

/// Blanks between two columns of aligned text.
const GAP: u16 = 2;
/// Names are shortened down to so many characters before a table is let run over the width.
const LEAST_NAME_WIDTH: u16 = 8;
/// Columns, and a line below their headers.
const STYLE: TableStyle = NOTHING.header_separator(LineStyle::none().fill('─'));

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cells {
    /// Numbers, and what is read like them: aligned right.
    Figures,
    /// Text of this program.
    Words,
    /// Text that others chose; escaped wherever the format gives a character a meaning, and shortened where it is too
    /// long for a terminal.
    Names,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its header.
    pub header: String,
    /// What its cells are.
    pub cells: Cells,
}

impl Column {
    /// A column of figures.
    pub fn figures(header: impl Into<String>) -> Self {
        Self {
            header: header.into(),
            cells: Cells::Figures,
        }
    }

    /// A column of words.
    pub fn words(header: impl Into<String>) -> Self {
        Self {
            header: header.into(),
            cells: Cells::Words,
        }
    }

    /// A column of names.
    pub fn names(header: impl Into<String>) -> Self {
        Self {
            header: header.into(),
            cells: Cells::Names,
        }
    }
}

/// A table; every row has a cell for every column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Aligned text, a line a row, each ended. Where it is wider than `width` (columns of a terminal) names are
    /// shortened; a table that is still too wide runs over. No cell is ever broken into lines.
    pub fn text(&self, width: Option<u16>) -> String {
        let mut table = comfy_table::Table::new();
        table
            .force_no_tty()
            .load_style(STYLE)
            .set_content_arrangement(ContentArrangement::Disabled)
            .set_truncation_indicator("…")
            .set_header(self.columns.iter().map(|column| column.header.as_str()));
        for row in &self.rows {
            let mut cells = Row::from(row.iter().map(|cell| harmless(cell)));
            cells.max_height(1);
            table.add_row(cells);
        }
        let content = table.column_max_content_widths();
        let name_width = width.and_then(|width| self.name_width(&content, width));
        let last = self.columns.len().saturating_sub(1);
        for (index, (shown, column)) in table.column_iter_mut().zip(&self.columns).enumerate() {
            let gap = if index == last { 0 } else { GAP };
            shown.set_padding((0, gap));
            if column.cells == Cells::Figures {
                shown.set_cell_alignment(CellAlignment::Right);
            }
            if let (Cells::Names, Some(most)) = (column.cells, name_width) {
                shown.set_constraint(ColumnConstraint::Absolute(Width::Fixed(content[index].min(most) + gap)));
            }
        }
        let lines = table.lines().map(|line| line.trim_end().to_owned() + "\n");
        lines.collect()
    }

    /// The most that a name may have for the table to fit into `width`; `None` if all names fit as they are.
    fn name_width(&self, content: &[u16], width: u16) -> Option<u16> {
        let (mut names, mut others) = (Vec::new(), 0_u32);
        for (&content, column) in content.iter().zip(&self.columns) {
            others += u32::from(GAP);
            match column.cells {
                Cells::Names => names.push(content),
                Cells::Figures | Cells::Words => others += u32::from(content),
            }
        }
        // There is no gap after the last column.
        let room = (u32::from(width) + u32::from(GAP)).saturating_sub(others);
        let needed = |most: u16| names.iter().map(|&name| u32::from(name.min(most))).sum::<u32>();
        let longest = names.iter().copied().max()?;
        if needed(longest) <= room {
            return None;
        }
        let fits = (LEAST_NAME_WIDTH..longest).rev().find(|&most| needed(most) <= room);
        Some(fits.unwrap_or(LEAST_NAME_WIDTH))
    }

    /// A table of GitHub Flavored Markdown.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        let mut line = |cells: &mut dyn Iterator<Item = String>| {
            cells.for_each(|cell| text.extend(["| ", &cell, " "]));
            text.push_str("|\n");
        };
        line(&mut self.columns.iter().map(|column| escape_pipes(&column.header)));
        line(&mut self.columns.iter().map(|column| match column.cells {
            Cells::Figures => "---:".to_owned(),
            Cells::Words | Cells::Names => ":---".to_owned(),
        }));
        for row in &self.rows {
            line(
                &mut row.iter().zip(&self.columns).map(|(cell, column)| match column.cells {
                    Cells::Figures | Cells::Words => escape_pipes(cell),
                    Cells::Names => escape_markdown(cell),
                }),
            );
        }
        text
    }

    /// CSV (RFC 4180, lines ended by LF). Names that a spreadsheet would read as a formula get an apostrophe before them.
    ///
    /// # Panics
    /// When a row has more or fewer cells than there are columns.
    pub fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let headers = self.columns.iter().map(|column| column.header.clone());
        writer.write_record(headers).expect("a first record of any length");
        for row in &self.rows {
            let cells = row.iter().zip(&self.columns).map(|(cell, column)| match column.cells {
                Cells::Figures | Cells::Words => harmless(cell),
                Cells::Names => no_formula(harmless(cell)),
            });
            writer.write_record(cells).expect("a cell for every column");
        }
        let bytes = writer.into_inner().expect("memory takes everything");
        String::from_utf8(bytes).expect("what was written is UTF-8")
    }
}

/// A table with what stands above and below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// One line above the table. May hold names.
    pub title: String,
    /// The table; without columns there is none.
    pub table: Table,
    /// Lines below it. May hold names.
    pub notes: Vec<String>,
}

impl Page {
    /// As text, with the table as of [`Table::text`].
    pub fn text(&self, width: Option<u16>) -> String {
        let mut text = format!("{}\n", harmless(&self.title));
        if !self.table.columns.is_empty() {
            text.extend(["\n", &self.table.text(width)]);
        }
        for (index, note) in self.notes.iter().enumerate() {
            text.push_str(if index == 0 { "\n" } else { "" });
            text.push_str(&harmless(note));
            text.push('\n');
        }
        text
    }

    /// As Markdown, the title as a heading, each note as a paragraph.
    pub fn markdown(&self) -> String {
        let mut text = format!("## {}\n", escape_markdown(&self.title));
        if !self.table.columns.is_empty() {
            text.extend(["\n", &self.table.markdown()]);
        }
        for note in &self.notes {
            text.extend(["\n", &escape_markdown(note), "\n"]);
        }
        text
    }
}

fn escape_pipes(text: &str) -> String {
    harmless(text).replace('\\', "\\\\").replace('|', "\\|")
}

/// The text so that Markdown shows it as it is: no links, images, tags, mentions or emphasis.
pub(super) fn escape_markdown(text: &str) -> String {
    let text = harmless(text);
    let mut escaped = String::with_capacity(text.len() + 8);
    for (at, c) in text.char_indices() {
        let has_meaning = matches!(
            c,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '&' | '@' | '$'
        );
        if has_meaning || text[at..].starts_with("://") {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// The text with an apostrophe before it if a spreadsheet would calculate it.
fn no_formula(text: String) -> String {
    if text
        .trim_start()
        .starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])
    {
        format!("'{text}")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    fn table(names: &[&str]) -> Table {
        let rows = (1..)
            .zip(names)
            .map(|(line, name)| vec![line.to_string(), (*name).to_owned(), "-1.5|x".to_owned()]);
        Table {
            columns: vec![Column::figures("#"), Column::names("Name"), Column::words("What")],
            rows: rows.collect(),
        }
    }

    #[test]
    fn text_is_aligned() {
        let mut names = vec!["Ä 棋 engine", "b"];
        names.resize(10, "c");
        assert_snapshot!(table(&names).text(None), @"
         #  Name         What
        ───────────────────────
         1  Ä 棋 engine  -1.5|x
         2  b            -1.5|x
         3  c            -1.5|x
         4  c            -1.5|x
         5  c            -1.5|x
         6  c            -1.5|x
         7  c            -1.5|x
         8  c            -1.5|x
         9  c            -1.5|x
        10  c            -1.5|x
        ");
    }

    #[test]
    fn names_give_way_to_the_width_and_nothing_is_wrapped() {
        let names = ["A name that is long, in words", "Anamethatislonginoneword", "short"];
        for width in [200, 41] {
            assert_eq!(table(&names).text(Some(width)), table(&names).text(None), "{width}");
        }
        assert_snapshot!(table(&names).text(Some(30)), @"
        #  Name                 What
        ──────────────────────────────
        1  A name that is…      -1.5|x
        2  Anamethatislongino…  -1.5|x
        3  short                -1.5|x
        ");
        assert!(
            table(&names)
                .text(Some(30))
                .lines()
                .all(|line| line.chars().count() <= 30)
        );
        assert_eq!(table(&names).text(Some(1)).lines().count(), 5);
    }

    #[test]
    fn markdown_shows_names_as_they_are() {
        let names = ["a|b\\", "<img src=x>", "[x](http://y) @all", "*_`~"];
        assert_snapshot!(table(&names).markdown(), @r"
        | # | Name | What |
        | ---: | :--- | :--- |
        | 1 | a\|b\\ | -1.5\|x |
        | 2 | \<img src=x\> | -1.5\|x |
        | 3 | \[x\](http\://y) \@all | -1.5\|x |
        | 4 | \*\_\`\~ | -1.5\|x |
        ");
    }

    #[test]
    fn csv_calculates_no_names() {
        let names = [
            "=cmd|'/c calc'!A1",
            "+1",
            "-1",
            "@x",
            "\t=1",
            " =1",
            "＝1",
            "a=1",
            "says \"hi\", twice",
        ];
        assert_snapshot!(table(&names).csv(), @r#"
        #,Name,What
        1,'=cmd|'/c calc'!A1,-1.5|x
        2,'+1,-1.5|x
        3,'-1,-1.5|x
        4,'@x,-1.5|x
        5,'=1,-1.5|x
        6,' =1,-1.5|x
        7,'＝1,-1.5|x
        8,a=1,-1.5|x
        9,"says ""hi"", twice",-1.5|x
        "#);
    }

    #[test]
    fn control_characters_reach_no_format() {
        let page = Page {
            title: "t\u{1b}[2J".to_owned(),
            table: table(&["\u{1b}[31mred\r\nnext\u{202e}"]),
            notes: vec!["n\u{7}".to_owned()],
        };
        for text in [page.text(None), page.markdown(), page.table.csv()] {
            assert!(
                !text.contains(|c: char| c != '\n' && !swiss_system::text::is_harmless(c)),
                "{text:?}"
            );
            assert!(text.contains("[31mrednext"), "{text:?}");
        }
    }
}
