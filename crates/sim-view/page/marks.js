// The picture: the marks of a view at a moment of a film, one function a kind.
/** @import { Break } from './alarms.js' */
/** @import { Theme } from './colour.js' */
/** @import { Film } from './data.js' */
/** @import { Body, Moment, Seen } from './moment.js' */
/** @import { BodyDraw, CircleDraw, Color, Coord, EllipseDraw, Ink, LabelDraw, Lettering, Line, LineDraw, LinkDraw, Mark, Part,
 *   Place2, PlaceSpec, PlaneDraw, PolygonsDraw, ScanDraw, Shape, Tint, TrailDraw, VectorDraw, Wells, Width } from './spec.js' */
/** @import { View } from './view.js' */
import { MAP_COLOURS, mapIndex, rgbOf } from './colour.js';
import { breakWords } from './alarms.js';
import { covariance, emptyGrid, fillGrid, gaussiansAt, motionOf } from './field.js';
import { columnOf, coordOf, placeIn } from './moment.js';
import { Painter } from './paint.js';

/**
 * @typedef {{ stream: string, place: number }} Followed
 * @typedef {Record<string, boolean>} Layers
 * @typedef {{ film: Film, view: View, theme: Theme, layers: Layers, followed: Followed | null, moment: Moment, breaks: Break[] }} Scene
 */

/** Height of the type that marks count in, px on a page with the usual type. */
const EM_PX = 12;

/** Side of a usual picture, px: lines that may be fine are thinner in a smaller one, but keep this share of their width. */
const USUAL_PX = 700;
const LEAST_PEN = 0.4;

/** Parts of a trail, the older the fainter. */
const TRAIL_PARTS = 4;

/** Points of a trail, at most. */
const TRAIL_POINTS = 96;

/** Smaller words are not read, px. */
const LEAST_TYPE_PX = 6;

/** Bodies above which trails are drawn only when zoomed in. */
const MANY = 200;

/** Room between two lines of the grid that is looked for, px. */
const GRID_PX = 60;

/** Scans above which each is fainter. */
const STRONG_SCANS = 6;

/** Cells of the grid of a potential in a standard deviation of a well. */
const CELLS_OF_SIGMA = 8;

/** A body that is shown smaller than this gets a ring that can be seen, in heights of the type. */
const LEAST_BODY_EM = 0.8;

/** Draws scenes. */
export class MarkPainter extends Painter {
    /** @param {HTMLCanvasElement} canvas */
    constructor(canvas) {
        super(canvas);
        this.heat = document.createElement('canvas');
        /** @type {{ film: Film | null, time_s: number, theme: Theme | null }} */
        this.heatOf = { film: null, time_s: NaN, theme: null };
        /** Shapes of parts, in a body's axes. @type {WeakMap<Shape, Path2D>} */
        this.shapes = new WeakMap();
    }

    /** Draws a scene. @param {Scene} scene */
    draw(scene) {
        this.context.clearRect(0, 0, scene.view.size.width, scene.view.size.height);
        for (const mark of scene.film.view.marks) {
            // What is on none of the layers that can be chosen belongs to every picture.
            const isShown = mark.layer === null || (scene.layers[mark.layer] ?? true);
            const hasAlarm = mark.draw.circle?.alarm;
            if ((isShown || hasAlarm) && this.isLarge(scene, mark)) this.mark(scene, mark, isShown);
        }
        this.border(scene);
        this.followed(scene);
    }

