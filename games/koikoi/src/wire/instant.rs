//! Moments as the contract writes them.

const DAY: u64 = 86_400_000;

/// Milliseconds since 1970 as an ISO 8601 date and time in UTC.
///
/// ```
/// use parlor_koikoi::wire::iso8601;
/// assert_eq!(iso8601(1_763_116_200_000), "2025-11-14T10:30:00.000Z");
/// ```
pub fn iso8601(millis: u64) -> String {
    let (year, month, day) = civil(millis / DAY);
    let clock = millis % DAY;
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{:03}Z",
        clock / 3_600_000,
        clock / 60_000 % 60,
        clock / 1000 % 60,
        clock % 1000
    )
}

/// The Gregorian date of a day counted from 1970-01-01. Years are counted
/// from March, so that the leap day is the last of its year.
fn civil(day: u64) -> (u64, u64, u64) {
    let day = day + 719_468;
    let (era, of_era) = (day / 146_097, day % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, of_month)
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
    fn days_follow_one_another_for_a_thousand_years() {
        let lengths = |year: u64| {
            let every = |years| year.is_multiple_of(years);
            let leap = every(4) && (!every(100) || every(400));
            [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        };
        let (mut year, mut month, mut day) = (1970, 1, 1);
        for count in 0..366_000 {
            assert_eq!(civil(count), (year, month, day));
            day += 1;
            if day > lengths(year)[month as usize - 1] {
                (month, day) = (month + 1, 1);
            }
            if month > 12 {
                (year, month) = (year + 1, 1);
            }
        }
    }

    #[test]
    fn the_end_of_time_is_written_too() {
        assert!(iso8601(u64::MAX).ends_with('Z'));
    }
}
