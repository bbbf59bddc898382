// What people do on a live stage, done by a browser without a window, and compared with the tables of the run. Started by replay_page.sh.
// Nothing waits for a time: each check waits for something to be so.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OUT, SIM_CLI, folder, inWindows, openPage, read, runChecks, startSession as start, table } from './browser.mjs';

const PYTHON = process.env.PYTHON ?? 'python3';

/** A card and its Standard ID, 3670016 with the lowest byte first (toio specification, Standard ID). */
const CARD = { at: [480, 380], bytes: '00 00 38 00' };

/** Two cubes and a card. */
const STAGE = {
    name: 'stage',
    world: 'mat',
    duration_s: 3600,
    mat: { width_mm: 600, height_mm: 480, printed: [{ kind: 'simple', x_mm: 300, y_mm: 240 }] },
    feet: { count: 0 },
    patches: { count: 0 },
    agents: { count: 0 },
    cards: [{ item: 'typhoon', x_mm: CARD.at[0], y_mm: CARD.at[1] }],
    cubes: [
        { name: 'ann', at_mm: [150, 140] },
        { name: 'bob', at_mm: [420, 140] },
    ],
};

/** The same with a card, a wall and the mat that can be moved, and a card that begins beside the table. */
const MOVABLE = {
    ...STAGE,
    name: 'things',
    mat: {
        ...STAGE.mat,
        printed: [{ ...STAGE.mat.printed[0], movable: true }],
        walls: [{ from_mm: [280, 250], to_mm: [280, 350], movable: true }],
    },
    cards: [
        { ...STAGE.cards[0], movable: true },
        { item: 'rush', x_mm: 90, y_mm: 400, yaw_deg: 20, away: true },
    ],
};

const open = (url, options = {}) => openPage(url, { dark: true, selector: '[data-drawn]', ...options });

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

/** Pauses the run or lets it go on. */
async function pause(page, on) {
    await page.evaluate((on) => window.live.feed.send({ do: 'pause', on }), on);
    await page.waitForFunction((text) => document.querySelector('[data-do="pause"]').textContent === text, on ? 'Play' : 'Pause');
}

/** Pauses the run and moves the mouse in some steps from where an owner is to a place of the plan, with a button held. */
async function dragPaused(page, [stream, id], [x, y], { button = 'left', steps = 20, shift = false } = {}) {
    await pause(page, true);
    const { x_mm, y_mm } = await numbers(page, stream, id);
    const [from, to] = [await onPage(page, x_mm, y_mm), await onPage(page, x, y)];
    if (shift) await page.keyboard.down('Shift');
    await page.mouse.move(from.x, from.y);
    await page.mouse.down({ button });
    await page.mouse.move(to.x, to.y, { steps });
    if (shift) await page.keyboard.up('Shift');
}

/** The same, and lets the run go on with the button held: what it takes hold of stands still only until then. */
async function drag(page, owner, to, options) {
    await dragPaused(page, owner, to, options);
    await pause(page, false);
}

/** Puts a robot at a place of the plan before any other one moves on. */
async function put(page, robot, to) {
    await dragPaused(page, ['agents', robot], to, { shift: true });
    await page.mouse.up();
    await pause(page, false);
}

/** Has the page note how long it works for each picture: on the frame that came, on drawing, and on what stands beside the picture. */
function timeOwnWork() {
    const { live } = window;
    let work_ms = 0;
    window.own_ms = [];
    const timed = (owner, name, then = () => {}) => {
        const work = owner[name].bind(owner);
        owner[name] = (...given) => {
            const [began_ms, { drawn }] = [performance.now(), live.stage];
            work(...given);
            work_ms += performance.now() - began_ms;
            if (live.stage.drawn !== drawn) then();
        };
    };
    timed(live, 'take');
    timed(live, 'tick');
    timed(live.stage, 'frame', () => {
        window.own_ms.push(work_ms);
        work_ms = 0;
    });
}

