//! Scores of matches: 95 % confidence intervals, Elo differences, and how likely a result is.
//!
//! A score is the share of the points that a player won, a draw counting half: 0 to 1. Use
//! [`wilson`] for games that are independent of each other, [`paired`] for openings that are played
//! once from each seat.

use std::fmt;

/// The quantile of the standard normal distribution that leaves 2.5 % on either side.
const Z: f64 = 1.959_964;

/// Scores closer than this to 0 or 1 have no finite Elo difference.
const NEGLIGIBLE: f64 = 1e-9;

/// A measured score with its 95 % confidence interval.
///
/// ```
/// use corvid::statistics::wilson;
///
/// let score = wilson(0.625, 100);
/// assert_eq!(score.to_string(), "62.5 % (52.7..71.4)");
/// assert_eq!(score.elo_text(), "+89 (+19..+159)");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// The estimate.
    pub share: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// Wilson's score interval for a share of independent games. It holds for shares of 0 and 1 too.
/// Without any game it is 0 to 1.
pub fn wilson(share: f64, games: u32) -> Score {
    if games == 0 {
        return Score { share, low: 0.0, high: 1.0 };
    }
    let n = f64::from(games);
    let scale = 1.0 + Z * Z / n;
    let centre = (share + Z * Z / (2.0 * n)) / scale;
    let margin = Z / scale * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    Score { share, low: (centre - margin).max(0.0), high: (centre + margin).min(1.0) }
}

/// The score of a match of pairs of games, by the score of each pair (0 to 1, the mean of its two
/// games). The two games of an opening depend on each other, so the interval comes from how much
/// the pairs vary. Pairs that are all won or all lost do not vary; Wilson's interval for as many
/// independent results bounds them.
pub fn paired(pairs: &[f64]) -> Score {
    let n = pairs.len() as f64;
    if pairs.is_empty() {
        return wilson(0.5, 0);
    }
    let share = pairs.iter().sum::<f64>() / n;
    if pairs.len() == 1 || elo(share).is_none() {
        return wilson(share, pairs.len() as u32);
    }
    let squares: f64 = pairs.iter().map(|pair| (pair - share).powi(2)).sum();
    let margin = Z * (squares / (n - 1.0) / n).sqrt();
    Score { share, low: (share - margin).max(0.0), high: (share + margin).min(1.0) }
}

/// The difference in Elo that a score stands for; `None` for a score of 0 or 1.
pub fn elo(share: f64) -> Option<f64> {
    let finite = share > NEGLIGIBLE && share < 1.0 - NEGLIGIBLE;
    finite.then(|| 400.0 * (share / (1.0 - share)).log10())
}

/// [`elo`] as text: `+89`, or `-` without one.
pub fn elo_text(share: f64) -> String {
    elo(share).map_or("-".into(), |elo| format!("{elo:+.0}"))
}

/// What one game of a match can bring: points as whole numbers, with their probabilities, which add
/// up to 1.
///
/// ```
/// use corvid::statistics::{Outcomes, percent};
///
/// // A fair coin, thrown ten times, never shows heads; or always.
/// let coin = Outcomes::new(vec![(0, 0.5), (1, 0.5)]);
/// assert_eq!(percent(coin.as_far(10, 0)), "0.20 %");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Outcomes(Vec<(u32, f64)>);

impl Outcomes {
    /// These points with these probabilities.
    pub const fn new(outcomes: Vec<(u32, f64)>) -> Self {
        Self(outcomes)
    }

    /// As often as measured, with half a game added to each: what was never seen isn't impossible.
    pub fn measured(counts: &[(u32, u32)]) -> Self {
        let weight = |count: u32| f64::from(count) + 0.5;
        let all: f64 = counts.iter().map(|(_, count)| weight(*count)).sum();
        Self(counts.iter().map(|(points, count)| (*points, weight(*count) / all)).collect())
    }

    /// The probability of these points in one game.
    pub fn share(&self, points: u32) -> f64 {
        self.0.iter().filter(|outcome| outcome.0 == points).map(|outcome| outcome.1).sum()
    }

