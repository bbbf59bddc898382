// The picture: the marks of a view at a moment of a film, one function a kind.
/** @import { Break } from './alarms.js' */
/** @import { Theme } from './colour.js' */
/** @import { Film } from './data.js' */
/** @import { Body, Moment, Seen } from './moment.js' */
/** @import { BodyDraw, CircleDraw, Color, Coord, EllipseDraw, Ink, LabelDraw, Lettering, Line, LineDraw, LinkDraw, Mark, Part,
 *   Place2, Place3, PlaceSpec, PlaneDraw, PointsDraw, PolygonsDraw, ProfileDraw, Projection, Raster, ScanDraw, Shape, Tint, TrailDraw,
 *   VectorDraw, ViewSpec, Wells, Width } from './spec.js' */
/** @import { View } from './view.js' */
import { MAP_COLOURS, mapIndex, rgbOf } from './colour.js';
import { breakWords } from './alarms.js';
import { covariance, emptyGrid, fillGrid, gaussiansAt, motionOf } from './field.js';
import { columnOf, coordOf, distanceOf, placeIn } from './moment.js';
import { Painter } from './paint.js';
import { groundCut, groundLines, rasterImage, rasterSize } from './raster.js';

/**
 * @typedef {{ stream: string, place: number }} Followed
 * @typedef {Record<string, boolean>} Layers
 * @typedef {{ film: Film, projection: Projection, view: View, theme: Theme, layers: Layers, followed: Followed | null, moment: Moment,
 *   breaks: Break[] }} Scene
 * @typedef {{ text: string, px: number, py: number, body: Body }} Label words and their middle
 */

/** Height of the type that marks count in, px on a page with the usual type. */
const EM_PX = 12;

/** Side of a usual picture, px: lines that may be fine are thinner in a smaller one, but keep this share of their width. */
const USUAL_PX = 700;
const MIN_PEN = 0.4;

/** Parts of a trail, the older the fainter. */
const TRAIL_PARTS = 4;

/** Points of a trail, at most. */
const TRAIL_POINTS = 96;

/** Smaller words are not read, px. */
const MIN_TYPE_PX = 6;

/** Bodies above which trails are drawn only when zoomed in. */
const MANY = 200;

/** Room between two lines of the grid that is looked for, px. */
const GRID_PX = 60;

/** How many times closer the lines of an axis with a scale of its own may be. */
const FLAT_GRID = 2.5;

/** Scans above which each is fainter. */
const STRONG_SCANS = 6;

/** Cells of the grid of a potential in a standard deviation of a well. */
const CELLS_OF_SIGMA = 8;

/** Farthest that a label moves from its place, in its own heights. */
const MAX_LABEL_SHIFT = 3;

/** Labels that overlap by less do not cover each other, px: a moved one ends where the other begins, but for rounding. */
const TOUCHING_PX = 1e-6;

/** Widths of words that a picture remembers. */
const KNOWN_WIDTHS = 1000;

/** A body that is shown smaller than this gets a ring that can be seen, in heights of the type. */
const MIN_BODY_EM = 0.8;

/** Fixed marks, drawn once on a canvas of their own for as long as they look the same. */
class Sheet {
    /** @param {Mark[]} marks */
    constructor(marks) {
        this.marks = marks;
        this.painter = new MarkPainter(document.createElement('canvas'));
        this.look = '';
    }

    /** Its canvas as it looks in a scene. @param {Scene} scene @param {MarkPainter} on the canvas that it is put on */
    drawn(scene, { canvas, ratio, type }) {
        const { painter, marks } = this;
        const { view, theme, layers } = scene;
        const look = JSON.stringify([view.plane, view.size, view.center, view.zoom, theme.dark, layers, ratio, type]);
        if (look !== this.look) {
            this.look = look;
            painter.fit(canvas.width, canvas.height, ratio, type);
            for (const mark of marks) painter.mark(scene, mark);
        }
        return painter.canvas;
    }
}

/** True if a mark is the same at all times of a run: it is about no owner. @param {Mark} mark */
function isFixed({ of, draw }) {
    return of === null && !draw.wells && !draw.scan && !draw.link;
}

/** Marks in their order, with those that are fixed and follow each other on one sheet. @param {Mark[]} marks */
function piecesOf(marks) {
    /** @type {(Mark | Sheet)[]} */
    const pieces = [];
    for (const mark of marks) {
        const last = pieces[pieces.length - 1];
        if (!isFixed(mark)) pieces.push(mark);
        else if (last instanceof Sheet) last.marks.push(mark);
        else pieces.push(new Sheet([mark]));
    }
    return pieces;
}

