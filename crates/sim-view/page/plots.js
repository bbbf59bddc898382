// Small plots over time with one playhead. A click or a drag in any of them moves it.
/** @import { Film } from './data.js' */
/** @import { Followed } from './marks.js' */
/** @import { Span } from './alarms.js' */
/** @import { Figure, Limit, PlotSpec } from './spec.js' */
/** @import { Theme } from './colour.js' */
import { boundOf, isBroken } from './alarms.js';
import { fixed, lastAtOrBefore } from './data.js';
import { clock, el, typeScale } from './dom.js';
import { Moment } from './moment.js';

/** Space for the numbers at the left and below, px. */
const LEFT = 34;
const BELOW = 15;
const ABOVE = 5;
const RIGHT = 6;

/** A name for the numbers of a figure, as a column has one. @param {Figure} figure @param {string} unit */
function columnName({ of }, unit) {
    if (typeof of === 'string') return of;
    if ('column' in of) return of.column;
    return [Object.keys(of)[0], ...unit.split('/')].filter(Boolean).join('_');
}

/** The numbers of the curves of some plots at the times of all rows: of all owners together, or of the one at a place.
 * @param {Film} film @param {PlotSpec[]} specs @param {number} place @returns {Float64Array[][]} */
function valuesOf(film, specs, place) {
    const values = specs.map(({ curves }) => curves.map(() => new Float64Array(film.times.length).fill(NaN)));
    film.times.forEach((time_s, row) => {
        const moment = new Moment(film, time_s);
        specs.forEach((spec, plot) => valuesAt(moment, spec, place).forEach((value, n) => (values[plot][n][row] = value)));
    });
    return values;
}

/** The numbers of the curves of a plot at a moment; not a number where there is none. @param {Moment} moment @param {PlotSpec} spec
 * @param {number} place */
function valuesAt(moment, { of, curves }, place) {
    const body = moment.bodies(of).find((one) => one.place === place);
    return curves.map((figure) => {
        const value = figure.over ? moment.folded(of, figure) : body ? moment.value(body, figure.of) : null;
        return typeof value === 'number' ? value * figure.factor : NaN;
    });
}

/**
 * What curves show: numbers at times. Between readings there are no gaps: a row without a number is another sensor's.
 * @typedef {{ times: ArrayLike<number>, values: Float64Array[], hasGaps: boolean }} Series
 */

/** The readings of one owner that a plot is about. @param {Film} film @param {PlotSpec} spec @param {number} place @returns {Series} */
function readingsOf(film, { of, readings = '', curves }, place) {
    const owner = film.sampled.get(of)?.owners[place] ?? -1;
    const rows = film.events.get(readings)?.get(owner);
    if (!rows) return { times: [], values: curves.map(() => new Float64Array(0)), hasGaps: false };
    const values = curves.map(({ of: quantity, factor }) => {
        const name = typeof quantity === 'object' && 'column' in quantity ? quantity.column : '';
        const read = rows.table.reader(name);
        return Float64Array.from({ length: rows.table.rows }, (_, row) => read(row, 0) * factor);
    });
    return { times: rows.times, values, hasGaps: false };
}

/** What some plots show of the owner at a place. @param {Film} film @param {PlotSpec[]} specs @param {number} place @returns {Series[]} */
function seriesOf(film, specs, place) {
    const sampled = specs.filter(({ readings }) => !readings);
    const values = valuesOf(film, sampled, place);
    return specs.map((spec) =>
        spec.readings ? readingsOf(film, spec, place) : { times: film.times, values: values[sampled.indexOf(spec)], hasGaps: true },
    );
}

/** One plot: its curves are drawn once, the playhead as often as it moves. */
export class Plot {
    /** @param {PlotSpec} spec @param {Film} film @param {Series} series of its curves @param {Span[]} spans times in which a limit was
     * broken */
    constructor(spec, film, series, spans) {
        this.spec = spec;
        this.film = film;
        /** What the axis of time shows. @type {{ start_s: number, end_s: number }} */
        this.window = film;
        /** @type {Limit | undefined} */
        this.limit = film.view.limits.find(({ name }) => name === spec.limit);
        this.series = series;
        this.spans = spans.filter(({ limit }) => limit === this.limit);
        this.canvas = el('canvas', { className: 'plot-canvas' });
        this.canvas.setAttribute('aria-label', spec.title);
        this.value = el('output', { className: 'plot-value', dataset: { column: columnName(spec.curves[0], spec.unit) } });
        this.element = el(
            'figure',
            { className: 'plot' },
            el('figcaption', {}, el('span', { textContent: spec.title }), this.value),
            this.canvas,
        );
        this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d'));
        this.curve = document.createElement('canvas');
        /** In px of a page with the usual type; device pixels for each; the page's type over the usual one. */
        this.size = { width: 0, height: 0, ratio: 1, type: 1 };
        this.range = this.findRange();
    }

