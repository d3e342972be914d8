//! The pages in `docs/contracts` say what the dialects' schemas say, and every
//! promise in them names a test that is there.

#[path = "contracts/page.rs"]
mod page;
#[path = "contracts/shape.rs"]
mod shape;
#[path = "contracts/tests_by_name.rs"]
mod tests_by_name;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use page::{Page, Row, names_in};
use parlor_kernel::EventSchema;
use shape::Shape;
use tests_by_name::TestsByName;

/// Each contract's page, and the dialect it describes.
const PAGES: [(&str, &str); 5] = [
    ("koikoi-contract", "koikoi.contract"),
    ("koikoi-protocol", "koikoi.protocol"),
    ("stud-events", "stud.events"),
    ("binokel-events", "binokel.events"),
    ("mafia-events", "mafia.events"),
];

/// Pages that promise something beside the contracts.
const GUARANTEED: [&str; 2] = ["docs/contracts/README.md", "docs/agents.md"];

/// What only Socket.IO carries: it is no message of a dialect.
const CARRIED: [&str; 7] = [
    "game:start",
    "game:sync",
    "game:state",
    "game:events",
    "game:answer",
    "session:terminated",
    "connect_error",
];

const SECTIONS: [&str; 6] =
    ["A first exchange", "Commands", "Events", "Values", "Guarantees", "Deviations and extensions"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the repository")
}

/// The pages, with the schemas of their dialects.
fn pages() -> Vec<(Page, Vec<EventSchema>)> {
    let page = |(name, dialect): (&'static str, &str)| {
        let path = root().join("docs/contracts").join(format!("{name}.md"));
        let text = std::fs::read_to_string(path).expect("a page for every contract");
        let game = parlor_house::games().find(|game| game.dialects().contains(&dialect));
        let schemas = game.expect("the dialect's game").schemas(dialect).expect("its schemas");
        (Page::read(name, &text), schemas)
    };
    PAGES.into_iter().map(page).collect()
}

#[test]
fn every_page_has_the_same_sections_in_the_same_order() {
    for (page, _) in pages() {
        assert!(page.has_introduction, "{}: a title, and a paragraph what it is for", page.name);
        assert_eq!(page.sections(), SECTIONS, "{}", page.name);
    }
}

#[test]
fn every_message_of_a_dialect_is_on_its_page_and_no_other() {
    for (page, schemas) in pages() {
        for (section, is_command) in [("Commands", true), ("Events", false)] {
            let known: BTreeSet<&str> = schemas
                .iter()
                .filter(|schema| schema.is_command == is_command)
                .map(|schema| schema.name.as_str())
                .collect();
            let described: BTreeSet<&str> = page
                .messages(section)
                .map(|(name, _)| name)
                .filter(|name| !is_carried(name))
                .collect();
            assert_eq!(described, known, "{}, {section}", page.name);
        }
    }
}

/// Whether this is no message of the dialect: a call over HTTP, or something
/// of the transport's own.
fn is_carried(name: &str) -> bool {
    CARRIED.contains(&name) || name.contains(['/', ' '])
}

