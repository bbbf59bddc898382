// The clock of the film: where the playhead is, whether it moves, and how fast.

/** Speeds that the keys and the list offer. */
export const SPEEDS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50];

/** A playhead between two times. */
export class Player {
    constructor() {
        this.start_s = 0;
        this.end_s = 0;
        this.time_s = 0;
        this.speed = 1;
        this.playing = false;
        this.loop = false;
        /** @type {(() => void)[]} */
        this.listeners = [];
    }

    /** Sets the span and goes to its start. @param {number} start_s @param {number} end_s */
    load(start_s, end_s) {
        Object.assign(this, { start_s, end_s, time_s: start_s, playing: false });
        this.tell();
    }

    /** @param {() => void} listener called after every change */
    onChange(listener) {
        this.listeners.push(listener);
    }

    tell() {
        for (const listener of this.listeners) listener();
    }

    /** Jumps to a time. @param {number} time_s */
    seek(time_s) {
        this.time_s = Math.min(Math.max(time_s, this.start_s), this.end_s);
        this.tell();
    }

    /** Plays or pauses; at the end it starts over. */
    toggle() {
        if (!this.playing && this.time_s >= this.end_s) this.time_s = this.start_s;
        this.playing = !this.playing && this.end_s > this.start_s;
        this.tell();
    }

    pause() {
        this.playing = false;
        this.tell();
    }

    /** @param {number} speed */
    setSpeed(speed) {
        this.speed = speed;
        this.tell();
    }

    /** The next speed of the list, up or down. @param {number} direction */
    changeSpeed(direction) {
        const faster = SPEEDS.find((speed) => speed > this.speed) ?? this.speed;
        const slower = SPEEDS.findLast((speed) => speed < this.speed) ?? this.speed;
        this.setSpeed(direction > 0 ? faster : slower);
    }

    toggleLoop() {
        this.loop = !this.loop;
        this.tell();
    }

    /** Moves on after some seconds of the wall clock. @param {number} elapsed_s */
    advance(elapsed_s) {
        if (!this.playing) return;
        const time_s = this.time_s + elapsed_s * this.speed;
        if (time_s < this.end_s) return this.seek(time_s);
        if (this.loop) return this.seek(this.start_s + ((time_s - this.start_s) % (this.end_s - this.start_s)));
        this.playing = false;
        this.seek(this.end_s);
    }
}
