// Colours: the theme, and the diverging map of the potential.
//
// The map runs in OKLab: lightness and chroma change in even steps from the background to orange (feet, negative) and to blue (patches,
// positive). Orange and blue stay apart for every common kind of colour blindness, and lightness tells how strong either is.

/**
 * @typedef {{ dark: boolean, mat: string, frame: string, grid: string, ink: string, dim: string, robot: string, robotEdge: string,
 *   onRobot: string, cube: string, onCube: string, onFoot: string, onAlarm: string, vector: string, trail: string, foot: string,
 *   patch: string, limit: string, alarm: string, follow: string, line: string, plot: string, plotSecond: string,
 *   series: string[], map: Uint8ClampedArray }} Theme series: of cars, one after the other
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
    mat: '#12161b',
    frame: '#3a434e',
    grid: 'rgba(255,255,255,0.05)',
    ink: '#e8eaed',
    dim: '#8d97a3',
    robot: '#e6eaef',
    robotEdge: '#10151b',
    onRobot: '#10151b',
    cube: '#f2f5f8',
    onCube: '#10151b',
    onFoot: '#2a1400',
    onAlarm: '#ffffff',
    vector: '#8ff0c8',
    trail: '143,240,200',
    foot: '#ffb266',
    patch: '#6db6ff',
    limit: 'rgba(255,255,255,0.26)',
    alarm: '#ff2e88',
    follow: '#ffe45c',
    line: '#2a313a',
    plot: '#9ecbff',
    plotSecond: '#55626f',
    series: ['#56b4e9', '#e69f00', '#2fc39a', '#cc79a7', '#f0e442', '#aab4bf'],
    map: divergingMap(0.2, 0.7, 0.145),
};

/** @type {Theme} */
const LIGHT = {
    dark: false,
    mat: '#ffffff',
    frame: '#b4bcc6',
    grid: 'rgba(0,0,0,0.05)',
    ink: '#1b2026',
    dim: '#626d79',
    robot: '#2c343e',
    robotEdge: '#ffffff',
    onRobot: '#ffffff',
    cube: '#ffffff',
    onCube: '#1b2026',
    onFoot: '#ffffff',
    onAlarm: '#ffffff',
    vector: '#00734d',
    trail: '0,115,77',
    foot: '#a14b00',
    patch: '#1761b0',
    limit: 'rgba(0,0,0,0.28)',
    alarm: '#d6006c',
    follow: '#7a4fd0',
    line: '#dfe3e8',
    plot: '#1c5fa8',
    plotSecond: '#a9b4c0',
    series: ['#0072b2', '#d55e00', '#009e73', '#a8447f', '#8a6d00', '#5c6672'],
    map: divergingMap(0.985, 0.68, 0.14),
};

/** @param {boolean} dark */
export function theme(dark) {
    return dark ? DARK : LIGHT;
}
