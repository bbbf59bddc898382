// The newest pings of a sonar of the one that is followed: lines of a waterfall, the newest above, or sectors seen from above.
/** @import { Theme } from './colour.js' */
/** @import { Film, OwnRows } from './data.js' */
/** @import { Followed } from './marks.js' */
/** @import { ChartSpec } from './spec.js' */
import { lastAtOrBefore } from './data.js';
import { el, short, typeScale } from './dom.js';
import { rasterColour } from './raster.js';

/** Lines of a waterfall. */
const PING_LINES = 120;

/** Colours from the weakest to the strongest echo. */
const ECHO_COLOURS = 64;

/** Place for the words below, px on a page with the usual type. */
const PING_FOOT = 15;

/** The plot of one sonar. */
export class PingPlot {
    /** @param {ChartSpec} chart @param {Film} film */
    constructor(chart, film) {
        this.chart = chart;
        this.film = film;
        this.strips = chart.layout.waterfall?.strips ?? (chart.layout.sectors ? [chart.layout.sectors.strip] : []);
        this.canvas = el('canvas', { className: 'plot-canvas still', role: 'img', 'aria-label': `${chart.title}: newest pings` });
        this.value = el('output', { className: 'plot-value', dataset: { ping: chart.stream } });
        this.element = el('figure', { className: 'plot' }, el('figcaption', {}, el('span', { textContent: `${chart.title}, ${chart.words}` }), this.value), this.canvas);
        this.range = chart.range ?? this.found();
        const stops = chart.colors.map((color) => (typeof color === 'object' && 'rgb' in color ? color.rgb : [128, 128, 128]));
        this.colours = Array.from({ length: ECHO_COLOURS }, (_, n) => rasterColour(stops, n / (ECHO_COLOURS - 1)));
        this.picture = document.createElement('canvas');
        this.type = 1;
        this.size = { width: 0, height: 0 };
        /** What the picture shows: a row, and a size. */
        this.shown = '';
    }

    /** Takes up a new size. */
    prepare() {
        this.type = typeScale();
        const ratio = Math.min(window.devicePixelRatio || 1, 2) * this.type;
        this.size = { width: this.canvas.clientWidth / this.type, height: this.canvas.clientHeight / this.type };
        this.canvas.width = Math.max(Math.round(this.size.width * ratio), 1);
        this.canvas.height = Math.max(Math.round(this.size.height * ratio), 1);
        this.canvas.getContext('2d')?.setTransform(ratio, 0, 0, ratio, 0, 0);
        this.shown = '';
    }

    /** @param {Theme} theme @param {number} time_s @param {Followed | null} followed */
    draw(theme, time_s, followed) {
        const all = this.film.events.get(this.chart.stream);
        const owner = this.film.sampled.get(followed?.stream ?? this.film.view.parties[0]?.stream)?.owners[followed?.place ?? 0] ?? -1;
        const rows = all?.get(owner);
        this.element.hidden = !rows;
        if (!rows) return;
        const context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d'));
        const { width, height } = this.size;
        context.clearRect(0, 0, width, height);
        if (!(rows.times[0] <= time_s + 1e-4)) {
            this.value.textContent = '–';
            return;
        }
        const row = lastAtOrBefore(rows.times, time_s);
        const key = `${row} ${width} ${height}`;
        if (key !== this.shown) {
            if (this.chart.layout.waterfall) this.waterfall(rows, row);
            else this.sectors(rows, row);
            this.shown = key;
        }
        const high = Math.max(height - PING_FOOT, 1);
        context.imageSmoothingEnabled = false;
        context.drawImage(this.picture, 0, 0, width, high);
        context.font = '10px system-ui, sans-serif';
        context.fillStyle = theme.colors.faint;
        context.textAlign = 'center';
        context.textBaseline = 'bottom';
        context.fillText(this.foot(), width / 2, height);
        this.value.textContent = `${short(rows.times[row])} s`;
    }

    /** What lies below the picture: the ends of the lengths across. */
    foot() {
        const ends = this.strips.flatMap(({ span }) => span);
        const { waterfall } = this.chart.layout;
        if (!waterfall) return `ahead above, up to ${short(Math.max(...ends))} m`;
        return `${short(Math.min(...ends))} to ${short(Math.max(...ends))} m, newest above`;
    }

