// Two cubes by @toio/scanner and @toio/cube: the second goes after the first for five seconds. PACKAGES is where they are installed.
'use strict';
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { NearScanner } = createRequire(join(process.env.PACKAGES, 'x.js'))('@toio/scanner');

const RUN_MS = 5000;
const NEAR = 60;

/** Speeds of both wheels that turn a cube towards a place and drive it there. */
function towards({ x, y, angle }, goal) {
    const [dx, dy] = [goal.x - x, goal.y - y];
    const off = ((Math.atan2(dy, dx) * 180) / Math.PI - angle + 540) % 360 - 180;
    const speed = Math.hypot(dx, dy) < NEAR ? 0 : 30;
    const turn = Math.max(-25, Math.min(25, off / 2));
    return [speed + turn, speed - turn].map(Math.round);
}

async function main() {
    const cubes = await new NearScanner(2, 20_000).start();
    const heard = cubes.map(() => ({ count: 0 }));
    for (const [n, cube] of cubes.entries()) {
        await cube.connect();
        cube.on('id:position-id', (place) => Object.assign(heard[n], place, { first: heard[n].first ?? place, count: heard[n].count + 1 }));
        console.log(`${cube.id} speaks protocol ${await cube.getBLEProtocolVersion()}, battery ${(await cube.getBatteryStatus()).level}`);
    }
    const [fox, dog] = cubes;
    const lit = fox.turnOnLight({ durationMs: 200, red: 255, green: 0, blue: 0 });
    fox.playPresetSound(0);
    await lit;
    fox.move(20, 30, 2000);
    const chase = setInterval(() => {
        if (heard.every(({ count }) => count > 0)) dog.move(...towards(heard[1], heard[0]), 100);
    }, 50);
    await new Promise((resolve) => setTimeout(resolve, RUN_MS));
    clearInterval(chase);
    const gone = heard.map(({ first, x, y }) => Math.hypot(x - first.x, y - first.y));
    const apart = Math.hypot(heard[0].x - heard[1].x, heard[0].y - heard[1].y);
    console.log(`heard ${heard.map(({ count }) => count)} places, went ${gone.map(Math.round)}, ${Math.round(apart)} apart`);
    process.exit(heard.every(({ count }) => count > 20) && gone.every((way) => way > 10) && apart < 100 ? 0 : 1);
}

main().catch((error) => {
    console.error(error);
    process.exit(1);
});
