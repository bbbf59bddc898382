// The picture: a moment of a film on a canvas, layer by layer.
/** @import { Film, Table, Sheet } from './data.js' */
/** @import { Theme } from './colour.js' */
/** @import { View } from './view.js' */
import { MAP_COLOURS, mapIndex } from './colour.js';
import { covariance, emptyGrid, fillGrid, footMotion, gaussiansAt, patchesAt } from './field.js';

/**
 * @typedef {{ place: number, id: number, x: number, y: number, heading: number, vx: number, vy: number, nearest: number,
 *   foot: number }} Body
 * @typedef {{ kind: 'robot' | 'foot' | 'cube', place: number }} Followed
 * @typedef {Record<'heat' | 'patches' | 'ellipses' | 'limits' | 'trails' | 'vectors' | 'ids', boolean>} Layers
 * @typedef {{ film: Film, view: View, theme: Theme, layers: Layers, followed: Followed | null, time_s: number,
 *   depth: number, alarmed: Set<number> }} Scene depth: the potential that has the last colour of the map; alarmed: robots that are too
 *   near to somebody now or between the rows
 */

/** Times ahead for which the ellipses stand, s. */
const ELLIPSES_S = [0, 0.2, 0.4, 0.6];

/** Length of the trails, s. */
const TRAIL_S = 2;

/** Length of a velocity vector: the way of this time, s. */
const VECTOR_S = 0.25;

/** Moments that are looked at to find the largest potential. */
const DEPTH_MOMENTS = 12;

/** Distances in mm that count as kept although they are this much shorter. */
const TOLERANCE_MM = 1e-6;

/** Robots above which the costly details (ids, trails) are drawn only when zoomed in. */
const MANY = 200;

/** Where robots are between two rows: places straight on, headings the short way. @param {Film} film @param {number} time_s */
export function robotsAt(film, time_s) {
    return film.agents ? bodiesAt(film, film.agents, 'heading_rad', time_s) : [];
}

/** @param {Film} film @param {number} time_s */
export function cubesAt(film, time_s) {
    return film.cubes ? bodiesAt(film, film.cubes, 'yaw_rad', time_s) : [];
}

/** @param {Film} film @param {Table} table @param {string} heading name of the column @param {number} time_s @returns {Body[]} */
function bodiesAt(film, table, heading, time_s) {
    const { row, next, share } = film.at(time_s);
    const names = ['x_mm', 'y_mm', heading, 'vx_mm_s', 'vy_mm_s', 'nearest_agent_mm', 'nearest_foot_mm'];
    const [x, y, turned, vx, vy, nearest, foot] = names.map((name) => table.reader(name));
    /** @type {Body[]} */
    const bodies = [];
    table.owners.forEach((id, place) => {
        if (Number.isNaN(x(row, place))) return;
        const to = Number.isNaN(x(next, place)) ? row : next;
        const turn = turned(to, place) - turned(row, place);
        bodies.push({
            place,
            id,
            x: x(row, place) + (x(to, place) - x(row, place)) * share,
            y: y(row, place) + (y(to, place) - y(row, place)) * share,
            heading: turned(row, place) + Math.atan2(Math.sin(turn), Math.cos(turn)) * share,
            vx: vx(row, place),
            vy: vy(row, place),
            nearest: nearest(row, place),
            foot: foot(row, place),
        });
    });
    return bodies;
}

/** @param {Film} film @param {number} time_s */
export function feetAt(film, time_s) {
    const { feet } = film;
    if (!feet) return [];
    const { row } = film.at(time_s);
    return feet.owners
        .map((id, place) => ({
            id,
            place,
            state: feet.has('state') ? feet.text('state', row, place) : '',
            ...footMotion(film, feet, place, time_s),
        }))
        .filter(({ x }) => !Number.isNaN(x));
}

/** True if a body is nearer to somebody than it may be, in its row of the table. @param {Film} film @param {Body} body */
export function isTooNear({ setting }, body) {
    return body.nearest < setting.d_r_mm - TOLERANCE_MM || body.foot < setting.d_h_mm - TOLERANCE_MM;
}

/** Draws scenes on one canvas. */
export class Painter {
    /** @param {HTMLCanvasElement} canvas */
    constructor(canvas) {
        this.canvas = canvas;
        this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
        this.heat = document.createElement('canvas');
        /** @type {{ film: Film | null, time_s: number, theme: Theme | null }} */
        this.heatOf = { film: null, time_s: NaN, theme: null };
    }

