//! The XML of a JUnit report: suites of cases.
//!
//! May not: know the meaning of a case.

use std::fmt::{self, Display, Formatter};

pub(crate) struct JUnitReport {
    pub(crate) name: String,
    pub(crate) suites: Vec<Suite>,
}

/// Cases that belong together.
pub(crate) struct Suite {
    pub(crate) name: String,
    pub(crate) cases: Vec<JUnitCase>,
}

pub(crate) struct JUnitCase {
    pub(crate) name: String,
    pub(crate) class: Option<String>,
    pub(crate) status: Status,
    /// The output of the case.
    pub(crate) output: Option<String>,
}

pub(crate) enum Status {
    Passed,
    Other {
        ending: JUnitEnding,
        message: String,
        description: Option<String>,
    },
}

/// A failure or an error, and its kind.
#[derive(Clone, Copy)]
pub(crate) enum JUnitEnding {
    Failed(&'static str),
    Error(&'static str),
    Skipped,
}

impl JUnitEnding {
    fn element(self) -> (&'static str, Option<&'static str>) {
        match self {
            Self::Failed(kind) => ("failure", Some(kind)),
            Self::Error(kind) => ("error", Some(kind)),
            Self::Skipped => ("skipped", None),
        }
    }
}

impl JUnitReport {
    pub(crate) fn new(name: impl Into<String>, suites: Vec<Suite>) -> Self {
        Self {
            name: name.into(),
            suites,
        }
    }
}

impl Suite {
    pub(crate) fn new(name: impl Into<String>, cases: Vec<JUnitCase>) -> Self {
        Self {
            name: name.into(),
            cases,
        }
    }
}

impl JUnitCase {
    /// A case without output or class.
    pub(crate) fn new(name: impl Into<String>, status: Status) -> Self {
        Self {
            name: name.into(),
            class: None,
            status,
            output: None,
        }
    }

    /// The case with this class.
    pub(crate) fn of(self, class: impl Into<String>) -> Self {
        Self {
            class: Some(class.into()),
            ..self
        }
    }

    fn is(&self, element: &str) -> bool {
        matches!(&self.status, Status::Other { ending, .. } if ending.element().0 == element)
    }
}

/// The attributes that count cases.
fn counts<'a>(cases: impl Iterator<Item = &'a JUnitCase> + Clone, elements: [(&str, &str); 3]) -> String {
    let of = |(attribute, element): (&str, &str)| {
        format!(
            " {attribute}=\"{}\"",
            cases.clone().filter(|case| case.is(element)).count()
        )
    };
    format!(" tests=\"{}\"{}", cases.clone().count(), elements.map(of).concat())
}

impl Display for JUnitReport {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let elements = [("skipped", "skipped"), ("failures", "failure"), ("errors", "error")];
        let counts = counts(self.suites.iter().flat_map(|suite| &suite.cases), elements);
        writeln!(f, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
        writeln!(f, r#"<testsuites name="{}"{counts}>"#, escaped(&self.name))?;
        for suite in &self.suites {
            write!(f, "{suite}")?;
        }
        writeln!(f, "</testsuites>")
    }
}

impl Display for Suite {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let elements = [("skipped", "skipped"), ("errors", "error"), ("failures", "failure")];
        let head = format!(
            r#"    <testsuite name="{}"{}"#,
            escaped(&self.name),
            counts(self.cases.iter(), elements)
        );
        if self.cases.is_empty() {
            return writeln!(f, "{head}/>");
        }
        writeln!(f, "{head}>")?;
        for case in &self.cases {
            write!(f, "{case}")?;
        }
        writeln!(f, "    </testsuite>")
    }
}

impl Display for JUnitCase {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, r#"        <testcase name="{}""#, escaped(&self.name))?;
        if let Some(class) = &self.class {
            write!(f, r#" classname="{}""#, escaped(class))?;
        }
        if matches!(self.status, Status::Passed) && self.output.is_none() {
            return writeln!(f, "/>");
        }
        writeln!(f, ">")?;
        if let Status::Other {
            ending,
            message,
            description,
        } = &self.status
        {
            let (element, kind) = ending.element();
            write!(f, r#"            <{element} message="{}""#, escaped(message))?;
            if let Some(kind) = kind {
                write!(f, r#" type="{kind}""#)?;
            }
            match description {
                Some(text) => writeln!(f, ">{}</{element}>", escaped(text))?,
                None => writeln!(f, "/>")?,
            }
        }
        if let Some(text) = &self.output {
            writeln!(f, "            <system-out>{}</system-out>", escaped(text))?;
        }
        writeln!(f, "        </testcase>")
    }
}

/// Escapes a text for an element or an attribute.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '&' => escaped += "&amp;",
            '\'' => escaped += "&apos;",
            '"' => escaped += "&quot;",
            // XML does not allow them.
            c if c.is_control() && c != '\n' => {}
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_as_readers_of_junit_take_it() {
        let other = |ending, description: Option<&str>| Status::Other {
            ending,
            message: "a \"b\" <c> & 'd'\u{1b}\n".to_owned(),
            description: description.map(str::to_owned),
        };
        let cases = vec![
            JUnitCase::new("one", Status::Passed),
            JUnitCase {
                output: Some("a line\n\tand <one>".to_owned()),
                ..JUnitCase::new("two", Status::Passed).of("class")
            },
            JUnitCase::new("three", other(JUnitEnding::Failed("faults"), Some("why"))),
            JUnitCase::new("four", other(JUnitEnding::Error("machine"), None)),
            JUnitCase::new("five", other(JUnitEnding::Skipped, None)),
        ];
        let report = JUnitReport::new(
            "<event>",
            vec![Suite::new("none", Vec::new()), Suite::new("all", cases)],
        );
        assert_eq!(
            report.to_string(),
            r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="&lt;event&gt;" tests="5" skipped="1" failures="1" errors="1">
    <testsuite name="none" tests="0" skipped="0" errors="0" failures="0"/>
    <testsuite name="all" tests="5" skipped="1" errors="1" failures="1">
        <testcase name="one"/>
        <testcase name="two" classname="class">
            <system-out>a line
and &lt;one&gt;</system-out>
        </testcase>
        <testcase name="three">
            <failure message="a &quot;b&quot; &lt;c&gt; &amp; &apos;d&apos;
" type="faults">why</failure>
        </testcase>
        <testcase name="four">
            <error message="a &quot;b&quot; &lt;c&gt; &amp; &apos;d&apos;
" type="machine"/>
        </testcase>
        <testcase name="five">
            <skipped message="a &quot;b&quot; &lt;c&gt; &amp; &apos;d&apos;
"/>
        </testcase>
    </testsuite>
</testsuites>
"#
        );
    }
}
