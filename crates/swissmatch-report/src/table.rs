//! Tables: the same cells as aligned text, Markdown and CSV.
//!
//! May not: know the meaning of cells, except which of them hold names from outside.

mod fit;
mod names;

use std::collections::BTreeMap;

use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Row, TableStyle, Width, presets::NOTHING,
};
use swiss_system::text::harmless;
use unicode_width::UnicodeWidthStr as _;

use self::fit::Fit;
use self::names::shortened;

/// Stands behind a figure that a note explains. CSV has figures alone.
pub const MARK: char = '*';
/// Spaces between two columns of aligned text.
const GAP: u16 = 2;
/// Columns, and a line below their headers.
const STYLE: TableStyle = NOTHING.header_separator(LineStyle::none().fill('─'));
/// Stands before the further lines of a sentence.
const INDENT: &str = "  ";
/// Replaces blanks at which no line may be broken, while lines are made. Unicode gives this character no meaning.
const HELD_BLANK: &str = "\u{e000}";

/// The kind of a column's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cells {
    /// Numbers and the like, aligned to the right.
    Figures,
    Words,
    /// Text from outside, escaped wherever the format gives a character a meaning, and shortened where it is too long for a terminal.
    Names,
}

/// What happens to a column if a terminal has no room for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoRoom {
    /// It stays; names are shortened.
    Stays,
    /// It is left out: the highest number first, and among equal ones the last column.
    Goes(usize),
    /// It moves to a further table below, beside the columns before the first such one.
    Below,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    pub header: String,
    pub cells: Cells,
    pub no_room: NoRoom,
}

impl Column {
    pub fn figures(header: impl Into<String>) -> Self {
        Self::new(header, Cells::Figures)
    }

    pub fn words(header: impl Into<String>) -> Self {
        Self::new(header, Cells::Words)
    }

    pub fn names(header: impl Into<String>) -> Self {
        Self::new(header, Cells::Names)
    }

    fn new(header: impl Into<String>, cells: Cells) -> Self {
        Self {
            header: header.into(),
            cells,
            no_room: NoRoom::Stays,
        }
    }

    /// The column, to be left out if there is no room: the highest `turn` first, and among equal ones the last column.
    pub fn goes(self, turn: usize) -> Self {
        Self {
            no_room: NoRoom::Goes(turn),
            ..self
        }
    }

    /// The column, to be moved to a further table below if there is no room.
    pub fn below(self) -> Self {
        Self {
            no_room: NoRoom::Below,
            ..self
        }
    }
}

