//! Colours, and the diverging map of the potential.

use sim_core::ops;
use std::fmt;

/// A colour that may let through what is behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Color {
    /// Red, green and blue, as screens take them.
    pub rgb: [u8; 3],
    /// From 0, not there, to 1, nothing behind it shows.
    pub alpha: f64,
}

impl Color {
    /// A colour that covers; `hex` as in 0xRRGGBB.
    #[must_use]
    pub const fn hex(hex: u32) -> Self {
        let [_, r, g, b] = hex.to_be_bytes();
        Self { rgb: [r, g, b], alpha: 1.0 }
    }

    /// The same colour, letting `1 - alpha` of what is behind it through.
    #[must_use]
    pub const fn faded(self, alpha: f64) -> Self {
        Self { alpha, ..self }
    }
}

/// Square of a distance of two colours that weighs green most, as eyes do.
pub(crate) fn distance(a: [u8; 3], b: [u8; 3]) -> i32 {
    let square = |n: usize| (i32::from(a[n]) - i32::from(b[n])) * (i32::from(a[n]) - i32::from(b[n]));
    3 * square(0) + 6 * square(1) + square(2)
}

/// Place of the colour that is nearest to another one; 0 if there is none.
pub(crate) fn nearest(colors: &[[u8; 3]], rgb: [u8; 3]) -> usize {
    let best = colors.iter().enumerate().min_by_key(|(_, color)| distance(**color, rgb));
    best.map_or(0, |(n, _)| n)
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [r, g, b] = self.rgb;
        write!(f, "#{r:02x}{g:02x}{b:02x}")
    }
}

/// A colour in Oklab, where equal distances look equal (Ottosson 2020).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oklab {
    /// Lightness, 0 to 1.
    pub l: f64,
    /// Green to red.
    pub a: f64,
    /// Blue to yellow.
    pub b: f64,
}

impl Oklab {
    /// By lightness, chroma and hue.
    #[must_use]
    pub fn polar(l: f64, chroma: f64, hue_deg: f64) -> Self {
        let (sin, cos) = ops::sin_cos(hue_deg.to_radians());
        Self { l, a: chroma * cos, b: chroma * sin }
    }

    fn mix(self, other: Self, share: f64) -> Self {
        let mix = |a: f64, b: f64| a + (b - a) * share;
        Self { l: mix(self.l, other.l), a: mix(self.a, other.a), b: mix(self.b, other.b) }
    }

    /// As screens take it; what they cannot show is brought to the nearest they can, channel by channel.
    #[must_use]
    pub fn srgb(self) -> [u8; 3] {
        let Self { l, a, b } = self;
        let cube = |x: f64| x * x * x;
        let long = cube(l + 0.396_337_777_4 * a + 0.215_803_757_3 * b);
        let medium = cube(l - 0.105_561_345_8 * a - 0.063_854_172_8 * b);
        let short = cube(l - 0.089_484_177_5 * a - 1.291_485_548_0 * b);
        [
            4.076_741_662_1 * long - 3.307_711_591_3 * medium + 0.230_969_929_2 * short,
            -1.268_438_004_6 * long + 2.609_757_401_1 * medium - 0.341_319_396_5 * short,
            -0.004_196_086_3 * long - 0.703_418_614_7 * medium + 1.707_614_701_0 * short,
        ]
        .map(|light| (255.0 * encoded(light)).round() as u8)
    }
}

/// The curve of sRGB.
fn encoded(light: f64) -> f64 {
    let light = light.clamp(0.0, 1.0);
    if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * ops::exp(ops::ln(light) / 2.4) - 0.055 }
}

/// A map from -1 to 1 that is straight in Oklab on both sides of its middle: equal steps look equal.
#[derive(Clone, Debug)]
pub struct Diverging {
    /// Colours at -1, 0 and 1.
    pub stops: [Oklab; 3],
}

