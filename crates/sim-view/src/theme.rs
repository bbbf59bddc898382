//! What is drawn in which colour.

use crate::draw::color::Oklab;
use crate::draw::{Color, Diverging};
use sim_world::view::Color as Named;

/// The colours of a picture.
#[derive(Clone, Debug)]
pub struct Theme {
    /// The ground of the whole picture.
    pub ground: Color,
    /// Words that are looked for first, and lines that matter.
    pub ink: Color,
    /// Other words.
    pub faint: Color,
    /// Lines that only divide.
    pub hairline: Color,
    /// A potential, from its low to its high end; its middle is the floor.
    pub potential: Diverging,
    /// What cannot be moved over.
    pub solid: Color,
    /// A body.
    pub body: Color,
    /// The outline of a body, and what is written and drawn on it.
    pub on_body: Color,
    /// Arrows.
    pub arrow: Color,
    /// What is to be avoided.
    pub warm: Color,
    /// What is written on it.
    pub on_warm: Color,
    /// What attracts.
    pub cool: Color,
    /// Owners, and curves and bars of plots, one colour after the other, for eyes that see fewer colours: the first six are after Okabe and
    /// Ito (2008), the others keep their distance from them.
    pub series: [Color; 8],
    /// What must not be.
    pub alarm: Color,
    /// What is written on an alarm.
    pub on_alarm: Color,
}

impl Theme {
    /// What can be moved over.
    #[must_use]
    pub fn floor(&self) -> Color {
        Color { rgb: self.potential.at(0.0), alpha: 1.0 }
    }

    /// A colour of what has no owner: the first owner's, and that of a lamp that is off.
    #[must_use]
    pub fn color(&self, color: &Named) -> Color {
        match color {
            Named::Ground => self.ground,
            Named::Ink => self.ink,
            Named::Faint => self.faint,
            Named::Floor => self.floor(),
            Named::Solid => self.solid,
            Named::Body => self.body,
            Named::OnBody => self.on_body,
            Named::Arrow => self.arrow,
            Named::Warm => self.warm,
            Named::OnWarm => self.on_warm,
            Named::Cool => self.cool,
            Named::Alarm => self.alarm,
            Named::OnAlarm => self.on_alarm,
            Named::Owner => self.series[0],
            Named::Lamp(_) => Color::hex(0),
            Named::Rgb(rgb) => Color { rgb: *rgb, alpha: 1.0 },
        }
    }

    /// For dark rooms and screens.
    #[must_use]
    pub fn dark() -> Self {
        Self {
            ground: Color::hex(0x0e1217),
            ink: Color::hex(0xf2f4f7),
            faint: Color::hex(0x9aa5b1),
            hairline: Color::hex(0x363f4a),
            potential: diverging(0.68, Oklab::polar(0.235, 0.012, 250.0)),
            solid: Color::hex(0x262d36),
            body: Color::hex(0xf7f9fb),
            on_body: Color::hex(0x10151b),
            arrow: Color::hex(0xffffff),
            warm: Color::hex(0xffe2bd),
            on_warm: Color::hex(0x2a1400),
            cool: Color::hex(0xc9e7ff),
            series: [0x56b4e9, 0xe69f00, 0x2fc39a, 0xcc79a7, 0xf0e442, 0xaab4bf, 0x8c6cff, 0xb03aa8].map(Color::hex),
            alarm: Color::hex(0xff1f4b),
            on_alarm: Color::hex(0xffffff),
        }
    }

    /// For paper and bright rooms.
    #[must_use]
    pub fn light() -> Self {
        Self {
            ground: Color::hex(0xffffff),
            ink: Color::hex(0x151a20),
            faint: Color::hex(0x5d6874),
            hairline: Color::hex(0xc9d0d8),
            potential: diverging(0.6, Oklab::polar(0.965, 0.004, 90.0)),
            solid: Color::hex(0xdce1e7),
            body: Color::hex(0x1d242d),
            on_body: Color::hex(0xffffff),
            arrow: Color::hex(0x000000),
            warm: Color::hex(0x5a2400),
            on_warm: Color::hex(0xffffff),
            cool: Color::hex(0x0a3f78),
            series: [0x0072b2, 0xd55e00, 0x009e73, 0xa8447f, 0x8a6d00, 0x5c6672, 0x2f1fb8, 0x70006a].map(Color::hex),
            alarm: Color::hex(0xd80032),
            on_alarm: Color::hex(0xffffff),
        }
    }
}

/// Orange at the low end, blue at the high one, both equally light.
fn diverging(end_l: f64, middle: Oklab) -> Diverging {
    Diverging { stops: [Oklab::polar(end_l, 0.145, 52.0), middle, Oklab::polar(end_l, 0.125, 245.0)] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owner_has_one_colour_in_pictures_and_on_the_page() {
        let page = include_str!("../page/colour.js");
        let on_page: Vec<&str> = page.lines().filter_map(|line| line.trim().strip_prefix("series: ")).collect();
        let of = |theme: Theme| format!("[{}],", theme.series.map(|color| format!("'{color}'")).join(", "));
        assert_eq!(on_page, [of(Theme::dark()), of(Theme::light())]);
    }
}