/** Draws scenes. */
export class MarkPainter extends Painter {
    /** @param {HTMLCanvasElement} canvas */
    constructor(canvas) {
        super(canvas);
        this.heat = document.createElement('canvas');
        this.heatContext = /** @type {CanvasRenderingContext2D} */ (this.heat.getContext('2d'));
        /** @type {{ film: Film | null, time_s: number, theme: Theme | null }} */
        this.heatOf = { film: null, time_s: NaN, theme: null };
        /** Rasters in colours, each with the theme that they are from. @type {WeakMap<Raster, { theme: Theme, canvas: OffscreenCanvas }>} */
        this.rasters = new WeakMap();
        /** The view of which the marks are laid out. @type {ViewSpec | null} */
        this.laidOut = null;
        /** In the order in which they are drawn. @type {(Mark | Sheet)[]} */
        this.pieces = [];
        /** Widths of words on grounds, px, by their size and text. @type {Map<string, number>} */
        this.widths = new Map();
        /** Middles and half sides of the labels so far, px. @type {{ px: number, py: number, half: number, high: number }[]} */
        this.labels = [];
    }

    /** Draws a scene, where the canvas has a place on the page. @param {Scene} scene */
    draw(scene) {
        if (!this.canvas.width || !this.canvas.height) return;
        const { view } = scene.film;
        this.context.clearRect(0, 0, scene.view.size.width, scene.view.size.height);
        this.labels = [];
        if (this.laidOut !== view) [this.laidOut, this.pieces] = [view, piecesOf(view.marks)];
        for (const piece of this.pieces) {
            if (piece instanceof Sheet) this.sheet(scene, piece);
            else this.mark(scene, piece);
        }
        this.border(scene);
        if (view.projections.length > 1) this.caption(scene);
        this.followed(scene);
    }

    /** @param {Scene} scene @param {Sheet} sheet */
    sheet(scene, sheet) {
        const { width, height } = this.canvas;
        this.context.drawImage(sheet.drawn(scene, this), 0, 0, width / this.ratio, height / this.ratio);
    }

    /** One mark, if it is seen. @param {Scene} scene @param {Mark} mark */
    mark(scene, mark) {
        // What is on none of the layers that can be chosen belongs to every picture.
        const isShown = mark.layer === null || (scene.layers[mark.layer] ?? true);
        const hasAlarm = mark.draw.circle?.alarm;
        if ((isShown || hasAlarm) && this.isLarge(scene, mark) && isSeenIn(scene.projection, mark)) this.drawMark(scene, mark, isShown);
    }

    /** @param {Scene} scene @param {Mark} mark @param {boolean} isShown false: only those in alarm */
    drawMark(scene, mark, isShown) {
        const bodies = this.bodiesOf(scene, mark).filter((body) => isShown || scene.moment.isAlarmed(body));
        const { plane, polygons, points, raster, profile, body, circle, ellipse, trail, vector, scan, wells, line, link, label } = mark.draw;
        const isPlan = scene.view.level === null;
        if (plane) this.plane(scene, plane);
        if (polygons) this.polygons(scene, polygons);
        if (points) this.points(scene, points);
        if (raster && isPlan) this.raster(scene, raster);
        if (raster && !isPlan) this.ground(scene, raster);
        if (profile && !isPlan) this.profiles(scene, profile, bodies);
        if (body) this.bodies(scene, body, bodies);
        if (circle) this.circles(scene, circle, bodies);
        if (ellipse && isPlan) this.ellipses(scene, ellipse, bodies);
        if (trail) this.trails(scene, trail, bodies);
        if (vector) this.vectors(scene, vector, bodies);
        if (scan) this.scans(scene, scan);
        if (wells && isPlan) this.wells(scene, wells);
        if (line) this.lines(scene, line, mark.of === null ? [null] : bodies);
        if (link) this.links(scene, link);
        if (label) this.labelBodies(scene, label, bodies);
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
        return width.fine * this.type * Math.min(Math.max(share, MIN_PEN), 1);
    }

    /** A colour as CSS. @param {Scene} scene @param {Tint} tint @param {Body | null} body */
    colour({ theme }, tint, body) {
        const { color, alpha, by } = tint;
        if (by && body) return css(rgbIn(theme, color, body), by[1] + (alpha - by[1]) * Math.min(columnOf(body, by[0]) / by[2], 1));
        if (color === 'owner' || typeof color !== 'string') return css(rgbIn(theme, color, body), alpha);
        const known = theme.tints.get(tint) ?? css(rgbIn(theme, color, body), alpha);
        theme.tints.set(tint, known);
        return known;
    }

    /** Fills and strokes the path that was begun last. @param {Scene} scene @param {Ink} ink @param {Body | null} body
     * @param {CanvasFillRule} [rule] */
    ink(scene, { fill, line }, body, rule = 'nonzero') {
        if (fill) {
            this.context.fillStyle = this.colour(scene, fill, body);
            this.context.fill(rule);
        }
        if (line) this.stroke(scene, line, body);
    }

