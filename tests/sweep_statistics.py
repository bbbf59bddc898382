#!/usr/bin/env python3
"""Compares the statistics and designs of sweeps with scipy, on the same data.

    cargo run -p sim-sweep --example sweep_statistics >FIGURES.json && python3 tests/sweep_statistics.py FIGURES.json

Reads the data and our figures, and works out every figure again: moments, quantiles, intervals of means, rates, differences and rank
correlations, Sobol points, strata and values of distributions. Figures agree to 1e-9.

Exit status: 0 all agree; 1 a figure disagrees; 77 scipy is not installed.
"""

import json
import math
import sys

try:
    import numpy as np
    import scipy
    from scipy import stats
except ImportError as error:
    print(f"SKIPPED: {error}")
    sys.exit(77)

TOLERANCE = 1e-9


class Comparison:
    """Counts figures and remembers those that disagree."""

    def __init__(self):
        self.figures, self.wrong, self.largest = 0, [], 0.0

    def same(self, what, ours, theirs, scale=0.0):
        """A number against scipy's. `scale` is the size of what was computed with, for figures near zero."""
        ours = math.nan if ours is None else ours
        self.figures += 1
        if math.isnan(ours) and math.isnan(theirs):
            return
        error = abs(ours - theirs) / max(abs(theirs), scale, 1e-300) if ours != theirs else 0.0
        if not error <= TOLERANCE:
            self.wrong.append(f"{what}: {ours!r}, scipy says {theirs!r}")
        else:
            self.largest = max(self.largest, error)

    def interval(self, what, ours, theirs, scale=0.0):
        ours = ours or [None, None]
        self.same(f"{what}, low", ours[0], theirs[0], scale)
        self.same(f"{what}, high", ours[1], theirs[1], scale)

    def that(self, what, holds):
        self.figures += 1
        if not holds:
            self.wrong.append(what)


def numbers(values):
    return np.array([math.nan if value is None else value for value in values])


def t_interval(values):
    if len(values) < 2:
        return (math.nan, math.nan)
    return stats.t.interval(0.95, len(values) - 1, loc=values.mean(), scale=stats.sem(values))


def bca_interval(values, means):
    """scipy's own BCa interval, from the resampled means that we drew."""
    if len(values) < 2:
        return (math.nan, math.nan)
    drawn = stats.bootstrap((values,), np.mean, n_resamples=2, method="percentile")
    drawn.bootstrap_distribution = np.array(means)
    result = stats.bootstrap(
        (values,), np.mean, n_resamples=0, bootstrap_result=drawn, method="BCa", confidence_level=0.95
    )
    return tuple(result.confidence_interval)


def check_samples(check, samples):
    for number, ours in enumerate(samples):
        what = f"sample {number}"
        everything = numbers(ours["values"])
        values = everything[np.isfinite(everything)]
        check.that(f"{what}: n", (ours["n"], ours["missing"]) == (len(values), len(everything) - len(values)))
        nothing = len(values) == 0
        check.same(f"{what}: mean", ours["mean"], math.nan if nothing else values.mean())
        check.same(f"{what}: sd", ours["sd"], stats.tstd(values) if len(values) > 1 else math.nan)
        check.same(f"{what}: min", ours["min"], math.nan if nothing else values.min())
        check.same(f"{what}: max", ours["max"], math.nan if nothing else values.max())
        for share, quantile in ours["quantiles"]:
            check.same(f"{what}: quantile {share}", quantile, math.nan if nothing else np.quantile(values, share))
        check.interval(f"{what}: t", ours["t"], t_interval(values))
        check.interval(f"{what}: bootstrap", ours["bootstrap"], bca_interval(values, ours["resampled_means"]))


def check_rates(check, rates):
    for seen, runs, interval, upper in rates:
        what = f"{seen} of {runs}"
        two_sided = stats.binomtest(seen, runs).proportion_ci(0.95, "exact")
        # binomtest's root finder stops at 2e-12 absolute; the beta distribution has the same ends to the last digits.
        low = stats.beta.ppf(0.025, seen, runs - seen + 1) if seen else 0.0
        high = stats.beta.ppf(0.975, seen + 1, runs - seen) if seen < runs else 1.0
        check.that(f"{what}: binomtest", np.allclose(interval, two_sided, rtol=1e-6, atol=1e-10))
        check.interval(what, interval, (low, high))
        check.same(f"{what}, one-sided", upper, stats.beta.ppf(0.95, seen + 1, runs - seen) if seen < runs else 1.0)


