//! Prints the JSON Schema of vehicles' files, as it is committed in `vehicles/vehicle.schema.json`: `cargo xtask schema` runs it.

fn main() {
    print!("{}", sim_input::schema::schema_text(world_sea::scenario::vehicle_schema()));
}
