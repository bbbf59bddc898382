// What the pictures of all worlds are painted with.
/** @import { Theme } from './colour.js' */
/** @import { Place3 } from './spec.js' */
/** @import { View } from './view.js' */
import { typeScale } from './dom.js';

/** Size and weight of words on a ground of their own. @type {[number, string]} */
const PLATE = [11.5, '600'];

/** Draws on one canvas: what the painters of all worlds share. */
export class Painter {
    /** @param {HTMLCanvasElement} canvas */
    constructor(canvas) {
        this.canvas = canvas;
        this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
        /** Height of the page's type over the usual one. */
        this.type = 1;
        /** Pixels of the canvas to one of the page. */
        this.ratio = 1;
    }

    /** Fits the canvas to its place on the page. @param {View} view */
    resize(view) {
        const { clientWidth: width, clientHeight: height } = this.canvas;
        const ratio = Math.min(window.devicePixelRatio || 1, 2);
        view.size = { width, height };
        this.fit(Math.round(width * ratio), Math.round(height * ratio), ratio, typeScale());
    }

    /** Empties the canvas and gives it another size. @param {number} width @param {number} height both in its own pixels
     * @param {number} ratio of them to one of the page @param {number} type */
    fit(width, height, ratio, type) {
        Object.assign(this, { ratio, type });
        Object.assign(this.canvas, { width, height });
        this.toPage();
    }

    /** Has the canvas count in pixels of the page. */
    toPage() {
        this.context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    }

    /** Begins the path of a circle. @param {number} px @param {number} py @param {number} radius */
    ring(px, py, radius) {
        this.context.beginPath();
        this.context.arc(px, py, Math.max(radius, 0), 0, 2 * Math.PI);
    }

    /** @param {number} px @param {number} py @param {number} radius */
    strokeRing(px, py, radius) {
        this.ring(px, py, radius);
        this.context.stroke();
    }

    /** Faint lines, with numbers at every second one. @param {{ view: View, theme: Theme }} scene @param {[number, number]} steps to the right
     * and across @param {string} unit */
    gridLines({ view, theme }, [every, rise], unit) {
        const { context } = this;
        const { x: left, y: low, width, height, up } = view.plane;
        const [right, high] = [left + width, low + height];
        const bottom = view.py(up ? low : high);
        /** Round places between two ends. @type {(from: number, to: number, step: number) => number[]} */
        const marks = (from, to, step) => {
            const first = Math.ceil(from / step - 1e-9);
            const count = Math.max(Math.floor(to / step + 1e-9) - first + 1, 0);
            return Array.from({ length: count }, (_, n) => Number(((first + n) * step).toPrecision(9)));
        };
        context.strokeStyle = theme.grid;
        context.lineWidth = 1;
        context.fillStyle = theme.colors.faint;
        context.font = this.font(10);
        context.textAlign = 'center';
        context.textBaseline = 'top';
        for (const x of marks(left, right, 2 * every)) {
            const text = x + 2 * every > right ? `${x} ${unit}` : String(x);
            const most = view.size.width - context.measureText(text).width / 2;
            context.fillText(text, view.zoom > 1 ? view.px(x) : Math.min(view.px(x), most), bottom + 4);
        }
        context.textAlign = 'right';
        context.textBaseline = 'middle';
        if (view.px(left) > 24 * this.type)
            for (const y of marks(low, high, 2 * rise)) context.fillText(String(y), view.px(left) - 6, view.py(y));
        context.beginPath();
        for (const x of marks(left, right, every)) {
            if (x <= left || x >= right) continue;
            context.moveTo(view.px(x), view.py(low));
            context.lineTo(view.px(x), view.py(high));
        }
        for (const y of marks(low, high, rise)) {
            if (y <= low || y >= high) continue;
            context.moveTo(view.px(left), view.py(y));
            context.lineTo(view.px(right), view.py(y));
        }
        context.stroke();
    }

    /** @param {View} view @param {Place3} from @param {Place3} to */
    line(view, from, to) {
        this.context.beginPath();
        this.context.moveTo(...view.at(from));
        this.context.lineTo(...view.at(to));
        this.context.stroke();
    }

    /** A font of the page on the canvas. @param {number} size px on a page with the usual type @param {string} [weight] */
    font(size, weight = '400') {
        return `${weight} ${size * this.type}px system-ui, sans-serif`;
    }

    plateFont() {
        return this.font(...PLATE);
    }

    /** Words on a ground of their own. @param {string} text @param {number} px @param {number} py @param {string} ground
     * @param {string} ink */
    plate(text, px, py, ground, ink) {
        const { context, type } = this;
        context.font = this.plateFont();
        context.textAlign = 'center';
        context.textBaseline = 'middle';
        const half = context.measureText(text).width / 2 + 4 * type;
        context.fillStyle = ground;
        context.globalAlpha = 0.85;
        context.beginPath();
        context.roundRect(px - half, py - 8.5 * type, 2 * half, 17 * type, 3 * type);
        context.fill();
        context.globalAlpha = 1;
        context.fillStyle = ink;
        context.fillText(text, px, py + 0.5 * type);
    }
}