impl Diverging {
    /// The colour of a value; beyond the ends, the ends.
    #[must_use]
    pub fn at(&self, value: f64) -> [u8; 3] {
        let [low, middle, high] = self.stops;
        let value = value.clamp(-1.0, 1.0);
        if value < 0.0 { middle.mix(low, -value).srgb() } else { middle.mix(high, value).srgb() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// sRGB to Oklab, written from the published definition for the tests alone.
    fn oklab_of(rgb: [u8; 3]) -> Oklab {
        oklab_of_light(light_of(rgb))
    }

    /// The curve of sRGB undone.
    fn light_of(rgb: [u8; 3]) -> [f64; 3] {
        rgb.map(|byte| {
            let x = f64::from(byte) / 255.0;
            if x <= 0.04045 { x / 12.92 } else { ops::exp(2.4 * ops::ln((x + 0.055) / 1.055)) }
        })
    }

    fn distance(a: Oklab, b: Oklab) -> f64 {
        ((a.l - b.l) * (a.l - b.l) + (a.a - b.a) * (a.a - b.a) + (a.b - b.b) * (a.b - b.b)).sqrt()
    }

    fn oklab_of_light(light: [f64; 3]) -> Oklab {
        let row = |m: [f64; 3]| m[0] * light[0] + m[1] * light[1] + m[2] * light[2];
        let lms = [
            row([0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9]),
            row([0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6]),
            row([0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5]),
        ]
        .map(|x| if x > 0.0 { ops::exp(ops::ln(x) / 3.0) } else { 0.0 });
        let row = |m: [f64; 3]| m[0] * lms[0] + m[1] * lms[1] + m[2] * lms[2];
        Oklab {
            l: row([0.210_454_255_3, 0.793_617_785_0, -0.004_072_046_8]),
            a: row([1.977_998_495_1, -2.428_592_205_0, 0.450_593_709_9]),
            b: row([0.025_904_037_1, 0.782_771_766_2, -0.808_675_766_0]),
        }
    }

    #[test]
    fn known_colours_come_out() {
        // The published values of sRGB's white, red and blue.
        assert_eq!(Oklab { l: 1.0, a: 0.0, b: 0.0 }.srgb(), [255; 3]);
        assert_eq!(Oklab { l: 0.627_96, a: 0.224_86, b: 0.125_85 }.srgb(), [255, 0, 0]);
        assert_eq!(Oklab { l: 0.452_01, a: -0.032_46, b: -0.311_53 }.srgb(), [0, 0, 255]);
        assert_eq!(format!("{}", Color::hex(0x0a0bff)), "#0a0bff");
    }

    #[test]
    fn both_themes_have_maps_of_even_steps_and_equal_lightness_on_both_sides() {
        for theme in [crate::theme::Theme::dark(), crate::theme::Theme::light()] {
            let map = &theme.potential;
            let colours: Vec<Oklab> = (-20..=20).map(|n| oklab_of(map.at(f64::from(n) / 20.0))).collect();
            for side in [&colours[..=20], &colours[20..]] {
                let steps: Vec<f64> = side.windows(2).map(|pair| distance(pair[0], pair[1])).collect();
                let mean = steps.iter().sum::<f64>() / steps.len() as f64;
                // Rounding to 8 bits moves a colour by up to about 0.002.
                assert!(mean > 0.01 && steps.iter().all(|s| (s - mean).abs() < 0.004), "{steps:?}");
            }
            // Light alone tells how far from zero a value is, for eyes that see no colour.
            assert!((0..20).all(|n| (colours[n].l - colours[40 - n].l).abs() < 0.006));
            // Orange and blue differ along blue to yellow, which red-green blindness leaves alone.
            assert!(colours[0].b > 0.06 && colours[40].b < -0.06);
        }
    }

    /// What light looks like without the red, green or blue cones: Machado, Oliveira and Fernandes (2009), severity 1.
    const WITHOUT: [[[f64; 3]; 3]; 3] = [
        [[0.152_286, 1.052_583, -0.204_868], [0.114_503, 0.786_281, 0.099_216], [-0.003_882, -0.048_116, 1.051_998]],
        [[0.367_322, 0.860_646, -0.227_968], [0.280_085, 0.672_501, 0.047_413], [-0.011_820, 0.042_940, 0.968_881]],
        [[1.255_528, -0.076_749, -0.178_779], [-0.078_411, 0.930_809, 0.147_602], [0.004_733, 0.691_367, 0.303_900]],
    ];

    /// A colour for all cones and without each kind.
    fn seen(color: Color) -> Vec<Oklab> {
        let light = light_of(color.rgb);
        let row = |m: [f64; 3]| (m[0] * light[0] + m[1] * light[1] + m[2] * light[2]).clamp(0.0, 1.0);
        let without = WITHOUT.map(|rows| oklab_of_light(rows.map(row)));
        [oklab_of_light(light)].into_iter().chain(without).collect()
    }

    fn least_distance(a: Color, b: Color) -> f64 {
        seen(a).into_iter().zip(seen(b)).map(|(a, b)| distance(a, b)).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn colours_of_owners_beyond_the_sixth_differ_from_all_others_for_all_eyes() {
        for theme in [crate::theme::Theme::dark(), crate::theme::Theme::light()] {
            for (n, &color) in theme.series.iter().enumerate().skip(6) {
                let others = theme.series.iter().enumerate().filter(|(other, _)| *other != n).map(|(_, &other)| other);
                for other in others.chain([theme.alarm]) {
                    // Four times as far as the nearest two of the first six: 0.025 in the dark theme, 0.017 in the light one.
                    assert!(least_distance(color, other) > 0.1, "{color} and {other}");
                }
                // WCAG 2.1, 1.4.11: graphics that matter have a contrast of 3 to what is beside them.
                let light = |color: Color| {
                    let [r, g, b] = light_of(color.rgb);
                    0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
                };
                let (a, b) = (light(color), light(theme.floor()));
                assert!(a.max(b) / a.min(b) > 3.0, "{color} on the floor");
            }
        }
    }
}