/** The most that a part of a pixel's colour changes, of 255, when all that does not move is drawn again. */
const changeIfDrawnAgain = (page) =>
    page.evaluate(() => {
        const { stage } = window.live;
        const images = () => [...document.querySelectorAll('.picture')].map((canvas) => window.imageOf(canvas).data);
        const shown = images();
        for (const { painter } of stage.panes) painter.laidOut = null;
        stage.drawNow();
        return images().reduce((most, data, n) => data.reduce((least, part, at) => Math.max(least, Math.abs(part - shown[n][at])), most), 0);
    });

/** On another canvas edges may be smoothed a little otherwise. */
const SMOOTHING = 24;

/** Ways to look elsewhere, each of which changes the first picture. */
const LOOKS = {
    zoom: (page) =>
        page.evaluate(() => {
            window.live.stage.letGo();
            window.live.stage.panes.forEach(({ view }) => view.zoomAt(view.size.width / 2, view.size.height / 2, 2.5));
        }),
    pan: (page) => page.evaluate(() => window.live.stage.panes.forEach(({ view }) => view.lookAt(view.center.x + view.plane.width / 9, view.center.y))),
    theme: (page) => page.keyboard.press('d'),
    whole: (page) => page.evaluate(() => window.live.stage.panes.forEach(({ view }) => view.whole())),
    layers: (page) => page.evaluate(() => Object.keys(window.live.stage.layers).forEach((layer) => window.live.stage.toggleLayer(layer))),
    size: (page) => page.setViewportSize({ width: 1200, height: 800 }),
};

/** Turns the wheel over a cube, notches down (or up, if negative). */
async function wheel(page, id, notches) {
    await pause(page, true);
    const { x_mm, y_mm } = await numbers(page, 'cubes', id);
    const at = await onPage(page, x_mm, y_mm);
    await page.mouse.move(at.x, at.y);
    for (let n = 0; n < Math.abs(notches); n += 1) await page.mouse.wheel(0, 100 * Math.sign(notches));
    await pause(page, false);
}

