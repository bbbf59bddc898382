// What the checks of both pages share: a browser without a window, folders, tables, and the loop over checks.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const { CHROMIUM, PACKAGES } = process.env;
export const { OUT, SIM_CLI } = process.env;

const { chromium } = createRequire(join(PACKAGES, 'x.js'))('playwright-core');

export const folder = (name) => join(OUT, name);
export const read = (name, file) => readFileSync(join(folder(name), file), 'utf8');

/** Rows of a table without commas in its cells, by column name. */
export function table(name, file) {
    const [header, ...rows] = read(name, file)
        .trim()
        .split('\n')
        .map((line) => line.split(','));
    return rows.map((cells) => Object.fromEntries(header.map((column, n) => [column, cells[n]])));
}

/** Starts a live session; its address, and a way to end it that returns the exit code or signal. */
export async function startSession(scenario, name, ...flags) {
    const session = spawn(SIM_CLI, ['live', scenario, '--out', folder(name), '--overwrite', ...flags]);
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

export const text = (page, selector) => page.locator(selector).first().textContent();

const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });

/** Gives a page `imageOf(canvas)`. It reads a copy, so that the canvas stays where it is drawn fast. */
const giveImages = (page) =>
    page.addInitScript(() => {
        window.imageOf = (canvas) => {
            const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
            const context = copy.getContext('2d', { willReadFrequently: true });
            context.drawImage(canvas, 0, 0);
            return context.getImageData(0, 0, copy.width, copy.height);
        };
    });

/** Opens a file, or the address of a server on this machine, and records its complaints. `prepare` is called with the page before it is
 * loaded. */
export async function openPage(file, { width = 1600, height = 900, dark = false, selector, hasTouch = false, prepare = async () => {} }) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', hasTouch });
    const own = file.startsWith('http:') ? file : `file://${resolve(file)}`;
    const isOwn = (url) => /^(file|data|blob):/.test(url) || (own === file && new URL(url).host === new URL(own).host);
    page.complaints = [];
    await giveImages(page);
    await prepare(page);
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && page.complaints.push(message.text()));
    page.on('pageerror', (error) => page.complaints.push(error.message));
    page.on('request', (request) => isOwn(request.url()) || page.complaints.push(`asked for ${request.url()}`));
    await page.goto(own);
    await page.waitForSelector(selector);
    return page;
}

/** Has the page note how long it works on each picture. */
export const timePictures = (page) =>
    page.addInitScript(() => {
        const request = window.requestAnimationFrame.bind(window);
        window.drawnIn_ms = [];
        window.requestAnimationFrame = (work) =>
            request((now_ms) => {
                const began_ms = performance.now();
                work(now_ms);
                window.drawnIn_ms.push(performance.now() - began_ms);
            });
    });

const WINDOWS = { desktop: [1600, 900], projector: [1024, 768], phone: [390, 844] };

/** The page in windows of some sizes, one after the other, at whose side nothing may stand out. */
export async function* inWindows(page, names = Object.keys(WINDOWS)) {
    for (const name of names) {
        const [width, height] = WINDOWS[name];
        await page.setViewportSize({ width, height });
        await page.waitForTimeout(150);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${name}: ${wide} px stand out at the side`);
        yield name;
    }
}

/** Runs named checks, each with what an earlier one returned, and ends the process. */
export async function runChecks(checks) {
    let failures = 0;
    let shared;
    for (const [name, check] of Object.entries(checks)) {
        try {
            shared = (await check(shared)) ?? shared;
            console.log(`ok: ${name}`);
        } catch (error) {
            failures += 1;
            console.error(`FAILED: ${name}: ${error.stack}`);
        }
    }
    await browser.close();
    console.log(`screenshots are in ${OUT}`);
    process.exit(failures ? 1 : 0);
}
