// The panels beside the picture: numbers of the one that is followed, events, acceptance, scenario.
/** @import { EventRow, Film, Measure, Table } from './data.js' */
/** @import { Followed } from './marks.js' */
/** @import { Moment } from './moment.js' */
/** @import { Limit, LogSpec, ViewSpec } from './spec.js' */
import { columnOfLimit, isBroken, nameIn } from './alarms.js';
import { lastAtOrBefore, timesOf } from './data.js';
import { clock, el, isFloor, rem, short, unitText } from './dom.js';
import { Overview } from './overview.js';
import { bodiesNames } from './stage.js';

/** Height of a row of the list of events, heights of the page's type. */
const EVENT_REM = 42 / 13;

/** Unit of a column, by the end of its name. @param {string} column */
export function splitUnit(column) {
    const units = { _1_m: '1/m', _mm_s2: 'mm/s²', _mm_s: 'mm/s', _m_s: 'm/s', _rad_s: 'rad/s', _mm: 'mm', _m: 'm', _rad: 'rad', _rps: '1/s', _s: 's' };
    Object.assign(units, { _percent: '%', _deg: '°' });
    const end = Object.keys(units).find((ending) => column.endsWith(ending)) ?? '';
    const unit = end ? units[/** @type {keyof typeof units} */ (end)] : '';
    return { name: column.slice(0, column.length - end.length).replaceAll('_', ' '), unit };
}

/** The row of the one that is followed, as it stands in the table; of none, what can be said of all. */
export class NowPanel {
    /** @param {(followed: Followed | null) => void} follow */
    constructor(follow) {
        this.choice = el('select', { 'aria-label': 'Follow' });
        this.choice.onchange = () => follow(this.choices.get(this.choice.value) ?? null);
        /** Owners by their names: `robot 3`. @type {Map<string, Followed>} */
        this.choices = new Map();
        this.when = el('p', { className: 'quiet' });
        this.rows = el('dl', { className: 'numbers' });
        this.overview = new Overview();
        /** @type {Map<string, HTMLElement>} */
        this.cells = new Map();
        /** @type {string | null} */
        this.shown = null;
        const label = el('label', { className: 'follow' }, el('span', { textContent: 'Follow' }), this.choice);
        this.element = el('div', { className: 'panel' }, label, this.when, this.rows, this.overview.element);
    }

    /** @param {Film} film @param {Measure[]} summary */
    load(film, summary) {
        this.choice.replaceChildren(el('option', { value: '', textContent: 'none' }));
        for (const { stream, one, names, reach } of film.view.parties) {
            const table = film.sampled.get(stream);
            if (reach === null || !table) continue;
            table.owners.forEach((id, place) => {
                const value = `${one} ${id}`;
                this.choices.set(value, { stream, place });
                this.choice.append(el('option', { value, textContent: names[id] ? `${names[id]} (${value})` : value }));
            });
        }
        this.overview.load(film, summary);
        this.shown = null;
    }

    /** @param {Moment} moment @param {Followed | null} followed */
    draw(moment, followed) {
        const { film } = moment;
        const party = film.party(followed?.stream ?? '');
        const table = followed && film.sampled.get(followed.stream);
        const key = followed && party && table ? `${party.one} ${table.owners[followed.place]}` : '';
        if (key !== this.shown) this.show(film, key, table, followed?.place ?? 0);
        this.overview.element.hidden = key !== '';
        const { row } = film.at(moment.time_s);
        this.when.textContent = followed
            ? `Row of step ${film.step(row)}, at ${film.frames.text('time_s', row, 0)} s, as it stands in the table.`
            : `Click ${bodiesNames(film.view)} to follow it and to see its numbers.`;
        if (!followed || !table) this.overview.draw(moment);
        else this.fill(film, table, row, followed);
    }

    /** Makes a line for each column that has numbers. @param {Film} film @param {string} key
     * @param {Table | null | undefined} table @param {number} place */
    show(film, key, table, place) {
        this.shown = key;
        this.choice.value = key;
        this.cells.clear();
        this.rows.replaceChildren();
        for (const column of table?.columns.keys() ?? []) if (table?.hasNumbers(column, place)) this.addCell(column);
    }

    /** @param {Film} film @param {Table} table @param {number} row @param {Followed} followed */
    fill(film, table, row, { stream, place }) {
        const limits = film.view.limits.filter(({ of }) => of === stream);
        for (const [column, cell] of this.cells) {
            const text = table.text(column, row, place);
            if (cell.textContent !== text) cell.textContent = text;
            const value = table.number(column, row, place);
            const isAlarm = limits.some((/** @type {Limit} */ limit) => columnOfLimit(limit) === column && isBroken(limit, value, text));
            cell.classList.toggle('alarm', isAlarm);
        }
    }