    /** @param {Scene} scene @param {Line} line @param {Body | null} body */
    stroke(scene, { tint, width, dash }, body) {
        const { context } = this;
        const width_px = this.pen(scene, width);
        context.strokeStyle = this.colour(scene, tint, body);
        context.lineWidth = width_px;
        if (!dash) return context.stroke();
        context.setLineDash(dash.map((length) => length * this.type));
        // Dashes that are shorter than wide are dots.
        if (dash[0] * this.type < 2 * width_px) context.lineCap = 'round';
        context.stroke();
        context.setLineDash([]);
        context.lineCap = 'butt';
    }

    /** The plane with its grid. @param {Scene} scene @param {PlaneDraw} draw */
    plane(scene, { fill, has_grid }) {
        const { view, theme, film } = scene;
        this.context.beginPath();
        this.context.rect(...this.box(scene));
        this.ink(scene, { fill, line: null }, null);
        if (!has_grid) return;
        const every = (/** @type {number} */ scale) => {
            const rough = (GRID_PX * this.type) / (scale / view.zoom);
            const power = 10 ** Math.floor(Math.log10(rough));
            return [1, 2, 5, 10].map((n) => n * power).find((step) => step >= rough) ?? rough;
        };
        this.gridLines({ view, theme }, [every(view.scale), every(view.plane.fills ? FLAT_GRID * view.rise : view.rise)], film.view.unit);
    }

    /** Which axes a picture shows, where there are several. @param {Scene} scene */
    caption(scene) {
        const { context } = this;
        const { projection, film, view, theme } = scene;
        const [right, across] = projection.axes;
        const [left, top] = this.box(scene);
        const longer = projection.height === undefined ? '' : `, vertical exaggeration ${(view.rise / view.scale).toFixed(1)}`;
        context.font = this.font(10);
        context.fillStyle = theme.colors.faint;
        context.textAlign = 'left';
        context.textBaseline = 'bottom';
        const words = `${projection.name}: ${across} over ${right} in ${film.view.unit}${longer}`;
        context.fillText(words, Math.max(left, 4), Math.max(top - 5, 16 * this.type));
    }

    /** The area that is seen, px. @param {Scene} scene @returns {[number, number, number, number]} */
    box({ view }) {
        const { x, y, width, height, up } = view.plane;
        return [view.px(x), view.py(up ? y + height : y), width * view.scale, height * view.rise];
    }

    /** The border of the area, in alarm if a limit is broken. @param {Scene} scene */
    border(scene) {
        const { context } = this;
        const isAlarm = scene.breaks.length > 0;
        context.strokeStyle = isAlarm ? scene.theme.colors.alarm : scene.theme.frame;
        context.lineWidth = isAlarm ? 5 : 1.5;
        context.strokeRect(...this.box(scene));
    }

    /** Begins a path along places. @param {View} view @param {Place3[][]} outlines @param {boolean} isClosed */
    path(view, outlines, isClosed) {
        const { context } = this;
        context.beginPath();
        for (const points of outlines) {
            points.forEach((place, n) => (n ? context.lineTo(...view.at(place)) : context.moveTo(...view.at(place))));
            if (isClosed) context.closePath();
        }
    }

    /** What does not move, with its names. @param {Scene} scene @param {PolygonsDraw} draw */
    polygons(scene, { shapes, is_closed, z, ink, labels }) {
        const { context } = this;
        const outlines = shapes.map(({ points }) => points.map(([x, y]) => ({ x, y, z })));
        this.within(scene, () => {
            context.lineJoin = 'round';
            this.path(scene.view, outlines, is_closed);
            this.ink(scene, ink, null, 'evenodd');
        });
        if (!labels) return;
        shapes.forEach(({ label }, n) => {
            const places = outlines[n].map((place) => scene.view.at(place));
            if (label !== null) this.outlineLabel(scene, places, label, labels);
        });
    }

    /** Draws what ends with the area. @param {Scene} scene @param {() => void} draw */
    within(scene, draw) {
        const { context } = this;
        context.save();
        context.beginPath();
        context.rect(...this.box(scene));
        context.clip();
        draw();
        context.restore();
    }

    /** Places that do not move. @param {Scene} scene @param {PointsDraw} draw */
    points(scene, { places, radius, ink, line }) {
        const there = places.map(([x, y, z]) => ({ x, y, z }));
        if (line) {
            this.path(scene.view, [there], false);
            this.stroke(scene, line, null);
        }
        for (const place of there) {
            this.ring(...scene.view.at(place), this.long(scene, radius));
            this.ink(scene, ink, null);
        }
    }

    /** Values in colours. @param {Scene} scene @param {Raster} raster */
    raster(scene, raster) {
        const { context } = this;
        const { view } = scene;
        const canvas = this.rasterCanvas(scene.theme, raster);
        const [[columns, rows], [x, y], [dx, dy]] = [rasterSize(raster), raster.from, raster.step];
        const [right, across] = [view.of({ x: 1, y: 0, z: 0 }), view.of({ x: 0, y: 1, z: 0 })];
        this.within(scene, () => {
            context.transform(view.scale * right[0], view.down * right[1], view.scale * across[0], view.down * across[1], ...view.at({ x, y, z: 0 }));
            context.beginPath();
            context.rect(0, 0, (columns - 1) * dx, (rows - 1) * dy);
            context.clip();
            context.imageSmoothingEnabled = true;
            context.drawImage(canvas, -dx / 2, -dy / 2, columns * dx, rows * dy);
        });
    }

