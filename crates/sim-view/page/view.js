// What part of the plane is seen: zoom by wheel and pinch, pan by drag, and the way back to the whole.

/** Share of the picture's sides that stays free round the mat: for circles that reach beyond it, and for the banner above. */
const MARGIN = 0.055;

/** Largest zoom, relative to the whole mat. */
const MOST_ZOOM = 40;

/** Pixels that a press may wander and still be a click. */
const CLICK_PX = 6;

/**
 * What is shown of a world, in the world's own unit: from x and y on; `up` says that y points up.
 * @typedef {{ x: number, y: number, width: number, height: number, up: boolean }} Plane
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

    /** Pixels a unit of the plane. */
    get scale() {
        const room = 1 - 2 * MARGIN;
        return this.zoom * Math.min((this.size.width * room) / this.plane.width, (this.size.height * room) / this.plane.height);
    }

    /** Pixels down the canvas a unit of y. */
    get down() {
        return this.plane.up ? -this.scale : this.scale;
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
        this.zoom = Math.min(Math.max(this.zoom * factor, 0.5), MOST_ZOOM);
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