    get values() {
        return this.series.values;
    }

    /** True if there is anything to draw. */
    get hasValues() {
        return this.values.some((curve) => curve.some((value) => !Number.isNaN(value)));
    }

    /** The bound, as the plot counts. */
    get bound() {
        return this.limit ? boundOf(this.limit) * this.spec.curves[0].factor : NaN;
    }

    /** @param {number} value */
    isBroken(value) {
        return this.limit !== undefined && isBroken(this.limit, value / this.spec.curves[0].factor, null);
    }

    findRange() {
        const { spec, bound } = this;
        if (spec.range) return { low: spec.range[0], high: spec.range[1] };
        let [low, high] = [Infinity, -Infinity];
        for (const curve of this.values) {
            for (const value of curve) {
                if (value < low) low = value;
                if (value > high) high = value;
            }
        }
        for (const { least } of this.spans) if (least < low) low = least;
        if (!Number.isNaN(bound)) return { low: Math.min(low, bound) - 0.12 * (high - Math.min(low, bound) || 1), high: Math.max(high, bound) };
        return { low: Math.min(low, 0), high: Math.max(high > low ? high : low + 1, 0) };
    }

    /** @param {number} time_s */
    x(time_s) {
        const { window: { start_s, end_s }, size } = this;
        return LEFT + ((time_s - start_s) / (end_s - start_s || 1)) * (size.width - LEFT - RIGHT);
    }

    /** @param {number} value */
    y(value) {
        const { range, size } = this;
        return size.height - BELOW - ((value - range.low) / (range.high - range.low || 1)) * (size.height - BELOW - ABOVE);
    }

    /** @param {number} px */
    timeAt(px) {
        const share = (px / this.size.type - LEFT) / Math.max(this.size.width - LEFT - RIGHT, 1);
        return this.window.start_s + share * (this.window.end_s - this.window.start_s);
    }

    /** Plots the numbers of another owner. @param {number} place */
    show(place) {
        if (this.spec.curves.every(({ over }) => over !== null)) return;
        [this.series] = seriesOf(this.film, [this.spec], place);
        this.range = this.findRange();
    }

    /** The colour of a curve: readings of several axes have one each. @param {Theme} theme @param {number} n */
    colour(theme, n) {
        return this.spec.readings ? theme.curves[n % theme.curves.length] : n ? theme.plotSecond : theme.plot;
    }

    /** Draws the curve for a size and a theme. @param {Theme} theme */
    prepare(theme) {
        this.measure();
        this.redraw(theme);
    }

    /** Takes up a new size. */
    measure() {
        const type = typeScale();
        const [width, height] = [this.canvas.clientWidth / type, this.canvas.clientHeight / type];
        const ratio = Math.min(window.devicePixelRatio || 1, 2) * type;
        this.size = { width, height, ratio, type };
        for (const canvas of [this.canvas, this.curve]) {
            canvas.width = Math.max(Math.round(width * ratio), 1);
            canvas.height = Math.max(Math.round(height * ratio), 1);
        }
    }

    /** Draws the curve again in the same size. @param {Theme} theme */
    redraw(theme) {
        const { ratio, width, height } = this.size;
        const context = /** @type {CanvasRenderingContext2D} */ (this.curve.getContext('2d'));
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.clearRect(0, 0, width, height);
        this.axes(context, theme);
        const isBounded = !Number.isNaN(this.bound);
        this.values.slice(1).forEach((curve, n) => this.line(context, curve, this.colour(theme, n + 1), true));
        this.line(context, this.values[0], theme.plot, !isBounded);
        if (isBounded) this.limitLine(context, theme);
    }