    /** One mark. @param {Scene} scene @param {Mark} mark @param {boolean} isShown false: only those in alarm */
    mark(scene, mark, isShown) {
        const bodies = this.bodiesOf(scene, mark).filter((body) => isShown || scene.moment.isAlarmed(body));
        const { plane, polygons, body, circle, ellipse, trail, vector, scan, wells, line, link, label } = mark.draw;
        if (plane) this.plane(scene, plane);
        if (polygons) this.polygons(scene, polygons);
        if (body) this.bodies(scene, body, bodies);
        if (circle) this.circles(scene, circle, bodies);
        if (ellipse) this.ellipses(scene, ellipse, bodies);
        if (trail) this.trails(scene, trail, bodies);
        if (vector) this.vectors(scene, vector, bodies);
        if (scan) this.scans(scene, scan);
        if (wells) this.wells(scene, wells);
        if (line) this.lines(scene, line, mark.of === null ? [null] : bodies);
        if (link) this.links(scene, link);
        if (label) for (const body of bodies) this.label(scene, label, body);
    }

    /** @param {Scene} scene @param {Mark} mark */
    isLarge({ view }, { from }) {
        return !from || from[0] * view.scale >= from[1] * this.em;
    }

    /** @param {Scene} scene @param {Mark} mark */
    bodiesOf({ moment }, { of, owners, when }) {
        if (of === null) return [];
        return moment.bodies(of).filter((body) => (!owners.length || owners.includes(body.id)) && moment.holds(body, when));
    }

    /** Height of the type, px. */
    get em() {
        return EM_PX * this.type;
    }

    /** A length on the plane and more in heights of the type, px. @param {Scene} scene @param {Place2} size */
    long({ view }, [length, ems]) {
        return length * view.scale + ems * this.em;
    }

    /** @param {Scene} scene @param {Width} width */
    pen({ view }, width) {
        if ('px' in width) return width.px * this.type;
        if ('length' in width) return width.length * view.scale;
        if ('limited' in width) return Math.min(width.limited[0] * view.scale, width.limited[1] * this.type);
        const share = (view.zoom * Math.min(view.size.width, view.size.height)) / USUAL_PX;
        return width.fine * this.type * Math.min(Math.max(share, LEAST_PEN), 1);
    }

    /** A colour as CSS. @param {Scene} scene @param {Tint} tint @param {Body | null} body */
    colour({ theme }, { color, alpha, by }, body) {
        const strength = by && body ? by[1] + (alpha - by[1]) * Math.min(columnOf(body, by[0]) / by[2], 1) : alpha;
        return `rgb(${rgbIn(theme, color, body).join(' ')} / ${strength})`;
    }

    /** Fills and strokes a path. @param {Scene} scene @param {Path2D} path @param {Ink} ink @param {Body | null} body
     * @param {CanvasFillRule} [rule] */
    ink(scene, path, { fill, line }, body, rule = 'nonzero') {
        if (fill) {
            this.context.fillStyle = this.colour(scene, fill, body);
            this.context.fill(path, rule);
        }
        if (line) this.stroke(scene, path, line, body);
    }

    /** @param {Scene} scene @param {Path2D} path @param {Line} line @param {Body | null} body */
    stroke(scene, path, { tint, width, dash }, body) {
        const { context } = this;
        context.strokeStyle = this.colour(scene, tint, body);
        context.lineWidth = this.pen(scene, width);
        context.setLineDash((dash ?? []).map((length) => length * this.type));
        // Dashes that are shorter than wide are dots.
        if (dash && dash[0] * this.type < 2 * context.lineWidth) context.lineCap = 'round';
        context.stroke(path);
        context.setLineDash([]);
        context.lineCap = 'butt';
    }

    /** The plane with its grid. @param {Scene} scene @param {PlaneDraw} draw */
    plane(scene, { fill, has_grid }) {
        const { view, theme, film } = scene;
        const path = new Path2D();
        path.rect(...this.box(scene));
        this.ink(scene, path, { fill, line: null }, null);
        if (!has_grid) return;
        const rough = (GRID_PX * this.type) / (view.scale / view.zoom);
        const power = 10 ** Math.floor(Math.log10(rough));
        const every = [1, 2, 5, 10].map((n) => n * power).find((step) => step >= rough) ?? rough;
        this.gridLines({ view, theme }, every, film.view.unit);
    }

