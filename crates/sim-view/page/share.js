// What can be taken along of a page: a link to the moment, a picture of it, a film from it on.
/** @import { Followed } from './marks.js' */
/** @import { Stage } from './stage.js' */
import { fixed } from './data.js';
import { el } from './dom.js';

/** Time between two changes of the page's address, ms: browsers refuse too many. */
const ADDRESS_MS = 300;

/** Pictures of a film, Hz, and bits of it, 1/s. */
const FILM_HZ = 30;
const FILM_BITS = 8e6;

/** The kind of film that browsers record. */
const WEBM = 'video/webm';

/** Height of the line below a picture, px on a page with the usual type. */
const LINE_PX = 24;

/** The moment of a stage as it stands in an address: `t=12.5&follow=robot+3&layers=trails,-heat`. @param {Stage} stage */
function addressOf(stage) {
    const { film, followed, layers } = stage;
    const parts = [`t=${fixed(stage.player.time_s, 3).replace(/\.?0+$/, '') || '0'}`];
    const party = film?.party(followed?.stream ?? '');
    const id = film?.sampled.get(followed?.stream ?? '')?.owners[followed?.place ?? -1];
    if (party && id !== undefined) parts.push(`follow=${party.one.replaceAll(' ', '+')}+${id}`);
    else parts.push('follow=none');
    const changed = (film?.view.layers ?? []).filter(({ name, is_shown }) => layers[name] !== is_shown);
    if (changed.length) parts.push(`layers=${changed.map(({ name }) => (layers[name] ? name : `-${name}`)).join(',')}`);
    return parts.join('&');
}

/** The one that words of an address name: `robot 3`, or `3` alone for one of the first party that has it. @param {Stage} stage
 * @param {string} words @returns {Followed | null} */
function followedOf({ film }, words) {
    const [, one, number] = words.match(/^(?:(.*) )?(\d+)$/) ?? [];
    for (const party of film?.view.parties ?? []) {
        const place = film?.sampled.get(party.stream)?.owners.indexOf(Number(number)) ?? -1;
        if (party.reach !== null && place >= 0 && (!one || one === party.one)) return { stream: party.stream, place };
    }
    return null;
}

