// The stage: picture, layers, legend, transport and keyboard of one film at a time. Pages of runs and of batches share it.
/** @import { Span } from './alarms.js' */
/** @import { Film } from './data.js' */
/** @import { Followed, Layers } from './marks.js' */
/** @import { Body } from './moment.js' */
/** @import { LayerSpec, Mark, Projection, Raster, ViewSpec, Wells } from './spec.js' */
import { alarmsOf, bannerWords } from './alarms.js';
import { mapIndex, theme } from './colour.js';
import { clock, el, short } from './dom.js';
import { MarkPainter, rasterStops } from './marks.js';
import { Moment, nearestOf } from './moment.js';
import { Player, SPEEDS } from './player.js';
import { rasterColour } from './raster.js';
import { View, steer } from './view.js';

/** Pixels within which a click takes hold of a body. */
const REACH_PX = 24;

/** Colours of the legend's strip, even steps of the map. */
const LEGEND_STOPS = 33;

/** Longest time between two pictures that counts as going on, s: a page that was hidden does not jump. */
const MAX_ELAPSED_S = 0.25;

/** Least clearance round each of several pictures, heights of 1 px of type: for the numbers along its sides. */
const RIM_PX = 22;

/** A plan of nothing, until there is something to show. @type {Projection} */
const NOTHING = { name: 'plan', axes: ['x', 'y'], is_up: false, area: { fixed: null, holds: [], margin: [0, 0] } };

/** The picture of one projection: its canvas, and what of the plane is seen there. */
class Pane {
    /** @param {Projection} projection */
    constructor(projection) {
        this.projection = projection;
        const { axes, is_up: up } = projection;
        this.view = new View({ x: 0, y: 0, width: 1, height: 1, axes, up, fills: projection.height !== undefined, rim: 0 });
        this.canvas = el('canvas', { className: 'picture', tabIndex: 0, 'aria-label': `the ${projection.name}` });
        this.element = el('div', { className: 'pane' }, this.canvas);
        this.painter = new MarkPainter(this.canvas);
    }

    /** Shows all of a film's area. @param {Film} film @param {number} n number of the projection */
    load(film, n) {
        const [[x, y], [right, high]] = film.areas[n];
        const rim = film.areas.length > 1 ? RIM_PX * this.painter.type : 0;
        this.view.plane = { ...this.view.plane, x, y, width: right - x, height: high - y, rim };
        this.view.whole();
    }

    /** Puts a body into the middle. @param {Body} body */
    center(body) {
        const [x, y] = this.view.of(body);
        this.view.center = { x, y };
    }
}

/** The pictures with all that steers them. */
export class Stage {
    /** @param {boolean} dark @param {ViewSpec | null} view @param {Player} [player] the clock, if another stage has it too */
    constructor(dark, view, player = new Player()) {
        /** Layers, each with its key. */
        this.choices = layersOf(view);
        this.player = player;
        /** @type {Layers} */
        this.layers = Object.fromEntries((view?.layers ?? []).map(({ name, is_shown }) => [name, is_shown]));
        /** @type {Followed | null} */
        this.followed = null;
        this.keepsInView = false;
        /** Another stage that shows another run at the same time. @type {Stage | null} */
        this.twin = null;
        /** @type {Film | null} */
        this.film = null;
        /** @type {Span[]} */
        this.spans = [];
        /** One for each projection, the plan first. */
        this.panes = (view?.projections.length ? view.projections : [NOTHING]).map((projection) => new Pane(projection));
        this.theme = theme(dark);
        /** Called after each picture. @type {((moment: Moment) => void)[]} */
        this.onDraw = [];
        /** Called when sizes or colours have changed. @type {(() => void)[]} */
        this.onLook = [];
        this.dirty = true;
        this.drawn = 0;
        this.lastFrame_ms = 0;

        this.banner = el('div', { className: 'banner', role: 'alert', hidden: true });
        this.legend = el('div', { className: 'legend' });
        this.toggles = el('div', { className: 'layers', role: 'group', 'aria-label': 'Layers' });
        this.toggles.append(...this.choices.map((layer) => this.toggle(layer)));
        const panes = this.panes.map(({ element }) => element);
        const frame = el('div', { className: panes.length > 1 ? 'frame several' : 'frame' }, ...panes, this.banner);
        this.element = el('section', { className: 'stage' }, this.toggles, frame, this.legend);

        this.play = el('button', {
            className: 'play',
            dataset: { do: 'play' },
            title: 'Play or pause (space)',
            'aria-label': 'Play or pause',
        });
        this.scrub = el('input', { type: 'range', className: 'scrub', min: '0', max: '1', step: 'any', 'aria-label': 'Time' });
        this.marks = el('div', { className: 'marks' });
        this.speed = el('select', { 'aria-label': 'Speed', title: 'Speed (+ and -)' });
        this.speed.append(...SPEEDS.map((speed) => el('option', { value: String(speed), textContent: `${speed} ×` })));
        this.loop = el('button', { dataset: { do: 'loop' }, title: 'Loop (o)', textContent: 'Loop', 'aria-pressed': 'false' });
        this.clockNow = new Text();
        this.clockEnd = el('i');
        this.clock = el('output', { className: 'clock' }, this.clockNow, this.clockEnd);
        this.stepText = el('output', { className: 'step' });
        this.transport = this.buildTransport();
        this.listen();
    }