    /// The exact probability that so many independent games bring a sum of points at least as far
    /// from its expectation as this one, on either side.
    pub fn as_far(&self, games: u32, points: u32) -> f64 {
        let expected: f64 =
            self.0.iter().map(|(points, share)| f64::from(*points) * share).sum::<f64>()
                * f64::from(games);
        let distance = |points: f64| (points - expected).abs();
        // Sums that are as far off on the other side may differ in the last digit.
        let least = distance(f64::from(points)) - NEGLIGIBLE;
        let sums = self.sums(games);
        let far = sums.iter().enumerate().filter(|(sum, _)| distance(*sum as f64) >= least);
        far.map(|(_, share)| share).sum::<f64>().min(1.0)
    }

    /// The probability of each sum of points, from 0 on.
    fn sums(&self, games: u32) -> Vec<f64> {
        let most = self.0.iter().map(|(points, _)| *points as usize).max().unwrap_or(0);
        let mut sums = vec![1.0];
        for _ in 0..games {
            let mut next = vec![0.0; sums.len() + most];
            for (points, share) in &self.0 {
                for (sum, before) in sums.iter().enumerate() {
                    next[sum + *points as usize] += before * share;
                }
            }
            sums = next;
        }
        sums
    }
}

/// A probability as text, with two digits at least: `71 %`, `3.2 %`, `0.45 %`, `< 0.01 %`.
pub fn percent(probability: f64) -> String {
    match probability * 100.0 {
        percent if percent < 0.01 => "< 0.01 %".into(),
        percent if percent < 0.995 => format!("{percent:.2} %"),
        percent if percent < 9.95 => format!("{percent:.1} %"),
        percent => format!("{percent:.0} %"),
    }
}

impl Score {
    /// The difference in Elo with its interval: `+89 (+19..+159)`. A score of 0 or 1 bounds it on
    /// one side only: `over +446`.
    pub fn elo_text(&self) -> String {
        let [share, low, high] = [self.share, self.low, self.high].map(elo_text);
        match elo(self.share) {
            Some(_) => format!("{share} ({low}..{high})"),
            None if self.share > 0.5 => format!("over {low}"),
            None => format!("under {high}"),
        }
    }
}

