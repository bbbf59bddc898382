// Distances that are broken: between whom, from when to when, and how it is said.
/** @import { EventRow, MatSetting } from './data.js' */
/** @import { Bodies, Body, Film } from './draw.js' */
import { nearestTo } from './draw.js';

/**
 * @typedef {{ id: number, x: number, y: number }} Other
 * @typedef {{ begin_s: number, end_s: number, robot: number, kind: 'robot' | 'foot' | 'collision', other: number, least_mm: number }} Span
 *   a time in which a robot and another one, or a foot, were too near: their numbers, and the smallest distance as far as the events tell
 *   it; or the moment in which a car hit something
 * @typedef {{ robot: Body, kind: 'robot' | 'foot', other: Other, distance_mm: number, words: string, isOver: boolean }} Link two that are
 *   too near: in the row of the moment, or by an event at or shortly before it
 */

/** Distances in mm that count as kept although they are this much shorter. */
const TOLERANCE_MM = 1e-6;

/** How long a violation is shown at least, s: one that begins and ends between two rows would be gone before it is seen. */
const SHOWN_S = 0.5;

/** Times between the begin and the end of each violation. @param {EventRow[]} events @param {MatSetting} setting @param {number} end_s */
export function brokenSpans(events, { d_r_mm, d_h_mm }, end_s) {
    /** @type {Map<string, Span>} */
    const open = new Map();
    /** @type {Span[]} */
    const spans = [];
    for (const { kind: words, subject, object, time_s, value } of events) {
        const [, edge] = /^d_[rh]_violation_(begin|end)/.exec(words) ?? [];
        const robot = /^agent (\d+)$/.exec(subject)?.[1];
        const [, who, other] = /^(agent|foot) (\d+)$/.exec(object) ?? [];
        if (!edge || robot === undefined || !who) continue;
        const kind = who === 'foot' ? 'foot' : 'robot';
        const key = `${robot} ${kind} ${other}`;
        if (edge === 'begin') {
            /** @type {Span} */
            const span = { begin_s: time_s, end_s, robot: Number(robot), kind, other: Number(other), least_mm: value ?? NaN };
            open.set(key, span);
            spans.push(span);
        } else {
            const span = open.get(key);
            if (!span) continue;
            span.end_s = time_s;
            // The end tells by how much the limit was missed at most.
            if (value !== null) span.least_mm = Math.min(span.least_mm, (kind === 'foot' ? d_h_mm : d_r_mm) - value);
        }
    }
    return spans;
}

/** The spans that are shown at a time. @param {Span[]} spans @param {number} time_s @param {number} speed of the player, in run time */
export function spansAt(spans, time_s, speed) {
    const shown_s = SHOWN_S * Math.max(speed, 1);
    return spans.filter(({ begin_s, end_s }) => begin_s <= time_s + 1e-9 && time_s <= Math.max(end_s, begin_s + shown_s) + 1e-9);
}

/** Everybody who is too near to somebody. @param {Film} film @param {Bodies} bodies @param {Span[]} spans those of the moment
 * @param {number} time_s */
export function linksOf({ setting }, { robots, feet }, spans, time_s) {
    /** @type {Map<string, Link>} */
    const links = new Map();
    /** @type {(robot: Body | undefined, other: Other | undefined, rest: Omit<Link, 'robot' | 'other'>) => void} */
    const add = (robot, other, rest) => {
        if (!robot || !other) return;
        const pair = rest.kind === 'foot' ? [robot.id, other.id] : [Math.min(robot.id, other.id), Math.max(robot.id, other.id)];
        const key = `${rest.kind} ${pair.join(' ')}`;
        if (!links.has(key)) links.set(key, { robot, other, ...rest });
    };
    const inRow = (/** @type {number} */ distance_mm) => ({ distance_mm, words: `${distance_mm.toFixed(1)} mm`, isOver: false });
    for (const robot of robots) {
        if (robot.foot < setting.d_h_mm - TOLERANCE_MM) add(robot, nearestTo(robot, feet), { kind: 'foot', ...inRow(robot.foot) });
        if (robot.nearest < setting.d_r_mm - TOLERANCE_MM) {
            const others = robots.filter((other) => other !== robot);
            add(robot, nearestTo(robot, others), { kind: 'robot', ...inRow(robot.nearest) });
        }
    }
    for (const { robot, kind, other, least_mm, end_s } of spans) {
        if (kind === 'collision') continue;
        const others = /** @type {Other[]} */ (kind === 'foot' ? feet : robots);
        const [one, two] = [robots.find(({ id }) => id === robot), others.find(({ id }) => id === other)];
        const words = `down to ${least_mm.toFixed(1)} mm`;
        add(one, two, { kind, distance_mm: least_mm, words, isOver: time_s > end_s + 1e-9 });
    }
    return [...links.values()];
}

/** What the banner says; nothing if all is well. @param {Link[]} links */
export function bannerWords(links) {
    const now = links.filter(({ isOver }) => !isOver);
    const [link] = now.length ? now : links;
    if (!link) return '';
    const least_mm = Math.min(...now.map(({ distance_mm }) => distance_mm));
    if (now.length > 1) return `Too near: ${now.length} pairs, the nearest ${least_mm.toFixed(1)} mm`;
    return `Too near${link.isOver ? ' just now' : ''}: robot ${link.robot.id} – ${link.kind} ${link.other.id}, ${link.words}`;
}
