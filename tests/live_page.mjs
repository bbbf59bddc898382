// What people do on a live stage, done by a browser without a window, and compared with the tables of the run. Started by replay_page.sh.
// Nothing waits for a time: each check waits for something to be so.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OUT, SIM_CLI, folder, inWindows, openPage, read, runChecks, table, timePictures } from './browser.mjs';

/** Starts a session; its address, and a way to end it that returns the exit code or signal. */
async function start(scenario, name, ...flags) {
    const session = spawn(SIM_CLI, ['live', `scenarios/${scenario}.json`, '--out', folder(name), '--overwrite', ...flags]);
    let said = '';
    session.stdout.on('data', (part) => (said += part));
    session.stderr.on('data', (part) => process.stderr.write(part));
    while (!said.includes('\n')) await once(session.stdout, 'data');
    const end = async (signal) => {
        session.kill(signal);
        const [code, by] = await once(session, 'exit');
        return code ?? by;
    };
    return { url: said.trim(), end, words: () => said };
}

const open = (url, options = {}) => openPage(url, { dark: true, selector: '[data-drawn]', prepare: timePictures, ...options });

const numbers = (page, stream, id) => page.evaluate(([stream, id]) => window.live.numbers(stream, id), [stream, id]);
const onPage = (page, x, y) => page.evaluate(([x, y]) => window.live.onPage(x, y), [x, y]);

/** Waits until a number of an owner is as wanted. */
async function until(page, [stream, id], isSo, what) {
    for (let tries = 0; tries < 1500; tries += 1) {
        const now = await numbers(page, stream, id);
        if (now && isSo(now)) return now;
        await page.waitForTimeout(20);
    }
    assert.fail(`${what}: ${JSON.stringify(await numbers(page, stream, id))}`);
}

/** Moves the mouse in some steps from where an owner is to a place of the plan, with a button held. */
async function drag(page, [stream, id], [x, y], { button = 'left', steps = 20, shift = false } = {}) {
    const { x_mm, y_mm } = await numbers(page, stream, id);
    const [from, to] = [await onPage(page, x_mm, y_mm), await onPage(page, x, y)];
    if (shift) await page.keyboard.down('Shift');
    await page.mouse.move(from.x, from.y);
    await page.mouse.down({ button });
    await page.mouse.move(to.x, to.y, { steps });
    if (shift) await page.keyboard.up('Shift');
}

const near = (x, y, reach) => ({ x_mm, y_mm }) => Math.hypot(x_mm - x, y_mm - y) < reach;

const run = (name) => JSON.parse(read(name, 'run.json'));

/** Ends a session by Ctrl-C; its folder must be whole, and repeat. */
async function endWhole(session, name) {
    assert.equal(await session.end('SIGINT'), 'SIGINT');
    const record = run(name);
    assert.ok(record.complete && record.steps === record.steps_done);
    execFileSync(SIM_CLI, ['run', join(folder(name), 'scenario.json'), '--out', folder(`${name}-again`), '--overwrite', '-q']);
    assert.equal(run(`${name}-again`).final_state_hash, record.final_state_hash);
}

