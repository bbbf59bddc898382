// The page of a batch of runs: a table of the runs, how each measure is spread, and the near misses to play.
/** @import { Theme } from './colour.js' */
/** @import { BatchHead, BatchMeasure, ClipHead, Scenery } from './data.js' */
import { boundOf } from './alarms.js';
import { Film } from './data.js';
import { clock, el, isFloor, rem, short, unitText } from './dom.js';
import { Plots } from './plots.js';
import { Stage } from './stage.js';

/** Most columns of measures that the table of the runs begins with. */
const MAX_COLUMNS = 9;

/** Height of a row of the table, heights of the page's type. */
const RUN_REM = 28 / 13;

/** Narrowest columns of the table, heights of the page's type: the number of the run, a measure. */
const COLUMN_REM = { run: 3.6, measure: 4.6 };

/** Values that differ by less than this share of them differ by rounding only. */
const ROUNDING = 1e-9;

/** Runs differ in a measure if their values do by more than this share of its limit. */
const TELLING = 1e-3;

/** Bars of a histogram. */
const BARS = 24;

/** Speed at which a near miss is played. */
const CALL_SPEED = 0.5;

/** Builds the page of a batch. @param {BatchHead} head @param {Uint8Array} bytes @param {Stage} stage @param {HTMLElement} main */
export function buildBatch(head, bytes, stage, main) {
    main.className = 'batch';
    const calls = new CallsPanel(head, bytes, stage);
    const spread = new SpreadPanel(head, (measure) => runs.sortBy(measure));
    const runs = new RunsPanel(head, (run) => {
        spread.mark(run);
        calls.show(run);
    });
    const left = el('section', { className: 'runs-side' }, runs.element, spread.element);
    main.append(left, el('section', { className: 'calls-side' }, calls.element));
    stage.onLook.push(() => spread.draw(stage.theme));
    runs.chooseFirst();
}

/** True if a run keeps to the limit of a measure. @param {BatchMeasure} measure @param {number | null} value */
function keeps(measure, value) {
    const { limit } = measure;
    if (limit === null || value === null) return true;
    return isFloor(measure.name) ? value >= limit - 1e-6 : value <= limit * (1 + 1e-6);
}

/** True if the runs have different values, by more than rounding. @param {BatchMeasure} measure */
function differs({ values }) {
    const numbers = values.filter((value) => value !== null);
    const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
    return high - low > ROUNDING * Math.max(Math.abs(low), Math.abs(high));
}

/** Measures that the table begins with: those with a limit that says something of single runs, then the others, those that differ first.
 * @param {BatchHead} head */
function columnsOf({ measures }) {
    const judged = measures.filter((measure) => measure.limit !== null);
    const spread = (/** @type {BatchMeasure} */ { values }) => {
        const numbers = values.filter((value) => value !== null);
        return Math.max(...numbers) - Math.min(...numbers);
    };
    const telling = judged.filter(
        (measure) => spread(measure) > TELLING * Math.abs(measure.limit ?? 0) || measure.values.some((value) => !keeps(measure, value)),
    );
    const zero = judged.filter(({ name, limit }) => limit === 0 && name !== 'non_finite').slice(0, 2);
    const others = measures.filter((measure) => measure.limit === null && differs(measure));
    const alike = measures.filter(({ limit, values }) => limit === null && values.some((value) => value !== null));
    return [...new Set([...zero, ...telling, ...others, ...alike])].slice(0, MAX_COLUMNS);
}

/** The runs, one a row, of which only those in sight exist. */
class RunsPanel {
    /** @param {BatchHead} head @param {(run: number) => void} choose called with the place of a run in the head */
    constructor(head, choose) {
        this.head = head;
        this.choose = choose;
        this.order = head.runs.map((_, at) => at);
        this.chosen = -1;
        this.columns = columnsOf(head);
        /** @type {{ measure: BatchMeasure | null, up: boolean }} */
        this.sorting = { measure: null, up: true };
        this.heads = el('div', { className: 'run-row run-heads' });
        this.rowsElement = el('div', { className: 'event-rows' });
        this.list = el('div', { className: 'run-list', tabIndex: 0, onscroll: () => this.scroll() }, this.rowsElement);
        this.element = el('div', { className: 'runs' }, this.heads, this.list);
        this.rowsElement.style.height = `${head.runs.length * RUN_REM}rem`;
        new ResizeObserver(() => this.fill()).observe(this.list);
        this.list.addEventListener('keydown', (event) => this.key(event));
    }

