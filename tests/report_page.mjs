// What a person does with the report of a sweep, done by a browser without a window, and compared with the tables. Started by
// replay_page.sh.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OUT, SIM_CLI, folder, inWindows, openPage, read, runChecks, table, text } from './browser.mjs';


/** Makes a sweep; returns its page. */
function sweep(name, spec) {
    const file = join(OUT, `${name}.json`);
    writeFileSync(file, JSON.stringify({ name, scenario: resolve('scenarios/swarm-30.json'), set: { steps: 600 }, ...spec }));
    rmSync(folder(name), { recursive: true, force: true });
    execFileSync(SIM_CLI, ['sweep', file, '--out', folder(name)], { stdio: ['ignore', 'ignore', 'inherit'] });
    return report(name);
}

function report(name) {
    execFileSync(SIM_CLI, ['replay', folder(name), '--overwrite'], { stdio: ['ignore', 'ignore', 'inherit'] });
    return join(folder(name), 'report.html');
}

/** A copy of a sweep with other text in its files. */
function changed(from, name, ...changes) {
    rmSync(folder(name), { recursive: true, force: true });
    cpSync(folder(from), folder(name), { recursive: true });
    for (const [file, before, after] of changes) {
        const text = read(name, file);
        assert.ok(text.includes(before), `${file} has no ${before}`);
        writeFileSync(join(folder(name), file), text.replaceAll(before, after));
    }
    return report(name);
}

/** Opens a page and records its complaints. */
const open = (file, options = {}) => openPage(file, { selector: '[data-ready]', ...options });

async function close(page) {
    assert.deepEqual(page.complaints, []);
    await page.close();
}

const texts = (page, selector) => page.locator(selector).allTextContents();

