//! What a round pays: base × seven × koi.

use crate::rules::{KoiFactor, Rules};

/// A round's pay, factor by factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pay {
    /// The factor for seven points and more.
    pub seven: u32,
    /// The factor for koi-koi calls.
    pub koi: u32,
    /// base × seven × koi
    pub points: u32,
}

/// The factor for seven points and more.
pub fn seven_factor(rules: &Rules, base: u32) -> u32 {
    if rules.seven_point_double && base >= 7 { 2 } else { 1 }
}

/// The factor for the calls of this round. A call counts once however often
/// it is repeated, except for the winner's own under `winner_own`.
pub fn koi_factor(rules: &Rules, winner_calls: u32, opponent_calls: u32) -> u32 {
    let called = match rules.koi_factor {
        KoiFactor::OpponentCalled => opponent_calls > 0,
        KoiFactor::AnyCalled => winner_calls > 0 || opponent_calls > 0,
        KoiFactor::WinnerOwn => return winner_calls.saturating_add(1),
    };
    if called { rules.koi_koi_multiplier } else { 1 }
}

/// What the winner of a round is paid for these yaku points.
///
/// ```
/// use parlor_koikoi::{Rules, pay};
/// assert_eq!(pay(&Rules::protocol(), 10, 0, 1).points, 40);
/// ```
pub fn pay(rules: &Rules, base: u32, winner_calls: u32, opponent_calls: u32) -> Pay {
    let seven = seven_factor(rules, base);
    let koi = koi_factor(rules, winner_calls, opponent_calls);
    Pay { seven, koi, points: base.saturating_mul(seven).saturating_mul(koi) }
}