    /** @param {CanvasRenderingContext2D} context @param {Theme} theme */
    axes(context, theme) {
        const { width, height } = this.size;
        context.font = '10px system-ui, sans-serif';
        context.fillStyle = theme.colors.faint;
        context.strokeStyle = theme.line;
        context.lineWidth = 1;
        context.textBaseline = 'middle';
        context.textAlign = 'right';
        for (const tick of ticks(this.range.low, this.range.high, Math.max(2, Math.floor(height / 28)))) {
            context.beginPath();
            context.moveTo(LEFT, Math.round(this.y(tick)) + 0.5);
            context.lineTo(width - RIGHT, Math.round(this.y(tick)) + 0.5);
            context.stroke();
            context.fillText(String(tick), LEFT - 5, this.y(tick));
        }
        context.textAlign = 'center';
        context.textBaseline = 'bottom';
        for (const tick of timeTicks(this.window.start_s, this.window.end_s, Math.max(2, Math.floor(width / 80)))) {
            const [text, half] = [clock(tick, tick % 1 ? 1 : 0), 14];
            context.fillText(text, Math.min(Math.max(this.x(tick), LEFT + half - 8), width - half), height);
        }
    }

    /**
     * A faint band from the smallest to the largest value of each column of pixels, and a line: the mean, or the smallest value where
     * there is a limit that holds from below. The line is open where a row has no value.
     * @param {CanvasRenderingContext2D} context @param {Float64Array} curve @param {string} colour @param {boolean} byMean
     */
    line(context, curve, colour, byMean) {
        const columns = this.pixelColumns(curve);
        context.fillStyle = colour;
        context.globalAlpha = 0.3;
        for (const { x, low, high } of columns) context.fillRect(x - 0.5, this.y(high), 1, this.y(low) - this.y(high));
        context.globalAlpha = 1;
        context.strokeStyle = colour;
        context.lineWidth = 1.3;
        context.lineJoin = 'round';
        context.beginPath();
        for (const { x, low, mean, isAfterGap } of columns) {
            const y = this.y(byMean ? mean : low);
            if (isAfterGap) context.moveTo(x, y);
            else context.lineTo(x, y);
        }
        context.stroke();
    }

    /** @typedef {{ x: number, low: number, high: number, sum: number, count: number, mean: number, isAfterGap: boolean }} PixelColumn */

    /** @param {Float64Array} curve */
    pixelColumns(curve) {
        /** @type {PixelColumn[]} */
        const columns = [];
        let isAfterGap = true;
        curve.forEach((value, row) => {
            const isMissing = Number.isNaN(value);
            const x = Math.round(this.x(this.series.times[row]));
            let column = columns[columns.length - 1];
            if (!isMissing) {
                if (column?.x !== x) columns.push((column = { x, low: value, high: value, sum: 0, count: 0, mean: 0, isAfterGap }));
                column.low = Math.min(column.low, value);
                column.high = Math.max(column.high, value);
                column.sum += value;
                column.count += 1;
                column.mean = column.sum / column.count;
            }
            isAfterGap = isMissing ? isAfterGap || this.series.hasGaps : false;
        });
        return columns;
    }

    /** @param {CanvasRenderingContext2D} context @param {Theme} theme */
    limitLine(context, theme) {
        const { times } = this.series;
        const y = Math.round(this.y(this.bound)) + 0.5;
        context.fillStyle = theme.colors.alarm;
        const broken = (/** @type {number} */ from_s, /** @type {number} */ to_s, /** @type {number} */ value) => {
            const [top, bottom] = [this.y(value), y].sort((a, b) => a - b);
            const left = this.x(from_s) - 0.5;
            context.fillRect(left, top, Math.max(this.x(to_s) - left, 2), Math.max(bottom - top, 2));
        };
        this.values[0].forEach((value, row) => this.isBroken(value) && broken(times[row], times[row + 1] ?? times[row], value));
        // What happened between rows stands as deep as it went, as wide as can be seen.
        for (const { begin_s, least } of this.spans) if (!Number.isNaN(least)) broken(begin_s, begin_s, least);
        context.strokeStyle = theme.colors.alarm;
        context.lineWidth = 1;
        context.setLineDash([4, 3]);
        context.beginPath();
        context.moveTo(LEFT, y);
        context.lineTo(this.size.width - RIGHT, y);
        context.stroke();
        context.setLineDash([]);
    }

    /** The last number of a curve. @param {number} time_s @param {number} n */
    valueAt(time_s, n) {
        const { times, values, hasGaps } = this.series;
        if (!(times[0] <= time_s + 1e-4)) return NaN;
        let row = lastAtOrBefore(times, time_s);
        while (!hasGaps && row > 0 && Number.isNaN(values[n][row])) row -= 1;
        return values[n][row];
    }

