// The picture: a moment of a film on a canvas, layer by layer.
/** @import { Film as AnyFilm, MatSetting, Sheet, Table } from './data.js' */
/** @import { Link } from './alarms.js' */
/** @import { Theme } from './colour.js' */
/** @import { View } from './view.js' */
import { MAP_COLOURS, mapIndex } from './colour.js';
import { Painter } from './paint.js';
import { covariance, emptyGrid, fillGrid, footMotion, gaussiansAt, patchesAt } from './field.js';

/**
 * @typedef {AnyFilm<MatSetting>} Film
 * @typedef {{ place: number, id: number, x: number, y: number, heading: number, vx: number, vy: number, nearest: number,
 *   foot: number }} Body
 * @typedef {{ kind: 'robot' | 'foot' | 'cube' | 'car', place: number }} Followed
 * @typedef {Record<'heat' | 'patches' | 'ellipses' | 'limits' | 'scans' | 'trails' | 'vectors' | 'ids', boolean>} Layers
 * @typedef {{ place: number, id: number, state: string, x: number, y: number, vx: number, vy: number }} Foot
 * @typedef {{ robots: Body[], cubes: Body[], feet: Foot[] }} Bodies
 * @typedef {{ film: Film, view: View, theme: Theme, layers: Layers, followed: Followed | null, time_s: number,
 *   depth: number, bodies: Bodies, links: Link[] }} Scene depth: the potential that has the last colour of the map; links: who is too
 *   near to whom
 */

/** Times ahead for which the ellipses stand, s. */
const ELLIPSES_S = [0, 0.2, 0.4, 0.6];

/** Length of the trails, s. */
const TRAIL_S = 2;

/** Length of a velocity vector: the way of this time, s. */
const VECTOR_S = 0.25;

/** Moments that are looked at to find the largest potential. */
const DEPTH_MOMENTS = 12;

/** Radius of the disc that stands for a foot, mm. */
const FOOT_MM = 12;

/** Vectors begin this far from a robot's centre, just outside of its body, mm. */
const VECTOR_FROM_MM = 17.5;

/** Lamp and button of a cube are this far behind its middle, mm. */
const LAMP_BACK_MM = 11.1;

/** Cubes that are lifted less than this stand, mm. */
const LIFTED_MM = 1;

/** A robot's outline, in halves of its side ahead and to the right. */
const CORNERS = [
    [1, 0.8],
    [0.8, 1],
    [-0.8, 1],
    [-1, 0.8],
    [-1, -0.8],
    [-0.8, -1],
    [0.8, -1],
    [1, -0.8],
];

/** The bar just behind its front. */
const FRONT = [
    [0.74, -0.44],
    [0.74, 0.44],
];

/** Robots above which the costly details (ids, trails) are drawn only when zoomed in. */
const MANY = 200;

/** Everybody at a moment. @param {Film} film @param {number} time_s @returns {Bodies} */
export function bodiesAt(film, time_s) {
    return {
        robots: film.agents ? ownersAt(film, film.agents, 'heading_rad', time_s) : [],
        cubes: film.cubes ? ownersAt(film, film.cubes, 'yaw_rad', time_s) : [],
        feet: feetAt(film, time_s),
    };
}

/** Where they are between two rows: places straight on, headings the short way.
 * @param {Film} film @param {Table} table @param {string} heading name of the column @param {number} time_s @returns {Body[]} */
