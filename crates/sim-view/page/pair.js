// Two runs side by side: two stages with one clock, the same part of the plane and the same layers, and what differs between them.
/** @import { PairHead } from './data.js' */
/** @import { Theme } from './colour.js' */
/** @import { Body } from './moment.js' */
/** @import { Party } from './spec.js' */
import { spansOf } from './alarms.js';
import { Film } from './data.js';
import { clock, el, short, tabs, unitText } from './dom.js';
import { Moment, distanceOf } from './moment.js';
import { Plot } from './plots.js';
import { share } from './share.js';
import { Stage } from './stage.js';

/** Owners whose distances are listed, the farthest first. */
const MAX_LISTED = 40;

/** A distance that is drawn, px. */
const SEEN_PX = 3;

/** Names of the runs. */
const SIDES = ['A', 'B'];

/** An owner of both runs and how far apart it is. @typedef {{ party: Party, id: number, bodies: [Body, Body], apart: number }} Counterpart */

/** Owners that both moments have. @param {[Moment, Moment]} moments @param {Party} party @returns {Counterpart[]} */
function counterparts([one, other], party) {
    const others = new Map(other.bodies(party.stream).map((body) => [body.id, body]));
    return one.bodies(party.stream).flatMap((body) => {
        const found = others.get(body.id);
        return found ? [{ party, id: body.id, bodies: /** @type {[Body, Body]} */ ([body, found]), apart: distanceOf(body, found) }] : [];
    });
}

/** Builds the page of two runs. @param {PairHead} head @param {Uint8Array} bytes @param {Stage} stage @param {HTMLElement} main */
export function buildPair(head, bytes, stage, main) {
    const films = head.runs.map((run) => new Film(run.tables, run, bytes));
    const second = new Stage(stage.theme.dark, head.runs[1].view, stage.player);
    const stages = [stage, second];
    stages.forEach((one, n) => {
        const spans = spansOf(head.runs[n].events, head.runs[n].view, films[n].end_s);
        one.load(films[n], spans);
    });
    link(stage, second);
    const parties = films[0].view.parties.filter(({ stream }) => films[1].party(stream));
    const moving = parties.filter(({ stream }) => films.every((film) => film.sampled.has(stream)));
    const distances = new Distances(/** @type {[Film, Film]} */ (films), moving, (time_s) => stage.player.seek(time_s));
    const apart = new ApartPanel(moving, films[0].view.unit);
    const go = (/** @type {number} */ time_s) => {
        stage.player.pause();
        stage.player.seek(time_s);
    };
    const panel = tabs([
        { name: 'Differences', body: differencesPanel(head, go) },
        { name: 'Distances', body: apart.element },
        { name: 'Measures', body: measuresPanel(head) },
        { name: 'Settings', body: settingsPanel(head) },
    ]);
    const sides = stages.map((one, n) => {
        const title = el('h2', {}, el('b', { textContent: SIDES[n] }), ` ${head.names[n]}`);
        return el('div', { className: 'side' }, title, one.element);
    });
    main.className = 'run pair';
    main.append(el('div', { className: 'sides' }, ...sides), stage.transport, distances.element, el('aside', {}, panel.element));
    // Both films are played from the earlier start to the later end; one that is over stays at its last row.
    const [start_s, end_s] = [Math.min(...films.map((film) => film.start_s)), Math.max(...films.map((film) => film.end_s))];
    stage.showSpan(start_s, end_s);
    stage.player.load(start_s, end_s);
    stage.onLook.push(() => distances.prepare(stage.theme));
    const frame = (/** @type {number} */ time_s) => {
        const moments = /** @type {[Moment, Moment]} */ (films.map((film) => new Moment(film, time_s)));
        const all = moving.flatMap((party) => counterparts(moments, party));
        stages.forEach((one, n) => markApart(one, all, n));
        distances.draw(stage.theme, time_s);
        apart.draw(all);
    };
    stage.onDraw.push(({ time_s }) => frame(time_s));
    share(stage, head.title, main);
}

/** Keeps two stages on the same part of the plane, with the same layers, and after the same body. @param {Stage} one @param {Stage} other */
function link(one, other) {
    one.twin = other;
    other.twin = one;
    other.layers = one.layers;
    one.panes.forEach((pane, n) => {
        const views = [pane.view, other.panes[n]?.view];
        if (!views[1]) return;
        views.forEach((view, at) => {
            view.onChange = () => {
                Object.assign(views[1 - at], { zoom: view.zoom, center: view.center });
                one.dirty = true;
            };
        });
    });
}