    /** Least and largest value of all pings. @returns {[number, number]} */
    found() {
        let [low, high] = [Infinity, -Infinity];
        for (const { table } of this.film.events.get(this.chart.stream)?.values() ?? []) {
            for (const { column } of this.strips) {
                const read = table.reader(column);
                const { width = 0 } = table.columns.get(column) ?? {};
                for (let row = 0; row < table.rows; row += 1) {
                    for (let bin = 0; bin < width; bin += 1) {
                        const value = read(row, 0, bin);
                        if (value < low) low = value;
                        if (value > high) high = value;
                    }
                }
            }
        }
        return low < high ? [low, high] : [0, 1];
    }

    /** @param {number} value */
    colour(value) {
        const share = (value - this.range[0]) / (this.range[1] - this.range[0]);
        return this.colours[Math.round(Math.min(Math.max(share, 0), 1) * (ECHO_COLOURS - 1))];
    }

    /** A line a ping, the newest above. @param {OwnRows} rows @param {number} newest */
    waterfall({ table }, newest) {
        const widths = this.strips.map(({ column }) => table.columns.get(column)?.width ?? 0);
        const across = widths.reduce((sum, width) => sum + width, 0);
        const image = this.blank(Math.max(across, 1), PING_LINES);
        for (let line = 0; line < PING_LINES && line <= newest; line += 1) {
            let x = 0;
            this.strips.forEach(({ column, span }, n) => {
                const read = table.reader(column);
                for (let bin = 0; bin < widths[n]; bin += 1) {
                    // What is farther on the negative side lies farther to the left.
                    const value = read(newest - line, 0, span[1] < span[0] ? widths[n] - 1 - bin : bin);
                    if (!Number.isNaN(value)) image.data.set([...this.colour(value), 255], 4 * (line * across + x));
                    x += 1;
                }
            });
        }
        this.picture.getContext('2d')?.putImageData(image, 0, 0);
    }

    /** The newest rows as sectors, straight ahead above. @param {OwnRows} rows @param {number} newest */
    sectors({ table }, newest) {
        const { sectors } = this.chart.layout;
        if (!sectors) return;
        const [columns, lines] = [Math.max(Math.round(this.size.width), 1), Math.max(Math.round(this.size.height - PING_FOOT), 1)];
        const image = this.blank(columns, lines);
        const [angle, read] = [table.reader(sectors.angle), table.reader(sectors.strip.column)];
        const { width: bins = 1 } = table.columns.get(sectors.strip.column) ?? {};
        const first = Math.max(newest - sectors.rows + 1, 0);
        const beams = Array.from({ length: newest - first + 1 }, (_, n) => ({ row: newest - n, at: angle(newest - n, 0) }));
        const behind = beams.some(({ at }) => Math.cos(at) < 0);
        const [middle, bottom] = [columns / 2, behind ? lines / 2 : lines];
        const reach = Math.min(bottom, middle);
        for (let y = 0; y < lines; y += 1) {
            for (let x = 0; x < columns; x += 1) {
                const [ahead, left] = [bottom - y - 0.5, middle - x - 0.5];
                const bin = Math.floor((Math.hypot(ahead, left) / reach) * bins);
                const way = Math.atan2(left, ahead);
                const beam = bin < bins ? beams.find(({ at }) => Math.abs(turned(way - at)) <= sectors.width / 2 + 1e-9) : undefined;
                const value = beam ? read(beam.row, 0, bin) : NaN;
                if (!Number.isNaN(value)) image.data.set([...this.colour(value), 255], 4 * (y * columns + x));
            }
        }
        this.picture.getContext('2d')?.putImageData(image, 0, 0);
    }

    /** An empty picture of a size. @param {number} width @param {number} height */
    blank(width, height) {
        [this.picture.width, this.picture.height] = [width, height];
        return new ImageData(width, height);
    }
}

/** An angle between half a turn to the right and to the left. @param {number} angle */
function turned(angle) {
    return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}
