// Pages that use Web Bluetooth, in a browser without a window, from an origin of their own: one page of ours, and with P5_TOIO (a copy of
// its repository) a sketch with p5.toio. PACKAGES has playwright-core and p5. Nothing waits for a time.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createRequire } from 'node:module';

const { CHROMIUM, OUT, P5_TOIO, PACKAGES, SIM_CLI } = process.env;
const { chromium } = createRequire(join(PACKAGES, 'x.js'))('playwright-core');

const TOKEN = 'webbluetoothtests';
const pages = new Map();
const site = createServer(({ url }, answer) => {
    const page = pages.get(url.split('?')[0]);
    answer.writeHead(page ? 200 : 404, { 'Content-Type': page?.type ?? 'text/plain' });
    answer.end(page?.body);
}).listen(0, '127.0.0.1');
await once(site, 'listening');
const origin = `http://127.0.0.1:${site.address().port}`;

const session = spawn(SIM_CLI, [
    ...['live', 'scenarios/cubes-link.json', '--link', 'web', '--allow-origin', origin, '--token', TOKEN],
    ...['--out', join(OUT, 'web'), '--overwrite'],
]);
session.stderr.pipe(process.stderr);
const [said] = await once(session.stdout, 'data');
const stage = String(said).trim().replace(/\/\?.*/, '');
const shim = `<script src="${stage}/toio-web-bluetooth.js?token=${TOKEN}"></script>`;

/** A page with the script as its first line, and more behind it. */
const page = (body) => ({ type: 'text/html', body: `<!doctype html><html><head>${shim}${body}</head><body></body></html>` });
pages.set('/own', page(''));

const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });

async function open(url) {
    const tab = await browser.newPage();
    tab.on('pageerror', (error) => console.error(error.message));
    await tab.goto(url);
    return tab;
}

/** Runs in the page. Connects as p5.toio does: a service filter, then eight characteristics at once. */
async function useCube() {
    const SERVICE = '10b20100-5b3b-4571-9508-cf3efcd7bbae';
    const uuid = (short) => `10b20${short}-5b3b-4571-9508-cf3efcd7bbae`;
    const device = await navigator.bluetooth.requestDevice({ filters: [{ services: [SERVICE] }] });
    const server = await device.gatt.connect();
    const service = await server.getPrimaryService(SERVICE);
    const shorts = ['101', '102', '103', '104', '106', '107', '108', '1ff'];
    const found = await Promise.all(shorts.map((short) => service.getCharacteristic(uuid(short))));
    const of = (short) => found[shorts.indexOf(short)];
    const places = [];
    of('101').addEventListener('characteristicvaluechanged', ({ target }) => places.push(target.value.getUint16(1, true)));
    await of('101').startNotifications();
    const battery = (await of('108').readValue()).getUint8(0);
    await of('1ff').writeValue(Uint8Array.of(1, 0));
    const version = new TextDecoder().decode(new Uint8Array((await of('1ff').readValue()).buffer).slice(2));
    await of('102').writeValueWithoutResponse(Uint8Array.of(2, 1, 1, 40, 2, 1, 40, 100));
    while (new Set(places).size < 20) await new Promise((done) => setTimeout(done, 20));
    const refused = await of('103').readValue().catch((error) => error.name);
    const gone = new Promise((done) => device.addEventListener('gattserverdisconnected', done));
    await of('1ff').writeValue(Uint8Array.of(0x34, 0, 0));
    await gone;
    const after = await of('108').readValue().catch((error) => error.name);
    return { name: device.name, uuids: found.map((known) => known.uuid), battery, version, refused, after, connected: server.connected };
}

let failures = 0;
async function check(name, test) {
    try {
        await test();
        console.log(`ok: ${name}`);
    } catch (error) {
        failures += 1;
        console.log(`FAILED: ${name}: ${error.stack}`);
    }
}

await check('a page from a site that is not allowed gets nothing', async () => {
    const tab = await open(`http://localhost:${site.address().port}/own`);
    const asked = tab.evaluate(() => navigator.bluetooth.requestDevice({ acceptAllDevices: true }).catch((error) => error.name));
    assert.equal(await asked, 'NetworkError');
    await tab.close();
});
if (P5_TOIO && existsSync(join(P5_TOIO, 'dist/p5.toio.min.js'))) {
    await check('a sketch with p5.toio drives two cubes', async () => {
        for (const [path, file] of [
            ['/p5.js', join(PACKAGES, 'node_modules/p5/lib/p5.min.js')],
            ['/p5.toio.js', join(P5_TOIO, 'dist/p5.toio.min.js')],
        ]) {
            pages.set(path, { type: 'text/javascript', body: readFileSync(file) });
        }
        const sketch = `const cubes = [];
            function setup() { createCanvas(300, 300); }
            function mouseClicked() { P5tCube.connectNewP5tCube().then((cube) => cubes.push(cube)); }`;
        pages.set('/sketch', page(`<script src="/p5.js"></script><script src="/p5.toio.js"></script><script>${sketch}</script>`));
        const tab = await open(`${origin}/sketch`);
        await tab.waitForSelector('canvas');
        for (const count of [1, 2]) {
            await tab.mouse.click(50, 50);
            await tab.waitForFunction((wanted) => cubes.length === wanted && cubes.every((cube) => cube.x > 0), count);
        }
        const before = await tab.evaluate(() => cubes.map(({ x, y }) => [x, y]));
        await tab.evaluate(() => cubes.forEach((cube) => cube.move(20, 20, 800)));
        await tab.waitForFunction((from) => cubes.every(({ x, y }, n) => Math.hypot(x - from[n][0], y - from[n][1]) > 20), before);
        const battery = await tab.evaluate(() => cubes[0].batteryLevel);
        assert.ok(battery > 0 && battery <= 100, `battery ${battery}`);
        // The page goes, and its cubes are free for the next one.
        await tab.close();
    });
} else {
    console.log('SKIPPED: p5.toio: P5_TOIO names no copy of its repository');
}
await check('a page of another site uses a cube as with Web Bluetooth', async () => {
    const tab = await open(`${origin}/own`);
    const { name, uuids, ...used } = await tab.evaluate(useCube);
    assert.match(name, /^toio-/);
    assert.equal(uuids[7], '10b201ff-5b3b-4571-9508-cf3efcd7bbae');
    assert.deepEqual(used, { battery: 100, version: '2.5.0', refused: 'NotSupportedError', after: 'NetworkError', connected: false });
    await tab.close();
});
await browser.close();
site.close();
session.kill('SIGINT');
await once(session, 'exit');
process.exit(failures ? 1 : 0);
