// What part of the plane is seen: zoom by wheel and pinch, pan by drag, and the way back to the whole.
/** @import { Axis, Place2, Place3 } from './spec.js' */

/** Share of the picture's sides that stays free round the mat: for circles that reach beyond it, and for the banner above. */
const MARGIN = 0.055;

/** Largest zoom, relative to the whole mat. */
const MAX_ZOOM = 40;

/** Pixels that a press may wander and still be a click. */
const CLICK_PX = 6;

/**
 * What is shown of a world along two axes, in the world's own unit: from x and y on; `up`: the second axis points up; `fills`: it has a
 * scale of its own, by which it fills the picture; `rim`: least clearance round it, in heights of 1 px of type.
 * @typedef {{ x: number, y: number, width: number, height: number, axes: [Axis, Axis], up: boolean, fills: boolean, rim: number }} Plane
 */

/** From places of the plane to CSS pixels on the canvas. */
export class View {
    /** @param {Plane} plane */
    constructor(plane) {
        this.plane = plane;
        this.size = { width: 1, height: 1 };
        this.zoom = 1;
        this.center = { x: plane.x + plane.width / 2, y: plane.y + plane.height / 2 };
        /** @type {() => void} */
        this.onChange = () => {};
    }

    /** Pixels inside the margins, of so many. @param {number} px */
    inside(px) {
        return Math.max(px - 2 * Math.max(MARGIN * px, this.plane.rim), 1);
    }

    /** Pixels a unit to the right. */
    get scale() {
        const [across, up] = [this.inside(this.size.width) / this.plane.width, this.inside(this.size.height) / this.plane.height];
        return this.zoom * (this.plane.fills ? across : Math.min(across, up));
    }

    /** Pixels a unit of the second axis. */
    get rise() {
        return this.plane.fills ? (this.zoom * this.inside(this.size.height)) / this.plane.height : this.scale;
    }

    /** Pixels down the canvas a unit of the second axis. */
    get down() {
        return this.plane.up ? -this.rise : this.rise;
    }

    /** The level axis of a side view; none of a plan. @returns {'x' | 'y' | null} */
    get level() {
        if (!this.plane.axes.includes('z')) return null;
        return this.plane.axes.includes('y') ? 'y' : 'x';
    }

    /** A place of the world on the plane. @param {Place3} place @returns {Place2} */
    of(place) {
        return [place[this.plane.axes[0]], place[this.plane.axes[1]]];
    }

    /** A place of the world in pixels. @param {Place3} place @returns {Place2} */
    at(place) {
        const [right, across] = this.of(place);
        return [this.px(right), this.py(across)];
    }

    /** @param {number} x */
    px(x) {
        return this.size.width / 2 + (x - this.center.x) * this.scale;
    }

    /** @param {number} y */
    py(y) {
        return this.size.height / 2 + (y - this.center.y) * this.down;
    }

    /** @param {number} px @param {number} py */
    toPlane(px, py) {
        return {
            x: this.center.x + (px - this.size.width / 2) / this.scale,
            y: this.center.y + (py - this.size.height / 2) / this.down,
        };
    }

    whole() {
        this.zoom = 1;
        this.lookAt(this.plane.x + this.plane.width / 2, this.plane.y + this.plane.height / 2);
    }

    /** @param {number} x @param {number} y */
    lookAt(x, y) {
        this.center = { x, y };
        this.onChange();
    }

    /** Zooms so that the plane stays put under a pixel. @param {number} px @param {number} py @param {number} factor */
    zoomAt(px, py, factor) {
        const before = this.toPlane(px, py);
        this.zoom = Math.min(Math.max(this.zoom * factor, 0.5), MAX_ZOOM);
        const after = this.toPlane(px, py);
        this.lookAt(this.center.x + before.x - after.x, this.center.y + before.y - after.y);
    }

    /** @param {number} dx pixels @param {number} dy */
    pan(dx, dy) {
        this.lookAt(this.center.x - dx / this.scale, this.center.y - dy / this.down);
    }
}

/**
 * Steers a view with mouse, pen and fingers.
 * @param {HTMLElement} element @param {View} view @param {(px: number, py: number) => void} onClick @param {() => void} onPan
 */
export function steer(element, view, onClick, onPan) {
    /** @type {Map<number, { x: number, y: number }>} */
    const fingers = new Map();
    let wandered = 0;
    const place = (/** @type {MouseEvent} */ event) => {
        const box = element.getBoundingClientRect();
        return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    element.addEventListener(
        'wheel',
        (event) => {
            event.preventDefault();
            const { x, y } = place(event);
            view.zoomAt(x, y, Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015)));
        },
        { passive: false },
    );
    element.addEventListener('pointerdown', (event) => {
        element.setPointerCapture(event.pointerId);
        fingers.set(event.pointerId, place(event));
        wandered = fingers.size > 1 ? Infinity : 0;
    });
    element.addEventListener('pointermove', (event) => {
        const before = fingers.get(event.pointerId);
        if (!before) return;
        const now = place(event);
        const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
        fingers.set(event.pointerId, now);
        if (other) {
            pinch(view, before, now, other);
        } else {
            wandered += Math.hypot(now.x - before.x, now.y - before.y);
            if (wandered <= CLICK_PX) return;
            view.pan(now.x - before.x, now.y - before.y);
        }
        onPan();
    });
    element.addEventListener('pointerup', (event) => {
        const at = place(event);
        fingers.delete(event.pointerId);
        if (wandered <= CLICK_PX) onClick(at.x, at.y);
    });
    element.addEventListener('pointercancel', (event) => fingers.delete(event.pointerId));
    element.addEventListener('dblclick', () => view.whole());
}

/** @typedef {{ x: number, y: number }} Point @param {View} view @param {Point} before @param {Point} now @param {Point} other */
function pinch(view, before, now, other) {
    const apart = (/** @type {Point} */ a) => Math.max(Math.hypot(a.x - other.x, a.y - other.y), 1);
    view.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
    view.zoomAt((now.x + other.x) / 2, (now.y + other.y) / 2, apart(now) / apart(before));
}
