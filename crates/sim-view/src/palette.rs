//! Few colours for small files: all that a theme can paint, and what arises where two of them meet.

use crate::draw::Color;
use crate::draw::color::nearest;
use crate::picture::raster_colors;
use crate::theme::Theme;
use sim_world::View;
use sim_world::view::{Draw, Mark, Raster};
use tiny_skia::Pixmap;

/// Colours of the potential.
const HEAT: usize = 151;
/// Colours of a raster.
const RAMP: usize = 115;
/// Shares of an owner's colour along the edges of what has it.
const EDGES: [f64; 3] = [0.35, 0.55, 0.75];
/// Owners, the first ones, of which three that see the same place have a colour.
const SEEN_BY_THREE: usize = 6;
/// Levels of red, green and blue for lamps.
const LAMP: [u8; 3] = [0, 128, 255];
/// An index that no colour has.
pub(crate) const NONE: u8 = 255;

/// Up to 255 colours, and the nearest of them for any colour. Those of the potential come first, in their order.
pub(crate) struct Palette {
    colors: Vec<[u8; 3]>,
    /// How many of them are the potential's.
    heat: usize,
    nearest: Vec<u8>,
}

impl Palette {
    /// The colours of a view's pictures: those of a potential or a raster if there is one, else those of scans.
    pub fn new(theme: &Theme, view: &View) -> Self {
        let has_wells = view.marks.iter().any(|mark| matches!(mark.draw, Draw::Wells(_)));
        if has_wells {
            return Self::with(theme, heat(theme), Vec::new());
        }
        let raster = view.marks.iter().find_map(|mark| match &mark.draw {
            Draw::Raster(raster) => Some(raster),
            _ => None,
        });
        if let Some(raster) = raster {
            let ramp = raster_colors(theme, raster, RAMP);
            let more = [over_ramp(theme, &ramp), ground_of(theme, raster)].concat();
            return Self::with(theme, ramp, more);
        }
        let seen = |mark: &Mark| match &mark.draw {
            Draw::Scan { seen: Some(tint), .. } => Some(tint.alpha),
            _ => None,
        };
        Self::with(theme, Vec::new(), of_owners(theme, view.marks.iter().find_map(seen).unwrap_or(1.0)))
    }

    /// The potential's colours, those of every picture, and more that it has.
    fn with(theme: &Theme, heat: Vec<[u8; 3]>, more: Vec<[u8; 3]>) -> Self {
        let (heat, mut colors) = (heat.len(), heat);
        let grounds = [theme.ground.rgb, theme.potential.at(0.0), theme.potential.at(-1.0), theme.potential.at(1.0)];
        let inks =
            [theme.ink, theme.faint, theme.hairline, theme.body, theme.on_body, theme.warm, theme.cool, theme.alarm];
        colors.push(theme.ground.rgb);
        for ink in inks {
            colors.push(ink.rgb);
            colors.extend(grounds.iter().flat_map(|&ground| [0.35, 0.7].map(|share| mix(ground, ink, share))));
        }
        colors.extend(more);
        let lamp = |n: usize| [LAMP[n % 3], LAMP[n / 3 % 3], LAMP[n / 9]];
        colors.extend((0..27).map(lamp));
        colors.push(theme.on_warm.rgb);
        colors.dedup();
        debug_assert!(colors.len() <= usize::from(NONE));
        Self { colors, heat, nearest: vec![NONE; 1 << 24] }
    }

    /// Red, green and blue of all colours in turn.
    pub fn bytes(&self) -> Vec<u8> {
        self.colors.concat()
    }

    /// The index of the nearest colour.
    pub fn index(&mut self, rgb: [u8; 3]) -> u8 {
        let place = rgb.iter().fold(0, |place, &byte| place << 8 | usize::from(byte));
        if self.nearest[place] == NONE {
            self.nearest[place] = nearest(&self.colors, rgb) as u8;
        }
        self.nearest[place]
    }

    /// True if two indices are colours of the potential that eyes hardly tell apart.
    pub fn is_alike(&self, a: u8, b: u8) -> bool {
        usize::from(a.max(b)) < self.heat && a.abs_diff(b) <= 2
    }

    /// The indices of all pixels.
    pub fn indices(&mut self, pixmap: &Pixmap) -> Vec<u8> {
        pixmap.data().chunks_exact(4).map(|p| self.index([p[0], p[1], p[2]])).collect()
    }
}

