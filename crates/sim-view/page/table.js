// A table that is sorted by a click on a column and filtered by words. Of long ones only the first rows exist.
import { el } from './dom.js';

/**
 * What stands in a cell, and the number that it is sorted by.
 * @typedef {[string, number | null]} TableCell
 * @typedef {{ name: string, about: string, is_number: boolean }} TableColumn
 * @typedef {{ id: string, title: string, caption: string, file: string, columns: TableColumn[], rows: TableCell[][] }} TableHeadData
 */

/** Rows that are there at a time. */
const MAX_SHOWN = 300;

/** Rows beyond which there is a filter. */
const WORTH_A_FILTER = 12;

export class SortedTable {
    /** @param {TableHeadData} data */
    constructor(data) {
        this.data = data;
        this.rows = data.rows;
        this.sorting = { column: -1, up: true };
        this.words = '';
        this.body = el('tbody');
        this.heads = data.columns.map((column, at) => this.columnHead(column, at));
        this.count = el('span', { className: 'quiet' });
        const filter = el('input', { type: 'search', placeholder: 'Filter', 'aria-label': `Filter ${data.title}` });
        filter.oninput = () => this.filter(filter.value);
        filter.hidden = data.rows.length <= WORTH_A_FILTER;
        const head = el('thead', {}, el('tr', {}, ...this.heads));
        const table = el('table', { className: 'sorted', dataset: { table: data.id } }, head, this.body);
        const scroller = el('div', { className: 'table-scroll', tabIndex: 0, role: 'region', 'aria-label': data.title }, table);
        this.element = el('div', { className: 'table' }, el('div', { className: 'table-bar' }, filter, this.count), scroller);
        this.fill();
    }

    /** @param {TableColumn} column @param {number} at */
    columnHead(column, at) {
        const button = el('button', { textContent: column.name, title: column.about, onclick: () => this.sortBy(at) });
        return el('th', { className: column.is_number ? 'number' : '', 'aria-sort': 'none', scope: 'col' }, button);
    }

    /** Sorts by a column; again: the other way round. @param {number} at */
    sortBy(at) {
        const up = this.sorting.column === at ? !this.sorting.up : true;
        this.sorting = { column: at, up };
        const compare = (/** @type {TableCell[]} */ a, /** @type {TableCell[]} */ b) => {
            const [[textA, numberA], [textB, numberB]] = [a[at], b[at]];
            // Empty cells come last, whichever way.
            if (!textA || !textB) return Number(!textA) - Number(!textB);
            const order = numberA !== null && numberB !== null ? numberA - numberB : textA.localeCompare(textB, 'en', { numeric: true });
            return up ? order : -order;
        };
        this.rows = [...this.data.rows].sort(compare);
        this.heads.forEach((head, n) => head.setAttribute('aria-sort', n !== at ? 'none' : up ? 'ascending' : 'descending'));
        this.fill();
    }

    /** Shows the rows that hold all words. @param {string} text */
    filter(text) {
        this.words = text.trim().toLowerCase();
        this.fill();
    }

    fill() {
        const words = this.words.split(/\s+/).filter(Boolean);
        const holds = (/** @type {TableCell[]} */ row) => words.every((word) => row.some(([text]) => text.toLowerCase().includes(word)));
        const found = words.length ? this.rows.filter(holds) : this.rows;
        this.body.replaceChildren(...found.slice(0, MAX_SHOWN).map((row) => this.row(row)));
        const shown = Math.min(found.length, MAX_SHOWN);
        const all = this.data.rows.length;
        const more = found.length > shown ? ': sort or filter to see others' : '';
        const count = shown < all ? `${shown} of ${all}` : String(all);
        this.count.textContent = `${count} ${all === 1 ? 'row' : 'rows'}${more}; all of it is in ${this.data.file}`;
    }

    /** @param {TableCell[]} row */
    row(row) {
        return el('tr', {}, ...row.map(([text], at) => tableCell(text, this.data.columns[at].is_number)));
    }
}

/** Of a value with an interval, the value stands out. @param {string} text @param {boolean} isNumber */
function tableCell(text, isNumber) {
    const interval = isNumber ? text.match(/^(\S+) (\(.*\))$/) : null;
    const parts = interval ? [el('b', { textContent: interval[1] }), ' ', el('i', { textContent: interval[2] })] : [text || '–'];
    return el('td', { className: isNumber ? 'number' : '' }, ...parts);
}
