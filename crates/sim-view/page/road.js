// The road: cars between walls with their trails and scans, and what the stage, the plots and the panels ask for. Lengths in m, y up.
/** @import { CarParams, Film as AnyFilm, Place, RoadSetting, Table } from './data.js' */
/** @import { Theme } from './colour.js' */
/** @import { Layers, Followed } from './draw.js' */
/** @import { View } from './view.js' */
/** @import { World } from './worlds.js' */
import { lastAtOrBefore } from './data.js';
import { Painter } from './paint.js';

/**
 * @typedef {AnyFilm<RoadSetting>} RoadFilm
 * @typedef {{ place: number, id: number, x: number, y: number, yaw: number, left: number, right: number }} Car left, right: the angles of
 *   the front wheels
 * @typedef {{ car: number, origin: Place, hits: (Place | null)[], isFullTurn: boolean }} Seen a scan on the plane
 * @typedef {{ film: RoadFilm, view: View, theme: Theme, layers: Layers, followed: Followed | null, time_s: number,
 *   bodies: { cars: Car[], collided: Set<number> } }} RoadScene
 */

/** Length of the trails, s. */
const CAR_TRAIL_S = 10;

/** Parts of a trail, the older the fainter. */
const TRAIL_PARTS = 4;

/** How strongly the room that a lidar sees has its car's colour; less where there are more lidars than colours. */
const SEEN = 0.12;

/** Cars that are shown shorter than this get a ring that can be seen, px. */
const LEAST_CAR_PX = 12;

/** Room between two lines of the grid that is looked for, px. */
const GRID_PX = 70;

/** What tells where the car at a place of the table is, between two rows. @param {RoadFilm} film @param {Table} table
 * @param {number} time_s @returns {(place: number) => Car} */
function carReader(film, table, time_s) {
    const { row, next, share } = film.at(time_s);
    const [x, y, yaw, left, right] = ['x_m', 'y_m', 'yaw_rad', 'steer_left_rad', 'steer_right_rad'].map((name) => table.reader(name));
    const near = share < 0.5 ? row : next;
    return (place) => {
        const turn = yaw(next, place) - yaw(row, place);
        return {
            place,
            id: table.owners[place],
            x: x(row, place) + (x(next, place) - x(row, place)) * share,
            y: y(row, place) + (y(next, place) - y(row, place)) * share,
            yaw: yaw(row, place) + Math.atan2(Math.sin(turn), Math.cos(turn)) * share,
            left: left(near, place),
            right: right(near, place),
        };
    };
}

/** All cars. @param {RoadFilm} film @param {number} time_s @returns {Car[]} */
function carsAt(film, time_s) {
    if (!film.cars) return [];
    const read = carReader(film, film.cars, time_s);
    return film.cars.owners.map((_, place) => read(place)).filter(({ x }) => !Number.isNaN(x));
}

/** The numbers of the cars that have hit something: by the row, or by an event before it. @param {RoadFilm} film
 * @param {{ begin_s: number, robot: number }[]} spans @param {number} time_s */
function collidedAt(film, spans, time_s) {
    const collided = new Set(spans.filter(({ begin_s }) => begin_s <= time_s + 1e-9).map(({ robot }) => robot));
    const { row } = film.at(time_s);
    film.cars?.owners.forEach((id, place) => film.cars?.text('status', row, place) === 'collision' && collided.add(id));
    return collided;
}

/** A place that is given in a car's or a lidar's axes. @param {{ x: number, y: number, yaw: number }} frame @param {number} forward
 * @param {number} left @returns {Place} */
function placeIn({ x, y, yaw }, forward, left) {
    const [cos, sin] = [Math.cos(yaw), Math.sin(yaw)];
    return [x + cos * forward - sin * left, y + sin * forward + cos * left];
}

/** The newest scan of a car that has arrived, from where it was taken. @param {RoadFilm} film @param {Car} car @param {number} time_s
 * @returns {Seen | null} */
