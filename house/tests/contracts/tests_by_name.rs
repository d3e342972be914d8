//! Every test of the repository, by its file and its name.

use std::collections::BTreeMap;
use std::path::Path;

/// The texts of all files that may hold tests.
pub struct TestsByName {
    /// By what a page calls the file: a Rust file's stem, a script's whole name.
    files: BTreeMap<String, Vec<String>>,
}

impl TestsByName {
    pub fn gather(root: &Path) -> TestsByName {
        let mut tests = TestsByName { files: BTreeMap::new() };
        tests.enter(root);
        assert!(tests.files.len() > 100, "the sources are not where they were");
        tests
    }

    fn enter(&mut self, folder: &Path) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("a file").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_ours = !name.starts_with('.')
                && !["target", "node_modules", "dist"].contains(&name.as_str());
            if path.is_dir() && is_ours {
                self.enter(&path);
            }
            let Some((stem, ending)) = name.rsplit_once('.') else { continue };
            // A folder's `mod.rs` goes by the folder's name.
            let parent = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let called = match ending {
                "rs" if stem == "mod" => parent,
                "rs" => stem.to_owned(),
                "ts" | "js" => name.clone(),
                _ => continue,
            };
            if let Ok(text) = std::fs::read_to_string(&path) {
                self.files.entry(called).or_default().push(text);
            }
        }
    }

    /// Whether there is such a test: `file::name`, or `file.test.ts::part of
    /// the title`.
    pub fn has(&self, name: &str) -> bool {
        let Some((file, test)) = name.split_once("::") else { return false };
        let texts = self.files.get(file).into_iter().flatten();
        let is_script = file.contains('.');
        !test.is_empty()
            && texts.into_iter().any(|text| match is_script {
                true => text.contains(test),
                false => is_test(text, test),
            })
    }
}

/// Whether a function of this name is marked as a test.
fn is_test(text: &str, name: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let begins = |line: &&str| {
        let line = line.strip_prefix("async ").unwrap_or(line);
        line.strip_prefix("fn ")
            .and_then(|rest| rest.strip_prefix(name))
            .is_some_and(|rest| rest.starts_with('('))
    };
    lines.iter().enumerate().filter(|(_, line)| begins(line)).any(|(at, _)| {
        let above = lines[..at].iter().rev().take_while(|line| {
            line.starts_with("#[") || line.starts_with("//") || line.ends_with(']')
        });
        let mut above = above.filter(|line| line.starts_with("#["));
        above.any(|line| line.contains("test]") || line.contains("test("))
    })
}
