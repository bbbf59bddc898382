// Rasters: values of the plane in colours, and from the side the ground that they are.
/** @import { Raster } from './spec.js' */

/**
 * @typedef {[number, number]} GroundPlace along the level axis of a side view, and up
 */

/** Shares of a cell below this are rounding. */
const CELL_ROUNDING = 1e-9;

/** @param {Raster} raster @returns {[number, number]} columns and rows */
export function rasterSize({ columns, values }) {
    return [columns, values.length / columns];
}

/** A pixel for each value, the first row on top; none where the value is not known.
 * @param {Raster} raster @param {number[][]} stops red, green and blue of its colours */
export function rasterImage(raster, stops) {
    const [columns, rows] = rasterSize(raster);
    const [low, high] = raster.range;
    const image = new ImageData(columns, rows);
    raster.values.forEach((value, n) => {
        if (value === null) return;
        const share = Math.min(Math.max((value - low) / (high - low), 0), 1);
        image.data.set([...rasterColour(stops, share), 255], 4 * n);
    });
    return image;
}

/** The colour at a share of the way from the low to the high end. @param {number[][]} stops @param {number} share */
export function rasterColour(stops, share) {
    const at = share * (stops.length - 1);
    const low = Math.min(Math.floor(at), Math.max(stops.length - 2, 0));
    const [from, to] = [stops[low], stops[Math.min(low + 1, stops.length - 1)]];
    return from.map((part, n) => Math.round(part + (to[n] - part) * (at - low)));
}

/** Known values at their places along an axis: the one that is left of those across. @param {Raster} raster @param {'x' | 'y'} level
 * @param {(...values: number[]) => number} fold */
export function groundLines(raster, level, fold) {
    const [columns, rows] = rasterSize(raster);
    const [count, across] = level === 'x' ? [columns, rows] : [rows, columns];
    const lines = [];
    for (let n = 0; n < count; n += 1) {
        const places = Array.from({ length: across }, (_, m) => (level === 'x' ? m * columns + n : n * columns + m));
        const known = places.flatMap((at) => raster.values[at] ?? []);
        lines.push(known.length ? known.reduce((a, b) => fold(a, b)) : null);
    }
    return groundRuns(raster, level, lines);
}

/** The ground where a plane along an axis cuts it. @param {Raster} raster @param {'x' | 'y'} level @param {{ x: number, y: number }} place */
export function groundCut(raster, level, place) {
    const axis = level === 'x' ? 0 : 1;
    const values = Array.from({ length: rasterSize(raster)[axis] }, (_, n) => {
        const at = raster.from[axis] + n * raster.step[axis];
        return level === 'x' ? rasterValue(raster, at, place.y) : rasterValue(raster, place.x, at);
    });
    return groundRuns(raster, level, values);
}

/** Stretches of two places or more without a gap. @param {Raster} raster @param {'x' | 'y'} level @param {(number | null)[]} values */
function groundRuns({ from, step }, level, values) {
    const axis = level === 'x' ? 0 : 1;
    /** @type {GroundPlace[][]} */
    const runs = [[]];
    values.forEach((value, n) => {
        if (value === null) runs.push([]);
        else runs[runs.length - 1].push([from[axis] + n * step[axis], value]);
    });
    return runs.filter((run) => run.length > 1);
}

/** The value at a place, bilinear; none outside, or if one that counts is not known. @param {Raster} raster @param {number} x @param {number} y */
export function rasterValue(raster, x, y) {
    const [columns, rows] = rasterSize(raster);
    const cells = [x, y].map((place, axis) => {
        const at = (place - raster.from[axis]) / raster.step[axis];
        const most = [columns, rows][axis] - 1;
        if (!(at >= -CELL_ROUNDING && at <= most + CELL_ROUNDING)) return null;
        const low = Math.min(Math.max(Math.floor(at), 0), most - 1);
        return [low, Math.min(Math.max(at - low, 0), 1)];
    });
    const [right, up] = cells;
    if (!right || !up) return null;
    let sum = 0;
    for (const [dx, dy] of [
        [0, 0],
        [1, 0],
        [0, 1],
        [1, 1],
    ]) {
        const weight = (dx ? right[1] : 1 - right[1]) * (dy ? up[1] : 1 - up[1]);
        if (weight <= CELL_ROUNDING) continue;
        const value = raster.values[(up[0] + dy) * columns + right[0] + dx];
        if (value === null) return null;
        sum += weight * value;
    }
    return sum;
}
