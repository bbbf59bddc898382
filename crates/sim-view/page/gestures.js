// What people do with the pointer, fingers and keys, as rows of the run's inputs: what a gesture means is told by the run's controls.
/** @import { Body } from './moment.js' */
/** @import { CellSpec, Control, InputStream, RowSpec } from './feed.js' */
/** @import { Place2 } from './spec.js' */
/** @import { View } from './view.js' */
import { el } from './dom.js';
import { Pad } from './pad.js';

/**
 * @typedef {{ controls: Control[], inputs: InputStream[], bodies: () => Body[], near: (view: View, px: number, py: number, of: string) => Body | null,
 *   sizeOf: (body: Body) => { x: number, y: number, isRound: boolean }, followed: () => { stream: string, id: number } | null, pick: (view: View, px: number, py: number) => void, give: (stream: string, row: (number | string | null)[]) => void }} World
 * @typedef {{ control: Control, id: number, stream: string | null, at: Place2, from: Place2, off: Place2, grip: Place2, yaw: number, isGiven: boolean,
 *   ghost: HTMLElement | null, chosen?: string }} Hold
 *   a gesture that goes on: who is held, where the pointer is, where it was at first, in pixels, by how much beside the middle of the held one
 *   it took hold, along the world's axes and the held one's, its heading then, whether a row was given, what is drawn at the pointer, and what was chosen
 */

/** Keys that steer, and gamepads. @type {Record<string, Place2>} */
const STEERING = { ArrowUp: [1, 0], ArrowDown: [-1, 0], ArrowLeft: [0, 1], ArrowRight: [0, -1] };

/** Pixels that a press may wander and still be a click. */
const STILL_PX = 6;

/** Time between two rows of a gesture that gives several, ms. */
const AGAIN_MS = 150;

/** Way of a second finger for a notch of lifting, pixels. */
const NOTCH_PX = 24;

/** Part of a gamepad's stick that counts as its middle. */
const DEAD = 0.12;

/** Turns what is done on canvases and keys into rows. */
export class Gestures {
    /** @param {World} world */
    constructor(world) {
        this.world = world;
        /** @type {Map<number, Hold>} */
        this.holds = new Map();
        /** Pointers that have moved since the last picture. @type {Set<number>} */
        this.moved = new Set();
        /** How high each owner was lifted, by stream and number. @type {Map<string, number>} */
        this.heights = new Map();
        /** Second fingers that lift what a first one holds: where they were at the last notch. @type {Map<number, number>} */
        this.lifting = new Map();
        /** @type {Set<string>} */
        this.keys = new Set();
        /** @type {Pad | null} */
        this.pad = null;
        this.steered = '';
        document.addEventListener('keydown', (event) => this.key(event, true), true);
        document.addEventListener('keyup', (event) => this.key(event, false), true);
    }

    /** The control of a gesture, where one fits. @param {string} gesture */
    control(gesture) {
        return this.world.controls.filter((control) => control.gesture === gesture);
    }

    /** Hears a canvas before those who pan and zoom it. @param {HTMLElement} element that holds the canvas @param {HTMLElement} canvas
     * @param {View} view */
    listen(element, canvas, view) {
        const place = (/** @type {MouseEvent} */ event) => {
            const box = canvas.getBoundingClientRect();
            return { px: event.clientX - box.left, py: event.clientY - box.top };
        };
        /** @param {Event} event */
        const keep = (event) => {
            event.stopPropagation();
            event.preventDefault();
        };
        const options = { capture: true };
        element.addEventListener('pointerdown', (event) => this.press(event, canvas, view, place(event)) && keep(event), options);
        element.addEventListener('pointermove', (event) => this.move(event.pointerId, view, place(event)) && keep(event), options);
        for (const name of /** @type {const} */ (['pointerup', 'pointercancel']))
            element.addEventListener(name, (event) => this.release(event.pointerId, view) && keep(event), options);
        element.addEventListener('wheel', (event) => this.wheel(event, view, place(event)) && keep(event), { capture: true, passive: false });
        element.addEventListener('dblclick', (event) => this.once('double_click', view, place(event)) && keep(event), options);
        element.addEventListener('contextmenu', (event) => this.control('point').length && keep(event), options);
        if (this.control('steer').length && !this.pad) {
            this.pad = new Pad();
            element.append(this.pad.element);
        }
    }

