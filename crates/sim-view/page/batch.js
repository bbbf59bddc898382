// The page of a batch of runs.
/** @import { BatchHead } from './data.js' */
/** @import { Stage } from './stage.js' */

/** Builds the page of a batch. @param {BatchHead} head @param {Uint8Array} bytes @param {Stage} stage @param {HTMLElement} main */
export function buildBatch(head, bytes, stage, main) {
    main.className = 'batch';
}
