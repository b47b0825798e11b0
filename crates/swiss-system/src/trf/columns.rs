//! Lines as columns: fields of a line that is read, and a line that is being written.
//!
//! May not: know which record has which columns.

use super::error::{TrfError, TrfLineError, TrfRecordError, Warnings};
use crate::score::Points;
use crate::text::shortened;

/// Columns of a record, counted in characters from 1, both ends included.
#[derive(Clone, Copy)]
pub(super) struct ColumnField {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) name: &'static str,
}

impl ColumnField {
    pub(super) const fn new(from: usize, to: usize, name: &'static str) -> Self {
        Self { from, to, name }
    }

    /// The field `index` steps to the right.
    pub(super) const fn nth(self, index: usize, step: usize) -> Self {
        Self::new(self.from + index * step, self.to + index * step, self.name)
    }

    const fn width(self) -> usize {
        self.to + 1 - self.from
    }
}

/// A line that is read.
pub(super) struct InputLine<'a> {
    /// From 1.
    pub(super) number: usize,
    /// Without its end.
    pub(super) text: &'a str,
    chars: Vec<char>,
}

impl<'a> InputLine<'a> {
    pub(super) fn new(number: usize, text: &'a str) -> Self {
        Self {
            number,
            text,
            // FIDE's own sample has tabs after the last field.
            chars: text.trim_end_matches([' ', '\t']).chars().collect(),
        }
    }

    /// Columns up to the last that is not blank.
    pub(super) fn end(&self) -> usize {
        self.chars.len()
    }

    /// The character in a column; a blank beyond the end.
    pub(super) fn at(&self, column: usize) -> char {
        self.chars.get(column - 1).copied().unwrap_or(' ')
    }

    pub(super) fn fault<T>(&self, column: usize, fault: TrfLineError) -> Result<T, TrfError> {
        Err(TrfError {
            line: self.number,
            column,
            fault,
        })
    }

    /// The text of a field without outer blanks.
    pub(super) fn text(&self, field: ColumnField) -> String {
        let to = field.to.min(self.chars.len());
        let text: String = self.chars.get(field.from - 1..to).unwrap_or_default().iter().collect();
        text.trim_matches(' ').to_owned()
    }

    /// Everything from a column on, without blanks at the end.
    pub(super) fn rest(&self, from: usize) -> String {
        self.chars.get(from - 1..).unwrap_or_default().iter().collect()
    }

    /// Checks that no tab has moved the columns.
    pub(super) fn no_tabs(&self) -> Result<(), TrfError> {
        match self.chars.iter().position(|&c| c == '\t') {
            Some(index) => self.fault(index + 1, TrfLineError::Tab),
            None => Ok(()),
        }
    }

    /// Checks that the columns are blank.
    pub(super) fn blank(&self, from: usize, to: usize) -> Result<(), TrfError> {
        match (from..=to).find(|&column| self.at(column) != ' ') {
            Some(column) => self.fault(column, TrfLineError::BetweenFields(self.at(column))),
            None => Ok(()),
        }
    }

    /// A number; `None` if the field is blank.
    pub(super) fn number(&self, field: ColumnField, lowest: u32, highest: u32) -> Result<Option<u32>, TrfError> {
        let text = self.text(field);
        if text.is_empty() {
            return Ok(None);
        }
        let value = number(&text, field.name, lowest, highest);
        value.map(Some).or_else(|fault| self.fault(field.from, fault))
    }

    /// A number that must be there.
    pub(super) fn required(&self, field: ColumnField, lowest: u32, highest: u32) -> Result<u32, TrfError> {
        match self.number(field, lowest, highest)? {
            Some(number) => Ok(number),
            None => self.fault(field.from, TrfLineError::Missing(field.name)),
        }
    }

    /// Points; `None` if the field is blank.
    pub(super) fn points(&self, field: ColumnField, warnings: &mut Warnings) -> Result<Option<Points>, TrfError> {
        let text = self.text(field);
        if text.is_empty() {
            return Ok(None);
        }
        let (points, usual) = points(&text, field.name).or_else(|fault| self.fault(field.from, fault))?;
        if !usual || !text.contains('.') {
            warnings.add(self.number, format!("{} `{text}` taken as {points}", field.name));
        }
        Ok(Some(points))
    }

