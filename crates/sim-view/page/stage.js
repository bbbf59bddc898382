// The stage: picture, layers, legend, transport and keyboard of one film at a time. Pages of runs and of batches share it.
/** @import { Followed, Layers } from './draw.js' */
/** @import { Span } from './alarms.js' */
import { bannerWords, linksOf, spansAt } from './alarms.js';
import { mapIndex, theme } from './colour.js';
import { Film } from './data.js';
import { clock, el } from './dom.js';
import { Painter, bodiesAt, depthOf, nearestTo } from './draw.js';
import { Player, SPEEDS } from './player.js';
import { View, steer } from './view.js';

/** @type {{ key: string, layer: keyof Layers, name: string, title: string }[]} */
export const LAYERS = [
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

/** Pixels within which a click takes hold of somebody. */
const REACH_PX = 24;

/** Colours of the legend's strip, even steps of the map. */
const LEGEND_STOPS = 33;

/** Longest time between two pictures that counts as going on, s: a page that was hidden does not jump. */
const MOST_ELAPSED_S = 0.25;

/** The picture with all that steers it. */
export class Stage {
    /** @param {boolean} dark */
    constructor(dark) {
        this.player = new Player();
        /** @type {Layers} */
        this.layers = { heat: true, patches: true, ellipses: true, limits: true, trails: true, vectors: true, ids: true };
        /** @type {Followed | null} */
        this.followed = null;
        this.keepsInView = false;
        /** @type {Film | null} */
        this.film = null;
        this.depth = 1;
        /** @type {Span[]} */
        this.spans = [];
        this.view = new View(1, 1);
        this.theme = theme(dark);
        /** Called after each picture. @type {((film: Film, time_s: number) => void)[]} */
        this.onDraw = [];
        /** Called when sizes or colours have changed. @type {(() => void)[]} */
        this.onLook = [];
        this.dirty = true;
        this.drawn = 0;
        this.lastFrame_ms = 0;

        this.canvas = el('canvas', { className: 'picture', tabIndex: 0, 'aria-label': 'The mat' });
        this.banner = el('div', { className: 'banner', role: 'alert', hidden: true });
        this.legend = el('div', { className: 'legend' });
        this.toggles = el('div', { className: 'layers', role: 'group', 'aria-label': 'Layers' });
        this.toggles.append(...LAYERS.map((layer) => this.toggle(layer)));
        const frame = el('div', { className: 'frame' }, this.canvas, this.banner);
        this.element = el('section', { className: 'stage' }, this.toggles, frame, this.legend);
        this.painter = new Painter(this.canvas);

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
        this.clock = el('output', { className: 'clock' });
        this.stepText = el('output', { className: 'step' });
        this.transport = this.buildTransport();
        this.listen();
    }

    /** @param {typeof LAYERS[number]} layer */
    toggle({ key, layer, name, title }) {
        const button = el('button', { title: `${title} (${key})`, dataset: { layer }, 'aria-pressed': 'true' }, name);
        button.onclick = () => this.toggleLayer(layer);
        return button;
    }

    /** @param {keyof Layers} layer */
    toggleLayer(layer) {
        this.layers[layer] = !this.layers[layer];
        this.toggles.querySelector(`[data-layer=${layer}]`)?.setAttribute('aria-pressed', String(this.layers[layer]));
        this.legend.hidden = !this.layers.heat;
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
        this.view.onChange = () => (this.dirty = true);
        steer(
            this.canvas,
            this.view,
            (px, py) => this.pick(px, py),
            () => (this.keepsInView = false),
        );
    }

    /** Shows another film. @param {Film} film @param {Span[]} spans times in which a distance was broken */
    load(film, spans) {
        this.film = film;
        this.depth = depthOf(film);
        this.spans = spans;
        this.followed = null;
        const { width_mm, height_mm } = film.setting;
        this.view.mat = { width_mm, height_mm };
        this.view.whole();
        this.scrub.min = String(film.start_s);
        this.scrub.max = String(film.end_s);
        const share = (/** @type {number} */ time_s) => (100 * (time_s - film.start_s)) / (film.end_s - film.start_s || 1);
        this.marks.replaceChildren(
            ...spans.slice(0, 2000).map(({ begin_s, end_s }) => {
                const mark = el('i');
                mark.style.left = `${share(begin_s)}%`;
                mark.style.width = `max(3px, ${share(end_s) - share(begin_s)}%)`;
                return mark;
            }),
        );
        for (const { layer } of LAYERS) this.showToggle(layer, film);
        this.player.load(film.start_s, film.end_s);
        this.look();
    }

    /** Hides the switch of a layer of which the film has nothing. @param {keyof Layers} layer @param {Film} film */
    showToggle(layer, film) {
        const has = {
            heat: film.feet || film.patches,
            patches: film.patches,
            ellipses: film.feet,
            limits: film.agents || film.feet,
            trails: true,
            vectors: film.agents || film.feet,
            ids: true,
        };
        const button = this.toggles.querySelector(`[data-layer=${layer}]`);
        if (button instanceof HTMLElement) button.hidden = !has[layer];
        this.legend.hidden = !has.heat || !this.layers.heat;
    }

    /** @param {boolean} dark */
    setDark(dark) {
        this.theme = theme(dark);
        this.look();
    }

    /** Takes up new sizes and colours. */
    look() {
        this.painter.resize(this.view);
        this.showLegend();
        for (const listener of this.onLook) listener();
        this.dirty = true;
    }

    /** The map, in the sign of the spec: negative at feet, positive at patches. */
    showLegend() {
        const { depth } = this;
        const stops = Array.from({ length: LEGEND_STOPS }, (_, n) => {
            const at = 3 * mapIndex((2 * n) / (LEGEND_STOPS - 1) - 1);
            return `rgb(${this.theme.map.subarray(at, at + 3).join(' ')})`;
        });
        const strip = el('div', { className: 'strip' });
        strip.style.backgroundImage = `linear-gradient(var(--upwards), ${stops.join(', ')})`;
        const ticks = [-depth, -depth / 2, 0, depth / 2, depth].map((value) => {
            const sign = value > 0 ? '+' : value < 0 ? '−' : '';
            return el('span', { textContent: sign + Math.abs(value).toFixed(2) });
        });
        this.legend.replaceChildren(
            el('b', { textContent: 'Potential' }),
            el('em', { textContent: 'patches' }),
            el('div', { className: 'scale' }, strip, el('div', { className: 'ticks' }, ...ticks)),
            el('em', { textContent: 'feet' }),
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

    /** Everybody who can be followed, where they are now. @returns {(Followed & { x: number, y: number })[]} */
    everybody() {
        if (!this.film) return [];
        const { robots, cubes, feet } = bodiesAt(this.film, this.player.time_s);
        /** @type {(kind: Followed['kind']) => (body: { place: number, x: number, y: number }) => Followed & { x: number, y: number }} */
        const as =
            (kind) =>
            ({ place, x, y }) => ({ kind, place, x, y });
        return [...feet.map(as('foot')), ...robots.map(as('robot')), ...(robots.length ? [] : cubes.map(as('cube')))];
    }

    /** @param {number} px @param {number} py */
    pick(px, py) {
        const at = this.view.toMat(px, py);
        const body = nearestTo(at, this.everybody());
        const reach_mm = Math.max(REACH_PX / this.view.scale, (this.film?.setting.robot_mm ?? 0) * 0.7);
        this.follow(body && Math.hypot(body.x - at.x, body.y - at.y) <= reach_mm ? body : null);
    }

    /** @param {Followed | null} followed */
    follow(followed) {
        this.followed = followed && { kind: followed.kind, place: followed.place };
        this.keepsInView = followed !== null;
        this.dirty = true;
    }

    /** Follows the next one of those that are there, and nobody after the last. */
    followNext() {
        const all = this.everybody();
        const at = all.findIndex(({ kind, place }) => kind === this.followed?.kind && place === this.followed.place);
        this.follow(all[at + 1] ?? null);
    }

    /** Moves on and draws if anything has changed. @param {number} now_ms */
    frame(now_ms) {
        const elapsed_s = Math.min((now_ms - this.lastFrame_ms) / 1000, MOST_ELAPSED_S);
        this.lastFrame_ms = now_ms;
        this.player.advance(elapsed_s);
        if (!this.dirty || !this.film) return;
        this.dirty = false;
        this.draw(this.film, this.player.time_s);
    }

    /** @param {Film} film @param {number} time_s */
    draw(film, time_s) {
        const { view, layers, followed } = this;
        const body =
            this.keepsInView && view.zoom > 1.05
                ? this.everybody().find((one) => one.kind === followed?.kind && one.place === followed.place)
                : null;
        if (body) view.center = { x: body.x, y: body.y };
        const bodies = bodiesAt(film, time_s);
        const spans = spansAt(this.spans, time_s, this.player.playing ? this.player.speed : 1);
        const links = linksOf(film, bodies, spans, time_s);
        this.painter.draw({ film, view, theme: this.theme, layers, followed, time_s, depth: this.depth, bodies, links });
        this.banner.textContent = bannerWords(links);
        this.banner.hidden = !links.length;
        const { row } = film.at(time_s);
        this.clock.replaceChildren(clock(time_s, 2), el('i', { textContent: ` of ${clock(film.end_s, 0)}` }));
        this.stepText.textContent = `step ${film.step(row)}`;
        for (const listener of this.onDraw) listener(film, time_s);
        this.drawn += 1;
        this.element.dataset.drawn = String(this.drawn);
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
            0: () => this.view.whole(),
            '[': () => this.view.zoomAt(this.view.size.width / 2, this.view.size.height / 2, 0.8),
            ']': () => this.view.zoomAt(this.view.size.width / 2, this.view.size.height / 2, 1.25),
        };
        for (const { key, layer } of LAYERS) keys[key] = () => this.toggleLayer(layer);
        const action = keys[event.key];
        action?.();
        return action !== undefined;
    }
}

/** What the keys do, for the help. */
export const KEYS = [
    ['space', 'play or pause'],
    ['← →', 'one row back or on; with shift 5 s'],
    ['+ −', 'faster or slower'],
    ['Home End', 'to the start or the end'],
    ['f', 'follow the next one; Esc: nobody'],
    ['[ ]', 'zoom out or in; also wheel and pinch'],
    ['0', 'the whole mat; also a double click'],
    ['o', 'loop'],
    ...LAYERS.map(({ key, name }) => [key, `${name.toLowerCase()} on or off`]),
    ['d', 'dark or light'],
    ['?', 'this list'],
];
