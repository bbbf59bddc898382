// The stage: a run that goes on while it is looked at, and people who take part in it.
/** @import { EventRow } from './data.js' */
/** @import { Hello, Listed } from './feed.js' */
/** @import { Followed } from './marks.js' */
/** @import { Body } from './moment.js' */
/** @import { TimeList } from './panels.js' */
/** @import { View } from './view.js' */
import { furnish, prefersDark } from './app.js';
import { clock, el, tabs } from './dom.js';
import { Feed, LiveFilm, LiveRows } from './feed.js';
import { Gestures } from './gestures.js';
import { Moment, isOnPolygon, nearestOf, polygonsOf, textOf } from './moment.js';
import { NowPanel, eventList, logList, ownerName } from './panels.js';
import { SPEEDS } from './player.js';
import { RollingPlots } from './plots.js';
import { Stage, bodiesNames, keysOf } from './stage.js';

/** Pixels within which a press takes hold of a body. */
const HOLD_PX = 24;

/**
 * @typedef {{ paused: boolean, speed: number | null, late_ms: number, lost_s: number, run: number, refused: number, wrong: string,
 *   violations: number, over: boolean }} Status
 */

/** What steers the run: pause, steps, speed, another run, and who has the controls. */
class Controls {
    /** @param {(message: Record<string, unknown>) => void} send */
    constructor(send) {
        this.send = send;
        const button = (/** @type {string} */ name, /** @type {string} */ title, /** @type {() => void} */ onclick) =>
            el('button', { textContent: name, title, onclick, dataset: { do: name.toLowerCase() } });
        this.play = button('Pause', 'Pause or go on (space)', () => this.toggle());
        this.one = button('+1', 'One step (.)', () => this.step());
        this.again = button('Reset', 'Begin again with the same draws', () => send({ do: 'reset', other: false }));
        this.other = button('New', 'Begin again with other draws', () => send({ do: 'reset', other: true }));
        this.speed = el('select', { 'aria-label': 'Speed', title: 'Speed' });
        this.speed.append(...SPEEDS.map((speed) => el('option', { value: String(speed), textContent: `${speed} ×` })));
        this.speed.append(el('option', { value: 'max', textContent: 'max' }));
        this.speed.onchange = () => send({ do: 'speed', times: this.speed.value === 'max' ? null : Number(this.speed.value) });
        this.ask = button('Ask', 'Ask for the controls', () => send({ do: 'ask' }));
        this.give = button('Give', 'Give the controls to the page that asked', () => send({ do: 'give' }));
        this.clock = el('output', { className: 'clock' });
        this.step_text = el('output', { className: 'step' });
        this.words = el('output', { className: 'quiet live-words' });
        this.hands = [this.play, this.one, this.again, this.other, this.speed];
        this.element = el('section', { className: 'transport live', 'aria-label': 'Running' });
        this.element.append(this.play, this.one, this.clock, this.step_text, this.words, this.speed, this.again, this.other, this.ask, this.give);
        this.paused = false;
        this.hasControls = false;
    }

    toggle() {
        this.send({ do: 'pause', on: !this.paused });
    }

    step() {
        this.send({ do: 'step', n: 1 });
    }

    /** @param {Status} status @param {number} pages @param {number | null} turn @param {boolean} asked */
    show(status, pages, turn, asked) {
        this.paused = status.paused;
        this.hasControls = turn === 0;
        this.play.textContent = status.paused ? 'Play' : 'Pause';
        this.speed.value = status.speed === null ? 'max' : String(status.speed);
        for (const part of this.hands) part.disabled = !this.hasControls;
        this.ask.hidden = this.hasControls || pages < 2;
        this.ask.disabled = turn !== null;
        this.give.hidden = !asked;
        const words = [
            status.over ? 'the run has ended' : '',
            this.hasControls ? '' : 'another page has the controls',
            asked ? 'another page asks for the controls' : '',
            pages > 1 ? `${pages} pages` : '',
            status.run ? `run ${status.run}` : '',
            status.violations ? `${status.violations} ${status.violations === 1 ? 'violation' : 'violations'}` : '',
            status.lost_s > 0 ? `${status.lost_s} s late` : '',
            status.refused ? `${status.refused} wrong rows: ${status.wrong}` : '',
        ];
        this.words.textContent = words.filter(Boolean).join(' · ');
        this.words.title = this.words.textContent;
    }
}

/** What is heard of the owners that sound: a tone each, as long as their column has a note. */
class Sounds {
    constructor() {
        this.isOn = false;
        /** @type {AudioContext | null} */
        this.context = null;
        /** @type {Map<number, { tone: OscillatorNode, volume: GainNode, note: number }>} */
        this.voices = new Map();
    }