    /** The area that is seen, px. @param {Scene} scene @returns {[number, number, number, number]} */
    box({ view }) {
        const { x, y, width, height, up } = view.plane;
        return [view.px(x), view.py(up ? y + height : y), width * view.scale, height * view.scale];
    }

    /** The border of the area, in alarm if a limit is broken. @param {Scene} scene */
    border(scene) {
        const { context } = this;
        const isAlarm = scene.breaks.length > 0;
        context.strokeStyle = isAlarm ? scene.theme.colors.alarm : scene.theme.frame;
        context.lineWidth = isAlarm ? 5 : 1.5;
        context.strokeRect(...this.box(scene));
    }

    /** @param {View} view @param {Place2[][]} outlines @param {boolean} isClosed */
    path(view, outlines, isClosed) {
        const path = new Path2D();
        for (const points of outlines) {
            points.forEach(([x, y], n) => (n ? path.lineTo(view.px(x), view.py(y)) : path.moveTo(view.px(x), view.py(y))));
            if (isClosed) path.closePath();
        }
        return path;
    }

    /** What does not move, with its names. @param {Scene} scene @param {PolygonsDraw} draw */
    polygons(scene, { shapes, is_closed, z, ink, labels }) {
        const { context } = this;
        const { axes } = scene.film;
        const onPlane = (/** @type {Place2} */ [x, y]) => /** @type {Place2} */ (axes.map((axis) => ({ x, y, z })[axis]));
        const outlines = shapes.map(({ points }) => points.map(onPlane));
        context.save();
        context.beginPath();
        context.rect(...this.box(scene));
        context.clip();
        context.lineJoin = 'round';
        this.ink(scene, this.path(scene.view, outlines, is_closed), ink, null, 'evenodd');
        context.restore();
        if (!labels) return;
        for (const { points, label } of shapes) if (label !== null) this.outlineLabel(scene, points, label, labels);
    }

    /** A name in the middle of its outline, or in its upper left corner. @param {Scene} scene @param {Place2[]} points
     * @param {string} text @param {Lettering} lettering */
    outlineLabel(scene, points, text, lettering) {
        const { context } = this;
        const size = this.long(scene, lettering.size);
        const [left, right, top, bottom] = [points.map(([x]) => scene.view.px(x)), points.map(([, y]) => scene.view.py(y))].flatMap(
            (places) => [Math.min(...places), Math.max(...places)],
        );
        this.letter(scene, lettering, lettering.tint, null, size);
        if (lettering.is_centred) {
            context.textAlign = 'center';
            context.textBaseline = 'middle';
            const side = Math.hypot(
                scene.view.px(points[1][0]) - scene.view.px(points[0][0]),
                scene.view.py(points[1][1]) - scene.view.py(points[0][1]),
            );
            if (side > 16) context.fillText(text, (left + right) / 2, (top + bottom) / 2, 0.94 * side);
            return;
        }
        const [box_left, box_top] = this.box(scene);
        context.textAlign = 'left';
        context.textBaseline = 'top';
        context.fillText(text, Math.max(left, box_left) + 5, Math.max(top, box_top) + 5);
    }

    /** The owners' bodies, part by part. @param {Scene} scene @param {BodyDraw} draw @param {Body[]} bodies */
    bodies(scene, { parts, has_finder, shadow }, bodies) {
        for (const body of bodies) {
            const isAlarm = scene.moment.isAlarmed(body);
            if (shadow && body.z > shadow[0] && parts.length) this.shadow(scene, parts[0].shape, body, shadow[1]);
            if (has_finder) this.finder(scene, parts, body, isAlarm);
            for (const part of parts) {
                if (!scene.moment.holds(body, part.when)) continue;
                const path = new Path2D();
                path.addPath(this.shape(part.shape), this.matrix(scene, body, part));
                this.ink(scene, path, (isAlarm && part.alarm) || part.ink, body);
            }
        }
    }