    /** The run that came nearest to a limit, or broke it most, stands first. */
    chooseFirst() {
        const margin = (/** @type {BatchMeasure} */ { values, limit }) =>
            Math.min(...values.map((value) => (value === null ? Infinity : value - (limit ?? 0))));
        const nearest = this.columns.filter((measure) => measure.limit !== null && isFloor(measure.name)).sort((a, b) => margin(a) - margin(b));
        const broken = this.columns.find((measure) => measure.values.some((value) => !keeps(measure, value)));
        const first = broken ?? nearest[0];
        if (first) this.sortBy(first);
        else this.fillHeads();
        this.pick(this.order[0]);
    }

    /** Sorts by a measure, or by the number of the run; again: the other way round. @param {BatchMeasure | null} measure */
    sortBy(measure) {
        const isSame = this.sorting.measure === measure;
        const up = isSame ? !this.sorting.up : !measure || isFloor(measure.name) || measure.limit === null;
        this.sorting = { measure, up };
        if (measure && !this.columns.includes(measure)) this.columns = [...this.columns.slice(0, MAX_COLUMNS - 1), measure];
        const value = (/** @type {number} */ at) => (measure ? measure.values[at] : this.head.runs[at]) ?? NaN;
        const compare = (/** @type {number} */ a, /** @type {number} */ b) => {
            if (Number.isNaN(value(a)) || Number.isNaN(value(b))) return Number(Number.isNaN(value(a))) - Number(Number.isNaN(value(b)));
            return (up ? 1 : -1) * (value(a) - value(b)) || a - b;
        };
        this.order.sort(compare);
        this.list.scrollTop = 0;
        this.fillHeads();
        this.fill();
    }

    fillHeads() {
        const { measure: by, up } = this.sorting;
        const mark = (/** @type {BatchMeasure | null} */ measure) => (measure === by ? (up ? ' ↑' : ' ↓') : '');
        const button = (/** @type {BatchMeasure | null} */ measure, /** @type {string} */ name) =>
            el('button', {
                textContent: name + mark(measure),
                title: name,
                onclick: () => this.sortBy(measure),
                dataset: { sort: measure?.name ?? 'run' },
            });
        this.heads.style.gridTemplateColumns = this.layout();
        // With the gaps between the columns and the rims.
        const [columns_rem, gaps_px] = [COLUMN_REM.run + COLUMN_REM.measure * this.columns.length, 8 * this.columns.length + 32];
        this.rowsElement.style.minWidth = `calc(${columns_rem}rem + ${gaps_px}px)`;
        this.heads.replaceChildren(button(null, 'run'), ...this.columns.map((measure) => button(measure, measureName(measure))));
    }

    layout() {
        return `${COLUMN_REM.run}rem repeat(${this.columns.length}, minmax(${COLUMN_REM.measure}rem, 1fr))`;
    }

    /** The heads go along to the side. */
    scroll() {
        this.heads.scrollLeft = this.list.scrollLeft;
        this.fill();
    }

    fill() {
        const row_px = RUN_REM * rem();
        const first = Math.max(Math.floor(this.list.scrollTop / row_px) - 4, 0);
        const last = Math.min(first + Math.ceil(this.list.clientHeight / row_px) + 8, this.order.length);
        this.rowsElement.replaceChildren(...this.order.slice(first, last).map((at, n) => this.row(at, first + n)));
    }