    /** Says the number of the first curve, or those of all axes of a reading, each in the colour of its curve.
     * @param {Theme} theme @param {number} time_s */
    say(theme, time_s) {
        const { curves, unit, readings } = this.spec;
        const words = curves.slice(0, readings ? curves.length : 1).map(({ digits }, n) => {
            const value = this.valueAt(time_s, n);
            const number = el('b', { textContent: Number.isNaN(value) ? '–' : fixed(value, digits) });
            if (curves.length > 1 && readings) number.style.color = this.colour(theme, n);
            return number;
        });
        const spaced = words.flatMap((word, n) => (n ? [' ', word] : [word]));
        const isNone = words.every(({ textContent }) => textContent === '–');
        this.value.replaceChildren(...(isNone ? ['–'] : [...spaced, ` ${unit}`]));
    }

    /** Draws the playhead, and says the value. @param {Theme} theme @param {number} time_s */
    draw(theme, time_s) {
        const { context, size } = this;
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.clearRect(0, 0, this.canvas.width, this.canvas.height);
        context.drawImage(this.curve, 0, 0);
        context.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
        const value = this.valueAt(time_s, 0);
        context.fillStyle = theme.colors.ink;
        context.globalAlpha = 0.7;
        context.fillRect(this.x(time_s) - 0.5, ABOVE, 1, size.height - BELOW - ABOVE);
        context.globalAlpha = 1;
        this.say(theme, time_s);
        this.value.classList.toggle('alarm', this.isBroken(value));
        if (Number.isNaN(value)) return;
        context.beginPath();
        context.arc(this.x(time_s), this.y(value), 3, 0, 2 * Math.PI);
        context.fill();
    }
}

/** All plots of a film. */
export class Plots {
    /** @param {(time_s: number) => void} seek */
    constructor(seek) {
        this.seek = seek;
        this.element = el('section', { className: 'plots', 'aria-label': 'Measures over time' });
        /** @type {Plot[]} */
        this.plots = [];
        this.owner = 0;
    }

    /** @param {Film} film @param {Span[]} spans times in which a limit was broken @param {string} [limit] name of the limit that all plots
     * are about */
    load(film, spans, limit) {
        const there = film.view.plots.filter((plot) => film.sampled.has(plot.of) && (!limit || plot.limit === limit));
        const series = seriesOf(film, there, 0);
        const areReadThere = (/** @type {Plot} */ { spec }) => (film.events.get(spec.readings ?? '')?.size ?? 0) > 0;
        this.plots = there.map((spec, n) => new Plot(spec, film, series[n], spans)).filter((plot) => plot.hasValues || areReadThere(plot));
        this.element.replaceChildren(...this.plots.map((plot) => plot.element));
        for (const plot of this.plots) this.listen(plot);
        this.owner = 0;
        this.arrange();
    }

    /** Plots about one of many are about the one that is followed, or the first. @param {Theme} theme
     * @param {Followed | null} followed */
    follow(theme, followed) {
        const owner = followed?.place ?? 0;
        if (owner === this.owner) return;
        this.owner = owner;
        for (const plot of this.plots) plot.show(plot.spec.of === followed?.stream ? owner : 0);
        this.arrange();
        this.prepare(theme);
    }

    /** Lays all plots out in rows, with those that others have added; what the one that is followed does not read is left out. */
    arrange() {
        for (const plot of this.plots) plot.element.hidden = !plot.hasValues;
        const { children, classList } = this.element;
        const shown = [...children].filter((child) => !(/** @type {HTMLElement} */ (child).hidden)).length;
        classList.toggle('four', shown === 4);
        classList.toggle('many', shown > 6);
    }

