//! Between the world's metres and latitude and longitude on the WGS 84 ellipsoid.
//!
//! # Equation
//! Tangent frame: through earth-centred coordinates, exact. Grid frame: universal transverse Mercator by Krüger's series to the sixth
//! order of the third flattening, good to 5 nm within its zone. Sources: Karney, Transverse Mercator with an accuracy of a few nanometers,
//! Journal of Geodesy 85, 2011, equations 7 to 36; Bowring 1976 (latitude from earth-centred coordinates); NGA.SIG.0012, 2014 (zones and
//! bands).

use sim_core::{DVec3, ParamError, ops};

/// Equatorial radius of WGS 84, m.
const RADIUS_M: f64 = 6_378_137.0;
/// Flattening of WGS 84.
const FLATTENING: f64 = 1.0 / 298.257_223_563;
/// Square of the first eccentricity.
const E2: f64 = FLATTENING * (2.0 - FLATTENING);
/// Third flattening.
const N: f64 = FLATTENING / (2.0 - FLATTENING);
/// Scale on the central meridian.
const SCALE: f64 = 0.9996;
/// Easting of the central meridian, m.
const FALSE_EASTING_M: f64 = 500_000.0;
/// Northing of the equator for the south, m.
const FALSE_NORTHING_M: f64 = 10_000_000.0;
/// Southernmost and northernmost latitude of the grid, degrees.
const GRID_LATITUDES_DEG: [f64; 2] = [-80.0, 84.0];
const BANDS: &[u8; 20] = b"CDEFGHJKLMNPQRSTUVWX";

const N2: f64 = N * N;
const N3: f64 = N2 * N;
const N4: f64 = N3 * N;
const N5: f64 = N4 * N;
const N6: f64 = N5 * N;

/// Radius of the sphere whose meridians are as long, m.
const RECTIFYING_M: f64 = RADIUS_M / (1.0 + N) * (1.0 + N2 / 4.0 + N4 / 64.0 + N6 / 256.0);

/// Karney's alpha: from the conformal sphere to the grid.
const ALPHA: [f64; 6] = [
    N / 2.0 - 2.0 * N2 / 3.0 + 5.0 * N3 / 16.0 + 41.0 * N4 / 180.0 - 127.0 * N5 / 288.0 + 7891.0 * N6 / 37_800.0,
    13.0 * N2 / 48.0 - 3.0 * N3 / 5.0 + 557.0 * N4 / 1440.0 + 281.0 * N5 / 630.0 - 1_983_433.0 * N6 / 1_935_360.0,
    61.0 * N3 / 240.0 - 103.0 * N4 / 140.0 + 15_061.0 * N5 / 26_880.0 + 167_603.0 * N6 / 181_440.0,
    49_561.0 * N4 / 161_280.0 - 179.0 * N5 / 168.0 + 6_601_661.0 * N6 / 7_257_600.0,
    34_729.0 * N5 / 80_640.0 - 3_418_889.0 * N6 / 1_995_840.0,
    212_378_941.0 * N6 / 319_334_400.0,
];

/// Karney's beta: back.
const BETA: [f64; 6] = [
    N / 2.0 - 2.0 * N2 / 3.0 + 37.0 * N3 / 96.0 - N4 / 360.0 - 81.0 * N5 / 512.0 + 96_199.0 * N6 / 604_800.0,
    N2 / 48.0 + N3 / 15.0 - 437.0 * N4 / 1440.0 + 46.0 * N5 / 105.0 - 1_118_711.0 * N6 / 3_870_720.0,
    17.0 * N3 / 480.0 - 37.0 * N4 / 840.0 - 209.0 * N5 / 4480.0 + 5569.0 * N6 / 90_720.0,
    4397.0 * N4 / 161_280.0 - 11.0 * N5 / 504.0 - 830_251.0 * N6 / 7_257_600.0,
    4583.0 * N5 / 161_280.0 - 108_847.0 * N6 / 3_991_680.0,
    20_648_693.0 * N6 / 638_668_800.0,
];

/// A place on or above the ellipsoid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geodetic {
    /// Latitude, degrees, north positive.
    pub latitude_deg: f64,
    /// Longitude, degrees, east positive.
    pub longitude_deg: f64,
    /// Height above the ellipsoid, m.
    pub height_m: f64,
}

