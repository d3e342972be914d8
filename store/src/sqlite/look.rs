//! A look at a file before it is opened: a file that is not ours, or not
//! whole, is refused with its bytes untouched and nothing left beside it.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::schema;
use crate::error::StoreError;

/// Files up to this size are checked page by page; more would delay the start.
const CHECKED_BYTES: u64 = 64 * 1024 * 1024;

const MAGIC: &[u8] = b"SQLite format 3\0";

/// Refuses what is at `path` unless it is a store of ours, or nothing yet.
pub(super) fn look(path: &Path) -> Result<(), StoreError> {
    let Ok(real) = path.canonicalize() else {
        return look_at_folder(path);
    };
    let metadata = fs::metadata(&real).map_err(|error| StoreError::io(path, error))?;
    if !metadata.is_file() {
        return Err(StoreError::foreign(path, "it is not a file"));
    }
    let log = beside(&real, "-wal");
    if metadata.len() == 0 {
        return match size(&log) {
            0 => Ok(()),
            _ => Err(StoreError::damaged(path, "the file is empty, but a log of it is left")),
        };
    }
    if log.exists() { look_at_live(path, &real) } else { look_at_rest(path, &real, metadata.len()) }
}

/// There is no file: is there a place for one?
fn look_at_folder(path: &Path) -> Result<(), StoreError> {
    match path.parent().map(Path::metadata) {
        Some(Ok(folder)) if !folder.is_dir() => Err(StoreError::io(path, "its folder is a file")),
        Some(Err(error)) => Err(StoreError::io(path, format!("its folder: {error}"))),
        _ => Ok(()),
    }
}

/// A file with a write-ahead log beside it is in use, or was when its process
/// died. It is only read through SQLite: closing it behind SQLite's back would
/// drop the locks of another handle in this process.
fn look_at_live(path: &Path, real: &Path) -> Result<(), StoreError> {
    let shared = beside(real, "-shm");
    let was_shared = shared.exists();
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let result = Connection::open_with_flags(real, flags)
        .and_then(|connection| connection.busy_timeout(schema::PATIENCE).map(|()| connection))
        .map_err(|error| unreadable(path, &error))
        .and_then(|connection| inspect(&connection, path, size(real)));
    if result.is_err() && !was_shared {
        // SQLite's index of the log: nobody had one, so nobody misses it.
        let _ = fs::remove_file(shared);
    }
    result
}

/// A file at rest can be read without locks, and so without a trace.
fn look_at_rest(path: &Path, real: &Path, bytes: u64) -> Result<(), StoreError> {
    let header = read_header(real).map_err(|error| StoreError::io(path, error))?;
    if !header.starts_with(MAGIC) {
        return Err(match MAGIC.starts_with(&header) {
            true => StoreError::damaged(path, format!("it was cut off after {bytes} bytes")),
            false => StoreError::foreign(path, "it is not an SQLite file"),
        });
    }
    let Some(header) = Header::parse(&header) else {
        return Err(StoreError::damaged(path, format!("it was cut off after {bytes} bytes")));
    };
    if header.application_id == schema::APPLICATION_ID {
        if size(&beside(real, "-journal")) > 0 {
            // We died while filling it; SQLite empties it again when it opens.
            return Ok(());
        }
        if bytes < header.bytes {
            let reason = format!("it has {bytes} of its {} bytes", header.bytes);
            return Err(StoreError::damaged(path, reason));
        }
    } else if header.application_id != 0 {
        return Err(StoreError::foreign(path, "it is the SQLite file of another program"));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(unlocked_uri(real), flags)
        .map_err(|error| unreadable(path, &error))?;
    inspect(&connection, path, bytes)
}

/// Whose file it is, and whether it is whole.
fn inspect(connection: &Connection, path: &Path, bytes: u64) -> Result<(), StoreError> {
    refuse_others(connection, path)?;
    if bytes > CHECKED_BYTES {
        return Ok(());
    }
    let verdict: String = connection
        .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
        .map_err(|error| StoreError::sqlite(path, &error))?;
    if verdict == "ok" { Ok(()) } else { Err(StoreError::damaged(path, verdict)) }
}

/// Refuses a file of another program or of a newer Parlor.
pub(super) fn refuse_others(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let unreadable = |error| unreadable(path, &error);
    let version = schema::version(connection).map_err(unreadable)?;
    if schema::application_id(connection).map_err(unreadable)? != schema::APPLICATION_ID {
        return match schema::is_blank(connection).map_err(unreadable)? {
            true => Ok(()),
            false => Err(StoreError::foreign(path, "it is the SQLite file of another program")),
        };
    }
    match version {
        1..=schema::VERSION => Ok(()),
        ..1 => Err(StoreError::damaged(path, format!("it claims to have format {version}"))),
        _ => Err(StoreError::Newer {
            path: path.display().to_string(),
            found: version,
            known: schema::VERSION,
        }),
    }
}

/// What SQLite cannot make sense of at first sight is probably not its own.
fn unreadable(path: &Path, error: &rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => StoreError::foreign(path, "it is not an SQLite file"),
        _ => StoreError::sqlite(path, error),
    }
}

/// The fields of SQLite's file header that tell whose file it is and how long
/// (sqlite.org/fileformat2.html, section 1.3).
struct Header {
    bytes: u64,
    application_id: i64,
}

impl Header {
    fn parse(header: &[u8]) -> Option<Header> {
        let number = |at: usize| Some(u32::from_be_bytes(header.get(at..at + 4)?.try_into().ok()?));
        let page_size = match u16::from_be_bytes(header.get(16..18)?.try_into().ok()?) {
            1 => 65_536,
            size => u64::from(size),
        };
        let application_id = i64::from(number(68)?);
        Some(Header { bytes: u64::from(number(28)?) * page_size, application_id })
    }
}

fn read_header(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut header = Vec::new();
    File::open(path)?.take(100).read_to_end(&mut header)?;
    Ok(header)
}

/// SQLite's name for a file that is to be read without locks.
fn unlocked_uri(path: &Path) -> String {
    let mut uri = String::from("file:");
    for character in path.display().to_string().chars() {
        match character {
            '%' => uri.push_str("%25"),
            '?' => uri.push_str("%3f"),
            '#' => uri.push_str("%23"),
            other => uri.push(other),
        }
    }
    uri + "?mode=ro&immutable=1"
}

/// The name of a file that SQLite keeps beside another.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn size(path: &Path) -> u64 {
    path.metadata().map_or(0, |metadata| metadata.len())
}