    /** Fits the canvas to its place on the page. @param {View} view */
    resize(view) {
        const { clientWidth: width, clientHeight: height } = this.canvas;
        const ratio = Math.min(window.devicePixelRatio || 1, 2);
        view.size = { width, height };
        this.canvas.width = Math.round(width * ratio);
        this.canvas.height = Math.round(height * ratio);
        this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    }

    /** Draws a scene; says where the robots are. @param {Scene} scene */
    draw(scene) {
        const { context } = this;
        const { view, film, layers, time_s } = scene;
        context.clearRect(0, 0, view.size.width, view.size.height);
        const robots = robotsAt(film, time_s);
        const cubes = cubesAt(film, time_s);
        const feet = feetAt(film, time_s);
        this.mat(scene);
        if (layers.patches) this.patches(scene);
        if (layers.ellipses) for (const foot of feet) this.ellipses(scene, foot.place);
        if (layers.trails) this.trails(scene, film.agents ?? film.cubes, robots.length ? robots : cubes);
        if (layers.limits) {
            this.circles(scene, feet, film.setting.d_h_mm, [6, 5]);
            this.circles(scene, robots, film.setting.d_r_mm / 2, []);
        }
        this.robots(scene, robots, cubes.length > 0 && robots.length > 0);
        if (cubes.length) this.cubes(scene, cubes);
        if (layers.vectors) this.vectors(scene, [...robots, ...feet]);
        for (const foot of feet) this.foot(scene, foot);
        this.alarms(scene, robots, feet);
        if (layers.ids) this.ids(scene, robots.length ? robots : cubes);
        this.followed(scene, robots, feet, cubes);
        return robots;
    }

    /** @param {Scene} scene */
    mat(scene) {
        const { context } = this;
        const { view, theme, film, layers } = scene;
        const { width_mm, height_mm, sheets, walls, field } = film.setting;
        const [left, top, width, height] = [view.px(0), view.py(0), width_mm * view.scale, height_mm * view.scale];
        context.fillStyle = theme.mat;
        context.fillRect(left, top, width, height);
        if (layers.heat && (film.feet || film.patches) && field.lambda_rho > 0) {
            this.refreshHeat(scene);
            const { width: columns, height: rows } = this.heat;
            const [cell_x, cell_y] = [width / (columns - 1), height / (rows - 1)];
            context.save();
            context.beginPath();
            context.rect(left, top, width, height);
            context.clip();
            context.imageSmoothingEnabled = true;
            context.drawImage(this.heat, left - cell_x / 2, top - cell_y / 2, width + cell_x, height + cell_y);
            context.restore();
        }
        this.gridLines(scene);
        sheets.forEach((sheet) => this.sheet(scene, sheet));
        context.strokeStyle = theme.ink;
        context.lineWidth = 3;
        for (const { from_mm, to_mm } of walls) this.line(view, from_mm, to_mm);
        context.strokeStyle = theme.frame;
        context.lineWidth = 1.5;
        context.strokeRect(left, top, width, height);
    }

    /** @param {Scene} scene */
    gridLines({ view, theme, film }) {
        const { context } = this;
        const { width_mm, height_mm } = film.setting;
        const every_mm = Math.max(width_mm, height_mm) > 1000 ? 200 : 50;
        context.strokeStyle = theme.grid;
        context.lineWidth = 1;
        context.fillStyle = theme.dim;
        context.font = '10px system-ui, sans-serif';
        context.textAlign = 'center';
        context.textBaseline = 'top';
        for (let x = 0; x <= width_mm; x += 2 * every_mm) context.fillText(String(x), view.px(x), view.py(height_mm) + 4);
        context.textAlign = 'right';
        context.textBaseline = 'middle';
        for (let y = 2 * every_mm; y <= height_mm && view.px(0) > 24; y += 2 * every_mm)
            context.fillText(String(y), view.px(0) - 6, view.py(y));
        context.beginPath();
        for (let x = every_mm; x < width_mm; x += every_mm) {
            context.moveTo(view.px(x), view.py(0));
            context.lineTo(view.px(x), view.py(height_mm));
        }
        for (let y = every_mm; y < height_mm; y += every_mm) {
            context.moveTo(view.px(0), view.py(y));
            context.lineTo(view.px(width_mm), view.py(y));
        }
        context.stroke();
    }

