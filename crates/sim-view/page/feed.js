// What a live run sends: a head once, then frames of numbers, which become the last rows of a film.
//
// A frame, the lowest byte first: u8 kind 1, u8 version 1, u16 blocks, u32 step, f64 time in s; a block: u16 stream by its place in the
// head, u16 rows, then an f32 for each number. Not a number stands for a missing one; a text is its place in the list of words.

/** @import { EventRow, Reader, Scenery, TableHead } from './data.js' */
import { Film, Table } from './data.js';

/**
 * @typedef {{ name: string, decimals: number, width: number, is_text: boolean }} LiveColumn
 * @typedef {{ name: string, is_sampled: boolean, owners: number, owner: number | null, columns: LiveColumn[] }} LiveStream
 * @typedef {{ name: string, kind: string, range?: [number, number] }} InputColumn
 * @typedef {{ name: string, columns: InputColumn[] }} InputStream
 * @typedef {{ hello: number, title: string, step_hz: number, steps: number, inputs: InputStream[], controls: Control[],
 *   streams: LiveStream[], lists: Record<string, string[]> } & Scenery} Hello
 * @typedef {number | string | null} Listed a value of a row that is listed
 * @typedef {string | { way_x: number } | { way_y: number } | { reach: [number, number] } | { height: [number, number] } | { forward: number } |
 *   { left: number } | { number: number } | { text: string } | { choice: string[] }} CellSpec
 * @typedef {{ stream: string, cells: [string, CellSpec][] }} RowSpec
 * @typedef {{ about: string, gesture: string | { key: string }, of: string | null, part: [[number, number], number] | null,
 *   row: RowSpec, lifted: RowSpec | null, end: RowSpec | null, times: number }} Control
 */

/** Moments that a page remembers: trails and plots reach so far back. */
const KEPT = 1200;

/** Rows of events that it remembers of an owner. */
const KEPT_EVENTS = 64;

/** Rows of a list that it remembers. */
const KEPT_ROWS = 500;

/** No rows, for tables that grow. @type {TableHead} */
const NONE = { owners: [], rows: 0, columns: [] };

/** A table whose rows come one after the other; the oldest are forgotten. */
export class LiveTable extends Table {
    /** @param {LiveColumn[]} columns @param {number[]} owners @param {string[]} words of all texts @param {number} kept rows */
    constructor(columns, owners, words, kept) {
        super(NONE, new Uint8Array());
        this.owners = owners;
        this.kept = kept;
        this.words = words;
        this.width = widthOf(columns);
        /** Place of the first number of a column. @type {Map<string, number>} */
        this.firsts = new Map();
        let at = 0;
        for (const { name, decimals, width, is_text } of columns) {
            this.columns.set(name, { name, decimals, width, words: is_text ? words : null, at });
            this.firsts.set(name, at);
            at += width;
        }
        this.numbers = new Float32Array(2 * kept * owners.length * this.width);
    }

    /** Adds a row for each owner, missing until it is set; returns true if the oldest ones were forgotten. */
    grow() {
        const size = this.owners.length * this.width;
        const isFull = this.rows === 2 * this.kept;
        if (isFull) {
            this.numbers.copyWithin(0, this.kept * size);
            this.rows = this.kept;
        }
        this.numbers.fill(NaN, this.rows * size, (this.rows + 1) * size);
        this.rows += 1;
        return isFull;
    }

    /** Sets the last row of an owner. @param {number} place @param {Float32Array} numbers */
    set(place, numbers) {
        this.numbers.set(numbers, ((this.rows - 1) * this.owners.length + place) * this.width);
    }

    /** @param {string} name @returns {Reader} */
    newReader(name) {
        const first = this.firsts.get(name);
        if (first === undefined) return () => NaN;
        const owners = this.owners.length;
        return (row, owner, index = 0) => this.numbers[(row * owners + owner) * this.width + first + index] ?? NaN;
    }

    /** @param {string} name @param {number} owner */
    hasNumbers(name, owner) {
        return !Number.isNaN(this.number(name, this.rows - 1, owner));
    }
}

/** Rows that a page lists, one after the other; the oldest are forgotten. */
export class LiveRows extends Table {
    /** @param {string[]} columns */
    constructor(columns) {
        super(NONE, new Uint8Array());
        this.places = new Map(columns.map((name, place) => [name, place]));
        /** @type {Listed[][]} */
        this.list = [];
    }

    /** @param {Listed[][]} rows */
    push(rows) {
        this.list.push(...rows);
        if (this.list.length > 2 * KEPT_ROWS) this.list.splice(0, this.list.length - KEPT_ROWS);
        this.rows = this.list.length;
    }

    clear() {
        this.list.length = 0;
        this.rows = 0;
    }

    /** @param {string} name @param {number} row @returns {Listed} */
    value(name, row) {
        return this.list[row][this.places.get(name) ?? -1] ?? null;
    }

    /** @param {string} name @param {number} row */
    number(name, row) {
        const value = this.value(name, row);
        return typeof value === 'number' ? value : NaN;
    }

    /** @param {string} name @param {number} row */
    text(name, row) {
        return String(this.value(name, row) ?? '–');
    }

    /** A row of the stream of events. @param {number} row @returns {EventRow} */
    event(row) {
        const value = this.number('value', row);
        const text = (/** @type {string} */ name) => String(this.value(name, row) ?? '');
        return {
            step: this.number('step', row),
            time_s: this.number('time_s', row),
            kind: text('kind'),
            subject: text('subject'),
            object: text('object'),
            value: Number.isNaN(value) ? null : value,
            unit: text('unit'),
        };
    }
}

