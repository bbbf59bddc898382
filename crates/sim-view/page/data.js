// The data of the page: one block, deflated and in base64, of a head in JSON and columns of numbers.
//
// A column holds whole multiples of 10^-decimals, owner by owner, each owner's values in the order of the rows. A value is written as
// its difference from the one before it (zigzag, plus one), in groups of seven bits, the lowest first; 0 stands for a missing value.

/** @import { ReportHead } from './report.js' */
/** @import { Scanner, ViewSpec } from './spec.js' */

/**
 * @typedef {{ name: string, decimals: number, words: string[] | null, width: number, at: number }} ColumnHead width: numbers of a value,
 *   such as the rays of a scan
 * @typedef {{ owners: number[], rows: number, columns: ColumnHead[] }} TableHead
 * @typedef {{ frames: TableHead, sampled: Record<string, TableHead>, events: Record<string, TableHead[]>,
 *   logs?: Record<string, TableHead> }} TablesHead sampled: streams with a row for each owner in each frame; events: those with rows of their
 *   own times, one table an owner; logs: rows that are listed, with the owner as a column
 * @typedef {{ label: string, value: string }} Fact
 * @typedef {{ metric: string, value: number | null, unit: string, limit: number | null, ok: boolean | null }} Measure
 * @typedef {{ step: number, time_s: number, kind: string, subject: string, object: string, value: number | null,
 *   unit: string }} EventRow
 * @typedef {{ kind: 'run', title: string, complete: boolean, facts: Fact[], notes: string[], view: ViewSpec, areas: PlaneArea[],
 *   summary: Measure[], scenario: unknown, events: EventRow[], tables: TablesHead }} RunHead
 * @typedef {[[number, number], [number, number]]} PlaneArea what a projection shows: its least and largest corner
 * @typedef {{ run: number, call: number, limit: string, call_s: number, distance: number, pair: string[], tables: TablesHead }} ClipHead
 * @typedef {{ name: string, unit: string, limit: number | null, values: (number | null)[] }} BatchMeasure
 * @typedef {{ view: ViewSpec, areas: PlaneArea[] }} Scenery
 * @typedef {{ kind: 'batch', title: string, complete: boolean, facts: Fact[], notes: string[], scenery: Scenery | null, summary: Measure[],
 *   scenario: unknown, runs: number[], measures: BatchMeasure[], clips: ClipHead[] }} BatchHead
 * @typedef {{ step: number, time_s: number, owner: number | null, column: string | null, values: [string, string] }} FirstDifference
 * @typedef {{ stream: string, words: string | null, same_rows: number, first: FirstDifference | null }} StreamDifference
 * @typedef {{ kind: 'pair', title: string, complete: boolean, facts: Fact[], notes: string[], summary: Measure[], names: [string, string],
 *   runs: [RunHead, RunHead], differences: StreamDifference[], settings: { key: string, values: [string, string] }[] }} PairHead
 * @typedef {RunHead | BatchHead | PairHead | ReportHead} PageHead
 */

/** Stands for a missing value in decoded columns. */
export const MISSING = -2147483648;

/** Stands for minus infinity: a range finder's "too near". */
const TOO_NEAR = -2147483647;

/** @typedef {(row: number, owner: number, index?: number) => number} Reader */

/** Numbers of some owners (robots, feet, patches, ...) over the rows of a table. */
export class Table {
    /** @param {TableHead} head @param {Uint8Array} bytes all columns of the page */
    constructor(head, bytes) {
        this.owners = head.owners;
        this.rows = head.rows;
        /** @type {Map<string, Reader>} */
        this.readers = new Map();
        /** @type {Map<string, ColumnHead>} */
        this.columns = new Map(head.columns.map((column) => [column.name, column]));
        /** @type {Map<string, Int32Array>} */
        this.values = new Map(head.columns.map((column) => [column.name, decode(bytes, column.at, head.owners.length * column.width, head.rows)]));
    }

    /** @param {string} name */
    has(name) {
        return this.columns.has(name);
    }

    /** True if the owner has any value in a column. @param {string} name @param {number} owner place of the owner */
    hasNumbers(name, owner) {
        return (
            this.values
                .get(name)
                ?.subarray(owner * this.rows, (owner + 1) * this.rows)
                .some((quanta) => quanta !== MISSING) ?? false
        );
    }

    /** What reads a row and place of the owner in a column; of a value of many numbers that with an index. NaN where there is none.
     * @param {string} name */
    reader(name) {
        let reader = this.readers.get(name);
        if (!reader) this.readers.set(name, (reader = this.newReader(name)));
        return reader;
    }

    /** @param {string} name @returns {Reader} */
    newReader(name) {
        const { rows } = this;
        const values = this.values.get(name);
        const { decimals = 0, width = 1 } = this.columns.get(name) ?? {};
        const scale = 10 ** decimals;
        return (row, owner, index = 0) => {
            const quanta = values?.[(owner * width + index) * rows + row] ?? MISSING;
            return quanta === MISSING ? NaN : quanta === TOO_NEAR ? -Infinity : quanta / scale;
        };
    }

    /** One value as a number; NaN where there is none. @param {string} name @param {number} row @param {number} owner its place */
    number(name, row, owner) {
        return this.reader(name)(row, owner);
    }