/** Where the other run has an owner of this picture: a ring there and a line to it. @param {Stage} stage @param {Counterpart[]} all
 * @param {number} n which of the runs it shows */
function markApart(stage, all, n) {
    for (const { view, painter } of stage.panes) {
        const { context } = painter;
        context.strokeStyle = stage.theme.follow;
        context.lineWidth = 1.5;
        context.setLineDash([4, 3]);
        for (const { bodies, party } of all) {
            const [here, there] = [bodies[n], bodies[1 - n]].map((body) => view.at(body));
            if (Math.hypot(here[0] - there[0], here[1] - there[1]) < SEEN_PX) continue;
            context.beginPath();
            context.moveTo(...here);
            context.lineTo(...there);
            const radius = Math.max(0.5 * (party.reach ?? 0) * view.scale, 4);
            context.moveTo(there[0] + radius, there[1]);
            context.arc(...there, radius, 0, 2 * Math.PI);
            context.stroke();
        }
        context.setLineDash([]);
    }
}

/** How far the same owner is apart in both runs, over time: the mean and the largest of each party. */
class Distances {
    /** @param {[Film, Film]} films @param {Party[]} parties @param {(time_s: number) => void} seek */
    constructor(films, parties, seek) {
        this.element = el('section', { className: 'plots', 'aria-label': 'Distances over time' });
        const [film] = films;
        const unit = film.view.unit;
        this.plots = parties.map((party) => {
            const digits = 2;
            const figure = { of: /** @type {'owner'} */ ('owner'), over: /** @type {'mean'} */ ('mean'), factor: 1, digits };
            const title = `${party.many}: apart, mean and largest`;
            const spec = { title, unit, of: party.stream, curves: [figure, figure], limit: null, range: null };
            const plot = new Plot(spec, film, { times: film.times, values: apartOverTime(films, party), hasGaps: true }, []);
            plot.value.dataset.apart = party.stream;
            const place = (/** @type {PointerEvent} */ event) => seek(plot.timeAt(event.clientX - plot.canvas.getBoundingClientRect().left));
            plot.canvas.addEventListener('pointerdown', place);
            return plot;
        });
        this.element.append(...this.plots.map(({ element }) => element));
    }

    /** @param {Theme} theme */
    prepare(theme) {
        for (const plot of this.plots) plot.prepare(theme);
    }

    /** @param {Theme} theme @param {number} time_s */
    draw(theme, time_s) {
        for (const plot of this.plots) plot.draw(theme, time_s);
    }
}

/** @param {[Film, Film]} films @param {Party} party @returns {Float64Array[]} mean and largest at the rows of the first */
function apartOverTime(films, party) {
    const [{ times }, other] = films;
    const [mean, most] = [0, 1].map(() => new Float64Array(times.length).fill(NaN));
    times.forEach((time_s, row) => {
        // A run that is over says nothing of later times.
        if (time_s > other.end_s + 1e-9) return;
        const moments = /** @type {[Moment, Moment]} */ (films.map((film) => new Moment(film, time_s)));
        const distances = counterparts(moments, party).map(({ apart }) => apart);
        if (!distances.length) return;
        mean[row] = distances.reduce((sum, distance) => sum + distance, 0) / distances.length;
        most[row] = Math.max(...distances);
    });
    return [mean, most];
}

/** How far each owner is from itself at the playhead, the farthest first. */
class ApartPanel {
    /** @param {Party[]} parties @param {string} unit */
    constructor(parties, unit) {
        this.unit = unit;
        this.body = el('tbody');
        const heads = [el('td'), el('th', { textContent: `apart, ${unit}`, className: 'number' })];
        this.left = el('p', { className: 'quiet' });
        const table = el('table', { className: 'measures apart' }, el('thead', {}, el('tr', {}, ...heads)), this.body);
        this.element = el('div', { className: 'panel' }, table, this.left);
        if (!parties.length) this.left.textContent = 'Nothing moves in both runs.';
    }