    /** @param {Theme} theme @param {Raster} raster */
    rasterCanvas(theme, raster) {
        const known = this.rasters.get(raster);
        if (known?.theme === theme) return known.canvas;
        const canvas = new OffscreenCanvas(...rasterSize(raster));
        canvas.getContext('2d')?.putImageData(rasterImage(raster, rasterStops(theme, raster)), 0, 0);
        this.rasters.set(raster, { theme, canvas });
        return canvas;
    }

    /** The ground up to the highest value across the view, and up to the lowest one again. @param {Scene} scene @param {Raster} raster */
    ground(scene, raster) {
        const { view } = scene;
        if (!raster.ground || !view.level) return;
        const { fill, line } = raster.ground;
        const bottom = view.plane.axes[0] === 'z' ? view.plane.x : view.plane.y;
        for (const fold of [Math.max, Math.min]) {
            for (const run of groundLines(raster, view.level, fold)) {
                const surface = run.map(([at, z]) => besideZ(view.level, at, z));
                const ends = [run[run.length - 1], run[0]].map(([at]) => besideZ(view.level, at, bottom));
                this.within(scene, () => {
                    this.path(view, [[...surface, ...ends]], true);
                    this.ink(scene, { fill, line: null }, null);
                    this.path(view, [surface], false);
                    this.ink(scene, { fill: null, line }, null);
                });
            }
        }
    }

    /** The ground where the plane of the picture cuts it at each body. @param {Scene} scene @param {ProfileDraw} draw @param {Body[]} bodies */
    profiles(scene, { raster: name, line }, bodies) {
        const { view, film } = scene;
        const raster = film.view.marks.find(({ draw }) => draw.raster?.name === name)?.draw.raster;
        if (!raster || !view.level) return;
        for (const body of bodies) {
            const cut = groundCut(raster, view.level, body).map((run) => run.map(([at, z]) => besideZ(view.level, at, z)));
            this.within(scene, () => {
                this.path(view, cut, false);
                this.stroke(scene, line, body);
            });
        }
    }

    /** A name in the middle of its outline, or in its upper left corner. @param {Scene} scene @param {Place2[]} places px
     * @param {string} text @param {Lettering} lettering */
    outlineLabel(scene, places, text, lettering) {
        const { context } = this;
        const size = this.long(scene, lettering.size);
        const [left, right, top, bottom] = [places.map(([px]) => px), places.map(([, py]) => py)].flatMap((ends) => [
            Math.min(...ends),
            Math.max(...ends),
        ]);
        context.font = letters(lettering, size);
        context.fillStyle = this.colour(scene, lettering.tint, null);
        if (lettering.is_centred) {
            context.textAlign = 'center';
            context.textBaseline = 'middle';
            const side = Math.hypot(places[1][0] - places[0][0], places[1][1] - places[0][1]);
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
            if (scene.view.level !== null && !parts.some(({ shape }) => 'prism' in shape)) {
                this.disc(scene, parts, body, isAlarm);
                continue;
            }
            if (shadow && scene.view.level === null && body.z > shadow[0] && parts.length) this.shadow(scene, parts[0].shape, body, shadow[1]);
            if (has_finder) this.finder(scene, parts, body, isAlarm);
            for (const part of parts) {
                if (!scene.moment.holds(body, part.when)) continue;
                if ('prism' in part.shape) this.prism(scene, part.shape.prism, body, part);
                else this.flat(scene, part.shape, body, part.turn);
                this.ink(scene, (isAlarm && part.alarm) || part.ink, body);
            }
        }
    }

    /** A body of no known height from the side. @param {Scene} scene @param {Part[]} parts @param {Body} body @param {boolean} isAlarm */
    disc(scene, parts, body, isAlarm) {
        if (!parts.length) return;
        const { fill, line } = (isAlarm && parts[0].alarm) || parts[0].ink;
        const tint = fill ?? line?.tint;
        if (!tint) return;
        const { context } = this;
        this.ring(...scene.view.at(body), (MIN_BODY_EM * this.em) / 2);
        context.fillStyle = this.colour(scene, tint, body);
        context.fill();
        context.strokeStyle = scene.theme.colors.on_body;
        context.lineWidth = 1;
        context.stroke();
    }

    /** Begins the path of a prism's silhouette. @param {Scene} scene @param {[Place2[], Place2]} prism @param {Body} body @param {Part} part */
    prism({ view }, [points, heights], body, { turn }) {
        const angle = turn ? columnOf(body, turn[0]) : 0;
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
        const [u, v] = turn ? turn[1] : [0, 0];
        const turned = points.map(([x, y]) => /** @type {Place2} */ ([u + cos * (x - u) - sin * (y - v), v + sin * (x - u) + cos * (y - v)]));
        const { context } = this;
        const corners = hullOf(turned.flatMap((at) => heights.map((height) => view.at(placeIn(body, at, height)))));
        context.beginPath();
        for (const [px, py] of corners) context.lineTo(px, py);
        context.closePath();
    }