    /** @param {View} view @param {[number, number]} from_mm @param {[number, number]} to_mm */
    line(view, from_mm, to_mm) {
        this.context.beginPath();
        this.context.moveTo(view.px(from_mm[0]), view.py(from_mm[1]));
        this.context.lineTo(view.px(to_mm[0]), view.py(to_mm[1]));
        this.context.stroke();
    }

    /** A printed mat or a card. @param {Scene} scene @param {Sheet} sheet */
    sheet({ view, theme }, sheet) {
        const { context } = this;
        const [width, height] = [sheet.width_mm * view.scale, sheet.height_mm * view.scale];
        context.save();
        context.translate(view.px(sheet.x_mm), view.py(sheet.y_mm));
        context.rotate(sheet.yaw_rad);
        context.fillStyle = theme.dark ? 'rgba(255,255,255,0.05)' : 'rgba(0,0,0,0.04)';
        context.strokeStyle = theme.frame;
        context.lineWidth = 1;
        context.fillRect(-width / 2, -height / 2, width, height);
        context.strokeRect(-width / 2, -height / 2, width, height);
        if (width > 40) {
            context.fillStyle = theme.dim;
            context.font = '11px system-ui, sans-serif';
            context.textAlign = 'left';
            context.textBaseline = 'top';
            context.fillText(sheet.label, 5 - width / 2, 5 - height / 2, width - 10);
        }
        context.restore();
    }

    /** Computes the picture of the potential anew if anything it shows has changed. @param {Scene} scene */
    refreshHeat({ film, theme, time_s, depth }) {
        if (this.heatOf.film === film && this.heatOf.time_s === time_s && this.heatOf.theme === theme) return;
        if (this.heatOf.film !== film) {
            const { field, width_mm, height_mm } = film.setting;
            this.grid = emptyGrid(field, width_mm, height_mm);
            this.image = new ImageData(this.grid.columns, this.grid.rows);
            this.heat.width = this.grid.columns;
            this.heat.height = this.grid.rows;
            this.colours = null;
        }
        if (this.heatOf.theme !== theme || !this.colours) this.colours = wordsOf(theme.map);
        this.heatOf = { film, time_s, theme };
        const { grid, image, colours } = this;
        if (!grid || !image) return;
        fillGrid(grid, gaussiansAt(film, time_s));
        const pixels = new Uint32Array(image.data.buffer);
        for (let node = 0; node < pixels.length; node += 1) pixels[node] = colours[mapIndex(grid.values[node] / depth)];
        /** @type {CanvasRenderingContext2D} */ (this.heat.getContext('2d')).putImageData(image, 0, 0);
    }

    /** @param {Scene} scene */
    patches({ view, theme, film, time_s }) {
        const { context } = this;
        const { width_mm, height_mm } = film.setting;
        context.save();
        context.beginPath();
        context.rect(view.px(0), view.py(0), width_mm * view.scale, height_mm * view.scale);
        context.clip();
        context.strokeStyle = theme.patch;
        context.lineWidth = 1.25;
        for (const { x, y, sigma_mm, peak } of patchesAt(film, time_s)) {
            context.globalAlpha = Math.min(0.25 + 2 * peak, 0.9);
            context.beginPath();
            context.arc(view.px(x), view.py(y), sigma_mm * view.scale, 0, 2 * Math.PI);
            context.stroke();
        }
        context.restore();
    }

    /** One standard deviation of a foot's well, now and in the times to come. @param {Scene} scene @param {number} foot its place */
    ellipses({ view, theme, film, time_s }, foot) {
        const { context } = this;
        const feet = /** @type {Table} */ (film.feet);
        context.strokeStyle = theme.foot;
        context.lineWidth = 1.25;
        ELLIPSES_S.forEach((tau_s, n) => {
            const { x, y, vx, vy } = footMotion(film, feet, foot, time_s + tau_s);
            const axes = principalAxes(covariance(film.setting.field, vx, vy));
            context.globalAlpha = 0.95 - 0.22 * n;
            context.beginPath();
            context.ellipse(view.px(x), view.py(y), axes.long * view.scale, axes.short * view.scale, axes.angle, 0, 2 * Math.PI);
            context.stroke();
        });
        context.globalAlpha = 1;
    }

    /**
     * Circles of one size.
     * @param {Scene} scene @param {{ x: number, y: number }[]} bodies @param {number} radius_mm @param {number[]} dash
     */
    circles({ view, theme }, bodies, radius_mm, dash) {
        const { context } = this;
        const radius = radius_mm * view.scale;
        context.strokeStyle = theme.limit;
        context.lineWidth = 1;
        context.setLineDash(dash);
        for (const { x, y } of bodies) {
            context.beginPath();
            context.arc(view.px(x), view.py(y), radius, 0, 2 * Math.PI);
            context.stroke();
        }
        context.setLineDash([]);
    }

