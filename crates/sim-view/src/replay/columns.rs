//! Which columns a page keeps of each table, and with how many decimals: what is stored is what is shown.

/// A column: its name, and the decimals that are kept.
pub type Column = (&'static str, u8);

/// When the rows are.
pub const FRAMES: &[Column] = &[("step", 0), ("time_s", 4)];

/// Robots.
pub const AGENTS: &[Column] = &[
    ("x_mm", 2),
    ("y_mm", 2),
    ("heading_rad", 3),
    ("speed_mm_s", 1),
    ("omega_rad_s", 2),
    ("vx_mm_s", 1),
    ("vy_mm_s", 1),
    ("wish_x_mm_s", 1),
    ("wish_y_mm_s", 1),
    ("nearest_agent_mm", 2),
    ("nearest_foot_mm", 2),
];

/// Feet. The state is the place of its word in a list.
pub const FEET: &[Column] = &[("state", 0), ("x_mm", 2), ("y_mm", 2), ("vx_mm_s", 1), ("vy_mm_s", 1)];

/// Patches.
pub const PATCHES: &[Column] = &[("x_mm", 2), ("y_mm", 2), ("sigma_mm", 2), ("peak", 4)];

/// Cubes.
pub const CUBES: &[Column] = &[
    ("x_mm", 2),
    ("y_mm", 2),
    ("z_mm", 2),
    ("yaw_rad", 3),
    ("pitch_rad", 3),
    ("roll_rad", 3),
    ("mat_x", 0),
    ("mat_y", 0),
    ("mat_deg", 0),
    ("left_mm_s", 1),
    ("right_mm_s", 1),
    ("led_r", 0),
    ("led_g", 0),
    ("led_b", 0),
    ("sound", 0),
    ("battery_percent", 2),
];

/// Cars. The status is the place of its word in a list; the nearest is that of the newest scan.
pub const CARS: &[Column] = &[
    ("x_m", 3),
    ("y_m", 3),
    ("yaw_rad", 3),
    ("speed_m_s", 3),
    ("yaw_rate_rad_s", 3),
    ("steer_rad", 3),
    ("steer_left_rad", 3),
    ("steer_right_rad", 3),
    ("motor_rps", 2),
    ("target_rps", 2),
    ("nearest_m", 3),
    ("status", 0),
];

/// When scans arrived and were taken.
pub const SCAN_TIMES: &[Column] = &[("arrived_s", 4), ("taken_s", 4)];

/// A ray of a scan.
pub const RANGES: &[Column] = &[("range_m", 3)];

/// Robots of a clip.
pub const CLIP_ROBOTS: &[Column] = &[
    ("x_mm", 2),
    ("y_mm", 2),
    ("heading_rad", 3),
    ("vx_mm_s", 1),
    ("vy_mm_s", 1),
    ("nearest_agent_mm", 2),
    ("nearest_foot_mm", 2),
];

/// Feet of a clip.
pub const CLIP_FEET: &[Column] = &[("x_mm", 2), ("y_mm", 2), ("vx_mm_s", 1), ("vy_mm_s", 1)];

/// Measures of a moment, for the plots.
pub const SERIES: &[Column] = &[
    ("step", 0),
    ("time_s", 4),
    ("nearest_agent_mm", 2),
    ("nearest_foot_mm", 2),
    ("nearest_cube_mm", 2),
    ("speed_mean_mm_s", 1),
    ("speed_max_mm_s", 1),
    ("moving_share", 3),
    ("near_patch_share", 3),
    ("wish_difference_mm_s", 1),
];
