// What a person does with a replay page, done by a browser without a window, and compared with the tables. Started by replay_page.sh.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OUT, SIM_CLI, folder, inWindows, openPage, read, runChecks, table, text, timePictures } from './browser.mjs';

// Of the ten-minute run with 30 robots. Two slow cores take about 1.2 s and draw at 60 frames a second.
const LOAD_LIMIT_MS = 8000;
const FRAMES_A_SECOND = 30;
const PAGE_LIMIT_BYTES = 6e6;

const simCli = (...args) => execFileSync(SIM_CLI, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** Makes a run and its page. */
function run(name, ...flags) {
    simCli('run', `scenarios/${name}.json`, '--out', folder(name), '-q', ...flags);
    return replay(name);
}

function replay(name) {
    simCli('replay', folder(name), '--overwrite');
    return join(folder(name), 'replay.html');
}

/** Opens a page and records its complaints. */
const open = (file, options = {}) => openPage(file, { dark: true, selector: '[data-drawn]', prepare: timePictures, ...options });

/** Has each picture note the grounds of its labels: left, top, width and height. Boxes of bodies are drawn in axes of their own. */
const noteLabels = (page) =>
    page.addInitScript(() => {
        const { clearRect, roundRect } = CanvasRenderingContext2D.prototype;
        CanvasRenderingContext2D.prototype.clearRect = function (...box) {
            this.labels = [];
            clearRect.apply(this, box);
        };
        CanvasRenderingContext2D.prototype.roundRect = function (...box) {
            const { a, e } = this.getTransform();
            if (a === 1 && e === 0) this.labels.push(box.slice(0, 4));
            roundRect.apply(this, box);
        };
    });

/** Grounds of the labels of each picture. */
const labelsOf = (page) => page.locator('.picture').evaluateAll((all) => all.map((canvas) => canvas.getContext('2d').labels));

/** True if two boxes have a place in common. */
const overlap = ([x, y, width, height], [left, top, wide, high]) =>
    Math.min(x + width, left + wide) - Math.max(x, left) > 1e-3 && Math.min(y + height, top + high) - Math.max(y, top) > 1e-3;

/** One picture later. */
const settle = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const picture = (page) => page.evaluate(() => document.querySelector('.picture').toDataURL());
const stepShown = async (page) => Number((await text(page, '.step')).replace('step ', ''));

async function scrubTo(page, time_s) {
    await page.locator('.scrub').evaluate((scrub, value) => {
        scrub.value = value;
        scrub.dispatchEvent(new Event('input'));
    }, String(time_s));
    await settle(page);
}

/** Where the whole mat shows a place of a mat with this side, in pixels of the canvas. */
async function pixelOf(page, side_mm, x_mm, y_mm) {
    const { width, height } = await page.locator('.picture').boundingBox();
    const scale = (0.89 * Math.min(width, height)) / side_mm;
    return { x: width / 2 + (x_mm - side_mm / 2) * scale, y: height / 2 + (y_mm - side_mm / 2) * scale };
}

/** How many pixels of the picture have a colour. */
const pixelsLike = (page, wanted) =>
    page.evaluate((rgb) => {
        const { data } = window.imageOf(document.querySelector('.picture'));
        let count = 0;
        for (let at = 0; at < data.length; at += 4) if (rgb.every((part, n) => Math.abs(data[at + n] - part) < 8)) count += 1;
        return count;
    }, wanted);

/** The colour of a pixel of one of the pictures. */
const pixelOfCanvas = (page, n, place) =>
    page.evaluate(
        ({ n, x, y }) => {
            const canvas = document.querySelectorAll('.picture')[n];
            const ratio = canvas.width / canvas.clientWidth;
            const copy = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
            const context = copy.getContext('2d');
            context.drawImage(canvas, -Math.floor(x * ratio), -Math.floor(y * ratio));
            return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
        },
        { n, ...place },
    );

/** Middle of what has a colour in one of the pictures, in its pixels. */
const middleOf = (page, n, wanted) =>
    page.evaluate(
        ({ n, rgb }) => {
            const { data, width } = window.imageOf(document.querySelectorAll('.picture')[n]);
            const places = [];
            for (let at = 0; at < data.length; at += 4) {
                if (rgb.every((part, n) => Math.abs(data[at + n] - part) < 8)) places.push([(at / 4) % width, Math.floor(at / 4 / width)]);
            }
            return [0, 1].map((axis) => {
                const ends = places.map((place) => place[axis]);
                return (Math.min(...ends) + Math.max(...ends)) / 2;
            });
        },
        { n, rgb: wanted },
    );

/** The most that places lie off the best straight line over pixels, in pixels, and its slope. */
function straightness(pairs) {
    const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const [at, pixel] = [0, 1].map((n) => mean(pairs.map((pair) => pair[n])));
    const slope = mean(pairs.map(([x, p]) => (x - at) * (p - pixel))) / mean(pairs.map(([x]) => (x - at) ** 2));
    return { slope, off_px: Math.max(...pairs.map(([x, p]) => Math.abs(p - pixel - slope * (x - at)))) };
}

/** Cells of a row in which texts may stand in quotes. */
const csvCells = (line) => [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell]) => cell.replace(/^"|"$/g, '').replaceAll('""', '"'));

/** Gives the view of a run of cubes a side, with a scale of its own, cubes of 24 mm in a colour, and ground under them. */
function withSide(name, rgb) {
    const path = join(folder(name), 'view.json');
    const view = JSON.parse(readFileSync(path, 'utf8'));
    const [[left], [right]] = view.projections[0].area.fixed;
    const area = [
        [left, -80],
        [right, 120],
    ];
    view.projections.push({ name: 'side', axes: ['x', 'z'], is_up: true, area: { fixed: area, holds: [], margin: [0, 0] }, height: 0.4 });
    const tint = (color) => ({ color, alpha: 1, by: null });
    const mark = (draw, of = null) => ({ layer: null, key: null, of, owners: [], when: [], from: null, draw });
    const hull = [-1, 1].flatMap((x) => [-1, 1].map((y) => [15.9 * x, 15.9 * x * y]));
    const part = { shape: { prism: [hull, [0, 24]] }, ink: { fill: tint({ rgb }), line: null }, alarm: null, turn: null, when: [] };
    const raster = {
        name: 'ground',
        from: [left, -10000],
        step: [right - left, 20000],
        columns: 2,
        values: [-20, -60, -20, -60],
        range: [-60, -20],
        colors: ['warm', 'cool'],
        words: ['ground, mm', 'deep', 'shallow'],
        ground: { fill: tint('solid'), line: { tint: tint('ink'), width: { px: 1 }, dash: null } },
    };
    const line = { tint: tint('alarm'), width: { px: 2 }, dash: null };
    const points = { places: [[left, 0, 100], [right, 0, 100]], radius: [0, 0.4], ink: { fill: tint('cool'), line: null }, line };
    view.marks.splice(1, 0, { ...mark({ raster }), projections: ['side'] });
    view.marks.push(mark({ profile: { raster: 'ground', line } }, 'cubes'), mark({ points }));
    view.marks.push({ ...mark({ body: { parts: [part], has_finder: false, shadow: null } }, 'cubes'), projections: ['side'] });
    writeFileSync(path, JSON.stringify(view));
    return { view, area };
}

/** Plots say what was read last: two decimals of numbers that the page holds with three. */
async function assertPlotted(page, plots) {
    for (const [title, wanted] of Object.entries(plots)) {
        const figure = page.locator('.plot').filter({ has: page.locator(`canvas[aria-label="${title}"]`) });
        const said = (await figure.locator('.plot-value').textContent()).split(' ').slice(0, wanted.length).map(Number);
        wanted.forEach((number, n) => {
            assert.ok(Math.abs(said[n] - Number(number)) <= 5.5e-3 + 1e-9, `${title}: ${said[n]}, in the table ${number}`);
        });
    }
}