/// What is solid, and the colours of owners: on the floor and where it is seen by up to three of them.
fn of_owners(theme: &Theme, seen_share: f64) -> Vec<[u8; 3]> {
    let (floor, cars) = (theme.floor().rgb, theme.series);
    let seen = |ground, by: &[usize]| by.iter().fold(ground, |ground, &car| mix(ground, cars[car], seen_share));
    let mut colors = vec![theme.solid.rgb];
    for a in 0..cars.len() {
        colors.extend([cars[a].rgb, seen(floor, &[a])]);
        let grounds = [floor, theme.solid.rgb, seen(floor, &[a])];
        colors.extend(grounds.iter().flat_map(|&ground| EDGES.map(|share| mix(ground, cars[a], share))));
        for b in a + 1..cars.len() {
            colors.push(seen(floor, &[a, b]));
            colors.extend((b + 1..SEEN_BY_THREE).map(|c| seen(floor, &[a, b, c])));
        }
    }
    colors
}

/// What is solid, and the colours of owners, also where they are half seen over the ends and the middle of a ramp.
fn over_ramp(theme: &Theme, ramp: &[[u8; 3]]) -> Vec<[u8; 3]> {
    let grounds = [0, RAMP / 2, RAMP - 1].map(|n| ramp[n]);
    let half = theme.series.into_iter().flat_map(|ink| grounds.map(|ground| mix(ground, ink, 0.5)));
    half.chain(theme.series.map(|ink| ink.rgb)).chain([theme.solid.rgb]).collect()
}

/// The ground of a raster from the side: once and twice over the floor.
fn ground_of(theme: &Theme, raster: &Raster) -> Vec<[u8; 3]> {
    let Some(tint) = raster.ground.as_ref().and_then(|ink| ink.fill.as_ref()) else { return Vec::new() };
    let once = mix(theme.floor().rgb, theme.color(&tint.color), tint.alpha);
    vec![once, mix(once, theme.color(&tint.color), tint.alpha)]
}

fn heat(theme: &Theme) -> Vec<[u8; 3]> {
    let value = |n: usize| 2.0 * n as f64 / (HEAT - 1) as f64 - 1.0;
    (0..HEAT).map(|n| theme.potential.at(value(n))).collect()
}

fn mix(ground: [u8; 3], ink: Color, share: f64) -> [u8; 3] {
    std::array::from_fn(|n| (f64::from(ground[n]) * (1.0 - share) + f64::from(ink.rgb[n]) * share).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_world::view::{Color, Ink, Wells};

    fn potential() -> Draw {
        Draw::Wells(Wells {
            wells: "feet".into(),
            hills: "patches".into(),
            hill: ["sigma".into(), "peak".into()],
            scale: 1.0,
            sigma: 40.0,
            stretch_s: 0.2,
            beta_per_s: 2.5,
            window_s: 0.6,
            frames: 36,
            extent: 1.0,
            words: Default::default(),
        })
    }

    fn scan() -> Draw {
        Draw::Scan { stream: "lidar".into(), seen: Some(Color::Owner.faded(0.12)), hits: None }
    }

    fn bottom() -> Draw {
        Draw::Raster(Raster {
            name: "bottom".into(),
            from: [0.0; 2],
            step: [1.0; 2],
            columns: 2,
            values: vec![Some(0.0); 4],
            range: [-30.0, 0.0],
            colors: vec![Color::Rgb([18, 42, 84]), Color::Rgb([226, 214, 176])],
            words: Default::default(),
            ground: Some(Ink::fill(Color::Rgb([120, 104, 82]).faded(0.5))),
        })
    }

    #[test]
    fn both_themes_fit_and_keep_their_colours() {
        for theme in [Theme::dark(), Theme::light()] {
            let every = [theme.ground, theme.body, theme.warm, theme.alarm, theme.ink];
            let road = [&theme.series[..], &[theme.solid]].concat();
            for (draw, more) in [(potential(), &[][..]), (scan(), &road), (bottom(), &road)] {
                let view = View { marks: vec![Mark::new(draw)], ..View::default() };
                let mut palette = Palette::new(&theme, &view);
                assert!(palette.colors.len() <= 255, "{}", palette.colors.len());
                for color in every.iter().chain(more) {
                    let index = palette.index(color.rgb);
                    let found = palette.colors[usize::from(index)];
                    let off = (0..3).map(|n| found[n].abs_diff(color.rgb[n])).max().unwrap_or(0);
                    assert!(off <= 6, "{color} became {found:?}");
                }
            }
        }
    }
}