function seenBy(film, { id: car, place }, time_s) {
    const scans = film.scans.get(car);
    const lidar = film.setting.cars[car]?.sensors.lidar;
    if (!film.cars || !scans || !lidar || !(scans.arrived[0] <= time_s + 1e-4)) return null;
    const scan = lastAtOrBefore(scans.arrived, time_s);
    const pose = carReader(film, film.cars, scans.taken[scan])(place);
    const { mount, angle_min_deg, angle_max_deg, increment_deg } = lidar;
    const origin = placeIn(pose, mount.x_m, mount.y_m);
    const range = scans.ranges.reader('range_m');
    const first = pose.yaw + ((mount.yaw_deg + angle_min_deg) * Math.PI) / 180;
    const hits = scans.ranges.owners.map((ray, at) => {
        const range_m = range(scan, at);
        if (Number.isNaN(range_m)) return null;
        return placeIn({ x: origin[0], y: origin[1], yaw: first + (ray * increment_deg * Math.PI) / 180 }, range_m, 0);
    });
    return { car, origin, hits, isFullTurn: angle_max_deg - angle_min_deg > 360 - increment_deg / 2 };
}

/** Draws scenes of the road. */
export class RoadPainter extends Painter {
    /** @param {RoadScene} scene */
    draw(scene) {
        const { view, theme, film, layers, followed, bodies } = scene;
        const { context } = this;
        context.clearRect(0, 0, view.size.width, view.size.height);
        this.floor(scene);
        const seen = layers.scans ? bodies.cars.flatMap((car) => seenBy(film, car, scene.time_s) ?? []) : [];
        const strength = SEEN * Math.min(scene.theme.series.length / seen.length, 1);
        for (const scan of seen) this.room(scene, scan, strength);
        this.walls(scene);
        if (layers.trails) for (const car of bodies.cars) this.trail(scene, car);
        for (const car of bodies.cars) this.car(scene, car, bodies.collided.has(car.id));
        for (const scan of seen) this.hits(scene, scan);
        const car = followed && bodies.cars.find(({ place }) => place === followed.place);
        if (!car) return;
        context.strokeStyle = theme.follow;
        context.lineWidth = 2.5;
        context.beginPath();
        context.arc(view.px(car.x), view.py(car.y), Math.max(this.reach(film.setting.cars[car.id].params) * view.scale * 1.15, 11), 0, 7);
        context.stroke();
    }

    /** Farthest that a car is from its base point, m. @param {CarParams} params */
    reach({ body_length_m, body_width_m, base_to_rear_bumper_m }) {
        return Math.hypot(Math.max(base_to_rear_bumper_m, body_length_m - base_to_rear_bumper_m), body_width_m / 2);
    }

    /** @param {View} view @param {Place[][]} rings @param {boolean} closed */
    outlines(view, rings, closed) {
        const path = new Path2D();
        for (const ring of rings) {
            ring.forEach(([x, y], n) => (n ? path.lineTo(view.px(x), view.py(y)) : path.moveTo(view.px(x), view.py(y))));
            if (closed) path.closePath();
        }
        return path;
    }

    /** The plane, what of it is solid, and the grid. @param {RoadScene} scene */
    floor({ view, theme, film, bodies }) {
        const { context } = this;
        const { x, y, width, height } = view.plane;
        const { floor_m, solid_m } = film.setting.map;
        const [left, top] = [view.px(x), view.py(y + height)];
        context.fillStyle = floor_m.length ? theme.line : theme.mat;
        context.fillRect(left, top, width * view.scale, height * view.scale);
        context.fillStyle = floor_m.length ? theme.mat : theme.line;
        context.fill(this.outlines(view, floor_m.length ? floor_m : solid_m, true), 'evenodd');
        const rough = (GRID_PX * this.type) / (view.scale / view.zoom);
        const power = 10 ** Math.floor(Math.log10(rough));
        this.gridLines({ view, theme }, [1, 2, 5, 10].map((n) => n * power).find((step) => step >= rough) ?? rough, 'm');
        context.strokeStyle = bodies.collided.size ? theme.alarm : theme.frame;
        context.lineWidth = bodies.collided.size ? 5 : 1.5;
        context.strokeRect(left, top, width * view.scale, height * view.scale);
    }

