// The page of one run.
/** @import { RunHead } from './data.js' */
import { spansOf } from './alarms.js';
import { Film } from './data.js';
import { el, tabs } from './dom.js';
import { EventsPanel, NowPanel, acceptancePanel, scenarioPanel } from './panels.js';
import { Plots } from './plots.js';
import { Stage } from './stage.js';

/** Builds the page of a run. @param {RunHead} head @param {Uint8Array} bytes @param {Stage} stage @param {HTMLElement} main */
export function buildRun(head, bytes, stage, main) {
    const film = new Film(head.tables, head, bytes);
    const spans = spansOf(head.events, head.view, film.end_s);
    const plots = new Plots((time_s) => stage.player.seek(time_s));
    const now = new NowPanel((followed) => stage.follow(followed));
    const events = new EventsPanel(head.events, head.view, (event) => {
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
    plots.load(film, spans);
    now.load(film, head.summary);
    stage.onLook.push(() => plots.prepare(stage.theme));
    stage.onDraw.push((moment) => {
        plots.follow(stage.theme, stage.followed);
        plots.draw(stage.theme, moment.time_s);
        now.draw(moment, stage.followed);
        events.draw(moment.time_s);
    });
    stage.load(film, spans);
}
