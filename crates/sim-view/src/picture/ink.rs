//! The colours and lines of a view, as a theme and a picture's size make them.

use super::canvas::Canvas;
use crate::draw::{Color, Ink};
use crate::folder::FolderError;
use crate::frame::{Actor, Teller};
use sim_world::view::{self, Tint, Width};

/// Whose colours they are: none for what stands still.
#[derive(Clone, Copy)]
pub(super) struct Of<'a> {
    pub teller: Option<&'a Teller<'a>>,
    pub actor: Option<&'a Actor>,
}

impl<'a> Of<'a> {
    /// What stands still.
    pub const STILL: Of<'static> = Of { teller: None, actor: None };

    pub fn actor(teller: &'a Teller<'a>, actor: &'a Actor) -> Self {
        Self { teller: Some(teller), actor: Some(actor) }
    }

    /// The value of a column in the owner's row.
    fn column(&self, column: &str) -> Result<f64, FolderError> {
        match (self.teller, self.actor) {
            (Some(teller), Some(actor)) => Ok(actor.row[teller.place(column)?]),
            _ => Ok(f64::NAN),
        }
    }
}

impl Canvas<'_> {
    /// A colour of the theme.
    pub fn color(&self, color: &view::Color, of: Of<'_>) -> Result<Color, FolderError> {
        let theme = self.theme();
        Ok(match (color, of.actor) {
            (view::Color::Owner, Some(actor)) => theme.series[(actor.id % theme.series.len() as u64) as usize],
            (view::Color::Lamp(columns), Some(_)) => {
                let mut rgb = [0; 3];
                for (byte, column) in rgb.iter_mut().zip(columns) {
                    *byte = of.column(column)?.clamp(0.0, 255.0) as u8;
                }
                Color { rgb, alpha: 1.0 }
            }
            _ => theme.color(color),
        })
    }

    /// A colour, as much of it as is wanted.
    pub fn tint(&self, tint: &Tint, of: Of<'_>) -> Result<Color, FolderError> {
        let mut alpha = tint.alpha;
        if let Some((column, least, full)) = tint.by.as_ref().filter(|_| of.actor.is_some()) {
            let share = of.column(column)? / full;
            alpha = if share.is_nan() { *least } else { least + (alpha - least) * share.clamp(0.0, 1.0) };
        }
        Ok(self.color(&tint.color, of)?.faded(alpha.clamp(0.0, 1.0)))
    }

    /// A width, px.
    pub fn width(&self, width: Width) -> f64 {
        match width {
            Width::Px(px) => self.pen(px),
            Width::Fine(px) => self.fine_pen(px),
            Width::Length(length) => self.long(length),
            Width::Limited(length, px) => self.long(length).min(self.pen(px)),
        }
    }

    /// A line without a fill.
    pub fn line(&self, line: &view::Line, of: Of<'_>) -> Result<Ink, FolderError> {
        let ink = Ink::line(self.tint(&line.tint, of)?, self.width(line.width));
        let scale = |px: f64| if matches!(line.width, Width::Fine(_)) { self.fine_pen(px) } else { self.pen(px) };
        Ok(match line.dash {
            Some([on, off]) => ink.dashed(scale(on), scale(off)),
            None => ink,
        })
    }

    /// Fill and line.
    pub fn ink(&self, ink: &view::Ink, of: Of<'_>) -> Result<Ink, FolderError> {
        let line = match &ink.line {
            Some(line) => self.line(line, of)?,
            None => Ink::default(),
        };
        let fill = ink.fill.as_ref().map(|tint| self.tint(tint, of)).transpose()?;
        Ok(Ink { fill, ..line })
    }
}
