//! Rates with honest intervals.

use std::collections::BTreeMap;

use serde::Serialize;

/// How often something happened of how many times it could. What happens in
/// games with the same seed hangs together, so it is counted seed by seed. A
/// time counts by its weight, from 0 to 1.
#[derive(Clone, Debug, Default)]
pub struct Rate {
    by_seed: BTreeMap<u64, Times>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Times {
    n: u64,
    hits: u64,
    weight: f64,
    hit_weight: f64,
}

/// A rate as it is reported.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// How many times it could have happened.
    pub n: u64,
    /// How many times it did.
    pub hits: u64,
    /// How many whole times they count for.
    pub weight: f64,
    /// Hits per time, by weight; none if there was no time.
    pub rate: Option<f64>,
    /// The 95 % interval.
    pub ci95: Option<[f64; 2]>,
}

/// The 97.5 % quantile of the normal distribution.
const Z: f64 = 1.959_964;

impl Rate {
    /// It could have happened in a game with this seed; did it? What weighs
    /// nothing is not noted.
    pub fn note(&mut self, seed: u64, hit: bool, weight: f64) {
        if weight <= 0.0 {
            return;
        }
        let times = self.by_seed.entry(seed).or_default();
        times.n += 1;
        times.weight += weight;
        if hit {
            times.hits += 1;
            times.hit_weight += weight;
        }
    }

    /// The rate and its interval: Wilson's, for as many independent times as
    /// the spread between seeds shows there to be.
    pub fn measured(&self) -> Measured {
        let n = self.by_seed.values().map(|times| times.n).sum();
        let hits = self.by_seed.values().map(|times| times.hits).sum();
        let weight: f64 = self.by_seed.values().map(|times| times.weight).sum();
        if n == 0 {
            return Measured { n, hits, weight, rate: None, ci95: None };
        }
        let hit_weight: f64 = self.by_seed.values().map(|times| times.hit_weight).sum();
        let rate = hit_weight / weight;
        let ci95 = Some(wilson(rate, self.independent(rate, weight)));
        Measured { n, hits, weight, rate: Some(rate), ci95 }
    }

    /// How many independent times are worth as much as these.
    fn independent(&self, rate: f64, n: f64) -> f64 {
        let seeds = self.by_seed.len() as f64;
        let alone = rate * (1.0 - rate) / n;
        if alone <= 0.0 || seeds < 2.0 {
            // Always or never: no spread tells how much hangs together.
            return seeds.min(n);
        }
        let square = |times: &Times| (times.hit_weight - rate * times.weight).powi(2);
        let spread: f64 = self.by_seed.values().map(square).sum();
        let together = spread / (n * n) * seeds / (seeds - 1.0);
        n / (together / alone).max(1.0)
    }
}

/// The Wilson score interval: honest also near 0 and 1.
fn wilson(rate: f64, n: f64) -> [f64; 2] {
    let scale = 1.0 + Z * Z / n;
    let centre = (rate + Z * Z / (2.0 * n)) / scale;
    let margin = Z / scale * (rate * (1.0 - rate) / n + Z * Z / (4.0 * n * n)).sqrt();
    [(centre - margin).max(0.0), (centre + margin).min(1.0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(rate: &Rate) -> [f64; 2] {
        rate.measured().ci95.expect("there were times")
    }

    #[test]
    fn independent_times_give_wilsons_interval() {
        let mut rate = Rate::default();
        for seed in 0..100 {
            rate.note(seed, seed % 2 == 0, 1.0);
        }
        let [low, high] = interval(&rate);
        assert!((low - 0.4038).abs() < 0.002 && (high - 0.5962).abs() < 0.002, "{low} {high}");
    }

    #[test]
    fn what_hangs_together_counts_once() {
        let (mut alone, mut together) = (Rate::default(), Rate::default());
        for seed in 0..100 {
            alone.note(seed, seed % 2 == 0, 1.0);
            for _ in 0..10 {
                together.note(seed, seed % 2 == 0, 1.0);
            }
        }
        let (one, ten) = (interval(&alone), interval(&together));
        assert!(
            (one[0] - ten[0]).abs() < 0.01 && (one[1] - ten[1]).abs() < 0.01,
            "{one:?} {ten:?}"
        );
    }

    #[test]
    fn always_and_never_are_not_certain() {
        let mut rate = Rate::default();
        for seed in 0..10 {
            rate.note(seed, true, 1.0);
        }
        let [low, high] = interval(&rate);
        assert!(low < 0.8 && high > 0.999);
        assert_eq!(Rate::default().measured().rate, None);
    }

    #[test]
    fn half_a_game_counts_as_half_and_none_as_none() {
        let mut rate = Rate::default();
        for seed in 0..100 {
            rate.note(seed, seed % 2 == 0, 0.5);
            rate.note(seed, true, 0.0);
        }
        let half = rate.measured();
        assert_eq!((half.n, half.hits, half.weight, half.rate), (100, 50, 50.0, Some(0.5)));
        let mut whole = Rate::default();
        (0..100).for_each(|seed| whole.note(seed, seed % 2 == 0, 1.0));
        let width = |rate: &Rate| interval(rate)[1] - interval(rate)[0];
        assert!(width(&rate) > width(&whole) * 1.3);
    }
}
