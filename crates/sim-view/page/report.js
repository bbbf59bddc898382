// The report of a sweep: the answer, what was run, plots, tables, and the worst runs with their near misses to play.
/** @import { ClipHead, Fact, PageHead, Scenery } from './data.js' */
/** @import { TableHeadData } from './table.js' */
import { begin } from './app.js';
import { CallsPanel } from './batch.js';
import { el } from './dom.js';
import { Stage } from './stage.js';
import { SortedTable } from './table.js';

/**
 * @typedef {{ setting: string, headline: string, words: string, state: string }} Answer
 * @typedef {{ title: string, caption: string, rows: Answer[], more: Answer[] }} Answers
 * @typedef {{ name: string, path: string, unit: string, values: string }} AxisHead
 * @typedef {{ file: string, title: string, light: string, dark: string }} Figure
 * @typedef {{ id: string, title: string, caption: string, figures: Figure[], more: Figure[] }} FigureSection
 * @typedef {{ run: number, title: string, words: string, is_clean: boolean, command: string, scenery: Scenery | null,
 *   clips: ClipHead[] }} WorstRun
 * @typedef {{ title: string, cause: string, command: string }} Fault
 * @typedef {{ kind: 'report', title: string, question: string, complete: boolean, facts: Fact[], notes: string[], answers: Answers[],
 *   method: string[], axes: AxisHead[], sections: FigureSection[], tables: TableHeadData[], worst: WorstRun[], failed: Fault[],
 *   failed_runs: number, infeasible: Fault[], infeasible_cells: number }} ReportHead
 */

/** Builds the report. @param {ReportHead} head @param {Uint8Array} bytes @param {Stage} stage @param {HTMLElement} main */
function buildReport(head, bytes, stage, main) {
    document.documentElement.classList.add('document');
    main.className = 'report';
    const figures = new Figures(stage);
    const worst = new WorstPanel(head.worst, bytes, stage);
    const parts = [
        answerPart(head),
        ...head.sections.map((section) => figurePart(section, figures)),
        ...head.tables.map((table, n) => tablePart(table, n === 0)),
        worst.element,
        faultPart('failed', 'Failed runs', head.failed, head.failed_runs, 'failures.csv'),
        faultPart('infeasible', 'Settings that cannot be', head.infeasible, head.infeasible_cells, 'cells.csv'),
        methodPart(head),
    ].filter((part) => part !== null);
    main.append(contents(parts), ...parts);
    stage.onLook.push(() => figures.show());
    worst.chooseFirst();
    main.dataset.ready = 'true';
    return worst.player;
}

/** A part of the page with its title. @param {string} id @param {string} title @param {...(Node | string)} children */
function part(id, title, ...children) {
    return el('section', { className: 'part', id }, el('h2', { textContent: title }), ...children);
}

/** Buttons that lead to the parts. @param {HTMLElement[]} parts */
function contents(parts) {
    const buttons = parts.map((one) => {
        const title = one.querySelector('h2')?.textContent ?? '';
        return el('button', { textContent: title, onclick: () => one.scrollIntoView({ behavior: 'smooth' }) });
    });
    return el('nav', { 'aria-label': 'Parts' }, ...buttons);
}

/** What is folded away. @param {string} words @param {() => Node[]} fill called when it is opened for the first time */
function folded(words, fill) {
    const details = el('details', { className: 'folded' }, el('summary', { textContent: words }));
    details.addEventListener('toggle', () => details.append(...fill()), { once: true });
    return details;
}

/** @param {ReportHead} head */
function answerPart(head) {
    const answers = head.answers.map(({ title, caption, rows, more }) => {
        const list = el('div', { className: 'answers' }, ...rows.map(answerRow));
        const others = () => [el('div', { className: 'answers' }, ...more.map(answerRow))];
        const rest = more.length ? [folded(`${more.length} more`, others)] : [];
        return el('div', {}, el('h3', { textContent: title }), el('p', { className: 'caption', textContent: caption }), list, ...rest);
    });
    return part('answer', head.question || head.title, ...answers);
}

/** @param {Answer} answer */
function answerRow({ setting, headline, words, state }) {
    return el(
        'div',
        { className: `answer ${state}` },
        el('span', { className: 'answer-setting', textContent: setting }),
        el('b', { textContent: headline }),
        el('span', { className: 'answer-words', textContent: words }),
    );
}

/** Plots, drawn for the theme that is on. */
class Figures {
    /** @param {Stage} stage */
    constructor(stage) {
        this.stage = stage;
        /** @type {{ figure: Figure, place: HTMLElement }[]} */
        this.all = [];
        this.dark = stage.theme.dark;
    }

    /** @param {Figure} figure */
    add(figure) {
        const place = el('figure', { dataset: { file: figure.file } });
        this.all.push({ figure, place });
        this.draw(figure, place);
        return place;
    }

    /** Takes up another theme. */
    show() {
        if (this.dark === this.stage.theme.dark) return;
        this.dark = this.stage.theme.dark;
        for (const { figure, place } of this.all) this.draw(figure, place);
    }

    /** @param {Figure} figure @param {HTMLElement} place */
    draw(figure, place) {
        const parsed = new DOMParser().parseFromString(this.dark ? figure.dark : figure.light, 'image/svg+xml');
        const svg = document.importNode(parsed.documentElement, true);
        svg.setAttribute('role', 'img');
        svg.setAttribute('aria-label', figure.title);
        place.replaceChildren(svg, el('figcaption', { textContent: `plots/${figure.file}` }));
    }
}

