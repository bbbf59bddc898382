// The potential that feet and patches make: docs/models/field.md, with six nodes over the window.
//
// U(x) = - lambda sum over feet of int_0^T exp(-beta tau) G(x - mu(tau), s0^2 I + kappa^2 v v') dtau
//        + lambda sum over patches of peak G(x - c, sigma^2 I)
/** @import { FieldSpec, Film as AnyFilm, MatSetting, Table } from './data.js' */

/**
 * @typedef {AnyFilm<MatSetting>} Film
 * @typedef {{ x: number, y: number, a: number, b: number, c: number, height: number, reach_x: number, reach_y: number }} Gaussian
 * @typedef {{ x: number, y: number, vx: number, vy: number }} Motion
 * @typedef {{ columns: number, rows: number, step_x: number, step_y: number, values: Float32Array }} Grid
 */

/** Gauss-Legendre nodes and weights on [-1, 1]. */
const NODES = [-0.932469514203152, -0.6612093864662645, -0.2386191860831969, 0.2386191860831969, 0.6612093864662645, 0.932469514203152];
const WEIGHTS = [0.17132449237917036, 0.3607615730481386, 0.467913934572691, 0.467913934572691, 0.3607615730481386, 0.17132449237917036];

/** Largest stretch of a well, in units of s0. */
const MOST_STRETCH = 6;

/** Where a Gaussian is cut on the grid, in standard deviations. */
const CUT = 5;

/** Most cells of the grid along one side. */
const MOST_CELLS = 160;

/** Covariance s0^2 I + q q' of a moving foot, with q = kappa v. @param {FieldSpec} spec @param {number} vx @param {number} vy */
export function covariance(spec, vx, vy) {
    const length = Math.hypot(vx, vy) * spec.stretch_s;
    const most = MOST_STRETCH * spec.sigma_mm;
    const scale = spec.stretch_s * (length > most ? most / length : 1);
    const [qx, qy] = [vx * scale, vy * scale];
    const s2 = spec.sigma_mm * spec.sigma_mm;
    return { xx: s2 + qx * qx, xy: qx * qy, yy: s2 + qy * qy };
}

/** @param {number} x @param {number} y @param {number} height @param {{ xx: number, xy: number, yy: number }} spread @returns {Gaussian} */
function gaussian(x, y, height, { xx, xy, yy }) {
    const det = xx * yy - xy * xy;
    return { x, y, height, a: yy / det, b: -xy / det, c: xx / det, reach_x: CUT * Math.sqrt(xx), reach_y: CUT * Math.sqrt(yy) };
}

/**
 * The Gaussians of one foot, whose motion is known at any time of the window.
 * @param {FieldSpec} spec @param {(tau_s: number) => Motion} motion
 */
export function wells(spec, motion) {
    return NODES.map((node, n) => {
        const tau_s = 0.5 * (1 + node) * spec.window_s;
        const { x, y, vx, vy } = motion(tau_s);
        const weight = 0.5 * WEIGHTS[n] * spec.window_s * Math.exp(-spec.beta_per_s * tau_s);
        return gaussian(x, y, -spec.lambda_rho * weight, covariance(spec, vx, vy));
    });
}

/** @param {FieldSpec} spec @param {number} x @param {number} y @param {number} sigma_mm @param {number} peak */
export function hill(spec, x, y, sigma_mm, peak) {
    return gaussian(x, y, spec.lambda_rho * peak, { xx: sigma_mm * sigma_mm, xy: 0, yy: sigma_mm * sigma_mm });
}

/** The potential at a place. @param {Gaussian[]} gaussians @param {number} x @param {number} y */
export function potential(gaussians, x, y) {
    return gaussians.reduce((sum, g) => {
        const [dx, dy] = [x - g.x, y - g.y];
        return sum + g.height * Math.exp(-0.5 * (g.a * dx * dx + 2 * g.b * dx * dy + g.c * dy * dy));
    }, 0);
}

