//! What goes into a step of a cube and what comes out.

use crate::attitude::Euler;
use crate::event::Event;
use crate::id_sensing::Printed;
use crate::light::Rgb;
use crate::micros::Micros;
use crate::power::PowerState;
use crate::sound::Sounding;
use crate::wire::Message;
use sim_core::DVec3;
use toio_hardware::GRAVITY_M_S2;

/// What a cube's sensors measure during a step. Axes are the cube's: X forward, Y right, Z down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Senses {
    /// What is printed under the ID sensor.
    pub printed: Printed,
    /// Exact attitude in the world.
    pub attitude: Euler,
    /// Acceleration of the body centre less gravity, m/s²: (0, 0, -9.8) at rest on the wheels.
    pub specific_force_m_s2: DVec3,
    /// Angular rate, rad/s.
    pub angular_rate_rad_s: DVec3,
    /// Speed of the left and of the right wheel at its rim, m/s, forwards positive.
    pub wheel_speed_m_s: [f64; 2],
    /// Magnetic field at the magnet sensor, A/m.
    pub magnetic_field_a_m: DVec3,
    /// The function button is pressed.
    pub button_is_pressed: bool,
    /// Current of the charger that the cube stands on, mA; 0 off any charger.
    pub charger_ma: f64,
}

impl Default for Senses {
    /// At rest on the wheels, with nothing printed underneath.
    fn default() -> Self {
        Self {
            printed: Printed::Nothing,
            attitude: Euler::default(),
            specific_force_m_s2: DVec3::new(0.0, 0.0, -GRAVITY_M_S2),
            angular_rate_rad_s: DVec3::ZERO,
            wheel_speed_m_s: [0.0; 2],
            magnetic_field_a_m: DVec3::ZERO,
            button_is_pressed: false,
            charger_ma: 0.0,
        }
    }
}

/// What a cube does to the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Actuators {
    /// Commands of the left and the right motor, in command units: what goes to the motors, whose dead zone and lag come after.
    pub motor_units: [f64; 2],
    /// Part of the step, from its beginning, for which the motors have these commands, 0 to 1: a timed command ends inside a step. After it
    /// they are 0.
    pub motor_share: f64,
    /// Colour of the lamp at the beginning of the step.
    pub lamp: Rgb,
    /// Note that sounds at the beginning of the step, if one does.
    pub sounding: Option<Sounding>,
    /// Power.
    pub power: PowerState,
    /// A client is connected.
    pub is_connected: bool,
}

impl Default for Actuators {
    /// A cube that is on and does nothing.
    fn default() -> Self {
        Self {
            motor_units: [0.0; 2],
            motor_share: 1.0,
            lamp: Rgb::DARK,
            sounding: None,
            power: PowerState::default(),
            is_connected: false,
        }
    }
}

/// Lamp and speaker from a moment inside a step on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// The moment.
    pub at: Micros,
    /// Colour of the lamp from then on.
    pub lamp: Rgb,
    /// Note that sounds from then on, if one does.
    pub sounding: Option<Sounding>,
}

/// What comes out of a step, and what has happened since the step before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outputs {
    /// What the cube does.
    pub actuators: Actuators,
    /// Changes of lamp and speaker inside the step, in order. A smooth blink is continuous and has none but its end.
    pub changes: Vec<Change>,
    /// Notifications, oldest first.
    pub messages: Vec<Message>,
    /// Events, oldest first.
    pub events: Vec<Event>,
}