    /** @param {Counterpart[]} all */
    draw(all) {
        const sorted = [...all].sort((a, b) => b.apart - a.apart || a.id - b.id);
        const rows = sorted.slice(0, MAX_LISTED).map(({ party, id, apart }) => {
            const name = party.names[id] || `${party.one} ${id}`;
            return el('tr', {}, el('td', { textContent: name }), el('td', { className: 'number', textContent: apart.toFixed(2) }));
        });
        this.body.replaceChildren(...rows);
        if (sorted.length > rows.length) this.left.textContent = `and ${sorted.length - rows.length} more`;
    }
}

/** Where each table differs first. @param {PairHead} head @param {(time_s: number) => void} go */
function differencesPanel({ differences }, go) {
    const lines = differences.map(({ stream, words, same_rows, first }) => {
        const name = el('b', { textContent: `${stream}.csv` });
        if (!first) return el('li', { dataset: { stream } }, name, ` ${words ?? `the same in all ${same_rows} rows`}`);
        const { step, time_s, owner, column, values } = first;
        const where = owner === null ? '' : `, number ${owner}`;
        const what = column === null ? 'only one of the runs has this row' : `${column}: ${values.map((value) => value || 'none').join(' and ')}`;
        const button = el('button', { textContent: clock(time_s, 2), title: 'Go there', onclick: () => go(time_s) });
        return el('li', { className: 'bad', dataset: { stream } }, name, ` differs first at step ${step}${where}: ${what} `, button);
    });
    const earliest = Math.min(...differences.map(({ first }) => first?.time_s ?? Infinity));
    const isSame = differences.every(({ first, words }) => !first && !words);
    const verdict = isSame
        ? 'All tables are the same, to the last digit.'
        : Number.isFinite(earliest)
          ? `The runs differ from ${clock(earliest, 2)} on.`
          : 'The tables that both runs have are the same.';
    return el('div', { className: 'panel' }, el('p', { className: 'first', textContent: verdict }), el('ul', { className: 'differences' }, ...lines));
}

/** Measures of both runs, those that differ first. @param {PairHead} head */
function measuresPanel({ runs: [one, other] }) {
    const others = new Map(other.summary.map((measure) => [measure.metric, measure]));
    const number = (/** @type {number | null | undefined} */ value) => (value === null || value === undefined ? '–' : short(value));
    const names = [...new Set([...one.summary, ...other.summary].map(({ metric }) => metric))];
    const rows = names.map((metric) => {
        const pair = [one.summary.find((measure) => measure.metric === metric), others.get(metric)];
        const unit = unitText(pair[0]?.unit ?? pair[1]?.unit ?? '');
        return { metric, unit, values: pair.map((measure) => measure?.value), bad: pair.map((measure) => measure?.ok === false) };
    });
    const isSame = (/** @type {typeof rows[0]} */ { values: [a, b] }) => a === b;
    const sorted = [...rows.filter((row) => !isSame(row)), ...rows.filter(isSame)];
    const lines = sorted.map((row) => {
        const [a, b] = row.values.map((value, n) => el('td', { className: `number${row.bad[n] ? ' alarm' : ''}`, textContent: number(value) }));
        const name = [row.metric.replaceAll('_', ' '), row.unit].filter(Boolean).join(', ');
        return el('tr', { className: isSame(row) ? 'quiet' : '' }, el('td', { textContent: name }), a, b);
    });
    const heads = ['measure', ...SIDES].map((textContent, n) => el('th', { textContent, className: n ? 'number' : '' }));
    if (!lines.length) return el('div', { className: 'panel' }, el('p', { className: 'quiet', textContent: 'Neither run has a summary.csv.' }));
    return panelOf('measures', heads, lines);
}

/** A panel with a table. @param {string} className @param {HTMLElement[]} heads @param {HTMLElement[]} lines */
function panelOf(className, heads, lines) {
    const table = el('table', { className }, el('thead', {}, el('tr', {}, ...heads)), el('tbody', {}, ...lines));
    return el('div', { className: 'panel' }, table);
}

/** Keys of the scenarios that have other values. @param {PairHead} head */
function settingsPanel({ settings }) {
    const heads = ['setting', ...SIDES].map((textContent) => el('th', { textContent }));
    const lines = settings.map(({ key, values }) => el('tr', {}, ...[key, ...values].map((text) => el('td', { textContent: text || '–' }))));
    if (!lines.length) return el('div', { className: 'panel' }, el('p', { className: 'quiet', textContent: 'The scenarios are the same.' }));
    return panelOf('settings', heads, lines);
}
