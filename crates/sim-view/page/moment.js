// A moment of a film: where the owners of a party are, and the numbers that marks, plots and panels ask for.
/** @import { Film, Table } from './data.js' */
/** @import { Condition, Coord, Figure, Fold, Outline, Party, Phrase, Place2, Place3, Quantity, Scanner } from './spec.js' */
import { fixed, lastAtOrBefore } from './data.js';

/**
 * An owner of a party and where its own axes point; `shift`: share of the way to the next row.
 * @typedef {{ party: Party, table: Table, place: number, id: number, row: number, next: number, shift: number, x: number, y: number,
 *   z: number, yaw: number, ahead: Place3, side: Place3 }} Body
 * @typedef {{ origin: Place3, hits: (Place3 | null)[], isFullTurn: boolean }} Seen a scan from where it was taken
 */

/** The moment `time_s` of a film. */
export class Moment {
    /** @param {Film} film @param {number} time_s */
    constructor(film, time_s) {
        this.film = film;
        this.time_s = time_s;
        /** @type {Map<string, Body[]>} */
        this.all = new Map();
        /** Numbers of owners that break a limit, by stream; filled by `alarmsOf`. @type {Map<string, Set<number>>} */
        this.alarmed = new Map();
    }

    /** The owners of a stream that are there. @param {string} stream */
    bodies(stream) {
        let bodies = this.all.get(stream);
        if (!bodies) this.all.set(stream, (bodies = bodiesAt(this.film, stream, this.time_s)));
        return bodies;
    }

    /** @param {string} stream @param {number} id */
    body(stream, id) {
        return this.bodies(stream).find((body) => body.id === id);
    }

    /** @param {Body} body */
    isAlarmed({ party, id }) {
        return this.alarmed.get(party.stream)?.has(id) ?? false;
    }

    /** A number of an owner; a text where a column, a name or a label is one; nothing where it is missing.
     * @param {Body} body @param {Quantity} quantity @returns {number | string | null} */
    value(body, quantity) {
        const number = (/** @type {number} */ value) => (Number.isNaN(value) ? null : value);
        const column = (/** @type {string} */ name) => columnOf(body, name);
        if (quantity === 'owner') return body.id;
        if (quantity === 'name') return body.party.names[body.id] || null;
        if (quantity === 'apart') return number(apart(body, this.bodies(body.party.stream)));
        if ('column' in quantity) {
            const text = textOf(body, quantity.column);
            return text ?? number(column(quantity.column));
        }
        if ('length' in quantity) return number(length(column(quantity.length[0]), column(quantity.length[1])));
        if ('difference' in quantity) {
            const [one, two] = quantity.difference;
            return number(length(column(one[0]) - column(two[0]), column(one[1]) - column(two[1])));
        }
        if ('middle' in quantity) return number(Math.abs(column(quantity.middle[0]) + column(quantity.middle[1])) / 2);
        if ('tilt' in quantity) {
            const [pitch, roll] = quantity.tilt.map(column);
            return number(Math.acos(Math.min(Math.max(Math.cos(pitch) * Math.cos(roll), -1), 1)));
        }
        if ('nearest' in quantity) return number(nearestInScan(this.film, quantity.nearest, body.id, this.time_s));
        if ('within' in quantity) return isWithin(body, this.bodies(quantity.within[0]), quantity.within[1]);
        return labelUnder(this.film, body, quantity.over);
    }

    /** One number over all owners. @param {string} stream @param {Figure} figure @returns {number | null} */
    folded(stream, { of, over }) {
        const bodies = this.bodies(stream);
        const values = [];
        for (const body of bodies) {
            const value = this.value(body, of);
            if (typeof value === 'number') values.push(value);
        }
        return over && fold(values, over, bodies.length);
    }

    /** @param {Body} body @param {Condition[]} conditions true without any */
    holds(body, conditions) {
        if (!conditions.length) return true;
        return conditions.some((condition) => {
            if (condition === 'alarm') return this.isAlarmed(body);
            if ('flag' in condition) return isFlagged(this.film, condition.flag, body.id, this.time_s);
            const [quantity, bound] = 'above' in condition ? condition.above : condition.below;
            const value = this.value(body, quantity);
            return typeof value === 'number' && ('above' in condition ? value > bound : value < bound);
        });
    }

    /** The words of a phrase about an owner, or about all of a stream; nothing if they cannot be said.
     * @param {string} stream @param {Body | null} body @param {Phrase} phrase */
    words(stream, body, { words, figures, when }) {
        if (body && !this.holds(body, when)) return null;
        const numbers = figures.map((figure) => this.figure(stream, body, figure));
        if (numbers.includes(null)) return null;
        let next = 0;
        return words.replaceAll('{}', () => numbers[next++] ?? '');
    }

    /** A figure as it is written. @param {string} stream @param {Body | null} body @param {Figure} figure */
    figure(stream, body, figure) {
        const value = figure.over ? this.folded(stream, figure) : body && this.value(body, figure.of);
        if (value === null) return null;
        return typeof value === 'string' ? value.replaceAll('_', ' ') : fixed(value * figure.factor, figure.digits);
    }