    /** From a body's axes to the canvas. @param {Scene} scene @param {Body} body @param {Part | null} part */
    matrix({ view }, body, part) {
        const { x, y, ahead, side } = body;
        const [across, down] = [view.scale, view.down];
        const axes = [ahead[0] * across, ahead[1] * down, side[0] * across, side[1] * down];
        const matrix = new DOMMatrix([...axes, view.px(x), view.py(y)]);
        if (!part?.turn) return matrix;
        const [column, [u, v]] = part.turn;
        return matrix.translateSelf(u, v).rotateSelf((columnOf(body, column) * 180) / Math.PI).translateSelf(-u, -v);
    }

    /** A shape in a body's axes. @param {Shape} shape */
    shape(shape) {
        let path = this.shapes.get(shape);
        if (!path) this.shapes.set(shape, (path = shapePath(shape)));
        return path;
    }

    /** The higher a body is, the farther off its shadow lies. @param {Scene} scene @param {Shape} shape @param {Body} body
     * @param {number} most */
    shadow(scene, shape, body, most) {
        const off = 0.35 * Math.min(body.z, most) * scene.view.scale;
        const path = new Path2D();
        path.addPath(this.shape(shape), new DOMMatrix([1, 0, 0, 1, off, off]).multiplySelf(this.matrix(scene, body, null)));
        this.context.fillStyle = 'rgb(0 0 0 / 0.5)';
        this.context.fill(path);
    }

    /** A ring round a body that is too small to be seen. @param {Scene} scene @param {Part[]} parts @param {Body} body
     * @param {boolean} isAlarm */
    finder({ view, theme }, parts, body, isAlarm) {
        const length = Math.max(...parts.map(({ shape }) => lengthOf(shape)));
        if (length * view.scale >= LEAST_BODY_EM * this.em) return;
        this.context.strokeStyle = isAlarm ? theme.colors.alarm : theme.series[body.id % theme.series.length];
        this.context.lineWidth = 2;
        this.context.stroke(ringPath(view.px(body.x), view.py(body.y), (LEAST_BODY_EM * this.em) / 2));
    }

    /** @param {Scene} scene @param {CircleDraw} draw @param {Body[]} bodies */
    circles(scene, { radius: [coord, ems], ink, alarm }, bodies) {
        const { context } = this;
        const { view, moment, film } = scene;
        // A potential ends with the plane, and so do the circles of its hills.
        const isHill = film.view.marks.some(({ draw }) => draw.wells && draw.wells.hills === bodies[0]?.party.stream);
        context.save();
        if (isHill) {
            context.beginPath();
            context.rect(...this.box(scene));
            context.clip();
        }
        for (const body of bodies) {
            const path = ringPath(view.px(body.x), view.py(body.y), this.long(scene, [coordOf(body, coord), ems]));
            this.ink(scene, path, (moment.isAlarmed(body) && alarm) || ink, body);
        }
        context.restore();
    }

    /** The spread of a moving well, now and in the times to come. @param {Scene} scene @param {EllipseDraw} draw @param {Body[]} bodies */
    ellipses(scene, { sigma, stretch_s, ahead_s, line }, bodies) {
        const { view, film, moment } = scene;
        for (const body of bodies) {
            ahead_s.forEach((tau_s, n) => {
                const { x, y, vx, vy } = motionOf(film, body, moment.time_s + tau_s);
                const axes = principalAxes(covariance({ sigma, stretch_s }, vx, vy));
                const path = new Path2D();
                const angle = view.plane.up ? -axes.angle : axes.angle;
                path.ellipse(view.px(x), view.py(y), axes.long * view.scale, axes.short * view.scale, angle, 0, 2 * Math.PI);
                this.context.globalAlpha = Math.max(1 - 0.24 * n, 0.2);
                this.stroke(scene, path, line, body);
            });
        }
        this.context.globalAlpha = 1;
    }