    /** The control and the owner under a place, if any. @param {string} gesture @param {View} view @param {number} px @param {number} py */
    under(gesture, view, px, py) {
        for (const control of view.level === null ? this.control(gesture) : []) {
            const body = control.of === null ? null : this.world.near(view, px, py, control.of);
            if (control.of === null || (body && isOnPart(control, body, view.toPlane(px, py)))) return { control, body };
        }
        return null;
    }

    /** @param {Control} control @param {Body | null} body @param {{ x: number, y: number }} at @param {Place2} from @returns {Hold} */
    hold(control, body, { x, y }, from) {
        const off = /** @type {Place2} */ (body ? [x - body.x, y - body.y] : [0, 0]);
        const grip = body ? inAxes(body, off) : off;
        return { control, id: body?.id ?? 0, stream: control.of, at: [x, y], from, off, grip, yaw: body?.yaw ?? 0, isGiven: false, ghost: null };
    }

    /** @param {PointerEvent} event @param {HTMLElement} canvas @param {View} view @param {{ px: number, py: number }} at */
    press(event, canvas, view, { px, py }) {
        const gestures = event.button === 2 ? ['point'] : event.shiftKey ? ['shift_drag', 'shift_drop'] : ['drag'];
        const find = () => gestures.map((gesture) => this.under(gesture, view, px, py)).find((found) => found !== null);
        const found = event.button !== 1 && find();
        if (!found) return event.pointerType === 'touch' && this.beginLifting(event.pointerId, py);
        const { control, body } = found;
        canvas.focus();
        canvas.setPointerCapture(event.pointerId);
        const hold = this.hold(control, body, view.toPlane(px, py), [px, py]);
        this.holds.set(event.pointerId, hold);
        if (!body) this.moved.add(event.pointerId);
        else if (isDrop(hold)) {
            hold.ghost = ghostOf(canvas, this.world.sizeOf(body), view, body);
            moveGhost(hold, view);
        }
        return true;
    }

    /** @param {number} pointer @param {View} view @param {{ px: number, py: number }} at */
    move(pointer, view, { px, py }) {
        const hold = this.holds.get(pointer);
        if (!hold) return this.liftOn(pointer, py);
        const { x, y } = view.toPlane(px, py);
        hold.at = [x, y];
        if (hold.ghost) moveGhost(hold, view);
        else if (hold.isGiven || Math.hypot(px - hold.from[0], py - hold.from[1]) > STILL_PX) this.moved.add(pointer);
        return true;
    }

    /** A second finger, beside one that holds something that can be lifted. @param {number} pointer @param {number} py */
    beginLifting(pointer, py) {
        if (this.lifted()) this.lifting.set(pointer, py);
        return this.lifting.has(pointer);
    }

    /** A second finger lifts by a notch as often as it has gone up by its way. @param {number} pointer @param {number} py */
    liftOn(pointer, py) {
        const last = this.lifting.get(pointer);
        if (last === undefined) return false;
        const [notches, found] = [Math.trunc((last - py) / NOTCH_PX), this.lifted()];
        if (notches && found) {
            this.lifting.set(pointer, last - notches * NOTCH_PX);
            this.lift(found.control, found.held, notches);
        }
        return true;
    }

    /** Gives the rows of the pointers that have moved, once a picture, and those of steering. */
    frame() {
        for (const pointer of this.moved) {
            const hold = this.holds.get(pointer);
            if (hold) this.give(hold.control.row, hold);
        }
        this.moved.clear();
        this.steer();
    }

    /** The end of a press: of one that stayed where it was, a click. @param {number} pointer @param {View} view */
    release(pointer, view) {
        const hold = this.holds.get(pointer);
        if (!hold) return this.lifting.delete(pointer);
        if (this.moved.delete(pointer)) this.give(hold.control.row, hold);
        this.holds.delete(pointer);
        const [px, py] = hold.from;
        if (hold.ghost) {
            hold.ghost.remove();
            const [x, y] = view.at({ x: hold.at[0], y: hold.at[1], z: 0 });
            if (Math.hypot(x - px, y - py) > STILL_PX) this.give(hold.control.row, hold);
        }
        if (!hold.isGiven) {
            this.world.pick(view, px, py);
            this.once('click', view, { px, py });
        } else if (hold.control.end && !this.height(hold)) this.give(hold.control.end, hold);
        return true;
    }

    /** A gesture without a length. @param {string} gesture @param {View} view @param {{ px: number, py: number }} at */
    once(gesture, view, { px, py }) {
        const found = this.under(gesture, view, px, py);
        if (found) this.repeat(this.hold(found.control, found.body, view.toPlane(px, py), [px, py]));
        return found !== null;
    }