    /** @param {Plot} plot */
    listen(plot) {
        const go = (/** @type {PointerEvent} */ event) => this.seek(plot.timeAt(event.clientX - plot.canvas.getBoundingClientRect().left));
        plot.canvas.addEventListener('pointerdown', (event) => {
            plot.canvas.setPointerCapture(event.pointerId);
            go(event);
        });
        plot.canvas.addEventListener('pointermove', (event) => {
            if (event.buttons) go(event);
        });
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

/** Time that plots of a run that goes on reach back, s, and time from one of their values to the next. */
const WINDOW_S = 60;
const EVERY_S = 0.1;

/** Values that such a plot keeps: at most twice as many. */
const KEPT_VALUES = WINDOW_S / EVERY_S;

/** Time between two drawings of such plots, ms. They are drawn in turn: their last minute takes hundreds of ms for a pixel. */
const PLOT_MS = 50;

/** Plots of the last minute of a run that goes on. A picture adds at most one value to each. */
export class RollingPlots extends Plots {
    constructor() {
        super(() => {});
        this.times = new Float64Array(2 * KEPT_VALUES);
        /** Values by plot and curve. @type {Float64Array[][]} */
        this.values = [];
        this.count = 0;
        /** How many are to be drawn again, and which is the next. */
        this.due = 0;
        this.turn = 0;
        this.drawn_ms = 0;
        this.window = { start_s: 0, end_s: WINDOW_S };
    }

    /** Begins without a value. @param {Film} film */
    load(film) {
        const specs = film.view.plots.filter((plot) => !plot.readings && film.sampled.has(plot.of));
        this.plots = specs.map((spec) => new Plot(spec, film, { times: [], values: spec.curves.map(() => new Float64Array(0)), hasGaps: true }, []));
        this.values = specs.map(({ curves }) => curves.map(() => new Float64Array(2 * KEPT_VALUES)));
        for (const plot of this.plots) plot.window = this.window;
        this.element.replaceChildren(...this.plots.map((plot) => plot.element));
        this.count = 0;
        this.arrange();
    }

    /** Plots about one of many begin again with another one. @param {Theme} _theme @param {Followed | null} followed */
    follow(_theme, followed) {
        const owner = followed?.place ?? 0;
        if (owner === this.owner) return;
        this.owner = owner;
        this.plots.forEach(({ spec }, plot) => {
            spec.curves.forEach(({ over }, n) => over === null && this.values[plot][n].fill(NaN, 0, this.count));
        });
    }

    /** @param {Moment} moment */
    add(moment) {
        const { time_s } = moment;
        if (this.count && time_s < this.times[this.count - 1] + EVERY_S) return;
        if (this.count === 2 * KEPT_VALUES) this.forget();
        this.times[this.count] = time_s;
        this.plots.forEach(({ spec }, plot) => {
            valuesAt(moment, spec, this.owner).forEach((value, n) => (this.values[plot][n][this.count] = value));
        });
        this.count += 1;
        this.due = this.plots.length;
        this.window.start_s = Math.max(time_s - WINDOW_S, this.times[0]);
        this.window.end_s = Math.max(time_s, this.window.start_s + 1);
    }

    /** Forgets the older half. */
    forget() {
        for (const array of [this.times, ...this.values.flat()]) array.copyWithin(0, KEPT_VALUES);
        this.count -= KEPT_VALUES;
    }

    /** Takes up new sizes. */
    measure() {
        for (const plot of this.plots) plot.measure();
        this.due = this.plots.length;
    }

    /** Draws the next plot, if one is due. @param {number} now_ms @param {Theme} theme */
    drawNext(now_ms, theme) {
        if (!this.due || !this.count || now_ms - this.drawn_ms < PLOT_MS) return;
        this.drawn_ms = now_ms;
        this.due -= 1;
        this.turn = (this.turn + 1) % this.plots.length;
        const plot = this.plots[this.turn];
        let first = 0;
        while (this.times[first] < this.window.start_s) first += 1;
        const cut = (/** @type {Float64Array} */ array) => array.subarray(first, this.count);
        plot.series = { times: cut(this.times), values: this.values[this.turn].map(cut), hasGaps: true };
        plot.range = plot.findRange();
        plot.redraw(theme);
        plot.draw(theme, this.times[this.count - 1]);
    }
}

/** Round numbers between two values. @param {number} low @param {number} high @param {number} count */
export function ticks(low, high, count) {
    const rough = (high - low) / Math.max(count, 1);
    const power = 10 ** Math.floor(Math.log10(rough || 1));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? rough;
    const all = [];
    for (let n = Math.ceil(low / step); n * step <= high; n += 1) all.push(Number((n * step).toPrecision(12)));
    return all;
}

/** Round times. @param {number} start_s @param {number} end_s @param {number} count */
function timeTicks(start_s, end_s, count) {
    const rough = (end_s - start_s) / count;
    const step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 3600].find((candidate) => candidate >= rough) ?? rough;
    const all = [];
    for (let n = Math.ceil(start_s / step); n * step <= end_s + 1e-9; n += 1) all.push(n * step);
    return all;
}
