//! Keys of a keyboard: what each asks of a vehicle's actuators.
//!
//! ```text
//! command = command at the start + sum of `hold` over the keys that are held
//! ```
//!
//! A key of the name `space+i` acts while both `space` and `i` are held, beside what each of them does alone.

use super::{Vehicle, VehicleState};
use crate::check;
use crate::driver::TimedCommand;
use sim_core::ParamError;
use std::collections::BTreeMap;

/// Keys of a vehicle by their names.
pub type KeyMapParams = BTreeMap<String, KeyParams>;

/// What a key does, by the names of actuators, in their units.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(default, deny_unknown_fields))]
pub struct KeyParams {
    /// What is added to the command at the start while the key is held.
    #[cfg_attr(feature = "schema", serde(skip_serializing_if = "BTreeMap::is_empty"))]
    pub hold: BTreeMap<String, f64>,
    /// Commands that are given once when the key is pressed.
    #[cfg_attr(feature = "schema", serde(skip_serializing_if = "BTreeMap::is_empty"))]
    pub press: BTreeMap<String, f64>,
}

/// A key that is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stroke {
    /// Its place in [`KeyMap::names`].
    pub key: usize,
    /// The step at whose beginning it is pressed, from 0.
    pub from_step: u64,
    /// The step at whose beginning it is released, later than the other one; none: it stays held.
    pub to_step: Option<u64>,
}

/// An actuator and a value in its unit.
type Effect = (usize, f64);

/// Checked keys of a vehicle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeyMap {
    names: Vec<String>,
    entries: Vec<Entry>,
}

/// What one key does, or several that are held together.
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    /// Places of the keys in the list of names.
    keys: Vec<usize>,
    hold: Vec<Effect>,
    press: Vec<Effect>,
}

impl KeyMap {
    /// The keys of a vehicle.
    ///
    /// # Errors
    /// If a name or a part of one is empty, no actuator has a name that is given, or a value is not finite.
    pub fn new(params: &KeyMapParams, vehicle: &Vehicle) -> Result<Self, ParamError> {
        let mut names: Vec<String> = params.keys().flat_map(|name| name.split('+')).map(str::to_owned).collect();
        names.sort_unstable();
        names.dedup();
        if names.iter().any(String::is_empty) {
            return Err(ParamError::new(
                "keys",
                "has a key without a name; `+` stands between keys that are held together",
            ));
        }
        let place = |name: &str| names.iter().position(|known| known == name);
        let entry = |(name, key): (&String, &KeyParams)| -> Result<Entry, ParamError> {
            let [hold, press] = [&key.hold, &key.press].map(|effects| effects_of(name, effects, vehicle));
            Ok(Entry { keys: name.split('+').filter_map(place).collect(), hold: hold?, press: press? })
        };
        let entries = params.iter().map(entry).collect::<Result<_, _>>()?;
        Ok(Self { names, entries })
    }

    /// Names of the single keys, sorted.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The commands of strokes on a vehicle from its start, in the order of their steps. A sum beyond the range of its actuator is the end
    /// of the range. In a step, keys are released before others are pressed.
    #[must_use]
    pub fn commands(&self, strokes: &[Stroke], vehicle: &Vehicle, start: &VehicleState) -> Vec<TimedCommand> {
        let begins = strokes.iter().map(|stroke| (stroke.from_step, true, stroke.key));
        let ends = strokes.iter().filter_map(|stroke| Some((stroke.to_step?, false, stroke.key)));
        let mut changes: Vec<(u64, bool, usize)> = begins.chain(ends).collect();
        changes.sort_unstable();
        let (mut held, mut acts) = (vec![0_u32; self.names.len()], vec![false; self.entries.len()]);
        let mut commands = Vec::new();
        for changes in changes.chunk_by(|a, b| a.0 == b.0) {
            for &(_, is_pressed, key) in changes {
                held[key] = if is_pressed { held[key] + 1 } else { held[key].saturating_sub(1) };
            }
            let acted = acts.clone();
            let is_held = |entry: &Entry| entry.keys.iter().all(|&key| held[key] > 0);
            acts.iter_mut().zip(&self.entries).for_each(|(acts, entry)| *acts = is_held(entry));
            let effects = self.effects((&acted, &acts), start);
            commands.extend(effects.into_iter().map(|(actuator, value)| {
                let [least, most] = vehicle.command_range(actuator).unwrap_or([f64::MIN, f64::MAX]);
                TimedCommand { step: changes[0].0, actuator, value: value.clamp(least, most) }
            }));
        }
        commands
    }

    /// Commands of a moment, from which entries acted before it and which do after it.
    fn effects(&self, (acted, acts): (&[bool], &[bool]), start: &VehicleState) -> Vec<Effect> {
        let changed = || self.entries.iter().enumerate().filter(|&(place, _)| acted[place] != acts[place]);
        let pressed = changed().filter(|&(place, _)| acts[place]).flat_map(|(_, entry)| entry.press.iter().copied());
        let mut effects: Vec<Effect> = pressed.collect();
        let mut moved: Vec<usize> =
            changed().flat_map(|(_, entry)| &entry.hold).map(|&(actuator, _)| actuator).collect();
        moved.sort_unstable();
        moved.dedup();
        effects.extend(moved.into_iter().map(|actuator| {
            let acting = self.entries.iter().zip(acts).filter(|(_, acts)| **acts).flat_map(|(entry, _)| &entry.hold);
            let added: f64 = acting.filter(|(other, _)| *other == actuator).map(|(_, value)| value).sum();
            (actuator, start.commands[actuator] + added)
        }));
        effects
    }
}

fn effects_of(key: &str, effects: &BTreeMap<String, f64>, vehicle: &Vehicle) -> Result<Vec<Effect>, ParamError> {
    let effect = |(name, &value): (&String, &f64)| -> Result<Effect, ParamError> {
        check::finite("keys", value)?;
        let actuator = vehicle.actuator(name);
        let unknown = || {
            let has = vehicle.actuator_names().join(", ");
            ParamError::new("keys", format!("has {name:?} of key {key:?}, the name of no actuator; it has {has}"))
        };
        Ok((actuator.ok_or_else(unknown)?, value))
    };
    effects.iter().map(effect).collect()
}
