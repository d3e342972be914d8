//! The first exchange on each page of `docs/contracts` runs as it is written,
//! against a server as `make run` starts it.

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use common::*;

/// Where the pages think the server is.
const WRITTEN: &str = "127.0.0.1:7777";
/// Stands between the outputs of two blocks.
const MARK: &str = "--- end of the block ---";

/// A block of commands, and the last line they must print, where one is told.
struct Block {
    commands: String,
    last_line: Option<String>,
}

/// The blocks of a page's first exchange, in order.
fn blocks(page: &str) -> Vec<Block> {
    let section = page.split_once("\n## A first exchange\n").map(|(_, rest)| rest);
    let section = section.expect("a first exchange");
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in section.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(kind)) => open = Some((kind.trim().to_owned(), String::new())),
            (Some((_, text)), None) => {
                text.push_str(line);
                text.push('\n');
            }
            (Some(_), Some(_)) => match open.take() {
                Some((kind, commands)) if kind == "sh" => {
                    blocks.push(Block { commands, last_line: None });
                }
                Some((kind, text)) if kind == "text" => {
                    let block = blocks.last_mut().expect("commands before what they print");
                    block.last_line = last_line(&text);
                }
                _ => {}
            },
            (None, None) if line.starts_with("## ") => break,
            (None, None) => {}
        }
    }
    blocks
}

fn last_line(text: &str) -> Option<String> {
    text.lines().rev().find(|line| !line.trim().is_empty()).map(|line| line.trim_end().to_owned())
}

/// Runs the blocks one after the other in one shell: what each printed.
fn run(blocks: &[Block], address: &str, folder: &Path) -> Vec<String> {
    let mut script = "set -e\n".to_owned();
    for block in blocks {
        let commands = block.commands.replace(WRITTEN, address);
        script.push_str(&format!("{commands}\nprintf '\\n%s\\n' '{MARK}'\n"));
    }
    let shell = Command::new("timeout")
        .args(["120", "bash", "-c", &script])
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("this test needs bash, curl and jq");
    let (out, err) =
        (String::from_utf8_lossy(&shell.stdout), String::from_utf8_lossy(&shell.stderr));
    assert!(
        shell.status.success(),
        "{}\n--- it said:\n{out}\n--- and complained:\n{err}",
        shell.status
    );
    let mut printed: Vec<String> = out.split(MARK).map(str::to_owned).collect();
    printed.pop();
    printed
}

/// A page's first exchange does what the page says.
#[track_caller]
fn runs_as_written(page: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/contracts").join(page);
    let text = fs::read_to_string(&path).expect("a page for every contract");
    let blocks = blocks(&text);
    assert!(!blocks.is_empty(), "{page} has a first exchange without commands");
    let house = House::bare(&[], &[]);
    let needs_node = blocks.iter().any(|block| block.commands.contains("node"));
    let folder = if needs_node { packages().to_path_buf() } else { house.scratch.path().into() };
    let printed = run(&blocks, &house.address, &folder);
    assert_eq!(printed.len(), blocks.len(), "{page}");
    for (block, printed) in blocks.iter().zip(printed) {
        if let Some(wanted) = &block.last_line {
            let last = last_line(&printed);
            assert_eq!(last.as_ref(), Some(wanted), "{page}:\n{}\n{printed}", block.commands);
        }
    }
}

#[test]
fn koi_koi_by_its_first_contract() {
    runs_as_written("koikoi-contract.md");
}

#[test]
fn koi_koi_by_its_second_contract() {
    runs_as_written("koikoi-protocol.md");
}

#[test]
fn seven_card_stud() {
    runs_as_written("stud-events.md");
}

#[test]
fn binokel() {
    runs_as_written("binokel-events.md");
}

#[test]
fn mafia() {
    runs_as_written("mafia-events.md");
}

#[test]
fn a_page_is_read_block_by_block() {
    let page = "# X\n\n## A first exchange\n\na\n\n```sh\nA=1\n```\n\n```text\nx\n\ny\n```\n\
                ```sh\necho $A\n```\n\n## Commands\n\n```sh\nfalse\n```\n";
    let blocks = blocks(page);
    assert_eq!(blocks.len(), 2);
    assert_eq!(blocks[0].last_line.as_deref(), Some("y"));
    assert_eq!(blocks[1].last_line, None);
    let printed = run(&blocks, "nowhere", &std::env::temp_dir());
    assert_eq!(last_line(&printed[0]), None);
    assert_eq!(last_line(&printed[1]).as_deref(), Some("1"));
}
