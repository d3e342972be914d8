//! The client is built by npm, which `make` runs before cargo. Without it the
//! server still compiles, with one page that says what to do.

use std::path::Path;

const UNBUILT: &str = "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Parlor</title>\n\
<h1>Parlor</h1>\n<p>The house is open, but its client was not built. \
<code>make run</code> builds both; the calls are described in <a href=\"/docs\">/docs</a>.</p>\n</html>\n";

fn main() -> std::io::Result<()> {
    let dist = Path::new("../web/dist");
    println!("cargo::rerun-if-changed={}", dist.display());
    if !dist.join("index.html").exists() {
        std::fs::create_dir_all(dist)?;
        std::fs::write(dist.join("index.html"), UNBUILT)?;
    }
    Ok(())
}
