// Ten sweeps of different kinds: the report's first answer is about what was asked, and says what the runs' own rows say. Started by
// replay_page.sh.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OUT, SIM_CLI, folder, openPage, runChecks, table } from './browser.mjs';

const robots = { path: 'agents.count', name: 'robots', values: [4, 6] };
const travel = { path: 'feet.travel', name: 'travel', values: ['core', 'full'] };

/** What is asked, of which kind. */
const SWEEPS = {
    rate: { measures: ['moving_share'], axes: [robots] },
    mean: { measures: ['speed_mean_mm_s'], axes: [robots] },
    count: { measures: ['d_r_episodes'], axes: [{ path: 'safety.filter', name: 'filter', values: ['joint', 'none'] }] },
    time: { measures: ['still_longest_s'], axes: [robots] },
    'two-axes': { measures: ['coverage_share'], axes: [travel, robots] },
    baseline: { measures: ['accel_mean_mm_s2'], axes: [travel], baseline: { 'feet.travel': 'core' } },
    'failing-cell': { measures: ['moving_share'], axes: [{ ...robots, values: [4, 400] }] },
    'one-run-a-cell': { measures: ['min_robot_robot_mm'], axes: [robots], repeats: 1 },
    'one-setting': { measures: ['path_length_mean_mm'], axes: [] },
    random: { measures: ['speed_max_mm_s'], axes: [{ path: 'limits.v_max_mm_s', uniform: { from: 250, to: 400 } }], design: 'random', cells: 3 },
};

function sweep(name, { axes, ...spec }) {
    const file = join(OUT, `${name}.json`);
    const set = { steps: 300 };
    const more = axes.length ? { axes } : {};
    writeFileSync(file, JSON.stringify({ name, scenario: resolve('scenarios/swarm-10.json'), set, repeats: 3, ...more, ...spec }));
    try {
        execFileSync(SIM_CLI, ['sweep', file, '--out', folder(name)], { stdio: ['ignore', 'ignore', 'pipe'] });
    } catch (error) {
        // A sweep of which some settings cannot be ends with a status of its own, and has a report.
        if (!table(name, 'cells.csv').some(({ status }) => status !== 'done')) throw error;
    }
    return join(folder(name), 'report.html');
}

/** Means of the measure in each cell, over the rows of the runs. */
function means(name, measure) {
    const runs = table(name, 'runs.csv').filter((row) => row[measure] !== '' && row.status === 'done');
    return table(name, 'cells.csv').map(({ cell }) => {
        const values = runs.filter((row) => row.cell === cell).map((row) => Number(row[measure]));
        return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null;
    });
}

const UNITS = { _mm_s2: 'mm/s²', _mm_s: 'mm/s', _mm: 'mm', _s: 's' };

/** The name of a measure for people, and its unit. */
function told(measure) {
    const end = Object.keys(UNITS).find((ending) => measure.endsWith(ending)) ?? '';
    const words = measure.slice(0, measure.length - end.length).replaceAll('_', ' ');
    return { title: words.charAt(0).toUpperCase() + words.slice(1), unit: UNITS[end] ?? '' };
}

async function check(name, spec) {
    const page = await openPage(sweep(name, spec), { selector: '[data-ready]' });
    const [measure] = spec.measures;
    const { title, unit } = told(measure);
    const all = await page.locator('#answer > div').evaluateAll((parts) =>
        parts.map((part) => ({
            title: part.querySelector('h3').textContent,
            answers: [...part.querySelectorAll('.answer')].map((row) => [...row.children].map(({ textContent }) => textContent)),
        })),
    );
    // In a random design, which axis matters comes first; else the measure that was asked for.
    const asked = all.find((part) => part.title === title);
    assert.ok(asked && all.indexOf(asked) <= (spec.design === 'random' ? 1 : 0), `${title}: ${JSON.stringify(all)}`);
    const wanted = means(name, measure);
    assert.equal(asked.answers.length, wanted.length);
    const lines = asked.answers.map(([setting, headline, words], n) => {
        if (wanted[n] === null) {
            assert.equal(headline, 'no value');
            assert.match(words, /no scenario is possible|failed/i, words);
            return `${setting}: ${headline} (${words.slice(0, 60)}...)`;
        }
        const [number, ...rest] = headline.replace('−', '-').split(' ');
        // The headline has at least three digits of the mean.
        assert.ok(Math.abs(Number(number) - wanted[n]) <= 2e-3 * Math.abs(wanted[n]) + 1e-9, `${headline}: ${wanted[n]}`);
        assert.equal(rest.join(' '), unit, headline);
        return `${setting}: ${headline} (${wanted[n]})`;
    });
    console.log(`    ${measure}: ${lines.join('; ')}`);
    assert.deepEqual(page.complaints, []);
    await page.close();
}

await runChecks(Object.fromEntries(Object.entries(SWEEPS).map(([name, spec]) => [`a sweep of the kind ${name}`, () => check(name, spec)])));
