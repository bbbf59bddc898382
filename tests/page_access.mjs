// Pages in windows of all sizes, dark and light, read by axe-core, and used by the keyboard alone. Started by replay_page.sh.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OUT, SIM_CLI, folder, openPage, runChecks, startSession, text } from './browser.mjs';

const WIDTHS = [390, 800, 1000, 1400, 2560];

/** A slider that is shorter, px, is of no use. */
const LEAST_SLIDER_PX = 240;

const AXE = join(process.env.PACKAGES, 'axe-core/axe.min.js');
const axe = existsSync(AXE) ? readFileSync(AXE, 'utf8') : null;

const simCli = (...args) => execFileSync(SIM_CLI, args, { stdio: ['ignore', 'ignore', 'inherit'] });

function pageOf(name, file) {
    simCli('replay', folder(name), '--overwrite');
    return join(folder(name), file);
}

function run(name, ...flags) {
    simCli('run', `scenarios/${name}.json`, '--out', folder(`access-${name}`), '--overwrite', '-q', ...flags);
    return pageOf(`access-${name}`, 'replay.html');
}

function sweep() {
    const spec = { name: 'access-sweep', scenario: resolve('scenarios/swarm-10.json'), set: { steps: 600 }, repeats: 2 };
    const axes = [{ path: 'agents.count', name: 'robots', values: [4, 8] }];
    writeFileSync(join(OUT, 'access-sweep.json'), JSON.stringify({ ...spec, axes, measures: ['moving_share'] }));
    simCli('sweep', join(OUT, 'access-sweep.json'), '--out', folder('access-sweep'), '--overwrite');
    return pageOf('access-sweep', 'report.html');
}

/** What axe-core finds, a line each. */
async function findings(page) {
    if (axe === null) return [];
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

/** What stands out of the window at its sides, or of the part that holds it. */
const cutOff = (page) =>
    page.evaluate(() => {
        const all = [...document.querySelectorAll('.transport > *, header > button, .tabs > *, .layers > *')];
        const isOut = (element) => {
            const [box, around] = [element, element.parentElement].map((one) => one.getBoundingClientRect());
            return box.width > 0 && (box.left < around.left - 1 || box.right > around.right + 1 || box.right > innerWidth + 1);
        };
        return all.filter(isOut).map((element) => element.outerHTML.slice(0, 80));
    });

/** Opens a page in a window of each size, dark and light. */
async function everywhere(name, file, selector, look = async () => {}) {
    for (const width of WIDTHS) {
        for (const dark of [true, false]) {
            const page = await openPage(file, { width, height: width < 1000 ? 844 : 800, dark, selector });
            const where = `${name}, ${width} px, ${dark ? 'dark' : 'light'}`;
            assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `${where}: stands out at the side`);
            assert.deepEqual(await cutOff(page), [], where);
            assert.deepEqual(await findings(page), [], where);
            await look(page, where);
            await page.screenshot({ path: join(OUT, `access-${name}-${width}-${dark ? 'dark' : 'light'}.png`) });
            assert.deepEqual(page.complaints, []);
            await page.close();
        }
    }
}

async function lookAtRun(page, where) {
    const { width } = await page.locator('.scrub').boundingBox();
    assert.ok(width >= LEAST_SLIDER_PX, `${where}: the slider is ${width} px long`);
    for (const tab of await page.locator('[role=tab]').all()) {
        await tab.click();
        assert.deepEqual(await findings(page), [], `${where}, ${await tab.textContent()}`);
    }
}

/** Tabs of a live page, whose plots must have their numbers first. */
async function lookAtLive(page, where) {
    await page.waitForFunction(() => [...document.querySelectorAll('.plots output')].every(({ textContent }) => textContent !== ''));
    for (const tab of await page.locator('[role=tab]').all()) {
        await tab.click();
        assert.deepEqual(await findings(page), [], `${where}, ${await tab.textContent()}`);
    }
}

async function liveEverywhere(name) {
    const session = await startSession(`scenarios/${name}.json`, `access-live-${name}`, '--duration', '1h', '--no-trace');
    await everywhere(`live-${name}`, session.url, '[data-drawn]', lookAtLive);
    await session.end('SIGINT');
}

/** Goes on by the tab key until an element has the focus; it must be seen to have it. */
async function tabTo(page, selector) {
    for (let n = 0; n < 80; n += 1) {
        await page.keyboard.press('Tab');
        if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) {
            const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
            assert.notEqual(outline, 'none', `${selector} does not show that it has the focus`);
            return;
        }
    }
    assert.fail(`no tab key leads to ${selector}`);
}

const checks = {
    async 'axe-core is there'() {
        if (axe === null) console.log('    SKIPPED: what axe-core would find: it is not installed');
    },

    'a run of a swarm in all sizes': () => everywhere('swarm', run('swarm-10', '--steps', '1200'), '[data-drawn]', lookAtRun),
    'a run of cubes in all sizes': () => everywhere('cubes', run('cubes-tour'), '[data-drawn]', lookAtRun),

    'a live swarm in all sizes': () => liveEverywhere('swarm-30'),
    'live cubes in all sizes': () => liveEverywhere('cubes-tour'),

    async 'two runs side by side in all sizes'() {
        const names = ['access-swarm-10', 'access-faster'];
        simCli('run', 'scenarios/swarm-10.json', '--steps', '1200', '--out', folder(names[1]), '-q', '--set', 'limits.v_max_mm_s=300');
        simCli('replay', ...names.map(folder), '--overwrite');
        await everywhere('pair', join(folder(names[0]), 'compare.html'), '[data-drawn]', lookAtRun);
    },

    async 'a run of a car, with its sensors, in all sizes'() {
        await everywhere('car', run('car-loop', '--steps', '1000'), '[data-drawn]', lookAtRun);
    },

    async 'a batch in all sizes'() {
        await everywhere('batch', run('swarm-20-cubes', '--runs', '4', '--steps', '300', '--no-trace'), '[data-drawn]');
    },

    'a report in all sizes': () => everywhere('report', sweep(), '[data-ready]'),

    async 'a run is played by the keyboard alone'() {
        const page = await openPage(join(folder('access-cubes-tour'), 'replay.html'), { width: 1000, height: 768, selector: '[data-drawn]' });
        const time = async () => Number(await page.locator('.scrub').inputValue());
        await tabTo(page, '[data-layer=trails]');
        await page.keyboard.press('Enter');
        assert.equal(await page.locator('[data-layer=trails]').getAttribute('aria-pressed'), 'true');
        await tabTo(page, '.picture');
        await page.keyboard.press('ArrowRight');
        assert.ok((await time()) > 0, 'a row on');
        await tabTo(page, '.scrub');
        await page.keyboard.press('End');
        assert.ok((await time()) > 20);
        await tabTo(page, '[role=tab]');
        await page.keyboard.press('ArrowRight');
        assert.equal(await text(page, '[role=tab][aria-selected=true]'), 'Events');
        assert.ok((await time()) > 20, 'arrows on tabs leave the time alone');
        await tabTo(page, '.events');
        await tabTo(page, '.event');
        await page.keyboard.press('Enter');
        assert.ok((await time()) < 20, 'an event leads to its moment');
        await page.close();
    },
};

await runChecks(checks);