    /** Begins the path of a flat shape in a body's axes. @param {Scene} scene @param {Shape} shape @param {Body} body
     * @param {Part['turn']} turn @param {number} [off] by which it lies farther right and down, px */
    flat({ view }, shape, body, turn, off = 0) {
        const { context } = this;
        const [[a, b], [c, d], [px, py]] = [view.of(body.ahead), view.of(body.side), view.at(body)];
        context.beginPath();
        context.transform(a * view.scale, b * view.down, c * view.scale, d * view.down, px + off, py + off);
        if (turn) {
            const [column, [u, v]] = turn;
            context.translate(u, v);
            context.rotate(columnOf(body, column));
            context.translate(-u, -v);
        }
        trace(context, shape);
        this.toPage();
    }

    /** The higher a body is, the farther off its shadow lies. @param {Scene} scene @param {Shape} shape @param {Body} body
     * @param {number} most */
    shadow(scene, shape, body, most) {
        this.flat(scene, shape, body, null, 0.35 * Math.min(body.z, most) * scene.view.scale);
        this.context.fillStyle = 'rgb(0 0 0 / 0.5)';
        this.context.fill();
    }

    /** A ring round a body that is too small to be seen. @param {Scene} scene @param {Part[]} parts @param {Body} body
     * @param {boolean} isAlarm */
    finder({ view, theme }, parts, body, isAlarm) {
        const length = Math.max(...parts.map(({ shape }) => lengthOf(shape)));
        if (length * view.scale >= MIN_BODY_EM * this.em) return;
        this.context.strokeStyle = isAlarm ? theme.colors.alarm : theme.series[body.id % theme.series.length];
        this.context.lineWidth = 2;
        this.strokeRing(...view.at(body), (MIN_BODY_EM * this.em) / 2);
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
            this.ring(...view.at(body), this.long(scene, [coordOf(body, coord), ems]));
            this.ink(scene, (moment.isAlarmed(body) && alarm) || ink, body);
        }
        context.restore();
    }

    /** The spread of a moving well, now and in the times to come. @param {Scene} scene @param {EllipseDraw} draw @param {Body[]} bodies */
    ellipses(scene, { sigma, stretch_s, ahead_s, line }, bodies) {
        const { context } = this;
        const { view, film, moment } = scene;
        for (const body of bodies) {
            ahead_s.forEach((tau_s, n) => {
                const { x, y, vx, vy } = motionOf(film, body, moment.time_s + tau_s);
                const axes = principalAxes(covariance({ sigma, stretch_s }, vx, vy));
                const angle = view.plane.up ? -axes.angle : axes.angle;
                context.beginPath();
                context.ellipse(...view.at({ x, y, z: body.z }), axes.long * view.scale, axes.short * view.scale, angle, 0, 2 * Math.PI);
                context.globalAlpha = Math.max(1 - 0.24 * n, 0.2);
                this.stroke(scene, line, body);
            });
        }
        context.globalAlpha = 1;
    }

    /** The way of the last seconds, the older the fainter, and that of the coming ones. @param {Scene} scene @param {TrailDraw} draw
     * @param {Body[]} bodies */
    trails(scene, { back_s, ahead_s, line }, bodies) {
        const { context } = this;
        const { film, view, moment } = scene;
        if (bodies.length > MANY && view.zoom < 3) return;
        const { row } = film.at(moment.time_s);
        const [first, last] = [moment.time_s - back_s, moment.time_s + ahead_s].map((time_s) => film.at(time_s).row);
        context.lineJoin = 'round';
        for (const body of bodies) {
            const here = view.at(body);
            for (let part = 0; part < TRAIL_PARTS && back_s > 0; part += 1) {
                const [from, to] = [part, part + 1].map((at) => first + Math.round(((row - first) * at) / TRAIL_PARTS));
                context.beginPath();
                this.way(scene, body, from, to);
                if (part === TRAIL_PARTS - 1) context.lineTo(here[0], here[1]);
                context.globalAlpha = 0.25 + 0.25 * part;
                this.stroke(scene, line, body);
            }
            context.globalAlpha = 1;
            if (ahead_s === 0) continue;
            context.beginPath();
            context.moveTo(here[0], here[1]);
            this.way(scene, body, row + 1, last);
            this.stroke(scene, line, body);
        }
    }

    /** The path goes on along the places of a body in some rows. @param {Scene} scene @param {Body} body @param {number} from
     * @param {number} to */
    way({ view }, { party, table, place }, from, to) {
        const coord = (/** @type {Coord} */ one) => (typeof one === 'string' ? table.reader(one) : () => one);
        const { x, y, z } = party.place;
        const [read_x, read_y, read_z] = [coord(x), coord(y), coord(z)];
        const every = Math.max(1, Math.ceil((TRAIL_PARTS * (to - from)) / TRAIL_POINTS));
        for (let row = from; row <= to; row = row === to ? to + 1 : Math.min(row + every, to)) {
            const at = { x: read_x(row, place), y: read_y(row, place), z: read_z(row, place) };
            if (!Number.isNaN(at.x)) this.context.lineTo(...view.at(at));
        }
    }

    /** Arrows with a casing that sets them off. @param {Scene} scene @param {VectorDraw} draw @param {Body[]} bodies */
    vectors(scene, { along, up, factor, gap, tint }, bodies) {
        const { context } = this;
        const { view, theme } = scene;
        context.beginPath();
        for (const body of bodies) {
            const [vx, vy] = along.map((name) => columnOf(body, name));
            const vz = up === undefined ? 0 : columnOf(body, up);
            const length = Math.hypot(vx, vy, vz);
            const tip = (/** @type {number} */ share) => view.at({ x: body.x + vx * share, y: body.y + vy * share, z: body.z + vz * share });
            const [from, to] = [tip(gap / length), tip(gap / length + factor)];
            if (Math.hypot(to[0] - from[0], to[1] - from[1]) > 2) addArrow(context, from, to);
        }
        context.lineWidth = 4;
        context.strokeStyle = theme.colors.floor;
        context.stroke();
        context.lineWidth = 2;
        context.strokeStyle = this.colour(scene, tint, bodies[0] ?? null);
        context.stroke();
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
                this.crossed(scene, scan);
                context.fill();
                context.globalAlpha = 1;
            }
            if (!scan || !hits) continue;
            context.fillStyle = this.colour(scene, hits, body);
            for (const hit of scan.hits) {
                if (!hit) continue;
                const [px, py] = scene.view.at(hit);
                context.fillRect(px - 1.3, py - 1.3, 2.6, 2.6);
            }
        }
    }

    /** Begins the path of the space that rays crossed. @param {Scene} scene @param {Seen} scan */
    crossed({ view }, { origin, hits, isFullTurn }) {
        const corners = hits.map((hit) => hit ?? origin);
        this.path(view, [isFullTurn ? corners : [origin, ...corners]], true);
    }

    /** The potential in colours. @param {Scene} scene @param {Wells} spec */
    wells(scene, spec) {
        const { film } = scene;
        if (!film.sampled.has(spec.wells) && !film.sampled.has(spec.hills)) return;
        const { context } = this;
        this.refreshHeat(scene, spec);
        const [left, top, width, height] = this.box(scene);
        const [cell_x, cell_y] = [width / (this.heat.width - 1), height / (this.heat.height - 1)];
        this.within(scene, () => {
            context.imageSmoothingEnabled = true;
            if (scene.view.plane.up) {
                context.translate(0, 2 * top + height);
                context.scale(1, -1);
            }
            context.drawImage(this.heat, left - cell_x / 2, top - cell_y / 2, width + cell_x, height + cell_y);
        });
    }

    /** Computes the picture of the potential again if anything that it shows has changed. @param {Scene} scene @param {Wells} spec */
    refreshHeat({ film, theme, view: { plane }, moment: { time_s } }, spec) {
        if (this.heatOf.film === film && this.heatOf.time_s === time_s && this.heatOf.theme === theme) return;
        if (this.heatOf.film !== film) {
            const { x, y, width, height } = plane;
            this.grid = emptyGrid([[x, y], [x + width, y + height]], spec.sigma / CELLS_OF_SIGMA);
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
        paintValues(new Uint32Array(image.data.buffer), grid.values, colours, spec.extent);
        this.heatContext.putImageData(image, 0, 0);
    }

    /** @param {Scene} scene @param {LineDraw} draw @param {(Body | null)[]} bodies */
    lines(scene, { from, to, line }, bodies) {
        for (const body of bodies) {
            const read = (/** @type {Coord} */ coord) => (body ? coordOf(body, coord) : typeof coord === 'number' ? coord : NaN);
            const place = (/** @type {PlaceSpec} */ { x, y, z }) => ({ x: read(x), y: read(y), z: read(z) });
            this.path(scene.view, [[place(from), place(to)]], false);
            this.stroke(scene, line, body);
        }
    }

    /** Rings round those that break limits, and a line with the distance from one to the other; dashed where it is over.
     * @param {Scene} scene @param {LinkDraw} draw */
    links(scene, { limits, gap, ring }) {
        const { context } = this;
        const { view, theme, film } = scene;
        const { alarm, on_alarm } = theme.colors;
        const limited = scene.breaks.filter(({ limit }) => limits.includes(limit.name));
        context.strokeStyle = alarm;
        context.lineWidth = 3.5;
        for (const { limit, body, other, isOver } of limited) {
            context.setLineDash(isOver ? [7, 5] : []);
            const ringed = limit.to === limit.of && other ? [body, other] : [body];
            if (ring !== null) for (const one of ringed) this.strokeRing(...view.at(one), ring * view.scale);
            if (other) this.line(view, towards(body, other, gap), towards(other, body, gap));
        }
        context.setLineDash([]);
        context.font = this.plateFont();
        for (const one of limited) {
            const { body, other } = one;
            const words = breakWords(one, film.view.unit);
            // Where there is little space between the two, words would hide them.
            if (!other || context.measureText(words).width > distanceOf(body, other) * view.scale) continue;
            this.plate(words, ...view.at(between(body, other, 0.5)), alarm, on_alarm);
        }
    }

    /** Words about owners: of each the first that can be said. @param {Scene} scene @param {LabelDraw} draw @param {Body[]} bodies */
    labelBodies(scene, draw, bodies) {
        const { context } = this;
        const { lettering, alarm, ground } = draw;
        const size = this.long(scene, lettering.size);
        if (size < MIN_TYPE_PX) return;
        const words = this.wordsAt(scene, draw, bodies);
        const shown = ground ? this.onGrounds(scene, ground, words, size) : words;
        context.font = letters(lettering, size);
        context.textAlign = 'center';
        context.textBaseline = 'middle';
        for (const { text, px, py, body } of shown) {
            context.fillStyle = this.colour(scene, (scene.moment.isAlarmed(body) && alarm) || lettering.tint, body);
            context.fillText(text, px, py + 0.06 * size);
        }
    }

    /** What is said of each owner, and where its middle belongs. @param {Scene} scene @param {LabelDraw} draw @param {Body[]} bodies
     * @returns {Label[]} */
    wordsAt(scene, { words, at, below }, bodies) {
        const down = this.long(scene, below);
        return bodies.flatMap((body) => {
            /** @type {string | null} */
            let text = null;
            for (const phrase of words) text ??= scene.moment.words(body.party.stream, body, phrase);
            const [px, py] = scene.view.at(placeIn(body, at));
            return text ? [{ text, px, py: py + down, body }] : [];
        });
    }

    /** Labels that find a place, with the ground that keeps each readable. @param {Scene} scene @param {Tint} tint @param {Label[]} words
     * @param {number} size px */
    onGrounds(scene, tint, words, size) {
        const { context } = this;
        return words.flatMap((label) => {
            const { text, px, body } = label;
            const half = this.widthOf(text, size) / 2 + 0.35 * size;
            const py = this.labelPlace(px, label.py, half, 0.7 * size);
            if (py === null) return [];
            context.fillStyle = this.colour(scene, tint, body);
            context.beginPath();
            context.roundRect(px - half, py - 0.7 * size, 2 * half, 1.4 * size, 0.25 * size);
            context.fill();
            return [{ ...label, py }];
        });
    }

    /** Width of bold words, px: the same ones stand in picture after picture. @param {string} text @param {number} size px */
    widthOf(text, size) {
        const key = `${size} ${text}`;
        const known = this.widths.get(key);
        if (known !== undefined) return known;
        if (this.widths.size >= KNOWN_WIDTHS) this.widths.clear();
        this.context.font = `600 ${size}px system-ui, sans-serif`;
        const { width } = this.context.measureText(text);
        this.widths.set(key, width);
        return width;
    }

    /** Height of a label that does not cover an earlier one: its own, or straight below. Nothing if that is too far.
     * @param {number} px @param {number} py its middle @param {number} half @param {number} high half its sides */
    labelPlace(px, py, half, high) {
        let at = py;
        for (;;) {
            const covered = this.labels.find(
                (one) => Math.abs(px - one.px) < half + one.half - TOUCHING_PX && Math.abs(at - one.py) < high + one.high - TOUCHING_PX,
            );
            if (!covered) break;
            at = covered.py + covered.high + high;
            if (at - py > MAX_LABEL_SHIFT * 2 * high) return null;
        }
        this.labels.push({ px, py: at, half, high });
        return at;
    }

    /** A ring round the one that is followed. @param {Scene} scene */
    followed({ film, view, theme, followed, moment }) {
        const body = followed && moment.bodies(followed.stream).find(({ place }) => place === followed.place);
        if (!body) return;
        this.context.strokeStyle = theme.follow;
        this.context.lineWidth = 2.5;
        this.strokeRing(...view.at(body), Math.max(1.2 * this.reach(film, body) * view.scale, 11));
    }

    /** Farthest that a body is drawn from its place. @param {Film} film @param {Body} body */
    reach({ view: { marks } }, { party, id }) {
        const own = marks.filter(({ of, owners }) => of === party.stream && (!owners.length || owners.includes(id)));
        const reaches = own.flatMap(({ draw }) => (draw.body?.parts ?? []).map(({ shape }) => reachOf(shape)));
        return reaches.length ? Math.max(...reaches) : (party.reach ?? 0) / 1.2;
    }
}

