//! Files of logs, one event a line: a game as it is exported, or an archive of
//! many games, as gzip.

use std::fs::File;
use std::io::{BufRead, BufReader, Lines};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;
use parlor_kernel::Envelope;

use crate::error::CliError;

/// How every gzip file begins.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The lines of a file, unpacked if it is packed, whatever it is called.
pub fn lines(path: &Path) -> Result<Lines<Box<dyn BufRead>>, CliError> {
    open(path).map(|(lines, _)| lines)
}

/// The lines, and whether they were packed.
fn open(path: &Path) -> Result<(Lines<Box<dyn BufRead>>, bool), CliError> {
    let unreadable = |error| unreadable(path, &error);
    let mut file = BufReader::new(File::open(path).map_err(unreadable)?);
    let is_packed = file.fill_buf().map_err(unreadable)?.starts_with(&GZIP);
    let text: Box<dyn BufRead> = match is_packed {
        true => Box::new(BufReader::new(MultiGzDecoder::new(file))),
        false => Box::new(file),
    };
    Ok((text.lines(), is_packed))
}

fn unreadable(path: &Path, error: &std::io::Error) -> CliError {
    CliError::usage(format_args!("{} cannot be read: {error}", path.display()))
}

/// One game of a file.
pub struct GameInFile {
    /// The line its log begins in, counted from 1.
    pub line: u64,
    /// Its log, as far as it can be read.
    pub log: Vec<Envelope>,
}

/// The games of a file, one at a time: it may hold more than memory does.
pub struct Games {
    path: PathBuf,
    lines: Lines<Box<dyn BufRead>>,
    /// Whether it may hold more than one game.
    is_archive: bool,
    line: u64,
    /// The first event of the next game.
    next: Option<Envelope>,
}

/// Begins to read the games of a file.
pub fn games(path: &Path) -> Result<Games, CliError> {
    let (lines, is_archive) = open(path)?;
    Ok(Games { path: path.to_owned(), lines, is_archive, line: 0, next: None })
}

impl Games {
    fn read_line(&mut self) -> Result<Option<Envelope>, CliError> {
        let Some(line) = self.lines.next() else { return Ok(None) };
        self.line += 1;
        let number = self.line;
        let line = line.map_err(|error| unreadable(&self.path, &error))?;
        let envelope = serde_json::from_str(&line).map_err(|error| {
            CliError::Negative(format!("line {number}: this is no event in its envelope: {error}"))
        });
        envelope.map(Some)
    }

    fn read_game(&mut self) -> Result<Option<GameInFile>, CliError> {
        let first = match self.next.take() {
            Some(first) => first,
            None => match self.read_line()? {
                Some(first) => first,
                None => return Ok(None),
            },
        };
        let (line, mut log) = (self.line, vec![first]);
        while let Some(envelope) = self.read_line()? {
            // In an archive a first event of another game begins that game; any
            // other one does not belong here, as whoever checks the log says.
            let is_first = envelope.sequence == 0 && envelope.game_id != log[0].game_id;
            if self.is_archive && is_first {
                self.next = Some(envelope);
                break;
            }
            log.push(envelope);
        }
        Ok(Some(GameInFile { line, log }))
    }
}

impl Iterator for Games {
    type Item = Result<GameInFile, CliError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read_game().transpose()
    }
}