/** Goes to the moment of an address; what it does not name stays. @param {Stage} stage @param {string} hash */
function goTo(stage, hash) {
    const wanted = new URLSearchParams(hash.replace(/^#/, ''));
    const time_s = Number(wanted.get('t') ?? NaN);
    const follow = wanted.get('follow');
    if (follow !== null) stage.follow(followedOf(stage, follow));
    for (const word of (wanted.get('layers') ?? '').split(',')) {
        const name = word.replace(/^-/, '');
        if (name in stage.layers && stage.layers[name] === word.startsWith('-')) stage.toggleLayer(name);
    }
    if (Number.isFinite(time_s)) stage.player.seek(time_s);
}

/** Keeps the address at the moment, and the moment at the address. @param {Stage} stage */
function keepAddress(stage) {
    if (location.hash) goTo(stage, location.hash);
    let written = location.hash;
    let timer = 0;
    const write = () => {
        timer = 0;
        written = `#${addressOf(stage)}`;
        try {
            history.replaceState(null, '', written);
        } catch {
            // The address of this page may not be changed; the button still copies it.
        }
    };
    stage.onDraw.push(() => {
        if (!stage.player.playing && !timer) timer = setTimeout(write, ADDRESS_MS);
    });
    addEventListener('hashchange', () => {
        if (location.hash !== written) goTo(stage, location.hash);
    });
}

/** The pictures of a stage, and of its twin beside it, on one canvas, with a line of words below. */
class Still {
    /** @param {Stage} stage @param {string} title */
    constructor(stage, title) {
        this.stages = stage.twin ? [stage, stage.twin] : [stage];
        this.title = title;
        this.canvas = document.createElement('canvas');
    }

    /** Takes up the sizes of the pictures: even numbers, which films want. */
    fit() {
        const columns = this.stages.map(({ panes }) => panes.map(({ canvas }) => canvas));
        const width = columns.reduce((sum, all) => sum + Math.max(...all.map((canvas) => canvas.width)), 0);
        const height = Math.max(...columns.map((all) => all.reduce((sum, canvas) => sum + canvas.height, 0)));
        this.line = Math.round(LINE_PX * this.ratio);
        this.canvas.width = 2 * Math.ceil(width / 2);
        this.canvas.height = 2 * Math.ceil((height + this.line) / 2);
    }

    /** Pixels of a canvas to one of the page's usual type. */
    get ratio() {
        const [{ canvas, painter }] = this.stages[0].panes;
        return (canvas.width / Math.max(canvas.clientWidth, 1)) * painter.type;
    }

    draw() {
        const context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d'));
        const [{ theme, clock, stepText }] = this.stages;
        context.fillStyle = theme.colors.ground;
        context.fillRect(0, 0, this.canvas.width, this.canvas.height);
        let left = 0;
        for (const { panes } of this.stages) {
            let top = 0;
            for (const { canvas } of panes) {
                context.drawImage(canvas, left, top);
                top += canvas.height;
            }
            left += Math.max(...panes.map(({ canvas }) => canvas.width));
        }
        const banners = this.stages.map(({ banner }) => banner.textContent).filter(Boolean);
        const words = [this.title, clock.textContent, stepText.textContent, ...banners].join('   ');
        context.fillStyle = banners.length ? theme.colors.alarm : theme.colors.ink;
        context.font = `${12 * this.ratio}px system-ui, sans-serif`;
        context.textBaseline = 'middle';
        context.fillText(words, 8 * this.ratio, this.canvas.height - (this.line ?? 0) / 2);
    }
}

/** Has the browser save a file. @param {Blob} blob @param {string} name */
function save(blob, name) {
    const address = URL.createObjectURL(blob);
    const link = el('a', { href: address, download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** How often the recorder hands over what it has, ms. */
const PART_MS = 100;

/** Records the film from the playhead for some time; returns what ends it early. On a busy machine the encoder takes a while to begin: the
 * run plays once it has handed over the first frame. @param {Stage} stage @param {Still} still
 * @param {number} end_s @param {(film: Blob) => void} done */
function record(stage, still, end_s, done) {
    const { player } = stage;
    still.fit();
    still.draw();
    const recorder = new MediaRecorder(still.canvas.captureStream(FILM_HZ), { mimeType: WEBM, videoBitsPerSecond: FILM_BITS });
    /** @type {Blob[]} */
    const parts = [];
    let plays = false;
    const play = () => {
        plays = true;
        player.loop = false;
        if (!player.playing) player.toggle();
    };
    recorder.ondataavailable = ({ data }) => {
        parts.push(data);
        if (data.size > 0 && !plays && recorder.state === 'recording') play();
    };
    recorder.onstop = () => done(new Blob(parts, { type: WEBM }));
    const stop = () => {
        player.pause();
        if (recorder.state !== 'inactive') recorder.stop();
    };
    const frame = () => {
        if (recorder.state === 'inactive') return;
        still.draw();
        if (plays && (!player.playing || player.time_s >= end_s)) stop();
        else requestAnimationFrame(frame);
    };
    player.pause();
    recorder.start(PART_MS);
    requestAnimationFrame(frame);
    return stop;
}

/** The dialog from which a moment is taken along. */
class ShareDialog {
    /** @param {Stage} stage @param {string} title */
    constructor(stage, title) {
        this.stage = stage;
        this.name = title.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+|[.-]+$/g, '') || 'run';
        this.still = new Still(stage, title);
        /** Ends the film that is being recorded. @type {(() => void) | null} */
        this.stop = null;
        this.link = el('input', { type: 'text', readOnly: true, 'aria-label': 'Link to this moment' });
        this.said = el('output', { className: 'quiet' });
        this.seconds = el('input', { type: 'number', min: '1', step: 'any', value: '10', 'aria-label': 'Length of the film, s of the run' });
        this.film = el('button', { dataset: { share: 'film' }, textContent: 'Record', onclick: () => this.recordFilm() });
        const close = el('button', { textContent: 'Close' });
        this.element = el(
            'dialog',
            { className: 'share', 'aria-label': 'Take along' },
            el('h2', { textContent: 'Take this moment along' }),
            el('div', { className: 'row' }, this.link, this.button('link', 'Copy link', () => this.copy())),
            el('div', { className: 'row' }, 'The picture as it stands', this.button('still', 'Save PNG', () => this.saveStill())),
            el('div', { className: 'row' }, el('label', {}, 'A film of the next ', this.seconds, ' s, at the speed that is chosen'), this.film),
            this.said,
            close,
        );
        close.onclick = () => this.element.close();
        if (typeof MediaRecorder === 'undefined' || !MediaRecorder.isTypeSupported(WEBM)) {
            this.film.disabled = true;
            this.said.textContent = 'This browser records no films; sim-cli render makes them.';
        }
    }

    /** @param {string} name @param {string} textContent @param {() => void} onclick */
    button(name, textContent, onclick) {
        return el('button', { dataset: { share: name }, textContent, onclick });
    }

    open() {
        this.stage.player.pause();
        this.link.value = `${location.href.split('#')[0]}#${addressOf(this.stage)}`;
        this.element.showModal();
    }

    async copy() {
        this.link.select();
        try {
            await navigator.clipboard.writeText(this.link.value);
            this.said.textContent = 'Copied.';
        } catch {
            this.said.textContent = 'The link is selected: copy it with Ctrl-C.';
        }
    }

    /** Name of a file of the moment. @param {string} ending */
    fileName(ending) {
        return `${this.name}-${fixed(this.stage.player.time_s, 2)}s.${ending}`;
    }

    saveStill() {
        this.still.fit();
        this.still.draw();
        const name = this.fileName('png');
        this.still.canvas.toBlob((blob) => blob && save(blob, name), 'image/png');
        this.said.textContent = `${name} is saved.`;
    }

    recordFilm() {
        if (this.stop) return this.stop();
        const length_s = Math.max(Number(this.seconds.value) || 0, 0.1);
        const name = this.fileName('webm');
        this.film.textContent = 'Stop';
        this.said.textContent = 'Recording, as fast as it plays.';
        this.stop = record(this.stage, this.still, this.stage.player.time_s + length_s, (film) => {
            this.stop = null;
            this.film.textContent = 'Record';
            this.said.textContent = `${name} is saved.`;
            save(film, name);
        });
    }
}

/** Keeps the address at the moment, and puts a button into the page's head that takes it along. @param {Stage} stage @param {string} title
 * @param {HTMLElement} main */
export function share(stage, title, main) {
    keepAddress(stage);
    const dialog = new ShareDialog(stage, title);
    const button = el('button', { className: 'take', textContent: '⤓', title: 'Link, picture or film', 'aria-label': 'Link, picture or film' });
    button.onclick = () => dialog.open();
    const head = main.parentElement?.querySelector('header');
    head?.insertBefore(button, head.querySelector('button'));
    main.after(dialog.element);
}
