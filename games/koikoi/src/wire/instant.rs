//! Moments as the contract writes them.

use time::format_description::BorrowedFormatItem;
use time::macros::format_description;
use time::{Duration, UtcDateTime};

const FORMAT: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");

/// Milliseconds since 1970 as an ISO 8601 date and time in UTC. What is after
/// the year 9999, the last that ISO 8601 can write, is its end.
///
/// ```
/// use parlor_koikoi::wire::iso8601;
/// assert_eq!(iso8601(1_763_116_200_000), "2025-11-14T10:30:00.000Z");
/// ```
pub fn iso8601(millis: u64) -> String {
    let since = Duration::milliseconds(i64::try_from(millis).unwrap_or(i64::MAX));
    let moment = UtcDateTime::UNIX_EPOCH.saturating_add(since);
    // Every part of the format is a part of every moment.
    moment.format(FORMAT).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moments_are_written_as_everyone_writes_them() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (951_868_800_000, "2000-03-01T00:00:00.000Z"),
            (1_678_901_234_567, "2023-03-15T17:27:14.567Z"),
            (1_735_689_599_999, "2024-12-31T23:59:59.999Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        ] {
            assert_eq!(iso8601(millis), text);
        }
    }

    #[test]
    fn the_end_of_time_is_written_too() {
        assert_eq!(iso8601(u64::MAX), "9999-12-31T23:59:59.999Z");
    }
}