/// A place on the universal transverse Mercator grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Utm {
    /// Zone, 1 to 60.
    pub zone: u8,
    /// Letter of the band of latitude, C to X; N and later are north of the equator.
    pub band: char,
    /// Easting, m.
    pub easting_m: f64,
    /// Northing, m.
    pub northing_m: f64,
}

/// What x, y and z of a world are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Frame {
    /// East, north and up on the plane that touches the ellipsoid at the origin.
    #[default]
    Tangent,
    /// East and north of the grid, height above the ellipsoid.
    Grid,
}

/// Where a world lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Georef {
    origin: Geodetic,
    frame: Frame,
    earth_centered_m: DVec3,
    utm: Utm,
}

impl Geodetic {
    /// Refuses what is out of its range: latitude -90 to 90, longitude -180 to 180, height -12 000 to 1e6 m.
    ///
    /// # Errors
    /// Names the value.
    pub fn check(&self) -> Result<(), ParamError> {
        ParamError::check_range("lat_deg", self.latitude_deg, -90.0, 90.0)?;
        ParamError::check_range("lon_deg", self.longitude_deg, -180.0, 180.0)?;
        ParamError::check_range("height_m", self.height_m, -12_000.0, 1e6)
    }

    fn earth_centered_m(&self) -> DVec3 {
        let (sin_lat, cos_lat) = ops::sin_cos(self.latitude_deg.to_radians());
        let (sin_lon, cos_lon) = ops::sin_cos(self.longitude_deg.to_radians());
        let across = RADIUS_M / (1.0 - E2 * sin_lat * sin_lat).sqrt();
        let ring = (across + self.height_m) * cos_lat;
        DVec3::new(ring * cos_lon, ring * sin_lon, (across * (1.0 - E2) + self.height_m) * sin_lat)
    }

    fn from_earth_centered(at_m: DVec3) -> Self {
        let ring = (at_m.x * at_m.x + at_m.y * at_m.y).sqrt();
        // Bowring's iteration on the reduced latitude; three steps are exact to the last bit near the surface.
        let (mut y, mut x) = (at_m.z, (1.0 - FLATTENING) * ring);
        for _ in 0..4 {
            let length = (x * x + y * y).sqrt();
            let (sin, cos) = (y / length, x / length);
            let above = at_m.z + E2 / (1.0 - E2) * RADIUS_M * (1.0 - FLATTENING) * sin * sin * sin;
            let beside = ring - E2 * RADIUS_M * cos * cos * cos;
            (y, x) = ((1.0 - FLATTENING) * above, beside);
        }
        let latitude = ops::atan2(y / (1.0 - FLATTENING), x);
        let (sin, cos) = ops::sin_cos(latitude);
        let across = RADIUS_M / (1.0 - E2 * sin * sin).sqrt();
        let height_m = ring * cos + at_m.z * sin - RADIUS_M * RADIUS_M / across;
        Self { latitude_deg: latitude.to_degrees(), longitude_deg: ops::atan2(at_m.y, at_m.x).to_degrees(), height_m }
    }
}

impl Utm {
    /// The grid place of a latitude and longitude in the zone that it belongs to; heights do not matter.
    ///
    /// # Errors
    /// If the latitude is not from -80 to 84 degrees, where the grid ends.
    pub fn from_geodetic(place: &Geodetic) -> Result<Self, ParamError> {
        place.check()?;
        let [south, north] = GRID_LATITUDES_DEG;
        ParamError::check_range("lat_deg", place.latitude_deg, south, north)?;
        let band = (((place.latitude_deg + 80.0) / 8.0) as usize).min(BANDS.len() - 1);
        Ok(Self::in_zone(place, zone_of(place, BANDS[band]), BANDS[band] as char))
    }

    fn in_zone(place: &Geodetic, zone: u8, band: char) -> Self {
        let conformal = Conformal::from_geodetic(place, zone);
        let ([xi, eta], _) = conformal.on_grid();
        let false_northing_m = if place.latitude_deg < 0.0 { FALSE_NORTHING_M } else { 0.0 };
        Self {
            zone,
            band,
            easting_m: FALSE_EASTING_M + SCALE * RECTIFYING_M * eta,
            northing_m: false_northing_m + SCALE * RECTIFYING_M * xi,
        }
    }