const checks = {
    async 'a ten-minute run loads, without a complaint, in a small file'() {
        const file = run('swarm-30');
        assert.ok(statSync(file).size < PAGE_LIMIT_BYTES, `${statSync(file).size} bytes`);
        const began = Date.now();
        const page = await open(file);
        const took_ms = Date.now() - began;
        console.log(`    loaded in ${took_ms} ms`);
        assert.ok(took_ms < LOAD_LIMIT_MS, `${took_ms} ms`);
        assert.equal(await page.title(), 'swarm-30');
        const facts = await text(page, '.facts');
        const record = JSON.parse(readFileSync(join(folder('swarm-30'), 'run.json'), 'utf8'));
        for (const fact of [record.final_state_hash, record.version, `seed${record.seed}`]) assert.ok(facts.includes(fact), facts);
        return page;
    },

    async 'it plays, pauses, steps, loops and changes its speed, by buttons and by keys'(page) {
        const time = async () => Number(await page.locator('.scrub').inputValue());
        await page.click('[data-do=play]');
        await page.waitForFunction(() => Number(document.querySelector('.scrub').value) > 0.5);
        await page.keyboard.press('Escape');
        await page.locator('.picture').focus();
        await page.keyboard.press(' ');
        const paused = await time();
        await page.waitForTimeout(200);
        assert.equal(await time(), paused);
        await scrubTo(page, 30);
        await page.keyboard.press('ArrowRight');
        await settle(page);
        assert.equal(await stepShown(page), 1806);
        await page.click('[data-do=back]');
        await page.click('[data-do=back]');
        await settle(page);
        assert.equal(await stepShown(page), 1794);
        const speed = page.locator('select[aria-label=Speed]');
        await page.keyboard.press('+');
        assert.equal(await speed.inputValue(), '2');
        await page.keyboard.press('-');
        await page.keyboard.press('-');
        assert.equal(await speed.inputValue(), '0.5');
        await speed.selectOption('50');
        await page.keyboard.press('o');
        await scrubTo(page, 599.5);
        await page.locator('.picture').focus();
        await page.keyboard.press(' ');
        await page.waitForFunction(() => Number(document.querySelector('.scrub').value) < 300);
        await page.keyboard.press(' ');
        await page.keyboard.press('o');
        await speed.selectOption('1');
        await page.keyboard.press('?');
        assert.ok(await page.locator('dialog.help').isVisible());
        await page.keyboard.press('?');
    },

    async 'a step shows the numbers of its rows'(page) {
        const decimals = { x_mm: 2, y_mm: 2, heading_rad: 3, speed_mm_s: 1, omega_rad_s: 3, vx_mm_s: 1, vy_mm_s: 1 };
        Object.assign(decimals, { wish_x_mm_s: 1, wish_y_mm_s: 1, nearest_agent_mm: 2, nearest_foot_mm: 2 });
        const rows = table('swarm-30', 'agents.csv');
        for (const [step, robot] of [
            [0, 0],
            [5004, 7],
            [36000, 29],
        ]) {
            await scrubTo(page, step / 60);
            assert.equal(await stepShown(page), step);
            await page.locator('select[aria-label=Follow]').selectOption(`robot ${robot}`);
            await settle(page);
            const row = rows.find((one) => one.step === String(step) && one.agent === String(robot));
            for (const [column, places] of Object.entries(decimals)) {
                const shown = await text(page, `.numbers [data-column=${column}]`);
                assert.match(shown, new RegExp(`^-?\\d+${places ? `\\.\\d{${places}}` : ''}$`));
                const off = Math.abs(Number(shown) - Number(row[column]));
                assert.ok(
                    off <= 0.5 * 10 ** -places + 1e-9,
                    `step ${step}, robot ${robot}, ${column}: ${shown}, in the table ${row[column]}`,
                );
            }
        }
        const now = rows.filter(({ step }) => step === '36000').map((row) => Number(row.nearest_agent_mm));
        assert.equal(await text(page, '.plot-value[data-column=nearest_agent_mm]'), `${Math.min(...now).toFixed(2)} mm`);
        await page.keyboard.press('Escape');
    },

    async 'a click on a robot, or on a foot, follows it'(page) {
        await scrubTo(page, 83.4);
        const robot = table('swarm-30', 'agents.csv').find(({ step, agent }) => step === '5004' && agent === '12');
        await page.locator('.picture').click({ position: await pixelOf(page, 400, Number(robot.x_mm), Number(robot.y_mm)) });
        await settle(page);
        assert.equal(await page.locator('select[aria-label=Follow]').inputValue(), 'robot 12');
        const foot = table('swarm-30', 'feet.csv').find(({ step }) => step === '5004');
        await page.locator('.picture').click({ position: await pixelOf(page, 400, Number(foot.x_mm), Number(foot.y_mm)) });
        await settle(page);
        assert.equal(await page.locator('select[aria-label=Follow]').inputValue(), 'foot 0');
        assert.equal(await text(page, 'select[aria-label=Follow] option:checked'), 'foot 0');
        assert.equal(await text(page, '.numbers [data-column=state]'), foot.state);
        await page.locator('.picture').focus();
        await page.keyboard.press('f');
        await settle(page);
        assert.equal(await page.locator('select[aria-label=Follow]').inputValue(), 'robot 0');
        await page.keyboard.press('Escape');
        await settle(page);
    },

    async 'each layer changes the picture, and back'(page) {
        await scrubTo(page, 100.4);
        const whole = await picture(page);
        for (const button of await page.locator('[data-layer]:not([hidden])').all()) {
            const layer = await button.getAttribute('data-layer');
            await button.click();
            await settle(page);
            assert.notEqual(await picture(page), whole, `${layer} off changes nothing`);
            await button.click();
            await settle(page);
            assert.equal(await picture(page), whole, `${layer} on again is not the same`);
        }
        // Nine on the mat, of which trails and wishes are off at first.
        assert.equal(await page.locator('[data-layer]:not([hidden])').count(), 9);
        assert.equal(await page.locator('[data-layer]:not([hidden])[aria-pressed=true]').count(), 7);
    },

    async 'two fingers zoom into the place between them and move the mat'(page) {
        // The moment at which a robot is nearest to the middle of the mat: it stays in a picture enlarged three times.
        const off_mm = ({ x_mm, y_mm }) => Math.hypot(Number(x_mm) - 200, Number(y_mm) - 200);
        const rows = table('swarm-30', 'agents.csv');
        const robot = rows.reduce((nearest, row) => (off_mm(row) < off_mm(nearest) ? row : nearest));
        await scrubTo(page, Number(robot.time_s));
        const whole = await picture(page);
        const box = await page.locator('.picture').boundingBox();
        const touch = await page.context().newCDPSession(page);
        const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
        const fingers = (type, apart, aside = 0) => {
            const both = [-1, 1].map((side, id) => ({ x: middle.x + aside + side * apart, y: middle.y, id }));
            return touch.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : both });
        };
        await fingers('touchStart', 40);
        for (const apart of [60, 80, 100, 120]) await fingers('touchMove', apart);
        await settle(page);
        const zoomed = await picture(page);
        assert.notEqual(zoomed, whole, 'a pinch does not zoom');
        for (const aside of [10, 20, 30]) await fingers('touchMove', 120, aside);
        await settle(page);
        assert.notEqual(await picture(page), zoomed, 'two fingers do not move the mat');
        await fingers('touchEnd');
        // Three times nearer, 30 px to the right: a tap on a robot finds it there.
        const flat = await pixelOf(page, 400, Number(robot.x_mm), Number(robot.y_mm));
        const at = { x: middle.x + 30 + 3 * (box.x + flat.x - middle.x), y: middle.y + 3 * (box.y + flat.y - middle.y) };
        await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] });
        await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
        await settle(page);
        assert.equal(await page.locator('select[aria-label=Follow]').inputValue(), `robot ${robot.agent}`);
        await page.locator('.picture').focus();
        await page.keyboard.press('Escape');
        await page.keyboard.press('0');
        await settle(page);
        assert.equal(await picture(page), whole);
    },

    async 'wheel and drag move the mat, and 0 brings it back'(page) {
        const whole = await picture(page);
        const box = await page.locator('.picture').boundingBox();
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
        await page.mouse.wheel(0, -400);
        await settle(page);
        const near = await picture(page);
        assert.notEqual(near, whole);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width / 2 + 60, box.y + box.height / 2 + 40, { steps: 4 });
        await page.mouse.up();
        await settle(page);
        assert.notEqual(await picture(page), near);
        await page.locator('.picture').focus();
        await page.keyboard.press('0');
        await settle(page);
        assert.equal(await picture(page), whole);
    },

    async 'plots, events, measures and scenario lead where they say'(page) {
        const plot = await page.locator('.plot-canvas').first().boundingBox();
        await page.mouse.click(plot.x + plot.width / 2, plot.y + plot.height / 2);
        const time_s = Number(await page.locator('.scrub').inputValue());
        assert.ok(Math.abs(time_s - 300) < 30, `${time_s} s`);
        await page.click('[data-tab=Events]');
        const roams = table('swarm-30', 'events.csv').filter(({ kind }) => kind === 'foot_phase');
        await page.locator('select[aria-label="Kind of event"]').selectOption('foot_phase');
        await page.locator('.event').nth(1).click();
        await settle(page);
        assert.equal(await stepShown(page), 6 * Math.floor(Number(roams[1].step) / 6));
        await page.click('[data-tab=Acceptance]');
        const judgedRow = async (title) => page.locator('.measures tr', { has: page.locator(`[title=${title}]`) }).first().textContent();
        assert.match(await judgedRow('min_robot_robot_mm'), /at least 60 mm$/);
        assert.match(await judgedRow('speed_max_mm_s'), /at most 252 mm\/s$/);
        const summary = table('swarm-30', 'summary.csv');
        const judged = summary.filter(({ limit, ok }) => limit || ok);
        assert.equal(await page.locator('.measures:visible tbody').first().locator('tr').count(), judged.length);
        const nearest = summary.find(({ metric }) => metric === 'min_robot_robot_mm');
        const cell = page.locator('.measures:visible tr', { hasText: 'min robot robot mm' }).locator('.number').first();
        assert.equal(await cell.textContent(), `${Number(nearest.value).toFixed(2)} mm`);
        await page.click('[data-tab=Scenario]');
        await page.locator('input[type=search]').fill('d_h_mm');
        assert.match(await text(page, '.scenario dl'), /d_h_mm\s*100/);
        await page.click('[data-tab=Numbers]');
    },

    async 'it follows the size of the window and the choice of dark or light'(page) {
        for await (const name of inWindows(page, ['projector', 'phone', 'desktop'])) {
            const [wide, shown] = await page.locator('.picture').evaluate((canvas) => [canvas.width, canvas.clientWidth]);
            assert.equal(wide, shown, `${name}: the picture has the size of its place`);
            for (const theme of ['dark', 'light']) {
                assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), theme);
                await page.screenshot({ path: join(OUT, `${name}-${theme}.png`), fullPage: name === 'phone' });
                await page.locator('.picture').focus();
                await page.keyboard.press('d');
                await settle(page);
            }
        }
    },

    async 'it draws at least 30 frames a second'(page) {
        await scrubTo(page, 10);
        await page.evaluate(() => (window.drawnIn_ms = []));
        await page.click('[data-do=play]');
        const rates = [];
        const drawn = () => page.evaluate(() => [performance.now(), Number(document.querySelector('.stage').dataset.drawn)]);
        // Other work on the machine may disturb a second of five.
        for (let second = 0; second < 5; second += 1) {
            const [begin_ms, begin] = await drawn();
            await page.waitForTimeout(1000);
            const [end_ms, end] = await drawn();
            rates.push((1000 * (end - begin)) / (end_ms - begin_ms));
        }
        const took_ms = (await page.evaluate(() => window.drawnIn_ms)).sort((a, b) => a - b);
        const share = (part) => took_ms[Math.floor(part * (took_ms.length - 1))].toFixed(1);
        console.log(`    frames a second: ${rates.map((rate) => rate.toFixed(0)).join(', ')}`);
        console.log(`    work on a frame: ${share(0.5)} ms, 99 % below ${share(0.99)} ms`);
        assert.ok(Math.max(...rates) >= FRAMES_A_SECOND, String(rates));
        assert.ok(Number(share(0.5)) < 1000 / FRAMES_A_SECOND, `${share(0.5)} ms a frame`);
        assert.deepEqual(page.complaints, []);
        await page.close();
    },

    async 'violations are said and marked'() {
        const page = await open(run('baseline-penalty', '--steps', '3600'));
        const [first] = table('baseline-penalty', 'events.csv').filter(({ kind }) => kind.startsWith('d_r_violation_begin'));
        await scrubTo(page, Number(first.time_s));
        assert.match(await text(page, '.banner'), /Too near/);
        assert.ok(await page.locator('.banner').isVisible());
        // Between rows too, the party that the event names is marked.
        const [robot, other] = [first.subject, first.object].map((who) => who.replace('agent', 'robot'));
        assert.match(await text(page, '.banner'), new RegExp(`${robot} – ${other}, (down to )?\\d+\\.\\d mm`));
        assert.match(await text(page, '.verdict'), /not kept/);
        assert.ok((await page.locator('.marks i').count()) > 0);
        await page.click('[data-tab=Events]');
        const rows = table('baseline-penalty', 'events.csv').length;
        assert.ok(rows > 200 && (await page.locator('.event').count()) < 60, 'only events in sight are there');
        await page.screenshot({ path: join(OUT, 'violations.png') });
        assert.deepEqual(page.complaints, []);
        await page.close();
    },

    async 'a violation between two rows is shown for a moment'() {
        run('swarm-10', '--steps', '600');
        cpSync(folder('swarm-10'), folder('between'), { recursive: true });
        const events = join(folder('between'), 'events.csv');
        const [pair, begin_s, end_s] = ['agent 3,foot 0', 121 / 60, 123 / 60];
        const lines = `121,${begin_s},d_h_violation_begin,${pair},99.5,mm\n123,${end_s},d_h_violation_end,${pair},1.25,mm\n`;
        writeFileSync(events, readFileSync(events, 'utf8') + lines);
        const page = await open(replay('between'));
        const reds = () => pixelsLike(page, [255, 46, 136]);
        const seen = {};
        for (const [name, time_s] of [
            ['before', 2],
            ['within', 122 / 60],
            ['after', 2.4],
            ['later', 2.7],
        ]) {
            await scrubTo(page, time_s);
            seen[name] = { reds: await reds(), banner: (await page.locator('.banner').isVisible()) ? await text(page, '.banner') : '' };
        }
        assert.deepEqual(seen.before, { reds: 0, banner: '' });
        assert.equal(seen.within.banner, 'Too near: robot 3 – foot 0, down to 98.8 mm');
        assert.equal(seen.after.banner, 'Too near just now: robot 3 – foot 0, down to 98.8 mm');
        assert.deepEqual(seen.later, { reds: 0, banner: '' });
        // Its frame alone is four times 500 px long and 5 px wide.
        assert.ok(seen.within.reds > 8000 && seen.after.reds > 8000, JSON.stringify(seen));
        assert.equal(await page.locator('.marks i').count(), 1);
        await scrubTo(page, 122 / 60);
        await page.screenshot({ path: join(OUT, 'between-rows.png') });
        assert.deepEqual(page.complaints, []);
        await page.close();
    },

    async 'cubes show their lamp'() {
        const page = await open(run('cubes-tour'));
        const lit = table('cubes-tour', 'cubes.csv').find((row) => row.led_r === '0' && row.led_g === '255' && row.led_b === '0');
        await scrubTo(page, Number(lit.time_s));
        const greens = await pixelsLike(page, [0, 255, 0]);
        assert.ok(greens > 20, `${greens} green pixels`);
        await page.screenshot({ path: join(OUT, 'cubes.png') });
        assert.deepEqual(page.complaints, []);
        await page.close();
    },

    async 'plots are drawn whole, however many pixels a row has'() {
        const page = await open(replay('cubes-tour'));
        // The first plot has a value in every row, of which there are 241: its curve has a pixel in every column.
        for (const width of [900, 1000, 1100, 1200, 1300, 1400, 1500, 1600]) {
            await page.setViewportSize({ width, height: 900 });
            await page.waitForTimeout(150);
            await scrubTo(page, 0);
            const gaps = await page.evaluate(() => {
                const canvas = document.querySelector('.plot-canvas');
                const { data } = window.imageOf(canvas);
                const [r, g, b] = [158, 203, 255];
                const isCurve = (x, y) => {
                    const at = 4 * (y * canvas.width + x);
                    return Math.abs(data[at] - r) + Math.abs(data[at + 1] - g) + Math.abs(data[at + 2] - b) < 200 && data[at + 3] > 60;
                };
                const columns = Array.from({ length: canvas.width - 50 }, (_, n) => n + 40);
                return columns.filter((x) => !Array.from({ length: canvas.height }, (_, y) => y).some((y) => isCurve(x, y))).length;
            });
            assert.equal(gaps, 0, `${width} px: ${gaps} columns without a curve`);
        }
        assert.deepEqual(page.complaints, []);
        await page.close();
    },

    async 'runs without feet, or of a thousand robots, play'() {
        for (const name of ['patches-only', 'plaza-1000']) {
            const page = await open(run(name, '--steps', '600'));
            await page.click('[data-do=play]');
            await page.waitForFunction(() => Number(document.querySelector('.scrub').value) > 0.3);
            await page.screenshot({ path: join(OUT, `${name}.png`) });
            assert.deepEqual(page.complaints, [], name);
            await page.close();
        }
    },

    async 'a batch lists its runs, spreads its measures and plays the closest calls'() {
        simCli('run', 'scenarios/swarm-30-full.json', '--steps', '3600', '--runs', '6', '--no-trace', '--out', folder('batch'), '-q');
        const page = await open(replay('batch'));
        const runs = table('batch', 'runs.csv');
        // Runs of the same distance stay in the order of their numbers, whichever way the column is sorted.
        const byNearest = (sign) =>
            [...runs].sort((a, b) => sign * (a.min_robot_foot_mm - b.min_robot_foot_mm)).map(({ run }) => run);
        const shown = () => page.locator('.run-list .run-row').evaluateAll((rows) => rows.map((row) => row.dataset.run));
        await page.click('[data-sort=run]');
        if ((await shown())[0] !== '0') await page.click('[data-sort=run]');
        assert.deepEqual(
            await shown(),
            runs.map(({ run }) => run),
        );
        await page.click('[data-sort=min_robot_foot_mm]');
        assert.deepEqual(await shown(), byNearest(1));
        await page.click('[data-sort=min_robot_foot_mm]');
        assert.deepEqual(await shown(), byNearest(-1));
        await page.click('[data-measure=moving_share]');
        const column = await page
            .locator('.run-heads button')
            .evaluateAll((heads) => heads.findIndex((head) => head.dataset.sort === 'moving_share'));
        const values = await page
            .locator('.run-list .run-row')
            .evaluateAll((rows, at) => rows.map((row) => Number(row.children[at].textContent)), column);
        assert.deepEqual(
            values,
            [...values].sort((a, b) => a - b),
        );

        const run = runs[4].run;
        await page.locator(`.run-list [data-run="${run}"]`).click();
        const rows = table('batch', 'closest.csv').filter((row) => row.run === run);
        assert.equal(await page.locator('.calls button').count(), new Set(rows.map(({ call }) => call)).size);
        for (const call of ['0', '2']) {
            await page.locator(`[data-call="${call}"]`).click();
            await page.locator('.picture').focus();
            await page.keyboard.press(' ');
            const pair = rows.filter((row) => row.call === call && row.distance_mm !== '');
            const [closest] = pair.sort((a, b) => Number(a.distance_mm) - Number(b.distance_mm));
            await scrubTo(page, Number(closest.time_s));
            assert.equal(await stepShown(page), Number(closest.step));
            const said = `${Number(closest.distance_mm).toFixed(2)} mm`;
            assert.equal(await text(page, '.plot-value'), said);
            assert.equal(await text(page, `[data-call="${call}"] b`), said);
        }
        await page.screenshot({ path: join(OUT, 'batch.png') });
        for await (const name of inWindows(page, ['projector', 'phone'])) {
            const sides = await page.evaluate(() => {
                const [list, heads] = ['.run-list', '.run-heads'].map((name) => document.querySelector(name));
                list.scrollLeft = 100;
                const sides = () => [list.scrollLeft, heads.scrollLeft];
                return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(sides()))));
            });
            assert.equal(sides[0], sides[1], `${name}: the heads stand above their columns`);
            assert.ok(name !== 'phone' || sides[0] === 100, 'on a phone the table scrolls to the side');
            await page.screenshot({ path: join(OUT, `batch-${name}.png`) });
        }
        assert.deepEqual(page.complaints, []);
        await page.close();
    },

    async 'a batch of cars lists its runs and spreads its measures'() {
        simCli('run', 'scenarios/car-traffic.json', '--steps', '600', '--runs', '3', '--no-trace', '--out', folder('cars'), '-q');
        const page = await open(replay('cars'), { selector: '.run-list .run-row' });
        const runs = table('cars', 'runs.csv');
        const shown = () => page.locator('.run-list .run-row').evaluateAll((rows) => rows.map((row) => row.dataset.run));
        assert.deepEqual((await shown()).sort(), runs.map(({ run }) => run).sort());
        assert.ok((await page.locator('.run-heads button').allTextContents()).some((head) => head.startsWith('collisions')));
        assert.match(await text(page, '.spread'), /distance/);
        assert.match(await text(page, '.call-stage h2'), /there is nothing to play/);
        assert.ok(await page.locator('.picture').isHidden());
        await page.screenshot({ path: join(OUT, 'batch-road.png') });
        assert.deepEqual(page.complaints, []);
        await page.close();
    },

    async 'a run on the road plays, with its scans, trails and plots'() {
        const page = await open(run('car-traffic', '--steps', '3000'));
        const rows = table('car-traffic', 'cars.csv');
        await scrubTo(page, 20);
        assert.equal(await stepShown(page), 2000);
        const row = (car) => rows.find((one) => one.step === '2000' && one.car === String(car));
        const decimals = { x_m: 3, y_m: 3, yaw_rad: 3, speed_m_s: 3, yaw_rate_rad_s: 3, steer_left_rad: 3, motor_rps: 2 };
        for (const car of [2, 0]) {
            await page.locator('select[aria-label=Follow]').selectOption(`car ${car}`);
            await settle(page);
            for (const [column, places] of Object.entries(decimals)) {
                const shown = Number(await text(page, `.numbers [data-column=${column}]`));
                assert.ok(Math.abs(shown - Number(row(car)[column])) <= 0.5 * 10 ** -places + 1e-9, `car ${car}, ${column}: ${shown}`);
            }
            assert.equal(await text(page, '.plot-value[data-column=speed_m_s]'), `${Number(row(car).speed_m_s).toFixed(3)} m/s`);
        }
        // The nearest of the newest scan, by the table: all cars scan every 100 ms, and rows are told as often.
        const scan = table('car-traffic', 'lidar.csv').find((one) => one.step === '2000' && one.car === '0');
        const ranges = Object.entries(scan).flatMap(([name, cell]) => (name.startsWith('ray_') && cell !== '' ? [Number(cell)] : []));
        assert.equal(await text(page, '.plot-value[data-column=nearest_m]'), `${Math.min(...ranges).toFixed(3)} m`);
        // Points, trail and front of car 0.
        const colour = [86, 180, 233];
        const lit = await pixelsLike(page, colour);
        assert.ok(lit > 200, `${lit} pixels`);
        const whole = await picture(page);
        for (const button of await page.locator('[data-layer]:not([hidden])').all()) {
            await button.click();
            await settle(page);
            assert.notEqual(await picture(page), whole, `${await button.getAttribute('data-layer')} off changes nothing`);
            await button.click();
            await settle(page);
            assert.equal(await picture(page), whole);
        }
        assert.equal(await page.locator('[data-layer]:not([hidden])').count(), 3);
        await page.locator('.picture').focus();
        await page.keyboard.press('f');
        await settle(page);
        assert.equal(await page.locator('select[aria-label=Follow]').inputValue(), 'car 1');
        await page.click('[data-tab=Events]');
        assert.equal(await page.locator('.event').count(), table('car-traffic', 'events.csv').length);
        for (const theme of ['dark', 'light']) {
            await page.screenshot({ path: join(OUT, `road-${theme}.png`) });
            await page.keyboard.press('d');
            await settle(page);
        }
        await page.click('[data-do=play]');
        await page.waitForFunction(() => Number(document.querySelector('.scrub').value) > 20.3);
        assert.ok(await page.locator('.banner').isHidden());
        assert.deepEqual(page.complaints, []);
        await page.close();
    },

    async 'a car that hits something is marked from then on'() {
        writeFileSync(
            folder('crash.json'),
            `{ "name": "crash", "world": "road", "steps": 600, "map": { "walls_m": [[[3, -1], [3, 1]]] },
               "cars": [{ "driver": { "commands": [{ "at_s": 0, "velocity_m_s": 0.8 }] } }] }`,
        );
        simCli('run', folder('crash.json'), '--out', folder('crash'), '-q');
        const page = await open(replay('crash'));
        const [hit] = table('crash', 'events.csv').filter(({ kind }) => kind === 'collision');
        await scrubTo(page, Number(hit.time_s) - 0.2);
        assert.ok(await page.locator('.banner').isHidden());
        await scrubTo(page, Number(hit.time_s) + 0.01);
        assert.equal(await text(page, '.banner'), 'Collision: car 0');
        assert.equal(await page.locator('.marks i').count(), 1);
        assert.ok((await pixelsLike(page, [255, 46, 136])) > 3000, 'a red frame and a red car');
        await page.screenshot({ path: join(OUT, 'road-collision.png') });
        assert.deepEqual(page.complaints, []);
        await page.close();
    },

    async 'messages of cubes are listed, chosen by kind, and follow the playhead'() {
        const page = await open(replay('cubes-tour'));
        const names = JSON.parse(read('cubes-tour', 'view.json')).parties.find(({ stream }) => stream === 'cubes').names;
        const rows = read('cubes-tour', 'messages.csv').trim().split('\n').slice(1).map(csvCells);
        await page.click('[data-tab=Messages]');
        const choice = (name) => page.locator(`select[aria-label="Messages: ${name}"]`);
        assert.equal(await text(page, 'select[aria-label="Messages: dir"] option'), `any dir (${rows.length})`);
        for (const time_s of [3, 11.05, 20.06]) {
            await scrubTo(page, time_s);
            await page.waitForTimeout(100);
            const shown = page.locator('#tab-Messages .event.now');
            const last = rows.findLast(([, time]) => Number(time) <= time_s + 1e-9);
            const words = await shown.textContent();
            for (const part of [names[Number(last[2])], last[3], last[4], last[5], last[6]]) assert.ok(words.includes(part), `${words}: ${part}`);
            const [row, list] = [await shown.boundingBox(), await page.locator('#tab-Messages .events').boundingBox()];
            assert.ok(row.y >= list.y - 1 && row.y + row.height <= list.y + list.height + 1, `${time_s} s: in sight`);
        }
        await choice('characteristic').selectOption('107');
        await choice('dir').selectOption('notify');
        const buttons = rows.filter(([, , , dir, characteristic]) => dir === 'notify' && characteristic === '107');
        assert.ok(buttons.length > 0);
        assert.equal(await page.locator('#tab-Messages .event').count(), buttons.length);
        await page.locator('#tab-Messages .event').first().click();
        await settle(page);
        assert.equal(await page.locator('.scrub').inputValue(), buttons[0][1]);
        // What the message says is drawn and said too: the button is down.
        await scrubTo(page, Number(buttons[0][1]) + 0.3);
        await page.click('[data-tab=Numbers]');
        assert.match(await text(page, '.overview'), /button down/);
        assert.deepEqual(page.complaints, []);
        await page.close();
    },

    async 'goals, magnets and names of cubes are drawn'() {
        writeFileSync(
            folder('drawn.json'),
            `{ "name": "drawn", "world": "mat", "steps": 120, "feet": { "count": 0 }, "patches": { "count": 0 }, "agents": { "count": 2,
               "goals": { "sites_mm": [[100, 100], [300, 300]] } } }`,
        );
        simCli('run', folder('drawn.json'), '--out', folder('drawn'), '-q');
        const page = await open(replay('drawn'));
        await page.keyboard.press('Escape');
        await settle(page);
        const whole = await picture(page);
        await page.click('[data-layer=goals]');
        await settle(page);
        assert.notEqual(await picture(page), whole, 'goals');
        await page.close();
        const cubes = await open(replay('cubes-tour'), { prepare: noteLabels });
        await settle(cubes);
        const [labels] = await labelsOf(cubes);
        const { parties } = JSON.parse(read('cubes-tour', 'view.json'));
        assert.equal(labels.length, parties.find(({ stream }) => stream === 'cubes').names.length, 'each cube has its name');
        await cubes.close();
        writeFileSync(
            folder('magnet.json'),
            `{ "name": "magnet", "world": "mat", "steps": 60, "agents": { "count": 0 }, "feet": { "count": 0 }, "patches": { "count": 0 },
               "magnets": [{ "at_mm": [200, 200, 2], "north": [1, 0, 0] }], "cubes": [{ "name": "one", "at_mm": [100, 100] }] }`,
        );
        simCli('run', folder('magnet.json'), '--out', folder('magnet'), '-q');
        const magnet = await open(replay('magnet'));
        const [north, south] = [await middleOf(magnet, 0, [214, 43, 43]), await middleOf(magnet, 0, [43, 98, 214])];
        const middle = (await pixelOf(magnet, 400, 200, 200)).x;
        assert.ok(north[0] > middle && south[0] < middle && Math.abs(north[1] - south[1]) < 2, `poles at ${north} and ${south}`);
        await magnet.close();
    },

    async 'sensors of a car are plotted as they were read'() {
        const page = await open(run('car-loop', '--steps', '3000'));
        const time_s = 12.345;
        await scrubTo(page, time_s);
        const last = (file, column) => table('car-loop', file).findLast((row) => Number(row.time_s) <= time_s && row[column] !== '');
        await assertPlotted(page, {
            'IMU: turn rates x, y, z': ['gyro_x_rad_s', 'gyro_y_rad_s', 'gyro_z_rad_s'].map((column) => last('imu.csv', column)[column]),
            'IMU: forces x, y, z': ['accel_x_m_s2', 'accel_y_m_s2', 'accel_z_m_s2'].map((column) => last('imu.csv', column)[column]),
            'Odometry: speed': [last('odometry.csv', 'speed_m_s').speed_m_s],
        });
        const scan = last('lidar.csv', 'time_s');
        const rays = Object.keys(scan).filter((name) => name.startsWith('ray_'));
        const seen = rays.filter((name) => scan[name] !== '').length;
        assert.equal(await text(page, '[data-scan=lidar]'), `${seen} of ${rays.length}, ${Number(scan.time_s).toFixed(2)} s`);
        const scanCanvas = page.locator('canvas[aria-label="lidar: range over angle"]');
        const before = await scanCanvas.evaluate((canvas) => canvas.toDataURL());
        await scrubTo(page, time_s + 2);
        assert.notEqual(await scanCanvas.evaluate((canvas) => canvas.toDataURL()), before, 'the scan follows the playhead');
        await page.screenshot({ path: join(OUT, 'road-sensors.png') });
        assert.deepEqual(page.complaints, []);
        await page.close();
    },

    async 'a view with a side is seen from above and from the side'() {
        const prism = [1, 200, 3];
        simCli('run', 'scenarios/cubes-tour.json', '--out', folder('side'), '-q');
        const { view, area } = withSide('side', prism);
        const page = await open(replay('side'));
        const canvases = page.locator('.picture');
        assert.deepEqual(await canvases.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))), ['the plan', 'the side']);
        const time_s = 4.5;
        const near = table('side', 'cubes.csv').filter((row) => Number(row.time_s) === time_s);
        assert.ok(near.length > 1);
        await scrubTo(page, time_s);
        // The side fills its canvas but for 5.5 % of it, at least 22 px, on each side: x to the right, z up.
        const box = await canvases.nth(1).boundingBox();
        const [[left, low], [right, high]] = area;
        const at = (x, z) => {
            const room = (px) => px - 2 * Math.max(0.055 * px, 22);
            const place = (px, share) => px / 2 + (share - 0.5) * room(px);
            return { x: place(box.width, (x - left) / (right - left)), y: place(box.height, (high - z) / (high - low)) };
        };
        for (const { x_mm, z_mm } of near) {
            const place = at(Number(x_mm), Number(z_mm) + 12);
            assert.deepEqual(await pixelOfCanvas(page, 1, place), prism, JSON.stringify(place));
            assert.notDeepEqual(await pixelOfCanvas(page, 1, { ...place, y: at(0, Number(z_mm) + 60).y }), prism);
        }
        // The ground: -20 mm in the west and -60 mm in the east, the same all across.
        const ground = await pixelOfCanvas(page, 1, at(right - 1, -70));
        assert.deepEqual(ground, await pixelOfCanvas(page, 1, at(left + 1, -25)));
        assert.notDeepEqual(ground, await pixelOfCanvas(page, 1, at(right - 1, -50)));
        assert.match(await text(page, '.legend'), /ground, mm/);
        // A click on a cube follows it; the wheel zooms the picture under it and leaves the other one.
        const { x_mm, z_mm, cube } = near[near.length - 1];
        await canvases.nth(1).click({ position: at(Number(x_mm), Number(z_mm)) });
        await settle(page);
        assert.match(await page.locator('select[aria-label=Follow]').inputValue(), new RegExp(`cube ${cube}`));
        await page.keyboard.press('Escape');
        await settle(page);
        const shown = () => canvases.evaluateAll((all) => all.map((one) => one.toDataURL()));
        const whole = await shown();
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
        await page.mouse.wheel(0, -600);
        await settle(page);
        let now = await shown();
        assert.deepEqual([now[0] === whole[0], now[1] === whole[1]], [true, false], 'zoomed');
        await page.mouse.down();
        await page.mouse.move(box.x + box.width / 2 + 60, box.y + box.height / 2 + 10, { steps: 4 });
        await page.mouse.up();
        await settle(page);
        const moved = await shown();
        assert.deepEqual([moved[0] === whole[0], moved[1] === now[1]], [true, false], 'moved');
        await page.keyboard.press('0');
        await settle(page);
        assert.deepEqual(await shown(), whole);
        await scrubTo(page, 8);
        now = await shown();
        assert.deepEqual([now[0] === whole[0], now[1] === whole[1]], [false, false], 'time goes on in both');
        for await (const name of inWindows(page)) {
            const [plan, side] = await canvases.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
            assert.ok(plan.height > 120 && side.height > 100 && side.top >= plan.bottom - 1, `${name}: ${plan.height}, ${side.height}`);
            await page.screenshot({ path: join(OUT, `side-${name}.png`) });
        }
        assert.equal(view.projections.length, 2);
        assert.deepEqual(page.complaints, []);
        await page.close();
    },

    async 'a run at sea is seen from above and from the side, with its plots'() {
        const page = await open(run('sea-fleet', '--steps', '6000'));
        const canvases = page.locator('.picture');
        const shown = () => canvases.evaluateAll((all) => all.map((one) => one.toDataURL()));
        assert.deepEqual(await canvases.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))), ['the plan', 'the side']);
        assert.equal(await text(page, '.verdict'), 'all limits kept');
        const rows = table('sea-fleet', 'vehicles.csv');
        const pictures = [];
        for (const time_s of [0, 40, 110]) {
            await scrubTo(page, time_s);
            pictures.push(await shown());
            for (const vehicle of ['0', '3', '6']) {
                await page.locator('select[aria-label=Follow]').selectOption(`vehicle ${vehicle}`);
                await settle(page);
                const row = rows.find((one) => one.step === String(50 * time_s) && one.vehicle === vehicle);
                for (const column of ['x_m', 'y_m', 'z_m', 'yaw_rad', 'u_m_s', 'r_rad_s', 'depth_m', 'altitude_m']) {
                    const cell = await text(page, `.numbers [data-column=${column}]`);
                    assert.ok(Math.abs(Number(cell) - Number(row[column])) <= 5e-4 + 1e-9, `${time_s} s, ${vehicle}, ${column}: ${cell}`);
                }
                assert.equal(await text(page, '.numbers [data-column=status]'), row.status);
                // Two decimals of a number that the page holds with three.
                const speed = await text(page, '.plot-value[data-column=u_m_s]');
                assert.ok(Math.abs(Number(speed.split(' ')[0]) - Number(row.u_m_s)) <= 5.5e-3 + 1e-9, speed);
            }
        }
        for (const n of [0, 1]) assert.equal(new Set(pictures.map((picture) => picture[n])).size, 3, 'scrubbing changes each view');
        // Height above water and bottom, speed, pitch, roll, turn rate, smallest distance; each with a curve.
        const drawn = await page.locator('.plot:not([hidden]) .plot-canvas').evaluateAll((all) =>
            all.map((canvas) => {
                const { data } = window.imageOf(canvas);
                const columns = new Set();
                for (let at = 0; at < data.length; at += 4) {
                    const off = [158, 203, 255].reduce((sum, part, n) => sum + Math.abs(data[at + n] - part), 0);
                    if (off < 200 && data[at + 3] > 60) columns.add((at / 4) % canvas.width);
                }
                return columns.size / canvas.width;
            }),
        );
        // The last plot is of the only sensor that the last vehicle carries.
        assert.equal(drawn.length, 8);
        assert.ok(Math.min(...drawn.slice(0, 7)) > 0.8, String(drawn));

        await page.keyboard.press('Escape');
        await settle(page);
        const whole = await shown();
        for (const layer of ['depths', 'trails', 'waypoints', 'ids']) {
            await page.click(`[data-layer=${layer}]`);
            await settle(page);
            const without = await shown();
            assert.deepEqual([without[0] === whole[0], without[1] === whole[1]], [false, false], `${layer} is gone from both`);
            await page.click(`[data-layer=${layer}]`);
            await settle(page);
            assert.deepEqual(await shown(), whole, `${layer} is back`);
        }
        assert.equal(await page.locator('[data-layer]:not([hidden])').count(), 4);
        // Rings of vehicles stand where the table says: x to the right in both, y up in the plan, z up in the side, one scale in the plan.
        for (const layer of ['trails', 'waypoints', 'ids']) await page.click(`[data-layer=${layer}]`);
        const colours = { 1: [230, 159, 0], 2: [47, 195, 154], 3: [204, 121, 167] };
        const seen = { x: [], y: [], sideX: [], z: [] };
        for (const time_s of [40, 110]) {
            await scrubTo(page, time_s);
            for (const [vehicle, colour] of Object.entries(colours)) {
                const row = rows.find((one) => one.step === String(50 * time_s) && one.vehicle === vehicle);
                const [plan, side] = [await middleOf(page, 0, colour), await middleOf(page, 1, colour)];
                seen.x.push([Number(row.x_m), plan[0]]);
                seen.y.push([Number(row.y_m), plan[1]]);
                seen.sideX.push([Number(row.x_m), side[0]]);
                seen.z.push([Number(row.z_m), side[1]]);
            }
        }
        const lines = Object.fromEntries(Object.entries(seen).map(([axis, pairs]) => [axis, straightness(pairs)]));
        // A ring's edge may round by a pixel on either side.
        for (const [axis, { off_px }] of Object.entries(lines)) assert.ok(off_px < 2, `${axis}: ${JSON.stringify(seen[axis])}`);
        assert.ok(lines.x.slope > 0 && Math.abs(lines.y.slope + lines.x.slope) < 0.04 * lines.x.slope, JSON.stringify(lines));
        assert.ok(lines.sideX.slope > 0 && lines.z.slope < 0, JSON.stringify(lines));
        for (const layer of ['trails', 'waypoints', 'ids']) await page.click(`[data-layer=${layer}]`);
        for await (const name of inWindows(page)) await page.screenshot({ path: join(OUT, `sea-${name}.png`) });
        assert.deepEqual(page.complaints, []);
        await page.close();
    },

    async 'the newest pings of the sonars of the vehicle that is followed stand beside the plan'() {
        const sensors = {
            mbes: [{ beams: 32, opening_deg: 100 }],
            sss: [{ range_m: 40, bins: 60, rays_per_beam: 200, distance_std_m: 0, sensing: { every_ms: 500 } }],
            fls: [{ beams: 16, width_deg: 60, range_m: 40, bins: 40, rays_per_beam: 40, distance_std_m: 0, sensing: { every_ms: 1000 } }],
        };
        const sam = (name, y_m, more) => ({ name, model: 'sam', start: { y_m, z_m: -8, u_m_s: 1 }, ...more });
        writeFileSync(
            folder('pings.json'),
            JSON.stringify({
                name: 'pings', world: 'sea', duration_s: 20, water: { density_kg_m3: 997 }, terrain: { flat_z_m: -20 },
                sonar: { objects: [{ position_m: [12, 9, -19], box_m: [4, 4, 2], material: 'rock' }] },
                vehicles: [sam('a', 0, { sensors }), sam('b', 30, {})],
            }),
        );
        simCli('run', folder('pings.json'), '--out', folder('pings'), '-q', '--overwrite');
        const page = await open(replay('pings'));
        await page.locator('select[aria-label=Follow]').selectOption('vehicle 0');
        await scrubTo(page, 10.3);
        const last = (name) => table('pings', name).filter(({ time_s }) => Number(time_s) <= 10.3 + 1e-4).at(-1);
        const canvas = (stream) => page.locator(`figure:has([data-ping=${stream}]) canvas`);
        const image = (stream) => canvas(stream).evaluate((one) => one.toDataURL());
        for (const stream of ['sidescan-a-main', 'fls-a-main']) {
            assert.equal(await text(page, `.plot-value[data-ping=${stream}]`), `${Number(last(`${stream}.csv`).time_s)} s`);
            assert.ok(await canvas(stream).isVisible());
        }
        assert.match(await text(page, '.plot-value[data-scan=mbes-a-main]'), /^32 of 32, /);
        // Another moment is another picture; the same moment is the same one.
        const then = [await image('sidescan-a-main'), await image('fls-a-main')];
        await scrubTo(page, 16);
        assert.notEqual(await image('sidescan-a-main'), then[0]);
        await scrubTo(page, 10.3);
        assert.deepEqual([await image('sidescan-a-main'), await image('fls-a-main')], then);
        for (const theme of ['dark', 'light']) {
            await page.screenshot({ path: join(OUT, `pings-${theme}.png`) });
            await page.locator('.picture').first().focus();
            await page.keyboard.press('d');
            await settle(page);
        }
        // The other vehicle has no sonar.
        await page.keyboard.press('f');
        await settle(page);
        assert.equal(await page.locator('select[aria-label=Follow]').inputValue(), 'vehicle 1');
        assert.ok(await canvas('sidescan-a-main').isHidden());
        assert.deepEqual(page.complaints, []);
        await page.close();
    },

    async 'sensors at sea are plotted as they were read, of the vehicle that is followed'() {
        const page = await open(replay('sea-fleet'));
        const time_s = 57.3;
        await scrubTo(page, time_s);
        const last = (file, vehicle, column) =>
            table('sea-fleet', file).findLast((row) => row.vehicle === vehicle && Number(row.time_s) <= time_s && row[column] !== '')[column];
        const shown = () => page.locator('.plot:not([hidden]) canvas').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
        await page.locator('select[aria-label=Follow]').selectOption('vehicle 3');
        await settle(page);
        await assertPlotted(page, {
            'IMU: forces x, y, z': ['x', 'y', 'z'].map((axis) => last('imu.csv', '3', `accel_${axis}_m_s2`)),
            'DVL: speeds x, y, z': ['u', 'v', 'w'].map((axis) => last('dvl.csv', '3', `${axis}_m_s`)),
            Pressure: [last('pressure.csv', '3', 'pressure_pa') / 1000],
        });
        assert.ok((await shown()).includes('Battery: charge') && !(await shown()).includes('GNSS: east, north'));
        await page.locator('select[aria-label=Follow]').selectOption('vehicle 6');
        await settle(page);
        const read = (await shown()).filter((title) => /IMU|DVL|Pressure|GNSS|Battery/.test(title));
        assert.deepEqual(read, ['GNSS: east, north'], 'what it does not carry is left out');
        assert.deepEqual(page.complaints, []);
        await page.close();
    },

    async 'vehicles at sea have names that do not cover each other, and colours of their own'() {
        const page = await open(replay('sea-fleet'), { prepare: noteLabels });
        const { vehicles } = JSON.parse(readFileSync(join(folder('sea-fleet'), 'scenario.json'), 'utf8'));
        const names = vehicles.map(({ name }, number) => `${name} (vehicle ${number})`);
        assert.deepEqual(await page.locator('select[aria-label=Follow] option').allTextContents(), ['none', ...names]);
        await page.keyboard.press('Escape');
        for (const time_s of [0, 40, 80, 110]) {
            await scrubTo(page, time_s);
            for (const labels of await labelsOf(page)) {
                assert.equal(labels.length, vehicles.length, `${time_s} s`);
                const covered = labels.flatMap((one, n) => labels.slice(n + 1).filter((other) => overlap(one, other)));
                assert.deepEqual(covered, [], `${time_s} s: ${JSON.stringify(labels)}`);
            }
        }
        // Vehicles 0 and 6.
        for (const colour of [[86, 180, 233], [140, 108, 255]]) assert.ok((await pixelsLike(page, colour)) > 20, String(colour));
        await page.screenshot({ path: join(OUT, 'sea-names.png') });
        assert.deepEqual(page.complaints, []);
        await page.close();
    },

    async 'vehicles that collide are told by their names'() {
        writeFileSync(
            folder('bump.json'),
            `{ "name": "bump", "world": "sea", "steps": 400, "vehicles": [
                { "name": "tug_1", "model": "otter", "driver": { "commands": [
                    { "at_s": 0, "actuator": "left", "value": 60 }, { "at_s": 0, "actuator": "right", "value": 60 }] } },
                { "name": "mark_2", "model": "buoy", "start": { "x_m": 6 } }] }`,
        );
        simCli('run', folder('bump.json'), '--out', folder('bump'), '-q');
        const [hit] = table('bump', 'events.csv').filter(({ kind }) => kind === 'collision');
        assert.deepEqual([hit.subject, hit.object], ['vehicle 0', 'vehicle 1']);
        const page = await open(replay('bump'));
        await scrubTo(page, Number(hit.time_s) + 0.01);
        assert.equal(await text(page, '.banner'), 'Collision: tug_1, mark_2');
        await page.click('[data-tab=Events]');
        assert.match(await text(page, '.event'), /collision\s*tug_1 – mark_2, /);
        assert.deepEqual(page.complaints, []);
        await page.close();
    },

    async 'two runs stand side by side with one clock, and what differs is said, listed and marked'() {
        const names = ['pair-a', 'pair-b'];
        names.forEach((name, n) =>
            simCli('run', 'scenarios/swarm-10.json', '--steps', '1800', '--out', folder(name), '-q', ...(n ? ['--set', 'agents.alpha=0.5'] : [])),
        );
        simCli('replay', ...names.map(folder), '--overwrite');
        const page = await open(join(folder('pair-a'), 'compare.html'), { width: 1400 });
        assert.equal(await page.locator('.picture').count(), 2);
        assert.equal(await text(page, '.verdict'), 'the runs differ');
        // The first row of agents.csv that is another one, by the tables.
        const [one, other] = names.map((name) => table(name, 'agents.csv'));
        const at = one.findIndex((row, n) => Object.keys(row).some((column) => row[column] !== other[n][column]));
        const column = Object.keys(one[at]).find((name) => one[at][name] !== other[at][name]);
        const line = await text(page, '.differences [data-stream=agents]');
        for (const part of [`step ${one[at].step}, number ${one[at].agent}`, column]) assert.ok(line.includes(part), line);
        for (const row of [one[at], other[at]]) assert.ok(line.includes(String(Number(row[column]))), line);
        assert.match(await text(page, '.differences [data-stream=feet]'), /the same in all \d+ rows/);
        // Distances between the same robots at a later row.
        const [step, time_s] = [1500, 25];
        const places = [one, other].map((rows) => rows.filter((row) => row.step === String(step)).map((row) => [Number(row.x_mm), Number(row.y_mm)]));
        const apart = places[0].map(([x, y], n) => Math.hypot(x - places[1][n][0], y - places[1][n][1]));
        assert.ok(Math.max(...apart) > 20, `a robot is in another place: ${apart}`);
        await scrubTo(page, time_s);
        const mean = apart.reduce((sum, distance) => sum + distance, 0) / apart.length;
        // Places are kept to 0.01 mm, so that distances may be off by 0.015 mm.
        assert.ok(Math.abs(parseFloat(await text(page, '[data-apart=agents]')) - mean) < 0.03, `mean ${mean}`);
        await page.click('[data-tab=Distances]');
        const farthest = apart.indexOf(Math.max(...apart));
        const first = await page.locator('.apart tbody tr').first().locator('td').allTextContents();
        assert.equal(first[0], `robot ${farthest}`);
        assert.ok(Math.abs(Number(first[1]) - apart[farthest]) < 0.03, first[1]);
        assert.ok((await pixelsLike(page, [255, 233, 0])) > 0 || (await pixelsLike(page, [255, 224, 102])) > 0, 'the other place is marked');
        await page.click('[data-tab=Settings]');
        assert.match(await text(page, '.settings'), /agents\.alpha0\.90\.5/);
        // One clock, one part of the plane, one choice of layers, one robot that is followed.
        const shown = () => page.locator('.picture').evaluateAll((all) => all.map((canvas) => canvas.toDataURL()));
        for (const act of [() => page.keyboard.press(']'), () => page.click('[data-layer=heat]'), () => page.keyboard.press('f')]) {
            const before = await shown();
            await act();
            await settle(page);
            const after = await shown();
            assert.deepEqual(before.map((one, n) => one === after[n]), [false, false], String(act));
        }
        for await (const name of inWindows(page)) {
            const boxes = await page.locator('.picture').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
            assert.ok(boxes.every(({ width, height }) => width > 200 && height > 100), `${name}: ${JSON.stringify(boxes)}`);
            await page.screenshot({ path: join(OUT, `pair-${name}.png`) });
        }
        assert.deepEqual(page.complaints, []);
        await page.close();
        simCli('replay', folder('pair-a'), folder('pair-a'), '--overwrite');
        const same = await open(join(folder('pair-a'), 'compare.html'));
        assert.equal(await text(same, '.first'), 'All tables are the same, to the last digit.');
        assert.equal(parseFloat(await text(same, '[data-apart=agents]')), 0);
        assert.deepEqual(same.complaints, []);
        await same.close();
    },

    async 'a moment looks the same, whatever was drawn before it'() {
        const file = replay('swarm-10');
        const [direct, earlier] = await Promise.all([5.25, 1].map((time_s) => open(`${file}#t=${time_s}`)));
        await settle(direct);
        await scrubTo(earlier, 5.25);
        for (const page of [direct, earlier]) assert.equal(await page.locator('.scrub').inputValue(), '5.25');
        assert.equal(await picture(earlier), await picture(direct));
        await Promise.all([direct.close(), earlier.close()]);
    },

    async 'a link leads to its moment, and a picture and a film are saved'() {
        const file = replay('swarm-10');
        const page = await openPage(`${file}#t=5.25&follow=robot+3&layers=trails,-heat`, { dark: true, selector: '[data-drawn]' });
        await settle(page);
        const rows = table('swarm-10', 'agents.csv').filter(({ agent }) => agent === '3');
        const row = rows.findLast(({ time_s }) => Number(time_s) <= 5.25);
        assert.equal(await page.locator('.scrub').inputValue(), '5.25');
        assert.equal(await text(page, 'select[aria-label=Follow] option:checked'), 'robot 3');
        assert.ok(Math.abs(Number(await text(page, '.numbers [data-column=x_mm]')) - Number(row.x_mm)) <= 5e-3 + 1e-9);
        assert.equal(await page.locator('[data-layer=trails]').getAttribute('aria-pressed'), 'true');
        assert.equal(await page.locator('[data-layer=heat]').getAttribute('aria-pressed'), 'false');
        // The address keeps up with the page, and the page with the address.
        await scrubTo(page, 2.5);
        await page.keyboard.press('Escape');
        await page.waitForFunction(() => location.hash === '#t=2.5&follow=none&layers=-heat,trails' || location.hash.includes('t=2.5&follow=none'));
        await page.evaluate(() => (location.hash = '#t=7&follow=2'));
        await page.waitForFunction(() => document.querySelector('.scrub').value === '7');
        await settle(page);
        assert.equal(await text(page, 'select[aria-label=Follow] option:checked'), 'robot 2');
        await page.click('.take');
        assert.match(await page.locator('input[aria-label="Link to this moment"]').inputValue(), /replay\.html#t=7&follow=robot\+2&layers=/);
        await page.click('[data-share=link]');
        const said = page.locator('.share output');
        await page.waitForFunction(() => document.querySelector('.share output').textContent);
        const saved = async (button) => {
            const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
            const path = join(OUT, download.suggestedFilename());
            await download.saveAs(path);
            return { name: download.suggestedFilename(), bytes: readFileSync(path) };
        };
        const still = await saved('[data-share=still]');
        assert.equal(still.name, 'swarm-10-7.00s.png');
        // The signature of a PNG, then its width and height: the picture and a line below it.
        assert.equal(still.bytes.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n');
        const { width, height } = await page.locator('.picture').evaluate((canvas) => ({ width: canvas.width, height: canvas.height }));
        assert.ok(Math.abs(still.bytes.readUInt32BE(16) - width) <= 1 && still.bytes.readUInt32BE(20) > height);
        await page.fill('input[type=number]', '1');
        const film = await saved('[data-share=film]');
        assert.equal(film.name, 'swarm-10-7.00s.webm');
        // The first bytes of a Matroska file, and what kind of it.
        assert.equal(film.bytes.subarray(0, 4).toString('hex'), '1a45dfa3');
        assert.ok(film.bytes.subarray(0, 64).includes('webm') && film.bytes.length > 10_000, `${film.bytes.length} bytes`);
        assert.match(await said.textContent(), /webm is saved/);
        assert.ok(Number(await page.locator('.scrub').inputValue()) >= 8, 'the film went on for its second');
        assert.deepEqual(page.complaints, []);
        await page.close();
    },

    async 'a run that was cut short says so'() {
        const cut = (file, change) => writeFileSync(join(folder('cut'), file), change(readFileSync(join(folder('cut'), file), 'utf8')));
        cpSync(folder('swarm-10'), folder('cut'), { recursive: true });
        cut('run.json', (json) => json.replace('"complete": true', '"complete": false').replace('"reason": null', '"reason": "stopped"'));
        cut('agents.csv', (csv) => csv.slice(0, -1000));
        renameSync(join(folder('cut'), 'agents.csv'), join(folder('cut'), 'agents.csv.partial'));
        const page = await open(replay('cut'));
        assert.match(await text(page, '.verdict'), /not complete/);
        assert.match(await text(page, '.notes'), /not complete: stopped.*agents\.csv ends in the middle of a/s);
        assert.deepEqual(page.complaints, []);
        await page.close();
    },

    async 'what stands in files stays text'() {
        const evil = '</title></script><script>window.hurt = 1</script><img src=x onerror="window.hurt = 1">';
        cpSync(folder('swarm-10'), folder('evil'), { recursive: true });
        const change = (file, from, to) => {
            const path = join(folder('evil'), file);
            writeFileSync(path, readFileSync(path, 'utf8').replaceAll(from, to));
        };
        change('run.json', '"swarm-10"', JSON.stringify(evil));
        change('scenario.json', '"swarm-10"', JSON.stringify(evil));
        change('events.csv', 'closest_robot_robot', `"${evil.replaceAll('"', '""')}"`);
        const page = await open(replay('evil'));
        assert.equal(await page.title(), evil);
        assert.equal(await text(page, 'h1'), evil);
        await page.click('[data-tab=Events]');
        assert.ok((await text(page, '.events')).includes('window.hurt'));
        assert.equal(await page.evaluate(() => window.hurt), undefined);
        assert.deepEqual(page.complaints, []);
        await page.close();
    },
};

await runChecks(checks);
