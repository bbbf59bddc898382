//! Prints the JSON Schema of vehicles' files, as it is committed in `vehicles/vehicle.schema.json`: `cargo xtask schema` runs it.

#![expect(clippy::print_stdout, reason = "it is a program")]

fn main() {
    print!("{}", sim_input::schema::schema_text(world_sea::scenario::vehicle_schema()));
}