    /** The newest scan that has arrived, from where it was taken. @param {Scanner} scanner @param {Body} body @returns {Seen | null} */
    seen(scanner, body) {
        const scans = this.film.events.get(scanner.stream)?.get(body.id);
        const mount = scanner.mounts.find(({ owner }) => owner === body.id);
        if (!scans || !mount || !(scans.times[0] <= this.time_s + 1e-4)) return null;
        const row = lastAtOrBefore(scans.times, this.time_s);
        const from = bodiesAt(this.film, scanner.on, scans.table.number(scanner.taken, row, 0)).find(({ id }) => id === body.id);
        if (!from) return null;
        const origin = placeIn(from, mount.at);
        const range = scans.table.reader(scanner.ranges);
        const { width = 0 } = scans.table.columns.get(scanner.ranges) ?? {};
        const hits = Array.from({ length: width }, (_, ray) => {
            const [reach, angle] = [range(row, 0, ray), from.yaw + mount.first_rad + ray * mount.step_rad];
            if (!Number.isFinite(reach)) return null;
            return { x: origin.x + reach * Math.cos(angle), y: origin.y + reach * Math.sin(angle), z: origin.z };
        });
        return { origin, hits, isFullTurn: mount.is_full_turn };
    }
}

/** @param {number} x @param {number} y */
function length(x, y) {
    return Math.sqrt(x * x + y * y);
}

/** All owners at a time: places straight on, angles the short way. @param {Film} film @param {string} stream @param {number} time_s
 * @returns {Body[]} */
export function bodiesAt(film, stream, time_s) {
    const [party, table] = [film.party(stream), film.sampled.get(stream)];
    if (!party || !table) return [];
    const { row, next, share } = film.at(time_s);
    const { x } = party.place;
    const first = typeof x === 'string' ? table.reader(x) : () => 0;
    const same = party.while_same ? table.reader(party.while_same) : () => 0;
    /** @type {Body[]} */
    const bodies = [];
    table.owners.forEach((id, place) => {
        if (Number.isNaN(first(row, place))) return;
        const isThere = !Number.isNaN(first(next, place)) && Object.is(same(row, place), same(next, place));
        /** @type {Body} */
        const body = { party, table, place, id, row, next, shift: isThere ? share : 0, x: 0, y: 0, z: 0, yaw: 0, ...UPRIGHT };
        body.x = coordOf(body, party.place.x);
        body.y = coordOf(body, party.place.y);
        body.z = coordOf(body, party.place.z);
        if (party.angles.length) turn(body, film.view.is_right_handed ? -1 : 1);
        bodies.push(body);
    });
    return bodies;
}

/** Axes of a body that is not turned. */
const UPRIGHT = { ahead: { x: 1, y: 0, z: 0 }, side: { x: 0, y: 1, z: 0 } };

/** The axes of a body by its yaw, pitch and roll. @param {Body} body @param {number} sign of pitch and roll: 1 where they are positive with
 * the front up and the side of larger y down */
function turn(body, sign) {
    const angles = body.party.angles.map((name) => columnOf(body, name));
    const [yaw, pitch, roll] = [angles[0] ?? 0, sign * (angles[1] ?? 0), sign * (angles[2] ?? 0)];
    const [cos, sin] = [Math.cos(yaw), Math.sin(yaw)];
    const [along, across, lean] = [Math.cos(pitch), Math.cos(roll), Math.sin(roll) * Math.sin(pitch)];
    body.yaw = yaw;
    body.ahead = { x: cos * along, y: sin * along, z: Math.sin(pitch) };
    body.side = { x: -sin * across + cos * lean, y: cos * across + sin * lean, z: -Math.sin(roll) * along };
}

/** @param {Body} body @param {Coord} coord */
export function coordOf(body, coord) {
    return typeof coord === 'number' ? coord : columnOf(body, coord);
}

/** The number in a column: linear between two rows, the short way, or that of the nearer row. @param {Body} body @param {string} name */
export function columnOf({ party, table, place, row, next, shift }, name) {
    const read = table.reader(name);
    const from = read(row, place);
    if (shift === 0) return from;
    const { x, y, z } = party.place;
    const isAngle = party.angles.includes(name);
    if (!isAngle && ![x, y, z].includes(name) && !party.linear.includes(name)) return shift < 0.5 ? from : read(next, place);
    const way = read(next, place) - from;
    return from + shift * (isAngle ? Math.atan2(Math.sin(way), Math.cos(way)) : way);
}

/** The text in a column of words; nothing in one of numbers, and where it is missing. @param {Body} body @param {string} name */
export function textOf({ table, place, row, next, shift }, name) {
    const at = shift < 0.5 ? row : next;
    const isThere = table.columns.get(name)?.words && !Number.isNaN(table.number(name, at, place));
    return isThere ? table.text(name, at, place) : null;
}