    /** The way of the last seconds, fading. @param {Scene} scene @param {Table | null} table @param {Body[]} bodies */
    trails({ view, theme, film, time_s }, table, bodies) {
        if (!table || (bodies.length > MANY && view.zoom < 3)) return;
        const { context } = this;
        const first = film.at(time_s - TRAIL_S).row;
        const { row } = film.at(time_s);
        const every = Math.max(1, Math.ceil((row - first) / 24));
        context.lineWidth = 1.5;
        for (let part = 0; part < 3; part += 1) {
            const [from, to] = [first + ((row - first) * part) / 3, first + ((row - first) * (part + 1)) / 3].map(Math.round);
            context.strokeStyle = `rgba(${theme.trail},${0.16 + 0.18 * part})`;
            context.beginPath();
            for (const body of bodies) {
                context.moveTo(view.px(table.number('x_mm', from, body.place)), view.py(table.number('y_mm', from, body.place)));
                for (let at = from + every; at < to; at += every) {
                    context.lineTo(view.px(table.number('x_mm', at, body.place)), view.py(table.number('y_mm', at, body.place)));
                }
                context.lineTo(view.px(table.number('x_mm', to, body.place)), view.py(table.number('y_mm', to, body.place)));
                if (part === 2) context.lineTo(view.px(body.x), view.py(body.y));
            }
            context.stroke();
        }
    }

    /** Outlines with a mark at the front; where cubes are drawn as well, these are only their centres. @param {Scene} scene
     * @param {Body[]} robots @param {boolean} asCubes */
    robots({ view, theme, film }, robots, asCubes) {
        if (asCubes) return;
        const { context } = this;
        const half = film.setting.robot_mm / 2;
        const bodies = new Path2D();
        const fronts = new Path2D();
        for (const robot of robots) addOutline(bodies, fronts, view, robot, half);
        context.fillStyle = theme.robot;
        context.fill(bodies);
        context.strokeStyle = theme.robotEdge;
        context.lineWidth = 1;
        context.stroke(bodies);
        context.fillStyle = theme.mat;
        context.fill(fronts);
    }

    /** Bodies with the colour of their lamp; tilted ones look shorter, lifted ones larger. @param {Scene} scene @param {Body[]} cubes */
    cubes({ view, theme, film, time_s }, cubes) {
        const { context } = this;
        const table = /** @type {Table} */ (film.cubes);
        const { row } = film.at(time_s);
        for (const cube of cubes) {
            const of = (/** @type {string} */ name) => table.number(name, row, cube.place);
            const size = film.setting.robot_mm * view.scale * (1 + Math.min(Math.max(of('z_mm'), 0) / 400, 0.3));
            context.save();
            context.translate(view.px(cube.x), view.py(cube.y));
            context.rotate(cube.heading);
            context.scale(Math.max(Math.abs(Math.cos(of('pitch_rad'))), 0.3), Math.max(Math.abs(Math.cos(of('roll_rad'))), 0.3));
            context.beginPath();
            context.roundRect(-size / 2, -size / 2, size, size, size / 8);
            context.fillStyle = theme.dark ? '#dfe4ea' : '#f4f6f8';
            context.fill();
            context.lineWidth = of('z_mm') > 1 ? 3 : 1.25;
            context.strokeStyle = of('z_mm') > 1 ? theme.follow : theme.dark ? '#ffffff' : '#2a3138';
            context.stroke();
            const lamp = [of('led_r'), of('led_g'), of('led_b')];
            context.fillStyle = lamp.some((part) => part > 0) ? `rgb(${lamp.join(',')})` : '#39424c';
            context.beginPath();
            context.roundRect(size * 0.16, -size * 0.32, size * 0.2, size * 0.64, size * 0.1);
            context.fill();
            if (!Number.isNaN(of('sound'))) this.note(size);
            context.restore();
        }
    }

    /** The sign that a cube plays. @param {number} size of the cube in pixels */
    note(size) {
        this.context.fillStyle = '#39424c';
        this.context.font = `${Math.round(size * 0.5)}px system-ui, sans-serif`;
        this.context.textAlign = 'center';
        this.context.textBaseline = 'middle';
        this.context.fillText('♪', -size * 0.15, 0);
    }

