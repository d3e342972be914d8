//! A page in Markdown, read as far as the tests need it.

/// A page of a contract.
pub struct Page {
    pub name: &'static str,
    /// Whether a title and a paragraph stand before the first section.
    pub has_introduction: bool,
    parts: Vec<Part>,
}

/// What stands under one heading, up to the next.
struct Part {
    section: String,
    /// The heading under the section's own, with its backticks.
    heading: Option<String>,
    rows: Vec<Row>,
}

/// A row of a table.
pub struct Row {
    pub cells: Vec<String>,
}

impl Row {
    fn read(line: &str) -> Option<Row> {
        let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
        // A bar inside a cell is written `\|`.
        let cells = inner.replace("\\|", "\u{1}");
        let cells = cells.split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect();
        Some(Row { cells })
    }

    fn is_rule(&self) -> bool {
        self.cells
            .iter()
            .all(|cell| cell.contains('-') && cell.chars().all(|one| "-: ".contains(one)))
    }

    pub fn cell(&self, at: usize) -> &str {
        self.cells.get(at).map_or("", String::as_str)
    }

    /// The field the row is about.
    pub fn path(&self) -> Option<&str> {
        names_in(self.cell(0)).into_iter().next()
    }
}

/// Everything in backticks.
pub fn names_in(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

impl Page {
    pub fn read(name: &'static str, text: &str) -> Page {
        let mut page = Page { name, has_introduction: false, parts: Vec::new() };
        let (mut is_code, mut has_title) = (false, false);
        let mut table: Vec<Row> = Vec::new();
        for line in text.lines() {
            if line.trim_start().starts_with("```") {
                is_code = !is_code;
                continue;
            }
            if is_code {
                continue;
            }
            if let Some(row) = Row::read(line) {
                table.push(row);
                continue;
            }
            page.end_table(&mut table);
            if let Some(section) = line.strip_prefix("## ") {
                let section = section.trim().to_owned();
                page.parts.push(Part { section, heading: None, rows: Vec::new() });
            } else if let Some(heading) = line.strip_prefix("### ") {
                let section = page.parts.last().map(|part| part.section.clone());
                let section = section.unwrap_or_default();
                let heading = Some(heading.trim().to_owned());
                page.parts.push(Part { section, heading, rows: Vec::new() });
            } else if line.starts_with("# ") {
                has_title = true;
            } else if page.parts.is_empty() && !line.trim().is_empty() {
                page.has_introduction = has_title;
            }
        }
        page.end_table(&mut table);
        page
    }

    /// The rows of a table are those below the rule under its head.
    fn end_table(&mut self, table: &mut Vec<Row>) {
        let rows = std::mem::take(table);
        if let (Some(part), Some(rule)) =
            (self.parts.last_mut(), rows.iter().position(Row::is_rule))
        {
            part.rows.extend(rows.into_iter().skip(rule + 1));
        }
    }

    pub fn sections(&self) -> Vec<&str> {
        let own = self.parts.iter().filter(|part| part.heading.is_none());
        own.map(|part| part.section.as_str()).collect()
    }

    /// The messages a section describes: those whose heading is a name in
    /// backticks.
    pub fn messages(&self, section: &str) -> impl Iterator<Item = (&str, &[Row])> {
        let parts = self.parts.iter().filter(move |part| part.section == section);
        parts.filter_map(|part| Some((message_name(part)?, part.rows.as_slice())))
    }

    /// The rows that are about every message of a section: those under a
    /// heading that names none.
    pub fn shared_rows(&self, section: &str) -> Vec<&Row> {
        let parts = self.parts.iter().filter(|part| part.section == section);
        parts.filter(|part| message_name(part).is_none()).flat_map(|part| &part.rows).collect()
    }

    /// All rows of a section.
    pub fn rows(&self, section: &str) -> Vec<&Row> {
        let parts = self.parts.iter().filter(|part| part.section == section);
        parts.flat_map(|part| &part.rows).collect()
    }
}

fn message_name(part: &Part) -> Option<&str> {
    part.heading.as_deref()?.strip_prefix('`')?.split_once('`').map(|(name, _)| name)
}
