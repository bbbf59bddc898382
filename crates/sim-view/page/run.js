// The page of one run.
/** @import { EventRow, RunHead } from './data.js' */
/** @import { Span } from './stage.js' */
import { Film } from './data.js';
import { el, short, tabs } from './dom.js';
import { EventsPanel, NowPanel, acceptancePanel, scenarioPanel } from './panels.js';
import { Plots } from './plots.js';
import { Stage } from './stage.js';

/** Builds the page of a run. @param {RunHead} head @param {Uint8Array} bytes @param {Stage} stage @param {HTMLElement} main */
export function buildRun(head, bytes, stage, main) {
    const film = new Film(head.tables, head.setting, bytes);
    const plots = new Plots((time_s) => stage.player.seek(time_s));
    const now = new NowPanel((followed) => stage.follow(followed));
    const events = new EventsPanel(head.events, (event) => {
        stage.player.pause();
        stage.player.seek(event.time_s);
    });
    const panel = tabs([
        { name: 'Numbers', body: now.element },
        { name: 'Events', body: events.element },
        { name: 'Acceptance', body: acceptancePanel(head.summary) },
        { name: 'Scenario', body: scenarioPanel(head.scenario) },
    ]);
    main.className = 'run';
    main.append(stage.element, stage.transport, plots.element, el('aside', {}, panel.element));
    plots.load(film);
    now.load(film);
    stage.onLook.push(() => plots.prepare(stage.theme));
    stage.onDraw.push((_, time_s) => {
        plots.draw(stage.theme, time_s);
        now.draw(film, time_s, stage.followed);
        events.draw(time_s);
    });
    stage.load(film, brokenSpans(head.events, film.end_s));
}

/** Times between the begin and the end of each violation. @param {EventRow[]} events @param {number} end_s @returns {Span[]} */
export function brokenSpans(events, end_s) {
    /** @type {Map<string, Span>} */
    const open = new Map();
    /** @type {Span[]} */
    const spans = [];
    for (const { kind, subject, object, time_s, value } of events) {
        const [, limit, edge] = /^(d_[rh])_violation_(begin|end)/.exec(kind) ?? [];
        const key = `${limit} ${subject} ${object}`;
        if (edge === 'begin') {
            const robots = [subject, object].flatMap((who) => /^agent (\d+)$/.exec(who)?.slice(1).map(Number) ?? []);
            const span = { begin_s: time_s, end_s, text: `${subject} and ${object}, ${short(value ?? NaN)} mm`, robots };
            open.set(key, span);
            spans.push(span);
        } else if (edge === 'end') {
            const span = open.get(key);
            if (span) span.end_s = time_s;
        }
    }
    return spans;
}