    /** The way of the last seconds, the older the fainter, and that of the coming ones. @param {Scene} scene @param {TrailDraw} draw
     * @param {Body[]} bodies */
    trails(scene, { back_s, ahead_s, line }, bodies) {
        const { film, view, moment } = scene;
        if (bodies.length > MANY && view.zoom < 3) return;
        const { row } = film.at(moment.time_s);
        const [first, last] = [moment.time_s - back_s, moment.time_s + ahead_s].map((time_s) => film.at(time_s).row);
        this.context.lineJoin = 'round';
        for (const body of bodies) {
            const here = [view.px(body.x), view.py(body.y)];
            for (let part = 0; part < TRAIL_PARTS && back_s > 0; part += 1) {
                const [from, to] = [part, part + 1].map((at) => first + Math.round(((row - first) * at) / TRAIL_PARTS));
                const path = this.way(scene, body, from, to);
                if (part === TRAIL_PARTS - 1) path.lineTo(here[0], here[1]);
                this.context.globalAlpha = 0.25 + 0.25 * part;
                this.stroke(scene, path, line, body);
            }
            this.context.globalAlpha = 1;
            if (ahead_s === 0) continue;
            const path = new Path2D();
            path.moveTo(here[0], here[1]);
            this.stroke(scene, this.way(scene, body, row + 1, last, path), line, body);
        }
    }

    /** The places of a body in some rows. @param {Scene} scene @param {Body} body @param {number} from @param {number} to
     * @param {Path2D} path that goes on there */
    way({ view, film }, { party, table, place, x, y }, from, to, path = new Path2D()) {
        const coord = (/** @type {Coord} */ one, /** @type {number} */ now) => (typeof one === 'string' ? table.reader(one) : () => now);
        const [across, up] = film.axes;
        const [read_x, read_y] = [coord(party.place[across], x), coord(party.place[up], y)];
        const every = Math.max(1, Math.ceil((TRAIL_PARTS * (to - from)) / TRAIL_POINTS));
        for (let row = from; row <= to; row = row === to ? to + 1 : Math.min(row + every, to)) {
            const at = read_x(row, place);
            if (!Number.isNaN(at)) path.lineTo(view.px(at), view.py(read_y(row, place)));
        }
        return path;
    }

    /** Arrows with a casing that sets them off. @param {Scene} scene @param {VectorDraw} draw @param {Body[]} bodies */
    vectors(scene, { along, factor, gap, tint }, bodies) {
        const { context } = this;
        const { view, theme } = scene;
        const path = new Path2D();
        for (const body of bodies) {
            const [vx, vy] = along.map((name) => columnOf(body, name));
            const length = Math.hypot(vx, vy);
            if (!(length * factor * view.scale > 2)) continue;
            const from = /** @type {Place2} */ ([body.x + (vx / length) * gap, body.y + (vy / length) * gap]);
            addArrow(path, [view.px(from[0]), view.py(from[1])], [view.px(from[0] + vx * factor), view.py(from[1] + vy * factor)]);
        }
        context.lineWidth = 4;
        context.strokeStyle = theme.colors.floor;
        context.stroke(path);
        context.lineWidth = 2;
        context.strokeStyle = this.colour(scene, tint, bodies[0] ?? null);
        context.stroke(path);
    }

    /** The newest scans: the space that the rays crossed, and where they ended. @param {Scene} scene @param {ScanDraw} draw */
    scans(scene, { stream, seen, hits }) {
        const { context } = this;
        const scanner = scene.film.view.scanners.find((one) => one.stream === stream);
        if (!scanner) return;
        const scans = scene.moment.bodies(scanner.on).map((body) => ({ body, scan: scene.moment.seen(scanner, body) }));
        const count = scans.filter(({ scan }) => scan).length;
        for (const { body, scan } of scans) {
            if (scan && seen) {
                context.globalAlpha = Math.min(STRONG_SCANS / count, 1);
                context.fillStyle = this.colour(scene, seen, body);
                context.fill(this.crossed(scene, scan));
                context.globalAlpha = 1;
            }
            if (!scan || !hits) continue;
            context.fillStyle = this.colour(scene, hits, body);
            for (const hit of scan.hits) if (hit) context.fillRect(scene.view.px(hit[0]) - 1.3, scene.view.py(hit[1]) - 1.3, 2.6, 2.6);
        }
    }

