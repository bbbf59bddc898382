// Where every page begins: unpacks its data, lets the page be built that fits, and keeps it going.
/** @import { PageHead } from './data.js' */
/** @import { ViewSpec } from './spec.js' */
import { unpack } from './data.js';
import { el } from './dom.js';
import { Stage, bodiesNames, keysOf, planeName } from './stage.js';

/** Where the choice of dark or light is kept. */
const THEME = 'sim-replay-theme';

/** Whether the page begins dark. */
export function prefersDark() {
    const chosen = kept();
    return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

/** The choice that was made earlier. Pages from files may not be allowed to keep anything. */
function kept() {
    try {
        return localStorage.getItem(THEME);
    } catch {
        return null;
    }
}

/** @param {boolean} dark */
function keep(dark) {
    try {
        localStorage.setItem(THEME, dark ? 'dark' : 'light');
    } catch {
        // The choice holds for this visit.
    }
}

/** Whether all is there, and whether a run or a batch keeps its limits. @param {PageHead} head */
function verdict(head) {
    if (head.kind === 'pair') {
        const isSame = head.differences.every(({ first, words }) => !first && !words);
        return { words: isSame ? 'the same tables' : 'the runs differ', state: isSame ? 'good' : 'partial' };
    }
    if (head.kind === 'report') {
        return { words: head.complete ? 'complete' : 'not complete', state: head.complete ? '' : 'partial' };
    }
    const missed = head.summary.filter(({ ok }) => ok === false).length;
    const judged = head.summary.some(({ ok }) => ok !== null);
    const words = !head.complete ? 'not complete' : missed ? `${missed} limits not kept` : judged ? 'all limits kept' : 'not judged';
    return { words, state: !head.complete ? 'partial' : missed ? 'bad' : judged ? 'good' : '' };
}

/** @param {PageHead} head @param {HTMLElement} themeButton @param {HTMLElement} helpButton */
function header(head, themeButton, helpButton) {
    const facts = head.facts.map(({ label, value }) =>
        el('div', {}, el('dt', { textContent: label }), el('dd', { textContent: value, title: value })),
    );
    const { words, state } = verdict(head);
    return el(
        'header',
        {},
        el('h1', { textContent: head.title }),
        el('span', { className: `verdict ${state}`, textContent: words }),
        el('dl', { className: 'facts' }, ...facts),
        themeButton,
        helpButton,
    );
}

/** The keys of a replay, in words. @param {ViewSpec | null} view @returns {Help} */
function helpOfReplay(view) {
    const hint = `Click ${bodiesNames(view)} to follow it. Drag to move ${planeName(view)}, wheel or pinch to zoom. Click in a plot to go there.`;
    return { keys: keysOf(view), hint };
}

/** @typedef {{ keys: string[][], hint: string }} Help @param {Help} help */
function helpDialog(help) {
    const keys = help.keys.flatMap(([key, text]) => [el('dt', {}, el('kbd', { textContent: key })), el('dd', { textContent: text })]);
    const close = el('button', { textContent: 'Close', autofocus: true });
    const hint = el('p', { className: 'quiet', textContent: help.hint });
    const dialog = el('dialog', { className: 'help' }, el('h2', { textContent: 'Keys' }), el('dl', {}, ...keys), hint, close);
    close.onclick = () => dialog.close();
    return dialog;
}

/** True if the key belongs to what is being typed or chosen. @param {EventTarget | null} target @param {string} key */
function isTyping(target, key) {
    if (target instanceof HTMLSelectElement) return true;
    if (target instanceof HTMLInputElement) return target.type !== 'range' || key.startsWith('Arrow');
    return target instanceof HTMLElement && key === ' ' && (target.tagName === 'BUTTON' || target.tagName === 'SUMMARY');
}

/**
 * Builds the page into `main`; returns the part in which keys play the film, or nothing if they do everywhere.
 * @typedef {(head: PageHead, bytes: Uint8Array, stage: Stage, main: HTMLElement) => HTMLElement | null} Build
 */

/** Begins the page. @param {Build} build */
export function begin(build) {
    start(build).catch(fail);
}

/** @param {Build} build */
async function start(build) {
    const { head, bytes } = await unpack(document.getElementById('data')?.textContent ?? '');
    const view = viewOf(head);
    const stage = new Stage(prefersDark(), view);
    furnish(stage, { view, notes: head.notes, head: (...buttons) => header(head, ...buttons) }, (main) => build(head, bytes, stage, main));
}

/**
 * Puts the parts round a stage, and keeps it going.
 * @param {Stage} stage
 * @param {{ view: ViewSpec | null, notes: string[], head: (theme: HTMLElement, help: HTMLElement) => HTMLElement, help?: Help }} parts
 * @param {(main: HTMLElement) => HTMLElement | null} build fills the main part; returns that in which keys play, or nothing if they do everywhere
 */
export function furnish(stage, { view, notes, head, help: words = helpOfReplay(view) }, build) {
    const themeButton = el('button', { textContent: '◐', title: 'Dark or light (d)', 'aria-label': 'Dark or light' });
    const helpButton = el('button', { textContent: '?', title: 'Keys (?)', 'aria-label': 'Keys' });
    const dialog = helpDialog(words);
    const main = el('main');
    const remarks = notes.map((text) => el('p', { textContent: text }));
    document.body.replaceChildren(head(themeButton, helpButton), el('div', { className: 'notes' }, ...remarks), main, dialog);

    const setDark = (/** @type {boolean} */ dark) => {
        document.documentElement.dataset.theme = dark ? 'dark' : 'light';
        stage.setDark(dark);
    };
    const swap = () => {
        keep(!stage.theme.dark);
        setDark(!stage.theme.dark);
    };
    const help = () => (dialog.open ? dialog.close() : dialog.showModal());
    setDark(stage.theme.dark);
    themeButton.onclick = swap;
    helpButton.onclick = help;
    const player = build(main);
    const plays = (/** @type {EventTarget | null} */ target) => !player || (target instanceof Node && player.contains(target));

    document.addEventListener('keydown', (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target, event.key)) return;
        if (event.key === '?') help();
        else if (event.key === 'd') swap();
        else if (dialog.open || !plays(event.target) || !stage.key(event)) return;
        event.preventDefault();
    });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', ({ matches }) => {
        if (!kept()) setDark(matches);
    });
    const resized = new ResizeObserver(() => {
        stage.look();
        stage.twin?.look();
    });
    for (const { canvas } of stage.panes) resized.observe(canvas);
    for (const { canvas } of stage.twin?.panes ?? []) resized.observe(canvas);
    const frame = (/** @type {number} */ now_ms) => {
        stage.frame(now_ms);
        requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
}

/** How the world of a page is drawn, if anything of it is. @param {PageHead} head @returns {ViewSpec | null} */
function viewOf(head) {
    if (head.kind === 'run') return head.view;
    if (head.kind === 'pair') return head.runs[0].view;
    return (head.kind === 'batch' ? head.scenery : head.worst.find(({ scenery }) => scenery)?.scenery)?.view ?? null;
}

/** @param {unknown} error */
function fail(error) {
    const words =
        typeof DecompressionStream === 'undefined'
            ? 'This browser is too old for the page: it cannot unpack its data.'
            : `The page cannot be shown: ${error}`;
    document.body.replaceChildren(el('p', { className: 'failure', textContent: words }));
}