/// A table; every row has a cell for every column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Aligned text, one line for each row. If it is wider than `width` (columns of a terminal), columns give way as each says, then names
    /// are shortened so that all stay different; a table that is still too wide runs over. A line below names the columns that were left
    /// out. No cell is broken into lines.
    pub fn text(&self, width: Option<u16>) -> String {
        let content = self
            .grid(&(0..self.columns.len()).collect::<Vec<_>>(), None)
            .column_max_content_widths();
        let fit = Fit::new(&self.columns, &content, width);
        let blocks = fit.blocks.iter().map(|block| {
            let table = self.grid(block, fit.name);
            table
                .lines()
                .map(|line| line.trim_end().to_owned() + "\n")
                .collect::<String>()
        });
        let text = blocks.collect::<Vec<_>>().join("\n");
        match fit.left_out.as_slice() {
            [] => text,
            left_out => {
                let headers: Vec<&str> = left_out
                    .iter()
                    .map(|&index| self.columns[index].header.as_str())
                    .collect();
                let line = format!(
                    "Left out, for lack of room: {}. A wider terminal has them, or `| less -S`.",
                    headers.join(", ")
                );
                text + "\n" + &wrapped(&line, width)
            }
        }
    }

    /// These columns side by side, with names of at most `name` columns of a terminal.
    fn grid(&self, indices: &[usize], name: Option<u16>) -> comfy_table::Table {
        let mut table = comfy_table::Table::new();
        table
            .force_no_tty()
            .load_style(STYLE)
            .set_content_arrangement(ContentArrangement::Disabled)
            .set_truncation_indicator("…");
        let mut header = Row::from(indices.iter().map(|&index| self.columns[index].header.as_str()));
        header.max_height(1);
        table.set_header(header);
        let names = name.map(|most| self.names(most)).unwrap_or_default();
        for row in &self.rows {
            let cells = indices.iter().map(|&index| {
                let cell = harmless(&row[index]);
                match self.columns[index].cells {
                    Cells::Names => names.get(&cell).cloned().unwrap_or(cell),
                    Cells::Figures | Cells::Words => cell,
                }
            });
            let mut cells = Row::from(cells);
            cells.max_height(1);
            table.add_row(cells);
        }
        let content = table.column_max_content_widths();
        let shown = table.column_iter_mut().zip(indices).zip(content);
        for (place, ((shown, &index), content)) in (1..).zip(shown) {
            let gap = if place == indices.len() { 0 } else { GAP };
            shown.set_padding((0, gap));
            if self.columns[index].cells == Cells::Figures {
                shown.set_cell_alignment(CellAlignment::Right);
            }
            // A header may be longer than the names below it.
            if let (Cells::Names, Some(most)) = (self.columns[index].cells, name) {
                shown.set_constraint(ColumnConstraint::Absolute(Width::Fixed(content.min(most) + gap)));
            }
        }
        table
    }

    /// Every name of the table with its shortened form.
    fn names(&self, most: u16) -> BTreeMap<String, String> {
        let rows = self.rows.iter().flat_map(|row| row.iter().zip(&self.columns));
        let names = rows.filter(|(_, column)| column.cells == Cells::Names);
        let names: Vec<String> = names.map(|(name, _)| harmless(name)).collect();
        let shown = shortened(names.iter().map(String::as_str), most.into());
        shown
            .into_iter()
            .map(|(name, shown)| (name.to_owned(), shown))
            .collect()
    }

    /// The table in GitHub Flavored Markdown.
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
                Cells::Figures => harmless(cell.trim_end_matches(MARK)),
                Cells::Words => harmless(cell),
                Cells::Names => no_formula(harmless(cell)),
            });
            writer.write_record(cells).expect("a cell for every column");
        }
        let bytes = writer.into_inner().expect("memory takes everything");
        String::from_utf8(bytes).expect("what was written is UTF-8")
    }
}

/// A table with the texts above and below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// One line above the table. May contain names.
    pub title: String,
    /// There is no table if it has no columns.
    pub table: Table,
    /// Lines below it. May contain names.
    pub notes: Vec<String>,
}