    /** @param {Scene} scene @param {Seen} scan */
    crossed({ view }, { origin, hits, isFullTurn }) {
        const corners = hits.map((hit) => hit ?? origin);
        return this.path(view, [isFullTurn ? corners : [origin, ...corners]], true);
    }

    /** The potential in colours. @param {Scene} scene @param {Wells} spec */
    wells(scene, spec) {
        const { film } = scene;
        if (!film.sampled.has(spec.wells) && !film.sampled.has(spec.hills)) return;
        const { context } = this;
        this.refreshHeat(scene, spec);
        const [left, top, width, height] = this.box(scene);
        const [cell_x, cell_y] = [width / (this.heat.width - 1), height / (this.heat.height - 1)];
        context.save();
        context.beginPath();
        context.rect(left, top, width, height);
        context.clip();
        context.imageSmoothingEnabled = true;
        if (scene.view.plane.up) {
            context.translate(0, 2 * top + height);
            context.scale(1, -1);
        }
        context.drawImage(this.heat, left - cell_x / 2, top - cell_y / 2, width + cell_x, height + cell_y);
        context.restore();
    }

    /** Computes the picture of the potential again if anything that it shows has changed. @param {Scene} scene @param {Wells} spec */
    refreshHeat({ film, theme, moment: { time_s } }, spec) {
        if (this.heatOf.film === film && this.heatOf.time_s === time_s && this.heatOf.theme === theme) return;
        if (this.heatOf.film !== film) {
            this.grid = emptyGrid(film.area, spec.sigma / CELLS_OF_SIGMA);
            this.image = new ImageData(this.grid.columns, this.grid.rows);
            this.heat.width = this.grid.columns;
            this.heat.height = this.grid.rows;
            this.colours = null;
        }
        if (this.heatOf.theme !== theme || !this.colours) this.colours = wordsOf(theme.map);
        this.heatOf = { film, time_s, theme };
        const { grid, image, colours } = this;
        if (!grid || !image) return;
        fillGrid(grid, gaussiansAt(film, spec, time_s));
        const pixels = new Uint32Array(image.data.buffer);
        for (let node = 0; node < pixels.length; node += 1) pixels[node] = colours[mapIndex(grid.values[node] / spec.extent)];
        /** @type {CanvasRenderingContext2D} */ (this.heat.getContext('2d')).putImageData(image, 0, 0);
    }

    /** @param {Scene} scene @param {LineDraw} draw @param {(Body | null)[]} bodies */
    lines(scene, { from, to, line }, bodies) {
        for (const body of bodies) {
            const read = (/** @type {Coord} */ coord) => (body ? coordOf(body, coord) : typeof coord === 'number' ? coord : NaN);
            const place = (/** @type {PlaceSpec} */ spec) => /** @type {Place2} */ (scene.film.axes.map((axis) => read(spec[axis])));
            this.stroke(scene, this.path(scene.view, [[place(from), place(to)]], false), line, body);
        }
    }