    toggle() {
        this.isOn = !this.isOn;
        this.context ??= new AudioContext();
        if (this.isOn) this.context.resume();
        else this.context.suspend();
        return this.isOn;
    }

    /** @param {Body[]} bodies @param {string} column of the note as a MIDI number; 128 is a rest */
    play(bodies, column) {
        const { context } = this;
        if (!this.isOn || !context) return;
        for (const { table, row, place, id } of bodies) {
            const note = table.number(column, row, place);
            const sounds = note >= 0 && note < 128;
            let voice = this.voices.get(id);
            if (!voice && sounds) {
                const [tone, volume] = [new OscillatorNode(context, { type: 'square' }), new GainNode(context, { gain: 0 })];
                tone.connect(volume).connect(context.destination);
                tone.start();
                voice = { tone, volume, note: NaN };
                this.voices.set(id, voice);
            }
            if (!voice || voice.note === note) continue;
            voice.note = note;
            voice.volume.gain.setTargetAtTime(sounds ? 0.04 : 0, context.currentTime, 0.005);
            if (sounds) voice.tone.frequency.setValueAtTime(440 * 2 ** ((note - 69) / 12), context.currentTime);
        }
    }
}

/** Keys that go through the time of a recording. */
const OF_TIME = ['space', '← →', '+ −', 'Home End', 'o'];

/** The keys of the stage, in words. @param {Hello} hello */
function helpOfLive({ view }) {
    const own = [
        ['space', 'pause, or go on'],
        ['.', 'one step'],
    ];
    const keys = [...own, ...keysOf(view).filter(([key]) => !OF_TIME.includes(key))];
    return { keys, hint: `Click ${bodiesNames(view)} to follow it. What else can be done stands in the tab Hands.` };
}

/** Time between two looks at rows that have come, ms: a list is built again each time. */
const LISTS_MS = 200;

/** Time from one of the numbers beside the picture to the next, ms: faster ones cannot be read. */
const NUMBERS_MS = 100;

/** What happened, and what the view wants to be listed, as it passes. */
class Lists {
    /** @param {LiveFilm} film @param {Hello} hello @param {(followed: Followed) => void} follow */
    constructor(film, { lists, view }, follow) {
        this.film = film;
        /** @type {Map<string, LiveRows>} */
        this.rows = new Map(Object.entries(lists).map(([stream, columns]) => [stream, new LiveRows(columns)]));
        /** @type {EventRow[]} */
        this.events = [];
        /** @type {{ name: string, of: string | null, rows: LiveRows, list: TimeList }[]} */
        this.parts = [];
        const events = this.rows.get('events');
        if (events) this.parts.push({ name: 'Events', of: null, rows: events, list: eventList(this.events, view, () => {}) });
        for (const log of view.logs ?? []) {
            const rows = this.rows.get(log.stream);
            if (!rows) continue;
            const go = (/** @type {number} */ _, /** @type {number} */ n) => follow({ stream: log.of, place: rows.number('owner', n) });
            this.parts.push({ name: log.title, of: log.of, rows, list: logList(log, rows, film, go) });
        }
        this.shown_ms = 0;
        /** Streams of which rows have come since they were shown. @type {Set<LiveRows>} */
        this.fresh = new Set();
        /** @type {Followed | null} */
        this.followed = null;
    }

    /** A run begins. */
    clear() {
        for (const rows of this.rows.values()) {
            rows.clear();
            this.fresh.add(rows);
        }
    }

    /** @param {Record<string, Listed[][]>} lists */
    take(lists) {
        for (const [stream, rows] of Object.entries(lists)) {
            const own = this.rows.get(stream);
            own?.push(rows);
            if (own) this.fresh.add(own);
        }
    }

    /** Shows what has come in the list that is in sight, of the one that is followed. @param {number} now_ms
     * @param {Followed | null} followed */
    draw(now_ms, followed) {
        if (now_ms - this.shown_ms < LISTS_MS) return;
        this.shown_ms = now_ms;
        const isOther = followed?.stream !== this.followed?.stream || followed?.place !== this.followed?.place;
        this.followed = followed;
        for (const { of, rows, list } of this.parts) {
            if (isOther && of !== null) list.choose(0, followed?.stream === of ? ownerName(this.film, of, followed.place) : '');
            if (!this.fresh.has(rows) || list.element.hidden) continue;
            this.fresh.delete(rows);
            if (of === null) this.events.splice(0, this.events.length, ...Array.from({ length: rows.rows }, (_, n) => rows.event(n)));
            const times = Array.from({ length: rows.rows }, (_, n) => rows.number('time_s', n));
            list.grow(times);
            list.draw(Infinity);
        }
    }
}