#[test]
fn every_field_of_a_message_has_a_row_and_every_row_is_a_field() {
    let mut faults = Vec::new();
    for (page, schemas) in pages() {
        for (section, is_command) in [("Commands", true), ("Events", false)] {
            let shared = page.shared_rows(section);
            let mut used = BTreeSet::new();
            for (name, rows) in page.messages(section).filter(|(name, _)| !is_carried(name)) {
                let of_this = |one: &&EventSchema| one.name == name && one.is_command == is_command;
                let Some(schema) = schemas.iter().find(of_this) else { continue };
                let shape = Shape::of(&schema.schema);
                let place = format!("{}, {name}", page.name);
                let own: BTreeSet<&str> = rows.iter().filter_map(Row::path).collect();
                for path in &own {
                    if !shape.has(path) {
                        faults.push(format!("{place}: there is no field '{path}'"));
                    }
                }
                let common = shared.iter().copied().filter_map(Row::path);
                used.extend(common.filter(|path| shape.has(path)));
                let all: Vec<&Row> = rows.iter().chain(shared.iter().copied()).collect();
                let absent = shape.paths().into_iter().filter(|path| !is_told(path, &all));
                faults.extend(absent.map(|path| format!("{place}: '{path}' has no row")));
            }
            let unused = shared.iter().copied().filter_map(Row::path);
            let unused = unused.filter(|path| !used.contains(path));
            faults.extend(unused.map(|path| format!("{}: no message has '{path}'", page.name)));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What a row says of something that is told in another place, with all below.
const ELSEWHERE: [&str; 3] = ["has it", "tells it", "explains each"];

/// Whether a field has a row, or lies below one that says where it is told.
fn is_told(path: &str, rows: &[&Row]) -> bool {
    let row_of = |path: &str| rows.iter().find(|row| row.path() == Some(path));
    let says_where = |row: &&&Row| {
        ELSEWHERE.iter().any(|words| row.cells.iter().any(|cell| cell.contains(words)))
    };
    let mut above = path;
    while let Some((outer, _)) = above.rsplit_once(['.', '[']) {
        above = outer;
        if row_of(above).is_some_and(|row| says_where(&row)) {
            return true;
        }
    }
    row_of(path).is_some()
}

#[test]
fn every_value_of_an_enum_is_listed() {
    let mut faults = Vec::new();
    for (page, schemas) in pages() {
        let rows = page.rows("Values");
        let listed: BTreeSet<String> =
            rows.iter().flat_map(|row| names_in(row.cell(0))).map(str::to_owned).collect();
        let known: BTreeSet<String> =
            schemas.iter().flat_map(|schema| Shape::of(&schema.schema).values()).collect();
        let absent: Vec<_> = known.difference(&listed).collect();
        if !absent.is_empty() {
            faults.push(format!("{}: Values lacks {absent:?}", page.name));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_promise_and_every_deviation_is_held_by_a_test_that_is_there() {
    let tests = TestsByName::gather(&root());
    let mut faults = Vec::new();
    let promised = [("Guarantees", 3), ("Deviations and extensions", 5)];
    let contracts = pages().into_iter().map(|(page, _)| (page, &promised[..]));
    let others = GUARANTEED.map(|name| {
        let text = std::fs::read_to_string(root().join(name)).expect("a page");
        (Page::read(name, &text), &promised[..1])
    });
    for (page, promised) in contracts.chain(others) {
        for &(section, columns) in promised {
            let rows = page.rows(section);
            assert!(!rows.is_empty(), "{}: {section} is empty", page.name);
            for row in rows {
                let place = format!("{}, {section}, '{}'", page.name, row.cell(0));
                if row.cells.len() != columns || row.cells.iter().any(String::is_empty) {
                    faults.push(format!("{place}: a row has {columns} cells, none of them empty"));
                    continue;
                }
                let names = names_in(row.cell(columns - 1));
                if names.is_empty() {
                    faults.push(format!("{place}: no test holds it"));
                }
                let absent = names.into_iter().filter(|name| !tests.has(name));
                faults.extend(absent.map(|name| format!("{place}: there is no test {name}")));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_index_leads_to_every_page() {
    let index = root().join("docs/contracts/README.md");
    let index = std::fs::read_to_string(index).expect("the index of the contracts");
    for (page, dialect) in PAGES {
        let row = index.lines().find(|line| line.contains(&format!("({page}.md)")));
        let row = row.unwrap_or_else(|| panic!("{page} is not in the index"));
        assert!(row.contains(&format!("`{dialect}`")), "{page}: {row}");
    }
    let there = std::fs::read_dir(root().join("docs/contracts")).expect("the pages");
    for file in there.map(|file| file.expect("a file").file_name()) {
        let name = file.to_string_lossy().into_owned();
        let is_known = PAGES.iter().any(|(page, _)| name == format!("{page}.md"));
        assert!(is_known || name == "README.md", "{name} is the page of no contract");
    }
}
