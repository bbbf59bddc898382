// Colours: the theme, and the diverging map of the potential.
//
// The map runs in OKLab: lightness and chroma change in even steps from the background to orange (negative) and to blue (positive). Orange and blue stay apart for every common kind of colour blindness, and lightness tells how strong either is.

/** @import { Tint } from './spec.js' */

/**
 * @typedef {{ dark: boolean, colors: Record<string, string>, frame: string, grid: string, follow: string, line: string, plot: string,
 *   plotSecond: string, curves: string[], series: string[], map: Uint8ClampedArray, tints: WeakMap<Tint, string> }} Theme colors: those of
 *   marks, by what they are for; curves: of several in one plot; series: of owners, one after the other; tints: as CSS, once it was asked for
 */

/** Number of colours of the map; the middle one is the potential 0. */
export const MAP_COLOURS = 255;

/** One colour of OKLab as sRGB bytes. @param {number} light @param {number} chroma @param {number} hue_deg */
function oklch(light, chroma, hue_deg) {
    const [a, b] = [chroma * Math.cos((hue_deg * Math.PI) / 180), chroma * Math.sin((hue_deg * Math.PI) / 180)];
    const l = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const m = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const s = (light - 0.0894841775 * a - 1.291485548 * b) ** 3;
    const linear = [
        4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
    ];
    return linear.map((c) => 255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055));
}

/** @param {number} middle lightness at 0 @param {number} end lightness at both ends @param {number} chroma at both ends */
function divergingMap(middle, end, chroma) {
    const map = new Uint8ClampedArray(MAP_COLOURS * 3);
    const half = (MAP_COLOURS - 1) / 2;
    for (let i = 0; i < MAP_COLOURS; i += 1) {
        const share = Math.abs(i - half) / half;
        map.set(oklch(middle + (end - middle) * share, chroma * share, i < half ? 55 : 250), 3 * i);
    }
    return map;
}

/** Place in the map of a share of the full depth, -1 to 1. @param {number} share */
export function mapIndex(share) {
    const half = (MAP_COLOURS - 1) / 2;
    return Math.round(half + half * Math.min(Math.max(share, -1), 1));
}

/** @type {Theme} */
const DARK = {
    dark: true,
    colors: {
        ground: '#0c0f13',
        ink: '#e8eaed',
        faint: '#8d97a3',
        floor: '#12161b',
        solid: '#2a313a',
        body: '#e6eaef',
        on_body: '#10151b',
        arrow: '#8ff0c8',
        warm: '#ffb266',
        on_warm: '#2a1400',
        cool: '#9ccfff',
        alarm: '#ff2e88',
        on_alarm: '#ffffff',
    },
    frame: '#3a434e',
    grid: 'rgba(255,255,255,0.05)',
    follow: '#ffe45c',
    line: '#2a313a',
    plot: '#9ecbff',
    plotSecond: '#55626f',
    curves: ['#7fb8f5', '#ffc857', '#5fd3a3'],
    series: ['#56b4e9', '#e69f00', '#2fc39a', '#cc79a7', '#f0e442', '#aab4bf', '#8c6cff', '#b03aa8'],
    map: divergingMap(0.2, 0.7, 0.145),
    tints: new WeakMap(),
};

/** @type {Theme} */
const LIGHT = {
    dark: false,
    colors: {
        ground: '#f4f6f8',
        ink: '#1b2026',
        faint: '#626d79',
        floor: '#ffffff',
        solid: '#dfe3e8',
        body: '#2c343e',
        on_body: '#ffffff',
        arrow: '#00734d',
        warm: '#a14b00',
        on_warm: '#ffffff',
        cool: '#1761b0',
        alarm: '#d6006c',
        on_alarm: '#ffffff',
    },
    frame: '#b4bcc6',
    grid: 'rgba(0,0,0,0.05)',
    follow: '#7a4fd0',
    line: '#dfe3e8',
    plot: '#1c5fa8',
    plotSecond: '#a9b4c0',
    curves: ['#1c5fa8', '#8a5a00', '#0b7a4f'],
    series: ['#0072b2', '#d55e00', '#009e73', '#a8447f', '#8a6d00', '#5c6672', '#2f1fb8', '#70006a'],
    map: divergingMap(0.985, 0.68, 0.14),
    tints: new WeakMap(),
};

/** Red, green and blue of a colour with six digits. @param {string} colour */
export function rgbOf(colour) {
    return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
}

/** @param {boolean} dark */
export function theme(dark) {
    return dark ? DARK : LIGHT;
}
