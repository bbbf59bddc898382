// Limits that are broken: by whom, from when to when, and how it is said.
/** @import { EventRow } from './data.js' */
/** @import { Body, Moment } from './moment.js' */
/** @import { Limit, Party, Verdict, ViewSpec } from './spec.js' */
import { columnOf, distanceOf, nearestOf, textOf } from './moment.js';

/**
 * @typedef {{ limit: Limit, begin_s: number, end_s: number, subject: number, other: number | null, least: number }} Span
 *   a time in which a limit is broken, by events: the numbers of those whom it is about, and the smallest value as far as the events tell it
 * @typedef {{ limit: Limit, body: Body, other: Body | null, value: number, isOver: boolean, isBetween: boolean }} Break
 *   a limit that is broken: in the row of the moment, or by an event at or shortly before it
 */

/** Values that count as kept although they miss a bound by this much. */
const TOLERANCE = 1e-6;

/** How long a break is shown at least, s: one that begins and ends between two rows would be gone before it is seen. */
const SHOWN_S = 0.5;

/** Times between the begin and the end of each break. @param {EventRow[]} events @param {ViewSpec} view @param {number} end_s */
export function spansOf(events, view, end_s) {
    /** @type {Span[]} */
    const spans = [];
    for (const limit of view.limits) if (limit.events) spans.push(...spansOfLimit(events, limit, limit.events, end_s));
    return spans.sort((a, b) => a.begin_s - b.begin_s);
}

/** @param {EventRow[]} events @param {Limit} limit @param {NonNullable<Limit['events']>} breaks @param {number} end_s */
function spansOfLimit(events, limit, { begin, end, subject, object }, end_s) {
    const number = (/** @type {string} */ text, /** @type {string | null} */ word) =>
        word !== null && text.startsWith(`${word} `) ? Number(text.slice(word.length + 1)) : NaN;
    /** @type {Map<string, Span>} */
    const open = new Map();
    /** @type {Span[]} */
    const spans = [];
    for (const event of events) {
        const [who, whom] = [number(event.subject, subject), number(event.object, object)];
        if (Number.isNaN(who) || (object !== null && Number.isNaN(whom))) continue;
        const key = `${who} ${whom}`;
        const span = open.get(key);
        if (event.kind.startsWith(begin)) {
            const other = object === null ? null : whom;
            // A break that never ends is marked at its moment.
            const last_s = end === null ? event.time_s : end_s;
            /** @type {Span} */
            const begun = { limit, begin_s: event.time_s, end_s: last_s, subject: who, other, least: event.value ?? NaN };
            open.set(key, begun);
            spans.push(begun);
        } else if (end !== null && event.kind.startsWith(end) && span) {
            span.end_s = event.time_s;
            // The end tells by how much the limit was missed at most.
            if (event.value !== null) span.least = Math.min(span.least, boundOf(limit) - event.value);
        }
    }
    return spans;
}

/** The spans that are shown at a time: those that never end from their moment on. @param {Span[]} spans @param {number} time_s
 * @param {number} speed of the player, in run time */
function spansAt(spans, time_s, speed) {
    const shown_s = SHOWN_S * Math.max(speed, 1);
    const last = (/** @type {Span} */ { limit, begin_s, end_s }) =>
        limit.events?.end === null ? Infinity : Math.max(end_s, begin_s + shown_s);
    return spans.filter((span) => span.begin_s <= time_s + 1e-9 && time_s <= last(span) + 1e-9);
}

/** The number that a limit's rule compares with; not a number for texts. @param {Limit} limit */
export function boundOf({ rule }) {
    if ('at_least' in rule) return rule.at_least[1];
    return 'at_most' in rule ? rule.at_most[1] : NaN;
}

/** The column that a limit's rule is about. @param {Limit} limit */
export function columnOfLimit({ rule }) {
    if ('at_least' in rule) return rule.at_least[0];
    return 'at_most' in rule ? rule.at_most[0] : rule.is_not[0];
}

/** True if a value, a number or a text, breaks a limit. @param {Limit} limit @param {number} value @param {string | null} text */
export function isBroken({ rule }, value, text) {
    if ('at_least' in rule) return value < rule.at_least[1] - TOLERANCE;
    if ('at_most' in rule) return value > rule.at_most[1] + TOLERANCE;
    return text === rule.is_not[1];
}

/** Everything that is broken at a moment, which learns who is painted in alarm.
 * @param {Moment} moment @param {Span[]} spans all of the film @param {number} speed of the player */
