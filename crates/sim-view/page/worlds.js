// Which world is played: the only place where the page chooses by it.
/** @import { EventRow, Film, Setting, Table } from './data.js' */
/** @import { Link, Span } from './alarms.js' */
/** @import { Followed, Layers } from './draw.js' */
/** @import { Painter } from './paint.js' */
/** @import { Spec } from './plots.js' */
/** @import { Plane } from './view.js' */
import { MAT } from './mat.js';
import { ROAD } from './road.js';

/**
 * What differs between worlds. Words name its plane and whom one can follow. `spans`: times of which the time bar has a mark; `scene`: what
 * the painter is given, and what the banner says; `reach`: how near to somebody a click must be; `first`: who is followed at the start;
 * `plotsEachOfThem`: whether plots are about whoever is followed.
 * @template {Setting} S
 * @typedef {{ plane: string, bodies: string, together: string, first: Followed | null, plotsEachOfThem: boolean,
 *   layers: { key: string, layer: keyof Layers, name: string, title: string }[],
 *   painter: (canvas: HTMLCanvasElement) => Painter & { draw: (scene: any) => void },
 *   planeOf: (setting: S) => Plane,
 *   has: (film: Film<S>) => Partial<Record<keyof Layers, unknown>>,
 *   depthOf: (film: Film<S>) => number,
 *   spans: (events: EventRow[], film: Film<S>) => Span[],
 *   everybody: (film: Film<S>, time_s: number) => (Followed & { x: number, y: number })[],
 *   reach: (film: Film<S>) => number,
 *   scene: (film: Film<S>, spans: Span[], time_s: number, speed: number) => { bodies: unknown, links: Link[], banner: string },
 *   tables: (film: Film<S>) => { kind: Followed['kind'], table: Table | null }[],
 *   isBroken: (film: Film<S>, column: string, table: Table, row: number, place: number) => boolean,
 *   plots: (setting: S) => Spec[] }} World
 */

/** The world of a setting. @param {Setting} setting @returns {World<any>} */
export function worldOf({ world }) {
    return world === 'road' ? ROAD : MAT;
}
