// Types of view.json, as `sim_world::view` describes them. There is nothing in here that a page needs to run.

/**
 * @typedef {[number, number]} Place2
 * @typedef {number | string} Coord a number, or a column
 * @typedef {{ x: Coord, y: Coord, z: Coord }} PlaceSpec
 * @typedef {{ fixed: [Place2, Place2] | null, holds: [string, number[]][], margin: Place2 }} AreaSpec
 * @typedef {'x' | 'y' | 'z'} Axis
 * @typedef {{ x: number, y: number, z: number }} Place3
 * @typedef {{ name: string, axes: [Axis, Axis], is_up: boolean, area: AreaSpec, height?: number }} Projection
 * @typedef {{ name: string, title: string, about: string, is_shown: boolean }} LayerSpec
 * @typedef {{ stream: string, one: string, many: string, place: PlaceSpec, angles: string[], velocity: [string, string] | null,
 *   linear: string[], while_same: string | null, names: string[], reach: number | null }} Party
 * @typedef {{ owner: number, at: Place2, first_rad: number, step_rad: number, is_full_turn: boolean, least: number }} Mount
 * @typedef {{ stream: string, on: string, taken: string, ranges: string, ray: string | null, mounts: Mount[] }} Scanner
 * @typedef {{ name: string, of: string, events: string, matching: [string, string][], holds: [string, string] }} Flag
 * @typedef {{ at_least: [string, number] } | { at_most: [string, number] } | { is_not: [string, string] }} Rule
 * @typedef {{ stream: string, begin: string, end: string | null, subject: string, object: string | null }} Breaks
 * @typedef {{ name: string, of: string, rule: Rule, to: string | null, paints: string[], events: Breaks | null,
 *   least: [string, string] | null }} Limit
 * @typedef {{ above: [Quantity, number] } | { below: [Quantity, number] } | { flag: string } | 'alarm'} Condition
 * @typedef {{ column: string } | 'owner' | 'name' | { length: [string, string] } | { difference: [[string, string], [string, string]] } |
 *   { middle: [string, string] } | { tilt: [string, string] } | { nearest: string } | 'apart' | { within: [string, string] } |
 *   { over: { polygons: string, at: Place2, up_to: number } }} Quantity
 * @typedef {'min' | 'max' | 'mean' | 'count' | { share_above: number }} Fold
 * @typedef {{ of: Quantity, over: Fold | null, factor: number, digits: number }} Figure
 * @typedef {{ words: string, figures: Figure[], when: Condition[] }} Phrase
 * @typedef {string | { lamp: [string, string, string] } | { rgb: [number, number, number] }} Color
 * @typedef {{ color: Color, alpha: number, by: [string, number, number] | null }} Tint
 * @typedef {{ px: number } | { fine: number } | { length: number } | { limited: Place2 }} Width
 * @typedef {{ tint: Tint, width: Width, dash: Place2 | null }} Line
 * @typedef {{ fill: Tint | null, line: Line | null }} Ink
 * @typedef {{ tint: Tint, size: Place2, is_bold: boolean, is_centred: boolean }} Lettering
 * @typedef {{ points: Place2[], label: string | null }} Outline
 * @typedef {{ polygon: Place2[] } | { line: Place2[] } | { disc: [Place2, number] } | { box: [Place2, Place2, number] } |
 *   { prism: [Place2[], Place2] }} Shape
 * @typedef {{ shape: Shape, ink: Ink, alarm: Ink | null, turn: [string, Place2] | null, when: Condition[] }} Part
 * @typedef {{ wells: string, hills: string, hill: [string, string], scale: number, sigma: number, stretch_s: number, beta_per_s: number,
 *   window_s: number, frames: number, extent: number, words: [string, string, string, string] }} Wells
 * @typedef {{ name: string, from: Place2, step: Place2, columns: number, values: (number | null)[], range: Place2, colors: Color[],
 *   words: [string, string, string], ground: Ink | null }} Raster
 * @typedef {{ raster: string, line: Line }} ProfileDraw
 * @typedef {{ places: [number, number, number][], radius: Place2, ink: Ink, line: Line | null }} PointsDraw
 * @typedef {{ fill: Tint | null, has_grid: boolean }} PlaneDraw
 * @typedef {{ name: string | null, shapes: Outline[], is_closed: boolean, z: number, ink: Ink, labels: Lettering | null }} PolygonsDraw
 * @typedef {{ parts: Part[], has_finder: boolean, shadow: Place2 | null }} BodyDraw
 * @typedef {{ radius: [Coord, number], ink: Ink, alarm: Ink | null }} CircleDraw
 * @typedef {{ sigma: number, stretch_s: number, ahead_s: number[], line: Line }} EllipseDraw
 * @typedef {{ back_s: number, ahead_s: number, line: Line }} TrailDraw
 * @typedef {{ along: [string, string], up?: string, factor: number, gap: number, tint: Tint }} VectorDraw
 * @typedef {{ stream: string, seen: Tint | null, hits: Tint | null }} ScanDraw
 * @typedef {{ from: PlaceSpec, to: PlaceSpec, line: Line }} LineDraw
 * @typedef {{ limits: string[], gap: number, ring: number | null }} LinkDraw
 * @typedef {{ words: Phrase[], at: Place2, below: Place2, lettering: Lettering, alarm: Tint | null, ground: Tint | null }} LabelDraw
 * @typedef {{ plane: PlaneDraw, polygons: PolygonsDraw, points: PointsDraw, raster: Raster, profile: ProfileDraw, body: BodyDraw,
 *   circle: CircleDraw, ellipse: EllipseDraw, trail: TrailDraw, vector: VectorDraw, scan: ScanDraw, wells: Wells, line: LineDraw,
 *   link: LinkDraw, label: LabelDraw }} Draws
 * @typedef {{ layer: string | null, key: string | null, of: string | null, projections?: string[], owners: number[], when: Condition[],
 *   from: Place2 | null, draw: Partial<Draws> }} Mark draw: one of them
 * @typedef {{ title: string, unit: string, of: string, curves: Figure[], limit: string | null, range: Place2 | null, readings?: string }} PlotSpec
 * @typedef {{ stream: string, title: string, of: string, kinds: string[], words: string[] }} LogSpec
 * @typedef {{ column: string, span: Place2 }} Strip
 * @typedef {{ waterfall?: { strips: Strip[], across: string }, sectors?: { angle: string, width: number, strip: Strip, rows: number } }} ChartLayout
 * @typedef {{ name: string, title: string, stream: string, layout: ChartLayout, colors: Color[], range: Place2 | null, words: string }} ChartSpec
 * @typedef {{ limits: string[], none: string, now: string, just_now: string | null, counted: Words2, named: Words2 | null,
 *   past: Words2 | null }} Verdict
 * @typedef {[string, string]} Words2
 * @typedef {{ title: string, rows: Words2[] }} Distances
 * @typedef {{ of: string, is_each: boolean, title: Phrase, value: Phrase }} FactSpec
 * @typedef {{ of: string, title: string, at_most: number, sign: Tint, name: Phrase, cells: [string, number, Phrase[]][],
 *   below: Phrase[] }} List
 * @typedef {'scale' | { distances: Distances } | { verdict: Verdict } | { facts: FactSpec[] } | { list: List } |
 *   { key: { has_bar: boolean } }} Section
 * @typedef {{ unit: string, is_right_handed?: boolean, projections: Projection[], layers: LayerSpec[], parties: Party[], scanners: Scanner[], flags: Flag[],
 *   limits: Limit[], marks: Mark[], plots: PlotSpec[], logs?: LogSpec[], charts?: ChartSpec[], panel: { height: number, sections: Section[] }, sound: Words2 | null,
 *   remarks: string[] }} ViewSpec
 */

export {};