    /** @param {RoadScene} scene */
    walls({ view, theme, film }) {
        const { walls_m, floor_m, solid_m } = film.setting.map;
        this.context.strokeStyle = theme.ink;
        this.context.lineWidth = 1.8;
        this.context.lineJoin = 'round';
        this.context.stroke(this.outlines(view, [...floor_m, ...solid_m], true));
        this.context.stroke(this.outlines(view, walls_m, false));
    }

    /** The room that the rays passed. @param {RoadScene} scene @param {Seen} scan @param {number} strength */
    room({ view, theme }, { car, origin, hits, isFullTurn }, strength) {
        const { context } = this;
        const corners = hits.map((hit) => hit ?? origin);
        context.fillStyle = theme.series[car % theme.series.length];
        context.globalAlpha = strength;
        context.fill(this.outlines(view, [isFullTurn ? corners : [origin, ...corners]], true));
        context.globalAlpha = 1;
    }

    /** A point where each ray ended. @param {RoadScene} scene @param {Seen} scan */
    hits({ view, theme }, { car, hits }) {
        this.context.fillStyle = theme.series[car % theme.series.length];
        for (const hit of hits) if (hit) this.context.fillRect(view.px(hit[0]) - 1.3, view.py(hit[1]) - 1.3, 2.6, 2.6);
    }

    /** The way of the last seconds, fading. @param {RoadScene} scene @param {Car} car */
    trail({ view, theme, film, time_s }, car) {
        const { context } = this;
        const table = /** @type {Table} */ (film.cars);
        const [x, y] = ['x_m', 'y_m'].map((name) => table.reader(name));
        const [first, last] = [film.at(time_s - CAR_TRAIL_S).row, film.at(time_s).row];
        context.strokeStyle = theme.series[car.id % theme.series.length];
        context.lineWidth = 2;
        for (let part = 0; part < TRAIL_PARTS; part += 1) {
            const [from, to] = [part, part + 1].map((at) => first + Math.round(((last - first) * at) / TRAIL_PARTS));
            context.globalAlpha = 0.25 + 0.2 * part;
            context.beginPath();
            for (let row = from; row <= to; row += 1) context.lineTo(view.px(x(row, car.place)), view.py(y(row, car.place)));
            if (part === TRAIL_PARTS - 1) context.lineTo(view.px(car.x), view.py(car.y));
            context.stroke();
        }
        context.globalAlpha = 1;
    }

    /** Its outline with its wheels, as large as it is. @param {RoadScene} scene @param {Car} car @param {boolean} isAlarm */
    car({ view, theme, film, layers }, car, isAlarm) {
        const { context } = this;
        const { params } = film.setting.cars[car.id];
        const { body_length_m: length, body_width_m: width, base_to_rear_bumper_m, base_to_rear_axle_m, wheel_radius_m } = params;
        const [px, py] = [view.px(car.x), view.py(car.y)];
        const colour = theme.series[car.id % theme.series.length];
        const [body, mark] = isAlarm ? [theme.alarm, theme.onAlarm] : [theme.robot, theme.onRobot];
        if (isAlarm || length * view.scale < LEAST_CAR_PX) {
            context.strokeStyle = isAlarm ? theme.alarm : colour;
            context.lineWidth = isAlarm ? 4 : 2;
            context.beginPath();
            context.arc(px, py, isAlarm ? 0.75 * length * view.scale + 8 : LEAST_CAR_PX / 2, 0, 7);
            context.stroke();
        }
        /** A box in the axes of something. @type {(frame: { x: number, y: number, yaw: number }, from: Place, to: Place) => Place[]} */
        const box = (frame, [back, right], [front, left]) =>
            /** @type {Place[]} */ ([[back, right], [front, right], [front, left], [back, left]]).map(([u, v]) => placeIn(frame, u, v));
        const [back, front] = [-base_to_rear_bumper_m, length - base_to_rear_bumper_m];
        const hull = this.outlines(view, [box(car, [back, -width / 2], [front, width / 2])], true);
        const nose = this.outlines(view, [box(car, [front - 0.12 * length, -width / 2], [front, width / 2])], true);
        const wheels = [0, 1, 2, 3].map((n) => {
            const isFront = n > 1;
            const side = (n % 2 ? -1 : 1) * 0.5 * params.track_m;
            const [x, y] = placeIn(car, (isFront ? params.wheelbase_m : 0) - base_to_rear_axle_m, side);
            const yaw = car.yaw + (isFront ? (n % 2 ? car.right : car.left) : 0);
            return box({ x, y, yaw }, [-wheel_radius_m, -params.wheel_width_m / 2], [wheel_radius_m, params.wheel_width_m / 2]);
        });
        context.fillStyle = body;
        context.fill(hull);
        context.fillStyle = isAlarm ? mark : colour;
        context.fill(nose);
        context.fillStyle = mark;
        context.fill(this.outlines(view, wheels, true));
        context.strokeStyle = mark;
        context.lineWidth = Math.min(0.04 * length * view.scale, 1.5);
        context.stroke(hull);
        const size = 0.8 * width * view.scale;
        if (!layers.ids || size < 6.5) return;
        const [middle_x, middle_y] = placeIn(car, 0.46 * (back + front), 0);
        context.font = `700 ${size}px system-ui, sans-serif`;
        context.textAlign = 'center';
        context.textBaseline = 'middle';
        context.fillStyle = mark;
        context.fillText(String(car.id), view.px(middle_x), view.py(middle_y));
    }
}

