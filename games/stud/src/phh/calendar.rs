//! The date and time of a deal, in UTC as PHH takes it where no zone is named.

/// A second of the calendar, in UTC.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moment {
    pub year: i64,
    pub month: i64,
    pub day: i64,
    pub hour: i64,
    pub minute: i64,
    pub second: i64,
}

const DAYS_OF_400_YEARS: i64 = 146_097;

/// Days from 1 March 0000 to 1 January 1970. Years are counted from March, so
/// that the leap day comes last.
const TO_1970: i64 = 719_468;

impl Moment {
    /// The moment so many milliseconds after 1970 began; none for 0, which
    /// stands for a time nobody noted.
    pub fn of(milliseconds: u64) -> Option<Moment> {
        let seconds = i64::try_from(milliseconds / 1000).ok().filter(|_| milliseconds > 0)?;
        let (days, second) = (seconds / 86_400 + TO_1970, seconds % 86_400);
        let (era, day) = (days / DAYS_OF_400_YEARS, days % DAYS_OF_400_YEARS);
        // Every 4 years have a leap day, every 100 none, every 400 one.
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        let day = day - days_before(year);
        let month = (5 * day + 2) / 153;
        let calendar_month = (month + 2) % 12 + 1;
        Some(Moment {
            year: era * 400 + year + i64::from(calendar_month <= 2),
            month: calendar_month,
            day: day - days_before_month(month) + 1,
            hour: second / 3600,
            minute: second / 60 % 60,
            second: second % 60,
        })
    }

    /// Milliseconds since 1970; none where the calendar has no such moment,
    /// or it was before.
    pub fn milliseconds(self) -> Option<u64> {
        let Moment { year, month, day, hour, minute, second } = self;
        let fits = (1970..=9999).contains(&year)
            && (1..=12).contains(&month)
            && (1..=31).contains(&day)
            && (0..24).contains(&hour)
            && (0..60).contains(&minute)
            && (0..60).contains(&second);
        if !fits {
            return None;
        }
        let from_march = (month + 9) % 12;
        let year = year - i64::from(month <= 2);
        let days = year / 400 * DAYS_OF_400_YEARS
            + days_before(year % 400)
            + days_before_month(from_march)
            + day
            - 1
            - TO_1970;
        let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second;
        let milliseconds = u64::try_from(seconds * 1000).ok()?;
        // 30 February names a day of March, and is none.
        (Moment::of(milliseconds) == Some(self)).then_some(milliseconds)
    }
}

/// Days of a 400 years' era before this year of it.
const fn days_before(year: i64) -> i64 {
    year * 365 + year / 4 - year / 100
}

/// Days of a year before this month, where March is 0.
const fn days_before_month(month: i64) -> i64 {
    (153 * month + 2) / 5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_the_same_there_and_back() {
        let known = Moment { year: 2024, month: 2, day: 29, hour: 13, minute: 5, second: 9 };
        assert_eq!(known.milliseconds(), Some(1_709_211_909_000));
        for day in 1..80_000u64 {
            let then = day * 86_400_000 + day % 86_400 * 1000;
            assert_eq!(Moment::of(then).and_then(Moment::milliseconds), Some(then));
        }
    }

    #[test]
    fn the_calendar_has_no_thirtieth_of_february() {
        let day = Moment { year: 2023, month: 2, day: 30, hour: 0, minute: 0, second: 0 };
        assert_eq!(day.milliseconds(), None);
        assert_eq!(Moment::of(0), None);
    }
}
