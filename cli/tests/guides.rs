//! The documentation: every link of every page leads somewhere, in the
//! repository as it is written and in the server as it is served.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use common::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the repository")
}

/// Every page of the repository, by its path there.
fn pages() -> BTreeMap<String, String> {
    let root = root();
    let mut folders = vec![root.clone(), root.join("docs/contracts"), root.join("docs")];
    folders.push(root.join("players"));
    let games = fs::read_dir(root.join("games")).expect("games");
    folders.extend(games.map(|game| game.expect("a game").path()));
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).expect("a folder"));
    let files = files.map(|file| file.expect("a file").path());
    let pages = files.filter(|file| file.extension().is_some_and(|ending| ending == "md"));
    pages
        .map(|file| {
            let path =
                file.strip_prefix(&root).expect("inside").to_str().expect("a name").to_owned();
            (path, fs::read_to_string(&file).expect("a page"))
        })
        .collect()
}

/// The links and pictures of a page.
fn links(text: &str) -> Vec<String> {
    let events = Parser::new_ext(text, Options::ENABLE_TABLES);
    let link = |event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
            Some(dest_url.into_string())
        }
        _ => None,
    };
    events.filter_map(link).collect()
}

/// What a page's headings are linked to by, as repository hosts make it.
fn anchors(text: &str) -> BTreeSet<String> {
    let (mut anchors, mut heading) = (BTreeSet::new(), None::<String>);
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(words) | Event::Code(words) => {
                heading.iter_mut().for_each(|heading| heading.push_str(&words));
            }
            Event::End(TagEnd::Heading(_)) => {
                let heading = heading.take().expect("a heading ends").to_lowercase();
                let plain =
                    heading.replace(|one: char| !one.is_alphanumeric() && !" -_".contains(one), "");
                anchors.insert(plain.replace(' ', "-"));
            }
            _ => {}
        }
    }
    anchors
}

fn is_elsewhere(link: &str) -> bool {
    link.contains("://")
}

#[test]
fn no_link_in_the_repository_is_dead() {
    let pages = pages();
    assert!(pages.len() > 10, "{:?}", pages.keys());
    for (path, text) in &pages {
        for link in links(text).iter().filter(|link| !is_elsewhere(link)) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let from = root().join(path);
            let target = if file.is_empty() { from } else { from.with_file_name(file) };
            let target = target.canonicalize().unwrap_or_else(|_| panic!("{path}: {link} is dead"));
            if !anchor.is_empty() {
                let headings = anchors(&fs::read_to_string(&target).expect("a page"));
                assert!(headings.contains(anchor), "{path}: {link} is not among {headings:?}");
            }
        }
    }
}

/// Every file of the repository, by its path there.
fn files(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        if ["target", "node_modules", "dist", ".git"].contains(&name) {
            continue;
        }
        if path.is_dir() {
            files(&path, found);
        } else {
            let path = path.strip_prefix(root()).expect("inside").to_str().expect("a path");
            found.push(format!("/{path}"));
        }
    }
}

#[test]
fn every_file_that_a_page_names_is_there() {
    let mut there = Vec::new();
    files(&root(), &mut there);
    let is_source = |name: &str| {
        let ending = name.rsplit_once('.').map(|(_, ending)| ending);
        name.contains('/') && matches!(ending, Some("rs" | "ts" | "svelte" | "sh" | "toml"))
    };
    // What changed once may speak of what is gone.
    for (page, text) in pages().iter().filter(|(page, _)| *page != "CHANGELOG.md") {
        let named = Parser::new_ext(text, Options::ENABLE_TABLES).filter_map(|event| match event {
            Event::Code(name) => Some(name.into_string()),
            _ => None,
        });
        let plain = |name: &String| !name.contains(['*', ' ', ':', '~']) && !name.starts_with('/');
        for name in named.filter(|name| is_source(name) && plain(name)) {
            let is_there = there.iter().any(|path| path.ends_with(&format!("/{name}")));
            assert!(is_there || name.contains("NAME"), "{page} names {name}, which is not there");
        }
    }
}

/// The files that a text names, by their paths in the repository.
fn files_in(text: &str) -> Vec<String> {
    let code = Parser::new_ext(text, Options::ENABLE_TABLES).filter_map(|event| match event {
        Event::Code(code) => Some(code.into_string()),
        _ => None,
    });
    code.filter(|code| code.contains('/') && code.ends_with(".rs")).collect()
}

#[test]
fn the_walk_of_a_command_names_each_file_once_and_every_file_is_there() {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("a page");
    let (_, walk) = page.split_once("\n## The walk of a command").expect("the walk");
    let (walk, _) = walk.split_once("\nStraight through").expect("the end of the walk");
    let named = files_in(walk);
    assert!(named.len() > 20, "the walk is longer than {named:?}");
    let mut passed = BTreeSet::new();
    for file in &named {
        assert!(passed.insert(file), "the walk comes back to {file}");
        assert!(root().join(file).is_file(), "the walk leads to {file}, which is not there");
    }
}