    /** @param {LayerChoice} choice */
    toggle({ key, name, title, about }) {
        const words = `${about.charAt(0).toUpperCase()}${about.slice(1)}${key ? ` (${key})` : ''}`;
        const button = el('button', { title: words, dataset: { layer: name }, 'aria-pressed': String(this.layers[name]) }, title);
        button.onclick = () => this.toggleLayer(name);
        return button;
    }

    /** @param {string} layer */
    toggleLayer(layer) {
        this.layers[layer] = !this.layers[layer];
        this.toggles.querySelector(`[data-layer="${layer}"]`)?.setAttribute('aria-pressed', String(this.layers[layer]));
        this.showLegend();
        this.dirty = true;
    }

    buildTransport() {
        const back = el('button', {
            dataset: { do: 'back' },
            title: 'Back by one row (left)',
            textContent: '−1',
            onclick: () => this.step(-1),
        });
        const forth = el('button', {
            dataset: { do: 'forth' },
            title: 'On by one row (right)',
            textContent: '+1',
            onclick: () => this.step(1),
        });
        const track = el('div', { className: 'track' }, this.marks, this.scrub);
        return el(
            'section',
            { className: 'transport', 'aria-label': 'Playing' },
            this.play,
            back,
            forth,
            this.clock,
            this.stepText,
            track,
            this.speed,
            this.loop,
        );
    }

    listen() {
        const { player } = this;
        this.play.onclick = () => player.toggle();
        this.loop.onclick = () => player.toggleLoop();
        this.scrub.oninput = () => player.seek(Number(this.scrub.value));
        this.speed.onchange = () => player.setSpeed(Number(this.speed.value));
        player.onChange(() => this.showTransport());
        for (const pane of this.panes) {
            pane.view.onChange = () => (this.dirty = true);
            steer(
                pane.canvas,
                pane.view,
                (px, py) => this.pick(pane, px, py),
                () => this.letGo(),
            );
        }
    }

    /** Shows another film. @param {Film} film @param {Span[]} spans times in which a limit was broken */
    load(film, spans) {
        this.film = film;
        this.spans = spans;
        this.followed = firstOf(film);
        this.keepsInView = this.followed !== null;
        this.panes.forEach((pane, n) => pane.load(film, n));
        this.showSpan(film.start_s, film.end_s);
        const share = (/** @type {number} */ time_s) => (100 * (time_s - film.start_s)) / (film.end_s - film.start_s || 1);
        this.marks.replaceChildren(
            ...spans.slice(0, 2000).map(({ begin_s, end_s }) => {
                const mark = el('i');
                mark.style.left = `${share(begin_s)}%`;
                mark.style.width = `max(3px, ${share(end_s) - share(begin_s)}%)`;
                return mark;
            }),
        );
        for (const { name } of this.choices) this.showToggle(name, film);
        this.player.load(film.start_s, film.end_s);
        this.look();
    }

