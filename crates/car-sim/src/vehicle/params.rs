//! The parameters of a car, and the checked model made of them.

use super::ackermann::{Ackermann, Twist};
use sim_core::{DVec2, ParamError, Rect};

/// All parameters of a car but those of its sensors. The default is a car at a scale of 1:10 (car facts, section 2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CarParams {
    /// From bumper to bumper, m.
    pub body_length_m: f64,
    /// From flank to flank, m.
    pub body_width_m: f64,
    /// From the base point back to the rear bumper, m.
    pub base_to_rear_bumper_m: f64,
    /// From axle to axle, m.
    pub wheelbase_m: f64,
    /// From wheel centre to wheel centre of an axle, m.
    pub track_m: f64,
    /// From the base point back to the rear axle, m; less than the wheelbase.
    pub base_to_rear_axle_m: f64,
    /// Radius of a wheel, m.
    pub wheel_radius_m: f64,
    /// Width of a wheel, m. For drawings.
    pub wheel_width_m: f64,
    /// Wheel turns per motor turn.
    pub motor_ratio: f64,
    /// Farthest that the inner front wheel steers, less than a right angle.
    pub inner_steering_limit_rad: f64,
    /// Farthest that the outer front wheel steers, less than a right angle.
    pub outer_steering_limit_rad: f64,
    /// Largest curvature of the base point's path, 1/m, if the wheels allow it.
    pub curvature_limit_1_m: f64,
    /// How fast the middle steering angle changes.
    pub steering_rate_rad_s: f64,
    /// Fastest backwards, m/s, of the base point; 0 or less.
    pub velocity_min_m_s: f64,
    /// Fastest forwards, m/s, of the base point.
    pub velocity_max_m_s: f64,
    /// Largest gain of speed, m/s^2, of the base point.
    pub acceleration_limit_m_s2: f64,
    /// Largest loss of speed, m/s^2, of the base point; a positive number.
    pub deceleration_limit_m_s2: f64,
    /// Length of an integration step, whole nanoseconds, 1 us to 100 ms.
    pub step_ns: u64,
}

impl Default for CarParams {
    fn default() -> Self {
        Self {
            body_length_m: 0.505,
            body_width_m: 0.313,
            base_to_rear_bumper_m: 0.2525,
            wheelbase_m: 0.405,
            track_m: 0.213,
            base_to_rear_axle_m: 0.2025,
            wheel_radius_m: 0.0525,
            wheel_width_m: 0.058,
            motor_ratio: 0.08421,
            inner_steering_limit_rad: 40.0_f64.to_radians(),
            outer_steering_limit_rad: 40.0_f64.to_radians(),
            curvature_limit_1_m: 2.0,
            steering_rate_rad_s: 2.0,
            velocity_min_m_s: -0.5,
            velocity_max_m_s: 0.8,
            acceleration_limit_m_s2: 1.0,
            deceleration_limit_m_s2: 2.0,
            step_ns: 1_000_000,
        }
    }
}

impl CarParams {
    /// Smallest and largest length of anything on a car, m.
    pub const LENGTH_M: [f64; 2] = [1e-3, 100.0];
    /// Largest steering limit, degrees: a right angle has no tangent.
    pub const MAX_STEERING_DEG: f64 = 89.9;
    /// Fastest car, m/s.
    pub const MAX_SPEED_M_S: f64 = 1000.0;
    /// Smallest and largest ratio or limit of a rate.
    pub const RATE: [f64; 2] = [1e-6, 1e6];
    /// Largest limit of the curvature, 1/m.
    pub const MAX_CURVATURE_1_M: f64 = 1e6;

    fn check(&self) -> Result<(), ParamError> {
        self.check_sizes()?;
        self.check_limits()
    }

    fn check_sizes(&self) -> Result<(), ParamError> {
        let [least, most] = Self::LENGTH_M;
        ParamError::check_range("body_length_m", self.body_length_m, least, most)?;
        ParamError::check_range("body_width_m", self.body_width_m, least, most)?;
        ParamError::check_range("base_to_rear_bumper_m", self.base_to_rear_bumper_m, 0.0, self.body_length_m)?;
        ParamError::check_range("wheelbase_m", self.wheelbase_m, least, most)?;
        ParamError::check_range("track_m", self.track_m, least, most)?;
        ParamError::check_range("base_to_rear_axle_m", self.base_to_rear_axle_m, 0.0, self.wheelbase_m)?;
        ParamError::check_range("wheel_radius_m", self.wheel_radius_m, least, most)?;
        ParamError::check_range("wheel_width_m", self.wheel_width_m, least, most)?;
        ParamError::check_within("motor_ratio", self.motor_ratio, Self::RATE)
    }