    /** Lists for what is chosen by its words; the first one of each holds at the start. An empty first one stands for nothing. */
    choices() {
        return this.control('choose').map((control) => {
            const spec = control.row.cells.map(([, cell]) => cell).find((cell) => typeof cell === 'object' && 'choice' in cell);
            const texts = typeof spec === 'object' && 'choice' in spec ? spec.choice : [];
            const select = el('select', { 'aria-label': control.about }, ...texts.map((text) => el('option', { value: text, textContent: text })));
            select.onchange = () => {
                if (select.value) this.give(control.row, { ...this.hold(control, null, { x: 0, y: 0 }, [0, 0]), chosen: select.value });
                if (texts[0] === '') select.value = '';
            };
            return { about: control.about, select };
        });
    }

    /** Gives the row of a control as often as it wants. @param {Hold} hold */
    repeat(hold) {
        const { row, times } = hold.control;
        for (let n = 0; n < times; n += 1) setTimeout(() => this.give(row, hold), n * AGAIN_MS);
    }

    /** How high an owner is lifted. @param {Hold} hold */
    height({ stream, id }) {
        return this.heights.get(`${stream} ${id}`) ?? 0;
    }

    /** @param {WheelEvent} event @param {View} view @param {{ px: number, py: number }} at */
    wheel(event, view, { px, py }) {
        const up = -Math.sign(event.deltaY);
        const found = this.lifted();
        if (found) return this.lift(found.control, found.held, up);
        const [control] = this.control('wheel');
        const body = control?.of && this.world.near(view, px, py, control.of);
        if (!control || !body) return false;
        return this.lift(control, this.hold(control, body, { x: body.x, y: body.y }, [px, py]), up);
    }

    /** What is held and can be lifted. */
    lifted() {
        const held = [...this.holds.values()].find((hold) => this.control('wheel').some(({ of }) => of === hold.stream) && this.owner(hold));
        const control = this.control('wheel').find(({ of }) => of === held?.stream);
        return held && control ? { held, control } : null;
    }

    /** @param {Control} control of lifting @param {Hold} hold @param {number} notches up, or down if negative */
    lift(control, hold, notches) {
        const spec = control.row.cells.map(([, cell]) => cell).find((cell) => typeof cell === 'object' && 'height' in cell);
        const [notch, most] = typeof spec === 'object' && 'height' in spec ? spec.height : [0, 0];
        const height = Math.min(Math.max(this.height(hold) + notches * notch, 0), most);
        this.heights.set(`${hold.stream} ${hold.id}`, height);
        hold.isGiven = true;
        this.give(height > 0 || !control.end ? control.row : control.end, hold);
        return true;
    }

    /** The owner that is held, where it is now. @param {Hold} hold */
    owner({ stream, id }) {
        return this.world.bodies().find((body) => body.party.stream === stream && body.id === id);
    }

    /** Forgets how high owners were lifted. */
    begin() {
        this.heights.clear();
        this.holds.clear();
        this.moved.clear();
        this.lifting.clear();
    }

    /** @param {KeyboardEvent} event @param {boolean} isDown */
    key(event, isDown) {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key in STEERING && this.control('steer').length && !(event.target instanceof HTMLSelectElement)) {
            if (isDown) this.keys.add(event.key);
            else this.keys.delete(event.key);
            event.stopPropagation();
            event.preventDefault();
            return;
        }
        if (!isDown || event.repeat || event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
        const followed = this.world.followed();
        const control = this.world.controls.find(
            ({ gesture, of }) => typeof gesture === 'object' && gesture.key === event.key && (of === null || of === followed?.stream),
        );
        if (!control || (control.of !== null && !followed)) return;
        const body = followed && this.world.bodies().find(({ party, id }) => party.stream === control.of && id === followed.id);
        this.repeat(this.hold(control, body ?? null, body ?? { x: 0, y: 0 }, [0, 0]));
        event.stopPropagation();
        event.preventDefault();
    }

    /** Forward and left, each 1 to -1: of the keys that are held, of the pad, of a gamepad's left stick, else nothing. @returns {Place2} */
    steering() {
        let [forward, left] = [0, 0];
        for (const key of this.keys) {
            forward += STEERING[key][0];
            left += STEERING[key][1];
        }
        const [padForward, padLeft] = this.pad?.axes ?? [0, 0];
        const gamepad = navigator.getGamepads?.().find((one) => one?.connected);
        const stick = (/** @type {number | undefined} */ value) => (value !== undefined && Math.abs(value) > DEAD ? -value : 0);
        return [forward || padForward || stick(gamepad?.axes[1]), left || padLeft || stick(gamepad?.axes[0])];
    }