/** The page. */
class Live {
    constructor() {
        /** @type {Stage | null} */
        this.stage = null;
        /** @type {LiveFilm | null} */
        this.film = null;
        this.isLoaded = false;
        /** What was drawn last, until its numbers are shown beside it. @type {Moment | null} */
        this.moment = null;
        this.numbers_ms = 0;
        this.sounds = new Sounds();
        this.plots = new RollingPlots();
        this.now = new NowPanel((followed) => this.stage?.follow(followed));
        this.feed = new Feed({
            hello: (hello) => this.begin(hello),
            frame: (buffer) => this.take(buffer),
            text: (message) => this.text(message),
            state: (isOpen) => document.documentElement.classList.toggle('offline', !isOpen),
        });
        this.controls = new Controls((message) => this.feed.send(message));
    }

    /** A run begins: at first, after a reset, after the connection was lost. @param {Hello} hello */
    begin(hello) {
        this.film = new LiveFilm(hello);
        this.isLoaded = false;
        this.gestures?.begin();
        this.offerChoices();
        this.lists?.clear();
        if (!this.stage) this.build(hello);
    }

    /** @param {Hello} hello */
    build(hello) {
        const stage = new Stage(prefersDark(), hello.view);
        this.stage = stage;
        // Lists of what can be chosen have their own words.
        const help = hello.controls.filter(({ gesture }) => gesture !== 'choose').map(({ about }) => el('li', { textContent: about }));
        this.choices = el('div', { className: 'choices' });
        const hands = el('div', { className: 'panel' }, this.choices, el('ul', { className: 'hands' }, ...help));
        const lists = new Lists(/** @type {LiveFilm} */ (this.film), hello, (followed) => stage.follow(followed));
        this.lists = lists;
        const parts = tabs([
            { name: 'Numbers', body: this.now.element },
            ...lists.parts.map(({ name, list }) => ({ name, body: list.element })),
            { name: 'Hands', body: hands },
        ]);
        const sound = el('button', { textContent: '♪', title: 'Sound', 'aria-label': 'Sound', hidden: !hello.view.sound, 'aria-pressed': 'false' });
        sound.onclick = () => sound.setAttribute('aria-pressed', String(this.sounds.toggle()));
        const head = (/** @type {HTMLElement[]} */ ...buttons) =>
            el('header', {}, el('h1', { textContent: hello.title }), el('span', { className: 'verdict good', textContent: 'live' }), sound, ...buttons);
        furnish(stage, { view: hello.view, notes: [], head, help: helpOfLive(hello) }, (main) => {
            main.className = 'run live';
            main.append(stage.element, this.controls.element, this.plots.element, el('aside', {}, parts.element));
            return null;
        });
        document.addEventListener('keydown', (event) => this.key(event), true);
        this.gestures = new Gestures({
            controls: hello.controls,
            inputs: hello.inputs,
            bodies: () => this.bodies(hello),
            near: (view, px, py, of) => this.near(view, px, py, of),
            sizeOf: (body) => this.sizeOf(body),
            followed: () => (stage.followed ? { stream: stage.followed.stream, id: stage.followed.place } : null),
            pick: (view, px, py) => stage.panes.filter((pane) => pane.view === view).forEach((pane) => stage.pick(pane, px, py)),
            give: (stream, row) => this.feed.send({ do: 'rows', stream, rows: [row] }),
        });
        for (const { element, canvas, view } of stage.panes) this.gestures.listen(element, canvas, view);
        this.offerChoices();
        stage.onLook.push(() => this.plots.measure());
        stage.onDraw.push((moment) => {
            this.moment = moment;
            this.plots.follow(stage.theme, stage.followed);
            this.plots.add(moment);
            const [stream, column] = hello.view.sound ?? [];
            if (stream && column) this.sounds.play(moment.bodies(stream), column);
        });
        this.tick(stage, 0);
    }

    /** Lists of what can be chosen, each with its first entry, which holds as a run begins. */
    offerChoices() {
        const labels = (this.gestures?.choices() ?? []).map(({ about, select }) =>
            el('label', { className: 'choice' }, el('span', { textContent: `${about.charAt(0).toUpperCase()}${about.slice(1)}` }), select),
        );
        this.choices?.replaceChildren(...labels);
    }