    /** @param {string} column */
    addCell(column) {
        const { name, unit } = splitUnit(column);
        const value = el('b', { dataset: { column } });
        this.cells.set(column, value);
        this.rows.append(el('dt', { textContent: name }), el('dd', {}, value, el('i', { textContent: unit })));
    }
}

/** Events that must not be, besides those that tell of broken limits. */
const BAD_KINDS = /violation|outside|exceeded|non_finite/;

/**
 * A row of a list over time: its heading, what stands below it, and all of it for the pointer.
 * @typedef {{ head: string, below: string, hint: string, isBad: boolean }} Line
 * @typedef {{ title: string, all: string, of: (n: number) => string }} Choice by what rows can be chosen
 * @typedef {{ times: ArrayLike<number>, choices: Choice[], line: (n: number) => Line, go: (time_s: number, n: number) => void,
 *   nothing: string }} Listing
 */

/** Rows in the order of time, of which only those in sight exist. They follow the playhead as long as they are asked to. */
export class TimeList {
    /** @param {Listing} listed */
    constructor(listed) {
        this.listed = listed;
        this.selects = listed.choices.map(({ title }) => el('select', { 'aria-label': title, onchange: () => this.filter() }));
        this.offer();
        this.follows = el('input', { type: 'checkbox', checked: true });
        this.follows.onchange = () => this.scrollToCurrent();
        this.rowsElement = el('div', { className: 'event-rows' });
        this.list = el('div', { className: 'events', tabIndex: 0, onscroll: () => this.fill() }, this.rowsElement);
        const label = el('label', { className: 'check' }, this.follows, 'Follow the playhead');
        this.element = el('div', { className: 'panel fill' }, ...this.selects, label, this.list);
        this.current = -1;
        /** Places of the rows that are chosen, and their times. @type {number[]} */
        this.shown = [];
        this.times = new Float64Array(0);
        this.filter();
        new ResizeObserver(() => this.fill()).observe(this.list);
    }

    /** Fills the selects with what there is to choose; what is chosen stays. */
    offer() {
        const { times, choices } = this.listed;
        choices.forEach(({ all, of }, at) => {
            const select = this.selects[at];
            // One that is open must not change.
            if (document.activeElement === select) return;
            /** @type {Map<string, number>} */
            const counts = new Map(select.value ? [[select.value, 0]] : []);
            for (let n = 0; n < times.length; n += 1) counts.set(of(n), (counts.get(of(n)) ?? 0) + 1);
            const names = [...counts.keys()].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
            const options = names.map((name) => el('option', { value: name, textContent: `${name} (${counts.get(name)})` }));
            const { value } = select;
            select.replaceChildren(el('option', { value: '', textContent: `${all} (${times.length})` }), ...options);
            select.value = value;
        });
    }

    /** Rows have come, and the oldest may have gone. @param {ArrayLike<number>} times */
    grow(times) {
        const { scrollTop } = this.list;
        this.listed.times = times;
        this.offer();
        this.filter();
        this.list.scrollTop = scrollTop;
    }

    /** Shows the rows of one choice, or of all. @param {number} at @param {string} value */
    choose(at, value) {
        const select = this.selects[at];
        if (!select || select.value === value) return;
        if (![...select.options].some((option) => option.value === value)) select.append(el('option', { value, textContent: `${value} (0)` }));
        select.value = value;
        this.filter();
    }

    filter() {
        const { times, choices } = this.listed;
        const isChosen = (/** @type {number} */ n) => choices.every(({ of }, at) => !this.selects[at].value || of(n) === this.selects[at].value);
        this.shown = Array.from({ length: times.length }, (_, n) => n).filter(isChosen);
        this.times = Float64Array.from(this.shown, (n) => times[n]);
        this.rowsElement.style.height = `${this.shown.length * EVENT_REM}rem`;
        this.list.scrollTop = 0;
        this.current = -1;
        this.fill();
    }

    /** Makes the rows that are in sight. */
    fill() {
        const row_px = EVENT_REM * rem();
        const first = Math.max(Math.floor(this.list.scrollTop / row_px) - 4, 0);
        const last = Math.min(first + Math.ceil(this.list.clientHeight / row_px) + 8, this.shown.length);
        this.rowsElement.replaceChildren(...this.shown.slice(first, last).map((n, at) => this.row(n, first + at)));
        if (!this.shown.length) this.rowsElement.replaceChildren(el('p', { className: 'quiet', textContent: this.listed.nothing }));
    }

    /** @param {number} n number of the row @param {number} at its place among those that are shown */
    row(n, at) {
        const { head, below, hint, isBad } = this.listed.line(n);
        const row = el(
            'button',
            { className: `event${isBad ? ' bad' : ''}`, dataset: { at: String(at) }, title: hint },
            el('span', { textContent: clock(this.times[at]) }),
            el('span', { textContent: head }),
            el('span', { textContent: below }),
        );
        row.style.top = `${at * EVENT_REM}rem`;
        row.classList.toggle('now', at === this.current);
        row.onclick = () => this.listed.go(this.times[at], n);
        return row;
    }

