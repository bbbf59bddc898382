//! From the section `water` to what a run needs of it.

use super::build::{in_words, rad};
use super::spec::SeaScenario;
use super::spec_water::{CurrentSpec, FieldSpec, PropellerFieldSpec, WaterSpec, WavesKind, WavesSpec};
use crate::model::WavesModel;
use sea_sim::current::{Current, CurrentGrid, CurrentGridParams, Currents, DriftParams, Layers};
use sea_sim::field::{Field, FieldParams, Fields, PropellerCone, Push, Region, Turbulence};
use sea_sim::water::{SeaState, SeaWater, Spectrum, SurfaceShape, Water, Wave, wavenumber_rad_m};
use sim_core::{DVec3, ParamError, RunKey};
use sim_input::diagnostic::Fault;
use std::f64::consts::TAU;

/// Waves longer than this many depths are no longer what the theory of small waves is made for.
const LONG_WAVES: f64 = 25.0;

/// The water of a model.
pub(super) struct WaterParts {
    pub made_of: SeaWater,
    pub waves: WavesModel,
    pub wave_depth_m: f64,
    pub shape: SurfaceShape,
    pub currents: Currents,
    pub fields: Fields,
}

impl WaterSpec {
    /// What the water is made of.
    pub(super) fn made_of(&self) -> SeaWater {
        SeaWater {
            density_kg_m3: self.density_kg_m3,
            temperature_c: self.temperature_c,
            salinity_psu: self.salinity_psu,
            ph: self.ph,
        }
    }

    /// The parts of the water; what is wrong goes to `faults`.
    pub(super) fn build(&self, scenario: &SeaScenario, faults: &mut Vec<Fault>) -> Option<WaterParts> {
        let made_of = self.made_of();
        let (waves, wave_depth_m) = (self.waves.model(), self.waves.depth_m.unwrap_or(f64::INFINITY));
        self.waves.check_keys(faults);
        let steepness = self.waves.steepness();
        let shape = if steepness > 0.0 { SurfaceShape::Gerstner { steepness } } else { SurfaceShape::Airy };
        let key = RunKey { seed: scenario.seed, run_index: 0 };
        let tried = waves.of_run(wave_depth_m, key).and_then(|waves| Water::new(self.level_m, made_of, waves, shape));
        let water = tried.map_err(|error| faults.push(self.waves.refused(&error))).ok();
        let currents = self.currents(scenario, faults);
        let fields = self.fields(faults);
        water?;
        Some(WaterParts { made_of, waves, wave_depth_m, shape, currents: currents?, fields: fields? })
    }

    fn currents(&self, scenario: &SeaScenario, faults: &mut Vec<Fault>) -> Option<Currents> {
        let list: Vec<Option<Current>> = self
            .currents
            .iter()
            .enumerate()
            .map(|(number, current)| current.build(&format!("water.currents[{number}]"), faults))
            .collect();
        let list: Vec<Current> = list.into_iter().collect::<Option<_>>()?;
        Currents::new(list, 1.0 / f64::from(scenario.step_hz))
            .map_err(|error| faults.push(Fault::new("water.currents", in_words(&error))))
            .ok()
    }

    fn fields(&self, faults: &mut Vec<Fault>) -> Option<Fields> {
        let (mut propellers, mut warnings) = (0, Vec::new());
        let field = |(number, spec): (usize, &FieldSpec)| {
            let path = format!("water.fields[{number}]");
            let propeller = propellers;
            propellers += usize::from(spec.propeller.is_some());
            let params =
                spec.params(propeller).map_err(|(key, message)| Fault::new(format!("{path}.{key}"), message))?;
            if spec.only_under_water && spec.only_above_water {
                let message = "is true beside only_under_water: the field pushes nothing";
                warnings.push(Fault::new(format!("{path}.only_above_water"), message).warning());
            }
            Field::new(params).map_err(|error| spec.refused(&path, &error))
        };
        let made: Vec<Result<Field, Fault>> = self.fields.iter().enumerate().map(field).collect();
        faults.append(&mut warnings);
        let made: Vec<Option<Field>> =
            made.into_iter().map(|field| field.map_err(|fault| faults.push(fault)).ok()).collect();
        made.into_iter().collect::<Option<Vec<_>>>().map(Fields::new)
    }
}

impl WavesSpec {
    /// Refuses keys that do nothing for the kind of the waves.
    fn check_keys(&self, faults: &mut Vec<Fault>) {
        use WavesKind::{Flat, Jonswap, PiersonMoskowitz, Regular};
        const WAVES: &[WavesKind] = &[Regular, PiersonMoskowitz, Jonswap];
        let keys: [(&str, bool, &[WavesKind]); 9] = [
            ("height_m", self.height_m.is_some(), &[Regular, Jonswap]),
            ("period_s", self.period_s.is_some(), WAVES),
            ("heading_deg", self.heading_deg.is_some(), WAVES),
            ("phase_deg", self.phase_deg.is_some(), &[Regular]),
            ("spreading_deg", self.spreading_deg.is_some(), &[PiersonMoskowitz, Jonswap]),
            ("components", self.components.is_some(), &[PiersonMoskowitz, Jonswap]),
            ("gamma", self.gamma.is_some(), &[Jonswap]),
            ("depth_m", self.depth_m.is_some(), WAVES),
            ("steepness", self.steepness.is_some(), WAVES),
        ];
        let kind = match self.kind {
            Flat => "flat",
            Regular => "regular",
            PiersonMoskowitz => "pierson_moskowitz",
            Jonswap => "jonswap",
        };
        for (key, ..) in keys.iter().filter(|(_, is_given, kinds)| *is_given && !kinds.contains(&self.kind)) {
            let message = format!("means nothing to waves of the kind {kind}");
            faults.push(Fault::new(format!("water.waves.{key}"), message).depends("water.waves.kind"));
        }
    }