    /** Ends of the slider. @param {number} start_s @param {number} end_s */
    showSpan(start_s, end_s) {
        this.scrub.min = String(start_s);
        this.scrub.max = String(end_s);
    }

    /** Hides the switch of a layer of which the film has nothing. @param {string} layer @param {Film} film */
    showToggle(layer, film) {
        const button = this.toggles.querySelector(`[data-layer="${layer}"]`);
        const marks = film.view.marks.filter((mark) => mark.layer === layer);
        if (button instanceof HTMLElement) button.hidden = !marks.some((mark) => hasMark(film, mark));
    }

    /** @param {boolean} dark */
    setDark(dark) {
        this.theme = theme(dark);
        this.look();
        if (this.twin?.theme.dark === !dark) this.twin.setDark(dark);
    }

    /** Takes up new sizes and colours. */
    look() {
        for (const { painter, view } of this.panes) painter.resize(view);
        this.showLegend();
        for (const listener of this.onLook) listener();
        this.dirty = true;
    }

    /** The colours of the potential, or of a raster, if one is shown. */
    showLegend() {
        const { film } = this;
        const isShown = (/** @type {Mark} */ mark) => film && hasMark(film, mark) && (mark.layer === null || (this.layers[mark.layer] ?? true));
        const mark = film?.view.marks.find((one) => (one.draw.wells || one.draw.raster) && isShown(one));
        this.legend.hidden = !mark;
        if (mark?.draw.wells) this.legendOfWells(mark.draw.wells);
        else if (mark?.draw.raster) this.legendOfRaster(mark.draw.raster);
    }

    /** @param {Wells} wells */
    legendOfWells({ extent, words: [title, , low, high] }) {
        const stops = Array.from({ length: LEGEND_STOPS }, (_, n) => {
            const at = 3 * mapIndex((2 * n) / (LEGEND_STOPS - 1) - 1);
            return [...this.theme.map.subarray(at, at + 3)];
        });
        const ticks = [-extent, -extent / 2, 0, extent / 2, extent].map((value) => {
            const sign = value > 0 ? '+' : value < 0 ? '−' : '';
            return sign + Math.abs(value).toFixed(2);
        });
        this.fillLegend([title, low, high], stops, ticks);
    }

