//! The guides: the repository's own pages in Markdown, inside the binary and
//! shown as HTML. Links between them work on a repository's host as they are
//! written, and here because they are turned into our addresses.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use axum::body::Bytes;
use axum::extract::Path;
use axum::http::HeaderMap;
use axum::response::Response;
use pulldown_cmark::{Alignment, CowStr, Event, Options, Parser, Tag, TagEnd, html};
use rust_embed::Embed;

use super::pages::{ASK_AGAIN, Found, answer};
use crate::api_error::ApiError;

/// A page: where it lies in the repository, where it is served under `/docs`,
/// what it is called where all are listed, and its text.
struct Guide {
    path: Cow<'static, str>,
    address: Cow<'static, str>,
    title: Cow<'static, str>,
    text: Cow<'static, str>,
}

macro_rules! guides {
    ($($path:literal => $address:literal, $title:literal;)*) => {
        [$(Guide {
            path: Cow::Borrowed($path),
            address: Cow::Borrowed($address),
            title: Cow::Borrowed($title),
            text: Cow::Borrowed(include_str!(concat!("../../../", $path))),
        }),*]
    };
}

const OWN: [Guide; 14] = guides! {
    "docs/playing.md" => "playing", "Playing";
    "docs/running.md" => "running", "Running a server";
    "docs/wires.md" => "wires", "Wires";
    "docs/program.md" => "program", "The program";
    "docs/agents.md" => "agents", "Agents";
    "docs/promises.md" => "promises", "Promises";
    "docs/contracts/README.md" => "contracts", "Contracts";
    "ARCHITECTURE.md" => "architecture", "Architecture";
    "CONTRIBUTING.md" => "contributing", "Contributing";
    "CHANGELOG.md" => "changelog", "Changes";
    "games/stud/README.md" => "games/stud", "Seven Card Stud";
    "games/binokel/README.md" => "games/binokel", "Binokel";
    "games/mafia/README.md" => "games/mafia", "Mafia";
    "players/README.md" => "players", "Players";
};

/// The pages of the contracts, each by its name, and their index.
#[derive(Embed)]
#[folder = "../docs/contracts/"]
struct Contracts;

/// Every page; a contract's page is called what its first line says.
static GUIDES: LazyLock<Vec<Guide>> = LazyLock::new(|| {
    let mut guides: Vec<Guide> = OWN.into();
    let mut contracts: Vec<_> = Contracts::iter().filter(|file| file != "README.md").collect();
    contracts.sort();
    for file in contracts {
        let (Some(name), Some(page)) = (file.strip_suffix(".md"), Contracts::get(&file)) else {
            continue;
        };
        let text = String::from_utf8_lossy(&page.data).into_owned();
        let title =
            text.lines().next().unwrap_or_default().trim_start_matches("# ").replace('`', "");
        guides.push(Guide {
            path: format!("docs/contracts/{file}").into(),
            address: format!("contracts/{name}").into(),
            title: title.into(),
            text: text.into(),
        });
    }
    guides
});

macro_rules! pictures {
    ($($name:literal)*) => {
        [$(($name, include_bytes!(concat!("../../../docs/", $name)))),*]
    };
}

const PICTURES: [(&str, &[u8]); 5] =
    pictures!["home.webp" "koikoi.webp" "binokel.webp" "mafia.webp" "phones.webp"];

/// What is served under `/docs`, by address.
static SERVED: LazyLock<HashMap<String, Found>> = LazyLock::new(|| {
    let pages = GUIDES.iter().map(|guide| {
        (guide.address.clone().into_owned(), Found::new("page.html", Bytes::from(page(guide))))
    });
    let pictures = PICTURES
        .iter()
        .map(|(name, data)| ((*name).to_owned(), Found::new(name, Bytes::from_static(data))));
    pages.chain(pictures).collect()
});

/// One of the guides, or a picture in them.
pub async fn guide(Path(address): Path<String>, headers: HeaderMap) -> Result<Response, ApiError> {
    let found = SERVED.get(&address).ok_or(ApiError::NoSuchPage)?;
    Ok(answer(found.clone(), &headers, ASK_AGAIN))
}

/// A guide as a whole page, with the way to all others.
fn page(guide: &Guide) -> String {
    let Guide { path, address, title, text } = guide;
    let title = escaped(title);
    let mut links = String::new();
    for Guide { address: other, title: name, .. } in GUIDES.iter() {
        let name = escaped(name);
        let here = if other == address { " aria-current=\"page\"" } else { "" };
        links.push_str(&format!("<li><a href=\"/docs/{other}\"{here}>{name}</a></li>\n"));
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} · Parlor</title>\n\
         <link rel=\"icon\" href=\"/icon.svg\" type=\"image/svg+xml\">\n\
         <link rel=\"stylesheet\" href=\"/pages/style.css\">\n</head>\n<body>\n\
         <header class=\"top\">\n<a class=\"brand\" href=\"/\">Parlor</a>\n\
         <nav aria-label=\"Site\"><a href=\"/docs\">All documentation</a></nav>\n</header>\n\
         <div class=\"book\">\n<nav class=\"guides\" aria-label=\"Guides\">\n<ul>\n{links}</ul>\n</nav>\n\
         <main class=\"guide\">\n{}</main>\n</div>\n</body>\n</html>\n",
        body(path, text)
    )
}

