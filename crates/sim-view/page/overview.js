// All that a view shows at a moment: distances, facts, lists of owners, and what its marks mean.
/** @import { Film, Measure } from './data.js' */
/** @import { Body, Moment } from './moment.js' */
/** @import { Distances, FactSpec, Limit, List, Phrase, Section, ViewSpec } from './spec.js' */
import { boundOf, columnOfLimit, isBroken } from './alarms.js';
import { el } from './dom.js';
import { columnOf } from './moment.js';

/** The sections of a view's panel that say something of a moment. */
export class Overview {
    constructor() {
        this.now = el('div');
        this.signs = el('div');
        this.element = el('div', { className: 'overview' }, this.now, this.signs);
        /** @type {Section[]} */
        this.sections = [];
        /** @type {Measure[]} */
        this.summary = [];
    }

    /** @param {Film} film @param {Measure[]} summary */
    load({ view }, summary) {
        this.sections = view.panel.sections;
        this.summary = summary;
        this.signs.replaceChildren(...signs(view));
    }

    /** @param {Moment} moment */
    draw(moment) {
        this.now.replaceChildren(...this.sections.flatMap((section) => this.section(moment, section)));
    }

    /** @param {Moment} moment @param {Section} section @returns {Node[]} */
    section(moment, section) {
        if (section === 'scale') return [];
        if ('distances' in section) return this.distances(moment, section.distances);
        if ('facts' in section) return facts(moment, section.facts);
        return 'list' in section ? list(moment, section.list) : [];
    }

    /** Smallest values now and in the whole run, and what is asked. @param {Moment} moment @param {Distances} distances */
    distances(moment, { title, rows }) {
        const { limits } = moment.film.view;
        const lines = rows.flatMap(([words, name]) => {
            const limit = limits.find((one) => one.name === name);
            if (!limit || !moment.bodies(limit.of).length) return [];
            const least = this.summary.find(({ metric }) => metric === limit.least?.[0])?.value ?? NaN;
            const cells = [leastNow(moment, limit), least].map((value) => distanceCell(limit, value));
            return [el('tr', {}, el('td', { textContent: words }), ...cells, numberCell(String(boundOf(limit))))];
        });
        if (!lines.length) return [];
        const heads = [title, 'now', 'in the run', 'at least'].map((words, n) =>
            el('th', { textContent: words, className: n ? 'number' : '' }),
        );
        return [el('table', { className: 'measures' }, el('thead', {}, el('tr', {}, ...heads)), el('tbody', {}, ...lines))];
    }
}

/** @param {Moment} moment @param {Limit} limit */
function leastNow(moment, limit) {
    const values = moment.bodies(limit.of).map((body) => columnOf(body, columnOfLimit(limit)));
    return Math.min(...values.filter((value) => !Number.isNaN(value)));
}

/** @param {Limit} limit @param {number} value */
function distanceCell(limit, value) {
    const cell = numberCell(Number.isFinite(value) ? value.toFixed(1) : '–');
    cell.classList.toggle('alarm', isBroken(limit, value, null));
    return cell;
}

/** @param {string} textContent */
function numberCell(textContent) {
    return el('td', { className: 'number', textContent });
}

/** Lines of words and numbers: one for each owner, or one of all. @param {Moment} moment @param {FactSpec[]} specs @returns {Node[]} */
function facts(moment, specs) {
    const lines = specs.flatMap(({ of, is_each, title, value }) =>
        (is_each ? moment.bodies(of) : [null]).flatMap((body) => {
            const [name, words] = [title, value].map((phrase) => moment.words(of, body, phrase));
            return name && words ? [el('dt', { textContent: name }), el('dd', {}, el('b', { textContent: words }))] : [];
        }),
    );
    return lines.length ? [el('dl', { className: 'numbers' }, ...lines)] : [];
}

/** Owners, one by one. @param {Moment} moment @param {List} spec @returns {Node[]} */
function list(moment, { of, title, at_most, name, cells, below }) {
    const bodies = moment.bodies(of);
    if (!bodies.length) return [];
    const heads = [title, ...cells.map(([words]) => words)].map((words, n) => el('th', { textContent: words, className: n ? 'number' : '' }));
    const said = (/** @type {Body} */ body, /** @type {Phrase[]} */ phrases) =>
        phrases.flatMap((phrase) => moment.words(of, body, phrase) ?? []);
    const rows = bodies.slice(0, at_most).map((body) => {
        const words = el('td', { className: moment.isAlarmed(body) ? 'alarm' : '' }, said(body, [name]).join(''));
        const more = said(body, below).join(', ');
        if (more) words.append(el('small', { className: 'quiet', textContent: more }));
        return el('tr', {}, words, ...cells.map(([, , phrases]) => numberCell(said(body, phrases)[0] ?? '')));
    });
    const table = el('table', { className: 'measures' }, el('thead', {}, el('tr', {}, ...heads)), el('tbody', {}, ...rows));
    const left = bodies.length - rows.length;
    return left > 0 ? [table, el('p', { className: 'quiet', textContent: `and ${left} more` })] : [table];
}

/** What marks mean. @param {ViewSpec} view @returns {Node[]} */
function signs({ marks }) {
    const words = [...new Set(marks.flatMap(({ key }) => key ?? []))];
    if (!words.length) return [];
    const items = words.map((textContent) => el('li', { textContent }));
    return [el('details', { className: 'more' }, el('summary', { textContent: 'What is drawn' }), el('ul', { className: 'signs' }, ...items))];
}