/** @param {number[]} rgb @param {number} alpha */
function css(rgb, alpha) {
    return `rgb(${rgb.join(' ')} / ${alpha})`;
}

/** The font of words on a picture. @param {Lettering} lettering @param {number} size px */
function letters({ is_bold }, size) {
    return `${is_bold ? 700 : 400} ${size}px system-ui, sans-serif`;
}

/** @param {Theme} theme @param {Color} color @param {Body | null} body */
function rgbIn(theme, color, body) {
    if (typeof color !== 'string') return 'rgb' in color ? color.rgb : color.lamp.map((name) => (body ? columnOf(body, name) : 0));
    return rgbOf(color === 'owner' ? theme.series[(body?.id ?? 0) % theme.series.length] : theme.colors[color]);
}

/** The path goes on along a shape. @param {CanvasRenderingContext2D} context @param {Shape} shape */
function trace(context, shape) {
    if ('disc' in shape) {
        const [[x, y], radius] = shape.disc;
        context.arc(x, y, radius, 0, 2 * Math.PI);
    } else if ('box' in shape) {
        const [[x, y], [right, high], radius] = shape.box;
        context.roundRect(x, y, right - x, high - y, radius);
    } else {
        for (const [x, y] of cornersOf(shape)) context.lineTo(x, y);
        if (!('line' in shape)) context.closePath();
    }
}