/** @type {World<RoadSetting>} */
export const ROAD = {
    plane: 'the road',
    bodies: 'a car',
    together: 'Click a car to follow it and to see its numbers.',
    layers: [
        { key: 's', layer: 'scans', name: 'Scans', title: 'The newest scan of each lidar, from where it was taken' },
        { key: 't', layer: 'trails', name: 'Trails', title: 'The way of the last ten seconds' },
        { key: 'i', layer: 'ids', name: 'Numbers', title: 'Numbers of cars' },
    ],
    first: { kind: 'car', place: 0 },
    painter: (canvas) => new RoadPainter(canvas),
    planeOf: ({ area_m: [[x, y], [right, top]] }) => ({ x, y, width: right - x, height: top - y, up: true }),
    has: (film) => ({ scans: film.scans.size > 0, trails: true, ids: true }),
    depthOf: () => 1,
    // A car that has hit something stays as it is: the moment is marked.
    spans: (events) =>
        events
            .filter(({ kind, subject }) => kind === 'collision' && /^car \d+$/.test(subject))
            .map(({ time_s, subject }) => ({
                begin_s: time_s,
                end_s: time_s,
                robot: Number(subject.slice(4)),
                kind: 'collision',
                other: NaN,
                least_mm: NaN,
            })),
    everybody: (film, time_s) => carsAt(film, time_s).map(({ place, x, y }) => ({ kind: 'car', place, x, y })),
    reach: ({ setting }) => Math.max(...setting.cars.map(({ params }) => params.body_length_m)),
    scene(film, spans, time_s) {
        const collided = collidedAt(film, spans, time_s);
        const names = [...collided].sort((a, b) => a - b);
        const who = names.length > 4 ? `${names.length} cars` : `car${names.length > 1 ? 's' : ''} ${names.join(', ')}`;
        return { bodies: { cars: carsAt(film, time_s), collided }, links: [], banner: names.length ? `Collision: ${who}` : '' };
    },
    tables: ({ cars }) => [{ kind: 'car', table: cars }],
    isBroken: (_, column, table, row, place) => column === 'status' && table.text(column, row, place) === 'collision',
    plotsEachOfThem: true,
    plots: () => [
        { title: 'Speed', unit: 'm/s', column: 'speed_m_s' },
        { title: 'Turn rate, left +', unit: 'rad/s', column: 'yaw_rate_rad_s' },
        { title: 'Steering, left +', unit: 'rad', column: 'steer_rad' },
        { title: 'Nearest in the scan', unit: 'm', column: 'nearest_m' },
    ],
};