/** A grid of zeros, nodes at the corners of even cells. @param {FieldSpec} spec @param {number} width_mm @param {number} height_mm */
export function emptyGrid(spec, width_mm, height_mm) {
    const cell_mm = Math.max(spec.cell_mm, Math.max(width_mm, height_mm) / MOST_CELLS);
    const [columns, rows] = [Math.ceil(width_mm / cell_mm) + 1, Math.ceil(height_mm / cell_mm) + 1];
    const values = new Float32Array(columns * rows);
    return { columns, rows, step_x: width_mm / (columns - 1), step_y: height_mm / (rows - 1), values };
}

/** Fills the grid with the sum of the Gaussians, each cut where 4e-6 of it is left. @param {Grid} grid @param {Gaussian[]} gaussians */
export function fillGrid(grid, gaussians) {
    grid.values.fill(0);
    for (const g of gaussians) addGaussian(grid, g);
}

/** Walks along each row with two products a node. @param {Grid} grid @param {Gaussian} g */
function addGaussian({ columns, rows, step_x, step_y, values }, g) {
    const first = Math.max(Math.ceil((g.x - g.reach_x) / step_x), 0);
    const last = Math.min(Math.floor((g.x + g.reach_x) / step_x), columns - 1);
    const top = Math.max(Math.ceil((g.y - g.reach_y) / step_y), 0);
    const bottom = Math.min(Math.floor((g.y + g.reach_y) / step_y), rows - 1);
    const again = Math.exp(-g.a * step_x * step_x);
    for (let row = top; row <= bottom; row += 1) {
        const [dx, dy] = [first * step_x - g.x, row * step_y - g.y];
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
 * Where a foot is, or will be: between the rows of its table, and beyond the last one straight on.
 * @param {Film} film @param {Table} feet @param {number} foot @param {number} time_s @returns {Motion}
 */
export function footMotion(film, feet, foot, time_s) {
    const { row, next, share } = film.at(time_s);
    const mix = (/** @type {string} */ name) => {
        const [from, to] = [feet.number(name, row, foot), feet.number(name, next, foot)];
        return Number.isNaN(to) ? from : from + (to - from) * share;
    };
    const [vx, vy] = [mix('vx_mm_s'), mix('vy_mm_s')];
    const beyond_s = Math.max(time_s - film.end_s, 0);
    return { x: mix('x_mm') + vx * beyond_s, y: mix('y_mm') + vy * beyond_s, vx, vy };
}

/** All wells and hills of a moment. @param {Film} film @param {number} time_s */
export function gaussiansAt(film, time_s) {
    const { field: spec } = film.setting;
    /** @type {Gaussian[]} */
    const all = [];
    film.feet?.owners.forEach((_, foot) => {
        const feet = /** @type {Table} */ (film.feet);
        if (Number.isNaN(footMotion(film, feet, foot, time_s).x)) return;
        all.push(...wells(spec, (tau_s) => footMotion(film, feet, foot, time_s + tau_s)));
    });
    patchesAt(film, time_s).forEach(({ x, y, sigma_mm, peak }) => all.push(hill(spec, x, y, sigma_mm, peak)));
    return all;
}

/** The patches of a moment; one that has just been exchanged for another does not jump. @param {Film} film @param {number} time_s */
export function patchesAt(film, time_s) {
    const { patches } = film;
    if (!patches) return [];
    const { row, next, share } = film.at(time_s);
    const all = patches.owners.map((_, patch) => {
        const of = (/** @type {string} */ name, /** @type {number} */ at) => patches.number(name, at, patch);
        const same = of('sigma_mm', row) === of('sigma_mm', next);
        const mix = (/** @type {string} */ name) => (same ? of(name, row) + (of(name, next) - of(name, row)) * share : of(name, row));
        return { patch, x: mix('x_mm'), y: mix('y_mm'), sigma_mm: of('sigma_mm', row), peak: mix('peak') };
    });
    return all.filter(({ x, peak }) => !Number.isNaN(x) && peak > 0);
}