    fn check_limits(&self) -> Result<(), ParamError> {
        let most_rad = Self::MAX_STEERING_DEG.to_radians();
        ParamError::check_range("inner_steering_limit_rad", self.inner_steering_limit_rad, 0.0, most_rad)?;
        ParamError::check_range("outer_steering_limit_rad", self.outer_steering_limit_rad, 0.0, most_rad)?;
        ParamError::check_range("curvature_limit_1_m", self.curvature_limit_1_m, 0.0, Self::MAX_CURVATURE_1_M)?;
        ParamError::check_within("steering_rate_rad_s", self.steering_rate_rad_s, Self::RATE)?;
        ParamError::check_range("velocity_min_m_s", self.velocity_min_m_s, -Self::MAX_SPEED_M_S, 0.0)?;
        ParamError::check_range("velocity_max_m_s", self.velocity_max_m_s, Self::RATE[0], Self::MAX_SPEED_M_S)?;
        ParamError::check_within("acceleration_limit_m_s2", self.acceleration_limit_m_s2, Self::RATE)?;
        ParamError::check_within("deceleration_limit_m_s2", self.deceleration_limit_m_s2, Self::RATE)?;
        ParamError::check_range("step_ns", self.step_ns as f64, 1e3, 1e8)
    }
}

/// Checked parameters and what follows from them. Fixed for a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CarModel {
    params: CarParams,
    ackermann: Ackermann,
    curvature_limit_1_m: f64,
    steering_limit_rad: f64,
}

impl CarModel {
    /// Checks the parameters.
    ///
    /// # Errors
    /// If a value is out of its range.
    pub fn new(params: CarParams) -> Result<Self, ParamError> {
        params.check()?;
        let ackermann = Ackermann {
            wheelbase_m: params.wheelbase_m,
            track_m: params.track_m,
            base_to_rear_axle_m: params.base_to_rear_axle_m,
            wheel_radius_m: params.wheel_radius_m,
            motor_ratio: params.motor_ratio,
        };
        let rear_1_m = ackermann.steered_limit_1_m(params.inner_steering_limit_rad, params.outer_steering_limit_rad);
        let steered = ackermann.base_from_rear(Twist { curvature_1_m: rear_1_m, velocity_m_s: 0.0 });
        let curvature_limit_1_m = steered.curvature_1_m.min(params.curvature_limit_1_m);
        let limit = ackermann.rear_from_base(Twist { curvature_1_m: curvature_limit_1_m, velocity_m_s: 0.0 });
        let steering_limit_rad = ackermann.middle_rad(limit.curvature_1_m);
        let model = Self { params, ackermann, curvature_limit_1_m, steering_limit_rad };
        model.check_stride(limit.curvature_1_m)?;
        Ok(model)
    }

    /// A body that moves by more than its own width in a step could pass over something between two looks.
    fn check_stride(&self, rear_limit_1_m: f64) -> Result<(), ParamError> {
        let CarParams { velocity_max_m_s, velocity_min_m_s, body_length_m, body_width_m, .. } = self.params;
        let way_m = velocity_max_m_s.max(-velocity_min_m_s) * self.step_s();
        let stride_m = way_m * (1.0 + rear_limit_1_m * self.reach_m());
        let most_m = 0.5 * body_length_m.min(body_width_m);
        if stride_m <= most_m {
            return Ok(());
        }
        let message = format!(
            "is {}: parts of the car then move by up to {stride_m} m in a step, must be at most {most_m} m, half of its shorter side",
            self.params.step_ns
        );
        Err(ParamError::new("step_ns", message))
    }

    /// What was given.
    #[must_use]
    pub fn params(&self) -> &CarParams {
        &self.params
    }

    /// The geometry of its steering.
    #[must_use]
    pub fn ackermann(&self) -> &Ackermann {
        &self.ackermann
    }

    /// Largest curvature of the base point's path, 1/m: the smaller of what is configured and what the wheels allow.
    #[must_use]
    pub fn curvature_limit_1_m(&self) -> f64 {
        self.curvature_limit_1_m
    }

    /// Middle steering angle at the largest curvature.
    #[must_use]
    pub fn steering_limit_rad(&self) -> f64 {
        self.steering_limit_rad
    }

    /// Length of an integration step, s.
    #[must_use]
    pub fn step_s(&self) -> f64 {
        self.params.step_ns as f64 / 1e9
    }

    /// Farthest that a point of the body lies from the middle of the rear axle, m.
    #[must_use]
    pub fn reach_m(&self) -> f64 {
        let Rect { min, max } = self.body_m();
        let axle = self.params.base_to_rear_axle_m;
        DVec2::new((min.x + axle).abs().max(max.x + axle), max.y).length()
    }

    /// The body around the base point, in its own axes, m.
    #[must_use]
    pub fn body_m(&self) -> Rect {
        let rear = -self.params.base_to_rear_bumper_m;
        let flank = 0.5 * self.params.body_width_m;
        Rect { min: DVec2::new(rear, -flank), max: DVec2::new(rear + self.params.body_length_m, flank) }
    }
}