    /** @param {number} at place of the run @param {number} n place in the order */
    row(at, n) {
        const cells = this.columns.map((measure) => {
            const value = measure.values[at];
            return el('span', { className: keeps(measure, value) ? '' : 'alarm', textContent: value === null ? '–' : short(value) });
        });
        const row = el(
            'button',
            { className: 'run-row', dataset: { run: String(this.head.runs[at]) } },
            el('b', { textContent: String(this.head.runs[at]) }),
            ...cells,
        );
        row.style.top = `${n * RUN_REM}rem`;
        row.style.gridTemplateColumns = this.layout();
        row.classList.toggle('now', at === this.chosen);
        row.onclick = () => this.pick(at);
        return row;
    }

    /** @param {number | undefined} at */
    pick(at) {
        if (at === undefined) return;
        this.chosen = at;
        this.fill();
        this.choose(at);
    }

    /** Up and down choose the run before or after. @param {KeyboardEvent} event */
    key(event) {
        const direction = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (!direction) return;
        event.preventDefault();
        event.stopPropagation();
        this.pick(this.order[this.order.indexOf(this.chosen) + direction]);
    }
}

/** @param {BatchMeasure} measure */
function measureName({ name }) {
    return name.replace(/_(mm_s3|mm_s2|mm_s|m_s2|m_s|rad_s|mm|m|s)$/, '').replaceAll('_', ' ');
}

/** A histogram of every measure that differs between the runs. */
class SpreadPanel {
    /** @param {BatchHead} head @param {(measure: BatchMeasure) => void} choose */
    constructor(head, choose) {
        this.head = head;
        this.marked = -1;
        /** @type {Theme | null} */
        this.theme = null;
        const numbers = (/** @type {BatchMeasure} */ { values }) => values.filter((value) => value !== null);
        this.shown = head.measures.filter(differs).map((measure) => {
            const values = numbers(measure);
            const [low, high] = [Math.min(...values), Math.max(...values)];
            const bars = Array.from({ length: BARS }, () => ({ kept: 0, broken: 0 }));
            for (const value of values) {
                const bar = bars[Math.min(Math.floor((BARS * (value - low)) / (high - low)), BARS - 1)];
                if (keeps(measure, value)) bar.kept += 1;
                else bar.broken += 1;
            }
            return { measure, low, high, bars, canvas: el('canvas', { className: 'histogram-canvas' }) };
        });
        const alike = head.measures.filter((measure) => numbers(measure).length && !differs(measure));
        this.element = el('div', { className: 'spread' });
        for (const { measure, low, high, canvas } of this.shown) {
            const unit = unitText(measure.unit);
            const ends = el(
                'div',
                { className: 'ends' },
                el('span', { textContent: short(low) }),
                el('span', { textContent: `${short(high)} ${unit}`.trim() }),
            );
            const figure = el('button', { className: 'histogram', dataset: { measure: measure.name }, title: `Sort by ${measure.name}` });
            figure.append(el('span', { textContent: measureName(measure) }), canvas, ends);
            figure.onclick = () => choose(measure);
            this.element.append(figure);
        }
        if (alike.length) {
            const constants = alike.map((measure) => `${measureName(measure)} ${short(numbers(measure)[0])} ${unitText(measure.unit)}`.trim());
            this.element.append(el('p', { className: 'quiet', textContent: `The same in all runs: ${constants.join(', ')}.` }));
        }
    }

    /** Marks the value of a run. @param {number} at place of the run */
    mark(at) {
        this.marked = at;
        if (this.theme) this.draw(this.theme);
    }

    /** @param {Theme} theme */
    draw(theme) {
        this.theme = theme;
        for (const one of this.shown) this.drawOne(one, theme);
    }

