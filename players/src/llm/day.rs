//! The account of a day: how many tokens all games of this machine have taken
//! since midnight, UTC, and what they cost.
//!
//! It is a file of lines, added to and never changed, so that it outlives a
//! restart and several programs can share it: `2026-11-18 large $0.002468 1234`.
//! Where the price is unknown, as in older files, there is none.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::clock::{Clock, WallClock};
use crate::llm::account::Spent;
use crate::llm::budget::BudgetLimits;
use crate::llm::settings::{AgentSettings, MICROS, SettingsError};

/// What a day may take, and what it has taken.
pub struct DayAccount {
    limits: BudgetLimits,
    path: Option<PathBuf>,
    clock: Arc<dyn Clock>,
    sum: Mutex<Sum>,
}

#[derive(Default)]
struct Sum {
    day: String,
    spent: Spent,
    /// How far the file was read.
    read: u64,
    /// Why it cannot be kept any more.
    failure: Option<String>,
}

/// A day as it is written: `2026-11-18`.
pub fn date(millis: u64) -> String {
    let since = time::Duration::milliseconds(i64::try_from(millis).unwrap_or(i64::MAX));
    time::UtcDateTime::UNIX_EPOCH.saturating_add(since).date().to_string()
}

impl DayAccount {
    /// The account these settings want; none if they set a day no bounds.
    /// Without a file it lasts as long as the program.
    pub fn open(settings: &AgentSettings) -> Result<Option<Arc<DayAccount>>, SettingsError> {
        let limits = settings.day_limits();
        if limits == BudgetLimits::default() {
            return Ok(None);
        }
        let path = settings.day_account.as_deref();
        let account = DayAccount::at(path, limits, Arc::new(WallClock))?;
        Ok(Some(Arc::new(account)))
    }

    fn at(
        path: Option<&Path>,
        limits: BudgetLimits,
        clock: Arc<dyn Clock>,
    ) -> Result<DayAccount, SettingsError> {
        if let Some(path) = path {
            // Whether it can be written is better known before the first game.
            appended(path).map_err(|error| {
                SettingsError::File(format!("the day's account {}", path.display()), error)
            })?;
        }
        let sum = Mutex::default();
        Ok(DayAccount { limits, path: path.map(Path::to_owned), clock, sum })
    }

    /// Why nobody may be asked; none as long as there is something left.
    pub fn refusal(&self) -> Option<String> {
        let mut sum = self.sum.lock().unwrap_or_else(PoisonError::into_inner);
        self.catch_up(&mut sum);
        if let Some(why) = &sum.failure {
            return Some(format!("the day's account of tokens cannot be kept: {why}"));
        }
        let kind = self.limits.exhausted(sum.spent)?;
        Some(format!("the day's budget of {kind} is spent"))
    }

    /// An agent took so much.
    pub fn book(&self, agent: &str, spent: Spent) {
        if spent == Spent::default() {
            return;
        }
        let mut sum = self.sum.lock().unwrap_or_else(PoisonError::into_inner);
        self.catch_up(&mut sum);
        let Some(path) = &self.path else {
            sum.spent.add(spent);
            return;
        };
        // A name has no place for spaces here.
        let agent: String =
            agent.chars().map(|letter| if letter.is_whitespace() { '_' } else { letter }).collect();
        let Spent { tokens, micros } = spent;
        let cost = match micros {
            0 => String::new(),
            _ => format!("${}.{:06} ", micros / MICROS, micros % MICROS),
        };
        let line = format!("{} {agent} {cost}{tokens}\n", sum.day);
        let written = appended(path).and_then(|mut file| file.write_all(line.as_bytes()));
        sum.failure = written.err().map(|error| error.to_string());
    }

    /// Adds up what was written since, also by others.
    fn catch_up(&self, sum: &mut Sum) {
        let today = date(self.clock.now());
        if sum.day != today {
            *sum = Sum { day: today, failure: sum.failure.take(), ..Sum::default() };
        }
        let Some(path) = &self.path else { return };
        match unread(path, sum) {
            Ok(text) => {
                let whole = text.rfind('\n').map_or(0, |end| end + 1);
                sum.read += whole as u64;
                for spent in text[..whole].lines().filter_map(|line| of_day(line, &sum.day)) {
                    sum.spent.add(spent);
                }
            }
            Err(error) => sum.failure = Some(error.to_string()),
        }
    }
}

fn appended(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
}