    /// Writes its defaults into it: of keys that mean something to its kind.
    pub(super) fn write_defaults(&mut self) {
        use WavesKind::{Flat, Jonswap, PiersonMoskowitz, Regular};
        let spec = *self;
        let is_sea = matches!(spec.kind, PiersonMoskowitz | Jonswap);
        let of_waves = |value: f64| (spec.kind != Flat).then_some(value);
        self.period_s = of_waves(spec.period_s());
        self.heading_deg = of_waves(spec.heading_deg());
        self.steepness = of_waves(spec.steepness());
        self.height_m = matches!(spec.kind, Regular | Jonswap).then_some(spec.height_m());
        self.phase_deg = (spec.kind == Regular).then_some(spec.phase_deg());
        self.spreading_deg = is_sea.then_some(spec.spreading_deg());
        self.components = is_sea.then_some(spec.components());
        self.gamma = (spec.kind == Jonswap).then_some(spec.gamma());
    }

    fn height_m(&self) -> f64 {
        self.height_m.unwrap_or(0.5)
    }

    fn period_s(&self) -> f64 {
        self.period_s.unwrap_or(5.0)
    }

    fn heading_deg(&self) -> f64 {
        self.heading_deg.unwrap_or(0.0)
    }

    fn phase_deg(&self) -> f64 {
        self.phase_deg.unwrap_or(0.0)
    }

    fn spreading_deg(&self) -> f64 {
        self.spreading_deg.unwrap_or(20.0)
    }

    fn components(&self) -> u32 {
        self.components.unwrap_or(100)
    }

    fn gamma(&self) -> f64 {
        self.gamma.unwrap_or(3.3)
    }

    fn steepness(&self) -> f64 {
        self.steepness.unwrap_or(0.0)
    }

    fn model(&self) -> WavesModel {
        let direction_rad = rad(self.heading_deg());
        let sea = |spectrum| {
            WavesModel::Sea(SeaState {
                spectrum,
                direction_rad,
                spreading_rad: rad(self.spreading_deg()),
                components: self.components(),
            })
        };
        match self.kind {
            WavesKind::Flat => WavesModel::Flat,
            WavesKind::Regular => WavesModel::Regular(Wave {
                amplitude_m: 0.5 * self.height_m(),
                period_s: self.period_s(),
                direction_rad,
                phase_rad: rad(self.phase_deg()),
            }),
            WavesKind::PiersonMoskowitz => sea(Spectrum::PiersonMoskowitz { peak_period_s: self.period_s() }),
            WavesKind::Jonswap => sea(Spectrum::Jonswap {
                significant_height_m: self.height_m(),
                peak_period_s: self.period_s(),
                gamma: self.gamma(),
            }),
        }
    }

    /// A refused parameter at the key that means it.
    fn refused(&self, error: &ParamError) -> Fault {
        let key = match error.field {
            "amplitude_m" | "significant_height_m" => "height_m",
            "peak_period_s" => "period_s",
            "direction_rad" => "heading_deg",
            "spreading_rad" => "spreading_deg",
            known @ ("height_m" | "period_s" | "components" | "gamma" | "depth_m" | "steepness") => known,
            other => {
                let message = format!("cannot be made: {other} {}", error.message);
                return Fault::new("water.waves", message);
            }
        };
        // Of a fully developed sea the height follows from the period.
        let key = if key == "height_m" && self.kind == WavesKind::PiersonMoskowitz { "period_s" } else { key };
        Fault::new(format!("water.waves.{key}"), error.message.clone()).depends("water.waves")
    }

    /// Waves that are long for their depth: that which they feel, or else that of the deepest water, m.
    pub(super) fn warn(&self, deepest_m: Option<f64>, faults: &mut Vec<Fault>) {
        let given_m = self.depth_m.or(deepest_m.filter(|&depth_m| depth_m > 0.0));
        let Some(depth_m) = given_m.filter(|_| self.kind != WavesKind::Flat) else { return };
        let length_m = TAU / wavenumber_rad_m(TAU / self.period_s(), depth_m);
        if length_m > LONG_WAVES * depth_m {
            let message = format!(
                "is {}, which makes waves of {length_m:.0} m on water of {depth_m} m: small waves are at most {LONG_WAVES} \
                 depths long",
                self.period_s()
            );
            faults.push(Fault::new("water.waves.period_s", message).warning());
        }
    }
}