    /// The latitude and longitude of the grid place, at height 0.
    #[must_use]
    pub fn geodetic(&self) -> Geodetic {
        let false_northing_m = if self.band < 'N' { FALSE_NORTHING_M } else { 0.0 };
        let xi = (self.northing_m - false_northing_m) / (SCALE * RECTIFYING_M);
        let eta = (self.easting_m - FALSE_EASTING_M) / (SCALE * RECTIFYING_M);
        let ([dx, dy], _) = series(&BETA, xi, eta);
        let (xi, eta) = (xi - dx, eta - dy);
        let (sin, cos) = ops::sin_cos(xi);
        let sinh = ops::sinh(eta);
        let tau = latitude_tangent(sin / (sinh * sinh + cos * cos).sqrt());
        let longitude = ops::atan2(sinh, cos).to_degrees() + central_meridian_deg(self.zone);
        Geodetic {
            latitude_deg: ops::atan2(tau, 1.0).to_degrees(),
            longitude_deg: longitude - 360.0 * ((longitude + 180.0) / 360.0).floor(),
            height_m: 0.0,
        }
    }
}

/// A place on the sphere that the ellipsoid maps to without distorting angles.
struct Conformal {
    /// Tangent of the conformal latitude.
    tau: f64,
    /// Longitude from the central meridian, rad.
    lambda: f64,
}

impl Conformal {
    fn from_geodetic(place: &Geodetic, zone: u8) -> Self {
        let offset = place.longitude_deg - central_meridian_deg(zone);
        let lambda = (offset - 360.0 * ((offset + 180.0) / 360.0).floor()).to_radians();
        Self { tau: conformal_tangent(ops::tan(place.latitude_deg.to_radians())), lambda }
    }

    /// Northing and easting in units of the rectifying radius, and the angle from true north to grid north in them, rad, clockwise
    /// positive.
    fn on_grid(&self) -> ([f64; 2], f64) {
        let (sin, cos) = ops::sin_cos(self.lambda);
        let xi = ops::atan2(self.tau, cos);
        let eta = ops::asinh(sin / (self.tau * self.tau + cos * cos).sqrt());
        let ([dx, dy], [p, q]) = series(&ALPHA, xi, eta);
        let on_sphere = ops::atan2(self.tau * sin, cos * (1.0 + self.tau * self.tau).sqrt());
        ([xi + dx, eta + dy], on_sphere + ops::atan2(q, p))
    }
}

/// Sums of Krüger's series, and of its derivative.
fn series(coefficients: &[f64; 6], xi: f64, eta: f64) -> ([f64; 2], [f64; 2]) {
    let (mut value, mut slope) = ([0.0, 0.0], [1.0, 0.0]);
    for (order, &c) in (1..).zip(coefficients) {
        let double = 2.0 * f64::from(order);
        let (sin, cos) = ops::sin_cos(double * xi);
        let (sinh, cosh) = (ops::sinh(double * eta), ops::cosh(double * eta));
        value = [value[0] + c * sin * cosh, value[1] + c * cos * sinh];
        slope = [slope[0] + double * c * cos * cosh, slope[1] + double * c * sin * sinh];
    }
    (value, slope)
}

/// Tangent of the conformal latitude from that of the latitude.
fn conformal_tangent(tau: f64) -> f64 {
    let e = E2.sqrt();
    let secant = (1.0 + tau * tau).sqrt();
    let sigma = ops::sinh(e * ops::atanh(e * tau / secant));
    tau * (1.0 + sigma * sigma).sqrt() - sigma * secant
}

/// The inverse, by Newton's method: two steps give the last bit.
fn latitude_tangent(conformal: f64) -> f64 {
    let mut tau = conformal;
    for _ in 0..5 {
        let reached = conformal_tangent(tau);
        let change = (conformal - reached) / (1.0 + reached * reached).sqrt() * (1.0 + (1.0 - E2) * tau * tau)
            / ((1.0 - E2) * (1.0 + tau * tau).sqrt());
        tau += change;
        if change.abs() <= 1e-16 * tau.abs() {
            break;
        }
    }
    tau
}

fn central_meridian_deg(zone: u8) -> f64 {
    6.0 * f64::from(zone) - 183.0
}