const checks = {
    async 'a page of robots and feet draws what the session sends'() {
        const session = await start('swarm-30', 'live-hall', '--duration', '1h', '--trace-every', '1');
        const page = await open(session.url);
        await page.waitForFunction(() => Number(document.querySelector('[data-drawn]').dataset.drawn) > 60);
        const before = await numbers(page, 'agents', 3);
        await until(page, ['agents', 3], (now) => now.x_mm !== before.x_mm, 'a robot moves');
        assert.deepEqual(page.complaints, []);
        return { session, page };
    },
    async 'a foot follows the mouse and rests when it is let go'({ page }) {
        // Within the core of the mat, where this scenario's foot may go.
        await drag(page, ['feet', 0], [250, 150]);
        await until(page, ['feet', 0], near(250, 150, 3), 'the foot reaches the pointer');
        await page.mouse.up();
        await until(page, ['feet', 0], ({ vx_mm_s, vy_mm_s }) => vx_mm_s === 0 && vy_mm_s === 0, 'the foot rests');
    },
    async 'the run pauses, makes one step, and begins again'({ page }) {
        const step = () => page.evaluate(() => Number(document.querySelector('.step').textContent.replace('step ', '')));
        await page.click('[data-do="pause"]');
        await page.waitForFunction(() => document.querySelector('[data-do="pause"]').textContent === 'Play');
        await page.waitForTimeout(100);
        const before = await step();
        await page.click('[data-do="+1"]');
        await page.waitForFunction((before) => document.querySelector('.step').textContent === `step ${before + 1}`, before);
        await page.click('[data-do="new"]');
        await page.waitForFunction(() => document.querySelector('.live-words').textContent.includes('run 1'));
        assert.ok(run('live-hall').complete && run('live-hall-2').run_index === 1);
        await page.click('[data-do="pause"]');
        await until(page, ['agents', 0], () => true, 'the next run is drawn');
    },
    async 'two pages look at one run, and one has the controls'({ session, page }) {
        const other = await open(session.url);
        const words = (one) => one.locator('.live-words').textContent();
        await other.waitForFunction(() => document.querySelector('.live-words').textContent.includes('another page has the controls'));
        assert.ok(await other.locator('[data-do="pause"]').isDisabled());
        await other.click('[data-do="ask"]');
        await page.waitForFunction(() => !document.querySelector('[data-do="give"]').hidden);
        await page.click('[data-do="give"]');
        await other.waitForFunction(() => !document.querySelector('[data-do="pause"]').disabled);
        await page.waitForFunction(() => document.querySelector('.live-words').textContent.includes('another page'));
        assert.match(await words(page), /2 pages/);
        await other.close();
        await page.waitForFunction(() => !document.querySelector('[data-do="pause"]').disabled);
    },
    async 'a finger on a phone leads a foot'({ session, page }) {
        await page.close();
        const phone = await open(session.url, { width: 390, height: 844, hasTouch: true });
        await phone.waitForFunction(() => !document.querySelector('[data-do="pause"]').disabled);
        const client = await phone.context().newCDPSession(phone);
        await until(phone, ['feet', 0], () => true, 'feet are there');
        const at = async () => {
            const { x_mm, y_mm } = await numbers(phone, 'feet', 0);
            return onPage(phone, x_mm, y_mm);
        };
        const send = (type, touchPoints) => client.send('Input.dispatchTouchEvent', { type, touchPoints });
        const [from, to] = [await at(), await onPage(phone, 150, 240)];
        await send('touchStart', [{ ...from, id: 1 }]);
        for (let n = 1; n <= 10; n += 1) {
            const share = n / 10;
            await send('touchMove', [{ x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y), id: 1 }]);
        }
        await until(phone, ['feet', 0], near(150, 240, 3), 'the foot reaches the finger');
        await send('touchEnd', []);
        for await (const name of inWindows(phone, ['phone', 'projector'])) await phone.screenshot({ path: join(OUT, `live-${name}.png`) });
        assert.deepEqual(phone.complaints, []);
        await phone.close();
        assert.equal(await session.end('SIGINT'), 'SIGINT');
        assert.ok(existsSync(join(folder('live-hall-2'), 'inputs-feet.csv')));
    },
    async 'a cube is dragged by 100 mm, and its table says so'() {
        const session = await start('cubes-tour', 'live-cubes', '--duration', '1h');
        const page = await open(session.url);
        const { x_mm, y_mm } = await until(page, ['cubes', 0], () => true, 'cubes are there');
        const goal = [x_mm + (x_mm > 150 ? -100 : 100), y_mm];
        await drag(page, ['cubes', 0], goal);
        await until(page, ['cubes', 0], near(...goal, 8), 'the cube reaches the pointer');
        await page.screenshot({ path: join(OUT, 'live-cubes.png') });
        await page.mouse.up();
        await page.waitForTimeout(300);
        return { session, page, goal };
    },
    async 'a cube is lifted by the wheel and set down'({ page }) {
        const { x_mm, y_mm, z_mm } = await numbers(page, 'cubes', 0);
        const at = await onPage(page, x_mm, y_mm);
        await page.mouse.move(at.x, at.y);
        for (let n = 0; n < 4; n += 1) await page.mouse.wheel(0, -100);
        await until(page, ['cubes', 0], (now) => now.z_mm > z_mm + 30, 'the cube is lifted');
        for (let n = 0; n < 4; n += 1) await page.mouse.wheel(0, 100);
        await until(page, ['cubes', 0], (now) => now.z_mm < z_mm + 2, 'the cube is set down');
    },
    async 'a double click taps, the pole stands where the other button says'({ page }) {
        const { x_mm, y_mm } = await numbers(page, 'cubes', 0);
        const at = await onPage(page, x_mm + 6, y_mm);
        await page.mouse.dblclick(at.x, at.y);
        const pole = await onPage(page, 200, 180);
        await page.mouse.click(pole.x, pole.y, { button: 'right' });
        await page.waitForTimeout(600);
        assert.deepEqual(page.complaints, []);
        const all = (await page.evaluate(() => window.drawnIn_ms)).sort((a, b) => a - b);
        console.log(`work on a picture: median ${all[all.length >> 1].toFixed(2)} ms, 99 % below ${all[Math.floor(0.99 * all.length)].toFixed(2)} ms`);
    },
    async 'Ctrl-C leaves a whole folder that repeats the session'({ session, goal }) {
        await endWhole(session, 'live-cubes');
        const rows = table('live-cubes', 'cubes.csv').filter(({ cube }) => cube === '0');
        assert.ok(rows.some(({ x_mm, y_mm }) => near(...goal, 8)({ x_mm: Number(x_mm), y_mm: Number(y_mm) })));
        const hands = table('live-cubes', 'inputs-hands.csv');
        assert.equal(hands.filter(({ does }) => does === 'tap').length, 2);
        const pole = table('live-cubes', 'target.csv').at(-1);
        assert.ok(near(200, 180, 1)({ x_mm: Number(pole.x_mm), y_mm: Number(pole.y_mm) }));
        console.log(session.words().split('\n').slice(1).join('\n'));
    },
};

await runChecks(checks);
