// The stage: picture, layers, legend, transport and keyboard of one film at a time. Pages of runs and of batches share it.
/** @import { Followed, Layers } from './draw.js' */
/** @import { Span } from './alarms.js' */
/** @import { World } from './worlds.js' */
import { mapIndex, theme } from './colour.js';
import { Film } from './data.js';
import { clock, el } from './dom.js';
import { nearestTo } from './draw.js';
import { Player, SPEEDS } from './player.js';
import { View, steer } from './view.js';

/** Pixels within which a click takes hold of somebody. */
const REACH_PX = 24;

/** Colours of the legend's strip, even steps of the map. */
const LEGEND_STOPS = 33;

/** Longest time between two pictures that counts as going on, s: a page that was hidden does not jump. */
const MOST_ELAPSED_S = 0.25;

/** The picture with all that steers it. */
export class Stage {
    /** @param {boolean} dark @param {World<any>} world */
    constructor(dark, world) {
        this.world = world;
        this.player = new Player();
        this.layers = /** @type {Layers} */ (Object.fromEntries(world.layers.map(({ layer }) => [layer, true])));
        /** @type {Followed | null} */
        this.followed = null;
        this.keepsInView = false;
        /** @type {Film<any> | null} */
        this.film = null;
        this.depth = 1;
        /** @type {Span[]} */
        this.spans = [];
        this.view = new View({ x: 0, y: 0, width: 1, height: 1, up: false });
        this.theme = theme(dark);
        /** Called after each picture. @type {((film: Film<any>, time_s: number) => void)[]} */
        this.onDraw = [];
        /** Called when sizes or colours have changed. @type {(() => void)[]} */
        this.onLook = [];
        this.dirty = true;
        this.drawn = 0;
        this.lastFrame_ms = 0;

        this.canvas = el('canvas', { className: 'picture', tabIndex: 0, 'aria-label': world.plane });
        this.banner = el('div', { className: 'banner', role: 'alert', hidden: true });
        this.legend = el('div', { className: 'legend' });
        this.toggles = el('div', { className: 'layers', role: 'group', 'aria-label': 'Layers' });
        this.toggles.append(...world.layers.map((layer) => this.toggle(layer)));
        const frame = el('div', { className: 'frame' }, this.canvas, this.banner);
        this.element = el('section', { className: 'stage' }, this.toggles, frame, this.legend);
        this.painter = world.painter(this.canvas);

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

    /** @param {World<any>['layers'][number]} layer */
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

    /** Shows another film. @param {Film<any>} film @param {Span[]} spans times in which a distance was broken */
    load(film, spans) {
        this.film = film;
        this.depth = this.world.depthOf(film);
        this.spans = spans;
        this.followed = this.world.first;
        this.keepsInView = this.followed !== null;
        this.view.plane = this.world.planeOf(film.setting);
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
        for (const { layer } of this.world.layers) this.showToggle(layer, film);
        this.player.load(film.start_s, film.end_s);
        this.look();
    }

    /** Hides the switch of a layer of which the film has nothing. @param {keyof Layers} layer @param {Film<any>} film */
    showToggle(layer, film) {
        const has = this.world.has(film);
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
        return this.film ? this.world.everybody(this.film, this.player.time_s) : [];
    }

    /** @param {number} px @param {number} py */
    pick(px, py) {
        const at = this.view.toPlane(px, py);
        const body = nearestTo(at, this.everybody());
        const reach = Math.max(REACH_PX / this.view.scale, this.film ? this.world.reach(this.film) : 0);
        this.follow(body && Math.hypot(body.x - at.x, body.y - at.y) <= reach ? body : null);
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

    /** @param {Film<any>} film @param {number} time_s */
    draw(film, time_s) {
        const { view, layers, followed } = this;
        const body =
            this.keepsInView && view.zoom > 1.05
                ? this.everybody().find((one) => one.kind === followed?.kind && one.place === followed.place)
                : null;
        if (body) view.center = { x: body.x, y: body.y };
        const { bodies, links, banner } = this.world.scene(film, this.spans, time_s, this.player.playing ? this.player.speed : 1);
        this.painter.draw({ film, view, theme: this.theme, layers, followed, time_s, depth: this.depth, bodies, links });
        this.banner.textContent = banner;
        this.banner.hidden = !banner;
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
        for (const { key, layer } of this.world.layers) keys[key] = () => this.toggleLayer(layer);
        const action = keys[event.key];
        action?.();
        return action !== undefined;
    }
}

/** What the keys do, for the help. @param {World<any>} world */
export const keysOf = (world) => [
    ['space', 'play or pause'],
    ['← →', 'one row back or on; with shift 5 s'],
    ['+ −', 'faster or slower'],
    ['Home End', 'to the start or the end'],
    ['f', 'follow the next one; Esc: nobody'],
    ['[ ]', 'zoom out or in; also wheel and pinch'],
    ['0', `all of ${world.plane}; also a double click`],
    ['o', 'loop'],
    ...world.layers.map(({ key, name }) => [key, `${name.toLowerCase()} on or off`]),
    ['d', 'dark or light'],
    ['?', 'this list'],
];
