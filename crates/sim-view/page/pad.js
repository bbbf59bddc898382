// A pad on a touch screen that steers as the arrow keys do.
/** @import { Place2 } from './spec.js' */
import { el } from './dom.js';

/** A round pad with a knob that goes with the finger and springs back. */
export class Pad {
    constructor() {
        /** Forward and left, each 1 to -1. @type {Place2} */
        this.axes = [0, 0];
        this.knob = el('div', { className: 'knob' });
        this.element = el('div', { className: 'pad', 'aria-hidden': 'true' }, this.knob);
        this.element.addEventListener('pointerdown', (event) => {
            this.element.setPointerCapture(event.pointerId);
            this.move(event);
        });
        this.element.addEventListener('pointermove', (event) => this.element.hasPointerCapture(event.pointerId) && this.move(event));
        for (const name of /** @type {const} */ (['pointerup', 'pointercancel'])) this.element.addEventListener(name, () => this.set(0, 0));
        // The picture below is neither held nor moved.
        for (const name of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel', 'wheel', 'dblclick', 'contextmenu'])
            this.element.addEventListener(name, (event) => event.stopPropagation());
    }

    /** @param {PointerEvent} event */
    move(event) {
        const box = this.element.getBoundingClientRect();
        const of = (/** @type {number} */ at, /** @type {number} */ from, /** @type {number} */ size) => (2 * (at - from)) / size - 1;
        const [right, down] = [of(event.clientX, box.left, box.width), of(event.clientY, box.top, box.height)];
        const beyond = Math.max(Math.hypot(right, down), 1);
        this.set(right / beyond, down / beyond);
    }

    /** @param {number} right @param {number} down shares of the radius */
    set(right, down) {
        this.axes = [-down || 0, -right || 0];
        this.knob.style.translate = `${right * 100}% ${down * 100}%`;
    }
}