    /** Gives the row of steering when it has changed. */
    steer() {
        const [control] = this.control('steer');
        if (!control) return;
        const [forward, left] = this.steering();
        const isHeld = forward !== 0 || left !== 0;
        const state = isHeld ? `${forward} ${left}` : '';
        if (state === this.steered) return;
        this.steered = state;
        const followed = this.world.followed();
        const id = followed?.stream === control.of ? followed.id : 0;
        const hold = { ...this.hold(control, null, { x: forward, y: left }, [0, 0]), id };
        this.give(isHeld || !control.end ? control.row : control.end, hold);
    }

    /** @param {RowSpec} spec @param {Hold} hold */
    give(spec, hold) {
        hold.isGiven = true;
        const { lifted, row } = hold.control;
        const meant = lifted && spec === row && this.height(hold) > 0 ? lifted : spec;
        const stream = this.world.inputs.find(({ name }) => name === meant.stream);
        if (!stream) return;
        const body = this.owner(hold);
        const cells = new Map(meant.cells);
        const values = stream.columns.map(({ name, range }) => {
            const cell = cells.get(name);
            const value = cell === undefined ? null : this.value(cell, hold, body);
            return typeof value === 'number' && range ? Math.min(Math.max(value, range[0]), range[1]) : value;
        });
        this.world.give(meant.stream, values);
    }

    /** @param {CellSpec} cell @param {Hold} hold @param {Body | undefined} body @returns {number | string | null} */
    value(cell, hold, body) {
        const [x, y] = hold.at;
        const [dx, dy] = body ? [x - body.x, y - body.y] : [0, 0];
        if (typeof cell === 'string') {
            /** @type {Record<string, number>} */
            const fixed = {
                owner: hold.id,
                x: x - hold.off[0],
                y: y - hold.off[1],
                pointer_x: x,
                pointer_y: y,
                grip_x: hold.grip[0],
                grip_y: hold.grip[1],
                heading: degrees(hold.yaw),
                direction: degrees(Math.atan2(dy, dx)),
            };
            return fixed[cell] ?? null;
        }
        if ('way_x' in cell) return dx * cell.way_x;
        if ('way_y' in cell) return dy * cell.way_y;
        if ('reach' in cell) return Math.min(Math.hypot(dx, dy) * cell.reach[0], cell.reach[1]);
        if ('height' in cell) return this.height(hold);
        if ('forward' in cell) return x * cell.forward;
        if ('left' in cell) return y * cell.left;
        if ('choice' in cell) return hold.chosen ?? null;
        return 'number' in cell ? cell.number : cell.text;
    }
}

/** @param {number} rad */
const degrees = (rad) => (rad * 180) / Math.PI;

/** True if a press only says where the held one shall stand. @param {Hold} hold */
const isDrop = ({ control }) => control.gesture === 'shift_drop';

/** An owner's outline that goes with the pointer: a ring, or a turned rectangle.
 * @param {HTMLElement} canvas @param {{ x: number, y: number, isRound: boolean }} size @param {View} view @param {Body} body */
function ghostOf(canvas, size, view, { ahead }) {
    const ghost = el('div', { className: size.isRound ? 'ghost round' : 'ghost' });
    const [right, down] = view.of(ahead);
    ghost.style.width = `${size.x * view.scale}px`;
    ghost.style.height = `${size.y * view.scale}px`;
    ghost.style.rotate = `${Math.atan2(down * view.down, right * view.scale)}rad`;
    canvas.parentElement?.append(ghost);
    return ghost;
}

/** Where the middle of the held one would stand. @param {Hold} hold @param {View} view */
function moveGhost({ ghost, at, off }, view) {
    if (!ghost) return;
    const [px, py] = view.at({ x: at[0] - off[0], y: at[1] - off[1], z: 0 });
    ghost.style.left = `${px}px`;
    ghost.style.top = `${py}px`;
}

/** A way in a body's own axes. @param {Body} body @param {Place2} way @returns {Place2} */
function inAxes({ ahead, side }, [dx, dy]) {
    return [dx * ahead.x + dy * ahead.y, dx * side.x + dy * side.y];
}

/** @param {Control} control @param {Body} body @param {{ x: number, y: number }} at */
function isOnPart({ part }, body, { x, y }) {
    if (!part) return true;
    const [[ahead, side], radius] = part;
    const [along, across] = inAxes(body, [x - body.x, y - body.y]);
    return Math.hypot(along - ahead, across - side) <= radius;
}