/** Corners of a shape in a body's axes. @param {Shape} shape @returns {Place2[]} */
function cornersOf(shape) {
    if ('polygon' in shape) return shape.polygon;
    if ('line' in shape) return shape.line;
    if ('prism' in shape) return shape.prism[0];
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

/** The map's colours as whole pixels. @param {Uint8ClampedArray} map */
function wordsOf(map) {
    const words = new Uint32Array(MAP_COLOURS);
    const bytes = new Uint8ClampedArray(words.buffer);
    for (let i = 0; i < MAP_COLOURS; i += 1) bytes.set([map[3 * i], map[3 * i + 1], map[3 * i + 2], 255], 4 * i);
    return words;
}

/** A pixel for each value. @param {Uint32Array} pixels @param {Float32Array} values @param {Uint32Array} colours of the map
 * @param {number} extent value at the map's end */
function paintValues(pixels, values, colours, extent) {
    for (let n = 0; n < values.length; n += 1) pixels[n] = colours[mapIndex(values[n] / extent)];
}

/** @param {{ xx: number, xy: number, yy: number }} spread */
function principalAxes({ xx, xy, yy }) {
    const middle = (xx + yy) / 2;
    const half = Math.hypot((xx - yy) / 2, xy);
    return { long: Math.sqrt(middle + half), short: Math.sqrt(Math.max(middle - half, 0)), angle: 0.5 * Math.atan2(2 * xy, xx - yy) };
}

/** A place at a share of the way from one to another. @param {Place3} from @param {Place3} to @param {number} share @returns {Place3} */
function between(from, to, share) {
    return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share, z: from.z + (to.z - from.z) * share };
}