    /** Marks the last row before the playhead. @param {number} time_s */
    draw(time_s) {
        const current = this.times.length && this.times[0] <= time_s + 1e-9 ? lastAtOrBefore(this.times, time_s) : -1;
        if (current === this.current) return;
        this.current = current;
        this.scrollToCurrent();
        for (const row of this.rowsElement.children) {
            if (row instanceof HTMLElement) row.classList.toggle('now', Number(row.dataset.at) === current);
        }
    }

    /** Brings the last row before the playhead into sight, if it is to stay there. */
    scrollToCurrent() {
        const { scrollTop, clientHeight } = this.list;
        if (!this.follows.checked || !clientHeight) return;
        const row_px = EVENT_REM * rem();
        const top = Math.max(this.current, 0) * row_px;
        if (top >= scrollTop && top + row_px <= scrollTop + clientHeight) return;
        this.list.scrollTop = Math.max(top - 0.5 * (clientHeight - row_px), 0);
        this.fill();
    }
}

/** What happened. @param {EventRow[]} events @param {ViewSpec} view @param {Listing['go']} go */
export function eventList(events, { limits, parties }, go) {
    /** What kinds of events begin with that tell of broken limits. */
    const breaks = limits.flatMap((limit) => (limit.events ? [limit.events] : []));
    const name = (/** @type {string} */ words) => nameIn(words, parties) ?? words.replaceAll('_', ' ');
    const line = (/** @type {number} */ n) => {
        const event = events[n];
        const number = event.value === null ? '' : `${short(event.value)} ${unitText(event.unit)}`.trim();
        const begins = (/** @type {string | null} */ start) => start !== null && event.kind.startsWith(start);
        const isEnd = breaks.some(({ end }) => begins(end));
        const isBad = isEnd || BAD_KINDS.test(event.kind) || breaks.some(({ begin }) => begins(begin));
        // The end of a break tells by how much the limit was missed at most.
        const value = number && isEnd ? `${number} past the limit` : number;
        const who = [event.subject, event.object].filter(Boolean).map(name).join(' – ');
        const hint = `step ${event.step}: ${event.kind} ${who} ${value}`;
        return { head: event.kind.replaceAll('_', ' '), below: [who, value].filter(Boolean).join(', '), hint, isBad };
    };
    const choices = [{ title: 'Kind of event', all: 'all kinds', of: (/** @type {number} */ n) => events[n].kind }];
    return new TimeList({ times: events.map(({ time_s }) => time_s), choices, line, go, nothing: 'Nothing happened.' });
}

/** What an owner of a stream is called. @param {Film} film @param {string} stream @param {number} id */
export function ownerName(film, stream, id) {
    const party = film.party(stream);
    return party?.names[id] || `${party?.one ?? stream} ${id}`;
}

/** Rows of a stream that a view wants to be listed. @param {LogSpec} log @param {Table} table @param {Film} film
 * @param {Listing['go']} go */
export function logList({ title, of, kinds, words }, table, film, go) {
    const text = (/** @type {string} */ column) => (/** @type {number} */ n) => table.text(column, n, 0).replace('–', '');
    const party = film.party(of);
    const who = (/** @type {number} */ n) => ownerName(film, of, table.number('owner', n, 0));
    const line = (/** @type {number} */ n) => {
        const said = (/** @type {string[]} */ columns) => columns.map((column) => text(column)(n)).filter(Boolean);
        const head = [who(n), ...said(kinds)].join(' ');
        const below = said(words).join(' · ');
        return { head, below, hint: `step ${table.text('step', n, 0)}: ${head}: ${below}`, isBad: false };
    };
    const choices = [
        { title: `${title}: whose`, all: `all ${party?.many ?? of}`, of: who },
        ...kinds.map((kind) => ({ title: `${title}: ${kind}`, all: `any ${kind}`, of: text(kind) })),
    ];
    return new TimeList({ times: timesOf(table, 'time_s'), choices, line, go, nothing: 'There is none.' });
}

/** The measures: first those that are held to a bound. @param {Measure[]} summary */
export function acceptancePanel(summary) {
    const judged = summary.filter(({ limit, ok }) => limit !== null || ok !== null);
    const others = summary.filter((measure) => !judged.includes(measure));
    const panel = el('div', { className: 'panel' });
    if (!summary.length) panel.append(el('p', { className: 'quiet', textContent: 'There is no summary.csv: the run is not complete.' }));
    else panel.append(measureTable(judged, true));
    if (others.length)
        panel.append(
            el('details', { className: 'more' }, el('summary', { textContent: `${others.length} more measures` }), measureTable(others, false)),
        );
    return panel;
}