impl Page {
    /// As text, with the table as by [`Table::text`].
    pub fn text(&self, width: Option<u16>) -> String {
        let mut text = wrapped(&harmless(&self.title), width);
        if !self.table.columns.is_empty() {
            text.extend(["\n", &self.table.text(width)]);
        }
        for (index, note) in self.notes.iter().enumerate() {
            text.push_str(if index == 0 { "\n" } else { "" });
            text.push_str(&wrapped(&harmless(note), width));
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

/// The text in lines, broken at blanks where it is wider than `width`; further lines are indented by two columns. A command in backticks
/// stays in one line if it fits there.
pub(crate) fn wrapped(text: &str, width: Option<u16>) -> String {
    let Some(width) = width else {
        return text.to_owned() + "\n";
    };
    let leading = text.len() - text.trim_start_matches(' ').len();
    let indent = " ".repeat(leading) + INDENT;
    let options = textwrap::Options::new(width.into())
        .break_words(false)
        .subsequent_indent(&indent);
    let options = options.word_splitter(textwrap::WordSplitter::NoHyphenation);
    let room = usize::from(width).saturating_sub(indent.len());
    textwrap::fill(&with_whole_commands(text, room), options).replace(HELD_BLANK, " ") + "\n"
}

/// Each line of a text as by [`wrapped`].
pub fn folded(text: &str, width: Option<u16>) -> String {
    text.lines().map(|line| wrapped(line, width)).collect()
}

/// The text with the blanks of each command in backticks held together if it is no wider than `room`.
fn with_whole_commands(text: &str, room: usize) -> String {
    let pieces: Vec<&str> = text.split('`').collect();
    let last = pieces.len() - 1;
    let piece = |(index, piece): (usize, &&str)| {
        // Two more for the backticks.
        let is_command = index % 2 == 1 && index < last && piece.width() + 2 <= room;
        match is_command {
            true => piece.replace(' ', HELD_BLANK),
            false => (*piece).to_owned(),
        }
    };
    pieces.iter().enumerate().map(piece).collect::<Vec<_>>().join("`")
}

fn escape_pipes(text: &str) -> String {
    harmless(text).replace('\\', "\\\\").replace('|', "\\|")
}

/// Escapes a text so that Markdown shows it as it is: no links, images, tags, mentions or emphasis.
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

/// Puts an apostrophe before a text that a spreadsheet would calculate.
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
    fn lines_break_at_blanks_but_not_within_a_command() {
        let text = "  it waits for somebody: `swissmatch arbiter confirm`, or `an answer that no such line can hold`";
        assert_eq!(
            wrapped(text, Some(36)),
            "  it waits for somebody:\n    `swissmatch arbiter confirm`, or\n    `an answer that no such line can\n    hold`\n"
        );
        assert_eq!(wrapped("a `b c` d `e", Some(7)), "a `b c`\n  d `e\n");
        assert_eq!(wrapped(text, None), text.to_owned() + "\n");
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
        1  A name that is lon…  -1.5|x
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

    /// Standings of four columns that stay or go.
    fn standings(names: &[&str]) -> Table {
        let columns = vec![
            Column::figures("#"),
            Column::names("Name"),
            Column::figures("MP"),
            Column::figures("Buchholz").goes(1),
            Column::figures("Games").goes(2),
            Column::figures("Faults").goes(2),
        ];
        let cells = ["3.5", "12.5", "12", "0"].map(str::to_owned);
        let row = |(line, name): (usize, &&str)| [vec![line.to_string(), (*name).to_owned()], cells.to_vec()].concat();
        Table {
            columns,
            rows: (1..).zip(names).map(row).collect(),
        }
    }

    #[test]
    fn columns_give_way_before_names() {
        let table = standings(&["Deep Thoughtless", "Codfish 17 alpha", "Codfish 17 beta"]);
        assert_snapshot!(table.text(Some(40)), @"
        #  Name               MP  Buchholz
        ──────────────────────────────────
        1  Deep Thoughtless  3.5      12.5
        2  Codfish 17 alpha  3.5      12.5
        3  Codfish 17 beta   3.5      12.5

        Left out, for lack of room: Games,
          Faults. A wider terminal has them, or
          `| less -S`.
        ");
        assert_snapshot!(table.text(Some(18)), @"
        #  Name         MP
        ──────────────────
        1  Deep Thou…  3.5
        2  Codfis…pha  3.5
        3  Codfis…eta  3.5

        Left out, for lack
          of room:
          Buchholz, Games,
          Faults. A wider
          terminal has
          them, or
          `| less -S`.
        ");
    }

    #[test]
    fn columns_go_on_below() {
        let mut table = standings(&["Deep Thoughtless", "Codfish"]);
        table.columns = table
            .columns
            .into_iter()
            .map(|column| Column {
                no_room: NoRoom::Stays,
                ..column
            })
            .collect();
        for column in &mut table.columns[3..] {
            column.no_room = NoRoom::Below;
        }
        assert_snapshot!(table.text(Some(40)), @"
        #  Name            MP  Buchholz  Games
        ──────────────────────────────────────
        1  Deep Thought…  3.5      12.5     12
        2  Codfish        3.5      12.5     12

        #  Name            MP  Faults
        ─────────────────────────────
        1  Deep Thought…  3.5       0
        2  Codfish        3.5       0
        ");
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