/** A place that is given in a body's axes. @param {Body} body @param {Place2} place @param {number} [height] @returns {Place3} */
export function placeIn({ x, y, z, ahead, side }, [forward, across], height = 0) {
    const up = {
        x: ahead.y * side.z - ahead.z * side.y,
        y: ahead.z * side.x - ahead.x * side.z,
        z: ahead.x * side.y - ahead.y * side.x,
    };
    return {
        x: x + forward * ahead.x + across * side.x + height * up.x,
        y: y + forward * ahead.y + across * side.y + height * up.y,
        z: z + forward * ahead.z + across * side.z + height * up.z,
    };
}

/** @param {Place3} a @param {Place3} b */
export function distanceOf(a, b) {
    const [dx, dy, dz] = [a.x - b.x, a.y - b.y, a.z - b.z];
    return Math.sqrt(dx * dx + dy * dy + dz * dz);
}

/** The one with the smallest distance. @template T @param {T[]} all @param {(one: T) => number} distance @returns {T | undefined} */
export function nearestOf(all, distance) {
    return all.reduce((/** @type {T | undefined} */ best, one) => (!best || distance(one) < distance(best) ? one : best), undefined);
}

/** Bodies beyond which no nearest pair is looked for: all pairs are compared. */
const MAX_COMPARED = 300;

/** Distance to the nearest other one. @param {Body} body @param {Body[]} all */
function apart(body, all) {
    if (all.length > MAX_COMPARED) return NaN;
    let least = Infinity;
    for (const other of all) if (other !== body) least = Math.min(least, distanceOf(other, body));
    return Number.isFinite(least) ? least : NaN;
}

/** 1 if one of the others is nearer than its own column says. @param {Body} body @param {Body[]} others @param {string} column */
function isWithin(body, others, column) {
    if (!others.length) return null;
    return Number(others.some((other) => distanceOf(other, body) <= columnOf(other, column)));
}

/** @param {number[]} values @param {Fold} over @param {number} count of all owners */
export function fold(values, over, count) {
    if (over === 'count') return count;
    if (!values.length) return null;
    if (over === 'min') return Math.min(...values);
    if (over === 'max') return Math.max(...values);
    if (over === 'mean') return values.reduce((sum, value) => sum + value, 0) / values.length;
    return values.filter((value) => value > over.share_above).length / values.length;
}

/** The smallest range of the newest scan. @param {Film} film @param {string} stream @param {number} owner @param {number} time_s */
function nearestInScan(film, stream, owner, time_s) {
    const scanner = film.view.scanners.find((one) => one.stream === stream);
    const nearest = scanner && film.nearest(scanner, owner);
    const times = film.events.get(stream)?.get(owner)?.times;
    if (!nearest || !times || !(times[0] <= time_s + 1e-4)) return NaN;
    return nearest[lastAtOrBefore(times, time_s)];
}

/** Whether the last event that matters says so. @param {Film} film @param {string} name @param {number} owner @param {number} time_s */
function isFlagged(film, name, owner, time_s) {
    const flag = film.view.flags.find((one) => one.name === name);
    const rows = flag && film.events.get(flag.events)?.get(owner);
    if (!rows || !(rows.times[0] <= time_s + 1e-4)) return false;
    for (let row = lastAtOrBefore(rows.times, time_s); row >= 0; row -= 1) {
        const says = (/** @type {[string, string]} */ [column, text]) => rows.table.text(column, row, 0) === text;
        if (flag.matching.every(says)) return says(flag.holds);
    }
    return false;
}

/** The label of the last outline that holds a place of the body. @param {Film} film @param {Body} body
 * @param {{ polygons: string, at: Place2, up_to: number }} over */
function labelUnder(film, body, { polygons, at, up_to }) {
    if (body.z > up_to) return null;
    const place = placeIn(body, at);
    const named = film.view.marks.flatMap(({ draw }) => (draw.polygons?.name === polygons ? draw.polygons.shapes : []));
    return named.findLast(({ label, points }) => label !== null && holdsPlace(points, place))?.label ?? null;
}

/** The polygons that are drawn of a body, in its own axes. @param {Film} film @param {Body} body @returns {Place2[][]} */
export function polygonsOf({ view: { marks } }, { party, id }) {
    const own = marks.filter(({ of, owners }) => of === party.stream && (!owners.length || owners.includes(id)));
    return own.flatMap(({ draw }) => (draw.body?.parts ?? []).flatMap(({ shape }) => ('polygon' in shape ? [shape.polygon] : [])));
}

/** True if one of these polygons holds a place of the plane. @param {Film} film @param {Body} body @param {{ x: number, y: number }} at */
export function isOnPolygon(film, body, { x, y }) {
    const [dx, dy] = [x - body.x, y - body.y];
    const place = { x: dx * body.ahead.x + dy * body.ahead.y, y: dx * body.side.x + dy * body.side.y, z: 0 };
    return polygonsOf(film, body).some((polygon) => holdsPlace(polygon, place));
}

/** By the number of sides to the right of the place. @param {Outline['points']} points @param {Place3} place */
function holdsPlace(points, { x, y }) {
    let isInside = false;
    points.forEach(([x2, y2], n) => {
        const [x1, y1] = points[(n || points.length) - 1];
        if ((y1 > y) !== (y2 > y) && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) isInside = !isInside;
    });
    return isInside;
}