/** Lifts a cube and carries it to a place. */
async function carry(page, id, to, height) {
    await wheel(page, id, -height / 10);
    await until(page, ['cubes', id], ({ z_mm }) => z_mm > 0.8 * height, 'the cube is lifted');
    await drag(page, ['cubes', id], to);
    await until(page, ['cubes', id], near(...to, 12), 'the cube is carried');
    await page.mouse.up();
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
        const session = await start('scenarios/swarm-30.json', 'live-hall', '--duration', '1h', '--trace-every', '1');
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
    async 'a robot stands where it is put, and not where that breaks a distance'({ page }) {
        await pause(page, true);
        const others = await Promise.all(Array.from({ length: 30 }, (_, id) => numbers(page, 'agents', id)));
        const foot = await numbers(page, 'feet', 0);
        const isFree = (x, y) =>
            others.every((other, id) => id === 7 || Math.hypot(other.x_mm - x, other.y_mm - y) > 75) &&
            Math.hypot(foot.x_mm - x, foot.y_mm - y) > 130;
        const all = Array.from({ length: 36 * 36 }, (_, n) => [20 + 10 * (n % 36), 20 + 10 * Math.floor(n / 36)]);
        const free = all.find(([x, y]) => isFree(x, y));
        const [blocked, goal] = [[others[8].x_mm, others[8].y_mm], free ?? [others[7].x_mm + 4, others[7].y_mm]];
        for (const to of [blocked, goal]) await put(page, 7, to);
        await page.click('[data-tab="Events"]');
        await page.waitForFunction(() => /agent put refused/.test(document.querySelector('#tab-Events').textContent));
        const words = await page.locator('#tab-Events .event').allTextContents();
        assert.ok(words.some((text) => text.includes('agent put refused') && text.includes('agent 8')), words.join('; '));
    },
    async 'another filter is chosen, and violations are counted where all see them'({ page }) {
        await page.click('[data-tab="Hands"]');
        await page.selectOption('.choice select', 'none');
        await page.waitForFunction(() => /\d+ violations?/.test(document.querySelector('.live-words').textContent), null, { timeout: 120_000 });
        await page.selectOption('.choice select', 'joint');
        await page.screenshot({ path: join(OUT, 'live-filter.png') });
        assert.deepEqual(page.complaints, []);
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
        assert.deepEqual(table('live-hall', 'inputs-filters.csv').map(({ filter }) => filter), ['none', 'joint']);
        assert.ok(table('live-hall', 'events.csv').some(({ kind }) => kind === 'd_r_violation_begin'));
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
        await pause(phone, true);
        const [from, to] = [await at(), await onPage(phone, 150, 240)];
        await send('touchStart', [{ ...from, id: 1 }]);
        await pause(phone, false);
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
    async 'a thumb on a phone steers a car'() {
        const session = await start('scenarios/car-drive.json', 'live-car', '--duration', '1h', '--no-trace');
        const phone = await open(session.url, { width: 390, height: 844, hasTouch: true });
        await phone.waitForFunction(() => !document.querySelector('[data-do="pause"]').disabled);
        const client = await phone.context().newCDPSession(phone);
        const send = (type, touchPoints) => client.send('Input.dispatchTouchEvent', { type, touchPoints });
        const { x_m, yaw_rad } = await until(phone, ['cars', 0], () => true, 'the car is there');
        const { x, y, width, height } = await phone.locator('.pad').boundingBox();
        await send('touchStart', [{ x: x + width / 2, y: y + height / 2, id: 1 }]);
        await send('touchMove', [{ x: x + 0.1 * width, y: y + 0.2 * height, id: 1 }]);
        await until(phone, ['cars', 0], (now) => Math.abs(now.x_m - x_m) > 0.1 && Math.abs(now.yaw_rad - yaw_rad) > 0.05, 'the car drives a curve');
        await phone.screenshot({ path: join(OUT, 'live-car-phone.png') });
        await send('touchEnd', []);
        await until(phone, ['cars', 0], ({ speed_m_s }) => Math.abs(speed_m_s) < 0.02, 'the car stops');
        assert.deepEqual(phone.complaints, []);
        await phone.close();
        assert.equal(await session.end('SIGINT'), 'SIGINT');
        const commands = table('live-car', 'inputs-commands.csv');
        assert.ok(commands.length >= 2, 'it was driven by rows');
    },
    async 'a second finger lifts the cube that the first one holds'() {
        writeFileSync(join(OUT, 'stage.json'), JSON.stringify(STAGE));
        const session = await start(join(OUT, 'stage.json'), 'live-fingers', '--duration', '1h', '--no-trace');
        const phone = await open(session.url, { width: 390, height: 844, hasTouch: true });
        await phone.waitForFunction(() => !document.querySelector('[data-do="pause"]').disabled);
        const client = await phone.context().newCDPSession(phone);
        const send = (type, touchPoints) => client.send('Input.dispatchTouchEvent', { type, touchPoints });
        const { x_mm, y_mm } = await until(phone, ['cubes', 1], () => true, 'the cube is there');
        const [first, second] = [await onPage(phone, x_mm, y_mm), await onPage(phone, 300, 380)];
        const fingers = (up) => [
            { ...first, id: 1 },
            { x: second.x, y: second.y - up, id: 2 },
        ];
        await send('touchStart', fingers(0).slice(0, 1));
        await send('touchStart', fingers(0));
        // A notch is 24 pixels and 10 mm.
        await send('touchMove', fingers(100));
        await until(phone, ['cubes', 1], ({ z_mm }) => z_mm > 36 && z_mm < 44, 'the cube is lifted by four notches');
        await send('touchMove', fingers(-20));
        await until(phone, ['cubes', 1], ({ z_mm }) => z_mm < 1, 'the cube is set down');
        await send('touchEnd', []);
        assert.deepEqual(phone.complaints, []);
        await phone.close();
        assert.equal(await session.end('SIGINT'), 'SIGINT');
    },
    async 'a cube is dragged by 100 mm, and its table says so'() {
        writeFileSync(join(OUT, 'stage.json'), JSON.stringify(STAGE));
        const session = await start(join(OUT, 'stage.json'), 'live-cubes', '--duration', '1h');
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
    async 'a cube that is carried onto a card reads it'({ page }) {
        await carry(page, 0, CARD.at, 40);
        await until(page, ['cubes', 0], near(...CARD.at, 12), 'the cube is over the card');
        await wheel(page, 0, 4);
        await until(page, ['cubes', 0], ({ z_mm }) => z_mm < 2, 'the cube is set down');
    },
    async 'the pane of messages shows those of the cube that is followed'({ page }) {
        await page.click('[data-tab="Messages"]');
        await page.evaluate(() => window.live.stage.follow({ stream: 'cubes', place: 0 }));
        const first = page.locator('#tab-Messages .event').first();
        await first.waitFor();
        await page.waitForFunction(() => [...document.querySelectorAll('#tab-Messages .event')].every((row) => row.textContent.includes('ann')));
        // Words and bytes.
        await page.waitForFunction(() => /[0-9a-f]{2} [0-9a-f]{2}/.test(document.querySelector('#tab-Messages').textContent));
        await page.screenshot({ path: join(OUT, 'live-messages.png') });
    },
    async 'plots go along with the run'({ page }) {
        const values = () => page.locator('.plots output').allTextContents();
        await page.waitForFunction(() => [...document.querySelectorAll('.plots output')].every(({ textContent }) => /\d/.test(textContent)));
        assert.ok((await values()).length >= 3);
    },
    async 'a double click taps, the pole stands where the other button says, and a program reads its place'({ session, page }) {
        const program = spawn(PYTHON, ['examples/live/pole.py', session.url]);
        let said = '';
        program.stdout.on('data', (part) => (said += part));
        await pause(page, true);
        const { x_mm, y_mm } = await numbers(page, 'cubes', 0);
        const at = await onPage(page, x_mm + 6, y_mm);
        await pause(page, false);
        await page.mouse.dblclick(at.x, at.y);
        const pole = await onPage(page, 200, 180);
        await page.mouse.click(pole.x, pole.y, { button: 'right' });
        for (let tries = 0; tries < 500 && !said.includes('pole at'); tries += 1) await page.waitForTimeout(20);
        const [, x, y] = /pole at ([\d.]+) ([\d.]+) mm/.exec(said) ?? assert.fail(`the program reads ${said}`);
        assert.ok(near(200, 180, 1)({ x_mm: Number(x), y_mm: Number(y) }), said);
        program.kill();
        await until(page, ['target', 0], near(200, 180, 1), 'the page draws the pole');
        await page.waitForTimeout(600);
        await page.screenshot({ path: join(OUT, 'live-pole.png') });
        assert.deepEqual(page.complaints, []);
    },
    async 'a cube is taken away by a key, and brought back by a list'({ page }) {
        await pause(page, true);
        const { x_mm, y_mm } = await numbers(page, 'cubes', 1);
        const at = await onPage(page, x_mm - 8, y_mm);
        await page.mouse.click(at.x, at.y);
        await pause(page, false);
        await page.keyboard.press('t');
        for (let tries = 0; tries < 500 && (await numbers(page, 'cubes', 1)); tries += 1) await page.waitForTimeout(20);
        assert.equal(await numbers(page, 'cubes', 1), null);
        await page.screenshot({ path: join(OUT, 'live-away.png') });
        await page.click('[data-tab="Hands"]');
        await page.selectOption('select[aria-label*="bring"]', 'bob');
        await until(page, ['cubes', 1], near(x_mm, y_mm, 1), 'the cube is back');
        assert.deepEqual(page.complaints, []);
    },
    async 'Ctrl-C leaves a whole folder that repeats the session'({ session, goal }) {
        await endWhole(session, 'live-cubes');
        const rows = table('live-cubes', 'cubes.csv').filter(({ cube }) => cube === '0');
        assert.ok(rows.some(({ x_mm, y_mm }) => near(...goal, 8)({ x_mm: Number(x_mm), y_mm: Number(y_mm) })));
        // Messages are read by their first columns: meanings have commas.
        const messages = table('live-cubes', 'messages.csv').filter(({ cube, dir }) => cube === '0' && dir === 'notify');
        const ids = messages.filter(({ characteristic, hex }) => characteristic === '101' && hex.startsWith(`02 ${CARD.bytes}`));
        assert.ok(ids.length > 0, 'the Standard ID of the card came');
        // Motion detection, toio specification: byte 0 is 1, byte 3 is 1 at a double tap.
        const taps = messages.filter(({ characteristic, hex }) => characteristic === '106' && /^01 .. .. 01/.test(hex));
        assert.ok(taps.length > 0, 'the double tap came');
        const hands = table('live-cubes', 'inputs-hands.csv');
        assert.equal(hands.filter(({ does }) => does === 'tap').length, 2);
        const pole = table('live-cubes', 'target.csv').at(-1);
        assert.ok(near(200, 180, 1)({ x_mm: Number(pole.x_mm), y_mm: Number(pole.y_mm) }));
        console.log(session.words().split('\n').slice(1).join('\n'));
    },
    async 'a card is laid under a cube, which reads it'() {
        writeFileSync(join(OUT, 'things.json'), JSON.stringify(MOVABLE));
        const session = await start(join(OUT, 'things.json'), 'live-things', '--duration', '1h');
        const page = await open(session.url);
        const ann = await until(page, ['cubes', 0], ({ mat_x }) => mat_x > 0, 'a cube reads the mat');
        await drag(page, ['cards', 0], [ann.x_mm + 5, ann.y_mm + 5], { shift: true });
        await page.screenshot({ path: join(OUT, 'live-ghost.png') });
        await page.mouse.up();
        await until(page, ['cubes', 0], ({ card }) => card === 'Typhoon', 'the cube reads the card');
        // In the list of cubes, as the place of the other one.
        await page.waitForFunction(() => /card Typhoon/.test(document.body.textContent) && !/reads nothing|card –/.test(document.body.textContent));
        assert.ok(near(ann.x_mm + 5, ann.y_mm + 5, 1)(await numbers(page, 'cards', 0)));
        return { session, page };
    },
    async 'a wall is put beside a cube, and not in it'({ page }) {
        const bob = await numbers(page, 'cubes', 1);
        await drag(page, ['walls', 0], [bob.x_mm, bob.y_mm], { shift: true }).then(() => page.mouse.up());
        await page.click('[data-tab="Events"]');
        await page.waitForFunction(() => /wall put refused/.test(document.querySelector('#tab-Events').textContent));
        const words = await page.locator('#tab-Events .event').allTextContents();
        assert.ok(words.some((text) => text.includes('wall put refused') && text.includes('bob')), words.join('; '));
        assert.ok(near(280, 300, 1e-6)(await numbers(page, 'walls', 0)), 'it stays where it was');
        await drag(page, ['walls', 0], [bob.x_mm + 60, bob.y_mm], { shift: true }).then(() => page.mouse.up());
        await until(page, ['walls', 0], near(bob.x_mm + 60, bob.y_mm, 1), 'the wall stands there');
    },
    async 'a thing is taken hold of wherever its outline is, and cubes before it'({ page }) {
        await pause(page, true);
        // On the mat and on nothing else, 200 mm from its middle; then on a cube, which is pushed.
        const [from, to] = [await onPage(page, 480, 330), await onPage(page, 495, 345)];
        await page.keyboard.down('Shift');
        await page.mouse.move(from.x, from.y);
        await page.mouse.down();
        await page.mouse.move(to.x, to.y, { steps: 5 });
        await page.keyboard.up('Shift');
        await page.mouse.up();
        await pause(page, false);
        await until(page, ['mats', 0], near(315, 255, 1), 'the mat lies there');
        const { x_mm } = await numbers(page, 'cubes', 0);
        await drag(page, ['cubes', 0], [200, 400], { shift: true });
        await until(page, ['cubes', 0], (now) => Math.abs(now.x_mm - x_mm) > 1 || now.y_mm > 150, 'the cube is pushed');
        await page.mouse.up();
    },
    async 'what is away is brought, and taken again, by a list'({ page }) {
        await page.click('[data-tab="Hands"]');
        const list = 'select[aria-label="card 1, Rush: lay it, or take it away"]';
        assert.equal(await page.locator(list).inputValue(), 'take');
        await page.selectOption(list, 'lay');
        await until(page, ['cards', 1], near(90, 400, 1), 'the card lies there');
        await page.screenshot({ path: join(OUT, 'live-things.png') });
        await page.selectOption(list, 'take');
        for (let tries = 0; tries < 500 && (await numbers(page, 'cards', 1)); tries += 1) await page.waitForTimeout(20);
        assert.equal(await numbers(page, 'cards', 1), null);
        assert.deepEqual(page.complaints, []);
    },
    async 'the folder of a session with things that moved repeats it'({ session }) {
        await endWhole(session, 'live-things');
        const kinds = table('live-things', 'events.csv').map(({ kind }) => kind);
        for (const kind of ['card_laid', 'card_taken', 'wall_put', 'wall_put_refused', 'mat_laid']) assert.ok(kinds.includes(kind), kind);
    },
    async 'what does not move looks as if it were drawn again, wherever the page looks'() {
        for (const name of ['swarm-30-cubes', 'car-traffic', 'sea-fleet']) {
            const session = await start(`scenarios/${name}.json`, `live-looks-${name}`, '--duration', '1h', '--no-trace');
            const page = await open(session.url);
            await pause(page, true);
            for (const [look, change] of Object.entries(LOOKS)) {
                const before = await page.evaluate(() => document.querySelector('.picture').toDataURL());
                await change(page);
                await page.waitForFunction((before) => document.querySelector('.picture').toDataURL() !== before, before);
                await page.waitForTimeout(150);
                const most = await changeIfDrawnAgain(page);
                assert.ok(most <= SMOOTHING, `${name}, ${look}: changes by ${most}`);
            }
            assert.deepEqual(page.complaints, []);
            await page.close();
            assert.equal(await session.end('SIGINT'), 'SIGINT');
        }
    },
    async 'thirty cubes are drawn, and the time of a picture is said'() {
        const session = await start('scenarios/swarm-30-cubes.json', 'live-thirty', '--duration', '1h', '--no-trace');
        const page = await open(session.url);
        await page.evaluate(timeOwnWork);
        // The first ones are drawn by code that the browser has not compiled yet.
        await page.waitForFunction(() => window.own_ms.length >= 420, null, { timeout: 240_000 });
        const all = (await page.evaluate(() => window.own_ms.slice(120))).sort((a, b) => a - b);
        const share = (part) => all[Math.floor(part * (all.length - 1))].toFixed(2);
        console.log(`work on a picture of 30 cubes: median ${share(0.5)} ms, 95 % below ${share(0.95)} ms, of ${all.length}`);
        await page.screenshot({ path: join(OUT, 'live-thirty.png') });
        assert.deepEqual(page.complaints, []);
        await page.close();
        assert.equal(await session.end('SIGINT'), 'SIGINT');
    },
};

await runChecks(checks);