/** A film that grows. */
export class LiveFilm extends Film {
    /** @param {Hello} hello */
    constructor(hello) {
        super({ frames: NONE, sampled: {}, events: {} }, hello, new Uint8Array());
        this.streams = hello.streams.map((stream) => ({ ...stream, width: widthOf(stream.columns) }));
        /** @type {string[]} */
        this.words = [];
        this.moments = new LiveTable(MOMENT, [0], this.words, KEPT);
        this.frames = this.moments;
        this.seconds = new Float64Array(2 * KEPT);
        this.steps = new Float64Array(2 * KEPT);
        for (const { name, is_sampled, owners, columns } of hello.streams) {
            const ids = Array.from({ length: owners }, (_, id) => id);
            if (is_sampled) this.sampled.set(name, new LiveTable(columns, ids, this.words, KEPT));
            else this.events.set(name, new Map());
        }
    }

    /** @param {number} row */
    step(row) {
        return this.steps[row] ?? 0;
    }

    /** Takes a frame. @param {ArrayBuffer} buffer */
    take(buffer) {
        const data = new DataView(buffer);
        if (data.getUint8(0) !== 1 || data.getUint8(1) !== 1) return;
        const [blocks, step, time_s] = [data.getUint16(2, true), data.getUint32(4, true), data.getFloat64(8, true)];
        this.grow(step, time_s);
        let at = 16;
        for (let n = 0; n < blocks; n += 1) {
            const { name, is_sampled, owner, columns, width } = this.streams[data.getUint16(at, true)];
            const rows = data.getUint16(at + 2, true);
            at += 4;
            for (let row = 0; row < rows; row += 1, at += 4 * width) {
                const numbers = new Float32Array(buffer, at, width);
                const place = owner === null ? row : numbers[owner];
                if (is_sampled) this.put(name, place, numbers);
                else this.event(name, columns, owner === null ? 0 : place, numbers);
            }
        }
    }

    /** A moment more. @param {number} step @param {number} time_s */
    grow(step, time_s) {
        if (this.moments.grow()) {
            this.seconds.copyWithin(0, KEPT);
            this.steps.copyWithin(0, KEPT);
        }
        this.moments.set(0, Float32Array.of(step, time_s));
        this.seconds[this.moments.rows - 1] = time_s;
        this.steps[this.moments.rows - 1] = step;
        this.times = this.seconds.subarray(0, this.moments.rows);
        for (const table of this.sampled.values()) if (table instanceof LiveTable) table.grow();
    }

    /** @param {string} name @param {number} place @param {Float32Array} numbers */
    put(name, place, numbers) {
        const table = this.sampled.get(name);
        if (table instanceof LiveTable && place < table.owners.length) table.set(place, numbers);
    }

    /** A row with a time of its own. @param {string} name @param {LiveColumn[]} columns @param {number} id @param {Float32Array} numbers */
    event(name, columns, id, numbers) {
        const owners = this.events.get(name);
        if (!owners || !(id >= 0)) return;
        const rows = owners.get(id) ?? { table: new LiveTable(columns, [id], this.words, KEPT_EVENTS), times: new Float64Array(), nearest: null };
        owners.set(id, rows);
        if (!(rows.table instanceof LiveTable)) return;
        rows.table.grow();
        rows.table.set(0, numbers);
        const { table } = rows;
        rows.times = Float64Array.from({ length: table.rows }, (_, row) => table.number('time_s', row, 0));
        rows.nearest = null;
    }
}

/** Numbers of a row. @param {LiveColumn[]} columns */
function widthOf(columns) {
    return columns.reduce((sum, { width }) => sum + width, 0);
}

/** Columns of the moments themselves. @type {LiveColumn[]} */
const MOMENT = [
    { name: 'step', decimals: 0, width: 1, is_text: false },
    { name: 'time_s', decimals: 4, width: 1, is_text: false },
];

/** The connection to a run: it opens again when it breaks. */
export class Feed {
    /** @param {{ hello: (hello: Hello) => void, frame: (buffer: ArrayBuffer) => void, text: (message: Record<string, unknown>) => void,
     *   state: (isOpen: boolean) => void }} hears */
    constructor(hears) {
        this.hears = hears;
        /** @type {WebSocket | null} */
        this.socket = null;
        this.frames = 0;
        this.open();
    }

    open() {
        const socket = new WebSocket(`ws://${location.host}/live${location.search}`);
        socket.binaryType = 'arraybuffer';
        this.socket = socket;
        this.frames = 0;
        socket.onopen = () => this.hears.state(true);
        socket.onclose = () => {
            this.hears.state(false);
            setTimeout(() => this.open(), 1000);
        };
        socket.onmessage = ({ data }) => {
            if (typeof data !== 'string') return this.frame(data);
            const message = JSON.parse(data);
            if ('hello' in message) this.hears.hello(message);
            else this.hears.text(message);
        };
    }

    /** Every eighth frame is acknowledged; the run sends no more than sixteen before that. @param {ArrayBuffer} buffer */
    frame(buffer) {
        this.frames += 1;
        if (this.frames % 8 === 0) this.send({ do: 'ack', frames: this.frames });
        this.hears.frame(buffer);
    }

    /** @param {Record<string, unknown>} message */
    send(message) {
        if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    }
}
