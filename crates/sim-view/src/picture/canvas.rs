//! A scene with the view that it is drawn in.

use super::layout::{Layout, Pane, PlaneView};
use super::style::ViewStyle;
use crate::draw::{Anchor, Color, Ink, Path, Scene, Shape, Text, Weight};
use crate::theme::Theme;
use sim_core::{DVec2, DVec3, Rect};

/// Height of the type and scale of the swarm's mat in a picture of the usual width.
const USUAL_TYPE_PX: f64 = 15.0;
const USUAL_PX_PER_MM: f64 = 2.2;
/// Lines on a mat that is shown small keep this share of their width.
const MIN_PEN: f64 = 0.4;
/// Farthest that a label moves from its place, in its own heights.
const MAX_LABEL_SHIFT: f64 = 3.0;
/// Labels that overlap by less do not cover each other, px: a moved one ends where the other begins, but for rounding.
const TOUCHING_PX: f64 = 1e-6;

pub(super) struct Canvas<'a> {
    pub scene: Scene,
    pub view: PlaneView,
    pub type_px: f64,
    style: &'a ViewStyle,
    /// Labels of the pane so far, px.
    labels: Vec<Rect>,
}

impl<'a> Canvas<'a> {
    pub fn new(layout: &Layout, style: &'a ViewStyle) -> Self {
        let scene = Scene::new(layout.size, style.theme.ground);
        Self { scene, view: layout.panes[0].view, type_px: layout.type_px, style, labels: Vec::new() }
    }

    /// Draws in a pane. Where there are several, what reaches into another one is cut off.
    pub fn within<E>(
        &mut self,
        pane: &Pane,
        is_only: bool,
        draw: impl FnOnce(&mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        let (first, whole) = (self.scene.shapes.len(), self.view);
        self.view = pane.view;
        self.labels.clear();
        draw(self)?;
        self.view = whole;
        if !is_only {
            let shapes = self.scene.shapes.split_off(first);
            self.scene.shapes.push(Shape::Clip(pane.band, shapes));
        }
        Ok(())
    }

    pub fn theme(&self) -> &'a Theme {
        &self.style.theme
    }

    pub fn shows(&self, layer: &str) -> bool {
        self.style.shows(layer)
    }

    /// A place of the plane, px.
    pub fn px(&self, place: DVec2) -> DVec2 {
        self.view.px(place)
    }

    /// A place of the world, px.
    pub fn px_of(&self, place: DVec3) -> DVec2 {
        self.px(self.view.plane.of(place))
    }

    /// A length on the plane, px.
    pub fn long(&self, length: f64) -> f64 {
        length * self.view.px_per_unit
    }

    /// Width of a line that is `width` px in a picture of the usual size.
    pub fn pen(&self, width: f64) -> f64 {
        width * self.type_px / USUAL_TYPE_PX
    }

    /// The same for lines on the mat: thinner where the mat is shown small.
    pub fn fine_pen(&self, width: f64) -> f64 {
        let share = self.view.px_per_unit * USUAL_TYPE_PX / (USUAL_PX_PER_MM * self.type_px);
        self.pen(width) * share.clamp(MIN_PEN, 1.0)
    }

    pub fn draw(&mut self, path: Path, ink: Ink) {
        self.scene.draw(path, ink);
    }

    /// A text in heights of the type.
    pub fn write(&mut self, at: DVec2, words: impl Into<String>, look: Look) {
        let Look { size, anchor, weight, color } = look;
        self.scene.write(Text { at, size: size * self.type_px, anchor, weight, color, words: words.into() });
    }

    /// Middle of a label with these half sides, px, that does not cover an earlier one: at its place or straight below. None if that is
    /// too far.
    pub fn label_place(&mut self, middle: DVec2, half: DVec2) -> Option<DVec2> {
        let mut at = middle;
        let covers = |label: &Rect, at: DVec2| {
            (at - label.center()).abs().cmplt(half + 0.5 * label.size() - DVec2::splat(TOUCHING_PX)).all()
        };
        while let Some(label) = self.labels.iter().find(|label| covers(label, at)) {
            at.y = label.max.y + half.y;
            if at.y - middle.y > MAX_LABEL_SHIFT * 2.0 * half.y {
                return None;
            }
        }
        self.labels.push(Rect { min: at - half, max: at + half });
        Some(at)
    }

    /// An arrow between two places, px, with a casing that sets it off.
    pub fn arrow(&mut self, [from, to]: [DVec2; 2], color: Color, casing: Color) {
        let way = to - from;
        let length = way.length();
        let width = self.fine_pen(2.0);
        if length < 2.0 * width {
            return;
        }
        let (along, head) = (way / length, (3.6 * width).min(length));
        let neck = to - along * head;
        let side = along.perp() * (0.45 * head);
        let shaft = Path::line(&[from, neck]);
        let tip = Path::polygon(&[to, neck + side, neck - side]);
        self.draw(shaft.clone().and(tip.clone()), Ink::line(casing, 2.2 * width));
        self.draw(shaft, Ink::line(color, width));
        self.draw(tip, Ink::fill(color));
    }
}

/// How words look.
#[derive(Clone, Copy)]
pub(super) struct Look {
    /// In heights of the type.
    pub size: f64,
    pub anchor: Anchor,
    pub weight: Weight,
    pub color: Color,
}

impl Look {
    pub fn new(color: Color) -> Self {
        Self { size: 1.0, anchor: Anchor::Start, weight: Weight::Regular, color }
    }

    pub fn size(self, size: f64) -> Self {
        Self { size, ..self }
    }

    pub fn bold(self) -> Self {
        Self { weight: Weight::Bold, ..self }
    }

    pub fn middle(self) -> Self {
        Self { anchor: Anchor::Middle, ..self }
    }

    pub fn end(self) -> Self {
        Self { anchor: Anchor::End, ..self }
    }
}