    /** @param {Raster} raster */
    legendOfRaster(raster) {
        const colours = rasterStops(this.theme, raster);
        const shares = Array.from({ length: LEGEND_STOPS }, (_, n) => n / (LEGEND_STOPS - 1));
        const [low, high] = raster.range;
        const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => short(low + share * (high - low)).replace('-', '−'));
        this.fillLegend(
            raster.words,
            shares.map((share) => rasterColour(colours, share)),
            ticks,
        );
    }

    /** @param {[string, string, string]} words title, what is at the low end, what at the high end @param {number[][]} stops
     * @param {string[]} ticks both from the low end on */
    fillLegend([title, low, high], stops, ticks) {
        const strip = el('div', { className: 'strip' });
        strip.style.backgroundImage = `linear-gradient(var(--upwards), ${stops.map((rgb) => `rgb(${rgb.join(' ')})`).join(', ')})`;
        const numbers = ticks.map((textContent) => el('span', { textContent }));
        this.legend.replaceChildren(
            el('b', { textContent: title }),
            el('em', { textContent: high }),
            el('div', { className: 'scale' }, strip, el('div', { className: 'ticks' }, ...numbers)),
            el('em', { textContent: low }),
        );
    }

    showTransport() {
        const { player } = this;
        this.play.textContent = player.playing ? 'Pause' : 'Play';
        this.play.setAttribute('aria-pressed', String(player.playing));
        this.loop.setAttribute('aria-pressed', String(player.loop));
        this.speed.value = String(player.speed);
        this.scrub.value = String(player.time_s);
        this.scrub.style.setProperty('--played', `${(100 * (player.time_s - player.start_s)) / (player.end_s - player.start_s || 1)}%`);
        this.dirty = true;
    }

    /** Goes to the row before or after the playhead. @param {number} direction */
    step(direction) {
        if (!this.film) return;
        const { row, share } = this.film.at(this.player.time_s);
        const wanted = direction > 0 ? row + 1 : share > 0 && share < 1 ? row : row - 1;
        this.player.pause();
        this.player.seek(this.film.times[Math.min(Math.max(wanted, 0), this.film.times.length - 1)]);
    }

    /** All that can be followed, where they are now. */
    bodies() {
        const { film } = this;
        if (!film) return [];
        const moment = new Moment(film, this.player.time_s);
        // Those that are drawn last are the first to be followed.
        const parties = [...film.view.parties].reverse();
        return parties.flatMap(({ stream, reach }) => (reach === null ? [] : moment.bodies(stream)));
    }

    /** @param {Pane} pane @param {number} px @param {number} py */
    pick({ view }, px, py) {
        const distance = (/** @type {Body} */ body) => {
            const [x, y] = view.at(body);
            return Math.hypot(x - px, y - py);
        };
        const body = nearestOf(this.bodies(), distance);
        const reach = Math.max(REACH_PX, (body?.party.reach ?? 0) * view.scale);
        const isNear = body && distance(body) <= reach;
        this.follow(isNear ? { stream: body.party.stream, place: body.place } : null);
    }

    /** @param {Followed | null} followed */
    follow(followed) {
        this.followed = followed;
        this.keepsInView = followed !== null;
        this.dirty = true;
        if (this.twin && this.twin.followed !== followed) this.twin.follow(followed);
    }

    /** The picture stays where it is moved to. */
    letGo() {
        this.keepsInView = false;
        if (this.twin) this.twin.keepsInView = false;
    }

    /** Follows the next one of those that are there, and none after the last. */
    followNext() {
        const all = this.bodies();
        const next = all[all.findIndex((body) => this.isFollowed(body)) + 1];
        this.follow(next ? { stream: next.party.stream, place: next.place } : null);
    }

    /** @param {Body} body */
    isFollowed({ party, place }) {
        return party.stream === this.followed?.stream && place === this.followed.place;
    }

    /** Moves on and draws if anything has changed. @param {number} now_ms */
    frame(now_ms) {
        const elapsed_s = Math.min((now_ms - this.lastFrame_ms) / 1000, MAX_ELAPSED_S);
        this.lastFrame_ms = now_ms;
        this.player.advance(elapsed_s);
        if (!this.film || !(this.dirty || this.twin?.dirty)) return;
        // What marks both pictures is called after both are drawn.
        this.twin?.drawNow();
        this.drawNow();
    }

    /** Draws the moment of the playhead. */
    drawNow() {
        this.dirty = false;
        if (this.film) this.draw(this.film, this.player.time_s);
    }

    /** @param {Film} film @param {number} time_s */
    draw(film, time_s) {
        const { theme, layers, followed } = this;
        const body = this.keepsInView ? this.bodies().find((one) => this.isFollowed(one)) : null;
        const moment = new Moment(film, time_s);
        const breaks = alarmsOf(moment, this.spans, this.player.playing ? this.player.speed : 1);
        for (const pane of this.panes) {
            const { projection, view, painter } = pane;
            if (body && view.zoom > 1.05) pane.center(body);
            painter.draw({ film, projection, view, theme, layers, followed, moment, breaks });
        }
        const banner = bannerWords(breaks, film.view);
        if (banner !== this.banner.textContent) this.banner.textContent = banner;
        this.banner.hidden = !banner;
        const { row } = film.at(time_s);
        this.clockNow.data = clock(time_s, 2);
        this.clockEnd.textContent = ` of ${clock(film.end_s, 0)}`;
        this.stepText.textContent = `step ${film.step(row)}`;
        for (const listener of this.onDraw) listener(moment);
        this.drawn += 1;
        this.element.dataset.drawn = String(this.drawn);
    }

    /** Zooms the picture that has the focus, else the plan. @param {number} factor */
    zoom(factor) {
        const { view } = this.panes.find(({ canvas }) => canvas === document.activeElement) ?? this.panes[0];
        view.zoomAt(view.size.width / 2, view.size.height / 2, factor);
    }

    /** What a key does; true if it does something. @param {KeyboardEvent} event */
    key(event) {
        const { player } = this;
        /** @type {Record<string, () => void>} */
        const keys = {
            ' ': () => player.toggle(),
            ArrowLeft: () => (event.shiftKey ? player.seek(player.time_s - 5) : this.step(-1)),
            ArrowRight: () => (event.shiftKey ? player.seek(player.time_s + 5) : this.step(1)),
            ArrowUp: () => player.changeSpeed(1),
            ArrowDown: () => player.changeSpeed(-1),
            '+': () => player.changeSpeed(1),
            '=': () => player.changeSpeed(1),
            '-': () => player.changeSpeed(-1),
            Home: () => player.seek(player.start_s),
            End: () => player.seek(player.end_s),
            f: () => this.followNext(),
            Escape: () => this.follow(null),
            o: () => player.toggleLoop(),
            0: () => this.panes.forEach(({ view }) => view.whole()),
            '[': () => this.zoom(0.8),
            ']': () => this.zoom(1.25),
        };
        for (const { key, name } of this.choices) if (key) keys[key] = () => this.toggleLayer(name);
        const action = keys[event.key];
        action?.();
        return action !== undefined;
    }
}