/** A limit in words: a floor or a ceiling. @param {string} metric @param {string} limit */
function bound(metric, limit) {
    return `${isFloor(metric) ? 'at least' : 'at most'} ${limit}`;
}

/** @param {Measure[]} measures @param {boolean} judged */
function measureTable(measures, judged) {
    const head = ['', 'measure', 'value', 'limit'].slice(judged ? 0 : 1, judged ? 4 : 3);
    const rows = measures.map(({ metric, value, unit, limit, ok }) => {
        const number = (/** @type {number | null} */ given) => (given === null ? '–' : `${short(given)} ${unitText(unit)}`.trim());
        const cells = [
            el('td', { className: ok === false ? 'bad' : 'good', textContent: ok === null ? '' : ok ? '✓' : '✗' }),
            el('td', { textContent: metric.replaceAll('_', ' '), title: metric }),
            el('td', { className: 'number', textContent: number(value), title: String(value ?? '') }),
            el('td', { className: 'number quiet', textContent: limit === null ? '' : bound(metric, number(limit)), title: String(limit ?? '') }),
        ];
        return el('tr', { className: ok === false ? 'bad' : '' }, ...cells.slice(judged ? 0 : 1, judged ? 4 : 3));
    });
    // Above the signs stands nothing, which is no heading.
    const heads = head.map((text, n) =>
        el(text ? 'th' : 'td', { textContent: text, className: n + 2 > head.length - (judged ? 1 : 0) ? 'number' : '' }),
    );
    return el('table', { className: 'measures' }, el('thead', {}, el('tr', {}, ...heads)), el('tbody', {}, ...rows));
}

/** Lists with more numbers, or lists of numbers, than this are given by their length. */
const LONGEST_LIST = 60;

/** @typedef {{ path: string, value: string }} Leaf @param {unknown} value @param {string} path @param {Leaf[]} leaves */
function flatten(value, path, leaves) {
    const isPlain = (/** @type {unknown} */ part) => part === null || typeof part !== 'object';
    const isLong = Array.isArray(value) && value.length > LONGEST_LIST && value.every((part) => isPlain(part) || Array.isArray(part));
    if (isPlain(value)) leaves.push({ path, value: value === null ? 'none' : String(value) });
    else if (isLong) leaves.push({ path, value: `${value.length} entries` });
    else if (Array.isArray(value) && value.every(isPlain)) leaves.push({ path, value: value.length ? value.join(', ') : 'none' });
    else if (Array.isArray(value)) value.forEach((part, n) => flatten(part, `${path}[${n}]`, leaves));
    else for (const [key, part] of Object.entries(/** @type {object} */ (value))) flatten(part, path ? `${path}.${key}` : key, leaves);
    return leaves;
}

/** The resolved scenario: a closed group for each part, and a search that opens what it finds. @param {unknown} scenario */
export function scenarioPanel(scenario) {
    const leaves = flatten(scenario, '', []);
    const part = (/** @type {string} */ path) => path.split(/[.[]/)[0];
    const names = [...new Set(leaves.map(({ path }) => part(path)))];
    const search = el('input', { type: 'search', placeholder: 'Search keys and values', 'aria-label': 'Search the scenario' });
    const groups = el('div', { className: 'scenario' });
    const show = () => {
        const wanted = search.value.trim().toLowerCase();
        const found = leaves.filter(({ path, value }) => `${path} ${value}`.toLowerCase().includes(wanted));
        const parts = names
            .map((name) => ({ name, leaves: found.filter(({ path }) => part(path) === name) }))
            .filter((group) => group.leaves.length);
        groups.replaceChildren(...parts.map((group) => scenarioGroup(group.name, group.leaves, wanted !== '')));
        if (!parts.length) groups.append(el('p', { className: 'quiet', textContent: 'Nothing of that.' }));
    };
    search.oninput = show;
    show();
    return el('div', { className: 'panel' }, search, groups);
}

/** @param {string} name @param {Leaf[]} leaves @param {boolean} open */
function scenarioGroup(name, leaves, open) {
    const row = (/** @type {Leaf} */ { path, value }, /** @type {string} */ shown) => [
        el('dt', { textContent: shown, title: path }),
        el('dd', { textContent: value }),
    ];
    if (leaves.length === 1 && leaves[0].path === name) return el('dl', { className: 'leaf' }, ...row(leaves[0], name));
    const body = el('dl', {}, ...leaves.flatMap((leaf) => row(leaf, leaf.path.slice(name.length).replace(/^\./, ''))));
    return el('details', { open }, el('summary', {}, name, el('i', { textContent: String(leaves.length) })), body);
}