const checks = {
    async 'a sweep answers its question'() {
        const page = await open(
            sweep('robots', {
                question: 'How many robots?',
                axes: [
                    { path: 'feet.travel', name: 'travel', values: ['core', 'full'] },
                    { path: 'agents.count', name: 'robots', values: [10, 20] },
                ],
                repeats: 3,
                measures: ['moving_share', 'min_robot_foot_mm', 'coverage_share'],
                baseline: { 'feet.travel': 'core' },
            }),
        );
        assert.equal(await page.title(), 'robots');
        assert.equal(await text(page, '#answer h2'), 'How many robots?');
        const cells = table('robots', 'cells.csv');
        // First what the sweep asks for, with clean runs beside it; then up to which count all runs are clean.
        assert.equal(await page.locator('#answer h3').first().textContent(), 'Moving share');
        const moving = await page.locator('#answer .answers').first().locator('.answer').allTextContents();
        assert.equal(moving.length, cells.length);
        moving.forEach((answer, n) => assert.ok(answer.includes(`${cells[n]['agents.count']} robots`) && /runs went wrong/.test(answer), answer));
        const answers = await page.locator('#answer .answers').nth(1).locator('.answer').allTextContents();
        assert.equal(answers.length, 2);
        for (const [n, travel] of ['core', 'full'].entries()) {
            const rows = cells.filter((row) => row['feet.travel'] === travel);
            const good = rows.findIndex((row) => Number(row.clean_share) !== 1);
            const most = good < 0 ? `at least ${rows.at(-1)['agents.count']}` : good === 0 ? 'not even 10' : rows[good - 1]['agents.count'];
            assert.ok(answers[n].includes(`travel ${travel}`) && answers[n].includes(most), `${answers[n]}: ${most}`);
        }
        return page;
    },

    async 'tables sort, and filter'(page) {
        const column = async (id, n) => texts(page, `[data-table=${id}] tbody td:nth-child(${n})`);
        assert.deepEqual(await column('cells', 3), ['10', '20', '10', '20']);
        const robots = page.locator('[data-table=cells] th', { hasText: 'robots' });
        await robots.locator('button').click();
        assert.equal(await robots.getAttribute('aria-sort'), 'ascending');
        assert.deepEqual(await column('cells', 3), ['10', '10', '20', '20']);
        await robots.locator('button').click();
        assert.deepEqual(await column('cells', 3), ['20', '20', '10', '10']);
        await page.locator('#measures summary').click();
        await page.locator('#measures input').fill('least_room full');
        const rows = table('robots', 'summary.csv').filter((row) => row.measure === 'least_room_mm' && row['feet.travel'] === 'full');
        const shown = await column('measures', 7);
        assert.equal(shown.length, rows.length);
        const number = (cell) => Number(cell.split(' ')[0].replace('−', '-'));
        rows.forEach((row, n) => assert.ok(Math.abs(number(shown[n]) - Number(row.mean)) < 0.06, shown[n]));
        assert.match(await text(page, '#measures .table-bar'), /2 of 20 rows; all of it is in summary\.csv/);
    },

    async 'each plot is in the page and beside it, for the light and for the dark'(page) {
        await page.locator('.folded:not([open]) > summary').evaluateAll((all) => all.forEach((summary) => summary.click()));
        await page.waitForTimeout(150);
        const files = await page.locator('figure[data-file]').evaluateAll((all) => all.map((figure) => figure.dataset.file));
        assert.deepEqual([...files].sort(), readdirSync(join(folder('robots'), 'plots')).sort());
        assert.ok(files.length >= 12, String(files));
        const drawn = () => page.locator('figure[data-file] svg').evaluateAll((all) => all.map((svg) => svg.outerHTML));
        const light = await drawn();
        await page.click('button[aria-label="Dark or light"]');
        const dark = await drawn();
        light.forEach((svg, n) => assert.notEqual(svg, dark[n], files[n]));
        await page.click('button[aria-label="Dark or light"]');
        assert.deepEqual(await drawn(), light);
        // As a file of its own, a plot is an image that a browser shows.
        for (const file of files) {
            const size = await page.evaluate(
                (source) =>
                    new Promise((done, fail) => {
                        const image = new Image();
                        image.onload = () => done(image.width);
                        image.onerror = fail;
                        image.src = `data:image/svg+xml,${encodeURIComponent(source)}`;
                    }),
                read('robots', `plots/${file}`),
            );
            assert.equal(size, 480, file);
        }
    },

    async 'the worst runs play, and say how they are made again'(page) {
        const worst = table('robots', 'worst.csv');
        assert.deepEqual(
            await texts(page, '.worst .command'),
            worst.map(({ command }) => command),
        );
        for (const row of [worst[0], worst[2]]) {
            await page.click(`[data-worst="${row.run}"]`);
            assert.match(await text(page, '.call-stage h2'), new RegExp(`^Run ${row.run}:`));
            const calls = table('robots', `${row.folder}/closest.csv`).filter(({ call, distance_mm }) => call === '0' && distance_mm);
            const least = Math.min(...calls.map(({ distance_mm }) => Number(distance_mm)));
            assert.equal(await text(page, '[data-call="0"] b'), `${least.toFixed(2)} mm`);
        }
        const at = () => page.locator('.scrub').inputValue();
        const before = await at();
        await page.waitForFunction((then) => document.querySelector('.scrub').value !== then, before);
        await page.locator('.picture').focus();
        await page.keyboard.press(' ');
        const paused = await at();
        // Outside of the player, keys scroll the page.
        await page.locator('#answer h2').click();
        await page.keyboard.press(' ');
        await page.waitForTimeout(150);
        assert.equal(await at(), paused);
    },

    async 'it fits phones, projectors and desktops'(page) {
        for await (const name of inWindows(page, ['phone', 'projector', 'desktop'])) {
            await page.screenshot({ path: join(OUT, `report-${name}.png`), fullPage: true });
        }
        await close(page);
    },

    async 'a sweep of one cell, and one of drawn settings, have a page'() {
        const one = await open(sweep('one', { repeats: 4 }));
        assert.equal(await one.locator('#answer .answer').count(), 1);
        assert.ok((await one.locator('figure[data-file]').count()) > 0);
        await close(one);
        const axes = [
            { path: 'limits.v_max_mm_s', name: 'top speed', log_uniform: { from: 250, to: 400 } },
            { path: 'agents.count', uniform: { from: 5, to: 15 } },
        ];
        const drawn = await open(sweep('drawn', { design: 'latin_hypercube', cells: 8, repeats: 2, axes }));
        assert.ok((await drawn.locator('#sensitivity figure').count()) > 0 && (await drawn.locator('#dots figure').count()) > 0);
        assert.match(await text(drawn, '#method'), /Latin hypercube: 8 settings/);
        await close(drawn);
    },

    async 'a sweep of the road speaks of cars and not of the mat'() {
        const axes = [{ path: 'cars[0].driver.waypoints.speed_m_s', name: 'speed', values: [0.1, 0.35] }];
        const spec = { scenario: resolve('scenarios/car-traffic.json'), set: { steps: 2000 }, axes, repeats: 2, question: 'How fast may it be?' };
        const page = await open(sweep('road', spec));
        assert.equal(await text(page, '#answer h2'), 'How fast may it be?');
        await page.locator('.folded:not([open]) > summary').evaluateAll((all) => all.forEach((summary) => summary.click()));
        const all = await page.locator('body').innerText();
        for (const word of ['Collisions over speed', 'Distance over speed', 'Off route max over speed']) assert.ok(all.includes(word), word);
        for (const word of [/robots?/i, /foot|feet/i, /cubes?/i, /least_room/, /\bmm\b/]) assert.doesNotMatch(all, word);
        // The rows of its measures are those of the table, and a faster car goes farther.
        const rows = table('road', 'summary.csv');
        const means = rows.filter(({ measure }) => measure === 'distance_m').map(({ mean }) => Number(mean));
        assert.ok(means.length === 2 && means[0] < means[1], String(means));
        const shown = await texts(page, '[data-table=measures] tbody tr');
        assert.equal(shown.length, rows.length);
        rows.forEach(({ measure }, n) => assert.ok(shown[n].includes(measure), `${shown[n]}: ${measure}`));
        await close(page);
    },

    async 'what is not complete, and what went wrong, is said'() {
        const incomplete = ['run.json', '"complete": true,\n  "reason": null', '"complete": false,\n  "reason": "stopped by Ctrl-C"'];
        const page = await open(changed('robots', 'stopped', incomplete, ['run.json', '"failed_runs": 0', '"failed_runs": 2']));
        assert.equal(await text(page, '.verdict'), 'not complete');
        const notes = await text(page, '.notes');
        assert.match(notes, /stopped by Ctrl-C/);
        assert.match(notes, /2 runs failed, which counts as gone wrong/);
        await close(page);
    },

    async 'what stands in files stays text'() {
        const evil = '</title></script><script>window.hurt = 1</script><img src=x onerror="window.hurt = 1">';
        const quoted = `"${evil.replaceAll('"', '""')}"`;
        const page = await open(
            changed(
                'robots',
                'evil',
                ['sweep.json', '"robots"', JSON.stringify(evil)],
                ['sweep.json', '"How many robots?"', JSON.stringify(evil)],
                ['cells.csv', ',core,', `,${quoted},`],
                ['worst.csv', 'sim-cli run', `${quoted.slice(1, -1).replaceAll(',', '')} run`.replaceAll('"', '')],
            ),
        );
        assert.equal(await page.title(), evil);
        assert.equal(await text(page, '#answer h2'), evil);
        assert.equal(await page.evaluate(() => window.hurt), undefined);
        assert.ok((await texts(page, '#answer .answer')).some((answer) => answer.includes('window.hurt')));
        await close(page);
    },
};

await runChecks(checks);
