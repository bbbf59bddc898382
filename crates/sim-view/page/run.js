// The page of one run.
/** @import { RunHead } from './data.js' */
import { spansOf } from './alarms.js';
import { Film } from './data.js';
import { el, tabs } from './dom.js';
import { NowPanel, acceptancePanel, eventList, logList, scenarioPanel } from './panels.js';
import { PingPlot } from './pings.js';
import { Plots } from './plots.js';
import { ScanPlot } from './scans.js';
import { share } from './share.js';
import { Stage } from './stage.js';

/** Builds the page of a run. @param {RunHead} head @param {Uint8Array} bytes @param {Stage} stage @param {HTMLElement} main */
export function buildRun(head, bytes, stage, main) {
    const film = new Film(head.tables, head, bytes);
    const spans = spansOf(head.events, head.view, film.end_s);
    const plots = new Plots((time_s) => stage.player.seek(time_s));
    const now = new NowPanel((followed) => stage.follow(followed));
    const go = (/** @type {number} */ time_s) => {
        stage.player.pause();
        stage.player.seek(time_s);
    };
    const lists = [{ name: 'Events', list: eventList(head.events, head.view, go) }];
    for (const log of head.view.logs ?? []) {
        const table = film.logs.get(log.stream);
        if (table) lists.push({ name: log.title, list: logList(log, table, film, go) });
    }
    const panel = tabs([
        { name: 'Numbers', body: now.element },
        ...lists.map(({ name, list }) => ({ name, body: list.element })),
        { name: 'Acceptance', body: acceptancePanel(head.summary) },
        { name: 'Scenario', body: scenarioPanel(head.scenario) },
    ]);
    main.className = 'run';
    main.append(stage.element, stage.transport, plots.element, el('aside', {}, panel.element));
    plots.load(film, spans);
    const scans = head.view.scanners.filter(({ stream }) => film.events.has(stream)).map((scanner) => new ScanPlot(scanner, film));
    const charts = (head.view.charts ?? []).filter(({ stream, layout }) => film.events.has(stream) && (layout.waterfall || layout.sectors));
    const pings = charts.map((chart) => new PingPlot(chart, film));
    plots.element.append(...[...scans, ...pings].map(({ element }) => element));
    plots.arrange();
    now.load(film, head.summary);
    stage.onLook.push(() => plots.prepare(stage.theme));
    stage.onLook.push(() => [...scans, ...pings].forEach((plot) => plot.prepare()));
    stage.onDraw.push((moment) => {
        plots.follow(stage.theme, stage.followed);
        plots.draw(stage.theme, moment.time_s);
        for (const plot of [...scans, ...pings]) plot.draw(stage.theme, moment.time_s, stage.followed);
        now.draw(moment, stage.followed);
        for (const { list } of lists) list.draw(moment.time_s);
    });
    stage.load(film, spans);
    share(stage, head.title, main);
}