    /** Rings round those that break limits, and a line with the distance from one to the other; dashed where it is over.
     * @param {Scene} scene @param {LinkDraw} draw */
    links(scene, { limits, gap, ring }) {
        const { context } = this;
        const { view, theme, film } = scene;
        const { alarm, on_alarm } = theme.colors;
        const told = scene.breaks.filter(({ limit }) => limits.includes(limit.name));
        context.strokeStyle = alarm;
        context.lineWidth = 3.5;
        for (const { limit, body, other, isOver } of told) {
            context.setLineDash(isOver ? [7, 5] : []);
            const ringed = limit.to === limit.of && other ? [body, other] : [body];
            if (ring !== null) for (const { x, y } of ringed) context.stroke(ringPath(view.px(x), view.py(y), ring * view.scale));
            if (other) this.line(view, towards(body, other, gap), towards(other, body, gap));
        }
        context.setLineDash([]);
        context.font = this.plateFont();
        for (const one of told) {
            const { body, other } = one;
            const words = breakWords(one, film.view.unit);
            // Where there is little room between the two, words would hide them.
            if (!other || context.measureText(words).width > Math.hypot(body.x - other.x, body.y - other.y) * view.scale) continue;
            this.plate(words, view.px((body.x + other.x) / 2), view.py((body.y + other.y) / 2), alarm, on_alarm);
        }
    }

    /** The first words that can be said. @param {Scene} scene @param {LabelDraw} draw @param {Body} body */
    label(scene, { words, at, below, lettering, alarm, ground }, body) {
        const { context } = this;
        const size = this.long(scene, lettering.size);
        if (size < LEAST_TYPE_PX) return;
        const text = words.map((phrase) => scene.moment.words(body.party.stream, body, phrase)).find((one) => one !== null);
        if (!text) return;
        const [x, y] = placeIn(body, at);
        const [px, py] = [scene.view.px(x), scene.view.py(y) + this.long(scene, below)];
        if (ground) this.ground(scene, ground, body, text, px, py, size);
        this.letter(scene, lettering, (scene.moment.isAlarmed(body) && alarm) || lettering.tint, body, size);
        context.textAlign = 'center';
        context.textBaseline = 'middle';
        context.fillText(text, px, py + 0.06 * size);
    }

    /** The ground that keeps words readable. @param {Scene} scene @param {Tint} tint @param {Body} body @param {string} text
     * @param {number} px @param {number} py @param {number} size */
    ground(scene, tint, body, text, px, py, size) {
        const { context } = this;
        context.font = `600 ${size}px system-ui, sans-serif`;
        const half = context.measureText(text).width / 2 + 0.35 * size;
        context.fillStyle = this.colour(scene, tint, body);
        context.beginPath();
        context.roundRect(px - half, py - 0.7 * size, 2 * half, 1.4 * size, 0.25 * size);
        context.fill();
    }

    /** @param {Scene} scene @param {Lettering} lettering @param {Tint} tint @param {Body | null} body @param {number} size px */
    letter(scene, { is_bold }, tint, body, size) {
        this.context.font = `${is_bold ? 700 : 400} ${size}px system-ui, sans-serif`;
        this.context.fillStyle = this.colour(scene, tint, body);
    }

    /** A ring round the one that is followed. @param {Scene} scene */
    followed({ film, view, theme, followed, moment }) {
        const body = followed && moment.bodies(followed.stream).find(({ place }) => place === followed.place);
        if (!body) return;
        this.context.strokeStyle = theme.follow;
        this.context.lineWidth = 2.5;
        this.context.stroke(ringPath(view.px(body.x), view.py(body.y), Math.max(1.2 * this.reach(film, body) * view.scale, 11)));
    }

    /** Farthest that a body is drawn from its place. @param {Film} film @param {Body} body */
    reach({ view: { marks } }, { party, id }) {
        const own = marks.filter(({ of, owners }) => of === party.stream && (!owners.length || owners.includes(id)));
        const reaches = own.flatMap(({ draw }) => (draw.body?.parts ?? []).map(({ shape }) => reachOf(shape)));
        return reaches.length ? Math.max(...reaches) : (party.reach ?? 0) / 1.2;
    }
}