    /** @param {Scene} scene @param {{ x: number, y: number, vx: number, vy: number }[]} bodies */
    vectors({ view, theme }, bodies) {
        const { context } = this;
        const path = new Path2D();
        for (const { x, y, vx, vy } of bodies) {
            if (!(Math.hypot(vx, vy) * VECTOR_S * view.scale > 2)) continue;
            addArrow(path, [view.px(x), view.py(y)], [view.px(x + vx * VECTOR_S), view.py(y + vy * VECTOR_S)]);
        }
        context.lineWidth = 4;
        context.strokeStyle = theme.mat;
        context.stroke(path);
        context.lineWidth = 2;
        context.strokeStyle = theme.vector;
        context.stroke(path);
    }

    /** @param {Scene} scene @param {{ id: number, state: string, x: number, y: number }} foot */
    foot({ view, theme, layers, film }, { id, state, x, y }) {
        const { context } = this;
        context.fillStyle = theme.foot;
        context.strokeStyle = theme.mat;
        context.lineWidth = 2;
        context.beginPath();
        context.arc(view.px(x), view.py(y), Math.max(7 * view.scale, 3), 0, 2 * Math.PI);
        context.fill();
        context.stroke();
        if (!layers.ids || (film.feet?.owners.length ?? 0) > 12) return;
        this.label(
            theme,
            [`foot ${id}`, state.replace('_', ' ')].filter(Boolean).join(' · '),
            view.px(x),
            view.py(y) + 10 * view.scale + 9,
            theme.foot,
        );
    }

    /** @param {Theme} theme @param {string} text @param {number} px @param {number} py @param {string} colour */
    label(theme, text, px, py, colour) {
        const { context } = this;
        context.font = '600 12px system-ui, sans-serif';
        context.textAlign = 'center';
        context.textBaseline = 'middle';
        context.lineWidth = 3;
        context.lineJoin = 'round';
        context.strokeStyle = theme.mat;
        context.strokeText(text, px, py);
        context.fillStyle = colour;
        context.fillText(text, px, py);
    }

    /** Whoever is too near to somebody, with the distance. @param {Scene} scene @param {Body[]} robots
     * @param {{ place: number, x: number, y: number }[]} feet */
    alarms({ view, theme, film, alarmed }, robots, feet) {
        const { context } = this;
        for (const robot of robots.filter((body) => alarmed.has(body.id) || isTooNear(film, body))) {
            const byFoot = robot.foot < film.setting.d_h_mm - TOLERANCE_MM;
            /** @type {{ x: number, y: number, place: number, nearest?: number } | undefined} */
            const other = nearestTo(robot, byFoot ? feet : robots.filter((body) => body !== robot));
            const size = film.setting.robot_mm * view.scale * 0.78;
            context.strokeStyle = theme.alarm;
            context.fillStyle = theme.alarm;
            context.lineWidth = 4;
            context.beginPath();
            context.arc(view.px(robot.x), view.py(robot.y), size, 0, 2 * Math.PI);
            context.stroke();
            context.globalAlpha = 0.35;
            context.fill();
            context.globalAlpha = 1;
            // Two that are nearest to each other have one line.
            if (!other || !isTooNear(film, robot) || (!byFoot && other.place < robot.place && other.nearest === robot.nearest)) continue;
            this.line(view, [robot.x, robot.y], [other.x, other.y]);
            const text = `${(byFoot ? robot.foot : robot.nearest).toFixed(1)} mm`;
            this.label(theme, text, view.px((robot.x + other.x) / 2), view.py((robot.y + other.y) / 2) - 12, theme.alarm);
        }
    }

    /** @param {Scene} scene @param {Body[]} bodies */
    ids({ view, theme, film }, bodies) {
        const size = Math.min(film.setting.robot_mm * view.scale * 0.42, 15);
        if (size < 7) return;
        const { context } = this;
        context.font = `600 ${size}px system-ui, sans-serif`;
        context.textAlign = 'center';
        context.textBaseline = 'middle';
        context.fillStyle = film.cubes ? '#1b2026' : theme.mat;
        for (const { id, x, y, heading } of bodies) {
            const back = film.setting.robot_mm * view.scale * 0.12;
            context.fillText(String(id), view.px(x) - back * Math.cos(heading), view.py(y) - back * Math.sin(heading));
        }
    }