    /// The numbers in a field and in those that follow it to the end of the line, `step` columns apart; `None` for 0
    /// and for a field that was left blank.
    pub(super) fn list(&self, first: ColumnField, step: usize, highest: u32) -> Result<Vec<Option<u32>>, TrfError> {
        let mut numbers = Vec::new();
        let mut field = first;
        while field.from <= self.end() {
            let number = self.number(field, 0, highest)?;
            numbers.push(number.filter(|&number| number > 0));
            self.blank(field.to + 1, field.from + step - 1)?;
            field = field.nth(1, step);
        }
        Ok(numbers)
    }

    /// Like [`Self::list`], for fields in which 0 and blanks name nobody; they are left out, with a warning.
    pub(super) fn named(
        &self,
        first: ColumnField,
        step: usize,
        highest: u32,
        warnings: &mut Warnings,
    ) -> Result<Vec<u32>, TrfError> {
        let list = self.list(first, step, highest)?;
        let (fields, numbers) = (list.len(), list.into_iter().flatten().collect::<Vec<u32>>());
        if numbers.len() < fields {
            warnings.add(self.number, format!("{} 0 or blank left out", first.name));
        }
        if numbers.is_empty() {
            warnings.add(self.number, "the record names nobody");
        }
        Ok(numbers)
    }
}

/// A number in a text without outer blanks.
pub(super) fn number(text: &str, field: &'static str, lowest: u32, highest: u32) -> Result<u32, TrfLineError> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let value = text
        .parse::<u64>()
        .ok()
        .filter(|_| digits)
        .ok_or_else(|| TrfLineError::NotANumber {
            field,
            text: shown(text),
        })?;
    match u32::try_from(value) {
        Ok(number) if (lowest..=highest).contains(&number) => Ok(number),
        _ => Err(TrfLineError::OutOfRange {
            field,
            number: value,
            lowest,
            highest,
        }),
    }
}

/// Points in a text without outer blanks, and true if they are written as usual.
pub(super) fn points(text: &str, field: &'static str) -> Result<(Points, bool), TrfLineError> {
    let written = text.replacen(',', ".", 1).replacen('½', ".5", 1);
    let (sign, digits) = match written.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", written.as_str()),
    };
    let digits = match (digits.starts_with('.'), digits.strip_suffix('.')) {
        (true, None) => format!("0{digits}"),
        (false, Some(whole)) => whole.to_owned(),
        _ => digits.to_owned(),
    };
    let clean = format!("{sign}{digits}");
    match clean.parse() {
        Ok(points) => Ok((points, clean == text)),
        Err(_) => Err(TrfLineError::NotPoints {
            field,
            text: shown(text),
        }),
    }
}

/// A text of the file for a message: shortened for people.
pub(super) fn shown(text: &str) -> String {
    shortened(text, 40)
}

/// A line that is being written.
pub(super) struct OutputLine {
    chars: Vec<char>,
}

impl OutputLine {
    pub(super) fn new(code: &str) -> Self {
        Self {
            chars: code.chars().collect(),
        }
    }

    /// The line without blanks at its end.
    pub(super) fn finish(self) -> String {
        let text: String = self.chars.into_iter().collect();
        text.trim_end_matches(' ').to_owned()
    }

    /// A text at the left of its columns.
    pub(super) fn left(&mut self, field: ColumnField, text: &str) -> Result<(), TrfRecordError> {
        plain(field.name, text)?;
        self.put(field, text, 0)
    }

    /// A text at the right of its columns.
    pub(super) fn right(&mut self, field: ColumnField, text: &str) -> Result<(), TrfRecordError> {
        plain(field.name, text)?;
        self.put(field, text, field.width().saturating_sub(text.chars().count()))
    }

    /// A text to the end of the line, which may begin with blanks.
    pub(super) fn rest(&mut self, from: usize, name: &'static str, text: &str) -> Result<(), TrfRecordError> {
        no_controls(name, text)?;
        self.put(ColumnField::new(from, usize::MAX - 1, name), text, 0)
    }