function ownersAt(film, table, heading, time_s) {
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

/** @param {Film} film @param {number} time_s @returns {Foot[]} */
function feetAt(film, time_s) {
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

/** Draws scenes of the mat. */
export class MatPainter extends Painter {
    /** @param {HTMLCanvasElement} canvas */
    constructor(canvas) {
        super(canvas);
        this.heat = document.createElement('canvas');
        /** @type {{ film: Film | null, time_s: number, theme: Theme | null }} */
        this.heatOf = { film: null, time_s: NaN, theme: null };
    }

    /** Draws a scene. @param {Scene} scene */
    draw(scene) {
        const { view, film, layers, bodies, theme } = scene;
        const { robots, cubes, feet } = bodies;
        this.context.clearRect(0, 0, view.size.width, view.size.height);
        this.mat(scene);
        if (layers.patches) this.patches(scene);
        if (layers.ellipses) for (const foot of feet) this.ellipses(scene, foot.place);
        if (layers.trails) this.trails(scene, film.agents ?? film.cubes, robots.length ? robots : cubes);
        if (layers.limits) {
            this.circles(scene, feet, film.setting.d_h_mm, theme.foot, [6, 5]);
            this.circles(scene, robots, film.setting.d_r_mm / 2, theme.limit, []);
        }
        const alarmed = new Set(scene.links.flatMap(({ robot, other, kind }) => (kind === 'foot' ? [robot.id] : [robot.id, other.id])));
        if (cubes.length) for (const cube of cubes) this.cube(scene, cube, alarmed.has(cube.id) && robots.length > 0);
        else this.robots(scene, robots, alarmed);
        for (const foot of feet) this.foot(scene, foot);
        this.alarms(scene);
        if (layers.vectors) this.vectors(scene);
        if (layers.ids) this.ids(scene, robots.length && !cubes.length ? robots : cubes, alarmed);
        this.followed(scene);
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
        this.gridLines(scene, Math.max(width_mm, height_mm) > 1000 ? 200 : 50, 'mm');
        context.save();
        context.beginPath();
        context.rect(left, top, width, height);
        context.clip();
        sheets.forEach((sheet) => this.sheet(scene, sheet));
        context.restore();
        context.strokeStyle = theme.ink;
        context.lineWidth = 3;
        for (const { from_mm, to_mm } of walls) this.line(view, from_mm, to_mm);
        context.strokeStyle = scene.links.length ? theme.alarm : theme.frame;
        context.lineWidth = scene.links.length ? 5 : 1.5;
        context.strokeRect(left, top, width, height);
    }

    /** A printed mat, with its name in its upper left corner, or a card, with its name in its middle.
     * @param {Scene} scene @param {Sheet} sheet */
    sheet({ view, theme }, sheet) {
        const { context } = this;
        const isCard = sheet.kind === 'card';
        const [width, height] = [sheet.width_mm * view.scale, sheet.height_mm * view.scale];
        const [middle_x, middle_y] = [view.px(sheet.x_mm), view.py(sheet.y_mm)];
        context.save();
        context.translate(middle_x, middle_y);
        context.rotate(sheet.yaw_rad);
        context.fillStyle = theme.ink;
        context.globalAlpha = isCard ? 0.14 : 0.05;
        context.fillRect(-width / 2, -height / 2, width, height);
        context.globalAlpha = 1;
        context.strokeStyle = isCard ? theme.patch : theme.frame;
        context.lineWidth = isCard ? 1.5 : 1;
        context.strokeRect(-width / 2, -height / 2, width, height);
        context.restore();
        context.fillStyle = isCard ? theme.patch : theme.dim;
        context.font = this.font(11);
        if (isCard) {
            context.textAlign = 'center';
            context.textBaseline = 'middle';
            if (width > 16) context.fillText(sheet.label, middle_x, middle_y, 0.94 * width);
            return;
        }
        const [cos, sin] = [Math.abs(Math.cos(sheet.yaw_rad)), Math.abs(Math.sin(sheet.yaw_rad))];
        const left = Math.max(middle_x - (width * cos + height * sin) / 2, view.px(0));
        const top = Math.max(middle_y - (width * sin + height * cos) / 2, view.py(0));
        context.textAlign = 'left';
        context.textBaseline = 'top';
        context.fillText(sheet.label, left + 5, top + 5);
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
     * @param {Scene} scene @param {{ x: number, y: number }[]} bodies @param {number} radius_mm @param {string} colour
     * @param {number[]} dash
     */
    circles({ view }, bodies, radius_mm, colour, dash) {
        const { context } = this;
        const radius = radius_mm * view.scale;
        context.strokeStyle = colour;
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

    /** Outlines with a bar along the front. @param {Scene} scene @param {Body[]} robots @param {Set<number>} alarmed */
    robots({ view, theme, film }, robots, alarmed) {
        const { context } = this;
        const side = film.setting.robot_mm;
        for (const isAlarm of [false, true]) {
            const [bodies, fronts] = [new Path2D(), new Path2D()];
            for (const robot of robots) if (alarmed.has(robot.id) === isAlarm) addOutline(bodies, fronts, view, robot, side);
            context.fillStyle = isAlarm ? theme.alarm : theme.robot;
            context.fill(bodies);
            context.strokeStyle = theme.robotEdge;
            context.lineWidth = 1;
            context.stroke(bodies);
            context.strokeStyle = isAlarm ? theme.onAlarm : theme.onRobot;
            context.lineWidth = 0.075 * side * view.scale;
            context.lineCap = 'round';
            context.stroke(fronts);
            context.lineCap = 'butt';
        }
    }

    /** A body with its lamp; a tilted one looks shorter, a lifted one larger, with its shadow. @param {Scene} scene @param {Body} cube
     * @param {boolean} isAlarm */
    cube({ view, theme, film, time_s }, cube, isAlarm) {
        const { context } = this;
        const table = /** @type {Table} */ (film.cubes);
        const { row } = film.at(time_s);
        const of = (/** @type {string} */ name) => table.number(name, row, cube.place);
        const isLifted = of('z_mm') > LIFTED_MM;
        const size = film.setting.robot_mm * view.scale * (1 + Math.min(Math.max(of('z_mm'), 0) / 400, 0.3));
        const mm = size / film.setting.robot_mm;
        const lamp = [of('led_r'), of('led_g'), of('led_b')];
        const isLit = lamp.some((part) => part > 0);
        const body = new Path2D();
        body.roundRect(-size / 2, -size / 2, size, size, size / 8);
        const stand = (/** @type {number} */ off) => {
            context.translate(view.px(cube.x) + off, view.py(cube.y) + off);
            context.rotate(cube.heading);
            context.scale(Math.max(Math.abs(Math.cos(of('pitch_rad'))), 0.3), Math.max(Math.abs(Math.cos(of('roll_rad'))), 0.3));
        };
        if (isLifted) {
            context.save();
            stand(0.35 * Math.min(of('z_mm'), 80) * view.scale);
            context.fillStyle = 'rgba(0,0,0,0.5)';
            context.fill(body);
            context.restore();
        }
        context.save();
        stand(0);
        if (isLit) {
            context.strokeStyle = `rgb(${lamp.join(',')})`;
            context.globalAlpha = 0.35;
            context.lineWidth = Math.max(9 * mm, 9);
            context.stroke(body);
            context.globalAlpha = 1;
            context.lineWidth = Math.max(4 * mm, 5);
            context.stroke(body);
        }
        context.fillStyle = isAlarm ? theme.alarm : theme.cube;
        context.fill(body);
        context.lineWidth = isLifted ? 2.5 : 1;
        context.setLineDash(isLifted ? [5, 3] : []);
        context.strokeStyle = isLifted ? theme.follow : theme.onCube;
        context.stroke(body);
        context.setLineDash([]);
        context.fillStyle = isAlarm ? theme.onAlarm : theme.onCube;
        context.beginPath();
        context.roundRect(10.6 * mm, -7 * mm, 2.4 * mm, 14 * mm, 1.2 * mm);
        context.fill();
        if (isLit) context.fillStyle = `rgb(${lamp.join(',')})`;
        context.strokeStyle = theme.onCube;
        context.lineWidth = 1;
        context.beginPath();
        context.arc(-LAMP_BACK_MM * mm, 0, 2.2 * mm, 0, 2 * Math.PI);
        context.fill();
        context.stroke();
        if (!Number.isNaN(of('sound'))) this.note(theme, mm);
        context.restore();
    }

    /** The sign that a cube plays. @param {Theme} theme @param {number} mm pixels a mm */
    note(theme, mm) {
        this.context.fillStyle = theme.onCube;
        this.context.font = `${Math.round(11 * mm)}px system-ui, sans-serif`;
        this.context.textAlign = 'center';
        this.context.textBaseline = 'middle';
        this.context.fillText('♪', -6 * mm, -9 * mm);
    }

    /** @param {Scene} scene */
    vectors({ view, theme, bodies: { robots, feet } }) {
        const { context } = this;
        const path = new Path2D();
        for (const { x, y, vx, vy } of robots) addVector(path, view, [x, y], [vx, vy], VECTOR_FROM_MM);
        for (const { x, y, vx, vy } of feet) addVector(path, view, [x, y], [vx, vy], FOOT_MM + 2);
        context.lineWidth = 4;
        context.strokeStyle = theme.mat;
        context.stroke(path);
        context.lineWidth = 2;
        context.strokeStyle = theme.vector;
        context.stroke(path);
    }

    /** A disc with the foot's number, and what it does. @param {Scene} scene @param {Foot} foot */
    foot({ view, theme, layers, links }, { id, state, x, y, vy }) {
        const { context } = this;
        const isAlarm = links.some(({ kind, other }) => kind === 'foot' && other.id === id);
        const [px, py, radius] = [view.px(x), view.py(y), Math.max(FOOT_MM * view.scale, 3)];
        context.fillStyle = isAlarm ? theme.alarm : theme.foot;
        context.strokeStyle = theme.mat;
        context.lineWidth = 1.5;
        context.beginPath();
        context.arc(px, py, radius, 0, 2 * Math.PI);
        context.fill();
        context.stroke();
        if (!layers.ids || radius < 7) return;
        context.font = `700 ${1.15 * radius}px system-ui, sans-serif`;
        context.textAlign = 'center';
        context.textBaseline = 'middle';
        context.fillStyle = isAlarm ? theme.onAlarm : theme.onFoot;
        context.fillText(String(id), px, py + 0.06 * radius);
        // On the side that the foot comes from, away from its vector.
        const off = radius + 11 * this.type;
        if (state && radius > 12) this.plate(state.replace('_', ' '), px, vy > 0 ? py - off : py + off, theme.mat, theme.foot);
    }

    /** Rings round those that are too near, and a line with the distance from body to body; dashed where it is over.
     * @param {Scene} scene */
    alarms({ view, theme, film, links }) {
        const { context } = this;
        const ring = (film.setting.d_r_mm / 2) * view.scale;
        context.strokeStyle = theme.alarm;
        for (const { robot, kind, other, isOver } of links) {
            context.lineWidth = 3.5;
            context.setLineDash(isOver ? [7, 5] : []);
            for (const { x, y } of kind === 'foot' ? [robot] : [robot, other]) {
                context.beginPath();
                context.arc(view.px(x), view.py(y), ring, 0, 2 * Math.PI);
                context.stroke();
            }
            if (kind === 'foot') {
                context.lineWidth = 2;
                context.setLineDash([9, 6]);
                context.beginPath();
                context.arc(view.px(other.x), view.py(other.y), film.setting.d_h_mm * view.scale, 0, 2 * Math.PI);
                context.stroke();
            }
            context.setLineDash(isOver ? [7, 5] : []);
            context.lineWidth = 3.5;
            this.line(view, towards(robot, other, VECTOR_FROM_MM), towards(other, robot, kind === 'foot' ? FOOT_MM : VECTOR_FROM_MM));
        }
        context.setLineDash([]);
        context.font = this.plateFont();
        for (const { robot, other, words } of links) {
            // Where there is little room between the two, words would hide them.
            const room = Math.hypot(robot.x - other.x, robot.y - other.y) * view.scale;
            if (context.measureText(words).width > room) continue;
            const [px, py] = [view.px((robot.x + other.x) / 2), view.py((robot.y + other.y) / 2)];
            this.plate(words, px, py, theme.alarm, theme.onAlarm);
        }
    }

    /** @param {Scene} scene @param {Body[]} bodies @param {Set<number>} alarmed */
    ids({ view, theme, film }, bodies, alarmed) {
        const { context } = this;
        const size = Math.min(film.setting.robot_mm * view.scale * 0.4, 40 * this.type);
        if (size < 6.5) return;
        context.font = `600 ${size}px system-ui, sans-serif`;
        context.textAlign = 'center';
        context.textBaseline = 'middle';
        // Robots have their bar at the front, cubes their lamp at the back as well.
        const back = film.cubes ? 0 : 2.5 * view.scale;
        for (const { id, x, y, heading } of bodies) {
            context.fillStyle = alarmed.has(id) ? theme.onAlarm : film.cubes ? theme.onCube : theme.onRobot;
            context.fillText(String(id), view.px(x) - back * Math.cos(heading), view.py(y) - back * Math.sin(heading));
        }
    }

    /** @param {Scene} scene */
    followed({ view, theme, film, followed, bodies }) {
        if (!followed) return;
        /** @type {{ place: number, x: number, y: number }[]} */
        const list = { robot: bodies.robots, foot: bodies.feet, cube: bodies.cubes, car: [] }[followed.kind];
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

/** @param {Path2D} bodies @param {Path2D} fronts @param {View} view @param {Body} body @param {number} side mm */
function addOutline(bodies, fronts, view, { x, y, heading }, side) {
    const half = (side / 2) * view.scale;
    const [px, py, along, across] = [view.px(x), view.py(y), half * Math.cos(heading), half * Math.sin(heading)];
    const way = (/** @type {Path2D} */ path, /** @type {number[][]} */ points) =>
        points.forEach(([u, v], n) => {
            const [at_x, at_y] = [px + u * along - v * across, py + u * across + v * along];
            if (n === 0) path.moveTo(at_x, at_y);
            else path.lineTo(at_x, at_y);
        });
    way(bodies, CORNERS);
    bodies.closePath();
    way(fronts, FRONT);
}

/** @param {Path2D} path @param {View} view @param {[number, number]} place mm @param {[number, number]} velocity mm/s
 * @param {number} from_mm from the place to where it begins */
function addVector(path, view, [x, y], [vx, vy], from_mm) {
    const speed = Math.hypot(vx, vy);
    if (!(speed * VECTOR_S * view.scale > 2)) return;
    const [start_x, start_y] = [x + (vx / speed) * from_mm, y + (vy / speed) * from_mm];
    const start = /** @type {[number, number]} */ ([view.px(start_x), view.py(start_y)]);
    addArrow(path, start, [view.px(start_x + vx * VECTOR_S), view.py(start_y + vy * VECTOR_S)]);
}

/** A place some way from one towards another. @param {{ x: number, y: number }} from @param {{ x: number, y: number }} to
 * @param {number} way_mm @returns {[number, number]} */
function towards(from, to, way_mm) {
    const share = way_mm / Math.max(Math.hypot(to.x - from.x, to.y - from.y), 2 * way_mm);
    return [from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share];
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
