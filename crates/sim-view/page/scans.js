// The newest scan of the one that is followed: its ranges over the angle.
/** @import { Theme } from './colour.js' */
/** @import { Film, Table } from './data.js' */
/** @import { Followed } from './marks.js' */
/** @import { Scanner } from './spec.js' */
import { lastAtOrBefore } from './data.js';
import { el, short, typeScale } from './dom.js';
import { ticks } from './plots.js';

/** Space for the numbers at the left, right, above and below, px on a page with the usual type. */
const RIM = { left: 34, right: 6, above: 5, below: 15 };

/** Half the side of the mark of a range, px. */
const DOT_PX = 1;

const DEGREES = 180 / Math.PI;

/** The plot of one scanner. */
export class ScanPlot {
    /** @param {Scanner} scanner @param {Film} film */
    constructor(scanner, film) {
        this.scanner = scanner;
        this.film = film;
        this.canvas = el('canvas', { className: 'plot-canvas still', role: 'img', 'aria-label': `${scanner.stream}: range over angle` });
        this.value = el('output', { className: 'plot-value', dataset: { scan: scanner.stream } });
        const title = el('span', { textContent: `${scanner.stream}: ranges over the angle, °` });
        this.element = el('figure', { className: 'plot' }, el('figcaption', {}, title, this.value), this.canvas);
        /** Largest range of any scan, so that the axis stays. */
        this.farthest = 1;
        for (const { table } of film.events.get(scanner.stream)?.values() ?? []) this.farthest = Math.max(this.farthest, farthest(table, scanner));
        this.type = 1;
        this.size = { width: 0, height: 0 };
    }

    /** Takes up a new size. */
    prepare() {
        this.type = typeScale();
        const ratio = Math.min(window.devicePixelRatio || 1, 2) * this.type;
        this.size = { width: this.canvas.clientWidth / this.type, height: this.canvas.clientHeight / this.type };
        this.canvas.width = Math.max(Math.round(this.size.width * ratio), 1);
        this.canvas.height = Math.max(Math.round(this.size.height * ratio), 1);
        this.canvas.getContext('2d')?.setTransform(ratio, 0, 0, ratio, 0, 0);
    }

    /** @param {Theme} theme @param {number} time_s @param {Followed | null} followed */
    draw(theme, time_s, followed) {
        const { scanner, film } = this;
        const context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d'));
        context.clearRect(0, 0, this.size.width, this.size.height);
        const place = followed?.stream === scanner.on ? followed.place : 0;
        const owner = film.sampled.get(scanner.on)?.owners[place] ?? -1;
        const [rows, mount] = [film.events.get(scanner.stream)?.get(owner), scanner.mounts.find((one) => one.owner === owner)];
        this.element.hidden = !mount;
        if (!rows || !mount || !(rows.times[0] <= time_s + 1e-4)) {
            this.value.textContent = '–';
            return;
        }
        const row = lastAtOrBefore(rows.times, time_s);
        const { width: rays = 1 } = rows.table.columns.get(scanner.ranges) ?? {};
        const read = rows.table.reader(scanner.ranges);
        const first_deg = mount.first_rad * DEGREES;
        const last_deg = (mount.first_rad + (rays - 1) * mount.step_rad) * DEGREES;
        this.axes(context, theme, [first_deg, last_deg]);
        context.fillStyle = theme.plot;
        let seen = 0;
        for (let ray = 0; ray < rays; ray += 1) {
            const range = Math.max(read(row, 0, ray), mount.least);
            if (Number.isNaN(range)) continue;
            seen += 1;
            const x = this.x(ray / Math.max(rays - 1, 1));
            context.fillRect(x - DOT_PX, this.y(range) - DOT_PX, 2 * DOT_PX, 2 * DOT_PX);
        }
        this.value.textContent = `${seen} of ${rays}, ${short(rows.times[row])} s`;
    }

    /** @param {number} share of the way from the first ray to the last */
    x(share) {
        return RIM.left + share * (this.size.width - RIM.left - RIM.right);
    }

    /** @param {number} range */
    y(range) {
        return this.size.height - RIM.below - (range / this.farthest) * (this.size.height - RIM.below - RIM.above);
    }

    /** @param {CanvasRenderingContext2D} context @param {Theme} theme @param {[number, number]} ends first and last angle */
    axes(context, theme, [first, last]) {
        const { width, height } = this.size;
        context.font = '10px system-ui, sans-serif';
        context.fillStyle = theme.colors.faint;
        context.strokeStyle = theme.line;
        context.textBaseline = 'middle';
        context.textAlign = 'right';
        for (const tick of ticks(0, this.farthest, Math.max(2, Math.floor(height / 28)))) {
            context.beginPath();
            context.moveTo(RIM.left, Math.round(this.y(tick)) + 0.5);
            context.lineTo(width - RIM.right, Math.round(this.y(tick)) + 0.5);
            context.stroke();
            context.fillText(String(tick), RIM.left - 5, this.y(tick));
        }
        context.textAlign = 'center';
        context.textBaseline = 'bottom';
        for (const tick of ticks(first, last, 4)) {
            context.fillText(String(tick), Math.min(this.x((tick - first) / (last - first || 1)), width - 14), height);
        }
    }
}

/** The largest range of all scans of a table. @param {Table} table @param {Scanner} scanner */
function farthest(table, { ranges }) {
    const read = table.reader(ranges);
    const { width = 1 } = table.columns.get(ranges) ?? {};
    let most = 0;
    for (let row = 0; row < table.rows; row += 1) {
        for (let ray = 0; ray < width; ray += 1) most = Math.max(most, read(row, 0, ray) || 0);
    }
    return most;
}
