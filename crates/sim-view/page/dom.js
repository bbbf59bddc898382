// Building the page. Text always goes in as text, so that nothing that stands in a file is ever read as markup.

/**
 * Makes an element: properties, `dataset` and `aria-...` by name, then its children.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Record<string, unknown>} [props] @param {...(Node | string)} children @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, props = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(props)) {
        if (name === 'dataset') Object.assign(element.dataset, value);
        else if (name.includes('-') || name === 'for') element.setAttribute(name, String(value));
        else Object.assign(element, { [name]: value });
    }
    element.append(...children);
    return element;
}

/** Height of the type for which sizes on canvases are meant, px. */
const TYPE_PX = 13;

/** Height of the page's type, px. */
export function rem() {
    return parseFloat(getComputedStyle(document.documentElement).fontSize);
}

/** The page's type over that for which sizes on canvases are meant. */
export function typeScale() {
    return rem() / TYPE_PX;
}

/** Seconds as a clock shows them, with tenths. @param {number} seconds @param {number} [decimals] */
export function clock(seconds, decimals = 1) {
    const scale = 10 ** decimals;
    const parts = Math.round(Math.max(seconds, 0) * scale);
    const minutes = Math.floor(parts / (60 * scale));
    const rest = ((parts - minutes * 60 * scale) / scale).toFixed(decimals);
    return `${minutes}:${rest.padStart(decimals ? 3 + decimals : 2, '0')}`;
}

/** A number in as many digits as people read. @param {number} value */
export function short(value) {
    if (!Number.isFinite(value)) return '–';
    if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
    const size = Math.abs(value);
    if (size >= 1000) return value.toFixed(0);
    if (size >= 100) return value.toFixed(1);
    if (size >= 1) return value.toFixed(2);
    return size >= 0.001 ? value.toFixed(4) : value.toExponential(2);
}

/** A unit as it stands behind a number; shares and counts have none. @param {string} unit */
export function unitText(unit) {
    if (unit === '1' || unit === 'count' || unit === '') return '';
    return unit.replace('/s2', '/s²').replace('/s3', '/s³');
}

/** True if the limit of a measure holds from below: that of smallest values. @param {string} measure its name */
export function isFloor(measure) {
    return measure.startsWith('min_');
}

/** Tabs: buttons, of which the arrow keys choose, and the one part that is shown. @param {{ name: string, body: HTMLElement }[]} parts */
export function tabs(parts) {
    const bar = el('div', { className: 'tabs', role: 'tablist' });
    const bodies = el('div', { className: 'tab-bodies' });
    const show = (/** @type {string} */ wanted) => {
        parts.forEach(({ name, body }, n) => {
            body.hidden = name !== wanted;
            const tab = /** @type {HTMLButtonElement} */ (bar.children[n]);
            tab.setAttribute('aria-selected', String(name === wanted));
            tab.tabIndex = name === wanted ? 0 : -1;
        });
    };
    for (const { name, body } of parts) {
        Object.assign(body, { id: `tab-${name}`, role: 'tabpanel', ariaLabel: name, tabIndex: 0 });
        const tab = el('button', { role: 'tab', textContent: name, 'aria-controls': body.id, dataset: { tab: name }, onclick: () => show(name) });
        bar.append(tab);
        bodies.append(body);
    }
    bar.addEventListener('keydown', (event) => {
        const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!way) return;
        event.preventDefault();
        event.stopPropagation();
        const at = parts.findIndex(({ body }) => !body.hidden);
        const next = (at + way + parts.length) % parts.length;
        show(parts[next].name);
        if (bar.children[next] instanceof HTMLElement) bar.children[next].focus();
    });
    show(parts[0].name);
    return { element: el('div', { className: 'tabbed' }, bar, bodies), show };
}