/// In per cent: `62.5 % (52.7..71.4)`. A precision sets the decimal places.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = f.precision().unwrap_or(1);
        let [share, low, high] = [self.share, self.low, self.high].map(|share| share * 100.0);
        write!(f, "{share:.places$} % ({low:.places$}..{high:.places$})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Newcombe (1998), "Two-sided confidence intervals for the single proportion", table I,
    /// method 3.
    #[test]
    fn wilson_gives_the_intervals_of_newcombe() {
        for (won, games, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let score = wilson(f64::from(won) / f64::from(games), games);
            let near = |one: f64, other: f64| (one - other).abs() < 0.5e-4;
            assert!(near(score.low, low) && near(score.high, high), "{won} of {games}: {score:?}");
        }
    }

    #[test]
    fn wilson_is_not_certain_after_ten_wins_of_ten() {
        let score = wilson(1.0, 10);
        assert!((score.low - 0.7225).abs() < 1e-4 && score.high > 1.0 - 1e-9, "{score:?}");
        assert_eq!(wilson(0.5, 0), Score { share: 0.5, low: 0.0, high: 1.0 });
    }

    /// Chess matches as OpenBench reports them: pairs with 0, 1/2, 1, 3/2 and 2 points, and the
    /// Elo difference with half of the width of its interval. Weiss #766 (both), Carp #77.
    #[test]
    fn paired_gives_the_intervals_of_openbench() {
        for (pairs, difference, margin) in [
            ([1453, 8952, 16711, 9425, 1427], 1.93, 1.55),
            ([119, 2013, 3987, 2118, 142], 3.13, 2.92),
            ([29, 462, 1036, 559, 48], 10.99, 5.81),
        ] {
            let scores = [0.0, 0.25, 0.5, 0.75, 1.0].into_iter().zip(pairs);
            let all: Vec<f64> =
                scores.flat_map(|(score, count)| std::iter::repeat_n(score, count)).collect();
            let score = paired(&all);
            let [share, low, high] = [score.share, score.low, score.high].map(|s| elo(s).unwrap());
            assert!((share - difference).abs() < 0.006, "{share} instead of {difference}");
            let half = (high - low) / 2.0;
            assert!((half - margin).abs() < 0.006, "{half} instead of {margin}");
        }
    }

    /// Student (1908), the hours of sleep that ten patients gained, in units of five: mean 1.58,
    /// standard error 0.389.
    #[test]
    fn paired_divides_by_one_less_than_the_number_of_pairs() {
        let hours = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4];
        let score = paired(&hours.map(|hours| hours / 5.0));
        assert!((score.share * 5.0 - 1.58).abs() < 1e-9, "{score:?}");
        assert!((score.high * 5.0 - (1.58 + Z * 0.389)).abs() < 1e-3, "{score:?}");
    }

    #[test]
    fn pairs_that_are_all_won_prove_as_much_as_so_many_games() {
        assert_eq!(paired(&[1.0; 50]), wilson(1.0, 50));
        assert_eq!(paired(&[1.0; 50]).elo_text(), "over +446");
        assert_eq!(paired(&[0.0; 50]).elo_text(), "under -446");
        assert_eq!(paired(&[]), wilson(0.5, 0));
    }

    #[test]
    fn an_opening_that_decides_both_games_says_nothing_about_the_players() {
        let score = paired(&[0.5; 50]);
        assert_eq!((score.low, score.high), (0.5, 0.5), "games alone would say 0.40 to 0.60");
    }

    fn near(one: f64, other: f64) -> bool {
        (one - other).abs() < 1e-9
    }

    /// Binomial distributions by hand.
    #[test]
    fn as_far_adds_up_both_tails() {
        let coin = Outcomes::new(vec![(0, 0.5), (1, 0.5)]);
        for (games, heads, ways) in
            [(10, 0, 2), (10, 10, 2), (10, 1, 22), (10, 5, 1024), (4, 3, 640)]
        {
            let found = coin.as_far(games, heads);
            assert!(near(found, f64::from(ways) / 1024.0), "{heads} of {games}: {found}");
        }
        // Nine of ten are expected, and all but exactly nine are at least one off.
        let nearly_always = Outcomes::new(vec![(0, 0.1), (1, 0.9)]);
        let exactly_nine = 10.0 * 0.9f64.powi(9) * 0.1;
        assert!(near(nearly_always.as_far(10, 10), 1.0 - exactly_nine));
        assert!(near(nearly_always.as_far(0, 0), 1.0));
    }

    /// Two games with a draw in every second one are four throws of a coin, in half points.
    #[test]
    fn draws_count_in_between() {
        let even = Outcomes::new(vec![(2, 0.25), (1, 0.5), (0, 0.25)]);
        for (points, ways) in [(0, 2), (1, 10), (2, 16), (3, 10), (4, 2)] {
            assert!(near(even.as_far(2, points), f64::from(ways) / 16.0), "{points}");
        }
    }

    #[test]
    fn what_was_never_seen_gets_half_a_game() {
        let measured = Outcomes::measured(&[(2, 6), (1, 0), (0, 3)]);
        let expected = [(2, 6.5), (1, 0.5), (0, 3.5)].map(|(points, games)| (points, games / 10.5));
        assert_eq!(measured, Outcomes::new(expected.to_vec()));
    }

    #[test]
    fn probabilities_have_two_digits() {
        let texts =
            [0.0, 0.000_09, 0.0001, 0.0045, 0.009_96, 0.0321, 0.0996, 0.71, 1.0].map(percent);
        let expected =
            ["< 0.01 %", "< 0.01 %", "0.01 %", "0.45 %", "1.0 %", "3.2 %", "10 %", "71 %", "100 %"];
        assert_eq!(texts, expected);
    }

    #[test]
    fn elo_differences_are_those_of_the_usual_table() {
        for (share, difference) in [(0.5, 0.0), (0.75, 191.0), (0.64, 100.0), (0.24, -200.0)] {
            assert!((elo(share).unwrap() - difference).abs() < 0.5, "{share}");
        }
        assert_eq!((elo(0.0), elo(1.0)), (None, None));
    }
}