def check_correlations(check, correlations):
    for number, ours in enumerate(correlations):
        what = f"correlation {number}"
        r, n = stats.spearmanr(ours["x"], ours["y"]).statistic, len(ours["x"])
        reach = stats.norm.ppf(0.975) * math.sqrt((1 + r * r / 2) / (n - 3))
        check.that(f"{what}: n", ours["n"] == n)
        check.same(f"{what}: r", ours["spearman"], r)
        ends = (math.nan, math.nan) if abs(r) == 1.0 else np.tanh(np.arctanh(r) + np.array([-reach, reach]))
        check.interval(what, ours["interval"], ends, 1.0)


def check_differences(check, ours):
    of, baseline = numbers(ours["of"]), numbers(ours["baseline"])
    pairs = ~np.isnan(of)
    differences = of[pairs] - baseline[pairs]
    check.that("differences: n", ours["n"] == pairs.sum() < len(of))
    check.same("differences: mean", ours["mean"], differences.mean())
    check.same("differences: sd", ours["sd"], differences.std(ddof=1))
    paired = stats.ttest_rel(of[pairs], baseline[pairs]).confidence_interval(0.95)
    check.interval("differences: t", ours["t"], paired, 1.0)


def check_sobol(check, rows):
    """Ours are scipy's points, with the same bits of an axis flipped in all of them."""
    cells = np.array([row["cell"] for row in rows])
    ours = np.array([[math.floor(place * 2**32) for place, _ in row["axes"]] for row in rows])
    theirs = stats.qmc.Sobol(ours.shape[1], scramble=False, bits=32).random(2**21)[cells]
    shift = ours ^ np.floor(theirs * 2**32).astype(np.int64)
    check.that("sobol: one shift an axis", (shift == shift[0]).all())
    check.that("sobol: another shift for each axis", len(set(shift[0])) == ours.shape[1])
    flattest = stats.qmc.discrepancy(np.array([[place for place, _ in row["axes"][:4]] for row in rows[:1024]]))
    chance = stats.qmc.discrepancy(np.random.default_rng(1).random((1024, 4)))
    check.that(f"sobol: discrepancy {flattest:.2e}, by chance {chance:.2e}", flattest < 0.3 * chance)


def check_values(check, name, rows):
    """Values of the four axes at their places: uniform, log-uniform, normal, a list of seven."""
    inverse = (
        stats.uniform(-2.0, 7.0).ppf,
        stats.loguniform(0.001, 30.0).ppf,
        stats.norm(10.0, 3.0).ppf,
        lambda place: math.floor(7 * place),
    )
    for row in rows:
        for axis, (place, value) in enumerate(row["axes"]):
            check.same(f"{name}: cell {row['cell']}, axis {axis}", value, float(inverse[axis](place)), 1.0 if axis in (0, 2) else 0.0)


def check_places(check, data):
    hypercube = np.array([[place for place, _ in row["axes"]] for row in data["latin_hypercube"]])
    n, axes = hypercube.shape
    for axis in range(axes):
        strata = np.sort(np.floor(hypercube[:, axis] * n))
        check.that(f"latin hypercube: strata of axis {axis}", (strata == np.arange(n)).all())
    random = np.array([[place for place, _ in row["axes"]] for row in data["random"]])
    for axis in range(random.shape[1]):
        # The draws are fixed, so this either always passes or never.
        check.that(f"random: axis {axis} is uniform", stats.kstest(random[:, axis], "uniform").pvalue > 1e-3)
    together = np.abs(np.corrcoef(np.hstack([random[:n], hypercube]).T) - np.eye(2 * axes)).max()
    check.that(f"axes: correlation {together:.3f}", together < 5 / math.sqrt(n))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        data = json.load(file)
    check = Comparison()
    check_samples(check, data["samples"])
    check_rates(check, data["rates"])
    check_correlations(check, data["correlations"])
    check_differences(check, data["differences"])
    check_sobol(check, data["sobol"])
    check_values(check, "latin hypercube", data["latin_hypercube"])
    check_values(check, "random", data["random"])
    check_places(check, data)
    for line in check.wrong[:20]:
        print(f"DISAGREES: {line}")
    agree = check.figures - len(check.wrong)
    print(f"{agree} of {check.figures} figures as in scipy {scipy.__version__}, to {check.largest:.1e} at most")
    return 1 if check.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