export function alarmsOf(moment, spans, speed) {
    /** @type {Map<string, Break>} */
    const breaks = new Map();
    const add = (/** @type {Break} */ one) => {
        const [a, b] = [one.body.id, one.other?.id ?? NaN];
        const pair = one.limit.to === one.limit.of ? [Math.min(a, b), Math.max(a, b)] : [a, b];
        const key = `${one.limit.name} ${pair.join(' ')}`;
        if (!breaks.has(key)) breaks.set(key, one);
    };
    for (const limit of moment.film.view.limits) {
        const column = columnOfLimit(limit);
        for (const body of moment.bodies(limit.of)) {
            const value = columnOf(body, column);
            if (!isBroken(limit, value, textOf(body, column))) continue;
            const others = limit.to === null ? [] : moment.bodies(limit.to).filter((other) => other !== body);
            add({ limit, body, other: nearestOf(others, (other) => distanceOf(other, body)) ?? null, value, isOver: false, isBetween: false });
        }
    }
    for (const { limit, subject, other, least, end_s } of spansAt(spans, moment.time_s, speed)) {
        const body = moment.body(limit.of, subject);
        const whom = limit.to === null || other === null ? undefined : moment.body(limit.to, other);
        if (!body || (other !== null && !whom)) continue;
        const isOver = limit.events?.end !== null && moment.time_s > end_s + 1e-9;
        add({ limit, body, other: whom ?? null, value: least, isOver, isBetween: true });
    }
    const all = [...breaks.values()];
    paint(moment, all);
    return all;
}

/** @param {Moment} moment @param {Break[]} breaks */
function paint(moment, breaks) {
    const add = (/** @type {string} */ stream, /** @type {number} */ id) => {
        const ids = moment.alarmed.get(stream) ?? new Set();
        moment.alarmed.set(stream, ids.add(id));
    };
    for (const { limit, body, other } of breaks) {
        for (const stream of [limit.of, ...limit.paints]) {
            add(stream, body.id);
            if (other && limit.to === limit.of) add(stream, other.id);
        }
        if (other && limit.to) add(limit.to, other.id);
    }
}

/** How near it is, or was. @param {Break} one @param {string} unit */
export function breakWords({ value, isBetween }, unit) {
    return `${isBetween ? 'down to ' : ''}${value.toFixed(1)} ${unit}`;
}

/** What the banner says; nothing if all is well. @param {Break[]} breaks @param {ViewSpec} view */
export function bannerWords(breaks, view) {
    for (const section of view.panel.sections) {
        if (typeof section !== 'object' || !('verdict' in section)) continue;
        const { verdict } = section;
        const named = breaks.filter(({ limit }) => verdict.limits.includes(limit.name));
        if (named.length) return verdict.named ? ownersWords(named, verdict, verdict.named) : pairsWords(named, verdict, view);
    }
    return '';
}

/** The name of an owner, or the word and its number where it has none. @param {Party} party @param {number} id */
function callOf({ one, names }, id) {
    return names[id] || `${one} ${id}`;
}

/** The name of the owner that words of an event are about, as in `cube 2`; nothing where it has none.
 * @param {string} words @param {Party[]} parties */
export function nameIn(words, parties) {
    const party = parties.find(({ one }) => words.startsWith(`${one} `));
    return party?.names[Number(words.slice(party.one.length + 1))] || null;
}

/** Owners by their names if all have one, else by their numbers, or counted. @param {Break[]} breaks @param {Verdict} verdict @param {[string, string]} named */
function ownersWords(breaks, { now, counted }, [one, many]) {
    const ids = [...new Set(breaks.map(({ body }) => body.id))].sort((a, b) => a - b);
    const names = ids.map((id) => breaks.find(({ body }) => body.id === id)?.body.party.names[id] || null);
    const numbers = (ids.length > 1 ? many : one).replace('{}', ids.join(', '));
    const few = names.includes(null) ? numbers : names.join(', ');
    const all = ids.length > 4 ? counted[1].replace('{}', String(ids.length)) : few;
    return inSentence(now).replace('{}', () => all);
}

/** The pair that is too near, or how many there are. @param {Break[]} breaks @param {Verdict} verdict @param {ViewSpec} view */
function pairsWords(breaks, { now, just_now, counted }, view) {
    const lasting = breaks.filter(({ isOver }) => !isOver);
    const [first] = lasting.length ? lasting : breaks;
    const least = Math.min(...lasting.map(({ value }) => value)).toFixed(1);
    const several = `${counted[1].replace('{}', String(lasting.length))}, the nearest ${least} ${view.unit}`;
    if (lasting.length > 1) return inSentence(now).replace('{}', several);
    const name = (/** @type {string | null} */ stream, /** @type {number | undefined} */ id) => {
        const party = view.parties.find((/** @type {Party} */ one) => one.stream === stream);
        return party && id !== undefined ? [callOf(party, id)] : [];
    };
    const pair = [...name(first.limit.of, first.body.id), ...name(first.limit.to, first.other?.id)].join(' – ');
    const words = [pair, breakWords(first, view.unit)].join(', ');
    return first.isOver ? `${inSentence(just_now ?? now.replace(/:? *\{\}/, ''))}: ${words}` : inSentence(now).replace('{}', () => words);
}

/** Words in capitals as those of a sentence. @param {string} words */
function inSentence(words) {
    return words.charAt(0) + words.slice(1).toLowerCase();
}