/** A place some way from one towards another. @param {Place3} from @param {Place3} to @param {number} way */
function towards(from, to, way) {
    return between(from, to, way / Math.max(distanceOf(from, to), 2 * way, 1e-12));
}

/** A place of a side view. @param {'x' | 'y' | null} level @param {number} at @param {number} z @returns {Place3} */
function besideZ(level, at, z) {
    return level === 'y' ? { x: 0, y: at, z } : { x: at, y: 0, z };
}

/** True if a mark is drawn in a projection. @param {Projection} projection @param {Mark} mark */
function isSeenIn({ name }, { projections = [] }) {
    return !projections.length || projections.includes(name);
}

/** The outline of the places that lie farthest out (Andrew 1979). @param {Place2[]} places @returns {Place2[]} */
function hullOf(places) {
    const sorted = [...places].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const half = (/** @type {Place2[]} */ all) => {
        /** @type {Place2[]} */
        const chain = [];
        for (const place of all) {
            while (chain.length > 1) {
                const [a, b] = chain.slice(-2);
                if ((b[0] - a[0]) * (place[1] - b[1]) - (b[1] - a[1]) * (place[0] - b[0]) > 0) break;
                chain.pop();
            }
            chain.push(place);
        }
        return chain.slice(0, -1);
    };
    return [...half(sorted), ...half(sorted.reverse())];
}

/** Red, green and blue of a raster's colours. @param {Theme} theme @param {Raster} raster */
export function rasterStops(theme, { colors }) {
    return colors.map((color) => rgbIn(theme, color, null));
}

/** The path goes on along an arrow. @param {CanvasRenderingContext2D} context @param {Place2} from @param {Place2} to */
function addArrow(context, from, to) {
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const length = Math.hypot(dx, dy);
    const head = Math.min(7, length * 0.5) / length;
    context.moveTo(from[0], from[1]);
    context.lineTo(to[0], to[1]);
    for (const side of [-1, 1]) {
        context.moveTo(to[0], to[1]);
        context.lineTo(to[0] - head * (dx - side * 0.5 * dy), to[1] - head * (dy + side * 0.5 * dx));
    }
}
