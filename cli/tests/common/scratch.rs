//! A directory that is gone when the test is.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

static COUNT: AtomicU32 = AtomicU32::new(0);

pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new() -> Scratch {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("parlor-test-{}-{count}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a directory for the test");
        Scratch(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// A file in it, as text.
    pub fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// The store in it.
    pub fn store(&self) -> String {
        format!("sqlite:{}", self.file("parlor.db"))
    }

    /// Writes a file and gives its path.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        std::fs::write(self.0.join(name), text).expect("a file for the test");
        self.file(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}