/** @param {FigureSection} section @param {Figures} figures */
function figurePart({ id, title, caption, figures: shown, more }, figures) {
    const grid = (/** @type {Figure[]} */ some) => el('div', { className: 'figures' }, ...some.map((figure) => figures.add(figure)));
    const rest = more.length ? [folded(`${more.length} more ${more.length === 1 ? 'plot' : 'plots'}`, () => [grid(more)])] : [];
    return part(id, title, el('p', { className: 'caption', textContent: caption }), grid(shown), ...rest);
}

/** @param {TableHeadData} table @param {boolean} isOpen */
function tablePart(table, isOpen) {
    const caption = el('p', { className: 'caption', textContent: table.caption });
    const build = () => new SortedTable(table).element;
    return part(table.id, table.title, caption, isOpen ? build() : folded(`Show ${table.rows.length} rows`, () => [build()]));
}

/** @param {string} id @param {string} title @param {Fault[]} faults those that are listed @param {number} all @param {string} file */
function faultPart(id, title, faults, all, file) {
    if (!all) return null;
    const listed = faults.length < all ? `${faults.length} of ${all} are listed; all` : 'All';
    const caption = `${listed} of them are in ${file}.`;
    const rows = faults.map(({ title: name, cause, command }) =>
        el('li', {}, el('b', { textContent: name }), el('p', { textContent: cause }), ...(command ? [commandLine(command)] : [])),
    );
    return part(id, `${title}: ${all}`, el('p', { className: 'caption', textContent: caption }), el('ul', { className: 'faults' }, ...rows));
}

/** A command, which one click selects. @param {string} command */
function commandLine(command) {
    return el('code', { className: 'command', textContent: command, title: 'To be given inside the folder of the sweep' });
}

/** @param {ReportHead} head */
function methodPart(head) {
    const rows = head.axes.map(({ name, path, unit, values }) => {
        const cells = [el('b', { textContent: name }), values, unit, el('code', { textContent: path })];
        return el('tr', {}, ...cells.map((cell) => el('td', {}, cell)));
    });
    const heads = ['axis', 'values', 'unit', 'key of the scenario'].map((name) => el('th', { textContent: name, scope: 'col' }));
    const table = el('table', { className: 'axes' }, el('thead', {}, el('tr', {}, ...heads)), el('tbody', {}, ...rows));
    const axes = rows.length ? [el('div', { className: 'table-scroll', tabIndex: 0, role: 'region', 'aria-label': 'Axes' }, table)] : [];
    const facts = head.facts.map(({ label, value }) => `${label} ${value}`).join(', ');
    const text = head.method.map((words) => el('p', { textContent: words }));
    return part('method', 'What was run', ...text, ...axes, el('p', { className: 'caption', textContent: facts }));
}

/** The worst runs, and the near misses of one of them. */
class WorstPanel {
    /** @param {WorstRun[]} runs @param {Uint8Array} bytes @param {Stage} stage */
    constructor(runs, bytes, stage) {
        this.runs = runs;
        this.list = el('div', { className: 'worst-list', role: 'group', 'aria-label': 'Worst runs' });
        this.list.append(...runs.map((run, at) => this.row(run, at)));
        const playable = runs.find((run) => run.scenery);
        this.calls = playable ? new CallsPanel({ runs: [], clips: [], scenery: playable.scenery }, bytes, stage) : null;
        this.player = el('div', { className: 'batch calls-side', tabIndex: -1 }, ...(this.calls ? [this.calls.element] : []));
        const caption = 'The worst stands first. A command, given inside the folder of the sweep, makes its run again.';
        const body = el('div', { className: 'worst' }, this.list, this.player);
        this.element = runs.length ? part('worst', 'Worst runs', el('p', { className: 'caption', textContent: caption }), body) : null;
    }

    /** @param {WorstRun} run @param {number} at */
    row(run, at) {
        const button = el(
            'button',
            { dataset: { worst: String(run.run) }, disabled: !run.scenery, onclick: () => this.choose(at) },
            el('b', { textContent: `Run ${run.run}` }),
            el('span', { className: run.is_clean ? '' : 'alarm', textContent: run.words }),
            el('span', { className: 'quiet', textContent: run.title }),
        );
        return el('div', { className: 'worst-run' }, button, commandLine(run.command));
    }

    chooseFirst() {
        const first = this.runs.findIndex((run) => run.scenery);
        if (first >= 0) this.choose(first);
        // A film that is not looked at yet stands still, at its nearest moment.
        this.calls?.stage.player.pause();
        this.calls?.stage.player.seek(this.runs[first].clips[0]?.call_s ?? 0);
    }

    /** @param {number} at */
    choose(at) {
        const { run, clips, scenery } = this.runs[at];
        if (!this.calls || !scenery) return;
        [...this.list.children].forEach((row, n) => row.firstElementChild?.setAttribute('aria-pressed', String(n === at)));
        // In its own folder the run has another number than in the sweep.
        this.calls.head = { runs: [run], clips: clips.map((clip) => ({ ...clip, run })), scenery };
        this.calls.show(0);
    }
}

begin((/** @type {PageHead} */ head, bytes, stage, main) => (head.kind === 'report' ? buildReport(head, bytes, stage, main) : null));