    /** Once a picture: gives the rows of gestures, and shows what is due beside the picture. @param {Stage} stage @param {number} now_ms */
    tick(stage, now_ms) {
        this.gestures?.frame();
        this.lists?.draw(now_ms, stage.followed);
        this.plots.drawNext(now_ms, stage.theme);
        if (this.moment && now_ms - this.numbers_ms >= NUMBERS_MS) {
            this.now.draw(this.moment, stage.followed);
            [this.moment, this.numbers_ms] = [null, now_ms];
        }
        requestAnimationFrame((next_ms) => this.tick(stage, next_ms));
    }

    /** @param {KeyboardEvent} event */
    key(event) {
        if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLSelectElement) return;
        const isButton = event.target instanceof HTMLButtonElement;
        if (event.key === ' ' && !isButton) this.controls.toggle();
        else if (event.key === '.') this.controls.step();
        else if (!['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', '+', '-', '='].includes(event.key)) return;
        event.preventDefault();
        event.stopPropagation();
    }

    /** All that a gesture may be about, where it is now. @param {Hello} hello */
    bodies(hello) {
        const { film } = this;
        if (!film || !this.isLoaded) return [];
        const moment = new Moment(film, film.end_s);
        const streams = new Set(hello.controls.flatMap(({ of }) => of ?? []));
        return [...streams].flatMap((stream) => moment.bodies(stream));
    }

    /** The owner of a stream on whose polygon a place is, the last drawn one; else the nearest within reach. @param {View} view @param {number} px @param {number} py @param {string} of */
    near(view, px, py, of) {
        if (!this.film || !this.isLoaded) return null;
        const distance = (/** @type {Body} */ body) => {
            const [x, y] = view.at(body);
            return Math.hypot(x - px, y - py);
        };
        const { film } = this;
        const bodies = new Moment(film, film.end_s).bodies(of);
        const under = bodies.findLast((body) => isOnPolygon(film, body, view.toPlane(px, py)));
        if (under) return under;
        const body = nearestOf(bodies, distance);
        const reach = Math.max(HOLD_PX, (body?.party.reach ?? 0) * view.scale);
        return body && distance(body) <= reach ? body : null;
    }

    /** Length and width of an owner, and whether it is round: by its reach, else by its polygon. @param {Body} body */
    sizeOf(body) {
        const reach = body.party.reach;
        const corners = reach === null && this.film ? polygonsOf(this.film, body).flat() : [];
        const [x, y] = [0, 1].map((axis) => (reach === null ? Math.max(0, ...corners.map((corner) => 2 * corner[axis])) : 2 * reach));
        return { x, y, isRound: reach !== null };
    }

    /** @param {ArrayBuffer} buffer */
    take(buffer) {
        const { film, stage } = this;
        if (!film || !stage) return;
        film.take(buffer);
        if (!this.isLoaded) {
            this.isLoaded = true;
            this.plots.load(film);
            stage.load(film, []);
            this.now.load(film, []);
        }
        const { player } = stage;
        [player.start_s, player.end_s, player.time_s] = [film.start_s, film.end_s, film.end_s];
        stage.dirty = true;
        this.controls.clock.textContent = clock(film.end_s, 2);
        this.controls.step_text.textContent = `step ${film.step(film.times.length - 1)}`;
    }

    /** @param {Record<string, unknown>} message */
    text(message) {
        if (Array.isArray(message.words)) this.film?.words.push(...message.words);
        if (message.lists) this.lists?.take(/** @type {Record<string, Listed[][]>} */ (message.lists));
        if (typeof message.refused === 'string') console.info(message.refused);
        if (message.status) {
            const turn = typeof message.turn === 'number' ? message.turn : null;
            this.controls.show(/** @type {Status} */ (message.status), Number(message.pages), turn, message.asked === true);
        }
    }

    /** The numbers of an owner now, by column, for tests. @param {string} stream @param {number} id */
    numbers(stream, id) {
        const body = this.film && this.isLoaded ? new Moment(this.film, this.film.end_s).body(stream, id) : null;
        if (!body) return null;
        const read = (/** @type {string} */ name) => textOf(body, name) ?? body.table.number(name, body.row, body.place);
        return Object.fromEntries([...body.table.columns.keys()].map((name) => [name, read(name)]));
    }

    /** Where a place of the plan is on the page, for tests. @param {number} x @param {number} y */
    onPage(x, y) {
        const pane = this.stage?.panes[0];
        if (!pane) return null;
        const box = pane.canvas.getBoundingClientRect();
        const [px, py] = pane.view.at({ x, y, z: 0 });
        return { x: box.left + px, y: box.top + py };
    }
}

Object.assign(window, { live: new Live() });