    /** @param {SpreadPanel['shown'][number]} one @param {Theme} theme */
    drawOne({ measure, low, high, bars, canvas }, theme) {
        const { clientWidth: width, clientHeight: height } = canvas;
        const ratio = Math.min(window.devicePixelRatio || 1, 2);
        canvas.width = Math.max(Math.round(width * ratio), 1);
        canvas.height = Math.max(Math.round(height * ratio), 1);
        const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        const [most, step] = [Math.max(...bars.map(({ kept, broken }) => kept + broken)), width / BARS];
        const tall = (/** @type {number} */ count) => (count ? Math.max(2, ((height - 4) * count) / most) : 0);
        bars.forEach(({ kept, broken }, n) => {
            context.fillStyle = theme.colors.alarm;
            context.fillRect(n * step + 0.5, height - tall(kept + broken), step - 1, tall(kept + broken));
            context.fillStyle = theme.plot;
            context.fillRect(n * step + 0.5, height - tall(kept), step - 1, tall(kept));
        });
        context.fillStyle = theme.line;
        context.fillRect(0, height - 1, width, 1);
        const value = measure.values[this.marked];
        if (value === null || value === undefined) return;
        const x = Math.min(Math.max(((value - low) / (high - low)) * width, 1), width - 1);
        context.fillStyle = theme.colors.ink;
        context.fillRect(x - 1, 0, 2, height);
    }
}

/** Two of a kind share their word: `robot 3 – 7`. @param {string[]} pair */
function pairWords([one, other]) {
    const [word, number] = other.split(/ (?=\d+$)/);
    return `${one} – ${one.startsWith(`${word} `) ? number : other}`;
}

/** The near misses of the chosen run, and the stage on which one plays. */
export class CallsPanel {
    /** @param {{ runs: number[], clips: ClipHead[], scenery: Scenery | null }} head @param {Uint8Array} bytes @param {Stage} stage */
    constructor(head, bytes, stage) {
        this.head = head;
        this.bytes = bytes;
        this.stage = stage;
        this.title = el('h2');
        this.list = el('div', { className: 'calls', role: 'group', 'aria-label': 'Near misses' });
        this.plots = new Plots((time_s) => stage.player.seek(time_s));
        const caption = 'From shortly before each near miss to shortly after it, with those that were near.';
        this.caption = el('p', { className: 'quiet', textContent: caption });
        this.element = el(
            'div',
            { className: 'call-stage' },
            this.title,
            this.caption,
            this.list,
            stage.element,
            stage.transport,
            this.plots.element,
        );
        stage.onLook.push(() => this.plots.prepare(stage.theme));
        stage.onDraw.push(({ time_s }) => this.plots.draw(stage.theme, time_s));
        stage.player.setSpeed(CALL_SPEED);
        stage.player.loop = true;
    }

    /** @param {number} at place of the run */
    show(at) {
        const run = this.head.runs[at];
        const clips = this.head.clips.filter((clip) => clip.run === run);
        this.title.textContent = clips.length ? `Run ${run}: its near misses` : `Run ${run}: there is nothing to play in this page`;
        this.list.replaceChildren(...clips.map((clip) => this.button(clip)));
        const hidden = !clips.length;
        for (const part of [this.caption, this.stage.element, this.stage.transport, this.plots.element]) part.hidden = hidden;
        if (clips.length) this.play(clips[0]);
    }

    /** @param {ClipHead} clip */
    button(clip) {
        const limit = this.head.scenery?.view.limits.find(({ name }) => name === clip.limit);
        const unit = this.head.scenery?.view.unit ?? '';
        const button = el('button', { dataset: { call: String(clip.call) }, onclick: () => this.play(clip) });
        const distance = el('b', {
            className: limit && clip.distance < boundOf(limit) - 1e-4 ? 'alarm' : '',
            textContent: `${clip.distance.toFixed(2)} ${unit}`,
        });
        button.append(
            distance,
            el('span', { textContent: pairWords(clip.pair) }),
            el('span', { className: 'quiet', textContent: clock(clip.call_s) }),
        );
        return button;
    }

    /** @param {ClipHead} clip */
    play(clip) {
        const { stage, head } = this;
        if (!head.scenery) return;
        for (const button of this.list.children) {
            if (button instanceof HTMLElement) button.setAttribute('aria-pressed', String(button.dataset.call === String(clip.call)));
        }
        const film = new Film(clip.tables, head.scenery, this.bytes);
        this.plots.load(film, [], clip.limit);
        stage.load(film, []);
        stage.player.toggle();
    }
}
