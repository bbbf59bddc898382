// The mat, as the stage, the plots and the panels ask for it.
/** @import { MatSetting } from './data.js' */
/** @import { Film } from './draw.js' */
/** @import { World } from './worlds.js' */
import { bannerWords, brokenSpans, linksOf, spansAt } from './alarms.js';
import { MatPainter, bodiesAt, depthOf } from './draw.js';

/** @type {World<MatSetting>['layers']} */
const MAT_LAYERS = [
    { key: 'g', layer: 'heat', name: 'Potential', title: 'Heat map of the potential' },
    { key: 'p', layer: 'patches', name: 'Patches', title: 'Radius sigma of each patch' },
    { key: 'e', layer: 'ellipses', name: 'Ellipses', title: 'One standard deviation of a foot’s well, now and in 0.2, 0.4 and 0.6 s' },
    {
        key: 'l',
        layer: 'limits',
        name: 'Limits',
        title: 'Circles of two robots touch at their limit; no centre may be in the circle of a foot',
    },
    { key: 't', layer: 'trails', name: 'Trails', title: 'The way of the last two seconds' },
    { key: 'v', layer: 'vectors', name: 'Vectors', title: 'Velocity: the way of a quarter of a second' },
    { key: 'i', layer: 'ids', name: 'Numbers', title: 'Numbers of robots, states of feet' },
];

/** @type {World<MatSetting>} */
export const MAT = {
    plane: 'the mat',
    bodies: 'a robot, a foot or a cube',
    together: 'All together. Click a robot, a foot or a cube to follow it and to see its numbers.',
    layers: MAT_LAYERS,
    first: null,
    painter: (canvas) => new MatPainter(canvas),
    planeOf: ({ width_mm, height_mm }) => ({ x: 0, y: 0, width: width_mm, height: height_mm, up: false }),
    has: (film) => ({
        heat: film.feet || film.patches,
        patches: film.patches,
        ellipses: film.feet,
        limits: film.agents || film.feet,
        trails: true,
        vectors: film.agents || film.feet,
        ids: true,
    }),
    depthOf,
    spans: (events, film) => brokenSpans(events, film.setting, film.end_s),
    everybody,
    reach: ({ setting }) => setting.robot_mm * 0.7,
    scene(film, spans, time_s, speed) {
        const bodies = bodiesAt(film, time_s);
        const links = linksOf(film, bodies, spansAt(spans, time_s, speed), time_s);
        return { bodies, links, banner: bannerWords(links) };
    },
    tables: ({ agents, feet, cubes }) => [
        { kind: 'robot', table: agents },
        { kind: 'foot', table: feet },
        { kind: 'cube', table: cubes },
    ],
    isBroken({ setting }, column, table, row, place) {
        const value = table.number(column, row, place);
        if (column === 'nearest_agent_mm') return value < setting.d_r_mm - 1e-6;
        return column === 'nearest_foot_mm' && value < setting.d_h_mm - 1e-6;
    },
    plotsEachOfThem: false,
    plots: ({ d_r_mm, d_h_mm }) => [
        { title: 'Robot to robot', unit: 'mm', column: 'nearest_agent_mm', limit: d_r_mm, kind: 'robot' },
        { title: 'Robot to foot', unit: 'mm', column: 'nearest_foot_mm', limit: d_h_mm, kind: 'foot' },
        { title: 'Cube to cube', unit: 'mm', column: 'nearest_cube_mm' },
        { title: 'Speed: mean, top', unit: 'mm/s', column: 'speed_mean_mm_s', second: 'speed_max_mm_s' },
        { title: 'Moving, over 10 mm/s', unit: '%', column: 'moving_share', percent: true },
        { title: 'Near a patch', unit: '%', column: 'near_patch_share', percent: true },
        { title: 'Short of the wish', unit: 'mm/s', column: 'wish_difference_mm_s' },
    ],
};

/** Everybody who can be followed, where they are. Cubes that are robots are followed as those. @param {Film} film @param {number} time_s
 * @returns {ReturnType<World<MatSetting>['everybody']>} */
function everybody(film, time_s) {
    const { robots, cubes, feet } = bodiesAt(film, time_s);
    return [
        ...feet.map(({ place, x, y }) => ({ kind: /** @type {const} */ ('foot'), place, x, y })),
        ...robots.map(({ place, x, y }) => ({ kind: /** @type {const} */ ('robot'), place, x, y })),
        ...(robots.length ? [] : cubes.map(({ place, x, y }) => ({ kind: /** @type {const} */ ('cube'), place, x, y }))),
    ];
}
