// The potential of a mark of wells: moving wells over a window of time, with six nodes, and hills that stand.
//
// U(x) = - scale sum over wells of int_0^T exp(-beta tau) G(x - mu(tau), s0^2 I + kappa^2 v v') dtau
//        + scale sum over hills of peak G(x - c, sigma^2 I)
/** @import { Film } from './data.js' */
/** @import { PlaneArea } from './data.js' */
/** @import { Body } from './moment.js' */
/** @import { Wells } from './spec.js' */
import { bodiesAt, columnOf } from './moment.js';

/**
 * @typedef {{ x: number, y: number, a: number, b: number, c: number, height: number, reach_x: number, reach_y: number }} Gaussian
 * @typedef {{ x: number, y: number, vx: number, vy: number }} Motion
 * @typedef {{ x: number, y: number, columns: number, rows: number, step_x: number, step_y: number, values: Float32Array }} Grid from its
 *   node at x and y on
 */

/** Gauss-Legendre nodes and weights on [-1, 1]. */
const NODES = [-0.932469514203152, -0.6612093864662645, -0.2386191860831969, 0.2386191860831969, 0.6612093864662645, 0.932469514203152];
const WEIGHTS = [0.17132449237917036, 0.3607615730481386, 0.467913934572691, 0.467913934572691, 0.3607615730481386, 0.17132449237917036];

/** Largest stretch of a well, in units of s0. */
const MAX_STRETCH = 6;

/** Where a Gaussian is cut on the grid, in standard deviations. */
const CUT = 5;

/** Most cells of the grid along one side. */
const MAX_CELLS = 160;

/** Covariance s0^2 I + q q' of a moving well, with q = kappa v. @param {{ sigma: number, stretch_s: number }} spec @param {number} vx
 * @param {number} vy */
export function covariance({ sigma, stretch_s }, vx, vy) {
    const length = Math.hypot(vx, vy) * stretch_s;
    const most = MAX_STRETCH * sigma;
    const scale = stretch_s * (length > most ? most / length : 1);
    const [qx, qy] = [vx * scale, vy * scale];
    const s2 = sigma * sigma;
    return { xx: s2 + qx * qx, xy: qx * qy, yy: s2 + qy * qy };
}

/** @param {number} x @param {number} y @param {number} height @param {{ xx: number, xy: number, yy: number }} spread @returns {Gaussian} */
function gaussian(x, y, height, { xx, xy, yy }) {
    const det = xx * yy - xy * xy;
    return { x, y, height, a: yy / det, b: -xy / det, c: xx / det, reach_x: CUT * Math.sqrt(xx), reach_y: CUT * Math.sqrt(yy) };
}

/**
 * The Gaussians of one well, whose motion is known at any time of the window.
 * @param {Wells} spec @param {(tau_s: number) => Motion} motion
 */
function well(spec, motion) {
    return NODES.map((node, n) => {
        const tau_s = 0.5 * (1 + node) * spec.window_s;
        const { x, y, vx, vy } = motion(tau_s);
        const weight = 0.5 * WEIGHTS[n] * spec.window_s * Math.exp(-spec.beta_per_s * tau_s);
        return gaussian(x, y, -spec.scale * weight, covariance(spec, vx, vy));
    });
}

/** The potential at a place. @param {Gaussian[]} gaussians @param {number} x @param {number} y */
export function potential(gaussians, x, y) {
    return gaussians.reduce((sum, g) => {
        const [dx, dy] = [x - g.x, y - g.y];
        return sum + g.height * Math.exp(-0.5 * (g.a * dx * dx + 2 * g.b * dx * dy + g.c * dy * dy));
    }, 0);
}

/** A grid of zeros over an area, nodes at the corners of even cells of at least a size. @param {PlaneArea} area @param {number} cell */
export function emptyGrid([[x, y], [right, high]], cell) {
    const [width, height] = [right - x, high - y];
    const side = Math.max(cell, Math.max(width, height) / MAX_CELLS);
    const [columns, rows] = [Math.ceil(width / side) + 1, Math.ceil(height / side) + 1];
    const values = new Float32Array(columns * rows);
    return { x, y, columns, rows, step_x: width / (columns - 1), step_y: height / (rows - 1), values };
}

/** Fills the grid with the sum of the Gaussians, each cut where 4e-6 of it is left. @param {Grid} grid @param {Gaussian[]} gaussians */
export function fillGrid(grid, gaussians) {
    grid.values.fill(0);
    for (const g of gaussians) addGaussian(grid, g);
}

/** Walks along each row with two products a node. @param {Grid} grid @param {Gaussian} g */
function addGaussian({ x, y, columns, rows, step_x, step_y, values }, g) {
    const first = Math.max(Math.ceil((g.x - g.reach_x - x) / step_x), 0);
    const last = Math.min(Math.floor((g.x + g.reach_x - x) / step_x), columns - 1);
    const top = Math.max(Math.ceil((g.y - g.reach_y - y) / step_y), 0);
    const bottom = Math.min(Math.floor((g.y + g.reach_y - y) / step_y), rows - 1);
    const again = Math.exp(-g.a * step_x * step_x);
    for (let row = top; row <= bottom; row += 1) {
        const [dx, dy] = [x + first * step_x - g.x, y + row * step_y - g.y];
        let value = g.height * Math.exp(-0.5 * (g.a * dx * dx + 2 * g.b * dx * dy + g.c * dy * dy));
        let ratio = Math.exp(-step_x * (g.a * (dx + 0.5 * step_x) + g.b * dy));
        for (let at = row * columns + first; at <= row * columns + last; at += 1) {
            values[at] += value;
            value *= ratio;
            ratio *= again;
        }
    }
}

/**
 * Where a body of a party is, or will be: between the rows of its table, and beyond the last one straight on.
 * @param {Film} film @param {Body} body @param {number} time_s @returns {Motion}
 */
export function motionOf(film, { party, table, place, x, y }, time_s) {
    const { row, next, share } = film.at(time_s);
    const mix = (/** @type {string} */ name) => {
        const read = table.reader(name);
        const [from, to] = [read(row, place), read(next, place)];
        return Number.isNaN(to) ? from : from + (to - from) * share;
    };
    const [vx, vy] = party.velocity ? party.velocity.map(mix) : [0, 0];
    const beyond_s = Math.max(time_s - film.end_s, 0);
    const at = (/** @type {string | number} */ coord, /** @type {number} */ now) => (typeof coord === 'string' ? mix(coord) : now);
    return { x: at(party.place.x, x) + vx * beyond_s, y: at(party.place.y, y) + vy * beyond_s, vx, vy };
}

/** All wells and hills of a moment. @param {Film} film @param {Wells} spec @param {number} time_s */
export function gaussiansAt(film, spec, time_s) {
    const wells = bodiesAt(film, spec.wells, time_s);
    const [sigma, peak] = spec.hill;
    const hills = bodiesAt(film, spec.hills, time_s).map((body) => {
        const spread = columnOf(body, sigma) ** 2;
        return gaussian(body.x, body.y, spec.scale * columnOf(body, peak), { xx: spread, xy: 0, yy: spread });
    });
    return [...wells.flatMap((body) => well(spec, (tau_s) => motionOf(film, body, time_s + tau_s))), ...hills];
}