/** @typedef {LayerSpec & { key: string }} LayerChoice */

/** Keys that do something else. */
const TAKEN = 'fod0';

/** The layers that a page lets choose, each with the first letter of its name that is free as its key. The grid belongs to every picture,
 * and the panel stands beside it. @param {ViewSpec | null} view @returns {LayerChoice[]} */
function layersOf(view) {
    const used = new Set(TAKEN);
    return (view?.layers ?? [])
        .filter(({ name }) => name !== 'grid' && name !== 'panel')
        .map((layer) => {
            const key = [...layer.name].find((letter) => /[a-z]/.test(letter) && !used.has(letter)) ?? '';
            used.add(key);
            return { ...layer, key };
        });
}

/** What a page calls the plane. @param {ViewSpec | null} view */
export function planeName(view) {
    return `the ${view?.projections[0]?.name ?? 'plan'}`;
}

/** The words `a robot, a foot or a cube`. @param {ViewSpec | null} view */
export function bodiesNames(view) {
    const names = (view?.parties ?? []).filter(({ reach }) => reach !== null).map(({ one }) => `${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one}`);
    return names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${names[names.length - 1]}` : (names[0] ?? 'a body');
}

/** The first of those that plots are about, if plots are about one of many. @param {Film} film @returns {Followed | null} */
function firstOf(film) {
    const plot = film.view.plots.find(({ of, curves }) => film.sampled.has(of) && curves.some(({ over }) => over === null));
    return plot ? { stream: plot.of, place: 0 } : null;
}

/** True if the film has something that the mark shows. @param {Film} film @param {Mark} mark */
function hasMark({ view, sampled, events }, { of, draw }) {
    if (draw.raster || draw.points) return true;
    if (draw.wells) return sampled.has(draw.wells.wells) || sampled.has(draw.wells.hills);
    if (draw.link) return view.limits.some((limit) => draw.link?.limits.includes(limit.name) && sampled.has(limit.of));
    if (draw.scan && !events.has(draw.scan.stream)) return false;
    return of === null || sampled.has(of);
}

/** What the keys do, for the help. @param {ViewSpec | null} view */
export const keysOf = (view) => [
    ['space', 'play or pause'],
    ['← →', 'one row back or on; with shift 5 s'],
    ['+ −', 'faster or slower'],
    ['Home End', 'to the start or the end'],
    ['f', 'follow the next one; Esc: none'],
    ['[ ]', 'zoom out or in; also wheel and pinch'],
    ['0', `all of ${planeName(view)}; also a double click`],
    ['o', 'loop'],
    ...layersOf(view).flatMap(({ key, title }) => (key ? [[key, `${title.toLowerCase()} on or off`]] : [])),
    ['d', 'dark or light'],
    ['?', 'this list'],
];