    /** The value as the page shows it: the table's digits, rounded. @param {string} name @param {number} row @param {number} owner */
    text(name, row, owner) {
        const column = this.columns.get(name);
        const value = this.number(name, row, owner);
        if (!column || Number.isNaN(value)) return '–';
        return column.words ? (column.words[value] ?? '–') : fixed(value, column.decimals);
    }
}

/** Decimals without a minus before a zero. @param {number} value @param {number} decimals */
export function fixed(value, decimals) {
    const text = value.toFixed(decimals);
    return /^-0(\.0*)?$/.test(text) ? text.slice(1) : text;
}

/** @param {Uint8Array} bytes @param {number} at @param {number} series as many of them @param {number} rows with so many rows */
function decode(bytes, at, series, rows) {
    const out = new Int32Array(series * rows);
    let next = 0;
    for (let n = 0; n < series; n += 1) {
        let last = 0;
        for (let row = 0; row < rows; row += 1) {
            let code = 0;
            let scale = 1;
            let byte = bytes[at++];
            while (byte >= 128) {
                code += (byte - 128) * scale;
                scale *= 128;
                byte = bytes[at++];
            }
            code += byte * scale;
            if (code !== 0) last += code % 2 ? (code - 1) / 2 : -code / 2;
            out[next++] = code === 0 ? MISSING : last;
        }
    }
    return out;
}

/** Unpacks the block. @param {string} base64 @returns {Promise<{ head: PageHead, bytes: Uint8Array }>} */
export async function unpack(base64) {
    const packed = Uint8Array.from(atob(base64.trim()), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
    const block = new Uint8Array(await new Response(stream).arrayBuffer());
    const length = new DataView(block.buffer).getUint32(0, true);
    const head = JSON.parse(new TextDecoder().decode(block.subarray(4, 4 + length)));
    return { head, bytes: block.subarray(4 + length) };
}

/** Stored times have four decimals: one may stand by so much later than the table's own, s. */
const ROUNDED_S = 1e-4;

/** The tables of a run or a clip, what they mean, and when their rows are. */
export class Film {
    /** @param {TablesHead} head @param {Scenery} scenery @param {Uint8Array} bytes */
    constructor(head, { view, areas }, bytes) {
        this.view = view;
        this.areas = areas;
        this.frames = new Table(head.frames, bytes);
        /** @type {Map<string, Table>} */
        this.sampled = new Map(Object.entries(head.sampled).map(([stream, part]) => [stream, new Table(part, bytes)]));
        /** Rows with times of their own, by stream and number of the owner. @type {Map<string, Map<number, OwnRows>>} */
        this.events = new Map(
            Object.entries(head.events).map(([stream, parts]) => [
                stream,
                new Map(parts.map((part) => [part.owners[0], ownRows(new Table(part, bytes))])),
            ]),
        );
        /** @type {Map<string, Table>} */
        this.logs = new Map(Object.entries(head.logs ?? {}).map(([stream, part]) => [stream, new Table(part, bytes)]));
        this.times = timesOf(this.frames, 'time_s');
    }

    /** The party of a stream. @param {string} stream */
    party(stream) {
        return this.view.parties.find((party) => party.stream === stream);
    }

    get start_s() {
        return this.times[0] ?? 0;
    }

    get end_s() {
        return this.times[this.times.length - 1] ?? 0;
    }

    /** The last row at or before a time, and the share of the way to the next one. @param {number} time_s */
    at(time_s) {
        const row = lastAtOrBefore(this.times, time_s);
        const next = Math.min(row + 1, this.times.length - 1);
        const span = this.times[next] - this.times[row];
        return { row, next, share: span > 0 ? Math.min(Math.max((time_s - this.times[row]) / span, 0), 1) : 0 };
    }

    /** @param {number} row */
    step(row) {
        return this.frames.number('step', row, 0);
    }

    /** The smallest range of each scan of an owner, in the order of the scans. @param {Scanner} scanner @param {number} owner */
    nearest(scanner, owner) {
        const scans = this.events.get(scanner.stream)?.get(owner);
        if (!scans) return null;
        scans.nearest ??= smallest(scans.table, scanner, owner);
        return scans.nearest;
    }
}

/** @typedef {{ table: Table, times: Float64Array, nearest: Float64Array | null }} OwnRows @param {Table} table @returns {OwnRows} */
function ownRows(table) {
    return { table, times: timesOf(table, 'time_s'), nearest: null };
}

/** @param {Table} table @param {Scanner} scanner @param {number} owner */
function smallest(table, { ranges, mounts }, owner) {
    const range = table.reader(ranges);
    const { width = 0 } = table.columns.get(ranges) ?? {};
    const least = mounts.find((mount) => mount.owner === owner)?.least ?? 0;
    return Float64Array.from({ length: table.rows }, (_, row) => {
        let nearest = NaN;
        for (let ray = 0; ray < width; ray += 1) {
            const value = Math.max(range(row, 0, ray), least);
            if (!Number.isNaN(value) && !(nearest <= value)) nearest = value;
        }
        return nearest;
    });
}

/** @param {Table} table @param {string} column */
export function timesOf(table, column) {
    return Float64Array.from({ length: table.rows }, (_, row) => table.number(column, row, 0));
}

/** Place of the last stored time that is not above `wanted`; 0 if all are. @param {ArrayLike<number>} sorted @param {number} wanted */
export function lastAtOrBefore(sorted, wanted) {
    let low = 0;
    let high = sorted.length - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (sorted[middle] <= wanted + ROUNDED_S) low = middle;
        else high = middle - 1;
    }
    return low;
}