#[test]
fn the_first_page_is_short_and_leads_to_all_others() {
    let pages = pages();
    let first = &pages["README.md"];
    assert!(first.lines().count() <= 150, "the first page has {} lines", first.lines().count());
    let links = links(first);
    // The contracts have an index of their own; `house/tests/contracts.rs`
    // looks that it leads to all of them.
    let is_listed = |page: &&String| match page.strip_prefix("docs/contracts/") {
        Some(page) => page == "README.md",
        None => page.starts_with("docs/") || !page.contains('/'),
    };
    for page in pages.keys().filter(is_listed) {
        assert!(page == "README.md" || links.contains(page), "{page} is not in README.md");
    }
}

/// The values of an attribute in a page.
fn values<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
    let start = format!(" {attribute}=\"");
    let parts = page.split(start.as_str()).skip(1);
    parts.map(|part| part.split_once('"').expect("a quote").0).collect()
}

#[test]
fn no_link_in_the_server_is_dead_and_every_page_is_reached() {
    let house = House::open(&[]);
    let mut found: BTreeMap<String, Answer> = BTreeMap::new();
    let mut to_see = vec!["/docs".to_owned()];
    let mut wanted_anchors = Vec::new();
    while let Some(address) = to_see.pop() {
        if found.contains_key(&address) {
            continue;
        }
        let answer = house.get(&address, None);
        assert_eq!(answer.status, 200, "{address}");
        if address.starts_with("/docs") && is_page(&answer) {
            let targets = [values(&answer.text, "href"), values(&answer.text, "src")].concat();
            for link in targets.into_iter().filter(|link| !is_elsewhere(link)) {
                let (target, anchor) = link.split_once('#').unwrap_or((link, ""));
                let target = if target.is_empty() { address.as_str() } else { target };
                assert!(target.starts_with('/'), "{address}: {link} depends on where it stands");
                wanted_anchors.push((address.clone(), target.to_owned(), anchor.to_owned()));
                to_see.push(target.to_owned());
            }
        }
        found.insert(address, answer);
    }
    for (from, target, anchor) in wanted_anchors.iter().filter(|wanted| !wanted.2.is_empty()) {
        let ids = values(&found[target].text, "id");
        assert!(ids.contains(&anchor.as_str()), "{from}: {target}#{anchor} is not among {ids:?}");
    }
    let texts: Vec<&str> = found.values().map(|answer| answer.text.as_str()).collect();
    for (path, text) in pages() {
        let title = text.lines().next().expect("a title").trim_start_matches("# ").replace('`', "");
        let is_served = texts.iter().any(|page| {
            page.replace("<code>", "").replace("</code>", "").contains(&format!(">{title}</h1>"))
        });
        assert!(path == "README.md" || is_served, "{path} ({title}) is not served");
    }
}

fn is_page(answer: &Answer) -> bool {
    answer.header("content-type") == Some("text/html; charset=utf-8")
}

#[test]
fn pages_have_no_script_or_style_of_their_own() {
    let house = House::open(&[]);
    for page in ["/docs", "/docs/wires", "/docs/running", "/docs/architecture", "/docs/games/mafia"]
    {
        let answer = house.get(page, None).text;
        for forbidden in ["style=", "<style", "<script>", "onclick", "javascript:"] {
            assert!(!answer.contains(forbidden), "{page} has {forbidden}");
        }
    }
    let picture = house.get("/docs/home.webp", None);
    assert_eq!(picture.header("content-type"), Some("image/webp"));
    house.get("/docs/nothing", None).refused(404, "NOT_FOUND");
    house.get("/docs/..%2FCargo.toml", None).refused(404, "NOT_FOUND");
}

#[test]
fn what_a_browser_has_already_is_not_sent_again() {
    let house = House::open(&[]);
    for page in ["/", "/docs", "/docs/wires", "/docs/home.webp", "/pages/style.css", "/icon.svg"] {
        let tag = house.get(page, None).header("etag").expect(page).to_owned();
        let ask = |tag: &str| {
            house.request("GET", page, &[("If-None-Match", tag)], b"").expect("an answer")
        };
        let again = ask(&tag);
        assert_eq!((again.status, again.text.as_str()), (304, ""), "{page}");
        assert_eq!(again.header("etag"), Some(tag.as_str()), "{page}");
        assert_eq!(again.header("cache-control"), Some("no-cache"), "{page}");
        assert_eq!(ask("\"another\"").status, 200, "{page}");
    }
    let plain = house.get("/", None).header("etag").map(str::to_owned);
    let packed = house.request("GET", "/", &[("Accept-Encoding", "gzip")], b"").expect("an answer");
    if packed.header("content-encoding").is_some() {
        assert_ne!(packed.header("etag"), plain.as_deref(), "other bytes have another tag");
    }
}
