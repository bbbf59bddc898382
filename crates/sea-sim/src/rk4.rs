//! The classical Runge-Kutta method of fourth order.

/// A state that moves by rates.
pub trait Integrand: Copy {
    /// Rates of change, per second.
    type Rates: Copy;

    /// The state after `duration_s` at constant rates.
    fn advanced(&self, rates: &Self::Rates, duration_s: f64) -> Self;

    /// Mean of four rates with the weights 1, 2, 2, 1.
    fn weighted_mean(rates: &[Self::Rates; 4]) -> Self::Rates;
}

/// Where in a step rates are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// At half of the step.
    Middle,
    /// At its end.
    End,
}

/// One step of `step_s`; `first` are the rates at its start, `rates` gives those at later moments.
#[inline]
pub fn step<S: Integrand>(state: &S, first: S::Rates, step_s: f64, rates: impl Fn(&S, Moment) -> S::Rates) -> S {
    let half_s = 0.5 * step_s;
    let second = rates(&state.advanced(&first, half_s), Moment::Middle);
    let third = rates(&state.advanced(&second, half_s), Moment::Middle);
    let last = rates(&state.advanced(&third, step_s), Moment::End);
    state.advanced(&S::weighted_mean(&[first, second, third, last]), step_s)
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Integrand for f64 {
        type Rates = Self;
        fn advanced(&self, rates: &Self, duration_s: f64) -> Self {
            self + rates * duration_s
        }
        fn weighted_mean([a, b, c, d]: &[Self; 4]) -> Self {
            (a + 2.0 * b + 2.0 * c + d) / 6.0
        }
    }

    /// x' = 4 t³ from 1 to 2 is integrated exactly, and x' = x to the Taylor polynomial of fourth degree.
    #[test]
    fn a_cubic_is_exact_and_growth_is_a_taylor_polynomial() {
        let cubic = |moment| if moment == Moment::Middle { 4.0 * 1.5 * 1.5 * 1.5 } else { 32.0 };
        assert!((step(&0.0, 4.0, 1.0, |_, moment| cubic(moment)) - 15.0).abs() < 1e-13);
        assert!((step(&1.0, 1.0, 1.0, |x, _| *x) - (1.0 + 1.0 + 0.5 + 1.0 / 6.0 + 1.0 / 24.0)).abs() < 1e-15);
    }
}
