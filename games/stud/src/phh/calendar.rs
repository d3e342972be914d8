//! The date and time of a deal, in UTC as PHH takes it where no zone is named.

use time::UtcDateTime;

/// The second in which so many milliseconds after 1970 lie; none for 0, which
/// stands for a time nobody noted.
pub(super) fn moment(milliseconds: u64) -> Option<UtcDateTime> {
    let seconds = i64::try_from(milliseconds / 1000).ok().filter(|_| milliseconds > 0)?;
    UtcDateTime::from_unix_timestamp(seconds).ok()
}

/// Milliseconds since 1970; none for what was before.
pub(super) fn milliseconds(moment: UtcDateTime) -> Option<u64> {
    u64::try_from(moment.unix_timestamp()).ok().map(|seconds| seconds * 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_the_same_there_and_back() {
        let leap_day = moment(1_709_211_909_750).expect("a moment");
        assert_eq!(leap_day.to_string(), "2024-02-29 13:05:09.0 +00");
        assert_eq!(milliseconds(leap_day), Some(1_709_211_909_000), "to the second");
        assert_eq!(moment(0), None);
    }
}
