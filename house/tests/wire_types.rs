//! The browser's types are written from the dialects' own schemas, so that a
//! changed contract breaks the client's build. The files are checked in; this
//! test fails when they no longer say what the house says.
//!
//! `PARLOR_WRITE_WIRE=1 cargo test -p parlor-house --test wire_types` writes them.

mod typescript;

use std::path::PathBuf;

use parlor_house::games;
use parlor_kernel::WORDS;

/// The dialects the browser speaks.
const SPOKEN: [&str; 5] =
    ["koikoi.protocol", "stud.events", "binokel.events", "mafia.events", WORDS];

fn wire() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../web/src/wire")
}

#[test]
fn the_types_of_the_browser_are_those_of_the_house() {
    let writes = std::env::var_os("PARLOR_WRITE_WIRE").is_some();
    for game in games() {
        for dialect in game.dialects() {
            if !SPOKEN.contains(&dialect) {
                continue;
            }
            let mut schemas = game.schemas(dialect).expect("a game knows its own dialects");
            // Whatever is told in plain words is no part of the log, and the
            // client passes over it.
            schemas.retain(|schema| !["presence", "refusal"].contains(&schema.name.as_str()));
            if dialect == WORDS {
                // Every game says the same in it, and hears its own moves.
                schemas.retain(|schema| !schema.is_command);
            }
            let text = typescript::module(dialect, &schemas);
            let path = wire().join(format!("{dialect}.ts"));
            if writes {
                std::fs::write(&path, text).expect("the wire's folder can be written to");
                continue;
            }
            let kept = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(
                kept == text,
                "web/src/wire/{dialect}.ts is stale; \
                 PARLOR_WRITE_WIRE=1 cargo test -p parlor-house --test wire_types writes it anew"
            );
        }
    }
}