    /** @param {Scene} scene @param {Body[]} robots @param {{ place: number, x: number, y: number }[]} feet @param {Body[]} cubes */
    followed({ view, theme, film, followed }, robots, feet, cubes) {
        if (!followed) return;
        const list = { robot: robots, foot: feet, cube: cubes }[followed.kind];
        const body = list.find(({ place }) => place === followed.place);
        if (!body) return;
        const { context } = this;
        context.strokeStyle = theme.follow;
        context.lineWidth = 2.5;
        context.beginPath();
        context.arc(view.px(body.x), view.py(body.y), Math.max(film.setting.robot_mm * 0.85 * view.scale, 9), 0, 2 * Math.PI);
        context.stroke();
    }
}

/** What the last colours of the map stand for: all but the largest fiftieth of some moments stay within. @param {Film} film */
export function depthOf(film) {
    const { field, width_mm, height_mm } = film.setting;
    const grid = emptyGrid({ ...field, cell_mm: 2 * field.cell_mm }, width_mm, height_mm);
    const all = new Float32Array(grid.values.length * DEPTH_MOMENTS);
    for (let n = 0; n < DEPTH_MOMENTS; n += 1) {
        fillGrid(grid, gaussiansAt(film, film.start_s + ((n + 0.5) / DEPTH_MOMENTS) * (film.end_s - film.start_s)));
        all.set(grid.values.map(Math.abs), n * grid.values.length);
    }
    const most = all.sort()[Math.floor(0.98 * (all.length - 1))];
    const tenth = 10 ** Math.floor(Math.log10(most || 1));
    return Math.ceil(most / tenth) * tenth || 1;
}

/** The map's colours as whole pixels. @param {Uint8ClampedArray} map */
function wordsOf(map) {
    const words = new Uint32Array(MAP_COLOURS);
    const bytes = new Uint8ClampedArray(words.buffer);
    for (let i = 0; i < MAP_COLOURS; i += 1) bytes.set([map[3 * i], map[3 * i + 1], map[3 * i + 2], 255], 4 * i);
    return words;
}

/** @param {{ xx: number, xy: number, yy: number }} spread */
function principalAxes({ xx, xy, yy }) {
    const middle = (xx + yy) / 2;
    const half = Math.hypot((xx - yy) / 2, xy);
    return { long: Math.sqrt(middle + half), short: Math.sqrt(Math.max(middle - half, 0)), angle: 0.5 * Math.atan2(2 * xy, xx - yy) };
}

/** @param {Path2D} bodies @param {Path2D} fronts @param {View} view @param {Body} body @param {number} half side in mm */
function addOutline(bodies, fronts, view, { x, y, heading }, half) {
    const [px, py, along, across] = [view.px(x), view.py(y), half * view.scale * Math.cos(heading), half * view.scale * Math.sin(heading)];
    const corner = (/** @type {number} */ u, /** @type {number} */ v) => [px + u * along - v * across, py + u * across + v * along];
    const polygon = (/** @type {Path2D} */ path, /** @type {number[][]} */ points) => {
        points.forEach(([u, v], n) => {
            const [cx, cy] = corner(u, v);
            if (n === 0) path.moveTo(cx, cy);
            else path.lineTo(cx, cy);
        });
        path.closePath();
    };
    polygon(bodies, [
        [1, 0.85],
        [0.85, 1],
        [-0.85, 1],
        [-1, 0.85],
        [-1, -0.85],
        [-0.85, -1],
        [0.85, -1],
        [1, -0.85],
    ]);
    polygon(fronts, [
        [0.85, 0],
        [0.5, 0.45],
        [0.5, -0.45],
    ]);
}

/** @param {Path2D} path @param {[number, number]} from @param {[number, number]} to */
function addArrow(path, from, to) {
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const length = Math.hypot(dx, dy);
    const head = Math.min(7, length * 0.5) / length;
    path.moveTo(from[0], from[1]);
    path.lineTo(to[0], to[1]);
    for (const side of [-1, 1]) {
        path.moveTo(to[0], to[1]);
        path.lineTo(to[0] - head * (dx - side * 0.5 * dy), to[1] - head * (dy + side * 0.5 * dx));
    }
}

/** @template {{ x: number, y: number }} T @param {{ x: number, y: number }} at @param {T[]} others @returns {T | undefined} */
export function nearestTo(at, others) {
    const distance = (/** @type {T} */ other) => Math.hypot(other.x - at.x, other.y - at.y);
    return others.reduce(
        (/** @type {T | undefined} */ best, other) => (!best || distance(other) < distance(best) ? other : best),
        undefined,
    );
}