impl CurrentSpec {
    fn build(&self, path: &str, faults: &mut Vec<Fault>) -> Option<Current> {
        let given = [
            ("uniform_m_s", self.uniform_m_s.is_some()),
            ("layers", self.layers.is_some()),
            ("grid", self.grid.is_some()),
            ("grid_file", self.grid_file.is_some()),
            ("gauss_markov", self.gauss_markov.is_some()),
        ];
        let mut given = given.iter().filter(|(_, is_given)| *is_given).map(|(key, _)| *key);
        let first = given.next();
        if let (Some(first), Some(second)) = (first, given.next()) {
            let message = format!("cannot be given beside {first}: write two currents, they add up");
            faults.push(Fault::new(format!("{path}.{second}"), message));
            return None;
        }
        let Some(key) = first else {
            faults.push(Fault::new(path, "is empty: one of uniform_m_s, layers, grid, grid_file and gauss_markov"));
            return None;
        };
        self.current().map_err(|error| faults.push(Fault::new(format!("{path}.{key}"), in_words(&error)))).ok()
    }

    fn current(&self) -> Result<Current, ParamError> {
        if let Some(velocity_m_s) = self.uniform_m_s {
            return Ok(Current::Uniform(velocity_m_s.into()));
        }
        if let Some(layers) = &self.layers {
            let table = layers.iter().map(|layer| (layer.depth_m, layer.velocity_m_s.into())).collect();
            return Layers::new(table).map(Current::Layers);
        }
        if let Some(grid) = &self.grid {
            let params = CurrentGridParams {
                origin_m: grid.from_m.into(),
                cell_m: grid.cell_m,
                columns: grid.columns,
                rows: grid.rows,
                depths_m: grid.depths_m.clone(),
                velocities_m_s: grid.velocities_m_s.iter().copied().map(DVec3::from).collect(),
            };
            return CurrentGrid::new(params).map(Current::Grid);
        }
        let drift = self.gauss_markov.unwrap_or_default();
        Ok(Current::GaussMarkov(DriftParams {
            mean_m_s: drift.mean_m_s.into(),
            std_m_s: drift.std_m_s,
            correlation_s: drift.correlation_s,
        }))
    }
}

impl PropellerFieldSpec {
    fn cone(&self) -> PropellerCone {
        let Self { tip_m, force_n_per_rpm, max_force_n, reach_m, .. } = *self;
        PropellerCone { tip_m, force_n_per_rpm, max_force_n, reach_m }
    }
}

impl FieldSpec {
    /// A refused parameter at the key that means it.
    fn refused(&self, path: &str, error: &ParamError) -> Fault {
        let key = match error.field {
            "direction" => "along",
            "region" => "box_m",
            _ => return Fault::new(path, in_words(error)),
        };
        Fault::new(format!("{path}.{key}"), error.message.clone())
    }

    /// The parameters, or a key and what is wrong with it. `number` is that of its propeller, if it has one.
    fn params(&self, number: usize) -> Result<FieldParams, (&'static str, String)> {
        let along = self.along.map(|along| Push::Along(along.into()));
        let towards = self.towards.map(|place| Push::Towards(place.into()));
        let away = self.away_from.map(|place| Push::AwayFrom(place.into()));
        let propeller = self.propeller.as_ref().map(|spec| Push::Propeller { cone: spec.cone(), number });
        let mut pushes = [along, towards, away, propeller].into_iter().flatten();
        let push = match (pushes.next(), pushes.next()) {
            (Some(push), None) => push,
            (None, _) => {
                let message = "has no direction: give along, towards, away_from or propeller";
                return Err(("force_n", message.to_owned()));
            }
            (Some(_), Some(_)) => {
                let message = "has two directions: give one of along, towards, away_from and propeller";
                return Err(("force_n", message.to_owned()));
            }
        };
        if propeller.is_some() && self.force_n != 0.0 {
            return Err((
                "force_n",
                "means nothing beside propeller, whose force is bounded by max_force_n".to_owned(),
            ));
        }
        let region = match (self.box_m, self.sphere) {
            (Some(_), Some(_)) => return Err(("sphere", "cannot be given beside box_m".to_owned())),
            (Some([min_m, max_m]), None) => Region::Box { min_m: min_m.into(), max_m: max_m.into() },
            (None, Some(sphere)) => Region::Sphere { center_m: sphere.center_m.into(), radius_m: sphere.radius_m },
            (None, None) => Region::Everywhere,
        };
        let turbulence = match (self.uniform_n, self.gaussian_n) {
            (Some(_), Some(_)) => return Err(("gaussian_n", "cannot be given beside uniform_n".to_owned())),
            (Some(size), None) => Turbulence::Uniform(size.into()),
            (None, Some(std)) => Turbulence::Gaussian(std.into()),
            (None, None) => Turbulence::None,
        };
        Ok(FieldParams {
            push,
            force_n: self.force_n,
            region,
            only_under_water: self.only_under_water,
            only_above_water: self.only_above_water,
            turbulence,
        })
    }
}
