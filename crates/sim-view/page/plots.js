// Small plots over time with one playhead. A click or a drag in any of them moves it.
/** @import { Film } from './data.js' */
/** @import { Followed } from './draw.js' */
/** @import { Span } from './alarms.js' */
/** @import { Theme } from './colour.js' */
import { lastAtOrBefore } from './data.js';
import { clock, el, typeScale } from './dom.js';
import { worldOf } from './worlds.js';

/**
 * @typedef {{ title: string, unit: string, column: string, second?: string, limit?: number, kind?: Span['kind'], percent?: boolean }} Spec
 */

/** Room for the numbers at the left and below, px. */
const LEFT = 34;
const BELOW = 15;
const ABOVE = 5;
const RIGHT = 6;

/** The plots that a film has numbers for. @param {Film<any>} film @returns {Spec[]} */
function plotsOf({ setting, series }) {
    const has = (/** @type {string} */ column) => series.owners.some((_, place) => series.hasNumbers(column, place));
    return worldOf(setting)
        .plots(setting)
        .filter(({ column }) => has(column));
}

/** One plot: its curve is drawn once, the playhead as often as it moves. */
class Plot {
    /** @param {Spec} spec @param {Film<any>} film @param {Span[]} spans times in which a distance was broken */
    constructor(spec, film, spans) {
        this.spec = spec;
        this.film = film;
        /** Place of the owner whose numbers are plotted. */
        this.owner = 0;
        this.spans = spans.filter(({ kind }) => kind === spec.kind);
        this.canvas = el('canvas', { className: 'plot-canvas' });
        this.canvas.setAttribute('aria-label', spec.title);
        this.value = el('output', { className: 'plot-value', dataset: { column: spec.column } });
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

    /** @param {string} column @param {number} row */
    number(column, row) {
        return this.film.series.number(column, row, this.owner) * (this.spec.percent ? 100 : 1);
    }

    findRange() {
        const { spec, film } = this;
        let [low, high] = spec.percent ? [0, 100] : [Infinity, -Infinity];
        for (let row = 0; row < film.series.rows && !spec.percent; row += 1) {
            for (const column of [spec.column, spec.second ?? spec.column]) {
                const value = this.number(column, row);
                if (value < low) low = value;
                if (value > high) high = value;
            }
        }
        for (const { least_mm } of this.spans) low = Math.min(low, least_mm);
        if (spec.limit !== undefined) return { low: Math.min(low, spec.limit) - 0.12 * (high - Math.min(low, spec.limit) || 1), high };
        return { low: Math.min(low, 0), high: Math.max(high > low ? high : low + 1, 0) };
    }

    /** @param {number} time_s */
    x(time_s) {
        const { film, size } = this;
        return LEFT + ((time_s - film.start_s) / (film.end_s - film.start_s || 1)) * (size.width - LEFT - RIGHT);
    }

    /** @param {number} value */
    y(value) {
        const { range, size } = this;
        return size.height - BELOW - ((value - range.low) / (range.high - range.low || 1)) * (size.height - BELOW - ABOVE);
    }

    /** @param {number} px */
    timeAt(px) {
        const share = (px / this.size.type - LEFT) / Math.max(this.size.width - LEFT - RIGHT, 1);
        return this.film.start_s + share * (this.film.end_s - this.film.start_s);
    }

    /** Plots the numbers of another owner. @param {number} owner its place */
    show(owner) {
        this.owner = owner;
        this.range = this.findRange();
    }

    /** Draws the curve for a size and a theme. @param {Theme} theme */
    prepare(theme) {
        const type = typeScale();
        const [width, height] = [this.canvas.clientWidth / type, this.canvas.clientHeight / type];
        const ratio = Math.min(window.devicePixelRatio || 1, 2) * type;
        this.size = { width, height, ratio, type };
        for (const canvas of [this.canvas, this.curve]) {
            canvas.width = Math.max(Math.round(width * ratio), 1);
            canvas.height = Math.max(Math.round(height * ratio), 1);
        }
        const context = /** @type {CanvasRenderingContext2D} */ (this.curve.getContext('2d'));
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        this.axes(context, theme);
        const { column, second, limit } = this.spec;
        if (second) this.line(context, second, theme.plotSecond, true);
        this.line(context, column, theme.plot, limit === undefined);
        if (limit !== undefined) this.limitLine(context, theme, column, limit);
    }

    /** @param {CanvasRenderingContext2D} context @param {Theme} theme */
    axes(context, theme) {
        const { width, height } = this.size;
        context.font = '10px system-ui, sans-serif';
        context.fillStyle = theme.dim;
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
        for (const tick of timeTicks(this.film.start_s, this.film.end_s, Math.max(2, Math.floor(width / 80)))) {
            const [text, half] = [clock(tick, tick % 1 ? 1 : 0), 14];
            context.fillText(text, Math.min(Math.max(this.x(tick), LEFT + half - 8), width - half), height);
        }
    }

    /**
     * A faint band from the smallest to the largest value of each column of pixels, and a line: the mean, or the smallest value where
     * there is a limit that holds from below.
     * @param {CanvasRenderingContext2D} context @param {string} name @param {string} colour @param {boolean} byMean
     */
    line(context, name, colour, byMean) {
        const columns = this.pixelColumns(name);
        context.fillStyle = colour;
        context.globalAlpha = 0.3;
        for (const { x, low, high } of columns) context.fillRect(x - 0.5, this.y(high), 1, this.y(low) - this.y(high));
        context.globalAlpha = 1;
        context.strokeStyle = colour;
        context.lineWidth = 1.3;
        context.lineJoin = 'round';
        context.beginPath();
        let before = NaN;
        for (const { x, low, mean } of columns) {
            const y = this.y(byMean ? mean : low);
            if (x - before <= this.gap()) context.lineTo(x, y);
            else context.moveTo(x, y);
            before = x;
        }
        context.stroke();
    }

    /** Pixels between two values above which one is missing. */
    gap() {
        const { film } = this;
        return Math.max(1, (1.5 * (this.x(film.end_s) - this.x(film.start_s))) / Math.max(film.seriesTimes.length - 1, 1));
    }

    /** @typedef {{ x: number, low: number, high: number, sum: number, count: number, mean: number }} PixelColumn @param {string} name */
    pixelColumns(name) {
        /** @type {PixelColumn[]} */
        const columns = [];
        this.film.seriesTimes.forEach((time_s, row) => {
            const value = this.number(name, row);
            if (Number.isNaN(value)) return;
            const x = Math.round(this.x(time_s));
            let column = columns[columns.length - 1];
            if (column?.x !== x) columns.push((column = { x, low: value, high: value, sum: 0, count: 0, mean: 0 }));
            column.low = Math.min(column.low, value);
            column.high = Math.max(column.high, value);
            column.sum += value;
            column.count += 1;
            column.mean = column.sum / column.count;
        });
        return columns;
    }

    /** @param {CanvasRenderingContext2D} context @param {Theme} theme @param {string} name @param {number} limit */
    limitLine(context, theme, name, limit) {
        const y = Math.round(this.y(limit)) + 0.5;
        context.fillStyle = theme.alarm;
        const broken = (/** @type {number} */ from_s, /** @type {number} */ to_s, /** @type {number} */ value) =>
            context.fillRect(this.x(from_s) - 0.5, y, Math.max(this.x(to_s) - this.x(from_s) + 0.5, 2), Math.max(this.y(value) - y, 2));
        this.film.seriesTimes.forEach((time_s, row) => {
            const value = this.number(name, row);
            if (value < limit - 1e-6) broken(time_s, this.film.seriesTimes[row + 1] ?? time_s, value);
        });
        // What happened between rows stands as deep as it went, as wide as can be seen.
        for (const { begin_s, least_mm } of this.spans) broken(begin_s, begin_s, least_mm);
        context.strokeStyle = theme.alarm;
        context.lineWidth = 1;
        context.setLineDash([4, 3]);
        context.beginPath();
        context.moveTo(LEFT, y);
        context.lineTo(this.size.width - RIGHT, y);
        context.stroke();
        context.setLineDash([]);
    }

    /** Draws the playhead, and says the value. @param {Theme} theme @param {number} time_s */
    draw(theme, time_s) {
        const { context, size, spec, film } = this;
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.clearRect(0, 0, this.canvas.width, this.canvas.height);
        context.drawImage(this.curve, 0, 0);
        context.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
        const row = lastAtOrBefore(film.seriesTimes, time_s);
        const value = this.number(spec.column, row);
        context.fillStyle = theme.ink;
        context.globalAlpha = 0.7;
        context.fillRect(this.x(time_s) - 0.5, ABOVE, 1, size.height - BELOW - ABOVE);
        context.globalAlpha = 1;
        const text = this.film.series.text(spec.column, row, this.owner);
        this.value.textContent = Number.isNaN(value) ? '–' : `${spec.percent ? value.toFixed(0) : text} ${spec.unit}`;
        this.value.classList.toggle('alarm', spec.limit !== undefined && value < spec.limit - 1e-6);
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
        this.eachOfThem = false;
        this.owner = 0;
    }

    /** @param {Film<any>} film @param {Span[]} [spans] times in which a distance was broken */
    load(film, spans = []) {
        this.plots = plotsOf(film).map((spec) => new Plot(spec, film, spans));
        this.element.replaceChildren(...this.plots.map((plot) => plot.element));
        this.element.classList.toggle('four', this.plots.length === 4);
        for (const plot of this.plots) this.listen(plot);
        this.eachOfThem = worldOf(film.setting).plotsEachOfThem;
        this.owner = 0;
    }

    /** Where plots are about one of many: about whoever is followed, or the first. @param {Theme} theme
     * @param {Followed | null} followed */
    follow(theme, followed) {
        const owner = (this.eachOfThem && followed?.place) || 0;
        if (owner === this.owner) return;
        this.owner = owner;
        for (const plot of this.plots) plot.show(owner);
        this.prepare(theme);
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