/// The zone of a place; Norway and Svalbard have zones of other widths.
fn zone_of(place: &Geodetic, band: u8) -> u8 {
    let longitude = place.longitude_deg;
    let zone = (((longitude + 180.0) / 6.0) as u8).min(59) + 1;
    match (band, longitude) {
        (b'V', 3.0..12.0) => 32,
        (b'X', 0.0..9.0) => 31,
        (b'X', 9.0..21.0) => 33,
        (b'X', 21.0..33.0) => 35,
        (b'X', 33.0..42.0) => 37,
        _ => zone,
    }
}

impl Georef {
    /// A world whose origin lies at a place. The grid frame keeps the origin's zone everywhere.
    ///
    /// # Errors
    /// If a value is out of its range, or the grid frame is asked for where there is no grid.
    pub fn new(origin: Geodetic, frame: Frame) -> Result<Self, ParamError> {
        origin.check()?;
        let utm = match frame {
            Frame::Grid => Utm::from_geodetic(&origin)?,
            Frame::Tangent => Utm { zone: 31, band: 'N', easting_m: 0.0, northing_m: 0.0 },
        };
        Ok(Self { origin, frame, earth_centered_m: origin.earth_centered_m(), utm })
    }

    /// Latitude, longitude and height of a place of the world, m.
    #[must_use]
    pub fn geodetic(&self, position_m: DVec3) -> Geodetic {
        match self.frame {
            Frame::Tangent => {
                let [east, north, up] = self.axes();
                let offset = east * position_m.x + north * position_m.y + up * position_m.z;
                Geodetic::from_earth_centered(self.earth_centered_m + offset)
            }
            Frame::Grid => {
                let (easting_m, northing_m) = (self.utm.easting_m + position_m.x, self.utm.northing_m + position_m.y);
                let height_m = self.origin.height_m + position_m.z;
                Geodetic { height_m, ..Utm { easting_m, northing_m, ..self.utm }.geodetic() }
            }
        }
    }

    /// The place of the world, m, of a latitude, longitude and height.
    #[must_use]
    pub fn position_m(&self, place: &Geodetic) -> DVec3 {
        match self.frame {
            Frame::Tangent => {
                let offset = place.earth_centered_m() - self.earth_centered_m;
                let [east, north, up] = self.axes();
                DVec3::new(offset.dot(east), offset.dot(north), offset.dot(up))
            }
            Frame::Grid => {
                let mut utm = Utm::in_zone(place, self.utm.zone, self.utm.band);
                // Across the equator the northing goes on counting in the origin's way.
                let (here_south, there_south) = (self.utm.band < 'N', place.latitude_deg < 0.0);
                utm.northing_m +=
                    FALSE_NORTHING_M * (f64::from(u8::from(here_south)) - f64::from(u8::from(there_south)));
                DVec3::new(
                    utm.easting_m - self.utm.easting_m,
                    utm.northing_m - self.utm.northing_m,
                    place.height_m - self.origin.height_m,
                )
            }
        }
    }

    /// Angle from true north to the world's y axis at the origin, rad, clockwise positive: 0 on the tangent plane.
    #[must_use]
    pub fn convergence_rad(&self) -> f64 {
        match self.frame {
            Frame::Tangent => 0.0,
            Frame::Grid => Conformal::from_geodetic(&self.origin, self.utm.zone).on_grid().1,
        }
    }

    /// The origin on the grid; none in the tangent frame.
    #[must_use]
    pub fn utm(&self) -> Option<Utm> {
        (self.frame == Frame::Grid).then_some(self.utm)
    }

    /// Unit vectors east, north and up at the origin in earth-centred axes.
    fn axes(&self) -> [DVec3; 3] {
        let (sin_lat, cos_lat) = ops::sin_cos(self.origin.latitude_deg.to_radians());
        let (sin_lon, cos_lon) = ops::sin_cos(self.origin.longitude_deg.to_radians());
        [
            DVec3::new(-sin_lon, cos_lon, 0.0),
            DVec3::new(-sin_lat * cos_lon, -sin_lat * sin_lon, cos_lat),
            DVec3::new(cos_lat * cos_lon, cos_lat * sin_lon, sin_lat),
        ]
    }
}