    /// A number at the right of its columns; nothing for `None`.
    pub(super) fn number(
        &mut self,
        field: ColumnField,
        number: Option<u32>,
        lowest: u32,
        highest: u32,
    ) -> Result<(), TrfRecordError> {
        let Some(number) = number else {
            return Ok(());
        };
        self.right(field, &checked(field.name, number, lowest, highest)?.to_string())
    }

    /// Points at the right of their columns, with one decimal; nothing for `None`.
    pub(super) fn points(&mut self, field: ColumnField, points: Option<Points>) -> Result<(), TrfRecordError> {
        let Some(points) = points else {
            return Ok(());
        };
        self.right(field, &one_decimal(field.name, points)?)
    }

    /// Numbers in a field and in those that follow it, `step` columns apart.
    pub(super) fn list(
        &mut self,
        first: ColumnField,
        step: usize,
        highest: u32,
        numbers: &[u32],
    ) -> Result<(), TrfRecordError> {
        for (index, &number) in numbers.iter().enumerate() {
            self.number(first.nth(index, step), Some(number), 1, highest)?;
        }
        Ok(())
    }

    /// Like [`Self::list`], but with zeros over the whole width for `None`.
    pub(super) fn list_with_zeros(
        &mut self,
        first: ColumnField,
        step: usize,
        highest: u32,
        numbers: &[Option<u32>],
    ) -> Result<(), TrfRecordError> {
        for (index, &number) in numbers.iter().enumerate() {
            let field = first.nth(index, step);
            match number {
                Some(number) => self.number(field, Some(number), 1, highest)?,
                None => self.right(field, &"0".repeat(field.width()))?,
            }
        }
        Ok(())
    }

    fn put(&mut self, field: ColumnField, text: &str, indent: usize) -> Result<(), TrfRecordError> {
        if text.chars().count() > field.width() {
            return Err(TrfRecordError::TooWide {
                field: field.name,
                text: text.to_owned(),
                width: field.width(),
            });
        }
        for (offset, character) in text.chars().enumerate() {
            let index = field.from - 1 + indent + offset;
            if self.chars.len() <= index {
                self.chars.resize(index + 1, ' ');
            }
            self.chars[index] = character;
        }
        Ok(())
    }
}

/// The number, if the format holds it.
pub(super) fn checked(field: &'static str, number: u32, lowest: u32, highest: u32) -> Result<u32, TrfRecordError> {
    if (lowest..=highest).contains(&number) {
        return Ok(number);
    }
    Err(TrfRecordError::OutOfRange {
        field,
        number,
        lowest,
        highest,
    })
}

/// `11.5`
pub(super) fn one_decimal(field: &'static str, points: Points) -> Result<String, TrfRecordError> {
    let text = points.to_string();
    match text.split_once('.') {
        None => Ok(format!("{text}.0")),
        Some((_, decimals)) if decimals.len() == 1 => Ok(text),
        Some(_) => Err(TrfRecordError::TooFine { field, points }),
    }
}

/// Checks that a text can be in a line: no control characters except the tab, which free text may have.
pub(super) fn no_controls(field: &'static str, text: &str) -> Result<(), TrfRecordError> {
    match text.chars().find(|&c| is_control(c)) {
        Some(character) => Err(TrfRecordError::ControlCharacter { field, character }),
        None => Ok(()),
    }
}

/// Control characters of ASCII; those above are the letters of other code pages read as Latin-1.
pub(super) fn is_control(character: char) -> bool {
    character < ' ' && character != '\t' || character == '\u{7f}'
}

/// Checks that a text can be in columns.
fn plain(field: &'static str, text: &str) -> Result<(), TrfRecordError> {
    no_controls(field, text)?;
    if text.contains('\t') {
        return Err(TrfRecordError::ControlCharacter { field, character: '\t' });
    }
    if text.starts_with(' ') || text.ends_with(' ') {
        return Err(TrfRecordError::OuterBlank {
            field,
            text: text.to_owned(),
        });
    }
    Ok(())
}