/** @param {Theme} theme @param {Color} color @param {Body | null} body */
function rgbIn(theme, color, body) {
    if (typeof color !== 'string') return 'rgb' in color ? color.rgb : color.lamp.map((name) => (body ? columnOf(body, name) : 0));
    return rgbOf(color === 'owner' ? theme.series[(body?.id ?? 0) % theme.series.length] : theme.colors[color]);
}

/** @param {Shape} shape */
function shapePath(shape) {
    const path = new Path2D();
    if ('disc' in shape) {
        const [[x, y], radius] = shape.disc;
        path.arc(x, y, radius, 0, 2 * Math.PI);
    } else if ('box' in shape) {
        const [[x, y], [right, high], radius] = shape.box;
        path.roundRect(x, y, right - x, high - y, radius);
    } else {
        const points = 'polygon' in shape ? shape.polygon : shape.line;
        points.forEach(([x, y], n) => (n ? path.lineTo(x, y) : path.moveTo(x, y)));
        if ('polygon' in shape) path.closePath();
    }
    return path;
}

/** Corners of a shape in a body's axes. @param {Shape} shape @returns {Place2[]} */
function cornersOf(shape) {
    if ('polygon' in shape) return shape.polygon;
    if ('line' in shape) return shape.line;
    const [[x, y], [right, high]] = 'box' in shape ? shape.box : boxOf(...shape.disc);
    return [
        [x, y],
        [right, y],
        [right, high],
        [x, high],
    ];
}

/** @param {Place2} center @param {number} radius @returns {[Place2, Place2]} */
function boxOf([x, y], radius) {
    return [
        [x - radius, y - radius],
        [x + radius, y + radius],
    ];
}

/** Farthest that a shape is from the body's place. @param {Shape} shape */
function reachOf(shape) {
    return Math.max(...cornersOf(shape).map(([x, y]) => Math.hypot(x, y)));
}

/** How long a shape is along the body. @param {Shape} shape */
function lengthOf(shape) {
    const along = cornersOf(shape).map(([x]) => x);
    return Math.max(...along) - Math.min(...along);
}

/** @param {number} px @param {number} py @param {number} radius */
function ringPath(px, py, radius) {
    const path = new Path2D();
    path.arc(px, py, Math.max(radius, 0), 0, 2 * Math.PI);
    return path;
}

/** The map's colours as whole pixels. @param {Uint8ClampedArray} map */
function wordsOf(map) {
    const words = new Uint32Array(MAP_COLOURS);
    const bytes = new Uint8ClampedArray(words.buffer);
    for (let i = 0; i < MAP_COLOURS; i += 1) bytes.set([map[3 * i], map[3 * i + 1], map[3 * i + 2], 255], 4 * i);
    return words;
}

/** @param {{ xx: number, xy: number, yy: number }} spread */
function principalAxes({ xx, xy, yy }) {
    const middle = (xx + yy) / 2;
    const half = Math.hypot((xx - yy) / 2, xy);
    return { long: Math.sqrt(middle + half), short: Math.sqrt(Math.max(middle - half, 0)), angle: 0.5 * Math.atan2(2 * xy, xx - yy) };
}

/** A place some way from one towards another. @param {{ x: number, y: number }} from @param {{ x: number, y: number }} to
 * @param {number} way @returns {Place2} */
function towards(from, to, way) {
    const share = way / Math.max(Math.hypot(to.x - from.x, to.y - from.y), 2 * way, 1e-12);
    return [from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share];
}

/** @param {Path2D} path @param {Place2} from @param {Place2} to */
function addArrow(path, from, to) {
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const length = Math.hypot(dx, dy);
    const head = Math.min(7, length * 0.5) / length;
    path.moveTo(from[0], from[1]);
    path.lineTo(to[0], to[1]);
    for (const side of [-1, 1]) {
        path.moveTo(to[0], to[1]);
        path.lineTo(to[0] - head * (dx - side * 0.5 * dy), to[1] - head * (dy + side * 0.5 * dx));
    }
}