/// Plain words as HTML.
fn escaped(words: &str) -> String {
    let mut page = String::new();
    html::push_html(&mut page, std::iter::once(Event::Text(words.into())));
    page
}

/// The text of a guide as HTML that the content policy allows: markup in it is
/// shown, not obeyed, and nothing has a style of its own.
fn body(path: &str, text: &str) -> String {
    let mut events: Vec<Event<'_>> = Vec::new();
    let mut open_links = Vec::new();
    let mut heading = None;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        let event = match event {
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let target = served_address(path, &dest_url);
                open_links.push(target.is_some());
                let Some(target) = target else { continue };
                Event::Start(Tag::Link { link_type, dest_url: target.into(), title, id })
            }
            Event::End(TagEnd::Link) if open_links.pop() == Some(false) => continue,
            Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
                let source = served_address(path, &dest_url).unwrap_or_default();
                Event::Start(Tag::Image { link_type, dest_url: source.into(), title, id })
            }
            // Columns that are aligned would be so by a style of their own.
            Event::Start(Tag::Table(columns)) => {
                events.push(Event::Html("<div class=\"scroll\" tabindex=\"0\">".into()));
                Event::Start(Tag::Table(vec![Alignment::None; columns.len()]))
            }
            Event::End(TagEnd::Table) => {
                events.push(Event::End(TagEnd::Table));
                Event::Html("</div>\n".into())
            }
            Event::Html(markup) | Event::InlineHtml(markup) => Event::Text(markup),
            Event::Start(Tag::Heading { .. }) => {
                heading = Some((events.len(), String::new()));
                event
            }
            Event::Text(ref words) | Event::Code(ref words) => {
                if let Some((_, title)) = &mut heading {
                    title.push_str(words);
                }
                event
            }
            event => event,
        };
        let ends_heading = matches!(event, Event::End(TagEnd::Heading(_)));
        events.push(event);
        if let Some((start, title)) = heading.take_if(|_| ends_heading)
            && let Some(Event::Start(Tag::Heading { id, .. })) = events.get_mut(start)
        {
            *id = Some(CowStr::from(anchor(&title)));
        }
    }
    let mut page = String::with_capacity(text.len() * 2);
    html::push_html(&mut page, events.into_iter());
    page
}

/// The name under which a heading is linked to, as repository hosts make it.
fn anchor(title: &str) -> String {
    let kept = title.chars().filter(|one| one.is_alphanumeric() || matches!(one, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|one| if one == ' ' { '-' } else { one }).collect()
}

/// Where a link that stands in the page at `path` leads here: to a page of
/// ours, or elsewhere in the world. None for files that only the repository
/// has.
fn served_address(path: &str, link: &str) -> Option<String> {
    if link.starts_with('#') || link.contains("://") {
        return Some(link.to_owned());
    }
    let (file, fragment) = link.split_once('#').map_or((link, None), |(f, a)| (f, Some(a)));
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in file.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let file = parts.join("/");
    let fragment = fragment.map(|name| format!("#{name}")).unwrap_or_default();
    if file == "README.md" {
        return Some("/docs".to_owned());
    }
    if let Some(guide) = GUIDES.iter().find(|guide| guide.path == file) {
        return Some(format!("/docs/{}{fragment}", guide.address));
    }
    let picture = file.strip_prefix("docs/")?;
    PICTURES.iter().any(|(name, _)| *name == picture).then(|| format!("/docs/{picture}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_our_own_pages() {
        let from = |path, link| served_address(path, link).unwrap_or_default();
        assert_eq!(from("docs/running.md", "wires.md#contracts"), "/docs/wires#contracts");
        assert_eq!(from("docs/running.md", "../players/README.md"), "/docs/players");
        assert_eq!(from("games/mafia/README.md", "../../README.md"), "/docs");
        assert_eq!(from("docs/playing.md", "home.webp"), "/docs/home.webp");
        assert_eq!(from("docs/wires.md", "contracts/README.md"), "/docs/contracts");
        assert_eq!(from("docs/contracts/README.md", "../wires.md"), "/docs/wires");
        assert_eq!(from("docs/playing.md", "https://example.org/a"), "https://example.org/a");
        assert_eq!(served_address("docs/playing.md", "../LICENSE"), None);
    }

    #[test]
    fn a_heading_can_be_linked_to() {
        assert_eq!(
            anchor("What is promised, and how it is tested"),
            "what-is-promised-and-how-it-is-tested"
        );
        assert!(
            body("docs/x.md", "## The program `parlor`\n")
                .contains("<h2 id=\"the-program-parlor\">")
        );
    }

    #[test]
    fn nothing_in_a_page_is_obeyed_but_markdown() {
        let page = body(
            "docs/x.md",
            "<script>x</script>\n\na <b onclick=x>b</b>\n\n| a |\n|--:|\n| b |\n",
        );
        assert!(
            !page.contains("<script") && !page.contains("<b ") && !page.contains("style="),
            "{page}"
        );
        assert!(page.contains("&lt;script&gt;"), "{page}");
    }

    #[test]
    fn a_link_that_leads_nowhere_here_is_plain_text() {
        let page = body("docs/x.md", "See [the licence](../LICENSE), [wires](wires.md).\n");
        assert_eq!(page, "<p>See the licence, <a href=\"/docs/wires\">wires</a>.</p>\n");
    }
}
