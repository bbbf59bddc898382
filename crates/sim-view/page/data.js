// The data of the page: one block, deflated and in base64, of a head in JSON and columns of numbers.
//
// A column holds whole multiples of 10^-decimals, owner by owner, each owner's values in the order of the rows. A value is written as
// its difference from the one before it (zigzag, plus one), in groups of seven bits, the lowest first; 0 stands for a missing value.

/** @import { ReportHead } from './report.js' */

/**
 * @typedef {{ name: string, decimals: number, words: string[] | null, at: number }} ColumnHead
 * @typedef {{ owners: number[], rows: number, columns: ColumnHead[] }} TableHead
 * @typedef {{ label: string, kind: string, x_mm: number, y_mm: number, width_mm: number, height_mm: number, yaw_rad: number }} Sheet
 * @typedef {{ from_mm: [number, number], to_mm: [number, number] }} Wall
 * @typedef {{ lambda_rho: number, beta_per_s: number, window_s: number, sigma_mm: number, stretch_s: number, cell_mm: number }} FieldSpec
 * @typedef {{ world: 'mat', width_mm: number, height_mm: number, sheets: Sheet[], walls: Wall[], d_r_mm: number, d_h_mm: number,
 *   v_max_mm_s: number, robot_mm: number, field: FieldSpec }} MatSetting
 * @typedef {[number, number]} Place
 * @typedef {{ walls_m: Place[][], floor_m: Place[][], solid_m: Place[][] }} RoadMap
 * @typedef {{ body_length_m: number, body_width_m: number, base_to_rear_bumper_m: number, wheelbase_m: number, track_m: number,
 *   base_to_rear_axle_m: number, wheel_radius_m: number, wheel_width_m: number }} CarParams
 * @typedef {{ mount: { x_m: number, y_m: number, yaw_deg: number }, angle_min_deg: number, angle_max_deg: number,
 *   increment_deg: number }} Lidar
 * @typedef {{ params: CarParams, sensors: { lidar: Lidar | null } }} CarSetting
 * @typedef {{ world: 'road', area_m: [Place, Place], map: RoadMap, cars: CarSetting[] }} RoadSetting
 * @typedef {MatSetting | RoadSetting} Setting
 * @typedef {{ label: string, value: string }} Fact
 * @typedef {{ metric: string, value: number | null, unit: string, limit: number | null, ok: boolean | null }} Measure
 * @typedef {{ step: number, time_s: number, kind: string, subject: string, object: string, value: number | null,
 *   unit: string }} EventRow
 * @typedef {{ frames: TableHead, agents: TableHead | null, feet: TableHead | null, patches: TableHead | null,
 *   cubes: TableHead | null, cars: TableHead | null, scans: { car: number, times: TableHead, ranges: TableHead }[],
 *   series: TableHead | null }} TablesHead
 * @typedef {{ kind: 'run', title: string, complete: boolean, facts: Fact[], notes: string[], setting: Setting, summary: Measure[],
 *   scenario: unknown, events: EventRow[], tables: TablesHead }} RunHead
 * @typedef {{ run: number, call: number, kind: string, call_s: number, distance_mm: number, pair: number[], tables: TablesHead }} ClipHead
 * @typedef {{ name: string, unit: string, limit: number | null, values: (number | null)[] }} BatchMeasure
 * @typedef {{ kind: 'batch', title: string, complete: boolean, facts: Fact[], notes: string[], setting: MatSetting, summary: Measure[],
 *   scenario: unknown, runs: number[], measures: BatchMeasure[], clips: ClipHead[] }} BatchHead
 * @typedef {RunHead | BatchHead | ReportHead} PageHead
 */

/** Stands for a missing value in decoded columns. */
export const MISSING = -2147483648;

/** Numbers of some owners (robots, feet, patches, ...) over the rows of a table. */
export class Table {
    /** @param {TableHead} head @param {Uint8Array} bytes all columns of the page */
    constructor(head, bytes) {
        this.owners = head.owners;
        this.rows = head.rows;
        /** @type {Map<string, ColumnHead>} */
        this.columns = new Map(head.columns.map((column) => [column.name, column]));
        /** @type {Map<string, Int32Array>} */
        this.values = new Map(head.columns.map((column) => [column.name, decode(bytes, column.at, head.owners.length, head.rows)]));
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

    /** What reads a column, row and place of the owner given: a number, NaN where there is none. @param {string} name */
    reader(name) {
        const { rows } = this;
        const values = this.values.get(name);
        const scale = 10 ** (this.columns.get(name)?.decimals ?? 0);
        return (/** @type {number} */ row, /** @type {number} */ owner) => {
            const quanta = values?.[owner * rows + row] ?? MISSING;
            return quanta === MISSING ? NaN : quanta / scale;
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

/** @param {Uint8Array} bytes @param {number} at @param {number} owners @param {number} rows */
function decode(bytes, at, owners, rows) {
    const out = new Int32Array(owners * rows);
    let next = 0;
    for (let owner = 0; owner < owners; owner += 1) {
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

/**
 * The scans of a car: when they arrived and were taken, and the range of each ray.
 * @typedef {{ arrived: Float64Array, taken: Float64Array, ranges: Table }} Scans
 */

/** The tables of a run or a clip, and when their rows are. @template {Setting} S */
export class Film {
    /** @param {TablesHead} head @param {S} setting @param {Uint8Array} bytes */
    constructor(head, setting, bytes) {
        const table = (/** @type {TableHead | null} */ part) => (part ? new Table(part, bytes) : null);
        this.setting = setting;
        this.frames = new Table(head.frames, bytes);
        this.agents = table(head.agents);
        this.feet = table(head.feet);
        this.patches = table(head.patches);
        this.cubes = table(head.cubes);
        this.cars = table(head.cars);
        /** By the number of the car. @type {Map<number, Scans>} */
        this.scans = new Map(head.scans.map(({ car, times, ranges }) => [car, scansOf(new Table(times, bytes), new Table(ranges, bytes))]));
        this.times = timesOf(this.frames, 'time_s');
        /** What is plotted: measures of all together, or the rows of each car. */
        this.series = table(head.series) ?? this.cars ?? this.frames;
        this.seriesTimes = head.series ? timesOf(this.series, 'time_s') : this.times;
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
}

/** @param {Table} table @param {string} column */
function timesOf(table, column) {
    return Float64Array.from({ length: table.rows }, (_, row) => table.number(column, row, 0));
}

/** @param {Table} times @param {Table} ranges @returns {Scans} */
function scansOf(times, ranges) {
    return { arrived: timesOf(times, 'arrived_s'), taken: timesOf(times, 'taken_s'), ranges };
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