fn unread(path: &Path, sum: &mut Sum) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    if file.metadata()?.len() < sum.read {
        // Someone began the file anew.
        (sum.read, sum.spent) = (0, Spent::default());
    }
    file.seek(SeekFrom::Start(sum.read))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn of_day(line: &str, day: &str) -> Option<Spent> {
    let mut words = line.strip_prefix(day)?.split_whitespace();
    let tokens = words.next_back()?.parse().ok()?;
    // The agent's name comes first, and is no price, whatever it looks like.
    let price = words.nth(1).and_then(|word| word.strip_prefix('$')?.split_once('.'));
    let micros = price.and_then(|(whole, part)| {
        let (whole, part): (u64, u64) = (whole.parse().ok()?, part.parse().ok()?);
        whole.checked_mul(MICROS)?.checked_add(part)
    });
    Some(Spent { tokens, micros: micros.unwrap_or(0) })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    struct Hands(AtomicU64);

    impl Clock for Hands {
        fn now(&self) -> u64 {
            self.0.load(Ordering::Relaxed)
        }
    }

    /// A folder that is gone when the test is.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path = std::env::temp_dir().join(format!("parlor-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&path).expect("a folder");
            Folder(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            drop(std::fs::remove_dir_all(&self.0));
        }
    }

    const DAY_MS: u64 = 24 * 60 * 60 * 1000;

    const HUNDRED: BudgetLimits = BudgetLimits { tokens: Some(100), micros: None };

    fn tokens(tokens: u64) -> Spent {
        Spent { tokens, micros: 0 }
    }

    #[test]
    fn a_day_is_written_as_everyone_writes_it() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(951_782_400_000), "2000-02-29");
    }

    #[test]
    fn a_days_account_outlives_the_program_and_ends_at_midnight() {
        let folder = Folder::new("day");
        let path = folder.0.join("models.toml.day");
        let hands = Arc::new(Hands(AtomicU64::new(20_000 * DAY_MS)));
        let open = || DayAccount::at(Some(&path), HUNDRED, Arc::clone(&hands) as Arc<dyn Clock>);
        let (one, other) = (open().expect("an account"), open().expect("an account"));
        one.book("large", tokens(60));
        assert_eq!(other.refusal(), None);
        other.book("a small one", tokens(40));
        let spent = Some("the day's budget of tokens is spent".to_owned());
        assert_eq!((one.refusal(), other.refusal()), (spent.clone(), spent.clone()));
        let again = open().expect("an account");
        assert_eq!(again.refusal(), spent);
        hands.0.fetch_add(DAY_MS, Ordering::Relaxed);
        assert_eq!((one.refusal(), again.refusal()), (None, None));
        one.book("large", tokens(100));
        assert_eq!(open().expect("an account").refusal(), spent);
        let text = std::fs::read_to_string(&path).expect("the account");
        assert_eq!(text.lines().nth(1), Some("2024-10-04 a_small_one 40"));
    }

    #[test]
    fn a_days_account_adds_up_money_beside_tokens() {
        let folder = Folder::new("money");
        let path = folder.0.join("models.toml.day");
        let clock = || Arc::new(Hands(AtomicU64::new(20_000 * DAY_MS))) as Arc<dyn Clock>;
        let limits = BudgetLimits { tokens: None, micros: Some(3_000_000) };
        // Older lines have no price; a name may look like one.
        std::fs::write(&path, "2024-10-04 large 9000\n2024-10-04 $7.5 10\n").expect("a file");
        let account = DayAccount::at(Some(&path), limits, clock()).expect("an account");
        account.book("large", Spent { tokens: 1_000, micros: 2_000_050 });
        assert_eq!(account.refusal(), None);
        account.book("$7.5", Spent { tokens: 5, micros: 999_950 });
        let spent = Some("the day's budget of money is spent".to_owned());
        assert_eq!(account.refusal(), spent);
        let again = DayAccount::at(Some(&path), limits, clock()).expect("an account");
        assert_eq!(again.refusal(), spent);
        let text = std::fs::read_to_string(&path).expect("the account");
        let lines = ["2024-10-04 large $2.000050 1000", "2024-10-04 $7.5 $0.999950 5"];
        assert_eq!(text.lines().skip(2).collect::<Vec<_>>(), lines);
    }

    #[test]
    fn an_account_that_cannot_be_kept_lets_nobody_spend() {
        let folder = Folder::new("no-day");
        let path = folder.0.join("gone/account");
        let nowhere = DayAccount::at(Some(&path), HUNDRED, Arc::new(WallClock));
        assert!(nowhere.err().expect("no folder").to_string().contains("account"));
        let path = folder.0.join("account");
        let account =
            DayAccount::at(Some(&path), HUNDRED, Arc::new(WallClock)).expect("an account");
        std::fs::remove_file(&path).expect("the file");
        std::fs::create_dir(&path).expect("a folder in its place");
        assert!(account.refusal().expect("no account").contains("cannot be kept"));
    }
}
